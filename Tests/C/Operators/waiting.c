/* Waiting for the first or the last value of a signal, while a loop runs. */
#include "cases.h"

static belay_signal *source;

static void wait_for_values_that_are_there(void) {
  belay_loop *loop = open_loop();
  belay_value value;
  belay_signal *three = numbers(1, 3), *none = belay_signal_empty();
  CHECK_INT(belay_signal_wait_first(three, loop, 1, &value), 0);
  CHECK_INT(int_of(value), 1);
  CHECK_INT(belay_signal_wait_last(three, loop, 1, &value), 0);
  CHECK_INT(int_of(value), 3);
  CHECK_INT(belay_signal_wait_last(three, loop, -1, NULL), 0);
  CHECK_FAILS(belay_signal_wait_first(none, loop, 1, &value), BELAY_EENDED);
  CHECK_INT(belay_value_kind(value), BELAY_KIND_NULL);
  belay_signal_release(three);
  belay_signal_release(none);
  close_loop(loop);
}

static void wait_for_time_and_errors(void) {
  belay_loop *loop = open_loop();
  belay_value value;
  belay_signal *never = belay_signal_never();
  belay_signal *ticks = belay_signal_chain(
      belay_signal_interval(belay_loop_get_scheduler(loop), 0.001), belay_op_take(3));
  CHECK_INT(belay_signal_wait_last(ticks, loop, 60, &value), 0);
  CHECK_INT(belay_signal_wait_first(ticks, loop, -1, NULL), 0);
  CHECK_FAILS(belay_signal_wait_first(never, loop, 0.002, &value), BELAY_ETIMEDOUT);
  source = belay_subject_create(NULL);
  fail_subject(source, BELAY_ENOENT, "gone");
  CHECK_FAILS(belay_signal_wait_first(source, loop, 1, &value), BELAY_ENOENT);
  CHECK_FAILS(belay_signal_wait_first(NULL, loop, 1, &value), BELAY_EINVAL);
  CHECK_FAILS(belay_signal_wait_first(source, NULL, 1, &value), BELAY_EINVAL);
  CHECK_INT(belay_loop_post(loop, stop_loop, loop, NULL), 0);
  CHECK_FAILS(belay_signal_wait_first(never, loop, 60, &value), BELAY_ECANCELED);
  belay_signal_release(source);
  belay_signal_release(never);
  belay_signal_release(ticks);
  close_loop(loop);
}

static void send_text(void *subject) {
  CHECK_INT(belay_subject_next(subject, belay_string("from another thread, not short")),
            BELAY_QUEUED);
}

static void wait_for_another_thread(void) {
  belay_loop *loop = open_loop();
  source = belay_subject_create_replay(NULL, -1, 1, NULL);
  routine sender;
  start_thread(&sender, send_text, source);
  belay_value value;
  CHECK_INT(belay_signal_wait_first(source, loop, 60, &value), 0);
  CHECK_INT(belay_value_kind(value), BELAY_KIND_STRING);
  belay_value_release(value);
  join_thread(&sender);
  CHECK_INT(belay_subject_count(source), 0);
  belay_signal_release(source);
  close_loop(loop);
}

static const test_case cases[] = {
    CASE(wait_for_values_that_are_there),
    CASE(wait_for_time_and_errors),
    CASE(wait_for_another_thread),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
