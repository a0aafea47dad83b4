/* events of the file | when they are over -> tasks start and stop
 * SIGHUP -> the same
 * SIGINT, SIGQUIT and SIGTERM -> all tasks stop
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

static void start_or_replace(supervisor *self, const config_entry *entry) {
  task *task = find(self, entry->name);
  if (task) task_stop(task, entry->command);
  else task_start(self, entry->name, entry->command);
}

/* What the file has said before is running, or done. Takes `config` over. */
static void apply(supervisor *self, config config) {
  struct config before = self->config;
  self->config = config;
  self->is_applying = true;
  for (size_t i = 0; i < config.count; i++) {
    const char *command = config_find(&before, config.entries[i].name);
    if (!command || strcmp(command, config.entries[i].command) != 0)
      start_or_replace(self, &config.entries[i]);
  }
  for (task *task = self->tasks, *next; task; task = next) {
    next = task->next;
    if (!config_find(&config, task->name)) task_stop(task, NULL);
  }
  config_free(&before);
  self->is_applying = false;
  supervisor_lost_task(self);
}

/* A file that is wrong, empty or gone changes nothing. */
static void load(supervisor *self) {
  config config;
  char problem[512];
  if (config_read(&config, self->options->path, problem, sizeof problem) >= 0) apply(self, config);
  else fprintf(stderr, "runall: %s\n", problem);
}

static void load_again(supervisor *self) {
  if (self->is_stopping) return;
  print_about("runall", "reads the file again");
  load(self);
}

static void changed(void *ctx, belay_value value) {
  (void)value;
  load_again(ctx);
}

static void cannot_watch(void *ctx, const belay_error *error) {
  (void)ctx;
  print_about("runall", "changes are not seen: %s", belay_error_message(error));
}

static void follow_changes(supervisor *self) {
  belay_signal *signal =
      belay_signal_chain(belay_file_events(self->loop, self->options->path),
                         belay_op_debounce(belay_loop_get_scheduler(self->loop), QUIET_SECONDS));
  belay_observer each = observer(self, "changes");
  each.next = changed;
  each.error = cannot_watch;
  belay_signal_subscribe(signal, &each, &self->changes);
  belay_signal_release(signal);
}

/* ---- the end ---- */

void supervisor_lost_task(supervisor *self) {
  if (self->tasks || self->is_applying) return;
  belay_disposable_dispose(self->changes);
  belay_disposable_dispose(self->requests);
}

static void stop(supervisor *self) {
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

static void requested(void *ctx, belay_value value) {
  int32_t number;
  if (belay_value_get_int32(value, &number) < 0) return;
  if (number == SIGHUP) load_again(ctx);
  else stop(ctx);
}

/* Until the last task has ended no request has its default action, which would leave the commands
   behind. */
static void await_requests(supervisor *self) {
  belay_signal *reasons[] = {
      belay_posix_signal(self->loop, SIGHUP), belay_posix_signal(self->loop, SIGINT),
      belay_posix_signal(self->loop, SIGQUIT), belay_posix_signal(self->loop, SIGTERM)};
  belay_signal *signal = belay_signal_merge(reasons, sizeof reasons / sizeof *reasons);
  belay_observer each = observer(self, "requests");
  each.next = requested;
  belay_signal_subscribe(signal, &each, &self->requests);
  belay_signal_release(signal);
}

/* ---- life ---- */

static void supervisor_deinit(void *object) {
  supervisor *self = object;
  belay_disposable_release(self->changes);
  belay_disposable_release(self->requests);
  config_free(&self->config);
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
  load(self);
  if (self->config.count > 0) return self->owner;
  belay_owner_release(self->owner);
  return NULL;
}

int supervisor_exit_code(belay_owner *owner) {
  const supervisor *self = belay_owner_object(owner);
  return self && !self->has_failed ? EXIT_SUCCESS : EXIT_FAILURE;
}
