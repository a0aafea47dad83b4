/* Associated objects: an owner holds them under a key. (objc_setAssociatedObject.)
 *
 * A key is an address, usually that of a static variable. Belay never reads the memory that it
 * points to. Each key comes with a kind, which is an address too, or NULL: two users of one key,
 * such as two types of delegate proxy, do not meet. Associated objects are freed at step 6 of the
 * owner's death, in the order in which they were set, on the thread of the death, while the memory
 * of the object is still there.
 *
 * Threads. Any thread may call every function. No lock is held during a callback.
 */
#ifndef BELAY_ASSOCIATION_H
#define BELAY_ASSOCIATION_H

#include "base.h"
#include "owner.h"

/* How an associated object is held. */
typedef enum belay_association_policy {
  BELAY_ASSOCIATION_ASSIGN, /* as it is given */
  BELAY_ASSOCIATION_RETAIN, /* `take(object)` adds a reference */
  BELAY_ASSOCIATION_COPY    /* `take(object)` returns a copy, which is held */
} belay_association_policy;

typedef struct belay_association {
  size_t size;
  const void *key;
  const void *kind; /* NULL is a kind like any other */
  void *object;     /* not NULL */
  belay_association_policy policy;
  /* Retains or copies the object, and returns the object to hold. NULL is a failure. */
  void *(*take)(void *object);
  /* Frees the held object when it is replaced or removed, or at the owner's death. May be NULL. */
  belay_free_fn free;
} belay_association;

BELAY_BEGIN

/* Associates an object, after those that are associated already. An object with the same key and
   kind is replaced, and freed before this returns. Returns 0; BELAY_EINVAL for a NULL owner, key or
   object, a number that is not a policy, or a policy that needs `take` when that is NULL;
   BELAY_ECANCELED when `take` returned NULL; BELAY_EDEAD from step 6 of the death on. On failure
   the old object stays, and `free` has run for the result of `take`, or for an object that was to
   be assigned. (It does not run when `size` is wrong, because Belay then reads nothing of the
   struct.) */
BELAY_EXPORT int belay_association_set(belay_owner *owner, const belay_association *association);
/* Returns the object under `key` and `kind`, borrowed until it is replaced or removed, or the owner
   dies. NULL when there is none. */
BELAY_EXPORT void *belay_association_get(belay_owner *owner, const void *key, const void *kind);
/* Removes and frees the object under `key` and `kind`. Returns 0; BELAY_ENOENT when there is none;
   BELAY_EINVAL for a NULL owner or key. */
BELAY_EXPORT int belay_association_remove(belay_owner *owner, const void *key, const void *kind);

BELAY_END

#endif
