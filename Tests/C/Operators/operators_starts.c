/* A subscription that cannot start leaves nothing behind, whatever lies between it and the
   source. */
#include "every_operator.h"

static belay_scheduler *time_;
static belay_signal *elsewhere;
static void make_elsewhere(void *unused) { elsewhere = belay_subject_create(NULL); }

enum { FAILING = 2 };
/* Sources to which this thread cannot subscribe. */
static belay_signal *failing(int kind) {
  switch (kind) {
    /* A scheduler without a clock. */
    case 0:
      return belay_signal_chain(
          belay_signal_never(),
          belay_op_buffer_time(belay_scheduler_immediate(), 1, BELAY_UNLIMITED));
    /* Its home is a thread that has ended and had no loop. */
    default: return belay_signal_retain(elsewhere);
  }
}

static void a_start_that_fails_leaves_nothing(void) {
  time_ = belay_scheduler_create_virtual();
  in_thread(make_elsewhere, NULL);
  belay_op *op;
  for (int below = 0; (op = every_op(below, time_)); below++) {
    belay_op_release(op);
    for (int above = -1; above == -1 || (op = every_op(above, time_)); above++) {
      if (above >= 0) belay_op_release(op);
      for (int kind = 0; kind < FAILING; kind++) {
        size_t values = belay_live_count(BELAY_LIVE_VALUES);
        size_t subscriptions = belay_live_count(BELAY_LIVE_SUBSCRIPTIONS);
        belay_signal *signal = failing(kind);
        if (above >= 0) signal = belay_signal_chain(signal, every_op(above, time_));
        signal = belay_signal_chain(signal, every_op(below, time_));
        belay_observer observer = tracing("");
        belay_disposable *subscription = NULL;
        /* An operator may turn the failure into an error event. */
        belay_signal_subscribe(signal, &observer, &subscription);
        belay_signal_release(signal);
        belay_disposable_dispose(subscription);
        belay_disposable_release(subscription);
        CHECK_INT(belay_scheduler_advance(time_, 0) >= 0, 1);
        CHECK(strstr(trace_text(), "free") != NULL);
        trace_clear();
        belay_last_error();
        if (belay_live_count(BELAY_LIVE_VALUES) != values ||
            belay_live_count(BELAY_LIVE_SUBSCRIPTIONS) != subscriptions)
          check_failed(__FILE__, __LINE__, "source %d, operator %d above %d: something is left",
                       kind, above, below);
      }
    }
  }
  belay_signal_release(elsewhere);
  belay_scheduler_release(time_);
}

/* A loop lists what waits for another's time. */
static void times_that_are_refused_leave_nothing_at_the_loop(void) {
  belay_worker *worker = belay_worker_create(&BELAY_INIT(belay_worker_options, .label = "gone"));
  belay_scheduler *refusing[] = {belay_scheduler_retain(belay_worker_get_scheduler(worker)),
                                 belay_scheduler_retain(belay_scheduler_immediate())};
  belay_worker_release(worker);
  for (size_t i = 0; i < sizeof refusing / sizeof *refusing; i++) {
    belay_op *op;
    for (int kind = -1; kind == -1 || (op = every_op(kind, refusing[i])); kind++) {
      if (kind == -1) op = belay_op_skip_for(refusing[i], 1);
      belay_loop *loop = open_loop();
      belay_observer observer = tracing("");
      belay_disposable *subscription = NULL;
      belay_signal *signal = belay_signal_chain(belay_signal_never(), op);
      belay_signal_subscribe(signal, &observer, &subscription);
      belay_signal_release(signal);
      end_subscription(subscription);
      close_loop(loop);
      CHECK(strstr(trace_text(), "free") != NULL);
      trace_clear();
      belay_last_error();
    }
    belay_scheduler_release(refusing[i]);
  }
}

int main(int argc, char **argv) {
  static const test_case cases[] = {CASE(a_start_that_fails_leaves_nothing),
                                    CASE(times_that_are_refused_leave_nothing_at_the_loop)};
  return RUN_CASES(cases);
}
