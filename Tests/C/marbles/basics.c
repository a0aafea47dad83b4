/* The foundation's operators. */
#include "marbles.h"

static int equal(void *ctx, belay_value a, belay_value b) {
  return marble_fails(a) || marble_fails(b) ? MARBLE_FAILURE : belay_value_equal(a, b);
}
static belay_value sum(void *ctx, belay_value a, belay_value b) {
  if (marble_fails(b)) return MARBLE_FAILURE_VALUE;
  return belay_int32(int_of(a) + int_of(b));
}

static belay_signal *same(const marble_run *run) { return marble_input(run, 0); }
static belay_signal *scan_sum(const marble_run *run) {
  return belay_signal_chain(marble_input(run, 0), belay_op_scan(belay_int32(0), sum, NULL, NULL));
}
static belay_signal *buffer_time(const marble_run *run) {
  return belay_signal_chain(
      marble_input(run, 0),
      belay_op_buffer_time(marble_scheduler(run), (double)marble_number(run, 1) / 1000,
                           BELAY_UNLIMITED));
}
static belay_signal *distinct_until_changed(const marble_run *run) {
  return belay_signal_chain(marble_input(run, 0),
                            belay_op_distinct_until_changed(equal, NULL, NULL));
}
static belay_signal *start_with_7_8(const marble_run *run) {
  belay_value values[] = {belay_int32(7), belay_int32(8)};
  return belay_signal_chain(marble_input(run, 0), belay_op_start_with(values, 2));
}

/* ---- beside the flow: what the callbacks are told is sent before the event, an error as 9 ---- */

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

/* The owner dies at that many milliseconds. */
static belay_signal *take_during(const marble_run *run) {
  belay_owner *owner = belay_owner_create(NULL, NULL, NULL, NULL);
  belay_op *op = belay_op_take_during(owner);
  double seconds = marble_seconds(run, 1);
  CHECK_INT(belay_scheduler_after(marble_scheduler(run), seconds, release_owner, owner, NULL, NULL),
            0);
  return belay_signal_chain(marble_input(run, 0), op);
}

/* ---- the foundation's sources ---- */

static belay_value plain(void *ctx, belay_value v) {
  int64_t number = 0;
  CHECK_INT(belay_value_get_int64(v, &number), 0);
  return belay_int32((int32_t)number);
}
static belay_op *plainly(void) { return belay_op_map(plain, NULL, NULL); }

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
  double seconds = (double)marble_number(run, 0) / 1000;
  return belay_signal_chain(belay_signal_timer(marble_scheduler(run), seconds), plainly());
}
static belay_signal *interval(const marble_run *run) {
  double seconds = (double)marble_number(run, 0) / 1000;
  return belay_signal_chain(belay_signal_interval(marble_scheduler(run), seconds), plainly());
}

const marble_operation basics_operations[] = {
    {"same", same},
    {"scan_sum", scan_sum},
    {"buffer_time", buffer_time},
    {"distinct_until_changed", distinct_until_changed},
    {"start_with_7_8", start_with_7_8},
    {"do_telling", do_telling},
    {"take_during", take_during},
    {"create_7", create_7},
    {"just_7", just_7},
    {"from_7_8", from_7_8},
    {"from_none", from_none},
    {"empty", empty},
    {"never", never},
    {"error", failed},
    {"timer", timer},
    {"interval", interval},
    {0}};
