/* Operators: each makes a signal out of a signal.
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
/* Returns 1: yes; 0: no; < 0: failed. */
typedef int (*belay_predicate_fn)(void *ctx, belay_value value);
typedef int (*belay_equal_fn)(void *ctx, belay_value a, belay_value b);
/* Makes a signal of `source`. The callback owns `source`, and gives its result away. NULL is a
   failure: the error of belay_fail(), else BELAY_EINVAL. */
typedef belay_signal *(*belay_compose_fn)(void *ctx, belay_signal *source);
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
/* Makes an operator out of a function from signal to signal. `make` runs once, when the operator is
   applied, and the operator's signal is the one that `make` returns. If `make` fails, the chain is
   NULL. `ctx_free` runs after `make`, or when the operator is released. (lift, compose
   elsewhere.) */
BELAY_EXPORT belay_op *belay_op_compose(belay_compose_fn make, void *ctx, belay_free_fn ctx_free);

/* Replaces each value by the value that `map` returns. A failure value (belay_value_failure()) ends
   the signal with that error. */
BELAY_EXPORT belay_op *belay_op_map(belay_map_fn map, void *ctx, belay_free_fn ctx_free);
/* Passes on the values for which `keep` returns 1. */
BELAY_EXPORT belay_op *belay_op_filter(belay_predicate_fn keep, void *ctx, belay_free_fn ctx_free);
/* Passes on the first `count` values. With the last of them it completes, and then ends its source.
   0 completes at once, without subscribing. */
BELAY_EXPORT belay_op *belay_op_take(uint64_t count);
/* Passes on values until `trigger` sends a value; then it completes. If `trigger` completes without
   a value, nothing changes; its error is passed on. Takes `trigger` over. */
BELAY_EXPORT belay_op *belay_op_take_until(belay_signal *trigger);
/* Passes on values until `owner` begins to die; then it completes. Does not retain `owner`.
   (take(during:) elsewhere.) */
BELAY_EXPORT belay_op *belay_op_take_during(belay_owner *owner);
/* Sends the values of the source and of `others` (each taken over) as they come. Completes when all
   of them have completed. Ends with the first error. */
BELAY_EXPORT belay_op *belay_op_merge(belay_signal *const *others, size_t count);
/* Sends `step(accumulated, value)` for each value. The first `accumulated` is `seed` (taken over),
   which is not sent itself. */
BELAY_EXPORT belay_op *belay_op_scan(belay_value seed, belay_scan_fn step, void *ctx,
                                     belay_free_fn ctx_free);
/* Sends arrays of `count` values. The last array may be shorter and is sent before the end. An
   error drops the values that have been collected. A count of 0 is BELAY_EINVAL. */
BELAY_EXPORT belay_op *belay_op_buffer(size_t count);
/* Sends an array every `seconds` and at the completion, also when it is empty. It also sends an
   array as soon as `count` values have been collected, which restarts the time. BELAY_UNLIMITED
   collects by time alone. A count of 0 and `seconds` that are not above 0 are BELAY_EINVAL. Retains
   `scheduler`; when it belongs to another loop, the subscription needs a loop too (BELAY_ENOHOME).
   (RxSwift's buffer.) */
BELAY_EXPORT belay_op *belay_op_buffer_time(belay_scheduler *scheduler, double seconds,
                                            size_t count);
/* Drops a value that equals the one before it. A NULL `equal` means belay_value_equal(). */
BELAY_EXPORT belay_op *belay_op_distinct_until_changed(belay_equal_fn equal, void *ctx,
                                                       belay_free_fn ctx_free);
/* Sends `count` values first. Takes over each of them. */
BELAY_EXPORT belay_op *belay_op_start_with(const belay_value *values, size_t count);
/* Calls the callbacks of the observer for each event, before the event is passed on. When `next`
   calls belay_fail(), that error is passed on instead of the value, and the source is left.
   `disposed` runs as the teardown of this stage. The observer's `loop` is ignored. A `next_batch`
   or an `owner` is BELAY_EINVAL. (RxJS's tap.) */
BELAY_EXPORT belay_op *belay_op_do(const belay_observer *observer);

/* Sends the values of `count` signals (each taken over) as they come. Completes when all of them
   have completed. Ends with the first error. */
BELAY_EXPORT belay_signal *belay_signal_merge(belay_signal *const *signals, size_t count);

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
