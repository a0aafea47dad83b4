/* Schedulers over a loop of the program's own: its thread is a home without libuv. */
#include "own_loop.h"
#include "printed.h"

static own_loop own;

static belay_scheduler *open_own(void) {
  own_open(&own);
  return own_scheduler(&own);
}

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

static double set_time;
static double now_set(void *ctx) { return set_time; }

/* A loop whose clock is set. */
static belay_scheduler *open_with_clock(void) {
  own_open(&own);
  set_time = 5;
  return belay_scheduler_create_host(
      &BELAY_INIT(belay_scheduler_table, .schedule = own_schedule, .after = own_after,
                  .cancel = own_cancel, .now = now_set),
      &own, own_freed);
}

static void turn_at(double time) {
  set_time = time;
  if (own.timer) own.timer->due = 0;
  own_turn(&own);
}

static void delays_use_one_timer(void) {
  belay_scheduler *scheduler = open_with_clock();
  CHECK_INT(belay_scheduler_after(scheduler, 3, trace_action, "third", NULL, NULL), 0);
  CHECK_INT(belay_scheduler_after(scheduler, 2, trace_action, "second", NULL, NULL), 0);
  CHECK_INT(belay_scheduler_after(scheduler, 1, trace_action, "first", NULL, NULL), 0);
  CHECK_INT(own.cancels, 2);
  CHECK(own.timer->due <= own_time() + 1);
  turn_at(6.5);
  CHECK_TRACE("action first");
  turn_at(8);
  CHECK_TRACE("action second | action third");
  CHECK(own.timer == NULL);
  own_close(&own, scheduler);
}

/* A loop whose timers have a coarse clock. */
static void an_early_timer_is_set_again(void) {
  belay_scheduler *scheduler = open_with_clock();
  CHECK_INT(belay_scheduler_after(scheduler, 1, trace_action, "in time", NULL, NULL), 0);
  turn_at(5.995);
  CHECK_TRACE("");
  CHECK(own.timer->due <= own_time() + 0.006);
  turn_at(6);
  CHECK_TRACE("action in time");
  CHECK_INT(own.timers, 2);
  own_close(&own, scheduler);
}

static int times;
static void stop_at_three(void *ctx) {
  if (++times == 3) own_stop(&own);
}

static void it_repeats(void) {
  belay_scheduler *scheduler = open_own();
  belay_disposable *timer;
  times = 0;
  CHECK_INT(belay_scheduler_every(scheduler, 0, 0.002, 0, stop_at_three, NULL, NULL, &timer), 0);
  own_run(&own);
  CHECK_INT(times, 3);
  belay_disposable_dispose(timer);
  CHECK(own.timer == NULL);
  belay_disposable_release(timer);
  own_close(&own, scheduler);
}

static void cancelled_in_every_state(void) {
  belay_scheduler *scheduler = open_own();
  belay_disposable *one, *other;
  /* Before it has come. */
  CHECK_INT(belay_scheduler_schedule(scheduler, trace_action, "one", trace_free, &one), 0);
  end_subscription(one);
  CHECK_TRACE("free one");
  own_turn(&own);
  /* While it waits, alone and behind another. */
  CHECK_INT(belay_scheduler_after(scheduler, 1000, trace_action, "one", trace_free, &one), 0);
  CHECK_INT(belay_scheduler_after(scheduler, 2000, trace_action, "other", trace_free, &other), 0);
  CHECK(own.timer != NULL);
  end_subscription(other);
  CHECK(own.timer != NULL);
  end_subscription(one);
  CHECK(own.timer == NULL);
  CHECK_TRACE("free other | free one");
  /* When it is due. */
  CHECK_INT(belay_scheduler_after(scheduler, 0, trace_action, "one", trace_free, &one), 0);
  end_subscription(one);
  own_turn(&own);
  CHECK_TRACE("free one");
  /* After it has run. */
  CHECK_INT(belay_scheduler_after(scheduler, 0, trace_action, "one", trace_free, &one), 0);
  own_turn(&own);
  CHECK_TRACE("action one | free one");
  end_subscription(one);
  CHECK_TRACE("");
  own_close(&own, scheduler);
}

static void *without_handle(void *ctx, double seconds, belay_action_fn action, void *work,
                            belay_free_fn work_free) {
  own_after(ctx, seconds, action, work, work_free);
  return NULL;
}

/* Without `cancel`, the work of a cancelled timer is run nevertheless. */
static void a_loop_cannot_cancel(void) {
  own_open(&own);
  belay_scheduler *scheduler = belay_scheduler_create_host(
      &BELAY_INIT(belay_scheduler_table, .schedule = own_schedule, .after = without_handle), &own,
      own_freed);
  belay_disposable *one;
  CHECK_INT(belay_scheduler_after(scheduler, 0, trace_action, "one", trace_free, &one), 0);
  end_subscription(one);
  CHECK_TRACE("free one");
  own_work *stale = own.timer;
  CHECK(stale != NULL);
  own.timer = NULL;
  CHECK_INT(belay_scheduler_after(scheduler, 1000, trace_action, "two", trace_free, &one), 0);
  own_work *later = own.timer;
  stale->action(stale->work);
  CHECK(own.timer == later);
  CHECK_TRACE("");
  own_drop(stale);
  end_subscription(one);
  own.timer = NULL;
  own_drop(later);
  CHECK_TRACE("free two");
  own_close(&own, scheduler);
}

static void a_clock_that_makes_no_sense(void) {
  belay_scheduler *scheduler = open_with_clock();
  belay_disposable *timer;
  CHECK(belay_scheduler_now(scheduler) == 5);
  CHECK_INT(belay_scheduler_every(scheduler, 0, 1e300, 0, trace_action, "one", NULL, &timer), 0);
  double times_of_day[] = {-1.0 / 0.0, 1.0 / 0.0, 0.0 / 0.0, -1e300, 1e300};
  for (size_t i = 0; i < sizeof times_of_day / sizeof *times_of_day; i++) {
    turn_at(times_of_day[i]);
    CHECK(belay_scheduler_now(scheduler) >= 0);
  }
  CHECK_TRACE("action one");
  end_subscription(timer);
  own_close(&own, scheduler);
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
  belay_scheduler_release(scheduler);
  CHECK_INT(own.frees, 1);
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

/* ---- the end ---- */

static void a_close_ends_what_is_there(void) {
  belay_scheduler *scheduler = open_own();
  belay_signal *subject = belay_subject_create(NULL);
  belay_disposable *timer;
  uint64_t lost = belay_lost_count();
  belay_observer observer = tracing("");
  observer.label = "named";
  CHECK_INT(belay_signal_subscribe(subject, &observer, NULL), 0);
  CHECK_INT(belay_scheduler_after(scheduler, 1000, trace_action, "later", trace_free, &timer), 0);
  CHECK_INT(belay_disposable_set_label(timer, "alarm", BELAY_HERE), 0);
  CHECK_INT(belay_scheduler_schedule(scheduler, trace_action, "soon", trace_free, NULL), 0);
  CHECK_INT(belay_scheduler_close(scheduler, trace_left, "ctx", trace_free), 0);
  CHECK_TRACE("free soon | disposed | free | free later | closed | subscription named | "
              "timer alarm | free ctx");
  CHECK_INT(belay_lost_count() - lost, 1);
  belay_disposable_release(timer);
  belay_signal_release(subject);
  CHECK(belay_scheduler_current() == NULL);
  /* The work that the loop still has does nothing. */
  own_turn(&own);
  CHECK_FAILS(belay_scheduler_schedule(scheduler, trace_action, "no", trace_free, NULL),
              BELAY_ECANCELED);
  CHECK_FAILS(belay_scheduler_after(scheduler, 0, trace_action, "no", trace_free, NULL),
              BELAY_ECANCELED);
  CHECK_TRACE("free no | free no");
  CHECK_FAILS(belay_scheduler_close(scheduler, NULL, NULL, NULL), BELAY_ECLOSED);
  CHECK_INT(own.frees, 0);
  belay_scheduler_release(scheduler);
  CHECK_INT(own.frees, 1);
  CHECK_INT(own.cancels, 1);
  own_end(&own);
  CHECK(own.timer == NULL);
}

static void close_it(void *scheduler) {
  CHECK_INT(belay_scheduler_close(scheduler, trace_closed, NULL, NULL), 0);
}

static void closed_in_its_own_work(void) {
  belay_scheduler *scheduler = open_own();
  CHECK_INT(belay_scheduler_schedule(scheduler, close_it, scheduler, NULL, NULL), 0);
  CHECK_INT(belay_scheduler_schedule(scheduler, trace_action, "lost", trace_free, NULL), 0);
  own_turn(&own);
  CHECK_TRACE("free lost | closed");
  belay_scheduler_release(scheduler);
  own_end(&own);
  CHECK_INT(own.frees, 1);
}

/* The loop may keep its context in turn, as GLib's does. */
static void work_that_the_loop_keeps_keeps_nothing(void) {
  belay_scheduler *scheduler = open_own();
  CHECK_INT(belay_scheduler_schedule(scheduler, trace_action, "lost", trace_free, NULL), 0);
  CHECK_INT(belay_scheduler_close(scheduler, trace_closed, NULL, NULL), 0);
  CHECK_TRACE("free lost | closed");
  belay_scheduler_release(scheduler);
  CHECK_INT(own.frees, 1);
  own_turn(&own);
  own_end(&own);
}

static void close_elsewhere(void *scheduler) {
  CHECK_FAILS(belay_scheduler_close(scheduler, trace_closed, "it", trace_free),
              BELAY_EWRONGTHREAD);
}

static void closed_elsewhere_it_is_refused(void) {
  belay_scheduler *scheduler = open_own();
  in_thread(close_elsewhere, scheduler);
  CHECK_TRACE("free it");
  own_close(&own, scheduler);
}

static int sending;
static void send_until_refused(void *subject) {
  int code;
  do {
    code = send_to(subject, 1);
    __atomic_store_n(&sending, 1, __ATOMIC_RELEASE);
    if (code < 0) belay_last_error();
  } while (code == BELAY_QUEUED || code == BELAY_EAGAIN);
  CHECK_INT(code, BELAY_ECANCELED);
}

/* Closed early, with work in flight from other threads. */
static void closed_while_others_send(void) {
  for (int round = 0; round < 50; round++) {
    belay_scheduler *scheduler = open_own();
    belay_signal *subject = belay_subject_create(NULL);
    routine senders[2];
    belay_observer observer = BELAY_INIT(belay_observer, .next = count_value, .ctx = &arrived);
    CHECK_INT(belay_signal_subscribe(subject, &observer, NULL), 0);
    sending = 0;
    for (int i = 0; i < 2; i++) start_thread(&senders[i], send_until_refused, subject);
    while (!__atomic_load_n(&sending, __ATOMIC_ACQUIRE)) own_turn(&own);
    if (round % 2) own_turn(&own);
    CHECK_INT(belay_scheduler_close(scheduler, ignore_left, NULL, NULL), 0);
    belay_scheduler_release(scheduler);
    for (int i = 0; i < 2; i++) join_thread(&senders[i]);
    belay_signal_release(subject);
    own_end(&own);
    CHECK_INT(own.frees, 1);
    close(own.ends[0]);
    close(own.ends[1]);
  }
}

static belay_signal *ending_subject;
static void on_a_thread_that_ends(void *ctx) {
  belay_scheduler *scheduler = open_own();
  ending_subject = belay_subject_create(NULL);
  belay_observer observer = tracing("");
  observer.site = NULL;
  CHECK_INT(belay_signal_subscribe(ending_subject, &observer, NULL), 0);
  CHECK_INT(belay_scheduler_after(scheduler, 1000, trace_action, "later", trace_free, NULL), 0);
  *(belay_scheduler **)ctx = scheduler;
}

static void let_thread_end(void *ctx) { in_thread(on_a_thread_that_ends, ctx); }

static void its_thread_ends(void) {
  belay_scheduler *scheduler;
  char text[400];
  printed_while(let_thread_end, &scheduler, text, sizeof text);
  CHECK_STRING(text, "belay: closing own: still alive: subscription\n"
                     "belay: closing own: still alive: timer\n");
  CHECK_TRACE("disposed | free | free later");
  CHECK_FAILS(belay_scheduler_schedule(scheduler, trace_action, "no", NULL, NULL),
              BELAY_ECANCELED);
  belay_scheduler_release(scheduler);
  belay_signal_release(ending_subject);
  CHECK_INT(own.frees, 1);
}

static void send_into_the_ended(void *subject) {
  int code = send_to(subject, 1);
  CHECK(code == BELAY_QUEUED || code == BELAY_ECANCELED);
  CHECK_FAILS(send_to(subject, 2), BELAY_ECANCELED);
}

/* The host's loop ends before the scheduler is closed, and drops the work. */
static void a_loop_that_drops_work_has_ended(void) {
  belay_scheduler *scheduler = open_own();
  belay_signal *subject = belay_subject_create(NULL);
  belay_disposable *subscription = watched(also(subject), "");
  uint64_t lost = belay_lost_count();
  own_end(&own);
  in_thread(send_into_the_ended, subject);
  CHECK_TRACE("");
  CHECK_INT(belay_scheduler_close(scheduler, ignore_left, NULL, NULL), 0);
  CHECK_TRACE("disposed | free");
  belay_disposable_release(subscription);
  belay_signal_release(subject);
  belay_scheduler_release(scheduler);
  CHECK_INT(own.frees, 1);
  CHECK_INT(belay_lost_count() - lost, 1);
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

/* What a close drops may close again, which is refused, and its `closed` does not run. */
static belay_scheduler *closing;
static int inner_code;
static void note_closed(void *ctx, const belay_open_resource *const *resources, size_t count) {
  trace("%s", (const char *)ctx);
}
static void close_again(void *ctx) {
  inner_code = belay_scheduler_close(closing, note_closed, "inner", NULL);
}
static void closed_by_what_its_close_drops(void) {
  closing = open_own();
  CHECK_INT(belay_scheduler_schedule(closing, empty_action, NULL, close_again, NULL), 0);
  CHECK_INT(belay_scheduler_close(closing, note_closed, "outer", NULL), 0);
  CHECK_INT(inner_code, BELAY_ECLOSED);
  CHECK_TRACE("outer");
  own_leave(&own, closing);
}

static const test_case cases[] = {
    CASE(work_runs_at_its_turn_in_order),
    CASE(its_scheduler_is_the_current_one),
    CASE(delays_use_one_timer),
    CASE(an_early_timer_is_set_again),
    CASE(it_repeats),
    CASE(cancelled_in_every_state),
    CASE(a_loop_cannot_cancel),
    CASE(a_clock_that_makes_no_sense),
    CASE(values_of_other_threads_arrive_there),
    CASE(operators_keep_their_times_there),
    CASE(an_owner_dies_there),
    CASE(an_owners_scheduler_is_checked),
    CASE(dispose_sync_waits_for_it),
    CASE(work_on_a_worker_comes_back),
    CASE(a_turn_inside_finds_the_rest),
    CASE(a_turn_inside_finds_what_is_due),
    CASE(one_piece_of_work_waits_at_most),
    CASE(a_close_ends_what_is_there),
    CASE(closed_in_its_own_work),
    CASE(work_that_the_loop_keeps_keeps_nothing),
    CASE(closed_elsewhere_it_is_refused),
    CASE(closed_while_others_send),
    CASE(its_thread_ends),
    CASE(a_loop_that_drops_work_has_ended),
    CASE(work_that_is_run_elsewhere),
    CASE(work_that_is_run_twice),
    CASE(bad_tables_are_refused),
    CASE(a_thread_has_one_loop),
    CASE(closed_by_what_its_close_drops),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
