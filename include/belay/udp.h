/* UDP sockets as signals. */
#ifndef BELAY_UDP_H
#define BELAY_UDP_H

#include "base.h"
#include "signal.h"

/* Flags of belay_udp_options. */
#define BELAY_UDP_SHARE 1u      /* other sockets may have the same address and port */
#define BELAY_UDP_BROADCAST 2u  /* it may send to broadcast addresses */
#define BELAY_UDP_NO_LOOP 4u    /* this machine does not get the socket's own multicast datagrams */

/* How a socket is made. Zeroes after `size` mean the defaults. Hosts are numeric addresses, of IPv4
   or IPv6: see belay_lookup(). */
typedef struct belay_udp_options {
  size_t size;
  const char *host; /* its own address; NULL: any of IPv4 */
  /* The address that it sends to, and from which alone it receives; NULL: each datagram has its
     own. */
  const char *remote_host;
  /* The multicast groups that it joins, and leaves at its end, with NULL at the end; NULL: none. */
  const char *const *groups;
  /* The interface for multicast, by its address; with IPv6 by what stands behind the address alone:
     "::%eth0". NULL, and an IPv6 address without that: the system's. */
  const char *interface_host;
  uint16_t port;              /* its own; 0: any that is free */
  uint16_t remote_port;
  unsigned flags; /* BELAY_UDP_SHARE and others */
  /* How many routers a multicast datagram may pass, up to 255; 0: 1. */
  uint32_t multicast_ttl;
  uint32_t reserved; /* 0 */
} belay_udp_options;

BELAY_BEGIN

/* Opens a UDP socket for each subscription, and closes it at the subscription's end. Cold, as in
   source.h: `loop` has it and has to run; the subscription may be at another home, and is
   interrupted when `loop` closes. Each value is an array of what, host and port (a string and a
   uint16):

       null, own host, own port         the address of the socket, when it is open
       bytes, host, port                a datagram and its sender
       an error, host, port             a datagram that was not sent there, or was refused there

   An error is a value of kind BELAY_KIND_ERROR. Host and port are null and 0 where they are not
   known.

   `outgoing` is a signal of what the socket sends, which is subscribed to when the socket is open;
   NULL: it only receives. Its values are arrays of bytes or a string, host and port; or, with
   `remote_host`, bytes or a string alone. Another value is an error, as above. Retains `outgoing`.
   Its error is this signal's; its completion does nothing. The values are sent at once. A datagram
   for which the system has no room is not sent, and is an error with UV_EAGAIN's code, as above:
   send it again later, or let it go. The network may drop others without a word.

   `options` may be NULL and is copied. Returns NULL for a NULL `loop`, other flags and numbers, and
   records BELAY_EINVAL; BELAY_ECLOSED for a closed loop. A socket that cannot be opened is an error
   event with libuv's code, and the address in the message. */
BELAY_EXPORT belay_signal *belay_udp(belay_loop *loop, BELAY_BORROWS belay_signal *outgoing,
                                     const belay_udp_options *options);

BELAY_END

#endif
