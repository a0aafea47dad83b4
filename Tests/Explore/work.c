/* Work that runs itself again, while the loop closes and other threads ask for more. */
#include "explore.h"

static belay_loop *loop;
static belay_recursion *recursion;
/* Runs that were asked for with success, with the first; and what became of them. */
static int accepted, runs, frees, asksInside;
static uint64_t lost_before;

static void ask(void) {
  int code = belay_recursion_again(recursion);
  explore_require(code == 0 || code == BELAY_ECANCELED);
  accepted += code == 0;
}
static void ask_twice(void) {
  ask();
  ask();
}
static void run(void *ctx, belay_recursion *own) {
  (void)ctx;
  runs++;
  if (!recursion) recursion = belay_recursion_retain(own);
  for (; asksInside > 0; asksInside--) ask();
}
static void on_free(void *ctx) {
  (void)ctx;
  frees++;
}
static void make(void) {
  recursion = NULL;
  runs = frees = 0;
  accepted = 1;
  loop = belay_loop_create(NULL);
  belay_scheduler_recursive(belay_loop_get_scheduler(loop), run, NULL, on_free, NULL);
  explore_settle(loop);
  lost_before = belay_lost_count();
}
static void close_loop(void) {
  belay_loop_retain(loop);
  explore_close_in_use(loop);
}
static void turn_and_close(void) {
  asksInside = 2;
  explore_turn(loop);
  close_loop();
}
static void let_go(void) {
  asksInside = 0;
  belay_recursion_release(recursion);
  belay_loop_release(loop);
}
/* What was accepted has run, or counts as lost. */
static void check(void) {
  explore_require(runs + (int)(belay_lost_count() - lost_before) == accepted);
  explore_require(frees == 1);
}

const explore_scenario explore_work[] = {
    {"work: asked for again x close",
     {{make, close_loop, let_go}, {NULL, ask_twice, NULL}}, check, 0},
    {"work: asked for again on two threads x close",
     {{make, close_loop, let_go}, {NULL, ask, NULL}, {NULL, ask, NULL}}, check, 0},
    {"work: asked for again x a run, close",
     {{make, turn_and_close, let_go}, {NULL, ask_twice, NULL}}, check, 0},
    {0},
};
