/* Subjects with a memory: behaviour, replay, async. */
#include <math.h>
#include "cases.h"

static void listen(belay_signal *subject, const char *prefix) {
  belay_disposable_release(watched(also(subject), prefix));
}

static void fail(belay_signal *subject) {
  fail_subject(subject, BELAY_ENOENT, "gone");
}

static int current(belay_signal *subject) {
  belay_value value;
  CHECK_INT(belay_subject_get(subject, &value), 0);
  int number = int_of(value);
  belay_value_release(value);
  return number;
}

static belay_source_options with(belay_reentrancy reentrancy) {
  return (belay_source_options){.size = sizeof(belay_source_options), .reentrancy = reentrancy};
}

/* ---- behaviour ---- */

static void behavior_sends_its_value_to_each_newcomer(void) {
  belay_signal *subject = belay_subject_create_behavior(belay_int32(1), NULL);
  listen(subject, "a");
  CHECK_INT(send_to(subject, 2), 0);
  CHECK_INT(current(subject), 2);
  listen(subject, "b");
  CHECK_INT(send_to(subject, 3), 0);
  CHECK_INT(belay_subject_completed(subject), 0);
  CHECK_TRACE("a next 1 | a next 2 | b next 2 | a next 3 | b next 3 | a completed | a disposed | "
              "a free | b completed | b disposed | b free");
  listen(subject, "c");
  CHECK_TRACE("c completed | c disposed | c free");
  CHECK_INT(current(subject), 3);
  CHECK_FAILS(send_to(subject, 4), BELAY_EENDED);
  CHECK_INT(current(subject), 3);
  belay_signal_release(subject);
}

static void behavior_owns_its_value(void) {
  belay_value first = belay_string("a first value of some length");
  belay_signal *subject = belay_subject_create_behavior(first, NULL);
  CHECK_INT(belay_subject_next(subject, belay_string("a second value of some length")), 0);
  belay_value value;
  CHECK_INT(belay_subject_get(subject, &value), 0);
  belay_signal_release(subject);
  belay_view view;
  CHECK_INT(belay_value_get_string(value, &view), 0);
  CHECK_INT(view.size, strlen("a second value of some length"));
  belay_value_release(value);
  belay_source_options bad = {.size = 1};
  CHECK(belay_subject_create_behavior(belay_string("given away also on failure"), &bad) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
}

static void value_of_other_signals(void) {
  belay_value value;
  belay_signal *subject = belay_subject_create(NULL);
  CHECK_FAILS(belay_subject_get(subject, &value), BELAY_EKIND);
  CHECK_FAILS(belay_subject_get(NULL, &value), BELAY_EINVAL);
  belay_signal_release(subject);
  subject = belay_subject_create_behavior(belay_int32(1), NULL);
  CHECK_FAILS(belay_subject_get(subject, NULL), BELAY_EINVAL);
  belay_signal_release(subject);
}

static belay_signal *target;
static int sends_left;

static void read_and_send(void *name, belay_value value) {
  trace("%s %d of %d", (const char *)name, int_of(value), current(target));
  if (sends_left > 0) {
    sends_left--;
    int code = send_to(target, int_of(value) + 1);
    trace("sent %d", code);
  }
}

static void read_from(belay_signal *subject, const char *name) {
  belay_observer observer = {.size = sizeof observer, .next = read_and_send, .ctx = (void *)name};
  CHECK_INT(belay_signal_subscribe(subject, &observer, NULL), 0);
}

static void rule_1_2_a_behavior_answers_the_last_value_delivered(void) {
  target = belay_subject_create_behavior(belay_int32(1), NULL);
  sends_left = 0;
  read_from(target, "a");
  read_from(target, "b");
  trace_clear();
  sends_left = 1;
  CHECK_INT(send_to(target, 5), 0);
  CHECK_TRACE("a 5 of 5 | sent 1 | b 5 of 5 | a 6 of 6 | b 6 of 6");
  belay_signal_release(target);
}

static void what_is_sent_from_inside_a_replay_reaches_the_newcomer(void) {
  target = belay_subject_create_behavior(belay_int32(1), NULL);
  sends_left = 2;
  read_from(target, "a");
  CHECK_TRACE("a 1 of 1 | sent 1 | a 2 of 2 | sent 1 | a 3 of 3");
  belay_signal_release(target);
  belay_source_options options = with(BELAY_REENTRANCY_DEPTH_FIRST);
  target = belay_subject_create_behavior(belay_int32(1), &options);
  sends_left = 1;
  read_from(target, "a");
  CHECK_TRACE("a 1 of 1 | a 2 of 2 | sent 0");
  belay_signal_release(target);
}

static void subscribe_inside(void *unused, belay_value value) {
  if (int_of(value) == 2) listen(target, "inner");
}

static void a_newcomer_inside_a_delivery_gets_it_once(void) {
  target = belay_subject_create_behavior(belay_int32(1), NULL);
  belay_observer observer = {.size = sizeof observer, .next = subscribe_inside};
  CHECK_INT(belay_signal_subscribe(target, &observer, NULL), 0);
  CHECK_INT(send_to(target, 2), 0);
  CHECK_TRACE("inner next 2");
  CHECK_INT(send_to(target, 3), 0);
  CHECK_TRACE("inner next 3");
  belay_signal_release(target);
  CHECK_TRACE("inner disposed | inner free");
}

static void release_target(void *unused, belay_value value) {
  belay_signal *last = target;
  target = NULL;
  belay_signal_release(last);
  trace("released");
}

static void released_from_inside_its_replay(void) {
  belay_observer observer = tracing("");
  observer.next = release_target;
  target = belay_subject_create_behavior(belay_int32(1), NULL);
  belay_signal *subject = target;
  belay_signal *mapped = belay_signal_chain(subject, belay_op_take(3));
  target = mapped;
  CHECK_INT(belay_signal_subscribe(mapped, &observer, NULL), 0);
  CHECK_TRACE("released | disposed | free");
}

static void taking_one_leaves(void) {
  belay_signal *subject = belay_subject_create_behavior(belay_int32(1), NULL);
  for (int i = 0; i < 100; i++) {
    watch(belay_signal_chain(belay_signal_retain(subject), belay_op_take(1)), "");
    CHECK_TRACE("next 1 | completed | disposed | free");
  }
  CHECK_INT(belay_subject_count(subject), 0);
  belay_signal_release(subject);
}

/* A home and none are two wishes. */
static void a_shared_subject_has_no_loop(void) {
  belay_loop *loop = open_loop();
  belay_source_options options = {.size = sizeof options, .shared = 1, .loop = loop};
  CHECK(!belay_subject_create(&options));
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
  CHECK(!belay_subject_create_behavior(belay_string("given away, also on failure"), &options));
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
  close_loop(loop);
}

static void a_shared_behavior(void) {
  belay_source_options options = with(BELAY_REENTRANCY_QUEUE);
  options.shared = 1;
  belay_signal *subject = belay_subject_create_behavior(belay_int32(1), &options);
  listen(subject, "a");
  CHECK_INT(send_to(subject, 2), 0);
  CHECK_INT(current(subject), 2);
  listen(subject, "b");
  CHECK_TRACE("a next 1 | a next 2 | b next 2");
  belay_signal_release(subject);
  CHECK_TRACE("a disposed | a free | b disposed | b free");
}

static void send_nine(void *subject) { CHECK_INT(send_to(subject, 9), BELAY_QUEUED); }

static void a_behavior_sent_into_from_elsewhere(void) {
  belay_loop *loop = open_loop();
  belay_signal *subject = belay_subject_create_behavior(belay_int32(1), NULL);
  in_thread(send_nine, subject);
  CHECK_INT(current(subject), 1);
  run_to_end(loop);
  CHECK_INT(current(subject), 9);
  listen(subject, "");
  CHECK_TRACE("next 9");
  belay_signal_release(subject);
  trace_clear();
  close_loop(loop);
}

/* ---- replay ---- */

static void replay_by_count(void) {
  belay_signal *subject = belay_subject_create_replay(NULL, -1, 2, NULL);
  listen(subject, "a");
  for (int i = 1; i <= 3; i++) CHECK_INT(send_to(subject, i), 0);
  listen(subject, "b");
  CHECK_TRACE("a next 1 | a next 2 | a next 3 | b next 2 | b next 3");
  CHECK_INT(send_to(subject, 4), 0);
  CHECK_INT(belay_subject_completed(subject), 0);
  trace_clear();
  listen(subject, "c");
  CHECK_TRACE("c next 3 | c next 4 | c completed | c disposed | c free");
  belay_signal_release(subject);
}

static void replay_of_everything_and_an_error(void) {
  belay_signal *subject = belay_subject_create_replay(NULL, -1, BELAY_UNLIMITED, NULL);
  for (int i = 0; i < 1000; i++) CHECK_INT(send_to(subject, i), 0);
  fail(subject);
  watch(belay_signal_chain(belay_signal_retain(subject), belay_op_buffer(1000)), "");
  const char *text = trace_text();
  CHECK(strncmp(text, "next [0 1 2 ", 12) == 0);
  CHECK(strstr(text, "error ENOENT") != NULL);
  trace_clear();
  belay_signal_release(subject);
}

static void A3_53_a_replay_stops_when_disposed_midway(void) {
  belay_signal *subject = belay_subject_create_replay(NULL, -1, BELAY_UNLIMITED, NULL);
  for (int i = 1; i <= 5; i++) CHECK_INT(send_to(subject, i), 0);
  watch(belay_signal_chain(belay_signal_retain(subject), belay_op_take(2)), "");
  CHECK_TRACE("next 1 | next 2 | completed | disposed | free");
  CHECK_INT(belay_subject_count(subject), 0);
  belay_signal_release(subject);
}

static void replay_forgets_what_is_too_much(void) {
  int freed = 0;
  belay_signal *subject = belay_subject_create_replay(NULL, -1, 1, NULL);
  for (int i = 0; i < 1000; i++)
    CHECK_INT(belay_subject_next(subject, belay_pointer_owned(&freed, count_free)), 0);
  CHECK_INT(freed, 999);
  belay_signal_release(subject);
  CHECK_INT(freed, 1000);
}

static void send_more(void *unused, belay_value value) {
  trace("%d", int_of(value));
  if (sends_left-- > 0) CHECK_INT(send_to(target, 10 + sends_left), 0);
}

static void replay_grows_while_it_replays(void) {
  belay_source_options options = with(BELAY_REENTRANCY_DEPTH_FIRST);
  target = belay_subject_create_replay(NULL, -1, 2, &options);
  CHECK_INT(send_to(target, 1), 0);
  CHECK_INT(send_to(target, 2), 0);
  sends_left = 3;
  belay_observer observer = {.size = sizeof observer, .next = send_more};
  CHECK_INT(belay_signal_subscribe(target, &observer, NULL), 0);
  CHECK_TRACE("1 | 12 | 11 | 10 | 2");
  listen(target, "late");
  CHECK_TRACE("late next 11 | late next 10");
  belay_signal_release(target);
  trace_clear();
}

static void sleep_a_little(void) {
  belay_loop *loop = open_loop();
  belay_disposable *timer = NULL;
  CHECK_INT(
      belay_scheduler_after(belay_loop_get_scheduler(loop), 0.03, stop_loop, loop, NULL, &timer),
      0);
  belay_loop_run(loop, BELAY_RUN_DEFAULT);
  belay_disposable_release(timer);
  close_loop(loop);
}

static void replay_by_age(void) {
  belay_signal *young = belay_subject_create_replay(NULL, 1000, BELAY_UNLIMITED, NULL);
  belay_signal *old = belay_subject_create_replay(NULL, 0.02, BELAY_UNLIMITED, NULL);
  CHECK_INT(send_to(young, 1), 0);
  CHECK_INT(send_to(old, 2), 0);
  sleep_a_little();
  listen(young, "young");
  listen(old, "old");
  CHECK_TRACE("young next 1");
  CHECK_INT(belay_subject_completed(old), 0);
  trace_clear();
  listen(old, "");
  CHECK_TRACE("completed | disposed | free");
  belay_signal_release(old);
  belay_signal_release(young);
  trace_clear();
}

/* A value is kept while it is exactly as old as it may be, and dropped when it is older. */
static void replay_of_a_value_at_the_edge_of_its_age(void) {
  belay_scheduler *time_ = belay_scheduler_create_virtual();
  belay_signal *subject = belay_subject_create_replay(time_, 2, BELAY_UNLIMITED, NULL);
  CHECK_INT(send_to(subject, 1), 0);
  CHECK(belay_scheduler_advance(time_, 2) >= 0);
  end_subscription(watched(belay_signal_retain(subject), ""));
  CHECK_TRACE("next 1 | disposed | free");
  CHECK(belay_scheduler_advance(time_, 1e-9) >= 0);
  end_subscription(watched(belay_signal_retain(subject), ""));
  CHECK_TRACE("disposed | free");
  belay_signal_release(subject);
  belay_scheduler_release(time_);
}

/* The values that the policy "latest" drops are released. */
static void send_three_in_boxes(void *subject, belay_value value) {
  char text[80];
  render(value, text, sizeof text);
  trace("next %s", text);
  if (strcmp(text, "first") != 0) return;
  for (int i = 0; i < 3; i++)
    CHECK_INT(belay_subject_next(subject, belay_string(i < 2 ? "dropped" : "kept")), BELAY_QUEUED);
}
static void latest_gives_back_what_it_replaces(void) {
  belay_source_options options = {.size = sizeof options, .reentrancy = BELAY_REENTRANCY_LATEST};
  belay_signal *subject = belay_subject_create(&options);
  belay_observer observer = {
      .size = sizeof observer, .next = send_three_in_boxes, .ctx = subject};
  CHECK_INT(belay_signal_subscribe(subject, &observer, NULL), 0);
  size_t boxes = belay_live_count(BELAY_LIVE_VALUES);
  CHECK_INT(belay_subject_next(subject, belay_string("first")), 0);
  CHECK_TRACE("next first | next kept");
  CHECK_INT(belay_live_count(BELAY_LIVE_VALUES), boxes);
  belay_signal_release(subject);
}

static void replay_of_nonsense(void) {
  CHECK(belay_subject_create_replay(NULL, (double)NAN, 1, NULL) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
  CHECK(belay_subject_create_replay(NULL, -1, 0, NULL) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
}

/* ---- async ---- */

static void async_sends_the_last_value_at_completion(void) {
  belay_signal *subject = belay_subject_create_async(NULL);
  listen(subject, "a");
  listen(subject, "b");
  CHECK_INT(send_to(subject, 1), 0);
  CHECK_INT(belay_subject_next(subject, belay_string("the last one, a long string")), 0);
  CHECK_TRACE("");
  CHECK_INT(belay_subject_completed(subject), 0);
  CHECK_TRACE("a next the last one, a long string | b next the last one, a long string | "
              "a completed | a disposed | a free | b completed | b disposed | b free");
  listen(subject, "c");
  CHECK_TRACE("c next the last one, a long string | c completed | c disposed | c free");
  belay_signal_release(subject);
}

static void async_without_a_value_and_with_an_error(void) {
  belay_signal *subject = belay_subject_create_async(NULL);
  listen(subject, "");
  CHECK_INT(belay_subject_completed(subject), 0);
  CHECK_TRACE("completed | disposed | free");
  belay_signal_release(subject);
  subject = belay_subject_create_async(NULL);
  CHECK_INT(belay_subject_next(subject, belay_string("dropped with the error, so not leaked")), 0);
  listen(subject, "a");
  fail(subject);
  listen(subject, "b");
  CHECK_TRACE("a error ENOENT | a disposed | a free | b error ENOENT | b disposed | b free");
  belay_signal_release(subject);
}

int main(int argc, char **argv) {
  const test_case cases[] = {
      CASE(behavior_sends_its_value_to_each_newcomer),
      CASE(behavior_owns_its_value),
      CASE(value_of_other_signals),
      CASE(rule_1_2_a_behavior_answers_the_last_value_delivered),
      CASE(what_is_sent_from_inside_a_replay_reaches_the_newcomer),
      CASE(a_newcomer_inside_a_delivery_gets_it_once),
      CASE(released_from_inside_its_replay),
      CASE(taking_one_leaves),
      CASE(a_shared_behavior),
      CASE(a_shared_subject_has_no_loop),
      CASE(a_behavior_sent_into_from_elsewhere),
      CASE(replay_by_count),
      CASE(replay_of_everything_and_an_error),
      CASE(A3_53_a_replay_stops_when_disposed_midway),
      CASE(replay_forgets_what_is_too_much),
      CASE(replay_grows_while_it_replays),
      CASE(replay_by_age),
      CASE(replay_of_a_value_at_the_edge_of_its_age),
      CASE(latest_gives_back_what_it_replaces),
      CASE(replay_of_nonsense),
      CASE(async_sends_the_last_value_at_completion),
      CASE(async_without_a_value_and_with_an_error),
  };
  return RUN_CASES(cases);
}
