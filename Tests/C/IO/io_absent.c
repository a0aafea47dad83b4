/* A library that was built without I/O: its functions exist, say that they are not supported, and
   release what they are given. */
#include "cases.h"

#include <fcntl.h>
#include <unistd.h>

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
      belay_wall_timer(loop, 0),
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

static int lent;
static void open_elsewhere(void *loop) {
  CHECK(!belay_stream_open(loop, lent, NULL));
  check_last_error(BELAY_EWRONGTHREAD);
}
static void nor_streams(void) {
  belay_loop *loop = open_loop();
  int fd = open("/dev/null", O_RDONLY);
  CHECK(!belay_stream_open(loop, fd, NULL));
  check_last_error(BELAY_ENOTSUP);
  CHECK(fcntl(fd, F_GETFD) < 0);
  lent = open("/dev/null", O_RDONLY);
  in_thread(open_elsewhere, loop); /* the code tells who keeps it */
  CHECK_INT(close(lent), 0);
  fd = belay_loop_backend_fd(loop); /* who has it keeps it */
  CHECK(!belay_stream_open(loop, fd, NULL));
  check_last_error(BELAY_ENOTSUP);
  CHECK(fcntl(fd, F_GETFD) >= 0);
  CHECK(!belay_stream_open_path(loop, "/dev/tty", BELAY_STREAM_READ, NULL));
  check_last_error(BELAY_ENOTSUP);
  CHECK(!belay_tcp_connect(loop, "localhost", 1, NULL) && !belay_tcp_listen(loop, NULL, 0, NULL));
  check_last_error(BELAY_ENOTSUP);
  CHECK(!belay_unix_connect(loop, "x", NULL) && !belay_unix_listen(loop, "x", NULL));
  check_last_error(BELAY_ENOTSUP);
  CHECK(!belay_op_lines(1) && !belay_op_utf8() && !belay_op_frames_fixed(1));
  CHECK(!belay_op_frames_delimited("x", 1, 1) && !belay_op_frames_prefixed(1, 1, 0));
  check_last_error(BELAY_ENOTSUP);
  CHECK_FAILS(belay_stream_write(NULL, belay_bytes("given", 5)), BELAY_EINVAL);
  CHECK(!belay_stream_write_all(NULL, belay_signal_never()) && !belay_stream_read(NULL));
  check_last_error(BELAY_EINVAL);
  belay_stream_release(belay_stream_retain(NULL));
  belay_listener_release(belay_listener_retain(NULL));
  close_loop(loop);
}

static const test_case cases[] = {
    CASE(there_are_no_sources),
    CASE(nor_streams),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
