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

/* ---- a callback that runs the loop, or closes the handle ---- */

static void send_here(void *ctx) {
  (void)ctx;
  CHECK_INT(belay_subject_next(source, belay_int32(7)), 0);
}

static void run_in_turn(void *loop) {
  CHECK(belay_loop_run(loop, BELAY_RUN_DEFAULT) >= 0);
  trace("turn");
}
static void send_later(void *loop) {
  CHECK_INT(belay_scheduler_after(belay_loop_get_scheduler(loop), 0.002, send_here, NULL, NULL, NULL), 0);
  run_in_turn(loop);
}

static void a_wait_is_over_while_a_callback_runs_the_loop(void) {
  belay_loop *loop = open_loop();
  belay_value value;
  belay_signal *never = belay_signal_never();
  CHECK_INT(belay_loop_post(loop, run_in_turn, loop, NULL), 0);
  CHECK_FAILS(belay_signal_wait_first(never, loop, 0.002, NULL), BELAY_ETIMEDOUT);
  CHECK_TRACE("turn"); /* a post is delivered before a timer */
  source = belay_subject_create(NULL);
  CHECK_INT(belay_loop_post(loop, send_later, loop, NULL), 0);
  CHECK_INT(belay_signal_wait_first(source, loop, 3600, &value), 0);
  CHECK_INT(int_of(value), 7);
  CHECK_TRACE("turn");
  /* The next run is not stopped. */
  CHECK_INT(belay_loop_post(loop, trace_action, "later", NULL), 0);
  CHECK_INT(belay_loop_run(loop, BELAY_RUN_DEFAULT), 0);
  CHECK_TRACE("action later");
  belay_signal_release(source), belay_signal_release(never);
  close_loop(loop);
}

static void leave_loop(void *user) { CHECK_INT(belay_loop_close(user, NULL, NULL, NULL), 0); }

static void a_wait_ends_with_its_user(void) {
  belay_loop *loop = open_loop(), *user = belay_loop_create(&BELAY_INIT(belay_loop_options, .quiet = 1));
  belay_signal *never = belay_signal_never();
  belay_disposable *timer = NULL;
  CHECK_INT(belay_scheduler_every(belay_loop_get_scheduler(loop), 3600, 3600, 0, empty_action, NULL, NULL, &timer), 0);
  CHECK_INT(belay_loop_post(loop, leave_loop, user, NULL), 0);
  CHECK_FAILS(belay_signal_wait_first(never, user, 60, NULL), BELAY_ECANCELED);
  belay_disposable_dispose(timer), belay_disposable_release(timer);
  belay_signal_release(never);
  belay_loop_release(user);
  close_loop(loop);
}

static const test_case cases[] = {
    CASE(wait_for_values_that_are_there),
    CASE(wait_for_time_and_errors),
    CASE(wait_for_another_thread),
    CASE(a_wait_is_over_while_a_callback_runs_the_loop),
    CASE(a_wait_ends_with_its_user),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
