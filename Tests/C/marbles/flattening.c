/* Signals made of values, one after another, after an error. */
#include "marbles.h"

/* ---- the inner signals: value 1 means the first of them, and so on ---- */

struct inners {
  size_t count;
  belay_signal *signals[8];
};

inners *inners_of(const marble_run *run, int index) {
  inners *it = calloc(1, sizeof *it);
  it->count = marble_count(run, index);
  for (size_t i = 0; i < it->count && i < 8; i++)
    it->signals[i] = marble_input(run, index + 1 + (int)i);
  return it;
}

void free_inners(void *ctx) {
  inners *it = ctx;
  for (size_t i = 0; i < it->count; i++) belay_signal_release(it->signals[i]);
  free(it);
}

belay_signal *inner_of(void *ctx, belay_value value) {
  inners *it = ctx;
  size_t number = (size_t)int_of(value);
  if (marble_fails(value) || number < 1 || number > it->count) return MARBLE_FAILURE_NULL;
  return belay_signal_retain(it->signals[number - 1]);
}

static belay_value inner_value(void *ctx, belay_value value) {
  belay_signal *inner = inner_of(ctx, value);
  belay_value made = belay_value_from_signal(inner);
  belay_signal_release(inner);
  return made;
}

static belay_signal *chained(const marble_run *run, belay_op *op) {
  return belay_signal_chain(marble_input(run, 0), op);
}

static belay_signal *flat_map(const marble_run *run) {
  return chained(run, belay_op_flat_map(marble_count(run, 1), inner_of, inners_of(run, 2),
                                        free_inners));
}
static belay_signal *concat_map(const marble_run *run) {
  return chained(run, belay_op_concat_map(inner_of, inners_of(run, 1), free_inners));
}
static belay_signal *switch_map(const marble_run *run) {
  return chained(run, belay_op_switch_map(inner_of, inners_of(run, 1), free_inners));
}
static belay_signal *exhaust_map(const marble_run *run) {
  return chained(run, belay_op_exhaust_map(inner_of, inners_of(run, 1), free_inners));
}

belay_signal *signals_of(const marble_run *run, int index, belay_op *op) {
  return belay_signal_chain(marble_input(run, 0),
                            belay_op_map(inner_value, inners_of(run, index), free_inners), op);
}
static belay_signal *merge_all(const marble_run *run) {
  return signals_of(run, 2, belay_op_merge_all(marble_count(run, 1)));
}
static belay_signal *concat_all(const marble_run *run) {
  return signals_of(run, 1, belay_op_concat_all());
}
static belay_signal *switch_to_latest(const marble_run *run) {
  return signals_of(run, 1, belay_op_switch_to_latest());
}

/* Each number's half, as the second input sends it; nothing of 1. */
static belay_value half_of(void *ctx, belay_value value) {
  return belay_int32((int32_t)(intptr_t)ctx);
}
static belay_signal *halved(void *ctx, belay_value value) {
  intptr_t half = int_of(value) / 2;
  if (marble_fails(value)) return MARBLE_FAILURE_NULL;
  if (half == 0) return belay_signal_empty();
  return belay_signal_chain(belay_signal_retain(ctx), belay_op_map(half_of, (void *)half, NULL));
}
static belay_signal *expand(const marble_run *run) {
  return chained(run, belay_op_expand(marble_count(run, 2), halved, marble_input(run, 1),
                                      release_signal));
}

/* ---- a signal of each value tells when ---- */

static belay_signal *debounce_when(const marble_run *run) {
  return chained(run, belay_op_debounce_when(inner_of, inners_of(run, 1), free_inners));
}
static belay_signal *throttle_when(const marble_run *run) {
  return chained(run, belay_op_throttle_when(inner_of, inners_of(run, 1), free_inners, 1, 0));
}
static belay_signal *throttle_when_with(const marble_run *run) {
  int leading = marble_number(run, 1), trailing = marble_number(run, 2);
  return chained(run, belay_op_throttle_when(inner_of, inners_of(run, 3), free_inners, leading,
                                             trailing));
}
static belay_signal *audit_when(const marble_run *run) {
  return chained(run, belay_op_audit_when(inner_of, inners_of(run, 1), free_inners));
}
static belay_signal *timeout_when(const marble_run *run) {
  return chained(run, belay_op_timeout_when(NULL, NULL, inner_of, inners_of(run, 1), free_inners));
}
static belay_signal *timeout_when_first(const marble_run *run) {
  return chained(run, belay_op_timeout_when(marble_input(run, 1), NULL, inner_of,
                                            inners_of(run, 2), free_inners));
}
static belay_signal *timeout_when_with(const marble_run *run) {
  return chained(run, belay_op_timeout_when(marble_input(run, 1), marble_input(run, 2), inner_of,
                                            inners_of(run, 3), free_inners));
}
static belay_signal *delay_when(const marble_run *run) {
  return chained(run, belay_op_delay_when(inner_of, inners_of(run, 1), free_inners));
}

/* ---- one after another ---- */

static belay_signal *concat_three(const marble_run *run) {
  belay_signal *all[] = {marble_input(run, 0), marble_input(run, 1), marble_input(run, 2)};
  return belay_signal_concat(all, 3);
}
static belay_signal *repeat_taken(const marble_run *run) {
  return belay_signal_chain(marble_input(run, 0), belay_op_repeat(BELAY_UNLIMITED),
                            belay_op_take(marble_count(run, 1)));
}
static belay_signal *retry_taken(const marble_run *run) {
  return belay_signal_chain(marble_input(run, 0), belay_op_retry(BELAY_UNLIMITED),
                            belay_op_take(marble_count(run, 1)));
}

static belay_signal *second_input(void *ctx, belay_signal *events) {
  return marble_fails_always() ? MARBLE_FAILURE_NULL : belay_signal_retain(ctx);
}
static belay_signal *first_two(void *ctx, belay_signal *events) {
  return belay_signal_chain(belay_signal_retain(events), belay_op_take(2));
}
static belay_signal *retry_when(const marble_run *run) {
  return chained(run, belay_op_retry_when(second_input, marble_input(run, 1), release_signal));
}
static belay_signal *retry_when_twice(const marble_run *run) {
  return chained(run, belay_op_retry_when(first_two, NULL, NULL));
}
static belay_signal *repeat_when(const marble_run *run) {
  return chained(run, belay_op_repeat_when(second_input, marble_input(run, 1), release_signal));
}
static belay_signal *repeat_when_twice(const marble_run *run) {
  return chained(run, belay_op_repeat_when(first_two, NULL, NULL));
}

/* ---- errors ---- */

static belay_signal *recovered(void *ctx, const belay_error *error) {
  return marble_fails_always() ? MARBLE_FAILURE_NULL : belay_signal_retain(ctx);
}
static belay_signal *catch(const marble_run *run) {
  return chained(run, belay_op_catch(recovered, marble_input(run, 1), release_signal));
}
/* First wait in milliseconds, factor, longest wait, attempts. */
static belay_signal *backed_off(const marble_run *run, int reset_on_value) {
  return chained(run, belay_op_retry_backoff(
                          marble_scheduler(run), (double)marble_number(run, 1) / 1000,
                          (double)marble_number(run, 2), (double)marble_number(run, 3) / 1000, 0,
                          marble_count(run, 4), reset_on_value));
}
static belay_signal *retry_backoff(const marble_run *run) { return backed_off(run, 0); }
static belay_signal *retry_backoff_resetting(const marble_run *run) { return backed_off(run, 1); }
static int attempted(void *ctx, belay_value value) {
  return marble_fails(value) ? MARBLE_FAILURE : 0;
}
static belay_signal *attempt(const marble_run *run) {
  return chained(run, belay_op_attempt(attempted, NULL, NULL));
}

const marble_operation flattening_operations[] = {
    {"flat_map", flat_map},
    {"concat_map", concat_map},
    {"switch_map", switch_map},
    {"exhaust_map", exhaust_map},
    {"debounce_when", debounce_when},
    {"throttle_when", throttle_when},
    {"throttle_when_with", throttle_when_with},
    {"audit_when", audit_when},
    {"timeout_when", timeout_when},
    {"timeout_when_first", timeout_when_first},
    {"timeout_when_with", timeout_when_with},
    {"delay_when", delay_when},
    {"merge_all", merge_all},
    {"concat_all", concat_all},
    {"switch_to_latest", switch_to_latest},
    {"expand", expand},
    {"concat_three", concat_three},
    {"repeat_taken", repeat_taken},
    {"retry_taken", retry_taken},
    {"retry_when", retry_when},
    {"retry_when_twice", retry_when_twice},
    {"repeat_when", repeat_when},
    {"repeat_when_twice", repeat_when_twice},
    {"catch", catch},
    {"retry_backoff", retry_backoff},
    {"retry_backoff_resetting", retry_backoff_resetting},
    {"attempt", attempt},
    {0}};
