/* Events with a name, between owners. (RFEvent; NSNotificationCenter, with both ends tracked.)
 *
 * One owner watches an event of another owner; any code that has the latter can post the event. A
 * watch ends when either owner begins to die, like everything that is bound to them, and leaves
 * nothing behind: a later object at the address of the dead one is another owner.
 *
 * Where. A handler runs at the loop of its watcher (`loop` of belay_owner_options), else at the
 * loop of the thread that watched, else on the thread that posts. An event that is posted elsewhere
 * is queued there.
 *
 * Order. The events of one owner are delivered one after the other. An event that is posted from
 * inside a handler, or on another thread meanwhile, follows when the event in progress has reached
 * everybody. A watch that begins meanwhile is not called for the event in progress. For one event,
 * watchers of a higher level are called first; those of the same level in the order of watching.
 *
 * Properties. A name that begins with a dot is a path of the source (object.h), such as ".age" or
 * ".session.user.name". Its event is each change of the value at the path, and `user_info` is the
 * new value. So properties are watched by level, replaced and unwatched like events. These handlers
 * run after the observers of the path (belay_object_observe()). No code can post such an event.
 * When the path reaches an unknown key, or a hop that is not an object, its watches end with an
 * error that nobody handles. (RFEvent's keyPath.)
 *
 * Threads. Any thread may call every function. No lock is held during a callback.
 */
#ifndef BELAY_OWNER_EVENT_H
#define BELAY_OWNER_EVENT_H

#include "base.h"
#include "owner.h"
#include "value.h"

#define BELAY_OWNER_EVENT_LEVEL 1000 /* the usual level */

/* An event, as its handler gets it. All of it is borrowed until the handler returns. */
typedef struct belay_owner_event {
  size_t size; /* of the struct that this library fills in */
  const char *name;
  void *object;  /* belay_owner_object() of the owner whose event it is */
  void *watcher; /* that of the watcher, so that `ctx` need not hold it */
  belay_value user_info;
} belay_owner_event;

typedef void (*belay_owner_event_fn)(void *ctx, const belay_owner_event *event);

BELAY_BEGIN

/* Calls `handler` for each event of that name (copied; compared byte for byte) that `source` posts
   from now on, while both owners live. A second call with the same watcher, source, event and level
   replaces the handler. At the home of the old watch, the old ctx is freed before this returns,
   unless the old handler is running; on another thread it is freed by the loop. A watch at a
   loop that has closed ends at once. `ctx_free` runs once, after the last call, also when this
   fails. Takes nothing over and retains neither owner. An owner may watch itself. Returns 0;
   BELAY_EINVAL for a NULL owner, name or handler, or a path with an empty key; BELAY_EDEAD when
   either owner is dying; for a path the codes of belay_object_get(), and BELAY_EAGAIN where it had
   led nowhere before, which has ended its watches, while the loop of one has not heard of that. */
BELAY_EXPORT int belay_owner_event_watch(belay_owner *watcher, belay_owner *source,
                                         const char *name, int level,
                                         belay_owner_event_fn handler, void *ctx,
                                         belay_free_fn ctx_free);

/* Ends the watch of this level. When this returns at the home of the watcher, the handler does not
   run any more, except on the caller's own stack. Returns 0; BELAY_ENOENT when there is none;
   BELAY_EINVAL for NULL, which never means all. */
BELAY_EXPORT int belay_owner_event_unwatch(belay_owner *watcher, belay_owner *source,
                                           const char *name, int level);
/* Ends the watches of this event at every level. Otherwise like belay_owner_event_unwatch(). */
BELAY_EXPORT int belay_owner_event_unwatch_name(belay_owner *watcher, belay_owner *source,
                                                const char *name);
/* Ends the watches of all events of `source`. Otherwise like belay_owner_event_unwatch(). */
BELAY_EXPORT int belay_owner_event_unwatch_source(belay_owner *watcher, belay_owner *source);
/* Ends all watches of `watcher`. Otherwise like belay_owner_event_unwatch(). */
BELAY_EXPORT int belay_owner_event_unwatch_all(belay_owner *watcher);

/* Posts an event of `source`. `user_info` is given away. Returns 0 when everybody on this thread
   has been called and the loops of the others have the event; BELAY_QUEUED when it follows the
   event in progress, or others that wait, or what a watch calls that another thread is ending, who
   then calls the rest; BELAY_EAGAIN when 1024 events wait already;
   BELAY_EREENTRANT when 1000 sends and posts are nested; BELAY_EINVAL for a NULL source or name, or
   the name of a path; BELAY_EDEAD when the source is dying. A watcher whose loop has no room for
   the event ends, and the hook for errors that nobody handles is called at its loop, because nobody
   would see a gap. */
BELAY_EXPORT int belay_owner_event_post(belay_owner *source, const char *name,
                                        belay_value user_info);

BELAY_END

#endif
