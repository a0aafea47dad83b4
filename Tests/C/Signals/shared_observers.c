/* An observer that is made once and subscribed to several signals. (RxSwift's AnyObserver;
   ReactiveObjC's subscriber of several signals, A3-08.) */
#include "cases.h"
#include "worker.h"

static belay_observer shared(const char *prefix) {
  belay_observer observer = rendering(prefix);
  CHECK_INT(belay_observer_share(&observer), 0);
  return observer;
}
static int subscribe_again(belay_signal *signal, const belay_observer *observer) {
  return belay_signal_subscribe(signal, belay_observer_retain(observer), NULL);
}

static void F6_05_each_subscription_has_its_own_end(void) {
  belay_signal *one = belay_subject_create(NULL), *other = belay_subject_create(NULL);
  belay_observer observer = shared("it");
  CHECK_INT(subscribe_again(one, &observer), 0);
  CHECK_INT(subscribe_again(other, &observer), 0);
  belay_observer_release(&observer);
  send_int(one, 1), send_int(other, 2);
  belay_subject_completed(one);
  send_int(other, 3);
  CHECK_TRACE("it next 1 | it next 2 | it completed | it disposed | it next 3");
  fail_subject(other, BELAY_ERANGE, "too much");
  CHECK_TRACE("it error ERANGE | it disposed | it free");
  belay_signal_release(one), belay_signal_release(other);
}

static void F6_05_the_context_goes_with_the_last_reference(void) {
  belay_observer observer = shared("kept");
  belay_signal *values = numbers(1, 2);
  CHECK_INT(subscribe_again(values, &observer), 0);
  belay_signal_release(values);
  CHECK_TRACE("kept next 1 | kept next 2 | kept completed | kept disposed");
  CHECK_INT(belay_signal_subscribe(NULL, belay_observer_retain(&observer), NULL), BELAY_EINVAL);
  belay_last_error();
  CHECK_TRACE("");
  belay_observer_release(&observer);
  CHECK_TRACE("kept free");
  observer = shared("alone");
  belay_observer_release(&observer);
  CHECK_TRACE("alone free");
}

/* However often it is shared, it has one reference, and its end is no deeper. */
static void F6_05_what_is_shared_already_stays_as_it_is(void) {
  belay_observer observer = shared("it"), before = observer;
  for (int i = 0; i < 200000; i++) CHECK_INT(belay_observer_share(&observer), 0);
  CHECK(memcmp(&observer, &before, sizeof observer) == 0);
  belay_signal *values = numbers(1, 1);
  CHECK_INT(subscribe_again(values, &observer), 0);
  belay_signal_release(values);
  CHECK_TRACE("it next 1 | it completed | it disposed");
  belay_observer_release(&observer);
  CHECK_TRACE("it free");
}

static void trace_batch(void *ctx, const belay_value *values, size_t count) {
  trace("%s %zu values", (const char *)ctx, count);
}
static void F6_05_batches_owners_and_homes_are_each_subscriptions(void) {
  belay_owner *owner = belay_owner_create(NULL, NULL, NULL, NULL);
  belay_observer observer = rendering("it");
  observer.next = NULL;
  observer.next_batch = trace_batch;
  CHECK_INT(belay_observer_share(&observer), 0);
  belay_signal *subject = belay_subject_create(NULL), *values = numbers(1, 3);
  CHECK_INT(subscribe_again(values, &observer), 0);
  belay_signal_release(values);
  CHECK_TRACE("it 3 values | it completed | it disposed");
  observer.owner = owner;
  CHECK_INT(subscribe_again(subject, &observer), 0);
  send_int(subject, 1);
  belay_owner_release(owner);
  send_int(subject, 2);
  CHECK_TRACE("it 1 values | it disposed");
  belay_observer_release(&observer);
  CHECK_TRACE("it free");
  belay_signal_release(subject);
}

static void fail_on_two(void *ctx, belay_value value) {
  trace("%d", int_of(value));
  if (int_of(value) == 2) belay_fail(BELAY_ERANGE, "two");
}
static void a_next_that_fails_ends_its_own_subscription(void) {
  belay_signal *one = belay_subject_create(NULL), *other = belay_subject_create(NULL);
  belay_observer observer = rendering("it");
  observer.next = fail_on_two;
  CHECK_INT(belay_observer_share(&observer), 0);
  CHECK_INT(subscribe_again(one, &observer), 0);
  CHECK_INT(belay_signal_subscribe(other, &observer, NULL), 0);
  send_int(one, 2), send_int(one, 3), send_int(other, 3);
  CHECK_TRACE("2 | it error ERANGE | it disposed | 3");
  belay_signal_release(other);
  CHECK_TRACE("it disposed | it free");
  belay_signal_release(one);
}

/* One grammar for several sources is a subject's. */
static void A3_08_one_end_for_several_sources_is_a_subjects(void) {
  belay_signal *meeting = belay_subject_create(NULL);
  belay_signal *sources[] = {belay_subject_create(NULL), belay_subject_create(NULL)};
  belay_disposable *all = belay_compound_create();
  belay_observer observer = rendering("all");
  observer.next = render_next;
  CHECK_INT(belay_signal_subscribe(meeting, &observer, NULL), 0);
  observer = (belay_observer){.size = sizeof observer, .disposed = dispose_of, .ctx = all};
  CHECK_INT(belay_signal_subscribe(meeting, &observer, NULL), 0);
  for (int i = 0; i < 2; i++) {
    belay_disposable *binding;
    CHECK_INT(belay_signal_bind(sources[i], meeting, &binding), 0);
    belay_compound_add(all, binding, NULL);
    belay_disposable_release(binding);
  }
  send_int(sources[0], 1), send_int(sources[1], 2);
  belay_subject_completed(sources[0]);
  CHECK_TRACE("all next 1 | all next 2 | all completed | all disposed | all free");
  send_int(sources[1], 3);
  CHECK_TRACE("");
  CHECK_INT(belay_disposable_is_disposed(all), 1);
  for (int i = 0; i < 2; i++) {
    CHECK_INT(belay_subject_count(sources[i]), 0);
    belay_signal_release(sources[i]);
  }
  belay_disposable_release(all);
  belay_signal_release(meeting);
}

typedef struct crowd {
  belay_observer observer;
  pthread_barrier_t gate;
  int values, ends, frees;
} crowd;
static void count_in(void *ctx, belay_value value) {
  __atomic_add_fetch(&((crowd *)ctx)->values, 1, __ATOMIC_RELAXED);
}
static void count_out(void *ctx) {
  __atomic_add_fetch(&((crowd *)ctx)->ends, 1, __ATOMIC_RELAXED);
}
static void count_gone(void *ctx) {
  crowd *it = ctx;
  CHECK_INT(__atomic_load_n(&it->ends, __ATOMIC_RELAXED), 2 * 500);
  it->frees++;
}
static void subscribe_often(void *ctx) {
  crowd *it = ctx;
  pthread_barrier_wait(&it->gate);
  for (int i = 0; i < 500; i++) {
    belay_signal *signal = numbers(1, 3);
    CHECK_INT(subscribe_again(signal, &it->observer), 0);
    belay_signal_release(signal);
  }
  belay_observer_release(&it->observer);
}
static void threads_subscribe_one_observer_at_once(void) {
  crowd it = {.values = 0};
  it.observer = (belay_observer){.size = sizeof it.observer, .next = count_in,
                                 .disposed = count_out, .ctx = &it, .ctx_free = count_gone};
  CHECK_INT(belay_observer_share(&it.observer), 0);
  belay_observer_retain(&it.observer);
  routine threads[2];
  CHECK_INT(pthread_barrier_init(&it.gate, NULL, 2), 0);
  for (int i = 0; i < 2; i++) start_thread(&threads[i], subscribe_often, &it);
  for (int i = 0; i < 2; i++) join_thread(&threads[i]);
  CHECK_INT(it.values, 2 * 500 * 3);
  CHECK_INT(it.frees, 1);
  pthread_barrier_destroy(&it.gate);
}

static void nonsense(void) {
  CHECK_FAILS(belay_observer_share(NULL), BELAY_EINVAL);
  belay_observer observer = {.size = 3};
  CHECK_FAILS(belay_observer_share(&observer), BELAY_EINVAL);
  observer = rendering("plain");
  CHECK(!belay_observer_retain(&observer));
  check_last_error(BELAY_EINVAL);
  CHECK(!belay_observer_retain(NULL));
  check_last_error(BELAY_EINVAL);
  belay_observer_release(&observer), belay_observer_release(NULL);
  belay_last_error();
  /* Without callbacks. */
  int frees = 0;
  observer = (belay_observer){.size = 96, .ctx = &frees, .ctx_free = count_free};
  CHECK_INT(belay_observer_share(&observer), 0);
  CHECK(!observer.next && !observer.error && !observer.next_batch);
  belay_signal *signal = numbers(1, 2);
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  belay_signal_release(signal);
  CHECK_INT(frees, 1);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      CASE(F6_05_each_subscription_has_its_own_end),
      CASE(F6_05_the_context_goes_with_the_last_reference),
      CASE(F6_05_what_is_shared_already_stays_as_it_is),
      CASE(F6_05_batches_owners_and_homes_are_each_subscriptions),
      CASE(a_next_that_fails_ends_its_own_subscription),
      CASE(A3_08_one_end_for_several_sources_is_a_subjects),
      CASE(threads_subscribe_one_observer_at_once),
      CASE(nonsense),
  };
  return RUN_CASES(cases);
}
