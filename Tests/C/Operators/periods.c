/* Periods: what the end of one may do that a signal of a value makes, and time that passes inside. */
#include "cases.h"

#include <stdbool.h>

static belay_signal *paced;
static belay_disposable *paced_subscription;
static void (*at_period_end)(void);
static void dispose_paced(void) { belay_disposable_dispose(paced_subscription); }
static void complete_paced(void) { belay_subject_completed(paced); }
static void send_paced(void) {
  at_period_end = NULL;
  CHECK(belay_subject_next(paced, belay_string("inner")) >= 0);
}
static void end_period(void *ctx) {
  if (at_period_end) at_period_end();
}
static belay_subscriber *period_subscriber;
static belay_disposable *keep_period(void *ctx, belay_subscriber *subscriber) {
  belay_subscriber_release(period_subscriber);
  period_subscriber = belay_subscriber_retain(subscriber);
  return belay_disposable_create(end_period, NULL, NULL);
}
static belay_signal *period_of(void *ctx, belay_value value) {
  return belay_signal_create(keep_period, NULL, NULL, NULL);
}
static void the_end_of_a_period_may_end_the_subscription(void) {
  static void (*const acts[])(void) = {dispose_paced, complete_paced, send_paced};
  static const char *const expected[][3] = {
      [BELAY_REENTRANCY_QUEUE] = {"disposed | free", "next outer | completed | disposed | free",
                                  "next inner | disposed | free"},
      [BELAY_REENTRANCY_DEPTH_FIRST] = {"disposed | free", "next first | completed | disposed | free",
                                        "next inner | disposed | free"}};
  static const belay_reentrancy modes[] = {BELAY_REENTRANCY_QUEUE, BELAY_REENTRANCY_DEPTH_FIRST};
  for (int i = 0; i < 6; i++) {
    belay_source_options options = {.size = sizeof options, .reentrancy = modes[i / 3]};
    paced = belay_subject_create(&options);
    paced_subscription = watched(
        belay_signal_chain(belay_signal_retain(paced),
                           belay_op_debounce_when(period_of, NULL, NULL)), "");
    at_period_end = NULL;
    CHECK(belay_subject_next(paced, belay_string("first")) >= 0);
    at_period_end = acts[i % 3];
    CHECK(belay_subject_next(paced, belay_string("outer")) >= 0);
    at_period_end = NULL;
    belay_subscriber_next(period_subscriber, belay_null());
    belay_last_error();
    end_subscription(paced_subscription);
    CHECK_TRACE(expected[modes[i / 3]][i % 3]);
    belay_subscriber_release(period_subscriber);
    period_subscriber = NULL;
    belay_signal_release(paced);
  }
}

/* ---- time that passes inside `next` belongs to the period that the value begins ---- */

static belay_scheduler *clock_of_test;
static belay_signal *fallback;
static void (*inside)(void);
static void pass(double time) { CHECK(belay_scheduler_advance(clock_of_test, time) >= 0); }
static void pass_half(void) { pass(0.5); }
static void pass_two(void) { pass(2); }
static void send_number(int number) {
  CHECK_INT(belay_subject_next(paced, belay_int32(number)), 0);
}
/* Does what is to be done inside, once. */
static void next_with_inside(void *ctx, belay_value value) {
  void (*act)(void) = inside;
  render_next(ctx, value);
  inside = NULL;
  if (!act) return;
  act();
  trace("back");
}
static void begin_paced(void) {
  belay_source_options options = {.size = sizeof options,
                                  .reentrancy = BELAY_REENTRANCY_DEPTH_FIRST};
  clock_of_test = belay_scheduler_create_virtual();
  paced = belay_subject_create(&options);
  fallback = belay_subject_create(NULL);
}
static void pace(belay_signal *source, belay_op *op, void (*act)(void)) {
  belay_observer observer = rendering("");
  observer.next = next_with_inside;
  inside = act;
  belay_signal *signal = belay_signal_chain(source, op);
  CHECK_INT(belay_signal_subscribe(signal, &observer, &paced_subscription), 0);
  belay_signal_release(signal);
}
static void pace_subject(belay_op *op, void (*act)(void)) {
  pace(belay_signal_retain(paced), op, act);
}
static void end_paced(const char *traced) {
  end_subscription(paced_subscription);
  CHECK_TRACE(traced);
  belay_signal_release(paced);
  belay_signal_release(fallback);
  belay_scheduler_release(clock_of_test);
}

/* The limit that ends inside is the value's, and the fallback has none. */
static void a_timeout_whose_time_passes_inside(void) {
  begin_paced();
  pace_subject(belay_op_timeout(clock_of_test, 1, belay_signal_retain(fallback)), pass_two);
  send_number(1);
  CHECK_TRACE("next 1 | back");
  CHECK_INT(belay_subject_count(paced), 0);
  pass(5);
  CHECK_INT(belay_subject_next(fallback, belay_int32(2)), 0);
  end_paced("next 2 | disposed | free");

  begin_paced();
  pace_subject(belay_op_timeout(clock_of_test, 1, NULL), pass_half);
  pass(0.75);
  send_number(1);
  CHECK_TRACE("next 1 | back");
  pass(0.25);
  CHECK_TRACE("");
  pass(0.25);
  end_paced("error ETIMEDOUT | disposed | free");
}

static void pass_two_at_2(void *ctx, belay_value value) {
  if (int_of(value) == 2) inside = pass_two;
  next_with_inside(ctx, value);
}
/* A source that is still being subscribed to is left like any other. */
static void a_timeout_whose_time_passes_while_it_is_subscribed_to(void) {
  begin_paced();
  belay_observer observer = rendering("");
  observer.next = pass_two_at_2;
  belay_signal *signal = belay_signal_chain(
      belay_signal_concat((belay_signal *[]){numbers(1, 3), belay_signal_never()}, 2),
      belay_op_timeout(clock_of_test, 1, belay_signal_retain(fallback)));
  CHECK_INT(belay_signal_subscribe(signal, &observer, &paced_subscription), 0);
  belay_signal_release(signal);
  CHECK_TRACE("next 1 | next 2 | back");
  pass(5);
  CHECK_INT(belay_subject_next(fallback, belay_int32(4)), 0);
  end_paced("next 4 | disposed | free");
}

static belay_signal *one_later(void *ctx, belay_value value) {
  return belay_signal_timer(clock_of_test, 1);
}
static void send_the_last_and_pass_two(void) {
  send_number(2);
  complete_paced();
  pass(2);
}
/* An end waits like the values before it, and has no limit. */
static void a_timeout_whose_source_completes_inside(void) {
  for (int which = 0; which < 2; which++) {
    begin_paced();
    belay_signal *traced = belay_signal_create(trace_subscribed, NULL, NULL, NULL);
    pace_subject(which == 0 ? belay_op_timeout(clock_of_test, 1, traced)
                            : belay_op_timeout_when(NULL, traced, one_later, NULL, NULL),
                 send_the_last_and_pass_two);
    send_number(1);
    end_paced("next 1 | back | next 2 | completed | disposed | free");
  }
}

static void send_two(void) { send_number(2); }
/* A period begins with its value, and not when the value has been passed on. */
static void a_throttle_whose_value_comes_inside(void) {
  begin_paced();
  pace_subject(belay_op_throttle(clock_of_test, 1, 1, 0), send_two);
  send_number(1);
  end_paced("next 1 | back | disposed | free");

  begin_paced();
  pace_subject(belay_op_throttle(clock_of_test, 1, 1, 0), pass_half);
  send_number(1);
  pass(0.5);
  send_number(2);
  end_paced("next 1 | back | next 2 | disposed | free");
}

static void arrays_whose_time_passes_inside(void) {
  /* A full array restarts the period. */
  begin_paced();
  pace_subject(belay_op_buffer_time(clock_of_test, 1, 2), pass_half);
  pass(0.75);
  send_number(1);
  send_number(2);
  send_number(3);
  CHECK_TRACE("next [1 2] | back");
  pass(0.25);
  CHECK_TRACE("");
  pass(0.25);
  CHECK_TRACE("next [3]");
  /* So does the end of a period. */
  inside = pass_half;
  pass(1);
  CHECK_TRACE("next [] | back");
  pass(0.5);
  end_paced("next [] | disposed | free");

  /* The last array has none. */
  begin_paced();
  pace_subject(belay_op_buffer_time(clock_of_test, 1, BELAY_UNLIMITED), pass_two);
  send_number(1);
  complete_paced();
  end_paced("next [1] | back | completed | disposed | free");
}

/* The period of a window begins before the window is shown. */
static void windows_keep_their_period_while_they_are_shown(void) {
  begin_paced();
  pace_subject(belay_op_window_time(clock_of_test, 1, BELAY_UNLIMITED), pass_half);
  CHECK_TRACE("next signal | back");
  inside = pass_half;
  pass(0.5);
  CHECK_TRACE("next signal | back");
  pass(0.5);
  end_paced("next signal | disposed | free");
}

/* A window that was filled inside has ended with its period, whose end came inside, too. */
static void fill_and_pass_one(void) {
  send_number(3);
  send_number(4);
  pass(1);
}
static void a_window_that_is_full_has_no_more_period(void) {
  begin_paced();
  pace_subject(belay_op_window_time(clock_of_test, 1, 2), NULL);
  send_number(1);
  inside = fill_and_pass_one;
  send_number(2);
  CHECK_TRACE("next signal | next signal | back | next signal");
  end_paced("disposed | free");
}

/* ---- a period that is over cannot end the subscription ---- */

static void fail_fallback(void) {
  belay_error *error = belay_error_create(BELAY_ERANGE, NULL, "late", belay_null(), NULL);
  CHECK_INT(belay_subject_error(fallback, error), 0);
  belay_error_release(error);
}
static belay_signal *the_fallback(void *ctx, belay_value value) {
  return belay_signal_retain(fallback);
}
static void the_other_signal_fails_while_a_completion_sends(void) {
  for (int which = 0; which < 2; which++) {
    begin_paced();
    pace_subject(which == 0 ? belay_op_debounce_when(the_fallback, NULL, NULL)
                            : belay_op_buffer_by(belay_signal_retain(fallback)),
                 fail_fallback);
    send_number(1);
    complete_paced();
    end_paced(which == 0 ? "next 1 | back | completed | disposed | free"
                         : "next [1] | back | completed | disposed | free");
  }
}

static bool is_later;
static belay_disposable *send_and_fail(void *ctx, belay_subscriber *subscriber) {
  belay_error *error = belay_error_create(BELAY_ERANGE, NULL, "replaced", belay_null(), NULL);
  send_number(2);
  belay_subscriber_error(subscriber, error);
  belay_error_release(error);
  return NULL;
}
static belay_signal *replaced_at_once(void *ctx, belay_value value) {
  if (is_later) return belay_signal_never();
  is_later = true;
  return belay_signal_create(send_and_fail, NULL, NULL, NULL);
}
static void a_period_that_is_replaced_while_it_begins(void) {
  for (int which = 0; which < 2; which++) {
    is_later = false;
    begin_paced();
    pace_subject(which == 0 ? belay_op_debounce_when(replaced_at_once, NULL, NULL)
                            : belay_op_timeout_when(NULL, NULL, replaced_at_once, NULL, NULL),
                 NULL);
    send_number(1);
    complete_paced();
    end_paced(which == 0 ? "next 2 | completed | disposed | free"
                         : "next 1 | next 2 | completed | disposed | free");
  }
}

static const test_case cases[] = {
    CASE(the_end_of_a_period_may_end_the_subscription),
    CASE(a_timeout_whose_time_passes_inside),
    CASE(a_timeout_whose_time_passes_while_it_is_subscribed_to),
    CASE(a_timeout_whose_source_completes_inside),
    CASE(a_throttle_whose_value_comes_inside),
    CASE(arrays_whose_time_passes_inside),
    CASE(windows_keep_their_period_while_they_are_shown),
    CASE(a_window_that_is_full_has_no_more_period),
    CASE(the_other_signal_fails_while_a_completion_sends),
    CASE(a_period_that_is_replaced_while_it_begins),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
