/* A loop that the host drives with poll(): by the backend's descriptor and timeout, or by the one
   descriptor alone, which an edge-triggered epoll may watch, too. Wake-ups are counted; times are not looked at. */
#include "cases.h"

#include <math.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <unistd.h>
#include <uv.h>

static belay_loop *loop;
static belay_scheduler *scheduler;
static int wake_ups;
static int edges = -1; /* an epoll that tells of changes only */

static void begin(void) {
  loop = open_loop();
  scheduler = belay_loop_get_scheduler(loop);
  wake_ups = 0;
}

static void end(void) {
  close_loop(loop);
  if (edges >= 0) close(edges);
  edges = -1;
}

enum { GUARD = 60000 }; /* milliseconds; never reached */

static int milliseconds(double seconds) {
  if (seconds < 0) return GUARD;
  double up = ceil(seconds * 1000);
  return up < GUARD ? (int)up : GUARD;
}

/* ---- three ways to drive: each waits once, then runs without waiting ---- */

static void turn_by_timeout(void) {
  struct pollfd entry = {.fd = belay_loop_backend_fd(loop), .events = POLLIN};
  double timeout = belay_loop_backend_timeout(loop);
  int ready = poll(&entry, 1, milliseconds(timeout));
  if (ready == 0 && timeout < 0) check_failed(__FILE__, __LINE__, "nothing has come");
  wake_ups++;
  CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
}

static void turn_by_descriptor(void) {
  struct pollfd entry = {.fd = belay_loop_fd(loop), .events = POLLIN};
  if (poll(&entry, 1, GUARD) != 1) check_failed(__FILE__, __LINE__, "nothing has come");
  wake_ups++;
  CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
}

static void turn_by_edges(void) {
  struct epoll_event event = {.events = EPOLLIN | EPOLLET};
  if (edges < 0) {
    edges = epoll_create1(EPOLL_CLOEXEC);
    CHECK_INT(epoll_ctl(edges, EPOLL_CTL_ADD, belay_loop_fd(loop), &event), 0);
  }
  if (epoll_wait(edges, &event, 1, GUARD) != 1) check_failed(__FILE__, __LINE__, "nothing has come");
  wake_ups++;
  CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
}

static void (*const ways[])(void) = {turn_by_timeout, turn_by_descriptor, turn_by_edges};
static void (*turn)(void);

/* Drives until the trace is this, or so many wake-ups have passed that it never will be. */
static void drive_until(const char *expected, int most) {
  wake_ups = 0;
  while (strcmp(trace_text(), expected) != 0 && wake_ups < most) turn();
  if (wake_ups > most) CHECK_INT(wake_ups, most);
  CHECK_TRACE(expected);
}

/* Both ways say that there is nothing to do. */
static void check_idle(void) {
  struct pollfd entries[] = {{.fd = belay_loop_fd(loop), .events = POLLIN},
                             {.fd = belay_loop_backend_fd(loop), .events = POLLIN}};
  /* libuv may take a turn to notice what was armed or written last. */
  for (int i = 0; i < 3 && (poll(entries, 2, 0) != 0 || belay_loop_backend_timeout(loop) == 0); i++)
    CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  CHECK_INT(poll(entries, 1, 0), 0);
  CHECK_INT(poll(entries + 1, 1, 0), 0);
  CHECK(belay_loop_backend_timeout(loop) != 0);
}

static void each_way(void (*play)(void)) {
  for (int i = 0; i < 3; i++) {
    begin();
    turn = ways[i];
    play();
    check_idle();
    run_to_end(loop);
    end();
  }
}

/* ---- nothing to do ---- */

static void nothing_to_wait_for(void) {
  begin();
  check_idle();
  CHECK(belay_loop_backend_timeout(loop) < 0);
  belay_disposable *timer = NULL;
  CHECK_INT(belay_scheduler_after(scheduler, 1000, empty_action, NULL, NULL, &timer), 0);
  CHECK(belay_loop_backend_timeout(loop) >= 0);
  check_idle();
  CHECK(belay_loop_backend_timeout(loop) > 0);
  end_subscription(timer);
  check_idle();
  CHECK(belay_loop_backend_timeout(loop) < 0);
  CHECK_INT(belay_loop_fd(loop), belay_loop_fd(loop));
  end();
}

static void posted_before_the_descriptor_was_asked_for(void) {
  begin();
  turn = turn_by_descriptor;
  CHECK_INT(belay_loop_post(loop, trace_action, "post", NULL), 0);
  drive_until("action post", 2);
  CHECK_INT(belay_scheduler_after(scheduler, 0, trace_action, "timer", NULL, NULL), 0);
  drive_until("action timer", 3);
  check_idle();
  end();
}

/* ---- timers ---- */

static void arm_three(void) {
  CHECK_INT(belay_scheduler_after(scheduler, 0.006, trace_action, "3", NULL, NULL), 0);
  CHECK_INT(belay_scheduler_after(scheduler, 0.002, trace_action, "1", NULL, NULL), 0);
  CHECK_INT(belay_scheduler_after(scheduler, 0.004, trace_action, "2", NULL, NULL), 0);
}

static void play_timers(void) {
  arm_at_once(loop, arm_three);
  /* A wake-up for each timer, one for the arming, and a few for rounding. */
  drive_until("action 1 | action 2 | action 3", 10);
}
static void timers(void) { each_way(play_timers); }

static void arm_more(void *ctx) {
  trace("armed");
  CHECK_INT(belay_scheduler_after(scheduler, 0.001, trace_action, "more", NULL, NULL), 0);
}

static void play_nested_timers(void) {
  CHECK_INT(belay_scheduler_after(scheduler, 0.001, arm_more, NULL, NULL, NULL), 0);
  drive_until("armed | action more", 8);
}
static void timers_armed_by_timers(void) { each_way(play_nested_timers); }

static void play_earlier_timer(void) {
  belay_disposable *far = NULL;
  CHECK_INT(belay_scheduler_after(scheduler, 1000, empty_action, NULL, NULL, &far), 0);
  check_idle();
  /* Armed outside a run, and due before the timer that is waited for. */
  CHECK_INT(belay_scheduler_after(scheduler, 0.001, trace_action, "near", NULL, NULL), 0);
  drive_until("action near", 5);
  end_subscription(far);
}
static void an_earlier_timer_armed_outside_a_run(void) { each_way(play_earlier_timer); }

static void play_disposed_timer(void) {
  belay_disposable *near = NULL, *far = NULL;
  CHECK_INT(belay_scheduler_after(scheduler, 0.001, trace_action, "near", NULL, &near), 0);
  CHECK_INT(belay_scheduler_after(scheduler, 1000, empty_action, NULL, NULL, &far), 0);
  end_subscription(near);
  check_idle();
  /* Its time passes. */
  struct pollfd entry = {.fd = belay_loop_fd(loop), .events = POLLIN};
  usleep(5000);
  if (poll(&entry, 1, 0) == 1) CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  CHECK_INT(poll(&entry, 1, 0), 0);
  CHECK_TRACE("");
  end_subscription(far);
}
static void a_disposed_timer_wakes_once_at_most(void) { each_way(play_disposed_timer); }

static void play_ticks(void) {
  watch(belay_signal_chain(belay_ticks(loop, BELAY_TICK_IDLE), belay_op_take(4)), "");
  drive_until("next 0 | next 1 | next 2 | next 3 | completed | disposed | free", 8);
}
static void a_loop_that_always_has_something_to_do(void) { each_way(play_ticks); }

static void play_interval(void) {
  watch(belay_signal_chain(belay_signal_interval(scheduler, 0.002), belay_op_take(10)), "");
  wake_ups = 0;
  while (!strstr(trace_text(), "free") && wake_ups < 100) turn();
  CHECK(wake_ups <= 25); /* ten ticks; twice as many wake-ups where a wait is split in two */
  CHECK_TRACE("next 0 | next 1 | next 2 | next 3 | next 4 | next 5 | next 6 | next 7 | next 8 | "
              "next 9 | completed | disposed | free");
}
static void an_interval_without_busy_wake_ups(void) { each_way(play_interval); }

/* ---- from other threads ---- */

static void post_one(void *name) { CHECK_INT(belay_loop_post(loop, trace_action, name, NULL), 0); }

static void play_posts(void) {
  belay_disposable *far = NULL;
  CHECK_INT(belay_scheduler_after(scheduler, 1000, empty_action, NULL, NULL, &far), 0);
  check_idle();
  in_thread(post_one, "a");
  in_thread(post_one, "b");
  drive_until("action a | action b", 3);
  routine it;
  start_thread(&it, post_one, "while it waits");
  drive_until("action while it waits", 3);
  join_thread(&it);
  end_subscription(far);
}
static void posts_from_a_thread(void) { each_way(play_posts); }

static void play_posts_alone(void) {
  check_idle();
  routine it;
  start_thread(&it, post_one, "alone");
  drive_until("action alone", 3);
  join_thread(&it);
}
static void posts_to_a_loop_with_nothing_else(void) { each_way(play_posts_alone); }

static void timer_from_a_thread(void *ctx) {
  CHECK_INT(belay_scheduler_after(scheduler, 0.001, trace_action, "timer", NULL, NULL), 0);
}

static void play_timer_from_a_thread(void) {
  check_idle();
  in_thread(timer_from_a_thread, NULL);
  drive_until("action timer", 6);
}
static void a_timer_from_a_thread(void) { each_way(play_timer_from_a_thread); }

static void play_own_posts(void) {
  check_idle();
  CHECK_INT(belay_loop_post(loop, trace_action, "own", NULL), 0);
  CHECK_INT(belay_scheduler_schedule(scheduler, trace_action, "work", NULL, NULL), 0);
  drive_until("action own | action work", 3);
}
static void posts_from_its_own_thread(void) { each_way(play_own_posts); }

static int reposts;
static void repost(void *ctx) {
  if (++reposts < 10) CHECK_INT(belay_loop_post(loop, repost, NULL, NULL), 0);
  else trace("ten");
}

static void play_reposts(void) {
  reposts = 0;
  CHECK_INT(belay_loop_post(loop, repost, NULL, NULL), 0);
  drive_until("ten", 12);
}
static void posts_that_post(void) { each_way(play_reposts); }

/* ---- sources armed outside a run ---- */

static void play_signal(void) {
  check_idle();
  watch(belay_signal_chain(belay_posix_signal(loop, 10), belay_op_take(1)), "");
  CHECK_INT(raise(10), 0);
  drive_until("next 10 | completed | disposed | free", 5);
}
static void a_signal_armed_outside_a_run(void) { each_way(play_signal); }

static void play_file(void) {
  char path[] = "/tmp/belay-host-XXXXXX";
  int file = mkstemp(path);
  CHECK_INT(write(file, "one\n", 4), 4);
  close(file);
  check_idle();
  watch(belay_signal_chain(belay_file_lines(loop, path, BELAY_FILE_FOLLOW), belay_op_take(1)), "");
  wake_ups = 0;
  while (!strstr(trace_text(), "free") && wake_ups < 100) turn();
  CHECK(wake_ups <= 20);
  CHECK_TRACE("next one | completed | disposed | free");
  unlink(path);
}
static void a_file_armed_outside_a_run(void) { each_way(play_file); }

/* The program's own, by libuv. */
static void trace_uv(uv_timer_t *timer) { trace("uv"); }
static void play_own_handle(void) {
  static uv_timer_t timer;
  check_idle();
  CHECK_INT(uv_timer_init(belay_loop_uv(loop), &timer), 0);
  CHECK_INT(uv_timer_start(&timer, trace_uv, 1, 0), 0);
  CHECK(belay_loop_fd(loop) >= 0);
  drive_until("uv", 5);
  uv_close((uv_handle_t *)&timer, NULL);
  CHECK(belay_loop_fd(loop) >= 0);
  turn();
}
static void a_handle_of_libuv_armed_outside_a_run(void) { each_way(play_own_handle); }

/* What is closed between turns needs one more. */
static void play_disposals(void) {
  for (int i = 0; i < 4; i++) {
    belay_disposable *subscription = watched(
        i == 0   ? belay_posix_signal(loop, 10)
        : i == 1 ? belay_wall_timer(loop, 1e12)
        : i == 2 ? belay_file_events(loop, "/etc/belay-nothing")
                 : belay_file_lines(loop, "/dev/null", BELAY_FILE_FOLLOW), "");
    for (int turns = 0; turns < 4; turns++) CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
    end_subscription(subscription);
    CHECK_TRACE("disposed | free");
    while (belay_loop_alive(loop)) turn();
  }
}
static void disposed_of_between_turns(void) { each_way(play_disposals); }

static void play_stop(void) {
  CHECK_INT(belay_loop_stop(loop), 0);
  CHECK_INT(belay_loop_post(loop, trace_action, "after a stop", NULL), 0);
  drive_until("action after a stop", 4);
}
static void a_stop_does_not_lose_work(void) { each_way(play_stop); }

/* The next turn is where the host learns of the stop. */
static void play_stop_between_turns(void) {
  check_idle();
  CHECK_INT(belay_loop_stop(loop), 0);
  turn();
}
static void a_stop_between_turns_asks_for_one(void) { each_way(play_stop_between_turns); }

static const test_case cases[] = {
    CASE(nothing_to_wait_for),
    CASE(posted_before_the_descriptor_was_asked_for),
    CASE(timers),
    CASE(timers_armed_by_timers),
    CASE(an_earlier_timer_armed_outside_a_run),
    CASE(a_disposed_timer_wakes_once_at_most),
    CASE(a_loop_that_always_has_something_to_do),
    CASE(an_interval_without_busy_wake_ups),
    CASE(posts_from_a_thread),
    CASE(posts_to_a_loop_with_nothing_else),
    CASE(a_timer_from_a_thread),
    CASE(posts_from_its_own_thread),
    CASE(posts_that_post),
    CASE(a_signal_armed_outside_a_run),
    CASE(a_file_armed_outside_a_run),
    CASE(a_handle_of_libuv_armed_outside_a_run),
    CASE(disposed_of_between_turns),
    CASE(a_stop_does_not_lose_work),
    CASE(a_stop_between_turns_asks_for_one),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
