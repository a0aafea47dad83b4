/* A subscription retains no signal that only the host holds: when the host gives back its last handle of an
   input, that input is interrupted; and what is made of one signal several times does not keep itself. */
#include "cases.h"

static belay_signal *never(void *ctx, belay_value value) { return belay_signal_never(); }
static belay_value first_of(void *ctx, const belay_value *row, size_t count) {
  return belay_value_retain(row[0]);
}
static int equal(void *ctx, belay_value one, belay_value two) {
  return belay_value_equal(one, two);
}

/* An operator with `other`, which it takes over. */
static belay_op *with_other(int kind, belay_signal *other) {
  switch (kind) {
    case 0: return belay_op_with_latest_from(&other, 1, first_of, NULL, NULL);
    case 1: return belay_op_sequence_equal(other, NULL, NULL, NULL);
    case 2: return belay_op_sequence_equal(other, equal, NULL, NULL);
    case 3: return belay_op_window_toggle(other, never, NULL, NULL);
    case 4: return belay_op_skip_until(other);
    case 5: return belay_op_merge(&other, 1);
    case 6: return belay_op_sample(other);
    case 7: return belay_op_throttle_while(other);
    case 8: return belay_op_window_by(other);
    case 9: return belay_op_buffer_by(other);
    case 10: return belay_op_take_until(other);
    case 11: return belay_op_take_until_replacement(other);
    case 12: return belay_op_timeout_when(other, NULL, never, NULL, NULL);
    default: return belay_signal_release(other), NULL;
  }
}

static belay_observer without_values(void) {
  belay_observer observer = tracing("");
  observer.next = NULL;
  return observer;
}

static void subscribe_only(belay_signal *signal) {
  belay_observer observer = without_values();
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  belay_signal_release(signal);
}

/* Each kind ends when both of its inputs have gone, in either order. */
static void the_inputs_of_an_operator(void) {
  for (int order = 0; order < 2; order++) {
    for (int kind = 0;; kind++) {
      belay_signal *source = belay_subject_create(NULL), *other = belay_subject_create(NULL);
      belay_op *op = with_other(kind, also(other));
      if (op) subscribe_only(belay_signal_chain(also(source), op));
      belay_signal_release(order ? source : other);
      belay_signal_release(order ? other : source);
      if (!op) break;
      CHECK_TRACE("disposed | free");
    }
  }
}

/* Some of these operators can send nothing more without their other input, and end at once. */
static void an_other_input_that_is_needed(void) {
  for (int kind = 0; kind < 5; kind++) {
    belay_signal *source = belay_subject_create(NULL), *other = belay_subject_create(NULL);
    subscribe_only(belay_signal_chain(also(source), with_other(kind, also(other))));
    belay_signal_release(other);
    CHECK_TRACE("disposed | free");
    belay_signal_release(source);
  }
}

static void both_inputs_are_one(void) {
  for (int kind = 0;; kind++) {
    belay_signal *source = belay_subject_create(NULL);
    belay_op *op = with_other(kind, also(source));
    if (op) subscribe_only(belay_signal_chain(also(source), op));
    belay_signal_release(source);
    if (!op) return;
    CHECK_TRACE("disposed | free");
  }
}

/* An operator that subscribes to `next` only later; `next` is taken over. */
static belay_op *followed_by(int kind, belay_scheduler *time, belay_signal *next) {
  switch (kind) {
    case 0: return belay_op_concat(&next, 1);
    case 1: return belay_op_then(next);
    case 2: return belay_op_switch_if_empty(next);
    case 3: return belay_op_timeout(time, 1, next);
    case 4: return belay_op_timeout_when(belay_signal_never(), next, never, NULL, NULL);
    default: return belay_signal_release(next), NULL;
  }
}

/* What follows is kept until it begins, because nobody else may have it. So it also keeps the source if
   that is the same signal. */
static void what_follows(void) {
  belay_scheduler *time = belay_scheduler_create_virtual();
  for (int is_same = 0; is_same < 2; is_same++) {
    for (int kind = 0;; kind++) {
      belay_signal *source = belay_subject_create(NULL);
      belay_signal *next = is_same ? also(source) : belay_subject_create(NULL);
      belay_op *op = followed_by(kind, time, next);
      if (!op) {
        belay_signal_release(source);
        break;
      }
      belay_signal *signal = belay_signal_chain(also(source), op);
      belay_observer observer = without_values();
      belay_disposable *subscription = NULL;
      CHECK_INT(belay_signal_subscribe(signal, &observer, &subscription), 0);
      belay_signal_release(signal);
      belay_signal_release(source);
      CHECK_TRACE(is_same ? "" : "disposed | free");
      end_subscription(subscription);
      if (is_same) CHECK_TRACE("disposed | free");
    }
  }
  belay_scheduler_release(time);
}

static void check_last_run(belay_signal *source, belay_op *op, int ends) {
  subscribe_only(belay_signal_chain(also(source), op));
  belay_signal_release(source);
  CHECK_TRACE(ends ? "disposed | free" : "");
}

/* What will be subscribed to again is kept until its last run begins. */
static void what_is_run_again(void) {
  belay_scheduler *time = belay_scheduler_create_virtual();
  check_last_run(belay_subject_create(NULL), belay_op_repeat(1), 1);
  check_last_run(belay_subject_create(NULL), belay_op_retry(1), 1);
  for (int resets = 0; resets < 2; resets++)
    check_last_run(belay_subject_create(NULL),
                   belay_op_retry_backoff(time, 1, 2, 3, 0, 1, resets), 1);
  belay_scheduler_release(time);
}

static belay_disposable *end_first(void *ctx, belay_subscriber *subscriber) {
  belay_subscriber **held = ctx;
  if (*held) {
    belay_subscriber_completed(subscriber);
    return NULL;
  }
  *held = belay_subscriber_retain(subscriber);
  return NULL;
}
static void the_last_run_of_several(void) {
  belay_subscriber *held = NULL;
  belay_signal *source = belay_signal_create(end_first, &held, NULL, NULL);
  subscribe_only(belay_signal_chain(also(source), belay_op_repeat(3)));
  belay_signal_release(source);
  CHECK_TRACE("");
  CHECK_INT(belay_subscriber_completed(held), 0);
  CHECK_TRACE("completed | disposed | free");
  belay_subscriber_release(held);
}

/* A reset may be made of the source that is shared. */
static void a_shared_source_and_its_resets(void) {
  for (int which = 0; which < 3; which++) {
    for (int is_used = 0; is_used < 2; is_used++) {
      belay_signal *source = belay_subject_create(NULL);
      belay_signal *reset = also(source);
      belay_signal *shared = belay_signal_chain(
          also(source), belay_op_share_until(0, which == 0 ? reset : NULL,
                                             which == 1 ? reset : NULL,
                                             which == 2 ? reset : NULL));
      belay_observer observer = without_values();
      belay_disposable *subscription = NULL;
      CHECK_INT(belay_signal_subscribe(shared, &observer, &subscription), 0);
      if (!is_used) belay_disposable_dispose(subscription);
      belay_signal_release(shared);
      belay_signal_release(source);
      CHECK_TRACE("disposed | free");
      belay_disposable_release(subscription);
    }
  }
}

/* Nobody can subscribe any more, so no reset is needed. */
static void the_last_subscriber_of_a_shared_signal_that_has_gone(void) {
  belay_signal *source = belay_subject_create(NULL), *reset = belay_subject_create(NULL);
  belay_signal *shared = belay_signal_chain(
      also(source), belay_op_share_until(0, NULL, NULL, also(reset)));
  belay_observer observer = without_values();
  belay_disposable *subscription = NULL;
  CHECK_INT(belay_signal_subscribe(shared, &observer, &subscription), 0);
  belay_signal_release(shared);
  end_subscription(subscription);
  CHECK_INT(belay_subject_count(source), 0);
  CHECK_INT(belay_subject_count(reset), 0);
  CHECK_TRACE("disposed | free");
  belay_signal_release(source);
  belay_signal_release(reset);
}

/* An input may end while the subscription goes on. What begins with values of its own connects to no
   source then. */
static void a_part_that_has_ended_connects_no_source(void) {
  for (int is_shared = 0; is_shared < 2; is_shared++) {
    belay_source_options options = BELAY_INIT(belay_source_options, .shared = is_shared);
    belay_signal *source = belay_subject_create(&options), *other = belay_subject_create(&options);
    belay_value first = belay_int32(1);
    belay_signal *inputs[] = {
        belay_signal_chain(also(source), belay_op_start_with(&first, 1), belay_op_take(1)),
        also(other)};
    belay_observer observer = without_values();
    belay_disposable *subscription = NULL;
    belay_signal *zipped = belay_signal_zip(inputs, 2, first_of, NULL, NULL);
    CHECK_INT(belay_signal_subscribe(zipped, &observer, &subscription), 0);
    belay_signal_release(zipped);
    CHECK_INT(belay_subject_count(source), 0);
    CHECK_INT(belay_subject_count(other), 1);
    belay_signal_release(source);
    CHECK_TRACE("");
    end_subscription(subscription);
    belay_signal_release(other);
    CHECK_TRACE("disposed | free");
  }
}

int main(int argc, char **argv) {
  const test_case cases[] = {
      CASE(the_inputs_of_an_operator),
      CASE(an_other_input_that_is_needed),
      CASE(both_inputs_are_one),
      CASE(what_follows),
      CASE(what_is_run_again),
      CASE(the_last_run_of_several),
      CASE(a_part_that_has_ended_connects_no_source),
      CASE(a_shared_source_and_its_resets),
      CASE(the_last_subscriber_of_a_shared_signal_that_has_gone),
  };
  return RUN_CASES(cases);
}
