#define _GNU_SOURCE
/* Peers that reset or half close their connection, and pipes whose other end has gone. Peers are plain sockets.
   SIGPIPE has its default disposition in all cases, so that one would end this process. */
#include "streams.h"

#include <signal.h>

static belay_listener *listener;
static belay_disposable *accepting;

/* A connection that was accepted, and its peer. */
static belay_stream *connection(int *peer) {
  static belay_stream *there;
  listener = belay_tcp_listen(loop, "127.0.0.1", 0, NULL);
  CHECK(listener != NULL);
  accepting = take_streams(belay_listener_connections(listener), &there);
  *peer = connect_plainly(belay_listener_port(listener));
  TURN_UNTIL(there != NULL);
  return there;
}

static void end_connection(belay_stream *stream) {
  belay_stream_release(stream);
  end_subscription(accepting);
  belay_listener_release(listener);
}

/* Sends RST in the place of FIN. */
static void reset(int peer) {
  struct linger at_once = {.l_onoff = 1};
  CHECK_INT(setsockopt(peer, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once), 0);
  close(peer);
}

/* Traces "NAME error ECONNRESET", and checks that the message has the address. */
static void note_error(void *name, const belay_error *error) {
  trace("%s error %s", (const char *)name, belay_error_name(belay_error_code(error)));
  CHECK(strstr(belay_error_message(error), "127.0.0.1:") != NULL);
}

static void note_bytes(void *name, belay_value value) {
  belay_view view = {"", 0};
  CHECK_INT(belay_value_get_bytes(value, &view), 0);
  trace("%s %.*s", (const char *)name, (int)view.size, view.data);
}

static void note(belay_signal *signal, const char *name) {
  belay_observer observer = tracing(name);
  observer.next = note_bytes;
  observer.error = note_error;
  CHECK(signal != NULL);
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  belay_signal_release(signal);
}

static char room[1 << 16];

/* Writes until nothing more is taken. Answers what was taken. */
static size_t fill(belay_stream *stream) {
  size_t taken = 0;
  int code;
  while ((code = belay_stream_write(stream, belay_bytes(room, 1 << 14))) >= 0 && taken < 100 << 20)
    taken += 1 << 14;
  CHECK_INT(code, BELAY_EAGAIN);
  check_last_error(BELAY_EAGAIN);
  return taken;
}

/* Reads what comes until the end, between turns. Answers how much. */
static size_t drain(int peer) {
  size_t used = 0;
  CHECK_INT(fcntl(peer, F_SETFL, O_NONBLOCK), 0);
  for (;;) {
    ssize_t count = read(peer, room, sizeof room);
    if (count == 0) return used;
    if (count > 0) used += (size_t)count;
    else if (errno != EAGAIN) return 0;
    CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  }
}

/* ---- resets ---- */

WITH_LOOP(both_directions_hear_of_a_reset) {
  int peer;
  belay_stream *stream = connection(&peer);
  fill(stream);
  note(belay_stream_read(stream), "read");
  note(belay_stream_drained(stream, 0), "drained");
  reset(peer);
  TURN_UNTIL(has_traced("read free") && has_traced("drained free"));
  CHECK(has_traced("read error ECONNRESET | read disposed | read free"));
  CHECK(has_traced("drained error ECONNRESET | drained disposed | drained free"));
  trace_clear();
  CHECK_INT(belay_stream_waiting(stream), 0);
  CHECK_FAILS(belay_stream_write(stream, text("x")), -ECONNRESET);
  /* And so do those who come later. */
  note(belay_stream_read(stream), "late");
  note(belay_stream_drained(stream, 0), "late");
  TURN_UNTIL(has_traced("late free | late error ECONNRESET | late disposed | late free") ||
             has_traced("late completed"));
  CHECK(!has_traced("late completed"));
  trace_clear();
  end_connection(stream);
}

/* The system tells it once. */
WITH_LOOP(a_write_hears_of_a_reset_before_the_reader) {
  int peer, code;
  belay_stream *stream = connection(&peer);
  note(belay_stream_read(stream), "read");
  reset(peer);
  do code = belay_stream_write(stream, text("x"));
  while (code >= 0);
  CHECK_INT(code, -ECONNRESET);
  check_last_error(-ECONNRESET);
  TURN_UNTIL(has_traced("read free"));
  CHECK_TRACE("read error ECONNRESET | read disposed | read free");
  end_connection(stream);
}

WITH_LOOP(what_came_before_a_reset_is_read) {
  int peer;
  belay_stream *stream = connection(&peer);
  say(peer, "last words");
  reset(peer);
  note(belay_stream_read(stream), "read");
  TURN_UNTIL(has_traced("read free"));
  CHECK_TRACE("read last words | read error ECONNRESET | read disposed | read free");
  end_connection(stream);
}

static belay_value kept[64];
static size_t kept_count;
static void keep(void *ctx, belay_value value) {
  CHECK(kept_count < 64);
  if (kept_count < 64) kept[kept_count++] = belay_value_retain(value);
}

WITH_LOOP(a_reset_is_heard_when_reading_goes_on) {
  int peer;
  belay_stream *stream = connection(&peer);
  belay_observer observer = tracing("read");
  belay_signal *chunks = belay_stream_read(stream);
  observer.next = keep;
  observer.error = note_error;
  CHECK_INT(belay_signal_subscribe(chunks, &observer, NULL), 0);
  belay_signal_release(chunks);
  CHECK_INT(fcntl(peer, F_SETFL, O_NONBLOCK), 0);
  while (belay_stream_held(stream) < 65536) {
    (void)!write(peer, room, sizeof room);
    CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  }
  reset(peer);
  for (int i = 0; i < 10; i++) CHECK_INT(belay_loop_run(loop, BELAY_RUN_NOWAIT), 1);
  CHECK_TRACE("");
  do {
    while (kept_count > 0) belay_value_release(kept[--kept_count]);
    CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  } while (!has_traced("free"));
  CHECK_TRACE("read error ECONNRESET | read disposed | read free");
  CHECK_INT(belay_stream_held(stream), 0);
  end_connection(stream);
}

enum { RESETS = 10 };
static belay_stream *taken[RESETS + 1];
static int taken_count;
static void take(void *ctx, belay_value value) {
  CHECK(taken_count <= RESETS);
  if (taken_count <= RESETS) taken[taken_count++] = belay_stream_retain(belay_value_get_stream(value));
}

WITH_LOOP(connections_that_are_reset_before_they_are_accepted) {
  listener = belay_tcp_listen(loop, "127.0.0.1", 0, NULL);
  int port = belay_listener_port(listener);
  for (int i = 0; i < RESETS; i++) reset(connect_plainly(port));
  int good = connect_plainly(port);
  say(good, "good");
  taken_count = 0;
  belay_observer observer = BELAY_INIT(belay_observer);
  belay_signal *connections = belay_listener_connections(listener);
  observer.next = take;
  CHECK_INT(belay_signal_subscribe(connections, &observer, &accepting), 0);
  belay_signal_release(connections);
  TURN_UNTIL(taken_count == RESETS + 1);
  for (int i = 0; i < RESETS; i++) {
    CHECK_STRING(belay_stream_peer_address(taken[i]), "");
    note(belay_stream_read(taken[i]), "reset");
    TURN_UNTIL(has_traced("free"));
    CHECK_TRACE("reset error ECONNRESET | reset disposed | reset free");
    belay_stream_release(taken[i]);
  }
  note(belay_stream_read(taken[RESETS]), "read");
  TURN_UNTIL(has_traced("read good"));
  close(good);
  TURN_UNTIL(has_traced("free"));
  CHECK_TRACE("read good | read completed | read disposed | read free");
  end_connection(taken[RESETS]);
}

WITH_LOOP(a_copy_into_a_connection_that_is_reset) {
  int peer, writer;
  belay_stream *sink = connection(&peer), *source = pair(&writer, NULL);
  CHECK_INT(fcntl(writer, F_SETFL, O_NONBLOCK), 0);
  note(belay_stream_write_all(sink, belay_stream_read(source)), "copy");
  /* Until the source is held, because the peer does not read. */
  while (belay_stream_held(source) < 65536) {
    (void)!send(writer, room, sizeof room, MSG_NOSIGNAL);
    CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  }
  reset(peer);
  /* What waits is dropped, so the source goes on, and its next piece finds the failure. */
  TURN_UNTIL(has_traced("copy free"));
  CHECK_TRACE("copy error ECONNRESET | copy disposed | copy free");
  CHECK_INT(belay_stream_held(source), 0);
  CHECK_INT(belay_stream_waiting(sink), 0);
  /* The source has lost nothing but its reader. */
  shutdown(writer, SHUT_WR);
  belay_disposable *reading = hear(belay_stream_read(source));
  TURN_UNTIL(has_traced("completed"));
  belay_disposable_release(reading);
  trace_clear();
  close(writer);
  belay_stream_release(source);
  end_connection(sink);
}

/* ---- half closed ---- */

static void set(void *flag) { *(int *)flag = 1; }

WITH_LOOP(a_peer_that_has_half_closed_gets_all) {
  int peer;
  belay_stream *stream = connection(&peer);
  note(belay_stream_read(stream), "read");
  say(peer, "question");
  CHECK_INT(shutdown(peer, SHUT_WR), 0);
  TURN_UNTIL(has_traced("read free"));
  CHECK_TRACE("read question | read completed | read disposed | read free");
  /* Nothing happens then, and the loop does not turn. */
  uint64_t turns = belay_loop_turns(loop);
  int is_over = 0;
  CHECK_INT(belay_scheduler_after(belay_loop_get_scheduler(loop), 0.1, set, &is_over, NULL, NULL), 0);
  TURN_UNTIL(is_over || belay_loop_turns(loop) - turns > 20);
  CHECK(belay_loop_turns(loop) - turns <= 20);
  size_t written = fill(stream);
  CHECK_INT(belay_stream_shutdown(stream), 0);
  note(belay_stream_drained(stream, 0), "drained");
  CHECK_INT(drain(peer), written);
  TURN_UNTIL(has_traced("free"));
  CHECK_TRACE("drained completed | drained disposed | drained free");
  CHECK_FAILS(belay_stream_write(stream, text("x")), BELAY_EENDED);
  close(peer);
  end_connection(stream);
}

WITH_LOOP(half_closed_while_writes_wait) {
  int peer;
  belay_stream *stream = connection(&peer);
  note(belay_stream_read(stream), "read");
  size_t written = fill(stream);
  CHECK_INT(belay_stream_shutdown(stream), 0);
  CHECK(belay_stream_waiting(stream) > 0);
  CHECK_INT(drain(peer), written);
  /* The other direction is open. */
  say(peer, "answer");
  TURN_UNTIL(has_traced("read answer"));
  close(peer);
  TURN_UNTIL(has_traced("read free"));
  CHECK_TRACE("read answer | read completed | read disposed | read free");
  end_connection(stream);
}

/* The end came before the reset that answers the write. */
WITH_LOOP(an_end_stays_one_when_a_write_fails_later) {
  int peer, code;
  belay_stream *stream = connection(&peer);
  say(peer, "all of it");
  close(peer);
  do code = belay_stream_write(stream, text("x"));
  while (code >= 0);
  CHECK_INT(code, -EPIPE);
  check_last_error(-EPIPE);
  note(belay_stream_read(stream), "read");
  TURN_UNTIL(has_traced("read free"));
  CHECK_TRACE("read all of it | read completed | read disposed | read free");
  end_connection(stream);
}

/* ---- no SIGPIPE ---- */

static void write_from_afar(void *stream) {
  CHECK_INT(belay_stream_write(stream, text("x")), BELAY_QUEUED);
}

static void expect_no_signal(void) {
  sigset_t waiting;
  struct sigaction action;
  CHECK_INT(sigpending(&waiting), 0);
  CHECK(!sigismember(&waiting, SIGPIPE));
  CHECK(sigaction(SIGPIPE, NULL, &action) == 0 && action.sa_handler == SIG_DFL);
}

WITH_LOOP(another_thread_writes_to_a_pipe_without_a_reader) {
  int ends[2];
  CHECK_INT(pipe2(ends, O_CLOEXEC), 0);
  belay_stream *stream = belay_stream_open(loop, ends[1], NULL);
  close(ends[0]);
  in_thread(write_from_afar, stream);
  TURN_UNTIL(belay_stream_waiting(stream) == 0);
  CHECK_FAILS(belay_stream_write(stream, text("x")), -EPIPE);
  expect_no_signal();
  belay_stream_release(stream);
}

static int32_t child;

static void take_input(void *input, belay_value value) {
  belay_value item = belay_null();
  if (belay_value_count(value) != 4) return render_next("", value);
  CHECK_INT(belay_value_get_item(value, 0, &item), 0);
  CHECK_INT(belay_value_get_int32(item, &child), 0);
  CHECK_INT(belay_value_get_item(value, 1, &item), 0);
  *(belay_stream **)input = belay_stream_retain(belay_value_get_stream(item));
}

/* One whose input is filled is killed then. */
static void write_to_a_child(const char *script, int fills, const char *expected) {
  const char *args[] = {"sh", "-c", script, NULL};
  belay_stream *input = NULL;
  belay_process_options options = BELAY_INIT(belay_process_options);
  belay_observer observer = BELAY_INIT(belay_observer);
  options.args = args;
  options.input = BELAY_STDIO_PIPE;
  observer.next = take_input;
  observer.completed = trace_completed;
  observer.ctx = &input;
  belay_signal *process = belay_process(loop, &options);
  CHECK_INT(belay_signal_subscribe(process, &observer, NULL), 0);
  belay_signal_release(process);
  CHECK(input != NULL);
  if (fills) {
    fill(input);
    belay_observer waiting = tracing("drained");
    belay_signal *drained = belay_stream_drained(input, 0);
    CHECK_INT(belay_signal_subscribe(drained, &waiting, NULL), 0);
    belay_signal_release(drained);
    CHECK_INT(kill(child, SIGKILL), 0);
  }
  TURN_UNTIL(has_traced("completed") && (!fills || has_traced("drained free")));
  if (fills) CHECK(has_traced("drained error EPIPE | drained disposed | drained free"));
  CHECK(has_traced(expected));
  trace_clear();
  CHECK_FAILS(belay_stream_write(input, text("x")), -EPIPE);
  CHECK_FAILS(belay_stream_write(input, text("x")), -EPIPE);
  belay_stream_release(input);
  expect_no_signal();
}

WITH_LOOP(the_input_of_a_child_that_has_gone) {
  write_to_a_child("exit 3", 0, "next [3 0] | completed");
  write_to_a_child("exec sleep 1000", 1, "next [0 9] | completed");
}

static const test_case cases[] = {
    CASE(both_directions_hear_of_a_reset),
    CASE(a_write_hears_of_a_reset_before_the_reader),
    CASE(what_came_before_a_reset_is_read),
    CASE(a_reset_is_heard_when_reading_goes_on),
    CASE(connections_that_are_reset_before_they_are_accepted),
    CASE(a_copy_into_a_connection_that_is_reset),
    CASE(a_peer_that_has_half_closed_gets_all),
    CASE(half_closed_while_writes_wait),
    CASE(an_end_stays_one_when_a_write_fails_later),
    CASE(another_thread_writes_to_a_pipe_without_a_reader),
    CASE(the_input_of_a_child_that_has_gone),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
