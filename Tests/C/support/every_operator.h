/* Operators by number, for what has to hold of each. */
#ifndef EVERY_OPERATOR_H
#define EVERY_OPERATOR_H

#include "cases.h"

/* 0 for what is no number. */
static inline int32_t op_number(belay_value value) {
  int32_t number = 0;
  if (belay_value_get_int32(value, &number) < 0) belay_last_error();
  return number;
}
static inline int op_less(void *ctx, belay_value a, belay_value b) {
  return op_number(a) < op_number(b);
}
static inline belay_signal *op_two_of(void *ctx, belay_value value) { return numbers(1, 2); }
static inline belay_signal *op_recovered(void *ctx, const belay_error *error) {
  return numbers(1, 2);
}
static inline belay_signal *op_fewer(void *ctx, belay_value value) {
  int32_t number = op_number(value);
  return number > 1 ? numbers(number - 2, 2) : belay_signal_empty();
}

/* The seconds of those that wait. */
static double op_time = 1;

/* The operators that send more than once in a call, hold something, or listen to several signals;
   NULL when there are no more. What they send of their own is in a box. */
static inline belay_op *every_op(int kind, belay_scheduler *time_) {
  belay_value some[3] = {belay_null(), belay_null(), belay_null()};
  if (kind == 13 || kind == 14)
    for (int i = 0; i < 3; i++) some[i] = belay_string("a value of its own");
  belay_signal *one = NULL;
  switch (kind) {
    case 0: return belay_op_is_empty();
    case 1: return belay_op_any(answer_yes, NULL, NULL);
    case 2: return belay_op_any(answer_no, NULL, NULL);
    case 3: return belay_op_all(answer_no, NULL, NULL);
    case 4: return belay_op_contains(belay_int32(2));
    case 5: return belay_op_first(NULL, NULL, NULL);
    case 6: return belay_op_find(answer_yes, NULL, NULL);
    case 7: return belay_op_element_at(1);
    case 8: return belay_op_element_at_or(7, belay_string("fallback"));
    case 9: return belay_op_default_if_empty(belay_string("fallback"));
    case 10: return belay_op_take(2);
    case 11: return belay_op_take_last(3);
    case 12: return belay_op_take_while(answer_no, NULL, NULL, 1);
    case 13: return belay_op_end_with(some, 3);
    case 14: return belay_op_start_with(some, 3);
    case 15: return belay_op_collect();
    case 16: return belay_op_buffer(2);
    case 17: return belay_op_buffer_skip(3, 1);
    case 18: return belay_op_buffer_time(time_, op_time, 2);
    case 19: return belay_op_materialize();
    case 20: return belay_op_count();
    case 21: return belay_op_sum();
    case 22: return belay_op_average();
    case 23: return belay_op_min(op_less, NULL, NULL);
    case 24: return belay_op_max(op_less, NULL, NULL);
    case 25: return belay_op_reduce(belay_string("seed"), latest_of, NULL, NULL);
    case 26: return belay_op_last(NULL, NULL, NULL);
    case 27: return belay_op_single(NULL, NULL, NULL);
    case 28: return belay_op_catch_to(belay_string("fallback"));
    case 29: return belay_op_catch(op_recovered, NULL, NULL);
    case 30: return belay_op_window(1, 1);
    case 31: return belay_op_window(2, 1);
    case 32: return belay_op_window_time(time_, op_time, 2);
    case 33: return belay_op_group_by(same_value, NULL, NULL);
    case 34: return belay_op_pairwise();
    case 35: return belay_op_delay(time_, op_time);
    case 36: return belay_op_debounce(time_, op_time);
    case 37: return belay_op_throttle(time_, op_time, 1, 1);
    case 38: return belay_op_audit(time_, op_time);
    case 39: return belay_op_sample_time(time_, op_time);
    case 40: return belay_op_take_for(time_, 2 * op_time);
    case 41: return belay_op_timeout(time_, op_time, numbers(1, 2));
    case 42: return belay_op_observe_on(time_, NULL);
    case 43: return belay_op_flat_map(BELAY_UNLIMITED, op_two_of, NULL, NULL);
    case 44: return belay_op_concat_map(op_two_of, NULL, NULL);
    case 45: return belay_op_switch_map(op_two_of, NULL, NULL);
    case 46: return belay_op_exhaust_map(op_two_of, NULL, NULL);
    case 47: return belay_op_expand(BELAY_UNLIMITED, op_fewer, NULL, NULL);
    case 48: return belay_op_then(numbers(1, 2));
    case 49: return one = numbers(1, 2), belay_op_concat(&one, 1);
    case 50: return one = numbers(1, 2), belay_op_merge(&one, 1);
    case 51: return one = numbers(1, 2), belay_op_merge_delay_error(&one, 1);
    case 52: return belay_op_switch_if_empty(numbers(1, 2));
    case 53: return belay_op_repeat(3);
    case 54: return belay_op_retry(3);
    case 55: return belay_op_retry_backoff(time_, op_time, 2, 3 * op_time, 0, 3, 0);
    case 56: return one = numbers(1, 2), belay_op_with_latest_from(&one, 1, NULL, NULL, NULL);
    case 57: return belay_op_sequence_equal(numbers(1, 2), NULL, NULL, NULL);
    case 58: return belay_op_take_until_replacement(belay_signal_timer(time_, op_time));
    case 59: return belay_op_window_toggle(belay_signal_timer(time_, 0), never_of, NULL, NULL);
    case 60: return belay_op_skip_last(1);
    case 61: return belay_op_distinct(NULL, NULL, NULL);
    case 62: return belay_op_share(0);
    case 63: return belay_op_share_replay(NULL, -1, 2, 0);
    case 65: return belay_op_map_to(belay_string("instead"));
    case 66: return belay_op_ignore(belay_string("unwanted"));
    case 67: return belay_op_skip_until(numbers(1, 2));
    case 68: return belay_op_take_until(belay_signal_never());
    case 69: return belay_op_skip_for(time_, op_time);
    case 70: return belay_op_buffer(9);
    case 64: return belay_op_scan(belay_string("seed"), latest_of, NULL, NULL);
    case 71: return belay_op_pairwise_from(belay_string("a value of its own"));
    case 72: return belay_op_debounce_when(op_two_of, NULL, NULL);
    case 73: return belay_op_throttle_when(op_two_of, NULL, NULL, 1, 0);
    case 74: return belay_op_audit_when(op_two_of, NULL, NULL);
    case 75: return belay_op_timeout_when(NULL, NULL, never_of, NULL, NULL);
    case 76: return belay_op_delay_when(op_two_of, NULL, NULL);
    case 77: return belay_op_window_by(belay_signal_timer(time_, op_time));
    case 78: return belay_op_buffer_by(belay_signal_timer(time_, op_time));
    case 79: return belay_op_take_last_for(time_, op_time);
    case 80: return belay_op_skip_last_for(time_, op_time);
    case 81: return belay_op_group_by_until(same_value, op_two_of, NULL, NULL);
    case 82:
      return belay_op_share_until(1, belay_signal_timer(time_, op_time), belay_signal_timer(time_, op_time),
                                  NULL);
    default: return NULL;
  }
}

static inline int count_operators(belay_scheduler *time_) {
  int count = 0;
  for (belay_op *op; (op = every_op(count, time_)); count++) belay_op_release(op);
  return count;
}

#endif
