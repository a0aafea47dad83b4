/* Operators about time and about where events are delivered. Ownership is as in operator.h; a
 * scheduler is kept, not taken over.
 *
 * Seconds are on the scheduler's clock, and are held within what it can count. NaN is BELAY_EINVAL,
 * and so is a window that is not above 0. When the scheduler is another loop's, the subscription
 * needs a loop too (BELAY_ENOHOME). While values keep coming, debounce, throttle, audit and
 * timeout cost no timer operation an event. What waits is dropped by an error and by a disposal.
 */
#ifndef BELAY_TIMING_H
#define BELAY_TIMING_H

#include "base.h"
#include "operator.h"
#include "scheduler.h"
#include "signal.h"

/* What happens to a value for which a queue has no room. */
typedef enum belay_queue_policy {
  BELAY_QUEUE_ERROR = 0,   /* the signal ends with the error BELAY_EAGAIN, after what waits */
  BELAY_QUEUE_DROP_OLDEST, /* the oldest that waits makes room */
  BELAY_QUEUE_DROP_NEWEST, /* it is dropped */
  BELAY_QUEUE_LATEST,      /* only the latest that waits is kept, whatever the capacity */
  BELAY_QUEUE_BLOCK /* its sender sleeps until there is room; on a thread with a loop, or where the
                       queue is emptied by the same thread, as BELAY_QUEUE_ERROR */
} belay_queue_policy;

/* How observe_on queues. NULL, or zeroes after `size`, for the defaults. */
typedef struct belay_queue_options {
  size_t size;
  belay_queue_policy policy;
  size_t capacity; /* how many values wait at most; 0: 1024. Ends are never refused */
  /* Raised, by an atomic store, to the most that ever waited in a subscription's queue. Borrowed:
     it has to live as long as the signal and its subscriptions. NULL: not wanted. */
  size_t *high_water;
} belay_queue_options;

BELAY_BEGIN

/* The last value, once none has come for `seconds` (> 0). Completion sends what waits first. Keeps
   one value. */
BELAY_EXPORT belay_op *belay_op_debounce(belay_scheduler *scheduler, double seconds);

/* The same for values for which `waits` returns 1. Any other is sent at once, and drops what waits.
   (ReactiveObjC's throttle:valuesPassingTest:.) */
BELAY_EXPORT belay_op *belay_op_debounce_if(belay_scheduler *scheduler, double seconds,
                                            belay_predicate_fn waits, void *ctx,
                                            belay_free_fn ctx_free);

/* At most one value in `seconds` (> 0): with `leading` (0 or 1) the first, which begins the time;
   with `trailing` the last of those that came meanwhile, when it is over, which begins it anew.
   Completion waits for a trailing value. Keeps one value. (RxJS's throttleTime.) */
BELAY_EXPORT belay_op *belay_op_throttle(belay_scheduler *scheduler, double seconds, int leading,
                                         int trailing);

/* A value begins a time of `seconds` (> 0), at whose end the last that came is sent. Completion
   waits for it. Keeps one value. (RxJS's auditTime.) */
BELAY_EXPORT belay_op *belay_op_audit(belay_scheduler *scheduler, double seconds);

/* The latest value, each time that `notifier` (taken over) sends one, if one has come since the
   last time. Ends with the source, without sending what waits; the notifier's error ends it too,
   its completion changes nothing. Keeps one value. */
BELAY_EXPORT belay_op *belay_op_sample(belay_signal *notifier);

/* The same every `seconds` (> 0). */
BELAY_EXPORT belay_op *belay_op_sample_time(belay_scheduler *scheduler, double seconds);

/* Values and completion `seconds` later (negative counts as 0), in their order; an error at once.
   Keeps what came in the last `seconds`. */
BELAY_EXPORT belay_op *belay_op_delay(belay_scheduler *scheduler, double seconds);

/* Subscribes to the source after `seconds` (negative counts as 0). */
BELAY_EXPORT belay_op *belay_op_delay_subscription(belay_scheduler *scheduler, double seconds);

/* When no event has come for `seconds` (> 0) since the subscription, or since the last value: goes
   on with `fallback` (taken over), which has no limit, or, when that is NULL, ends with the error
   BELAY_ETIMEDOUT. */
BELAY_EXPORT belay_op *belay_op_timeout(belay_scheduler *scheduler, double seconds,
                                        belay_signal *fallback);

/* While the last value of `condition` (taken over; BELAY_KIND_BOOL, anything else is an error
   event BELAY_EKIND) is true, holds the latest value back, and sends it when that becomes false;
   before its first value all pass. Ends with the source, without sending what waits; the
   condition's error ends it too, its completion changes nothing. Keeps one value. */
BELAY_EXPORT belay_op *belay_op_throttle_while(belay_signal *condition);

/* Events are delivered by work on `scheduler`, in their order, from a bounded queue. When that is
   a loop's or a pool's, everything below runs there, which so is the home of a subscription to the
   resulting signal, whatever its observer names; what is above runs where one subscribed (the
   observer's loop, else the thread's). Where signals are joined below, their home is the join's,
   and events go on from the scheduler to there. An operator below that sends when it starts, or
   has a time or a second signal, starts at the loop: then the source needs a home with a loop
   (BELAY_ENOHOME). belay_disposable_dispose_sync() waits for what is below; a callback above, at
   another home, may still be running. `options` may be NULL. */
BELAY_EXPORT belay_op *belay_op_observe_on(belay_scheduler *scheduler,
                                           const belay_queue_options *options);

/* The source is subscribed to by work on `scheduler`. When that is another loop's or a pool's,
   the source and what is above run there, and their events are queued to the subscription's home
   (1024 values, then the error BELAY_EAGAIN), which has to be a loop too (BELAY_ENOHOME). */
BELAY_EXPORT belay_op *belay_op_subscribe_on(belay_scheduler *scheduler);

BELAY_END

#endif
