/* Subscribers: what a producer may send into them, and how long they live: A3-01 to A3-09. */
#include "script.h"

static void A3_01_the_producer_runs_once_for_each_subscriber(void) {
  script it = {.steps = "1c"};
  belay_signal *signal = scripted(&it);
  CHECK_INT(it.runs, 0);
  belay_disposable_release(subscribed(signal, rendering("a")));
  CHECK_INT(it.runs, 1);
  belay_disposable_release(subscribed(signal, rendering("b")));
  CHECK_INT(it.runs, 2);
  CHECK_TRACE(
      "a next 1 | a completed | a disposed | a free | "
      "b next 1 | b completed | b disposed | b free");
  belay_signal_release(signal);
}

static belay_disposable *send_on_and_on(void *ctx, belay_subscriber *subscriber) {
  script *it = ctx;
  for (int i = 0; i < 4; i++) it->results[i] = emit(subscriber, (char)('1' + i));
  CHECK_INT(belay_subscriber_is_disposed(subscriber), 1);
  return NULL;
}
static void dispose_owner_in_next(void *ctx, belay_value value) {
  trace("next %d", int_of(value));
  belay_owner **owner = ctx;
  if (int_of(value) == 2) belay_owner_release(*owner), *owner = NULL;
}

static void A3_02_every_event_looks_whether_it_is_disposed(void) {
  script it = {0};
  belay_owner *owner = belay_owner_create(NULL, NULL, NULL, NULL);
  belay_observer observer = {.size = sizeof observer, .next = dispose_owner_in_next, .ctx = &owner};
  belay_signal *signal = belay_signal_create(send_on_and_on, &it, NULL, NULL);
  observer.owner = owner;
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  belay_signal_release(signal);
  CHECK_TRACE("next 1 | next 2");
  const int expected[] = {0, 0, BELAY_EENDED, BELAY_EENDED};
  for (int i = 0; i < 4; i++) CHECK_INT(it.results[i], expected[i]);
  CHECK(owner == NULL);
}

static void A3_03_the_handler_is_called_before_anything_is_disposed(void) {
  script it = {.steps = "k", .teardown = "released"};
  watch(scripted(&it), "");
  CHECK_INT(emit(it.kept, 'e'), 0);
  CHECK_TRACE("error ERANGE | disposed | action released | free");
  drop(&it);
}

static void A3_04_nothing_after_an_error(void) {
  script it = {.steps = "k1e"};
  watch(scripted(&it), "");
  CHECK_TRACE("next 1 | error ERANGE | disposed | free");
  for (const char *step = "2ce"; *step; step++) CHECK_INT(emit(it.kept, *step), BELAY_EENDED);
  CHECK_TRACE("");
  drop(&it);
  CHECK_TRACE("");
}

static void A3_05_only_next_then_dropped(void) {
  script it = {.steps = "k1", .teardown = "released"};
  belay_disposable *subscription = watched(scripted(&it), "");
  CHECK_TRACE("next 1");
  CHECK_INT(belay_disposable_is_disposed(subscription), 0);
  drop(&it);
  CHECK_TRACE("action released | disposed | free");
  CHECK_INT(belay_disposable_is_disposed(subscription), 1);
  belay_disposable_release(subscription);
}

static void A3_06_a_kept_subscriber_keeps_the_subscription(void) {
  script it = {.steps = "k1", .teardown = "released"};
  watch(scripted(&it), "");
  CHECK_INT(belay_subscriber_is_disposed(it.kept), 0);
  CHECK_INT(emit(it.kept, '2'), 0);
  belay_subscriber *again = belay_subscriber_retain(it.kept);
  drop(&it);
  CHECK_INT(emit(again, '3'), 0);
  CHECK_TRACE("next 1 | next 2 | next 3");
  belay_subscriber_release(again);
  CHECK_TRACE("action released | disposed | free");
}

enum { SENDERS = 4, SENDS = 1000 };
typedef struct meeting {
  belay_subscriber *subscriber;
  int inside, overlaps, count, out_of_order;
  int latest[SENDERS], next_sender;
} meeting;

static void count_next(void *ctx, belay_value value) {
  meeting *it = ctx;
  if (__atomic_exchange_n(&it->inside, 1, __ATOMIC_RELAXED)) it->overlaps++;
  int sender = int_of(value) / SENDS, number = int_of(value) % SENDS + 1;
  if (number != it->latest[sender] + 1) it->out_of_order++;
  it->latest[sender] = number;
  it->count++;
  __atomic_store_n(&it->inside, 0, __ATOMIC_RELAXED);
}
static belay_disposable *keep_for_meeting(void *ctx, belay_subscriber *subscriber) {
  ((meeting *)ctx)->subscriber = belay_subscriber_retain(subscriber);
  return NULL;
}
static void send_many(void *ctx) {
  meeting *it = ctx;
  int sender = __atomic_fetch_add(&it->next_sender, 1, __ATOMIC_RELAXED);
  for (int i = 0; i < SENDS; i++)
    CHECK(belay_subscriber_next(it->subscriber, belay_int32(sender * SENDS + i)) >= 0);
}

static void send_from_several_threads(const belay_source_options *options, belay_loop *loop) {
  meeting it = {0};
  belay_observer observer = {.size = sizeof observer, .next = count_next, .ctx = &it};
  belay_signal *signal = belay_signal_create(keep_for_meeting, &it, NULL, options);
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  belay_signal_release(signal);
  routine threads[SENDERS];
  for (int i = 0; i < SENDERS; i++) start_thread(&threads[i], send_many, &it);
  for (int i = 0; i < SENDERS; i++) join_thread(&threads[i]);
  if (loop) {
    CHECK_INT(it.count, 0);
    /* In as many turns as it takes. */
    for (int before = -1; before != it.count;) {
      before = it.count;
      turn(loop);
    }
  }
  CHECK_INT(it.count, SENDERS * SENDS);
  CHECK_INT(it.overlaps, 0);
  CHECK_INT(it.out_of_order, 0);
  belay_subscriber_release(it.subscriber);
}

static void A3_07_nexts_from_several_threads_are_serial(void) {
  belay_source_options options = {.size = sizeof options, .capacity = 1 << 13, .shared = 1};
  send_from_several_threads(&options, NULL);
  belay_loop_options loop_options = {.size = sizeof loop_options, .capacity = 1 << 13};
  belay_loop *loop = belay_loop_create(&loop_options);
  send_from_several_threads(NULL, loop);
  close_loop(loop);
}

static void A3_08_what_feeds_a_subscriber_ends_with_it(void) {
  script it = {.steps = "k", .teardown = "released"};
  watch(scripted(&it), "");
  belay_disposable *first = belay_disposable_create(trace_action, "first", NULL);
  belay_disposable *second = belay_disposable_create(trace_action, "second", NULL);
  belay_disposable *late = belay_disposable_create(trace_action, "late", NULL);
  CHECK_INT(belay_subscriber_add(it.kept, first), 0);
  CHECK_INT(belay_subscriber_add(it.kept, second), 0);
  emit(it.kept, 'c');
  CHECK_TRACE("completed | disposed | action released | action first | action second | free");
  belay_subscriber_add(it.kept, late);
  CHECK_TRACE("action late");
  belay_disposable_release(first);
  belay_disposable_release(second);
  belay_disposable_release(late);
  drop(&it);
}

static void A3_08_what_is_added_again_ends_once_and_goes(void) {
  script it = {.steps = "k"};
  watch(scripted(&it), "");
  belay_disposable *one = belay_disposable_create(trace_action, "one", trace_free);
  for (int i = 0; i < 3; i++) CHECK_INT(belay_subscriber_add(it.kept, one), 0);
  belay_disposable_release(one);
  emit(it.kept, 'c');
  CHECK_TRACE("completed | disposed | action one | free one | free");
  drop(&it);
}

static void add_and_end(void *subscriber) {
  belay_disposable *member = belay_boolean_create();
  CHECK_INT(belay_subscriber_add(subscriber, member), 0);
  end_subscription(member);
}

static void A3_08_what_ended_leaves_the_subscriber(void) {
  script it = {.steps = "k"};
  watch(scripted(&it), "");
  check_flat(add_and_end, it.kept, 200000);
  drop(&it);
}

static void A3_09_disposed_before_it_has_started(void) {
  worker home = {.is_held = 1};
  start_worker(&home);
  script it = {.steps = "1", .teardown = "released"};
  belay_signal *signal = scripted(&it);
  belay_observer observer = rendering("");
  observer.loop = home.loop;
  end_subscription(subscribed(signal, observer));
  CHECK_INT(it.runs, 0);
  CHECK_TRACE("");
  worker_go(&home);
  meet(&home);
  CHECK_TRACE("disposed | free");
  CHECK_INT(it.runs, 0);
  stop_worker(&home);
  belay_signal_release(signal);
}

static sem_t started, disposed;
static belay_disposable *start_then_send(void *ctx, belay_subscriber *subscriber) {
  script *it = ctx;
  it->kept = belay_subscriber_retain(subscriber);
  trace("started");
  sem_post(&started);
  wait_for(&disposed);
  it->results[0] = emit(subscriber, '1');
  return belay_disposable_create(trace_action, "released", NULL);
}

static void A3_09_disposed_while_it_starts(void) {
  worker home = {0};
  start_worker(&home);
  sem_init(&started, 0, 0);
  sem_init(&disposed, 0, 0);
  script it = {0};
  belay_signal *signal = belay_signal_create(start_then_send, &it, NULL, NULL);
  belay_observer observer = rendering("");
  observer.loop = home.loop;
  belay_disposable *subscription = subscribed(signal, observer);
  wait_for(&started);
  end_subscription(subscription);
  sem_post(&disposed);
  meet(&home);
  CHECK_INT(it.results[0], BELAY_EENDED);
  /* It was disposed before it got its teardown, so either may be told first. */
  CHECK(strstr(trace_text(), "action released") != NULL);
  CHECK(strstr(trace_text(), "disposed | free") != NULL);
  CHECK_INT(strlen(trace_text()), strlen("started | action released | disposed | free"));
  trace_clear();
  stop_worker(&home);
  belay_signal_release(signal);
  drop(&it);
}

static void send_and_let_go(void *ctx) {
  belay_subscriber *subscriber = ctx;
  CHECK_INT(belay_subscriber_next(subscriber, belay_int32(1)), BELAY_QUEUED);
  CHECK_INT(belay_subscriber_completed(subscriber), BELAY_QUEUED);
  belay_subscriber_release(subscriber);
}

static void drop_in_next(void *ctx, belay_value value) {
  script *it = ctx;
  trace("next %d", int_of(value));
  drop(it);
  trace("dropped");
}
static void tell_disposed(void *ctx) { trace("disposed"); }
static void the_last_reference_may_go_while_it_sends(void) {
  script it = {.steps = "k"};
  belay_signal *signal = scripted(&it);
  belay_observer observer = {.size = sizeof observer, .next = drop_in_next, .ctx = &it};
  observer.disposed = tell_disposed;
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  belay_signal_release(signal);
  CHECK_INT(emit(it.kept, '1'), 0);
  CHECK_TRACE("next 1 | dropped | disposed");
}

static void drop_in_completed(void *ctx) { trace("completed"), drop(ctx), trace("dropped"); }
static void drop_in_error(void *ctx, const belay_error *error) {
  trace("error"), drop(ctx), trace("dropped");
}
static void the_last_reference_may_go_while_it_ends(void) {
  const char ends[] = {'c', 'e'};
  for (int i = 0; i < 2; i++) {
    script it = {.steps = "k"};
    belay_signal *signal = scripted(&it);
    belay_observer observer = {.size = sizeof observer,
                               .completed = drop_in_completed,
                               .error = drop_in_error,
                               .disposed = tell_disposed,
                               .ctx = &it};
    CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
    belay_signal_release(signal);
    CHECK_INT(emit(it.kept, ends[i]), 0);
    CHECK_TRACE(i == 0 ? "completed | dropped | disposed" : "error | dropped | disposed");
  }
}

static void what_was_sent_elsewhere_precedes_the_interruption(void) {
  belay_loop *loop = open_loop();
  script it = {.steps = "k"};
  watch(scripted(&it), "");
  in_thread(send_and_let_go, belay_subscriber_retain(it.kept));
  drop(&it);
  CHECK_TRACE("");
  run_to_end(loop);
  CHECK_TRACE("next 1 | completed | disposed | free");
  close_loop(loop);
}

/* The end waits at the home, and what follows it is refused at once. */
static void send_after_the_end(void *ctx) {
  belay_subscriber *subscriber = ctx;
  CHECK_INT(emit(subscriber, '1'), BELAY_QUEUED);
  CHECK_INT(belay_subscriber_is_disposed(subscriber), 0);
  CHECK_INT(emit(subscriber, 'c'), BELAY_QUEUED);
  CHECK_INT(belay_subscriber_is_disposed(subscriber), 1);
  for (const char *step = "2ce"; *step; step++) CHECK_INT(emit(subscriber, *step), BELAY_EENDED);
  CHECK_INT(belay_subscriber_next_wait(subscriber, belay_int32(3), -1), BELAY_EENDED);
}

static void nothing_follows_an_end_that_was_sent_elsewhere(void) {
  uint64_t lost = belay_lost_count();
  belay_loop *loop = open_loop();
  script it = {.steps = "k"};
  watch(scripted(&it), "");
  in_thread(send_after_the_end, it.kept);
  run_to_end(loop);
  CHECK_TRACE("next 1 | completed | disposed | free");
  drop(&it);
  close_loop(loop);
  CHECK_INT(belay_lost_count(), lost);
}

static void send_to_an_ended_subject(void *subject) {
  CHECK_INT(send_to(subject, 1), BELAY_QUEUED);
  CHECK_INT(belay_subject_completed(subject), BELAY_QUEUED);
  CHECK_INT(send_to(subject, 2), BELAY_EENDED);
  CHECK_INT(belay_subject_completed(subject), BELAY_EENDED);
}

static void nor_one_of_a_subjects(void) {
  uint64_t lost = belay_lost_count();
  belay_loop *loop = open_loop();
  belay_signal *subject = belay_subject_create(NULL);
  watch(also(subject), "");
  in_thread(send_to_an_ended_subject, subject);
  run_to_end(loop);
  CHECK_TRACE("next 1 | completed | disposed | free");
  belay_signal_release(subject);
  close_loop(loop);
  CHECK_INT(belay_lost_count(), lost);
}

/* A toolkit's signal: its argument lives as long as the call that emits it, and a subscriber emits
   it again. */
static belay_subscriber *emitting;
static int emit_lent(int number) {
  int lent = number;
  int code = belay_subscriber_next(emitting, belay_pointer(&lent));
  /* A callback that reads it later finds this. */
  lent = -1;
  return code;
}
static belay_disposable *keep_emitting(void *ctx, belay_subscriber *subscriber) {
  emitting = belay_subscriber_retain(subscriber);
  return NULL;
}
/* Follows the pointer unless the send was queued, so that the sender has returned by now. */
static int inner_code;
static void hear_lent(void *ctx, belay_value value) {
  void *pointer = NULL;
  CHECK_INT(belay_value_get_pointer(value, &pointer), 0);
  if (inner_code == BELAY_QUEUED) {
    trace("late");
    return;
  }
  int number = *(int *)pointer;
  trace("hears %d", number);
  if (number == 1) {
    inner_code = emit_lent(2);
    trace("emitted %d", inner_code);
  }
}
static void emit_inside(belay_reentrancy reentrancy) {
  belay_source_options options = {.size = sizeof options, .reentrancy = reentrancy};
  belay_signal *signal = belay_signal_create(keep_emitting, NULL, NULL, &options);
  belay_disposable *subscription = NULL;
  inner_code = 0;
  CHECK_INT(belay_signal_subscribe(
                signal, &(belay_observer){.size = sizeof(belay_observer), .next = hear_lent},
                &subscription),
            0);
  CHECK_INT(emit_lent(1), 0);
  end_subscription(subscription);
  belay_subscriber_release(emitting);
  belay_signal_release(signal);
}
static int emit_copy(belay_signal *subject, int number) {
  int lent = number;
  int code = belay_subject_next(subject, belay_struct("number", &lent, sizeof lent));
  lent = -1;
  return code;
}
static void hear_copy(void *subject, belay_value value) {
  int number = 0;
  CHECK_INT(belay_value_get_struct(value, "number", &number, sizeof number), 0);
  trace("hears %d", number);
  if (number == 1) trace("emitted %d", emit_copy(subject, 2));
}

static void what_is_lent_for_a_call_is_sent_depth_first(void) {
  emit_inside(BELAY_REENTRANCY_DEPTH_FIRST);
  CHECK_TRACE("hears 1 | hears 2 | emitted 0");
}
static void what_was_lent_is_late_where_the_sender_hears_queued(void) {
  emit_inside(BELAY_REENTRANCY_QUEUE);
  CHECK_TRACE("hears 1 | emitted 1 | late");
}

static void a_copy_of_what_was_lent_may_be_late(void) {
  belay_signal *subject = belay_subject_create(NULL);
  CHECK_INT(belay_signal_subscribe(
                subject, &BELAY_INIT(belay_observer, .next = hear_copy, .ctx = subject), NULL),
            0);
  CHECK_INT(emit_copy(subject, 1), 0);
  CHECK_TRACE("hears 1 | emitted 1 | hears 2");
  belay_signal_release(subject);
}

/* ---- what makes a signal's events releases the last reference to it ---- */

static belay_signal *released;

static belay_disposable *release_and_complete(void *ctx, belay_subscriber *subscriber) {
  belay_signal_release(released);
  trace("%s", (const char *)ctx);
  belay_subscriber_completed(subscriber);
  return NULL;
}
static belay_signal *release_and_make(void *ctx) {
  belay_signal_release(released);
  trace("%s", (const char *)ctx);
  return belay_signal_empty();
}
static belay_disposable *release_and_make_resource(void *ctx, void **resource) {
  (void)resource;
  belay_signal_release(released);
  trace("%s", (const char *)ctx);
  return belay_nop_create();
}
static belay_signal *use_nothing(void *ctx, void *resource) {
  (void)resource;
  trace("%s", (const char *)ctx);
  return belay_signal_empty();
}
static belay_value pass_on(void *ctx, belay_value value) {
  (void)ctx;
  return belay_value_retain(value);
}

static void released_by_what_it_calls(void) {
  for (int is_mapped = 0; is_mapped < 2; is_mapped++) {
    belay_signal *made[] = {
        belay_signal_create(release_and_complete, "create", trace_free, NULL),
        belay_signal_defer(release_and_make, "defer", trace_free),
        belay_signal_using(release_and_make_resource, use_nothing, "using", trace_free),
    };
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
      released = is_mapped ? belay_signal_chain(made[i], belay_op_map(pass_on, NULL, NULL)) : made[i];
      CHECK_INT(belay_signal_subscribe(released, &BELAY_INIT(belay_observer), NULL), 0);
    }
    CHECK_TRACE("create | free create | defer | free defer | using | using | free using");
    trace_clear();
  }
}

static const test_case cases[] = {
    CASE(A3_01_the_producer_runs_once_for_each_subscriber),
    CASE(A3_02_every_event_looks_whether_it_is_disposed),
    CASE(A3_03_the_handler_is_called_before_anything_is_disposed),
    CASE(A3_04_nothing_after_an_error),
    CASE(A3_05_only_next_then_dropped),
    CASE(A3_06_a_kept_subscriber_keeps_the_subscription),
    CASE(A3_07_nexts_from_several_threads_are_serial),
    CASE(A3_08_what_feeds_a_subscriber_ends_with_it),
    CASE(A3_08_what_is_added_again_ends_once_and_goes),
    CASE(A3_08_what_ended_leaves_the_subscriber),
    CASE(A3_09_disposed_before_it_has_started),
    CASE(A3_09_disposed_while_it_starts),
    CASE(the_last_reference_may_go_while_it_sends),
    CASE(the_last_reference_may_go_while_it_ends),
    CASE(what_was_sent_elsewhere_precedes_the_interruption),
    CASE(nothing_follows_an_end_that_was_sent_elsewhere),
    CASE(nor_one_of_a_subjects),
    CASE(what_is_lent_for_a_call_is_sent_depth_first),
    CASE(what_was_lent_is_late_where_the_sender_hears_queued),
    CASE(a_copy_of_what_was_lent_may_be_late),
    CASE(released_by_what_it_calls),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
