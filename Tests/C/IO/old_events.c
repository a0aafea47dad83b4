/* Two descriptors are ready in one turn. The callback of the first runs a turn, closes the second, and opens
   something that gets its number: the event that is left is none of that. */
#define _GNU_SOURCE
#include "fds.h"

#include <sys/socket.h>
#include <time.h>

static void (*open_next)(void);
static belay_stream *streams[2], *newcomer;
static belay_disposable *subscription;
static int peers[2], numbers_of[2], ends[2], heard;

static void take_its_place(void *ctx, belay_value value) {
  if (heard++) return;
  CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  open_next();
  trace("opened");
}

static void open_streams(void) {
  begin();
  heard = 0;
  newcomer = NULL;
  for (int i = 0; i < 2; i++) {
    int both[2];
    CHECK_INT(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, both), 0);
    numbers_of[i] = both[0];
    peers[i] = both[1];
    streams[i] = belay_stream_open(loop, both[0], NULL);
  }
}

/* The number of the second is free then. */
static void close_second(void) {
  belay_stream_close(streams[1]);
  CHECK_INT(fcntl(numbers_of[1], F_GETFD), -1);
}

static belay_disposable *read_from(belay_stream *stream, void (*next)(void *ctx, belay_value value)) {
  belay_disposable *reading = NULL;
  belay_observer observer = BELAY_INIT(belay_observer);
  observer.next = next;
  belay_signal *bytes = belay_stream_read(stream);
  CHECK_INT(belay_signal_subscribe(bytes, &observer, &reading), 0);
  belay_signal_release(bytes);
  return reading;
}

static void turn(void) {
  for (int i = 0; i < 5; i++) CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
}

/* Runs the case, and what comes to the newcomer then. */
static void play(void (*open_in_its_place)(void), void (*make_ready)(void), const char *expected) {
  belay_disposable *readings[2];
  open_next = open_in_its_place;
  for (int i = 0; i < 2; i++) readings[i] = read_from(streams[i], take_its_place);
  turn();
  for (int i = 0; i < 2; i++) CHECK_INT(write(peers[i], "x", 1), 1);
  turn();
  CHECK_TRACE("opened");
  if (make_ready) {
    make_ready();
    while (!*trace_text()) CHECK(belay_loop_run(loop, BELAY_RUN_ONCE) >= 0);
    CHECK_TRACE(expected);
  }
  end_subscription(subscription);
  trace_clear();
  if (newcomer) belay_stream_release(newcomer);
  for (int i = 0; i < 2; i++) {
    end_subscription(readings[i]);
    belay_stream_release(streams[i]);
    close(peers[i]);
  }
}

/* ---- what comes in its place ---- */

static void open_timer(void) {
  close_second();
  subscription = watched(belay_wall_timer(loop, (double)time(NULL) + 86400), "");
}
static void a_timer_of_tomorrow(void) {
  open_streams();
  play(open_timer, NULL, NULL);
  finish();
}

static void open_fifo(void) {
  close_second();
  newcomer = belay_stream_open_path(loop, in_folder("fifo"), BELAY_STREAM_READ, NULL);
  subscription = watched(belay_stream_read(newcomer), "");
}
static void write_and_leave(void) {
  int fd = open(in_folder("fifo"), O_WRONLY | O_CLOEXEC);
  close(fd);
}
static void a_fifo_without_a_writer(void) {
  open_streams();
  CHECK_INT(mkfifo(in_folder("fifo"), 0600), 0);
  play(open_fifo, write_and_leave, "completed | disposed | free");
  finish();
}

/* Whether the loop waits for the descriptor. */
static int is_waited_for(int fd) {
  char path[64], line[200];
  int number, found = 0;
  snprintf(path, sizeof path, "/proc/self/fdinfo/%d", belay_loop_backend_fd(loop));
  FILE *file = fopen(path, "r");
  while (fgets(line, sizeof line, file))
    found |= sscanf(line, "tfd: %d", &number) == 1 && number == fd;
  fclose(file);
  return found;
}
/* The pool opens the FIFO, so turns pass until it has the number. */
static void open_lines(void) {
  close_second();
  subscription = watched(belay_file_lines(loop, in_folder("fifo"), 0), "");
  /* Looking takes a number, too. */
  while (fcntl(numbers_of[1], F_GETFD) < 0) CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  while (!is_waited_for(numbers_of[1])) CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
}
static void lines_of_a_fifo(void) {
  open_streams();
  CHECK_INT(mkfifo(in_folder("fifo"), 0600), 0);
  play(open_lines, write_and_leave, "completed | disposed | free");
  finish();
}

static void poll_in_its_place(void) {
  close_second();
  CHECK_INT(pipe2(ends, O_CLOEXEC), 0);
  CHECK_INT(ends[0], numbers_of[1]);
  subscription = watched(
      belay_signal_chain(belay_poll(loop, ends[0], BELAY_POLL_READABLE), belay_op_take(1)), "");
}
static void write_to_pipe(void) { CHECK_INT(write(ends[1], "x", 1), 1); }
static void an_empty_pipe_is_polled(void) {
  open_streams();
  play(poll_in_its_place, write_to_pipe, "next 1 | completed | disposed | free");
  close(ends[0]);
  close(ends[1]);
  finish();
}

/* The descriptor whose place it takes is polled for writing, and has lost its reader. The turn inside tells that. */
static int full[2];
static void poll_in_its_place_after_its_error(void) {
  close(full[1]);
  CHECK_INT(pipe2(ends, O_CLOEXEC), 0);
  CHECK_INT(ends[0], full[1]);
  subscription = watched(
      belay_signal_chain(belay_poll(loop, ends[0], BELAY_POLL_READABLE), belay_op_take(1)), "");
}
static void an_error_is_not_of_who_comes_next(void) {
  char page[4096] = "";
  open_streams();
  CHECK_INT(pipe2(full, O_CLOEXEC | O_NONBLOCK), 0);
  while (write(full[1], page, sizeof page) > 0) continue;
  open_next = poll_in_its_place_after_its_error;
  belay_disposable *reading = read_from(streams[0], take_its_place);
  belay_disposable *polling = watched(belay_poll(loop, full[1], BELAY_POLL_WRITABLE), "");
  turn();
  CHECK_INT(write(peers[0], "x", 1), 1);
  CHECK_INT(dup2(peers[1], full[0]), full[0]);
  turn();
  CHECK_TRACE("error EBADF | disposed | free | opened");
  write_to_pipe();
  while (!*trace_text()) CHECK(belay_loop_run(loop, BELAY_RUN_ONCE) >= 0);
  CHECK_TRACE("next 1 | completed | disposed | free");
  end_subscription(polling);
  end_subscription(subscription);
  end_subscription(reading);
  for (int i = 0; i < 2; i++) {
    belay_stream_release(streams[i]);
    close(peers[i]);
    close(ends[i]);
  }
  close(full[0]);
  finish();
}

static const test_case cases[] = {
    CASE(a_timer_of_tomorrow),
    CASE(a_fifo_without_a_writer),
    CASE(lines_of_a_fifo),
    CASE(an_empty_pipe_is_polled),
    CASE(an_error_is_not_of_who_comes_next),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
