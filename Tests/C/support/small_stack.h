/* Cases on a thread whose stack is small. */
#ifndef SMALL_STACK_H
#define SMALL_STACK_H

#include "cases.h"

/* What docs/semantics.md says that is enough; the frames of the checked build and of sanitizers are
   larger. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_LARGE_FRAMES 1
#endif
#endif
#if defined(BELAY_CHECKED) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HAS_LARGE_FRAMES 1
#endif
#ifdef BELAY_RUNTIME_REFERENCES
/* The runtime destroys a long chain by recursion; references.c, which is left out, by a loop. */
enum { STACK = 256 << 20 };
#elif defined(HAS_LARGE_FRAMES)
enum { STACK = 8 << 20 };
#else
enum { STACK = 512 << 10 };
#endif

static inline void *small_main(void *run) {
  ((test_case *)run)->run();
  belay_last_error();
  belay_last_error();
  return NULL;
}
static inline void on_a_small_stack(void (*run)(void)) {
  test_case it = {NULL, run};
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  CHECK_INT(pthread_attr_setstacksize(&attributes, STACK), 0);
  CHECK_INT(pthread_create(&thread, &attributes, small_main, &it), 0);
  CHECK_INT(pthread_join(thread, NULL), 0);
  pthread_attr_destroy(&attributes);
}

#endif
