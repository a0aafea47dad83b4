/* Errors: negative codes for calls, error objects for error events.
 *
 * A call that fails returns a negative code and records an error for its thread. errno's and
 * libuv's codes pass unchanged (-EINVAL, UV_ENOENT, …); Belay's own begin at -20000. Codes and
 * names are those of libuv where libuv has one.
 */
#ifndef BELAY_ERROR_H
#define BELAY_ERROR_H

#include <errno.h>

#include "base.h"
#include "value.h"

/* Results that are not failures. */
#define BELAY_OK 0
#define BELAY_QUEUED 1 /* taken; delivered later: after the event in progress, or at home */

/* errno's, where the meaning is errno's. */
#define BELAY_EINVAL (-EINVAL)
#define BELAY_EAGAIN (-EAGAIN)
#define BELAY_EBUSY (-EBUSY)
#define BELAY_ECANCELED (-ECANCELED)
#define BELAY_EDEADLK (-EDEADLK)
#define BELAY_EILSEQ (-EILSEQ)
#define BELAY_EINPROGRESS (-EINPROGRESS)
#define BELAY_ENOENT (-ENOENT)
/* For a size that the caller asks for. When Belay cannot allocate what it needs itself, the process
   ends by abort(), after a line on stderr. */
#define BELAY_ENOMEM (-ENOMEM)
#define BELAY_ENOTSUP (-ENOTSUP) /* this build or system cannot */
#define BELAY_EPERM (-EPERM)
#define BELAY_ERANGE (-ERANGE)
#define BELAY_EROFS (-EROFS) /* memory that is read-only */
#define BELAY_ETIMEDOUT (-ETIMEDOUT)

/* Belay's own. */
#define BELAY_ENOHOME (-20000)      /* sent from elsewhere to a home without a loop */
#define BELAY_EWRONGTHREAD (-20001) /* may be called on its loop's thread only */
#define BELAY_EKIND (-20002)        /* a value or a handle of another kind */
#define BELAY_EENDED (-20003)       /* the signal has ended, or its subscription has */
#define BELAY_EDISPOSED (-20004)    /* disposed already */
#define BELAY_EASSIGNED (-20005)    /* a single-assignment disposable, assigned already */
#define BELAY_EREENTRANT (-20006)   /* sent from inside a delivery: where the policy rejects
                                       it, or of too many inside each other */
#define BELAY_EDEAD (-20007)        /* the owner is dying or dead */
#define BELAY_ECLOSED (-20008)      /* the loop has been closed */
#define BELAY_ERELEASED (-20009)    /* released already (checked builds) */
#define BELAY_EBOUND (-20010)       /* the thread, or the loop, is bound to another one */
#define BELAY_EMISMATCH (-20011)    /* a test did not do what was expected */

BELAY_BEGIN

/* A code's name ("EINVAL", "ENOHOME", …); "UNKNOWN" for a code that is none. Static. */
BELAY_EXPORT const char *belay_error_name(int code);
/* A code's text, in English. Static. */
BELAY_EXPORT const char *belay_error_text(int code);

/* Makes an error object for belay_subscriber_error() and its like. `code` is negative
   (anything else becomes BELAY_EINVAL). `domain` and `message` are copied; NULL means "belay"
   and the code's text. Takes `value` over (belay_null() for none), keeps its own reference to
   `cause` (may be NULL). Release the result. */
BELAY_EXPORT belay_error *belay_error_create(int code, const char *domain, const char *message,
                                             belay_value value, const belay_error *cause);
/* Another reference to `error`, which it returns. Errors are immutable; any thread. */
BELAY_EXPORT belay_error *belay_error_retain(const belay_error *error);
BELAY_EXPORT void belay_error_release(const belay_error *error);

/* The parts of an error, each borrowed from it. For NULL: 0, "", "", null, NULL. */
BELAY_EXPORT int belay_error_code(const belay_error *error);
BELAY_EXPORT const char *belay_error_domain(const belay_error *error);
BELAY_EXPORT const char *belay_error_message(const belay_error *error);
BELAY_EXPORT BELAY_BORROWS belay_value belay_error_payload(const belay_error *error);
BELAY_EXPORT const belay_error *belay_error_cause(const belay_error *error);

/* The last failure of a call on this thread, or NULL; taking it clears it. Borrowed: valid until
   this thread's next belay_last_error(). A call that fails because of a NULL handle records
   nothing while a failure waits: that one has made the NULL. What a callback fails with by
   belay_fail() is not replaced either. A callback starts with none, and its caller's is restored
   when it returns. */
BELAY_EXPORT const belay_error *belay_last_error(void);

/* For a callback that returns int and cannot go on: records `message` (copied; may be NULL) for
   this thread, in the place of what waits, and returns `code`, so that
   `return belay_fail(BELAY_EINVAL, "no date")` becomes the error event. A code that is not negative
   becomes BELAY_EINVAL. An observer's `next`, which returns nothing, fails by the call alone. */
BELAY_EXPORT int belay_fail(int code, const char *message);
/* The same with an error that has more to tell, a value or a cause; keeps its own reference to it.
   Returns its code; NULL is belay_fail(BELAY_EINVAL, NULL). */
BELAY_EXPORT int belay_fail_with(const belay_error *error);

/* Called for an error event that reached a subscription without an `error` callback. `signal` is
   the name of the signal it was subscribed to, `site` the place of the subscription (NULL where
   none was given). All are borrowed. Runs at the subscription's home. */
typedef void (*belay_unhandled_fn)(void *ctx, const belay_error *error, const char *signal,
                                   const char *site);

/* Sets the process's hook for errors that nobody handles, for homes whose loop has none of its
   own; NULL puts back the default, which prints a line to stderr. Replaces the previous one,
   whose `ctx_free` runs when no thread is in it any more. Any thread. */
BELAY_EXPORT int belay_on_unhandled_error(belay_unhandled_fn hook, void *ctx,
                                          belay_free_fn ctx_free);

BELAY_END

#endif
