/* Slots: places of function pointers, which can be intercepted. (sentMessage, methodInvoked,
 * rac_signalForSelector; before, after and around.)
 *
 * A slot is a method of a table in memory, of one object, or of a proxy (proxy.h). While it has a
 * listener or an interceptor, it contains Belay's function, which calls the function that was
 * there. When the last of them has gone, Belay puts that function back. The order of a call is
 *
 *   the event of `sent` → interceptors, the last added first → the original, or the answer in its
 *   place → the event of `invoked`
 *
 * Signals. They send arrays of the arguments, without the one that carries the context; `invoked`
 * adds the result, unless that is void; belay_slot_context() tells the context, which is the object
 * that was called. A subscription gets them at its home, if that is a loop;
 * else on the thread that makes the call. While one thread delivers, the events of others wait.
 * When more than 1024 wait, the next event is dropped, and BELAY_EAGAIN is recorded for the thread
 * whose call it was. Nothing is replayed. The signals complete when the slot ends.
 *
 * Answers. The answer of a call is that of the original. Where the slot is empty (NULL), it is that
 * of a responder, else the default of the slot, else zero. The combiner makes one answer of
 * several; without a combiner the first one counts.
 *
 * Ends. A slot of an object or a proxy ends at step 3 of its owner's death (owner.h), which puts
 * the table pointer back. A slot of a table ends when belay_table_gone() says so. Handles that are
 * left do nothing after that.
 *
 * A method that ends its object (BELAY_METHOD_ENDS_OBJECT) is in the private table of an object as
 * long as there is one. A call of it, through that table or through an intercepted table, is the
 * death of an adopted object that is not dying: steps 1 to 3, the original, steps 5 to 8, on any
 * thread. Interceptors run before that; one that does not proceed lets the object live. For an
 * object's slot of such a method, `sent` is the `deallocating` of the owner and `invoked` its
 * `deallocated`, each as an empty array. An object that is not adopted loses its slots, because its
 * memory goes; its owner does not change.
 *
 * Other writers. Belay replaces and restores a pointer only where it finds the pointer that it
 * expects. A pointer that somebody else has written meanwhile stays: belay_slot_status() returns
 * BELAY_EMISMATCH, and the end of the last interception records that error. Belay's function may
 * still be called through the function that replaced it, and passes on to the one that it stood
 * before.
 *
 * Threads. Any thread may call every function, and the table may be in use meanwhile; a thread that
 * calls through it has to load the pointer in one piece. No lock is held during a callback or a
 * call. The functions that Belay puts into a slot stay until the slot ends, because a thread may be
 * about to call one.
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
  BELAY_SLOT_UNPROTECT = 1 /* writes to read-only memory, and protects it again */
} belay_slot_flags;

/* Runs in place of the method, on the calling thread. It can read and change the arguments, call
   belay_invocation_proceed() or not (a veto), and set the result. `call` is borrowed. A negative
   result is a failure: it is recorded for the calling thread, and the call returns the result that
   is set by then. */
typedef int (*belay_around_fn)(void *ctx, belay_invocation *call);
/* Answers a call where there is no original, or in addition to it. Returns the answer (given away).
   `call` is borrowed. A failure value is recorded for the calling thread, and counts as null. */
typedef belay_value (*belay_respond_fn)(void *ctx, belay_invocation *call);

BELAY_BEGIN

/* Returns the slot of a method of a table in memory, which all objects with that table use. Every
   call returns the same slot. Release the result. Read-only memory is noticed when it has to be
   written to. NULL: BELAY_EINVAL for NULL, a misaligned table or unknown flags; BELAY_ENOENT for an
   unknown method; BELAY_EPERM for one that is performance-sensitive; BELAY_EMISMATCH for one that
   is known with another shape; BELAY_ENOMEM where libffi cannot make a closure. */
BELAY_EXPORT belay_slot *belay_slot_create_in_table(belay_interface *interface, void *table,
                                             const char *method, unsigned flags);
/* Returns the slot of a method of one object. While it is intercepted, the table pointer of the
   object points to a private copy of its table. The `table_size` of the interface has to be that of
   the whole table. Interceptions of the shared table also apply to calls through the copy. Writes
   by others to the shared table do not reach the copy. Every call returns the same slot, for every
   interface with the pointer at that offset. Release the result. The end of the object does not
   wait for a call of the method on another thread: let no thread call an object that ends. NULL:
   the failures of belay_slot_create_in_table(); BELAY_EINVAL also for an interface without
   `table_offset`, an owner without an object, a misaligned object, and a table pointer that is NULL
   or misaligned; BELAY_EDEAD for an object that is dying. */
BELAY_EXPORT belay_slot *belay_slot_create_in_object(belay_interface *interface,
                                                     belay_owner *object, const char *method);
/* Adds a reference to `slot` and returns `slot`. */
BELAY_EXPORT belay_slot *belay_slot_retain(belay_slot *slot);
/* Gives a reference back. */
BELAY_EXPORT void belay_slot_release(belay_slot *slot);

/* Ends the slots of a table. Call it before the memory of the table goes, or when no call goes
   through the table any more, nor through the slot of an object that has the table. Puts the
   original functions back first, if the table can be written to. Belay's functions are freed when
   no call is in them. Returns 0; BELAY_EINVAL for NULL; BELAY_ENOENT for a table without a slot;
   BELAY_EMISMATCH when somebody else has written to it; BELAY_EROFS for a table that has become
   read-only meanwhile, or with BELAY_SLOT_UNPROTECT the code of belay_slot_sent(). A function that
   is left in a read-only table is never freed, and passes calls on to the original. */
BELAY_EXPORT int belay_table_gone(void *table);

/* Each returns a signal of the calls: `sent` sends before each call, `invoked` after it.
   Subscribing puts Belay's function in, and disposing takes it out. A subscription fails with
   BELAY_EROFS for a table in read-only memory, and with BELAY_EMISMATCH when somebody else has
   written, before Belay writes. For read-only memory that BELAY_SLOT_UNPROTECT allows to write to,
   it fails with the system's code if /proc/self/maps cannot be read: -EMFILE without room for a
   descriptor, BELAY_ENOENT without /proc. Release the result. */
BELAY_EXPORT belay_signal *belay_slot_sent(belay_slot *slot);
BELAY_EXPORT belay_signal *belay_slot_invoked(belay_slot *slot);
/* Returns the argument that carried the context of a call that `sent` or `invoked` has sent.
   Borrows `call`. An object may be gone when its call is heard at a loop. NULL: the context was
   NULL, or the method has none; BELAY_EKIND for any other value, also for an array that was made of
   a call's. */
BELAY_EXPORT void *belay_slot_context(BELAY_BORROWS belay_value call);

/* Intercepts calls. The interceptor that was added last is called first. `*disposable` (may be
   NULL) gets a reference and ends this interception; they may end in any order. `ctx_free` runs
   once, also on failure. Returns 0; BELAY_EINVAL for NULL; BELAY_EDEAD for a slot that has ended;
   the failures of a subscription, as in belay_slot_sent(). */
BELAY_EXPORT int belay_slot_around(belay_slot *slot, belay_around_fn around, void *ctx,
                                   belay_free_fn ctx_free, belay_disposable **disposable);
/* Adds a responder, which answers calls. Otherwise like belay_slot_around(). */
BELAY_EXPORT int belay_slot_respond(belay_slot *slot, belay_respond_fn respond, void *ctx,
                                    belay_free_fn ctx_free, belay_disposable **disposable);
/* Sets the answer for calls that nothing answers. `value` is given away. Fails like
   belay_invocation_set_result(). */
BELAY_EXPORT int belay_slot_set_default(belay_slot *slot, belay_value value);
/* Sets the callback that makes one of several answers, and replaces the previous one. It borrows
   the answers: that of the original, if there is one, then those of the responders in the order in
   which they were added. Its result is given away. NULL: the first answer counts. */
BELAY_EXPORT int belay_slot_set_combiner(belay_slot *slot, belay_combine_fn combine, void *ctx,
                                         belay_free_fn ctx_free);

/* Calls `function` at each call, before it, as `sent` does, with the unboxed arguments of the
   method. Its shape has to be that of the method with `ctx` (`@`) in place of the context; or with
   `ctx` first, and then the context, if there is one, follows at its place as a pointer (`p`): for
   "i@d", "v@d" or "v@pd". Its result is ignored. Another shape is BELAY_EKIND, and the message
   shows both. The disposable ends this. Otherwise like belay_slot_around(). */
BELAY_EXPORT int belay_slot_connect(belay_slot *slot, const char *shape, belay_function function,
                                    void *ctx, belay_free_fn ctx_free,
                                    belay_disposable **disposable);

/* Returns 0; BELAY_EMISMATCH when somebody else has written over Belay's function; BELAY_EDEAD when
   the slot has ended; BELAY_EINVAL for NULL. */
BELAY_EXPORT int belay_slot_status(belay_slot *slot);
/* Returns the original: the function that would be in the slot without Belay, or NULL. */
BELAY_EXPORT belay_function belay_slot_original(belay_slot *slot);

/* Creates a function of the given shape (interface.h; static, not copied) that runs `call`: a
   callback with a context for code that takes a function without one.
   (imp_implementationWithBlock.) `call` runs on the thread that calls the function, on several at
   once if several call it. A string that it answers is valid until the next answer, or until the
   function has ended and `*disposable` has been released. Cast the result to its type to call it.

   The function is there until `*disposable` (may be NULL; a reference) is disposed of, or until
   `owner` (may be NULL) begins to die. A call that is in it then returns as usual, and the owner's
   deinit waits for it; `ctx_free` runs, and the memory goes, when the last one has returned. A call
   that begins later is undefined, so take the pointer back first from code that has it.

   NULL: BELAY_EINVAL for NULL and for a malformed shape; BELAY_ERANGE for more than 64 arguments;
   BELAY_EDEAD for an owner that is dying; BELAY_ENOMEM where libffi cannot make a closure;
   BELAY_ENOTSUP in a build without interception. */
BELAY_EXPORT BELAY_BORROWS belay_function belay_function_create(
    const char *shape, belay_owner *owner, belay_respond_fn call, void *ctx, belay_free_fn ctx_free,
    belay_disposable **disposable);

BELAY_END

/* BELAY_SLOT_CONNECT(slot, function, ctx, result, arguments): does what belay_slot_connect() does,
   with C types instead of a shape. The compiler compares the types with those of the function. The
   context comes first.
       BELAY_SLOT_CONNECT(slot, on_moved, view, void, (void *, double, double)); */
#if defined(BELAY_SHAPE)
#define BELAY_SLOT_CONNECT(slot, function, ctx, result, arguments)                            \
  belay_slot_connect((slot), BELAY_SHAPE(0, result, arguments),                               \
                     (belay_function)_Generic(&(function), result(*) arguments: (function)), \
                     (ctx), NULL, NULL)
#endif

#endif
