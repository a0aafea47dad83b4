/* Binding: puts the values of a signal where the program wants them.
 *
 * Each binding is a subscription. It ends when the signal ends, when `*disposable` (may be NULL;
 * gets a reference, or NULL on failure) is disposed of, or when `owner` (may be NULL) dies.
 * Releasing the disposable does not end it. Nothing is taken over. An end of the signal is not
 * passed on, except to a subject. An error goes to the hook for errors that nobody handles
 * (error.h). Each function returns what belay_signal_subscribe() returns, and BELAY_EINVAL for a
 * missing part.
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

/* Sends all events of `signal` into `subject`, including an error or a completion, at the home of
   the subject. Retains `subject`. An interruption ends only the binding. If the subject refuses a
   value, both end with the code: BELAY_EAGAIN (a full queue) or BELAY_EREENTRANT. BELAY_EKIND when
   `subject` is no subject. */
BELAY_EXPORT int belay_signal_bind(belay_signal *signal, belay_signal *subject,
                                   belay_disposable **disposable);

/* ---- a C variable ---- */

/* Stores each value into the variable at `address`. `kind` tells its type: the integer, `float`,
   `double` or `void *` of that name (BELAY_KIND_INT16: an int16_t), or an `int` for
   BELAY_KIND_BOOL. For every other kind it is a `belay_value` that holds a reference: initialise it
   (belay_null()). The old value is released when the new one is in its place; the caller releases
   the value that is there in the end. BELAY_KIND_NULL is a `belay_value` that takes any kind.

   Numbers convert as in the getters of value.h. A number that does not fit ends the binding with
   the error BELAY_ERANGE. A value of another kind ends it with BELAY_EKIND, and so does a pointer
   with a destructor for a `void *`, because the pointer goes with its value. The variable is then
   unchanged.

   The binding writes the variable at its home, which is that of this thread. The variable has to
   live until the binding has ended; it is not written after belay_disposable_dispose() has returned
   there. With an owner, the variable may be a part of the owner's object; the deinit of the owner
   then releases a `belay_value`. A number that is not a kind is BELAY_EINVAL. (ReactiveObjC's
   setKeyPath:onObject:, Combine's assign.) */
BELAY_EXPORT int belay_signal_bind_variable(belay_signal *signal, belay_kind kind, void *address,
                                            belay_owner *owner, belay_disposable **disposable);

/* ---- a property ---- */

/* Sets `property` to each value, at the home of the property. Does not retain the property, and
   ends when it goes. A full queue of the property ends the binding with BELAY_EAGAIN. The
   property's own signal is BELAY_EINVAL; a signal that is made of it sends for ever.
   (ReactiveSwift's `<~`.) */
BELAY_EXPORT int belay_signal_bind_property(belay_signal *signal, belay_property *property,
                                            belay_owner *owner, belay_disposable **disposable);

BELAY_END

#endif
