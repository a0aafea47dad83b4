/* The close of a scheduler over a loop of the host's own calls what may drive that loop. Work that
   is due then does not begin. */
#include "own_loop.h"

static belay_scheduler *scheduler;
static belay_signal *subject;

/* Two turns: the second one has the timer that the first one may set. */
static void drive(void *ctx) {
  trace("drives");
  own_turn(&own);
  own_turn(&own);
  trace("has driven");
}

/* Subscribes, and lets go of the signal. */
static void follow(belay_signal *signal, const char *name, void (*disposed)(void *)) {
  belay_observer observer = unfreed(name);
  if (disposed) observer.disposed = disposed;
  CHECK(signal != NULL);
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  belay_signal_release(signal);
}

/* Opens the loop, with a subscription whose end drives it. */
static void begin(void) {
  scheduler = open_own();
  subject = belay_subject_create(NULL);
  follow(also(subject), "", drive);
}

static void do_at_once(const char *name) {
  CHECK_INT(belay_scheduler_after(scheduler, 0, trace_action, (void *)name, trace_free, NULL), 0);
}

/* Closes. The host has run a timer meanwhile, and what it runs later does nothing. */
static void finish(const char *expected) {
  CHECK_INT(belay_scheduler_close(scheduler, trace_closed, NULL, NULL), 0);
  CHECK(own.timers > 0);
  CHECK_TRACE(expected);
  own_turn(&own);
  CHECK_TRACE("");
  belay_signal_release(subject);
  own_leave(&own, scheduler);
}

static void work_that_is_due_does_not_begin(void) {
  begin();
  do_at_once("late");
  finish("drives | free late | has driven | closed");
}

static void nor_does_other_work_that_is_due(void) {
  begin();
  do_at_once("one");
  do_at_once("two");
  finish("drives | free one | free two | has driven | closed");
}

static void nor_does_work_that_repeats(void) {
  begin();
  CHECK_INT(belay_scheduler_every(scheduler, 0, 1000, 0, trace_action, "late", trace_free, NULL),
            0);
  finish("drives | free late | has driven | closed");
}

/* Its subscription is the next one to be ended. */
static void a_timer_that_is_due_sends_nothing(void) {
  begin();
  follow(belay_signal_timer(scheduler, 0), "timer", NULL);
  finish("drives | timer disposed | has driven | closed");
}

/* The context of work that the close drops drives the loop, too. */
static void what_is_dropped_may_drive_the_loop(void) {
  scheduler = open_own();
  subject = NULL;
  CHECK_INT(belay_scheduler_after(scheduler, 0, trace_action, "first", drive, NULL), 0);
  do_at_once("second");
  finish("drives | free second | has driven | closed");
}

static const test_case cases[] = {
    CASE(work_that_is_due_does_not_begin),
    CASE(nor_does_other_work_that_is_due),
    CASE(nor_does_work_that_repeats),
    CASE(a_timer_that_is_due_sends_nothing),
    CASE(what_is_dropped_may_drive_the_loop),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
