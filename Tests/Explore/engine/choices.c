/* Decides which thread goes on, and which stores wait: in every way with so many pre-emptions, by
   chance, or as an earlier schedule did. Each question has a number. A schedule is the list of the
   questions that were not answered as usual: usually the thread goes on and the store arrives. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "engine.h"

strategy strategy_in_use;
int bound;
static uint32_t question;

/* ---- every way: a walk through the tree of answers, depth first ---- */
enum { deepest = 1 << 16 };
static struct { uint16_t taken, count; } path[deepest];
static int depth, known;
static int spent; /* pre-emptions of this schedule */

static int pick(int count) {
  if (depth < known) {
    if (path[depth].count != count)
      fail("the explorer's own fault: a schedule took another course");
    return path[depth++].taken;
  }
  if (depth == deepest) return 0;
  path[known].taken = 0;
  path[known++].count = (uint16_t)count;
  depth++;
  return 0;
}

void begin_exhaustive(int newBound) {
  strategy_in_use = exhaustive;
  isWeak = chosen.weak;
  bound = newBound;
  known = 0;
}

bool next_exhaustive(void) {
  while (known > 0 && path[known - 1].taken + 1 >= path[known - 1].count) known--;
  if (known == 0) return false;
  path[known - 1].taken++;
  return true;
}

/* ---- by chance: priorities that change a few times ---- */
static uint64_t state;
static uint32_t expected;
static int changes, lowest;
static unsigned buffering; /* how many of 16 stores wait */

static uint32_t chance(uint32_t count) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return (uint32_t)(state >> 32) % count;
}

void begin_by_chance(uint64_t seed, uint32_t expectedSteps) {
  strategy_in_use = by_chance;
  state = seed * 0x9E3779B97F4A7C15u + 0x1234567;
  for (int i = 0; i < 4; i++) chance(2);
  isWeak = chosen.weak || chance(2);
  expected = expectedSteps < 8 ? 8 : expectedSteps;
  static const unsigned portions[] = {0, 2, 6, 12};
  buffering = portions[chance(4)];
  changes = 1 + (int)chance(6);
  lowest = 0;
}

static fiber *first_of(fiber *const *able, int count) {
  fiber *first = able[0];
  for (int i = 1; i < count; i++)
    if (able[i]->priority > first->priority) first = able[i];
  return first;
}

/* ---- as before ---- */
static decision replayed[most_decisions];
static uint32_t replayedCount, replayedNext;

static const decision *replayed_decision(void) {
  if (replayedNext == replayedCount || replayed[replayedNext].at != question) return NULL;
  return &replayed[replayedNext++];
}

void replay_last(void) {
  strategy_in_use = replaying;
  replayedCount = told->decisionCount;
  memcpy(replayed, told->decisions, replayedCount * sizeof *replayed);
}

void replay_from(const char *text) {
  strategy_in_use = replaying;
  replayedCount = 0;
  isWeak = strncmp(text, "weak", 4) == 0;
  if (isWeak) text += text[4] == ',' ? 5 : 4;
  while (*text && replayedCount < most_decisions) {
    char *end;
    decision *next = &replayed[replayedCount++];
    next->at = (uint32_t)strtoul(text, &end, 10);
    next->kind = *end;
    if (*end) end++;
    next->which = (uint8_t)strtoul(end, &end, 10);
    next->entry = *end == '.' ? (uint8_t)strtoul(end + 1, &end, 10) : 0;
    text = *end == ',' ? end + 1 : "";
  }
}

void write_decisions(FILE *out) {
  if (told->isWeak) fprintf(out, told->decisionCount ? "weak," : "weak");
  for (uint32_t i = 0; i < told->decisionCount; i++) {
    const decision *decision = &told->decisions[i];
    fprintf(out, "%s%u%c", i ? "," : "", decision->at, decision->kind);
    if (decision->kind != 'b') fprintf(out, "%d", decision->which);
    if (decision->entry) fprintf(out, ".%d", decision->entry);
  }
}

/* ---- the questions ---- */

static void record(char kind, int which, int entry) {
  if (told->decisionCount == most_decisions) fail("too many decisions for one schedule");
  told->decisions[told->decisionCount++] =
      (decision){question, kind, (uint8_t)which, (uint8_t)entry};
}

void begin_choices(void) {
  question = 0;
  depth = spent = 0;
  replayedNext = 0;
  told->decisionCount = 0;
  told->isWeak = isWeak;
  for (int i = 0; i < fiberCount; i++) {
    fibers[i].priority = 1000 + i;
    if (strategy_in_use == by_chance) {
      int other = (int)chance((uint32_t)i + 1);
      fibers[i].priority = fibers[other].priority;
      fibers[other].priority = 1000 + i;
    }
  }
}

static void interrupt_for(fiber *next) {
  record('s', next->number, 0);
  next->state = ready;
  trace_switch(next->number);
  switch_to(next);
}

static void let_arrive(fiber *fiber, int entry) {
  record('d', fiber->number, entry);
  drain(fiber, entry);
}

/* True when there may be more to be asked. */
static bool choose_exhaustively(void) {
  if (spent >= bound) return false;
  fiber *others[explore_most_threads];
  struct {
    fiber *fiber;
    int entry;
  } arrivals[explore_most_threads * buffer_room];
  int otherCount = 0, arrivalCount = 0;
  for (int i = 0; i < fiberCount; i++) {
    if (&fibers[i] != running && can_run(&fibers[i])) others[otherCount++] = &fibers[i];
    for (int entry = 0; entry < fibers[i].buffered; entry++) {
      if (!may_arrive(&fibers[i], entry)) continue;
      arrivals[arrivalCount].fiber = &fibers[i];
      arrivals[arrivalCount++].entry = entry;
    }
  }
  if (otherCount + arrivalCount == 0) return false;
  int answer = pick(1 + otherCount + arrivalCount);
  if (answer == 0) return false;
  spent++;
  if (answer <= otherCount) {
    interrupt_for(others[answer - 1]);
    return false;
  }
  let_arrive(arrivals[answer - 1 - otherCount].fiber, arrivals[answer - 1 - otherCount].entry);
  return true;
}

static bool choose_by_chance(void) {
  fiber *able[explore_most_threads];
  int count = 0;
  for (int i = 0; i < fiberCount; i++) {
    if (&fibers[i] == running || can_run(&fibers[i])) able[count++] = &fibers[i];
    if (fibers[i].buffered == 0 || chance(8) != 0) continue;
    int entry = (int)chance((uint32_t)fibers[i].buffered);
    if (!may_arrive(&fibers[i], entry)) continue;
    let_arrive(&fibers[i], entry);
    return true;
  }
  if (chance(expected) < (uint32_t)changes) running->priority = --lowest;
  fiber *next = first_of(able, count);
  if (next != running) interrupt_for(next);
  return false;
}

static bool choose_as_before(void) {
  const decision *decision = replayed_decision();
  if (!decision) return false;
  fiber *which = &fibers[decision->which];
  if (decision->which >= fiberCount) fail("the schedule names a thread that does not exist");
  if (decision->kind == 's') {
    if (which == running || !can_run(which))
      fail("the schedule does not fit: thread %d", which->number);
    interrupt_for(which);
    return false;
  }
  if (decision->kind != 'd' || decision->entry >= which->buffered)
    fail("the schedule does not fit: step %u", now);
  let_arrive(which, decision->entry);
  return true;
}

void choose_before_step(bool isContended) {
  bool isOpen = true;
  while (isOpen) {
    question++;
    if (strategy_in_use == replaying) isOpen = choose_as_before();
    else if (!isContended) isOpen = false;
    else isOpen = strategy_in_use == exhaustive ? choose_exhaustively() : choose_by_chance();
  }
}

bool chooses_to_buffer(bool isContended) {
  question++;
  bool isBuffered = false;
  if (strategy_in_use == replaying) {
    isBuffered = replayed_decision() != NULL;
  } else if (!isContended) {
    return false;
  } else if (strategy_in_use == by_chance) {
    isBuffered = chance(16) < buffering;
  } else if (spent < bound && pick(2) == 1) {
    spent++;
    isBuffered = true;
  }
  if (isBuffered) record('b', 0, 0);
  return isBuffered;
}

fiber *choose_who_goes_on(fiber *const *able, int count) {
  question++;
  fiber *next = able[0];
  if (strategy_in_use == replaying) {
    const decision *decision = replayed_decision();
    if (decision) next = &fibers[decision->which];
    if (!can_run(next)) fail("the schedule does not fit: thread %d", next->number);
  } else if (count > 1) {
    next = strategy_in_use == exhaustive ? able[pick(count)] : first_of(able, count);
  }
  if (next != able[0]) record('f', next->number, 0);
  return next;
}
