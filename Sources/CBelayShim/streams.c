// accept4, pthread_sigmask and the rest of Linux's.
#define _GNU_SOURCE
#include "streams.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static int answer(int result) { return result < 0 ? -errno : result; }

/* ---- addresses ---- */

static struct sockaddr *name_of(belay_shim_address *address) {
  return (struct sockaddr *)address->storage;
}

static const struct sockaddr *const_name_of(const belay_shim_address *address) {
  return (const struct sockaddr *)address->storage;
}

void belay_shim_copy_address(belay_shim_address *address, const void *from, uint32_t length) {
  memset(address, 0, sizeof *address);
  if (length > sizeof address->storage) length = sizeof address->storage;
  memcpy(address->storage, from, length);
  address->length = length;
}

int belay_shim_unix_address(belay_shim_address *address, const char *path) {
  struct sockaddr_un name = {.sun_family = AF_UNIX};
  size_t length = strlen(path);
  if (length == 0) return -EINVAL;
  if (length >= sizeof name.sun_path) return -ENAMETOOLONG;
  memcpy(name.sun_path, path, length);
  belay_shim_copy_address(address, &name, sizeof name);
  return 0;
}

int belay_shim_address_port(const belay_shim_address *address) {
  const struct sockaddr *name = const_name_of(address);
  if (name->sa_family == AF_INET) return ntohs(((const struct sockaddr_in *)name)->sin_port);
  if (name->sa_family == AF_INET6) return ntohs(((const struct sockaddr_in6 *)name)->sin6_port);
  return -1;
}

size_t belay_shim_address_text(const belay_shim_address *address, char *text, size_t size) {
  const struct sockaddr *name = const_name_of(address);
  char host[NI_MAXHOST] = "";
  int port = belay_shim_address_port(address), length = 0;
  text[0] = 0;
  if (name->sa_family == AF_INET) {
    /* getnameinfo() would bring another 64 KiB of libc's code into a process's memory. */
    const uint8_t *part = (const uint8_t *)&((const struct sockaddr_in *)name)->sin_addr;
    length = snprintf(text, size, "%d.%d.%d.%d:%d", part[0], part[1], part[2], part[3], port);
  } else if (port >= 0) {
    getnameinfo(name, address->length, host, sizeof host, NULL, 0, NI_NUMERICHOST);
    length = snprintf(text, size, "[%s]:%d", host, port);
  } else if (name->sa_family == AF_UNIX && address->length > sizeof name->sa_family) {
    length = snprintf(text, size, "%s", ((const struct sockaddr_un *)name)->sun_path);
  }
  return length < 0 ? 0 : (size_t)length < size ? (size_t)length : size - 1;
}

static int ask(__typeof__(getsockname) *name, int fd, belay_shim_address *address) {
  socklen_t length = sizeof address->storage;
  memset(address, 0, sizeof *address);
  if (name(fd, name_of(address), &length) != 0) return -errno;
  address->length = length;
  return 0;
}

int belay_shim_own_address(int fd, belay_shim_address *address) {
  return ask(getsockname, fd, address);
}

int belay_shim_peer_address(int fd, belay_shim_address *address) {
  return ask(getpeername, fd, address);
}

/* ---- sockets ---- */

static int open_socket(const belay_shim_address *address) {
  return belay_shim_above_standard(
      socket(const_name_of(address)->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
}

static int give_up(int fd) {
  int error = errno;
  close(fd);
  return -error;
}

int belay_shim_connect(const belay_shim_address *address, int *code) {
  int fd = open_socket(address);
  *code = 0;
  if (fd < 0) return fd;
  if (connect(fd, const_name_of(address), address->length) == 0) return fd;
  /* A connection that a signal has interrupted goes on. */
  if (errno != EINPROGRESS && errno != EINTR) return give_up(fd);
  *code = -EINPROGRESS;
  return fd;
}

int belay_shim_connected(int fd) {
  int error = 0;
  socklen_t length = sizeof error;
  if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &length) != 0) return -errno;
  return -error;
}

int belay_shim_listen(const belay_shim_address *address, int backlog, unsigned flags) {
  int family = const_name_of(address)->sa_family;
  int fd = open_socket(address), yes = 1, only = (flags & BELAY_SHIM_IPV6_ONLY) != 0;
  if (fd < 0) return fd;
  if (family != AF_UNIX && setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0)
    return give_up(fd);
  if (family != AF_UNIX && flags & BELAY_SHIM_REUSE_PORT &&
      setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &yes, sizeof yes) != 0)
    return give_up(fd);
  if (family == AF_INET6 && setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &only, sizeof only) != 0)
    return give_up(fd);
  if (bind(fd, const_name_of(address), address->length) != 0 || listen(fd, backlog) != 0)
    return give_up(fd);
  return fd;
}

int belay_shim_accept(int fd, belay_shim_address *peer) {
  for (;;) {
    socklen_t length = sizeof peer->storage;
    int accepted = accept4(fd, name_of(peer), &length, SOCK_NONBLOCK | SOCK_CLOEXEC);
    peer->length = length;
    if (accepted >= 0) return belay_shim_above_standard(accepted);
    /* The peer has gone already, or a signal came: there may be another one. */
    if (errno != EINTR && errno != ECONNABORTED && errno != EPROTO) return -errno;
  }
}

int belay_shim_set_tcp(int fd, int nodelay, int keepalive) {
  int yes = 1;
  if (nodelay && setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes) != 0) return -errno;
  if (!keepalive) return 0;
  if (setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &yes, sizeof yes) != 0 ||
      setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &keepalive, sizeof keepalive) != 0)
    return -errno;
  return 0;
}

int belay_shim_shut_down(int fd, int kind) {
  if (kind == BELAY_SHIM_SOCKET) return answer(shutdown(fd, SHUT_WR));
  return (fcntl(fd, F_GETFL) & O_ACCMODE) == O_WRONLY;
}

/* ---- any descriptor ---- */

int belay_shim_ready(int fd, int events) {
  // In the order of libuv's bits.
  static const short bits[] = {POLLIN, POLLOUT, POLLRDHUP, POLLPRI};
  int found = 0;
  for (int i = 0; i < 4; i++) {
    struct pollfd now = {.fd = fd, .events = bits[i]};
    if (!(events >> i & 1) || poll(&now, 1, 0) <= 0) continue;
    if (now.revents & (POLLERR | POLLNVAL)) return -EBADF;
    // Also when the other end has gone: libuv makes every event of that.
    found |= 1 << i;
  }
  return found;
}

int belay_shim_descriptor_kind(int fd) {
  struct stat status;
  // A negative number may stand for the current folder.
  if (fd < 0) return -EBADF;
  if (fstatat(fd, "", &status, AT_EMPTY_PATH) != 0) return -errno;
  if (S_ISSOCK(status.st_mode)) return BELAY_SHIM_SOCKET;
  if (S_ISFIFO(status.st_mode)) return BELAY_SHIM_PIPE;
  struct termios mode;
  return tcgetattr(fd, &mode) == 0 ? BELAY_SHIM_TERMINAL : BELAY_SHIM_OTHER;
}

int belay_shim_open(const char *path, int reads, int writes) {
  int access = reads && writes ? O_RDWR : writes ? O_WRONLY : O_RDONLY;
  return belay_shim_above_standard(open(path, access | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
}

int belay_shim_own_descriptor(int fd) {
  char path[32];
  int flags = fcntl(fd, F_GETFL), own;
  unsigned number;
  // To open the master of a terminal is to make another terminal.
  if (ioctl(fd, TIOCGPTN, &number) == 0) return fd;
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  own = belay_shim_above_standard(
      open(path, (flags & O_ACCMODE) | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  // Of a pipe whose last writer has gone, the system tells this to the old description alone.
  struct pollfd old = {.fd = fd};
  if (own >= 0 && poll(&old, 1, 0) > 0 && old.revents & POLLHUP) {
    close(own);
    return fd;
  }
  return own < 0 ? fd : own;
}

long belay_shim_read(int fd, int kind, void *data, size_t size) {
  ssize_t count;
  // Another process may have made it blocking, if it has the same socket.
  do count = kind == BELAY_SHIM_SOCKET ? recv(fd, data, size, MSG_DONTWAIT) : read(fd, data, size);
  while (count < 0 && errno == EINTR);
  return count < 0 ? -errno : count;
}

/* Only send() can be told to raise no SIGPIPE. Elsewhere the thread blocks the signal, and takes out the one
   that it has caused, which is sent to this thread. */
static ssize_t write_quietly(int fd, const void *data, size_t size) {
  struct timespec none = {0, 0};
  // On Linux a set has a bit for each signal.
  unsigned long own = 1ul << (SIGPIPE - 1), bits;
  sigset_t pipe = {{own}}, waiting, before;
  ssize_t count;
  int error;
  sigpending(&waiting);
  memcpy(&bits, &waiting, sizeof bits);
  if (bits & own) return write(fd, data, size);
  pthread_sigmask(SIG_BLOCK, &pipe, &before);
  count = write(fd, data, size);
  error = errno;
  if (count < 0 && error == EPIPE)
    while (sigtimedwait(&pipe, NULL, &none) < 0 && errno == EINTR) continue;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  errno = error;
  return count;
}

long belay_shim_write(int fd, int kind, const void *data, size_t size) {
  ssize_t count;
  do {
    count = kind == BELAY_SHIM_SOCKET ? send(fd, data, size, MSG_NOSIGNAL | MSG_DONTWAIT)
                                      : write_quietly(fd, data, size);
  } while (count < 0 && errno == EINTR);
  return count < 0 ? -errno : count;
}

/* ---- terminals ---- */

int belay_shim_set_raw(int fd, int raw, void **saved) {
  struct termios mode;
  if (!raw) {
    /* At once: the loop's thread must not wait until a terminal has taken what was written. */
    int result = answer(*saved ? tcsetattr(fd, TCSANOW, *saved) : tcgetattr(fd, &mode));
    free(*saved);
    *saved = NULL;
    return result;
  }
  if (tcgetattr(fd, &mode) != 0) return -errno;
  if (!*saved) {
    *saved = malloc(sizeof mode);
    if (!*saved) return -ENOMEM;
    memcpy(*saved, &mode, sizeof mode);
  }
  cfmakeraw(&mode);
  return answer(tcsetattr(fd, TCSANOW, &mode));
}

int belay_shim_window_size(int fd, int *columns, int *rows) {
  struct winsize size;
  if (ioctl(fd, TIOCGWINSZ, &size) != 0) return -errno;
  *columns = size.ws_col;
  *rows = size.ws_row;
  return 0;
}

/* ---- files of Unix sockets ---- */

int belay_shim_identify(const char *path, uint64_t identity[2]) {
  struct stat status;
  if (fstatat(AT_FDCWD, path, &status, AT_SYMLINK_NOFOLLOW) != 0) return -errno;
  if (!S_ISSOCK(status.st_mode)) return -ENOTSOCK;
  identity[0] = status.st_dev;
  identity[1] = status.st_ino;
  return 0;
}

void belay_shim_remove(const char *path, const uint64_t identity[2]) {
  uint64_t now[2];
  if (belay_shim_identify(path, now) == 0 && now[0] == identity[0] && now[1] == identity[1])
    belay_shim_unlink(path);
}

void belay_shim_unlink(const char *path) { unlink(path); }

int belay_shim_is_stale(const belay_shim_address *address) {
  /* A socket of another type is refused by one that listens, too, but not in the same way. And nobody gets a
     connection that is none. */
  int fd = belay_shim_above_standard(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  int is_stale = fd >= 0 && connect(fd, const_name_of(address), address->length) != 0 && errno == ECONNREFUSED;
  if (fd >= 0) close(fd);
  return is_stale;
}
