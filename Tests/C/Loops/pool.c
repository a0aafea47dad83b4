/* A scheduler on threads of libuv's pool: order, threads, times, homes. */
#include "pool.h"

#include <uv.h>

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

static void nested(void *name) {
  there(name);
  belay_scheduler_schedule(belay_scheduler_immediate(), check_immediate, NULL, NULL, NULL);
  there("still");
}

static void A3_24_the_pools_scheduler_is_current_inside(void) {
  open_pool(NULL);
  belay_scheduler *outside = belay_scheduler_current();
  CHECK(outside != NULL && outside != pool);
  schedule(nested, "soon");
  CHECK_INT(belay_scheduler_after(pool, 0.02, nested, "later", NULL, NULL), 0);
  run_to_end(loop);
  CHECK_TRACE("soon | still | later | still");
  CHECK(belay_scheduler_current() == outside);
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
    /* Ten intervals went by during the first tick. They are skipped. */
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
  CHECK_INT(belay_scheduler_after(belay_loop_get_scheduler(loop), 0.001, let_go, NULL, NULL, NULL),
            0);
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

static void any_thread_schedules(void) {
  open_pool(NULL);
  in_thread(schedule_elsewhere, "soon");
  CHECK_TRACE("");
  run_to_end(loop);
  CHECK_TRACE("soon | free soon | after | free after");
  close_pool();
}

/* ---- as a home ---- */

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

/* The loop does not run meanwhile, so the pool's thread does the disposal. */
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

/* Another thread disposed it first, and the disposal's way to the pool leads over the waiting
   thread. */
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
    CASE(released_before_its_work_has_run),
};

int main(int argc, char **argv) {
  limit_pool();
  return RUN_CASES(cases);
}
