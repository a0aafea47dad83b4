/* Sources of this thread's loop, whose subscriber's home is another loop that is busy for long. They end there when
   that goes on, and send nothing more meanwhile. */
#include "streams.h"
#include "worker.h"

#include <sys/stat.h>

static worker other;
static sem_t inside, go_on;
static int fds_of_all;

static void hold_inside(void *ctx) {
  sem_post(&inside);
  wait_for(&go_on);
}

static void subscribe(void *signal) { watch(signal, ""); }

/* A home with so much room, which is busy, and has subscribed. The start waits at this thread's loop. */
static void begin_busy(belay_signal *signal, size_t capacity) {
  other = (worker){.capacity = capacity};
  sem_init(&inside, 0, 0);
  sem_init(&go_on, 0, 0);
  start_worker(&other);
  on_worker(&other, subscribe, signal);
  while (belay_loop_post(other.loop, hold_inside, NULL, NULL) == BELAY_EAGAIN) sched_yield();
  wait_for(&inside);
  fds_of_all = descriptors();
}

/* The same without any room. */
static void begin_full(belay_signal *signal) {
  begin_busy(signal, 1);
  CHECK_INT(belay_loop_post(other.loop, empty_action, NULL, NULL), 0);
  CHECK_INT(belay_loop_post(other.loop, empty_action, NULL, NULL), BELAY_EAGAIN);
  check_last_error(BELAY_EAGAIN);
}

/* It goes on, and its disposal comes to this loop. */
static void end_busy(void) {
  sem_post(&go_on);
  meet(&other);
  turn(loop);
  stop_worker(&other);
  turn(loop);
  sem_destroy(&inside);
  sem_destroy(&go_on);
}

/* Each turn waits for an event, and there are events while the condition does not hold. */
#define TURN_SOON_UNTIL(condition)                         \
  do {                                                     \
    for (int i_ = 0; i_ < 1000 && !(condition); i_++)      \
      CHECK(belay_loop_run(loop, BELAY_RUN_ONCE) >= 0);    \
    CHECK(condition);                                      \
  } while (0)

WITH_LOOP(a_timer_that_has_sent_is_over) {
  uint64_t lost = belay_lost_count();
  begin_busy(belay_wall_timer(loop, 1), 0);
  turn(loop);
  CHECK_INT(handles(loop), handles_before + 1);
  TURN_SOON_UNTIL(handles(loop) == handles_before);
  end_busy();
  CHECK_TRACE("next null | completed | disposed | free");
  CHECK_INT(belay_lost_count(), lost);
}

WITH_LOOP(a_timer_whose_value_has_no_room_fails) {
  begin_full(belay_wall_timer(loop, 1));
  turn(loop);
  TURN_SOON_UNTIL(handles(loop) == handles_before);
  end_busy();
  CHECK_TRACE("error EAGAIN | disposed | free");
}

/* One error, and none for each further event. */
WITH_LOOP(a_source_that_finds_no_room_fails_once) {
  size_t errors = belay_live_count(BELAY_LIVE_ERRORS);
  uint64_t lost = belay_lost_count();
  begin_full(belay_ticks(loop, BELAY_TICK_IDLE));
  for (int i = 0; i < 100; i++) turn(loop);
  CHECK_INT(belay_live_count(BELAY_LIVE_ERRORS), errors + 1);
  end_busy();
  CHECK_TRACE("error EAGAIN | disposed | free");
  CHECK_INT(belay_lost_count(), lost);
}

WITH_LOOP(a_file_is_read_no_further) {
  char path[] = "/tmp/belay-busy-XXXXXX";
  int file = mkstemp(path);
  for (int i = 0; i < 1 << 16; i++) CHECK_INT(write(file, "a line\n", 7), 7);
  close(file);
  begin_full(belay_file_lines(loop, path, 0));
  turn(loop);
  TURN_SOON_UNTIL(descriptors() > fds_of_all);
  TURN_SOON_UNTIL(descriptors() == fds_of_all);
  end_busy();
  CHECK_TRACE("error EAGAIN | disposed | free");
  unlink(path);
}

/* Whether a peer's connection has been closed. */
static int is_closed(int peer) { return recv(peer, &(char){0}, 1, MSG_DONTWAIT) == 0; }

static int streams;
static void count_stream(void *ctx, belay_value value) { streams++; }

/* Those that have not been accepted are the next subscriber's. */
WITH_LOOP(connections_wait_for_who_has_room) {
  int peers[3];
  belay_disposable *accepting = NULL;
  belay_listener *listener = belay_tcp_listen(loop, "127.0.0.1", 0, NULL);
  for (int i = 0; i < 3; i++) peers[i] = connect_plainly(belay_listener_port(listener));
  begin_full(belay_listener_connections(listener));
  turn(loop);
  TURN_SOON_UNTIL(is_closed(peers[0]));
  for (int i = 0; i < 10; i++) turn(loop);
  belay_observer observer = tracing("next");
  observer.next = count_stream;
  belay_signal *connections = belay_listener_connections(listener);
  streams = 0;
  CHECK_INT(belay_signal_subscribe(connections, &observer, &accepting), 0);
  belay_signal_release(connections);
  for (int i = 0; i < 10; i++) turn(loop);
  CHECK_INT(streams, 2);
  CHECK_TRACE("");
  end_subscription(accepting);
  CHECK_TRACE("next disposed | next free");
  end_busy();
  CHECK_TRACE("error EAGAIN | disposed | free");
  for (int i = 0; i < 3; i++) close(peers[i]);
  belay_listener_release(listener);
}

WITH_LOOP(a_connection_without_room_fails) {
  struct sockaddr_in address = {.sin_family = AF_INET};
  socklen_t size = sizeof address;
  int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  CHECK(bind(server, (struct sockaddr *)&address, size) == 0 && listen(server, 8) == 0);
  CHECK_INT(getsockname(server, (struct sockaddr *)&address, &size), 0);
  begin_full(belay_tcp_connect(loop, "127.0.0.1", ntohs(address.sin_port), NULL));
  turn(loop);
  int peer = accept(server, NULL, NULL);
  TURN_SOON_UNTIL(is_closed(peer));
  end_busy();
  CHECK_TRACE("error EAGAIN | disposed | free");
  close(peer);
  close(server);
}

static const test_case cases[] = {
    CASE(a_timer_that_has_sent_is_over),
    CASE(a_timer_whose_value_has_no_room_fails),
    CASE(a_source_that_finds_no_room_fails_once),
    CASE(a_file_is_read_no_further),
    CASE(connections_wait_for_who_has_room),
    CASE(a_connection_without_room_fails),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
