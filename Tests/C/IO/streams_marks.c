/* The marks of streams: how much waits to be written, how much of what was read is held, and who
   has to wait then. */
#define _GNU_SOURCE
#include "streams.h"

WITH_LOOP(a_peer_that_never_reads_is_bounded) {
  int peer, code;
  size_t accepted = 0, most = 0, used = 0;
  static char room[1 << 16];
  belay_stream *stream = pair(&peer, NULL);
  while ((code = belay_stream_write(stream, chunk_of(1 << 14))) >= 0) {
    accepted += 1 << 14;
    if (belay_stream_waiting(stream) > most) most = belay_stream_waiting(stream);
    CHECK(accepted < 100 << 20);
    if (accepted >= 100 << 20) break;
  }
  CHECK_INT(code, BELAY_EAGAIN);
  check_last_error(BELAY_EAGAIN);
  CHECK(most >= 65536 && most < 65536 + (1 << 14));
  watch(belay_stream_drained(stream, 0), "drained");
  CHECK_INT(belay_loop_run(loop, BELAY_RUN_NOWAIT), 1);
  CHECK_TRACE("");
  CHECK_INT(fcntl(peer, F_SETFL, O_NONBLOCK), 0);
  while (used < accepted) {
    ssize_t count = read(peer, room, sizeof room);
    if (count > 0) used += (size_t)count;
    CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  }
  TURN_UNTIL(has_traced("free"));
  CHECK_TRACE("drained completed | drained disposed | drained free");
  CHECK_INT(used, accepted);
  CHECK_INT(belay_stream_waiting(stream), 0);
  CHECK_INT(belay_stream_write(stream, text("again")), 0);
  close(peer);
  belay_stream_release(stream);
}

/* The queue is never empty here: as soon as it takes something it gets more. */
WITH_LOOP(other_writers_hold_nobody_up) {
  int peer;
  size_t used = 0;
  static char room[1 << 14];
  belay_stream_options options = BELAY_INIT(belay_stream_options);
  options.write_high = 1 << 20;
  belay_stream *stream = pair(&peer, &options);
  while (belay_stream_write(stream, chunk_of(1 << 14)) == 0) continue;
  watch(belay_stream_write_all(stream, belay_signal_just(text("y"))), "all");
  size_t waiting = belay_stream_waiting(stream);
  CHECK(waiting > 1);
  watch(belay_stream_drained(stream, 0), "none");
  watch(belay_stream_drained(stream, waiting), "some");
  watch(belay_stream_drained(stream, (size_t)-1), "any");
  CHECK_TRACE("some completed | some disposed | some free | any completed | any disposed | any free");
  trace_clear();
  CHECK_INT(fcntl(peer, F_SETFL, O_NONBLOCK), 0);
  while (!has_traced("none free") && used < 64 << 20) {
    while (belay_stream_write(stream, chunk_of(1 << 14)) >= 0) continue;
    ssize_t count = read(peer, room, sizeof room);
    if (count > 0) used += (size_t)count;
    CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
    CHECK(belay_stream_waiting(stream) > 0);
  }
  CHECK_TRACE("all completed | all disposed | all free | none completed | none disposed | none free");
  close(peer);
  belay_stream_release(stream);
}

typedef struct kept {
  belay_value values[100000];
  size_t count, bytes;
} kept;

static void keep(void *ctx, belay_value value) {
  kept *all = ctx;
  belay_view view = {0};
  CHECK_INT(belay_value_get_bytes(value, &view), 0);
  all->bytes += view.size;
  all->values[all->count++] = belay_value_retain(value);
}

static void give_back(void *ctx) {
  kept *all = ctx;
  while (all->count > 0) belay_value_release(all->values[--all->count]);
}

static kept all;
static belay_disposable *keep_all(belay_stream *stream) {
  belay_observer observer = BELAY_INIT(belay_observer);
  belay_disposable *subscription = NULL;
  belay_signal *chunks = belay_stream_read(stream);
  memset(&all, 0, sizeof all);
  observer.next = keep;
  observer.ctx = &all;
  CHECK_INT(belay_signal_subscribe(chunks, &observer, &subscription), 0);
  belay_signal_release(chunks);
  return subscription;
}

/* The peer writes whatever fits, in pieces of `piece` bytes. Answers how much. */
static size_t press(int peer, size_t piece) {
  static char bytes[1 << 16];
  size_t written = 0;
  for (int turn = 0; turn < 200; turn++) {
    for (;;) {
      ssize_t count = send(peer, bytes, piece, MSG_DONTWAIT | MSG_NOSIGNAL);
      if (count <= 0) break;
      written += (size_t)count;
      /* Small pieces come one by one. */
      if (piece < 100) break;
    }
    CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  }
  return written;
}

static void a_peer_that_never_stops(size_t piece, belay_stream_options *options, size_t high) {
  int peer;
  belay_stream *stream = pair(&peer, options);
  belay_disposable *reading = keep_all(stream);
  size_t written = press(peer, piece);
  CHECK(belay_stream_held(stream) >= high);
  CHECK(belay_stream_held(stream) < high + (1 << 14) + 128);
  CHECK(all.bytes <= high + (1 << 14));
  CHECK(written >= all.bytes);
  /* It is silent, not over: the loop is alive, and goes on with what is given back. */
  CHECK_INT(belay_loop_alive(loop), 1);
  size_t before = all.bytes;
  CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  CHECK_INT(all.bytes, before);
  in_thread(give_back, &all);
  CHECK_INT(belay_stream_held(stream), 0);
  shutdown(peer, SHUT_WR);
  TURN_UNTIL(all.bytes > before);
  give_back(&all);
  end_subscription(reading);
  CHECK_INT(belay_stream_held(stream), 0);
  close(peer);
  belay_stream_release(stream);
}

WITH_LOOP(a_peer_that_never_stops_has_to_wait) { a_peer_that_never_stops(1 << 16, NULL, 65536); }

WITH_LOOP(so_has_one_with_small_pieces) {
  belay_stream_options options = BELAY_INIT(belay_stream_options);
  options.read_high = 4096;
  options.read_low = 100;
  a_peer_that_never_stops(1, &options, 4096);
}

WITH_LOOP(what_one_has_read_may_outlive_the_stream_and_the_loop) {
  int peer;
  belay_stream *stream = pair(&peer, NULL);
  belay_disposable *reading = keep_all(stream);
  press(peer, 1 << 16);
  CHECK(all.count > 0);
  end_subscription(reading);
  belay_stream_release(stream);
  close_loop(loop);
  loop = NULL;
  give_back(&all);
  close(peer);
}

WITH_LOOP(what_is_written_counts_where_it_is_written) {
  int peer, other;
  static char room[1 << 16];
  size_t echoed = 0;
  belay_stream *stream = pair(&peer, NULL), *sink = pair(&other, NULL);
  belay_disposable *copying =
      watched(belay_stream_write_all(sink, belay_stream_read(stream)), "copy");
  size_t written = press(peer, 1 << 16);
  /* The sink's peer does not read. So the source stops, and nothing is refused. */
  CHECK(belay_stream_held(stream) >= 65536 && belay_stream_held(stream) < 65536 + (1 << 14) + 128);
  CHECK(belay_stream_waiting(sink) <= belay_stream_held(stream));
  CHECK_TRACE("");
  shutdown(peer, SHUT_WR);
  CHECK_INT(fcntl(other, F_SETFL, O_NONBLOCK), 0);
  while (echoed < written) {
    ssize_t count = read(other, room, sizeof room);
    if (count > 0) echoed += (size_t)count;
    CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  }
  TURN_UNTIL(has_traced("free"));
  CHECK_TRACE("copy completed | copy disposed | copy free");
  belay_disposable_release(copying);
  belay_stream_release(stream);
  belay_stream_release(sink);
  close(peer);
  close(other);
}

/* What is written lets the file go on, whose next lines come behind those that wait. */
WITH_LOOP(lines_of_a_file_reach_a_slow_peer_in_their_order) {
  enum { LINES = 3000 };
  char path[] = "/tmp/belay-lines-XXXXXX";
  static char sent[LINES * 12], heard[LINES * 12];
  size_t size = 0, count = 0;
  int fd = mkstemp(path), peer;
  for (int i = 0; i < LINES; i++) {
    char line[16];
    int length = snprintf(line, sizeof line, "line %d\n", i);
    CHECK_INT((int)write(fd, line, (size_t)length), length);
    memcpy(sent + size, line, (size_t)length - 1); /* they come without their ends */
    size += (size_t)length - 1;
  }
  close(fd);
  belay_stream *stream = pair(&peer, NULL);
  CHECK_INT(fcntl(peer, F_SETFL, O_NONBLOCK), 0);
  belay_disposable *copying =
      watched(belay_stream_write_all(stream, belay_file_lines(loop, path, 0)), "copy");
  TURN_UNTIL(belay_stream_waiting(stream) > 1000);
  while (count < size && !has_traced("error")) {
    ssize_t part = read(peer, heard + count, 2000);
    if (part > 0) count += (size_t)part;
    CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  }
  TURN_UNTIL(has_traced("free"));
  CHECK_TRACE("copy completed | copy disposed | copy free");
  CHECK(memcmp(sent, heard, size) == 0);
  belay_disposable_release(copying);
  belay_stream_release(stream);
  close(peer);
  unlink(path);
}

static const test_case cases[] = {
    CASE(a_peer_that_never_reads_is_bounded),
    CASE(other_writers_hold_nobody_up),
    CASE(a_peer_that_never_stops_has_to_wait),
    CASE(so_has_one_with_small_pieces),
    CASE(what_one_has_read_may_outlive_the_stream_and_the_loop),
    CASE(what_is_written_counts_where_it_is_written),
    CASE(lines_of_a_file_reach_a_slow_peer_in_their_order),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
