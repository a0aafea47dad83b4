/* Expectations: each one that fails is printed, and the exit code says whether all of them held. */
#ifndef HOSTLOOP_CHECK_H
#define HOSTLOOP_CHECK_H

#include <stdio.h>

static int failed_checks;

#define CHECK(condition, ...)                                       \
  do {                                                              \
    if (!(condition)) {                                             \
      failed_checks++;                                              \
      fprintf(stderr, "%s:%d: %s: ", __FILE__, __LINE__, #condition); \
      fprintf(stderr, __VA_ARGS__);                                 \
      fputc('\n', stderr);                                          \
    }                                                               \
  } while (0)

#endif
