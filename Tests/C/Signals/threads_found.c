/* Faults between threads that were found by others, as cases: nothing is lost, and nothing is left
   behind. */
#include "worker.h"

static int heard, disposed, freed;
static void count_next(void *ctx, belay_value value) {
  (void)ctx, (void)value;
  heard++;
}
static void count_disposed(void *ctx) {
  (void)ctx;
  disposed++;
}
static void count_freed(void *ctx) {
  (void)ctx;
  freed++;
}
static belay_observer counting(void) {
  heard = disposed = freed = 0;
  return (belay_observer){.size = sizeof(belay_observer),
                          .next = count_next,
                          .disposed = count_disposed,
                          .ctx = &heard,
                          .ctx_free = count_freed};
}

enum { SENDS = 5000 };
static void send_many(void *subject) {
  for (int i = 0; i < SENDS; i++) CHECK(belay_subject_next(subject, belay_int32(i)) >= 0);
}

/* A merge of shared subjects, subscribed to on a thread without a loop. */
static void rule_1_2_a_join_of_shared_subjects_loses_nothing(void) {
  belay_source_options options = {.size = sizeof options, .shared = 1};
  belay_signal *first = belay_subject_create(&options), *second = belay_subject_create(&options);
  belay_signal *both[] = {belay_signal_retain(first), belay_signal_retain(second)};
  belay_signal *merged = belay_signal_merge(both, 2);
  belay_observer observer = counting();
  belay_disposable *subscription = NULL;
  CHECK_INT(belay_signal_subscribe(merged, &observer, &subscription), 0);
  in_thread(send_many, first);
  in_thread(send_many, second);
  CHECK_INT(heard, 2 * SENDS);
  belay_disposable_dispose(subscription);
  CHECK_INT(freed, 1);
  belay_disposable_release(subscription);
  belay_signal_release(merged);
  belay_signal_release(first);
  belay_signal_release(second);
}

/* A flattening operator ends with an error when it gets a signal that a thread without a loop
   cannot hear. */
static belay_signal *inner;
static belay_signal *answer_inner(void *ctx, belay_value value) {
  (void)ctx, (void)value;
  return belay_signal_retain(inner);
}
static int failed_with;
static void note_error(void *ctx, const belay_error *error) {
  (void)ctx;
  failed_with = belay_error_code(error);
}
static void a_shared_signal_that_cannot_be_heard_here_is_an_error(void) {
  belay_source_options options = {.size = sizeof options, .shared = 1};
  inner = belay_subject_create(&options);
  belay_signal *outer =
      belay_signal_chain(belay_signal_just(belay_int32(1)),
                         belay_op_flat_map(BELAY_UNLIMITED, answer_inner, NULL, NULL));
  belay_observer observer = counting();
  observer.error = note_error;
  failed_with = 0;
  CHECK_INT(belay_signal_subscribe(outer, &observer, NULL), 0);
  CHECK_INT(failed_with, BELAY_ENOHOME);
  CHECK_INT(freed, 1);
  belay_signal_release(outer);
  belay_signal_release(inner);
}

/* ---- a loop closes ---- */
static belay_signal *subject;
static int with_operator, code_there;
static void subscribe_there(void *ignored) {
  (void)ignored;
  belay_loop *mine = open_loop();
  belay_signal *signal = belay_signal_retain(subject);
  if (with_operator)
    signal = belay_signal_chain(signal, belay_op_map(same_value, NULL, count_freed));
  belay_observer observer = counting();
  code_there = belay_signal_subscribe(signal, &observer, NULL);
  belay_signal_release(signal);
  close_loop(mine);
}
static void a_start_at_a_closed_loop_leaves_nothing(void) {
  belay_loop *loop = open_loop();
  subject = belay_subject_create(NULL);
  close_loop(loop);
  for (with_operator = 0; with_operator < 2; with_operator++) {
    in_thread(subscribe_there, NULL);
    CHECK_INT(code_there, BELAY_ECANCELED);
    CHECK_INT(disposed, 0);
    CHECK_INT(freed, 1 + with_operator);
  }
  belay_signal_release(subject);
}

static worker other;
static belay_disposable *held;
static void subscribe_here(void *ignored) {
  (void)ignored;
  belay_observer observer = counting();
  CHECK_INT(belay_signal_subscribe(subject, &observer, &held), 0);
}
static void a_closing_source_interrupts_a_start_on_its_way(void) {
  start_worker(&other);
  belay_loop *loop = open_loop();
  subject = belay_subject_create(NULL);
  on_worker(&other, subscribe_here, NULL);
  close_loop(loop);
  meet(&other);
  CHECK_INT(disposed, 1);
  CHECK_INT(freed, 1);
  belay_disposable_release(held);
  belay_signal_release(subject);
  stop_worker(&other);
}

static void a_closing_loop_ends_subscriptions_to_sources_elsewhere(void) {
  start_worker(&other);
  belay_loop *loop = open_loop();
  subject = belay_subject_create(NULL);
  on_worker(&other, subscribe_here, NULL);
  belay_loop_run(loop, BELAY_RUN_NOWAIT);
  CHECK_INT(belay_subject_count(subject), 1);
  other.left = 1;
  stop_worker(&other);
  other.left = 0;
  CHECK_INT(disposed, 1);
  CHECK_INT(freed, 1);
  belay_loop_run(loop, BELAY_RUN_NOWAIT);
  CHECK_INT(belay_subject_count(subject), 0);
  belay_disposable_release(held);
  belay_signal_release(subject);
  close_loop(loop);
}

static int code_inside;
static void begin_another(void *ctx) {
  (void)ctx;
  belay_signal *never = belay_signal_never();
  belay_observer observer = counting();
  code_inside = belay_signal_subscribe(never, &observer, NULL);
  belay_signal_release(never);
}
static void count_left(void *ctx, const belay_open_resource *const *left, size_t count) {
  (void)left;
  *(size_t *)ctx = count;
}
/* A pool's timers belong to its loop. */
static void a_closing_loop_ends_what_waits_for_its_pools_time(void) {
  belay_loop *loop = open_loop();
  belay_scheduler *pool = belay_scheduler_create_pool(loop);
  belay_signal *waits =
      belay_signal_chain(belay_signal_never(), belay_op_observe_on(pool, NULL),
                         belay_op_delay_subscription(pool, 1000));
  belay_signal *follows =
      belay_signal_chain(belay_signal_just(belay_null()), belay_op_observe_on(pool, NULL),
                         belay_op_delay_subscription(pool, 0.001));
  belay_observer observer = counting();
  belay_observer stopping = {
      .size = sizeof stopping, .completed = stop_loop, .ctx = loop};
  CHECK_INT(belay_signal_subscribe(waits, &observer, NULL), 0);
  CHECK_INT(belay_signal_subscribe(follows, &stopping, NULL), 0);
  belay_signal_release(waits);
  belay_signal_release(follows);
  run_until_stopped(loop);
  size_t left = 0;
  CHECK_INT(belay_loop_close(loop, count_left, &left, NULL), 0);
  CHECK_INT(disposed, 1);
  CHECK_INT(freed, 1);
  belay_scheduler_release(pool);
  belay_loop_release(loop);
}

static void a_closing_loop_takes_its_times_back_from_elsewhere(void) {
  start_worker(&other);
  belay_loop *loop = open_loop();
  belay_signal *waits =
      belay_signal_chain(belay_signal_never(),
                         belay_op_delay_subscription(belay_loop_get_scheduler(other.loop), 1000));
  belay_observer observer = counting();
  CHECK_INT(belay_signal_subscribe(waits, &observer, NULL), 0);
  belay_signal_release(waits);
  meet(&other);
  size_t left = 0;
  CHECK_INT(belay_loop_close(loop, count_left, &left, NULL), 0);
  CHECK_INT(disposed, 1);
  CHECK_INT(freed, 1);
  belay_loop_release(loop);
  stop_worker(&other); /* its close finds nothing */
}

/* The start has posted the subscription to the loop, where it arrives after the disposal. */
static sem_t subscribed;
static void dispose_when_subscribed(void *ctx) {
  (void)ctx;
  wait_for(&subscribed);
  belay_disposable_dispose(held);
}
static void what_has_left_its_loop_before_that_knew_of_it_is_not_kept(void) {
  sem_init(&subscribed, 0, 0);
  start_worker(&other);
  subject = belay_subject_create(NULL);
  CHECK_INT(belay_loop_post(other.loop, dispose_when_subscribed, NULL, NULL), 0);
  belay_observer observer = counting();
  observer.loop = other.loop;
  CHECK_INT(belay_signal_subscribe(subject, &observer, &held), 0);
  sem_post(&subscribed);
  meet(&other);
  CHECK_INT(freed, 1);
  stop_worker(&other);
  belay_disposable_release(held);
  belay_signal_release(subject);
  sem_destroy(&subscribed);
}

static void nothing_begins_at_a_closing_loop(void) {
  belay_loop *loop = open_loop();
  subject = belay_subject_create(NULL);
  belay_observer observer = {.size = sizeof observer, .disposed = begin_another};
  CHECK_INT(belay_signal_subscribe(subject, &observer, NULL), 0);
  size_t left = 0;
  CHECK_INT(belay_loop_close(loop, count_left, &left, NULL), 0);
  CHECK_INT(left, 1);
  CHECK_INT(code_inside, BELAY_ECANCELED);
  CHECK_INT(disposed, 0);
  CHECK_INT(freed, 1);
  belay_signal_release(subject);
  belay_loop_release(loop);
}

/* ---- a connection ---- */
static belay_signal *connectable;
static void connect_and_dispose(void *ignored) {
  (void)ignored;
  belay_disposable *connection = NULL;
  CHECK_INT(belay_signal_connect(connectable, &connection), 0);
  belay_disposable_dispose(connection);
  belay_disposable_release(connection);
}
static void a_connection_disposed_of_on_its_way_interrupts(void) {
  belay_loop *loop = open_loop();
  connectable = belay_signal_publish(belay_signal_never());
  belay_observer observer = counting();
  CHECK_INT(belay_signal_subscribe(connectable, &observer, NULL), 0);
  in_thread(connect_and_dispose, NULL);
  belay_loop_run(loop, BELAY_RUN_NOWAIT);
  CHECK_INT(disposed, 1);
  CHECK_INT(freed, 1);
  belay_signal_release(connectable);
  close_loop(loop);
}

/* ---- a thread without a loop that has ended ---- */
static int replays;
static void make_and_subscribe(void *ignored) {
  (void)ignored;
  subject = replays ? belay_subject_create_replay(NULL, -1, 3, NULL)
                    : belay_subject_create_behavior(belay_string("x"), NULL);
  if (replays) CHECK_INT(belay_subject_next(subject, belay_string("y")), 0);
  belay_observer observer = counting();
  CHECK_INT(belay_signal_subscribe(subject, &observer, &held), 0);
}
static void a_subject_of_an_ended_thread_goes_with_what_it_keeps(void) {
  for (replays = 0; replays < 2; replays++) {
    in_thread(make_and_subscribe, NULL);
    belay_disposable_dispose(held);
    CHECK_INT(freed, 1);
    belay_disposable_release(held);
    belay_signal_release(subject);
    CHECK_INT(belay_live_count(BELAY_LIVE_VALUES), 0);
  }
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      CASE(rule_1_2_a_join_of_shared_subjects_loses_nothing),
      CASE(a_shared_signal_that_cannot_be_heard_here_is_an_error),
      CASE(a_start_at_a_closed_loop_leaves_nothing),
      CASE(a_closing_source_interrupts_a_start_on_its_way),
      CASE(a_closing_loop_ends_subscriptions_to_sources_elsewhere),
      CASE(a_closing_loop_ends_what_waits_for_its_pools_time),
      CASE(a_closing_loop_takes_its_times_back_from_elsewhere),
      CASE(what_has_left_its_loop_before_that_knew_of_it_is_not_kept),
      CASE(nothing_begins_at_a_closing_loop),
      CASE(a_connection_disposed_of_on_its_way_interrupts),
      CASE(a_subject_of_an_ended_thread_goes_with_what_it_keeps),
  };
  return RUN_CASES(cases);
}
