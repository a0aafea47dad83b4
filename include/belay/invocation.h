/* Invocations: a call of a method with its arguments, as a thing. (NSInvocation.)
 *
 * It can be kept, changed, sent again and to several. An interceptor is given the one that is under
 * way (slot.h); others are made. Arguments are numbered from 0 without the one that carries the
 * context.
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

/* A call of a method; its arguments are zero. Release it. NULL: BELAY_EINVAL for NULL, BELAY_ENOENT
   for a method that there is none of. */
BELAY_EXPORT belay_invocation *belay_invocation_create(belay_interface *interface,
                                                       const char *method);
/* Another reference; also to one that an interceptor was given, which then can be kept. */
BELAY_EXPORT belay_invocation *belay_invocation_retain(belay_invocation *invocation);
BELAY_EXPORT void belay_invocation_release(belay_invocation *invocation);

/* The method's name; static. */
BELAY_EXPORT const char *belay_invocation_method(belay_invocation *invocation);
/* How many arguments it has. */
BELAY_EXPORT size_t belay_invocation_count(belay_invocation *invocation);
/* What carries the context; NULL when nothing does. */
BELAY_EXPORT void *belay_invocation_context(belay_invocation *invocation);
/* BELAY_ENOENT when no argument carries it. */
BELAY_EXPORT int belay_invocation_set_context(belay_invocation *invocation, void *context);

/* An argument, which is given to the caller. BELAY_ERANGE past the end. */
BELAY_EXPORT int belay_invocation_get(belay_invocation *invocation, size_t index,
                                      belay_value *value);
/* Changes an argument; `value` is given away. BELAY_ERANGE past the end or for a number that does
   not fit, BELAY_EKIND for a value of another kind; then it is as it was. */
BELAY_EXPORT int belay_invocation_set(belay_invocation *invocation, size_t index,
                                      belay_value value);
/* What the call has answered, or was set; zero before. Given to the caller. */
BELAY_EXPORT belay_value belay_invocation_result(belay_invocation *invocation);
/* What it answers instead; fails as belay_invocation_set() does, BELAY_EKIND for a `void` method
   unless it is null. A string that the caller of an intercepted method gets is valid until the
   method answers again on the same slot, or the slot is gone. */
BELAY_EXPORT int belay_invocation_set_result(belay_invocation *invocation, belay_value value);
/* Copies the C strings among the arguments, which else are as valid as their owner keeps them.
   (retainArguments.) */
BELAY_EXPORT int belay_invocation_retain_arguments(belay_invocation *invocation);

/* Calls `function`, which has the method's shape, with the arguments; its result is the
   invocation's. */
BELAY_EXPORT int belay_invocation_call(belay_invocation *invocation, belay_function function);
/* In an interceptor: goes on with the call, to the next interceptor or to the method itself; its
   result is the invocation's. As often as one likes. BELAY_EENDED when the call is over. */
BELAY_EXPORT int belay_invocation_proceed(belay_invocation *invocation);

BELAY_END

#endif
