/* Operators for time and for the place where events are delivered. Ownership is that of operator.h.
 * A scheduler is retained, not taken over.
 *
 * Times are seconds on the scheduler's clock, limited to the range that it can count. NaN is
 * BELAY_EINVAL, and so is a window that is not above 0. When the scheduler belongs to another loop,
 * the subscription needs a loop too (BELAY_ENOHOME, or BELAY_ECANCELED if that loop has been
 * closed). While values keep coming, debounce, throttle, audit and timeout need no timer operation
 * for each event. An error or a disposal drops the values that wait.
 */
#ifndef BELAY_TIMING_H
#define BELAY_TIMING_H

#include "base.h"
#include "operator.h"
#include "scheduler.h"
#include "signal.h"

BELAY_BEGIN

/* Sends the last value when no other has come for `seconds` (> 0). A completion sends the value
   that waits first. Keeps one value. */
BELAY_EXPORT belay_op *belay_op_debounce(belay_scheduler *scheduler, double seconds);

/* Debounces the values for which `waits` returns 1. Any other value is sent at once, and drops the
   value that waits. (ReactiveObjC's throttle:valuesPassingTest:.) */
BELAY_EXPORT belay_op *belay_op_debounce_if(belay_scheduler *scheduler, double seconds,
                                            belay_predicate_fn waits, void *ctx,
                                            belay_free_fn ctx_free);

/* Sends at most one value in `seconds` (> 0). With `leading` (0 or 1) it sends the first value,
   which starts the time. With `trailing` it sends the last of the values that came meanwhile when
   the time is over, which starts it again. A completion waits for a trailing value. Keeps one
   value. (RxJS's throttleTime.) */
BELAY_EXPORT belay_op *belay_op_throttle(belay_scheduler *scheduler, double seconds, int leading,
                                         int trailing);

/* Starts a time of `seconds` (> 0) at a value, and sends the last value that has come when the time
   is over. A completion waits for that value. Keeps one value. (RxJS's auditTime.) */
BELAY_EXPORT belay_op *belay_op_audit(belay_scheduler *scheduler, double seconds);

/* Sends the latest value each time that `notifier` (taken over) sends one, if a new value has come
   since the last time. Ends when the source ends, without sending the value that waits. An error of
   `notifier` ends the signal too; its completion changes nothing. Keeps one value. */
BELAY_EXPORT belay_op *belay_op_sample(belay_signal *notifier);

/* Sends the latest value every `seconds` (> 0), if a new value has come since the last time. Ends
   when the source ends, without sending the value that waits. Keeps one value. */
BELAY_EXPORT belay_op *belay_op_sample_time(belay_scheduler *scheduler, double seconds);

/* Sends values and the completion `seconds` later (negative counts as 0), in their order. Sends an
   error at once. Keeps the values of the last `seconds`. */
BELAY_EXPORT belay_op *belay_op_delay(belay_scheduler *scheduler, double seconds);

/* Subscribes to the source after `seconds` (negative counts as 0). */
BELAY_EXPORT belay_op *belay_op_delay_subscription(belay_scheduler *scheduler, double seconds);

/* Waits at most `seconds` (> 0) for an event, from the subscription or from the last value on. When
   that time is over it continues with `fallback` (taken over), to which no limit applies. When
   `fallback` is NULL, it ends with the error BELAY_ETIMEDOUT. */
BELAY_EXPORT belay_op *belay_op_timeout(belay_scheduler *scheduler, double seconds,
                                        belay_signal *fallback);

/* Holds the latest value back while the last value of `condition` (taken over) is true, and sends
   it when that becomes false. Before the first value of `condition` all values pass. A value of
   `condition` that is not a bool is the error event BELAY_EKIND. Ends when the source ends, without
   sending the value that waits. An error of `condition` ends the signal too; its completion changes
   nothing. Keeps one value. */
BELAY_EXPORT belay_op *belay_op_throttle_while(belay_signal *condition);

/* Makes a signal of each value, and sends the last value when the signal made of it sends one,
   unless another value has come before. A completion sends the value that waits first. The
   completion of a signal that was made changes nothing; its error ends the signal. Keeps one value.
   (RxJS's debounce.) */
BELAY_EXPORT belay_op *belay_op_debounce_when(belay_flat_map_fn period, void *ctx,
                                              belay_free_fn ctx_free);

/* A value begins a period, which ends when the signal made of the value sends one or completes.
   With `leading` (0 or 1) the value that begins a period is sent at once. With `trailing` the last
   value that came during the period is sent when that signal sends one, and begins the next period;
   a completion of that signal drops it. A completion waits for a trailing value. An error of a
   signal that was made ends this one. Keeps one value. (RxJS's throttle.) */
BELAY_EXPORT belay_op *belay_op_throttle_when(belay_flat_map_fn period, void *ctx,
                                              belay_free_fn ctx_free, int leading, int trailing);

/* Makes a signal of a value, and when that sends one, sends the last value that has come. A
   completion waits for that value. If the signal completes without a value, the last value waits
   for the next one. An error of the signal ends this one. Keeps one value. (RxJS's audit.) */
BELAY_EXPORT belay_op *belay_op_audit_when(belay_flat_map_fn period, void *ctx,
                                           belay_free_fn ctx_free);

/* Makes a signal of each value, and ends with the error BELAY_ETIMEDOUT when it sends one before
   the next value has come. `first` (taken over) does so for the first value; with NULL nothing
   limits the time before it. When the time is over and `fallback` (taken over) is not NULL,
   continues with that instead of the error, and nothing limits its time. The completion of `first`
   or of a signal that was made changes nothing; its error ends the signal. (ReactiveX's timeout
   with a mapper.) */
BELAY_EXPORT belay_op *belay_op_timeout_when(belay_signal *first, belay_signal *fallback,
                                             belay_flat_map_fn period, void *ctx,
                                             belay_free_fn ctx_free);

/* Makes a signal of each value, and sends the value when that signal sends one: values may change
   their order. Drops the value if its signal completes without one. Completes with the source and
   all of these signals, and ends with the first error. 1024 values may wait;
   belay_signal_set_queue() changes that. (RxJS's delayWhen.) */
BELAY_EXPORT belay_op *belay_op_delay_when(belay_flat_map_fn period, void *ctx,
                                           belay_free_fn ctx_free);

/* Delivers events by work on `scheduler`, in their order, from a bounded queue. `options` may be
   NULL.

   When `scheduler` is that of a loop or a pool, the operators below this one run there. That is
   then the home of a subscription to the resulting signal, whatever its observer names. The
   operators above run where the program subscribes: at the observer's loop, else at that of the
   thread. Where signals are joined below, their home is that of the join, and events go on from the
   scheduler to there.

   An operator below that sends when it starts, or that has a time or a second signal, starts at the
   loop: the source then needs a home with a loop (BELAY_ENOHOME). belay_disposable_dispose_sync()
   waits for the operators below and for those above. */
BELAY_EXPORT belay_op *belay_op_observe_on(belay_scheduler *scheduler,
                                           const belay_queue_options *options);

/* Subscribes to the source by work on `scheduler`. When that is the scheduler of another loop or a
   pool, the source and the operators above run there, and their events are queued to the home of
   the subscription: 1024 values, then the error BELAY_EAGAIN, unless belay_signal_set_queue() says
   otherwise. That home has to be a loop too (BELAY_ENOHOME). */
BELAY_EXPORT belay_op *belay_op_subscribe_on(belay_scheduler *scheduler);

BELAY_END

#endif
