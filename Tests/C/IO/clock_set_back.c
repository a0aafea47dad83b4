#define _GNU_SOURCE
/* The system's clock is set back by an hour, and forward by a day, while something waits. The calls that tell this
   clock are replaced here; files have times of the past. */
#include "children.h"

#include <signal.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <uv.h>

/* ---- the clock ---- */

static long shift; /* seconds */
static int readings;

int clock_gettime(clockid_t clock, struct timespec *now) {
  int code = (int)syscall(SYS_clock_gettime, clock, now);
  if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI) {
    __atomic_add_fetch(&readings, 1, __ATOMIC_RELAXED);
    now->tv_sec += __atomic_load_n(&shift, __ATOMIC_RELAXED);
  }
  return code;
}
int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  now->tv_sec = time.tv_sec;
  now->tv_usec = time.tv_nsec / 1000;
  return 0;
}
time_t time(time_t *now) {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  if (now) *now = time.tv_sec;
  return time.tv_sec;
}

static void set_clock(void *seconds) { __atomic_store_n(&shift, *(long *)seconds, __ATOMIC_RELAXED); }
static long hour_back = -3600, day_forward = 86400;

/* Soon, and again a little later. */
static void disturb(void) {
  belay_scheduler *scheduler = belay_loop_get_scheduler(loop);
  long none = 0;
  set_clock(&none);
  CHECK_INT(belay_scheduler_after(scheduler, 0.01, set_clock, &hour_back, NULL, NULL), 0);
  CHECK_INT(belay_scheduler_after(scheduler, 0.03, set_clock, &day_forward, NULL, NULL), 0);
  CHECK_INT(belay_scheduler_after(scheduler, 0.05, set_clock, &hour_back, NULL, NULL), 0);
}

static void begin_clock(void) {
  begin();
  readings = 0;
  disturb();
}

/* Nothing of what was tried has looked at that clock. */
static void finish_clock(void) {
  run_to_end(loop);
  CHECK_INT(shift, hour_back);
  CHECK_INT(readings, 0);
  finish();
}

static double seconds_since(uint64_t begun) { return (double)(uv_hrtime() - begun) * 1e-9; }

/* ---- cases ---- */

static int ticks;
static void tick(void *ctx) { ticks++; }
static void note_name(void *name) { trace("%s", (const char *)name); }

static void timers_keep_their_times(void) {
  belay_disposable *every = NULL;
  begin_clock();
  belay_scheduler *scheduler = belay_loop_get_scheduler(loop);
  uint64_t begun = uv_hrtime();
  ticks = 0;
  CHECK_INT(belay_scheduler_every(scheduler, 0.005, 0.005, 0, tick, NULL, NULL, &every), 0);
  CHECK_INT(belay_scheduler_after(scheduler, 0.02, note_name, "first", NULL, NULL), 0);
  CHECK_INT(belay_scheduler_after(scheduler, 0.04, note_name, "second", NULL, NULL), 0);
  CHECK_INT(belay_scheduler_after(scheduler, 0.1, note_name, "third", NULL, NULL), 0);
  run_until_traced("third");
  CHECK(seconds_since(begun) >= 0.1);
  /* At most one for each five milliseconds, and they go on. */
  int before = ticks;
  CHECK(before >= 1 && before <= seconds_since(begun) / 0.005 + 1);
  while (ticks < before + 3) CHECK(belay_loop_run(loop, BELAY_RUN_ONCE) >= 0);
  CHECK_TRACE("first | second | third");
  end_subscription(every);
  finish_clock();
}

static void operators_keep_their_times(void) {
  begin_clock();
  belay_scheduler *scheduler = belay_loop_get_scheduler(loop);
  watch(belay_signal_chain(belay_signal_never(), belay_op_timeout(scheduler, 0.06, NULL)), "timeout");
  watch(belay_signal_chain(numbers(1, 2), belay_op_delay(scheduler, 0.06)), "delay");
  belay_signal *subject = belay_subject_create(NULL);
  watch(belay_signal_chain(also(subject), belay_op_debounce(scheduler, 0.06)), "debounce");
  send_int(subject, 7);
  run_until_traced("timeout free");
  run_until_traced("delay free");
  run_until_traced("debounce next 7");
  CHECK(strstr(trace_text(), "timeout error ETIMEDOUT | timeout disposed | timeout free") != NULL);
  CHECK(strstr(trace_text(), "delay next 1 | delay next 2 | delay completed") != NULL);
  trace_clear();
  belay_signal_release(subject);
  trace_clear();
  finish_clock();
}

static void wait_elsewhere(void *subject) {
  int code;
  while ((code = send_to(subject, 1)) == BELAY_QUEUED) continue;
  CHECK_INT(code, BELAY_EAGAIN);
  check_last_error(BELAY_EAGAIN);
  for (int i = 0; i < 3; i++) {
    uint64_t begun = uv_hrtime();
    set_clock(i % 2 ? &day_forward : &hour_back);
    CHECK_FAILS(belay_subject_next_wait(subject, belay_int32(1), 0.03), BELAY_ETIMEDOUT);
    CHECK(seconds_since(begun) >= 0.03);
  }
}

static void waits_end_in_time(void) {
  belay_value value = belay_null();
  begin_clock();
  belay_signal *never = belay_signal_never();
  uint64_t begun = uv_hrtime();
  CHECK_FAILS(belay_signal_wait_first(never, loop, 0.06, &value), BELAY_ETIMEDOUT);
  CHECK(seconds_since(begun) >= 0.06);
  belay_signal_release(never);
  belay_signal *subject = belay_subject_create(NULL);
  in_thread(wait_elsewhere, subject);
  belay_signal_release(subject);
  finish_clock();
}

static void a_child_is_killed_in_time(void) {
  begin_clock();
  kill_stubborn_child(loop);
  finish_clock();
}

/* What is written while the clock is an hour late. */
static void append_in_the_past(const char *name, const char *text) {
  struct timespec past[2] = {{1000000000 - 3600, 0}, {1000000000 - 3600, 0}};
  write_to(in_folder(name), text, O_CREAT | O_APPEND);
  CHECK_INT(utimensat(AT_FDCWD, in_folder(name), past, 0), 0);
}

static void a_followed_file_of_the_past(void) {
  begin_clock();
  write_to(in_folder("log"), "one\n", O_CREAT);
  belay_disposable *following =
      watched(belay_file_lines(loop, in_folder("log"), BELAY_FILE_FOLLOW), "");
  run_until_traced("next one");
  append_in_the_past("log", "two\n");
  run_until_traced("next two");
  CHECK_INT(rename(in_folder("log"), in_folder("log.1")), 0);
  append_in_the_past("log", "three\n");
  run_until_traced("next three");
  append_in_the_past("log", "four\n");
  run_until_traced("next four");
  end_subscription(following);
  CHECK_TRACE("next one | next two | next three | next four | disposed | free");
  finish_clock();
}

static void a_change_of_the_past_is_seen(void) {
  begin_clock();
  write_to(in_folder("file"), "text", O_CREAT);
  belay_disposable *polling = watched(belay_file_poll(loop, in_folder("file"), 0.005), "");
  int is_over = 0;
  /* Its first look sends nothing. */
  while (shift != hour_back) CHECK(belay_loop_run(loop, BELAY_RUN_ONCE) >= 0);
  for (int i = 0; i < 1000 && !is_over; i++) {
    append_in_the_past("file", "more");
    for (int turn = 0; turn < 20 && !is_over; turn++) {
      CHECK(belay_loop_run(loop, BELAY_RUN_ONCE) >= 0);
      is_over = strstr(trace_text(), "next [file ") != NULL;
    }
  }
  CHECK(is_over);
  end_subscription(polling);
  trace_clear();
  finish_clock();
}

static const test_case cases[] = {
    CASE(timers_keep_their_times),
    CASE(operators_keep_their_times),
    CASE(waits_end_in_time),
    CASE(a_child_is_killed_in_time),
    CASE(a_followed_file_of_the_past),
    CASE(a_change_of_the_past_is_seen),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
