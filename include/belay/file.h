/* Files as a whole or in chunks, directories, and work on libuv's pool. All are cold, as in
 * source.h: each subscription does its own work, at threads of the pool of `loop`, which has to
 * run. The subscription is interrupted when `loop` closes; one that is made later gets the error
 * BELAY_ECANCELED, or is interrupted at once where it follows belay_file_lines(): that of
 * belay_file_chunks(). Its home must be a loop or a pool: BELAY_ENOHOME where a thread has none.
 * Each returns NULL for NULL and for a closed loop, and records BELAY_EINVAL or BELAY_ECLOSED.
 * Paths are copied. Error events have libuv's code, and the path in the message. BELAY_EAGAIN,
 * which may be without a path: the pool has no threads, and the system gives none.
 *
 * A disposal before a thread has begun prevents the work. Work that has begun goes on to its end,
 * for which a close of the loop waits. So a file system that does not answer, such as that of a
 * server that has gone, holds up a thread of the pool and the close.
 */
#ifndef BELAY_FILE_H
#define BELAY_FILE_H

#include "creating.h"
#include "signal.h"
#include "value.h"

/* The kind of an entry of a directory. */
typedef enum belay_entry_kind {
  BELAY_ENTRY_UNKNOWN = 0,
  BELAY_ENTRY_FILE,
  BELAY_ENTRY_DIRECTORY,
  BELAY_ENTRY_LINK,
  BELAY_ENTRY_PIPE,
  BELAY_ENTRY_SOCKET,
  BELAY_ENTRY_CHARACTER_DEVICE,
  BELAY_ENTRY_BLOCK_DEVICE
} belay_entry_kind;

BELAY_BEGIN

/* Calls `work` on a thread of libuv's pool for each subscription, sends the value that it returns,
   then completes. `work` may be called on several threads at once; belay_signal_start() on a
   scheduler of belay_scheduler_create_pool() makes the calls one after the other. A failure value
   becomes the error event.
   A disposal before `work` has begun prevents it; after that, its value is released. `ctx_free`
   runs when the signal and its last subscription are gone. */
BELAY_EXPORT belay_signal *belay_work(belay_loop *loop, belay_produce_fn work, void *ctx,
                                      belay_free_fn ctx_free);

/* Sends all bytes of a file as one value, then completes. A pipe is the error BELAY_EINVAL, and so
   is a device that is not empty, because reading it could occupy a thread without limit.
   BELAY_ENOMEM for more than the memory holds. */
BELAY_EXPORT belay_signal *belay_file_read(belay_loop *loop, const char *path);

/* Sends the bytes of a file in values of at most 64 KiB, then completes. The next is read when the
   subscriber at the loop has taken the last; it then has one of them in memory. `flags` and the
   rules are those of belay_file_lines(), also for what is held: belay_stream_write_all() reads the
   file as fast as the peer takes it. */
BELAY_EXPORT belay_signal *belay_file_chunks(belay_loop *loop, const char *path, unsigned flags);

/* Writes a whole file, sends null, then completes. `content` is a string or bytes; takes it over. A
   reader sees the old file or all of the new one: the bytes go to a file beside it, which is
   renamed when they are on the disk, and removed when that fails. The new file is the writer's. It
   has the old one's permissions, but not the bits that have it run as its owner or group; a first
   one has 0666, less the umask. A symbolic link is followed. BELAY_EKIND for another value. An
   error event BELAY_EINVAL where the path names something else than a file, and BELAY_ENOENT where
   a link leads nowhere.

   Where a limit of the process is exceeded (RLIMIT_FSIZE), the system sends SIGXFSZ, which the
   program has to ignore; the error is then EFBIG. */
BELAY_EXPORT belay_signal *belay_file_write(belay_loop *loop, const char *path,
                                            BELAY_TAKES belay_value content);

/* Sends one array of the entries of a directory, in the order of their names, then completes. Each
   item is an array: the name, a string (bytes where it is not UTF-8), and a belay_entry_kind, an
   int32. "." and ".." are left out. Some file systems tell no kind. */
BELAY_EXPORT belay_signal *belay_directory_list(belay_loop *loop, const char *path);

BELAY_END

#endif
