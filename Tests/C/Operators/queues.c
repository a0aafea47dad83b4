/* The queues that operators keep: their capacity, their policies, their high-water marks. */
#include "texts.h"

static belay_signal *source, *other;
static belay_scheduler *clock_;

/* The signal made of 0 ends when `other` does; those of further values end at once. */
static belay_signal *held_or_just(void *ctx, belay_value value) {
  return int_of(value) == 0 ? also(other) : belay_signal_just(belay_value_retain(value));
}
static belay_signal *held_or_empty(void *ctx, belay_value value) {
  return int_of(value) == 0 ? also(other) : belay_signal_empty();
}
static belay_value left_of(void *ctx, const belay_value *values, size_t count) {
  return belay_value_retain(values[0]);
}

static belay_signal *make_zip(void) {
  return belay_signal_zip((belay_signal *[]){also(source), also(other)}, 2, left_of, NULL, NULL);
}
static belay_signal *make_concat_map(void) {
  return belay_signal_chain(also(source), belay_op_concat_map(held_or_just, NULL, NULL));
}
static belay_signal *make_flat_map(void) {
  return belay_signal_chain(also(source), belay_op_flat_map(1, held_or_just, NULL, NULL));
}
static belay_value signal_of(void *ctx, belay_value value) {
  belay_signal *signal = held_or_just(ctx, value);
  belay_value made = belay_value_from_signal(signal);
  belay_signal_release(signal);
  return made;
}
static belay_signal *make_merge_all(void) {
  return belay_signal_chain(also(source), belay_op_map(signal_of, NULL, NULL), belay_op_merge_all(1));
}
static belay_signal *make_concat_all(void) {
  return belay_signal_chain(also(source), belay_op_map(signal_of, NULL, NULL), belay_op_concat_all());
}
static belay_signal *make_expand(void) {
  return belay_signal_chain(also(source), belay_op_expand(1, held_or_empty, NULL, NULL));
}
static belay_signal *make_delay(void) {
  return belay_signal_chain(also(source), belay_op_delay(clock_, 1));
}
static belay_signal *make_skip_last_for(void) {
  return belay_signal_chain(also(source), belay_op_skip_last_for(clock_, 1));
}
static belay_signal *make_take_last_for(void) {
  return belay_signal_chain(also(source), belay_op_take_last_for(clock_, 100));
}
static belay_signal *make_observe_on(void) {
  return belay_signal_chain(also(source), belay_op_observe_on(clock_, NULL));
}
static belay_signal *make_sequence_equal(void) {
  return belay_signal_chain(also(source), belay_op_sequence_equal(also(other), NULL, NULL, NULL));
}
static belay_signal *make_delay_when(void) {
  return belay_signal_chain(also(source), belay_op_delay_when(never_of, NULL, NULL));
}
static belay_signal *make_group_by(void) {
  return belay_signal_chain(also(source), belay_op_group_by(same_value, NULL, NULL));
}
static belay_signal *make_window_toggle(void) {
  return belay_signal_chain(also(other),
                            belay_op_window_toggle(also(source), never_of, NULL, NULL));
}

static void send_pairs(void) {
  for (int i = 0; i < 5; i++) send_to(other, i);
}
static void let_follow(void) { belay_subject_completed(other); }
static void let_time_pass(void) { belay_scheduler_advance(clock_, 2); }
static void let_time_pass_and_complete(void) {
  let_time_pass();
  belay_subject_completed(source);
}

typedef struct row {
  const char *name;
  belay_signal *(*make)(void);
  /* Lets what waits be sent. NULL: the queue cannot drop. */
  void (*release)(void);
  /* Whether a 0 comes first, and holds back what follows. */
  int begins;
  /* Whether the values that wait are sent before the error. */
  int sends_before_the_error;
} row;

static const row rows[] = {
    {"zip", make_zip, send_pairs, 0, 0},
    {"concat_map", make_concat_map, let_follow, 1, 0},
    {"flat_map", make_flat_map, let_follow, 1, 0},
    {"merge_all", make_merge_all, let_follow, 1, 0},
    {"concat_all", make_concat_all, let_follow, 1, 0},
    {"expand", make_expand, let_follow, 1, 0},
    {"delay", make_delay, let_time_pass, 0, 0},
    {"skip_last_for", make_skip_last_for, let_time_pass_and_complete, 0, 0},
    {"take_last_for", make_take_last_for, let_time_pass_and_complete, 0, 0},
    {"observe_on", make_observe_on, let_time_pass, 0, 1},
    {"sequence_equal", make_sequence_equal, NULL, 0, 0},
    {"delay_when", make_delay_when, NULL, 0, 0},
    {"group_by", make_group_by, NULL, 0, 0},
    {"window_toggle", make_window_toggle, NULL, 0, 0},
};
#define ROWS (sizeof rows / sizeof *rows)

static void begin(void) {
  source = belay_subject_create(NULL);
  other = belay_subject_create(NULL);
  clock_ = belay_scheduler_create_virtual();
}
static void end(belay_disposable *subscription) {
  end_subscription(subscription);
  belay_signal_release(source);
  belay_signal_release(other);
  belay_scheduler_release(clock_);
}

static char told[8000];
static void tell_number(void *ctx, belay_value value) {
  int32_t number;
  if (belay_value_get_int32(value, &number) != 0 || number == 0) return;
  snprintf(told + strlen(told), sizeof told - strlen(told), "%d ", number);
}
static char message_[200];
static void tell_error(void *ctx, const belay_error *error) {
  strcat(told, belay_error_name(belay_error_code(error)));
  snprintf(message_, sizeof message_, "%s", belay_error_message(error));
}
static belay_disposable *follow(belay_signal *signal) {
  belay_disposable *subscription = NULL;
  told[0] = message_[0] = 0;
  CHECK_INT(belay_signal_subscribe(
                signal,
                &(belay_observer){.size = sizeof(belay_observer), .next = tell_number, .error = tell_error},
                &subscription),
            0);
  return subscription;
}

static void fill(const row *it, int count) {
  if (it->begins) send_int(source, 0);
  for (int i = 1; i <= count; i++) send_int(source, i);
}

/* Without options: 1024 wait, and one more is an error that names the operator and the remedy. */
static void a_bound_is_1024_and_then_an_error(void) {
  for (size_t i = 0; i < ROWS; i++) {
    begin();
    belay_signal *signal = rows[i].make();
    belay_disposable *subscription = follow(signal);
    char expected[200];
    fill(&rows[i], 1024);
    CHECK_INT(belay_disposable_is_disposed(subscription), 0);
    CHECK_INT(belay_signal_queue_high_water(signal), 1024);
    CHECK_INT(send_to(source, 1025), 0);
    if (rows[i].sends_before_the_error) rows[i].release();
    CHECK_INT(belay_disposable_is_disposed(subscription), 1);
    snprintf(expected, sizeof expected,
             "the queue of %s was full; belay_signal_set_queue() gives it more room or drops values",
             rows[i].name);
    CHECK_STRING(message_, expected);
    CHECK_INT(belay_signal_queue_high_water(signal), 1024);
    CHECK_INT(belay_subject_count(source), 0);
    belay_signal_release(signal);
    end(subscription);
  }
}

static void play(const row *it, belay_queue_policy policy, size_t capacity, const char *expected) {
  size_t mark = 0;
  begin();
  belay_signal *signal = it->make();
  belay_queue_options options = {
      .size = sizeof options, .policy = policy, .capacity = capacity, .high_water = &mark};
  CHECK_INT(belay_signal_set_queue(signal, &options), 0);
  belay_disposable *subscription = follow(signal);
  fill(it, 5);
  it->release();
  if (strcmp(told, expected) != 0)
    check_failed(__FILE__, __LINE__, "%s, policy %d: \"%s\", expected \"%s\"", it->name, (int)policy,
                 told, expected);
  size_t most = policy == BELAY_QUEUE_LATEST ? 1 : capacity < 5 ? capacity : 5;
  CHECK_INT(mark, most);
  CHECK_INT(belay_signal_queue_high_water(signal), most);
  belay_signal_release(signal);
  end(subscription);
}

static void each_policy_has_its_effect(void) {
  for (const row *it = rows; it < rows + ROWS; it++) {
    if (!it->release) continue;
    play(it, BELAY_QUEUE_DROP_OLDEST, 3, "3 4 5 ");
    play(it, BELAY_QUEUE_DROP_NEWEST, 3, "1 2 3 ");
    play(it, BELAY_QUEUE_LATEST, 3, "5 ");
    play(it, BELAY_QUEUE_ERROR, 3, it->sends_before_the_error ? "1 2 3 EAGAIN" : "EAGAIN");
    play(it, BELAY_QUEUE_BLOCK, 3, it->sends_before_the_error ? "1 2 3 EAGAIN" : "EAGAIN");
    play(it, BELAY_QUEUE_ERROR, 5, "1 2 3 4 5 ");
    play(it, BELAY_QUEUE_DROP_NEWEST, BELAY_UNLIMITED, "1 2 3 4 5 ");
  }
}

/* A queue that cannot drop ends the subscription, whatever its policy is. */
static void what_has_begun_is_not_dropped(void) {
  for (const row *it = rows; it < rows + ROWS; it++) {
    if (it->release) continue;
    begin();
    belay_signal *signal = it->make();
    belay_queue_options options = {
        .size = sizeof options, .policy = BELAY_QUEUE_DROP_OLDEST, .capacity = 2};
    CHECK_INT(belay_signal_set_queue(signal, &options), 0);
    belay_disposable *subscription = follow(signal);
    fill(it, 2);
    CHECK_STRING(told, "");
    fill(it, 3);
    send_to(source, 3);
    CHECK_INT(belay_signal_queue_high_water(signal), 2);
    CHECK_STRING(told, "EAGAIN");
    belay_signal_release(signal);
    end(subscription);
  }
}

/* The capacity is that of each input of a join. */
static void a_capacity_is_that_of_each_input(void) {
  begin();
  belay_signal *third = belay_subject_create(NULL);
  belay_signal *zipped = belay_signal_zip(
      (belay_signal *[]){also(source), also(other), also(third)}, 3, left_of, NULL, NULL);
  belay_queue_options options = {.size = sizeof options, .capacity = 2};
  CHECK_INT(belay_signal_set_queue(zipped, &options), 0);
  belay_disposable *subscription = follow(zipped);
  for (int i = 1; i <= 2; i++) {
    send_int(source, i);
    send_int(other, i);
  }
  CHECK_STRING(told, "");
  send_int(third, 1);
  send_int(third, 2);
  CHECK_STRING(told, "1 2 ");
  for (int i = 3; i <= 5; i++) send_to(other, i);
  CHECK_STRING(told, "1 2 EAGAIN");
  belay_signal_release(zipped);
  belay_signal_release(third);
  end(subscription);
}

/* Two operators of one chain, with a map between them: each keeps to its own bound. */
static void each_operator_of_a_chain_has_its_own_bound(void) {
  begin();
  size_t held = 0, delayed = 0;
  belay_queue_options three = {.size = sizeof three,
                               .policy = BELAY_QUEUE_DROP_OLDEST,
                               .capacity = 3,
                               .high_water = &held};
  belay_queue_options two = {.size = sizeof two,
                             .policy = BELAY_QUEUE_DROP_NEWEST,
                             .capacity = 2,
                             .high_water = &delayed};
  belay_signal *signal = belay_signal_chain(
      also(source),
      belay_op_with_queue(belay_op_concat_map(held_or_just, NULL, NULL), &three),
      belay_op_map(same_value, NULL, NULL),
      belay_op_with_queue(belay_op_delay(clock_, 1), &two), belay_op_take(10));
  belay_disposable *subscription = follow(signal);
  for (int i = 0; i <= 5; i++) send_int(source, i);
  let_follow();
  CHECK_INT(held, 3);
  CHECK_INT(delayed, 2);
  CHECK_STRING(told, "");
  let_time_pass();
  CHECK_STRING(told, "3 4 ");
  belay_signal_release(signal);
  end(subscription);
}

static void refused(const void *made) {
  CHECK(!made);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
}
/* What is refused gives back what it was given: this program ends with no handle alive. */
static void an_operator_without_a_queue_cannot_be_bounded(void) {
  begin();
  belay_queue_options options = {.size = sizeof options, .capacity = 2};
  refused(belay_op_with_queue(NULL, &options));
  refused(belay_op_with_queue(belay_op_map(same_value, NULL, NULL), &options));
  belay_op *wrong = belay_op_with_queue(belay_op_take(1), &options);
  CHECK(wrong != NULL);
  refused(belay_signal_chain(also(source), wrong, belay_op_take(2)));
  wrong = belay_op_concat_map(held_or_just, NULL, NULL);
  options.policy = (belay_queue_policy)77;
  refused(belay_op_with_queue(wrong, &options));
  belay_op_release(belay_op_with_queue(belay_op_delay(clock_, 1), NULL));
  // A part of the operator fails: the chain has that failure.
  refused(
      belay_signal_chain(also(source), belay_op_with_queue(belay_op_delay(NULL, 1), NULL)));
  end(NULL);
}

/* Values that a subscriber sends into another input, from inside a delivery. */
static void send_many_into_other(void *ctx, belay_value value) {
  if (int_of(value) != 1) return (void)++*(int *)ctx;
  for (int i = 0; i < 1025; i++) send_to(other, 2);
}
static void play_from_inside(belay_signal *join, int expected) {
  int count = 0;
  belay_disposable *subscription = NULL;
  told[0] = message_[0] = 0;
  belay_observer observer = {.size = sizeof observer,
                             .next = send_many_into_other,
                             .error = tell_error,
                             .ctx = &count};
  CHECK_INT(belay_signal_subscribe(join, &observer, &subscription), 0);
  send_to(other, 5);
  count = 0;
  send_to(source, 1);
  CHECK_STRING(told, "EAGAIN");
  CHECK_INT(count, expected);
  CHECK_INT(belay_signal_queue_high_water(join), 1024);
  belay_signal_release(join);
  end(subscription);
}
static belay_value first_of(void *ctx, const belay_value *values, size_t count) {
  int32_t other_ = int_of(values[1]);
  return other_ == 5 ? belay_value_retain(values[0]) : belay_int32(other_);
}
static void a_join_takes_1024_values_from_inside(void) {
  begin();
  play_from_inside(
      belay_signal_merge((belay_signal *[]){also(source), also(other)}, 2), 1024);
  begin();
  play_from_inside(belay_signal_combine_latest((belay_signal *[]){also(source), also(other)}, 2,
                                               first_of, NULL, NULL),
                   1024);
}

/* An end that waits takes no value's place, and is not counted. */
static void end_other_then_send_to_third(void *third, belay_value value) {
  tell_number(NULL, value);
  if (int_of(value) != 1) return;
  belay_subject_completed(other);
  send_int(third, 2);
}
static belay_value greatest_of(void *ctx, const belay_value *values, size_t count) {
  int greatest = int_of(values[0]);
  for (size_t i = 1; i < count; i++)
    if (int_of(values[i]) > greatest) greatest = int_of(values[i]);
  return belay_int32(greatest);
}
static void an_end_that_waits_takes_no_room(void) {
  for (int combines = 0; combines < 2; combines++) {
    begin();
    belay_signal *third = belay_subject_create(NULL);
    belay_signal *inputs[] = {also(source), also(other), also(third)};
    belay_signal *join =
        combines ? belay_signal_combine_latest(inputs, 3, greatest_of, NULL, NULL)
                 : belay_signal_merge(inputs, 3);
    belay_queue_options options = {.size = sizeof options, .capacity = 1};
    CHECK_INT(belay_signal_set_queue(join, &options), 0);
    belay_observer observer = {.size = sizeof observer,
                               .next = end_other_then_send_to_third,
                               .error = tell_error,
                               .ctx = third};
    belay_disposable *subscription = NULL;
    told[0] = 0;
    CHECK_INT(belay_signal_subscribe(join, &observer, &subscription), 0);
    send_int(other, 0);
    send_int(third, 0);
    send_int(source, 1);
    CHECK_STRING(told, "1 2 ");
    CHECK_INT(belay_signal_queue_high_water(join), 1);
    belay_signal_release(third);
    belay_signal_release(join);
    end(subscription);
  }
}

static void what_cannot_be_set(void) {
  begin();
  belay_queue_options options = {.size = sizeof options, .policy = BELAY_QUEUE_LATEST};
  belay_signal *mapped = belay_signal_chain(also(source), belay_op_map(same_value, NULL, NULL));
  CHECK_FAILS(belay_signal_set_queue(mapped, &options), BELAY_EINVAL);
  CHECK_FAILS(belay_signal_set_queue(source, &options), BELAY_EINVAL);
  CHECK_FAILS(belay_signal_set_queue(NULL, &options), BELAY_EINVAL);
  CHECK_INT(belay_signal_queue_high_water(mapped), 0);
  CHECK_INT(belay_signal_queue_high_water(NULL), 0);
  belay_signal_release(mapped);
  belay_signal *zipped = make_zip();
  options.policy = (belay_queue_policy)77;
  CHECK_FAILS(belay_signal_set_queue(zipped, &options), BELAY_EINVAL);
  options = (belay_queue_options){.size = 3};
  CHECK_FAILS(belay_signal_set_queue(zipped, &options), BELAY_EINVAL);
  CHECK_INT(belay_signal_set_queue(zipped, NULL), 0);
  belay_disposable *subscription = follow(zipped);
  CHECK_FAILS(belay_signal_set_queue(zipped, NULL), BELAY_EBUSY);
  belay_signal_release(zipped);
  end(subscription);
}

static void texts_that_are_dropped_are_given_back(void) {
  for (const row *it = rows; it < rows + ROWS; it++) {
    if (!it->release || it->begins) continue;
    begin();
    belay_signal *signal = it->make();
    belay_queue_options options = {
        .size = sizeof options, .policy = BELAY_QUEUE_DROP_OLDEST, .capacity = 3};
    CHECK_INT(belay_signal_set_queue(signal, &options), 0);
    belay_disposable *subscription = follow(signal);
    for (int i = 0; i < 2000; i++) send_text(source, "a text that is too long to be stored in place");
    CHECK(belay_live_count(BELAY_LIVE_VALUES) < 20);
    belay_signal_release(signal);
    end(subscription);
  }
}

/* Two threads fill one zip, whose sources are shared, read the mark and try to change the bound. What they
   send fits into the queues between homes. */
typedef struct filler {
  belay_signal *subject, *zipped;
} filler;
static void fill_shared(void *argument) {
  filler *it = argument;
  for (int i = 0; i < 500; i++) {
    belay_value text = belay_string("a text that is too long to be stored in place");
    CHECK(belay_subject_next(it->subject, text) >= 0);
    if (i % 64 == 0) {
      CHECK(belay_signal_queue_high_water(it->zipped) <= 8);
      CHECK_INT(belay_signal_set_queue(it->zipped, NULL), BELAY_EBUSY);
    }
  }
}
static void count_row(void *ctx, belay_value value) { ++*(int *)ctx; }
static void fill_by_two_threads(void) {
  int rows_ = 0;
  belay_source_options shared = {
      .size = sizeof shared, .shared = 1, .capacity = BELAY_UNLIMITED};
  source = belay_subject_create(&shared);
  other = belay_subject_create(&shared);
  clock_ = belay_scheduler_create_virtual();
  belay_signal *zipped = make_zip();
  belay_queue_options options = {
      .size = sizeof options, .policy = BELAY_QUEUE_DROP_OLDEST, .capacity = 8};
  CHECK_INT(belay_signal_set_queue(zipped, &options), 0);
  belay_observer observer = {.size = sizeof observer, .next = count_row, .ctx = &rows_};
  belay_disposable *subscription = NULL;
  CHECK_INT(belay_signal_subscribe(zipped, &observer, &subscription), 0);
  filler fillers[] = {{source, zipped}, {other, zipped}};
  routine there;
  start_thread(&there, fill_shared, &fillers[0]);
  fill_shared(&fillers[1]);
  join_thread(&there);
  CHECK(belay_signal_queue_high_water(zipped) >= 1);
  CHECK(rows_ <= 500);
  CHECK(belay_live_count(BELAY_LIVE_VALUES) <= 8);
  belay_signal_release(zipped);
  end(subscription);
}
static void two_threads_fill_one_zip(void) {
  for (int i = 0; i < 50; i++) fill_by_two_threads();
}

/* A thread tries to set the bound of a new signal while another one subscribes. */
static void set_it(void *argument) {
  belay_queue_options options = {.size = sizeof options, .capacity = 5};
  for (int i = 0; i < 100; i++) {
    int code = belay_signal_set_queue(argument, &options);
    CHECK(code == 0 || code == BELAY_EBUSY);
  }
}
static void a_bound_is_set_while_another_thread_subscribes(void) {
  for (int i = 0; i < 200; i++) {
    begin();
    belay_signal *zipped = make_zip();
    routine there;
    start_thread(&there, set_it, zipped);
    belay_disposable *subscription = follow(zipped);
    join_thread(&there);
    CHECK_INT(belay_signal_set_queue(zipped, NULL), BELAY_EBUSY);
    belay_signal_release(zipped);
    end(subscription);
  }
}

static const test_case cases[] = {
    CASE(a_bound_is_1024_and_then_an_error),
    CASE(each_policy_has_its_effect),
    CASE(what_has_begun_is_not_dropped),
    CASE(a_capacity_is_that_of_each_input),
    CASE(each_operator_of_a_chain_has_its_own_bound),
    CASE(an_operator_without_a_queue_cannot_be_bounded),
    CASE(a_join_takes_1024_values_from_inside),
    CASE(an_end_that_waits_takes_no_room),
    CASE(what_cannot_be_set),
    CASE(texts_that_are_dropped_are_given_back),
    CASE(two_threads_fill_one_zip),
    CASE(a_bound_is_set_while_another_thread_subscribes),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
