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

/* A shared source has no home, but a loop that an observer names is the subscription's. */
static belay_signal *make_shared_subject(const belay_source_options *options) {
  return belay_subject_create(options);
}
static belay_signal *make_shared_behavior(const belay_source_options *options) {
  return belay_subject_create_behavior(belay_int32(0), options);
}
static belay_signal *make_shared_replay(const belay_source_options *options) {
  return belay_subject_create_replay(NULL, -1, 8, options);
}
static belay_signal *(*const shared_kinds[])(const belay_source_options *) = {
    make_shared_subject, make_shared_behavior, make_shared_replay};

static void subscribe_to_shared(belay_signal *subject, worker *there, int has_current) {
  witness at_loop = {.latest = -1}, at_worker = {.home = there, .latest = -1};
  witness behind_operators = {.home = there, .latest = -1};
  belay_loop *here = open_loop();
  belay_signal *chain = belay_signal_chain(belay_signal_retain(subject), belay_op_map(same_value, NULL, NULL),
                                           belay_op_take(BELAY_UNLIMITED));
  belay_disposable *subscriptions[] = {witnessed(subject, &at_loop, here),
                                       witnessed(subject, &at_worker, there->loop),
                                       witnessed(chain, &behind_operators, there->loop)};
  meet(there); /* the starts run there */
  for (int round = 0; round < 4; round++) {
    sending it = {.subject = subject, .first = 1 + 50 * round, .count = 50, .then_complete = round == 3};
    in_thread(send_those, &it);
    CHECK_INT(it.accepted, 50);
    meet(there);
    turn(here);
  }
  check_witness(&at_loop, 200 + has_current, 1, 0);
  check_witness(&at_worker, 200 + has_current, 1, 0);
  check_witness(&behind_operators, 200 + has_current, 1, 0);
  for (int i = 0; i < 3; i++) belay_disposable_release(subscriptions[i]);
  belay_signal_release(chain);
  belay_signal_release(subject);
  close_loop(here);
}

static void rule_1_2_an_observer_of_a_shared_source_names_a_loop(void) {
  belay_source_options options = {.size = sizeof options, .shared = 1};
  worker there = {0};
  start_worker(&there);
  for (int i = 0; i < 3; i++)
    subscribe_to_shared(shared_kinds[i](&options), &there, shared_kinds[i] == make_shared_behavior);
  stop_worker(&there);
}

/* The part above observe_on stays on the senders' threads, whether this thread has a loop or none. */
static belay_value where_it_runs(void *thread, belay_value value) {
  *(pthread_t *)thread = pthread_self();
  return belay_value_retain(value);
}
typedef struct sender {
  sending values;
  pthread_t above; /* where the part above ran last */
  int is_here;
} sender;
static void send_from_here(void *ctx) {
  sender *it = ctx;
  send_those(&it->values);
  it->is_here = pthread_equal(it->above, pthread_self());
}
static void rule_1_2_a_shared_source_above_observe_on(void) {
  belay_source_options options = {.size = sizeof options, .shared = 1};
  worker there = {0};
  start_worker(&there);
  for (int has_loop = 0; has_loop < 2; has_loop++) {
    belay_loop *here = has_loop ? open_loop() : NULL;
    belay_signal *subject = belay_subject_create(&options);
    sender it = {.values = {.subject = subject, .first = 1, .count = 5, .then_complete = 1}};
    witness seen = {.home = &there};
    belay_signal *chain = belay_signal_chain(
        belay_signal_retain(subject), belay_op_map(where_it_runs, &it.above, NULL),
        belay_op_observe_on(belay_loop_get_scheduler(there.loop), NULL));
    belay_disposable *subscription = witnessed(chain, &seen, NULL);
    meet(&there);
    in_thread(send_from_here, &it);
    CHECK_INT(it.is_here, 1);
    CHECK_INT(it.values.result, 0);
    meet(&there);
    meet(&there); /* what comes during a delivery waits for the next one */
    check_witness(&seen, 5, 1, 0);
    belay_disposable_release(subscription);
    belay_signal_release(chain);
    belay_signal_release(subject);
    if (here) close_loop(here);
  }
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

/* ---- a start that fails ---- */

/* The target may be ending the subscription meanwhile, so it decides. */
static void above_a_boundary_it_is_an_event_at_the_target(void) {
  worker there = {0};
  start_worker(&there);
  belay_loop *here = open_loop();
  witness seen = {.home = &there};
  /* The immediate scheduler refuses to wait. */
  belay_signal *signal =
      belay_signal_chain(belay_subject_create(NULL), belay_op_skip_for(belay_scheduler_immediate(), 1),
                         belay_op_observe_on(belay_loop_get_scheduler(there.loop), NULL));
  belay_disposable *subscription = witnessed(signal, &seen, NULL);
  CHECK(subscription != NULL);
  meet(&there);
  check_witness(&seen, 0, 0, BELAY_EINVAL);
  belay_disposable_release(subscription);
  belay_signal_release(signal);
  close_loop(here);
  stop_worker(&there);
}

/* ---- a callback runs a turn ---- */

static belay_signal *far_source;
static belay_loop *nested;
static int far_values, far_depth;
static void run_inside_far(void *ctx, belay_value value) {
  CHECK_INT(far_depth++, 0);
  CHECK_INT(int_of(value), ++far_values);
  CHECK(belay_loop_run(nested, BELAY_RUN_NOWAIT) >= 0);
  far_depth--;
}
static void end_far(void *ctx) {
  CHECK_INT(far_depth, 0);
  trace("completed");
}
static void make_far_source(void *ctx) { far_source = belay_subject_create(NULL); }
static void what_another_loop_sends_does_not_enter_again(void) {
  worker there = {0};
  start_worker(&there);
  nested = open_loop();
  far_values = far_depth = 0;
  on_worker(&there, make_far_source, NULL);
  belay_observer observer = {.size = sizeof observer,
                             .next = run_inside_far,
                             .completed = end_far,
                             .ctx_free = trace_free,
                             .ctx = "it"};
  belay_disposable *subscription = NULL;
  CHECK(belay_signal_subscribe(far_source, &observer, &subscription) >= 0);
  meet(&there);
  for (int i = 1; i <= 3; i++) send_to(far_source, i);
  belay_subject_completed(far_source);
  meet(&there);
  while (!strstr(trace_text(), "free")) CHECK(belay_loop_run(nested, BELAY_RUN_NOWAIT) >= 0);
  CHECK_TRACE("completed | free it");
  CHECK_INT(far_values, 3);
  belay_disposable_release(subscription);
  belay_signal_release(far_source);
  close_loop(nested);
  stop_worker(&there);
}

static void release_property(void *property) { belay_property_release(property); }
/* The last handle of a property at a thread without a loop goes elsewhere. A later subscription is interrupted, too. */
static void subscribed_after_the_source_has_gone_elsewhere(void) {
  for (int has_stage = 0; has_stage < 2; has_stage++) {
    for (int others = 0; others < 3; others++) {
      belay_property *property = belay_property_create(belay_int32(1), NULL);
      belay_signal *signal = belay_property_signal(property);
      for (int i = 0; i < others; i++) {
        belay_observer other = {.size = sizeof other};
        CHECK_INT(belay_signal_subscribe(signal, &other, NULL), 0);
      }
      in_thread(release_property, property);
      belay_observer observer = tracing("");
      if (has_stage) signal = belay_signal_chain(signal, belay_op_map(twice_of, NULL, NULL));
      CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
      CHECK_TRACE("disposed | free");
      belay_signal_release(signal);
    }
  }
}

static const test_case cases[] = {
    CASE(above_a_boundary_it_is_an_event_at_the_target),
    CASE(what_another_loop_sends_does_not_enter_again),
    CASE(rule_1_2_an_observer_names_another_loop),
    CASE(rule_1_2_an_observer_of_a_shared_source_names_a_loop),
    CASE(rule_1_2_a_shared_source_above_observe_on),
    CASE(rule_1_2_a_subject_of_a_thread_with_a_subscription_on_a_loop),
    CASE(rule_1_2_subscribing_away_from_the_sources_home),
    CASE(rule_1_2_disposed_elsewhere_before_the_start_has_arrived),
    CASE(rule_1_2_disposed_before_the_start_has_arrived),
    CASE(rule_1_2_the_subscriptions_queue_overflows_with_an_error),
    CASE(rule_1_2_two_loops_on_two_threads),
    CASE(subscribed_after_the_source_has_gone_elsewhere),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
