/* A stage below an operator may end the subscription during a value. Nothing may come after that,
   however much the operator still has to send in the same call. The cases try every operator that
   sends more than once, above every way to end, under every join. */
#include "every_operator.h"

static belay_scheduler *time_;
static belay_disposable *subscription;
/* Whether the subscriber has heard of the end or has disposed, and how often a callback was called
   after that. */
static int is_over, late;

static void note_call(void) {
  if (is_over) late++;
}

/* ---- what ends below, and what is called there ---- */
static belay_value fail_step(void *ctx, belay_value a, belay_value value) {
  note_call();
  return belay_value_failure(BELAY_EILSEQ, "as asked");
}
static belay_value fail_map(void *ctx, belay_value value) {
  note_call();
  return belay_value_failure(BELAY_EILSEQ, "as asked");
}
static int fail_test(void *ctx, belay_value value) {
  note_call();
  return BELAY_EILSEQ;
}
static belay_signal *fail_flat(void *ctx, belay_value value) {
  note_call();
  return belay_fail(BELAY_EILSEQ, "as asked"), NULL;
}
static belay_value noted(void *ctx, belay_value value) {
  note_call();
  return belay_value_retain(value);
}

static void note_next(void *ctx, belay_value value) { note_call(); }
static void note_error(void *ctx, const belay_error *error) { note_call(); }
static void note_completed(void *ctx) { note_call(); }

enum { BELOWS = 15 };
static belay_signal *below(int kind, belay_signal *signal) {
  belay_observer beside = {
      .size = sizeof beside, .next = note_next, .error = note_error, .completed = note_completed};
  switch (kind) {
    case 0: return belay_signal_chain(signal, belay_op_scan(belay_int32(0), fail_step, NULL, NULL));
    case 1:
      return belay_signal_chain(signal, belay_op_reduce(belay_int32(0), fail_step, NULL, NULL));
    case 2: return belay_signal_chain(signal, belay_op_map(fail_map, NULL, NULL));
    case 3: return belay_signal_chain(signal, belay_op_filter(fail_test, NULL, NULL));
    case 4: return belay_signal_chain(signal, belay_op_distinct(fail_map, NULL, NULL));
    case 5: return belay_signal_chain(signal, belay_op_group_by(fail_map, NULL, NULL));
    case 6:
      return belay_signal_chain(signal, belay_op_flat_map(BELAY_UNLIMITED, fail_flat, NULL, NULL));
    case 7: return belay_signal_chain(signal, belay_op_any(fail_test, NULL, NULL));
    case 8: return belay_signal_chain(signal, belay_op_map(noted, NULL, NULL), belay_op_take(1));
    case 9: return belay_signal_chain(signal, belay_op_is_empty());
    case 10: return belay_signal_chain(signal, belay_op_compact_map(fail_map, NULL, NULL));
    /* These end with BELAY_EKIND at the first value that is no number. */
    case 11: return belay_signal_chain(signal, belay_op_sum());
    case 12: return belay_signal_chain(signal, belay_op_map(noted, NULL, NULL), belay_op_not());
    case 13: return belay_signal_chain(signal, belay_op_do(&beside), belay_op_take(1));
    default: return belay_signal_chain(signal, belay_op_do(&beside));
  }
}

/* ---- where it meets others ---- */
static belay_signal *inner_signal;
static belay_signal *the_inner(void *ctx, belay_value value) {
  return belay_signal_retain(inner_signal);
}
enum { JOINS = 12 };
static belay_signal *joined(int kind, belay_signal *signal) {
  belay_signal *both[2] = {belay_signal_just(belay_bool(1)), signal};
  belay_signal *others[2] = {signal, belay_signal_never()};
  if (kind < 6) belay_signal_release(others[1]);
  if (kind >= 6 || kind == 5) belay_signal_release(both[0]);
  switch (kind) {
    case 0: return belay_signal_combine_latest(both, 2, NULL, NULL, NULL);
    case 1: return belay_signal_zip(both, 2, NULL, NULL, NULL);
    case 2: return belay_signal_merge(both, 2);
    case 3: return belay_signal_and(both, 2);
    case 4: return belay_signal_concat(both, 2);
    case 5: return signal;
    case 6: return belay_signal_combine_latest(others, 2, NULL, NULL, NULL);
    case 7: return belay_signal_race(others, 2);
    case 8: return belay_signal_chain(signal, belay_op_with_latest_from(&others[1], 1, NULL, NULL,
                                                                        NULL));
    case 9: return belay_signal_chain(signal, belay_op_sequence_equal(others[1], NULL, NULL, NULL));
    default:
      belay_signal_release(others[1]);
      inner_signal = signal;
      return belay_signal_chain(belay_signal_just(belay_int32(0)),
                                kind == 10
                                    ? belay_op_flat_map(BELAY_UNLIMITED, the_inner, NULL, NULL)
                                    : belay_op_switch_map(the_inner, NULL, NULL));
  }
}

/* ---- the subscriber ---- */
static int disposes;
static void on_next(void *ctx, belay_value value) {
  note_call();
  if (!disposes) return;
  is_over = 1;
  belay_disposable_dispose(subscription);
}
static void on_error(void *ctx, const belay_error *error) { note_call(), is_over = 1; }
static void on_completed(void *ctx) { note_call(), is_over = 1; }

static void play(int upper, int lower, int join, int fails) {
  belay_signal *subject = belay_subject_create(NULL);
  belay_signal *signal = joined(
      join, below(lower, belay_signal_chain(belay_signal_retain(subject), every_op(upper, time_))));
  belay_observer observer = {
      .size = sizeof observer, .next = on_next, .error = on_error, .completed = on_completed};
  is_over = late = 0;
  disposes = lower == BELOWS - 1;
  CHECK(signal != NULL);
  CHECK_INT(belay_signal_subscribe(signal, &observer, &subscription), 0);
  belay_signal_release(signal);
  for (int i = 1; i <= 4; i++) {
    belay_subject_next(subject, belay_int32(i));
    if (i == 3) CHECK(belay_scheduler_advance(time_, 1) >= 0);
  }
  if (fails) {
    belay_error *error = belay_error_create(BELAY_ENOENT, NULL, NULL, belay_null(), NULL);
    belay_subject_error(subject, error);
    belay_error_release(error);
  } else {
    belay_subject_completed(subject);
  }
  CHECK(belay_scheduler_advance(time_, 100) >= 0);
  belay_signal_release(subject);
  if (late)
    check_failed(__FILE__, __LINE__, "operator %d above %d under join %d: %d calls after the end",
                 upper, lower, join, late);
  end_subscription(subscription);
  if (inner_signal) belay_signal_release(inner_signal);
  inner_signal = NULL;
  belay_last_error();
}

static void nothing_is_sent_after_what_is_below_has_ended(void) {
  time_ = belay_scheduler_create_virtual();
  belay_op *op;
  for (int upper = 0; (op = every_op(upper, time_)); upper++) {
    belay_op_release(op);
    for (int lower = 0; lower < BELOWS; lower++)
      for (int join = 0; join < JOINS; join++)
        for (int fails = 0; fails < 2; fails++) play(upper, lower, join, fails);
  }
  belay_scheduler_release(time_);
}

/* ---- while inputs are being left ---- */
static belay_signal *other;
static int other_fails;
static void send_into_the_other(void *ctx) {
  belay_subject_next(other, belay_int32(1));
  if (other_fails) {
    fail_subject(other, BELAY_ENOENT, NULL);
  } else {
    belay_subject_completed(other);
  }
}
static belay_disposable *silent(void *ctx, belay_subscriber *subscriber) {
  *(belay_subscriber **)ctx = belay_subscriber_retain(subscriber);
  belay_subscriber_next(subscriber, belay_int32(0));
  return belay_disposable_create(send_into_the_other, NULL, NULL);
}
static belay_value combined(void *ctx, const belay_value *values, size_t count) {
  trace("combine");
  return belay_int32(0);
}
static belay_signal *mapped(void *ctx, belay_value value) {
  trace("map");
  return belay_signal_just(belay_int32(0));
}
static belay_value stepped(void *ctx, belay_value a, belay_value value) {
  trace("step");
  return belay_int32(0);
}

static void told(void *ctx, belay_value value) { trace("told"); }
static void told_error(void *ctx, const belay_error *error) { trace("told"); }
static void told_completion(void *ctx) { trace("told"); }

enum { LEFT = 11 };
/* Subscribes to a producer whose teardown sends into `other`, and then to `other` itself. */
static belay_signal *of_both(int kind, belay_subscriber **kept) {
  belay_signal *first = belay_signal_create(silent, kept, NULL, NULL);
  belay_signal *second = belay_signal_retain(other), *both[2] = {first, second};
  belay_observer beside = {
      .size = sizeof beside, .next = told, .error = told_error, .completed = told_completion};
  switch (kind) {
    case 0: return belay_signal_combine_latest(both, 2, combined, NULL, NULL);
    case 1: return belay_signal_zip(both, 2, combined, NULL, NULL);
    case 2:
      return belay_signal_chain(second, belay_op_with_latest_from(&first, 1, combined, NULL, NULL));
    case 3:
      return belay_signal_chain(belay_signal_merge(both, 2),
                                belay_op_scan(belay_int32(0), stepped, NULL, NULL));
    case 4:
      return belay_signal_chain(belay_signal_merge(both, 2),
                                belay_op_flat_map(BELAY_UNLIMITED, mapped, NULL, NULL));
    case 5:
      return belay_signal_chain(
          first, belay_op_take_until_replacement(belay_signal_chain(
                     second, belay_op_flat_map(BELAY_UNLIMITED, mapped, NULL, NULL))));
    case 6:
      return belay_signal_chain(first, belay_op_sample(second), belay_op_count(),
                                belay_op_flat_map(BELAY_UNLIMITED, mapped, NULL, NULL));
    case 7: return belay_signal_chain(first, belay_op_take_until(second), belay_op_do(&beside));
    case 8: return belay_signal_chain(first, belay_op_skip_until(second), belay_op_do(&beside));
    case 9:
      return belay_signal_chain(belay_signal_merge_delay_error(both, 2), belay_op_do(&beside));
    default: {
      belay_value values[2] = {belay_value_from_signal(first), belay_value_from_signal(second)};
      belay_signal_release(first), belay_signal_release(second);
      return belay_signal_chain(belay_signal_from(values, 2), belay_op_merge_all(BELAY_UNLIMITED),
                                belay_op_do(&beside));
    }
  }
}

static belay_signal *latest_of_both;
static belay_signal *chosen(void *ctx, belay_value value) {
  belay_signal *signal = latest_of_both;
  latest_of_both = NULL;
  return signal ? signal : belay_signal_never();
}

static void inputs_that_are_left_hear_nothing_of_each_others_teardown(void) {
  for (int way = 0; way < 2 * LEFT; way++) {
    belay_subscriber *kept = NULL;
    int kind = way / 2;
    other_fails = way % 2;
    other = belay_subject_create(NULL);
    belay_signal *choice = belay_subject_create(NULL);
    latest_of_both = of_both(kind, &kept);
    belay_disposable *all = watched(belay_signal_chain(belay_signal_retain(choice),
                                                       belay_op_switch_map(chosen, NULL, NULL)),
                                    "");
    CHECK_INT(belay_subject_next(choice, belay_null()), 0);
    CHECK(kept != NULL);
    trace_clear();
    /* The operator leaves its first inner signal, and the teardown of that one's first input sends
       into its second input. */
    CHECK_INT(belay_subject_next(choice, belay_null()), 0);
    CHECK_TRACE("");
    end_subscription(all);
    CHECK_TRACE("disposed | free");
    belay_subscriber_release(kept);
    belay_signal_release(choice);
    belay_signal_release(other);
  }
}

/* The delay of a completion begins after the source has been left. */
static void dispose_subscription(void *ctx) {
  (void)ctx;
  belay_disposable_dispose(subscription);
}
static void a_delay_that_its_sources_teardown_ends_waits_for_nothing(void) {
  belay_loop *loop = open_loop();
  belay_signal *source = belay_subject_create(NULL);
  subscription = watched(
      belay_signal_chain(belay_signal_retain(source),
                         belay_op_finally(dispose_subscription, NULL, NULL),
                         belay_op_delay(belay_loop_get_scheduler(loop), 1000)),
      "");
  CHECK_INT(belay_subject_completed(source), 0);
  CHECK_TRACE("disposed | free");
  belay_disposable_release(subscription);
  belay_signal_release(source);
  close_loop(loop); /* the loop has no timer left */
}

/* ---- an operator's own callback ends the subscription ---- */
/* The callback disposes in its first, second or third call. By then the operator holds its argument
   and what came before. */
static int calls_left, answer;
static void dispose_in_time(void) {
  if (--calls_left == 0) belay_disposable_dispose(subscription);
}
static int doomed_predicate(void *ctx, belay_value value) {
  dispose_in_time();
  return answer;
}
static int doomed_comparison(void *ctx, belay_value a, belay_value b) {
  dispose_in_time();
  return answer;
}
static belay_value doomed_map(void *ctx, belay_value value) {
  dispose_in_time();
  return answer ? belay_value_retain(value) : belay_string("a value that the callback makes");
}
static belay_value doomed_step(void *ctx, belay_value before, belay_value value) {
  dispose_in_time();
  return belay_value_retain(answer ? before : value);
}
static belay_signal *doomed_flat(void *ctx, belay_value value) {
  dispose_in_time();
  return answer ? belay_signal_never() : belay_signal_just(belay_value_retain(value));
}
enum { DOOMED_OPS = 27 };
static belay_op *doomed_op(int kind) {
  belay_value seed = kind == 16 || kind == 17 ? belay_string("a seed in a box") : belay_null();
  switch (kind) {
    case 0: return belay_op_distinct_until_changed(doomed_comparison, NULL, NULL);
    case 1: return belay_op_distinct(doomed_map, NULL, NULL);
    case 2: return belay_op_group_by(doomed_map, NULL, NULL);
    case 3: return belay_op_take_while(doomed_predicate, NULL, NULL, 1);
    case 4: return belay_op_skip_while(doomed_predicate, NULL, NULL);
    case 5: return belay_op_filter(doomed_predicate, NULL, NULL);
    case 6: return belay_op_map(doomed_map, NULL, NULL);
    case 7: return belay_op_compact_map(doomed_map, NULL, NULL);
    case 8: return belay_op_any(doomed_predicate, NULL, NULL);
    case 9: return belay_op_all(doomed_predicate, NULL, NULL);
    case 10: return belay_op_find(doomed_predicate, NULL, NULL);
    case 11: return belay_op_first(doomed_predicate, NULL, NULL);
    case 12: return belay_op_last(doomed_predicate, NULL, NULL);
    case 13: return belay_op_single(doomed_predicate, NULL, NULL);
    case 14: return belay_op_min(doomed_comparison, NULL, NULL);
    case 15: return belay_op_max(doomed_comparison, NULL, NULL);
    case 16: return belay_op_scan(seed, doomed_step, NULL, NULL);
    case 17: return belay_op_reduce(seed, doomed_step, NULL, NULL);
    case 18: return belay_op_flat_map(BELAY_UNLIMITED, doomed_flat, NULL, NULL);
    case 19: return belay_op_concat_map(doomed_flat, NULL, NULL);
    case 20: return belay_op_switch_map(doomed_flat, NULL, NULL);
    case 21: return belay_op_debounce_when(doomed_flat, NULL, NULL);
    case 22: return belay_op_throttle_when(doomed_flat, NULL, NULL, 1, 1);
    case 23: return belay_op_audit_when(doomed_flat, NULL, NULL);
    case 24: return belay_op_timeout_when(NULL, NULL, doomed_flat, NULL, NULL);
    case 25: return belay_op_delay_when(doomed_flat, NULL, NULL);
    default: return belay_op_expand(BELAY_UNLIMITED, doomed_flat, NULL, NULL);
  }
}
static void next_of_doomed(void *ctx, belay_value value) { note_call(); }
static void what_a_callback_that_ends_the_subscription_was_given_is_released(void) {
  for (int kind = 0; kind < DOOMED_OPS; kind++)
    for (int which = 0; which < 6; which++) {
      belay_signal *subject = belay_subject_create(NULL);
      belay_signal *signal = belay_signal_chain(belay_signal_retain(subject), doomed_op(kind));
      belay_observer observer = {.size = sizeof observer, .next = next_of_doomed};
      CHECK_INT(belay_signal_subscribe(signal, &observer, &subscription), 0);
      calls_left = 1 + which / 2;
      answer = which % 2;
      for (int i = 0; i < 4; i++)
        CHECK_INT(belay_subject_next(subject, belay_string("a value that is in a box")), 0);
      belay_subject_completed(subject);
      belay_disposable_dispose(subscription);
      belay_disposable_release(subscription);
      belay_signal_release(signal);
      belay_signal_release(subject);
      if (belay_live_count(BELAY_LIVE_VALUES) != 0)
        check_failed(__FILE__, __LINE__, "operator %d, %d: a value is left", kind, which);
    }
}

/* ---- a value comes inside the answer ---- */
static int answers, completions;
static void answer_and_send(void *subject, belay_value value) {
  if (++answers < 3) belay_subject_next(subject, belay_int32(1));
}
static void count_completion(void *ctx) { completions++; }
static void what_answers_once_does_so_also_when_a_value_comes_inside(void) {
  for (int kind = 0; kind < 8; kind++) {
    belay_source_options options = {.size = sizeof options,
                                    .reentrancy = BELAY_REENTRANCY_DEPTH_FIRST};
    belay_signal *subject = belay_subject_create(&options);
    belay_op *op = kind == 0   ? belay_op_any(answer_yes, NULL, NULL)
                   : kind == 1 ? belay_op_all(answer_no, NULL, NULL)
                   : kind == 2 ? belay_op_contains(belay_int32(1))
                   : kind == 3 ? belay_op_is_empty()
                   : kind == 4 ? belay_op_first(NULL, NULL, NULL)
                   : kind == 5 ? belay_op_find(answer_yes, NULL, NULL)
                   : kind == 6 ? belay_op_element_at(0)
                               : belay_op_take(1);
    belay_signal *signal = belay_signal_chain(belay_signal_retain(subject), op);
    belay_observer observer = {.size = sizeof observer,
                               .next = answer_and_send,
                               .completed = count_completion,
                               .ctx = subject};
    answers = completions = 0;
    CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
    belay_subject_next(subject, belay_int32(1));
    CHECK_INT(answers, 1);
    CHECK_INT(completions, 1);
    belay_last_error();
    belay_signal_release(signal);
    belay_signal_release(subject);
  }
}

/* ---- the end that comes while it is being started ---- */
static int in_callback, frees;
static void send_from_error(void *ctx, const belay_error *error) {
  in_callback++;
  belay_subject_next(ctx, belay_int32(1));
  in_callback--;
}
static void note_free(void *ctx) {
  CHECK_INT(in_callback, 0);
  frees++;
}
static void what_ends_while_it_starts_is_freed_after_its_last_callback(void) {
  belay_loop *closed = belay_loop_create(NULL);
  belay_scheduler *never = belay_scheduler_retain(belay_loop_get_scheduler(closed));
  CHECK_INT(belay_loop_close(closed, NULL, NULL, NULL), 0);
  belay_loop *loop = belay_loop_create(NULL);
  belay_signal *subject = belay_subject_create(NULL);
  belay_signal *signal =
      belay_signal_chain(belay_signal_retain(subject), belay_op_timeout(never, 1, NULL));
  belay_observer observer = {
      .size = sizeof observer, .error = send_from_error, .ctx = subject, .ctx_free = note_free};
  frees = 0;
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  CHECK_INT(frees, 1);
  belay_last_error();
  belay_signal_release(signal);
  belay_signal_release(subject);
  CHECK_INT(belay_loop_close(loop, NULL, NULL, NULL), 0);
  belay_loop_release(loop);
  belay_scheduler_release(never);
  belay_loop_release(closed);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      CASE(nothing_is_sent_after_what_is_below_has_ended),
      CASE(inputs_that_are_left_hear_nothing_of_each_others_teardown),
      CASE(a_delay_that_its_sources_teardown_ends_waits_for_nothing),
      CASE(what_a_callback_that_ends_the_subscription_was_given_is_released),
      CASE(what_answers_once_does_so_also_when_a_value_comes_inside),
      CASE(what_ends_while_it_starts_is_freed_after_its_last_callback),
  };
  return RUN_CASES(cases);
}
