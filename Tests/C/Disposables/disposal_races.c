/* Disposal races emission on other threads, and dispose_sync waits: freed memory is not touched,
   and is freed once. */
#include "worker.h"

/* ---- a context that is poisoned when it is freed ---- */
enum { ALIVE = 0x600d600d, POISON = 0x0badbad0 };
typedef struct context {
  int state, nexts, ends, disposals, frees;
  int *errors;
} context;

static void expect_alive(context *it) {
  if (__atomic_load_n(&it->state, __ATOMIC_RELAXED) != ALIVE)
    __atomic_add_fetch(it->errors, 1, __ATOMIC_RELAXED);
}
static void context_next(void *ctx, belay_value value) {
  expect_alive(ctx);
  ((context *)ctx)->nexts++;
}
static void context_completed(void *ctx) {
  expect_alive(ctx);
  ((context *)ctx)->ends++;
}
static void context_disposed(void *ctx) {
  expect_alive(ctx);
  ((context *)ctx)->disposals++;
}
static void context_free(void *ctx) {
  expect_alive(ctx);
  ((context *)ctx)->frees++;
  __atomic_store_n(&((context *)ctx)->state, POISON, __ATOMIC_RELAXED);
}

static belay_disposable *subscribe_context(belay_signal *subject, context *it, int *errors) {
  *it = (context){.state = ALIVE, .errors = errors};
  belay_observer observer = {.size = sizeof observer,
                             .next = context_next,
                             .completed = context_completed,
                             .disposed = context_disposed,
                             .ctx = it,
                             .ctx_free = context_free};
  belay_disposable *subscription = NULL;
  CHECK_INT(belay_signal_subscribe(subject, &observer, &subscription), 0);
  return subscription;
}

/* ---- rounds: one thread emits at home, others dispose ---- */
enum { ROUNDS = 600, WIDTH = 8, DISPOSERS = 2 };
typedef struct race {
  int has_loop, completes, is_sync;
  belay_signal *subject;
  belay_disposable *subscriptions[WIDTH];
  context contexts[WIDTH];
  int errors, unfinished, still_running, syncs[DISPOSERS];
  pthread_barrier_t begin, end;
  int next_disposer;
} race;

static void race_disposer(void *ctx) {
  race *it = ctx;
  int number = __atomic_fetch_add(&it->next_disposer, 1, __ATOMIC_RELAXED);
  for (int round = 0; round < ROUNDS; round++) {
    pthread_barrier_wait(&it->begin);
    /* The two disposers begin at opposite ends, so that they meet. */
    for (int i = 0; i < WIDTH; i++) {
      belay_disposable *target = it->subscriptions[number ? WIDTH - 1 - i : i];
      if (it->is_sync) it->syncs[number] |= belay_disposable_dispose_sync(target, -1);
      else belay_disposable_dispose(target);
    }
    if (it->is_sync) __atomic_sub_fetch(&it->still_running, 1, __ATOMIC_RELEASE);
    pthread_barrier_wait(&it->end);
  }
}

static void run_race(race *it) {
  belay_loop *loop = it->has_loop ? open_loop() : NULL;
  it->subject = belay_subject_create(NULL);
  pthread_barrier_init(&it->begin, NULL, DISPOSERS + 1);
  pthread_barrier_init(&it->end, NULL, DISPOSERS + 1);
  routine disposers[DISPOSERS];
  for (int i = 0; i < DISPOSERS; i++) start_thread(&disposers[i], race_disposer, it);
  for (int round = 0; round < ROUNDS; round++) {
    for (int i = 0; i < WIDTH; i++)
      it->subscriptions[i] = subscribe_context(it->subject, &it->contexts[i], &it->errors);
    it->still_running = DISPOSERS;
    pthread_barrier_wait(&it->begin);
    for (int i = 0; i < 20; i++) send_to(it->subject, i);
    if (it->completes) {
      belay_subject_completed(it->subject);
      belay_signal_release(it->subject);
      it->subject = belay_subject_create(NULL);
    }
    /* A thread that waits for this home needs it to go on turning. */
    while (it->is_sync && __atomic_load_n(&it->still_running, __ATOMIC_ACQUIRE) > 0) {
      send_to(it->subject, 0);
      if (loop) turn(loop);
      sched_yield();
    }
    pthread_barrier_wait(&it->end);
    if (loop) turn(loop);
    for (int i = 0; i < WIDTH; i++) {
      const context *seen = &it->contexts[i];
      if (seen->frees != 1 || seen->disposals != 1 || seen->ends > 1) it->unfinished++;
      belay_disposable_release(it->subscriptions[i]);
    }
  }
  for (int i = 0; i < DISPOSERS; i++) join_thread(&disposers[i]);
  belay_signal_release(it->subject);
  if (loop) close_loop(loop);
  CHECK_INT(it->errors, 0);
  CHECK_INT(it->unfinished, 0);
  CHECK_INT(it->syncs[0] | it->syncs[1], 0);
  pthread_barrier_destroy(&it->begin);
  pthread_barrier_destroy(&it->end);
}

static void disposal_races_emission_at_a_home_without_a_loop(void) { run_race(&(race){0}); }
static void disposal_races_emission_at_a_loop(void) { run_race(&(race){.has_loop = 1}); }
static void disposal_races_the_end_without_a_loop(void) { run_race(&(race){.completes = 1}); }
static void disposal_races_the_end_at_a_loop(void) {
  run_race(&(race){.completes = 1, .has_loop = 1});
}
static void dispose_sync_races_emission_without_a_loop(void) { run_race(&(race){.is_sync = 1}); }
static void dispose_sync_races_emission_at_a_loop(void) {
  run_race(&(race){.is_sync = 1, .has_loop = 1});
}

/* ---- what the caller of dispose_sync frees itself ---- */
typedef struct borrowed {
  pthread_barrier_t begin, end;
  belay_disposable *subscription;
  int *buffer; /* belongs to the disposer; `next` writes into it */
  int disposed;
} borrowed;

static void write_into_buffer(void *ctx, belay_value value) {
  borrowed *it = ctx;
  it->buffer[0] = int_of(value);
}
static void dispose_sync_then_free(void *ctx) {
  borrowed *it = ctx;
  for (int round = 0; round < ROUNDS; round++) {
    pthread_barrier_wait(&it->begin);
    CHECK_INT(belay_disposable_dispose_sync(it->subscription, -1), 0);
    it->buffer[0] = POISON;
    free(it->buffer);
    it->buffer = NULL;
    __atomic_store_n(&it->disposed, 1, __ATOMIC_RELEASE);
    pthread_barrier_wait(&it->end);
  }
}
static void after_dispose_sync_the_context_may_be_freed(void) {
  borrowed it = {0};
  belay_signal *subject = belay_subject_create(NULL);
  pthread_barrier_init(&it.begin, NULL, 2);
  pthread_barrier_init(&it.end, NULL, 2);
  routine other;
  start_thread(&other, dispose_sync_then_free, &it);
  for (int round = 0; round < ROUNDS; round++) {
    belay_observer observer = {.size = sizeof observer, .next = write_into_buffer, .ctx = &it};
    it.buffer = malloc(sizeof *it.buffer);
    it.disposed = 0;
    CHECK_INT(belay_signal_subscribe(subject, &observer, &it.subscription), 0);
    pthread_barrier_wait(&it.begin);
    while (!__atomic_load_n(&it.disposed, __ATOMIC_ACQUIRE)) send_to(subject, round);
    pthread_barrier_wait(&it.end);
    belay_disposable_release(it.subscription);
  }
  join_thread(&other);
  belay_signal_release(subject);
}

/* ---- dispose_sync, answer by answer ---- */
static void dispose_sync_0_at_home(void) {
  belay_signal *subject = belay_subject_create(NULL);
  belay_disposable *subscription = watched(belay_signal_retain(subject), "");
  CHECK_INT(belay_disposable_dispose_sync(subscription, 0), 0);
  CHECK_TRACE("disposed | free");
  CHECK_INT(belay_disposable_dispose_sync(subscription, 0), 0);
  CHECK_INT(send_to(subject, 1), 0);
  CHECK_TRACE("");
  belay_disposable_release(subscription);
  belay_signal_release(subject);
  CHECK_FAILS(belay_disposable_dispose_sync(NULL, 0), BELAY_EINVAL);
}

/* At home there is nothing to wait for. The time limit is for a library that waits by mistake. */
static belay_disposable *own;
static void dispose_sync_own(const char *where) {
  trace("%s %s", where, belay_error_name(belay_disposable_dispose_sync(own, 3)));
}
static void own_next(void *ctx, belay_value value) { dispose_sync_own("next"); }
static void own_completed(void *ctx) { dispose_sync_own("completed"); }
static void own_disposed(void *ctx) { dispose_sync_own("disposed"); }

static void dispose_sync_EINPROGRESS_from_inside_its_own_callbacks(void) {
  belay_observer observer = rendering("");
  observer.disposed = own_disposed;
  belay_signal *subject = belay_subject_create(NULL);
  observer.next = own_next;
  CHECK_INT(belay_signal_subscribe(subject, &observer, &own), 0);
  CHECK_INT(send_to(subject, 1), 0);
  CHECK_TRACE("disposed EINPROGRESS | next EINPROGRESS | free");
  belay_disposable_release(own);
  observer.completed = own_completed;
  CHECK_INT(belay_signal_subscribe(subject, &observer, &own), 0);
  CHECK_INT(belay_subject_completed(subject), 0);
  CHECK_TRACE("completed EINPROGRESS | disposed EINPROGRESS | free");
  belay_disposable_release(own);
  belay_signal_release(subject);
}

static void own_free(void *ctx) { dispose_sync_own("free"); }
static void dispose_own(void *ctx) { belay_disposable_dispose(own); }

static void dispose_sync_EINPROGRESS_behind_operators_and_in_ctx_free(void) {
  belay_observer observer = rendering("");
  observer.disposed = own_disposed;
  observer.ctx_free = own_free;
  belay_signal *subject = belay_subject_create(NULL);
  belay_signal *chain = belay_signal_chain(belay_signal_retain(subject), belay_op_take(1));
  CHECK_INT(belay_signal_subscribe(chain, &observer, &own), 0);
  CHECK_INT(send_to(subject, 1), 0);
  CHECK_TRACE("next 1 | completed | disposed EINPROGRESS | free EINPROGRESS");
  belay_disposable_release(own);
  observer.next = own_next;
  CHECK_INT(belay_signal_subscribe(chain, &observer, &own), 0);
  CHECK_INT(send_to(subject, 1), 0);
  CHECK_TRACE("disposed EINPROGRESS | next EINPROGRESS | free EINPROGRESS");
  belay_disposable_release(own);
  /* Without a loop `disposed` and `ctx_free` run on the disposing thread. */
  CHECK_INT(belay_signal_subscribe(chain, &observer, &own), 0);
  in_thread(dispose_own, NULL);
  CHECK_TRACE("disposed EINPROGRESS | free EINPROGRESS");
  belay_disposable_release(own);
  belay_signal_release(chain);
  belay_signal_release(subject);
}

static sem_t inside, go_on;
static int has_returned;
static void block_in_next(void *ctx, belay_value value) {
  sem_post(&inside);
  wait_for(&go_on);
  for (int i = 0; i < 100; i++) sched_yield();
  __atomic_store_n(&has_returned, 1, __ATOMIC_RELAXED);
}

typedef struct blocked {
  worker worker;
  belay_signal *subject;
  belay_disposable *subscription;
  int freed;
} blocked;

static void subscribe_blocked(void *ctx) {
  blocked *it = ctx;
  belay_observer observer = {
      .size = sizeof observer, .next = block_in_next, .ctx = &it->freed, .ctx_free = count_free};
  it->subject = belay_subject_create(NULL);
  CHECK_INT(belay_signal_subscribe(it->subject, &observer, &it->subscription), 0);
}

static void begin_blocked(blocked *it) {
  sem_init(&inside, 0, 0);
  sem_init(&go_on, 0, 0);
  has_returned = 0;
  start_worker(&it->worker);
  on_worker(&it->worker, subscribe_blocked, it);
  CHECK_INT(send_to(it->subject, 1), BELAY_QUEUED);
  wait_for(&inside);
}
static void end_blocked(blocked *it) {
  belay_disposable_release(it->subscription);
  belay_signal_release(it->subject);
  stop_worker(&it->worker);
}

static void dispose_sync_0_when_the_running_callback_has_returned(void) {
  blocked it = {0};
  begin_blocked(&it);
  sem_post(&go_on);
  CHECK_INT(belay_disposable_dispose_sync(it.subscription, -1), 0);
  CHECK_INT(__atomic_load_n(&has_returned, __ATOMIC_RELAXED), 1);
  CHECK_INT(it.freed, 1);
  end_blocked(&it);
}

static void dispose_sync_ETIMEDOUT_while_a_callback_runs(void) {
  blocked it = {0};
  begin_blocked(&it);
  CHECK_INT(belay_disposable_dispose_sync(it.subscription, 0), BELAY_ETIMEDOUT);
  CHECK_INT(belay_disposable_is_disposed(it.subscription), 1);
  CHECK_INT(belay_disposable_dispose_sync(it.subscription, 1e-3), BELAY_ETIMEDOUT);
  sem_post(&go_on);
  CHECK_INT(belay_disposable_dispose_sync(it.subscription, -1), 0);
  CHECK_INT(it.freed, 1);
  end_blocked(&it);
}

static void dispose_sync_ETIMEDOUT_while_home_does_not_run(void) {
  worker home = {.is_held = 1};
  start_worker(&home);
  belay_source_options options = {.size = sizeof options, .loop = home.loop};
  belay_signal *subject = belay_subject_create(&options);
  belay_observer observer = rendering("");
  observer.loop = home.loop;
  belay_disposable *subscription = NULL;
  CHECK_INT(belay_signal_subscribe(subject, &observer, &subscription), 0);
  CHECK_INT(belay_disposable_dispose_sync(subscription, 0), BELAY_ETIMEDOUT);
  CHECK_TRACE("");
  worker_go(&home);
  CHECK_INT(belay_disposable_dispose_sync(subscription, -1), 0);
  CHECK_TRACE("disposed | free");
  belay_disposable_release(subscription);
  belay_signal_release(subject);
  stop_worker(&home);
}

/* ---- two loops, each of which waits for the other ---- */
typedef struct mutual {
  worker worker;
  belay_signal *subject;
  belay_disposable *subscription;
  struct mutual *other;
  pthread_barrier_t *both_inside;
  int result, freed;
} mutual;

static void wait_for_the_other(void *ctx, belay_value value) {
  mutual *it = ctx;
  pthread_barrier_wait(it->both_inside);
  it->result = belay_disposable_dispose_sync(it->other->subscription, -1);
}
static void mutual_free(void *ctx) { ((mutual *)ctx)->freed++; }
static void set_up_mutual(void *ctx) {
  mutual *it = ctx;
  belay_observer observer = {
      .size = sizeof observer, .next = wait_for_the_other, .ctx = it, .ctx_free = mutual_free};
  it->subject = belay_subject_create(NULL);
  CHECK_INT(belay_signal_subscribe(it->subject, &observer, &it->subscription), 0);
}

static void wait_in_a_ring(int size) {
  pthread_barrier_t all_inside;
  pthread_barrier_init(&all_inside, NULL, (unsigned)size);
  mutual ring[3] = {0};
  for (int i = 0; i < size; i++) {
    ring[i].other = &ring[(i + 1) % size];
    ring[i].both_inside = &all_inside;
    start_worker(&ring[i].worker);
    on_worker(&ring[i].worker, set_up_mutual, &ring[i]);
  }
  for (int i = 0; i < size; i++) CHECK_INT(send_to(ring[i].subject, 1), BELAY_QUEUED);
  int deadlocks = 0;
  for (int i = 0; i < size; i++) meet(&ring[i].worker);
  for (int i = 0; i < size; i++) meet(&ring[i].worker);
  for (int i = 0; i < size; i++) {
    deadlocks += ring[i].result == BELAY_EDEADLK;
    CHECK(ring[i].result == BELAY_EDEADLK || ring[i].result == 0);
    CHECK_INT(belay_disposable_is_disposed(ring[i].subscription), 1);
    CHECK_INT(ring[i].freed, 1);
    belay_disposable_release(ring[i].subscription);
    belay_signal_release(ring[i].subject);
  }
  CHECK_INT(deadlocks, 1);
  for (int i = 0; i < size; i++) stop_worker(&ring[i].worker);
  pthread_barrier_destroy(&all_inside);
}

static void dispose_sync_EDEADLK_closes_no_cycle_of_two(void) {
  for (int round = 0; round < 50; round++) wait_in_a_ring(2);
}
static void dispose_sync_EDEADLK_closes_no_cycle_of_three(void) {
  for (int round = 0; round < 50; round++) wait_in_a_ring(3);
}

/* ---- what is made of several ---- */
static void dispose_sync_of_a_compound_waits_for_its_members(void) {
  blocked it = {0};
  begin_blocked(&it);
  belay_disposable *compound = belay_compound_create();
  CHECK_INT(belay_compound_add(compound, it.subscription, NULL), 0);
  CHECK_INT(belay_disposable_dispose_sync(compound, 0), BELAY_ETIMEDOUT);
  CHECK_INT(it.freed, 0);
  CHECK_INT(belay_disposable_is_disposed(it.subscription), 1);
  sem_post(&go_on);
  CHECK_INT(belay_disposable_dispose_sync(it.subscription, -1), 0);
  CHECK_INT(it.freed, 1);
  belay_disposable_release(compound);
  end_blocked(&it);
}

static belay_disposable *sharing;
static void dispose_from_thread(void *barrier) {
  pthread_barrier_wait(barrier);
  belay_disposable_dispose(sharing);
}
static void rule_1_2_a_shared_subjects_subscription_is_disposed_by_whoever_is_there(void) {
  belay_source_options options = {.size = sizeof options, .shared = 1};
  belay_signal *subject = belay_subject_create(&options);
  pthread_barrier_t begin;
  pthread_barrier_init(&begin, NULL, 3);
  int errors = 0, unfinished = 0;
  for (int round = 0; round < ROUNDS / 4; round++) {
    context seen;
    routine disposers[2];
    sharing = subscribe_context(subject, &seen, &errors);
    for (int i = 0; i < 2; i++) start_thread(&disposers[i], dispose_from_thread, &begin);
    pthread_barrier_wait(&begin);
    // It is queued while a disposing thread is there.
    for (int i = 0; i < 50; i++) CHECK(send_to(subject, i) >= 0);
    for (int i = 0; i < 2; i++) join_thread(&disposers[i]);
    unfinished += seen.frees != 1 || seen.disposals != 1;
    belay_disposable_release(sharing);
  }
  CHECK_INT(errors, 0);
  CHECK_INT(unfinished, 0);
  belay_signal_release(subject);
  pthread_barrier_destroy(&begin);
}

/* The subject ends the subscription while its disposal is on the way home. Nothing may keep the
   subscription or its home. */
static void dispose_crosswise(void *subscriptions) {
  static const int order[] = {0, 1, 3, 2};
  for (int i = 0; i < 4; i++)
    belay_disposable_dispose(((belay_disposable **)subscriptions)[order[i]]);
}
static void a_disposal_that_arrives_after_the_end(void) {
  belay_loop *loop = open_loop();
  belay_signal *subject = belay_subject_create(NULL);
  belay_disposable *subscriptions[4];
  context contexts[4];
  int errors = 0;
  for (int i = 0; i < 4; i++) subscriptions[i] = subscribe_context(subject, &contexts[i], &errors);
  in_thread(dispose_crosswise, subscriptions);
  CHECK_INT(belay_subject_completed(subject), 0);
  turn(loop);
  for (int i = 0; i < 4; i++) {
    CHECK_INT(contexts[i].ends, 0);
    CHECK_INT(contexts[i].disposals, 1);
    CHECK_INT(contexts[i].frees, 1);
    belay_disposable_release(subscriptions[i]);
  }
  belay_signal_release(subject);
  close_loop(loop);
  CHECK_INT(errors, 0);
}

static const test_case cases[] = {
    CASE(disposal_races_emission_at_a_home_without_a_loop),
    CASE(disposal_races_emission_at_a_loop),
    CASE(disposal_races_the_end_without_a_loop),
    CASE(disposal_races_the_end_at_a_loop),
    CASE(dispose_sync_races_emission_without_a_loop),
    CASE(dispose_sync_races_emission_at_a_loop),
    CASE(after_dispose_sync_the_context_may_be_freed),
    CASE(dispose_sync_0_at_home),
    CASE(dispose_sync_EINPROGRESS_from_inside_its_own_callbacks),
    CASE(dispose_sync_EINPROGRESS_behind_operators_and_in_ctx_free),
    CASE(dispose_sync_0_when_the_running_callback_has_returned),
    CASE(dispose_sync_ETIMEDOUT_while_a_callback_runs),
    CASE(dispose_sync_ETIMEDOUT_while_home_does_not_run),
    CASE(dispose_sync_EDEADLK_closes_no_cycle_of_two),
    CASE(dispose_sync_EDEADLK_closes_no_cycle_of_three),
    CASE(dispose_sync_of_a_compound_waits_for_its_members),
    CASE(a_disposal_that_arrives_after_the_end),
    CASE(rule_1_2_a_shared_subjects_subscription_is_disposed_by_whoever_is_there),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
