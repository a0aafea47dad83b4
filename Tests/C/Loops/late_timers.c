/* A delay counts from the moment it is asked for, however old the time of the turn is by then. */
#include "cases.h"

#include <uv.h>

static belay_loop *loop;
static belay_scheduler *scheduler;

static const uint64_t millisecond = 1000000;
enum { LONG = 60, DELAY = 20 }; /* milliseconds */
static const double delay = DELAY * 1e-3;

static uint64_t asked;
static int rung;

/* Lets the turn become old, after its time has been read. */
static void spend_a_while(void) {
  CHECK(belay_scheduler_now(scheduler) > 0);
  uint64_t begin = uv_hrtime();
  while (uv_hrtime() - begin < LONG * millisecond) {}
  asked = uv_hrtime();
}

static void check_time(void) {
  rung++;
  uint64_t passed = uv_hrtime() - asked;
  if (passed < DELAY * millisecond)
    check_failed(__FILE__, __LINE__, "after %llu ns", (unsigned long long)passed);
}

static void ring(void *ctx) { check_time(); }

static void arm(void) { CHECK_INT(belay_scheduler_after(scheduler, delay, ring, NULL, NULL, NULL), 0); }

static void arm_late(void *ctx) {
  spend_a_while();
  arm();
}

static void open_scheduler(void) {
  loop = open_loop();
  scheduler = belay_loop_get_scheduler(loop);
  rung = 0;
}

static void armed_late_in_a_callback(void) {
  open_scheduler();
  CHECK_INT(belay_loop_post(loop, arm_late, NULL, NULL), 0);
  run_to_end(loop);
  CHECK_INT(rung, 1);
  CHECK_INT(belay_scheduler_after(scheduler, 0, arm_late, NULL, NULL, NULL), 0);
  run_to_end(loop);
  CHECK_INT(rung, 2);
  close_loop(loop);
}

static void host_arms_late(uv_timer_t *timer) { arm_late(NULL); }

static void armed_late_in_a_hosts_callback(void) {
  uv_timer_t timer;
  open_scheduler();
  uv_timer_init(belay_loop_uv(loop), &timer);
  uv_timer_start(&timer, host_arms_late, 1, 0);
  run_to_end(loop);
  CHECK_INT(rung, 1);
  uv_close((uv_handle_t *)&timer, NULL);
  run_to_end(loop);
  close_loop(loop);
}

static void with_an_adopted_loop(void (*body)(uv_loop_t *uv)) {
  uv_loop_t uv;
  CHECK_INT(uv_loop_init(&uv), 0);
  loop = belay_loop_adopt(&uv, NULL);
  scheduler = belay_loop_get_scheduler(loop);
  rung = 0;
  body(&uv);
  CHECK_INT(uv_run(&uv, UV_RUN_DEFAULT), 0);
  CHECK_INT(rung, 1);
  CHECK_INT(belay_loop_close(loop, expect_nothing_left, NULL, NULL), 0);
  belay_loop_release(loop);
  CHECK_INT(uv_run(&uv, UV_RUN_DEFAULT), 0);
  CHECK_INT(uv_loop_close(&uv), 0);
}

static void arm_before_the_run(uv_loop_t *uv) { arm_late(NULL); }
static void armed_before_an_adopted_loop_is_run(void) { with_an_adopted_loop(arm_before_the_run); }

static uv_timer_t host_timer;
static void arm_and_end(uv_timer_t *timer) {
  arm_late(NULL);
  uv_close((uv_handle_t *)timer, NULL);
}
static void arm_from_the_host(uv_loop_t *uv) {
  CHECK(belay_scheduler_now(scheduler) > 0);
  uv_timer_init(uv, &host_timer);
  uv_timer_start(&host_timer, arm_and_end, 1, 0);
}
static void armed_late_in_an_adopted_loops_host(void) { with_an_adopted_loop(arm_from_the_host); }

/* libuv computes how long it waits from the time of its loop, which is that of the turn's beginning. */
static int seen;
static void see_the_time(uv_prepare_t *handle) {
  if (!rung || seen) return;
  seen = 1;
  CHECK(uv_now(handle->loop) >= asked / millisecond);
}
static void take_a_while(void *ctx) {
  spend_a_while();
  rung = 1;
}
static void the_wait_begins_behind_the_callbacks(void) {
  uv_loop_t uv;
  uv_prepare_t prepare;
  CHECK_INT(uv_loop_init(&uv), 0);
  /* It is called behind Belay's, because that is started later. */
  CHECK_INT(uv_prepare_init(&uv, &prepare), 0);
  CHECK_INT(uv_prepare_start(&prepare, see_the_time), 0);
  loop = belay_loop_adopt(&uv, NULL);
  scheduler = belay_loop_get_scheduler(loop);
  rung = seen = 0;
  CHECK_INT(belay_scheduler_after(scheduler, 0, take_a_while, NULL, NULL, NULL), 0);
  while (!seen) uv_run(&uv, UV_RUN_NOWAIT);
  uv_close((uv_handle_t *)&prepare, NULL);
  close_loop(loop);
  CHECK_INT(uv_run(&uv, UV_RUN_DEFAULT), 0);
  CHECK_INT(uv_loop_close(&uv), 0);
}

/* ---- one turn ---- */

static void give_up_waiting(void *ctx) { check_failed(__FILE__, __LINE__, "it waits for the next timer"); }

/* A turn that has found work does not wait for more. libuv before 1.45 does, after what was due at its beginning. */
static void one_turn_for_what_is_due(void) {
  belay_disposable *guard = NULL;
  open_scheduler();
  CHECK_INT(belay_scheduler_after(scheduler, 30, give_up_waiting, NULL, NULL, &guard), 0);
  for (int i = 1; i <= 3; i++) {
    arm();
    spend_a_while();
    /* It was asked for before that. */
    asked -= LONG * millisecond;
    CHECK_INT(belay_loop_run(loop, BELAY_RUN_ONCE), 1);
    CHECK_INT(rung, i);
  }
  belay_disposable_dispose(guard);
  belay_disposable_release(guard);
  run_to_end(loop);
  close_loop(loop);
}

/* ---- operators ---- */

/* Operators count from the last tick of the system's coarse clock, or later. */
static uint64_t tick_of_the_system(void) {
  struct timespec tick;
  CHECK_INT(clock_getres(CLOCK_MONOTONIC_COARSE, &tick), 0);
  return (uint64_t)tick.tv_nsec;
}

static void check_next(void *ctx, belay_value value) {
  asked -= tick_of_the_system();
  check_time();
}

static void send_late(void *subject) {
  /* The first value makes the operator read the time of the turn. */
  CHECK_INT(belay_subject_next(subject, belay_int32(1)), 0);
  spend_a_while();
  CHECK_INT(belay_subject_next(subject, belay_int32(2)), 0);
}

static int is_two(void *ctx, belay_value value) { return int_of(value) == 2; }

static void late_value_passes(belay_op *op) {
  belay_signal *subject = belay_subject_create(NULL);
  belay_signal *signal =
      belay_signal_chain(belay_signal_retain(subject), op, belay_op_filter(is_two, NULL, NULL));
  belay_observer observer = {.size = sizeof observer, .next = check_next};
  belay_disposable *subscription = NULL;
  rung = 0;
  CHECK_INT(belay_signal_subscribe(signal, &observer, &subscription), 0);
  CHECK_INT(belay_loop_post(loop, send_late, subject, NULL), 0);
  run_to_end(loop);
  CHECK_INT(rung, 1);
  end_subscription(subscription);
  belay_signal_release(signal);
  belay_signal_release(subject);
}

static void operators_that_are_given_a_value_late(void) {
  open_scheduler();
  late_value_passes(belay_op_debounce(scheduler, delay));
  late_value_passes(belay_op_delay(scheduler, delay));
  close_loop(loop);
}

static const test_case cases[] = {
    CASE(armed_late_in_a_callback),
    CASE(armed_late_in_a_hosts_callback),
    CASE(armed_before_an_adopted_loop_is_run),
    CASE(armed_late_in_an_adopted_loops_host),
    CASE(the_wait_begins_behind_the_callbacks),
    CASE(one_turn_for_what_is_due),
    CASE(operators_that_are_given_a_value_late),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
