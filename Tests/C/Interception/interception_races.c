/* What happens to slots and proxies at the same moment: ends, waits, tables that others make or give away. */
#include "interfaces.h"
#include "worker.h"

#include <stdatomic.h>
#include <unistd.h>

typedef struct ops {
  int (*first)(void *it, int number);
  int (*second)(void *it, int number);
  int (*third)(void *it, int number);
} ops;
typedef struct object {
  const ops *table;
} object;

static int add_one(void *it, int number) { return number + 1; }
static int add_two(void *it, int number) { return number + 2; }
static int add_three(void *it, int number) { return number + 3; }

static const belay_method methods[] = {
    BELAY_METHOD(ops, first, "i@i"), BELAY_METHOD(ops, second, "i@i"), BELAY_METHOD(ops, third, "i@i")};
static const char *const names[] = {"first", "second", "third"};

static ops table = {add_one, add_two, add_three};
static const ops originals = {add_one, add_two, add_three};
static belay_interface *interface;

static void begin(void) {
  table = originals;
  interface = TABLE_INTERFACE(ops, methods);
}
static void finish(void) {
  CHECK(memcmp(&table, &originals, sizeof table) == 0);
  belay_interface_release(interface);
}

static belay_disposable *intercept(const char *name, int (*action)(void *, belay_invocation *), void *ctx,
                                   belay_free_fn ctx_free) {
  belay_disposable *made = NULL;
  belay_slot *slot = belay_slot_create_in_table(interface, &table, name, 0);
  CHECK_INT(belay_slot_around(slot, action, ctx, ctx_free, &made), 0);
  belay_slot_release(slot);
  return made;
}

static void until(atomic_int *step, int wanted) {
  while (atomic_load(step) < wanted) sched_yield();
}

/* ---- a table that goes ---- */

static belay_disposable *again;
static void intercept_second(void *name) { again = intercept(name, proceed, NULL, NULL); }

/* What is called at the end of one slot intercepts another method of the table. */
static void a_table_goes_while_a_slot_is_made_inside(void) {
  for (int i = 0; i < 2; i++) {
    begin();
    again = NULL;
    belay_disposable *first = intercept(names[i], proceed, (void *)names[!i], intercept_second);
    belay_disposable *second = intercept(names[!i], proceed, NULL, NULL);
    CHECK_INT(belay_table_gone(&table), 0);
    CHECK(again != NULL);
    CHECK_INT(table.first(NULL, 1), 2);
    CHECK_INT(table.second(NULL, 1), 3);
    CHECK_INT(belay_table_gone(&table), 0);
    belay_disposable_release(again);
    belay_disposable_release(first);
    belay_disposable_release(second);
    finish();
  }
}

/* A table of many methods takes long to go. */
enum { MANY = 24 };
typedef struct many {
  int (*functions[MANY])(void *it, int number);
} many;
static many wide_table;
static belay_method many_methods[MANY];
static char many_names[MANY][4];
static belay_interface *of_many;

static void describe_many(void) {
  for (int i = 0; i < MANY; i++) {
    snprintf(many_names[i], sizeof many_names[i], "f%d", i);
    many_methods[i] = (belay_method){
        sizeof(belay_method), many_names[i], (size_t)i * sizeof(void *), "i@i", 0};
    wide_table.functions[i] = add_one;
  }
  of_many = TABLE_INTERFACE(many, many_methods);
}

static belay_disposable *intercept_one(int index) {
  belay_disposable *made = NULL;
  belay_slot *slot = belay_slot_create_in_table(of_many, &wide_table, many_names[index], 0);
  int code = belay_slot_around(slot, proceed, NULL, NULL, &made);
  CHECK(code == 0 || code == BELAY_EDEAD);
  belay_slot_release(slot);
  return made;
}

static atomic_int is_over;
static void make_and_end_slots(void *ctx) {
  for (int i = 0; !atomic_load(&is_over); i++) {
    belay_disposable *made = intercept_one(i % MANY);
    belay_disposable_dispose(made);
    belay_disposable_release(made);
  }
  belay_last_error();
}

static void a_table_goes_while_slots_are_made_elsewhere(void) {
  routine other;
  describe_many();
  atomic_store(&is_over, 0);
  start_thread(&other, make_and_end_slots, NULL);
  for (int round = 0; round < 300; round++) {
    for (int i = 0; i < MANY; i++) belay_disposable_release(intercept_one(i));
    CHECK_INT(belay_table_gone(&wide_table), 0);
  }
  atomic_store(&is_over, 1);
  join_thread(&other);
  int code = belay_table_gone(&wide_table);
  CHECK(code == 0 || code == BELAY_ENOENT);
  for (int i = 0; i < MANY; i++) CHECK(wide_table.functions[i] == add_one);
  belay_last_error();
  belay_interface_release(of_many);
}

/* ---- an object that ends ---- */

static object victim;
static atomic_int ready;
static belay_owner *victims_owner;
static belay_interface *of_objects;

static void take_slot(const char *name, int intercepts) {
  atomic_fetch_add(&ready, 1);
  until(&ready, 2);
  belay_slot *slot = belay_slot_create_in_object(of_objects, victims_owner, name);
  if (!slot) return (void)belay_last_error();
  if (intercepts) {
    int code = belay_slot_around(slot, proceed, NULL, NULL, NULL);
    CHECK(code == 0 || code == BELAY_EDEAD);
    belay_owner_end(&victim, NULL, NULL);
    CHECK(victim.table == &originals);
    victim.table = NULL; /* the memory is used for something else */
  }
  belay_slot_release(slot);
}
static void take_first(void *ctx) { take_slot("first", 0); }

static void an_object_ends_while_its_first_slot_is_made(void) {
  begin();
  of_objects = described((belay_interface_description){.name = "objects",
                                                       .table_size = sizeof(ops),
                                                       .methods = methods,
                                                       .method_count = 3,
                                                       .table_offset = offsetof(object, table)});
  for (int round = 0; round < 6000; round++) {
    routine other;
    victim.table = &originals;
    atomic_store(&ready, 0);
    victims_owner = belay_owner_adopt(&victim, NULL);
    start_thread(&other, take_first, NULL);
    take_slot("second", 1);
    join_thread(&other);
    CHECK(victim.table == NULL);
    belay_owner_release(victims_owner);
    belay_last_error();
  }
  belay_interface_release(of_objects);
  finish();
}

/* ---- waits ---- */

/* Two threads are inside of `second`. One of them waits for `third`, whose thread waits for `first`, whose thread waits
   for `second`. */
static belay_disposable *in_first, *in_second, *in_third;
static atomic_int step, inside;
static int answers[3];
static _Thread_local int stays;

static int wait_for_second(void *ctx, belay_invocation *call) {
  atomic_fetch_add(&inside, 1);
  until(&step, 1);
  atomic_store(&step, 2);
  answers[0] = belay_disposable_dispose_sync(in_second, 60);
  return 0;
}
static int wait_for_third(void *ctx, belay_invocation *call) {
  atomic_fetch_add(&inside, 1);
  until(&step, stays ? 4 : 2);
  if (stays) return 0;
  usleep(20000); /* until the first one sleeps, probably */
  atomic_store(&step, 3);
  answers[1] = belay_disposable_dispose_sync(in_third, 60);
  return 0;
}
static int wait_for_first(void *ctx, belay_invocation *call) {
  atomic_fetch_add(&inside, 1);
  until(&step, 3);
  usleep(20000);
  answers[2] = belay_disposable_dispose_sync(in_first, 60);
  atomic_store(&step, 4);
  return 0;
}
static void call_first(void *ctx) { table.first(NULL, 1); }
static void call_second(void *ctx) { table.second(NULL, 1); }
static void call_second_and_stay(void *ctx) {
  stays = 1;
  table.second(NULL, 1);
}
static void call_third(void *ctx) { table.third(NULL, 1); }

static void a_cycle_of_waits_is_found_behind_the_second_thread(void) {
  routine threads[4];
  begin();
  atomic_store(&step, 0);
  atomic_store(&inside, 0);
  in_first = intercept("first", wait_for_second, NULL, NULL);
  in_second = intercept("second", wait_for_third, NULL, NULL);
  in_third = intercept("third", wait_for_first, NULL, NULL);
  void (*const calls[])(void *) = {call_second_and_stay, call_first, call_second, call_third};
  for (int i = 0; i < 4; i++) {
    start_thread(&threads[i], calls[i], NULL);
    until(&inside, i + 1);
  }
  atomic_store(&step, 1);
  for (int i = 0; i < 4; i++) join_thread(&threads[i]);
  int refused = 0;
  for (int i = 0; i < 3; i++) {
    CHECK(answers[i] == 0 || answers[i] == BELAY_EDEADLK);
    refused += answers[i] == BELAY_EDEADLK;
  }
  CHECK_INT(refused, 1);
  CHECK_INT(belay_table_gone(&table), 0);
  belay_disposable_release(in_first);
  belay_disposable_release(in_second);
  belay_disposable_release(in_third);
  finish();
}

static atomic_int is_inside, may_leave, is_freed;
static void stay_inside(void) {
  atomic_store(&is_inside, 1);
  until(&may_leave, 1);
}
static int stay_in_connection(void *ctx, int number) {
  stay_inside();
  return 0;
}
static int stay_around(void *ctx, belay_invocation *call) {
  stay_inside();
  return belay_invocation_proceed(call);
}
static belay_value stay_in_answer(void *ctx, belay_invocation *call) {
  stay_inside();
  return belay_int32(1);
}
static void free_slowly(void *ctx) {
  usleep(20000);
  atomic_store(&is_freed, 1);
}
static void let_leave(void *ctx) {
  usleep(10000);
  atomic_store(&may_leave, 1);
}

static int connect_one(belay_slot *slot, belay_disposable **made) {
  return belay_slot_connect(slot, "i@i", (belay_function)stay_in_connection, NULL, free_slowly, made);
}
static int put_around(belay_slot *slot, belay_disposable **made) {
  return belay_slot_around(slot, stay_around, NULL, free_slowly, made);
}
static int respond(belay_slot *slot, belay_disposable **made) {
  return belay_slot_respond(slot, stay_in_answer, NULL, free_slowly, made);
}

static void a_wait_ends_after_the_context_has_been_freed(void) {
  int (*const kinds[])(belay_slot *, belay_disposable **) = {connect_one, put_around, respond};
  begin();
  for (int i = 0; i < 3; i++) {
    routine caller, letter;
    belay_disposable *hook = NULL;
    belay_slot *slot = belay_slot_create_in_table(interface, &table, "first", 0);
    atomic_store(&is_inside, 0);
    atomic_store(&may_leave, 0);
    atomic_store(&is_freed, 0);
    CHECK_INT(kinds[i](slot, &hook), 0);
    start_thread(&caller, call_first, NULL);
    until(&is_inside, 1);
    start_thread(&letter, let_leave, NULL);
    CHECK_INT(belay_disposable_dispose_sync(hook, -1), 0);
    CHECK_INT(atomic_load(&is_freed), 1);
    join_thread(&caller);
    join_thread(&letter);
    belay_disposable_release(hook);
    belay_slot_release(slot);
  }
  CHECK_INT(belay_table_gone(&table), 0);
  finish();
}

/* ---- proxies ---- */

typedef struct wide_ops {
  ops base;
  int (*fourth)(void *it, int number);
} wide_ops;
static const belay_method wide_methods[] = {BELAY_METHOD(wide_ops, fourth, "i@i")};
static const wide_ops delegate = {{add_one, add_two, add_three}, add_one};

typedef struct user {
  _Atomic(const void *) delegate;
} user;
static user the_user;
static int install(void *it, const void *given) {
  atomic_store(&((user *)it)->delegate, given);
  return 0;
}
static const void *installed(void *it) { return atomic_load(&((user *)it)->delegate); }

static belay_interface *delegates(int asks) {
  return described((belay_interface_description){.name = "delegate",
                                                 .table_size = sizeof(ops),
                                                 .methods = methods,
                                                 .method_count = 3,
                                                 .table_offset = BELAY_NO_TABLE,
                                                 .install = install,
                                                 .installed = asks ? installed : NULL});
}
static belay_interface *derived(belay_interface *base, int is_wide) {
  return described((belay_interface_description){.name = "derived",
                                                 .table_size = is_wide ? sizeof(wide_ops) : sizeof(ops),
                                                 .methods = is_wide ? wide_methods : NULL,
                                                 .method_count = (size_t)is_wide,
                                                 .table_offset = BELAY_NO_TABLE,
                                                 .base = base});
}
static int note_call(void *ctx, int number) { return trace("connected %d", number), 0; }

/* The newer proxy is for the base alone. What the object calls of the derived part reaches the older one. */
static void a_proxy_of_a_base_in_front_of_one_of_the_derived(void) {
  for (int asks = 0; asks < 2; asks++) {
    belay_interface *base = delegates(asks), *wide = derived(base, 1);
    atomic_store(&the_user.delegate, NULL);
    belay_owner *owner = belay_owner_adopt(&the_user, NULL);
    belay_proxy *older = belay_proxy_create(owner, wide);
    CHECK_INT(belay_proxy_forward_to(older, &delegate, NULL), 0);
    belay_slot *slot = belay_slot_create_in_proxy(older, "fourth");
    CHECK_INT(belay_slot_connect(slot, "i@i", (belay_function)note_call, NULL, NULL, NULL), 0);
    belay_proxy *newer = belay_proxy_create(owner, base);
    const wide_ops *present = installed(&the_user);
    CHECK(present == belay_proxy_table(newer));
    CHECK_INT(present->base.first(NULL, 1), 2);
    CHECK_INT(present->fourth(NULL, 1), 2);
    CHECK_TRACE("connected 1");
    belay_proxy_release(newer);
    belay_proxy_release(older);
    belay_slot_release(slot);
    CHECK_INT(belay_owner_end(&the_user, NULL, NULL), 0);
    belay_owner_release(owner);
    belay_interface_release(wide);
    belay_interface_release(base);
  }
}

static belay_interface *narrow[2];
static belay_owner *users_owner;
static atomic_int may_make;
static void make_newer(void *ctx) {
  until(&may_make, 1);
  belay_proxy *newer = belay_proxy_create(users_owner, narrow[1]);
  CHECK(newer != NULL);
  belay_proxy_release(newer);
}

/* One thread intercepts by the older proxy while another makes the newer one. Nobody else writes. */
static void proxies_of_one_delegate_are_installed_at_once(void) {
  belay_interface *base = delegates(1);
  for (int i = 0; i < 2; i++) narrow[i] = derived(base, 0);
  for (int round = 0; round < 1000; round++) {
    routine other;
    atomic_store(&the_user.delegate, NULL);
    atomic_store(&may_make, 0);
    users_owner = belay_owner_adopt(&the_user, NULL);
    belay_proxy *older = belay_proxy_create(users_owner, narrow[0]);
    belay_slot *slot = belay_slot_create_in_proxy(older, "first");
    start_thread(&other, make_newer, NULL);
    atomic_store(&may_make, 1);
    for (int i = 0; i < 6; i++) {
      belay_disposable *made = NULL;
      CHECK_INT(belay_slot_connect(slot, "i@i", (belay_function)note_call, NULL, NULL, &made), 0);
      belay_disposable_dispose(made);
      belay_disposable_release(made);
    }
    join_thread(&other);
    belay_proxy *newer = belay_proxy_create(users_owner, narrow[1]);
    CHECK(installed(&the_user) == belay_proxy_table(newer));
    belay_proxy_release(newer);
    belay_slot_release(slot);
    belay_proxy_release(older);
    CHECK_INT(belay_owner_end(&the_user, NULL, NULL), 0);
    belay_owner_release(users_owner);
    CHECK(installed(&the_user) == NULL);
  }
  for (int i = 0; i < 2; i++) belay_interface_release(narrow[i]);
  belay_interface_release(base);
}

/* The oldest of three asks whose table the object has, while the other two come. */
static atomic_int may_answer, is_asked;
static _Thread_local int answers_late;
static const void *installed_late(void *it) {
  if (answers_late) {
    atomic_store(&is_asked, 1);
    until(&may_answer, 1);
  }
  return installed(it);
}
static belay_slot *of_oldest;
static void intercept_oldest(void *ctx) {
  answers_late = 1;
  CHECK_INT(belay_slot_connect(of_oldest, "i@i", (belay_function)note_call, NULL, NULL, NULL), 0);
}

static void the_newest_of_three_proxies_stays_in_front(void) {
  belay_interface *base = described((belay_interface_description){.name = "delegate",
                                                                  .table_size = sizeof(ops),
                                                                  .methods = methods,
                                                                  .method_count = 3,
                                                                  .table_offset = BELAY_NO_TABLE,
                                                                  .install = install,
                                                                  .installed = installed_late});
  belay_interface *each[3];
  belay_proxy *proxies[3];
  routine other;
  atomic_store(&the_user.delegate, NULL);
  atomic_store(&may_answer, 0);
  atomic_store(&is_asked, 0);
  belay_owner *owner = belay_owner_adopt(&the_user, NULL);
  for (int i = 0; i < 3; i++) each[i] = derived(base, 0);
  proxies[0] = belay_proxy_create(owner, each[0]);
  of_oldest = belay_slot_create_in_proxy(proxies[0], "first");
  start_thread(&other, intercept_oldest, NULL);
  until(&is_asked, 1);
  for (int i = 1; i < 3; i++) proxies[i] = belay_proxy_create(owner, each[i]);
  atomic_store(&may_answer, 1);
  join_thread(&other);
  const ops *present = installed(&the_user);
  CHECK(present == belay_proxy_table(proxies[2]));
  CHECK_INT(present->first(NULL, 1), 0);
  CHECK_TRACE("connected 1");
  for (int i = 0; i < 3; i++) belay_proxy_release(proxies[i]);
  belay_slot_release(of_oldest);
  CHECK_INT(belay_owner_end(&the_user, NULL, NULL), 0);
  belay_owner_release(owner);
  for (int i = 0; i < 3; i++) belay_interface_release(each[i]);
  belay_interface_release(base);
}

static const test_case cases[] = {
    CASE(a_table_goes_while_a_slot_is_made_inside),
    CASE(a_table_goes_while_slots_are_made_elsewhere),
    CASE(an_object_ends_while_its_first_slot_is_made),
    CASE(a_cycle_of_waits_is_found_behind_the_second_thread),
    CASE(a_wait_ends_after_the_context_has_been_freed),
    CASE(a_proxy_of_a_base_in_front_of_one_of_the_derived),
    CASE(proxies_of_one_delegate_are_installed_at_once),
    CASE(the_newest_of_three_proxies_stays_in_front),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
