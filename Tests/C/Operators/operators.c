/* Operators with one input: values, ends, errors, what they store. See operators_join.c for those
   with more inputs and operators_rules.c for what holds for all. */
#include "texts.h"

/* ---- callbacks ---- */

static belay_value fail_at_two(void *ctx, belay_value value) {
  return int_of(value) == 2 ? belay_value_failure(BELAY_ERANGE, "two") : belay_value_retain(value);
}

static int odd_or_fail(void *ctx, belay_value value) {
  return int_of(value) == 2 ? belay_fail(BELAY_ERANGE, "not two") : 1;
}

static belay_value join(void *ctx, belay_value text, belay_value value) {
  belay_view view = {"", 0};
  char joined[200];
  CHECK_INT(belay_value_get_string(text, &view), 0);
  size_t used = (size_t)snprintf(joined, sizeof joined, "%.*s/", (int)view.size, view.data);
  render(value, joined + used, sizeof joined - used);
  return belay_string(joined);
}

static belay_value sum_or_fail(void *ctx, belay_value total, belay_value value) {
  return int_of(value) == 3 ? belay_value_failure(-E2BIG, "three") : sum_of(ctx, total, value);
}

static int same_parity(void *ctx, belay_value a, belay_value b) {
  return (int_of(a) & 1) == (int_of(b) & 1);
}

static int equal_or_fail(void *ctx, belay_value a, belay_value b) {
  return int_of(b) == 3 ? belay_fail(BELAY_EILSEQ, NULL) : int_of(a) == int_of(b);
}

/* 1, then an error. */
static belay_disposable *one_and_error(void *ctx, belay_subscriber *subscriber) {
  belay_error *error = belay_error_create(BELAY_ENOENT, NULL, "gone", belay_null(), NULL);
  belay_subscriber_next(subscriber, belay_int32(1));
  belay_subscriber_error(subscriber, error);
  belay_error_release(error);
  return NULL;
}

static belay_signal *one_then_error(void) {
  return belay_signal_create(one_and_error, NULL, NULL, NULL);
}

/* ---- map ---- */

static void map_values(void) {
  watch(belay_signal_chain(numbers(1, 3), belay_op_map(twice_of, NULL, NULL)), "");
  CHECK_TRACE("next 2 | next 4 | next 6 | completed | disposed | free");
}

static void map_fails(void) {
  watch_errors(belay_signal_chain(numbers(1, 3), belay_op_map(fail_at_two, NULL, NULL)));
  CHECK_TRACE("next 1 | error ERANGE: two | disposed | free");
}

static belay_value positive_failure(void *ctx, belay_value value) {
  return belay_value_failure(5, "not a code");
}

static void map_fails_with_a_code_that_is_none(void) {
  watch_errors(belay_signal_chain(numbers(1, 3), belay_op_map(positive_failure, NULL, NULL)));
  CHECK_TRACE("error EINVAL: not a code | disposed | free");
}

static void map_passes_errors_on(void) {
  watch_errors(belay_signal_chain(one_then_error(), belay_op_map(twice_of, NULL, NULL)));
  CHECK_TRACE("next 2 | error ENOENT: gone | disposed | free");
}

static belay_value to_text(void *ctx, belay_value value) {
  char text[100] = "<";
  render(value, text + 1, sizeof text - 1);
  return belay_string(strcat(text, ">"));
}

static void map_to_boxed_values(void) {
  watch(belay_signal_chain(letters(2), belay_op_map(to_text, NULL, NULL),
                           belay_op_map(to_text, NULL, NULL)),
        "");
  CHECK_TRACE("next <<a>> | next <<b>> | completed | disposed | free");
}

static void a_failure_value_elsewhere_is_a_value(void) {
  watch(belay_signal_chain(belay_signal_just(belay_value_failure(BELAY_ERANGE, "x")),
                           belay_op_take(1)),
        "");
  CHECK_TRACE("next failure | completed | disposed | free");
}

/* ---- filter ---- */

static void filter_values(void) {
  watch(belay_signal_chain(numbers(1, 5), belay_op_filter(is_odd, NULL, NULL)), "");
  CHECK_TRACE("next 1 | next 3 | next 5 | completed | disposed | free");
}

static void filter_fails(void) {
  watch_errors(belay_signal_chain(numbers(1, 3), belay_op_filter(odd_or_fail, NULL, NULL)));
  CHECK_TRACE("next 1 | error ERANGE: not two | disposed | free");
}

static int busy(void *ctx, belay_value value) { return BELAY_EBUSY; }

static void filter_fails_without_a_message(void) {
  watch(belay_signal_chain(numbers(1, 3), belay_op_filter(busy, NULL, NULL)), "");
  CHECK_TRACE("error EBUSY | disposed | free");
}

static void filter_passes_errors_on(void) {
  watch(belay_signal_chain(one_then_error(), belay_op_filter(is_odd, NULL, NULL)), "");
  CHECK_TRACE("next 1 | error ENOENT | disposed | free");
}

/* ---- take ---- */

static void torn_down(void *ctx) { trace("teardown"); }

static belay_disposable *count_up(void *ctx, belay_subscriber *subscriber) {
  for (int i = 1; i <= 5; i++)
    trace("sent %d: %d", i, belay_subscriber_next(subscriber, belay_int32(i)) == 0);
  trace("subscribed");
  return belay_disposable_create(torn_down, NULL, NULL);
}

static void rule_1_1_take_completes_then_ends_its_source(void) {
  watch(belay_signal_chain(belay_signal_create(count_up, NULL, NULL, NULL), belay_op_take(2)), "");
  CHECK_TRACE("next 1 | sent 1: 1 | next 2 | completed | disposed | free | sent 2: 1 | sent 3: 0 | "
              "sent 4: 0 | sent 5: 0 | subscribed | teardown");
}

static void take_none_does_not_subscribe(void) {
  watch(belay_signal_chain(belay_signal_create(count_up, NULL, NULL, NULL), belay_op_take(0)), "");
  CHECK_TRACE("completed | disposed | free");
}

static void take_more_than_there_are(void) {
  watch(belay_signal_chain(numbers(1, 2), belay_op_take(UINT64_MAX)), "");
  CHECK_TRACE("next 1 | next 2 | completed | disposed | free");
  watch(belay_signal_chain(numbers(1, 2), belay_op_take((uint64_t)INT64_MAX + 1)), "");
  CHECK_TRACE("next 1 | next 2 | completed | disposed | free");
  watch(belay_signal_chain(one_then_error(), belay_op_take(2)), "");
  CHECK_TRACE("next 1 | error ENOENT | disposed | free");
}

static belay_signal *looping;
static void send_again(void *ctx, belay_value value) {
  render_next(ctx, value);
  belay_subject_next(looping, belay_int32(int_of(value) + 1));
}

static void take_counts_what_is_sent_from_inside(void) {
  belay_source_options depth_first = {.size = sizeof depth_first,
                                      .reentrancy = BELAY_REENTRANCY_DEPTH_FIRST};
  belay_source_options *ways[] = {NULL, &depth_first};
  for (int i = 0; i < 2; i++) {
    belay_observer observer = tracing("");
    observer.next = send_again;
    looping = belay_subject_create(ways[i]);
    belay_signal *three = belay_signal_chain(belay_signal_retain(looping), belay_op_take(3));
    CHECK_INT(belay_signal_subscribe(three, &observer, NULL), 0);
    belay_signal_release(three);
    CHECK_INT(belay_subject_next(looping, belay_int32(1)), 0);
    CHECK(strstr(trace_text(), "next 1 | next 2 | next 3 | completed | disposed") != NULL);
    CHECK(strstr(trace_text(), "next 4") == NULL);
    trace_clear();
    belay_signal_release(looping);
  }
}

/* ---- scan ---- */

static void scan_accumulates(void) {
  watch(belay_signal_chain(numbers(1, 4), belay_op_scan(belay_int32(10), sum_of, NULL, NULL)), "");
  CHECK_TRACE("next 11 | next 13 | next 16 | next 20 | completed | disposed | free");
}

static void scan_each_subscription_begins_with_the_seed(void) {
  belay_signal *sums =
      belay_signal_chain(letters(2), belay_op_scan(belay_string("seed"), join, NULL, NULL));
  watch(belay_signal_retain(sums), "1");
  watch(sums, "2");
  CHECK_TRACE("1 next seed/a | 1 next seed/a/b | 1 completed | 1 disposed | 1 free | "
              "2 next seed/a | 2 next seed/a/b | 2 completed | 2 disposed | 2 free");
}

static void scan_fails(void) {
  watch_errors(
      belay_signal_chain(numbers(1, 5), belay_op_scan(belay_int32(0), sum_or_fail, NULL, NULL)));
  CHECK_TRACE("next 1 | next 3 | error E2BIG: three | disposed | free");
  watch(belay_signal_chain(belay_signal_empty(),
                           belay_op_scan(belay_string("unused"), join, NULL, NULL)),
        "");
  CHECK_TRACE("completed | disposed | free");
}

static belay_value keep_first(void *ctx, belay_value total, belay_value value) {
  return belay_value_retain(total);
}

static void scan_may_return_what_it_was_given(void) {
  watch(belay_signal_chain(letters(2), belay_op_scan(belay_string("x"), keep_first, NULL, NULL)),
        "");
  CHECK_TRACE("next x | next x | completed | disposed | free");
}

/* ---- buffer by count ---- */

static void buffer_values(void) {
  watch(belay_signal_chain(numbers(1, 5), belay_op_buffer(2)), "");
  CHECK_TRACE("next [1 2] | next [3 4] | next [5] | completed | disposed | free");
  watch(belay_signal_chain(letters(4), belay_op_buffer(2)), "");
  CHECK_TRACE("next [a b] | next [c d] | completed | disposed | free");
  watch(belay_signal_chain(belay_signal_empty(), belay_op_buffer(2)), "");
  CHECK_TRACE("completed | disposed | free");
  watch(belay_signal_chain(letters(2), belay_op_buffer(SIZE_MAX)), "");
  CHECK_TRACE("next [a b] | completed | disposed | free");
}

static belay_disposable *three_letters_and_error(void *ctx, belay_subscriber *subscriber) {
  belay_error *error = belay_error_create(BELAY_ENOENT, NULL, NULL, belay_null(), NULL);
  for (char letter = 'a'; letter <= 'c'; letter++)
    belay_subscriber_next(subscriber, belay_string((char[]){letter, 0}));
  belay_subscriber_error(subscriber, error);
  belay_error_release(error);
  return NULL;
}

static void buffer_drops_the_rest_on_an_error(void) {
  watch(belay_signal_chain(belay_signal_create(three_letters_and_error, NULL, NULL, NULL),
                           belay_op_buffer(2)),
        "");
  CHECK_TRACE("next [a b] | error ENOENT | disposed | free");
}

static void buffer_is_let_go_of(void) {
  belay_signal *subject = belay_subject_create(NULL);
  belay_disposable *subscription =
      watched(belay_signal_chain(belay_signal_retain(subject), belay_op_buffer(3)), "");
  CHECK_INT(belay_subject_next(subject, belay_string("kept")), 0);
  end_subscription(subscription);
  CHECK_TRACE("disposed | free");
  watch(belay_signal_chain(belay_signal_retain(subject), belay_op_buffer(3)), "");
  CHECK_INT(belay_subject_next(subject, belay_string("kept")), 0);
  belay_signal_release(subject); /* interrupted */
  CHECK_TRACE("disposed | free");
}

static void buffer_of_none(void) {
  CHECK(belay_op_buffer(0) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
}

/* ---- distinct ---- */

static void distinct_values(void) {
  belay_value values[] = {belay_int32(1), belay_int32(1), belay_int32(2), belay_int32(1),
                          belay_int32(1), belay_int64(1)};
  watch(belay_signal_chain(belay_signal_from(values, 6),
                           belay_op_distinct_until_changed(NULL, NULL, NULL)),
        "");
  /* Values of another kind are not equal. */
  CHECK_TRACE("next 1 | next 2 | next 1 | next 1 | completed | disposed | free");
  belay_value texts[] = {belay_string("x"), belay_string("x"), belay_bytes("x", 1),
                         belay_string("y"), belay_string("y"), belay_string("")};
  watch(belay_signal_chain(belay_signal_from(texts, 6),
                           belay_op_distinct_until_changed(NULL, NULL, NULL)),
        "");
  CHECK_TRACE("next x | next bytes | next y | next  | completed | disposed | free");
}

static void distinct_by_a_callback(void) {
  belay_value values[] = {belay_int32(1), belay_int32(3), belay_int32(2), belay_int32(4),
                          belay_int32(5)};
  watch(belay_signal_chain(belay_signal_from(values, 5),
                           belay_op_distinct_until_changed(same_parity, NULL, NULL)),
        "");
  CHECK_TRACE("next 1 | next 2 | next 5 | completed | disposed | free");
}

static void distinct_fails(void) {
  watch(belay_signal_chain(numbers(1, 5),
                           belay_op_distinct_until_changed(equal_or_fail, NULL, NULL)),
        "");
  CHECK_TRACE("next 1 | next 2 | error EILSEQ | disposed | free");
}

/* ---- start_with, do ---- */

static void start_with_values(void) {
  belay_value first[] = {belay_string("x"), belay_string("y")};
  watch(belay_signal_chain(letters(2), belay_op_start_with(first, 2)), "");
  CHECK_TRACE("next x | next y | next a | next b | completed | disposed | free");
  watch(belay_signal_chain(letters(1), belay_op_start_with(NULL, 0)), "");
  CHECK_TRACE("next a | completed | disposed | free");
}

static void start_with_enough_does_not_subscribe(void) {
  belay_value first[] = {belay_int32(7), belay_int32(8)};
  watch(belay_signal_chain(belay_signal_create(count_up, NULL, NULL, NULL),
                           belay_op_start_with(first, 2), belay_op_take(1)),
        "");
  CHECK_TRACE("next 7 | completed | disposed | free");
}

static void do_calls_before(void) {
  belay_observer beside = rendering("do");
  watch(belay_signal_chain(numbers(1, 2), belay_op_do(&beside)), "");
  CHECK_TRACE("do next 1 | next 1 | do next 2 | next 2 | do completed | completed | disposed | "
              "do disposed | free | do free");
  watch(belay_signal_chain(one_then_error(), belay_op_do(&beside)), "");
  CHECK_TRACE("do next 1 | next 1 | do error ENOENT | error ENOENT | disposed | do disposed | "
              "free | do free");
}

static void do_nothing(void) {
  belay_observer beside = {.size = sizeof beside};
  watch(belay_signal_chain(numbers(1, 1), belay_op_do(&beside)), "");
  CHECK_TRACE("next 1 | completed | disposed | free");
  CHECK(belay_op_do(NULL) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
}

/* ---- together ---- */

static void a_long_chain(void) {
  belay_value first[] = {belay_int32(0)};
  belay_observer beside = rendering("do");
  beside.ctx_free = NULL;
  watch(belay_signal_chain(numbers(1, 9), belay_op_filter(is_odd, NULL, NULL),
                           belay_op_map(twice_of, NULL, NULL), belay_op_start_with(first, 1),
                           belay_op_scan(belay_int32(0), sum_of, NULL, NULL), belay_op_do(&beside),
                           belay_op_distinct_until_changed(NULL, NULL, NULL), belay_op_take(4),
                           belay_op_buffer(3)),
        "");
  CHECK_TRACE("do next 0 | do next 2 | do next 8 | next [0 2 8] | do next 18 | next [18] | "
              "completed | disposed | do disposed | free");
}

/* ---- operators of one's own ---- */

/* Takes the source over, as every constructor does. */
static belay_signal *first_doubled(void *count, belay_signal *source) {
  return belay_signal_chain(source, belay_op_take((uint64_t) * (int *)count),
                            belay_op_map(twice_of, NULL, NULL));
}
static belay_signal *cannot_compose(void *unused, belay_signal *source) {
  belay_signal_release(source);
  belay_fail(BELAY_EBUSY, "not now");
  return NULL;
}
static belay_signal *composes_nothing(void *unused, belay_signal *source) {
  belay_signal_release(source);
  return NULL;
}

static void compose_an_operator(void) {
  static int two = 2;
  int freed = 0;
  watch(belay_signal_chain(numbers(1, 5), belay_op_compose(first_doubled, &two, NULL),
                           belay_op_map(twice_of, NULL, NULL)), "");
  CHECK_TRACE("next 4 | next 8 | completed | disposed | free");
  CHECK(belay_signal_chain(numbers(1, 5), belay_op_compose(cannot_compose, &freed, count_free),
                           belay_op_take(1)) == NULL);
  CHECK_STRING(belay_error_message(belay_last_error()), "not now");
  CHECK(belay_signal_chain(numbers(1, 5), belay_op_compose(composes_nothing, &freed, count_free)) ==
        NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
  belay_op_release(belay_op_compose(first_doubled, &freed, count_free));
  CHECK(belay_op_compose(NULL, &freed, count_free) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
  CHECK_INT(freed, 4);
}

/* Bindings apply operators one by one. That gives the same chain, and leaves the shorter ones as
   they are. */
static void a_chain_that_grows_by_and_by(void) {
  belay_signal *subject = belay_subject_create(NULL);
  belay_signal_set_name(subject, "n");
  belay_signal *once = belay_signal_chain(belay_signal_retain(subject),
                                          belay_op_map(twice_of, NULL, NULL));
  belay_signal *twice = belay_signal_chain(belay_signal_retain(once),
                                           belay_op_map(twice_of, NULL, trace_free));
  CHECK_STRING(belay_signal_name(once), "n.map");
  CHECK_STRING(belay_signal_name(twice), "n.map.map");
  belay_signal_set_name(once, "once");
  belay_signal *named = belay_signal_chain(belay_signal_retain(once),
                                           belay_op_map(twice_of, NULL, NULL));
  CHECK_STRING(belay_signal_name(named), "once.map");
  belay_signal *all[] = {once, twice, named};
  const char *names[] = {"once", "twice", "named"};
  for (int i = 0; i < 3; i++) {
    belay_observer observer = tracing(names[i]);
    observer.completed = observer.disposed = NULL;
    observer.ctx_free = NULL;
    CHECK_INT(belay_signal_subscribe(all[i], &observer, NULL), 0);
    belay_signal_release(all[i]);
  }
  belay_subject_next(subject, belay_int32(1));
  CHECK_TRACE("once next 2 | twice next 4 | named next 4");
  belay_signal_release(subject);
  CHECK_TRACE("free (null)");
}

static const test_case cases[] = {
    CASE(map_values),
    CASE(map_fails),
    CASE(map_fails_with_a_code_that_is_none),
    CASE(map_passes_errors_on),
    CASE(map_to_boxed_values),
    CASE(a_failure_value_elsewhere_is_a_value),
    CASE(filter_values),
    CASE(filter_fails),
    CASE(filter_fails_without_a_message),
    CASE(filter_passes_errors_on),
    CASE(rule_1_1_take_completes_then_ends_its_source),
    CASE(take_none_does_not_subscribe),
    CASE(take_more_than_there_are),
    CASE(take_counts_what_is_sent_from_inside),
    CASE(scan_accumulates),
    CASE(scan_each_subscription_begins_with_the_seed),
    CASE(scan_fails),
    CASE(scan_may_return_what_it_was_given),
    CASE(buffer_values),
    CASE(buffer_drops_the_rest_on_an_error),
    CASE(buffer_is_let_go_of),
    CASE(buffer_of_none),
    CASE(distinct_values),
    CASE(distinct_by_a_callback),
    CASE(distinct_fails),
    CASE(start_with_values),
    CASE(start_with_enough_does_not_subscribe),
    CASE(do_calls_before),
    CASE(do_nothing),
    CASE(a_long_chain),
    CASE(a_chain_that_grows_by_and_by),
    CASE(compose_an_operator),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
