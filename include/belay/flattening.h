/* Operators that go from one signal to others: signals made of values, signals of signals, one
 * signal after another, and what follows an error or a completion.
 *
 * Ownership is that of operator.h. A callback that returns a signal gives it away. NULL means that
 * it failed, with the error of belay_fail(), else BELAY_EINVAL.
 *
 * 1024 values or signals may wait for their turn; belay_signal_set_queue() changes that. One more
 * ends the subscription with BELAY_EAGAIN. A signal whose subscription fails counts as one that
 * ends with that error.
 *
 * A signal that is interrupted (its source goes without an end) counts as ended while other signals
 * are left that may send. The whole is interrupted after them.
 */
#ifndef BELAY_FLATTENING_H
#define BELAY_FLATTENING_H

#include "operator.h"
#include "scheduler.h"

typedef belay_signal *(*belay_catch_fn)(void *ctx, const belay_error *error);
/* `events` is borrowed: to return `events` itself, retain it. */
typedef belay_signal *(*belay_when_fn)(void *ctx, belay_signal *events);
/* Returns 0 or more to continue; < 0: failed. */
typedef int (*belay_attempt_fn)(void *ctx, belay_value value);

BELAY_BEGIN

/* ---- signals made of values ---- */

/* Makes a signal of each value and sends the values of all these signals, as they come. At most
   `limit` signals are active at a time; a later value waits, and its signal is made when its turn
   comes. BELAY_UNLIMITED means no limit; 0 is BELAY_EINVAL. Completes when the source and all
   signals have completed. Ends with the first error. */
BELAY_EXPORT belay_op *belay_op_flat_map(size_t limit, belay_flat_map_fn map, void *ctx,
                                         belay_free_fn ctx_free);
/* Makes a signal of each value and sends the values of one signal after the other: a flat_map with
   a limit of 1. */
BELAY_EXPORT belay_op *belay_op_concat_map(belay_flat_map_fn map, void *ctx,
                                           belay_free_fn ctx_free);
/* Makes a signal of each value and sends the values of the latest one. The one before is disposed
   of. */
BELAY_EXPORT belay_op *belay_op_switch_map(belay_flat_map_fn map, void *ctx,
                                           belay_free_fn ctx_free);
/* Makes a signal of a value and sends the values of that signal. Drops values that come while it is
   active. */
BELAY_EXPORT belay_op *belay_op_exhaust_map(belay_flat_map_fn map, void *ctx,
                                            belay_free_fn ctx_free);
/* Sends each value, makes a signal of it, and treats the values of that signal in the same way.
   Values that a signal sends at once follow in their order. At most `limit` signals are active at a
   time, as in belay_op_flat_map(). */
BELAY_EXPORT belay_op *belay_op_expand(size_t limit, belay_flat_map_fn map, void *ctx,
                                       belay_free_fn ctx_free);

/* ---- values that are signals (belay_value_from_signal()); another value is BELAY_EKIND ---- */

/* Sends the values of all signals as they come, of at most `limit` signals at a time, as in
   belay_op_flat_map(). A value that is not a signal is BELAY_EKIND. */
BELAY_EXPORT belay_op *belay_op_merge_all(size_t limit);
/* Sends the values of one signal after the other. A value that is not a signal is BELAY_EKIND. */
BELAY_EXPORT belay_op *belay_op_concat_all(void);
/* Sends the values of the latest signal. The one before is disposed of. A value that is not a
   signal is BELAY_EKIND. */
BELAY_EXPORT belay_op *belay_op_switch_to_latest(void);

/* ---- several signals at once ---- */

/* Sends the values of the source and of `others` (each taken over) as they come. Completes when all
   of them have completed. Ends with the first error. */
BELAY_EXPORT belay_op *belay_op_merge(belay_signal *const *others, size_t count);
/* Sends the values of `count` signals (each taken over) as they come. Completes when all of them
   have completed. Ends with the first error. */
BELAY_EXPORT belay_signal *belay_signal_merge(belay_signal *const *inputs, size_t count);
/* Sends the values of all signals (each taken over) as they come, but holds an error back until all
   of them have ended. Of several errors, the first one is passed on. */
BELAY_EXPORT belay_op *belay_op_merge_delay_error(belay_signal *const *others, size_t count);
BELAY_EXPORT belay_signal *belay_signal_merge_delay_error(belay_signal *const *inputs,
                                                          size_t count);

/* ---- one after another: each begins when the one before has completed ---- */

/* Sends the values of the source, then those of `others` (each taken over), one after the other. */
BELAY_EXPORT belay_op *belay_op_concat(belay_signal *const *others, size_t count);
/* Sends the values of `count` signals (each taken over), one after the other. */
BELAY_EXPORT belay_signal *belay_signal_concat(belay_signal *const *inputs, size_t count);
/* Drops the values of the source. Sends those of `next` (taken over) after its completion. */
BELAY_EXPORT belay_op *belay_op_then(belay_signal *next);
/* Subscribes again after each completion, `count` times in all. 0 completes at once;
   BELAY_UNLIMITED is without end. */
BELAY_EXPORT belay_op *belay_op_repeat(size_t count);
/* Calls `answer` at the first completion to get a signal, and sends a null value into `events` at
   each completion. A value of that signal subscribes again. Its completion completes with the
   completion of the source. Its error is passed on. */
BELAY_EXPORT belay_op *belay_op_repeat_when(belay_when_fn answer, void *ctx,
                                            belay_free_fn ctx_free);

/* ---- errors ---- */

/* Continues after an error with the signal that `recover` returns. An error of that signal is
   passed on. */
BELAY_EXPORT belay_op *belay_op_catch(belay_catch_fn recover, void *ctx, belay_free_fn ctx_free);
/* Sends `value` (taken over) in place of an error, and completes. */
BELAY_EXPORT belay_op *belay_op_catch_to(belay_value value);
/* Subscribes again after each error, `count` times in all. The last error is passed on.
   BELAY_UNLIMITED is without end; 0 is BELAY_EINVAL. */
BELAY_EXPORT belay_op *belay_op_retry(size_t count);
/* Calls `answer` at the first error to get a signal, and sends each error into `events`. A value of
   that signal subscribes again. An end of that signal ends the result. */
BELAY_EXPORT belay_op *belay_op_retry_when(belay_when_fn answer, void *ctx,
                                           belay_free_fn ctx_free);
/* Subscribes again `seconds` after the first error. After each further error it waits `factor`
   times as long as before, but never longer than `max_seconds`; a wait of 0 stays 0. It subscribes
   `attempts` times in all, and then passes the error on; BELAY_UNLIMITED is without end. `jitter`,
   from 0 to 1, is the part of each wait that is random. With `reset_on_value`, a value lets the
   count and the waits begin anew, with the run that has sent it as the first one; without, values
   change neither. (RxJS's resetOnSuccess.) Retains `scheduler`; when it belongs to another loop,
   the subscription needs a loop too (BELAY_ENOHOME). BELAY_EINVAL for 0 attempts, a time or factor
   that is negative or NaN, and a jitter outside its range. */
BELAY_EXPORT belay_op *belay_op_retry_backoff(belay_scheduler *scheduler, double seconds,
                                              double factor, double max_seconds, double jitter,
                                              size_t attempts, int reset_on_value);
/* Calls `action` with each value before the value is passed on. If `action` fails, the signal ends
   with that error. */
BELAY_EXPORT belay_op *belay_op_attempt(belay_attempt_fn action, void *ctx,
                                        belay_free_fn ctx_free);

BELAY_END

#endif
