/* Slots in tables: before, after, around, answers, ends, and other writers of the table. A1-11 to
   A1-13, A1-20, A1-21, A1-23, A3-60. */
#include "interfaces.h"
#include "worker.h"

#include <sys/mman.h>
#include <unistd.h>

typedef struct ops {
  int (*read)(void *it, char *buffer, size_t size);
  void (*moved)(void *it, double x, double y);
  const char *(*name)(void *it);
  void (*fast)(void *it);
  int (*absent)(void *it, int number);
  int (*plain)(int a, int b);
} ops;

static int do_read(void *it, char *buffer, size_t size) {
  trace("read %zu", size);
  memset(buffer, 'x', size);
  return (int)size;
}
static void do_moved(void *it, double x, double y) { trace("moved %g %g", x, y); }
static const char *do_name(void *it) { return "original"; }
static void do_fast(void *it) {}
static int do_plain(int a, int b) { return a * b; }
static const ops full = {do_read, do_moved, do_name, do_fast, NULL, do_plain};

static const belay_method methods[] = {
    BELAY_TYPED_METHOD(ops, read, 0, int, (void *, char *, size_t)),
    BELAY_METHOD(ops, moved, "v@dd"),
    BELAY_TYPED_METHOD(ops, name, 0, const char *, (void *)),
    {sizeof(belay_method), "fast", offsetof(ops, fast), "v@", BELAY_METHOD_PERFORMANCE_SENSITIVE},
    BELAY_METHOD(ops, absent, "i@i"),
    BELAY_TYPED_METHOD(ops, plain, -1, int, (int, int)),
};
static belay_interface *the_ops(void) {
  static belay_interface *made;
  if (!made) made = TABLE_INTERFACE(ops, methods);
  return made;
}

static void A1_20_sent_the_original_invoked(void) {
  ops table = full;
  belay_slot *slot = belay_slot_create_in_table(the_ops(), &table, "read", 0);
  CHECK(slot != NULL);
  CHECK(table.read == do_read); /* while nobody listens */
  belay_disposable *sent = follow(belay_slot_sent(slot), "sent");
  CHECK(table.read != do_read);
  belay_disposable *invoked = follow(belay_slot_invoked(slot), "invoked");
  char buffer[4];
  CHECK_INT(table.read(&table, buffer, 3), 3);
  CHECK(buffer[2] == 'x');
  CHECK_TRACE("sent next [pointer 3] | read 3 | invoked next [pointer 3 3]");
  end_subscription(sent);
  CHECK(table.read != do_read);
  end_subscription(invoked);
  CHECK(table.read == do_read);
  CHECK_INT(belay_table_gone(&table), 0);
  CHECK_INT(belay_slot_status(slot), BELAY_EDEAD);
  belay_slot_release(slot);
}

static int doubled(void *ctx, belay_invocation *call) {
  trace("%s before", (const char *)ctx);
  belay_value x;
  CHECK_INT(belay_invocation_get(call, 0, &x), 0);
  double number;
  CHECK_INT(belay_value_get_double(x, &number), 0);
  CHECK_INT(belay_invocation_set(call, 0, belay_double(number * 2)), 0);
  CHECK_INT(belay_invocation_proceed(call), 0);
  trace("%s after", (const char *)ctx);
  return 0;
}

static void D_11_around_stacks_and_unstacks_in_any_order(void) {
  ops table = full;
  belay_slot *slot = belay_slot_create_in_table(the_ops(), &table, "moved", 0);
  belay_disposable *first, *second, *third;
  CHECK_INT(belay_slot_around(slot, doubled, "first", NULL, &first), 0);
  CHECK_INT(belay_slot_around(slot, doubled, "second", NULL, &second), 0);
  table.moved(&table, 1, 5);
  CHECK_TRACE("second before | first before | moved 4 5 | first after | second after");
  end_subscription(first);
  table.moved(&table, 1, 5);
  CHECK_TRACE("second before | moved 2 5 | second after");
  CHECK_INT(belay_slot_around(slot, veto, NULL, NULL, &third), 0);
  table.moved(&table, 1, 5);
  CHECK_TRACE("");
  end_subscription(second);
  table.moved(&table, 1, 5);
  CHECK_TRACE("");
  end_subscription(third);
  CHECK(table.moved == do_moved);
  CHECK_INT(belay_table_gone(&table), 0);
  belay_slot_release(slot);
}

static belay_value number(void *ctx, belay_invocation *call) {
  return belay_int32(*(int *)ctx);
}

static void A3_60_an_absent_method_answers_zero_a_default_responders(void) {
  ops table = full;
  belay_slot *slot = belay_slot_create_in_table(the_ops(), &table, "absent", 0);
  belay_disposable *sent = follow(belay_slot_sent(slot), "sent");
  CHECK(table.absent != NULL);
  CHECK_INT(table.absent(&table, 1), 0);
  CHECK_TRACE("sent next [1]");
  CHECK_FAILS(belay_slot_set_default(slot, belay_double(0.5)), BELAY_EKIND);
  CHECK_INT(belay_slot_set_default(slot, belay_int32(-7)), 0);
  CHECK_INT(table.absent(&table, 2), -7);
  int five = 5, six = 6;
  belay_disposable *one, *two;
  CHECK_INT(belay_slot_respond(slot, number, &five, NULL, &one), 0);
  CHECK_INT(table.absent(&table, 2), 5);
  CHECK_INT(belay_slot_respond(slot, number, &six, NULL, &two), 0);
  CHECK_INT(table.absent(&table, 2), 5);
  CHECK_INT(belay_slot_set_combiner(slot, sum_of_answers, NULL, NULL), 0);
  CHECK_INT(table.absent(&table, 2), 11);
  end_subscription(one);
  CHECK_INT(table.absent(&table, 2), 6);
  trace_clear();
  end_subscription(two);
  end_subscription(sent);
  CHECK(table.absent == NULL);
  CHECK_INT(belay_table_gone(&table), 0);
  belay_slot_release(slot);
}

static void A1_13_somebody_else_has_written(void) {
  ops table = full;
  belay_slot *slot = belay_slot_create_in_table(the_ops(), &table, "moved", 0);
  belay_disposable *sent = follow(belay_slot_sent(slot), "sent");
  void (*ours)(void *, double, double) = table.moved;
  CHECK_INT(belay_slot_status(slot), 0);
  table.moved = do_moved; /* somebody else writes into the table */
  CHECK_INT(belay_slot_status(slot), BELAY_EMISMATCH);
  ours(&table, 1, 2);
  CHECK_TRACE("sent next [double double] | moved 1 2");
  end_subscription(sent);
  CHECK(table.moved == do_moved);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EMISMATCH);
  ours(&table, 1, 2); /* a caller that still has the function */
  CHECK_TRACE("moved 1 2");
  CHECK_FAILS(belay_slot_around(slot, veto, NULL, NULL, NULL), BELAY_EMISMATCH);
  table.moved = ours;
  sent = follow(belay_slot_sent(slot), "sent");
  end_subscription(sent);
  CHECK(table.moved == do_moved);
  CHECK_INT(belay_table_gone(&table), 0);
  belay_slot_release(slot);
}

static void (*under)(void *, double, double);
static void hooked_over(void *it, double x, double y) { under(it, x, y); }
static void A1_13_what_could_not_be_taken_out_is_when_the_table_goes(void) {
  ops table = full;
  belay_slot *slot = belay_slot_create_in_table(the_ops(), &table, "moved", 0);
  belay_disposable *sent = follow(belay_slot_sent(slot), "sent");
  under = table.moved;
  table.moved = hooked_over; /* somebody else hooks it, too */
  end_subscription(sent);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EMISMATCH);
  table.moved(&table, 1, 2);
  CHECK_TRACE("moved 1 2");
  table.moved = under; /* and puts back what was there */
  CHECK_INT(belay_table_gone(&table), 0);
  CHECK(table.moved == do_moved);
  belay_slot_release(slot);
  /* Nothing is written over somebody else's function. */
  slot = belay_slot_create_in_table(the_ops(), &table, "moved", 0);
  sent = follow(belay_slot_sent(slot), "sent");
  table.moved = hooked_over;
  end_subscription(sent);
  belay_last_error();
  CHECK_INT(belay_table_gone(&table), BELAY_EMISMATCH);
  CHECK(table.moved == hooked_over);
  trace_clear();
  belay_slot_release(slot);
}

static void read_only_memory_is_refused_or_unprotected(void) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  ops *table = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  *table = full;
  CHECK_INT(mprotect(table, page, PROT_READ), 0);
  belay_slot *slot = belay_slot_create_in_table(the_ops(), table, "moved", 0);
  CHECK_FAILS(belay_slot_around(slot, doubled, "it", NULL, NULL), BELAY_EROFS);
  /* The slot is there already. */
  CHECK(belay_slot_create_in_table(the_ops(), table, "moved", BELAY_SLOT_UNPROTECT) == slot);
  belay_slot_release(slot);
  belay_disposable *disposable;
  CHECK_INT(belay_slot_around(slot, doubled, "it", NULL, &disposable), 0);
  table->moved(table, 1, 1);
  CHECK_TRACE("it before | moved 2 1 | it after");
  end_subscription(disposable);
  CHECK(table->moved == do_moved);
  CHECK_INT(belay_table_gone(table), 0);
  belay_slot_release(slot);
  munmap(table, page);
}

typedef struct view {
  double x, y;
} view;
static void on_moved(void *ctx, double x, double y) { *(view *)ctx = (view){x, y}; }
static void on_plain(void *ctx, int a, int b) { *(view *)ctx = (view){a, b}; }

static void D_10_connections_are_checked(void) {
  ops table = full;
  belay_slot *slot = belay_slot_create_in_table(the_ops(), &table, "moved", 0);
  view it = {0, 0};
  belay_disposable *disposable = NULL;
  CHECK_FAILS(belay_slot_connect(slot, "v@dI", (belay_function)on_moved, &it, NULL, &disposable),
              BELAY_EKIND);
  CHECK(disposable == NULL);
  belay_slot_connect(slot, "v@dI", (belay_function)on_moved, &it, NULL, NULL);
  const char *message = belay_error_message(belay_last_error());
  CHECK(strstr(message, "v@dI") && strstr(message, "v@dd") && strstr(message, "moved"));
  CHECK_INT(BELAY_SLOT_CONNECT(slot, on_moved, &it, void, (void *, double, double)), 0);
  table.moved(NULL, 3, 4);
  CHECK(it.x == 3 && it.y == 4);
  belay_slot *plain = belay_slot_create_in_table(the_ops(), &table, "plain", 0);
  CHECK_INT(BELAY_SLOT_CONNECT(plain, on_plain, &it, void, (void *, int, int)), 0);
  CHECK_INT(table.plain(6, 7), 42);
  CHECK(it.x == 6 && it.y == 7);
  CHECK_INT(belay_table_gone(&table), 0);
  CHECK(table.moved == do_moved && table.plain == do_plain);
  trace_clear();
  belay_slot_release(slot);
  belay_slot_release(plain);
}

/* CombineCocoa compares types as string objects. Here their content counts. */
static void A5_27_shapes_are_compared_by_content(void) {
  static const char one_shape[] = "v@dd", same_shape[] = "v@dd", other_shape[] = "v@df";
  const char *shapes[] = {one_shape, same_shape, other_shape};
  ops table = full;
  belay_slot *slots[3];
  for (int i = 0; i < 3; i++) {
    const belay_method moved[] = {
        {sizeof(belay_method), "moved", offsetof(ops, moved), shapes[i], 0}};
    belay_interface *interface = TABLE_INTERFACE(ops, moved);
    slots[i] = belay_slot_create_in_table(interface, &table, "moved", 0);
    belay_interface_release(interface);
  }
  CHECK(slots[0] && slots[0] == slots[1]);
  CHECK(!slots[2]);
  check_last_error(BELAY_EMISMATCH);
  CHECK_INT(belay_table_gone(&table), 0);
  belay_slot_release(slots[0]), belay_slot_release(slots[1]);
}

/* ---- the object that was called ---- */

static void trace_object(void *ctx, belay_value call) {
  CHECK(belay_slot_context(call) == ctx);
  CHECK(belay_value_count(call) >= 2);
  trace("of it");
}
static void on_moved_of(void *ctx, void *object, double x, double y) {
  CHECK(object == ctx);
  trace("told %g %g", x, y);
}
static int on_plain_of(void *ctx, void *object, int a, int b) { return 0; }

static void F6_08_the_object_that_was_called(void) {
  ops table = full;
  int object;
  belay_slot *slot = belay_slot_create_in_table(the_ops(), &table, "moved", 0);
  belay_observer observer = {.size = sizeof observer, .next = trace_object, .ctx = &object};
  belay_signal *signals[] = {belay_slot_sent(slot), belay_slot_invoked(slot)};
  for (int i = 0; i < 2; i++) {
    CHECK_INT(belay_signal_subscribe(signals[i], &observer, NULL), 0);
    belay_signal_release(signals[i]);
  }
  CHECK_INT(
      BELAY_SLOT_CONNECT(slot, on_moved_of, &object, void, (void *, void *, double, double)), 0);
  table.moved(&object, 3, 4);
  CHECK_TRACE("of it | told 3 4 | moved 3 4 | of it");
  /* It is a pointer, and at its place. */
  CHECK_FAILS(belay_slot_connect(slot, "v@qdd", (belay_function)on_moved_of, NULL, NULL, NULL),
              BELAY_EKIND);
  CHECK_FAILS(belay_slot_connect(slot, "v@dpd", (belay_function)on_moved_of, NULL, NULL, NULL),
              BELAY_EKIND);
  CHECK_FAILS(belay_slot_connect(slot, "vp@dd", (belay_function)on_moved_of, NULL, NULL, NULL),
              BELAY_EKIND);
  CHECK_FAILS(belay_slot_connect(slot, "vpdd", (belay_function)on_moved_of, NULL, NULL, NULL),
              BELAY_EKIND);
  CHECK_FAILS(belay_slot_connect(slot, "v@ppdd", (belay_function)on_moved_of, NULL, NULL, NULL),
              BELAY_EKIND);
  /* A function without a context has no object. */
  belay_slot *plain = belay_slot_create_in_table(the_ops(), &table, "plain", 0);
  CHECK_FAILS(
      belay_slot_connect(plain, "i@pii", (belay_function)on_plain_of, NULL, NULL, NULL),
      BELAY_EKIND);
  CHECK_FAILS(belay_slot_connect(plain, "iii", (belay_function)do_plain, NULL, NULL, NULL),
              BELAY_EKIND);
  observer.ctx = NULL;
  belay_signal *sent = belay_slot_sent(plain);
  CHECK_INT(belay_signal_subscribe(sent, &observer, NULL), 0);
  belay_signal_release(sent);
  CHECK_INT(table.plain(6, 7), 42);
  CHECK_TRACE("of it");
  belay_value array = belay_array_of(NULL, 0);
  CHECK(!belay_slot_context(array));
  check_last_error(BELAY_EKIND);
  CHECK(!belay_slot_context(belay_null()));
  check_last_error(BELAY_EKIND);
  belay_value_release(array);
  CHECK_INT(belay_table_gone(&table), 0);
  belay_slot_release(slot), belay_slot_release(plain);
}

static belay_value another_name(void *ctx, belay_invocation *call) { return belay_string(ctx); }

static void strings_as_answers(void) {
  ops table = full;
  belay_slot *slot = belay_slot_create_in_table(the_ops(), &table, "name", 0);
  belay_disposable *disposable;
  CHECK_INT(belay_slot_respond(slot, another_name, "another", NULL, &disposable), 0);
  CHECK_STRING(table.name(&table), "original"); /* the original's answer comes first */
  table.name(&table);
  end_subscription(disposable);
  CHECK_INT(belay_table_gone(&table), 0);
  belay_slot_release(slot);
  table.name = NULL;
  slot = belay_slot_create_in_table(the_ops(), &table, "name", 0);
  CHECK_INT(belay_slot_respond(slot, another_name, "another", NULL, &disposable), 0);
  CHECK_STRING(table.name(&table), "another");
  end_subscription(disposable);
  CHECK(table.name == NULL);
  CHECK_INT(belay_table_gone(&table), 0);
  belay_slot_release(slot);
}

static void the_table_goes(void) {
  ops table = full;
  belay_slot *slot = belay_slot_create_in_table(the_ops(), &table, "moved", 0);
  belay_slot *same = belay_slot_create_in_table(the_ops(), &table, "moved", 0);
  CHECK(slot == same);
  belay_disposable *sent = follow(belay_slot_sent(slot), "sent");
  CHECK_INT(belay_table_gone(&table), 0);
  CHECK_TRACE("sent completed");
  CHECK(table.moved == do_moved);
  CHECK_INT(belay_table_gone(&table), BELAY_ENOENT);
  belay_last_error();
  belay_disposable *late = follow(belay_slot_sent(slot), "late");
  CHECK_TRACE("late completed");
  CHECK_FAILS(belay_slot_around(slot, veto, NULL, NULL, NULL), BELAY_EDEAD);
  belay_disposable_release(late);
  belay_disposable_release(sent);
  belay_slot_release(slot);
  belay_slot_release(same);
}

static void nonsense(void) {
  ops table = full;
  CHECK(!belay_slot_create_in_table(NULL, &table, "read", 0));
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
  CHECK(!belay_slot_create_in_table(the_ops(), NULL, "read", 0));
  CHECK(!belay_slot_create_in_table(the_ops(), (char *)&table + 1, "read", 0));
  CHECK(!belay_slot_create_in_table(the_ops(), &table, NULL, 0));
  CHECK(!belay_slot_create_in_table(the_ops(), &table, "read", 99));
  belay_last_error();
  CHECK(!belay_slot_create_in_table(the_ops(), &table, "wrote", 0));
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_ENOENT);
  CHECK(!belay_slot_create_in_table(the_ops(), &table, "fast", 0));
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EPERM);
  CHECK_FAILS(belay_slot_around(NULL, veto, NULL, NULL, NULL), BELAY_EINVAL);
  CHECK_FAILS(belay_slot_status(NULL), BELAY_EINVAL);
  CHECK(!belay_slot_sent(NULL) && !belay_slot_invoked(NULL) && !belay_slot_original(NULL));
  belay_last_error();
  belay_slot_release(NULL);
}

static const test_case cases[] = {
    CASE(A1_20_sent_the_original_invoked),
    CASE(D_11_around_stacks_and_unstacks_in_any_order),
    CASE(A3_60_an_absent_method_answers_zero_a_default_responders),
    CASE(A1_13_somebody_else_has_written),
    CASE(A1_13_what_could_not_be_taken_out_is_when_the_table_goes),
    CASE(read_only_memory_is_refused_or_unprotected),
    CASE(D_10_connections_are_checked),
    CASE(F6_08_the_object_that_was_called),
    CASE(A5_27_shapes_are_compared_by_content),
    CASE(strings_as_answers),
    CASE(the_table_goes),
    CASE(nonsense),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
