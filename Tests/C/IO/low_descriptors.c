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

/* The standard descriptors that are closed before each use, as bits. */
static int closed;
static int are_left_alone(void) {
  for (int fd = 0; fd < 3; fd++)
    if (closed >> fd & 1 && fcntl(fd, F_GETFD) >= 0 && !is_null(fd)) return 0;
  return 1;
}

static void note(void *seen, belay_value value) { *(int *)seen = 1; }
/* Whether they are left alone while a source waits, after its first value if it is to send one. */
static int use_source(belay_loop *loop, belay_signal *signal, int sends) {
  int seen = !sends;
  belay_disposable *subscription = NULL;
  belay_observer observer = BELAY_INIT(belay_observer);
  observer.next = note;
  observer.ctx = &seen;
  if (belay_signal_subscribe(signal, &observer, &subscription) != 0) return 0;
  belay_signal_release(signal);
  while (!seen && belay_loop_run(loop, BELAY_RUN_ONCE) > 0) continue;
  int result = seen && belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0 && are_left_alone();
  end_subscription(subscription);
  belay_loop_run(loop, BELAY_RUN_NOWAIT);
  return result;
}

static int use_loop_fd(belay_loop *loop) { return belay_loop_fd(loop) > 2; }
static int use_wall_timer(belay_loop *loop) {
  return use_source(loop, belay_wall_timer(loop, 1e10), 0);
}
static int use_file_events(belay_loop *loop) {
  return use_source(loop, belay_file_events(loop, "/"), 0);
}
static int use_lines(belay_loop *loop) {
  return use_source(loop, belay_file_lines(loop, "/etc/passwd", BELAY_FILE_FOLLOW), 1);
}
static int use_process(belay_loop *loop) {
  const char *args[] = {"true", NULL};
  belay_process_options process = BELAY_INIT(belay_process_options);
  process.args = args;
  return run_to_completion(loop, belay_process(loop, &process));
}
static int use_udp(belay_loop *loop) {
  belay_udp_options udp = BELAY_INIT(belay_udp_options);
  udp.host = "127.0.0.1";
  return run_to_completion(
      loop, belay_signal_chain(belay_udp(loop, NULL, &udp), belay_op_take(1)));
}
static int use_lookup(belay_loop *loop) {
  return run_to_completion(loop, belay_lookup(loop, "localhost", NULL));
}

/* What a thread of the pool opens is closed when it is told of. So they are missing no more. */
static int are_null(int completed) {
  for (int fd = 0; fd < 3; fd++)
    if (closed >> fd & 1 && !is_null(fd)) return 0;
  return completed;
}
static int use_file(belay_loop *loop) {
  return are_null(run_to_completion(loop, belay_file_read(loop, "/etc/passwd")));
}
static int use_directory(belay_loop *loop) {
  return are_null(run_to_completion(loop, belay_directory_list(loop, "/")));
}
static int use_writing(belay_loop *loop) {
  char folder[] = "/tmp/belay-low-XXXXXX", path[64];
  if (!mkdtemp(folder)) return 0;
  snprintf(path, sizeof path, "%s/file", folder);
  int result = are_null(run_to_completion(loop, belay_file_write(loop, path, belay_string("a"))));
  return unlink(path) == 0 && rmdir(folder) == 0 && result;
}

/* All that opens descriptors: Belay itself, or libuv for it. */
static int (*const uses[])(belay_loop *) = {
    use_loop_fd,   use_wall_timer, use_file_events, use_lines, use_file,
    use_directory, use_writing,    use_process,     use_udp,   use_lookup,
};

/* Without those standard descriptors whose bits are set: before the loop is made, or before each
   use. Answers 0, the number of the use that takes one, or 255. */
static int lacks(int bits, int early) {
  belay_loop *loop = NULL;
  if (!early) loop = belay_loop_create(NULL);
  closed = bits;
  for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
    for (int fd = 0; fd < 3 && (!early || i == 0); fd++)
      if (bits >> fd & 1) close(fd);
    if (!loop) loop = belay_loop_create(NULL);
    if (!loop || !uses[i](loop) || !are_left_alone()) return (int)i + 1;
  }
  if (belay_loop_close(loop, NULL, NULL, NULL) != 0) return 255;
  belay_loop_release(loop);
  return are_null(1) ? EXIT_SUCCESS : 255;
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
