/* Rule 1.2, row by row: where callbacks run, and how events get there. homes_apart.c has the cases
   with two homes. */
#include "witness.h"

/* ---- a home that is a thread ---- */
static void rule_1_2_a_home_without_a_loop_refuses_sends_from_elsewhere(void) {
  belay_signal *subject = belay_subject_create(NULL);
  belay_disposable *subscription = watched(belay_signal_retain(subject), "");
  sending it = {.subject = subject, .first = 1, .count = 1, .then_complete = 1};
  in_thread(send_those, &it);
  CHECK_INT(it.result, BELAY_ENOHOME);
  CHECK_INT(it.completed_result, BELAY_ENOHOME);
  CHECK_INT(send_to(subject, 2), 0);
  CHECK_TRACE("next 2");
  end_subscription(subscription);
  belay_signal_release(subject);
}

static void rule_1_2_a_home_is_fixed_when_it_is_made(void) {
  belay_signal *early = belay_subject_create(NULL);
  belay_loop *loop = open_loop();
  belay_signal *late = belay_subject_create(NULL);
  sending to_early = {.subject = early, .first = 1, .count = 1};
  sending to_late = {.subject = late, .first = 1, .count = 1};
  in_thread(send_those, &to_early);
  in_thread(send_those, &to_late);
  CHECK_INT(to_early.result, BELAY_ENOHOME);
  CHECK_INT(to_late.result, BELAY_QUEUED);
  CHECK_INT(send_to(early, 1), 0);
  belay_signal_release(early);
  belay_signal_release(late);
  turn(loop);
  close_loop(loop);
}

static void rule_1_2_disposed_elsewhere_without_a_loop_on_the_caller(void) {
  belay_signal *subject = belay_subject_create(NULL);
  belay_disposable *subscription = watched(belay_signal_retain(subject), "");
  in_thread(dispose_of, subscription);
  CHECK_TRACE("disposed | free");
  CHECK_INT(send_to(subject, 1), 0);
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
  CHECK_INT(send_to(subject, 1), 0);
  join_thread(&other);
  CHECK_TRACE("next 1 | next returns | disposed | free");
  CHECK_INT(send_to(subject, 2), 0);
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
  belay_signal *chain =
      belay_signal_chain(belay_signal_retain(subject), belay_op_map(count_calls, &first, NULL),
                         belay_op_map(count_calls, &second, NULL));
  belay_disposable *subscription = witnessed(chain, &last, NULL);
  belay_signal_release(chain);
  sending it = {.subject = subject, .first = 1, .count = 100, .then_complete = 1};
  in_thread(send_those, &it);
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
  CHECK_INT(send_to(subject, 1), 0);
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
  CHECK_INT(send_to(it->subject, 1), 0);
  turn(it->loop);
}
static void rule_1_2_a_loop_that_moves_takes_what_lives_there_along(void) {
  move it = {.loop = open_loop(), .subject = belay_subject_create(NULL)};
  belay_disposable *subscription = watched(belay_signal_retain(it.subject), "");
  in_thread(move_here, &it);
  CHECK_TRACE("next 1");
  CHECK_INT(send_to(it.subject, 2), BELAY_QUEUED);
  CHECK_INT(belay_loop_bind(it.loop), 0);
  CHECK_INT(send_to(it.subject, 3), 0);
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
  in_thread(dispose_of, subscription);
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
  sending it = {.subject = subject, .first = 1, .count = 6};
  in_thread(send_those, &it);
  CHECK_INT(it.accepted, 4);
  CHECK_INT(it.result, BELAY_EAGAIN);
  turn(loop);
  CHECK_INT(seen.count, 4);
  sending more = {.subject = subject, .first = 7, .count = 5, .then_complete = 1};
  in_thread(send_those, &more);
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
  sending it = {.subject = subject, .first = 1, .count = 1};
  in_thread(send_those, &it);
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
  sending it = {.subject = subject, .first = 1, .count = 1, .then_complete = 1};
  in_thread(send_those, &it);
  CHECK_INT(it.result, BELAY_ECANCELED);
  CHECK_INT(it.completed_result, BELAY_ECANCELED);
  CHECK_INT(send_to(subject, 1), BELAY_ECANCELED);
  int freed = 0;
  belay_observer observer = {
      .size = sizeof observer, .ctx = &freed, .ctx_free = count_free, .loop = loop};
  CHECK(belay_signal_subscribe(silent, &observer, NULL) < 0);
  CHECK_INT(freed, 1);
  belay_signal_release(silent);
  belay_signal_release(subject);
  belay_loop_release(loop);
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
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
