/* Several signals that become one by their values.
 *
 *   belay_signal *both[] = {width, height};
 *   belay_signal *area = belay_signal_combine_latest(both, 2, multiply, NULL, NULL);
 *
 * A combiner is lent the values where they are kept, in the order of the signals: an array of
 * `count` of them, valid during the call. What it returns is given away; belay_value_failure()
 * ends the subscription with that error. Where a combiner may be NULL, an array value of the values
 * is sent instead.
 *
 * All end with the first error of any of their signals. What is sent from inside a callback is
 * worked off when the event in progress has been. An interruption is passed on when no signal is
 * left that could make them send.
 *
 * Every signal, operator and value that is passed in is taken over, also on failure, and every
 * `ctx_free` is called. A missing signal or callback is BELAY_EINVAL.
 */
#ifndef BELAY_COMBINING_H
#define BELAY_COMBINING_H

#include "operator.h"

typedef belay_value (*belay_combine_fn)(void *ctx, const belay_value *values, size_t count);

BELAY_BEGIN

/* What `combine` (may be NULL) makes of the latest values of all signals, each time that one of
   them sends, once all have sent. Completes with the last of them; with none, at once.
   (ReactiveObjC's rac_liftSelector: is this with the selector as `combine`.) */
BELAY_EXPORT belay_signal *belay_signal_combine_latest(belay_signal *const *signals, size_t count,
                                                       belay_combine_fn combine, void *ctx,
                                                       belay_free_fn ctx_free);
/* What `combine` (may be NULL) makes of the first values of all signals, then of the second, and so
   on. Completes as soon as a signal that has completed has no value left that waits. What is ahead
   waits without a bound: as many values as the fastest signal leads the slowest. */
BELAY_EXPORT belay_signal *belay_signal_zip(belay_signal *const *signals, size_t count,
                                            belay_combine_fn combine, void *ctx,
                                            belay_free_fn ctx_free);
/* What `combine` (may be NULL) makes of each value of the source, which comes first, and the latest
   of each of `others`. What comes before they all have sent is dropped. Ends with the source. */
BELAY_EXPORT belay_op *belay_op_with_latest_from(belay_signal *const *others, size_t count,
                                                 belay_combine_fn combine, void *ctx,
                                                 belay_free_fn ctx_free);
/* The events of whichever signal is the first to send one, be it an end; the others are disposed of
   then. Of none: nothing, ever. (amb elsewhere.) */
BELAY_EXPORT belay_signal *belay_signal_race(belay_signal *const *signals, size_t count);
/* Sends `count` values (each taken over) after the source's last, before it completes. */
BELAY_EXPORT belay_op *belay_op_end_with(const belay_value *values, size_t count);
/* A boolean, then completed: whether the source and `other` send equal values in the same order and
   complete. False as soon as that is known. `equal` may be NULL: belay_value_equal(). What is ahead
   waits without a bound. */
BELAY_EXPORT belay_op *belay_op_sequence_equal(belay_signal *other, belay_equal_fn equal, void *ctx,
                                               belay_free_fn ctx_free);

/* The values of `yes` while the latest of `condition` (booleans, else BELAY_EKIND) is true, those
   of `no` while it is false. Each value of `condition` subscribes anew. Completes when `condition`
   and the latest of the two have. */
BELAY_EXPORT belay_signal *belay_signal_if_then_else(belay_signal *condition, belay_signal *yes,
                                                     belay_signal *no);
/* The values of the one of `signals` at whose place in `cases` (values, taken over) the latest of
   `keys` stands, else those of `otherwise`, which may be NULL: then a key without a case is
   BELAY_EINVAL. Ends as if_then_else does. */
BELAY_EXPORT belay_signal *belay_signal_switch_on(belay_signal *keys, const belay_value *cases,
                                                  belay_signal *const *signals, size_t count,
                                                  belay_signal *otherwise);

/* Whether the latest values of all signals are true, or at least one is, each time that one of them
   sends, once all have sent. A value that is no boolean is BELAY_EKIND. */
BELAY_EXPORT belay_signal *belay_signal_and(belay_signal *const *signals, size_t count);
BELAY_EXPORT belay_signal *belay_signal_or(belay_signal *const *signals, size_t count);
/* The opposite of each value; BELAY_EKIND when it is no boolean. */
BELAY_EXPORT belay_op *belay_op_not(void);

/* Calls `reduce` with the items of each value, which is an array (else BELAY_EKIND), and sends what
   it returns. */
BELAY_EXPORT belay_op *belay_op_reduce_each(belay_combine_fn reduce, void *ctx,
                                            belay_free_fn ctx_free);

BELAY_END

#endif
