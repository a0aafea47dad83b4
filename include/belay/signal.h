/* Signals: `next* (error | completed)?`, then disposal, then nothing.
 *
 * A cold signal (creating.h) runs its producer once for each subscription. A hot signal (subject.h)
 * sends to the subscriptions that it has.
 *
 * Order. At a terminal event: `error` or `completed`, then `disposed`, then the teardown of the
 * operators from last to first, then that of the producer, then `ctx_free`. At an explicit
 * disposal: the teardown of the producer, then that of the operators from first to last, then
 * `disposed`, then `ctx_free`. A disposal inside `next` does all of this at once except `ctx_free`,
 * which runs when `next` has returned. A source whose last handle is released without an end
 * interrupts its subscriptions: the order is that of a disposal, from the producer on, and there is
 * no event. (This is RxSwift's order. ReactiveObjC tears down first.)
 *
 * Home. The callbacks of a subscription and of its operators run at its home. The home is the loop
 * that the observer names, else the loop bound to the subscribing thread, else that thread.
 * observe_on and subscribe_on (timing.h) put a part of the chain elsewhere. A shared source has no
 * home: where the observer names no loop, its subscriptions run on the threads that send, one event
 * at a time. An event that is raised elsewhere is queued to the home. When the queue of the home's
 * loop is full, a subscription to a source with another home ends with the error BELAY_EAGAIN,
 * because nobody would see a gap.
 *
 * Ownership. belay_signal_subscribe() retains what it needs and takes nothing over. Releasing the
 * disposable that it stores does not end the subscription. The subscription ends at its terminal
 * event, at a disposal, when its owner dies, or when its source goes.
 */
#ifndef BELAY_SIGNAL_H
#define BELAY_SIGNAL_H

#include "base.h"
#include "error.h"
#include "value.h"

/* The callbacks of a subscription, and how it runs. Every callback may be NULL. Zero the members
   that you do not use. `size` is sizeof(belay_observer). */
typedef struct belay_observer {
  size_t size;
  /* `value` is borrowed. The callback may fail by belay_fail(): the subscription then ends with
     that error. */
  void (*next)(void *ctx, belay_value value);
  /* `error` is borrowed. NULL: the error goes to the hook for unhandled errors (error.h). */
  void (*error)(void *ctx, const belay_error *error);
  void (*completed)(void *ctx);
  void (*disposed)(void *ctx); /* runs exactly once, however the subscription ended */
  void *ctx;
  belay_free_fn ctx_free;
  /* Static; the name of the subscription in reports. NULL: the name of its signal; in the report of
     a close, which has static names only, the label of its source. */
  const char *label;
  const char *site; /* static; BELAY_HERE */
  /* The home of the subscription. NULL: the loop bound to this thread, else this thread; for a
     shared source, the threads that send. Below observe_on it is the scheduler's. The subscription
     ends when this handle is closed: see loop.h. */
  belay_loop *loop;
  /* The subscription ends when the owner dies. With an owner that is dying or dead, the call still
     returns 0 and the subscription is disposed at once. NULL: no owner. */
  belay_owner *owner;
  /* Use this instead of `next`, which must be NULL then. It gets the values that come in one batch
     together, 1 to 256 of them. The values and their array are borrowed. A batch is what from,
     range, repeat_value, a replay, next_batch or one read of a file sends, or what reaches a loop
     in one turn. Any other value comes alone; that of a shared source may come with the batch that
     another thread is sending there. A signal, such as a window or a group, comes at once, with the
     values that have gathered, because it keeps none for later. An end comes after the values; a
     disposal drops the values that have not been delivered. The operators before this one have seen
     the whole batch by then. The callback is never entered again from inside itself. It may fail
     like `next`. */
  void (*next_batch)(void *ctx, const belay_value *values, size_t count);
} belay_observer;

/* The policy for a value that is sent from inside a delivery of the same source. A queued value is
   delivered after its sender has returned, and the sender gets BELAY_QUEUED. A belay_pointer() to
   something that the sender has only lent dangles at that point. If the values of a source point to
   things that live only during the call (the arguments of a toolkit's signal, say), make the source
   depth first, or send copies. */
typedef enum belay_reentrancy {
  BELAY_REENTRANCY_QUEUE = 0, /* deliver after the event in progress has reached everybody */
  BELAY_REENTRANCY_DEPTH_FIRST, /* deliver at once */
  BELAY_REENTRANCY_LATEST, /* queue, but keep only the latest value */
  BELAY_REENTRANCY_REJECT  /* refuse with BELAY_EREENTRANT */
} belay_reentrancy;

/* How a source is made. NULL, or zeroes after `size`, means the defaults. */
typedef struct belay_source_options {
  size_t size;
  const char *label;           /* static; the name of the source in reports */
  const char *site;            /* static; BELAY_HERE */
  /* Its home. NULL: the loop bound to this thread, else this thread. BELAY_EINVAL with `shared`. */
  belay_loop *loop;
  belay_reentrancy reentrancy; /* terminal events are always queued, except depth first */
  /* How many values may wait while another is delivered; 0: 1024. A value beyond that gets
     BELAY_EAGAIN. (Values from other threads wait in the queue of the loop: loop.h. In a shared
     source they count here, and so do those of bindings. Where several shared sources feed one
     subscription, they count together, and the largest capacity holds.) */
  size_t capacity;
  /* 1: the source has no home. A send delivers on the sender's thread, one send at a time. A value
     that another thread sends meanwhile is delivered by the thread that is delivering, or by one
     that takes turns with it. A subscription whose observer names a loop is called there. */
  int shared;
} belay_source_options;

/* The policy for a value whose queue is full. */
typedef enum belay_queue_policy {
  /* The subscription ends with BELAY_EAGAIN: that of observe_on after the values that wait. */
  BELAY_QUEUE_ERROR = 0,
  BELAY_QUEUE_DROP_OLDEST, /* the oldest value that waits is dropped */
  BELAY_QUEUE_DROP_NEWEST, /* the new value is dropped */
  BELAY_QUEUE_LATEST,      /* only the latest value waits, whatever the capacity */
  /* The sender sleeps until there is room in the queue of observe_on. On a thread with a loop, in
     work of a pool's scheduler, where the same thread empties the queue or waits for the sender,
     and in any other queue, this is BELAY_QUEUE_ERROR. */
  BELAY_QUEUE_BLOCK
} belay_queue_policy;

/* How an operator queues. NULL, or zeroes after `size`, means the defaults. */
typedef struct belay_queue_options {
  size_t size;
  belay_queue_policy policy;
  /* How many values may wait in each queue; 0: 1024; BELAY_UNLIMITED: the queue grows. Ends are
     never refused. */
  size_t capacity;
  /* The largest number of values that ever waited in one queue of a subscription, stored
     atomically. Borrowed: it has to live as long as the signal and its subscriptions. NULL: not
     wanted. */
  size_t *high_water;
} belay_queue_options;

BELAY_BEGIN

/* Adds a reference to `signal` and returns `signal`. */
BELAY_EXPORT belay_signal *belay_signal_retain(belay_signal *signal);
/* Gives a reference back. The last release of a subject interrupts its subscriptions. */
BELAY_EXPORT void belay_signal_release(belay_signal *signal);

/* Returns the name of the signal: its label, or a name built from its chain ("lines.filter.map").
   Borrowed; it lives as long as the signal. */
BELAY_EXPORT const char *belay_signal_name(belay_signal *signal);
/* Gives the signal a name of its own, which is copied. NULL restores the built name. Call this
   before other threads share the signal. Returns 0, or BELAY_EINVAL for a NULL signal. */
BELAY_EXPORT int belay_signal_set_name(belay_signal *signal, const char *name);

/* Bounds the queues that the signal's own operator keeps in each subscription. Without it, each
   takes 1024 values and then ends the subscription with BELAY_EAGAIN. Queues are kept by zip (one
   for each input), concat_map, concat_all, flat_map and merge_all with a limit, expand, delay,
   take_last_for, skip_last_for, observe_on, subscribe_on, and, for values that are sent from inside
   a delivery, by buffer and by every operator that has a time or joins signals. The queues of
   sequence_equal and delay_when, the groups of group_by, the open windows of window_toggle, and
   values sent from inside cannot be dropped: there every policy is BELAY_QUEUE_ERROR. (flat_map,
   merge_all and delay_when follow it for values sent from inside, too.) `options` is copied; NULL
   means the defaults. Call this before the first subscription. Any thread. Returns 0;
   BELAY_EBUSY when the signal had a subscription already; BELAY_EINVAL for a NULL signal, wrong
   options, and a signal that keeps no queue. (RxJava's onBackpressureBuffer has these policies.) */
BELAY_EXPORT int belay_signal_set_queue(belay_signal *signal, const belay_queue_options *options);
/* Returns the largest number of values that ever waited in one queue of the signal's own operator.
   Of a subject, a property's signal and a group it is the largest number that waited for a delivery
   in progress; their capacity is in belay_source_options. The values that a replay keeps do not
   wait. 0 for any other signal, and for NULL. Any thread. */
BELAY_EXPORT size_t belay_signal_queue_high_water(belay_signal *signal);
/* Makes an observer that may be subscribed several times, to any signals: its context gets a count
   of references, and `*observer` one of them. (RxSwift's AnyObserver of handlers.) Subscribing
   takes one reference, also on failure:

       belay_observer_share(&observer);
       belay_signal_subscribe(one, belay_observer_retain(&observer), NULL);
       belay_signal_subscribe(other, belay_observer_retain(&observer), NULL);
       belay_observer_release(&observer);

   Each subscription has its own grammar, home and end, so that `completed` or `error`, and
   `disposed`, run once for each of them. Callbacks of subscriptions at different homes may run at
   the same time. `ctx_free` runs once, when the last reference has gone. To have one grammar for
   all of them, which the first end ends (ReactiveObjC's subscriber of several signals), subscribe
   to a subject, bind the signals to it (belay_signal_bind()), and end the bindings in `disposed`.

   Changes the callbacks, `ctx` and `ctx_free` of `*observer`; only these functions understand them.
   Its other members may be set before each subscription. Does nothing to an observer that has been
   shared. Returns 0; BELAY_EINVAL for NULL or a wrong size. */
BELAY_EXPORT int belay_observer_share(belay_observer *observer);
/* Adds a reference to a shared observer and returns `observer`. NULL: BELAY_EINVAL for NULL, or for
   an observer that has not been shared. */
BELAY_EXPORT const belay_observer *belay_observer_retain(const belay_observer *observer);
/* Gives a reference back. */
BELAY_EXPORT void belay_observer_release(const belay_observer *observer);

/* Subscribes to the signal. `observer` is copied. `*disposable` (may be NULL) gets a reference
   before any callback runs, so that a callback can dispose of the subscription while this call is
   still running; it is NULL on failure. `ctx_free` also runs on failure, before this call returns,
   unless `size` is wrong: Belay then reads nothing else of the struct.

   Any thread may call this. Away from the home of the source, and from a loop that the observer
   names, the disposable exists at once and the start is posted there.

   Returns 0; BELAY_EINVAL for NULL, or for both `next` and `next_batch`; BELAY_ECLOSED when the
   observer's loop is closed; BELAY_ENOHOME when the start has to be posted to a home without a
   loop; BELAY_ECANCELED when that home or the subscription's is closing; BELAY_ERANGE, also as the
   error event, when more than 1000 operators or signals inside signals lie between a source and
   this subscription. */
BELAY_EXPORT int belay_signal_subscribe(belay_signal *signal, const belay_observer *observer,
                                        belay_disposable **disposable);

/* ---- subscribers: where a producer sends (belay_signal_create(), creating.h) ---- */

/* Adds a reference. A producer may keep a subscriber and use it on any thread; an event that it
   sends away from the home of the subscription is queued there. When the last reference is released
   without an end, the subscription is interrupted. */
BELAY_EXPORT belay_subscriber *belay_subscriber_retain(belay_subscriber *subscriber);
/* Gives a reference back. */
BELAY_EXPORT void belay_subscriber_release(belay_subscriber *subscriber);

/* Sends one event to the subscription. `value` is given away in every case; `error` is not. Any
   thread. Each returns 0, BELAY_QUEUED (accepted, delivered later), BELAY_EENDED (ended or
   disposed: dropped), BELAY_EAGAIN (a queue is full), BELAY_ENOHOME, or BELAY_ECANCELED (the loop
   is closed). */
BELAY_EXPORT int belay_subscriber_next(belay_subscriber *subscriber, belay_value value);
/* Sends a value like belay_subscriber_next(). While the queue is full, waits for room, at most
   `timeout` seconds; negative means without limit. Returns what belay_subscriber_next() returns,
   but instead of BELAY_EAGAIN: BELAY_ETIMEDOUT; or BELAY_EDEADLK at once, at the home of the
   subscription, on a thread that has a loop, and in work of a pool's scheduler, because others may
   wait for that loop or work; and when the thread of the home waits for this one (in
   belay_disposable_dispose_sync() or in such a call). BELAY_EINVAL for NaN. */
BELAY_EXPORT int belay_subscriber_next_wait(belay_subscriber *subscriber, belay_value value,
                                            double timeout);
/* Sends `count` values (each given away) as one batch: see `next_batch` of belay_observer. Returns
   the code of the first value that was refused; the values after it are dropped. If none was
   refused, returns the code of the last value. BELAY_EINVAL for NULL with a count. */
BELAY_EXPORT int belay_subscriber_next_batch(belay_subscriber *subscriber,
                                             const belay_value *values, size_t count);
BELAY_EXPORT int belay_subscriber_error(belay_subscriber *subscriber, const belay_error *error);
BELAY_EXPORT int belay_subscriber_completed(belay_subscriber *subscriber);
/* Binds `disposable` to the subscription: it is disposed when the subscription ends, like the one
   that the producer returns. Takes nothing over. Returns 0 or BELAY_EINVAL. */
BELAY_EXPORT int belay_subscriber_add(belay_subscriber *subscriber, belay_disposable *disposable);
/* Returns 1 when the subscription has ended or an end is on its way to it, 0 while it is active. */
BELAY_EXPORT int belay_subscriber_is_disposed(belay_subscriber *subscriber);

BELAY_END

#endif
