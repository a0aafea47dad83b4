/* What an interception calls while it begins or ends may end it. */
#include "cases.h"

typedef struct delegate_table {
  int (*ask)(void *self, int number);
} delegate_table;
typedef struct object {
  const delegate_table *delegate;
} object;

static belay_disposable *subscription;
static int installs, frees, disposals;

static int install(void *self, const void *table) {
  ((object *)self)->delegate = table;
  if (installs++ == 0) belay_disposable_dispose(subscription);
  return 0;
}
static const void *installed(void *self) { return ((object *)self)->delegate; }
static void count_disposed(void *ctx) { disposals++; }
static void count_context(void *ctx) { frees++; }

static const belay_method methods[] = {BELAY_METHOD(delegate_table, ask, "i@i")};
static const belay_interface_description description = {.size = sizeof description,
                                                        .name = "delegate",
                                                        .table_size = sizeof(delegate_table),
                                                        .methods = methods,
                                                        .method_count = 1,
                                                        .table_offset = BELAY_NO_TABLE,
                                                        .install = install,
                                                        .installed = installed};

/* With a loop and without. */
static void install_ends_the_subscription(void) {
  for (int has_loop = 0; has_loop < 2; has_loop++) {
    object it = {NULL};
    belay_loop *loop = has_loop ? open_loop() : NULL;
    belay_interface *interface = belay_interface_create(&description);
    belay_owner *owner = belay_owner_adopt(&it, NULL);
    belay_proxy *proxy = belay_proxy_create(owner, interface);
    belay_slot *slot = belay_slot_create_in_proxy(proxy, "ask");
    belay_proxy_release(proxy);
    size_t slots = belay_live_count(BELAY_LIVE_SLOTS);
    installs = frees = disposals = 0;
    belay_observer observer = {
        .size = sizeof observer, .disposed = count_disposed, .ctx_free = count_context};
    belay_signal *sent = belay_slot_sent(slot);
    CHECK_INT(belay_signal_subscribe(sent, &observer, &subscription), 0);
    belay_signal_release(sent);
    CHECK(it.delegate == NULL || it.delegate->ask == NULL);
    CHECK_INT(belay_disposable_is_disposed(subscription), 1);
    CHECK_INT(disposals, 1);
    CHECK_INT(frees, 1);
    CHECK(belay_live_count(BELAY_LIVE_SLOTS) <= slots);
    end_subscription(subscription);
    belay_slot_release(slot);
    belay_owner_release(owner);
    CHECK_INT(belay_owner_end(&it, NULL, NULL), 0);
    belay_interface_release(interface);
    if (loop) close_loop(loop);
  }
}

/* The context of what intercepts waits for its end, or for that of the object, inside of its own. */
static object intercepted;
static int ends_owner, code;
static void wait_for_the_end(void *ctx) {
  if (frees++) return;
  code = ends_owner ? belay_owner_end(&intercepted, NULL, NULL)
                    : belay_disposable_dispose_sync(subscription, -1);
}
static int around(void *ctx, belay_invocation *invocation) { return 0; }
static belay_value respond(void *ctx, belay_invocation *invocation) { return belay_int32(1); }
static void connected(void *ctx, int number) {}

static void a_context_waits_for_the_end_it_is_a_part_of(void) {
  for (int kind = 0; kind < 6; kind++) {
    installs = 1;
    frees = 0;
    ends_owner = kind & 1;
    intercepted = (object){NULL};
    belay_interface *interface = belay_interface_create(&description);
    belay_owner *owner = belay_owner_adopt(&intercepted, NULL);
    belay_proxy *proxy = belay_proxy_create(owner, interface);
    belay_slot *slot = belay_slot_create_in_proxy(proxy, "ask");
    belay_proxy_release(proxy);
    int made = kind / 2 == 0 ? belay_slot_around(slot, around, NULL, wait_for_the_end, &subscription)
               : kind / 2 == 1
                   ? belay_slot_respond(slot, respond, NULL, wait_for_the_end, &subscription)
                   : belay_slot_connect(slot, "v@i", (belay_function)connected, NULL,
                                        wait_for_the_end, &subscription);
    CHECK_INT(made, 0);
    belay_owner_add(owner, subscription);
    belay_disposable_dispose(subscription);
    CHECK_INT(frees, 1);
    CHECK_INT(code, ends_owner ? 0 : BELAY_EINPROGRESS);
    belay_disposable_release(subscription);
    belay_slot_release(slot);
    belay_owner_release(owner);
    if (!ends_owner) CHECK_INT(belay_owner_end(&intercepted, NULL, NULL), 0);
    belay_interface_release(interface);
    belay_last_error();
  }
}

static const test_case cases[] = {
    CASE(install_ends_the_subscription),
    CASE(a_context_waits_for_the_end_it_is_a_part_of),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
