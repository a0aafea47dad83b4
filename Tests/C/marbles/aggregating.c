/* Operators that make one value of all. */
#include "marbles.h"

static int larger(void *ctx, belay_value a, belay_value b) {
  return marble_fails(a) || marble_fails(b) ? MARBLE_FAILURE : int_of(a) > int_of(b);
}

APPLYING(contains_2, belay_op_contains(belay_int32(2)))
APPLYING(min, belay_op_min(NULL, NULL, NULL))
APPLYING(min_backwards, belay_op_min(larger, NULL, NULL))
APPLYING(max, belay_op_max(NULL, NULL, NULL))
APPLYING(max_backwards, belay_op_max(larger, NULL, NULL))
APPLYING(sum, belay_op_sum(), belay_op_map(plain_number, NULL, NULL))
APPLYING(reduce_sum, belay_op_reduce(belay_int32(0), plus, NULL, NULL))

const marble_operation aggregating_operations[] = {
    {"contains_2", contains_2},
    {"min", min},
    {"min_backwards", min_backwards},
    {"max", max},
    {"max_backwards", max_backwards},
    {"sum", sum},
    {"reduce_sum", reduce_sum},
    {0}};
