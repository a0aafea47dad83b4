#define _GNU_SOURCE
/* Everything that opens descriptors, in a process that has room for none, for one, for two … */
#include "streams.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <uv.h>

static struct rlimit normal;

static void limit_to(int limit) {
  CHECK_INT(getrlimit(RLIMIT_NOFILE, &normal), 0);
  struct rlimit small = normal;
  small.rlim_cur = (rlim_t)limit;
  CHECK_INT(setrlimit(RLIMIT_NOFILE, &small), 0);
}

/* Leaves room for so many descriptors, in gaps, too. */
static void leave_room(int count) {
  int limit = 0;
  for (; limit < 1000; limit++)
    if (fcntl(limit, F_GETFD) < 0 && count-- == 0) break;
  limit_to(limit);
}

static void give_room(void) { CHECK_INT(setrlimit(RLIMIT_NOFILE, &normal), 0); }

/* ---- accepting ---- */

enum { PEERS = 20, ROOM = 3 };
static belay_stream *taken[PEERS];
static int taken_count, reported;

static void take(void *ctx, belay_value value) {
  CHECK(taken_count < PEERS);
  if (taken_count < PEERS) taken[taken_count++] = belay_stream_retain(belay_value_get_stream(value));
}

static void report(void *ctx, const belay_error *error, const char *signal, const char *site) {
  CHECK_INT(belay_error_code(error), -EMFILE);
  CHECK(strstr(belay_error_message(error), "127.0.0.1:") != NULL);
  CHECK_STRING(signal, "connections");
  reported++;
}

static belay_disposable *accept_all(belay_listener *listener) {
  belay_observer observer = BELAY_INIT(belay_observer);
  belay_disposable *accepting = NULL;
  belay_signal *connections = belay_listener_connections(listener);
  taken_count = reported = 0;
  observer.next = take;
  CHECK_INT(belay_loop_on_unhandled_error(loop, report, NULL, NULL), 0);
  CHECK_INT(belay_signal_subscribe(connections, &observer, &accepting), 0);
  belay_signal_release(connections);
  return accepting;
}

static int served_count;
static void count_end(void *ctx) { served_count++; }

/* Answers a peer what it says, and closes the connection. */
static void serve(belay_stream *stream) {
  belay_observer observer = BELAY_INIT(belay_observer);
  belay_signal *echo = belay_stream_write_all(stream, belay_stream_read(stream));
  observer.completed = count_end;
  CHECK_INT(belay_signal_subscribe(echo, &observer, NULL), 0);
  belay_signal_release(echo);
  int before = served_count;
  TURN_UNTIL(served_count > before);
  belay_stream_release(stream);
}

WITH_LOOP(each_peer_that_waits_is_accepted_once) {
  int peers[PEERS];
  belay_listener *listener = belay_tcp_listen(loop, "127.0.0.1", 0, NULL);
  for (int i = 0; i < PEERS; i++) {
    peers[i] = connect_plainly(belay_listener_port(listener));
    CHECK_INT(write(peers[i], &(char){(char)('a' + i)}, 1), 1);
    CHECK_INT(shutdown(peers[i], SHUT_WR), 0);
  }
  leave_room(ROOM);
  belay_disposable *accepting = accept_all(listener);
  TURN_UNTIL(reported == 1);
  CHECK_INT(taken_count, ROOM);
  /* Each one that ends lets the next one in. */
  served_count = 0;
  for (int i = 0; i < PEERS; i++) {
    TURN_UNTIL(taken_count > i);
    CHECK(taken_count <= i + ROOM);
    serve(taken[i]);
  }
  CHECK_INT(taken_count, PEERS);
  give_room();
  for (int i = 0; i < PEERS; i++) {
    char there[2] = "";
    CHECK_INT(take_all(peers[i], there, sizeof there), 1);
    CHECK_INT(there[0], 'a' + i);
    close(peers[i]);
  }
  end_subscription(accepting);
  belay_listener_release(listener);
}

WITH_LOOP(given_up_while_there_is_no_room) {
  char byte;
  belay_listener *listener = belay_tcp_listen(loop, "127.0.0.1", 0, NULL);
  int peer = connect_plainly(belay_listener_port(listener));
  leave_room(0);
  belay_disposable *accepting = accept_all(listener);
  TURN_UNTIL(reported == 1);
  end_subscription(accepting);
  /* Nothing is left that keeps the loop alive. */
  run_to_end(loop);
  /* Another subscription finds no room either, and the close ends it. */
  accepting = accept_all(listener);
  TURN_UNTIL(reported == 1);
  belay_disposable_release(accepting);
  belay_listener_release(listener);
  CHECK_INT(belay_loop_close(loop, ignore_left, NULL, NULL), 0);
  CHECK_INT(taken_count, 0);
  give_room();
  CHECK(recv(peer, &byte, 1, 0) <= 0);
  close(peer);
  belay_loop_release(loop);
  loop = NULL;
}

/* ---- everything else ---- */

static char folder[64], path[100];
static int port;

/* Tries with room for none, for one, … until all goes well: either that, or the error EMFILE with `name`. Nothing is
   left in either case. */
static void with_little_room(belay_signal *(*make)(void), const char *name, int needed,
                             const char *success) {
  char expected[300];
  snprintf(expected, sizeof expected, "error EMFILE: %s: too many open files | disposed | free", name);
  /* What is made once, such as threads of the pool. */
  watch_errors(make());
  run_to_end(loop);
  CHECK_TRACE(success);
  int before = descriptors();
  for (int count = 0;; count++) {
    leave_room(count);
    watch_errors(make());
    run_to_end(loop);
    give_room();
    CHECK_INT(descriptors(), before);
    if (count < needed) CHECK_STRING(trace_text(), expected);
    else CHECK_STRING(trace_text(), success);
    trace_clear();
    if (count == needed) break;
  }
  CHECK(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD);
}

#define DONE "next null | completed | disposed | free"

static belay_signal *connecting(void) {
  return belay_signal_chain(belay_tcp_connect(loop, "127.0.0.1", (uint16_t)port, NULL),
                            belay_op_ignore_elements());
}

WITH_LOOP(connecting_needs_one) {
  char name[32];
  struct sockaddr_in address = {.sin_family = AF_INET};
  socklen_t size = sizeof address;
  int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  CHECK(bind(server, (struct sockaddr *)&address, size) == 0 && listen(server, 8) == 0);
  CHECK_INT(getsockname(server, (struct sockaddr *)&address, &size), 0);
  port = ntohs(address.sin_port);
  snprintf(name, sizeof name, "127.0.0.1:%d", port);
  with_little_room(connecting, name, 1, "completed | disposed | free");
  leave_room(0);
  CHECK(!belay_tcp_listen(loop, "127.0.0.1", 0, NULL));
  check_last_error(-EMFILE);
  CHECK(!belay_unix_listen(loop, "/tmp/belay-never", NULL));
  check_last_error(-EMFILE);
  CHECK(!belay_stream_open_path(loop, "/dev/tty", BELAY_STREAM_READ, NULL));
  check_last_error(-EMFILE);
  CHECK(belay_loop_fd(loop) == -EMFILE);
  check_last_error(-EMFILE);
  give_room();
  CHECK(belay_loop_fd(loop) >= 0);
  close(server);
}

static const char *const args[] = {"true", NULL}, *const env[] = {"PATH=/usr/bin:/bin", NULL};
static int is_exit(void *ctx, belay_value value) { return belay_value_count(value) == 2; }
static belay_signal *process_with(int stdio) {
  belay_process_options options = BELAY_INIT(belay_process_options);
  options.args = args;
  /* A child that loads a library for this test, or cannot, would write to a pipe that is closed. */
  options.env = env;
  options.input = options.output = options.error = stdio;
  return belay_signal_chain(belay_process(loop, &options), belay_op_filter(is_exit, NULL, NULL));
}
static belay_signal *process_alone(void) { return process_with(BELAY_STDIO_IGNORE); }
static belay_signal *process_with_pipes(void) { return process_with(BELAY_STDIO_PIPE); }

/* libuv has a pipe, of which it hears whether the program could be run. */
WITH_LOOP(a_process_needs_two) {
  with_little_room(process_alone, "true", 2, "next [0 0] | completed | disposed | free");
}

WITH_LOOP(a_process_with_pipes_needs_eight) {
  with_little_room(process_with_pipes, "true", 8, "next [0 0] | completed | disposed | free");
}

static void open_folder(void) {
  strcpy(folder, "/tmp/belay-room-XXXXXX");
  CHECK(mkdtemp(folder) != NULL);
  snprintf(path, sizeof path, "%s/file", folder);
  int file = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  CHECK_INT(write(file, "text\n", 5), 5);
  close(file);
}

static void remove_folder(void) {
  CHECK(unlink(path) == 0 && rmdir(folder) == 0);
}

static belay_signal *writing(void) { return belay_file_write(loop, path, belay_string("text\n")); }
static belay_signal *reading(void) {
  return belay_signal_chain(belay_file_read(loop, path), belay_op_ignore_elements());
}
static belay_signal *lines(void) { return belay_file_lines(loop, path, 0); }
static belay_signal *first_line(void) {
  return belay_signal_chain(belay_file_lines(loop, path, BELAY_FILE_FOLLOW), belay_op_take(1));
}
static belay_signal *listing(void) { return belay_directory_list(loop, folder); }

WITH_LOOP(files_need_one) {
  open_folder();
  with_little_room(writing, path, 1, DONE);
  with_little_room(reading, path, 1, "completed | disposed | free");
  with_little_room(lines, path, 1, "next text | completed | disposed | free");
  with_little_room(first_line, path, 1, "next text | completed | disposed | free");
  with_little_room(listing, folder, 1, "next [[file 1]] | completed | disposed | free");
  remove_folder();
}

static void set(void *flag) { *(int *)flag = 1; }

/* A file that is followed is waited for when there is no room for its successor. */
WITH_LOOP(a_rotated_file_is_read_when_there_is_room) {
  char other[110];
  open_folder();
  snprintf(other, sizeof other, "%s.1", path);
  belay_disposable *following = watched(belay_file_lines(loop, path, BELAY_FILE_FOLLOW), "");
  TURN_UNTIL(has_traced("next text"));
  CHECK_INT(rename(path, other), 0);
  int file = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  CHECK_INT(write(file, "new\n", 4), 4);
  close(file);
  /* Not even for what the old file leaves. */
  limit_to(3);
  int is_over = 0;
  CHECK_INT(belay_scheduler_after(belay_loop_get_scheduler(loop), 0.3, set, &is_over, NULL, NULL), 0);
  TURN_UNTIL(is_over);
  CHECK_TRACE("next text");
  give_room();
  TURN_UNTIL(has_traced("next new"));
  end_subscription(following);
  CHECK_TRACE("next new | disposed | free");
  CHECK_INT(unlink(other), 0);
  remove_folder();
}

/* ---- loops ---- */

static int plain_loop(void) {
  uv_loop_t uv;
  int code = uv_loop_init(&uv);
  if (code == 0) CHECK_INT(uv_loop_close(&uv), 0);
  return code;
}
static int loop_of_belay(void) {
  belay_loop *one = belay_loop_create(NULL);
  if (!one) return last_code();
  close_loop(one);
  return 0;
}
static int worker_of_belay(void) {
  belay_worker *one = belay_worker_create(NULL);
  if (!one) return last_code();
  belay_worker_release(one);
  return 0;
}

static int lookup_code;
static void note_failure(void *ctx, const belay_error *error) { lookup_code = belay_error_code(error); }
static void note_success(void *ctx) { lookup_code = 0; }
static int lookup_of_belay(void) {
  belay_observer observer = BELAY_INIT(belay_observer);
  belay_signal *lookup = belay_lookup(loop, "localhost", NULL);
  observer.error = note_failure;
  observer.completed = note_success;
  lookup_code = 1;
  CHECK_INT(belay_signal_subscribe(lookup, &observer, NULL), 0);
  belay_signal_release(lookup);
  TURN_UNTIL(lookup_code <= 0);
  return lookup_code;
}

/* Stores how many descriptors are left, and closes them. Some versions of libuv leave one. */
static int make_in(int room, int (*make)(void), int *left) {
  char was_open[1000];
  *left = 0;
  for (int fd = 0; fd < 1000; fd++) was_open[fd] = fcntl(fd, F_GETFD) >= 0;
  leave_room(room);
  int code = make();
  give_room();
  for (int fd = 0; fd < 1000; fd++)
    if (!was_open[fd] && fcntl(fd, F_GETFD) >= 0) *left += close(fd) == 0;
  return code;
}

static void without_room(void *ctx) {
  int code = -EMFILE;
  for (int room = 0; code != 0 && room < 20; room++) {
    int libuvs, left;
    code = make_in(room, plain_loop, &libuvs);
    CHECK(code == -EMFILE || room > 0);
    CHECK_INT(make_in(room, loop_of_belay, &left), code);
    CHECK_INT(left, 0);
    CHECK_INT(make_in(room, worker_of_belay, &left), code);
    CHECK_INT(left, 0);
  }
  CHECK_INT(code, 0);
}

WITH_LOOP(a_loop_needs_several) { in_thread(without_room, NULL); }

WITH_LOOP(a_lookup_needs_several) {
  int left;
  /* It reads files, too, and what the system says without room for those is its own. */
  CHECK_INT(lookup_of_belay(), 0);
  for (int room = 0; room < 10; room++) {
    int code = make_in(room, lookup_of_belay, &left);
    if (room < 4) CHECK_INT(code, -EMFILE);
    CHECK_INT(left, 0);
  }
  CHECK_INT(lookup_of_belay(), 0);
}

/* In a process that has had no loop yet. */
static int make_first_loop(void) {
  for (int room = 0; room < 20; room++) {
    leave_room(room);
    int code = loop_of_belay();
    give_room();
    if (code == 0) return room > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
    if (code != -EMFILE) return EXIT_FAILURE;
  }
  return EXIT_FAILURE;
}

static int first_loop_status = -1;

/* A child, forked before this process has a loop, makes its first. */
static void try_first_loop(void) {
  pid_t child = fork();
  if (child == 0) _exit(make_first_loop());
  if (child > 0) waitpid(child, &first_loop_status, 0);
}

static void the_first_loop_of_a_process_needs_several(void) { CHECK_INT(first_loop_status, 0); }

static const test_case cases[] = {
    CASE(each_peer_that_waits_is_accepted_once),
    CASE(given_up_while_there_is_no_room),
    CASE(connecting_needs_one),
    CASE(a_process_needs_two),
    CASE(a_process_with_pipes_needs_eight),
    CASE(files_need_one),
    CASE(a_rotated_file_is_read_when_there_is_room),
    CASE(a_loop_needs_several),
    CASE(a_lookup_needs_several),
    CASE(the_first_loop_of_a_process_needs_several),
};

int main(int argc, char **argv) {
  try_first_loop();
  return RUN_CASES(cases);
}
