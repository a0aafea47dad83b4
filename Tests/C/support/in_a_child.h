/* Cases in a child of fork(), as what they change or use up is of their process. */
#ifndef IN_A_CHILD_H
#define IN_A_CHILD_H

#include "cases.h"

#include <sys/wait.h>
#include <unistd.h>

/* Runs the cases, and answers with what code the child has ended. What fails is told on stderr. */
static inline int run_in_a_child(const test_case *cases, size_t count) {
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    alarm(300); /* what hangs here ends with the test */
    trace_clear();
    if (!freopen("/dev/null", "w", stdout)) _exit(2);
    _exit(run_cases(cases, count, 1, NULL));
  }
  int status = 0;
  CHECK(child > 0);
  CHECK_INT(waitpid(child, &status, 0), child);
  CHECK(WIFEXITED(status));
  return WEXITSTATUS(status);
}

#endif
