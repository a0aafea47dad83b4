/* Owners bound to owners: a child dies whole in the third step of its parent's death. */
#include "owned.h"
#include "held.h"

static void follow(belay_owner *owner, const char *name) {
  belay_observer observer = rendering(name);
  observer.completed = NULL, observer.disposed = NULL, observer.ctx_free = NULL;
  belay_signal *signal = belay_owner_deallocating(owner);
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  belay_signal_release(signal);
}
static void add(belay_owner *parent, belay_owner *child) {
  CHECK_INT(belay_owner_add_child(parent, child), 0);
}

static void rule_1_4_a_child_dies_whole_at_its_turn(void) {
  belay_owner *parent = named_owner("parent"), *child = named_owner("child");
  follow(parent, "parent");
  follow(child, "child");
  belay_owner_add_action(parent, trace_action, "before", NULL);
  add(parent, child);
  belay_owner_add_action(parent, trace_action, "after", NULL);
  belay_owner_add_action(child, trace_action, "of the child", NULL);
  belay_owner_release(parent);
  CHECK_TRACE(
      "parent next null | action before | child next null | action of the child | deinit child | "
      "dealloc child | action after | deinit parent | dealloc parent");
  /* The caller has held the handle all the time. */
  CHECK_INT(belay_owner_is_dying(child), 1);
  CHECK(belay_owner_object(child) == NULL);
  belay_owner_release(child);
  CHECK_TRACE("");
}

static void rule_1_4_a_child_that_dies_by_itself_leaves(void) {
  belay_owner *parent = named_owner("parent"), *child = named_owner("child");
  add(parent, child);
  CHECK_INT(belay_compound_count(belay_owner_get_compound(parent)), 1);
  belay_owner_release(child);
  CHECK_TRACE("deinit child | dealloc child");
  CHECK_INT(belay_compound_count(belay_owner_get_compound(parent)), 0);
  belay_owner_release(parent);
  CHECK_TRACE("deinit parent | dealloc parent");
}

static void make_child(void *parent) {
  belay_owner *child = belay_owner_create(NULL, NULL, NULL, NULL);
  belay_owner_add_child(parent, child);
  belay_owner_release(child);
}
static void rule_1_3_short_lived_children_leave_their_parent_flat(void) {
  belay_owner *parent = named_owner("parent");
  check_flat(make_child, parent, 200000);
  CHECK_INT(belay_compound_count(belay_owner_get_compound(parent)), 0);
  belay_owner_release(parent);
  CHECK_TRACE("deinit parent | dealloc parent");
}

static void grandchildren_go_first(void) {
  belay_owner *a = named_owner("a"), *b = named_owner("b"), *c = named_owner("c"),
              *d = named_owner("d");
  add(b, c);
  add(a, b);
  add(a, d);
  belay_owner_release(c);
  CHECK_TRACE("deinit c | dealloc c");
  c = named_owner("c");
  add(b, c);
  belay_owner_release(a);
  CHECK_TRACE("deinit c | dealloc c | deinit b | dealloc b | deinit d | dealloc d | "
              "deinit a | dealloc a");
  belay_owner_release(b), belay_owner_release(c), belay_owner_release(d);
}

static void cycles_are_refused(void) {
  belay_owner *a = named_owner("a"), *b = named_owner("b"), *c = named_owner("c");
  CHECK_FAILS(belay_owner_add_child(a, a), BELAY_EINVAL);
  add(a, b);
  add(b, c);
  CHECK_FAILS(belay_owner_add_child(b, a), BELAY_EINVAL);
  CHECK_FAILS(belay_owner_add_child(c, a), BELAY_EINVAL);
  CHECK_FAILS(belay_owner_add_child(c, b), BELAY_EASSIGNED);
  CHECK_INT(belay_owner_remove_child(a, b), 0);
  add(c, a); /* now it makes no cycle */
  belay_owner_release(b);
  CHECK_TRACE("deinit a | dealloc a | deinit c | dealloc c | deinit b | dealloc b");
  belay_owner_release(a), belay_owner_release(c);
}

static void one_parent_at_a_time(void) {
  belay_owner *one = named_owner("one"), *two = named_owner("two"), *child = named_owner("child");
  add(one, child);
  add(one, child); /* it is a child there already */
  CHECK_INT(belay_compound_count(belay_owner_get_compound(one)), 1);
  CHECK_FAILS(belay_owner_add_child(two, child), BELAY_EASSIGNED);
  CHECK_FAILS(belay_owner_remove_child(two, child), BELAY_ENOENT);
  CHECK_INT(belay_owner_remove_child(one, child), 0);
  CHECK_FAILS(belay_owner_remove_child(one, child), BELAY_ENOENT);
  add(two, child);
  belay_owner_release(one);
  CHECK_TRACE("deinit one | dealloc one");
  CHECK_FAILS(belay_owner_remove_child(two, NULL), BELAY_EINVAL);
  belay_owner_release(two);
  CHECK_TRACE("deinit child | dealloc child | deinit two | dealloc two");
  belay_owner_release(child);
}

static void rule_1_4_binding_a_child_to_the_dead_kills_it(void) {
  int object;
  belay_owner *dead = belay_owner_adopt(&object, NULL), *child = named_owner("child");
  belay_owner_end(&object, NULL, NULL);
  add(dead, child);
  CHECK_TRACE("deinit child | dealloc child");
  belay_owner *parent = named_owner("parent");
  add(parent, child); /* adding a dead child does nothing */
  CHECK_INT(belay_compound_count(belay_owner_get_compound(parent)), 0);
  belay_owner_release(parent);
  CHECK_TRACE("deinit parent | dealloc parent");
  belay_owner_release(child), belay_owner_release(dead);
}

/* The end of an adopted pointer cannot wait for another loop, however far below that loop is. */
static void the_end_of_an_adopted_pointer_waits_for_no_other_loop(void) {
  int object;
  belay_loop *loop = open_loop();
  belay_owner *adopted = belay_owner_adopt(&object, NULL);
  belay_owner *below = named_owner("below"), *above = named_owner("above");
  belay_owner *at_loop = belay_owner_create("at loop", trace_deinit_of, trace_dealloc_of,
                                            &BELAY_INIT(belay_owner_options, .loop = loop));
  add(above, below);
  add(below, at_loop);
  CHECK_FAILS(belay_owner_add_child(adopted, above), BELAY_EINVAL);
  CHECK_INT(belay_owner_remove_child(below, at_loop), 0);
  add(adopted, above);
  CHECK_FAILS(belay_owner_add_child(below, at_loop), BELAY_EINVAL);
  CHECK_INT(belay_owner_end(&object, trace_free, "object"), 0);
  CHECK_TRACE("deinit below | dealloc below | deinit above | dealloc above | free object");
  belay_owner_release(adopted), belay_owner_release(above), belay_owner_release(below);
  belay_owner_release(at_loop);
  CHECK_TRACE("deinit at loop | dealloc at loop");
  close_loop(loop);
}

static void nonsense(void) {
  int object, other;
  belay_owner *owner = named_owner("owner");
  belay_owner *adopted = belay_owner_adopt(&object, NULL);
  CHECK_FAILS(belay_owner_add_child(NULL, owner), BELAY_EINVAL);
  CHECK_FAILS(belay_owner_add_child(owner, NULL), BELAY_EINVAL);
  CHECK_FAILS(belay_owner_remove_child(NULL, owner), BELAY_EINVAL);
  CHECK_FAILS(belay_owner_remove_child(owner, owner), BELAY_ENOENT);
  CHECK_FAILS(belay_owner_add_child(owner, adopted), BELAY_EKIND);
  belay_loop *loop = open_loop();
  belay_owner_options options = {.size = sizeof options, .loop = loop};
  belay_owner *at_loop = belay_owner_create("at loop", trace_deinit_of, trace_dealloc_of, &options);
  belay_owner *adopted_there = belay_owner_adopt(&other, &options);
  CHECK_FAILS(belay_owner_add_child(adopted, at_loop), BELAY_EINVAL);
  add(adopted_there, at_loop);
  add(adopted, owner);
  CHECK_INT(belay_owner_end(&other, trace_free, "other"), 0);
  CHECK_TRACE("deinit at loop | dealloc at loop | free other");
  CHECK_INT(belay_owner_end(&object, trace_free, "object"), 0);
  CHECK_TRACE("deinit owner | dealloc owner | free object");
  belay_owner_release(owner), belay_owner_release(adopted);
  belay_owner_release(at_loop), belay_owner_release(adopted_there);
  close_loop(loop);
}

/* A deep tree, built from above or from below, is refused in time and dies without trouble. */
static void a_tree_has_a_greatest_height(void) {
  for (int from_below = 0; from_below < 2; from_below++) {
    belay_owner *owners[1100];
    int count = 0, code = 0;
    for (; count < 1100; count++) {
      owners[count] = belay_owner_create(NULL, NULL, NULL, NULL);
      if (count == 0) continue;
      code = from_below ? belay_owner_add_child(owners[count], owners[count - 1])
                        : belay_owner_add_child(owners[count - 1], owners[count]);
      if (code < 0) break;
    }
    CHECK_INT(code, BELAY_ERANGE);
    belay_last_error();
    CHECK_INT(count, 1000);
    belay_owner *top = owners[from_below ? count - 1 : 0];
    belay_owner_retain(top);
    for (int i = 0; i <= count; i++)
      if (owners[i] != top) belay_owner_release(owners[i]);
    belay_owner_release(top);
    belay_owner_release(top);
  }
}

/* ---- hooks that kill ---- */
static void release_in_notice(void *owner, const char *name, void *address) {
  trace("%s", name);
  belay_owner_release(owner);
}
static void kill_in_action(void *owner) {
  trace("kill");
  belay_owner_release(owner);
}
static void hooks_that_kill_relatives(void) {
  /* A notice of the child releases the parent, which waits. */
  belay_owner *parent = named_owner("parent"), *child = named_owner("child");
  add(parent, child);
  belay_notice_set(child, "notice", release_in_notice, parent, NULL);
  belay_owner_release(child);
  CHECK_TRACE("deinit child | notice | dealloc child | deinit parent | dealloc parent");

  parent = named_owner("parent"), child = named_owner("child");
  belay_owner_add_action(parent, kill_in_action, child, NULL);
  add(parent, child);
  belay_owner_release(parent);
  CHECK_TRACE("kill | deinit child | dealloc child | deinit parent | dealloc parent");
}

static int ended_object;
static void end_parent(void *name) {
  trace("deinit %s", (const char *)name);
  CHECK_INT(belay_owner_end(&ended_object, trace_free, "parent"), 0);
}
static void a_childs_deinit_ends_its_adopted_parent(void) {
  belay_owner *parent = belay_owner_adopt(&ended_object, NULL);
  belay_owner *child = belay_owner_create("child", end_parent, trace_dealloc_of, NULL);
  add(parent, child);
  belay_owner_release(child);
  CHECK_TRACE("deinit child | free parent | dealloc child");
  belay_owner_release(parent);
}

/* ---- callbacks that are running ---- */
static void release_in_next(void *owner, belay_value value) {
  trace("next");
  belay_owner_release(owner);
  trace("next ends");
}
static void rule_1_4_a_parent_waits_for_a_callback_bound_to_its_child(void) {
  belay_owner *parent = named_owner("parent"), *child = named_owner("child");
  belay_signal *subject = belay_subject_create(NULL);
  add(parent, child);
  belay_observer observer = {.size = sizeof observer, .next = release_in_next, .ctx = parent};
  observer.owner = child;
  CHECK_INT(belay_signal_subscribe(subject, &observer, NULL), 0);
  belay_subject_next(subject, belay_null());
  CHECK_TRACE("next | next ends | deinit child | dealloc child | deinit parent | dealloc parent");
  belay_owner_release(child);
  belay_signal_release(subject);
}

typedef struct family {
  belay_owner *parent, *child;
} family;
static void release_and_remove(void *ctx, belay_value value) {
  family *it = ctx;
  belay_owner_release(it->parent);
  /* The child is dying for its parent, which waits: nobody can take it away. */
  CHECK_FAILS(belay_owner_remove_child(it->parent, it->child), BELAY_ENOENT);
  trace("next ends");
}
static void a_child_that_its_parents_end_has_reached_stays(void) {
  family it = {named_owner("parent"), named_owner("child")};
  belay_signal *subject = belay_subject_create(NULL);
  add(it.parent, it.child);
  belay_observer observer = {.size = sizeof observer, .next = release_and_remove, .ctx = &it};
  observer.owner = it.child;
  CHECK_INT(belay_signal_subscribe(subject, &observer, NULL), 0);
  belay_subject_next(subject, belay_null());
  CHECK_TRACE("next ends | deinit child | dealloc child | deinit parent | dealloc parent");
  belay_owner_release(it.child);
  belay_signal_release(subject);
}

static void end_in_next(void *object, belay_value value) {
  trace("next");
  CHECK_INT(belay_owner_end(object, trace_free, "parent"), 0);
  trace("next ends");
}
static void an_adopted_parent_cannot_wait_for_its_own_stack(void) {
  int object;
  belay_owner *parent = belay_owner_adopt(&object, NULL), *child = named_owner("child");
  belay_signal *subject = belay_subject_create(NULL);
  add(parent, child);
  belay_observer observer = {.size = sizeof observer, .next = end_in_next, .ctx = &object};
  observer.owner = child;
  CHECK_INT(belay_signal_subscribe(subject, &observer, NULL), 0);
  belay_subject_next(subject, belay_null());
  CHECK_TRACE("next | free parent | next ends | deinit child | dealloc child");
  belay_owner_release(child), belay_owner_release(parent);
  belay_signal_release(subject);
}

static void rule_1_4_a_parent_waits_for_a_childs_callback_on_another_thread(void) {
  for (int is_adopted = 0; is_adopted < 2; is_adopted++) {
    int object;
    held it = {.owner = named_owner("child")};
    belay_owner *parent = is_adopted ? belay_owner_adopt(&object, NULL) : named_owner("parent");
    add(parent, it.owner);
    begin_held(&it);
    CHECK_TRACE("inside");
    if (is_adopted) sem_post(&go_on);
    if (is_adopted) CHECK_INT(belay_owner_end(&object, trace_free, "parent"), 0);
    belay_owner_release(parent);
    if (!is_adopted) sem_post(&go_on);
    meet(&it.worker);
    CHECK_TRACE(is_adopted ? "leaves | deinit child | dealloc child | free parent"
                           : "leaves | deinit child | dealloc child | deinit parent | "
                             "dealloc parent");
    belay_owner_release(it.owner);
    end_held(&it);
  }
}

/* ---- loops ---- */
static pthread_t deinit_thread, parent_thread;
static void note_deinit(void *name) {
  trace_deinit_of(name);
  deinit_thread = pthread_self();
}
static void note_parent(void *name) {
  trace_deinit_of(name);
  parent_thread = pthread_self();
}
static void rule_1_4_a_child_with_a_loop_dies_there_and_the_parent_waits(void) {
  worker here = {0}, there = {0};
  start_worker(&here), start_worker(&there);
  belay_owner_options options = {.size = sizeof options, .loop = there.loop};
  belay_owner *child = belay_owner_create("child", note_deinit, trace_dealloc_of, &options);
  options.loop = here.loop;
  belay_owner *parent = belay_owner_create("parent", note_parent, trace_dealloc_of, &options);
  add(parent, child);
  belay_owner_release(parent);
  meet(&here), meet(&there), meet(&here);
  CHECK_TRACE("deinit child | dealloc child | deinit parent | dealloc parent");
  CHECK(pthread_equal(deinit_thread, there.thread));
  CHECK(pthread_equal(parent_thread, here.thread));
  belay_owner_release(child);
  stop_worker(&here), stop_worker(&there);
}

/* ---- races ---- */
enum { ROUNDS = 400 };
typedef struct race {
  pthread_barrier_t begin, end;
  belay_owner *parent, *child;
  int deinits;
} race;
static void count_deinit(void *race_) {
  __atomic_add_fetch(&((race *)race_)->deinits, 1, __ATOMIC_RELAXED);
}
static void release_children(void *ctx) {
  race *it = ctx;
  for (int i = 0; i < ROUNDS; i++) {
    pthread_barrier_wait(&it->begin);
    belay_owner_release(it->child);
    pthread_barrier_wait(&it->end);
  }
}
static void a_child_that_dies_while_its_parent_does(void) {
  race it = {0};
  pthread_barrier_init(&it.begin, NULL, 2), pthread_barrier_init(&it.end, NULL, 2);
  routine other;
  start_thread(&other, release_children, &it);
  for (int i = 0; i < ROUNDS; i++) {
    it.parent = belay_owner_create(&it, count_deinit, NULL, NULL);
    it.child = belay_owner_create(&it, count_deinit, NULL, NULL);
    if (i % 2) add(it.parent, it.child);
    pthread_barrier_wait(&it.begin);
    if (i % 2 == 0) belay_owner_add_child(it.parent, it.parent);
    belay_owner_release(it.parent);
    pthread_barrier_wait(&it.end);
    CHECK_INT(it.deinits, 2 * (i + 1));
  }
  join_thread(&other);
  belay_last_error();
}

typedef struct ring {
  belay_owner *owners[3];
} ring;
static void tie_ring(void *ctx) {
  ring *it = ctx;
  for (int i = 0; i < 2000; i++) {
    belay_owner_add_child(it->owners[i % 3], it->owners[(i + 1) % 3]);
    belay_owner_remove_child(it->owners[(i + 1) % 3], it->owners[(i + 2) % 3]);
  }
  belay_last_error();
}
static void no_cycle_comes_of_a_race(void) {
  ring it = {{named_owner("a"), named_owner("b"), named_owner("c")}};
  routine threads[2];
  for (int i = 0; i < 2; i++) start_thread(&threads[i], tie_ring, &it);
  for (int i = 0; i < 2; i++) join_thread(&threads[i]);
  trace_clear();
  for (int i = 0; i < 3; i++) belay_owner_retain(it.owners[i]);
  for (int i = 0; i < 6; i++) belay_owner_release(it.owners[i % 3]);
  trace_clear(); /* the live counts show that each died once */
}

static const test_case cases[] = {
    CASE(rule_1_4_a_child_dies_whole_at_its_turn),
    CASE(rule_1_4_a_child_that_dies_by_itself_leaves),
    CASE(rule_1_3_short_lived_children_leave_their_parent_flat),
    CASE(grandchildren_go_first),
    CASE(cycles_are_refused),
    CASE(one_parent_at_a_time),
    CASE(rule_1_4_binding_a_child_to_the_dead_kills_it),
    CASE(the_end_of_an_adopted_pointer_waits_for_no_other_loop),
    CASE(nonsense),
    CASE(a_tree_has_a_greatest_height),
    CASE(hooks_that_kill_relatives),
    CASE(a_childs_deinit_ends_its_adopted_parent),
    CASE(rule_1_4_a_parent_waits_for_a_callback_bound_to_its_child),
    CASE(a_child_that_its_parents_end_has_reached_stays),
    CASE(an_adopted_parent_cannot_wait_for_its_own_stack),
    CASE(rule_1_4_a_parent_waits_for_a_childs_callback_on_another_thread),
    CASE(rule_1_4_a_child_with_a_loop_dies_there_and_the_parent_waits),
    CASE(a_child_that_dies_while_its_parent_does),
    CASE(no_cycle_comes_of_a_race),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
