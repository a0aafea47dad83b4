#define _GNU_SOURCE
/* Everything under a storm of signals: a thousand a second interrupt each call that can be interrupted. */
#include "children.h"

#include <netinet/in.h>
#include <signal.h>
#include <sys/time.h>
#include <uv.h>

/* Any thread may get one. */
static int storms;
static int has_stormed(void) { return __atomic_load_n(&storms, __ATOMIC_RELAXED) > 0; }
static struct sigaction disposition;
static void on_alarm(int number) { __atomic_store_n(&storms, 1, __ATOMIC_RELAXED); }

static void begin_storm(void) {
  struct sigaction action = {.sa_handler = on_alarm};
  struct itimerval often = {{0, 1000}, {0, 1000}};
  begin();
  CHECK_INT(sigaction(SIGALRM, &action, &disposition), 0);
  __atomic_store_n(&storms, 0, __ATOMIC_RELAXED);
  CHECK_INT(setitimer(ITIMER_REAL, &often, NULL), 0);
}

static void finish_storm(void) {
  struct itimerval never = {{0, 0}, {0, 0}};
  /* At least one has come. */
  while (!has_stormed()) usleep(1000);
  CHECK_INT(setitimer(ITIMER_REAL, &never, NULL), 0);
  CHECK_INT(sigaction(SIGALRM, &disposition, NULL), 0);
  finish();
}

static void run_until(const int *is_over) {
  belay_disposable *guard = NULL;
  CHECK_INT(belay_scheduler_after(belay_loop_get_scheduler(loop), 60, give_up, loop, NULL, &guard), 0);
  while (!*is_over && !belay_disposable_is_disposed(guard))
    CHECK(belay_loop_run(loop, BELAY_RUN_ONCE) >= 0);
  CHECK(*is_over);
  belay_disposable_dispose(guard);
  belay_disposable_release(guard);
}

/* ---- streams ---- */

enum { BYTES = 4 << 20, CONNECTIONS = 50 };
static char *sent;
static size_t received;
static int is_complete;

static void compare(void *ctx, belay_value value) {
  belay_view view = {"", 0};
  CHECK_INT(belay_value_get_bytes(value, &view), 0);
  CHECK(received + view.size <= BYTES && memcmp(sent + received, view.data, view.size) == 0);
  received += view.size;
}
static void complete(void *ctx) { is_complete++; }
static void fail_case(void *ctx, const belay_error *error) {
  check_failed(__FILE__, __LINE__, "%s: %s", belay_error_name(belay_error_code(error)),
               belay_error_message(error));
  is_complete++;
}

static void subscribe(belay_signal *signal, void (*next)(void *, belay_value), void *ctx) {
  belay_observer observer = BELAY_INIT(belay_observer);
  observer.next = next;
  observer.error = fail_case;
  observer.completed = complete;
  observer.ctx = ctx;
  CHECK(signal != NULL);
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  belay_signal_release(signal);
}

/* What comes is sent back, and the end, too. */
static void shut_down(void *stream) { CHECK_INT(belay_stream_shutdown(stream), 0); }
static void let_go(void *stream) { belay_stream_release(stream); }
static void echo(void *ctx, belay_value value) {
  belay_stream *stream = belay_value_get_stream(value);
  belay_observer observer = BELAY_INIT(belay_observer);
  belay_signal *copied = belay_stream_write_all(stream, belay_stream_read(stream));
  observer.error = fail_case;
  observer.completed = shut_down;
  observer.ctx = belay_stream_retain(stream);
  observer.ctx_free = let_go;
  CHECK_INT(belay_signal_subscribe(copied, &observer, NULL), 0);
  belay_signal_release(copied);
}

static belay_listener *serve(belay_disposable **accepting) {
  belay_listener *listener = belay_tcp_listen(loop, "127.0.0.1", 0, NULL);
  belay_observer observer = BELAY_INIT(belay_observer);
  belay_signal *connections = belay_listener_connections(listener);
  observer.next = echo;
  CHECK_INT(belay_signal_subscribe(connections, &observer, accepting), 0);
  belay_signal_release(connections);
  return listener;
}

static void keep_stream(void *variable, belay_value value) {
  *(belay_stream **)variable = belay_stream_retain(belay_value_get_stream(value));
}

static belay_stream *connect_to(belay_listener *listener) {
  belay_stream *stream = NULL;
  is_complete = 0;
  subscribe(belay_tcp_connect(loop, "127.0.0.1", (uint16_t)belay_listener_port(listener), NULL),
            keep_stream, &stream);
  run_until(&is_complete);
  CHECK(stream != NULL);
  return stream;
}

static void an_echo_is_whole(void) {
  belay_disposable *accepting;
  begin_storm();
  belay_listener *listener = serve(&accepting);
  belay_stream *stream = connect_to(listener);
  sent = malloc(BYTES);
  for (int i = 0; i < BYTES; i++) sent[i] = (char)(i * 7 + i / 251);
  received = 0;
  is_complete = 0;
  subscribe(belay_stream_read(stream), compare, NULL);
  for (size_t i = 0; i < BYTES; i += 1 << 14) {
    int code;
    while ((code = belay_stream_write(stream, belay_bytes(sent + i, 1 << 14))) == BELAY_EAGAIN) {
      belay_last_error();
      CHECK(belay_loop_run(loop, BELAY_RUN_ONCE) >= 0);
    }
    CHECK(code >= 0);
  }
  CHECK_INT(belay_stream_shutdown(stream), 0);
  run_until(&is_complete);
  CHECK_INT(received, BYTES);
  belay_stream_release(stream);
  free(sent);
  for (int i = 0; i < CONNECTIONS; i++) belay_stream_release(connect_to(listener));
  end_subscription(accepting);
  belay_listener_release(listener);
  run_to_end(loop);
  finish_storm();
}

/* ---- processes ---- */

static void note_exit(void *exits, belay_value value) {
  belay_value status = belay_null(), number = belay_null();
  int64_t code = -1;
  if (belay_value_count(value) == 4) return;
  CHECK(belay_value_get_item(value, 0, &status) == 0 && belay_value_get_item(value, 1, &number) == 0);
  CHECK_INT(belay_value_get_int64(status, &code), 0);
  CHECK_INT(code, 7);
  CHECK_INT(int_of(number), 0);
  ++*(int *)exits;
}

static belay_process_options shell(const char *script) {
  static const char *args[4];
  belay_process_options options = BELAY_INIT(belay_process_options);
  args[0] = "sh";
  args[1] = "-c";
  args[2] = script;
  options.args = args;
  return options;
}

static void processes_begin_and_end(void) {
  int exits = 0;
  begin_storm();
  belay_process_options options = shell("exit 7");
  for (int i = 0; i < 20; i++) {
    is_complete = 0;
    subscribe(belay_process(loop, &options), note_exit, &exits);
    run_until(&is_complete);
    CHECK_INT(exits, i + 1);
  }
  /* One that ignores SIGTERM, with a grace. */
  kill_stubborn_child(loop);
  finish_storm();
}

/* ---- files, by threads of the pool, and lookups, by threads of their own ---- */

static void files_and_lookups(void) {
  enum { SIZE = 300000 };
  char *text = malloc(SIZE + 1);
  memset(text, 'x', SIZE);
  text[SIZE] = 0;
  for (int i = 100; i < SIZE; i += 101) text[i] = '\n';
  for (int i = 0; i < 20; i++) {
    int lines = 0, chunks = 0, all = 0, hosts = 0;
    is_complete = 0;
    subscribe(belay_file_write(loop, in_folder("file"), belay_string(text)), count_value, &all);
    run_until(&is_complete);
    is_complete = -3;
    subscribe(belay_file_read(loop, in_folder("file")), count_value, &all);
    subscribe(belay_file_chunks(loop, in_folder("file"), 0), count_value, &chunks);
    subscribe(belay_file_lines(loop, in_folder("file"), 0), count_value, &lines);
    subscribe(belay_lookup(loop, "localhost", "80"), count_value, &hosts);
    run_to_end(loop);
    CHECK_INT(is_complete, 1);
    CHECK_INT(all, 2);
    CHECK_INT(chunks, 5);
    CHECK_INT(lines, (SIZE + 100) / 101);
    CHECK(hosts >= 1);
  }
  free(text);
}

static void files_while_the_loop_is_interrupted(void) {
  begin_storm();
  files_and_lookups();
  finish_storm();
}

/* Only threads of the pool can get the signal, which they have not blocked. */
static void files_while_the_pool_is_interrupted(void) {
  sigset_t alarm, before;
  int count = 0;
  begin_storm();
  is_complete = 0;
  subscribe(belay_file_write(loop, in_folder("file"), belay_string("x")), count_value, &count);
  run_until(&is_complete);
  sigemptyset(&alarm);
  sigaddset(&alarm, SIGALRM);
  CHECK_INT(pthread_sigmask(SIG_BLOCK, &alarm, &before), 0);
  __atomic_store_n(&storms, 0, __ATOMIC_RELAXED);
  files_and_lookups();
  while (!has_stormed()) usleep(1000);
  CHECK_INT(pthread_sigmask(SIG_SETMASK, &before, NULL), 0);
  finish_storm();
}

static void a_followed_file_loses_no_line(void) {
  enum { LINES = 300 };
  char expected[20];
  begin_storm();
  write_to(in_folder("log"), "", O_CREAT);
  int lines = 0;
  belay_observer observer = BELAY_INIT(belay_observer);
  belay_disposable *following;
  observer.next = count_value;
  observer.error = fail_case;
  observer.ctx = &lines;
  belay_signal *signal = belay_file_lines(loop, in_folder("log"), BELAY_FILE_FOLLOW);
  CHECK_INT(belay_signal_subscribe(signal, &observer, &following), 0);
  belay_signal_release(signal);
  for (int i = 0; i < LINES; i++) {
    snprintf(expected, sizeof expected, "line %d\n", i);
    write_to(in_folder("log"), expected, O_CREAT | O_APPEND);
    int is_read = 0;
    while (!is_read) {
      CHECK(belay_loop_run(loop, BELAY_RUN_ONCE) >= 0);
      is_read = lines == i + 1;
      if (lines > i + 1) break;
    }
    CHECK_INT(lines, i + 1);
    /* Its successor has the next ones. */
    if (i % 50 == 49) CHECK_INT(rename(in_folder("log"), in_folder("log.1")), 0);
  }
  end_subscription(following);
  run_to_end(loop);
  finish_storm();
}

/* ---- waits ---- */

static double seconds_since(uint64_t begun) { return (double)(uv_hrtime() - begun) * 1e-9; }

static void no_wait_is_cut_short(void) {
  belay_value value = belay_null();
  begin_storm();
  belay_signal *never = belay_signal_never();
  for (int i = 0; i < 5; i++) {
    uint64_t begun = uv_hrtime();
    CHECK_FAILS(belay_signal_wait_first(never, loop, 0.05, &value), BELAY_ETIMEDOUT);
    CHECK(seconds_since(begun) >= 0.05);
  }
  belay_signal_release(never);
  /* Of a timer, too. */
  uint64_t begun = uv_hrtime();
  int count = 0;
  is_complete = 0;
  subscribe(belay_signal_timer(belay_loop_get_scheduler(loop), 0.05), count_value, &count);
  run_until(&is_complete);
  CHECK_INT(count, 1);
  CHECK(seconds_since(begun) >= 0.05);
  finish_storm();
}

static int has_waited;

static void wait_for_room(void *subject) {
  int code = 0;
  while ((code = send_to(subject, 1)) == BELAY_QUEUED) continue;
  CHECK_INT(code, BELAY_EAGAIN);
  check_last_error(BELAY_EAGAIN);
  for (int i = 0; i < 5; i++) {
    uint64_t begun = uv_hrtime();
    CHECK_FAILS(belay_subject_next_wait(subject, belay_int32(1), 0.02), BELAY_ETIMEDOUT);
    CHECK(seconds_since(begun) >= 0.02);
  }
  __atomic_store_n(&has_waited, 1, __ATOMIC_RELEASE);
}

/* It gets the signals itself. */
static void nor_one_of_another_thread(void) {
  routine waiting;
  begin_storm();
  belay_signal *subject = belay_subject_create(NULL);
  has_waited = 0;
  start_thread(&waiting, wait_for_room, subject);
  while (!__atomic_load_n(&has_waited, __ATOMIC_ACQUIRE)) {
    pthread_kill(waiting.thread, SIGALRM);
    usleep(500);
  }
  join_thread(&waiting);
  belay_signal_release(subject);
  run_to_end(loop);
  finish_storm();
}

static const test_case cases[] = {
    CASE(an_echo_is_whole),
    CASE(processes_begin_and_end),
    CASE(files_while_the_loop_is_interrupted),
    CASE(files_while_the_pool_is_interrupted),
    CASE(a_followed_file_loses_no_line),
    CASE(no_wait_is_cut_short),
    CASE(nor_one_of_another_thread),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
