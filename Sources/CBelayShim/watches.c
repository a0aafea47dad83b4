// The calls of inotify, with errors as libuv has them: negative.
#include <errno.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "CBelayShim.h"
#include "streams.h"

BELAY_HIDDEN int belay_shim_watches_open(void) {
  return belay_shim_above_standard(inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
}

BELAY_HIDDEN int belay_shim_watches_add(int fd, const char *path, uint32_t mask) {
  int number = inotify_add_watch(fd, path, mask);
  return number < 0 ? -errno : number;
}

BELAY_HIDDEN void belay_shim_watches_remove(int fd, int number) { inotify_rm_watch(fd, number); }

BELAY_HIDDEN int64_t belay_shim_watches_read(int fd, void *room, size_t size) {
  ssize_t count;
  do count = read(fd, room, size);
  while (count < 0 && errno == EINTR);
  if (count >= 0) return count;
  return errno == EAGAIN ? 0 : -errno;
}

BELAY_HIDDEN void belay_shim_watches_close(int fd) { close(fd); }
