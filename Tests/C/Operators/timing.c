/* Operators about time: what marbles cannot show. Those on a real loop are in operators_time.c,
   and time that passes inside of a callback is in time_passes_inside.c. */
#include "cases.h"

#include <math.h>

static belay_scheduler *clock_of_test;

/* ---- memory: values that wait are released, however the subscription ends ---- */

static belay_op *waiting_op(int which) {
  switch (which) {
    case 0: return belay_op_debounce(clock_of_test, 1);
    case 1: return belay_op_throttle(clock_of_test, 1, 0, 1);
    case 2: return belay_op_audit(clock_of_test, 1);
    case 3: return belay_op_sample(belay_signal_never());
    case 4: return belay_op_sample_time(clock_of_test, 1);
    case 5: return belay_op_delay(clock_of_test, 1);
    case 6: return belay_op_timeout(clock_of_test, 1, belay_signal_never());
    case 7: return belay_op_throttle_while(belay_signal_chain(
        belay_signal_never(), belay_op_start_with((belay_value[]){belay_bool(1)}, 1)));
    case 8: return belay_op_observe_on(clock_of_test, NULL);
    case 9: return belay_op_debounce_when(never_of, NULL, NULL);
    case 10: return belay_op_audit_when(never_of, NULL, NULL);
    case 11: return belay_op_delay_when(never_of, NULL, NULL);
    case 12: return belay_op_timeout_when(NULL, NULL, never_of, NULL, NULL);
    case 13: return belay_op_take_last_for(clock_of_test, 1);
    case 14: return belay_op_skip_last_for(clock_of_test, 1);
    default: return NULL;
  }
}

static void values_that_wait_are_given_back(void) {
  clock_of_test = belay_scheduler_create_virtual();
  for (int which = 0; which < 15; which++) {
    for (int way = 0; way < 3; way++) {
      belay_signal *subject = belay_subject_create(NULL);
      belay_disposable *subscription =
          watched(belay_signal_chain(belay_signal_retain(subject), waiting_op(which)), "");
      belay_subject_next(subject, belay_string("a value in a box"));
      belay_subject_next(subject, belay_string("and another one"));
      if (way == 0) belay_disposable_dispose(subscription);
      if (way == 1) fail_subject(subject, BELAY_EBUSY, NULL);
      /* way 2: interrupted. */
      belay_signal_release(subject);
      CHECK_INT(belay_scheduler_advance(clock_of_test, 0), 0);
      belay_disposable_dispose(subscription);
      belay_disposable_release(subscription);
      CHECK(strstr(trace_text(), "disposed | free") != NULL);
      trace_clear();
      belay_last_error();
    }
  }
  belay_scheduler_release(clock_of_test);
}

static belay_disposable *subscription;
static void dispose_in_next(void *ctx, belay_value value) {
  (void)ctx;
  (void)value;
  trace("next");
  belay_disposable_dispose(subscription);
}

static void disposed_inside_next(void) {
  for (int which = 0; which < 9; which++) {
    if (which == 3 || which == 7) continue;
    clock_of_test = belay_scheduler_create_virtual();
    belay_signal *subject = belay_subject_create(NULL);
    belay_observer observer = tracing("");
    observer.next = dispose_in_next;
    belay_signal *signal = belay_signal_chain(belay_signal_retain(subject), waiting_op(which));
    CHECK_INT(belay_signal_subscribe(signal, &observer, &subscription), 0);
    belay_signal_release(signal);
    belay_subject_next(subject, belay_string("a value in a box"));
    belay_subject_next(subject, belay_string("and another one"));
    belay_subject_completed(subject);
    belay_signal_release(subject);
    CHECK_INT(belay_scheduler_advance(clock_of_test, 5), 0);
    belay_disposable_release(subscription);
    if (which != 4) CHECK_TRACE("next | disposed | free");
    trace_clear();
    belay_scheduler_release(clock_of_test);
  }
}

/* ---- periods: the function that makes one sends ---- */

static belay_signal *periods[2];
static belay_signal *period_that_sends(void *source, belay_value value) {
  int32_t number = 0;
  CHECK_INT(belay_value_get_int32(value, &number), 0);
  if (number == 1) belay_subject_next(source, belay_int32(2));
  return belay_signal_retain(periods[number - 1]);
}

static void a_value_from_inside_the_function_of_a_period_is_the_newer_one(void) {
  belay_source_options options = {.size = sizeof options,
                                  .reentrancy = BELAY_REENTRANCY_DEPTH_FIRST};
  for (int audits = 0; audits < 2; audits++) {
    belay_signal *source = belay_subject_create(&options);
    for (int i = 0; i < 2; i++) periods[i] = belay_subject_create(NULL);
    belay_op *op = audits ? belay_op_audit_when(period_that_sends, source, NULL)
                          : belay_op_debounce_when(period_that_sends, source, NULL);
    belay_disposable *watching =
        watched(belay_signal_chain(belay_signal_retain(source), op), "");
    belay_subject_next(source, belay_int32(1));
    /* An audit has the period of the first value, debounce that of the last one. */
    belay_subject_next(periods[!audits ? 0 : 1], belay_int32(0));
    CHECK_TRACE("");
    belay_subject_next(periods[!audits ? 1 : 0], belay_int32(0));
    CHECK_TRACE("next 2");
    belay_disposable_dispose(watching);
    belay_disposable_release(watching);
    CHECK_TRACE("disposed | free");
    for (int i = 0; i < 2; i++) belay_signal_release(periods[i]);
    belay_signal_release(source);
  }
}

static void bad_times(void) {
  belay_scheduler *time = belay_scheduler_create_virtual();
  double bad[] = {0, -1, NAN};
  for (int i = 0; i < 3; i++) {
    CHECK(belay_op_debounce(time, bad[i]) == NULL);
    CHECK(belay_op_debounce_if(time, bad[i], answer_yes, "w", trace_free) == NULL);
    CHECK_TRACE("free w");
    CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
    CHECK(belay_op_throttle(time, bad[i], 1, 0) == NULL);
    CHECK(belay_op_audit(time, bad[i]) == NULL);
    CHECK(belay_op_sample_time(time, bad[i]) == NULL);
    CHECK(belay_op_timeout(time, bad[i], belay_signal_never()) == NULL);
    CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
  }
  /* A time above 0, however small, is one. */
  belay_op *shortest = belay_op_debounce(time, 1e-320);
  CHECK(shortest != NULL);
  belay_op_release(shortest);
  CHECK(belay_op_delay(time, NAN) == NULL);
  CHECK(belay_op_delay_subscription(time, NAN) == NULL);
  CHECK(belay_op_take_last_for(time, NAN) == NULL);
  CHECK(belay_op_take_last_for(time, -1) == NULL);
  CHECK(belay_op_skip_last_for(NULL, 1) == NULL);
  CHECK(belay_op_debounce(NULL, 1) == NULL);
  CHECK(belay_op_debounce_if(NULL, 1, answer_yes, "w", trace_free) == NULL);
  CHECK(belay_op_debounce_if(time, 1, NULL, "x", trace_free) == NULL);
  CHECK_TRACE("free w | free x");
  CHECK(belay_op_sample(NULL) == NULL);
  CHECK(belay_op_throttle_while(NULL) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
  /* A time beyond any clock never comes. */
  end_subscription(
      watched(belay_signal_chain(numbers(1, 2), belay_op_delay(time, INFINITY)), ""));
  CHECK_TRACE("disposed | free");
  /* The trampoline has no clock. */
  watch(belay_signal_chain(numbers(1, 2), belay_op_delay(belay_scheduler_trampoline(), 1)), "");
  CHECK_TRACE("error EINVAL | disposed | free");
  watch(belay_signal_chain(belay_signal_never(),
                           belay_op_timeout(belay_scheduler_trampoline(), 1, NULL)),
        "");
  CHECK_TRACE("error EINVAL | disposed | free");
  belay_scheduler_release(time);
}

static void a_condition_that_is_none(void) {
  watch(belay_signal_chain(belay_signal_never(), belay_op_throttle_while(numbers(1, 1))), "");
  CHECK_TRACE("error EKIND | disposed | free");
}

static const test_case cases[] = {
    CASE(values_that_wait_are_given_back),
    CASE(disposed_inside_next),
    CASE(a_value_from_inside_the_function_of_a_period_is_the_newer_one),
    CASE(bad_times),
    CASE(a_condition_that_is_none),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
