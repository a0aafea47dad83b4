/* Operators about time and place. Numbers are milliseconds. */
#include "marbles.h"

static belay_signal *debounce_odd(const marble_run *run) {
  return belay_signal_chain(
      marble_input(run, 0),
      belay_op_debounce_if(marble_scheduler(run), marble_seconds(run, 1), odd, NULL, NULL));
}
static belay_signal *throttle(const marble_run *run) {
  return belay_signal_chain(marble_input(run, 0),
                            belay_op_throttle(marble_scheduler(run), marble_seconds(run, 1),
                                              (int)marble_number(run, 2),
                                              (int)marble_number(run, 3)));
}
static belay_signal *timeout(const marble_run *run) {
  return belay_signal_chain(marble_input(run, 0),
                            belay_op_timeout(marble_scheduler(run), marble_seconds(run, 1), NULL));
}
static belay_signal *timeout_with(const marble_run *run) {
  return belay_signal_chain(
      marble_input(run, 0),
      belay_op_timeout(marble_scheduler(run), marble_seconds(run, 1), marble_input(run, 2)));
}
/* The policy's number, the capacity. */
static belay_signal *observe_on(const marble_run *run) {
  belay_queue_options options = {.size = sizeof options,
                                 .policy = (belay_queue_policy)marble_number(run, 1),
                                 .capacity = marble_count(run, 2)};
  return belay_signal_chain(marble_input(run, 0),
                            belay_op_observe_on(marble_scheduler(run), &options));
}


const marble_operation timing_operations[] = {
    {"debounce_odd", debounce_odd},
    {"throttle", throttle},
    {"timeout", timeout},
    {"timeout_with", timeout_with},
    {"observe_on", observe_on},
    {0}};
