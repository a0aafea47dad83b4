/* One subscription for many: connecting, counting, resetting. */
#include "script.h"
#include "witness.h"
#include "worker.h"

static belay_signal *source, *shared;

static belay_disposable *listen(const char *prefix) { return watched(also(shared), prefix); }

static void push(int number) { CHECK_INT(belay_subject_next(source, belay_int32(number)), 0); }

static void fail_source(void) {
  fail_subject(source, BELAY_ENOENT, "gone");
}

static void share_with(belay_op *op) {
  source = belay_subject_create(NULL);
  shared = belay_signal_chain(also(source), op);
  CHECK(shared != NULL);
}

static void done(void) {
  belay_signal_release(shared);
  belay_signal_release(source);
  shared = source = NULL;
}

/* ---- connecting ---- */

static void publish_connects_once(void) {
  source = belay_subject_create(NULL);
  shared = belay_signal_publish(also(source));
  belay_disposable *a = listen("a"), *b = listen("b");
  CHECK_INT(belay_subject_count(source), 0);
  push(1);
  belay_disposable *connection = NULL, *again = NULL;
  CHECK_INT(belay_signal_connect(shared, &connection), 0);
  CHECK_INT(belay_signal_connect(shared, &again), 0);
  CHECK(connection == again);
  CHECK_INT(belay_subject_count(source), 1);
  push(2);
  end_subscription(a);
  CHECK_TRACE("a next 2 | b next 2 | a disposed | a free");
  end_subscription(b);
  CHECK_INT(belay_subject_count(source), 1);
  end_subscription(connection);
  belay_disposable_release(again);
  CHECK_INT(belay_subject_count(source), 0);
  trace_clear();
  done();
}

static void disconnecting_interrupts_and_connects_anew(void) {
  source = belay_subject_create(NULL);
  shared = belay_signal_publish(also(source));
  belay_disposable *a = listen("a"), *connection = NULL;
  CHECK_INT(belay_signal_connect(shared, &connection), 0);
  end_subscription(connection);
  CHECK_TRACE("a disposed | a free");
  belay_disposable *b = listen("b");
  CHECK_INT(belay_signal_connect(shared, NULL), 0);
  push(1);
  CHECK_INT(belay_subject_completed(source), 0);
  CHECK_TRACE("b next 1 | b completed | b disposed | b free");
  belay_disposable_release(a);
  belay_disposable_release(b);
  done();
}

static void multicast_listens_through_disconnections(void) {
  source = belay_subject_create(NULL);
  belay_signal *subject = belay_subject_create_behavior(belay_int32(0), NULL);
  shared = belay_signal_multicast(also(source), also(subject));
  belay_disposable *a = listen("a"), *connection = NULL;
  CHECK_INT(belay_signal_connect(shared, &connection), 0);
  push(1);
  end_subscription(connection);
  push(2);
  CHECK_INT(belay_signal_connect(shared, NULL), 0);
  push(3);
  CHECK_INT(belay_subject_next(subject, belay_int32(9)), 0);
  fail_source();
  CHECK_TRACE("a next 0 | a next 1 | a next 3 | a next 9 | a error ENOENT | a disposed | a free");
  belay_disposable_release(a);
  belay_signal_release(subject);
  done();
}

static void replay_keeps_for_who_comes_later(void) {
  source = belay_subject_create(NULL);
  shared = belay_signal_replay(also(source), NULL, -1, 2);
  CHECK_INT(belay_signal_connect(shared, NULL), 0);
  push(1);
  push(2);
  push(3);
  belay_disposable_release(listen("a"));
  CHECK_TRACE("a next 2 | a next 3");
  CHECK_INT(belay_subject_completed(source), 0);
  trace_clear();
  belay_disposable_release(listen("b"));
  CHECK_TRACE("b next 2 | b next 3 | b completed | b disposed | b free");
  belay_disposable *connection = NULL;
  CHECK_INT(belay_signal_connect(shared, &connection), 0);
  CHECK(connection == NULL);
  done();
}

static void rule_1_1_listeners_keep_no_source(void) {
  source = belay_subject_create(NULL);
  watch(belay_signal_chain(also(source), belay_op_share(0)), "");
  push(1);
  belay_signal_release(source);
  CHECK_TRACE("next 1 | disposed | free");
  source = belay_subject_create(NULL);
  watch(belay_signal_publish(also(source)), "");
  CHECK_TRACE("disposed | free");
  belay_signal_release(source);
}

/* ---- counting ---- */

static void ref_count_from_the_first_to_the_last(void) {
  source = belay_subject_create(NULL);
  shared = belay_signal_chain(belay_signal_publish(also(source)), belay_op_ref_count());
  belay_disposable *a = listen("a");
  CHECK_INT(belay_subject_count(source), 1);
  push(1);
  belay_disposable *b = listen("b");
  CHECK_INT(belay_subject_count(source), 1);
  push(2);
  end_subscription(a);
  CHECK_INT(belay_subject_count(source), 1);
  end_subscription(b);
  CHECK_INT(belay_subject_count(source), 0);
  CHECK_TRACE("a next 1 | a next 2 | b next 2 | a disposed | a free | b disposed | b free");
  a = listen("c");
  push(3);
  CHECK_INT(belay_subject_completed(source), 0);
  CHECK_TRACE("c next 3 | c completed | c disposed | c free");
  belay_disposable_release(a);
  done();
}

static void auto_connect_with_the_second(void) {
  source = belay_subject_create(NULL);
  shared = belay_signal_chain(belay_signal_publish(also(source)), belay_op_auto_connect(2));
  belay_disposable *a = listen("a");
  push(1);
  belay_disposable *b = listen("b");
  push(2);
  end_subscription(a);
  end_subscription(b);
  CHECK_INT(belay_subject_count(source), 1);
  CHECK_INT(belay_subject_completed(source), 0);
  CHECK_TRACE("a next 2 | b next 2 | a disposed | a free | b disposed | b free");
  done();
}

/* ---- share ---- */

static void a_synchronous_source_is_shared_and_resubscribed(void) {
  script steps = {.steps = "12c"};
  shared = belay_signal_chain(scripted(&steps), belay_op_share(0));
  watch(also(shared), "a");
  watch(also(shared), "b");
  CHECK_TRACE("a next 1 | a next 2 | a completed | a disposed | a free | b next 1 | b next 2 | "
              "b completed | b disposed | b free");
  CHECK_INT(steps.runs, 2);
  belay_signal_release(shared);
}

static void disposed_while_connecting(void) {
  script steps = {.steps = "123", .teardown = "teardown"};
  shared = belay_signal_chain(scripted(&steps), belay_op_share(0));
  watch(belay_signal_chain(also(shared), belay_op_take(1)), "");
  CHECK_TRACE("next 1 | completed | disposed | free | action teardown");
  CHECK_INT(steps.results[1], BELAY_EENDED);
  watch(belay_signal_chain(also(shared), belay_op_take(1)), "");
  CHECK_INT(steps.runs, 2);
  trace_clear();
  belay_signal_release(shared);
}

static int rounds;

static void subscribe_again(void *unused) {
  trace("completed");
  if (--rounds > 0) {
    belay_observer observer = rendering("");
    observer.completed = subscribe_again;
    observer.ctx_free = NULL;
    CHECK_INT(belay_signal_subscribe(shared, &observer, NULL), 0);
  }
}

static void subscribing_again_at_the_completion(void) {
  share_with(belay_op_share(0));
  rounds = 2;
  subscribe_again(NULL);
  trace_clear();
  push(1);
  CHECK_INT(belay_subject_completed(source), 0);
  CHECK_TRACE("next 1 | completed | disposed");
  done();
  script steps = {.steps = "1c"};
  shared = belay_signal_chain(scripted(&steps), belay_op_share(0));
  rounds = 4;
  subscribe_again(NULL);
  CHECK_INT(steps.runs, 3);
  trace_clear();
  belay_signal_release(shared);
}

static void join_inside(void *joined, belay_value value) {
  trace("a %d", int_of(value));
  if (!*(int *)joined) {
    *(int *)joined = 1;
    watch(also(shared), "b");
  }
}

static void subscribing_from_inside_a_delivery(void) {
  int joined = 0;
  script steps = {.steps = "12c"};
  shared = belay_signal_chain(scripted(&steps), belay_op_share(0));
  belay_observer observer = {.size = sizeof observer, .next = join_inside, .ctx = &joined};
  CHECK_INT(belay_signal_subscribe(shared, &observer, NULL), 0);
  CHECK_TRACE("a 1 | a 2 | b next 2 | b completed | b disposed | b free");
  CHECK_INT(steps.runs, 1);
  belay_signal_release(shared);
}

static void rules_after_an_end(void) {
  share_with(belay_op_share(BELAY_SHARE_KEEP_COMPLETED));
  watch(also(shared), "a");
  CHECK_INT(belay_subject_completed(source), 0);
  watch(also(shared), "b");
  CHECK_TRACE("a completed | a disposed | a free | b completed | b disposed | b free");
  done();
  script steps = {.steps = "1e"};
  shared = belay_signal_chain(scripted(&steps),
                              belay_op_share_replay(NULL, -1, 1, BELAY_SHARE_KEEP_ERROR));
  watch(also(shared), "a");
  watch(also(shared), "b");
  CHECK_INT(steps.runs, 1);
  CHECK_TRACE("a next 1 | a error ERANGE | a disposed | a free | b next 1 | b error ERANGE | "
              "b disposed | b free");
  belay_signal_release(shared);
  steps.runs = 0;
  shared = belay_signal_chain(scripted(&steps), belay_op_share_replay(NULL, -1, 1, 0));
  watch(also(shared), "a");
  watch(also(shared), "b");
  CHECK_INT(steps.runs, 2);
  trace_clear();
  belay_signal_release(shared);
}

static void rules_when_nobody_listens(void) {
  share_with(belay_op_share_replay(NULL, -1, 1, BELAY_SHARE_KEEP_CONNECTION));
  end_subscription(listen("a"));
  CHECK_INT(belay_subject_count(source), 1);
  push(7);
  trace_clear();
  belay_disposable_release(listen("b"));
  CHECK_TRACE("b next 7");
  CHECK_INT(belay_subject_completed(source), 0);
  trace_clear();
  done();
  share_with(belay_op_share_replay(NULL, -1, 1, 0));
  belay_disposable *a = listen("a");
  push(7);
  end_subscription(a);
  CHECK_INT(belay_subject_count(source), 0);
  trace_clear();
  end_subscription(listen("b"));
  CHECK_TRACE("b disposed | b free");
  done();
}

static void tell_unhandled(void *ctx, const belay_error *error, const char *signal,
                           const char *site) {
  trace("unhandled %s of %s", belay_error_message(error), signal);
}
static void end_without_listeners(belay_signal *signal, const char *expected) {
  end_subscription(watched(belay_signal_retain(signal), "a"));
  trace_clear();
  fail_source();
  CHECK_TRACE(expected);
  belay_signal_release(signal);
  belay_signal_release(source);
  source = belay_subject_create(NULL);
}
static void connect_alone(belay_signal *signal, const char *expected) {
  CHECK_INT(belay_signal_connect(signal, NULL), 0);
  end_without_listeners(signal, expected);
}
/* Values go nowhere, as those of a subject do, but an error that nobody will ever get is told. */
static void what_comes_while_nobody_listens(void) {
  static const char unhandled[] = "unhandled gone of subject.connect";
  enum { KEEP = BELAY_SHARE_KEEP_CONNECTION };
  source = belay_subject_create(NULL);
  CHECK_INT(belay_on_unhandled_error(tell_unhandled, NULL, NULL), 0);
  end_without_listeners(belay_signal_chain(also(source), belay_op_share(KEEP)), unhandled);
  end_without_listeners(
      belay_signal_chain(also(source), belay_op_share_replay(NULL, -1, 1, KEEP)), unhandled);
  end_without_listeners(
      belay_signal_chain(also(source), belay_op_share(KEEP | BELAY_SHARE_KEEP_ERROR)), "");
  connect_alone(belay_signal_publish(also(source)), unhandled);
  connect_alone(belay_signal_replay(also(source), NULL, -1, 1), "");
  connect_alone(belay_signal_multicast(also(source), belay_subject_create(NULL)), "");
  belay_signal_release(source);
  share_with(belay_op_share(KEEP));
  watch(also(shared), "b");
  fail_source();
  CHECK_TRACE("b error ENOENT | b disposed | b free");
  done();
  share_with(belay_op_share(KEEP));
  end_subscription(listen("c"));
  belay_signal_release(shared);
  push(1);
  CHECK_INT(belay_subject_count(source), 1);
  trace_clear();
  fail_source();
  CHECK_TRACE(unhandled);
  CHECK_INT(belay_subject_count(source), 0);
  belay_signal_release(source);
  CHECK_INT(belay_on_unhandled_error(NULL, NULL, NULL), 0);
}

static void taking_what_is_replayed_connects_once(void) {
  share_with(belay_op_share_replay(NULL, -1, 1, BELAY_SHARE_KEEP_CONNECTION));
  watch(also(shared), "a");
  push(1);
  watch(belay_signal_chain(also(shared), belay_op_take(1)), "b");
  CHECK_TRACE("a next 1 | b next 1 | b completed | b disposed | b free");
  CHECK_INT(belay_subject_count(source), 1);
  done();
  CHECK_TRACE("a disposed | a free");
}

static void not_connectable(void) {
  belay_signal *subject = belay_subject_create(NULL);
  CHECK_FAILS(belay_signal_connect(subject, NULL), BELAY_EKIND);
  CHECK_FAILS(belay_signal_connect(NULL, NULL), BELAY_EINVAL);
  CHECK(belay_signal_chain(also(subject), belay_op_ref_count()) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EKIND);
  CHECK(belay_op_auto_connect(0) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
  CHECK(belay_op_share(8) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
  CHECK(belay_signal_multicast(also(subject), belay_signal_never()) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EKIND);
  CHECK(belay_signal_multicast(NULL, also(subject)) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
  CHECK(belay_signal_publish(NULL) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
  belay_signal_release(subject);
}

/* ---- two homes, and many lives ---- */

static void rule_1_2_listeners_at_two_homes(void) {
  worker there = {0};
  start_worker(&there);
  belay_loop *here = open_loop();
  source = belay_subject_create(NULL);
  shared = belay_signal_chain(also(source), belay_op_share(0));
  witness local = {0}, seen = {.home = &there};
  belay_disposable *beside = witnessed(shared, &local, NULL);
  belay_disposable *subscription = witnessed(shared, &seen, there.loop);
  meet(&there);
  turn(here);
  CHECK_INT(belay_subject_count(source), 1);
  for (int i = 1; i <= 20; i++) push(i);
  end_subscription(beside);
  meet(&there);
  CHECK_INT(belay_subject_count(source), 1);
  end_subscription(subscription); /* the last one, away from the connection's home */
  meet(&there);
  turn(here);
  CHECK_INT(belay_subject_count(source), 0);
  CHECK_INT(local.count, 20);
  CHECK_INT(seen.count, 20);
  done();
  stop_worker(&there);
  turn(here);
  close_loop(here);
}

static void live_once(void *unused) {
  belay_observer observer = {.size = sizeof observer};
  belay_disposable *a = NULL, *b = NULL;
  CHECK_INT(belay_signal_subscribe(shared, &observer, &a), 0);
  CHECK_INT(belay_signal_subscribe(shared, &observer, &b), 0);
  push(1);
  end_subscription(a);
  end_subscription(b);
}

static void short_lives_leave_a_shared_signal_flat(void) {
  share_with(belay_op_share_replay(NULL, -1, 1, 0));
  check_flat(live_once, NULL, 40000);
  done();
  share_with(belay_op_share_replay(NULL, -1, 1, BELAY_SHARE_KEEP_CONNECTION));
  check_flat(live_once, NULL, 40000);
  done();
}

int main(int argc, char **argv) {
  const test_case cases[] = {
      CASE(publish_connects_once),
      CASE(disconnecting_interrupts_and_connects_anew),
      CASE(multicast_listens_through_disconnections),
      CASE(replay_keeps_for_who_comes_later),
      CASE(rule_1_1_listeners_keep_no_source),
      CASE(ref_count_from_the_first_to_the_last),
      CASE(auto_connect_with_the_second),
      CASE(a_synchronous_source_is_shared_and_resubscribed),
      CASE(disposed_while_connecting),
      CASE(subscribing_again_at_the_completion),
      CASE(subscribing_from_inside_a_delivery),
      CASE(rules_after_an_end),
      CASE(rules_when_nobody_listens),
      CASE(what_comes_while_nobody_listens),
      CASE(taking_what_is_replayed_connects_once),
      CASE(not_connectable),
      CASE(rule_1_2_listeners_at_two_homes),
      CASE(short_lives_leave_a_shared_signal_flat),
  };
  return RUN_CASES(cases);
}
