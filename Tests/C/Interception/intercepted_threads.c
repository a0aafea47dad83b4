/* Slots that come and go while other threads call through them. */
#include "intercepted.h"

#include <stdatomic.h>

static int adds_one(void *ctx, belay_invocation *call) {
  belay_value number;
  int32_t value;
  CHECK_INT(belay_invocation_get(call, 0, &number), 0);
  CHECK_INT(belay_value_get_int32(number, &value), 0);
  CHECK_INT(belay_invocation_set(call, 0, belay_int32(value + 1)), 0);
  return belay_invocation_proceed(call);
}

enum { CALLS = 20000, ROUNDS = 300 };
typedef struct counted {
  _Atomic(const struct counted_ops *) table;
  atomic_int calls;
} counted;
typedef struct counted_ops {
  _Atomic(int (*)(counted *it, int number)) add;
} counted_ops;
static int do_count(counted *it, int number) {
  atomic_fetch_add(&it->calls, 1);
  return number + 1;
}
static counted_ops shared_ops = {do_count};
static atomic_int wrong;
static void call_often(void *argument) {
  counted *it = argument;
  for (int i = 0; i < CALLS; i++) {
    const counted_ops *table = atomic_load(&it->table);
    int answer = atomic_load(&table->add)(it, i);
    if (answer < i + 1 || answer > i + 3) atomic_fetch_add(&wrong, 1);
  }
}
static void intercept_often(void *argument) {
  belay_slot *slot = argument;
  for (int i = 0; i < ROUNDS; i++) {
    belay_disposable *disposable = NULL;
    if (belay_slot_around(slot, adds_one, NULL, NULL, &disposable) != 0)
      atomic_fetch_add(&wrong, 1);
    sched_yield();
    end_subscription(disposable);
  }
}

static void intercepted_and_restored_while_others_call(void) {
  static const belay_method method = {sizeof(belay_method), "add", offsetof(counted_ops, add), "i@i", 0};
  belay_interface *interface = described((belay_interface_description){
      .name = "counted",
      .table_size = sizeof(counted_ops),
      .methods = &method,
      .method_count = 1,
      .table_offset = offsetof(counted, table),
  });
  counted it = {&shared_ops, 0};
  belay_owner *owner = belay_owner_adopt(&it, NULL);
  belay_slot *of_object = belay_slot_create_in_object(interface, owner, "add");
  belay_slot *of_table = belay_slot_create_in_table(interface, &shared_ops, "add", 0);
  routine callers[2], objects, tables;
  for (int i = 0; i < 2; i++) start_thread(&callers[i], call_often, &it);
  start_thread(&objects, intercept_often, of_object);
  start_thread(&tables, intercept_often, of_table);
  for (int i = 0; i < 2; i++) join_thread(&callers[i]);
  join_thread(&objects);
  join_thread(&tables);
  CHECK_INT(atomic_load(&it.calls), 2 * CALLS);
  CHECK_INT(atomic_load(&wrong), 0);
  CHECK(atomic_load(&it.table) == &shared_ops && atomic_load(&shared_ops.add) == do_count);
  CHECK_INT(belay_owner_end(&it, NULL, NULL), 0);
  CHECK_INT(belay_table_gone(&shared_ops), 0);
  belay_slot_release(of_object);
  belay_slot_release(of_table);
  belay_owner_release(owner);
  belay_interface_release(interface);
}

static belay_slot *asked[2];
typedef struct question {
  belay_interface *interface;
  belay_owner *owner;
  int index;
} question;
static void ask(void *argument) {
  question *it = argument;
  asked[it->index] = belay_slot_create_in_object(it->interface, it->owner, "add");
}

static void one_slot_for_two_that_ask_at_once(void) {
  belay_interface *interface = of_ops();
  for (int i = 0; i < 50; i++) {
    object it = {7, &the_ops};
    belay_owner *owner = belay_owner_adopt(&it, NULL);
    question questions[2] = {{interface, owner, 0}, {interface, owner, 1}};
    routine routines[2];
    for (int n = 0; n < 2; n++) start_thread(&routines[n], ask, &questions[n]);
    for (int n = 0; n < 2; n++) join_thread(&routines[n]);
    CHECK(asked[0] && asked[0] == asked[1]);
    for (int n = 0; n < 2; n++) belay_slot_release(asked[n]);
    CHECK_INT(belay_owner_end(&it, NULL, NULL), 0);
    belay_owner_release(owner);
  }
  belay_interface_release(interface);
}

static const test_case cases[] = {
    CASE(intercepted_and_restored_while_others_call),
    CASE(one_slot_for_two_that_ask_at_once),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
