/* The names and the addresses of hosts. Both signals are cold: each subscription asks anew. `loop`
 * has to run, which it does until the answer has come; the subscription is interrupted when it
 * closes. Each returns NULL for NULL and for a closed loop, and records BELAY_EINVAL or
 * BELAY_ECLOSED. Texts are copied. Error events have libuv's code (UV_EAI_NONAME and others), and
 * the host in the message.
 *
 * The system may answer after minutes, or never. So a thread that does nothing else asks it, and
 * none of libuv's pool. A disposal and the loop's close give the question up: they do not wait for
 * the answer, which nobody gets. Four questions of the process are under way at once, those for
 * belay_tcp_connect() included; others wait in the order in which they were asked. One that was
 * given up does not count among the four, but keeps its thread, its memory and two descriptors
 * until the system answers. While 64 threads are so kept, all questions wait. BELAY_EAGAIN, as an
 * error event: there is no thread, and none can be made; -EMFILE: there is no room for the
 * descriptors. A child of fork() has threads of its own, and gets no answer to what its parent has
 * asked.
 */
#ifndef BELAY_LOOKUP_H
#define BELAY_LOOKUP_H

#include "base.h"
#include "signal.h"

BELAY_BEGIN

/* Sends the addresses of a host in the order of the system's preference, then completes. `host` is
   a name or a numeric address. `service` is a name or a number; NULL: the port is 0. A
   number above 65535 is the error UV_EAI_SERVICE. Each value is an array: the numeric host, a
   string with its zone if it has one, and the port, a uint16. Numbers need no thread. */
BELAY_EXPORT belay_signal *belay_lookup(belay_loop *loop, const char *host, const char *service);

/* Sends the name of the host that has a numeric address, as a string, then completes. UV_EAI_NONAME
   where it has none; BELAY_EINVAL, as an error event, for a text that is no address. */
BELAY_EXPORT belay_signal *belay_host_name(belay_loop *loop, const char *address);

BELAY_END

#endif
