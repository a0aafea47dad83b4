/* Senders that wait for room in the queue of another thread's loop. */
#include "held.h"

#include <math.h>

enum { MANY = 20000, SENDERS = 3 };

/* ---- a worker with a short queue, which hears what is sent to it ---- */

static worker there;
static belay_signal *subject;
static belay_subscriber *kept;
static belay_disposable *subscription;
static int counts[SENDERS], disorder;

/* The value is the sender's number and its count. */
static void hear(void *ctx, belay_value value) {
  int number = int_of(value), sender = number / MANY;
  disorder += number % MANY != counts[sender]++;
}
static void make_there(void *unused) {
  belay_observer observer = BELAY_INIT(belay_observer);
  observer.next = hear;
  subject = belay_subject_create(NULL);
  CHECK_INT(belay_signal_subscribe(subject, &observer, &subscription), 0);
}
static belay_disposable *keep(void *unused, belay_subscriber *subscriber) {
  kept = belay_subscriber_retain(subscriber);
  return NULL;
}
static void make_subscriber_there(void *unused) {
  belay_observer observer = BELAY_INIT(belay_observer);
  observer.next = hear;
  subject = belay_signal_create(keep, NULL, NULL, NULL);
  CHECK_INT(belay_signal_subscribe(subject, &observer, &subscription), 0);
}
static void begin(belay_action_fn make) {
  there = (worker){.capacity = 4};
  disorder = 0;
  memset(counts, 0, sizeof counts);
  start_worker(&there);
  on_worker(&there, make, NULL);
}
static void finish(void) {
  belay_disposable_release(subscription);
  belay_subscriber_release(kept);
  kept = NULL;
  belay_signal_release(subject);
  stop_worker(&there);
}
static int send_there(belay_value value, double timeout) {
  return kept ? belay_subscriber_next_wait(kept, value, timeout)
              : belay_subject_next_wait(subject, value, timeout);
}

/* ---- the queue is full while the worker is held ---- */

static void hold(void *unused) {
  sem_post(&inside);
  wait_for(&go_on);
}
static void fill(void) {
  sem_init(&inside, 0, 0);
  sem_init(&go_on, 0, 0);
  CHECK_INT(belay_loop_post(there.loop, hold, NULL, NULL), 0);
  wait_for(&inside);
  for (int i = 0; i < 4; i++) CHECK_INT(belay_loop_post(there.loop, empty_action, NULL, NULL), 0);
}

static void send_many(void *first) {
  for (int i = 0; i < MANY; i++)
    CHECK_INT(send_there(belay_int32(*(int *)first + i), -1), BELAY_QUEUED);
}
static void nothing_is_lost(belay_action_fn make) {
  routine senders[SENDERS];
  int firsts[SENDERS];
  begin(make);
  for (int i = 0; i < SENDERS; i++) {
    firsts[i] = i * MANY;
    start_thread(&senders[i], send_many, &firsts[i]);
  }
  for (int i = 0; i < SENDERS; i++) join_thread(&senders[i]);
  meet(&there);
  for (int i = 0; i < SENDERS; i++) CHECK_INT(counts[i], MANY);
  CHECK_INT(disorder, 0);
  finish();
}
static void nothing_is_lost_on_the_way_to_a_subject(void) { nothing_is_lost(make_there); }
static void nothing_is_lost_on_the_way_to_a_subscriber(void) {
  nothing_is_lost(make_subscriber_there);
}

static void for_a_time(belay_action_fn make) {
  static const double times[] = {0, 0.001, 1e-12};
  begin(make);
  fill();
  for (int i = 0; i < 3; i++)
    CHECK_FAILS(send_there(belay_string("not sent"), times[i]), BELAY_ETIMEDOUT);
  sem_post(&go_on);
  meet(&there);
  CHECK_INT(send_there(belay_int32(0), 0), BELAY_QUEUED);
  meet(&there);
  CHECK_INT(counts[0], 1);
  finish();
}
static void no_longer_than_the_time(void) { for_a_time(make_there); }
static void no_longer_than_the_time_to_a_subscriber(void) { for_a_time(make_subscriber_there); }

/* ---- what ends the wait besides room ---- */

static int answer;
static sem_t asks;
static void send_one(void *unused) {
  sem_post(&asks);
  answer = send_there(belay_string("late"), -1);
}
/* A sender that has looked before the worker hears of the disposal may still find room after it. Which of the two a
   round has is up to the threads. */
static void the_end_of_the_subscription(void) {
  for (int round = 0; round < 50; round++) {
    routine sender;
    begin(make_subscriber_there);
    fill();
    sem_init(&asks, 0, 0);
    start_thread(&sender, send_one, NULL);
    wait_for(&asks);
    for (int i = 0; i < round; i++) sched_yield();
    belay_disposable_dispose(subscription);
    sem_post(&go_on);
    join_thread(&sender);
    CHECK(answer == BELAY_EENDED || answer == BELAY_QUEUED);
    meet(&there);
    CHECK_FAILS(send_there(belay_string("too late"), -1), BELAY_EENDED);
    finish();
  }
}

static belay_loop *closing;
/* A value that comes while the loop closes is accepted, and counted as lost, as any other. Which of the two a round
   has is up to the threads. */
static void the_close_of_the_loop(void) {
  for (int round = 0; round < 50; round++) {
    routine sender;
    belay_loop_options options = BELAY_INIT(belay_loop_options);
    options.capacity = 1;
    closing = belay_loop_create(&options);
    subject = belay_subject_create(NULL);
    CHECK_INT(belay_loop_post(closing, empty_action, NULL, NULL), 0);
    sem_init(&asks, 0, 0);
    uint64_t lost = belay_lost_count();
    start_thread(&sender, send_one, NULL);
    wait_for(&asks);
    for (int i = 0; i < round; i++) sched_yield();
    CHECK_INT(belay_loop_close(closing, NULL, NULL, NULL), 0);
    belay_loop_run(closing, BELAY_RUN_DEFAULT);
    join_thread(&sender);
    CHECK(answer == BELAY_ECANCELED || answer == BELAY_QUEUED);
    // The action that filled the queue is lost in every round.
    CHECK_INT(belay_lost_count() - lost, answer == BELAY_QUEUED ? 2 : 1);
    start_thread(&sender, send_one, NULL);
    join_thread(&sender);
    CHECK_INT(answer, BELAY_ECANCELED);
    belay_signal_release(subject);
    belay_loop_release(closing);
  }
}

/* ---- where nobody could make room meanwhile ---- */

static void at_its_own_home(void) {
  belay_source_options options = BELAY_INIT(belay_source_options);
  options.capacity = 1;
  subject = belay_subject_create(&options);
  CHECK_INT(belay_subject_next_wait(subject, belay_int32(1), -1), 0);
  belay_signal_release(subject);
}
static void send_inside(void *unused, belay_value value) {
  if (int_of(value) != 1) return;
  CHECK_INT(belay_subject_next_wait(subject, belay_int32(2), -1), BELAY_QUEUED);
  CHECK_FAILS(belay_subject_next_wait(subject, belay_string("3"), -1), BELAY_EDEADLK);
}
static void inside_its_own_delivery(void) {
  belay_source_options options = BELAY_INIT(belay_source_options);
  options.capacity = 1;
  belay_observer observer = BELAY_INIT(belay_observer);
  observer.next = send_inside;
  subject = belay_subject_create(&options);
  CHECK_INT(belay_signal_subscribe(subject, &observer, NULL), 0);
  CHECK_INT(belay_subject_next(subject, belay_int32(1)), 0);
  belay_signal_release(subject);
}
static void on_a_thread_with_a_loop(void) {
  belay_loop *loop = open_loop();
  begin(make_there);
  CHECK_INT(send_there(belay_int32(0), -1), BELAY_QUEUED);
  meet(&there);
  fill();
  CHECK_FAILS(send_there(belay_string("refused"), -1), BELAY_EDEADLK);
  sem_post(&go_on);
  finish();
  close_loop(loop);
}

/* ---- a source without a home ---- */

static void send_and_be_held(void *unused) {
  CHECK_INT(belay_subject_next(subject, belay_int32(-1)), 0);
}
static void hold_first(void *unused, belay_value value) {
  int number = int_of(value);
  if (number < 0) hold(NULL);
  else disorder += number != counts[0]++;
}
static void a_shared_source(void) {
  enum { FULL = 3 };
  routine holder;
  belay_source_options options = BELAY_INIT(belay_source_options);
  options.shared = 1;
  options.capacity = FULL;
  belay_observer observer = BELAY_INIT(belay_observer);
  observer.next = hold_first;
  disorder = counts[0] = 0;
  sem_init(&inside, 0, 0);
  sem_init(&go_on, 0, 0);
  subject = belay_subject_create(&options);
  CHECK_INT(belay_signal_subscribe(subject, &observer, NULL), 0);
  start_thread(&holder, send_and_be_held, NULL);
  wait_for(&inside);
  for (int i = 0; i < FULL; i++)
    CHECK_INT(belay_subject_next_wait(subject, belay_int32(i), -1), BELAY_QUEUED);
  CHECK_FAILS(belay_subject_next_wait(subject, belay_string("no"), 0), BELAY_ETIMEDOUT);
  sem_post(&go_on);
  for (int i = FULL; i < MANY; i++)
    CHECK(belay_subject_next_wait(subject, belay_int32(i), -1) >= 0);
  join_thread(&holder);
  CHECK_INT(counts[0], MANY);
  CHECK_INT(disorder, 0);
  belay_signal_release(subject);
}

/* ---- what is refused ---- */

static void bad_input(void) {
  belay_signal *just = belay_signal_just(belay_int32(1));
  belay_signal *any = belay_subject_create(NULL);
  CHECK_FAILS(belay_subject_next_wait(NULL, belay_string("a"), 0), BELAY_EINVAL);
  CHECK_FAILS(belay_subscriber_next_wait(NULL, belay_string("a"), 0), BELAY_EINVAL);
  CHECK_FAILS(belay_subject_next_wait(any, belay_string("a"), NAN), BELAY_EINVAL);
  CHECK_FAILS(belay_subject_next_wait(just, belay_string("a"), -1), BELAY_EKIND);
  CHECK_INT(belay_subject_completed(any), 0);
  CHECK_FAILS(belay_subject_next_wait(any, belay_string("a"), -1), BELAY_EENDED);
  belay_signal_release(just);
  belay_signal_release(any);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      CASE(nothing_is_lost_on_the_way_to_a_subject),
      CASE(nothing_is_lost_on_the_way_to_a_subscriber),
      CASE(no_longer_than_the_time),
      CASE(no_longer_than_the_time_to_a_subscriber),
      CASE(the_end_of_the_subscription),
      CASE(the_close_of_the_loop),
      CASE(at_its_own_home),
      CASE(inside_its_own_delivery),
      CASE(on_a_thread_with_a_loop),
      CASE(a_shared_source),
      CASE(bad_input),
  };
  return RUN_CASES(cases);
}
