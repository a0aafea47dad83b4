#define _GNU_SOURCE
/* Descriptors that the loop has already, given to a stream or to a poll: both refuse them, and do not close what
   somebody else watches. */
#include "streams.h"

#include <uv.h>

static int peer;

static void expect_refused(int fd) {
  belay_stream_options wrong = {.size = 1};
  CHECK(belay_stream_open(loop, fd, NULL) == NULL);
  const belay_error *error = belay_last_error();
  CHECK(error && belay_error_code(error) == -EEXIST);
  CHECK(belay_stream_open(loop, fd, &wrong) == NULL);
  error = belay_last_error();
  CHECK(error && belay_error_code(error) == BELAY_EINVAL);
  watch(belay_poll(loop, fd, BELAY_POLL_READABLE), "");
  CHECK_TRACE("error EEXIST | disposed | free");
  CHECK(fcntl(fd, F_GETFD) >= 0);
}

/* Opens a pair whose one end gets a number that is known. */
static belay_stream *pair_at(int *fd) {
  *fd = dup(0);
  close(*fd);
  return pair(&peer, NULL);
}

static void expect_echo(belay_stream *stream) {
  char byte = 0;
  belay_disposable *reading = hear(belay_stream_read(stream));
  say(peer, "in");
  TURN_UNTIL(has_traced("in"));
  CHECK_TRACE("in");
  CHECK_INT(belay_stream_write(stream, text("o")), 0);
  CHECK_INT(read(peer, &byte, 1), 1);
  end_subscription(reading);
  trace_clear();
}

WITH_LOOP(a_stream_s) {
  int fd;
  belay_stream *stream = pair_at(&fd);
  /* It is read, and then it has something to write. */
  belay_disposable *reading = hear(belay_stream_read(stream));
  CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  expect_refused(fd);
  end_subscription(reading);
  trace_clear();
  CHECK_INT(belay_stream_write(stream, chunk_of(8 << 20)), BELAY_QUEUED);
  expect_refused(fd);
  CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  belay_stream_release(stream);
  CHECK_INT(fcntl(fd, F_GETFD), -1);
  close(peer);
}

WITH_LOOP(an_idle_stream_s) {
  int fd;
  belay_stream *stream = pair_at(&fd);
  expect_refused(fd);
  expect_echo(stream);
  expect_refused(fd);
  belay_stream_release(stream);
  close(peer);
}

static void note_readable(void *ctx, belay_value value) { trace("readable"); }
WITH_LOOP(a_poll_s) {
  int ends[2];
  belay_disposable *poll = NULL;
  belay_observer observer = BELAY_INIT(belay_observer);
  observer.next = note_readable;
  CHECK_INT(pipe2(ends, O_CLOEXEC), 0);
  belay_signal *signal = belay_poll(loop, ends[0], BELAY_POLL_READABLE);
  CHECK_INT(belay_signal_subscribe(signal, &observer, &poll), 0);
  belay_signal_release(signal);
  expect_refused(ends[0]);
  say(ends[1], "x");
  TURN_UNTIL(has_traced("readable"));
  end_subscription(poll);
  trace_clear();
  /* It is the stream's now. */
  belay_stream *stream = belay_stream_open(loop, ends[0], NULL);
  CHECK(stream != NULL);
  belay_stream_release(stream);
  CHECK_INT(fcntl(ends[0], F_GETFD), -1);
  close(ends[1]);
}

static void note_event(uv_poll_t *handle, int status, int events) { CHECK_INT(status, 0); }
WITH_LOOP(one_of_the_host_s_watchers) {
  int ends[2];
  uv_poll_t handle;
  CHECK_INT(pipe2(ends, O_CLOEXEC), 0);
  CHECK_INT(uv_poll_init(belay_loop_uv(loop), &handle, ends[0]), 0);
  CHECK_INT(uv_poll_start(&handle, UV_READABLE, note_event), 0);
  CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  expect_refused(ends[0]);
  CHECK_INT(uv_poll_start(&handle, UV_READABLE | UV_DISCONNECT, note_event), 0);
  CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  uv_close((uv_handle_t *)&handle, NULL);
  CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  close(ends[0]);
  close(ends[1]);
}

WITH_LOOP(the_loop_s_own) {
  expect_refused(uv_backend_fd(belay_loop_uv(loop)));
  expect_refused(belay_loop_fd(loop));
  CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
}

/* Also what libuv keeps for itself, as far as it watches it, and the timer and the bell of belay_loop_fd(). */
static void none_is_closed_that_the_loop_watches(void) {
  int first = dup(0), last;
  close(first);
  loop = open_loop();
  CHECK(belay_loop_fd(loop) >= 0);
  last = dup(0);
  close(last);
  for (int fd = first; fd < last; fd++) {
    char name[32], target[64] = "";
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    CHECK(readlink(name, target, sizeof target - 1) > 0);
    if (strstr(target, "eventpoll") || strstr(target, "timerfd") || strstr(target, "eventfd")) expect_refused(fd);
  }
  close_loop(loop);
}

/* Where nobody can ask the loop what it has, a descriptor is left to the caller. */
static void refuse_unasked(void *fd) {
  belay_stream_options wrong = {.size = 1};
  int code = belay_loop_current() ? BELAY_ECLOSED : BELAY_EWRONGTHREAD;
  CHECK(belay_stream_open(loop, *(int *)fd, NULL) == NULL);
  check_last_error(code);
  CHECK(belay_stream_open(loop, *(int *)fd, &wrong) == NULL);
  check_last_error(code);
  CHECK(fcntl(*(int *)fd, F_GETFD) >= 0);
}
WITH_LOOP(on_another_thread) {
  int fd;
  belay_stream *stream = pair_at(&fd);
  in_thread(refuse_unasked, &fd);
  expect_echo(stream);
  in_thread(refuse_unasked, &peer);
  belay_stream_release(stream);
  close(peer);
}

static void by_a_user_that_has_left(void) {
  int fd;
  belay_loop *other = open_loop();
  loop = belay_loop_create(NULL);
  belay_stream *stream = pair_at(&fd);
  CHECK_INT(belay_loop_close(loop, NULL, NULL, NULL), 0);
  refuse_unasked(&fd);
  refuse_unasked(&peer);
  belay_stream_release(stream);
  belay_loop_release(loop);
  close_loop(other);
  close(peer);
}

static const test_case cases[] = {
    CASE(a_stream_s),
    CASE(an_idle_stream_s),
    CASE(a_poll_s),
    CASE(one_of_the_host_s_watchers),
    CASE(the_loop_s_own),
    CASE(none_is_closed_that_the_loop_watches),
    CASE(on_another_thread),
    CASE(by_a_user_that_has_left),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
