/* Owners that die while other threads are at work; adopted pointers, whose end the host declares.
 */
#include "worker.h"

static pthread_t deinit_thread, dealloc_thread;
static void on_deinit(void *object) {
  deinit_thread = pthread_self();
  trace("deinit");
}
static void on_dealloc(void *object) {
  dealloc_thread = pthread_self();
  trace("dealloc");
}
static belay_owner *traced_owner(void) { return belay_owner_create(NULL, on_deinit, on_dealloc); }

static void follow(belay_owner *owner) {
  static const char *const names[] = {"deallocating", "deallocated"};
  for (int i = 0; i < 2; i++) {
    belay_observer observer = rendering(names[i]);
    observer.disposed = NULL;
    observer.ctx_free = NULL;
    belay_signal *signal = i ? belay_owner_deallocated(owner) : belay_owner_deallocating(owner);
    CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
    belay_signal_release(signal);
  }
}
/* ---- a callback that is held inside on a worker's thread ---- */
static sem_t inside, go_on;
static void hold_in_next(void *ctx, belay_value value) {
  trace("inside");
  sem_post(&inside);
  wait_for(&go_on);
  trace("leaves");
}

typedef struct held {
  worker worker;
  belay_owner *owner;
  belay_signal *subject;
} held;

static void subscribe_held(void *ctx) {
  held *it = ctx;
  belay_observer observer = {.size = sizeof observer, .next = hold_in_next};
  it->subject = belay_subject_create(NULL);
  CHECK_INT(belay_signal_subscribe_owned(it->subject, it->owner, &observer, NULL), 0);
}
static void begin_held(held *it) {
  sem_init(&inside, 0, 0);
  sem_init(&go_on, 0, 0);
  start_worker(&it->worker);
  on_worker(&it->worker, subscribe_held, it);
  CHECK_INT(belay_subject_next(it->subject, belay_null()), BELAY_QUEUED);
  wait_for(&inside);
}
static void end_held(held *it) {
  meet(&it->worker);
  belay_signal_release(it->subject);
  stop_worker(&it->worker);
}

static void rule_1_4_a_death_waits_for_a_callback_on_another_thread(void) {
  held it = {.owner = traced_owner()};
  begin_held(&it);
  belay_weak *weak = belay_weak_create(it.owner);
  belay_owner_add_action(it.owner, trace_action, "bound", NULL);
  belay_owner_release(it.owner);
  CHECK(belay_weak_get(weak) == NULL);
  CHECK_TRACE("inside | action bound"); /* 1 to 3 at once, 4 to 8 not yet */
  sem_post(&go_on);
  meet(&it.worker);
  CHECK_TRACE("leaves | deinit | dealloc");
  CHECK(pthread_equal(deinit_thread, it.worker.thread));
  CHECK(pthread_equal(dealloc_thread, it.worker.thread));
  belay_weak_release(weak);
  end_held(&it);
}

/* ---- where an owner dies ---- */
static void release_owner(void *owner) { belay_owner_release(owner); }
static void note_thread(void *thread) { *(pthread_t *)thread = pthread_self(); }

static void A1_28_a_death_is_on_the_thread_of_the_last_release(void) {
  belay_owner *owner = traced_owner();
  belay_owner_retain(owner);
  belay_owner_release(owner);
  routine other;
  start_thread(&other, release_owner, owner);
  pthread_t thread = other.thread;
  join_thread(&other);
  CHECK_TRACE("deinit | dealloc");
  CHECK(pthread_equal(deinit_thread, thread));
}

static void rule_1_4_an_owner_with_a_loop_dies_there(void) {
  worker home = {0};
  start_worker(&home);
  belay_owner_options options = {.size = sizeof options, .loop = home.loop};
  belay_owner *owner = belay_owner_create_with(NULL, on_deinit, on_dealloc, &options);
  pthread_t bound = pthread_self();
  belay_owner_add_action(owner, note_thread, &bound, NULL);
  belay_owner_release(owner);
  meet(&home);
  CHECK_TRACE("deinit | dealloc");
  CHECK(pthread_equal(bound, home.thread));
  CHECK(pthread_equal(deinit_thread, home.thread));
  CHECK(pthread_equal(dealloc_thread, home.thread));
  stop_worker(&home);
}

static void rule_1_4_a_weak_reference_may_save_it_on_the_way_to_its_loop(void) {
  worker home = {.is_held = 1};
  start_worker(&home);
  belay_owner_options options = {.size = sizeof options, .loop = home.loop};
  belay_owner *owner = belay_owner_create_with(NULL, on_deinit, on_dealloc, &options);
  belay_weak *weak = belay_weak_create(owner);
  belay_owner_release(owner);
  /* Either it is dying already, or whoever gets it keeps it alive. */
  belay_owner *strong = belay_weak_get(weak);
  worker_go(&home);
  meet(&home);
  if (strong) {
    CHECK_TRACE("");
    CHECK_INT(belay_owner_is_dying(strong), 0);
    belay_owner_release(strong);
    meet(&home);
  }
  CHECK_TRACE("deinit | dealloc");
  CHECK(belay_weak_get(weak) == NULL);
  belay_weak_release(weak);
  stop_worker(&home);
}

/* ---- notices that hop ---- */
typedef struct listening {
  belay_owner *owner;
  worker *home;
  int count, strayed;
} listening;
static void hear(void *ctx, belay_value value) {
  listening *it = ctx;
  it->count++;
  it->strayed += !is_on(it->home);
}
static void listen_there(void *ctx) {
  listening *it = ctx;
  belay_observer observer = {.size = sizeof observer, .next = hear, .ctx = it};
  belay_signal *signals[] = {belay_owner_deallocating(it->owner),
                             belay_owner_deallocated(it->owner)};
  for (int i = 0; i < 2; i++) {
    CHECK_INT(belay_signal_subscribe(signals[i], &observer, NULL), 0);
    belay_signal_release(signals[i]);
  }
}
static void rule_1_4_notices_are_heard_at_the_subscriptions_home(void) {
  worker home = {0};
  start_worker(&home);
  listening it = {.owner = traced_owner(), .home = &home};
  on_worker(&home, listen_there, &it);
  belay_owner_release(it.owner);
  meet(&home);
  CHECK_INT(it.count, 2);
  CHECK_INT(it.strayed, 0);
  CHECK_TRACE("deinit | dealloc");
  stop_worker(&home);
}

/* ---- races ---- */
enum { ROUNDS = 400, THREADS = 3 };
typedef struct crowd {
  pthread_barrier_t begin, end;
  belay_owner *owner;
  belay_weak *weak;
  int deinits, deallocs, heard, rounds, late;
} crowd;

static void count_deinit(void *crowd_) {
  crowd *it = crowd_;
  __atomic_add_fetch(&it->deinits, 1, __ATOMIC_RELAXED);
}
static void count_dealloc(void *crowd_) {
  crowd *it = crowd_;
  __atomic_add_fetch(&it->deallocs, 1, __ATOMIC_RELAXED);
}
static void count_heard(void *ctx, belay_value value) {
  __atomic_add_fetch(&((crowd *)ctx)->heard, 1, __ATOMIC_RELAXED);
}

/* All ask for the signal, subscribe, bind, and let go of their reference, all at once. */
static void crowd_main(void *ctx) {
  crowd *it = ctx;
  for (int round = 0; round < it->rounds; round++) {
    pthread_barrier_wait(&it->begin);
    belay_observer observer = {.size = sizeof observer, .next = count_heard, .ctx = ctx};
    belay_signal *signal = belay_owner_deallocated(it->owner);
    CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
    belay_signal_release(signal);
    belay_owner *strong = belay_weak_get(it->weak);
    belay_owner_release(it->owner);
    if (strong) {
      if (belay_owner_is_dying(strong)) __atomic_add_fetch(&it->late, 1, __ATOMIC_RELAXED);
      belay_owner_release(strong);
    }
    pthread_barrier_wait(&it->end);
  }
}

static void A1_07_asked_by_several_threads_and_released_by_all_it_dies_once(void) {
  crowd it = {.rounds = ROUNDS};
  pthread_barrier_init(&it.begin, NULL, THREADS + 1);
  pthread_barrier_init(&it.end, NULL, THREADS + 1);
  routine threads[THREADS];
  for (int i = 0; i < THREADS; i++) start_thread(&threads[i], crowd_main, &it);
  for (int round = 1; round <= ROUNDS; round++) {
    it.owner = belay_owner_create(&it, count_deinit, count_dealloc);
    it.weak = belay_weak_create(it.owner);
    for (int i = 1; i < THREADS; i++) belay_owner_retain(it.owner);
    pthread_barrier_wait(&it.begin);
    pthread_barrier_wait(&it.end);
    CHECK_INT(it.deinits, round);
    CHECK_INT(it.deallocs, round);
    CHECK_INT(it.heard, round * THREADS);
    CHECK(belay_weak_get(it.weak) == NULL);
    belay_weak_release(it.weak);
  }
  for (int i = 0; i < THREADS; i++) join_thread(&threads[i]);
  CHECK_INT(it.late, 0);
}

/* Callbacks use the owner's object; the deinit spoils it. */
typedef struct object {
  int is_spoilt, uses, errors;
} object;
static void use_object(void *ctx, belay_value value) {
  object *it = ctx;
  if (__atomic_load_n(&it->is_spoilt, __ATOMIC_RELAXED)) it->errors++;
  for (int i = 0; i < 5; i++) sched_yield();
  if (__atomic_load_n(&it->is_spoilt, __ATOMIC_RELAXED)) it->errors++;
  it->uses++;
}
static void spoil_object(void *ctx) {
  __atomic_store_n(&((object *)ctx)->is_spoilt, 1, __ATOMIC_RELAXED);
}

typedef struct deaths {
  pthread_barrier_t begin, end;
  object object;
  belay_owner *owner;
  int is_adopted;
} deaths;
static void kill_in_rounds(void *ctx) {
  deaths *it = ctx;
  for (int round = 0; round < ROUNDS; round++) {
    pthread_barrier_wait(&it->begin);
    belay_owner_release(it->owner);
    if (it->is_adopted) CHECK_INT(belay_owner_end(&it->object, spoil_object, &it->object), 0);
    pthread_barrier_wait(&it->end);
  }
}

static void race_deaths(int has_loop, int is_adopted) {
  deaths it = {.is_adopted = is_adopted};
  int errors = 0;
  belay_loop *loop = has_loop ? open_loop() : NULL;
  belay_signal *subject = belay_subject_create(NULL);
  pthread_barrier_init(&it.begin, NULL, 2);
  pthread_barrier_init(&it.end, NULL, 2);
  routine killer;
  start_thread(&killer, kill_in_rounds, &it);
  for (int round = 0; round < ROUNDS; round++) {
    it.object = (object){0};
    it.owner = is_adopted ? belay_owner_adopt(&it.object, NULL)
                          : belay_owner_create(&it.object, spoil_object, NULL);
    belay_observer observer = {.size = sizeof observer, .next = use_object, .ctx = &it.object};
    for (int i = 0; i < 3; i++)
      CHECK_INT(belay_signal_subscribe_owned(subject, it.owner, &observer, NULL), 0);
    pthread_barrier_wait(&it.begin);
    for (int i = 0; i < 10; i++) belay_subject_next(subject, belay_null());
    pthread_barrier_wait(&it.end);
    if (loop) turn(loop);
    errors += it.object.errors + !it.object.is_spoilt;
  }
  join_thread(&killer);
  belay_signal_release(subject);
  if (loop) close_loop(loop);
  CHECK_INT(errors, 0);
}
static void rule_1_4_no_deinit_under_a_callback_without_a_loop(void) { race_deaths(0, 0); }
static void rule_1_4_no_deinit_under_a_callback_at_a_loop(void) { race_deaths(1, 0); }
static void rule_1_4_no_end_of_an_adopted_pointer_under_a_callback(void) {
  race_deaths(0, 1);
  race_deaths(1, 1);
}

/* ---- adopted pointers ---- */
static void destroy(void *name) { trace("destroy %s", (const char *)name); }

static void adopted_pointers_end_when_the_host_says_so(void) {
  int object;
  belay_owner *owner = belay_owner_adopt(&object, NULL);
  CHECK(owner != NULL);
  belay_owner *again = belay_owner_adopt(&object, NULL);
  CHECK(again == owner);
  CHECK(belay_owner_object(owner) == &object);
  follow(owner);
  belay_owner_add_action(owner, trace_action, "bound", NULL);
  belay_owner_release(again);
  belay_owner_release(owner);
  CHECK_TRACE("");
  CHECK_INT(belay_owner_end(&object, destroy, "object"), 0);
  CHECK_TRACE(
      "deallocating next null | action bound | destroy object | deallocating completed | "
      "deallocated next null | deallocated completed");
}

static void adopted_pointers_end_in_two_halves(void) {
  int object;
  belay_owner *owner = belay_owner_adopt(&object, NULL);
  follow(owner);
  belay_owner_add_action(owner, trace_action, "bound", NULL);
  CHECK_FAILS(belay_owner_did_end(&object), BELAY_ENOENT);
  CHECK_INT(belay_owner_will_end(&object), 0);
  CHECK_TRACE("deallocating next null | action bound");
  CHECK_INT(belay_owner_is_dying(owner), 1);
  CHECK_FAILS(belay_owner_will_end(&object), BELAY_EDEAD);
  CHECK_FAILS(belay_owner_end(&object, destroy, "no"), BELAY_EDEAD);
  CHECK_TRACE("");
  CHECK_INT(belay_owner_did_end(&object), 0);
  CHECK_TRACE("deallocating completed | deallocated next null | deallocated completed");
  CHECK_FAILS(belay_owner_did_end(&object), BELAY_ENOENT);
  belay_owner_release(owner);
}

static void an_address_that_is_used_again_is_a_new_owner(void) {
  int object;
  belay_owner *old = belay_owner_adopt(&object, NULL);
  CHECK_INT(belay_owner_end(&object, NULL, NULL), 0);
  belay_owner *new = belay_owner_adopt(&object, NULL);
  CHECK(new != old);
  CHECK_INT(belay_owner_is_dying(old), 1);
  CHECK(belay_owner_object(old) == NULL);
  CHECK_INT(belay_owner_is_dying(new), 0);
  CHECK(belay_owner_object(new) == &object);
  follow(new);
  belay_owner_release(old);
  CHECK_INT(belay_owner_end(&object, destroy, "object"), 0);
  CHECK_INT(belay_owner_is_dying(new), 1);
  CHECK_TRACE(
      "deallocating next null | destroy object | deallocating completed | "
      "deallocated next null | deallocated completed");
  belay_owner_release(new);
}

/* The memory of an object is another thread's before its end is declared in full. */
typedef struct heir {
  int place; /* the memory; what is destroyed is only said to be free */
  int is_free, is_taken;
  belay_owner *old;
  long checks;
} heir;
static void count_end(void *ctx) { __atomic_add_fetch((long *)ctx, 1, __ATOMIC_RELAXED); }
static void wait_until(int *flag) {
  while (!__atomic_load_n(flag, __ATOMIC_ACQUIRE)) sched_yield();
}
static void give_up_place(void *ctx) {
  heir *it = ctx;
  /* On this thread it is the old one's until the end. */
  belay_owner *same = belay_owner_adopt(&it->place, NULL);
  CHECK(same == it->old);
  belay_owner_release(same);
  __atomic_store_n(&it->is_free, 1, __ATOMIC_RELEASE);
  wait_until(&it->is_taken);
}
static void take_place(void *ctx) {
  heir *it = ctx;
  wait_until(&it->is_free);
  /* Nobody has adopted this one, and it ends before the old one's end is declared; … */
  long destroyed = 0;
  CHECK_INT(belay_owner_end(&it->place, count_end, &destroyed), 0);
  CHECK_FAILS(belay_owner_did_end(&it->place), BELAY_ENOENT);
  it->checks += destroyed;
  /* … this one is adopted, and outlives it. */
  belay_owner *owner = belay_owner_adopt(&it->place, NULL);
  CHECK(owner != it->old);
  CHECK_INT(belay_owner_is_dying(owner), 0);
  CHECK_INT(belay_owner_add_action(owner, count_end, &it->checks, NULL), 0);
  __atomic_store_n(&it->is_taken, 1, __ATOMIC_RELEASE);
  belay_owner_release(owner);
}
static void rule_1_4_memory_that_is_reused_before_the_end_is_declared(void) {
  for (int halves = 0; halves < 2; halves++) {
    heir it = {0};
    routine other;
    it.old = belay_owner_adopt(&it.place, NULL);
    start_thread(&other, take_place, &it);
    if (halves) {
      CHECK_INT(belay_owner_will_end(&it.place), 0);
      give_up_place(&it);
      CHECK_INT(belay_owner_did_end(&it.place), 0);
    } else {
      CHECK_INT(belay_owner_end(&it.place, give_up_place, &it), 0);
    }
    join_thread(&other);
    CHECK_INT(it.checks, 1);
    belay_owner *heir_owner = belay_owner_adopt(&it.place, NULL);
    CHECK(heir_owner != it.old);
    CHECK_INT(belay_owner_is_dying(heir_owner), 0);
    belay_owner_release(heir_owner);
    CHECK_INT(belay_owner_end(&it.place, NULL, NULL), 0);
    CHECK_INT(it.checks, 2);
    belay_owner_release(it.old);
  }
}

/* The same without anybody waiting: two threads that pass a place to each other. */
enum { PASSES = 3000 };
typedef struct passing {
  int place, is_free;
  long begun, ended;
} passing;
static void free_place(void *ctx) {
  __atomic_store_n(&((passing *)ctx)->is_free, 1, __ATOMIC_RELEASE);
}
static void use_place(void *ctx) {
  passing *it = ctx;
  for (int i = 0; i < PASSES; i++) {
    int yes = 1;
    while (!__atomic_compare_exchange_n(&it->is_free, &yes, 0, 0, __ATOMIC_ACQUIRE,
                                        __ATOMIC_RELAXED)) {
      yes = 1;
      sched_yield();
    }
    belay_owner *owner = belay_owner_adopt(&it->place, NULL);
    if (belay_owner_is_dying(owner)) __atomic_add_fetch(&it->begun, 1000000, __ATOMIC_RELAXED);
    belay_owner_add_action(owner, count_end, &it->ended, NULL);
    __atomic_add_fetch(&it->begun, 1, __ATOMIC_RELAXED);
    belay_owner_end(&it->place, free_place, it);
    belay_owner_release(owner);
  }
  belay_last_error();
}
static void rule_1_4_two_threads_pass_a_place_to_each_other(void) {
  passing it = {.is_free = 1};
  routine threads[2];
  for (int i = 0; i < 2; i++) start_thread(&threads[i], use_place, &it);
  for (int i = 0; i < 2; i++) join_thread(&threads[i]);
  CHECK_INT(it.begun, 2 * PASSES);
  CHECK_INT(it.ended, 2 * PASSES);
}

static void a_pointer_that_nobody_adopted_is_only_destroyed(void) {
  int object;
  CHECK_INT(belay_owner_end(&object, destroy, "stranger"), 0);
  CHECK_TRACE("destroy stranger");
  CHECK_FAILS(belay_owner_did_end(&object), BELAY_ENOENT);
  CHECK(belay_owner_adopt(NULL, NULL) == NULL);
  belay_last_error();
  CHECK_FAILS(belay_owner_end(NULL, NULL, NULL), BELAY_EINVAL);
  CHECK_FAILS(belay_owner_will_end(NULL), BELAY_EINVAL);
  CHECK_FAILS(belay_owner_did_end(NULL), BELAY_EINVAL);
}

static void end_in_next(void *ctx, belay_value value) {
  trace("next");
  CHECK_INT(belay_owner_end(ctx, destroy, "object"), 0);
  trace("next returns");
}
/* An end that cannot wait does not wait for its own stack. */
static void rule_1_4_an_adopted_end_inside_a_bound_callback(void) {
  int object;
  belay_owner *owner = belay_owner_adopt(&object, NULL);
  belay_signal *subject = belay_subject_create(NULL);
  belay_observer observer = {.size = sizeof observer, .next = end_in_next, .ctx = &object};
  CHECK_INT(belay_signal_subscribe_owned(subject, owner, &observer, NULL), 0);
  CHECK_INT(belay_subject_next(subject, belay_null()), 0);
  CHECK_INT(belay_subject_next(subject, belay_null()), 0);
  CHECK_TRACE("next | destroy object | next returns");
  belay_owner_release(owner);
  belay_signal_release(subject);
}

static void rule_1_4_an_adopted_end_waits_for_callbacks_on_other_threads(void) {
  int object;
  held it = {.owner = belay_owner_adopt(&object, NULL)};
  begin_held(&it);
  sem_post(&go_on);
  CHECK_INT(belay_owner_end(&object, destroy, "object"), 0);
  CHECK_TRACE("inside | leaves | destroy object");
  belay_owner_release(it.owner);
  end_held(&it);
}

static int wrong_result, wrong_will;
static void end_elsewhere(void *object) {
  wrong_result = belay_owner_end(object, destroy, "no");
  wrong_will = belay_owner_will_end(object);
}
static void rule_1_4_an_adopted_end_away_from_its_loop(void) {
  int object;
  belay_loop *loop = open_loop();
  belay_owner_options options = {.size = sizeof options, .loop = loop};
  belay_owner *owner = belay_owner_adopt(&object, &options);
  follow(owner);
  in_thread(end_elsewhere, &object);
  CHECK_INT(wrong_result, BELAY_EWRONGTHREAD);
  CHECK_INT(wrong_will, BELAY_EWRONGTHREAD);
  CHECK_INT(belay_owner_is_dying(owner), 0);
  turn(loop);
  CHECK_TRACE("");
  CHECK_INT(belay_owner_end(&object, destroy, "object"), 0);
  CHECK_TRACE(
      "deallocating next null | destroy object | deallocating completed | "
      "deallocated next null | deallocated completed");
  belay_owner_release(owner);
  turn(loop);
  close_loop(loop);
}

static void end_again(void *ctx, belay_value value) {
  CHECK_FAILS(belay_owner_end(ctx, destroy, "no"), BELAY_EDEAD);
  trace("refused");
}
static void an_end_inside_its_own_notice_is_refused(void) {
  int object;
  belay_owner *owner = belay_owner_adopt(&object, NULL);
  belay_signal *signal = belay_owner_deallocating(owner);
  belay_observer observer = {.size = sizeof observer, .next = end_again, .ctx = &object};
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  belay_signal_release(signal);
  CHECK_INT(belay_owner_end(&object, destroy, "object"), 0);
  CHECK_TRACE("refused | destroy object");
  belay_owner_release(owner);
}

static const test_case cases[] = {
    CASE(rule_1_4_a_death_waits_for_a_callback_on_another_thread),
    CASE(A1_28_a_death_is_on_the_thread_of_the_last_release),
    CASE(rule_1_4_an_owner_with_a_loop_dies_there),
    CASE(rule_1_4_a_weak_reference_may_save_it_on_the_way_to_its_loop),
    CASE(rule_1_4_notices_are_heard_at_the_subscriptions_home),
    CASE(A1_07_asked_by_several_threads_and_released_by_all_it_dies_once),
    CASE(rule_1_4_no_deinit_under_a_callback_without_a_loop),
    CASE(rule_1_4_no_deinit_under_a_callback_at_a_loop),
    CASE(rule_1_4_no_end_of_an_adopted_pointer_under_a_callback),
    CASE(adopted_pointers_end_when_the_host_says_so),
    CASE(adopted_pointers_end_in_two_halves),
    CASE(an_address_that_is_used_again_is_a_new_owner),
    CASE(rule_1_4_memory_that_is_reused_before_the_end_is_declared),
    CASE(rule_1_4_two_threads_pass_a_place_to_each_other),
    CASE(a_pointer_that_nobody_adopted_is_only_destroyed),
    CASE(rule_1_4_an_adopted_end_inside_a_bound_callback),
    CASE(rule_1_4_an_adopted_end_waits_for_callbacks_on_other_threads),
    CASE(rule_1_4_an_adopted_end_away_from_its_loop),
    CASE(an_end_inside_its_own_notice_is_refused),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
