/* Operations of operators with usual signatures. Written by `scripts/api write`. */
/* clang-format off */
#include "marbles.h"

static int odd(void *ctx, belay_value v) {
  return marble_fails(v) ? MARBLE_FAILURE : int_of(v) & 1;
}
static belay_value doubled(void *ctx, belay_value v) {
  return marble_fails(v) ? MARBLE_FAILURE_VALUE : belay_int32(int_of(v) * 2);
}
/* A number as what a digit is in a case. */
static belay_value plain(void *ctx, belay_value v) {
  int64_t number = 0;
  double real = 0;
  if (belay_value_get_int64(v, &number) == 0) return belay_int32((int32_t)number);
  return belay_int32(belay_value_get_double(v, &real) == 0 ? (int32_t)real : 0);
}

#define NUMBER(run) (marble_count(run, 1))
#define SECONDS(run) ((double)marble_number(run, 1) / 1000)
#define APPLYING(name, ...)                                     \
  static belay_signal *name(const marble_run *run) {            \
    return belay_signal_chain(marble_input(run, 0), __VA_ARGS__); \
  }
/* With one other signal. */
#define JOINING(name, op)                                       \
  static belay_signal *name(const marble_run *run) {            \
    belay_signal *other = marble_input(run, 1);                 \
    return belay_signal_chain(marble_input(run, 0), op(&other, 1)); \
  }

APPLYING(default_if_empty_9, belay_op_default_if_empty(belay_int32(9)))
APPLYING(switch_if_empty, belay_op_switch_if_empty(marble_input(run, 1)))
APPLYING(any_odd, belay_op_any(odd, NULL, NULL))
APPLYING(all_odd, belay_op_all(odd, NULL, NULL))
APPLYING(is_empty, belay_op_is_empty())
APPLYING(count, belay_op_count(), belay_op_map(plain, NULL, NULL))
APPLYING(average, belay_op_average(), belay_op_map(plain, NULL, NULL))
APPLYING(collect, belay_op_collect())
APPLYING(breakpoint_on_error, belay_op_breakpoint_on_error())
APPLYING(filter_odd, belay_op_filter(odd, NULL, NULL))
APPLYING(take, belay_op_take(NUMBER(run)))
APPLYING(skip, belay_op_skip(NUMBER(run)))
APPLYING(take_last, belay_op_take_last(NUMBER(run)))
APPLYING(skip_last, belay_op_skip_last(NUMBER(run)))
APPLYING(take_until, belay_op_take_until(marble_input(run, 1)))
APPLYING(skip_until, belay_op_skip_until(marble_input(run, 1)))
APPLYING(take_until_replacement, belay_op_take_until_replacement(marble_input(run, 1)))
APPLYING(take_for, belay_op_take_for(marble_scheduler(run), SECONDS(run)))
APPLYING(skip_for, belay_op_skip_for(marble_scheduler(run), SECONDS(run)))
APPLYING(element_at, belay_op_element_at(NUMBER(run)))
APPLYING(find_odd, belay_op_find(odd, NULL, NULL))
APPLYING(ignore_elements, belay_op_ignore_elements())
JOINING(merge, belay_op_merge)
JOINING(merge_delay_error, belay_op_merge_delay_error)
JOINING(concat, belay_op_concat)
APPLYING(then, belay_op_then(marble_input(run, 1)))
APPLYING(repeat, belay_op_repeat(NUMBER(run)))
APPLYING(catch_to_9, belay_op_catch_to(belay_int32(9)))
APPLYING(retry, belay_op_retry(NUMBER(run)))
APPLYING(debounce, belay_op_debounce(marble_scheduler(run), SECONDS(run)))
APPLYING(audit, belay_op_audit(marble_scheduler(run), SECONDS(run)))
APPLYING(sample, belay_op_sample(marble_input(run, 1)))
APPLYING(sample_time, belay_op_sample_time(marble_scheduler(run), SECONDS(run)))
APPLYING(delay, belay_op_delay(marble_scheduler(run), SECONDS(run)))
APPLYING(delay_subscription, belay_op_delay_subscription(marble_scheduler(run), SECONDS(run)))
APPLYING(throttle_while, belay_op_throttle_while(marble_input(run, 1)))
APPLYING(subscribe_on, belay_op_subscribe_on(marble_scheduler(run)))
APPLYING(map_doubled, belay_op_map(doubled, NULL, NULL))
APPLYING(pairwise, belay_op_pairwise())
APPLYING(buffer, belay_op_buffer(NUMBER(run)))

const marble_operation usual_operations[] = {
    {"default_if_empty_9", default_if_empty_9},
    {"switch_if_empty", switch_if_empty},
    {"any_odd", any_odd},
    {"all_odd", all_odd},
    {"is_empty", is_empty},
    {"count", count},
    {"average", average},
    {"collect", collect},
    {"breakpoint_on_error", breakpoint_on_error},
    {"filter_odd", filter_odd},
    {"take", take},
    {"skip", skip},
    {"take_last", take_last},
    {"skip_last", skip_last},
    {"take_until", take_until},
    {"skip_until", skip_until},
    {"take_until_replacement", take_until_replacement},
    {"take_for", take_for},
    {"skip_for", skip_for},
    {"element_at", element_at},
    {"find_odd", find_odd},
    {"ignore_elements", ignore_elements},
    {"merge", merge},
    {"merge_delay_error", merge_delay_error},
    {"concat", concat},
    {"then", then},
    {"repeat", repeat},
    {"catch_to_9", catch_to_9},
    {"retry", retry},
    {"debounce", debounce},
    {"audit", audit},
    {"sample", sample},
    {"sample_time", sample_time},
    {"delay", delay},
    {"delay_subscription", delay_subscription},
    {"throttle_while", throttle_while},
    {"subscribe_on", subscribe_on},
    {"map_doubled", map_doubled},
    {"pairwise", pairwise},
    {"buffer", buffer},
    {0}};
