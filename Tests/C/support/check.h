/* A test executable is a list of cases: each starts with an empty trace and must end with the
   same live counts and as many descriptors as it began with. */
#ifndef CHECK_H
#define CHECK_H

#include <belay/belay.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of the heap for each object that went after the host had a handle. The checked build remembers
   such handles, up to some number. */
#ifdef BELAY_CHECKED
enum { REMEMBERED = 100 };
#else
enum { REMEMBERED = 0 };
#endif

typedef struct test_case {
  const char *name;
  void (*run)(void);
} test_case;

#define CASE(function) {#function, function}

void check_failed(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#define CHECK(condition)                                              \
  do {                                                                \
    if (!(condition)) check_failed(__FILE__, __LINE__, "%s", #condition); \
  } while (0)

#define CHECK_INT(actual, expected)                                                        \
  do {                                                                                     \
    long long check_a = (long long)(actual), check_e = (long long)(expected);              \
    if (check_a != check_e)                                                                \
      check_failed(__FILE__, __LINE__, "%s is %lld, expected %lld", #actual, check_a, check_e); \
  } while (0)

#define CHECK_STRING(actual, expected)                                                    \
  do {                                                                                    \
    const char *check_a = (actual), *check_e = (expected);                                \
    if (!check_a || strcmp(check_a, check_e) != 0)                                        \
      check_failed(__FILE__, __LINE__, "%s is \"%s\", expected \"%s\"", #actual,          \
                   check_a ? check_a : "(null)", check_e);                                \
  } while (0)

/* The call failed with this code, and the thread's last error says so; takes the error. */
#define CHECK_FAILS(call, expected)                                          \
  do {                                                                       \
    CHECK_INT(call, expected);                                               \
    CHECK_INT(belay_error_code(belay_last_error()), expected);               \
  } while (0)

static inline const char *text_or(const char *text, const char *other) {
  return text ? text : other;
}

/* ---- the trace: what happened, in order, joined by " | " ---- */
void trace(const char *format, ...) __attribute__((format(printf, 1, 2)));
const char *trace_text(void);
void trace_clear(void);
#define CHECK_TRACE(expected)                  \
  do {                                         \
    CHECK_STRING(trace_text(), expected);      \
    trace_clear();                             \
  } while (0)

/* An observer that traces "next 1", "error EINVAL", "completed", "disposed", "free", each after
   `prefix` and a space when that is not "". `prefix` is a static string. */
belay_observer tracing(const char *prefix);
/* An action and a free function that trace "action NAME" and "free NAME"; ctx is a static
   string. */
void trace_action(void *name);
void trace_free(void *name);
/* A disposable of the two. */
belay_disposable *traced_action(const char *name);

/* How many descriptors the process has. */
int descriptors(void);
/* Called by a case after which something of another library's has so many more. */
void keeps_descriptors(int count);

/* Runs the cases (those whose name contains argv[1], if given), prints "N passed, N failed" and
   returns the exit code. */
int run_cases(const test_case *cases, size_t count, int argc, char **argv);
#define RUN_CASES(cases) run_cases(cases, sizeof(cases) / sizeof *(cases), argc, argv)

#endif
