/* Properties, and channels between them. */
#include "numbers.h"
#include "script.h"

static void follow(belay_property *property, const char *prefix) {
  watch(belay_property_signal(property), prefix);
}

static int set(belay_property *property, int value) {
  return belay_property_set(property, belay_int32(value));
}

/* ---- properties ---- */

static belay_value plus_ten(void *unused, belay_value value) {
  return belay_int32(int_of(value) + 10);
}
static belay_value refuse(void *unused, belay_value value) {
  return belay_value_failure(BELAY_ERANGE, "refused");
}

static void get_set_and_modify(void) {
  belay_property *p = number_property(1);
  CHECK_INT(number_of(p), 1);
  follow(p, "a");
  CHECK_INT(set(p, 2), 0);
  CHECK_INT(belay_property_modify(p, plus_ten, NULL), 0);
  CHECK_FAILS(belay_property_modify(p, refuse, NULL), BELAY_ERANGE);
  CHECK_INT(number_of(p), 12);
  follow(p, "b");
  CHECK_INT(set(p, 12), 0);
  belay_property_release(p);
  CHECK_TRACE("a next 1 | a next 2 | a next 12 | b next 12 | a next 12 | b next 12 | a completed | "
              "a disposed | a free | b completed | b disposed | b free");
}

static belay_property *inner;
static int changes;

static void change_inside(void *name, belay_value value) {
  trace("%s %d of %d", (const char *)name, int_of(value), number_of(inner));
  if (changes-- > 0) {
    int code = set(inner, int_of(value) + 1);
    trace("set %d", code);
    CHECK_INT(belay_property_modify(inner, plus_ten, NULL), BELAY_QUEUED);
  }
}

static void what_is_set_inside_is_the_value_at_once(void) {
  inner = number_property(0);
  changes = 0;
  belay_observer observer = {.size = sizeof observer, .next = change_inside, .ctx = "a"};
  belay_signal *signal = belay_property_signal(inner);
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  observer.ctx = "b";
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  trace_clear();
  changes = 1;
  CHECK_INT(set(inner, 1), 0);
  CHECK_TRACE("a 1 of 1 | set 1 | b 1 of 12 | a 2 of 12 | b 2 of 12 | a 12 of 12 | b 12 of 12");
  belay_signal_release(signal);
  belay_property_release(inner);
}

static void release_inside(void *unused, belay_value value) {
  if (int_of(value) != 1) return;
  belay_property_release(inner);
  trace("released");
}

static void released_from_inside_a_delivery(void) {
  inner = number_property(0);
  belay_observer observer = tracing("");
  observer.next = release_inside;
  belay_signal *signal = belay_property_signal(inner);
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  belay_signal_release(signal);
  CHECK_INT(set(inner, 1), 0);
  CHECK_TRACE("released | completed | disposed | free");
}

static void properties_own_their_values(void) {
  belay_property *p = belay_property_create(belay_string("the first, a long string"), NULL);
  follow(p, "");
  CHECK_INT(belay_property_set(p, belay_string("the second, a long string")), 0);
  belay_value value;
  CHECK_INT(belay_property_get(p, &value), 0);
  belay_property_release(p);
  belay_value_release(value);
  trace_clear();
  belay_source_options shared = {.size = sizeof shared, .shared = 1};
  CHECK(belay_property_create(belay_string("given away, also on failure"), &shared) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
  CHECK_FAILS(belay_property_set(NULL, belay_string("given away, also on failure")), BELAY_EINVAL);
  CHECK_FAILS(belay_property_get(NULL, &value), BELAY_EINVAL);
  CHECK_FAILS(belay_property_modify(NULL, plus_ten, NULL), BELAY_EINVAL);
  CHECK(belay_property_signal(NULL) == NULL);
  belay_property_release(NULL);
}

static void set_nine(void *property) {
  CHECK_INT(set(property, 9), BELAY_QUEUED);
  CHECK_FAILS(belay_property_modify(property, plus_ten, NULL), BELAY_EWRONGTHREAD);
}

static void set_from_another_thread(void) {
  belay_loop *loop = open_loop();
  belay_property *p = number_property(1);
  follow(p, "");
  in_thread(set_nine, p);
  CHECK_INT(number_of(p), 1);
  run_to_end(loop);
  CHECK_INT(number_of(p), 9);
  CHECK_TRACE("next 1 | next 9");
  belay_property_release(p);
  trace_clear();
  close_loop(loop);
}

/* ---- channels ---- */

static void A3_65_a_channel_has_no_echo(void) {
  belay_property *a = number_property(1), *b = number_property(2);
  belay_disposable *channel = NULL;
  CHECK_INT(belay_property_channel(a, b, &channel), 0);
  CHECK_INT(number_of(b), 1);
  follow(a, "a");
  follow(b, "b");
  trace_clear();
  CHECK_INT(set(a, 3), 0);
  CHECK_TRACE("b next 3 | a next 3");
  CHECK_INT(set(b, 4), 0);
  CHECK_TRACE("a next 4 | b next 4");
  end_subscription(channel);
  CHECK_INT(set(a, 5), 0);
  CHECK_INT(number_of(b), 4);
  belay_property_release(a);
  belay_property_release(b);
  trace_clear();
}

static void set_to_even(void *property, belay_value value) {
  if (int_of(value) % 2) set(property, int_of(value) + 1);
}

static void a_channel_agrees_after_changes_from_inside(void) {
  belay_property *a = number_property(0), *b = number_property(0);
  CHECK_INT(belay_property_channel(a, b, NULL), 0);
  belay_property *sides[] = {a, b};
  for (int i = 0; i < 2; i++) {
    belay_observer observer = {.size = sizeof observer, .next = set_to_even, .ctx = sides[i]};
    belay_signal *signal = belay_property_signal(sides[i]);
    CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
    belay_signal_release(signal);
  }
  for (int i = 0; i < 2; i++) {
    CHECK_INT(set(sides[i], 7), 0);
    CHECK_INT(number_of(a), number_of(b));
    CHECK_INT(number_of(a) % 2, 0);
    CHECK_INT(set(sides[i], 2), 0);
    CHECK_INT(number_of(sides[1 - i]), 2);
  }
  belay_property_release(a);
  belay_property_release(b);
}

static void a_channel_ends_with_a_property(void) {
  belay_property *a = number_property(1), *b = number_property(2);
  belay_disposable *channel = NULL;
  CHECK_INT(belay_property_channel(a, b, &channel), 0);
  belay_property_release(b);
  CHECK_INT(belay_disposable_is_disposed(channel), 1);
  belay_disposable_release(channel);
  CHECK_INT(set(a, 2), 0);
  CHECK_FAILS(belay_property_channel(a, a, NULL), BELAY_EINVAL);
  CHECK_FAILS(belay_property_channel(a, NULL, NULL), BELAY_EINVAL);
  belay_property_release(a);
}

int main(int argc, char **argv) {
  const test_case cases[] = {
      CASE(get_set_and_modify),
      CASE(what_is_set_inside_is_the_value_at_once),
      CASE(released_from_inside_a_delivery),
      CASE(properties_own_their_values),
      CASE(set_from_another_thread),
      CASE(A3_65_a_channel_has_no_echo),
      CASE(a_channel_agrees_after_changes_from_inside),
      CASE(a_channel_ends_with_a_property),
  };
  return RUN_CASES(cases);
}
