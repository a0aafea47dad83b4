/* The foundation's operators. */
#include "marbles.h"

static belay_value doubled(void *ctx, belay_value v) {
  return marble_fails(v) ? MARBLE_FAILURE_VALUE : belay_int32(2 * int_of(v));
}
static int odd(void *ctx, belay_value v) { return marble_fails(v) ? MARBLE_FAILURE : int_of(v) & 1; }
static int equal(void *ctx, belay_value a, belay_value b) {
  return marble_fails(a) || marble_fails(b) ? MARBLE_FAILURE : belay_value_equal(a, b);
}
static belay_value sum(void *ctx, belay_value a, belay_value b) {
  if (marble_fails(b)) return MARBLE_FAILURE_VALUE;
  return belay_int32(int_of(a) + int_of(b));
}

static belay_signal *same(const marble_run *run) { return marble_input(run, 0); }
static belay_signal *map_doubled(const marble_run *run) {
  return belay_signal_chain(marble_input(run, 0), belay_op_map(doubled, NULL, NULL));
}
static belay_signal *filter_odd(const marble_run *run) {
  return belay_signal_chain(marble_input(run, 0), belay_op_filter(odd, NULL, NULL));
}
static belay_signal *take(const marble_run *run) {
  return belay_signal_chain(marble_input(run, 0), belay_op_take((uint64_t)marble_number(run, 1)));
}
static belay_signal *take_until(const marble_run *run) {
  return belay_signal_chain(marble_input(run, 0), belay_op_take_until(marble_input(run, 1)));
}
static belay_signal *merge(const marble_run *run) {
  belay_signal *second = marble_input(run, 1);
  return belay_signal_chain(marble_input(run, 0), belay_op_merge(&second, 1));
}
static belay_signal *scan_sum(const marble_run *run) {
  return belay_signal_chain(marble_input(run, 0), belay_op_scan(belay_int32(0), sum, NULL, NULL));
}
static belay_signal *buffer(const marble_run *run) {
  return belay_signal_chain(marble_input(run, 0), belay_op_buffer((size_t)marble_number(run, 1)));
}
static belay_signal *buffer_time(const marble_run *run) {
  return belay_signal_chain(
      marble_input(run, 0),
      belay_op_buffer_time(marble_scheduler(run), (double)marble_number(run, 1) / 1000, 0));
}
static belay_signal *distinct_until_changed(const marble_run *run) {
  return belay_signal_chain(marble_input(run, 0),
                            belay_op_distinct_until_changed(equal, NULL, NULL));
}
static belay_signal *start_with_7_8(const marble_run *run) {
  belay_value values[] = {belay_int32(7), belay_int32(8)};
  return belay_signal_chain(marble_input(run, 0), belay_op_start_with(values, 2));
}

const marble_operation basics_operations[] = {{"same", same},
                                              {"map_doubled", map_doubled},
                                              {"filter_odd", filter_odd},
                                              {"take", take},
                                              {"take_until", take_until},
                                              {"merge", merge},
                                              {"scan_sum", scan_sum},
                                              {"buffer", buffer},
                                              {"buffer_time", buffer_time},
                                              {"distinct_until_changed", distinct_until_changed},
                                              {"start_with_7_8", start_with_7_8},
                                              {0}};
