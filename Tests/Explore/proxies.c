/* Proxies of an object that dies on another thread. */
#include "explore.h"

typedef struct table {
  void (*drawn)(void *object);
} table;
typedef struct view {
  const table *delegate;
} view;

static view object;
static void draw(void *it) { (void)it; }
static const table original = {draw};
static belay_owner *owner;
static belay_interface *interface;
static belay_proxy *proxies[2];
static belay_disposable *subscriptions[2];
static explore_listener listeners[2];

static int install(void *to, const void *given) {
  ((view *)to)->delegate = given;
  return 0;
}
static const void *installed(void *in) { return ((view *)in)->delegate; }
static void make(void) {
  static const belay_method methods[] = {BELAY_METHOD(table, drawn, "v@")};
  belay_interface_description description = {
      .size = sizeof description,
      .name = "table",
      .table_size = sizeof(table),
      .methods = methods,
      .method_count = 1,
      .table_offset = BELAY_NO_TABLE,
      .install = install,
      .installed = installed,
  };
  for (int i = 0; i < 2; i++) {
    proxies[i] = NULL;
    subscriptions[i] = NULL;
    listeners[i] = (explore_listener){0};
  }
  object.delegate = &original;
  interface = belay_interface_create(&description);
  owner = belay_owner_adopt(&object, NULL);
}
static void end_object(void) { explore_require(belay_owner_end(&object, NULL, NULL) == 0); }
static void make_and_listen(int index) {
  proxies[index] = belay_proxy_create(owner, interface);
  belay_slot *slot = proxies[index] ? belay_slot_create_in_proxy(proxies[index], "drawn") : NULL;
  if (!slot) return;
  belay_signal *drawn = belay_slot_sent(slot);
  explore_subscribe(drawn, &listeners[index], &subscriptions[index]);
  belay_signal_release(drawn);
  belay_slot_release(slot);
}
static void make_first(void) { make_and_listen(0); }
static void make_second(void) { make_and_listen(1); }
static void let_go(void) {
  for (int i = 0; i < 2; i++) {
    if (subscriptions[i]) explore_all_over(&listeners[i], 1);
    belay_disposable_release(subscriptions[i]);
    belay_proxy_release(proxies[i]);
  }
  belay_owner_release(owner);
  belay_interface_release(interface);
}
/* The object has its own table again, wherever the death has found the proxy. */
static void check(void) {
  explore_require(object.delegate == &original);
  explore_require(belay_live_count(BELAY_LIVE_PROXIES) == 0);
}

const explore_scenario explore_proxies[] = {
    {"proxy: made x the death of its object",
     {{make, end_object, let_go}, {NULL, make_first, NULL}}, check, 0},
    {"proxy: made on two threads x the death of its object",
     {{make, end_object, let_go}, {NULL, make_first, NULL}, {NULL, make_second, NULL}}, check, 0},
    {0},
};
