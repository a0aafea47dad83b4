/* Work that runs itself again: on every scheduler, without growing the stack. */
#include "cases.h"

static struct {
  int left, runs;
  uintptr_t low, high;
  belay_scheduler *scheduler; /* the scheduler on which it runs; NULL: any */
} depth;

static void run_once_more(void *ctx, belay_recursion *recursion) {
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  if (here < depth.low) depth.low = here;
  if (here > depth.high) depth.high = here;
  if (depth.scheduler && belay_scheduler_current() != depth.scheduler)
    check_failed(__FILE__, __LINE__, "another scheduler is the current one");
  depth.runs++;
  if (--depth.left > 0) CHECK_INT(belay_recursion_again(recursion), 0);
}

static void recurse(belay_scheduler *scheduler, int times) {
  depth.left = times;
  depth.runs = 0;
  depth.low = UINTPTR_MAX;
  depth.high = 0;
  depth.scheduler = scheduler;
  CHECK_INT(belay_scheduler_recursive(scheduler, run_once_more, "it", trace_free, NULL), 0);
}

static void check_depth(int times) {
  CHECK_INT(depth.runs, times);
  CHECK(depth.high - depth.low < 4096);
  CHECK_TRACE("free it");
}

enum { MILLION = 1000000 };

static void A3_58_a_million_times_on_the_immediate_scheduler(void) {
  recurse(belay_scheduler_immediate(), MILLION);
  check_depth(MILLION);
}

static void A3_58_a_million_times_on_the_trampoline(void) {
  recurse(belay_scheduler_trampoline(), MILLION);
  check_depth(MILLION);
}

static void A3_58_a_million_times_on_virtual_time(void) {
  belay_scheduler *scheduler = belay_scheduler_create_virtual();
  recurse(scheduler, MILLION);
  CHECK_INT(depth.runs, 0);
  CHECK_INT(belay_scheduler_advance(scheduler, 1), 0);
  check_depth(MILLION);
  belay_scheduler_release(scheduler);
}

/* Each run takes a turn of the loop, so that other work gets its turn. */
static void A3_58_on_a_loop(void) {
  belay_loop *loop = open_loop();
  recurse(belay_loop_get_scheduler(loop), MILLION / 10);
  CHECK_INT(depth.runs, 0);
  CHECK_INT(
      belay_scheduler_schedule(belay_loop_get_scheduler(loop), trace_action, "other", NULL, NULL),
      0);
  CHECK_INT(belay_loop_run(loop, BELAY_RUN_NOWAIT), 1);
  CHECK_TRACE("action other");
  CHECK(depth.runs < 10);
  run_to_end(loop);
  check_depth(MILLION / 10);
  close_loop(loop);
}

static void A3_58_a_million_times_on_a_pool(void) {
  belay_loop *loop = open_loop();
  belay_scheduler *pool = belay_scheduler_create_pool(loop);
  /* One thread does all of the runs. */
  recurse(pool, MILLION);
  run_to_end(loop);
  check_depth(MILLION);
  belay_scheduler_release(pool);
  close_loop(loop);
}

static belay_disposable *work;
static belay_recursion *kept;

static void dispose_third(void *ctx, belay_recursion *recursion) {
  trace("run %d", ++depth.runs);
  CHECK_INT(belay_recursion_again(recursion), 0);
  if (depth.runs < 3) return;
  belay_disposable_dispose(work);
  CHECK_FAILS(belay_recursion_again(recursion), BELAY_ECANCELED);
}

static void A3_23_disposed_in_one_of_its_runs(void) {
  belay_loop *loop = open_loop();
  belay_scheduler *schedulers[] = {belay_scheduler_immediate(), belay_scheduler_trampoline(),
                                   belay_loop_get_scheduler(loop)};
  for (int i = 0; i < 3; i++) {
    depth.runs = 0;
    CHECK_INT(belay_scheduler_recursive(schedulers[i], dispose_third, "it", trace_free, &work), 0);
    run_to_end(loop);
    CHECK_TRACE("run 1 | run 2 | run 3 | free it");
    CHECK_INT(belay_disposable_is_disposed(work), 1);
    belay_disposable_release(work);
  }
  close_loop(loop);
}

static void A3_23_disposed_before_it_has_run(void) {
  belay_loop *loop = open_loop();
  CHECK_INT(belay_scheduler_recursive(belay_loop_get_scheduler(loop), dispose_third, "it",
                                      trace_free, &work),
            0);
  belay_disposable_dispose(work);
  CHECK_TRACE("free it");
  belay_disposable_release(work);
  run_to_end(loop);
  CHECK_TRACE("");
  close_loop(loop);
}

static void keep(void *ctx, belay_recursion *recursion) {
  trace("run");
  if (!kept) kept = belay_recursion_retain(recursion);
}

static void later_as_long_as_somebody_has_it(void) {
  belay_loop *loop = open_loop();
  belay_scheduler *schedulers[] = {belay_scheduler_immediate(), belay_loop_get_scheduler(loop)};
  for (int i = 0; i < 2; i++) {
    CHECK_INT(belay_scheduler_recursive(schedulers[i], keep, "it", trace_free, &work), 0);
    run_to_end(loop);
    CHECK_TRACE("run");
    CHECK_INT(belay_recursion_again(kept), 0);
    run_to_end(loop);
    CHECK_TRACE("run");
    CHECK_INT(belay_disposable_is_disposed(work), 0);
    belay_recursion_release(kept);
    CHECK_TRACE("free it");
    CHECK_INT(belay_disposable_is_disposed(work), 1);
    belay_disposable_release(work);
    kept = NULL;
  }
  close_loop(loop);
}

static void again_elsewhere(void *recursion) {
  CHECK_INT(belay_recursion_again(recursion), 0);
  belay_recursion_release(recursion);
}

static void asked_for_and_let_go_on_another_thread(void) {
  belay_loop *loop = open_loop();
  CHECK_INT(belay_scheduler_recursive(belay_loop_get_scheduler(loop), keep, "it", trace_free, NULL),
            0);
  run_to_end(loop);
  in_thread(again_elsewhere, kept);
  CHECK_TRACE("run");
  run_to_end(loop);
  CHECK_TRACE("run | free it");
  kept = NULL;
  close_loop(loop);
}

static void twice(void *ctx, belay_recursion *recursion) {
  trace("run");
  if (++depth.runs > 1) return;
  CHECK_INT(belay_recursion_again(recursion), 0);
  CHECK_INT(belay_recursion_again(recursion), 0);
}

static void asking_twice_gives_two_runs(void) {
  depth.runs = 0;
  CHECK_INT(belay_scheduler_recursive(belay_scheduler_immediate(), twice, "it", trace_free, NULL),
            0);
  CHECK_TRACE("run | run | run | free it");
}

static void a_full_queue_does_not_end_it(void) {
  belay_loop_options options = {.size = sizeof options, .capacity = 1};
  belay_loop *loop = belay_loop_create(&options);
  belay_scheduler *scheduler = belay_loop_get_scheduler(loop);
  CHECK_INT(belay_scheduler_recursive(scheduler, keep, "it", trace_free, NULL), 0);
  CHECK_FAILS(belay_scheduler_recursive(scheduler, keep, "no room", trace_free, &work),
              BELAY_EAGAIN);
  CHECK(work == NULL);
  CHECK_TRACE("free no room");
  run_to_end(loop);
  CHECK_INT(belay_scheduler_schedule(scheduler, trace_action, "fills it", NULL, NULL), 0);
  CHECK_INT(belay_recursion_again(kept), 0);
  run_to_end(loop);
  CHECK_TRACE("run | action fills it | run");
  belay_recursion_release(kept);
  kept = NULL;
  CHECK_TRACE("free it");
  close_loop(loop);
}

static void ends_with_its_loop(void) {
  belay_loop *loop = open_loop();
  belay_scheduler *scheduler = belay_scheduler_retain(belay_loop_get_scheduler(loop));
  CHECK_INT(belay_scheduler_recursive(scheduler, keep, "it", trace_free, NULL), 0);
  run_to_end(loop);
  CHECK_INT(belay_recursion_again(kept), 0);
  close_loop(loop);
  CHECK_TRACE("run | free it");
  CHECK_FAILS(belay_recursion_again(kept), BELAY_ECANCELED);
  belay_recursion_release(kept);
  kept = NULL;
  CHECK_FAILS(belay_scheduler_recursive(scheduler, keep, "late", trace_free, &work),
              BELAY_ECANCELED);
  CHECK_TRACE("free late");
  belay_scheduler_release(scheduler);
}

/* ---- virtual time that goes ---- */
static void keep_it(void *kept, belay_recursion *recursion) {
  *(belay_recursion **)kept = belay_recursion_retain(recursion);
}

static void virtual_time_that_goes_takes_its_work_along(void) {
  belay_scheduler *time = belay_scheduler_create_virtual();
  belay_recursion *kept = NULL;
  belay_scheduler_recursive(time, keep_it, &kept, NULL, NULL); /* never runs */
  belay_scheduler_release(time);
  CHECK(kept == NULL);
  CHECK_INT(belay_live_count(BELAY_LIVE_DISPOSABLES), 0);

  time = belay_scheduler_create_virtual();
  belay_scheduler_recursive(time, keep_it, &kept, NULL, NULL);
  belay_scheduler_advance(time, 1);
  belay_scheduler_release(time);
  CHECK_INT(belay_recursion_again(kept), BELAY_ECANCELED);
  belay_recursion_release(kept);
  CHECK_INT(belay_live_count(BELAY_LIVE_DISPOSABLES), 0);
}

static void ignore_open(void *ctx, const belay_open_resource *const *resources, size_t count) {}
static void trace_freed_loop(void *loop) { trace("free"); }
static void close_and_ask(void *loop, belay_recursion *recursion) {
  trace("run");
  CHECK_INT(belay_loop_close(loop, ignore_open, NULL, NULL), 0);
  CHECK_FAILS(belay_recursion_again(recursion), BELAY_ECANCELED);
}
static void asked_for_when_its_loop_has_been_closed(void) {
  belay_loop *loop = open_loop();
  uint64_t lost = belay_lost_count();
  CHECK_INT(belay_scheduler_recursive(belay_loop_get_scheduler(loop), close_and_ask, loop, trace_freed_loop, NULL), 0);
  (void)belay_loop_run(loop, BELAY_RUN_DEFAULT);
  CHECK_INT(belay_lost_count() - lost, 0);
  belay_loop_release(loop);
  CHECK_TRACE("run | free");
}

/* ---- each run that was accepted runs, or is counted ---- */

static struct {
  belay_recursion *recursion;
  belay_loop *loop;
  int runs, asks, closes;
} close_to;
static void count_run(void *ctx, belay_recursion *recursion) {
  (void)ctx;
  close_to.runs++;
  if (!close_to.recursion) close_to.recursion = belay_recursion_retain(recursion);
  for (; close_to.asks > 0; close_to.asks--) CHECK_INT(belay_recursion_again(recursion), 0);
  if (close_to.closes) CHECK_INT(belay_loop_close(close_to.loop, ignore_open, NULL, NULL), 0);
}
static void begin_on_a_loop(void) {
  close_to.runs = 0;
  close_to.loop = open_loop();
  CHECK_INT(belay_scheduler_recursive(belay_loop_get_scheduler(close_to.loop), count_run, "it",
                                      trace_free, NULL),
            0);
}
static void end_with_it(void) {
  belay_loop_release(close_to.loop);
  belay_recursion_release(close_to.recursion);
  close_to.recursion = NULL;
  CHECK_TRACE("free it");
}

static void of_the_runs_that_a_close_prevents_each_is_counted(void) {
  for (int closes_inside = 0; closes_inside < 2; closes_inside++) {
    begin_on_a_loop();
    close_to.asks = 3, close_to.closes = closes_inside;
    uint64_t lost = belay_lost_count();
    if (closes_inside) (void)belay_loop_run(close_to.loop, BELAY_RUN_NOWAIT);
    else run_to_end(close_to.loop);
    CHECK_INT(close_to.runs, closes_inside ? 1 : 4);
    if (!closes_inside) {
      for (int i = 0; i < 3; i++) CHECK_INT(belay_recursion_again(close_to.recursion), 0);
      CHECK_INT(belay_loop_close(close_to.loop, ignore_open, NULL, NULL), 0);
    }
    CHECK_INT(belay_lost_count() - lost, 3);
    CHECK_FAILS(belay_recursion_again(close_to.recursion), BELAY_ECANCELED);
    CHECK_INT(belay_lost_count() - lost, 3);
    end_with_it();
  }
  close_to.closes = 0;
}

static void ask_until_refused(void *accepted) {
  int code;
  while ((code = belay_recursion_again(close_to.recursion)) == 0) ++*(int *)accepted;
  CHECK_INT(code, BELAY_ECANCELED);
}
static void so_they_are_while_other_threads_ask(void) {
  enum { threads = 3, rounds = 300 };
  for (int round = 0; round < rounds; round++) {
    routine routines[threads];
    int accepted[threads] = {0}, asked = 1;
    begin_on_a_loop();
    run_to_end(close_to.loop);
    uint64_t lost = belay_lost_count();
    for (int i = 0; i < threads; i++) start_thread(&routines[i], ask_until_refused, &accepted[i]);
    for (int i = 0; i < round % 40; i++) (void)belay_loop_run(close_to.loop, BELAY_RUN_NOWAIT);
    CHECK_INT(belay_loop_close(close_to.loop, ignore_open, NULL, NULL), 0);
    for (int i = 0; i < threads; i++) join_thread(&routines[i]), asked += accepted[i];
    CHECK_INT(close_to.runs + (int)(belay_lost_count() - lost), asked);
    end_with_it();
  }
}

static const test_case cases[] = {
    CASE(A3_58_a_million_times_on_the_immediate_scheduler),
    CASE(A3_58_a_million_times_on_the_trampoline),
    CASE(A3_58_a_million_times_on_virtual_time),
    CASE(virtual_time_that_goes_takes_its_work_along),
    CASE(A3_58_on_a_loop),
    CASE(A3_58_a_million_times_on_a_pool),
    CASE(A3_23_disposed_in_one_of_its_runs),
    CASE(A3_23_disposed_before_it_has_run),
    CASE(later_as_long_as_somebody_has_it),
    CASE(asked_for_and_let_go_on_another_thread),
    CASE(asking_twice_gives_two_runs),
    CASE(a_full_queue_does_not_end_it),
    CASE(ends_with_its_loop),
    CASE(asked_for_when_its_loop_has_been_closed),
    CASE(of_the_runs_that_a_close_prevents_each_is_counted),
    CASE(so_they_are_while_other_threads_ask),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
