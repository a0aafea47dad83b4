/* Operators: each makes a signal out of a signal. They are declared in the headers of their
 * families: transforming.h, filtering.h, combining.h, aggregating.h, flattening.h, timing.h,
 * sharing.h and effects.h. This one has what holds for all of them.
 *
 *   belay_signal *s = belay_signal_chain(source, belay_op_filter(is_error, NULL, NULL),
 *                                        belay_op_take(10));
 *
 * Ownership. An operator is used once. Applying it takes it over, together with the signals that it
 * was made of, also on failure. A chain that contains a NULL (a part that could not be made) is
 * NULL; nothing leaks, and belay_last_error() returns the failure of that part. `ctx_free` of an
 * operator's callback runs when the signal and its last subscription are gone.
 *
 * Callbacks run at the home of the subscription. The values that they get are borrowed; the values
 * that they return are given away. A callback that returns int fails by returning belay_fail(code,
 * message), which ends the subscription with that error.
 */
#ifndef BELAY_OPERATOR_H
#define BELAY_OPERATOR_H

#include "base.h"
#include "error.h"
#include "signal.h"
#include "value.h"

typedef belay_value (*belay_map_fn)(void *ctx, belay_value value);
/* Returns a signal, which is taken over. */
typedef belay_signal *(*belay_flat_map_fn)(void *ctx, belay_value value);
/* Returns 1: yes; 0: no; < 0: failed. */
typedef int (*belay_predicate_fn)(void *ctx, belay_value value);
typedef int (*belay_equal_fn)(void *ctx, belay_value a, belay_value b);
typedef belay_value (*belay_scan_fn)(void *ctx, belay_value accumulated, belay_value value);

BELAY_BEGIN

/* Applies `count` operators to `source`, in order, and returns the resulting signal. Takes all of
   them over. `ops` may be NULL when `count` is 0. Release the result. NULL: BELAY_ERANGE for a
   chain of more than 1000 operators, where up to 256 maps and filters in a row count as one; or the
   failure of a part. */
BELAY_EXPORT belay_signal *belay_signal_chain_n(belay_signal *source, belay_op *const *ops,
                                                size_t count);
#ifndef __cplusplus
/* Does the same with the operators as arguments. */
#define belay_signal_chain(source, ...)                             \
  belay_signal_chain_n((source), (belay_op *const[]){__VA_ARGS__}, \
                       sizeof((belay_op *const[]){__VA_ARGS__}) / sizeof(belay_op *))
#endif

/* Releases an operator that was not applied. */
BELAY_EXPORT void belay_op_release(belay_op *op);

/* Returns an operator that does what `op` does, with bounded queues, as belay_signal_set_queue()
   bounds those of a signal. So each operator of a chain can have its own:

       belay_signal *loaded = belay_signal_chain(
           source, belay_op_with_queue(belay_op_concat_map(load, NULL, NULL), &newest),
           belay_op_take(10));

   Takes `op` over. `options` is copied; NULL means the defaults. Returns NULL: BELAY_EINVAL for an
   operator that is NULL, was used already or is a map or a filter, and for wrong options. A chain
   with another operator that keeps no queue is NULL, too: BELAY_EINVAL. (RxJava's
   onBackpressureBuffer has these policies.) */
BELAY_EXPORT belay_op *belay_op_with_queue(belay_op *op, const belay_queue_options *options);

BELAY_END

#ifdef __cplusplus
/* belay_signal_chain() for C++: takes the operators as arguments. */
template <typename... Ops>
inline belay_signal *belay_signal_chain(belay_signal *source, Ops... ops) {
  belay_op *const list[] = {ops..., NULL};
  return belay_signal_chain_n(source, list, sizeof...(ops));
}
#endif

#endif
