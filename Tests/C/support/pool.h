/* A pool's scheduler at a loop of its own, what is at home there, and work that waits. */
#ifndef POOL_H
#define POOL_H

#include "worker.h"

static belay_loop *loop;
static belay_scheduler *pool;
static pthread_t loop_thread;
static sem_t begun, go;

static inline void open_pool(const belay_loop_options *options) {
  loop = belay_loop_create(options);
  CHECK(loop != NULL);
  pool = belay_scheduler_create_pool(loop);
  CHECK(pool != NULL);
  loop_thread = pthread_self();
  sem_init(&begun, 0, 0);
  sem_init(&go, 0, 0);
}

static inline void close_pool(void) {
  belay_scheduler_release(pool);
  close_loop(loop);
  sem_destroy(&begun);
  sem_destroy(&go);
}

static inline int is_elsewhere(void) { return !pthread_equal(pthread_self(), loop_thread); }

static inline void there(void *name) {
  CHECK(is_elsewhere());
  CHECK(belay_scheduler_current() == pool);
  trace("%s", (const char *)name);
}

static inline void schedule(belay_action_fn action, void *ctx) {
  CHECK_INT(belay_scheduler_schedule(pool, action, ctx, NULL, NULL), 0);
}

static inline void schedule_elsewhere(void *name) {
  CHECK_INT(belay_scheduler_schedule(pool, there, name, trace_free, NULL), 0);
  CHECK_INT(belay_scheduler_after(pool, 0.002, there, "after", trace_free, NULL), 0);
}

static inline void hold(void *ctx) {
  sem_post(&begun);
  wait_for(&go);
}

static inline void next_there(void *ctx, belay_value value) {
  CHECK(is_elsewhere());
  trace("next %d", (int)int_of(value));
}
static inline void disposed_there(void *ctx) {
  trace(is_elsewhere() ? "disposed there" : "disposed here");
}
static inline belay_observer telling(void) {
  return (belay_observer){.size = sizeof(belay_observer),
                          .next = next_there,
                          .disposed = disposed_there,
                          .ctx = "it",
                          .ctx_free = trace_free};
}

/* ---- made there ---- */

static belay_signal *made_there;
static inline void make_a_subject(void *ctx) {
  belay_observer observer = telling();
  observer.label = "listener";
  made_there = belay_subject_create(NULL);
  CHECK_INT(belay_signal_subscribe(made_there, &observer, NULL), 0);
}

/* ---- how many threads libuv's pool has ---- */

enum { POOL_THREADS = 4 };

static inline void limit_pool(void) {
  char threads[8];
  snprintf(threads, sizeof threads, "%d", POOL_THREADS);
  setenv("UV_THREADPOOL_SIZE", threads, 1);
}

#endif
