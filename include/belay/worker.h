/* Workers: a thread of its own with a loop of its own, for work that must not hold up another.
 *
 * What a worker's scheduler is given runs on the worker's thread, one after the other.
 * Subscriptions and timers can have its loop for their home, through the operators that take a
 * scheduler.
 */
#ifndef BELAY_WORKER_H
#define BELAY_WORKER_H

#include "base.h"

typedef struct belay_worker belay_worker;

BELAY_BEGIN

/* Starts a worker. `label` (static; may be NULL) names its loop in reports. NULL, with libuv's
   error, when there is no thread to be had. Any thread. */
BELAY_EXPORT belay_worker *belay_worker_create(const char *label);
BELAY_EXPORT belay_worker *belay_worker_retain(belay_worker *worker);
/* Gives a reference back. With the last one the worker finishes the action it is in, what else it
   had is disposed of, its loop is closed, and its thread has ended when this returns; on the
   worker's own thread, right after. */
BELAY_EXPORT void belay_worker_release(belay_worker *worker);
/* Borrowed; may be retained, and refuses work with BELAY_ECANCELED when the worker has gone. */
BELAY_EXPORT BELAY_BORROWS belay_scheduler *belay_worker_scheduler(belay_worker *worker);

BELAY_END

#endif
