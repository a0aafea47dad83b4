/* events of the file and SIGHUP | when they are over -> tasks start and stop
 * SIGINT and SIGTERM -> all tasks stop
 */
#include "supervisor.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "print.h"

/* An editor writes a file in several steps. */
#define QUIET_SECONDS 0.1

static belay_observer observer(supervisor *self, const char *label) {
  return (belay_observer){.size = sizeof(belay_observer),
                          .ctx = self,
                          .label = label,
                          .site = BELAY_HERE,
                          .owner = self->owner};
}

/* ---- the file ---- */

static task *find(const supervisor *self, const char *name) {
  task *task = self->tasks;
  while (task && strcmp(task->name, name) != 0) task = task->next;
  return task;
}

static void apply(supervisor *self, const config *config) {
  for (task *task = self->tasks, *next; task; task = next) {
    next = task->next;
    const char *command = config_find(config, task->name);
    bool is_same = command && !task->is_stopping && strcmp(command, task->command) == 0;
    if (!is_same) task_stop(task, command);
  }
  for (size_t i = 0; i < config->count; i++)
    if (!find(self, config->entries[i].name))
      task_start(self, config->entries[i].name, config->entries[i].command);
}

static int load(supervisor *self) {
  config config;
  char problem[512];
  if (config_read(&config, self->options->path, problem, sizeof problem) < 0) {
    fprintf(stderr, "runall: %s\n", problem);
    return -1;
  }
  apply(self, &config);
  config_free(&config);
  return 0;
}

/* A file that is wrong, or gone, changes nothing. */
static void changed(void *ctx, belay_value value) {
  (void)value;
  print_about("runall", "reads the file again");
  load(ctx);
}

static void cannot_watch(void *ctx, const belay_error *error) {
  (void)ctx;
  print_about("runall", "changes are not seen: %s", belay_error_message(error));
}

static void follow_changes(supervisor *self) {
  belay_signal *reasons[] = {belay_file_events(self->loop, self->options->path),
                             belay_posix_signal(self->loop, SIGHUP)};
  belay_signal *signal =
      belay_signal_chain(belay_signal_merge(reasons, 2),
                         belay_op_debounce(belay_loop_get_scheduler(self->loop), QUIET_SECONDS));
  belay_observer each = observer(self, "changes");
  each.next = changed;
  each.error = cannot_watch;
  belay_signal_subscribe(signal, &each, &self->changes);
  belay_signal_release(signal);
}

/* ---- the end ---- */

void supervisor_lost_task(supervisor *self) {
  if (self->tasks) return;
  belay_disposable_dispose(self->changes);
  belay_disposable_dispose(self->requests);
}

static void stop(void *ctx, belay_value value) {
  (void)value;
  supervisor *self = ctx;
  bool is_first = !self->is_stopping;
  self->is_stopping = true;
  if (is_first) {
    print_about("runall", "stops");
    belay_disposable_dispose(self->changes);
  }
  for (task *task = self->tasks, *next; task; task = next) {
    next = task->next;
    if (is_first) task_stop(task, NULL);
    else task_kill(task);
  }
}

static void await_requests(supervisor *self) {
  belay_signal *reasons[] = {belay_posix_signal(self->loop, SIGINT),
                             belay_posix_signal(self->loop, SIGTERM)};
  belay_signal *signal = belay_signal_merge(reasons, 2);
  belay_observer stopping = observer(self, "stop");
  stopping.next = stop;
  belay_signal_subscribe(signal, &stopping, &self->requests);
  belay_signal_release(signal);
}

/* ---- life ---- */

static void supervisor_deinit(void *object) {
  supervisor *self = object;
  belay_disposable_release(self->changes);
  belay_disposable_release(self->requests);
}

belay_owner *supervisor_start(belay_loop *loop, const options *options) {
  supervisor *self = calloc(1, sizeof *self);
  if (!self) return NULL;
  self->options = options;
  self->loop = loop;
  self->owner = belay_owner_create(
      self, supervisor_deinit, free,
      &(belay_owner_options){
          .size = sizeof(belay_owner_options), .label = "supervisor", .site = BELAY_HERE});
  await_requests(self);
  follow_changes(self);
  int rc = load(self);
  if (self->tasks) return self->owner;
  if (rc >= 0) fprintf(stderr, "runall: %s: no command\n", options->path);
  belay_owner_release(self->owner);
  return NULL;
}

int supervisor_exit_code(belay_owner *owner) {
  const supervisor *self = belay_owner_object(owner);
  return self && !self->has_failed ? EXIT_SUCCESS : EXIT_FAILURE;
}
