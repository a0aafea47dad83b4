/* Nested disposables that end together take no stack, and no more than linear time to build, to
   dispose and to let go of. The cases run on a thread with a small stack. */
#include "small_stack.h"

static int acted;
static void count_action(void *ctx) { acted++; }
static belay_disposable *innermost(void) {
  acted = 0;
  return belay_disposable_create(count_action, NULL, NULL);
}

/* ---- one in the other ---- */

/* Each function takes `inner` over and returns the container that holds it. */
static belay_disposable *held_by(belay_disposable *inner, belay_disposable *outer) {
  CHECK(outer != NULL);
  belay_disposable_release(inner);
  return outer;
}
static belay_disposable *in_a_compound(belay_disposable *inner) {
  belay_disposable *outer = belay_compound_create();
  CHECK_INT(belay_compound_add(outer, inner, NULL), 0);
  return held_by(inner, outer);
}
static belay_disposable *in_a_serial(belay_disposable *inner) {
  belay_disposable *outer = belay_serial_create();
  CHECK_INT(belay_serial_set(outer, inner), 0);
  return held_by(inner, outer);
}
static belay_disposable *in_a_single_assignment(belay_disposable *inner) {
  belay_disposable *outer = belay_single_assignment_create();
  CHECK_INT(belay_single_assignment_set(outer, inner), 0);
  return held_by(inner, outer);
}
static belay_disposable *in_a_binary(belay_disposable *inner) {
  return held_by(inner, belay_binary_create(inner, NULL));
}
static belay_disposable *second_in_a_binary(belay_disposable *inner) {
  return held_by(inner, belay_binary_create(NULL, inner));
}
static belay_disposable *ref_counted(belay_disposable *inner) {
  return held_by(inner, belay_ref_counted_create(inner));
}
/* The dependent goes last. */
static belay_disposable *in_a_dependent(belay_disposable *inner) {
  belay_disposable *outer = ref_counted(inner);
  belay_disposable *dependent = belay_ref_counted_create_dependent(outer);
  belay_disposable_dispose(outer);
  return held_by(outer, dependent);
}
static belay_disposable *in_a_scope(belay_disposable *inner) {
  return held_by(inner, belay_scoped_create(inner));
}
static belay_disposable *scheduled_at_once(belay_disposable *inner) {
  return held_by(inner, belay_scheduled_create(belay_scheduler_immediate(), inner));
}
static belay_disposable *scheduled_after(belay_disposable *inner) {
  return held_by(inner, belay_scheduled_create(belay_scheduler_trampoline(), inner));
}
static belay_disposable *tear_down(void *inner, belay_subscriber *subscriber) {
  belay_subscriber_add(subscriber, inner);
  return belay_disposable_create(NULL, belay_subscriber_retain(subscriber),
                                 (belay_free_fn)belay_subscriber_release);
}
static belay_disposable *in_a_subscription(belay_disposable *inner) {
  belay_signal *signal = belay_signal_create(tear_down, inner, NULL, NULL);
  belay_observer observer = {.size = sizeof observer};
  belay_disposable *outer = NULL;
  CHECK_INT(belay_signal_subscribe(signal, &observer, &outer), 0);
  belay_signal_release(signal);
  return held_by(inner, outer);
}
static belay_owner *owners[MANY];
static int owner_count;
static belay_disposable *in_an_owners_compound(belay_disposable *inner) {
  belay_owner *owner = owners[owner_count++] = belay_owner_create(NULL, NULL, NULL, NULL);
  CHECK_INT(belay_owner_add(owner, inner), 0);
  return held_by(inner, belay_disposable_retain(belay_owner_get_compound(owner)));
}

typedef belay_disposable *(*wrap)(belay_disposable *inner);

/* Disposes the nest, or only lets go of it: then a scope alone disposes what is in it. */
static void nest_in(wrap wrap, int disposes) {
  belay_disposable *it = innermost();
  for (int i = 0; i < MANY; i++) it = wrap(it);
  if (disposes) {
    belay_disposable_dispose(it);
    CHECK_INT(acted, 1);
    CHECK_INT(belay_disposable_dispose_sync(it, 0), 0);
  }
  belay_disposable_release(it);
}

static void nests(const wrap *wraps, size_t count) {
  for (size_t i = 0; i < count; i++)
    for (int disposes = 0; disposes < 2; disposes++) nest_in(wraps[i], disposes);
}
static void containers(void) {
  static const wrap wraps[] = {in_a_compound, in_a_serial, in_a_single_assignment, in_a_binary,
                               second_in_a_binary, ref_counted, in_a_dependent, in_a_scope};
  nests(wraps, sizeof wraps / sizeof *wraps);
}
static void each_kind_of_container(void) { on_a_flat_stack(containers); }

/* ---- built from the outermost on ---- */

static belay_disposable *put_a_compound_into(belay_disposable *outer) {
  belay_disposable *inner = belay_compound_create();
  CHECK_INT(belay_compound_add(outer, inner, NULL), 0);
  return held_by(outer, inner);
}
static belay_disposable *put_a_serial_into(belay_disposable *outer) {
  belay_disposable *inner = belay_serial_create();
  CHECK_INT(belay_serial_set(outer, inner), 0);
  return held_by(outer, inner);
}
static void nest_inwards(belay_disposable *outermost, wrap put, int disposes) {
  belay_disposable *it = belay_disposable_retain(outermost);
  for (int i = 0; i < MANY; i++) it = put(it);
  belay_disposable *action = innermost();
  if (put == put_a_compound_into) CHECK_INT(belay_compound_add(it, action, NULL), 0);
  if (put == put_a_serial_into) CHECK_INT(belay_serial_set(it, action), 0);
  belay_disposable_release(action);
  belay_disposable_release(it);
  if (disposes) belay_disposable_dispose(outermost);
  belay_disposable_release(outermost);
  CHECK_INT(acted, disposes);
}
static void inwards(void) {
  for (int disposes = 0; disposes < 2; disposes++) {
    nest_inwards(belay_compound_create(), put_a_compound_into, disposes);
    nest_inwards(belay_serial_create(), put_a_serial_into, disposes);
  }
}
static void built_from_the_outermost_on(void) { on_a_flat_stack(inwards); }

/* ---- the order ---- */

static void note(void *name) { trace("%s", (const char *)name); }
static void order(void) {
  belay_disposable *outer = belay_compound_create(), *inner = belay_compound_create();
  belay_disposable *named[2] = {belay_disposable_create(note, "second", NULL),
                                belay_disposable_create(note, "fourth", NULL)};
  belay_disposable *both = belay_binary_create(named[0], inner);
  CHECK_INT(belay_compound_add_action(outer, note, "first", NULL, NULL), 0);
  CHECK_INT(belay_compound_add(outer, both, NULL), 0);
  CHECK_INT(belay_compound_add_action(inner, note, "third", NULL, NULL), 0);
  CHECK_INT(belay_compound_add(inner, named[1], NULL), 0);
  CHECK_INT(belay_compound_add_action(inner, note, "fifth", NULL, NULL), 0);
  CHECK_INT(belay_compound_add_action(outer, note, "sixth", NULL, NULL), 0);
  belay_disposable_dispose(outer);
  CHECK_TRACE("first | second | third | fourth | fifth | sixth");
  belay_disposable_release(outer);
  belay_disposable_release(inner);
  belay_disposable_release(both);
  for (int i = 0; i < 2; i++) belay_disposable_release(named[i]);
}
static void containers_in_containers_are_disposed_in_the_order_of_adding(void) { order(); }

/* Each compound is twice in the next one. */
static void nested_twice(void) {
  belay_disposable *all = belay_compound_create(), *it = innermost();
  for (int i = 0; i < 64; i++) {
    belay_disposable *outer = belay_compound_create();
    CHECK_INT(belay_compound_add(all, outer, NULL), 0);
    for (int time = 0; time < 2; time++) CHECK_INT(belay_compound_add(outer, it, NULL), 0);
    it = held_by(it, outer);
  }
  CHECK_FAILS(belay_compound_add(it, all, NULL), BELAY_EINVAL);
  belay_disposable_dispose(all);
  CHECK_INT(acted, 1);
  belay_disposable_release(it);
  belay_disposable_release(all);
}
static void the_same_compound_on_many_ways(void) { on_a_flat_stack(nested_twice); }

/* ---- what begins an end ---- */

static void bags(void) {
  belay_disposable *it = innermost();
  for (int i = 0; i < MANY; i++) it = in_a_compound(it);
  belay_bag *bag = belay_bag_create();
  CHECK_INT(belay_bag_add(bag, it), 0);
  belay_disposable_release(it);
  belay_bag_release(bag);
  CHECK_INT(acted, 1);
}
static void a_bag_of_a_deep_nest(void) { on_a_flat_stack(bags); }

static void scheduled(void) {
  static const wrap wraps[] = {scheduled_at_once, scheduled_after};
  nests(wraps, 2);
}
static void scheduled_disposals(void) { on_a_flat_stack(scheduled); }

static void subscriptions(void) { nest_in(in_a_subscription, 1); }
static void what_a_producer_gives_back(void) { on_a_flat_stack(subscriptions); }

static void owners_compounds(void) {
  owner_count = 0;
  nest_in(in_an_owners_compound, 1);
  while (owner_count > 0) belay_owner_release(owners[--owner_count]);
}
static void what_is_bound_to_owners(void) { on_a_flat_stack(owners_compounds); }

/* ---- owners that hold the last reference to the next one ---- */

static int dead;
static void note_death(void *object) { dead++; }
static void hold_in_an_action(belay_owner *owner, belay_owner *next) {
  CHECK_INT(belay_owner_add_action(owner, NULL, next, release_owner), 0);
}
static void hold_as_the_action(belay_owner *owner, belay_owner *next) {
  CHECK_INT(belay_owner_add_action(owner, release_owner, next, NULL), 0);
}
static void hold_in_a_disposable(belay_owner *owner, belay_owner *next) {
  belay_disposable *action = belay_disposable_create(NULL, next, release_owner);
  CHECK_INT(belay_owner_add(owner, action), 0);
  belay_disposable_release(action);
}
static void associate(belay_owner *owner, belay_owner *next) {
  belay_association association = {.size = sizeof association, .key = &dead, .object = next,
                                   .policy = BELAY_ASSOCIATION_ASSIGN, .free = release_owner};
  CHECK_INT(belay_association_set(owner, &association), 0);
}
static void hold_as_a_value(belay_owner *owner, belay_owner *next) {
  belay_value value = belay_value_from_owner(next);
  belay_association association = {.size = sizeof association, .key = &dead, .object = next,
                                   .policy = BELAY_ASSOCIATION_ASSIGN, .free = release_owner};
  CHECK_INT(belay_association_set(owner, &association), 0);
  belay_value_release(value);
}
static void rows_of_owners(void) {
  static void (*const ways[])(belay_owner *, belay_owner *) = {
      hold_in_an_action, hold_as_the_action, hold_in_a_disposable, associate, hold_as_a_value};
  for (size_t way = 0; way < sizeof ways / sizeof *ways; way++) {
    belay_owner *it = belay_owner_create(&dead, note_death, NULL, NULL);
    for (int i = 1; i < MANY; i++) {
      belay_owner *outer = belay_owner_create(&dead, note_death, NULL, NULL);
      ways[way](outer, it);
      it = outer;
    }
    dead = 0;
    belay_owner_release(it);
    CHECK_INT(dead, MANY);
  }
}
static void owners_that_hold_the_next_one(void) { on_a_flat_stack(rows_of_owners); }

int main(int argc, char **argv) {
  static const test_case cases[] = {
      CASE(each_kind_of_container),
      CASE(built_from_the_outermost_on),
      CASE(containers_in_containers_are_disposed_in_the_order_of_adding),
      CASE(the_same_compound_on_many_ways),
      CASE(a_bag_of_a_deep_nest),
      CASE(scheduled_disposals),
      CASE(what_a_producer_gives_back),
      CASE(what_is_bound_to_owners),
      CASE(owners_that_hold_the_next_one),
  };
  return RUN_CASES(cases);
}
