/* Properties, channels between them, and commands. */
#include <malloc.h>
#include "numbers.h"
#include "script.h"

static void follow(belay_property *property, const char *prefix) {
  watch(belay_property_signal(property), prefix);
}

static int set(belay_property *property, int value) {
  return belay_property_set(property, belay_int32(value));
}

/* ---- properties ---- */

static belay_value plus_ten(void *unused, belay_value value) {
  return belay_int32(int_of(value) + 10);
}
static belay_value refuse(void *unused, belay_value value) {
  return belay_value_failure(BELAY_ERANGE, "refused");
}

static void get_set_and_modify(void) {
  belay_property *p = number_property(1);
  CHECK_INT(number_of(p), 1);
  follow(p, "a");
  CHECK_INT(set(p, 2), 0);
  CHECK_INT(belay_property_modify(p, plus_ten, NULL), 0);
  CHECK_FAILS(belay_property_modify(p, refuse, NULL), BELAY_ERANGE);
  CHECK_INT(number_of(p), 12);
  follow(p, "b");
  CHECK_INT(set(p, 12), 0);
  belay_property_release(p);
  CHECK_TRACE("a next 1 | a next 2 | a next 12 | b next 12 | a next 12 | b next 12 | a completed | "
              "a disposed | a free | b completed | b disposed | b free");
}

static belay_property *inner;
static int changes;

static void change_inside(void *name, belay_value value) {
  trace("%s %d of %d", (const char *)name, int_of(value), number_of(inner));
  if (changes-- > 0) {
    int code = set(inner, int_of(value) + 1);
    trace("set %d", code);
    CHECK_INT(belay_property_modify(inner, plus_ten, NULL), BELAY_QUEUED);
  }
}

static void what_is_set_inside_is_the_value_at_once(void) {
  inner = number_property(0);
  changes = 0;
  belay_observer observer = {.size = sizeof observer, .next = change_inside, .ctx = "a"};
  belay_signal *signal = belay_property_signal(inner);
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  observer.ctx = "b";
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  trace_clear();
  changes = 1;
  CHECK_INT(set(inner, 1), 0);
  CHECK_TRACE("a 1 of 1 | set 1 | b 1 of 12 | a 2 of 12 | b 2 of 12 | a 12 of 12 | b 12 of 12");
  belay_signal_release(signal);
  belay_property_release(inner);
}

static void release_inside(void *unused, belay_value value) {
  if (int_of(value) != 1) return;
  belay_property_release(inner);
  trace("released");
}

static void released_from_inside_a_delivery(void) {
  inner = number_property(0);
  belay_observer observer = tracing("");
  observer.next = release_inside;
  belay_signal *signal = belay_property_signal(inner);
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  belay_signal_release(signal);
  CHECK_INT(set(inner, 1), 0);
  CHECK_TRACE("released | completed | disposed | free");
}

static void properties_own_their_values(void) {
  belay_property *p = belay_property_create(belay_string("the first, a long string"), NULL);
  follow(p, "");
  CHECK_INT(belay_property_set(p, belay_string("the second, a long string")), 0);
  belay_value value;
  CHECK_INT(belay_property_get(p, &value), 0);
  belay_property_release(p);
  belay_value_release(value);
  trace_clear();
  belay_source_options shared = {.size = sizeof shared, .shared = 1};
  CHECK(belay_property_create(belay_string("given away, also on failure"), &shared) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
  CHECK_FAILS(belay_property_set(NULL, belay_string("given away, also on failure")), BELAY_EINVAL);
  CHECK_FAILS(belay_property_get(NULL, &value), BELAY_EINVAL);
  CHECK_FAILS(belay_property_modify(NULL, plus_ten, NULL), BELAY_EINVAL);
  CHECK(belay_property_signal(NULL) == NULL);
  belay_property_release(NULL);
}

static void set_nine(void *property) {
  CHECK_INT(set(property, 9), BELAY_QUEUED);
  CHECK_FAILS(belay_property_modify(property, plus_ten, NULL), BELAY_EWRONGTHREAD);
}

static void set_from_another_thread(void) {
  belay_loop *loop = open_loop();
  belay_property *p = number_property(1);
  follow(p, "");
  in_thread(set_nine, p);
  CHECK_INT(number_of(p), 1);
  run_to_end(loop);
  CHECK_INT(number_of(p), 9);
  CHECK_TRACE("next 1 | next 9");
  belay_property_release(p);
  trace_clear();
  close_loop(loop);
}

/* ---- channels ---- */

static void A3_65_a_channel_has_no_echo(void) {
  belay_property *a = number_property(1), *b = number_property(2);
  belay_disposable *channel = NULL;
  CHECK_INT(belay_property_channel(a, b, &channel), 0);
  CHECK_INT(number_of(b), 1);
  follow(a, "a");
  follow(b, "b");
  trace_clear();
  CHECK_INT(set(a, 3), 0);
  CHECK_TRACE("b next 3 | a next 3");
  CHECK_INT(set(b, 4), 0);
  CHECK_TRACE("a next 4 | b next 4");
  end_subscription(channel);
  CHECK_INT(set(a, 5), 0);
  CHECK_INT(number_of(b), 4);
  belay_property_release(a);
  belay_property_release(b);
  trace_clear();
}

static void set_to_even(void *property, belay_value value) {
  if (int_of(value) % 2) set(property, int_of(value) + 1);
}

static void a_channel_agrees_after_changes_from_inside(void) {
  belay_property *a = number_property(0), *b = number_property(0);
  CHECK_INT(belay_property_channel(a, b, NULL), 0);
  belay_property *sides[] = {a, b};
  for (int i = 0; i < 2; i++) {
    belay_observer observer = {.size = sizeof observer, .next = set_to_even, .ctx = sides[i]};
    belay_signal *signal = belay_property_signal(sides[i]);
    CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
    belay_signal_release(signal);
  }
  for (int i = 0; i < 2; i++) {
    CHECK_INT(set(sides[i], 7), 0);
    CHECK_INT(number_of(a), number_of(b));
    CHECK_INT(number_of(a) % 2, 0);
    CHECK_INT(set(sides[i], 2), 0);
    CHECK_INT(number_of(sides[1 - i]), 2);
  }
  belay_property_release(a);
  belay_property_release(b);
}

static void a_channel_ends_with_a_property(void) {
  belay_property *a = number_property(1), *b = number_property(2);
  belay_disposable *channel = NULL;
  CHECK_INT(belay_property_channel(a, b, &channel), 0);
  belay_property_release(b);
  CHECK_INT(belay_disposable_is_disposed(channel), 1);
  belay_disposable_release(channel);
  CHECK_INT(set(a, 2), 0);
  CHECK_FAILS(belay_property_channel(a, a, NULL), BELAY_EINVAL);
  CHECK_FAILS(belay_property_channel(a, NULL, NULL), BELAY_EINVAL);
  belay_property_release(a);
}

/* ---- commands ---- */

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
  follow(p, "");
  open_command(NULL);
  watch(belay_command_values(command), "");
  belay_signal *execution = belay_command_execute(command, belay_int32(1));
  belay_fail(BELAY_ENOENT, "mine");
  CHECK_INT(set(p, 2), 0);
  CHECK_INT(belay_property_modify(p, plus_ten, NULL), 0);
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

int main(int argc, char **argv) {
  const test_case cases[] = {
      CASE(get_set_and_modify),
      CASE(what_is_set_inside_is_the_value_at_once),
      CASE(released_from_inside_a_delivery),
      CASE(properties_own_their_values),
      CASE(set_from_another_thread),
      CASE(A3_65_a_channel_has_no_echo),
      CASE(a_channel_agrees_after_changes_from_inside),
      CASE(a_channel_ends_with_a_property),
      CASE(A3_65_one_execution_at_a_time),
      CASE(A3_65_disabled),
      CASE(A3_65_errors),
      CASE(A3_65_enabled_is_sent_when_it_changes_only),
      CASE(executing_again_at_the_end),
      CASE(a_command_goes_before_its_execution),
      CASE(a_command_that_is_forbidden_from_elsewhere),
      CASE(the_callers_failure_is_kept),
      CASE(bad_commands),
  };
  return RUN_CASES(cases);
}
