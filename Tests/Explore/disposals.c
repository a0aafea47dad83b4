/* Disposals that meet: with each other, with values, with ends. */
#include "explore.h"

static belay_signal *subject;
static belay_disposable *subscription;
static explore_listener listener;

static void subscribe(void) {
  subject = belay_subject_create(NULL);
  belay_observer observer = explore_observer(&listener);
  explore_require(belay_signal_subscribe(subject, &observer, &subscription) >= 0);
}

static void let_go(void) {
  belay_disposable_release(subscription);
  belay_signal_release(subject);
}

static void check(void) { explore_all_over(&listener, 1); }

static void dispose(void) { belay_disposable_dispose(subscription); }

static void emit(void) { belay_subject_next(subject, belay_int32(1)); }

static void emit_twice(void) {
  emit();
  emit();
}

static void end(void) { belay_subject_completed(subject); }

static void dispose_inside(explore_listener *inside) {
  (void)inside;
  dispose();
}

static void subscribe_to_dispose_inside(void) {
  listener.on_next = dispose_inside;
  subscribe();
  listener.on_next = dispose_inside;
}

static void emit_then_dispose(void) {
  emit();
  dispose();
}

static void dispose_sync(void) {
  explore_require(belay_disposable_dispose_sync(subscription, -1) == 0);
  explore_require(listener.inside == 0 && listener.frees == 1);
}

const explore_scenario explore_disposals[] = {
    {"dispose x dispose", {{subscribe, dispose, let_go}, {NULL, dispose, NULL}}, check, 0},
    {"dispose x dispose x dispose",
     {{subscribe, dispose, let_go}, {NULL, dispose, NULL}, {NULL, dispose, NULL}}, check, 0},
    {"dispose x emit", {{subscribe, emit_then_dispose, let_go}, {NULL, dispose, NULL}}, check, 0},
    {"dispose x emit twice", {{subscribe, emit_twice, let_go}, {NULL, dispose, NULL}}, check, 0},
    {"dispose inside the callback x dispose elsewhere",
     {{subscribe_to_dispose_inside, emit_twice, let_go}, {NULL, dispose, NULL}}, check, 0},
    {"dispose_sync x emit", {{subscribe, emit_twice, let_go}, {NULL, dispose_sync, NULL}}, check, 0},
    {"end x dispose", {{subscribe, end, let_go}, {NULL, dispose, NULL}}, check, 0},
    {"end x dispose_sync", {{subscribe, end, let_go}, {NULL, dispose_sync, NULL}}, check, 0},
    {0},
};
