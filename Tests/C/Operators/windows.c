/* Windows and groups: signals of a signal's values. */
#include "texts.h"

typedef struct inner_log {
  belay_signal *last;
  const char *prefix;
} inner_log;

static void watch_inner(void *ctx, belay_value value) {
  inner_log *log = ctx;
  belay_observer observer = rendering(log->prefix);
  belay_value key = belay_signal_key(belay_value_get_signal(value));
  char text[40];
  render(key, text, sizeof text);
  trace("opened %s", text);
  belay_signal_release(log->last);
  log->last = belay_signal_retain(belay_value_get_signal(value));
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
      &log, belay_signal_chain(belay_signal_retain(subject), belay_op_window(2, 2)));
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
      watch_inners(&log, belay_signal_chain(subject, belay_op_window(2, 2)));
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

static belay_signal *ended_inside;
static belay_disposable *left_inside;

static void end_and_leave(void *ctx, belay_value window) {
  watch_inner(ctx, window);
  CHECK_INT(belay_subject_completed(ended_inside), 0);
  belay_disposable_dispose(left_inside);
}

/* The source's end waits for the running callback, and then comes too late. */
static void a_window_that_is_left_at_its_opening_is_interrupted_though_the_source_has_ended(void) {
  inner_log log = {NULL, "in"};
  int opened = 0;
  belay_signal *openings = belay_subject_create(NULL);
  ended_inside = belay_subject_create(NULL);
  belay_signal *windows =
      belay_signal_chain(belay_signal_retain(ended_inside),
                         belay_op_window_toggle(belay_signal_retain(openings), never_closing,
                                                &opened, NULL));
  belay_observer observer = {.size = sizeof observer, .next = end_and_leave, .ctx = &log};
  CHECK_INT(belay_signal_subscribe(windows, &observer, &left_inside), 0);
  send_text(openings, "1");
  CHECK_TRACE("opened null | in disposed | in free");
  belay_disposable_release(left_inside);
  belay_signal_release(windows);
  belay_signal_release(log.last);
  belay_signal_release(openings);
  belay_signal_release(ended_inside);
}

static belay_signal *closing_at_once_for_ever(void *ctx, belay_value opening) {
  return belay_signal_repeat_value(belay_string("close"), BELAY_UNLIMITED);
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
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EKIND);
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

static belay_value half_of_them(void *ctx, belay_value value) {
  int64_t number = 0;
  CHECK_INT(belay_value_get_int64(value, &number), 0);
  return belay_int64(number % 10000);
}

/* Equal keys are one group, whatever their kinds. 1.0 and 1 are two keys. */
static void keys_are_compared_by_value(void) {
  belay_value inner[] = {belay_string("a"), belay_int32(1)};
  belay_value again[] = {belay_string("a"), belay_int32(1)};
  belay_value values[] = {belay_int32(1),    belay_double(1),     belay_int32(1),
                          belay_double(0.0), belay_double(-0.0),  belay_array_of(inner, 2),
                          belay_null(),      belay_array_of(again, 2), belay_bool(1),
                          belay_null(),      belay_string("x"),   belay_string("x"),
                          belay_pointer(inner), belay_pointer(inner)};
  watch(belay_signal_chain(belay_signal_from(values, sizeof values / sizeof *values),
                           belay_op_group_by(same_value, NULL, NULL), belay_op_enumerated()),
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
  belay_signal *groups =
      belay_signal_chain(belay_signal_range(0, 20000), belay_op_map(half_of_them, NULL, NULL),
                         belay_op_group_by(same_value, NULL, NULL));
  belay_queue_options all = {.size = sizeof all, .capacity = 10000};
  CHECK_INT(belay_signal_set_queue(groups, &all), 0);
  watch(belay_signal_chain(groups, belay_op_enumerated(), belay_op_buffer_skip(1, 10000),
                           belay_op_map_to(belay_string("x"))),
        "");
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
      &log, belay_signal_chain(
                belay_signal_retain(subject),
                belay_op_window_time(belay_loop_get_scheduler(loop), 0.05, BELAY_UNLIMITED)));
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

static belay_signal *grouped, *untils[4];
static int until_count;
static belay_signal *until_next(void *ctx, belay_value group) {
  untils[until_count] = belay_subject_create(NULL);
  return belay_signal_retain(untils[until_count++]);
}
static belay_value long_key(void *ctx, belay_value value) {
  char text[128] = {0};
  memset(text, 'k', *(size_t *)ctx);
  return belay_string(text);
}
static void begin_another_group(void *ctx) {
  if (until_count == 1) CHECK_INT(belay_subject_next(grouped, belay_int32(2)), 0);
}
static void count_group(void *ctx, belay_value value) {
  belay_observer observer = {.size = sizeof observer,
                             .next = render_next,
                             .completed = begin_another_group,
                             .ctx = until_count == 1 ? "first" : "second"};
  CHECK_INT(belay_signal_subscribe(belay_value_get_signal(value), &observer, NULL), 0);
}
/* The memory of the first group may be that of the second one, whose signal has sent nothing. */
static void what_a_group_sends_at_its_end_opens_a_group_of_its_own(void) {
  for (size_t length = 40; length <= 120; length++) {
    belay_disposable *subscription = NULL;
    belay_observer observer = {.size = sizeof observer, .next = count_group};
    until_count = 0;
    grouped = belay_subject_create(NULL);
    belay_signal *groups =
        belay_signal_chain(belay_signal_retain(grouped),
                           belay_op_group_by_until(long_key, until_next, &length, NULL));
    CHECK_INT(belay_signal_subscribe(groups, &observer, &subscription), 0);
    belay_signal_release(groups);
    CHECK_INT(belay_subject_next(grouped, belay_int32(1)), 0);
    CHECK_INT(belay_subject_next(untils[0], belay_null()), 0);
    CHECK_INT(belay_subject_next(grouped, belay_int32(3)), 0);
    CHECK_TRACE("first next 1 | second next 2 | second next 3");
    CHECK_INT(until_count, 2);
    end_subscription(subscription);
    for (int i = 0; i < until_count; i++) belay_signal_release(untils[i]);
    belay_signal_release(grouped);
  }
}

/* The source is subscribed to before the notifier, so a value of both belongs to the window that it
   ends. (RxJS.) */
static int is_zero(void *ctx, belay_value value) { return int_of(value) == 0; }
static void a_notifier_made_of_the_source(void) {
  belay_signal *source = belay_subject_create(NULL);
  belay_signal *zeros = belay_signal_chain(also(source), belay_op_filter(is_zero, NULL, NULL));
  watch(belay_signal_chain(also(source), belay_op_buffer_by(zeros)), "");
  int sent[] = {1, 2, 0, 3, 0};
  for (int i = 0; i < 5; i++) send_int(source, sent[i]);
  CHECK_INT(belay_subject_completed(source), 0);
  CHECK_TRACE("next [1 2 0] | next [3 0] | next [] | completed | disposed | free");
  belay_signal_release(source);
}

static const test_case cases[] = {
    CASE(a_window_is_interrupted_with_the_outer_subscription),
    CASE(a_window_is_interrupted_with_its_source),
    CASE(open_windows_are_interrupted_with_the_outer_subscription),
    CASE(a_window_that_is_left_at_its_opening_is_interrupted_though_the_source_has_ended),
    CASE(a_window_that_an_endless_signal_closes_at_once),
    CASE(windows_end_with_an_error),
    CASE(groups_have_keys),
    CASE(groups_are_interrupted_with_the_outer_subscription),
    CASE(keys_are_compared_by_value),
    CASE(groups_of_a_shared_subject),
    CASE(ten_thousand_groups),
    CASE(what_a_group_sends_at_its_end_opens_a_group_of_its_own),
    CASE(no_key),
    CASE(window_time_on_a_loop),
    CASE(a_notifier_made_of_the_source),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
