/* Timers that are armed, disposed of and due in every order, beside a list that is searched from end to end. */
#include "cases.h"

enum { PLACES = 600, STEPS = 20000 };

typedef struct timer {
  belay_disposable *work; /* NULL: the place is free */
  int due, number;
} timer;

static timer timers[PLACES];
static belay_scheduler *time_;
static int now, waiting, armed, ran, freed;
static unsigned random_;

static int any(int count) {
  random_ = random_ * 1103515245u + 12345u;
  return (int)(random_ >> 8) % count;
}

static timer *first(void) {
  timer *least = NULL;
  for (timer *it = timers; it < timers + PLACES; it++)
    if (it->work && (!least || it->due < least->due ||
                     (it->due == least->due && it->number < least->number)))
      least = it;
  return least;
}

static timer *any_waiting(void) {
  timer *it = timers + any(PLACES);
  while (!it->work)
    if (++it == timers + PLACES) it = timers;
  return it;
}

static void forget(timer *it) {
  belay_disposable_release(it->work);
  it->work = NULL;
  waiting--;
}

static void change(void);

static void run(void *ctx) {
  timer *it = ctx;
  CHECK(it == first());
  now = it->due;
  ran++;
  forget(it);
  if (any(4) == 0) change();
}

static void count_freed(void *ctx) { freed++; }

/* Nearly all at once, soon, all for the same time, or far away. */
static int any_delay(void) {
  switch (any(4)) {
    case 0: return any(3);
    case 1: return any(50);
    case 2: return 100;
    default: return 1000 + any(1000);
  }
}

static void arm(void) {
  timer *it = timers;
  while (it->work) it++;
  int delay = any_delay();
  it->due = now + delay;
  it->number = armed++;
  CHECK_INT(belay_scheduler_after(time_, delay, run, it, count_freed, &it->work), 0);
  waiting++;
}

static void dispose(timer *it) {
  belay_disposable_dispose(it->work);
  forget(it);
}

static void change(void) {
  if (waiting == 0 || (waiting < PLACES && any(2) == 0)) return arm();
  dispose(any(2) == 0 ? first() : any_waiting());
}

static void advance(int span) {
  int end = now + span;
  CHECK_INT(belay_scheduler_advance(time_, span), 0);
  CHECK(waiting == 0 || first()->due > end);
  now = end;
}

/* `size` is how many wait at most. */
static void play(int size) {
  time_ = belay_scheduler_create_virtual();
  now = waiting = armed = ran = freed = 0;
  for (int step = 0; step < STEPS; step++) {
    int what = any(8);
    if (waiting < size && what < 4) arm();
    else if (what < 6) change();
    else if (what == 6) advance(any(4));
    // In one go, so that what waits is sorted again.
    else if (any(50) == 0) while (waiting > size / 2) dispose(first());
    else if (any(50) == 0) advance(2500);
  }
  CHECK_INT(belay_scheduler_flush(time_), 0);
  CHECK_INT(waiting, 0);
  CHECK(ran > STEPS / 20);
  CHECK_INT(freed, armed);
  belay_scheduler_release(time_);
}

static void few(void) { play(3); }
static void some(void) { play(20); }
static void many(void) { play(PLACES); }

static void those_that_wait_at_the_end(void) {
  time_ = belay_scheduler_create_virtual();
  now = waiting = armed = freed = 0;
  for (int i = 0; i < 100; i++) arm();
  // What is left is in all places that there are for it.
  dispose(first());
  CHECK(first() != NULL);
  advance(1);
  for (int i = 0; i < 100; i++) arm();
  for (timer *it = timers; it < timers + PLACES; it++)
    if (it->work) forget(it);
  CHECK(freed < armed);
  belay_scheduler_release(time_);
  CHECK_INT(freed, armed);
}

static const test_case cases[] = {
    CASE(few),
    CASE(some),
    CASE(many),
    CASE(those_that_wait_at_the_end),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
