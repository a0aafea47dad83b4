#include "CBelayShim.h"
#include "streams.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

int belay_shim_fill_standard(void) {
  for (int fd = 0; fd < 3; fd++) {
    if (fcntl(fd, F_GETFD) >= 0) continue;
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null < 0) return -errno;
    // Another thread may have been quicker. A child has what the program has.
    if (null > 2) close(null);
    else fcntl(null, F_SETFD, 0);
  }
  return 0;
}

int belay_shim_above_standard(int fd) {
  if (fd > 2) return fd;
  int above = fd < 0 ? fd : fcntl(fd, F_DUPFD_CLOEXEC, 3);
  if (above < 0) above = -errno;
  if (fd >= 0) close(fd);
  return above;
}

int belay_shim_find_room(void) {
  static bool is_known; // libuv keeps its pipe
  int code = belay_shim_fill_standard();
  int found[6], count = __atomic_load_n(&is_known, __ATOMIC_RELAXED) ? 4 : 6;
  for (int i = 0; i < count; i++)
    if ((found[i] = eventfd(0, EFD_CLOEXEC)) < 0) code = -errno;
  for (int i = 0; i < count; i++)
    if (found[i] >= 0) close(found[i]);
  if (code == 0) __atomic_store_n(&is_known, true, __ATOMIC_RELAXED);
  return code;
}

int belay_shim_open_pollable(belay_pollable *pollable, int backend) {
  struct epoll_event event = {.events = EPOLLIN};
  pollable->timer =
      belay_shim_above_standard(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK));
  pollable->bell = belay_shim_above_standard(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  pollable->set = belay_shim_above_standard(epoll_create1(EPOLL_CLOEXEC));
  int code = pollable->timer < 0 ? pollable->timer : pollable->bell < 0 ? pollable->bell : pollable->set;
  if (code >= 0 && (epoll_ctl(pollable->set, EPOLL_CTL_ADD, backend, &event) != 0 ||
                    epoll_ctl(pollable->set, EPOLL_CTL_ADD, pollable->timer, &event) != 0 ||
                    epoll_ctl(pollable->set, EPOLL_CTL_ADD, pollable->bell, &event) != 0))
    code = -errno;
  if (code < 0) belay_shim_close_pollable(pollable);
  return code;
}

void belay_shim_close_pollable(belay_pollable *pollable) {
  if (pollable->timer >= 0) close(pollable->timer);
  if (pollable->bell >= 0) close(pollable->bell);
  if (pollable->set >= 0) close(pollable->set);
  pollable->timer = pollable->bell = pollable->set = -1;
}

int belay_shim_wall_timer(int64_t nanoseconds) {
  struct itimerspec when = {.it_value = {.tv_sec = nanoseconds / 1000000000,
                                         .tv_nsec = nanoseconds % 1000000000}};
  // Zero would switch the timer off, and less is refused.
  if (nanoseconds <= 0) when.it_value = (struct timespec){.tv_nsec = 1};
  int fd = belay_shim_above_standard(timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK));
  if (fd >= 0) timerfd_settime(fd, TFD_TIMER_ABSTIME, &when, NULL);
  return fd;
}

/* Here, because a build without streams has it, too. */
void belay_shim_close(int fd) { close(fd); }

// A host may wait for a change only (EPOLLET), so it is rung `anew` for a host that has heard it before.
static void ring(belay_pollable *pollable, bool is_rung, bool anew) {
  uint64_t count = 1;
  if (is_rung == pollable->is_rung && !(is_rung && anew)) return;
  pollable->is_rung = is_rung;
  while ((is_rung ? write(pollable->bell, &count, sizeof count)
                  : read(pollable->bell, &count, sizeof count)) < 0 &&
         errno == EINTR)
    continue;
}

// Timers come and go much more often than one is due, so the system's timer is set only when it would
// be late, or has been due.
void belay_shim_set_pollable(belay_pollable *pollable, int64_t nanoseconds, bool anew) {
  ring(pollable, nanoseconds == 0, anew);
  if (nanoseconds == 0) return;
  int64_t now = belay_shim_monotonic();
  bool is_wanted = nanoseconds > 0, is_set = pollable->deadline != 0;
  int64_t deadline = !is_wanted ? 0 : nanoseconds > INT64_MAX - now ? INT64_MAX : now + nanoseconds;
  bool is_late = is_wanted && (!is_set || deadline < pollable->deadline);
  bool was_due = is_set && pollable->deadline <= now;
  if (!is_late && !was_due) return;
  pollable->deadline = deadline;
  struct itimerspec when = {{0, 0}, {0, 0}};
  if (is_wanted) {
    when.it_value.tv_sec = nanoseconds / 1000000000;
    when.it_value.tv_nsec = nanoseconds % 1000000000;
  }
  timerfd_settime(pollable->timer, 0, &when, NULL);
}
