/* Operators that choose among values, and aggregates. */
#include "marbles.h"

static int odd(void *ctx, belay_value v) {
  return marble_fails(v) ? MARBLE_FAILURE : int_of(v) & 1;
}
static int small(void *ctx, belay_value v) {
  return marble_fails(v) ? MARBLE_FAILURE : int_of(v) < 4;
}
static belay_value parity(void *ctx, belay_value v) {
  return marble_fails(v) ? MARBLE_FAILURE_VALUE : belay_int32(int_of(v) & 1);
}
static int larger(void *ctx, belay_value a, belay_value b) {
  return marble_fails(a) || marble_fails(b) ? MARBLE_FAILURE : int_of(a) > int_of(b);
}

/* The aggregates' numbers as what a digit is in a case. */
static belay_value plain(void *ctx, belay_value v) {
  int64_t number = 0;
  double real = 0;
  if (belay_value_get_int64(v, &number) == 0) return belay_int32((int32_t)number);
  if (belay_value_get_double(v, &real) == 0) return belay_int32((int32_t)real);
  return belay_value_retain(v);
}

#define NUMBER(run) (marble_count(run, 1))
#define SECONDS(run) ((double)marble_number(run, 1) / 1000)
#define APPLYING(name, ...)                                     \
  static belay_signal *name(const marble_run *run) {            \
    return belay_signal_chain(marble_input(run, 0), __VA_ARGS__); \
  }

APPLYING(skip, belay_op_skip(NUMBER(run)))
APPLYING(take_last, belay_op_take_last(NUMBER(run)))
APPLYING(skip_last, belay_op_skip_last(NUMBER(run)))
APPLYING(take_while_small, belay_op_take_while(small, 0, NULL, NULL))
APPLYING(take_while_small_inclusive, belay_op_take_while(small, 1, NULL, NULL))
APPLYING(skip_while_small, belay_op_skip_while(small, NULL, NULL))
APPLYING(skip_until, belay_op_skip_until(marble_input(run, 1)))
APPLYING(take_until_replacement, belay_op_take_until_replacement(marble_input(run, 1)))
APPLYING(take_for, belay_op_take_for(marble_scheduler(run), SECONDS(run)))
APPLYING(skip_for, belay_op_skip_for(marble_scheduler(run), SECONDS(run)))
APPLYING(element_at, belay_op_element_at(NUMBER(run)))
APPLYING(element_at_or_9, belay_op_element_at_or(NUMBER(run), belay_int32(9)))
APPLYING(first, belay_op_first(NULL, NULL, NULL))
APPLYING(first_odd, belay_op_first(odd, NULL, NULL))
APPLYING(last, belay_op_last(NULL, NULL, NULL))
APPLYING(last_odd, belay_op_last(odd, NULL, NULL))
APPLYING(single, belay_op_single(NULL, NULL, NULL))
APPLYING(single_odd, belay_op_single(odd, NULL, NULL))
APPLYING(find_odd, belay_op_find(odd, NULL, NULL))
APPLYING(ignore_elements, belay_op_ignore_elements())
APPLYING(ignore_2, belay_op_ignore(belay_int32(2)))
APPLYING(distinct, belay_op_distinct(NULL, NULL, NULL))
APPLYING(distinct_parity, belay_op_distinct(parity, NULL, NULL))
APPLYING(default_if_empty_9, belay_op_default_if_empty(belay_int32(9)))
APPLYING(switch_if_empty, belay_op_switch_if_empty(marble_input(run, 1)))
APPLYING(contains_2, belay_op_contains(belay_int32(2)))
APPLYING(any_odd, belay_op_any(odd, NULL, NULL))
APPLYING(all_odd, belay_op_all(odd, NULL, NULL))
APPLYING(is_empty, belay_op_is_empty())
APPLYING(count, belay_op_count(), belay_op_map(plain, NULL, NULL))
APPLYING(min, belay_op_min(NULL, NULL, NULL))
APPLYING(min_backwards, belay_op_min(larger, NULL, NULL))
APPLYING(max, belay_op_max(NULL, NULL, NULL))
APPLYING(max_backwards, belay_op_max(larger, NULL, NULL))
APPLYING(sum, belay_op_sum(), belay_op_map(plain, NULL, NULL))
APPLYING(average, belay_op_average(), belay_op_map(plain, NULL, NULL))

static belay_signal *partition_odd(const marble_run *run) {
  belay_signal *yes = NULL;
  CHECK_INT(belay_signal_partition(marble_input(run, 0), odd, NULL, NULL, &yes, NULL), 0);
  return yes;
}
static belay_signal *partition_not_odd(const marble_run *run) {
  belay_signal *no = NULL;
  CHECK_INT(belay_signal_partition(marble_input(run, 0), odd, NULL, NULL, NULL, &no), 0);
  return no;
}

#define NAMED(operation) {#operation, operation}
const marble_operation filtering_operations[] = {NAMED(skip),
                                                 NAMED(take_last),
                                                 NAMED(skip_last),
                                                 NAMED(take_while_small),
                                                 NAMED(take_while_small_inclusive),
                                                 NAMED(skip_while_small),
                                                 NAMED(skip_until),
                                                 NAMED(take_until_replacement),
                                                 NAMED(take_for),
                                                 NAMED(skip_for),
                                                 NAMED(element_at),
                                                 NAMED(element_at_or_9),
                                                 NAMED(first),
                                                 NAMED(first_odd),
                                                 NAMED(last),
                                                 NAMED(last_odd),
                                                 NAMED(single),
                                                 NAMED(single_odd),
                                                 NAMED(find_odd),
                                                 NAMED(ignore_elements),
                                                 NAMED(ignore_2),
                                                 NAMED(distinct),
                                                 NAMED(distinct_parity),
                                                 NAMED(default_if_empty_9),
                                                 NAMED(switch_if_empty),
                                                 NAMED(contains_2),
                                                 NAMED(any_odd),
                                                 NAMED(all_odd),
                                                 NAMED(is_empty),
                                                 NAMED(count),
                                                 NAMED(min),
                                                 NAMED(min_backwards),
                                                 NAMED(max),
                                                 NAMED(max_backwards),
                                                 NAMED(sum),
                                                 NAMED(average),
                                                 NAMED(partition_odd),
                                                 NAMED(partition_not_odd),
                                                 {0}};
