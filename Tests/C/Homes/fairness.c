/* Work that schedules more work: what was there when the turn began comes first. */
#include "scheduled.h"
#include "worker.h"


static void far_away(void *ctx) { check_failed(__FILE__, __LINE__, "an hour has passed"); }

/* Turns until `*count` is `enough`, and checks that no turn does more than `most`. */
static void turns_until(const int *count, int enough, int most) {
  belay_disposable *guard = NULL;
  CHECK_INT(belay_scheduler_after(scheduler, 3600, far_away, NULL, NULL, &guard), 0);
  while (*count < enough) {
    int before = *count;
    CHECK_INT(belay_loop_run(loop, BELAY_RUN_NOWAIT), 1);
    if (*count > before + most) CHECK_INT(*count - before, most);
  }
  end_subscription(guard);
}

/* ---- timers ---- */

enum { AGAIN = 20 };
static int rung;

static void ring_again(void *delay) {
  if (++rung < AGAIN)
    CHECK_INT(belay_scheduler_after(scheduler, *(double *)delay, ring_again, delay, NULL, NULL), 0);
}

static void a_timer_that_arms_itself_for_now_leaves_the_turn(void) {
  static double delays[] = {0, -1, 1e-9};
  open_scheduler();
  for (int i = 0; i < 3; i++) {
    rung = 0;
    CHECK_INT(belay_scheduler_after(scheduler, 0, ring_again, &delays[i], NULL, NULL), 0);
    turns_until(&rung, AGAIN, 1);
  }
  close_loop(loop);
}

static int work_done, posts_done;
static void work_again(void *ctx) {
  if (++work_done < AGAIN)
    CHECK_INT(belay_scheduler_schedule(scheduler, work_again, NULL, NULL, NULL), 0);
}
static void post_again(void *ctx) {
  if (++posts_done < AGAIN) CHECK_INT(belay_loop_post(loop, post_again, NULL, NULL), 0);
}

static int recursions;
static void recurse(void *ctx, belay_recursion *recursion) {
  if (++recursions < AGAIN) CHECK_INT(belay_recursion_again(recursion), 0);
}

static void all_of_them_go_on_side_by_side(void) {
  static double now = 0;
  open_scheduler();
  rung = work_done = posts_done = recursions = 0;
  CHECK_INT(belay_scheduler_after(scheduler, 0, ring_again, &now, NULL, NULL), 0);
  CHECK_INT(belay_scheduler_schedule(scheduler, work_again, NULL, NULL, NULL), 0);
  CHECK_INT(belay_loop_post(loop, post_again, NULL, NULL), 0);
  CHECK_INT(belay_scheduler_recursive(scheduler, recurse, NULL, NULL, NULL), 0);
  turns_until(&work_done, AGAIN, 1);
  CHECK_INT(posts_done, AGAIN);
  CHECK_INT(recursions, AGAIN);
  turns_until(&rung, AGAIN, 1);
  run_to_end(loop);
  close_loop(loop);
}

/* ---- observe_on and subscribe_on ---- */

static belay_signal *fed;
static int heard;

static void feed_again(void *ctx, belay_value value) {
  CHECK_INT(int_of(value), heard);
  if (++heard < AGAIN) CHECK(belay_subject_next(fed, belay_int32(heard)) >= 0);
}

static void feed_through(belay_op *op) {
  heard = 0;
  fed = belay_subject_create(NULL);
  belay_signal *signal =
      belay_signal_chain(belay_signal_retain(fed), op);
  belay_observer observer = {.size = sizeof observer, .next = feed_again};
  belay_disposable *subscription = NULL;
  CHECK_INT(belay_signal_subscribe(signal, &observer, &subscription), 0);
  CHECK_INT(belay_subject_next(fed, belay_int32(0)), 0);
  turns_until(&heard, AGAIN, 1);
  end_subscription(subscription);
  belay_signal_release(signal);
  belay_signal_release(fed);
  close_loop(loop);
}

static void observe_on_that_is_fed_from_inside_leaves_the_turn(void) {
  open_scheduler();
  feed_through(belay_op_observe_on(scheduler, NULL));
}

static void a_delay_that_is_fed_from_inside_leaves_the_turn(void) {
  open_scheduler();
  feed_through(belay_op_delay(scheduler, 0));
}

static worker above;

static void send_heard(void *ctx) { CHECK_INT(belay_subject_next(fed, belay_int32(heard)), 0); }

/* Another thread answers before this one has returned. */
static void feed_from_above(void *ctx, belay_value value) {
  CHECK_INT(int_of(value), heard);
  if (++heard < AGAIN) on_worker(&above, send_heard, NULL);
}

static void subscribe_on_that_is_fed_meanwhile_leaves_the_turn(void) {
  start_worker(&above);
  open_scheduler();
  heard = 0;
  belay_source_options options = {.size = sizeof options, .loop = above.loop};
  fed = belay_subject_create(&options);
  belay_signal *signal = belay_signal_chain(
      belay_signal_retain(fed), belay_op_subscribe_on(belay_loop_get_scheduler(above.loop)));
  belay_observer observer = {.size = sizeof observer, .next = feed_from_above};
  belay_disposable *subscription = NULL;
  CHECK_INT(belay_signal_subscribe(signal, &observer, &subscription), 0);
  meet(&above);
  on_worker(&above, send_heard, NULL);
  turns_until(&heard, AGAIN, 1);
  end_subscription(subscription);
  meet(&above);
  run_to_end(loop);
  belay_signal_release(signal);
  belay_signal_release(fed);
  close_loop(loop);
  stop_worker(&above);
}

static const test_case cases[] = {
    CASE(a_timer_that_arms_itself_for_now_leaves_the_turn),
    CASE(all_of_them_go_on_side_by_side),
    CASE(observe_on_that_is_fed_from_inside_leaves_the_turn),
    CASE(a_delay_that_is_fed_from_inside_leaves_the_turn),
    CASE(subscribe_on_that_is_fed_meanwhile_leaves_the_turn),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
