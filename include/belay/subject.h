/* Subjects: signals that the program sends into. A subject is a belay_signal: subscribe to it,
 * chain it, retain it and release it like any signal. For a signal that is no subject, the
 * functions here return BELAY_EKIND.
 *
 * A subject delivers in the order of subscription. If a callback disposes of another subscription
 * during a delivery, that subscription is not called. A subscription that begins during a delivery
 * is not called for that event. A subscription that begins after the end gets the end.
 *
 * A subject with a memory replays it to a new subscription before anything else. A value that is
 * sent from inside a replay is treated like one that is sent from inside a delivery.
 */
#ifndef BELAY_SUBJECT_H
#define BELAY_SUBJECT_H

#include "base.h"
#include "error.h"
#include "scheduler.h"
#include "signal.h"
#include "value.h"

BELAY_BEGIN

/* Creates a subject without memory. `options` may be NULL. (ReactiveX's PublishSubject.) */
BELAY_EXPORT belay_signal *belay_subject_create(const belay_source_options *options);

/* Creates a subject with a current value, which is `initial` at first (taken over, also on
   failure). A new subscription gets the current value first. After the end it gets only the end.
   (ReactiveX's BehaviorSubject.) */
BELAY_EXPORT belay_signal *belay_subject_create_behavior(belay_value initial,
                                                  const belay_source_options *options);
/* Creates a subject that keeps its last `count` values (BELAY_UNLIMITED: all of them), none older
   than `seconds` (negative: of any age) by the clock of `scheduler`. Retains `scheduler`; NULL
   means the monotonic clock. A new subscription gets the kept values, oldest first, then the end if
   there was one. One value more than `count` drops the oldest. BELAY_EINVAL for NaN or a count of
   0. (ReactiveX's ReplaySubject.) */
BELAY_EXPORT belay_signal *belay_subject_create_replay(belay_scheduler *scheduler, double seconds,
                                                       size_t count,
                                                const belay_source_options *options);
/* Creates a subject that sends its last value when it completes, and then completes. A later
   subscription gets both. After an error it gets only the error. (ReactiveX's AsyncSubject.) */
BELAY_EXPORT belay_signal *belay_subject_create_async(const belay_source_options *options);
/* Stores into `*value` the value that a behaviour subject delivered last; inside a delivery, the
   value being delivered. The caller gets a reference and releases it. `*value` is null on failure.
   Any thread. Returns 0; BELAY_EKIND for any other signal; BELAY_EINVAL for NULL. */
BELAY_EXPORT int belay_subject_get(belay_signal *subject, belay_value *value);

/* Sends a value to every subscription. Takes `value` over in every case. Any thread, but not in a
   handler of a POSIX signal: belay_posix_signal(). Returns 0 when the call was made at the home of
   the subject and everybody has been called. BELAY_QUEUED: it was sent from inside a delivery or
   from another thread, and is delivered later. BELAY_EENDED: the subject has ended.
   BELAY_EREENTRANT: the policy refuses it, or the send is nested inside a thousand other sends,
   each of which takes stack. BELAY_EAGAIN: a queue is full. From another thread also BELAY_ENOHOME
   (the home has no loop) or BELAY_ECANCELED (its loop is closed). */
BELAY_EXPORT int belay_subject_next(belay_signal *subject, belay_value value);
/* Sends a value like belay_subject_next(). While a queue is full, waits for room, at most `timeout`
   seconds; negative means without limit. Takes `value` over in every case. Returns what
   belay_subject_next() returns, but instead of BELAY_EAGAIN: BELAY_ETIMEDOUT; or BELAY_EDEADLK at
   once, at the home of the subject, on a thread that has a loop, and in work of a pool's scheduler,
   because others may wait for that loop or work; and when the thread of the home waits for this one
   (in belay_disposable_dispose_sync() or in such a call). BELAY_EINVAL for NaN. */
BELAY_EXPORT int belay_subject_next_wait(belay_signal *subject, belay_value value, double timeout);
/* Sends `count` values (each given away) as one batch. An observer with a `next_batch` gets them
   together; any other observer gets them one by one. Returns the code of the first value that was
   refused; the values after it are dropped. If none was refused, returns the code of the last
   value. BELAY_EINVAL for NULL with a count. */
BELAY_EXPORT int belay_subject_next_batch(belay_signal *subject, const belay_value *values,
                                          size_t count);
/* Ends the subject. Never refused for lack of room. Retains `error`. Returns what
   belay_subject_next() returns. */
BELAY_EXPORT int belay_subject_error(belay_signal *subject, const belay_error *error);
BELAY_EXPORT int belay_subject_completed(belay_signal *subject);
/* Returns the number of subscriptions. The number is exact at the home of the subject; elsewhere it
   is an estimate. */
BELAY_EXPORT size_t belay_subject_count(belay_signal *subject);

BELAY_END

#endif
