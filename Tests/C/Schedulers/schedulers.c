/* Schedulers: immediate, trampoline, loop; the current one. */
#include "scheduled.h"

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
    CHECK_FAILS(
        belay_scheduler_every(without[i], 1, 1, 0, empty_action, "every", trace_free, &work),
        BELAY_EINVAL);
    CHECK(work == NULL);
    CHECK_TRACE("free after | free every");
  }
}

static void null_arguments(void) {
  belay_scheduler *immediate = belay_scheduler_immediate();
  CHECK_FAILS(belay_scheduler_schedule(NULL, empty_action, "1", trace_free, NULL), BELAY_EINVAL);
  CHECK_FAILS(belay_scheduler_after(NULL, 0, empty_action, "2", trace_free, NULL), BELAY_EINVAL);
  CHECK_FAILS(belay_scheduler_every(NULL, 0, 1, 0, empty_action, "3", trace_free, NULL),
              BELAY_EINVAL);
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

static void nest_schedulers(void *loop) {
  belay_scheduler *own = belay_loop_get_scheduler(loop);
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
  /* The current scheduler belongs to none of the users of the loop. */
  belay_scheduler *current = belay_scheduler_current();
  CHECK(current != NULL && current != belay_loop_get_scheduler(loop));
  in_thread(current_elsewhere, NULL);
  close_loop(loop);
  CHECK(belay_scheduler_current() == NULL);
}

static void A3_24_current_scheduler_restored(void) {
  belay_loop *loop = open_loop();
  belay_scheduler *scheduler = belay_loop_get_scheduler(loop);
  CHECK_INT(belay_scheduler_schedule(scheduler, nest_schedulers, loop, NULL, NULL), 0);
  CHECK_INT(belay_scheduler_after(scheduler, 0.001, nest_schedulers, loop, NULL, NULL), 0);
  run_to_end(loop);
  CHECK_TRACE("inside | inside");
  close_loop(loop);
}

/* ---- a loop's: once ---- */

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

static void arm_four(void) {
  CHECK_INT(belay_scheduler_after(scheduler, 0.009, trace_action, "third", NULL, NULL), 0);
  CHECK_INT(belay_scheduler_after(scheduler, 0.001, trace_action, "first", NULL, NULL), 0);
  CHECK_INT(belay_scheduler_after(scheduler, 0.005, trace_action, "second", NULL, NULL), 0);
  CHECK_INT(belay_scheduler_after(scheduler, -5, trace_action, "negative", trace_free, NULL), 0);
  CHECK_TRACE("");
}

static void after_runs_in_the_order_of_deadlines(void) {
  open_scheduler();
  arm_at_once(loop, arm_four);
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
  CHECK_INT(belay_scheduler_after(scheduler, 1, empty_action, "b", trace_free, &to_dispose), 0);
  CHECK_INT(belay_disposable_dispose_sync(to_dispose, -1), 0);
  CHECK_TRACE("free b");
  belay_disposable_release(to_dispose);
  run_to_end(loop);
  close_loop(loop);
}

/* Its context waits, inside of its own end, for the work or for the work's owner. */
static int owned;
static void await_the_end(void *ends_owner) {
  belay_disposable *work = to_dispose;
  to_dispose = NULL;
  if (ends_owner) {
    CHECK_INT(belay_owner_end(&owned, NULL, NULL), 0);
    trace("owner ended");
  } else {
    CHECK_FAILS(belay_disposable_dispose_sync(work, -1), BELAY_EINPROGRESS);
    trace("in progress");
  }
  belay_disposable_release(work);
}

static void schedule_a_context_that_waits(belay_scheduler *where, char *ends_owner) {
  belay_owner *owner = belay_owner_adopt(&owned, NULL);
  CHECK_INT(
      belay_scheduler_schedule(where, empty_action, ends_owner, await_the_end, &to_dispose), 0);
  CHECK_INT(belay_owner_add(owner, to_dispose), 0);
  belay_owner_release(owner);
}

static void schedule_one_that_waits(void *ends_owner) {
  schedule_a_context_that_waits(belay_scheduler_trampoline(), ends_owner);
}

static void a_context_of_work_waits_for_its_own_end(void) {
  static const char *const said[] = {"in progress", "owner ended"};
  for (int ends_owner = 0; ends_owner < 2; ends_owner++) {
    char *how = ends_owner ? "ends owner" : NULL;
    open_scheduler();
    belay_scheduler *virtual = belay_scheduler_create_virtual();
    for (int is_run = 0; is_run < 2; is_run++)
      for (int is_virtual = 0; is_virtual < 2; is_virtual++) {
        schedule_a_context_that_waits(is_virtual ? virtual : scheduler, how);
        if (!is_run) belay_disposable_dispose(to_dispose);
        run_to_end(loop);
        belay_scheduler_advance(virtual, 1);
        CHECK_TRACE(said[ends_owner]);
      }
    CHECK_INT(belay_scheduler_schedule(belay_scheduler_trampoline(), schedule_one_that_waits, how,
                                       NULL, NULL),
              0);
    CHECK_TRACE(said[ends_owner]);
    if (!ends_owner) CHECK_INT(belay_owner_end(&owned, NULL, NULL), 0);
    belay_scheduler_release(virtual);
    close_loop(loop);
  }
}

/* ---- from another thread ---- */

/* The library's data holds both schedulers. */
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
    CASE(a_context_of_work_waits_for_its_own_end),
    CASE(any_threads_use_the_schedulers_of_all),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
