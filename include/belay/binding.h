/* Binding: puts the values of a signal where the program wants them, and lets properties and fields
 * follow each other.
 *
 * `*disposable` (may be NULL) gets a reference, or NULL on failure. Disposing of it ends the
 * binding; releasing it does not. Nothing is taken over.
 *
 * A binding of a signal is a subscription. It also ends when the signal ends, or when `owner` (may
 * be NULL) dies. An end of the signal is not passed on, except to a subject. An error goes to the
 * hook for errors that nobody handles (error.h). Each function that takes a signal returns what
 * belay_signal_subscribe() returns, and BELAY_EINVAL for a missing part.
 */
#ifndef BELAY_BINDING_H
#define BELAY_BINDING_H

#include "base.h"
#include "operator.h"
#include "owner.h"
#include "property.h"
#include "signal.h"
#include "value.h"

/* One side of a binding: a path of an object, or a property. `size` is sizeof(belay_bindable). */
typedef struct belay_bindable {
  size_t size;
  belay_owner *object;
  const char *path;
  belay_property *property; /* or this, and then `object` is NULL */
  /* Converts a value of this side to the value that the other side is set to. NULL: no
     conversion. */
  belay_map_fn convert;
} belay_bindable;

typedef struct belay_binding {
  size_t size;
  const belay_bindable *from;
  const belay_bindable *to;
  int both_ways;
  void *ctx; /* of both conversions */
  belay_free_fn ctx_free;
} belay_binding;

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

   The binding writes the variable at its home: that of this thread, or below observe_on that of the
   scheduler. (On a thread without a loop, a shared source writes it on the threads that send.) The
   variable has to live until the binding has ended; it is not written after
   belay_disposable_dispose() has returned at that home. With an owner, the variable may be a part
   of the owner's object; the deinit of the owner then releases a `belay_value`. A number that is
   not a kind is BELAY_EINVAL. (ReactiveObjC's setKeyPath:onObject:, Combine's assign.) */
BELAY_EXPORT int belay_signal_bind_variable(belay_signal *signal, belay_kind kind, void *address,
                                            belay_owner *owner, belay_disposable **disposable);

/* ---- a property ---- */

/* Sets `property` to each value, at the home of the property. Does not retain the property, and
   ends when it goes. A full queue of the property ends the binding with BELAY_EAGAIN. The
   property's own signal is BELAY_EINVAL; a signal that is made of it sends for ever.
   (ReactiveSwift's `<~`.) */
BELAY_EXPORT int belay_signal_bind_property(belay_signal *signal, belay_property *property,
                                            belay_owner *owner, belay_disposable **disposable);

/* ---- a field of an object ---- */

/* Sets the field that a path leads to, to each value of a signal. Ends like belay_bind(), and when
   the signal ends. */
BELAY_EXPORT int belay_signal_bind_object(belay_signal *signal, belay_owner *object,
                                          const char *path, belay_disposable **disposable);

/* ---- fields and properties that follow each other ---- */

/* Sets `to` to the value of `from`, now and whenever it changes. With `both_ways`, also sets `from`
   to the value that `to` is set to otherwise. A value that came through the binding is not passed
   back, and a field that already has the value is not set. Retains none of the objects and
   properties.

   Both ways, a field passes on the value that it has: one that it had for a moment may be left out.
   All sides come to the value that was set last, also in a ring, and also where threads set several
   of them and the bindings were made at several loops. The beginning of a binding counts as setting
   `to`; if that is bound both ways to others already, also as setting `from` to the value that it
   has. Where setters of one field run on several threads at the same time, nobody knows which was
   last, and all sides agree on one of the values. A setter that stores another value than it gets
   leaves the sides different. A ring that has bindings one way, also one beside a binding both ways
   of the same two sides, may go round without end, where threads or observers set several sides.

   The binding ends when one of its owners or properties goes, when a conversion or a write fails
   (the error goes to the hook for errors that nobody handles), and by `*disposable` (may be NULL).
   `ctx_free` runs once, also when this fails, but not when `size` is wrong. Returns 0; BELAY_EINVAL
   for an incomplete description; BELAY_EWRONGTHREAD for a property whose home is not that of this
   thread. */
BELAY_EXPORT int belay_bind(const belay_binding *binding, belay_disposable **disposable);
/* Makes two properties follow each other. First sets `b` to the value of `a`. A value that comes
   through the channel is not sent back. Channels may form a ring: a value comes to each property
   once, and all agree on the one that was set last. Retains neither property. The channel ends when
   `*disposable` (may be NULL) is disposed of, or when a property goes. A full queue ends it with
   BELAY_EAGAIN, because nobody would see a gap. Returns 0; BELAY_EWRONGTHREAD unless both are at
   home on this thread; BELAY_EINVAL when they are the same. (For fields of objects, for one
   direction, or for conversions, use belay_bind().) */
BELAY_EXPORT int belay_property_channel(belay_property *a, belay_property *b,
                                        belay_disposable **disposable);

BELAY_END

#endif
