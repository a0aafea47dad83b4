/* Binding: what a signal sends, put where the program wants it.
 *
 * Each binding is a subscription. It ends with the signal, and is ended by `*disposable` (may be
 * NULL, gets a reference; NULL on failure), or by the death of `owner` (may be NULL); dropping the
 * disposable ends nothing. Nothing is taken over. An end is not passed on, except to a subject: an
 * error goes to the hook for errors that nobody handles (error.h). Each answers what
 * belay_signal_subscribe() does, and BELAY_EINVAL for a missing part.
 */
#ifndef BELAY_BINDING_H
#define BELAY_BINDING_H

#include "base.h"
#include "owner.h"
#include "property.h"
#include "signal.h"
#include "value.h"

BELAY_BEGIN

/* ---- a subject ---- */

/* Sends all that `signal` sends, an error or completion included, into `subject`, which it keeps,
   at the subject's home. An interruption ends the binding alone. A value that the subject refuses
   ends both with its code: BELAY_EAGAIN (a full queue) or BELAY_EREENTRANT. BELAY_EKIND for a signal
   that is no subject. */
BELAY_EXPORT int belay_signal_bind(belay_signal *signal, belay_signal *subject,
                                   belay_disposable **disposable);

/* ---- a C variable ---- */

/* Stores each value into the variable at `address`, whose type `kind` tells: the integer, `float`,
   `double` or `void *` of that name (BELAY_KIND_INT16: an int16_t), an `int` for BELAY_KIND_BOOL,
   and for every other kind a `belay_value`, which holds a reference: it has to be initialised
   (belay_null()), the old value is released when the new one is in its place, and what it holds in
   the end is the caller's to release. BELAY_KIND_NULL is a `belay_value` that takes any kind.

   Numbers convert as the getters of value.h convert them. One that does not fit ends the binding
   with the error BELAY_ERANGE, a value of another kind with BELAY_EKIND, and so does a pointer with
   a destructor, which goes with its value, for a `void *`; the variable is then unchanged.

   The variable is written at the binding's home, this thread's; it has to live until the binding
   has ended, and is not written after belay_disposable_dispose() there has returned. With an owner the
   variable may be a part of what the owner stands for; a `belay_value` is then released by its deinit. A kind that
   there is none of is BELAY_EINVAL. (ReactiveObjC's setKeyPath:onObject:, Combine's assign.) */
BELAY_EXPORT int belay_signal_bind_variable(belay_signal *signal, belay_kind kind, void *address,
                                            belay_owner *owner, belay_disposable **disposable);

/* ---- a property ---- */

/* Sets `property` to each value, at the property's home; ends with the property, which it does not
   keep. A full queue of the property's ends it with BELAY_EAGAIN. A property's own signal is
   BELAY_EINVAL; what is made of it sends for ever. (ReactiveSwift's `<~`.) */
BELAY_EXPORT int belay_signal_bind_property(belay_signal *signal, belay_property *property,
                                            belay_owner *owner, belay_disposable **disposable);

BELAY_END

#endif
