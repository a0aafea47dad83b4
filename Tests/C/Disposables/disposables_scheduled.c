/* Disposal on a scheduler (A2-26): at a loop, and on what has no loop any more. */
#include "cases.h"

static void A2_26_scheduled_disposes_on_the_loop_once(void) {
  belay_loop *loop = belay_loop_create(NULL);
  belay_disposable *inner = belay_disposable_create(trace_action, "inner", trace_free);
  belay_disposable *s = belay_scheduled_create(belay_loop_get_scheduler(loop), inner);
  for (int i = 0; i < 3; i++) belay_disposable_dispose(s);
  CHECK_INT(belay_disposable_is_disposed(s), 1);
  CHECK_INT(belay_disposable_is_disposed(inner), 0);
  CHECK_TRACE("");
  CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  CHECK_TRACE("action inner | free inner");
  belay_disposable_dispose(s);
  CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  CHECK_TRACE("");
  belay_disposable_release(s);
  belay_disposable_release(inner);
  CHECK_INT(belay_loop_close(loop, NULL, NULL, NULL), 0);
  belay_loop_release(loop);
}

static void *dispose_thrice(void *d) {
  for (int i = 0; i < 3; i++) belay_disposable_dispose(d);
  return NULL;
}
static void A2_26_several_disposals_enqueue_once(void) {
  belay_loop *loop = belay_loop_create(NULL);
  belay_disposable *inner = belay_disposable_create(trace_action, "inner", trace_free);
  belay_disposable *s = belay_scheduled_create(belay_loop_get_scheduler(loop), inner);
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, dispose_thrice, s);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  CHECK_TRACE("");
  CHECK_INT(belay_loop_queue_high_water(loop), 1);
  CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  CHECK_TRACE("action inner | free inner");
  belay_disposable_release(s);
  belay_disposable_release(inner);
  CHECK_INT(belay_loop_close(loop, NULL, NULL, NULL), 0);
  belay_loop_release(loop);
}

static void scheduled_on_the_immediate_one(void) {
  belay_disposable *inner = belay_disposable_create(trace_action, "inner", trace_free);
  belay_disposable *s = belay_scheduled_create(belay_scheduler_immediate(), inner);
  belay_disposable_dispose(s);
  CHECK_TRACE("action inner | free inner");
  belay_disposable_release(s);
  belay_disposable_release(inner);
}

/* The work ends though its loop takes nothing any more. */
static void scheduled_on_a_closed_loop(void) {
  belay_loop *loop = belay_loop_create(NULL);
  belay_disposable *inner = belay_disposable_create(trace_action, "inner", trace_free);
  belay_disposable *s = belay_scheduled_create(belay_loop_get_scheduler(loop), inner);
  CHECK_INT(belay_loop_close(loop, NULL, NULL, NULL), 0);
  belay_disposable_dispose(s);
  CHECK_TRACE("action inner | free inner");
  belay_disposable_release(s);
  belay_disposable_release(inner);
  belay_loop_release(loop);
}

/* It also ends when its loop is closed with the disposal in its queue. */
static void scheduled_on_a_loop_that_is_closed_meanwhile(void) {
  belay_loop *loop = belay_loop_create(NULL);
  belay_disposable *inner = belay_disposable_create(trace_action, "inner", trace_free);
  belay_disposable *s = belay_scheduled_create(belay_loop_get_scheduler(loop), inner);
  belay_disposable_dispose(s);
  CHECK_INT(belay_loop_close(loop, NULL, NULL, NULL), 0);
  CHECK_INT(belay_disposable_is_disposed(inner), 1);
  CHECK_TRACE("action inner | free inner");
  belay_disposable_release(s);
  belay_disposable_release(inner);
  belay_loop_release(loop);
}

/* ---- on a virtual scheduler that goes before it has run the disposal ---- */

/* Keeps the inner one and the scheduler. */
static belay_disposable *scheduled_on(belay_scheduler *scheduler) {
  belay_disposable *inner = belay_disposable_create(trace_action, "inner", trace_free);
  belay_disposable *made = belay_scheduled_create(scheduler, inner);
  belay_disposable_release(inner);
  return made;
}

/* What waits for the disposal must not keep the scheduler. */
static void a_waiting_owner_lets_the_scheduler_go(void) {
  belay_scheduler *virtual = belay_scheduler_create_virtual();
  belay_disposable *s = scheduled_on(virtual);
  belay_disposable *counted = belay_ref_counted_create(s);
  belay_owner *owner = belay_owner_create(NULL, NULL, NULL, NULL);
  CHECK_INT(belay_owner_add(owner, counted), 0);
  belay_disposable_release(s);
  belay_disposable_dispose(counted);
  belay_disposable_release(counted);
  belay_owner_release(owner);
  CHECK_TRACE("");
  belay_scheduler_release(virtual);
  CHECK_TRACE("action inner | free inner");
}

static void alone_it_goes_with_the_scheduler(void) {
  belay_scheduler *virtual = belay_scheduler_create_virtual();
  belay_disposable *s = scheduled_on(virtual);
  belay_disposable_dispose(s);
  CHECK_TRACE("");
  belay_scheduler_release(virtual);
  CHECK_TRACE("action inner | free inner");
  belay_disposable_release(s);
}

static void the_last_reference_is_its_own(void) {
  belay_scheduler *virtual = belay_scheduler_create_virtual();
  belay_disposable *s = scheduled_on(virtual);
  belay_scheduler_release(virtual);
  CHECK_TRACE("");
  belay_disposable_dispose(s);
  CHECK_TRACE("action inner | free inner");
  belay_disposable_release(s);
}

static const test_case cases[] = {
    CASE(A2_26_scheduled_disposes_on_the_loop_once),
    CASE(A2_26_several_disposals_enqueue_once),
    CASE(scheduled_on_the_immediate_one),
    CASE(scheduled_on_a_closed_loop),
    CASE(scheduled_on_a_loop_that_is_closed_meanwhile),
    CASE(a_waiting_owner_lets_the_scheduler_go),
    CASE(alone_it_goes_with_the_scheduler),
    CASE(the_last_reference_is_its_own),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
