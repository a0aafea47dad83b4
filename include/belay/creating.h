/* Signals that are made of something: of a callback, of numbers, of a resource.
 *
 * Each makes its values anew for every subscription, and stops as soon as nobody listens. Unless a
 * scheduler has to run first, they come before subscribing returns: who subscribes to what never
 * ends by itself disposes of it from inside (by belay_op_take(), or by the disposable, which is
 * stored before), or from another thread.
 *
 * Callbacks run at the subscription's home. `ctx_free` runs once, when the signal and its last
 * subscription are gone, also when making it fails (NULL; BELAY_EINVAL for a missing callback).
 */
#ifndef BELAY_CREATING_H
#define BELAY_CREATING_H

#include "operator.h"

/* Returns a signal that is given away. NULL is a failure: belay_fail()'s error, else BELAY_EINVAL,
   ends the subscription. */
typedef belay_signal *(*belay_make_signal_fn)(void *ctx);
/* 1: `*out` is the next value, given away; 0: there are no more; < 0: failed (belay_fail). */
typedef int (*belay_iterate_fn)(void *ctx, belay_value *out);
/* Returns a value that is given away, or belay_value_failure(). */
typedef belay_value (*belay_produce_fn)(void *ctx);
/* Makes a resource: returns what ends it, which is given away (NULL: it failed, as above), and may
   set `*resource`, NULL before, to what it is. */
typedef belay_disposable *(*belay_make_resource_fn)(void *ctx, void **resource);
/* Makes the signal that uses `resource`; as belay_make_signal_fn. */
typedef belay_signal *(*belay_use_resource_fn)(void *ctx, void *resource);

BELAY_BEGIN

/* The signal that `make` returns for each subscription. */
BELAY_EXPORT belay_signal *belay_signal_defer(belay_make_signal_fn make, void *ctx,
                                              belay_free_fn ctx_free);
/* `count` int64s from `start` on, then completed. BELAY_ERANGE past INT64_MAX. */
BELAY_EXPORT belay_signal *belay_signal_range(int64_t start, uint64_t count);
/* A loop: begins with the state `initial` (taken over), sends what `result` makes of each state,
   and goes on to the state that `next` returns, while `condition` answers 1. `condition` may be
   NULL: for ever; and `result`: the states themselves. The three have one `ctx`. */
BELAY_EXPORT belay_signal *belay_signal_generate(belay_value initial,
                                                 belay_predicate_fn condition, belay_map_fn next,
                                                 belay_map_fn result, void *ctx,
                                                 belay_free_fn ctx_free);
/* What `next` stores each time that it is called, until it returns 0, which completes. All
   subscriptions call it with the same `ctx`; belay_signal_defer() gives each its own. */
BELAY_EXPORT belay_signal *belay_signal_from_iterator(belay_iterate_fn next, void *ctx,
                                                      belay_free_fn ctx_free);
/* A value (taken over), then completed; of null only the completion. */
BELAY_EXPORT belay_signal *belay_signal_from_optional(belay_value value);
/* A value (taken over), then completed; a failure value as the error. */
BELAY_EXPORT belay_signal *belay_signal_from_result(belay_value result);
/* The value (taken over) `count` times, then completed; BELAY_UNLIMITED: until it is
   disposed of. */
BELAY_EXPORT belay_signal *belay_signal_repeat_value(belay_value value, size_t count);
/* For each subscription makes a resource and the signal that uses it; the resource is ended with
   the subscription. */
BELAY_EXPORT belay_signal *belay_signal_using(belay_make_resource_fn make,
                                              belay_use_resource_fn use, void *ctx,
                                              belay_free_fn ctx_free);
/* Runs `work` on `scheduler` (kept) for each subscription, and sends what it returns, then
   completed. A disposal before its turn keeps it from running. BELAY_ENOHOME from subscribing when
   the scheduler is another loop's or a pool's and the subscription has no loop. */
BELAY_EXPORT belay_signal *belay_signal_start(belay_scheduler *scheduler, belay_produce_fn work,
                                              void *ctx, belay_free_fn ctx_free);
/* Runs `work` on `scheduler` (kept until then) once, whether or not somebody listens, and sends
   what it returns, then completed, also to who comes later. Its home is this thread's. What kept it
   from running is the error, BELAY_ENOHOME as for belay_signal_start(); when the scheduler drops
   it, as a loop that closes does, the signal is interrupted. `ctx_free` runs after the work.
   (ReactiveX's start; ReactiveObjC's startEagerlyWithScheduler:.) */
BELAY_EXPORT belay_signal *belay_signal_start_eagerly(belay_scheduler *scheduler,
                                                      belay_produce_fn work, void *ctx,
                                                      belay_free_fn ctx_free);

BELAY_END

#endif
