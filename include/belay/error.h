/* Errors: negative codes for calls, error objects for error events.
 *
 * A call that fails returns a negative code and records an error for its thread. Codes of errno and
 * of libuv pass unchanged (-EINVAL, UV_ENOENT, …). Belay's own codes begin at -20000. Where libuv
 * has a code or a name, Belay uses the same.
 */
#ifndef BELAY_ERROR_H
#define BELAY_ERROR_H

#include <errno.h>

#include "base.h"
#include "value.h"

/* Results that are not failures. */
#define BELAY_OK 0
#define BELAY_QUEUED 1 /* accepted, delivered later: after the event in progress, or at home */

/* Codes of errno, with the meaning of errno. */
#define BELAY_EINVAL (-EINVAL)
#define BELAY_EAGAIN (-EAGAIN)
#define BELAY_EBUSY (-EBUSY)
#define BELAY_ECANCELED (-ECANCELED)
#define BELAY_EDEADLK (-EDEADLK)
#define BELAY_EILSEQ (-EILSEQ)
#define BELAY_EINPROGRESS (-EINPROGRESS)
#define BELAY_EMSGSIZE (-EMSGSIZE) /* a frame is longer than it may be */
#define BELAY_ENOENT (-ENOENT)
/* For a size that the caller asks for. When Belay cannot allocate what it needs itself, it prints a
   line on stderr and ends the process by abort(). */
#define BELAY_ENOMEM (-ENOMEM)
#define BELAY_ENOTSUP (-ENOTSUP) /* this build or system cannot do it */
#define BELAY_EPERM (-EPERM)
#define BELAY_EPROTO (-EPROTO) /* the end came inside of a frame */
#define BELAY_ERANGE (-ERANGE)
#define BELAY_EROFS (-EROFS) /* the memory is read-only */
#define BELAY_ETIMEDOUT (-ETIMEDOUT)

/* Belay's own. */
#define BELAY_ENOHOME (-20000)      /* sent from another thread to a home without a loop */
#define BELAY_EWRONGTHREAD (-20001) /* only the thread of its loop may call this */
#define BELAY_EKIND (-20002)        /* a value or a handle of another kind */
#define BELAY_EENDED (-20003)       /* the signal has ended, or its subscription has */
#define BELAY_EDISPOSED (-20004)    /* disposed already */
#define BELAY_EASSIGNED (-20005)    /* assigned already: a disposable, a type, a parent, a
                                       delegate */
#define BELAY_EREENTRANT (-20006)   /* sent from inside a delivery: the policy refuses it, or too
                                       many sends are nested */
#define BELAY_EDEAD (-20007)        /* the owner is dying or dead */
#define BELAY_ECLOSED (-20008)      /* the loop has been closed */
#define BELAY_ERELEASED (-20009)    /* the handle has been released (checked builds) */
#define BELAY_EBOUND (-20010)       /* the thread, or the loop, is bound to another one */
#define BELAY_EMISMATCH (-20011)    /* not as expected: a test, a function pointer, a shape */

BELAY_BEGIN

/* Returns the name of a code ("EINVAL", "ENOHOME", …); "UNKNOWN" for a number that is not a code.
   Static. */
BELAY_EXPORT const char *belay_error_name(int code);
/* Returns the text of a code, in English. Static. */
BELAY_EXPORT const char *belay_error_text(int code);

/* Creates an error object for belay_subscriber_error() and similar calls. `code` is negative;
   anything else becomes BELAY_EINVAL. `domain` and `message` are copied; NULL means "belay" and the
   text of the code. Takes `value` over (belay_null() for none). Retains `cause` (may be NULL).
   Release the result. */
BELAY_EXPORT belay_error *belay_error_create(int code, const char *domain, const char *message,
                                             belay_value value, const belay_error *cause);
/* Adds a reference to `error` and returns `error`. Errors are immutable. Any thread. */
BELAY_EXPORT belay_error *belay_error_retain(const belay_error *error);
/* Gives a reference back. */
BELAY_EXPORT void belay_error_release(const belay_error *error);

/* Each returns one part of an error, borrowed from it. For NULL they return 0, "", "", null and
   NULL. */
BELAY_EXPORT int belay_error_code(const belay_error *error);
BELAY_EXPORT const char *belay_error_domain(const belay_error *error);
BELAY_EXPORT const char *belay_error_message(const belay_error *error);
BELAY_EXPORT BELAY_BORROWS belay_value belay_error_payload(const belay_error *error);
BELAY_EXPORT const belay_error *belay_error_cause(const belay_error *error);

/* Returns the last failure of a call on this thread, or NULL, and clears it. Borrowed: valid until
   the next belay_last_error() on this thread. If a call fails because it was given a NULL handle
   while a failure waits, it records nothing, because that failure has made the NULL. A failure that
   a callback reports by belay_fail() is not replaced either. A callback starts without a failure;
   the failure of its caller is restored when it returns. */
BELAY_EXPORT const belay_error *belay_last_error(void);

/* Reports the failure of a callback that returns int. Records `message` (copied; may be NULL) for
   this thread in place of the failure that waits, and returns `code`, so that `return
   belay_fail(BELAY_EINVAL, "no date")` becomes the error event. A code that is not negative becomes
   BELAY_EINVAL. An observer's `next` returns nothing: it fails by the call alone. */
BELAY_EXPORT int belay_fail(int code, const char *message);
/* Does the same with an error, which may also have a payload or a cause. Retains `error` and
   returns its code. NULL is belay_fail(BELAY_EINVAL, NULL). */
BELAY_EXPORT int belay_fail_with(const belay_error *error);

/* Gets an error event that reached a subscription without an `error` callback. `signal` is the name
   of the signal that was subscribed to. `site` is the place of the subscription, or NULL when none
   was given. All arguments are borrowed. Runs at the home of the subscription. */
typedef void (*belay_unhandled_fn)(void *ctx, const belay_error *error, const char *signal,
                                   const char *site);

/* Sets the process's hook for errors that nobody handles. A home whose loop has a hook of its own
   does not use it. NULL restores the default, which prints a line on stderr. The new hook replaces
   the old one, whose `ctx_free` runs when no thread is in it any more. Any thread. Returns 0. */
BELAY_EXPORT int belay_on_unhandled_error(belay_unhandled_fn hook, void *ctx,
                                          belay_free_fn ctx_free);

BELAY_END

#endif
