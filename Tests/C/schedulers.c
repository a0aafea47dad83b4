/* Schedulers: immediate, trampoline, loop. */
#include "cases.h"

#include <math.h>
#include <uv.h>

static void nothing(void *ctx) {}

/* ---- without a loop ---- */

static void inner_immediate(void *ctx) {
  CHECK(belay_scheduler_current() == belay_scheduler_immediate());
  trace("inner");
}

static void outer_immediate(void *ctx) {
  CHECK(belay_scheduler_current() == belay_scheduler_immediate());
  trace("outer");
  CHECK_INT(belay_scheduler_schedule(belay_scheduler_immediate(), inner_immediate, NULL, NULL,
                                     NULL),
            0);
  trace("outer again");
}

static void immediate_runs_in_the_call(void) {
  belay_disposable *work = NULL;
  CHECK_INT(belay_scheduler_schedule(belay_scheduler_immediate(), outer_immediate, "work",
                                     trace_free, &work),
            0);
  CHECK_TRACE("outer | inner | outer again | free work");
  CHECK_INT(belay_disposable_is_disposed(work), 1);
  belay_disposable_release(work);
}

static void inner_trampoline(void *name) {
  CHECK(belay_scheduler_current() == belay_scheduler_trampoline());
  trace("%s", (const char *)name);
}

static void middle_trampoline(void *name) {
  inner_trampoline(name);
  CHECK_INT(belay_scheduler_schedule(belay_scheduler_trampoline(), inner_trampoline, "inmost", NULL,
                                     NULL),
            0);
  trace("end of %s", (const char *)name);
}

static void outer_trampoline(void *ctx) {
  belay_scheduler *trampoline = belay_scheduler_trampoline();
  inner_trampoline("outer");
  CHECK_INT(belay_scheduler_schedule(trampoline, middle_trampoline, "one", NULL, NULL), 0);
  CHECK_INT(belay_scheduler_schedule(trampoline, inner_trampoline, "two", NULL, NULL), 0);
  trace("end of outer");
}

static void A2_12_trampoline_runs_nested_work_after(void) {
  CHECK_INT(belay_scheduler_schedule(belay_scheduler_trampoline(), outer_trampoline, "work",
                                     trace_free, NULL),
            0);
  CHECK_TRACE("outer | end of outer | free work | one | end of one | two | inmost");
}

static struct {
  int left;
  uintptr_t low, high;
} depth;

static void deepen(void *ctx) {
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  if (here < depth.low) depth.low = here;
  if (here > depth.high) depth.high = here;
  if (--depth.left > 0) belay_scheduler_schedule(ctx, deepen, ctx, NULL, NULL);
}

static void A3_58_recursion_does_not_grow_the_stack(void) {
  depth.left = 1000000;
  depth.low = UINTPTR_MAX;
  depth.high = 0;
  belay_scheduler *trampoline = belay_scheduler_trampoline();
  CHECK_INT(belay_scheduler_schedule(trampoline, deepen, trampoline, NULL, NULL), 0);
  CHECK_INT(depth.left, 0);
  CHECK(depth.high - depth.low < 4096);
}

static belay_disposable *to_dispose;

static void dispose_other(void *ctx) {
  trace("disposing");
  belay_disposable_dispose(to_dispose);
}

static void schedule_then_dispose(void *scheduler) {
  CHECK_INT(belay_scheduler_schedule(scheduler, trace_action, "skipped", trace_free, &to_dispose),
            0);
  dispose_other(NULL);
}

static void A3_23_trampoline_skips_what_was_disposed(void) {
  belay_scheduler *trampoline = belay_scheduler_trampoline();
  CHECK_INT(belay_scheduler_schedule(trampoline, schedule_then_dispose, trampoline, NULL, NULL), 0);
  CHECK_TRACE("disposing | free skipped");
  belay_disposable_release(to_dispose);
}

static void no_clock(void) {
  belay_scheduler *without[] = {belay_scheduler_immediate(), belay_scheduler_trampoline()};
  for (int i = 0; i < 2; i++) {
    belay_disposable *work = NULL;
    CHECK_FAILS(belay_scheduler_after(without[i], 1, trace_action, "after", trace_free, &work),
                BELAY_EINVAL);
    CHECK(work == NULL);
    CHECK_FAILS(belay_scheduler_every(without[i], 1, 1, 0, nothing, "every", trace_free, &work),
                BELAY_EINVAL);
    CHECK(work == NULL);
    CHECK_TRACE("free after | free every");
  }
}

static void null_arguments(void) {
  belay_scheduler *immediate = belay_scheduler_immediate();
  CHECK_FAILS(belay_scheduler_schedule(NULL, nothing, "1", trace_free, NULL), BELAY_EINVAL);
  CHECK_FAILS(belay_scheduler_after(NULL, 0, nothing, "2", trace_free, NULL), BELAY_EINVAL);
  CHECK_FAILS(belay_scheduler_every(NULL, 0, 1, 0, nothing, "3", trace_free, NULL), BELAY_EINVAL);
  CHECK_FAILS(belay_scheduler_schedule(immediate, NULL, "4", trace_free, NULL), BELAY_EINVAL);
  CHECK_TRACE("free 1 | free 2 | free 3 | free 4");
  CHECK(belay_scheduler_retain(NULL) == NULL);
  belay_scheduler_release(NULL);
  belay_scheduler_now(NULL);
  belay_last_error();
  CHECK(belay_scheduler_retain(immediate) == immediate);
  belay_scheduler_release(immediate);
  CHECK_INT(belay_scheduler_schedule(immediate, trace_action, "still", NULL, NULL), 0);
  CHECK_TRACE("action still");
}

/* ---- the current one ---- */

static void check_immediate(void *ctx) {
  CHECK(belay_scheduler_current() == belay_scheduler_immediate());
}

static void nest_schedulers(void *loop) {
  belay_scheduler *own = belay_loop_scheduler(loop);
  CHECK(belay_scheduler_current() == own);
  CHECK_INT(belay_scheduler_schedule(belay_scheduler_immediate(), check_immediate, NULL, NULL,
                                     NULL),
            0);
  CHECK(belay_scheduler_current() == own);
  CHECK_INT(belay_scheduler_schedule(belay_scheduler_trampoline(), inner_trampoline, "inside", NULL,
                                     NULL),
            0);
  CHECK(belay_scheduler_current() == own);
}

static void current_elsewhere(void *ctx) { CHECK(belay_scheduler_current() == NULL); }

static void A3_20_current_scheduler(void) {
  CHECK(belay_scheduler_current() == NULL);
  belay_loop *loop = open_loop();
  CHECK(belay_scheduler_current() == belay_loop_scheduler(loop));
  in_thread(current_elsewhere, NULL);
  close_loop(loop);
  CHECK(belay_scheduler_current() == NULL);
}

static void A3_24_current_scheduler_restored(void) {
  belay_loop *loop = open_loop();
  belay_scheduler *scheduler = belay_loop_scheduler(loop);
  CHECK_INT(belay_scheduler_schedule(scheduler, nest_schedulers, loop, NULL, NULL), 0);
  CHECK_INT(belay_scheduler_after(scheduler, 0.001, nest_schedulers, loop, NULL, NULL), 0);
  run_to_end(loop);
  CHECK_TRACE("inside | inside");
  close_loop(loop);
}

/* ---- a loop's: once ---- */

static belay_loop *loop;
static belay_scheduler *scheduler;

static void open_scheduler(void) {
  loop = open_loop();
  scheduler = belay_loop_scheduler(loop);
}

static void schedule_more(void *ctx) {
  trace("first");
  CHECK_INT(belay_scheduler_schedule(scheduler, trace_action, "next turn", NULL, NULL), 0);
  trace("first ends");
}

static void A3_22_work_runs_in_the_order_of_scheduling(void) {
  open_scheduler();
  CHECK_INT(belay_scheduler_schedule(scheduler, schedule_more, "1", trace_free, NULL), 0);
  CHECK_INT(belay_scheduler_schedule(scheduler, trace_action, "second", NULL, NULL), 0);
  CHECK_TRACE("");
  run_to_end(loop);
  CHECK_TRACE("first | first ends | free 1 | action second | action next turn");
  close_loop(loop);
}

static void after_runs_in_the_order_of_deadlines(void) {
  open_scheduler();
  CHECK_INT(belay_scheduler_after(scheduler, 0.009, trace_action, "third", NULL, NULL), 0);
  CHECK_INT(belay_scheduler_after(scheduler, 0.001, trace_action, "first", NULL, NULL), 0);
  CHECK_INT(belay_scheduler_after(scheduler, 0.005, trace_action, "second", NULL, NULL), 0);
  CHECK_INT(belay_scheduler_after(scheduler, -5, trace_action, "negative", trace_free, NULL), 0);
  CHECK_TRACE("");
  run_to_end(loop);
  CHECK_TRACE("action negative | free negative | action first | action second | action third");
  close_loop(loop);
}

static void A3_23_skipped_when_disposed_before_it_starts(void) {
  open_scheduler();
  belay_disposable *late = NULL;
  CHECK_INT(belay_scheduler_schedule(scheduler, dispose_other, NULL, NULL, NULL), 0);
  CHECK_INT(belay_scheduler_schedule(scheduler, trace_action, "skipped", trace_free, &to_dispose),
            0);
  CHECK_INT(belay_scheduler_after(scheduler, 0.001, trace_action, "late", trace_free, &late), 0);
  CHECK_INT(belay_disposable_is_disposed(late), 0);
  belay_disposable_dispose(late);
  CHECK_INT(belay_disposable_is_disposed(late), 1);
  CHECK_TRACE("free late");
  run_to_end(loop);
  CHECK_TRACE("disposing | free skipped");
  belay_disposable_release(late);
  belay_disposable_release(to_dispose);
  close_loop(loop);
}

static void A3_11_dropping_the_handle_changes_nothing(void) {
  open_scheduler();
  belay_disposable *work = NULL;
  CHECK_INT(belay_scheduler_after(scheduler, 0, trace_action, "kept", trace_free, &work), 0);
  belay_disposable_release(work);
  CHECK_INT(belay_scheduler_schedule(scheduler, trace_action, "soon", trace_free, &work), 0);
  belay_disposable_release(work);
  run_to_end(loop);
  CHECK(strstr(trace_text(), "action kept | free kept") != NULL);
  CHECK(strstr(trace_text(), "action soon | free soon") != NULL);
  close_loop(loop);
}

static void dispose_self(void *ctx) {
  belay_disposable_dispose(to_dispose);
  CHECK_INT(belay_disposable_is_disposed(to_dispose), 1);
  trace("goes on");
}

static void A3_23_once_started_it_runs_to_its_end(void) {
  open_scheduler();
  CHECK_INT(belay_scheduler_schedule(scheduler, dispose_self, "a", trace_free, &to_dispose), 0);
  run_to_end(loop);
  CHECK_TRACE("goes on | free a");
  belay_disposable_release(to_dispose);
  CHECK_INT(belay_scheduler_after(scheduler, 0, dispose_self, "b", trace_free, &to_dispose), 0);
  run_to_end(loop);
  CHECK_TRACE("goes on | free b");
  belay_disposable_release(to_dispose);
  CHECK_INT(belay_scheduler_every(scheduler, 0, 0.001, 0, dispose_self, "c", trace_free,
                                  &to_dispose),
            0);
  run_to_end(loop);
  CHECK_TRACE("goes on | free c");
  belay_disposable_release(to_dispose);
  close_loop(loop);
}

static void sync_self(void *ctx) {
  CHECK_FAILS(belay_disposable_dispose_sync(to_dispose, -1), BELAY_EINPROGRESS);
  trace("in progress");
}

static void rule_1_2_dispose_sync_of_work(void) {
  open_scheduler();
  CHECK_INT(belay_scheduler_schedule(scheduler, sync_self, "a", trace_free, &to_dispose), 0);
  run_to_end(loop);
  CHECK_TRACE("in progress | free a");
  belay_disposable_release(to_dispose);
  CHECK_INT(belay_scheduler_after(scheduler, 1, nothing, "b", trace_free, &to_dispose), 0);
  CHECK_INT(belay_disposable_dispose_sync(to_dispose, -1), 0);
  CHECK_TRACE("free b");
  belay_disposable_release(to_dispose);
  run_to_end(loop);
  close_loop(loop);
}

/* ---- many ---- */
enum { MANY = 10000, DELAYS = 20 };
static int ran[MANY], last_rank, disorder, runs, freed;
static int first_left[DELAYS]; /* of those with this delay, in the order of scheduling */
static struct timed {
  int index, delay;
} timed[MANY];

static int is_disposed(int index) { return index % 3 == 0; }

static void note_run(struct timed *it) {
  ran[it->index]++;
  runs++;
  int next = it->index + 1;
  while (next < MANY && (is_disposed(next) || timed[next].delay != it->delay)) next++;
  first_left[it->delay] = next;
}

static void free_timed(void *ctx) { freed++; }

static void schedule_many(belay_action_fn run) {
  unsigned random = 12345;
  memset(ran, 0, sizeof ran);
  last_rank = disorder = runs = freed = 0;
  for (int i = 0; i < MANY; i++) {
    random = random * 1103515245u + 12345u;
    timed[i] = (struct timed){i, (int)(random >> 16) % DELAYS};
  }
  for (int i = 0; i < MANY; i++) {
    belay_disposable *work = NULL;
    CHECK_INT(belay_scheduler_after(scheduler, timed[i].delay * 0.001, run, &timed[i], free_timed,
                                    &work),
              0);
    if (is_disposed(i)) belay_disposable_dispose(work);
    belay_disposable_release(work);
  }
  for (int delay = 0; delay < DELAYS; delay++) {
    int next = 0;
    while (is_disposed(next) || timed[next].delay != delay) next++;
    first_left[delay] = next;
  }
}

static void check_many(void) {
  CHECK_INT(disorder, 0);
  CHECK_INT(runs, MANY - (MANY + 2) / 3);
  CHECK_INT(freed, MANY);
  for (int i = 0; i < MANY; i++)
    if (ran[i] != !is_disposed(i)) CHECK_INT(ran[i], !is_disposed(i));
}

/* Whoever asked before for no longer a time goes before. */
static void run_on_the_loop(void *ctx) {
  struct timed *it = ctx;
  for (int delay = 0; delay <= it->delay; delay++) disorder += first_left[delay] < it->index;
  note_run(it);
}

static void schedule_many_in_a_turn(void *ctx) { schedule_many(run_on_the_loop); }

static void ten_thousand_timers(void) {
  open_scheduler();
  CHECK_INT(belay_scheduler_schedule(scheduler, schedule_many_in_a_turn, NULL, NULL, NULL), 0);
  run_to_end(loop);
  check_many();
  close_loop(loop);
}

/* Where the clock stands still, equal delays are equal deadlines. */
static void run_in_virtual_time(void *ctx) {
  struct timed *it = ctx;
  int rank = it->delay * MANY + it->index;
  disorder += rank < last_rank;
  last_rank = rank;
  note_run(it);
}

static void ten_thousand_timers_in_virtual_time(void) {
  scheduler = belay_scheduler_create_virtual();
  schedule_many(run_in_virtual_time);
  CHECK_INT(belay_scheduler_flush(scheduler), 0);
  check_many();
  belay_scheduler_release(scheduler);
}

/* ---- repeating ---- */
static double started, last_tick;
static int ticks;

static void tick(void *ctx) {
  double interval = 0.002;
  double passed = floor((belay_scheduler_now(scheduler) - started) / interval + 1e-6);
  CHECK(passed > last_tick); /* never twice within one interval */
  last_tick = passed;
  if (++ticks == 1) {
    /* Ten intervals go by; they are skipped. */
    uint64_t begin = uv_hrtime();
    while (uv_hrtime() - begin < 20000000) {}
  }
  if (ticks == 2) CHECK(passed >= 11);
  if (ticks == 5) belay_disposable_dispose(to_dispose);
}

static void missed_intervals_are_skipped(void) {
  open_scheduler();
  ticks = 0;
  last_tick = 0;
  CHECK_INT(belay_loop_run(loop, BELAY_RUN_NOWAIT), 0);
  started = belay_scheduler_now(scheduler);
  CHECK_INT(belay_scheduler_every(scheduler, 0.002, 0.002, 0, tick, "every", trace_free,
                                  &to_dispose),
            0);
  run_to_end(loop);
  CHECK_INT(ticks, 5);
  CHECK_TRACE("free every");
  belay_disposable_release(to_dispose);
  close_loop(loop);
}

static void count_three(void *ctx) {
  trace("%s", (const char *)ctx);
  if (++ticks == 3) belay_disposable_dispose(to_dispose);
}

static void every_repeats_until_disposed(void) {
  open_scheduler();
  ticks = 0;
  CHECK_INT(belay_scheduler_every(scheduler, 0, 0.001, 0.01, count_three, "tick", trace_free,
                                  &to_dispose),
            0);
  run_to_end(loop);
  CHECK_TRACE("tick | tick | tick | free tick");
  belay_disposable_release(to_dispose);
  close_loop(loop);
}

static uint64_t turn_of_first;
static void note_turn(void *ctx) { turn_of_first = belay_loop_turns(loop); }
static void same_turn(void *ctx) { trace("%d", belay_loop_turns(loop) == turn_of_first); }

static void leeway_shares_a_wake_up(void) {
  open_scheduler();
  belay_disposable *late = NULL;
  /* Due early, but it may wait for the one that may not. */
  CHECK_INT(belay_scheduler_every(scheduler, 0.001, 1000, 500, same_turn, NULL, NULL, &late), 0);
  CHECK_INT(belay_scheduler_after(scheduler, 0.02, note_turn, NULL, NULL, NULL), 0);
  uint64_t before = belay_loop_turns(loop);
  CHECK_INT(belay_loop_run(loop, BELAY_RUN_ONCE), 1);
  CHECK_INT(belay_loop_turns(loop) - before, 1);
  CHECK_TRACE("1");
  end_subscription(late);
  run_to_end(loop);
  close_loop(loop);
}

/* ---- bad times ---- */

static void bad_times(void) {
  open_scheduler();
  belay_disposable *work = NULL;
  CHECK_FAILS(belay_scheduler_after(scheduler, NAN, nothing, "1", trace_free, &work), BELAY_EINVAL);
  CHECK(work == NULL);
  double bad[] = {NAN, 0, -1};
  for (int i = 0; i < 3; i++)
    CHECK_FAILS(belay_scheduler_every(scheduler, 0, bad[i], 0, nothing, "2", trace_free, &work),
                BELAY_EINVAL);
  CHECK_FAILS(belay_scheduler_every(scheduler, NAN, 1, 0, nothing, "3", trace_free, &work),
              BELAY_EINVAL);
  CHECK(work == NULL);
  CHECK_TRACE("free 1 | free 2 | free 2 | free 2 | free 3");
  /* Beyond any clock: never, or refused; nothing traps. */
  double far[] = {INFINITY, 1e300, 1e18, 9.3e9};
  for (int i = 0; i < 4; i++) {
    work = NULL;
    if (belay_scheduler_after(scheduler, far[i], nothing, NULL, NULL, &work) < 0)
      CHECK(belay_last_error() != NULL);
    end_subscription(work);
    work = NULL;
    if (belay_scheduler_every(scheduler, 0, far[i], far[i], nothing, NULL, NULL, &work) == 0) {
      belay_loop_run(loop, BELAY_RUN_NOWAIT);
      belay_loop_run(loop, BELAY_RUN_NOWAIT);
    }
    end_subscription(work);
    work = NULL;
    belay_scheduler_every(scheduler, far[i], far[i], NAN, nothing, NULL, NULL, &work);
    end_subscription(work);
    work = NULL;
    belay_scheduler_every(scheduler, -far[i], 1, -far[i], nothing, NULL, NULL, &work);
    end_subscription(work);
    belay_last_error();
  }
  run_to_end(loop);
  close_loop(loop);
}

/* ---- from another thread ---- */

static void schedule_elsewhere(void *ctx) {
  belay_disposable *skipped = NULL;
  CHECK_INT(belay_scheduler_schedule(scheduler, trace_action, "soon", trace_free, NULL), 0);
  CHECK_INT(belay_scheduler_after(scheduler, 0.002, trace_action, "after", trace_free, NULL), 0);
  CHECK_INT(belay_scheduler_after(scheduler, 1000, nothing, NULL, NULL, &skipped), 0);
  belay_disposable_dispose(skipped);
  CHECK_INT(belay_disposable_dispose_sync(skipped, 0), 0);
  belay_disposable_release(skipped);
  CHECK_INT(belay_scheduler_every(scheduler, 0.004, 0.001, 0, count_three, "every", trace_free,
                                  &to_dispose),
            0);
  CHECK(belay_scheduler_now(scheduler) > 0);
}

/* Both schedulers are objects in the library's data. */
static void schedule_everywhere(void *runs) {
  for (int i = 0; i < 1000; i++) {
    CHECK_INT(belay_scheduler_schedule(belay_scheduler_immediate(), count_free, runs, NULL, NULL),
              0);
    CHECK_INT(belay_scheduler_schedule(belay_scheduler_trampoline(), count_free, runs, NULL, NULL),
              0);
  }
}

static void any_threads_use_the_schedulers_of_all(void) {
  int theirs = 0, ours = 0;
  routine other;
  start_thread(&other, schedule_everywhere, &theirs);
  schedule_everywhere(&ours);
  join_thread(&other);
  CHECK_INT(theirs + ours, 4000);
}

static void any_thread_schedules(void) {
  open_scheduler();
  ticks = 0;
  in_thread(schedule_elsewhere, NULL);
  CHECK_TRACE("");
  run_to_end(loop);
  CHECK_TRACE("action soon | free soon | action after | free after | every | every | every | "
              "free every");
  belay_disposable_release(to_dispose);
  close_loop(loop);
}

static const test_case cases[] = {
    CASE(immediate_runs_in_the_call),
    CASE(A2_12_trampoline_runs_nested_work_after),
    CASE(A3_58_recursion_does_not_grow_the_stack),
    CASE(A3_23_trampoline_skips_what_was_disposed),
    CASE(no_clock),
    CASE(null_arguments),
    CASE(A3_20_current_scheduler),
    CASE(A3_24_current_scheduler_restored),
    CASE(A3_22_work_runs_in_the_order_of_scheduling),
    CASE(after_runs_in_the_order_of_deadlines),
    CASE(A3_23_skipped_when_disposed_before_it_starts),
    CASE(A3_11_dropping_the_handle_changes_nothing),
    CASE(A3_23_once_started_it_runs_to_its_end),
    CASE(rule_1_2_dispose_sync_of_work),
    CASE(ten_thousand_timers),
    CASE(ten_thousand_timers_in_virtual_time),
    CASE(missed_intervals_are_skipped),
    CASE(every_repeats_until_disposed),
    CASE(leeway_shares_a_wake_up),
    CASE(bad_times),
    CASE(any_thread_schedules),
    CASE(any_threads_use_the_schedulers_of_all),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
