/* Guarded objects: which writes are reported, and how long an object is guarded. */
#define _GNU_SOURCE
#include "guarded.h"

#include <dlfcn.h>
#include <sys/syscall.h>
#include <unistd.h>

static void D_12_each_unannounced_write_is_reported_with_its_key(void) {
  person *it;
  belay_owner *ann = guarded(&it);
  uint64_t before = belay_unannounced_write_count();
  hear();
  WRITE(it->level, 2);
  belay_unannounced_write *first = &told[0].write;
  Dl_info object;
  CHECK_INT(first->size, sizeof *first);
  CHECK(first->object == it);
  CHECK(first->address == &it->level);
  CHECK_STRING(first->key, "level");
  CHECK_STRING(first->label, "Ann");
  CHECK_INT(first->thread, syscall(SYS_gettid));
  CHECK(dladdr(first->code, &object));
  CHECK_INT(first->offset, (const char *)first->code - (const char *)object.dli_fbase);
  CHECK(strstr(told[0].module, "test_guard") != NULL);
  WRITE(it->age, 3);
  WRITE(it->level, 4);
  WRITE(it->level, 5);
  CHECK_KEYS(EACH("level age level level", "level"));
  CHECK_INT(belay_unannounced_write_count() - before, EACH(4, 1));
  CHECK(it->age == 3 && it->level == 5);
  belay_owner_release(ann);
  hear_no_more();
}

static void D_12_fields_of_every_sort_have_their_bytes(void) {
  person *it;
  belay_owner *ann = guarded(&it);
  hear();
  WRITE(it->boss, NULL), look_at(ann);
  WRITE(it->limited, 1), look_at(ann);
  WRITE(it->area, 1), look_at(ann);
  WRITE(it->unseen[0], 1), look_at(ann);
  WRITE(((char *)&it->score)[7], 1), look_at(ann);
  WRITE(((char *)&it->name)[15], 0), look_at(ann);
  CHECK_KEYS("boss limited area - score name");
  ((volatile unaligned_double *)it->edge)->value = 1.5, look_at(ann);
  WRITE(it->far, 1), look_at(ann);
  WRITE(it->age, 1), look_at(ann);
  CHECK_KEYS("edge far age");
  CHECK(((unaligned_double *)it->edge)->value == 1.5);
  belay_owner_release(ann);
  hear_no_more();
}

static void D_12_an_announced_write_is_not_reported(void) {
  person *it;
  belay_owner *ann = guarded(&it);
  hear();
  CHECK_INT(belay_object_will_change(ann, "age"), 0);
  WRITE(it->age, 1);
  CHECK_INT(belay_object_will_change(ann, "age"), 0);
  CHECK_INT(belay_object_will_change(ann, "far"), 0);
  CHECK_INT(belay_object_did_change(ann, "age"), 0);
  CHECK_FAILS(belay_object_did_change(ann, "nobody"), BELAY_ENOENT);
  WRITE(it->far, 2);
  CHECK_INT(belay_object_did_change(ann, "age"), 0);
  WRITE(it->far, 3);
  CHECK_INT(belay_object_did_change(ann, "far"), 0);
  CHECK_INT(belay_object_will_change(ann, "nothing"), 0); /* has no bytes of its own */
  WRITE(it->far, 4);
  CHECK_INT(belay_object_did_change(ann, "nothing"), 0);
  CHECK_KEYS("");
  WRITE(it->age, 4), look_at(ann);
  CHECK_KEYS("age");
  CHECK_INT(belay_object_did_change(ann, "age"), 0);
  CHECK_FAILS(belay_object_will_change(ann, "nobody"), BELAY_ENOENT);
  CHECK_INT(belay_object_begin_changes(ann), 0);
  WRITE(it->age, 5), look_at(ann);
  CHECK_INT(belay_object_end_changes(ann), 0);
  CHECK_KEYS("age");
  belay_owner_release(ann);
  hear_no_more();
}

static void release_name(void *object) { belay_value_release(((person *)object)->name); }
static void D_12_what_belay_and_setters_write_is_not_reported(void) {
  person *it, *other;
  belay_owner *ann = guarded_with(&it, release_name), *bob = guarded(&other);
  hear();
  CHECK_INT(belay_object_set(ann, "age", belay_int32(7)), 0);
  CHECK_INT(belay_object_set(ann, "name", belay_string("a name that is longer than two words")), 0);
  CHECK_INT(belay_object_set(ann, "boss", belay_value_from_owner(bob)), 0);
  CHECK_INT(belay_object_set(ann, "boss.far", belay_int32(8)), 0);
  CHECK_INT(belay_object_set(ann, "limited", belay_int32(9)), 0);
  CHECK_FAILS(belay_object_set(ann, "age", belay_string("x")), BELAY_EKIND);
  CHECK_INT(it->age + it->level + it->limited + other->far, 7 + 1 + 9 + 8);
  CHECK_KEYS("");
  WRITE(other->far, 1), look_at(bob);
  WRITE(it->limited, 1), look_at(ann);
  CHECK_KEYS("far limited");
  CHECK_INT(belay_object_set(ann, "boss", belay_null()), 0);
  belay_owner_release(ann);
  belay_owner_release(bob);
  hear_no_more();
}

static void write_level(void *ctx, belay_value value) {
  (void)value;
  person *it = ctx;
  WRITE(it->level, 1);
}
static void D_12_an_observer_may_write_no_more_than_others(void) {
  person *it;
  belay_owner *ann = guarded(&it);
  belay_observer observer = {.size = sizeof observer, .next = write_level, .ctx = it};
  belay_disposable *subscription = NULL;
  belay_signal *ages = belay_object_observe(ann, "age", NULL);
  hear();
  CHECK_INT(belay_signal_subscribe(ages, &observer, &subscription), 0);
  belay_signal_release(ages);
  look_at(ann);
  CHECK_KEYS("level");
  CHECK_INT(belay_object_will_change(ann, "age"), 0);
  WRITE(it->age, 1);
  CHECK_INT(belay_object_did_change(ann, "age"), 0);
  CHECK_KEYS("level");
  end_subscription(subscription);
  belay_owner_release(ann);
  hear_no_more();
}

static void write_when_gone(void *object) {
  WRITE(((person *)object)->age, 1);
  trace("deinit %d", ((person *)object)->age);
}
static void D_12_death_ends_the_guard_before_deinit(void) {
  person *it;
  belay_owner *ann = guarded_with(&it, write_when_gone);
  hear();
  belay_owner_release(ann);
  CHECK_TRACE("deinit 1");
  CHECK_KEYS("");
  hear_no_more();
}

static void D_12_memory_can_go_before_its_owner(void) {
  person *it, *next;
  belay_owner *gone, *late;
  belay_type *type = belay_type_create(fields, sizeof fields / sizeof *fields, 0);
  it = belay_guarded_create(sizeof *it);
  gone = belay_owner_create(it, NULL, NULL, NULL);
  CHECK_INT(belay_object_set_type(gone, type), 0);
  CHECK_INT(belay_object_guard(gone), 0);
  belay_guarded_destroy(it);
  /* It may well get the same address. */
  late = guarded(&next);
  CHECK_FAILS(belay_object_guard(gone), it == next ? BELAY_EBUSY : BELAY_EINVAL);
  belay_owner_release(gone);
  hear();
  WRITE(next->age, 1);
  CHECK_KEYS("age");
  belay_owner_release(late);
  belay_type_release(type);
  hear_no_more();
}

static void D_12_wrong_arguments_are_refused(void) {
  int local = 0;
  CHECK(belay_guarded_create(0) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
  CHECK(belay_guarded_create(SIZE_MAX) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_ENOMEM);
  uint64_t misuses = belay_misuse_count();
  belay_guarded_destroy(NULL);
  CHECK_INT(belay_misuse_count(), misuses);
  belay_guarded_destroy(&local);
  CHECK_INT(belay_misuse_count(), misuses + 1);
  CHECK_FAILS(belay_object_guard(NULL), BELAY_EINVAL);

  belay_type *type = belay_type_create(fields, sizeof fields / sizeof *fields, 0);
  belay_owner *none = belay_owner_create(NULL, NULL, NULL, NULL);
  belay_owner *elsewhere = belay_owner_create(&local, NULL, NULL, NULL);
  CHECK_FAILS(belay_object_guard(none), BELAY_EINVAL);
  CHECK_FAILS(belay_object_guard(elsewhere), BELAY_ENOENT);
  CHECK_INT(belay_object_set_type(elsewhere, type), 0);
  CHECK_FAILS(belay_object_guard(elsewhere), BELAY_EINVAL);

  person *it;
  belay_owner *ann = guarded(&it), *rival = belay_owner_create(it, NULL, NULL, NULL);
  belay_owner *inside = belay_owner_create(&it->level, NULL, NULL, NULL);
  CHECK_INT(belay_object_guard(ann), 0);
  CHECK_INT(belay_object_set_type(rival, type), 0);
  CHECK_INT(belay_object_set_type(inside, type), 0);
  CHECK_FAILS(belay_object_guard(rival), BELAY_EBUSY);
  CHECK_FAILS(belay_object_guard(inside), BELAY_EINVAL);
  belay_owner_release(none), belay_owner_release(elsewhere);
  belay_owner_release(rival), belay_owner_release(inside);
  /* Its guard was not ended with its rival. */
  hear();
  WRITE(it->age, 1);
  CHECK_KEYS("age");
  belay_owner_release(ann);
  belay_type_release(type);
  hear_no_more();
}

static belay_owner *dying;
static void guard_again(void *object) {
  (void)object;
  CHECK_FAILS(belay_object_guard(dying), BELAY_EDEAD);
  trace("dying");
}
static void D_12_a_dying_object_cannot_be_guarded(void) {
  person *it;
  dying = guarded_with(&it, guard_again);
  belay_owner_release(dying);
  CHECK_TRACE("dying");
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      CASE(D_12_each_unannounced_write_is_reported_with_its_key),
      CASE(D_12_fields_of_every_sort_have_their_bytes),
      CASE(D_12_an_announced_write_is_not_reported),
      CASE(D_12_what_belay_and_setters_write_is_not_reported),
      CASE(D_12_an_observer_may_write_no_more_than_others),
      CASE(D_12_death_ends_the_guard_before_deinit),
      CASE(D_12_memory_can_go_before_its_owner),
      CASE(D_12_wrong_arguments_are_refused),
      CASE(D_12_a_dying_object_cannot_be_guarded),
  };
  return RUN_CASES(cases);
}
