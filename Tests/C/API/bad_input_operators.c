/* Nonsense for operators and chains. */
#include "bad_input.h"

static belay_value latest(void *ctx, belay_value accumulated, belay_value value) {
  (void)accumulated;
  return same_value(ctx, value);
}
static belay_signal *source(void) { return belay_signal_just(given_value()); }

/* Runs the chain to its end and releases it; tells what happened. */
static void run(belay_signal *signal, const char *expected) {
  belay_observer observer = tracing("");
  CHECK(signal != NULL);
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  belay_signal_release(signal);
  CHECK_TRACE(expected);
}

/* ---- NULL ---- */

static void null_callbacks(void) {
  GIVES_NOTHING(belay_op_map(NULL, GIVEN), BELAY_EINVAL);
  CHECK_FREED();
  GIVES_NOTHING(belay_op_filter(NULL, GIVEN), BELAY_EINVAL);
  CHECK_FREED();
  GIVES_NOTHING(belay_op_debounce_when(NULL, GIVEN), BELAY_EINVAL);
  CHECK_FREED();
  GIVES_NOTHING(belay_op_throttle_when(NULL, GIVEN, 1, 0), BELAY_EINVAL);
  CHECK_FREED();
  GIVES_NOTHING(belay_op_audit_when(NULL, GIVEN), BELAY_EINVAL);
  CHECK_FREED();
  GIVES_NOTHING(belay_op_timeout_when(NULL, NULL, NULL, GIVEN), BELAY_EINVAL);
  CHECK_FREED();
  GIVES_NOTHING(belay_op_delay_when(NULL, GIVEN), BELAY_EINVAL);
  CHECK_FREED();
  GIVES_NOTHING(belay_op_scan(given_value(), NULL, GIVEN), BELAY_EINVAL);
  CHECK_FREED();
  GIVES_NOTHING(belay_op_map(NULL, NULL, NULL), BELAY_EINVAL);
  GIVES_NOTHING(belay_op_filter(NULL, NULL, NULL), BELAY_EINVAL);
  GIVES_NOTHING(belay_op_scan(given_value(), NULL, NULL, NULL), BELAY_EINVAL);
  belay_op *op = belay_op_distinct_until_changed(NULL, GIVEN);
  CHECK(op != NULL);
  belay_op_release(op);
  CHECK_FREED();
}

static void null_parts(void) {
  belay_value none = belay_null();
  NULL_GIVES_NULL(belay_op_take_until(NULL));
  NULL_GIVES_NULL(belay_op_take_during(NULL));
  NULL_GIVES_NULL(belay_op_window_by(NULL));
  NULL_GIVES_NULL(belay_op_buffer_by(NULL));
  NULL_GIVES_NULL(belay_op_merge(NULL, 2));
  NULL_GIVES_NULL(belay_signal_merge(NULL, 2));
  NULL_GIVES_NULL(belay_op_buffer_time(NULL, 1, BELAY_UNLIMITED));
  NULL_GIVES_NULL(belay_op_start_with(NULL, 2));
  NULL_GIVES_NULL(belay_op_do(NULL));
  belay_op_release(NULL);
  belay_op_release(belay_op_start_with(&none, 0));
  belay_op_release(belay_op_start_with(NULL, 0));
  belay_op_release(belay_op_merge(NULL, 0));
  SURVIVES(belay_signal_release(belay_signal_merge(NULL, 0)));
}

/* One of the signals is NULL: the others are released all the same. */
static void null_among_signals(void) {
  for (int hole = 0; hole < 3; hole++) {
    belay_signal *signals[3], *others[3];
    for (int i = 0; i < 3; i++) {
      signals[i] = i == hole ? NULL : source();
      others[i] = i == hole ? NULL : source();
    }
    NULL_GIVES_NULL(belay_signal_merge(signals, 3));
    NULL_GIVES_NULL(belay_op_merge(others, 3));
  }
  belay_signal *all[3] = {NULL, NULL, NULL};
  NULL_GIVES_NULL(belay_signal_merge(all, 3));
  NULL_GIVES_NULL(belay_op_merge(all, 3));
}

static void null_in_chains(void) {
  CHECK(belay_signal_chain_n(NULL, NULL, 0) == NULL);
  NULL_GIVES_NULL(belay_signal_chain_n(NULL, NULL, 2));
  NULL_GIVES_NULL(belay_signal_chain_n(source(), NULL, 2));
  for (int hole = -1; hole < 4; hole++) {
    belay_op *ops[4] = {belay_op_map(same_value, GIVEN),
                        belay_op_scan(given_value(), latest, NULL, NULL),
                        belay_op_take_until(source()), belay_op_filter(answer_yes, GIVEN)};
    if (hole >= 0) {
      belay_op_release(ops[hole]);
      ops[hole] = NULL;
    }
    NULL_GIVES_NULL(belay_signal_chain_n(hole < 0 ? NULL : source(), ops, 4));
    CHECK_INT(freed, 2);
    freed = 0;
  }
  belay_signal *alone = source(), *same_one = belay_signal_chain_n(alone, NULL, 0);
  CHECK(same_one != NULL);
  run(same_one, "next given away | completed | disposed | free");
}

/* ---- operators that are never applied ---- */

static void operators_given_back(void) {
  belay_owner *owner = belay_owner_create(NULL, NULL, NULL, NULL);
  belay_signal *others[] = {source(), source()};
  belay_value values[] = {given_value(), given_value()};
  belay_observer observer = tracing("");
  belay_op *ops[] = {
      belay_op_map(same_value, GIVEN), belay_op_filter(answer_yes, GIVEN), belay_op_take(1),
      belay_op_take_until(source()), belay_op_take_during(owner), belay_op_merge(others, 2),
      belay_op_scan(given_value(), latest, GIVEN), belay_op_buffer(3),
      belay_op_buffer_time(belay_scheduler_immediate(), 1, BELAY_UNLIMITED),
      belay_op_distinct_until_changed(NULL, NULL, NULL), belay_op_start_with(values, 2),
      belay_op_do(&observer)};
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
    CHECK(ops[i] != NULL);
    belay_op_release(ops[i]);
  }
  CHECK_INT(freed, 3);
  freed = 0;
  CHECK_TRACE("free");
  belay_owner_release(owner);
}

/* ---- counts and times ---- */

static void odd_counts(void) {
  GIVES_NOTHING(belay_op_buffer(0), BELAY_EINVAL);
  static const size_t counts[] = {SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / 2 + 1};
  /* such a buffer is never full: what is in it is sent before the end */
  for (size_t i = 0; i < 3; i++) {
    belay_signal *signal = belay_signal_chain(source(), belay_op_buffer(counts[i]));
    CHECK(signal != NULL);
    belay_observer observer = {.size = sizeof observer, .ctx = &freed, .ctx_free = count_free};
    CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
    CHECK_FREED();
    belay_signal_release(signal);
  }
  run(belay_signal_chain(source(), belay_op_take(0)), "completed | disposed | free");
  static const uint64_t most[] = {UINT64_MAX, INT64_MAX, (uint64_t)1 << 63};
  for (size_t i = 0; i < 3; i++)
    run(belay_signal_chain(source(), belay_op_take(most[i])),
        "next given away | completed | disposed | free");
}

static void counts_that_nothing_has(void) {
  static const size_t counts[] = {SIZE_MAX, SIZE_MAX / 2 + 1, SIZE_MAX / 2, SIZE_MAX / 8,
                                  SIZE_MAX / 8 + 2};
  belay_value value = belay_int32(1);
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    GIVES_NOTHING(belay_op_start_with(&value, counts[i]), BELAY_EINVAL);
    GIVES_NOTHING(belay_op_start_with(NULL, counts[i]), BELAY_EINVAL);
    NULL_GIVES_NULL(belay_op_merge(NULL, counts[i]));
    NULL_GIVES_NULL(belay_signal_merge(NULL, counts[i]));
    NULL_GIVES_NULL(belay_signal_chain_n(source(), NULL, counts[i]));
    NULL_GIVES_NULL(belay_signal_chain_n(NULL, NULL, counts[i]));
  }
}

static void odd_times(void) {
  belay_loop *loop = belay_loop_create(NULL);
  belay_scheduler *scheduler = belay_loop_get_scheduler(loop);
  GIVES_NOTHING(belay_op_buffer_time(scheduler, NAN, BELAY_UNLIMITED), BELAY_EINVAL);
  GIVES_NOTHING(belay_op_buffer_time(scheduler, NAN, 3), BELAY_EINVAL);
  static const double times[] = {0, -0.0, -1, -1e300, 1e-300, 1e300, 1e18};
  for (size_t i = 0; i < sizeof times / sizeof *times; i++)
    for (size_t count = 0; count < 2; count++)
      SURVIVES(belay_op_release(belay_op_buffer_time(scheduler, times[i], count)));
  SURVIVES(belay_op_release(belay_op_buffer_time(scheduler, INFINITY, BELAY_UNLIMITED)));
  SURVIVES(belay_op_release(belay_op_buffer_time(scheduler, -INFINITY, SIZE_MAX)));

  /* The time is so long that it never comes: the end sends what there is. */
  const double longest[] = {1e300, INFINITY};
  for (int i = 0; i < 2; i++) {
    belay_op *op = belay_op_buffer_time(scheduler, longest[i], SIZE_MAX);
    belay_last_error();
    if (!op) continue;
    belay_signal *signal = belay_signal_chain(source(), op);
    belay_observer observer = {.size = sizeof observer, .ctx = &freed, .ctx_free = count_free};
    CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
    CHECK_FREED();
    belay_signal_release(signal);
  }
  CHECK_INT(belay_loop_close(loop, NULL, NULL, NULL), 0);
  belay_loop_release(loop);
}

/* Schedulers without a clock refuse the delay: an error event, or a refused subscription. */
static void schedulers_without_a_clock(void) {
  belay_scheduler *schedulers[] = {belay_scheduler_immediate(), belay_scheduler_trampoline()};
  for (int i = 0; i < 2; i++) {
    belay_signal *signal = belay_signal_chain(
        belay_signal_never(), belay_op_buffer_time(schedulers[i], 1, BELAY_UNLIMITED));
    belay_observer observer = tracing("");
    belay_disposable *d = NULL;
    CHECK(signal != NULL);
    if (belay_signal_subscribe(signal, &observer, &d) == 0) {
      CHECK_TRACE("error EINVAL | disposed | free");
    } else {
      CHECK(d == NULL);
      CHECK_TRACE("free");
    }
    belay_disposable_dispose(d);
    belay_disposable_release(d);
    belay_signal_release(signal);
    belay_last_error();
  }
}

/* ---- dead and closed ---- */

static void until_an_owner_that_is_dead(void) {
  int object = 1;
  belay_owner *owner = belay_owner_adopt(&object, NULL);
  CHECK_INT(belay_owner_end(&object, NULL, NULL), 0);
  run(belay_signal_chain(belay_signal_never(), belay_op_take_during(owner)),
      "completed | disposed | free");
  belay_owner_release(owner);
}

static void on_a_loop_that_is_closed(void) {
  belay_loop *loop = belay_loop_create(NULL);
  belay_scheduler *scheduler = belay_scheduler_retain(belay_loop_get_scheduler(loop));
  CHECK_INT(belay_loop_close(loop, NULL, NULL, NULL), 0);
  belay_op *op = belay_op_buffer_time(scheduler, 1, BELAY_UNLIMITED);
  if (op) {
    belay_signal *signal = belay_signal_chain(belay_signal_never(), op);
    belay_observer observer = {.size = sizeof observer, .error = NULL, .ctx = &freed,
                               .ctx_free = count_free};
    belay_disposable *d = NULL;
    CHECK_INT(belay_on_unhandled_error(NULL, NULL, NULL), 0);
    belay_signal_subscribe(signal, &observer, &d);
    belay_disposable_dispose(d);
    CHECK_FREED();
    belay_disposable_release(d);
    belay_signal_release(signal);
  }
  belay_last_error();
  belay_scheduler_release(scheduler);
  belay_loop_release(loop);
}

/* ---- callbacks that answer nonsense ---- */

static int answer;
static int answer_it(void *ctx, belay_value value) {
  (void)ctx;
  (void)value;
  return answer;
}
static int answer_both(void *ctx, belay_value a, belay_value b) {
  (void)b;
  return answer_it(ctx, a);
}
/* A failure without belay_fail() ends it with that code. */
static void codes_without_a_message(void) {
  static const int codes[] = {BELAY_EINVAL, BELAY_ENOENT, -1};
  static const char *const ends[] = {"error EINVAL | disposed | free",
                                     "error ENOENT | disposed | free",
                                     "error EPERM | disposed | free"};
  for (int i = 0; i < 3; i++) {
    answer = codes[i];
    run(belay_signal_chain(source(), belay_op_filter(answer_it, NULL, NULL)), ends[i]);
  }
  answer = INT_MIN;
  run(belay_signal_chain(source(), belay_op_filter(answer_it, NULL, NULL)),
      "error UNKNOWN | disposed | free");
  belay_value two[] = {belay_int32(1), belay_int32(2)};
  answer = BELAY_ENOENT;
  run(belay_signal_chain(belay_signal_from(two, 2),
                         belay_op_distinct_until_changed(answer_both, NULL, NULL)),
      "next 1 | error ENOENT | disposed | free");
}

static belay_value nothing(void *ctx, belay_value value) {
  (void)ctx;
  (void)value;
  return belay_null();
}
static void a_map_to_null(void) {
  run(belay_signal_chain(source(), belay_op_map(nothing, NULL, NULL)),
      "next null | completed | disposed | free");
}

static const test_case cases[] = {
    CASE(null_callbacks),
    CASE(null_parts),
    CASE(null_among_signals),
    CASE(null_in_chains),
    CASE(operators_given_back),
    CASE(odd_counts),
    CASE(counts_that_nothing_has),
    CASE(odd_times),
    CASE(schedulers_without_a_clock),
    CASE(until_an_owner_that_is_dead),
    CASE(on_a_loop_that_is_closed),
    CASE(codes_without_a_message),
    CASE(a_map_to_null),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
