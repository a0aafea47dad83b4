/* Disposables: each ends one piece of work, once.
 *
 * Disposal is idempotent, and safe from any thread and from inside any callback; no lock is held
 * while callbacks run. Dropping the last reference to a disposable does not dispose it, except
 * for scoped ones and bags.
 *
 * Ownership. _create and _retain give a reference, belay_disposable_release() gives it back.
 * Containers keep their own references: adding or setting takes nothing over.
 *
 * Threads. Every function here may be called on any thread.
 *
 * NULL is legal everywhere and does nothing: BELAY_EINVAL where an int is returned.
 * A function for one kind (belay_serial_set, say) given another answers BELAY_EKIND.
 */
#ifndef BELAY_DISPOSABLE_H
#define BELAY_DISPOSABLE_H

#include "base.h"

BELAY_BEGIN

BELAY_EXPORT belay_disposable *belay_disposable_retain(belay_disposable *disposable);
BELAY_EXPORT void belay_disposable_release(belay_disposable *disposable);

/* Ends the work. For a subscription, at its home: when this returns none of its callbacks runs
   any more but those already on the caller's own stack. Elsewhere: no callback begins after; the
   teardown, `disposed` and `ctx_free` run at home's next turn; where home has no loop, on the
   caller, or at home when the callback that is running returns. */
BELAY_EXPORT void belay_disposable_dispose(belay_disposable *disposable);

/* Disposes, then waits until no callback of it runs or will and its `ctx_free` has returned, at
   most `timeout` seconds (negative: for ever). 0 when so; BELAY_EINPROGRESS at once from inside
   one of its own callbacks; BELAY_EDEADLK at once when the wait would close a cycle of such
   waits; BELAY_ETIMEDOUT. It is disposed in every case. Covers the whole chain, above a change of
   home, too. */
BELAY_EXPORT int belay_disposable_dispose_sync(belay_disposable *disposable, double timeout);

/* 1 once disposed or ended, even while its action is still running; 1 for NULL. */
BELAY_EXPORT int belay_disposable_is_disposed(belay_disposable *disposable);

/* One whose disposal calls `action` (may be NULL) once. `ctx_free` follows the action, or runs
   when the disposable goes without having been disposed. */
BELAY_EXPORT belay_disposable *belay_disposable_create(belay_action_fn action, void *ctx,
                                                       belay_free_fn ctx_free);
/* One that does nothing, and always counts as disposed. */
BELAY_EXPORT belay_disposable *belay_nop_create(void);
/* One that only remembers whether it was disposed. */
BELAY_EXPORT belay_disposable *belay_boolean_create(void);
/* Disposes `first`, then `second`; either may be NULL. */
BELAY_EXPORT belay_disposable *belay_binary_create(belay_disposable *first,
                                                   belay_disposable *second);

/* A container disposed as one, in the order of adding. A member that ends by itself leaves. */
BELAY_EXPORT belay_disposable *belay_compound_create(void);
/* Adds `member`. Stores into `key` (may be NULL) what removes it again, or 0 when it did not
   stay: NULL and disposed members are ignored; a disposed compound disposes it at once.
   Adding a compound to itself, directly or through others, is BELAY_EINVAL. */
BELAY_EXPORT int belay_compound_add(belay_disposable *compound, belay_disposable *member,
                                    uint64_t *key);
/* The same for an action, without a handle: one allocation less. */
BELAY_EXPORT int belay_compound_add_action(belay_disposable *compound, belay_action_fn action,
                                           void *ctx, belay_free_fn ctx_free, uint64_t *key);
/* Takes a member out without disposing it, in constant time. BELAY_ENOENT for a key whose member
   has gone; keys are never used twice. */
BELAY_EXPORT int belay_compound_remove(belay_disposable *compound, uint64_t key);
/* How many members there are. */
BELAY_EXPORT size_t belay_compound_count(belay_disposable *compound);

/* Holds one disposable at a time. */
BELAY_EXPORT belay_disposable *belay_serial_create(void);
/* Puts `next` (may be NULL) in and disposes what was there. When the serial is disposed already,
   disposes `next` at once. */
BELAY_EXPORT int belay_serial_set(belay_disposable *serial, belay_disposable *next);
/* The same, but hands what was there to `*previous` (a reference for the caller, or NULL)
   without disposing it. */
BELAY_EXPORT int belay_serial_swap(belay_disposable *serial, belay_disposable *next,
                                   belay_disposable **previous);

/* Holds what is assigned to it, once. */
BELAY_EXPORT belay_disposable *belay_single_assignment_create(void);
/* BELAY_EASSIGNED the second time, and then leaves `inner` alone. When disposed before, disposes
   `inner` at once. */
BELAY_EXPORT int belay_single_assignment_set(belay_disposable *single, belay_disposable *inner);

/* Disposes `underlying` when it itself and all its dependents are disposed. */
BELAY_EXPORT belay_disposable *belay_ref_counted_create(belay_disposable *underlying);
/* A new dependent; one that does nothing once the underlying has been disposed. */
BELAY_EXPORT belay_disposable *belay_ref_counted_create_dependent(belay_disposable *ref_counted);

/* Disposes `inner` when disposed, or when its own last reference is released. */
BELAY_EXPORT belay_disposable *belay_scoped_create(belay_disposable *inner);

/* Disposes `inner` on `scheduler`; several disposals enqueue once. */
BELAY_EXPORT belay_disposable *belay_scheduled_create(belay_scheduler *scheduler,
                                                      belay_disposable *inner);

/* A bag disposes its content, in the order of adding, when its last reference is released. It
   cannot be disposed otherwise. Members that end by themselves leave. */
BELAY_EXPORT belay_bag *belay_bag_create(void);
BELAY_EXPORT belay_bag *belay_bag_retain(belay_bag *bag);
BELAY_EXPORT void belay_bag_release(belay_bag *bag);
/* Adds `member`; NULL is BELAY_EINVAL, a disposed member is ignored. */
BELAY_EXPORT int belay_bag_add(belay_bag *bag, belay_disposable *member);
BELAY_EXPORT size_t belay_bag_count(belay_bag *bag);

BELAY_END

#endif
