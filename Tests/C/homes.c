/* Rule 1.2, row by row: where callbacks run, and how events get there. */
#include "worker.h"

static int send(belay_signal *subject, int number) {
  return belay_subject_next(subject, belay_int32(number));
}

/* ---- an observer that counts, and sees where it is called ---- */
typedef struct witness {
  const worker *home; /* NULL: this thread */
  pthread_t thread;
  int count, latest, strayed, out_of_order, completed, disposed, freed;
  int error;
} witness;

static void look_around(witness *it) {
  pthread_t home = it->home ? it->home->thread : it->thread;
  if (!pthread_equal(home, pthread_self())) it->strayed++;
}
static void witness_next(void *ctx, belay_value value) {
  witness *it = ctx;
  look_around(it);
  if (int_of(value) <= it->latest) it->out_of_order++;
  it->latest = int_of(value);
  it->count++;
}
static void witness_error(void *ctx, const belay_error *error) {
  witness *it = ctx;
  look_around(it);
  it->error = belay_error_code(error);
}
static void witness_completed(void *ctx) { look_around(ctx), ((witness *)ctx)->completed++; }
static void witness_disposed(void *ctx) { look_around(ctx), ((witness *)ctx)->disposed++; }
static void witness_free(void *ctx) { look_around(ctx), ((witness *)ctx)->freed++; }

static belay_disposable *witnessed(belay_signal *signal, witness *it, belay_loop *loop) {
  belay_disposable *subscription = NULL;
  belay_observer observer = {.size = sizeof observer,
                             .next = witness_next,
                             .error = witness_error,
                             .completed = witness_completed,
                             .disposed = witness_disposed,
                             .ctx = it,
                             .ctx_free = witness_free,
                             .loop = loop};
  it->thread = pthread_self();
  CHECK_INT(belay_signal_subscribe(signal, &observer, &subscription), 0);
  return subscription;
}

static void check_witness(const witness *it, int count, int completed, int error) {
  CHECK_INT(it->count, count);
  CHECK_INT(it->completed, completed);
  CHECK_INT(it->error, error);
  CHECK_INT(it->disposed, 1);
  CHECK_INT(it->freed, 1);
  CHECK_INT(it->strayed, 0);
  CHECK_INT(it->out_of_order, 0);
}

/* ---- sending from a thread that is nobody's home ---- */
typedef struct parcel {
  belay_signal *subject;
  int first, count, accepted, result; /* of the last one */
  int then_complete, completed_result;
} parcel;

static void send_parcel(void *ctx) {
  parcel *it = ctx;
  for (int i = 0; i < it->count; i++) {
    it->result = send(it->subject, it->first + i);
    if (it->result >= 0) it->accepted++;
  }
  if (it->then_complete) it->completed_result = belay_subject_completed(it->subject);
}

/* ---- a home that is a thread ---- */
static void rule_1_2_a_home_without_a_loop_refuses_sends_from_elsewhere(void) {
  belay_signal *subject = belay_subject_create(NULL);
  belay_disposable *subscription = watched(belay_signal_retain(subject), "");
  parcel it = {.subject = subject, .first = 1, .count = 1, .then_complete = 1};
  in_thread(send_parcel, &it);
  CHECK_INT(it.result, BELAY_ENOHOME);
  CHECK_INT(it.completed_result, BELAY_ENOHOME);
  CHECK_INT(send(subject, 2), 0);
  CHECK_TRACE("next 2");
  end_subscription(subscription);
  belay_signal_release(subject);
}

static void rule_1_2_a_home_is_fixed_when_it_is_made(void) {
  belay_signal *early = belay_subject_create(NULL);
  belay_loop *loop = open_loop();
  belay_signal *late = belay_subject_create(NULL);
  parcel to_early = {.subject = early, .first = 1, .count = 1};
  parcel to_late = {.subject = late, .first = 1, .count = 1};
  in_thread(send_parcel, &to_early);
  in_thread(send_parcel, &to_late);
  CHECK_INT(to_early.result, BELAY_ENOHOME);
  CHECK_INT(to_late.result, BELAY_QUEUED);
  CHECK_INT(send(early, 1), 0);
  belay_signal_release(early);
  belay_signal_release(late);
  turn(loop);
  close_loop(loop);
}

static void dispose_it(void *subscription) { belay_disposable_dispose(subscription); }

static void rule_1_2_disposed_elsewhere_without_a_loop_on_the_caller(void) {
  belay_signal *subject = belay_subject_create(NULL);
  belay_disposable *subscription = watched(belay_signal_retain(subject), "");
  in_thread(dispose_it, subscription);
  CHECK_TRACE("disposed | free");
  CHECK_INT(send(subject, 1), 0);
  CHECK_TRACE("");
  belay_disposable_release(subscription);
  belay_signal_release(subject);
}

static sem_t inside, disposed;
static void wait_inside(void *ctx) {
  sem_post(&inside);
  wait_for(&disposed);
}
static void wait_in_next(void *ctx, belay_value value) {
  trace("next %d", int_of(value));
  wait_inside(ctx);
  trace("next returns");
}
static void dispose_while_inside(void *subscription) {
  wait_for(&inside);
  belay_disposable_dispose(subscription);
  CHECK_STRING(trace_text(), "next 1");
  sem_post(&disposed);
}

static void rule_1_2_disposed_elsewhere_without_a_loop_while_a_callback_runs(void) {
  sem_init(&inside, 0, 0);
  sem_init(&disposed, 0, 0);
  belay_signal *subject = belay_subject_create(NULL);
  belay_observer observer = rendering("");
  observer.next = wait_in_next;
  belay_disposable *subscription = NULL;
  CHECK_INT(belay_signal_subscribe(subject, &observer, &subscription), 0);
  routine other;
  start_thread(&other, dispose_while_inside, subscription);
  CHECK_INT(send(subject, 1), 0);
  join_thread(&other);
  CHECK_TRACE("next 1 | next returns | disposed | free");
  CHECK_INT(send(subject, 2), 0);
  CHECK_TRACE("");
  belay_disposable_release(subscription);
  belay_signal_release(subject);
}

/* ---- a home that is a loop ---- */
static belay_value count_calls(void *ctx, belay_value value) {
  witness *it = ctx;
  look_around(it);
  it->count++;
  return belay_value_retain(value);
}

static void rule_1_2_queued_once_before_the_first_operator(void) {
  belay_loop *loop = open_loop();
  belay_signal *subject = belay_subject_create(NULL);
  witness first = {.thread = pthread_self()}, second = first, last = {0};
  belay_signal *chain = belay_signal_chain(belay_signal_retain(subject),
                                           belay_op_map(count_calls, &first, NULL),
                                           belay_op_map(count_calls, &second, NULL));
  belay_disposable *subscription = witnessed(chain, &last, NULL);
  belay_signal_release(chain);
  parcel it = {.subject = subject, .first = 1, .count = 100, .then_complete = 1};
  in_thread(send_parcel, &it);
  CHECK_INT(it.accepted, 100);
  CHECK_INT(it.result, BELAY_QUEUED);
  CHECK_INT(it.completed_result, BELAY_QUEUED);
  CHECK_INT(first.count, 0);
  turn(loop);
  CHECK_INT(first.count, 100);
  CHECK_INT(second.count, 100);
  CHECK_INT(first.strayed + second.strayed, 0);
  check_witness(&last, 100, 1, 0);
  CHECK_INT(belay_loop_queue_high_water(loop), 100);
  belay_disposable_release(subscription);
  belay_signal_release(subject);
  close_loop(loop);
}

static void rule_1_2_at_home_nothing_is_queued(void) {
  belay_loop *loop = open_loop();
  belay_signal *subject = belay_subject_create(NULL);
  belay_disposable *subscription = watched(belay_signal_retain(subject), "");
  CHECK_INT(send(subject, 1), 0);
  CHECK_TRACE("next 1");
  end_subscription(subscription);
  CHECK_TRACE("disposed | free");
  CHECK_INT(belay_loop_queue_high_water(loop), 0);
  belay_signal_release(subject);
  close_loop(loop);
}

typedef struct move {
  belay_loop *loop;
  belay_signal *subject;
} move;
static void move_here(void *ctx) {
  move *it = ctx;
  CHECK_INT(belay_loop_bind(it->loop), 0);
  CHECK_INT(send(it->subject, 1), 0);
  turn(it->loop);
}
static void rule_1_2_a_loop_that_moves_takes_what_lives_there_along(void) {
  move it = {.loop = open_loop(), .subject = belay_subject_create(NULL)};
  belay_disposable *subscription = watched(belay_signal_retain(it.subject), "");
  in_thread(move_here, &it);
  CHECK_TRACE("next 1");
  CHECK_INT(send(it.subject, 2), BELAY_QUEUED);
  CHECK_INT(belay_loop_bind(it.loop), 0);
  CHECK_INT(send(it.subject, 3), 0);
  turn(it.loop);
  CHECK_TRACE("next 3 | next 2");
  end_subscription(subscription);
  belay_signal_release(it.subject);
  trace_clear();
  close_loop(it.loop);
}

static void rule_1_2_disposed_elsewhere_at_homes_next_turn(void) {
  belay_loop *loop = open_loop();
  belay_signal *subject = belay_subject_create(NULL);
  belay_observer tap = rendering("stage");
  tap.ctx_free = NULL;
  belay_disposable *subscription =
      watched(belay_signal_chain(belay_signal_retain(subject), belay_op_do(&tap)), "");
  in_thread(dispose_it, subscription);
  CHECK_INT(belay_disposable_is_disposed(subscription), 1);
  CHECK_TRACE("");
  turn(loop);
  CHECK_TRACE("stage disposed | disposed | free");
  belay_disposable_release(subscription);
  belay_signal_release(subject);
  close_loop(loop);
}

static void rule_1_2_the_queue_overflows_with_an_error(void) {
  belay_loop_options options = {.size = sizeof options, .capacity = 4};
  belay_loop *loop = belay_loop_create(&options);
  belay_signal *subject = belay_subject_create(NULL);
  witness seen = {0};
  belay_disposable *subscription = witnessed(subject, &seen, NULL);
  parcel it = {.subject = subject, .first = 1, .count = 6};
  in_thread(send_parcel, &it);
  CHECK_INT(it.accepted, 4);
  CHECK_INT(it.result, BELAY_EAGAIN);
  turn(loop);
  CHECK_INT(seen.count, 4);
  parcel more = {.subject = subject, .first = 7, .count = 5, .then_complete = 1};
  in_thread(send_parcel, &more);
  CHECK_INT(more.accepted, 4);
  CHECK_INT(more.completed_result, BELAY_QUEUED); /* never refused */
  turn(loop);
  check_witness(&seen, 8, 1, 0);
  CHECK_INT(seen.latest, 10);
  CHECK_INT(belay_loop_queue_high_water(loop), 4);
  belay_disposable_release(subscription);
  belay_signal_release(subject);
  close_loop(loop);
}

static void dispose_all(void *subscriptions) {
  for (int i = 0; i < 20; i++) belay_disposable_dispose(((belay_disposable **)subscriptions)[i]);
}
static void rule_1_2_disposals_are_not_counted(void) {
  belay_loop_options options = {.size = sizeof options, .capacity = 1};
  belay_loop *loop = belay_loop_create(&options);
  belay_signal *subject = belay_subject_create(NULL);
  belay_disposable *subscriptions[20];
  witness seen[20] = {0};
  for (int i = 0; i < 20; i++) subscriptions[i] = witnessed(subject, &seen[i], NULL);
  parcel it = {.subject = subject, .first = 1, .count = 1};
  in_thread(send_parcel, &it);
  CHECK_INT(it.result, BELAY_QUEUED);
  in_thread(dispose_all, subscriptions);
  turn(loop);
  for (int i = 0; i < 20; i++) {
    check_witness(&seen[i], 0, 0, 0);
    belay_disposable_release(subscriptions[i]);
  }
  belay_signal_release(subject);
  close_loop(loop);
}

static void rule_1_2_after_the_close_sends_are_canceled(void) {
  belay_loop *loop = open_loop();
  belay_signal *subject = belay_subject_create(NULL);
  belay_signal *silent = belay_subject_create(NULL);
  belay_loop_retain(loop);
  close_loop(loop);
  parcel it = {.subject = subject, .first = 1, .count = 1, .then_complete = 1};
  in_thread(send_parcel, &it);
  CHECK_INT(it.result, BELAY_ECANCELED);
  CHECK_INT(it.completed_result, BELAY_ECANCELED);
  CHECK_INT(send(subject, 1), BELAY_ECANCELED);
  int freed = 0;
  belay_observer observer = {
      .size = sizeof observer, .ctx = &freed, .ctx_free = count_free, .loop = loop};
  CHECK(belay_signal_subscribe(silent, &observer, NULL) < 0);
  CHECK_INT(freed, 1);
  belay_signal_release(silent);
  belay_signal_release(subject);
  belay_loop_release(loop);
}

/* ---- two homes ---- */
static void rule_1_2_an_observer_names_another_loop(void) {
  worker there = {0};
  start_worker(&there);
  belay_loop *here = open_loop();
  belay_signal *subject = belay_subject_create(NULL);
  witness seen = {.home = &there}, local = {0};
  belay_disposable *subscription = witnessed(subject, &seen, there.loop);
  belay_disposable *beside = witnessed(subject, &local, NULL);
  CHECK(subscription != NULL);
  meet(&there); /* the start, there … */
  turn(here);   /* … and what it posts here */
  for (int i = 1; i <= 50; i++) CHECK_INT(send(subject, i), 0);
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

/* The source's home needs no loop, as long as one subscribes and sends there. */
static void rule_1_2_a_subject_of_a_thread_with_a_subscription_on_a_loop(void) {
  worker there = {0};
  start_worker(&there);
  belay_signal *subject = belay_subject_create(NULL);
  witness seen = {.home = &there};
  belay_disposable *subscription = witnessed(subject, &seen, there.loop);
  meet(&there);
  for (int i = 1; i <= 5; i++) CHECK_INT(send(subject, i), 0);
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
  CHECK(subscription != NULL); /* at once, though the start waits */
  CHECK_INT(belay_disposable_is_disposed(subscription), 0);
  CHECK_INT(send(subject, 1), BELAY_QUEUED);
  CHECK_INT(send(subject, 2), BELAY_QUEUED);
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
  check_witness(&seen, 0, 0, 0); /* it was at home */
  CHECK_INT(send(subject, 1), BELAY_QUEUED);
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
  parcel it = {.subject = subject, .first = 1, .count = 10};
  send_parcel(&it);
  CHECK_INT(it.accepted, 10); /* the subject has taken them all */
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
  belay_signal *subject; /* at home here */
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
  else CHECK_INT(send(it->other->subject, number + 1), BELAY_QUEUED);
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
  CHECK_INT(send(a.subject, 1), BELAY_QUEUED);
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
    CASE(rule_1_2_a_home_without_a_loop_refuses_sends_from_elsewhere),
    CASE(rule_1_2_a_home_is_fixed_when_it_is_made),
    CASE(rule_1_2_disposed_elsewhere_without_a_loop_on_the_caller),
    CASE(rule_1_2_disposed_elsewhere_without_a_loop_while_a_callback_runs),
    CASE(rule_1_2_queued_once_before_the_first_operator),
    CASE(rule_1_2_at_home_nothing_is_queued),
    CASE(rule_1_2_a_loop_that_moves_takes_what_lives_there_along),
    CASE(rule_1_2_disposed_elsewhere_at_homes_next_turn),
    CASE(rule_1_2_the_queue_overflows_with_an_error),
    CASE(rule_1_2_disposals_are_not_counted),
    CASE(rule_1_2_after_the_close_sends_are_canceled),
    CASE(rule_1_2_an_observer_names_another_loop),
    CASE(rule_1_2_a_subject_of_a_thread_with_a_subscription_on_a_loop),
    CASE(rule_1_2_subscribing_away_from_the_sources_home),
    CASE(rule_1_2_disposed_elsewhere_before_the_start_has_arrived),
    CASE(rule_1_2_disposed_before_the_start_has_arrived),
    CASE(rule_1_2_the_subscriptions_queue_overflows_with_an_error),
    CASE(rule_1_2_two_loops_on_two_threads),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
