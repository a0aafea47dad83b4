/* Signals: `next* (error | completed)?`, then disposal, then nothing.
 *
 * A cold signal runs its producer once for each subscription; a hot one (subject.h) sends to
 * whoever is subscribed.
 *
 * Order. At a terminal event: `error` or `completed`, `disposed`, the stages' teardown from last
 * to first, the producer's, `ctx_free`. At an explicit disposal: the producer's teardown, the
 * stages' from first to last, `disposed`, `ctx_free`; inside `next`, all but `ctx_free` happen at
 * once, and `ctx_free` when `next` has returned. When the source goes without an end (its last
 * handle was released), the subscription is interrupted: as at a disposal, from the producer on,
 * and with no event.
 * (RxSwift's order; ReactiveObjC tears down first.)
 *
 * Home. A subscription's callbacks, its operators' included, all run at its home: the loop named
 * in the observer, else the loop bound to the subscribing thread, else that thread. An event that
 * is raised elsewhere is queued to it, once. When the queue of its loop is full, a subscription
 * to a source of another home ends with the error BELAY_EAGAIN: a gap would go unseen.
 *
 * Ownership. subscribe() keeps what it needs and takes nothing over. Dropping the disposable it
 * gives does not end the subscription: its end, its owner's death, or its source's does.
 */
#ifndef BELAY_SIGNAL_H
#define BELAY_SIGNAL_H

#include "base.h"
#include "error.h"
#include "value.h"

/* What a subscription calls, and how it is run. Every callback may be NULL. Zero what is not
   used; `size` is sizeof(belay_observer). */
typedef struct belay_observer {
  size_t size;
  /* `value` is borrowed. It may fail, by belay_fail(): the subscription ends with that error. */
  void (*next)(void *ctx, belay_value value);
  void (*error)(void *ctx, const belay_error *error); /* borrowed; NULL: the unhandled-error hook */
  void (*completed)(void *ctx);
  void (*disposed)(void *ctx); /* exactly once, whichever way it ended */
  void *ctx;
  belay_free_fn ctx_free;
  const char *label; /* static; names the subscription in reports */
  const char *site;  /* static; BELAY_HERE */
  /* Its home; NULL: the loop bound to this thread, else this thread. The subscription ends when
     that handle is closed: see loop.h. */
  belay_loop *loop;
  /* The subscription ends with it; disposed at once, and still 0, when it is dying or dead. NULL:
     no owner. */
  belay_owner *owner;
  /* Instead of `next`, which is NULL then: what comes in a batch together, 1 to 256 values, lent
     with their array. A batch is what from, range, repeat_value, a replay, next_batch or one read
     of a file send, and what reaches a loop in one turn; any other value comes alone. An end comes
     after them; a disposal drops those that have not been delivered. What is upstream has seen the
     whole batch by then. Never entered again from inside. It may fail like `next`. */
  void (*next_batch)(void *ctx, const belay_value *values, size_t count);
} belay_observer;

/* What happens to a value sent from inside a delivery of the same source. A value that is queued is
   delivered when its sender has returned, who hears of it by BELAY_QUEUED: a belay_pointer() to
   what the sender has only lent dangles then. A source whose values point to what lives as long as
   the call (the arguments of a toolkit's signal, say) is made depth first, or sends copies. */
typedef enum belay_reentrancy {
  BELAY_REENTRANCY_QUEUE = 0, /* delivered after the event in progress has reached everybody */
  BELAY_REENTRANCY_DEPTH_FIRST, /* delivered at once */
  BELAY_REENTRANCY_LATEST, /* queued, but only the latest is kept */
  BELAY_REENTRANCY_REJECT  /* refused with BELAY_EREENTRANT */
} belay_reentrancy;

/* How a source is made. NULL, or zeroes after `size`, for the defaults. */
typedef struct belay_source_options {
  size_t size;
  const char *label;           /* static; its name in reports */
  const char *site;            /* static; BELAY_HERE */
  belay_loop *loop;            /* its home; NULL: the loop bound to this thread, else this thread */
  belay_reentrancy reentrancy; /* terminal events are always queued, except depth-first */
  size_t capacity; /* how many values wait while one is delivered; 0: 1024. Full: BELAY_EAGAIN.
                      (What comes from other threads waits in the loop's queue: loop.h) */
  int shared; /* 1: no home; sends deliver on the sender's thread, one at a time; what comes
                 meanwhile from other threads is delivered by the one that is delivering */
} belay_source_options;

BELAY_BEGIN

BELAY_EXPORT belay_signal *belay_signal_retain(belay_signal *signal);
/* Gives a reference back. For a subject, the last one interrupts its subscriptions. */
BELAY_EXPORT void belay_signal_release(belay_signal *signal);

/* The signal's name: its label, or one built from its chain ("lines.filter.map"). Borrowed, lives
   as long as the signal. */
BELAY_EXPORT const char *belay_signal_name(belay_signal *signal);
/* Gives the signal a name of its own (copied). NULL goes back to the built one. Set it before
   the signal is shared between threads. */
BELAY_EXPORT int belay_signal_set_name(belay_signal *signal, const char *name);

/* Subscribes. `observer` is copied. `*disposable` (may be NULL) gets a reference, before anything is
   called, so that a callback can dispose of it while this still runs; NULL on failure. `ctx_free`
   runs also on failure, before this returns. Any thread; away from the source's home the disposable
   exists at once and the start is posted there (BELAY_ENOHOME when that home has no loop).
   BELAY_ERANGE, also as the error event, for more than 1000 operators or signals in signals between
   a source and here. */
BELAY_EXPORT int belay_signal_subscribe(belay_signal *signal, const belay_observer *observer,
                                        belay_disposable **disposable);

/* ---- cold signals ---- */

/* Runs once for each subscription, at its home. `subscriber` is borrowed: retain it to send later,
   else the subscription is interrupted when this returns. Returns a disposable that is given
   away (or NULL): the producer's teardown. It is disposed when the subscription ends, at once if
   that has happened by then. */
typedef belay_disposable *(*belay_subscribe_fn)(void *ctx, belay_subscriber *subscriber);

/* A cold signal. `ctx_free` runs when the signal and its last subscription are gone, also when
   this fails. `options` may be NULL; its `loop` is not used: each subscription's home is. */
BELAY_EXPORT belay_signal *belay_signal_create(belay_subscribe_fn subscribe, void *ctx,
                                               belay_free_fn ctx_free,
                                               const belay_source_options *options);

/* One value (taken over), then completed. */
BELAY_EXPORT belay_signal *belay_signal_just(belay_value value);
/* `count` values (each taken over), then completed. */
BELAY_EXPORT belay_signal *belay_signal_from(const belay_value *values, size_t count);
/* Completed, at once. */
BELAY_EXPORT belay_signal *belay_signal_empty(void);
/* Nothing, ever; it is not interrupted either. */
BELAY_EXPORT belay_signal *belay_signal_never(void);
/* An error, at once. Keeps its own reference. */
BELAY_EXPORT belay_signal *belay_signal_error(const belay_error *error);

/* ---- subscribers: where a producer sends ---- */

/* A producer may keep a subscriber and use it on any thread: what is sent away from the
   subscription's home is queued there. Releasing the last reference without an end interrupts
   the subscription. */
BELAY_EXPORT belay_subscriber *belay_subscriber_retain(belay_subscriber *subscriber);
BELAY_EXPORT void belay_subscriber_release(belay_subscriber *subscriber);

/* Each returns 0, BELAY_QUEUED (taken, delivered later), BELAY_EENDED (ended or disposed: dropped),
   BELAY_EAGAIN (a queue is full), BELAY_ENOHOME, BELAY_ECANCELED (the loop is closed). `value` is
   given away in every case; `error` is not. */
BELAY_EXPORT int belay_subscriber_next(belay_subscriber *subscriber, belay_value value);
/* Sends `count` values (each given away) as one batch: observer.next_batch. Returns the code of the
   first that was refused, whose successors are dropped, else that of the last one; BELAY_EINVAL
   for NULL with a count. */
BELAY_EXPORT int belay_subscriber_next_batch(belay_subscriber *subscriber,
                                             const belay_value *values, size_t count);
BELAY_EXPORT int belay_subscriber_error(belay_subscriber *subscriber, const belay_error *error);
BELAY_EXPORT int belay_subscriber_completed(belay_subscriber *subscriber);
/* Makes `disposable` end with the subscription, beside the one the producer returns. */
BELAY_EXPORT int belay_subscriber_add(belay_subscriber *subscriber, belay_disposable *disposable);
/* 1 when nobody listens any more. */
BELAY_EXPORT int belay_subscriber_is_disposed(belay_subscriber *subscriber);

BELAY_END

#endif
