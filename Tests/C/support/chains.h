/* What the chains of operators in Tests/C/marbles share. */
#ifndef CHAINS_H
#define CHAINS_H

#include "marbles.h"

/* ---- the context of a chain: its inputs, and the state of one subscription ---- */

enum { MOST_INPUTS = 4, MOST_SHARED = 3 };

typedef struct chain {
  belay_signal *inputs[MOST_INPUTS];
  belay_scheduler *scheduler; /* the test's */
  long limit;
  int32_t state;
  belay_signal *shared[MOST_SHARED]; /* connectable, or NULL */
  belay_disposable *connections[MOST_SHARED];
  int references;
} chain;

static inline chain *retained(chain *it) {
  it->references++;
  return it;
}
static inline void free_chain(void *ctx) {
  chain *it = ctx;
  if (--it->references > 0) return;
  for (int i = 0; i < MOST_INPUTS; i++) belay_signal_release(it->inputs[i]);
  for (int i = 0; i < MOST_SHARED; i++) {
    belay_signal_release(it->shared[i]);
    belay_disposable_release(it->connections[i]);
  }
  free(it);
}
/* The first words name inputs, and the word after them is the limit. */
static inline chain *chain_of(const marble_run *run, int inputs, int has_limit) {
  chain *it = calloc(1, sizeof *it);
  it->references = 1;
  it->scheduler = marble_scheduler(run);
  for (int i = 0; i < inputs; i++) it->inputs[i] = marble_input(run, i);
  if (has_limit) it->limit = marble_number(run, inputs);
  return it;
}
static inline belay_signal *input_of(chain *it, int index) {
  return belay_signal_retain(it->inputs[index]);
}

/* Calls `make` for each subscription, with a state of its own. */
typedef struct fresh {
  chain *all;
  belay_signal *(*make)(chain *own);
} fresh;
static inline belay_signal *make_fresh(void *ctx) {
  fresh *it = ctx;
  chain *own = malloc(sizeof *own);
  *own = *it->all;
  own->references = 1;
  for (int i = 0; i < MOST_INPUTS; i++)
    if (own->inputs[i]) belay_signal_retain(own->inputs[i]);
  belay_signal *made = it->make(own);
  free_chain(own);
  return made;
}
static inline void free_fresh(void *ctx) {
  free_chain(((fresh *)ctx)->all);
  free(ctx);
}
static inline belay_signal *deferred(chain *all, belay_signal *(*make)(chain *own)) {
  fresh *it = malloc(sizeof *it);
  *it = (fresh){all, make};
  return belay_signal_defer(make_fresh, it, free_fresh);
}

/* ---- callbacks ---- */

static inline belay_value item(belay_value array, size_t index) {
  belay_value found = belay_null();
  CHECK_INT(belay_value_get_item(array, index, &found), 0);
  return found;
}
static inline belay_value first_item(void *ctx, belay_value array) {
  return belay_value_retain(item(array, 0));
}
static inline belay_value second_item(void *ctx, belay_value array) {
  return belay_value_retain(item(array, 1));
}
static inline int is_true(void *ctx, belay_value value) {
  int is = 0;
  return belay_value_get_bool(value, &is) == 0 && is;
}
static inline belay_signal *itself(void *ctx, belay_value value) {
  return belay_signal_retain(belay_value_get_signal(value));
}
static inline belay_signal *collected(void *ctx, belay_value window) {
  return belay_signal_chain(itself(NULL, window), belay_op_collect());
}
static inline belay_signal *given(void *signal, belay_value value) { return belay_signal_retain(signal); }
static inline belay_signal *instead(void *signal, const belay_error *error) {
  return belay_signal_retain(signal);
}
static inline belay_value one_to(long count) {
  belay_value items[8];
  for (long i = 0; i < count; i++) items[i] = belay_int32((int32_t)i + 1);
  return belay_array_of(items, (size_t)count);
}
static inline belay_value index_of(belay_value pair) { return item(pair, 0); }

#endif
