/* Workers: a worker is a thread of Belay's with a loop, for work that must not hold up another
 * loop.
 *
 * The work of a worker's scheduler runs on the thread of the worker, one piece after the other.
 * Subscriptions and timers can have the worker's loop as their home, through the operators that
 * take a scheduler.
 *
 * The thread blocks POSIX signals, so that their handlers run on threads of the program: all but
 * those of faults (SIGSEGV, …), SIGABRT and SIGPROF. A program that work starts by fork() and
 * exec() begins with the same signals blocked; one that belay_process() starts does not.
 */
#ifndef BELAY_WORKER_H
#define BELAY_WORKER_H

#include "base.h"

typedef struct belay_worker belay_worker;

/* Zeroes after `size` mean the defaults. */
typedef struct belay_worker_options {
  size_t size;
  /* Static. The name of the loop in reports, and of the thread, of which Linux keeps 15 bytes;
     NULL: the thread is called "belay worker". */
  const char *label;
  const char *site; /* static; BELAY_HERE */
  /* The capacity of the queue from other threads, as in belay_loop_options; 0: 1024. */
  size_t capacity;
  /* The nice value of the thread, from -20, the most urgent, to 19; 0: that of this thread. Any
     program may ask for a larger value than it has. For a smaller one it needs RLIMIT_NICE or the
     capability CAP_SYS_NICE. */
  int priority;
} belay_worker_options;

BELAY_BEGIN

/* Starts a worker: a serial background queue of its own, which may have a priority. (The threads of
   libuv's pool are the whole process's, so the scheduler of a pool has no priority.) `options` may
   be NULL. Any thread. Release the result. NULL: libuv's error, when no thread can be started;
   BELAY_EINVAL for a priority that is out of range; the system's code, -EACCES or -EPERM, when it
   refuses the priority. (schedulerWithPriority:name:) */
BELAY_EXPORT belay_worker *belay_worker_create(const belay_worker_options *options);
/* Adds a reference to `worker` and returns `worker`. */
BELAY_EXPORT belay_worker *belay_worker_retain(belay_worker *worker);
/* Gives a reference back. At the last release the worker finishes the action that is running and
   disposes of the rest, and its loop is closed: the users that its actions have made with
   belay_loop_create() leave too. Its thread has ended when this returns. So the action must not
   wait for the thread that releases: not by belay_disposable_dispose_sync() for a callback there,
   and not by the last release of a worker whose action releases this one. On the worker's own
   thread, it ends right after. Nothing else ends it: belay_loop_stop() in an action only ends a run
   that the action has begun. */
BELAY_EXPORT void belay_worker_release(belay_worker *worker);
/* Returns the scheduler of the worker, borrowed. It may be retained; it refuses work with
   BELAY_ECANCELED when the worker has gone. */
BELAY_EXPORT belay_scheduler *belay_worker_get_scheduler(belay_worker *worker);

BELAY_END

#endif
