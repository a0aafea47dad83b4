/* A library that was built without I/O: its functions exist, say that they are not supported, and
   release what they are given. */
#include "cases.h"

static void there_are_no_sources(void) {
  belay_loop *loop = open_loop();
  CHECK(!belay_file_lines(loop, "/dev/null", 0));
  check_last_error(BELAY_ENOTSUP);
  CHECK(!belay_posix_signal(loop, 10));
  check_last_error(BELAY_ENOTSUP);
  int freed = 0;
  belay_process_options options = BELAY_INIT(belay_process_options);
  belay_signal *none[] = {
      belay_ticks(loop, BELAY_TICK_IDLE),
      belay_poll(loop, 0, BELAY_POLL_READABLE),
      belay_file_events(loop, "x"),
      belay_file_poll(loop, "x", 1),
      belay_tree_events(loop, "x"),
      belay_work(loop, NULL, &freed, count_free),
      belay_file_read(loop, "x"),
      belay_file_chunks(loop, "x", 0),
      belay_file_write(loop, "x", belay_string("a value of its own")),
      belay_directory_list(loop, "x"),
      belay_lookup(loop, "x", NULL),
      belay_host_name(loop, "x"),
      belay_process(loop, &options),
      belay_udp(loop, NULL, NULL),
  };
  for (size_t i = 0; i < sizeof none / sizeof *none; i++) CHECK(!none[i]);
  check_last_error(BELAY_ENOTSUP);
  CHECK_INT(freed, 1);
  close_loop(loop);
}

static const test_case cases[] = {
    CASE(there_are_no_sources),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
