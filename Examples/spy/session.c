/*   spy_on(vfs)  ->  ios, shared by   ios | all in an interval -> a line of rates
 *                                     ios -> totals, printed at the end
 */
#include "session.h"

#include <belay/belay.h>
#include <stdio.h>
#include <stdlib.h>

#include "process.h"
#include "spy.h"
#include "tally.h"

typedef struct session {
  belay_loop *loop;
  sqlite3_vfs *vfs;
  const char *path;
  const options *options;
  workload *work; /* NULL until it is open */
  outcome *outcome;
  double began, told; /* when the work began; until when rates have been shown */
  tallies totals;
  int64_t written; /* counted by the system during the steps; negative: unknown */
  bool is_complete; /* whether the signal has completed */
  bool has_failed;
} session;

static belay_observer observer(session *self, const char *label, const char *site) {
  return (belay_observer){.size = sizeof(belay_observer),
                          .ctx = self, /* outlives the loop */
                          .label = label,
                          .site = site,
                          .loop = self->loop};
}

static void fail(session *self, const char *problem) {
  fprintf(stderr, "spy: %s\n", problem);
  self->has_failed = true;
}

/* ---- who looks on ---- */

static void tell_rates(void *ctx, belay_value ios) {
  session *self = ctx;
  tallies sum = {.of = {{{.count = 0}}}};
  size_t count = belay_value_count(ios);
  for (size_t i = 0; i < count; i++) {
    belay_value item;
    io one;
    if (belay_value_get_item(ios, i, &item) >= 0 && BELAY_VALUE_GET_STRUCT(item, io, &one) >= 0)
      tallies_add(&sum, &one);
  }
  double now = io_now();
  if (count) tallies_print_rates(&sum, now - self->began, now - self->told);
  self->told = now;
}

static void add_to_totals(void *ctx, belay_value value) {
  io one;
  if (BELAY_VALUE_GET_STRUCT(value, io, &one) >= 0) tallies_add(&((session *)ctx)->totals, &one);
}
static void show_error(void *ctx, const belay_error *error) {
  fail(ctx, belay_error_message(error));
}
static void note_completion(void *ctx) { ((session *)ctx)->is_complete = true; }

static int look_on(session *self) {
  belay_signal *ios = belay_signal_chain(spy_on(self->vfs), belay_op_share(0));
  belay_signal *intervals = belay_signal_chain(
      belay_signal_retain(ios), belay_op_buffer_time(belay_loop_get_scheduler(self->loop),
                                                     self->options->interval, BELAY_UNLIMITED));
  belay_observer rates = observer(self, "rates", BELAY_HERE);
  rates.next = tell_rates;
  rates.error = show_error;
  int rc = belay_signal_subscribe(intervals, &rates, NULL);
  belay_observer totals = observer(self, "totals", BELAY_HERE);
  totals.next = add_to_totals;
  totals.error = show_error;
  totals.completed = note_completion;
  if (rc >= 0) rc = belay_signal_subscribe(ios, &totals, NULL);
  belay_signal_release(intervals);
  belay_signal_release(ios);
  return rc;
}

/* ---- the work ---- */

static void count_written(session *self, int64_t before) {
  int64_t after = process_written();
  if (before < 0 || after < 0)
    self->written = -1;
  else if (self->written >= 0)
    self->written += after - before;
}

static void finish(session *self) {
  int64_t before = process_written();
  if (!workload_close(self->work, self->outcome)) self->has_failed = true;
  count_written(self, before);
  /* All files are closed; now the signal completes. */
  if (spy_end(self->vfs) < 0) fail(self, "what was in the table could not be put back");
}

/* The first step opens the database, which is spied on, too. */
static int work_on(session *self) {
  if (self->work) return workload_step(self->work);
  self->work = workload_open(self->path, self->options->journal, self->options->rows);
  return self->work ? 1 : -1;
}

static void step(void *ctx, belay_recursion *recursion) {
  session *self = ctx;
  int64_t before = process_written();
  int rc = work_on(self);
  count_written(self, before);
  if (rc > 0 && belay_recursion_again(recursion) < 0) rc = -1;
  if (rc > 0) return;
  if (rc < 0) self->has_failed = true;
  finish(self);
}

static void check_bytes(session *self) {
  int64_t seen = tallies_kind(&self->totals, IO_WRITE).bytes;
  /* Shared memory is written without xWrite. */
  if (self->written < 0 || self->totals.of[IO_WAL][IO_WRITE].count) return;
  printf("written according to the system: %lld bytes\n", (long long)self->written);
  if (seen != self->written) fail(self, "that is not what was seen");
}

bool session_run(const char *path, const options *options, outcome *outcome) {
  session self = {
      .vfs = sqlite3_vfs_find(NULL), .path = path, .options = options, .outcome = outcome};
  int (*const original)(sqlite3_vfs *, const char *, sqlite3_file *, int, int *) = self.vfs->xOpen;
  self.loop = belay_loop_create(&(belay_loop_options){
      .size = sizeof(belay_loop_options), .label = "spy", .site = BELAY_HERE});
  self.began = self.told = io_now();
  int rc = self.loop ? look_on(&self) : -1;
  if (rc >= 0)
    rc = belay_scheduler_recursive(belay_loop_get_scheduler(self.loop), step, &self, NULL, NULL);
  if (rc >= 0) rc = belay_loop_run(self.loop, BELAY_RUN_DEFAULT);
  if (rc < 0) fail(&self, belay_error_message(belay_last_error()));
  belay_loop_release(self.loop);

  tallies_print(&self.totals);
  if (!self.has_failed && !self.is_complete) fail(&self, "the signal did not complete");
  if (self.vfs->xOpen != original) fail(&self, "the table is not what it was");
  if (!self.has_failed) check_bytes(&self);
  return !self.has_failed;
}
