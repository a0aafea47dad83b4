/* Schedulers: where and when work runs.
 *
 * Scheduled work runs once, or repeatedly, unless its disposable is disposed before it starts. Work
 * that has started runs to its end. While work runs, its scheduler is the current one. Time is
 * monotonic: seconds outside, integer nanoseconds inside.
 *
 * Ownership. Functions named _get_, _current, _immediate and _trampoline return a borrowed
 * scheduler; _create_ and _retain give a reference. `*disposable` (may be NULL) gets a reference.
 * `ctx_free` runs once: after the last run, at disposal, or on failure.
 */
#ifndef BELAY_SCHEDULER_H
#define BELAY_SCHEDULER_H

#include "base.h"
#include "loop.h"

/* A handle by which recursive work asks for its next run. */
typedef struct belay_recursion belay_recursion;
typedef void (*belay_recursive_fn)(void *ctx, belay_recursion *recursion);

/* A loop of the host's own: GLib's, a game's, another language's. Belay needs no libuv for it.

   All functions get the `ctx` of belay_scheduler_create_host(). They must not wait, call Belay, or
   run the work inside the call. The host runs `action(work)` on the thread of the loop, once, and
   then calls `work_free(work)`. It calls `work_free(work)` alone, on any thread, for work that is
   cancelled or that a loop which ends has not run. Work may be run after the scheduler's close; it
   does nothing then.

   When the host does otherwise, work that is run on another thread does nothing, and a line on
   stderr says so; work that is run twice does nothing the second time. When work of `schedule` is
   freed before it has been run on its thread, the loop counts as ended, and the scheduler refuses
   everything with BELAY_ECANCELED. A timer that is early, or that was run on another thread, is set
   again. */
typedef struct belay_scheduler_table {
  size_t size;
  const char *label; /* static; the name of the loop in reports */
  const char *site;  /* static; BELAY_HERE */
  /* The capacity of the queue from other threads, as in belay_loop_options; 0: 1024. */
  size_t capacity;
  /* Runs the work soon. Any thread calls it, and perhaps again before the work has been run. */
  void (*schedule)(void *ctx, belay_action_fn action, void *work, belay_free_fn work_free);
  /* Runs the work after `seconds`. Returns what `cancel` gets. The thread of the loop. Belay has at
     most one such work waiting. */
  void *(*after)(void *ctx, double seconds, belay_action_fn action, void *work,
                 belay_free_fn work_free);
  /* Cancels a timer whose work has been neither run nor freed. The thread of the loop. NULL: Belay
     ignores the work of a cancelled timer when it is run. */
  void (*cancel)(void *ctx, void *timer);
  /* Returns the time of the loop in seconds, which never goes back. Any thread. NULL: the monotonic
     clock. */
  double (*now)(void *ctx);
  /* 1: prints nothing about the things that are still open at the close. */
  int quiet;
} belay_scheduler_table;

BELAY_BEGIN

/* Adds a reference to `scheduler` and returns `scheduler`. */
BELAY_EXPORT belay_scheduler *belay_scheduler_retain(belay_scheduler *scheduler);
/* Gives a reference back. */
BELAY_EXPORT void belay_scheduler_release(belay_scheduler *scheduler);

/* Returns the scheduler that runs work at once, inside the call. It has no clock: a delay is
   BELAY_EINVAL. Static. */
BELAY_EXPORT belay_scheduler *belay_scheduler_immediate(void);
/* Returns the scheduler that runs work on the calling thread: at once, or, when called inside work
   of this scheduler, after that work. A delay is BELAY_EINVAL. Static. (RxSwift's
   CurrentThreadScheduler.) */
BELAY_EXPORT belay_scheduler *belay_scheduler_trampoline(void);
/* Creates a scheduler for tests, whose time starts at 0 and passes only by the calls below. Its
   work runs on the thread that advances it, in the order of due times, then in the order of
   scheduling. Release the result. A signal or a subscription that uses its time retains it. When
   the last reference goes, the work that still waits is disposed of and does not run. Any thread
   may schedule work, and one at a time may run it. */
BELAY_EXPORT belay_scheduler *belay_scheduler_create_virtual(void);
/* Creates a scheduler that runs work on threads of libuv's pool, one piece after the other, in the
   order of scheduling. Use it for work that would hold up a loop. Release the result.

   The scheduler is a home: while its work runs, the thread is bound to it. Subscriptions and
   sources that begin in such work have their callbacks there, one at a time, on one thread of the
   pool or another. A thread of the pool stays occupied as long as there is work. libuv waits for
   its threads at exit(), so work that schedules more work without end keeps the process there.

   `loop` hands the work to the pool and keeps its times, so it has to run. When that handle is
   closed, work that has begun runs to its end, and `closed` waits for it; work that has not begun
   is disposed of. Any thread may call this. NULL: BELAY_EINVAL. For a closed loop the result
   refuses work; so it does, with BELAY_EAGAIN, while the pool has no threads and the system gives
   none: work with a time is then disposed of at that time. (uv_queue_work; RACScheduler's
   background schedulers.) */
BELAY_EXPORT belay_scheduler *belay_scheduler_create_pool(belay_loop *loop);
/* Creates the scheduler of a loop that the host runs on the calling thread, and binds the loop to
   this thread. Subscriptions and sources that begin on this thread are at home there: values from
   other threads arrive there, owners with this scheduler die there, belay_disposable_dispose_sync()
   waits for it. Belay copies `table`. `ctx_free` runs when nothing of Belay's knows the loop any
   more, which may be after the close and on any thread.

   belay_scheduler_close() ends it, or the end of its thread does. A release does not. Release the
   result. NULL: BELAY_EINVAL for a table without `schedule` or `after`; BELAY_EBOUND when this
   thread has another loop. (RxSwift's and ReactiveObjC's schedulers over any queue.) */
BELAY_EXPORT belay_scheduler *belay_scheduler_create_host(const belay_scheduler_table *table,
                                                          void *ctx, belay_free_fn ctx_free);
/* Closes a scheduler of the host's own: interrupts everything that is at home there, disposes of
   its work, drops what is queued, and unbinds the thread. `closed` gets what was still open, as in
   belay_loop_close(), and has run when this returns, like `ctx_free`. Returns 0; BELAY_EWRONGTHREAD
   on another thread; BELAY_ECLOSED the second time; BELAY_EKIND for another scheduler. */
BELAY_EXPORT int belay_scheduler_close(belay_scheduler *scheduler, belay_closed_fn closed,
                                       void *ctx, belay_free_fn ctx_free);
/* Creates a scheduler that runs work at once, inside the call, where belay_scheduler_current() is
   not NULL, and else on `background`, which it retains. Delayed work runs on the current scheduler,
   or on `background` where there is none. Use it for subscribe_on when any thread may subscribe.
   Release the result. NULL: BELAY_EINVAL. (RACScheduler.subscriptionScheduler. Belay makes no
   hidden thread for it: give it the scheduler of a worker or a pool.) */
BELAY_EXPORT belay_scheduler *belay_scheduler_create_subscription(belay_scheduler *background);
/* Advances a virtual scheduler by `seconds`: runs the work that is due, including work that is
   scheduled meanwhile. Returns 0; BELAY_EINVAL for a negative time or NaN; BELAY_EKIND for another
   scheduler; BELAY_EBUSY while another thread runs its work; BELAY_EAGAIN when two million runs at
   one moment are not enough, and the time stays there. */
BELAY_EXPORT int belay_scheduler_advance(belay_scheduler *scheduler, double seconds);
/* Runs the next `count` pieces of work of a virtual scheduler, whenever they are due. Its time
   advances to each. Returns the number of pieces that ran, up to INT_MAX; BELAY_EKIND for another
   scheduler; BELAY_EBUSY while another thread runs its work. (RACTestScheduler's step.) */
BELAY_EXPORT int belay_scheduler_step(belay_scheduler *scheduler, size_t count);
/* Runs all work of a virtual scheduler, whenever it is due. Returns 0; BELAY_EKIND for another
   scheduler; BELAY_EBUSY while another thread runs its work; BELAY_EAGAIN when a million runs are
   not enough, as with work that repeats. */
BELAY_EXPORT int belay_scheduler_flush(belay_scheduler *scheduler);
/* Returns the scheduler whose work is running on this thread, else the scheduler of the loop bound
   to this thread, else NULL. The scheduler of the loop belongs to none of its users and lasts until
   the loop closes. Borrowed. */
BELAY_EXPORT belay_scheduler *belay_scheduler_current(void);

/* Returns the time in seconds on the scheduler's clock. A loop reads its clock once a turn. */
BELAY_EXPORT double belay_scheduler_now(belay_scheduler *scheduler);
/* Returns the largest number of things that ever waited in the queue of the scheduler of a loop, a
   loop of the host's own, a worker or a pool; 0 for any other. Ends and disposals are not counted.
   Any thread. */
BELAY_EXPORT size_t belay_scheduler_queue_high_water(belay_scheduler *scheduler);

/* Runs `action` as soon as the scheduler can; a loop runs it at its next turn. Any thread may
   schedule on a loop, but not in a handler of a POSIX signal: belay_posix_signal(). The work of one
   scheduler runs in the order in which it was scheduled.
   Returns 0; BELAY_ECANCELED when the loop is closed; BELAY_EAGAIN when its queue is full. */
BELAY_EXPORT int belay_scheduler_schedule(belay_scheduler *scheduler, belay_action_fn action,
                                          void *ctx, belay_free_fn ctx_free,
                                          belay_disposable **disposable);
/* Runs `action` once, no earlier than `seconds` from now. A negative time counts as 0. Any thread.
   Returns 0; BELAY_EINVAL for NaN; and the codes of belay_scheduler_schedule(). */
BELAY_EXPORT int belay_scheduler_after(belay_scheduler *scheduler, double seconds,
                                       belay_action_fn action, void *ctx, belay_free_fn ctx_free,
                                       belay_disposable **disposable);
/* Runs `action` after `seconds` and then every `interval` seconds (> 0). Each run is at most
   `leeway` seconds late, so that timers can share a wake-up. Missed intervals are skipped and the
   rhythm is kept. On a virtual scheduler, no run is late, and the last one is at the end of all
   time, which is 292 years. Returns 0; BELAY_EINVAL for NaN, an `interval` that is not above 0, or
   a negative `leeway`; and the codes of belay_scheduler_schedule(). */
BELAY_EXPORT int belay_scheduler_every(belay_scheduler *scheduler, double seconds, double interval,
                                       double leeway, belay_action_fn action, void *ctx,
                                       belay_free_fn ctx_free, belay_disposable **disposable);

/* Runs `action` as soon as the scheduler can, and once more for each belay_recursion_again(). The
   stack does not grow, on any scheduler. `recursion` is lent to the action: retain it to continue
   later. The work is over, and `ctx` is freed, when it is disposed of; when a run has ended without
   asking for another and nobody has retained a recursion; and when its loop closes. Codes and
   threads are those of belay_scheduler_schedule(). (scheduleRecursiveBlock:; RxSwift's
   scheduleRecursive.) */
BELAY_EXPORT int belay_scheduler_recursive(belay_scheduler *scheduler, belay_recursive_fn action,
                                           void *ctx, belay_free_fn ctx_free,
                                           belay_disposable **disposable);
/* Asks for one more run. Asked inside the action, the run follows when the action has returned.
   Asked later, the immediate scheduler runs it inside the call. Two requests give two runs. Any
   thread may ask for a run on the scheduler of a loop, a worker or a pool. Returns 0;
   BELAY_ECANCELED when the work has been disposed of or its loop is closed. Each run that a close
   prevents after this has returned 0 is counted (belay_lost_count()). */
BELAY_EXPORT int belay_recursion_again(belay_recursion *recursion);
/* Adds a reference to `recursion` and returns `recursion`. */
BELAY_EXPORT belay_recursion *belay_recursion_retain(belay_recursion *recursion);
/* Gives a reference back. The last release ends the work if no run is pending. */
BELAY_EXPORT void belay_recursion_release(belay_recursion *recursion);

BELAY_END

#endif
