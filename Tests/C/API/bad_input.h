/* Vocabulary of the bad_input*.c programs: how a call that was given nonsense must answer. */
#ifndef BAD_INPUT_H
#define BAD_INPUT_H

#include <limits.h>
#include <math.h>

#include "cases.h"

/* Contexts count how often they were freed, and callbacks how often they were called. Both count on
   any thread. */
static int freed __attribute__((unused)), called __attribute__((unused));
static inline void count_call(void *ctx) {
  (void)ctx;
  __atomic_add_fetch(&called, 1, __ATOMIC_RELAXED);
}
#define GIVEN &freed, count_free

/* A value that its receiver has to release; run_cases() counts values. */
static inline belay_value given_value(void) { return belay_string("given away"); }

/* The error that a bad call left, if any: of this code, with a message. */
static inline void check_left(const char *file, int line, int expected, int must) {
  const belay_error *error = belay_last_error();
  if (!error && must) check_failed(file, line, "no error was recorded");
  if (!error) return;
  if (belay_error_code(error) != expected)
    check_failed(file, line, "recorded %s, expected %s", belay_error_name(belay_error_code(error)),
                 belay_error_name(expected));
  if (strlen(belay_error_message(error)) < 3) check_failed(file, line, "recorded no message");
}

/* The call answers `expected` and records it, with a message. */
#define REFUSED(call, expected)                          \
  do {                                                   \
    CHECK_INT(call, expected);                           \
    check_left(__FILE__, __LINE__, expected, 1);         \
  } while (0)

/* The call gives nothing, and records why. */
#define GIVES_NOTHING(call, expected)                    \
  do {                                                   \
    CHECK((call) == NULL);                               \
    check_left(__FILE__, __LINE__, expected, 1);         \
  } while (0)

/* A NULL is answered with BELAY_EINVAL, or with NULL. An error may be recorded for it (it is not
   known where the NULL came from), but none other than BELAY_EINVAL. */
#define NULL_REFUSED(call)                               \
  do {                                                   \
    CHECK_INT(call, BELAY_EINVAL);                       \
    check_left(__FILE__, __LINE__, BELAY_EINVAL, 0);     \
  } while (0)
#define NULL_GIVES_NULL(call)                            \
  do {                                                   \
    CHECK((call) == NULL);                               \
    check_left(__FILE__, __LINE__, BELAY_EINVAL, 0);     \
  } while (0)

/* Nonsense that Belay does not promise to refuse: the call may work or refuse it, but not trap. */
#define SURVIVES(statement)                              \
  do {                                                   \
    statement;                                           \
    belay_last_error();                                  \
  } while (0)

/* The context that was given since the last check was freed once. */
#define CHECK_FREED()                                    \
  do {                                                   \
    CHECK_INT(freed, 1);                                 \
    freed = 0;                                           \
  } while (0)

#endif
