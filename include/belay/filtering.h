/* Operators that choose among a signal's values. See operator.h for what holds for all of them.
 *
 * A missing callback, signal or scheduler, and a time that is negative or NaN, are BELAY_EINVAL.
 */
#ifndef BELAY_FILTERING_H
#define BELAY_FILTERING_H

#include "operator.h"
#include "scheduler.h"

BELAY_BEGIN

/* All but the first `count` values. */
BELAY_EXPORT belay_op *belay_op_skip(uint64_t count);
/* The last `count` values, when the source has completed; keeps as many. On an error they are
   dropped. 0 completes at once, without subscribing. */
BELAY_EXPORT belay_op *belay_op_take_last(uint64_t count);
/* All but the last `count` values: each is sent when `count` more have come; keeps as many. */
BELAY_EXPORT belay_op *belay_op_skip_last(uint64_t count);

/* Values while `keep` returns 1; with the first for which it does not it completes, after passing
   it on when `inclusive` is not 0. */
BELAY_EXPORT belay_op *belay_op_take_while(belay_predicate_fn keep, int inclusive, void *ctx,
                                           belay_free_fn ctx_free);
/* Drops values while `drop` returns 1; the first other one and all after it pass, unasked. */
BELAY_EXPORT belay_op *belay_op_skip_while(belay_predicate_fn drop, void *ctx,
                                           belay_free_fn ctx_free);
/* Drops values until `trigger` (taken over) sends one; it is left then. When it completes without
   a value nothing will pass but the source's end; its error is passed on. */
BELAY_EXPORT belay_op *belay_op_skip_until(belay_signal *trigger);
/* This signal's values until `replacement` (taken over) sends anything, a value or an end: from
   then on that is all there is, and the source is left. The source's error ends the result, its
   completion does not: the replacement may come yet. */
BELAY_EXPORT belay_op *belay_op_take_until_replacement(belay_signal *replacement);

/* Values for `seconds` from the subscription on, then completed. `scheduler` is kept; when it is
   another loop's, the subscription needs a loop too (BELAY_ENOHOME). */
BELAY_EXPORT belay_op *belay_op_take_for(belay_scheduler *scheduler, double seconds);
/* Drops values for `seconds` from the subscription on. `scheduler` is kept; when it is another
   loop's, the subscription needs a loop too (BELAY_ENOHOME). */
BELAY_EXPORT belay_op *belay_op_skip_for(belay_scheduler *scheduler, double seconds);

/* The value at `index`, counted from 0, then completed. When there is none: BELAY_ERANGE. */
BELAY_EXPORT belay_op *belay_op_element_at(uint64_t index);
/* The value at `index`, counted from 0, or `fallback` (taken over) when there is none; then
   completed. */
BELAY_EXPORT belay_op *belay_op_element_at_or(uint64_t index, belay_value fallback);
/* The first value, then completed; with `wanted` (may be NULL) the first for which it returns 1.
   None: BELAY_ENOENT. */
BELAY_EXPORT belay_op *belay_op_first(belay_predicate_fn wanted, void *ctx,
                                      belay_free_fn ctx_free);
/* The last value, when the source has completed; with `wanted` (may be NULL) the last for which it
   returns 1. None: BELAY_ENOENT. */
BELAY_EXPORT belay_op *belay_op_last(belay_predicate_fn wanted, void *ctx, belay_free_fn ctx_free);
/* The only value, when the source has completed; with `wanted` (may be NULL) the only one for which
   it returns 1. None: BELAY_ENOENT; as soon as there is a second: BELAY_ERANGE. */
BELAY_EXPORT belay_op *belay_op_single(belay_predicate_fn wanted, void *ctx,
                                       belay_free_fn ctx_free);
/* The first value for which `wanted` returns 1, if there is one, then completed. */
BELAY_EXPORT belay_op *belay_op_find(belay_predicate_fn wanted, void *ctx, belay_free_fn ctx_free);

/* No values, only the end. */
BELAY_EXPORT belay_op *belay_op_ignore_elements(void);
/* Drops values that equal `unwanted` (taken over), by belay_value_equal(). */
BELAY_EXPORT belay_op *belay_op_ignore(belay_value unwanted);
/* Drops a value that equals one that was there before, by belay_value_equal(); with `key` (may be
   NULL) one whose key does. Each different value, or key, is kept as long as the subscription
   lasts: its memory grows with their number. */
BELAY_EXPORT belay_op *belay_op_distinct(belay_map_fn key, void *ctx, belay_free_fn ctx_free);

/* Stores two signals: `yes` (may be NULL) has the values of `source` for which `is_first` returns
   1, `no` (may be NULL) the others. Each subscription to either subscribes to `source`, which is
   taken over, and asks by itself. Release both. Returns 0, or BELAY_EINVAL with both NULL. */
BELAY_EXPORT int belay_signal_partition(BELAY_TAKES belay_signal *source,
                                        belay_predicate_fn is_first, void *ctx,
                                        belay_free_fn ctx_free, belay_signal **yes,
                                        belay_signal **no);

BELAY_END

#endif
