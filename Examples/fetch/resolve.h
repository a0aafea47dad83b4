/* uv_getaddrinfo() as a signal. */
#ifndef FETCH_RESOLVE_H
#define FETCH_RESOLVE_H

#include <belay/belay.h>
#include <netinet/in.h>

typedef struct sockaddr_storage address;

/* The addresses of a host and a port of TCP, as one value: an array of at least one `address`.
   A disposal cancels the request. `host` and `port` are copied, `loop` is kept. */
belay_signal *resolve(belay_loop *loop, const char *host, const char *port);

#endif
