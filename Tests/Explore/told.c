/* Who is told of a death or of an event of an owner, while another one that is told of it ends that. */
#include "explore.h"

static belay_owner *owner, *watcher, *leaver;
static explore_listener told, leaving;
static belay_disposable *subscription;
static int object, deinits, posted, handled, freed;

static void deinit(void *ctx) {
  (void)ctx;
  explore_note("the owner's deinit");
  deinits++;
}

/* ---- a death ---- */

static void be_told(explore_listener *it) {
  (void)it;
  explore_require(deinits == 0 && "the object is intact when its death is told");
}
static void listen_to(belay_owner *made) {
  deinits = 0;
  owner = made;
  told = leaving = (explore_listener){0};
  told.on_next = be_told;
  belay_signal *signal = belay_owner_deallocating(owner);
  explore_subscribe(signal, &leaving, &subscription);
  explore_subscribe(signal, &told, NULL);
  belay_signal_release(signal);
}
static void make_owner(void) { listen_to(belay_owner_create(&object, deinit, NULL, NULL)); }
static void make_adopted(void) { listen_to(belay_owner_adopt(&object, NULL)); }
static void release_owner(void) { belay_owner_release(owner); }
static void end_adopted(void) { explore_require(belay_owner_end(&object, deinit, NULL) == 0); }
static void leave(void) { belay_disposable_dispose(subscription); }
static void release_subscription(void) { belay_disposable_release(subscription); }
static void check_told(void) {
  explore_require(deinits == 1 && told.nexts == 1);
  explore_all_over(&told, 1);
  explore_all_over(&leaving, 1);
}

/* ---- events ---- */

static void handle(void *ctx, const belay_owner_event *event) {
  (void)ctx, (void)event;
  explore_point();
  handled++;
}
static void ignore(void *ctx, const belay_owner_event *event) { (void)ctx, (void)event; }
static void on_free(void *ctx) {
  (void)ctx;
  explore_point();
  freed++;
}
static void make_watchers(void) {
  posted = handled = freed = 0;
  owner = belay_owner_create(NULL, NULL, NULL, NULL);
  watcher = belay_owner_create(NULL, NULL, NULL, NULL);
  leaver = belay_owner_create(NULL, NULL, NULL, NULL);
  explore_require(belay_owner_event_watch(leaver, owner, "e", 0, ignore, NULL, on_free) == 0);
  explore_require(belay_owner_event_watch(watcher, owner, "e", 0, handle, NULL, NULL) == 0);
}
static void post_twice(void) {
  for (int i = 0; i < 2; i++) {
    int code = belay_owner_event_post(owner, "e", belay_null());
    posted++;
    explore_require(code == BELAY_QUEUED || (code == 0 && handled == posted));
  }
}
static void end_watch(void) { belay_owner_event_unwatch(leaver, owner, "e", 0); }
static void release_watchers(void) {
  belay_owner_release(leaver);
  belay_owner_release(watcher);
  belay_owner_release(owner);
}
static void check_handled(void) {
  explore_require(handled == posted && "no event is lost");
  explore_require(freed == 1);
}

const explore_scenario explore_told[] = {
    {"last release x end of another subscription to the death",
     {{make_owner, release_owner, release_subscription}, {NULL, leave, NULL}},
     check_told,
     0},
    {"end of an adopted pointer x end of another subscription to the death",
     {{make_adopted, end_adopted, release_subscription}, {NULL, leave, release_owner}},
     check_told,
     0},
    {"events x end of another watch",
     {{make_watchers, post_twice, release_watchers}, {NULL, end_watch, NULL}},
     check_handled,
     0},
    {0},
};
