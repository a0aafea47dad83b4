#define _GNU_SOURCE
/* The heap stays small under peers that never read and peers that never stop. A sanitizer's allocator tells no sizes,
   so that only the bytes are counted there. */
#include "streams.h"

#include <malloc.h>

enum { MEGABYTE = 1 << 20 };

/* For each connection. The checked build remembers the handles that were released, up to some number. */
#ifdef BELAY_CHECKED
enum { REMEMBERED = 100 };
#else
enum { REMEMBERED = 0 };
#endif

static size_t heap_before, heap_most;

static size_t heap(void) {
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

static void begin_heap(void) { heap_before = heap_most = heap(); }
static void look_at_heap(void) {
  size_t now = heap();
  if (now > heap_most) heap_most = now;
}

static void expect_growth_below(size_t limit) {
  if (heap_most >= heap_before + limit)
    check_failed(__FILE__, __LINE__, "the heap has grown by %zu", heap_most - heap_before);
}

static char room[1 << 16];

/* ---- they never read ---- */

enum { PEERS = 20 };

/* The same value goes to all, or each has its own. */
static void offer_to_peers(int is_shared) {
  int peers[PEERS], refused[PEERS] = {0};
  belay_stream *streams[PEERS];
  for (int i = 0; i < PEERS; i++) streams[i] = pair(&peers[i], NULL);
  begin_heap();
  for (int round = 0; round < 1000; round++) {
    belay_value shared = belay_bytes(room, 1 << 14);
    for (int i = 0; i < PEERS; i++) {
      int code = belay_stream_write(streams[i], is_shared ? belay_value_retain(shared) : belay_bytes(room, 1 << 14));
      if (code < 0) {
        CHECK_FAILS(code, BELAY_EAGAIN);
        refused[i]++;
      }
      CHECK(belay_stream_waiting(streams[i]) < 65536 + (1 << 14));
    }
    belay_value_release(shared);
    if (round % 10 == 0) {
      CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
      look_at_heap();
    }
  }
  /* 320 MB were offered. */
  expect_growth_below(PEERS * 130000);
  for (int i = 0; i < PEERS; i++) {
    CHECK(refused[i] > 900);
    belay_stream_release(streams[i]);
    close(peers[i]);
  }
}

WITH_LOOP(peers_that_never_read) { offer_to_peers(0); }
WITH_LOOP(nor_do_they_read_what_all_get) { offer_to_peers(1); }

/* ---- they never stop ---- */

enum { PRESSED = 64 * MEGABYTE };

static void press(void *peer) {
  for (size_t sent = 0; sent < PRESSED;) {
    ssize_t count = send(*(int *)peer, room, sizeof room, MSG_NOSIGNAL);
    CHECK(count > 0);
    if (count <= 0) break;
    sent += (size_t)count;
  }
  shutdown(*(int *)peer, SHUT_WR);
}

static size_t received;
static int is_over;

static void look_slowly(void *ctx, belay_value value) {
  belay_view view = {"", 0};
  CHECK_INT(belay_value_get_bytes(value, &view), 0);
  received += view.size;
  look_at_heap();
  usleep(20);
}
static void end(void *ctx) {
  __atomic_store_n(&is_over, 1, __ATOMIC_RELEASE);
  belay_loop_post(loop, empty_action, NULL, NULL);
}

/* What the worker has not taken yet holds the stream back, and nothing is lost. */
WITH_LOOP(a_peer_that_never_stops_and_a_slow_worker) {
  int peer;
  routine writer;
  belay_worker *worker = belay_worker_create(NULL);
  belay_stream *stream = pair(&peer, NULL);
  belay_observer observer = BELAY_INIT(belay_observer);
  belay_disposable *subscription = NULL;
  belay_signal *chunks = belay_signal_chain(
      belay_stream_read(stream),
      belay_op_observe_on(belay_worker_get_scheduler(worker), NULL));
  observer.next = look_slowly;
  observer.error = trace_message;
  observer.completed = end;
  received = 0;
  is_over = 0;
  begin_heap();
  CHECK(chunks != NULL);
  CHECK_INT(belay_signal_subscribe(chunks, &observer, &subscription), 0);
  belay_signal_release(chunks);
  start_thread(&writer, press, &peer);
  TURN_UNTIL(__atomic_load_n(&is_over, __ATOMIC_ACQUIRE));
  join_thread(&writer);
  CHECK_INT(received, PRESSED);
  CHECK_TRACE("");
  expect_growth_below(MEGABYTE);
  end_subscription(subscription);
  belay_stream_release(stream);
  belay_worker_release(worker);
  close(peer);
}

WITH_LOOP(a_line_that_never_ends) {
  int peer;
  belay_stream *stream = pair(&peer, NULL);
  CHECK_INT(fcntl(peer, F_SETFL, O_NONBLOCK), 0);
  begin_heap();
  watch_errors(belay_signal_chain(belay_stream_read(stream), belay_op_lines(200000)));
  for (int i = 0; i < 1000 && !has_traced("free"); i++) {
    (void)!send(peer, room, sizeof room, MSG_NOSIGNAL);
    CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
    look_at_heap();
  }
  CHECK(has_traced("error EMSGSIZE"));
  trace_clear();
  expect_growth_below(MEGABYTE);
  belay_stream_release(stream);
  close(peer);
}

WITH_LOOP(a_thousand_short_connections) {
  belay_stream *there;
  belay_listener *listener = belay_tcp_listen(loop, "127.0.0.1", 0, NULL);
  belay_disposable *accepting = take_streams(belay_listener_connections(listener), &there);
  for (int i = 0; i < 1000; i++) {
    int peer = connect_plainly(belay_listener_port(listener));
    TURN_UNTIL(there != NULL);
    close(peer);
    belay_stream_release(there);
    there = NULL;
    if (i == 10) begin_heap();
    if (i > 10) look_at_heap();
  }
  expect_growth_below(20000 + 1000 * REMEMBERED);
  end_subscription(accepting);
  belay_listener_release(listener);
}

static const test_case cases[] = {
    CASE(peers_that_never_read),
    CASE(nor_do_they_read_what_all_get),
    CASE(a_peer_that_never_stops_and_a_slow_worker),
    CASE(a_line_that_never_ends),
    CASE(a_thousand_short_connections),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
