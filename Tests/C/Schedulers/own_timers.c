/* The timer of a loop of the program's own, when the loop runs its work on a wrong thread, or frees
   it: it is neither cancelled afterwards nor taken for set. */
#include "own_loop.h"
#include "printed.h"

static own_loop own;

static belay_scheduler *open_own(void) {
  own_open(&own);
  return own_scheduler(&own);
}

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
    CASE(run_astray_it_is_set_again),
    CASE(periodic_work_goes_on),
    CASE(what_is_armed_next_cancels_nothing),
    CASE(close_cancels_nothing),
    CASE(a_cancelled_one_run_astray_changes_nothing),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
