/* A thread with a loop of its own, and ways to meet it without a clock. */
#ifndef WORKER_H
#define WORKER_H

#include "cases.h"

#include <malloc.h>
#include <sched.h>
#include <semaphore.h>

typedef struct worker {
  belay_loop *loop;
  size_t capacity; /* of its queue; 0: the default */
  int is_held;     /* made, but not running before worker_go() */
  size_t left;     /* what its close is to find */
  pthread_t thread;
  routine routine;
  sem_t ready, go;
} worker;

/* A semaphore is enough: each wait has its own post, and neither looks at a clock. */
static inline void wait_for(sem_t *semaphore) {
  while (sem_wait(semaphore) != 0) {
  }
}

static inline void expect_left(void *ctx, const belay_open_resource *const *left, size_t count) {
  if (count != ((worker *)ctx)->left) expect_nothing_left(NULL, left, count);
  CHECK_INT(count, ((worker *)ctx)->left);
}

static inline void worker_main(void *argument) {
  worker *it = argument;
  belay_loop_options options = {.size = sizeof options, .capacity = it->capacity};
  it->thread = pthread_self();
  it->loop = belay_loop_create(&options);
  CHECK(it->loop != NULL);
  sem_post(&it->ready);
  if (it->is_held) wait_for(&it->go);
  run_until_stopped(it->loop);
  CHECK_INT(belay_loop_close(it->loop, expect_left, it, NULL), 0);
  belay_loop_release(it->loop);
}

/* The loop exists when this returns. */
static inline void start_worker(worker *it) {
  sem_init(&it->ready, 0, 0);
  sem_init(&it->go, 0, 0);
  start_thread(&it->routine, worker_main, it);
  wait_for(&it->ready);
}

static inline void worker_go(worker *it) { sem_post(&it->go); }

/* Ends the thread after everything that was posted to it before. */
static inline void stop_worker(worker *it) {
  while (belay_loop_post(it->loop, stop_loop, it->loop, NULL) == BELAY_EAGAIN) sched_yield();
  join_thread(&it->routine);
  sem_destroy(&it->ready);
  sem_destroy(&it->go);
}

static inline int is_on(const worker *it) { return pthread_equal(pthread_self(), it->thread); }

typedef struct handed_over {
  belay_action_fn run;
  void *argument;
  sem_t done;
} handed_over;

static inline void handed_over_main(void *argument) {
  handed_over *it = argument;
  it->run(it->argument);
  sem_post(&it->done);
}

/* Runs `run` on the worker's thread, after what was posted there before, and waits for it. */
static inline void on_worker(worker *it, belay_action_fn run, void *argument) {
  handed_over handed_over = {.run = run, .argument = argument};
  sem_init(&handed_over.done, 0, 0);
  while (belay_loop_post(it->loop, handed_over_main, &handed_over, NULL) == BELAY_EAGAIN) sched_yield();
  wait_for(&handed_over.done);
  sem_destroy(&handed_over.done);
}

/* What was posted before has been done when this returns. */
static inline void meet(worker *it) { on_worker(it, empty_action, NULL); }

/* One turn of this thread's loop. */
static inline void turn(belay_loop *loop) {
  int left = belay_loop_run(loop, BELAY_RUN_NOWAIT);
  CHECK(left == 0 || left == 1);
}

/* ---- memory ---- */

/* Does `round` `count` times, and checks that memory in use stays what it is after the first
   20000: by then the checked build remembers as many released handles as it ever will. */
static inline void check_flat(void (*round)(void *), void *argument, int count) {
  size_t before = 0;
  for (int i = 0; i < count; i++) {
    if (i == 20000) before = mallinfo2().uordblks;
    round(argument);
  }
  size_t after = mallinfo2().uordblks;
  if (after > before + (256 << 10))
    check_failed(__FILE__, __LINE__, "%zu bytes more after %d rounds", after - before, count);
}

#endif
