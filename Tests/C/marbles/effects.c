/* Operators that act beside the flow of values. */
#include "marbles.h"

/* What the callbacks of do are told is sent before the event, an error as 9. */
static void tell_next(void *ctx, belay_value v) { belay_subject_next(ctx, belay_value_retain(v)); }
static void tell_error(void *ctx, const belay_error *error) {
  belay_subject_next(ctx, belay_int32(9));
}
static void tell_completed(void *ctx) { belay_subject_completed(ctx); }

static belay_signal *do_telling(const marble_run *run) {
  belay_signal *told = belay_subject_create(NULL);
  belay_observer observer = {.size = sizeof observer, .next = tell_next, .error = tell_error,
                             .completed = tell_completed, .disposed = tell_completed,
                             .ctx_free = release_signal};
  observer.ctx = belay_signal_retain(told);
  belay_signal *both[] = {told, belay_signal_chain(marble_input(run, 0), belay_op_do(&observer))};
  return belay_signal_merge(both, 2);
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

const marble_operation effects_operations[] = {
    {"do_telling", do_telling},
    {"breakpoint", breakpoint},
    {"finally", finally},
    {"initially", initially},
    {"log", logged},
    {0}};
