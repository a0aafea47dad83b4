/* Disposals that meet each other, values, ends, and threads that wait for them. */
#include "explore.h"

static belay_signal *subject;
static belay_disposable *subscription, *compound;
static explore_listener listener;

static void check(void) { explore_all_over(&listener, 1); }

/* ---- a subscription of a thread without a loop ---- */

static void subscribe(void) {
  listener = (explore_listener){0};
  subject = belay_subject_create(NULL);
  explore_require(explore_subscribe(subject, &listener, &subscription) >= 0);
}

static void let_go(void) {
  belay_disposable_release(subscription);
  belay_signal_release(subject);
}

static void dispose(void) { belay_disposable_dispose(subscription); }

static void emit(void) { explore_send(subject, 1); }

static void emit_twice(void) {
  emit();
  emit();
}

static void emit_then_dispose(void) {
  emit();
  dispose();
}

static void end(void) { belay_subject_completed(subject); }

static void dispose_sync(void) {
  explore_require(belay_disposable_dispose_sync(subscription, -1) == 0);
  explore_require(listener.inside == 0 && listener.disposals == 1 && listener.frees == 1);
}

static void dispose_inside(explore_listener *inside) {
  (void)inside;
  dispose();
}

static void subscribe_to_dispose_inside(void) {
  subscribe();
  listener.on_next = dispose_inside;
}

static void let_the_subject_go(void) {
  belay_signal_release(subject);
  subject = NULL;
}

static void let_the_subscription_go(void) { belay_disposable_release(subscription); }

/* ---- a compound ---- */

static int acted, let;
static void act(void *ctx) {
  (void)ctx;
  explore_note("the member's action");
  explore_require(++acted == 1);
}
static void let_ctx(void *ctx) {
  (void)ctx;
  explore_require(++let == 1);
}

static void make_compound(void) {
  acted = let = 0;
  compound = belay_compound_create();
}
static void add_action(void) { belay_compound_add_action(compound, act, NULL, let_ctx, NULL); }
static void add_member(void) {
  belay_disposable *member = belay_disposable_create(act, NULL, let_ctx);
  belay_compound_add(compound, member, NULL);
  belay_disposable_release(member);
}
static void dispose_compound(void) { belay_disposable_dispose(compound); }
static void dispose_compound_sync(void) {
  explore_require(belay_disposable_dispose_sync(compound, -1) == 0);
}
static void let_compound_go(void) { belay_disposable_release(compound); }
static void check_action(void) { explore_require(acted == 1 && let == 1); }

static void subscribe_in_compound(void) {
  subscribe();
  compound = belay_compound_create();
  belay_compound_add(compound, subscription, NULL);
}
static void wait_for_compound(void) {
  explore_require(belay_disposable_dispose_sync(compound, -1) == 0);
  explore_require(listener.inside == 0 && listener.frees == 1);
}
static void let_both_go(void) {
  let_go();
  let_compound_go();
}

static belay_disposable *serial, *members[2];
static int disposed[2];
static void act_on(void *ctx) { ++*(int *)ctx; }
static void make_serial(void) {
  serial = belay_serial_create();
  for (int i = 0; i < 2; i++) {
    disposed[i] = 0;
    members[i] = belay_disposable_create(act_on, &disposed[i], NULL);
  }
}
static void set(int which) {
  belay_serial_set(serial, members[which]);
  belay_disposable_release(members[which]);
}
static void set_first(void) { set(0); }
static void set_second(void) { set(1); }
static void dispose_serial(void) { belay_disposable_dispose(serial); }
static void let_serial_go(void) { belay_disposable_release(serial); }
static void check_serial(void) { explore_require(disposed[0] == 1 && disposed[1] == 1); }

/* ---- waits that would close a cycle ---- */

static belay_signal *subjects[2];
static belay_disposable *subscriptions[2];
static explore_listener listeners[2];
static int answers[2];

static void wait_for_the_other(explore_listener *inside) {
  int own = inside == &listeners[1];
  answers[own] = belay_disposable_dispose_sync(subscriptions[!own], -1);
  explore_require(answers[own] == 0 || answers[own] == BELAY_EDEADLK);
  if (answers[own] == 0) explore_require(listeners[!own].inside == 0);
}
static void subscribe_one(int own) {
  listeners[own] = (explore_listener){.on_next = wait_for_the_other};
  subjects[own] = belay_subject_create(NULL);
  explore_subscribe(subjects[own], &listeners[own], &subscriptions[own]);
}
static void subscribe_first(void) { subscribe_one(0); }
static void subscribe_second(void) { subscribe_one(1); }
static void emit_first(void) { explore_send(subjects[0], 1); }
static void emit_second(void) { explore_send(subjects[1], 1); }
static void let_one_go(int own) {
  belay_disposable_dispose(subscriptions[own]);
  belay_disposable_release(subscriptions[own]);
  belay_signal_release(subjects[own]);
}
static void let_first_go(void) { let_one_go(0); }
static void let_second_go(void) { let_one_go(1); }
static void check_both(void) { explore_all_over(listeners, 2); }

const explore_scenario explore_disposals[] = {
    {"dispose x dispose", {{subscribe, dispose, let_go}, {NULL, dispose, NULL}}, check, 0},
    {"dispose x dispose x dispose",
     {{subscribe, dispose, let_go}, {NULL, dispose, NULL}, {NULL, dispose, NULL}},
     check,
     0},
    {"dispose x emit, dispose",
     {{subscribe, emit_then_dispose, let_go}, {NULL, dispose, NULL}},
     check,
     0},
    {"dispose x emit twice", {{subscribe, emit_twice, let_go}, {NULL, dispose, NULL}}, check, 0},
    {"dispose x dispose x emit",
     {{subscribe, emit, let_go}, {NULL, dispose, NULL}, {NULL, dispose, NULL}},
     check,
     0},
    {"dispose inside the callback x dispose elsewhere",
     {{subscribe_to_dispose_inside, emit_twice, let_go}, {NULL, dispose, NULL}},
     check,
     0},
    {"dispose inside the callback x dispose_sync elsewhere",
     {{subscribe_to_dispose_inside, emit_twice, let_go}, {NULL, dispose_sync, NULL}},
     check,
     0},
    {"dispose_sync x emit",
     {{subscribe, emit_twice, let_go}, {NULL, dispose_sync, NULL}},
     check,
     0},
    {"dispose_sync x dispose_sync",
     {{subscribe, dispose_sync, let_go}, {NULL, dispose_sync, NULL}},
     check,
     0},
    {"dispose_sync x dispose_sync x emit",
     {{subscribe, emit, let_go}, {NULL, dispose_sync, NULL}, {NULL, dispose_sync, NULL}},
     check,
     0},
    {"end x dispose", {{subscribe, end, let_go}, {NULL, dispose, NULL}}, check, 0},
    {"end x dispose_sync", {{subscribe, end, let_go}, {NULL, dispose_sync, NULL}}, check, 0},
    {"last release of the subject x dispose elsewhere",
     {{subscribe, let_the_subject_go, let_the_subscription_go}, {NULL, dispose, NULL}},
     check,
     0},
    {"compound add x dispose",
     {{make_compound, add_action, let_compound_go}, {NULL, dispose_compound, NULL}},
     check_action,
     0},
    {"compound add of a disposable x dispose_sync",
     {{make_compound, add_member, let_compound_go}, {NULL, dispose_compound_sync, NULL}},
     check_action,
     0},
    {"a member's end x dispose of its compound",
     {{subscribe_in_compound, end, let_both_go}, {NULL, dispose_compound, NULL}},
     check,
     0},
    {"a member's disposal x dispose_sync of its compound",
     {{subscribe_in_compound, emit_then_dispose, let_both_go}, {NULL, wait_for_compound, NULL}},
     check,
     0},
    {"serial set x set x dispose",
     {{make_serial, set_first, let_serial_go},
      {NULL, set_second, NULL},
      {NULL, dispose_serial, NULL}},
     check_serial,
     0},
    {"callbacks that wait for each other",
     {{subscribe_first, emit_first, let_first_go}, {subscribe_second, emit_second, let_second_go}},
     check_both,
     0},
    {0},
};
