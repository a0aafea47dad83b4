/* What is alive, what it is called, and where it was made. */
#include "printed.h"

#include <unistd.h>

static size_t live(belay_live_kind kind) { return belay_live_count(kind); }

/* ---- live counts ---- */

static void kinds_have_names(void) {
  static const char *const names[] = {"subscriptions", "signals", "subscribers", "disposables",
                                      "owners",        "loops",   "values",      "errors",
                                      "tables",        "slots",   "proxies",     "closures",
                                      "classes"};
  for (int kind = 0; kind < BELAY_LIVE_KINDS; kind++)
    CHECK_STRING(belay_live_kind_name((belay_live_kind)kind), names[kind]);
  CHECK(belay_live_kind_name((belay_live_kind)99) != NULL);
  CHECK_INT(live((belay_live_kind)99), 0);
  CHECK_INT(live((belay_live_kind)-1), 0);
  size_t sum = 0;
  belay_signal *signal = belay_signal_just(belay_string("x"));
  for (int kind = 0; kind < BELAY_LIVE_CLOSURES; kind++) sum += live((belay_live_kind)kind);
  CHECK_INT(live(BELAY_LIVE_KINDS), sum);
  belay_signal_release(signal);
}

static void A2_31_subscriptions_count_until_their_context_is_freed(void) {
  size_t before = live(BELAY_LIVE_SUBSCRIPTIONS), signals = live(BELAY_LIVE_SIGNALS);
  belay_signal *subject = belay_subject_create(NULL);
  CHECK_INT(live(BELAY_LIVE_SIGNALS) - signals, 1);
  belay_disposable *one = watched(belay_signal_retain(subject), "1");
  belay_disposable *other = watched(belay_signal_retain(subject), "2");
  CHECK_INT(live(BELAY_LIVE_SUBSCRIPTIONS) - before, 2);
  belay_disposable_dispose(one);
  CHECK_INT(live(BELAY_LIVE_SUBSCRIPTIONS) - before, 1);
  /* A handle that the host keeps does not count. */
  belay_disposable_release(one);
  CHECK_INT(belay_subject_completed(subject), 0);
  CHECK_INT(live(BELAY_LIVE_SUBSCRIPTIONS) - before, 0);
  belay_disposable_release(other);
  belay_signal_release(subject);
  CHECK_INT(live(BELAY_LIVE_SIGNALS) - signals, 0);
}

static belay_subscriber *kept;
static belay_disposable *keep(void *ctx, belay_subscriber *subscriber) {
  kept = belay_subscriber_retain(subscriber);
  return NULL;
}

static void A2_31_subscribers_and_disposables(void) {
  size_t subscribers = live(BELAY_LIVE_SUBSCRIBERS), disposables = live(BELAY_LIVE_DISPOSABLES);
  watch(belay_signal_create(keep, NULL, NULL, NULL), "");
  CHECK_INT(live(BELAY_LIVE_SUBSCRIBERS) - subscribers, 1);
  CHECK_INT(live(BELAY_LIVE_DISPOSABLES) - disposables, 0);
  belay_subscriber_release(kept);
  CHECK_INT(live(BELAY_LIVE_SUBSCRIBERS) - subscribers, 0);
  belay_disposable *compound = belay_compound_create();
  belay_disposable *action = belay_disposable_create(trace_action, "a", NULL);
  CHECK_INT(live(BELAY_LIVE_DISPOSABLES) - disposables, 2);
  CHECK_INT(belay_compound_add(compound, action, NULL), 0);
  belay_disposable_release(action);
  CHECK_INT(live(BELAY_LIVE_DISPOSABLES) - disposables, 2);
  belay_disposable_release(compound);
  CHECK_INT(live(BELAY_LIVE_DISPOSABLES) - disposables, 0);
}

static void A2_31_owners_loops_values_errors(void) {
  size_t owners = live(BELAY_LIVE_OWNERS), loops = live(BELAY_LIVE_LOOPS);
  size_t values = live(BELAY_LIVE_VALUES), errors = live(BELAY_LIVE_ERRORS);
  belay_owner *owner = belay_owner_create(NULL, NULL, NULL, NULL);
  CHECK_INT(live(BELAY_LIVE_OWNERS) - owners, 1);
  belay_owner_release(owner);
  CHECK_INT(live(BELAY_LIVE_OWNERS) - owners, 0);
  belay_loop *loop = open_loop();
  CHECK_INT(live(BELAY_LIVE_LOOPS) - loops, 1);
  close_loop(loop);
  CHECK_INT(live(BELAY_LIVE_LOOPS) - loops, 0);
  belay_value text = belay_string("text");
  CHECK_INT(live(BELAY_LIVE_VALUES) - values, 1);
  belay_value items[] = {belay_value_retain(text), belay_int32(1), text};
  belay_value array = belay_array_of(items, 3);
  CHECK_INT(live(BELAY_LIVE_VALUES) - values, 2);
  belay_value_release(array);
  CHECK_INT(live(BELAY_LIVE_VALUES) - values, 0);
  belay_error *error = belay_error_create(BELAY_EBUSY, NULL, NULL, belay_null(), NULL);
  CHECK_INT(live(BELAY_LIVE_ERRORS) - errors, 1);
  belay_error_release(error);
  CHECK_INT(live(BELAY_LIVE_ERRORS) - errors, 0);
}

typedef struct widget {
  const struct widget_class *class;
} widget;
typedef struct widget_class {
  void (*destroy)(void *it);
} widget_class;
static void destroy_widget(void *it) { trace("destroyed"); }

static void F6_02_classes_whose_destroy_function_was_replaced_are_counted(void) {
  static widget_class class = {destroy_widget}; /* for good */
  widget one = {&class}, other = {&class};
  size_t classes = live(BELAY_LIVE_CLASSES), all = live(BELAY_LIVE_KINDS);
  belay_owner *first, *second;
  CHECK_INT(belay_owner_adopt_slot(&one, &class.destroy, NULL, &first), 0);
  CHECK_INT(live(BELAY_LIVE_CLASSES) - classes, 1);
  CHECK_INT(belay_owner_adopt_slot(&other, &class.destroy, NULL, &second), 0);
  CHECK_INT(live(BELAY_LIVE_CLASSES) - classes, 1);
  one.class->destroy(&one);
  other.class->destroy(&other);
  CHECK_TRACE("destroyed | destroyed");
  belay_owner_release(first);
  belay_owner_release(second);
  CHECK_INT(live(BELAY_LIVE_CLASSES) - classes, 1);
  CHECK_INT(live(BELAY_LIVE_KINDS) - all, 0);
}

static size_t inside;
static void make_values(void *ctx) {
  for (int i = 0; i < 1000; i++) belay_value_release(belay_string("x"));
  ((belay_value *)ctx)[0] = belay_string("made in a thread");
  inside = live(BELAY_LIVE_VALUES);
}

static void counts_are_those_of_all_threads(void) {
  belay_value value;
  size_t before = live(BELAY_LIVE_VALUES);
  in_thread(make_values, &value);
  CHECK_INT(inside - before, 1);
  CHECK_INT(live(BELAY_LIVE_VALUES) - before, 1); /* the thread has ended, its value has not */
  belay_value_release(value);
  CHECK_INT(live(BELAY_LIVE_VALUES) - before, 0);
}

/* ---- names ---- */

static void C_40_names_are_built_from_the_chain(void) {
  belay_observer beside = {.size = sizeof beside};
  check_name(belay_signal_just(belay_null()), "just");
  check_name(belay_signal_from(NULL, 0), "from");
  check_name(belay_signal_empty(), "empty");
  check_name(belay_signal_never(), "never");
  check_name(belay_subject_create(NULL), "subject");
  check_name(belay_signal_create(keep, NULL, NULL, NULL), "create");
  check_name(belay_signal_chain(belay_subject_create(NULL), belay_op_filter(answer_yes, NULL, NULL),
                                belay_op_map(same_value, NULL, NULL)),
             "subject.filter.map");
  check_name(
      belay_signal_chain(belay_signal_never(), belay_op_take(3),
                         belay_op_take_until(belay_signal_never()), belay_op_merge(NULL, 0),
                         belay_op_scan(belay_null(), latest_of, NULL, NULL), belay_op_buffer(2)),
      "never.take.take_until.merge.scan.buffer");
  check_name(belay_signal_chain(belay_signal_never(),
                                belay_op_distinct_until_changed(NULL, NULL, NULL),
                                belay_op_start_with(NULL, 0), belay_op_do(&beside)),
             "never.distinct_until_changed.start_with.do");
}

static void C_40_names_of_timed_signals(void) {
  belay_loop *loop = open_loop();
  belay_scheduler *scheduler = belay_loop_get_scheduler(loop);
  check_name(belay_signal_chain(belay_signal_interval(scheduler, 1),
                                belay_op_buffer_time(scheduler, 1, BELAY_UNLIMITED)),
             "interval.buffer_time");
  check_name(belay_signal_timer(scheduler, 1), "timer");
  close_loop(loop);
}

static void labels_and_names_of_ones_own(void) {
  belay_source_options options = {.size = sizeof options, .label = "clicks"};
  belay_signal *clicks = belay_subject_create(&options);
  CHECK_STRING(belay_signal_name(clicks), "clicks");
  belay_signal *mapped = belay_signal_chain(clicks, belay_op_map(same_value, NULL, NULL));
  CHECK_STRING(belay_signal_name(mapped), "clicks.map");
  char name[] = "mine";
  CHECK_INT(belay_signal_set_name(mapped, name), 0);
  strcpy(name, "----"); /* Belay has copied it */
  CHECK_STRING(belay_signal_name(mapped), "mine");
  belay_signal *taken = belay_signal_chain(belay_signal_retain(mapped), belay_op_take(1));
  CHECK_STRING(belay_signal_name(taken), "mine.take");
  CHECK_INT(belay_signal_set_name(mapped, NULL), 0);
  CHECK_STRING(belay_signal_name(mapped), "clicks.map");
  CHECK_FAILS(belay_signal_set_name(NULL, "x"), BELAY_EINVAL);
  CHECK(belay_signal_name(NULL) != NULL);
  belay_last_error();
  belay_signal_release(taken);
  belay_signal_release(mapped);
  options.label = "cold";
  check_name(belay_signal_create(keep, NULL, NULL, &options), "cold");
}

static void labels_of_owners(void) {
  belay_owner_options options = {.size = sizeof options, .label = "session"};
  belay_owner *owner = belay_owner_create(NULL, NULL, NULL, &options);
  CHECK_STRING(belay_owner_label(owner), "session");
  belay_owner_release(owner);
}

/* ---- in reports ---- */

static void unhandled(void *ctx, const belay_error *error, const char *signal, const char *site) {
  trace("%s%s of %s at %s", (const char *)ctx, belay_error_name(belay_error_code(error)), signal,
        site ? site : "nowhere");
}

static belay_signal *failing_chain(void) {
  belay_error *error = belay_error_create(BELAY_EBUSY, NULL, NULL, belay_null(), NULL);
  belay_signal *signal =
      belay_signal_chain(belay_signal_error(error), belay_op_map(same_value, NULL, NULL),
                         belay_op_take(1));
  belay_error_release(error);
  return signal;
}

static void C_42_unhandled_errors_name_signal_and_site(void) {
  belay_observer observer = {.size = sizeof observer};
  CHECK_INT(belay_on_unhandled_error(unhandled, "", NULL), 0);
  belay_signal *signal = failing_chain();
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  CHECK_TRACE("EBUSY of error.map.take at nowhere");
  observer.site = "diagnostics.c:1";
  CHECK_INT(belay_signal_set_name(signal, "renamed"), 0);
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  CHECK_TRACE("EBUSY of renamed at diagnostics.c:1");
  belay_signal_release(signal);
  CHECK_INT(belay_on_unhandled_error(NULL, NULL, NULL), 0);
}

static void fail_from_a_thread(void *subject) {
  belay_error *error = belay_error_create(BELAY_EBUSY, NULL, NULL, belay_null(), NULL);
  CHECK_INT(belay_subject_error(subject, error), BELAY_QUEUED);
  belay_error_release(error);
}

static void a_loops_hook_comes_first(void) {
  belay_loop *loop = open_loop();
  CHECK_INT(belay_on_unhandled_error(unhandled, "process: ", trace_free), 0);
  CHECK_INT(belay_loop_on_unhandled_error(loop, unhandled, "loop: ", trace_free), 0);
  belay_source_options options = {.size = sizeof options, .label = "clicks"};
  belay_observer observer = {.size = sizeof observer, .site = "here:1"};
  belay_signal *subject = belay_subject_create(&options);
  CHECK_INT(belay_signal_subscribe(subject, &observer, NULL), 0);
  in_thread(fail_from_a_thread, subject);
  run_to_end(loop);
  CHECK_TRACE("loop: EBUSY of clicks at here:1");
  belay_signal_release(subject);
  CHECK_INT(belay_loop_on_unhandled_error(loop, NULL, NULL, NULL), 0);
  CHECK_TRACE("free loop: ");
  belay_signal *signal = failing_chain();
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  belay_signal_release(signal);
  CHECK_TRACE("process: EBUSY of error.map.take at here:1");
  CHECK_INT(belay_on_unhandled_error(NULL, NULL, NULL), 0);
  CHECK_TRACE("free process: ");
  CHECK_INT(belay_loop_on_unhandled_error(loop, unhandled, "closing: ", trace_free), 0);
  close_loop(loop);
  CHECK_TRACE("free closing: ");
}

static void the_default_hook_prints_a_line(void) {
  char text[1024];
  printed output;
  belay_observer observer = {.size = sizeof observer, .site = "somewhere.c:77"};
  begin_printed(&output);
  belay_signal *signal = failing_chain();
  int code = belay_signal_subscribe(signal, &observer, NULL);
  end_printed(&output, text, sizeof text);
  CHECK_INT(code, 0);
  CHECK(strstr(text, "error.map.take") != NULL);
  CHECK(strstr(text, "somewhere.c:77") != NULL);
  CHECK(strstr(text, "EBUSY") != NULL);
  CHECK(strchr(text, '\n') == text + strlen(text) - 1);
  belay_signal_release(signal);
}

static char open_resource[256];
static void note_open_resource(void *ctx, const belay_open_resource *const *left, size_t count) {
  CHECK_INT(count, 1);
  snprintf(open_resource, sizeof open_resource, "%s %s at %s%s",
           belay_open_resource_kind(left[0]),
           text_or(belay_open_resource_label(left[0]), "-"),
           text_or(belay_open_resource_site(left[0]), "-"),
           belay_open_resource_is_foreign(left[0]) ? " foreign" : "");
}

static void close_with(const char *source_label, const char *label, const char *site) {
  belay_loop *loop = open_loop();
  belay_source_options options = {.size = sizeof options, .label = source_label,
                                  .site = source_label ? "source.c:1" : NULL};
  belay_observer observer = {.size = sizeof observer, .label = label, .site = site};
  belay_signal *subject = belay_subject_create(&options);
  CHECK_INT(belay_signal_subscribe(subject, &observer, NULL), 0);
  CHECK_INT(belay_loop_close(loop, note_open_resource, NULL, NULL), 0);
  belay_loop_release(loop);
  belay_signal_release(subject);
}

static void C_70_open_resources_have_label_and_site(void) {
  close_with(NULL, "window", "window.c:5");
  CHECK_STRING(open_resource, "subscription window at window.c:5");
  /* A subscription without label and site is reported with those of its source. */
  close_with("clicks", NULL, NULL);
  CHECK_STRING(open_resource, "subscription clicks at source.c:1");
  close_with(NULL, NULL, NULL);
  CHECK_STRING(open_resource, "subscription - at -");
}

/* ---- misuse ---- */

static uint64_t misused;
static void expect_misuse(int by) {
  CHECK_INT(belay_misuse_count() - misused, by);
  misused = belay_misuse_count();
  belay_last_error();
}

static void misuse_elsewhere(void *loop) {
  CHECK_INT(belay_loop_alive(loop), BELAY_EWRONGTHREAD);
}

static void C_43_misuse_is_counted(void) {
  misused = belay_misuse_count();
  belay_signal *just = belay_signal_just(belay_int32(1));
  expect_misuse(0);
  CHECK_INT(belay_subject_next(NULL, belay_int32(1)), BELAY_EINVAL);
  expect_misuse(1);
  CHECK_INT(belay_subject_next(just, belay_string("given away")), BELAY_EKIND);
  expect_misuse(1);
  CHECK(belay_op_buffer(0) == NULL);
  expect_misuse(1);
  belay_loop *loop = open_loop();
  in_thread(misuse_elsewhere, loop);
  expect_misuse(1);
  close_loop(loop);
  expect_misuse(0);
  belay_signal_release(just);
}

static const test_case cases[] = {
    CASE(kinds_have_names),
    CASE(A2_31_subscriptions_count_until_their_context_is_freed),
    CASE(A2_31_subscribers_and_disposables),
    CASE(A2_31_owners_loops_values_errors),
    CASE(F6_02_classes_whose_destroy_function_was_replaced_are_counted),
    CASE(counts_are_those_of_all_threads),
    CASE(C_40_names_are_built_from_the_chain),
    CASE(C_40_names_of_timed_signals),
    CASE(labels_and_names_of_ones_own),
    CASE(labels_of_owners),
    CASE(C_42_unhandled_errors_name_signal_and_site),
    CASE(a_loops_hook_comes_first),
    CASE(the_default_hook_prints_a_line),
    CASE(C_70_open_resources_have_label_and_site),
    CASE(C_43_misuse_is_counted),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
