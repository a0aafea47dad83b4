/* file | parse | until Ctrl-C, SIGTERM or time  ->  entries, a shared subject
 *                                                  entries | matching | a window a second -> line
 *                                                  entries -> totals
 */
#include "session.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "display.h"
#include "stages.h"

typedef struct session {
  const options *options;
  belay_loop *loop;
  belay_signal *entries; /* the shared subject: a line is read and parsed once */
  display display;
  tally totals;   /* how many matched */
  uint64_t lines; /* how many there were */
  const char *stopped_by;
  int exit_code;
} session;

static belay_observer observer(session *self, const char *label, const char *site) {
  return (belay_observer){.size = sizeof(belay_observer),
                          .ctx = self, /* alive as long as something that is bound to its owner */
                          .label = label,
                          .site = site,
                          .loop = self->loop};
}

/* ---- why it stops ---- */

static void note_reason(void *ctx, belay_value value) {
  session *self = ctx;
  int32_t signum;
  if (belay_value_kind(value) == BELAY_KIND_INT32 && belay_value_get_int32(value, &signum) == 0)
    self->stopped_by = signum == SIGINT ? "Ctrl-C" : "SIGTERM";
  else
    self->stopped_by = "time is up";
}

static belay_signal *stop_signal(session *self) {
  belay_signal *reasons[3] = {belay_posix_signal(self->loop, SIGINT),
                              belay_posix_signal(self->loop, SIGTERM)};
  size_t count = 2;
  if (self->options->seconds > 0)
    reasons[count++] =
        belay_signal_timer(belay_loop_get_scheduler(self->loop), self->options->seconds);
  belay_observer note = observer(self, "stop", BELAY_HERE);
  note.next = note_reason;
  return belay_signal_chain(belay_signal_merge(reasons, count), belay_op_do(&note));
}

/* ---- the file feeds the subject ---- */

static void forward(void *ctx, belay_value value) {
  belay_subject_next(((session *)ctx)->entries, belay_value_retain(value));
}
static void forward_error(void *ctx, const belay_error *error) {
  belay_subject_error(((session *)ctx)->entries, error);
}
static void forward_end(void *ctx) { belay_subject_completed(((session *)ctx)->entries); }

static int watch_file(session *self, belay_owner *owner) {
  belay_signal *parsed =
      belay_signal_chain(belay_file_lines(self->loop, self->options->path, BELAY_FILE_FOLLOW),
                         stage_parse(self->options->match),
                         belay_op_take_until(stop_signal(self)));
  belay_observer feed = observer(self, "file", BELAY_HERE);
  feed.next = forward;
  feed.error = forward_error;
  feed.completed = forward_end;
  feed.owner = owner;
  int rc = belay_signal_subscribe(parsed, &feed, NULL);
  belay_signal_release(parsed);
  return rc;
}

/* ---- the live line ---- */

static void show_window(void *ctx, belay_value value) {
  window second;
  if (BELAY_VALUE_GET_STRUCT(value, window, &second) == 0)
    display_window(&((session *)ctx)->display, &second);
}
static void finish_window(void *ctx) { display_finish(&((session *)ctx)->display); }
/* The totals report the error. Here only the line is left on the terminal. */
static void abandon_window(void *ctx, const belay_error *error) {
  (void)error;
  finish_window(ctx);
}

static int show_windows(session *self, belay_owner *owner) {
  belay_signal *windows = stage_windows(belay_signal_retain(self->entries), self->loop);
  belay_observer show = observer(self, "windows", BELAY_HERE);
  show.next = show_window;
  show.error = abandon_window;
  show.completed = finish_window;
  show.owner = owner;
  int rc = belay_signal_subscribe(windows, &show, NULL);
  belay_signal_release(windows);
  return rc;
}

/* ---- the totals ---- */

static void add_to_totals(void *ctx, belay_value value) {
  session *self = ctx;
  entry seen;
  if (BELAY_VALUE_GET_STRUCT(value, entry, &seen) < 0) return;
  self->lines++;
  if (seen.matched) tally_add(&self->totals, seen.keyword);
}
static void show_totals(void *ctx) {
  session *self = ctx;
  char keywords[512];
  tally_describe(&self->totals, TALLY_ROWS, keywords, sizeof keywords);
  display_line(&self->display, "%llu lines, %llu counted, stopped: %s",
               (unsigned long long)self->lines, (unsigned long long)self->totals.total,
               self->stopped_by);
  if (*keywords) display_line(&self->display, "%s", keywords);
}
static void show_error(void *ctx, const belay_error *error) {
  session *self = ctx;
  display_finish(&self->display);
  fprintf(stderr, "logwatch: %s (%s)\n", belay_error_message(error),
          belay_error_name(belay_error_code(error)));
  self->exit_code = EXIT_FAILURE;
}

static int count_totals(session *self, belay_owner *owner) {
  belay_observer count = observer(self, "totals", BELAY_HERE);
  count.next = add_to_totals;
  count.completed = show_totals;
  count.error = show_error;
  count.owner = owner;
  return belay_signal_subscribe(self->entries, &count, NULL);
}

/* ---- its death, as its hooks see it ---- */

static void announce(void *ctx, belay_value value) {
  (void)value;
  printf("session %s\n", (const char *)ctx);
}

/* These are not bound to the owner, for they have to outlive what they report. They end with its
   death. */
static int announce_death(belay_owner *owner) {
  belay_signal *dying = belay_owner_deallocating(owner), *dead = belay_owner_deallocated(owner);
  belay_observer hook = {.size = sizeof hook, .next = announce, .site = BELAY_HERE};
  hook.ctx = "deallocating";
  int rc = belay_signal_subscribe(dying, &hook, NULL);
  hook.ctx = "deallocated";
  if (rc >= 0) rc = belay_signal_subscribe(dead, &hook, NULL);
  belay_signal_release(dying);
  belay_signal_release(dead);
  return rc;
}

static void session_deinit(void *object) {
  session *self = object;
  printf("session deinit after %llu lines\n", (unsigned long long)self->lines);
  belay_signal_release(self->entries);
}

belay_owner *session_start(belay_loop *loop, const options *options) {
  session *self = calloc(1, sizeof *self);
  if (!self) return NULL;
  self->options = options;
  self->loop = loop;
  self->display = display_create(options->plain);
  self->stopped_by = "the file ended";
  self->entries = belay_subject_create(&(belay_source_options){
      .size = sizeof(belay_source_options), .label = "entries", .site = BELAY_HERE, .loop = loop});

  belay_owner *owner =
      belay_owner_create(self, session_deinit, free,
                         &(belay_owner_options){.size = sizeof(belay_owner_options),
                                                .label = "session",
                                                .site = BELAY_HERE,
                                                .loop = loop});

  /* The file comes last, for its listeners must be there before it sends. The windows come before
     the totals, so that at the end their last line is shown first. */
  int rc = announce_death(owner);
  if (rc >= 0) rc = show_windows(self, owner);
  if (rc >= 0) rc = count_totals(self, owner);
  if (rc >= 0) rc = watch_file(self, owner);
  if (rc >= 0) return owner;
  belay_owner_release(owner);
  return NULL;
}

int session_exit_code(belay_owner *owner) {
  session *self = belay_owner_object(owner);
  return self ? self->exit_code : EXIT_FAILURE;
}
