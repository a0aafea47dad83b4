/* Senders that wait for room in the queue of another thread's loop. */
#include "held.h"

#include <math.h>
#include <unistd.h>

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

static void send_on_the_pool(void *unused) {
  CHECK_FAILS(send_there(belay_string("refused"), -1), BELAY_EDEADLK);
}
/* Its thread has no loop. */
static void in_work_of_a_pool(void) {
  belay_loop *loop = open_loop();
  belay_scheduler *pool = belay_scheduler_create_pool(loop);
  begin(make_there);
  meet(&there);
  fill();
  CHECK_INT(belay_scheduler_schedule(pool, send_on_the_pool, NULL, NULL, NULL), 0);
  run_to_end(loop);
  sem_post(&go_on);
  finish();
  belay_scheduler_release(pool);
  close_loop(loop);
}

static belay_signal *shared_subject(uint32_t capacity) {
  belay_source_options options = BELAY_INIT(belay_source_options);
  options.shared = 1;
  options.capacity = capacity;
  return belay_subject_create(&options);
}

/* ---- who would make room waits for the sender ---- */

static belay_signal *strands[2];
static belay_disposable *in_strand;

static void send_on_and_wait(void *unused, belay_value value) {
  sem_post(&inside);
  answer = belay_subject_next_wait(subject, belay_int32(0), -1);
}
static void send_into_strand(void *unused) {
  wait_for(&go_on);
  CHECK_INT(belay_subject_next(strands[0], belay_int32(1)), 0);
}
static double patience;
static int expected;
static void dispose_there(void *round) {
  while (belay_loop_post(there.loop, empty_action, NULL, NULL) == 0) {}
  sem_post(&go_on);
  wait_for(&inside);
  // In some rounds the sender sleeps by now, in others it comes to it while this thread sleeps. The answers are
  // the same.
  usleep(*(int *)round % 2 * 2000);
  CHECK_INT(belay_disposable_dispose_sync(in_strand, patience), expected);
}
static void dispose_of_what_a_sender_is_in(int round, void (*next)(void *, belay_value)) {
  routine sender;
  belay_observer observer = BELAY_INIT(belay_observer);
  observer.next = next;
  sem_init(&inside, 0, 0);
  sem_init(&go_on, 0, 0);
  strands[0] = shared_subject(0);
  CHECK_INT(belay_signal_subscribe(strands[0], &observer, &in_strand), 0);
  start_thread(&sender, send_into_strand, NULL);
  on_worker(&there, dispose_there, &round);
  join_thread(&sender);
  belay_disposable_release(in_strand);
  belay_signal_release(strands[0]);
}
static void a_sender_in_what_its_loop_disposes_of(double seconds, int disposal, int sending) {
  for (int round = 0; round < 20; round++) {
    begin(make_there);
    patience = seconds;
    expected = disposal;
    dispose_of_what_a_sender_is_in(round, send_on_and_wait);
    CHECK_INT(answer, sending);
    meet(&there);
    finish();
  }
}
static void a_loop_that_waits_for_the_sender(void) {
  a_sender_in_what_its_loop_disposes_of(-1, 0, BELAY_EDEADLK);
  a_sender_in_what_its_loop_disposes_of(3600, 0, BELAY_EDEADLK);
}
/* It does not wait, so it makes room soon. */
static void a_loop_that_asks_once(void) {
  a_sender_in_what_its_loop_disposes_of(0, BELAY_ETIMEDOUT, BELAY_QUEUED);
}

static int ended_with;
static void note_the_end(void *unused, const belay_error *error) {
  ended_with = belay_error_code(error);
}
static void subscribe_through_a_queue(void *unused) {
  belay_queue_options options = {
      .size = sizeof options, .policy = BELAY_QUEUE_BLOCK, .capacity = 1};
  belay_observer observer = BELAY_INIT(belay_observer);
  observer.error = note_the_end;
  subject = shared_subject(0);
  belay_signal *queued =
      belay_signal_chain(belay_signal_retain(subject),
                         belay_op_observe_on(belay_loop_get_scheduler(there.loop), &options));
  CHECK_INT(belay_signal_subscribe(queued, &observer, &subscription), 0);
  belay_signal_release(queued);
}
static void send_on_two(void *unused, belay_value value) {
  sem_post(&inside);
  for (int i = 0; i < 2; i++) belay_subject_next(subject, value);
}
/* The queue is one of observe_on, whose policy lets its senders sleep. */
static void a_loop_that_waits_for_who_sends_into_its_queue(void) {
  for (int round = 0; round < 20; round++) {
    begin(subscribe_through_a_queue);
    ended_with = 0;
    patience = -1;
    expected = 0;
    dispose_of_what_a_sender_is_in(round, send_on_two);
    meet(&there);
    CHECK_INT(ended_with, BELAY_EAGAIN);
    finish();
  }
}

/* Its thread sleeps once more within its sleep, in a callback of what it ends there. */
static belay_disposable *all, *elsewhere, *its_own;
static sem_t held_elsewhere, may_leave, is_back;
static void be_held_elsewhere(void *unused) {
  sem_post(&held_elsewhere);
  wait_for(&may_leave);
  usleep(1000);
}
static void dispose_elsewhere(void *unused) { belay_disposable_dispose(elsewhere); }
static void sleep_again(void *unused) {
  sem_post(&may_leave);
  CHECK_INT(belay_disposable_dispose_sync(elsewhere, -1), 0);
  sem_post(&is_back);
}
static void make_its_own(void *unused) {
  belay_observer observer = BELAY_INIT(belay_observer);
  make_there(NULL);
  observer.disposed = sleep_again;
  CHECK_INT(belay_signal_subscribe(subject, &observer, &its_own), 0);
}
static void let_it_sleep(void *unused) {
  sem_post(&inside);
  usleep(2000);
}
static void send_when_it_is_back(void *unused) {
  wait_for(&is_back);
  answer = belay_subject_next_wait(subject, belay_int32(0), -1);
}
static void dispose_all(void *unused) {
  wait_for(&go_on);
  belay_disposable_dispose(all);
}
static void wait_for_all(void *unused) {
  while (belay_loop_post(there.loop, empty_action, NULL, NULL) == 0) {}
  sem_post(&go_on);
  wait_for(&inside);
  CHECK_INT(belay_disposable_dispose_sync(all, -1), 0);
}
static void a_loop_that_has_slept_within_its_sleep(void) {
  for (int round = 0; round < 10; round++) {
    routine holder, sender;
    sem_t *all_of_them[] = {&inside, &go_on, &held_elsewhere, &may_leave, &is_back};
    for (int i = 0; i < 5; i++) sem_init(all_of_them[i], 0, 0);
    begin(make_its_own);
    elsewhere = belay_disposable_create(be_held_elsewhere, NULL, NULL);
    all = belay_compound_create();
    CHECK_INT(belay_compound_add_action(all, let_it_sleep, NULL, NULL, NULL), 0);
    CHECK_INT(belay_compound_add(all, its_own, NULL), 0);
    CHECK_INT(belay_compound_add_action(all, send_when_it_is_back, NULL, NULL, NULL), 0);
    start_thread(&holder, dispose_elsewhere, NULL);
    wait_for(&held_elsewhere);
    start_thread(&sender, dispose_all, NULL);
    on_worker(&there, wait_for_all, NULL);
    join_thread(&sender);
    join_thread(&holder);
    CHECK_INT(answer, BELAY_EDEADLK);
    belay_disposable_release(elsewhere);
    belay_disposable_release(all);
    belay_disposable_release(its_own);
    finish();
  }
}

static int answers[2];
static sem_t met[2];
/* Fills the other strand, whose thread fills this one. */
static void send_to_the_other(void *ctx, belay_value value) {
  int self = *(int *)ctx;
  if (int_of(value) != 1) return;
  sem_post(&met[!self]);
  wait_for(&met[self]);
  CHECK_INT(belay_subject_next(strands[!self], belay_int32(2)), BELAY_QUEUED);
  answers[self] = belay_subject_next_wait(strands[!self], belay_int32(3), -1);
}
static void send_first(void *self) {
  CHECK_INT(belay_subject_next(strands[*(int *)self], belay_int32(1)), 0);
}
static void two_that_wait_for_each_other(void) {
  for (int round = 0; round < 50; round++) {
    routine senders[2];
    int numbers[] = {0, 1};
    for (int i = 0; i < 2; i++) {
      belay_observer observer = BELAY_INIT(belay_observer);
      observer.next = send_to_the_other;
      observer.ctx = &numbers[i];
      sem_init(&met[i], 0, 0);
      strands[i] = shared_subject(1);
      CHECK_INT(belay_signal_subscribe(strands[i], &observer, NULL), 0);
    }
    for (int i = 0; i < 2; i++) start_thread(&senders[i], send_first, &numbers[i]);
    for (int i = 0; i < 2; i++) join_thread(&senders[i]);
    // One is refused. Then it leaves its strand, and the other goes on.
    int refused = answers[1] == BELAY_EDEADLK;
    CHECK_INT(answers[refused], BELAY_EDEADLK);
    CHECK(answers[!refused] == BELAY_QUEUED || answers[!refused] == 0);
    for (int i = 0; i < 2; i++) belay_signal_release(strands[i]);
  }
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
  belay_observer observer = BELAY_INIT(belay_observer);
  observer.next = hold_first;
  disorder = counts[0] = 0;
  sem_init(&inside, 0, 0);
  sem_init(&go_on, 0, 0);
  subject = shared_subject(FULL);
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
      CASE(in_work_of_a_pool),
      CASE(a_loop_that_waits_for_the_sender),
      CASE(a_loop_that_asks_once),
      CASE(a_loop_that_waits_for_who_sends_into_its_queue),
      CASE(a_loop_that_has_slept_within_its_sleep),
      CASE(two_that_wait_for_each_other),
      CASE(a_shared_source),
      CASE(bad_input),
  };
  return RUN_CASES(cases);
}
