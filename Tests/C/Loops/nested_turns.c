/* A turn that runs inside a callback, as a modal dialogue does: by libuv, by Belay, and by a host
   that polls. Wake-ups are counted; times are not looked at. */
#include "cases.h"

#include <poll.h>
#include <signal.h>
#include <uv.h>

static belay_loop *loop;
static belay_scheduler *scheduler;
static uv_loop_t uv;
static int is_adopted, done, ticks, wake_ups;

enum { MOST = 1000 }; /* turns; never reached */

/* ---- ways to run a turn ---- */

static void by_libuv(void) { uv_run(belay_loop_uv(loop), UV_RUN_ONCE); }
static void by_belay(void) { CHECK(belay_loop_run(loop, BELAY_RUN_ONCE) >= 0); }

static void by_descriptor(void) {
  struct pollfd entry = {.fd = belay_loop_fd(loop), .events = POLLIN};
  CHECK_INT(poll(&entry, 1, 60000), 1);
  CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
}

static void by_timeout(void) {
  struct pollfd entry = {.fd = belay_loop_backend_fd(loop), .events = POLLIN};
  double seconds = belay_loop_backend_timeout(loop);
  poll(&entry, 1, seconds < 0 ? 60000 : (int)(seconds * 1000 + 0.999));
  CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
}

static void (*const ways[])(void) = {by_libuv, by_belay, by_descriptor, by_timeout};
static void (*turn)(void);

static void until_done(void) {
  for (wake_ups = 0; !done && wake_ups < MOST; wake_ups++) turn();
  CHECK(done);
}

/* Plays on a loop of Belay's in each way, and on an adopted one that libuv runs. */
static void each_way(void (*play)(void)) {
  for (size_t i = 0; i <= sizeof ways / sizeof *ways; i++) {
    is_adopted = i == sizeof ways / sizeof *ways;
    turn = ways[is_adopted ? 0 : i];
    if (is_adopted) CHECK_INT(uv_loop_init(&uv), 0);
    loop = is_adopted ? belay_loop_adopt(&uv, NULL) : open_loop();
    scheduler = belay_loop_get_scheduler(loop);
    done = ticks = 0;
    play();
    close_loop(loop);
    if (is_adopted) {
      CHECK_INT(uv_run(&uv, UV_RUN_DEFAULT), 0);
      CHECK_INT(uv_loop_close(&uv), 0);
    }
  }
}

static void after(double seconds, belay_action_fn action, void *ctx) {
  CHECK_INT(belay_scheduler_after(scheduler, seconds, action, ctx, NULL, NULL), 0);
}

static belay_disposable *every(double seconds, belay_action_fn action) {
  belay_disposable *timer = NULL;
  CHECK_INT(belay_scheduler_every(scheduler, seconds, seconds, 0, action, NULL, NULL, &timer), 0);
  return timer;
}

/* ---- timers ---- */

static void tick(void *ctx) { ticks++; }
static void finish(void *ctx) { done = 1; }

static int inner_ticks, inner_wake_ups;
static void wait_for_finish(void *ctx) {
  ticks = done = 0;
  after(0.02, finish, NULL);
  until_done();
  inner_ticks = ticks;
  inner_wake_ups = wake_ups;
  done = 0;
}

static void play_timers(void) {
  belay_disposable *timer = every(0.002, tick);
  after(0.004, wait_for_finish, NULL);
  for (inner_wake_ups = 0; inner_wake_ups == 0;) turn();
  /* Ten ticks, but fewer on a machine that is busy, with a turn or two for each. */
  CHECK(inner_ticks >= 1);
  CHECK(inner_wake_ups <= 60);
  /* The outer turn goes on, and the timer keeps its interval. */
  ticks = 0;
  while (ticks < 3) turn();
  end_subscription(timer);
}
static void timers_go_on_in_a_turn_inside(void) { each_way(play_timers); }

/* Both timers are due in the turn in which the first one runs another turn. */
static void wait_for_others(void *ctx) {
  until_done();
  inner_ticks = ticks;
}
static void play_due_together(void) {
  after(0, wait_for_others, NULL);
  after(0, tick, NULL);
  after(0, finish, NULL);
  while (!inner_ticks) turn();
  CHECK_INT(inner_ticks, 1);
  inner_ticks = 0;
}
static void what_is_due_in_the_same_turn_comes_inside(void) {
  inner_ticks = 0;
  each_way(play_due_together);
}

static int depth, deepest, rounds;
static void dialogue(void *ctx) {
  if (++depth > deepest) deepest = depth;
  if (rounds++ == 0) {
    done = 0;
    after(0.01, finish, NULL);
    until_done();
  }
  depth--;
}

/* A periodic timer whose callback opens a dialogue is not called again inside that dialogue. */
static void play_periodic(void) {
  belay_disposable *timer = every(0.001, dialogue);
  deepest = rounds = 0;
  while (rounds < 3) turn();
  CHECK_INT(deepest, 1);
  end_subscription(timer);
  done = 0;
  after(0, finish, NULL);
  until_done();
}
static void a_periodic_timer_is_not_entered_again(void) { each_way(play_periodic); }

/* ---- messages ---- */

static belay_disposable *keeps;
static void wait_for_message(void *ctx) {
  trace("waits");
  until_done();
  trace("has waited");
}
static void message(void *ctx) {
  trace("message");
  done = 1;
}

static void play_messages(void) {
  /* It keeps libuv's run going; posts do not. */
  CHECK_INT(belay_scheduler_after(scheduler, 1000, empty_action, NULL, NULL, &keeps), 0);
  CHECK_INT(belay_loop_post(loop, wait_for_message, NULL, NULL), 0);
  CHECK_INT(belay_loop_post(loop, message, NULL, NULL), 0);
  CHECK_INT(belay_loop_post(loop, trace_action, "last", NULL), 0);
  while (!strstr(trace_text(), "has waited")) turn();
  CHECK_TRACE("waits | message | action last | has waited");
  end_subscription(keeps);
}
static void messages_of_the_same_turn_come_inside(void) { each_way(play_messages); }

static void post_from_a_thread(void *ctx) {
  CHECK_INT(belay_loop_post(loop, message, NULL, NULL), 0);
}
static void wait_for_thread(void *ctx) {
  routine it;
  start_thread(&it, post_from_a_thread, NULL);
  until_done();
  join_thread(&it);
  trace("has waited");
}
static void play_threads(void) {
  CHECK_INT(belay_scheduler_after(scheduler, 1000, empty_action, NULL, NULL, &keeps), 0);
  CHECK_INT(belay_loop_post(loop, wait_for_thread, NULL, NULL), 0);
  while (!strstr(trace_text(), "has waited")) turn();
  CHECK_TRACE("message | has waited");
  end_subscription(keeps);
}
static void other_threads_are_heard_inside(void) { each_way(play_threads); }

/* ---- subscriptions ---- */

/* A subscriber hears one event at a time: what is sent meanwhile waits. */
static belay_signal *subject;
static void send_two(void *ctx) {
  trace("sends");
  CHECK(belay_subject_next(subject, belay_int32(2)) >= 0);
  done = 1;
}
static void hear(void *ctx, belay_value value) {
  int number = int_of(value);
  trace("hears %d", number);
  if (number == 1) {
    after(0.001, send_two, NULL);
    until_done();
  }
  trace("heard %d", number);
}
static void play_subscription(void) {
  subject = belay_subject_create(NULL);
  belay_disposable *subscription = NULL;
  CHECK_INT(
      belay_signal_subscribe(
          subject, &(belay_observer){.size = sizeof(belay_observer), .next = hear}, &subscription),
      0);
  CHECK_INT(belay_subject_next(subject, belay_int32(1)), 0);
  CHECK_TRACE("hears 1 | sends | heard 1 | hears 2 | heard 2");
  end_subscription(subscription);
  belay_signal_release(subject);
}
static void a_subscriber_hears_one_event_at_a_time(void) { each_way(play_subscription); }

/* ---- stopping and closing ---- */

static void stop_inner(void *ctx) { stop_loop(loop); }
static void run_and_stop(void *ctx) {
  belay_disposable *keeps = NULL;
  CHECK_INT(belay_scheduler_after(scheduler, 1000, stop_inner, NULL, NULL, &keeps), 0);
  after(0, stop_inner, NULL);
  CHECK_INT(belay_loop_run(loop, BELAY_RUN_DEFAULT), 1);
  end_subscription(keeps);
  trace("inner stopped");
  after(0, trace_action, "outer");
}
static void a_stop_ends_the_innermost_run(void) {
  loop = open_loop();
  scheduler = belay_loop_get_scheduler(loop);
  CHECK_INT(belay_loop_post(loop, run_and_stop, NULL, NULL), 0);
  run_to_end(loop);
  CHECK_TRACE("inner stopped | action outer");
  close_loop(loop);
}

static void close_it(void *ctx) { CHECK_INT(belay_loop_close(loop, trace_closed, NULL, NULL), 0); }
static void run_and_close(void *ctx) {
  after(0, close_it, NULL);
  while (belay_loop_run(loop, BELAY_RUN_ONCE) >= 0) continue;
  trace("inner returned");
}
static void it_is_closed_inside(void) {
  loop = open_loop();
  scheduler = belay_loop_get_scheduler(loop);
  CHECK_INT(belay_scheduler_after(scheduler, 0, run_and_close, "outer", trace_free, NULL), 0);
  CHECK(belay_loop_run(loop, BELAY_RUN_DEFAULT) >= 0);
  CHECK_TRACE("inner returned | free outer | closed");
  belay_loop_release(loop);
}

/* Of an adopted loop, whose host runs the turns. */
static belay_loop *last;
static void run_the_host_and_close(void *ctx) {
  after(0, close_it, NULL);
  for (int i = 0; i < 20; i++) uv_run(&uv, UV_RUN_NOWAIT);
  trace("inner returned");
}
static void closed_inside_of_an_adopted_one(int has_other_user) {
  CHECK_INT(uv_loop_init(&uv), 0);
  last = has_other_user ? belay_loop_adopt(&uv, NULL) : NULL;
  loop = belay_loop_adopt(&uv, NULL);
  scheduler = belay_loop_get_scheduler(loop);
  CHECK_INT(belay_scheduler_after(scheduler, 0, run_the_host_and_close, "outer", trace_free, NULL),
            0);
  uv_run(&uv, UV_RUN_DEFAULT);
  CHECK_TRACE("inner returned | free outer | closed");
  if (last) close_loop(last);
  belay_loop_release(loop);
  CHECK_INT(uv_run(&uv, UV_RUN_DEFAULT), 0);
  CHECK_INT(uv_loop_close(&uv), 0);
}
static void an_adopted_one_is_closed_inside(void) { closed_inside_of_an_adopted_one(0); }
static void a_user_leaves_inside(void) { closed_inside_of_an_adopted_one(1); }

/* The user leaves in the outer callback, which goes on to run turns. */
static void close_and_run(void *ctx) {
  close_it(NULL);
  for (int i = 0; i < 20; i++) CHECK(belay_loop_run(last, BELAY_RUN_NOWAIT) >= 0);
  trace("outer returns");
}
static void close_and_run_on_event(void *ctx, belay_value value) { close_and_run(NULL); }
static void a_user_leaves_and_runs_turns(void) {
  for (int in_event = 0; in_event < 2; in_event++) {
    last = open_loop();
    loop = belay_loop_create(NULL);
    scheduler = belay_loop_get_scheduler(loop);
    belay_scheduler *others = belay_loop_get_scheduler(last);
    CHECK_INT(belay_scheduler_after(others, 1000, empty_action, NULL, NULL, &keeps), 0);
    if (in_event) {
      /* Outside of any turn. */
      subject = belay_subject_create(NULL);
      belay_observer observer = tracing("");
      observer.next = close_and_run_on_event;
      observer.loop = loop;
      CHECK_INT(belay_signal_subscribe(subject, &observer, NULL), 0);
      CHECK_INT(belay_subject_next(subject, belay_null()), 0);
      belay_signal_release(subject);
      CHECK(strstr(trace_text(), "outer returns") && !strstr(trace_text(), "closed"));
      trace_clear();
    } else {
      CHECK_INT(belay_scheduler_after(scheduler, 0, close_and_run, "outer", trace_free, NULL), 0);
    }
    /* A turn that may wait would wait for `keeps` if the action was due at its beginning. */
    while (!strstr(trace_text(), "closed")) CHECK(belay_loop_run(last, BELAY_RUN_NOWAIT) >= 0);
    CHECK_TRACE(in_event ? "closed" : "outer returns | free outer | closed");
    end_subscription(keeps);
    belay_loop_release(loop);
    close_loop(last);
  }
}

/* Both leave in a callback outside of any turn: nobody runs the loop after the last one. */
static void close_both(void *ctx, belay_value value) {
  close_it(NULL);
  CHECK_INT(belay_loop_close(last, trace_closed, NULL, NULL), 0);
}
static void begin_two(void (*next)(void *, belay_value)) {
  last = open_loop();
  loop = belay_loop_create(NULL);
  subject = belay_subject_create(NULL);
  belay_observer observer = {.size = sizeof observer, .next = next};
  CHECK_INT(belay_signal_subscribe(subject, &observer, NULL), 0);
}
static void end_two(void) {
  belay_signal_release(subject);
  belay_loop_release(loop);
  belay_loop_release(last);
}
static void all_leave_outside_of_a_turn(void) {
  begin_two(close_both);
  CHECK_INT(belay_subject_next(subject, belay_null()), 0);
  CHECK_TRACE("closed | closed");
  end_two();
}

/* The same in a run that is inside of such a callback. */
static void close_both_there(void *ctx) { close_both(NULL, belay_null()); }
static void run_and_close_both(void *ctx, belay_value value) {
  CHECK_INT(belay_loop_post(last, close_both_there, NULL, NULL), 0);
  CHECK(belay_loop_run(last, BELAY_RUN_DEFAULT) >= 0);
  trace("run returned");
}
static void all_leave_in_a_run_inside_of_a_callback(void) {
  begin_two(run_and_close_both);
  belay_subject_next(subject, belay_null());
  CHECK_TRACE("closed | closed | run returned");
  end_two();
}

static void a_signal_comes(void *ctx, belay_value value) {
  close_it(NULL);
  for (int i = 0; i < 20; i++) uv_run(&uv, UV_RUN_NOWAIT);
  trace("next returns");
}
static void it_is_closed_in_what_a_source_sends(void) {
  CHECK_INT(uv_loop_init(&uv), 0);
  loop = belay_loop_adopt(&uv, NULL);
  belay_observer observer = tracing("");
  observer.next = a_signal_comes;
  belay_signal *signals = belay_posix_signal(loop, SIGUSR1);
  CHECK_INT(belay_signal_subscribe(signals, &observer, NULL), 0);
  belay_signal_release(signals);
  CHECK_INT(raise(SIGUSR1), 0);
  uv_run(&uv, UV_RUN_DEFAULT);
  CHECK_TRACE("next returns | disposed | free | closed");
  belay_loop_release(loop);
  CHECK_INT(uv_loop_close(&uv), 0);
}

/* A stop that came before a turn inside. */
static int outer_ticks;
static void stop_and_turn(void *ctx) {
  /* It goes on long after that only where the stop was lost. */
  if (++outer_ticks == 1000) CHECK_INT(belay_loop_stop(loop), 0);
  if (outer_ticks > 1) return;
  CHECK_INT(belay_loop_stop(loop), 0);
  CHECK(belay_loop_run(loop, *(belay_run_mode *)ctx) >= 0);
}
static void a_stop_before_a_turn_inside_is_for_the_run_outside(void) {
  for (int i = 0; i < 3; i++) {
    belay_run_mode mode = (belay_run_mode[]){BELAY_RUN_DEFAULT, BELAY_RUN_ONCE, BELAY_RUN_NOWAIT}[i];
    belay_disposable *timer = NULL;
    outer_ticks = 0;
    loop = open_loop();
    CHECK_INT(belay_scheduler_every(belay_loop_get_scheduler(loop), 0, 0.001, 0, stop_and_turn, &mode,
                                    NULL, &timer), 0);
    CHECK_INT(belay_loop_run(loop, BELAY_RUN_DEFAULT), 1);
    CHECK(outer_ticks <= 2);
    end_subscription(timer);
    belay_loop_close(loop, NULL, NULL, NULL);
    belay_loop_release(loop);
  }
}

/* And the turns inside go on. */
static void stop_and_wait(void *ctx) {
  if (++outer_ticks > 1) return;
  CHECK_INT(belay_loop_stop(loop), 0);
  done = 0;
  after(0.001, finish, NULL);
  while (!done) CHECK(belay_loop_run(loop, *(belay_run_mode *)ctx) >= 0);
}
static void turns_inside_go_on_after_a_stop(void) {
  static const belay_run_mode modes[] = {BELAY_RUN_DEFAULT, BELAY_RUN_ONCE, BELAY_RUN_NOWAIT};
  for (int i = 0; i < 3; i++) {
    belay_run_mode mode = modes[i];
    outer_ticks = 0;
    loop = open_loop();
    scheduler = belay_loop_get_scheduler(loop);
    belay_disposable *timer = NULL;
    CHECK_INT(belay_scheduler_every(scheduler, 0, 0.001, 0, stop_and_wait, &mode, NULL, &timer), 0);
    CHECK_INT(belay_loop_run(loop, BELAY_RUN_DEFAULT), 1);
    CHECK(outer_ticks <= 2);
    end_subscription(timer);
    close_loop(loop);
  }
}

static const test_case cases[] = {
    CASE(timers_go_on_in_a_turn_inside),         CASE(what_is_due_in_the_same_turn_comes_inside),
    CASE(a_periodic_timer_is_not_entered_again), CASE(messages_of_the_same_turn_come_inside),
    CASE(other_threads_are_heard_inside),        CASE(a_subscriber_hears_one_event_at_a_time),
    CASE(a_stop_ends_the_innermost_run),         CASE(it_is_closed_inside),
    CASE(an_adopted_one_is_closed_inside),       CASE(a_user_leaves_inside),
    CASE(a_user_leaves_and_runs_turns),          CASE(it_is_closed_in_what_a_source_sends),
    CASE(a_stop_before_a_turn_inside_is_for_the_run_outside),
    CASE(turns_inside_go_on_after_a_stop),
    CASE(all_leave_outside_of_a_turn),           CASE(all_leave_in_a_run_inside_of_a_callback),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
