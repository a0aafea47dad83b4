/* What comes while a callback runs turns: it waits in the system until the callback has returned, because the
   subscriber may leave before. */
#include "streams.h"

#include <sys/resource.h>

static belay_disposable *first;
static int heard, peers[2048], peer_count;

static void leave_after_turns(void) {
  for (int i = 0; i < 4; i++) CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  belay_disposable_dispose(first);
}

static void subscribe(belay_signal *signal, void (*next)(void *ctx, belay_value value),
                      belay_disposable **subscription) {
  belay_observer observer = tracing("");
  observer.next = next;
  observer.error = trace_message;
  CHECK_INT(belay_signal_subscribe(signal, &observer, subscription), 0);
  belay_signal_release(signal);
}

static void note_time(void *is_over) { *(int *)is_over = 1; }

/* Turns that wait make no more than a few of themselves until a time has come. */
static void expect_turns_that_wait(void) {
  int is_over = 0;
  belay_disposable *timer = NULL;
  CHECK_INT(belay_scheduler_after(belay_loop_get_scheduler(loop), 0.05, note_time, &is_over, NULL,
                                  &timer), 0);
  uint64_t turns = belay_loop_turns(loop);
  while (!is_over) CHECK(belay_loop_run(loop, BELAY_RUN_ONCE) >= 0);
  CHECK(belay_loop_turns(loop) - turns < 20);
  end_subscription(timer);
}

/* ---- connections ---- */

static belay_listener *listener;
static belay_stream *accepted[2048];
static int accepted_count;

static void connect_one(void) { peers[peer_count++] = connect_plainly(belay_listener_port(listener)); }
static void keep(belay_value value) {
  accepted[accepted_count++] = belay_stream_retain(belay_value_get_stream(value));
}
static void keep_each(void *ctx, belay_value value) { keep(value); }

static void keep_one_and_leave(void *ctx, belay_value value) {
  keep(value);
  connect_one();
  connect_one();
  leave_after_turns();
}
static void keep_while_many_come(void *ctx, belay_value value) {
  keep(value);
  if (heard++ > 0) return;
  for (int i = 0; i < 1100; i++) {
    if (i % 100 == 0) CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
    connect_one();
  }
  for (int i = 0; i < 100; i++) CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  CHECK_INT(accepted_count, 1);
  expect_turns_that_wait();
}
static void open_listener(void) {
  heard = peer_count = accepted_count = 0;
  listener = belay_tcp_listen(loop, "127.0.0.1", 0,
                              &BELAY_INIT(belay_stream_options, .backlog = 2048));
  CHECK(listener != NULL);
}
static void close_all(void) {
  for (int i = 0; i < accepted_count; i++) belay_stream_release(accepted[i]);
  for (int i = 0; i < peer_count; i++) close(peers[i]);
  belay_listener_release(listener);
}

WITH_LOOP(connections_wait_for_the_next_subscriber) {
  belay_disposable *second = NULL;
  open_listener();
  subscribe(belay_listener_connections(listener), keep_one_and_leave, &first);
  connect_one();
  TURN_UNTIL(has_traced("free"));
  CHECK_INT(accepted_count, 1);
  subscribe(belay_listener_connections(listener), keep_each, &second);
  TURN_UNTIL(accepted_count == 3);
  end_subscription(second);
  end_subscription(first);
  trace_clear();
  close_all();
}

WITH_LOOP(so_do_more_than_a_queue_holds) {
  /* Both ends are descriptors of this process, which may have fewer. */
  struct rlimit limit;
  CHECK_INT(getrlimit(RLIMIT_NOFILE, &limit), 0);
  struct rlimit raised = {4096, limit.rlim_max};
  if (setrlimit(RLIMIT_NOFILE, &raised) != 0) return;
  open_listener();
  subscribe(belay_listener_connections(listener), keep_while_many_come, &first);
  connect_one();
  TURN_UNTIL(accepted_count == 1101);
  CHECK_TRACE("");
  end_subscription(first);
  close_all();
  trace_clear();
  CHECK_INT(setrlimit(RLIMIT_NOFILE, &limit), 0);
}

/* ---- bytes ---- */

static belay_stream *stream;
static int peer;
static size_t taken;

static void take_bytes(void *ctx, belay_value value) {
  belay_view view = {0};
  CHECK_INT(belay_value_get_bytes(value, &view), 0);
  taken += view.size;
}

static void read_one_and_leave(void *ctx, belay_value value) {
  trace_bytes(ctx, value);
  say(peer, "2");
  leave_after_turns();
}

static void read_while_many_come(void *ctx, belay_value value) {
  take_bytes(ctx, value);
  if (heard++ > 0) return;
  for (int i = 0; i < 3000; i++) {
    /* The system holds so many. */
    if (send(peer, "x", 1, MSG_DONTWAIT) == 1) peer_count++;
    CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  }
  CHECK_INT(heard, 1);
  expect_turns_that_wait();
}

WITH_LOOP(bytes_wait_for_the_next_reader) {
  belay_disposable *second = NULL;
  stream = pair(&peer, NULL);
  subscribe(belay_stream_read(stream), read_one_and_leave, &first);
  say(peer, "1");
  TURN_UNTIL(has_traced("free"));
  CHECK_TRACE("1 | disposed | free");
  subscribe(belay_stream_read(stream), trace_bytes, &second);
  say(peer, "3");
  TURN_UNTIL(has_traced("3"));
  CHECK_TRACE("23");
  end_subscription(second);
  end_subscription(first);
  trace_clear();
  belay_stream_release(stream);
  close(peer);
}

WITH_LOOP(so_do_more_pieces_than_a_queue_holds) {
  belay_stream_options options = BELAY_INIT(belay_stream_options);
  options.read_high = 1 << 20;
  heard = peer_count = 0;
  taken = 0;
  stream = pair(&peer, &options);
  subscribe(belay_stream_read(stream), read_while_many_come, &first);
  say(peer, "x");
  TURN_UNTIL(taken == (size_t)peer_count + 1 || has_traced("error"));
  CHECK_TRACE("");
  end_subscription(first);
  trace_clear();
  belay_stream_release(stream);
  close(peer);
}

/* ---- datagrams ---- */

static struct sockaddr_in address;
static int sender;

static void send_one(void) {
  CHECK_INT(sendto(sender, "x", 1, 0, (void *)&address, sizeof address), 1);
}
static void receive_while_many_come(void *ctx, belay_value value) {
  belay_value number;
  int64_t port = 0;
  if (heard++ == 0) { /* its address */
    CHECK_INT(belay_value_get_item(value, 2, &number), 0);
    CHECK_INT(belay_value_get_int64(number, &port), 0);
    address = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  }
  if (heard != 2) return;
  for (int i = 0; i < 3000; i++) {
    send_one();
    CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  }
  CHECK_INT(heard, 2);
  expect_turns_that_wait();
}
WITH_LOOP(so_do_datagrams) {
  belay_udp_options options = BELAY_INIT(belay_udp_options);
  options.host = "127.0.0.1";
  heard = 0;
  sender = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  subscribe(belay_udp(loop, NULL, &options), receive_while_many_come, &first);
  TURN_UNTIL(heard == 1);
  send_one();
  /* Those for which the system had no room do not come. */
  TURN_UNTIL(heard > 10 || has_traced("error"));
  CHECK_TRACE("");
  end_subscription(first);
  trace_clear();
  close(sender);
}

/* ---- what is ready all the time ---- */

static void wait_at_first(void *ctx, belay_value value) {
  if (heard++ == 0) expect_turns_that_wait();
}

WITH_LOOP(turns_wait_inside_of_a_poll) {
  int ends[2];
  heard = 0;
  CHECK_INT(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
  subscribe(belay_poll(loop, ends[0], BELAY_POLL_WRITABLE), wait_at_first, &first);
  /* It goes on afterwards. */
  TURN_UNTIL(heard == 3);
  CHECK_TRACE("");
  end_subscription(first);
  trace_clear();
  close(ends[0]);
  close(ends[1]);
}

WITH_LOOP(turns_wait_inside_of_a_timer_of_the_wall_clock) {
  heard = 0;
  subscribe(belay_wall_timer(loop, 0), wait_at_first, &first);
  TURN_UNTIL(has_traced("free"));
  CHECK_INT(heard, 1);
  CHECK_TRACE("completed | disposed | free");
  end_subscription(first);
}

static const test_case cases[] = {
    CASE(connections_wait_for_the_next_subscriber),
    CASE(so_do_more_than_a_queue_holds),
    CASE(bytes_wait_for_the_next_reader),
    CASE(so_do_more_pieces_than_a_queue_holds),
    CASE(so_do_datagrams),
    CASE(turns_wait_inside_of_a_poll),
    CASE(turns_wait_inside_of_a_timer_of_the_wall_clock),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
