/* Responders: objects whose methods are looked up when they are called. (Message forwarding.)
 *
 * belay_object_set_responder() says which methods the object of an owner has. A call is sent to it
 * as an invocation. The first of these handles it:
 *
 *   1. the object's table, where the method is not NULL
 *   2. the function that `resolve` returns, which is remembered
 *   3. another object, which `target` returns; it is asked in the same way
 *   4. `forward`, which is given the whole invocation
 *   5. the error BELAY_ENOENT, which names the method
 *
 * Threads. Any thread may call every function. The callbacks run on the thread that sends.
 */
#ifndef BELAY_RESPONDER_H
#define BELAY_RESPONDER_H

#include "base.h"
#include "interface.h"
#include "invocation.h"
#include "owner.h"

/* How the methods of an object are found. Each callback may be NULL. `object` is that of the
   owner. */
typedef struct belay_responder {
  size_t size;
  belay_interface *interface; /* the methods that are looked up in `table` */
  const void *table;          /* borrowed while the object lives; may be NULL */
  /* Returns a function with the shape of the method, or NULL. */
  belay_function (*resolve)(void *ctx, void *object, const char *method);
  /* Returns another object that is sent the invocation, borrowed, or NULL. */
  belay_owner *(*target)(void *ctx, void *object, const char *method);
  /* Returns 0 when it has handled the invocation; BELAY_ENOENT when it has not; or another
     failure. */
  int (*forward)(void *ctx, void *object, belay_invocation *invocation);
  void *ctx;
  belay_free_fn ctx_free;
} belay_responder;

BELAY_BEGIN

/* Sets how the methods of the object are found, and replaces the previous responder. Retains the
   interface. `ctx_free` runs once, when the responder is replaced or the object dies, also on
   failure, but not when `size` is wrong. Returns 0; BELAY_EINVAL for NULL, a wrong size, an owner
   without an object, a misaligned table, or a table without an interface; BELAY_EDEAD;
   BELAY_ENOTSUP in a build without interception. */
BELAY_EXPORT int belay_object_set_responder(belay_owner *object, const belay_responder *responder);
/* Returns 1 when steps 1 to 3 find the method, else 0. */
BELAY_EXPORT int belay_object_responds(belay_owner *object, const char *method);

/* Sends the invocation to the object, which becomes its context. The result becomes that of the
   invocation. Returns 0; BELAY_EINVAL for NULL; BELAY_ENOENT when no step handles the method, and
   the message names it; BELAY_EKIND when the method that was found has another shape; BELAY_EDEAD;
   BELAY_EDEADLK when more than 64 targets follow each other; or the failure of `forward`. */
BELAY_EXPORT int belay_invocation_send(belay_invocation *invocation, belay_owner *object);

BELAY_END

#endif
