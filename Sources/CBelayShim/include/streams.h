/* Descriptors of streams: addresses, and system calls whose declarations Swift cannot read, or that need more
   than one call. Each answers a negated errno when it fails. */
#ifndef BELAY_SHIM_STREAMS_H
#define BELAY_SHIM_STREAMS_H

#include "CBelayShim.h"

/* A sockaddr of any family. */
typedef struct belay_shim_address {
  uint32_t length;
  uint32_t unused;
  uint64_t storage[16];
} belay_shim_address;

BELAY_HIDDEN void belay_shim_copy_address(belay_shim_address *address, const void *from, uint32_t length);
/* The address of a Unix socket. */
BELAY_HIDDEN int belay_shim_unix_address(belay_shim_address *address, const char *path);
/* Writes "127.0.0.1:80", "[::1]:80" or the path. Answers the length without the NUL. */
BELAY_HIDDEN size_t belay_shim_address_text(const belay_shim_address *address, char *text, size_t size);
/* The port; -1 for a Unix socket. */
BELAY_HIDDEN int belay_shim_address_port(const belay_shim_address *address);
BELAY_HIDDEN int belay_shim_own_address(int fd, belay_shim_address *address);
BELAY_HIDDEN int belay_shim_peer_address(int fd, belay_shim_address *address);

/* Begins a connection. Answers the descriptor; *code is 0 when it is connected, or -EINPROGRESS. */
BELAY_HIDDEN int belay_shim_connect(const belay_shim_address *address, int *code);
/* The result of the connection: 0, or a failure. */
BELAY_HIDDEN int belay_shim_connected(int fd);

#define BELAY_SHIM_REUSE_PORT 1u
#define BELAY_SHIM_IPV6_ONLY 2u
BELAY_HIDDEN int belay_shim_listen(const belay_shim_address *address, int backlog, unsigned flags);
BELAY_HIDDEN int belay_shim_accept(int fd, belay_shim_address *peer);
/* Sets the options that are not 0; `keepalive` is in seconds. */
BELAY_HIDDEN int belay_shim_set_tcp(int fd, int nodelay, int keepalive);

/* The kind of a descriptor. */
#define BELAY_SHIM_SOCKET 1
#define BELAY_SHIM_TERMINAL 2
#define BELAY_SHIM_PIPE 3
#define BELAY_SHIM_OTHER 4
BELAY_HIDDEN int belay_shim_descriptor_kind(int fd);
/* Opens a FIFO or a device, and does not wait. */
BELAY_HIDDEN int belay_shim_open(const char *path, int reads, int writes);
/* A descriptor for the same thing whose flags are nobody else's; `fd` itself where there is none. */
BELAY_HIDDEN int belay_shim_own_descriptor(int fd);

/* Which of libuv's events there are of a descriptor; -EBADF for an error. */
BELAY_HIDDEN int belay_shim_ready(int fd, int events);

BELAY_HIDDEN void belay_shim_close(int fd);
BELAY_HIDDEN long belay_shim_read(int fd, int kind, void *data, size_t size);
/* Writes without a SIGPIPE, whatever is done about that signal. */
BELAY_HIDDEN long belay_shim_write(int fd, int kind, const void *data, size_t size);
/* Ends the writing of a socket. Answers 1 for a descriptor that is only written: the caller closes it. */
BELAY_HIDDEN int belay_shim_shut_down(int fd, int kind);

BELAY_HIDDEN int belay_shim_set_raw(int fd, int raw, void **saved);
BELAY_HIDDEN int belay_shim_window_size(int fd, int *columns, int *rows);

/* The identity of the file of a Unix socket; -ENOTSOCK for another file. */
BELAY_HIDDEN int belay_shim_identify(const char *path, uint64_t identity[2]);
/* Removes the file if it is still the one with this identity. */
BELAY_HIDDEN void belay_shim_remove(const char *path, const uint64_t identity[2]);
// Removes a file, whatever it is.
BELAY_HIDDEN void belay_shim_unlink(const char *path);
/* Whether nobody listens at the file of a Unix socket. */
BELAY_HIDDEN int belay_shim_is_stale(const belay_shim_address *address);

#endif
