/* The names and the addresses of hosts. Both signals are cold: each subscription asks anew, by a
 * thread of libuv's pool. A disposal before that thread has begun prevents the question. The system
 * answers later ones in the time that its resolver is configured for, for which a close of the loop
 * waits. `loop` has to run; the subscription is interrupted when it closes. Each returns NULL for
 * NULL and for a closed loop, and records BELAY_EINVAL or BELAY_ECLOSED. Texts are copied. Error
 * events have libuv's code (UV_EAI_NONAME and others), and the host in the message.
 */
#ifndef BELAY_LOOKUP_H
#define BELAY_LOOKUP_H

#include "base.h"
#include "signal.h"

BELAY_BEGIN

/* Sends the addresses of a host in the order of the system's preference, then completes. `host` is a
   name or a numeric address. `service` is a name or a number; NULL: the port is 0. Each value is an
   array: the numeric host, a string with its zone if it has one, and the port, a uint16. */
BELAY_EXPORT belay_signal *belay_lookup(belay_loop *loop, const char *host, const char *service);

/* Sends the name of the host that has a numeric address, as a string, then completes. UV_EAI_NONAME
   where it has none; BELAY_EINVAL, as an error event, for a text that is no address. */
BELAY_EXPORT belay_signal *belay_host_name(belay_loop *loop, const char *address);

BELAY_END

#endif
