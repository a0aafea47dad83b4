/* Filtering and aggregates: what marbles do not show. Memory, sends from inside, sources that send
   while they are subscribed to, bad arguments, interruption. */
#include "texts.h"
#include "worker.h"

static int less(void *ctx, belay_value a, belay_value b) { return int_of(a) < int_of(b); }

static void sees(belay_op *op, const char *expected) {
  watch(belay_signal_chain(letters(4), op), "");
  CHECK_TRACE(expected);
}

static void strings_are_kept_and_given_back(void) {
  sees(belay_op_skip(2), "next c | next d | completed | disposed | free");
  sees(belay_op_take_last(2), "next c | next d | completed | disposed | free");
  sees(belay_op_take_last(UINT64_MAX),
       "next a | next b | next c | next d | completed | disposed | free");
  sees(belay_op_skip_last(3), "next a | completed | disposed | free");
  sees(belay_op_take_while(answer_no, NULL, NULL, 1), "next a | completed | disposed | free");
  sees(belay_op_element_at_or(1, belay_string("no")), "next b | completed | disposed | free");
  sees(belay_op_element_at_or(9, belay_string("no")), "next no | completed | disposed | free");
  sees(belay_op_last(NULL, NULL, NULL), "next d | completed | disposed | free");
  sees(belay_op_single(NULL, NULL, NULL), "error ERANGE | disposed | free");
  sees(belay_op_single(answer_no, NULL, NULL), "error ENOENT | disposed | free");
  sees(belay_op_element_at(4), "error ERANGE | disposed | free");
  sees(belay_op_ignore(belay_string("b")),
       "next a | next c | next d | completed | disposed | free");
  sees(belay_op_min(NULL, NULL, NULL), "next a | completed | disposed | free");
  sees(belay_op_max(NULL, NULL, NULL), "next d | completed | disposed | free");
  sees(belay_op_contains(belay_string("b")), "next bool | completed | disposed | free");
  watch(belay_signal_chain(belay_signal_empty(), belay_op_default_if_empty(belay_string("x"))), "");
  CHECK_TRACE("next x | completed | disposed | free");
  watch(belay_signal_chain(belay_signal_empty(), belay_op_switch_if_empty(letters(1))), "");
  CHECK_TRACE("next a | completed | disposed | free");
  watch(belay_signal_chain(letters(1), belay_op_switch_if_empty(letters(2))), "");
  CHECK_TRACE("next a | completed | disposed | free");
}

static void triggers_that_send_at_once(void) {
  sees(belay_op_skip_until(letters(1)),
       "next a | next b | next c | next d | completed | disposed | free");
  sees(belay_op_skip_until(belay_signal_empty()), "completed | disposed | free");
  watch(belay_signal_chain(letters(4), belay_op_take_until_replacement(numbers(1, 2))), "");
  CHECK_TRACE("next 1 | next 2 | completed | disposed | free");
  belay_signal *subject = belay_subject_create(NULL);
  watch(belay_signal_chain(letters(1), belay_op_take_until_replacement(
                                           belay_signal_retain(subject))), "");
  CHECK_TRACE("next a");
  CHECK_INT(belay_subject_next(subject, belay_string("late")), 0);
  CHECK_INT(belay_subject_completed(subject), 0);
  CHECK_TRACE("next late | completed | disposed | free");
  belay_signal_release(subject);
}

/* What an operator holds is released when its subscription is disposed or interrupted. */
static void held_values_are_let_go_of(void) {
  for (int way = 0; way < 2; way++)
    for (int i = 0; i < 6; i++) {
      belay_op *ops[] = {belay_op_take_last(2),           belay_op_skip_last(2),
                         belay_op_last(NULL, NULL, NULL), belay_op_single(NULL, NULL, NULL),
                         belay_op_min(NULL, NULL, NULL),  belay_op_distinct(NULL, NULL, NULL)};
      belay_signal *subject = belay_subject_create(NULL);
      belay_disposable *subscription =
          watched(belay_signal_chain(belay_signal_retain(subject), ops[i]), "");
      for (int other = 0; other < 6; other++)
        if (other != i) belay_op_release(ops[other]);
      belay_subject_next(subject, belay_string("kept"));
      trace_clear();
      if (way == 0) belay_disposable_dispose(subscription);
      belay_signal_release(subject);
      CHECK_TRACE("disposed | free");
      belay_disposable_release(subscription);
    }
}

static belay_op *linear(int number) {
  switch (number) {
    case 0: return belay_op_skip(1);
    case 1: return belay_op_take_last(1);
    case 2: return belay_op_skip_last(1);
    case 3: return belay_op_take_while(answer_yes, NULL, NULL, 0);
    case 4: return belay_op_skip_while(answer_no, NULL, NULL);
    case 5: return belay_op_skip_until(belay_signal_never());
    case 6: return belay_op_element_at(9);
    case 7: return belay_op_element_at_or(9, belay_string("x"));
    case 8: return belay_op_first(answer_no, NULL, NULL);
    case 9: return belay_op_last(NULL, NULL, NULL);
    case 10: return belay_op_single(NULL, NULL, NULL);
    case 11: return belay_op_find(answer_no, NULL, NULL);
    case 12: return belay_op_ignore_elements();
    case 13: return belay_op_ignore(belay_string("x"));
    case 14: return belay_op_distinct(NULL, NULL, NULL);
    case 15: return belay_op_default_if_empty(belay_string("x"));
    case 16: return belay_op_contains(belay_string("x"));
    case 17: return belay_op_any(answer_no, NULL, NULL);
    case 18: return belay_op_all(answer_yes, NULL, NULL);
    case 19: return belay_op_is_empty();
    case 20: return belay_op_count();
    case 21: return belay_op_min(NULL, NULL, NULL);
    case 22: return belay_op_max(NULL, NULL, NULL);
    case 23: return belay_op_sum();
    case 24: return belay_op_average();
    default: return NULL;
  }
}

static void rule_1_1_linear_ones_pass_an_interruption_on(void) {
  belay_op *op;
  for (int i = 0; (op = linear(i)) != NULL; i++) {
    belay_signal *subject = belay_subject_create(NULL);
    watch(belay_signal_chain(belay_signal_retain(subject), op), "");
    CHECK_TRACE("");
    belay_signal_release(subject);
    CHECK_TRACE("disposed | free");
  }
}

static void interruption_of_joins(void) {
  belay_signal *source = belay_subject_create(NULL), *trigger = belay_subject_create(NULL);
  watch(belay_signal_chain(belay_signal_retain(source), belay_op_skip_until(trigger)), "");
  CHECK_TRACE("disposed | free"); /* the gate could never open */
  trigger = belay_subject_create(NULL);
  watch(belay_signal_chain(belay_signal_retain(source),
                           belay_op_take_until_replacement(trigger)), "");
  belay_subject_next(source, belay_int32(1));
  CHECK_TRACE("next 1");
  belay_signal_release(source);
  CHECK_TRACE("disposed | free");
  source = belay_subject_create(NULL);
  trigger = belay_subject_create(NULL);
  watch(belay_signal_chain(source, belay_op_take_until_replacement(belay_signal_retain(trigger))),
        "");
  belay_subject_next(trigger, belay_int32(2));
  CHECK_TRACE("next 2");
  belay_signal_release(trigger);
  CHECK_TRACE("disposed | free");
  watch(belay_signal_chain(belay_subject_create(NULL),
                           belay_op_switch_if_empty(numbers(1, 1))), "");
  CHECK_TRACE("disposed | free");
}

/* ---- sends from inside ---- */
static belay_signal *looping;
static void send_again(void *ctx, belay_value value) {
  render_next(ctx, value);
  if (int_of(value) < 9) belay_subject_next(looping, belay_int32(int_of(value) + 2));
}

static void once_is_once_depth_first(void) {
  belay_op *ops[] = {belay_op_first(NULL, NULL, NULL), belay_op_find(is_odd, NULL, NULL),
                     belay_op_element_at(0), belay_op_take_while(answer_no, NULL, NULL, 1)};
  belay_source_options options = {.size = sizeof options,
                                  .reentrancy = BELAY_REENTRANCY_DEPTH_FIRST};
  for (int i = 0; i < 4; i++) {
    belay_observer observer = tracing("");
    observer.next = send_again;
    looping = belay_subject_create(&options);
    belay_signal *signal = belay_signal_chain(belay_signal_retain(looping), ops[i]);
    CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
    belay_signal_release(signal);
    CHECK_INT(belay_subject_next(looping, belay_int32(1)), 0);
    CHECK_TRACE("next 1 | completed | disposed | free");
    belay_signal_release(looping);
  }
}

/* A callback disposes of its own subscription: nothing comes after that, and nothing is lost. */
static belay_disposable *own;
static int dispose_own(void *ctx, belay_value value) {
  belay_disposable_dispose(own);
  return 1;
}
static belay_value key_disposing_own(void *ctx, belay_value value) {
  belay_disposable_dispose(own);
  return belay_string("key");
}
static int compare_disposing_own(void *ctx, belay_value a, belay_value b) {
  belay_disposable_dispose(own);
  return 1;
}

static void callbacks_that_dispose(void) {
  for (int i = 0; i < 9; i++) {
    belay_op *ops[] = {belay_op_first(dispose_own, NULL, NULL),
                       belay_op_last(dispose_own, NULL, NULL),
                       belay_op_single(dispose_own, NULL, NULL),
                       belay_op_take_while(dispose_own, NULL, NULL, 0),
                       belay_op_skip_while(dispose_own, NULL, NULL),
                       belay_op_any(dispose_own, NULL, NULL),
                       belay_op_all(dispose_own, NULL, NULL),
                       belay_op_distinct(key_disposing_own, NULL, NULL),
                       belay_op_max(compare_disposing_own, NULL, NULL)};
    belay_signal *subject = belay_subject_create(NULL);
    own = watched(belay_signal_chain(belay_signal_retain(subject), ops[i]), "");
    for (int other = 0; other < 9; other++)
      if (other != i) belay_op_release(ops[other]);
    belay_subject_next(subject, belay_string("one"));
    belay_subject_next(subject, belay_string("two"));
    CHECK_TRACE("disposed | free");
    belay_disposable_release(own);
    belay_signal_release(subject);
  }
}

static belay_value same_disposing_own(void *ctx, belay_value value) {
  belay_disposable_dispose(own);
  return belay_value_retain(value);
}

static int never_called(void *ctx, belay_value value) {
  trace("called");
  return 1;
}

/* The value does not reach a stage that would keep it, or another callback. */
static void a_callback_that_disposes_above_a_buffer(void) {
  for (int i = 0; i < 4; i++) {
    belay_signal *subject = belay_subject_create(NULL);
    belay_op *above = i % 2 == 0 ? belay_op_filter(dispose_own, NULL, NULL)
                                 : belay_op_map(same_disposing_own, NULL, NULL);
    belay_op *below = i < 2 ? belay_op_buffer(3) : belay_op_filter(never_called, NULL, NULL);
    own = watched(belay_signal_chain(belay_signal_retain(subject), above, below), "");
    belay_subject_next(subject, belay_string("one"));
    CHECK_TRACE("disposed | free");
    belay_disposable_release(own);
    belay_signal_release(subject);
  }
}

static void dispose_at_c(void *ctx, belay_value value) {
  render_next(ctx, value);
  belay_view view = {"", 0};
  if (belay_value_get_string(value, &view) == 0 && view.data[0] == 'c')
    belay_disposable_dispose(own);
}

static void take_last_stops_when_disposed(void) {
  belay_observer observer = rendering("");
  observer.next = dispose_at_c;
  belay_signal *subject = belay_subject_create(NULL);
  belay_signal *signal = belay_signal_chain(belay_signal_retain(subject), belay_op_take_last(3));
  CHECK_INT(belay_signal_subscribe(signal, &observer, &own), 0);
  belay_signal_release(signal);
  for (char letter = 'a'; letter < 'f'; letter++)
    belay_subject_next(subject, belay_string((char[]){letter, 0}));
  belay_subject_completed(subject);
  CHECK_TRACE("next c | disposed | free");
  belay_disposable_release(own);
  belay_signal_release(subject);
}

/* ---- numbers ---- */
static void check_number(void *ctx, belay_value value) {
  double number = -1;
  trace("%s", belay_kind_name(belay_value_kind(value)));
  if (belay_value_get_double(value, &number) == 0) trace("%.17g", number);
  else render_next("", value);
}

static void numbers_of(belay_value a, belay_value b, belay_op *op, const char *expected) {
  belay_observer observer = tracing("");
  observer.next = check_number;
  observer.disposed = NULL;
  observer.ctx_free = NULL;
  belay_signal *signal = belay_signal_chain(belay_signal_from((belay_value[]){a, b}, 2), op);
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  belay_signal_release(signal);
  CHECK_TRACE(expected);
}

static void sums_of_kinds(void) {
  numbers_of(belay_int8(-3), belay_uint8(5), belay_op_sum(), "int64 | 2 | completed");
  numbers_of(belay_uint8(3), belay_uint64(5), belay_op_sum(), "uint64 | 8 | completed");
  numbers_of(belay_float(0.5f), belay_int32(2), belay_op_sum(), "double | 2.5 | completed");
  numbers_of(belay_int64(INT64_MAX), belay_int32(1), belay_op_sum(), "error ERANGE");
  numbers_of(belay_int64(INT64_MIN), belay_int32(-1), belay_op_sum(), "error ERANGE");
  numbers_of(belay_uint64(UINT64_MAX), belay_uint8(1), belay_op_sum(), "error ERANGE");
  numbers_of(belay_uint64(UINT64_MAX), belay_int8(0), belay_op_sum(), "error ERANGE");
  /* The sum counts, not whether each of them fits. */
  belay_value half = belay_uint64(UINT64_C(1) << 63);
  numbers_of(belay_int64(INT64_MIN), half, belay_op_sum(), "int64 | 0 | completed");
  numbers_of(half, belay_int64(INT64_MIN), belay_op_sum(), "int64 | 0 | completed");
  numbers_of(half, belay_int8(-1), belay_op_sum(), "int64 | next 9223372036854775807 | completed");
  numbers_of(half, belay_int8(0), belay_op_sum(), "error ERANGE");
  numbers_of(belay_uint64(UINT64_MAX), belay_int64(INT64_MIN), belay_op_sum(),
             "int64 | next 9223372036854775807 | completed");
  numbers_of(belay_bool(1), belay_int32(1), belay_op_sum(), "error EKIND");
  numbers_of(belay_int32(1), belay_uint8(2), belay_op_average(), "double | 1.5 | completed");
  numbers_of(belay_int32(1), belay_null(), belay_op_average(), "error EKIND");
}

static void orders_of_kinds(void) {
  numbers_of(belay_int32(-1), belay_uint64(1), belay_op_min(NULL, NULL, NULL),
             "int32 | -1 | completed");
  numbers_of(belay_uint64(1), belay_int32(-1), belay_op_min(NULL, NULL, NULL),
             "int32 | -1 | completed");
  numbers_of(belay_uint64(1), belay_int32(-1), belay_op_max(NULL, NULL, NULL),
             "uint64 | 1 | completed");
  /* As doubles they would be equal. */
  numbers_of(belay_int64(INT64_MAX), belay_uint64((uint64_t)INT64_MAX + 1),
             belay_op_max(NULL, NULL, NULL), "uint64 | 9.2233720368547758e+18 | completed");
  numbers_of(belay_double(0.5), belay_int32(0), belay_op_max(NULL, NULL, NULL),
             "double | 0.5 | completed");
  numbers_of(belay_int32(4), belay_int64(4), belay_op_min(NULL, NULL, NULL),
             "int32 | 4 | completed"); /* the first of two equal ones */
  numbers_of(belay_int32(4), belay_string("4"), belay_op_max(NULL, NULL, NULL), "error EKIND");
  numbers_of(belay_int32(4), belay_int32(5), belay_op_max(less, NULL, NULL),
             "int32 | 5 | completed");
}

static void distinct_agrees_with_equal(void) {
  belay_value values[] = {belay_double(0.0),    belay_double(-0.0), belay_int32(0),
                          belay_string("x"),    belay_bytes("x", 1), belay_string("x"),
                          belay_pointer(&own),  belay_pointer_owned(&own, NULL),
                          belay_value_failure(-5, "a"), belay_value_failure(-5, "b"),
                          belay_value_failure(-5, "a")};
  watch(belay_signal_chain(belay_signal_from(values, 11), belay_op_distinct(NULL, NULL, NULL)),
        "");
  CHECK_TRACE("next double | next 0 | next x | next bytes | next pointer | next failure | "
              "next failure | completed | disposed | free");
}

static void partition_gives_both(void) {
  int freed = 0;
  belay_signal *one = NULL, *other = NULL;
  CHECK_INT(belay_signal_partition(numbers(1, 4), is_odd, &freed, count_free, &one, &other), 0);
  watch(one, "one");
  CHECK_INT(freed, 0);
  watch(other, "two");
  CHECK_INT(freed, 1);
  CHECK_TRACE("one next 1 | one next 3 | one completed | one disposed | one free | two next 2 | "
              "two next 4 | two completed | two disposed | two free");
  CHECK_INT(belay_signal_partition(numbers(1, 1), is_odd, &freed, count_free, NULL, NULL),
            BELAY_EINVAL);
  CHECK_INT(freed, 2);
  CHECK_INT(belay_signal_partition(numbers(1, 2), is_odd, &freed, count_free, NULL, &other), 0);
  watch(other, "two");
  CHECK_INT(freed, 3);
  CHECK_TRACE("two next 2 | two completed | two disposed | two free");
  belay_last_error();
}

static void bad_arguments(void) {
  int freed = 0;
  belay_signal *one = (belay_signal *)&freed, *other = one;
  belay_scheduler *now = belay_scheduler_immediate();
  belay_op *ops[] = {belay_op_take_while(NULL, &freed, count_free, 0),
                     belay_op_skip_while(NULL, &freed, count_free),
                     belay_op_find(NULL, &freed, count_free),
                     belay_op_any(NULL, &freed, count_free),
                     belay_op_all(NULL, &freed, count_free),
                     belay_op_skip_until(NULL),
                     belay_op_take_until_replacement(NULL),
                     belay_op_switch_if_empty(NULL),
                     belay_op_take_for(NULL, 1),
                     belay_op_take_for(now, -1),
                     belay_op_skip_for(now, 0.0 / 0.0)};
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) CHECK(ops[i] == NULL);
  CHECK_INT(freed, 5);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
  CHECK_FAILS(belay_signal_partition(numbers(1, 1), NULL, &freed, count_free, &one, &other),
              BELAY_EINVAL);
  CHECK_INT(freed, 6);
  CHECK(one == NULL && other == NULL);
  CHECK_FAILS(belay_signal_partition(NULL, answer_yes, &freed, count_free, &one, &other),
              BELAY_EINVAL);
  CHECK_INT(freed, 7);
}

/* ---- time ---- */
static void a_scheduler_that_cannot_call_here(void) {
  worker elsewhere = {0}; /* and this thread has no loop */
  start_worker(&elsewhere);
  for (int i = 0; i < 2; i++) {
    belay_scheduler *there = belay_loop_get_scheduler(elsewhere.loop);
    belay_op *op = i == 0 ? belay_op_take_for(there, 1) : belay_op_skip_for(there, 1);
    belay_observer observer = tracing("");
    belay_signal *signal = belay_signal_chain(belay_signal_never(), op);
    CHECK_FAILS(belay_signal_subscribe(signal, &observer, NULL), BELAY_ENOHOME);
    belay_signal_release(signal);
    CHECK_TRACE("free");
  }
  stop_worker(&elsewhere);
}

/* ---- a million ---- */

static void a_million(void) {
  watch(belay_signal_chain(million_numbers(),
                           belay_op_distinct(NULL, NULL, NULL), belay_op_skip_last(5),
                           belay_op_skip(5), belay_op_count()), "");
  CHECK_TRACE("next 999990 | completed | disposed | free");
  watch(belay_signal_chain(million_numbers(),
                           belay_op_take_last(1000000), belay_op_sum()), "");
  CHECK_TRACE("next 499999500000 | completed | disposed | free");
}

static const test_case cases[] = {
    CASE(strings_are_kept_and_given_back),
    CASE(triggers_that_send_at_once),
    CASE(held_values_are_let_go_of),
    CASE(rule_1_1_linear_ones_pass_an_interruption_on),
    CASE(interruption_of_joins),
    CASE(once_is_once_depth_first),
    CASE(callbacks_that_dispose),
    CASE(a_callback_that_disposes_above_a_buffer),
    CASE(take_last_stops_when_disposed),
    CASE(sums_of_kinds),
    CASE(orders_of_kinds),
    CASE(distinct_agrees_with_equal),
    CASE(partition_gives_both),
    CASE(bad_arguments),
    CASE(a_scheduler_that_cannot_call_here),
    CASE(a_million),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
