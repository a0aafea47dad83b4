/* Loops: making, binding, running, stopping, adopting. */
#include "cases.h"

#include <uv.h>

static belay_disposable *far_timer(belay_loop *loop) {
  belay_disposable *timer = NULL;
  CHECK_INT(belay_scheduler_after(belay_loop_get_scheduler(loop), 100000, empty_action, NULL, NULL,
                                  &timer),
            0);
  return timer;
}

/* ---- making and binding ---- */

static void rule_1_2_create_binds_the_thread(void) {
  CHECK(belay_loop_current() == NULL);
  belay_loop *loop = open_loop();
  CHECK(belay_loop_current() == loop);
  CHECK_INT(belay_scheduler_after(belay_scheduler_current(), 0, trace_action, "at it", NULL, NULL),
            0);
  run_to_end(loop);
  CHECK_TRACE("action at it");
  close_loop(loop);
  CHECK(belay_loop_current() == NULL);
  CHECK(belay_scheduler_current() == NULL);
  close_loop(open_loop());
}

static void rule_1_2_second_loop_on_a_thread(void) {
  belay_loop *loop = open_loop();
  uv_loop_t uv;
  belay_loop *again = belay_loop_create(NULL);
  CHECK(again != NULL && again != loop);
  CHECK(belay_loop_uv(again) == belay_loop_uv(loop));
  close_loop(again);
  CHECK_INT(uv_loop_init(&uv), 0);
  CHECK(belay_loop_adopt(&uv, NULL) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EBOUND);
  CHECK_INT(uv_loop_close(&uv), 0);
  CHECK(belay_loop_current() == loop);
  close_loop(loop);
}

static void run_elsewhere(void *argument) {
  belay_loop *loop = argument;
  CHECK(belay_loop_current() == NULL);
  CHECK_INT(belay_loop_bind(loop), 0);
  CHECK(belay_loop_current() == loop);
  CHECK_INT(belay_loop_post(loop, trace_action, "elsewhere", NULL), 0);
  run_to_end(loop);
}

static void bind_moves_a_loop(void) {
  belay_loop *loop = open_loop();
  in_thread(run_elsewhere, loop);
  CHECK_TRACE("action elsewhere");
  CHECK(belay_loop_current() == NULL);
  CHECK_INT(belay_loop_bind(loop), 0);
  CHECK_INT(belay_loop_bind(loop), 0);
  CHECK(belay_loop_current() == loop);
  close_loop(loop);
}

static void bind_here(void *loop) { CHECK_FAILS(belay_loop_bind(loop), BELAY_EBOUND); }

static void bind_with_a_loop_of_its_own(void *other) {
  belay_loop *own = open_loop();
  bind_here(other);
  CHECK(belay_loop_current() == own);
  close_loop(own);
}

static void bind_of_a_thread_that_has_one(void) {
  belay_loop *loop = open_loop();
  in_thread(bind_with_a_loop_of_its_own, loop);
  CHECK(belay_loop_current() == loop);
  close_loop(loop);
}

static void bind_busy(void *loop) {
  CHECK_FAILS(belay_loop_bind(loop), BELAY_EBUSY);
  CHECK(belay_loop_current() == NULL);
}

static void bind_in_thread(void *loop) { in_thread(bind_busy, loop); }

static void bind_of_a_running_loop(void) {
  belay_loop *loop = open_loop();
  CHECK_INT(belay_loop_post(loop, bind_in_thread, loop, NULL), 0);
  run_to_end(loop);
  close_loop(loop);
}

static void ask_elsewhere(void *argument) {
  belay_loop *loop = argument;
  int freed = 0;
  CHECK_FAILS(belay_loop_alive(loop), BELAY_EWRONGTHREAD);
  CHECK_FAILS(belay_loop_backend_fd(loop), BELAY_EWRONGTHREAD);
  CHECK_FAILS(belay_loop_fd(loop), BELAY_EWRONGTHREAD);
  CHECK_FAILS(belay_loop_close(loop, NULL, &freed, count_free), BELAY_EWRONGTHREAD);
  CHECK_INT(freed, 1);
  CHECK_FAILS(belay_loop_on_unhandled_error(loop, NULL, &freed, count_free), BELAY_EWRONGTHREAD);
  CHECK_INT(freed, 2);
}

static void rule_1_2_elsewhere_is_the_wrong_thread(void) {
  belay_loop *loop = open_loop();
  in_thread(ask_elsewhere, loop);
  CHECK_INT(belay_loop_alive(loop), 0);
  close_loop(loop);
}

/* ---- running ---- */

static void run_with_nothing_to_do(void) {
  belay_loop *loop = open_loop();
  CHECK_INT(belay_loop_run(loop, BELAY_RUN_DEFAULT), 0);
  CHECK_INT(belay_loop_run(loop, BELAY_RUN_ONCE), 0);
  CHECK_INT(belay_loop_run(loop, BELAY_RUN_NOWAIT), 0);
  close_loop(loop);
}

static void run_modes(void) {
  belay_loop *loop = open_loop();
  belay_disposable *timer = far_timer(loop);
  CHECK_INT(belay_loop_run(loop, BELAY_RUN_NOWAIT), 1);
  CHECK_INT(belay_loop_post(loop, trace_action, "once", NULL), 0);
  CHECK_INT(belay_loop_run(loop, BELAY_RUN_ONCE), 1);
  CHECK_TRACE("action once");
  belay_disposable_dispose(timer);
  CHECK_INT(belay_loop_post(loop, trace_action, "default", NULL), 0);
  CHECK_INT(belay_loop_run(loop, BELAY_RUN_DEFAULT), 0);
  CHECK_TRACE("action default");
  belay_disposable_release(timer);
  close_loop(loop);
}

static void post_then_stop(void *loop) {
  CHECK_INT(belay_loop_post(loop, trace_action, "from a thread", NULL), 0);
  CHECK_INT(belay_loop_post(loop, stop_loop, loop, NULL), 0);
}

static void a_persistent_loop_waits_for_other_threads(void) {
  belay_loop_options options = {.size = sizeof options, .persistent = 1};
  belay_loop *loop = belay_loop_create(&options);
  routine it;
  CHECK_INT(belay_loop_alive(loop), 1);
  start_thread(&it, post_then_stop, loop);
  CHECK_INT(belay_loop_run(loop, BELAY_RUN_DEFAULT), 1);
  join_thread(&it);
  CHECK_TRACE("action from a thread");
  CHECK_INT(belay_loop_run(loop, BELAY_RUN_NOWAIT), 1);
  close_loop(loop);
}

static void run_of_an_unknown_mode(void) {
  belay_loop *loop = open_loop();
  CHECK_FAILS(belay_loop_run(loop, (belay_run_mode)7), BELAY_EINVAL);
  CHECK_FAILS(belay_loop_run(loop, (belay_run_mode)-1), BELAY_EINVAL);
  close_loop(loop);
}

static void run_elsewhere_too(void *loop) {
  CHECK_FAILS(belay_loop_run(loop, BELAY_RUN_NOWAIT), BELAY_EBUSY);
  trace("refused elsewhere");
}

static void run_again(void *loop) {
  CHECK_INT(belay_loop_post(loop, trace_action, "inside", NULL), 0);
  CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  in_thread(run_elsewhere_too, loop);
}

static void run_inside_run(void) {
  belay_loop *loop = open_loop();
  CHECK_INT(belay_loop_post(loop, run_again, loop, NULL), 0);
  run_to_end(loop);
  CHECK_TRACE("action inside | refused elsewhere");
  close_loop(loop);
}

static void run_after_close(void) {
  belay_loop *loop = open_loop();
  CHECK_INT(belay_loop_close(loop, NULL, NULL, NULL), 0);
  CHECK_FAILS(belay_loop_run(loop, BELAY_RUN_DEFAULT), BELAY_ECLOSED);
  belay_loop_release(loop);
}

/* ---- stopping ---- */

static void stop_from_inside(void) {
  belay_loop *loop = open_loop();
  belay_disposable *timer = far_timer(loop);
  CHECK_INT(belay_loop_post(loop, stop_loop, loop, NULL), 0);
  CHECK_INT(belay_loop_post(loop, trace_action, "same turn", NULL), 0);
  CHECK_INT(belay_loop_run(loop, BELAY_RUN_DEFAULT), 1);
  CHECK_TRACE("action same turn");
  end_subscription(timer);
  run_to_end(loop);
  close_loop(loop);
}

static void stop_in_thread(void *argument) {
  routine *it = ((void **)argument)[1];
  start_thread(it, stop_loop, ((void **)argument)[0]);
}

static void stop_from_another_thread(void) {
  belay_loop *loop = open_loop();
  belay_disposable *timer = far_timer(loop);
  routine stopper;
  void *both[] = {loop, &stopper};
  CHECK_INT(belay_loop_post(loop, stop_in_thread, both, NULL), 0);
  CHECK_INT(belay_loop_run(loop, BELAY_RUN_DEFAULT), 1);
  join_thread(&stopper);
  end_subscription(timer);
  close_loop(loop);
}

static void stop_before_run(void) {
  belay_loop *loop = open_loop();
  belay_disposable *timer = far_timer(loop);
  stop_loop(loop);
  CHECK_INT(belay_loop_run(loop, BELAY_RUN_DEFAULT), 1);
  in_thread(stop_loop, loop);
  CHECK_INT(belay_loop_run(loop, BELAY_RUN_DEFAULT), 1);
  /* Each call stopped one run. */
  end_subscription(timer);
  CHECK_INT(belay_loop_post(loop, trace_action, "later", NULL), 0);
  run_to_end(loop);
  CHECK_TRACE("action later");
  close_loop(loop);
}

/* The stop's wake-up arrives in a later run, and does not stop that one. */
static void a_stop_from_elsewhere_before_a_run_stops_that_one_alone(void) {
  belay_loop *loop = open_loop();
  belay_disposable *timer = far_timer(loop);
  in_thread(stop_loop, loop);
  CHECK_INT(belay_loop_run(loop, BELAY_RUN_DEFAULT), 1);
  end_subscription(timer);
  CHECK_INT(belay_scheduler_after(belay_loop_get_scheduler(loop), 0.002, trace_action, "timer",
                                  NULL, NULL),
            0);
  run_to_end(loop);
  CHECK_TRACE("action timer");
  close_loop(loop);
}

/* libuv counts in whole milliseconds; Belay must not wait for the rest of one a second time. */
static void a_timer_takes_one_wait(void) {
  belay_loop *loop = open_loop();
  for (int i = 0; i < 20; i++) {
    uint64_t before = belay_loop_turns(loop);
    CHECK_INT(belay_scheduler_after(belay_loop_get_scheduler(loop), 0.0015, trace_action, "", NULL,
                                    NULL),
              0);
    run_to_end(loop);
    CHECK(belay_loop_turns(loop) - before <= 2);
    CHECK_TRACE("action ");
  }
  close_loop(loop);
}

/* ---- asking ---- */

static void alive_while_something_is_waited_for(void) {
  belay_loop *loop = open_loop();
  CHECK_INT(belay_loop_alive(loop), 0);
  belay_disposable *timer = far_timer(loop);
  CHECK_INT(belay_loop_alive(loop), 1);
  end_subscription(timer);
  CHECK_INT(belay_loop_alive(loop), 0);
  CHECK_INT(belay_loop_post(loop, empty_action, NULL, NULL), 0);
  run_to_end(loop);
  CHECK_INT(belay_loop_alive(loop), 0);
  close_loop(loop);
}

static double first_now;

static void spin(void *argument) {
  belay_loop *loop = argument;
  double now = belay_loop_now(loop);
  uint64_t begin = uv_hrtime();
  while (uv_hrtime() - begin < 2000000) {}
  CHECK(belay_loop_now(loop) == now);
  CHECK(belay_scheduler_now(belay_loop_get_scheduler(loop)) == now);
  first_now = now;
  trace("spun");
}

static void look(void *loop) {
  CHECK(belay_loop_now(loop) > first_now);
  trace("later");
}

static void rule_1_2_clock_is_read_once_a_turn(void) {
  belay_loop *loop = open_loop();
  CHECK_INT(belay_loop_post(loop, spin, loop, NULL), 0);
  run_to_end(loop);
  CHECK_INT(belay_loop_post(loop, look, loop, NULL), 0);
  run_to_end(loop);
  CHECK_TRACE("spun | later");
  close_loop(loop);
}

static void turns_are_counted(void) {
  belay_loop *loop = open_loop();
  belay_disposable *timer = far_timer(loop);
  uint64_t before = belay_loop_turns(loop);
  for (int i = 1; i <= 3; i++) {
    CHECK_INT(belay_loop_run(loop, BELAY_RUN_NOWAIT), 1);
    CHECK_INT(belay_loop_turns(loop) - before, i);
  }
  end_subscription(timer);
  close_loop(loop);
}

static void null_loops(void) {
  int freed = 0;
  CHECK_FAILS(belay_loop_run(NULL, BELAY_RUN_DEFAULT), BELAY_EINVAL);
  CHECK_FAILS(belay_loop_bind(NULL), BELAY_EINVAL);
  CHECK_FAILS(belay_loop_stop(NULL), BELAY_EINVAL);
  CHECK_FAILS(belay_loop_post(NULL, empty_action, &freed, count_free), BELAY_EINVAL);
  CHECK_FAILS(belay_loop_close(NULL, NULL, &freed, count_free), BELAY_EINVAL);
  CHECK_FAILS(belay_loop_on_unhandled_error(NULL, NULL, &freed, count_free), BELAY_EINVAL);
  CHECK_INT(freed, 3);
  CHECK(belay_loop_fd(NULL) < 0);
  CHECK(belay_loop_backend_fd(NULL) < 0);
  CHECK(belay_loop_uv(NULL) == NULL);
  CHECK(belay_loop_get_scheduler(NULL) == NULL);
  CHECK(belay_loop_retain(NULL) == NULL);
  CHECK_INT(belay_loop_turns(NULL), 0);
  CHECK_INT(belay_loop_queue_high_water(NULL), 0);
  CHECK(belay_loop_alive(NULL) <= 0);
  belay_loop_now(NULL);
  belay_loop_backend_timeout(NULL);
  belay_loop_release(NULL);
  belay_last_error();
  CHECK(belay_loop_adopt(NULL, NULL) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
}

static void retained_loops_live_on(void) {
  belay_loop *loop = open_loop();
  CHECK(belay_loop_retain(loop) == loop);
  belay_loop_release(loop);
  CHECK_INT(belay_loop_post(loop, trace_action, "kept", NULL), 0);
  run_to_end(loop);
  CHECK_TRACE("action kept");
  close_loop(loop);
}

static void release_without_close(void) {
  belay_loop *loop = open_loop();
  belay_signal *subject = belay_subject_create(NULL);
  belay_observer observer = tracing("");
  CHECK_INT(belay_signal_subscribe(subject, &observer, NULL), 0);
  CHECK_INT(belay_loop_post(loop, trace_action, "dropped", trace_free), 0);
  belay_loop_release(loop);
  CHECK(strstr(trace_text(), "disposed | free") != NULL);
  CHECK(strstr(trace_text(), "free dropped") != NULL);
  CHECK(strstr(trace_text(), "action dropped") == NULL);
  CHECK(belay_loop_current() == NULL);
  belay_signal_release(subject);
}

/* ---- adopting ---- */

static int host_ticks;
static void host_tick(uv_timer_t *timer) {
  host_ticks++;
  trace("host");
}

/* Only handles of the host may be left. */
static void closed(void *ctx, const belay_open_resource *const *left, size_t count) {
  for (size_t i = 0; i < count; i++) CHECK_INT(belay_open_resource_is_foreign(left[i]), 1);
  trace("closed");
}

static void adopted_loop(void) {
  uv_loop_t uv;
  uv_timer_t timer;
  int mark = 7;
  host_ticks = 0;
  CHECK_INT(uv_loop_init(&uv), 0);
  uv.data = &mark;
  CHECK_INT(uv_timer_init(&uv, &timer), 0);
  belay_loop *loop = belay_loop_adopt(&uv, NULL);
  CHECK(loop != NULL);
  CHECK(belay_loop_current() == loop);
  CHECK(belay_loop_uv(loop) == &uv);
  /* Belay's own handles do not keep the loop alive. */
  CHECK_INT(uv_loop_alive(&uv), 0);
  CHECK_INT(uv_run(&uv, UV_RUN_DEFAULT), 0);
  CHECK_FAILS(belay_loop_run(loop, BELAY_RUN_NOWAIT), BELAY_EINVAL);
  CHECK_FAILS(belay_loop_fd(loop), BELAY_EINVAL);
  /* Timers of the host and of Belay are due in one run. */
  CHECK_INT(uv_timer_start(&timer, host_tick, 1, 0), 0);
  CHECK_INT(belay_scheduler_after(belay_loop_get_scheduler(loop), 0.05, trace_action, "belay", NULL,
                                  NULL),
            0);
  CHECK_INT(uv_run(&uv, UV_RUN_DEFAULT), 0);
  CHECK_TRACE("host | action belay");
  CHECK_INT(belay_loop_post(loop, trace_action, "post", NULL), 0);
  CHECK_INT(uv_timer_start(&timer, host_tick, 1000000, 0), 0);
  CHECK(uv_run(&uv, UV_RUN_NOWAIT) != 0);
  CHECK_TRACE("action post");
  uv_close((uv_handle_t *)&timer, NULL);
  CHECK_INT(belay_loop_close(loop, closed, "close", trace_free), 0);
  CHECK_TRACE("closed | free close");
  belay_loop_release(loop);
  CHECK_INT(uv_run(&uv, UV_RUN_DEFAULT), 0);
  CHECK(uv.data == &mark);
  CHECK_INT(uv_loop_close(&uv), 0);
}

static void adopted_loop_outlived_by_the_host(void) {
  uv_loop_t uv;
  uv_timer_t timer;
  CHECK_INT(uv_loop_init(&uv), 0);
  CHECK_INT(uv_timer_init(&uv, &timer), 0);
  belay_loop *loop = belay_loop_adopt(&uv, NULL);
  CHECK_INT(belay_loop_close(loop, closed, NULL, NULL), 0);
  CHECK_TRACE("closed");
  CHECK_INT(uv_run(&uv, UV_RUN_DEFAULT), 0);
  belay_loop_release(loop);
  CHECK(belay_loop_current() == NULL);
  host_ticks = 0;
  CHECK_INT(uv_timer_start(&timer, host_tick, 1, 0), 0);
  CHECK_INT(uv_run(&uv, UV_RUN_DEFAULT), 0);
  CHECK_INT(host_ticks, 1);
  uv_close((uv_handle_t *)&timer, NULL);
  CHECK_INT(uv_run(&uv, UV_RUN_DEFAULT), 0);
  CHECK_INT(uv_loop_close(&uv), 0);
}

static void adopted_posts_from_a_thread(void *loop) {
  CHECK_INT(belay_loop_post(loop, trace_action, "from a thread", NULL), 0);
}

static void adopted_loop_hears_other_threads(void) {
  uv_loop_t uv;
  CHECK_INT(uv_loop_init(&uv), 0);
  belay_loop *loop = belay_loop_adopt(&uv, NULL);
  belay_disposable *timer = far_timer(loop);
  CHECK_INT(uv_loop_alive(&uv) != 0, 1);
  in_thread(adopted_posts_from_a_thread, loop);
  CHECK(uv_run(&uv, UV_RUN_ONCE) != 0);
  CHECK_TRACE("action from a thread");
  end_subscription(timer);
  CHECK_INT(belay_loop_close(loop, closed, NULL, NULL), 0);
  CHECK_INT(uv_run(&uv, UV_RUN_DEFAULT), 0);
  CHECK_TRACE("closed");
  belay_loop_release(loop);
  CHECK_INT(uv_loop_close(&uv), 0);
}

static const test_case cases[] = {
    CASE(rule_1_2_create_binds_the_thread),
    CASE(rule_1_2_second_loop_on_a_thread),
    CASE(bind_moves_a_loop),
    CASE(bind_of_a_thread_that_has_one),
    CASE(bind_of_a_running_loop),
    CASE(rule_1_2_elsewhere_is_the_wrong_thread),
    CASE(run_with_nothing_to_do),
    CASE(run_modes),
    CASE(a_persistent_loop_waits_for_other_threads),
    CASE(run_of_an_unknown_mode),
    CASE(run_inside_run),
    CASE(run_after_close),
    CASE(stop_from_inside),
    CASE(stop_from_another_thread),
    CASE(stop_before_run),
    CASE(a_stop_from_elsewhere_before_a_run_stops_that_one_alone),
    CASE(a_timer_takes_one_wait),
    CASE(alive_while_something_is_waited_for),
    CASE(rule_1_2_clock_is_read_once_a_turn),
    CASE(turns_are_counted),
    CASE(null_loops),
    CASE(retained_loops_live_on),
    CASE(release_without_close),
    CASE(adopted_loop),
    CASE(adopted_loop_outlived_by_the_host),
    CASE(adopted_loop_hears_other_threads),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
