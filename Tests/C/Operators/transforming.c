/* Transforming operators: what marbles cannot show. */
#include "texts.h"

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

/* `step` sends into the source, which delivers at once: what it gathers is let go of all the same. */
static belay_signal *inner_source;
static int inside;
static belay_value send_from_step(void *ctx, belay_value text, belay_value value) {
  if (inside < 2) {
    inside++;
    CHECK_INT(belay_subject_next(inner_source, belay_string("i")), 0);
    inside--;
  }
  return joined(ctx, text, value);
}
static void a_step_that_causes_another_value(void) {
  belay_source_options at_once = {
      .size = sizeof at_once, .reentrancy = BELAY_REENTRANCY_DEPTH_FIRST};
  belay_op *ops[] = {belay_op_scan(belay_string(">"), send_from_step, NULL, NULL),
                     belay_op_reduce(belay_string(">"), send_from_step, NULL, NULL)};
  const char *expected[] = {"next >i | next >i | next >o | disposed | free",
                            "next >o | completed | disposed | free"};
  for (int i = 0; i < 2; i++) {
    inner_source = belay_subject_create(&at_once);
    belay_signal *folded = belay_signal_chain(belay_signal_retain(inner_source), ops[i]);
    belay_disposable *subscription = watched(folded, "");
    CHECK_INT(belay_subject_next(inner_source, belay_string("o")), 0);
    if (i == 1) belay_subject_completed(inner_source);
    end_subscription(subscription);
    CHECK_TRACE(expected[i]);
    belay_signal_release(inner_source);
  }
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

/* Disposes of its own subscription inside its first value. */
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
  check_last_error(BELAY_EINVAL);
  REFUSED(belay_op_compact_map(NULL, &freed, count_free))
  REFUSED(belay_op_map_error(NULL, &freed, count_free))
  REFUSED(belay_op_reduce(belay_string("x"), NULL, &freed, count_free))
  REFUSED(belay_op_group_by(NULL, &freed, count_free))
  REFUSED(belay_op_group_by_until(NULL, never_of, &freed, count_free))
  REFUSED(belay_op_group_by_until(same_value, NULL, &freed, count_free))
  REFUSED(belay_op_window_toggle(belay_signal_never(), NULL, &freed, count_free))
  REFUSED(belay_op_window_toggle(NULL, never_of, &freed, count_free))
  CHECK_INT(freed, 8);
  REFUSED(belay_op_buffer_skip(0, 1))
  REFUSED(belay_op_buffer_skip(1, 0))
  REFUSED(belay_op_window(0, 1))
  REFUSED(belay_op_window_time(NULL, 1, BELAY_UNLIMITED))
  REFUSED(belay_op_window_time(now, 0, BELAY_UNLIMITED))
  REFUSED(belay_op_window_time(now, -1, BELAY_UNLIMITED))
  REFUSED(belay_op_window_time(now, 0.0 / 0.0, BELAY_UNLIMITED))
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
  belay_owner *owner = belay_owner_create(NULL, NULL, NULL, NULL);
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
  CHECK(belay_value_get_owner(item) == owner);
  /* The array keeps the owner. */
  belay_weak *weak = belay_weak_create(owner);
  belay_owner_release(owner);
  CHECK_INT(belay_subject_next(subject, belay_int32(2)), 0);
  CHECK_TRACE("1 | 2");
  belay_value_release(held);
  CHECK_TRACE("completed | disposed | free");
  CHECK(belay_weak_upgrade(weak) == NULL);
  CHECK_INT(belay_subject_next(subject, belay_int32(3)), 0);
  belay_weak_release(weak);
  belay_signal_release(both);
  belay_signal_release(subject);
  CHECK(belay_op_with_owner(NULL) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
}

static const test_case cases[] = {
    CASE(boxed_values),
    CASE(a_step_that_causes_another_value),
    CASE(held_values_are_let_go_of),
    CASE(disposed_inside_a_value),
    CASE(map_error_returns_another),
    CASE(dematerialize_what_is_no_event),
    CASE(a_million_through_all),
    CASE(bad_arguments),
    CASE(with_an_owner_while_it_lives),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
