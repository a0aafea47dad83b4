// Words that hold function pointers, which other code may load and write at the same time.
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "CBelayClosure.h"
#include "CBelayShim.h"

enum { code_mismatch = -20011 };

void *belay_word_load(void *const *word) { return __atomic_load_n(word, __ATOMIC_ACQUIRE); }

void belay_word_store(void **word, void *wanted) {
  __atomic_store_n(word, wanted, __ATOMIC_RELEASE);
}

int belay_word_exchange(void **word, void *expected, void *wanted) {
  return __atomic_compare_exchange_n(word, &expected, wanted, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_ACQUIRE)
             ? 0
             : code_mismatch;
}

int belay_word_replace(void **word, void *expected, void *wanted, int *protection) {
  if (belay_word_load(word) != expected) return code_mismatch;
  int code = -EROFS;
  if (belay_shim_is_writable(word)) {
    code = belay_word_exchange(word, expected, wanted);
  } else if (protection && *protection) {
    int found = belay_shim_protection((uintptr_t)word);
    if (found > 0) *protection = found;
    if (found < 0) code = found;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    void *start = (void *)((uintptr_t)word & -page);
    // The page stays executable, because other threads may run functions on it.
    if (*protection > 0 && mprotect(start, page, *protection | PROT_WRITE) == 0) {
      code = belay_word_exchange(word, expected, wanted);
      mprotect(start, page, *protection);
    }
  }
  return code;
}
