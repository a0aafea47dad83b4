/* Loops: libuv event loops, Belay's own or the host's.
 *
 * Threads. A loop is bound to one thread, and a thread to one loop. create, adopt and run bind the
 * loop to the calling thread. belay_loop_bind() moves it to another thread while it is not running.
 * While one thread takes a loop, by run or bind, the thread that has it must be in none of Belay's
 * functions for it but bind, run, belay_loop_post(), belay_loop_stop(), retain and release.
 * Any thread may call belay_loop_post(), belay_loop_stop(), retain, release, and the functions that
 * say so. The others return BELAY_EWRONGTHREAD elsewhere.
 *
 * Handlers of POSIX signals. They must call no function of Belay's, not even belay_loop_post() and
 * belay_loop_stop(): the thread that they interrupt may have the lock that they would wait for. Use
 * belay_posix_signal(), whose subscribers run at a loop and may do everything.
 *
 * Users. Libraries that know nothing of each other share the loop of their thread. create and adopt
 * find that loop, and each handle that they return is one more user of it. A user has the
 * subscriptions whose observers name its handle (`loop`), the work that its scheduler and its pools
 * were given, the posts that were made through it, its hook for errors, and its belay_pointer_at()
 * values. belay_loop_close() ends these and nothing else. The last user that leaves closes the
 * loop. A thing that names no handle belongs to no user and ends when the loop closes. So a library
 * should name its handle everywhere; it may then be unloaded when `closed` has been called.
 *
 * Forks. In a child of fork() the thread has no loop. The one that it had stays the parent's,
 * because the two share what the kernel has of it: run, close and all else that belongs to the
 * loop's thread return BELAY_EWRONGTHREAD there, and what is posted or scheduled there never runs.
 * The child makes a loop of its own; or it renews the inherited one by uv_loop_fork(), with the
 * pointer that belay_loop_uv() gave before the fork, and takes it by belay_loop_bind(). Sources of
 * file events take the parent's events then: end those before the fork. A child should only become
 * another program, or end by _exit(), if it was made in a callback of Belay's, or if another thread
 * was in one of Belay's functions or callbacks: what that thread held stays held.
 */
#ifndef BELAY_LOOP_H
#define BELAY_LOOP_H

#include "base.h"
#include "error.h"

struct uv_loop_s;

typedef enum belay_run_mode {
  BELAY_RUN_DEFAULT = 0, /* until nothing is left to wait for, or belay_loop_stop() */
  BELAY_RUN_ONCE,        /* one turn; waits for something to do */
  BELAY_RUN_NOWAIT       /* one turn; does not wait */
} belay_run_mode;

/* NULL, or zeroes after `size`, means the defaults. */
typedef struct belay_loop_options {
  size_t size;
  const char *label; /* static; the name of the loop in reports */
  const char *site;  /* static; BELAY_HERE */
  /* The capacity of the queue from other threads, which holds events, scheduled work and posts; 0:
     1024. Ends and disposals are never refused. The capacity of the first user counts. */
  size_t capacity;
  /* 1: waiting for other threads counts as something to wait for. A run then continues until
     belay_loop_stop(), as long as this user is there. */
  int persistent;
  /* 1: prints nothing about the things that are still open when this user leaves. */
  int quiet;
  /* The version of libuv that the caller uses: UV_VERSION_HEX, or the result of uv_version(); 0:
     unknown. BELAY_ENOTSUP when the libuv that Belay calls has another major version, or an older
     minor one: the process then contains two copies of libuv, or the wrong one. */
  uint32_t uv_version;
} belay_loop_options;

/* A thing that was still open on a loop when the loop was closed. */
typedef struct belay_open_resource belay_open_resource;

/* Gets the things that were still open. `resources` has `count` items, borrowed together with their
   array until the callback returns. */
typedef void (*belay_closed_fn)(void *ctx, const belay_open_resource *const *resources,
                                size_t count);

BELAY_BEGIN

/* Returns the loop of this thread, with the caller as one more user. If the thread has none,
   creates one of Belay's own, bound to this thread. `options` may be NULL. Release the result.
   NULL: BELAY_ENOTSUP for the reason that `uv_version` names, and when the libuv in the process is
   older than the one that Belay was compiled for; -EMFILE.

   Where the program lacks one of its standard descriptors (0, 1, 2), it becomes /dev/null, for
   good: here, at a worker's begin, and before a source has libuv open something. libuv would take
   its number, and end the process at the close. */
BELAY_EXPORT belay_loop *belay_loop_create(const belay_loop_options *options);
/* Puts Belay on a loop of the host, which the host continues to run. Belay does not touch its
   `data`, its handles or its run. It does not keep the loop alive, except for timers, for sources
   in use, and for work and posts from the loop's own thread; what another thread sends waits for a
   turn. uv_run() makes no turn of a loop in which nothing is alive. So when such things wait,
   belay_loop_alive() and belay_loop_backend_timeout() make its next run a turn. If Belay is on that
   loop already, the caller becomes one more user, and the loop is bound to this thread. Call this
   on the thread that runs the loop. The uv_loop_t must live until the callback of the close has
   run. Release the result.

   NULL: BELAY_EBOUND when the thread has another loop; BELAY_EBUSY when this loop is Belay's own
   and runs on another thread; BELAY_EINVAL for a loop that libuv has closed; and the failures of
   belay_loop_create(). */
BELAY_EXPORT belay_loop *belay_loop_adopt(struct uv_loop_s *uv, const belay_loop_options *options);
/* Adds a reference to `loop` and returns `loop`. */
BELAY_EXPORT belay_loop *belay_loop_retain(belay_loop *loop);
/* Gives a reference back. Any thread. If the handle was not closed, its user leaves with the last
   reference: at once on the thread of the loop, elsewhere at the next turn. A loop of Belay's own
   that has no other user and is not running has no next turn: its user leaves as soon as its thread
   has ended or looks for a loop, and a line on stderr says so. */
BELAY_EXPORT void belay_loop_release(belay_loop *loop);

/* Binds the loop to the calling thread. Returns 0; BELAY_EBUSY while the loop is running, or while
   another thread ends what belongs to a user whose last reference it has given back; BELAY_EBOUND
   when the thread has another loop; BELAY_ECLOSED. Belay does not know when a host runs an adopted
   loop: the host must not move it while one of its callbacks runs. */
BELAY_EXPORT int belay_loop_bind(belay_loop *loop);
/* Returns the loop bound to the calling thread, borrowed, or NULL. The result is the handle of the
   user that has been there longest. Use it to ask the loop something; to use the loop, call create
   or adopt. */
BELAY_EXPORT belay_loop *belay_loop_current(void);

/* Runs the loop. It waits for scheduled work, sources in use and the host's own handles. It does
   not wait for subscriptions to subjects alone. Returns 0 when nothing is left to wait for; 1 when
   something is left (the loop was stopped, or one turn is over); BELAY_EBUSY while another thread
   runs it; BELAY_EBOUND when the thread has another loop; BELAY_ECLOSED; BELAY_EWRONGTHREAD for
   the parent's loop in a child of fork(); BELAY_EINVAL for an adopted loop, which the host runs
   itself, and for an unknown mode.

   One turn need not deliver all that has come: when it has lasted for a millisecond after 128
   messages of other threads, or after 128 lines or frames of one stream or file, the rest comes in
   the next turn. A program that makes single turns goes on while the answer is 1.

   A callback may run the loop too, or have the host or libuv run it, for example for a modal
   dialogue. Such a nested turn delivers what the outer turn has left. A callback that is running is
   not entered again: a subscription gets one event at a time, and a periodic timer whose callback
   is running misses its turns. libuv itself documents uv_run() as not re-entrant. In a nested turn,
   it calls the program's own watchers of descriptors (uv_poll_t, streams) and timers that wait in
   the outer turn. Events that it has taken out together wait for the outer callback: a uv_async_t
   in a callback of another async or of the pool, results of the pool, signals, and children that
   ended. */
BELAY_EXPORT int belay_loop_run(belay_loop *loop, belay_run_mode mode);
/* Makes the innermost run return after the turn in progress. Before a run, makes the next run
   return at once; but a run inside of a callback makes a turn, and leaves the stop to the run
   outside. Any thread. Returns 0; BELAY_EINVAL for an adopted loop. */
BELAY_EXPORT int belay_loop_stop(belay_loop *loop);
/* Returns 1 while there is something to wait for, or something that waits for a turn. */
BELAY_EXPORT int belay_loop_alive(belay_loop *loop);
/* Returns the time in seconds on the monotonic clock, read once a turn. */
BELAY_EXPORT double belay_loop_now(belay_loop *loop);
/* Returns the scheduler of this user on the loop, borrowed: valid as long as the handle. When the
   user has left, it refuses work with BELAY_ECANCELED. Any thread. */
BELAY_EXPORT belay_scheduler *belay_loop_get_scheduler(belay_loop *loop);
/* Returns the libuv loop inside, borrowed. Run a loop of Belay's own by belay_loop_run(): if it is
   closed in a callback of the program's own uv_run(), nobody can free it. */
BELAY_EXPORT BELAY_BORROWS struct uv_loop_s *belay_loop_uv(belay_loop *loop);
/* Returns how often the loop has come back from waiting: once for each turn. */
BELAY_EXPORT uint64_t belay_loop_turns(belay_loop *loop);

/* ---- driven by the host ---- */

/* Returns the descriptor of the backend. Poll it for reading, for as long as
   belay_loop_backend_timeout() says. */
BELAY_EXPORT int belay_loop_backend_fd(belay_loop *loop);
/* Returns how many seconds to wait at most: 0 to run now, negative for no limit. Ask again after
   every run and after every call that may arm something; then call belay_loop_run(loop,
   BELAY_RUN_NOWAIT). */
BELAY_EXPORT double belay_loop_backend_timeout(belay_loop *loop);
/* Returns one descriptor for everything. It is readable whenever the loop has something to do,
   including timers and newly armed sources. The first call makes it; the loop owns it. Call this
   again when the program has armed a handle of its own by libuv outside of a run: only this and the
   runs look at those. A negative result is an error: BELAY_EINVAL for an adopted loop, whose host
   has uv_backend_fd(). */
BELAY_EXPORT int belay_loop_fd(belay_loop *loop);

/* ---- from other threads ---- */

/* Runs `action` on the thread of the loop, at a coming turn, in the order of posting. Any thread.
   `ctx_free` runs in every case: on the thread of the loop, after the action or when the loop drops
   the action at its close; or before this returns, when this fails. Returns 0; BELAY_EAGAIN when
   the queue is full; BELAY_ECANCELED when the handle is closed. */
BELAY_EXPORT int belay_loop_post(belay_loop *loop, belay_action_fn action, void *ctx,
                                 belay_free_fn ctx_free);
/* Returns the largest number of things that ever waited in that queue. Any thread. */
BELAY_EXPORT size_t belay_loop_queue_high_water(belay_loop *loop);

/* Sets the loop's hook for errors that nobody handles: see belay_on_unhandled_error(). It replaces
   the hook of another user, and goes when this user leaves. */
BELAY_EXPORT int belay_loop_on_unhandled_error(belay_loop *loop, belay_unhandled_fn hook, void *ctx,
                                               belay_free_fn ctx_free);

/* ---- the end ---- */

/* Leaves the loop. This disposes of the user's subscriptions, timers and work, drops its posts, and
   destroys its belay_pointer_at() values. When the last user leaves, the loop is closed: everything
   at home there is interrupted, sources are closed, and what is queued is dropped. The runs of a
   loop of Belay's own return after their turns, also if the host still has handles there.

   `closed` gets what was still open, by name; for the last user also what the host still has there.
   When `closed` is NULL, this is printed on stderr, one line each, unless the user is quiet.
   `ctx_free` runs after `closed`. Both run before this returns, with three exceptions, in which
   they run later: work of this user is running on the pool (for the last user also: a file is being
   read); the loop is Belay's own and is running; or this is called from inside a callback of
   Belay's. In the last case they run when no callback of Belay's is on the stack of this thread any
   more. The contexts of those callbacks have been freed then, and a turn inside of a callback does
   not run `closed`. (The last user of a loop of Belay's own that is not running does not wait for a
   callback. It waits for the pool and for files inside of this call, so work on the pool must not
   wait for the thread that closes, as by belay_disposable_dispose_sync().) After `closed` nothing
   of this user runs at the loop. The user ends its things on other loops and workers itself. An
   adopted loop may still have handles that libuv is closing: uv_loop_close() returns UV_EBUSY until
   the host has run the loop once more. A callback of Belay's that the host has called outside of
   uv_run(), and that has closed its loop, must not run that loop: the close would then wait for a
   turn that does not come.

   Returns 0; BELAY_ECLOSED the second time. The thread may create or adopt another loop at once. A
   host that ends its loop by closing every handle it finds may close Belay's handles too, and its
   loop; this call then closes the rest. In between nothing begins at the loop: work and posts are
   refused with BELAY_ECANCELED, a subscription to a source is interrupted. */
BELAY_EXPORT int belay_loop_close(belay_loop *loop, belay_closed_fn closed, void *ctx,
                                  belay_free_fn ctx_free);

/* Returns the kind of the thing: "subscription", "timer", "owner", "stream", "listener", "work" (on
   the pool), "uv_tcp", …; "" for NULL. Static. */
BELAY_EXPORT const char *belay_open_resource_kind(const belay_open_resource *resource);
/* Each returns a static string or NULL: the label, and the site. A subscription that has none tells
   those of its source; it does not know them below observe_on(), and may not where an operator has
   several signals. A timer of a source or an operator, and its work on the pool, have those of the
   subscription. A stream or listener that has none tells those of the subscription that reads or
   accepts there; a stream does not know one at another loop. Work on the pool has the name of what
   the loop's thread has scheduled last on that scheduler. */
BELAY_EXPORT const char *belay_open_resource_label(const belay_open_resource *resource);
BELAY_EXPORT const char *belay_open_resource_site(const belay_open_resource *resource);
/* Returns the address where the thing is or was, to tell one from another. */
BELAY_EXPORT const void *belay_open_resource_address(const belay_open_resource *resource);
/* Returns 1 when the thing is the host's and was left as it is; 0 when it is Belay's and was ended
   by the close. */
BELAY_EXPORT int belay_open_resource_is_foreign(const belay_open_resource *resource);

BELAY_END

#endif
