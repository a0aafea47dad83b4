/* Streams: bytes in both directions, at home on a loop. A stream is a connection (socket.h), a
 * pipe, a FIFO or a terminal.
 *
 * Threads. belay_stream_write(), belay_stream_shutdown(), belay_stream_close(), the two counters,
 * retain, release and the functions that make signals may be called on any thread. The others
 * answer BELAY_EWRONGTHREAD elsewhere than on the thread of the loop. Subscriptions may be at
 * another home.
 *
 * Life. A stream is open until belay_stream_close(), until its last reference goes, or until its
 * loop closes. Its signals and their subscriptions have references. An open stream keeps the loop
 * alive only while it is read or has something to write.
 *
 * Marks. A piece that a stream has sent counts until the last reference to it goes, also in queues
 * of operators, at other homes and in frames (belay_op_lines(), …): its bytes, and 64 more, or a
 * 1024th of `read_high` where that is more. When `read_high` bytes are held, the stream stops
 * reading, and so the peer has to wait. At `read_low` bytes it goes on. So a program that keeps
 * what it reads for good should keep copies, and must not gather more than the marks allow
 * (belay_op_collect()) unless `read_high` is BELAY_UNLIMITED. A piece that is written counts at the
 * stream that it is written to, and no longer where it was read.
 *
 * Errors are libuv's codes, with the address in the message: the peer's, as it was asked for by
 * who has connected. No write raises SIGPIPE.
 */
#ifndef BELAY_STREAM_H
#define BELAY_STREAM_H

#include "base.h"
#include "signal.h"
#include "value.h"

/* NULL, or zeroes after `size`, means the defaults. */
typedef struct belay_stream_options {
  size_t size;
  size_t read_high;  /* stops reading when so many bytes are held; 0: 65536 */
  size_t read_low;   /* goes on when at most so many are; 0: half of read_high */
  size_t write_high; /* refuses writes when so many bytes wait; 0: 65536 */
  double keepalive;  /* TCP: seconds of silence before the peer is asked; up to 32767; 0: never */
  int nodelay;       /* TCP: 1: sends small writes at once */
  int backlog;       /* listeners: connections that may wait; 0: 511 */
  int reuse_port;    /* TCP listeners: 1: several may have the port */
  int ipv6_only;     /* TCP listeners: 1: no IPv4 at an IPv6 address */
  const char *label; /* static; the name in reports, also of a listener's streams; may be NULL */
  const char *site;  /* static; where it was made: BELAY_HERE; may be NULL */
} belay_stream_options;

/* Flags of belay_stream_open_path(). */
#define BELAY_STREAM_READ 1u
#define BELAY_STREAM_WRITE 2u

BELAY_BEGIN

/* Makes a stream of a descriptor: a socket, a pipe or a terminal. Takes the descriptor over, also
   when it fails, and closes it with the stream; 0, 1 and 2 are never closed, and their flags are
   left as they are where the system permits. A descriptor that the loop has already is not closed,
   and is -EEXIST: that of a stream, of belay_poll() and of a watcher of the host's, and the loop's
   own. (A stream of a pipe or a terminal at 0, 1 or 2 has a descriptor of its own, so a second one
   of it is not found out.) With BELAY_EWRONGTHREAD and BELAY_ECLOSED nobody can know that: `fd` is
   not closed, and remains yours. Release the result. NULL: BELAY_EPERM for what cannot be waited
   for, as a file on a disk and /dev/null; libuv's codes. A shell may have put such a file at 0 or 1
   (`prog <file >file`). The program then reads belay_file_lines() of "/dev/stdin" (source.h), and
   writes by fwrite(), which does not wait for others there. */
BELAY_EXPORT belay_stream *belay_stream_open(belay_loop *loop, int fd,
                                             const belay_stream_options *options);
/* Opens a FIFO, a terminal or another device. Does not wait: a FIFO that is opened for reading
   sends nothing until somebody writes, and completes when the last writer has gone; for writing
   alone it needs a reader (-ENXIO). `flags` is one or both of the two. Release the result. */
BELAY_EXPORT belay_stream *belay_stream_open_path(belay_loop *loop, const char *path,
                                                  unsigned flags,
                                                  const belay_stream_options *options);
/* Adds a reference to `stream` and returns `stream`. */
BELAY_EXPORT belay_stream *belay_stream_retain(belay_stream *stream);
/* Gives a reference back. The last one closes the stream. Any thread. */
BELAY_EXPORT void belay_stream_release(belay_stream *stream);

/* Sends what comes, as bytes, and completes when the peer has ended its side. Cold: a subscription
   reads, and its disposal stops that. There is one at a time; another one gets the error
   BELAY_EBUSY. A stream that is closed, or whose loop closes, interrupts the subscription. */
BELAY_EXPORT belay_signal *belay_stream_read(belay_stream *stream);
/* Writes bytes or a string. The value is given away. Returns 0 when the system has all of it;
   BELAY_QUEUED when it waits; BELAY_EAGAIN when `write_high` bytes wait already, and this is
   dropped; BELAY_EENDED after belay_stream_shutdown(); BELAY_ECANCELED after the close; the code
   with which writing has failed, such as -EPIPE; BELAY_EKIND. From another thread it is written at
   the loop's next turn, in the order of that thread's calls; a failure there shows in later calls,
   and belay_lost_count() counts what was on its way. */
BELAY_EXPORT int belay_stream_write(belay_stream *stream, belay_value value);
/* Writes each value of `source`, which it takes over. Completes after the completion of `source`,
   when its values have been written. Values that a stream or a file has sent are not refused at
   `write_high`: they go on counting there, so that waits for this one. Other values are then the
   error BELAY_EAGAIN. */
BELAY_EXPORT belay_signal *belay_stream_write_all(belay_stream *stream, belay_signal *source);
/* Completes when at most `limit` of the bytes that wait at its beginning are left; 0: when all of
   them have been written. Bytes that are written later do not delay it. The error of the stream
   when that cannot be any more. */
BELAY_EXPORT belay_signal *belay_stream_drained(belay_stream *stream, size_t limit);
/* Ends the writing side after what waits. A socket's peer sees the end, and may go on writing. A
   stream that is only written, such as a child's input, is closed by it. */
BELAY_EXPORT int belay_stream_shutdown(belay_stream *stream);
/* Closes the stream at once, from another thread at the loop's next turn. Bytes that wait to be
   written are dropped: wait for belay_stream_drained() before. */
BELAY_EXPORT int belay_stream_close(belay_stream *stream);
/* Returns a disposable that closes the stream, for an owner or a bag. Release the result. */
BELAY_EXPORT belay_disposable *belay_stream_create_disposable(belay_stream *stream);
/* Returns how many bytes wait to be written. Any thread. */
BELAY_EXPORT size_t belay_stream_waiting(belay_stream *stream);
/* Returns how much of what was read is held, as the marks count. Any thread. */
BELAY_EXPORT size_t belay_stream_held(belay_stream *stream);

/* Each returns an address: "127.0.0.1:80", "[::1]:80", the path of a Unix socket, "" if there is
   none. The text lives as long as the stream. On another thread than the loop's: "", and the last
   error is BELAY_EWRONGTHREAD. */
BELAY_EXPORT const char *belay_stream_local_address(belay_stream *stream);
BELAY_EXPORT const char *belay_stream_peer_address(belay_stream *stream);

/* Terminals. 1 turns line editing, echo and signal keys off; 0, and the close, restore what was
   there. Returns 0; -ENOTTY for another stream. */
BELAY_EXPORT int belay_stream_set_raw(belay_stream *stream, int raw);
/* Stores the size of the window in characters. Returns 0; -ENOTTY. Either pointer may be NULL. */
BELAY_EXPORT int belay_stream_window_size(belay_stream *stream, int *columns, int *rows);
/* Sends the size of the window at the beginning, and again when it has changed: an array of two
   int32, the columns and the rows. Cold: a subscription waits for SIGWINCH as belay_posix_signal()
   does (source.h), until its disposal. The system sends this to the processes in the foreground of
   their controlling terminal. A change of another terminal is told with the next SIGWINCH. The
   error is -ENOTTY for another stream. A stream that is closed, or whose loop closes, interrupts
   the subscription. */
BELAY_EXPORT belay_signal *belay_stream_window_sizes(belay_stream *stream);

BELAY_END

#endif
