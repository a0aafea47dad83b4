/* Properties: each is a box with a current value and a signal of that value. The functions of
 * binding.h bind a property to a signal, to another property or to a field. */
#ifndef BELAY_PROPERTY_H
#define BELAY_PROPERTY_H

#include "base.h"
#include "operator.h"
#include "signal.h"
#include "value.h"

typedef struct belay_property belay_property;

BELAY_BEGIN

/* Creates a property with the value `initial` (taken over, also on failure). `options` may be NULL.
   A property cannot be shared, and it always queues: other settings of these are BELAY_EINVAL.
   Release the result. */
BELAY_EXPORT belay_property *belay_property_create(belay_value initial,
                                                   const belay_source_options *options);
/* Adds a reference to `property` and returns `property`. */
BELAY_EXPORT belay_property *belay_property_retain(belay_property *property);
/* Gives a reference back. The last release completes the signal of the property. */
BELAY_EXPORT void belay_property_release(belay_property *property);

/* Stores the value that was set last into `*value`, as a reference that the caller releases. Any
   thread. A value that was set away from home counts when it has arrived there. Returns 0;
   BELAY_EINVAL for NULL. */
BELAY_EXPORT int belay_property_get(belay_property *property, belay_value *value);
/* Sets the value (taken over, always) and sends it, also when it is the same. Any thread. Inside a
   delivery, the new value counts at once, and is sent when the event in progress has reached
   everybody. Returns what belay_subject_next() returns. */
BELAY_EXPORT int belay_property_set(belay_property *property, belay_value value);
/* Sets the value that `change` makes of the current one. `ctx` is used only during the call. If
   `change` fails (belay_value_failure()), sets nothing and returns its code. Returns
   BELAY_EWRONGTHREAD away from home. */
BELAY_EXPORT int belay_property_modify(belay_property *property, belay_map_fn change, void *ctx);
/* Returns a signal of the value. It sends the current value to a new subscription, then each value
   that is set. Does not retain the property. Release the result. */
BELAY_EXPORT belay_signal *belay_property_signal(belay_property *property);

BELAY_END

#endif
