/* Marble tests: signals under virtual time, in microseconds of real time, in your own tests.
 *
 *   belay_marbles *m = belay_marbles_create();
 *   belay_signal *a = belay_marbles_cold(m, "--1--2--|");
 *   belay_marbles_expect(m, belay_signal_chain(a, belay_op_take(1)), NULL, "--(1|)");
 *   if (belay_marbles_run(m) < 0) puts(belay_error_message(belay_last_error()));
 *   belay_marbles_release(m);
 *
 * The notation is that of RxJS:
 *
 *   -          a frame, one millisecond, in which nothing happens
 *   a 1        a letter or a digit: a value
 *   | and #    the completion; an error
 *   (ab|)      a group: all in its first frame; it takes as many frames as it has characters
 *   10ms 1.5s 1m, with spaces around: time that passes
 *   ^ and !    a subscription and its disposal: "--^---!"
 *
 * Other spaces are for alignment.
 *
 * A digit is an int32 and a letter a string of that letter, unless belay_marbles_define() gives it
 * another value. `#` sends BELAY_ERANGE with the message "marble"; where it is expected, it means
 * any error.
 *
 * A source belongs to the run that follows, or in which it was made. Make new ones for the next.
 *
 * The functions are in libbelay-testing: see testing.h. A test belongs to the thread that made it.
 * On another one it can be released, and asked for its scheduler; all else is BELAY_EWRONGTHREAD.
 *
 * A diagram that is malformed or longer than 146 years is BELAY_EINVAL, and the message of
 * belay_last_error() says why. Malformed are also marks behind an end, a `!` before its `^`, and
 * these two where they mean nothing: only belay_marbles_hot() has a `^`, and the diagrams of
 * subscriptions have both.
 */
#ifndef BELAY_MARBLES_H
#define BELAY_MARBLES_H

#include "base.h"
#include "signal.h"
#include "value.h"

typedef struct belay_marbles belay_marbles;

BELAY_BEGIN

/* Creates a test, with a virtual time of its own. Release the result. */
BELAY_EXPORT belay_marbles *belay_marbles_create(void);
/* Releases the test and ends everything in it that is still active. If another thread than the
   test's does so, a hot signal ends when its handle is released, too. */
BELAY_EXPORT void belay_marbles_release(belay_marbles *test);

/* Returns the virtual time of the test, for operators that take a scheduler. Borrowed. */
BELAY_EXPORT belay_scheduler *belay_marbles_get_scheduler(belay_marbles *test);

/* Gives the letter or digit `mark` the value `value` (taken over). Call this before a diagram uses
   it. */
BELAY_EXPORT int belay_marbles_define(belay_marbles *test, char mark, belay_value value);

/* Returns a signal that sends the diagram to each subscription, from its beginning on. Release the
   result. NULL for a malformed diagram. */
BELAY_EXPORT belay_signal *belay_marbles_cold(belay_marbles *test, const char *diagram);
/* Returns a signal whose events happen also without a subscription. The test begins at `^`; the
   events before it have already happened. Release the result. NULL for a malformed diagram, and
   inside of a run (BELAY_EBUSY). */
BELAY_EXPORT belay_signal *belay_marbles_hot(belay_marbles *test, const char *diagram);

/* Expects `signal` (taken over) to do what `diagram` says. `subscription` tells when it is
   subscribed to and disposed of ("--^----!"); NULL means from the beginning on. BELAY_EBUSY inside
   of a run. */
BELAY_EXPORT int belay_marbles_expect(belay_marbles *test, BELAY_TAKES belay_signal *signal,
                                      const char *subscription, const char *diagram);
/* Expects exactly these `count` subscriptions to `source`, which is a signal of this test, in the
   order of their beginnings. Takes nothing over. Returns 0; BELAY_ENOENT for another signal, also
   for one of an earlier run. */
BELAY_EXPORT int belay_marbles_expect_subscriptions(belay_marbles *test, belay_signal *source,
                                                    const char *const *subscriptions,
                                                    size_t count);

/* Lets an hour of virtual time pass and compares. Times count from the beginning of the run. An
   event that another thread brings counts if it has come by then. A run compares nothing that an
   earlier one has compared. Returns 0; BELAY_EMISMATCH, and the message of belay_last_error() draws
   the expected events above the real ones; BELAY_EAGAIN when something goes on at one moment
   without end; BELAY_ENOENT when a source of an earlier run was subscribed to; BELAY_EBUSY inside
   of a run, which goes on, and while another thread runs work of the scheduler. */
BELAY_EXPORT int belay_marbles_run(belay_marbles *test);

BELAY_END

#endif
