/* Processes as signals. */
#ifndef BELAY_PROCESS_H
#define BELAY_PROCESS_H

#include "base.h"
#include "signal.h"
#include "stream.h"

/* The standard input, output or error of a child: one of these, or a descriptor above 0, of which
   it gets a copy. The descriptor stays the caller's, until the signal and its subscriptions are
   gone. */
#define BELAY_STDIO_IGNORE 0     /* nothing: /dev/null */
#define BELAY_STDIO_INHERIT (-1) /* that of this process */
#define BELAY_STDIO_PIPE (-2)    /* a pipe, whose other end is a stream */

/* The treatment of a child whose subscription ends while the child runs. */
typedef enum belay_process_disposal {
  BELAY_PROCESS_TERMINATE = 0, /* it gets SIGTERM, and SIGKILL after `grace` */
  BELAY_PROCESS_KILL,          /* it gets SIGKILL */
  BELAY_PROCESS_LEAVE          /* it goes on */
} belay_process_disposal;

/* Flags of belay_process_options. */
#define BELAY_PROCESS_DETACHED 1u /* leads a session and a process group, which get its signals */
#define BELAY_PROCESS_SET_UID 2u  /* runs as `uid` */
#define BELAY_PROCESS_SET_GID 4u  /* runs as `gid` */

/* How a process is made. Zeroes after `args` mean the defaults. */
typedef struct belay_process_options {
  size_t size;
  /* The program, which is looked for in PATH, and its arguments; NULL ends them. */
  const char *const *args;
  /* Texts "NAME=value", with NULL at the end; NULL: those of this process. */
  const char *const *env;
  const char *cwd; /* where it starts; NULL: where this process is */
  int input;
  int output;
  int error;
  unsigned flags; /* BELAY_PROCESS_DETACHED and others */
  uint32_t uid;
  uint32_t gid;
  belay_process_disposal disposal;
  /* Seconds from SIGTERM to SIGKILL; 0: 5; less than 0: no SIGKILL. */
  double grace;
} belay_process_options;

BELAY_BEGIN

/* Starts a process for each subscription. When it runs, sends an array of its number, an int32, and
   of three streams (stream.h): where its input is written, where its output is read, and where its
   error is read; null for each that is no pipe. The value holds the streams: retain a stream, or
   subscribe to one of its signals, or its pipe is closed when the callback returns. When the
   process has ended, sends an array of its exit status, an int64, and of the signal that ended it,
   an int32 that is 0 otherwise; then completes. Streams end for themselves, also later. `options`
   is copied. Cold, as in source.h: `loop` watches the process and has to run; the subscription may
   be at another home.

   A subscription that ends before the process does with it what `disposal` says, and so does the
   close of `loop`. Neither waits for it: a thread of Belay's own with a small stack waits until it
   has ended, so that it leaves no zombie. Where the system gives no thread, the loop's thread
   waits, for each such child for `grace`, but not more than 5 seconds, until SIGKILL; a child that
   may live on (BELAY_PROCESS_LEAVE, no SIGKILL) then becomes a zombie at its end.

   Each child takes a descriptor (pidfd_open(), Linux 5.3) until it has ended. It tells the end,
   also while the program blocks SIGCHLD or has a handler of its own. Where the system gives none,
   only libuv's handler of SIGCHLD tells the end: belay_process() does not complete while the
   program blocks the signal on all its threads, or has set another handler since.

   The program must not wait for children that are not its own (`waitpid(-1, …)`), and must not
   ignore SIGCHLD (SIG_IGN) while a process runs: both take the exit status away. The process then
   ends with the error -ECHILD, but not where the system gives no descriptor.

   The first process sets libuv's handler of SIGCHLD in place of the program's, which is called no
   more; a program that ignored SIGCHLD gets zombies of its other children. When libuv watches no
   process and no SIGCHLD any more, SIGCHLD has its default action, whatever it had before. What
   has to hear of other children can share the handler, by belay_posix_signal() or a uv_signal_t,
   or watch them by pidfd_open().

   Returns NULL for NULL, for no program, other flags and other numbers, and records BELAY_EINVAL.
   BELAY_ECLOSED for a closed loop. A program that cannot be run is an error event with libuv's code
   and its name in the message. */
BELAY_EXPORT belay_signal *belay_process(belay_loop *loop, const belay_process_options *options);

BELAY_END

#endif
