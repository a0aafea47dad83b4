/* Slots while other threads call through them: every call reaches the original once. */
#include "interfaces.h"
#include "worker.h"

#include <stdatomic.h>
#include <stdbool.h>

typedef struct ops {
  _Atomic(int (*)(void *it, int number)) add;
} ops;

static atomic_long added, calls_made;
static int add(void *it, int number) {
  atomic_fetch_add(&added, number);
  return number + 1;
}
static const belay_method methods[] = {{sizeof(belay_method), "add", offsetof(ops, add), "i@i", 0}};

enum { callers = 3, interceptors = 4, rounds = 300 };

typedef struct play {
  ops table;
  belay_slot *slot;
  atomic_bool is_over;
  atomic_long heard, around, told;
} play;

static void call_on(void *argument) {
  play *it = argument;
  while (!atomic_load(&it->is_over)) {
    int (*function)(void *, int) = atomic_load(&it->table.add);
    CHECK_INT(function(it, 1), 2);
    atomic_fetch_add(&calls_made, 1);
  }
}

static void hear(void *ctx, belay_value array) {
  CHECK(belay_value_count(array) >= 1);
  atomic_fetch_add(&((play *)ctx)->heard, 1);
}
static int go_on(void *ctx, belay_invocation *call) {
  atomic_fetch_add(&((play *)ctx)->around, 1);
  return belay_invocation_proceed(call);
}
static int be_told(void *ctx, int number) {
  CHECK_INT(number, 1);
  atomic_fetch_add(&((play *)ctx)->told, 1);
  return 0;
}

/* A context that tells when it is used after it was freed. */
typedef struct guard {
  play *it;
  atomic_bool is_freed;
} guard;
static void free_guard(void *ctx) { atomic_store(&((guard *)ctx)->is_freed, true); }
static int guarded(void *ctx, belay_invocation *call) {
  guard *guard = ctx;
  CHECK(!atomic_load(&guard->is_freed));
  int code = go_on(guard->it, call);
  CHECK(!atomic_load(&guard->is_freed));
  return code;
}

static void intercept_on(void *argument) {
  play *it = argument;
  for (int i = 0; i < rounds; i++) {
    belay_disposable *one = NULL, *two = NULL, *three = NULL, *four = NULL;
    guard guard = {.it = it};
    belay_observer observer = {.size = sizeof observer, .next = hear, .ctx = it};
    belay_signal *signal = i % 2 ? belay_slot_sent(it->slot) : belay_slot_invoked(it->slot);
    CHECK_INT(belay_signal_subscribe(signal, &observer, &one), 0);
    belay_signal_release(signal);
    CHECK_INT(belay_slot_around(it->slot, guarded, &guard, free_guard, &two), 0);
    CHECK_INT(belay_slot_connect(it->slot, "i@i", (belay_function)be_told, it, NULL, &three), 0);
    CHECK_INT(belay_slot_around(it->slot, go_on, it, NULL, &four), 0);
    CHECK_INT(belay_slot_status(it->slot), 0);
    if (i % 3 == 0) sched_yield();
    end_subscription(four);
    end_subscription(one);
    CHECK_INT(belay_disposable_dispose_sync(two, -1), 0);
    CHECK(atomic_load(&guard.is_freed));
    belay_disposable_release(two);
    end_subscription(three);
  }
}

static void no_call_is_lost_while_others_come_and_go(void) {
  belay_interface *interface = TABLE_INTERFACE(ops, methods);
  play it = {.table = {add}};
  it.slot = belay_slot_create_in_table(interface, &it.table, "add", 0);
  CHECK(it.slot != NULL);
  atomic_store(&added, 0), atomic_store(&calls_made, 0);
  routine calling[callers], intercepting[interceptors];
  for (int i = 0; i < callers; i++) start_thread(calling + i, call_on, &it);
  for (int i = 0; i < interceptors; i++) start_thread(intercepting + i, intercept_on, &it);
  for (int i = 0; i < interceptors; i++) join_thread(intercepting + i);
  atomic_store(&it.is_over, true);
  for (int i = 0; i < callers; i++) join_thread(calling + i);
  /* Only now: a listener leaves when the call that tells it about a value has returned. */
  CHECK(atomic_load(&it.table.add) == add);
  CHECK_INT(belay_slot_status(it.slot), 0);
  CHECK(calls_made > 0);
  CHECK_INT(added, calls_made);
  CHECK(it.heard > 0 && it.around > 0 && it.told > 0);
  CHECK_INT(belay_table_gone(&it.table), 0);
  belay_slot_release(it.slot);
  belay_interface_release(interface);
}

/* The table goes while interceptors are there, and their handles are used after that. The callers
   do not call its functions any more by then. */
static void leave_late(void *argument) {
  play *it = argument;
  belay_disposable *one, *two;
  CHECK_INT(belay_slot_around(it->slot, go_on, it, NULL, &one), 0);
  belay_observer observer = {.size = sizeof observer, .next = hear, .ctx = it};
  belay_signal *signal = belay_slot_sent(it->slot);
  CHECK_INT(belay_signal_subscribe(signal, &observer, &two), 0);
  belay_signal_release(signal);
  atomic_fetch_add(&it->told, 1);
  while (!atomic_load(&it->is_over)) sched_yield();
  end_subscription(one);
  end_subscription(two);
}

static void a_table_goes_while_others_leave_it(void) {
  belay_interface *interface = TABLE_INTERFACE(ops, methods);
  for (int round = 0; round < 50; round++) {
    play it = {.table = {add}};
    it.slot = belay_slot_create_in_table(interface, &it.table, "add", 0);
    routine leaving[interceptors];
    for (int i = 0; i < interceptors; i++) start_thread(leaving + i, leave_late, &it);
    while (atomic_load(&it.told) < interceptors) sched_yield();
    int (*function)(void *, int) = atomic_load(&it.table.add);
    CHECK(function != add);
    CHECK_INT(function(&it, 1), 2);
    if (round % 2) atomic_store(&it.is_over, true);
    CHECK_INT(belay_table_gone(&it.table), 0);
    CHECK(atomic_load(&it.table.add) == add);
    atomic_store(&it.is_over, true);
    for (int i = 0; i < interceptors; i++) join_thread(leaving + i);
    CHECK_INT(belay_slot_status(it.slot), BELAY_EDEAD);
    belay_slot_release(it.slot);
  }
  belay_interface_release(interface);
}

static void listen_at_home(void *argument) {
  play *it = argument;
  belay_observer observer = {.size = sizeof observer, .next = hear, .ctx = it};
  belay_signal *signal = belay_slot_sent(it->slot);
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  belay_signal_release(signal);
}

/* A listener whose home is elsewhere leaves the slot after the slot has gone. */
static void a_table_goes_while_a_loop_listens(void) {
  belay_interface *interface = TABLE_INTERFACE(ops, methods);
  play it = {.table = {add}};
  it.slot = belay_slot_create_in_table(interface, &it.table, "add", 0);
  worker home = {0};
  start_worker(&home);
  on_worker(&home, listen_at_home, &it);
  int (*function)(void *, int) = atomic_load(&it.table.add);
  for (int i = 0; i < 100; i++) CHECK_INT(function(&it, i), i + 1);
  CHECK_INT(belay_table_gone(&it.table), 0);
  CHECK(atomic_load(&it.table.add) == add);
  stop_worker(&home);
  CHECK_INT(it.heard, 100);
  belay_slot_release(it.slot);
  belay_interface_release(interface);
}

static const test_case cases[] = {
    CASE(no_call_is_lost_while_others_come_and_go),
    CASE(a_table_goes_while_others_leave_it),
    CASE(a_table_goes_while_a_loop_listens),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
