/* Sources of threads without a loop that another thread releases; and the counts of references. */
#include "explore.h"

enum { most = 3 };
static belay_signal *subject;
static belay_disposable *subscriptions[most];
static explore_listener listeners[most];
static int hasEnded;

static void make(void) {
  hasEnded = 0;
  subject = belay_subject_create(NULL);
  for (int i = 0; i < most; i++) {
    listeners[i] = (explore_listener){0};
    explore_subscribe(subject, &listeners[i], &subscriptions[i]);
  }
}
static void dispose_all(void) {
  for (int i = 0; i < most; i++) belay_disposable_dispose(subscriptions[i]);
}
static void release_subscriptions(void) {
  for (int i = 0; i < most; i++) belay_disposable_release(subscriptions[i]);
}
static void release_subject(void) { belay_signal_release(subject); }
static void check_all(void) { explore_all_over(listeners, most); }
static void emit(void) { explore_send(subject, 1); }
static void make_with_two_references(void) {
  make();
  belay_signal_retain(subject);
}
static void emit_and_release(void) {
  emit();
  release_subject();
}

/* ---- a thread that ends before its subscriptions ---- */

static void end_thread(void) {
  explore_end_thread();
  hasEnded = 1;
}
static void after_its_end(void) {
  explore_await(&hasEnded);
  dispose_all();
  release_subscriptions();
  release_subject();
}
static void dispose_beside_its_end(void) {
  dispose_all();
  explore_await(&hasEnded);
  release_subscriptions();
  release_subject();
}

/* ---- a property whose signal is subscribed to while it goes ---- */

static belay_property *property;
static belay_value same(void *ctx, belay_value value) {
  (void)ctx;
  return belay_value_retain(value);
}
static void make_property(void) {
  property = belay_property_create(belay_int32(1), NULL);
  subject = belay_signal_chain(belay_property_signal(property), belay_op_map(same, NULL, NULL));
  for (int i = 0; i < most; i++) listeners[i] = (explore_listener){0};
  explore_subscribe(subject, &listeners[0], &subscriptions[0]);
}
static void subscribe_more(void) {
  for (int i = 1; i < most; i++) explore_subscribe(subject, &listeners[i], &subscriptions[i]);
}
static void release_property(void) { belay_property_release(property); }
static void release_all(void) {
  release_subscriptions();
  release_subject();
}

/* ---- from one thread to more ---- */

static belay_owner *owner;
static int deinits;
static void deinit(void *object) {
  (void)object;
  explore_require(++deinits == 1);
}
static void begin_more(explore_listener *inside) {
  if (inside->nexts == 1) explore_more_threads();
}
static void make_alone(void) {
  make_with_two_references();
  listeners[0].on_next = begin_more;
}
static void dispose_first(void) { belay_disposable_dispose(subscriptions[0]); }
static void dispose_first_and_release(void) {
  dispose_first();
  release_subject();
}
static void retain_and_release(void) {
  for (int i = 0; i < 2; i++) {
    belay_signal_retain(subject);
    belay_disposable_retain(subscriptions[1]);
    belay_disposable_release(subscriptions[1]);
    belay_signal_release(subject);
  }
}
static void begin_then_retain(void) {
  retain_and_release();
  explore_more_threads();
  retain_and_release();
}
static void make_owner_alone(void) {
  deinits = 0;
  owner = belay_owner_create(&deinits, deinit, NULL, NULL);
  belay_owner_retain(owner);
}
static void begin_then_release_owner(void) {
  belay_owner_retain(owner);
  explore_more_threads();
  belay_owner_release(owner);
  belay_owner_release(owner);
}
static void release_owner(void) { belay_owner_release(owner); }
static void check_deinit(void) { explore_require(deinits == 1); }

const explore_scenario explore_sources[] = {
    {"last release elsewhere x disposals at home",
     {{make, dispose_all, release_subscriptions}, {NULL, release_subject, NULL}},
     check_all,
     0},
    {"last release elsewhere x emit",
     {{make_with_two_references, emit_and_release, release_subscriptions},
      {NULL, release_subject, NULL}},
     check_all,
     0},
    {"last release elsewhere x disposals elsewhere",
     {{make, release_subject, release_subscriptions}, {NULL, dispose_all, NULL}},
     check_all,
     0},
    {"a property's last release elsewhere x subscribe",
     {{make_property, subscribe_more, release_all}, {NULL, release_property, NULL}},
     check_all,
     0},
    {"disposal and last release after the thread's end",
     {{make, end_thread, NULL}, {NULL, after_its_end, NULL}},
     check_all,
     0},
    {"disposal beside the thread's end",
     {{make, end_thread, NULL}, {NULL, dispose_beside_its_end, NULL}},
     check_all,
     0},
    {"counts of references x the first thread",
     {{make_alone, begin_then_retain, release_all},
      {NULL, retain_and_release, NULL},
      {NULL, release_subject, NULL}},
     check_all,
     explore_counts | explore_begins_alone},
    {"the first thread begins inside a callback x dispose, release",
     {{make_alone, emit, release_all}, {NULL, dispose_first_and_release, NULL}},
     check_all,
     explore_counts | explore_begins_alone},
    {"an owner's handles x the first thread",
     {{make_owner_alone, begin_then_release_owner, NULL}, {NULL, release_owner, NULL}},
     check_deinit,
     explore_counts | explore_begins_alone},
    {0},
};
