/* Ends that are found by wrapping a class's destroy function: A1-01 to A1-14, A1-20 to A1-22,
   A3-50. */
#include "worker.h"

#include <errno.h>

/* ---- two classes in C, one derived from the other ---- */
typedef struct object object;
typedef struct class {
  const char *name;
  belay_destroy_fn destroy;
} class;
struct object {
  const class *is_a;
  int number;
};

static class base, derived; /* each case fills them in */
static void destroy_base(void *it) {
  trace("base %d", ((object *)it)->number);
  ((object *)it)->is_a = NULL;
}
static void destroy_derived(void *it) {
  trace("derived %d", ((object *)it)->number);
  base.destroy(it); /* through the table, where it may be wrapped */
}
static void destroy(object *it) { it->is_a->destroy(it); }

/* A table stays wrapped for ever, so each case has its own. */
enum { TABLES = 24 };
static class tables[TABLES];
static int used;
static class *new_class(const char *name, belay_destroy_fn function) {
  class *it = &tables[used++];
  CHECK(used <= TABLES);
  *it = (class){name, function};
  return it;
}

static void follow(belay_owner *owner) {
  static const char *const names[] = {"deallocating", "deallocated"};
  for (int i = 0; i < 2; i++) {
    belay_observer observer = rendering(names[i]);
    observer.disposed = NULL, observer.ctx_free = NULL;
    belay_signal *signal = i ? belay_owner_deallocated(owner) : belay_owner_deallocating(owner);
    CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
    belay_signal_release(signal);
  }
}
static belay_owner *adopted(object *it, class *of) {
  belay_owner *owner = NULL;
  CHECK_INT(belay_owner_adopt_slot(it, &of->destroy, NULL, &owner), 0);
  CHECK(owner != NULL);
  return owner;
}
#define AFTER "deallocating completed | deallocated next null | deallocated completed"

static void A1_01_A1_02_A1_03_deallocating_the_original_deallocated(void) {
  class *plain = new_class("plain", destroy_base);
  object it = {plain, 1};
  belay_owner *owner = adopted(&it, plain);
  CHECK(belay_owner_object(owner) == &it);
  follow(owner);
  belay_owner_add_action(owner, trace_action, "bound", NULL);
  belay_owner_release(owner); /* the object ends, not its owner's handle */
  CHECK_TRACE("");
  destroy(&it);
  CHECK_TRACE("deallocating next null | action bound | base 1 | " AFTER);
}

static void tell(void *user_info, const char *name, void *address) {
  trace("%s %d", name, address == user_info);
}
static void A4_04_notices_and_associated_objects_are_between(void) {
  static char key;
  class *plain = new_class("plain", destroy_base);
  object it = {plain, 1};
  belay_owner *owner = adopted(&it, plain);
  belay_association association = {.size = sizeof association, .key = &key,
                                   .object = "associated", .free = trace_free};
  CHECK_INT(belay_association_set(owner, &association), 0);
  CHECK_INT(belay_notice_set(owner, "notice", tell, &it, NULL), 0);
  belay_owner_release(owner);
  destroy(&it);
  CHECK_TRACE("base 1 | notice 1 | free associated");
}

static void A1_04_A1_05_A1_06_late_by_themselves_and_the_same(void) {
  class *plain = new_class("plain", destroy_base);
  object it = {plain, 1};
  belay_owner *owner = adopted(&it, plain), *again = adopted(&it, plain);
  CHECK(again == owner);
  belay_owner_release(again);
  belay_signal *deallocated = belay_owner_deallocated(owner);
  belay_disposable *subscription = watched(belay_signal_retain(deallocated), "");
  belay_owner_release(owner);
  destroy(&it);
  CHECK_INT(belay_disposable_is_disposed(subscription), 1);
  CHECK_TRACE("base 1 | next null | completed | disposed | free");
  watch(deallocated, "late");
  CHECK_TRACE("late next null | late completed | late disposed | late free");
  belay_disposable_release(subscription);
}

static void A1_08_A1_09_observing_delays_nothing_and_may_end_before(void) {
  class *plain = new_class("plain", destroy_base);
  object it = {plain, 1};
  belay_owner *owner = adopted(&it, plain);
  end_subscription(watched(belay_owner_deallocating(owner), "a"));
  CHECK_TRACE("a disposed | a free");
  destroy(&it); /* with a handle held */
  CHECK_TRACE("base 1");
  CHECK_INT(belay_owner_is_dying(owner), 1);
  belay_owner_release(owner);
}

/* ---- A1-10: what cannot be installed is an error event, and the other sequence works ---- */
static void A1_10_a_failure_is_an_error_event_and_deallocated_cannot_fail(void) {
  static const class constant = {"constant", destroy_base};
  object it = {&constant, 1};
  belay_owner *owner = NULL;
  CHECK_FAILS(belay_owner_adopt_slot(&it, (belay_destroy_fn *)&constant.destroy, NULL, &owner),
              -EACCES);
  CHECK(owner != NULL);
  watch(belay_owner_deallocating(owner), "deallocating");
  CHECK_TRACE("deallocating error EACCES | deallocating disposed | deallocating free");
  watch(belay_owner_deallocated(owner), "deallocated");
  destroy(&it); /* the object still works */
  CHECK_TRACE("base 1");
  CHECK_INT(belay_owner_end(&it, NULL, NULL), 0);
  CHECK_TRACE("deallocated next null | deallocated completed | deallocated disposed | "
              "deallocated free");
  belay_owner_release(owner);
}

/* ---- A1-11, A1-12 ---- */
static void A1_11_once_a_table_and_only_who_asked(void) {
  class *plain = new_class("plain", destroy_base);
  object watched_one = {plain, 1}, other = {plain, 2}, third = {plain, 3};
  belay_owner *owner = adopted(&watched_one, plain);
  belay_destroy_fn wrapper = plain->destroy;
  CHECK(wrapper != destroy_base);
  belay_owner *second = adopted(&third, plain);
  CHECK(plain->destroy == wrapper);
  follow(owner), follow(second);
  destroy(&other);
  CHECK_TRACE("base 2");
  destroy(&watched_one);
  CHECK_TRACE("deallocating next null | base 1 | " AFTER);
  CHECK(plain->destroy == wrapper); /* the table stays wrapped */
  destroy(&third);
  CHECK_TRACE("deallocating next null | base 3 | " AFTER);
  belay_owner_release(owner), belay_owner_release(second);
}

static void A1_11_a_base_and_a_derived_table_do_not_fire_twice(void) {
  base = (class){"base", destroy_base};
  derived = (class){"derived", destroy_derived};
  object of_base = {&base, 1}, of_derived = {&derived, 2}, unknown = {&derived, 3};
  belay_owner *one = adopted(&of_base, &base), *two = adopted(&of_derived, &derived);
  follow(one), follow(two);
  destroy(&of_derived);
  CHECK_TRACE("deallocating next null | derived 2 | base 2 | " AFTER);
  destroy(&of_base);
  CHECK_TRACE("deallocating next null | base 1 | " AFTER);
  destroy(&unknown);
  CHECK_TRACE("derived 3 | base 3");
  belay_owner_release(one), belay_owner_release(two);
}

/* A table without a destroy function of its own has a copy of its base's, which may be wrapped. */
static void A1_12_a_table_copied_from_a_wrapped_one(void) {
  class *plain = new_class("plain", destroy_base);
  object it = {plain, 1};
  belay_owner *owner = adopted(&it, plain);
  class *copied = new_class("copied", plain->destroy);
  object other = {copied, 2};
  belay_owner *second = adopted(&other, copied);
  CHECK(copied->destroy == plain->destroy);
  follow(second);
  destroy(&other);
  CHECK_TRACE("deallocating next null | base 2 | " AFTER);
  destroy(&it);
  CHECK_TRACE("base 1");
  belay_owner_release(owner), belay_owner_release(second);
}

/* ---- A1-13 ---- */
static belay_destroy_fn theirs_wraps;
static void destroy_theirs(void *it) {
  trace("theirs");
  theirs_wraps(it);
}
static void A1_13_somebody_elses_replacement_is_reported(void) {
  class *plain = new_class("plain", destroy_base);
  object first = {plain, 1}, second = {plain, 2};
  belay_owner *owner = adopted(&first, plain), *late = NULL;
  theirs_wraps = plain->destroy;
  plain->destroy = destroy_theirs;
  CHECK_FAILS(belay_owner_adopt_slot(&second, &plain->destroy, NULL, &late), BELAY_EMISMATCH);
  CHECK(plain->destroy == destroy_theirs); /* it is left as it is */
  watch(belay_owner_deallocating(late), "late");
  CHECK_TRACE("late error EMISMATCH | late disposed | late free");
  /* Their function calls ours: an object that was adopted before still dies in order. */
  follow(owner);
  destroy(&first);
  CHECK_TRACE("theirs | deallocating next null | base 1 | " AFTER);
  CHECK_INT(belay_owner_end(&second, NULL, NULL), 0);
  plain->destroy = theirs_wraps;
  object third = {plain, 3};
  belay_owner *again = adopted(&third, plain); /* their function is back, and it works again */
  destroy(&third);
  CHECK_TRACE("base 3");
  belay_owner_release(owner), belay_owner_release(late), belay_owner_release(again);
}

/* ---- A1-14: "will die" is no promise ---- */
static void A1_14_without_the_body_deallocated_does_not_come(void) {
  class *plain = new_class("plain", destroy_base);
  object it = {plain, 1};
  belay_owner *owner = adopted(&it, plain);
  follow(owner);
  CHECK_INT(belay_owner_will_end(&it), 0);
  CHECK_TRACE("deallocating next null");
  destroy(&it); /* a death that was declared continues as declared */
  CHECK_TRACE("base 1");
  CHECK_INT(belay_owner_did_end(&it), 0);
  CHECK_TRACE(AFTER);
  belay_owner_release(owner);
}

/* ---- A1-20 to A1-22: before and after the call are the two sequences ---- */
static void A1_20_A1_22_before_the_body_and_after_it(void) {
  class *plain = new_class("plain", destroy_base);
  object it = {plain, 1};
  belay_owner *owner = adopted(&it, plain);
  /* the order of subscribing is not the order of the death */
  watch(belay_owner_deallocated(owner), "invoked");
  watch(belay_owner_deallocating(owner), "sent");
  belay_owner_release(owner);
  destroy(&it);
  CHECK_TRACE(
      "sent next null | base 1 | sent completed | sent disposed | sent free | "
      "invoked next null | invoked completed | invoked disposed | invoked free");
}

static void A3_50_take_during_completes_before_the_body(void) {
  class *plain = new_class("plain", destroy_base);
  object it = {plain, 1};
  belay_owner *owner = adopted(&it, plain);
  watch(belay_signal_chain(belay_signal_never(), belay_op_take_during(owner)), "");
  belay_owner_release(owner);
  destroy(&it);
  CHECK_TRACE("completed | disposed | free | base 1");
}

/* ---- inside, elsewhere ---- */
static object *to_destroy;
static void destroy_in_next(void *ctx, belay_value value) {
  trace("next");
  destroy(to_destroy);
  trace("next ends");
}
static void a_death_inside_a_bound_callback_is_at_once(void) {
  class *plain = new_class("plain", destroy_base);
  object it = {plain, 1};
  belay_owner *owner = adopted(&it, plain);
  belay_signal *subject = belay_subject_create(NULL);
  belay_observer observer = {.size = sizeof observer, .next = destroy_in_next};
  to_destroy = &it;
  observer.owner = owner;
  CHECK_INT(belay_signal_subscribe(subject, &observer, NULL), 0);
  belay_owner_release(owner);
  belay_subject_next(subject, belay_null());
  CHECK_TRACE("next | base 1 | next ends");
  belay_signal_release(subject);
}

static void destroy_elsewhere(void *it) { destroy(it); }
static void A1_28_the_notices_are_on_the_thread_that_destroys(void) {
  class *plain = new_class("plain", destroy_base);
  object it = {plain, 1};
  belay_owner *owner = adopted(&it, plain);
  follow(owner);
  in_thread(destroy_elsewhere, &it);
  CHECK_TRACE("deallocating next null | base 1 | " AFTER);
  belay_owner_release(owner);
}

static void an_address_that_is_used_again(void) {
  class *plain = new_class("plain", destroy_base);
  object it = {plain, 1};
  belay_owner *old = adopted(&it, plain);
  destroy(&it);
  it = (object){plain, 2};
  destroy(&it);
  belay_owner *new = adopted(&it, plain);
  CHECK(new != old);
  CHECK_INT(belay_owner_is_dying(new), 0);
  follow(new);
  CHECK_TRACE("base 1 | base 2");
  it.is_a = plain;
  destroy(&it);
  CHECK_TRACE("deallocating next null | base 2 | " AFTER);
  belay_owner_release(old), belay_owner_release(new);
}

/* ---- nonsense ---- */
/* Like free(). */
static void free_any(void *it) {
  if (it) free(it);
}
static void NULL_is_no_object_that_has_died(void) {
  enum { OBJECTS = 64 };
  class *plain = new_class("plain", free_any);
  belay_owner *owners[OBJECTS];
  object *its[OBJECTS];
  for (int i = 0; i < OBJECTS; i++) {
    its[i] = malloc(sizeof *its[i]);
    owners[i] = adopted(its[i], plain);
  }
  for (int i = 0; i < OBJECTS; i++) {
    plain->destroy(its[i]);
    belay_owner_release(owners[i]);
    plain->destroy(NULL);
  }
}

static void nonsense(void) {
  class *plain = new_class("plain", destroy_base), *empty = new_class("empty", NULL);
  object it = {plain, 1};
  belay_owner *owner = (belay_owner *)&it;
  CHECK_FAILS(belay_owner_adopt_slot(NULL, &plain->destroy, NULL, &owner), BELAY_EINVAL);
  CHECK(owner == NULL);
  CHECK_FAILS(belay_owner_adopt_slot(&it, NULL, NULL, &owner), BELAY_EINVAL);
  CHECK(owner == NULL);
  belay_owner_options options = {.size = 3};
  CHECK_FAILS(belay_owner_adopt_slot(&it, &plain->destroy, &options, &owner), BELAY_EINVAL);
  belay_loop *loop = open_loop();
  options = (belay_owner_options){.size = sizeof options, .loop = loop};
  CHECK_FAILS(belay_owner_adopt_slot(&it, &plain->destroy, &options, &owner), BELAY_EINVAL);
  CHECK(owner == NULL);
  belay_owner_options elsewhere = {.size = sizeof elsewhere,
                                   .scheduler = belay_loop_get_scheduler(loop)};
  CHECK_FAILS(belay_owner_adopt_slot(&it, &plain->destroy, &elsewhere, &owner), BELAY_EINVAL);
  CHECK(owner == NULL);
  CHECK(plain->destroy == destroy_base);
  /* The object has an owner with a loop already. */
  belay_owner *known = belay_owner_adopt(&it, &options);
  CHECK_FAILS(belay_owner_adopt_slot(&it, &plain->destroy, NULL, &owner), BELAY_EINVAL);
  CHECK(owner == known);
  belay_owner_release(owner);
  CHECK_INT(belay_owner_end(&it, NULL, NULL), 0);
  belay_owner_release(known);
  close_loop(loop);
  CHECK_FAILS(belay_owner_adopt_slot(&it, &empty->destroy, NULL, NULL), BELAY_ENOENT);
  CHECK_INT(belay_owner_end(&it, NULL, NULL), 0);
  belay_destroy_fn *odd = (belay_destroy_fn *)((char *)&plain->destroy + 1);
  CHECK_FAILS(belay_owner_adopt_slot(&it, odd, NULL, NULL), BELAY_EINVAL);
  CHECK_INT(belay_owner_end(&it, NULL, NULL), 0);
  CHECK_FAILS(belay_owner_adopt_slot(&it, (belay_destroy_fn *)16, NULL, NULL), -EACCES);
  CHECK_INT(belay_owner_end(&it, NULL, NULL), 0);
  CHECK_INT(belay_owner_adopt_slot(&it, &plain->destroy, NULL, NULL), 0);
  destroy(&it);
  CHECK_TRACE("base 1");
}

/* ---- several threads ---- */
enum { THREADS = 3, ROUNDS = 2000 };
static class *shared_class;
static int destroyed, heard;
static void count_destroyed(void *it) { __atomic_add_fetch(&destroyed, 1, __ATOMIC_RELAXED); }
static void count_heard(void *ctx, belay_value value) {
  __atomic_add_fetch(&heard, 1, __ATOMIC_RELAXED);
}
static void make_and_destroy(void *ctx) {
  for (int i = 0; i < ROUNDS; i++) {
    object it = {shared_class, i};
    belay_owner *owner = NULL;
    CHECK_INT(belay_owner_adopt_slot(&it, &shared_class->destroy, NULL, &owner), 0);
    belay_observer observer = {.size = sizeof observer, .next = count_heard};
    belay_signal *signal = belay_owner_deallocating(owner);
    CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
    belay_signal_release(signal);
    belay_owner_release(owner);
    destroy(&it);
  }
}
static void A1_13_replaced_by_several_threads_at_once(void) {
  shared_class = new_class("shared", count_destroyed);
  routine threads[THREADS];
  for (int i = 0; i < THREADS; i++) start_thread(&threads[i], make_and_destroy, NULL);
  for (int i = 0; i < THREADS; i++) join_thread(&threads[i]);
  CHECK_INT(destroyed, THREADS * ROUNDS);
  CHECK_INT(heard, THREADS * ROUNDS);
}

/* This case comes last, for it uses up all places. */
static void so_many_tables_and_no_more(void) {
  static class many[40];
  object its[40];
  int count = 0, code = 0;
  for (; count < 40 && code == 0; count++) {
    many[count] = (class){"many", destroy_base};
    its[count] = (object){&many[count], count};
    code = belay_owner_adopt_slot(&its[count], &many[count].destroy, NULL, NULL);
  }
  CHECK_INT(code, BELAY_EBUSY);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EBUSY);
  CHECK(many[count - 1].destroy == destroy_base);
  CHECK_INT(belay_owner_end(&its[count - 1], NULL, NULL), 0);
  for (int i = 0; i < count - 1; i++) destroy(&its[i]);
  trace_clear();
}

static const test_case cases[] = {
    CASE(A1_01_A1_02_A1_03_deallocating_the_original_deallocated),
    CASE(A4_04_notices_and_associated_objects_are_between),
    CASE(A1_04_A1_05_A1_06_late_by_themselves_and_the_same),
    CASE(A1_08_A1_09_observing_delays_nothing_and_may_end_before),
    CASE(A1_10_a_failure_is_an_error_event_and_deallocated_cannot_fail),
    CASE(A1_11_once_a_table_and_only_who_asked),
    CASE(A1_11_a_base_and_a_derived_table_do_not_fire_twice),
    CASE(A1_12_a_table_copied_from_a_wrapped_one),
    CASE(A1_13_somebody_elses_replacement_is_reported),
    CASE(A1_13_replaced_by_several_threads_at_once),
    CASE(A1_14_without_the_body_deallocated_does_not_come),
    CASE(A1_20_A1_22_before_the_body_and_after_it),
    CASE(A3_50_take_during_completes_before_the_body),
    CASE(a_death_inside_a_bound_callback_is_at_once),
    CASE(A1_28_the_notices_are_on_the_thread_that_destroys),
    CASE(an_address_that_is_used_again),
    CASE(NULL_is_no_object_that_has_died),
    CASE(nonsense),
    CASE(so_many_tables_and_no_more),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
