/* What Belay has to do while the host drives it: timers, one of them armed by another, an
   interval, and posts from a thread, which also writes to a pipe of the host's own. It remembers
   what was due when, so that a host can ask after each turn whether anything was forgotten. */
#ifndef HOSTLOOP_WORKLOAD_H
#define HOSTLOOP_WORKLOAD_H

#include <belay/belay.h>
#include <pthread.h>
#include <stdbool.h>

#define TIMERS 6 /* the last one is armed when the first one fires */
#define TICKS 6
#define POSTS 10
#define WRITES 5

/* libuv counts whole milliseconds: one is lost when a timer is armed, one when the timeout is asked
   for. */
#define GRAIN 0.002

typedef struct workload workload;

typedef struct timer {
  workload *workload;
  double due; /* no later than this, on monotonic_seconds(); 0: not armed */
  bool fired;
} timer;

struct workload {
  belay_loop *loop;
  timer timers[TIMERS];
  int timers_fired;
  double interval_began, last_tick; /* 0: there was none yet */
  int ticks;
  bool interval_ended;
  int posts_run;
  bool in_order; /* whether the posts came in order */
  int freed;     /* how many contexts: each callback has one */
  int pipe[2];
  pthread_t thread;
};

/* The clock that Belay's loops count on, too. */
double monotonic_seconds(void);

/* Arms everything; call it on the loop's thread. False: see belay_last_error(). */
bool workload_start(workload *workload, belay_loop *loop);

/* How many of Belay's callbacks have run. */
int workload_events(const workload *workload);
bool workload_is_done(const workload *workload);

/* When the next timer is due at the latest; 0 when none is pending. */
double workload_next_due(const workload *workload);
/* How many timers and ticks were due by `now` and have not come. */
int workload_overdue(const workload *workload, double now);

/* Waits for the thread, and releases what start() took. */
void workload_finish(workload *workload);

#endif
