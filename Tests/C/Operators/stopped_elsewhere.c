/* Another thread disposes of a subscription while an operator's callback runs. What the operators
   still have to send in the same call does not come any more. */
#include "cases.h"

static belay_scheduler *time_;
static belay_signal *source, *other;
static belay_disposable *subscription;
/* The call during which the other thread disposes, and how many there have been. */
static int last_call, calls;
/* Called before the disposal. */
static void (*before)(void);

static void dispose_it(void *ignored) { belay_disposable_dispose(subscription); }

static belay_value called(void *ctx, belay_value value) {
  if (++calls == last_call) {
    if (before) before();
    in_thread(dispose_it, NULL);
  }
  return belay_value_retain(value);
}
static belay_value called_with_row(void *ctx, const belay_value *row, size_t count) {
  return called(ctx, row[0]);
}

/* Subscribes to `signal`, which calls `called`, and runs what `next` does. */
static void check_last(belay_signal *signal, void (*next)(void)) {
  belay_observer observer = tracing("");
  observer.next = NULL;
  observer.ctx_free = NULL;
  calls = 0;
  CHECK_INT(belay_signal_subscribe(signal, &observer, &subscription), 0);
  belay_signal_release(signal);
  if (next) next();
  CHECK_INT(calls, last_call);
  belay_disposable_release(subscription);
  CHECK_TRACE("disposed");
}
static void check_chain(belay_signal *signal, void (*next)(void)) {
  check_last(belay_signal_chain(signal, belay_op_map(called, NULL, NULL)), next);
}

static void ten_seconds_pass(void) { belay_scheduler_advance(time_, 10); }


static void values_that_have_been_kept(void) {
  time_ = belay_scheduler_create_virtual();
  last_call = 1;
  before = NULL;
  check_chain(numbers(1, 9), NULL);
  check_chain(belay_signal_chain(numbers(1, 9), belay_op_delay(time_, 1)), ten_seconds_pass);
  check_chain(belay_signal_chain(numbers(1, 9), belay_op_take_last(9)), NULL);
  check_chain(belay_signal_chain(numbers(1, 9), belay_op_take_last_for(time_, 5)), NULL);
  check_chain(belay_signal_chain(numbers(1, 9), belay_op_skip_last_for(time_, 0)), NULL);
  check_chain(belay_signal_chain(numbers(1, 9), belay_op_observe_on(time_, NULL)),
              ten_seconds_pass);
  belay_value values[] = {belay_int32(1), belay_int32(2), belay_int32(3)};
  check_chain(belay_signal_chain(belay_signal_empty(), belay_op_end_with(values, 3)), NULL);
  check_chain(belay_signal_chain(belay_signal_empty(), belay_op_start_with(values, 3)), NULL);
  belay_signal *replay = belay_subject_create_replay(NULL, -1, 9, NULL);
  for (int number = 1; number < 4; number++) send_int(replay, number);
  check_chain(replay, NULL);
  belay_scheduler_release(time_);
}

static belay_signal *just_one_more(void *ctx, belay_value value) {
  CHECK(calls < 100);
  return belay_signal_just(belay_value_retain(value));
}
static void an_expansion_without_end(void) {
  last_call = 5;
  before = NULL;
  check_chain(belay_signal_chain(belay_signal_just(belay_int32(1)),
                                 belay_op_expand(BELAY_UNLIMITED, just_one_more, NULL, NULL)),
              NULL);
}

static void send_to_both(void) {
  for (int number = 2; number < 5; number++) {
    send_to(source, number);
    send_to(other, number);
  }
}
static void send_one(void) {
  send_to(other, 0);
  send_to(source, 1);
}
static void open_both(void (*inside)(void)) {
  belay_source_options options = {.size = sizeof options, .reentrancy = BELAY_REENTRANCY_DEPTH_FIRST};
  source = belay_subject_create(&options);
  other = belay_subject_create(&options);
  before = inside;
}
static void close_both(void) {
  belay_signal_release(source);
  belay_signal_release(other);
}

static void what_waits_where_inputs_meet(void) {
  open_both(send_to_both);
  last_call = 2;
  belay_signal *both[] = {also(source), also(other)};
  check_chain(belay_signal_merge(both, 2), send_one);
  last_call = 1;
  both[0] = also(source);
  both[1] = also(other);
  check_last(belay_signal_combine_latest(both, 2, called_with_row, NULL, NULL), send_one);
  close_both();
}

static void send_four(void) {
  for (int number = 1; number < 5; number++) send_to(source, number);
}
static void windows_of_a_time(void) {
  time_ = belay_scheduler_create_virtual();
  open_both(send_four);
  last_call = 2;
  check_chain(belay_signal_chain(also(source), belay_op_window_time(time_, 1, 2)), send_four);
  close_both();
  belay_scheduler_release(time_);
}

int main(int argc, char **argv) {
  const test_case cases[] = {
      CASE(values_that_have_been_kept),
      CASE(an_expansion_without_end),
      CASE(what_waits_where_inputs_meet),
      CASE(windows_of_a_time),
  };
  return RUN_CASES(cases);
}
