/* A program that has closed its standard descriptors, as a daemon does: what Belay opens does not take their
   numbers, which are the host's to close. */
#include "cases.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
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

/* ---- what libuv opens ---- */

static int is_null(int fd) {
  struct stat here, null;
  return fstat(fd, &here) == 0 && stat("/dev/null", &null) == 0 && here.st_rdev == null.st_rdev;
}

static void count_end(void *count) { ++*(int *)count; }
static int run_to_completion(belay_loop *loop, belay_signal *signal) {
  int ends = 0;
  belay_observer observer = BELAY_INIT(belay_observer);
  observer.completed = count_end;
  observer.ctx = &ends;
  if (belay_signal_subscribe(signal, &observer, NULL) != 0) return 0;
  belay_signal_release(signal);
  belay_loop_run(loop, BELAY_RUN_DEFAULT);
  return ends == 1;
}

/* A child, a socket and a lookup, each with what libuv opens and closes for it. */
static int use_all(belay_loop *loop) {
  const char *args[] = {"true", NULL};
  belay_process_options process = BELAY_INIT(belay_process_options);
  belay_udp_options udp = BELAY_INIT(belay_udp_options);
  process.args = args;
  udp.host = "127.0.0.1";
  return run_to_completion(loop, belay_process(loop, &process)) &&
         run_to_completion(
             loop, belay_signal_chain(belay_udp(loop, &udp, NULL), belay_op_take(1))) &&
         run_to_completion(loop, belay_lookup(loop, "localhost", NULL));
}

/* Without those standard descriptors whose bits are set, before or after the loop is made. */
static int lacks(int bits, int early) {
  belay_loop *loop = NULL;
  if (!early) loop = belay_loop_create(NULL);
  for (int fd = 0; fd < 3; fd++)
    if (bits >> fd & 1) close(fd);
  if (early) loop = belay_loop_create(NULL);
  if (!loop || !use_all(loop)) return EXIT_FAILURE;
  if (belay_loop_close(loop, NULL, NULL, NULL) != 0) return EXIT_FAILURE;
  belay_loop_release(loop);
  for (int fd = 0; fd < 3; fd++)
    if (bits >> fd & 1 && !is_null(fd)) return EXIT_FAILURE;
  return EXIT_SUCCESS;
}

/* Children, forked before this process has a loop. */
static int statuses[2][8];
static void try_without(void) {
  for (int early = 0; early < 2; early++)
    for (int bits = 1; bits < 8; bits++) {
      pid_t child = fork();
      if (child == 0) _exit(lacks(bits, early));
      statuses[early][bits] = -1;
      if (child > 0) waitpid(child, &statuses[early][bits], 0);
    }
}

static void what_the_loop_opens_takes_other_numbers(void) {
  for (int bits = 1; bits < 8; bits++) CHECK_INT(statuses[1][bits], 0);
}
static void so_does_what_its_sources_open(void) {
  for (int bits = 1; bits < 8; bits++) CHECK_INT(statuses[0][bits], 0);
}

static const test_case cases[] = {
    CASE(a_connection_is_closed),
    CASE(a_watch_is_closed),
    CASE(what_the_loop_opens_takes_other_numbers),
    CASE(so_does_what_its_sources_open),
};

int main(int argc, char **argv) {
  try_without();
  return RUN_CASES(cases);
}
