#define _GNU_SOURCE
/* Sources that never fall silent, beside a quiet stream and a timer: each turn takes a bounded part of the noise, and
   the others get their turn. */
#include "streams.h"

#include <signal.h>
#include <time.h>
#include <uv.h>

/* ---- the quiet ones: a stream that answers each byte, and a timer that arms itself again ---- */

static belay_stream *quiet;
static int quiet_peer, quiet_turns, rings;
static belay_disposable *quiet_reading;

static void hear_quietly(void *ctx, belay_value value) {
  quiet_turns++;
  say(quiet_peer, "x");
}

static void ring(void *ctx) {
  rings++;
  CHECK_INT(belay_scheduler_after(belay_loop_get_scheduler(loop), 0, ring, NULL, NULL, NULL), 0);
}

static belay_disposable *listen_with(belay_signal *signal, void (*next)(void *, belay_value)) {
  belay_observer observer = BELAY_INIT(belay_observer);
  belay_disposable *subscription = NULL;
  observer.next = next;
  observer.error = trace_message;
  CHECK(signal != NULL);
  CHECK_INT(belay_signal_subscribe(signal, &observer, &subscription), 0);
  belay_signal_release(signal);
  return subscription;
}

static void begin_quiet(void) {
  quiet_turns = rings = 0;
  quiet_loop();
  quiet = pair(&quiet_peer, NULL);
  quiet_reading = listen_with(belay_stream_read(quiet), hear_quietly);
  ring(NULL);
  say(quiet_peer, "x");
}

static void end_quiet(void) {
  CHECK_TRACE("");
  close_early();
  end_subscription(quiet_reading);
  belay_stream_release(quiet);
  close(quiet_peer);
}

/* Turns often. No turn takes more than `most` of the noise, some take `least`, and each is a turn of the quiet ones, too. */
static void turn_with(const long *noise, long least, long most) {
  enum { TURNS = 50 };
  long largest = 0;
  /* What was opened has begun. */
  for (int i = 0; i < 1000 && *noise == 0; i++) CHECK_INT(belay_loop_run(loop, BELAY_RUN_NOWAIT), 1);
  quiet_turns = rings = 0;
  for (int i = 0; i < TURNS; i++) {
    long before = *noise;
    /* libuv counts milliseconds, so the timer is due after that. */
    usleep(2000);
    CHECK_INT(belay_loop_run(loop, BELAY_RUN_NOWAIT), 1);
    if (*noise - before > largest) largest = *noise - before;
  }
  CHECK(largest >= least);
  if (largest > most) CHECK_INT(largest, most);
  CHECK_INT(rings, TURNS);
  CHECK_INT(quiet_turns, TURNS);
}

/* ---- the noise ---- */

static int noisy_peer;
static long noise;
static char block[1 << 14];

static void press(void) {
  while (send(noisy_peer, block, sizeof block, MSG_NOSIGNAL | MSG_DONTWAIT) > 0) continue;
}
static void count_and_press(void *ctx, belay_value value) {
  belay_view view = {"", 0};
  CHECK_INT(belay_value_get_bytes(value, &view), 0);
  noise += (long)view.size;
  press();
}

WITH_LOOP(a_peer_that_never_stops) {
  begin_quiet();
  noise = 0;
  belay_stream *stream = pair(&noisy_peer, NULL);
  belay_disposable *reading = listen_with(belay_stream_read(stream), count_and_press);
  press();
  turn_with(&noise, 1 << 14, 4 << 14);
  end_quiet();
  end_subscription(reading);
  belay_stream_release(stream);
  close(noisy_peer);
}

static void count_chunk(void *ctx, belay_value value) { noise++; }

WITH_LOOP(a_file_without_an_end) {
  begin_quiet();
  noise = 0;
  belay_disposable *reading = listen_with(belay_file_chunks(loop, "/dev/zero", 0), count_chunk);
  turn_with(&noise, 0, 1);
  end_quiet();
  end_subscription(reading);
}

static void connect_again(int port) {
  /* It is reset at once. */
  struct linger hard = {1, 0};
  int fd = connect_plainly(port);
  setsockopt(fd, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
  close(fd);
}
static void count_and_connect(void *port, belay_value value) {
  noise++;
  connect_again(*(int *)port);
}

WITH_LOOP(connections_that_never_stop) {
  begin_quiet();
  noise = 0;
  belay_listener *listener = belay_tcp_listen(loop, "127.0.0.1", 0, NULL);
  int port = belay_listener_port(listener);
  belay_observer observer = BELAY_INIT(belay_observer);
  belay_disposable *accepting = NULL;
  observer.next = count_and_connect;
  observer.error = trace_message;
  observer.ctx = &port;
  belay_signal *connections = belay_listener_connections(listener);
  CHECK_INT(belay_signal_subscribe(connections, &observer, &accepting), 0);
  belay_signal_release(connections);
  for (int i = 0; i < 100; i++) connect_again(port);
  turn_with(&noise, 16, 16);
  end_quiet();
  end_subscription(accepting);
  belay_listener_release(listener);
}

static struct sockaddr_in target = {.sin_family = AF_INET};
static int flooder;

static void flood(void) {
  for (int i = 0; i < 64; i++)
    (void)!sendto(flooder, "datagram", 8, MSG_DONTWAIT, (struct sockaddr *)&target, sizeof target);
}
static void count_and_flood(void *ctx, belay_value value) {
  belay_value what, port;
  uint32_t number = 0;
  CHECK_INT(belay_value_get_item(value, 0, &what), 0);
  if (belay_value_is_null(what)) {
    CHECK_INT(belay_value_get_item(value, 2, &port), 0);
    CHECK_INT(belay_value_get_uint32(port, &number), 0);
    target.sin_port = htons((uint16_t)number);
  } else {
    noise++;
  }
  flood();
}

WITH_LOOP(datagrams_that_never_stop) {
  belay_udp_options options = BELAY_INIT(belay_udp_options);
  begin_quiet();
  noise = 0;
  target.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  flooder = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  options.host = "127.0.0.1";
  belay_signal *nothing = belay_signal_never();
  belay_disposable *reading = listen_with(belay_udp(loop, nothing, &options), count_and_flood);
  belay_signal_release(nothing);
  /* libuv's budget is 32 datagrams. */
  turn_with(&noise, 32, 32);
  end_quiet();
  end_subscription(reading);
  close(flooder);
}

/* All of it together, as long as each has had its turn. */
WITH_LOOP(many_that_never_stop) {
  enum { STREAMS = 20 };
  belay_stream *streams[STREAMS];
  belay_disposable *readings[STREAMS];
  int peers[STREAMS];
  begin_quiet();
  noise = 0;
  for (int i = 0; i < STREAMS; i++) {
    streams[i] = pair(&peers[i], NULL);
    readings[i] = listen_with(belay_stream_read(streams[i]), count_chunk);
    noisy_peer = peers[i];
    press();
  }
  for (int turn = 0; turn < 50; turn++) {
    for (int i = 0; i < STREAMS; i++) {
      noisy_peer = peers[i];
      press();
    }
    noise = 0;
    quiet_turns = 0;
    CHECK_INT(belay_loop_run(loop, BELAY_RUN_NOWAIT), 1);
    CHECK_INT(noise, STREAMS * 4);
    CHECK_INT(quiet_turns, 1);
  }
  end_quiet();
  for (int i = 0; i < STREAMS; i++) {
    end_subscription(readings[i]);
    belay_stream_release(streams[i]);
    close(peers[i]);
  }
}

/* ---- many events in few bytes, and what other threads send ---- */

/* A subscriber that is not quick gets so many in a turn: these take 1.28 milliseconds, and one is the budget. */
enum { A_TURN = 128, MOMENT = 10000 };

static void take_a_moment(void) {
  struct timespec began, now;
  clock_gettime(CLOCK_MONOTONIC, &began);
  do clock_gettime(CLOCK_MONOTONIC, &now);
  while ((now.tv_sec - began.tv_sec) * 1000000000 + now.tv_nsec - began.tv_nsec < MOMENT);
}
static void count_slowly(void *ctx, belay_value value) {
  noise++;
  take_a_moment();
}

/* Cuts lines of one byte out of what the peer presses. */
WITH_LOOP(lines_that_never_stop) {
  begin_quiet();
  noise = 0;
  memset(block, '\n', sizeof block);
  belay_stream *stream = pair(&noisy_peer, NULL);
  belay_disposable *reading =
      listen_with(belay_signal_chain(belay_stream_read(stream), belay_op_lines(1 << 20)), count_slowly);
  press();
  turn_with(&noise, A_TURN, A_TURN);
  memset(block, 0, sizeof block);
  end_quiet();
  end_subscription(reading);
  belay_stream_release(stream);
  close(noisy_peer);
}

static void write_lines(const char *path, long count) {
  FILE *file = fopen(path, "w");
  CHECK(file != NULL);
  for (long i = 0; i < count; i++) putc('\n', file);
  CHECK_INT(fclose(file), 0);
}

WITH_LOOP(a_file_of_empty_lines) {
  char path[] = "/tmp/belay-noise-XXXXXX";
  close(mkstemp(path));
  write_lines(path, 100 * A_TURN);
  begin_quiet();
  noise = 0;
  belay_disposable *reading = listen_with(belay_file_lines(loop, path, 0), count_slowly);
  turn_with(&noise, A_TURN, A_TURN);
  end_quiet();
  end_subscription(reading);
  unlink(path);
}

/* All of them come, and then the completion. */
WITH_LOOP(no_line_of_them_is_lost) {
  char path[] = "/tmp/belay-noise-XXXXXX";
  int peer, piped[2];
  close(mkstemp(path));
  write_lines(path, 100 * A_TURN + 1);
  noise = 0;
  belay_disposable *reading = listen_with(belay_file_lines(loop, path, 0), count_slowly);
  run_to_end(loop);
  CHECK_INT(noise, 100 * A_TURN + 1);
  end_subscription(reading);
  unlink(path);

  /* The peer ends its side while lines of it wait, and the end of the last one is missing. */
  belay_stream *stream = pair(&peer, NULL);
  noise = 0;
  reading =
      listen_with(belay_signal_chain(belay_stream_read(stream), belay_op_lines(1 << 20)), count_slowly);
  memset(block, '\n', 1000);
  block[1000] = 'x';
  CHECK_INT(send(peer, block, 1001, 0), 1001);
  memset(block, 0, 1001);
  close(peer);
  run_to_end(loop);
  CHECK_INT(noise, 1001);
  end_subscription(reading);
  belay_stream_release(stream);

  /* A pipe in the place of the file. */
  CHECK_INT(pipe(piped), 0);
  for (int i = 0; i < 1000; i++) CHECK_INT(write(piped[1], "\n", 1), 1);
  close(piped[1]);
  snprintf(path, sizeof path, "/dev/fd/%d", piped[0]);
  noise = 0;
  reading = listen_with(belay_file_lines(loop, path, 0), count_slowly);
  run_to_end(loop);
  CHECK_INT(noise, 1000);
  end_subscription(reading);
  close(piped[0]);
}

static void stop_after_some(void *reading, belay_value value) {
  take_a_moment();
  if (++noise == A_TURN + 1) belay_disposable_dispose(*(belay_disposable **)reading);
}

/* It is disposed of while lines wait for the next turn, and in one of those that come then. */
WITH_LOOP(lines_that_wait_for_a_turn_end_with_the_subscription) {
  for (int is_inside = 0; is_inside < 2; is_inside++) {
    char path[] = "/tmp/belay-noise-XXXXXX";
    belay_disposable *reading = NULL;
    belay_observer observer = BELAY_INIT(belay_observer);
    close(mkstemp(path));
    write_lines(path, 10 * A_TURN);
    observer.next = is_inside ? stop_after_some : count_slowly;
    observer.ctx = &reading;
    for (int of_a_file = 0; of_a_file < 2; of_a_file++) {
      belay_signal *chunks = of_a_file ? belay_file_lines(loop, path, 0)
                                       : belay_signal_chain(belay_file_chunks(loop, path, 0),
                                                            belay_op_lines(1 << 20));
      noise = 0;
      CHECK_INT(belay_signal_subscribe(chunks, &observer, &reading), 0);
      belay_signal_release(chunks);
      TURN_UNTIL(noise >= A_TURN);
      CHECK_INT(noise, A_TURN);
      if (is_inside) TURN_UNTIL(noise > A_TURN);
      end_subscription(reading);
      run_to_end(loop);
      CHECK_INT(noise, A_TURN + is_inside);
    }
    unlink(path);
  }
}

static char noisy_folder[] = "/tmp/belay-noise-XXXXXX";
static int made;

static void touch_again(void) {
  char path[64];
  snprintf(path, sizeof path, "%s/%d", noisy_folder, made++);
  close(open(path, O_CREAT | O_RDWR, 0600));
}
static void count_and_touch(void *ctx, belay_value value) {
  noise++;
  for (int i = 0; i < 2; i++) touch_again();
}

WITH_LOOP(files_that_never_stop) {
  char command[64];
  CHECK(mkdtemp(noisy_folder) != NULL);
  begin_quiet();
  noise = 0;
  belay_disposable *watching = listen_with(belay_file_events(loop, noisy_folder), count_and_touch);
  CHECK_INT(belay_loop_run(loop, BELAY_RUN_NOWAIT), 1);
  touch_again();
  /* So many fit into what is read, without names. */
  turn_with(&noise, 64, 256);
  end_quiet();
  end_subscription(watching);
  snprintf(command, sizeof command, "rm -r %s", noisy_folder);
  CHECK_INT(system(command), 0);
}

static void post_two(void *ctx) {
  count_slowly(NULL, belay_null());
  for (int i = 0; i < 2; i++) (void)belay_loop_post(loop, post_two, NULL, NULL);
}

WITH_LOOP(messages_that_never_stop) {
  begin_quiet();
  noise = 0;
  post_two(NULL);
  turn_with(&noise, A_TURN, A_TURN);
  end_quiet();
}

/* A whole queue comes from another loop at once. */
static void send_a_thousand(void *ctx) {
  belay_loop *there = belay_loop_create(NULL);
  belay_scheduler *scheduler = belay_loop_get_scheduler(loop);
  belay_signal *subject = belay_subject_create(NULL);
  belay_disposable *subscription = listen_with(
      belay_signal_chain(belay_signal_retain(subject), belay_op_observe_on(scheduler, NULL)), count_slowly);
  for (int i = 0; i < 1000; i++) CHECK(belay_subject_next(subject, belay_int32(i)) >= 0);
  *(belay_disposable **)ctx = subscription;
  belay_signal_release(subject);
  close_loop(there);
}

WITH_LOOP(another_loop_that_sends_a_thousand) {
  belay_disposable *subscription = NULL;
  begin_quiet();
  noise = 0;
  in_thread(send_a_thousand, &subscription);
  turn_with(&noise, A_TURN, A_TURN);
  TURN_UNTIL(noise == 1000);
  end_quiet();
  end_subscription(subscription);
}

static void close_timer(uv_timer_t *timer) { uv_close((uv_handle_t *)timer, NULL); }
static void send_to_all(void *subject) {
  for (int i = 0; i < 1000; i++) CHECK(belay_subject_next(subject, belay_int32(i)) >= 0);
}

/* A host's loop in which nothing else is alive any more goes on until it has opened what came by its first turn. */
static void a_run_of_the_hosts_takes_all_of_it(void) {
  uv_loop_t own;
  uv_timer_t timer;
  CHECK_INT(uv_loop_init(&own), 0);
  loop = belay_loop_adopt(&own, NULL);
  belay_signal *subject = belay_subject_create(NULL);
  belay_disposable *subscription = listen_with(belay_signal_retain(subject), count_slowly);
  noise = 0;
  in_thread(send_to_all, subject);
  uv_timer_init(&own, &timer);
  uv_timer_start(&timer, close_timer, 1, 0);
  CHECK_INT(uv_run(&own, UV_RUN_DEFAULT), 0);
  CHECK_INT(noise, 1000);
  end_subscription(subscription);
  belay_signal_release(subject);
  CHECK_INT(belay_loop_close(loop, NULL, NULL, NULL), 0);
  belay_loop_release(loop);
  uv_run(&own, UV_RUN_DEFAULT);
  CHECK_INT(uv_loop_close(&own), 0);
}

static void note_signal(void *ctx, belay_value value) { ++*(int *)ctx; }

/* A queue that is always full holds up no signal of the system's. */
WITH_LOOP(beside_a_full_queue_the_system_is_heard) {
  int heard = 0;
  belay_observer observer = BELAY_INIT(belay_observer);
  belay_disposable *listening = NULL;
  begin_quiet();
  observer.next = note_signal;
  observer.ctx = &heard;
  belay_signal *signals = belay_posix_signal(loop, SIGUSR1);
  CHECK_INT(belay_signal_subscribe(signals, &observer, &listening), 0);
  belay_signal_release(signals);
  noise = 0;
  post_two(NULL);
  for (int i = 0; i < 20; i++) CHECK_INT(belay_loop_run(loop, BELAY_RUN_NOWAIT), 1);
  CHECK_INT(noise, 1 + 2 + 4 + 8 + 16 + 32 + 64 + 14 * A_TURN);
  for (int i = 1; i <= 10; i++) {
    raise(SIGUSR1);
    CHECK_INT(belay_loop_run(loop, BELAY_RUN_NOWAIT), 1);
    CHECK_INT(heard, i);
  }
  end_quiet();
  end_subscription(listening);
}

static const test_case cases[] = {
    CASE(a_peer_that_never_stops),     CASE(a_file_without_an_end),
    CASE(connections_that_never_stop), CASE(datagrams_that_never_stop),
    CASE(many_that_never_stop),        CASE(lines_that_never_stop),
    CASE(a_file_of_empty_lines),       CASE(no_line_of_them_is_lost),
    CASE(lines_that_wait_for_a_turn_end_with_the_subscription),
    CASE(files_that_never_stop),       CASE(messages_that_never_stop),
    CASE(another_loop_that_sends_a_thousand), CASE(a_run_of_the_hosts_takes_all_of_it),
    CASE(beside_a_full_queue_the_system_is_heard),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
