/* Rule 1.2 where a source and its subscription have different homes. */
#include "witness.h"

static sem_t inside, disposed;
static void wait_inside(void *ctx) {
  sem_post(&inside);
  wait_for(&disposed);
}

static void rule_1_2_an_observer_names_another_loop(void) {
  worker there = {0};
  start_worker(&there);
  belay_loop *here = open_loop();
  belay_signal *subject = belay_subject_create(NULL);
  witness seen = {.home = &there}, local = {0};
  belay_disposable *subscription = witnessed(subject, &seen, there.loop);
  belay_disposable *beside = witnessed(subject, &local, NULL);
  CHECK(subscription != NULL);
  meet(&there); /* the start runs there … */
  turn(here);   /* … and what it posts here */
  for (int i = 1; i <= 50; i++) CHECK_INT(send_to(subject, i), 0);
  CHECK_INT(local.count, 50);
  CHECK_INT(belay_subject_completed(subject), 0);
  meet(&there);
  check_witness(&seen, 50, 1, 0);
  check_witness(&local, 50, 1, 0);
  belay_disposable_release(subscription);
  belay_disposable_release(beside);
  belay_signal_release(subject);
  stop_worker(&there);
  turn(here);
  close_loop(here);
}

/* The source's home needs no loop as long as subscriptions and sends happen on its thread. */
static void rule_1_2_a_subject_of_a_thread_with_a_subscription_on_a_loop(void) {
  worker there = {0};
  start_worker(&there);
  belay_signal *subject = belay_subject_create(NULL);
  witness seen = {.home = &there};
  belay_disposable *subscription = witnessed(subject, &seen, there.loop);
  meet(&there);
  for (int i = 1; i <= 5; i++) CHECK_INT(send_to(subject, i), 0);
  CHECK_INT(belay_subject_completed(subject), 0);
  meet(&there);
  check_witness(&seen, 5, 1, 0);
  belay_disposable_release(subscription);
  belay_signal_release(subject);
  stop_worker(&there);
}

static void rule_1_2_subscribing_away_from_the_sources_home(void) {
  worker there = {.is_held = 1};
  belay_loop *here = open_loop();
  start_worker(&there);
  belay_source_options options = {.size = sizeof options, .loop = there.loop};
  belay_signal *subject = belay_subject_create(&options);
  witness seen = {0};
  belay_disposable *subscription = witnessed(subject, &seen, NULL);
  CHECK(subscription != NULL); /* the call returns at once, though the start waits */
  CHECK_INT(belay_disposable_is_disposed(subscription), 0);
  CHECK_INT(send_to(subject, 1), BELAY_QUEUED);
  CHECK_INT(send_to(subject, 2), BELAY_QUEUED);
  CHECK_INT(belay_subject_completed(subject), BELAY_QUEUED);
  CHECK_INT(seen.count, 0);
  worker_go(&there);
  meet(&there);
  CHECK_INT(seen.count, 0);
  turn(here);
  check_witness(&seen, 2, 1, 0);
  belay_disposable_release(subscription);
  belay_signal_release(subject);
  stop_worker(&there);
  close_loop(here);
}

static void disposed_elsewhere_before_the_start(int kind) {
  worker there = {.is_held = 1};
  start_worker(&there);
  belay_source_options options = {.size = sizeof options, .loop = there.loop};
  belay_signal *signal = kind ? belay_subject_create(&options) : belay_signal_never();
  if (kind == 2) signal = belay_signal_chain(signal, belay_op_take(1));
  witness seen = {.home = &there};
  end_subscription(witnessed(signal, &seen, there.loop));
  CHECK_INT(seen.disposed + seen.freed, 0);
  worker_go(&there);
  meet(&there);
  check_witness(&seen, 0, 0, 0);
  belay_signal_release(signal);
  stop_worker(&there);
}
static void rule_1_2_disposed_elsewhere_before_the_start_has_arrived(void) {
  for (int kind = 0; kind < 3; kind++) disposed_elsewhere_before_the_start(kind);
}

static void rule_1_2_disposed_before_the_start_has_arrived(void) {
  worker there = {.is_held = 1};
  belay_loop *here = open_loop();
  start_worker(&there);
  belay_source_options options = {.size = sizeof options, .loop = there.loop};
  belay_signal *subject = belay_subject_create(&options);
  witness seen = {0};
  end_subscription(witnessed(subject, &seen, NULL));
  check_witness(&seen, 0, 0, 0); /* it ended at once, at home */
  CHECK_INT(send_to(subject, 1), BELAY_QUEUED);
  worker_go(&there);
  meet(&there);
  turn(here);
  check_witness(&seen, 0, 0, 0);
  belay_signal_release(subject);
  stop_worker(&there);
  close_loop(here);
}

static void rule_1_2_the_subscriptions_queue_overflows_with_an_error(void) {
  worker there = {.capacity = 4};
  start_worker(&there);
  belay_loop *here = open_loop();
  belay_signal *subject = belay_subject_create(NULL);
  witness seen = {.home = &there};
  belay_disposable *subscription = witnessed(subject, &seen, there.loop);
  meet(&there);
  turn(here);
  /* Its thread is kept busy while the queue fills. */
  sem_init(&inside, 0, 0);
  sem_init(&disposed, 0, 0);
  CHECK_INT(belay_loop_post(there.loop, wait_inside, NULL, NULL), 0);
  wait_for(&inside);
  sending it = {.subject = subject, .first = 1, .count = 10};
  send_those(&it);
  CHECK_INT(it.accepted, 10); /* the subject has accepted all of them */
  sem_post(&disposed);
  meet(&there);
  check_witness(&seen, 4, 0, BELAY_EAGAIN);
  belay_disposable_release(subscription);
  turn(here);
  belay_signal_release(subject);
  stop_worker(&there);
  close_loop(here);
}

/* ---- ping-pong between two loops ---- */
enum { ROUNDS = 500 };
typedef struct side {
  worker worker;
  belay_signal *subject; /* this is its home */
  struct side *other;
  belay_disposable *subscription;
  int count, strayed;
  sem_t *over;
} side;

static void return_ball(void *ctx, belay_value value) {
  side *it = ctx;
  it->count++;
  it->strayed += !is_on(&it->worker);
  int number = int_of(value);
  if (number == 2 * ROUNDS) sem_post(it->over);
  else CHECK_INT(send_to(it->other->subject, number + 1), BELAY_QUEUED);
}
static void set_up_side(void *ctx) {
  side *it = ctx;
  it->subject = belay_subject_create(NULL);
  belay_observer observer = {.size = sizeof observer, .next = return_ball, .ctx = it};
  CHECK_INT(belay_signal_subscribe(it->subject, &observer, &it->subscription), 0);
}
static void tear_down_side(void *ctx) {
  side *it = ctx;
  belay_disposable_release(it->subscription);
  belay_signal_release(it->subject);
}

static void rule_1_2_two_loops_on_two_threads(void) {
  sem_t over;
  sem_init(&over, 0, 0);
  side a = {.over = &over}, b = {.over = &over, .other = &a};
  a.other = &b;
  start_worker(&a.worker);
  start_worker(&b.worker);
  on_worker(&a.worker, set_up_side, &a);
  on_worker(&b.worker, set_up_side, &b);
  CHECK_INT(send_to(a.subject, 1), BELAY_QUEUED);
  wait_for(&over);
  on_worker(&a.worker, tear_down_side, &a);
  on_worker(&b.worker, tear_down_side, &b);
  stop_worker(&a.worker);
  stop_worker(&b.worker);
  CHECK_INT(a.count, ROUNDS);
  CHECK_INT(b.count, ROUNDS);
  CHECK_INT(a.strayed + b.strayed, 0);
}

static const test_case cases[] = {
    CASE(rule_1_2_an_observer_names_another_loop),
    CASE(rule_1_2_a_subject_of_a_thread_with_a_subscription_on_a_loop),
    CASE(rule_1_2_subscribing_away_from_the_sources_home),
    CASE(rule_1_2_disposed_elsewhere_before_the_start_has_arrived),
    CASE(rule_1_2_disposed_before_the_start_has_arrived),
    CASE(rule_1_2_the_subscriptions_queue_overflows_with_an_error),
    CASE(rule_1_2_two_loops_on_two_threads),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
