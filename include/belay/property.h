/* Properties: boxes with a current value and a signal of it. */
#ifndef BELAY_PROPERTY_H
#define BELAY_PROPERTY_H

#include "base.h"
#include "operator.h"
#include "signal.h"
#include "value.h"

typedef struct belay_property belay_property;

BELAY_BEGIN

/* A property with the value `initial` (taken over, also on failure). `options` may be NULL; a
   property is not shared and queues: anything else there is BELAY_EINVAL. */
BELAY_EXPORT belay_property *belay_property_create(belay_value initial,
                                                   const belay_source_options *options);
BELAY_EXPORT belay_property *belay_property_retain(belay_property *property);
/* Gives a reference back; with the last one the property's signal completes. */
BELAY_EXPORT void belay_property_release(belay_property *property);

/* The value set last. `*value` is given to the caller, who releases it. Any thread; what is set
   away from home counts when it has arrived there. */
BELAY_EXPORT int belay_property_get(belay_property *property, belay_value *value);
/* Sets the value (taken over, always), and sends it, also when it is the same. Any thread; answers
   what belay_subject_next() does. Set from inside a delivery it is the value at once, and sent when
   the event in progress has reached everybody. */
BELAY_EXPORT int belay_property_set(belay_property *property, belay_value value);
/* Sets what `change` makes of the value; when that fails (belay_value_failure()) sets nothing, and
   answers its code. `ctx` is used during the call. At home only: BELAY_EWRONGTHREAD. */
BELAY_EXPORT int belay_property_modify(belay_property *property, belay_map_fn change, void *ctx);
/* A signal of the value: the present one to who subscribes, then each that is set. It keeps the
   property not. Release it. */
BELAY_EXPORT belay_signal *belay_property_signal(belay_property *property);

/* Makes two properties follow each other, beginning with `a`'s value, which `b` takes; what comes
   through the channel is not sent back. Channels may form a ring: a value comes to each property
   once, and all agree on the one set last. Keeps neither. Until `*disposable` (may be NULL) is
   disposed of, or one of them goes; a full queue ends it with BELAY_EAGAIN, for a gap would go
   unseen. (With fields of objects, in one direction, or with conversions: belay_bind().) Both have
   to be at home on this thread (BELAY_EWRONGTHREAD), and not the same (BELAY_EINVAL). */
BELAY_EXPORT int belay_property_channel(belay_property *a, belay_property *b,
                                        belay_disposable **disposable);

BELAY_END

#endif
