/* Nonsense for every kind of scheduler. */
#include "bad_input.h"

enum { KINDS = 7 };
static belay_loop *loop;
static belay_worker *worker;
static belay_scheduler *schedulers[KINDS], *pool, *virtual_time, *subscription;

static void count_run(void *ctx, belay_recursion *recursion) { called++; }

static void open_all(void) {
  loop = belay_loop_create(NULL);
  worker = belay_worker_create(NULL);
  pool = belay_scheduler_create_pool(loop);
  virtual_time = belay_scheduler_create_virtual();
  subscription = belay_scheduler_create_subscription(virtual_time);
  belay_scheduler *all[] = {belay_scheduler_immediate(),
                            belay_scheduler_trampoline(),
                            belay_loop_get_scheduler(loop),
                            belay_worker_get_scheduler(worker),
                            pool,
                            virtual_time,
                            subscription};
  memcpy(schedulers, all, sizeof all);
  called = freed = 0;
}

static void close_all(void) {
  belay_scheduler_release(subscription);
  belay_scheduler_release(virtual_time);
  belay_scheduler_release(pool);
  belay_worker_release(worker);
  belay_loop_close(loop, ignore_left, NULL, NULL);
  belay_loop_release(loop);
}

static void null_everywhere(void) {
  belay_disposable *d = (belay_disposable *)&d;
  NULL_GIVES_NULL(belay_scheduler_create_pool(NULL));
  NULL_GIVES_NULL(belay_scheduler_create_subscription(NULL));
  NULL_REFUSED(belay_scheduler_advance(NULL, 1));
  NULL_REFUSED(belay_scheduler_flush(NULL));
  NULL_REFUSED(belay_scheduler_step(NULL, 1));
  CHECK_INT(belay_scheduler_queue_high_water(NULL), 0);
  NULL_REFUSED(belay_scheduler_recursive(NULL, count_run, GIVEN, &d));
  CHECK(d == NULL);
  CHECK_INT(freed, 1);
  NULL_REFUSED(belay_scheduler_recursive(NULL, NULL, NULL, NULL, NULL));
  NULL_REFUSED(belay_recursion_again(NULL));
  CHECK(belay_recursion_retain(NULL) == NULL);
  belay_recursion_release(NULL);
  belay_last_error();
}

static void null_actions(void) {
  open_all();
  for (int i = 0; i < KINDS; i++) {
    belay_disposable *d = (belay_disposable *)&d;
    REFUSED(belay_scheduler_schedule(schedulers[i], NULL, GIVEN, &d), BELAY_EINVAL);
    CHECK(d == NULL);
    REFUSED(belay_scheduler_after(schedulers[i], 0, NULL, GIVEN, NULL), BELAY_EINVAL);
    REFUSED(belay_scheduler_every(schedulers[i], 0, 1, 0, NULL, GIVEN, NULL), BELAY_EINVAL);
    d = (belay_disposable *)&d;
    REFUSED(belay_scheduler_recursive(schedulers[i], NULL, GIVEN, &d), BELAY_EINVAL);
    CHECK(d == NULL);
    CHECK_INT(freed, 4 * (i + 1));
  }
  close_all();
}

static void times_that_are_none(void) {
  open_all();
  double wrong[][3] = {{NAN, 1, 0}, {0, NAN, 0}, {0, 1, NAN}, {0, 0, 0}, {0, -1, 0},
                       {0, -INFINITY, 0}, {0, 1, -1e-12}, {0, 1, -INFINITY}};
  for (int i = 0; i < KINDS; i++) {
    belay_disposable *d = (belay_disposable *)&d;
    REFUSED(belay_scheduler_after(schedulers[i], NAN, count_call, GIVEN, &d), BELAY_EINVAL);
    CHECK(d == NULL);
    CHECK_INT(freed, 1);
    for (int j = 0; j < 8; j++)
      REFUSED(belay_scheduler_every(schedulers[i], wrong[j][0], wrong[j][1], wrong[j][2],
                                    count_call, GIVEN, NULL),
              BELAY_EINVAL);
    CHECK_INT(freed, 9);
    freed = 0;
  }
  CHECK_INT(called, 0);
  close_all();
}

/* A time in the past is now; a time beyond any clock is never. */
static void times_far_away(void) {
  open_all();
  double past[] = {-1, -1e300, -INFINITY}, far[] = {INFINITY, 1e300, 9.3e9};
  int given = 0;
  for (int i = 2; i < KINDS; i++)
    for (int j = 0; j < 3; j++) {
      CHECK_INT(belay_scheduler_after(schedulers[i], past[j], count_free, GIVEN, NULL), 0);
      CHECK_INT(belay_scheduler_after(schedulers[i], far[j], count_call, GIVEN, NULL), 0);
      CHECK_INT(belay_scheduler_every(schedulers[i], far[j], far[j], far[j], count_call, GIVEN,
                                      NULL),
                0);
      given += 3;
    }
  for (int i = 0; i < 3; i++) {
    CHECK_INT(belay_loop_run(loop, BELAY_RUN_NOWAIT), 1);
    CHECK_INT(belay_scheduler_advance(virtual_time, 0), 0);
  }
  close_all();
  CHECK_INT(called, 0);
  /* Work that was due has run, and counted once more for that. */
  CHECK(freed >= given);
}

static void only_virtual_time_is_moved(void) {
  open_all();
  for (int i = 0; i < KINDS; i++) {
    if (schedulers[i] == virtual_time) continue;
    REFUSED(belay_scheduler_advance(schedulers[i], 1), BELAY_EKIND);
    REFUSED(belay_scheduler_flush(schedulers[i]), BELAY_EKIND);
    REFUSED(belay_scheduler_step(schedulers[i], 1), BELAY_EKIND);
  }
  REFUSED(belay_scheduler_advance(virtual_time, NAN), BELAY_EINVAL);
  REFUSED(belay_scheduler_advance(virtual_time, -1), BELAY_EINVAL);
  REFUSED(belay_scheduler_advance(virtual_time, -INFINITY), BELAY_EINVAL);
  CHECK_INT(belay_scheduler_advance(virtual_time, INFINITY), 0);
  CHECK_INT(belay_scheduler_advance(virtual_time, INFINITY), 0);
  CHECK_INT(belay_scheduler_after(virtual_time, 1, count_call, GIVEN, NULL), 0);
  CHECK_INT(belay_scheduler_flush(virtual_time), 0);
  CHECK_INT(called, 1);
  close_all();
}

static void of_what_has_been_closed(void) {
  open_all();
  belay_scheduler *dead[] = {belay_scheduler_retain(belay_loop_get_scheduler(loop)),
                             belay_scheduler_retain(belay_worker_get_scheduler(worker)),
                             belay_scheduler_retain(pool), NULL};
  CHECK_INT(belay_loop_close(loop, ignore_left, NULL, NULL), 0);
  belay_worker_release(worker);
  worker = NULL;
  /* The pool is made after the close, of the closed loop. */
  dead[3] = belay_scheduler_create_pool(loop);
  for (int i = 0; i < 4; i++) {
    belay_disposable *d = (belay_disposable *)&d;
    REFUSED(belay_scheduler_schedule(dead[i], count_call, GIVEN, &d), BELAY_ECANCELED);
    CHECK(d == NULL);
    REFUSED(belay_scheduler_after(dead[i], 1, count_call, GIVEN, &d), BELAY_ECANCELED);
    REFUSED(belay_scheduler_every(dead[i], 1, 1, 0, count_call, GIVEN, &d), BELAY_ECANCELED);
    REFUSED(belay_scheduler_recursive(dead[i], count_run, GIVEN, &d), BELAY_ECANCELED);
    CHECK(d == NULL);
    CHECK_INT(freed, 4 * (i + 1));
    CHECK(belay_scheduler_now(dead[i]) > 0);
    SURVIVES(belay_scheduler_queue_high_water(dead[i]));
    belay_scheduler_release(dead[i]);
  }
  CHECK_INT(called, 0);
  belay_last_error();
  close_all();
  belay_last_error();
}

static const test_case cases[] = {
    CASE(null_everywhere),  CASE(null_actions),
    CASE(times_that_are_none), CASE(times_far_away),
    CASE(only_virtual_time_is_moved), CASE(of_what_has_been_closed),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
