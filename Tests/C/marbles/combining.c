/* Signals combined by their values. */
#include "marbles.h"

static belay_value sum(void *ctx, const belay_value *values, size_t count) {
  int32_t total = 0;
  for (size_t i = 0; i < count; i++) {
    if (marble_fails(values[i])) return MARBLE_FAILURE_VALUE;
    total += int_of(values[i]);
  }
  return belay_int32(total);
}
static int same_parity(void *ctx, belay_value a, belay_value b) {
  if (marble_fails(a) || marble_fails(b)) return MARBLE_FAILURE;
  return (int_of(a) & 1) == (int_of(b) & 1);
}

/* The first `count` words' inputs. */
static belay_signal *const *inputs(const marble_run *run, int count) {
  static belay_signal *signals[4];
  for (int i = 0; i < count; i++) signals[i] = marble_input(run, i);
  return signals;
}

static belay_signal *combine_latest_sum(const marble_run *run) {
  return belay_signal_combine_latest(inputs(run, 2), 2, sum, NULL, NULL);
}
static belay_signal *combine_latest_3(const marble_run *run) {
  return belay_signal_combine_latest(inputs(run, 3), 3, NULL, NULL, NULL);
}
static belay_signal *combine_latest_none(const marble_run *run) {
  return belay_signal_combine_latest(NULL, 0, NULL, NULL, NULL);
}
static belay_signal *zip_sum(const marble_run *run) {
  return belay_signal_zip(inputs(run, 2), 2, sum, NULL, NULL);
}
static belay_signal *zip_3(const marble_run *run) {
  return belay_signal_zip(inputs(run, 3), 3, NULL, NULL, NULL);
}
static belay_signal *zip_none(const marble_run *run) {
  return belay_signal_zip(NULL, 0, NULL, NULL, NULL);
}
static belay_signal *with_latest_from(const marble_run *run, size_t others,
                                      belay_combine_fn combine) {
  belay_signal *const *all = inputs(run, (int)others + 1);
  return belay_signal_chain(all[0],
                            belay_op_with_latest_from(all + 1, others, combine, NULL, NULL));
}
static belay_signal *with_latest_from_sum(const marble_run *run) {
  return with_latest_from(run, 1, sum);
}
static belay_signal *with_latest_from_2(const marble_run *run) {
  return with_latest_from(run, 2, NULL);
}
static belay_signal *race(const marble_run *run) { return belay_signal_race(inputs(run, 2), 2); }
static belay_signal *race_none(const marble_run *run) { return belay_signal_race(NULL, 0); }
static belay_signal *start_with_7_8(const marble_run *run) {
  belay_value values[] = {belay_int32(7), belay_int32(8)};
  return belay_signal_chain(marble_input(run, 0), belay_op_start_with(values, 2));
}
static belay_signal *end_with_7_8(const marble_run *run) {
  belay_value values[] = {belay_int32(7), belay_int32(8)};
  return belay_signal_chain(marble_input(run, 0), belay_op_end_with(values, 2));
}
static belay_signal *sequence_equal(const marble_run *run) {
  return belay_signal_chain(marble_input(run, 0),
                            belay_op_sequence_equal(marble_input(run, 1), NULL, NULL, NULL));
}
static belay_signal *sequence_equal_parity(const marble_run *run) {
  return belay_signal_chain(
      marble_input(run, 0),
      belay_op_sequence_equal(marble_input(run, 1), same_parity, NULL, NULL));
}
static belay_signal *if_then_else(const marble_run *run) {
  return belay_signal_if_then_else(marble_input(run, 0), marble_input(run, 1),
                                   marble_input(run, 2));
}
static belay_signal *switch_on_1_else(const marble_run *run) {
  belay_value key = belay_int32(1);
  belay_signal *signal = marble_input(run, 1);
  return belay_signal_switch_on(marble_input(run, 0), &key, &signal, 1, marble_input(run, 2));
}
static belay_signal *switch_on_1_2(const marble_run *run) {
  belay_value keys[] = {belay_int32(1), belay_int32(2)};
  belay_signal *const *all = inputs(run, 3);
  return belay_signal_switch_on(all[0], keys, all + 1, 2, NULL);
}
static belay_signal *both(const marble_run *run) { return belay_signal_and(inputs(run, 2), 2); }
static belay_signal *either(const marble_run *run) { return belay_signal_or(inputs(run, 2), 2); }
static belay_signal *not(const marble_run *run) {
  return belay_signal_chain(marble_input(run, 0), belay_op_not());
}
static belay_signal *reduce_each_sum(const marble_run *run) {
  return belay_signal_chain(marble_input(run, 0),
                            belay_op_reduce_each(sum, NULL, NULL));
}

const marble_operation combining_operations[] = {
    {"combine_latest_sum", combine_latest_sum},
    {"combine_latest_3", combine_latest_3},
    {"combine_latest_none", combine_latest_none},
    /* C has no function of its own for it. */
    {"lift_sum", combine_latest_sum},
    {"zip_sum", zip_sum},
    {"zip_3", zip_3},
    {"zip_none", zip_none},
    {"with_latest_from_sum", with_latest_from_sum},
    {"with_latest_from_2", with_latest_from_2},
    {"race", race},
    {"race_none", race_none},
    {"start_with_7_8", start_with_7_8},
    {"end_with_7_8", end_with_7_8},
    {"sequence_equal", sequence_equal},
    {"sequence_equal_parity", sequence_equal_parity},
    {"if_then_else", if_then_else},
    {"switch_on_1_else", switch_on_1_else},
    {"switch_on_1_2", switch_on_1_2},
    {"and", both},
    {"or", either},
    {"not", not},
    {"reduce_each_sum", reduce_each_sum},
    {0}};
