/* Deaths of owners while things are bound to them, and while other threads bring them back. */
#include "explore.h"

static belay_owner *owner, *child;
static belay_weak *weak;
static belay_signal *subject, *signal_above;
static belay_disposable *subscription;
static explore_listener listener;
static int deinits, made, freed, isDone;

static void deinit(void *object) {
  (void)object;
  explore_note("the owner's deinit");
  explore_require(++deinits == 1);
  explore_require(listener.inside == 0 && "the owner's deinit beside a callback bound to it");
}

static void make_owner(void) {
  listener = (explore_listener){0};
  deinits = made = freed = isDone = 0;
  subject = NULL;
  subscription = NULL;
  owner = belay_owner_create(&deinits, deinit, NULL, NULL);
}

static void release_owner(void) { belay_owner_release(owner); }

/* ---- bind x death x emit ---- */

static void make_bound(void) {
  make_owner();
  subject = belay_subject_create(NULL);
  belay_observer observer = explore_observer(&listener);
  observer.owner = owner;
  belay_signal_subscribe(subject, &observer, NULL);
}
static void make_shared_bound(void) {
  make_owner();
  subject = explore_shared_subject();
  belay_observer observer = explore_observer(&listener);
  observer.owner = owner;
  belay_signal_subscribe(subject, &observer, NULL);
}
static void emit(void) { explore_send(subject, 1); }
static void emit_twice(void) {
  emit();
  emit();
}
static void release_subject(void) { belay_signal_release(subject); }
static void check_bound(void) {
  explore_all_over(&listener, 1);
  explore_require(deinits == 1);
}

/* What the subscription is in is disposed of before the death, which waits for the callback all the same. */
static void dispose_compound_and_release(void) {
  belay_disposable_dispose(belay_owner_get_compound(owner));
  release_owner();
}
static void make_in_serial(void) {
  make_owner();
  subject = belay_subject_create(NULL);
  belay_disposable *held = NULL;
  explore_subscribe(subject, &listener, &held);
  subscription = belay_serial_create();
  belay_serial_set(subscription, held);
  belay_disposable_release(held);
  belay_owner_add(owner, subscription);
}
static void replace_and_release(void) {
  belay_serial_set(subscription, NULL);
  release_owner();
}
static void dispose_and_release(void) {
  belay_disposable_dispose(subscription);
  release_owner();
}
static void release_serial(void) {
  belay_disposable_release(subscription);
  release_subject();
}

/* The binding thread has a reference to an owner that dies all the same: a child. */
static void make_child(void) {
  make_owner();
  child = belay_owner_create(NULL, NULL, NULL, NULL);
  belay_owner_add_child(owner, child);
  subject = belay_subject_create(NULL);
}
static void make_child_of_shared(void) {
  make_child();
  belay_signal_release(subject);
  subject = explore_shared_subject();
}
static void bind_and_emit(void) {
  belay_observer observer = explore_observer(&listener);
  observer.owner = child;
  explore_require(belay_signal_subscribe(subject, &observer, NULL) == 0);
  emit();
}
static void bind(void) {
  belay_observer observer = explore_observer(&listener);
  observer.owner = child;
  explore_require(belay_signal_subscribe(subject, &observer, NULL) == 0);
}
static void release_child(void) {
  belay_owner_release(child);
  belay_signal_release(subject);
}
/* It is bound to nobody. */
static explore_listener heard;
static void make_child_to_hear(void) {
  heard = (explore_listener){0};
  make_child();
}
static void hear_of_death(void) {
  signal_above = belay_owner_deallocating(child);
  explore_subscribe(signal_above, &heard, NULL);
}
static void release_heard(void) {
  belay_signal_release(signal_above);
  release_child();
}
static void check_heard(void) {
  explore_require(heard.nexts == 1 && "the signal sends once");
  explore_all_over(&heard, 1);
}
static void add_to_dying(void) {
  subscription = NULL;
  explore_subscribe(subject, &listener, &subscription);
  belay_owner_add(child, subscription);
}
static void release_added(void) {
  belay_disposable_release(subscription);
  release_child();
}

/* A start that takes several steps: a merge and stages, with contexts of their own. */
static void on_free(void *ctx) {
  (void)ctx;
  freed++;
}
static belay_value same(void *ctx, belay_value value) {
  (void)ctx;
  return belay_value_retain(value);
}
static belay_signal *mapped(belay_signal *signal) {
  made++;
  return belay_signal_chain(signal, belay_op_map(same, NULL, on_free));
}
static void make_child_and_chain(void) {
  make_child();
  signal_above = mapped(belay_signal_if_then_else(
      mapped(belay_signal_never()), mapped(belay_signal_never()), belay_signal_never()));
}
static void bind_chain(void) {
  belay_observer observer = explore_observer(&listener);
  observer.owner = child;
  belay_signal_subscribe(signal_above, &observer, NULL);
}
static void release_chain(void) {
  belay_signal_release(signal_above);
  release_child();
}
static void check_chain(void) {
  explore_require(listener.frees == 1 && "the context was freed once");
  explore_require(freed == made && "each operator's context was freed");
}

/* ---- a tree ---- */

static void make_apart(void) {
  make_owner();
  child = belay_owner_create(NULL, NULL, NULL, NULL);
}
static void add_child(void) { belay_owner_add_child(owner, child); }
static void release_child_only(void) { belay_owner_release(child); }
static void make_tree(void) {
  make_apart();
  add_child();
}
static void check_deinit(void) { explore_require(deinits == 1); }
static void make_apart_with_two_handles(void) {
  make_apart();
  belay_owner_retain(owner);
}
static void add_child_and_release(void) {
  add_child();
  belay_owner_release(owner);
}

/* The owner dies with `above`, while the child is taken from it for another. */
static belay_owner *above, *other;
static void make_two_parents(void) {
  make_tree();
  above = belay_owner_create(NULL, NULL, NULL, NULL);
  other = belay_owner_create(NULL, NULL, NULL, NULL);
  belay_owner_add_child(above, owner);
}
static void move_child(void) {
  if (belay_owner_remove_child(owner, child) < 0) return (void)belay_last_error();
  explore_require(belay_owner_add_child(other, child) == 0);
  isDone = 1;
}
static void release_above(void) { belay_owner_release(above); }
static void release_parents(void) {
  explore_require(belay_owner_is_dying(child) == !isDone && "one end alone reaches the child");
  belay_owner_release(other);
  belay_owner_release(owner);
  belay_owner_release(child);
}

/* A tie is undone in one thread. Another one makes its reverse, and measures the tree. */
static void make_knot(void) {
  make_tree();
  other = belay_owner_create(NULL, NULL, NULL, NULL);
}
static void untie(void) { explore_require(belay_owner_remove_child(owner, child) == 0); }
static void tie_in_reverse(void) {
  isDone = belay_owner_add_child(child, owner) == 0;
  belay_last_error();
  int code = belay_owner_add_child(other, child);
  explore_require(code == 0 || (code == BELAY_EASSIGNED && !isDone));
  belay_last_error();
}
static void release_knot(void) {
  belay_owner_release(child);
  belay_owner_release(other);
  explore_require(belay_owner_is_dying(owner) == isDone && "the tree is what the answers say");
  belay_owner_release(owner);
}

/* ---- weak references ---- */

static void make_weak(void) {
  make_owner();
  weak = belay_weak_create(owner);
}
static void get(void) {
  belay_owner *strong = belay_weak_upgrade(weak);
  if (!strong) return;
  explore_note("the weak reference has it");
  explore_require(deinits == 0 && !belay_owner_is_dying(strong));
  explore_require(belay_owner_object(strong) == &deinits);
  explore_point();
  explore_require(deinits == 0 && !belay_owner_is_dying(strong));
  belay_owner_release(strong);
}
static void release_weak(void) { belay_weak_release(weak); }

/* ---- an owner with a loop, where it dies ---- */

static belay_loop *loop;
static void make_loop_owner(void) {
  make_owner();
  belay_owner_release(owner);
  deinits = 0;
  loop = belay_loop_create(NULL);
  belay_owner_options options = {.size = sizeof options, .loop = loop};
  owner = belay_owner_create(&deinits, deinit, NULL, &options);
  weak = belay_weak_create(owner);
  subject = belay_subject_create(NULL);
  belay_observer observer = explore_observer(&listener);
  observer.owner = owner;
  belay_signal_subscribe(subject, &observer, NULL);
}
static void turns_of_owner(void) { explore_turns_until(loop, &isDone); }
static void release_owner_elsewhere(void) {
  belay_owner_release(owner);
  isDone = 1;
}
static void close_owners_loop(void) {
  explore_settle(loop);
  belay_weak_release(weak);
  belay_signal_release(subject);
  explore_settle(loop);
  explore_close(loop);
}
static void close_at_once(void) { explore_close_in_use(loop); }
static void release_weak_and_subject(void) {
  belay_weak_release(weak);
  belay_signal_release(subject);
}

/* ---- null as the last value of an observation ---- */

static belay_type *type;
static int nulls, completions;
static void note_value(void *ctx, belay_value value) {
  (void)ctx;
  explore_require(nulls == 0 && completions == 0);
  if (belay_value_is_null(value)) nulls++;
}
static void note_completion(void *ctx) {
  (void)ctx;
  completions++;
}
static void make_observed(void) {
  deinits = nulls = completions = 0;
  type = belay_type_create(NULL, 0, BELAY_TYPE_DYNAMIC);
  owner = belay_owner_adopt(&deinits, NULL);
  belay_object_set_type(owner, type);
  belay_observe_options options = {.size = sizeof options, .flags = BELAY_OBSERVE_DEATH};
  belay_signal *signal = belay_object_observe(owner, "level", &options);
  belay_observer observer = {
      .size = sizeof observer, .next = note_value, .completed = note_completion};
  belay_signal_subscribe(signal, &observer, NULL);
  belay_signal_release(signal);
}
static void set_level(void) { belay_object_set(owner, "level", belay_int32(1)); }
static void end_observed(void) { belay_owner_end(&deinits, deinit, NULL); }
static void release_observed(void) {
  belay_owner_release(owner);
  belay_type_release(type);
}
static void check_observed(void) { explore_require(nulls == 1 && completions == 1); }

/* ---- connecting for somebody who dies ---- */

static belay_signal *connectable;
static belay_disposable *connection;
static void make_connectable(void) {
  make_child();
  belay_signal_release(subject);
  subject = explore_shared_subject();
  connectable = belay_signal_publish(belay_signal_retain(subject));
}
static void bind_and_connect(void) {
  belay_observer observer = explore_observer(&listener);
  observer.owner = child;
  belay_signal_subscribe(connectable, &observer, NULL);
  belay_signal_connect(connectable, &connection);
}
static void disconnect(void) {
  belay_disposable_dispose(connection);
  belay_disposable_release(connection);
  belay_signal_release(connectable);
  release_child();
}
static void make_bound_ref_count(void) {
  make_child_of_shared();
  signal_above = belay_signal_chain(belay_signal_retain(subject), belay_op_share(0));
}

const explore_scenario explore_owners[] = {
    {"death elsewhere x emit",
     {{make_bound, emit_twice, release_subject}, {NULL, release_owner, NULL}},
     check_bound,
     0},
    {"death elsewhere x emit of a shared subject",
     {{make_shared_bound, emit, release_subject}, {NULL, emit, NULL}, {NULL, release_owner, NULL}},
     check_bound,
     0},
    {"death elsewhere x bind, emit",
     {{make_child, bind_and_emit, release_child}, {NULL, release_owner, NULL}},
     check_bound,
     0},
    {"death elsewhere x bind to a shared subject x emit",
     {{make_child_of_shared, bind, release_child}, {NULL, release_owner, NULL}, {NULL, emit, NULL}},
     check_bound,
     0},
    {"death elsewhere of an owner whose compound has ended x emit",
     {{make_bound, emit_twice, release_subject}, {NULL, dispose_compound_and_release, NULL}},
     check_bound,
     0},
    {"death elsewhere of an owner of a serial that has ended x emit",
     {{make_in_serial, emit_twice, release_serial}, {NULL, dispose_and_release, NULL}},
     check_bound,
     0},
    {"death elsewhere of an owner of a serial that has been replaced x emit",
     {{make_in_serial, emit_twice, release_serial}, {NULL, replace_and_release, NULL}},
     check_bound,
     0},
    {"death elsewhere x subscription to its signal",
     {{make_child_to_hear, hear_of_death, release_heard}, {NULL, release_owner, NULL}},
     check_heard,
     0},
    {"death elsewhere x add of a subscription",
     {{make_child, add_to_dying, release_added}, {NULL, release_owner, NULL}},
     check_bound,
     0},
    {"death elsewhere x a start that takes a while",
     {{make_child_and_chain, bind_chain, release_chain}, {NULL, release_owner, NULL}},
     check_chain,
     0},
    {"add of a child x death of its parent",
     {{make_apart_with_two_handles, add_child_and_release, release_child_only},
      {NULL, release_owner, NULL}},
     check_deinit,
     0},
    {"death of a child x death of its parent",
     {{make_tree, release_child_only, NULL}, {NULL, release_owner, NULL}},
     check_deinit,
     0},
    {"move of a child x death of its former parent",
     {{make_two_parents, move_child, release_parents}, {NULL, release_above, NULL}},
     check_deinit,
     0},
    {"removal of a child x tie in reverse",
     {{make_knot, untie, release_knot}, {NULL, tie_in_reverse, NULL}},
     check_deinit,
     0},
    {"weak get x last release",
     {{make_weak, get, release_weak}, {NULL, release_owner, NULL}},
     check_deinit,
     0},
    {"weak get x weak get x last release",
     {{make_weak, get, release_weak}, {NULL, get, NULL}, {NULL, release_owner, NULL}},
     check_deinit,
     0},
    {"weak get x last release on its way to a loop",
     {{make_loop_owner, turns_of_owner, close_owners_loop},
      {NULL, get, NULL},
      {NULL, release_owner_elsewhere, NULL}},
     check_bound,
     0},
    {"last release on its way to a loop x close",
     {{make_loop_owner, close_at_once, release_weak_and_subject},
      {NULL, release_owner_elsewhere, NULL}},
     check_bound,
     0},
    {"change x null at the death of its object",
     {{make_observed, set_level, release_observed}, {NULL, end_observed, NULL}},
     check_observed,
     0},
    {"connect x death of who listens",
     {{make_connectable, bind_and_connect, disconnect}, {NULL, release_owner, NULL}},
     check_bound,
     0},
    {"share x death of who listens x emit",
     {{make_bound_ref_count, bind_chain, release_chain},
      {NULL, release_owner, NULL},
      {NULL, emit, NULL}},
     check_bound,
     0},
    {0},
};
