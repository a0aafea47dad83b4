/* Events by name whose watcher is at a loop, and owners that die while other threads post. */
#include "owned.h"
#include "worker.h"

/* ---- A4-27: where ---- */
typedef struct listener {
  worker *home;
  belay_owner *watcher, *source;
  int strayed, sum, count;
} listener;
static void listen(void *ctx, const belay_owner_event *event) {
  listener *it = ctx;
  it->strayed += !is_on(it->home);
  it->sum += int_of(event->user_info);
  it->count++;
}
static void watch_there(void *ctx) {
  listener *it = ctx;
  CHECK_INT(belay_owner_event_watch(it->watcher, it->source, "e", LEVEL, listen, it, NULL), 0);
}
static void A4_27_handlers_run_at_the_watchers_loop(void) {
  for (int by_option = 0; by_option < 2; by_option++) {
    worker home = {0};
    start_worker(&home);
    belay_owner_options options = {.size = sizeof options, .loop = by_option ? home.loop : NULL};
    listener it = {.home = &home, .source = plain_owner(),
                   .watcher = belay_owner_create(NULL, NULL, NULL, &options)};
    if (by_option) watch_there(&it);
    else on_worker(&home, watch_there, &it);
    /* Each value is the one that was posted, however late it arrives. */
    for (int i = 1; i <= 100; i++) CHECK_INT(post(it.source, "e", i), 0);
    meet(&home);
    CHECK_INT(it.count, 100);
    CHECK_INT(it.sum, 5050);
    CHECK_INT(it.strayed, 0);
    belay_owner_release(it.watcher);
    meet(&home);
    belay_owner_release(it.source);
    stop_worker(&home);
  }
}

static void A4_27_what_is_on_its_way_is_not_delivered_after_a_death(void) {
  for (int who = 0; who < 2; who++) {
    worker home = {.is_held = 1};
    start_worker(&home);
    belay_owner_options options = {.size = sizeof options, .loop = home.loop};
    listener it = {.home = &home, .source = plain_owner(),
                   .watcher = belay_owner_create(NULL, NULL, NULL, &options)};
    watch_there(&it);
    CHECK_INT(post(it.source, "e", 1), 0);
    belay_owner_release(who ? it.source : it.watcher);
    worker_go(&home);
    meet(&home);
    /* The watcher dies at its loop, after what was posted there before. */
    CHECK_INT(it.count, who ? 0 : 1);
    belay_owner_release(who ? it.watcher : it.source);
    meet(&home);
    stop_worker(&home);
  }
}

static void what_is_replaced_away_from_its_loop_is_freed_there(void) {
  worker home = {.is_held = 1};
  start_worker(&home);
  belay_owner_options options = {.size = sizeof options, .loop = home.loop};
  belay_owner *watcher = belay_owner_create(NULL, NULL, NULL, &options), *source = plain_owner();
  int freed = 0;
  for (int i = 0; i < 100; i++)
    CHECK_INT(belay_owner_event_watch(watcher, source, "e", 1, trace_event, &freed, count_free), 0);
  CHECK_INT(freed, 0);
  worker_go(&home);
  meet(&home);
  CHECK_INT(freed, 99);
  belay_owner_release(watcher), belay_owner_release(source);
  stop_worker(&home);
  CHECK_INT(freed, 100);
}

static void a_watch_at_a_closed_loop_leaves_nothing(void) {
  for (int does_post = 0; does_post < 2; does_post++) {
    belay_loop *closed = belay_loop_create(NULL);
    belay_owner_options options = {.size = sizeof options, .loop = closed};
    belay_owner *watcher = belay_owner_create(NULL, NULL, NULL, &options), *source = plain_owner();
    belay_loop_close(closed, NULL, NULL, NULL);
    int freed = 0;
    CHECK_INT(belay_owner_event_watch(watcher, source, "e", 1, trace_event, &freed, count_free), 0);
    CHECK_INT(freed, 1);
    if (does_post) post(source, "e", 1);
    CHECK_FAILS(belay_owner_event_unwatch(watcher, source, "e", 1), BELAY_ENOENT);
    belay_owner_release(watcher), belay_owner_release(source);
    belay_loop_release(closed);
  }
  CHECK_TRACE("");
  CHECK_INT(belay_live_count(BELAY_LIVE_LOOPS), 0);
}

/* ---- a watch that another thread ends ---- */
static sem_t inside, go_on;
static void hold_in_free(void *ctx) {
  sem_post(&inside);
  wait_for(&go_on);
}
typedef struct tally {
  int count, last;
} tally;
static void count_number(void *ctx, const belay_owner_event *event) {
  tally *it = ctx;
  CHECK_INT(int_of(event->user_info), it->last + 1);
  it->last = int_of(event->user_info);
  it->count++;
}
typedef struct ended_watch {
  belay_owner *watcher, *source;
  const char *name;
} ended_watch;
static void end_watch(void *ctx) {
  ended_watch *it = ctx;
  CHECK_INT(belay_owner_event_unwatch(it->watcher, it->source, it->name, LEVEL), 0);
}
/* What is posted meanwhile is told by the thread that ends the watch. What there is no room for is refused. */
static void ends_elsewhere(const char *name, belay_owner *source, int (*send)(belay_owner *, int)) {
  enum { SENT = 1500 };
  tally it = {0};
  routine other;
  belay_owner *watcher = plain_owner(), *gone = plain_owner();
  ended_watch watch = {gone, source, name};
  sem_init(&inside, 0, 0);
  sem_init(&go_on, 0, 0);
  CHECK_INT(belay_owner_event_watch(gone, source, name, LEVEL, count_number, &it, hold_in_free), 0);
  CHECK_INT(belay_owner_event_watch(watcher, source, name, LEVEL, count_number, &it, NULL), 0);
  start_thread(&other, end_watch, &watch);
  wait_for(&inside);
  int taken = 0;
  for (int i = 1; i <= SENT; i++) {
    int code = send(source, i);
    if (code != BELAY_EAGAIN) CHECK_INT(taken++, i - 1);
  }
  CHECK_INT(it.count, 0);
  sem_post(&go_on);
  join_thread(&other);
  CHECK_INT(it.count, taken);
  CHECK_INT(it.last, taken);
  CHECK(taken >= 1024 && taken < SENT);
  CHECK_INT(send(source, taken + 1), 0);
  CHECK_INT(it.last, taken + 1);
  belay_last_error();
  belay_owner_release(watcher), belay_owner_release(gone), belay_owner_release(source);
}
static int post_number(belay_owner *source, int number) {
  int code = post(source, "e", number);
  CHECK(code == 0 || code == BELAY_QUEUED || code == BELAY_EAGAIN);
  return code;
}
static void events_while_a_watch_ends_elsewhere(void) { ends_elsewhere("e", plain_owner(), post_number); }

typedef struct model {
  int32_t number;
} model;
static int set_number(belay_owner *source, int number) {
  return belay_object_set(source, "number", belay_int32(number));
}
static void changes_while_a_watch_ends_elsewhere(void) {
  static const belay_field fields[] = {BELAY_FIELD(model, number, BELAY_KIND_INT32)};
  static model object;
  object.number = 0;
  belay_type *type = belay_type_create(fields, 1, 0);
  belay_owner *source = belay_owner_create(&object, NULL, NULL, NULL);
  CHECK_INT(belay_object_set_type(source, type), 0);
  belay_type_release(type);
  ends_elsewhere(".number", source, set_number);
}

/* ---- threads: both ends die while events are posted ---- */
enum { ROUNDS = 300, THREADS = 2 };
typedef struct race {
  pthread_barrier_t begin, end;
  belay_owner *watcher, *source;
  int object, errors, calls;
} race;
static void use(void *ctx, const belay_owner_event *event) {
  race *it = ctx;
  if (__atomic_load_n(&it->object, __ATOMIC_RELAXED) != 1)
    __atomic_add_fetch(&it->errors, 1, __ATOMIC_RELAXED);
  sched_yield();
  if (__atomic_load_n(&it->object, __ATOMIC_RELAXED) != 1)
    __atomic_add_fetch(&it->errors, 1, __ATOMIC_RELAXED);
  __atomic_add_fetch(&it->calls, 1, __ATOMIC_RELAXED);
}
static void spoil(void *object) { __atomic_store_n((int *)object, 0, __ATOMIC_RELAXED); }
static void post_in_rounds(void *ctx) {
  race *it = ctx;
  for (int round = 0; round < ROUNDS; round++) {
    pthread_barrier_wait(&it->begin);
    belay_owner *source = it->source, *watcher = it->watcher;
    for (int i = 0; i < 10; i++) {
      post(source, "e", i);
      belay_owner_event_watch(watcher, source, "e", i % 3, use, it, NULL);
    }
    belay_owner_release(watcher);
    belay_owner_release(source);
    pthread_barrier_wait(&it->end);
  }
  belay_last_error();
}
static void no_handler_after_the_deinit_of_its_watcher(void) {
  race it = {0};
  pthread_barrier_init(&it.begin, NULL, THREADS + 1);
  pthread_barrier_init(&it.end, NULL, THREADS + 1);
  routine threads[THREADS];
  for (int i = 0; i < THREADS; i++) start_thread(&threads[i], post_in_rounds, &it);
  for (int round = 0; round < ROUNDS; round++) {
    belay_owner *parent = plain_owner();
    it.object = 1;
    it.source = plain_owner(), it.watcher = belay_owner_create(&it.object, spoil, NULL, NULL);
    /* It dies before its references have gone. */
    belay_owner_add_child(parent, round % 2 ? it.watcher : it.source);
    for (int i = 1; i < THREADS; i++) belay_owner_retain(it.source), belay_owner_retain(it.watcher);
    CHECK_INT(belay_owner_event_watch(it.watcher, it.source, "e", LEVEL, use, &it, NULL), 0);
    pthread_barrier_wait(&it.begin);
    belay_owner_release(parent);
    pthread_barrier_wait(&it.end);
    CHECK_INT(it.object, 0);
  }
  for (int i = 0; i < THREADS; i++) join_thread(&threads[i]);
  CHECK_INT(it.errors, 0);
}

static const test_case cases[] = {
    CASE(A4_27_handlers_run_at_the_watchers_loop),
    CASE(A4_27_what_is_on_its_way_is_not_delivered_after_a_death),
    CASE(no_handler_after_the_deinit_of_its_watcher),
    CASE(what_is_replaced_away_from_its_loop_is_freed_there),
    CASE(a_watch_at_a_closed_loop_leaves_nothing),
    CASE(events_while_a_watch_ends_elsewhere),
    CASE(changes_while_a_watch_ends_elsewhere),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
