/* Deaths of owners after the disposal of what was bound to them. A callback that still runs is
   bound as before: the deinit waits for it, also when its container was disposed of first. */
#include "held.h"
#include "owned.h"
#include "people.h"

#include <unistd.h>

/* ---- what holds the subscription of the callback ---- */
static belay_disposable *compound_of(belay_disposable *inner) {
  belay_disposable *made = belay_compound_create();
  CHECK_INT(belay_compound_add(made, inner, NULL), 0);
  return made;
}
static belay_disposable *compound_of_compound_of(belay_disposable *inner) {
  belay_disposable *between = compound_of(inner), *made = compound_of(between);
  belay_disposable_release(between);
  return made;
}
static belay_disposable *serial_of(belay_disposable *inner) {
  belay_disposable *made = belay_serial_create();
  CHECK_INT(belay_serial_set(made, inner), 0);
  return made;
}
static belay_disposable *single_assignment_of(belay_disposable *inner) {
  belay_disposable *made = belay_single_assignment_create();
  CHECK_INT(belay_single_assignment_set(made, inner), 0);
  return made;
}
static belay_disposable *last_dependent_of(belay_disposable *inner) {
  belay_disposable *counted = belay_ref_counted_create(inner);
  belay_disposable *made = belay_ref_counted_create_dependent(counted);
  end_subscription(counted);
  return made;
}
static belay_disposable *first_of_two(belay_disposable *inner) {
  return belay_binary_create(inner, NULL);
}
static belay_disposable *second_of_two(belay_disposable *inner) {
  return belay_binary_create(NULL, inner);
}

static void dispose(belay_disposable *container) { belay_disposable_dispose(container); }
static void replace_content(belay_disposable *serial) {
  CHECK_INT(belay_serial_set(serial, NULL), 0);
}

/* ---- an owner, a container that is bound to it, and a callback in that ---- */
typedef struct scene {
  belay_owner *owner;
  belay_disposable *container;
  void (*end)(belay_disposable *container);
  belay_signal *subject; /* shared: the callback runs on the thread that sends */
} scene;

/* Without `make` the container is the owner's own compound. Takes `inner` over. */
static void bind(scene *it, belay_disposable *(*make)(belay_disposable *inner),
                 belay_disposable *inner) {
  it->container =
      make ? make(inner) : belay_disposable_retain(belay_owner_get_compound(it->owner));
  CHECK_INT(belay_owner_add(it->owner, make ? it->container : inner), 0);
  belay_disposable_release(inner);
}
static void bind_callback(scene *it, belay_disposable *(*make)(belay_disposable *inner),
                          void (*next)(void *, belay_value)) {
  belay_source_options options = BELAY_INIT(belay_source_options, .shared = 1);
  belay_observer observer = BELAY_INIT(belay_observer, .next = next, .ctx = it);
  belay_disposable *subscription = NULL;
  it->subject = belay_subject_create(&options);
  CHECK_INT(belay_signal_subscribe(it->subject, &observer, &subscription), 0);
  bind(it, make, subscription);
}
static void leave(scene *it) {
  belay_disposable_release(it->container);
  belay_signal_release(it->subject);
}

static void send_one(void *subject) { send_int(subject, 1); }
/* Starts a thread, and returns when that is inside the callback. */
static void enter(scene *it, routine *other) {
  sem_init(&inside, 0, 0);
  sem_init(&go_on, 0, 0);
  start_thread(other, send_one, it->subject);
  wait_for(&inside);
}
static void let_out(routine *other) {
  sem_post(&go_on);
  join_thread(other);
}

static void end_and_let_go(void *ctx, belay_value value) {
  scene *it = ctx;
  it->end(it->container);
  belay_owner_release(it->owner);
  trace("goes on");
}
static void from_inside(belay_disposable *(*make)(belay_disposable *),
                        void (*end)(belay_disposable *)) {
  scene it = {.owner = traced_owner(NULL), .end = end};
  bind_callback(&it, make, end_and_let_go);
  send_one(it.subject);
  CHECK_TRACE("goes on | deinit | dealloc");
  leave(&it);
}

static void beside_another_thread(belay_disposable *(*make)(belay_disposable *),
                                  void (*end)(belay_disposable *)) {
  scene it = {.owner = traced_owner(NULL)};
  routine other;
  bind_callback(&it, make, hold_in_next);
  enter(&it, &other);
  end(it.container);
  belay_owner_release(it.owner);
  CHECK_TRACE("inside");
  let_out(&other);
  CHECK_TRACE("leaves | deinit | dealloc");
  leave(&it);
}

static void both_ways(belay_disposable *(*make)(belay_disposable *),
                      void (*end)(belay_disposable *)) {
  from_inside(make, end);
  beside_another_thread(make, end);
}

/* ---- the container was disposed of, and the death waits ---- */
static void after_the_disposal_of_its_own_compound(void) { both_ways(NULL, dispose); }
static void after_that_of_a_compound(void) { both_ways(compound_of, dispose); }
static void after_that_of_a_compound_with_another(void) {
  both_ways(compound_of_compound_of, dispose);
}
static void after_that_of_a_serial(void) { both_ways(serial_of, dispose); }
static void after_that_of_a_single_assignment(void) { both_ways(single_assignment_of, dispose); }
static void after_that_of_a_ref_counted(void) { both_ways(belay_ref_counted_create, dispose); }
static void after_that_of_the_last_dependent(void) { both_ways(last_dependent_of, dispose); }
static void after_that_of_a_scoped(void) { both_ways(belay_scoped_create, dispose); }
static void after_that_of_a_binary(void) {
  both_ways(first_of_two, dispose);
  both_ways(second_of_two, dispose);
}
/* The serial itself lives, and has other content by then. */
static void after_the_content_of_a_serial_was_replaced(void) {
  both_ways(serial_of, replace_content);
}

/* The callback is the action of a disposable. */
static void act_and_let_go(void *scene) { end_and_let_go(scene, belay_null()); }
static void from_inside_an_action(belay_disposable *(*make)(belay_disposable *)) {
  scene it = {.owner = traced_owner(NULL), .end = dispose};
  belay_disposable *action = belay_disposable_create(act_and_let_go, &it, NULL);
  bind(&it, make, belay_disposable_retain(action));
  end_subscription(action);
  CHECK_TRACE("goes on | deinit | dealloc");
  leave(&it);
}
static void an_action_may_end_its_container_and_its_owner(void) {
  from_inside_an_action(NULL);
  from_inside_an_action(compound_of);
}

/* The container that is disposed of is in one that is bound and lives. */
static void after_the_disposal_of_what_a_bound_one_holds(void) {
  scene it = {.owner = traced_owner(NULL)};
  belay_disposable *outer = belay_compound_create();
  routine other;
  bind_callback(&it, serial_of, hold_in_next);
  CHECK_INT(belay_compound_add(outer, it.container, NULL), 0);
  CHECK_INT(belay_owner_add(it.owner, outer), 0);
  enter(&it, &other);
  dispose(it.container);
  dispose(outer);
  dispose(belay_owner_get_compound(it.owner));
  belay_owner_release(it.owner);
  CHECK_TRACE("inside");
  let_out(&other);
  CHECK_TRACE("leaves | deinit | dealloc");
  belay_disposable_release(outer);
  leave(&it);
}

/* The disposal of a compound ends the children in it. */
static void a_parent_waits_for_a_child_that_its_compound_has_ended(void) {
  belay_owner *parent = named_owner("parent");
  scene it = {.owner = named_owner("child")};
  routine other;
  CHECK_INT(belay_owner_add_child(parent, it.owner), 0);
  bind_callback(&it, compound_of, hold_in_next);
  enter(&it, &other);
  dispose(belay_owner_get_compound(parent));
  CHECK_INT(belay_owner_is_dying(it.owner), 1);
  belay_owner_release(parent);
  CHECK_TRACE("inside");
  let_out(&other);
  CHECK_TRACE("leaves | deinit child | dealloc child | deinit parent | dealloc parent");
  belay_owner_release(it.owner);
  leave(&it);
}

/* ---- an adopted object: its end sleeps meanwhile ---- */
static void let_go_on(void *ctx, belay_value value) { sem_post(&go_on); }
/* Stays for a moment, in which a destruction that does not wait would come. */
static void hold_and_linger(void *ctx, belay_value value) {
  trace("inside");
  sem_post(&inside);
  wait_for(&go_on);
  usleep(2000);
  trace("leaves");
}
static void end_adopted(belay_disposable *(*make)(belay_disposable *),
                        void (*end)(belay_disposable *)) {
  int object = 0;
  scene it = {.owner = belay_owner_adopt(&object, NULL)};
  belay_observer step_two = BELAY_INIT(belay_observer, .next = let_go_on);
  belay_signal *dying = belay_owner_deallocating(it.owner);
  routine other;
  CHECK_INT(belay_signal_subscribe(dying, &step_two, NULL), 0);
  belay_signal_release(dying);
  bind_callback(&it, make, hold_and_linger);
  enter(&it, &other);
  end(it.container);
  CHECK_INT(belay_owner_end(&object, trace_destroy_of, "it"), 0);
  join_thread(&other);
  CHECK_TRACE("inside | leaves | destroy it");
  belay_owner_release(it.owner);
  leave(&it);
}
static void the_end_of_an_adopted_object_waits(void) {
  end_adopted(NULL, dispose);
  end_adopted(compound_of, dispose);
  end_adopted(serial_of, replace_content);
}

/* ---- how long a disposed container stays where it is ---- */
static belay_disposable *outer;
static void trace_count(const char *when) {
  trace("%s: %zu", when, belay_compound_count(outer));
}
static void end_and_count(void *ctx, belay_value value) {
  scene *it = ctx;
  dispose(it->container);
  trace_count("inside");
}
static void leaves_when_it_is_over(belay_disposable *holder, int is_on_another_thread) {
  scene it = {.owner = plain_owner()};
  routine other;
  outer = holder ? holder : belay_disposable_retain(belay_owner_get_compound(it.owner));
  bind_callback(&it, compound_of, is_on_another_thread ? hold_in_next : end_and_count);
  if (holder) CHECK_INT(belay_compound_add(holder, it.container, NULL), 0);
  if (is_on_another_thread) {
    enter(&it, &other);
    trace_clear();
    end_and_count(&it, belay_null());
    let_out(&other);
    CHECK_TRACE("inside: 1 | leaves");
  } else {
    send_one(it.subject);
    CHECK_TRACE("inside: 1");
  }
  CHECK_INT(belay_disposable_is_disposed(it.container), 1);
  CHECK_INT(belay_compound_count(outer), 0);
  belay_disposable_release(outer);
  belay_owner_release(it.owner);
  leave(&it);
}
static void a_disposed_container_leaves_when_its_callback_is_over(void) {
  for (int is_elsewhere = 0; is_elsewhere < 2; is_elsewhere++) {
    leaves_when_it_is_over(NULL, is_elsewhere);
    leaves_when_it_is_over(belay_compound_create(), is_elsewhere);
  }
}

/* ---- fields with functions, when the compound has been disposed of ---- */
static void a_living_owner_keeps_its_getters_and_setters(void) {
  belay_owner *ann = make_person(20, NULL);
  CHECK_INT(set_int(ann, "shared", 1), 0);
  dispose(belay_owner_get_compound(ann));
  CHECK_INT(belay_owner_is_dying(ann), 0);
  CHECK_INT(get_int(ann, "shared"), 1);
  CHECK_INT(set_int(ann, "shared", 2), 0);
  CHECK_INT(get_int(ann, "shared"), 2);
  CHECK_FAILS(set_int(ann, "shared", 10), BELAY_ERANGE);
  CHECK_INT(set_int(ann, "age", 30), 0);
  CHECK_INT(get_int(ann, "age"), 30);
  belay_owner_release(ann);
  forget_people();
}

/* An object whose field holds the thread that reads or writes it. */
static belay_value get_held(void *object) {
  hold_in_next(NULL, belay_null());
  return belay_int32(1);
}
static int set_held(void *object, belay_value value) {
  hold_in_next(NULL, value);
  return 0;
}
static void read_held(void *owner) {
  CHECK_INT(get_int(owner, "held"), 1);
  sem_post(&inside); /* in case the getter was not called */
}
static void write_held(void *owner) {
  CHECK_INT(set_int(owner, "held", 2), 0);
  sem_post(&inside);
}
static void dies_during(void (*use)(void *owner)) {
  static const belay_field fields[] = {
      {sizeof(belay_field), "held", BELAY_KIND_INT32, 0, get_held, set_held, NULL}};
  int object = 0;
  routine other;
  belay_type *type = belay_type_create(fields, 1, 0);
  belay_owner *owner = traced_owner(&object);
  CHECK_INT(belay_object_set_type(owner, type), 0);
  dispose(belay_owner_get_compound(owner));
  sem_init(&inside, 0, 0);
  sem_init(&go_on, 0, 0);
  start_thread(&other, use, owner);
  wait_for(&inside);
  belay_owner_release(owner);
  CHECK_TRACE("inside");
  let_out(&other);
  CHECK_TRACE("leaves | deinit | dealloc");
  belay_type_release(type);
}
static void a_death_waits_for_a_getter_after_that(void) { dies_during(read_held); }
static void a_death_waits_for_a_setter_after_that(void) { dies_during(write_held); }

/* The same on one thread. The object is a scene. */
static belay_value get_and_let_go(void *object) {
  end_and_let_go(object, belay_null());
  return belay_int32(1);
}
static void a_getter_may_end_its_compound_and_its_object(void) {
  static const belay_field fields[] = {
      {sizeof(belay_field), "last", BELAY_KIND_INT32, 0, get_and_let_go, NULL, NULL}};
  scene it = {.owner = traced_owner(&it), .end = dispose};
  belay_type *type = belay_type_create(fields, 1, 0);
  CHECK_INT(belay_object_set_type(it.owner, type), 0);
  it.container = belay_disposable_retain(belay_owner_get_compound(it.owner));
  CHECK_INT(get_int(it.owner, "last"), 1);
  CHECK_TRACE("goes on | deinit | dealloc");
  belay_type_release(type);
  leave(&it);
}

static const test_case cases[] = {
    CASE(after_the_disposal_of_its_own_compound),
    CASE(after_that_of_a_compound),
    CASE(after_that_of_a_compound_with_another),
    CASE(after_that_of_a_serial),
    CASE(after_that_of_a_single_assignment),
    CASE(after_that_of_a_ref_counted),
    CASE(after_that_of_the_last_dependent),
    CASE(after_that_of_a_scoped),
    CASE(after_that_of_a_binary),
    CASE(after_the_content_of_a_serial_was_replaced),
    CASE(an_action_may_end_its_container_and_its_owner),
    CASE(after_the_disposal_of_what_a_bound_one_holds),
    CASE(a_parent_waits_for_a_child_that_its_compound_has_ended),
    CASE(the_end_of_an_adopted_object_waits),
    CASE(a_disposed_container_leaves_when_its_callback_is_over),
    CASE(a_living_owner_keeps_its_getters_and_setters),
    CASE(a_death_waits_for_a_getter_after_that),
    CASE(a_death_waits_for_a_setter_after_that),
    CASE(a_getter_may_end_its_compound_and_its_object),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
