// The calls of inotify, with errors as libuv has them: negative.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
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

// Opens the directory that the first part of `path` names in `directory`, which it closes. Moves `path`
// behind that part. Answers a negative errno if there is none.
static int descend(int directory, const char **path) {
  size_t length = 0;
  while ((*path)[length] && (*path)[length] != '/') length++;
  char name[NAME_MAX + 1];
  int next = -ENAMETOOLONG;
  if (length < sizeof name) {
    memcpy(name, *path, length);
    name[length] = 0;
    next = belay_shim_above_standard(
        openat(directory, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  }
  close(directory);
  *path += length + ((*path)[length] == '/');
  return next;
}

BELAY_HIDDEN int belay_shim_watches_add_below(int fd, const char *root, const char *path,
                                              uint32_t mask) {
  int directory = belay_shim_above_standard(open(root, O_PATH | O_DIRECTORY | O_CLOEXEC));
  while (directory >= 0 && *path) directory = descend(directory, &path);
  if (directory < 0) return directory;
  // inotify takes no descriptor.
  char place[32];
  snprintf(place, sizeof place, "/proc/self/fd/%d", directory);
  int number = belay_shim_watches_add(fd, place, mask);
  close(directory);
  return number == -ENOENT ? -ENOSYS : number;
}

BELAY_HIDDEN void belay_shim_watches_remove(int fd, int number) { inotify_rm_watch(fd, number); }

// Whether a loss is among the events.
static bool tells_loss(const char *events, size_t size) {
  for (size_t at = 0; at < size;) {
    const struct inotify_event *event = (const struct inotify_event *)(events + at);
    if (event->mask & IN_Q_OVERFLOW) return true;
    at += sizeof *event + event->len;
  }
  return false;
}

BELAY_HIDDEN int64_t belay_shim_watches_read(int fd, void *room, size_t size,
                                             int64_t *until_loss) {
  ssize_t count;
  do count = read(fd, room, size);
  while (count < 0 && errno == EINTR);
  if (count >= 0) {
    int waiting = 0; // if a sandbox forbids the question, the loss is told before the events that wait
    if (tells_loss(room, (size_t)count)) {
      (void)ioctl(fd, FIONREAD, &waiting);
      *until_loss = count + waiting;
    }
    return count;
  }
  return errno == EAGAIN ? 0 : -errno;
}
