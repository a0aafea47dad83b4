/* Owners: what subscriptions end with.
 *
 * An owner stands for an object of the host's. Its death has eight steps:
 *   1 weak references read NULL, belay_owner_is_dying() is 1;
 *   2 `deallocating` sends a null value: the object is intact;
 *   3 what is bound to it is disposed, in order;
 *   4 its deinit runs;
 *   5 its notices are told (notice.h);
 *   6 its associated objects are let go of (association.h);
 *   7 `deallocating` completes, `deallocated` sends a null value and completes;
 *   8 its dealloc runs.
 * While a callback that is bound to it is running, on whatever thread, steps 4 to 8 wait, and run
 * on the thread that leaves the last one. (RxSwift's rx.deallocating and rx.deallocated.)
 *
 * Threads. Every function may be called on any thread. A death happens on the thread that drops
 * the last reference; an owner with a loop dies on that loop's thread.
 */
#ifndef BELAY_OWNER_H
#define BELAY_OWNER_H

#include "base.h"
#include "signal.h"

typedef void (*belay_object_fn)(void *object);

/* NULL, or zeroes after `size`, for the defaults. */
typedef struct belay_owner_options {
  size_t size;
  const char *label; /* static; its name in reports */
  const char *site;  /* static; BELAY_HERE */
  belay_loop *loop;  /* where it dies; NULL: wherever the last reference is dropped */
} belay_owner_options;

BELAY_BEGIN

/* An owner for `object` (may be NULL). When its last reference is released, `deinit(object)` runs
   as step 4 and `dealloc(object)` as step 8; either may be NULL. When this fails (bad options,
   a closed loop) it returns NULL and neither runs. */
BELAY_EXPORT belay_owner *belay_owner_create(void *object, belay_object_fn deinit,
                                             belay_object_fn dealloc);
BELAY_EXPORT belay_owner *belay_owner_create_with(void *object, belay_object_fn deinit,
                                                  belay_object_fn dealloc,
                                                  const belay_owner_options *options);
/* Another reference. On a dying owner it keeps the handle, never the object. */
BELAY_EXPORT belay_owner *belay_owner_retain(belay_owner *owner);
/* Gives a reference back; the last one is the owner's death. */
BELAY_EXPORT void belay_owner_release(belay_owner *owner);

/* ---- adopted pointers: objects whose end the host declares ---- */

/* The owner of any pointer: made at the first ask, the same one until its end is declared. From
   step 4 of its death on the address is this object's on the thread that ends it only: elsewhere
   the memory may be another object's already, and has a new owner. Release the result; releasing it
   does not end the object. NULL: NULL. `options` counts at the first ask only. */
BELAY_EXPORT belay_owner *belay_owner_adopt(void *pointer, const belay_owner_options *options);
/* Declares the end of an adopted pointer: steps 1 to 3, `destroy(ctx)` as step 4 (may be NULL),
   then the rest. Waits in step 3 for callbacks bound to it that run on other threads, not for
   those on its own stack. A pointer that nobody adopted: only `destroy` runs. BELAY_EWRONGTHREAD
   before anything is announced when it has a loop and this is not its thread; then `destroy` has
   not run. BELAY_EDEAD when its end has begun already. */
BELAY_EXPORT int belay_owner_end(void *pointer, belay_free_fn destroy, void *ctx);
/* The same in two halves, around the host's own destructor: steps 1 to 3, … */
BELAY_EXPORT int belay_owner_will_end(void *pointer);
/* … and 5 to 8, on the same thread. BELAY_ENOENT without belay_owner_will_end() before, there. */
BELAY_EXPORT int belay_owner_did_end(void *pointer);

/* A function that destroys an object, as tables of functions have it. */
typedef void (*belay_destroy_fn)(void *object);

/* The owner of an object that ends in a function of its class's table: `slot` is where the table
   keeps it. The function is replaced by one that dies around it, once a table and for good: steps 1
   to 3, the original, steps 5 to 8. The original is always called. Only objects that were given to
   this function die so; of a derived table that calls the function of its base's, or was copied
   from it, an object dies once. As belay_owner_adopt() otherwise; the death is where the function
   is called, so `loop` has to be NULL, and an object that has an owner with a loop is refused.
   `*owner` (may be NULL) gets a reference whenever there is an owner; if wrapping failed, it is one
   whose end has to be declared, and `deallocating` of one that is new is the error event.
   0; BELAY_EINVAL for a NULL object, a NULL or unaligned slot, wrong options, a loop; BELAY_ENOENT
   for an empty slot; BELAY_EMISMATCH when somebody else has replaced the function since;
   BELAY_EBUSY beyond 32 tables; -EACCES for a table that cannot be written to, such as a constant
   one. */
BELAY_EXPORT int belay_owner_adopt_slot(void *object, belay_destroy_fn *slot,
                                        const belay_owner_options *options, belay_owner **owner);

/* ---- asking ---- */

/* The object it stands for; NULL once its death has begun. */
BELAY_EXPORT void *belay_owner_object(belay_owner *owner);
/* 1 from step 1 on; 1 for NULL. */
BELAY_EXPORT int belay_owner_is_dying(belay_owner *owner);
BELAY_EXPORT const char *belay_owner_label(belay_owner *owner);

/* The signals of steps 2 and 7. Late subscribers get what has been sent. Release the result. */
BELAY_EXPORT belay_signal *belay_owner_deallocating(belay_owner *owner);
BELAY_EXPORT belay_signal *belay_owner_deallocated(belay_owner *owner);

/* ---- binding ---- */

/* Binds `disposable` to the owner: it is disposed at step 3, at once when the owner is dying. One
   that ends by itself leaves. Takes nothing over. */
BELAY_EXPORT int belay_owner_add(belay_owner *owner, belay_disposable *disposable);
/* Binds an action; `ctx_free` follows it. */
BELAY_EXPORT int belay_owner_add_action(belay_owner *owner, belay_action_fn action, void *ctx,
                                        belay_free_fn ctx_free);
/* The owner's compound, borrowed: it lives as long as the handle. NULL when dying. */
BELAY_EXPORT BELAY_BORROWS belay_disposable *belay_owner_compound(belay_owner *owner);

/* ---- trees ---- */

/* Binds a child: at its turn in step 3 of the parent's death it dies whole, all eight steps,
   whoever holds references; the parent goes on after that. With a loop of its own it dies there,
   and the parent waits. At once when the parent is dying. A child that dies by itself leaves; one
   that is dying is ignored, and so is one that is this parent's already. Takes nothing over. 0;
   BELAY_EINVAL for NULL, for the parent itself or one it descends from, and for a child with
   another loop than that of an adopted parent, whose end cannot wait for it; BELAY_EKIND for an
   adopted child, whose end is the host's to declare; BELAY_EASSIGNED for one that has another
   parent; BELAY_ERANGE when more than 1000 owners would be one above the other. */
BELAY_EXPORT int belay_owner_add_child(belay_owner *parent, belay_owner *child);
/* Sets a child free. 0; BELAY_ENOENT when it is none of this parent's; BELAY_EINVAL for NULL. */
BELAY_EXPORT int belay_owner_remove_child(belay_owner *parent, belay_owner *child);

/* ---- weak references ---- */

BELAY_EXPORT belay_weak *belay_weak_create(belay_owner *owner);
BELAY_EXPORT belay_weak *belay_weak_retain(belay_weak *weak);
BELAY_EXPORT void belay_weak_release(belay_weak *weak);
/* A reference to the owner, which keeps it from dying until released; NULL once the last one has
   gone or it is dying. */
BELAY_EXPORT belay_owner *belay_weak_get(belay_weak *weak);

BELAY_END

#endif
