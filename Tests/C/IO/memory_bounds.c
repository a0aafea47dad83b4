#define _GNU_SOURCE
/* The heap stays small under peers that never read and peers that never stop. A sanitizer's allocator tells no sizes,
   so that only the bytes are counted there. */
#include "streams.h"

#include <malloc.h>
#include <semaphore.h>
#include <sys/stat.h>

enum { MEGABYTE = 1 << 20 };

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

static size_t received, pieces;
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

/* A peer presses by `press_by`, and a worker takes what `ops` make of that, one by one. What it has not taken yet
   holds the stream back, and nothing is lost. */
static void press_a_worker(belay_op *const *ops, size_t count, void (*press_by)(void *),
                           void (*next)(void *, belay_value)) {
  int peer;
  routine writer;
  belay_worker *worker = belay_worker_create(NULL);
  belay_stream *stream = pair(&peer, NULL);
  belay_observer observer = {
      .size = sizeof observer, .next = next, .error = trace_message, .completed = end};
  belay_disposable *subscription = NULL;
  belay_signal *taken = belay_signal_chain(
      belay_signal_chain_n(belay_stream_read(stream), ops, count),
      belay_op_observe_on(belay_worker_get_scheduler(worker), NULL));
  received = pieces = 0;
  is_over = 0;
  begin_heap();
  CHECK(taken != NULL);
  CHECK_INT(belay_signal_subscribe(taken, &observer, &subscription), 0);
  belay_signal_release(taken);
  start_thread(&writer, press_by, &peer);
  TURN_UNTIL(__atomic_load_n(&is_over, __ATOMIC_ACQUIRE));
  join_thread(&writer);
  CHECK_TRACE("");
  expect_growth_below(MEGABYTE);
  end_subscription(subscription);
  belay_stream_release(stream);
  belay_worker_release(worker);
  close(peer);
}

WITH_LOOP(a_peer_that_never_stops_and_a_slow_worker) {
  press_a_worker(NULL, 0, press, look_slowly);
  CHECK_INT(received, PRESSED);
}

static sem_t gate;
static void wait_first(void *ctx, belay_value value) {
  belay_view view = {"", 0};
  if (received == 0) sem_wait(&gate);
  CHECK_INT(belay_value_get_bytes(value, &view), 0);
  received += view.size;
}
static void end_by(void *ctx, const belay_error *error) {
  trace_message(ctx, error);
  end(ctx);
}
/* The marks allow more bytes than the worker's queue takes pieces. */
WITH_LOOP(many_small_pieces_and_a_worker_that_waits) {
  enum { PIECES = 3000 };
  int peer;
  size_t sent = 0;
  belay_stream_options options = BELAY_INIT(belay_stream_options);
  belay_observer observer = {
      .size = sizeof observer, .next = wait_first, .error = end_by, .completed = end};
  belay_worker *worker = belay_worker_create(NULL);
  options.read_high = MEGABYTE;
  belay_stream *stream = pair(&peer, &options);
  belay_disposable *subscription = NULL;
  belay_signal *taken = belay_signal_chain(
      belay_stream_read(stream), belay_op_observe_on(belay_worker_get_scheduler(worker), NULL));
  received = 0;
  is_over = 0;
  sem_init(&gate, 0, 0);
  CHECK_INT(belay_signal_subscribe(taken, &observer, &subscription), 0);
  belay_signal_release(taken);
  while (sent < PIECES && send(peer, "x", 1, MSG_NOSIGNAL | MSG_DONTWAIT) == 1) {
    sent++;
    CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  }
  shutdown(peer, SHUT_WR);
  CHECK(sent > 900);
  sem_post(&gate);
  TURN_UNTIL(__atomic_load_n(&is_over, __ATOMIC_ACQUIRE));
  CHECK_TRACE("");
  CHECK_INT(received, sent);
  end_subscription(subscription);
  belay_stream_release(stream);
  belay_worker_release(worker);
  close(peer);
}

/* ---- chunks of many lines ---- */

static void press_lines(void *peer) {
  static char lines[1 << 14];
  for (size_t i = 0; i < sizeof lines; i += 2) memcpy(lines + i, "x\n", 2);
  for (int i = 0; i < 16; i++) CHECK_INT(send(*(int *)peer, lines, sizeof lines, MSG_NOSIGNAL), sizeof lines);
  shutdown(*(int *)peer, SHUT_WR);
}

static void count_slowly(void *ctx, belay_value value) {
  belay_view view = {"", 0};
  CHECK_INT(belay_value_get_bytes(value, &view), 0);
  received += view.size;
  look_at_heap();
  if (pieces++ % 32 == 0) usleep(200);
}

/* One chunk has more lines than a queue takes. The lines wait in it for the worker. */
static void cut_for_a_worker(belay_op *const *cutting, size_t count, size_t expected) {
  press_a_worker(cutting, count, press_lines, count_slowly);
  CHECK_INT(pieces, expected);
}

WITH_LOOP(a_chunk_of_many_lines_and_a_slow_worker) {
  cut_for_a_worker((belay_op *const[]){belay_op_lines(99)}, 1, 1 << 17);
}
WITH_LOOP(nor_are_frames_of_frames_lost) {
  cut_for_a_worker((belay_op *const[]){belay_op_frames_fixed(128), belay_op_frames_delimited("\n", 1, 99)}, 2, 1 << 17);
}
/* The lines are cut where they are taken, behind chunks that have come to the worker. */
WITH_LOOP(nor_behind_a_queue) {
  belay_worker *worker = belay_worker_create(NULL);
  cut_for_a_worker((belay_op *const[]){belay_op_observe_on(belay_worker_get_scheduler(worker), NULL), belay_op_lines(99)},
                   2, 1 << 17);
  belay_worker_release(worker);
}

/* ---- files ---- */

static char file_path[] = "/tmp/belay-bounds-XXXXXX";
enum { FILE_SIZE = 32 * MEGABYTE };

/* Of lines of so many bytes, with their ends; the last one is a part of one. */
static void make_file(size_t size, size_t line) {
  static char block[1 << 16];
  strcpy(file_path + sizeof file_path - 7, "XXXXXX");
  int fd = mkstemp(file_path);
  CHECK(fd >= 0);
  for (size_t i = 0; i < sizeof block; i++) block[i] = (i + 1) % line == 0 ? '\n' : 'x';
  for (size_t used = 0; used < size; used += sizeof block)
    CHECK_INT(write(fd, block, sizeof block), sizeof block);
  close(fd);
}

/* A file waits for the worker, and nothing of it is lost. */
static void read_at_a_worker(belay_signal *signal, size_t bound) {
  belay_worker *worker = belay_worker_create(NULL);
  belay_observer observer = BELAY_INIT(belay_observer);
  belay_disposable *subscription = NULL;
  observer.next = count_slowly;
  observer.error = trace_message;
  observer.completed = end;
  signal = belay_signal_chain(signal, belay_op_observe_on(belay_worker_get_scheduler(worker), NULL));
  received = pieces = 0;
  is_over = 0;
  begin_heap();
  CHECK(signal != NULL);
  CHECK_INT(belay_signal_subscribe(signal, &observer, &subscription), 0);
  belay_signal_release(signal);
  TURN_UNTIL(__atomic_load_n(&is_over, __ATOMIC_ACQUIRE));
  CHECK_TRACE("");
  expect_growth_below(bound);
  end_subscription(subscription);
  belay_worker_release(worker);
}

WITH_LOOP(a_file_and_a_slow_worker) {
  make_file(FILE_SIZE, 100);
  read_at_a_worker(belay_file_chunks(loop, file_path, 0), 6 * MEGABYTE);
  CHECK_INT(received, FILE_SIZE);
  CHECK_INT(pieces, FILE_SIZE / 65536);
  unlink(file_path);
}

WITH_LOOP(short_lines_and_a_slow_worker) {
  make_file(MEGABYTE / 4, 4);
  read_at_a_worker(belay_file_lines(loop, file_path, 0), 2 * MEGABYTE);
  CHECK_INT(received, MEGABYTE / 4 / 4 * 3);
  CHECK_INT(pieces, MEGABYTE / 4 / 4);
  unlink(file_path);
  /* Also empty ones. */
  make_file(65536, 1);
  read_at_a_worker(belay_file_lines(loop, file_path, 0), 2 * MEGABYTE);
  CHECK_INT(pieces, 65536);
  unlink(file_path);
}

static void write_many(void *path) {
  int fd = open(path, O_WRONLY);
  CHECK(fd >= 0);
  for (int i = 0; i < 10000; i++) CHECK_INT(write(fd, "ab\n", 3), 3);
  close(fd);
}

WITH_LOOP(a_fifo_and_a_slow_worker) {
  routine writer;
  strcpy(file_path + sizeof file_path - 7, "fifo");
  unlink(file_path);
  CHECK_INT(mkfifo(file_path, 0600), 0);
  start_thread(&writer, write_many, file_path);
  read_at_a_worker(belay_file_lines(loop, file_path, 0), 2 * MEGABYTE);
  join_thread(&writer);
  CHECK_INT(received, 20000);
  CHECK_INT(pieces, 10000);
  unlink(file_path);
}

/* What the program keeps holds the file back, and may outlive the subscription and the loop. */
static belay_value kept[512];
static void keep(void *ctx, belay_value value) {
  CHECK(pieces < 512);
  if (pieces < 512) kept[pieces++] = belay_value_retain(value);
}
static void turn_for_a_while(void) {
  for (int i = 0; i < 100; i++) {
    CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
    usleep(100);
  }
}
static void give_back(size_t count) {
  while (count-- > 0) belay_value_release(kept[--pieces]);
}

WITH_LOOP(what_is_kept_of_a_file) {
  make_file(FILE_SIZE, 100);
  for (int closes = 0; closes < 2; closes++) {
    belay_observer observer = BELAY_INIT(belay_observer);
    belay_disposable *subscription = NULL;
    if (closes) quiet_loop();
    observer.next = keep;
    pieces = 0;
    belay_signal *signal = belay_file_chunks(loop, file_path, 0);
    CHECK_INT(belay_signal_subscribe(signal, &observer, &subscription), 0);
    belay_signal_release(signal);
    TURN_UNTIL(pieces == 57);
    turn_for_a_while();
    CHECK_INT(pieces, 57);
    give_back(20);
    turn_for_a_while();
    CHECK_INT(pieces, 37);
    give_back(20);
    TURN_UNTIL(pieces == 57);
    if (closes) close_early();
    end_subscription(subscription);
    give_back(pieces);
  }
  unlink(file_path);
}

static void count_items(void *ctx, belay_value value) {
  belay_view view = {0};
  if (belay_value_kind(value) == BELAY_KIND_ARRAY) {
    pieces += belay_value_count(value);
  } else {
    CHECK_INT(belay_value_get_bytes(value, &view), 0);
    pieces++;
  }
}

/* What an operator gathers does not stop the file for ever. */
static void gather(belay_op *op, size_t expected) {
  belay_observer observer = BELAY_INIT(belay_observer);
  belay_disposable *subscription = NULL;
  observer.next = count_items;
  observer.error = trace_message;
  observer.completed = end;
  belay_signal *signal = belay_signal_chain(belay_file_lines(loop, file_path, 0), op);
  pieces = 0;
  is_over = 0;
  CHECK_INT(belay_signal_subscribe(signal, &observer, &subscription), 0);
  belay_signal_release(signal);
  TURN_UNTIL(is_over);
  CHECK_INT(pieces, expected);
  CHECK_TRACE("");
  end_subscription(subscription);
}

WITH_LOOP(lines_that_are_gathered) {
  enum { LINES = 65536 / 8 };
  make_file(65536, 8);
  FILE *file = fopen(file_path, "w");
  for (int i = 0; i < LINES; i++) fprintf(file, "%07d\n", i);
  fclose(file);
  gather(belay_op_collect(), LINES);
  gather(belay_op_buffer(3000), LINES);
  gather(belay_op_take_last(3000), 3000);
  gather(belay_op_skip_last(3000), LINES - 3000);
  gather(belay_op_buffer_time(belay_loop_get_scheduler(loop), 1000, BELAY_UNLIMITED), LINES);
  gather(belay_op_distinct(NULL, NULL, NULL), LINES);
  unlink(file_path);
}

/* What waits to be written counts as held. */
WITH_LOOP(a_file_and_a_peer_that_reads_slowly) {
  int peer;
  belay_stream *stream = pair(&peer, NULL);
  make_file(FILE_SIZE, 100);
  belay_observer observer = BELAY_INIT(belay_observer);
  belay_disposable *subscription = NULL;
  observer.error = trace_message;
  observer.completed = end;
  belay_signal *writing = belay_stream_write_all(stream, belay_file_chunks(loop, file_path, 0));
  is_over = 0;
  begin_heap();
  CHECK(writing != NULL);
  CHECK_INT(belay_signal_subscribe(writing, &observer, &subscription), 0);
  belay_signal_release(writing);
  /* It does not read at all first. */
  TURN_UNTIL(belay_stream_waiting(stream) > MEGABYTE);
  for (int i = 0; i < 300; i++) {
    CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
    look_at_heap();
    usleep(100);
  }
  CHECK(belay_stream_waiting(stream) < 5 * MEGABYTE);
  CHECK_INT(fcntl(peer, F_SETFL, O_NONBLOCK), 0);
  received = 0;
  while (received < FILE_SIZE && !has_traced("error")) {
    static char taken[1 << 16];
    ssize_t count = read(peer, taken, sizeof taken);
    if (count > 0) received += (size_t)count;
    CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
    look_at_heap();
  }
  TURN_UNTIL(is_over);
  CHECK_INT(received, FILE_SIZE);
  CHECK_TRACE("");
  expect_growth_below(6 * MEGABYTE);
  end_subscription(subscription);
  belay_stream_release(stream);
  close(peer);
  unlink(file_path);
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
    CASE(many_small_pieces_and_a_worker_that_waits),
    CASE(a_chunk_of_many_lines_and_a_slow_worker),
    CASE(nor_are_frames_of_frames_lost),
    CASE(nor_behind_a_queue),
    CASE(a_file_and_a_slow_worker),
    CASE(short_lines_and_a_slow_worker),
    CASE(a_fifo_and_a_slow_worker),
    CASE(what_is_kept_of_a_file),
    CASE(lines_that_are_gathered),
    CASE(a_file_and_a_peer_that_reads_slowly),
    CASE(a_line_that_never_ends),
    CASE(a_thousand_short_connections),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
