/* Signals that are combined by their values: callbacks that fail, values of the wrong kind,
   arguments that are missing. */
#include "texts.h"

static belay_value fail_by_call(void *ctx, const belay_value *values, size_t count) {
  belay_fail(BELAY_ERANGE, "out of range");
  return belay_value_failure(BELAY_ERANGE, "out of range");
}

static int no_answer(void *ctx, belay_value one, belay_value two) {
  return belay_fail(BELAY_ERANGE, "out of range");
}

static void a_callback_that_fails(void) {
  belay_signal *pair[] = {numbers(1, 1), numbers(2, 2)};
  watch_errors(belay_signal_combine_latest(pair, 2, fail_by_call, NULL, NULL));
  CHECK_TRACE("error ERANGE: out of range | disposed | free");
  belay_signal *zipped[] = {numbers(1, 1), numbers(2, 2)};
  watch_errors(belay_signal_zip(zipped, 2, fail_by_call, NULL, NULL));
  CHECK_TRACE("error ERANGE: out of range | disposed | free");
  belay_signal *latest[] = {numbers(1, 1)};
  watch_errors(belay_signal_chain(
      numbers(2, 2), belay_op_with_latest_from(latest, 1, fail_by_call, NULL, NULL)));
  CHECK_TRACE("error ERANGE: out of range | disposed | free");
  watch_errors(belay_signal_chain(
      numbers(1, 2), belay_op_sequence_equal(numbers(1, 2), no_answer, NULL, NULL)));
  CHECK_TRACE("error ERANGE: out of range | disposed | free");
  watch_errors(belay_signal_chain(belay_signal_just(belay_array_of(NULL, 0)),
                                  belay_op_reduce_each(fail_by_call, NULL, NULL)));
  CHECK_TRACE("error ERANGE: out of range | disposed | free");
}

static void values_of_the_wrong_kind(void) {
  belay_signal *pair[] = {belay_signal_just(belay_bool(1)), numbers(2, 1)};
  watch(belay_signal_and(pair, 2), "and");
  CHECK_TRACE("and error EKIND | and disposed | and free");
  belay_signal *second[] = {belay_signal_just(belay_bool(1)), numbers(2, 1)};
  watch(belay_signal_or(second, 2), "or");
  CHECK_TRACE("or error EKIND | or disposed | or free");
  watch(belay_signal_chain(numbers(1, 1), belay_op_not()), "not");
  CHECK_TRACE("not error EKIND | not disposed | not free");
  watch(belay_signal_chain(numbers(1, 1), belay_op_reduce_each(joined_texts, NULL, NULL)), "each");
  CHECK_TRACE("each error EKIND | each disposed | each free");
  watch(belay_signal_if_then_else(numbers(1, 1), numbers(1, 1), numbers(1, 1)), "if");
  CHECK_TRACE("if error EKIND | if disposed | if free");
}

#define CHECK_INVALID(made)                                    \
  do {                                                         \
    CHECK((made) == NULL);                                     \
    CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL); \
  } while (0)

static void missing_arguments(void) {
  int freed = 0;
  belay_signal *hole[] = {numbers(1, 1), NULL};
  CHECK_INVALID(belay_signal_combine_latest(hole, 2, joined_texts, &freed, count_free));
  CHECK_INVALID(belay_signal_combine_latest(NULL, 2, joined_texts, &freed, count_free));
  CHECK_INVALID(belay_signal_zip(NULL, SIZE_MAX, joined_texts, &freed, count_free));
  CHECK_INVALID(belay_op_with_latest_from(NULL, 1, joined_texts, &freed, count_free));
  CHECK_INVALID(belay_op_reduce_each(NULL, &freed, count_free));
  CHECK_INVALID(belay_op_sequence_equal(NULL, NULL, &freed, count_free));
  CHECK_INT(freed, 6);
  CHECK_INVALID(belay_signal_race(NULL, 1));
  CHECK_INVALID(belay_signal_and(NULL, 1));
  CHECK_INVALID(belay_signal_or(NULL, 1));
  CHECK_INVALID(belay_op_end_with(NULL, 1));
  CHECK_INVALID(belay_signal_if_then_else(numbers(1, 1), NULL, numbers(1, 1)));
  belay_value key = belay_string("key");
  belay_signal *none[] = {NULL};
  CHECK_INVALID(belay_signal_switch_on(numbers(1, 1), &key, none, 1, numbers(1, 1)));
  CHECK_INVALID(belay_signal_switch_on(NULL, NULL, NULL, 0, NULL));
}

static const test_case cases[] = {
    CASE(a_callback_that_fails),
    CASE(values_of_the_wrong_kind),
    CASE(missing_arguments),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
