/* Owners on one thread: the eight steps of a death, what is bound, weak references, A1-01 to A1-09.
 * Adopted pointers: adopted.c; other threads: owner_threads.c. */
#include "owned.h"
#include "worker.h"

typedef struct session {
  int is_intact;
  belay_owner *owner;
  belay_weak *weak;
} session;

static void end_session(void *object) {
  session *it = object;
  trace_deinit(object);
  it->is_intact = 0;
}

#define AFTER_DEINIT \
  "deinit | deallocating completed | deallocated next null | deallocated completed | dealloc"

/* ---- the eight steps ---- */
static void look_at_step_2(void *ctx, belay_value value) {
  session *it = ctx;
  CHECK_INT(belay_value_kind(value), BELAY_KIND_NULL);
  CHECK_INT(it->is_intact, 1);
  CHECK_INT(belay_owner_is_dying(it->owner), 1);
  CHECK(belay_owner_object(it->owner) == NULL);
  CHECK(belay_weak_upgrade(it->weak) == NULL);
  trace("step 2");
}

static void rule_1_4_the_eight_steps_of_a_death(void) {
  session it = {.is_intact = 1};
  it.owner = belay_owner_create(&it, end_session, trace_dealloc, NULL);
  it.weak = belay_weak_create(it.owner);
  belay_observer observer = {.size = sizeof observer, .next = look_at_step_2, .ctx = &it};
  belay_signal *deallocating = belay_owner_deallocating(it.owner);
  CHECK_INT(belay_signal_subscribe(deallocating, &observer, NULL), 0);
  belay_signal_release(deallocating);
  follow_death(it.owner);
  CHECK_INT(belay_owner_add_action(it.owner, trace_action, "first", trace_free), 0);
  belay_signal *subject = belay_subject_create(NULL);
  observer = rendering("bound");
  observer.owner = it.owner;
  CHECK_INT(belay_signal_subscribe(subject, &observer, NULL), 0);
  CHECK_INT(belay_owner_add_action(it.owner, trace_action, "last", NULL), 0);
  CHECK_INT(belay_owner_is_dying(it.owner), 0);
  CHECK(belay_owner_object(it.owner) == &it);
  CHECK_TRACE("");
  belay_owner_release(it.owner);
  CHECK_TRACE(
      "step 2 | deallocating next null | action first | free first | bound disposed | "
      "bound free | action last | " AFTER_DEINIT);
  CHECK_INT(it.is_intact, 0);
  belay_weak_release(it.weak);
  belay_signal_release(subject);
}

static void rule_1_4_deinit_and_dealloc_may_be_missing(void) {
  belay_owner *owner = belay_owner_create(NULL, NULL, NULL, NULL);
  follow_death(owner);
  belay_owner_release(owner);
  CHECK_TRACE(
      "deallocating next null | deallocating completed | deallocated next null | "
      "deallocated completed");
}

/* ---- A1 ---- */
static void A1_01_A1_02_A1_03_the_order_of_the_notices(void) {
  belay_owner *owner = traced_owner(NULL);
  follow_death(owner);
  belay_owner_release(owner);
  CHECK_TRACE("deallocating next null | " AFTER_DEINIT);
}

static void A1_04_who_comes_late_gets_what_was_sent(void) {
  belay_owner *owner = traced_owner(NULL);
  belay_signal *deallocating = belay_owner_deallocating(owner);
  belay_signal *deallocated = belay_owner_deallocated(owner);
  belay_owner_release(owner);
  trace_clear();
  watch(deallocating, "late");
  CHECK_TRACE("late next null | late completed | late disposed | late free");
  watch(deallocated, "late");
  CHECK_TRACE("late next null | late completed | late disposed | late free");
}

static belay_owner *watched_in_deinit;
static void ask_in_deinit(void *object) {
  trace("deinit");
  follow_death(watched_in_deinit);
  trace("deinit ends");
}
static void A1_04_who_comes_during_the_death_gets_what_was_sent_and_the_rest(void) {
  watched_in_deinit = belay_owner_create(NULL, ask_in_deinit, trace_dealloc, NULL);
  belay_owner_release(watched_in_deinit);
  CHECK_TRACE(
      "deinit | deallocating next null | deinit ends | deallocating completed | "
      "deallocated next null | deallocated completed | dealloc");
}

static void A1_05_both_end_by_themselves(void) {
  belay_owner *owner = belay_owner_create(NULL, NULL, NULL, NULL);
  belay_disposable *a = watched(belay_owner_deallocating(owner), "a");
  belay_disposable *b = watched(belay_owner_deallocated(owner), "b");
  belay_owner_release(owner);
  CHECK_INT(belay_disposable_is_disposed(a), 1);
  CHECK_INT(belay_disposable_is_disposed(b), 1);
  CHECK_TRACE(
      "a next null | a completed | a disposed | a free | "
      "b next null | b completed | b disposed | b free");
  belay_disposable_release(a);
  belay_disposable_release(b);
}

static void A1_06_asking_again_gives_the_same_sequence(void) {
  belay_owner *owner = belay_owner_create(NULL, NULL, NULL, NULL);
  belay_signal *first = belay_owner_deallocated(owner), *second = belay_owner_deallocated(owner);
  CHECK_STRING(belay_signal_name(first), belay_signal_name(second));
  belay_signal_release(first);
  watch(second, "a");
  watch(belay_owner_deallocated(owner), "b");
  belay_owner_release(owner);
  CHECK_TRACE(
      "a next null | b next null | a completed | a disposed | a free | "
      "b completed | b disposed | b free");
}

static void A1_08_subscribing_delays_no_death(void) {
  belay_owner *owner = traced_owner(NULL);
  belay_signal *signal = belay_owner_deallocating(owner);
  belay_disposable *subscription = watched(belay_signal_retain(signal), "");
  belay_owner_release(owner);
  CHECK_TRACE("next null | deinit | completed | disposed | free | dealloc");
  belay_disposable_release(subscription);
  belay_signal_release(signal);
}

static void A1_09_disposed_before_the_death_nothing_comes(void) {
  belay_owner *owner = traced_owner(NULL);
  end_subscription(watched(belay_owner_deallocating(owner), "a"));
  end_subscription(watched(belay_owner_deallocated(owner), "b"));
  CHECK_TRACE("a disposed | a free | b disposed | b free");
  belay_owner_release(owner);
  CHECK_TRACE("deinit | dealloc");
}

/* ---- references ---- */
static void rule_1_4_the_last_reference_is_the_death(void) {
  belay_owner *owner = traced_owner(NULL);
  CHECK(belay_owner_retain(owner) == owner);
  belay_owner_release(owner);
  CHECK_TRACE("");
  CHECK_INT(belay_owner_is_dying(owner), 0);
  belay_owner_release(owner);
  CHECK_TRACE("deinit | dealloc");
}

static belay_owner *revived;
static void retain_dying(void *ctx, belay_value value) {
  revived = belay_owner_retain(*(belay_owner **)ctx);
}
static void rule_1_4_retaining_a_dying_owner_keeps_the_handle_only(void) {
  belay_owner *owner = traced_owner(NULL);
  belay_signal *signal = belay_owner_deallocating(owner);
  belay_observer observer = {.size = sizeof observer, .next = retain_dying, .ctx = &owner};
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  belay_signal_release(signal);
  belay_owner_release(owner);
  CHECK_TRACE("deinit | dealloc");
  CHECK(revived == owner);
  CHECK_INT(belay_owner_is_dying(revived), 1);
  CHECK(belay_owner_object(revived) == NULL);
  belay_owner_release(revived);
  CHECK_TRACE("");
}

static void rule_1_4_weak_references(void) {
  int object;
  belay_owner *owner = belay_owner_create(&object, NULL, trace_dealloc, NULL);
  belay_weak *weak = belay_weak_create(owner);
  belay_owner *strong = belay_weak_upgrade(weak);
  CHECK(strong == owner);
  belay_owner_release(owner);
  CHECK_TRACE(""); /* this reference keeps the owner from dying */
  CHECK(belay_owner_object(strong) == &object);
  belay_owner_release(strong);
  CHECK_TRACE("dealloc");
  CHECK(belay_weak_upgrade(weak) == NULL);
  CHECK(belay_weak_retain(weak) == weak);
  belay_weak_release(weak);
  CHECK(belay_weak_upgrade(weak) == NULL);
  belay_weak_release(weak);
  CHECK(belay_weak_create(NULL) == NULL);
  CHECK(belay_weak_upgrade(NULL) == NULL);
}

/* ---- what is bound ---- */
static void rule_1_4_binding_to_the_dead_disposes_at_once(void) {
  revived = NULL;
  belay_owner *owner = belay_owner_create(NULL, NULL, NULL, NULL);
  belay_signal *signal = belay_owner_deallocating(owner);
  belay_observer observer = {.size = sizeof observer, .next = retain_dying, .ctx = &owner};
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  belay_signal_release(signal);
  belay_owner_release(owner);
  CHECK(revived != NULL);

  belay_disposable *member = belay_disposable_create(trace_action, "member", NULL);
  belay_owner_add(revived, member);
  CHECK_TRACE("action member");
  belay_disposable_release(member);
  belay_owner_add_action(revived, trace_action, "action", trace_free);
  CHECK_TRACE("action action | free action");
  CHECK(belay_owner_get_compound(revived) == NULL);

  belay_disposable *subscription = NULL;
  observer = rendering("");
  signal = belay_signal_just(belay_int32(1));
  observer.owner = revived;
  CHECK_INT(belay_signal_subscribe(signal, &observer, &subscription), 0);
  CHECK_TRACE("disposed | free");
  CHECK(subscription != NULL);
  CHECK_INT(belay_disposable_is_disposed(subscription), 1);
  belay_disposable_release(subscription);
  belay_signal_release(signal);
  belay_owner_release(revived);
}

static belay_owner *dying;
static void bind_late(void *subject) {
  trace("late");
  belay_owner_add_action(dying, trace_action, "latest", NULL);
  belay_observer observer = rendering("newcomer");
  observer.owner = dying;
  CHECK_INT(belay_signal_subscribe(subject, &observer, NULL), 0);
}
static void rule_1_4_what_is_bound_during_the_death_goes_with_it(void) {
  belay_signal *subject = belay_subject_create(NULL);
  dying = traced_owner(NULL);
  belay_owner_add_action(dying, bind_late, subject, NULL);
  belay_owner_add_action(dying, trace_action, "second", NULL);
  belay_owner_release(dying);
  CHECK_TRACE(
      "late | action latest | newcomer disposed | newcomer free | action second | "
      "deinit | dealloc");
  CHECK_INT(belay_subject_count(subject), 0);
  belay_signal_release(subject);
}

static void rule_1_4_a_subscription_bound_to_two_owners_ends_with_the_first(void) {
  belay_signal *subject = belay_subject_create(NULL);
  belay_owner *first = belay_owner_create(NULL, NULL, NULL, NULL);
  belay_owner *second = belay_owner_create(NULL, NULL, NULL, NULL);
  belay_disposable *subscription = NULL;
  belay_observer observer = rendering("");
  observer.owner = first;
  CHECK_INT(belay_signal_subscribe(subject, &observer, &subscription), 0);
  CHECK_INT(belay_owner_add(second, subscription), 0);
  belay_owner_release(first);
  CHECK_TRACE("disposed | free");
  CHECK_INT(belay_compound_count(belay_owner_get_compound(second)), 0);
  belay_owner_release(second);
  CHECK_TRACE("");
  belay_disposable_release(subscription);
  belay_signal_release(subject);
}

static void the_compound_is_the_owners(void) {
  belay_owner *owner = belay_owner_create(NULL, NULL, trace_dealloc, NULL);
  belay_disposable *compound = belay_owner_get_compound(owner);
  CHECK(compound != NULL);
  CHECK(belay_owner_get_compound(owner) == compound);
  CHECK_INT(belay_compound_count(compound), 0);
  uint64_t key = 0;
  CHECK_INT(belay_compound_add_action(compound, trace_action, "first", NULL, &key), 0);
  belay_disposable *member = belay_disposable_create(trace_action, "second", NULL);
  CHECK_INT(belay_owner_add(owner, member), 0);
  CHECK_INT(belay_compound_count(compound), 2);
  CHECK_INT(belay_compound_remove(compound, key), 0);
  CHECK_INT(belay_compound_count(compound), 1);
  belay_owner_release(owner);
  CHECK_TRACE("action second | dealloc");
  belay_disposable_release(member);
}

/* ---- members that end leave ---- */
static belay_signal *once;
/* Nobody has a key of what the library puts there. Keys are small numbers: these would be their first ones. */
static void no_key_takes_out_what_is_bound(void) {
  belay_owner *owner = traced_owner(NULL), *child = traced_owner(NULL);
  belay_signal *subject = belay_subject_create(NULL);
  belay_observer observer = rendering("bound");
  observer.owner = owner;
  CHECK_INT(belay_signal_subscribe(subject, &observer, NULL), 0);
  CHECK_INT(belay_owner_add_child(owner, child), 0);
  belay_disposable *compound = belay_owner_get_compound(owner);
  uint64_t key = 0;
  CHECK_INT(belay_compound_add_action(compound, trace_action, "mine", NULL, &key), 0);
  for (uint64_t high = 0; high < 1ULL << 32; high += 1ULL << 31)
    for (uint64_t generation = 0; generation < 8; generation++)
      for (uint64_t cell = 0; cell < 8; cell++) {
        uint64_t guess = (high + generation) << 32 | cell;
        if (guess != key) CHECK_FAILS(belay_compound_remove(compound, guess), BELAY_ENOENT);
      }
  CHECK_INT(belay_compound_count(compound), 3);
  CHECK_INT(belay_compound_remove(compound, key), 0);
  belay_owner_release(owner);
  CHECK_TRACE("bound disposed | bound free | deinit | dealloc | deinit | dealloc");
  belay_owner_release(child);
  belay_signal_release(subject);
}

static void subscribe_once(void *owner) {
  belay_observer observer = {.size = sizeof observer};
  observer.owner = owner;
  belay_signal_subscribe(once, &observer, NULL);
}
static void subscribe_silent(void *owner) {
  belay_observer observer = {.size = sizeof observer};
  belay_disposable *subscription = NULL;
  observer.owner = owner;
  belay_signal_subscribe(once, &observer, &subscription);
  end_subscription(subscription);
}
static void rule_1_3_members_that_end_leave_their_owner(void) {
  belay_owner *owner = traced_owner(NULL);
  belay_owner_add_action(owner, trace_action, "first", NULL);
  once = belay_signal_just(belay_null());
  check_flat(subscribe_once, owner, 1000000);
  belay_signal_release(once);
  once = belay_subject_create(NULL);
  check_flat(subscribe_silent, owner, 300000);
  belay_signal_release(once);
  belay_owner_add_action(owner, trace_action, "last", NULL);
  CHECK_INT(belay_compound_count(belay_owner_get_compound(owner)), 2);
  belay_owner_release(owner);
  CHECK_TRACE("action first | action last | deinit | dealloc");
}

/* ---- a death inside a callback that is bound ---- */
static void die_in_next(void *ctx, belay_value value) {
  trace("next %d", int_of(value));
  belay_owner_release(ctx);
  trace("released");
}

static void rule_1_4_a_death_inside_a_bound_callback_waits_for_it(void) {
  belay_owner *owner = traced_owner(NULL);
  follow_death(owner);
  belay_signal *subject = belay_subject_create(NULL);
  belay_observer observer = unfreed("");
  observer.next = die_in_next;
  observer.ctx = owner;
  observer.disposed = NULL;
  observer.owner = owner;
  CHECK_INT(belay_signal_subscribe(subject, &observer, NULL), 0);
  observer = rendering("other");
  observer.owner = owner;
  CHECK_INT(belay_signal_subscribe(subject, &observer, NULL), 0);
  CHECK_INT(belay_subject_next(subject, belay_int32(1)), 0);
  CHECK_TRACE(
      "next 1 | deallocating next null | other disposed | other free | released | " AFTER_DEINIT);
  belay_signal_release(subject);
}

static belay_signal *outer_subject, *inner_subject;
static void send_inward(void *ctx, belay_value value) {
  trace("outer %d", int_of(value));
  belay_subject_next(inner_subject, belay_int32(2));
  trace("outer returns");
}
static void rule_1_4_a_death_waits_for_the_outermost_of_two_bound_callbacks(void) {
  belay_owner *owner = traced_owner(NULL);
  outer_subject = belay_subject_create(NULL);
  inner_subject = belay_subject_create(NULL);
  belay_observer observer = {.size = sizeof observer, .next = send_inward};
  observer.owner = owner;
  CHECK_INT(belay_signal_subscribe(outer_subject, &observer, NULL), 0);
  observer.next = die_in_next;
  observer.ctx = owner;
  observer.owner = owner;
  CHECK_INT(belay_signal_subscribe(inner_subject, &observer, NULL), 0);
  belay_subject_next(outer_subject, belay_int32(1));
  CHECK_TRACE("outer 1 | next 2 | released | outer returns | deinit | dealloc");
  belay_signal_release(outer_subject);
  belay_signal_release(inner_subject);
}

static void die_in_action(void *owner) {
  trace("action");
  belay_owner_release(owner);
  trace("released");
}
static void rule_1_4_a_death_inside_a_bound_action_waits_for_it(void) {
  belay_owner *owner = traced_owner(NULL);
  belay_disposable *action = belay_disposable_create(die_in_action, owner, NULL);
  CHECK_INT(belay_owner_add(owner, action), 0);
  end_subscription(action);
  CHECK_TRACE("action | released | deinit | dealloc");
}

static void rule_1_4_a_death_waits_for_a_callback_in_a_container(void) {
  belay_owner *owner = traced_owner(NULL);
  belay_signal *subject = belay_subject_create(NULL);
  belay_observer observer = {.size = sizeof observer, .next = die_in_next, .ctx = owner};
  belay_disposable *subscription = NULL, *compound = belay_compound_create();
  CHECK_INT(belay_signal_subscribe(subject, &observer, &subscription), 0);
  CHECK_INT(belay_compound_add(compound, subscription, NULL), 0);
  CHECK_INT(belay_owner_add(owner, compound), 0);
  belay_disposable_release(compound), belay_disposable_release(subscription);
  belay_subject_next(subject, belay_int32(1)), belay_signal_release(subject);
  CHECK_TRACE("next 1 | released | deinit | dealloc");
}

static void use_in_teardown(void *object) {
  trace("teardown, %s", ((session *)object)->is_intact ? "intact" : "too late");
}
static void A3_51_what_is_torn_down_finds_the_object_intact(void) {
  session it = {.is_intact = 1};
  belay_owner *owner = belay_owner_create(&it, end_session, trace_dealloc, NULL);
  belay_owner_add_action(owner, use_in_teardown, &it, NULL);
  belay_owner_release(owner);
  CHECK_TRACE("teardown, intact | deinit | dealloc");
}

/* ---- arguments ---- */
static void owners_take_NULL(void) {
  CHECK(belay_owner_retain(NULL) == NULL);
  belay_owner_release(NULL);
  CHECK(belay_owner_object(NULL) == NULL);
  CHECK_INT(belay_owner_is_dying(NULL), 1);
  CHECK(belay_owner_deallocating(NULL) == NULL);
  CHECK(belay_owner_deallocated(NULL) == NULL);
  CHECK(belay_owner_get_compound(NULL) == NULL);
  belay_last_error();
  int freed = 0;
  CHECK_FAILS(belay_owner_add(NULL, NULL), BELAY_EINVAL);
  CHECK_FAILS(belay_owner_add_action(NULL, trace_action, &freed, count_free), BELAY_EINVAL);
  CHECK_INT(freed, 1);
  belay_owner_options options = {.size = sizeof options, .label = "window"};
  belay_owner *owner = belay_owner_create(NULL, NULL, NULL, &options);
  CHECK_STRING(belay_owner_label(owner), "window");
  belay_owner_release(owner);
}

static const test_case cases[] = {
    CASE(rule_1_4_the_eight_steps_of_a_death),
    CASE(rule_1_4_deinit_and_dealloc_may_be_missing),
    CASE(A1_01_A1_02_A1_03_the_order_of_the_notices),
    CASE(A1_04_who_comes_late_gets_what_was_sent),
    CASE(A1_04_who_comes_during_the_death_gets_what_was_sent_and_the_rest),
    CASE(A1_05_both_end_by_themselves),
    CASE(A1_06_asking_again_gives_the_same_sequence),
    CASE(A1_08_subscribing_delays_no_death),
    CASE(A1_09_disposed_before_the_death_nothing_comes),
    CASE(rule_1_4_the_last_reference_is_the_death),
    CASE(rule_1_4_retaining_a_dying_owner_keeps_the_handle_only),
    CASE(rule_1_4_weak_references),
    CASE(rule_1_4_binding_to_the_dead_disposes_at_once),
    CASE(rule_1_4_what_is_bound_during_the_death_goes_with_it),
    CASE(rule_1_4_a_subscription_bound_to_two_owners_ends_with_the_first),
    CASE(the_compound_is_the_owners),
    CASE(no_key_takes_out_what_is_bound),
    CASE(rule_1_3_members_that_end_leave_their_owner),
    CASE(rule_1_4_a_death_inside_a_bound_callback_waits_for_it),
    CASE(rule_1_4_a_death_waits_for_the_outermost_of_two_bound_callbacks),
    CASE(rule_1_4_a_death_inside_a_bound_action_waits_for_it),
    CASE(rule_1_4_a_death_waits_for_a_callback_in_a_container),
    CASE(A3_51_what_is_torn_down_finds_the_object_intact),
    CASE(owners_take_NULL),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
