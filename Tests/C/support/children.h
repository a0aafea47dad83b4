/* Children of the test program, which must leave nothing. Define _GNU_SOURCE before. */
#ifndef CHILDREN_H
#define CHILDREN_H

#include "fds.h"

#include <errno.h>
#include <sys/wait.h>

/* No child is left, not even as a zombie; the library's thread waits for the last. */
static inline void expect_no_children(void) {
  siginfo_t info;
  for (int i = 0; i < 60000; i++) {
    if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) < 0 && errno == ECHILD) return;
    usleep(1000);
  }
  CHECK(!"a child is left");
}

/* Reads what a child writes; "" at its end. */
static inline const char *read_child(int fd) {
  static char text[64];
  ssize_t count;
  do count = read(fd, text, sizeof text - 1);
  while (count < 0 && errno == EINTR);
  text[count > 0 ? count : 0] = 0;
  return text;
}

/* Ends the subscription of a shell that runs `script`, after that has written "ready". Runs `loop`,
   and answers the descriptor from which the shell's output is read on. */
static inline int end_child(belay_loop *loop, const char *script, double grace) {
  const char *args[] = {"sh", "-c", script, NULL};
  int ends[2];
  CHECK_INT(pipe2(ends, O_CLOEXEC), 0);
  belay_disposable *child =
      watched(belay_process(loop, &BELAY_INIT(belay_process_options, .args = args,
                                              .output = ends[1], .grace = grace)),
              "");
  close(ends[1]);
  CHECK_STRING(read_child(ends[0]), "ready\n");
  end_subscription(child);
  trace_clear();
  run_to_end(loop);
  return ends[0];
}

/* A child that ignores SIGTERM is killed when its subscription ends. */
static inline void kill_stubborn_child(belay_loop *loop) {
  int output = end_child(loop, "trap '' TERM; echo ready; while :; do sleep 0.05; done", 0.05);
  expect_no_children();
  close(output);
}

/* One that has something to do at SIGTERM does it. */
static inline void end_gently(belay_loop *loop, double grace) {
  int output = end_child(
      loop, "trap 'sleep 0.1; echo saved; exit 0' TERM; echo ready; while :; do sleep 0.05; done",
      grace);
  CHECK_STRING(read_child(output), "saved\n");
  expect_no_children();
  close(output);
}

/* Several children, which have all ended before the loop looks. */
enum { SEVERAL = 8 };
typedef struct several {
  belay_disposable *each[SEVERAL];
  int exits;
} several;

/* The start waits until the child is a zombie. The first exit disposes of the others. */
static inline void wait_or_dispose_all(void *ctx, belay_value value) {
  several *it = ctx;
  belay_value number;
  siginfo_t info;
  if (belay_value_count(value) == 4) {
    CHECK_INT(belay_value_get_item(value, 0, &number), 0);
    CHECK_INT(waitid(P_PID, (id_t)int_of(number), &info, WEXITED | WNOWAIT), 0);
    return;
  }
  it->exits++;
  for (int i = 0; i < SEVERAL; i++) belay_disposable_dispose(it->each[i]);
}

static inline void dispose_of_all_at_an_exit(belay_loop *loop) {
  const char *args[] = {"true", NULL};
  several it = {.exits = 0};
  for (int i = 0; i < SEVERAL; i++) {
    belay_signal *process = belay_process(loop, &BELAY_INIT(belay_process_options, .args = args));
    belay_observer observer = BELAY_INIT(belay_observer, .next = wait_or_dispose_all, .ctx = &it);
    CHECK_INT(belay_signal_subscribe(process, &observer, &it.each[i]), 0);
    belay_signal_release(process);
  }
  run_to_end(loop);
  CHECK_INT(it.exits, 1);
  for (int i = 0; i < SEVERAL; i++) belay_disposable_release(it.each[i]);
  expect_no_children();
}

#endif
