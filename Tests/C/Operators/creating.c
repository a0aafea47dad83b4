/* Constructors of signals: what marbles cannot show. */
#include "cases.h"

static void add_up(void *ctx, belay_value value) {
  int64_t number = 0;
  CHECK_INT(belay_value_get_int64(value, &number), 0);
  *(int64_t *)ctx += number;
}

static int64_t total_of(belay_signal *signal) {
  int64_t total = 0;
  belay_observer observer = {.size = sizeof observer, .next = add_up, .ctx = &total};
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  belay_signal_release(signal);
  return total;
}

/* ---- defer ---- */

static belay_signal *next_number(void *ctx) { return numbers(++*(int *)ctx, 1); }
static belay_signal *cannot(void *ctx) {
  belay_fail(BELAY_ERANGE, "no signal");
  return NULL;
}
static belay_signal *nothing(void *ctx) { return NULL; }

static void defer_makes_one_for_each_subscription(void) {
  int made = 0;
  belay_signal *signal = belay_signal_defer(next_number, &made, NULL);
  watch(belay_signal_retain(signal), "");
  watch(signal, "");
  CHECK_TRACE("next 1 | completed | disposed | free | next 2 | completed | disposed | free");
}

static void defer_fails(void) {
  int freed = 0;
  watch_errors(belay_signal_defer(cannot, &freed, count_free));
  CHECK_TRACE("error ERANGE: no signal | disposed | free");
  watch(belay_signal_defer(nothing, &freed, count_free), "");
  CHECK_TRACE("error EINVAL | disposed | free");
  CHECK(belay_signal_defer(NULL, &freed, count_free) == NULL);
  check_last_error(BELAY_EINVAL);
  CHECK_INT(freed, 3);
}

static belay_signal *subject_once(void *ctx) { return belay_subject_create(NULL); }

static void defer_keeps_no_subject(void) {
  watch(belay_signal_defer(subject_once, NULL, NULL), "");
  CHECK_TRACE("disposed | free");
}

/* ---- range ---- */

static void range_values(void) {
  watch(belay_signal_range(-1, 3), "");
  CHECK_TRACE("next -1 | next 0 | next 1 | completed | disposed | free");
  watch(belay_signal_range(5, 0), "");
  CHECK_TRACE("completed | disposed | free");
}

static void range_to_the_edges(void) {
  watch(belay_signal_range(INT64_MAX, 1), "");
  CHECK_TRACE("next 9223372036854775807 | completed | disposed | free");
  watch(belay_signal_chain(belay_signal_range(INT64_MIN, UINT64_MAX), belay_op_take(1)), "");
  CHECK_TRACE("next -9223372036854775808 | completed | disposed | free");
  CHECK(belay_signal_range(INT64_MAX, 2) == NULL);
  check_last_error(BELAY_ERANGE);
  CHECK(belay_signal_range(1, UINT64_MAX) == NULL);
  check_last_error(BELAY_ERANGE);
}

static void range_of_a_million(void) {
  CHECK_INT(total_of(belay_signal_range(1, 1000000)), 500000500000);
}

/* ---- generate ---- */

static int is_below_hundred(void *ctx, belay_value state) { return int_of(state) < 100; }
static belay_value as_text(void *ctx, belay_value state) {
  char text[40];
  snprintf(text, sizeof text, "<%d>", int_of(state));
  return belay_string(text);
}
static belay_value longer(void *ctx, belay_value state) {
  belay_view view;
  char text[40];
  CHECK_INT(belay_value_get_string(state, &view), 0);
  snprintf(text, sizeof text, "%sx", view.data);
  return view.size == 3 ? belay_value_failure(BELAY_ERANGE, "long enough") : belay_string(text);
}

static void generate_values(void) {
  watch(belay_signal_generate(belay_int32(30), is_below_hundred, twice_of, as_text, NULL, NULL),
        "");
  CHECK_TRACE("next <30> | next <60> | completed | disposed | free");
  watch(belay_signal_chain(belay_signal_generate(belay_int32(1), NULL, twice_of, NULL, NULL, NULL),
                           belay_op_take(3)),
        "");
  CHECK_TRACE("next 1 | next 2 | next 4 | completed | disposed | free");
}

static void generate_boxed_states(void) {
  belay_signal *signal =
      belay_signal_generate(belay_string("x"), NULL, longer, NULL, NULL, NULL);
  watch_errors(belay_signal_retain(signal));
  watch_errors(signal);
  CHECK_TRACE("next x | next xx | next xxx | error ERANGE: long enough | disposed | free | "
              "next x | next xx | next xxx | error ERANGE: long enough | disposed | free");
}

static void generate_without_next(void) {
  int freed = 0;
  CHECK(belay_signal_generate(belay_string("x"), NULL, NULL, NULL, &freed, count_free) == NULL);
  check_last_error(BELAY_EINVAL);
  CHECK_INT(freed, 1);
}

/* ---- an iterator ---- */

static int count_to_three(void *ctx, belay_value *out) {
  int *count = ctx;
  trace("asked");
  if (*count == 3) return 0;
  *out = belay_string((char[]){(char)('a' + (*count)++), 0});
  return 1;
}
static int fails_at_once(void *ctx, belay_value *out) { return belay_fail(BELAY_EBUSY, "later"); }

static void iterator_is_called_while_somebody_listens(void) {
  int count = 0;
  belay_signal *signal = belay_signal_from_iterator(count_to_three, &count, NULL);
  watch(belay_signal_chain(belay_signal_retain(signal), belay_op_take(1)), "");
  CHECK_TRACE("asked | next a | completed | disposed | free");
  watch(signal, "");
  CHECK_TRACE("asked | next b | asked | next c | asked | completed | disposed | free");
}

static void iterator_fails(void) {
  int freed = 0;
  watch_errors(belay_signal_from_iterator(fails_at_once, &freed, count_free));
  CHECK_TRACE("error EBUSY: later | disposed | free");
  CHECK(belay_signal_from_iterator(NULL, &freed, count_free) == NULL);
  check_last_error(BELAY_EINVAL);
  CHECK_INT(freed, 2);
}

static int dispose_while_asked(void *ctx, belay_value *out) {
  belay_disposable_dispose(*(belay_disposable **)ctx);
  *out = belay_string("never seen");
  return 1;
}

static void iterator_that_disposes(void) {
  belay_disposable *subscription = NULL;
  belay_observer observer = rendering("");
  belay_signal *signal = belay_signal_from_iterator(dispose_while_asked, &subscription, NULL);
  CHECK_INT(belay_signal_subscribe(signal, &observer, &subscription), 0);
  CHECK_TRACE("disposed | free");
  belay_signal_release(signal);
  belay_disposable_release(subscription);
}

/* ---- a result, a value repeated ---- */

static void result_is_a_value_or_an_error(void) {
  watch(belay_signal_from_result(belay_string("x")), "");
  CHECK_TRACE("next x | completed | disposed | free");
  watch(belay_signal_from_optional(belay_string("x")), "");
  CHECK_TRACE("next x | completed | disposed | free");
  watch(belay_signal_from_optional(belay_null()), "");
  CHECK_TRACE("completed | disposed | free");
  watch_errors(belay_signal_from_result(belay_value_failure(BELAY_ERANGE, "bad")));
  CHECK_TRACE("error ERANGE: bad | disposed | free");
}

static void stop_at_three(void *ctx, belay_value value) {
  static int count;
  render_next("", value);
  if (++count == 3) belay_disposable_dispose(*(belay_disposable **)ctx);
}

static void repeat_until_disposed(void) {
  belay_disposable *subscription = NULL;
  belay_observer observer = {.size = sizeof observer, .next = stop_at_three, .ctx = &subscription};
  belay_signal *signal = belay_signal_repeat_value(belay_string("x"), BELAY_UNLIMITED);
  CHECK_INT(belay_signal_subscribe(signal, &observer, &subscription), 0);
  CHECK_TRACE("next x | next x | next x");
  belay_signal_release(signal);
  belay_disposable_release(subscription);
}

typedef struct endless {
  belay_disposable *subscription;
  int count;
} endless;

static void dispose_elsewhere(void *argument) {
  belay_disposable_dispose(((endless *)argument)->subscription);
}

static void hand_over_at_ten(void *ctx, belay_value value) {
  endless *it = ctx;
  if (++it->count == 10) in_thread(dispose_elsewhere, it);
}

static void repeat_disposed_by_another_thread(void) {
  endless it = {NULL, 0};
  belay_observer observer = {.size = sizeof observer, .next = hand_over_at_ten, .ctx = &it};
  belay_signal *signal = belay_signal_repeat_value(belay_int32(1), BELAY_UNLIMITED);
  CHECK_INT(belay_signal_subscribe(signal, &observer, &it.subscription), 0);
  CHECK_INT(it.count, 10);
  belay_signal_release(signal);
  belay_disposable_release(it.subscription);
}

static void repeat_a_million(void) {
  CHECK_INT(total_of(belay_signal_repeat_value(belay_int32(1), 1000000)), 1000000);
}

/* ---- using ---- */

static belay_disposable *open_it(void *ctx, void **resource) {
  *resource = "file";
  trace("open");
  return belay_disposable_create(trace_action, "close", NULL);
}
static belay_signal *read_it(void *ctx, void *resource) {
  return belay_signal_just(belay_string(resource));
}
static belay_signal *wait_for_it(void *ctx, void *resource) { return belay_signal_never(); }
static belay_disposable *cannot_open(void *ctx, void **resource) {
  belay_fail(BELAY_ENOENT, "no file");
  return NULL;
}
static belay_signal *cannot_read(void *ctx, void *resource) { return cannot(ctx); }

static void using_ends_the_resource_with_the_subscription(void) {
  belay_signal *signal = belay_signal_using(open_it, read_it, NULL, NULL);
  watch(belay_signal_retain(signal), "");
  CHECK_TRACE("open | next file | completed | disposed | action close | free");
  watch(belay_signal_chain(signal, belay_op_take(0)), "");
  CHECK_TRACE("completed | disposed | free");
  end_subscription(watched(belay_signal_using(open_it, wait_for_it, NULL, NULL), ""));
  CHECK_TRACE("open | action close | disposed | free");
}

static belay_signal *end_with_it(void *ctx, void *resource) {
  belay_disposable_dispose(ctx);
  trace("uses %s", (const char *)resource);
  return belay_signal_never();
}
static belay_signal *open_for(void *ctx, belay_value value) {
  return belay_signal_using(open_it, end_with_it, ctx, NULL);
}
/* The callback may end the subscription whose resource it uses. */
static void using_keeps_the_resource_while_it_is_used(void) {
  belay_signal *subject = belay_subject_create(NULL);
  belay_disposable *serial = belay_serial_create();
  belay_op *open = belay_op_flat_map(BELAY_UNLIMITED, open_for, serial, NULL);
  belay_signal *opened = belay_signal_chain(also(subject), open);
  belay_disposable *subscription = watched(opened, "");
  CHECK_INT(belay_serial_set(serial, subscription), 0);
  CHECK_INT(belay_subject_next(subject, belay_null()), 0);
  CHECK_TRACE("open | disposed | uses file | action close | free");
  belay_disposable_release(subscription);
  belay_disposable_release(serial);
  belay_signal_release(subject);
}

static void using_fails(void) {
  int freed = 0;
  watch_errors(belay_signal_using(cannot_open, read_it, &freed, count_free));
  CHECK_TRACE("error ENOENT: no file | disposed | free");
  watch_errors(belay_signal_using(open_it, cannot_read, &freed, count_free));
  CHECK_TRACE("open | error ERANGE: no signal | disposed | action close | free");
  CHECK(belay_signal_using(NULL, read_it, &freed, count_free) == NULL);
  check_last_error(BELAY_EINVAL);
  CHECK(belay_signal_using(open_it, NULL, &freed, count_free) == NULL);
  check_last_error(BELAY_EINVAL);
  CHECK_INT(freed, 4);
}

/* ---- start ---- */

static belay_value answer(void *ctx) {
  trace("work");
  return belay_string("answer");
}
static belay_value no_answer(void *ctx) { return belay_value_failure(BELAY_EBUSY, "none"); }

static void start_at_a_loops_turn(void) {
  belay_loop *loop = open_loop();
  belay_signal *signal = belay_signal_start(belay_loop_get_scheduler(loop), answer, NULL, NULL);
  watch(belay_signal_retain(signal), "");
  end_subscription(watched(signal, "two"));
  CHECK_TRACE("two disposed | two free");
  run_to_end(loop);
  CHECK_TRACE("work | next answer | completed | disposed | free");
  close_loop(loop);
}

static void start_at_once(void) {
  int freed = 0;
  watch_errors(belay_signal_start(belay_scheduler_immediate(), no_answer, &freed, count_free));
  CHECK_TRACE("error EBUSY: none | disposed | free");
  CHECK(belay_signal_start(NULL, answer, &freed, count_free) == NULL);
  check_last_error(BELAY_EINVAL);
  CHECK(belay_signal_start(belay_scheduler_immediate(), NULL, &freed, count_free) == NULL);
  check_last_error(BELAY_EINVAL);
  CHECK_INT(freed, 3);
}

/* Work of another thread's cannot reach a subscription on a thread without a loop. */
static void what_comes_from_another_loop_needs_one(void) {
  belay_worker *worker = belay_worker_create(NULL);
  belay_scheduler *there = belay_worker_get_scheduler(worker);
  belay_signal *const signals[] = {
      belay_signal_start(there, answer, NULL, NULL),
      belay_signal_timer(there, 0),
      belay_signal_interval(there, 1),
      belay_signal_chain(belay_signal_never(), belay_op_take_for(there, 1)),
      belay_signal_chain(belay_signal_never(), belay_op_delay(there, 1)),
      belay_signal_chain(belay_signal_never(), belay_op_debounce(there, 1)),
  };
  /* After the release of the worker its loop has been closed, which says more. */
  for (int closed = 0; closed < 2; closed++) {
    int code = closed ? BELAY_ECANCELED : BELAY_ENOHOME;
    for (int i = 0; i < 6; i++) {
      belay_observer observer = rendering("");
      CHECK_INT(belay_signal_subscribe(signals[i], &observer, NULL), code);
      CHECK_TRACE("free");
      check_last_error(code);
      if (closed) belay_signal_release(signals[i]);
    }
    if (!closed) belay_worker_release(worker);
  }
}

/* The thread that subscribed has its loop later. */
static belay_loop *later;
static belay_signal *a_moment(void *ctx, belay_value value) {
  return belay_signal_timer(belay_loop_get_scheduler(later), 0);
}
static void a_timer_of_a_loop_that_the_thread_gets_later(void) {
  belay_signal *source = belay_subject_create(NULL);
  belay_disposable *subscription = watched(
      belay_signal_chain(belay_signal_retain(source),
                         belay_op_flat_map(BELAY_UNLIMITED, a_moment, NULL, NULL)), "");
  later = open_loop();
  CHECK_INT(belay_subject_next(source, belay_int32(0)), 0);
  run_to_end(later);
  end_subscription(subscription);
  CHECK_TRACE("next 0 | disposed | free");
  belay_signal_release(source);
  close_loop(later);
}

/* ---- started eagerly ---- */

static belay_value tracing_answer(void *unused) {
  trace("work");
  return belay_string("an answer that is long");
}

static void eagerly_once_for_all(void) {
  belay_loop *loop = open_loop();
  int freed = 0;
  belay_signal *signal = belay_signal_start_eagerly(belay_loop_get_scheduler(loop), tracing_answer,
                                                    &freed, count_free);
  watch(belay_signal_retain(signal), "early");
  end_subscription(watched(belay_signal_retain(signal), "gone"));
  CHECK_TRACE("gone disposed | gone free");
  run_to_end(loop);
  CHECK_TRACE("work | early next an answer that is long | early completed | early disposed | "
              "early free");
  CHECK_INT(freed, 1);
  watch(signal, "late");
  CHECK_TRACE("late next an answer that is long | late completed | late disposed | late free");
  close_loop(loop);
}

static void eagerly_for_nobody(void) {
  belay_loop *loop = open_loop();
  int freed = 0;
  belay_signal_release(belay_signal_start_eagerly(belay_loop_get_scheduler(loop), tracing_answer,
                                                  &freed, count_free));
  CHECK_TRACE("");
  run_to_end(loop);
  CHECK_TRACE("work");
  CHECK_INT(freed, 1);
  close_loop(loop);
}

static void eagerly_without_success(void) {
  int freed = 0;
  belay_signal *signal =
      belay_signal_start_eagerly(belay_scheduler_immediate(), no_answer, &freed, count_free);
  CHECK_INT(freed, 1);
  watch_errors(belay_signal_retain(signal));
  watch_errors(signal);
  CHECK_TRACE("error EBUSY: none | disposed | free | error EBUSY: none | disposed | free");
  CHECK(belay_signal_start_eagerly(NULL, tracing_answer, &freed, count_free) == NULL);
  check_last_error(BELAY_EINVAL);
  CHECK(belay_signal_start_eagerly(belay_scheduler_immediate(), NULL, &freed, count_free) == NULL);
  check_last_error(BELAY_EINVAL);
  CHECK_INT(freed, 3);
}

static void eagerly_on_a_loop_that_closes(void) {
  belay_loop *loop = belay_loop_create(NULL);
  int freed = 0;
  belay_signal *signal = belay_signal_start_eagerly(belay_loop_get_scheduler(loop), tracing_answer,
                                                    &freed, count_free);
  watch(belay_signal_retain(signal), "early");
  CHECK_INT(belay_loop_close(loop, ignore_left, NULL, NULL), 0);
  CHECK_INT(freed, 1);
  CHECK_TRACE("early disposed | early free");
  belay_observer observer = tracing("late");
  belay_signal_subscribe(signal, &observer, NULL);
  belay_last_error();
  CHECK(strstr(trace_text(), "late free") != NULL);
  trace_clear();
  belay_signal_release(signal);
  belay_loop_release(loop);
}

static void compute_eagerly(void *scheduler) {
  /* The answer could not come back to this thread, which has no loop. */
  watch_errors(belay_signal_start_eagerly(scheduler, tracing_answer, NULL, NULL));
}

static void eagerly_on_another_loop(void) {
  belay_worker *worker = belay_worker_create(NULL);
  belay_loop *loop = open_loop();
  in_thread(compute_eagerly, belay_worker_get_scheduler(worker));
  CHECK(strstr(trace_text(), "error ENOHOME") != NULL);
  trace_clear();
  belay_signal *signal =
      belay_signal_start_eagerly(belay_worker_get_scheduler(worker), tracing_answer, NULL, NULL);
  belay_value value;
  CHECK_INT(belay_signal_wait_first(signal, loop, 60, &value), 0);
  CHECK_TRACE("work");
  belay_value_release(value);
  belay_signal_release(signal);
  belay_worker_release(worker);
  close_loop(loop);
}

static const test_case cases[] = {
    CASE(defer_makes_one_for_each_subscription),
    CASE(defer_fails),
    CASE(defer_keeps_no_subject),
    CASE(range_values),
    CASE(range_to_the_edges),
    CASE(range_of_a_million),
    CASE(generate_values),
    CASE(generate_boxed_states),
    CASE(generate_without_next),
    CASE(iterator_is_called_while_somebody_listens),
    CASE(iterator_fails),
    CASE(iterator_that_disposes),
    CASE(result_is_a_value_or_an_error),
    CASE(repeat_until_disposed),
    CASE(repeat_disposed_by_another_thread),
    CASE(repeat_a_million),
    CASE(using_ends_the_resource_with_the_subscription),
    CASE(using_keeps_the_resource_while_it_is_used),
    CASE(using_fails),
    CASE(start_at_a_loops_turn),
    CASE(start_at_once),
    CASE(eagerly_once_for_all),
    CASE(what_comes_from_another_loop_needs_one),
    CASE(a_timer_of_a_loop_that_the_thread_gets_later),
    CASE(eagerly_for_nobody),
    CASE(eagerly_without_success),
    CASE(eagerly_on_a_loop_that_closes),
    CASE(eagerly_on_another_loop),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
