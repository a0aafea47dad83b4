/* Sources. */
#include "marbles.h"

static belay_disposable *produce_7(void *ctx, belay_subscriber *subscriber) {
  if (marble_fails_always()) return MARBLE_FAILURE_NULL;
  belay_subscriber_next(subscriber, belay_int32(7));
  belay_subscriber_completed(subscriber);
  return NULL;
}
static belay_signal *create_7(const marble_run *run) {
  return belay_signal_create(produce_7, NULL, NULL, NULL);
}
static belay_signal *just_7(const marble_run *run) { return belay_signal_just(belay_int32(7)); }
static belay_signal *from_7_8(const marble_run *run) {
  belay_value values[] = {belay_int32(7), belay_int32(8)};
  return belay_signal_from(values, 2);
}
static belay_signal *from_none(const marble_run *run) { return belay_signal_from(NULL, 0); }
static belay_signal *empty(const marble_run *run) { return belay_signal_empty(); }
static belay_signal *never(const marble_run *run) { return belay_signal_never(); }
static belay_signal *failed(const marble_run *run) {
  return failing_with(BELAY_ERANGE, NULL);
}
static belay_signal *timer(const marble_run *run) {
  double seconds = marble_seconds(run, 0);
  return belay_signal_chain(belay_signal_timer(marble_scheduler(run), seconds), plain());
}
static belay_signal *interval(const marble_run *run) {
  double seconds = marble_seconds(run, 0);
  return belay_signal_chain(belay_signal_interval(marble_scheduler(run), seconds), plain());
}
static belay_signal *same_again(void *ctx) {
  return marble_fails_always() ? MARBLE_FAILURE_NULL : belay_signal_retain(ctx);
}
static belay_signal *defer(const marble_run *run) {
  return belay_signal_defer(same_again, marble_input(run, 0), release_signal);
}
static belay_signal *range(const marble_run *run) {
  return belay_signal_chain(
      belay_signal_range(marble_number(run, 0), marble_count(run, 1)), plain());
}
static int at_most_8(void *ctx, belay_value v) {
  return marble_fails(v) ? MARBLE_FAILURE : int_of(v) <= 8;
}
static belay_value next_double(void *ctx, belay_value v) {
  int32_t number = int_of(v);
  return marble_fails(belay_int32(number + 1)) ? MARBLE_FAILURE_VALUE : belay_int32(2 * number);
}
static belay_value plus_1(void *ctx, belay_value v) { return belay_int32(1 + int_of(v)); }
static belay_signal *generate_doubles(const marble_run *run) {
  return belay_signal_generate(belay_int32(1), at_most_8, next_double, plus_1, NULL, NULL);
}
static int count_down(void *ctx, belay_value *out) {
  int *left = ctx;
  if (marble_fails(belay_int32(*left))) return MARBLE_FAILURE;
  if (*left == 0) return 0;
  *out = belay_int32((*left)--);
  return 1;
}
static belay_signal *iterate_down(const marble_run *run) {
  int *left = malloc(sizeof *left);
  *left = (int)marble_number(run, 0);
  return belay_signal_from_iterator(count_down, left, free);
}
static belay_signal *repeat_7(const marble_run *run) {
  return belay_signal_repeat_value(belay_int32(7), marble_count(run, 0));
}
static belay_signal *repeat_7_taken(const marble_run *run) {
  return belay_signal_chain(belay_signal_repeat_value(belay_int32(7), BELAY_UNLIMITED),
                            belay_op_take(marble_count(run, 0)));
}
static belay_disposable *resource(void *ctx, void **out) {
  return marble_fails(belay_int32(1)) ? MARBLE_FAILURE_NULL : belay_nop_create();
}
static belay_signal *use(void *ctx, void *it) {
  return marble_fails(belay_int32(2)) ? MARBLE_FAILURE_NULL : belay_signal_retain(ctx);
}
static belay_signal *using_it(const marble_run *run) {
  return belay_signal_using(resource, use, marble_input(run, 0), release_signal);
}
static belay_value seven(void *ctx) {
  return marble_fails_always() ? MARBLE_FAILURE_VALUE : belay_int32(7);
}
static belay_signal *start_eagerly_7(const marble_run *run) {
  return belay_signal_chain(
      belay_signal_start_eagerly(marble_scheduler(run), seven, NULL, NULL),
      belay_op_delay(marble_scheduler(run), 0.002));
}
static belay_signal *start_7(const marble_run *run) {
  return belay_signal_start(marble_scheduler(run), seven, NULL, NULL);
}
static belay_signal *result_7(const marble_run *run) {
  return belay_signal_from_result(belay_int32(7));
}
static belay_signal *optional_7(const marble_run *run) {
  return belay_signal_from_optional(belay_int32(7));
}
static belay_signal *optional_none(const marble_run *run) {
  return belay_signal_from_optional(belay_null());
}
static belay_signal *result_failed(const marble_run *run) {
  return belay_signal_from_result(belay_value_failure(BELAY_ERANGE, NULL));
}

const marble_operation creating_operations[] = {
    {"create_7", create_7},
    {"just_7", just_7},
    {"from_7_8", from_7_8},
    {"from_none", from_none},
    {"empty", empty},
    {"never", never},
    {"error", failed},
    {"timer", timer},
    {"interval", interval},
    {"defer", defer},
    {"range", range},
    {"generate_doubles", generate_doubles},
    {"iterate_down", iterate_down},
    {"repeat_7", repeat_7},
    {"repeat_7_taken", repeat_7_taken},
    {"using", using_it},
    {"start_7", start_7},
    {"start_eagerly_7", start_eagerly_7},
    {"optional_7", optional_7},
    {"optional_none", optional_none},
    {"result_7", result_7},
    {"result_failed", result_failed},
    {0}};
