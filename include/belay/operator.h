/* Operators: each makes a signal out of a signal.
 *
 *   belay_signal *s = belay_signal_chain(source, belay_op_filter(is_error, NULL, NULL),
 *                                        belay_op_take(10));
 *
 * Ownership. An operator is used once: applying it takes it over, and the signals it was made of
 * with it, also on failure. A chain with a NULL in it (a part that could not be made) is NULL;
 * nothing leaks, and belay_last_error() tells what failed first. `ctx_free` of an operator's
 * callback runs when the signal and its last subscription are gone.
 *
 * Callbacks run at the subscription's home. Their values are borrowed; what they return is given
 * away. Those that return int fail by returning belay_fail(code, message), which ends the
 * subscription with that error.
 */
#ifndef BELAY_OPERATOR_H
#define BELAY_OPERATOR_H

#include "base.h"
#include "error.h"
#include "signal.h"
#include "value.h"

typedef belay_value (*belay_map_fn)(void *ctx, belay_value value);
/* 1: yes, 0: no, < 0: failed. */
typedef int (*belay_predicate_fn)(void *ctx, belay_value value);
typedef int (*belay_equal_fn)(void *ctx, belay_value a, belay_value b);
/* Makes a signal of `source`, which is given away to it, and gives it away. NULL is a failure:
   belay_fail()'s error, else BELAY_EINVAL. */
typedef belay_signal *(*belay_compose_fn)(void *ctx, belay_signal *source);
typedef belay_value (*belay_scan_fn)(void *ctx, belay_value accumulated, belay_value value);

BELAY_BEGIN

/* Applies `count` operators to `source`, in order, and returns the resulting signal. Takes all of
   them over. `ops` may be NULL when `count` is 0. NULL, BELAY_ERANGE: a chain of more than 1000
   operators, of which up to 256 maps and filters that follow each other count as one. */
BELAY_EXPORT belay_signal *belay_signal_chain_n(belay_signal *source, belay_op *const *ops,
                                                size_t count);
#ifndef __cplusplus
/* The same with the operators as arguments. */
#define belay_signal_chain(source, ...)                             \
  belay_signal_chain_n((source), (belay_op *const[]){__VA_ARGS__}, \
                       sizeof((belay_op *const[]){__VA_ARGS__}) / sizeof(belay_op *))
#endif

/* Gives an operator back that was not applied. */
BELAY_EXPORT void belay_op_release(belay_op *op);
/* An operator of one's own: the signal that `make` makes of the source, once, when it is applied.
   If it fails the chain is NULL. `ctx_free` runs after that, or when the operator is given back.
   (lift, compose elsewhere.) */
BELAY_EXPORT belay_op *belay_op_compose(belay_compose_fn make, void *ctx, belay_free_fn ctx_free);

/* Each value becomes what `map` returns (belay_value_failure() ends the signal with an error). */
BELAY_EXPORT belay_op *belay_op_map(belay_map_fn map, void *ctx, belay_free_fn ctx_free);
/* Only values for which `keep` returns 1. */
BELAY_EXPORT belay_op *belay_op_filter(belay_predicate_fn keep, void *ctx, belay_free_fn ctx_free);
/* The first `count` values; with the last of them completes, then ends its source. 0 completes at
   once, without subscribing. */
BELAY_EXPORT belay_op *belay_op_take(uint64_t count);
/* Until `trigger` sends a value, which completes. Its completion alone changes nothing; its error
   is passed on. Takes `trigger` over. */
BELAY_EXPORT belay_op *belay_op_take_until(belay_signal *trigger);
/* Until `owner` begins to die, which completes. Keeps no object alive. (take(during:) elsewhere.)
   */
BELAY_EXPORT belay_op *belay_op_take_during(belay_owner *owner);
/* The source's values and those of `others` (taken over, each), as they come. Completes with the
   last of them, ends with the first error. */
BELAY_EXPORT belay_op *belay_op_merge(belay_signal *const *others, size_t count);
/* Sends `step(accumulated, value)` for each value, beginning with `seed` (taken over), which
   itself is not sent. */
BELAY_EXPORT belay_op *belay_op_scan(belay_value seed, belay_scan_fn step, void *ctx,
                                     belay_free_fn ctx_free);
/* Arrays of `count` values; the last may be shorter and is sent before the end. On an error what
   was collected is dropped. 0 is BELAY_EINVAL. */
BELAY_EXPORT belay_op *belay_op_buffer(size_t count);
/* An array every `seconds` and at the completion, empty ones included; and as soon as
   `count` values (BELAY_UNLIMITED: by time alone; 0: BELAY_EINVAL) have been collected, which
   starts the time anew. (RxSwift's buffer.)
   `scheduler` is kept; when it is another loop's, the subscription needs a loop too
   (BELAY_ENOHOME). */
BELAY_EXPORT belay_op *belay_op_buffer_time(belay_scheduler *scheduler, double seconds,
                                            size_t count);
/* Drops a value that equals the one before it. `equal` may be NULL: belay_value_equal(). */
BELAY_EXPORT belay_op *belay_op_distinct_until_changed(belay_equal_fn equal, void *ctx,
                                                       belay_free_fn ctx_free);
/* Sends `count` values first; takes each over. */
BELAY_EXPORT belay_op *belay_op_start_with(const belay_value *values, size_t count);
/* Calls the observer's callbacks beside the flow, each before the event is passed on; `disposed`
   as this stage's teardown. Its `loop` is not used; a `next_batch` and an `owner` are
   BELAY_EINVAL. */
BELAY_EXPORT belay_op *belay_op_do(const belay_observer *observer);

/* Merges `count` signals (taken over, each). */
BELAY_EXPORT belay_signal *belay_signal_merge(belay_signal *const *signals, size_t count);

BELAY_END

#ifdef __cplusplus
/* belay_signal_chain() for C++: the same with the operators as arguments. */
template <typename... Ops>
inline belay_signal *belay_signal_chain(belay_signal *source, Ops... ops) {
  belay_op *const list[] = {ops..., NULL};
  return belay_signal_chain_n(source, list, sizeof...(ops));
}
#endif

#endif
