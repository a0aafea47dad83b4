/* Operators about time and place, and those beside the flow. Numbers are milliseconds. */
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

static void no_line(void *ctx, const char *line) {
  (void)ctx;
  (void)line;
}
/* Stops at nothing that the cases send. */
static int at_nine(void *ctx, belay_value value) {
  (void)ctx;
  int32_t number = 0;
  return belay_value_get_int32(value, &number) == 0 && number == 9;
}
static int at_no_error(void *ctx, const belay_error *error) { return 0; }
static int at_no_end(void *ctx) { return 0; }
static belay_signal *breakpoint(const marble_run *run) {
  return belay_signal_chain(marble_input(run, 0), belay_op_breakpoint(at_nine, at_no_error,
                                                                      at_no_end, NULL, NULL));
}
static belay_signal *finally(const marble_run *run) {
  return belay_signal_chain(marble_input(run, 0), belay_op_finally(empty_action, NULL, NULL));
}
static belay_signal *initially(const marble_run *run) {
  return belay_signal_chain(marble_input(run, 0), belay_op_initially(empty_action, NULL, NULL));
}
static belay_signal *logged(const marble_run *run) {
  return belay_signal_chain(marble_input(run, 0),
                            belay_op_log("log", BELAY_HERE, no_line, NULL, NULL));
}

const marble_operation timing_operations[] = {
    {"debounce_odd", debounce_odd},
    {"throttle", throttle},
    {"timeout", timeout},
    {"timeout_with", timeout_with},
    {"observe_on", observe_on},
    {"breakpoint", breakpoint},
    {"finally", finally},
    {"initially", initially},
    {"log", logged},
    {0}};
