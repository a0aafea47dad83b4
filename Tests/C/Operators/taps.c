/* Side effects on the way of a subscription: its start, its events, its end of any kind. */
#include "script.h"

static script source;

/* The source, a tap of its start, one of its events, one of its end. */
static belay_signal *tapped(const char *steps) {
  source = (script){.steps = steps, .teardown = "source"};
  return belay_signal_chain(scripted(&source),
                            belay_op_initially(trace_action, "subscribe", NULL), tap("tap"),
                            belay_op_finally(trace_action, "finally", NULL));
}
static belay_disposable *observed(belay_signal *signal) {
  belay_disposable *made = subscribed(signal, tracing(""));
  belay_signal_release(signal);
  return made;
}

static void a_start_is_told_before_the_source_sends(void) {
  belay_signal *signal = tapped("1c");
  CHECK_TRACE("");
  for (int i = 0; i < 2; i++) {
    belay_disposable_release(subscribed(signal, unfreed("")));
    CHECK_TRACE("action subscribe | tap next 1 | next 1 | tap completed | completed | disposed | "
                "action finally | tap disposed | action source");
  }
  belay_signal_release(signal);
}

static void after_an_error(void) {
  belay_disposable_release(observed(tapped("1e")));
  CHECK_TRACE("action subscribe | tap next 1 | next 1 | tap error ERANGE | error ERANGE | disposed | "
              "action finally | tap disposed | free | action source");
}

/* RxJS's tap on unsubscribe: `disposed` without an end before it. */
static void a_disposal_is_told_without_an_end(void) {
  belay_disposable *subscription = observed(tapped("1k"));
  CHECK_TRACE("action subscribe | tap next 1 | next 1");
  belay_disposable_dispose(subscription);
  CHECK_TRACE("action source | tap disposed | action finally | disposed | free");
  belay_disposable_dispose(subscription);
  belay_disposable_release(subscription);
  drop(&source);
  CHECK_TRACE("");
}

static void an_interruption_is_told_as_a_disposal_is(void) {
  belay_disposable_release(observed(tapped("1k")));
  trace_clear();
  drop(&source);
  CHECK_TRACE("action source | tap disposed | action finally | disposed | free");
}

static void an_owners_death(void) {
  belay_owner *owner = belay_owner_create(NULL, NULL, NULL, NULL);
  belay_observer observer = tracing("");
  observer.owner = owner;
  belay_signal *signal = tapped("k");
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  belay_signal_release(signal);
  CHECK_TRACE("action subscribe");
  belay_owner_release(owner);
  CHECK_TRACE("action source | tap disposed | action finally | disposed | free");
  drop(&source);
}

static void refuse_error(void *ctx, const belay_error *error) { belay_fail(BELAY_EBUSY, "no"); }
static void refuse_end(void *ctx) { belay_fail(BELAY_EBUSY, "no"); }

static void what_fails_takes_the_place_of_the_end(void) {
  belay_observer refusing = BELAY_INIT(belay_observer);
  refusing.error = refuse_error;
  refusing.completed = refuse_end;
  for (int i = 0; i < 2; i++) {
    source = (script){.steps = i == 0 ? "1e" : "1c", .teardown = "source"};
    belay_signal *signal = belay_signal_chain(scripted(&source), belay_op_do(&refusing), tap("below"));
    belay_disposable_release(observed(signal));
    CHECK_TRACE("below next 1 | next 1 | below error EBUSY | error EBUSY | disposed | "
                "below disposed | free | action source");
  }
}

int main(int argc, char **argv) {
  const test_case cases[] = {
      CASE(what_fails_takes_the_place_of_the_end),
      CASE(a_start_is_told_before_the_source_sends),
      CASE(after_an_error),
      CASE(a_disposal_is_told_without_an_end),
      CASE(an_interruption_is_told_as_a_disposal_is),
      CASE(an_owners_death),
  };
  return RUN_CASES(cases);
}
