/* Disposables: each ends one piece of work, once.
 *
 * Disposal is idempotent. It is safe on any thread and inside any callback. No lock is held while a
 * callback runs. Releasing the last reference to a disposable does not dispose of it, except for
 * bags and scoped disposables.
 *
 * Ownership. _create and _retain give a reference; belay_disposable_release() gives it back.
 * Containers retain their members: adding or setting takes nothing over.
 *
 * Threads. Any thread may call every function here, but in no handler of a POSIX signal (loop.h).
 *
 * NULL is legal everywhere and does nothing; a function that returns an int returns BELAY_EINVAL
 * for it. A function for one kind of disposable (belay_serial_set(), say) returns BELAY_EKIND for
 * another.
 */
#ifndef BELAY_DISPOSABLE_H
#define BELAY_DISPOSABLE_H

#include "base.h"

BELAY_BEGIN

/* Adds a reference to `disposable` and returns `disposable`. */
BELAY_EXPORT belay_disposable *belay_disposable_retain(belay_disposable *disposable);
/* Gives a reference back. The last release of a bag or of a scoped disposable disposes of it. */
BELAY_EXPORT void belay_disposable_release(belay_disposable *disposable);

/* Ends the work. At the home of a subscription, none of its callbacks runs any more when this
   returns, except those on the caller's own stack. Elsewhere, no event begins after this returns:
   only the value in progress may still pass the operators above the observer. The teardown,
   `disposed` and `ctx_free` then run at the next turn of the home. If that has no loop, they run on
   the caller, or at the home when the callback that is running returns. */
BELAY_EXPORT void belay_disposable_dispose(belay_disposable *disposable);

/* Disposes, then waits until none of its callbacks runs or will run and its `ctx_free` has
   returned. Waits at most `timeout` seconds; negative means without limit. Disposes in every case.
   Covers the whole chain, also the part above a change of home. Returns 0 when the wait succeeded;
   BELAY_EINPROGRESS at once inside one of its own callbacks; BELAY_EDEADLK at once when the wait
   would close a cycle of such waits; BELAY_ETIMEDOUT when the time is over.

   The waits of belay_worker_release() for an action, of belay_loop_close() for the pool, and of
   work at a pool for a free thread of it, are not known as parts of a cycle: what they wait for
   must not wait for their thread. So work at a pool should not wait for what is at home at another
   of the process: libuv has four threads for all of them, unless UV_THREADPOOL_SIZE says more. */
BELAY_EXPORT int belay_disposable_dispose_sync(belay_disposable *disposable, double timeout);

/* Returns 1 when it has been disposed or has ended, even while its action is still running. Returns
   1 for NULL. */
BELAY_EXPORT int belay_disposable_is_disposed(belay_disposable *disposable);
/* Gives scheduled work (of belay_scheduler_after() and its kin) the name and the line of code under
   which a close lists it among the open resources, and which the hook for slow callbacks gets. A
   close does not list what waits for the next turn only (belay_scheduler_schedule()). Both are
   static; NULL: none. (A subscription has those of its observer.) Any thread. Returns 0;
   BELAY_EKIND for another disposable. */
BELAY_EXPORT int belay_disposable_set_label(belay_disposable *disposable, const char *label,
                                            const char *site);

/* Creates a disposable whose disposal calls `action` (may be NULL) once. `ctx_free` runs after the
   action, or when the last reference is released without a disposal. */
BELAY_EXPORT belay_disposable *belay_disposable_create(belay_action_fn action, void *ctx,
                                                       belay_free_fn ctx_free);
/* Creates a disposable that does nothing. It always counts as disposed. */
BELAY_EXPORT belay_disposable *belay_nop_create(void);
/* Creates a disposable that only remembers whether it was disposed. */
BELAY_EXPORT belay_disposable *belay_boolean_create(void);
/* Creates a disposable that disposes of `first`, then of `second`. Either may be NULL. */
BELAY_EXPORT belay_disposable *belay_binary_create(belay_disposable *first,
                                                   belay_disposable *second);

/* Creates a container. Its disposal disposes of its members, in the order in which they were added.
   A member that ends by itself leaves. */
BELAY_EXPORT belay_disposable *belay_compound_create(void);
/* Adds `member`. Stores into `key` (may be NULL) the key that removes the member again, or 0 when
   the member did not stay. A NULL or disposed member is ignored. A disposed compound disposes of
   the member at once. Returns 0; BELAY_EINVAL when the compound would contain itself, directly or
   through other compounds. */
BELAY_EXPORT int belay_compound_add(belay_disposable *compound, belay_disposable *member,
                                    uint64_t *key);
/* Adds an action in the same way, without a handle. This saves one allocation. */
BELAY_EXPORT int belay_compound_add_action(belay_disposable *compound, belay_action_fn action,
                                           void *ctx, belay_free_fn ctx_free, uint64_t *key);
/* Takes a member out without disposing of it, in constant time. Returns 0; BELAY_ENOENT for a key
   whose member has gone. A key is never used twice. What the library itself has bound to an owner
   has no key. */
BELAY_EXPORT int belay_compound_remove(belay_disposable *compound, uint64_t key);
/* Returns the number of members. */
BELAY_EXPORT size_t belay_compound_count(belay_disposable *compound);

/* Creates a container that holds one disposable at a time. */
BELAY_EXPORT belay_disposable *belay_serial_create(void);
/* Puts `next` (may be NULL) in and disposes of the disposable that was there. A disposed serial
   disposes of `next` at once. Returns 0; BELAY_EINVAL for a serial in itself. */
BELAY_EXPORT int belay_serial_set(belay_disposable *serial, belay_disposable *next);
/* Does the same without disposing of the disposable that was there. It stores that one into
   `*previous` as a reference for the caller, or NULL. Returns 0; BELAY_EINVAL for a serial in
   itself. */
BELAY_EXPORT int belay_serial_swap(belay_disposable *serial, belay_disposable *next,
                                   belay_disposable **previous);

/* Creates a container that accepts one disposable, once. */
BELAY_EXPORT belay_disposable *belay_single_assignment_create(void);
/* Assigns `inner`. If the container has been disposed, disposes of `inner` at once. Returns 0;
   BELAY_EASSIGNED the second time, and then does not touch `inner`; BELAY_EINVAL for a container
   in itself. */
BELAY_EXPORT int belay_single_assignment_set(belay_disposable *single, belay_disposable *inner);

/* Creates a disposable that disposes of `underlying` when it and all its dependents have been
   disposed. */
BELAY_EXPORT belay_disposable *belay_ref_counted_create(belay_disposable *underlying);
/* Creates a dependent. After the disposal of the underlying disposable, the new dependent does
   nothing. */
BELAY_EXPORT belay_disposable *belay_ref_counted_create_dependent(belay_disposable *ref_counted);

/* Creates a disposable that disposes of `inner` when it is disposed, or when its own last reference
   is released. */
BELAY_EXPORT belay_disposable *belay_scoped_create(belay_disposable *inner);

/* Creates a disposable that disposes of `inner` on `scheduler`. Several disposals enqueue the work
   once. */
BELAY_EXPORT belay_disposable *belay_scheduled_create(belay_scheduler *scheduler,
                                                      belay_disposable *inner);

/* Creates a bag. It disposes of its members, in the order in which they were added, when its last
   reference is released. There is no other way to dispose of a bag. A member that ends by itself
   leaves. */
BELAY_EXPORT belay_bag *belay_bag_create(void);
/* Adds a reference to `bag` and returns `bag`. */
BELAY_EXPORT belay_bag *belay_bag_retain(belay_bag *bag);
/* Gives a reference back. The last release disposes of the members. */
BELAY_EXPORT void belay_bag_release(belay_bag *bag);
/* Adds `member`. A disposed member is ignored. Returns 0; BELAY_EINVAL for NULL. */
BELAY_EXPORT int belay_bag_add(belay_bag *bag, belay_disposable *member);
/* Returns the number of members; 0 for NULL. */
BELAY_EXPORT size_t belay_bag_count(belay_bag *bag);

BELAY_END

#endif
