/* Sources: signals of files and of the system. All are cold: each subscription has its own file or
 * watcher, from the subscription to the disposal. It keeps the loop alive meanwhile. On a thread
 * without a loop, while the source's loop is another thread's, nothing that it sends could arrive:
 * the subscription ends with BELAY_ENOHOME. The same holds for streams, listeners, connections,
 * processes, UDP and lookups. (Timers: creating.h.)
 */
#ifndef BELAY_SOURCE_H
#define BELAY_SOURCE_H

#include "base.h"
#include "signal.h"

/* Flags of belay_file_lines(). */
#define BELAY_FILE_FOLLOW 1u   /* continues as the file grows, through truncation and rotation */
#define BELAY_FILE_FROM_END 2u /* begins with the text that is appended */

BELAY_BEGIN

/* Sends the lines of a file without their ends ("\n" or "\r\n"): each as a string, or as bytes when
   it is not UTF-8. A line longer than 1 MiB comes in pieces. `path` is copied. Completes at the end
   of the file; the last line needs no line end. `loop` reads the file and has to run; the
   subscription may be at another home. When `loop` closes, the subscription is interrupted. One
   that is made later is interrupted at once.

   With BELAY_FILE_FOLLOW it does not complete but waits for more text, also after an unfinished
   line. It reads a file that has shrunk from the beginning again. It reads a file that was replaced
   to its end, and then its successor. Before either, an unfinished line is sent. It waits for a
   file that has vanished.

   A file that cannot be opened at the start, or cannot be read, is an error event with libuv's code
   and the path in its message. A FIFO is read, too, without a thread that waits for it: until its
   last writer has gone, or with BELAY_FILE_FOLLOW from one writer after the other. For a
   descriptor, such as stdin, read a stream by lines: belay_stream_open(), belay_op_lines(). Where
   that is BELAY_EPERM, because a shell has put a file or /dev/null there (`prog <file`), give
   "/dev/stdin" as the path: the file is opened anew, and read from its beginning.

   A line that it has sent counts as held until the last reference to it goes, as with a stream
   (stream.h), but not where an operator gathers it (belay_op_collect(), belay_op_buffer(), …).
   While 4 MiB or some 500 pieces are held, the file is not read, so it waits for a slow subscriber
   at another home. A program that keeps more for good keeps copies. */
BELAY_EXPORT belay_signal *belay_file_lines(belay_loop *loop, const char *path, unsigned flags);

/* Sends the number, as an int32, each time that the process gets the POSIX signal. `loop` waits for
   it and has to run. As with belay_file_lines(), the subscription may be at another home, and is
   interrupted when `loop` closes. libuv keeps some 4000 signals between two turns and loses the
   others. It replaces the handler that the program has set; after the last subscription in the
   process the signal has its default action, whatever it had before. A child of a fork shares
   libuv's pipe until it becomes another program. */
BELAY_EXPORT belay_signal *belay_posix_signal(belay_loop *loop, int signum);

BELAY_END

#endif
