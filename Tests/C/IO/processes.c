/* Processes: what they get, how they end, and what is left of them. */
#define _GNU_SOURCE
#include "children.h"
#include "sanitizer.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>

static int ends[2];
static pid_t pid;

/* Traces the exit only; the number of the process differs each time. */
static void note_process(void *ctx, belay_value value) {
  belay_value number;
  if (belay_value_count(value) == 4) {
    CHECK_INT(belay_value_get_item(value, 0, &number), 0);
    pid = int_of(number);
    trace("started");
  } else {
    render_next(ctx, value);
  }
}

static belay_disposable *start_with(const belay_process_options *options) {
  belay_observer observer = tracing("");
  belay_disposable *subscription = NULL;
  observer.next = note_process;
  observer.error = trace_message;
  belay_signal *process = belay_process(loop, options);
  CHECK(process != NULL);
  CHECK_INT(belay_signal_subscribe(process, &observer, &subscription), 0);
  belay_signal_release(process);
  return subscription;
}

/* A shell with this script, whose output goes into a pipe. */
static belay_disposable *start_shell(const char *script, belay_process_disposal disposal,
                                     double grace) {
  const char *args[] = {"sh", "-c", script, NULL};
  belay_process_options options = BELAY_INIT(belay_process_options);
  options.args = args;
  options.output = ends[1];
  options.error = BELAY_STDIO_INHERIT;
  options.disposal = disposal;
  options.grace = grace;
  return start_with(&options);
}

static void open_processes(void) {
  begin();
  CHECK_INT(pipe2(ends, O_CLOEXEC), 0);
}

static void close_processes(void) {
  close(ends[0]);
  close(ends[1]);
  expect_no_children();
  finish();
}

static const char *read_output(void) {
  static char text[200];
  ssize_t count = read(ends[0], text, sizeof text - 1);
  text[count > 0 ? count : 0] = 0;
  return text;
}

static void its_exit_is_a_value(void) {
  open_processes();
  belay_disposable_release(start_shell("exit 3", BELAY_PROCESS_TERMINATE, 0));
  run_to_end(loop);
  CHECK_TRACE("started | next [3 0] | completed | disposed | free");
  belay_disposable_release(start_shell("kill -9 $$", BELAY_PROCESS_TERMINATE, 0));
  run_to_end(loop);
  CHECK_TRACE("started | next [0 9] | completed | disposed | free");
  close_processes();
}

static void what_it_gets(void) {
  open_processes();
  char real[200];
  CHECK(realpath(folder, real) != NULL);
  const char *args[] = {"/bin/sh", "-c", "echo $1 $NAME $(pwd) $(wc -c)", "zero", "one", NULL};
  const char *env[] = {"NAME=value", "PATH=/bin:/usr/bin", NULL};
  belay_process_options options = BELAY_INIT(belay_process_options);
  options.args = args;
  options.env = env;
  options.cwd = real;
  options.output = ends[1];
  belay_disposable_release(start_with(&options));
  run_to_end(loop);
  char expected[300];
  snprintf(expected, sizeof expected, "one value %s 0\n", real);
  CHECK_STRING(read_output(), expected);
  /* Its input comes from a file. */
  write_new("input");
  int input = open(in_folder("input"), O_RDONLY | O_CLOEXEC);
  const char *cat[] = {"cat", NULL};
  options.args = cat;
  options.input = input;
  belay_disposable_release(start_with(&options));
  run_to_end(loop);
  CHECK_STRING(read_output(), "text");
  close(input);
  trace_clear();
  close_processes();
}

static void what_cannot_be_run(void) {
  open_processes();
  const char *args[] = {"/no/such/program", NULL};
  belay_process_options options = BELAY_INIT(belay_process_options);
  options.args = args;
  belay_disposable_release(start_with(&options));
  CHECK_TRACE("error ENOENT: /no/such/program: no such file or directory | disposed | free");
  run_to_end(loop);
  const char *shell[] = {"sh", NULL};
  options.args = shell;
  options.cwd = "/no/such/directory";
  belay_disposable_release(start_with(&options));
  CHECK(strstr(trace_text(), "error ENOENT: sh: ") != NULL);
  trace_clear();
  run_to_end(loop);
  close_processes();
}

static void as_another_user(void) {
  open_processes();
  if (getuid() == 0) {
    const char *args[] = {"sh", "-c", "echo $(id -u) $(id -g)", NULL};
    belay_process_options options = BELAY_INIT(belay_process_options);
    options.args = args;
    options.output = ends[1];
    options.flags = BELAY_PROCESS_SET_UID | BELAY_PROCESS_SET_GID;
    options.uid = 65534;
    options.gid = 65533;
    belay_disposable_release(start_with(&options));
    run_to_end(loop);
    CHECK_STRING(read_output(), "65534 65533\n");
    trace_clear();
  }
  close_processes();
}

/* Writes to its input, and reads its output and its error. */
static void read_piece(void *ctx, belay_value value) {
  belay_view bytes = {"", 0};
  CHECK_INT(belay_value_get_bytes(value, &bytes), 0);
  trace("%s %.*s", (const char *)ctx, (int)bytes.size, bytes.data);
}
static void read_from(belay_value process, size_t index, const char *name) {
  belay_value item;
  belay_observer observer = tracing(name);
  observer.next = read_piece;
  CHECK_INT(belay_value_get_item(process, index, &item), 0);
  belay_signal *pieces = belay_stream_read(belay_value_get_stream(item));
  CHECK_INT(belay_signal_subscribe(pieces, &observer, NULL), 0);
  belay_signal_release(pieces);
}
static void use_pipes(void *ctx, belay_value value) {
  belay_value input;
  if (belay_value_count(value) != 4) return render_next(ctx, value);
  read_from(value, 2, "out");
  read_from(value, 3, "err");
  CHECK_INT(belay_value_get_item(value, 1, &input), 0);
  /* The pipe is closed behind this, so that its reader sees the end. */
  CHECK_INT(belay_stream_write(belay_value_get_stream(input), belay_string("hello")), 0);
}

static void with_pipes(void) {
  open_processes();
  const char *args[] = {"sh", "-c", "cat; echo problem >&2; exit 5", NULL};
  belay_process_options options = BELAY_INIT(belay_process_options);
  options.args = args;
  options.input = options.output = options.error = BELAY_STDIO_PIPE;
  belay_observer observer = tracing("");
  observer.next = use_pipes;
  belay_signal *process = belay_process(loop, &options);
  CHECK_INT(belay_signal_subscribe(process, &observer, NULL), 0);
  belay_signal_release(process);
  run_to_end(loop);
  CHECK(strstr(trace_text(), "out hello | ") != NULL);
  CHECK(strstr(trace_text(), "out completed") && strstr(trace_text(), "err completed"));
  CHECK(strstr(trace_text(), "err problem") != NULL);
  CHECK(strstr(trace_text(), "next [5 0] | completed") != NULL);
  trace_clear();
  /* One that cannot be run leaves no pipe. */
  const char *none[] = {"/no/such/program", NULL};
  options.args = none;
  belay_disposable_release(start_with(&options));
  trace_clear();
  run_to_end(loop);
  close_processes();
}

static belay_stream *its_input;
static void feed_and_shut_down(void *ctx, belay_value value) {
  static const char data[300000];
  belay_value input;
  if (belay_value_count(value) != 4) return render_next(ctx, value);
  read_from(value, 2, "out");
  CHECK_INT(belay_value_get_item(value, 1, &input), 0);
  its_input = belay_stream_retain(belay_value_get_stream(input));
  /* More than a pipe holds. */
  CHECK_INT(belay_stream_write(its_input, belay_bytes(data, sizeof data)), BELAY_QUEUED);
  CHECK_INT(belay_stream_shutdown(its_input), 0);
  CHECK_INT(belay_stream_write(its_input, belay_string("more")), BELAY_EENDED);
  watch(belay_stream_drained(its_input, 0), "drained");
}

static void its_input_is_shut_down(void) {
  open_processes();
  const char *args[] = {"sh", "-c", "wc -c", NULL};
  belay_process_options options = BELAY_INIT(belay_process_options);
  options.args = args;
  options.input = options.output = BELAY_STDIO_PIPE;
  belay_observer observer = tracing("");
  observer.next = feed_and_shut_down;
  belay_signal *process = belay_process(loop, &options);
  CHECK_INT(belay_signal_subscribe(process, &observer, NULL), 0);
  belay_signal_release(process);
  run_to_end(loop);
  CHECK(strstr(trace_text(), "drained completed") != NULL);
  CHECK(strstr(trace_text(), "out 300000\n | ") != NULL);
  CHECK(strstr(trace_text(), "next [0 0] | completed") != NULL);
  CHECK_INT(belay_stream_write(its_input, belay_string("more")), BELAY_EENDED);
  CHECK_INT(belay_stream_waiting(its_input), 0);
  trace_clear();
  belay_stream_release(its_input);
  run_to_end(loop);
  close_processes();
}

/* It says "ready" when it is. */
#define READY "echo ready; "
#define SLEEPING "while :; do sleep 0.05; done"

static void wait_until_ready(void) { CHECK_STRING(read_output(), "ready\n"); }

/* Waits until everything that has the pipe's other end has gone. */
static void wait_until_closed(void) {
  close(ends[1]);
  CHECK_STRING(read_output(), "");
  ends[1] = -1;
}

static void a_disposal_terminates_it(void) {
  open_processes();
  belay_disposable *subscription = start_shell("exec sleep 1000", BELAY_PROCESS_TERMINATE, -1);
  end_subscription(subscription);
  CHECK_TRACE("started | disposed | free");
  run_to_end(loop);
  expect_no_children();
  subscription = start_shell("exec sleep 1000", BELAY_PROCESS_KILL, 0);
  end_subscription(subscription);
  trace_clear();
  expect_no_children();
  close_processes();
}

static void one_that_ignores_it_is_killed(void) {
  open_processes();
  belay_disposable *subscription =
      start_shell("trap '' TERM; " READY SLEEPING, BELAY_PROCESS_TERMINATE, 0.05);
  wait_until_ready();
  pid_t child = pid;
  end_subscription(subscription);
  CHECK_INT(kill(child, 0), 0);
  trace_clear();
  run_to_end(loop);
  expect_no_children();
  close_processes();
}

static void but_not_before_the_grace_is_over_however_long(void) {
  static const double graces[] = {9.3e9, 1e300, HUGE_VAL};
  for (size_t i = 0; i < sizeof graces / sizeof *graces; i++) {
    open_processes();
    belay_disposable *subscription = start_shell(
        "trap '' TERM; " READY "sleep 0.2; echo lived", BELAY_PROCESS_TERMINATE, graces[i]);
    wait_until_ready();
    end_subscription(subscription);
    close(ends[1]);
    CHECK_STRING(read_output(), "lived\n");
    ends[1] = -1;
    trace_clear();
    run_to_end(loop);
    expect_no_children();
    close_processes();
  }
}

static void one_that_is_left_goes_on(void) {
  open_processes();
  belay_disposable *subscription = start_shell("read line; echo $line", BELAY_PROCESS_LEAVE, 0);
  end_subscription(subscription);
  trace_clear();
  run_to_end(loop);
  /* Its input is /dev/null, so that it ends by itself. */
  CHECK_STRING(read_output(), "\n");
  expect_no_children();
  close_processes();
}

/* Starts a group whose leader runs the script, ends it when it is ready, and waits until nobody has its
   output. */
static pid_t end_group(const char *script, double grace) {
  open_processes();
  const char *args[] = {"sh", "-c", script, NULL};
  belay_process_options options = BELAY_INIT(belay_process_options);
  options.args = args;
  options.output = ends[1];
  options.flags = BELAY_PROCESS_DETACHED;
  options.grace = grace;
  belay_disposable *subscription = start_with(&options);
  wait_until_ready();
  pid_t group = pid;
  CHECK_INT(getpgid(group), group);
  end_subscription(subscription);
  trace_clear();
  run_to_end(loop);
  wait_until_closed();
  expect_no_children();
  close(ends[0]);
  finish();
  return group;
}
static void a_group_ends_as_a_whole(void) { end_group("sleep 1000 & " READY "wait", 0); }

/* Its leader ends at SIGTERM, which the others ignore. */
static void what_is_left_of_a_group_is_killed(void) {
  pid_t group =
      end_group("(trap '' TERM; " READY SLEEPING ") & trap 'exit 0' TERM; " SLEEPING, 0.5);
  /* Who has inherited them sees them out. */
  while (kill(-group, 0) == 0) sched_yield();
  CHECK_INT(errno, ESRCH);
}

static void children_at_a_close(void) {
  open_processes();
  belay_disposable_release(start_shell("exec sleep 1000", BELAY_PROCESS_TERMINATE, 0));
  belay_disposable_release(
      start_shell("trap '' TERM; " READY SLEEPING, BELAY_PROCESS_TERMINATE, 0.02));
  wait_until_ready();
  belay_disposable_release(start_shell("exec sleep 1000", BELAY_PROCESS_KILL, 0));
  trace_clear();
  CHECK_INT(belay_loop_close(loop, ignore_left, NULL, NULL), 0);
  CHECK_TRACE("disposed | free | disposed | free | disposed | free");
  expect_no_children();
  belay_loop_release(loop);
  loop = open_loop();
  close_processes();
}

/* Several end in one turn, and the first disposes of the others. */
static void disposed_by_the_exit_of_another(void) {
  open_processes();
  dispose_of_all_at_an_exit(loop);
  close_processes();
}

static void close_in_exit(void *ctx, belay_value value) {
  if (belay_value_count(value) == 2)
    CHECK_INT(belay_loop_close(loop, ignore_left, NULL, NULL), 0);
}

static void close_inside_of_its_exit(void) {
  open_processes();
  const char *args[] = {"true", NULL};
  belay_process_options options = BELAY_INIT(belay_process_options);
  options.args = args;
  belay_observer observer = tracing("");
  observer.next = close_in_exit;
  belay_signal *process = belay_process(loop, &options);
  CHECK_INT(belay_signal_subscribe(process, &observer, NULL), 0);
  belay_signal_release(process);
  CHECK_INT(belay_loop_run(loop, BELAY_RUN_DEFAULT), 0);
  CHECK(strstr(trace_text(), "disposed | free") != NULL);
  trace_clear();
  belay_loop_release(loop);
  loop = open_loop();
  close_processes();
}

static void refuse(const belay_process_options *options) {
  CHECK(belay_process(loop, options) == NULL);
  check_last_error(BELAY_EINVAL);
}

static void bad_arguments(void) {
  open_processes();
  const char *args[] = {"true", NULL}, *none[] = {NULL};
  belay_process_options options = BELAY_INIT(belay_process_options);
  refuse(NULL);
  refuse(&options);
  options.args = none;
  refuse(&options);
  options.args = args;
  CHECK(belay_process(NULL, &options) == NULL);
  check_last_error(BELAY_EINVAL);
  options.flags = 8;
  refuse(&options);
  options.flags = 0;
  options.output = -3;
  refuse(&options);
  options.output = 0;
  options.disposal = (belay_process_disposal)3;
  refuse(&options);
  options.disposal = BELAY_PROCESS_TERMINATE;
  options.grace = 0.0 / 0.0;
  refuse(&options);
  options.grace = 0;
  options.size = 7;
  refuse(&options);
  close_processes();
}

#ifndef BENEATH_A_SANITIZER
/* There is no room for the stack of a thread, and so nobody to wait for the time that the child has. */
static void *return_at_once(void *ctx) { return NULL; }
static void disposed_of_without_a_thread(void) {
  struct rlimit before, none = {0, 0};
  begin();
  belay_disposable *subscription =
      start_shell("trap '' TERM; echo; while :; do sleep 1; done", BELAY_PROCESS_TERMINATE, 1000);
  run_until_traced("started");
  CHECK_INT(getrlimit(RLIMIT_AS, &before), 0);
  none.rlim_max = before.rlim_max;
  CHECK_INT(setrlimit(RLIMIT_AS, &none), 0);
  pthread_t any;
  int is_refused = pthread_create(&any, NULL, return_at_once, NULL) != 0;
  if (!is_refused) pthread_join(any, NULL); /* qemu knows no such limit */
  end_subscription(subscription);
  CHECK_INT(setrlimit(RLIMIT_AS, &before), 0);
  if (is_refused) CHECK(waitpid(pid, NULL, WNOHANG) < 0 && errno == ECHILD);
  else kill(pid, SIGKILL);
  trace_clear();
  finish();
}
#endif

static const test_case cases[] = {
#ifndef BENEATH_A_SANITIZER
    CASE(disposed_of_without_a_thread), /* First: the system keeps the stacks of threads that have ended. */
#endif
    CASE(its_exit_is_a_value),
    CASE(what_it_gets),
    CASE(with_pipes),
    CASE(its_input_is_shut_down),
    CASE(what_cannot_be_run),
    CASE(as_another_user),
    CASE(a_disposal_terminates_it),
    CASE(one_that_ignores_it_is_killed),
    CASE(but_not_before_the_grace_is_over_however_long),
    CASE(one_that_is_left_goes_on),
    CASE(a_group_ends_as_a_whole),
    CASE(what_is_left_of_a_group_is_killed),
    CASE(children_at_a_close),
    CASE(disposed_by_the_exit_of_another),
    CASE(close_inside_of_its_exit),
    CASE(bad_arguments),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
