#include "workload.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define INTERVAL 0.025

/* Two of them are due together, and one is armed last although it is due second. */
static const double delays[TIMERS - 1] = {0.020, 0.050, 0.050, 0.120, 0.035};
static const double delay_of_last = 0.010;

double monotonic_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- timers ---- */

static bool arm(timer *timer, double delay);

static void timer_fired(void *ctx) {
  timer *timer = ctx;
  workload *workload = timer->workload;
  timer->fired = true;
  workload->timers_fired++;
  /* It is armed inside a turn: the host has to learn of it when the turn is over. */
  if (timer == &workload->timers[0]) arm(&workload->timers[TIMERS - 1], delay_of_last);
}
static void timer_freed(void *ctx) { ((timer *)ctx)->workload->freed++; }

static bool arm(timer *timer, double delay) {
  belay_scheduler *scheduler = belay_loop_get_scheduler(timer->workload->loop);
  int rc = belay_scheduler_after(scheduler, delay, timer_fired, timer, timer_freed, NULL);
  /* The clock is read after the call, so Belay counts from no later a time. */
  timer->due = monotonic_seconds() + delay;
  return rc >= 0;
}

/* ---- the interval ---- */

static void tick(void *ctx, belay_value value) {
  (void)value;
  workload *workload = ctx;
  workload->last_tick = monotonic_seconds();
  workload->ticks++;
}
static void interval_ended(void *ctx) { ((workload *)ctx)->interval_ended = true; }
static void interval_freed(void *ctx) { ((workload *)ctx)->freed++; }

static bool start_interval(workload *workload) {
  belay_signal *ticks =
      belay_signal_chain(belay_signal_interval(belay_loop_get_scheduler(workload->loop), INTERVAL),
                         belay_op_take(TICKS));
  int rc = belay_signal_subscribe(ticks,
                                  &(belay_observer){.size = sizeof(belay_observer),
                                                    .next = tick,
                                                    .completed = interval_ended,
                                                    .ctx = workload,
                                                    .ctx_free = interval_freed,
                                                    .label = "ticks",
                                                    .site = BELAY_HERE},
                                  NULL);
  belay_signal_release(ticks);
  workload->interval_began = monotonic_seconds();
  return rc >= 0;
}

/* ---- the thread ---- */

typedef struct post {
  workload *workload;
  int number;
} post;

static void post_run(void *ctx) {
  post *post = ctx;
  if (post->number != post->workload->posts_run) post->workload->in_order = false;
  post->workload->posts_run++;
}
static void post_freed(void *ctx) {
  ((post *)ctx)->workload->freed++;
  free(ctx);
}

static void *thread_main(void *ctx) {
  workload *workload = ctx;
  for (int i = 0; i < POSTS; i++) {
    nanosleep(&(struct timespec){.tv_nsec = 11 * 1000 * 1000}, NULL);
    post *post = malloc(sizeof *post);
    if (!post) abort();
    post->workload = workload;
    post->number = i;
    belay_loop_post(workload->loop, post_run, post, post_freed);
    if (i % (POSTS / WRITES) == 0 && write(workload->pipe[1], "x", 1) != 1) abort();
  }
  return NULL;
}

/* ---- all of it ---- */

bool workload_start(workload *workload, belay_loop *loop) {
  memset(workload, 0, sizeof *workload);
  workload->loop = loop;
  workload->in_order = true;
  if (pipe(workload->pipe) < 0) return false;
  fcntl(workload->pipe[0], F_SETFL, O_NONBLOCK);
  for (int i = 0; i < TIMERS; i++) workload->timers[i].workload = workload;
  bool armed = start_interval(workload);
  for (int i = 0; i < TIMERS - 1; i++) armed = arm(&workload->timers[i], delays[i]) && armed;
  return armed && pthread_create(&workload->thread, NULL, thread_main, workload) == 0;
}

int workload_events(const workload *workload) {
  return workload->timers_fired + workload->ticks + workload->posts_run;
}

bool workload_is_done(const workload *workload) {
  return workload->timers_fired == TIMERS && workload->interval_ended &&
         workload->posts_run == POSTS;
}

double workload_next_due(const workload *workload) {
  double next = 0;
  for (int i = 0; i < TIMERS; i++) {
    const timer *timer = &workload->timers[i];
    if (timer->due > 0 && !timer->fired && (next == 0 || timer->due < next)) next = timer->due;
  }
  return next;
}

int workload_overdue(const workload *workload, double now) {
  int overdue = 0;
  for (int i = 0; i < TIMERS; i++) {
    const timer *timer = &workload->timers[i];
    if (timer->due > 0 && !timer->fired && timer->due + GRAIN <= now) overdue++;
  }
  /* An interval keeps its rhythm, so its tick before `now` is less than one interval old. */
  double since = workload->ticks ? workload->last_tick : workload->interval_began;
  if (since > 0 && !workload->interval_ended && since + INTERVAL + GRAIN <= now) overdue++;
  return overdue;
}

void workload_finish(workload *workload) {
  pthread_join(workload->thread, NULL);
  close(workload->pipe[0]);
  close(workload->pipe[1]);
}
