/* Several signals that become one by their values.
 *
 *   belay_signal *both[] = {width, height};
 *   belay_signal *area = belay_signal_combine_latest(both, 2, multiply, NULL, NULL);
 *
 * A combiner borrows the values in the place where they are kept: an array of `count` values in the
 * order of the signals, valid during the call. Its result is given away. belay_value_failure() ends
 * the subscription with that error. Where a combiner may be NULL, the signal sends an array of the
 * values instead.
 *
 * Every signal here ends with the first error of any of its inputs. An event that is sent from
 * inside a callback follows when the event in progress has been handled. An interruption is passed
 * on when no input is left that could make the signal send.
 *
 * Every signal, operator and value that is passed in is taken over, also on failure, and every
 * `ctx_free` is called. A missing signal or callback is BELAY_EINVAL.
 */
#ifndef BELAY_COMBINING_H
#define BELAY_COMBINING_H

#include "operator.h"

typedef belay_value (*belay_combine_fn)(void *ctx, const belay_value *values, size_t count);

BELAY_BEGIN

/* Sends what `combine` (may be NULL) makes of the latest values of all signals. It sends each time
   that a signal sends, once all of them have sent. Completes when all have completed; without
   signals, at once. (ReactiveObjC's rac_liftSelector: is this with the selector as `combine`.) */
BELAY_EXPORT belay_signal *belay_signal_combine_latest(belay_signal *const *inputs, size_t count,
                                                       belay_combine_fn combine, void *ctx,
                                                       belay_free_fn ctx_free);
/* Sends what `combine` (may be NULL) makes of the first values of all signals, then of the second
   values, and so on. Completes as soon as a signal has completed and none of its values waits.
   1024 values of each signal may wait for the others; belay_signal_set_queue() changes that. */
BELAY_EXPORT belay_signal *belay_signal_zip(belay_signal *const *inputs, size_t count,
                                            belay_combine_fn combine, void *ctx,
                                            belay_free_fn ctx_free);
/* Sends what `combine` (may be NULL) makes of each value of the source and the latest values of
   `others`. The source's value comes first. Values of the source are dropped until all others have
   sent. Ends when the source ends. */
BELAY_EXPORT belay_op *belay_op_with_latest_from(belay_signal *const *others, size_t count,
                                                 belay_combine_fn combine, void *ctx,
                                                 belay_free_fn ctx_free);
/* Passes on the events of the signal that sends an event first, which may be an end. Disposes of
   the other signals at that moment. Without signals it never sends. (amb elsewhere.) */
BELAY_EXPORT belay_signal *belay_signal_race(belay_signal *const *inputs, size_t count);
/* Sends `count` values first. Takes over each of them. */
BELAY_EXPORT belay_op *belay_op_start_with(const belay_value *values, size_t count);
/* Sends `count` values (each taken over) after the last value of the source, before it
   completes. */
BELAY_EXPORT belay_op *belay_op_end_with(const belay_value *values, size_t count);
/* Sends a bool, then completes: whether the source and `other` send equal values in the same order
   and complete. Sends false as soon as that is known. A NULL `equal` means belay_value_equal(). The
   1024 values of the signal that is ahead may wait; belay_signal_set_queue() changes that. */
BELAY_EXPORT belay_op *belay_op_sequence_equal(belay_signal *other, belay_equal_fn equal, void *ctx,
                                               belay_free_fn ctx_free);

/* Sends the values of `yes` while the latest value of `condition` is true, and those of `no` while
   it is false. Each value of `condition` subscribes again. A value that is not a bool is
   BELAY_EKIND. Completes when `condition` and the latest of the two signals have completed. */
BELAY_EXPORT belay_signal *belay_signal_if_then_else(belay_signal *condition, belay_signal *yes,
                                                     belay_signal *no);
/* Sends the values of one of `inputs`: the one with the index that the latest value of `keys` has
   in `cases` (values, taken over). For a key without a case, sends the values of `otherwise`; when
   that is NULL, such a key is BELAY_EINVAL. Completes when `keys` and the latest signal have
   completed. */
BELAY_EXPORT belay_signal *belay_signal_switch_on(belay_signal *keys, const belay_value *cases,
                                                  belay_signal *const *inputs, size_t count,
                                                  belay_signal *otherwise);

/* Sends whether all of the latest values are true (and), or at least one of them (or). It sends
   each time that a signal sends, once all of them have sent. A value that is not a bool is
   BELAY_EKIND. */
BELAY_EXPORT belay_signal *belay_signal_and(belay_signal *const *inputs, size_t count);
BELAY_EXPORT belay_signal *belay_signal_or(belay_signal *const *inputs, size_t count);
/* Sends the opposite of each value. A value that is not a bool is BELAY_EKIND. */
BELAY_EXPORT belay_op *belay_op_not(void);

/* Calls `reduce` with the items of each value, which has to be an array (else BELAY_EKIND), and
   sends its result. */
BELAY_EXPORT belay_op *belay_op_reduce_each(belay_combine_fn reduce, void *ctx,
                                            belay_free_fn ctx_free);

BELAY_END

#endif
