/* Polls of descriptors. */
#define _GNU_SOURCE
#include "fds.h"

#include <signal.h>
#include <sys/socket.h>
#include <sys/time.h>

static int ends[2];

static void open_pair(void) {
  begin();
  CHECK_INT(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
}
static void close_pair(void) {
  close(ends[0]);
  close(ends[1]);
  finish();
}

/* Reads one byte, and stops the loop when it was a full stop. */
static int bytes_read;
static void read_byte(void *ctx, belay_value value) {
  char byte = 0;
  CHECK(value.payload_ & BELAY_POLL_READABLE);
  CHECK_INT(read(ends[0], &byte, 1), 1);
  bytes_read++;
  if (byte == '.') stop_loop(loop);
}

static belay_disposable *subscribe_reading(void) {
  belay_observer observer = tracing("");
  belay_disposable *subscription = NULL;
  observer.next = read_byte;
  bytes_read = 0;
  belay_signal *poll = belay_poll(loop, ends[0], BELAY_POLL_READABLE);
  CHECK_INT(belay_signal_subscribe(poll, &observer, &subscription), 0);
  belay_signal_release(poll);
  return subscription;
}

static void readable_until_it_is_read(void) {
  open_pair();
  CHECK_INT(write(ends[1], "abc.", 4), 4);
  belay_disposable *subscription = subscribe_reading();
  run_until_stopped(loop);
  CHECK_INT(bytes_read, 4);
  end_subscription(subscription);
  CHECK_TRACE("disposed | free");
  run_to_end(loop);
  /* It is still open, and its next poll works. */
  CHECK_INT(write(ends[1], ".", 1), 1);
  subscription = subscribe_reading();
  run_until_stopped(loop);
  CHECK_INT(bytes_read, 1);
  end_subscription(subscription);
  trace_clear();
  close_pair();
}

static void writable_and_disconnected(void) {
  open_pair();
  watch(belay_signal_chain(belay_poll(loop, ends[0], BELAY_POLL_WRITABLE), belay_op_take(2)), "");
  run_to_end(loop);
  CHECK_TRACE("next 2 | next 2 | completed | disposed | free");
  CHECK_INT(shutdown(ends[1], SHUT_WR), 0);
  watch(belay_signal_chain(belay_poll(loop, ends[0], BELAY_POLL_DISCONNECT), belay_op_take(1)), "");
  run_to_end(loop);
  CHECK_TRACE("next 4 | completed | disposed | free");
  close_pair();
}

static void a_file_cannot_be_polled(void) {
  begin();
  char expected[200];
  write_new("file");
  int fd = open(in_folder("file"), O_RDONLY);
  watch_errors(belay_poll(loop, fd, BELAY_POLL_READABLE));
  snprintf(expected, sizeof expected,
           "error EPERM: cannot poll descriptor %d, which is a file or a directory: operation not "
           "permitted | disposed | free", fd);
  CHECK_TRACE(expected);
  CHECK_INT(close(fd), 0);
  run_to_end(loop);
  finish();
}

static void twice_at_one_loop_is_refused(void) {
  open_pair();
  char expected[200];
  belay_disposable *first = watched(belay_poll(loop, ends[0], BELAY_POLL_READABLE), "first");
  watch_errors(belay_poll(loop, ends[0], BELAY_POLL_WRITABLE));
  snprintf(expected, sizeof expected,
           "cannot poll descriptor %d, which this loop has already: file already exists",
           ends[0]);
  CHECK(strstr(trace_text(), expected) != NULL);
  trace_clear();
  end_subscription(first);
  trace_clear();
  /* Without a turn between. */
  watch(belay_signal_chain(belay_poll(loop, ends[0], BELAY_POLL_WRITABLE), belay_op_take(1)), "");
  run_to_end(loop);
  CHECK_TRACE("next 2 | completed | disposed | free");
  close_pair();
}

static void one_that_is_not_open(void) {
  begin();
  watch_errors(belay_poll(loop, 987, BELAY_POLL_READABLE));
  CHECK(strstr(trace_text(), "cannot poll descriptor 987: bad file descriptor") != NULL);
  trace_clear();
  run_to_end(loop);
  finish();
}

static void no_more_descriptors_than_there_are(void) {
  begin();
  CHECK(belay_poll(loop, -1, BELAY_POLL_READABLE) == NULL);
  check_last_error(BELAY_EINVAL);
  CHECK(belay_poll(loop, 0, 0) == NULL);
  check_last_error(BELAY_EINVAL);
  CHECK(belay_poll(loop, 0, 16) == NULL);
  check_last_error(BELAY_EINVAL);
  CHECK(belay_poll(NULL, 0, 1) == NULL);
  check_last_error(BELAY_EINVAL);
  finish();
}

static void on_alarm(int signum) {}

/* Signals interrupt every wait of the loop. */
static void through_interruptions(void) {
  open_pair();
  struct sigaction action = {.sa_handler = on_alarm}, old;
  struct itimerval often = {{0, 200}, {0, 200}}, never = {{0, 0}, {0, 0}};
  CHECK_INT(sigaction(SIGALRM, &action, &old), 0);
  CHECK_INT(setitimer(ITIMER_REAL, &often, NULL), 0);
  belay_disposable *subscription = subscribe_reading();
  for (int i = 0; i < 500; i++) {
    CHECK_INT(write(ends[1], i == 499 ? "." : "x", 1), 1);
    if (i < 499) CHECK(belay_loop_run(loop, BELAY_RUN_ONCE) >= 0);
  }
  run_until_stopped(loop);
  CHECK_INT(bytes_read, 500);
  CHECK_INT(setitimer(ITIMER_REAL, &never, NULL), 0);
  CHECK_INT(sigaction(SIGALRM, &old, NULL), 0);
  end_subscription(subscription);
  trace_clear();
  close_pair();
}

static void close_in_next(void *ctx, belay_value value) {
  CHECK_INT(belay_loop_close(loop, ignore_left, NULL, NULL), 0);
}

static void the_close_interrupts(void) {
  open_pair();
  watch(belay_poll(loop, ends[0], BELAY_POLL_READABLE), "quiet");
  belay_observer observer = tracing("");
  observer.next = close_in_next;
  belay_signal *poll = belay_poll(loop, ends[1], BELAY_POLL_WRITABLE);
  CHECK_INT(belay_signal_subscribe(poll, &observer, NULL), 0);
  belay_signal_release(poll);
  CHECK(belay_loop_run(loop, BELAY_RUN_DEFAULT) >= 0);
  CHECK(strstr(trace_text(), "quiet disposed | quiet free") != NULL);
  trace_clear();
  belay_loop_release(loop);
  loop = open_loop();
  close_pair();
}

static const test_case cases[] = {
    CASE(readable_until_it_is_read), CASE(writable_and_disconnected),
    CASE(a_file_cannot_be_polled),   CASE(twice_at_one_loop_is_refused),
    CASE(one_that_is_not_open),      CASE(no_more_descriptors_than_there_are),
    CASE(through_interruptions),     CASE(the_close_interrupts),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
