/* Events by name, between owners. (RFEvent; NSNotificationCenter, with both ends tracked.)
 *
 * One owner watches an event of another's; whoever has the latter posts it. A watch ends when
 * either of the two begins to die, like whatever is bound to them, and nothing is left of it: what
 * takes the dead one's address later is another owner.
 *
 * Where. A handler runs at its watcher's loop (`loop` of belay_owner_options), else at the loop of
 * the thread that watched, else on the thread that posts. Posted elsewhere, it is queued there.
 *
 * Order. The events of one owner are delivered one after the other: one that is posted from inside
 * a handler, or on another thread meanwhile, follows when the event in progress has reached
 * everybody. Who comes to watch meanwhile is not called for it. Of one event the watchers of higher
 * level are called first, those of the same level in the order of watching.
 *
 * Properties. A name that begins with a dot is a path of the source's (object.h), ".age" or
 * ".session.user.name": its event is each change of what the path leads to, and `user_info` the new
 * value. So properties are watched by level, replaced and unwatched as events are. They follow the
 * change that is being told of, behind who observes the path (belay_object_observe()). Nobody else
 * posts them. A path that comes upon a key that there is none of, or upon what is no object, ends
 * its watches, with an error that nobody handles. (RFEvent's keyPath.)
 *
 * Threads. Every function may be called on any thread. No lock is held during a callback.
 */
#ifndef BELAY_OWNER_EVENT_H
#define BELAY_OWNER_EVENT_H

#include "base.h"
#include "owner.h"
#include "value.h"

#define BELAY_OWNER_EVENT_LEVEL 1000 /* the usual level */

/* What a handler gets; all of it borrowed until it returns. */
typedef struct belay_owner_event {
  size_t size; /* how much of it there is: members that a later version adds are within it */
  const char *name;
  void *object;  /* belay_owner_object() of who posted it */
  void *watcher; /* that of who watches, so that `ctx` need not hold it */
  belay_value user_info;
} belay_owner_event;

typedef void (*belay_owner_event_fn)(void *ctx, const belay_owner_event *event);

BELAY_BEGIN

/* Has `handler` called for each event of that name (copied; compared byte for byte) that `source`
   posts from now on, as long as both live. The same watcher, source, event and level again replace
   the handler; the old one's ctx is freed before this returns, if it is not running. `ctx_free`
   runs once, after the last call, also when this fails. Takes nothing over, keeps nobody alive; an
   owner may watch itself. 0; BELAY_EINVAL for a NULL owner, name or handler, or a path with an
   empty key; BELAY_EDEAD when either is dying; for a path what belay_object_get() answers. */
BELAY_EXPORT int belay_owner_event_watch(belay_owner *watcher, belay_owner *source,
                                         const char *name, int level,
                                         belay_owner_event_fn handler, void *ctx,
                                         belay_free_fn ctx_free);

/* Ends the one watch of this level … When it returns at the watcher's home, its handler runs no
   more, but on the caller's own stack. 0; BELAY_ENOENT when there is none, which changes nothing;
   BELAY_EINVAL for NULL, which never stands for all. */
BELAY_EXPORT int belay_owner_event_unwatch(belay_owner *watcher, belay_owner *source,
                                           const char *name, int level);
/* … those of this event, whatever their level, … */
BELAY_EXPORT int belay_owner_event_unwatch_name(belay_owner *watcher, belay_owner *source,
                                                const char *name);
/* … those of all events of `source`, … */
BELAY_EXPORT int belay_owner_event_unwatch_source(belay_owner *watcher, belay_owner *source);
/* … and all that `watcher` watches. */
BELAY_EXPORT int belay_owner_event_unwatch_all(belay_owner *watcher);

/* Posts an event of `source`; `user_info` is given away. 0 when everybody on this thread has been
   called, and the others' loops have it; BELAY_QUEUED when it follows the event in progress;
   BELAY_EAGAIN when 1024 do already; BELAY_EINVAL for a NULL source or name, or that of a path;
   BELAY_EDEAD when the source is dying. A watcher whose loop has no room for it ends, and its loop
   is told of an error that nobody handles: a gap would go unseen. */
BELAY_EXPORT int belay_owner_event_post(belay_owner *source, const char *name,
                                        belay_value user_info);

BELAY_END

#endif
