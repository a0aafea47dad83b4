/* Invocations: a call of a method with its arguments, as an object. (NSInvocation.)
 *
 * An invocation can be kept, changed, sent again, and sent to several objects. An interceptor is
 * given the call in progress (slot.h); belay_invocation_create() makes others. Arguments are
 * numbered from 0, without the one that carries the context.
 *
 * Threads. An invocation belongs to one thread at a time.
 */
#ifndef BELAY_INVOCATION_H
#define BELAY_INVOCATION_H

#include "base.h"
#include "interface.h"
#include "owner.h"
#include "value.h"

typedef struct belay_invocation belay_invocation;

BELAY_BEGIN

/* Creates a call of a method with arguments that are zero. Release the result. NULL: BELAY_EINVAL
   for NULL; BELAY_ENOENT for an unknown method. */
BELAY_EXPORT belay_invocation *belay_invocation_create(belay_interface *interface,
                                                       const char *method);
/* Adds a reference. This also keeps a call that an interceptor was given. */
BELAY_EXPORT belay_invocation *belay_invocation_retain(belay_invocation *invocation);
/* Gives a reference back. */
BELAY_EXPORT void belay_invocation_release(belay_invocation *invocation);

/* Returns the name of the method. Static. */
BELAY_EXPORT const char *belay_invocation_method(belay_invocation *invocation);
/* Returns the number of arguments. */
BELAY_EXPORT size_t belay_invocation_count(belay_invocation *invocation);
/* Returns the argument that carries the context; NULL when there is none. */
BELAY_EXPORT void *belay_invocation_context(belay_invocation *invocation);
/* Sets the argument that carries the context. Returns 0; BELAY_ENOENT when there is none. */
BELAY_EXPORT int belay_invocation_set_context(belay_invocation *invocation, void *context);

/* Stores an argument into `*value`, as a reference for the caller; null on failure. Returns 0;
   BELAY_ERANGE past the end. */
BELAY_EXPORT int belay_invocation_get(belay_invocation *invocation, size_t index,
                                      belay_value *value);
/* Sets an argument. `value` is given away. Returns 0; BELAY_ERANGE past the end or for a number
   that does not fit; BELAY_EKIND for a value of another kind. On failure the argument is
   unchanged. */
BELAY_EXPORT int belay_invocation_set(belay_invocation *invocation, size_t index,
                                      belay_value value);
/* Returns the result of the call, or the result that was set; zero before. The caller releases
   it. */
BELAY_EXPORT belay_value belay_invocation_result(belay_invocation *invocation);
/* Sets the result. Fails like belay_invocation_set(); for a `void` method BELAY_EKIND unless it is
   null. A string that the caller of an intercepted method gets is valid until the method returns
   another one through the same slot, or the slot ends. */
BELAY_EXPORT int belay_invocation_set_result(belay_invocation *invocation, belay_value value);
/* Copies the C strings among the arguments. Without this they are valid only as long as their owner
   keeps them. (retainArguments.) */
BELAY_EXPORT int belay_invocation_retain_arguments(belay_invocation *invocation);

/* Calls `function`, which has the shape of the method, with the arguments. Its result becomes that
   of the invocation. */
BELAY_EXPORT int belay_invocation_call(belay_invocation *invocation, belay_function function);
/* Inside an interceptor: continues the call, with the next interceptor or with the method itself.
   Its result becomes that of the invocation. An interceptor may call this any number of times.
   Returns BELAY_EENDED when the call is over, and inside a responder, which has nothing behind
   it. */
BELAY_EXPORT int belay_invocation_proceed(belay_invocation *invocation);

BELAY_END

#endif
