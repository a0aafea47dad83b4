/* Nonsense for disposables, bags, errors and diagnostics. */
#include "bad_input.h"

/* ---- NULL ---- */

static void null_disposables(void) {
  CHECK(belay_disposable_retain(NULL) == NULL);
  belay_disposable_release(NULL);
  belay_disposable_dispose(NULL);
  NULL_REFUSED(belay_disposable_dispose_sync(NULL, -1));
  NULL_REFUSED(belay_disposable_dispose_sync(NULL, NAN));
  CHECK_INT(belay_disposable_is_disposed(NULL), 1);
  check_left(__FILE__, __LINE__, BELAY_EINVAL, 0);
}

static void null_actions(void) {
  belay_disposable *d = belay_disposable_create(NULL, GIVEN);
  belay_disposable_dispose(d);
  CHECK_FREED();
  belay_disposable_release(d);
  d = belay_disposable_create(NULL, NULL, NULL);
  belay_disposable_dispose(d);
  belay_disposable_release(d);
  belay_disposable_release(belay_disposable_create(NULL, NULL, NULL));
  d = belay_disposable_create(trace_action, "no free", NULL);
  belay_disposable_dispose(d);
  CHECK_TRACE("action no free");
  belay_disposable_release(d);
}

static void null_parts(void) {
  belay_disposable *d = traced_action("d"), *b = belay_binary_create(NULL, NULL);
  CHECK(b != NULL);
  belay_disposable_dispose(b);
  belay_disposable_release(b);
  NULL_GIVES_NULL(belay_ref_counted_create(NULL));
  NULL_GIVES_NULL(belay_ref_counted_create_dependent(NULL));
  NULL_GIVES_NULL(belay_scoped_create(NULL));
  NULL_GIVES_NULL(belay_scheduled_create(NULL, NULL));
  NULL_GIVES_NULL(belay_scheduled_create(NULL, d));
  NULL_GIVES_NULL(belay_scheduled_create(belay_scheduler_immediate(), NULL));
  CHECK_INT(belay_disposable_is_disposed(d), 0);
  belay_disposable_release(d);
}

static void null_for_compounds(void) {
  belay_disposable *c = belay_compound_create(), *d = traced_action("d");
  uint64_t key = 7;
  NULL_REFUSED(belay_compound_add(NULL, d, &key));
  NULL_REFUSED(belay_compound_add(NULL, d, NULL));
  NULL_REFUSED(belay_compound_add(NULL, NULL, NULL));
  CHECK_INT(belay_disposable_is_disposed(d), 0);
  CHECK_INT(belay_compound_add(c, NULL, NULL), 0);
  CHECK_INT(belay_compound_add(c, NULL, &key), 0);
  CHECK_INT(key, 0);
  NULL_REFUSED(belay_compound_add_action(NULL, count_call, GIVEN, &key));
  CHECK_FREED();
  NULL_REFUSED(belay_compound_add_action(NULL, NULL, GIVEN, NULL));
  CHECK_FREED();
  NULL_REFUSED(belay_compound_add_action(NULL, NULL, NULL, NULL, NULL));
  CHECK_INT(called, 0);
  SURVIVES(belay_compound_add_action(c, NULL, GIVEN, &key));
  NULL_REFUSED(belay_compound_remove(NULL, 1));
  CHECK_INT(belay_compound_count(NULL), 0);
  belay_last_error();
  belay_disposable_dispose(c);
  CHECK_FREED();
  belay_disposable_release(c);
  belay_disposable_release(d);
  CHECK_TRACE("free d");
}

static void null_for_the_kinds_that_hold_one(void) {
  belay_disposable *d = traced_action("d"), *e = traced_action("e"), *previous = d;
  belay_disposable *serial = belay_serial_create(), *single = belay_single_assignment_create();
  NULL_REFUSED(belay_serial_set(NULL, d));
  NULL_REFUSED(belay_serial_set(NULL, NULL));
  NULL_REFUSED(belay_serial_swap(NULL, d, &previous));
  CHECK(previous == NULL || previous == d); /* either way nothing has to be released */
  NULL_REFUSED(belay_serial_swap(NULL, d, NULL));
  NULL_REFUSED(belay_serial_swap(NULL, NULL, NULL));
  CHECK_INT(belay_serial_set(serial, NULL), 0);
  CHECK_INT(belay_serial_set(serial, d), 0);
  SURVIVES(belay_serial_swap(serial, e, NULL));
  CHECK_INT(belay_disposable_is_disposed(d), 0);
  NULL_REFUSED(belay_single_assignment_set(NULL, d));
  NULL_REFUSED(belay_single_assignment_set(NULL, NULL));
  CHECK_TRACE("");
  NULL_REFUSED(belay_single_assignment_set(single, NULL)); /* sets nothing … */
  CHECK_INT(belay_single_assignment_set(single, d), 0);    /* … so this is the first set */
  belay_disposable_release(serial);
  belay_disposable_release(single);
  belay_disposable_release(d);
  belay_disposable_release(e);
}

static void null_for_bags(void) {
  belay_bag *bag = belay_bag_create();
  belay_disposable *d = traced_action("d");
  CHECK(belay_bag_retain(NULL) == NULL);
  belay_bag_release(NULL);
  NULL_REFUSED(belay_bag_add(NULL, d));
  NULL_REFUSED(belay_bag_add(NULL, NULL));
  NULL_REFUSED(belay_bag_add(bag, NULL));
  CHECK_INT(belay_bag_count(NULL), 0);
  CHECK_INT(belay_bag_count(bag), 0);
  belay_bag_release(bag);
  CHECK_INT(belay_disposable_is_disposed(d), 0);
  belay_disposable_release(d);
}

/* ---- handles of another kind ---- */

enum { IS_COMPOUND = 1, IS_SERIAL, IS_SINGLE, IS_REF_COUNTED };

static void check_kind(belay_disposable *handle, int is) {
  belay_disposable *member = traced_action("m"), *previous = NULL;
  uint64_t key = 7;
  CHECK(handle != NULL);
  if (is != IS_COMPOUND) {
    REFUSED(belay_compound_add(handle, member, &key), BELAY_EKIND);
    REFUSED(belay_compound_add(handle, member, NULL), BELAY_EKIND);
    REFUSED(belay_compound_add_action(handle, count_call, GIVEN, &key), BELAY_EKIND);
    CHECK_FREED();
    REFUSED(belay_compound_add_action(handle, count_call, GIVEN, NULL), BELAY_EKIND);
    CHECK_FREED();
    REFUSED(belay_compound_remove(handle, 1), BELAY_EKIND);
    CHECK_INT(belay_compound_count(handle), 0);
  }
  belay_last_error();
  if (is != IS_SERIAL) {
    REFUSED(belay_serial_set(handle, member), BELAY_EKIND);
    REFUSED(belay_serial_set(handle, NULL), BELAY_EKIND);
    REFUSED(belay_serial_swap(handle, member, &previous), BELAY_EKIND);
    CHECK(previous == NULL);
  }
  if (is != IS_SINGLE) REFUSED(belay_single_assignment_set(handle, member), BELAY_EKIND);
  if (is != IS_REF_COUNTED) GIVES_NOTHING(belay_ref_counted_create_dependent(handle), BELAY_EKIND);
  CHECK_INT(called, 0);
  CHECK_INT(belay_disposable_is_disposed(member), 0);
  belay_disposable_release(member);
  CHECK_TRACE("free m");
}

static void handles_of_another_kind(void) {
  belay_disposable *inner = belay_boolean_create(), *late = belay_boolean_create();
  belay_signal *never = belay_signal_never();
  belay_disposable *subscription = NULL;
  belay_observer observer = {.size = sizeof observer};
  CHECK_INT(belay_signal_subscribe(never, &observer, &subscription), 0);
  belay_disposable_dispose(late);
  const struct { belay_disposable *handle; int is; } handles[] = {
      {belay_disposable_create(NULL, NULL, NULL), 0},
      {belay_nop_create(), 0},
      {belay_boolean_create(), 0},
      {belay_binary_create(inner, NULL), 0},
      {belay_scoped_create(inner), 0},
      {belay_scheduled_create(belay_scheduler_immediate(), inner), 0},
      {belay_compound_create(), IS_COMPOUND},
      {belay_serial_create(), IS_SERIAL},
      {belay_single_assignment_create(), IS_SINGLE},
      {belay_ref_counted_create(inner), IS_REF_COUNTED},
      {subscription, 0},
      {late, 0}, /* disposed */
  };
  for (size_t i = 0; i < sizeof handles / sizeof *handles; i++) {
    check_kind(handles[i].handle, handles[i].is);
    belay_disposable_dispose(handles[i].handle);
    check_kind(handles[i].handle, handles[i].is);
    belay_disposable_release(handles[i].handle);
  }
  belay_disposable_release(inner);
  belay_signal_release(never);
}

/* ---- odd numbers, disposed things, things in themselves ---- */

static void odd_timeouts(void) {
  static const double timeouts[] = {0, -0.0, -1, 1e300, -1e300, 1e-300};
  for (size_t i = 0; i < sizeof timeouts / sizeof *timeouts; i++) {
    belay_disposable *d = traced_action("d");
    CHECK_INT(belay_disposable_dispose_sync(d, timeouts[i]), 0);
    CHECK_TRACE("action d | free d");
    belay_disposable_release(d);
  }
  const double odd[] = {INFINITY, -INFINITY, NAN}; /* whatever the answer, the disposal happens */
  for (size_t i = 0; i < 3; i++) {
    belay_disposable *d = traced_action("d");
    SURVIVES(belay_disposable_dispose_sync(d, odd[i]));
    CHECK_TRACE("action d | free d");
    CHECK_INT(belay_disposable_is_disposed(d), 1);
    belay_disposable_release(d);
  }
}

static void odd_keys(void) {
  static const uint64_t keys[] = {0, 1, 2, UINT32_MAX, (uint64_t)1 << 32, ((uint64_t)1 << 32) + 1,
                                  (uint64_t)INT64_MAX, (uint64_t)1 << 63, UINT64_MAX};
  belay_disposable *c = belay_compound_create();
  for (int round = 0; round < 2; round++) {
    uint64_t key = 0;
    if (round) CHECK_INT(belay_compound_add_action(c, trace_action, "m", trace_free, &key), 0);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
      if (keys[i] != key) REFUSED(belay_compound_remove(c, keys[i]), BELAY_ENOENT);
  }
  CHECK_INT(belay_compound_count(c), 1);
  belay_disposable_dispose(c);
  CHECK_TRACE("action m | free m");
  belay_disposable_release(c);
}

static void disposed_things(void) {
  belay_disposable *done = traced_action("done"), *c = belay_compound_create();
  belay_disposable *s = belay_serial_create(), *one = belay_single_assignment_create();
  belay_disposable_dispose(done);
  CHECK_TRACE("action done | free done");
  CHECK_INT(belay_serial_set(s, done), 0);
  CHECK_INT(belay_single_assignment_set(one, done), 0);
  belay_disposable *made[] = {belay_binary_create(done, done), belay_scoped_create(done),
                              belay_ref_counted_create(done), c, s, one,
                              belay_scheduled_create(belay_scheduler_immediate(), done)};
  for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
    belay_disposable_dispose(made[i]);
    belay_disposable_dispose(made[i]);
    belay_disposable_release(made[i]);
  }
  belay_bag *bag = belay_bag_create();
  CHECK_INT(belay_bag_add(bag, done), 0);
  belay_bag_release(bag);
  belay_disposable_release(done);
  CHECK_TRACE("");
}

/* Ends, and leaks nothing, whatever was answered. */
static void things_in_themselves(void) {
  belay_disposable *serial = belay_serial_create(), *single = belay_single_assignment_create();
  belay_disposable *c = belay_compound_create(), *other = belay_serial_create();
  REFUSED(belay_compound_add(c, c, NULL), BELAY_EINVAL);
  REFUSED(belay_serial_set(serial, serial), BELAY_EINVAL);
  REFUSED(belay_serial_swap(serial, serial, NULL), BELAY_EINVAL);
  REFUSED(belay_single_assignment_set(single, single), BELAY_EINVAL);
  SURVIVES(belay_serial_set(other, c));
  SURVIVES(belay_compound_add(c, other, NULL));
  belay_disposable_dispose(serial);
  belay_disposable_dispose(single);
  belay_disposable_dispose(c);
  belay_disposable_dispose(other);
  CHECK_INT(belay_disposable_dispose_sync(c, -1), 0);
  SURVIVES(belay_disposable_dispose_sync(serial, 0));
  SURVIVES(belay_disposable_dispose_sync(single, 0));
  SURVIVES(belay_disposable_dispose_sync(other, 0));
  belay_disposable_release(serial);
  belay_disposable_release(single);
  belay_disposable_release(c);
  belay_disposable_release(other);
}

/* A reference to oneself would never go. */
static void kinds_that_hold_one_and_are_never_disposed_of(void) {
  belay_disposable *serial = belay_serial_create(), *single = belay_single_assignment_create();
  belay_disposable *d = traced_action("d");
  REFUSED(belay_serial_set(serial, serial), BELAY_EINVAL);
  REFUSED(belay_serial_swap(serial, serial, NULL), BELAY_EINVAL);
  REFUSED(belay_single_assignment_set(single, single), BELAY_EINVAL);
  CHECK_INT(belay_single_assignment_set(single, d), 0); /* the first */
  belay_disposable_release(d);
  belay_disposable_release(serial);
  belay_disposable_release(single);
  CHECK_TRACE("free d");
}

/* ---- errors ---- */

static void null_errors(void) {
  belay_error *error = belay_error_create(-5, NULL, NULL, given_value(), NULL);
  CHECK(error != NULL);
  belay_error_release(error);
  CHECK(belay_error_retain(NULL) == NULL);
  belay_error_release(NULL);
  CHECK_INT(belay_error_code(NULL), 0);
  CHECK_STRING(belay_error_domain(NULL), "");
  CHECK_STRING(belay_error_message(NULL), "");
  CHECK_INT(belay_value_kind(belay_error_payload(NULL)), BELAY_KIND_NULL);
  CHECK(belay_error_cause(NULL) == NULL);
  CHECK_INT(belay_fail(BELAY_ENOENT, NULL), BELAY_ENOENT);
  check_left(__FILE__, __LINE__, BELAY_ENOENT, 1);
}

static void error_texts_that_are_not_utf8(void) {
  belay_error *error = belay_error_create(-5, "d\xff", "m\xc0\x80", belay_null(), NULL);
  CHECK(strlen(belay_error_domain(error)) > 0 && belay_error_domain(error)[0] == 'd');
  CHECK(strlen(belay_error_message(error)) > 0 && belay_error_message(error)[0] == 'm');
  belay_error_release(error);
  CHECK_INT(belay_fail(BELAY_ENOENT, "\xed\xa0\x80 gone"), BELAY_ENOENT);
  const belay_error *last = belay_last_error();
  CHECK(strstr(belay_error_message(last), "gone") != NULL);
}

static void a_null_hook(void) {
  CHECK_INT(belay_on_unhandled_error(NULL, GIVEN), 0);
  CHECK_INT(belay_on_unhandled_error(NULL, NULL, NULL), 0);
  CHECK_FREED();
}

/* ---- diagnostics ---- */

static void kinds_that_are_none(void) {
  static const int kinds[] = {-1, BELAY_LIVE_KINDS + 1, 1000, INT_MAX, INT_MIN};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    CHECK_INT(belay_live_count((belay_live_kind)kinds[i]), 0);
    CHECK(belay_live_kind_name((belay_live_kind)kinds[i]) != NULL);
  }
  CHECK(belay_live_kind_name(BELAY_LIVE_KINDS) != NULL);
  for (int kind = 0; kind < BELAY_LIVE_KINDS; kind++)
    CHECK(strlen(belay_live_kind_name((belay_live_kind)kind)) > 3);
}

static void misuse_is_counted(void) {
  belay_disposable *c = belay_compound_create();
  uint64_t before = belay_misuse_count();
  CHECK_INT(belay_serial_set(c, NULL), BELAY_EKIND);
  CHECK_INT(belay_misuse_count(), before + 1);
  CHECK_INT(belay_compound_add(c, c, NULL), BELAY_EINVAL);
  CHECK_INT(belay_misuse_count(), before + 2);
  CHECK_INT(belay_compound_add(c, NULL, NULL), 0);
  CHECK_INT(belay_misuse_count(), before + 2);
  belay_last_error();
  belay_disposable_release(c);
}

static void the_version_is_that_of_the_header(void) {
  char expected[32];
  snprintf(expected, sizeof expected, "%d.%d.%d", BELAY_VERSION_MAJOR, BELAY_VERSION_MINOR,
           BELAY_VERSION_PATCH);
  CHECK_STRING(belay_version(), expected);
}

static const test_case cases[] = {
    CASE(null_disposables),
    CASE(null_actions),
    CASE(null_parts),
    CASE(null_for_compounds),
    CASE(null_for_the_kinds_that_hold_one),
    CASE(null_for_bags),
    CASE(handles_of_another_kind),
    CASE(odd_timeouts),
    CASE(odd_keys),
    CASE(disposed_things),
    CASE(things_in_themselves),
    CASE(kinds_that_hold_one_and_are_never_disposed_of),
    CASE(null_errors),
    CASE(error_texts_that_are_not_utf8),
    CASE(a_null_hook),
    CASE(kinds_that_are_none),
    CASE(misuse_is_counted),
    CASE(the_version_is_that_of_the_header),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
