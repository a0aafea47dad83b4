/* Compounds and bags: A2-06, A2-07, A2-21, A2-22, A2-27, A3-12 to A3-16, and 1.3 Containers. */

#include "check.h"

/* Adds a new action. The container has the only reference to it. */
static uint64_t add(belay_disposable *compound, const char *name) {
  uint64_t key = 0;
  belay_disposable *d = traced_action(name);
  CHECK_INT(belay_compound_add(compound, d, &key), 0);
  belay_disposable_release(d);
  return key;
}

/* Members that trace only their number, for cases with many. */
static int order[4096], ordered;
static void note(void *number) {
  if (ordered < 4096) order[ordered++] = (int)(intptr_t)number;
}
/* The members with these numbers were called, in this order. NULL means 0, 1, 2, … */
static void check_order(int count, const int *expected) {
  CHECK_INT(ordered, count);
  for (int i = 0; i < ordered && i < count; i++)
    if (order[i] != (expected ? expected[i] : i)) {
      check_failed(__FILE__, __LINE__, "out of order at %d: %d", i, order[i]);
      break;
    }
}
static belay_disposable *numbered(int number) {
  return belay_disposable_create(note, (void *)(intptr_t)number, NULL);
}

/* ---- adding ---- */

static void A2_06_adding_to_a_disposed_compound(void) {
  belay_disposable *c = belay_compound_create();
  belay_disposable_dispose(c);
  CHECK_INT(add(c, "late"), 0);
  CHECK_TRACE("action late | free late");
  uint64_t key = 7;
  CHECK_INT(belay_compound_add_action(c, trace_action, "later", trace_free, &key), 0);
  CHECK_TRACE("action later | free later");
  CHECK_INT(key, 0);
  CHECK_INT(belay_compound_count(c), 0);
  belay_disposable_release(c);
}

/* This would not return if a lock were held while the newcomer is disposed. */
static belay_disposable *self;
static void use_self(void *name) {
  uint64_t key = 7;
  trace("action %s", (const char *)name);
  CHECK_INT(belay_compound_add_action(self, trace_action, "inner", trace_free, &key), 0);
  CHECK_INT(key, 0);
  CHECK_INT(belay_compound_count(self), 0);
  CHECK_INT(belay_compound_remove(self, 1), BELAY_ENOENT);
  belay_disposable_dispose(self);
}
static void A2_27_user_code_runs_outside_the_lock(void) {
  self = belay_compound_create();
  CHECK_INT(belay_compound_add_action(self, use_self, "one", trace_free, NULL), 0);
  CHECK_INT(belay_compound_add_action(self, use_self, "two", trace_free, NULL), 0);
  belay_disposable_dispose(self);
  CHECK_TRACE("action one | action inner | free inner | free one | "
              "action two | action inner | free inner | free two");
  CHECK_INT(belay_compound_add_action(self, use_self, "late", trace_free, NULL), 0);
  CHECK_TRACE("action late | action inner | free inner | free late");
  belay_disposable_release(self);
}

static void A3_13_null_and_disposed_members_are_ignored(void) {
  belay_disposable *c = belay_compound_create(), *done = traced_action("done");
  belay_disposable_dispose(done);
  trace_clear();
  uint64_t key = 7;
  CHECK_INT(belay_compound_add(c, done, &key), 0);
  CHECK_INT(key, 0);
  key = 7;
  CHECK_INT(belay_compound_add(c, NULL, &key), 0);
  CHECK_INT(key, 0);
  key = 7;
  belay_disposable *nop = belay_nop_create();
  CHECK_INT(belay_compound_add(c, nop, &key), 0);
  CHECK_INT(key, 0);
  CHECK_INT(belay_compound_count(c), 0);
  belay_disposable_dispose(c);
  CHECK_TRACE("");
  belay_disposable_release(nop);
  belay_disposable_release(done);
  belay_disposable_release(c);
}

static void A3_13_adding_to_itself_is_refused(void) {
  belay_disposable *a = belay_compound_create(), *b = belay_compound_create();
  belay_disposable *c = belay_compound_create();
  uint64_t key = 7;
  CHECK_FAILS(belay_compound_add(a, a, &key), BELAY_EINVAL);
  CHECK_INT(belay_compound_add(a, b, NULL), 0);
  CHECK_INT(belay_compound_add(b, c, NULL), 0);
  CHECK_FAILS(belay_compound_add(b, a, NULL), BELAY_EINVAL);
  CHECK_FAILS(belay_compound_add(c, a, NULL), BELAY_EINVAL);
  CHECK_INT(belay_compound_add(a, c, NULL), 0); /* adding it twice is no cycle */
  CHECK_INT(belay_disposable_is_disposed(a), 0);
  add(c, "deep");
  belay_disposable_dispose(a);
  CHECK_TRACE("action deep | free deep");
  belay_disposable_release(a);
  belay_disposable_release(b);
  belay_disposable_release(c);
}

static void A3_16_more_than_two_members_stay(void) {
  belay_disposable *c = belay_compound_create();
  for (int i = 0; i < 5; i++) add(c, "m");
  CHECK_TRACE("");
  CHECK_INT(belay_disposable_is_disposed(c), 0);
  CHECK_INT(belay_compound_count(c), 5);
  belay_disposable_dispose(c);
  CHECK_INT(belay_compound_count(c), 0);
  belay_disposable_release(c);
}

/* ---- order ---- */

static void A2_22_insertion_order_however_many(void) {
  belay_disposable *c = belay_compound_create();
  for (int i = 0; i < 1000; i++) {
    belay_disposable *d = numbered(i);
    CHECK_INT(belay_compound_add(c, d, NULL), 0);
    belay_disposable_release(d);
  }
  ordered = 0;
  belay_disposable_dispose(c);
  check_order(1000, NULL);
  belay_disposable_release(c);
}

static void A3_12_insertion_order_after_removals(void) {
  enum { COUNT = 300 };
  belay_disposable *c = belay_compound_create();
  uint64_t keys[COUNT];
  int expected[COUNT * 2], left = 0;
  for (int i = 0; i < COUNT; i++)
    CHECK_INT(belay_compound_add_action(c, note, (void *)(intptr_t)i, NULL, &keys[i]), 0);
  for (int i = 0; i < COUNT; i++) {
    if (i % 3 == 1) expected[left++] = i;
    else CHECK_INT(belay_compound_remove(c, keys[i]), 0);
  }
  for (int i = COUNT; i < 2 * COUNT; i++) { /* they take the places that became free */
    CHECK_INT(belay_compound_add_action(c, note, (void *)(intptr_t)i, NULL, NULL), 0);
    expected[left++] = i;
  }
  CHECK_INT(belay_compound_count(c), left);
  ordered = 0;
  belay_disposable_dispose(c);
  check_order(left, expected);
  belay_disposable_release(c);
}

static void A3_14_disposed_in_order_then_empty(void) {
  belay_disposable *c = belay_compound_create();
  add(c, "a");
  add(c, "b");
  add(c, "c");
  belay_disposable_dispose(c);
  CHECK_TRACE("action a | free a | action b | free b | action c | free c");
  belay_disposable_dispose(c);
  CHECK_TRACE("");
  CHECK_INT(belay_disposable_is_disposed(c), 1);
  belay_disposable_release(c);
}

static void compound_in_compound(void) {
  belay_disposable *outer = belay_compound_create(), *inner = belay_compound_create();
  add(outer, "1");
  CHECK_INT(belay_compound_add(outer, inner, NULL), 0);
  add(inner, "2");
  add(outer, "4");
  add(inner, "3");
  CHECK_INT(belay_compound_count(outer), 3);
  belay_disposable_dispose(outer);
  CHECK_TRACE("action 1 | free 1 | action 2 | free 2 | action 3 | free 3 | action 4 | free 4");
  CHECK_INT(belay_disposable_is_disposed(inner), 1);
  belay_disposable_release(outer);
  belay_disposable_release(inner);
}

/* ---- keys and removal ---- */

static void A2_21_keys(void) {
  belay_disposable *c = belay_compound_create();
  uint64_t one = add(c, "1"), two = add(c, "2");
  CHECK(one != 0 && two != 0 && one != two);
  CHECK_INT(belay_compound_remove(c, one), 0);
  CHECK_TRACE("free 1"); /* the last reference goes, and not by a disposal */
  CHECK_FAILS(belay_compound_remove(c, one), BELAY_ENOENT);
  CHECK_FAILS(belay_compound_remove(c, 0), BELAY_ENOENT);
  CHECK_INT(belay_compound_count(c), 1);
  belay_disposable_dispose(c);
  CHECK_TRACE("action 2 | free 2");
  CHECK_FAILS(belay_compound_remove(c, two), BELAY_ENOENT);
  belay_disposable_release(c);
}

static void A2_21_keys_are_never_used_twice(void) {
  belay_disposable *c = belay_compound_create(), *d = belay_boolean_create();
  uint64_t previous = 0, first = 0;
  for (int i = 0; i < 10000; i++) {
    uint64_t key = 0;
    CHECK_INT(belay_compound_add(c, d, &key), 0);
    if (key == 0 || key == previous || key == first) CHECK(!"a key came again");
    if (belay_compound_remove(c, previous) != BELAY_ENOENT) CHECK(!"an old key removed another");
    CHECK_INT(belay_compound_remove(c, key), 0);
    if (!first) first = key;
    previous = key;
  }
  belay_last_error();
  CHECK_INT(belay_compound_count(c), 0);
  belay_disposable_release(d);
  belay_disposable_release(c);
}

/* Removing takes constant time. In linear time this would be ten thousand million steps. */
static void removal_however_many_members(void) {
  enum { MANY = 100000 };
  static uint64_t keys[MANY];
  belay_disposable *c = belay_compound_create();
  for (int i = 0; i < MANY; i++)
    belay_compound_add_action(c, trace_action, "m", NULL, &keys[i]);
  CHECK_INT(belay_compound_count(c), MANY);
  for (int i = 0; i < MANY; i++) /* removes each of them, in no order */
    belay_compound_remove(c, keys[(i * 7919L) % MANY]);
  CHECK_INT(belay_compound_count(c), 0);
  belay_disposable_dispose(c);
  CHECK_TRACE("");
  belay_disposable_release(c);
}

static void A3_15_remove_does_not_dispose(void) {
  belay_disposable *c = belay_compound_create(), *d = traced_action("d");
  uint64_t key = 0;
  CHECK_INT(belay_compound_add(c, d, &key), 0);
  CHECK_INT(belay_compound_remove(c, key), 0);
  CHECK_INT(belay_disposable_is_disposed(d), 0);
  belay_disposable_dispose(c);
  CHECK_TRACE("");
  CHECK_INT(belay_disposable_is_disposed(d), 0);
  belay_disposable_dispose(d);
  CHECK_TRACE("action d | free d");
  belay_disposable_release(d);
  belay_disposable_release(c);
}

static void a_member_removed_can_be_added_again(void) {
  belay_disposable *c = belay_compound_create(), *d = traced_action("d");
  uint64_t key = 0;
  for (int i = 0; i < 100; i++) {
    CHECK_INT(belay_compound_add(c, d, &key), 0);
    CHECK_INT(belay_compound_count(c), 1);
    CHECK_INT(belay_compound_remove(c, key), 0);
    CHECK_INT(belay_compound_count(c), 0);
  }
  CHECK_INT(belay_compound_add(c, d, &key), 0);
  belay_disposable_dispose(d);
  CHECK_INT(belay_compound_count(c), 0);
  CHECK_TRACE("action d | free d");
  belay_disposable_release(d);
  belay_disposable_release(c);
}

static void a_member_added_twice_is_disposed_once(void) {
  belay_disposable *c = belay_compound_create(), *d = traced_action("d");
  uint64_t one = 0, two = 0;
  CHECK_INT(belay_compound_add(c, d, &one), 0);
  CHECK_INT(belay_compound_add(c, d, &two), 0);
  CHECK(one != two);
  CHECK_INT(belay_compound_remove(c, one), 0);
  CHECK_INT(belay_compound_count(c), 1);
  belay_disposable_dispose(d);
  CHECK_INT(belay_compound_count(c), 0);
  CHECK_TRACE("action d | free d");
  belay_disposable_release(d);
  belay_disposable_release(c);
}

/* ---- members that end by themselves ---- */

static void an_action_disposed_elsewhere_leaves(void) {
  belay_disposable *c = belay_compound_create(), *a = traced_action("a"), *b = traced_action("b");
  uint64_t key = 0;
  CHECK_INT(belay_compound_add(c, a, &key), 0);
  CHECK_INT(belay_compound_add(c, b, NULL), 0);
  belay_disposable_dispose(a);
  CHECK_INT(belay_compound_count(c), 1);
  CHECK_FAILS(belay_compound_remove(c, key), BELAY_ENOENT);
  belay_disposable_release(a);
  belay_disposable_release(b);
  belay_disposable_dispose(c);
  CHECK_TRACE("action a | free a | action b | free b");
  belay_disposable_release(c);
}

static void every_kind_leaves_when_disposed_elsewhere(void) {
  belay_disposable *inner = belay_boolean_create();
  belay_disposable *kinds[] = {
      belay_boolean_create(), belay_binary_create(NULL, NULL), belay_compound_create(),
      belay_serial_create(), belay_single_assignment_create(), belay_ref_counted_create(inner),
      belay_scoped_create(inner), belay_scheduled_create(belay_scheduler_immediate(), inner)};
  enum { KINDS = sizeof kinds / sizeof *kinds };
  belay_disposable *c = belay_compound_create();
  for (int i = 0; i < KINDS; i++) CHECK_INT(belay_compound_add(c, kinds[i], NULL), 0);
  CHECK_INT(belay_compound_count(c), KINDS);
  for (int i = 0; i < KINDS; i++) {
    belay_disposable_dispose(kinds[i]);
    CHECK_INT(belay_compound_count(c), KINDS - 1 - i);
    belay_disposable_release(kinds[i]);
  }
  belay_disposable_release(inner);
  belay_disposable_release(c);
}

static void subscriptions_that_end_leave(void) {
  belay_disposable *c = belay_compound_create(), *d = NULL;
  belay_signal *subjects[3];
  for (int i = 0; i < 3; i++) {
    belay_observer observer = tracing("");
    subjects[i] = belay_subject_create(NULL);
    CHECK_INT(belay_signal_subscribe(subjects[i], &observer, &d), 0);
    CHECK_INT(belay_compound_add(c, d, NULL), 0);
    belay_disposable_release(d);
  }
  CHECK_INT(belay_compound_count(c), 3);
  CHECK_INT(belay_subject_completed(subjects[0]), 0);
  CHECK_TRACE("completed | disposed | free");
  CHECK_INT(belay_compound_count(c), 2);
  belay_signal_release(subjects[1]); /* interrupted */
  CHECK_TRACE("disposed | free");
  CHECK_INT(belay_compound_count(c), 1);
  belay_disposable_dispose(c);
  CHECK_TRACE("disposed | free");
  belay_signal_release(subjects[0]);
  belay_signal_release(subjects[2]);
  belay_disposable_release(c);
}

/* A million members that come and go leave the container as it was. */
#define FLAT(live, statement)                                              \
  do {                                                                     \
    size_t check_live = belay_live_count(live);                            \
    for (int i = 0; i < 200000; i++) {                                     \
      statement;                                                           \
      if (belay_live_count(live) != check_live) {                          \
        CHECK(!"grows");                                                   \
        break;                                                             \
      }                                                                    \
    }                                                                      \
  } while (0)

static void short_lives_leave_a_container_flat(void) {
  belay_disposable *c = belay_compound_create(), *d;
  belay_bag *bag = belay_bag_create();
  belay_owner *owner = belay_owner_create(NULL, NULL, NULL, NULL);
  belay_signal *just = belay_signal_just(belay_int32(1)), *subject = belay_subject_create(NULL);
  belay_observer observer = {.size = sizeof observer};
  FLAT(BELAY_LIVE_DISPOSABLES, {
    d = belay_boolean_create();
    belay_compound_add(c, d, NULL);
    belay_bag_add(bag, d);
    belay_owner_add(owner, d);
    belay_disposable_dispose(d);
    belay_disposable_release(d);
  });
  observer.owner = owner;
  FLAT(BELAY_LIVE_SUBSCRIPTIONS, belay_signal_subscribe(just, &observer, NULL));
  FLAT(BELAY_LIVE_SUBSCRIPTIONS, {
    observer.owner = owner;
    belay_signal_subscribe(subject, &observer, &d);
    belay_disposable_dispose(d);
    belay_disposable_release(d);
  });
  CHECK_INT(belay_compound_count(c), 0);
  CHECK_INT(belay_bag_count(bag), 0);
  CHECK_INT(belay_compound_count(belay_owner_get_compound(owner)), 0);
  CHECK_INT(belay_subject_count(subject), 0);
  belay_signal_release(just);
  belay_signal_release(subject);
  belay_owner_release(owner);
  belay_bag_release(bag);
  belay_disposable_release(c);
}

/* ---- members of several containers ---- */

static void a_member_of_many_leaves_them_all(void) {
  enum { COUNT = 5 };
  belay_disposable *c[COUNT], *d = traced_action("d");
  uint64_t keys[COUNT];
  for (int i = 0; i < COUNT; i++) {
    c[i] = belay_compound_create();
    CHECK_INT(belay_compound_add(c[i], d, &keys[i]), 0);
  }
  CHECK_INT(belay_compound_remove(c[0], keys[0]), 0); /* the first place */
  CHECK_INT(belay_compound_remove(c[2], keys[2]), 0); /* a further one */
  add(c[0], "other 0"); /* takes the place that became free */
  add(c[2], "other 2");
  belay_disposable_dispose(c[4]);
  CHECK_TRACE("action d | free d");
  static const size_t counts[COUNT] = {1, 0, 1, 0, 0};
  for (int i = 0; i < COUNT; i++) {
    CHECK_INT(belay_compound_count(c[i]), counts[i]);
    belay_disposable_dispose(c[i]);
    belay_disposable_release(c[i]);
  }
  CHECK_TRACE("action other 0 | free other 0 | action other 2 | free other 2");
  belay_disposable_release(d);
}

static void a_container_that_goes_leaves_its_members_to_the_others(void) {
  belay_disposable *a = belay_compound_create(), *b = belay_compound_create(),
                   *d = traced_action("d");
  CHECK_INT(belay_compound_add(a, d, NULL), 0);
  CHECK_INT(belay_compound_add(b, d, NULL), 0);
  belay_disposable_release(a); /* it is not disposed, only let go of */
  CHECK_TRACE("");
  CHECK_INT(belay_compound_count(b), 1);
  belay_disposable_release(b);
  CHECK_TRACE("");
  CHECK_INT(belay_disposable_is_disposed(d), 0);
  belay_disposable_release(d);
  CHECK_TRACE("free d");
}

/* ---- bags ---- */

static void A2_07_a_bag_disposes_in_order_when_it_goes(void) {
  belay_bag *bag = belay_bag_create();
  for (int i = 0; i < 200; i++) {
    belay_disposable *d = numbered(i);
    CHECK_INT(belay_bag_add(bag, d), 0);
    belay_disposable_release(d);
  }
  CHECK_INT(belay_bag_count(bag), 200);
  CHECK(belay_bag_retain(bag) == bag);
  ordered = 0;
  belay_bag_release(bag);
  CHECK_INT(ordered, 0);
  belay_bag_release(bag);
  check_order(200, NULL);
}

static void members_of_a_bag_leave_by_themselves(void) {
  belay_bag *bag = belay_bag_create();
  belay_disposable *a = traced_action("a"), *b = traced_action("b");
  CHECK_INT(belay_bag_add(bag, a), 0);
  CHECK_INT(belay_bag_add(bag, b), 0);
  belay_disposable_dispose(a);
  CHECK_TRACE("action a | free a");
  CHECK_INT(belay_bag_count(bag), 1);
  CHECK_INT(belay_bag_add(bag, a), 0); /* a disposed member is ignored */
  CHECK_INT(belay_bag_count(bag), 1);
  belay_disposable_release(a);
  belay_disposable_release(b);
  belay_bag_release(bag);
  CHECK_TRACE("action b | free b");
}

static const test_case cases[] = {
    CASE(A2_06_adding_to_a_disposed_compound),
    CASE(A2_27_user_code_runs_outside_the_lock),
    CASE(A3_13_null_and_disposed_members_are_ignored),
    CASE(A3_13_adding_to_itself_is_refused),
    CASE(A3_16_more_than_two_members_stay),
    CASE(A2_22_insertion_order_however_many),
    CASE(A3_12_insertion_order_after_removals),
    CASE(A3_14_disposed_in_order_then_empty),
    CASE(compound_in_compound),
    CASE(A2_21_keys),
    CASE(A2_21_keys_are_never_used_twice),
    CASE(removal_however_many_members),
    CASE(A3_15_remove_does_not_dispose),
    CASE(a_member_removed_can_be_added_again),
    CASE(a_member_added_twice_is_disposed_once),
    CASE(an_action_disposed_elsewhere_leaves),
    CASE(every_kind_leaves_when_disposed_elsewhere),
    CASE(subscriptions_that_end_leave),
    CASE(short_lives_leave_a_container_flat),
    CASE(a_member_of_many_leaves_them_all),
    CASE(a_container_that_goes_leaves_its_members_to_the_others),
    CASE(A2_07_a_bag_disposes_in_order_when_it_goes),
    CASE(members_of_a_bag_leave_by_themselves),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
