/* Sockets: connections to servers, and listeners for them. Both send streams (stream.h).
 *
 * A stream that a signal sends is borrowed as other values are: retain it, or subscribe to one of
 * its signals, or it is closed when the callback returns.
 */
#ifndef BELAY_SOCKET_H
#define BELAY_SOCKET_H

#include "base.h"
#include "signal.h"
#include "stream.h"

/* A socket that listens from when it is made. */
typedef struct belay_listener belay_listener;

BELAY_BEGIN

/* Connects to a TCP server: sends a stream and completes. Cold. `host` is an address or a name,
   which is looked up as by belay_lookup(); its addresses are tried in turn until one answers. The
   error is that of the last one, with host and port. A disposal and the loop's close give up in any
   phase. Strings and options are copied. */
BELAY_EXPORT belay_signal *belay_tcp_connect(belay_loop *loop, const char *host, uint16_t port,
                                             const belay_stream_options *options);
/* Connects to a Unix socket in the same way. A listener whose queue is full is the error -EAGAIN,
   because the system does not wait for it. */
BELAY_EXPORT belay_signal *belay_unix_connect(belay_loop *loop, const char *path,
                                              const belay_stream_options *options);

/* Listens at a TCP address, at once: what connects waits in the system until somebody subscribes.
   `host` is an address, and no name; NULL: every address of this machine, IPv6 and IPv4. `port` 0:
   the system chooses one, which belay_listener_port() tells. On the thread of the loop. Release the
   result. NULL: libuv's code, such as -EADDRINUSE; BELAY_EINVAL for a name. */
BELAY_EXPORT belay_listener *belay_tcp_listen(belay_loop *loop, const char *host, uint16_t port,
                                              const belay_stream_options *options);
/* Listens at a Unix socket, whose file it makes. A file that nobody listens at is replaced. The
   close removes the file if it is still the same one. */
BELAY_EXPORT belay_listener *belay_unix_listen(belay_loop *loop, const char *path,
                                               const belay_stream_options *options);
/* Adds a reference to `listener` and returns `listener`. */
BELAY_EXPORT belay_listener *belay_listener_retain(belay_listener *listener);
/* Gives a reference back. The last one closes the listener. Any thread. */
BELAY_EXPORT void belay_listener_release(belay_listener *listener);
/* Sends a stream for each connection. There is one subscription at a time; another one gets the
   error BELAY_EBUSY. A disposal stops accepting, and the listener goes on listening. When the
   process or the system has no room for another descriptor (-EMFILE, -ENFILE), that is told to the
   hook for errors that nobody handles, once, and accepting goes on ten times a second until there
   is room. */
BELAY_EXPORT belay_signal *belay_listener_connections(belay_listener *listener);
/* Stops listening; a subscription is interrupted. Any thread. */
BELAY_EXPORT int belay_listener_close(belay_listener *listener);
/* Returns a disposable that closes the listener, for an owner or a bag. Release the result. */
BELAY_EXPORT belay_disposable *belay_listener_create_disposable(belay_listener *listener);
/* Returns the address: "127.0.0.1:80", "[::]:80", or the path. It lives as long as the listener. */
BELAY_EXPORT const char *belay_listener_address(belay_listener *listener);
/* Returns the port; -1 for a Unix socket. */
BELAY_EXPORT int belay_listener_port(belay_listener *listener);

BELAY_END

#endif
