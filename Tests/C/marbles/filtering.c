/* Operators that choose among values, and aggregates. */
#include "marbles.h"

static int small(void *ctx, belay_value v) {
  return marble_fails(v) ? MARBLE_FAILURE : int_of(v) < 4;
}
static int larger(void *ctx, belay_value a, belay_value b) {
  return marble_fails(a) || marble_fails(b) ? MARBLE_FAILURE : int_of(a) > int_of(b);
}

APPLYING(take_while_small, belay_op_take_while(small, NULL, NULL, 0))
APPLYING(take_while_small_inclusive, belay_op_take_while(small, NULL, NULL, 1))
APPLYING(skip_while_small, belay_op_skip_while(small, NULL, NULL))
APPLYING(element_at_or_9, belay_op_element_at_or(marble_count(run, 1), belay_int32(9)))
APPLYING(first, belay_op_first(NULL, NULL, NULL))
APPLYING(first_odd, belay_op_first(odd, NULL, NULL))
APPLYING(last, belay_op_last(NULL, NULL, NULL))
APPLYING(last_odd, belay_op_last(odd, NULL, NULL))
APPLYING(single, belay_op_single(NULL, NULL, NULL))
APPLYING(single_odd, belay_op_single(odd, NULL, NULL))
APPLYING(ignore_2, belay_op_ignore(belay_int32(2)))
APPLYING(distinct, belay_op_distinct(NULL, NULL, NULL))
APPLYING(distinct_parity, belay_op_distinct(parity, NULL, NULL))
APPLYING(contains_2, belay_op_contains(belay_int32(2)))
APPLYING(min, belay_op_min(NULL, NULL, NULL))
APPLYING(min_backwards, belay_op_min(larger, NULL, NULL))
APPLYING(max, belay_op_max(NULL, NULL, NULL))
APPLYING(max_backwards, belay_op_max(larger, NULL, NULL))
APPLYING(sum, belay_op_sum(), belay_op_map(plain_number, NULL, NULL))

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
const marble_operation filtering_operations[] = {
    NAMED(take_while_small),
    NAMED(take_while_small_inclusive),
    NAMED(skip_while_small),
    NAMED(element_at_or_9),
    NAMED(first),
    NAMED(first_odd),
    NAMED(last),
    NAMED(last_odd),
    NAMED(single),
    NAMED(single_odd),
    NAMED(ignore_2),
    NAMED(distinct),
    NAMED(distinct_parity),
    NAMED(contains_2),
    NAMED(min),
    NAMED(min_backwards),
    NAMED(max),
    NAMED(max_backwards),
    NAMED(sum),
    NAMED(partition_odd),
    NAMED(partition_not_odd),
    {0}};
