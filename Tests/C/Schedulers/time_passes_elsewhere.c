/* Virtual time that another thread advances, for subscriptions at a thread without a loop. Nothing can
   get there, so what would have come is counted as lost, and a subscription that waits for it ends. */
#include "cases.h"

static belay_scheduler *time_;
static belay_signal *source;

static void advance_two(void *ignored) { CHECK_INT(belay_scheduler_advance(time_, 2.5), 0); }

static belay_signal *waiting(int kind) {
  switch (kind) {
    case 0: return belay_signal_chain(also(source), belay_op_debounce(time_, 1));
    case 1: return belay_signal_chain(also(source), belay_op_delay(time_, 1));
    case 2: return belay_signal_chain(also(source), belay_op_timeout(time_, 1, NULL));
    case 3:
      return belay_signal_chain(also(source), belay_op_buffer_time(time_, 1, BELAY_UNLIMITED));
    case 4: return belay_signal_chain(also(source), belay_op_observe_on(time_, NULL));
    case 5: return belay_signal_chain(also(source), belay_op_subscribe_on(time_));
    case 6: return belay_signal_chain(also(source), belay_op_throttle(time_, 1, 0, 1));
    case 7: return belay_signal_chain(also(source), belay_op_audit(time_, 1));
    case 8: return belay_signal_chain(also(source), belay_op_sample_time(time_, 1));
    case 9: return belay_signal_chain(also(source), belay_op_take_for(time_, 1));
    case 10: return belay_signal_chain(also(source), belay_op_delay_subscription(time_, 1));
    case 11: return belay_signal_chain(also(source), belay_op_window_time(time_, 1, 9));
    default: return NULL;
  }
}

static void a_subscription_that_waits_ends(void) {
  for (int kind = 0;; kind++) {
    time_ = belay_scheduler_create_virtual();
    source = belay_subject_create(NULL);
    belay_signal *signal = waiting(kind);
    if (signal) {
      belay_observer observer = tracing("");
      observer.next = NULL;
      uint64_t lost = belay_lost_count();
      CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
      belay_signal_release(signal);
      send_int(source, 1);
      in_thread(advance_two, NULL);
      CHECK_TRACE("disposed | free");
      if (belay_lost_count() == lost) check_failed(__FILE__, __LINE__, "kind %d is silent", kind);
      send_int(source, 2);
    }
    belay_signal_release(source);
    belay_scheduler_release(time_);
    if (!signal) return;
  }
}

static void the_numbers_of_an_interval_are_counted(void) {
  time_ = belay_scheduler_create_virtual();
  uint64_t lost = belay_lost_count();
  belay_disposable *subscription = watched(belay_signal_interval(time_, 1), "");
  in_thread(advance_two, NULL);
  CHECK_INT((int)(belay_lost_count() - lost), 2);
  CHECK_INT(belay_scheduler_advance(time_, 1), 0);
  CHECK_TRACE("next 2");
  end_subscription(subscription);
  CHECK_TRACE("disposed | free");
  belay_scheduler_release(time_);
}

int main(int argc, char **argv) {
  const test_case cases[] = {
      CASE(a_subscription_that_waits_ends),
      CASE(the_numbers_of_an_interval_are_counted),
  };
  return RUN_CASES(cases);
}
