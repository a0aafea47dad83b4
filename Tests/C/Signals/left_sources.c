/* What a source keeps of subscriptions that have left, and what its loop knows about it. */
#include "cases.h"

enum { LEAVERS = 4 };
static belay_disposable *leavers[LEAVERS];
static void end_leavers(void *ctx) {
  for (int i = 0; i < LEAVERS; i++) end_subscription(leavers[i]);
}

static void expect_one_left(void *ctx, const belay_open_resource *const *left, size_t count) {
  CHECK_INT(count, 1);
  CHECK_STRING(belay_open_resource_kind(left[0]), "subscription");
}

/* The source removes a subscription that has ended and not left yet. */
static void rule_1_1_close_interrupts_who_stayed_when_others_left(void) {
  belay_loop *loop = open_loop();
  belay_signal *subject = belay_subject_create(NULL), *trigger = belay_subject_create(NULL);
  watch(belay_signal_retain(subject), "stayed");
  for (int i = 0; i < LEAVERS; i++) leavers[i] = watched(belay_signal_retain(subject), "left");
  watch(belay_signal_chain(belay_signal_retain(subject),
                           belay_op_finally(end_leavers, NULL, NULL),
                           belay_op_take_until(belay_signal_retain(trigger))),
        "ended");
  belay_disposable *last = watched(belay_signal_retain(subject), "last");
  CHECK_INT(belay_subject_next(trigger, belay_null()), 0);
  end_subscription(last);
  trace_clear();
  CHECK_INT(belay_loop_close(loop, expect_one_left, NULL, NULL), 0);
  CHECK_TRACE("stayed disposed | stayed free");
  belay_loop_release(loop);
  belay_signal_release(subject);
  belay_signal_release(trigger);
}

/* A source that all subscriptions have left keeps none of them, and so does not keep itself. */
static void a_source_that_all_have_left_goes_with_its_loop(void) {
  belay_loop *loop = open_loop();
  belay_signal *subject = belay_subject_create(NULL);
  belay_disposable *first = watched(belay_signal_retain(subject), "first");
  belay_disposable *midst = watched(belay_signal_retain(subject), "midst");
  belay_disposable *last = watched(belay_signal_retain(subject), "last");
  end_subscription(midst);
  end_subscription(last);
  end_subscription(first);
  in_thread(release_signal, subject);
  close_loop(loop);
}

static const test_case cases[] = {
    CASE(rule_1_1_close_interrupts_who_stayed_when_others_left),
    CASE(a_source_that_all_have_left_goes_with_its_loop),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
