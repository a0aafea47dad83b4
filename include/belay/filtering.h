/* Operators that choose among the values of a signal. See operator.h for the rules that hold for
 * all operators.
 *
 * A missing callback, signal or scheduler is BELAY_EINVAL, and so is a time that is negative or
 * NaN.
 */
#ifndef BELAY_FILTERING_H
#define BELAY_FILTERING_H

#include "operator.h"
#include "scheduler.h"

BELAY_BEGIN

/* Passes on the values for which `keep` returns 1. */
BELAY_EXPORT belay_op *belay_op_filter(belay_predicate_fn keep, void *ctx, belay_free_fn ctx_free);

/* Passes on the first `count` values. With the last of them it completes, and then ends its source.
   0 completes at once, without subscribing. */
BELAY_EXPORT belay_op *belay_op_take(uint64_t count);
/* Drops the first `count` values. */
BELAY_EXPORT belay_op *belay_op_skip(uint64_t count);
/* Sends the last `count` values when the source has completed. Keeps up to `count` values. An error
   drops them. 0 completes at once, without subscribing. */
BELAY_EXPORT belay_op *belay_op_take_last(uint64_t count);
/* Drops the last `count` values: each value is sent when `count` more have come. Keeps up to
   `count` values. */
BELAY_EXPORT belay_op *belay_op_skip_last(uint64_t count);

/* Passes on values while `keep` returns 1, and completes at the first value for which it does not.
   If `inclusive` is not 0, it passes that value on before it completes. */
BELAY_EXPORT belay_op *belay_op_take_while(belay_predicate_fn keep, void *ctx,
                                           belay_free_fn ctx_free, int inclusive);
/* Drops values while `drop` returns 1. Passes on the first other value and all values after it,
   without asking again. */
BELAY_EXPORT belay_op *belay_op_skip_while(belay_predicate_fn drop, void *ctx,
                                           belay_free_fn ctx_free);
/* Passes on values until `trigger` sends a value; then it completes. If `trigger` completes without
   a value, nothing changes; its error is passed on. Takes `trigger` over. */
BELAY_EXPORT belay_op *belay_op_take_until(belay_signal *trigger);
/* Passes on values until `owner` begins to die; then it completes. Does not retain `owner`.
   (take(during:) elsewhere.) */
BELAY_EXPORT belay_op *belay_op_take_during(belay_owner *owner);
/* Drops values until `trigger` (taken over) sends one; it then disposes of `trigger`. If `trigger`
   completes without a value, only the end of the source is passed on. The error of `trigger` is
   passed on. */
BELAY_EXPORT belay_op *belay_op_skip_until(belay_signal *trigger);
/* Passes on the values of the source until `replacement` (taken over) sends anything, a value or an
   end. From then on it passes on the events of `replacement` alone and disposes of the source. An
   error of the source ends the result. A completion of the source does not, because the replacement
   may still send. */
BELAY_EXPORT belay_op *belay_op_take_until_replacement(belay_signal *replacement);

/* Passes on values for `seconds` after the subscription, then completes. Retains `scheduler`; when
   it belongs to another loop, the subscription needs a loop too (BELAY_ENOHOME). */
BELAY_EXPORT belay_op *belay_op_take_for(belay_scheduler *scheduler, double seconds);
/* Drops values for `seconds` after the subscription. Retains `scheduler`; when it belongs to
   another loop, the subscription needs a loop too (BELAY_ENOHOME). */
BELAY_EXPORT belay_op *belay_op_skip_for(belay_scheduler *scheduler, double seconds);
/* Sends the values of the last `seconds` before the completion, at the completion. A value that is
   as old as `seconds` is dropped. Keeps the values of that time: 1024, unless
   belay_signal_set_queue() says otherwise; then it ends with BELAY_EAGAIN. Retains `scheduler`, of
   which it needs only the clock. */
BELAY_EXPORT belay_op *belay_op_take_last_for(belay_scheduler *scheduler, double seconds);
/* Sends the values except those of the last `seconds` before the completion: each one with the
   first value, or the completion, that comes when it is as old as that. Keeps the values of that
   time. Retains `scheduler`, of which it needs only the clock. */
BELAY_EXPORT belay_op *belay_op_skip_last_for(belay_scheduler *scheduler, double seconds);

/* Sends the value at `index`, counted from 0, then completes. Ends with BELAY_ERANGE when there is
   none. */
BELAY_EXPORT belay_op *belay_op_element_at(uint64_t index);
/* Sends the value at `index`, counted from 0, or `fallback` (taken over) when there is none; then
   completes. */
BELAY_EXPORT belay_op *belay_op_element_at_or(uint64_t index, belay_value fallback);
/* Sends the first value, then completes. With `wanted` (may be NULL) it sends the first value for
   which `wanted` returns 1. Ends with BELAY_ENOENT when there is none. */
BELAY_EXPORT belay_op *belay_op_first(belay_predicate_fn wanted, void *ctx,
                                      belay_free_fn ctx_free);
/* Sends the last value when the source has completed. With `wanted` (may be NULL) it sends the last
   value for which `wanted` returns 1. Ends with BELAY_ENOENT when there is none. */
BELAY_EXPORT belay_op *belay_op_last(belay_predicate_fn wanted, void *ctx, belay_free_fn ctx_free);
/* Sends the only value when the source has completed. With `wanted` (may be NULL) only the values
   for which `wanted` returns 1 count. Ends with BELAY_ENOENT when there is none, and with
   BELAY_ERANGE as soon as there is a second one. */
BELAY_EXPORT belay_op *belay_op_single(belay_predicate_fn wanted, void *ctx,
                                       belay_free_fn ctx_free);
/* Sends the first value for which `wanted` returns 1, then completes. Only completes when there is
   none. */
BELAY_EXPORT belay_op *belay_op_find(belay_predicate_fn wanted, void *ctx, belay_free_fn ctx_free);

/* Drops all values and passes on the end. */
BELAY_EXPORT belay_op *belay_op_ignore_elements(void);
/* Drops values that equal `unwanted` (taken over) by belay_value_equal(). */
BELAY_EXPORT belay_op *belay_op_ignore(belay_value unwanted);
/* Drops a value that equals an earlier one by belay_value_equal(). With `key` (may be NULL) it
   drops a value whose key equals an earlier key. Each different value, or key, is kept as long as
   the subscription lasts: its memory grows with their number. */
BELAY_EXPORT belay_op *belay_op_distinct(belay_map_fn key, void *ctx, belay_free_fn ctx_free);
/* Drops a value that equals the one before it. A NULL `equal` means belay_value_equal(). */
BELAY_EXPORT belay_op *belay_op_distinct_until_changed(belay_equal_fn equal, void *ctx,
                                                       belay_free_fn ctx_free);

/* Makes two signals. Stores into `yes` (may be NULL) a signal with the values of `source` for which
   `is_first` returns 1, and into `no` (may be NULL) a signal with the others. Each subscription to
   either of them subscribes to `source` and calls `is_first` itself. Takes `source` over. Release
   both signals. Returns 0; BELAY_EINVAL when `yes` and `no` are both NULL. */
BELAY_EXPORT int belay_signal_partition(BELAY_TAKES belay_signal *source,
                                        belay_predicate_fn is_first, void *ctx,
                                        belay_free_fn ctx_free, belay_signal **yes,
                                        belay_signal **no);

BELAY_END

#endif
