/* A loop closes that has a pool's scheduler: work that runs in the pool, work that waits, and
   subscriptions at home there. */
#include "pool.h"

#include <uv.h>

static char found[400];
static void note(void *ctx, const belay_open_resource *const *left, size_t count) {
  found[0] = 0;
  for (size_t i = 0; i < count; i++) {
    size_t used = strlen(found);
    snprintf(found + used, sizeof found - used, "(%s %s)", belay_open_resource_kind(left[i]),
             text_or(belay_open_resource_label(left[i]), "-"));
  }
}

static void close_finding(const char *expected) {
  CHECK_INT(belay_loop_close(loop, note, NULL, NULL), 0);
  CHECK_STRING(found, expected);
  CHECK_FAILS(belay_scheduler_schedule(pool, there, "late", trace_free, NULL), BELAY_ECANCELED);
  CHECK_FAILS(belay_scheduler_after(pool, 1, there, "later", trace_free, NULL), BELAY_ECANCELED);
  CHECK(belay_scheduler_now(pool) > 0);
  belay_loop_release(loop);
  belay_scheduler_release(pool);
  sem_destroy(&begun);
  sem_destroy(&go);
}

static void until_closing(void *name) {
  sem_post(&begun);
  wait_for(&go);
  while (belay_scheduler_schedule(pool, there, NULL, NULL, NULL) != BELAY_ECANCELED) sched_yield();
  belay_last_error();
  trace("%s", (const char *)name);
}

static void close_waits_for_what_has_begun(void) {
  belay_loop_options options = {.size = sizeof options, .capacity = 2};
  open_pool(&options);
  CHECK_INT(belay_scheduler_schedule(pool, until_closing, "to its end", trace_free, NULL), 0);
  wait_for(&begun);
  CHECK_INT(belay_scheduler_schedule(pool, there, "queued", trace_free, NULL), 0);
  sem_post(&go); /* from here on the action fills the queue */
  close_finding("(work -)");
  CHECK_TRACE("to its end | free to its end | free queued | free late | free later");
}

static void close_with_work_on_its_way(void) {
  open_pool(NULL);
  in_thread(schedule_elsewhere, "soon");
  close_finding("(work -)");
  CHECK(strstr(trace_text(), "free soon") != NULL);
  CHECK(strstr(trace_text(), "free after") != NULL);
  CHECK(strstr(trace_text(), "free late | free later") != NULL);
  trace_clear();
}

enum { POOLS = 9 };

/* Nothing else lets the pool's threads go on. */
static void let_all_go(void *ctx) {
  trace_free(ctx);
  for (int i = 0; i < POOL_THREADS; i++) sem_post(&go);
}

static void close_takes_back_what_has_no_thread_yet(void) {
  belay_scheduler *others[POOLS];
  open_pool(NULL);
  for (int i = 0; i < POOL_THREADS; i++) {
    others[i] = belay_scheduler_create_pool(loop);
    CHECK_INT(belay_scheduler_schedule(others[i], hold, NULL, NULL, NULL), 0);
  }
  for (int i = 0; i < POOL_THREADS; i++) wait_for(&begun);
  for (int i = POOL_THREADS; i < POOLS; i++) {
    others[i] = belay_scheduler_create_pool(loop);
    CHECK_INT(belay_scheduler_schedule(others[i], trace_action, "waiting",
                                       i < POOLS - 1 ? trace_free : let_all_go, NULL),
              0);
  }
  CHECK_INT(belay_loop_close(loop, note, NULL, NULL), 0);
  CHECK_TRACE("free waiting | free waiting | free waiting | free waiting | free waiting");
  for (int i = 0; i < POOLS; i++) belay_scheduler_release(others[i]);
  belay_loop_release(loop);
  belay_scheduler_release(pool);
  sem_destroy(&begun);
  sem_destroy(&go);
}

static void close_ends_what_is_at_home_there(void) {
  open_pool(NULL);
  schedule(make_a_subject, NULL);
  run_to_end(loop);
  CHECK_INT(belay_scheduler_after(pool, 1000, there, "timer", trace_free, NULL), 0);
  close_finding("(timer -)(subscription listener)");
  CHECK_TRACE("free timer | disposed here | free it | free late | free later");
  CHECK_FAILS(belay_subject_next(made_there, belay_int32(1)), BELAY_ECANCELED);
  belay_signal_release(made_there);
  made_there = NULL;
}

static void close_inside_a_run(void *ctx) {
  sem_post(&go);
  CHECK_INT(belay_loop_close(loop, note, NULL, NULL), 0);
}

static void closed_by_a_timer_while_work_runs(void) {
  open_pool(NULL);
  schedule(hold, NULL);
  wait_for(&begun);
  CHECK_INT(belay_scheduler_schedule(belay_loop_get_scheduler(loop), close_inside_a_run, NULL, NULL,
                                     NULL),
            0);
  belay_loop_run(loop, BELAY_RUN_DEFAULT);
  CHECK_STRING(found, "(work -)");
  belay_loop_release(loop);
  belay_scheduler_release(pool);
}

static void on_an_adopted_loop(void) {
  uv_loop_t uv;
  CHECK_INT(uv_loop_init(&uv), 0);
  open_pool(NULL);
  close_pool();
  loop = belay_loop_adopt(&uv, NULL);
  pool = belay_scheduler_create_pool(loop);
  schedule(there, "adopted");
  CHECK_INT(belay_scheduler_after(pool, 0.001, there, "timed", NULL, NULL), 0);
  uv_run(&uv, UV_RUN_DEFAULT);
  CHECK_TRACE("adopted | timed");
  schedule(there, "last");
  CHECK_INT(belay_loop_close(loop, note, NULL, NULL), 0);
  uv_run(&uv, UV_RUN_DEFAULT);
  CHECK_STRING(found, "(work -)");
  trace_clear();
  belay_scheduler_release(pool);
  belay_loop_release(loop);
  CHECK_INT(uv_loop_close(&uv), 0);
}

/* ---- other threads use what is at home there, while the loop closes ---- */

static belay_disposable *left;

static void subscribe_there(belay_op *op) {
  belay_observer observer = telling();
  made_there = belay_subject_create(NULL);
  belay_signal *signal = belay_signal_retain(made_there);
  if (op) signal = belay_signal_chain(signal, op);
  CHECK_INT(belay_signal_subscribe(signal, &observer, &left), 0);
  belay_signal_release(signal);
}
static void plainly(void *ctx) { subscribe_there(NULL); }
/* The operator's timer is on its way to the loop before the stop is. */
static void for_a_time(void *ctx) {
  subscribe_there(belay_op_take_for(pool, 1000));
  CHECK_INT(belay_loop_post(loop, stop_loop, loop, NULL), 0);
}

static void make(belay_action_fn there) {
  open_pool(NULL);
  schedule(there, NULL);
  if (there == for_a_time) run_until_stopped(loop);
  else run_to_end(loop);
}
static void let_go(void) {
  belay_disposable_release(left);
  belay_signal_release(made_there);
  left = NULL;
  made_there = NULL;
}

static void until_it_closes(void) {
  while (belay_scheduler_schedule(pool, there, NULL, NULL, NULL) != BELAY_ECANCELED) sched_yield();
  belay_last_error();
}
static void dispose_while_it_closes(void *ctx) {
  until_it_closes();
  belay_disposable_dispose(left);
  CHECK_TRACE(""); /* a thread of the pool is inside, so the rest is done there */
  sem_post(&go);
}
static void dispose_sync_while_it_closes(void *ctx) {
  until_it_closes();
  sem_post(&go);
  CHECK_INT(belay_disposable_dispose_sync(left, -1), 0);
  CHECK(strstr(trace_text(), "free it") != NULL);
}
static void send_and_release_while_it_closes(void *ctx) {
  until_it_closes();
  CHECK_FAILS(belay_subject_next(made_there, belay_int32(1)), BELAY_ECANCELED);
  belay_signal_release(made_there);
  made_there = NULL;
  CHECK_TRACE("");
  sem_post(&go);
}

/* What went on being accepted would keep the thread of the pool for good, and so the close. */
static void begin_and_end_while_it_closes(void *ctx) {
  belay_loop *own = belay_loop_create(NULL);
  belay_observer observer = {.size = sizeof observer};
  until_it_closes();
  CHECK_FAILS(belay_signal_subscribe(made_there, &observer, NULL), BELAY_ECANCELED);
  CHECK_FAILS(belay_subject_completed(made_there), BELAY_ECANCELED);
  CHECK_TRACE("");
  close_loop(own);
  sem_post(&go);
}

/* Closes while work runs in the pool, until `other` lets it go on. */
static void close_beside(void (*other)(void *), const char *resources) {
  routine routine;
  schedule(hold, NULL);
  wait_for(&begun);
  start_thread(&routine, other, NULL);
  close_finding(resources);
  join_thread(&routine);
}

static void rule_1_2_disposed_elsewhere_while_it_closes_ends_at_home(void) {
  make(plainly);
  close_beside(dispose_while_it_closes, "(work -)");
  CHECK_TRACE("disposed there | free it | free late | free later");
  let_go();
}

static void what_begins_or_ends_there_while_it_closes_is_refused(void) {
  make(plainly);
  close_beside(begin_and_end_while_it_closes, "(work -)");
  CHECK_TRACE("disposed here | free it | free late | free later");
  let_go();
}

static void what_waits_for_a_time_ends_at_home_too(void) {
  make(for_a_time);
  close_beside(dispose_while_it_closes, "(timer -)(work -)");
  CHECK_TRACE("disposed there | free it | free late | free later");
  let_go();
}

static void rule_1_2_dispose_sync_while_it_closes(void) {
  make(for_a_time);
  close_beside(dispose_sync_while_it_closes, "(timer -)(work -)");
  CHECK(strstr(trace_text(), "free it | free late | free later") != NULL);
  trace_clear();
  let_go();
}

static void released_elsewhere_while_it_closes_is_interrupted_at_home(void) {
  make(plainly);
  close_beside(send_and_release_while_it_closes, "(work -)");
  CHECK_TRACE("disposed here | free it | free late | free later");
  let_go();
}

static void dispose_left(void *ctx) {
  trace("ends");
  belay_disposable_dispose(left);
  trace("goes on");
}

/* The disposal comes after what is at home at the loop has ended, and before what is at home in the
   pool ends. */
static void disposed_by_what_ends_with_the_loop(void) {
  make(plainly);
  belay_signal *subject = belay_subject_create(NULL);
  belay_observer observer = {.size = sizeof observer, .disposed = dispose_left};
  CHECK_INT(belay_signal_subscribe(subject, &observer, NULL), 0);
  close_finding("(subscription -)(subscription -)");
  CHECK_TRACE("ends | goes on | disposed here | free it | free late | free later");
  belay_signal_release(subject);
  let_go();
}

/* ---- its home has nothing, so that no close and no leaving has to reach it ---- */

static belay_request *asked;
static belay_signal *shared;
static belay_value no_sum(void *ctx, belay_value sum, belay_value answer) { return belay_null(); }
static void make_idle_ones(void *ctx) {
  belay_observer observer = tracing("first");
  asked = belay_request_create(belay_int32(0), no_sum, NULL, NULL);
  made_there = belay_subject_create(NULL);
  shared = belay_signal_chain(
      belay_signal_just(belay_int32(1)),
      belay_op_share_replay(NULL, -1, 1, BELAY_SHARE_KEEP_COMPLETED));
  CHECK_INT(belay_signal_subscribe(shared, &observer, NULL), 0);
}

/* An adopted owner whose compound has been disposed of, and with it its entry at the home. */
static void adopt_and_leave_the_home_empty(int *object) {
  belay_owner_options options = {.size = sizeof options, .scheduler = pool};
  belay_owner *owner = belay_owner_adopt(object, &options);
  CHECK(owner != NULL);
  run_to_end(loop);
  belay_disposable_dispose(belay_owner_get_compound(owner));
  belay_owner_release(owner);
  run_to_end(loop);
  CHECK_FAILS(belay_owner_end(object, trace_action, "no"), BELAY_EWRONGTHREAD);
}
static void close_idle(belay_loop *other) {
  int object;
  belay_value answer;
  open_pool(NULL);
  schedule(make_idle_ones, NULL);
  run_to_end(loop);
  CHECK_TRACE("first next 1 | first completed | first disposed | first free");
  adopt_and_leave_the_home_empty(&object);
  CHECK_FAILS(belay_request_send(asked, belay_null(), &answer), BELAY_EWRONGTHREAD);
  CHECK_INT(belay_loop_close(loop, expect_nothing_left, NULL, NULL), 0);
  CHECK_INT(belay_owner_end(&object, trace_action, "destroyed"), 0);
  CHECK_TRACE("action destroyed");
  CHECK_FAILS(belay_request_send(asked, belay_null(), &answer), BELAY_ECANCELED);
  for (int i = 0; i < 2; i++) CHECK_FAILS(belay_subject_completed(made_there), BELAY_ECANCELED);
  watch(shared, "next run:"); /* takes it over */
  CHECK_TRACE("next run: next 1 | next run: completed | next run: disposed | next run: free");
  belay_request_release(asked);
  belay_signal_release(made_there);
  made_there = NULL;
  belay_loop_release(loop);
  belay_scheduler_release(pool);
  if (other) close_loop(other);
}
static void what_is_idle_there_knows_of_the_close(void) { close_idle(NULL); }
static void what_is_idle_there_knows_that_the_user_has_left(void) {
  close_idle(belay_loop_create(NULL));
}

static const test_case cases[] = {
    CASE(close_waits_for_what_has_begun),
    CASE(close_takes_back_what_has_no_thread_yet),
    CASE(close_with_work_on_its_way),
    CASE(close_ends_what_is_at_home_there),
    CASE(closed_by_a_timer_while_work_runs),
    CASE(on_an_adopted_loop),
    CASE(rule_1_2_disposed_elsewhere_while_it_closes_ends_at_home),
    CASE(what_begins_or_ends_there_while_it_closes_is_refused),
    CASE(what_waits_for_a_time_ends_at_home_too),
    CASE(rule_1_2_dispose_sync_while_it_closes),
    CASE(released_elsewhere_while_it_closes_is_interrupted_at_home),
    CASE(disposed_by_what_ends_with_the_loop),
    CASE(what_is_idle_there_knows_of_the_close),
    CASE(what_is_idle_there_knows_that_the_user_has_left),
};

int main(int argc, char **argv) {
  limit_pool();
  return RUN_CASES(cases);
}
