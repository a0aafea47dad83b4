/* Proxies from several threads: threads ask for a proxy, subscribe, call, and let it die at the
   same time. A5-07, C-51. */
#include "stage.h"

#include <stdatomic.h>

enum { ROUNDS = 40, TURNS = 300, THREADS = 4 };

/* Calls through the table as an object does whose table other threads may change: it calls the
   function that it has looked at. Answers what may_close() does, or 3. */
static int call(view *it) {
  const delegate *table = delegate_of(it);
  if (!table) return 3;
  void (*moved)(view *, double, double) = __atomic_load_n(&table->moved, __ATOMIC_ACQUIRE);
  if (moved) moved(it, 1, 2);
  int (*may_close)(view *, int) = __atomic_load_n(&table->may_close, __ATOMIC_ACQUIRE);
  return may_close ? may_close(it, 3) : 3;
}

static atomic_int calls;
static void counted_moved(view *it, double x, double y) {
  CHECK(x == 1 && y == 2);
  atomic_fetch_add(&calls, 1);
}
static const delegate counting = {.moved = counted_moved, .may_close = its_may_close};

static void count_next(void *ctx, belay_value value) {
  CHECK_INT(belay_value_count(value), 2);
  atomic_fetch_add((atomic_int *)ctx, 1);
}
static belay_disposable *count_moves(belay_proxy *proxy, atomic_int *heard) {
  belay_slot *slot = belay_slot_create_in_proxy(proxy, "moved");
  if (!slot) return NULL;
  belay_signal *signal = belay_slot_sent(slot);
  belay_slot_release(slot);
  belay_disposable *disposable = NULL;
  CHECK_INT(belay_signal_subscribe(signal, &(belay_observer){
      .size = sizeof(belay_observer), .next = count_next, .ctx = heard}, &disposable), 0);
  belay_signal_release(signal);
  return disposable;
}

/* ---- asking ---- */

typedef struct asking {
  view it;
  belay_owner *owner;
  pthread_barrier_t start;
  belay_proxy *answers[THREADS];
  atomic_int next, heard;
} asking;

static void ask(void *argument) {
  asking *on = argument;
  int mine = atomic_fetch_add(&on->next, 1);
  pthread_barrier_wait(&on->start);
  on->answers[mine] = belay_proxy_create(on->owner, the_delegates());
  end_subscription(count_moves(on->answers[mine], &on->heard));
}

static void A5_07_the_same_proxy_when_several_ask_at_once(void) {
  CHECK(the_delegates() != NULL); /* made before there are other threads */
  for (int round = 0; round < ROUNDS; round++) {
    asking on = {.it = {.delegate = &counting}};
    on.owner = belay_owner_create(&on.it, NULL, NULL, NULL);
    pthread_barrier_init(&on.start, NULL, THREADS);
    routine threads[THREADS];
    for (int i = 0; i < THREADS; i++) start_thread(&threads[i], ask, &on);
    for (int i = 0; i < THREADS; i++) join_thread(&threads[i]);
    for (int i = 0; i < THREADS; i++) {
      CHECK(on.answers[i] && on.answers[i] == on.answers[0]);
      belay_proxy_release(on.answers[i]);
    }
    CHECK_INT(on.it.installs, 1); /* the original has this method */
    belay_owner_release(on.owner);
    CHECK(on.it.delegate == &counting);
    pthread_barrier_destroy(&on.start);
  }
}

/* ---- another thread installs meanwhile ---- */

/* A thread stops once, where it asks its object for the delegate or gives it one, until another thread
   has done what it does. */
typedef enum stop { NOWHERE, ASKING, GIVING } stop;
static sem_t has_stopped, goes_on;
static _Thread_local stop stops;
static void stop_once(stop here) {
  if (stops != here) return;
  stops = NOWHERE;
  sem_post(&has_stopped);
  wait_for(&goes_on);
}
static const void *installed_slowly(void *object) {
  const void *found = installed_delegate(object);
  stop_once(ASKING);
  return found;
}
static int install_slowly(void *object, const void *table) {
  view *it = object;
  stop_once(GIVING);
  if (!it->refusal) __atomic_store_n(&it->delegate, table, __ATOMIC_RELEASE);
  return it->refusal;
}

typedef struct pair {
  view it;
  belay_owner *owner;
  belay_interface *interfaces[2];
  belay_proxy *proxies[2];
  belay_disposable *moves[2];
  atomic_int heard[2];
  stop stops;
} pair;
static void begin_pair(pair *on, stop stops) {
  sem_init(&has_stopped, 0, 0);
  sem_init(&goes_on, 0, 0);
  *on = (pair){.it = {.delegate = &counting}, .stops = stops};
  for (int i = 0; i < 2; i++) {
    belay_interface_description description = describing_delegates();
    description.install = install_slowly;
    description.installed = installed_slowly;
    on->interfaces[i] = described(description);
  }
  on->owner = belay_owner_create(&on->it, NULL, NULL, NULL);
}
static void finish_pair(pair *on) {
  belay_owner_release(on->owner);
  CHECK(on->it.delegate == &counting);
  for (int i = 0; i < 2; i++) {
    belay_disposable_release(on->moves[i]);
    belay_proxy_release(on->proxies[i]);
    belay_interface_release(on->interfaces[i]);
  }
  sem_destroy(&has_stopped);
  sem_destroy(&goes_on);
}
static void create_half(pair *on, int which) {
  on->proxies[which] = belay_proxy_create(on->owner, on->interfaces[which]);
  CHECK(on->proxies[which] != NULL);
  on->moves[which] = count_moves(on->proxies[which], &on->heard[which]);
}
static void create_slowly(void *argument) {
  pair *on = argument;
  stops = on->stops;
  create_half(on, 1);
}
static void check_both_hear(pair *on) {
  int before[] = {on->heard[0], on->heard[1]}, passed = calls;
  call(&on->it);
  for (int i = 0; i < 2; i++) CHECK_INT(on->heard[i], before[i] + 1);
  CHECK_INT(calls, passed + 1);
}

static void two_proxies_of_one_delegate_made_at_once(void) {
  for (stop where = ASKING; where <= GIVING; where++) {
    pair on;
    begin_pair(&on, where);
    routine thread;
    start_thread(&thread, create_slowly, &on);
    wait_for(&has_stopped);
    create_half(&on, 0);
    sem_post(&goes_on);
    join_thread(&thread);
    check_both_hear(&on);
    for (int i = 0; i < 2; i++) { /* either may stop listening, and begin again */
      end_subscription(on.moves[i]);
      on.moves[i] = count_moves(on.proxies[i], &on.heard[i]);
      check_both_hear(&on);
    }
    finish_pair(&on);
  }
}

/* The second may come too late, be installed, or be in the middle of it. */
static atomic_int is_asked;
static const void *installed_notably(void *object) {
  const void *found = installed_delegate(object);
  atomic_store(&is_asked, 1);
  return found;
}
static void create_while_it_dies(void *argument) {
  pair *on = argument;
  on->proxies[1] = belay_proxy_create(on->owner, on->interfaces[1]);
}
static void the_object_dies_while_a_second_proxy_is_made(void) {
  unsigned seed = 5;
  for (int round = 0; round < 400; round++) {
    pair on;
    begin_pair(&on, NOWHERE);
    belay_owner_release(on.owner);
    on.owner = belay_owner_adopt(&on.it, NULL);
    belay_interface_description description = describing_delegates();
    description.install = install_slowly;
    description.installed = installed_notably;
    belay_interface_release(on.interfaces[1]);
    on.interfaces[1] = described(description);
    on.proxies[0] = belay_proxy_create(on.owner, on.interfaces[0]);
    atomic_store(&is_asked, 0);
    routine thread;
    start_thread(&thread, create_while_it_dies, &on);
    while (!atomic_load(&is_asked)) sched_yield();
    seed = seed * 1103515245 + 12345;
    for (volatile unsigned i = 0; i < seed / 65536 % 4000; i++) {
    }
    CHECK_INT(belay_owner_end(&on.it, NULL, NULL), 0);
    join_thread(&thread);
    finish_pair(&on);
  }
}

static void create_in_vain(void *argument) {
  pair *on = argument;
  stops = GIVING;
  CHECK(belay_proxy_create(on->owner, on->interfaces[1]) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EBUSY);
}
static void the_first_install_fails_while_another_thread_has_the_proxy(void) {
  pair on;
  begin_pair(&on, GIVING);
  on.it.refusal = BELAY_EBUSY;
  routine thread;
  start_thread(&thread, create_in_vain, &on);
  wait_for(&has_stopped);
  belay_proxy *lost = belay_proxy_create(on.owner, on.interfaces[1]);
  belay_disposable *moves = follow_sent(lost, "moved");
  sem_post(&goes_on);
  join_thread(&thread);
  /* It has ended, and says so. */
  ended(moves, "moved completed");
  CHECK(belay_slot_create_in_proxy(lost, "moved") == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EDEAD);
  CHECK_FAILS(belay_proxy_forward_to(lost, NULL, NULL), BELAY_EDEAD);
  belay_proxy_release(lost);
  on.it.refusal = 0;
  for (int i = 0; i < 2; i++) create_half(&on, i);
  check_both_hear(&on);
  finish_pair(&on);
}

/* ---- subscribing, and calling meanwhile ---- */

typedef struct traffic {
  view it;
  belay_owner *owner;
  belay_proxy *proxy;
  int least; /* the least that may_close() answers */
  atomic_int stops, heard;
  routine caller;
} traffic;

static void call_until_stopped(void *argument) {
  traffic *on = argument;
  while (!atomic_load(&on->stops)) {
    int answer = call(&on->it);
    CHECK(answer == 3 || answer == on->least);
  }
}
static void subscribe_often(void *argument) {
  traffic *on = argument;
  for (int i = 0; i < TURNS; i++) {
    belay_disposable *disposable = count_moves(on->proxy, &on->heard);
    if (!disposable) return;
    end_subscription(disposable);
  }
}
static void intercept_often(void *argument) {
  traffic *on = argument;
  for (int i = 0; i < TURNS; i++) {
    belay_slot *slot = belay_slot_create_in_proxy(on->proxy, i & 1 ? "placed" : "may_close");
    if (!slot) return;
    belay_disposable *disposable = NULL;
    int code = belay_slot_around(slot, proceed, NULL, NULL, &disposable);
    CHECK(code == 0 || code == BELAY_EDEAD);
    belay_slot_release(slot);
    if (disposable) end_subscription(disposable);
  }
}
static void forward_often(void *argument) {
  traffic *on = argument;
  for (int i = 0; i < TURNS; i++) {
    belay_owner *delegates = belay_owner_create(NULL, NULL, NULL, NULL);
    int code = belay_proxy_forward_to(on->proxy, &counting, delegates);
    CHECK(code == 0 || code == BELAY_EDEAD);
    belay_owner_release(delegates);
  }
}

static void A5_30_subscriptions_and_calls_at_once(void) {
  traffic on = {.it = {.delegate = NULL}};
  on.owner = belay_owner_create(&on.it, NULL, NULL, NULL);
  on.proxy = belay_proxy_create(on.owner, the_delegates());
  routine threads[THREADS];
  start_thread(&on.caller, call_until_stopped, &on);
  start_thread(&threads[0], subscribe_often, &on);
  start_thread(&threads[1], subscribe_often, &on);
  start_thread(&threads[2], intercept_often, &on);
  start_thread(&threads[3], forward_often, &on);
  for (int i = 0; i < THREADS; i++) join_thread(&threads[i]);
  atomic_store(&on.stops, 1);
  join_thread(&on.caller);
  const delegate *table = belay_proxy_table(on.proxy);
  CHECK(!table->moved && !table->placed && !table->may_close);
  CHECK_INT(on.it.remembered, 0); /* the object was told so */
  belay_disposable *disposable = count_moves(on.proxy, &on.heard);
  int before = atomic_load(&on.heard);
  view_move(&on.it, 1, 2);
  CHECK_INT(atomic_load(&on.heard), before + 1);
  end_subscription(disposable);
  belay_owner_release(on.owner);
  belay_proxy_release(on.proxy);
}

/* ---- dying ---- */

/* Threads may call through the object's table until its deinit stops them. */
static void stop_calling(void *object) {
  traffic *on = object;
  atomic_store(&on->stops, 1);
  join_thread(&on->caller);
}
static void an_object_that_dies_meanwhile(void) {
  for (int round = 0; round < ROUNDS; round++) {
    traffic on = {.it = {.delegate = &counting}, .least = 3};
    on.owner =
        belay_owner_create(&on, stop_calling, NULL, NULL); /* the view is its first member */
    on.proxy = belay_proxy_create(on.owner, the_delegates());
    belay_disposable *moves = count_moves(on.proxy, &on.heard);
    routine threads[2];
    start_thread(&on.caller, call_until_stopped, &on);
    start_thread(&threads[0], subscribe_often, &on);
    start_thread(&threads[1], intercept_often, &on);
    while (atomic_load(&on.heard) < 20) sched_yield();
    belay_owner_release(on.owner);
    for (int i = 0; i < 2; i++) join_thread(&threads[i]);
    CHECK_INT(atomic_load(&on.stops), 1);
    CHECK(on.it.delegate == &counting);
    belay_disposable_release(moves);
    belay_proxy_release(on.proxy);
  }
}

typedef struct slow {
  view it;
  belay_owner *owner;
  belay_weak *weak;
  belay_proxy *proxy;
  sem_t is_inside;
  atomic_int deinits;
} slow;
static slow *waiting;
static void wait_for_the_death(view *it) {
  it->inside = NULL;
  sem_post(&waiting->is_inside);
  for (belay_owner *alive; (alive = belay_weak_upgrade(waiting->weak)); belay_owner_release(alive))
    sched_yield();
  CHECK_INT(atomic_load(&waiting->deinits), 0);
}
static void subscribe_slowly(void *argument) {
  slow *on = argument;
  atomic_int heard = 0;
  belay_disposable *disposable = count_moves(on->proxy, &heard);
  belay_disposable_release(disposable);
}
static void note_deinit(void *object) {
  slow *on = object;
  CHECK(on->it.delegate == NULL); /* the proxy took its delegate back before */
  atomic_fetch_add(&on->deinits, 1);
}

static void a_death_waits_for_an_install_on_another_thread(void) {
  for (int is_adopted = 0; is_adopted < 2; is_adopted++) {
    slow on = {.it = {.delegate = NULL}};
    waiting = &on;
    sem_init(&on.is_inside, 0, 0);
    on.owner = is_adopted ? belay_owner_adopt(&on, NULL)
                          : belay_owner_create(&on, note_deinit, NULL, NULL);
    on.proxy = belay_proxy_create(on.owner, the_delegates());
    on.it.inside = wait_for_the_death;
    on.weak = belay_weak_create(on.owner);
    routine thread;
    start_thread(&thread, subscribe_slowly, &on);
    wait_for(&on.is_inside);
    if (is_adopted) CHECK_INT(belay_owner_end(&on, note_deinit, &on), 0);
    belay_owner_release(on.owner);
    join_thread(&thread);
    CHECK_INT(on.deinits, 1);
    CHECK_INT(on.it.installs, 3);
    belay_weak_release(on.weak);
    belay_proxy_release(on.proxy);
    sem_destroy(&on.is_inside);
  }
}

static const test_case cases[] = {
    CASE(A5_07_the_same_proxy_when_several_ask_at_once),
    CASE(two_proxies_of_one_delegate_made_at_once),
    CASE(the_object_dies_while_a_second_proxy_is_made),
    CASE(the_first_install_fails_while_another_thread_has_the_proxy),
    CASE(A5_30_subscriptions_and_calls_at_once),
    CASE(an_object_that_dies_meanwhile),
    CASE(a_death_waits_for_an_install_on_another_thread),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
