/* A program that has closed its standard descriptors, as a daemon does: what Belay opens does not take their
   numbers, which are the host's to close. */
#include "cases.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

static belay_stream *stream;
static void keep_stream(void *ctx, belay_value value) {
  stream = belay_stream_retain(belay_value_get_stream(value));
}

static void a_connection_is_closed(void) {
  int standard = fcntl(0, F_DUPFD_CLOEXEC, 10);
  struct sockaddr_in address = {
      .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  CHECK_INT(bind(listener, (void *)&address, length), 0);
  CHECK_INT(listen(listener, 1), 0);
  CHECK_INT(getsockname(listener, (void *)&address, &length), 0);
  belay_loop *loop = open_loop();
  close(0);

  belay_observer observer = {.size = sizeof observer, .next = keep_stream};
  belay_disposable *subscription = NULL;
  belay_signal *connecting = belay_tcp_connect(loop, "127.0.0.1", ntohs(address.sin_port), NULL);
  CHECK_INT(belay_signal_subscribe(connecting, &observer, &subscription), 0);
  belay_signal_release(connecting);
  while (!stream) CHECK(belay_loop_run(loop, BELAY_RUN_ONCE) >= 0);
  CHECK_INT(fcntl(0, F_GETFD), -1);
  int peer = accept(listener, NULL, NULL);
  CHECK(peer >= 0);
  belay_stream_release(stream);
  CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  char byte;
  CHECK_INT((int)read(peer, &byte, 1), 0);

  close(peer);
  close(listener);
  CHECK_INT(dup2(standard, 0), 0);
  close(standard);
  end_subscription(subscription);
  close_loop(loop);
}

static void a_watch_is_closed(void) {
  belay_loop *loop = open_loop();
  int standard = fcntl(0, F_DUPFD_CLOEXEC, 10);
  close(0);
  belay_signal *events = belay_file_events(loop, "/");
  belay_disposable *subscription = watched(events, "");
  CHECK_INT(fcntl(0, F_GETFD), -1);
  end_subscription(subscription);
  CHECK_TRACE("disposed | free");
  CHECK_INT(dup2(standard, 0), 0);
  close(standard);
  close_loop(loop);
}

static const test_case cases[] = {CASE(a_connection_is_closed), CASE(a_watch_is_closed)};

int main(int argc, char **argv) { return RUN_CASES(cases); }
