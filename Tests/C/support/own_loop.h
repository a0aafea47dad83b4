/* A loop of the program's own, over a pipe and poll(), for which Belay has a scheduler. */
#ifndef OWN_LOOP_H
#define OWN_LOOP_H

#include "cases.h"

#include <poll.h>
#include <time.h>
#include <unistd.h>

/* Work that Belay has given it. */
typedef struct own_work {
  belay_action_fn action;
  void *work;
  belay_free_fn free;
  double due; /* of a timer */
  struct own_work *next;
} own_work;

typedef struct own_loop {
  pthread_mutex_t lock;
  own_work *first, **last;
  own_work *timer;
  int ends[2];
  int has_ended; /* it drops what it is given */
  int stops;
  int runs, timers, cancels; /* how often each has come */
  int frees;                 /* of its context */
} own_loop;

static inline double own_time(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static inline own_work *own_item(belay_action_fn action, void *work, belay_free_fn work_free) {
  own_work *item = calloc(1, sizeof *item);
  *item = (own_work){action, work, work_free, 0, NULL};
  return item;
}

static inline void own_drop(own_work *item) {
  item->free(item->work);
  free(item);
}

static inline void own_schedule(void *ctx, belay_action_fn action, void *work,
                                belay_free_fn work_free) {
  own_loop *loop = ctx;
  own_work *item = own_item(action, work, work_free);
  pthread_mutex_lock(&loop->lock);
  int has_ended = loop->has_ended;
  if (!has_ended) {
    *loop->last = item;
    loop->last = &item->next;
    CHECK_INT(write(loop->ends[1], "!", 1), 1);
  }
  pthread_mutex_unlock(&loop->lock);
  if (has_ended) own_drop(item);
}

static inline void *own_after(void *ctx, double seconds, belay_action_fn action, void *work,
                              belay_free_fn work_free) {
  own_loop *loop = ctx;
  CHECK(loop->timer == NULL);
  CHECK(seconds >= 0);
  loop->timer = own_item(action, work, work_free);
  loop->timer->due = own_time() + seconds;
  return loop->timer;
}

static inline void own_cancel(void *ctx, void *timer) {
  own_loop *loop = ctx;
  CHECK(timer == loop->timer);
  loop->timer = NULL;
  loop->cancels++;
  own_drop(timer);
}

static inline void own_freed(void *ctx) {
  __atomic_add_fetch(&((own_loop *)ctx)->frees, 1, __ATOMIC_RELAXED);
}

static inline void own_open(own_loop *loop) {
  *loop = (own_loop){0};
  pthread_mutex_init(&loop->lock, NULL);
  loop->last = &loop->first;
  CHECK_INT(pipe(loop->ends), 0);
}

static inline belay_scheduler *own_scheduler(own_loop *loop) {
  belay_scheduler *scheduler = belay_scheduler_create_host(
      &BELAY_INIT(belay_scheduler_table, .label = "own", .schedule = own_schedule,
                  .after = own_after, .cancel = own_cancel),
      loop, own_freed);
  CHECK(scheduler != NULL);
  return scheduler;
}

/* Runs what has come by now, and the timer if it is due. */
static inline void own_turn(own_loop *loop) {
  char bytes[64];
  struct pollfd poll_for = {loop->ends[0], POLLIN, 0};
  while (poll(&poll_for, 1, 0) > 0) CHECK(read(loop->ends[0], bytes, sizeof bytes) > 0);
  pthread_mutex_lock(&loop->lock);
  own_work *item = loop->first;
  loop->first = NULL;
  loop->last = &loop->first;
  pthread_mutex_unlock(&loop->lock);
  while (item) {
    own_work *next = item->next;
    loop->runs++;
    item->action(item->work);
    own_drop(item);
    item = next;
  }
  if (loop->timer && loop->timer->due <= own_time()) {
    own_work *timer = loop->timer;
    loop->timer = NULL;
    loop->timers++;
    timer->action(timer->work);
    own_drop(timer);
  }
}

/* Runs it until somebody sets `stops`, at most for a time that is never reached. */
static inline void own_run(own_loop *loop) {
  double begun = own_time();
  while (!loop->stops) {
    int wait = 1000;
    if (loop->timer) {
      double left = (loop->timer->due - own_time()) * 1000;
      wait = left < 0 ? 0 : left < wait ? (int)left + 1 : wait;
    }
    struct pollfd poll_for = {loop->ends[0], POLLIN, 0};
    poll(&poll_for, 1, wait);
    own_turn(loop);
    if (own_time() - begun > 60) {
      check_failed(__FILE__, __LINE__, "the loop was not stopped; so far: %s", trace_text());
      break;
    }
  }
  loop->stops = 0;
}

static inline void own_stop(void *ctx) { ((own_loop *)ctx)->stops = 1; }

/* Drops what it has not run, as a loop that ends does. */
static inline void own_end(own_loop *loop) {
  pthread_mutex_lock(&loop->lock);
  own_work *item = loop->first;
  loop->first = NULL;
  loop->last = &loop->first;
  loop->has_ended = 1;
  pthread_mutex_unlock(&loop->lock);
  while (item) {
    own_work *next = item->next;
    own_drop(item);
    item = next;
  }
}

/* Gives back what it has, when the scheduler has gone. */
static inline void own_go(own_loop *loop) {
  own_end(loop);
  CHECK(loop->timer == NULL);
  CHECK_INT(loop->frees, 1);
  close(loop->ends[0]);
  close(loop->ends[1]);
  pthread_mutex_destroy(&loop->lock);
}

/* What is left to do when the scheduler has been closed. */
static inline void own_leave(own_loop *loop, belay_scheduler *scheduler) {
  belay_scheduler_release(scheduler);
  own_go(loop);
}

/* Ends it when Belay knows it no more. */
static inline void own_close(own_loop *loop, belay_scheduler *scheduler) {
  CHECK_INT(belay_scheduler_close(scheduler, expect_nothing_left, NULL, NULL), 0);
  own_leave(loop, scheduler);
}

/* The loop of a program that has one at a time. */
static own_loop own;
static inline belay_scheduler *open_own(void) {
  own_open(&own);
  return own_scheduler(&own);
}

#endif
