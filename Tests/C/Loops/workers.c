/* Workers: a thread and a loop of their own. */
#include "cases.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef struct visit {
  pthread_t thread;
  int order, count, freed;
} visit;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int done;

static void visited(void *ctx) {
  visit *it = ctx;
  it->thread = pthread_self();
  it->order = it->order * 10 + ++it->count;
}
static void freed(void *ctx) { ((visit *)ctx)->freed++; }
static void finish(void *ctx) {
  (void)ctx;
  pthread_mutex_lock(&lock);
  done++;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
}
static void wait_until_done(int count) {
  pthread_mutex_lock(&lock);
  while (done < count) pthread_cond_wait(&changed, &lock);
  done = 0;
  pthread_mutex_unlock(&lock);
}

static void work_runs_on_the_workers_thread_in_order(void) {
  belay_worker *worker = belay_worker_create(&BELAY_INIT(belay_worker_options, .label = "worker"));
  CHECK(worker != NULL);
  belay_scheduler *scheduler = belay_worker_get_scheduler(worker);
  visit it = {0};
  for (int i = 0; i < 3; i++)
    CHECK_INT(belay_scheduler_schedule(scheduler, visited, &it, freed, NULL), 0);
  CHECK_INT(belay_scheduler_schedule(scheduler, finish, NULL, NULL, NULL), 0);
  wait_until_done(1);
  CHECK_INT(it.order, 123);
  CHECK(!pthread_equal(it.thread, pthread_self()));
  belay_worker_release(worker);
  CHECK_INT(it.freed, 3);
}

static void delayed_work_runs_too(void) {
  belay_worker *worker = belay_worker_create(NULL);
  belay_scheduler *scheduler = belay_worker_get_scheduler(worker);
  CHECK_INT(belay_scheduler_after(scheduler, 0.001, finish, NULL, NULL, NULL), 0);
  wait_until_done(1);
  belay_worker_release(worker);
}

static void what_has_not_begun_goes_with_the_worker(void) {
  belay_worker *worker = belay_worker_create(NULL);
  visit it = {0};
  belay_scheduler *scheduler = belay_worker_get_scheduler(worker);
  CHECK_INT(belay_scheduler_after(scheduler, 3600, visited, &it, freed, NULL), 0);
  belay_worker_release(worker);
  CHECK_INT(it.count, 0);
  CHECK_INT(it.freed, 1);
}

static void a_scheduler_outlives_its_worker(void) {
  belay_worker *worker = belay_worker_create(NULL);
  belay_scheduler *scheduler = belay_scheduler_retain(belay_worker_get_scheduler(worker));
  belay_worker_release(worker);
  visit it = {0};
  CHECK_FAILS(belay_scheduler_schedule(scheduler, visited, &it, freed, NULL), BELAY_ECANCELED);
  CHECK_INT(it.freed, 1);
  belay_scheduler_release(scheduler);
}

static void release_worker(void *worker) {
  belay_worker_release(worker);
  finish(NULL);
}

static void released_on_its_own_thread(void) {
  belay_worker *worker = belay_worker_create(NULL);
  belay_scheduler *scheduler = belay_worker_get_scheduler(worker);
  CHECK_INT(belay_scheduler_schedule(scheduler, release_worker, worker, NULL, NULL), 0);
  wait_until_done(1);
  /* The worker's loop closes soon after that. Only the live counts tell when. */
  while (belay_live_count(BELAY_LIVE_LOOPS) > 0 || belay_live_count(BELAY_LIVE_DISPOSABLES) > 0)
    sched_yield();
}

/* Its work has made a loop, whose handle somebody keeps. */
static belay_loop *kept;
static void make_a_loop(void *ctx) {
  kept = belay_loop_create(NULL);
  CHECK_INT(belay_scheduler_after(belay_loop_get_scheduler(kept), 3600, visited, ctx, freed, NULL),
            0);
  finish(NULL);
}

static void it_ends_with_every_user_of_its_loop(void) {
  belay_worker *worker = belay_worker_create(NULL);
  visit it = {0};
  CHECK_INT(
      belay_scheduler_schedule(belay_worker_get_scheduler(worker), make_a_loop, &it, NULL, NULL),
      0);
  wait_until_done(1);
  belay_worker_release(worker);
  CHECK_INT(it.freed, 1);
  CHECK_INT(it.count, 0);
  CHECK_FAILS(belay_loop_post(kept, visited, &it, NULL), BELAY_ECANCELED);
  CHECK_FAILS(belay_loop_bind(kept), BELAY_ECLOSED);
  belay_loop_release(kept);
  CHECK_INT(belay_live_count(BELAY_LIVE_LOOPS), 0);
}

/* What its thread is, seen from inside. */
static struct {
  char name[17];
  int nice;
  sigset_t blocked;
} thread_is;

static void look_at_the_thread(void *ctx) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/task/%ld/comm", syscall(SYS_gettid));
  FILE *file = fopen(path, "r");
  CHECK(file && fgets(thread_is.name, sizeof thread_is.name, file));
  if (file) fclose(file);
  thread_is.name[strcspn(thread_is.name, "\n")] = 0;
  thread_is.nice = getpriority(PRIO_PROCESS, 0);
  CHECK_INT(pthread_sigmask(SIG_BLOCK, NULL, &thread_is.blocked), 0);
  finish(NULL);
}

static void look_at(belay_worker *worker) {
  CHECK(worker != NULL);
  CHECK_INT(belay_scheduler_schedule(belay_worker_get_scheduler(worker), look_at_the_thread, NULL,
                                     NULL, NULL),
            0);
  wait_until_done(1);
  belay_worker_release(worker);
}

static void its_thread_has_a_name_and_a_priority(void) {
  int nice = getpriority(PRIO_PROCESS, 0);
  look_at(belay_worker_create(&BELAY_INIT(belay_worker_options, .label = "decoder")));
  CHECK_STRING(thread_is.name, "decoder");
  CHECK_INT(thread_is.nice, nice);
  look_at(belay_worker_create(
      &BELAY_INIT(belay_worker_options, .label = "a label that is too long", .priority = 19)));
  CHECK_STRING(thread_is.name, "a label that is");
  CHECK_INT(thread_is.nice, 19);
  CHECK_INT(getpriority(PRIO_PROCESS, 0), nice);
  look_at(belay_worker_create(NULL));
  CHECK_STRING(thread_is.name, "belay worker");
}

static int handled;
static void handle(int number) { __atomic_add_fetch(&handled, 1, __ATOMIC_RELAXED); }

static void its_thread_leaves_signals_to_others(void) {
  const int open[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT, SIGPROF};
  sigset_t some, before, after;
  struct sigaction action = {.sa_handler = handle}, old;
  sigemptyset(&some);
  sigaddset(&some, SIGUSR1);
  CHECK_INT(pthread_sigmask(SIG_BLOCK, &some, &before), 0);
  belay_worker *worker = belay_worker_create(NULL);
  CHECK_INT(pthread_sigmask(SIG_BLOCK, NULL, &after), 0);
  /* The thread that makes a worker has its own as before. */
  for (int number = 1; number < 64; number++)
    CHECK_INT(sigismember(&after, number), number == SIGUSR1 || sigismember(&before, number));

  /* One that this thread blocks waits for it, and the worker, which has run, has not taken it. */
  sigaddset(&some, SIGUSR2);
  handled = 0;
  CHECK_INT(sigaction(SIGUSR2, &action, &old), 0);
  CHECK_INT(pthread_sigmask(SIG_BLOCK, &some, NULL), 0);
  CHECK_INT(kill(getpid(), SIGUSR2), 0);
  look_at(worker);
  CHECK_INT(handled, 0);
  CHECK_INT(pthread_sigmask(SIG_SETMASK, &before, NULL), 0);
  CHECK_INT(handled, 1);
  CHECK_INT(sigaction(SIGUSR2, &old, NULL), 0);

  for (int number = 1; number < 32; number++) {
    int is_open = number == SIGKILL || number == SIGSTOP;
    for (size_t i = 0; i < sizeof open / sizeof *open; i++) is_open |= number == open[i];
    CHECK_INT(sigismember(&thread_is.blocked, number), !is_open);
  }
}

/* On a thread that may not raise its priority again. */
static void ask_for_more(void *ctx) {
  CHECK_INT(setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), 10), 0);
  if (geteuid() == 0) CHECK_INT((int)syscall(SYS_setresuid, 65534, 65534, 65534), 0);
  CHECK(belay_worker_create(&BELAY_INIT(belay_worker_options, .priority = -5)) == NULL);
  check_last_error(-EACCES);
  look_at(belay_worker_create(&BELAY_INIT(belay_worker_options, .priority = 15)));
  CHECK_INT(thread_is.nice, 15);
}

static void a_priority_is_refused_by_the_system(void) { in_thread(ask_for_more, NULL); }

static void a_priority_out_of_range(void) {
  CHECK(belay_worker_create(&BELAY_INIT(belay_worker_options, .priority = 20)) == NULL);
  check_last_error(BELAY_EINVAL);
  CHECK(belay_worker_create(&BELAY_INIT(belay_worker_options, .priority = -21)) == NULL);
  check_last_error(BELAY_EINVAL);
}

static void workers_take_NULL(void) {
  belay_worker_release(NULL);
  CHECK(belay_worker_retain(NULL) == NULL);
  CHECK(belay_worker_get_scheduler(NULL) == NULL);
  belay_last_error();
}

/* Its work lets the loop turn until the release has told the loop to stop. */
static void turn_for_a_while(void *ctx) {
  belay_loop *loop = belay_loop_create(NULL);
  CHECK(loop != NULL);
  finish(NULL);
  for (int i = 0; i < 200; i++) {
    CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
    usleep(100);
  }
  belay_loop_release(loop);
}
static void released_while_its_work_runs_turns(void) {
  belay_worker *worker = belay_worker_create(NULL);
  CHECK_INT(belay_scheduler_schedule(belay_worker_get_scheduler(worker), turn_for_a_while, NULL, NULL,
                                     NULL), 0);
  wait_until_done(1);
  belay_worker_release(worker);
}

/* An action of a library that does as on any thread. */
static void create_stop_and_close(void *ctx) {
  belay_loop *loop = belay_loop_create(NULL);
  CHECK(loop != NULL);
  CHECK_INT(belay_loop_stop(loop), 0);
  if (ctx) CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  close_loop(loop);
  finish(NULL);
}

static void it_goes_on_when_an_action_stops_its_loop(void) {
  for (int runs = 0; runs < 2; runs++) {
    belay_worker *worker = belay_worker_create(NULL);
    belay_scheduler *scheduler = belay_worker_get_scheduler(worker);
    for (int i = 0; i < 3; i++) {
      CHECK_INT(belay_scheduler_schedule(scheduler, create_stop_and_close, runs ? worker : NULL, NULL,
                                         NULL), 0);
      wait_until_done(1);
    }
    CHECK_INT(belay_scheduler_after(scheduler, 0.001, finish, NULL, NULL, NULL), 0);
    wait_until_done(1);
    belay_worker_release(worker);
  }
}

/* A thread that joined itself would not be freed, with its stack. */
/* Another thread gets the loop of a worker at no time, also between two runs. */
static void make_user(void *loop) {
  __atomic_store_n((belay_loop **)loop, belay_loop_create(NULL), __ATOMIC_RELEASE);
}
static void no_other_thread_runs_its_loop(void) {
  belay_worker *worker = belay_worker_create(NULL);
  belay_loop *user = NULL;
  CHECK_INT(belay_scheduler_schedule(belay_worker_get_scheduler(worker), make_user, &user, NULL, NULL), 0);
  while (!__atomic_load_n(&user, __ATOMIC_ACQUIRE)) sched_yield();
  for (int i = 0; i < 20000; i++) {
    belay_loop_stop(user);
    CHECK_INT(belay_loop_run(user, BELAY_RUN_NOWAIT), BELAY_EBUSY);
    if (belay_loop_bind(user) != BELAY_EBUSY) CHECK(!"it is bound");
  }
  belay_last_error();
  belay_worker_release(worker);
  belay_loop_release(user);
}

static int closing_thread;
static void release_when_closed(void *worker, const belay_open_resource *const *left, size_t count) {
  belay_worker_release(worker);
  finish(NULL);
}
static void close_its_loop(void *worker) {
  closing_thread = (int)syscall(SYS_gettid);
  CHECK_INT(belay_loop_close(belay_loop_current(), release_when_closed, worker, NULL), 0);
}
static long megabytes(void) {
  long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  CHECK(file && fscanf(file, "%ld", &pages) == 1);
  if (file) fclose(file);
  return pages * (sysconf(_SC_PAGESIZE) >> 10) >> 10;
}

static void released_on_its_own_thread_when_its_loop_has_closed(void) {
  enum { FIRST = 32, MORE = 96 }; /* the C library keeps the stacks of the first */
  long before = 0;
  for (int i = 0; i < FIRST + MORE; i++) {
    if (i == FIRST) before = megabytes();
    belay_worker *worker = belay_worker_create(NULL);
    belay_scheduler *scheduler = belay_worker_get_scheduler(worker);
    CHECK_INT(belay_scheduler_schedule(scheduler, close_its_loop, worker, NULL, NULL), 0);
    wait_until_done(1);
    while (syscall(SYS_tgkill, getpid(), closing_thread, 0) == 0) sched_yield();
  }
  CHECK(megabytes() - before < MORE);
  CHECK_INT(belay_live_count(BELAY_LIVE_LOOPS), 0);
}

static const test_case cases[] = {CASE(work_runs_on_the_workers_thread_in_order),
                                  CASE(delayed_work_runs_too),
                                  CASE(what_has_not_begun_goes_with_the_worker),
                                  CASE(a_scheduler_outlives_its_worker),
                                  CASE(released_on_its_own_thread),
                                  CASE(it_ends_with_every_user_of_its_loop),
                                  CASE(its_thread_has_a_name_and_a_priority),
                                  CASE(its_thread_leaves_signals_to_others),
                                  CASE(a_priority_is_refused_by_the_system),
                                  CASE(a_priority_out_of_range),
                                  CASE(released_while_its_work_runs_turns),
                                  CASE(it_goes_on_when_an_action_stops_its_loop),
                                  CASE(no_other_thread_runs_its_loop),
                                  CASE(released_on_its_own_thread_when_its_loop_has_closed),
                                  CASE(workers_take_NULL)};

int main(int argc, char **argv) { return RUN_CASES(cases); }
