// Whether libuv's pool can have its threads.
#include <pthread.h>
#include <uv.h>

#include "CBelayShim.h"

// As many as libuv makes by default, and one more, because one that has ended may still count.
enum { threads_of_pool = 4 + 1 };

static bool are_there;

// libuv makes new ones in a child.
static void forget(void) { are_there = false; }

// Makes so many threads, each of which waits for the next one. Leaves 0, or libuv's code.
static void try_threads(void *argument) {
  int *left = argument;
  uv_thread_options_t usual = {.flags = UV_THREAD_NO_FLAGS};
  uv_thread_t thread;
  if (*left == 0) return;
  --*left;
  int code = uv_thread_create_ex(&thread, &usual, try_threads, left);
  if (code == 0) uv_thread_join(&thread);
  else *left = code;
}

BELAY_HIDDEN int belay_shim_find_threads(void) {
  if (__atomic_load_n(&are_there, __ATOMIC_RELAXED)) return 0;
  int left = threads_of_pool;
  try_threads(&left);
  if (left == 0) {
    __atomic_store_n(&are_there, true, __ATOMIC_RELAXED);
    pthread_atfork(NULL, NULL, forget);
  }
  return left;
}
