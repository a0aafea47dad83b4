/* Slots of one object: it gets a private copy of its table. A1-13, A1-20, A1-21, A1-23, A1-24 and
   the table of errors of A1. */
#include "intercepted.h"

/* ---- the copy ---- */

static void A1_20_one_object_alone_is_intercepted(void) {
  belay_interface *interface = of_ops();
  object one = {1, &the_ops}, other = {2, &the_ops};
  belay_owner *owner = belay_owner_adopt(&one, NULL);
  belay_slot *slot = belay_slot_create_in_object(interface, owner, "add");
  belay_slot *same = belay_slot_create_in_object(interface, owner, "add");
  CHECK(slot && slot == same);
  CHECK(one.table == &the_ops); /* while nobody listens */
  belay_disposable *sent = follow(belay_slot_sent(slot), "sent");
  belay_disposable *invoked = follow(belay_slot_invoked(slot), "invoked");
  CHECK(one.table != &the_ops && one.table->version == 3 && one.table->tell == do_tell);
  CHECK(belay_slot_original(slot) == (belay_function)do_add);
  CHECK_INT(one.table->add(&one, 5), 6);
  CHECK_TRACE("sent next [5] | add 5 | invoked next [5 6]");
  CHECK_INT(other.table->add(&other, 5), 7);
  CHECK_TRACE("add 5");
  const ops *copy = one.table;
  end_subscription(sent);
  CHECK(one.table == copy);
  end_subscription(invoked);
  CHECK(one.table == &the_ops);
  trace_clear();
  CHECK_INT(copy->add(&one, 1), 7); /* a caller that had loaded the pointer before */
  CHECK_TRACE("add 1");
  sent = follow(belay_slot_sent(slot), "again");
  CHECK(one.table == copy);
  CHECK_INT(belay_owner_end(&one, NULL, NULL), 0);
  CHECK(one.table == &the_ops);
  CHECK_TRACE("again completed");
  CHECK_INT(belay_slot_status(slot), BELAY_EDEAD);
  belay_disposable_release(sent);
  belay_slot_release(slot);
  belay_slot_release(same);
  CHECK(!belay_slot_create_in_object(interface, owner, "add"));
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EDEAD);
  belay_owner_release(owner);
  belay_interface_release(interface);
}

static size_t live(belay_live_kind kind) { return belay_live_count(kind); }

static void A1_29_F6_02_what_is_hooked_is_counted_by_kind(void) {
  belay_interface *interface = of_ops();
  object it = {1, &the_ops};
  ops table = the_ops;
  size_t tables = live(BELAY_LIVE_TABLES), slots = live(BELAY_LIVE_SLOTS);
  size_t closures = live(BELAY_LIVE_CLOSURES), all = live(BELAY_LIVE_KINDS);
  belay_owner *owner = belay_owner_adopt(&it, NULL);
  belay_slot *one = belay_slot_create_in_object(interface, owner, "add");
  belay_slot *other = belay_slot_create_in_object(interface, owner, "tell");
  belay_slot *shared = belay_slot_create_in_table(interface, &table, "add", 0);
  CHECK_INT(live(BELAY_LIVE_CLOSURES) - closures, 4); /* `destroy` of the object has a slot, too */
  CHECK_INT(live(BELAY_LIVE_SLOTS) - slots, 0); /* while nobody listens */
  belay_disposable *sent = follow(belay_slot_sent(one), "sent");
  belay_disposable *invoked = follow(belay_slot_invoked(one), "invoked");
  CHECK_INT(live(BELAY_LIVE_SLOTS) - slots, 1);
  CHECK_INT(live(BELAY_LIVE_TABLES) - tables, 1);
  belay_disposable *told = follow(belay_slot_sent(other), "told");
  CHECK_INT(live(BELAY_LIVE_SLOTS) - slots, 2);
  CHECK_INT(live(BELAY_LIVE_TABLES) - tables, 1); /* the two slots share it */
  belay_disposable *everywhere = follow(belay_slot_sent(shared), "shared");
  CHECK_INT(live(BELAY_LIVE_SLOTS) - slots, 3);
  CHECK_INT(live(BELAY_LIVE_TABLES) - tables, 1);
  end_subscription(everywhere);
  end_subscription(sent);
  CHECK_INT(live(BELAY_LIVE_SLOTS) - slots, 2);
  end_subscription(invoked);
  CHECK_INT(live(BELAY_LIVE_SLOTS) - slots, 1);
  CHECK_INT(belay_owner_end(&it, NULL, NULL), 0); /* ends what is hooked still */
  CHECK_INT(live(BELAY_LIVE_SLOTS) - slots, 0);
  CHECK_INT(live(BELAY_LIVE_TABLES) - tables, 0);
  CHECK_INT(live(BELAY_LIVE_CLOSURES) - closures, 1); /* the table's slot keeps its own */
  CHECK_INT(belay_table_gone(&table), 0);
  CHECK_INT(live(BELAY_LIVE_CLOSURES) - closures, 0);
  belay_disposable_release(told);
  belay_slot_release(one);
  belay_slot_release(other);
  belay_slot_release(shared);
  belay_owner_release(owner);
  belay_interface_release(interface);
  CHECK_INT(live(BELAY_LIVE_KINDS) - all, 0);
  trace_clear();
}

/* Apple's observing replaces an object's class, so that interception fails after it. Here they do
   not meet. */
static void A1_25_observed_and_intercepted_in_either_order(void) {
  static const belay_field fields[] = {BELAY_FIELD(object, number, BELAY_KIND_INT32)};
  belay_type *type = belay_type_create(fields, 1, 0);
  belay_interface *interface = of_ops();
  for (int is_observed_first = 0; is_observed_first < 2; is_observed_first++) {
    object it = {1, &the_ops};
    belay_owner *owner = belay_owner_adopt(&it, NULL);
    CHECK_INT(belay_object_set_type(owner, type), 0);
    belay_slot *slot = belay_slot_create_in_object(interface, owner, "add");
    belay_disposable *sent = NULL;
    if (!is_observed_first) sent = follow(belay_slot_sent(slot), "sent");
    belay_disposable *observed = follow(belay_object_observe(owner, "number", NULL), "number");
    if (is_observed_first) sent = follow(belay_slot_sent(slot), "sent");
    CHECK_INT(it.table->add(&it, 5), 6);
    CHECK_INT(belay_object_set(owner, "number", belay_int32(7)), 0);
    CHECK_TRACE("number next 1 | sent next [5] | add 5 | number next 7");
    end_subscription(is_observed_first ? sent : observed);
    CHECK_INT(it.table->add(&it, 1), 8);
    CHECK_INT(belay_object_set(owner, "number", belay_int32(9)), 0);
    CHECK_TRACE(is_observed_first ? "add 1 | number next 9" : "sent next [1] | add 1");
    end_subscription(is_observed_first ? observed : sent);
    CHECK(it.table == &the_ops);
    CHECK_INT(belay_owner_end(&it, NULL, NULL), 0);
    belay_slot_release(slot), belay_owner_release(owner);
  }
  belay_interface_release(interface), belay_type_release(type);
}

static void A1_21_who_comes_late_gets_the_completion_alone(void) {
  belay_interface *interface = of_ops();
  object it = {0, &the_ops};
  belay_owner *owner = belay_owner_adopt(&it, NULL);
  belay_slot *slot = belay_slot_create_in_object(interface, owner, "add");
  follow_on(belay_slot_invoked(slot), "early");
  it.table->add(&it, 1);
  CHECK_TRACE("add 1 | early next [1 1]");
  follow_on(belay_slot_invoked(slot), "late");
  CHECK_TRACE("");
  CHECK_INT(belay_owner_end(&it, NULL, NULL), 0);
  CHECK_TRACE("early completed | late completed");
  follow_on(belay_slot_invoked(slot), "later");
  CHECK_TRACE("later completed");
  belay_slot_release(slot);
  belay_owner_release(owner);
  belay_interface_release(interface);
}

static void A1_23_a_NULL_argument_is_the_null_value(void) {
  belay_interface *interface = of_ops();
  object it = {0, &the_ops};
  belay_owner *owner = belay_owner_adopt(&it, NULL);
  belay_slot *slot = belay_slot_create_in_object(interface, owner, "tell");
  follow_on(belay_slot_sent(slot), "sent");
  it.table->tell(&it, NULL, NULL);
  it.table->tell(&it, "text", &it);
  CHECK_TRACE("sent next [null null] | tell NULL | sent next [text pointer] | tell text");
  belay_slot_release(slot);
  CHECK_INT(belay_owner_end(&it, NULL, NULL), 0);
  trace_clear();
  belay_owner_release(owner);
  belay_interface_release(interface);
}

static void A1_24_A1_code_9_any_signature(void) {
  belay_interface *interface = of_ops();
  object it = {0, &the_ops};
  belay_owner *owner = belay_owner_adopt(&it, NULL);
  belay_slot *slot = belay_slot_create_in_object(interface, owner, "scaled");
  follow_on(belay_slot_invoked(slot), "invoked");
  big in = {{1, 2, 3, 4, 5, 6}};
  big direct = the_ops.scaled(&it, in, 2.5f, "text");
  big through = it.table->scaled(&it, in, 2.5f, "text");
  CHECK(memcmp(&direct, &through, sizeof direct) == 0);
  CHECK_TRACE("invoked next [struct float text struct]");
  belay_slot_release(slot);
  CHECK_INT(belay_owner_end(&it, NULL, NULL), 0);
  trace_clear();
  belay_owner_release(owner);
  belay_interface_release(interface);
}

static void interfaces_of_one_pointer_share_the_copy(void) {
  belay_interface *base = of_ops(), *derived = of_derived(base);
  object it = {0, &the_derived.base};
  belay_owner *owner = belay_owner_adopt(&it, NULL);
  belay_slot *add = belay_slot_create_in_object(derived, owner, "add");
  belay_slot *same = belay_slot_create_in_object(base, owner, "add");
  CHECK(add == same);
  belay_slot *more = belay_slot_create_in_object(derived, owner, "more");
  belay_disposable *of_add = follow(belay_slot_sent(add), "add");
  belay_disposable *of_more = follow(belay_slot_sent(more), "more");
  CHECK_INT(((const derived_ops *)it.table)->tail, 77);
  CHECK_INT(((const derived_ops *)it.table)->more(&it), 100);
  CHECK_TRACE("more next [] | add next [100] | add 100");
  end_subscription(of_add);
  CHECK(it.table != &the_derived.base && it.table->add == do_add);
  end_subscription(of_more);
  CHECK(it.table == &the_derived.base);
  CHECK_INT(belay_owner_end(&it, NULL, NULL), 0);
  trace_clear();
  belay_slot_release(add);
  belay_slot_release(same);
  belay_slot_release(more);
  belay_owner_release(owner);
  belay_interface_release(derived);
  belay_interface_release(base);
}

static void a_larger_interface_while_the_copy_is_in(void) {
  belay_interface *base = of_ops(), *derived = of_derived(base);
  /* Nothing lies behind the members that the base describes, so only those may be copied. */
  derived_ops table = the_derived;
  object it = {0, &table.base};
  belay_owner *owner = belay_owner_adopt(&it, NULL);
  belay_slot *add = belay_slot_create_in_object(base, owner, "add");
  belay_disposable *sent = follow(belay_slot_sent(add), "add");
  const ops *small = it.table;
  belay_slot *more = belay_slot_create_in_object(derived, owner, "more");
  CHECK(it.table != small && it.table != &table.base);
  CHECK_INT(belay_slot_status(add), 0);
  CHECK_INT(((const derived_ops *)it.table)->more(&it), 100);
  CHECK_TRACE("add next [100] | add 100");
  CHECK_INT(small->add(&it, 1), 101); /* a caller that had loaded the pointer before */
  CHECK_TRACE("add next [1] | add 1");
  end_subscription(sent);
  CHECK(it.table == &table.base);
  CHECK_INT(belay_owner_end(&it, NULL, NULL), 0);
  trace_clear();
  belay_slot_release(add);
  belay_slot_release(more);
  belay_owner_release(owner);
  belay_interface_release(derived);
  belay_interface_release(base);
}

static void C_52_a_table_and_an_object_of_it_stack_in_any_order(void) {
  belay_interface *interface = of_ops();
  ops table = the_ops;
  object it = {0, &table};
  belay_owner *owner = belay_owner_adopt(&it, NULL);
  belay_slot *of_object = belay_slot_create_in_object(interface, owner, "add");
  belay_slot *of_table = belay_slot_create_in_table(interface, &table, "add", 0);
  belay_slot *tell = belay_slot_create_in_table(interface, &table, "tell", 0);
  belay_disposable *object_sent = follow(belay_slot_sent(of_object), "object");
  /* What is put into the shared table later reaches the object's calls, too. */
  belay_disposable *table_sent = follow(belay_slot_sent(of_table), "table");
  belay_disposable *tell_sent = follow(belay_slot_sent(tell), "tell");
  it.table->add(&it, 1);
  it.table->tell(&it, "it", NULL);
  CHECK_TRACE("object next [1] | table next [1] | add 1 | tell next [it null] | tell it");
  end_subscription(table_sent);
  end_subscription(tell_sent);
  CHECK(it.table->tell == do_tell);
  trace_clear();
  CHECK_INT(belay_table_gone(&table), 0);
  it.table->add(&it, 1);
  CHECK_TRACE("object next [1] | add 1");
  end_subscription(object_sent);
  CHECK(it.table == &table && table.add == do_add);
  CHECK_INT(belay_owner_end(&it, NULL, NULL), 0);
  trace_clear();
  belay_slot_release(of_object);
  belay_slot_release(of_table);
  belay_slot_release(tell);
  belay_owner_release(owner);
  belay_interface_release(interface);
}

static void C_52_a_table_is_found_through_an_object_that_is_intercepted(void) {
  belay_interface *interface = of_ops();
  ops table = the_ops;
  object it = {0, &table}, other = {0, &table};
  belay_owner *owner = belay_owner_adopt(&it, NULL);
  belay_slot *of_object = belay_slot_create_in_object(interface, owner, "add");
  belay_slot *of_table = belay_slot_create_in_table(interface, &table, "add", 0);
  belay_disposable *object_sent = follow(belay_slot_sent(of_object), "object");
  belay_slot *same = belay_slot_create_in_table(interface, (void *)it.table, "add", 0);
  CHECK(same == of_table);
  belay_disposable *table_sent = follow(belay_slot_sent(same), "table");
  it.table->add(&it, 1);
  other.table->add(&other, 2);
  CHECK_TRACE("object next [1] | table next [1] | add 1 | table next [2] | add 2");
  end_subscription(object_sent);
  trace_clear();
  it.table->add(&it, 1);
  CHECK_TRACE("table next [1] | add 1");
  object_sent = follow(belay_slot_sent(of_object), "object");
  CHECK_INT(belay_table_gone((void *)it.table), 0);
  CHECK(table.add == do_add);
  CHECK_INT(belay_owner_end(&it, NULL, NULL), 0);
  trace_clear();
  belay_disposable_release(object_sent), belay_disposable_release(table_sent);
  belay_slot_release(of_object), belay_slot_release(of_table), belay_slot_release(same);
  belay_owner_release(owner);
  belay_interface_release(interface);
}

static void adopt_with_its_close(object *it, const ops *table) {
  belay_owner *owner = NULL;
  CHECK_INT(belay_owner_adopt_slot(it, (belay_destroy_fn *)&table->close, NULL, &owner), 0);
  belay_owner_add_action(owner, trace_action, "bound", NULL);
  belay_owner_release(owner);
}
static void C_52_an_object_that_is_intercepted_dies_in_its_tables_function(void) {
  static const belay_method add[] = {BELAY_METHOD(ops, add, "i@i")};
  belay_interface *interface = described((belay_interface_description){
      .name = "ops",
      .table_size = sizeof(ops),
      .methods = add,
      .method_count = 1,
      .table_offset = offsetof(object, table),
  });
  static ops tables[2];
  for (int i = 0; i < 2; i++) {
    tables[i] = the_ops;
    object it = {7, &tables[i]}, other = {8, &tables[i]};
    belay_owner *owner = belay_owner_adopt(&it, NULL);
    belay_slot *slot = belay_slot_create_in_object(interface, owner, "add");
    belay_disposable *sent = follow(belay_slot_sent(slot), "sent");
    CHECK(it.table != &tables[i]);
    adopt_with_its_close(&it, i ? it.table : &tables[i]);
    CHECK(tables[i].close != do_close);
    adopt_with_its_close(&other, other.table);
    it.table->close(&it);
    CHECK_TRACE("sent completed | action bound | close 7");
    other.table->close(&other);
    CHECK_TRACE("action bound | close 8");
    belay_disposable_release(sent);
    belay_slot_release(slot);
    belay_owner_release(owner);
  }
  belay_interface_release(interface);
}

/* ---- errors ---- */

static void A1_13_A1_code_5_somebody_else_changes_the_table(void) {
  belay_interface *interface = of_ops();
  object it = {7, &the_ops};
  ops another = the_ops;
  belay_owner *owner = belay_owner_adopt(&it, NULL);
  belay_slot *slot = belay_slot_create_in_object(interface, owner, "add");
  belay_slot *tell = belay_slot_create_in_object(interface, owner, "tell");
  belay_disposable *sent = follow(belay_slot_sent(slot), "sent");
  const ops *ours = it.table;
  it.table = &another;
  CHECK_INT(belay_slot_status(slot), BELAY_EMISMATCH);
  CHECK_FAILS(belay_slot_around(tell, veto, NULL, NULL, NULL), BELAY_EMISMATCH);
  CHECK(it.table == &another);
  ours->add(&it, 1);
  CHECK_TRACE("sent next [1] | add 1");
  end_subscription(sent);
  trace_clear();
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EMISMATCH);
  CHECK(it.table == &another);
  ours->add(&it, 1); /* a caller that still has the copy */
  CHECK_TRACE("add 1");
  it.table = ours; /* put back by the host */
  CHECK_INT(belay_slot_around(tell, veto, NULL, NULL, &sent), 0);
  end_subscription(sent);
  CHECK(it.table == &the_ops);
  it.table = &another;
  CHECK_INT(belay_slot_around(tell, veto, NULL, NULL, NULL), 0);
  CHECK_INT(belay_owner_end(&it, NULL, NULL), 0);
  CHECK(it.table == &another);
  belay_slot_release(slot);
  belay_slot_release(tell);
  belay_owner_release(owner);
  belay_interface_release(interface);
}

static int code_of(belay_interface *interface, belay_owner *owner, const char *method) {
  CHECK(!belay_slot_create_in_object(interface, owner, method));
  return belay_error_code(belay_last_error());
}

static void A1_codes_3_and_8_and_nonsense(void) {
  belay_interface *interface = of_ops();
  object it = {7, &the_ops}, bare = {1, NULL};
  belay_owner *owner = belay_owner_adopt(&it, NULL);
  CHECK_INT(code_of(interface, owner, "none"), BELAY_ENOENT);
  CHECK_INT(code_of(interface, owner, "fast"), BELAY_EPERM);
  CHECK_INT(code_of(NULL, owner, "add"), BELAY_EINVAL);
  CHECK_INT(code_of(interface, NULL, "add"), BELAY_EINVAL);
  CHECK_INT(code_of(interface, owner, NULL), BELAY_EINVAL);

  belay_owner *nothing = belay_owner_create(NULL, NULL, NULL, NULL);
  CHECK_INT(code_of(interface, nothing, "add"), BELAY_EINVAL);
  belay_owner_release(nothing);

  belay_owner *without = belay_owner_create(&bare, NULL, NULL, NULL);
  CHECK_INT(code_of(interface, without, "add"), BELAY_EINVAL);
  bare.table = (const ops *)((const char *)&the_ops + 1);
  CHECK_INT(code_of(interface, without, "add"), BELAY_EINVAL);
  bare.table = &the_ops;
  belay_slot *slot = belay_slot_create_in_object(interface, without, "add");
  CHECK(slot != NULL);
  bare.table = NULL; /* taken away by the host */
  CHECK_FAILS(belay_slot_around(slot, veto, NULL, NULL, NULL), BELAY_EINVAL);
  CHECK(bare.table == NULL);
  belay_slot_release(slot);
  belay_owner_release(without);

  belay_owner *odd = belay_owner_create((char *)&it + 1, NULL, NULL, NULL);
  CHECK_INT(code_of(interface, odd, "add"), BELAY_EINVAL);
  belay_owner_release(odd);

  belay_interface_description description = {.size = sizeof description,
                                             .name = "tables",
                                             .table_size = sizeof(ops),
                                             .methods = methods,
                                             .method_count = 1,
                                             .table_offset = BELAY_NO_TABLE};
  belay_interface *tables = belay_interface_create(&description);
  CHECK(!belay_slot_create_in_object(tables, owner, "add"));
  CHECK(strstr(belay_error_message(belay_last_error()), "table_offset"));
  belay_interface_release(tables);
  description.table_offset = 4;
  CHECK(!belay_interface_create(&description));
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
  description.table_offset = (size_t)1 << 63;
  CHECK(!belay_interface_create(&description));
  description.table_offset = 0;
  static const belay_method endless = {sizeof(belay_method), "close", offsetof(ops, close), "v",
                                       BELAY_METHOD_ENDS_OBJECT};
  description.methods = &endless;
  CHECK(!belay_interface_create(&description));
  belay_last_error();

  /* The same place is asked for with another shape. */
  static const belay_method other = {sizeof(belay_method), "add", offsetof(ops, add), "i@q", 0};
  description.methods = &other;
  description.table_offset = offsetof(object, table);
  belay_interface *strange = belay_interface_create(&description);
  slot = belay_slot_create_in_object(interface, owner, "add");
  CHECK_INT(code_of(strange, owner, "add"), BELAY_EMISMATCH);
  belay_slot_release(slot);
  belay_interface_release(strange);
  CHECK_INT(belay_owner_end(&it, NULL, NULL), 0);
  CHECK_INT(code_of(interface, owner, "add"), BELAY_EDEAD);
  belay_owner_release(owner);
  belay_interface_release(interface);
}

static void A1_codes_6_and_7_an_object_in_read_only_memory(void) {
  static const object constant = {7, &the_ops};
  belay_interface *interface = of_ops();
  belay_owner *owner = belay_owner_adopt((void *)&constant, NULL);
  belay_slot *slot = belay_slot_create_in_object(interface, owner, "add");
  CHECK_FAILS(belay_slot_around(slot, veto, NULL, NULL, NULL), BELAY_EROFS);
  belay_signal *sent = belay_slot_sent(slot);
  belay_observer observer = rendering("sent");
  CHECK_FAILS(belay_signal_subscribe(sent, &observer, NULL), BELAY_EROFS);
  CHECK_TRACE("sent free");
  belay_signal_release(sent);
  belay_slot_release(slot);
  CHECK_INT(belay_owner_end((void *)&constant, NULL, NULL), 0);
  belay_owner_release(owner);
  belay_interface_release(interface);
}

static const test_case cases[] = {
    CASE(A1_20_one_object_alone_is_intercepted),
    CASE(A1_29_F6_02_what_is_hooked_is_counted_by_kind),
    CASE(A1_25_observed_and_intercepted_in_either_order),
    CASE(A1_21_who_comes_late_gets_the_completion_alone),
    CASE(A1_23_a_NULL_argument_is_the_null_value),
    CASE(A1_24_A1_code_9_any_signature),
    CASE(interfaces_of_one_pointer_share_the_copy),
    CASE(a_larger_interface_while_the_copy_is_in),
    CASE(C_52_a_table_and_an_object_of_it_stack_in_any_order),
    CASE(C_52_a_table_is_found_through_an_object_that_is_intercepted),
    CASE(C_52_an_object_that_is_intercepted_dies_in_its_tables_function),
    CASE(A1_13_A1_code_5_somebody_else_changes_the_table),
    CASE(A1_codes_3_and_8_and_nonsense),
    CASE(A1_codes_6_and_7_an_object_in_read_only_memory),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
