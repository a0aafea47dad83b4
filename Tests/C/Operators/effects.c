/* Operators beside the flow. A breakpoint is SIGTRAP before an event is passed on. */
#include <signal.h>

#include "texts.h"

/* The signal handler counts here, for it may not trace. */
static volatile sig_atomic_t traps;
static void trap(int number) { traps += number == SIGTRAP; }

static void handle_traps(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = trap;
  CHECK_INT(sigaction(SIGTRAP, &action, NULL), 0);
  traps = 0;
}

/* Each event traces how many traps there were before it was passed on. */
static void next(void *unused, belay_value value) { trace("%d after %d", int_of(value), (int)traps); }
static void error(void *unused, const belay_error *error) { trace("error after %d", (int)traps); }
static void completed(void *unused) { trace("completed after %d", (int)traps); }

static void run(belay_signal *source, belay_op *op) {
  belay_observer observer = {.size = sizeof observer, .next = next, .error = error,
                             .completed = completed};
  belay_signal *signal = belay_signal_chain(source, op);
  CHECK(signal != NULL);
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  belay_signal_release(signal);
}

static int at_two(void *count, belay_value value) {
  if (count) ++*(int *)count;
  return int_of(value) == 2;
}
static int answer;
static int at_answer(void *unused) { return answer; }
static int at_missing(void *unused, const belay_error *error) {
  return belay_error_code(error) == BELAY_ENOENT;
}
static int fails(void *unused, belay_value value) { return belay_fail(BELAY_EBUSY, "no answer"); }

static void stops_where_it_is_asked_to(void) {
  int calls = 0, freed = 0;
  handle_traps();
  run(numbers(1, 3), belay_op_breakpoint(at_two, NULL, NULL, &calls, NULL));
  CHECK_INT(calls, 3);
  CHECK_TRACE("1 after 0 | 2 after 1 | 3 after 1 | completed after 1");
  run(failing(), belay_op_breakpoint(NULL, at_missing, NULL, NULL, NULL));
  CHECK_TRACE("error after 2");
  answer = 1;
  run(numbers(1, 1), belay_op_breakpoint(NULL, NULL, at_answer, &freed, count_free));
  CHECK_TRACE("1 after 2 | completed after 3");
  CHECK_INT(freed, 1);
}

static void stops_only_at_what_is_answered_with_1(void) {
  handle_traps();
  run(numbers(1, 2), belay_op_breakpoint(NULL, NULL, NULL, NULL, NULL));
  run(failing(), belay_op_breakpoint(NULL, NULL, NULL, NULL, NULL));
  static const int answers[] = {-1, 0, 2};
  for (int i = 0; i < 3; i++) {
    answer = answers[i];
    run(belay_signal_empty(), belay_op_breakpoint(NULL, NULL, at_answer, NULL, NULL));
  }
  run(numbers(1, 1), belay_op_breakpoint(fails, NULL, NULL, NULL, NULL));
  CHECK_INT(traps, 0);
  CHECK(belay_last_error() == NULL);
  trace_clear();
}

static void stops_at_any_error(void) {
  handle_traps();
  run(numbers(1, 1), belay_op_breakpoint_on_error());
  CHECK_TRACE("1 after 0 | completed after 0");
  run(failing(), belay_op_breakpoint_on_error());
  CHECK_TRACE("error after 1");
}

/* ---- finally, initially, log ---- */

static belay_op *finally(const char *name) {
  return belay_op_finally(trace_action, (void *)name, trace_free);
}

static void rule_1_1_finally_runs_at_every_end(void) {
  watch(belay_signal_chain(numbers(1, 1), finally("f")), "");
  CHECK_TRACE("next 1 | completed | disposed | action f | free | free f");
  belay_error *error = belay_error_create(BELAY_EINVAL, NULL, NULL, belay_null(), NULL);
  watch(belay_signal_chain(belay_signal_error(error), finally("f")), "");
  CHECK_TRACE("error EINVAL | disposed | action f | free | free f");
  belay_error_release(error);
  end_subscription(watched(belay_signal_chain(belay_signal_never(), finally("f")), ""));
  CHECK_TRACE("action f | disposed | free f | free");
  belay_signal *subject = belay_subject_create(NULL);
  watch(belay_signal_chain(subject, finally("f")), "");
  CHECK_TRACE("action f | disposed | free | free f");
}

static void initially_before_each_subscription(void) {
  belay_signal *signal = belay_signal_chain(
      numbers(1, 1), belay_op_initially(trace_action, "i", trace_free));
  watch(belay_signal_retain(signal), "");
  CHECK_TRACE("action i | next 1 | completed | disposed | free");
  watch(signal, "");
  CHECK_TRACE("action i | next 1 | completed | disposed | free | free i");
}

static void hear_line(void *ctx, const char *line) {
  (void)ctx;
  trace("<%s>", line);
}

static void log_lines(void) {
  watch(belay_signal_chain(numbers(1, 2), belay_op_log("n", "a.c:7", hear_line, NULL, NULL)), "");
  CHECK_TRACE("<a.c:7: n: next 1> | next 1 | <a.c:7: n: next 2> | next 2 | "
              "<a.c:7: n: completed> | completed | disposed | <a.c:7: n: disposed> | free");
  belay_error *error = belay_error_create(BELAY_EINVAL, NULL, "no good", belay_null(), NULL);
  watch(belay_signal_chain(belay_signal_error(error),
                           belay_op_log(NULL, NULL, hear_line, "c", trace_free)),
        "");
  CHECK_TRACE("<error: error no good> | error EINVAL | disposed | <error: disposed> | free | "
              "free c");
  belay_error_release(error);
}

static void missing_callbacks(void) {
  CHECK(belay_op_finally(NULL, "f", trace_free) == NULL);
  CHECK(belay_op_initially(NULL, "i", trace_free) == NULL);
  CHECK_TRACE("free f | free i");
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
}

static const test_case cases[] = {
    CASE(stops_where_it_is_asked_to),
    CASE(stops_only_at_what_is_answered_with_1),
    CASE(stops_at_any_error),
    CASE(rule_1_1_finally_runs_at_every_end),
    CASE(initially_before_each_subscription),
    CASE(log_lines),
    CASE(missing_callbacks),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
