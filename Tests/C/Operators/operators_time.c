/* Timers, intervals, buffers by time, and operators that wait for a time, on a real loop: order and
   counts, never times. */
#include "scheduled.h"

#include <math.h>

/* ---- timer ---- */

static void timer_sends_once(void) {
  open_scheduler();
  watch(belay_signal_timer(scheduler, 0.001), "");
  CHECK_TRACE("");
  CHECK_INT(belay_loop_alive(loop), 1);
  run_to_end(loop);
  CHECK_TRACE("next 0 | completed | disposed | free");
  close_loop(loop);
}

static void timer_for_each_subscription(void) {
  open_scheduler();
  belay_signal *timer = belay_signal_timer(scheduler, 0.001);
  watch(belay_signal_retain(timer), "1");
  watch(belay_signal_retain(timer), "2");
  run_to_end(loop);
  CHECK_TRACE("1 next 0 | 1 completed | 1 disposed | 1 free | "
              "2 next 0 | 2 completed | 2 disposed | 2 free");
  watch(timer, "3");
  run_to_end(loop);
  CHECK_TRACE("3 next 0 | 3 completed | 3 disposed | 3 free");
  close_loop(loop);
}

static void watch_three(void) {
  watch(belay_signal_timer(scheduler, 0.006), "late");
  watch(belay_signal_timer(scheduler, 0.002), "early");
  watch(belay_signal_timer(scheduler, -1), "at once");
  CHECK_TRACE("");
}

static void timers_in_the_order_of_their_deadlines(void) {
  open_scheduler();
  arm_at_once(loop, watch_three);
  run_to_end(loop);
  CHECK_TRACE("at once next 0 | at once completed | at once disposed | at once free | "
              "early next 0 | early completed | early disposed | early free | "
              "late next 0 | late completed | late disposed | late free");
  close_loop(loop);
}

static void timer_disposed(void) {
  open_scheduler();
  end_subscription(watched(belay_signal_timer(scheduler, 0), ""));
  CHECK_TRACE("disposed | free");
  CHECK_INT(belay_loop_alive(loop), 0);
  run_to_end(loop);
  CHECK_TRACE("");
  close_loop(loop);
}

static void timer_without_a_clock(void) {
  belay_observer observer = tracing("");
  belay_signal *timer = belay_signal_timer(belay_scheduler_trampoline(), 1);
  /* The call refuses it, or an error event does. */
  int code = belay_signal_subscribe(timer, &observer, NULL);
  CHECK(code < 0 || strstr(trace_text(), "error EINVAL | disposed | free") != NULL);
  CHECK(strstr(trace_text(), "free") != NULL);
  belay_signal_release(timer);
}

static void bad_times(void) {
  open_scheduler();
  double bad[] = {0, -1, NAN};
  for (int i = 0; i < 3; i++) {
    CHECK(belay_signal_interval(scheduler, bad[i]) == NULL);
    CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
  }
  CHECK(belay_signal_timer(scheduler, NAN) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
  CHECK(belay_signal_timer(NULL, 1) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
  CHECK(belay_signal_interval(NULL, 1) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
  CHECK(belay_op_buffer_time(scheduler, NAN, BELAY_UNLIMITED) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
  /* A time beyond any clock never comes. */
  double far[] = {INFINITY, 1e300};
  for (int i = 0; i < 2; i++) {
    end_subscription(watched(belay_signal_timer(scheduler, far[i]), ""));
    end_subscription(watched(belay_signal_interval(scheduler, far[i]), ""));
    end_subscription(watched(
        belay_signal_chain(belay_signal_never(), belay_op_buffer_time(scheduler, far[i], SIZE_MAX)),
        ""));
  }
  CHECK(strstr(trace_text(), "next") == NULL);
  run_to_end(loop);
  close_loop(loop);
}

/* ---- interval ---- */

static void interval_counts(void) {
  open_scheduler();
  watch(belay_signal_chain(belay_signal_interval(scheduler, 0.001), belay_op_take(4)), "");
  run_to_end(loop);
  CHECK_TRACE("next 0 | next 1 | next 2 | next 3 | completed | disposed | free");
  close_loop(loop);
}

static belay_disposable *subscription;

static void dispose_at_two(void *ctx, belay_value value) {
  uint64_t number = 9;
  CHECK_INT(belay_value_kind(value), BELAY_KIND_UINT64);
  CHECK_INT(belay_value_get_uint64(value, &number), 0);
  trace("next %d", (int)number);
  if (number == 2) belay_disposable_dispose(subscription);
}

static void interval_disposed_inside_next(void) {
  open_scheduler();
  belay_observer observer = tracing("");
  observer.next = dispose_at_two;
  belay_signal *interval = belay_signal_interval(scheduler, 0.001);
  CHECK_INT(belay_signal_subscribe(interval, &observer, &subscription), 0);
  belay_signal_release(interval);
  run_to_end(loop);
  CHECK_TRACE("next 0 | next 1 | next 2 | disposed | free");
  belay_disposable_release(subscription);
  close_loop(loop);
}

static void watch_two_intervals(void *ctx) {
  belay_signal *both[] = {belay_signal_interval(scheduler, 0.003),
                          belay_signal_interval(scheduler, 0.003)};
  watch(belay_signal_chain(belay_signal_merge(both, 2), belay_op_take(6)), "");
}

static void intervals_side_by_side(void) {
  open_scheduler();
  /* Both are subscribed to in one turn, so that they begin at one time. */
  CHECK_INT(belay_scheduler_schedule(scheduler, watch_two_intervals, NULL, NULL, NULL), 0);
  run_to_end(loop);
  CHECK_TRACE("next 0 | next 0 | next 1 | next 1 | next 2 | next 2 | completed | disposed | free");
  close_loop(loop);
}

/* ---- buffer_time ---- */

static belay_signal *subject;

static void send(const char *text) {
  CHECK_INT(belay_subject_next(subject, belay_string(text)), 0);
}

static void buffer_by_time(void) {
  open_scheduler();
  subject = belay_subject_create(NULL);
  watch(
      belay_signal_chain(belay_signal_retain(subject),
                         belay_op_buffer_time(scheduler, 0.003, BELAY_UNLIMITED), belay_op_take(2)),
      "");
  send("a");
  send("b");
  CHECK_TRACE("");
  run_to_end(loop);
  CHECK_TRACE("next [a b] | next [] | completed | disposed | free");
  CHECK_INT(belay_subject_count(subject), 0);
  belay_signal_release(subject);
  close_loop(loop);
}

static void buffer_by_time_and_count(void) {
  open_scheduler();
  subject = belay_subject_create(NULL);
  watch(belay_signal_chain(belay_signal_retain(subject), belay_op_buffer_time(scheduler, 0.003, 2),
                           belay_op_take(3)),
        "");
  send("a");
  CHECK_TRACE("");
  send("b");
  CHECK_TRACE("next [a b]");
  send("c");
  run_to_end(loop);
  CHECK_TRACE("next [c] | next [] | completed | disposed | free");
  belay_signal_release(subject);
  close_loop(loop);
}

static void fill(void *ctx) {
  send("a");
  send("b");
}

static void a_full_buffer_starts_the_time_anew(void) {
  open_scheduler();
  subject = belay_subject_create(NULL);
  watch(belay_signal_chain(belay_signal_retain(subject), belay_op_buffer_time(scheduler, 0.1, 2),
                           belay_op_take(2)),
        "");
  CHECK_INT(belay_scheduler_after(scheduler, 0.06, fill, NULL, NULL, NULL), 0);
  /* This lies between the end of the first span and the end of the second. */
  CHECK_INT(belay_scheduler_after(scheduler, 0.11, trace_action, "mark", NULL, NULL), 0);
  run_to_end(loop);
  CHECK_TRACE("next [a b] | action mark | next [] | completed | disposed | free");
  belay_signal_release(subject);
  close_loop(loop);
}

static void buffer_by_time_sends_the_rest_before_the_end(void) {
  open_scheduler();
  subject = belay_subject_create(NULL);
  watch(belay_signal_chain(belay_signal_retain(subject),
                           belay_op_buffer_time(scheduler, 1000, BELAY_UNLIMITED)),
        "");
  send("a");
  CHECK_INT(belay_subject_completed(subject), 0);
  CHECK_TRACE("next [a] | completed | disposed | free");
  run_to_end(loop);
  belay_signal_release(subject);
  close_loop(loop);
}

static void buffer_by_time_drops_the_rest_on_an_error(void) {
  open_scheduler();
  subject = belay_subject_create(NULL);
  watch(belay_signal_chain(belay_signal_retain(subject),
                           belay_op_buffer_time(scheduler, 1000, BELAY_UNLIMITED)),
        "");
  send("a");
  fail_subject(subject, BELAY_ENOENT, NULL);
  CHECK_TRACE("error ENOENT | disposed | free");
  run_to_end(loop);
  belay_signal_release(subject);
  close_loop(loop);
}

static void buffer_by_time_is_let_go_of(void) {
  open_scheduler();
  subject = belay_subject_create(NULL);
  subscription = watched(belay_signal_chain(belay_signal_retain(subject),
                                            belay_op_buffer_time(scheduler, 0.001, 9)),
                         "");
  send("a");
  end_subscription(subscription);
  CHECK_TRACE("disposed | free");
  watch(belay_signal_chain(belay_signal_retain(subject), belay_op_buffer_time(scheduler, 1, 9)),
        "");
  send("b");
  belay_signal_release(subject);
  CHECK_TRACE("disposed | free");
  run_to_end(loop);
  CHECK_TRACE("");
  close_loop(loop);
}

static int arrays;
static void dispose_at_second(void *ctx, belay_value value) {
  render_next(ctx, value);
  if (++arrays == 2) belay_disposable_dispose(subscription);
}

static void buffer_by_time_disposed_inside_next(void) {
  open_scheduler();
  arrays = 0;
  subject = belay_subject_create(NULL);
  belay_observer observer = tracing("");
  observer.next = dispose_at_second;
  belay_signal *buffered =
      belay_signal_chain(belay_signal_retain(subject), belay_op_buffer_time(scheduler, 0.002, 2));
  CHECK_INT(belay_signal_subscribe(buffered, &observer, &subscription), 0);
  belay_signal_release(buffered);
  send("a");
  run_to_end(loop);
  CHECK_TRACE("next [a] | next [] | disposed | free");
  belay_disposable_release(subscription);
  belay_signal_release(subject);
  close_loop(loop);
}

/* ---- homes ---- */

static pthread_t loop_thread;

static belay_value at_home(void *ctx, belay_value value) {
  CHECK(pthread_equal(pthread_self(), loop_thread));
  CHECK(belay_loop_current() == loop);
  return belay_value_retain(value);
}

static void next_at_home(void *ctx, belay_value value) {
  belay_value_release(at_home(ctx, value));
  render_next(ctx, value);
}

static void action_at_home(void *ctx) {
  CHECK(pthread_equal(pthread_self(), loop_thread));
}

static void send_from_a_thread(void *ctx) {
  CHECK_INT(belay_subject_next(subject, belay_string("a")), BELAY_QUEUED);
  CHECK_INT(belay_subject_next(subject, belay_string("b")), BELAY_QUEUED);
  CHECK_INT(belay_subject_completed(subject), BELAY_QUEUED);
}

static void rule_1_2_operators_run_at_home(void) {
  open_scheduler();
  loop_thread = pthread_self();
  subject = belay_subject_create(NULL);
  watch(belay_signal_chain(belay_signal_retain(subject), belay_op_map(at_home, NULL, NULL),
                           belay_op_buffer_time(scheduler, 1000, 2),
                           belay_op_map(at_home, NULL, NULL)),
        "");
  in_thread(send_from_a_thread, NULL);
  CHECK_TRACE("");
  run_to_end(loop);
  CHECK_TRACE("next [a b] | next [] | completed | disposed | free");
  belay_signal_release(subject);
  close_loop(loop);
}

static void subscribe_from_a_thread(void *ctx) {
  belay_observer observer = tracing("");
  observer.next = next_at_home;
  observer.completed = action_at_home;
  observer.ctx_free = action_at_home;
  observer.ctx = "";
  observer.loop = loop;
  belay_disposable *handle = NULL;
  belay_signal *timers = belay_signal_chain(belay_signal_interval(scheduler, 0.001),
                                            belay_op_map(at_home, NULL, NULL), belay_op_take(2));
  CHECK_INT(belay_signal_subscribe(timers, &observer, &handle), 0);
  CHECK(handle != NULL);
  belay_disposable_release(handle);
  belay_signal_release(timers);
}

static void rule_1_2_subscribed_away_from_home(void) {
  open_scheduler();
  loop_thread = pthread_self();
  in_thread(subscribe_from_a_thread, NULL);
  CHECK_TRACE("");
  run_to_end(loop);
  CHECK_TRACE("next 0 | next 1 | disposed");
  close_loop(loop);
}

static void dispose_at_once(void *ctx) {
  belay_observer observer = tracing("");
  observer.loop = loop;
  belay_disposable *handle = NULL;
  belay_signal *interval = belay_signal_interval(scheduler, 0.001);
  CHECK_INT(belay_signal_subscribe(interval, &observer, &handle), 0);
  end_subscription(handle);
  belay_signal_release(interval);
}

static void A3_09_disposed_before_it_starts_elsewhere(void) {
  open_scheduler();
  in_thread(dispose_at_once, NULL);
  run_to_end(loop);
  CHECK_TRACE("disposed | free");
  close_loop(loop);
}

/* ---- operators that wait for a time ---- */

static void on_a_loop(void) {
  belay_loop *loop = open_loop();
  belay_scheduler *scheduler = belay_loop_get_scheduler(loop);
  belay_signal *subject = belay_subject_create(NULL);
  watch(belay_signal_chain(belay_signal_retain(subject), belay_op_debounce(scheduler, 0.001),
                           belay_op_take(1)),
        "debounced");
  for (int i = 0; i < 100; i++) belay_subject_next(subject, belay_int32(i));
  run_to_end(loop);
  CHECK_TRACE("debounced next 99 | debounced completed | debounced disposed | debounced free");
  watch(belay_signal_chain(belay_signal_never(), belay_op_timeout(scheduler, 0.001, NULL)), "");
  run_to_end(loop);
  CHECK_TRACE("error ETIMEDOUT | disposed | free");
  watch(belay_signal_chain(numbers(1, 3), belay_op_delay(scheduler, 0.001)), "delayed");
  run_to_end(loop);
  CHECK_TRACE("delayed next 1 | delayed next 2 | delayed next 3 | delayed completed | "
              "delayed disposed | delayed free");
  watch(belay_signal_chain(numbers(1, 2), belay_op_observe_on(scheduler, NULL),
                           belay_op_subscribe_on(scheduler)),
        "");
  CHECK_TRACE("");
  for (int i = 0; i < 4; i++) belay_loop_run(loop, BELAY_RUN_NOWAIT);
  CHECK_TRACE("next 1 | next 2 | completed | disposed | free");
  belay_signal_release(subject);
  close_loop(loop);
}

/* ---- what waits for a time, its source gone ---- */

static void tell_kinds(void *ctx, const belay_open_resource *const *left, size_t count) {
  for (size_t i = 0; i < count; i++) trace("%s", belay_open_resource_kind(left[i]));
}
static void close_while_waiting(int turns, belay_signal *(*make)(belay_scheduler *)) {
  belay_loop *loop = open_loop();
  watch(make(belay_loop_get_scheduler(loop)), "");
  for (int i = 0; i < turns; i++) belay_loop_run(loop, BELAY_RUN_NOWAIT);
  CHECK_TRACE("");
  CHECK_INT(belay_loop_close(loop, tell_kinds, NULL, NULL), 0);
  CHECK_TRACE("disposed | free | timer");
  belay_loop_release(loop);
}
static belay_signal *delayed(belay_scheduler *at) {
  return belay_signal_chain(belay_signal_just(belay_int32(1)), belay_op_delay(at, 3600));
}
static belay_signal *begun_late(belay_scheduler *at) {
  return belay_signal_chain(belay_signal_just(belay_int32(1)),
                            belay_op_delay_subscription(at, 3600));
}
static belay_signal *audited(belay_scheduler *at) {
  return belay_signal_chain(belay_signal_just(belay_int32(1)), belay_op_audit(at, 3600));
}
static belay_signal *tried_again(belay_scheduler *at) {
  return belay_signal_chain(failing_with(BELAY_EBUSY, NULL),
                            belay_op_retry_backoff(at, 3600, 2, 3600, 0, 5, 0));
}
static void what_only_waits_for_a_time_ends_with_its_loop(void) {
  for (int turns = 0; turns < 2; turns++) {
    close_while_waiting(turns, delayed);
    close_while_waiting(turns, begun_late);
    close_while_waiting(turns, audited);
    close_while_waiting(turns, tried_again);
  }
}

/* ---- after the last value ---- */

static belay_loop *loop_of_test;
static void tell_whether_it_waits(void *ctx, belay_value value) {
  render_next(ctx, value);
  if (int_of(value) == 2) trace("%s", belay_loop_alive(loop_of_test) ? "alive" : "idle");
}
static void after_the_last_value_nothing_is_waited_for(void) {
  for (int which = 0; which < 4; which++) {
    loop_of_test = open_loop();
    belay_scheduler *at = belay_loop_get_scheduler(loop_of_test);
    belay_op *op = which == 0   ? belay_op_throttle(at, 0.001, 0, 1)
                   : which == 1 ? belay_op_throttle(at, 0.001, 1, 1)
                   : which == 2 ? belay_op_audit(at, 0.001)
                                : belay_op_delay(at, 0.001);
    belay_observer observer = rendering("");
    observer.next = tell_whether_it_waits;
    belay_signal *signal = belay_signal_chain(numbers(1, 2), op);
    CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
    belay_signal_release(signal);
    run_to_end(loop_of_test);
    CHECK_TRACE(which % 2 ? "next 1 | next 2 | idle | completed | disposed | free"
                          : "next 2 | idle | completed | disposed | free");
    close_loop(loop_of_test);
  }
}

static const test_case cases[] = {
    CASE(timer_sends_once),
    CASE(timer_for_each_subscription),
    CASE(timers_in_the_order_of_their_deadlines),
    CASE(timer_disposed),
    CASE(timer_without_a_clock),
    CASE(bad_times),
    CASE(interval_counts),
    CASE(interval_disposed_inside_next),
    CASE(intervals_side_by_side),
    CASE(buffer_by_time),
    CASE(buffer_by_time_and_count),
    CASE(a_full_buffer_starts_the_time_anew),
    CASE(buffer_by_time_sends_the_rest_before_the_end),
    CASE(buffer_by_time_drops_the_rest_on_an_error),
    CASE(buffer_by_time_is_let_go_of),
    CASE(buffer_by_time_disposed_inside_next),
    CASE(rule_1_2_operators_run_at_home),
    CASE(rule_1_2_subscribed_away_from_home),
    CASE(A3_09_disposed_before_it_starts_elsewhere),
    CASE(on_a_loop),
    CASE(what_only_waits_for_a_time_ends_with_its_loop),
    CASE(after_the_last_value_nothing_is_waited_for),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
