/* Signals that are made of something: of a producer, of values, of a callback, of time.
 *
 * Each makes its values anew for every subscription, and stops as soon as the subscription ends.
 * Unless a scheduler has to run first, the values come before belay_signal_subscribe() returns. So
 * a subscription to an endless signal has to be disposed of from inside (by belay_op_take(), or by
 * the disposable, which is stored before the first value), or on another thread.
 *
 * Callbacks run at the home of the subscription. `ctx_free` runs once, when the signal and its last
 * subscription are gone, also when the constructor fails. The constructors return NULL on failure,
 * and record BELAY_EINVAL for a missing callback. Release their result.
 */
#ifndef BELAY_CREATING_H
#define BELAY_CREATING_H

#include "operator.h"

/* A producer. It runs once for each subscription, at the home of the subscription. `subscriber` is
   borrowed: retain it to send later, otherwise the subscription is interrupted when this callback
   returns. The callback returns a disposable, which it gives away, or NULL. The disposable is the
   teardown of the producer. It is disposed when the subscription ends, or at once if the
   subscription has ended already. */
typedef belay_disposable *(*belay_subscribe_fn)(void *ctx, belay_subscriber *subscriber);

/* Returns a signal, which is given away. NULL is a failure: the subscription ends with the error of
   belay_fail(), else with BELAY_EINVAL. */
typedef belay_signal *(*belay_make_signal_fn)(void *ctx);
/* Returns 1 after storing the next value, which is given away, into `*out`; 0 when there are no
   more; < 0 when it has failed (belay_fail()). With 0 and with a failure nothing is given away,
   whatever is in `*out`. */
typedef int (*belay_iterate_fn)(void *ctx, belay_value *out);
/* Returns a value, which is given away, or belay_value_failure(). */
typedef belay_value (*belay_produce_fn)(void *ctx);
/* Makes a resource. Returns the disposable that ends it, which is given away; NULL is a failure, as
   for belay_make_signal_fn. May set `*resource`, which is NULL before, to the resource itself. */
typedef belay_disposable *(*belay_make_resource_fn)(void *ctx, void **resource);
/* Makes the signal that uses `resource`. Ownership and failure are those of
   belay_make_signal_fn. */
typedef belay_signal *(*belay_use_resource_fn)(void *ctx, void *resource);

BELAY_BEGIN

/* ---- a producer ---- */

/* Creates a cold signal. `ctx_free` runs when the signal and its last subscription are gone, also
   when this fails. `options` may be NULL. Its `loop` is not used, because each subscription has its
   own home, but it is checked. NULL: BELAY_EINVAL for a NULL `subscribe` or wrong options, as for
   both `loop` and `shared`; BELAY_ECLOSED for a closed `loop`. */
BELAY_EXPORT belay_signal *belay_signal_create(belay_subscribe_fn subscribe, void *ctx,
                                               belay_free_fn ctx_free,
                                               const belay_source_options *options);

/* ---- values and ends ---- */

/* Sends one value (taken over), then completes. */
BELAY_EXPORT belay_signal *belay_signal_just(belay_value value);
/* Sends `count` values (each taken over), then completes. NULL: BELAY_EINVAL for NULL with a
   count. */
BELAY_EXPORT belay_signal *belay_signal_from(const belay_value *values, size_t count);
/* Completes at once. */
BELAY_EXPORT belay_signal *belay_signal_empty(void);
/* Sends nothing and never ends. It is interrupted when its home closes. */
BELAY_EXPORT belay_signal *belay_signal_never(void);
/* Sends an error at once. Retains `error`. */
BELAY_EXPORT belay_signal *belay_signal_error(const belay_error *error);
/* Sends a value (taken over), then completes. For null it only completes. */
BELAY_EXPORT belay_signal *belay_signal_from_optional(belay_value value);
/* Sends a value (taken over), then completes. A failure value is sent as the error. */
BELAY_EXPORT belay_signal *belay_signal_from_result(belay_value result);
/* Sends a value (taken over) `count` times, then completes. BELAY_UNLIMITED means until the
   disposal. */
BELAY_EXPORT belay_signal *belay_signal_repeat_value(belay_value value, size_t count);
/* Sends `count` int64 values from `start` on, then completes. NULL: BELAY_ERANGE past INT64_MAX. */
BELAY_EXPORT belay_signal *belay_signal_range(int64_t start, uint64_t count);

/* ---- callbacks ---- */

/* Calls `make` for each subscription and sends the events of the signal that it returns. */
BELAY_EXPORT belay_signal *belay_signal_defer(belay_make_signal_fn make, void *ctx,
                                              belay_free_fn ctx_free);
/* Sends values from a loop. The loop begins with the state `initial` (taken over), sends the value
   that `result` makes of each state, and continues with the state that `next` returns, while
   `condition` returns 1. A NULL `condition` means without end. A NULL `result` sends the states
   themselves. The three callbacks share one `ctx`. */
BELAY_EXPORT belay_signal *belay_signal_generate(belay_value initial,
                                                 belay_predicate_fn condition, belay_map_fn next,
                                                 belay_map_fn result, void *ctx,
                                                 belay_free_fn ctx_free);
/* Calls `next` repeatedly and sends the values that it stores; completes when it returns 0. All
   subscriptions call it with the same `ctx`. Use belay_signal_defer() to give each its own. */
BELAY_EXPORT belay_signal *belay_signal_from_iterator(belay_iterate_fn next, void *ctx,
                                                      belay_free_fn ctx_free);
/* For each subscription, makes a resource and the signal that uses it. The resource ends when the
   subscription ends, or when `use` returns if that is later. */
BELAY_EXPORT belay_signal *belay_signal_using(belay_make_resource_fn make,
                                              belay_use_resource_fn use, void *ctx,
                                              belay_free_fn ctx_free);

/* ---- a scheduler: its work, and its time ---- */

/* For each subscription, runs `work` on `scheduler`, sends the value that it returns, then
   completes. Retains `scheduler`. A disposal before the work has started prevents it. Subscribing
   returns BELAY_ENOHOME when `scheduler` belongs to another loop or a pool and the subscription has
   no loop; BELAY_ECANCELED if that loop has been closed. */
BELAY_EXPORT belay_signal *belay_signal_start(belay_scheduler *scheduler, belay_produce_fn work,
                                              void *ctx, belay_free_fn ctx_free);
/* Runs `work` on `scheduler` once, also without a subscription, sends the value that it returns,
   then completes. A later subscription gets both. Retains `scheduler` until the work has run. The
   home of the signal is that of this thread. If the work cannot be scheduled, the signal ends with
   that error, which is BELAY_ENOHOME in the case of belay_signal_start(). If the scheduler drops
   the work, as a loop does that closes, the signal is interrupted. `ctx_free` runs after the work.
   (ReactiveX's start; ReactiveObjC's startEagerlyWithScheduler:.) */
BELAY_EXPORT belay_signal *belay_signal_start_eagerly(belay_scheduler *scheduler,
                                                      belay_produce_fn work, void *ctx,
                                                      belay_free_fn ctx_free);
/* Sends uint64 0 after `seconds`, then completes. Each subscription has its own timer, which keeps
   the loop alive. Retains `scheduler`. Subscribing returns BELAY_ENOHOME when `scheduler` belongs
   to another loop or a pool and the subscription has no loop; BELAY_ECANCELED if that loop has been
   closed. */
BELAY_EXPORT belay_signal *belay_signal_timer(belay_scheduler *scheduler, double seconds);
/* Sends uint64 0, 1, 2, … every `seconds` (> 0), the first after one interval. Each subscription
   has its own timer, which keeps the loop alive. Retains `scheduler`. Subscribing returns
   BELAY_ENOHOME as with belay_signal_timer(). */
BELAY_EXPORT belay_signal *belay_signal_interval(belay_scheduler *scheduler, double seconds);

BELAY_END

#endif
