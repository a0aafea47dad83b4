/* Properties that are bound in rings, at threads that have ended, and to owners that are dead. */
#include "numbers.h"
#include "people.h"

#include <sched.h>
#include <stdatomic.h>

enum { MOST = 5 };
static belay_property *places[MOST];

static void make_places(int count) {
  for (int i = 0; i < count; i++) places[i] = belay_property_create(belay_int32(i), NULL);
}
static void drop_places(int count) {
  for (int i = 0; i < count; i++) belay_property_release(places[i]);
}
static void check_all(int count, int32_t expected) {
  for (int i = 0; i < count; i++) CHECK_INT(number_of(places[i]), expected);
}
static void watch_places(int count) {
  static const char *const names[MOST] = {"a", "b", "c", "d", "e"};
  for (int i = 0; i < count; i++) {
    belay_observer observer = rendering(names[i]);
    observer.completed = observer.disposed = observer.ctx_free = NULL;
    belay_signal *signal = belay_property_signal(places[i]);
    CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
    belay_signal_release(signal);
  }
}

static void two_channels_between_two_properties(void) {
  make_places(2);
  CHECK_INT(belay_property_channel(places[0], places[1], NULL), 0);
  CHECK_INT(belay_property_channel(places[0], places[1], NULL), 0);
  watch_places(2);
  CHECK_TRACE("a next 0 | b next 0");
  CHECK_INT(belay_property_set(places[0], belay_int32(7)), 0);
  CHECK_TRACE("b next 7 | a next 7");
  CHECK_INT(belay_property_set(places[1], belay_int32(8)), 0);
  CHECK_TRACE("a next 8 | b next 8");
  drop_places(2);
  CHECK_TRACE("");
}

/* Each property sends a value once, however many ways lead to it. */
static void channels_in_a_ring(void) {
  for (int count = 3; count <= MOST; count++) {
    make_places(count);
    for (int i = 0; i < count; i++)
      CHECK_INT(belay_property_channel(places[i], places[(i + 1) % count], NULL), 0);
    check_all(count, 0);
    watch_places(count);
    trace_clear();
    for (int i = 0; i < count; i++) {
      CHECK_INT(belay_property_set(places[i], belay_int32(10 + i)), 0);
      check_all(count, 10 + i);
    }
    int heard = 1;
    for (const char *at = trace_text(); (at = strchr(at, '|')); at++) heard++;
    CHECK_INT(heard, count * count);
    trace_clear();
    drop_places(count);
  }
}

static belay_value next_number(void *ctx, belay_value value) {
  return belay_int32(int_of(value) + 1);
}
static int bind_one_way(belay_property *from, belay_property *to) {
  belay_bindable source = BELAY_INIT(belay_bindable, .property = from, .convert = next_number);
  belay_bindable target = BELAY_INIT(belay_bindable, .property = to);
  return belay_bind(&BELAY_INIT(belay_binding, .from = &source, .to = &target), NULL);
}
/* A value goes round the ring once, converted at each step. */
static void conversions_in_a_ring(void) {
  make_places(3);
  for (int i = 0; i < 3; i++) CHECK_INT(bind_one_way(places[i], places[(i + 1) % 3]), 0);
  CHECK_INT(belay_property_set(places[0], belay_int32(10)), 0);
  CHECK_INT(number_of(places[0]), 10);
  CHECK_INT(number_of(places[1]), 11);
  CHECK_INT(number_of(places[2]), 12);
  drop_places(3);
}

static void set_from_inside(void *ctx, belay_value value) {
  if (int_of(value) == 7) CHECK_INT(belay_property_set(ctx, belay_int32(8)), BELAY_QUEUED);
}
/* A property that is set from inside has the newest value, and so has every property that it is
   bound to. */
static void a_ring_agrees_after_changes_from_inside(void) {
  for (int place = 0; place < 3; place++) {
    make_places(3);
    belay_observer observer = {
        .size = sizeof observer, .next = set_from_inside, .ctx = places[place]};
    belay_signal *signal = belay_property_signal(places[place]);
    CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
    belay_signal_release(signal);
    for (int i = 0; i < 3; i++)
      CHECK_INT(belay_property_channel(places[i], places[(i + 1) % 3], NULL), 0);
    CHECK_INT(belay_property_set(places[0], belay_int32(7)), 0);
    check_all(3, 8);
    drop_places(3);
  }
}

static void open_another(void *ctx, belay_value value) {
  if (int_of(value) != 7) return;
  CHECK_INT(belay_property_set(places[0], belay_int32(8)), BELAY_QUEUED);
  CHECK_INT(belay_property_channel(places[0], places[2], NULL), 0);
}
/* A value that waits at a property when it is bound comes after the binding's own value. */
static void a_channel_that_is_made_while_a_value_waits(void) {
  make_places(3);
  CHECK_INT(belay_property_channel(places[0], places[1], NULL), 0);
  CHECK_INT(belay_property_channel(places[1], places[2], NULL), 0);
  belay_observer observer = {.size = sizeof observer, .next = open_another};
  belay_signal *signal = belay_property_signal(places[0]);
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  belay_signal_release(signal);
  CHECK_INT(belay_property_set(places[0], belay_int32(7)), 0);
  check_all(3, 8);
  CHECK_INT(belay_property_set(places[2], belay_int32(9)), 0);
  check_all(3, 9);
  drop_places(3);
}

/* ---- at a thread that has ended ---- */
static belay_disposable *binding;
static belay_signal *source;
static void bind_here(void *way) {
  make_places(2);
  source = belay_subject_create(NULL);
  if (*(int *)way == 0) CHECK_INT(belay_property_channel(places[0], places[1], &binding), 0);
  if (*(int *)way == 1) CHECK_INT(belay_signal_bind_property(source, places[0], NULL, &binding), 0);
  if (*(int *)way == 2)
    CHECK_INT(belay_bind(&BELAY_INIT(belay_binding,
                                     .from = &BELAY_INIT(belay_bindable, .property = places[0]),
                                     .to = &BELAY_INIT(belay_bindable, .property = places[1]),
                                     .ctx = "binding", .ctx_free = trace_free),
                         &binding),
              0);
}
static void bound_at_a_thread_that_has_ended(void) {
  for (int way = 0; way < 3; way++) {
    for (int disposes = 0; disposes < 2; disposes++) {
      in_thread(bind_here, &way);
      if (disposes) belay_disposable_dispose(binding);
      belay_disposable_release(binding);
      drop_places(2);
      belay_signal_release(source);
      CHECK_TRACE(way == 2 ? "free binding" : "");
    }
  }
}

/* ---- of owners that are dead ---- */
static void bound_to_owners_that_are_dead(void) {
  for (int dead = 0; dead < 4; dead++) {
    for (int both_ways = 0; both_ways < 2; both_ways++) {
      belay_owner *parent = belay_owner_create(NULL, NULL, NULL, NULL);
      belay_owner *ann = make_person(20, NULL), *bob = make_person(30, NULL);
      if (dead & 1) CHECK_INT(belay_owner_add_child(parent, ann), 0);
      if (dead & 2) CHECK_INT(belay_owner_add_child(parent, bob), 0);
      belay_owner_release(parent);
      belay_disposable *made = NULL;
      trace_clear();
      belay_bindable from = BELAY_INIT(belay_bindable, .object = ann, .path = "age");
      belay_bindable to = BELAY_INIT(belay_bindable, .object = bob, .path = "age");
      CHECK_INT(belay_bind(&BELAY_INIT(belay_binding, .from = &from, .to = &to,
                                       .both_ways = both_ways, .ctx = "binding",
                                       .ctx_free = trace_free),
                           &made),
                0);
      CHECK_INT(belay_disposable_is_disposed(made), dead != 0);
      CHECK_TRACE(dead ? "free binding" : "");
      end_subscription(made);
      CHECK_TRACE(dead ? "" : "free binding");
      belay_owner_release(ann), belay_owner_release(bob);
      trace_clear(), forget_people();
    }
  }
}

/* ---- the last reference of a property goes on another thread, while this one sets the other ---- */
enum { RELEASES = 3000 };
static _Atomic(belay_property *) offered;
static atomic_int released;
static void release_what_is_offered(void *ignored) {
  for (int i = 0; i < RELEASES; i++) {
    belay_property *property;
    while (!(property = atomic_exchange(&offered, NULL))) sched_yield();
    belay_property_release(property);
    released++;
  }
}
static void the_other_property_goes_elsewhere(void) {
  routine other;
  released = 0;
  start_thread(&other, release_what_is_offered, NULL);
  for (int i = 0; i < RELEASES; i++) {
    make_places(2);
    if (i % 2) {
      CHECK_INT(belay_property_channel(places[0], places[1], NULL), 0);
    } else {
      belay_bindable from = BELAY_INIT(belay_bindable, .property = places[0]);
      belay_bindable to = BELAY_INIT(belay_bindable, .property = places[1]);
      belay_binding binding = BELAY_INIT(belay_binding, .from = &from, .to = &to);
      CHECK_INT(belay_bind(&binding, NULL), 0);
    }
    offered = places[1];
    for (int k = 0; released == i; k++)
      CHECK_INT(belay_property_set(places[0], belay_int32(k)), 0);
    belay_property_release(places[0]);
  }
  join_thread(&other);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      CASE(two_channels_between_two_properties),
      CASE(channels_in_a_ring),
      CASE(conversions_in_a_ring),
      CASE(a_ring_agrees_after_changes_from_inside),
      CASE(a_channel_that_is_made_while_a_value_waits),
      CASE(bound_at_a_thread_that_has_ended),
      CASE(bound_to_owners_that_are_dead),
      CASE(the_other_property_goes_elsewhere),
  };
  return RUN_CASES(cases);
}
