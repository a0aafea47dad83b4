/* The bounds and the marks of what waits elsewhere than in an operator's queue of values: values that are sent
   from inside a delivery, between two loops, in sources, behind replays, in executions. */
#include "worker.h"

static belay_signal *source;
static belay_scheduler *clock_;
static char message_[200];
static int passed, failed;

static void note_error(void *ctx, const belay_error *error) {
  failed = belay_error_code(error);
  snprintf(message_, sizeof message_, "%s", belay_error_message(error));
}
static belay_disposable *follow(belay_signal *signal,
                                void (*next)(void *, belay_value)) {
  belay_disposable *subscription = NULL;
  passed = failed = message_[0] = 0;
  belay_observer observer = {.size = sizeof observer, .next = next, .error = note_error};
  CHECK_INT(belay_signal_subscribe(signal, &observer, &subscription), 0);
  return subscription;
}
static void count_one(void *ctx, belay_value value) { passed++; }

/* ---- values from inside a delivery, where a timer or a second signal is ---- */

static belay_op *make_take_until(void) { return belay_op_take_until(belay_signal_never()); }
static belay_op *make_skip_until(void) { return belay_op_skip_until(belay_signal_just(belay_null())); }
static belay_op *make_take_for(void) { return belay_op_take_for(clock_, 1e6); }
static belay_op *make_skip_for(void) { return belay_op_skip_for(clock_, 1); }
static belay_op *make_buffer(void) { return belay_op_buffer(1); }
static belay_op *make_buffer_time(void) { return belay_op_buffer_time(clock_, 1e6, 1); }
static belay_op *make_window_time(void) { return belay_op_window_time(clock_, 1e6, 1); }
static belay_op *make_throttle(void) { return belay_op_throttle(clock_, 1, 0, 1); }
static belay_op *make_debounce(void) { return belay_op_debounce(clock_, 1); }
static belay_op *make_audit(void) { return belay_op_audit(clock_, 1); }
static belay_op *make_delay_subscription(void) { return belay_op_delay_subscription(clock_, 1); }

static const struct {
  const char *name;
  belay_op *(*make)(void);
} gates[] = {
    {"take_until", make_take_until},   {"skip_until", make_skip_until},
    {"take_for", make_take_for},       {"skip_for", make_skip_for},
    {"buffer", make_buffer},           {"buffer_time", make_buffer_time},
    {"window_time", make_window_time}, {"throttle", make_throttle},
    {"debounce", make_debounce},       {"audit", make_audit},
    {"delay_subscription", make_delay_subscription},
};

static int from_inside;
static void send_from_inside(void *ctx, belay_value value) {
  passed++;
  int count = from_inside;
  from_inside = 0;
  for (int i = 0; i < count; i++) {
    belay_subject_next(source, belay_int32(2));
    belay_scheduler_advance(clock_, 1);
  }
}

/* The subscriber sends `count` values from inside its first one. */
static void play_gate(size_t row, const belay_queue_options *options, int count) {
  belay_source_options at_once = {
      .size = sizeof at_once, .reentrancy = BELAY_REENTRANCY_DEPTH_FIRST};
  source = belay_subject_create(&at_once);
  clock_ = belay_scheduler_create_virtual();
  belay_signal *signal = belay_signal_chain(also(source), gates[row].make());
  int capacity = 1024;
  if (options) {
    CHECK_INT(belay_signal_set_queue(signal, options), 0);
    capacity = (int)options->capacity;
  }
  belay_disposable *subscription = follow(signal, send_from_inside);
  belay_scheduler_advance(clock_, 2);
  passed = 0;
  from_inside = count;
  CHECK_INT(send_to(source, 1), 0);
  belay_scheduler_advance(clock_, 2);
  int fits = count <= capacity, most = fits ? count : capacity;
  char expected[200] = "";
  if (!fits)
    snprintf(expected, sizeof expected,
             "the queue of %s was full; belay_signal_set_queue() gives it more room or drops values",
             gates[row].name);
  if (passed != most + 1 || failed != (fits ? 0 : BELAY_EAGAIN))
    check_failed(__FILE__, __LINE__, "%s, %d from inside: %d values, code %d", gates[row].name, count,
                 passed, failed);
  CHECK_STRING(message_, expected);
  CHECK_INT(belay_disposable_is_disposed(subscription), !fits);
  CHECK_INT(belay_signal_queue_high_water(signal), most);
  if (options) CHECK_INT(*options->high_water, most);
  belay_signal_release(signal);
  end_subscription(subscription);
  belay_signal_release(source);
  belay_scheduler_release(clock_);
}

static void values_from_inside_are_bounded_where_a_timer_or_a_signal_is(void) {
  for (size_t i = 0; i < sizeof gates / sizeof *gates; i++) {
    size_t mark = 0;
    belay_queue_options options = {.size = sizeof options, .capacity = 2000, .high_water = &mark};
    play_gate(i, NULL, 1024);
    play_gate(i, NULL, 1025);
    play_gate(i, &options, 1500);
    // What has come must not be dropped: each policy is an error.
    for (int policy = BELAY_QUEUE_ERROR; policy <= BELAY_QUEUE_BLOCK; policy++) {
      options.policy = (belay_queue_policy)policy;
      options.capacity = 3;
      mark = 0;
      play_gate(i, &options, 4);
    }
  }
}

/* ---- between the loops of subscribe_on ---- */

typedef struct producer {
  int count;
  sem_t filled;
} producer;
static belay_disposable *send_all(void *ctx, belay_subscriber *subscriber) {
  producer *it = ctx;
  for (int i = 1; i <= it->count; i++) belay_subscriber_next(subscriber, belay_int32(i));
  belay_subscriber_completed(subscriber);
  sem_post(&it->filled);
  return NULL;
}
static void trace_value(void *ctx, belay_value value) {
  passed++;
  if (passed <= 5) trace("%d", int_of(value));
}
static void tell_completed(void *ctx) { trace("completed"); }
static void trace_error(void *ctx, const belay_error *error) {
  note_error(ctx, error);
  trace("%s", belay_error_name(failed));
}
static void play_subscribe_on(const belay_queue_options *options, int count, const char *expected,
                              size_t most) {
  belay_loop *here = open_loop();
  worker there = {0};
  producer sender = {.count = count};
  sem_init(&sender.filled, 0, 0);
  start_worker(&there);
  belay_signal *signal =
      belay_signal_chain(belay_signal_create(send_all, &sender, NULL, NULL),
                         belay_op_subscribe_on(belay_loop_get_scheduler(there.loop)));
  if (options) CHECK_INT(belay_signal_set_queue(signal, options), 0);
  belay_observer observer = {.size = sizeof observer,
                             .next = trace_value,
                             .error = trace_error,
                             .completed = tell_completed};
  passed = failed = message_[0] = 0;
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  wait_for(&sender.filled);
  CHECK_INT(belay_signal_queue_high_water(signal), most);
  run_to_end(here);
  CHECK_TRACE(expected);
  belay_signal_release(signal);
  stop_worker(&there);
  close_loop(here);
  sem_destroy(&sender.filled);
}
static void subscribe_on_by_policy(belay_queue_policy policy, size_t capacity, const char *expected) {
  size_t mark = 0;
  belay_queue_options options = {
      .size = sizeof options, .policy = policy, .capacity = capacity, .high_water = &mark};
  size_t most = policy == BELAY_QUEUE_LATEST ? 1 : capacity < 5 ? capacity : 5;
  play_subscribe_on(&options, 5, expected, most);
  CHECK_INT(mark, most);
}
static void subscribe_on_has_each_policy(void) {
  subscribe_on_by_policy(BELAY_QUEUE_DROP_OLDEST, 3, "3 | 4 | 5 | completed");
  subscribe_on_by_policy(BELAY_QUEUE_DROP_NEWEST, 3, "1 | 2 | 3 | completed");
  subscribe_on_by_policy(BELAY_QUEUE_LATEST, 3, "5 | completed");
  subscribe_on_by_policy(BELAY_QUEUE_ERROR, 3, "1 | 2 | 3 | EAGAIN");
  // The sender's thread has a loop, and must not sleep.
  subscribe_on_by_policy(BELAY_QUEUE_BLOCK, 3, "1 | 2 | 3 | EAGAIN");
  subscribe_on_by_policy(BELAY_QUEUE_ERROR, 5, "1 | 2 | 3 | 4 | 5 | completed");
  subscribe_on_by_policy(BELAY_QUEUE_DROP_NEWEST, BELAY_UNLIMITED,
                         "1 | 2 | 3 | 4 | 5 | completed");
}
static void subscribe_on_takes_1024_values(void) {
  play_subscribe_on(NULL, 1024, "1 | 2 | 3 | 4 | 5 | completed", 1024);
  CHECK_INT(passed, 1024);
  play_subscribe_on(NULL, 1025, "1 | 2 | 3 | 4 | 5 | EAGAIN", 1024);
  CHECK_INT(passed, 1024);
  CHECK_STRING(message_, "the queue of subscribe_on was full; belay_signal_set_queue() gives it more room "
                         "or drops values");
}

/* ---- sources ---- */

static belay_property *property;
static void fill_property(void *ctx, belay_value value) {
  passed++;
  int count = from_inside;
  from_inside = 0;
  for (int i = 0; i < count; i++) belay_property_set(property, belay_int32(10 + i));
}
static void send_three(void *ctx, belay_value value) {
  if (passed++ > 0) return;
  CHECK_INT(send_to(source, 2), BELAY_QUEUED);
  CHECK_INT(send_to(source, 3), BELAY_QUEUED);
  CHECK_INT(send_to(source, 4), BELAY_EAGAIN);
  check_last_error(BELAY_EAGAIN);
}
static void a_source_has_a_mark(void) {
  belay_source_options two = {.size = sizeof two, .capacity = 2};
  source = belay_subject_create(&two);
  CHECK_INT(belay_signal_queue_high_water(source), 0);
  belay_disposable *subscription = follow(source, send_three);
  send_int(source, 1);
  CHECK_INT(passed, 3);
  CHECK_INT(belay_signal_queue_high_water(source), 2);
  send_int(source, 5);
  CHECK_INT(belay_signal_queue_high_water(source), 2);
  CHECK_INT(belay_signal_set_queue(source, NULL), BELAY_EINVAL);
  check_last_error(BELAY_EINVAL);
  end_subscription(subscription);
  belay_signal_release(source);

  property = belay_property_create(belay_int32(0), NULL);
  belay_signal *changes = belay_property_signal(property);
  from_inside = 0;
  subscription = follow(changes, fill_property);
  from_inside = 4;
  CHECK_INT(belay_property_set(property, belay_int32(1)), 0);
  CHECK_INT(belay_signal_queue_high_water(changes), 4);
  end_subscription(subscription);
  belay_signal_release(changes);
  belay_property_release(property);
}

/* A shared source: this thread is inside, and another one sends. */
static int codes[8];
static void send_meanwhile(void *count) {
  for (int i = 0; i < *(int *)count; i++) {
    codes[i] = send_to(source, i);
    belay_last_error();
  }
}
static void let_another_thread_send(void *ctx, belay_value value) {
  if (passed++ == 0) in_thread(send_meanwhile, &from_inside);
}
static void the_capacity_of_a_shared_source_is_that_of_all_threads(void) {
  belay_source_options shared = {.size = sizeof shared, .capacity = 3, .shared = 1};
  source = belay_subject_create(&shared);
  belay_disposable *subscription = follow(source, let_another_thread_send);
  from_inside = 4;
  send_int(source, 1);
  for (int i = 0; i < 3; i++) CHECK_INT(codes[i], BELAY_QUEUED);
  CHECK_INT(codes[3], BELAY_EAGAIN);
  CHECK_INT(passed, 4);
  CHECK_INT(belay_signal_queue_high_water(source), 3);
  end_subscription(subscription);
  belay_signal_release(source);
}

/* A shared source that is cold has a queue for each subscription. */
static belay_subscriber *kept;
static int queued;
static belay_disposable *keep_subscriber(void *ctx, belay_subscriber *subscriber) {
  if (!kept) kept = belay_subscriber_retain(subscriber);
  return NULL;
}
static void send_kept(void *count) {
  queued = 0;
  for (int i = 0; i < *(int *)count; i++) {
    int code = belay_subscriber_next(kept, belay_int32(i));
    if (code != BELAY_QUEUED) CHECK_INT(code, BELAY_EAGAIN);
    queued += code == BELAY_QUEUED;
    belay_last_error();
  }
}
static void let_another_thread_send_kept(void *ctx, belay_value value) {
  if (passed++ == 0) in_thread(send_kept, &from_inside);
}
static belay_signal *cold(size_t capacity) {
  belay_source_options shared = {.size = sizeof shared, .capacity = capacity, .shared = 1};
  return belay_signal_create(keep_subscriber, NULL, NULL, &shared);
}
/* `count` values come while one is delivered, and `expected` of them have room. */
static void play_cold(belay_signal *signal, int count, int expected) {
  kept = NULL;
  belay_disposable *subscription = follow(signal, let_another_thread_send_kept);
  from_inside = count;
  CHECK_INT(belay_subscriber_next(kept, belay_int32(-1)), 0);
  CHECK_INT(queued, expected);
  CHECK_INT(passed, 1 + expected);
  end_subscription(subscription);
  belay_subscriber_release(kept);
  belay_signal_release(signal);
}
static void the_capacity_of_a_cold_shared_source_is_that_of_each_subscription(void) {
  const struct {
    size_t capacity;
    int count, expected;
  } rows[] = {{3, 5, 3}, {2000, 2001, 2000}, {BELAY_UNLIMITED, 3000, 3000}, {0, 1025, 1024}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    size_t capacity = rows[i].capacity;
    int count = rows[i].count, expected = rows[i].expected;
    play_cold(cold(capacity), count, expected);
    play_cold(belay_signal_chain(cold(capacity), belay_op_skip(0)), count, expected);
    belay_signal *other = belay_signal_never();
    play_cold(belay_signal_chain(cold(capacity), belay_op_merge(&other, 1)), count, expected);
  }
}
static void of_several_shared_sources_the_largest_capacity_holds(void) {
  belay_signal *small_first[] = {cold(2), cold(5)}, *large_first[] = {cold(5), cold(2)};
  play_cold(belay_signal_merge(small_first, 2), 6, 5);
  play_cold(belay_signal_merge(large_first, 2), 6, 5);
}

/* Values that a binding brings from a loop, while this thread is inside. */
static belay_signal *distant;
static void send_distant(void *count) {
  for (int i = 0; i < *(int *)count; i++) CHECK_INT(send_to(distant, i), 0);
}
static worker far_;
static void let_the_loop_send(void *ctx, belay_value value) {
  if (passed++ == 0) on_worker(&far_, send_distant, &from_inside);
}
static void play_binding(size_t capacity, int count, int expected) {
  belay_source_options shared = {.size = sizeof shared, .capacity = capacity, .shared = 1};
  source = belay_subject_create(&shared);
  far_ = (worker){0};
  start_worker(&far_);
  belay_source_options there = {.size = sizeof there, .loop = far_.loop};
  distant = belay_subject_create(&there);
  CHECK_INT(belay_signal_bind(distant, source, NULL), 0);
  belay_disposable *subscription = follow(source, let_the_loop_send);
  meet(&far_);
  from_inside = count;
  send_int(source, 1);
  CHECK_INT(failed, expected);
  if (!expected) CHECK_INT(passed, 1 + count);
  end_subscription(subscription);
  meet(&far_);
  belay_signal_release(distant);
  stop_worker(&far_);
  belay_signal_release(source);
}
static void the_capacity_of_a_shared_source_is_that_of_its_bindings_too(void) {
  play_binding(3, 3, 0);
  play_binding(3, 4, BELAY_EAGAIN);
  play_binding(2000, 1500, 0);
  play_binding(0, 1024, 0);
  play_binding(0, 1025, BELAY_EAGAIN);
}

/* ---- behind a replay ---- */

static void send_while_replayed(void *ctx, belay_value value) {
  if (passed++ > 0) return;
  for (int i = 0; i < from_inside; i++) send_int(source, 2);
}
static void play_replay(int count, int expected) {
  source = belay_subject_create(NULL);
  belay_signal *replay = belay_signal_replay(also(source), NULL, -1, 5);
  CHECK_INT(belay_signal_connect(replay, NULL), 0);
  send_int(source, 1);
  from_inside = count;
  belay_disposable *subscription = follow(replay, send_while_replayed);
  CHECK_INT(failed, expected);
  CHECK_INT(passed, 1 + (expected ? 1024 : count));
  belay_signal_release(replay);
  end_subscription(subscription);
  belay_signal_release(source);
}
/* The source's own queue is empty then, so that the subject's must be bounded. */
static void values_that_come_during_a_replay_are_bounded(void) {
  play_replay(1024, 0);
  play_replay(1025, BELAY_EAGAIN);
}

/* ---- executions ---- */

static belay_signal *execution_of(void *ctx, belay_value input) { return also(source); }
static void an_execution_keeps_1024_values(void) {
  source = belay_subject_create(NULL);
  belay_command *command = belay_command_create(NULL, execution_of, NULL, NULL);
  belay_signal *execution = belay_command_execute(command, belay_null());
  for (int i = 1; i <= 3000; i++) send_int(source, i);
  belay_subject_completed(source);
  belay_disposable *subscription = follow(execution, count_one);
  CHECK_INT(passed, 1024);
  end_subscription(subscription);
  belay_signal_release(execution);
  belay_command_release(command);
  belay_signal_release(source);
}
static void play_execution(int count, int expected) {
  source = belay_subject_create(NULL);
  belay_command *command = belay_command_create(NULL, execution_of, NULL, NULL);
  belay_signal *execution = belay_command_execute(command, belay_null());
  send_int(source, 1);
  from_inside = count;
  belay_disposable *subscription = follow(execution, send_while_replayed);
  CHECK_INT(failed, expected);
  CHECK_INT(passed, 1 + (expected ? 1024 : count));
  CHECK_INT(belay_subject_count(source), !expected);
  belay_signal_release(execution);
  belay_command_release(command);
  end_subscription(subscription);
  belay_signal_release(source);
}
static void values_that_come_while_an_execution_is_replayed_are_bounded(void) {
  play_execution(1024, 0);
  play_execution(1025, BELAY_EAGAIN);
}

/* ---- queues that cannot drop ---- */

static void a_queue_that_cannot_drop_has_its_capacity_under_every_policy(void) {
  static const belay_queue_policy policies[] = {BELAY_QUEUE_ERROR, BELAY_QUEUE_DROP_OLDEST,
                                                BELAY_QUEUE_DROP_NEWEST, BELAY_QUEUE_LATEST,
                                                BELAY_QUEUE_BLOCK};
  belay_source_options at_once = {
      .size = sizeof at_once, .reentrancy = BELAY_REENTRANCY_DEPTH_FIRST};
  for (size_t i = 0; i < sizeof policies / sizeof *policies; i++) {
    belay_queue_options options = {.size = sizeof options, .policy = policies[i], .capacity = 3};
    source = belay_subject_create(&at_once);
    clock_ = belay_scheduler_create_virtual();
    belay_signal *input = also(source);
    belay_signal *latest = belay_signal_combine_latest(&input, 1, NULL, NULL, NULL);
    CHECK_INT(belay_signal_set_queue(latest, &options), 0);
    belay_disposable *subscription = follow(latest, send_from_inside);
    for (int count = 3; count <= 4; count++) {
      CHECK_INT(failed, 0);
      passed = 0;
      from_inside = count;
      CHECK_INT(send_to(source, 1), 0);
      CHECK_INT(passed, 4);
    }
    CHECK_INT(failed, BELAY_EAGAIN);
    belay_signal_release(latest);
    end_subscription(subscription);
    belay_signal_release(source);
    belay_scheduler_release(clock_);
  }
}

static const test_case cases[] = {
    CASE(values_from_inside_are_bounded_where_a_timer_or_a_signal_is),
    CASE(subscribe_on_has_each_policy),
    CASE(subscribe_on_takes_1024_values),
    CASE(a_source_has_a_mark),
    CASE(the_capacity_of_a_shared_source_is_that_of_all_threads),
    CASE(the_capacity_of_a_cold_shared_source_is_that_of_each_subscription),
    CASE(of_several_shared_sources_the_largest_capacity_holds),
    CASE(the_capacity_of_a_shared_source_is_that_of_its_bindings_too),
    CASE(values_that_come_during_a_replay_are_bounded),
    CASE(an_execution_keeps_1024_values),
    CASE(values_that_come_while_an_execution_is_replayed_are_bounded),
    CASE(a_queue_that_cannot_drop_has_its_capacity_under_every_policy),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
