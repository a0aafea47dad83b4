/* Belay, from another thread to a loop: a value into a subject whose home is the loop, or an action
   posted to the loop itself. */
#include <belay/belay.h>
#include <stdio.h>
#include <stdlib.h>

#include "../post.h"

enum { QUEUE_CAPACITY = 65536 };

static struct {
  belay_loop *loop;
  belay_signal *subject;
  post_line *line;
} inbox;

static void check(int code, const char *what) {
  if (code >= 0) return;
  fprintf(stderr, "bench: belay: %s: %s\n", what, belay_error_name(code));
  exit(2);
}

static void hear(void *ctx, belay_value value) { post_hear(ctx, value.payload_); }
static void hear_one(void *ctx) { post_hear(ctx, 1); }
static void nothing(void *ctx) { (void)ctx; }

static void serve(post_line *line) {
  belay_loop_options loop_options = {.size = sizeof loop_options, .capacity = QUEUE_CAPACITY};
  belay_loop *loop = belay_loop_create(&loop_options);
  belay_source_options subject_options = {.size = sizeof subject_options, .loop = loop};
  belay_signal *subject = belay_subject_create(&subject_options);
  belay_observer observer = {.size = sizeof observer, .next = hear, .ctx = line, .loop = loop};
  belay_disposable *subscription = NULL, *awake = NULL;
  check(belay_signal_subscribe(subject, &observer, &subscription), "subscribing");
  /* A subject alone does not keep a loop running. */
  check(belay_scheduler_after(belay_loop_get_scheduler(loop), 86400, nothing, NULL, NULL, &awake),
        "timer");
  inbox.loop = loop;
  inbox.subject = subject;
  inbox.line = line;
  sem_post(&line->ready);
  check(belay_loop_run(loop, BELAY_RUN_DEFAULT), "running");
  belay_disposable_dispose(awake);
  belay_disposable_release(awake);
  belay_disposable_dispose(subscription);
  belay_disposable_release(subscription);
  belay_signal_release(subject);
  check(belay_loop_close(loop, NULL, NULL, NULL), "closing");
  belay_loop_release(loop);
}

static void post_values(uint64_t first, uint64_t count) {
  for (uint64_t i = 0; i < count; i++)
    check(belay_subject_next(inbox.subject, belay_int64((int64_t)(first + i))), "posting");
}

static void post_actions(uint64_t first, uint64_t count) {
  (void)first;
  for (uint64_t i = 0; i < count; i++)
    check(belay_loop_post(inbox.loop, hear_one, inbox.line, NULL), "posting");
}

static void stop(void) { belay_loop_stop(inbox.loop); }

uint64_t bench_belay_post(bench_run *run) {
  static const post_mechanism mechanism = {serve, post_values, stop};
  return post_measure(run, &mechanism);
}

uint64_t bench_belay_post_action(bench_run *run) {
  static const post_mechanism mechanism = {serve, post_actions, stop};
  return post_measure(run, &mechanism);
}
