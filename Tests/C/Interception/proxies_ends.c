/* Delegate proxies: ends (A5-09), what an install may do, bad input. */
#include "owned.h"
#include "stage.h"

/* ---- ends ---- */

static void A5_09_all_complete_when_the_object_dies(void) {
  stage on;
  begin(&on, NULL);
  belay_slot *slot = belay_slot_create_in_proxy(on.proxy, "moved");
  belay_disposable *sent = follow(belay_slot_sent(slot), "sent");
  belay_disposable *invoked = follow(belay_slot_invoked(slot), "invoked");
  const delegate *table = belay_proxy_table(on.proxy);
  belay_owner_release(on.owner);
  CHECK_TRACE("sent completed | invoked completed");
  belay_disposable *late = follow(belay_slot_sent(slot), "late");
  CHECK_TRACE("late completed");
  /* Handles that are left do nothing. The table exists as long as they do. */
  CHECK_INT(belay_slot_status(slot), BELAY_EDEAD);
  CHECK(!belay_slot_create_in_proxy(on.proxy, "moved"));
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EDEAD);
  CHECK_FAILS(belay_proxy_forward_to(on.proxy, &its_delegate, NULL), BELAY_EDEAD);
  CHECK_FAILS(belay_slot_around(slot, veto, NULL, NULL, NULL), BELAY_EDEAD);
  belay_proxy_release(on.proxy);
  CHECK(table->moved == NULL);
  belay_slot_release(slot);
  belay_disposable_release(sent);
  belay_disposable_release(invoked);
  belay_disposable_release(late);
}

static void trace_and_let_go(void *ctx, belay_value value) {
  stage *on = ctx;
  trace("next");
  belay_owner_release(on->owner);
  trace("let go");
}
static void the_object_dies_inside_a_call(void) {
  stage on;
  begin(&on, &its_delegate);
  belay_signal *signal = belay_slot_sent(slot_of(on.proxy, "renamed"));
  belay_observer observer = tracing("");
  observer.next = trace_and_let_go;
  observer.ctx = &on;
  observer.completed = NULL, observer.disposed = NULL, observer.ctx_free = NULL;
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  belay_signal_release(signal);
  belay_proxy_release(on.proxy); /* only the call keeps the generated function */
  view_rename(&on.it, "last");
  CHECK_TRACE("next | let go | renamed last");
  CHECK(on.it.delegate == &its_delegate);
}

static void (*loaded)(view *, double, double);
static void call_what_was_loaded(void *object) { loaded(object, 3, 4); }
static void what_was_loaded_may_be_called_until_the_deinit(void) {
  view it = {.delegate = &its_delegate};
  belay_owner *owner = belay_owner_create(&it, call_what_was_loaded, NULL, NULL);
  belay_proxy *proxy = belay_proxy_create(owner, the_delegates());
  belay_disposable *sent = follow_sent(proxy, "moved");
  loaded = METHOD_OF(&it, moved);
  belay_proxy_release(proxy);
  belay_owner_release(owner);
  ended(sent, "moved completed | moved 3 4");
}

static belay_loop *its_loop;
static void stop_at_completed(void *ctx) {
  trace("completed");
  stop_loop(its_loop);
}
static void call_and_end(void *argument) {
  stage *on = argument;
  view_close(&on->it, 2);
  belay_owner_release(on->owner);
}
static void a_subscriber_with_a_loop_hears_the_end_there(void) {
  stage on;
  begin(&on, NULL);
  its_loop = open_loop();
  belay_signal *signal = belay_slot_sent(slot_of(on.proxy, "may_close"));
  belay_observer observer = rendering("");
  observer.disposed = NULL, observer.ctx_free = NULL;
  observer.completed = stop_at_completed;
  observer.loop = its_loop;
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  belay_signal_release(signal);
  belay_proxy_release(on.proxy);
  in_thread(call_and_end, &on);
  CHECK_TRACE(""); /* the object, its table and its functions have gone */
  run_until_stopped(its_loop);
  CHECK_TRACE("next [2] | completed");
  close_loop(its_loop);
}

static void an_adopted_object(void) {
  view it = {.delegate = &its_delegate};
  belay_owner *owner = belay_owner_adopt(&it, NULL);
  belay_proxy *proxy = belay_proxy_create(owner, the_delegates());
  belay_owner_release(owner);
  belay_disposable *sent = follow_sent(proxy, "moved");
  view_move(&it, 1, 1);
  CHECK_INT(belay_owner_will_end(&it), 0);
  CHECK(it.delegate == &its_delegate);
  CHECK_INT(belay_owner_did_end(&it), 0);
  ended(sent, "moved next [double double] | moved 1 1 | moved completed");
  belay_proxy_release(proxy);
}

/* ---- an install that does things ---- */

static stage *reentered;
static belay_disposable *inner;
static void ask_and_subscribe(view *it) {
  it->inside = NULL;
  belay_proxy *same = belay_proxy_create(reentered->owner, the_delegates());
  CHECK(same != NULL);
  inner = follow_sent(same, "placed");
  belay_proxy_release(same);
}
static void install_that_asks_and_subscribes(void) {
  stage on = {.it = {.inside = ask_and_subscribe}};
  reentered = &on;
  on.owner = belay_owner_create(&on.it, NULL, NULL, NULL);
  on.proxy = belay_proxy_create(on.owner, the_delegates());
  /* it was told of the delegate again, for a subscription had begun inside */
  CHECK_INT(on.it.installs, 2);
  CHECK_INT(on.it.remembered, 4);
  end_subscription(inner);
  on.it.inside = ask_and_subscribe;
  belay_disposable *sent = follow_sent(on.proxy, "moved");
  CHECK_INT(on.it.remembered, 1 | 4);
  CHECK_INT(on.it.installs, 5);
  end_subscription(sent);
  end_subscription(inner);
  finish(&on);
}

static void let_go(view *it) {
  it->inside = NULL;
  belay_owner_release(reentered->owner);
  CHECK(it->delegate == NULL);
  trace("install returns");
}
static void install_that_is_the_end(void) {
  stage on = {.it = {0}};
  reentered = &on;
  on.owner = belay_owner_create(&on.it, trace_deinit, NULL, NULL);
  on.proxy = belay_proxy_create(on.owner, the_delegates());
  on.it.inside = let_go;
  belay_disposable *sent = follow_sent(on.proxy, "moved");
  CHECK(on.it.delegate == NULL);
  ended(sent, "install returns | deinit | moved completed");
  belay_proxy_release(on.proxy);
}

static void an_install_that_fails(void) {
  stage on = {.it = {.delegate = &its_delegate, .refusal = BELAY_EBUSY}};
  on.owner = belay_owner_create(&on.it, NULL, NULL, NULL);
  CHECK(!belay_proxy_create(on.owner, the_delegates()));
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EBUSY);
  CHECK(on.it.delegate == &its_delegate);
  CHECK_INT(on.it.installs, 1);
  on.it.refusal = 0; /* the proxy is made anew when it is asked for again */
  on.proxy = belay_proxy_create(on.owner, the_delegates());
  CHECK(on.proxy != NULL);
  on.it.refusal = BELAY_EAGAIN;
  CHECK_FAILS(refused(on.proxy, "placed"), BELAY_EAGAIN);
  CHECK_FAILS(belay_slot_around(slot_of(on.proxy, "placed"), veto, NULL, NULL, NULL),
              BELAY_EAGAIN);
  CHECK(METHOD_OF(&on.it, placed) == NULL);
  CHECK_FAILS(belay_proxy_forward_to(on.proxy, NULL, NULL), BELAY_EAGAIN);
  CHECK(METHOD_OF(&on.it, moved) == NULL); /* though the install was refused */
  on.it.refusal = 0;
  belay_disposable *sent = follow_sent(on.proxy, "placed");
  on.it.refusal = BELAY_EAGAIN;
  end_subscription(sent);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EAGAIN);
  CHECK(METHOD_OF(&on.it, placed) == NULL);
  on.it.refusal = 0;
  finish(&on);
}

static int refuse(void *object, const void *table) {
  view *it = object;
  if (it->refusal) return belay_fail(it->refusal, "no date");
  __atomic_store_n(&it->delegate, table, __ATOMIC_RELEASE);
  return 1; /* is no failure */
}

/* What an install says of its failure is told by the call that it makes fail. */
static void what_an_install_says_of_its_failure(void) {
  view it = {.refusal = BELAY_EBUSY};
  belay_owner *owner = belay_owner_create(&it, NULL, NULL, NULL);
  belay_interface *tables = derived(refuse);
  CHECK(!belay_proxy_create(owner, tables));
  const belay_error *error = belay_last_error();
  CHECK_INT(belay_error_code(error), BELAY_EBUSY);
  CHECK(strstr(belay_error_message(error), "no date") != NULL);
  it.refusal = 0;
  belay_proxy *proxy = belay_proxy_create(owner, tables);
  belay_interface_release(tables);
  CHECK(proxy != NULL);
  it.refusal = BELAY_EAGAIN;
  CHECK_INT(refused(proxy, "selected"), BELAY_EAGAIN);
  CHECK_STRING(belay_error_message(belay_last_error()), "no date");
  CHECK_INT(belay_slot_around(slot_of(proxy, "selected"), veto, NULL, NULL, NULL), BELAY_EAGAIN);
  CHECK_STRING(belay_error_message(belay_last_error()), "no date");
  static const table_delegate other = {.base = {.moved = its_moved}};
  CHECK_INT(belay_proxy_forward_to(proxy, &other, NULL), BELAY_EAGAIN);
  CHECK_STRING(belay_error_message(belay_last_error()), "no date");
  it.refusal = 0;
  belay_owner_release(owner);
  belay_proxy_release(proxy);
}

/* ---- bad input ---- */

static void nonsense(void) {
  stage on;
  begin(&on, NULL);
  CHECK(!belay_proxy_create(NULL, the_delegates()) && !belay_proxy_create(on.owner, NULL));
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
  belay_interface_description description = describing_delegates();
  description.install = NULL;
  belay_interface *uninstallable = described(description);
  CHECK(!belay_proxy_create(on.owner, uninstallable));
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
  belay_interface_release(uninstallable);
  belay_owner *nothing = belay_owner_create(NULL, NULL, NULL, NULL);
  CHECK(!belay_proxy_create(nothing, the_delegates()));
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
  belay_owner_release(nothing);
  CHECK(!belay_proxy_retain(NULL) && !belay_proxy_table(NULL));
  belay_proxy_release(NULL);
  CHECK_FAILS(belay_proxy_forward_to(NULL, &its_delegate, NULL), BELAY_EINVAL);
  CHECK_FAILS(belay_proxy_forward_to(on.proxy, belay_proxy_table(on.proxy), NULL), BELAY_EINVAL);
  CHECK_FAILS(belay_proxy_forward_to(on.proxy, (const char *)&its_delegate + 1, NULL),
              BELAY_EINVAL);
  CHECK(!belay_slot_create_in_proxy(NULL, "moved") && !belay_slot_create_in_proxy(on.proxy, NULL));
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
  CHECK(!belay_slot_create_in_proxy(on.proxy, "flew"));
  const belay_error *error = belay_last_error();
  CHECK_INT(belay_error_code(error), BELAY_ENOENT);
  CHECK(strstr(belay_error_message(error), "flew") != NULL);
  finish(&on);
}

static belay_proxy *too_late;
static void ask_too_late(void *owner) {
  too_late = belay_proxy_create(owner, the_delegates());
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EDEAD);
}
static void the_dying(void) {
  stage on;
  begin(&on, NULL);
  /* It is bound after the proxy, so it runs when that has ended. */
  CHECK_INT(belay_owner_add_action(on.owner, ask_too_late, on.owner, NULL), 0);
  finish(&on);
  CHECK(!too_late);
  begin(&on, NULL);
  belay_owner *delegates = belay_owner_create(NULL, NULL, NULL, NULL);
  belay_owner *left = belay_owner_retain(delegates);
  CHECK(left == delegates);
  view other = {0};
  belay_owner *dead = belay_owner_adopt(&other, NULL);
  CHECK_INT(belay_owner_end(&other, NULL, NULL), 0);
  CHECK(!belay_proxy_create(dead, the_delegates()));
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EDEAD);
  CHECK_FAILS(belay_proxy_forward_to(on.proxy, &its_delegate, dead), BELAY_EDEAD);
  CHECK_INT(belay_proxy_forward_to(on.proxy, NULL, dead), 0);
  CHECK(METHOD_OF(&on.it, moved) == NULL);
  belay_owner_release(dead);
  belay_owner_release(delegates);
  belay_owner_release(left);
  finish(&on);
}

static belay_owner *ends_inside;
static void end_adopted(view *it) {
  it->inside = NULL;
  CHECK_INT(belay_owner_end(it, NULL, NULL), 0);
}
static void end_created(view *it) {
  it->inside = NULL;
  belay_owner_release(ends_inside);
}
static void a_first_install_that_is_the_end(void) {
  for (int is_adopted = 0; is_adopted < 2; is_adopted++) {
    view it = {.delegate = &its_delegate, .inside = is_adopted ? end_adopted : end_created};
    ends_inside = is_adopted ? belay_owner_adopt(&it, NULL)
                             : belay_owner_create(&it, NULL, NULL, NULL);
    belay_proxy *proxy = belay_proxy_create(ends_inside, the_delegates());
    CHECK(it.delegate == &its_delegate);
    CHECK_INT(it.installs, 2);
    CHECK(belay_slot_create_in_proxy(proxy, "moved") == NULL);
    CHECK_INT(belay_error_code(belay_last_error()), BELAY_EDEAD);
    belay_proxy_release(proxy);
    if (is_adopted) belay_owner_release(ends_inside);
    view_rename(&it, "afterwards");
    CHECK_TRACE("renamed afterwards");
  }
}

static const test_case cases[] = {
    CASE(a_first_install_that_is_the_end),
    CASE(A5_09_all_complete_when_the_object_dies),
    CASE(the_object_dies_inside_a_call),
    CASE(what_was_loaded_may_be_called_until_the_deinit),
    CASE(a_subscriber_with_a_loop_hears_the_end_there),
    CASE(an_adopted_object),
    CASE(install_that_asks_and_subscribes),
    CASE(install_that_is_the_end),
    CASE(an_install_that_fails),
    CASE(what_an_install_says_of_its_failure),
    CASE(nonsense),
    CASE(the_dying),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
