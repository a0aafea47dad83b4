/* Writes of other threads than the loop's: their order, their answers, what waits for them. */
#include "streams.h"
#include "worker.h"

static void write_from_afar(void *stream) {
  CHECK_INT(belay_stream_write(stream, text("one ")), BELAY_QUEUED);
  CHECK_INT(belay_stream_write(stream, text("two ")), BELAY_QUEUED);
  CHECK_INT(belay_stream_shutdown(stream), 0);
  CHECK_INT(belay_stream_waiting(stream), 8);
}

WITH_LOOP(another_thread_writes_in_its_order) {
  int peer;
  char there[16] = "";
  belay_stream *stream = pair(&peer, NULL);
  in_thread(write_from_afar, stream);
  TURN_UNTIL(belay_stream_waiting(stream) == 0);
  CHECK_INT(take_all(peer, there, sizeof there), 8);
  CHECK_STRING(there, "one two ");
  close(peer);
  belay_stream_release(stream);
}

/* Thousands of writes of another thread, at the same time. */
static void write_thousands(void *stream) {
  for (int i = 0; i < 5000; i++) {
    int code;
    while ((code = belay_stream_write(stream, text("x"))) == BELAY_EAGAIN) belay_last_error();
    CHECK(code >= 0);
  }
  CHECK_INT(belay_stream_shutdown(stream), 0);
}

WITH_LOOP(threads_write_while_the_loop_runs) {
  int peer;
  char room[4096];
  size_t used = 0;
  routine writer;
  belay_stream *stream = pair(&peer, NULL);
  CHECK_INT(fcntl(peer, F_SETFL, O_NONBLOCK), 0);
  start_thread(&writer, write_thousands, stream);
  for (;;) {
    ssize_t count = read(peer, room, sizeof room);
    if (count == 0) break;
    if (count > 0) used += (size_t)count;
    CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  }
  join_thread(&writer);
  CHECK_INT(used, 5000);
  CHECK_INT(belay_stream_waiting(stream), 0);
  belay_stream_release(stream);
  close(peer);
}

static const char *const payload = "12345";
static int answer;
static void write_some(void *stream) { answer = belay_stream_write(stream, text(payload)); }

static int write_elsewhere(belay_stream *stream) {
  in_thread(write_some, stream);
  return answer;
}

/* ---- who waits until all is written ---- */

WITH_LOOP(who_waits_is_told_when_it_is_written_at_once) {
  int peer;
  char there[16];
  belay_stream *stream = pair(&peer, NULL);
  CHECK_INT(write_elsewhere(stream), BELAY_QUEUED);
  watch_errors(belay_stream_drained(stream, 0));
  CHECK_INT(belay_stream_waiting(stream), 5);
  CHECK_TRACE("");
  TURN_UNTIL(has_traced("free"));
  CHECK_TRACE("completed | disposed | free");
  CHECK_INT(belay_stream_waiting(stream), 0);
  CHECK_INT(recv(peer, there, sizeof there, MSG_DONTWAIT), 5);
  close(peer);
  belay_stream_release(stream);
}

/* The shutdown comes first, though it was asked for later. What it leaves out is counted as lost. */
WITH_LOOP(who_waits_is_told_when_it_is_refused) {
  int peer;
  belay_stream *stream = pair(&peer, NULL);
  uint64_t lost = belay_lost_count();
  CHECK_INT(write_elsewhere(stream), BELAY_QUEUED);
  watch_errors(belay_stream_drained(stream, 0));
  CHECK_INT(belay_stream_shutdown(stream), 0);
  TURN_UNTIL(has_traced("free"));
  CHECK_TRACE("completed | disposed | free");
  CHECK_INT(belay_stream_waiting(stream), 0);
  CHECK_INT(belay_lost_count() - lost, 1);
  close(peer);
  belay_stream_release(stream);
}

/* Counts what the peer gets: x is the other thread's. Answers whether there may be more. */
static int read_some(int peer, int *xs, int *ys) {
  char room[4096];
  ssize_t count = read(peer, room, sizeof room);
  for (ssize_t i = 0; i < count; i++) *(room[i] == 'x' ? xs : ys) += 1;
  return count != 0;
}

/* Each end says what became of the byte. */
WITH_LOOP(a_source_is_written_while_another_thread_writes) {
  int peer, xs = 0, ys = 0, completed = 0;
  routine writer;
  belay_stream *stream = pair(&peer, NULL);
  CHECK_INT(fcntl(peer, F_SETFL, O_NONBLOCK), 0);
  start_thread(&writer, write_thousands, stream);
  for (int i = 0; i < 200; i++) {
    watch_errors(belay_stream_write_all(stream, belay_signal_just(text("y"))));
    while (!has_traced("free")) {
      read_some(peer, &xs, &ys);
      CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
    }
    completed += has_traced("completed");
    trace_clear();
  }
  while (read_some(peer, &xs, &ys)) CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  join_thread(&writer);
  CHECK_INT(xs, 5000);
  CHECK_INT(ys, completed);
  CHECK_INT(belay_stream_waiting(stream), 0);
  belay_stream_release(stream);
  close(peer);
}

/* The first one that is told writes more, which does not hold the second one up. */
typedef struct writing_more {
  belay_stream *stream;
  int peer;
} writing_more;
static void write_until_it_waits(void *ctx) {
  writing_more *it = ctx;
  trace("first");
  while (belay_stream_write(it->stream, chunk_of(1 << 16)) == 0) continue;
}
static void trace_second(void *ctx) {
  CHECK(belay_stream_waiting(((writing_more *)ctx)->stream) > 0);
  trace("second");
}

WITH_LOOP(each_waits_for_what_was_written_before) {
  writing_more it = {0};
  char room[1 << 16];
  it.stream = pair(&it.peer, NULL);
  CHECK_INT(fcntl(it.peer, F_SETFL, O_NONBLOCK), 0);
  while (belay_stream_write(it.stream, chunk_of(1 << 16)) == 0) continue;
  belay_signal *drained = belay_stream_drained(it.stream, 0);
  belay_observer first = {.size = sizeof first, .completed = write_until_it_waits, .ctx = &it};
  belay_observer second = {.size = sizeof second, .completed = trace_second, .ctx = &it};
  CHECK_INT(belay_signal_subscribe(drained, &first, NULL), 0);
  CHECK_INT(belay_signal_subscribe(drained, &second, NULL), 0);
  belay_signal_release(drained);
  while (!has_traced("second")) {
    (void)!read(it.peer, room, sizeof room);
    CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  }
  CHECK_TRACE("first | second");
  close(it.peer);
  belay_stream_release(it.stream);
}

/* ---- what they are answered ---- */

/* Other threads learn of a failure, of a shutdown and of a close, as the loop's thread does. */
WITH_LOOP(a_failure_shows_in_later_calls) {
  int peer, code = BELAY_QUEUED;
  belay_stream *stream = pair(&peer, NULL);
  close(peer);
  for (int i = 0; i < 3 && code == BELAY_QUEUED; i++) {
    code = write_elsewhere(stream);
    CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  }
  CHECK_INT(code, -EPIPE);
  CHECK_INT(belay_stream_write(stream, text(payload)), -EPIPE);
  CHECK_INT(belay_stream_waiting(stream), 0);
  belay_stream_release(stream);
}

WITH_LOOP(a_shutdown_and_a_close_show_in_later_calls) {
  int peer;
  belay_stream *stream = pair(&peer, NULL);
  CHECK_INT(belay_stream_shutdown(stream), 0);
  CHECK_INT(write_elsewhere(stream), BELAY_EENDED);
  CHECK_INT(belay_stream_write(stream, text(payload)), BELAY_EENDED);
  CHECK_INT(belay_stream_close(stream), 0);
  CHECK_INT(write_elsewhere(stream), BELAY_ECANCELED);
  CHECK_INT(belay_stream_write(stream, text(payload)), BELAY_ECANCELED);
  CHECK_INT(belay_stream_waiting(stream), 0);
  belay_stream_release(stream);
  close(peer);
}

static void write_much(void *stream) {
  for (int i = 0; i < 70; i++) {
    answer = belay_stream_write(stream, belay_bytes((char[1000]){0}, 1000));
    CHECK_INT(answer, BELAY_ECANCELED);
  }
}

/* What was on its way is counted as lost, and waits no more. */
WITH_LOOP(after_the_loops_close_nothing_waits) {
  int peer;
  quiet_loop();
  belay_stream *stream = pair(&peer, NULL);
  uint64_t lost = belay_lost_count();
  CHECK_INT(write_elsewhere(stream), BELAY_QUEUED);
  close_early();
  CHECK_INT(belay_stream_waiting(stream), 0);
  CHECK_INT(belay_lost_count() - lost, 1);
  in_thread(write_much, stream);
  CHECK_INT(belay_stream_waiting(stream), 0);
  belay_stream_release(stream);
  close(peer);
}

static const test_case cases[] = {
    CASE(another_thread_writes_in_its_order),
    CASE(threads_write_while_the_loop_runs),
    CASE(who_waits_is_told_when_it_is_written_at_once),
    CASE(who_waits_is_told_when_it_is_refused),
    CASE(a_source_is_written_while_another_thread_writes),
    CASE(each_waits_for_what_was_written_before),
    CASE(a_failure_shows_in_later_calls),
    CASE(a_shutdown_and_a_close_show_in_later_calls),
    CASE(after_the_loops_close_nothing_waits),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
