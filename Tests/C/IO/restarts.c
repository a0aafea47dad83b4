#define _GNU_SOURCE
/* A server that is killed and started again, at the same address, under clients that connect again. This program is
   the server, too: restarts --serve ADDRESS, where the address is a port or a path. */
#include "streams.h"

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

extern char **environ;

/* ---- the server: an echo ---- */

static void let_go(void *stream) { belay_stream_release(stream); }

static void echo(void *ctx, belay_value value) {
  belay_stream *stream = belay_value_get_stream(value);
  belay_observer observer = BELAY_INIT(belay_observer);
  belay_signal *copied = belay_stream_write_all(stream, belay_stream_read(stream));
  observer.ctx = belay_stream_retain(stream);
  observer.ctx_free = let_go;
  belay_signal_subscribe(copied, &observer, NULL);
  belay_signal_release(copied);
}

static int serve(const char *address) {
  belay_loop *here = belay_loop_create(NULL);
  belay_listener *listener = *address == '/' ? belay_unix_listen(here, address, NULL)
                                             : belay_tcp_listen(here, "127.0.0.1", (uint16_t)atoi(address), NULL);
  if (!listener) return 1;
  belay_observer observer = BELAY_INIT(belay_observer);
  belay_signal *connections = belay_listener_connections(listener);
  observer.next = echo;
  belay_signal_subscribe(connections, &observer, NULL);
  belay_signal_release(connections);
  printf("%d\n", belay_listener_port(listener));
  fflush(stdout);
  belay_loop_run(here, BELAY_RUN_DEFAULT);
  return 0;
}

typedef struct server {
  pid_t pid;
  char address[100];
} server;

/* Starts it, and waits until it listens. */
static void start(server *it) {
  int ends[2], port = 0;
#ifdef EMULATOR
  char self[4096] = "";
  char *args[] = {EMULATOR, self, "--serve", it->address, NULL};
  CHECK(readlink("/proc/self/exe", self, sizeof self - 1) > 0);
#else
  char *args[] = {"/proc/self/exe", "--serve", it->address, NULL};
#endif
  posix_spawn_file_actions_t actions;
  CHECK_INT(pipe2(ends, O_CLOEXEC), 0);
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  CHECK_INT(posix_spawnp(&it->pid, args[0], &actions, NULL, args, environ), 0);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  FILE *output = fdopen(ends[0], "r");
  CHECK_INT(fscanf(output, "%d", &port), 1);
  fclose(output);
  if (*it->address != '/') snprintf(it->address, sizeof it->address, "%d", port);
}

static void kill_it(server *it) {
  int status;
  CHECK_INT(kill(it->pid, SIGKILL), 0);
  CHECK_INT(waitpid(it->pid, &status, 0), it->pid);
  CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

/* ---- the clients ---- */

enum { CLIENTS = 25, ROUNDS = 5 };

typedef struct client {
  int number;
  int answers;
} client;

static client clients[CLIENTS];
static int answers;

/* An end is as good as a reset: either is a reason to connect again. */
static belay_signal *lost(void *ctx) {
  belay_error *error = belay_error_create(-ECONNRESET, NULL, "the server has gone", belay_null(), NULL);
  belay_signal *signal = belay_signal_error(error);
  belay_error_release(error);
  return signal;
}

static belay_signal *talk(void *ctx, belay_value value) {
  client *it = ctx;
  char line[32];
  belay_stream *stream = belay_value_get_stream(value);
  snprintf(line, sizeof line, "client %d\n", it->number);
  int code = belay_stream_write(stream, belay_string(line));
  CHECK_INT(code, 0);
  belay_signal *end = belay_signal_defer(lost, NULL, NULL);
  return belay_signal_chain(belay_stream_read(stream), belay_op_lines(1000), belay_op_concat(&end, 1));
}

static void note_answer(void *ctx, belay_value value) {
  client *it = ctx;
  belay_view view = {"", 0};
  char expected[32];
  snprintf(expected, sizeof expected, "client %d", it->number);
  CHECK(belay_value_get_bytes(value, &view) == 0 && view.size == strlen(expected) &&
        memcmp(view.data, expected, view.size) == 0);
  it->answers++;
  answers++;
}

static void note_error(void *ctx, const belay_error *error) {
  check_failed(__FILE__, __LINE__, "%s", belay_error_message(error));
}

static belay_disposable *connect_client(client *it, const server *where) {
  belay_scheduler *scheduler = belay_loop_get_scheduler(loop);
  belay_observer observer = BELAY_INIT(belay_observer);
  belay_disposable *subscription = NULL;
  belay_signal *streams = *where->address == '/'
                              ? belay_unix_connect(loop, where->address, NULL)
                              : belay_tcp_connect(loop, "127.0.0.1", (uint16_t)atoi(where->address), NULL);
  belay_signal *signal =
      belay_signal_chain(streams, belay_op_flat_map(1, talk, it, NULL),
                         belay_op_retry_backoff(scheduler, 0.005, 1.5, 0.05, 0.5, BELAY_UNLIMITED, 1));
  observer.next = note_answer;
  observer.error = note_error;
  observer.ctx = it;
  CHECK(signal != NULL);
  CHECK_INT(belay_signal_subscribe(signal, &observer, &subscription), 0);
  belay_signal_release(signal);
  return subscription;
}

static void killed_and_started_again(const char *address) {
  server it = {0, ""};
  belay_disposable *subscriptions[CLIENTS];
  strcpy(it.address, address);
  memset(clients, 0, sizeof clients);
  answers = 0;
  start(&it);
  for (int i = 0; i < CLIENTS; i++) {
    clients[i].number = i;
    subscriptions[i] = connect_client(&clients[i], &it);
  }
  int connected = 0;
  for (int round = 1; round <= ROUNDS; round++) {
    /* Each is answered by each server once. */
    TURN_UNTIL(answers >= round * CLIENTS);
    for (int i = 0; i < CLIENTS; i++) CHECK_INT(clients[i].answers, round);
    if (round == 1) connected = descriptors();
    CHECK_INT(descriptors(), connected);
    kill_it(&it);
    if (round == ROUNDS) break;
    /* They find nobody for a while. */
    for (int i = 0; i < 100; i++) CHECK(belay_loop_run(loop, BELAY_RUN_ONCE) >= 0);
    CHECK_INT(answers, round * CLIENTS);
    start(&it);
  }
  for (int i = 0; i < CLIENTS; i++) end_subscription(subscriptions[i]);
  run_to_end(loop);
}

WITH_LOOP(a_tcp_server) { killed_and_started_again("0"); }

/* The one that was killed has left its file. */
WITH_LOOP(a_server_at_a_unix_socket) {
  char directory[] = "/tmp/belay-XXXXXX", path[64];
  CHECK(mkdtemp(directory) != NULL);
  snprintf(path, sizeof path, "%s/socket", directory);
  killed_and_started_again(path);
  CHECK_INT(unlink(path), 0);
  CHECK_INT(rmdir(directory), 0);
}

static const test_case cases[] = {
    CASE(a_tcp_server),
    CASE(a_server_at_a_unix_socket),
};

int main(int argc, char **argv) {
  if (argc == 3 && strcmp(argv[1], "--serve") == 0) return serve(argv[2]);
  return RUN_CASES(cases);
}
