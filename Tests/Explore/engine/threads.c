/* Runs a scenario's threads in turns, each on a stack of its own. Switching costs little, so many
   schedules run in a second, and the system's scheduler makes no difference. */
#define _GNU_SOURCE
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <uv.h>

#include "engine.h"

enum { stack_size = 512 * 1024 };

fiber fibers[explore_most_threads];
int fiberCount;
__thread fiber *running;
bool isExploring;
uint32_t now;
static jmp_buf engine_place;
static bool others_wait; /* explore_begins_alone */

static void put_current(fiber *next) {
  if (running) belay_explore_swap_current(&running->current);
  running = next;
  if (next) belay_explore_swap_current(&next->current);
}

void switch_to(fiber *next) {
  fiber *before = running;
  if (next == before) return;
  if (_setjmp(before ? before->place : engine_place)) return;
  put_current(next);
  if (!next) _longjmp(engine_place, 1);
  if (next->isStarted) _longjmp(next->place, 1);
  next->isStarted = true;
  setcontext(&next->context);
}

bool can_run(const fiber *fiber) {
  if (others_wait && fiber->number > 0) return false;
  return fiber->state == ready || (fiber->state == awaiting && fiber->isReady(fiber->argument));
}

bool is_on_stack_of(const fiber *fiber, const void *address) {
  return (const char *)address >= fiber->stack && (const char *)address < fiber->stack + stack_size;
}

/* No thread can run: one that sleeps with a time limit wakes, without having been woken. */
static fiber *timed_out(void) {
  for (int i = 0; i < fiberCount; i++)
    if (fibers[i].state == asleep && fibers[i].isTimed) return &fibers[i];
  return NULL;
}

static fiber *able_one(void) {
  fiber *able[explore_most_threads];
  int count = 0;
  for (int i = 0; i < fiberCount; i++)
    if (can_run(&fibers[i])) able[count++] = &fibers[i];
  if (count > 0) return choose_who_goes_on(able, count);
  fiber *late = timed_out();
  if (late) late->isWoken = false;
  return late;
}

void go_on_elsewhere(void) {
  fiber *next = able_one();
  if (!next) {
    bool isOver = true;
    for (int i = 0; i < fiberCount; i++) isOver &= fibers[i].state == over;
    if (!isOver) fail("deadlock: no thread can go on");
    switch_to(NULL);
    return;
  }
  if (next != running) trace_switch(next->number);
  next->state = ready;
  switch_to(next);
}

static void rest(void) {
  running->state = resting;
  switch_to(NULL);
}

static void body(void) {
  fiber *me = running;
  if (me->code->begin) me->code->begin();
  rest();
  if (me->code->run) me->code->run();
  drain_all(me);
  me->state = over;
  go_on_elsewhere();
  if (me->code->end) me->code->end();
  belay_explore_end_thread();
  rest();
}

static void make(fiber *fiber, const explore_thread *code) {
  char *stack = fiber->stack;
  if (!stack) {
    stack = mmap(NULL, stack_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stack == MAP_FAILED) abort();
    mprotect(stack, 4096, PROT_NONE);
  }
  memset(fiber, 0, sizeof *fiber);
  fiber->stack = stack;
  fiber->code = code;
  fiber->number = (int)(fiber - fibers);
  getcontext(&fiber->context);
  fiber->context.uc_stack.ss_sp = stack;
  fiber->context.uc_stack.ss_size = stack_size;
  fiber->context.uc_link = NULL;
  makecontext(&fiber->context, body, 0);
}

void run_threads(const explore_scenario *scenario) {
  fiberCount = 0;
  while (fiberCount < explore_most_threads && scenario->threads[fiberCount].run) fiberCount++;
  now = 0;
  begin_watching();
  others_wait = (scenario->options & explore_begins_alone) != 0;
  belay_explore_is_alone = others_wait;
  for (int i = 0; i < fiberCount; i++) make(&fibers[i], &scenario->threads[i]);
  for (int i = 0; i < fiberCount; i++) switch_to(&fibers[i]);
  for (int i = 0; i < fiberCount; i++) fibers[i].state = ready;
  isExploring = true;
  begin_choices();
  go_on_elsewhere();
  isExploring = false;
  belay_explore_is_alone = false;
  others_wait = false;
  for (int i = fiberCount; i-- > 0;) switch_to(&fibers[i]);
}

/* ---- for scenarios ---- */

static bool is_set(const void *flag) { return *(const volatile int *)flag != 0; }

bool explore_wait(bool (*isReady)(const void *), const void *argument) {
  if (!isExploring) return isReady(argument);
  if (isReady(argument)) {
    order_after_all();
    return true;
  }
  drain_all(running);
  running->state = awaiting;
  running->isReady = isReady;
  running->argument = argument;
  go_on_elsewhere();
  order_after_all();
  return true;
}

void explore_await(const int *flag) { explore_wait(is_set, flag); }

int explore_number(void) { return running ? running->number : -1; }

void explore_more_threads(void) {
  others_wait = false;
  belay_explore_is_alone = false;
  order_for_all();
  explore_point();
}

void explore_end_thread(void) {
  belay_explore_end_thread();
  drain_all(running);
}

typedef struct turns {
  int descriptor;
  const int *flag;
} turns;

static bool has_come(const void *argument) {
  const turns *turns = argument;
  if (turns->flag && is_set(turns->flag)) return true;
  struct pollfd descriptor = {.fd = turns->descriptor, .events = POLLIN};
  return poll(&descriptor, 1, 0) > 0;
}

void explore_turn(belay_loop *loop) { belay_loop_run(loop, BELAY_RUN_NOWAIT); }

void explore_turns_until(belay_loop *loop, const int *flag) {
  turns turns = {belay_loop_backend_fd(loop), flag};
  explore_turn(loop);
  while (!is_set(flag)) {
    explore_wait(has_come, &turns);
    explore_turn(loop);
  }
}

void explore_turns_of(uv_loop_t *uv, const int *flag) {
  turns turns = {uv_backend_fd(uv), flag};
  uv_run(uv, UV_RUN_NOWAIT);
  while (!is_set(flag)) {
    if (uv_backend_timeout(uv) != 0) explore_wait(has_come, &turns);
    uv_run(uv, UV_RUN_NOWAIT);
  }
}

void explore_settle(belay_loop *loop) {
  turns turns = {belay_loop_backend_fd(loop), NULL};
  explore_turn(loop);
  for (int i = 0; i < 100 && has_come(&turns); i++) explore_turn(loop);
  explore_turn(loop);
}
