/* Observing across threads: where one is called (A3-45), and deaths while a change is on its way.
 * */
#include "people.h"
#include "worker.h"

#include <stdatomic.h>

/* ---- A3-45 ---- */
typedef struct where {
  belay_owner *object;
  pthread_t setter;
  worker *home;
  int count, strayed, last;
} where;
static void note_where(void *ctx, belay_value value) {
  where *it = ctx;
  int32_t number = -1;
  belay_value_get_int32(value, &number);
  it->strayed += it->home ? !is_on(it->home) : !pthread_equal(pthread_self(), it->setter);
  it->last = number;
  it->count++;
}
static void set_there(void *ctx) {
  where *it = ctx;
  it->setter = pthread_self();
  for (int i = 1; i <= 100; i++) CHECK_INT(set_int(it->object, "age", i), 0);
}
static void A3_45_values_arrive_on_the_thread_that_made_the_change(void) {
  where it = {.object = make_person(0, NULL)};
  belay_signal *signal = observe_with(it.object, "age", 0, NULL);
  belay_observer observer = {.size = sizeof observer, .next = note_where, .ctx = &it};
  belay_disposable *subscription;
  CHECK_INT(belay_signal_subscribe(signal, &observer, &subscription), 0);
  in_thread(set_there, &it);
  CHECK_INT(it.count, 100);
  CHECK_INT(it.strayed, 0);
  end_subscription(subscription);
  belay_signal_release(signal), belay_owner_release(it.object);
  forget_people();
}

static void A3_45_or_at_the_observers_loop(void) {
  worker home = {0};
  start_worker(&home);
  where it = {.object = make_person(0, NULL), .home = &home};
  belay_signal *signal = observe_with(it.object, "age", 0, NULL);
  belay_observer observer = {
      .size = sizeof observer, .next = note_where, .ctx = &it, .loop = home.loop};
  belay_disposable *subscription;
  CHECK_INT(belay_signal_subscribe(signal, &observer, &subscription), 0);
  meet(&home);
  in_thread(set_there, &it);
  meet(&home);
  CHECK_INT(it.count, 100);
  CHECK_INT(it.last, 100);
  CHECK_INT(it.strayed, 0);
  end_subscription(subscription);
  meet(&home);
  stop_worker(&home);
  belay_signal_release(signal), belay_owner_release(it.object);
  forget_people();
}

/* ---- many at once ---- */
enum { THREADS = 4, ROUNDS = 400 };
typedef struct crowd {
  belay_owner *object, *bosses[2];
  int inside, overlaps, count, last;
} crowd;
static void note_alone(void *ctx, belay_value value) {
  crowd *it = ctx;
  int32_t number = -1;
  belay_value_get_int32(value, &number);
  if (__atomic_add_fetch(&it->inside, 1, __ATOMIC_SEQ_CST) != 1) it->overlaps++;
  it->last = number;
  it->count++;
  __atomic_sub_fetch(&it->inside, 1, __ATOMIC_SEQ_CST);
}
static int set_until_taken(belay_owner *object, const char *path, int number) {
  int code;
  while ((code = set_int(object, path, number)) == BELAY_EAGAIN) belay_last_error(), sched_yield();
  return code;
}
static void set_many(void *ctx) {
  crowd *it = ctx;
  for (int i = 0; i < ROUNDS; i++) CHECK_INT(set_until_taken(it->object, "age", i), 0);
}
static void changes_at_once_are_told_one_at_a_time_and_the_last_is_last(void) {
  crowd it = {.object = make_person(0, NULL)};
  routine routines[THREADS];
  belay_signal *signal = observe_with(it.object, "age", 0, NULL);
  belay_observer observer = {.size = sizeof observer, .next = note_alone, .ctx = &it};
  belay_disposable *subscription;
  CHECK_INT(belay_signal_subscribe(signal, &observer, &subscription), 0);
  for (int i = 0; i < THREADS; i++) start_thread(&routines[i], set_many, &it);
  for (int i = 0; i < THREADS; i++) join_thread(&routines[i]);
  CHECK_INT(it.overlaps, 0);
  /* Changes on several threads at the same moment may be told as one. */
  CHECK(it.count > 0 && it.count <= THREADS * ROUNDS);
  CHECK_INT(it.last, get_int(it.object, "age"));
  end_subscription(subscription);
  belay_signal_release(signal), belay_owner_release(it.object);
  forget_people();
}

/* One thread sets the hop, others change the object behind it. */
static void move_hop(void *ctx) {
  crowd *it = ctx;
  for (int i = 0; i < ROUNDS; i++) {
    int code;
    while ((code = set_owner(it->object, "boss", it->bosses[i % 2])) == BELAY_EAGAIN)
      belay_last_error(), sched_yield();
    CHECK_INT(code, 0);
  }
}
static void change_behind(void *ctx) {
  crowd *it = ctx;
  for (int i = 0; i < ROUNDS; i++)
    CHECK_INT(set_until_taken(it->bosses[i % 2], "age", 1000 + i), 0);
}
static void a_path_that_moves_under_changes_ends_at_what_it_leads_to(void) {
  crowd it = {.object = make_person(0, NULL),
              .bosses = {make_person(1, NULL), make_person(2, NULL)}};
  routine routines[2];
  belay_signal *signal = belay_object_observe(it.object, "boss.age", NULL);
  belay_observer observer = {.size = sizeof observer, .next = note_alone, .ctx = &it};
  belay_disposable *subscription;
  CHECK_INT(belay_signal_subscribe(signal, &observer, &subscription), 0);
  start_thread(&routines[0], move_hop, &it);
  start_thread(&routines[1], change_behind, &it);
  for (int i = 0; i < 2; i++) join_thread(&routines[i]);
  CHECK_INT(it.overlaps, 0);
  CHECK_INT(it.last, get_int(it.object, "boss.age"));
  end_subscription(subscription);
  belay_signal_release(signal);
  belay_owner_release(it.object);
  belay_owner_release(it.bosses[0]), belay_owner_release(it.bosses[1]);
  forget_people();
}

/* ---- deaths while a change is on its way ---- */
typedef struct race {
  belay_owner *target, *setter_handle, *observer, *boss;
  pthread_barrier_t gate;
  belay_weak *weak;
  int is_adopted, count, ends;
} race;
static void count_heard(void *ctx, belay_value value) {
  (void)value;
  __atomic_add_fetch(&((race *)ctx)->count, 1, __ATOMIC_SEQ_CST);
}
static void count_end(void *ctx) {
  __atomic_add_fetch(&((race *)ctx)->ends, 1, __ATOMIC_SEQ_CST);
}
static void set_until_dead(void *ctx) {
  race *it = ctx;
  pthread_barrier_wait(&it->gate);
  for (int i = 0; i < 50; i++) {
    /* The reference keeps a created target alive; an adopted one may die meanwhile. */
    belay_owner *target = it->is_adopted ? it->setter_handle : belay_weak_upgrade(it->weak);
    if (!target) break;
    int code = set_int(target, "age", i);
    if (code == 0) code = set_text(target, "name", "someone else");
    if (code == 0) code = set_int(target, "mate.age", i);
    if (!it->is_adopted) belay_owner_release(target);
    CHECK(code == 0 || code == BELAY_EAGAIN || code == BELAY_EDEAD);
  }
  belay_last_error();
}
static void let_target_die(void *ctx) {
  race *it = ctx;
  pthread_barrier_wait(&it->gate);
  belay_owner_release(it->target);
}
static void let_observer_die(void *ctx) {
  race *it = ctx;
  pthread_barrier_wait(&it->gate);
  belay_owner_release(it->observer);
}
static void let_hop_die(void *ctx) {
  race *it = ctx;
  pthread_barrier_wait(&it->gate);
  belay_owner_release(it->boss);
}
static belay_owner *make_adopted(void) {
  person *it = calloc(1, sizeof *it);
  CHECK(it != NULL);
  it->name = belay_string("Ann");
  belay_owner *owner = belay_owner_adopt(it, NULL);
  CHECK_INT(belay_object_set_type(owner, person_type), 0);
  return owner;
}
static void end_adopted(void *ctx) {
  race *it = ctx;
  pthread_barrier_wait(&it->gate);
  void *object = belay_owner_object(it->target);
  CHECK_INT(belay_owner_end(object, person_gone, object), 0);
  belay_owner_release(it->target);
}
static void target_observer_and_hop_die_on_different_threads(void) {
  for (int round = 0; round < 200; round++) {
    race it = {.boss = make_person(1, NULL),
               .observer = belay_owner_create(NULL, NULL, NULL, NULL)};
    it.is_adopted = round % 2;
    it.target = it.is_adopted ? make_adopted() : make_person(0, NULL);
    CHECK_INT(set_owner(it.target, "mate", it.boss), 0);
    it.weak = belay_weak_create(it.target);
    it.setter_handle = it.is_adopted ? belay_owner_retain(it.target) : NULL;
    static const char *const paths[] = {"age", "title", "mate.age", "greeting"};
    belay_disposable *subscriptions[4];
    belay_observer observer = {.size = sizeof observer, .next = count_heard,
                               .completed = count_end, .ctx = &it};
    for (int i = 0; i < 4; i++) {
      belay_signal *signal = observe_with(
          it.target, paths[i], BELAY_OBSERVE_INITIAL | BELAY_OBSERVE_PRIOR | BELAY_OBSERVE_OLD,
          it.observer);
      CHECK_INT(belay_signal_subscribe(signal, &observer, &subscriptions[i]), 0);
      belay_signal_release(signal);
    }
    routine routines[4];
    CHECK_INT(pthread_barrier_init(&it.gate, NULL, 4), 0);
    start_thread(&routines[0], set_until_dead, &it);
    start_thread(&routines[1], it.is_adopted ? end_adopted : let_target_die, &it);
    start_thread(&routines[2], let_observer_die, &it);
    start_thread(&routines[3], let_hop_die, &it);
    for (int i = 0; i < 4; i++) join_thread(&routines[i]);
    for (int i = 0; i < 4; i++) {
      CHECK_INT(belay_disposable_is_disposed(subscriptions[i]), 1);
      belay_disposable_release(subscriptions[i]);
    }
    CHECK_INT(it.ends, 4);
    belay_weak_release(it.weak), belay_owner_release(it.setter_handle);
    pthread_barrier_destroy(&it.gate);
  }
  forget_people();
}

/* What was sent last, by any thread. A shared source calls one callback at a time. */
typedef struct last_words {
  belay_owner *target;
  pthread_barrier_t gate;
  int values, nulls, after_null, ends;
} last_words;
static void note_last_words(void *ctx, belay_value value) {
  last_words *it = ctx;
  if (it->nulls || it->ends) it->after_null++;
  if (belay_value_is_null(value)) it->nulls++;
  else __atomic_add_fetch(&it->values, 1, __ATOMIC_RELAXED);
}
static void note_last_end(void *ctx) { ((last_words *)ctx)->ends++; }
static void set_until_gone(void *ctx) {
  last_words *it = ctx;
  pthread_barrier_wait(&it->gate);
  int code;
  do code = set_int(it->target, "age", 1);
  while (code == 0 || code == BELAY_EAGAIN);
  CHECK_INT(code, BELAY_EDEAD);
  belay_last_error();
}
static void end_meanwhile(void *ctx) {
  last_words *it = ctx;
  void *object = belay_owner_object(it->target);
  pthread_barrier_wait(&it->gate);
  while (!__atomic_load_n(&it->values, __ATOMIC_RELAXED)) sched_yield();
  CHECK_INT(belay_owner_end(object, person_gone, object), 0);
}
static void A1_27_null_comes_once_and_last_whoever_sends_meanwhile(void) {
  belay_owner_release(make_person(0, NULL)); /* makes the type */
  for (int round = 0; round < 1000; round++) {
    last_words it = {.target = make_adopted()};
    belay_signal *signal = observe_with(it.target, "age", BELAY_OBSERVE_DEATH, NULL);
    belay_observer observer = {.size = sizeof observer, .next = note_last_words,
                               .completed = note_last_end, .ctx = &it};
    CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
    belay_signal_release(signal);
    routine setter, ender;
    CHECK_INT(pthread_barrier_init(&it.gate, NULL, 2), 0);
    start_thread(&setter, set_until_gone, &it);
    start_thread(&ender, end_meanwhile, &it);
    join_thread(&setter);
    join_thread(&ender);
    CHECK_INT(it.nulls, 1);
    CHECK_INT(it.after_null, 0);
    CHECK_INT(it.ends, 1);
    belay_owner_release(it.target);
    pthread_barrier_destroy(&it.gate);
  }
  forget_people();
}

/* No lock is held while an observation is set up, so a death on another thread does not wait for
   it. */
typedef struct setting_up {
  belay_owner *target;
  sem_t in, out;
  int ends;
} setting_up;
static void hold_up(void *ctx, belay_value value) {
  setting_up *it = ctx;
  sem_post(&it->in);
  wait_for(&it->out);
}
static void note_setting_up_end(void *ctx) { ((setting_up *)ctx)->ends++; }
static void set_up(void *ctx) {
  setting_up *it = ctx;
  belay_signal *signal = belay_object_observe(it->target, "age", NULL);
  belay_observer observer = {.size = sizeof observer, .next = hold_up,
                             .completed = note_setting_up_end, .ctx = it};
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  belay_signal_release(signal);
}
static void A3_46_a_death_does_not_wait_for_a_set_up(void) {
  belay_owner_release(make_person(0, NULL)); /* makes the type */
  setting_up it = {.target = make_adopted()};
  sem_init(&it.in, 0, 0), sem_init(&it.out, 0, 0);
  routine observer;
  start_thread(&observer, set_up, &it);
  wait_for(&it.in);
  void *object = belay_owner_object(it.target);
  CHECK_INT(belay_owner_end(object, person_gone, object), 0);
  sem_post(&it.out);
  join_thread(&observer);
  CHECK_INT(it.ends, 1);
  belay_owner_release(it.target);
  sem_destroy(&it.in), sem_destroy(&it.out);
  forget_people();
}

/* A running getter delays the deinit. */
typedef struct slow {
  sem_t in, out;
  int freed;
} slow;
static belay_value slow_value(void *object) {
  slow *it = object;
  sem_post(&it->in);
  wait_for(&it->out);
  CHECK_INT(it->freed, 0);
  return belay_int32(1);
}
static void slow_gone(void *object) { ((slow *)object)->freed = 1; }
static void read_slowly(void *ctx) {
  belay_value value;
  CHECK_INT(belay_object_get(ctx, "slow", &value), 0);
  belay_value_release(value);
}
static void a_death_waits_for_a_getter_on_another_thread(void) {
  static const belay_field fields[] = {{sizeof(belay_field), "slow", BELAY_KIND_INT32, 0, slow_value, NULL, NULL}};
  slow it = {.freed = 0};
  routine reader;
  sem_init(&it.in, 0, 0), sem_init(&it.out, 0, 0);
  belay_type *type = belay_type_create(fields, 1, 0);
  belay_owner *owner = belay_owner_create(&it, slow_gone, NULL, NULL);
  CHECK_INT(belay_object_set_type(owner, type), 0);
  belay_weak *weak = belay_weak_create(owner);
  start_thread(&reader, read_slowly, owner);
  wait_for(&it.in);
  belay_owner_release(owner);
  CHECK(belay_weak_upgrade(weak) == NULL);
  CHECK_INT(it.freed, 0);
  sem_post(&it.out);
  join_thread(&reader);
  CHECK_INT(it.freed, 1);
  belay_weak_release(weak), belay_type_release(type);
  sem_destroy(&it.in), sem_destroy(&it.out);
}

/* The observer dies while a hop changes. */
static atomic_int is_observer_gone;
static void release_observer(void *observer) {
  belay_owner_release(observer);
  is_observer_gone = 1;
}
static void an_observers_death_is_no_error_whoever_changes_a_hop(void) {
  belay_owner *ann = make_person(20, NULL), *bosses[2];
  for (int i = 0; i < 2; i++) {
    belay_owner *above = make_person(50, NULL);
    bosses[i] = make_person(40, NULL);
    set_owner(bosses[i], "boss", above);
    belay_owner_release(above);
  }
  for (int i = 0; i < 500; i++) {
    routine ends;
    belay_owner *observer = belay_owner_create(NULL, NULL, NULL, NULL);
    belay_signal *signal = observe_with(ann, "boss.boss.age", BELAY_OBSERVE_INITIAL, observer);
    belay_observer ending = tracing("");
    ending.next = NULL;
    CHECK_INT(belay_signal_subscribe(signal, &ending, NULL), 0);
    belay_signal_release(signal);
    is_observer_gone = 0;
    start_thread(&ends, release_observer, observer);
    for (int k = 0; !is_observer_gone; k++) set_owner(ann, "boss", bosses[k % 2]);
    join_thread(&ends);
    CHECK_TRACE("completed | disposed | free");
  }
  belay_owner_release(ann), belay_owner_release(bosses[0]), belay_owner_release(bosses[1]);
  trace_clear(), forget_people();
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      CASE(A3_45_values_arrive_on_the_thread_that_made_the_change),
      CASE(A3_45_or_at_the_observers_loop),
      CASE(changes_at_once_are_told_one_at_a_time_and_the_last_is_last),
      CASE(a_path_that_moves_under_changes_ends_at_what_it_leads_to),
      CASE(target_observer_and_hop_die_on_different_threads),
      CASE(A1_27_null_comes_once_and_last_whoever_sends_meanwhile),
      CASE(A3_46_a_death_does_not_wait_for_a_set_up),
      CASE(a_death_waits_for_a_getter_on_another_thread),
      CASE(an_observers_death_is_no_error_whoever_changes_a_hop),
  };
  return RUN_CASES(cases);
}
