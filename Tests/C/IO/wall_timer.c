/* Timers of the wall clock. */
#include "fds.h"

#include <math.h>
#include <sys/resource.h>
#include <time.h>

static double wall_clock(void) {
  struct timespec now;
  CHECK_INT(clock_gettime(CLOCK_REALTIME, &now), 0);
  return (double)now.tv_sec + now.tv_nsec / 1e9;
}

static double came_at;
static void note_time(void *ctx, belay_value value) {
  CHECK_INT(belay_value_kind(value), BELAY_KIND_NULL);
  came_at = wall_clock();
}

static void one_value_at_the_date(void) {
  begin();
  double date = wall_clock() + 0.05;
  belay_observer observer = tracing("");
  observer.next = note_time;
  belay_signal *timer = belay_wall_timer(loop, date);
  // Each subscription waits for the same date.
  for (int i = 0; i < 2; i++) {
    came_at = 0;
    CHECK_INT(belay_signal_subscribe(timer, &observer, NULL), 0);
    run_to_end(loop);
    CHECK_TRACE("completed | disposed | free");
    // A double has microseconds of a date.
    CHECK(came_at > date - 1e-6);
    observer = tracing("");
    observer.next = note_time;
  }
  belay_signal_release(timer);
  finish();
}

static void a_date_that_has_passed_is_due_at_once(void) {
  begin();
  double dates[] = {wall_clock() - 1, 1, 0, -1, -1e300, -INFINITY};
  for (size_t i = 0; i < sizeof dates / sizeof *dates; i++) {
    watch(belay_wall_timer(loop, dates[i]), "");
    run_to_end(loop);
    CHECK_TRACE("next null | completed | disposed | free");
  }
  finish();
}

/* Returns what the system tells of the descriptor that the timer has opened; "" if there is none. */
static const char *timer_info(void) {
  static char text[2000];
  for (int fd = 3; fd < 256; fd++) {
    char path[60];
    snprintf(path, sizeof path, "/proc/self/fdinfo/%d", fd);
    FILE *file = fopen(path, "r");
    if (!file) continue;
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    if (strstr(text, "clockid: 0\n")) return text;
  }
  return "";
}

/* A test may not set the clock, so this looks at which clock the system was told to follow, and that it was given
   a date and not a distance: the system then follows a clock that is set. */
static void the_system_follows_the_wall_clock(void) {
  begin();
  CHECK_STRING(timer_info(), "");
  belay_disposable *one = watched(belay_wall_timer(loop, wall_clock() + 1000), "");
  CHECK_INT(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0, 1);
  const char *info = timer_info();
  CHECK(strstr(info, "settime flags: 01\n") != NULL);
  end_subscription(one);
  CHECK_TRACE("disposed | free");
  run_to_end(loop);
  CHECK_STRING(timer_info(), "");
  finish();
}

static void a_date_that_never_comes(void) {
  begin();
  belay_disposable *far = watched(belay_wall_timer(loop, 1e300), "far");
  belay_disposable *never = watched(belay_wall_timer(loop, INFINITY), "never");
  for (int i = 0; i < 5; i++) CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  CHECK_TRACE("");
  end_subscription(far);
  end_subscription(never);
  CHECK_TRACE("far disposed | far free | never disposed | never free");
  run_to_end(loop);
  finish();
}

static void the_close_interrupts(void) {
  begin();
  watch(belay_wall_timer(loop, wall_clock() + 1000), "");
  CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  CHECK_INT(belay_loop_close(loop, ignore_left, NULL, NULL), 0);
  CHECK_TRACE("disposed | free");
  belay_loop_release(loop);
  loop = open_loop();
  finish();
}

static void without_a_descriptor_left(void) {
  begin();
  struct rlimit before, none;
  CHECK_INT(getrlimit(RLIMIT_NOFILE, &before), 0);
  none = before;
  none.rlim_cur = 0;
  CHECK_INT(setrlimit(RLIMIT_NOFILE, &none), 0);
  watch_errors(belay_wall_timer(loop, 1));
  CHECK_INT(setrlimit(RLIMIT_NOFILE, &before), 0);
  CHECK(strstr(trace_text(), "error EMFILE") != NULL);
  CHECK(strstr(trace_text(), "wall clock") != NULL);
  trace_clear();
  finish();
}

/* ---- operators that take a date elsewhere: chains with a timer of the wall clock ---- */

static belay_signal *soon(void) { return belay_wall_timer(loop, wall_clock() + 0.02); }
static belay_signal *given(void *signal, belay_value value) { return also(signal); }
static belay_signal *without_limit(void *ctx, belay_value value) { return belay_signal_never(); }

static void values_are_delayed_until_a_date(void) {
  begin();
  belay_signal *source = belay_subject_create(NULL);
  // All values wait for one timer, so they keep their order. Who comes after it does not wait.
  belay_signal *date = belay_signal_chain(
      soon(), belay_op_share_replay(NULL, -1, 1,
                                    BELAY_SHARE_KEEP_COMPLETED | BELAY_SHARE_KEEP_CONNECTION));
  watch(belay_signal_chain(also(source),
                           belay_op_delay_when(given, date, release_signal)),
        "");
  send_int(source, 1);
  send_int(source, 2);
  CHECK_TRACE("");
  run_until_traced("next 2");
  CHECK_TRACE("next 1 | next 2");
  send_int(source, 3);
  belay_subject_completed(source);
  CHECK_TRACE("next 3 | completed | disposed | free");
  belay_signal_release(source);
  finish();
}

static void a_subscription_is_delayed_until_a_date(void) {
  begin();
  watch(belay_signal_chain(soon(), belay_op_then(numbers(1, 2))), "");
  CHECK_TRACE("");
  run_to_end(loop);
  CHECK_TRACE("next 1 | next 2 | completed | disposed | free");
  finish();
}

static void the_first_value_has_to_come_before_a_date(void) {
  begin();
  watch(belay_signal_chain(belay_signal_never(),
                           belay_op_timeout_when(soon(), NULL, without_limit, NULL, NULL)),
        "late");
  run_to_end(loop);
  CHECK_TRACE("late error ETIMEDOUT | late disposed | late free");
  // One that comes before the date drops the timer: nothing is left to wait for.
  belay_signal *source = belay_subject_create(NULL);
  watch(belay_signal_chain(also(source),
                           belay_op_timeout_when(belay_wall_timer(loop, wall_clock() + 1000), NULL,
                                                 without_limit, NULL, NULL)),
        "");
  send_int(source, 1);
  run_to_end(loop);
  CHECK_TRACE("next 1");
  belay_subject_completed(source);
  CHECK_TRACE("completed | disposed | free");
  belay_signal_release(source);
  finish();
}

static void values_are_taken_and_skipped_until_a_date(void) {
  begin();
  belay_signal *source = belay_subject_create(NULL);
  watch(belay_signal_chain(also(source), belay_op_take_until(soon())), "take");
  watch(belay_signal_chain(also(source), belay_op_skip_until(soon())), "skip");
  send_int(source, 1);
  CHECK_TRACE("take next 1");
  run_to_end(loop);
  CHECK_TRACE("take completed | take disposed | take free");
  send_int(source, 2);
  belay_subject_completed(source);
  CHECK_TRACE("skip next 2 | skip completed | skip disposed | skip free");
  belay_signal_release(source);
  finish();
}

static void bad_arguments(void) {
  begin();
  CHECK(belay_wall_timer(loop, NAN) == NULL);
  check_last_error(BELAY_EINVAL);
  CHECK(belay_wall_timer(NULL, 0) == NULL);
  check_last_error(BELAY_EINVAL);
  finish();
}

static const test_case cases[] = {
    CASE(one_value_at_the_date),
    CASE(a_date_that_has_passed_is_due_at_once),
    CASE(the_system_follows_the_wall_clock),
    CASE(a_date_that_never_comes),
    CASE(the_close_interrupts),
    CASE(without_a_descriptor_left),
    CASE(values_are_delayed_until_a_date),
    CASE(a_subscription_is_delayed_until_a_date),
    CASE(the_first_value_has_to_come_before_a_date),
    CASE(values_are_taken_and_skipped_until_a_date),
    CASE(bad_arguments),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
