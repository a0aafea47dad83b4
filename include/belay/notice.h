/* Notices: callbacks with a name that run when an owner has died. (RFDestroyNotify.)
 *
 * Notices run at step 5 of the death, in the order in which they were set, on the thread of the
 * death. They run after the deinit, so the members of the object have gone. They run before the
 * dealloc, so the memory of a created owner is still there and its scalars can be read. (The
 * address of an adopted pointer is only a number when its `destroy` frees it.) A notice should
 * carry everything that it needs in its `user_info`. An owner without notices pays nothing for
 * them.
 *
 * Threads. Any thread may call every function. No lock is held during a callback.
 */
#ifndef BELAY_NOTICE_H
#define BELAY_NOTICE_H

#include "base.h"
#include "owner.h"

/* Gets `user_info` as it was given; `name`, borrowed; and `address`, which is the `object` of
   belay_owner_create() or the adopted pointer. The owner itself is dead. */
typedef void (*belay_notice_fn)(void *user_info, const char *name, void *address);

typedef void (*belay_notice_visit_fn)(void *ctx, const char *name, void *user_info);

BELAY_BEGIN

/* Sets a notice with a name (copied; compared byte for byte), after the notices that are set
   already. A notice of the same name is replaced: it never runs, and its user_info is freed before
   this returns, or when nobody visits or reads it any more. `notify` may be NULL: step 5 then only
   frees the user_info. `notify` runs at most once. `user_info_free` (may be NULL) runs exactly
   once: after `notify`, or when the notice is replaced or removed, or when this fails. A dying
   owner accepts notices until its deinit. Returns 0; BELAY_EINVAL for a NULL owner or name;
   BELAY_EDEAD from step 5 on. */
BELAY_EXPORT int belay_notice_set(belay_owner *owner, const char *name, belay_notice_fn notify,
                                  void *user_info, belay_free_fn user_info_free);
/* Removes a notice without running it, and frees its user_info. While another notice is running, it
   can still remove one whose turn has not come. Returns 0; BELAY_ENOENT when there is none of that
   name; BELAY_EINVAL for NULL. */
BELAY_EXPORT int belay_notice_remove(belay_owner *owner, const char *name);
/* Returns the user_info of a notice, borrowed until the notice runs, is replaced or is removed.
   NULL when there is none of that name. */
BELAY_EXPORT void *belay_notice_user_info(belay_owner *owner, const char *name);
/* Calls `visit` for each notice that is set when this is called and still set when its turn comes,
   in the order of setting. Returns how many they were. `visit` may be NULL; it may set and remove
   notices. 0 for NULL. */
BELAY_EXPORT size_t belay_notice_each(belay_owner *owner, belay_notice_visit_fn visit, void *ctx);

BELAY_END

#endif
