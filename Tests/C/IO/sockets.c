#define _GNU_SOURCE
/* Connecting and listening, by TCP and by Unix sockets. */
#include "streams.h"

#include <sys/resource.h>
#include <sys/stat.h>

static belay_listener *listen_here(void) {
  belay_listener *listener = belay_tcp_listen(loop, "127.0.0.1", 0, NULL);
  CHECK(listener != NULL);
  CHECK(belay_listener_port(listener) > 0);
  return listener;
}

static void ask_elsewhere(void *stream) {
  CHECK_STRING(belay_stream_local_address(stream), "");
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EWRONGTHREAD);
  CHECK_STRING(belay_stream_peer_address(stream), "");
}

WITH_LOOP(both_sides_of_a_connection) {
  belay_stream *here, *there;
  char expected[64];
  belay_listener *listener = listen_here();
  snprintf(expected, sizeof expected, "127.0.0.1:%d", belay_listener_port(listener));
  CHECK_STRING(belay_listener_address(listener), expected);
  belay_disposable *accepting = take_streams(belay_listener_connections(listener), &there);
  belay_disposable *connecting = take_streams(
      belay_tcp_connect(loop, "127.0.0.1", (uint16_t)belay_listener_port(listener), NULL), &here);
  TURN_UNTIL(here && there);
  CHECK_STRING(belay_stream_peer_address(here), expected);
  CHECK_STRING(belay_stream_local_address(there), expected);
  CHECK_STRING(belay_stream_peer_address(there), belay_stream_local_address(here));
  in_thread(ask_elsewhere, there);
  /* An echo, ended by the half close. */
  watch(belay_stream_write_all(there, belay_stream_read(there)), "echo");
  belay_disposable_release(hear(belay_stream_read(here)));
  CHECK_INT(belay_stream_write(here, text("hello")), 0);
  CHECK_INT(belay_stream_shutdown(here), 0);
  TURN_UNTIL(has_traced("echo free"));
  CHECK_INT(belay_stream_shutdown(there), 0);
  TURN_UNTIL(has_traced("| free"));
  CHECK(has_traced("hello") && has_traced("| completed"));
  trace_clear();
  belay_stream_release(here);
  belay_stream_release(there);
  end_subscription(connecting);
  end_subscription(accepting);
  belay_listener_release(listener);
}

WITH_LOOP(options_of_connections) {
  belay_stream *here;
  int yes = 0, idle = 0;
  socklen_t size = sizeof yes;
  belay_stream_options options = BELAY_INIT(belay_stream_options);
  options.nodelay = 1;
  options.keepalive = 7;
  belay_listener *listener = listen_here();
  belay_disposable *connecting = take_streams(
      belay_tcp_connect(loop, "127.0.0.1", (uint16_t)belay_listener_port(listener), &options),
      &here);
  TURN_UNTIL(here != NULL);
  /* The newest descriptor is the connection's. */
  int fd = descriptors();
  while (fd-- > 3)
    if (getsockopt(fd, IPPROTO_TCP, 1 /* TCP_NODELAY */, &yes, &size) == 0 && yes) break;
  CHECK(fd > 3);
  CHECK_INT(getsockopt(fd, IPPROTO_TCP, 4 /* TCP_KEEPIDLE */, &idle, &size), 0);
  CHECK_INT(idle, 7);
  belay_stream_release(here);
  end_subscription(connecting);
  belay_listener_release(listener);
  options.keepalive = -1;
  CHECK(!belay_tcp_connect(loop, "127.0.0.1", 1, &options));
  check_last_error(BELAY_EINVAL);
}

WITH_LOOP(nobody_listens) {
  char expected[128];
  belay_listener *listener = listen_here();
  int port = belay_listener_port(listener);
  belay_listener_release(listener);
  snprintf(expected, sizeof expected,
           "error ECONNREFUSED: 127.0.0.1:%d: connection refused | disposed | free", port);
  watch_errors(belay_tcp_connect(loop, "127.0.0.1", (uint16_t)port, NULL));
  run_to_end(loop);
  CHECK_TRACE(expected);
}

WITH_LOOP(a_name_has_several_addresses) {
  belay_stream *here, *there;
  belay_listener *listener = listen_here();
  belay_disposable *accepting = take_streams(belay_listener_connections(listener), &there);
  belay_disposable *connecting = take_streams(
      belay_tcp_connect(loop, "localhost", (uint16_t)belay_listener_port(listener), NULL), &here);
  TURN_UNTIL(here && there);
  belay_stream_release(here);
  belay_stream_release(there);
  end_subscription(connecting);
  end_subscription(accepting);
  belay_listener_release(listener);
}

WITH_LOOP(a_name_that_is_none) {
  watch_errors(belay_tcp_connect(loop, "no such host", 80, NULL));
  run_to_end(loop);
  CHECK(has_traced("no such host:80: unknown node or service | disposed | free"));
  trace_clear();
  /* Given up while it is looked up. */
  belay_disposable *connecting = watched(belay_tcp_connect(loop, "localhost", 80, NULL), "");
  end_subscription(connecting);
  CHECK_TRACE("disposed | free");
  quiet_loop();
  watch(belay_tcp_connect(loop, "localhost", 80, NULL), "");
  close_early();
  CHECK_TRACE("disposed | free");
}

/* A server whose queue is full answers nobody. */
WITH_LOOP(a_connection_in_progress_is_given_up) {
  struct sockaddr_in address = {.sin_family = AF_INET};
  socklen_t size = sizeof address;
  int fillers[8], server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  CHECK(bind(server, (struct sockaddr *)&address, size) == 0 && listen(server, 0) == 0);
  CHECK_INT(getsockname(server, (struct sockaddr *)&address, &size), 0);
  for (int i = 0; i < 8; i++) {
    fillers[i] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    (void)!connect(fillers[i], (struct sockaddr *)&address, size);
  }
  uint16_t port = ntohs(address.sin_port);
  belay_disposable *connecting = watched(belay_tcp_connect(loop, "127.0.0.1", port, NULL), "one");
  for (int i = 0; i < 3; i++) CHECK_INT(belay_loop_run(loop, BELAY_RUN_NOWAIT), 1);
  CHECK_TRACE("");
  end_subscription(connecting);
  CHECK_TRACE("one disposed | one free");
  /* The loop's close gives up, too. */
  quiet_loop();
  watch(belay_tcp_connect(loop, "127.0.0.1", port, NULL), "two");
  CHECK_INT(belay_loop_run(loop, BELAY_RUN_NOWAIT), 1);
  close_early();
  CHECK_TRACE("two disposed | two free");
  for (int i = 0; i < 8; i++) close(fillers[i]);
  close(server);
}

WITH_LOOP(a_peer_that_resets) {
  belay_stream *there;
  struct linger at_once = {.l_onoff = 1};
  belay_listener *listener = listen_here();
  belay_disposable *accepting = take_streams(belay_listener_connections(listener), &there);
  int peer = connect_plainly(belay_listener_port(listener));
  TURN_UNTIL(there != NULL);
  /* The message has the peer's address, not the one that was asked for, whose port is 0. */
  char expected[100];
  struct sockaddr_in address;
  socklen_t size = sizeof address;
  CHECK_INT(getsockname(peer, (void *)&address, &size), 0);
  snprintf(expected, sizeof expected, "error ECONNRESET: 127.0.0.1:%d: ", ntohs(address.sin_port));
  belay_disposable_release(hear(belay_stream_read(there)));
  CHECK_INT(setsockopt(peer, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once), 0);
  close(peer);
  TURN_UNTIL(has_traced("free"));
  CHECK(has_traced(expected));
  trace_clear();
  watch_errors(belay_listener_connections(listener));
  snprintf(expected, sizeof expected, "error EBUSY: %s has a subscriber",
           belay_listener_address(listener));
  CHECK(has_traced(expected));
  trace_clear();
  belay_stream_release(there);
  end_subscription(accepting);
  belay_listener_release(listener);
}

WITH_LOOP(what_nobody_retains_is_closed) {
  char byte;
  belay_listener *listener = listen_here();
  belay_disposable *accepting = watched(belay_listener_connections(listener), "accepted");
  int peer = connect_plainly(belay_listener_port(listener));
  TURN_UNTIL(has_traced("accepted next stream"));
  CHECK_INT(recv(peer, &byte, 1, 0), 0);
  trace_clear();
  /* A second one is refused, and the first goes on. */
  watch(belay_listener_connections(listener), "second");
  CHECK_TRACE("second error EBUSY | second disposed | second free");
  CHECK_INT(belay_listener_close(listener), 0);
  CHECK_TRACE("accepted disposed | accepted free");
  belay_disposable_release(accepting);
  close(peer);
  watch(belay_listener_connections(listener), "late");
  CHECK_TRACE("late disposed | late free");
  belay_listener_release(listener);
}

/* ---- no room for descriptors ---- */

static int reported;
static void report(void *ctx, const belay_error *error, const char *signal, const char *site) {
  CHECK_INT(belay_error_code(error), -EMFILE);
  CHECK(strstr(belay_error_message(error), "127.0.0.1:") != NULL);
  CHECK_STRING(signal, "connections");
  reported++;
}

WITH_LOOP(no_room_for_a_descriptor) {
  belay_stream *there;
  struct rlimit before, now;
  belay_listener *listener = listen_here();
  CHECK_INT(belay_loop_on_unhandled_error(loop, report, NULL, NULL), 0);
  reported = 0;
  belay_disposable *accepting = take_streams(belay_listener_connections(listener), &there);
  int peer = connect_plainly(belay_listener_port(listener));
  CHECK_INT(getrlimit(RLIMIT_NOFILE, &before), 0);
  int highest = dup(peer);
  close(highest);
  now = before;
  now.rlim_cur = (rlim_t)highest;
  CHECK_INT(setrlimit(RLIMIT_NOFILE, &now), 0);
  uint64_t turns = belay_loop_turns(loop);
  double begun = belay_loop_now(loop);
  TURN_UNTIL(belay_loop_now(loop) - begun > 0.35);
  /* It tries now and then, and does not turn all the time. */
  CHECK(belay_loop_turns(loop) - turns < 60);
  CHECK_INT(reported, 1);
  CHECK(there == NULL);
  CHECK_INT(setrlimit(RLIMIT_NOFILE, &before), 0);
  TURN_UNTIL(there != NULL);
  CHECK_INT(reported, 1);
  belay_stream_release(there);
  end_subscription(accepting);
  close(peer);
  belay_listener_release(listener);
}

WITH_LOOP(an_address_in_use) {
  belay_listener *listener = listen_here();
  CHECK(!belay_tcp_listen(loop, "127.0.0.1", (uint16_t)belay_listener_port(listener), NULL));
  check_last_error(-EADDRINUSE);
  CHECK(!belay_tcp_listen(loop, "localhost", 0, NULL));
  check_last_error(BELAY_EINVAL);
  CHECK(!belay_tcp_listen(NULL, NULL, 0, NULL) && !belay_tcp_connect(loop, NULL, 1, NULL));
  belay_listener_release(listener);
  belay_stream_options options = BELAY_INIT(belay_stream_options);
  options.reuse_port = 1;
  listener = belay_tcp_listen(loop, NULL, 0, &options);
  belay_listener *other =
      belay_tcp_listen(loop, NULL, (uint16_t)belay_listener_port(listener), &options);
  CHECK(listener && other);
  /* Every address is IPv4's, too. */
  close(connect_plainly(belay_listener_port(listener)));
  belay_listener_release(listener);
  belay_listener_release(other);
}

/* ---- Unix sockets ---- */

static char directory[32], path[64];

static void in_directory(void) {
  strcpy(directory, "/tmp/belay-XXXXXX");
  CHECK(mkdtemp(directory) != NULL);
  snprintf(path, sizeof path, "%s/socket", directory);
}

WITH_LOOP(a_unix_socket) {
  belay_stream *here, *there;
  in_directory();
  belay_listener *listener = belay_unix_listen(loop, path, NULL);
  CHECK_STRING(belay_listener_address(listener), path);
  CHECK_INT(belay_listener_port(listener), -1);
  CHECK(!belay_unix_listen(loop, path, NULL));
  check_last_error(-EADDRINUSE);
  belay_disposable *accepting = take_streams(belay_listener_connections(listener), &there);
  belay_disposable *connecting = take_streams(belay_unix_connect(loop, path, NULL), &here);
  TURN_UNTIL(here && there);
  belay_disposable_release(hear(belay_stream_read(there)));
  CHECK_INT(belay_stream_write(here, text("hello")), 0);
  belay_stream_release(here);
  TURN_UNTIL(has_traced("free"));
  CHECK_TRACE("hello | completed | disposed | free");
  belay_stream_release(there);
  end_subscription(connecting);
  end_subscription(accepting);
  belay_listener_release(listener);
  CHECK(access(path, F_OK) != 0);
  watch_errors(belay_unix_connect(loop, path, NULL));
  CHECK(has_traced("error ENOENT: /tmp/belay-"));
  trace_clear();
  CHECK_INT(rmdir(directory), 0);
}

WITH_LOOP(the_file_of_a_unix_socket) {
  in_directory();
  /* Left by a server that has died. */
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  int dead = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  strcpy(address.sun_path, path);
  CHECK(bind(dead, (struct sockaddr *)&address, sizeof address) == 0 && listen(dead, 1) == 0);
  close(dead);
  belay_listener *listener = belay_unix_listen(loop, path, NULL);
  CHECK(listener != NULL);
  /* Another one is in its place, and stays. */
  CHECK_INT(unlink(path), 0);
  belay_listener *other = belay_unix_listen(loop, path, NULL);
  CHECK(other != NULL);
  belay_listener_release(listener);
  CHECK_INT(access(path, F_OK), 0);
  belay_listener_release(other);
  CHECK(access(path, F_OK) != 0);
  /* A file that is no socket is left alone. */
  int file = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  close(file);
  CHECK(!belay_unix_listen(loop, path, NULL));
  check_last_error(-EADDRINUSE);
  CHECK_INT(unlink(path), 0);
  char far[200];
  memset(far, 'x', sizeof far - 1);
  far[sizeof far - 1] = 0;
  CHECK(!belay_unix_listen(loop, far, NULL));
  check_last_error(-ENAMETOOLONG);
  CHECK_INT(rmdir(directory), 0);
}

static const test_case cases[] = {
    CASE(both_sides_of_a_connection),
    CASE(options_of_connections),
    CASE(nobody_listens),
    CASE(a_name_has_several_addresses),
    CASE(a_name_that_is_none),
    CASE(a_connection_in_progress_is_given_up),
    CASE(a_peer_that_resets),
    CASE(what_nobody_retains_is_closed),
    CASE(no_room_for_a_descriptor),
    CASE(an_address_in_use),
    CASE(a_unix_socket),
    CASE(the_file_of_a_unix_socket),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
