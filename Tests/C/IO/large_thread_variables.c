/* A program with large thread-local variables, for which the system takes room out of each thread's
   stack. They are as large as the stack of a lookup, but for 8 KiB. */
#define _GNU_SOURCE
#include "children.h"

static __thread char large[(1 << 20) - (1 << 13)];

static void a_lookup_has_its_stack(void) {
  begin();
  large[1] = 1;
  watch(belay_lookup(loop, "localhost", "80"), "");
  run_until_traced("free");
  CHECK(strstr(trace_text(), "completed") != NULL);
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
