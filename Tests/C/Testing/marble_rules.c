/* What a marble test is, apart from the operators that it tests: diagrams, runs, threads. */
#include "cases.h"

#include <belay/testing.h>

#include <sched.h>
#include <stdatomic.h>

static void malformed(const char *diagram, int cold, int hot, int expected, int span) {
  belay_marbles *test = belay_marbles_create();
  belay_signal *made = belay_marbles_cold(test, diagram);
  CHECK_INT(made ? 0 : belay_error_code(belay_last_error()), cold);
  belay_signal_release(made);
  made = belay_marbles_hot(test, diagram);
  CHECK_INT(made ? 0 : belay_error_code(belay_last_error()), hot);
  belay_signal_release(made);
  CHECK_INT(belay_marbles_expect(test, belay_signal_never(), NULL, diagram), expected);
  CHECK_INT(belay_marbles_expect(test, belay_signal_never(), diagram, ""), span);
  belay_marbles_release(test);
}
static void diagrams_that_mean_nothing(void) {
  enum { WRONG = BELAY_EINVAL };
  malformed("-a-|", 0, 0, 0, WRONG);
  malformed("--^-a-|", WRONG, 0, WRONG, WRONG);
  malformed("--^---!", WRONG, WRONG, WRONG, 0);
  malformed("--!", WRONG, WRONG, WRONG, 0);
  malformed("--!---^", WRONG, WRONG, WRONG, WRONG);
  malformed("^--^", WRONG, WRONG, WRONG, WRONG);
  malformed("-!-!", WRONG, WRONG, WRONG, WRONG);
  malformed("a|b", WRONG, WRONG, WRONG, WRONG);
  malformed("#|", WRONG, WRONG, WRONG, WRONG);
  malformed("(a|b)", WRONG, WRONG, WRONG, WRONG);
  malformed("(a#)--", 0, 0, 0, WRONG);
  malformed("((a))", WRONG, WRONG, WRONG, WRONG);
  malformed("-?-", WRONG, WRONG, WRONG, WRONG);
  malformed("-- 1234567890ms a", WRONG, WRONG, WRONG, WRONG);
  malformed("-- 999999999ms a", 0, 0, 0, WRONG);
}

static void digits_are_values_however_many(void) {
  const char *diagrams[] = {"1234567890|", "-- 12345678901234567890|", "123456789012m", "1.5"};
  const int values[] = {10, 20, 0, 0};
  for (int i = 0; i < 4; i++) {
    belay_marbles *test = belay_marbles_create();
    belay_signal *source = belay_marbles_cold(test, diagrams[i]);
    CHECK((source != NULL) == (values[i] > 0));
    if (source) {
      int seen = 0;
      belay_observer observer = BELAY_INIT(belay_observer, .next = count_value, .ctx = &seen);
      CHECK_INT(belay_signal_subscribe(source, &observer, NULL), 0);
      CHECK_INT(belay_marbles_run(test), 0);
      CHECK_INT(seen, values[i]);
    }
    belay_signal_release(source);
    belay_marbles_release(test);
  }
}

static void expect_pair(belay_marbles *test) {
  belay_signal *source = belay_marbles_cold(test, "-a-b|"), *hot = belay_marbles_hot(test, "a^-b|");
  CHECK_INT(belay_marbles_expect(test, belay_signal_chain(belay_signal_retain(source),
                                                          belay_op_map_to(belay_int32(1))),
                                 "-^--!", "--1"), 0);
  CHECK_INT(belay_marbles_expect(test, belay_signal_retain(hot), NULL, "--b|"), 0);
  const char *span = "-^--!";
  CHECK_INT(belay_marbles_expect_subscriptions(test, source, &span, 1), 0);
  belay_signal_release(source);
  belay_signal_release(hot);
}
static void times_count_from_the_beginning_of_a_run(void) {
  belay_marbles *test = belay_marbles_create();
  CHECK_INT(belay_scheduler_advance(belay_marbles_get_scheduler(test), 0.005), 0);
  for (int run = 0; run < 3; run++) {
    expect_pair(test);
    CHECK_INT(belay_marbles_run(test), 0);
    CHECK_INT(belay_marbles_run(test), 0);
  }
  expect_pair(test);
  CHECK_INT(belay_marbles_expect(test, belay_signal_never(), NULL, "a"), 0);
  CHECK_FAILS(belay_marbles_run(test), BELAY_EMISMATCH);
  belay_marbles_release(test);
}

static belay_signal *stray(belay_signal *source) {
  return belay_signal_chain(also(source), belay_op_map_to(belay_int32(1)));
}
static void a_source_belongs_to_its_run(void) {
  belay_marbles *test = belay_marbles_create();
  belay_signal *sources[] = {belay_marbles_cold(test, "-a|"), belay_marbles_hot(test, "-a|")};
  for (int i = 0; i < 2; i++)
    CHECK_INT(belay_marbles_expect(test, stray(sources[i]), NULL, "-1|"), 0);
  CHECK_INT(belay_marbles_run(test), 0);
  for (int i = 0; i < 2; i++) {
    CHECK_FAILS(belay_marbles_expect_subscriptions(test, sources[i], NULL, 0), BELAY_ENOENT);
    CHECK_INT(belay_marbles_expect(test, stray(sources[i]), NULL, "-1|"), 0);
    CHECK_FAILS(belay_marbles_run(test), BELAY_ENOENT);
    watch(also(sources[i]), "outside of a run");
    expect_pair(test);
    CHECK_INT(belay_marbles_run(test), 0);
    belay_signal_release(sources[i]);
  }
  belay_marbles_release(test);
  trace_clear();
}

static void run_inside(void *test) {
  CHECK_FAILS(belay_marbles_run(test), BELAY_EBUSY);
  CHECK_FAILS(belay_marbles_expect(test, belay_signal_never(), NULL, ""), BELAY_EBUSY);
  CHECK(belay_marbles_hot(test, "a") == NULL);
  check_last_error(BELAY_EBUSY);
}
static void a_run_inside_of_a_run(void) {
  belay_marbles *test = belay_marbles_create();
  expect_pair(test);
  CHECK_INT(belay_marbles_expect(test, belay_signal_never(), NULL, "a"), 0);
  CHECK_INT(belay_scheduler_after(belay_marbles_get_scheduler(test), 0.001, run_inside, test, NULL,
                                  NULL), 0);
  CHECK_FAILS(belay_marbles_run(test), BELAY_EMISMATCH);
  belay_marbles_release(test);
}

/* An operator that tries again and again without a wait. */
static void what_goes_on_at_one_moment(void) {
  belay_marbles *test = belay_marbles_create();
  belay_scheduler *scheduler = belay_marbles_get_scheduler(test);
  belay_signal *endless =
      belay_signal_chain(failing_with(BELAY_ERANGE, "again"),
                         belay_op_retry_backoff(scheduler, 0, 1, 0, 0, BELAY_UNLIMITED, 0));
  CHECK_INT(belay_marbles_expect(test, endless, NULL, ""), 0);
  CHECK_FAILS(belay_marbles_run(test), BELAY_EAGAIN);
  /* It is over, and the next one begins anew. */
  expect_pair(test);
  CHECK_INT(belay_marbles_run(test), 0);
  belay_marbles_release(test);
}

static void release_subscriber(void *subscriber) { belay_subscriber_release(subscriber); }

/* Work without end at one moment, while a subscription is there. */
static int begun, active;
static void again_at_once(void *scheduler) {
  if (!active) return;
  CHECK_INT(belay_scheduler_after(scheduler, 0, again_at_once, scheduler, NULL, NULL), 0);
}
static void no_longer(void *ctx) { active--; }
static belay_disposable *begin_endless(void *scheduler, belay_subscriber *subscriber) {
  begun++;
  active++;
  again_at_once(scheduler);
  return belay_disposable_create(no_longer, belay_subscriber_retain(subscriber),
                                 release_subscriber);
}
/* Nothing is left of a run that has not come to its end, and the next one begins anew. */
static void a_run_that_fails_takes_its_work_along(void) {
  belay_marbles *test = belay_marbles_create();
  for (int i = 0; i < 2; i++) {
    belay_signal *endless =
        belay_signal_create(begin_endless, belay_marbles_get_scheduler(test), NULL, NULL);
    CHECK_INT(belay_marbles_expect(test, endless, i ? "-----^" : NULL, ""), 0);
  }
  belay_signal *hot = belay_marbles_hot(test, "-------a");
  CHECK_FAILS(belay_marbles_run(test), BELAY_EAGAIN);
  CHECK_INT(active, 0);
  belay_signal_release(hot);
  CHECK_INT(belay_marbles_run(test), 0);
  CHECK_INT(begun, 1);
  expect_pair(test);
  CHECK_INT(belay_marbles_run(test), 0);
  belay_marbles_release(test);
}

static void run_again(void *test) {
  trace("again");
  CHECK_FAILS(belay_marbles_run(test), BELAY_EBUSY);
}
static void a_run_in_what_the_end_of_a_run_calls(void) {
  belay_marbles *test = belay_marbles_create();
  belay_signal *source = belay_signal_chain(belay_marbles_cold(test, "-a"),
                                            belay_op_finally(run_again, test, NULL));
  CHECK_INT(belay_marbles_expect(test, source, NULL, "-a"), 0);
  CHECK_INT(belay_marbles_run(test), 0);
  CHECK_TRACE("again");
  belay_marbles_release(test);
}

static void use_elsewhere(void *test) {
  belay_signal *source = belay_signal_never();
  CHECK(belay_marbles_cold(test, "a") == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EWRONGTHREAD);
  CHECK(belay_marbles_hot(test, "a") == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EWRONGTHREAD);
  CHECK_FAILS(belay_marbles_define(test, 'a', belay_string("kept")), BELAY_EWRONGTHREAD);
  CHECK_FAILS(belay_marbles_expect(test, belay_signal_retain(source), NULL, "a"),
              BELAY_EWRONGTHREAD);
  CHECK_FAILS(belay_marbles_expect_subscriptions(test, source, NULL, 0), BELAY_EWRONGTHREAD);
  CHECK_FAILS(belay_marbles_run(test), BELAY_EWRONGTHREAD);
  CHECK(belay_marbles_get_scheduler(test) != NULL);
  belay_signal_release(source);
}
static void on_another_thread(void) {
  belay_marbles *test = belay_marbles_create();
  expect_pair(test);
  routine other;
  start_thread(&other, use_elsewhere, test);
  join_thread(&other);
  CHECK_INT(belay_marbles_run(test), 0);
  belay_marbles_release(test);
}

/* Its signals are as any others. */
static void subscribe_often(void *source) {
  for (int i = 0; i < 2000; i++) {
    belay_observer observer = BELAY_INIT(belay_observer);
    belay_disposable *subscription = NULL;
    CHECK_INT(belay_signal_subscribe(source, &observer, &subscription), 0);
    end_subscription(subscription);
  }
}
static void threads_subscribe_to_its_source(void) {
  belay_marbles *test = belay_marbles_create();
  belay_signal *source = belay_marbles_cold(test, "-a-b|");
  routine threads[3];
  for (int i = 0; i < 3; i++) start_thread(&threads[i], subscribe_often, source);
  for (int i = 0; i < 3; i++) join_thread(&threads[i]);
  CHECK_INT(belay_marbles_expect_subscriptions(test, source, NULL, 0), 0);
  belay_signal_release(source);
  CHECK_FAILS(belay_marbles_run(test), BELAY_EMISMATCH);
  belay_marbles_release(test);
}

/* Events that another thread brings while runs begin, compare and end. */
static atomic_int runs_left;
static void send_during_runs(void *subject) {
  while (atomic_load(&runs_left) > 0) {
    int code = send_to(subject, 1);
    CHECK(code >= 0 || code == BELAY_EAGAIN);
  }
}
static void another_thread_sends_what_is_expected(void) {
  belay_source_options shared = BELAY_INIT(belay_source_options, .shared = 1);
  belay_signal *subject = belay_subject_create(&shared);
  routine sender;
  atomic_store(&runs_left, 3000);
  start_thread(&sender, send_during_runs, subject);
  while (atomic_load(&runs_left) > 0) {
    belay_marbles *test = belay_marbles_create();
    for (int i = 0; i < 8; i++)
      CHECK_INT(belay_marbles_expect(test, also(subject), NULL, "-----2|"), 0);
    CHECK_FAILS(belay_marbles_run(test), BELAY_EMISMATCH);
    belay_marbles_release(test);
    atomic_fetch_sub(&runs_left, 1);
  }
  join_thread(&sender);
  belay_signal_release(subject);
}

/* Another thread subscribes, and the run that it keeps from the time ends meanwhile. */
static atomic_int is_there, has_ended, is_caught, is_over;
static belay_disposable *begin_until_the_run_ends(void *ctx, belay_subscriber *subscriber) {
  while (!atomic_load(&has_ended)) {
    atomic_store(&is_caught, 1);
    sched_yield();
  }
  return belay_disposable_create(empty_action, belay_subscriber_retain(subscriber),
                                 release_subscriber);
}
static void go_on(void *scheduler) {
  atomic_store(&is_there, 1);
  if (atomic_load(&is_over)) return;
  CHECK_INT(belay_scheduler_after(scheduler, 1e-9, go_on, scheduler, NULL, NULL), 0);
}
static void advance_until_over(void *scheduler) {
  go_on(scheduler);
  CHECK_INT(belay_scheduler_advance(scheduler, 3600), 0);
}
static void a_run_ends_while_another_thread_subscribes(void) {
  belay_marbles *test = belay_marbles_create();
  belay_signal *source = belay_signal_create(begin_until_the_run_ends, NULL, NULL, NULL);
  routine other;
  start_thread(&other, advance_until_over, belay_marbles_get_scheduler(test));
  while (!atomic_load(&is_there)) sched_yield();
  for (int round = 0; round < 100000 && !atomic_load(&is_caught); round++) {
    atomic_store(&has_ended, 0);
    for (int i = 0; i < 100; i++)
      CHECK_INT(belay_marbles_expect(test, also(source), NULL, ""), 0);
    CHECK_FAILS(belay_marbles_run(test), BELAY_EBUSY);
    atomic_store(&has_ended, 1);
  }
  atomic_store(&is_over, 1);
  join_thread(&other);
  CHECK(atomic_load(&is_caught));
  belay_signal_release(source);
  belay_marbles_release(test);
}

/* What the host has subscribed itself, to sources that it keeps. */
static void release_test(void *test) { belay_marbles_release(test); }
static void release_with_subscriptions(const char *diagram, int is_run, int is_elsewhere) {
  belay_marbles *test = belay_marbles_create();
  belay_scheduler *scheduler = belay_scheduler_retain(belay_marbles_get_scheduler(test));
  belay_signal *cold = belay_marbles_cold(test, diagram), *hot = belay_marbles_hot(test, diagram);
  watch(also(cold), "cold");
  watch(also(hot), "hot");
  if (is_run) CHECK_INT(belay_marbles_run(test), 0);
  if (is_elsewhere) in_thread(release_test, test);
  else belay_marbles_release(test);
  trace("released");
  watch(also(cold), "late");
  watch(also(hot), "late");
  belay_signal_release(cold);
  belay_signal_release(hot);
  belay_scheduler_release(scheduler);
}
static void the_release_ends_what_is_active(void) {
  release_with_subscriptions("-1-2|", 0, 0);
  CHECK_TRACE("hot disposed | hot free | cold disposed | cold free | released | "
              "late disposed | late free | late disposed | late free");
  release_with_subscriptions("-1", 0, 0);
  CHECK_TRACE("hot disposed | hot free | cold disposed | cold free | released | "
              "late disposed | late free | late disposed | late free");
  release_with_subscriptions("-1", 1, 0);
  CHECK_TRACE("cold next 1 | hot next 1 | hot disposed | hot free | cold disposed | cold free | "
              "released | late disposed | late free | late disposed | late free");
  release_with_subscriptions("1|", 1, 0);
  CHECK_TRACE("cold next 1 | hot next 1 | cold completed | cold disposed | cold free | "
              "hot completed | hot disposed | hot free | released | late disposed | late free | "
              "late completed | late disposed | late free");
  /* Nothing reaches this thread, so the hot source ends with its handle. */
  release_with_subscriptions("-1", 0, 1);
  CHECK_TRACE("cold disposed | cold free | released | late disposed | late free | "
              "hot disposed | hot free | late disposed | late free");
}

/* A run inside of a callback that has failed already. */
static belay_marbles *inner_test;
static void fail_and_run(void *ctx, belay_value value) {
  belay_fail(BELAY_EINVAL, "the outer one's");
  CHECK_INT(belay_marbles_run(inner_test), 0);
}
static void a_run_leaves_the_failure_of_its_caller_alone(void) {
  inner_test = belay_marbles_create();
  watch(belay_marbles_cold(inner_test, "12|"), "cold");
  watch(belay_marbles_hot(inner_test, "12|"), "hot");
  belay_signal *outer = belay_subject_create(NULL);
  belay_observer observer = BELAY_INIT(belay_observer, .next = fail_and_run, .error = trace_message);
  CHECK_INT(belay_signal_subscribe(outer, &observer, NULL), 0);
  send_int(outer, 1);
  CHECK_TRACE("cold next 1 | hot next 1 | cold next 2 | hot next 2 | cold completed | cold disposed | "
              "cold free | hot completed | hot disposed | hot free | error EINVAL: the outer one's");
  belay_signal_release(outer);
  belay_marbles_release(inner_test);

  inner_test = belay_marbles_create();
  CHECK_INT(fail_range(), BELAY_ERANGE);
  CHECK_INT(belay_marbles_run(inner_test), 0);
  check_last_error(BELAY_ERANGE);
  belay_marbles_release(inner_test);
}

static const test_case cases[] = {
    CASE(diagrams_that_mean_nothing),
    CASE(digits_are_values_however_many),
    CASE(times_count_from_the_beginning_of_a_run),
    CASE(a_source_belongs_to_its_run),
    CASE(a_run_inside_of_a_run),
    CASE(what_goes_on_at_one_moment),
    CASE(a_run_that_fails_takes_its_work_along),
    CASE(a_run_in_what_the_end_of_a_run_calls),
    CASE(on_another_thread),
    CASE(threads_subscribe_to_its_source),
    CASE(another_thread_sends_what_is_expected),
    CASE(a_run_ends_while_another_thread_subscribes),
    CASE(the_release_ends_what_is_active),
    CASE(a_run_leaves_the_failure_of_its_caller_alone),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
