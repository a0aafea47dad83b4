/* Operators that make one value of a whole signal. See operator.h for the rules that hold for all
 * operators.
 *
 * Unless its comment says otherwise, each sends its value when the source has completed, and then
 * completes. It passes an error on alone. A missing callback or signal is BELAY_EINVAL.
 */
#ifndef BELAY_AGGREGATING_H
#define BELAY_AGGREGATING_H

#include "operator.h"

/* Tells whether `a` comes before `b`. Returns 1: yes; 0: no; < 0: failed. */
typedef int (*belay_less_fn)(void *ctx, belay_value a, belay_value b);

BELAY_BEGIN

/* Passes on the values of the source. Sends `fallback` (taken over) when there were none. */
BELAY_EXPORT belay_op *belay_op_default_if_empty(belay_value fallback);
/* Passes on the values of the source. Continues with `other` (taken over) when there were none. */
BELAY_EXPORT belay_op *belay_op_switch_if_empty(belay_signal *other);

/* Sends true at the first value that equals `wanted` (taken over) by belay_value_equal(), else
   false. */
BELAY_EXPORT belay_op *belay_op_contains(belay_value wanted);
/* Sends true at the first value for which `wanted` returns 1, else false. */
BELAY_EXPORT belay_op *belay_op_any(belay_predicate_fn wanted, void *ctx, belay_free_fn ctx_free);
/* Sends false at the first value for which `right` returns 0, else true. */
BELAY_EXPORT belay_op *belay_op_all(belay_predicate_fn right, void *ctx, belay_free_fn ctx_free);
/* Sends false at the first value, else true. */
BELAY_EXPORT belay_op *belay_op_is_empty(void);

/* Sends the number of values, as a uint64. */
BELAY_EXPORT belay_op *belay_op_count(void);
/* Sends the smallest value, the first among equals. Only completes when there were no values. A
   NULL `less` compares numbers, as doubles if they are of several kinds, and strings by their
   bytes; where it has to compare other values, the signal ends with BELAY_EKIND. */
BELAY_EXPORT belay_op *belay_op_min(belay_less_fn less, void *ctx, belay_free_fn ctx_free);
/* Sends the largest value, the first among equals. Only completes when there were no values. A NULL
   `less` compares as in belay_op_min(). */
BELAY_EXPORT belay_op *belay_op_max(belay_less_fn less, void *ctx, belay_free_fn ctx_free);
/* Sends the sum of the values: a uint64 when all are unsigned integers, a double when there is a
   float or a double, else an int64. Sends int64 0 when there were no values. Ends with BELAY_ERANGE
   as soon as the sum of the values so far does not fit the kind that it has by them, and with
   BELAY_EKIND at a value that is not a number. */
BELAY_EXPORT belay_op *belay_op_sum(void);
/* Sends the mean of the values, as a double. Only completes when there were no values. Ends with
   BELAY_EKIND at a value that is not a number. */
BELAY_EXPORT belay_op *belay_op_average(void);

/* Sends at completion what `step(accumulated, value)` has made of all values. The first
   `accumulated` is `seed` (taken over). Without values it sends `seed` itself. */
BELAY_EXPORT belay_op *belay_op_reduce(belay_value seed, belay_scan_fn step, void *ctx,
                                       belay_free_fn ctx_free);
/* Sends all values as one array at completion, and nothing on an error. Keeps every value until
   then. */
BELAY_EXPORT belay_op *belay_op_collect(void);

BELAY_END

#endif
