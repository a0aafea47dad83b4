#define _GNU_SOURCE
/* Sources that never fall silent, beside a quiet stream and a timer: each turn takes a bounded part of the noise, and
   the others get their turn. */
#include "streams.h"

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
  belay_disposable *reading = listen_with(belay_udp(loop, &options, nothing), count_and_flood);
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

static const test_case cases[] = {
    CASE(a_peer_that_never_stops),     CASE(a_file_without_an_end),
    CASE(connections_that_never_stop), CASE(datagrams_that_never_stop),
    CASE(many_that_never_stop),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
