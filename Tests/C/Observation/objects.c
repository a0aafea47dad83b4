/* Fields and properties of objects: read, set, changed by hand and in batches. */
#include "people.h"

static void fields_of_each_kind(void) {
  person *fields;
  belay_owner *ann = make_person(20, &fields);
  belay_value value;
  double number;
  int truth;
  CHECK_INT(set_int(ann, "level", 200), 0);
  CHECK_INT(fields->level, 200);
  CHECK_INT(get_int(ann, "level"), 200);
  CHECK_FAILS(set_int(ann, "level", 256), BELAY_ERANGE);
  CHECK_FAILS(set_text(ann, "level", "x"), BELAY_EKIND);
  CHECK_INT(belay_object_set(ann, "is_busy", belay_bool(1)), 0);
  CHECK_INT(belay_object_get(ann, "is_busy", &value), 0);
  CHECK_INT(belay_value_get_bool(value, &truth), 0);
  CHECK_INT(truth, 1);
  CHECK_INT(belay_object_set(ann, "score", belay_int32(2)), 0);
  CHECK_INT(belay_object_get(ann, "score", &value), 0);
  CHECK_INT(belay_value_get_double(value, &number), 0);
  CHECK(number == 2.0);
  CHECK_INT(set_int(ann, "age", -5), 0);
  CHECK_INT(get_int(ann, "age"), -5);
  CHECK_INT(belay_object_set(ann, "desk", belay_pointer(&number)), 0);
  CHECK(fields->desk == &number);
  CHECK_FAILS(set_int(ann, "boss", 1), BELAY_EKIND);
  CHECK_FAILS(set_int(ann, "nothing", 1), BELAY_ENOENT);
  CHECK_FAILS(set_int(ann, "idol", 1), BELAY_EINVAL);
  CHECK_FAILS(set_int(ann, "boss.age", 1), BELAY_EDEAD);
  CHECK_INT(get_int(ann, "boss.age"), -1);
  CHECK_FAILS(belay_object_get(ann, "age.age", &value), BELAY_EKIND);
  CHECK_INT(set_int(ann, "limited", 9), 0);
  CHECK_FAILS(set_int(ann, "limited", 10), BELAY_ERANGE);
  CHECK_INT(get_int(ann, "limited"), 9);
  belay_owner_release(ann);
  forget_people();
}

#define SAYS(call, code, message)                                      \
  do {                                                                 \
    CHECK_INT(call, code);                                             \
    CHECK_STRING(belay_error_message(belay_last_error()), message);    \
  } while (0)

static void F6_10_an_error_of_a_path_says_where(void) {
  belay_owner *ann = make_person(20, NULL), *bob = make_person(30, NULL);
  belay_value value;
  set_owner(ann, "boss", bob);
  SAYS(belay_object_get(ann, "nothing", &value), BELAY_ENOENT, "there is no key nothing");
  SAYS(belay_object_get(ann, "boss.none", &value), BELAY_ENOENT, "there is no key boss.none");
  SAYS(belay_object_get(ann, "boss.age.years", &value), BELAY_EKIND,
       "boss.age is of kind int32, which has no key years");
  SAYS(set_int(ann, "nothing", 1), BELAY_ENOENT, "there is no key nothing");
  SAYS(set_int(ann, "boss.none", 1), BELAY_ENOENT, "there is no key boss.none");
  SAYS(set_int(ann, "boss.none.age", 1), BELAY_ENOENT, "there is no key boss.none");
  SAYS(set_int(ann, "boss.age.years", 1), BELAY_EKIND,
       "boss.age is of kind int32, which has no key years");
  SAYS(set_text(ann, "boss.age", "old"), BELAY_EKIND, "age is of kind int32, the value of kind string");
  SAYS(set_int(ann, "boss", 1), BELAY_EKIND, "boss is of kind owner, the value of kind int32");
  watch_errors(belay_object_observe(ann, "boss.none", NULL));
  CHECK_TRACE("error ENOENT: there is no key boss.none | disposed | free");
  watch_errors(belay_object_observe(ann, "boss.age.years", NULL));
  CHECK_TRACE("error EKIND: boss.age is of kind int32, which has no key years | disposed | free");
  belay_owner_release(ann), belay_owner_release(bob);
  trace_clear(), forget_people();
}

static void a_setter_that_refuses_is_no_change_of_the_value(void) {
  belay_owner *ann = make_person(20, NULL);
  belay_disposable *subscription = observed(ann, "limited", "");
  CHECK_INT(set_int(ann, "limited", 5), 0);
  CHECK_FAILS(set_int(ann, "limited", 50), BELAY_ERANGE);
  CHECK_FAILS(set_text(ann, "age", "old"), BELAY_EKIND);
  /* The error has the message of the setter, if the setter failed. */
  CHECK_INT(set_int(ann, "limited", -1), BELAY_ERANGE);
  CHECK_STRING(belay_error_message(belay_last_error()), "below 0");
  CHECK_INT(set_int(ann, "limited", 50), BELAY_ERANGE);
  CHECK(strcmp(belay_error_message(belay_last_error()), "below 0") != 0);
  CHECK_INT(set_text(ann, "limited", "x"), BELAY_EKIND);
  CHECK_INT(set_int(ann, "limited", 7), 0);
  CHECK(belay_last_error() != NULL);
  CHECK_TRACE("next 0 | next 5 | next 7");
  end_subscription(subscription);
  belay_owner_release(ann);
  trace_clear(), forget_people();
}

static void references_are_counted(void) {
  belay_owner *ann = make_person(20, NULL), *bob = make_person(30, NULL);
  belay_weak *weak = belay_weak_create(bob);
  CHECK_INT(set_owner(ann, "boss", bob), 0);
  CHECK_INT(belay_object_set(ann, "mate", belay_value_from_weak(weak)), 0);
  belay_owner_release(bob);
  CHECK_INT(get_int(ann, "boss.age"), 30);
  CHECK_INT(get_int(ann, "mate.age"), 30);
  CHECK_INT(belay_object_set(ann, "boss", belay_null()), 0);
  CHECK_INT(get_int(ann, "mate.age"), -1);
  CHECK(belay_weak_upgrade(weak) == NULL);
  belay_weak_release(weak);
  belay_owner_release(ann);
  forget_people();
}

static void properties_that_are_not_declared(void) {
  belay_type *type = belay_type_create(NULL, 0, BELAY_TYPE_DYNAMIC);
  belay_owner *bag = belay_owner_create(NULL, NULL, NULL, NULL);
  belay_owner *bob = make_person(30, NULL);
  belay_weak *weak = belay_weak_create(bob);
  CHECK_INT(belay_object_set_type(bag, type), 0);
  belay_disposable *text = observed(bag, "text", "text"), *mate = observed(bag, "mate.age", "mate");
  CHECK_INT(set_text(bag, "text", "one"), 0);
  CHECK_INT(set_int(bag, "text", 2), 0);
  CHECK_INT(belay_object_set(bag, "mate", belay_value_from_weak(weak)), 0);
  CHECK_INT(set_int(bob, "age", 31), 0);
  belay_owner_release(bob);
  CHECK_TRACE("text next null | mate next null | text next one | text next 2 | mate next 30 | "
              "mate next 31 | mate next null");
  CHECK_INT(get_int(bag, "text"), 2);
  /* A property's value is released with the object. */
  CHECK_INT(belay_object_set(bag, "held", belay_pointer_owned((void *)"held", trace_free)), 0);
  end_subscription(text), end_subscription(mate);
  trace_clear();
  belay_owner *handle = belay_owner_retain(bag);
  belay_owner_release(bag);
  CHECK_TRACE("");
  belay_owner_release(handle);
  CHECK_TRACE("free held");
  belay_weak_release(weak), belay_type_release(type);
  forget_people();
}

static void an_adopted_pointer_is_a_hop(void) {
  static int desk;
  static const belay_field fields[] = {{sizeof(belay_field), "drawers", BELAY_KIND_INT32, 0, NULL, NULL, NULL}};
  belay_type *type = belay_type_create(fields, 1, 0);
  belay_owner *ann = make_person(20, NULL), *owner = belay_owner_adopt(&desk, NULL);
  desk = 3;
  CHECK_INT(belay_object_set_type(owner, type), 0);
  belay_object_set(ann, "desk", belay_pointer(&desk));
  belay_disposable *subscription = observed(ann, "desk.drawers", "");
  set_int(owner, "drawers", 4);
  CHECK_INT(belay_owner_end(&desk, NULL, NULL), 0);
  CHECK_FAILS(set_int(owner, "drawers", 5), BELAY_EDEAD);
  CHECK_INT(desk, 4);
  CHECK_TRACE("next 3 | next 4 | next null");
  end_subscription(subscription);
  belay_owner_release(owner), belay_owner_release(ann), belay_type_release(type);
  trace_clear(), forget_people();
}

static void so_is_one_that_is_null(void) {
  static int desk = 3;
  static const belay_field fields[] = {{sizeof(belay_field), "drawers", BELAY_KIND_INT32, 0, NULL, NULL, NULL}};
  belay_type *type = belay_type_create(fields, 1, 0);
  belay_owner *ann = make_person(20, NULL), *owner = belay_owner_adopt(&desk, NULL);
  belay_value value = belay_int32(1);
  CHECK_INT(belay_object_set_type(owner, type), 0);
  CHECK_INT(belay_object_get(ann, "desk.drawers", &value), 0);
  CHECK(belay_value_is_null(value));
  CHECK_FAILS(set_int(ann, "desk.drawers", 1), BELAY_EDEAD);
  belay_disposable *subscription = observed(ann, "desk.drawers", "");
  CHECK_INT(belay_object_set(ann, "desk", belay_pointer(&desk)), 0);
  CHECK_INT(belay_object_set(ann, "desk", belay_pointer(NULL)), 0);
  CHECK_TRACE("next null | next 3 | next null");
  end_subscription(subscription);
  CHECK_INT(belay_owner_end(&desk, NULL, NULL), 0);
  belay_owner_release(owner), belay_owner_release(ann), belay_type_release(type);
  trace_clear(), forget_people();
}

/* ---- by hand, in batches, dependents ---- */

static void changes_by_hand_nest(void) {
  person *fields;
  belay_owner *ann = make_person(20, &fields);
  belay_disposable *subscription = changes_of(ann, "age", BELAY_OBSERVE_OLD, NULL, "");
  belay_object_will_change(ann, "age");
  belay_object_will_change(ann, "age");
  fields->age = 21;
  belay_object_did_change(ann, "age");
  CHECK_TRACE("");
  fields->age = 22;
  belay_object_did_change(ann, "age");
  CHECK_TRACE("last 22 <- 20");
  fields->age = 23;
  CHECK_INT(belay_object_did_change(ann, "age"), 0);
  CHECK_TRACE("last 23 <- null");
  end_subscription(subscription);
  belay_owner_release(ann);
  trace_clear(), forget_people();
}

static void a_batch_tells_once_for_each_key(void) {
  person *fields;
  belay_owner *ann = make_person(20, &fields);
  belay_disposable *age = changes_of(ann, "age", BELAY_OBSERVE_OLD, NULL, "age");
  belay_disposable *level = changes_of(ann, "level", 0, NULL, "level");
  belay_disposable *title = changes_of(ann, "title", BELAY_OBSERVE_OLD, NULL, "title");
  CHECK_INT(belay_object_begin_changes(ann), 0);
  set_int(ann, "age", 21);
  set_int(ann, "level", 1);
  CHECK_INT(belay_object_begin_changes(ann), 0);
  set_int(ann, "age", 22);
  CHECK_INT(belay_object_end_changes(ann), 0);
  belay_object_will_change(ann, "age");
  fields->age = 23;
  belay_object_did_change(ann, "age");
  CHECK_TRACE("");
  CHECK_INT(belay_object_end_changes(ann), 0);
  CHECK_TRACE("age last 23 <- 20 | level last 1 <- null | title last Ann (23) <- Ann (20)");
  CHECK_FAILS(belay_object_end_changes(ann), BELAY_ENOENT);
  set_int(ann, "age", 24);
  CHECK_TRACE("age last 24 <- 23 | title last Ann (24) <- Ann (23)");
  end_subscription(age), end_subscription(level), end_subscription(title);
  belay_owner_release(ann);
  trace_clear(), forget_people();
}

static void a_change_has_one_key(void) {
  const char *const none[] = {"", ".", "boss.name", "name.", ".name"};
  person *fields;
  belay_owner *ann = make_person(20, &fields);
  for (int i = 0; i < 5; i++) {
    CHECK_FAILS(belay_object_will_change(ann, none[i]), BELAY_EINVAL);
    CHECK_FAILS(belay_object_did_change(ann, none[i]), BELAY_EINVAL);
  }
  CHECK_FAILS(belay_object_will_change(ann, "nothing"), BELAY_ENOENT);
  CHECK_FAILS(belay_object_did_change(ann, "nothing"), BELAY_ENOENT);
  belay_owner_release(ann);
  trace_clear(), forget_people();
}

/* Every order of up to 6 calls that begin and end changes and batches, where all that begins ends. A
   change is told when the last of both is over. */
static void changes_and_batches_may_overlap(void) {
  enum { will, did, begin, end, most = 6 };
  person *fields;
  belay_owner *ann = make_person(0, &fields);
  belay_disposable *subscription = changes_of(ann, "age", BELAY_OBSERVE_OLD, NULL, "");
  int age = 0;
  for (int order = 0; order < 1 << 2 * most; order++) {
    int changes = 0, batches = 0, is_possible = 1;
    for (int i = 0; i < most && is_possible; i++) {
      int step = order >> 2 * i & 3;
      changes += (step == will) - (step == did);
      batches += (step == begin) - (step == end);
      is_possible = changes >= 0 && batches >= 0;
    }
    if (!is_possible || changes + batches > 0) continue;
    int told = age, has_changed = 0;
    for (int i = 0; i < most; i++) {
      int step = order >> 2 * i & 3;
      char expected[40] = "";
      if (step == did) fields->age = ++age;
      CHECK_INT(step == will    ? belay_object_will_change(ann, "age")
                : step == did   ? belay_object_did_change(ann, "age")
                : step == begin ? belay_object_begin_changes(ann)
                                : belay_object_end_changes(ann),
                0);
      changes += (step == will) - (step == did);
      batches += (step == begin) - (step == end);
      has_changed |= step == did;
      if (has_changed && changes + batches == 0) {
        snprintf(expected, sizeof expected, "last %d <- %d", age, told);
        told = age, has_changed = 0;
      }
      CHECK_TRACE(expected);
    }
  }
  end_subscription(subscription);
  belay_owner_release(ann);
  trace_clear(), forget_people();
}

static void what_depends_on_a_key_changes_with_it(void) {
  belay_owner *ann = make_person(20, NULL);
  unsigned all = BELAY_OBSERVE_OLD | BELAY_OBSERVE_PRIOR;
  belay_disposable *greeting = changes_of(ann, "greeting", all, NULL, "");
  set_text(ann, "name", "Bea");
  CHECK_TRACE("prior last hello Ann (20) <- hello Ann (20) | "
              "last hello Bea (20) <- hello Ann (20)");
  set_int(ann, "level", 1);
  CHECK_TRACE("");
  belay_object_will_change(ann, "title");
  belay_object_did_change(ann, "title");
  CHECK_TRACE("prior last hello Bea (20) <- hello Bea (20) | "
              "last hello Bea (20) <- hello Bea (20)");
  end_subscription(greeting);
  belay_owner_release(ann);
  trace_clear(), forget_people();
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      CASE(fields_of_each_kind),
      CASE(F6_10_an_error_of_a_path_says_where),
      CASE(a_setter_that_refuses_is_no_change_of_the_value),
      CASE(references_are_counted),
      CASE(properties_that_are_not_declared),
      CASE(an_adopted_pointer_is_a_hop),
      CASE(so_is_one_that_is_null),
      CASE(changes_by_hand_nest),
      CASE(a_batch_tells_once_for_each_key),
      CASE(a_change_has_one_key),
    CASE(changes_and_batches_may_overlap),
      CASE(what_depends_on_a_key_changes_with_it),
  };
  return RUN_CASES(cases);
}
