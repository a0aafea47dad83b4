/* Delegate proxies: which methods are there, and what is heard. They do what CombineCocoa's and
   RxCocoa's do (A5-01 to A5-08, A5-20 to A5-28). */
#include "stage.h"

/* ---- which methods, and when they are there ---- */

static void A5_01_all_methods_of_an_interface_and_its_bases(void) {
  view it = {0};
  belay_owner *owner = belay_owner_create(&it, NULL, NULL, NULL);
  belay_interface *tables = derived(NULL);
  belay_proxy *proxy = belay_proxy_create(owner, tables);
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

static void F6_02_proxies_are_counted(void) {
  size_t proxies = belay_live_count(BELAY_LIVE_PROXIES), slots = belay_live_count(BELAY_LIVE_SLOTS);
  size_t closures = belay_live_count(BELAY_LIVE_CLOSURES);
  stage on;
  begin(&on, NULL);
  CHECK_INT(belay_live_count(BELAY_LIVE_PROXIES) - proxies, 1);
  belay_disposable *sent = follow_sent(on.proxy, "moved");
  CHECK_INT(belay_live_count(BELAY_LIVE_SLOTS) - slots, 1);
  CHECK_INT(belay_live_count(BELAY_LIVE_CLOSURES) - closures, 1);
  end_subscription(sent);
  CHECK_INT(belay_live_count(BELAY_LIVE_SLOTS) - slots, 0);
  finish(&on);
  CHECK_INT(belay_live_count(BELAY_LIVE_PROXIES) - proxies, 0);
  CHECK_INT(belay_live_count(BELAY_LIVE_CLOSURES) - closures, 0);
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


static void A5_22_the_object_is_told_whenever_the_set_changes_and_only_then(void) {
  stage on;
  begin(&on, &its_delegate);
  CHECK_INT(on.it.installs, 1);
  belay_disposable *there = follow_sent(on.proxy, "moved"); /* the original has this method */
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
  /* An interceptor, a responder or a connection needs the method, too. */
  CHECK_INT(belay_slot_around(slot_of(on.proxy, "placed"), veto, NULL, NULL, &one), 0);
  CHECK_INT(on.it.remembered, 31);
  end_subscription(one);
  CHECK_INT(belay_slot_respond(slot_of(on.proxy, "placed"), yes, NULL, NULL, &one), 0);
  CHECK_INT(on.it.remembered, 31);
  end_subscription(one);
  CHECK_INT(on.it.remembered, 27);
  CHECK_INT(on.it.installs, 7);
  finish(&on);
}

/* ---- one interceptor for all of them ---- */

static int note_call(void *ctx, belay_invocation *call) {
  char text[200], item[60];
  text[0] = 0;
  for (size_t i = 0; i < belay_invocation_count(call); i++) {
    belay_value value;
    CHECK_INT(belay_invocation_get(call, i, &value), 0);
    render(value, item, sizeof item);
    belay_value_release(value);
    strcat(strcat(text, " "), item);
  }
  CHECK(belay_invocation_context(call) == ctx);
  trace("all: %s%s", belay_invocation_method(call), text);
  return belay_invocation_proceed(call);
}
static void F6_08_one_place_gets_every_method_with_its_arguments(void) {
  stage on;
  begin(&on, &its_delegate);
  belay_disposable *all;
  CHECK_INT(belay_proxy_around(on.proxy, note_call, &on.it, NULL, &all), 0);
  CHECK_INT(on.it.remembered, 31);
  view_move(&on.it, 1, 2);
  view_rename(&on.it, "new");
  view_place(&on.it, (point){3, 4}, NULL);
  CHECK_INT(view_close(&on.it, 1), 1);
  view_draw(&on.it);
  CHECK_TRACE("all: moved double double | moved 1 2 | all: renamed new | renamed new | "
              "all: placed struct null | all: may_close 1 | drawn");
  end_subscription(all);
  CHECK_INT(on.it.remembered, 27);
  CHECK(METHOD_OF(&on.it, moved) == its_moved);
  view_move(&on.it, 5, 6);
  CHECK_TRACE("moved 5 6");
  /* Where one method fails, none is intercepted. */
  on.it.delegate = &its_delegate;
  int freed = 0;
  all = (belay_disposable *)&freed;
  CHECK_INT(belay_proxy_around(on.proxy, note_call, &freed, count_free, &all), BELAY_EMISMATCH);
  CHECK(all == NULL);
  CHECK_INT(freed, 1);
  CHECK_INT(on.it.remembered, 27);
  CHECK_INT(belay_proxy_around(NULL, note_call, &freed, count_free, &all), BELAY_EINVAL);
  CHECK_INT(belay_proxy_around(on.proxy, NULL, &freed, count_free, &all), BELAY_EINVAL);
  CHECK_INT(freed, 3);
  belay_last_error();
  finish(&on);
}
static void an_interceptor_of_all_ends_with_the_object(void) {
  stage on;
  begin(&on, NULL);
  int freed = 0;
  belay_disposable *all;
  CHECK_INT(belay_proxy_around(on.proxy, veto, &freed, count_free, &all), 0);
  belay_owner_release(on.owner);
  CHECK_INT(freed, 1);
  end_subscription(all);
  int code = belay_proxy_around(on.proxy, veto, &freed, count_free, NULL);
  CHECK_INT(code, BELAY_EDEAD);
  CHECK_INT(freed, 2);
  belay_last_error();
  belay_proxy_release(on.proxy);
}

static void a_performance_sensitive_method_is_always_the_originals(void) {
  stage on;
  begin(&on, &its_delegate);
  CHECK(METHOD_OF(&on.it, drawn) == its_drawn);
  CHECK(!belay_slot_create_in_proxy(on.proxy, "drawn"));
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
  strcpy(name, "other"); /* the value has a copy of a string */
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
  CHECK(METHOD_OF(&on.it, may_close) == NULL); /* nobody has subscribed to this method */
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
  moved(&on.it, 0, 0); /* by a caller that had loaded the function before */
  CHECK_TRACE("");
  finish(&on);
}

static void A5_25_who_wants_two_takes_two(void) {
  stage on;
  begin(&on, NULL);
  belay_slot *slot = belay_slot_create_in_proxy(on.proxy, "moved");
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
  /* the object moves when it is told of the delegate */
  belay_disposable *placed = follow_sent(on.proxy, "placed");
  CHECK_TRACE("moved next [double double] | moved 1 1");
  end_subscription(first);
  CHECK_INT(belay_proxy_forward_to(on.proxy, NULL, NULL), 0);
  trace_clear();
  belay_disposable *late = follow_sent(on.proxy, "moved");
  CHECK_TRACE(""); /* its own subscription had not begun yet */
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

/* A table whose size is not one of whole words. */
typedef struct versioned {
  void (*drawn)(view *it);
  int version;
  int past_the_end;
} versioned;
static int keep_table(void *object, const void *table) {
  ((view *)object)->delegate = table;
  return 0;
}
static void the_last_bytes_of_a_table_are_the_originals(void) {
  static const belay_method method[] = {BELAY_METHOD(versioned, drawn, "v@")};
  belay_interface_description description = describing_delegates();
  description.methods = method;
  description.method_count = 1;
  description.table_size = offsetof(versioned, past_the_end);
  description.install = keep_table;
  belay_interface *interface = described(description);
  versioned original = {its_drawn, 7, 9};
  view it = {.delegate = (const void *)&original};
  belay_owner *owner = belay_owner_create(&it, NULL, NULL, NULL);
  belay_proxy *proxy = belay_proxy_create(owner, interface);
  const versioned *table = belay_proxy_table(proxy);
  CHECK(table != &original && table->drawn == its_drawn);
  CHECK_INT(table->version, 7);
  belay_owner_release(owner);
  belay_proxy_release(proxy);
  belay_interface_release(interface);
}

static const test_case cases[] = {
    CASE(the_last_bytes_of_a_table_are_the_originals),
    CASE(A5_01_all_methods_of_an_interface_and_its_bases),
    CASE(F6_02_proxies_are_counted),
    CASE(A5_02_a_method_is_there_while_somebody_wants_it_or_the_original_has_it),
    CASE(A5_22_the_object_is_told_whenever_the_set_changes_and_only_then),
    CASE(F6_08_one_place_gets_every_method_with_its_arguments),
    CASE(an_interceptor_of_all_ends_with_the_object),
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
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
