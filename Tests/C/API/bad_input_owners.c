/* Nonsense for owners and weak references. */
#include "bad_input.h"

/* ---- NULL ---- */

static void null_owners(void) {
  belay_disposable *d = belay_boolean_create();
  CHECK(belay_owner_retain(NULL) == NULL);
  belay_owner_release(NULL);
  CHECK(belay_owner_object(NULL) == NULL);
  CHECK_INT(belay_owner_is_dying(NULL), 1);
  SURVIVES(belay_owner_label(NULL));
  NULL_GIVES_NULL(belay_owner_deallocating(NULL));
  NULL_GIVES_NULL(belay_owner_deallocated(NULL));
  NULL_GIVES_NULL(belay_owner_get_compound(NULL));
  NULL_REFUSED(belay_owner_add(NULL, d));
  NULL_REFUSED(belay_owner_add(NULL, NULL));
  CHECK_INT(belay_disposable_is_disposed(d), 0);
  called = 0;
  NULL_REFUSED(belay_owner_add_action(NULL, count_call, GIVEN));
  CHECK_FREED();
  NULL_REFUSED(belay_owner_add_action(NULL, NULL, GIVEN));
  CHECK_FREED();
  NULL_REFUSED(belay_owner_add_action(NULL, NULL, NULL, NULL));
  CHECK_INT(called, 0);
  belay_disposable_release(d);
}

static void null_weak_references(void) {
  NULL_GIVES_NULL(belay_weak_create(NULL));
  CHECK(belay_weak_retain(NULL) == NULL);
  belay_weak_release(NULL);
  CHECK(belay_weak_upgrade(NULL) == NULL);
  belay_last_error();
}

static void null_pointers_adopted(void) {
  NULL_GIVES_NULL(belay_owner_adopt(NULL, NULL));
  NULL_GIVES_NULL(belay_owner_adopt(NULL, &(belay_owner_options){.size = 0}));
  NULL_REFUSED(belay_owner_end(NULL, NULL, NULL));
  NULL_REFUSED(belay_owner_will_end(NULL));
  NULL_REFUSED(belay_owner_did_end(NULL));
}

static void null_members(void) {
  belay_owner *owner = belay_owner_create(NULL, NULL, NULL, NULL);
  CHECK(owner != NULL);
  CHECK(belay_owner_object(owner) == NULL);
  SURVIVES(belay_owner_label(owner));
  NULL_REFUSED(belay_owner_add(owner, NULL));
  CHECK_INT(belay_compound_count(belay_owner_get_compound(owner)), 0);
  SURVIVES(belay_owner_add_action(owner, NULL, GIVEN));
  belay_owner_release(owner);
  CHECK_FREED();
}

static void tell(void *user_info, const char *name, void *address) { called++; }
static void handle(void *ctx, const belay_owner_event *event) { called++; }
static void null_notices_associations_children_and_events(void) {
  belay_owner *owner = belay_owner_create(NULL, NULL, NULL, NULL);
  static const char key;
  called = 0;
  NULL_REFUSED(belay_notice_set(NULL, "n", tell, GIVEN));
  CHECK_FREED();
  NULL_REFUSED(belay_notice_set(owner, NULL, tell, GIVEN));
  CHECK_FREED();
  NULL_REFUSED(belay_notice_remove(NULL, "n"));
  NULL_REFUSED(belay_notice_remove(owner, NULL));
  NULL_GIVES_NULL(belay_notice_user_info(NULL, "n"));
  NULL_GIVES_NULL(belay_notice_user_info(owner, NULL));
  CHECK_INT(belay_notice_each(NULL, NULL, NULL), 0);
  CHECK_INT(belay_notice_set(owner, "n", NULL, GIVEN), 0); /* without a callback nobody is told */
  NULL_REFUSED(belay_association_set(NULL, NULL));
  NULL_REFUSED(belay_association_set(owner, NULL));
  NULL_REFUSED(belay_association_remove(NULL, &key, NULL));
  NULL_REFUSED(belay_association_remove(owner, NULL, NULL));
  NULL_GIVES_NULL(belay_association_get(NULL, &key, NULL));
  NULL_REFUSED(belay_owner_add_child(NULL, NULL));
  NULL_REFUSED(belay_owner_remove_child(NULL, NULL));
  NULL_REFUSED(belay_owner_adopt_slot(NULL, NULL, NULL, NULL));
  NULL_REFUSED(belay_owner_event_watch(NULL, NULL, NULL, 0, NULL, NULL, NULL));
  NULL_REFUSED(belay_owner_event_unwatch(owner, owner, NULL, 0));
  NULL_REFUSED(belay_owner_event_unwatch_name(owner, NULL, "e"));
  NULL_REFUSED(belay_owner_event_unwatch_source(owner, NULL));
  NULL_REFUSED(belay_owner_event_unwatch_all(NULL));
  NULL_REFUSED(belay_owner_event_post(owner, NULL, given_value()));
  NULL_REFUSED(belay_owner_event_post(NULL, "e", given_value()));
  belay_owner_release(owner);
  CHECK_FREED();
  CHECK_INT(called, 0);
}

/* An owner's name or level may come from somebody else: any bytes are accepted. */
static void odd_names_and_levels(void) {
  static const int levels[] = {INT_MIN, -1, 0, 1, INT_MAX};
  static const char *const names[] = {"", " ", "\xff\xfe", "%s%n", "a\nb"};
  belay_owner *owner = belay_owner_create(NULL, NULL, NULL, NULL);
  called = 0;
  for (int i = 0; i < 5; i++) {
    CHECK_INT(belay_notice_set(owner, names[i], tell, NULL, NULL), 0);
    for (int j = 0; j < 5; j++)
      CHECK_INT(belay_owner_event_watch(owner, owner, names[i], levels[j], handle, GIVEN), 0);
    CHECK_INT(belay_owner_event_post(owner, names[i], given_value()), 0);
    CHECK_INT(called, 5 * (i + 1));
  }
  CHECK_INT(belay_notice_each(owner, NULL, NULL), 5);
  called = 0;
  belay_owner_release(owner);
  CHECK_INT(called, 5);
  CHECK_INT(freed, 25);
  freed = 0;
}

/* Each of object, deinit and dealloc may be missing. */
static void owners_of_little(void) {
  belay_owner_release(belay_owner_create("o", NULL, NULL, NULL));
  belay_owner_release(belay_owner_create("o", trace_action, NULL, NULL));
  CHECK_TRACE("action o");
  belay_owner_release(belay_owner_create("o", NULL, trace_free, NULL));
  CHECK_TRACE("free o");
  called = 0;
  belay_owner_release(belay_owner_create(NULL, count_call, count_call, NULL));
  CHECK_INT(called, 2);
  belay_owner_release(belay_owner_create(NULL, NULL, NULL, NULL));
}

/* ---- options ---- */

static void options_that_make_no_sense(void) {
  static const size_t sizes[] = {0, 1, sizeof(size_t), sizeof(belay_owner_options) - 1};
  int object = 1;
  called = 0;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    belay_owner_options options = {.size = sizes[i]};
    GIVES_NOTHING(belay_owner_create(&object, count_call, count_call, &options),
                  BELAY_EINVAL);
    GIVES_NOTHING(belay_owner_adopt(&object, &options), BELAY_EINVAL);
  }
  CHECK_INT(called, 0); /* no owner came about, so no end was told */
  belay_loop *loop = belay_loop_create(NULL);
  CHECK_INT(belay_loop_close(loop, NULL, NULL, NULL), 0);
  belay_owner_options options = {.size = sizeof options, .loop = loop};
  GIVES_NOTHING(belay_owner_create(&object, count_call, count_call, &options),
                BELAY_ECLOSED);
  GIVES_NOTHING(belay_owner_adopt(&object, &options), BELAY_ECLOSED);
  belay_loop_release(loop);
  options.loop = NULL;
  options.label = "\xff\xfe";
  belay_owner *owner = belay_owner_create(&object, NULL, NULL, &options);
  CHECK_STRING(belay_owner_label(owner), "\xff\xfe");
  belay_owner_release(owner);
}

/* ---- ends in the wrong state ---- */

static void destroy(void *name) { trace("destroy %s", (const char *)name); }

static void the_end_of_what_nobody_adopted(void) {
  int object = 1;
  CHECK_INT(belay_owner_end(&object, destroy, "it"), 0);
  CHECK_TRACE("destroy it");
  CHECK_INT(belay_owner_end(&object, NULL, NULL), 0);
  CHECK(!belay_last_error());
}

static void did_end_without_will_end(void) {
  int object = 1;
  REFUSED(belay_owner_did_end(&object), BELAY_ENOENT);
  belay_owner *owner = belay_owner_adopt(&object, NULL);
  REFUSED(belay_owner_did_end(&object), BELAY_ENOENT);
  CHECK_INT(belay_owner_is_dying(owner), 0);
  CHECK_INT(belay_owner_end(&object, NULL, NULL), 0);
  REFUSED(belay_owner_did_end(&object), BELAY_ENOENT);
  belay_owner_release(owner);
}

static void will_end_twice(void) {
  int object = 1;
  belay_owner *owner = belay_owner_adopt(&object, NULL);
  CHECK_INT(belay_owner_will_end(&object), 0);
  REFUSED(belay_owner_will_end(&object), BELAY_EDEAD);
  REFUSED(belay_owner_end(&object, destroy, "it"), BELAY_EDEAD);
  CHECK_TRACE("");
  CHECK_INT(belay_owner_did_end(&object), 0);
  REFUSED(belay_owner_did_end(&object), BELAY_ENOENT);
  belay_owner_release(owner);
}

static int nested;
static void end_again(void *pointer) {
  trace("destroy");
  REFUSED(belay_owner_end(pointer, destroy, "again"), BELAY_EDEAD);
  REFUSED(belay_owner_will_end(pointer), BELAY_EDEAD);
}
static void end_inside_end(void) {
  belay_owner *owner = belay_owner_adopt(&nested, NULL);
  CHECK_INT(belay_owner_end(&nested, end_again, &nested), 0);
  CHECK_TRACE("destroy");
  belay_owner_release(owner);
}

/* ---- the dead ---- */

static void asking_the_dead(void) {
  int object = 1;
  belay_owner *owner = belay_owner_adopt(&object, NULL);
  belay_weak *weak = belay_weak_create(owner);
  CHECK_INT(belay_owner_end(&object, NULL, NULL), 0);
  CHECK_INT(belay_owner_is_dying(owner), 1);
  CHECK(belay_owner_object(owner) == NULL);
  CHECK(belay_weak_upgrade(weak) == NULL);
  CHECK(!belay_last_error());
  belay_weak_release(weak);
  CHECK(belay_owner_get_compound(owner) == NULL);
  belay_last_error();
  SURVIVES(weak = belay_weak_create(owner));
  CHECK(belay_weak_upgrade(weak) == NULL);
  belay_weak_release(weak);
  belay_last_error();

  belay_disposable *d = belay_disposable_create(trace_action, "d", trace_free);
  SURVIVES(belay_owner_add(owner, d));
  CHECK_TRACE("action d | free d");
  belay_disposable_release(d);
  SURVIVES(belay_owner_add_action(owner, trace_action, "a", trace_free));
  CHECK_TRACE("action a | free a");
  CHECK(belay_owner_retain(owner) == owner);
  belay_owner_release(owner);
  belay_owner_release(owner);
}

static void binding_what_is_disposed(void) {
  belay_owner *owner = belay_owner_create(NULL, NULL, NULL, NULL);
  belay_disposable *d = belay_disposable_create(trace_action, "d", trace_free);
  belay_disposable_dispose(d);
  CHECK_TRACE("action d | free d");
  CHECK_INT(belay_owner_add(owner, d), 0);
  CHECK_INT(belay_compound_count(belay_owner_get_compound(owner)), 0);
  belay_disposable_release(d);
  belay_owner_release(owner);
}

/* An owner's compound that contains itself would never end. */
static void a_compound_bound_to_its_owner(void) {
  belay_owner *owner = belay_owner_create(NULL, NULL, NULL, NULL);
  belay_disposable *compound = belay_owner_get_compound(owner);
  REFUSED(belay_compound_add(compound, compound, NULL), BELAY_EINVAL);
  SURVIVES(belay_owner_add(owner, compound));
  CHECK_INT(belay_owner_add_action(owner, trace_action, "a", trace_free), 0);
  belay_owner_release(owner);
  CHECK_TRACE("action a | free a");
}

static const test_case cases[] = {
    CASE(null_owners),
    CASE(null_weak_references),
    CASE(null_pointers_adopted),
    CASE(null_members),
    CASE(null_notices_associations_children_and_events),
    CASE(odd_names_and_levels),
    CASE(owners_of_little),
    CASE(options_that_make_no_sense),
    CASE(the_end_of_what_nobody_adopted),
    CASE(did_end_without_will_end),
    CASE(will_end_twice),
    CASE(end_inside_end),
    CASE(asking_the_dead),
    CASE(binding_what_is_disposed),
    CASE(a_compound_bound_to_its_owner),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
