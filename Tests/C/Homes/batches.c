/* Observers that take values by the batch, and sources that send in batches. */
#include "worker.h"

typedef struct batches {
  belay_observer observer; /* traces with its prefix; `next_batch` is gather */
  const char *prefix;
  belay_signal *send_to;        /* sent 100 * the batch's first, if set */
  belay_disposable *dispose_at; /* disposed of in the first batch, if set */
} batches;

static void gather(void *ctx, const belay_value *values, size_t count) {
  batches *self = ctx;
  char text[2000] = "";
  size_t size = 0;
  if (count > 20) {
    int32_t first = 0, last = 0;
    belay_value_get_int32(values[0], &first);
    belay_value_get_int32(values[count - 1], &last);
    trace("%s %zu: %d to %d", self->prefix, count, first, last);
    return;
  }
  for (size_t i = 0; i < count; i++) {
    char value[100];
    belay_value_describe(values[i], value, sizeof value);
    size += (size_t)snprintf(text + size, sizeof text - size, " %s", value);
  }
  trace("%s%s", self->prefix, text);
  if (self->send_to) {
    int32_t number = 0;
    belay_signal *target = self->send_to;
    belay_value_get_int32(values[0], &number);
    self->send_to = NULL;
    belay_subject_next(target, belay_int32(100 * number));
    trace("%s sent", self->prefix);
  }
  if (self->dispose_at) belay_disposable_dispose(self->dispose_at);
}

static void ended(void *ctx) { trace("%s completed", ((batches *)ctx)->prefix); }
static void failed(void *ctx, const belay_error *error) {
  trace("%s error %s", ((batches *)ctx)->prefix, belay_error_message(error));
}
static void gone(void *ctx) { trace("%s disposed", ((batches *)ctx)->prefix); }
static void freed(void *ctx) { trace("%s free", ((batches *)ctx)->prefix); }

static belay_observer gathering(batches *self) {
  belay_observer observer = {.size = sizeof observer, .next_batch = gather, .ctx = self};
  observer.error = failed;
  observer.completed = ended;
  observer.disposed = gone;
  observer.ctx_free = freed;
  return observer;
}

static belay_disposable *subscribe(belay_signal *signal, batches *self) {
  belay_observer observer = gathering(self);
  belay_disposable *subscription = NULL;
  CHECK_INT(belay_signal_subscribe(signal, &observer, &subscription), 0);
  return subscription;
}

/* Subscribes, and releases `signal`. */
static void consume(belay_signal *signal, batches *self) {
  belay_disposable_release(subscribe(signal, self));
  belay_signal_release(signal);
}

static int send_all(belay_signal *subject, int first, int count) {
  belay_value values[1000] = {{0}};
  for (int i = 0; i < count; i++) values[i] = belay_int32(first + i);
  return belay_subject_next_batch(subject, values, (size_t)count);
}

/* ---- cases ---- */

static void a_batch_comes_together_and_a_single_value_alone(void) {
  belay_signal *subject = belay_subject_create(NULL);
  belay_disposable *plain = watched(belay_signal_retain(subject), "plain");
  batches all = {.prefix = "all"};
  belay_disposable *subscription = subscribe(subject, &all);
  CHECK_INT(belay_subject_next(subject, belay_int32(1)), 0);
  CHECK_TRACE("plain next 1 | all 1");
  CHECK_INT(send_all(subject, 2, 3), 0);
  CHECK_TRACE("plain next 2 | plain next 3 | plain next 4 | all 2 3 4");
  CHECK_INT(send_all(subject, 2, 0), 0);
  CHECK_TRACE("");
  belay_disposable_dispose(subscription);
  CHECK_TRACE("all disposed | all free");
  belay_disposable_dispose(plain);
  trace_clear();
  belay_disposable_release(subscription);
  belay_disposable_release(plain);
  belay_signal_release(subject);
}

static void a_batch_has_256_values_at_most(void) {
  belay_signal *subject = belay_subject_create(NULL);
  batches all = {.prefix = "all"};
  belay_disposable *subscription = subscribe(subject, &all);
  CHECK_INT(send_all(subject, 1, 600), 0);
  CHECK_TRACE("all 256: 1 to 256 | all 256: 257 to 512 | all 88: 513 to 600");
  belay_disposable_dispose(subscription);
  trace_clear();
  belay_disposable_release(subscription);
  belay_signal_release(subject);
}

static void synchronous_sources_send_batches_and_the_end_follows(void) {
  belay_value values[] = {belay_string("a"), belay_string("b")};
  batches all = {.prefix = "all"};
  consume(belay_signal_from(values, 2), &all);
  CHECK_TRACE("all a b | all completed | all disposed | all free");
  consume(belay_signal_range(1, 3), &all);
  CHECK_TRACE("all 1 2 3 | all completed | all disposed | all free");
  consume(belay_signal_just(belay_int32(1)), &all);
  CHECK_TRACE("all 1 | all completed | all disposed | all free");
  belay_error *error = belay_error_create(BELAY_EINVAL, NULL, "no", belay_null(), NULL);
  consume(belay_signal_error(error), &all);
  CHECK_TRACE("all error no | all disposed | all free");
  belay_error_release(error);
  belay_signal *subject = belay_subject_create_replay(NULL, -1, BELAY_UNLIMITED, NULL);
  for (int i = 1; i <= 3; i++) belay_subject_next(subject, belay_int32(i));
  belay_disposable *subscription = subscribe(subject, &all);
  CHECK_TRACE("all 1 2 3");
  belay_signal_release(subject);
  CHECK_TRACE("all disposed | all free");
  belay_disposable_release(subscription);
}

static belay_value twice(void *ctx, belay_value value) {
  int32_t number = 0;
  belay_value_get_int32(value, &number);
  if (number == 4) return belay_value_failure(BELAY_EINVAL, "four");
  return belay_int32(2 * number);
}

static void an_error_upstream_comes_after_what_was_before_it(void) {
  belay_signal *subject = belay_subject_create(NULL);
  batches all = {.prefix = "all"};
  consume(belay_signal_chain(belay_signal_retain(subject), belay_op_map(twice, NULL, NULL)), &all);
  CHECK_INT(send_all(subject, 1, 9), 0);
  CHECK_TRACE("all 2 4 6 | all error four | all disposed | all free");
  CHECK_INT(belay_subject_count(subject), 0);
  belay_signal_release(subject);
}

static void subscribe_to_each(void *ctx, const belay_value *values, size_t count) {
  for (size_t i = 0; i < count; i++) {
    belay_observer observer = unfreed("");
    trace("%zu", count);
    CHECK_INT(belay_signal_subscribe(belay_value_get_signal(values[i]), &observer, NULL), 0);
  }
}

static void a_signal_comes_at_once(void) {
  belay_value values[] = {belay_int32(1), belay_int32(2), belay_int32(3)};
  belay_signal *windows = belay_signal_chain(belay_signal_from(values, 3), belay_op_window(2, 2));
  belay_observer observer = BELAY_INIT(belay_observer);
  observer.next_batch = subscribe_to_each;
  CHECK_INT(belay_signal_subscribe(windows, &observer, NULL), 0);
  belay_signal_release(windows);
  CHECK_TRACE("1 | next 1 | next 2 | completed | disposed | 1 | next 3 | completed | disposed");
}

static void a_disposal_drops_what_has_gathered(void) {
  belay_signal *subject = belay_subject_create(NULL);
  batches first = {.prefix = "first"}, second = {.prefix = "second"};
  belay_disposable *one = subscribe(subject, &first), *two = subscribe(subject, &second);
  first.dispose_at = two;
  belay_value values[] = {belay_string("a"), belay_string("b")};
  CHECK_INT(belay_subject_next_batch(subject, values, 2), 0);
  CHECK_TRACE("first a b | second disposed | second free");
  first.dispose_at = one;
  CHECK_INT(send_all(subject, 1, 600), 0);
  CHECK_TRACE("first 256: 1 to 256 | first 256: 257 to 512 | first 88: 513 to 600");
  CHECK_INT(send_all(subject, 1, 2), 0);
  CHECK_TRACE("first 1 2 | first disposed | first free");
  belay_disposable_release(one);
  belay_disposable_release(two);
  belay_signal_release(subject);
}

static void what_is_sent_from_inside_a_batch_follows_it(void) {
  belay_signal *subject = belay_subject_create(NULL);
  batches all = {.prefix = "all", .send_to = subject};
  belay_disposable *subscription = subscribe(subject, &all);
  CHECK_INT(send_all(subject, 1, 2), 0);
  CHECK_TRACE("all 1 2 | all sent | all 100");
  all.send_to = subject;
  CHECK_INT(belay_subject_next(subject, belay_int32(3)), 0);
  CHECK_TRACE("all 3 | all sent | all 300");
  belay_disposable_dispose(subscription);
  trace_clear();
  belay_disposable_release(subscription);
  belay_signal_release(subject);
}

static void send_600_more(void *subject, const belay_value *values, size_t count) {
  trace("batch of %zu", count);
  if (count == 1) send_all(subject, 1, 600);
}

static void many_that_are_sent_from_inside_are_several_batches(void) {
  belay_signal *subject = belay_subject_create(NULL);
  belay_observer observer = {.size = sizeof observer, .next_batch = send_600_more, .ctx = subject};
  CHECK_INT(belay_signal_subscribe(subject, &observer, NULL), 0);
  belay_value one[] = {belay_int32(1)};
  CHECK_INT(belay_subject_next_batch(subject, one, 1), 0);
  CHECK_TRACE("batch of 1 | batch of 256 | batch of 256 | batch of 88");
  belay_signal_release(subject);
}

static void complete(void *subject, const belay_value *values, size_t count) {
  trace("batch of %zu", count);
  CHECK_INT(belay_subject_completed(subject), 0);
  trace("sent the end");
}

static void an_end_from_inside_a_batch_follows_it(void) {
  belay_signal *subject = belay_subject_create(NULL);
  belay_observer observer = {.size = sizeof observer, .next_batch = complete, .ctx = subject};
  observer.completed = trace_completed;
  CHECK_INT(belay_signal_subscribe(subject, &observer, NULL), 0);
  CHECK_INT(send_all(subject, 1, 3), 0);
  CHECK_TRACE("batch of 3 | sent the end | completed");
  belay_signal_release(subject);
}

static void fail_at_once(void *ctx, const belay_value *values, size_t count) {
  trace("batch of %zu", count);
  belay_fail(BELAY_ERANGE, "enough");
}
static void a_batch_may_fail(void) {
  belay_signal *subject = belay_subject_create(NULL);
  batches all = {.prefix = "all"};
  belay_observer observer = gathering(&all);
  observer.next_batch = fail_at_once;
  CHECK_INT(belay_signal_subscribe(subject, &observer, NULL), 0);
  CHECK_INT(send_all(subject, 1, 600), 0);
  CHECK_TRACE("batch of 256 | all error enough | all disposed | all free");
  CHECK_INT(belay_subject_count(subject), 0);
  CHECK(belay_last_error() == NULL);
  belay_signal_release(subject);
}

static void the_last_handle_may_go_inside_a_batch(void) {
  belay_signal *subject = belay_subject_create(NULL);
  batches all = {.prefix = "all"};
  belay_disposable *subscription = subscribe(subject, &all);
  belay_value values[] = {belay_value_from_signal(subject), belay_int32(2)};
  belay_signal_release(subject); /* only the values hold it now */
  CHECK_INT(belay_subject_next_batch(belay_value_get_signal(values[0]), values, 2), 0);
  CHECK(strstr(trace_text(), " 2 | all disposed | all free") != NULL);
  trace_clear();
  belay_disposable_release(subscription);
}

static void refusals_stop_a_batch(void) {
  belay_source_options options = {
      .size = sizeof options, .reentrancy = BELAY_REENTRANCY_REJECT};
  belay_signal *subject = belay_subject_create(&options);
  CHECK_INT(belay_subject_completed(subject), 0);
  belay_value values[] = {belay_string("a"), belay_string("b")};
  CHECK_INT(belay_subject_next_batch(subject, values, 2), BELAY_EENDED);
  belay_signal_release(subject);
}

static belay_disposable *produce(void *ctx, belay_subscriber *subscriber) {
  belay_value values[] = {belay_int32(1), belay_int32(2)}, more[] = {belay_int32(3)};
  CHECK_INT(belay_subscriber_next_batch(subscriber, values, 2), 0);
  trace("produced");
  CHECK_INT(belay_subscriber_next_batch(subscriber, more, 1), 0);
  belay_subscriber_completed(subscriber);
  CHECK_INT(belay_subscriber_next_batch(subscriber, more, 1), BELAY_EENDED);
  return NULL;
}

static void a_producer_sends_batches(void) {
  batches all = {.prefix = "all"};
  consume(belay_signal_create(produce, NULL, NULL, NULL), &all);
  CHECK_TRACE("all 1 2 | produced | all 3 | all completed | all disposed | all free");
}

static void send_three(void *subject) {
  for (int i = 1; i <= 3; i++) CHECK_INT(belay_subject_next(subject, belay_int32(i)), BELAY_QUEUED);
}

static belay_loop *running;
static void send_four(void *subject) {
  CHECK_INT(belay_subject_next(subject, belay_int32(4)), 0);
  trace("sent");
}

static void one_turn_of_a_loop_is_a_batch(void) {
  belay_loop *loop = belay_loop_create(NULL);
  belay_signal *subject = belay_subject_create(NULL);
  batches all = {.prefix = "all"};
  belay_disposable *subscription = subscribe(subject, &all);
  routine other;
  start_thread(&other, send_three, subject);
  join_thread(&other);
  CHECK_INT(belay_loop_post(loop, send_four, subject, NULL), 0);
  CHECK_TRACE("");
  belay_loop_run(loop, BELAY_RUN_NOWAIT);
  CHECK_TRACE("sent | all 1 2 3 4");
  belay_disposable_dispose(subscription);
  trace_clear();
  belay_disposable_release(subscription);
  belay_signal_release(subject);
  belay_loop_release(loop);
}

/* ---- a thread that is about to wait delivers first ---- */
static void run_the_loop(void *ctx, belay_value value) {
  trace("runs");
  belay_loop_run(running, BELAY_RUN_NOWAIT);
  trace("ran");
}

static void what_has_gathered_is_delivered_before_a_loop_is_run(void) {
  running = belay_loop_create(NULL);
  belay_signal *subject = belay_subject_create(NULL);
  batches all = {.prefix = "all"};
  belay_disposable *gathers = subscribe(subject, &all);
  belay_observer observer = {.size = sizeof observer, .next = run_the_loop};
  belay_disposable *runs = NULL;
  CHECK_INT(belay_signal_subscribe(subject, &observer, &runs), 0);
  CHECK_INT(send_all(subject, 1, 2), 0);
  CHECK_TRACE("runs | all 1 | ran | runs | all 2 | ran");
  belay_disposable_dispose(gathers);
  belay_disposable_dispose(runs);
  trace_clear();
  belay_disposable_release(gathers);
  belay_disposable_release(runs);
  belay_signal_release(subject);
  belay_loop_release(running);
}

static void an_observer_has_one_kind_of_next(void) {
  belay_signal *subject = belay_subject_create(NULL);
  batches all = {.prefix = "all"};
  belay_observer observer = gathering(&all), plain = tracing("plain");
  observer.next = plain.next;
  CHECK_FAILS(belay_signal_subscribe(subject, &observer, NULL), BELAY_EINVAL);
  CHECK_TRACE("all free");
  observer.next = NULL;
  CHECK(belay_op_do(&observer) == NULL);
  CHECK_FAILS(BELAY_EINVAL, BELAY_EINVAL);
  CHECK_TRACE("all free");
  belay_value value = belay_int32(1);
  CHECK_FAILS(belay_subject_next_batch(subject, NULL, 1), BELAY_EINVAL);
  CHECK_FAILS(belay_subject_next_batch(NULL, &value, 1), BELAY_EINVAL);
  CHECK_FAILS(belay_subject_next_batch(subject, &value, SIZE_MAX), BELAY_EINVAL);
  CHECK_FAILS(belay_subscriber_next_batch(NULL, &value, 1), BELAY_EINVAL);
  CHECK_INT(belay_subject_next_batch(subject, NULL, 0), 0);
  belay_signal_release(subject);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      CASE(a_batch_comes_together_and_a_single_value_alone),
      CASE(a_batch_has_256_values_at_most),
      CASE(synchronous_sources_send_batches_and_the_end_follows),
      CASE(an_error_upstream_comes_after_what_was_before_it),
      CASE(a_signal_comes_at_once),
      CASE(a_disposal_drops_what_has_gathered),
      CASE(what_is_sent_from_inside_a_batch_follows_it),
      CASE(many_that_are_sent_from_inside_are_several_batches),
      CASE(an_end_from_inside_a_batch_follows_it),
      CASE(a_batch_may_fail),
      CASE(the_last_handle_may_go_inside_a_batch),
      CASE(refusals_stop_a_batch),
      CASE(a_producer_sends_batches),
      CASE(one_turn_of_a_loop_is_a_batch),
      CASE(what_has_gathered_is_delivered_before_a_loop_is_run),
      CASE(an_observer_has_one_kind_of_next),
  };
  return RUN_CASES(cases);
}
