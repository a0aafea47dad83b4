/* a process | its lines, then its exit | fails if that was a failure
 *           | again with longer and longer waits, until success -> print
 */
#define _GNU_SOURCE
#include "task.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "print.h"
#include "supervisor.h"

/* What has left the process group may hold the output open for good. After the exit the output gets
   this many ticks, not a time: in each the loop reads what is there, however slowly it is printed.
 */
#define OUTPUT_TICKS 10
#define TICK_SECONDS 0.1

static double now(const task *self) { return belay_loop_now(self->supervisor->loop); }

/* ---- its exit ---- */

typedef struct result {
  int64_t status;
  int32_t signal;
} result;

/* Belay sends an array of two at the exit, and a longer one at the start. */
static bool get_result(belay_value value, result *result) {
  belay_value status, signal;
  return belay_value_is_array(value) && belay_value_count(value) == 2 &&
         belay_value_get_item(value, 0, &status) >= 0 &&
         belay_value_get_item(value, 1, &signal) >= 0 &&
         belay_value_get_int64(status, &result->status) >= 0 &&
         belay_value_get_int32(signal, &result->signal) >= 0;
}

static bool is_success(const result *result) { return result->status == 0 && result->signal == 0; }

static void describe(const result *result, char *text, size_t size) {
  if (result->signal) snprintf(text, size, "ended by %s", strsignal(result->signal));
  else snprintf(text, size, "exited with %lld", (long long)result->status);
}

/* ---- stages ---- */

/* Keeps the number of the process while it runs. Whatever it leaves behind in its process group is
   killed: it would hold the output open, and stand in the way of the next run. */
static void note(void *ctx, belay_value value) {
  task *self = ctx;
  belay_value item;
  int32_t pid = 0;
  if (self->pid) kill(-self->pid, SIGKILL);
  self->pid = 0;
  result result;
  self->is_draining = get_result(value, &result);
  if (self->is_draining) {
    belay_subject_next(self->exits, belay_null());
    return;
  }
  if (belay_value_get_item(value, 0, &item) < 0 || belay_value_get_int32(item, &pid) < 0) return;
  self->pid = pid;
  self->started = now(self);
  print_about(self->name, "started as %d", (int)pid);
}

static void cannot_start(void *ctx, const belay_error *error) {
  print_about(((task *)ctx)->name, "cannot be started: %s", belay_error_message(error));
}

static belay_signal *ticks(void *ctx, belay_value value) {
  const task *self = ctx;
  (void)value;
  return belay_signal_interval(belay_loop_get_scheduler(self->supervisor->loop), TICK_SECONDS);
}

/* The exit comes after the last line. */
static belay_signal *lines_then_exit(void *ctx, belay_value value) {
  task *self = ctx;
  result result;
  if (get_result(value, &result)) return belay_signal_just(belay_value_retain(value));
  belay_signal *too_long = belay_signal_chain(belay_signal_retain(self->exits),
                                              belay_op_flat_map(1, ticks, self, NULL),
                                              belay_op_skip(OUTPUT_TICKS - 1));
  return belay_signal_chain(output_lines(value), belay_op_take_until(too_long));
}

/* After a long run a failure is the first one in a row. */
static int fail_if_failed(void *ctx, belay_value value) {
  task *self = ctx;
  result result;
  char text[64];
  if (!get_result(value, &result)) return 0;
  describe(&result, text, sizeof text);
  print_about(self->name, "%s", text);
  if (is_success(&result) || self->is_stopping) return 0;
  if (now(self) - self->started >= self->supervisor->options->stable) self->failures = 0;
  return belay_fail(BELAY_ECANCELED, text);
}

/* Its value is the next start, its error the end. */
static belay_signal *wait_or_give_up(void *ctx, belay_value error) {
  task *self = ctx;
  const options *options = self->supervisor->options;
  self->is_draining = false;
  if (++self->failures == options->attempts)
    return belay_signal_error(belay_value_get_error(error));
  double wait = ldexp(options->wait, (int)(self->failures - 1));
  if (wait > options->max_wait) wait = options->max_wait;
  return belay_signal_timer(belay_loop_get_scheduler(self->supervisor->loop), wait);
}

/* belay_op_retry_backoff() can begin its waits anew after a line, but not after a long run. */
static belay_signal *waits(void *ctx, belay_signal *errors) {
  return belay_signal_chain(belay_signal_retain(errors),
                            belay_op_flat_map(1, wait_or_give_up, ctx, NULL));
}

static belay_signal *runs(task *self) {
  const char *args[] = {"/bin/sh", "-c", self->command, NULL};
  belay_process_options process = {.size = sizeof process,
                                   .args = args,
                                   .output = BELAY_STDIO_PIPE,
                                   .error = BELAY_STDIO_PIPE,
                                   .flags = BELAY_PROCESS_DETACHED,
                                   .disposal = BELAY_PROCESS_KILL};
  belay_observer noted = {
      .size = sizeof noted, .next = note, .error = cannot_start, .ctx = self};
  return belay_signal_chain(
      belay_process(self->supervisor->loop, &process), belay_op_do(&noted),
      belay_op_concat_map(lines_then_exit, self, NULL),
      belay_op_attempt(fail_if_failed, self, NULL), belay_op_retry_when(waits, self, NULL));
}

/* ---- what comes out ---- */

static void printed(void *ctx, belay_value value) {
  belay_view line;
  if (belay_value_try_bytes(value, &line) >= 0) print_line(((task *)ctx)->name, line);
}

static void gave_up(void *ctx, const belay_error *error) {
  task *self = ctx;
  print_about(self->name, "given up: %s", belay_error_message(error));
  self->supervisor->has_failed = true;
}

static void ended(void *ctx) {
  task *self = ctx;
  belay_owner *owner = self->owner;
  self->owner = NULL;
  belay_owner_release(owner);
}

/* ---- stopping ---- */

static void too_late(void *ctx, belay_value value) {
  (void)value;
  task_kill(ctx);
}

static void kill_later(task *self) {
  belay_signal *timer = belay_signal_timer(belay_loop_get_scheduler(self->supervisor->loop),
                                           self->supervisor->options->grace);
  belay_observer observer = {.size = sizeof observer,
                             .next = too_late,
                             .ctx = self,
                             .label = "grace",
                             .site = BELAY_HERE,
                             .owner = self->owner};
  belay_signal_subscribe(timer, &observer, NULL);
  belay_signal_release(timer);
}

void task_stop(task *self, const char *successor) {
  free(self->successor);
  self->successor = successor ? strdup(successor) : NULL;
  if (self->is_stopping) return;
  self->is_stopping = true;
  if (self->pid != 0) {
    kill(-self->pid, SIGTERM);
    kill_later(self);
  } else if (!self->is_draining) {
    belay_disposable_dispose(self->running); /* it waits for its next start */
  }
}

/* Without a process it waits for its next start, or for output that is held open. */
void task_kill(task *self) {
  if (self->pid == 0) {
    belay_disposable_dispose(self->running);
    return;
  }
  print_about(self->name, "killed");
  kill(-self->pid, SIGKILL);
}

/* ---- life ---- */

static void task_deinit(void *object) {
  task *self = object;
  *self->link = self->next;
  if (self->next) self->next->link = self->link;
  belay_disposable_release(self->running);
  belay_signal_release(self->exits);
  if (self->successor) task_start(self->supervisor, self->name, self->successor);
  supervisor_lost_task(self->supervisor);
  free(self->command);
  free(self->successor);
}

/* Puts it at the end of the list, in the order of the file. */
static void enlist(task *self) {
  self->link = &self->supervisor->tasks;
  while (*self->link) self->link = &(*self->link)->next;
  *self->link = self;
}

void task_start(supervisor *supervisor, const char *name, const char *command) {
  task *self = calloc(1, sizeof *self);
  if (!self) return;
  self->supervisor = supervisor;
  self->command = strdup(command);
  self->exits = belay_subject_create(&(belay_source_options){
      .size = sizeof(belay_source_options), .label = "exits", .site = BELAY_HERE});
  snprintf(self->name, sizeof self->name, "%s", name);
  enlist(self);
  self->owner = belay_owner_create(
      self, task_deinit, free,
      &(belay_owner_options){
          .size = sizeof(belay_owner_options), .label = "task", .site = BELAY_HERE});
  belay_owner_add_child(supervisor->owner, self->owner);
  belay_observer observer = {.size = sizeof observer,
                             .next = printed,
                             .error = gave_up,
                             .disposed = ended,
                             .ctx = self,
                             .label = "task",
                             .site = BELAY_HERE,
                             .owner = self->owner};
  belay_signal *signal = runs(self);
  belay_owner *owner = belay_owner_retain(self->owner); /* it may end at once */
  belay_signal_subscribe(signal, &observer, &self->running);
  belay_signal_release(signal);
  belay_owner_release(owner);
}
