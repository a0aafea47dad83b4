/* What is particular to some schedulers: the clock of each, virtual time, the subscription's. */
#include "cases.h"

#include <sched.h>
#include <time.h>

static double monotonic(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* ---- time ---- */

static void A3_57_time_is_monotonic(void) {
  belay_loop *loop = open_loop();
  belay_scheduler *pool = belay_scheduler_create_pool(loop);
  belay_scheduler *schedulers[] = {belay_scheduler_immediate(), belay_scheduler_trampoline(),
                                   belay_loop_get_scheduler(loop), pool};
  belay_loop_run(loop, BELAY_RUN_NOWAIT);
  for (int i = 0; i < 4; i++) {
    double before = monotonic();
    double now = belay_scheduler_now(schedulers[i]);
    CHECK(now >= before - 0.000001 && now <= monotonic() + 0.000001);
  }
  belay_scheduler_release(pool);
  close_loop(loop);
}

static belay_disposable *repeating;
static belay_scheduler *expected;
static int runs;

static void look_at_current(void *ctx) {
  CHECK(belay_scheduler_current() == expected);
  if (++runs == 3) belay_disposable_dispose(repeating);
}

static void A3_57_repeating_work_has_its_current_scheduler(void) {
  belay_loop *loop = open_loop();
  belay_scheduler *pool = belay_scheduler_create_pool(loop);
  belay_scheduler *time = belay_scheduler_create_virtual();
  belay_scheduler *schedulers[] = {belay_loop_get_scheduler(loop), pool, time};
  for (int i = 0; i < 3; i++) {
    runs = 0;
    expected = schedulers[i];
    CHECK_INT(belay_scheduler_every(expected, 0.001, 0.001, 0, look_at_current, NULL, NULL,
                                    &repeating),
              0);
    run_to_end(loop);
    CHECK_INT(belay_scheduler_flush(time), 0);
    CHECK_INT(runs, 3);
    belay_disposable_release(repeating);
  }
  belay_scheduler_release(time);
  belay_scheduler_release(pool);
  close_loop(loop);
}

static void A3_57_the_immediate_scheduler_refuses_to_wait(void) {
  belay_scheduler *immediate = belay_scheduler_immediate();
  double before = monotonic();
  CHECK_FAILS(belay_scheduler_after(immediate, 3600, trace_action, "1", trace_free, NULL),
              BELAY_EINVAL);
  CHECK_FAILS(belay_scheduler_every(immediate, 0, 3600, 0, trace_action, "2", trace_free, NULL),
              BELAY_EINVAL);
  CHECK(monotonic() - before < 3600);
  CHECK_TRACE("free 1 | free 2");
}

/* ---- virtual time ---- */

static void A3_59_step_runs_so_much_work(void) {
  belay_scheduler *time = belay_scheduler_create_virtual();
  belay_scheduler_after(time, 5, trace_action, "five", NULL, NULL);
  belay_scheduler_schedule(time, trace_action, "now", NULL, NULL);
  belay_scheduler_after(time, 2, trace_action, "two", NULL, NULL);
  CHECK_INT(belay_scheduler_step(time, 0), 0);
  CHECK_TRACE("");
  CHECK_INT(belay_scheduler_step(time, 1), 1);
  CHECK_TRACE("action now");
  CHECK(belay_scheduler_now(time) == 0);
  CHECK_INT(belay_scheduler_step(time, 1), 1);
  CHECK_TRACE("action two");
  CHECK(belay_scheduler_now(time) == 2);
  CHECK_INT(belay_scheduler_step(time, SIZE_MAX), 1);
  CHECK_TRACE("action five");
  CHECK(belay_scheduler_now(time) == 5);
  CHECK_INT(belay_scheduler_step(time, 1), 0);
  belay_scheduler_release(time);
}

static void schedule_itself(void *time) {
  belay_scheduler_schedule(time, schedule_itself, time, NULL, NULL);
}

static void A3_59_flush_runs_everything_up_to_a_limit(void) {
  belay_scheduler *time = belay_scheduler_create_virtual();
  belay_scheduler_after(time, 9, trace_action, "late", NULL, NULL);
  CHECK_INT(belay_scheduler_flush(time), 0);
  CHECK_TRACE("action late");
  /* It stays at one time for ever. */
  schedule_itself(time);
  CHECK_FAILS(belay_scheduler_flush(time), BELAY_EAGAIN);
  CHECK(belay_scheduler_now(time) == 9);
  belay_scheduler_release(time);
}

static void A3_59_an_advance_ends_where_work_does_not(void) {
  belay_scheduler *time = belay_scheduler_create_virtual();
  CHECK_INT(belay_scheduler_after(time, 1, schedule_itself, time, NULL, NULL), 0);
  CHECK_FAILS(belay_scheduler_advance(time, 2), BELAY_EAGAIN);
  CHECK(belay_scheduler_now(time) == 1);
  CHECK_FAILS(belay_scheduler_advance(time, 0), BELAY_EAGAIN);
  belay_scheduler_release(time);
  /* However much there is at different moments. */
  time = belay_scheduler_create_virtual();
  CHECK_INT(belay_scheduler_every(time, 0, 1e-6, 0, trace_free, NULL, NULL, NULL), 0);
  CHECK_INT(belay_scheduler_advance(time, 1.5), 0);
  CHECK(belay_scheduler_now(time) == 1.5);
  belay_scheduler_release(time);
  trace_clear();
}

/* Any thread may schedule, and withdraw, while one advances. */
typedef struct shared_time {
  belay_scheduler *time;
  int runs, frees, is_over;
} shared_time;
static void count_shared(void *ctx) {
  __atomic_add_fetch(&((shared_time *)ctx)->runs, 1, __ATOMIC_RELAXED);
}
static void count_freed(void *ctx) {
  __atomic_add_fetch(&((shared_time *)ctx)->frees, 1, __ATOMIC_RELAXED);
}
enum { SCHEDULED = 3000 };
static void schedule_often(void *argument) {
  shared_time *it = argument;
  for (int i = 0; i < SCHEDULED; i++) {
    belay_disposable *work = NULL;
    CHECK_INT(belay_scheduler_after(it->time, i % 7 * 1e-3, count_shared, it, count_freed, &work), 0);
    if (i % 3 == 0) belay_disposable_dispose(work);
    belay_disposable_release(work);
  }
}
static void A3_59_other_threads_schedule_while_one_advances(void) {
  shared_time it = {belay_scheduler_create_virtual(), 0, 0, 0};
  routine threads[3];
  for (int i = 0; i < 3; i++) start_thread(&threads[i], schedule_often, &it);
  for (int i = 0; i < 3000; i++) CHECK_INT(belay_scheduler_advance(it.time, 1e-3), 0);
  for (int i = 0; i < 3; i++) join_thread(&threads[i]);
  CHECK_INT(belay_scheduler_advance(it.time, 1), 0);
  CHECK_INT(it.frees, 3 * SCHEDULED);
  CHECK(it.runs >= 2 * SCHEDULED && it.runs <= 3 * SCHEDULED);
  belay_scheduler_release(it.time);
}

typedef struct two_runners {
  belay_scheduler *time;
  int advanced, flushed, stepped;
} two_runners;
static void run_elsewhere(void *argument) {
  two_runners *it = argument;
  it->advanced = belay_scheduler_advance(it->time, 1);
  it->flushed = belay_scheduler_flush(it->time);
  it->stepped = belay_scheduler_step(it->time, 1);
}
static void give_way(void *ctx) { sched_yield(); }
static void count_refusals(void *argument) {
  two_runners *it = argument;
  while (!__atomic_load_n(&it->flushed, __ATOMIC_ACQUIRE))
    it->stepped += belay_scheduler_advance(it->time, 0) < 0;
}
/* A call that has begun runs to its end, whoever calls meanwhile. */
static void A3_59_a_call_that_has_begun_is_not_refused(void) {
  two_runners it = {belay_scheduler_create_virtual(), 0, 0, 0};
  routine other;
  start_thread(&other, count_refusals, &it);
  for (int round = 0; round < 200; round++) {
    for (int i = 0; i < 20; i++)
      CHECK_INT(belay_scheduler_after(it.time, i * 1e-3, give_way, NULL, NULL, NULL), 0);
    double before = belay_scheduler_now(it.time);
    int code = belay_scheduler_advance(it.time, 0.02);
    CHECK(code == 0 || code == BELAY_EBUSY);
    /* All of it, or nothing. */
    double passed = belay_scheduler_now(it.time) - before;
    CHECK(code == 0 ? passed > 0.019 && passed < 0.021 : passed == 0);
    if (code == 0) continue;
    while (belay_scheduler_advance(it.time, 0.02) < 0) sched_yield();
  }
  __atomic_store_n(&it.flushed, 1, __ATOMIC_RELEASE);
  join_thread(&other);
  belay_scheduler_release(it.time);
}

static void meet_the_other(void *ctx) {
  routine other;
  start_thread(&other, run_elsewhere, ctx);
  join_thread(&other);
  /* Inside of its work this thread may. */
  CHECK_INT(belay_scheduler_step(((two_runners *)ctx)->time, 1), 1);
}
static void A3_59_one_thread_at_a_time_runs_the_work(void) {
  two_runners it = {belay_scheduler_create_virtual(), 0, 0, 0};
  CHECK_INT(belay_scheduler_schedule(it.time, meet_the_other, &it, NULL, NULL), 0);
  CHECK_INT(belay_scheduler_schedule(it.time, trace_action, "inside", NULL, NULL), 0);
  CHECK_INT(belay_scheduler_flush(it.time), 0);
  CHECK_TRACE("action inside");
  CHECK_INT(it.advanced, BELAY_EBUSY);
  CHECK_INT(it.flushed, BELAY_EBUSY);
  CHECK_INT(it.stepped, BELAY_EBUSY);
  run_elsewhere(&it);
  CHECK_INT(it.advanced, 0);
  belay_scheduler_release(it.time);
}

static void count_run(void *runs) { ++*(int *)runs; }

/* What repeats does so up to the last moment there is, and not for ever at that one. */
static void A3_59_the_end_of_all_time(void) {
  belay_scheduler *time = belay_scheduler_create_virtual();
  int runs = 0;
  CHECK_INT(belay_scheduler_every(time, 0, 4e9, 0, count_run, &runs, NULL, NULL), 0);
  CHECK_INT(belay_scheduler_every(time, 0, 1e10, 0, trace_action, "rare", trace_free, NULL), 0);
  CHECK_INT(belay_scheduler_advance(time, 1.0 / 0.0), 0);
  CHECK_INT(runs, 4); /* at 0, 4e9, 8e9 and at the end */
  CHECK_TRACE("action rare | action rare | free rare");
  CHECK_INT(belay_scheduler_advance(time, 1), 0);
  CHECK_TRACE("");
  belay_scheduler_release(time);
}

/* There is no wake-up that it could share. */
static void A3_59_a_leeway_delays_nothing(void) {
  belay_scheduler *time = belay_scheduler_create_virtual();
  CHECK_INT(belay_scheduler_every(time, 1, 3, 10, trace_action, "lax", NULL, NULL), 0);
  CHECK_INT(belay_scheduler_after(time, 2, trace_action, "two", NULL, NULL), 0);
  CHECK_INT(belay_scheduler_after(time, 1, trace_action, "one", NULL, NULL), 0);
  CHECK_INT(belay_scheduler_step(time, 3), 3);
  CHECK_TRACE("action lax | action one | action two");
  CHECK_INT(belay_scheduler_advance(time, 2), 0);
  CHECK_TRACE("action lax");
  CHECK(belay_scheduler_now(time) == 4);
  belay_scheduler_release(time);
}

static void A3_59_its_end_disposes_of_what_waits(void) {
  belay_scheduler *time = belay_scheduler_create_virtual();
  belay_disposable *work = NULL;
  CHECK_INT(belay_scheduler_after(time, 1, trace_action, "after", trace_free, &work), 0);
  CHECK_INT(belay_scheduler_every(time, 2, 1, 0, trace_action, "every", trace_free, NULL), 0);
  watch(belay_signal_interval(time, 1), "");
  belay_scheduler_release(time);
  CHECK_TRACE("free after | disposed | free | free every");
  CHECK_INT(belay_disposable_is_disposed(work), 1);
  belay_disposable_release(work);
}

/* ---- the subscription's ---- */

static pthread_t thread_of_test;
static belay_scheduler *subscriptions;

static void tell_where(void *name) {
  int is_here = pthread_equal(thread_of_test, pthread_self());
  trace("%s %s", (const char *)name, is_here ? "here" : "there");
}

static void schedule_inside(void *current) {
  CHECK_INT(belay_scheduler_schedule(subscriptions, tell_where, "nested", trace_free, NULL), 0);
  trace("after");
  CHECK(belay_scheduler_current() == current);
}

static void A3_21_at_once_where_there_is_a_current_scheduler(void) {
  belay_worker *worker = belay_worker_create(NULL);
  thread_of_test = pthread_self();
  subscriptions = belay_scheduler_create_subscription(belay_worker_get_scheduler(worker));
  belay_scheduler *immediate = belay_scheduler_immediate();
  CHECK_INT(belay_scheduler_schedule(immediate, schedule_inside, immediate, NULL, NULL), 0);
  CHECK_TRACE("nested here | free nested | after");
  /* And on the thread of a loop; delayed work is the loop's. */
  belay_loop *loop = open_loop();
  CHECK_INT(belay_scheduler_schedule(subscriptions, tell_where, "loop", NULL, NULL), 0);
  CHECK_INT(belay_scheduler_after(subscriptions, 0.001, tell_where, "later", NULL, NULL), 0);
  CHECK_TRACE("loop here");
  run_to_end(loop);
  CHECK_TRACE("later here");
  close_loop(loop);
  belay_scheduler_release(subscriptions);
  belay_worker_release(worker);
}

static void A3_21_else_on_the_background(void) {
  belay_worker *worker = belay_worker_create(NULL);
  thread_of_test = pthread_self();
  subscriptions = belay_scheduler_create_subscription(belay_worker_get_scheduler(worker));
  CHECK(belay_scheduler_current() == NULL);
  belay_disposable *last = NULL;
  CHECK_INT(belay_scheduler_schedule(subscriptions, tell_where, "1", NULL, NULL), 0);
  CHECK_INT(belay_scheduler_after(subscriptions, 0.001, tell_where, "2", NULL, &last), 0);
  while (!belay_disposable_is_disposed(last)) {}
  CHECK_TRACE("1 there | 2 there");
  belay_disposable_release(last);
  belay_worker_release(worker);
  /* The background has gone. */
  CHECK_FAILS(belay_scheduler_schedule(subscriptions, tell_where, "3", trace_free, NULL),
              BELAY_ECANCELED);
  CHECK_TRACE("free 3");
  belay_scheduler_release(subscriptions);
}

static belay_disposable *tell_producer(void *ctx, belay_subscriber *subscriber) {
  tell_where("producer");
  belay_subscriber_completed(subscriber);
  return NULL;
}

static void subscribe_here(void *signal) {
  belay_observer observer = tracing("");
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  trace("subscribed");
}

static void A3_21_subscribe_on_it(void) {
  belay_worker *worker = belay_worker_create(NULL);
  thread_of_test = pthread_self();
  subscriptions = belay_scheduler_create_subscription(belay_worker_get_scheduler(worker));
  belay_signal *signal =
      belay_signal_chain(belay_signal_create(tell_producer, NULL, NULL, NULL),
                         belay_op_subscribe_on(subscriptions));
  /* This thread has no loop, so nothing could come back from the background. */
  belay_observer observer = tracing("");
  CHECK_FAILS(belay_signal_subscribe(signal, &observer, NULL), BELAY_ENOHOME);
  CHECK_TRACE("free");
  CHECK_INT(belay_scheduler_schedule(belay_scheduler_immediate(), subscribe_here, signal, NULL,
                                     NULL),
            0);
  CHECK_TRACE("producer here | completed | disposed | free | subscribed");
  belay_signal_release(signal);
  belay_scheduler_release(subscriptions);
  belay_worker_release(worker);
}

static void count_down(void *ctx, belay_recursion *recursion) {
  if (++runs < 100000) CHECK_INT(belay_recursion_again(recursion), 0);
}

static void A3_58_recursion_on_it(void) {
  belay_scheduler *background = belay_scheduler_create_virtual();
  subscriptions = belay_scheduler_create_subscription(background);
  runs = 0;
  CHECK_INT(belay_scheduler_recursive(subscriptions, count_down, NULL, NULL, NULL), 0);
  CHECK_INT(runs, 0);
  CHECK_INT(belay_scheduler_flush(background), 0);
  CHECK_INT(runs, 100000);
  belay_scheduler_release(subscriptions);
  belay_scheduler_release(background);
}

static void high_water_marks(void) {
  belay_loop *loop = open_loop();
  belay_scheduler *scheduler = belay_loop_get_scheduler(loop);
  for (int i = 0; i < 3; i++)
    CHECK_INT(belay_scheduler_schedule(scheduler, trace_action, "1", NULL, NULL), 0);
  CHECK_INT(belay_scheduler_queue_high_water(scheduler), 3);
  CHECK_INT(belay_loop_queue_high_water(loop), 3);
  CHECK_INT(belay_scheduler_queue_high_water(belay_scheduler_immediate()), 0);
  run_to_end(loop);
  CHECK_INT(belay_scheduler_queue_high_water(scheduler), 3);
  trace_clear();
  close_loop(loop);
}

/* ---- many at once ---- */
enum { TIMERS = 400 };
static int order[TIMERS], ran;

/* What the loop would wait for tells when; it rounds up. */
static void repeating_work_is_next_due_after_one_interval(void) {
  belay_loop *loop = open_loop();
  belay_disposable *work;
  int runs = 0;
  CHECK_INT(belay_scheduler_every(belay_loop_get_scheduler(loop), 0, 3600, 0, count_run, &runs,
                                  NULL, &work),
            0);
  while (runs == 0) belay_loop_run(loop, BELAY_RUN_NOWAIT);
  CHECK(belay_loop_backend_timeout(loop) < 3601);
  end_subscription(work);
  close_loop(loop);
}

static void note_number(void *number) { order[ran++] = *(int *)number; }

/* By their times, and in the order of scheduling where those are equal, whichever are taken out
   meanwhile. */
static void timers_keep_their_order_when_some_are_disposed_of(void) {
  for (unsigned seed = 1; seed <= 20; seed++) {
    belay_scheduler *time_ = belay_scheduler_create_virtual();
    belay_disposable *all[TIMERS];
    int numbers_[TIMERS], due[TIMERS], left = 0;
    unsigned random = seed;
    ran = 0;
    for (int i = 0; i < TIMERS; i++) {
      random = random * 1103515245u + 12345u;
      due[i] = (int)(random >> 16) % 50;
      numbers_[i] = i;
      CHECK_INT(belay_scheduler_after(time_, due[i], note_number, &numbers_[i], NULL, &all[i]), 0);
    }
    for (int i = 0; i < TIMERS; i++) {
      random = random * 1103515245u + 12345u;
      if ((random >> 16) % 3 == 0) belay_disposable_dispose(all[i]); else left++;
    }
    CHECK(belay_scheduler_advance(time_, 50) >= 0);
    CHECK_INT(ran, left);
    for (int i = 1; i < ran; i++)
      CHECK(due[order[i - 1]] < due[order[i]] ||
            (due[order[i - 1]] == due[order[i]] && order[i - 1] < order[i]));
    for (int i = 0; i < TIMERS; i++) belay_disposable_release(all[i]);
    belay_scheduler_release(time_);
  }
}

/* One that hands work to another has no more to it however many there are. */
static void subscription_schedulers_of_each_other(void) {
  belay_scheduler *time = belay_scheduler_create_virtual(), *top = time;
  for (int i = 0; i < 1000000; i++) {
    belay_scheduler *made = belay_scheduler_create_subscription(top);
    belay_scheduler_release(top);
    top = made;
  }
  CHECK(belay_scheduler_now(top) == 0);
  CHECK_INT(belay_scheduler_schedule(top, trace_action, "work", NULL, NULL), 0);
  CHECK_INT(belay_scheduler_after(top, 1, trace_action, "late", NULL, NULL), 0);
  CHECK_TRACE("");
  belay_scheduler_release(top);
}

static const test_case cases[] = {
    CASE(subscription_schedulers_of_each_other),
    CASE(A3_59_an_advance_ends_where_work_does_not),
    CASE(A3_59_other_threads_schedule_while_one_advances),
    CASE(A3_59_one_thread_at_a_time_runs_the_work),
    CASE(A3_59_a_call_that_has_begun_is_not_refused),
    CASE(A3_57_time_is_monotonic),
    CASE(A3_57_repeating_work_has_its_current_scheduler),
    CASE(A3_57_the_immediate_scheduler_refuses_to_wait),
    CASE(A3_59_step_runs_so_much_work),
    CASE(A3_59_flush_runs_everything_up_to_a_limit),
    CASE(A3_59_the_end_of_all_time),
    CASE(A3_59_a_leeway_delays_nothing),
    CASE(A3_59_its_end_disposes_of_what_waits),
    CASE(A3_21_at_once_where_there_is_a_current_scheduler),
    CASE(A3_21_else_on_the_background),
    CASE(A3_21_subscribe_on_it),
    CASE(A3_58_recursion_on_it),
    CASE(high_water_marks),
    CASE(repeating_work_is_next_due_after_one_interval),
    CASE(timers_keep_their_order_when_some_are_disposed_of),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
