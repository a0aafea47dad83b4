#define _GNU_SOURCE
/* Streams of descriptors: reading, writing and their ends. Their marks are in streams_marks.c. */
#include "streams.h"

#include <signal.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>

WITH_LOOP(what_the_peer_writes_is_read_until_its_end) {
  int peer;
  belay_stream *stream = pair(&peer, NULL);
  belay_disposable *reading = hear(belay_stream_read(stream));
  say(peer, "hello");
  TURN_UNTIL(has_traced("hello"));
  say(peer, "more");
  close(peer);
  TURN_UNTIL(has_traced("free"));
  CHECK_TRACE("hello | more | completed | disposed | free");
  /* The end is there for a later reader, too. */
  belay_disposable_release(reading);
  belay_disposable_release(hear(belay_stream_read(stream)));
  TURN_UNTIL(has_traced("free"));
  CHECK_TRACE("completed | disposed | free");
  belay_stream_release(stream);
}

WITH_LOOP(half_closed_it_still_reads) {
  int peer;
  char read_there[8] = "";
  belay_stream *stream = pair(&peer, NULL);
  CHECK_INT(belay_stream_write(stream, text("abc")), 0);
  CHECK_INT(belay_stream_write(stream, belay_string("de")), 0);
  CHECK_INT(belay_stream_shutdown(stream), 0);
  CHECK_INT(take_all(peer, read_there, sizeof read_there), 5);
  CHECK_STRING(read_there, "abcde");
  CHECK_FAILS(belay_stream_write(stream, text("f")), BELAY_EENDED);
  belay_disposable_release(hear(belay_stream_read(stream)));
  say(peer, "answer");
  close(peer);
  TURN_UNTIL(has_traced("free"));
  CHECK_TRACE("answer | completed | disposed | free");
  belay_stream_release(stream);
}

WITH_LOOP(there_is_one_reader_at_a_time) {
  int peer;
  belay_stream *stream = pair(&peer, NULL);
  belay_disposable *reading = hear(belay_stream_read(stream));
  belay_disposable_release(hear(belay_stream_read(stream)));
  CHECK(has_traced("error EBUSY"));
  trace_clear();
  end_subscription(reading);
  CHECK_TRACE("disposed | free");
  say(peer, "later");
  reading = hear(belay_stream_read(stream));
  TURN_UNTIL(has_traced("later"));
  end_subscription(reading);
  close(peer);
  belay_stream_release(stream);
  CHECK_TRACE("later | disposed | free");
}

/* ---- writing ---- */

WITH_LOOP(what_waits_is_dropped_by_the_close) {
  int peer;
  belay_stream *stream = pair(&peer, NULL);
  while (belay_stream_write(stream, chunk_of(1 << 14)) >= 0) continue;
  belay_last_error();
  watch_errors(belay_stream_drained(stream, 0));
  CHECK_INT(belay_stream_close(stream), 0);
  CHECK(has_traced("error ECANCELED: descriptor"));
  trace_clear();
  CHECK_INT(belay_stream_waiting(stream), 0);
  CHECK_FAILS(belay_stream_write(stream, text("x")), BELAY_ECANCELED);
  belay_disposable_release(hear(belay_stream_read(stream)));
  CHECK_TRACE("disposed | free");
  close(peer);
  belay_stream_release(stream);
}

/* Default dispositions: SIGPIPE would end this process. */
WITH_LOOP(no_write_raises_sigpipe) {
  int peer, ends[2];
  sigset_t waiting;
  struct sigaction action;
  CHECK(sigaction(SIGPIPE, NULL, &action) == 0 && action.sa_handler == SIG_DFL);
  belay_stream *stream = pair(&peer, NULL);
  close(peer);
  CHECK_FAILS(belay_stream_write(stream, text("x")), -EPIPE);
  CHECK_FAILS(belay_stream_write(stream, text("x")), -EPIPE);
  belay_stream_release(stream);
  CHECK_INT(pipe2(ends, O_CLOEXEC), 0);
  stream = belay_stream_open(loop, ends[1], NULL);
  close(ends[0]);
  CHECK_FAILS(belay_stream_write(stream, text("x")), -EPIPE);
  belay_stream_release(stream);
  /* And while the rest of a write waits. */
  CHECK_INT(pipe2(ends, O_CLOEXEC), 0);
  stream = belay_stream_open(loop, ends[1], NULL);
  CHECK_INT(belay_stream_write(stream, chunk_of(1 << 20)), BELAY_QUEUED);
  watch_errors(belay_stream_drained(stream, 0));
  close(ends[0]);
  TURN_UNTIL(has_traced("free"));
  CHECK(has_traced("error EPIPE"));
  trace_clear();
  belay_stream_release(stream);
  sigpending(&waiting);
  CHECK(!sigismember(&waiting, SIGPIPE));
}

static void let_go(void *stream) { belay_stream_release(stream); }

WITH_LOOP(the_last_release_elsewhere_closes_it) {
  int peer;
  char byte;
  belay_stream *stream = pair(&peer, NULL);
  in_thread(let_go, stream);
  TURN_UNTIL(recv(peer, &byte, 1, MSG_DONTWAIT) == 0);
  close(peer);
}

/* ---- ends ---- */

static belay_stream *closed_inside;
static void close_inside(void *ctx, belay_value value) {
  trace("next");
  CHECK_INT(belay_stream_close(closed_inside), 0);
}

WITH_LOOP(closed_inside_of_its_callback) {
  int peer;
  belay_observer observer = tracing("");
  closed_inside = pair(&peer, NULL);
  observer.next = close_inside;
  belay_signal *chunks = belay_stream_read(closed_inside);
  CHECK_INT(belay_signal_subscribe(chunks, &observer, NULL), 0);
  belay_signal_release(chunks);
  say(peer, "x");
  TURN_UNTIL(has_traced("free"));
  CHECK_TRACE("next | disposed | free");
  belay_stream_release(closed_inside);
  close(peer);
}

static void close_the_loop(void *ctx, belay_value value) {
  trace("next");
  CHECK_INT(belay_loop_close(loop, NULL, NULL, NULL), 0);
}

WITH_LOOP(the_loop_is_closed_inside_of_a_callback) {
  int peer;
  quiet_loop();
  belay_observer observer = tracing("");
  belay_stream *stream = pair(&peer, NULL);
  observer.next = close_the_loop;
  belay_signal *chunks = belay_stream_read(stream);
  CHECK_INT(belay_signal_subscribe(chunks, &observer, NULL), 0);
  belay_signal_release(chunks);
  while (belay_stream_write(stream, chunk_of(1 << 14)) >= 0) continue;
  belay_last_error();
  say(peer, "x");
  belay_loop_run(loop, BELAY_RUN_DEFAULT);
  CHECK_TRACE("next | disposed | free");
  CHECK_FAILS(belay_stream_write(stream, text("x")), BELAY_ECANCELED);
  belay_stream_release(stream);
  belay_loop_release(loop);
  loop = NULL;
  close(peer);
}

WITH_LOOP(an_owner_closes_it) {
  int peer, object;
  char byte;
  belay_stream *stream = pair(&peer, NULL);
  belay_owner *owner = belay_owner_create(&object, NULL, NULL, NULL);
  belay_disposable *closing = belay_stream_create_disposable(stream);
  CHECK_INT(belay_owner_add(owner, closing), 0);
  belay_disposable_release(closing);
  belay_owner_release(owner);
  CHECK_INT(recv(peer, &byte, 1, MSG_DONTWAIT), 0);
  close(peer);
  belay_stream_release(stream);
}

WITH_LOOP(a_fifo_by_its_path) {
  char directory[] = "/tmp/belay-XXXXXX", path[64];
  CHECK(mkdtemp(directory) != NULL);
  snprintf(path, sizeof path, "%s/fifo", directory);
  CHECK_INT(mkfifo(path, 0600), 0);
  CHECK(!belay_stream_open_path(loop, path, BELAY_STREAM_WRITE, NULL));
  check_last_error(-ENXIO);
  belay_stream *in = belay_stream_open_path(loop, path, BELAY_STREAM_READ, NULL);
  belay_disposable_release(hear(belay_stream_read(in)));
  /* Nobody writes yet, and that is not the end. */
  CHECK_INT(belay_loop_run(loop, BELAY_RUN_NOWAIT), 1);
  CHECK_TRACE("");
  belay_stream *out = belay_stream_open_path(loop, path, BELAY_STREAM_WRITE, NULL);
  CHECK_INT(belay_stream_write(out, text("through")), 0);
  TURN_UNTIL(has_traced("through"));
  belay_stream_release(out);
  TURN_UNTIL(has_traced("free"));
  CHECK_TRACE("through | completed | disposed | free");
  belay_stream_release(in);
  CHECK(unlink(path) == 0 && rmdir(directory) == 0);
}

WITH_LOOP(a_terminal) {
  int columns = 0, rows = 0, master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  struct winsize size = {.ws_col = 120, .ws_row = 40};
  struct termios mode;
  char name[64];
  CHECK(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
  CHECK_INT(ptsname_r(master, name, sizeof name), 0);
  CHECK_INT(ioctl(master, TIOCSWINSZ, &size), 0);
  belay_stream *stream =
      belay_stream_open_path(loop, name, BELAY_STREAM_READ | BELAY_STREAM_WRITE, NULL);
  CHECK_INT(belay_stream_window_size(stream, &columns, &rows), 0);
  CHECK(columns == 120 && rows == 40);
  CHECK_INT(belay_stream_set_raw(stream, 1), 0);
  CHECK(tcgetattr(master, &mode) == 0 && !(mode.c_lflag & ICANON));
  belay_disposable_release(hear(belay_stream_read(stream)));
  say(master, "k");
  TURN_UNTIL(has_traced("k"));
  CHECK_INT(belay_stream_set_raw(stream, 0), 0);
  CHECK(tcgetattr(master, &mode) == 0 && mode.c_lflag & ICANON);
  close(master);
  TURN_UNTIL(has_traced("free"));
  CHECK_TRACE("k | completed | disposed | free");
  belay_stream_release(stream);
}

static void trace_size(void *ctx, belay_value value) {
  int32_t size[2];
  CHECK_INT(belay_value_count(value), 2);
  for (uint32_t i = 0; i < 2; i++) {
    belay_value item;
    CHECK_INT(belay_value_get_item(value, i, &item), 0);
    CHECK_INT(belay_value_get_int32(item, &size[i]), 0);
  }
  trace("%dx%d", size[0], size[1]);
}
static belay_disposable *hear_sizes(belay_stream *stream) {
  belay_observer observer = tracing("");
  belay_disposable *subscription = NULL;
  belay_signal *sizes = belay_stream_window_sizes(stream);
  observer.next = trace_size;
  CHECK_INT(belay_signal_subscribe(sizes, &observer, &subscription), 0);
  belay_signal_release(sizes);
  return subscription;
}

WITH_LOOP(the_window_of_a_terminal_changes) {
  int columns = 0, rows = 0;
  struct winsize size = {.ws_col = 80, .ws_row = 25};
  char name[64];
  int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  CHECK(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
  CHECK_INT(ptsname_r(master, name, sizeof name), 0);
  CHECK_INT(ioctl(master, TIOCSWINSZ, &size), 0);
  belay_stream *stream =
      belay_stream_open_path(loop, name, BELAY_STREAM_READ | BELAY_STREAM_WRITE, NULL);
  belay_disposable *sizes = hear_sizes(stream);
  CHECK_TRACE("80x25");
  for (int i = 0; i < 3; i++) {
    size.ws_col += i != 2;
    CHECK_INT(ioctl(master, TIOCSWINSZ, &size), 0);
    /* The system sends it to the foreground of a controlling terminal, which this one is not. */
    CHECK_INT(raise(SIGWINCH), 0);
    if (i == 0) TURN_UNTIL(has_traced("81x25"));
    if (i == 1) TURN_UNTIL(has_traced("82x25"));
  }
  for (int i = 0; i < 10; i++) CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  CHECK_INT(belay_stream_window_size(stream, &columns, &rows), 0);
  CHECK(columns == 82 && rows == 25);
  end_subscription(sizes);
  CHECK_TRACE("81x25 | 82x25 | disposed | free");
  belay_stream_release(stream);
  close(master);
}

/* With the stream closed inside of a size, and before the subscription. */
static void close_it(void *stream, belay_value size) { CHECK_INT(belay_stream_close(stream), 0); }
WITH_LOOP(the_sizes_of_a_window_end_with_the_stream) {
  char name[64];
  int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  CHECK(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
  CHECK_INT(ptsname_r(master, name, sizeof name), 0);
  belay_stream *stream =
      belay_stream_open_path(loop, name, BELAY_STREAM_READ | BELAY_STREAM_WRITE, NULL);
  belay_disposable *sizes = hear_sizes(stream);
  belay_signal *closing = belay_stream_window_sizes(stream);
  belay_observer observer = BELAY_INIT(belay_observer);
  observer.next = close_it;
  observer.ctx = stream;
  CHECK_INT(belay_signal_subscribe(closing, &observer, NULL), 0);
  belay_signal_release(closing);
  CHECK_TRACE("0x0 | disposed | free");
  trace_clear();
  end_subscription(sizes);
  end_subscription(hear_sizes(stream));
  CHECK_TRACE("disposed | free");
  belay_stream_release(stream);
  close(master);
  stream = pair(&master, NULL);
  end_subscription(hear_sizes(stream));
  CHECK_TRACE("error ENOTTY | disposed | free");
  belay_stream_release(stream);
  close(master);
  CHECK(!belay_stream_window_sizes(NULL));
}

/* A terminal that is only written is closed by the shutdown. One that is only read cannot be written. */
WITH_LOOP(the_sizes_of_a_window_in_one_direction) {
  char name[64];
  int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  struct winsize size = {.ws_col = 80, .ws_row = 25};
  CHECK(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
  CHECK_INT(ptsname_r(master, name, sizeof name), 0);
  belay_stream *stream = belay_stream_open_path(loop, name, BELAY_STREAM_WRITE, NULL);
  belay_disposable *sizes = hear_sizes(stream);
  CHECK_INT(belay_stream_shutdown(stream), 0);
  CHECK_TRACE("0x0 | disposed | free");
  end_subscription(sizes);
  end_subscription(hear_sizes(stream));
  CHECK_TRACE("disposed | free");
  CHECK_INT(belay_loop_run(loop, BELAY_RUN_NOWAIT), 0);
  belay_stream_release(stream);
  stream = belay_stream_open_path(loop, name, BELAY_STREAM_READ, NULL);
  sizes = hear_sizes(stream);
  CHECK_INT(belay_stream_write(stream, text("x")), -EBADF);
  CHECK_TRACE("0x0");
  CHECK(ioctl(master, TIOCSWINSZ, &size) == 0 && raise(SIGWINCH) == 0);
  TURN_UNTIL(has_traced("80x25"));
  end_subscription(sizes);
  CHECK_TRACE("80x25 | disposed | free");
  belay_stream_release(stream);
  close(master);
}

WITH_LOOP(what_is_no_stream) {
  int file = open("/dev/null", O_RDONLY | O_CLOEXEC);
  CHECK(!belay_stream_open(loop, file, NULL));
  check_last_error(BELAY_EPERM);
  CHECK(fcntl(file, F_GETFD) < 0);
  CHECK(!belay_stream_open(loop, -1, NULL));
  check_last_error(-EBADF);
  CHECK(!belay_stream_open_path(loop, "/nonexistent/fifo", BELAY_STREAM_READ, NULL));
  check_last_error(BELAY_ENOENT);
  CHECK(!belay_stream_open_path(loop, "/dev/null", BELAY_STREAM_READ, NULL));
  const belay_error *error = belay_last_error();
  CHECK_INT(belay_error_code(error), BELAY_EPERM);
  CHECK(strstr(belay_error_message(error), "/dev/null") != NULL);
  CHECK(!belay_stream_open_path(loop, "/dev/null", 0, NULL));
  check_last_error(BELAY_EINVAL);
  CHECK_INT(fail_range(), BELAY_ERANGE);
  CHECK(!belay_stream_open(NULL, -1, &(belay_stream_options){.size = 1}));
  check_last_error(BELAY_ERANGE);
  CHECK(!belay_stream_read(NULL) && !belay_stream_drained(NULL, 0));
  CHECK_FAILS(belay_stream_write(NULL, text("x")), BELAY_EINVAL);
  CHECK_FAILS(belay_stream_close(NULL), BELAY_EINVAL);
  CHECK_FAILS(belay_stream_shutdown(NULL), BELAY_EINVAL);
  CHECK_INT(belay_stream_waiting(NULL), 0);
  CHECK_STRING(belay_stream_peer_address(NULL), "");
  int peer;
  belay_stream *stream = pair(&peer, NULL);
  CHECK_FAILS(belay_stream_write(stream, belay_int32(1)), BELAY_EKIND);
  CHECK_FAILS(belay_stream_set_raw(stream, 1), -ENOTTY);
  CHECK_FAILS(belay_stream_set_raw(stream, 0), -ENOTTY);
  belay_stream_release(stream);
  close(peer);
}

/* libuv does not know them. */
WITH_LOOP(codes_of_our_own_have_a_text) {
  int peer;
  belay_stream *stream = pair(&peer, NULL);
  watch_errors(belay_stream_write_all(stream, belay_signal_just(belay_int32(1))));
  CHECK(has_traced(": a value or handle of another kind | disposed | free"));
  CHECK_INT(belay_stream_shutdown(stream), 0);
  watch_errors(belay_stream_write_all(stream, belay_signal_just(text("x"))));
  CHECK(has_traced("error EENDED: ") && has_traced(": the signal has ended | disposed | free"));
  belay_stream_release(stream);
  close(peer);
}

static const test_case cases[] = {
    CASE(what_the_peer_writes_is_read_until_its_end),
    CASE(half_closed_it_still_reads),
    CASE(there_is_one_reader_at_a_time),
    CASE(what_waits_is_dropped_by_the_close),
    CASE(no_write_raises_sigpipe),
    CASE(the_last_release_elsewhere_closes_it),
    CASE(closed_inside_of_its_callback),
    CASE(the_loop_is_closed_inside_of_a_callback),
    CASE(an_owner_closes_it),
    CASE(a_fifo_by_its_path),
    CASE(a_terminal),
    CASE(the_window_of_a_terminal_changes),
    CASE(the_sizes_of_a_window_end_with_the_stream),
    CASE(the_sizes_of_a_window_in_one_direction),
    CASE(what_is_no_stream),
    CASE(codes_of_our_own_have_a_text),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
