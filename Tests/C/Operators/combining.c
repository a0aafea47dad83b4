/* Signals that are combined by their values, beyond what marbles show: memory, interruption, sends
   from inside. combining_failures.c has what is missing or fails. */
#include "three.h"

/* a and b, or a, b and c, for a call that takes them over. */
static belay_signal *const *all(void) {
  static belay_signal *signals[3];
  signals[0] = also(a);
  signals[1] = also(b);
  signals[2] = also(c);
  return signals;
}

static belay_signal *const *two(void) {
  belay_signal *const *signals = all();
  belay_signal_release(c);
  return signals;
}

/* ---- memory ---- */

static void combine_latest_of_boxed_values(void) {
  int freed = 0;
  make_subjects();
  belay_signal *texts = belay_signal_combine_latest(two(), 2, joined_texts, &freed, count_free);
  watch(also(texts), "1");
  send_text(a, "a");
  send_text(a, "A");
  send_text(b, "b");
  send_text(a, "x");
  CHECK_TRACE("1 next A+b | 1 next x+b");
  watch(texts, "2");
  send_text(b, "y");
  CHECK_TRACE("1 next x+y");
  CHECK_INT(freed, 0);
  release_subjects();
  CHECK_INT(freed, 1);
  trace_clear();
}

static void zip_of_boxed_values(void) {
  make_subjects();
  belay_disposable *subscription =
      watched(belay_signal_zip(all(), 3, joined_texts, NULL, NULL), "");
  for (int i = 0; i < 20; i++) send_text(a, "a");
  send_text(b, "b");
  send_text(c, "c");
  send_text(c, "C");
  CHECK_TRACE("next a+b+c");
  end_subscription(subscription);
  CHECK_TRACE("disposed | free");
  release_subjects();
}

/* One input is ahead of the other, now by more and now by less: its queue grows while its oldest
   value is in the middle of the buffer. */
static int pairs;
static void next_of_equals(void *ctx, belay_value value) {
  belay_value first, then;
  CHECK_INT(belay_value_get_item(value, 0, &first), 0);
  CHECK_INT(belay_value_get_item(value, 1, &then), 0);
  CHECK_INT(belay_value_equal(first, then), 1);
  pairs++;
}
static void zip_of_an_input_that_is_ahead(void) {
  static const int sent_first[] = {3, 3, 9, 20, 40, 25}, sent_then[] = {2, 1, 5, 11, 30, 51};
  make_subjects();
  belay_observer observer = {.size = sizeof observer, .next = next_of_equals};
  belay_signal *zipped = belay_signal_zip(two(), 2, NULL, NULL, NULL);
  belay_disposable *subscription = NULL;
  CHECK_INT(belay_signal_subscribe(zipped, &observer, &subscription), 0);
  belay_signal_release(zipped);
  int first = 0, then = 0;
  pairs = 0;
  for (int i = 0; i < 6; i++) {
    for (int k = 0; k < sent_first[i]; k++) belay_subject_next(a, belay_int32(first++));
    for (int k = 0; k < sent_then[i]; k++) belay_subject_next(b, belay_int32(then++));
    CHECK_INT(pairs, then);
  }
  end_subscription(subscription);
  release_subjects();
}

static void arrays_of_boxed_values(void) {
  make_subjects();
  watch(belay_signal_combine_latest(two(), 2, NULL, NULL, NULL), "c");
  watch(belay_signal_zip(two(), 2, NULL, NULL, NULL), "z");
  belay_signal *others[] = {also(b)};
  watch(belay_signal_chain(also(a), belay_op_with_latest_from(others, 1, NULL, NULL, NULL)), "w");
  send_text(b, "b");
  send_text(a, "a");
  CHECK_TRACE("c next [a b] | z next [a b] | w next [a b]");
  release_subjects();
  trace_clear();
}

static void with_latest_from_boxed_values(void) {
  make_subjects();
  belay_signal *others[] = {also(b), also(c)};
  watch(belay_signal_chain(also(a), belay_op_with_latest_from(others, 2, joined_texts, NULL, NULL)),
        "");
  send_text(a, "early");
  send_text(b, "b");
  send_text(b, "B");
  send_text(a, "early");
  send_text(c, "c");
  send_text(a, "a");
  send_text(c, "C");
  send_text(a, "A");
  CHECK_TRACE("next a+B+c | next A+B+C");
  release_subjects();
  trace_clear();
}

static void others_with_boxed_values(void) {
  belay_value texts[] = {belay_string("x"), belay_string("y")};
  watch(belay_signal_chain(belay_signal_just(belay_string("a")), belay_op_end_with(texts, 2)), "");
  CHECK_TRACE("next a | next x | next y | completed | disposed | free");
  watch(belay_signal_chain(belay_signal_just(belay_string("a")),
                           belay_op_sequence_equal(belay_signal_just(belay_string("a")), NULL,
                                                   NULL, NULL)),
        "");
  CHECK_TRACE("next bool | completed | disposed | free");
  belay_value items[] = {belay_string("1"), belay_string("2")};
  watch(belay_signal_chain(belay_signal_just(belay_array_of(items, 2)),
                           belay_op_reduce_each(joined_texts, NULL, NULL)),
        "");
  CHECK_TRACE("next 1+2 | completed | disposed | free");
  belay_value keys[] = {belay_string("one"), belay_string("two")};
  belay_signal *cases[] = {numbers(1, 1), numbers(2, 1)};
  watch(belay_signal_switch_on(belay_signal_just(belay_string("two")), keys, cases, 2, NULL), "");
  CHECK_TRACE("next 2 | completed | disposed | free");
}

/* ---- interruption ---- */

static void rule_1_1_combine_latest_interrupted(void) {
  make_subjects();
  watch(belay_signal_combine_latest(two(), 2, joined_texts, NULL, NULL), "");
  send_int(a, 1);
  send_int(b, 2);
  release_subject(&a);
  send_int(b, 3);
  CHECK_TRACE("next 1+2 | next 1+3");
  CHECK_INT(belay_subject_completed(b), 0);
  CHECK_TRACE("disposed | free");
  release_subjects();
  make_subjects();
  watch(belay_signal_combine_latest(two(), 2, joined_texts, NULL, NULL), "");
  send_int(b, 2);
  release_subject(&a); /* which never sent */
  CHECK_TRACE("disposed | free");
  release_subjects();
}

static void rule_1_1_zip_interrupted(void) {
  make_subjects();
  watch(belay_signal_zip(two(), 2, joined_texts, NULL, NULL), "");
  send_int(a, 1);
  send_int(a, 2);
  release_subject(&a);
  send_int(b, 3);
  CHECK_TRACE("next 1+3");
  send_int(b, 4);
  CHECK_TRACE("next 2+4 | disposed | free");
  release_subjects();
}

static void rule_1_1_with_latest_from_interrupted(void) {
  for (int has_sent = 0; has_sent < 2; has_sent++) {
    make_subjects();
    belay_signal *others[] = {also(b)};
    watch(
        belay_signal_chain(also(a), belay_op_with_latest_from(others, 1, joined_texts, NULL, NULL)),
        "");
    if (has_sent) send_int(b, 1);
    release_subject(&b);
    if (has_sent) {
      send_int(a, 2);
      CHECK_TRACE("next 2+1");
      release_subject(&a);
    }
    CHECK_TRACE("disposed | free");
    release_subjects();
  }
}

static void rule_1_1_race_interrupted(void) {
  make_subjects();
  watch(belay_signal_race(two(), 2), "");
  release_subject(&a);
  send_int(b, 1);
  CHECK_TRACE("next 1");
  release_subject(&b);
  CHECK_TRACE("disposed | free");
  release_subjects();
  make_subjects();
  watch(belay_signal_race(two(), 2), "");
  release_subject(&a);
  release_subject(&b);
  CHECK_TRACE("disposed | free");
  release_subjects();
}

static void send_to_b(void *ctx) {
  (void)ctx;
  send_int(b, 20);
}
static void end_b(void *ctx) {
  (void)ctx;
  CHECK_INT(belay_subject_completed(b), 0);
}
static void a_loser_is_not_heard_while_the_losers_are_disposed_of(void) {
  static void (*const teardowns[])(void *) = {send_to_b, end_b};
  for (int i = 0; i < 2; i++) {
    make_subjects();
    belay_signal *racers[] = {
        belay_signal_chain(also(a), belay_op_finally(teardowns[i], NULL, NULL)), also(b), also(c)};
    belay_disposable *subscription = watched(belay_signal_race(racers, 3), "");
    send_int(c, 30);
    send_int(c, 31);
    CHECK_TRACE("next 30 | next 31");
    end_subscription(subscription);
    trace_clear();
    release_subjects();
  }
}

static void rule_1_1_others_interrupted(void) {
  make_subjects();
  belay_value last = belay_int32(9);
  watch(belay_signal_chain(also(a), belay_op_end_with(&last, 1)), "end_with");
  watch(belay_signal_chain(also(a), belay_op_sequence_equal(also(b), NULL, NULL, NULL)), "equal");
  watch(belay_signal_chain(also(a), belay_op_not()), "not");
  release_subject(&a);
  CHECK_TRACE("end_with disposed | end_with free | equal disposed | equal free | "
              "not disposed | not free");
  release_subjects();
}

static void rule_1_1_if_then_else_interrupted(void) {
  make_subjects();
  /* A running subscription keeps both branches, to which it may have to subscribe again, but not
     the condition. */
  watch(belay_signal_if_then_else(also(a), also(b), also(c)), "");
  CHECK_INT(belay_subject_next(a, belay_bool(1)), 0);
  send_int(b, 1);
  release_subject(&a);
  send_int(b, 2);
  CHECK_TRACE("next 1 | next 2");
  CHECK_INT(belay_subject_completed(b), 0);
  CHECK_TRACE("disposed | free");
  release_subjects();
}

/* ---- from inside ---- */

static belay_value join_and_send(void *ctx, const belay_value *values, size_t count) {
  belay_value joined = joined_texts(NULL, values, count);
  int *left = ctx;
  if ((*left)-- > 0) {
    CHECK_INT(belay_subject_next(b, belay_string("sent")), 0);
    belay_value again = joined_texts(NULL, values, count);
    CHECK(belay_value_equal(joined, again));
    belay_value_release(again);
  }
  return joined;
}

static void rule_1_2_a_combiner_that_sends(void) {
  int left = 1;
  make_subjects();
  watch(belay_signal_combine_latest(two(), 2, join_and_send, &left, NULL), "");
  send_text(b, "b");
  send_text(a, "a");
  CHECK_TRACE("next a+b | next a+sent");
  release_subjects();
  trace_clear();
}

static void send_back(void *ctx, belay_value value) {
  render_next("", value);
  int *left = ctx;
  if ((*left)-- > 0) {
    CHECK_INT(belay_subject_next(b, belay_int32(8)), 0);
    CHECK_INT(belay_subject_completed(b), 0);
    trace("sent");
  }
}

static void rule_1_2_a_subscriber_that_sends(void) {
  for (int zips = 0; zips < 2; zips++) {
    int left = 1;
    belay_observer observer = rendering("");
    observer.next = send_back;
    observer.ctx = &left;
    observer.completed = NULL;
    observer.disposed = NULL;
    observer.ctx_free = NULL;
    make_subjects();
    belay_signal *signal = zips ? belay_signal_zip(two(), 2, joined_texts, NULL, NULL)
                                : belay_signal_combine_latest(two(), 2, joined_texts, NULL, NULL);
    CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
    belay_signal_release(signal);
    send_int(b, 1);
    send_int(a, 2);
    send_int(a, 3);
    if (zips) {
      CHECK_TRACE("next 2+1 | sent | next 3+8");
      CHECK_INT(belay_subject_count(a), 0);
    } else {
      CHECK_TRACE("next 2+1 | sent | next 2+8 | next 3+8");
    }
    release_subjects();
    trace_clear();
  }
}

static belay_disposable *ending;

static belay_value send_and_end(void *fails, const belay_value *values, size_t count) {
  trace("combine");
  CHECK(belay_subject_next(b, belay_string("while it combines")) >= 0);
  belay_disposable_dispose(ending);
  return fails ? belay_value_failure(BELAY_ERANGE, "for nobody")
               : joined_texts(NULL, values, count);
}

static void a_combiner_that_disposes_is_the_last_that_is_called(void) {
  for (int way = 0; way < 6; way++) {
    belay_observer beside = tracing("beside");
    belay_signal *signal;
    void *fails = way % 2 ? &way : NULL;
    make_subjects();
    if (way < 2) {
      signal = belay_signal_combine_latest(two(), 2, send_and_end, fails, NULL);
    } else if (way < 4) {
      signal = belay_signal_zip(two(), 2, send_and_end, fails, NULL);
    } else {
      belay_signal *latest = also(b);
      signal = belay_signal_chain(
          also(a), belay_op_with_latest_from(&latest, 1, send_and_end, fails, NULL));
    }
    ending = watched(belay_signal_chain(signal, belay_op_do(&beside)), "");
    send_text(b, "b");
    send_text(a, "a");
    CHECK_TRACE("combine | beside disposed | disposed | free | beside free");
    CHECK_INT(belay_subject_count(a) + belay_subject_count(b), 0);
    belay_disposable_release(ending);
    release_subjects();
  }
}

static void end_it(void *ctx, belay_value value) {
  render_next("", value);
  belay_disposable_dispose(ending);
}

static void disposed_by_the_subscriber(void) {
  for (int way = 0; way < 3; way++) {
    make_subjects();
    belay_observer observer = tracing("");
    observer.next = end_it;
    belay_signal *signal = way == 0
                               ? belay_signal_combine_latest(two(), 2, joined_texts, NULL, NULL)
                           : way == 1 ? belay_signal_zip(two(), 2, joined_texts, NULL, NULL)
                                      : belay_signal_race(two(), 2);
    CHECK_INT(belay_signal_subscribe(signal, &observer, &ending), 0);
    belay_signal_release(signal);
    send_text(b, "b");
    send_text(a, "a");
    CHECK_INT(strncmp(trace_text(), "next ", 5), 0);
    CHECK(strstr(trace_text(), " | disposed | free") != NULL);
    trace_clear();
    CHECK_INT(belay_subject_count(a) + belay_subject_count(b), 0);
    belay_disposable_release(ending);
    release_subjects();
  }
}

static belay_signal *flip;
static int flips;
static void flip_it(void *ctx, belay_value value) {
  render_next("", value);
  if (flips++ < 3) CHECK_INT(belay_subject_next(flip, belay_bool(flips & 1)) >= 0, 1);
}

static void rule_1_2_a_subscriber_that_changes_the_condition(void) {
  flip = belay_subject_create(NULL);
  flips = 0;
  belay_observer observer = tracing("");
  observer.next = flip_it;
  belay_signal *signal = belay_signal_if_then_else(also(flip), numbers(1, 1), numbers(5, 2));
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  belay_signal_release(signal);
  CHECK_INT(belay_subject_next(flip, belay_bool(0)), 0);
  CHECK_TRACE("next 5 | next 6 | next 1 | next 5 | next 6 | next 1");
  release_subject(&flip);
  trace_clear();
}

/* ---- names ---- */

static void names(void) {
  belay_signal *pair[] = {numbers(1, 1), numbers(1, 1)};
  belay_signal *signal = belay_signal_chain(belay_signal_and(pair, 2), belay_op_not(),
                                            belay_op_reduce_each(joined_texts, NULL, NULL),
                                            belay_op_end_with(NULL, 0));
  CHECK_STRING(belay_signal_name(signal), "from.and.not.reduce_each.end_with");
  belay_signal_release(signal);
}

/* ---- many ---- */

static belay_value difference(void *ctx, const belay_value *values, size_t count) {
  CHECK(belay_value_equal(values[0], values[1]));
  return belay_null();
}

static void a_million_values(void) {
  int count = 0;
  belay_observer observer = {.size = sizeof observer, .next = count_value, .ctx = &count};
  belay_signal *pair[] = {million_numbers(), million_numbers()};
  belay_queue_options all = {.size = sizeof all, .capacity = BELAY_UNLIMITED};
  belay_signal *zipped = belay_signal_zip(pair, 2, difference, NULL, NULL);
  CHECK_INT(belay_signal_set_queue(zipped, &all), 0);
  CHECK_INT(belay_signal_subscribe(zipped, &observer, NULL), 0);
  CHECK_INT(count, 1000000);
  CHECK_INT(belay_signal_queue_high_water(zipped), 1000000);
  belay_signal_release(zipped);
  belay_signal *compared = belay_signal_chain(
      million_numbers(), belay_op_sequence_equal(million_numbers(), NULL, NULL, NULL));
  CHECK_INT(belay_signal_set_queue(compared, &all), 0);
  watch(compared, "");
  CHECK_TRACE("next bool | completed | disposed | free");
}

static const test_case cases[] = {
    CASE(combine_latest_of_boxed_values),
    CASE(zip_of_boxed_values),
    CASE(zip_of_an_input_that_is_ahead),
    CASE(arrays_of_boxed_values),
    CASE(with_latest_from_boxed_values),
    CASE(others_with_boxed_values),
    CASE(rule_1_1_combine_latest_interrupted),
    CASE(rule_1_1_zip_interrupted),
    CASE(rule_1_1_with_latest_from_interrupted),
    CASE(rule_1_1_race_interrupted),
    CASE(a_loser_is_not_heard_while_the_losers_are_disposed_of),
    CASE(rule_1_1_others_interrupted),
    CASE(rule_1_1_if_then_else_interrupted),
    CASE(rule_1_2_a_combiner_that_sends),
    CASE(rule_1_2_a_subscriber_that_sends),
    CASE(a_combiner_that_disposes_is_the_last_that_is_called),
    CASE(disposed_by_the_subscriber),
    CASE(rule_1_2_a_subscriber_that_changes_the_condition),
    CASE(names),
    CASE(a_million_values),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
