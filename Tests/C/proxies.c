/* Delegate proxies: what CombineCocoa's and RxCocoa's do (A5-01 to A5-09, A5-20 to A5-31, A3-61),
   and the complaints about them (C-50 to C-53). */
#include "views.h"

/* A view with its owner and its proxy. */
typedef struct stage {
  view it;
  belay_owner *owner;
  belay_proxy *proxy;
} stage;

static void begin(stage *on, const delegate *original) {
  *on = (stage){.it = {.delegate = original}};
  on->owner = belay_owner_create(&on->it, NULL, NULL);
  on->proxy = belay_proxy_of(on->owner, the_delegates());
  CHECK(on->proxy != NULL);
}
static void finish(stage *on) {
  belay_owner_release(on->owner);
  belay_proxy_release(on->proxy);
}
static void ended(belay_disposable *disposable, const char *trace) {
  CHECK_TRACE(trace);
  belay_disposable_release(disposable);
}

/* What subscribing answers. */
static int refused(belay_proxy *proxy, const char *method) {
  belay_signal *signal = belay_slot_sent(slot_of(proxy, method));
  belay_observer observer = {.size = sizeof observer};
  int code = belay_signal_subscribe(signal, &observer, NULL);
  belay_signal_release(signal);
  return code;
}

/* ---- which methods, and when they are there ---- */

typedef struct table_delegate {
  delegate base;
  void (*selected)(view *it, int row);
} table_delegate;
static const belay_method table_methods[] = {BELAY_METHOD(table_delegate, selected, "v@i")};
static belay_interface *derived(int (*install)(void *, const void *)) {
  return interface_of((belay_interface_description){
      .size = sizeof(belay_interface_description),
      .name = "table_delegate",
      .table_size = sizeof(table_delegate),
      .methods = table_methods,
      .method_count = 1,
      .base = the_delegates(),
      .table_offset = BELAY_NO_TABLE,
      .install = install,
  });
}

static void A5_01_all_methods_of_an_interface_and_its_bases(void) {
  view it = {0};
  belay_owner *owner = belay_owner_create(&it, NULL, NULL);
  belay_interface *tables = derived(NULL);
  belay_proxy *proxy = belay_proxy_of(owner, tables);
  belay_interface_release(tables);
  const char *names[] = {"moved", "renamed", "placed", "may_close", "selected"};
  for (size_t i = 0; i < 5; i++) {
    belay_disposable *sent = follow_sent(proxy, names[i]);
    CHECK_INT(it.installs, 2 + 2 * (int)i);
    end_subscription(sent);
  }
  belay_disposable *sent = follow_sent(proxy, "selected");
  ((const table_delegate *)it.delegate)->selected(&it, 3);
  CHECK_TRACE("selected next [3]");
  belay_owner_release(owner);
  ended(sent, "selected completed");
  belay_proxy_release(proxy);
}

static void A5_02_a_method_is_there_while_somebody_wants_it_or_the_original_has_it(void) {
  stage on;
  begin(&on, NULL);
  CHECK_INT(on.it.remembered, 0);
  CHECK(on.it.delegate == belay_proxy_table(on.proxy));
  belay_disposable *sent = follow_sent(on.proxy, "moved");
  CHECK_INT(on.it.remembered, 1);
  CHECK_INT(belay_proxy_forward_to(on.proxy, &its_delegate, NULL), 0);
  CHECK_INT(on.it.remembered, 1 | 2 | 8 | 16);
  CHECK_INT(belay_proxy_forward_to(on.proxy, NULL, NULL), 0);
  CHECK_INT(on.it.remembered, 1);
  end_subscription(sent);
  CHECK_INT(on.it.remembered, 0);
  finish(&on);
}

static belay_value yes(void *ctx, belay_invocation *call) { return belay_int32(1); }
static int vetoed(void *ctx, belay_invocation *call) { return 0; }
static void on_moved(void *ctx, double x, double y) { *(point *)ctx = (point){x, y}; }

static void A5_22_the_object_is_told_whenever_the_set_changes_and_only_then(void) {
  stage on;
  begin(&on, &its_delegate);
  CHECK_INT(on.it.installs, 1);
  belay_disposable *there = follow_sent(on.proxy, "moved"); /* the original has it */
  CHECK_INT(on.it.installs, 1);
  CHECK(METHOD_OF(&on.it, moved) != its_moved);
  end_subscription(there);
  CHECK_INT(on.it.installs, 1);
  CHECK(METHOD_OF(&on.it, moved) == its_moved);
  belay_disposable *one = follow_sent(on.proxy, "placed");
  CHECK_INT(on.it.installs, 2);
  belay_disposable *two = follow(belay_slot_invoked(slot_of(on.proxy, "placed")), "again");
  CHECK_INT(on.it.installs, 2);
  end_subscription(one);
  CHECK_INT(on.it.installs, 2);
  CHECK(METHOD_OF(&on.it, placed) != NULL);
  end_subscription(two);
  CHECK_INT(on.it.installs, 3);
  CHECK(METHOD_OF(&on.it, placed) == NULL);
  /* Whoever intercepts, responds or is connected wants it too. */
  CHECK_INT(belay_slot_around(slot_of(on.proxy, "placed"), vetoed, NULL, NULL, &one), 0);
  CHECK_INT(on.it.remembered, 31);
  end_subscription(one);
  CHECK_INT(belay_slot_respond(slot_of(on.proxy, "placed"), yes, NULL, NULL, &one), 0);
  CHECK_INT(on.it.remembered, 31);
  end_subscription(one);
  CHECK_INT(on.it.remembered, 27);
  CHECK_INT(on.it.installs, 7);
  finish(&on);
}

static void a_performance_sensitive_method_is_always_the_originals(void) {
  stage on;
  begin(&on, &its_delegate);
  CHECK(METHOD_OF(&on.it, drawn) == its_drawn);
  CHECK(!belay_proxy_slot(on.proxy, "drawn"));
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EPERM);
  view_draw(&on.it);
  CHECK_TRACE("drawn");
  CHECK_INT(belay_proxy_forward_to(on.proxy, NULL, NULL), 0);
  CHECK(METHOD_OF(&on.it, drawn) == NULL);
  finish(&on);
}

static void what_the_interface_says_nothing_of_is_the_originals(void) {
  stage on;
  begin(&on, &its_delegate);
  CHECK_INT(delegate_of(&on.it)->version, 7);
  CHECK_INT(belay_proxy_forward_to(on.proxy, NULL, NULL), 0);
  CHECK_INT(delegate_of(&on.it)->version, 0);
  finish(&on);
}

/* ---- what is heard ---- */

static void A5_03_every_handler_hears_in_the_order_of_subscribing(void) {
  stage on;
  begin(&on, NULL);
  belay_slot *moved = slot_of(on.proxy, "moved");
  belay_disposable *one = follow(belay_slot_sent(moved), "one");
  belay_disposable *two = follow(belay_slot_sent(moved), "two");
  view_move(&on.it, 0, 0);
  CHECK_TRACE("one next [double double] | two next [double double]");
  end_subscription(one);
  view_move(&on.it, 0, 0);
  CHECK_TRACE("two next [double double]");
  end_subscription(two);
  finish(&on);
}

static void note_arguments(void *ctx, belay_value value) {
  belay_value *kept = ctx;
  belay_value_release(*kept);
  *kept = belay_value_retain(value);
}
static belay_disposable *keep_arguments(belay_proxy *proxy, const char *method, belay_value *kept) {
  belay_signal *signal = belay_slot_sent(slot_of(proxy, method));
  belay_disposable *disposable = NULL;
  CHECK_INT(belay_signal_subscribe(signal, &(belay_observer){
      .size = sizeof(belay_observer), .next = note_arguments, .ctx = kept}, &disposable), 0);
  belay_signal_release(signal);
  return disposable;
}
static belay_value argument(belay_value arguments, size_t index) {
  belay_value item = belay_null();
  CHECK_INT(belay_value_get_item(arguments, index, &item), 0);
  return item;
}

static void A5_05_arguments_come_without_the_context(void) {
  stage on;
  begin(&on, NULL);
  belay_value kept = belay_null();
  belay_disposable *sent = keep_arguments(on.proxy, "moved", &kept);
  view_move(&on.it, 1.5, 2.5);
  CHECK_INT(belay_value_count(kept), 2);
  double x;
  CHECK_INT(belay_value_get_double(argument(kept, 1), &x), 0);
  CHECK(x == 2.5);
  end_subscription(sent);
  belay_value_release(kept);
  finish(&on);
}

static void A5_06_arguments_are_values_of_their_types(void) {
  stage on;
  begin(&on, NULL);
  belay_value kept = belay_null();
  belay_disposable *placed = keep_arguments(on.proxy, "placed", &kept);
  view_place(&on.it, (point){1, 2}, &on);
  belay_value at = argument(kept, 0);
  CHECK_INT(belay_value_kind(at), BELAY_KIND_STRUCT);
  point copied = {0, 0};
  CHECK_INT(BELAY_VALUE_GET_STRUCT(at, point, &copied), 0);
  CHECK(copied.x == 1 && copied.y == 2);
  void *parent = NULL;
  CHECK_INT(belay_value_get_pointer(argument(kept, 1), &parent), 0);
  CHECK(parent == &on);
  belay_disposable *renamed = keep_arguments(on.proxy, "renamed", &kept);
  char name[] = "first";
  view_rename(&on.it, name);
  strcpy(name, "other"); /* a string is a copy */
  belay_view bytes;
  CHECK_INT(belay_value_get_string(argument(kept, 0), &bytes), 0);
  CHECK(bytes.size == 5 && memcmp(bytes.data, "first", 5) == 0);
  belay_disposable *closed = keep_arguments(on.proxy, "may_close", &kept);
  view_close(&on.it, -3);
  CHECK_INT(belay_value_kind(argument(kept, 0)), BELAY_KIND_INT32);
  CHECK_INT(int_of(argument(kept, 0)), -3);
  end_subscription(placed);
  end_subscription(renamed);
  end_subscription(closed);
  belay_value_release(kept);
  finish(&on);
}

static void A5_20_NULL_is_a_null_value(void) {
  stage on;
  begin(&on, &its_delegate);
  belay_disposable *renamed = follow_sent(on.proxy, "renamed");
  belay_value kept = belay_null();
  belay_disposable *placed = keep_arguments(on.proxy, "placed", &kept);
  view_rename(&on.it, NULL);
  CHECK_TRACE("renamed next [null] | renamed NULL");
  view_place(&on.it, (point){0, 0}, NULL);
  CHECK_INT(belay_value_kind(argument(kept, 1)), BELAY_KIND_NULL);
  end_subscription(renamed);
  end_subscription(placed);
  belay_value_release(kept);
  finish(&on);
}

static void A5_08_one_subscription_is_one_handler(void) {
  stage on;
  begin(&on, NULL);
  belay_signal *signal = belay_slot_sent(slot_of(on.proxy, "may_close"));
  CHECK(METHOD_OF(&on.it, may_close) == NULL); /* nobody has subscribed to it */
  belay_disposable *one = follow(belay_signal_retain(signal), "one");
  belay_disposable *two = follow(signal, "two");
  view_close(&on.it, 1);
  CHECK_TRACE("one next [1] | two next [1]");
  end_subscription(one);
  end_subscription(two);
  finish(&on);
}

static void A5_23_disposing_removes_the_handler(void) {
  stage on;
  begin(&on, NULL);
  for (int i = 0; i < 100; i++) end_subscription(follow_sent(on.proxy, "moved"));
  int (*missing)(view *, int) = METHOD_OF(&on.it, may_close);
  CHECK(missing == NULL && METHOD_OF(&on.it, moved) == NULL);
  belay_disposable *sent = follow_sent(on.proxy, "moved");
  void (*moved)(view *, double, double) = METHOD_OF(&on.it, moved);
  moved(&on.it, 0, 0);
  CHECK_TRACE("moved next [double double]");
  end_subscription(sent);
  moved(&on.it, 0, 0); /* by who had loaded it */
  CHECK_TRACE("");
  finish(&on);
}

static void A5_25_who_wants_two_takes_two(void) {
  stage on;
  begin(&on, NULL);
  belay_slot *slot = belay_proxy_slot(on.proxy, "moved");
  belay_observer observer = rendering("moved");
  observer.disposed = NULL, observer.ctx_free = NULL;
  belay_signal *two = belay_signal_chain(belay_slot_sent(slot), belay_op_take(2));
  CHECK_INT(belay_signal_subscribe(two, &observer, NULL), 0);
  belay_signal_release(two);
  belay_slot_release(slot);
  void (*moved)(view *, double, double) = METHOD_OF(&on.it, moved);
  for (int i = 0; i < 3; i++) moved(&on.it, 0, 0);
  CHECK_TRACE("moved next [double double] | moved next [double double] | moved completed");
  CHECK(METHOD_OF(&on.it, moved) == NULL);
  finish(&on);
}

static void move_at_once(view *it) { view_move(it, 1, 1); }

static void A5_24_nothing_is_heard_before_one_has_subscribed(void) {
  stage on;
  begin(&on, &its_delegate);
  belay_disposable *first = follow_sent(on.proxy, "moved");
  on.it.inside = move_at_once;
  belay_disposable *placed = follow_sent(on.proxy, "placed"); /* the object moves when it is told */
  CHECK_TRACE("moved next [double double] | moved 1 1");
  end_subscription(first);
  CHECK_INT(belay_proxy_forward_to(on.proxy, NULL, NULL), 0);
  trace_clear();
  belay_disposable *late = follow_sent(on.proxy, "moved");
  CHECK_TRACE(""); /* its own subscription had not begun */
  on.it.inside = NULL;
  view_move(&on.it, 1, 1);
  CHECK_TRACE("moved next [double double]");
  end_subscription(late);
  end_subscription(placed);
  finish(&on);
}

static void A5_28_sent_then_the_original_then_invoked(void) {
  stage on;
  begin(&on, &its_delegate);
  belay_slot *renamed = slot_of(on.proxy, "renamed");
  belay_disposable *invoked = follow(belay_slot_invoked(renamed), "invoked");
  belay_disposable *sent = follow(belay_slot_sent(renamed), "sent");
  view_rename(&on.it, "it");
  CHECK_TRACE("sent next [it] | renamed it | invoked next [it]");
  belay_slot *may_close = slot_of(on.proxy, "may_close");
  belay_disposable *answered = follow(belay_slot_invoked(may_close), "answered");
  CHECK_INT(view_close(&on.it, 5), 5);
  CHECK_TRACE("answered next [5 5]");
  belay_owner_release(on.owner);
  CHECK_TRACE("sent completed | invoked completed | answered completed");
  belay_disposable_release(sent);
  belay_disposable_release(invoked);
  belay_disposable_release(answered);
  belay_proxy_release(on.proxy);
}

/* ---- the delegate that is there ---- */

static void A5_21_the_delegate_that_is_there_goes_on_being_called(void) {
  stage on;
  begin(&on, &its_delegate);
  CHECK(METHOD_OF(&on.it, moved) == its_moved); /* and directly */
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
  belay_disposable *sent = follow_sent(on.proxy, "moved"); /* the set is as it was */
  belay_owner_release(on.owner);
  CHECK(on.it.delegate == &another);
  CHECK_INT(on.it.installs, 2);
  ended(sent, "moved completed");
  belay_proxy_release(on.proxy);
}

static void forwarding_ends_with_the_delegates_owner(void) {
  stage on;
  begin(&on, NULL);
  belay_owner *delegates = belay_owner_create(NULL, NULL, NULL);
  CHECK_INT(belay_proxy_forward_to(on.proxy, &its_delegate, delegates), 0);
  belay_disposable *sent = follow_sent(on.proxy, "moved");
  view_move(&on.it, 1, 1);
  CHECK_TRACE("moved next [double double] | moved 1 1");
  belay_owner_release(delegates);
  CHECK_INT(on.it.remembered, 1);
  view_move(&on.it, 1, 1);
  CHECK_TRACE("moved next [double double]");
  end_subscription(sent);
  /* A delegate that was replaced ends nothing. */
  delegates = belay_owner_create(NULL, NULL, NULL);
  CHECK_INT(belay_proxy_forward_to(on.proxy, &its_delegate, delegates), 0);
  CHECK_INT(belay_proxy_forward_to(on.proxy, NULL, NULL), 0);
  CHECK_INT(belay_proxy_forward_to(on.proxy, &its_delegate, NULL), 0);
  belay_owner_release(delegates);
  CHECK_INT(on.it.remembered, 1 | 2 | 8 | 16);
  CHECK_INT(belay_proxy_forward_to(on.proxy, NULL, NULL), 0);
  /* The object goes before its delegate. */
  delegates = belay_owner_create(NULL, NULL, NULL);
  CHECK_INT(belay_proxy_forward_to(on.proxy, &its_delegate, delegates), 0);
  finish(&on);
  belay_owner_release(delegates);
}

/* ---- methods that answer ---- */

static belay_value total(void *ctx, const belay_value *answers, size_t count) {
  int32_t sum = 0;
  for (size_t i = 0; i < count; i++) sum += int_of(answers[i]);
  return belay_int32(sum);
}
static int add_one(void *ctx, belay_invocation *call) {
  CHECK_INT(belay_invocation_proceed(call), 0);
  belay_value result = belay_invocation_result(call);
  int one = int_of(result) + 1;
  return belay_invocation_set_result(call, belay_int32(one));
}

static void A5_04_methods_that_answer_are_there_too(void) {
  stage on;
  begin(&on, NULL);
  CHECK_INT(view_close(&on.it, 1), -1); /* there is no method: the object's own */
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
  CHECK_INT(view_close(&on.it, 9), 9); /* the original's counts first */
  CHECK_INT(belay_slot_set_combiner(slot, total, NULL, NULL), 0);
  CHECK_INT(view_close(&on.it, 9), 10);
  CHECK_INT(belay_slot_around(slot, add_one, NULL, NULL, &two), 0);
  CHECK_INT(view_close(&on.it, 9), 11);
  end_subscription(two);
  end_subscription(one);
  CHECK(METHOD_OF(&on.it, may_close) == its_may_close);
  finish(&on);
}

static void connections_and_vetoes(void) {
  stage on;
  begin(&on, &its_delegate);
  belay_slot *slot = slot_of(on.proxy, "moved");
  point at = {0, 0};
  CHECK_INT(BELAY_SLOT_CONNECT(slot, on_moved, &at, void, (void *, double, double)), 0);
  view_move(&on.it, 3, 4);
  CHECK(at.x == 3 && at.y == 4);
  CHECK_INT(belay_slot_around(slot, vetoed, NULL, NULL, NULL), 0);
  view_move(&on.it, 5, 6);
  CHECK_TRACE("moved 3 4");
  finish(&on);
}

/* ---- one proxy, several, and bases ---- */

static void A5_07_the_same_proxy_on_every_ask(void) {
  stage on;
  begin(&on, NULL);
  belay_proxy *again = belay_proxy_of(on.owner, the_delegates());
  CHECK(again == on.proxy);
  CHECK_INT(on.it.installs, 1);
  CHECK(belay_proxy_retain(again) == again);
  belay_proxy_release(again);
  belay_proxy_release(again);
  belay_slot *slot = belay_proxy_slot(on.proxy, "moved");
  CHECK(slot == slot_of(on.proxy, "moved"));
  belay_slot_release(slot);
  /* It lives with the object, not with the handle. */
  belay_proxy_release(on.proxy);
  on.proxy = belay_proxy_of(on.owner, the_delegates());
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
  belay_interface *sources = interface_of((belay_interface_description){
      .size = sizeof(belay_interface_description), .name = "source", .table_size = sizeof(source),
      .methods = methods, .method_count = 1, .table_offset = BELAY_NO_TABLE,
      .install = install_source});
  list it = {{0}, NULL};
  belay_owner *owner = belay_owner_create(&it, NULL, NULL);
  belay_proxy *one = belay_proxy_of(owner, the_delegates());
  belay_disposable *moved = follow_sent(one, "moved");
  belay_proxy *two = belay_proxy_of(owner, sources);
  CHECK(one && two && one != two);
  const source original = {three};
  CHECK_INT(belay_proxy_forward_to(two, &original, NULL), 0);
  belay_disposable *counted = follow_sent(two, "count");
  CHECK_INT(it.source->count(&it), 3);
  view_move(&it.base, 0, 0);
  CHECK_TRACE("count next [] | moved next [double double]");
  belay_proxy *same = belay_proxy_of(owner, the_delegates());
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
  belay_owner *owner = belay_owner_create(&it, NULL, NULL);
  belay_interface *inheriting = derived(NULL), *overriding = derived(install_own);
  belay_proxy *proxy = belay_proxy_of(owner, inheriting);
  CHECK_TRACE("");
  CHECK_INT(it.installs, 1);
  belay_owner_release(owner);
  belay_proxy_release(proxy);
  owner = belay_owner_create(&it, NULL, NULL);
  proxy = belay_proxy_of(owner, overriding);
  CHECK_TRACE("own install");
  belay_owner_release(owner);
  CHECK_TRACE("own install");
  belay_proxy_release(proxy);
  belay_interface_release(inheriting);
  belay_interface_release(overriding);
}

static void stacked(belay_interface *older, belay_interface *newer) {
  view it = {.delegate = &its_delegate};
  belay_owner *owner = belay_owner_create(&it, NULL, NULL);
  belay_proxy *behind = belay_proxy_of(owner, older);
  belay_proxy *front = belay_proxy_of(owner, newer);
  CHECK(behind != front);
  CHECK(it.delegate == belay_proxy_table(front));
  belay_disposable *one = follow(belay_slot_sent(slot_of(behind, "moved")), "behind");
  belay_disposable *two = follow(belay_slot_sent(slot_of(front, "moved")), "front");
  view_move(&it, 1, 1);
  CHECK_TRACE("front next [double double] | behind next [double double] | moved 1 1");
  end_subscription(two);
  view_move(&it, 1, 1);
  CHECK_TRACE("behind next [double double] | moved 1 1");
  /* What comes to be there behind is there in front. */
  belay_disposable *placed = follow_sent(behind, "placed");
  CHECK_INT(it.remembered, 31);
  CHECK(it.delegate == belay_proxy_table(front));
  view_place(&it, (point){0, 0}, NULL);
  CHECK_TRACE("placed next [struct null]");
  end_subscription(placed);
  CHECK_INT(it.remembered, 27);
  /* The oldest forwards. */
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
  belay_interface *same = interface_of(describing_delegates());
  stacked(the_delegates(), same);
  belay_interface *tables = derived(NULL);
  stacked(the_delegates(), tables);
  /* And without a way to ask for what is installed, when they install in one way. */
  belay_interface_description description = describing_delegates();
  description.installed = NULL;
  belay_interface *blind = interface_of(description);
  description.install = NULL, description.base = blind;
  description.methods = NULL, description.method_count = 0;
  belay_interface *blind_too = interface_of(description);
  view it = {0};
  belay_owner *owner = belay_owner_create(&it, NULL, NULL);
  belay_proxy *one = belay_proxy_of(owner, blind), *two = belay_proxy_of(owner, blind_too);
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

/* ---- ends ---- */

static void A5_09_all_complete_when_the_object_dies(void) {
  stage on;
  begin(&on, NULL);
  belay_slot *slot = belay_proxy_slot(on.proxy, "moved");
  belay_disposable *sent = follow(belay_slot_sent(slot), "sent");
  belay_disposable *invoked = follow(belay_slot_invoked(slot), "invoked");
  const delegate *table = belay_proxy_table(on.proxy);
  belay_owner_release(on.owner);
  CHECK_TRACE("sent completed | invoked completed");
  belay_disposable *late = follow(belay_slot_sent(slot), "late");
  CHECK_TRACE("late completed");
  /* Handles that are left do nothing; the table is there as long as they. */
  CHECK_INT(belay_slot_status(slot), BELAY_EDEAD);
  CHECK(!belay_proxy_slot(on.proxy, "moved"));
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EDEAD);
  CHECK_FAILS(belay_proxy_forward_to(on.proxy, &its_delegate, NULL), BELAY_EDEAD);
  CHECK_FAILS(belay_slot_around(slot, vetoed, NULL, NULL, NULL), BELAY_EDEAD);
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
  belay_proxy_release(on.proxy); /* the closure is all that is left, for the call */
  view_rename(&on.it, "last");
  CHECK_TRACE("next | let go | renamed last");
  CHECK(on.it.delegate == &its_delegate);
}

static void (*loaded)(view *, double, double);
static void call_what_was_loaded(void *object) { loaded(object, 3, 4); }
static void what_was_loaded_may_be_called_until_the_deinit(void) {
  view it = {.delegate = &its_delegate};
  belay_owner *owner = belay_owner_create(&it, call_what_was_loaded, NULL);
  belay_proxy *proxy = belay_proxy_of(owner, the_delegates());
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
  CHECK_TRACE(""); /* the object, its table and its functions are gone */
  run_until_stopped(its_loop);
  CHECK_TRACE("next [2] | completed");
  close_loop(its_loop);
}

static void an_adopted_object(void) {
  view it = {.delegate = &its_delegate};
  belay_owner *owner = belay_owner_adopt(&it, NULL);
  belay_proxy *proxy = belay_proxy_of(owner, the_delegates());
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
  belay_proxy *same = belay_proxy_of(reentered->owner, the_delegates());
  CHECK(same != NULL);
  inner = follow_sent(same, "placed");
  belay_proxy_release(same);
}
static void install_that_asks_and_subscribes(void) {
  stage on = {.it = {.inside = ask_and_subscribe}};
  reentered = &on;
  on.owner = belay_owner_create(&on.it, NULL, NULL);
  on.proxy = belay_proxy_of(on.owner, the_delegates());
  CHECK_INT(on.it.installs, 2); /* it was told again of what it had begun */
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
static void gone(void *object) { trace("deinit"); }
static void install_that_is_the_end(void) {
  stage on = {.it = {0}};
  reentered = &on;
  on.owner = belay_owner_create(&on.it, gone, NULL);
  on.proxy = belay_proxy_of(on.owner, the_delegates());
  on.it.inside = let_go;
  belay_disposable *sent = follow_sent(on.proxy, "moved");
  CHECK(on.it.delegate == NULL);
  ended(sent, "install returns | deinit | moved completed");
  belay_proxy_release(on.proxy);
}

static void an_install_that_fails(void) {
  stage on = {.it = {.delegate = &its_delegate, .refusal = BELAY_EBUSY}};
  on.owner = belay_owner_create(&on.it, NULL, NULL);
  CHECK(!belay_proxy_of(on.owner, the_delegates()));
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EBUSY);
  CHECK(on.it.delegate == &its_delegate);
  CHECK_INT(on.it.installs, 1);
  on.it.refusal = 0; /* the next ask is a first one */
  on.proxy = belay_proxy_of(on.owner, the_delegates());
  CHECK(on.proxy != NULL);
  on.it.refusal = BELAY_EAGAIN;
  CHECK_FAILS(refused(on.proxy, "placed"), BELAY_EAGAIN);
  CHECK_FAILS(belay_slot_around(slot_of(on.proxy, "placed"), vetoed, NULL, NULL, NULL),
              BELAY_EAGAIN);
  CHECK(METHOD_OF(&on.it, placed) == NULL);
  CHECK_FAILS(belay_proxy_forward_to(on.proxy, NULL, NULL), BELAY_EAGAIN);
  CHECK(METHOD_OF(&on.it, moved) == NULL); /* all the same */
  on.it.refusal = 0;
  belay_disposable *sent = follow_sent(on.proxy, "placed");
  on.it.refusal = BELAY_EAGAIN;
  end_subscription(sent);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EAGAIN);
  CHECK(METHOD_OF(&on.it, placed) == NULL);
  on.it.refusal = 0;
  finish(&on);
}

/* ---- bad input ---- */

static void nonsense(void) {
  stage on;
  begin(&on, NULL);
  CHECK(!belay_proxy_of(NULL, the_delegates()) && !belay_proxy_of(on.owner, NULL));
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
  belay_interface_description description = describing_delegates();
  description.install = NULL;
  belay_interface *uninstallable = interface_of(description);
  CHECK(!belay_proxy_of(on.owner, uninstallable));
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
  belay_interface_release(uninstallable);
  belay_owner *nothing = belay_owner_create(NULL, NULL, NULL);
  CHECK(!belay_proxy_of(nothing, the_delegates()));
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
  belay_owner_release(nothing);
  CHECK(!belay_proxy_retain(NULL) && !belay_proxy_table(NULL));
  belay_proxy_release(NULL);
  CHECK_FAILS(belay_proxy_forward_to(NULL, &its_delegate, NULL), BELAY_EINVAL);
  CHECK_FAILS(belay_proxy_forward_to(on.proxy, belay_proxy_table(on.proxy), NULL), BELAY_EINVAL);
  CHECK_FAILS(belay_proxy_forward_to(on.proxy, (const char *)&its_delegate + 1, NULL),
              BELAY_EINVAL);
  CHECK(!belay_proxy_slot(NULL, "moved") && !belay_proxy_slot(on.proxy, NULL));
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
  CHECK(!belay_proxy_slot(on.proxy, "flew"));
  const belay_error *error = belay_last_error();
  CHECK_INT(belay_error_code(error), BELAY_ENOENT);
  CHECK(strstr(belay_error_message(error), "flew") != NULL);
  finish(&on);
}

static belay_proxy *too_late;
static void ask_too_late(void *owner) {
  too_late = belay_proxy_of(owner, the_delegates());
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EDEAD);
}
static void the_dying(void) {
  stage on;
  begin(&on, NULL);
  /* Bound after the proxy, so it runs when that has ended. */
  CHECK_INT(belay_owner_add_action(on.owner, ask_too_late, on.owner, NULL), 0);
  finish(&on);
  CHECK(!too_late);
  begin(&on, NULL);
  belay_owner *delegates = belay_owner_create(NULL, NULL, NULL);
  belay_owner *left = belay_owner_retain(delegates);
  CHECK(left == delegates);
  view other = {0};
  belay_owner *dead = belay_owner_adopt(&other, NULL);
  CHECK_INT(belay_owner_end(&other, NULL, NULL), 0);
  CHECK(!belay_proxy_of(dead, the_delegates()));
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EDEAD);
  CHECK_FAILS(belay_proxy_forward_to(on.proxy, &its_delegate, dead), BELAY_EDEAD);
  CHECK_INT(belay_proxy_forward_to(on.proxy, NULL, dead), 0);
  CHECK(METHOD_OF(&on.it, moved) == NULL);
  belay_owner_release(dead);
  belay_owner_release(delegates);
  belay_owner_release(left);
  finish(&on);
}

static const test_case cases[] = {
    CASE(A5_01_all_methods_of_an_interface_and_its_bases),
    CASE(A5_02_a_method_is_there_while_somebody_wants_it_or_the_original_has_it),
    CASE(A5_22_the_object_is_told_whenever_the_set_changes_and_only_then),
    CASE(a_performance_sensitive_method_is_always_the_originals),
    CASE(what_the_interface_says_nothing_of_is_the_originals),
    CASE(A5_03_every_handler_hears_in_the_order_of_subscribing),
    CASE(A5_05_arguments_come_without_the_context),
    CASE(A5_06_arguments_are_values_of_their_types),
    CASE(A5_20_NULL_is_a_null_value),
    CASE(A5_08_one_subscription_is_one_handler),
    CASE(A5_23_disposing_removes_the_handler),
    CASE(A5_25_who_wants_two_takes_two),
    CASE(A5_24_nothing_is_heard_before_one_has_subscribed),
    CASE(A5_28_sent_then_the_original_then_invoked),
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
    CASE(A5_09_all_complete_when_the_object_dies),
    CASE(the_object_dies_inside_a_call),
    CASE(what_was_loaded_may_be_called_until_the_deinit),
    CASE(a_subscriber_with_a_loop_hears_the_end_there),
    CASE(an_adopted_object),
    CASE(install_that_asks_and_subscribes),
    CASE(install_that_is_the_end),
    CASE(an_install_that_fails),
    CASE(nonsense),
    CASE(the_dying),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
