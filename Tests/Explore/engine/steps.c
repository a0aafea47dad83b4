/* Performs the steps of the threads. A relaxed or releasing store may stay in its thread's
   buffer for a while, where only that thread sees it. It arrives in memory when that is chosen,
   or when something fences the thread: a fence, a read-modify-write, a futex, or another
   thread's barrier. */
#include "engine.h"

enum { most_steps = 30000 };

bool isWeak;

static void arrive(const belay_explore_step *step) {
  const block *at = block_of(step->word);
  if (at && at->isFreed) fail("a store arrives in freed memory");
  belay_explore_perform(step);
}

bool may_arrive(const fiber *fiber, int entry) {
  if (entry == 0) return true;
  if (!isWeak) return false;
  const belay_explore_step *step = &fiber->buffer[entry].step;
  if (step->order == belay_explore_releasing) return false;
  for (int before = 0; before < entry; before++)
    if (fiber->buffer[before].step.word == step->word) return false;
  return true;
}

void drain(fiber *fiber, int entry) {
  belay_explore_step step = fiber->buffer[entry].step;
  for (int i = entry + 1; i < fiber->buffered; i++) fiber->buffer[i - 1] = fiber->buffer[i];
  fiber->buffered--;
  trace_arrival(fiber, &step);
  arrive(&step);
}

void drain_all(fiber *fiber) {
  while (fiber->buffered > 0) drain(fiber, 0);
}

/* A read-modify-write fences its thread on most machines. On a weak one, stores that it does not
   order may still wait. */
static void drain_for(const belay_explore_step *step) {
  bool isOrdered = step->order != belay_explore_relaxed && step->order != belay_explore_acquiring;
  if (!isWeak || isOrdered) return drain_all(running);
  for (int entry = running->buffered; entry-- > 0;) {
    if (running->buffer[entry].step.word != step->word) continue;
    /* Everything that has to arrive before it arrives, too. */
    for (int count = entry + 1; count > 0; count--) drain(running, 0);
    return;
  }
}

static uint64_t load(const belay_explore_step *step) {
  for (int entry = running->buffered; entry-- > 0;)
    if (running->buffer[entry].step.word == step->word) return running->buffer[entry].step.operand;
  return belay_explore_perform(step);
}

static bool store(const belay_explore_step *step, bool isContended) {
  if (step->order != belay_explore_sequentially_consistent &&
      (running->buffered > 0 || chooses_to_buffer(isContended))) {
    if (running->buffered == buffer_room) drain(running, 0);
    running->buffer[running->buffered++].step = *step;
    return true;
  }
  drain_all(running);
  belay_explore_perform(step);
  return false;
}

static uint64_t sleep_on(const belay_explore_step *step) {
  drain_all(running);
  belay_explore_step load = *step;
  load.kind = belay_explore_load;
  if ((uint32_t)belay_explore_perform(&load) != (uint32_t)step->operand) return 1;
  running->state = asleep;
  running->word = step->word;
  running->isTimed = step->limit >= 0;
  running->isWoken = true;
  fiber *me = running;
  go_on_elsewhere();
  return me->isWoken;
}

static void wake(const belay_explore_step *step) {
  drain_all(running);
  int count = (int)step->operand;
  for (int i = 0; i < fiberCount && count > 0; i++) {
    if (fibers[i].state != asleep || fibers[i].word != step->word) continue;
    fibers[i].state = ready;
    count--;
  }
}

static bool touches_memory(belay_explore_kind kind) {
  return kind != belay_explore_fence && kind != belay_explore_barrier;
}

/* While nothing is explored there is only one thread. */
static uint64_t take_alone(const belay_explore_step *step) {
  if (step->kind == belay_explore_wait) {
    belay_explore_step load = *step;
    load.kind = belay_explore_load;
    if ((uint32_t)belay_explore_perform(&load) == (uint32_t)step->operand) {
      if (step->limit >= 0) return 0;
      fail("a thread waits for ever before or after what is explored");
    }
    return 1;
  }
  if (step->kind == belay_explore_wake || !touches_memory(step->kind)) return 0;
  return belay_explore_perform(step);
}

static bool counts_are_steps;
void explore_counts_are_steps(bool are) { counts_are_steps = are; }

uint64_t take_step(const belay_explore_step *step) {
  if (!isEngine) return belay_explore_perform(step);
  if (touches_memory(step->kind)) {
    const block *at = block_of(step->word);
    if (at && at->isFreed)
      fail(step->isCount ? "a reference to freed memory is counted" : "a step in freed memory");
  }
  if (!isExploring || !running) return take_alone(step);
  if (step->isCount && !counts_are_steps) {
    order_step(step);
    if (step->kind != belay_explore_load) drain_for(step);
    return belay_explore_perform(step);
  }
  if (++now > most_steps) fail("does not end: %u steps", now);
  bool isContended = !touches_memory(step->kind) || is_contended(step->word);
  choose_before_step(isContended);
  order_step(step);
  uint64_t result = 0;
  bool isBuffered = false;
  switch (step->kind) {
    case belay_explore_load:
      result = load(step);
      break;
    case belay_explore_store:
      isBuffered = store(step, isContended);
      break;
    case belay_explore_fence:
      drain_all(running);
      break;
    case belay_explore_barrier:
      for (int i = 0; i < fiberCount; i++) drain_all(&fibers[i]);
      break;
    case belay_explore_wait:
      trace_step(step, 0, false);
      return sleep_on(step);
    case belay_explore_wake:
      wake(step);
      break;
    default:
      drain_for(step);
      result = belay_explore_perform(step);
  }
  trace_step(step, result, isBuffered);
  return result;
}

void explore_point(void) {
  if (!isExploring) return;
  now++;
  choose_before_step(true);
}
