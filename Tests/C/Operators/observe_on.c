/* observe_on and subscribe_on across threads: which callback runs where, queues, ends. */
#include "worker.h"

static worker lower, upper;

static const char *here(void) {
  if (lower.loop && is_on(&lower)) return "lower";
  return upper.loop && is_on(&upper) ? "upper" : "main";
}

static void start_both(void) {
  lower = upper = (worker){0};
  start_worker(&lower);
  start_worker(&upper);
}

static void stop_both(void) {
  stop_worker(&upper);
  stop_worker(&lower);
}

static belay_value above(void *ctx, belay_value value) {
  if (strcmp(here(), ctx) != 0) check_failed(__FILE__, __LINE__, "map ran on %s", here());
  return belay_value_retain(value);
}

static void next_below(void *ctx, belay_value value) {
  (void)ctx;
  trace("%s next %d", here(), (int)int_of(value));
}
static void completed_below(void *ctx) {
  (void)ctx;
  trace("%s completed", here());
}
static void error_below(void *ctx, const belay_error *error) {
  (void)ctx;
  trace("%s error %s", here(), belay_error_name(belay_error_code(error)));
}
static void disposed_below(void *ctx) {
  (void)ctx;
  trace("%s disposed", here());
}
static belay_observer telling(void) {
  return (belay_observer){.size = sizeof(belay_observer),
                          .next = next_below,
                          .error = error_below,
                          .completed = completed_below,
                          .disposed = disposed_below};
}

static belay_op *to_lower(void) {
  return belay_op_observe_on(belay_loop_get_scheduler(lower.loop), NULL);
}

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

static sem_t gate;
static void wait_at_gate(void *ctx) {
  (void)ctx;
  wait_for(&gate);
}

static void overflow(belay_queue_policy policy, const char *expected) {
  start_both();
  sem_init(&gate, 0, 0);
  size_t most = 0;
  belay_queue_options options = {
      .size = sizeof options, .policy = policy, .capacity = 2, .high_water = &most};
  belay_signal *subject = belay_subject_create(NULL);
  belay_observer observer = telling();
  belay_signal *signal =
      belay_signal_chain(belay_signal_retain(subject),
                         belay_op_observe_on(belay_loop_get_scheduler(lower.loop), &options));
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  CHECK_INT(belay_loop_post(lower.loop, wait_at_gate, NULL, NULL), 0);
  if (policy == BELAY_QUEUE_BLOCK) sem_post(&gate);
  for (int i = 1; i <= 4; i++) belay_subject_next(subject, belay_int32(i));
  belay_subject_completed(subject);
  if (policy != BELAY_QUEUE_BLOCK) sem_post(&gate);
  meet(&lower);
  meet(&lower);
  CHECK_TRACE(expected);
  CHECK(most <= 2 && most > 0);
  belay_signal_release(signal);
  belay_signal_release(subject);
  stop_both();
  sem_destroy(&gate);
}

static void rule_1_2_a_full_queue_is_an_error(void) {
  overflow(BELAY_QUEUE_ERROR,
           "lower next 1 | lower next 2 | lower error EAGAIN | lower disposed");
}
static void rule_1_2_a_full_queue_drops_the_oldest(void) {
  overflow(BELAY_QUEUE_DROP_OLDEST,
           "lower next 3 | lower next 4 | lower completed | lower disposed");
}
static void rule_1_2_a_full_queue_drops_the_newest(void) {
  overflow(BELAY_QUEUE_DROP_NEWEST,
           "lower next 1 | lower next 2 | lower completed | lower disposed");
}
static void rule_1_2_the_latest_alone_waits(void) {
  overflow(BELAY_QUEUE_LATEST, "lower next 4 | lower completed | lower disposed");
}
static void rule_1_2_a_full_queue_blocks_its_sender(void) {
  overflow(BELAY_QUEUE_BLOCK, "lower next 1 | lower next 2 | lower next 3 | lower next 4 | "
                              "lower completed | lower disposed");
}

static void sum_up(void *sum, belay_value value) { *(int64_t *)sum += int_of(value); }
static void signal_gate(void *ctx) {
  (void)ctx;
  sem_post(&gate);
}

static void a_million_values_through_a_small_queue(void) {
  start_both();
  sem_init(&gate, 0, 0);
  int64_t sum = 0;
  belay_queue_options options = {
      .size = sizeof options, .policy = BELAY_QUEUE_BLOCK, .capacity = 64};
  belay_signal *subject = belay_subject_create(NULL);
  belay_observer observer = {
      .size = sizeof observer, .next = sum_up, .disposed = signal_gate, .ctx = &sum};
  belay_signal *signal =
      belay_signal_chain(belay_signal_retain(subject),
                         belay_op_observe_on(belay_loop_get_scheduler(lower.loop), &options));
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  for (int i = 0; i < 1000000; i++) belay_subject_next(subject, belay_int32(i % 1000));
  belay_subject_completed(subject);
  wait_for(&gate);
  meet(&lower);
  CHECK_INT(sum, 499500000);
  belay_signal_release(signal);
  belay_signal_release(subject);
  stop_both();
  sem_destroy(&gate);
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

/* ---- a thread that sleeps in the call that subscribes, while the lower loop closes ---- */

static void run_until_closed(void *argument) {
  belay_loop_options options = {.size = sizeof options, .persistent = 1};
  lower.thread = pthread_self();
  lower.loop = belay_loop_create(&options);
  sem_post(&lower.ready);
  CHECK_INT(belay_loop_run(lower.loop, BELAY_RUN_DEFAULT), 0);
  belay_loop_release(lower.loop);
}

static void close_at_gate(void *found) {
  sem_post(found);
  wait_for(&gate);
  CHECK_INT(belay_loop_close(lower.loop, expect_left, &lower, NULL), 0);
}

/* The first value fills the queue. The loop, which then closes, never takes it out. */
static belay_disposable *produce_too_much(void *ctx, belay_subscriber *subscriber) {
  sem_t found;
  sem_init(&found, 0, 0);
  meet(&lower);
  CHECK_INT(belay_loop_post(lower.loop, close_at_gate, &found, NULL), 0);
  wait_for(&found);
  for (int i = 1; i <= 3; i++) {
    belay_subscriber_next(subscriber, belay_int32(i));
    if (i == 1) sem_post(&gate);
  }
  belay_subscriber_completed(subscriber);
  sem_destroy(&found);
  trace("produced");
  return NULL;
}

static void a_closing_loop_lets_a_sender_go_on_that_subscribes(void) {
  lower = upper = (worker){.left = 1};
  sem_init(&lower.ready, 0, 0);
  start_thread(&lower.routine, run_until_closed, NULL);
  wait_for(&lower.ready);
  sem_init(&gate, 0, 0);
  belay_queue_options options = {
      .size = sizeof options, .policy = BELAY_QUEUE_BLOCK, .capacity = 1};
  belay_signal *signal =
      belay_signal_chain(belay_signal_create(produce_too_much, NULL, NULL, NULL),
                         belay_op_observe_on(belay_loop_get_scheduler(lower.loop), &options));
  int ended = 0;
  belay_observer observer = {
      .size = sizeof observer, .next = next_below, .ctx = &ended, .ctx_free = count_free};
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  join_thread(&lower.routine);
  CHECK_INT(ended, 1);
  CHECK_TRACE("produced");
  belay_signal_release(signal);
  sem_destroy(&lower.ready);
  sem_destroy(&gate);
}

/* ---- a producer that runs in the call that subscribes ---- */

static belay_disposable *produce_without_end(void *ctx, belay_subscriber *subscriber) {
  (void)ctx;
  int sent = 0;
  while (!belay_subscriber_is_disposed(subscriber)) {
    belay_subscriber_next(subscriber, belay_int32(1));
    if (++sent == 3) sem_post(&gate);
  }
  trace("told");
  return NULL;
}

static void subscribe_to_it(void *owner) {
  belay_queue_options options = {
      .size = sizeof options, .policy = BELAY_QUEUE_DROP_OLDEST, .capacity = 2};
  belay_signal *signal =
      belay_signal_chain(belay_signal_create(produce_without_end, NULL, NULL, NULL),
                         belay_op_observe_on(belay_loop_get_scheduler(lower.loop), &options));
  belay_observer observer = {.size = sizeof observer, .owner = owner};
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  belay_signal_release(signal);
}

static void a_producer_above_is_told_of_a_disposal_while_it_starts(void) {
  start_both();
  sem_init(&gate, 0, 0);
  belay_owner *owner = belay_owner_create(NULL, NULL, NULL, NULL);
  routine subscriber;
  start_thread(&subscriber, subscribe_to_it, owner);
  wait_for(&gate);
  belay_owner_release(owner);
  join_thread(&subscriber);
  CHECK_TRACE("told");
  meet(&lower);
  stop_both();
  sem_destroy(&gate);
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
    CASE(rule_1_2_a_full_queue_is_an_error),
    CASE(rule_1_2_a_full_queue_drops_the_oldest),
    CASE(rule_1_2_a_full_queue_drops_the_newest),
    CASE(rule_1_2_the_latest_alone_waits),
    CASE(rule_1_2_a_full_queue_blocks_its_sender),
    CASE(a_million_values_through_a_small_queue),
    CASE(disposed_in_a_flood),
    CASE(a_closing_loop_ends_what_is_below),
    CASE(a_closing_loop_lets_a_sender_go_on_that_subscribes),
    CASE(a_producer_above_is_told_of_a_disposal_while_it_starts),
    CASE(the_producer_runs_at_the_other_loop),
    CASE(bad_arguments),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
