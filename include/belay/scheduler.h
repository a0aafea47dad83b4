/* Schedulers: where and when work runs.
 *
 * Scheduled work runs once (or repeatedly) unless its disposable is disposed before it starts;
 * once started it runs to its end. While it runs its scheduler is the current one. Time is
 * monotonic; seconds outside, integer nanoseconds inside.
 *
 * Ownership. The functions that give a scheduler lend it, except _retain. `*disposable` (may be
 * NULL) gets a reference. `ctx_free` runs once: after the last run, at disposal, or on failure.
 */
#ifndef BELAY_SCHEDULER_H
#define BELAY_SCHEDULER_H

#include "base.h"

BELAY_BEGIN

BELAY_EXPORT belay_scheduler *belay_scheduler_retain(belay_scheduler *scheduler);
BELAY_EXPORT void belay_scheduler_release(belay_scheduler *scheduler);

/* Runs work at once, in the call. It has no clock: a delay is BELAY_EINVAL. Static. */
BELAY_EXPORT belay_scheduler *belay_scheduler_immediate(void);
/* Runs work on the calling thread: at once, or, inside work of this scheduler, after it. A delay
   is BELAY_EINVAL. (RxSwift's CurrentThreadScheduler.) Static. */
BELAY_EXPORT belay_scheduler *belay_scheduler_trampoline(void);
/* A scheduler whose time, 0 at first, passes only when it is told to: for tests. Its work runs on
   the thread that advances it, in the order of due times, then of scheduling. The caller's
   reference. Not for several threads. */
BELAY_EXPORT belay_scheduler *belay_scheduler_create_virtual(void);
/* Lets `seconds` pass on a virtual scheduler: runs what is due, what is scheduled meanwhile
   included. Negative or NaN: BELAY_EINVAL; another scheduler: BELAY_EKIND. */
BELAY_EXPORT int belay_scheduler_advance(belay_scheduler *scheduler, double seconds);
/* Runs all that a virtual scheduler has, whenever it is due. BELAY_EAGAIN when a million runs are
   not enough, as with work that repeats. */
BELAY_EXPORT int belay_scheduler_flush(belay_scheduler *scheduler);
/* The scheduler whose work is running on this thread, else that of the loop bound to this thread,
   else NULL. Borrowed. */
BELAY_EXPORT belay_scheduler *belay_scheduler_current(void);

/* Seconds on the scheduler's clock: read once a turn on a loop. */
BELAY_EXPORT double belay_scheduler_now(belay_scheduler *scheduler);

/* Runs `action` as soon as the scheduler can; on a loop, at its next turn. Any thread for a loop's
   scheduler. Work for one scheduler runs in the order it was scheduled. BELAY_ECANCELED when the
   loop is closed, BELAY_EAGAIN when its queue is full. */
BELAY_EXPORT int belay_scheduler_schedule(belay_scheduler *scheduler, belay_action_fn action,
                                          void *ctx, belay_free_fn ctx_free,
                                          belay_disposable **disposable);
/* Runs `action` once, no earlier than `seconds` from now. Negative counts as 0; NaN is
   BELAY_EINVAL. Any thread. */
BELAY_EXPORT int belay_scheduler_after(belay_scheduler *scheduler, double seconds,
                                       belay_action_fn action, void *ctx, belay_free_fn ctx_free,
                                       belay_disposable **disposable);
/* Runs `action` after `seconds` and then every `interval` (> 0), each run at most `leeway` late so
   that timers can share a wake-up. Missed intervals are skipped, the rhythm is kept. */
BELAY_EXPORT int belay_scheduler_every(belay_scheduler *scheduler, double seconds, double interval,
                                       double leeway, belay_action_fn action, void *ctx,
                                       belay_free_fn ctx_free, belay_disposable **disposable);

BELAY_END

#endif
