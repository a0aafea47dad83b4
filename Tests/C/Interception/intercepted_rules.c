/* Rules of interception: the order of a call, calls inside calls, calls at once, and methods at a
   table's end. */
#include "intercepted.h"

static int before_and_after(void *name, belay_invocation *call) {
  trace("%s before", (const char *)name);
  CHECK_INT(belay_invocation_proceed(call), 0);
  trace("%s after", (const char *)name);
  return 0;
}
static void connected_add(void *ctx, int number) { trace("connected %d", number); }

static void the_order_of_a_call(void) {
  belay_interface *interface = of_ops();
  object it = {1, &the_ops};
  belay_owner *owner = belay_owner_adopt(&it, NULL);
  belay_slot *slot = belay_slot_create_in_object(interface, owner, "add");
  /* They are added in another order than they are called in. */
  belay_disposable *all[5] = {follow(belay_slot_invoked(slot), "invoked")};
  CHECK_INT(belay_slot_around(slot, before_and_after, "first", NULL, &all[1]), 0);
  CHECK_INT(belay_slot_connect(slot, "i@i", (belay_function)connected_add, NULL, NULL, &all[2]), 0);
  CHECK_INT(belay_slot_around(slot, before_and_after, "second", NULL, &all[3]), 0);
  all[4] = follow(belay_slot_sent(slot), "sent");
  CHECK_INT(it.table->add(&it, 5), 6);
  CHECK_TRACE("sent next [5] | connected 5 | second before | first before | add 5 | first after | "
              "second after | invoked next [5 6]");
  for (int i = 0; i < 5; i++) end_subscription(all[i]);
  CHECK(it.table == &the_ops);
  trace_clear();
  CHECK_INT(belay_owner_end(&it, NULL, NULL), 0);
  belay_slot_release(slot);
  belay_owner_release(owner);
  belay_interface_release(interface);
}

/* ---- a call inside its own `sent` ---- */
static void call_again(void *ctx, belay_value value) {
  object *it = ctx;
  belay_value item;
  CHECK_INT(belay_value_get_item(value, 0, &item), 0);
  int32_t number = int_of(item);
  trace("sent %d", number);
  if (number == 1) CHECK_INT(it->table->add(it, 2), 2);
  trace("heard %d", number);
}
static void a_call_inside_its_own_sent(void) {
  belay_interface *interface = of_ops();
  object it = {0, &the_ops};
  belay_owner *owner = belay_owner_adopt(&it, NULL);
  belay_slot *slot = belay_slot_create_in_object(interface, owner, "add");
  belay_observer observer = {.size = sizeof observer, .next = call_again, .ctx = &it};
  belay_signal *signal = belay_slot_sent(slot);
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  belay_signal_release(signal);
  CHECK_INT(it.table->add(&it, 1), 3);
  CHECK_TRACE("sent 1 | add 2 | heard 1 | sent 2 | heard 2 | add 1");
  CHECK_INT(belay_owner_end(&it, NULL, NULL), 0);
  belay_slot_release(slot);
  belay_owner_release(owner);
  belay_interface_release(interface);
}

/* ---- calls at once ---- */
static pthread_barrier_t both_inside;
static int meet_inside(object *it, int number) {
  /* It passes only if two calls are inside the original at the same time. */
  pthread_barrier_wait(&both_inside);
  return number;
}
static int inside, most_inside, heard;
static void one_at_a_time(void *ctx, belay_value value) {
  int now = __atomic_add_fetch(&inside, 1, __ATOMIC_SEQ_CST);
  if (now > most_inside) most_inside = now;
  heard++;
  __atomic_sub_fetch(&inside, 1, __ATOMIC_SEQ_CST);
}
static void call_meeting(void *ctx) {
  object *it = ctx;
  for (int i = 0; i < 100; i++) CHECK_INT(it->table->add(it, i), i);
}
static void calls_on_two_threads_are_not_queued_for_each_other(void) {
  ops table = the_ops;
  table.add = meet_inside;
  object it = {0, &table};
  belay_interface *interface = of_ops();
  belay_slot *slot = belay_slot_create_in_table(interface, &table, "add", 0);
  belay_observer observer = {.size = sizeof observer, .next = one_at_a_time};
  belay_signal *signal = belay_slot_sent(slot);
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  belay_signal_release(signal);
  most_inside = heard = 0;
  pthread_barrier_init(&both_inside, NULL, 2);
  routine callers[2];
  for (int i = 0; i < 2; i++) start_thread(&callers[i], call_meeting, &it);
  for (int i = 0; i < 2; i++) join_thread(&callers[i]);
  CHECK_INT(heard, 200);
  CHECK_INT(most_inside, 1);
  CHECK_INT(belay_table_gone(&table), 0);
  pthread_barrier_destroy(&both_inside);
  belay_slot_release(slot);
  belay_interface_release(interface);
}

/* ---- a subscriber on a loop ---- */
static void call_once(void *it) { CHECK_INT(((object *)it)->table->add(it, 1), 1); }
static void a_subscriber_on_a_loop_is_called_there_later(void) {
  belay_loop *loop = open_loop();
  ops table = the_ops;
  object it = {0, &table};
  belay_interface *interface = of_ops();
  belay_slot *slot = belay_slot_create_in_table(interface, &table, "add", 0);
  belay_disposable *sent = follow(belay_slot_sent(slot), "sent");
  in_thread(call_once, &it);
  CHECK_TRACE("add 1");
  CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  CHECK_TRACE("sent next [1]");
  CHECK_INT(belay_table_gone(&table), 0);
  CHECK_TRACE("sent completed");
  belay_disposable_release(sent);
  belay_slot_release(slot);
  belay_interface_release(interface);
  close_loop(loop);
}

/* ---- a table's ends ---- */
typedef struct two {
  void (*first)(void *it);
  void (*last)(void *it);
} two;
typedef struct two_object {
  const two *table;
} two_object;
static void do_first(void *it) { trace("first"); }
static void do_last(void *it) { trace("last"); }
static const belay_method two_methods[] = {BELAY_METHOD(two, first, "v@"),
                                           BELAY_METHOD(two, last, "v@")};

/* What a slot of the shared table does also holds for the object's copy, for the first word of the
   table as for the last. */
static void a_copied_tables_first_and_last_method(void) {
  belay_interface *interface = described((belay_interface_description){
      .name = "two", .table_size = sizeof(two), .methods = two_methods, .method_count = 2});
  const char *names[2] = {"first", "last"};
  for (int copied = 0; copied < 2; copied++) {
    two table = {do_first, do_last};
    two_object it = {&table};
    belay_owner *owner = belay_owner_adopt(&it, NULL);
    belay_slot *of_object = belay_slot_create_in_object(interface, owner, names[copied]);
    belay_slot *in_table = belay_slot_create_in_table(interface, &table, names[1 - copied], 0);
    belay_disposable *one = follow(belay_slot_sent(of_object), "object's");
    CHECK(it.table != &table);
    belay_disposable *other = follow(belay_slot_sent(in_table), "table's");
    it.table->first(&it);
    it.table->last(&it);
    CHECK_TRACE(copied == 0 ? "object's next [] | first | table's next [] | last"
                            : "table's next [] | first | object's next [] | last");
    end_subscription(other);
    it.table->first(&it);
    it.table->last(&it);
    CHECK_TRACE(copied == 0 ? "object's next [] | first | last"
                            : "first | object's next [] | last");
    end_subscription(one);
    CHECK(it.table == &table && table.first == do_first && table.last == do_last);
    CHECK_INT(belay_owner_end(&it, NULL, NULL), 0);
    CHECK_INT(belay_table_gone(&table), 0);
    belay_slot_release(of_object);
    belay_slot_release(in_table);
    belay_owner_release(owner);
  }
  belay_interface_release(interface);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      CASE(the_order_of_a_call),
      CASE(a_call_inside_its_own_sent),
      CASE(calls_on_two_threads_are_not_queued_for_each_other),
      CASE(a_subscriber_on_a_loop_is_called_there_later),
      CASE(a_copied_tables_first_and_last_method),
  };
  return RUN_CASES(cases);
}
