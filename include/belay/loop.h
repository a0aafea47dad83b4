/* Loops: libuv event loops, Belay's own or the host's.
 *
 * Threads. A loop is bound to one thread, a thread to one loop. create, adopt and run bind it to
 * the calling thread; belay_loop_bind() moves it to another one while it is not running. Only
 * belay_loop_post(), belay_loop_stop(), retain and release may be called on any thread; elsewhere
 * the rest answers BELAY_EWRONGTHREAD.
 *
 * Users. Libraries that know nothing of each other share the loop of their thread: create and adopt
 * find it, and each handle that they return is one user of it. A user's are the subscriptions whose
 * observers name the handle (`loop`), what its scheduler and its pools have been given, what was
 * posted through it, its hook for errors, and its belay_pointer_at(). belay_loop_close() ends that
 * and nothing else; the last user to leave closes the loop. What names no handle is nobody's and
 * ends with the loop. So a library names its handle everywhere, and may be unloaded when `closed`
 * has been called.
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

/* NULL, or zeroes after `size`, for the defaults. */
typedef struct belay_loop_options {
  size_t size;
  const char *label; /* static; its name in reports */
  const char *site;  /* static; BELAY_HERE */
  size_t capacity;   /* of the queue from other threads (events, scheduled work, posts; ends and
                        disposals are never refused); 0: 1024. The first user's counts */
  int persistent;    /* 1: waiting for other threads counts as something to wait for, so that a
                        run goes on until belay_loop_stop(), as long as this user is there */
  int quiet;         /* 1: prints nothing about what is still there when this user leaves */
  /* Of the libuv that the caller has: UV_VERSION_HEX, or what uv_version() says; 0: unknown.
     BELAY_ENOTSUP when the libuv that Belay calls is of another major version, or of an older minor
     one: then two copies of it are in the process, or the wrong one. */
  uint32_t uv_version;
} belay_loop_options;

/* Something that was still open on a loop when it was closed. */
typedef struct belay_open_resource belay_open_resource;

/* `resources` are `count` of them, borrowed with their array until this returns. */
typedef void (*belay_closed_fn)(void *ctx, const belay_open_resource *const *resources,
                                size_t count);

BELAY_BEGIN

/* The loop that this thread has, of which the caller is one more user; else one of Belay's own,
   bound to this thread. BELAY_ENOTSUP also when the libuv in the process is older than the one that
   Belay was compiled for. `options` may be NULL. Release the result. */
BELAY_EXPORT belay_loop *belay_loop_create(const belay_loop_options *options);
/* Belay on a loop of the host's, which the host goes on running. Its `data`, its handles and its
   run are left alone, and Belay does not keep it alive, except for timers and sources in use. Where
   Belay is on that loop already the caller is one more user, and the loop is bound to this thread.
   Call it on the thread that runs the loop. The uv_loop_t must live until the close's callback has
   run. BELAY_EBOUND when the thread has another loop, BELAY_EBUSY when this one is Belay's own and
   runs on another thread, BELAY_EINVAL for one that libuv has closed, and what create answers. */
BELAY_EXPORT belay_loop *belay_loop_adopt(struct uv_loop_s *uv, const belay_loop_options *options);
BELAY_EXPORT belay_loop *belay_loop_retain(belay_loop *loop);
/* Gives a reference back. Any thread. With the last one of a handle that was not closed its user
   leaves: at once on the loop's thread; elsewhere at the next turn, or, when the loop is Belay's
   own, has no other user and is not running, as soon as its thread has ended or looks for a loop,
   which a line on stderr says. */
BELAY_EXPORT void belay_loop_release(belay_loop *loop);

/* Binds the loop to the calling thread; BELAY_EBUSY while it runs. */
BELAY_EXPORT int belay_loop_bind(belay_loop *loop);
/* The loop bound to the calling thread, borrowed, or NULL: the handle of the user who has had it
   longest, to ask the loop something. To use it, create or adopt. */
BELAY_EXPORT belay_loop *belay_loop_current(void);

/* Runs the loop. Scheduled work, sources in use and the host's own handles are what it waits for;
   subscriptions to subjects alone are not. Returns 0 when nothing is left to wait for, 1 when there
   is (stopped, or one turn is over), or an error: BELAY_EBUSY while another thread runs it,
   BELAY_ECLOSED, BELAY_EINVAL for an adopted loop (run it yourself) and an unknown mode.

   A callback may run it, too, or have the host or libuv run it: a modal dialogue goes on. Such a
   turn delivers what the outer one has left. What runs is not entered again: a subscriber hears one
   event at a time, and a periodic timer whose callback is running misses its turns. libuv itself
   calls its uv_run() not re-entrant; its own watchers whose callbacks wait in the outer turn are
   called there. */
BELAY_EXPORT int belay_loop_run(belay_loop *loop, belay_run_mode mode);
/* Makes a run, the innermost, return after the turn in progress; before a run, makes the next one
   return at once.
   Any thread. BELAY_EINVAL for an adopted loop. */
BELAY_EXPORT int belay_loop_stop(belay_loop *loop);
/* 1 while there is something to wait for. */
BELAY_EXPORT int belay_loop_alive(belay_loop *loop);
/* Seconds on the monotonic clock, read once a turn. */
BELAY_EXPORT double belay_loop_now(belay_loop *loop);
/* This user's scheduler on the loop, borrowed: valid as long as the handle. When the user has left
   it answers BELAY_ECANCELED. */
BELAY_EXPORT belay_scheduler *belay_loop_get_scheduler(belay_loop *loop);
/* The libuv loop inside, borrowed. */
BELAY_EXPORT BELAY_BORROWS struct uv_loop_s *belay_loop_uv(belay_loop *loop);
/* How often the loop has come back from waiting: one for each turn. */
BELAY_EXPORT uint64_t belay_loop_turns(belay_loop *loop);

/* ---- driven by the host ---- */

/* The backend's descriptor: poll it for reading, and for as long as backend_timeout says. */
BELAY_EXPORT int belay_loop_backend_fd(belay_loop *loop);
/* Seconds to wait at most: 0 to run now, negative for no limit. Ask again after every run and after
   every call that may arm something; then belay_loop_run(loop, BELAY_RUN_NOWAIT). */
BELAY_EXPORT double belay_loop_backend_timeout(belay_loop *loop);
/* One descriptor for everything: readable whenever the loop has something to do, timers and newly
   armed sources included. Made at the first ask; the loop owns it. Negative: an error. */
BELAY_EXPORT int belay_loop_fd(belay_loop *loop);

/* ---- from other threads ---- */

/* Runs `action` on the loop's thread, at its next turn, in the order of posting. Any thread.
   BELAY_EAGAIN when the queue is full, BELAY_ECANCELED when the handle is closed; `ctx_free` runs
   in every case, after the action or before this returns. */
BELAY_EXPORT int belay_loop_post(belay_loop *loop, belay_action_fn action, void *ctx,
                                 belay_free_fn ctx_free);
/* The most that ever waited in that queue. Any thread. */
BELAY_EXPORT size_t belay_loop_queue_high_water(belay_loop *loop);

/* The loop's hook for errors that nobody handles; see belay_on_unhandled_error(). It takes the
   place of another user's, and goes when this user leaves. */
BELAY_EXPORT int belay_loop_on_unhandled_error(belay_loop *loop, belay_unhandled_fn hook, void *ctx,
                                               belay_free_fn ctx_free);

/* ---- the end ---- */

/* Leaves the loop: this user's subscriptions are disposed of, its timers and its work too, its
   posts are dropped, its belay_pointer_at() destroyed. The last user to leave closes the loop: all
   that is at home there is interrupted, sources are closed, what is queued is dropped.

   `closed` gets what was still alive, by name, and for the last user what the host still has
   there; when it is NULL, that is printed on stderr, a line each, unless the user is quiet.
   `ctx_free` follows. Both run before this returns, with three exceptions, in which a later turn
   calls them: work of this user's is running on the pool (for the last user also a file is being
   read); this is called from inside a callback of Belay's, which then frees its context first; or
   the loop is Belay's own and running. After `closed` nothing of this user's runs at the loop; what
   he has on other loops and workers is his to end. An adopted loop may have handles left that libuv
   is closing: uv_loop_close() says UV_EBUSY until the host has run it once more.

   A second close is BELAY_ECLOSED. The thread may make or adopt another loop at once. A host
   that ends its loop by closing every handle it finds may close Belay's, too; this then closes the
   rest. */
BELAY_EXPORT int belay_loop_close(belay_loop *loop, belay_closed_fn closed, void *ctx,
                                  belay_free_fn ctx_free);

/* What kind of thing it is: "subscription", "timer", "work" (on the pool), "uv_tcp", …; "" for
   NULL. Static. */
BELAY_EXPORT const char *belay_open_resource_kind(const belay_open_resource *resource);
/* Its label and its site, static, or NULL. */
BELAY_EXPORT const char *belay_open_resource_label(const belay_open_resource *resource);
BELAY_EXPORT const char *belay_open_resource_site(const belay_open_resource *resource);
/* Where it is, or was, to tell one from another. */
BELAY_EXPORT const void *belay_open_resource_address(const belay_open_resource *resource);
/* 1: the host's, and left as it is; 0: Belay's, and ended by the close. */
BELAY_EXPORT int belay_open_resource_is_foreign(const belay_open_resource *resource);

BELAY_END

#endif
