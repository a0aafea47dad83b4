/* Owners: what subscriptions end with.
 *
 * An owner stands for an object of the host's. Its death has eight steps:
 *   1 weak references read NULL, belay_owner_is_dying() is 1;
 *   2 `deallocating` sends a null value: the object is intact;
 *   3 what is bound to it is disposed, in order;
 *   4 its deinit runs; 5 and 6 are named notifications and associated objects;
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

/* The owner of any pointer: made at the first ask, the same one until its end is declared.
   Release the result; releasing it does not end the object. NULL: NULL. `options` counts at the
   first ask only. */
BELAY_EXPORT belay_owner *belay_owner_adopt(void *pointer, const belay_owner_options *options);
/* Declares the end of an adopted pointer: steps 1 to 3, `destroy(ctx)` as step 4 (may be NULL),
   then the rest. Waits in step 3 for callbacks bound to it that run on other threads, not for
   those on its own stack. A pointer that nobody adopted: only `destroy` runs. BELAY_EWRONGTHREAD
   before anything is announced when it has a loop and this is not its thread; then `destroy` has
   not run. BELAY_EDEAD when its end has begun already. */
BELAY_EXPORT int belay_owner_end(void *pointer, belay_free_fn destroy, void *ctx);
/* The same in two halves, around the host's own destructor: steps 1 to 3, … */
BELAY_EXPORT int belay_owner_will_end(void *pointer);
/* … and 5 to 8. BELAY_ENOENT without belay_owner_will_end() before. */
BELAY_EXPORT int belay_owner_did_end(void *pointer);

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
BELAY_EXPORT belay_disposable *belay_owner_compound(belay_owner *owner);

/* ---- weak references ---- */

BELAY_EXPORT belay_weak *belay_weak_create(belay_owner *owner);
BELAY_EXPORT belay_weak *belay_weak_retain(belay_weak *weak);
BELAY_EXPORT void belay_weak_release(belay_weak *weak);
/* A reference to the owner, which keeps it from dying until released; NULL once it is dying. */
BELAY_EXPORT belay_owner *belay_weak_get(belay_weak *weak);

BELAY_END

#endif
