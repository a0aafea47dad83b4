/* Watchers of a loop: ticks of its turns, descriptors, files and directories. All are cold, as in
 * source.h: each subscription has its own watcher, from the subscription to the disposal. `loop`
 * watches and has to run; the subscription may be at another home, and is interrupted when `loop`
 * closes. Each keeps the loop alive. Each returns NULL for NULL and for a closed loop, and records
 * BELAY_EINVAL or BELAY_ECLOSED. Paths are copied.
 */
#ifndef BELAY_WATCH_H
#define BELAY_WATCH_H

#include "base.h"
#include "signal.h"

/* A place in a loop's turn. */
typedef enum belay_tick {
  BELAY_TICK_IDLE = 0, /* in each turn, before the others; the loop then never waits */
  BELAY_TICK_PREPARE,  /* before the loop waits */
  BELAY_TICK_CHECK     /* after the loop has waited */
} belay_tick;

/* The events that belay_poll() waits for. The numbers are those of UV_READABLE and its like. */
#define BELAY_POLL_READABLE 1u
#define BELAY_POLL_WRITABLE 2u
#define BELAY_POLL_DISCONNECT 4u  /* the other side has closed its end for writing */
#define BELAY_POLL_PRIORITIZED 8u /* there is urgent data */

/* The event of a file or of an entry of a directory. */
#define BELAY_FILE_CREATED 1u /* it exists now, and may be another one than before */
#define BELAY_FILE_REMOVED 2u /* it does not exist any more */
#define BELAY_FILE_CHANGED 4u /* its content or its attributes changed */
#define BELAY_FILE_LOST 8u    /* the system has lost events, and what exists follows */

BELAY_BEGIN

/* Sends the number of the tick, a uint64 from 0 on, each time that the loop comes to that place. A
   turn inside of the subscriber's callback does not count. BELAY_EINVAL for another place. */
BELAY_EXPORT belay_signal *belay_ticks(belay_loop *loop, belay_tick place);

/* Sends what the descriptor `fd` is ready for, as a uint32 of BELAY_POLL_…, in each turn in which
   it is ready for one of `events`. It stays ready until it is read or written. `fd` stays the
   caller's: keep it open until the subscription has ended. It becomes non-blocking.

   BELAY_EINVAL for a negative `fd`, no events, or others. Error events, with `fd` in the message:
   EPERM of libuv's for a file or a directory, which are always ready; EEXIST for a descriptor that
   the loop has already, such as that of a stream; EBADF for one that is not open, or reports an
   error. */
BELAY_EXPORT belay_signal *belay_poll(belay_loop *loop, int fd, unsigned events);

/* Sends null once the wall clock shows `date`, in seconds since the beginning of 1970 in UTC, and
   completes. Other timers follow the monotonic clock, which nobody sets. This one follows the clock
   that people read: if that is set forward beyond `date`, or the machine sleeps past it, the value
   comes at once; if it is set back, the value comes later. A date that has passed is due at once.
   BELAY_EINVAL for a NaN. An error event with libuv's code if the system has no descriptor left.
   (timerfd_create's CLOCK_REALTIME; RxJS's timer of a Date measures the time until then.) */
BELAY_EXPORT belay_signal *belay_wall_timer(belay_loop *loop, double date);

/* Sends what happens to a file, or to the entries of a directory. Each value is an array: the name,
   a string (bytes where it is not UTF-8), and one of BELAY_FILE_…, a uint32. The name of an entry
   is relative to the directory; that of a file is the last part of `path`. Events tell what has
   happened, in its order: a name that was created may be gone when the event arrives. A move is
   sent as a removal and a creation.

   A file is watched by its name in its directory: it may be removed and made again, and need not
   exist yet. Its directory must. Changes through another name of the same file are not seen. When
   the directory that is watched is removed or moved, and at the start where there is none, the
   signal fails with ENOENT and the directory's path in the message.

   The system loses events when more come than it keeps (fs.inotify.max_queued_events) while the
   loop does not run. BELAY_FILE_LOST with an empty name tells so. The present state follows: each
   entry as created, or the file as created or removed. (libuv's uv_fs_event_t does not tell that
   events were lost.) */
BELAY_EXPORT belay_signal *belay_file_events(belay_loop *loop, const char *path);

/* Looks at a file or a directory every `seconds`, for file systems that send no events. Sends the
   same values with the last part of `path`. A path that does not exist at first is sent as
   BELAY_FILE_REMOVED. BELAY_EINVAL for a time that is not positive. */
BELAY_EXPORT belay_signal *belay_file_poll(belay_loop *loop, const char *path, double seconds);

/* Does what belay_file_events() does for a directory, and for all directories below it. Names are
   paths relative to `path`. Symbolic links are not followed. A directory that may not be read is
   left out.

   A new directory is watched, and what is in it by then is sent as created. An entry that is made
   in that moment may be sent twice; none is left out. After BELAY_FILE_LOST all that exists
   follows as created. When `path` is removed or moved the signal fails with ENOENT. ENOSPC tells
   that the system's limit of watches is reached (fs.inotify.max_user_watches). Where a directory
   cannot be watched or listed for another reason, as for want of descriptors, the signal fails with
   libuv's code. */
BELAY_EXPORT belay_signal *belay_tree_events(belay_loop *loop, const char *path);

BELAY_END

#endif
