/* How work ends (A2-01 to A2-09), and every kind of disposable (A2-20, A2-23 to A2-26, A3-10,
   A3-11). Compounds, waits and schedulers have files of their own, disposables_….c. */
#include <pthread.h>

#include "check.h"

/* ---- how work ends ---- */

static belay_subscriber *kept;
static belay_disposable *one_value(void *ctx, belay_subscriber *subscriber) {
  kept = belay_subscriber_retain(subscriber);
  belay_subscriber_next(subscriber, belay_int32(1));
  return belay_disposable_create(trace_action, ctx, trace_free);
}
static belay_disposable *value_and_end(void *ctx, belay_subscriber *subscriber) {
  belay_subscriber_next(subscriber, belay_int32(1));
  belay_subscriber_completed(subscriber);
  return belay_disposable_create(trace_action, ctx, trace_free);
}

/* Subscribes a tracing observer to a signal made of `producer`. */
static belay_disposable *run(belay_subscribe_fn producer) {
  belay_signal *signal = belay_signal_create(producer, "teardown", NULL, NULL);
  belay_observer observer = tracing("");
  belay_disposable *subscription = NULL;
  CHECK_INT(belay_signal_subscribe(signal, &observer, &subscription), 0);
  belay_signal_release(signal);
  return subscription;
}

static void A2_01_three_ways_to_end(void) {
  belay_disposable *d = run(one_value);
  CHECK_TRACE("next 1");
  CHECK_INT(belay_subscriber_completed(kept), 0);
  CHECK(strstr(trace_text(), "completed") != NULL);
  CHECK_INT(belay_disposable_is_disposed(d), 1);
  belay_subscriber_release(kept);
  belay_disposable_release(d);
  trace_clear();

  d = run(one_value);
  belay_disposable_dispose(d);
  CHECK(strstr(trace_text(), "disposed") != NULL);
  CHECK_INT(belay_disposable_is_disposed(d), 1);
  belay_subscriber_release(kept);
  belay_disposable_release(d);
  trace_clear();

  belay_bag *bag = belay_bag_create();
  d = run(one_value);
  CHECK_INT(belay_bag_add(bag, d), 0);
  belay_disposable_release(d);
  CHECK_TRACE("next 1");
  belay_bag_release(bag);
  CHECK(strstr(trace_text(), "disposed") != NULL);
  CHECK_INT(belay_subscriber_is_disposed(kept), 1);
  belay_subscriber_release(kept);
}

/* The four programs of the article. */
static void A2_02_order_of_a_terminal_event(void) {
  belay_disposable *d = run(one_value);
  CHECK_INT(belay_subscriber_completed(kept), 0);
  CHECK_TRACE("next 1 | completed | disposed | action teardown | free teardown | free");
  belay_subscriber_release(kept);
  belay_disposable_release(d);
}

static void A2_02_order_of_an_explicit_dispose(void) {
  belay_disposable *d = run(one_value);
  belay_disposable_dispose(d);
  CHECK_TRACE("next 1 | action teardown | free teardown | disposed | free");
  belay_disposable_dispose(d);
  CHECK_TRACE("");
  belay_subscriber_release(kept);
  belay_disposable_release(d);
}

static void A2_02_completed_then_disposed_twice(void) {
  belay_disposable *d = run(value_and_end);
  trace_clear();
  belay_disposable_dispose(d);
  belay_disposable_dispose(d);
  CHECK_TRACE("");
  belay_disposable_release(d);
}

static belay_disposable *self;
static void dispose_self(void *name) {
  trace("action %s", (const char *)name);
  CHECK_INT(belay_disposable_is_disposed(self), 1);
  belay_disposable_dispose(self);
  trace("end %s", (const char *)name);
}

static void A2_03_action_runs_once(void) {
  self = belay_disposable_create(dispose_self, "d", trace_free);
  CHECK_INT(belay_disposable_is_disposed(self), 0);
  for (int i = 0; i < 5; i++) belay_disposable_dispose(self);
  CHECK_TRACE("action d | end d | free d");
  belay_disposable_release(self);
  CHECK_TRACE("");
}

static int hits;
static void hit(void *ctx) {
  (void)ctx;
  __atomic_add_fetch(&hits, 1, __ATOMIC_RELAXED);
}
static pthread_barrier_t start;
static void *dispose_there(void *d) {
  pthread_barrier_wait(&start);
  belay_disposable_dispose(d);
  return NULL;
}
static void A2_03_action_runs_once_for_many_threads(void) {
  enum { THREADS = 4, ROUNDS = 100 };
  pthread_barrier_init(&start, NULL, THREADS);
  for (int round = 0; round < ROUNDS; round++) {
    pthread_t threads[THREADS];
    hits = 0;
    belay_disposable *d = belay_disposable_create(hit, NULL, hit);
    for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, dispose_there, d);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    CHECK_INT(hits, 2);
    belay_disposable_release(d);
  }
  pthread_barrier_destroy(&start);
}

/* The action waits for the second thread's dispose, which must not wait for the action. */
static void dispose_elsewhere_meanwhile(void *name) {
  pthread_t thread;
  trace("action %s", (const char *)name);
  pthread_barrier_init(&start, NULL, 1);
  pthread_create(&thread, NULL, dispose_there, self);
  pthread_join(thread, NULL);
  CHECK_INT(belay_disposable_is_disposed(self), 1);
  pthread_barrier_destroy(&start);
  trace("end %s", (const char *)name);
}
static void A2_04_disposed_before_the_action_has_run(void) {
  self = belay_disposable_create(dispose_elsewhere_meanwhile, "d", trace_free);
  belay_disposable_dispose(self);
  CHECK_TRACE("action d | end d | free d");
  belay_disposable_release(self);
}

/* Two things have to come together, the end and the arrival of the teardown: the later of them
   tears down, once. */
static belay_disposable *dispose_in_producer(void *ctx, belay_subscriber *subscriber) {
  belay_disposable_dispose(self); /* the compound that the subscription is bound to */
  CHECK_INT(belay_subscriber_is_disposed(subscriber), 1);
  return belay_disposable_create(trace_action, ctx, trace_free);
}
static void A2_05_end_and_teardown_meet_once(void) {
  belay_owner *owner = belay_owner_create(NULL, NULL, NULL, NULL);
  self = belay_owner_get_compound(owner);
  belay_signal *signal = belay_signal_create(dispose_in_producer, "teardown", NULL, NULL);
  belay_observer observer = tracing("");
  observer.ctx_free = NULL;
  observer.owner = owner;
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  CHECK_TRACE("disposed | action teardown | free teardown");
  belay_signal_release(signal);
  belay_owner_release(owner);
}

static void A2_09_terminates_before_returning_its_disposable(void) {
  belay_signal *signal = belay_signal_create(value_and_end, "teardown", NULL, NULL);
  belay_observer observer = tracing("");
  observer.ctx_free = NULL;
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  CHECK_TRACE("next 1 | completed | disposed | action teardown | free teardown");
  belay_signal_release(signal);
}

static void A2_10_nothing_after_the_end(void) {
  belay_disposable *d = run(one_value);
  CHECK_INT(belay_subscriber_completed(kept), 0);
  trace_clear();
  belay_error *error = belay_error_create(-5, NULL, NULL, belay_null(), NULL);
  CHECK_INT(belay_subscriber_next(kept, belay_string("late")), BELAY_EENDED);
  CHECK_INT(belay_subscriber_error(kept, error), BELAY_EENDED);
  CHECK_INT(belay_subscriber_completed(kept), BELAY_EENDED);
  CHECK_TRACE("");
  belay_error_release(error);
  belay_subscriber_release(kept);
  belay_disposable_release(d);
}

static void A2_11_nothing_after_dispose(void) {
  belay_disposable *d = run(one_value);
  belay_disposable_dispose(d);
  trace_clear();
  CHECK_INT(belay_subscriber_next(kept, belay_string("late")), BELAY_EENDED);
  CHECK_INT(belay_subscriber_completed(kept), BELAY_EENDED);
  CHECK_TRACE("");
  belay_subscriber_release(kept);
  belay_disposable_release(d);
}

/* Disposed inside `next`, it ends at once; its context is freed when `next` has returned. */
static void dispose_in_next(void *name, belay_value value) {
  (void)value;
  trace("next");
  belay_disposable_dispose(self);
  trace("end %s", (const char *)name);
}
static void dispose_inside_next(void) {
  belay_signal *subject = belay_subject_create(NULL);
  belay_observer observer = {.size = sizeof observer, .next = dispose_in_next, .ctx = "s",
                             .disposed = trace_action, .ctx_free = trace_free};
  CHECK_INT(belay_signal_subscribe(subject, &observer, &self), 0);
  CHECK_INT(belay_subject_next(subject, belay_int32(1)), 0);
  CHECK_INT(belay_subject_next(subject, belay_int32(2)), 0);
  CHECK_TRACE("next | action s | end s | free s");
  belay_disposable_release(self);
  belay_signal_release(subject);
}

/* ---- the kinds ---- */

static void A2_08_binary_disposes_first_then_second(void) {
  belay_disposable *one = traced_action("1"), *two = traced_action("2"),
                   *b = belay_binary_create(one, two);
  CHECK_INT(belay_disposable_is_disposed(b), 0);
  belay_disposable_dispose(b);
  belay_disposable_dispose(b);
  CHECK_TRACE("action 1 | free 1 | action 2 | free 2");
  CHECK_INT(belay_disposable_is_disposed(b), 1);
  belay_disposable_release(b);
  belay_disposable_release(one);
  belay_disposable_release(two);
  one = traced_action("1");
  b = belay_binary_create(NULL, one);
  belay_disposable_dispose(b);
  CHECK_TRACE("action 1 | free 1");
  belay_disposable_release(b);
  belay_disposable_release(one);
  b = belay_binary_create(NULL, NULL);
  belay_disposable_dispose(b);
  belay_disposable_release(b);
}

static void A2_20_every_kind_is_disposed_once(void) {
  belay_disposable *inner = traced_action("inner");
  belay_disposable *kinds[] = {
      belay_disposable_create(NULL, NULL, NULL), belay_boolean_create(),
      belay_binary_create(inner, NULL), belay_compound_create(), belay_serial_create(),
      belay_single_assignment_create(), belay_ref_counted_create(inner),
      belay_scoped_create(inner), belay_scheduled_create(belay_scheduler_immediate(), inner)};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    CHECK(kinds[i] != NULL);
    CHECK_INT(belay_disposable_is_disposed(kinds[i]), 0);
    CHECK(belay_disposable_retain(kinds[i]) == kinds[i]);
    belay_disposable_dispose(kinds[i]);
    CHECK_INT(belay_disposable_is_disposed(kinds[i]), 1);
    belay_disposable_dispose(kinds[i]);
    CHECK_INT(belay_disposable_dispose_sync(kinds[i], -1), 0);
    belay_disposable_release(kinds[i]);
    belay_disposable_release(kinds[i]);
  }
  CHECK_TRACE("action inner | free inner");
  belay_disposable_release(inner);
}

static void A2_20_nop_counts_as_disposed(void) {
  belay_disposable *nop = belay_nop_create();
  CHECK_INT(belay_disposable_is_disposed(nop), 1);
  belay_disposable_dispose(nop);
  CHECK_INT(belay_disposable_dispose_sync(nop, -1), 0);
  belay_disposable_release(nop);
  nop = belay_nop_create();
  CHECK_INT(belay_disposable_is_disposed(nop), 1);
  belay_disposable_release(nop);
}

static void A2_23_serial_disposes_the_previous(void) {
  belay_disposable *s = belay_serial_create(), *one = traced_action("1"), *two = traced_action("2");
  belay_disposable *three = traced_action("3");
  CHECK_INT(belay_serial_set(s, one), 0);
  CHECK_TRACE("");
  CHECK_INT(belay_serial_set(s, two), 0);
  CHECK_TRACE("action 1 | free 1");
  CHECK_INT(belay_serial_set(s, NULL), 0);
  CHECK_TRACE("action 2 | free 2");
  belay_disposable_dispose(s);
  CHECK_TRACE("");
  CHECK_INT(belay_serial_set(s, three), 0);
  CHECK_TRACE("action 3 | free 3");
  belay_disposable_release(s);
  belay_disposable_release(one);
  belay_disposable_release(two);
  belay_disposable_release(three);
}

static void A2_23_serial_disposes_its_content(void) {
  belay_disposable *s = belay_serial_create(), *one = traced_action("1");
  CHECK_INT(belay_serial_set(s, one), 0);
  belay_disposable_release(one);
  belay_disposable_dispose(s);
  CHECK_TRACE("action 1 | free 1");
  belay_disposable_release(s);
}

static void A3_55_serial_swap_hands_the_old_one_back(void) {
  belay_disposable *s = belay_serial_create(), *one = traced_action("1"), *two = traced_action("2");
  belay_disposable *previous = s;
  CHECK_INT(belay_serial_swap(s, one, &previous), 0);
  CHECK(previous == NULL);
  CHECK_INT(belay_serial_swap(s, two, &previous), 0);
  CHECK(previous == one);
  CHECK_INT(belay_disposable_is_disposed(one), 0);
  belay_disposable_release(previous);
  belay_disposable_dispose(s);
  CHECK_TRACE("action 2 | free 2");
  CHECK_INT(belay_serial_swap(s, one, &previous), 0);
  CHECK(previous == NULL);
  CHECK_TRACE("action 1 | free 1");
  belay_disposable_release(s);
  belay_disposable_release(one);
  belay_disposable_release(two);
}

static void A2_24_single_assignment_refuses_the_second(void) {
  belay_disposable *s = belay_single_assignment_create(), *one = traced_action("1"),
                   *two = traced_action("2");
  CHECK_INT(belay_single_assignment_set(s, one), 0);
  CHECK_FAILS(belay_single_assignment_set(s, two), BELAY_EASSIGNED);
  CHECK_FAILS(belay_single_assignment_set(s, one), BELAY_EASSIGNED);
  CHECK_TRACE("");
  belay_disposable_dispose(s);
  CHECK_TRACE("action 1 | free 1");
  CHECK_FAILS(belay_single_assignment_set(s, two), BELAY_EASSIGNED);
  CHECK_INT(belay_disposable_is_disposed(two), 0);
  belay_disposable_release(s);
  belay_disposable_release(one);
  belay_disposable_release(two);
  CHECK_TRACE("free 2");
}

static void A2_24_single_assignment_disposed_before(void) {
  belay_disposable *s = belay_single_assignment_create(), *one = traced_action("1");
  belay_disposable_dispose(s);
  CHECK_INT(belay_single_assignment_set(s, one), 0);
  CHECK_TRACE("action 1 | free 1");
  belay_disposable_release(s);
  belay_disposable_release(one);
}

static void A2_25_ref_counted_waits_for_all(void) {
  belay_disposable *inner = traced_action("inner"), *r = belay_ref_counted_create(inner);
  belay_disposable *a = belay_ref_counted_create_dependent(r),
                   *b = belay_ref_counted_create_dependent(r);
  belay_disposable_release(inner);
  belay_disposable_dispose(a);
  belay_disposable_dispose(a); /* once only */
  belay_disposable_dispose(r);
  belay_disposable_dispose(r);
  CHECK_INT(belay_disposable_is_disposed(r), 1);
  CHECK_INT(belay_disposable_is_disposed(b), 0);
  CHECK_TRACE("");
  /* it counts, for the underlying disposable is not over yet */
  belay_disposable *late = belay_ref_counted_create_dependent(r);
  belay_disposable_dispose(b);
  CHECK_TRACE("");
  belay_disposable_dispose(late);
  CHECK_TRACE("action inner | free inner");
  belay_disposable *after = belay_ref_counted_create_dependent(r);
  CHECK(after != NULL);
  CHECK_INT(belay_disposable_is_disposed(after), 1);
  belay_disposable_dispose(after);
  CHECK_TRACE("");
  belay_disposable_release(after);
  belay_disposable_release(late);
  belay_disposable_release(a);
  belay_disposable_release(b);
  belay_disposable_release(r);
}

static void A2_25_ref_counted_without_dependents(void) {
  belay_disposable *inner = traced_action("inner"), *r = belay_ref_counted_create(inner);
  belay_disposable_dispose(r);
  CHECK_TRACE("action inner | free inner");
  belay_disposable_release(r);
  belay_disposable_release(inner);
}

static void A3_10_live_with_action_live_without_disposed(void) {
  belay_disposable *with = traced_action("d"),
                   *without = belay_disposable_create(NULL, "x", trace_free);
  CHECK_INT(belay_disposable_is_disposed(with), 0);
  CHECK_INT(belay_disposable_is_disposed(without), 0);
  belay_disposable_dispose(with);
  belay_disposable_dispose(without);
  CHECK_TRACE("action d | free d | free x");
  CHECK_INT(belay_disposable_is_disposed(with), 1);
  CHECK_INT(belay_disposable_is_disposed(without), 1);
  belay_disposable_release(with);
  belay_disposable_release(without);
}

static void A3_11_dropping_does_not_dispose(void) {
  belay_disposable_release(traced_action("plain"));
  CHECK_TRACE("free plain");
  belay_disposable *inner = traced_action("inner"), *other = traced_action("other");
  belay_disposable_release(belay_binary_create(inner, other));
  belay_disposable_release(belay_ref_counted_create(inner));
  belay_disposable_release(belay_scheduled_create(belay_scheduler_immediate(), inner));
  belay_disposable *holder = belay_serial_create();
  CHECK_INT(belay_serial_set(holder, inner), 0);
  belay_disposable_release(holder);
  holder = belay_single_assignment_create();
  CHECK_INT(belay_single_assignment_set(holder, inner), 0);
  belay_disposable_release(holder);
  holder = belay_compound_create();
  CHECK_INT(belay_compound_add(holder, inner, NULL), 0);
  belay_disposable_release(holder);
  CHECK_TRACE("");
  CHECK_INT(belay_disposable_is_disposed(inner), 0);
  belay_disposable_release(inner);
  belay_disposable_release(other);
  CHECK_TRACE("free inner | free other");
}

static void A3_11_a_scoped_one_does(void) {
  belay_disposable *inner = traced_action("inner"), *scoped = belay_scoped_create(inner);
  belay_disposable_retain(scoped);
  belay_disposable_release(scoped);
  CHECK_TRACE("");
  belay_disposable_release(scoped);
  CHECK_TRACE("action inner | free inner");
  CHECK_INT(belay_disposable_is_disposed(inner), 1);
  belay_disposable_release(inner);
}

/* ---- a handle that is given back inside of its own disposal ---- */

static belay_disposable *own_handle;
static void give_own_handle_back(void *ctx) {
  (void)ctx;
  belay_disposable_release(own_handle);
  own_handle = NULL;
}
static void the_last_handle_may_go_inside_its_own_disposal(void) {
  for (int place = 0; place < 3; place++) {
    belay_signal *source = belay_subject_create(NULL);
    belay_observer observer = {.size = sizeof observer};
    if (place == 0) observer.disposed = give_own_handle_back;
    if (place == 1) observer.ctx_free = give_own_handle_back;
    belay_signal *signal = belay_signal_retain(source);
    if (place == 2)
      signal = belay_signal_chain(signal, belay_op_finally(give_own_handle_back, NULL, NULL));
    CHECK_INT(belay_signal_subscribe(signal, &observer, &own_handle), 0);
    belay_signal_release(signal);
    belay_disposable_dispose(own_handle), belay_signal_release(source);
    CHECK(own_handle == NULL);
  }
  own_handle = belay_disposable_create(give_own_handle_back, NULL, NULL);
  belay_disposable_dispose(own_handle);
  own_handle = belay_disposable_create(trace_action, "", give_own_handle_back);
  belay_disposable_dispose(own_handle);
  belay_scheduler *clock = belay_scheduler_create_virtual();
  CHECK_INT(belay_scheduler_after(clock, 1, trace_action, "", give_own_handle_back, &own_handle), 0);
  belay_disposable_dispose(own_handle);
  CHECK(own_handle == NULL);
  belay_scheduler_release(clock), trace_clear();
}

static const test_case cases[] = {
    CASE(A2_01_three_ways_to_end),
    CASE(A2_02_order_of_a_terminal_event),
    CASE(A2_02_order_of_an_explicit_dispose),
    CASE(A2_02_completed_then_disposed_twice),
    CASE(A2_03_action_runs_once),
    CASE(A2_03_action_runs_once_for_many_threads),
    CASE(A2_04_disposed_before_the_action_has_run),
    CASE(A2_05_end_and_teardown_meet_once),
    CASE(A2_08_binary_disposes_first_then_second),
    CASE(A2_09_terminates_before_returning_its_disposable),
    CASE(A2_10_nothing_after_the_end),
    CASE(A2_11_nothing_after_dispose),
    CASE(dispose_inside_next),
    CASE(A2_20_every_kind_is_disposed_once),
    CASE(A2_20_nop_counts_as_disposed),
    CASE(A2_23_serial_disposes_the_previous),
    CASE(A2_23_serial_disposes_its_content),
    CASE(A3_55_serial_swap_hands_the_old_one_back),
    CASE(A2_24_single_assignment_refuses_the_second),
    CASE(A2_24_single_assignment_disposed_before),
    CASE(A2_25_ref_counted_waits_for_all),
    CASE(A2_25_ref_counted_without_dependents),
    CASE(A3_10_live_with_action_live_without_disposed),
    CASE(A3_11_dropping_does_not_dispose),
    CASE(A3_11_a_scoped_one_does),
    CASE(the_last_handle_may_go_inside_its_own_disposal),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
