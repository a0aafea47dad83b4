/* Commands: one execution at a time, what they tell, and who may forbid them. */
#include <malloc.h>
#include "numbers.h"
#include "script.h"

static belay_signal *source;
static belay_command *command;

static belay_signal *run_source(void *unused, belay_value input) {
  trace("run %d", int_of(input));
  if (int_of(input) < 0) {
    belay_fail(BELAY_ERANGE, "negative");
    return NULL;
  }
  return belay_signal_chain(belay_signal_retain(source), belay_op_take(2));
}

static void open_command(belay_signal *enabled) {
  source = belay_subject_create(NULL);
  command = belay_command_create(enabled, run_source, "context", trace_free);
  CHECK(command != NULL);
}

static void close_command(void) {
  belay_command_release(command);
  belay_signal_release(source);
}

static void as_bool(void *prefix, belay_value value) {
  int truth;
  CHECK_INT(belay_value_get_bool(value, &truth), 0);
  trace("%s %s", (const char *)prefix, truth ? "yes" : "no");
}

static void watch_bool(belay_signal *signal, const char *prefix) {
  belay_observer observer = {.size = sizeof observer, .next = as_bool, .ctx = (void *)prefix};
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  belay_signal_release(signal);
}

static void send(int value) { CHECK_INT(belay_subject_next(source, belay_int32(value)), 0); }

static void A3_65_one_execution_at_a_time(void) {
  open_command(NULL);
  watch_bool(belay_command_executing(command), "executing");
  watch_bool(belay_command_enabled(command), "enabled");
  watch(belay_command_values(command), "values");
  CHECK_TRACE("executing no | enabled yes");
  belay_signal *execution = belay_command_execute(command, belay_int32(1));
  CHECK_TRACE("executing yes | enabled no | run 1");
  CHECK(belay_command_execute(command, belay_string("given away, also on failure")) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EBUSY);
  send(5);
  watch(execution, "execution");
  send(6);
  CHECK_TRACE("values next 5 | execution next 5 | execution next 6 | values next 6 | "
              "executing no | enabled yes | execution completed | "
              "execution disposed | execution free");
  close_command();
  CHECK_TRACE("values completed | values disposed | values free | free context");
}

static void A3_65_disabled(void) {
  belay_signal *enabled = belay_subject_create_behavior(belay_bool(0), NULL);
  open_command(belay_signal_retain(enabled));
  watch_bool(belay_command_enabled(command), "enabled");
  CHECK(belay_command_execute(command, belay_int32(1)) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EBUSY);
  CHECK_INT(belay_subject_next(enabled, belay_bool(1)), 0);
  belay_signal_release(belay_command_execute(command, belay_int32(1)));
  CHECK_TRACE("enabled no | enabled yes | enabled no | run 1");
  close_command();
  CHECK_INT(belay_subject_count(enabled), 0);
  belay_signal_release(enabled);
  trace_clear();
}

static void A3_65_enabled_is_sent_when_it_changes_only(void) {
  belay_signal *enabled = belay_subject_create(NULL);
  open_command(belay_signal_retain(enabled));
  watch_bool(belay_command_enabled(command), "enabled");
  CHECK_INT(belay_subject_next(enabled, belay_bool(1)), 0);
  CHECK_INT(belay_subject_next(enabled, belay_bool(0)), 0);
  CHECK_INT(belay_subject_next(enabled, belay_bool(0)), 0);
  CHECK_TRACE("enabled yes | enabled no");
  close_command();
  belay_signal_release(enabled);
  trace_clear();
}

static void A3_65_errors(void) {
  open_command(NULL);
  watch(belay_command_errors(command), "errors");
  watch_bool(belay_command_executing(command), "executing");
  CHECK(belay_command_execute(command, belay_int32(-1)) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_ERANGE);
  CHECK_TRACE("executing no | executing yes | run -1 | executing no");
  watch(belay_command_execute(command, belay_int32(1)), "execution");
  fail_subject(source, BELAY_ENOENT, "gone");
  CHECK_TRACE("executing yes | run 1 | executing no | errors next error | execution error ENOENT | "
              "execution disposed | execution free");
  close_command();
  trace_clear();
}

static int again;

static void execute_again(void *unused) {
  trace("completed");
  if (again-- <= 0) return;
  belay_observer observer = {.size = sizeof observer, .completed = execute_again};
  belay_signal *execution = belay_command_execute(command, belay_int32(again));
  CHECK(execution != NULL);
  CHECK_INT(belay_signal_subscribe(execution, &observer, NULL), 0);
  belay_signal_release(execution);
}

static void executing_again_at_the_end(void) {
  open_command(NULL);
  again = 2;
  execute_again(NULL);
  for (int i = 0; i < 4; i++) send(i);
  CHECK_TRACE("completed | run 1 | completed | run 0 | completed");
  close_command();
  trace_clear();
}

static void a_command_goes_before_its_execution(void) {
  open_command(NULL);
  watch(belay_command_values(command), "values");
  watch(belay_command_execute(command, belay_int32(1)), "execution");
  belay_command_release(command);
  CHECK_TRACE("run 1 | free context");
  send(1);
  send(2);
  CHECK_TRACE("execution next 1 | values next 1 | execution next 2 | values next 2 | "
              "execution completed | execution disposed | execution free | values completed | "
              "values disposed | values free");
  belay_signal_release(source);
  open_command(NULL);
  watch(belay_command_execute(command, belay_int32(1)), "execution");
  close_command();
  CHECK_TRACE("run 1 | free context | execution disposed | execution free");
}

static void forbid(void *enabled) { CHECK(belay_subject_next(enabled, belay_bool(0)) >= 0); }
static void permit(void *enabled) { CHECK(belay_subject_next(enabled, belay_bool(1)) >= 0); }

/* More executions inside of one callback than a queue takes. */
enum { EXECUTIONS = 2000 };
static int has_executed, is_executing_now, is_enabled_now, errors_told;
static belay_signal *run_briefly(void *unused, belay_value input) {
  if (int_of(input) == 0) return belay_signal_empty();
  if (int_of(input) == 1) return belay_signal_retain(source);
  belay_error *error = belay_error_create(BELAY_EPERM, NULL, "it has failed", belay_null(), NULL);
  belay_signal *failing = belay_signal_error(error);
  belay_error_release(error);
  return failing;
}
static void execute_often(int input, int count) {
  for (int i = 0; i < count; i++) {
    belay_signal *execution = belay_command_execute(command, belay_int32(input));
    CHECK(execution != NULL);
    belay_signal_release(execution);
  }
}
static void note_executing(void *ctx, belay_value value) {
  CHECK_INT(belay_value_get_bool(value, &is_executing_now), 0);
  if (has_executed++ > 0) return;
  execute_often(0, EXECUTIONS);
  execute_often(1, 1);
}
static void note_enabled(void *ctx, belay_value value) {
  CHECK_INT(belay_value_get_bool(value, &is_enabled_now), 0);
}
static void note_failure(void *ctx, belay_value value) {
  if (errors_told++ == 0) execute_often(2, EXECUTIONS);
}

static void watch_by(belay_signal *signal, void (*next)(void *, belay_value)) {
  belay_observer observer = {.size = sizeof observer, .next = next};
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  belay_signal_release(signal);
}

static void a_command_tells_each_change_however_many_wait(void) {
  has_executed = 0;
  source = belay_subject_create(NULL);
  command = belay_command_create(NULL, run_briefly, NULL, NULL);
  watch_by(belay_command_enabled(command), note_enabled);
  watch_by(belay_command_executing(command), note_executing);
  CHECK_INT(is_executing_now, 1);
  CHECK_INT(is_enabled_now, 0);
  CHECK_INT(has_executed, 1 + 2 * EXECUTIONS + 1);
  close_command();
}

static void a_command_tells_each_error_however_many_wait(void) {
  errors_told = 0;
  command = belay_command_create(NULL, run_briefly, NULL, NULL);
  watch_by(belay_command_errors(command), note_failure);
  execute_often(2, 1);
  CHECK_INT(errors_told, 1 + EXECUTIONS);
  belay_command_release(command);
}

/* Its home is a thread without a loop, which learns of that when it asks. */
static void a_command_without_a_loop_is_forbidden_from_elsewhere(void) {
  belay_source_options options = {.size = sizeof options, .shared = 1};
  belay_signal *enabled = belay_subject_create(&options);
  open_command(belay_signal_retain(enabled));
  for (int i = 0; i < 2; i++) {
    in_thread(forbid, enabled);
    watch_by(belay_command_enabled(command), note_enabled);
    CHECK_INT(is_enabled_now, 0);
    CHECK(belay_command_execute(command, belay_int32(1)) == NULL);
    in_thread(permit, enabled);
    watch_by(belay_command_enabled(command), note_enabled);
    CHECK_INT(is_enabled_now, 1);
  }
  belay_signal_release(enabled);
  close_command();
  trace_clear();
}

static void allow_and_forbid(void *enabled) {
  CHECK(belay_subject_next(enabled, belay_bool(1)) >= 0);
  forbid(enabled);
}
static void allow_and_forbid_often(void *enabled) {
  for (int i = 0; i < 200; i++) CHECK(belay_subject_next(enabled, belay_bool(i % 2)) >= 0);
  forbid(enabled);
}
static void allow_and_forbid_for_long(void *enabled) {
  for (int i = 0; i < 100; i++) allow_and_forbid_often(enabled);
}
static void store_truth(void *truth, belay_value value) {
  CHECK_INT(belay_value_get_bool(value, truth), 0);
}
/* A shared signal's values come on the thread that sends them. They take effect at once, and are
   told at home. */
static void a_command_that_is_forbidden_from_elsewhere(void) {
  belay_loop *loop = open_loop();
  belay_source_options options = {.size = sizeof options, .shared = 1};
  belay_signal *enabled = belay_subject_create(&options);
  open_command(belay_signal_retain(enabled));
  int is_enabled = -1;
  belay_observer observer = {.size = sizeof observer, .next = store_truth, .ctx = &is_enabled};
  belay_signal *told = belay_command_enabled(command);
  CHECK_INT(belay_signal_subscribe(told, &observer, NULL), 0);
  belay_signal_release(told);
  CHECK_INT(is_enabled, 1);
  in_thread(forbid, enabled);
  CHECK(belay_command_execute(command, belay_int32(1)) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EBUSY);
  CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  CHECK_INT(is_enabled, 0);
  /* Both values come before home has heard of either. */
  in_thread(allow_and_forbid, enabled);
  CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  CHECK_INT(is_enabled, 0);
  /* However many come meanwhile, one message waits. */
  size_t before = mallinfo2().uordblks;
  in_thread(allow_and_forbid_for_long, enabled);
  CHECK(mallinfo2().uordblks < before + (256 << 10));
  CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  CHECK_INT(is_enabled, 0);
  /* The other thread sends while executions begin and end here. */
  routine other;
  start_thread(&other, allow_and_forbid_often, enabled);
  for (int i = 0; i < 200; i++) {
    belay_signal *execution = belay_command_execute(command, belay_int32(1));
    if (execution) send(2), send(3);
    belay_signal_release(execution);
    belay_last_error();
    trace_clear();
    CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  }
  join_thread(&other);
  CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  CHECK_INT(is_enabled, 0);
  belay_signal_release(enabled);
  close_command();
  close_loop(loop);
  trace_clear();
}

static void the_callers_failure_is_kept(void) {
  belay_property *p = number_property(1);
  watch(belay_property_signal(p), "");
  open_command(NULL);
  watch(belay_command_values(command), "");
  belay_signal *execution = belay_command_execute(command, belay_int32(1));
  belay_fail(BELAY_ENOENT, "mine");
  CHECK_INT(belay_property_set(p, belay_int32(2)), 0);
  CHECK_INT(belay_property_modify(p, twice_of, NULL), 0);
  watch(belay_signal_retain(execution), "");
  send(1);
  send(2);
  belay_signal_release(belay_command_execute(command, belay_int32(2)));
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_ENOENT);
  belay_signal_release(execution);
  belay_property_release(p);
  close_command();
  trace_clear();
}

static void bad_commands(void) {
  int freed = 0;
  CHECK(belay_command_create(belay_signal_never(), NULL, &freed, count_free) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
  CHECK_INT(freed, 1);
  CHECK(belay_command_execute(NULL, belay_string("given away, also on failure")) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
  CHECK(belay_command_values(NULL) == NULL);
  CHECK(belay_command_enabled(NULL) == NULL);
  belay_command_release(NULL);
}

static const test_case cases[] = {
    CASE(A3_65_one_execution_at_a_time),
    CASE(A3_65_disabled),
    CASE(A3_65_errors),
    CASE(A3_65_enabled_is_sent_when_it_changes_only),
    CASE(executing_again_at_the_end),
    CASE(a_command_goes_before_its_execution),
    CASE(a_command_that_is_forbidden_from_elsewhere),
    CASE(a_command_tells_each_change_however_many_wait),
    CASE(a_command_tells_each_error_however_many_wait),
    CASE(a_command_without_a_loop_is_forbidden_from_elsewhere),
    CASE(the_callers_failure_is_kept),
    CASE(bad_commands),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
