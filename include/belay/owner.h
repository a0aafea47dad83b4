/* Owners: subscriptions end when their owner dies.
 *
 * An owner stands for an object of the host. Its death has eight steps:
 *   1 weak references read NULL, and belay_owner_is_dying() returns 1;
 *   2 `deallocating` sends a null value while the object is intact;
 *   3 the disposables that are bound to it are disposed, in order;
 *   4 its deinit runs;
 *   5 its notices are sent (notice.h);
 *   6 its associated objects are freed (association.h);
 *   7 `deallocating` completes, `deallocated` sends a null value and completes;
 *   8 its dealloc runs.
 * While a callback that is bound to the owner is running on any thread, steps 4 to 8 wait. They
 * then run on the thread that leaves the last such callback. If the owner dies on another thread
 * than the home of what is bound, they also wait for what its end still calls there: `disposed`,
 * `ctx_free`, finally, what a producer has. (RxSwift's rx.deallocating and rx.deallocated.)
 *
 * Threads. Any thread may call every function. An owner dies on the thread that releases its last
 * reference. An owner with a loop dies on the thread of that loop. A close of that loop names the
 * owner among the open resources, and leaves it alive; it dies on the thread that ends it then.
 */
#ifndef BELAY_OWNER_H
#define BELAY_OWNER_H

#include "base.h"
#include "signal.h"

typedef void (*belay_object_fn)(void *object);

/* NULL, or zeroes after `size`, means the defaults. */
typedef struct belay_owner_options {
  size_t size;
  const char *label; /* static; the name of the owner in reports */
  const char *site;  /* static; BELAY_HERE */
  /* The loop at which the owner dies. NULL: the thread that releases the last reference. */
  belay_loop *loop;
  /* In the place of `loop`: the scheduler of a loop, a worker or a pool, or one of the host's own,
     at whose home the owner dies. */
  belay_scheduler *scheduler;
} belay_owner_options;

BELAY_BEGIN

/* Creates an owner for `object` (may be NULL). When its last reference is released,
   `deinit(object)` runs as step 4 and `dealloc(object)` as step 8. Both may be NULL, and so may
   `options`. NULL, when the options are wrong or the loop is closed; neither callback runs then. */
BELAY_EXPORT belay_owner *belay_owner_create(void *object, belay_object_fn deinit,
                                             belay_object_fn dealloc,
                                             const belay_owner_options *options);
/* Adds a reference. A reference to a dying owner keeps the handle valid, but never the object
   alive. */
BELAY_EXPORT belay_owner *belay_owner_retain(belay_owner *owner);
/* Gives a reference back. The last release is the death of the owner. */
BELAY_EXPORT void belay_owner_release(belay_owner *owner);

/* ---- adopted pointers: objects whose end the host declares ---- */

/* Returns the owner of any pointer. The first call makes it; later calls return the same owner
   until the host declares the end of the object. From step 4 of its death on, the address belongs
   to this object only on the thread that ends it. Elsewhere the memory may already belong to
   another object, which has a new owner. Release the result; this does not end the object.
   `options` counts only at the first call. NULL: BELAY_EINVAL for NULL and for wrong options. */
BELAY_EXPORT belay_owner *belay_owner_adopt(void *pointer, const belay_owner_options *options);
/* Declares the end of an adopted pointer: runs steps 1 to 3, `destroy(ctx)` (may be NULL) as step
   4, then the rest. Step 2 waits for callbacks of other subscriptions to `deallocating` that run on
   other threads, also for the `disposed` and the free of one that ends. Step 3 waits for callbacks
   bound to the owner that run on other threads, but not for those on its own stack, nor for what
   ends call later at their homes (`disposed` and the others above), whose threads may be waiting
   for this one. If they use the object, call this on the thread of that home; an owner with that
   loop enforces it. If nobody has adopted the pointer, only `destroy` runs. Returns 0;
   BELAY_EWRONGTHREAD when the owner has an open loop and this is not its thread, in which case no
   step has begun and `destroy` has not run; BELAY_EDEAD when the end has begun already;
   BELAY_EDEADLK when one of those callbacks waits for this thread: steps 1 to 3 have run then, but
   that callback's thread may still be the one to send `deallocating`, and `destroy` has not.
   Destroy the object when the callback has returned, and call belay_owner_did_end() on this thread.
   */
BELAY_EXPORT int belay_owner_end(void *pointer, belay_free_fn destroy, void *ctx);
/* Declares the end in two halves, around the host's own destructor. This half runs steps 1 to 3,
   and returns what belay_owner_end() returns. */
BELAY_EXPORT int belay_owner_will_end(void *pointer);
/* Runs steps 5 to 8, on the thread that called belay_owner_will_end(). Returns 0; BELAY_ENOENT when
   that thread has not called it. */
BELAY_EXPORT int belay_owner_did_end(void *pointer);

/* A function that destroys an object, as a table of functions holds it. */
typedef void (*belay_destroy_fn)(void *object);

/* Adopts an object that a function in the table of its class destroys. `slot` is the place of that
   function in the table. Belay replaces the function by one that runs the death around it: steps 1
   to 3, the original, steps 5 to 8. This happens once for a table and for good. The original is
   always called.

   Only objects that were given to this function die in this way. A derived table may call the
   function of its base's table, or be copied from it; an object still dies once. Otherwise this
   works like belay_owner_adopt(). The object dies where the function is called, so `loop` has to be
   NULL, and an object whose owner has a loop is refused.

   `*owner` (may be NULL) gets a reference whenever there is an owner. If the replacement failed,
   the host has to declare the end of that owner, and `deallocating` of a new owner sends that
   error.

   Returns 0; BELAY_EINVAL for a NULL object, a NULL or unaligned slot, wrong options, or a loop;
   BELAY_ENOENT for an empty slot; BELAY_EMISMATCH when somebody else has replaced the function
   since; BELAY_EBUSY beyond 32 tables; -EACCES for a table that cannot be written to, such as a
   constant one. */
BELAY_EXPORT int belay_owner_adopt_slot(void *object, belay_destroy_fn *slot,
                                        const belay_owner_options *options, belay_owner **owner);

/* ---- asking ---- */

/* Returns the object that the owner stands for; NULL when its death has begun. */
BELAY_EXPORT void *belay_owner_object(belay_owner *owner);
/* Returns 1 from step 1 on. Returns 1 for NULL. */
BELAY_EXPORT int belay_owner_is_dying(belay_owner *owner);
/* Returns the label of the owner, static as it was given; "" without one. */
BELAY_EXPORT const char *belay_owner_label(belay_owner *owner);

/* Each returns a signal: that of step 2 and that of step 7. A late subscription gets the events
   that have been sent. Release the result. */
BELAY_EXPORT belay_signal *belay_owner_deallocating(belay_owner *owner);
BELAY_EXPORT belay_signal *belay_owner_deallocated(belay_owner *owner);

/* ---- binding ---- */

/* Binds `disposable` to the owner. It is disposed at step 3, or at once when the owner is dying. A
   disposable that ends by itself leaves. Takes nothing over. Returns 0; BELAY_EINVAL for NULL. */
BELAY_EXPORT int belay_owner_add(belay_owner *owner, belay_disposable *disposable);
/* Binds an action in the same way. `ctx_free` runs after the action. */
BELAY_EXPORT int belay_owner_add_action(belay_owner *owner, belay_action_fn action, void *ctx,
                                        belay_free_fn ctx_free);
/* Returns the compound of the owner, borrowed until the owner dies: retain it to use it later. NULL
   when the owner is dying. Where another thread may end the owner, use belay_owner_add() and
   belay_owner_add_action() instead. */
BELAY_EXPORT belay_disposable *belay_owner_get_compound(belay_owner *owner);

/* ---- trees ---- */

/* Binds a child. The child dies at its turn in step 3 of the parent's death, with all eight steps,
   even while others hold references to it. The parent continues after that. A child with a loop
   dies there, and the parent waits. If the parent is dying, the child dies at once. A child that
   dies by itself leaves. A child that is dying, or that is bound to this parent already, is
   ignored. Takes nothing over.

   Returns 0; BELAY_EINVAL for NULL, for the parent itself or an ancestor of it, and when the root
   of the tree is adopted and the child, or something below it, has another loop than the root,
   whose end cannot wait for that loop; BELAY_EKIND for an adopted child, because the host declares
   its end; BELAY_EASSIGNED for a child of another parent; BELAY_ERANGE for more than 1000
   levels. */
BELAY_EXPORT int belay_owner_add_child(belay_owner *parent, belay_owner *child);
/* Unbinds a child, which does not end by that. Returns 0; BELAY_ENOENT when it is not a child of
   this parent, or the parent's death has come to it; BELAY_EINVAL for NULL. */
BELAY_EXPORT int belay_owner_remove_child(belay_owner *parent, belay_owner *child);

/* ---- weak references ---- */

/* Creates a weak reference, which does not keep the owner alive. It may live longer than the owner.
   Release the result. NULL: `owner` is NULL. */
BELAY_EXPORT belay_weak *belay_weak_create(belay_owner *owner);
/* Adds a reference to `weak` and returns `weak`. */
BELAY_EXPORT belay_weak *belay_weak_retain(belay_weak *weak);
/* Gives a reference back. */
BELAY_EXPORT void belay_weak_release(belay_weak *weak);
/* Returns a reference to the owner. It keeps the owner alive until it is released. NULL when the
   owner is dying or its last reference has gone. */
BELAY_EXPORT belay_owner *belay_weak_upgrade(belay_weak *weak);

BELAY_END

#endif
