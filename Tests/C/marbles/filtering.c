/* Operators that choose among values. */
#include "marbles.h"

static int small(void *ctx, belay_value v) {
  return marble_fails(v) ? MARBLE_FAILURE : int_of(v) < 4;
}
static int equal(void *ctx, belay_value a, belay_value b) {
  return marble_fails(a) || marble_fails(b) ? MARBLE_FAILURE : belay_value_equal(a, b);
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
APPLYING(distinct_until_changed, belay_op_distinct_until_changed(equal, NULL, NULL))

/* The owner dies at that many milliseconds. */
static belay_signal *take_during(const marble_run *run) {
  belay_owner *owner = belay_owner_create(NULL, NULL, NULL, NULL);
  belay_op *op = belay_op_take_during(owner);
  double seconds = marble_seconds(run, 1);
  CHECK_INT(belay_scheduler_after(marble_scheduler(run), seconds, release_owner, owner, NULL, NULL),
            0);
  return belay_signal_chain(marble_input(run, 0), op);
}
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
    NAMED(distinct_until_changed),
    NAMED(take_during),
    NAMED(partition_odd),
    NAMED(partition_not_odd),
    {0}};
