/* A command that is kept running: an owner, to which its subscriptions are bound. */
#ifndef RUNALL_TASK_H
#define RUNALL_TASK_H

#include <belay/belay.h>
#include <stdbool.h>
#include <sys/types.h>

#include "config.h"

typedef struct supervisor supervisor;

typedef struct task {
  struct task *next, **link; /* in the supervisor's list */
  supervisor *supervisor;
  belay_owner *owner; /* NULL when it has ended */
  belay_disposable *running;
  belay_signal *exits; /* sends null at each exit */
  char *command;
  char *successor; /* the command that follows this one under the same name; NULL: none */
  pid_t pid;       /* 0: it is not running */
  double started;  /* when */
  size_t failures; /* in a row */
  bool is_draining; /* it has exited, and its output has not ended yet */
  bool is_stopping;
  char name[NAME_SIZE];
} task;

/* Starts the command, and again after each failure. */
void task_start(supervisor *supervisor, const char *name, const char *command);
/* Lets it end: SIGTERM now, SIGKILL after the grace time. `successor` (may be NULL) is copied. */
void task_stop(task *task, const char *successor);
/* Does not wait any longer: SIGKILL. */
void task_kill(task *task);

#endif
