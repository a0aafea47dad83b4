/* A callback that is held inside, on a worker's thread, until it may go on. */
#ifndef HELD_H
#define HELD_H

#include "worker.h"

static sem_t inside, go_on;
static inline void hold_in_next(void *ctx, belay_value value) {
  trace("inside");
  sem_post(&inside);
  wait_for(&go_on);
  trace("leaves");
}

typedef struct held {
  worker worker;
  belay_owner *owner;
  belay_signal *subject;
} held;

static inline void subscribe_held(void *ctx) {
  held *it = ctx;
  belay_observer observer = {.size = sizeof observer, .next = hold_in_next};
  it->subject = belay_subject_create(NULL);
  observer.owner = it->owner;
  CHECK_INT(belay_signal_subscribe(it->subject, &observer, NULL), 0);
}
static inline void begin_held(held *it) {
  sem_init(&inside, 0, 0);
  sem_init(&go_on, 0, 0);
  start_worker(&it->worker);
  on_worker(&it->worker, subscribe_held, it);
  CHECK_INT(belay_subject_next(it->subject, belay_null()), BELAY_QUEUED);
  wait_for(&inside);
}
static inline void end_held(held *it) {
  meet(&it->worker);
  belay_signal_release(it->subject);
  stop_worker(&it->worker);
}

#endif
