/* Sources: signals of time, files and the system. All are cold: each subscription has its own
 * timer, file or watcher, at work from subscribe to disposal. They keep the loop alive meanwhile.
 */
#ifndef BELAY_SOURCE_H
#define BELAY_SOURCE_H

#include "base.h"
#include "signal.h"

/* For belay_file_lines(). */
#define BELAY_FILE_FOLLOW 1u   /* goes on as the file grows, through truncation and rotation */
#define BELAY_FILE_FROM_END 2u /* begins with what is appended */

BELAY_BEGIN

/* One uint64 0 after `seconds`, then completed. `scheduler` is kept. */
BELAY_EXPORT belay_signal *belay_signal_timer(belay_scheduler *scheduler, double seconds);
/* uint64 0, 1, 2, … every `seconds` (> 0); the first after one interval. */
BELAY_EXPORT belay_signal *belay_signal_interval(belay_scheduler *scheduler, double seconds);

/* The lines of a file, without their ends ("\n" or "\r\n"): a string each, bytes where it is not
   UTF-8. `path` is copied. Completes at the end of the file; the last line need not be ended. With
   BELAY_FILE_FOLLOW it does not complete: it waits for more, an unfinished line included; a file
   that shrank is read anew; one that was replaced is read to its end, then its successor; one that
   vanished is waited for. A file that cannot be opened at the start, or read, is an error event
   with libuv's code and the path in its message; so is a pipe, with BELAY_EINVAL: nobody knows how
   long it would keep a thread that reads it. A pipe in a followed file's place is waited out. A
   line longer than 1 MiB comes in pieces. Its home
   is `loop`, which is kept. */
BELAY_EXPORT belay_signal *belay_file_lines(belay_loop *loop, const char *path, unsigned flags);

/* An int32, the number, each time the process gets the POSIX signal. Its home is `loop`. */
BELAY_EXPORT belay_signal *belay_posix_signal(belay_loop *loop, int signum);

BELAY_END

#endif
