/* Flattening beyond marbles: synchronous signals, re-entrancy, memory, interruption, bad arguments. */
#include "cases.h"

#ifdef BELAY_CHECKED
enum { MANY = 100000 }; /* the checked build's ledger of handles is slow */
#else
enum { MANY = 1000000 };
#endif

/* Sends `*ctx` values from 0 on, synchronously, and stops when nobody listens. */
static belay_disposable *count_up(void *ctx, belay_subscriber *subscriber) {
  int32_t count = *(int32_t *)ctx;
  for (int32_t i = 0; i < count && !belay_subscriber_is_disposed(subscriber); i++)
    belay_subscriber_next(subscriber, belay_int32(i));
  belay_subscriber_completed(subscriber);
  return NULL;
}

static belay_signal *counting(int32_t *count) {
  return belay_signal_create(count_up, count, NULL, NULL);
}

typedef struct tally {
  int64_t values, sum;
  int completed, failed;
} tally;

static void tally_next(void *ctx, belay_value value) {
  ((tally *)ctx)->values++;
  ((tally *)ctx)->sum += int_of(value);
}
static void tally_completed(void *ctx) { ((tally *)ctx)->completed++; }
static void tally_error(void *ctx, const belay_error *error) { ((tally *)ctx)->failed++; }

static tally tallied(belay_signal *signal) {
  tally it = {0};
  belay_observer observer = {.size = sizeof observer};
  observer.ctx = &it;
  observer.next = tally_next;
  observer.error = tally_error;
  observer.completed = tally_completed;
  CHECK(signal != NULL);
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  belay_signal_release(signal);
  return it;
}

/* ---- a million, synchronously ---- */

static void a_million_through(belay_op *op) {
  int32_t count = MANY;
  tally it = tallied(belay_signal_chain(counting(&count), op));
  CHECK_INT(it.values, MANY);
  CHECK_INT(it.completed, 1);
}

static void a_million_values(void) {
  a_million_through(belay_op_flat_map(BELAY_UNLIMITED, just_it, NULL, NULL));
  a_million_through(belay_op_concat_map(just_it, NULL, NULL));
  a_million_through(belay_op_switch_map(just_it, NULL, NULL));
  a_million_through(belay_op_exhaust_map(just_it, NULL, NULL));
}

static belay_signal *two_of_it(void *ctx, belay_value value) {
  belay_value both[] = {belay_value_retain(value), belay_value_retain(value)};
  return belay_signal_from(both, 2);
}

static void a_million_values_through_signals_of_two(void) {
  int32_t count = MANY / 2;
  tally it = tallied(belay_signal_chain(counting(&count),
                                        belay_op_concat_map(two_of_it, NULL, NULL)));
  CHECK_INT(it.values, MANY);
  CHECK_INT(it.completed, 1);
}

static belay_signal *up_to_a_million(void *ctx, belay_value value) {
  int32_t number = int_of(value);
  return number == MANY ? belay_signal_empty() : belay_signal_just(belay_int32(number + 1));
}

static void expand_a_million(void) {
  tally it =
      tallied(belay_signal_chain(belay_signal_just(belay_int32(1)),
                                 belay_op_expand(BELAY_UNLIMITED, up_to_a_million, NULL, NULL)));
  CHECK_INT(it.values, MANY);
  CHECK_INT(it.completed, 1);
}

static void expand_is_in_the_order_of_coming(void) {
  watch(
      belay_signal_chain(belay_signal_just(belay_int32(999999)),
                         belay_op_expand(BELAY_UNLIMITED, two_of_it, NULL, NULL), belay_op_take(3)),
      "");
  CHECK_TRACE("next 999999 | next 999999 | next 999999 | completed | disposed | free");
}

static void repeat_a_million(void) {
  tally it = tallied(
      belay_signal_chain(belay_signal_just(belay_int32(1)), belay_op_repeat(MANY)));
  CHECK_INT(it.values, MANY);
  it = tallied(belay_signal_chain(belay_signal_just(belay_int32(1)),
                                  belay_op_repeat(BELAY_UNLIMITED), belay_op_take(MANY)));
  CHECK_INT(it.values, MANY);
  CHECK_INT(it.completed, 1);
}

static belay_signal *failing_signal(void) {
  return failing_with(BELAY_ERANGE, "again");
}

static void retry_a_million(void) {
  tally it = tallied(belay_signal_chain(failing_signal(), belay_op_retry(MANY)));
  CHECK_INT(it.failed, 1);
}

static belay_signal *as_they_are(void *ctx, belay_signal *events) {
  return belay_signal_retain(events);
}

static void when_a_hundred_thousand(void) {
  tally it = tallied(belay_signal_chain(belay_signal_just(belay_int32(1)),
                                        belay_op_repeat_when(as_they_are, NULL, NULL),
                                        belay_op_take(100000)));
  CHECK_INT(it.values, 100000);
  CHECK_INT(it.completed, 1);
}

static void concat_of_many_synchronous_ones(void) {
  enum { COUNT = 10000 };
  static belay_signal *signals[COUNT];
  for (int i = 0; i < COUNT; i++) signals[i] = belay_signal_just(belay_int32(1));
  tally it = tallied(belay_signal_concat(signals, COUNT));
  CHECK_INT(it.sum, COUNT);
  CHECK_INT(it.completed, 1);
}

/* ---- re-entrancy ---- */

typedef struct sending {
  belay_signal *subject;
  int32_t last;
} sending;

static void send_the_next(void *ctx, belay_value value) {
  sending *it = ctx;
  trace("next %d", int_of(value));
  if (int_of(value) < it->last)
    belay_subject_next(it->subject, belay_int32(int_of(value) + 1));
  else
    belay_subject_completed(it->subject);
  trace("left %d", int_of(value) % 10);
}

static void sends_from_inside(belay_op *op, belay_reentrancy policy) {
  belay_source_options options = {.size = sizeof options};
  options.reentrancy = policy;
  belay_signal *subject = belay_subject_create(&options);
  sending it = {subject, 3};
  belay_observer observer = {.size = sizeof observer};
  observer.ctx = &it;
  observer.next = send_the_next;
  observer.completed = trace_completed;
  belay_signal *signal =
      belay_signal_chain(belay_signal_retain(subject), op);
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  belay_signal_release(signal);
  belay_subject_next(subject, belay_int32(1));
  belay_signal_release(subject);
}

#define IN_TURN "next 1 | left 1 | next 2 | left 2 | next 3 | left 3 | completed"

static void rule_1_2_sends_from_inside_follow(void) {
  static const belay_reentrancy policies[] = {BELAY_REENTRANCY_QUEUE,
                                              BELAY_REENTRANCY_DEPTH_FIRST};
  for (int i = 0; i < 2; i++) {
    sends_from_inside(belay_op_flat_map(BELAY_UNLIMITED, just_it, NULL, NULL), policies[i]);
    CHECK_TRACE(IN_TURN);
    sends_from_inside(belay_op_concat_map(just_it, NULL, NULL), policies[i]);
    CHECK_TRACE(IN_TURN);
    sends_from_inside(belay_op_switch_map(just_it, NULL, NULL), policies[i]);
    CHECK_TRACE(IN_TURN);
  }
}

/* ---- subjects: what is held, and interruption ---- */

static belay_signal *the_subject(void *ctx, belay_value value) {
  return belay_signal_retain(ctx);
}

static void rule_1_1_a_subject_that_goes_interrupts(void) {
  belay_op *ops[] = {belay_op_flat_map(BELAY_UNLIMITED, just_it, NULL, NULL), belay_op_repeat(2),
                     belay_op_retry(2), belay_op_catch_to(belay_null()),
                     belay_op_concat(NULL, 0), belay_op_merge_delay_error(NULL, 0)};
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
    /* Operators that subscribe again keep their source, so the chain is released first. */
    belay_signal *subject = belay_subject_create(NULL);
    belay_disposable *subscription = watched(
        belay_signal_chain(belay_signal_retain(subject), ops[i]), "");
    belay_subject_next(subject, belay_int32(1));
    belay_signal_release(subject);
    if (i == 1 || i == 2) belay_disposable_dispose(subscription);
    CHECK_TRACE("next 1 | disposed | free");
    belay_disposable_release(subscription);
  }
}

/* 1; the subscriber is kept. */
static belay_disposable *one_and_keep(void *ctx, belay_subscriber *subscriber) {
  belay_subscriber_next(subscriber, belay_int32(1));
  *(belay_subscriber **)ctx = belay_subscriber_retain(subscriber);
  return NULL;
}

static belay_signal *not_called(void *ctx, const belay_error *error) {
  CHECK(!"called");
  return NULL;
}

static void rule_1_1_concat_then_catch_retry_repeat_pass_an_interruption_on(void) {
  belay_scheduler *scheduler = belay_scheduler_create_virtual();
  belay_signal *another = belay_signal_just(belay_int32(2));
  belay_op *ops[] = {belay_op_concat(&another, 1),
                     belay_op_catch(not_called, NULL, NULL),
                     belay_op_catch_to(belay_int32(2)),
                     belay_op_retry(3),
                     belay_op_retry_when(as_they_are, NULL, NULL),
                     belay_op_retry_backoff(scheduler, 1, 1, 1, 0, BELAY_UNLIMITED, 0),
                     belay_op_repeat(BELAY_UNLIMITED),
                     belay_op_repeat_when(as_they_are, NULL, NULL),
                     belay_op_flat_map(BELAY_UNLIMITED, just_it, NULL, NULL),
                     belay_op_switch_map(just_it, NULL, NULL),
                     belay_op_expand(1, empty_of, NULL, NULL)};
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
    belay_subscriber *kept = NULL;
    watch(belay_signal_chain(belay_signal_create(one_and_keep, &kept, NULL, NULL), ops[i]), "");
    CHECK_TRACE("next 1");
    belay_subscriber_release(kept);
    CHECK_TRACE("disposed | free");
  }
  belay_subscriber *kept = NULL;
  watch(belay_signal_chain(belay_signal_create(one_and_keep, &kept, NULL, NULL),
                           belay_op_then(belay_signal_just(belay_int32(2)))),
        "");
  belay_subscriber_release(kept);
  CHECK_TRACE("disposed | free");
  belay_scheduler_release(scheduler);
}

static void rule_1_1_an_inner_signal_that_goes_counts_when_nothing_is_left(void) {
  belay_signal *outer = belay_subject_create(NULL), *inner = belay_subject_create(NULL);
  belay_disposable *subscription =
      watched(belay_signal_chain(belay_signal_retain(outer),
                                 belay_op_flat_map(BELAY_UNLIMITED, the_subject, inner, NULL)),
              "");
  belay_subject_next(outer, belay_int32(0));
  belay_subject_next(inner, belay_int32(5));
  belay_signal_release(inner);
  CHECK_TRACE("next 5");
  CHECK_INT(belay_disposable_is_disposed(subscription), 0);
  belay_subject_completed(outer);
  CHECK_TRACE("disposed | free");
  belay_disposable_release(subscription);
  belay_signal_release(outer);
}

static void switch_leaves_the_one_before(void) {
  belay_signal *outer = belay_subject_create(NULL), *inner = belay_subject_create(NULL);
  belay_disposable *subscription =
      watched(belay_signal_chain(belay_signal_retain(outer),
                                 belay_op_switch_map(the_subject, inner, NULL)),
              "");
  for (int i = 0; i < 100; i++) belay_subject_next(outer, belay_int32(i));
  CHECK_INT(belay_subject_count(inner), 1);
  end_subscription(subscription);
  CHECK_INT(belay_subject_count(inner), 0);
  CHECK_INT(belay_subject_count(outer), 0);
  CHECK_TRACE("disposed | free");
  belay_signal_release(outer);
  belay_signal_release(inner);
}

static void what_waits_is_given_back(void) {
  int freed = 0;
  belay_signal *outer = belay_subject_create(NULL);
  belay_signal *never = belay_signal_never();
  belay_disposable *subscription = watched(
      belay_signal_chain(belay_signal_retain(outer), belay_op_concat_all()),
      "");
  belay_subject_next(outer, belay_value_from_signal(never));
  for (int i = 0; i < 10; i++)
    belay_subject_next(outer, belay_pointer_owned(&freed, count_free));
  CHECK_INT(freed, 0);
  end_subscription(subscription);
  CHECK_INT(freed, 10);
  CHECK_TRACE("disposed | free");
  belay_signal_release(never);
  belay_signal_release(outer);
}

/* One inner signal is torn down before the next one is subscribed to. */
static void note_torn(void *ctx) { trace("torn"); }
static belay_disposable *one_and_done(void *ctx, belay_subscriber *subscriber) {
  trace("begun");
  belay_subscriber_next(subscriber, belay_int32(1));
  belay_subscriber_completed(subscriber);
  return belay_disposable_create(note_torn, NULL, NULL);
}

static void repeat_tears_down_first(void) {
  watch(belay_signal_chain(belay_signal_create(one_and_done, NULL, NULL, NULL),
                           belay_op_repeat(2)),
        "");
  CHECK_TRACE("begun | next 1 | torn | begun | next 1 | completed | disposed | free | torn");
}

/* ---- values that are no signals, callbacks that fail ---- */

static void a_value_that_is_no_signal(void) {
  watch(belay_signal_chain(numbers(1, 3), belay_op_merge_all(BELAY_UNLIMITED)), "");
  CHECK_TRACE("error EKIND | disposed | free");
}

static belay_signal *nothing(void *ctx, belay_value value) { return NULL; }
static belay_signal *refused(void *ctx, belay_value value) {
  belay_fail(BELAY_ERANGE, "no");
  return NULL;
}

static void callbacks_that_fail(void) {
  watch(belay_signal_chain(numbers(1, 3), belay_op_flat_map(BELAY_UNLIMITED, nothing, NULL, NULL)),
        "");
  CHECK_TRACE("error EINVAL | disposed | free");
  watch(belay_signal_chain(numbers(1, 3), belay_op_expand(BELAY_UNLIMITED, refused, NULL, NULL)),
        "");
  CHECK_TRACE("next 1 | error ERANGE | disposed | free");
}

static void contexts_are_freed(void) {
  int freed = 0;
  belay_op_release(belay_op_flat_map(BELAY_UNLIMITED, just_it, &freed, count_free));
  belay_op_release(belay_op_retry_when(as_they_are, &freed, count_free));
  watch(belay_signal_chain(numbers(1, 2), belay_op_switch_map(just_it, &freed, count_free)), "");
  CHECK_TRACE("next 1 | next 2 | completed | disposed | free");
  CHECK_INT(freed, 3);
}

static void expect_invalid(belay_op *op) {
  CHECK(op == NULL);
  const belay_error *error = belay_last_error();
  CHECK(error != NULL);
  CHECK_INT(belay_error_code(error), BELAY_EINVAL);
}

static void bad_arguments(void) {
  int freed = 0;
  expect_invalid(belay_op_flat_map(BELAY_UNLIMITED, NULL, &freed, count_free));
  expect_invalid(belay_op_concat_map(NULL, &freed, count_free));
  expect_invalid(belay_op_switch_map(NULL, &freed, count_free));
  expect_invalid(belay_op_exhaust_map(NULL, &freed, count_free));
  expect_invalid(belay_op_expand(1, NULL, &freed, count_free));
  expect_invalid(belay_op_catch(NULL, &freed, count_free));
  expect_invalid(belay_op_retry_when(NULL, &freed, count_free));
  expect_invalid(belay_op_repeat_when(NULL, &freed, count_free));
  expect_invalid(belay_op_attempt(NULL, &freed, count_free));
  CHECK_INT(freed, 9);
  expect_invalid(belay_op_retry(0));
  expect_invalid(belay_op_then(NULL));
  expect_invalid(belay_op_concat(NULL, 1));
  expect_invalid(belay_op_merge_delay_error(NULL, 1));
}

static belay_signal *the_first_two(void *ctx, belay_signal *ends) {
  return belay_signal_chain(belay_signal_retain(ends), belay_op_take(2));
}
/* The second repetition has not begun yet when the answer completes. */
static void repeat_when_of_a_source_that_completes_at_once(void) {
  watch(belay_signal_chain(belay_signal_just(belay_string("x")),
                           belay_op_repeat_when(the_first_two, NULL, NULL)),
        "");
  CHECK_TRACE("next x | next x | next x | completed | disposed | free");
}

/* ---- what is left counts no more ---- */
static belay_signal *inners[2];
static int chosen;
static belay_signal *the_chosen(void *ctx, belay_value value) {
  return belay_signal_retain(inners[chosen]);
}
/* How an inner signal ended that was then replaced says nothing about the whole. */
static void switch_forgets_how_the_one_before_ended(void) {
  for (int is_last = 0; is_last < 2; is_last++) {
    belay_signal *keys = belay_subject_create(NULL);
    inners[0] = belay_subject_create(NULL), inners[1] = belay_subject_create(NULL);
    chosen = 0;
    watch(belay_signal_chain(belay_signal_retain(keys),
                             belay_op_switch_map(the_chosen, NULL, NULL)),
          "");
    CHECK_INT(belay_subject_next(keys, belay_int32(0)), 0);
    belay_signal_release(inners[0]);
    chosen = 1;
    if (!is_last) {
      CHECK_INT(belay_subject_next(keys, belay_int32(1)), 0);
      CHECK_INT(belay_subject_completed(inners[1]), 0);
    }
    CHECK_TRACE("");
    CHECK_INT(belay_subject_completed(keys), 0);
    CHECK_TRACE(is_last ? "disposed | free" : "completed | disposed | free");
    belay_signal_release(inners[1]);
    belay_signal_release(keys);
  }
}

static const test_case cases[] = {
    CASE(a_million_values),
    CASE(a_million_values_through_signals_of_two),
    CASE(expand_a_million),
    CASE(expand_is_in_the_order_of_coming),
    CASE(repeat_a_million),
    CASE(retry_a_million),
    CASE(when_a_hundred_thousand),
    CASE(concat_of_many_synchronous_ones),
    CASE(rule_1_2_sends_from_inside_follow),
    CASE(rule_1_1_a_subject_that_goes_interrupts),
    CASE(rule_1_1_concat_then_catch_retry_repeat_pass_an_interruption_on),
    CASE(rule_1_1_an_inner_signal_that_goes_counts_when_nothing_is_left),
    CASE(switch_leaves_the_one_before),
    CASE(switch_forgets_how_the_one_before_ended),
    CASE(what_waits_is_given_back),
    CASE(repeat_tears_down_first),
    CASE(repeat_when_of_a_source_that_completes_at_once),
    CASE(a_value_that_is_no_signal),
    CASE(callbacks_that_fail),
    CASE(contexts_are_freed),
    CASE(bad_arguments),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
