/* Intercepted methods that end their object, and objects that end inside intercepted methods.
   A1-11, A1-12, A1-22. */
#include "intercepted.h"

/* ---- a function that ends the object ---- */

static void A1_12_A1_22_a_method_that_ends_the_object(void) {
  belay_interface *interface = of_ops();
  object it = {7, &the_ops};
  belay_owner *owner = belay_owner_adopt(&it, NULL);
  belay_slot *slot = belay_slot_create_in_object(interface, owner, "close");
  follow_on(belay_slot_sent(slot), "sent");
  follow_on(belay_slot_invoked(slot), "invoked");
  CHECK(it.table != &the_ops);
  it.table->close(&it);
  CHECK_TRACE("sent next [] | close 7 | sent completed | invoked next [] | invoked completed");
  CHECK_INT(belay_owner_is_dying(owner), 1);
  follow_on(belay_slot_sent(slot), "late");
  CHECK_TRACE("late next [] | late completed");
  belay_slot_release(slot);
  belay_owner_release(owner);
  belay_interface_release(interface);
}

static void A1_12_the_end_is_found_while_any_method_is_intercepted(void) {
  belay_interface *interface = of_ops();
  object it = {7, &the_ops};
  belay_owner *owner = belay_owner_adopt(&it, NULL);
  belay_slot *slot = belay_slot_create_in_object(interface, owner, "add");
  follow_on(belay_slot_sent(slot), "sent");
  follow_on(belay_owner_deallocating(owner), "deallocating");
  follow_on(belay_owner_deallocated(owner), "deallocated");
  CHECK(it.table->close != do_close);
  it.table->close(&it);
  CHECK_TRACE(
      "deallocating next null | sent completed | close 7 | deallocating completed | "
      "deallocated next null | deallocated completed");
  belay_slot_release(slot);
  belay_owner_release(owner);
  belay_interface_release(interface);
}

static void A1_12_an_absent_one_is_there_for_who_listens(void) {
  belay_interface *interface = of_ops();
  ops table = the_ops;
  table.close = NULL;
  object it = {7, &table};
  belay_owner *owner = belay_owner_adopt(&it, NULL);
  belay_slot *add = belay_slot_create_in_object(interface, owner, "add");
  follow_on(belay_slot_sent(add), "add");
  CHECK(it.table != &table && it.table->close == NULL);
  belay_slot *slot = belay_slot_create_in_object(interface, owner, "close");
  follow_on(belay_slot_sent(slot), "sent");
  it.table->close(&it);
  CHECK_TRACE("sent next [] | add completed | sent completed");
  CHECK(it.table == &table);
  belay_slot_release(slot);
  belay_slot_release(add);
  belay_owner_release(owner);
  belay_interface_release(interface);
}

/* A derived class's function calls the function in its base's table. */
static ops base_table;
static void close_derived(object *it) {
  trace("derived");
  base_table.close(it);
}

static void A1_11_base_and_derived_tables_do_not_fire_twice(void) {
  belay_interface *interface = of_ops();
  base_table = the_ops;
  ops derived_table = the_ops;
  derived_table.close = close_derived;
  object it = {1, &derived_table}, plain = {2, &base_table};
  belay_owner *owner = belay_owner_adopt(&it, NULL), *other = belay_owner_adopt(&plain, NULL);
  belay_slot *of_base = belay_slot_create_in_table(interface, &base_table, "close", 0);
  belay_slot *of_derived = belay_slot_create_in_table(interface, &derived_table, "close", 0);
  follow_on(belay_owner_deallocating(owner), "derived");
  follow_on(belay_owner_deallocating(other), "base");
  belay_disposable *one = NULL, *two = NULL;
  belay_slot *of_it = belay_slot_create_in_object(interface, owner, "close");
  follow_on(belay_slot_sent(of_it), "it");
  CHECK_INT(belay_slot_connect(of_base, "v@", (belay_function)trace_action, "of base", NULL, &one),
            0);
  CHECK_INT(
      belay_slot_connect(of_derived, "v@", (belay_function)trace_action, "of derived", NULL, &two),
      0);
  it.table->close(&it);
  CHECK_TRACE("derived next null | it next [] | action of derived | derived | action of base | "
              "close 1 | derived completed | it completed");
  plain.table->close(&plain);
  CHECK_TRACE("action of base | base next null | close 2 | base completed");
  end_subscription(one);
  end_subscription(two);
  CHECK_INT(belay_table_gone(&base_table), 0);
  CHECK_INT(belay_table_gone(&derived_table), 0);
  belay_slot_release(of_base);
  belay_slot_release(of_derived);
  belay_slot_release(of_it);
  belay_owner_release(owner);
  belay_owner_release(other);
  belay_interface_release(interface);
}

static void a_veto_lets_the_object_live(void) {
  belay_interface *interface = of_ops();
  object it = {7, &the_ops};
  belay_owner *owner = belay_owner_adopt(&it, NULL);
  belay_slot *slot = belay_slot_create_in_object(interface, owner, "close");
  follow_on(belay_slot_sent(slot), "sent");
  belay_disposable *vetoed = NULL;
  CHECK_INT(belay_slot_around(slot, veto, NULL, NULL, &vetoed), 0);
  it.table->close(&it);
  CHECK_TRACE("");
  CHECK_INT(belay_owner_is_dying(owner), 0);
  end_subscription(vetoed);
  it.table->close(&it);
  CHECK_TRACE("sent next [] | close 7 | sent completed");
  belay_slot_release(slot);
  belay_owner_release(owner);
  belay_interface_release(interface);
}

static int deinits;
static void count_deinit(void *it) { deinits++; }

static void an_owner_of_ones_own_dies_with_its_handles_only(void) {
  belay_interface *interface = of_ops();
  object it = {7, &the_ops};
  belay_owner *owner = belay_owner_create(&it, count_deinit, NULL, NULL);
  belay_slot *slot = belay_slot_create_in_object(interface, owner, "add");
  follow_on(belay_slot_sent(slot), "sent");
  deinits = 0;
  it.table->close(&it); /* its memory has gone: Belay does not touch it any more */
  CHECK_TRACE("sent completed | close 7");
  CHECK_INT(belay_owner_is_dying(owner), 0);
  CHECK_INT(belay_slot_status(slot), BELAY_EDEAD);
  CHECK(!belay_slot_create_in_object(interface, owner, "add"));
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EDEAD);
  object as_it_was = it;
  belay_owner_release(owner);
  CHECK(memcmp(&it, &as_it_was, sizeof it) == 0);
  CHECK_INT(deinits, 1);
  belay_slot_release(slot);
  belay_interface_release(interface);
}

static const ops *table_at_deinit;
static void look_at_deinit(void *it) { table_at_deinit = ((object *)it)->table; }

static void the_table_is_back_before_the_deinit(void) {
  belay_interface *interface = of_ops();
  object it = {7, &the_ops};
  belay_owner *owner = belay_owner_create(&it, look_at_deinit, NULL, NULL);
  belay_slot *slot = belay_slot_create_in_object(interface, owner, "add");
  follow_on(belay_slot_sent(slot), "sent");
  belay_owner_release(owner);
  CHECK(table_at_deinit == &the_ops);
  CHECK_TRACE("sent completed");
  belay_slot_release(slot);
  belay_interface_release(interface);
}

/* ---- deaths inside callbacks ---- */

static void end_it(void *ctx, belay_value value) { CHECK_INT(belay_owner_end(ctx, NULL, NULL), 0); }
static int ends_around(void *ctx, belay_invocation *call) {
  CHECK_INT(belay_owner_end(belay_invocation_context(call), NULL, NULL), 0);
  return belay_invocation_proceed(call);
}
static int closes_around(void *ctx, belay_invocation *call) {
  object *it = belay_invocation_context(call);
  it->table->close(it);
  return 0; /* the call is not passed on, for the object has gone */
}

static void the_object_dies_in_sent(void) {
  belay_interface *interface = of_ops();
  object it = {7, &the_ops};
  belay_owner *owner = belay_owner_adopt(&it, NULL);
  belay_slot *slot = belay_slot_create_in_object(interface, owner, "add");
  belay_observer observer = {.size = sizeof observer, .next = end_it, .ctx = &it};
  belay_signal *sent = belay_slot_sent(slot);
  CHECK_INT(belay_signal_subscribe(sent, &observer, NULL), 0);
  belay_signal_release(sent);
  follow_on(belay_slot_invoked(slot), "invoked");
  belay_slot_release(slot); /* only the call keeps the slot */
  CHECK_INT(it.table->add(&it, 1), 8);
  CHECK_TRACE("invoked completed | add 1");
  CHECK(it.table == &the_ops);
  belay_owner_release(owner);
  belay_interface_release(interface);
}

/* While the slots of an object end, calls reach the originals, whichever slots have ended
   already. */
static void call_all(void *ctx) {
  object *it = ctx;
  CHECK(it->table == &the_ops);
  it->table->add(it, 1);
  it->table->tell(it, "end", NULL);
}

static void called_while_its_slots_end(void) {
  belay_interface *interface = of_ops();
  object it = {7, &the_ops};
  belay_owner *owner = belay_owner_adopt(&it, NULL);
  belay_slot *add = belay_slot_create_in_object(interface, owner, "add");
  belay_slot *tell = belay_slot_create_in_object(interface, owner, "tell");
  belay_slot *slots[] = {add, tell};
  for (int i = 0; i < 2; i++) {
    belay_observer observer = {.size = sizeof observer, .completed = call_all, .ctx = &it};
    belay_signal *sent = belay_slot_sent(slots[i]);
    CHECK_INT(belay_signal_subscribe(sent, &observer, NULL), 0);
    belay_signal_release(sent);
  }
  const ops *copy = it.table;
  CHECK_INT(belay_owner_end(&it, NULL, NULL), 0);
  CHECK_TRACE("add 1 | tell end | add 1 | tell end");
  /* the copy exists as long as a slot does */
  CHECK(copy->add == do_add && copy->close == do_close);
  belay_slot_release(add);
  belay_slot_release(tell);
  belay_owner_release(owner);
  belay_interface_release(interface);
}

static void the_object_dies_around_its_method(void) {
  for (int closes = 0; closes < 2; closes++) {
    belay_interface *interface = of_ops();
    object it = {7, &the_ops};
    int freed = 0;
    belay_owner *owner = belay_owner_adopt(&it, NULL);
    belay_slot *slot = belay_slot_create_in_object(interface, owner, "add");
    CHECK_INT(belay_slot_around(slot, closes ? closes_around : ends_around, &freed, count_free,
                                NULL),
              0);
    belay_slot_release(slot);
    belay_interface_release(interface);
    int answer = it.table->add(&it, 1);
    if (closes) {
      CHECK_INT(answer, 0);
      CHECK_TRACE("close 7");
    } else {
      CHECK_INT(answer, 8);
      CHECK_TRACE("add 1");
      CHECK(it.table == &the_ops);
    }
    CHECK_INT(freed, 1);
    CHECK_INT(belay_owner_is_dying(owner), 1);
    belay_owner_release(owner);
  }
}

static void the_object_dies_around_the_end_of_it(void) {
  belay_interface *interface = of_ops();
  object it = {7, &the_ops};
  belay_owner *owner = belay_owner_adopt(&it, NULL);
  belay_slot *slot = belay_slot_create_in_object(interface, owner, "close");
  CHECK_INT(belay_slot_around(slot, ends_around, NULL, NULL, NULL), 0);
  follow_on(belay_slot_invoked(slot), "invoked");
  it.table->close(&it);
  CHECK_TRACE("invoked next [] | invoked completed | close 7");
  belay_slot_release(slot);
  belay_owner_release(owner);
  belay_interface_release(interface);
}

/* ---- tables that go before their object ---- */

static object *with_own_table(int number) {
  /* In one piece of memory, which what ends the object frees. */
  struct {
    object it;
    ops table;
  } *made = calloc(1, sizeof *made);
  made->table = the_ops;
  made->it = (object){number, &made->table};
  return &made->it;
}
static void close_and_free(object *it) {
  trace("close %d", it->number);
  free(it);
}

static void a_table_that_has_gone_when_nothing_is_intercepted(void) {
  belay_interface *interface = of_ops();
  ops *table = malloc(sizeof *table);
  *table = the_ops;
  object it = {7, table};
  belay_owner *owner = belay_owner_adopt(&it, NULL);
  belay_slot *slot = belay_slot_create_in_object(interface, owner, "add");
  end_subscription(follow(belay_slot_sent(slot), "sent"));
  CHECK(it.table == table);
  it.table = &the_ops;
  memset(table, 0x5A, sizeof *table);
  free(table);
  belay_disposable *again = follow(belay_slot_sent(slot), "again");
  CHECK_INT(it.table->add(&it, 1), 8);
  end_subscription(again);
  CHECK_TRACE("again next [1] | add 1");
  CHECK_INT(belay_owner_end(&it, NULL, NULL), 0);
  CHECK(it.table == &the_ops);
  belay_slot_release(slot);
  belay_owner_release(owner);
  belay_interface_release(interface);
}

static void a_table_that_other_code_has_replaced_and_freed(void) {
  belay_interface *interface = of_ops();
  ops *table = malloc(sizeof *table);
  *table = the_ops;
  object it = {7, table};
  belay_owner *owner = belay_owner_adopt(&it, NULL);
  belay_slot *slot = belay_slot_create_in_object(interface, owner, "add");
  belay_disposable *sent = follow(belay_slot_sent(slot), "sent");
  const ops *copy = it.table;
  it.table = &the_ops; /* the copy may still be used by it */
  memset(table, 0x5A, sizeof *table);
  free(table);
  belay_slot *other = belay_slot_create_in_object(interface, owner, "tell");
  CHECK_INT(belay_slot_status(other), BELAY_EMISMATCH);
  belay_slot_release(other);
  end_subscription(sent);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EMISMATCH);
  CHECK_INT(copy->add(&it, 1), 8);
  copy->tell(&it, "text", NULL);
  CHECK_TRACE("add 1 | tell text");
  CHECK_INT(belay_owner_end(&it, NULL, NULL), 0);
  CHECK(it.table == &the_ops);
  belay_last_error();
  belay_slot_release(slot);
  belay_owner_release(owner);
  belay_interface_release(interface);
}

static void an_object_without_a_table_is_not_intercepted_later(void) {
  belay_interface *interface = of_ops();
  object it = {7, &the_ops};
  belay_owner *owner = belay_owner_adopt(&it, NULL);
  belay_slot *slot = belay_slot_create_in_object(interface, owner, "add");
  belay_slot *other = belay_slot_create_in_object(interface, owner, "tell");
  it.table = NULL;
  belay_signal *signal = belay_slot_sent(slot);
  CHECK_INT(belay_signal_subscribe(signal, &BELAY_INIT(belay_observer), NULL), BELAY_EINVAL);
  belay_signal_release(signal);
  it.table = &the_ops;
  belay_disposable *told = follow(belay_slot_sent(other), "told");
  CHECK(it.table->add == do_add && it.table->tell != do_tell);
  end_subscription(told);
  CHECK_INT(belay_owner_end(&it, NULL, NULL), 0);
  belay_slot_release(slot);
  belay_slot_release(other);
  belay_owner_release(owner);
  belay_interface_release(interface);
}

static void a_table_that_goes_with_its_object_before_the_owner(void) {
  belay_interface *interface = of_ops();
  object *it = with_own_table(7);
  ((ops *)it->table)->close = close_and_free;
  belay_owner *owner = belay_owner_create(it, NULL, NULL, NULL);
  belay_slot *slot = belay_slot_create_in_object(interface, owner, "add");
  follow_on(belay_slot_sent(slot), "sent");
  it->table->close(it);
  CHECK_TRACE("sent completed | close 7");
  CHECK_INT(belay_owner_is_dying(owner), 0);
  belay_slot_release(slot);
  belay_owner_release(owner);
  belay_interface_release(interface);
}

static belay_slot *asked_when_freed;
static void ask_when_freed(void *ctx) {
  trace("freed, %d", belay_slot_status(asked_when_freed));
}
static belay_value first_of(void *ctx, const belay_value *values, size_t count) {
  return belay_value_retain(values[0]);
}
static void a_slot_that_goes_with_its_object_frees_what_it_has_without_a_lock(void) {
  belay_interface *interface = of_ops();
  ops table = the_ops;
  asked_when_freed = belay_slot_create_in_table(interface, &table, "add", 0);
  object it = {7, &the_ops};
  belay_owner *owner = belay_owner_adopt(&it, NULL);
  belay_slot *slot = belay_slot_create_in_object(interface, owner, "add");
  CHECK_INT(belay_slot_set_combiner(slot, first_of, NULL, ask_when_freed), 0);
  belay_slot_release(slot);
  CHECK_INT(belay_owner_end(&it, NULL, NULL), 0);
  CHECK_TRACE("freed, 0");
  CHECK_INT(belay_table_gone(&table), 0);
  belay_slot_release(asked_when_freed);
  belay_owner_release(owner);
  belay_interface_release(interface);
}

static const test_case cases[] = {
    CASE(a_table_that_has_gone_when_nothing_is_intercepted),
    CASE(a_table_that_other_code_has_replaced_and_freed),
    CASE(an_object_without_a_table_is_not_intercepted_later),
    CASE(a_table_that_goes_with_its_object_before_the_owner),
    CASE(a_slot_that_goes_with_its_object_frees_what_it_has_without_a_lock),
    CASE(A1_12_A1_22_a_method_that_ends_the_object),
    CASE(A1_12_the_end_is_found_while_any_method_is_intercepted),
    CASE(A1_12_an_absent_one_is_there_for_who_listens),
    CASE(A1_11_base_and_derived_tables_do_not_fire_twice),
    CASE(a_veto_lets_the_object_live),
    CASE(an_owner_of_ones_own_dies_with_its_handles_only),
    CASE(the_table_is_back_before_the_deinit),
    CASE(the_object_dies_in_sent),
    CASE(called_while_its_slots_end),
    CASE(the_object_dies_around_its_method),
    CASE(the_object_dies_around_the_end_of_it),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
