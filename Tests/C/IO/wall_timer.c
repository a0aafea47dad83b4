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
    CASE(bad_arguments),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
