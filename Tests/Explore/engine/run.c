/* Runs schedules of one scenario in a process of its own, and judges them. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "engine.h"

report *told;
__thread bool isEngine;
void explore_counts_are_steps(bool are);

static const belay_explore_engine engine = {take_step, allocate, release};

void fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  size_t length = 0;
  if (running && isExploring)
    length = (size_t)snprintf(told->message, sizeof told->message, "thread %d: ", running->number);
  vsnprintf(told->message + length, sizeof told->message - length, format, arguments);
  va_end(arguments);
  told->step = now;
  _exit(1);
}

void explore_check(bool holds, const char *what, const char *file, int line) {
  const char *name = strrchr(file, '/');
  if (!holds) fail("%s:%d: not so: %s", name ? name + 1 : file, line, what);
}

static void crashed(int number) {
  static const char *const names[] = {
      [SIGSEGV] = "SIGSEGV", [SIGBUS] = "SIGBUS",   [SIGILL] = "SIGILL",
      [SIGTRAP] = "SIGTRAP", [SIGABRT] = "SIGABRT", [SIGFPE] = "SIGFPE"};
  fail("crashes: %s", names[number]);
}

static void catch_crashes(void) {
  static char stack[64 * 1024];
  sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
  static const int numbers[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    sigaction(numbers[i], &(struct sigaction){.sa_handler = crashed, .sa_flags = SA_ONSTACK}, NULL);
}

static void check_live(const size_t before[BELAY_LIVE_KINDS]) {
  for (int kind = 0; kind < BELAY_LIVE_KINDS; kind++) {
    size_t after = belay_live_count((belay_live_kind)kind);
    if (after != before[kind])
      fail("%s alive at the end: %zu, at the beginning: %zu",
           belay_live_kind_name((belay_live_kind)kind), after, before[kind]);
  }
}

/* Answers how many blocks of memory are left. */
static int run_once(const explore_scenario *scenario) {
  size_t before[BELAY_LIVE_KINDS];
  for (int kind = 0; kind < BELAY_LIVE_KINDS; kind++)
    before[kind] = belay_live_count((belay_live_kind)kind);
  run_threads(scenario);
  if (scenario->check) scenario->check();
  check_live(before);
  told->progress++;
  if (now > told->longest) told->longest = now;
  return forget_blocks();
}

void run_schedule(const explore_scenario *scenario) {
  int left = run_once(scenario);
  if (left == 0) return;
  /* What is made once for the whole process is not made again, and so does not count. */
  strategy before = strategy_in_use;
  replay_last();
  run_once(scenario);
  left = run_once(scenario);
  strategy_in_use = before;
  if (left > 0) {
    const block *first = left_block(0);
    fail("memory is left: %d blocks, the first of %u bytes, number %u of thread %d", left,
         first->size, first->ordinal + 1, first->thread);
  }
}

double seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static bool explore_every_way(const explore_scenario *scenario, int preemptions, double until) {
  /* Most races are found in whichever order the accesses come, so the schedules of the larger
     bounds need not be watched. */
  watches_memory = chosen.watches && preemptions < 3;
  begin_exhaustive(preemptions);
  do {
    run_schedule(scenario);
    told->schedules[preemptions]++;
    if (learn_contended()) begin_exhaustive(preemptions);
    else if (!next_exhaustive()) return true;
  } while (seconds() < until);
  return false;
}

void explore_in_process(const explore_scenario *scenario, const char *replayed) {
  catch_crashes();
  isEngine = true;
  belay_explore_engine_in_use = &engine;
  explore_counts_are_steps((scenario->options & explore_counts) != 0);
  watches_memory = chosen.watches;
  if (replayed) {
    replay_from(replayed);
    run_schedule(scenario);
    _exit(0);
  }
  double begun = seconds();
  told->complete = -1;
  for (int preemptions = 0; preemptions <= chosen.preemptions; preemptions++) {
    if (!explore_every_way(scenario, preemptions, begun + chosen.seconds)) break;
    told->complete = preemptions;
  }
  double until = seconds() + chosen.seconds / 2;
  watches_memory = chosen.watches;
  for (long i = 0; i < chosen.schedules && seconds() < until; i++) {
    begin_by_chance(chosen.seed + (uint64_t)i, told->longest);
    run_schedule(scenario);
    learn_contended();
    told->byChance++;
  }
  _exit(0);
}
