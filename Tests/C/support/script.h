/* A producer that does what a string says, and observers for it. */
#ifndef SCRIPT_H
#define SCRIPT_H

#include "worker.h"

/* 1 to 9: next, c: completed, e: error, k: keep. */
typedef struct script {
  const char *steps;
  const char *teardown; /* the name of the action it returns, or NULL */
  int runs;
  int results[8]; /* of its sends */
  belay_subscriber *kept;
} script;

static inline int emit(belay_subscriber *subscriber, char step) {
  if (step == 'c') return belay_subscriber_completed(subscriber);
  if (step != 'e') return belay_subscriber_next(subscriber, belay_int32(step - '0'));
  belay_error *error = belay_error_create(BELAY_ERANGE, NULL, NULL, belay_null(), NULL);
  int result = belay_subscriber_error(subscriber, error);
  belay_error_release(error);
  return result;
}

static inline belay_disposable *produce(void *ctx, belay_subscriber *subscriber) {
  script *it = ctx;
  int sends = 0;
  it->runs++;
  for (const char *step = it->steps; *step; step++) {
    if (*step == 'k') it->kept = belay_subscriber_retain(subscriber);
    else it->results[sends++] = emit(subscriber, *step);
  }
  if (!it->teardown) return NULL;
  return belay_disposable_create(trace_action, (void *)it->teardown, NULL);
}

static inline belay_signal *scripted(script *it) {
  return belay_signal_create(produce, it, NULL, NULL);
}

static inline void drop(script *it) {
  belay_subscriber_release(it->kept);
  it->kept = NULL;
}

static inline belay_disposable *subscribed(belay_signal *signal, belay_observer observer) {
  belay_disposable *subscription = NULL;
  CHECK_INT(belay_signal_subscribe(signal, &observer, &subscription), 0);
  CHECK(subscription != NULL);
  return subscription;
}

/* A stage that tells what passes it, and its teardown. */
static inline belay_op *tap(const char *name) {
  belay_observer observer = unfreed(name);
  return belay_op_do(&observer);
}

#endif
