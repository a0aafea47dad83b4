/* When a run returns: by itself, also inside of a callback, and when it is stopped. */
#include "cases.h"

#include <uv.h>

static belay_loop *loop;
static belay_scheduler *scheduler;

static void begin(const belay_loop_options *options) {
  loop = belay_loop_create(options);
  CHECK(loop != NULL);
  scheduler = belay_loop_get_scheduler(loop);
}

static void after(double seconds, belay_action_fn action, void *ctx) {
  CHECK_INT(belay_scheduler_after(scheduler, seconds, action, ctx, NULL, NULL), 0);
}

/* ---- libuv runs the loop in a callback ---- */

static void stop_uv(void *ctx) {
  check_failed(__FILE__, __LINE__, "the inner run has not returned");
  uv_stop(belay_loop_uv(loop));
}

/* The guard does not keep the loop alive. */
static void guarded(uv_timer_t *guard) { stop_uv(NULL); }
static void release_guard(uv_handle_t *guard) { trace("guard closed"); }

static void run_until_nothing_is_left(void *ctx) {
  uv_timer_t guard;
  CHECK_INT(uv_timer_init(belay_loop_uv(loop), &guard), 0);
  CHECK_INT(uv_timer_start(&guard, guarded, 60000, 0), 0);
  uv_unref((uv_handle_t *)&guard);
  CHECK_INT(belay_loop_alive(loop), 0);
  after(0.001, trace_action, "inner");
  CHECK_INT(belay_loop_alive(loop), 1);
  CHECK_INT(uv_run(belay_loop_uv(loop), UV_RUN_DEFAULT), 0);
  CHECK_INT(belay_loop_alive(loop), 0);
  uv_close((uv_handle_t *)&guard, release_guard);
  CHECK_INT(uv_run(belay_loop_uv(loop), UV_RUN_DEFAULT), 0);
  trace("returned");
}

static void by_post(void) {
  CHECK_INT(belay_loop_post(loop, run_until_nothing_is_left, NULL, NULL), 0);
}
static void by_work(void) {
  CHECK_INT(belay_scheduler_schedule(scheduler, run_until_nothing_is_left, NULL, NULL, NULL), 0);
}
static void by_timer(void) { after(0, run_until_nothing_is_left, NULL); }

static void libuv_returns_in_a_callback_when_nothing_is_left(void) {
  void (*const ways[])(void) = {by_post, by_work, by_timer};
  for (belay_run_mode mode = BELAY_RUN_DEFAULT; mode <= BELAY_RUN_NOWAIT; mode++)
    for (int i = 0; i < 3; i++) {
      begin(NULL);
      ways[i]();
      while (*trace_text() == 0) CHECK(belay_loop_run(loop, mode) >= 0);
      CHECK_INT(belay_loop_alive(loop), 0);
      CHECK_TRACE("action inner | guard closed | returned");
      close_loop(loop);
    }
}

/* A persistent user that comes in such a turn keeps the loop alive. */
static belay_loop *other;
static void come(void *ctx) {
  belay_loop_options options = {.size = sizeof options, .persistent = 1};
  CHECK((other = belay_loop_create(&options)) != NULL);
}
static void a_user_that_comes_in_a_turn_keeps_the_loop_alive(void) {
  begin(NULL);
  CHECK_INT(belay_loop_post(loop, come, NULL, NULL), 0);
  CHECK_INT(belay_loop_run(loop, BELAY_RUN_NOWAIT), 1);
  CHECK_INT(belay_loop_alive(loop), 1);
  close_loop(other);
  CHECK_INT(belay_loop_alive(loop), 0);
  close_loop(loop);
}

/* ---- the run of an adopted loop's host ---- */

static void post_more(void *ctx) {
  CHECK_INT(belay_loop_post(loop, trace_action, ctx, NULL), 0);
  CHECK_INT(belay_scheduler_schedule(scheduler, trace_action, "work of a post", NULL, NULL), 0);
}
static void a_host_runs_what_its_own_thread_has_sent(void) {
  uv_loop_t uv;
  CHECK_INT(uv_loop_init(&uv), 0);
  CHECK((loop = belay_loop_adopt(&uv, NULL)) != NULL);
  scheduler = belay_loop_get_scheduler(loop);
  CHECK_INT(uv_run(&uv, UV_RUN_DEFAULT), 0);
  for (int i = 0; i < 2; i++) {
    CHECK_INT(belay_loop_post(loop, post_more, "post of a post", NULL), 0);
    CHECK_INT(uv_run(&uv, UV_RUN_DEFAULT), 0);
    CHECK_TRACE("action post of a post | action work of a post");
    trace_clear();
    CHECK_INT(belay_scheduler_schedule(scheduler, trace_action, "work", NULL, NULL), 0);
    watch(belay_signal_chain(numbers(1, 2), belay_op_subscribe_on(scheduler)), "");
    CHECK_INT(uv_run(&uv, UV_RUN_DEFAULT), 0);
    CHECK_TRACE("action work | next 1 | next 2 | completed | disposed | free");
    trace_clear();
    CHECK_INT(belay_loop_alive(loop), 0);
  }
  close_loop(loop);
  CHECK_INT(uv_run(&uv, UV_RUN_DEFAULT), 0);
  CHECK_INT(uv_loop_close(&uv), 0);
}

/* ---- stops ---- */

static void stop_here(void) { stop_loop(loop); }
static void stop_from_a_thread(void) { in_thread(stop_loop, loop); }

static void a_stop_before_a_run_makes_it_return_at_once(void) {
  void (*const ways[])(void) = {stop_here, stop_from_a_thread};
  for (belay_run_mode mode = BELAY_RUN_DEFAULT; mode <= BELAY_RUN_NOWAIT; mode++)
    for (int i = 0; i < 2; i++) {
      begin(NULL);
      /* A run that did not return at once would wait for it. */
      belay_disposable *timer = NULL;
      CHECK_INT(belay_scheduler_after(scheduler, 60, give_up, loop, NULL, &timer), 0);
      uint64_t turns = belay_loop_turns(loop);
      ways[i]();
      CHECK_INT(belay_loop_run(loop, mode), 1);
      CHECK_INT(belay_loop_turns(loop), turns);
      /* It was for that run alone. */
      CHECK_INT(belay_loop_post(loop, trace_action, "post", NULL), 0);
      CHECK_INT(belay_loop_run(loop, BELAY_RUN_NOWAIT), 1);
      CHECK_TRACE("action post");
      end_subscription(timer);
      run_to_end(loop);
      close_loop(loop);
    }
}

static int posts;
static void post_and_stop(void *ctx) {
  if (++posts == 100) check_failed(__FILE__, __LINE__, "the stop is lost");
  if (posts < 100) CHECK_INT(belay_loop_post(loop, post_and_stop, NULL, NULL), 0);
  if (posts == 3) uv_stop(belay_loop_uv(loop));
}
static void libuv_stops_a_run_although_posts_wait(void) {
  for (int persistent = 0; persistent < 2; persistent++) {
    begin(&(belay_loop_options){.size = sizeof(belay_loop_options), .persistent = persistent});
    posts = 0;
    CHECK_INT(belay_loop_post(loop, post_and_stop, NULL, NULL), 0);
    CHECK_INT(belay_loop_run(loop, BELAY_RUN_DEFAULT), 1);
    CHECK_INT(posts, 3);
    posts = 100;
    CHECK_INT(belay_loop_run(loop, BELAY_RUN_NOWAIT), persistent);
    close_loop(loop);
  }
}

/* A stop of libuv's run inside of a callback is not for the run outside. */
static void stop_libuv(void *ctx) { uv_stop(belay_loop_uv(loop)); }
static void run_and_stop_libuv(void *ctx) {
  belay_disposable *keeps = NULL;
  CHECK_INT(belay_scheduler_after(scheduler, 60, give_up, loop, NULL, &keeps), 0);
  after(0, stop_libuv, NULL);
  CHECK_INT(uv_run(belay_loop_uv(loop), UV_RUN_DEFAULT), 1);
  end_subscription(keeps);
  CHECK_INT(belay_loop_post(loop, trace_action, "outer", NULL), 0);
}
static void libuv_stops_the_innermost_run(void) {
  begin(NULL);
  CHECK_INT(belay_loop_post(loop, run_and_stop_libuv, NULL, NULL), 0);
  CHECK_INT(belay_loop_run(loop, BELAY_RUN_DEFAULT), 0);
  CHECK_TRACE("action outer");
  close_loop(loop);
}

/* ---- a close ends the runs, although a timer of the program's goes on ---- */

static int expirations, closes_at_expiration;

static void expire(uv_timer_t *timer) {
  if (++expirations == 1000) {
    check_failed(__FILE__, __LINE__, "the run goes on");
    uv_close((uv_handle_t *)timer, NULL);
  }
  if (expirations == closes_at_expiration) CHECK_INT(belay_loop_close(loop, NULL, NULL, NULL), 0);
}
static void never(void) {}
static void close_it(void *ctx) { CHECK_INT(belay_loop_close(loop, NULL, NULL, NULL), 0); }
static void close_in_work(void) { after(0, close_it, NULL); }
static void run_inside(void *ctx) {
  after(0, close_it, NULL);
  CHECK(belay_loop_run(loop, BELAY_RUN_DEFAULT) >= 0);
  trace("inner returned");
}
static void close_in_a_run_inside(void) { after(0, run_inside, NULL); }
static void run_libuv_inside(void *ctx) {
  after(0, close_it, NULL);
  uv_run(belay_loop_uv(loop), UV_RUN_DEFAULT);
  trace("inner returned");
}
static void close_in_libuvs_run_inside(void) { after(0, run_libuv_inside, NULL); }

static void a_close_ends_the_runs(void) {
  void (*const ways[])(void) = {never, close_in_work, close_in_a_run_inside,
                                close_in_libuvs_run_inside};
  static uv_timer_t timers[4]; /* libuv's loop stays until they are closed */
  for (int i = 0; i < 4; i++) {
    begin(&(belay_loop_options){.size = sizeof(belay_loop_options), .quiet = 1});
    expirations = 0;
    closes_at_expiration = i == 0 ? 3 : -1;
    uv_loop_t *uv = belay_loop_uv(loop);
    CHECK_INT(uv_timer_init(uv, &timers[i]), 0);
    CHECK_INT(uv_timer_start(&timers[i], expire, 1, 1), 0);
    ways[i]();
    CHECK_INT(belay_loop_run(loop, BELAY_RUN_DEFAULT), 0);
    CHECK_TRACE(i < 2 ? "" : "inner returned");
    trace_clear();
    belay_loop_release(loop);
    uv_close((uv_handle_t *)&timers[i], NULL);
    CHECK_INT(uv_run(uv, UV_RUN_DEFAULT), 0);
    CHECK_INT(uv_loop_close(uv), 0);
  }
}

static const test_case cases[] = {
    CASE(libuv_returns_in_a_callback_when_nothing_is_left),
    CASE(a_user_that_comes_in_a_turn_keeps_the_loop_alive),
    CASE(a_host_runs_what_its_own_thread_has_sent),
    CASE(a_stop_before_a_run_makes_it_return_at_once),
    CASE(libuv_stops_a_run_although_posts_wait),
    CASE(libuv_stops_the_innermost_run),
    CASE(a_close_ends_the_runs),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
