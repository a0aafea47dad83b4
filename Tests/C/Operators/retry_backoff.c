/* The waits of belay_op_retry_backoff() beyond marbles. */
#include "cases.h"

static belay_disposable *one_and_fail(void *ctx, belay_subscriber *subscriber) {
  ++*(int *)ctx;
  belay_error *error = belay_error_create(BELAY_ERANGE, NULL, "again", belay_null(), NULL);
  belay_subscriber_error(subscriber, error);
  belay_error_release(error);
  return NULL;
}

/* 0 times infinity is no number, and no wait. */
static void a_wait_of_0_stays_0(void) {
  belay_scheduler *scheduler = belay_scheduler_create_virtual();
  int attempts = 0;
  belay_disposable *subscription = watched(
      belay_signal_chain(belay_signal_create(one_and_fail, &attempts, NULL, NULL),
                         belay_op_retry_backoff(scheduler, 0, 1.0 / 0.0, 9, 0, 5, 0)),
      "");
  CHECK_INT(belay_scheduler_advance(scheduler, 0), 0);
  CHECK_INT(attempts, 5);
  belay_disposable_dispose(subscription);
  belay_disposable_release(subscription);
  trace_clear();
  belay_scheduler_release(scheduler);
}

/* Fails at each attempt. Each fourth one has sent a value before. */
static belay_disposable *fourth_and_fail(void *attempts, belay_subscriber *subscriber) {
  if (*(int *)attempts % 4 == 3) CHECK_INT(belay_subscriber_next(subscriber, belay_int32(4)), 0);
  return one_and_fail(attempts, subscriber);
}
static void a_value_begins_the_waits_and_the_count_anew(void) {
  const double begins[] = {0, 1, 3, 7, 8, 10, 14, 18, 19, 21};
  belay_scheduler *scheduler = belay_scheduler_create_virtual();
  for (size_t limit = 4; limit <= 5; limit++) {
    int attempts = 0;
    belay_disposable *subscription = watched(
        belay_signal_chain(belay_signal_create(fourth_and_fail, &attempts, NULL, NULL),
                           belay_op_retry_backoff(scheduler, 1, 2, 4, 0, limit, 1)),
        "");
    for (int i = 0; i < 10; i++) {
      /* The run with a value is the first of the next ones. */
      CHECK_INT(attempts, limit == 5 || i < 7 ? i + 1 : 7);
      if (i < 9) belay_scheduler_advance(scheduler, begins[i + 1] - begins[i]);
    }
    end_subscription(subscription);
    if (limit == 4) CHECK_TRACE("next 4 | error ERANGE | disposed | free");
    else CHECK_TRACE("next 4 | next 4 | disposed | free");
  }
  belay_scheduler_release(scheduler);
}

static void jitter_leaves_a_part_of_each_wait_to_chance(void) {
  belay_scheduler *scheduler = belay_scheduler_create_virtual();
  int attempts = 0, early = 0;
  for (int i = 0; i < 32; i++) {
    int before = attempts;
    belay_disposable *subscription = watched(
        belay_signal_chain(belay_signal_create(one_and_fail, &attempts, NULL, NULL),
                           belay_op_retry_backoff(scheduler, 1, 1, 1, 0.5, BELAY_UNLIMITED, 0)),
        "");
    CHECK_INT(attempts, before + 1);
    belay_scheduler_advance(scheduler, 0.499);
    CHECK_INT(attempts, before + 1);
    belay_scheduler_advance(scheduler, 0.25);
    early += attempts == before + 2;
    belay_scheduler_advance(scheduler, 0.251);
    CHECK(attempts >= before + 2);
    end_subscription(subscription);
    CHECK_TRACE("disposed | free");
  }
  /* The waits differ. */
  CHECK(early > 4 && early < 28);
  belay_scheduler_release(scheduler);
}

static void subscribe_with_backoff(void *scheduler) {
  watch(belay_signal_chain(failing_with(BELAY_ERANGE, "again"),
                           belay_op_retry_backoff(scheduler, 1, 1, 1, 0, BELAY_UNLIMITED, 0)),
        "");
}

static void backoff_on_a_thread_that_cannot_be_reached(void) {
  belay_loop *loop = open_loop();
  in_thread(subscribe_with_backoff, belay_loop_get_scheduler(loop));
  CHECK_TRACE("error ENOHOME | disposed | free");
  close_loop(loop);
}

static void bad_arguments(void) {
  const struct {
    double seconds, longest, jitter;
    size_t attempts;
  } bad[] = {{-1, 3, 0, 2},         {0.0 / 0.0, 3, 0, 2}, {1, -3, 0, 2}, {1, 3, 1.5, 2},
             {1, 3, 0.0 / 0.0, 2}, {1, 3, -0.1, 2},      {1, 3, 0, 0}};
  belay_scheduler *now = belay_scheduler_immediate();
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    CHECK(belay_op_retry_backoff(now, bad[i].seconds, 2, bad[i].longest, bad[i].jitter,
                                 bad[i].attempts, 0) == NULL);
    check_last_error(BELAY_EINVAL);
  }
  CHECK(belay_op_retry_backoff(now, 1, 0.0 / 0.0, 3, 0, 2, 0) == NULL);
  check_last_error(BELAY_EINVAL);
  CHECK(belay_op_retry_backoff(NULL, 1, 2, 3, 0, 2, 0) == NULL);
  check_last_error(BELAY_EINVAL);
}

static const test_case cases[] = {
    CASE(a_wait_of_0_stays_0),
    CASE(a_value_begins_the_waits_and_the_count_anew),
    CASE(jitter_leaves_a_part_of_each_wait_to_chance),
    CASE(backoff_on_a_thread_that_cannot_be_reached),
    CASE(bad_arguments),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
