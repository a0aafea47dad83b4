/* Notices: what is told, by name, when an owner has died. (RFDestroyNotify.)
 *
 * They are told at step 5 of the death, in the order of setting, on the thread of the death: after
 * the deinit, so that the object's members have gone, and before the dealloc, so that a created
 * owner's memory is still there, its scalars readable. (Of an adopted pointer the address is but a
 * number, if its `destroy` frees it.) What a notice needs, it has in its `user_info`. Owners
 * without one pay nothing.
 *
 * Threads. Every function may be called on any thread. No lock is held during a callback.
 */
#ifndef BELAY_NOTICE_H
#define BELAY_NOTICE_H

#include "base.h"
#include "owner.h"

/* `user_info` as it was given, `name` borrowed, `address`: what belay_owner_create() got as
   `object`, or the adopted pointer. The owner itself is dead. */
typedef void (*belay_notice_fn)(void *user_info, const char *name, void *address);

typedef void (*belay_notice_visit_fn)(void *ctx, const char *name, void *user_info);

BELAY_BEGIN

/* Sets the notice of that name (copied; compared byte for byte), behind those that are set already.
   One of the same name is replaced: it is never told, and its user_info freed before this returns.
   `notify` may be NULL: then only the user_info is freed at step 5. It runs at most once;
   `user_info_free` (may be NULL) exactly once: after it, or without it, when it is replaced or
   removed, or when this fails. While the owner is dying up to its deinit, notices are still taken.
   0; BELAY_EINVAL for a NULL owner or name; BELAY_EDEAD from step 5 on. */
BELAY_EXPORT int belay_notice_set(belay_owner *owner, const char *name, belay_notice_fn notify,
                                  void *user_info, belay_free_fn user_info_free);
/* Takes a notice back: it is not told, its user_info is freed. Also one that has not had its turn
   yet when another is being told. 0; BELAY_ENOENT when none of that name is set, which changes
   nothing; BELAY_EINVAL for NULL. */
BELAY_EXPORT int belay_notice_remove(belay_owner *owner, const char *name);
/* The user_info of a notice, borrowed: until it is told, replaced or removed. NULL when there is
   none of that name. */
BELAY_EXPORT void *belay_notice_user_info(belay_owner *owner, const char *name);
/* Calls `visit` for each notice that is set by now, and still is when its turn comes, in the order
   of setting; answers how many those were. `visit` may be NULL, and may set and remove notices. 0
   for NULL. */
BELAY_EXPORT size_t belay_notice_each(belay_owner *owner, belay_notice_visit_fn visit, void *ctx);

BELAY_END

#endif
