/* Marble tests: signals under virtual time, in microseconds, in your own tests.
 *
 *   belay_marbles *m = belay_marbles_create();
 *   belay_signal *a = belay_marbles_cold(m, "--1--2--|");
 *   belay_marbles_expect(m, belay_signal_chain(a, belay_op_take(1)), NULL, "--(1|)");
 *   if (belay_marbles_run(m) < 0) puts(belay_error_message(belay_last_error()));
 *   belay_marbles_release(m);
 *
 * The notation is RxJS's: `-` is a frame, a millisecond, in which nothing happens; a letter or a
 * digit a value; `|` the completion; `#` an error; `(ab|)` a group, all in its first frame and as
 * many frames long as it has characters; ` 10ms `, ` 1.5s `, ` 1m `, with spaces around, time that
 * passes. Other spaces are for alignment. Subscriptions are `^` and `!`: "--^---!".
 *
 * A digit is an int32, a letter a string of that letter, unless another value was defined for it.
 * `#` sends BELAY_ERANGE with the message "marble"; where it is expected it means any error.
 *
 * In libbelay-testing: see testing.h. A test belongs to the thread that made it. Malformed diagrams are BELAY_EINVAL, and the message
 * of belay_last_error() says at which character.
 */
#ifndef BELAY_MARBLES_H
#define BELAY_MARBLES_H

#include "base.h"
#include "signal.h"
#include "value.h"

typedef struct belay_marbles belay_marbles;

BELAY_BEGIN

BELAY_EXPORT belay_marbles *belay_marbles_create(void);
/* Ends what the test still has going on. */
BELAY_EXPORT void belay_marbles_release(belay_marbles *test);

/* The test's virtual time, for operators that take a scheduler. Borrowed. */
BELAY_EXPORT belay_scheduler *belay_marbles_get_scheduler(belay_marbles *test);

/* Gives the letter or digit `mark` the meaning `value` (taken over), before it is used. */
BELAY_EXPORT int belay_marbles_define(belay_marbles *test, char mark, belay_value value);

/* A signal that sends the diagram to each subscription, from its beginning on. The caller's
   reference; NULL for a malformed diagram. */
BELAY_EXPORT belay_signal *belay_marbles_cold(belay_marbles *test, const char *diagram);
/* A signal whose events happen whether or not somebody listens. `^` is where the test begins; what
   is before has happened. */
BELAY_EXPORT belay_signal *belay_marbles_hot(belay_marbles *test, const char *diagram);

/* Expects `signal` (taken over) to do what `diagram` says. `subscription` tells when it is
   subscribed to and disposed ("--^----!"); NULL: from the beginning on. */
BELAY_EXPORT int belay_marbles_expect(belay_marbles *test, belay_signal *signal,
                                      const char *subscription, const char *diagram);
/* Expects the subscriptions to `source`, which is one of this test's, to be these `count` ones, in
   the order of their beginning. Takes nothing over. BELAY_ENOENT for another signal. */
BELAY_EXPORT int belay_marbles_expect_subscriptions(belay_marbles *test, belay_signal *source,
                                                    const char *const *subscriptions,
                                                    size_t count);

/* Lets an hour pass and compares: 0, or BELAY_EMISMATCH, and belay_last_error()'s message draws
   what was expected and what happened one over the other. Once; a second run expects nothing. */
BELAY_EXPORT int belay_marbles_run(belay_marbles *test);

BELAY_END

#endif
