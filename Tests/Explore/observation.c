/* Observations that begin, and fields that are bound both ways, while other threads set the keys. */
#include "explore.h"

typedef struct person {
  int32_t age;
} person;

static person fields;
static belay_type *type;
static belay_owner *target;
static belay_disposable *subscription;
static explore_listener listener;
static int least;

/* A value is never older than the one before it. */
static void on_next(explore_listener *it) {
  explore_require(it->last >= least);
  least = it->last;
}
static void make(void) {
  static const belay_field description[] = {
      {sizeof(belay_field), "age", BELAY_KIND_INT32, offsetof(person, age), NULL, NULL, NULL},
  };
  listener = (explore_listener){.on_next = on_next};
  fields.age = least = 0;
  subscription = NULL;
  type = belay_type_create(description, 1, 0);
  target = belay_owner_create(&fields, NULL, NULL, NULL);
  explore_require(belay_object_set_type(target, type) == 0);
}
static void set(int age) {
  explore_require(belay_object_set(target, "age", belay_int32(age)) >= 0);
}
static void set_thrice(void) {
  for (int age = 1; age < 4; age++) set(age);
}
static void observe(void) {
  belay_observe_options options = {.size = sizeof options, .flags = BELAY_OBSERVE_INITIAL};
  belay_signal *ages = belay_object_observe(target, "age", &options);
  explore_subscribe(ages, &listener, &subscription);
  belay_signal_release(ages);
}
static void let_go(void) {
  explore_require(least == 3 && "the last value is heard");
  belay_disposable_dispose(subscription);
  belay_disposable_release(subscription);
  belay_owner_release(target);
  belay_type_release(type);
}
static void check(void) { explore_all_over(&listener, 1); }

/* ---- bindings ---- */

enum { ends = 3 };
static person people[ends];
static belay_owner *owners[ends];
static belay_disposable *bindings[ends];

static int set_age(void *object, belay_value value) {
  person *it = object;
  int32_t age = -1;
  belay_value_get_int32(value, &age);
  explore_note("a setter");
  if (age < 0) return BELAY_ERANGE;
  it->age = age;
  return 0;
}
static void make_bound(int (*setter)(void *object, belay_value value)) {
  const belay_field description[] = {
      {sizeof(belay_field), "age", BELAY_KIND_INT32, offsetof(person, age), NULL, setter, NULL},
  };
  type = belay_type_create(description, 1, 0);
  for (int i = 0; i < ends; i++) {
    people[i].age = 0;
    owners[i] = belay_owner_create(&people[i], NULL, NULL, NULL);
    explore_require(belay_object_set_type(owners[i], type) == 0);
  }
  for (int i = 0; i + 1 < ends; i++) {
    belay_bindable from = {.size = sizeof from, .object = owners[i], .path = "age"};
    belay_bindable to = {.size = sizeof to, .object = owners[i + 1], .path = "age"};
    belay_binding binding = {.size = sizeof binding, .from = &from, .to = &to, .both_ways = 1};
    explore_require(belay_bind(&binding, &bindings[i]) == 0);
  }
}
static void make_row(void) { make_bound(NULL); }
static void make_row_of_setters(void) { make_bound(set_age); }
static void set_first(void) {
  explore_require(belay_object_set(owners[0], "age", belay_int32(1)) >= 0);
}
static void set_last(void) {
  explore_require(belay_object_set(owners[ends - 1], "age", belay_int32(2)) >= 0);
}
static void set_twice(void) {
  set_last();
  explore_require(belay_object_set(owners[ends - 1], "age", belay_int32(3)) >= 0);
}
static void set_middle(void) {
  explore_require(belay_object_set(owners[1], "age", belay_int32(2)) >= 0);
}
static void is_refused(void) {
  explore_require(belay_object_set(owners[0], "age", belay_int32(-1)) == BELAY_ERANGE);
}
static void let_row_go(void) {
  for (int i = 1; i < ends; i++) {
    explore_require(people[i].age == people[0].age && "the sides of a binding agree");
    belay_disposable_dispose(bindings[i - 1]);
    belay_disposable_release(bindings[i - 1]);
  }
  for (int i = 0; i < ends; i++) belay_owner_release(owners[i]);
  belay_type_release(type);
}
static void check_refusal(void) { explore_require(people[0].age == 3); }

/* ---- a key that is bound, and a hop of an observed path ---- */

typedef struct follower {
  int32_t age;
  belay_owner *boss;
} follower;
enum { roles = 4 }; /* two followers, and two bosses */
static follower crew[roles];
static belay_owner *members[roles];

static void make_crew(void) {
  static const belay_field description[] = {
      {sizeof(belay_field), "age", BELAY_KIND_INT32, offsetof(follower, age), NULL, NULL, NULL},
      {sizeof(belay_field), "boss", BELAY_KIND_OWNER, offsetof(follower, boss), NULL, NULL, NULL},
  };
  type = belay_type_create(description, 2, 0);
  listener = (explore_listener){0};
  for (int i = 0; i < roles; i++) {
    crew[i] = (follower){0};
    members[i] = belay_owner_create(&crew[i], NULL, NULL, NULL);
    explore_require(belay_object_set_type(members[i], type) == 0);
  }
  belay_bindable from = {.size = sizeof from, .object = members[0], .path = "boss"};
  belay_bindable to = {.size = sizeof to, .object = members[1], .path = "boss"};
  belay_binding binding = {.size = sizeof binding, .from = &from, .to = &to, .both_ways = 1};
  explore_require(belay_bind(&binding, &bindings[0]) == 0);
  belay_signal *ages = belay_object_observe(members[1], "boss.age", NULL);
  explore_subscribe(ages, &listener, &subscription);
  belay_signal_release(ages);
}
static void set_boss(int follower, belay_owner *boss) {
  explore_require(belay_object_set(members[follower], "boss", belay_value_from_owner(boss)) >= 0);
}
static void set_first_boss(void) { set_boss(0, members[2]); }
static void set_second_boss(void) { set_boss(1, members[3]); }
static void let_crew_go(void) {
  explore_require(crew[0].boss == crew[1].boss && crew[0].boss);
  explore_require(belay_object_set(crew[1].boss, "age", belay_int32(77)) >= 0);
  explore_require(listener.last == 77 && "what is behind the hop is still heard");
  belay_disposable_dispose(subscription);
  belay_disposable_release(subscription);
  belay_disposable_dispose(bindings[0]);
  belay_disposable_release(bindings[0]);
  for (int i = 0; i < 2; i++) belay_object_set(members[i], "boss", belay_null());
  for (int i = 0; i < roles; i++) belay_owner_release(members[i]);
  belay_type_release(type);
}

const explore_scenario explore_observation[] = {
    {"observation: begun x its key is set",
     {{make, observe, let_go}, {NULL, set_thrice, NULL}}, check, 0},
    {"binding: one side is set x the other is",
     {{make_row, set_first, let_row_go}, {NULL, set_twice, NULL}}, NULL, 0},
    {"binding: the middle is set x a side is set to the same value",
     {{make_row, set_middle, let_row_go}, {NULL, set_last, NULL}}, NULL, 0},
    {"binding: one side is set by a setter x the other is",
     {{make_row_of_setters, set_first, let_row_go}, {NULL, set_last, NULL}}, NULL, 0},
    {"binding: one side refuses a value x the other is set",
     {{make_row_of_setters, is_refused, let_row_go}, {NULL, set_twice, NULL}}, check_refusal, 0},
    {"binding: both sides are set, and are hops of what is observed",
     {{make_crew, set_first_boss, let_crew_go}, {NULL, set_second_boss, NULL}}, check, 0},
    {0},
};
