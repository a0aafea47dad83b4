/* A library that was built without I/O: its functions exist, say that they are not supported, and
   release what they are given. */
#include "cases.h"

static void there_are_no_sources(void) {
  belay_loop *loop = open_loop();
  CHECK(!belay_file_lines(loop, "/dev/null", 0));
  check_last_error(BELAY_ENOTSUP);
  CHECK(!belay_posix_signal(loop, 10));
  check_last_error(BELAY_ENOTSUP);
  close_loop(loop);
}

static const test_case cases[] = {
    CASE(there_are_no_sources),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
