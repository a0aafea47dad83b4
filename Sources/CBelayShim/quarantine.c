// Checked builds: memory that Belay frees is not used again at once. So a stale handle is found
// out, and not taken for the next object at its address. (The sanitizers do this better, and such
// builds do not compile this file.)
#include <malloc.h>
#include <pthread.h>
#include <stddef.h>

enum { places = 1024, largest = 4096 };

extern void __libc_free(void *block);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *waiting[places];
static size_t oldest;

// Hidden, so that only code of this library frees through this.
__attribute__((visibility("hidden"))) void free(void *block) {
  if (block && malloc_usable_size(block) <= largest) {
    pthread_mutex_lock(&lock);
    void *evicted = waiting[oldest];
    waiting[oldest] = block;
    oldest = (oldest + 1) % places;
    pthread_mutex_unlock(&lock);
    block = evicted;
  }
  __libc_free(block);
}
