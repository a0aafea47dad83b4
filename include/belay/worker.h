/* Workers: a worker is a thread of Belay's with a loop, for work that must not hold up another
 * loop.
 *
 * The work of a worker's scheduler runs on the thread of the worker, one piece after the other.
 * Subscriptions and timers can have the worker's loop as their home, through the operators that
 * take a scheduler.
 */
#ifndef BELAY_WORKER_H
#define BELAY_WORKER_H

#include "base.h"

typedef struct belay_worker belay_worker;

BELAY_BEGIN

/* Starts a worker. `label` (static; may be NULL) names its loop in reports. Any thread. Release the
   result. NULL, with libuv's error, when no thread can be started. */
BELAY_EXPORT belay_worker *belay_worker_create(const char *label);
/* Adds a reference to `worker` and returns `worker`. */
BELAY_EXPORT belay_worker *belay_worker_retain(belay_worker *worker);
/* Gives a reference back. At the last release the worker finishes the action that is running and
   disposes of the rest, and its loop is closed: the users that its actions have made with
   belay_loop_create() leave too. Its thread has ended when this returns. On the worker's own
   thread, it ends right after. */
BELAY_EXPORT void belay_worker_release(belay_worker *worker);
/* Returns the scheduler of the worker, borrowed. It may be retained; it refuses work with
   BELAY_ECANCELED when the worker has gone. */
BELAY_EXPORT belay_scheduler *belay_worker_get_scheduler(belay_worker *worker);

BELAY_END

#endif
