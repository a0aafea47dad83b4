/* Cases on a thread whose stack is small. */
#ifndef SMALL_STACK_H
#define SMALL_STACK_H

#include "cases.h"
#include "sanitizer.h"

/* What docs/semantics.md says that is enough; the frames of the checked build and of sanitizers are
   larger. */
#if defined(BELAY_CHECKED) || defined(BENEATH_A_SANITIZER)
#define HAS_LARGE_FRAMES 1
#endif
/* STACK is for what takes stack, up to a limit. What takes none has FLAT_STACK and is MANY deep: a frame
   for each, however small, would be too much. Where frames are large, fewer are enough, and a checked
   build takes seconds for as many as a release. */
#ifdef BELAY_RUNTIME_REFERENCES
/* The runtime destroys a long chain by recursion; references.c, which is left out, by a loop. */
enum { STACK = 256 << 20, FLAT_STACK = STACK, MANY = 100000 };
#elif defined(HAS_LARGE_FRAMES)
enum { STACK = 8 << 20, FLAT_STACK = 1 << 20, MANY = 20000 };
#elif defined(__aarch64__)
enum { STACK = 640 << 10, FLAT_STACK = 512 << 10, MANY = 100000 };
#else
enum { STACK = 512 << 10, FLAT_STACK = STACK, MANY = 100000 };
#endif

static inline void *small_main(void *run) {
  ((test_case *)run)->run();
  belay_last_error();
  belay_last_error();
  return NULL;
}
static inline void on_a_stack(int bytes, void (*run)(void)) {
  test_case it = {NULL, run};
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  CHECK_INT(pthread_attr_setstacksize(&attributes, (size_t)bytes), 0);
  CHECK_INT(pthread_create(&thread, &attributes, small_main, &it), 0);
  CHECK_INT(pthread_join(thread, NULL), 0);
  pthread_attr_destroy(&attributes);
}
static inline void on_a_small_stack(void (*run)(void)) { on_a_stack(STACK, run); }
static inline void on_a_flat_stack(void (*run)(void)) { on_a_stack(FLAT_STACK, run); }

#endif
