/* Owners that die while other threads are at work. */
#include "held.h"

static pthread_t deinit_thread, dealloc_thread;
static void note_deinit(void *object) {
  deinit_thread = pthread_self();
  trace("deinit");
}
static void note_dealloc(void *object) {
  dealloc_thread = pthread_self();
  trace("dealloc");
}
static belay_owner *noted_owner(void) {
  return belay_owner_create(NULL, note_deinit, note_dealloc, NULL);
}

/* ---- where a death waits ---- */
static void rule_1_4_a_death_waits_for_a_callback_on_another_thread(void) {
  held it = {.owner = noted_owner()};
  begin_held(&it);
  belay_weak *weak = belay_weak_create(it.owner);
  belay_owner_add_action(it.owner, trace_action, "bound", NULL);
  belay_owner_release(it.owner);
  CHECK(belay_weak_upgrade(weak) == NULL);
  CHECK_TRACE("inside | action bound"); /* steps 1 to 3 at once, 4 to 8 not yet */
  sem_post(&go_on);
  meet(&it.worker);
  CHECK_TRACE("leaves | deinit | dealloc");
  CHECK(pthread_equal(deinit_thread, it.worker.thread));
  CHECK(pthread_equal(dealloc_thread, it.worker.thread));
  belay_weak_release(weak);
  end_held(&it);
}

/* ---- where an owner dies ---- */
static void note_thread(void *thread) { *(pthread_t *)thread = pthread_self(); }

static void A1_28_a_death_is_on_the_thread_of_the_last_release(void) {
  belay_owner *owner = noted_owner();
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
  belay_owner *owner = belay_owner_create(NULL, note_deinit, note_dealloc, &options);
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

static void rule_1_4_a_weak_reference_is_null_on_the_way_to_its_loop(void) {
  worker home = {.is_held = 1};
  start_worker(&home);
  belay_owner_options options = {.size = sizeof options, .loop = home.loop};
  belay_owner *owner = belay_owner_create(NULL, note_deinit, note_dealloc, &options);
  belay_weak *weak = belay_weak_create(owner);
  belay_owner_release(owner);
  /* Its loop is held and has not heard of the death yet. */
  CHECK_TRACE("");
  CHECK(belay_weak_upgrade(weak) == NULL);
  worker_go(&home);
  meet(&home);
  CHECK_TRACE("deinit | dealloc");
  CHECK(belay_weak_upgrade(weak) == NULL);
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
  listening it = {.owner = noted_owner(), .home = &home};
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

/* All threads at once ask for the signal, subscribe, bind, and release their reference. */
static void crowd_main(void *ctx) {
  crowd *it = ctx;
  for (int round = 0; round < it->rounds; round++) {
    pthread_barrier_wait(&it->begin);
    belay_observer observer = {.size = sizeof observer, .next = count_heard, .ctx = ctx};
    belay_signal *signal = belay_owner_deallocated(it->owner);
    CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
    belay_signal_release(signal);
    belay_owner *strong = belay_weak_upgrade(it->weak);
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
    it.owner = belay_owner_create(&it, count_deinit, count_dealloc, NULL);
    it.weak = belay_weak_create(it.owner);
    for (int i = 1; i < THREADS; i++) belay_owner_retain(it.owner);
    pthread_barrier_wait(&it.begin);
    pthread_barrier_wait(&it.end);
    CHECK_INT(it.deinits, round);
    CHECK_INT(it.deallocs, round);
    CHECK_INT(it.heard, round * THREADS);
    CHECK(belay_weak_upgrade(it.weak) == NULL);
    belay_weak_release(it.weak);
  }
  for (int i = 0; i < THREADS; i++) join_thread(&threads[i]);
  CHECK_INT(it.late, 0);
}

/* Callbacks use the owner's object, and the deinit spoils it. */
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
                          : belay_owner_create(&it.object, spoil_object, NULL, NULL);
    belay_observer observer = {.size = sizeof observer, .next = use_object, .ctx = &it.object};
    observer.owner = it.owner;
    for (int i = 0; i < 3; i++)
      CHECK_INT(belay_signal_subscribe(subject, &observer, NULL), 0);
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

static const test_case cases[] = {
    CASE(rule_1_4_a_death_waits_for_a_callback_on_another_thread),
    CASE(A1_28_a_death_is_on_the_thread_of_the_last_release),
    CASE(rule_1_4_an_owner_with_a_loop_dies_there),
    CASE(rule_1_4_a_weak_reference_is_null_on_the_way_to_its_loop),
    CASE(rule_1_4_notices_are_heard_at_the_subscriptions_home),
    CASE(A1_07_asked_by_several_threads_and_released_by_all_it_dies_once),
    CASE(rule_1_4_no_deinit_under_a_callback_without_a_loop),
    CASE(rule_1_4_no_deinit_under_a_callback_at_a_loop),
    CASE(rule_1_4_no_end_of_an_adopted_pointer_under_a_callback),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
