/* The queue of observe_on: when it is full, and senders still in the call that subscribes. */
#include "boundary.h"

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

static const test_case cases[] = {
    CASE(rule_1_2_a_full_queue_is_an_error),
    CASE(rule_1_2_a_full_queue_drops_the_oldest),
    CASE(rule_1_2_a_full_queue_drops_the_newest),
    CASE(rule_1_2_the_latest_alone_waits),
    CASE(rule_1_2_a_full_queue_blocks_its_sender),
    CASE(a_million_values_through_a_small_queue),
    CASE(a_closing_loop_lets_a_sender_go_on_that_subscribes),
    CASE(a_producer_above_is_told_of_a_disposal_while_it_starts),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
