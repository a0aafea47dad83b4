/* Nonsense for types, objects, observations and bindings. */
#include "bad_input.h"

typedef struct thing {
  int32_t number;
  belay_owner *other;
  belay_value any;
} thing;
static const belay_field thing_fields[] = {
    BELAY_FIELD(thing, number, BELAY_KIND_INT32),
    BELAY_FIELD(thing, other, BELAY_KIND_OWNER),
    BELAY_FIELD(thing, any, BELAY_KIND_NULL),
};
static void thing_gone(void *object) {
  thing *it = object;
  belay_owner_release(it->other);
  belay_value_release(it->any);
}
static belay_type *things(void) { return belay_type_create(thing_fields, 3, 0); }
static belay_owner *owner_of(thing *it, belay_type *type) {
  *it = (thing){.any = belay_null()};
  belay_owner *owner = belay_owner_create(it, thing_gone, NULL, NULL);
  CHECK_INT(belay_object_set_type(owner, type), 0);
  return owner;
}

static void null_everywhere(void) {
  belay_value value;
  belay_change change = BELAY_INIT(belay_change);
  belay_owner *owner = belay_owner_create(NULL, NULL, NULL, NULL);
  belay_type *type = things();
  CHECK(belay_type_retain(NULL) == NULL);
  belay_type_release(NULL);
  NULL_GIVES_NULL(belay_type_create(NULL, 1, 0));
  NULL_REFUSED(belay_object_set_type(NULL, type));
  NULL_REFUSED(belay_object_set_type(owner, NULL));
  NULL_REFUSED(belay_object_get(NULL, "a", &value));
  NULL_REFUSED(belay_object_get(owner, NULL, &value));
  NULL_REFUSED(belay_object_get(owner, "a", NULL));
  NULL_REFUSED(belay_object_set(NULL, "a", given_value()));
  NULL_REFUSED(belay_object_set(owner, NULL, given_value()));
  NULL_REFUSED(belay_object_will_change(NULL, "a"));
  NULL_REFUSED(belay_object_will_change(owner, NULL));
  NULL_REFUSED(belay_object_did_change(NULL, "a"));
  NULL_REFUSED(belay_object_did_change(owner, NULL));
  NULL_REFUSED(belay_object_begin_changes(NULL));
  NULL_REFUSED(belay_object_end_changes(NULL));
  NULL_GIVES_NULL(belay_object_observe(NULL, "a", NULL));
  NULL_GIVES_NULL(belay_object_observe(owner, NULL, NULL));
  NULL_REFUSED(belay_change_get(belay_null(), NULL));
  CHECK_FAILS(belay_change_get(belay_null(), &change), BELAY_EKIND);
  NULL_REFUSED(belay_bind(NULL, NULL));
  NULL_REFUSED(belay_signal_bind_object(NULL, owner, "a", NULL));
  belay_owner_release(owner);
  belay_type_release(type);
}

static void types_that_cannot_be(void) {
  static const char *const later[] = {"b", NULL}, *const itself[] = {"a", NULL};
#define FIELD(name, kind, parts) {sizeof(belay_field), name, kind, 0, NULL, NULL, parts}
  static const belay_field wrong[][2] = {
      {FIELD(NULL, BELAY_KIND_INT32, NULL), FIELD("b", BELAY_KIND_INT32, NULL)},
      {FIELD("", BELAY_KIND_INT32, NULL), FIELD("b", BELAY_KIND_INT32, NULL)},
      {FIELD("a.b", BELAY_KIND_INT32, NULL), FIELD("b", BELAY_KIND_INT32, NULL)},
      {FIELD("b", BELAY_KIND_INT32, NULL), FIELD("b", BELAY_KIND_INT32, NULL)},
      {FIELD("a", (belay_kind)99, NULL), FIELD("b", BELAY_KIND_INT32, NULL)},
      {FIELD("a", (belay_kind)-1, NULL), FIELD("b", BELAY_KIND_INT32, NULL)},
      {FIELD("a", BELAY_KIND_FAILURE, NULL), FIELD("b", BELAY_KIND_INT32, NULL)},
      {FIELD("a", BELAY_KIND_INT32, later), FIELD("b", BELAY_KIND_INT32, NULL)},
      {FIELD("a", BELAY_KIND_INT32, itself), FIELD("b", BELAY_KIND_INT32, NULL)},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    GIVES_NOTHING(belay_type_create(wrong[i], 2, 0), BELAY_EINVAL);
  GIVES_NOTHING(belay_type_create(thing_fields, 3, 2), BELAY_EINVAL);
  GIVES_NOTHING(belay_type_create(thing_fields, 65, 0), BELAY_ERANGE);
  GIVES_NOTHING(belay_type_create(thing_fields, SIZE_MAX, 0), BELAY_ERANGE);
  belay_type_release(belay_type_create(NULL, 0, 0));
}

static void objects_of_no_class_and_of_another(void) {
  thing it;
  belay_value value;
  belay_type *type = things(), *another = things();
  belay_owner *plain = belay_owner_create(NULL, NULL, NULL, NULL), *owner = owner_of(&it, type);
  REFUSED(belay_object_set_type(plain, type), BELAY_EINVAL);
  CHECK_INT(belay_object_set_type(owner, type), 0);
  REFUSED(belay_object_set_type(owner, another), BELAY_EASSIGNED);
  REFUSED(belay_object_get(plain, "number", &value), BELAY_ENOENT);
  REFUSED(belay_object_set(plain, "number", given_value()), BELAY_ENOENT);
  REFUSED(belay_object_did_change(plain, "number"), BELAY_ENOENT);
  REFUSED(belay_object_begin_changes(plain), BELAY_ENOENT);
  REFUSED(belay_object_end_changes(plain), BELAY_ENOENT);
  REFUSED(belay_object_end_changes(owner), BELAY_ENOENT);
  REFUSED(belay_object_will_change(owner, "number.number"), BELAY_EINVAL);
  REFUSED(belay_object_did_change(owner, ""), BELAY_EINVAL);
  belay_owner_release(plain), belay_owner_release(owner);
  belay_type_release(type), belay_type_release(another);
}

static void paths_that_are_none(void) {
  static const char *const wrong[] = {"", ".", "number.", ".number", "other..number"};
  thing it;
  belay_value value;
  belay_type *type = things();
  belay_owner *owner = owner_of(&it, type);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    REFUSED(belay_object_get(owner, wrong[i], &value), BELAY_EINVAL);
    REFUSED(belay_object_set(owner, wrong[i], given_value()), BELAY_EINVAL);
    GIVES_NOTHING(belay_object_observe(owner, wrong[i], NULL), BELAY_EINVAL);
  }
  /* A hop leads back to the object, a thousand times. */
  char path[20 * 1000 + 10] = "";
  for (int i = 0; i < 1000; i++) memcpy(path + 6 * i, "other.", 6);
  memcpy(path + 6000, "number", 7);
  CHECK_INT(belay_object_set(owner, "other", belay_value_from_owner(owner)), 0);
  belay_observer observer = tracing("");
  belay_signal *signal = belay_object_observe(owner, path, NULL);
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  CHECK_INT(belay_object_set(owner, path, belay_int32(7)), 0);
  CHECK_INT(it.number, 7);
  CHECK_INT(belay_object_set(owner, "other", belay_null()), 0);
  CHECK_TRACE("next 0 | next 7 | next null");
  belay_signal_release(signal);
  /* Once too often: a path has 1024 keys at most. */
  for (int i = 0; i < 1024; i++) memcpy(path + 6 * i, "other.", 6);
  memcpy(path + 6 * 1024, "number", 7);
  REFUSED(belay_object_set(owner, path, belay_int32(8)), BELAY_EINVAL);
  belay_owner_release(owner), belay_type_release(type);
  CHECK_TRACE("completed | disposed | free");
}

/* However many properties there are, they are let go of without recursion. */
static void very_many_properties(void) {
  belay_type *type = belay_type_create(NULL, 0, BELAY_TYPE_DYNAMIC);
  belay_owner *owner = belay_owner_create(NULL, NULL, NULL, NULL);
  CHECK_INT(belay_object_set_type(owner, type), 0);
  for (int i = 0; i < 5000; i++) {
    char key[20];
    snprintf(key, sizeof key, "%d", i);
    CHECK_INT(belay_object_set(owner, key, given_value()), 0);
  }
  belay_owner_release(owner), belay_type_release(type);
}

static void options_that_are_wrong(void) {
  thing it;
  belay_type *type = things();
  belay_owner *owner = owner_of(&it, type);
  belay_observe_options options = {.size = 3};
  GIVES_NOTHING(belay_object_observe(owner, "number", &options), BELAY_EINVAL);
  options = (belay_observe_options){.size = sizeof options, .flags = 32};
  GIVES_NOTHING(belay_object_observe(owner, "number", &options), BELAY_EINVAL);
  belay_owner_release(owner), belay_type_release(type);
}

static void dying_objects(void) {
  thing it;
  belay_value value;
  belay_type *type = things();
  belay_owner *owner = belay_owner_adopt(&it, NULL);
  it = (thing){.any = belay_null()};
  CHECK_INT(belay_object_set_type(owner, type), 0);
  CHECK_INT(belay_owner_will_end(&it), 0);
  REFUSED(belay_object_get(owner, "number", &value), BELAY_EDEAD);
  REFUSED(belay_object_set(owner, "number", given_value()), BELAY_EDEAD);
  REFUSED(belay_object_will_change(owner, "number"), BELAY_EDEAD);
  REFUSED(belay_object_begin_changes(owner), BELAY_EDEAD);
  REFUSED(belay_object_set_type(owner, type), BELAY_EDEAD);
  CHECK_INT(belay_owner_did_end(&it), 0);
  belay_owner_release(owner), belay_type_release(type);
}

static void records_that_are_none(void) {
  belay_change change = BELAY_INIT(belay_change);
  belay_value items[3] = {belay_int32(1), belay_int32(2), belay_int32(3)};
  belay_value array = belay_array_of(items, 3);
  CHECK_FAILS(belay_change_get(array, &change), BELAY_EKIND);
  belay_value_release(array);
}

static void bindings_that_are_not_complete(void) {
  thing it;
  belay_type *type = things();
  belay_owner *owner = owner_of(&it, type);
  belay_property *property = belay_property_create(belay_int32(1), NULL);
  belay_bindable field = BELAY_INIT(belay_bindable, .object = owner, .path = "number");
  belay_bindable box = BELAY_INIT(belay_bindable, .property = property);
  belay_bindable both = field, no_path = field, dotted = field;
  both.property = property, no_path.path = NULL, dotted.path = ".";
  const belay_bindable wrong[] = {BELAY_INIT(belay_bindable), both, no_path, dotted};
  belay_disposable *disposable = (belay_disposable *)&it;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    belay_binding binding = {.size = sizeof binding, .from = &wrong[i], .to = &field,
                             .ctx = &freed, .ctx_free = count_free};
    REFUSED(belay_bind(&binding, &disposable), BELAY_EINVAL);
    CHECK(disposable == NULL);
    CHECK_FREED();
    binding.from = &box, binding.to = &wrong[i];
    REFUSED(belay_bind(&binding, NULL), BELAY_EINVAL);
    CHECK_FREED();
  }
  belay_binding small = {.size = 8};
  REFUSED(belay_bind(&small, NULL), BELAY_EINVAL);
  belay_property_release(property);
  belay_owner_release(owner), belay_type_release(type);
}

/* Hooks kill the object that they belong to. */
static belay_owner *victim;
static belay_value kill_in_getter(void *object) {
  belay_owner *dying = victim;
  (void)object;
  victim = NULL;
  belay_owner_release(dying);
  return belay_int32(1);
}
static int kill_in_setter(void *object, belay_value value) {
  (void)value;
  belay_value_release(kill_in_getter(object));
  return 0;
}
static void getters_and_setters_that_kill(void) {
  static const belay_field fields[] = {
      {sizeof(belay_field), "deadly", BELAY_KIND_INT32, 0, kill_in_getter, kill_in_setter, NULL}};
  static thing it;
  belay_value value;
  for (int how = 0; how < 3; how++) {
    belay_type *type = belay_type_create(fields, 1, 0);
    victim = belay_owner_create(&it, NULL, NULL, NULL);
    belay_owner *handle = victim;
    CHECK_INT(belay_object_set_type(handle, type), 0);
    if (how == 0) SURVIVES(belay_object_get(handle, "deadly", &value));
    if (how == 1) SURVIVES(belay_object_set(handle, "deadly", belay_int32(1)));
    if (how == 2) {
      belay_observer observer = {.size = sizeof observer};
      belay_signal *signal = belay_object_observe(handle, "deadly", NULL);
      SURVIVES(belay_signal_subscribe(signal, &observer, NULL));
      belay_signal_release(signal);
    }
    CHECK(victim == NULL);
    belay_type_release(type);
    trace_clear();
  }
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      CASE(null_everywhere),
      CASE(types_that_cannot_be),
      CASE(objects_of_no_class_and_of_another),
      CASE(paths_that_are_none),
      CASE(very_many_properties),
      CASE(options_that_are_wrong),
      CASE(dying_objects),
      CASE(records_that_are_none),
      CASE(bindings_that_are_not_complete),
      CASE(getters_and_setters_that_kill),
  };
  return RUN_CASES(cases);
}
