/* Operations of operators with usual signatures. Written by `scripts/api write`. */
/* clang-format off */
#include "marbles.h"

APPLYING(default_if_empty_9, belay_op_default_if_empty(belay_int32(9)))
APPLYING(switch_if_empty, belay_op_switch_if_empty(marble_input(run, 1)))
APPLYING(any_odd, belay_op_any(odd, NULL, NULL))
APPLYING(all_odd, belay_op_all(odd, NULL, NULL))
APPLYING(is_empty, belay_op_is_empty())
APPLYING(count, belay_op_count(), belay_op_map(plain_number, NULL, NULL))
APPLYING(average, belay_op_average(), belay_op_map(plain_number, NULL, NULL))
APPLYING(collect, belay_op_collect())
APPLYING(breakpoint_on_error, belay_op_breakpoint_on_error())
APPLYING(filter_odd, belay_op_filter(odd, NULL, NULL))
APPLYING(take, belay_op_take(marble_count(run, 1)))
APPLYING(skip, belay_op_skip(marble_count(run, 1)))
APPLYING(take_last, belay_op_take_last(marble_count(run, 1)))
APPLYING(skip_last, belay_op_skip_last(marble_count(run, 1)))
APPLYING(take_until, belay_op_take_until(marble_input(run, 1)))
APPLYING(skip_until, belay_op_skip_until(marble_input(run, 1)))
APPLYING(take_until_replacement, belay_op_take_until_replacement(marble_input(run, 1)))
APPLYING(take_for, belay_op_take_for(marble_scheduler(run), marble_seconds(run, 1)))
APPLYING(skip_for, belay_op_skip_for(marble_scheduler(run), marble_seconds(run, 1)))
APPLYING(take_last_for, belay_op_take_last_for(marble_scheduler(run), marble_seconds(run, 1)))
APPLYING(skip_last_for, belay_op_skip_last_for(marble_scheduler(run), marble_seconds(run, 1)))
APPLYING(element_at, belay_op_element_at(marble_count(run, 1)))
APPLYING(find_odd, belay_op_find(odd, NULL, NULL))
APPLYING(ignore_elements, belay_op_ignore_elements())
JOINING(merge, belay_op_merge)
JOINING(merge_delay_error, belay_op_merge_delay_error)
JOINING(concat, belay_op_concat)
APPLYING(then, belay_op_then(marble_input(run, 1)))
APPLYING(repeat, belay_op_repeat(marble_count(run, 1)))
APPLYING(catch_to_9, belay_op_catch_to(belay_int32(9)))
APPLYING(retry, belay_op_retry(marble_count(run, 1)))
APPLYING(debounce, belay_op_debounce(marble_scheduler(run), marble_seconds(run, 1)))
APPLYING(audit, belay_op_audit(marble_scheduler(run), marble_seconds(run, 1)))
APPLYING(sample, belay_op_sample(marble_input(run, 1)))
APPLYING(sample_time, belay_op_sample_time(marble_scheduler(run), marble_seconds(run, 1)))
APPLYING(delay, belay_op_delay(marble_scheduler(run), marble_seconds(run, 1)))
APPLYING(delay_subscription, belay_op_delay_subscription(marble_scheduler(run), marble_seconds(run, 1)))
APPLYING(throttle_while, belay_op_throttle_while(marble_input(run, 1)))
APPLYING(subscribe_on, belay_op_subscribe_on(marble_scheduler(run)))
APPLYING(map_doubled, belay_op_map(doubled, NULL, NULL))
APPLYING(pairwise, belay_op_pairwise())
APPLYING(pairwise_from_9, belay_op_pairwise_from(belay_int32(9)))
APPLYING(buffer, belay_op_buffer(marble_count(run, 1)))
APPLYING(buffer_by, belay_op_buffer_by(marble_input(run, 1)))

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
    {"take_last_for", take_last_for},
    {"skip_last_for", skip_last_for},
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
    {"pairwise_from_9", pairwise_from_9},
    {"buffer", buffer},
    {"buffer_by", buffer_by},
    {0}};
