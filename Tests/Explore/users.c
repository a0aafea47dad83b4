/* Users that leave a loop that others keep, beside what comes from other threads. */
#include <signal.h>

#include "explore.h"

static belay_loop *one, *two, *mine;
static belay_scheduler *scheduler, *pool;
static belay_signal *subject;
static belay_disposable *subscription;
static belay_recursion *recursion;
static explore_listener listener;
static int hasLeft, isDone, hasEnded, answer, freed, runs, home;

static void nothing(void *ctx) { (void)ctx; }
static void count_free(void *ctx) {
  (void)ctx;
  freed++;
}
static void quietly(void *ctx, const belay_open_resource *const *resources, size_t count) {
  (void)ctx, (void)resources, (void)count;
}
static void make(void) {
  belay_loop_options options = {.size = sizeof options, .quiet = 1};
  listener = (explore_listener){0};
  hasLeft = isDone = hasEnded = answer = freed = runs = 0;
  subject = NULL;
  subscription = NULL;
  recursion = NULL;
  home = explore_number();
  one = belay_loop_create(&options);
  two = belay_loop_create(&options);
  scheduler = belay_scheduler_retain(belay_loop_get_scheduler(one));
  pool = belay_scheduler_create_pool(one);
}
/* The other user's turns go on. */
static void leave(void) {
  belay_loop_close(one, quietly, NULL, NULL);
  hasLeft = 1;
  explore_turns_until(two, &isDone);
  explore_settle(two);
}
static void let_go(void) {
  belay_scheduler_release(scheduler);
  belay_scheduler_release(pool);
  belay_loop_release(one);
  explore_close(two);
}
static void let_both_go(void) {
  belay_disposable_release(subscription);
  belay_signal_release(subject);
  let_go();
}
static void check(void) { explore_all_over(&listener, 1); }

/* ---- its pool, which is idle when it leaves ---- */

static void make_source(void) {
  make();
  subject = explore_shared_subject();
}
static void observe_there(void) {
  belay_signal *there =
      belay_signal_chain(belay_signal_retain(subject), belay_op_observe_on(pool, NULL));
  explore_await(&hasLeft);
  explore_require(explore_subscribe(there, &listener, &subscription) >= 0);
  belay_signal_release(there);
  explore_send(subject, 1);
  answer = belay_disposable_dispose_sync(subscription, -1);
  explore_require(answer == 0 && listener.inside == 0 && listener.frees == 1);
  isDone = 1;
}
static void close_both(void) {
  belay_loop_close(one, quietly, NULL, NULL);
  belay_loop_close(two, quietly, NULL, NULL);
}
static void close_slowly(void) {
  explore_turn(two);
  close_both();
}
static void observe_anyhow(void) {
  belay_signal *there =
      belay_signal_chain(belay_signal_retain(subject), belay_op_observe_on(pool, NULL));
  answer = explore_subscribe(there, &listener, &subscription);
  belay_signal_release(there);
  explore_send(subject, 1);
  isDone = 1;
}
static void dispose_observed(void) {
  explore_await(&isDone);
  if (answer < 0) return;
  belay_disposable_dispose_sync(subscription, -1);
  explore_require(listener.inside == 0 && listener.frees == 1);
}
static void let_closed_go(void) {
  belay_disposable_release(subscription);
  belay_signal_release(subject);
  belay_scheduler_release(scheduler);
  belay_scheduler_release(pool);
  belay_loop_release(one);
  belay_loop_release(two);
}
static void check_maybe(void) {
  explore_require(listener.frees == 1 && listener.disposals == (answer >= 0));
}
static void give_pool_work(void) {
  answer = belay_scheduler_schedule(pool, nothing, NULL, count_free, NULL);
  explore_require(answer == 0 || answer == BELAY_ECANCELED);
  isDone = 1;
}
static void give_pool_timed_work(void) {
  answer = belay_scheduler_after(pool, 1000, nothing, NULL, count_free, NULL);
  explore_require(answer == 0 || answer == BELAY_ECANCELED);
  isDone = 1;
}
static void give_timed_work(void) {
  answer = belay_scheduler_after(scheduler, 1000, nothing, NULL, count_free, NULL);
  explore_require(answer == 0 || answer == BELAY_ECANCELED);
  isDone = 1;
}
static void check_freed(void) { explore_require(freed == 1 && "the context was freed"); }

/* ---- a recursion ---- */

static void keep(void *ctx, belay_recursion *it) {
  (void)ctx;
  if (runs++ == 0) recursion = belay_recursion_retain(it);
}
static void make_recursion(void) {
  make();
  belay_scheduler_recursive(scheduler, keep, NULL, count_free, NULL);
  explore_settle(two);
  explore_require(recursion != NULL);
}
static void ask_again(void) {
  answer = belay_recursion_again(recursion);
  explore_require(answer == 0 || answer == BELAY_ECANCELED);
  belay_recursion_release(recursion);
  isDone = 1;
}

/* ---- a pointer of the user, made while it leaves ---- */

static int destroyedAt;
static void destroy(void *ctx) {
  (void)ctx;
  freed++;
  destroyedAt = explore_number();
}
static void make_pointer(void) {
  belay_value value = belay_pointer_at(one, NULL, NULL, destroy);
  answer = belay_value_kind(value) == BELAY_KIND_POINTER;
  belay_value_release(value);
  belay_last_error();
  isDone = 1;
}
static void check_destroyed(void) {
  explore_require(freed == 1 && "it was destroyed");
  explore_require((!answer || destroyedAt == home) && "at its home");
}

/* ---- a loop that no thread has ---- */

static void end_thread(void) {
  explore_end_thread();
  hasEnded = 1;
}
static void make_pair(void) {
  make();
  belay_scheduler_after(scheduler, 1000, nothing, NULL, count_free, NULL);
  belay_scheduler_release(scheduler);
  belay_scheduler_release(pool);
}
static void release_one(void) { belay_loop_release(one); }
static void release_one_later(void) {
  explore_await(&hasEnded);
  release_one();
}
static void bind_and_close(void) {
  explore_await(&hasEnded);
  int code = belay_loop_bind(two);
  belay_last_error();
  explore_require(code == 0 || code == BELAY_EBUSY);
  if (code == 0) {
    explore_turn(two);
    belay_loop_close(two, quietly, NULL, NULL);
  }
  belay_loop_release(two);
}
static void release_two_later(void) {
  explore_await(&hasEnded);
  belay_loop_release(two);
}
static void check_loops(void) {
  explore_require(freed == 1 && belay_live_count(BELAY_LIVE_LOOPS) == 0);
}

/* ---- the handle of another user ---- */

static void make_with_mine(void) {
  make_pair();
  mine = two;
}
static void look(void) {
  belay_loop *first = belay_loop_current();
  explore_require(first != NULL);
  explore_turn(two);
  belay_loop *then = belay_loop_current();
  explore_require(then == two || then == first);
}
static void let_two_go(void) {
  explore_settle(two);
  explore_require(belay_loop_current() == two);
  explore_close(two);
}

/* ---- a thread that makes it leave loses its own loop meanwhile ---- */

static void make_loop(void) { mine = belay_loop_create(NULL); }
static void release_both(void) {
  explore_await(&hasEnded);
  belay_loop_release(one);
  belay_loop_release(two);
  isDone = 1;
}
static void bind_mine(void) {
  explore_await(&hasEnded);
  explore_require(belay_loop_bind(mine) == 0);
  explore_await(&isDone);
  explore_require(belay_loop_alive(mine) >= 0);
}
static void close_bound(void) {
  explore_settle(mine);
  explore_close(mine);
}

/* ---- a source of another loop's, which closes ---- */

static void make_signals(void) {
  make_pair();
  explore_close_in_use(one);
  subject = belay_posix_signal(two, SIGUSR1);
}
static void turn_and_close(void) {
  explore_turn(two);
  belay_loop_close(two, quietly, NULL, NULL);
  hasLeft = 1;
}
static void make_mine(void) { mine = belay_loop_create(NULL); }
static void hear_signals(void) {
  answer = explore_subscribe(subject, &listener, &subscription);
  explore_await(&hasLeft);
  explore_settle(mine);
  explore_require((answer < 0 || listener.disposals == 1) && "the close has interrupted it");
}
static void hear_and_dispose(void) {
  answer = explore_subscribe(subject, &listener, &subscription);
  belay_disposable_dispose(subscription);
  explore_await(&hasLeft);
}
static void close_mine(void) {
  belay_disposable_release(subscription);
  explore_settle(mine);
  explore_close(mine);
}
static void let_signals_go(void) {
  belay_signal_release(subject);
  belay_loop_release(two);
}

const explore_scenario explore_users[] = {
    {"user: leaves x observed at its idle pool",
     {{make_source, leave, let_both_go}, {NULL, observe_there, NULL}},
     check,
     0},
    {"user: close x observed at an idle pool",
     {{make_source, close_slowly, let_closed_go},
      {NULL, observe_anyhow, NULL},
      {NULL, dispose_observed, NULL}},
     check_maybe,
     0},
    {"user: leaves x work for its idle pool",
     {{make, leave, let_go}, {NULL, give_pool_work, NULL}},
     check_freed,
     0},
    {"user: leaves x work with a time for its pool",
     {{make, leave, let_go}, {NULL, give_pool_timed_work, NULL}},
     check_freed,
     0},
    {"user: leaves x work with a time",
     {{make, leave, let_go}, {NULL, give_timed_work, NULL}},
     check_freed,
     0},
    {"user: leaves x its recursion asks again",
     {{make_recursion, leave, let_go}, {NULL, ask_again, NULL}},
     check_freed,
     0},
    {"user: leaves x a pointer at its loop",
     {{make, leave, let_go}, {NULL, make_pointer, NULL}},
     check_destroyed,
     0},
    {"user: its thread ends x last release elsewhere",
     {{make_pair, end_thread, NULL}, {NULL, release_one, NULL}, {NULL, release_two_later, NULL}},
     check_loops,
     0},
    {"user: last release of a loop without a thread x bind and close",
     {{make_pair, end_thread, NULL}, {NULL, release_one_later, NULL}, {NULL, bind_and_close, NULL}},
     check_loops,
     0},
    {"user: last release elsewhere x current",
     {{make_with_mine, look, let_two_go}, {NULL, release_one, NULL}},
     check_freed,
     explore_counts},
    {"user: last release of a loop without a thread x bind of the thread's own",
     {{make_pair, end_thread, NULL},
      {make_loop, release_both, NULL},
      {NULL, bind_mine, close_bound}},
     check_freed,
     0},
    {"user: close x subscribed to its source elsewhere",
     {{make_signals, turn_and_close, let_signals_go}, {make_mine, hear_signals, close_mine}},
     check,
     0},
    {"user: close x subscribed to its source elsewhere and disposed of",
     {{make_signals, turn_and_close, let_signals_go}, {make_mine, hear_and_dispose, close_mine}},
     check,
     0},
    {0},
};
