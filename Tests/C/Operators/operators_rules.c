/* Rules for every operator: the order of teardown, contexts, ownership, re-entry, disposal inside
   each callback. */
#include "cases.h"

/* ---- a producer that keeps its subscriber ---- */
static belay_subscriber *kept;
static belay_disposable *subscription;

static belay_disposable *keep_subscriber(void *ctx, belay_subscriber *subscriber) {
  kept = belay_subscriber_retain(subscriber);
  return belay_disposable_create(trace_action, "teardown", NULL);
}

static void dispose_in_next(void *ctx, belay_value value) {
  trace("next");
  belay_disposable_dispose(subscription);
  trace("next returns");
}

/* kept -> do "1" -> do "2" -> observer */
static void subscribe_two_stages(void (*next)(void *, belay_value)) {
  belay_observer first = rendering("1"), second = rendering("2"), observer = rendering("");
  first.ctx_free = second.ctx_free = NULL;
  if (next) observer.next = next;
  belay_signal *signal = belay_signal_chain(belay_signal_create(keep_subscriber, NULL, NULL, NULL),
                                            belay_op_do(&first), belay_op_do(&second));
  CHECK(signal != NULL);
  CHECK_INT(belay_signal_subscribe(signal, &observer, &subscription), 0);
  belay_signal_release(signal);
}

static void let_go(void) {
  belay_subscriber_release(kept);
  belay_disposable_release(subscription);
}

static void rule_1_1_order_at_completion(void) {
  subscribe_two_stages(NULL);
  CHECK_INT(belay_subscriber_next(kept, belay_int32(5)), 0);
  CHECK_TRACE("1 next 5 | 2 next 5 | next 5");
  CHECK_INT(belay_subscriber_completed(kept), 0);
  CHECK_TRACE("1 completed | 2 completed | completed | disposed | 2 disposed | 1 disposed | "
              "action teardown | free");
  CHECK_FAILS(belay_subscriber_next(kept, belay_string("late")), BELAY_EENDED);
  CHECK_TRACE("");
  let_go();
}

static void rule_1_1_order_at_an_error(void) {
  belay_error *error = belay_error_create(BELAY_ENOENT, NULL, NULL, belay_null(), NULL);
  subscribe_two_stages(NULL);
  CHECK_INT(belay_subscriber_error(kept, error), 0);
  CHECK_TRACE("1 error ENOENT | 2 error ENOENT | error ENOENT | disposed | 2 disposed | "
              "1 disposed | action teardown | free");
  belay_error_release(error);
  let_go();
}

static void rule_1_1_order_at_disposal(void) {
  subscribe_two_stages(NULL);
  belay_disposable_dispose(subscription);
  CHECK_TRACE("action teardown | 1 disposed | 2 disposed | disposed | free");
  belay_disposable_dispose(subscription);
  CHECK_FAILS(belay_subscriber_next(kept, belay_string("late")), BELAY_EENDED);
  CHECK_INT(belay_subscriber_is_disposed(kept), 1);
  CHECK_TRACE("");
  let_go();
}

static void rule_1_1_order_at_disposal_inside_next(void) {
  subscribe_two_stages(dispose_in_next);
  CHECK_INT(belay_subscriber_next(kept, belay_int32(5)), 0);
  CHECK_TRACE("1 next 5 | 2 next 5 | next | action teardown | 1 disposed | 2 disposed | disposed | "
              "next returns | free");
  let_go();
}

static void rule_1_1_order_at_an_interruption(void) {
  subscribe_two_stages(NULL);
  belay_subscriber_release(kept);
  /* There is no event, so it goes as a disposal does (the first program of article 001). */
  CHECK_TRACE("action teardown | 1 disposed | 2 disposed | disposed | free");
  belay_disposable_release(subscription);
}

static belay_signal *given;
static belay_signal *the_given(void *ctx, belay_value value) { return belay_signal_retain(given); }

static void rule_1_1_order_at_the_interruption_of_one_of_several(void) {
  for (int is_inner = 0; is_inner < 2; is_inner++) {
    belay_observer first = rendering("1"), second = rendering("2");
    first.ctx_free = second.ctx_free = NULL;
    belay_signal *outer = belay_subject_create(NULL);
    given = belay_signal_chain(belay_signal_create(keep_subscriber, NULL, NULL, NULL),
                               belay_op_do(&first), belay_op_do(&second));
    belay_signal *both[] = {belay_signal_retain(given), belay_signal_retain(outer)};
    belay_signal *merged = belay_signal_merge(both, 2);
    belay_signal *flat = belay_signal_chain(
        belay_signal_retain(outer), belay_op_flat_map(BELAY_UNLIMITED, the_given, NULL, NULL));
    subscription = watched(is_inner ? flat : merged, "");
    belay_signal_release(is_inner ? merged : flat);
    if (is_inner) CHECK_INT(belay_subject_next(outer, belay_null()), 0);
    belay_subscriber_release(kept);
    CHECK_TRACE("action teardown | 1 disposed | 2 disposed");
    end_subscription(subscription);
    CHECK_TRACE("disposed | free");
    belay_signal_release(given);
    belay_signal_release(outer);
  }
}

static void rule_1_1_order_at_an_operators_end(void) {
  belay_observer above = rendering("above"), below = rendering("below");
  above.ctx_free = below.ctx_free = NULL;
  subscription = watched(
      belay_signal_chain(belay_signal_create(keep_subscriber, NULL, NULL, NULL),
                         belay_op_do(&above), belay_op_take(1), belay_op_do(&below)),
      "");
  CHECK_INT(belay_subscriber_next(kept, belay_int32(5)), 0);
  CHECK_TRACE("above next 5 | below next 5 | next 5 | below completed | completed | disposed | "
              "below disposed | above disposed | action teardown | free");
  let_go();
}

/* ---- one operator of each kind that has a callback ---- */

static belay_value map_to_text(void *ctx, belay_value value) { return belay_string("mapped"); }
static belay_value step_to_text(void *ctx, belay_value a, belay_value b) {
  return belay_string("step");
}

static belay_op *make_op(int kind, void *ctx, belay_free_fn ctx_free) {
  belay_observer observer = {.size = sizeof observer, .ctx = ctx, .ctx_free = ctx_free};
  switch (kind) {
    case 0: return belay_op_map(map_to_text, ctx, ctx_free);
    case 1: return belay_op_filter(answer_yes, ctx, ctx_free);
    case 2: return belay_op_scan(belay_string("seed"), step_to_text, ctx, ctx_free);
    case 3: return belay_op_distinct_until_changed(never_equal, ctx, ctx_free);
    default: return belay_op_do(&observer);
  }
}
enum { KINDS = 5 };

static void rule_1_1_operators_context_goes_with_the_last_subscription(void) {
  for (int kind = 0; kind < KINDS; kind++) {
    int freed = 0;
    belay_signal *subject = belay_subject_create(NULL);
    belay_signal *signal =
        belay_signal_chain(belay_signal_retain(subject), make_op(kind, &freed, count_free));
    belay_disposable *one = watched(belay_signal_retain(signal), "");
    belay_disposable *other = watched(belay_signal_retain(signal), "");
    CHECK_INT(belay_subject_next(subject, belay_string("value")), 0);
    CHECK_INT(belay_subject_next(subject, belay_string("value")), 0);
    end_subscription(one);
    CHECK_INT(freed, 0);
    belay_signal_release(signal);
    CHECK_INT(freed, 0);
    CHECK_INT(belay_subject_next(subject, belay_string("value")), 0);
    end_subscription(other);
    CHECK_INT(freed, 1);
    belay_signal_release(subject);
    CHECK_INT(freed, 1);
  }
}

static void rule_1_1_operators_context_goes_with_the_signal(void) {
  for (int kind = 0; kind < KINDS; kind++) {
    int freed = 0;
    belay_signal *signal = belay_signal_chain(belay_signal_just(belay_string("value")),
                                              make_op(kind, &freed, count_free));
    watch(belay_signal_retain(signal), "");
    CHECK_INT(freed, 0);
    belay_signal_release(signal);
    CHECK_INT(freed, 1);
  }
}

static void rule_1_5_operators_not_applied(void) {
  for (int kind = 0; kind < KINDS; kind++) {
    int freed = 0;
    belay_op_release(make_op(kind, &freed, count_free));
    CHECK_INT(freed, 1);
  }
  belay_value first[] = {belay_string("x")};
  belay_signal *others[] = {belay_signal_just(belay_string("y"))};
  belay_op_release(belay_op_start_with(first, 1));
  belay_op_release(belay_op_merge(others, 1));
  belay_op_release(belay_op_take_until(belay_signal_just(belay_string("z"))));
  belay_op_release(belay_op_take(1));
  belay_op_release(belay_op_buffer(1));
  belay_op_release(NULL);
}

static void rule_1_5_operators_without_a_callback(void) {
  int freed = 0;
  CHECK(belay_op_map(NULL, &freed, count_free) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
  CHECK(belay_op_filter(NULL, &freed, count_free) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
  CHECK(belay_op_scan(belay_string("seed"), NULL, &freed, count_free) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
  CHECK_INT(freed, 3);
  CHECK(belay_op_start_with(NULL, 3) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
  CHECK(belay_op_buffer_time(NULL, 1, BELAY_UNLIMITED) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
  CHECK(belay_signal_from(NULL, 3) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
}

/* ---- chains ---- */

static void rule_1_5_a_chain_with_a_part_that_failed(void) {
  for (int missing = 0; missing <= 3; missing++) {
    int freed = 0;
    belay_signal *source = missing == 0
                               ? NULL
                               : belay_signal_create(trace_subscribed, &freed, count_free, NULL);
    belay_op *ops[3];
    for (int i = 0; i < 3; i++)
      ops[i] = missing == i + 1 ? belay_op_buffer(0) : make_op(i, &freed, count_free);
    CHECK(belay_signal_chain_n(source, ops, 3) == NULL);
    CHECK_INT(freed, 3);
    if (missing > 0) CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
    belay_last_error();
  }
}

static void rule_1_5_what_has_failed_is_told(void) {
  CHECK_INT(belay_value_get_string(belay_int32(1), NULL), BELAY_EKIND);
  belay_signal *signal = belay_signal_chain(
      belay_signal_just(belay_int32(1)), belay_op_take(1), belay_op_buffer(0), belay_op_take(2));
  belay_observer observer = tracing("");
  CHECK(signal == NULL);
  CHECK(belay_signal_subscribe(signal, &observer, NULL) < 0);
  CHECK_TRACE("free");
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
  CHECK(belay_last_error() == NULL);
}

static void rule_1_5_passing_null_on_is_no_new_error(void) {
  int freed = 0;
  CHECK_INT(belay_value_get_string(belay_int32(1), NULL), BELAY_EKIND);
  CHECK(belay_signal_chain(NULL, make_op(0, &freed, count_free)) == NULL);
  CHECK_INT(freed, 1);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EKIND);
  CHECK(belay_signal_chain(NULL, make_op(0, &freed, count_free)) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
  CHECK_INT(freed, 2);
  CHECK(belay_last_error() == NULL);
}

static void a_chain_of_no_operators(void) {
  belay_signal *same = belay_signal_chain_n(numbers(1, 2), NULL, 0);
  watch(same, "");
  CHECK_TRACE("next 1 | next 2 | completed | disposed | free");
  CHECK(belay_signal_chain_n(belay_signal_just(belay_string("x")), NULL, 2) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
}

static void a_chain_takes_its_source_over(void) {
  belay_signal *subject = belay_subject_create(NULL);
  belay_signal *chained = belay_signal_chain(subject, belay_op_take(3));
  watch(belay_signal_retain(chained), "");
  CHECK_TRACE("");
  /* The chain has the only reference to the subject. The subscription does not keep the subject
     alive. */
  belay_signal_release(chained);
  CHECK_TRACE("disposed | free");
}

/* ---- disposal inside each callback ---- */

static void dispose_now(void) {
  trace("disposing");
  belay_disposable_dispose(subscription);
  CHECK_INT(belay_disposable_is_disposed(subscription), 1);
  trace("disposed of");
}

static belay_value map_and_dispose(void *ctx, belay_value value) {
  dispose_now();
  return belay_string("not delivered");
}
static int filter_and_dispose(void *ctx, belay_value value) {
  dispose_now();
  return 1;
}
static belay_value step_and_dispose(void *ctx, belay_value total, belay_value value) {
  belay_view text;
  dispose_now();
  /* The accumulated value stays valid until this callback returns. */
  CHECK_INT(belay_value_get_string(total, &text), 0);
  CHECK_STRING(text.data, "seed");
  return belay_string("not delivered");
}
static int compare_and_dispose(void *ctx, belay_value a, belay_value b) {
  belay_view text;
  dispose_now();
  CHECK_INT(belay_value_get_string(a, &text), 0);
  CHECK_STRING(text.data, "sent");
  return 0;
}
static belay_value fail_and_dispose(void *ctx, belay_value value) {
  dispose_now();
  return belay_value_failure(BELAY_ERANGE, "not delivered");
}
static int refuse_and_dispose(void *ctx, belay_value value) {
  dispose_now();
  return belay_fail(BELAY_ERANGE, "not delivered");
}
static void do_and_dispose(void *ctx, belay_value value) { dispose_now(); }
static void end_and_dispose(void *ctx) { dispose_now(); }
static void error_and_dispose(void *ctx, const belay_error *error) { dispose_now(); }

static belay_signal *subject;

static void subscribe_with(belay_op *op) {
  subject = belay_subject_create(NULL);
  subscription = watched(
      belay_signal_chain(belay_signal_retain(subject), op, belay_op_take(9), belay_op_buffer(1)),
      "");
}

static void dispose_inside(belay_op *op, int sends) {
  subscribe_with(op);
  for (int i = 0; i < sends; i++) {
    trace_clear();
    belay_subject_next(subject, belay_string("sent"));
  }
  CHECK_TRACE("disposing | disposed | disposed of | free");
  CHECK_INT(belay_subject_count(subject), 0);
  belay_subject_next(subject, belay_string("sent"));
  CHECK_INT(belay_subject_completed(subject), 0);
  CHECK_TRACE("");
  belay_disposable_release(subscription);
  belay_signal_release(subject);
}

static void rule_1_1_disposal_inside_each_callback(void) {
  belay_observer observer = {.size = sizeof observer, .next = do_and_dispose};
  dispose_inside(belay_op_map(map_and_dispose, NULL, NULL), 1);
  dispose_inside(belay_op_map(fail_and_dispose, NULL, NULL), 1);
  dispose_inside(belay_op_filter(filter_and_dispose, NULL, NULL), 1);
  dispose_inside(belay_op_filter(refuse_and_dispose, NULL, NULL), 1);
  dispose_inside(belay_op_scan(belay_string("seed"), step_and_dispose, NULL, NULL), 1);
  dispose_inside(belay_op_distinct_until_changed(compare_and_dispose, NULL, NULL), 2);
  dispose_inside(belay_op_do(&observer), 1);
}

static belay_value note_and_map(void *ctx, belay_value value) {
  trace("called");
  return belay_value_retain(value);
}
/* Successive maps and filters are one stage. */
static void rule_1_1_a_step_that_disposes_is_the_last_that_is_called(void) {
  for (int maps = 0; maps < 2; maps++) {
    subject = belay_subject_create(NULL);
    subscription = watched(
        belay_signal_chain(belay_signal_retain(subject),
                           maps ? belay_op_map(map_and_dispose, NULL, NULL)
                                : belay_op_filter(filter_and_dispose, NULL, NULL),
                           belay_op_map(note_and_map, NULL, NULL)),
        "");
    belay_subject_next(subject, belay_string("sent"));
    CHECK_TRACE("disposing | disposed | disposed of | free");
    belay_disposable_release(subscription);
    belay_signal_release(subject);
  }
}

static void rule_1_1_disposal_inside_the_ends(void) {
  belay_observer observer = {.size = sizeof observer};
  observer.completed = end_and_dispose;
  observer.error = error_and_dispose;
  belay_error *error = belay_error_create(BELAY_EBUSY, NULL, NULL, belay_null(), NULL);
  for (int with_error = 0; with_error < 2; with_error++) {
    subscribe_with(belay_op_do(&observer));
    if (with_error) CHECK_INT(belay_subject_error(subject, error), 0);
    else CHECK_INT(belay_subject_completed(subject), 0);
    /* It was disposed before the end was passed on, so the end is not passed on. */
    CHECK_TRACE("disposing | disposed | disposed of | free");
    belay_disposable_release(subscription);
    belay_signal_release(subject);
  }
  belay_error_release(error);
  observer = (belay_observer){.size = sizeof observer, .disposed = end_and_dispose};
  subscribe_with(belay_op_do(&observer));
  end_subscription(belay_disposable_retain(subscription));
  CHECK_TRACE("disposing | disposed of | disposed | free");
  belay_disposable_release(subscription);
  belay_signal_release(subject);
}

/* ---- sending again inside each callback ---- */
static int sends_left;

static void send_inside(void) {
  if (sends_left-- <= 0) return;
  CHECK_INT(belay_subject_next(subject, belay_string("again")), BELAY_QUEUED);
}
static belay_value map_and_send(void *ctx, belay_value value) {
  send_inside();
  return belay_value_retain(value);
}
static int filter_and_send(void *ctx, belay_value value) {
  send_inside();
  return 1;
}
static belay_value step_and_send(void *ctx, belay_value total, belay_value value) {
  send_inside();
  return belay_value_retain(value);
}
static int compare_and_send(void *ctx, belay_value a, belay_value b) {
  send_inside();
  return 0;
}
static void do_and_send(void *ctx, belay_value value) { send_inside(); }

static void rule_1_2_sending_inside_each_callback(void) {
  belay_observer observer = {.size = sizeof observer, .next = do_and_send};
  belay_op *ops[] = {
      belay_op_map(map_and_send, NULL, NULL),
      belay_op_filter(filter_and_send, NULL, NULL),
      belay_op_scan(belay_string("seed"), step_and_send, NULL, NULL),
      belay_op_distinct_until_changed(compare_and_send, NULL, NULL),
      belay_op_do(&observer),
  };
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
    sends_left = 2;
    subscribe_with(ops[i]);
    CHECK_INT(belay_subject_next(subject, belay_string("1")), 0);
    if (i == 3) CHECK_INT(belay_subject_next(subject, belay_string("2")), 0);
    CHECK_TRACE(i == 3 ? "next [1] | next [2] | next [again] | next [again]"
                       : "next [1] | next [again] | next [again]");
    end_subscription(subscription);
    CHECK_TRACE("disposed | free");
    belay_signal_release(subject);
  }
}

/* ---- errors of the thread ---- */

static belay_value look_at_errors(void *ctx, belay_value value) {
  CHECK(belay_last_error() == NULL);
  belay_fail(BELAY_ERANGE, "left in a callback");
  return belay_value_retain(value);
}

static void rule_1_5_an_operators_callback_starts_without_an_error(void) {
  belay_fail(BELAY_EAGAIN, "the caller's");
  watch(belay_signal_chain(numbers(1, 2), belay_op_map(look_at_errors, NULL, NULL),
                           belay_op_map(look_at_errors, NULL, NULL)),
        "");
  CHECK_TRACE("next 1 | next 2 | completed | disposed | free");
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EAGAIN);
  CHECK(belay_last_error() == NULL);
}

static const test_case cases[] = {
    CASE(rule_1_1_order_at_completion),
    CASE(rule_1_1_order_at_an_error),
    CASE(rule_1_1_order_at_disposal),
    CASE(rule_1_1_order_at_disposal_inside_next),
    CASE(rule_1_1_order_at_an_interruption),
    CASE(rule_1_1_order_at_the_interruption_of_one_of_several),
    CASE(rule_1_1_order_at_an_operators_end),
    CASE(rule_1_1_operators_context_goes_with_the_last_subscription),
    CASE(rule_1_1_operators_context_goes_with_the_signal),
    CASE(rule_1_5_operators_not_applied),
    CASE(rule_1_5_operators_without_a_callback),
    CASE(rule_1_5_a_chain_with_a_part_that_failed),
    CASE(rule_1_5_what_has_failed_is_told),
    CASE(rule_1_5_passing_null_on_is_no_new_error),
    CASE(a_chain_of_no_operators),
    CASE(a_chain_takes_its_source_over),
    CASE(rule_1_1_disposal_inside_each_callback),
    CASE(rule_1_1_a_step_that_disposes_is_the_last_that_is_called),
    CASE(rule_1_1_disposal_inside_the_ends),
    CASE(rule_1_2_sending_inside_each_callback),
    CASE(rule_1_5_an_operators_callback_starts_without_an_error),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
