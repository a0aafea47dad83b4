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

/* A child that ignores SIGTERM is killed when its subscription ends. Runs `loop`. */
static inline void kill_stubborn_child(belay_loop *loop) {
  const char *args[] = {"sh", "-c", "trap '' TERM; echo ready; while :; do sleep 0.05; done", NULL};
  char ready[8];
  int ends[2];
  ssize_t count;
  CHECK_INT(pipe2(ends, O_CLOEXEC), 0);
  belay_disposable *child =
      watched(belay_process(loop, &BELAY_INIT(belay_process_options, .args = args,
                                              .output = ends[1], .grace = 0.05)),
              "");
  do count = read(ends[0], ready, 6);
  while (count < 0 && errno == EINTR);
  CHECK_INT(count, 6);
  end_subscription(child);
  trace_clear();
  run_to_end(loop);
  expect_no_children();
  close(ends[0]);
  close(ends[1]);
}

#endif
