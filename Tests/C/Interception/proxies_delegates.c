/* Delegate proxies beside the delegate that is there, and beside each other (A5-04, A5-07, A5-21 to
   A5-31, A3-61), and the complaints about them (C-50 to C-53). */
#include "stage.h"

/* ---- the delegate that is there ---- */

static void A5_21_the_delegate_that_is_there_goes_on_being_called(void) {
  stage on;
  begin(&on, &its_delegate);
  /* the proxy's table has the original's function itself */
  CHECK(METHOD_OF(&on.it, moved) == its_moved);
  view_move(&on.it, 1, 2);
  belay_disposable *sent = follow_sent(on.proxy, "moved");
  view_move(&on.it, 3, 4);
  CHECK_TRACE("moved 1 2 | moved next [double double] | moved 3 4");
  end_subscription(sent);
  finish(&on);
}

static void A3_61_the_real_delegate_is_not_shadowed_by_a_signal(void) {
  stage on;
  begin(&on, &its_delegate);
  belay_disposable *sent = follow_sent(on.proxy, "may_close");
  CHECK_INT(view_close(&on.it, 1), 1); /* not zero */
  ended(sent, "may_close next [1]");
  finish(&on);
  trace_clear();
}

static void C_50_the_delegate_is_given_back_when_the_object_dies(void) {
  stage on;
  begin(&on, &its_delegate);
  belay_disposable *sent = follow_sent(on.proxy, "moved");
  belay_owner_release(on.owner);
  CHECK(on.it.delegate == &its_delegate);
  CHECK_INT(on.it.installs, 2);
  ended(sent, "moved completed");
  belay_proxy_release(on.proxy);
  begin(&on, NULL);
  belay_owner_release(on.owner);
  CHECK(on.it.delegate == NULL);
  belay_proxy_release(on.proxy);
}

static void A5_29_no_delegate_is_overwritten(void) {
  static const delegate another = {.moved = its_moved};
  stage on;
  begin(&on, &its_delegate);
  CHECK_FAILS(belay_proxy_forward_to(on.proxy, &another, NULL), BELAY_EASSIGNED);
  CHECK_INT(belay_proxy_forward_to(on.proxy, NULL, NULL), 0);
  CHECK_INT(belay_proxy_forward_to(on.proxy, NULL, NULL), 0);
  CHECK_INT(belay_proxy_forward_to(on.proxy, &another, NULL), 0);
  CHECK_FAILS(belay_proxy_forward_to(on.proxy, &its_delegate, NULL), BELAY_EASSIGNED);
  view_move(&on.it, 1, 1);
  CHECK_TRACE("moved 1 1");
  belay_owner_release(on.owner);
  CHECK(on.it.delegate == &another);
  belay_proxy_release(on.proxy);
}

static void A5_29_what_somebody_else_has_installed_stays(void) {
  static const delegate another = {.moved = its_moved};
  stage on;
  begin(&on, &its_delegate);
  install_delegate(&on.it, &another);
  const delegate *table = belay_proxy_table(on.proxy);
  CHECK_FAILS(refused(on.proxy, "placed"), BELAY_EMISMATCH);
  CHECK(on.it.delegate == &another && !table->placed);
  belay_disposable *sent = follow_sent(on.proxy, "moved"); /* the set of methods is unchanged */
  belay_owner_release(on.owner);
  CHECK(on.it.delegate == &another);
  CHECK_INT(on.it.installs, 2);
  ended(sent, "moved completed");
  belay_proxy_release(on.proxy);
}

static void forwarding_ends_with_the_delegates_owner(void) {
  stage on;
  begin(&on, NULL);
  belay_owner *delegates = belay_owner_create(NULL, NULL, NULL, NULL);
  CHECK_INT(belay_proxy_forward_to(on.proxy, &its_delegate, delegates), 0);
  belay_disposable *sent = follow_sent(on.proxy, "moved");
  view_move(&on.it, 1, 1);
  CHECK_TRACE("moved next [double double] | moved 1 1");
  belay_owner_release(delegates);
  CHECK_INT(on.it.remembered, 1);
  view_move(&on.it, 1, 1);
  CHECK_TRACE("moved next [double double]");
  end_subscription(sent);
  /* The end of a delegate that was replaced changes nothing. */
  delegates = belay_owner_create(NULL, NULL, NULL, NULL);
  CHECK_INT(belay_proxy_forward_to(on.proxy, &its_delegate, delegates), 0);
  CHECK_INT(belay_proxy_forward_to(on.proxy, NULL, NULL), 0);
  CHECK_INT(belay_proxy_forward_to(on.proxy, &its_delegate, NULL), 0);
  belay_owner_release(delegates);
  CHECK_INT(on.it.remembered, 1 | 2 | 8 | 16);
  CHECK_INT(belay_proxy_forward_to(on.proxy, NULL, NULL), 0);
  /* The object ends before its delegate. */
  delegates = belay_owner_create(NULL, NULL, NULL, NULL);
  CHECK_INT(belay_proxy_forward_to(on.proxy, &its_delegate, delegates), 0);
  finish(&on);
  belay_owner_release(delegates);
}

/* ---- methods that answer ---- */

static int add_one(void *ctx, belay_invocation *call) {
  CHECK_INT(belay_invocation_proceed(call), 0);
  belay_value result = belay_invocation_result(call);
  int one = int_of(result) + 1;
  return belay_invocation_set_result(call, belay_int32(one));
}

static void A5_04_methods_that_answer_are_there_too(void) {
  stage on;
  begin(&on, NULL);
  CHECK_INT(view_close(&on.it, 1), -1); /* without the method the object decides itself */
  belay_disposable *sent = follow_sent(on.proxy, "may_close");
  CHECK_INT(view_close(&on.it, 1), 0);
  ended(sent, "may_close next [1]");
  finish(&on);
  trace_clear();
}

static void C_53_the_originals_answer_a_default_a_responders_or_a_combination(void) {
  stage on;
  begin(&on, NULL);
  belay_slot *slot = slot_of(on.proxy, "may_close");
  belay_disposable *sent = follow(belay_slot_invoked(slot), "invoked"), *one, *two;
  CHECK_INT(belay_slot_set_default(slot, belay_int32(4)), 0);
  CHECK_INT(view_close(&on.it, 9), 4);
  CHECK_TRACE("invoked next [9 4]");
  end_subscription(sent);
  CHECK_INT(belay_slot_respond(slot, yes, NULL, NULL, &one), 0);
  CHECK_INT(view_close(&on.it, 9), 1);
  CHECK_INT(belay_proxy_forward_to(on.proxy, &its_delegate, NULL), 0);
  CHECK_INT(view_close(&on.it, 9), 9); /* the original's answer comes first */
  CHECK_INT(belay_slot_set_combiner(slot, sum_of_answers, NULL, NULL), 0);
  CHECK_INT(view_close(&on.it, 9), 10);
  CHECK_INT(belay_slot_around(slot, add_one, NULL, NULL, &two), 0);
  CHECK_INT(view_close(&on.it, 9), 11);
  end_subscription(two);
  end_subscription(one);
  CHECK(METHOD_OF(&on.it, may_close) == its_may_close);
  finish(&on);
}

static void on_moved(void *ctx, double x, double y) { *(point *)ctx = (point){x, y}; }
static void connections_and_vetoes(void) {
  stage on;
  begin(&on, &its_delegate);
  belay_slot *slot = slot_of(on.proxy, "moved");
  point at = {0, 0};
  CHECK_INT(BELAY_SLOT_CONNECT(slot, on_moved, &at, void, (void *, double, double)), 0);
  view_move(&on.it, 3, 4);
  CHECK(at.x == 3 && at.y == 4);
  CHECK_INT(belay_slot_around(slot, veto, NULL, NULL, NULL), 0);
  view_move(&on.it, 5, 6);
  CHECK_TRACE("moved 3 4");
  finish(&on);
}

/* ---- one proxy, several, and bases ---- */

static void A5_07_the_same_proxy_on_every_ask(void) {
  stage on;
  begin(&on, NULL);
  belay_proxy *again = belay_proxy_create(on.owner, the_delegates());
  CHECK(again == on.proxy);
  CHECK_INT(on.it.installs, 1);
  CHECK(belay_proxy_retain(again) == again);
  belay_proxy_release(again);
  belay_proxy_release(again);
  belay_slot *slot = belay_slot_create_in_proxy(on.proxy, "moved");
  CHECK(slot == slot_of(on.proxy, "moved"));
  belay_slot_release(slot);
  /* The proxy lives with the object, not with the handle. */
  belay_proxy_release(on.proxy);
  on.proxy = belay_proxy_create(on.owner, the_delegates());
  CHECK(on.proxy == again);
  finish(&on);
}

typedef struct source {
  int (*count)(void *it);
} source;
typedef struct list {
  view base;
  const source *source;
} list;
static int install_source(void *object, const void *table) {
  ((list *)object)->source = table;
  return 0;
}
static int three(void *it) { return 3; }

static void A5_26_two_kinds_of_proxy_on_one_object(void) {
  static const belay_method methods[] = {BELAY_METHOD(source, count, "i@")};
  belay_interface *sources = described((belay_interface_description){
      .size = sizeof(belay_interface_description), .name = "source", .table_size = sizeof(source),
      .methods = methods, .method_count = 1, .table_offset = BELAY_NO_TABLE,
      .install = install_source});
  list it = {{0}, NULL};
  belay_owner *owner = belay_owner_create(&it, NULL, NULL, NULL);
  belay_proxy *one = belay_proxy_create(owner, the_delegates());
  belay_disposable *moved = follow_sent(one, "moved");
  belay_proxy *two = belay_proxy_create(owner, sources);
  CHECK(one && two && one != two);
  const source original = {three};
  CHECK_INT(belay_proxy_forward_to(two, &original, NULL), 0);
  belay_disposable *counted = follow_sent(two, "count");
  CHECK_INT(it.source->count(&it), 3);
  view_move(&it.base, 0, 0);
  CHECK_TRACE("count next [] | moved next [double double]");
  belay_proxy *same = belay_proxy_create(owner, the_delegates());
  CHECK(same == one);
  belay_proxy_release(same);
  belay_owner_release(owner);
  CHECK_TRACE("moved completed | count completed");
  CHECK(it.source == &original && !it.base.delegate);
  belay_disposable_release(moved);
  belay_disposable_release(counted);
  belay_proxy_release(one);
  belay_proxy_release(two);
  belay_interface_release(sources);
}

static int install_own(void *object, const void *table) {
  trace("own install");
  return install_delegate(object, table);
}

static void A5_31_the_nearest_install_wins(void) {
  view it = {0};
  belay_owner *owner = belay_owner_create(&it, NULL, NULL, NULL);
  belay_interface *inheriting = derived(NULL), *overriding = derived(install_own);
  belay_proxy *proxy = belay_proxy_create(owner, inheriting);
  CHECK_TRACE("");
  CHECK_INT(it.installs, 1);
  belay_owner_release(owner);
  belay_proxy_release(proxy);
  owner = belay_owner_create(&it, NULL, NULL, NULL);
  proxy = belay_proxy_create(owner, overriding);
  CHECK_TRACE("own install");
  belay_owner_release(owner);
  CHECK_TRACE("own install");
  belay_proxy_release(proxy);
  belay_interface_release(inheriting);
  belay_interface_release(overriding);
}

static void stacked(belay_interface *older, belay_interface *newer) {
  view it = {.delegate = &its_delegate};
  belay_owner *owner = belay_owner_create(&it, NULL, NULL, NULL);
  belay_proxy *behind = belay_proxy_create(owner, older);
  belay_proxy *front = belay_proxy_create(owner, newer);
  CHECK(behind != front);
  CHECK(it.delegate == belay_proxy_table(front));
  belay_disposable *one = follow(belay_slot_sent(slot_of(behind, "moved")), "behind");
  belay_disposable *two = follow(belay_slot_sent(slot_of(front, "moved")), "front");
  view_move(&it, 1, 1);
  CHECK_TRACE("front next [double double] | behind next [double double] | moved 1 1");
  end_subscription(two);
  view_move(&it, 1, 1);
  CHECK_TRACE("behind next [double double] | moved 1 1");
  /* A method that comes to the proxy behind comes to the one in front, too. */
  belay_disposable *placed = follow_sent(behind, "placed");
  CHECK_INT(it.remembered, 31);
  CHECK(it.delegate == belay_proxy_table(front));
  view_place(&it, (point){0, 0}, NULL);
  CHECK_TRACE("placed next [struct null]");
  end_subscription(placed);
  CHECK_INT(it.remembered, 27);
  /* Only the oldest proxy forwards. */
  CHECK_FAILS(belay_proxy_forward_to(front, NULL, NULL), BELAY_EASSIGNED);
  CHECK_FAILS(belay_proxy_forward_to(front, &its_delegate, NULL), BELAY_EASSIGNED);
  CHECK_INT(belay_proxy_forward_to(behind, NULL, NULL), 0);
  CHECK_INT(it.remembered, 1);
  CHECK_FAILS(belay_proxy_forward_to(behind, belay_proxy_table(front), NULL), BELAY_EINVAL);
  CHECK_INT(belay_proxy_forward_to(behind, &its_delegate, NULL), 0);
  belay_owner_release(owner);
  CHECK(it.delegate == &its_delegate);
  ended(one, "behind completed");
  belay_proxy_release(behind);
  belay_proxy_release(front);
}

static void C_52_proxies_of_one_delegate_stack(void) {
  belay_interface *same = described(describing_delegates());
  stacked(the_delegates(), same);
  belay_interface *tables = derived(NULL);
  stacked(the_delegates(), tables);
  /* The same for interfaces that cannot be asked for what is installed, if they install in the same
     way. */
  belay_interface_description description = describing_delegates();
  description.installed = NULL;
  belay_interface *blind = described(description);
  description.install = NULL, description.base = blind;
  description.methods = NULL, description.method_count = 0;
  belay_interface *blind_too = described(description);
  view it = {0};
  belay_owner *owner = belay_owner_create(&it, NULL, NULL, NULL);
  belay_proxy *one = belay_proxy_create(owner, blind), *two = belay_proxy_create(owner, blind_too);
  belay_disposable *sent = follow_sent(one, "moved");
  CHECK(it.delegate == belay_proxy_table(two));
  view_move(&it, 0, 0);
  CHECK_TRACE("moved next [double double]");
  belay_owner_release(owner);
  CHECK(it.delegate == NULL);
  ended(sent, "moved completed");
  belay_proxy_release(one);
  belay_proxy_release(two);
  belay_interface_release(same);
  belay_interface_release(tables);
  belay_interface_release(blind);
  belay_interface_release(blind_too);
}

static void use_elsewhere(void *argument) {
  stage *on = argument;
  begin(on, &its_delegate);
  belay_disposable *sent = follow_sent(on->proxy, "renamed");
  view_rename(&on->it, "elsewhere");
  end_subscription(sent);
  CHECK_INT(belay_proxy_forward_to(on->proxy, NULL, NULL), 0);
}
static void C_51_on_any_thread(void) {
  stage on;
  in_thread(use_elsewhere, &on);
  CHECK_TRACE("renamed next [elsewhere] | renamed elsewhere");
  finish(&on);
}

static const test_case cases[] = {
    CASE(A5_21_the_delegate_that_is_there_goes_on_being_called),
    CASE(A3_61_the_real_delegate_is_not_shadowed_by_a_signal),
    CASE(C_50_the_delegate_is_given_back_when_the_object_dies),
    CASE(A5_29_no_delegate_is_overwritten),
    CASE(A5_29_what_somebody_else_has_installed_stays),
    CASE(forwarding_ends_with_the_delegates_owner),
    CASE(A5_04_methods_that_answer_are_there_too),
    CASE(C_53_the_originals_answer_a_default_a_responders_or_a_combination),
    CASE(connections_and_vetoes),
    CASE(A5_07_the_same_proxy_on_every_ask),
    CASE(A5_26_two_kinds_of_proxy_on_one_object),
    CASE(A5_31_the_nearest_install_wins),
    CASE(C_52_proxies_of_one_delegate_stack),
    CASE(C_51_on_any_thread),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
