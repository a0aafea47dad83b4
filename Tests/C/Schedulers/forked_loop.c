/* The loop of a thread that forks, in the child. */
#include "in_a_child.h"
#include "sanitizer.h"

#include <uv.h>

#define IN_A_CHILD(run) CHECK_INT(run_in_a_child(&(test_case){#run, run}, 1), 0)

/* Subjects need no loop, and the child's thread is the one that has made them. */
static belay_signal *made_before;
static void send_to_what_was_there(void) {
  send_int(made_before, 1);
  CHECK_TRACE("next 1");
}

static void without_a_loop_nothing_changes(void) {
  made_before = belay_subject_create(NULL);
  watch(also(made_before), "");
  IN_A_CHILD(send_to_what_was_there);
  send_int(made_before, 2);
  belay_signal_release(made_before);
  CHECK_TRACE("next 2 | disposed | free");
}

#ifndef BENEATH_THREAD_SANITIZER /* which does not know libuv's descriptors after a fork */
static belay_loop *parents;
static struct uv_loop_s *parents_uv;
static int ends[2];

static void take_byte(void *ctx, belay_value value) {
  char byte;
  (void)ctx, (void)value;
  CHECK_INT(read(ends[0], &byte, 1), 1);
  trace("heard");
}

/* While the child is there and after it, the parent's loop hears of its pipe. */
static void check_parent(void) {
  for (int i = 0; i < 3; i++) {
    CHECK_INT(write(ends[1], "x", 1), 1);
    belay_loop_run(parents, BELAY_RUN_NOWAIT);
  }
  CHECK_TRACE("heard | heard | heard");
  trace_clear();
}

static void begin(void) {
  CHECK_INT(pipe(ends), 0);
  parents = open_loop();
  parents_uv = belay_loop_uv(parents);
  belay_signal *signal = belay_poll(parents, ends[0], BELAY_POLL_READABLE);
  belay_observer observer = BELAY_INIT(belay_observer, .next = take_byte, .loop = parents);
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  belay_signal_release(signal);
  check_parent();
}

static void end(void) {
  CHECK_INT(belay_loop_close(parents, NULL, NULL, NULL), 0);
  belay_loop_release(parents);
  for (int i = 0; i < 2; i++) close(ends[i]);
}

static void use_a_loop_of_its_own(void) {
  CHECK(belay_loop_current() == NULL);
  belay_loop *own = open_loop();
  CHECK(belay_loop_uv(own) != parents_uv);
  CHECK(belay_loop_current() == own);
  CHECK_INT(belay_scheduler_after(belay_loop_get_scheduler(own), 0, trace_action, "timer",
                                  trace_free, NULL),
            0);
  run_to_end(own);
  CHECK_TRACE("action timer | free timer");
  close_loop(own);
}

static void the_child_makes_one_of_its_own(void) {
  begin();
  IN_A_CHILD(use_a_loop_of_its_own);
  check_parent();
  end();
}

static void try_the_parents(void) {
  CHECK_FAILS(belay_loop_run(parents, BELAY_RUN_NOWAIT), BELAY_EWRONGTHREAD);
  CHECK_INT(belay_loop_post(parents, empty_action, NULL, NULL), 0);
  CHECK_FAILS(belay_loop_close(parents, NULL, NULL, NULL), BELAY_EWRONGTHREAD);
  belay_loop_release(parents);
  use_a_loop_of_its_own();
}

static void the_parents_is_not_closed_there(void) {
  begin();
  IN_A_CHILD(try_the_parents);
  check_parent();
  end();
}

/* libuv renews what the kernel has of a loop. */
static void take_the_parents(void) {
  CHECK_INT(uv_loop_fork(parents_uv), 0);
  CHECK_INT(belay_loop_bind(parents), 0);
  CHECK(belay_loop_current() == parents);
  check_parent();
}

static void the_parents_may_be_taken_when_libuv_has_renewed_it(void) {
  begin();
  IN_A_CHILD(take_the_parents);
  check_parent();
  end();
}
#endif

int main(int argc, char **argv) {
  static const test_case cases[] = {
      CASE(without_a_loop_nothing_changes),
#ifndef BENEATH_THREAD_SANITIZER
      CASE(the_child_makes_one_of_its_own),
      CASE(the_parents_is_not_closed_there),
      CASE(the_parents_may_be_taken_when_libuv_has_renewed_it),
#endif
  };
  return RUN_CASES(cases);
}
