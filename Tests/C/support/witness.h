/* An observer that counts and sees on which thread it is called, and a thread that sends. */
#ifndef WITNESS_H
#define WITNESS_H

#include "worker.h"

typedef struct witness {
  const worker *home; /* NULL: this thread */
  pthread_t thread;
  int count, latest, strayed, out_of_order, completed, disposed, freed;
  int error;
} witness;

static inline void look_around(witness *it) {
  pthread_t home = it->home ? it->home->thread : it->thread;
  if (!pthread_equal(home, pthread_self())) it->strayed++;
}
static inline void witness_next(void *ctx, belay_value value) {
  witness *it = ctx;
  look_around(it);
  if (int_of(value) <= it->latest) it->out_of_order++;
  it->latest = int_of(value);
  it->count++;
}
static inline void witness_error(void *ctx, const belay_error *error) {
  witness *it = ctx;
  look_around(it);
  it->error = belay_error_code(error);
}
static inline void witness_completed(void *ctx) { look_around(ctx), ((witness *)ctx)->completed++; }
static inline void witness_disposed(void *ctx) { look_around(ctx), ((witness *)ctx)->disposed++; }
static inline void witness_free(void *ctx) { look_around(ctx), ((witness *)ctx)->freed++; }

static inline belay_disposable *witnessed(belay_signal *signal, witness *it, belay_loop *loop) {
  belay_disposable *subscription = NULL;
  belay_observer observer = {.size = sizeof observer,
                             .next = witness_next,
                             .error = witness_error,
                             .completed = witness_completed,
                             .disposed = witness_disposed,
                             .ctx = it,
                             .ctx_free = witness_free,
                             .loop = loop};
  it->thread = pthread_self();
  CHECK_INT(belay_signal_subscribe(signal, &observer, &subscription), 0);
  return subscription;
}

static inline void check_witness(const witness *it, int count, int completed, int error) {
  CHECK_INT(it->count, count);
  CHECK_INT(it->completed, completed);
  CHECK_INT(it->error, error);
  CHECK_INT(it->disposed, 1);
  CHECK_INT(it->freed, 1);
  CHECK_INT(it->strayed, 0);
  CHECK_INT(it->out_of_order, 0);
}

/* What a thread that is nobody's home sends. */
typedef struct sending {
  belay_signal *subject;
  int first, count, accepted, result; /* of the last one */
  int then_complete, completed_result;
} sending;

static inline void send_those(void *ctx) {
  sending *it = ctx;
  for (int i = 0; i < it->count; i++) {
    it->result = send_to(it->subject, it->first + i);
    if (it->result >= 0) it->accepted++;
  }
  if (it->then_complete) it->completed_result = belay_subject_completed(it->subject);
}

#endif
