// The end of a child: how it is found, and what is done for one that nobody waits for any more.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "CBelayShim.h"
#include "streams.h"

static const int64_t longest_wait = 5000000000; // of the loop's thread, where there is no other

struct child {
  pid_t pid;
  bool is_group;
  bool has_ended;  // and its number is free, unless that is a group's in which others live
  int64_t grace;
};

static void send_signal(const struct child *it, int number) {
  kill(it->is_group ? -it->pid : it->pid, number);
}

static pid_t wait_for(pid_t pid, int *status, int options) {
  pid_t found;
  do found = waitpid(pid, status, options);
  while (found < 0 && errno == EINTR);
  return found;
}

static void look_for_end(struct child *it, int options) {
  if (!it->has_ended) it->has_ended = wait_for(it->pid, NULL, options) != 0;
}

// Whether there is nobody to whom a signal would go.
static bool has_gone(struct child *it) {
  look_for_end(it, WNOHANG);
  return it->has_ended && !(it->is_group && kill(-it->pid, 0) == 0);
}

// Waits for a child, so that it leaves no zombie. Nobody else does, so its number stays its own.
static void see_it_out(struct child *it) {
  uint32_t nobody_wakes = 0;
  int64_t begun = belay_shim_monotonic();
  while (it->grace >= 0) {
    if (has_gone(it)) return;
    if (belay_shim_monotonic() - begun >= it->grace) {
      send_signal(it, SIGKILL);
      break;
    }
    belay_shim_wait(&nobody_wakes, 0, 10000000);
  }
  look_for_end(it, 0);
}

static void reap(void *argument) {
  belay_shim_describe_thread("belay reaper", 0);
  see_it_out(argument);
  free(argument);
}

// glibc has had a function for it since 2.36. The number is the same on every machine but Alpha.
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

BELAY_HIDDEN int belay_shim_watch_child(int pid) {
  return belay_shim_above_standard((int)syscall(SYS_pidfd_open, pid, 0));
}

// The system wakes the waiters of the descriptor when the child ends, and when a tracer lets it go.
BELAY_HIDDEN int belay_shim_watch_changes(int child) {
  struct epoll_event event = {.events = EPOLLIN | EPOLLET};
  int set = belay_shim_above_standard(epoll_create1(EPOLL_CLOEXEC));
  if (set < 0 || epoll_ctl(set, EPOLL_CTL_ADD, child, &event) == 0) return set;
  int code = -errno;
  close(set);
  return code;
}

BELAY_HIDDEN void belay_shim_forget_changes(int set) {
  struct epoll_event event;
  epoll_wait(set, &event, 1, 0);
}

BELAY_HIDDEN int belay_shim_take_child(int pid) {
  int status;
  pid_t found = wait_for(pid, &status, WNOHANG);
  return found > 0 ? status : found < 0 ? -ECHILD : -EAGAIN;
}

BELAY_HIDDEN int belay_shim_pipe(int *ends) {
  if (pipe2(ends, O_CLOEXEC) < 0) return -errno;
  for (int i = 0; i < 2; i++) {
    ends[i] = belay_shim_above_standard(ends[i]);
    if (ends[i] >= 0) continue;
    close(ends[1 - i]);
    return ends[i];
  }
  return 0;
}

BELAY_HIDDEN void belay_shim_leave_child(int pid, bool is_group, int number, int64_t grace) {
  struct child *it = malloc(sizeof *it);
  if (!it) belay_shim_out_of_memory(sizeof *it);
  *it = (struct child){pid, is_group, false, grace};
  if (!has_gone(it)) {
    if (number != 0) send_signal(it, number);
    if (belay_shim_start_thread(reap, it, 1 << 16) == 0) return;
    // This thread waits, which holds up the loop. One that may live on for good becomes a zombie.
    if (grace > longest_wait) it->grace = longest_wait;
    if (grace >= 0 || number == SIGKILL) see_it_out(it);
  }
  free(it);
}
