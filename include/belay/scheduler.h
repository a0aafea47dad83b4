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

/* What recursive work runs itself again by. */
typedef struct belay_recursion belay_recursion;
typedef void (*belay_recursive_fn)(void *ctx, belay_recursion *recursion);

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
   reference; with the last one, of which a signal or a subscription on its time has one, what
   still waits is disposed of, and not run. Not for several threads. */
BELAY_EXPORT belay_scheduler *belay_scheduler_create_virtual(void);
/* A scheduler that runs work on threads of libuv's pool, one piece after the other, in the order of
   scheduling: for what would hold up a loop. The caller's reference. It is a home: while its work
   runs, the thread is bound to it, so what is subscribed or made there has its callbacks there, one
   at a time, on one thread of the pool or another. `loop` takes the work to the pool and keeps its
   times, so it has to run; when that handle is closed, the work that has begun is run to its end,
   which `closed` waits for, and what has not is disposed of. A thread of the pool is kept as long
   as there is work. Any thread; NULL: BELAY_EINVAL; of a closed loop, it refuses work.
   (uv_queue_work; RACScheduler's background schedulers.) */
BELAY_EXPORT belay_scheduler *belay_scheduler_create_pool(belay_loop *loop);
/* A scheduler that runs work at once, in the call, where belay_scheduler_current() is not NULL, and
   else on `background`, which it retains; delayed work is the current one's, or `background`'s. For
   subscribe_on, where the thread that subscribes may be any. The caller's reference. NULL:
   BELAY_EINVAL. (RACScheduler.subscriptionScheduler; no thread is made for it in secret: give it
   a worker's or a pool's.) */
BELAY_EXPORT belay_scheduler *belay_scheduler_create_subscription(belay_scheduler *background);
/* Lets `seconds` pass on a virtual scheduler: runs what is due, what is scheduled meanwhile
   included. Negative or NaN: BELAY_EINVAL; another scheduler: BELAY_EKIND. */
BELAY_EXPORT int belay_scheduler_advance(belay_scheduler *scheduler, double seconds);
/* Runs the next `count` pieces of work of a virtual scheduler, whenever they are due; its time
   passes to each. Returns how many there were, up to INT_MAX; BELAY_EKIND for another scheduler.
   (RACTestScheduler's step.) */
BELAY_EXPORT int belay_scheduler_step(belay_scheduler *scheduler, size_t count);
/* Runs all that a virtual scheduler has, whenever it is due. BELAY_EAGAIN when a million runs are
   not enough, as with work that repeats. */
BELAY_EXPORT int belay_scheduler_flush(belay_scheduler *scheduler);
/* The scheduler whose work is running on this thread, else that of the loop bound to this thread,
   which is none of its users' and ends with the loop, else NULL. Borrowed. */
BELAY_EXPORT belay_scheduler *belay_scheduler_current(void);

/* Seconds on the scheduler's clock: read once a turn on a loop. */
BELAY_EXPORT double belay_scheduler_now(belay_scheduler *scheduler);
/* The most that ever waited in the queue of a loop's, a worker's or a pool's scheduler, not
   counting what is reserved (ends, disposals); 0 for any other. Any thread. */
BELAY_EXPORT size_t belay_scheduler_queue_high_water(belay_scheduler *scheduler);

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

/* Runs `action` as soon as the scheduler can, and once more for each belay_recursion_again();
   the stack does not grow, on no scheduler. `recursion` is lent to the action: retain it to go
   on later. The work is over, and `ctx` is freed, when it is disposed of, when a run has ended
   without asking for another and nobody has retained a recursion, and when its loop closes.
   Codes and threads as for belay_scheduler_schedule(). (scheduleRecursiveBlock:; RxSwift's
   scheduleRecursive.) */
BELAY_EXPORT int belay_scheduler_recursive(belay_scheduler *scheduler, belay_recursive_fn action,
                                           void *ctx, belay_free_fn ctx_free,
                                           belay_disposable **disposable);
/* Asks for one more run: inside the action, after it has returned; later, on the immediate
   scheduler, in the call. Asking twice gives two. Any thread for a loop's, a worker's or a
   pool's scheduler. BELAY_ECANCELED when the work has been disposed of or its loop is closed. */
BELAY_EXPORT int belay_recursion_again(belay_recursion *recursion);
BELAY_EXPORT belay_recursion *belay_recursion_retain(belay_recursion *recursion);
/* Gives a reference back; the last one ends the work, if no run is still to come. */
BELAY_EXPORT void belay_recursion_release(belay_recursion *recursion);

BELAY_END

#endif
