/* Signals that last while an owner lives: take_during. */
#include "owned.h"
#include "stage.h"

static void take_during_completes_when_it_begins_to_die(void) {
  belay_owner *owner = traced_owner(NULL);
  belay_signal *subject = belay_subject_create(NULL);
  belay_signal *signal =
      belay_signal_chain(belay_signal_retain(subject), belay_op_take_during(owner));
  belay_disposable *subscription = watched(belay_signal_retain(signal), "");
  CHECK_INT(belay_subject_next(subject, belay_int32(1)), 0);
  CHECK_TRACE("next 1");
  belay_owner_release(owner);
  CHECK_TRACE("completed | disposed | free | deinit | dealloc");
  CHECK_INT(belay_subject_count(subject), 0);
  watch(signal, "late");
  CHECK_TRACE("late completed | late disposed | late free");
  belay_disposable_release(subscription);
  belay_signal_release(subject);
}

static void take_during_keeps_no_object_alive(void) {
  belay_owner *owner = traced_owner(NULL);
  belay_signal *signal = belay_signal_chain(belay_signal_never(), belay_op_take_during(owner));
  belay_owner_release(owner);
  CHECK_TRACE("deinit | dealloc");
  belay_signal_release(signal);
  CHECK(belay_op_take_during(NULL) == NULL);
}

static void A3_50_take_during_completes_without_a_value_before_the_deinit(void) {
  belay_owner *owner = traced_owner(NULL);
  belay_signal *during = belay_signal_chain(belay_signal_never(), belay_op_take_during(owner));
  watch(belay_signal_retain(during), "");
  belay_owner_release(owner);
  CHECK_TRACE("completed | disposed | free | deinit | dealloc");
  watch(during, "late");
  CHECK_TRACE("late completed | late disposed | late free");
  CHECK(belay_op_take_during(NULL) == NULL);
}

static const test_case cases[] = {
    CASE(take_during_completes_when_it_begins_to_die),
    CASE(take_during_keeps_no_object_alive),
    CASE(A3_50_take_during_completes_without_a_value_before_the_deinit),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
