/* Operators that go from one signal to others: signals made of values, signals of signals, one
 * signal after another, and what follows an error or a completion.
 *
 * Ownership is that of operator.h. A callback that returns a signal gives it away; NULL means that
 * it failed, with the error of belay_fail(), else BELAY_EINVAL.
 *
 * What waits for its turn is kept without bound: a source that is faster than the signals made of
 * its values has to be slowed down before it comes here. A signal that cannot be subscribed to
 * counts as one that ends with that error.
 *
 * A signal whose source goes without an end (an interruption) counts as ended where others are
 * left that may send; the whole is interrupted after them.
 */
#ifndef BELAY_FLATTENING_H
#define BELAY_FLATTENING_H

#include "operator.h"
#include "scheduler.h"

typedef belay_signal *(*belay_flat_map_fn)(void *ctx, belay_value value);
typedef belay_signal *(*belay_catch_fn)(void *ctx, const belay_error *error);
/* `events` is borrowed: retain it to return it itself. */
typedef belay_signal *(*belay_when_fn)(void *ctx, belay_signal *events);
/* 0 or more: go on, < 0: failed. */
typedef int (*belay_attempt_fn)(void *ctx, belay_value value);

BELAY_BEGIN

/* ---- signals made of values ---- */

/* Makes a signal of each value and sends the values of all of them, as they come. Of more than
   `limit` at a time the later ones wait, and are made when their turn comes.
   BELAY_UNLIMITED is no limit, 0 BELAY_EINVAL. Completes with the last, ends with the first
   error. */
BELAY_EXPORT belay_op *belay_op_flat_map(size_t limit, belay_flat_map_fn map, void *ctx,
                                         belay_free_fn ctx_free);
/* The values of one signal after the other: a limit of 1. */
BELAY_EXPORT belay_op *belay_op_concat_map(belay_flat_map_fn map, void *ctx,
                                           belay_free_fn ctx_free);
/* The values of the signal made last: the one before is left. */
BELAY_EXPORT belay_op *belay_op_switch_map(belay_flat_map_fn map, void *ctx,
                                           belay_free_fn ctx_free);
/* Drops values that come while the signal made of an earlier one runs. */
BELAY_EXPORT belay_op *belay_op_exhaust_map(belay_flat_map_fn map, void *ctx,
                                            belay_free_fn ctx_free);
/* Sends each value, makes a signal of it, and treats that signal's values likewise. Values that
   come at once follow in the order of their coming. `limit` as above. */
BELAY_EXPORT belay_op *belay_op_expand(size_t limit, belay_flat_map_fn map, void *ctx,
                                       belay_free_fn ctx_free);

/* ---- values that are signals (belay_value_from_signal()); another value is BELAY_EKIND ---- */

/* The values of all of them, of at most `limit` at a time, as above. */
BELAY_EXPORT belay_op *belay_op_merge_all(size_t limit);
/* The values of one after the other. */
BELAY_EXPORT belay_op *belay_op_concat_all(void);
/* The values of the one that came last. */
BELAY_EXPORT belay_op *belay_op_switch_to_latest(void);

/* ---- one after another: each is subscribed when the one before has completed ---- */

/* The source's values, then those of `others` (taken over, each). */
BELAY_EXPORT belay_op *belay_op_concat(belay_signal *const *others, size_t count);
/* The values of `count` signals (taken over, each). */
BELAY_EXPORT belay_signal *belay_signal_concat(belay_signal *const *signals, size_t count);
/* Ignores the source's values, and sends those of `next` (taken over) after its completion. */
BELAY_EXPORT belay_op *belay_op_then(belay_signal *next);
/* Subscribes again after each completion, `count` times in all; 0 completes at once,
   BELAY_UNLIMITED is without end. */
BELAY_EXPORT belay_op *belay_op_repeat(size_t count);
/* At the first completion asks `answer` for a signal, and sends a null value into `events` with
   each. A value of that signal subscribes again; its completion completes, with the source's
   own; its error is passed on. */
BELAY_EXPORT belay_op *belay_op_repeat_when(belay_when_fn answer, void *ctx,
                                            belay_free_fn ctx_free);

/* ---- errors ---- */

/* After an error goes on with the signal that `recover` returns, whose error is passed on. */
BELAY_EXPORT belay_op *belay_op_catch(belay_catch_fn recover, void *ctx, belay_free_fn ctx_free);
/* Sends `value` (taken over) in the place of an error, and completes. */
BELAY_EXPORT belay_op *belay_op_catch_to(belay_value value);
/* Subscribes again after each error, `count` times in all; the last error is passed on.
   BELAY_UNLIMITED is without end, 0 BELAY_EINVAL. */
BELAY_EXPORT belay_op *belay_op_retry(size_t count);
/* At the first error asks `answer` for a signal, and sends each error into `events`. A value of
   that signal subscribes again; its end ends. */
BELAY_EXPORT belay_op *belay_op_retry_when(belay_when_fn answer, void *ctx,
                                           belay_free_fn ctx_free);
/* Subscribes again `seconds` after the first error, and after each further one `factor` times as
   long as before, but never longer than `max_seconds`; `attempts` times in all, or
   BELAY_UNLIMITED.
   `jitter`, from 0 to 1, is the part of each wait that is left to chance. Values in between change
   neither the count nor the waits. BELAY_EINVAL: no attempts, a time or factor that is negative or
   no number, a jitter outside its range. `scheduler` is kept; when it is another loop's, the subscription needs
   a loop too, else it ends with BELAY_ENOHOME. */
BELAY_EXPORT belay_op *belay_op_retry_backoff(belay_scheduler *scheduler, double seconds,
                                              double factor, double max_seconds, double jitter,
                                              size_t attempts);
/* Merges like belay_op_merge(), but an error waits until all have ended; of several the first is
   passed on. */
BELAY_EXPORT belay_op *belay_op_merge_delay_error(belay_signal *const *others, size_t count);
BELAY_EXPORT belay_signal *belay_signal_merge_delay_error(belay_signal *const *signals,
                                                          size_t count);
/* Calls `action` with each value before it is passed on; ends with the error when it fails. */
BELAY_EXPORT belay_op *belay_op_attempt(belay_attempt_fn action, void *ctx,
                                        belay_free_fn ctx_free);

BELAY_END

#endif
