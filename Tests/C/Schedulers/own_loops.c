/* Schedulers over a loop of the program's own: its thread is a home without libuv. Timers are in
   own_timers.c, ends in own_loops_ends.c. */
#include "own_loop.h"
#include "printed.h"

/* ---- work ---- */

static void work_runs_at_its_turn_in_order(void) {
  belay_scheduler *scheduler = open_own();
  CHECK_INT(belay_scheduler_schedule(scheduler, trace_action, "one", trace_free, NULL), 0);
  CHECK_INT(belay_scheduler_schedule(scheduler, trace_action, "two", trace_free, NULL), 0);
  CHECK_TRACE("");
  own_turn(&own);
  CHECK_TRACE("action one | free one | action two | free two");
  own_close(&own, scheduler);
}

static belay_scheduler *running_on;
static void check_current(void *ctx) { CHECK(belay_scheduler_current() == running_on); }

static void its_scheduler_is_the_current_one(void) {
  belay_scheduler *scheduler = running_on = open_own();
  CHECK(belay_scheduler_current() == scheduler);
  CHECK_INT(belay_scheduler_schedule(scheduler, check_current, NULL, NULL, NULL), 0);
  own_turn(&own);
  own_close(&own, scheduler);
  CHECK(belay_scheduler_current() == NULL);
}

/* ---- a home ---- */

enum { THREADS = 4, EACH = 500 };
static int arrived;
static pthread_t home_thread;

static void note_arrival(void *ctx, belay_value value) {
  if (!pthread_equal(pthread_self(), home_thread)) check_failed(__FILE__, __LINE__, "elsewhere");
  if (++arrived == THREADS * EACH) own_stop(&own);
}

static void send_many(void *subject) {
  for (int i = 0; i < EACH; i++) {
    int code;
    while ((code = send_to(subject, i)) == BELAY_EAGAIN) {
      belay_last_error();
      sched_yield();
    }
    CHECK_INT(code, BELAY_QUEUED);
  }
}

static void values_of_other_threads_arrive_there(void) {
  belay_scheduler *scheduler = open_own();
  belay_signal *subject = belay_subject_create(NULL);
  routine senders[THREADS];
  home_thread = pthread_self();
  arrived = 0;
  belay_observer observer = BELAY_INIT(belay_observer, .next = note_arrival);
  belay_disposable *subscription;
  CHECK_INT(belay_signal_subscribe(subject, &observer, &subscription), 0);
  for (int i = 0; i < THREADS; i++) start_thread(&senders[i], send_many, subject);
  own_run(&own);
  for (int i = 0; i < THREADS; i++) join_thread(&senders[i]);
  CHECK_INT(arrived, THREADS * EACH);
  /* It is asked once for what comes together, and once more for a turn inside of a callback. */
  CHECK(own.runs <= 2 * THREADS * EACH);
  CHECK(belay_scheduler_queue_high_water(scheduler) > 0);
  end_subscription(subscription);
  belay_signal_release(subject);
  own_turn(&own);
  own_close(&own, scheduler);
}

/* Takes so long that the budget of a turn is spent at the first look at the clock. */
static void count_arrival(void *ctx, belay_value value) {
  struct timespec began, now;
  clock_gettime(CLOCK_MONOTONIC, &began);
  do clock_gettime(CLOCK_MONOTONIC, &now);
  while ((now.tv_sec - began.tv_sec) * 1000000000 + now.tv_nsec - began.tv_nsec < 10000);
  ++*(int *)ctx;
}
static void count_own(void *ctx) { ++*(int *)ctx; }

/* A whole queue of values that are not taken quickly takes several turns, and the host's other work has its turn between. */
static void a_full_queue_leaves_the_others_their_turn(void) {
  enum { A_TURN = 128 };
  belay_scheduler *scheduler = open_own();
  belay_signal *subject = belay_subject_create(NULL);
  int others = 0;
  arrived = 0;
  belay_observer observer = BELAY_INIT(belay_observer, .next = count_arrival, .ctx = &arrived);
  belay_disposable *subscription;
  CHECK_INT(belay_signal_subscribe(subject, &observer, &subscription), 0);
  in_thread(send_many, subject);
  for (int turn = 1; arrived < EACH; turn++) {
    own_schedule(&own, count_own, &others, empty_action);
    own_turn(&own);
    CHECK_INT(others, turn);
    if (arrived < EACH) CHECK_INT(arrived, turn * A_TURN);
  }
  end_subscription(subscription);
  belay_signal_release(subject);
  own_turn(&own);
  own_close(&own, scheduler);
}

static void next_and_stop(void *ctx, belay_value value) {
  trace("next %d", int_of(value));
  own_stop(&own);
}

static void operators_keep_their_times_there(void) {
  belay_scheduler *scheduler = open_own();
  belay_signal *subject = belay_subject_create(NULL);
  belay_signal *quiet = belay_signal_chain(also(subject), belay_op_debounce(scheduler, 0.005));
  belay_observer observer = BELAY_INIT(belay_observer, .next = next_and_stop);
  belay_disposable *subscription;
  CHECK_INT(belay_signal_subscribe(quiet, &observer, &subscription), 0);
  send_int(subject, 1);
  send_int(subject, 2);
  own_run(&own);
  CHECK_TRACE("next 2");
  end_subscription(subscription);
  belay_signal_release(quiet);
  belay_signal_release(subject);
  own_close(&own, scheduler);
}

static void check_home(void *ctx) {
  CHECK(pthread_equal(pthread_self(), home_thread));
  trace("%s", (const char *)ctx);
}

static void an_owner_dies_there(void) {
  belay_scheduler *scheduler = open_own();
  home_thread = pthread_self();
  belay_owner *owner =
      belay_owner_create("deinit", check_home, NULL,
                         &BELAY_INIT(belay_owner_options, .scheduler = scheduler));
  in_thread(release_owner, owner);
  CHECK_TRACE("");
  own_turn(&own);
  CHECK_TRACE("deinit");
  own_close(&own, scheduler);
}

static void an_owners_scheduler_is_checked(void) {
  belay_scheduler *scheduler = open_own();
  belay_owner_options wrong = BELAY_INIT(belay_owner_options, .scheduler = belay_scheduler_immediate());
  CHECK(belay_owner_create(NULL, NULL, NULL, &wrong) == NULL);
  check_last_error(BELAY_EINVAL);
  wrong.scheduler = scheduler;
  CHECK_INT(belay_scheduler_close(scheduler, NULL, NULL, NULL), 0);
  CHECK(belay_owner_create(NULL, NULL, NULL, &wrong) == NULL);
  check_last_error(BELAY_ECLOSED);
  own_leave(&own, scheduler);
}

static void dispose_and_wait(void *subscription) {
  CHECK_INT(belay_disposable_dispose_sync(subscription, -1), 0);
  own_schedule(&own, own_stop, &own, empty_action);
}

static void dispose_sync_waits_for_it(void) {
  belay_scheduler *scheduler = open_own();
  belay_signal *subject = belay_subject_create(NULL);
  belay_disposable *subscription = watched(also(subject), "");
  routine other;
  start_thread(&other, dispose_and_wait, subscription);
  own_run(&own);
  join_thread(&other);
  CHECK_TRACE("disposed | free");
  belay_disposable_release(subscription);
  belay_signal_release(subject);
  own_close(&own, scheduler);
}

static void disposed_and_stop(void *ctx) {
  trace("disposed");
  own.stops = 1;
}

static void work_on_a_worker_comes_back(void) {
  belay_scheduler *scheduler = open_own();
  belay_worker *worker = belay_worker_create(NULL);
  belay_signal *there = belay_signal_chain(
      numbers(1, 3), belay_op_subscribe_on(belay_worker_get_scheduler(worker)),
      belay_op_observe_on(scheduler, NULL));
  belay_observer observer = tracing("");
  observer.disposed = disposed_and_stop;
  CHECK_INT(belay_signal_subscribe(there, &observer, NULL), 0);
  belay_signal_release(there);
  own_run(&own);
  CHECK_TRACE("next 1 | next 2 | next 3 | completed | disposed | free");
  belay_worker_release(worker);
  own_close(&own, scheduler);
}

/* ---- turns inside of callbacks ---- */

static void turn_inside(void *name) {
  trace("%s begins", (const char *)name);
  own_turn(&own);
  trace("%s ends", (const char *)name);
}

static void a_turn_inside_finds_the_rest(void) {
  belay_scheduler *scheduler = open_own();
  CHECK_INT(belay_scheduler_schedule(scheduler, turn_inside, "one", NULL, NULL), 0);
  CHECK_INT(belay_scheduler_schedule(scheduler, turn_inside, "two", NULL, NULL), 0);
  CHECK_INT(belay_scheduler_schedule(scheduler, trace_action, "three", NULL, NULL), 0);
  own_turn(&own);
  CHECK_TRACE("one begins | two begins | action three | two ends | one ends");
  own_close(&own, scheduler);
}

static void a_turn_inside_finds_what_is_due(void) {
  belay_scheduler *scheduler = open_own();
  belay_disposable *timer;
  CHECK_INT(belay_scheduler_every(scheduler, 0, 1000, 0, turn_inside, "one", NULL, &timer), 0);
  CHECK_INT(belay_scheduler_after(scheduler, 0, trace_action, "two", NULL, NULL), 0);
  own_turn(&own);
  CHECK_TRACE("one begins | action two | one ends");
  end_subscription(timer);
  own_close(&own, scheduler);
}

enum { AGAIN = 10 };
static int ran;
static void schedule_again(void *scheduler) {
  if (++ran < AGAIN)
    CHECK_INT(belay_scheduler_schedule(scheduler, schedule_again, scheduler, NULL, NULL), 0);
}

/* Two messages come in each turn, and more than one of them waits when the next one begins. */
static void one_piece_of_work_waits_at_most(void) {
  belay_scheduler *scheduler = open_own();
  ran = 0;
  schedule_again(scheduler);
  schedule_again(scheduler);
  while (own.first) {
    CHECK(own.first->next == NULL);
    own_turn(&own);
  }
  CHECK_INT(ran, AGAIN + 1);
  own_close(&own, scheduler);
}

/* ---- what the host does wrong ---- */

static void run_item(void *ctx) {
  own_work *item = ctx;
  item->action(item->work);
}

static void run_elsewhere(void *ctx) { in_thread(run_item, ctx); }

static void work_that_is_run_elsewhere(void) {
  belay_scheduler *scheduler = open_own();
  char text[400];
  CHECK_INT(belay_scheduler_schedule(scheduler, trace_action, "one", trace_free, NULL), 0);
  printed_while(run_elsewhere, own.first, text, sizeof text);
  CHECK_STRING(text, "belay: a scheduler's work was run away from its thread\n");
  CHECK_TRACE("");
  own_turn(&own);
  CHECK_TRACE("action one | free one");
  own_close(&own, scheduler);
}

static void work_that_is_run_twice(void) {
  belay_scheduler *scheduler = open_own();
  CHECK_INT(belay_scheduler_schedule(scheduler, trace_action, "one", trace_free, NULL), 0);
  run_item(own.first);
  CHECK_TRACE("action one | free one");
  CHECK_INT(belay_scheduler_schedule(scheduler, trace_action, "two", trace_free, NULL), 0);
  run_item(own.first);
  CHECK_TRACE("");
  own_turn(&own);
  CHECK_TRACE("action two | free two");
  own_close(&own, scheduler);
}

static belay_scheduler *made_with(const belay_scheduler_table *table) {
  return belay_scheduler_create_host(table, "it", trace_free);
}

static void bad_tables_are_refused(void) {
  CHECK(made_with(NULL) == NULL);
  check_last_error(BELAY_EINVAL);
  CHECK(made_with(&BELAY_INIT(belay_scheduler_table, .schedule = own_schedule)) == NULL);
  check_last_error(BELAY_EINVAL);
  CHECK(made_with(&BELAY_INIT(belay_scheduler_table, .after = own_after)) == NULL);
  check_last_error(BELAY_EINVAL);
  belay_scheduler_table table = {.schedule = own_schedule, .after = own_after};
  CHECK(made_with(&table) == NULL);
  check_last_error(BELAY_EINVAL);
  CHECK_TRACE("free it | free it | free it | free it");
  CHECK_FAILS(belay_scheduler_close(NULL, trace_closed, "it", trace_free), BELAY_EINVAL);
  CHECK_FAILS(belay_scheduler_close(belay_scheduler_immediate(), NULL, NULL, NULL), BELAY_EKIND);
  CHECK_TRACE("free it");
}

static void a_thread_has_one_loop(void) {
  belay_loop *loop = open_loop();
  CHECK(made_with(&BELAY_INIT(belay_scheduler_table, .schedule = own_schedule,
                              .after = own_after)) == NULL);
  check_last_error(BELAY_EBOUND);
  CHECK_TRACE("free it");
  close_loop(loop);
  belay_scheduler *scheduler = open_own();
  CHECK(made_with(&BELAY_INIT(belay_scheduler_table, .schedule = own_schedule,
                              .after = own_after)) == NULL);
  check_last_error(BELAY_EBOUND);
  CHECK_TRACE("free it");
  CHECK(belay_loop_create(NULL) == NULL);
  check_last_error(BELAY_EBOUND);
  own_close(&own, scheduler);
  close_loop(open_loop());
}

static const test_case cases[] = {
    CASE(work_runs_at_its_turn_in_order),
    CASE(its_scheduler_is_the_current_one),
    CASE(values_of_other_threads_arrive_there),
    CASE(a_full_queue_leaves_the_others_their_turn),
    CASE(operators_keep_their_times_there),
    CASE(an_owner_dies_there),
    CASE(an_owners_scheduler_is_checked),
    CASE(dispose_sync_waits_for_it),
    CASE(work_on_a_worker_comes_back),
    CASE(a_turn_inside_finds_the_rest),
    CASE(a_turn_inside_finds_what_is_due),
    CASE(one_piece_of_work_waits_at_most),
    CASE(work_that_is_run_elsewhere),
    CASE(work_that_is_run_twice),
    CASE(bad_tables_are_refused),
    CASE(a_thread_has_one_loop),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
