/* observe_on and subscribe_on across threads: which callback runs where, and how it ends. */
#include "boundary.h"

/* A subject of a thread without a loop, observed on a loop. */
static void rule_1_2_below_runs_at_the_loop_above_where_one_subscribed(void) {
  start_both();
  belay_signal *subject = belay_subject_create(NULL);
  belay_observer observer = telling();
  belay_signal *signal = belay_signal_chain(belay_signal_retain(subject),
                                            belay_op_map(above, "main", NULL), to_lower(),
                                            belay_op_map(above, "lower", NULL));
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  CHECK_INT(belay_subject_next(subject, belay_int32(1)), 0);
  CHECK_INT(belay_subject_next(subject, belay_int32(2)), 0);
  CHECK_INT(belay_subject_completed(subject), 0);
  meet(&lower);
  CHECK_TRACE("lower next 1 | lower next 2 | lower completed | lower disposed");
  belay_signal_release(signal);
  belay_signal_release(subject);
  stop_both();
}

/* The chain above the boundary runs on the observer's loop. */
static void rule_1_2_the_observers_loop_is_above(void) {
  start_both();
  belay_source_options options = {.size = sizeof options, .loop = upper.loop};
  belay_signal *subject = belay_subject_create(&options);
  belay_observer observer = telling();
  observer.loop = upper.loop;
  belay_signal *signal = belay_signal_chain(belay_signal_retain(subject),
                                            belay_op_map(above, "upper", NULL), to_lower());
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  CHECK_INT(belay_subject_next(subject, belay_int32(1)), BELAY_QUEUED);
  meet(&upper);
  meet(&lower);
  CHECK_TRACE("lower next 1");
  belay_signal_release(subject);
  belay_signal_release(signal);
  meet(&upper);
  meet(&lower);
  /* The last handle went, which interrupts the subscription. */
  CHECK_TRACE("lower disposed");
  stop_both();
}

static belay_signal *same(void *ctx, belay_value value) {
  if (strcmp(here(), ctx) != 0) check_failed(__FILE__, __LINE__, "flat_map ran on %s", here());
  return belay_signal_just(belay_value_retain(value));
}

/* Operators that listen to other signals too run where the boundary delivers. The chain above needs
   no loop. */
static void rule_1_2_joins_below_are_at_the_loop(void) {
  start_both();
  belay_op *joins[] = {
      belay_op_throttle_while(belay_signal_never()),
      belay_op_timeout(belay_loop_get_scheduler(lower.loop), 600, NULL),
      belay_op_retry(2),
      belay_op_flat_map(BELAY_UNLIMITED, same, "lower", NULL),
      belay_op_switch_if_empty(belay_signal_never()),
      belay_op_sequence_equal(belay_signal_just(belay_int32(1)), NULL, NULL, NULL),
  };
  for (size_t i = 0; i < sizeof joins / sizeof *joins; i++) {
    belay_source_options options = {.size = sizeof options, .loop = upper.loop};
    belay_signal *subject = belay_subject_create(&options);
    belay_observer observer = telling();
    int is_verdict = i + 1 == sizeof joins / sizeof *joins;
    belay_disposable *subscription = NULL;
    belay_signal *signal =
        belay_signal_chain(belay_signal_retain(subject), to_lower(), joins[i],
                           is_verdict ? belay_op_map_to(belay_int32(1)) : belay_op_take(9));
    CHECK_INT(belay_signal_subscribe(signal, &observer, &subscription), 0);
    meet(&lower);
    meet(&upper);
    belay_subject_next(subject, belay_int32(1));
    belay_subject_completed(subject);
    meet(&upper);
    /* A value is posted by the upper loop, taken by the scheduler's work, and what came after it by
       further work. */
    for (int turn = 0; turn < 3; turn++) meet(&lower);
    CHECK_TRACE("lower next 1 | lower completed | lower disposed");
    CHECK_INT(belay_disposable_dispose_sync(subscription, -1), 0);
    belay_disposable_release(subscription);
    belay_signal_release(signal);
    belay_signal_release(subject);
  }
  stop_both();
}

static void disposed_from_above_and_elsewhere(void) {
  start_both();
  belay_signal *subject = belay_subject_create(NULL);
  belay_observer observer = telling();
  belay_disposable *subscription = NULL;
  belay_signal *signal = belay_signal_chain(belay_signal_retain(subject),
                                            belay_op_map(above, "main", NULL), to_lower());
  CHECK_INT(belay_signal_subscribe(signal, &observer, &subscription), 0);
  belay_subject_next(subject, belay_int32(1));
  meet(&lower);
  CHECK_INT(belay_disposable_dispose_sync(subscription, -1), 0);
  CHECK_TRACE("lower next 1 | lower disposed");
  belay_subject_next(subject, belay_int32(2));
  meet(&lower);
  CHECK_TRACE("");
  belay_disposable_release(subscription);
  belay_signal_release(signal);
  belay_signal_release(subject);
  stop_both();
}

static void the_end_comes_from_below(void) {
  start_both();
  belay_signal *subject = belay_subject_create(NULL);
  belay_observer observer = telling();
  belay_value first = belay_int32(0);
  belay_signal *signal =
      belay_signal_chain(belay_signal_retain(subject), belay_op_map(above, "main", NULL),
                         to_lower(), belay_op_start_with(&first, 1), belay_op_take(2));
  observer.loop = NULL;
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  meet(&lower);
  belay_subject_next(subject, belay_int32(1));
  belay_subject_next(subject, belay_int32(2));
  meet(&lower);
  /* Below an asynchronous boundary, an operator that sends when it starts has to be started there; from there
     no way leads back to a thread without a loop. */
  CHECK_TRACE("lower next 0 | lower error ENOHOME | lower disposed");
  belay_signal_release(signal);
  signal = belay_signal_chain(belay_signal_retain(subject), to_lower(), belay_op_take(1));
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  belay_subject_next(subject, belay_int32(3));
  belay_subject_next(subject, belay_int32(4));
  meet(&lower);
  CHECK_TRACE("lower next 3 | lower completed | lower disposed");
  belay_signal_release(signal);
  belay_signal_release(subject);
  stop_both();
}

static int sending;
static void send_without_end(void *subject) {
  while (__atomic_load_n(&sending, __ATOMIC_RELAXED)) {
    int code = belay_subject_next(subject, belay_string("a value in a box"));
    if (code < 0) sched_yield();
  }
}

/* Subscriptions come and go while values flow through two loops. */
static void disposed_in_a_flood(void) {
  start_both();
  belay_source_options options = {.size = sizeof options, .loop = upper.loop};
  belay_signal *subject = belay_subject_create(&options);
  belay_queue_options queue = {
      .size = sizeof queue, .policy = BELAY_QUEUE_DROP_OLDEST, .capacity = 8};
  belay_signal *signal =
      belay_signal_chain(belay_signal_retain(subject), belay_op_map(above, "upper", NULL),
                         belay_op_observe_on(belay_loop_get_scheduler(lower.loop), &queue),
                         belay_op_map(above, "lower", NULL));
  routine sender;
  sending = 1;
  start_thread(&sender, send_without_end, subject);
  for (int i = 0; i < 3000; i++) {
    belay_observer observer = {.size = sizeof observer,
                               .next = count_value,
                               .ctx = calloc(1, sizeof(int)),
                               .ctx_free = free,
                               .loop = upper.loop};
    belay_disposable *subscription = NULL;
    CHECK_INT(belay_signal_subscribe(signal, &observer, &subscription), 0);
    if (i % 3 == 0) sched_yield();
    if (i % 3 == 1) meet(&lower);
    CHECK_INT(belay_disposable_dispose_sync(subscription, -1), 0);
    belay_disposable_release(subscription);
  }
  __atomic_store_n(&sending, 0, __ATOMIC_RELAXED);
  join_thread(&sender);
  belay_signal_release(signal);
  belay_signal_release(subject);
  meet(&upper);
  stop_both();
}

static void a_closing_loop_ends_what_is_below(void) {
  start_both();
  belay_signal *subject = belay_subject_create(NULL);
  belay_observer observer = telling();
  belay_signal *signal = belay_signal_chain(belay_signal_retain(subject), to_lower());
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  lower.left = 1;
  stop_worker(&lower);
  lower.loop = NULL;
  lower.left = 0;
  belay_subject_next(subject, belay_string("lost"));
  CHECK(strstr(trace_text(), "disposed") != NULL);
  CHECK(strstr(trace_text(), "next") == NULL);
  trace_clear();
  belay_signal_release(signal);
  belay_signal_release(subject);
  stop_worker(&upper);
}

/* ---- subscribe_on ---- */

static belay_disposable *produce(void *ctx, belay_subscriber *subscriber) {
  (void)ctx;
  if (strcmp(here(), "upper") != 0) check_failed(__FILE__, __LINE__, "produced on %s", here());
  belay_subscriber_next(subscriber, belay_int32(1));
  belay_subscriber_next(subscriber, belay_int32(2));
  belay_subscriber_completed(subscriber);
  return NULL;
}

static void subscribe_below(void *signal) {
  belay_observer observer = telling();
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
}

static void the_producer_runs_at_the_other_loop(void) {
  start_both();
  belay_signal *signal =
      belay_signal_chain(belay_signal_create(produce, NULL, NULL, NULL),
                         belay_op_map(above, "upper", NULL),
                         belay_op_subscribe_on(belay_loop_get_scheduler(upper.loop)),
                         belay_op_map(above, "lower", NULL));
  on_worker(&lower, subscribe_below, signal);
  meet(&upper);
  meet(&lower);
  CHECK_TRACE("lower next 1 | lower next 2 | lower completed | lower disposed");
  /* A thread without a loop could not be told. */
  belay_observer observer = telling();
  CHECK_FAILS(belay_signal_subscribe(signal, &observer, NULL), BELAY_ENOHOME);
  trace_clear();
  belay_signal_release(signal);
  stop_both();
}

static void bad_arguments(void) {
  CHECK(belay_op_observe_on(NULL, NULL) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
  belay_queue_options options = {.size = sizeof options, .policy = (belay_queue_policy)9};
  CHECK(belay_op_observe_on(belay_scheduler_immediate(), &options) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
  options = (belay_queue_options){.size = 1};
  CHECK(belay_op_observe_on(belay_scheduler_immediate(), &options) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
  CHECK(belay_op_subscribe_on(NULL) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
  watch(belay_signal_chain(numbers(1, 2), belay_op_observe_on(belay_scheduler_immediate(), NULL)),
        "");
  CHECK_TRACE("next 1 | next 2 | completed | disposed | free");
}

static const test_case cases[] = {
    CASE(rule_1_2_below_runs_at_the_loop_above_where_one_subscribed),
    CASE(rule_1_2_the_observers_loop_is_above),
    CASE(rule_1_2_joins_below_are_at_the_loop),
    CASE(disposed_from_above_and_elsewhere),
    CASE(the_end_comes_from_below),
    CASE(disposed_in_a_flood),
    CASE(a_closing_loop_ends_what_is_below),
    CASE(the_producer_runs_at_the_other_loop),
    CASE(bad_arguments),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
