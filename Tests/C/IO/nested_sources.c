#define _GNU_SOURCE
/* Sources whose callback ends a source, and runs a turn: libuv looks at what it has called back for, again. */
#include "cases.h"

#include <uv.h>

#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static belay_loop *loop;
static int heard;

static void run_two_turns(void) {
  for (int i = 0; i < 2; i++) CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
}

/* ---- children that end by one turn ---- */

static belay_disposable *children[2];
static void dispose_of_the_other(void *ctx, belay_value value) {
  if (belay_value_count(value) != 2) return;
  heard++;
  belay_disposable_dispose(children[ctx == NULL]);
  run_two_turns();
}
static void a_child_ends_the_wait_for_another(void) {
  const char *args[] = {"true", NULL};
  belay_process_options options = {.size = sizeof options, .args = args};
  loop = open_loop();
  for (int round = 0; round < 5; round++) {
    heard = 0;
    for (int i = 0; i < 2; i++) {
      belay_observer observer = {
          .size = sizeof observer, .next = dispose_of_the_other, .ctx = i ? &children : NULL};
      belay_signal *process = belay_process(loop, &options);
      CHECK_INT(belay_signal_subscribe(process, &observer, &children[i]), 0);
      belay_signal_release(process);
    }
    usleep(20000); /* So that both have probably ended. */
    while (!heard) CHECK(belay_loop_run(loop, BELAY_RUN_ONCE) >= 0);
    CHECK_INT(heard, 1);
    for (int i = 0; i < 2; i++) end_subscription(children[i]);
  }
  close_loop(loop);
}

/* ---- datagrams ---- */

static belay_disposable *socket_subscription;
static in_port_t port;

/* Whether it is the socket's own address, which comes first. */
static int is_address(belay_value value) {
  belay_value item;
  int64_t number;
  CHECK_INT(belay_value_get_item(value, 0, &item), 0);
  if (belay_value_kind(item) != BELAY_KIND_NULL) return 0;
  CHECK_INT(belay_value_get_item(value, 2, &item), 0);
  CHECK_INT(belay_value_get_int64(item, &number), 0);
  port = htons((in_port_t)number);
  return 1;
}
static void open_socket(void (*next)(void *ctx, belay_value value)) {
  heard = port = 0;
  belay_udp_options options = {.size = sizeof options, .host = "127.0.0.1"};
  belay_observer observer = {.size = sizeof observer, .next = next};
  belay_signal *udp = belay_udp(loop, NULL, &options);
  CHECK_INT(belay_signal_subscribe(udp, &observer, &socket_subscription), 0);
  belay_signal_release(udp);
}
static void send_three(void) {
  int sender = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  struct sockaddr_in address = {
      .sin_family = AF_INET, .sin_port = port, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  for (int i = 0; i < 3; i++)
    CHECK_INT((int)sendto(sender, "hello", 5, 0, (void *)&address, sizeof address), 5);
  close(sender);
}

static void dispose_of_the_socket(void *ctx, belay_value value) {
  if (is_address(value)) return;
  heard++;
  belay_disposable_dispose(socket_subscription);
  run_two_turns();
}
static void a_datagram_ends_its_socket(void) {
  loop = open_loop();
  open_socket(dispose_of_the_socket);
  while (!port) CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  send_three();
  while (!heard) CHECK(belay_loop_run(loop, BELAY_RUN_ONCE) >= 0);
  run_two_turns();
  CHECK_INT(heard, 1);
  end_subscription(socket_subscription);
  close_loop(loop);
}

/* ---- the error of a poll ---- */

static int ends[2];
static void close_the_reader(void *ctx, belay_value value) {
  if (heard++ > 0) return;
  close(ends[0]);
  run_two_turns();
}
static void an_error_inside_of_its_polls_event_is_told(void) {
  loop = open_loop();
  heard = 0;
  CHECK_INT(pipe2(ends, O_CLOEXEC), 0);
  belay_observer observer = tracing("");
  observer.next = close_the_reader;
  belay_signal *poll = belay_poll(loop, ends[1], BELAY_POLL_WRITABLE);
  CHECK_INT(belay_signal_subscribe(poll, &observer, &socket_subscription), 0);
  belay_signal_release(poll);
  while (!heard) CHECK(belay_loop_run(loop, BELAY_RUN_ONCE) >= 0);
  run_two_turns();
  CHECK_TRACE("error EBADF | disposed | free");
  end_subscription(socket_subscription);
  close(ends[1]);
  close_loop(loop);
}

/* ---- a connection at a number that another stream had ---- */

static belay_stream *streams[2], *connected;
static int peers[2];
static void keep_connection(void *ctx, belay_value value) {
  connected = belay_stream_retain(belay_value_get_stream(value));
}
/* The number of the stream that it closes is the next that is free. The event of that stream comes
   after this one, in the turn outside. */
static void connect_at_its_number(void *ctx, belay_value value) {
  if (heard++ > 0) return;
  run_two_turns();
  belay_stream_close(streams[1]);
  belay_observer observer = {.size = sizeof observer, .next = keep_connection};
  belay_signal *connecting = belay_tcp_connect(loop, "127.0.0.1", ntohs(port), NULL);
  CHECK_INT(belay_signal_subscribe(connecting, &observer, NULL), 0);
  belay_signal_release(connecting);
}

/* A listener that lets nobody more in, until what waits there has been accepted. */
static int open_full_listener(int *waiting) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof address;
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  *waiting = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  CHECK_INT(bind(listener, (void *)&address, size), 0);
  CHECK_INT(listen(listener, 0), 0);
  CHECK_INT(getsockname(listener, (void *)&address, &size), 0);
  CHECK_INT(connect(*waiting, (void *)&address, size), 0);
  struct pollfd poll_for = {listener, POLLIN, 0};
  CHECK_INT(poll(&poll_for, 1, 60000), 1);
  port = address.sin_port;
  return listener;
}

static void a_connection_gets_no_event_of_another_stream(void) {
  enum { LARGE = 8 << 20 };
  int waiting, listener = open_full_listener(&waiting);
  char *large = calloc(1, LARGE);
  loop = open_loop();
  heard = 0;
  connected = NULL;
  for (int i = 0; i < 2; i++) {
    int both[2];
    CHECK_INT(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, both), 0);
    peers[i] = both[1];
    streams[i] = belay_stream_open(loop, both[0], NULL);
  }
  belay_observer observer = {.size = sizeof observer, .next = connect_at_its_number};
  belay_disposable *reading = NULL;
  belay_signal *read_there = belay_stream_read(streams[0]);
  CHECK_INT(belay_signal_subscribe(read_there, &observer, &reading), 0);
  belay_signal_release(read_there);
  CHECK_INT(belay_stream_write(streams[1], belay_bytes(large, LARGE)), BELAY_QUEUED);
  run_two_turns();
  /* Both have an event in the next turn. */
  CHECK_INT(write(peers[0], "x", 1), 1);
  while (recv(peers[1], large, LARGE, MSG_DONTWAIT) > 0) continue;
  for (int i = 0; i < 20; i++) CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  CHECK_INT(heard, 1);
  CHECK(connected == NULL);
  /* When there is room, the system's next try succeeds. */
  int accepted = accept(listener, NULL, NULL);
  while (!connected) CHECK(belay_loop_run(loop, BELAY_RUN_ONCE) >= 0);
  CHECK_INT(belay_stream_write(connected, belay_string("text")), 0);
  belay_stream_release(connected);
  end_subscription(reading);
  for (int i = 0; i < 2; i++) {
    belay_stream_release(streams[i]);
    close(peers[i]);
  }
  close(accepted);
  close(waiting);
  close(listener);
  close_loop(loop);
  free(large);
}

/* ---- a host's loop is closed ---- */

static uv_loop_t uv;
static int closes;
static void note_closed(void *ctx, const belay_open_resource *const *open, size_t count) {
  closes++;
}
static void close_the_loop(void) {
  CHECK(belay_loop_close(loop, note_closed, NULL, NULL) >= 0);
}
static void run_hosts_turns(int turns) {
  for (int i = 0; i < turns; i++) uv_run(&uv, UV_RUN_NOWAIT);
}
/* Who reads what has been freed meanwhile reads ones. */
static void fill_what_was_freed(void) {
  void *blocks[64];
  for (int i = 0; i < 64; i++) blocks[i] = memset(malloc(16 + 16 * i), 1, 16 + 16 * i);
  for (int i = 0; i < 64; i++) free(blocks[i]);
}
static void adopt_hosts_loop(void) {
  closes = 0;
  CHECK_INT(uv_loop_init(&uv), 0);
  loop = belay_loop_adopt(&uv, NULL);
}
static void get_datagrams(void (*next)(void *ctx, belay_value value)) {
  open_socket(next);
  while (!port) uv_run(&uv, UV_RUN_NOWAIT);
  send_three();
}
static void end_hosts_loop(void) {
  while (uv_run(&uv, UV_RUN_DEFAULT)) continue;
  CHECK_INT(heard, 1);
  CHECK_INT(closes, 1);
  end_subscription(socket_subscription);
  belay_loop_release(loop);
  CHECK_INT(uv_loop_close(&uv), 0);
}

static void close_in_a_datagram(void *ctx, belay_value value) {
  if (is_address(value)) return;
  heard++;
  close_the_loop();
  run_hosts_turns(3);
  fill_what_was_freed();
}
static void a_datagram_closes_a_hosts_loop(void) {
  adopt_hosts_loop();
  get_datagrams(close_in_a_datagram);
  while (!heard) uv_run(&uv, UV_RUN_ONCE);
  end_hosts_loop();
}

/* What the close ends first runs turns, in which the datagrams come. */
static void end_the_socket(void *ctx, belay_value value) {
  if (is_address(value)) return;
  heard++;
  belay_disposable_dispose(socket_subscription);
  run_hosts_turns(3);
  fill_what_was_freed();
}
static void run_turns_at_the_end(void *ctx) { run_hosts_turns(3); }
static void a_datagram_comes_while_a_hosts_loop_closes(void) {
  adopt_hosts_loop();
  belay_signal *never = belay_signal_never();
  belay_observer observer = {.size = sizeof observer, .disposed = run_turns_at_the_end};
  CHECK_INT(belay_signal_subscribe(never, &observer, NULL), 0);
  belay_signal_release(never);
  get_datagrams(end_the_socket);
  close_the_loop();
  end_hosts_loop();
}

/* ---- lines of a FIFO ---- */

enum { LINES = 20000 };
static char fifo[64];
static int completed;
static void expect_line(void *ctx, belay_value value) {
  belay_view view;
  char text[16] = "";
  CHECK_INT(belay_value_get_bytes(value, &view), 0);
  CHECK(view.size < sizeof text);
  memcpy(text, view.data, view.size < sizeof text ? view.size : 0);
  CHECK_INT(atoi(text), heard);
  if (++heard % 7 == 0) CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
}
static void note_completed(void *ctx) { completed = 1; }
static void write_lines(void *ctx) {
  char text[4096];
  size_t size = 0;
  int fd = open(fifo, O_WRONLY | O_CLOEXEC);
  for (int i = 0; i < LINES; i++) {
    size += (size_t)sprintf(text + size, "%d\n", i);
    if (i % 37 && i < LINES - 1) continue;
    CHECK_INT(write(fd, text, size) == (ssize_t)size, 1);
    size = 0;
  }
  close(fd);
}
static void lines_of_a_fifo_come_once_and_in_order(void) {
  snprintf(fifo, sizeof fifo, "/tmp/belay-nested-%d", (int)getpid());
  CHECK_INT(mkfifo(fifo, 0600), 0);
  loop = open_loop();
  heard = completed = 0;
  belay_observer observer = {
      .size = sizeof observer, .next = expect_line, .completed = note_completed};
  belay_signal *lines = belay_file_lines(loop, fifo, 0);
  belay_disposable *subscription = NULL;
  CHECK_INT(belay_signal_subscribe(lines, &observer, &subscription), 0);
  belay_signal_release(lines);
  routine writer;
  start_thread(&writer, write_lines, NULL);
  while (!completed) CHECK(belay_loop_run(loop, BELAY_RUN_ONCE) >= 0);
  join_thread(&writer);
  CHECK_INT(heard, LINES);
  end_subscription(subscription);
  close_loop(loop);
  unlink(fifo);
}

static const test_case cases[] = {
    CASE(a_child_ends_the_wait_for_another),
    CASE(a_datagram_ends_its_socket),
    CASE(an_error_inside_of_its_polls_event_is_told),
    CASE(a_connection_gets_no_event_of_another_stream),
    CASE(a_datagram_closes_a_hosts_loop),
    CASE(a_datagram_comes_while_a_hosts_loop_closes),
    CASE(lines_of_a_fifo_come_once_and_in_order),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
