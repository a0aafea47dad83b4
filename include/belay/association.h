/* Associated objects: what hangs on an owner under a key. (objc_setAssociatedObject.)
 *
 * A key is an address, mostly that of a static variable; what it points to is never looked at.
 * With the key goes a kind, an address, too, or NULL: so that two users of one key, such as two
 * types of delegate proxy, do not meet. What is associated is let go of at step 6 of the owner's
 * death, in the order of associating, on the thread of the death, with the memory of the object
 * still there.
 *
 * Threads. Every function may be called on any thread. No lock is held during a callback.
 */
#ifndef BELAY_ASSOCIATION_H
#define BELAY_ASSOCIATION_H

#include "base.h"
#include "owner.h"

/* How an object is held. */
typedef enum belay_association_policy {
  BELAY_ASSOCIATION_ASSIGN, /* as it is given */
  BELAY_ASSOCIATION_RETAIN, /* `take(object)` counts a reference */
  BELAY_ASSOCIATION_COPY    /* what `take(object)` returns is held, a copy */
} belay_association_policy;

typedef struct belay_association {
  size_t size;
  const void *key;
  const void *kind; /* NULL is a kind like any other */
  void *object;     /* not NULL */
  belay_association_policy policy;
  /* For retaining and copying; what it returns is what is held. NULL means that it failed. */
  void *(*take)(void *object);
  /* Ends what is held: when it is replaced or removed, or at the owner's death. May be NULL. */
  belay_free_fn free;
} belay_association;

BELAY_BEGIN

/* Associates an object, behind those that are associated already. What had the same key and kind
   is replaced, and let go of before this returns. 0; BELAY_EINVAL for a NULL owner, key or object,
   a policy that is none, or one that needs `take` and has none; BELAY_ECANCELED when `take`
   returned NULL; BELAY_EDEAD from step 6 of the death on. When it fails, what was there stays, and
   `free` has run for what `take` returned, and for an object that was to be assigned. (It does not
   run when `size` is wrong: then nothing of the struct is looked at.) */
BELAY_EXPORT int belay_association_set(belay_owner *owner, const belay_association *association);
/* What is held under `key` and `kind`, borrowed: until it is replaced or removed, or the owner
   dies. NULL when there is nothing. */
BELAY_EXPORT void *belay_association_get(belay_owner *owner, const void *key, const void *kind);
/* Lets go of what is held under `key` and `kind`. 0; BELAY_ENOENT when there is nothing;
   BELAY_EINVAL for a NULL owner or key. */
BELAY_EXPORT int belay_association_remove(belay_owner *owner, const void *key, const void *kind);

BELAY_END

#endif
