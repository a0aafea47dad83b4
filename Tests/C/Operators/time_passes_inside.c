/* Operators about time, when time passes inside of a callback: in one that a value comes to, and
   in one that leaves an input. */
#include "cases.h"

static belay_scheduler *clock_of_test;
static belay_disposable *subscription;

/* ---- time that passes while a callback runs ---- */

static int depth, deepest, calls;
static void let_time_pass(void) {
  if (++depth > deepest) deepest = depth;
  if (++calls < 8) CHECK(belay_scheduler_advance(clock_of_test, 2.5) >= 0);
  depth--;
}
static void pass_time_in_next(void *ctx, belay_value value) {
  (void)ctx, (void)value;
  let_time_pass();
}
static void pass_time_at_the_end(void *ctx) {
  (void)ctx;
  let_time_pass();
}

/* Signals that the clock makes send or end, with `source` above. */
static belay_signal *by_time(int which, belay_signal *source) {
  belay_scheduler *at = clock_of_test;
  switch (which) {
    case 0: return belay_signal_chain(source, belay_op_debounce(at, 1));
    case 1: return belay_signal_chain(source, belay_op_throttle(at, 1, 1, 1));
    case 2: return belay_signal_chain(source, belay_op_throttle(at, 1, 0, 1));
    case 3: return belay_signal_chain(source, belay_op_audit(at, 1));
    case 4: return belay_signal_chain(source, belay_op_sample_time(at, 1));
    case 5: return belay_signal_chain(source, belay_op_delay(at, 1));
    case 6: return belay_signal_chain(source, belay_op_delay_subscription(at, 1));
    case 7: return belay_signal_chain(source, belay_op_timeout(at, 1, numbers(1, 3)));
    case 8: return belay_signal_chain(source, belay_op_take_for(at, 1));
    case 9: return belay_signal_chain(source, belay_op_skip_for(at, 1));
    case 10: return belay_signal_chain(source, belay_op_buffer_time(at, 1, BELAY_UNLIMITED));
    case 11: return belay_signal_chain(source, belay_op_buffer_time(at, 1, 1));
    case 12: return belay_signal_chain(source, belay_op_window_time(at, 1, BELAY_UNLIMITED));
    case 13: return belay_signal_chain(source, belay_op_window_time(at, 1, 1));
    case 14: return belay_signal_chain(source, belay_op_window_time(at, 1, 2));
    case 15: return belay_signal_chain(source, belay_op_observe_on(at, NULL));
    case 16: return belay_signal_chain(source, belay_op_subscribe_on(at));
    case 17: return belay_signal_chain(source, belay_op_sample(belay_signal_interval(at, 1)));
    case 18:
      return belay_signal_chain(source, belay_op_merge((belay_signal *[]){belay_signal_interval(at, 1)},
                                                       1));
    case 19: return belay_signal_chain(source, belay_op_take_until(belay_signal_timer(at, 1)));
    case 20: return belay_signal_chain(source, belay_op_retry_backoff(at, 1, 1, 1, 0, 3, 0));
    /* merge_all listens to the windows, too. */
    case 21:
      return belay_signal_chain(source, belay_op_window_time(at, 1, BELAY_UNLIMITED),
                                belay_op_merge_all(BELAY_UNLIMITED));
    case 22:
      return belay_signal_chain(source, belay_op_window_time(at, 1, 2),
                                belay_op_merge_all(BELAY_UNLIMITED));
    default: return source;
  }
}

enum { BY_TIME = 23 };
static void play_by_time(int which, int sends_at_once) {
  belay_signal *subject = belay_subject_create(NULL);
  belay_signal *source =
      sends_at_once ? belay_signal_concat((belay_signal *[]){numbers(1, 3), belay_signal_never()}, 2)
                    : belay_signal_retain(subject);
  belay_signal *signal = by_time(which, source);
  belay_observer observer = {
      .size = sizeof observer, .next = pass_time_in_next, .completed = pass_time_at_the_end};
  depth = deepest = calls = 0;
  CHECK_INT(belay_signal_subscribe(signal, &observer, &subscription), 0);
  belay_signal_release(signal);
  for (int i = 0; i < 4; i++) {
    CHECK(belay_scheduler_advance(clock_of_test, 0.75) >= 0);
    belay_subject_next(subject, belay_int32(i));
  }
  CHECK(belay_scheduler_advance(clock_of_test, 5) >= 0);
  belay_subject_completed(subject);
  CHECK(belay_scheduler_advance(clock_of_test, 5) >= 0);
  if (deepest > 1)
    check_failed(__FILE__, __LINE__, "operator %d, source %d: %d events inside each other", which,
                 sends_at_once, deepest);
  end_subscription(subscription);
  belay_signal_release(subject);
  belay_last_error();
}

static void rule_1_2_time_that_passes_inside_a_callback_nests_nothing(void) {
  clock_of_test = belay_scheduler_create_virtual();
  for (int which = 0; which < BY_TIME; which++) {
    play_by_time(which, 0);
    play_by_time(which, 1);
  }
  belay_scheduler_release(clock_of_test);
}

static void show_window(void *ctx, belay_value value) {
  (void)ctx;
  trace("window");
  watch(belay_signal_retain(belay_value_get_signal(value)), "in it");
  CHECK(belay_scheduler_advance(clock_of_test, 1.5) >= 0);
  trace("shown");
}

/* A window that is full starts the time anew; the timer of the old window has no effect. */
static void windows_whose_time_passes_inside(void) {
  clock_of_test = belay_scheduler_create_virtual();
  belay_signal *subject = belay_subject_create(NULL);
  belay_observer observer = {.size = sizeof observer, .next = show_window};
  belay_signal *signal =
      belay_signal_chain(belay_signal_retain(subject), belay_op_window_time(clock_of_test, 2, 1));
  CHECK_INT(belay_signal_subscribe(signal, &observer, &subscription), 0);
  belay_signal_release(signal);
  CHECK_TRACE("window | shown");
  CHECK_INT(belay_subject_next(subject, belay_int32(1)), 0);
  CHECK_TRACE("in it next 1 | in it completed | in it disposed | in it free | window | shown");
  end_subscription(subscription);
  CHECK_TRACE("in it disposed | in it free");
  belay_signal_release(subject);
  belay_scheduler_release(clock_of_test);
}

/* Ticks that pass during a value are skipped; later ones keep their places. */
static belay_signal *sampled;
static void pass_two_times(void *ctx, belay_value value) {
  render_next(ctx, value);
  if (int_of(value) > 1) return;
  CHECK(belay_scheduler_advance(clock_of_test, 2.5) >= 0);
  CHECK_INT(belay_subject_next(sampled, belay_int32(2)), 0);
}
static void a_sample_whose_times_pass_inside_keeps_its_rhythm(void) {
  clock_of_test = belay_scheduler_create_virtual();
  sampled = belay_subject_create(NULL);
  belay_observer observer = rendering("");
  observer.next = pass_two_times;
  belay_signal *signal =
      belay_signal_chain(belay_signal_retain(sampled), belay_op_sample_time(clock_of_test, 1));
  CHECK_INT(belay_signal_subscribe(signal, &observer, &subscription), 0);
  belay_signal_release(signal);
  CHECK_INT(belay_subject_next(sampled, belay_int32(1)), 0);
  CHECK(belay_scheduler_advance(clock_of_test, 1) >= 0); /* `next` advances the clock by 2.5 more */
  CHECK_TRACE("next 1");
  CHECK(belay_scheduler_advance(clock_of_test, 0.25) >= 0);
  CHECK_TRACE("");
  CHECK(belay_scheduler_advance(clock_of_test, 0.25) >= 0);
  CHECK_TRACE("next 2");
  end_subscription(subscription);
  trace_clear();
  belay_signal_release(sampled);
  belay_scheduler_release(clock_of_test);
}

/* ---- time that passes while an input is left ---- */

static void let_a_time_pass(void *ctx) {
  CHECK(belay_scheduler_advance(clock_of_test, 1) >= 0);
}
static belay_disposable *one_and_silence(void *ctx, belay_subscriber *subscriber) {
  belay_subscriber **kept = ctx;
  if (*kept) return NULL;
  *kept = belay_subscriber_retain(subscriber);
  belay_subscriber_next(subscriber, belay_int32(1));
  return belay_disposable_create(let_a_time_pass, NULL, NULL);
}
static belay_signal *left_one;
static belay_signal *one_that_is_left(void *ctx, belay_value value) {
  return belay_signal_retain(left_one);
}
static void what_is_left_hears_of_no_time_that_passes_meanwhile(void) {
  for (int which = 0; which < BY_TIME; which++) {
    belay_subscriber *kept = NULL;
    clock_of_test = belay_scheduler_create_virtual();
    belay_signal *choice = belay_subject_create(NULL);
    left_one = by_time(which, belay_signal_create(one_and_silence, &kept, NULL, NULL));
    subscription = watched(belay_signal_chain(belay_signal_retain(choice),
                                              belay_op_switch_map(one_that_is_left, NULL, NULL)),
                           "");
    CHECK_INT(belay_subject_next(choice, belay_null()), 0);
    trace_clear();
    CHECK_INT(belay_subject_next(choice, belay_null()), 0);
    /* A window operator sends its first window at once. */
    CHECK_TRACE(which >= 12 && which <= 14 ? "next signal" : "");
    end_subscription(subscription);
    trace_clear();
    belay_subscriber_release(kept);
    belay_signal_release(left_one);
    belay_signal_release(choice);
    belay_scheduler_release(clock_of_test);
  }
}

static const test_case cases[] = {
    CASE(rule_1_2_time_that_passes_inside_a_callback_nests_nothing),
    CASE(windows_whose_time_passes_inside),
    CASE(a_sample_whose_times_pass_inside_keeps_its_rhythm),
    CASE(what_is_left_hears_of_no_time_that_passes_meanwhile),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
