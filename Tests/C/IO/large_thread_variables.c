/* A program with large thread-local variables, for which the system takes room out of each thread's
   stack. They are as large as the stack of a lookup, but for 8 KiB. */
#define _GNU_SOURCE
#include "children.h"
#include "sanitizer.h"

#include <dlfcn.h>

static __thread char large[(1 << 20) - (1 << 13)];

/* The loader's lock may be held by a thread that waits for one of Belay's, as a library's constructor may. So nothing
   is searched for when a thread is made. */
static int searches;
#ifndef BENEATH_A_SANITIZER /* which searches by itself */
void *dlsym(void *handle, const char *name) {
  __atomic_add_fetch(&searches, 1, __ATOMIC_RELAXED);
  return dlvsym(handle, name, "GLIBC_PRIVATE");
}
#endif

static void a_lookup_has_its_stack(void) {
  begin();
  int before = __atomic_load_n(&searches, __ATOMIC_RELAXED);
  large[1] = 1;
  watch(belay_lookup(loop, "localhost", "80"), "");
  run_until_traced("free");
  CHECK(strstr(trace_text(), "completed") != NULL);
  CHECK_INT(__atomic_load_n(&searches, __ATOMIC_RELAXED), before);
  trace_clear();
  finish();
}

static void a_child_has_time_to_end(void) {
  begin();
  end_gently(loop, 60);
  trace_clear();
  finish();
}

static void and_is_killed_after_that(void) {
  begin();
  kill_stubborn_child(loop);
  finish();
}

static const test_case cases[] = {
    CASE(a_lookup_has_its_stack),
    CASE(a_child_has_time_to_end),
    CASE(and_is_killed_after_that),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
