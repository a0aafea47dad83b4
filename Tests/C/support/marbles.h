/* The operations that the cases of Tests/Marbles name: each makes the signal under test. */
#ifndef MARBLES_H
#define MARBLES_H

#include "cases.h"

typedef struct marble_run marble_run;

typedef struct marble_operation {
  const char *name;
  belay_signal *(*make)(const marble_run *run);
} marble_operation;

/* The input that the word `index` after the operation names: a reference for the caller. */
belay_signal *marble_input(const marble_run *run, int index);
/* The word `index` as a number. */
long marble_number(const marble_run *run, int index);
/* The same for a count that "all" leaves without a limit. */
size_t marble_count(const marble_run *run, int index);
/* The virtual time, borrowed. */
belay_scheduler *marble_scheduler(const marble_run *run);

/* ---- callbacks that fail: `fail=x` where they get the value of x, `fail=*` always ---- */

/* Whether a callback that is called with `value` has to fail. */
int marble_fails(belay_value value);
/* Whether one that is called without a value has to. */
int marble_fails_always(void);
/* Fails: as an int, a value, a NULL of any kind. */
#define MARBLE_FAILURE belay_fail(BELAY_EILSEQ, "as asked")
#define MARBLE_FAILURE_VALUE belay_value_failure(BELAY_EILSEQ, "as asked")
#define MARBLE_FAILURE_NULL (MARBLE_FAILURE, NULL)

/* ---- callbacks of several families ---- */
static inline int odd(void *ctx, belay_value value) {
  return marble_fails(value) ? MARBLE_FAILURE : int_of(value) & 1;
}
static inline belay_value parity(void *ctx, belay_value value) {
  return marble_fails(value) ? MARBLE_FAILURE_VALUE : belay_int32(int_of(value) & 1);
}
static inline belay_value doubled(void *ctx, belay_value value) {
  return marble_fails(value) ? MARBLE_FAILURE_VALUE : belay_int32(int_of(value) * 2);
}
static inline belay_value plus(void *ctx, belay_value a, belay_value b) {
  return marble_fails(b) ? MARBLE_FAILURE_VALUE : belay_int32(int_of(a) + int_of(b));
}
/* A number as what a digit is in a case. */
static inline belay_value plain_number(void *ctx, belay_value value) {
  int64_t number = 0;
  double real = 0;
  if (belay_value_get_int64(value, &number) == 0) return belay_int32((int32_t)number);
  if (belay_value_get_double(value, &real) == 0) return belay_int32((int32_t)real);
  return belay_value_retain(value);
}

/* ---- operations ---- */

/* The word `index`, which is in milliseconds, in seconds. */
static inline double marble_seconds(const marble_run *run, int index) {
  return (double)marble_number(run, index) / 1000;
}
/* Applies operators to the first input. */
#define APPLYING(name, ...)                                       \
  static belay_signal *name(const marble_run *run) {              \
    return belay_signal_chain(marble_input(run, 0), __VA_ARGS__); \
  }
/* Applies an operator that takes one other signal. */
#define JOINING(name, op)                                           \
  static belay_signal *name(const marble_run *run) {                \
    belay_signal *other = marble_input(run, 1);                     \
    return belay_signal_chain(marble_input(run, 0), op(&other, 1)); \
  }

/* ---- the inner signals (flattening.c): value 1 means the first of them, and so on ---- */

typedef struct inners inners;

/* From the word `index` on: how many, then their names. */
inners *inners_of(const marble_run *run, int index);
void free_inners(void *ctx);
belay_signal *inner_of(void *ctx, belay_value value);
/* The first input's values as signals, and an operator. */
belay_signal *signals_of(const marble_run *run, int index, belay_op *op);

/* ---- values for comparison (transforming.c) ---- */

/* What the inner signals of `outer` (taken over) send: [number value] or [key value]; at an end
   [number end] or [number error]. */
belay_signal *tagged(belay_signal *outer);
/* Whole numbers as int32, seconds as milliseconds, also in arrays. */
belay_op *plain(void);

/* ---- sources that keep their subscribers, and who listens from inside (inside.c) ---- */

typedef struct kept_source kept_source;

/* Sends what `hot` (taken over) sends to all who have subscribed; lets go of them at the value of
   `*`, which is borrowed. */
kept_source *kept_create(belay_signal *hot, belay_value interruption);
belay_signal *kept_signal(kept_source *source); /* borrowed */
/* Sends `mark`: '|', '#', else the borrowed `value`. */
void kept_send(kept_source *source, char mark, belay_value value);
/* How many subscriptions have not been torn down; 0 while it sends its end. */
int kept_open_count(const kept_source *source);
void kept_free(kept_source *source);

/* The kept source of that name, or NULL; and what a mark stands for, borrowed. (marbles.c) */
kept_source *marble_kept(const marble_run *run, char name);
belay_value marble_meaning(marble_run *run, char mark);

/* What `signal` (taken over) sends. At each value does the next word of `script`: "a2" sends 2 into
   the source a, "!" disposes, "." does nothing. Sends `interruption` (borrowed) when the signal
   goes without an end. Not for two subscriptions at a time. */
belay_signal *inside_of(marble_run *run, belay_signal *signal, const char *script,
                        belay_value interruption);

#endif
