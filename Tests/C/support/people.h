/* Objects to observe: people with a struct of fields, each with an owner that frees it. */
#ifndef PEOPLE_H
#define PEOPLE_H

#include "cases.h"

typedef struct person {
  int32_t age;
  uint8_t level;
  int is_busy;
  double score;
  belay_value name; /* a string */
  belay_owner *boss;
  belay_weak *mate;
  void *desk;
  int32_t limited; /* by a setter: 0 to 9 */
  belay_owner *idol; /* by a getter */
  int32_t shared;    /* by a getter and a setter, on any thread: 0 to 9 */
} person;

static inline belay_value person_title(void *object) {
  const person *it = object;
  char text[100];
  belay_view name = {"?", 1};
  belay_value_get_string(it->name, &name);
  snprintf(text, sizeof text, "%.*s (%d)", (int)name.size, name.data, it->age);
  return belay_string(text);
}
static inline belay_value person_greeting(void *object) {
  char text[120];
  belay_view title;
  belay_value value = person_title(object);
  CHECK_INT(belay_value_get_string(value, &title), 0);
  snprintf(text, sizeof text, "hello %.*s", (int)title.size, title.data);
  belay_value_release(value);
  return belay_string(text);
}
static inline int person_set_limited(void *object, belay_value value) {
  int32_t number;
  if (belay_value_get_int32(value, &number) < 0) return BELAY_EKIND;
  if (number == -1) return belay_fail(BELAY_ERANGE, "below 0");
  if (number < 0 || number > 9) return BELAY_ERANGE;
  ((person *)object)->limited = number;
  return number == 7; /* any positive answer is 0 */
}
static inline belay_value person_shared(void *object) {
  return belay_int32(__atomic_load_n(&((person *)object)->shared, __ATOMIC_RELAXED));
}
static inline int person_set_shared(void *object, belay_value value) {
  int32_t number;
  if (belay_value_get_int32(value, &number) < 0) return BELAY_EKIND;
  if (number < 0 || number > 9) return BELAY_ERANGE;
  __atomic_store_n(&((person *)object)->shared, number, __ATOMIC_RELAXED);
  return 0;
}
static inline belay_value person_idol(void *object) {
  return belay_value_from_owner(((person *)object)->idol);
}
static inline belay_value person_broken(void *object) {
  (void)object;
  return belay_value_failure(BELAY_EINVAL, "broken");
}

static const char *const title_parts[] = {"name", "age", NULL};
static const char *const greeting_parts[] = {"title", NULL};
static const belay_field person_fields[] = {
    BELAY_FIELD(person, age, BELAY_KIND_INT32),
    BELAY_FIELD(person, level, BELAY_KIND_UINT8),
    BELAY_FIELD(person, is_busy, BELAY_KIND_BOOL),
    BELAY_FIELD(person, score, BELAY_KIND_DOUBLE),
    BELAY_FIELD(person, name, BELAY_KIND_STRING),
    BELAY_FIELD(person, boss, BELAY_KIND_OWNER),
    BELAY_FIELD(person, mate, BELAY_KIND_WEAK),
    BELAY_FIELD(person, desk, BELAY_KIND_POINTER),
    {sizeof(belay_field), "limited", BELAY_KIND_INT32, offsetof(person, limited), NULL, person_set_limited, NULL},
    {sizeof(belay_field), "idol", BELAY_KIND_OWNER, 0, person_idol, NULL, NULL},
    {sizeof(belay_field), "shared", BELAY_KIND_INT32, 0, person_shared, person_set_shared, NULL},
    {sizeof(belay_field), "broken", BELAY_KIND_INT32, 0, person_broken, NULL, NULL},
    {sizeof(belay_field), "title", BELAY_KIND_STRING, 0, person_title, NULL, title_parts},
    {sizeof(belay_field), "greeting", BELAY_KIND_STRING, 0, person_greeting, NULL, greeting_parts},
};

static belay_type *person_type;

static inline void person_gone(void *object) {
  person *it = object;
  belay_value_release(it->name);
  belay_owner_release(it->boss);
  belay_owner_release(it->idol);
  belay_weak_release(it->mate);
  memset(it, 0xAA, sizeof *it); /* whoever reads it now shows it */
  free(it);
}

/* A person of that age; `*fields` (may be NULL) gets the struct. */
static inline belay_owner *make_person(int age, person **fields) {
  person *it = calloc(1, sizeof *it);
  CHECK(it != NULL);
  it->age = age;
  it->name = belay_string("Ann");
  belay_owner *owner = belay_owner_create(it, person_gone, NULL, NULL);
  if (!person_type) {
    person_type = belay_type_create(person_fields, sizeof person_fields / sizeof *person_fields, 0);
    CHECK(person_type != NULL);
  }
  CHECK_INT(belay_object_set_type(owner, person_type), 0);
  if (fields) *fields = it;
  return owner;
}
/* Each case ends with it. */
static inline void forget_people(void) {
  belay_type_release(person_type);
  person_type = NULL;
}

static inline int set_int(belay_owner *object, const char *path, int number) {
  return belay_object_set(object, path, belay_int32(number));
}
static inline int set_text(belay_owner *object, const char *path, const char *text) {
  return belay_object_set(object, path, belay_string(text));
}
static inline int set_owner(belay_owner *object, const char *path, belay_owner *value) {
  return belay_object_set(object, path, belay_value_from_owner(value));
}
static inline int get_int(belay_owner *object, const char *path) {
  belay_value value;
  int64_t number = -1;
  CHECK_INT(belay_object_get(object, path, &value), 0);
  if (belay_value_get_int64(value, &number) < 0) number = -1;
  belay_value_release(value);
  return (int)number;
}

/* ---- observing ---- */

static inline belay_signal *observe_with(belay_owner *object, const char *path, unsigned flags,
                                         belay_owner *observer) {
  belay_observe_options options = {.size = sizeof options, .flags = flags, .observer = observer};
  return belay_object_observe(object, path, &options);
}
/* Traces each value, and the end. */
static inline belay_disposable *observed(belay_owner *object, const char *path, const char *as) {
  return watched(belay_object_observe(object, path, NULL), as);
}

/* Traces a record: prefix, flags (i p d l), value, old value. */
static inline void render_change(void *ctx, belay_value record) {
  const char *prefix = ctx;
  char value[100], old[100];
  belay_change change = BELAY_INIT(belay_change);
  CHECK_INT(belay_change_get(record, &change), 0);
  render(change.value, value, sizeof value);
  render(change.old, old, sizeof old);
  trace("%s%s%s%s%s%s%s <- %s", prefix, *prefix ? " " : "",
        change.flags & BELAY_CHANGE_INITIAL ? "initial " : "",
        change.flags & BELAY_CHANGE_PRIOR ? "prior " : "",
        change.flags & BELAY_CHANGE_DEATH ? "death " : "",
        change.flags & BELAY_CHANGE_ONLY_LAST ? "last " : "", value, old);
}
static inline belay_disposable *changes_of(belay_owner *object, const char *path, unsigned flags,
                                           belay_owner *observer, const char *as) {
  belay_signal *signal = observe_with(object, path, flags | BELAY_OBSERVE_CHANGES, observer);
  belay_observer tracer = tracing(as);
  belay_disposable *subscription = NULL;
  tracer.next = render_change;
  CHECK(signal != NULL);
  CHECK_INT(belay_signal_subscribe(signal, &tracer, &subscription), 0);
  belay_signal_release(signal);
  return subscription;
}
#endif
