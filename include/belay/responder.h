/* Responders: objects whose methods are found when they are called. (Message forwarding.)
 *
 * belay_object_set_responder() says which methods an owner's object has. A call is sent to it as an
 * invocation, and goes to the first of
 *
 *   1. the object's table, where the method is not NULL
 *   2. what `resolve` answers, which is remembered
 *   3. another object, which `target` names; it is asked in the same way
 *   4. `forward`, which is given the whole invocation
 *   5. the error BELAY_ENOENT, which names the method
 *
 * Threads. Any; the callbacks are called on the thread that sends.
 */
#ifndef BELAY_RESPONDER_H
#define BELAY_RESPONDER_H

#include "base.h"
#include "interface.h"
#include "invocation.h"
#include "owner.h"

/* Each callback may be NULL. `object` is the owner's. */
typedef struct belay_responder {
  size_t size;
  belay_interface *interface; /* the methods that are looked for in `table` */
  const void *table;          /* borrowed while the object lives; may be NULL */
  /* A function with the method's shape, or NULL. */
  belay_function (*resolve)(void *ctx, void *object, const char *method);
  /* Who else is sent the invocation, borrowed, or NULL. */
  belay_owner *(*target)(void *ctx, void *object, const char *method);
  /* 0 when it has dealt with the invocation; BELAY_ENOENT when it has not; another failure. */
  int (*forward)(void *ctx, void *object, belay_invocation *invocation);
  void *ctx;
  belay_free_fn ctx_free;
} belay_responder;

BELAY_BEGIN

/* Says how the object's methods are found, in place of what was said before. Keeps its own reference
   to the interface. 0; BELAY_EINVAL for NULL or a wrong size, an owner without an object;
   BELAY_EDEAD. `ctx_free` runs once, when it is replaced or the object dies, also on failure. */
BELAY_EXPORT int belay_object_set_responder(belay_owner *object, const belay_responder *responder);
/* 1 when steps 1 to 3 find the method; else 0. */
BELAY_EXPORT int belay_object_responds(belay_owner *object, const char *method);

/* Sends the invocation to the object, which its context becomes; the result is the invocation's.
   0; BELAY_EINVAL for NULL; BELAY_ENOENT when nobody has the method, and the message names it;
   BELAY_EKIND when the method that was found has another shape; BELAY_EDEAD; BELAY_EDEADLK when
   more than 64 targets follow each other; what `forward` answers. */
BELAY_EXPORT int belay_invocation_send(belay_invocation *invocation, belay_owner *object);

BELAY_END

#endif
