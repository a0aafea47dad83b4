/* What one thread sends from inside of a callback, and what another has sent before to the same
 * subscription. */
#include "people.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

/* ---- one thread is inside of a callback while the other sends ---- */

static belay_signal *source;
static belay_subscriber *fed;
static bool is_fed, is_end;
static atomic_int phase;

static int send(int number) {
  return is_fed ? belay_subscriber_next(fed, belay_int32(number))
                : belay_subject_next(source, belay_int32(number));
}
static void send_one(void *ctx) {
  while (phase != 1) sched_yield();
  CHECK(send(1) >= 0);
  phase = 2;
}
static void next(void *ctx, belay_value value) {
  render_next(ctx, value);
  if (int_of(value) != 0) return;
  phase = 1;
  while (phase != 2) sched_yield();
  if (!is_end) CHECK(send(2) >= 0);
  else CHECK((is_fed ? belay_subscriber_completed(fed) : belay_subject_completed(source)) >= 0);
}
static void feed(void *ctx, belay_value value) {
  CHECK(belay_subscriber_next(fed, belay_value_retain(value)) >= 0);
}
static void complete_fed(void *ctx) { CHECK(belay_subscriber_completed(fed) >= 0); }
static belay_disposable *begin(void *ctx, belay_subscriber *subscriber) {
  belay_disposable *feeding = NULL;
  fed = belay_subscriber_retain(subscriber);
  if (!is_fed)
    belay_signal_subscribe(
        source, &BELAY_INIT(belay_observer, .next = feed, .completed = complete_fed), &feeding);
  return feeding;
}

static void what_is_sent_inside_follows(void) {
  const belay_source_options options = {.size = sizeof options, .shared = 1};
  for (int way = 0; way < 6; way++) {
    is_fed = way % 3 == 2;
    is_end = way >= 3;
    phase = 0;
    source = belay_subject_create(&options);
    belay_signal *signal = way % 3 == 0 ? belay_signal_retain(source)
                                        : belay_signal_create(begin, NULL, NULL, &options);
    belay_observer observer = rendering("");
    observer.next = next;
    belay_disposable *subscription;
    CHECK_INT(belay_signal_subscribe(signal, &observer, &subscription), 0);
    routine other;
    start_thread(&other, send_one, NULL);
    CHECK(send(0) >= 0);
    join_thread(&other);
    end_subscription(subscription);
    CHECK_TRACE(is_end ? "next 0 | next 1 | completed | disposed | free"
                       : "next 0 | next 1 | next 2 | disposed | free");
    belay_subscriber_release(fed);
    fed = NULL;
    belay_signal_release(signal), belay_signal_release(source);
  }
}

/* ---- what others bring meanwhile, to a thread with a loop ---- */

enum { SENT = 2000 };
static atomic_int heard;
static void count_heard(void *ctx, belay_value value) { heard++; }
static void send_many_beside(void *ctx) {
  belay_disposable *subscription = NULL;
  CHECK(belay_signal_subscribe(source, &BELAY_INIT(belay_observer, .next = count_heard),
                               &subscription) >= 0);
  phase = 1;
  while (phase != 2) sched_yield();
  CHECK(send(1) >= 0);
  phase = 3;
  while (phase != 4) sched_yield();
  for (int i = 0; i < SENT; i++) CHECK(send(2 + i) >= 0);
  CHECK_INT(heard, 2 + SENT);
  end_subscription(subscription);
  phase = 5;
}
static void next_slowly(void *ctx, belay_value value) {
  int number = int_of(value);
  if (number < 2) trace("next %d", number);
  if (number > 1) return;
  phase = number == 0 ? 2 : 4;
  while (phase != (number == 0 ? 3 : 5)) sched_yield();
}
/* It comes at a turn of the loop. So a listener that takes long there holds up neither the senders nor
   other listeners; only its own subscription has more than its queue takes. */
static void what_others_bring_waits_for_a_turn(void) {
  belay_loop *loop = open_loop();
  source = belay_subject_create(&BELAY_INIT(belay_source_options, .shared = 1));
  is_fed = false;
  heard = phase = 0;
  belay_observer observer = rendering("");
  observer.next = next_slowly;
  observer.loop = loop;
  belay_disposable *subscription;
  CHECK_INT(belay_signal_subscribe(source, &observer, &subscription), 0);
  routine other;
  start_thread(&other, send_many_beside, NULL);
  while (phase != 1) sched_yield();
  CHECK_INT(send(0), 0);
  CHECK_TRACE("next 0");
  CHECK_INT(heard, 2);
  while (!belay_disposable_is_disposed(subscription)) belay_loop_run(loop, BELAY_RUN_ONCE);
  CHECK_TRACE("next 1 | error EAGAIN | disposed | free");
  join_thread(&other);
  belay_disposable_release(subscription);
  belay_signal_release(source);
  close_loop(loop);
}

/* ---- what is sent inside after an end, under each policy ---- */

static int after_the_end;
static void complete_and_send(void *ctx, belay_value value) {
  render_next(ctx, value);
  if (int_of(value) != 0) return;
  phase = 1;
  while (phase != 2) sched_yield();
  CHECK(belay_subject_completed(source) >= 0);
  after_the_end = belay_subject_next(source, belay_int32(2));
  belay_last_error();
}
static void nothing_is_taken_after_an_end(void) {
  static const belay_reentrancy policies[] = {BELAY_REENTRANCY_QUEUE, BELAY_REENTRANCY_DEPTH_FIRST,
                                              BELAY_REENTRANCY_LATEST, BELAY_REENTRANCY_REJECT};
  is_fed = false;
  for (int i = 0; i < 4; i++) {
    const belay_source_options options = {
        .size = sizeof options, .shared = 1, .reentrancy = policies[i]};
    source = belay_subject_create(&options);
    belay_observer observer = rendering("");
    observer.next = complete_and_send;
    phase = 0;
    belay_disposable *subscription;
    CHECK_INT(belay_signal_subscribe(source, &observer, &subscription), 0);
    routine other;
    start_thread(&other, send_one, NULL);
    CHECK(belay_subject_next(source, belay_int32(0)) >= 0);
    join_thread(&other);
    CHECK_INT(after_the_end, BELAY_EENDED);
    end_subscription(subscription);
    CHECK_TRACE("next 0 | next 1 | completed | disposed | free");
    belay_signal_release(source);
  }
}

/* ---- the last handle is released inside ---- */

static void release_source(void *ctx, belay_value value) {
  if (fed) belay_subscriber_release(fed);
  else belay_signal_release(source);
  fed = NULL;
}
static void the_last_handle_is_released_inside(void) {
  for (int way = 0; way < 3; way++) {
    const belay_source_options options = {
        .size = sizeof options, .shared = 1,
        .reentrancy = way == 2 ? BELAY_REENTRANCY_DEPTH_FIRST : BELAY_REENTRANCY_QUEUE};
    is_fed = way == 0;
    fed = NULL;
    source = way == 0   ? belay_signal_create(begin, NULL, NULL, &options)
             : way == 1 ? belay_subject_create_replay(NULL, -1, 3, &options)
                        : belay_subject_create(&options);
    belay_observer observer = rendering("");
    observer.next = release_source;
    CHECK_INT(belay_signal_subscribe(source, &observer, NULL), 0);
    if (way == 0) belay_signal_release(source);
    CHECK(send(0) >= 0);
    CHECK_TRACE("disposed | free");
  }
}

/* ---- two sources, `first` and `source`: while one is heard, another thread sends into `first` ---- */

enum { MANY = 3000 };
static belay_signal *first;
static int arrived, to_send;

static void send_into_first(void *ctx) {
  while (phase != 1) sched_yield();
  for (int i = 0; i < to_send; i++)
    CHECK((fed ? belay_subscriber_next(fed, belay_int32(i))
               : belay_subject_next(first, belay_int32(i))) >= 0);
  phase = 2;
}
static void wait_for_the_other(void) {
  if (phase != 0) return;
  phase = 1;
  while (phase != 2) sched_yield();
}
static void count_one(void *ctx, belay_value value) { arrived++; }
static void count_and_wait(void *ctx, belay_value value) {
  arrived++;
  wait_for_the_other();
}

/* Subscribes to `merged` (taken over), sends into `source`, and releases both sources. */
static void play(belay_signal *merged, void (*called)(void *, belay_value), int sent, int expected) {
  belay_observer observer = rendering("");
  observer.next = called;
  arrived = phase = 0;
  to_send = sent;
  belay_disposable *subscription;
  CHECK_INT(belay_signal_subscribe(merged, &observer, &subscription), 0);
  routine other;
  start_thread(&other, send_into_first, NULL);
  CHECK(belay_subject_next(source, belay_int32(0)) >= 0);
  join_thread(&other);
  CHECK_INT(arrived, expected);
  end_subscription(subscription);
  CHECK_TRACE("disposed | free");
  belay_signal_release(merged), belay_signal_release(first), belay_signal_release(source);
}
static belay_signal *merge_both(bool source_leads) {
  belay_signal *both[] = {belay_signal_retain(source_leads ? source : first),
                          belay_signal_retain(source_leads ? first : source)};
  return belay_signal_merge(both, 2);
}
static belay_signal *shared_subject(size_t capacity) {
  return belay_subject_create(
      &(belay_source_options){.size = sizeof(belay_source_options), .shared = 1, .capacity = capacity});
}

static belay_disposable *produce_many(void *ctx, belay_subscriber *subscriber) {
  wait_for_the_other();
  for (int i = 0; i < MANY; i++) CHECK_INT(belay_subscriber_next(subscriber, belay_int32(i)), 0);
  belay_subscriber_completed(subscriber);
  return NULL;
}
static belay_signal *many_for_each(void *ctx, belay_value value) {
  return belay_signal_create(produce_many, NULL, NULL, NULL);
}
static void a_producer_is_not_held_up_by_another_source(void) {
  first = shared_subject(0);
  source = shared_subject(0);
  play(belay_signal_chain(merge_both(false),
                          belay_op_flat_map(BELAY_UNLIMITED, many_for_each, NULL, NULL)),
       count_one, 1, 2 * MANY);
}

static void the_largest_capacity_is_that_of_all(void) {
  for (int way = 0; way < 4; way++) {
    first = shared_subject(MANY + 1);
    source = shared_subject(way < 2 ? MANY + 1 : 0);
    play(merge_both(way % 2 == 0), count_and_wait, MANY, MANY + 1);
  }
}

static void a_small_capacity_leaves_room_for_others(void) {
  source = shared_subject(1);
  is_fed = true; /* `first` is a plain created signal */
  first = belay_signal_create(begin, NULL, NULL, NULL);
  play(merge_both(true), count_and_wait, 1000, 1001);
  belay_subscriber_release(fed);
  fed = NULL;
  is_fed = false;
}

/* ---- a field that is set while its observation begins ---- */

enum { ROUNDS = 3000, STINT = 64 };
static belay_owner *object;
static int told, last, fallen;
static atomic_int is_inside, is_set, is_half;
static volatile int delay;

static void told_age(void *ctx, belay_value value) {
  int age = int_of(value);
  fallen += told > 0 && age < last;
  last = age;
  if (told++ == 0) {
    is_inside = 1;
    while (!is_set) sched_yield();
  }
  if (told == STINT + 1) is_half = 1;
}
static void set_ages(void *ctx) {
  int *age = ctx;
  while (!is_inside) sched_yield();
  for (int i = 0; i <= 2 * STINT; i++) CHECK_INT(set_int(object, "age", ++*age), 0);
  is_set = 1;
  while (!is_half);
  while (delay > 0) delay--;
  CHECK_INT(set_int(object, "age", ++*age), 0);
}
static void an_observation_ends_with_what_the_field_has(void) {
  int age = 0, stale = 0;
  fallen = 0;
  object = make_person(0, NULL);
  belay_signal *signal = observe_with(object, "age", BELAY_OBSERVE_INITIAL, NULL);
  for (int round = 0; round < ROUNDS; round++) {
    told = is_inside = is_set = is_half = 0;
    delay = round % 400;
    routine other;
    belay_disposable *subscription;
    start_thread(&other, set_ages, &age);
    belay_observer observer = {.size = sizeof observer, .next = told_age};
    CHECK_INT(belay_signal_subscribe(signal, &observer, &subscription), 0);
    join_thread(&other);
    CHECK_INT(belay_disposable_dispose_sync(subscription, 10), 0);
    stale += last != age;
    belay_disposable_release(subscription);
  }
  CHECK_INT(fallen, 0);
  CHECK_INT(stale, 0);
  belay_signal_release(signal), belay_owner_release(object);
  forget_people();
}

static const test_case cases[] = {
    CASE(what_is_sent_inside_follows),
    CASE(what_others_bring_waits_for_a_turn),
    CASE(nothing_is_taken_after_an_end),
    CASE(the_last_handle_is_released_inside),
    CASE(a_producer_is_not_held_up_by_another_source),
    CASE(the_largest_capacity_is_that_of_all),
    CASE(a_small_capacity_leaves_room_for_others),
    CASE(an_observation_ends_with_what_the_field_has),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
