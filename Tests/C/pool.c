/* A scheduler on threads of libuv's pool: order, threads, times, homes, and the loop's end. */
#include "cases.h"

#include <sched.h>
#include <semaphore.h>
#include <uv.h>

static belay_loop *loop;
static belay_scheduler *pool;
static pthread_t loop_thread;
static sem_t begun, go;

static void open_pool(const belay_loop_options *options) {
  loop = belay_loop_create(options);
  CHECK(loop != NULL);
  pool = belay_scheduler_create_pool(loop);
  CHECK(pool != NULL);
  loop_thread = pthread_self();
  sem_init(&begun, 0, 0);
  sem_init(&go, 0, 0);
}

static void close_pool(void) {
  belay_scheduler_release(pool);
  close_loop(loop);
  sem_destroy(&begun);
  sem_destroy(&go);
}

static int is_elsewhere(void) { return !pthread_equal(pthread_self(), loop_thread); }

static void there(void *name) {
  CHECK(is_elsewhere());
  CHECK(belay_scheduler_current() == pool);
  trace("%s", (const char *)name);
}

static void schedule(belay_action_fn action, void *ctx) {
  CHECK_INT(belay_scheduler_schedule(pool, action, ctx, NULL, NULL), 0);
}

static void wait_for(sem_t *semaphore) {
  while (sem_wait(semaphore) != 0) {}
}

static void hold(void *ctx) {
  sem_post(&begun);
  wait_for(&go);
}

/* ---- work ---- */

static void A3_22_work_runs_elsewhere_in_the_order_of_scheduling(void) {
  open_pool(NULL);
  CHECK_INT(belay_scheduler_schedule(pool, there, "1", trace_free, NULL), 0);
  schedule(there, "2");
  schedule(there, "3");
  run_to_end(loop);
  CHECK_TRACE("1 | free 1 | 2 | 3");
  schedule(there, "again");
  run_to_end(loop);
  CHECK_TRACE("again");
  close_pool();
}

static void inside_immediate(void *ctx) {
  CHECK(belay_scheduler_current() == belay_scheduler_immediate());
}

static void nested(void *name) {
  there(name);
  belay_scheduler_schedule(belay_scheduler_immediate(), inside_immediate, NULL, NULL, NULL);
  there("still");
}

static void A3_24_the_pools_scheduler_is_current_inside(void) {
  open_pool(NULL);
  schedule(nested, "soon");
  CHECK_INT(belay_scheduler_after(pool, 0.02, nested, "later", NULL, NULL), 0);
  run_to_end(loop);
  CHECK_TRACE("soon | still | later | still");
  CHECK(belay_scheduler_current() == belay_loop_scheduler(loop));
  close_pool();
}

static void A3_23_skipped_when_disposed_before_it_starts(void) {
  open_pool(NULL);
  belay_disposable *second = NULL, *late = NULL;
  schedule(hold, NULL);
  CHECK_INT(belay_scheduler_schedule(pool, there, "second", trace_free, &second), 0);
  CHECK_INT(belay_scheduler_after(pool, 1000, there, "late", trace_free, &late), 0);
  wait_for(&begun);
  end_subscription(second);
  end_subscription(late);
  CHECK_TRACE("free second | free late");
  sem_post(&go);
  run_to_end(loop);
  CHECK_TRACE("");
  close_pool();
}

static belay_disposable *own;
static int ticks;

static void dispose_own(void *ctx) {
  there(ctx);
  if (++ticks < 3) return;
  CHECK_FAILS(belay_disposable_dispose_sync(own, -1), BELAY_EINPROGRESS);
  trace("goes on");
}

static void A3_23_once_started_it_runs_to_its_end(void) {
  open_pool(NULL);
  ticks = 0;
  CHECK_INT(belay_scheduler_every(pool, 0.001, 0.001, 0, dispose_own, "tick", trace_free, &own), 0);
  run_to_end(loop);
  CHECK_TRACE("tick | tick | tick | goes on | free tick");
  belay_disposable_release(own);
  close_pool();
}

static double first_tick;
static void slow_tick(void *ctx) {
  double passed = (belay_scheduler_now(pool) - first_tick) / 0.002;
  if (++ticks == 1) {
    uint64_t start = uv_hrtime();
    while (uv_hrtime() - start < 20000000) {}
  } else {
    /* Ten went by meanwhile: they are missed. */
    CHECK(passed >= 9);
    belay_disposable_dispose(own);
  }
}

static void missed_intervals_are_skipped(void) {
  open_pool(NULL);
  ticks = 0;
  first_tick = belay_scheduler_now(pool);
  CHECK_INT(belay_scheduler_every(pool, 0, 0.002, 0, slow_tick, NULL, NULL, &own), 0);
  run_to_end(loop);
  CHECK_INT(ticks, 2);
  belay_disposable_release(own);
  close_pool();
}

static void let_go(void *ctx) { sem_post(&go); }

static void it_does_not_hold_up_its_loop(void) {
  open_pool(NULL);
  schedule(hold, NULL);
  CHECK_INT(belay_scheduler_after(belay_loop_scheduler(loop), 0.001, let_go, NULL, NULL, NULL), 0);
  run_to_end(loop);
  close_pool();
}

enum { THREADS = 4, EACH = 2000 };
static int inside, overlaps, disorder, latest[THREADS], total;
static struct piece {
  int thread, number;
} pieces[THREADS][EACH];

static void one_piece(void *ctx) {
  struct piece *it = ctx;
  if (__atomic_fetch_add(&inside, 1, __ATOMIC_RELAXED) != 0) overlaps++;
  if (it->number <= latest[it->thread]) disorder++;
  latest[it->thread] = it->number;
  total++;
  __atomic_fetch_sub(&inside, 1, __ATOMIC_RELAXED);
}

static void schedule_pieces(void *ctx) {
  int thread = (int)(intptr_t)ctx;
  for (int i = 0; i < EACH; i++) {
    pieces[thread][i] = (struct piece){thread, i + 1};
    while (belay_scheduler_schedule(pool, one_piece, &pieces[thread][i], NULL, NULL) ==
           BELAY_EAGAIN)
      sched_yield();
  }
}

static void stop_after_all(void *ctx) {
  if (total == THREADS * EACH) CHECK_INT(belay_loop_stop(loop), 0);
}

static void A3_22_one_at_a_time_whoever_schedules(void) {
  routine routines[THREADS];
  belay_disposable *looking = NULL;
  open_pool(NULL);
  inside = overlaps = disorder = total = 0;
  memset(latest, 0, sizeof latest);
  for (int i = 0; i < THREADS; i++)
    start_thread(&routines[i], schedule_pieces, (void *)(intptr_t)i);
  CHECK_INT(belay_scheduler_every(pool, 0, 0.001, 0, stop_after_all, NULL, NULL, &looking), 0);
  run_until_stopped(loop);
  for (int i = 0; i < THREADS; i++) join_thread(&routines[i]);
  end_subscription(looking);
  CHECK_INT(total, THREADS * EACH);
  CHECK_INT(overlaps, 0);
  CHECK_INT(disorder, 0);
  run_to_end(loop);
  close_pool();
}

static void rule_1_2_its_queue_has_a_capacity(void) {
  belay_loop_options options = {.size = sizeof options, .capacity = 2};
  open_pool(&options);
  CHECK_INT(belay_scheduler_queue_high_water(pool), 0);
  schedule(hold, NULL);
  wait_for(&begun);
  schedule(there, "1");
  schedule(there, "2");
  CHECK_FAILS(belay_scheduler_schedule(pool, there, "3", trace_free, NULL), BELAY_EAGAIN);
  CHECK_TRACE("free 3");
  CHECK_INT(belay_scheduler_queue_high_water(pool), 2);
  sem_post(&go);
  run_to_end(loop);
  CHECK_TRACE("1 | 2");
  close_pool();
}

static void schedule_elsewhere(void *name) {
  CHECK_INT(belay_scheduler_schedule(pool, there, name, trace_free, NULL), 0);
  CHECK_INT(belay_scheduler_after(pool, 0.002, there, "after", trace_free, NULL), 0);
}

static void any_thread_schedules(void) {
  open_pool(NULL);
  in_thread(schedule_elsewhere, "soon");
  CHECK_TRACE("");
  run_to_end(loop);
  CHECK_TRACE("soon | free soon | after | free after");
  close_pool();
}

/* ---- as a home ---- */

static void next_there(void *ctx, belay_value value) {
  CHECK(is_elsewhere());
  trace("next %d", (int)int_of(value));
}
static void disposed_there(void *ctx) {
  trace(is_elsewhere() ? "disposed there" : "disposed here");
}
static belay_observer telling(void) {
  return (belay_observer){.size = sizeof(belay_observer),
                          .next = next_there,
                          .disposed = disposed_there,
                          .ctx = "it",
                          .ctx_free = trace_free};
}

static belay_disposable *produce(void *ctx, belay_subscriber *subscriber) {
  there("producer");
  belay_subscriber_next(subscriber, belay_int32(1));
  belay_subscriber_completed(subscriber);
  return NULL;
}

static void rule_1_2_subscribe_on_a_pool(void) {
  open_pool(NULL);
  watch(belay_signal_chain(belay_signal_create(produce, NULL, NULL, NULL),
                           belay_op_subscribe_on(pool)),
        "");
  run_to_end(loop);
  CHECK_TRACE("producer | next 1 | completed | disposed | free");
  close_pool();
}

static belay_value make_seven(void *ctx) {
  there("made");
  return belay_int32(7);
}

static void start_on_a_pool(void) {
  open_pool(NULL);
  watch(belay_signal_start(pool, make_seven, NULL, NULL), "");
  run_to_end(loop);
  CHECK_TRACE("made | next 7 | completed | disposed | free");
  close_pool();
}

static belay_disposable *observe_there(belay_signal *subject) {
  belay_disposable *subscription = NULL;
  belay_observer observer = telling();
  belay_signal *signal =
      belay_signal_chain(belay_signal_retain(subject), belay_op_observe_on(pool, NULL));
  CHECK_INT(belay_signal_subscribe(signal, &observer, &subscription), 0);
  belay_signal_release(signal);
  return subscription;
}

static void rule_1_2_observe_on_a_pool(void) {
  open_pool(NULL);
  belay_signal *subject = belay_subject_create(NULL);
  belay_disposable_release(observe_there(subject));
  for (int i = 1; i <= 3; i++) CHECK_INT(belay_subject_next(subject, belay_int32(i)), 0);
  belay_subject_completed(subject);
  belay_signal_release(subject);
  run_to_end(loop);
  CHECK_TRACE("next 1 | next 2 | next 3 | disposed there | free it");
  close_pool();
}

/* The loop does not run meanwhile: the pool's thread sees to it. */
static void rule_1_2_dispose_sync_of_what_is_at_home_there(void) {
  open_pool(NULL);
  belay_signal *subject = belay_subject_create(NULL);
  belay_disposable *subscription = observe_there(subject);
  schedule(hold, NULL);
  wait_for(&begun);
  belay_subject_next(subject, belay_int32(1));
  sem_post(&go);
  CHECK_INT(belay_disposable_dispose_sync(subscription, -1), 0);
  trace_clear();
  belay_disposable_release(subscription);
  belay_signal_release(subject);
  run_to_end(loop);
  close_pool();
}

/* Disposed elsewhere; the way to the pool is by the thread that waits. */
static void rule_1_2_dispose_sync_waits_not_for_its_own_thread(void) {
  open_pool(NULL);
  belay_signal *subject = belay_subject_create(NULL);
  belay_disposable *subscription = observe_there(subject);
  run_to_end(loop);
  in_thread((void (*)(void *))belay_disposable_dispose, subscription);
  CHECK_FAILS(belay_disposable_dispose_sync(subscription, -1), BELAY_EINPROGRESS);
  CHECK_TRACE("");
  run_to_end(loop);
  CHECK_TRACE("disposed there | free it");
  belay_disposable_release(subscription);
  belay_signal_release(subject);
  close_pool();
}

static belay_signal *made_there;
static void make_a_subject(void *ctx) {
  belay_observer observer = telling();
  observer.label = "listener";
  made_there = belay_subject_create(NULL);
  CHECK_INT(belay_signal_subscribe(made_there, &observer, NULL), 0);
}

static void rule_1_2_what_is_made_there_is_at_home_there(void) {
  open_pool(NULL);
  schedule(make_a_subject, NULL);
  run_to_end(loop);
  CHECK_INT(belay_subject_next(made_there, belay_int32(1)), BELAY_QUEUED);
  run_to_end(loop);
  CHECK_TRACE("next 1");
  belay_signal_release(made_there);
  run_to_end(loop);
  CHECK_TRACE("disposed there | free it");
  close_pool();
}

/* ---- the loop's end ---- */

static char found[400];
static void note(void *ctx, const belay_remnant *left, size_t count) {
  found[0] = 0;
  for (size_t i = 0; i < count; i++) {
    size_t used = strlen(found);
    snprintf(found + used, sizeof found - used, "(%s %s)", left[i].kind,
             left[i].label ? left[i].label : "-");
  }
}

static void close_finding(const char *expected) {
  CHECK_INT(belay_loop_close(loop, note, NULL, NULL), 0);
  CHECK_STRING(found, expected);
  CHECK_FAILS(belay_scheduler_schedule(pool, there, "late", trace_free, NULL), BELAY_ECANCELED);
  CHECK_FAILS(belay_scheduler_after(pool, 1, there, "later", trace_free, NULL), BELAY_ECANCELED);
  CHECK(belay_scheduler_now(pool) > 0);
  belay_loop_release(loop);
  belay_scheduler_release(pool);
  sem_destroy(&begun);
  sem_destroy(&go);
}

static void until_closing(void *name) {
  sem_post(&begun);
  wait_for(&go);
  while (belay_scheduler_schedule(pool, there, NULL, NULL, NULL) != BELAY_ECANCELED) sched_yield();
  belay_last_error();
  trace("%s", (const char *)name);
}

static void close_waits_for_what_has_begun(void) {
  belay_loop_options options = {.size = sizeof options, .capacity = 2};
  open_pool(&options);
  CHECK_INT(belay_scheduler_schedule(pool, until_closing, "to its end", trace_free, NULL), 0);
  wait_for(&begun);
  CHECK_INT(belay_scheduler_schedule(pool, there, "queued", trace_free, NULL), 0);
  sem_post(&go); /* from here on it fills the queue */
  close_finding("(work -)");
  CHECK_TRACE("to its end | free to its end | free queued | free late | free later");
}

static void close_with_work_on_its_way(void) {
  open_pool(NULL);
  in_thread(schedule_elsewhere, "soon");
  close_finding("(work -)");
  CHECK(strstr(trace_text(), "free soon") != NULL);
  CHECK(strstr(trace_text(), "free after") != NULL);
  CHECK(strstr(trace_text(), "free late | free later") != NULL);
  trace_clear();
}

enum { POOL_THREADS = 4, POOLS = 9 };

/* Nothing else lets the threads go. */
static void let_all_go(void *ctx) {
  trace_free(ctx);
  for (int i = 0; i < POOL_THREADS; i++) sem_post(&go);
}

static void close_takes_back_what_has_no_thread_yet(void) {
  belay_scheduler *others[POOLS];
  open_pool(NULL);
  for (int i = 0; i < POOL_THREADS; i++) {
    others[i] = belay_scheduler_create_pool(loop);
    CHECK_INT(belay_scheduler_schedule(others[i], hold, NULL, NULL, NULL), 0);
  }
  for (int i = 0; i < POOL_THREADS; i++) wait_for(&begun);
  for (int i = POOL_THREADS; i < POOLS; i++) {
    others[i] = belay_scheduler_create_pool(loop);
    CHECK_INT(belay_scheduler_schedule(others[i], trace_action, "waiting",
                                       i < POOLS - 1 ? trace_free : let_all_go, NULL),
              0);
  }
  CHECK_INT(belay_loop_close(loop, note, NULL, NULL), 0);
  CHECK_TRACE("free waiting | free waiting | free waiting | free waiting | free waiting");
  for (int i = 0; i < POOLS; i++) belay_scheduler_release(others[i]);
  belay_loop_release(loop);
  belay_scheduler_release(pool);
  sem_destroy(&begun);
  sem_destroy(&go);
}

static void close_ends_what_is_at_home_there(void) {
  open_pool(NULL);
  schedule(make_a_subject, NULL);
  run_to_end(loop);
  CHECK_INT(belay_scheduler_after(pool, 1000, there, "timer", trace_free, NULL), 0);
  close_finding("(timer -)(subscription listener)");
  CHECK_TRACE("free timer | disposed here | free it | free late | free later");
  CHECK_FAILS(belay_subject_next(made_there, belay_int32(1)), BELAY_ECANCELED);
  belay_signal_release(made_there);
  made_there = NULL;
}

static void close_inside_a_run(void *ctx) {
  sem_post(&go);
  CHECK_INT(belay_loop_close(loop, note, NULL, NULL), 0);
}

static void closed_by_a_timer_while_work_runs(void) {
  open_pool(NULL);
  schedule(hold, NULL);
  wait_for(&begun);
  CHECK_INT(belay_scheduler_schedule(belay_loop_scheduler(loop), close_inside_a_run, NULL, NULL,
                                     NULL),
            0);
  belay_loop_run(loop, BELAY_RUN_DEFAULT);
  CHECK_STRING(found, "(work -)");
  belay_loop_release(loop);
  belay_scheduler_release(pool);
}

static void on_an_adopted_loop(void) {
  uv_loop_t uv;
  CHECK_INT(uv_loop_init(&uv), 0);
  open_pool(NULL);
  close_pool();
  loop = belay_loop_adopt(&uv, NULL);
  pool = belay_scheduler_create_pool(loop);
  schedule(there, "adopted");
  CHECK_INT(belay_scheduler_after(pool, 0.001, there, "timed", NULL, NULL), 0);
  uv_run(&uv, UV_RUN_DEFAULT);
  CHECK_TRACE("adopted | timed");
  schedule(there, "last");
  CHECK_INT(belay_loop_close(loop, note, NULL, NULL), 0);
  CHECK_STRING(found, "(work -)");
  uv_run(&uv, UV_RUN_DEFAULT);
  trace_clear();
  belay_scheduler_release(pool);
  belay_loop_release(loop);
  CHECK_INT(uv_loop_close(&uv), 0);
}

static void released_before_its_work_has_run(void) {
  open_pool(NULL);
  schedule(hold, NULL);
  belay_scheduler_release(pool);
  sem_post(&go);
  run_to_end(loop);
  close_loop(loop);
}

static const test_case cases[] = {
    CASE(A3_22_work_runs_elsewhere_in_the_order_of_scheduling),
    CASE(A3_24_the_pools_scheduler_is_current_inside),
    CASE(A3_23_skipped_when_disposed_before_it_starts),
    CASE(A3_23_once_started_it_runs_to_its_end),
    CASE(missed_intervals_are_skipped),
    CASE(it_does_not_hold_up_its_loop),
    CASE(A3_22_one_at_a_time_whoever_schedules),
    CASE(rule_1_2_its_queue_has_a_capacity),
    CASE(any_thread_schedules),
    CASE(rule_1_2_subscribe_on_a_pool),
    CASE(start_on_a_pool),
    CASE(rule_1_2_observe_on_a_pool),
    CASE(rule_1_2_dispose_sync_of_what_is_at_home_there),
    CASE(rule_1_2_dispose_sync_waits_not_for_its_own_thread),
    CASE(rule_1_2_what_is_made_there_is_at_home_there),
    CASE(close_waits_for_what_has_begun),
    CASE(close_takes_back_what_has_no_thread_yet),
    CASE(close_with_work_on_its_way),
    CASE(close_ends_what_is_at_home_there),
    CASE(closed_by_a_timer_while_work_runs),
    CASE(on_an_adopted_loop),
    CASE(released_before_its_work_has_run),
};

int main(int argc, char **argv) {
  char threads[8];
  snprintf(threads, sizeof threads, "%d", POOL_THREADS);
  setenv("UV_THREADPOOL_SIZE", threads, 1);
  return RUN_CASES(cases);
}
