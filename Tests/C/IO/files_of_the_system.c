/* Files of the system's, which tell another size than they have: they are followed by looks from time to time. */
#include "fds.h"

static void note_time(void *is_over) { *(int *)is_over = 1; }

static void follow_and_wait(const char *path) {
  belay_disposable *timer = NULL;
  int is_over = 0;
  belay_disposable *lines = watched(belay_file_lines(loop, path, BELAY_FILE_FOLLOW), "");
  while (!strstr(trace_text(), "next")) CHECK(belay_loop_run(loop, BELAY_RUN_ONCE) >= 0);
  CHECK_INT(belay_scheduler_after(belay_loop_get_scheduler(loop), 0.1, note_time, &is_over, NULL,
                                  &timer), 0);
  uint64_t turns = belay_loop_turns(loop);
  while (!is_over) CHECK(belay_loop_run(loop, BELAY_RUN_ONCE) >= 0);
  CHECK(belay_loop_turns(loop) - turns < 30);
  CHECK(!strstr(trace_text(), "error"));
  end_subscription(timer);
  end_subscription(lines);
  trace_clear();
}

static void one_that_is_said_to_be_empty(void) {
  begin();
  follow_and_wait("/proc/self/limits");
  finish();
}

static void one_that_is_said_to_be_longer(void) {
  static const char path[] = "/sys/devices/system/cpu/online";
  /* Not every container has it. */
  if (access(path, R_OK) != 0) return;
  begin();
  follow_and_wait(path);
  finish();
}

static const test_case cases[] = {
    CASE(one_that_is_said_to_be_empty),
    CASE(one_that_is_said_to_be_longer),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
