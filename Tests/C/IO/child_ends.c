/* How the end of a process is heard where libuv's handler of SIGCHLD does not tell it. */
#define _GNU_SOURCE
#include "children.h"

#include <dlfcn.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <uv.h>

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

/* The system gives no descriptor of a child, or gives it late: to a host that has been quicker. */
static int refusal, host_is_quicker;
static int descriptors_asked;
static void wait_for_any(void);
long syscall(long number, ...) {
  long (*real)(long, ...);
  *(void **)&real = dlsym(RTLD_NEXT, "syscall");
  long a[6];
  va_list arguments;
  va_start(arguments, number);
  for (int i = 0; i < 6; i++) a[i] = va_arg(arguments, long);
  va_end(arguments);
  if (number == SYS_pidfd_open) {
    descriptors_asked++;
    if (host_is_quicker) wait_for_any();
    if (refusal) {
      errno = refusal;
      return -1;
    }
  }
  return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* Whether this system has such descriptors; an emulator may have none. */
static int has_descriptors(void) {
  int fd = (int)syscall(SYS_pidfd_open, getpid(), 0);
  if (fd >= 0) close(fd);
  return fd >= 0;
}

/* What the child waits for. */
static int gate[2];
static pid_t pid;

static void note_process(void *ctx, belay_value value) {
  belay_value number;
  if (belay_value_count(value) != 4) return render_next(ctx, value);
  CHECK_INT(belay_value_get_item(value, 0, &number), 0);
  pid = int_of(number);
  trace("started");
}

static belay_disposable *start_at(belay_loop *at, const char *script) {
  const char *args[] = {"sh", "-c", script, NULL};
  belay_observer observer = tracing("");
  belay_disposable *subscription = NULL;
  observer.next = note_process;
  observer.error = trace_message;
  belay_signal *process =
      belay_process(at, &BELAY_INIT(belay_process_options, .args = args, .input = gate[0],
                                    .output = BELAY_STDIO_INHERIT));
  CHECK_INT(belay_signal_subscribe(process, &observer, &subscription), 0);
  belay_signal_release(process);
  return subscription;
}
/* One that ends with 3 when it is let go. */
#define WAITING "read line; exit 3"
static void start(void) { belay_disposable_release(start_at(loop, WAITING)); }
static void let_go(void) { CHECK_INT(write(gate[1], "\n", 1), 1); }

static struct sigaction before;
static sigset_t mask_before;
static void open_case(void) {
  begin();
  CHECK_INT(pipe2(gate, O_CLOEXEC), 0);
  CHECK_INT(sigaction(SIGCHLD, NULL, &before), 0);
  CHECK_INT(pthread_sigmask(SIG_SETMASK, NULL, &mask_before), 0);
}
static void close_case(void) {
  CHECK_INT(pthread_sigmask(SIG_SETMASK, &mask_before, NULL), 0);
  CHECK_INT(sigaction(SIGCHLD, &before, NULL), 0);
  close(gate[0]);
  close(gate[1]);
  trace_clear();
  expect_no_children();
  finish();
}

static void block(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGCHLD);
  CHECK_INT(pthread_sigmask(SIG_BLOCK, &set, NULL), 0);
}
static void set_handler(void (*handler)(int)) {
  CHECK_INT(sigaction(SIGCHLD, &(struct sigaction){.sa_handler = handler}, NULL), 0);
}
static void handle(int number) {}

/* What waits for every child of the process. */
static void wait_for_any(void) {
  let_go();
  pid_t found = waitpid(-1, NULL, 0);
  CHECK(found > 0 && (pid == 0 || found == pid));
}

#define EXIT "started | next [3 0] | completed | disposed | free"
#define LOSS "started | error ECHILD: sh: waited for elsewhere | disposed | free"

/* ---- whom the system does not tell ---- */

static void expect_the_end(const char *expected) {
  run_until_traced("free");
  CHECK_TRACE(expected);
}

static void while_the_signal_is_blocked(void) {
  open_case();
  block();
  start();
  let_go();
  expect_the_end(EXIT);
  belay_disposable_release(start_at(loop, "kill -9 $$"));
  expect_the_end("started | next [0 9] | completed | disposed | free");
  close_case();
}

static void where_the_host_has_a_handler_of_its_own(void) {
  open_case();
  start();
  set_handler(handle);
  let_go();
  expect_the_end(EXIT);
  close_case();
}

/* As sd-event does it, and a server of Wayland. */
static void where_the_host_reads_the_signal(void) {
  open_case();
  block();
  start();
  int status = 0;
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGCHLD);
  let_go();
  CHECK_INT(sigwait(&set, &status), 0);
  expect_the_end(EXIT);
  close_case();
}

/* The host has one descriptor to wait for. */
static void where_the_host_runs_the_loop(void) {
  open_case();
  block();
  struct pollfd host = {.fd = belay_loop_fd(loop), .events = POLLIN};
  start();
  let_go();
  while (!strstr(trace_text(), "free")) {
    if (poll(&host, 1, 60000) != 1) break;
    CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  }
  CHECK_TRACE(EXIT);
  close_case();
}

/* ---- whom it has nothing to tell ---- */

static void one_whose_status_the_host_ignores(void) {
  open_case();
  start();
  set_handler(SIG_IGN);
  let_go();
  expect_the_end(LOSS);
  close_case();
}

static void one_that_the_host_has_waited_for(void) {
  open_case();
  start();
  wait_for_any();
  expect_the_end(LOSS);
  close_case();
}

static void and_before_it_was_known(void) {
  open_case();
  host_is_quicker = 1;
  pid = 0;
  start();
  host_is_quicker = 0;
  expect_the_end(LOSS);
  close_case();
}

/* One that somebody traces has ended before it can be waited for. Nothing spins until then. */
static void while_it_is_traced(void (*prepare)(void)) {
  int traced[2], over[2];
  char letter = 0;
  open_case();
  prepare();
  struct pollfd host = {.fd = belay_loop_fd(loop), .events = POLLIN};
  CHECK(pipe2(traced, O_CLOEXEC) == 0 && pipe2(over, O_CLOEXEC) == 0);
  start();
  pid_t tracer = fork();
  if (tracer == 0) {
    char is_traced = ptrace(PTRACE_SEIZE, pid, NULL, NULL) == 0 ? 'y' : 'n';
    close(over[1]);
    if (write(traced[1], &is_traced, 1) != 1) _exit(1);
    while (read(over[0], &letter, 1) < 0 && errno == EINTR) continue;
    _exit(0);
  }
  close(traced[1]);
  close(over[0]);
  CHECK_INT(read(traced[0], &letter, 1), 1);
  struct pollfd child = {.fd = (int)syscall(SYS_pidfd_open, pid, 0), .events = POLLIN};
  let_go();
  CHECK_INT(poll(&child, 1, 60000), 1);
  close(child.fd);
  if (letter == 'y') { /* not every sandbox lets a process trace another one */
    for (int i = 0; i < 3; i++) CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
    CHECK_TRACE("started");
    trace("started");
    CHECK_INT(poll(&host, 1, 0), 0);
  }
  close(over[1]);
  CHECK_INT(waitpid(tracer, NULL, 0), tracer);
  expect_the_end(EXIT);
  close(traced[0]);
  close_case();
}
static void nothing(void) {}
static void one_that_is_traced(void) { while_it_is_traced(nothing); }
static void and_while_the_signal_is_blocked(void) { while_it_is_traced(block); }

/* ---- several, and beside each other ---- */

/* The first to end disposes of the others, which have ended, too. */
static void disposed_of_by_the_exit_of_another(void) {
  open_case();
  block();
  dispose_of_all_at_an_exit(loop);
  close_case();
}

/* The exit of the first is told, and a turn inside of that tells of the second. */
static void run_inside(void *ctx, belay_value value) {
  note_process(ctx, value);
  if (belay_value_count(value) == 4) return;
  let_go();
  run_until_traced("inner free");
}
static void in_a_turn_inside_of_another_exit(void) {
  const char *args[] = {"true", NULL};
  open_case();
  block();
  belay_observer observer = tracing("outer");
  observer.next = run_inside;
  belay_signal *process = belay_process(loop, &BELAY_INIT(belay_process_options, .args = args));
  CHECK_INT(belay_signal_subscribe(process, &observer, NULL), 0);
  belay_signal_release(process);
  const char *inner[] = {"sh", "-c", WAITING, NULL};
  watch(belay_process(loop, &BELAY_INIT(belay_process_options, .args = inner, .input = gate[0])),
        "inner");
  run_until_traced("outer free");
  CHECK(strstr(trace_text(), "next [0 0] | inner next [3 0] | inner completed | inner disposed | "
                             "inner free | outer completed | ") != NULL);
  close_case();
}

/* A child of the host's own and one of Belay's have ended when libuv's handler comes. It waits for
   both, and has Belay's in hand while it tells the host, which runs a turn then. */
static int host_gate[2], bell[2];
static uv_loop_t host_loop;
static uv_poll_t last_call;
static uv_process_t host_child;
static void (*at_exit)(void);
static belay_disposable *of_belay;

static void wait_for_end(pid_t child) {
  siginfo_t info;
  CHECK_INT(waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT), 0);
}
/* In the turn that hears of the signal, and before the handler. */
static void let_the_other_go(uv_poll_t *handle, int status, int events) {
  let_go();
  wait_for_end(pid);
  uv_close((uv_handle_t *)handle, NULL);
}
static void run_a_turn(uv_process_t *handle, int64_t status, int number) {
  uv_close((uv_handle_t *)handle, NULL);
  at_exit();
  uv_run(handle->loop, UV_RUN_NOWAIT);
  trace("over");
}
static void both_end(uv_loop_t *uv, void (*action)(void)) {
  char *args[] = {"sh", "-c", "read line", NULL};
  CHECK(pipe2(host_gate, O_CLOEXEC) == 0 && pipe2(bell, O_CLOEXEC) == 0);
  uv_stdio_container_t input = {.flags = UV_INHERIT_FD, .data.fd = host_gate[0]};
  uv_process_options_t options = {
      .file = "sh", .args = args, .stdio = &input, .stdio_count = 1, .exit_cb = run_a_turn};
  at_exit = action;
  CHECK_INT(uv_spawn(uv, &host_child, &options), 0);
  of_belay = start_at(loop, WAITING);
  while (!strstr(trace_text(), "started")) uv_run(uv, UV_RUN_ONCE);
  CHECK_INT(uv_poll_init(uv, &last_call, bell[0]), 0);
  CHECK_INT(uv_poll_start(&last_call, UV_READABLE, let_the_other_go), 0);
  CHECK_INT(write(host_gate[1], "\n", 1), 1);
  wait_for_end(host_child.pid);
  CHECK_INT(write(bell[1], "\n", 1), 1);
  uv_run(uv, UV_RUN_DEFAULT);
  belay_disposable_release(of_belay);
  for (int i = 0; i < 2; i++) {
    close(host_gate[i]);
    close(bell[i]);
  }
}
static void dispose_of_it(void) { belay_disposable_dispose(of_belay); }
static void expect_it(void *ctx, const belay_open_resource *const *left, size_t count) {
  CHECK_INT(count, 1);
}
static void close_its_loop(void) {
  CHECK_INT(belay_loop_close(loop, expect_it, NULL, NULL), 0);
  belay_loop_release(loop);
  loop = NULL;
}
static void in_a_turn_inside_of_an_exit_of_the_hosts(void) {
  open_case();
  both_end(belay_loop_uv(loop), nothing);
  CHECK_TRACE("started | over | next [3 0] | completed | disposed | free");
  close_case();
}
static void disposed_of_by_an_exit_of_the_hosts(void) {
  open_case();
  both_end(belay_loop_uv(loop), dispose_of_it);
  CHECK_TRACE("started | disposed | free | over");
  close_case();
}
static void at_the_hosts_loop(void) {
  static void (*const actions[])(void) = {nothing, dispose_of_it, close_its_loop};
  open_case();
  close_loop(loop);
  for (int i = 0; i < 3; i++) {
    CHECK_INT(uv_loop_init(&host_loop), 0);
    loop = belay_loop_adopt(&host_loop, NULL);
    both_end(&host_loop, actions[i]);
    CHECK(strstr(trace_text(), "free") != NULL);
    trace_clear();
    if (loop) close_loop(loop);
    uv_run(&host_loop, UV_RUN_DEFAULT);
    CHECK_INT(uv_loop_close(&host_loop), 0);
  }
  loop = NULL;
  close_case();
}

/* Ended while it runs, with what watches it. */
static void disposed_of_while_it_runs(void) {
  open_case();
  block();
  end_subscription(start_at(loop, "exec sleep 1000"));
  CHECK_TRACE("started | disposed | free");
  run_to_end(loop);
  close_case();
}

static void beside_the_signal_itself(void) {
  open_case();
  belay_disposable *signals = watched(belay_posix_signal(loop, SIGCHLD), "signal");
  start();
  let_go();
  run_until_traced("disposed | free");
  run_until_traced("signal next 17");
  CHECK(strstr(trace_text(), "next [3 0] | completed") != NULL);
  end_subscription(signals);
  run_to_end(loop);
  close_case();
}

/* A child has none of them. */
static void no_child_inherits_it(void) {
  static char listed[4000];
  int output[2];
  open_case();
  CHECK_INT(pipe2(output, O_CLOEXEC), 0);
  start();
  const char *args[] = {"sh", "-c", "ls -l /proc/$$/fd", NULL};
  watch(belay_process(loop, &BELAY_INIT(belay_process_options, .args = args, .output = output[1])),
        "list");
  run_until_traced("list free");
  ssize_t count = read(output[0], listed, sizeof listed - 1);
  CHECK(count > 0);
  listed[count > 0 ? count : 0] = 0;
  CHECK(strstr(listed, "pipe:") != NULL);
  CHECK(!strstr(listed, "pidfd"));
  close(output[0]);
  close(output[1]);
  let_go();
  run_to_end(loop);
  close_case();
}

/* ---- without such descriptors ---- */

/* By the signal, as everything was. */
static void where_the_system_gives_no_descriptor(void) {
  static const int refusals[] = {ENOSYS, EPERM, EMFILE};
  for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
    open_case();
    refusal = refusals[i];
    descriptors_asked = 0;
    int count = descriptors();
    start();
    CHECK_INT(descriptors_asked, 1);
    refusal = 0;
    CHECK_INT(descriptors(), count);
    let_go();
    expect_the_end(EXIT);
    close_case();
  }
}

static void a_host_that_was_quicker_is_found_there_too(void) {
  open_case();
  refusal = ENOSYS;
  host_is_quicker = 1;
  pid = 0;
  start();
  refusal = host_is_quicker = 0;
  expect_the_end(LOSS);
  close_case();
}

static const test_case all[] = {
    CASE(while_the_signal_is_blocked),
    CASE(where_the_host_has_a_handler_of_its_own),
    CASE(where_the_host_reads_the_signal),
    CASE(where_the_host_runs_the_loop),
    CASE(one_whose_status_the_host_ignores),
    CASE(one_that_the_host_has_waited_for),
    CASE(and_before_it_was_known),
    CASE(one_that_is_traced),
    CASE(and_while_the_signal_is_blocked),
    CASE(disposed_of_by_the_exit_of_another),
    CASE(in_a_turn_inside_of_another_exit),
    CASE(in_a_turn_inside_of_an_exit_of_the_hosts),
    CASE(disposed_of_by_an_exit_of_the_hosts),
    CASE(at_the_hosts_loop),
    CASE(disposed_of_while_it_runs),
    CASE(beside_the_signal_itself),
    CASE(no_child_inherits_it),
    CASE(where_the_system_gives_no_descriptor),
    CASE(a_host_that_was_quicker_is_found_there_too),
};
static const test_case always[] = {
    CASE(beside_the_signal_itself),
    CASE(no_child_inherits_it),
    CASE(where_the_system_gives_no_descriptor),
    CASE(a_host_that_was_quicker_is_found_there_too),
};

int main(int argc, char **argv) {
  if (!has_descriptors()) return RUN_CASES(always);
  return RUN_CASES(all);
}
