// Calls that may block for as long as the system likes, on threads that nothing else waits for.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <string.h>
#include <uv.h>

#include "CBelayShim.h"

enum {
  most_ready = 4,     // threads without those whose errand was given up
  most_threads = 64,  // all
  stack_size = 1 << 20
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
// The errands that no thread has begun, in a ring.
static belay_errand waiting = {.next = &waiting, .previous = &waiting};
static int ready, threads;
// How many times the process has been made by a fork, counted along its ancestors.
static uint32_t generation;

static size_t least_stack;

// The GNU library takes the thread-local variables out of a stack, and tells their size by this alone. It is looked
// for here, because dlsym() waits for the loader's lock, whose thread may be waiting for one of ours.
__attribute__((constructor)) static void find_least_stack(void) {
  size_t (*least)(const pthread_attr_t *);
  *(void **)&least = dlsym(RTLD_DEFAULT, "__pthread_get_minstack");
  if (least) least_stack = least(NULL);
}

BELAY_HIDDEN int belay_shim_start_thread(void (*run)(void *), void *argument, size_t stack) {
  uv_thread_options_t options = {UV_THREAD_HAS_STACK_SIZE, stack + least_stack};
  uv_thread_t thread;
  // The program's signals are for its own threads.
  uint64_t before = belay_shim_block_signals();
  int code = uv_thread_create_ex(&thread, &options, run, argument);
  belay_shim_restore_signals(before);
  if (code == 0) pthread_detach(thread);
  return code;
}

// A child has no thread but the one that has forked. An errand that its parent had under way never
// ends here.
static void begin_anew(void) {
  lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
  waiting.next = waiting.previous = &waiting;
  ready = threads = 0;
  generation++;
}

static void take_out(belay_errand *errand) {
  errand->previous->next = errand->next;
  errand->next->previous = errand->previous;
}

// The first that waits, or NULL. The caller holds the lock.
static belay_errand *take_first(void) {
  belay_errand *errand = waiting.next;
  if (errand == &waiting) return NULL;
  take_out(errand);
  errand->state = belay_errand_under_way;
  return errand;
}

// The caller holds the lock.
static void end(belay_errand *errand) {
  errand->state = belay_errand_ended;
  errand->tell(errand);
}

static void see_to_errands(void *unused) {
  belay_errand *errand;
  belay_shim_describe_thread("belay lookup", 0);
  pthread_mutex_lock(&lock);
  while (ready <= most_ready && (errand = take_first())) {
    pthread_mutex_unlock(&lock);
    errand->run(errand);
    pthread_mutex_lock(&lock);
    if (errand->state == belay_errand_under_way) {
      end(errand);
    } else {
      // Another thread may have come in the place of this one, which then is one too many.
      ready++;
      errand->drop(errand);
    }
  }
  ready--;
  threads--;
  pthread_mutex_unlock(&lock);
}

// Makes a thread for what waits, if there may be one more. The caller holds the lock.
static void make_thread(void) {
  if (waiting.next == &waiting || ready >= most_ready || threads == most_threads) return;
  int code = belay_shim_start_thread(see_to_errands, NULL, stack_size);
  if (code == 0) {
    ready++;
    threads++;
  }
  if (ready > 0) return;
  // Nobody comes to it.
  belay_errand *errand;
  while ((errand = take_first())) {
    errand->code = code;
    end(errand);
  }
}

BELAY_HIDDEN void belay_shim_send_errand(belay_errand *errand) {
  static bool is_told_of_forks;
  pthread_mutex_lock(&lock);
  if (!is_told_of_forks) is_told_of_forks = pthread_atfork(NULL, NULL, begin_anew) == 0;
  errand->generation = generation;
  errand->next = &waiting;
  errand->previous = waiting.previous;
  waiting.previous = errand->previous->next = errand;
  make_thread();
  pthread_mutex_unlock(&lock);
}

BELAY_HIDDEN bool belay_shim_end_errand(belay_errand *errand) {
  pthread_mutex_lock(&lock);
  int state = errand->state;
  bool is_running = false;
  if (errand->generation == generation) {
    if (state == belay_errand_waiting) take_out(errand);
    is_running = state == belay_errand_under_way;
  }
  if (is_running) {
    errand->state = belay_errand_given_up;
    ready--;
    make_thread();
  } else {
    errand->drop(errand);
  }
  pthread_mutex_unlock(&lock);
  return state == belay_errand_ended;
}
