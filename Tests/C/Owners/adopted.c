/* Adopted pointers, whose end the host declares. */
#include "owned.h"
#include "held.h"

#include <stdint.h>

static void adopted_pointers_end_when_the_host_says_so(void) {
  int object;
  belay_owner *owner = belay_owner_adopt(&object, NULL);
  CHECK(owner != NULL);
  belay_owner *again = belay_owner_adopt(&object, NULL);
  CHECK(again == owner);
  CHECK(belay_owner_object(owner) == &object);
  follow_death(owner);
  belay_owner_add_action(owner, trace_action, "bound", NULL);
  belay_owner_release(again);
  belay_owner_release(owner);
  CHECK_TRACE("");
  CHECK_INT(belay_owner_end(&object, trace_destroy_of, "object"), 0);
  CHECK_TRACE(
      "deallocating next null | action bound | destroy object | deallocating completed | "
      "deallocated next null | deallocated completed");
}

static void adopted_pointers_end_in_two_halves(void) {
  int object;
  belay_owner *owner = belay_owner_adopt(&object, NULL);
  follow_death(owner);
  belay_owner_add_action(owner, trace_action, "bound", NULL);
  CHECK_FAILS(belay_owner_did_end(&object), BELAY_ENOENT);
  CHECK_INT(belay_owner_will_end(&object), 0);
  CHECK_TRACE("deallocating next null | action bound");
  CHECK_INT(belay_owner_is_dying(owner), 1);
  CHECK_FAILS(belay_owner_will_end(&object), BELAY_EDEAD);
  CHECK_FAILS(belay_owner_end(&object, trace_destroy_of, "no"), BELAY_EDEAD);
  CHECK_TRACE("");
  CHECK_INT(belay_owner_did_end(&object), 0);
  CHECK_TRACE("deallocating completed | deallocated next null | deallocated completed");
  CHECK_FAILS(belay_owner_did_end(&object), BELAY_ENOENT);
  belay_owner_release(owner);
}

static void an_address_that_is_used_again_is_a_new_owner(void) {
  int object;
  belay_owner *old = belay_owner_adopt(&object, NULL);
  CHECK_INT(belay_owner_end(&object, NULL, NULL), 0);
  belay_owner *new = belay_owner_adopt(&object, NULL);
  CHECK(new != old);
  CHECK_INT(belay_owner_is_dying(old), 1);
  CHECK(belay_owner_object(old) == NULL);
  CHECK_INT(belay_owner_is_dying(new), 0);
  CHECK(belay_owner_object(new) == &object);
  follow_death(new);
  belay_owner_release(old);
  CHECK_INT(belay_owner_end(&object, trace_destroy_of, "object"), 0);
  CHECK_INT(belay_owner_is_dying(new), 1);
  CHECK_TRACE(
      "deallocating next null | destroy object | deallocating completed | "
      "deallocated next null | deallocated completed");
  belay_owner_release(new);
}

/* Another thread gets the memory of an object before its end is declared in full. */
typedef struct heir {
  int place; /* the memory; nothing in it is destroyed, it is only said to be free */
  int is_free, is_taken;
  belay_owner *old;
  long checks;
} heir;
static void count_end(void *ctx) { __atomic_add_fetch((long *)ctx, 1, __ATOMIC_RELAXED); }
static void wait_until(int *flag) {
  while (!__atomic_load_n(flag, __ATOMIC_ACQUIRE)) sched_yield();
}
static void give_up_place(void *ctx) {
  heir *it = ctx;
  /* For this thread the place is the old object's until its end is declared in full. */
  belay_owner *same = belay_owner_adopt(&it->place, NULL);
  CHECK(same == it->old);
  belay_owner_release(same);
  __atomic_store_n(&it->is_free, 1, __ATOMIC_RELEASE);
  wait_until(&it->is_taken);
  /* So it is when another thread has it. */
  same = belay_owner_adopt(&it->place, NULL);
  CHECK(same == it->old);
  belay_owner_release(same);
  CHECK_FAILS(belay_owner_will_end(&it->place), BELAY_EDEAD);
}
static void take_place(void *ctx) {
  heir *it = ctx;
  wait_until(&it->is_free);
  /* Nobody adopts this object, and it ends before the old one's end is declared; … */
  long destroyed = 0;
  CHECK_INT(belay_owner_end(&it->place, count_end, &destroyed), 0);
  CHECK_FAILS(belay_owner_did_end(&it->place), BELAY_ENOENT);
  it->checks += destroyed;
  /* … this one is adopted, and outlives the old one's end. */
  belay_owner *owner = belay_owner_adopt(&it->place, NULL);
  CHECK(owner != it->old);
  CHECK_INT(belay_owner_is_dying(owner), 0);
  CHECK_INT(belay_owner_add_action(owner, count_end, &it->checks, NULL), 0);
  __atomic_store_n(&it->is_taken, 1, __ATOMIC_RELEASE);
  belay_owner_release(owner);
}
static void rule_1_4_memory_that_is_reused_before_the_end_is_declared(void) {
  for (int halves = 0; halves < 2; halves++) {
    heir it = {0};
    routine other;
    it.old = belay_owner_adopt(&it.place, NULL);
    start_thread(&other, take_place, &it);
    if (halves) {
      CHECK_INT(belay_owner_will_end(&it.place), 0);
      give_up_place(&it);
      CHECK_INT(belay_owner_did_end(&it.place), 0);
    } else {
      CHECK_INT(belay_owner_end(&it.place, give_up_place, &it), 0);
    }
    join_thread(&other);
    CHECK_INT(it.checks, 1);
    belay_owner *heir_owner = belay_owner_adopt(&it.place, NULL);
    CHECK(heir_owner != it.old);
    CHECK_INT(belay_owner_is_dying(heir_owner), 0);
    belay_owner_release(heir_owner);
    CHECK_INT(belay_owner_end(&it.place, NULL, NULL), 0);
    CHECK_INT(it.checks, 2);
    belay_owner_release(it.old);
  }
}

/* The same with two threads that pass a place to each other without waiting. */
enum { PASSES = 3000 };
typedef struct passing {
  int place, is_free;
  long begun, ended;
} passing;
static void free_place(void *ctx) {
  __atomic_store_n(&((passing *)ctx)->is_free, 1, __ATOMIC_RELEASE);
}
static void use_place(void *ctx) {
  passing *it = ctx;
  for (int i = 0; i < PASSES; i++) {
    int yes = 1;
    while (!__atomic_compare_exchange_n(&it->is_free, &yes, 0, 0, __ATOMIC_ACQUIRE,
                                        __ATOMIC_RELAXED)) {
      yes = 1;
      sched_yield();
    }
    belay_owner *owner = belay_owner_adopt(&it->place, NULL);
    if (belay_owner_is_dying(owner)) __atomic_add_fetch(&it->begun, 1000000, __ATOMIC_RELAXED);
    belay_owner_add_action(owner, count_end, &it->ended, NULL);
    __atomic_add_fetch(&it->begun, 1, __ATOMIC_RELAXED);
    belay_owner_end(&it->place, free_place, it);
    belay_owner_release(owner);
  }
  belay_last_error();
}
static void rule_1_4_two_threads_pass_a_place_to_each_other(void) {
  passing it = {.is_free = 1};
  routine threads[2];
  for (int i = 0; i < 2; i++) start_thread(&threads[i], use_place, &it);
  for (int i = 0; i < 2; i++) join_thread(&threads[i]);
  CHECK_INT(it.begun, 2 * PASSES);
  CHECK_INT(it.ended, 2 * PASSES);
}

static void a_pointer_that_nobody_adopted_is_only_destroyed(void) {
  int object;
  CHECK_INT(belay_owner_end(&object, trace_destroy_of, "stranger"), 0);
  CHECK_TRACE("destroy stranger");
  CHECK_FAILS(belay_owner_did_end(&object), BELAY_ENOENT);
  CHECK(belay_owner_adopt(NULL, NULL) == NULL);
  belay_last_error();
  CHECK_FAILS(belay_owner_end(NULL, NULL, NULL), BELAY_EINVAL);
  CHECK_FAILS(belay_owner_will_end(NULL), BELAY_EINVAL);
  CHECK_FAILS(belay_owner_did_end(NULL), BELAY_EINVAL);
}

static void end_in_next(void *ctx, belay_value value) {
  trace("next");
  CHECK_INT(belay_owner_end(ctx, trace_destroy_of, "object"), 0);
  trace("next returns");
}
/* An end that would have to wait does not wait for a callback on its own stack. */
static void rule_1_4_an_adopted_end_inside_a_bound_callback(void) {
  int object;
  belay_owner *owner = belay_owner_adopt(&object, NULL);
  belay_signal *subject = belay_subject_create(NULL);
  belay_observer observer = {.size = sizeof observer, .next = end_in_next, .ctx = &object};
  observer.owner = owner;
  CHECK_INT(belay_signal_subscribe(subject, &observer, NULL), 0);
  CHECK_INT(belay_subject_next(subject, belay_null()), 0);
  CHECK_INT(belay_subject_next(subject, belay_null()), 0);
  CHECK_TRACE("next | destroy object | next returns");
  belay_owner_release(owner);
  belay_signal_release(subject);
}

static void rule_1_4_an_adopted_end_waits_for_callbacks_on_other_threads(void) {
  int object;
  held it = {.owner = belay_owner_adopt(&object, NULL)};
  begin_held(&it);
  sem_post(&go_on);
  CHECK_INT(belay_owner_end(&object, trace_destroy_of, "object"), 0);
  CHECK_TRACE("inside | leaves | destroy object");
  belay_owner_release(it.owner);
  end_held(&it);
}

static int wrong_result, wrong_will;
static void end_elsewhere(void *object) {
  wrong_result = belay_owner_end(object, trace_destroy_of, "no");
  wrong_will = belay_owner_will_end(object);
}
static void rule_1_4_an_adopted_end_away_from_its_loop(void) {
  int object;
  belay_loop *loop = open_loop();
  belay_owner_options options = {.size = sizeof options, .loop = loop};
  belay_owner *owner = belay_owner_adopt(&object, &options);
  follow_death(owner);
  in_thread(end_elsewhere, &object);
  CHECK_INT(wrong_result, BELAY_EWRONGTHREAD);
  CHECK_INT(wrong_will, BELAY_EWRONGTHREAD);
  CHECK_INT(belay_owner_is_dying(owner), 0);
  turn(loop);
  CHECK_TRACE("");
  CHECK_INT(belay_owner_end(&object, trace_destroy_of, "object"), 0);
  CHECK_TRACE(
      "deallocating next null | destroy object | deallocating completed | "
      "deallocated next null | deallocated completed");
  belay_owner_release(owner);
  turn(loop);
  close_loop(loop);
}

static void end_again(void *ctx, belay_value value) {
  CHECK_FAILS(belay_owner_end(ctx, trace_destroy_of, "no"), BELAY_EDEAD);
  trace("refused");
}
static void an_end_inside_its_own_notice_is_refused(void) {
  int object;
  belay_owner *owner = belay_owner_adopt(&object, NULL);
  belay_signal *signal = belay_owner_deallocating(owner);
  belay_observer observer = {.size = sizeof observer, .next = end_again, .ctx = &object};
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  belay_signal_release(signal);
  CHECK_INT(belay_owner_end(&object, trace_destroy_of, "object"), 0);
  CHECK_TRACE("refused | destroy object");
  belay_owner_release(owner);
}

/* Two callbacks, each bound to one pointer, end the other one: neither can wait for the other. The one that is
   refused declares the rest when it knows that the other callback has returned. */
static int pointers[2], end_codes[2];
static belay_owner *its_owners[2];
static sem_t may_end[2];

static void end_the_other(void *ctx, belay_value value) {
  int me = (int)(intptr_t)ctx;
  sem_post(&may_end[!me]);
  wait_for(&may_end[me]);
  end_codes[me] = belay_owner_end(&pointers[!me], count_free, &pointers[!me]);
}
static belay_signal *their_subjects[2];
static void send_and_end(void *ctx) {
  int me = (int)(intptr_t)ctx;
  CHECK(belay_subject_next(their_subjects[me], belay_int32(1)) >= 0);
  if (end_codes[me] != BELAY_EDEADLK) return;
  pointers[!me] = -1;
  CHECK_INT(belay_owner_did_end(&pointers[!me]), 0);
}

static void two_callbacks_end_each_others_pointers(void) {
  belay_source_options options = {.size = sizeof options, .shared = 1};
  routine threads[2];
  for (int i = 0; i < 2; i++) {
    pointers[i] = 0;
    sem_init(&may_end[i], 0, 0);
    its_owners[i] = belay_owner_adopt(&pointers[i], NULL);
    their_subjects[i] = belay_subject_create(&options);
    belay_observer observer = {.size = sizeof observer,
                               .next = end_the_other,
                               .ctx = (void *)(intptr_t)i,
                               .owner = its_owners[i]};
    CHECK_INT(belay_signal_subscribe(their_subjects[i], &observer, NULL), 0);
  }
  for (int i = 0; i < 2; i++) start_thread(&threads[i], send_and_end, (void *)(intptr_t)i);
  for (int i = 0; i < 2; i++) join_thread(&threads[i]);
  int refused = end_codes[0] == BELAY_EDEADLK ? 0 : 1;
  CHECK_INT(end_codes[refused], BELAY_EDEADLK);
  CHECK_INT(end_codes[!refused], 0);
  CHECK_INT(pointers[!refused], -1); /* not destroyed by Belay */
  CHECK_INT(pointers[refused], 1);
  for (int i = 0; i < 2; i++) {
    belay_owner_release(its_owners[i]);
    belay_signal_release(their_subjects[i]);
    belay_owner *another = belay_owner_adopt(&pointers[i], NULL);
    CHECK_INT(belay_owner_is_dying(another), 0);
    CHECK_INT(belay_owner_end(&pointers[i], NULL, NULL), 0);
    belay_owner_release(another);
  }
}

static const test_case cases[] = {
    CASE(adopted_pointers_end_when_the_host_says_so),
    CASE(adopted_pointers_end_in_two_halves),
    CASE(an_address_that_is_used_again_is_a_new_owner),
    CASE(rule_1_4_memory_that_is_reused_before_the_end_is_declared),
    CASE(rule_1_4_two_threads_pass_a_place_to_each_other),
    CASE(a_pointer_that_nobody_adopted_is_only_destroyed),
    CASE(rule_1_4_an_adopted_end_inside_a_bound_callback),
    CASE(rule_1_4_an_adopted_end_waits_for_callbacks_on_other_threads),
    CASE(rule_1_4_an_adopted_end_away_from_its_loop),
    CASE(an_end_inside_its_own_notice_is_refused),
    CASE(two_callbacks_end_each_others_pointers),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
