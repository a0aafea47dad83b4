/* An asynchronous boundary between two workers, and an observer that tells where it is called. */
#ifndef BOUNDARY_H
#define BOUNDARY_H

#include "worker.h"

static worker lower, upper;

static inline const char *here(void) {
  if (lower.loop && is_on(&lower)) return "lower";
  return upper.loop && is_on(&upper) ? "upper" : "main";
}

static inline void start_both(void) {
  lower = upper = (worker){0};
  start_worker(&lower);
  start_worker(&upper);
}

static inline void stop_both(void) {
  stop_worker(&upper);
  stop_worker(&lower);
}

static inline belay_value above(void *ctx, belay_value value) {
  if (strcmp(here(), ctx) != 0) check_failed(__FILE__, __LINE__, "map ran on %s", here());
  return belay_value_retain(value);
}

static inline void next_below(void *ctx, belay_value value) {
  (void)ctx;
  trace("%s next %d", here(), (int)int_of(value));
}
static inline void completed_below(void *ctx) {
  (void)ctx;
  trace("%s completed", here());
}
static inline void error_below(void *ctx, const belay_error *error) {
  (void)ctx;
  trace("%s error %s", here(), belay_error_name(belay_error_code(error)));
}
static inline void disposed_below(void *ctx) {
  (void)ctx;
  trace("%s disposed", here());
}
static inline belay_observer telling(void) {
  return (belay_observer){.size = sizeof(belay_observer),
                          .next = next_below,
                          .error = error_below,
                          .completed = completed_below,
                          .disposed = disposed_below};
}

static inline belay_op *to_lower(void) {
  return belay_op_observe_on(belay_loop_get_scheduler(lower.loop), NULL);
}

#endif
