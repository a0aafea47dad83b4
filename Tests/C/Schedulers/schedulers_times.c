/* Work that has a time, at a loop: many timers, repeating ones, and times that are none. */
#include "scheduled.h"

#include <math.h>
#include <uv.h>

static belay_disposable *to_dispose;

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
static double started, tick_times[5];
static int ticks;

static void tick(void *ctx) {
  double interval = 0.002, now = belay_scheduler_now(scheduler);
  tick_times[ticks++] = now;
  /* Never twice within one interval, so there is a whole one between a tick and the next but one. */
  if (ticks > 2) CHECK(now - tick_times[ticks - 3] > interval - 1e-6);
  if (ticks == 1) {
    /* Ten intervals go by; they are skipped. */
    uint64_t begin = uv_hrtime();
    while (uv_hrtime() - begin < 20000000) {}
  }
  if (ticks == 2) CHECK(now - started >= 11 * interval - 1e-6);
  if (ticks == 5) belay_disposable_dispose(to_dispose);
}

static void missed_intervals_are_skipped(void) {
  open_scheduler();
  ticks = 0;
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
  CHECK_FAILS(belay_scheduler_after(scheduler, NAN, empty_action, "1", trace_free, &work),
              BELAY_EINVAL);
  CHECK(work == NULL);
  double bad[] = {NAN, 0, -1};
  for (int i = 0; i < 3; i++)
    CHECK_FAILS(
        belay_scheduler_every(scheduler, 0, bad[i], 0, empty_action, "2", trace_free, &work),
        BELAY_EINVAL);
  CHECK_FAILS(belay_scheduler_every(scheduler, NAN, 1, 0, empty_action, "3", trace_free, &work),
              BELAY_EINVAL);
  CHECK(work == NULL);
  CHECK_TRACE("free 1 | free 2 | free 2 | free 2 | free 3");
  /* Beyond any clock: never, or refused; nothing traps. */
  double far[] = {INFINITY, 1e300, 1e18, 9.3e9};
  for (int i = 0; i < 4; i++) {
    work = NULL;
    if (belay_scheduler_after(scheduler, far[i], empty_action, NULL, NULL, &work) < 0)
      CHECK(belay_last_error() != NULL);
    end_subscription(work);
    work = NULL;
    if (belay_scheduler_every(scheduler, 0, far[i], far[i], empty_action, NULL, NULL, &work) == 0) {
      belay_loop_run(loop, BELAY_RUN_NOWAIT);
      belay_loop_run(loop, BELAY_RUN_NOWAIT);
    }
    end_subscription(work);
    work = NULL;
    belay_scheduler_every(scheduler, far[i], far[i], NAN, empty_action, NULL, NULL, &work);
    end_subscription(work);
    work = NULL;
    belay_scheduler_every(scheduler, -far[i], 1, -far[i], empty_action, NULL, NULL, &work);
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
  CHECK_INT(belay_scheduler_after(scheduler, 1000, empty_action, NULL, NULL, &skipped), 0);
  belay_disposable_dispose(skipped);
  CHECK_INT(belay_disposable_dispose_sync(skipped, 0), 0);
  belay_disposable_release(skipped);
  CHECK_INT(belay_scheduler_every(scheduler, 0.004, 0.001, 0, count_three, "every", trace_free,
                                  &to_dispose),
            0);
  CHECK(belay_scheduler_now(scheduler) > 0);
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

/* What runs late, within its leeway, does not move the runs that follow. */
static double run_at[3];
static int virtual_runs;
static void note_virtual_time(void *ctx) {
  if (virtual_runs < 3) run_at[virtual_runs] = belay_scheduler_now(scheduler);
  virtual_runs++;
}
static void in_virtual_time_the_rhythm_is_kept(void) {
  belay_disposable *work = NULL;
  scheduler = belay_scheduler_create_virtual();
  virtual_runs = 0;
  CHECK_INT(belay_scheduler_every(scheduler, 1, 4, 3, note_virtual_time, NULL, NULL, &work), 0);
  for (int time = 3; time <= 15; time += 6) /* each lets it wait */
    CHECK_INT(belay_scheduler_after(scheduler, time, empty_action, NULL, NULL, NULL), 0);
  belay_scheduler_advance(scheduler, 20);
  CHECK_INT(virtual_runs, 5);
  for (int i = 0; i < 3; i++) CHECK(run_at[i] >= 1 + 4 * i && run_at[i] <= 4 + 4 * i);
  belay_disposable_dispose(work);
  belay_disposable_release(work);
  belay_scheduler_release(scheduler);
}

static const test_case cases[] = {
    CASE(ten_thousand_timers),
    CASE(ten_thousand_timers_in_virtual_time),
    CASE(in_virtual_time_the_rhythm_is_kept),
    CASE(missed_intervals_are_skipped),
    CASE(every_repeats_until_disposed),
    CASE(leeway_shares_a_wake_up),
    CASE(bad_times),
    CASE(any_thread_schedules),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
