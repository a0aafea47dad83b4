/* Slots: places of function pointers that are intercepted. (sentMessage, methodInvoked,
 * rac_signalForSelector; before, after and around.)
 *
 * A slot is a method of a table in memory, of one object, or of a proxy (proxy.h). While somebody
 * listens or intercepts, Belay's function is in it, and calls what was there; with the last of them
 * that is put back. The order of a call is
 *
 *   what `sent` has sent → interceptors, the last added first → the original, or what answers in its
 *   place → what `invoked` sends
 *
 * Signals. They send arrays of the arguments, without the one that carries the context; `invoked`
 * adds the result, unless that is void. A subscriber is called at its home, if that is a loop; else
 * on the thread that makes the call. While one delivers, what others send waits; if more than 1024
 * do, BELAY_EAGAIN is recorded for the thread whose call is not told of. Nothing is replayed. They complete with the slot.
 *
 * Answers. The original's is the answer. Where the slot is empty (NULL), it is what a responder
 * answers, else the slot's default, else zero. With several, the combiner makes one of them; without
 * it the first counts.
 *
 * Ends. A slot of an object or a proxy is gone at step 3 of its owner's death (owner.h), which puts
 * the table pointer back; one of a table when belay_table_gone() says so. Handles that are left do
 * nothing then.
 *
 * A method that ends its object (BELAY_METHOD_ENDS_OBJECT) is in an object's copy as long as there
 * is one. A call of it, through that or through an intercepted table, is the death of an adopted
 * object that is not dying: steps 1 to 3, the original, steps 5 to 8, whichever thread it is on.
 * Interceptors come before that, and one that does not go on lets the object live. Of an object's
 * slot for it `sent` is the owner's `deallocating` and `invoked` its `deallocated`, each as an empty
 * array. Of an object that is not an adopted one the slots end, as its memory goes; its owner is as
 * it was.
 *
 * Somebody else. Belay replaces and restores a pointer only where it finds what it expects. If
 * somebody else has written meanwhile, that stays: belay_slot_status() is BELAY_EMISMATCH, and the
 * end of the last interception is recorded as that error. Belay's function may still be called
 * through what replaced it, and passes on what it was in front of.
 *
 * Threads. Any function may be called on any thread, and the table may be in use meanwhile; whoever
 * calls through it loads the pointer in one piece. No lock is held during a callback or a call. The
 * functions that Belay puts into a slot are there until it is gone, for a thread may be about to
 * call one.
 */
#ifndef BELAY_SLOT_H
#define BELAY_SLOT_H

#include "base.h"
#include "combining.h"
#include "interface.h"
#include "invocation.h"
#include "owner.h"
#include "signal.h"
#include "value.h"

typedef struct belay_slot belay_slot;

typedef enum belay_slot_flags {
  BELAY_SLOT_UNPROTECT = 1 /* write to memory that is read-only, and protect it again */
} belay_slot_flags;

/* Called in place of the method, on the calling thread: it can look at and change the arguments,
   belay_invocation_proceed() or not (a veto), and set the result. `call` is borrowed. A failure
   (negative) is recorded for the thread that calls, and the call is answered as it stands. */
typedef int (*belay_around_fn)(void *ctx, belay_invocation *call);
/* Answers a call where there is no original, or besides it; returns the answer (given away). `call`
   is borrowed. A failure value is recorded for the thread that calls, and counts as null. */
typedef belay_value (*belay_respond_fn)(void *ctx, belay_invocation *call);

BELAY_BEGIN

/* A method of a table in memory, which every object with that table calls. The same slot on every
   ask; a reference, release it. NULL: BELAY_EINVAL for NULL, a misaligned table or unknown flags;
   BELAY_ENOENT for a method that there is none of; BELAY_EPERM for one that is performance-
   sensitive; BELAY_EMISMATCH for one that is known with another shape; BELAY_ENOMEM where libffi
   may not make a closure. That the table is read-only is found when it has to be written to. */
BELAY_EXPORT belay_slot *belay_slot_create_in_table(belay_interface *interface, void *table,
                                             const char *method, unsigned flags);
/* A method of one object: while it is intercepted, the object's table pointer leads to a private
   copy of its table, of the interface's `table_size`, which has to be the whole of it. What slots of
   the shared table do meanwhile counts for the copy too; what others write there does not. The same
   slot on every ask, for every interface that has the pointer at that offset. As above; also
   BELAY_EINVAL for an interface without `table_offset`, an owner without an object, a misaligned
   one, or one whose table pointer is NULL or misaligned; BELAY_EDEAD for one that is dying. */
BELAY_EXPORT belay_slot *belay_slot_create_in_object(belay_interface *interface,
                                                     belay_owner *object, const char *method);
BELAY_EXPORT belay_slot *belay_slot_retain(belay_slot *slot);
BELAY_EXPORT void belay_slot_release(belay_slot *slot);

/* Says that a table's memory is going, or that nobody calls through it any more: its slots are put
   back first, if it can be written to, and end; their functions are freed when no call is in them.
   0; BELAY_EINVAL for NULL; BELAY_ENOENT for a table without a slot; BELAY_EMISMATCH when somebody
   else had written. */
BELAY_EXPORT int belay_table_gone(void *table);

/* Before and after each call. Subscribing puts Belay's function in, and disposing takes it out. A
   subscription fails with BELAY_EROFS for a table in read-only memory, BELAY_EMISMATCH when somebody
   else has written, before anything is written. Release the result. */
BELAY_EXPORT belay_signal *belay_slot_sent(belay_slot *slot);
BELAY_EXPORT belay_signal *belay_slot_invoked(belay_slot *slot);

/* Intercepts calls. The last added is called first; the disposable (may be NULL) ends any of them
   in any order, and belongs to the caller. 0; BELAY_EINVAL for NULL; BELAY_EDEAD for a slot that is
   gone; BELAY_EROFS and BELAY_EMISMATCH as above. `ctx_free` runs once, also on failure. */
BELAY_EXPORT int belay_slot_around(belay_slot *slot, belay_around_fn around, void *ctx,
                                   belay_free_fn ctx_free, belay_disposable **disposable);
/* Answers calls; as above. */
BELAY_EXPORT int belay_slot_respond(belay_slot *slot, belay_respond_fn respond, void *ctx,
                                    belay_free_fn ctx_free, belay_disposable **disposable);
/* What is answered where nothing answers; `value` is given away. Fails as
   belay_invocation_set_result(). */
BELAY_EXPORT int belay_slot_set_default(belay_slot *slot, belay_value value);
/* What makes one of several answers, which it borrows: the original's, if there is one, then the
   responders' in the order in which they were added. It returns it (given away). NULL: the first.
   Replaces the one before. */
BELAY_EXPORT int belay_slot_set_combiner(belay_slot *slot, belay_combine_fn combine, void *ctx,
                                         belay_free_fn ctx_free);

/* Has `function` called with the method's own arguments at each call: typed, unboxed, before it as
   `sent` is. Its shape has to be the method's with `ctx` (`@`) where the context is, or first where
   there is none; its result is ignored. Otherwise BELAY_EKIND, and the message shows both shapes.
   Else as belay_slot_around(). The disposable ends it. */
BELAY_EXPORT int belay_slot_connect(belay_slot *slot, const char *shape, belay_function function,
                                    void *ctx, belay_free_fn ctx_free,
                                    belay_disposable **disposable);

/* 0; BELAY_EMISMATCH when somebody else has written over Belay's function; BELAY_EDEAD when the
   slot is gone; BELAY_EINVAL for NULL. */
BELAY_EXPORT int belay_slot_status(belay_slot *slot);
/* What is in the slot but for Belay, or NULL: the original. */
BELAY_EXPORT belay_function belay_slot_original(belay_slot *slot);

BELAY_END

/* BELAY_SLOT_CONNECT(slot, function, ctx, result, arguments): the same with the shape made of C
   types, which are compared with the function's at compile time. The context comes first.
     BELAY_SLOT_CONNECT(slot, on_moved, view, void, (void *, double, double)) */
#if defined(BELAY_SHAPE)
#define BELAY_SLOT_CONNECT(slot, function, ctx, result, arguments)                            \
  belay_slot_connect((slot), BELAY_SHAPE(0, result, arguments),                               \
                     (belay_function)_Generic(&(function), result(*) arguments: (function)), \
                     (ctx), NULL, NULL)
#endif

#endif
