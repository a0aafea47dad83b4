/* Subscriptions that are at home at a pool's scheduler, while its loop closes and other threads use
   them. */
#include <uv.h>

#include "explore.h"

static uv_loop_t uv;
static belay_loop *loop;
static belay_scheduler *pool;
static belay_signal *subject, *kept;
static belay_disposable *subscription;
static explore_listener listener;
static int isClosed, answer, wasRefused;
/* Of work: how much was offered and accepted, and what became of it. */
static int offered, accepted, done, freed;
static uint64_t lost_before;

static void make_there(void *ctx) {
  (void)ctx;
  subject = belay_subject_create(NULL);
  explore_subscribe(subject, &listener, &subscription);
}
/* The loop keeps the operator's timer. */
static void make_timed_there(void *ctx) {
  (void)ctx;
  subject = belay_subject_create(NULL);
  belay_signal *above =
      belay_signal_chain(belay_signal_retain(subject), belay_op_take_for(pool, 1000));
  explore_subscribe(above, &listener, &subscription);
  belay_signal_release(above);
}
static void make_at(belay_loop *made, belay_action_fn make) {
  listener = (explore_listener){0};
  isClosed = answer = wasRefused = 0;
  offered = accepted = done = freed = 0;
  lost_before = belay_lost_count();
  loop = made;
  pool = belay_scheduler_create_pool(loop);
  belay_scheduler_schedule(pool, make, NULL, NULL, NULL);
}
static void make_with(belay_action_fn make) {
  make_at(belay_loop_create(NULL), make);
  explore_settle(loop);
  explore_require(subject && subscription);
}
static void make(void) { make_with(make_there); }
static void make_timed(void) { make_with(make_timed_there); }
static void close_loop(void) {
  belay_loop_retain(loop);
  explore_close_in_use(loop);
}
static void let_go(void) {
  belay_disposable_release(subscription);
  belay_signal_release(subject);
  belay_scheduler_release(pool);
  belay_loop_release(loop);
  subject = NULL;
  subscription = NULL;
}
static void check(void) { explore_all_over(&listener, 1); }

/* ---- what others do to it ---- */

static void dispose(void) { belay_disposable_dispose(subscription); }
static void dispose_sync(void) {
  answer = belay_disposable_dispose_sync(subscription, -1);
  explore_require(answer == 0 && listener.inside == 0 && listener.frees == 1);
}
static void send_and_end(void) {
  explore_send(subject, 1);
  belay_subject_completed(subject);
}
static void release_subject(void) {
  belay_signal_release(subject);
  subject = NULL;
}
static void nothing(void *ctx) { (void)ctx; }
static void work(void *ctx) {
  (void)ctx;
  done++;
}
static void free_work(void *ctx) {
  (void)ctx;
  freed++;
}
static void schedule(void) {
  int code = belay_scheduler_schedule(pool, work, NULL, free_work, NULL);
  explore_require(code == 0 || code == BELAY_ECANCELED);
  offered++;
  accepted += code == 0;
}
static void schedule_twice(void) {
  schedule();
  schedule();
}
/* What was accepted has run, or counts as lost; what was refused has done neither. */
static void check_work(void) {
  check();
  explore_require(done + (int)(belay_lost_count() - lost_before) == accepted);
  explore_require(freed == offered);
}

/* ---- while a thread of the pool is there ---- */

static void turn(void) { uv_run(&uv, UV_RUN_NOWAIT); }
static void send_there(void *kept) {
  explore_send(kept, 1);
  explore_send(kept, 2);
}
static void let_signal(void *kept) { belay_signal_release(kept); }
static void make_adopted_with(belay_action_fn make) {
  uv_loop_init(&uv);
  make_at(belay_loop_adopt(&uv, NULL), make);
  for (int i = 0; i < 10; i++) turn();
  explore_require(subject && subscription);
  kept = belay_signal_retain(subject);
}
static void make_adopted(void) { make_adopted_with(make_there); }
static void make_timed_adopted(void) { make_adopted_with(make_timed_there); }
static void is_closed(void *ctx, const belay_open_resource *const *resources, size_t count) {
  (void)ctx, (void)resources, (void)count;
  isClosed = 1;
}
static void work_and_close(void) {
  belay_scheduler_schedule(pool, send_there, kept, let_signal, NULL);
  belay_loop_close(loop, is_closed, NULL, NULL);
  explore_turns_of(&uv, &isClosed);
}
/* The chain above is at home at the loop, the one below in the pool. */
static void make_observed(void) {
  make_adopted();
  belay_disposable_dispose(subscription);
  belay_disposable_release(subscription);
  for (int i = 0; i < 10; i++) turn();
  listener = (explore_listener){0};
  belay_signal_release(subject);
  belay_signal_release(kept);
  subject = belay_subject_create(NULL);
  kept = belay_signal_retain(subject);
  belay_signal *below =
      belay_signal_chain(belay_signal_retain(subject), belay_op_observe_on(pool, NULL));
  explore_subscribe(below, &listener, &subscription);
  belay_signal_release(below);
  for (int i = 0; i < 10; i++) turn();
}
static void send_and_dispose_sync(void) {
  explore_send(subject, 1);
  dispose_sync();
  belay_loop_close(loop, is_closed, NULL, NULL);
  explore_turns_of(&uv, &isClosed);
}
/* The pool's thread may just have taken its last message, and does not look for another. */
static void work_and_dispose_sync(void) {
  belay_scheduler_schedule(pool, nothing, NULL, NULL, NULL);
  dispose_sync();
  belay_loop_close(loop, is_closed, NULL, NULL);
  explore_turns_of(&uv, &isClosed);
}
/* Refused work shows that nothing more begins. */
static void try_there(void *ctx) {
  (void)ctx;
  wasRefused = belay_scheduler_schedule(pool, nothing, NULL, NULL, NULL) == BELAY_ECANCELED;
}
static void begin_there(void *ctx) {
  (void)ctx;
  explore_require(!wasRefused);
}
static void work_twice_and_close(void) {
  belay_scheduler_schedule(pool, try_there, NULL, NULL, NULL);
  belay_scheduler_schedule(pool, begin_there, NULL, NULL, NULL);
  /* without it the work would never run, and no word would be known to be contended */
  explore_point();
  belay_loop_close(loop, is_closed, NULL, NULL);
  explore_turns_of(&uv, &isClosed);
}
/* The thread's record is made here, for not every schedule has work for it. */
static void begin_pool(void) { belay_last_error(); }
static void run_pool(void) { explore_pool(&isClosed); }
static void let_go_adopted(void) {
  let_go();
  turn();
  explore_require(uv_loop_close(&uv) == 0);
}

/* The same for a scenario in which nobody got the second reference to the subject. */
static void drop_adopted(void) {
  belay_signal_release(kept);
  let_go_adopted();
}

#define BESIDE_CLOSE(make, name, act) \
  {"strand: close x " name, {{make, close_loop, let_go}, {NULL, act, NULL}}, check, 0}
#define BESIDE_WORK(make, name, act)                                                    \
  {"strand: close x work there x " name,                                                \
   {{make, work_and_close, let_go_adopted}, {begin_pool, run_pool, NULL}, {NULL, act, NULL}}, \
   check,                                                                               \
   0}

const explore_scenario explore_strands[] = {
    BESIDE_CLOSE(make, "dispose from elsewhere", dispose),
    BESIDE_CLOSE(make, "dispose_sync from elsewhere", dispose_sync),
    BESIDE_CLOSE(make, "send from elsewhere", send_and_end),
    BESIDE_CLOSE(make, "last release from elsewhere", release_subject),
    {"strand: close x work from elsewhere",
     {{make, close_loop, let_go}, {NULL, schedule_twice, NULL}}, check_work, 0},
    {"strand: close x work from two threads",
     {{make, close_loop, let_go}, {NULL, schedule, NULL}, {NULL, schedule, NULL}}, check_work, 0},
    BESIDE_CLOSE(make_timed, "dispose of what waits for a time", dispose),
    BESIDE_WORK(make_adopted, "dispose from elsewhere", dispose),
    BESIDE_WORK(make_adopted, "dispose_sync from elsewhere", dispose_sync),
    BESIDE_WORK(make_adopted, "send from elsewhere", send_and_end),
    BESIDE_WORK(make_adopted, "last release from elsewhere", release_subject),
    {"strand: observed there x dispose_sync on its loop's thread",
     {{make_observed, send_and_dispose_sync, drop_adopted}, {begin_pool, run_pool, NULL}}, check, 0},
    {"strand: work there x dispose_sync on its loop's thread",
     {{make_adopted, work_and_dispose_sync, drop_adopted}, {begin_pool, run_pool, NULL}}, check, 0},
    {"strand: close x work there, more work there",
     {{make_adopted, work_twice_and_close, drop_adopted}, {begin_pool, run_pool, NULL}}, check, 0},
    BESIDE_WORK(make_timed_adopted, "dispose of what waits for a time", dispose),
    {0},
};
