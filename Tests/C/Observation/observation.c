/* Observing paths: A1-26, A1-27, A3-30 to A3-45. */
#include "owned.h"
#include "people.h"

static void A3_30_the_value_on_subscription_then_every_new_one(void) {
  person *fields;
  belay_owner *ann = make_person(20, &fields);
  belay_signal *signal = belay_object_observe(ann, "age", NULL);
  watch(belay_signal_retain(signal), "a");
  CHECK_INT(set_int(ann, "age", 21), 0);
  CHECK_INT(set_int(ann, "age", 21), 0);
  CHECK_INT(fields->age, 21);
  watch(signal, "b");
  CHECK_INT(set_int(ann, "level", 3), 0);
  CHECK_INT(set_int(ann, "age", 22), 0);
  CHECK_TRACE("a next 20 | a next 21 | a next 21 | b next 21 | a next 22 | b next 22");
  belay_owner_release(ann);
  CHECK_TRACE("a completed | a disposed | a free | b completed | b disposed | b free");
  forget_people();
}

static void A3_31_completes_when_the_target_or_the_observer_dies(void) {
  for (int who = 0; who < 2; who++) {
    belay_owner *ann = make_person(20, NULL);
    belay_owner *observer = belay_owner_create(NULL, NULL, NULL, NULL);
    watch(observe_with(ann, "age", BELAY_OBSERVE_INITIAL, observer), "");
    belay_owner_release(who ? observer : ann);
    CHECK_TRACE("next 20 | completed | disposed | free");
    if (who) CHECK_INT(set_int(ann, "age", 21), 0);
    belay_owner_release(who ? ann : observer);
    CHECK_TRACE("");
    forget_people();
  }
}

static void A3_32_completes_at_once_when_either_is_dead(void) {
  for (int who = 0; who < 2; who++) {
    belay_owner *ann = make_person(20, NULL);
    belay_owner *observer = belay_owner_create(NULL, NULL, NULL, NULL);
    belay_signal *signal = observe_with(ann, "age", BELAY_OBSERVE_INITIAL, observer);
    belay_owner_release(who ? observer : ann);
    watch(signal, "");
    CHECK_TRACE("completed | disposed | free");
    belay_owner_release(who ? ann : observer);
    forget_people();
  }
}

static void A3_33_neither_target_nor_observer_is_kept_alive(void) {
  belay_owner *ann = make_person(20, NULL), *bob = make_person(30, NULL);
  belay_weak *weak_ann = belay_weak_create(ann), *weak_bob = belay_weak_create(bob);
  belay_signal *signal = observe_with(ann, "boss.age", BELAY_OBSERVE_INITIAL, bob);
  belay_disposable *subscription = watched(belay_signal_retain(signal), "");
  belay_owner_release(bob);
  CHECK(belay_weak_upgrade(weak_bob) == NULL);
  belay_owner_release(ann);
  CHECK(belay_weak_upgrade(weak_ann) == NULL);
  CHECK_TRACE("next null | completed | disposed | free");
  belay_signal_release(signal);
  belay_disposable_release(subscription);
  belay_weak_release(weak_ann), belay_weak_release(weak_bob);
  forget_people();
}

/* RxSwift retains the target by default; Belay does not. */
static void A1_26_the_target_is_not_retained(void) {
  belay_owner *ann = make_person(20, NULL);
  watch(belay_object_observe(ann, "age", NULL), "");
  belay_owner_release(ann);
  CHECK_TRACE("next 20 | completed | disposed | free");
  forget_people();
}

static void A1_27_follows_a_dotted_path(void) {
  belay_owner *ann = make_person(20, NULL), *bob = make_person(30, NULL);
  belay_owner *cleo = make_person(40, NULL);
  set_text(bob, "name", "Bob"), set_text(cleo, "name", "Cleo");
  belay_disposable *subscription = observed(ann, "boss.boss.name", "");
  CHECK_INT(set_owner(ann, "boss", bob), 0);
  CHECK_INT(set_owner(bob, "boss", cleo), 0);
  CHECK_INT(set_text(ann, "boss.boss.name", "Cleopatra"), 0);
  CHECK_INT(set_owner(bob, "boss", NULL), 0);
  CHECK_INT(set_text(cleo, "name", "nobody"), 0);
  CHECK_TRACE("next null | next null | next Cleo | next Cleopatra | next null");
  end_subscription(subscription);
  CHECK_TRACE("disposed | free");
  belay_owner_release(ann), belay_owner_release(bob), belay_owner_release(cleo);
  forget_people();
}

static void A1_27_a_weak_hop_that_dies_is_null(void) {
  belay_owner *ann = make_person(20, NULL), *bob = make_person(30, NULL);
  CHECK_INT(set_owner(ann, "mate", bob), 0);
  belay_disposable *subscription = observed(ann, "mate.age", "");
  CHECK_INT(set_int(bob, "age", 31), 0);
  belay_owner_release(bob);
  CHECK_TRACE("next 30 | next 31 | next null");
  bob = make_person(32, NULL);
  CHECK_INT(set_owner(ann, "mate", bob), 0);
  CHECK_INT(set_int(bob, "age", 33), 0);
  CHECK_TRACE("next 32 | next 33");
  end_subscription(subscription);
  belay_owner_release(ann), belay_owner_release(bob);
  trace_clear(), forget_people();
}

static void A1_27_an_unknown_key_is_an_error_when_it_is_reached(void) {
  belay_owner *ann = make_person(20, NULL), *bob = make_person(30, NULL), *carl = plain_owner();
  CHECK(belay_object_observe(ann, "nothing", NULL) == NULL);
  const belay_error *error = belay_last_error();
  CHECK_INT(belay_error_code(error), BELAY_ENOENT);
  CHECK_STRING(belay_error_message(error), "there is no key nothing");
  CHECK(belay_object_observe(ann, "nothing.age", NULL) == NULL);
  watch(belay_object_observe(carl, "nothing", NULL), "first");
  CHECK_TRACE("first error ENOENT | first disposed | first free");
  watch(belay_object_observe(ann, "boss.nothing.age", NULL), "later");
  CHECK_TRACE("later next null");
  CHECK_INT(set_owner(ann, "boss", bob), 0);
  CHECK_TRACE("later error ENOENT | later disposed | later free");
  watch(belay_object_observe(ann, "age.name", NULL), "kind");
  CHECK_TRACE("kind error EKIND | kind disposed | kind free");
  watch(belay_object_observe(ann, "broken", NULL), "getter");
  CHECK_TRACE("getter error EINVAL | getter disposed | getter free");
  belay_owner_release(ann), belay_owner_release(bob), belay_owner_release(carl);
  forget_people();
}

/* What the compiler has checked. */
static const char *const the_age = BELAY_KEY(person, age);
static const char *const mates_age = BELAY_PATH_2(person, mate, person, age);
static const char *const bosss_mates_age = BELAY_PATH_3(person, boss, person, mate, person, age);
static void F6_10_paths_of_members_are_checked_by_the_compiler(void) {
  CHECK_STRING(the_age, "age");
  CHECK_STRING(mates_age, "mate.age");
  CHECK_STRING(bosss_mates_age, "boss.mate.age");
  belay_owner *ann = make_person(20, NULL);
  CHECK_INT(get_int(ann, BELAY_KEY(person, age)), 20);
  belay_owner_release(ann);
  forget_people();
}

static void A1_27_the_targets_death_is_null_if_asked(void) {
  belay_owner *ann = make_person(20, NULL), *bob = make_person(30, NULL);
  belay_owner *cleo = make_person(40, NULL);
  unsigned asked = BELAY_OBSERVE_INITIAL | BELAY_OBSERVE_DEATH;
  belay_signal *signal = observe_with(ann, "age", asked, NULL);
  watch(belay_signal_retain(signal), "value");
  unsigned recorded = BELAY_OBSERVE_DEATH | BELAY_OBSERVE_OLD;
  belay_disposable_release(changes_of(ann, "age", recorded, NULL, "record"));
  watch(observe_with(ann, "age", asked, ann), "own");
  watch(observe_with(ann, "age", asked, bob), "other");
  watch(observe_with(ann, "age.nothing", asked, NULL), "astray");
  watch(observe_with(ann, "boss.age", BELAY_OBSERVE_DEATH, NULL), "path");
  belay_disposable *left = watched(observe_with(ann, "age", BELAY_OBSERVE_DEATH, NULL), "left");
  CHECK_INT(set_owner(ann, "boss", cleo), 0);
  end_subscription(left);
  belay_owner_release(bob);
  CHECK_TRACE("value next 20 | own next 20 | other next 20 | astray error EKIND | astray disposed | "
              "astray free | path next 40 | left disposed | left free | other completed | "
              "other disposed | other free");
  belay_owner_release(ann);
  CHECK_TRACE("value next null | value completed | value disposed | value free | "
              "record death null <- null | record completed | record disposed | record free | "
              "own completed | own disposed | own free | "
              "path next null | path completed | path disposed | path free");
  watch(signal, "late");
  CHECK_TRACE("late next null | late completed | late disposed | late free");
  belay_owner_release(cleo);
  forget_people();
}

static void A3_35_replacing_a_middle_object_moves_the_observation(void) {
  belay_owner *ann = make_person(20, NULL), *bob = make_person(30, NULL);
  belay_owner *cleo = make_person(40, NULL);
  set_owner(ann, "boss", bob);
  belay_disposable *subscription = observed(ann, "boss.age", "");
  CHECK_INT(set_owner(ann, "boss", cleo), 0);
  CHECK_INT(set_int(bob, "age", 31), 0);
  CHECK_INT(set_int(cleo, "age", 41), 0);
  CHECK_TRACE("next 30 | next 40 | next 41");
  end_subscription(subscription);
  belay_owner_release(ann), belay_owner_release(bob), belay_owner_release(cleo);
  trace_clear(), forget_people();
}

static void A3_36_a_prior_and_a_posterior_call_for_each_change(void) {
  belay_owner *ann = make_person(20, NULL), *bob = make_person(30, NULL);
  belay_disposable *leaf = changes_of(
      ann, "age", BELAY_OBSERVE_PRIOR | BELAY_OBSERVE_OLD, NULL, "leaf");
  CHECK_INT(set_int(ann, "age", 21), 0);
  CHECK_TRACE("leaf prior last 20 <- 20 | leaf last 21 <- 20");
  end_subscription(leaf);
  trace_clear();
  set_owner(ann, "boss", bob);
  belay_disposable *path = changes_of(
      ann, "boss.age", BELAY_OBSERVE_PRIOR | BELAY_OBSERVE_OLD, NULL, "path");
  CHECK_INT(belay_object_will_change(ann, "boss"), 0);
  /* The path leaves the object behind the hop before that hop changes. */
  CHECK_INT(set_int(bob, "age", 31), 0);
  CHECK_INT(belay_object_did_change(ann, "boss"), 0);
  CHECK_INT(set_int(bob, "age", 32), 0);
  CHECK_TRACE("path prior 30 <- 30 | path 31 <- 31 | "
              "path prior last 31 <- 31 | path last 32 <- 31");
  end_subscription(path);
  belay_owner_release(ann), belay_owner_release(bob);
  trace_clear(), forget_people();
}

static void A3_36_without_asking_there_is_no_prior_call(void) {
  belay_owner *ann = make_person(20, NULL);
  belay_disposable *old = changes_of(ann, "age", BELAY_OBSERVE_OLD, NULL, "old");
  belay_disposable *plain = changes_of(ann, "age", 0, NULL, "plain");
  set_int(ann, "age", 21);
  CHECK_TRACE("old last 21 <- 20 | plain last 21 <- null");
  end_subscription(old), end_subscription(plain);
  belay_owner_release(ann);
  trace_clear(), forget_people();
}

static void A3_36_a_refused_change_lets_go_of_nothing(void) {
  belay_owner *ann = make_person(20, NULL), *bob = make_person(30, NULL);
  set_owner(ann, "boss", bob);
  belay_disposable *path = changes_of(ann, "boss.age", 0, NULL, "");
  belay_disposable *prior = changes_of(ann, "limited", BELAY_OBSERVE_PRIOR, NULL, "limited");
  CHECK_FAILS(set_int(ann, "boss", 5), BELAY_EKIND);
  CHECK_INT(set_int(bob, "age", 31), 0);
  CHECK_FAILS(set_int(ann, "limited", 10), BELAY_ERANGE);
  CHECK_TRACE("last 31 <- null | limited prior last 0 <- null");
  /* In a batch the refused set is not told either. A set that the batch accepted is told. */
  CHECK_INT(belay_object_begin_changes(ann), 0);
  CHECK_FAILS(set_int(ann, "boss", 5), BELAY_EKIND);
  CHECK_INT(belay_object_end_changes(ann), 0);
  CHECK_INT(set_int(bob, "age", 32), 0);
  CHECK_TRACE("last 32 <- null");
  CHECK_INT(belay_object_begin_changes(ann), 0);
  CHECK_INT(set_int(ann, "limited", 7), 0);
  CHECK_FAILS(set_int(ann, "limited", 11), BELAY_ERANGE);
  CHECK_INT(belay_object_end_changes(ann), 0);
  CHECK_TRACE("limited prior last 0 <- null | limited last 7 <- null");
  end_subscription(path), end_subscription(prior);
  belay_owner_release(ann), belay_owner_release(bob);
  trace_clear(), forget_people();
}

static void A3_37_a_null_hop_is_null_and_nothing_is_armed(void) {
  belay_owner *ann = make_person(20, NULL), *bob = make_person(30, NULL);
  set_owner(ann, "boss", bob);
  belay_disposable *subscription = changes_of(ann, "boss.age", BELAY_OBSERVE_OLD, NULL, "");
  CHECK_INT(belay_object_set(ann, "boss", belay_null()), 0);
  CHECK_INT(set_int(bob, "age", 31), 0);
  CHECK_TRACE("null <- 30");
  end_subscription(subscription);
  belay_owner_release(ann), belay_owner_release(bob);
  trace_clear(), forget_people();
}

static void A3_38_a_weak_value_that_dies_is_one_call_caused_by_death(void) {
  belay_owner *ann = make_person(20, NULL), *bob = make_person(30, NULL);
  set_owner(ann, "mate", bob);
  unsigned all = BELAY_OBSERVE_PRIOR | BELAY_OBSERVE_OLD;
  belay_disposable *leaf = changes_of(ann, "mate", all, NULL, "leaf");
  belay_disposable *hop = changes_of(ann, "mate.age", all, NULL, "hop");
  belay_owner_release(bob);
  CHECK_TRACE("leaf death last null <- null | hop death null <- null");
  /* A strong reference keeps the object alive, so nothing is told. */
  bob = make_person(31, NULL);
  set_owner(ann, "boss", bob);
  belay_disposable *strong = changes_of(ann, "boss", all, NULL, "strong");
  belay_owner_release(bob);
  CHECK_TRACE("");
  end_subscription(leaf), end_subscription(hop), end_subscription(strong);
  belay_owner_release(ann);
  trace_clear(), forget_people();
}

/* Two ends that a reference does not prevent: a declared end of a pointer, and the end of a
   parent's child. */
static void A3_38_a_hop_that_dies_though_it_is_held_is_told_of(void) {
  int desk;
  belay_owner *ann = make_person(20, NULL), *desk_owner = belay_owner_adopt(&desk, NULL);
  belay_type *open_type = belay_type_create(NULL, 0, BELAY_TYPE_DYNAMIC);
  CHECK_INT(belay_object_set_type(desk_owner, open_type), 0);
  belay_object_set(ann, "desk", belay_pointer(&desk));
  set_int(desk_owner, "drawers", 3);
  belay_disposable *leaf = changes_of(ann, "desk", BELAY_OBSERVE_OLD, NULL, "leaf");
  belay_disposable *hop = changes_of(ann, "desk.drawers", BELAY_OBSERVE_INITIAL, NULL, "hop");
  CHECK_TRACE("hop initial 3 <- null");
  CHECK_INT(belay_owner_end(&desk, NULL, NULL), 0);
  CHECK_TRACE("leaf death last null <- null | hop death null <- null");
  /* An object at the same address later is another one, which nobody observes. */
  belay_owner *next_owner = belay_owner_adopt(&desk, NULL);
  CHECK_INT(belay_owner_end(&desk, NULL, NULL), 0);
  CHECK_TRACE("");
  end_subscription(leaf), end_subscription(hop);
  belay_owner_release(desk_owner), belay_owner_release(next_owner);
  belay_type_release(open_type);
  trace_clear();

  belay_owner *parent = belay_owner_create(NULL, NULL, NULL, NULL), *bob = make_person(30, NULL);
  CHECK_INT(belay_owner_add_child(parent, bob), 0);
  set_owner(ann, "boss", bob);
  belay_disposable *strong = changes_of(ann, "boss.age", 0, NULL, "strong");
  belay_owner_release(parent);
  CHECK_TRACE("strong death null <- null");
  end_subscription(strong);
  belay_owner_release(bob), belay_owner_release(ann);
  trace_clear(), forget_people();
}

static void A3_39_no_call_when_the_dying_value_is_the_observer(void) {
  belay_owner *ann = make_person(20, NULL), *bob = make_person(30, NULL);
  set_owner(ann, "mate", bob);
  belay_disposable *subscription = changes_of(ann, "mate", 0, bob, "");
  belay_owner_release(bob);
  CHECK_TRACE("completed | disposed | free");
  belay_disposable_release(subscription);
  belay_owner_release(ann);
  forget_people();
}

static void A3_40_what_a_getter_returns_is_not_watched_for_death(void) {
  person *fields;
  belay_owner *ann = make_person(20, &fields), *bob = make_person(30, NULL);
  fields->idol = bob;
  belay_disposable *subscription = changes_of(ann, "idol.age", 0, NULL, "");
  set_int(bob, "age", 31);
  fields->idol = NULL;
  belay_owner_release(bob);
  CHECK_TRACE("last 31 <- null");
  end_subscription(subscription);
  belay_owner_release(ann);
  trace_clear(), forget_people();
}

typedef struct arming {
  belay_owner *object;
  int count;
} arming;
static void set_at_first(void *ctx, belay_value value) {
  arming *it = ctx;
  render_next("", value);
  if (it->count++ == 0) CHECK_INT(set_int(it->object, "age", 21), 0);
}
static void A3_41_the_initial_call_comes_at_once_when_all_is_armed(void) {
  arming it = {make_person(20, NULL), 0};
  belay_signal *signal = belay_object_observe(it.object, "age", NULL);
  belay_observer observer = {.size = sizeof observer, .next = set_at_first, .ctx = &it};
  belay_disposable *subscription;
  CHECK_INT(belay_signal_subscribe(signal, &observer, &subscription), 0);
  /* The observer hears the change that it makes itself. */
  CHECK_TRACE("next 20 | next 21");
  belay_disposable *later = changes_of(it.object, "age", BELAY_OBSERVE_INITIAL, NULL, "with");
  belay_disposable *without = changes_of(it.object, "age", 0, NULL, "without");
  CHECK_TRACE("with initial 21 <- null");
  end_subscription(subscription), end_subscription(later), end_subscription(without);
  belay_signal_release(signal);
  belay_owner_release(it.object);
  trace_clear(), forget_people();
}

static void A3_42_a_change_of_the_last_key_is_told_from_one_before(void) {
  belay_owner *ann = make_person(20, NULL), *bob = make_person(30, NULL);
  belay_disposable *subscription = changes_of(ann, "boss.age", 0, NULL, "");
  set_owner(ann, "boss", bob);
  set_int(bob, "age", 31);
  CHECK_TRACE("30 <- null | last 31 <- null");
  end_subscription(subscription);
  belay_owner_release(ann), belay_owner_release(bob);
  trace_clear(), forget_people();
}

/* ---- inside callbacks ---- */

static void A3_44_observers_that_go_leave_nothing(void) {
  belay_owner *ann = make_person(20, NULL);
  belay_observer silent = {.size = sizeof silent};
  for (int i = 0; i < 20000; i++) {
    belay_signal *signal = belay_object_observe(ann, "boss.age", NULL);
    belay_disposable *subscription;
    CHECK_INT(belay_signal_subscribe(signal, &silent, &subscription), 0);
    end_subscription(subscription);
    belay_signal_release(signal);
  }
  CHECK_INT(belay_compound_count(belay_owner_get_compound(ann)), 0);
  belay_owner_release(ann);
  forget_people();
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      CASE(A3_30_the_value_on_subscription_then_every_new_one),
      CASE(A3_31_completes_when_the_target_or_the_observer_dies),
      CASE(A3_32_completes_at_once_when_either_is_dead),
      CASE(A3_33_neither_target_nor_observer_is_kept_alive),
      CASE(A1_26_the_target_is_not_retained),
      CASE(A1_27_follows_a_dotted_path),
      CASE(A1_27_a_weak_hop_that_dies_is_null),
      CASE(A1_27_an_unknown_key_is_an_error_when_it_is_reached),
      CASE(F6_10_paths_of_members_are_checked_by_the_compiler),
      CASE(A1_27_the_targets_death_is_null_if_asked),
      CASE(A3_35_replacing_a_middle_object_moves_the_observation),
      CASE(A3_36_a_prior_and_a_posterior_call_for_each_change),
      CASE(A3_36_without_asking_there_is_no_prior_call),
      CASE(A3_36_a_refused_change_lets_go_of_nothing),
      CASE(A3_37_a_null_hop_is_null_and_nothing_is_armed),
      CASE(A3_38_a_weak_value_that_dies_is_one_call_caused_by_death),
      CASE(A3_38_a_hop_that_dies_though_it_is_held_is_told_of),
      CASE(A3_39_no_call_when_the_dying_value_is_the_observer),
      CASE(A3_40_what_a_getter_returns_is_not_watched_for_death),
      CASE(A3_41_the_initial_call_comes_at_once_when_all_is_armed),
      CASE(A3_42_a_change_of_the_last_key_is_told_from_one_before),
      CASE(A3_44_observers_that_go_leave_nothing),
  };
  return RUN_CASES(cases);
}
