/* The timer of a loop of the program's own: when it is set and cancelled, and what becomes of it
   when the loop runs its work on a wrong thread, or frees it. It is then neither cancelled
   afterwards nor taken for set. */
#include "own_loop.h"
#include "printed.h"

static double set_time;
static double now_set(void *ctx) { return set_time; }

/* A loop whose clock is set. */
static belay_scheduler *open_with_clock(void) {
  own_open(&own);
  set_time = 5;
  return belay_scheduler_create_host(
      &BELAY_INIT(belay_scheduler_table, .schedule = own_schedule, .after = own_after,
                  .cancel = own_cancel, .now = now_set),
      &own, own_freed);
}

static void turn_at(double time) {
  set_time = time;
  if (own.timer) own.timer->due = 0;
  own_turn(&own);
}

static void delays_use_one_timer(void) {
  belay_scheduler *scheduler = open_with_clock();
  CHECK_INT(belay_scheduler_after(scheduler, 3, trace_action, "third", NULL, NULL), 0);
  CHECK_INT(belay_scheduler_after(scheduler, 2, trace_action, "second", NULL, NULL), 0);
  CHECK_INT(belay_scheduler_after(scheduler, 1, trace_action, "first", NULL, NULL), 0);
  CHECK_INT(own.cancels, 2);
  CHECK(own.timer->due <= own_time() + 1);
  turn_at(6.5);
  CHECK_TRACE("action first");
  turn_at(8);
  CHECK_TRACE("action second | action third");
  CHECK(own.timer == NULL);
  own_close(&own, scheduler);
}

/* A loop whose timers have a coarse clock. */
static void an_early_timer_is_set_again(void) {
  belay_scheduler *scheduler = open_with_clock();
  CHECK_INT(belay_scheduler_after(scheduler, 1, trace_action, "in time", NULL, NULL), 0);
  turn_at(5.995);
  CHECK_TRACE("");
  CHECK(own.timer->due <= own_time() + 0.006);
  turn_at(6);
  CHECK_TRACE("action in time");
  CHECK_INT(own.timers, 2);
  own_close(&own, scheduler);
}

static int times;
static void stop_at_three(void *ctx) {
  if (++times == 3) own_stop(&own);
}

static void it_repeats(void) {
  belay_scheduler *scheduler = open_own();
  belay_disposable *timer;
  times = 0;
  CHECK_INT(belay_scheduler_every(scheduler, 0, 0.002, 0, stop_at_three, NULL, NULL, &timer), 0);
  own_run(&own);
  CHECK_INT(times, 3);
  belay_disposable_dispose(timer);
  CHECK(own.timer == NULL);
  belay_disposable_release(timer);
  own_close(&own, scheduler);
}

static void a_late_run_does_not_move_the_next(void) {
  belay_scheduler *scheduler = open_with_clock();
  belay_disposable *timer;
  CHECK_INT(belay_scheduler_every(scheduler, 10, 10, 0, trace_action, "at 15, 25", NULL, &timer), 0);
  turn_at(18);
  CHECK_TRACE("action at 15, 25");
  trace_clear();
  turn_at(24.5);
  CHECK_TRACE("");
  turn_at(25);
  CHECK_TRACE("action at 15, 25");
  end_subscription(timer);
  own_close(&own, scheduler);
}

static void cancelled_in_every_state(void) {
  belay_scheduler *scheduler = open_own();
  belay_disposable *one, *other;
  /* Before it has come. */
  CHECK_INT(belay_scheduler_schedule(scheduler, trace_action, "one", trace_free, &one), 0);
  end_subscription(one);
  CHECK_TRACE("free one");
  own_turn(&own);
  /* While it waits, alone and behind another. */
  CHECK_INT(belay_scheduler_after(scheduler, 1000, trace_action, "one", trace_free, &one), 0);
  CHECK_INT(belay_scheduler_after(scheduler, 2000, trace_action, "other", trace_free, &other), 0);
  CHECK(own.timer != NULL);
  end_subscription(other);
  CHECK(own.timer != NULL);
  end_subscription(one);
  CHECK(own.timer == NULL);
  CHECK_TRACE("free other | free one");
  /* When it is due. */
  CHECK_INT(belay_scheduler_after(scheduler, 0, trace_action, "one", trace_free, &one), 0);
  end_subscription(one);
  own_turn(&own);
  CHECK_TRACE("free one");
  /* After it has run. */
  CHECK_INT(belay_scheduler_after(scheduler, 0, trace_action, "one", trace_free, &one), 0);
  own_turn(&own);
  CHECK_TRACE("action one | free one");
  end_subscription(one);
  CHECK_TRACE("");
  own_close(&own, scheduler);
}

static void *without_handle(void *ctx, double seconds, belay_action_fn action, void *work,
                            belay_free_fn work_free) {
  own_after(ctx, seconds, action, work, work_free);
  return NULL;
}

/* Without `cancel`, the work of a cancelled timer is run nevertheless. */
static void a_loop_cannot_cancel(void) {
  own_open(&own);
  belay_scheduler *scheduler = belay_scheduler_create_host(
      &BELAY_INIT(belay_scheduler_table, .schedule = own_schedule, .after = without_handle), &own,
      own_freed);
  belay_disposable *one;
  CHECK_INT(belay_scheduler_after(scheduler, 0, trace_action, "one", trace_free, &one), 0);
  end_subscription(one);
  CHECK_TRACE("free one");
  own_work *stale = own.timer;
  CHECK(stale != NULL);
  own.timer = NULL;
  CHECK_INT(belay_scheduler_after(scheduler, 1000, trace_action, "two", trace_free, &one), 0);
  own_work *later = own.timer;
  stale->action(stale->work);
  CHECK(own.timer == later);
  CHECK_TRACE("");
  own_drop(stale);
  end_subscription(one);
  own.timer = NULL;
  own_drop(later);
  CHECK_TRACE("free two");
  own_close(&own, scheduler);
}

static void a_clock_that_makes_no_sense(void) {
  belay_scheduler *scheduler = open_with_clock();
  belay_disposable *timer;
  CHECK(belay_scheduler_now(scheduler) == 5);
  CHECK_INT(belay_scheduler_every(scheduler, 0, 1e300, 0, trace_action, "one", NULL, &timer), 0);
  double times_of_day[] = {-1.0 / 0.0, 1.0 / 0.0, 0.0 / 0.0, -1e300, 1e300};
  for (size_t i = 0; i < sizeof times_of_day / sizeof *times_of_day; i++) {
    turn_at(times_of_day[i]);
    CHECK(belay_scheduler_now(scheduler) >= 0);
  }
  CHECK_TRACE("action one");
  end_subscription(timer);
  own_close(&own, scheduler);
}

/* ---- run on a wrong thread, or freed ---- */

static void arm(belay_scheduler *scheduler, double seconds, const char *name) {
  CHECK_INT(belay_scheduler_after(scheduler, seconds, trace_action, (void *)name, trace_free, NULL),
            0);
}

/* Takes the timer out of the loop, as one does that runs its work next. */
static own_work *taken(void) {
  own_work *timer = own.timer;
  CHECK(timer != NULL);
  own.timer = NULL;
  return timer;
}

static void run_and_drop(void *timer) {
  ((own_work *)timer)->action(((own_work *)timer)->work);
  own_drop(timer);
}
static void run_elsewhere(void *timer) { in_thread(run_and_drop, timer); }
static void run_astray(void) {
  char text[400];
  printed_while(run_elsewhere, taken(), text, sizeof text);
  CHECK_STRING(text, "belay: a scheduler's work was run away from its thread\n");
}

static void run_until(const char *expected) {
  while (strcmp(trace_text(), expected) != 0) {
    if (own.timer) own.timer->due = 0;
    own_turn(&own);
  }
}

static void run_astray_it_is_set_again(void) {
  belay_scheduler *scheduler = open_own();
  arm(scheduler, 0, "one");
  run_astray();
  CHECK_TRACE("");
  CHECK(own.timer == NULL);
  own_turn(&own);
  CHECK(own.timer != NULL || strcmp(trace_text(), "action one | free one") == 0);
  run_until("action one | free one");
  CHECK_INT(own.cancels, 0);
  own_close(&own, scheduler);
}

static void periodic_work_goes_on(void) {
  belay_scheduler *scheduler = open_own();
  belay_disposable *timer = NULL;
  CHECK_INT(belay_scheduler_every(scheduler, 0, 0.0001, 0, trace_action, "tick", NULL, &timer), 0);
  run_until("action tick");
  run_astray();
  run_until("action tick | action tick | action tick");
  end_subscription(timer);
  own_turn(&own);
  own_close(&own, scheduler);
}

/* Another timer is set before the loop's thread has heard of it. */
static void what_is_armed_next_cancels_nothing(void) {
  belay_scheduler *scheduler = open_own();
  arm(scheduler, 1000, "late");
  run_astray();
  arm(scheduler, 0, "early");
  CHECK_INT(own.cancels, 0);
  own_work *timer = own.timer;
  CHECK(timer != NULL);
  timer->due = own_time() + 1000;
  own_turn(&own);
  CHECK(own.timer == timer);
  run_until("action early | free early");
  /* The late one is set. */
  CHECK(own.timer != NULL);
  int cancels = own.cancels;
  CHECK_INT(belay_scheduler_close(scheduler, ignore_left, NULL, NULL), 0);
  CHECK_INT(own.cancels, cancels + 1);
  CHECK_TRACE("action early | free early | free late");
  own_leave(&own, scheduler);
}

static void close_cancels_nothing(void) {
  for (int is_run = 0; is_run < 2; is_run++) {
    belay_scheduler *scheduler = open_own();
    arm(scheduler, 1000, "late");
    if (is_run) run_astray();
    else own_drop(taken());
    CHECK_INT(belay_scheduler_close(scheduler, ignore_left, NULL, NULL), 0);
    CHECK_INT(own.cancels, 0);
    CHECK_TRACE("free late");
    trace_clear();
    own_leave(&own, scheduler);
  }
}

/* A canceled one that is run astray changes nothing. */
static void *keep_after(void *ctx, double seconds, belay_action_fn action, void *work,
                        belay_free_fn work_free) {
  own_work *former = own.timer;
  own.timer = NULL;
  own_work *timer = own_after(ctx, seconds, action, work, work_free);
  timer->next = former;
  return timer;
}
static void a_cancelled_one_run_astray_changes_nothing(void) {
  own_open(&own);
  belay_scheduler *scheduler = belay_scheduler_create_host(
      &BELAY_INIT(belay_scheduler_table, .schedule = own_schedule, .after = keep_after), &own,
      own_freed);
  arm(scheduler, 2000, "late");
  arm(scheduler, 1000, "early");
  own_work *timer = own.timer, *cancelled = timer->next;
  own.timer = cancelled;
  run_astray();
  own.timer = timer;
  own_turn(&own);
  CHECK(own.timer == timer);
  CHECK_INT(belay_scheduler_close(scheduler, ignore_left, NULL, NULL), 0);
  own_drop(taken());
  CHECK_TRACE("free early | free late");
  own_leave(&own, scheduler);
}

static const test_case cases[] = {
    CASE(delays_use_one_timer),
    CASE(an_early_timer_is_set_again),
    CASE(it_repeats),
    CASE(a_late_run_does_not_move_the_next),
    CASE(cancelled_in_every_state),
    CASE(a_loop_cannot_cancel),
    CASE(a_clock_that_makes_no_sense),
    CASE(run_astray_it_is_set_again),
    CASE(periodic_work_goes_on),
    CASE(what_is_armed_next_cancels_nothing),
    CASE(close_cancels_nothing),
    CASE(a_cancelled_one_run_astray_changes_nothing),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
