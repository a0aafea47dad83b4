/* Transforming operators: what marbles cannot show. */
#include "cases.h"

static void last_error(int code) { CHECK_INT(belay_error_code(belay_last_error()), code); }

static void watch_message(void *ctx, const belay_error *error) {
  trace("error %s: %s", belay_error_name(belay_error_code(error)), belay_error_message(error));
}

static void watch_errors(belay_signal *signal) {
  belay_observer observer = rendering("");
  observer.error = watch_message;
  CHECK(signal != NULL);
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  belay_signal_release(signal);
}

static belay_error *gone(void) {
  return belay_error_create(BELAY_ENOENT, NULL, "gone", belay_null(), NULL);
}

static belay_signal *failing(void) {
  belay_error *error = gone();
  belay_signal *signal = belay_signal_error(error);
  belay_error_release(error);
  return signal;
}

/* "a", "b", … as strings, then completed. */
static belay_signal *letters(size_t count) {
  belay_value values[26];
  for (size_t i = 0; i < count; i++) values[i] = belay_string((char[]){(char)('a' + i), 0});
  return belay_signal_from(values, count);
}

static void send_text(belay_signal *subject, const char *text) {
  CHECK(belay_subject_next(subject, belay_string(text)) >= 0);
}

/* ---- boxed values: kept while they are needed, and given back ---- */

static belay_value joined(void *ctx, belay_value text, belay_value value) {
  belay_view one, two;
  char both[200];
  CHECK_INT(belay_value_get_string(text, &one), 0);
  CHECK_INT(belay_value_get_string(value, &two), 0);
  snprintf(both, sizeof both, "%s%s", one.data, two.data);
  return belay_string(both);
}

static belay_value not_b(void *ctx, belay_value value) {
  belay_view view;
  CHECK_INT(belay_value_get_string(value, &view), 0);
  return strcmp(view.data, "b") == 0 ? belay_null() : belay_value_retain(value);
}

static void boxed_values(void) {
  watch(belay_signal_chain(letters(2), belay_op_map_to(belay_string("x"))), "");
  CHECK_TRACE("next x | next x | completed | disposed | free");
  watch(belay_signal_chain(letters(3), belay_op_compact_map(not_b, NULL, NULL)), "");
  CHECK_TRACE("next a | next c | completed | disposed | free");
  watch(belay_signal_chain(letters(3), belay_op_reduce(belay_string(">"), joined, NULL, NULL)),
        "");
  CHECK_TRACE("next >abc | completed | disposed | free");
  watch(belay_signal_chain(letters(3), belay_op_pairwise(), belay_op_enumerated()), "");
  CHECK_TRACE("next [0 [a b]] | next [1 [b c]] | completed | disposed | free");
  watch(belay_signal_chain(letters(4), belay_op_buffer_skip(3, 2)), "");
  CHECK_TRACE("next [a b c] | next [c d] | completed | disposed | free");
  watch(belay_signal_chain(letters(3), belay_op_materialize(), belay_op_dematerialize(),
                           belay_op_collect()),
        "");
  CHECK_TRACE("next [a b c] | completed | disposed | free");
}

static void let_go_of_at_a_disposal(belay_op *op, const char *before) {
  belay_signal *subject = belay_subject_create(NULL);
  belay_disposable *subscription =
      watched(belay_signal_chain(belay_signal_retain(subject), op), "");
  for (char letter = 'a'; letter < 'd'; letter++) send_text(subject, (char[]){letter, 0});
  end_subscription(subscription);
  CHECK_TRACE(before);
  belay_signal_release(subject);
}

static void held_values_are_let_go_of(void) {
  let_go_of_at_a_disposal(belay_op_collect(), "disposed | free");
  let_go_of_at_a_disposal(belay_op_buffer_skip(4, 1), "disposed | free");
  let_go_of_at_a_disposal(belay_op_reduce(belay_string(""), joined, NULL, NULL),
                          "disposed | free");
  let_go_of_at_a_disposal(belay_op_pairwise(), "next [a b] | next [b c] | disposed | free");
}

static void dispose_it(void *ctx, belay_value value) {
  belay_disposable **subscription = ctx;
  render_next("", value);
  if (*subscription) belay_disposable_dispose(*subscription);
}

/* Disposes of itself inside its first value. */
static void disposed_inside(belay_op *op, const char *expected) {
  belay_disposable *subscription = NULL;
  belay_signal *subject = belay_subject_create(NULL);
  belay_signal *signal = belay_signal_chain(belay_signal_retain(subject), op);
  belay_observer observer = {.size = sizeof observer, .next = dispose_it, .ctx = &subscription};
  CHECK_INT(belay_signal_subscribe(signal, &observer, &subscription), 0);
  for (char letter = 'a'; letter < 'e'; letter++) send_text(subject, (char[]){letter, 0});
  belay_subject_completed(subject);
  CHECK_TRACE(expected);
  belay_signal_release(signal);
  belay_signal_release(subject);
  belay_disposable_release(subscription);
}

static void disposed_inside_a_value(void) {
  disposed_inside(belay_op_pairwise(), "next [a b]");
  disposed_inside(belay_op_buffer_skip(2, 1), "next [a b]");
  disposed_inside(belay_op_buffer_skip(9, 1), "next [a b c d]");
  disposed_inside(belay_op_collect(), "next [a b c d]");
  disposed_inside(belay_op_reduce(belay_string(""), joined, NULL, NULL), "next abcd");
  disposed_inside(belay_op_materialize(), "next [0 a]");
  disposed_inside(belay_op_enumerated(), "next [0 a]");
}

/* ---- errors ---- */

static belay_error *told_anew(void *ctx, const belay_error *error) {
  return belay_error_create(BELAY_EBUSY, "test", "busy", belay_string("with a value"),
                            (belay_error *)error);
}
static belay_error *the_same(void *ctx, const belay_error *error) {
  return belay_error_retain((belay_error *)error);
}
static belay_error *no_error(void *ctx, const belay_error *error) { return NULL; }
static belay_error *failed_error(void *ctx, const belay_error *error) {
  belay_fail(BELAY_ERANGE, "cannot tell");
  return NULL;
}

static void map_error_returns_another(void) {
  watch_errors(belay_signal_chain(failing(), belay_op_map_error(told_anew, NULL, NULL)));
  CHECK_TRACE("error EBUSY: busy | disposed | free");
  watch_errors(belay_signal_chain(failing(), belay_op_map_error(the_same, NULL, NULL)));
  CHECK_TRACE("error ENOENT: gone | disposed | free");
  watch(belay_signal_chain(failing(), belay_op_map_error(no_error, NULL, NULL)), "");
  CHECK_TRACE("error EINVAL | disposed | free");
  watch_errors(belay_signal_chain(failing(), belay_op_map_error(failed_error, NULL, NULL)));
  CHECK_TRACE("error ERANGE: cannot tell | disposed | free");
}

static void dematerialize_what_is_no_event(void) {
  watch(belay_signal_chain(letters(2), belay_op_dematerialize()), "");
  CHECK_TRACE("error EKIND | disposed | free");
  belay_value wrong[][2] = {{belay_int32(0), belay_int32(1)},
                            {belay_int32(BELAY_EVENT_ERROR), belay_int32(1)},
                            {belay_int32(3), belay_int32(1)},
                            {belay_string("0"), belay_int32(1)}};
  const char *expected[] = {"next 1 | completed | disposed | free",
                            "error EKIND | disposed | free", "error EKIND | disposed | free",
                            "error EKIND | disposed | free"};
  for (size_t i = 0; i < 4; i++) {
    watch(belay_signal_chain(belay_signal_just(belay_array_of(wrong[i], 2)),
                             belay_op_dematerialize()),
          "");
    CHECK_TRACE(expected[i]);
  }
  watch(belay_signal_chain(belay_signal_just(belay_array_of(NULL, 0)), belay_op_dematerialize()),
        "");
  CHECK_TRACE("error EKIND | disposed | free");
}

/* ---- windows and groups ---- */

typedef struct inner_log {
  belay_signal *last;
  const char *prefix;
} inner_log;

static void watch_inner(void *ctx, belay_value value) {
  inner_log *log = ctx;
  belay_observer observer = rendering(log->prefix);
  belay_value key = belay_signal_key(belay_value_signal(value));
  char text[40];
  render(key, text, sizeof text);
  trace("opened %s", text);
  belay_signal_release(log->last);
  log->last = belay_signal_retain(belay_value_signal(value));
  CHECK_INT(belay_signal_subscribe(log->last, &observer, NULL), 0);
}

static void message(void *ctx, const belay_error *error) {
  trace("outer error %s", belay_error_name(belay_error_code(error)));
}

static belay_disposable *watch_inners(inner_log *log, belay_signal *outer) {
  belay_disposable *subscription = NULL;
  belay_observer observer = {
      .size = sizeof observer, .next = watch_inner, .error = message, .ctx = log};
  CHECK(outer != NULL);
  CHECK_INT(belay_signal_subscribe(outer, &observer, &subscription), 0);
  belay_signal_release(outer);
  return subscription;
}

static void a_window_is_interrupted_with_the_outer_subscription(void) {
  inner_log log = {NULL, "in"};
  belay_signal *subject = belay_subject_create(NULL);
  belay_disposable *subscription = watch_inners(
      &log, belay_signal_chain(belay_signal_retain(subject), belay_op_window(2, 0)));
  send_text(subject, "a");
  CHECK_TRACE("opened null | in next a");
  end_subscription(subscription);
  CHECK_TRACE("in disposed | in free");
  watch(log.last, "late");
  CHECK_TRACE("late disposed | late free");
  belay_signal_release(subject);
}

static void a_window_is_interrupted_with_its_source(void) {
  inner_log log = {NULL, "in"};
  belay_signal *subject = belay_subject_create(NULL);
  belay_disposable *subscription =
      watch_inners(&log, belay_signal_chain(subject, belay_op_window(2, 0)));
  CHECK_TRACE("opened null | in disposed | in free");
  belay_disposable_release(subscription);
  belay_signal_release(log.last);
}

static belay_signal *never_closing(void *ctx, belay_value opening) {
  (*(int *)ctx)++;
  return belay_signal_never();
}

static void open_windows_are_interrupted_with_the_outer_subscription(void) {
  inner_log log = {NULL, "in"};
  int opened = 0;
  belay_signal *subject = belay_subject_create(NULL), *openings = belay_subject_create(NULL);
  belay_disposable *subscription = watch_inners(
      &log, belay_signal_chain(belay_signal_retain(subject),
                               belay_op_window_toggle(belay_signal_retain(openings), never_closing,
                                                      &opened, NULL)));
  send_text(openings, "1");
  send_text(openings, "2");
  send_text(subject, "a");
  CHECK_TRACE("opened null | opened null | in next a | in next a");
  CHECK_INT(opened, 2);
  end_subscription(subscription);
  CHECK_TRACE("in disposed | in free | in disposed | in free");
  watch(log.last, "late");
  CHECK_TRACE("late disposed | late free");
  CHECK_INT(belay_subject_count(subject) + belay_subject_count(openings), 0);
  belay_signal_release(openings);
  belay_signal_release(subject);
}

static belay_signal *closing_at_once_for_ever(void *ctx, belay_value opening) {
  return belay_signal_repeat_value(belay_string("close"), 0);
}

static void a_window_that_an_endless_signal_closes_at_once(void) {
  inner_log log = {NULL, "in"};
  belay_disposable *subscription = watch_inners(
      &log, belay_signal_chain(letters(2), belay_op_window_toggle(
                                               letters(2), closing_at_once_for_ever, NULL, NULL)));
  CHECK_TRACE("opened null | in completed | in disposed | in free | "
              "opened null | in completed | in disposed | in free");
  belay_disposable_release(subscription);
  belay_signal_release(log.last);
}

static void windows_end_with_an_error(void) {
  inner_log log = {NULL, "in"};
  belay_error *error = gone();
  belay_signal *subject = belay_subject_create(NULL);
  belay_disposable *subscription = watch_inners(
      &log, belay_signal_chain(belay_signal_retain(subject), belay_op_window(2, 1)));
  send_text(subject, "a");
  belay_subject_error(subject, error);
  CHECK_TRACE("opened null | in next a | opened null | in error ENOENT | in disposed | in free | "
              "in error ENOENT | in disposed | in free | outer error ENOENT");
  belay_error_release(error);
  belay_disposable_release(subscription);
  belay_signal_release(log.last);
  belay_signal_release(subject);
}

static belay_value first_letter(void *ctx, belay_value value) {
  belay_view view;
  CHECK_INT(belay_value_get_string(value, &view), 0);
  if (*view.data == '!') return belay_value_failure(BELAY_ERANGE, "no key");
  return belay_string((char[]){*view.data, 0});
}

static void groups_have_keys(void) {
  inner_log log = {NULL, "in"};
  belay_signal *subject = belay_subject_create(NULL);
  belay_disposable *subscription = watch_inners(
      &log, belay_signal_chain(belay_signal_retain(subject),
                               belay_op_group_by(first_letter, NULL, NULL)));
  send_text(subject, "ab");
  send_text(subject, "ba");
  send_text(subject, "ac");
  CHECK_TRACE("opened a | in next ab | opened b | in next ba | in next ac");
  CHECK_STRING(belay_signal_name(log.last), "group");
  CHECK_INT(belay_subject_next(log.last, belay_string("sent into a group")), BELAY_EKIND);
  last_error(BELAY_EKIND);
  send_text(subject, "!");
  CHECK_TRACE("in error ERANGE | in disposed | in free | in error ERANGE | in disposed | in free | "
              "outer error ERANGE");
  CHECK_INT(belay_subject_count(subject), 0);
  belay_disposable_release(subscription);
  belay_signal_release(log.last);
  belay_signal_release(subject);
}

static void groups_are_interrupted_with_the_outer_subscription(void) {
  inner_log log = {NULL, "in"};
  belay_signal *subject = belay_subject_create(NULL);
  belay_disposable *subscription = watch_inners(
      &log, belay_signal_chain(belay_signal_retain(subject),
                               belay_op_group_by(first_letter, NULL, NULL)));
  send_text(subject, "ab");
  end_subscription(subscription);
  CHECK_TRACE("opened a | in next ab | in disposed | in free");
  belay_signal_release(log.last);
  belay_signal_release(subject);
}

static belay_value itself(void *ctx, belay_value value) { return belay_value_retain(value); }

static belay_value half_of_them(void *ctx, belay_value value) {
  int64_t number = 0;
  CHECK_INT(belay_value_get_int64(value, &number), 0);
  return belay_int64(number % 10000);
}

/* Equal keys are one group, of whatever kind; 1.0 and 1 are two. */
static void keys_are_compared_by_value(void) {
  belay_value inner[] = {belay_string("a"), belay_int32(1)};
  belay_value again[] = {belay_string("a"), belay_int32(1)};
  belay_value values[] = {belay_int32(1),    belay_double(1),     belay_int32(1),
                          belay_double(0.0), belay_double(-0.0),  belay_array_of(inner, 2),
                          belay_null(),      belay_array_of(again, 2), belay_bool(1),
                          belay_null(),      belay_string("x"),   belay_string("x"),
                          belay_pointer(inner), belay_pointer(inner)};
  watch(belay_signal_chain(belay_signal_from(values, sizeof values / sizeof *values),
                           belay_op_group_by(itself, NULL, NULL), belay_op_enumerated()),
        "");
  CHECK_TRACE("next [0 signal] | next [1 signal] | next [2 signal] | next [3 signal] | "
              "next [4 signal] | next [5 signal] | next [6 signal] | next [7 signal] | completed | "
              "disposed | free");
}

static void groups_of_a_shared_subject(void) {
  inner_log log = {NULL, "in"};
  belay_source_options shared = {.size = sizeof shared, .shared = 1};
  belay_signal *subject = belay_subject_create(&shared);
  belay_disposable *subscription = watch_inners(
      &log, belay_signal_chain(belay_signal_retain(subject),
                               belay_op_group_by(first_letter, NULL, NULL)));
  send_text(subject, "ab");
  send_text(subject, "ac");
  belay_subject_completed(subject);
  CHECK_TRACE("opened a | in next ab | in next ac | in completed | in disposed | in free");
  belay_disposable_release(subscription);
  belay_signal_release(log.last);
  belay_signal_release(subject);
}

static void ten_thousand_groups(void) {
  belay_signal *signal =
      belay_signal_chain(belay_signal_range(0, 20000), belay_op_map(half_of_them, NULL, NULL),
                         belay_op_group_by(itself, NULL, NULL), belay_op_enumerated(),
                         belay_op_buffer_skip(1, 10000), belay_op_map_to(belay_string("x")));
  watch(signal, "");
  CHECK_TRACE("next x | completed | disposed | free");
}

static void no_key(void) {
  belay_value key = belay_signal_key(NULL);
  CHECK_INT(belay_value_kind(key), BELAY_KIND_NULL);
  belay_signal *subject = belay_subject_create(NULL);
  key = belay_signal_key(subject);
  CHECK_INT(belay_value_kind(key), BELAY_KIND_NULL);
  belay_signal_release(subject);
}

static void window_time_on_a_loop(void) {
  inner_log log = {NULL, "in"};
  belay_loop *loop = open_loop();
  belay_signal *subject = belay_subject_create(NULL);
  belay_disposable *subscription = watch_inners(
      &log, belay_signal_chain(belay_signal_retain(subject),
                               belay_op_window_time(belay_loop_scheduler(loop), 0.05, 0)));
  send_text(subject, "a");
  CHECK_TRACE("opened null | in next a");
  CHECK_INT(belay_loop_run(loop, BELAY_RUN_ONCE), 1);
  CHECK_TRACE("in completed | in disposed | in free | opened null");
  end_subscription(subscription);
  CHECK_TRACE("in disposed | in free");
  belay_signal_release(log.last);
  belay_signal_release(subject);
  close_loop(loop);
}

/* ---- many values, and bad arguments ---- */

static void a_million_through_all(void) {
  belay_signal *signal = belay_signal_chain(
      belay_signal_range(0, 1000000), belay_op_enumerated(), belay_op_pairwise(),
      belay_op_materialize(), belay_op_dematerialize(), belay_op_map_to(belay_int32(1)),
      belay_op_buffer_skip(2, 1000), belay_op_collect());
  belay_observer observer = {.size = sizeof observer};
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  belay_signal_release(signal);
}

static void bad_arguments(void) {
  int freed = 0;
  belay_scheduler *now = belay_scheduler_immediate();
#define REFUSED(op)         \
  CHECK((op) == NULL);      \
  last_error(BELAY_EINVAL);
  REFUSED(belay_op_compact_map(NULL, &freed, count_free))
  REFUSED(belay_op_map_error(NULL, &freed, count_free))
  REFUSED(belay_op_reduce(belay_string("x"), NULL, &freed, count_free))
  REFUSED(belay_op_group_by(NULL, &freed, count_free))
  REFUSED(belay_op_window_toggle(belay_signal_never(), NULL, &freed, count_free))
  REFUSED(belay_op_window_toggle(NULL, never_closing, &freed, count_free))
  CHECK_INT(freed, 6);
  REFUSED(belay_op_buffer_skip(0, 1))
  REFUSED(belay_op_buffer_skip(1, 0))
  REFUSED(belay_op_window(0, 1))
  REFUSED(belay_op_window_time(NULL, 1, 0))
  REFUSED(belay_op_window_time(now, 0, 0))
  REFUSED(belay_op_window_time(now, -1, 0))
  REFUSED(belay_op_window_time(now, 0.0 / 0.0, 0))
  REFUSED(belay_op_timestamp(NULL))
  REFUSED(belay_op_time_interval(NULL))
  belay_op_release(belay_op_map_to(belay_string("x")));
  watch(belay_signal_chain(letters(1), belay_op_buffer_skip(SIZE_MAX, SIZE_MAX),
                           belay_op_window(SIZE_MAX, SIZE_MAX)),
        "");
  CHECK_TRACE("next signal | completed | disposed | free");
}

/* ---- with an owner ---- */

static belay_value held;

static void hold(void *unused, belay_value value) {
  belay_value item;
  CHECK_INT(belay_value_get_item(value, 1, &item), 0);
  trace("%d", int_of(item));
  belay_value_release(held);
  held = belay_value_retain(value);
}

static void with_an_owner_while_it_lives(void) {
  belay_owner *owner = belay_owner_create(NULL, NULL, NULL);
  belay_signal *subject = belay_subject_create(NULL);
  belay_signal *both =
      belay_signal_chain(belay_signal_retain(subject), belay_op_with_owner(owner));
  belay_observer observer = tracing("");
  observer.next = hold;
  held = belay_null();
  CHECK_INT(belay_signal_subscribe(both, &observer, NULL), 0);
  CHECK_INT(belay_subject_next(subject, belay_int32(1)), 0);
  belay_value item;
  CHECK_INT(belay_value_get_item(held, 0, &item), 0);
  CHECK(belay_value_owner(item) == owner);
  /* The array keeps it. */
  belay_weak *weak = belay_weak_create(owner);
  belay_owner_release(owner);
  CHECK_INT(belay_subject_next(subject, belay_int32(2)), 0);
  CHECK_TRACE("1 | 2");
  belay_value_release(held);
  CHECK_TRACE("completed | disposed | free");
  CHECK(belay_weak_get(weak) == NULL);
  CHECK_INT(belay_subject_next(subject, belay_int32(3)), 0);
  belay_weak_release(weak);
  belay_signal_release(both);
  belay_signal_release(subject);
  CHECK(belay_op_with_owner(NULL) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
}

static const test_case cases[] = {
    CASE(boxed_values),
    CASE(held_values_are_let_go_of),
    CASE(disposed_inside_a_value),
    CASE(map_error_returns_another),
    CASE(dematerialize_what_is_no_event),
    CASE(a_window_is_interrupted_with_the_outer_subscription),
    CASE(a_window_is_interrupted_with_its_source),
    CASE(open_windows_are_interrupted_with_the_outer_subscription),
    CASE(a_window_that_an_endless_signal_closes_at_once),
    CASE(windows_end_with_an_error),
    CASE(groups_have_keys),
    CASE(groups_are_interrupted_with_the_outer_subscription),
    CASE(keys_are_compared_by_value),
    CASE(groups_of_a_shared_subject),
    CASE(ten_thousand_groups),
    CASE(no_key),
    CASE(window_time_on_a_loop),
    CASE(a_million_through_all),
    CASE(bad_arguments),
    CASE(with_an_owner_while_it_lives),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
