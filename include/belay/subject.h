/* Subjects: signals that one sends into. A subject is a belay_signal: subscribe to it, chain it,
 * retain and release it as one; other signals answer the functions here with BELAY_EKIND.
 *
 * Delivery is in the order of subscription. A sibling that is disposed during a delivery is not
 * called; one that subscribes during a delivery is not called for that event; who subscribes
 * after the end gets the end.
 */
#ifndef BELAY_SUBJECT_H
#define BELAY_SUBJECT_H

#include "base.h"
#include "error.h"
#include "signal.h"
#include "value.h"

BELAY_BEGIN

/* A subject without memory (ReactiveX's PublishSubject). `options` may be NULL. */
BELAY_EXPORT belay_signal *belay_subject_create(const belay_source_options *options);

/* Sends a value to every subscription; takes `value` over, always. Any thread. At home it returns
   when everybody has been called: 0. BELAY_QUEUED: sent from inside a delivery, or from another
   thread, and delivered later. BELAY_EENDED, BELAY_EREENTRANT; BELAY_EAGAIN (a queue is full);
   from elsewhere BELAY_ENOHOME (the home has no loop) or BELAY_ECANCELED (its loop is closed). */
BELAY_EXPORT int belay_subject_next(belay_signal *subject, belay_value value);
/* Ends the subject. Never refused for lack of room. Keeps its own reference to `error`. */
BELAY_EXPORT int belay_subject_error(belay_signal *subject, const belay_error *error);
BELAY_EXPORT int belay_subject_completed(belay_signal *subject);
/* How many are subscribed. At the subject's home only; elsewhere an estimate. */
BELAY_EXPORT size_t belay_subject_count(belay_signal *subject);

BELAY_END

#endif
