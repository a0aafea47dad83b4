// The end of a child that nobody waits for any more.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "CBelayShim.h"

struct child {
  pid_t pid;
  bool is_group;
  int64_t grace;
};

static void send_signal(const struct child *it, int number) {
  kill(it->is_group ? -it->pid : it->pid, number);
}

static bool has_ended(const struct child *it, int options) {
  pid_t found;
  do found = waitpid(it->pid, NULL, options);
  while (found < 0 && errno == EINTR);
  return found != 0;
}

// Waits for a child, so that it leaves no zombie. Nobody else does, so its number stays its own.
static void *see_it_out(void *argument) {
  struct child it = *(struct child *)argument;
  free(argument);
  const struct timespec pause = {0, 10000000};
  int64_t end = belay_shim_monotonic() + it.grace;
  while (it.grace >= 0) {
    if (has_ended(&it, WNOHANG)) return NULL;
    if (belay_shim_monotonic() >= end) {
      send_signal(&it, SIGKILL);
      break;
    }
    nanosleep(&pause, NULL);
  }
  has_ended(&it, 0);
  return NULL;
}

BELAY_HIDDEN int belay_shim_pipe(int *ends) { return pipe2(ends, O_CLOEXEC) < 0 ? -errno : 0; }

BELAY_HIDDEN void belay_shim_leave_child(int pid, bool is_group, int number, int64_t grace) {
  struct child it = {pid, is_group, grace};
  if (has_ended(&it, WNOHANG)) return;
  if (number != 0) send_signal(&it, number);
  struct child *given = malloc(sizeof *given);
  pthread_attr_t attributes;
  if (!given || pthread_attr_init(&attributes) != 0) {
    free(given);
    return;
  }
  *given = it;
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, 1 << 16);
  // The program's signals are for its own threads.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  if (pthread_create(&thread, &attributes, see_it_out, given) != 0) free(given);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
}
