/* Operators about time, and those beside the flow: what marbles cannot show. */
#include "cases.h"

#include <math.h>

static belay_scheduler *clock_of_test;

static belay_error *some_error(void) {
  return belay_error_create(BELAY_EBUSY, NULL, NULL, belay_null(), NULL);
}

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
      if (way == 1) {
        belay_error *error = some_error();
        CHECK_INT(belay_subject_error(subject, error), 0);
        belay_error_release(error);
      }
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

/* ---- on a loop ---- */

static void on_a_loop(void) {
  belay_loop *loop = open_loop();
  belay_scheduler *scheduler = belay_loop_get_scheduler(loop);
  belay_signal *subject = belay_subject_create(NULL);
  watch(belay_signal_chain(belay_signal_retain(subject), belay_op_debounce(scheduler, 0.001),
                           belay_op_take(1)),
        "debounced");
  for (int i = 0; i < 100; i++) belay_subject_next(subject, belay_int32(i));
  run_to_end(loop);
  CHECK_TRACE("debounced next 99 | debounced completed | debounced disposed | debounced free");
  watch(belay_signal_chain(belay_signal_never(), belay_op_timeout(scheduler, 0.001, NULL)), "");
  run_to_end(loop);
  CHECK_TRACE("error ETIMEDOUT | disposed | free");
  watch(belay_signal_chain(numbers(1, 3), belay_op_delay(scheduler, 0.001)), "delayed");
  run_to_end(loop);
  CHECK_TRACE("delayed next 1 | delayed next 2 | delayed next 3 | delayed completed | "
              "delayed disposed | delayed free");
  watch(belay_signal_chain(numbers(1, 2), belay_op_observe_on(scheduler, NULL),
                           belay_op_subscribe_on(scheduler)),
        "");
  CHECK_TRACE("");
  for (int i = 0; i < 4; i++) belay_loop_run(loop, BELAY_RUN_NOWAIT);
  CHECK_TRACE("next 1 | next 2 | completed | disposed | free");
  belay_signal_release(subject);
  close_loop(loop);
}

/* ---- beside the flow ---- */

static belay_op *finally(const char *name) {
  return belay_op_finally(trace_action, (void *)name, trace_free);
}

static void rule_1_1_finally_runs_at_every_end(void) {
  watch(belay_signal_chain(numbers(1, 1), finally("f")), "");
  CHECK_TRACE("next 1 | completed | disposed | action f | free | free f");
  belay_error *error = belay_error_create(BELAY_EINVAL, NULL, NULL, belay_null(), NULL);
  watch(belay_signal_chain(belay_signal_error(error), finally("f")), "");
  CHECK_TRACE("error EINVAL | disposed | action f | free | free f");
  belay_error_release(error);
  end_subscription(watched(belay_signal_chain(belay_signal_never(), finally("f")), ""));
  CHECK_TRACE("action f | disposed | free f | free");
  belay_signal *subject = belay_subject_create(NULL);
  watch(belay_signal_chain(subject, finally("f")), "");
  CHECK_TRACE("action f | disposed | free | free f");
}

static void initially_before_each_subscription(void) {
  belay_signal *signal = belay_signal_chain(
      numbers(1, 1), belay_op_initially(trace_action, "i", trace_free));
  watch(belay_signal_retain(signal), "");
  CHECK_TRACE("action i | next 1 | completed | disposed | free");
  watch(signal, "");
  CHECK_TRACE("action i | next 1 | completed | disposed | free | free i");
}

static void hear_line(void *ctx, const char *line) {
  (void)ctx;
  trace("<%s>", line);
}

static void log_lines(void) {
  watch(belay_signal_chain(numbers(1, 2), belay_op_log("n", "a.c:7", hear_line, NULL, NULL)), "");
  CHECK_TRACE("<a.c:7: n: next 1> | next 1 | <a.c:7: n: next 2> | next 2 | "
              "<a.c:7: n: completed> | completed | disposed | <a.c:7: n: disposed> | free");
  belay_error *error = belay_error_create(BELAY_EINVAL, NULL, "no good", belay_null(), NULL);
  watch(belay_signal_chain(belay_signal_error(error),
                           belay_op_log(NULL, NULL, hear_line, "c", trace_free)),
        "");
  CHECK_TRACE("<error: error no good> | error EINVAL | disposed | <error: disposed> | free | "
              "free c");
  belay_error_release(error);
}

static void missing_callbacks(void) {
  CHECK(belay_op_finally(NULL, "f", trace_free) == NULL);
  CHECK(belay_op_initially(NULL, "i", trace_free) == NULL);
  CHECK_TRACE("free f | free i");
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
}

/* ---- what waits for a time, its source gone ---- */
static void tell_kinds(void *ctx, const belay_open_resource *const *left, size_t count) {
  for (size_t i = 0; i < count; i++) trace("%s", belay_open_resource_kind(left[i]));
}
static void close_while_waiting(int turns, belay_signal *(*make)(belay_scheduler *)) {
  belay_loop *loop = open_loop();
  watch(make(belay_loop_get_scheduler(loop)), "");
  for (int i = 0; i < turns; i++) belay_loop_run(loop, BELAY_RUN_NOWAIT);
  CHECK_TRACE("");
  CHECK_INT(belay_loop_close(loop, tell_kinds, NULL, NULL), 0);
  CHECK_TRACE("disposed | free | timer");
  belay_loop_release(loop);
}
static belay_signal *delayed(belay_scheduler *at) {
  return belay_signal_chain(belay_signal_just(belay_int32(1)), belay_op_delay(at, 3600));
}
static belay_signal *begun_late(belay_scheduler *at) {
  return belay_signal_chain(belay_signal_just(belay_int32(1)),
                            belay_op_delay_subscription(at, 3600));
}
static belay_signal *audited(belay_scheduler *at) {
  return belay_signal_chain(belay_signal_just(belay_int32(1)), belay_op_audit(at, 3600));
}
static belay_signal *tried_again(belay_scheduler *at) {
  belay_error *error = some_error();
  belay_signal *failing = belay_signal_error(error);
  belay_error_release(error);
  return belay_signal_chain(failing, belay_op_retry_backoff(at, 3600, 2, 3600, 0, 5, 0));
}
static void what_only_waits_for_a_time_ends_with_its_loop(void) {
  for (int turns = 0; turns < 2; turns++) {
    close_while_waiting(turns, delayed);
    close_while_waiting(turns, begun_late);
    close_while_waiting(turns, audited);
    close_while_waiting(turns, tried_again);
  }
}

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

/* ---- the end ---- */

static belay_loop *loop_of_test;
static void tell_whether_it_waits(void *ctx, belay_value value) {
  render_next(ctx, value);
  if (int_of(value) == 2) trace("%s", belay_loop_alive(loop_of_test) ? "alive" : "idle");
}
static void after_the_last_value_nothing_is_waited_for(void) {
  for (int which = 0; which < 4; which++) {
    loop_of_test = open_loop();
    belay_scheduler *at = belay_loop_get_scheduler(loop_of_test);
    belay_op *op = which == 0   ? belay_op_throttle(at, 0.001, 0, 1)
                   : which == 1 ? belay_op_throttle(at, 0.001, 1, 1)
                   : which == 2 ? belay_op_audit(at, 0.001)
                                : belay_op_delay(at, 0.001);
    belay_observer observer = rendering("");
    observer.next = tell_whether_it_waits;
    belay_signal *signal = belay_signal_chain(numbers(1, 2), op);
    CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
    belay_signal_release(signal);
    run_to_end(loop_of_test);
    CHECK_TRACE(which % 2 ? "next 1 | next 2 | idle | completed | disposed | free"
                          : "next 2 | idle | completed | disposed | free");
    close_loop(loop_of_test);
  }
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
    CASE(values_that_wait_are_given_back),
    CASE(disposed_inside_next),
    CASE(a_value_from_inside_the_function_of_a_period_is_the_newer_one),
    CASE(bad_times),
    CASE(a_condition_that_is_none),
    CASE(on_a_loop),
    CASE(rule_1_1_finally_runs_at_every_end),
    CASE(initially_before_each_subscription),
    CASE(log_lines),
    CASE(missing_callbacks),
    CASE(what_only_waits_for_a_time_ends_with_its_loop),
    CASE(rule_1_2_time_that_passes_inside_a_callback_nests_nothing),
    CASE(windows_whose_time_passes_inside),
    CASE(a_sample_whose_times_pass_inside_keeps_its_rhythm),
    CASE(after_the_last_value_nothing_is_waited_for),
    CASE(what_is_left_hears_of_no_time_that_passes_meanwhile),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
