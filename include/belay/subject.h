/* Subjects: signals that one sends into. A subject is a belay_signal: subscribe to it, chain it,
 * retain and release it as one; other signals answer the functions here with BELAY_EKIND.
 *
 * Delivery is in the order of subscription. A sibling that is disposed during a delivery is not
 * called; one that subscribes during a delivery is not called for that event; who subscribes
 * after the end gets the end.
 *
 * Subjects with a memory replay to who subscribes, before anything else, what is their kind's. What
 * is sent from inside a replay is treated as what is sent from inside a delivery.
 */
#ifndef BELAY_SUBJECT_H
#define BELAY_SUBJECT_H

#include "base.h"
#include "error.h"
#include "scheduler.h"
#include "signal.h"
#include "value.h"

BELAY_BEGIN

/* A subject without memory (ReactiveX's PublishSubject). `options` may be NULL. */
BELAY_EXPORT belay_signal *belay_subject_create(const belay_source_options *options);

/* A subject with a current value, at first `initial` (taken over, also on failure): who subscribes
   gets it first; after the end, only the end. (ReactiveX's BehaviorSubject.) */
BELAY_EXPORT belay_signal *belay_subject_create_behavior(belay_value initial,
                                                  const belay_source_options *options);
/* A subject that keeps its last `count` values (BELAY_UNLIMITED: all of them), none older than
   `seconds` (negative: however old) by the clock of `scheduler` (kept; NULL: the monotonic clock). Who
   subscribes gets them, oldest first, then the end if there was one. NaN, or a count of 0:
   BELAY_EINVAL. (ReactiveX's ReplaySubject.) */
BELAY_EXPORT belay_signal *belay_subject_create_replay(belay_scheduler *scheduler, double seconds,
                                                       size_t count,
                                                const belay_source_options *options);
/* A subject that sends its last value when it completes, then completes; who subscribes later gets
   both. After an error, only the error. (ReactiveX's AsyncSubject.) */
BELAY_EXPORT belay_signal *belay_subject_create_async(const belay_source_options *options);
/* The value that a behaviour subject delivered last; inside a delivery, the one being delivered.
   `*value` is given to the caller, who releases it; null on failure. Any thread. BELAY_EKIND for
   other signals, BELAY_EINVAL for NULL. */
BELAY_EXPORT int belay_subject_current(belay_signal *subject, belay_value *value);

/* Sends a value to every subscription; takes `value` over, always. Any thread. At home it returns
   when everybody has been called: 0. BELAY_QUEUED: sent from inside a delivery, or from another
   thread, and delivered later. BELAY_EENDED; BELAY_EREENTRANT, also when it is sent inside of a
   thousand other sends, which takes stack; BELAY_EAGAIN (a queue is full);
   from elsewhere BELAY_ENOHOME (the home has no loop) or BELAY_ECANCELED (its loop is closed). */
BELAY_EXPORT int belay_subject_next(belay_signal *subject, belay_value value);
/* Sends `count` values (each given away) as one batch, which observers with a `next_batch` get
   together; any other gets them one by one. Returns the code of the first that was refused, whose
   successors are dropped, else that of the last one; BELAY_EINVAL for NULL with a count. */
BELAY_EXPORT int belay_subject_next_batch(belay_signal *subject, const belay_value *values,
                                          size_t count);
/* Ends the subject. Never refused for lack of room. Keeps its own reference to `error`. */
BELAY_EXPORT int belay_subject_error(belay_signal *subject, const belay_error *error);
BELAY_EXPORT int belay_subject_completed(belay_signal *subject);
/* How many are subscribed. At the subject's home only; elsewhere an estimate. */
BELAY_EXPORT size_t belay_subject_count(belay_signal *subject);

BELAY_END

#endif
