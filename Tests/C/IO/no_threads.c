/* A process to which the system gives no more threads. */
#define _GNU_SOURCE
#include "children.h"
#include "sanitizer.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>

#ifndef BENEATH_A_SANITIZER
/* Which has its own. */
static int threads_left = INT_MAX;
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                   void *argument) {
  __typeof__(pthread_create) *create;
  *(void **)&create = dlsym(RTLD_NEXT, "pthread_create");
  int left = __atomic_load_n(&threads_left, __ATOMIC_SEQ_CST);
  if (left <= 0) return EAGAIN;
  if (left != INT_MAX) __atomic_sub_fetch(&threads_left, 1, __ATOMIC_SEQ_CST);
  return create(thread, attributes, run, argument);
}

/* ---- children ---- */

static void a_child_has_time_to_end(void) {
  begin();
  threads_left = 0;
  end_gently(loop, 60);
  threads_left = INT_MAX;
  trace_clear();
  finish();
}

/* Who ends the subscription waits for it. */
static void and_is_killed_after_that(void) {
  begin();
  threads_left = 0;
  kill_stubborn_child(loop);
  threads_left = INT_MAX;
  finish();
}

static pid_t pid;
static void note_pid(void *ctx, belay_value value) {
  belay_value number;
  CHECK_INT(belay_value_get_item(value, 0, &number), 0);
  pid = int_of(number);
}
/* One that nobody waits for. The program can do so. */
static void leave(belay_process_disposal disposal, double grace) {
  const char *args[] = {"sleep", "1000", NULL};
  belay_observer observer = rendering("");
  belay_disposable *child = NULL;
  observer.next = note_pid;
  begin();
  belay_signal *process = belay_process(
      loop, &BELAY_INIT(belay_process_options, .args = args, .disposal = disposal, .grace = grace));
  CHECK_INT(belay_signal_subscribe(process, &observer, &child), 0);
  belay_signal_release(process);
  threads_left = 0;
  end_subscription(child);
  threads_left = INT_MAX;
  CHECK_TRACE("disposed | free");
  if (disposal == BELAY_PROCESS_LEAVE) CHECK_INT(kill(pid, SIGINT), 0);
  int status = 0;
  CHECK_INT(waitpid(pid, &status, 0), pid);
  CHECK_INT(WTERMSIG(status), disposal == BELAY_PROCESS_LEAVE ? SIGINT : SIGTERM);
  finish();
}
static void one_that_may_live_on_becomes_a_zombie(void) { leave(BELAY_PROCESS_TERMINATE, -1); }
static void so_does_one_that_is_left(void) { leave(BELAY_PROCESS_LEAVE, 0); }

/* ---- libuv's pool ---- */

static belay_value produce(void *ctx) { return belay_int32(1); }
static const char no_thread[] = "cannot start a thread";
static void expect_refusal(belay_signal *signal, const char *what) {
  char expected[300];
  snprintf(expected, sizeof expected,
           "error EAGAIN: %s: resource temporarily unavailable | disposed | free", what);
  watch_errors(signal);
  run_to_end(loop);
  CHECK_TRACE(expected);
}
static void expect_refusals(void) {
  write_new("file");
  const char *file = in_folder("file");
  expect_refusal(belay_work(loop, produce, NULL, NULL), no_thread);
  expect_refusal(belay_file_read(loop, file), no_thread);
  expect_refusal(belay_file_write(loop, file, belay_string("a")), no_thread);
  expect_refusal(belay_directory_list(loop, folder), no_thread);
  expect_refusal(belay_tree_events(loop, folder), folder);
  expect_refusal(belay_file_lines(loop, file, BELAY_FILE_FOLLOW), file);
  expect_refusal(belay_file_chunks(loop, file, 0), file);
  expect_refusal(belay_file_poll(loop, file, 1), file);

  belay_scheduler *pool = belay_scheduler_create_pool(loop);
  CHECK_FAILS(belay_scheduler_schedule(pool, trace_action, "runs", trace_free, NULL), BELAY_EAGAIN);
  CHECK_TRACE("free runs");
  trace_clear();
  CHECK_INT(belay_scheduler_after(pool, 0.001, trace_action, "late", trace_free, NULL), 0);
  run_to_end(loop);
  CHECK_TRACE("free late");
  trace_clear();
  belay_scheduler_release(pool);
}

static void what_asks_for_its_pool_fails(void) {
  begin();
  threads_left = 0;
  expect_refusals();
  threads_left = INT_MAX;
  finish();
}
/* libuv makes all threads of its pool at once, or ends the process. */
static void also_where_there_are_some(void) {
  begin();
  for (int i = 1; i <= 4; i++) {
    threads_left = i;
    expect_refusal(belay_work(loop, produce, NULL, NULL), no_thread);
  }
  threads_left = INT_MAX;
  finish();
}
static void and_works_when_there_are_more(void) {
  begin();
  write_new("file");
  watch(belay_file_read(loop, in_folder("file")), "");
  run_to_end(loop);
  CHECK(strstr(trace_text(), "completed") != NULL);
  trace_clear();
  /* They are there for good. */
  threads_left = 0;
  watch(belay_work(loop, produce, NULL, NULL), "");
  run_to_end(loop);
  CHECK_TRACE("next 1 | completed | disposed | free");
  threads_left = INT_MAX;
  trace_clear();
  finish();
}
/* Which has none of its parent's threads. */
static int status_of_child;
static void fork_without_threads(void *unused) {
  pid_t child = fork();
  if (child == 0) {
    alarm(60);
    threads_left = 0;
    loop = open_loop();
    belay_observer observer = tracing("");
    CHECK_INT(belay_signal_subscribe(belay_work(loop, produce, NULL, NULL), &observer, NULL), 0);
    run_to_end(loop);
    _exit(strstr(trace_text(), "error EAGAIN") ? EXIT_SUCCESS : EXIT_FAILURE);
  }
  waitpid(child, &status_of_child, 0);
}
static void a_child_has_its_own_pool(void) {
  status_of_child = -1;
  in_thread(fork_without_threads, NULL);
  CHECK_INT(status_of_child, 0);
}
#endif

static void a_process_that_has_threads(void) {
  begin();
  kill_stubborn_child(loop);
  finish();
}

static const test_case cases[] = {
#ifndef BENEATH_A_SANITIZER
    CASE(a_child_has_time_to_end),
    CASE(and_is_killed_after_that),
    CASE(one_that_may_live_on_becomes_a_zombie),
    CASE(so_does_one_that_is_left),
    CASE(what_asks_for_its_pool_fails),
    CASE(also_where_there_are_some),
    CASE(and_works_when_there_are_more),
    CASE(a_child_has_its_own_pool),
#endif
    CASE(a_process_that_has_threads),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
