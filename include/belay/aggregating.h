/* Operators that make one value of a whole signal. See operator.h for what holds for all of them.
 *
 * Unless said otherwise the value is sent when the source has completed, and then completed; an
 * error is passed on alone. A missing callback or signal is BELAY_EINVAL.
 */
#ifndef BELAY_AGGREGATING_H
#define BELAY_AGGREGATING_H

#include "operator.h"

/* Whether `a` comes before `b`. 1: yes, 0: no, < 0: failed. */
typedef int (*belay_less_fn)(void *ctx, belay_value a, belay_value b);

BELAY_BEGIN

/* The source's values; `fallback` (taken over) when there were none. */
BELAY_EXPORT belay_op *belay_op_default_if_empty(belay_value fallback);
/* The source's values; goes on with `other` (taken over) when there were none. */
BELAY_EXPORT belay_op *belay_op_switch_if_empty(belay_signal *other);

/* A bool: true with the first value that equals `wanted` (taken over), by belay_value_equal(); else
   false. */
BELAY_EXPORT belay_op *belay_op_contains(belay_value wanted);
/* A bool: true with the first value for which `wanted` returns 1, else false. */
BELAY_EXPORT belay_op *belay_op_any(belay_predicate_fn wanted, void *ctx, belay_free_fn ctx_free);
/* A bool: false with the first value for which `right` returns 0, else true. */
BELAY_EXPORT belay_op *belay_op_all(belay_predicate_fn right, void *ctx, belay_free_fn ctx_free);
/* A bool: false with the first value, else true. */
BELAY_EXPORT belay_op *belay_op_is_empty(void);

/* How many values there were: an uint64. */
BELAY_EXPORT belay_op *belay_op_count(void);
/* The smallest value, the first of equals; only completed when there were none. `less` may be NULL:
   numbers by their value, whatever their kinds, and strings by their bytes; comparing any others is
   BELAY_EKIND. */
BELAY_EXPORT belay_op *belay_op_min(belay_less_fn less, void *ctx, belay_free_fn ctx_free);
/* The largest value, the first of equals; only completed when there were none. `less` may be NULL,
   as for belay_op_min(). */
BELAY_EXPORT belay_op *belay_op_max(belay_less_fn less, void *ctx, belay_free_fn ctx_free);
/* The sum: an uint64 when all values are unsigned integers, a double when there is a float or a
   double, else an int64; int64 0 when there were none. BELAY_ERANGE when it does not fit,
   BELAY_EKIND for a value that is no number. */
BELAY_EXPORT belay_op *belay_op_sum(void);
/* The mean, a double; only completed when there were no values. BELAY_EKIND for a value that is no
   number. */
BELAY_EXPORT belay_op *belay_op_average(void);

BELAY_END

#endif
