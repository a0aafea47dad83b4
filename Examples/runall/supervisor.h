/* The supervisor: the owner of its tasks, which are its children. */
#ifndef RUNALL_SUPERVISOR_H
#define RUNALL_SUPERVISOR_H

#include <belay/belay.h>
#include <stdbool.h>

#include "options.h"
#include "task.h"

struct supervisor {
  const options *options;
  belay_loop *loop;
  belay_owner *owner;
  belay_disposable *changes;  /* of the file */
  belay_disposable *requests; /* the signals that it gets */
  config config;              /* what FILE said when it was read last */
  task *tasks;
  bool is_applying; /* new tasks may follow the last one */
  bool is_stopping;
  bool has_failed;
};

/* Starts the commands; `options` must outlive the supervisor. NULL on failure, which it has told.
   When no task is left, nothing keeps the loop alive any more. Release the result. */
belay_owner *supervisor_start(belay_loop *loop, const options *options);
/* Returns the exit code, when the loop has run. */
int supervisor_exit_code(belay_owner *owner);

/* A task has ended. */
void supervisor_lost_task(supervisor *supervisor);

#endif
