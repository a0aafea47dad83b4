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
#endif
    CASE(a_process_that_has_threads),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
