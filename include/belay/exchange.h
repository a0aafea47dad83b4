/* Signals that pass from one copy of the library to another.
 *
 * A process may hold several copies of Belay: the system's, one in a Python wheel, an archive in a
 * plug-in. A handle of one copy means nothing to the others. belay_signal_export() describes a
 * signal by plain functions. belay_signal_import(), called in another copy, makes a signal of that
 * description. The structs on this page are version 1, which never changes, so the copies may be of
 * different versions. A later layout would be another version, with functions of its own. (Arrow's
 * C stream interface does the same for tables.)
 *
 * Subscribing. A subscription to an imported signal subscribes to the exported one, and disposes of
 * that subscription when it is disposed of itself. Both keep to the rules of belay/signal.h.
 *
 * Values. Scalars, strings, bytes, structs and arrays pass by content. A pointer passes as its
 * address and its type; what it owns lives until both copies have let it go. A signal passes as
 * another export. Handles of other kinds belong to their copy: a subscription that meets one ends
 * with BELAY_EKIND. One that meets arrays nested deeper than 100 ends with BELAY_ERANGE, and one
 * that meets content that is wrong (no data, a size that cannot be, text that is not UTF-8) with
 * BELAY_EINVAL or BELAY_EILSEQ. The values of a batch pass one by one.
 *
 * Errors. An error passes with its payload and its first 99 causes. A payload that cannot pass is
 * left out: it never takes the place of the error.
 *
 * Homes. The exporting copy delivers at the loop that it has on the subscribing thread. If it has
 * none there, it delivers at the home of the source, or on the sender's thread, and the importing
 * copy queues the event to the loop of its own subscription. A subscription without a loop gets the
 * event there, as from a shared subject. A signal that needs a loop of its own copy (interval,
 * delay) needs one on the thread where it runs. Adopt the host's loop in both copies.
 *
 * Going. Either copy may release, close its loop or end first. The signals of the other one then
 * end as if their source had gone: subscriptions to a signal that is interrupted are interrupted.
 */
#ifndef BELAY_EXCHANGE_H
#define BELAY_EXCHANGE_H

#include "signal.h"

typedef struct belay_exchange_value belay_exchange_value;
typedef struct belay_exchange_error belay_exchange_error;

/* A value. Lent: it lasts until the function that gets it returns. */
struct belay_exchange_value {
  uint32_t kind;     /* a belay_kind */
  uint32_t reserved; /* 0 */
  /* A bool or an integer, extended to 64 bits by its sign; a float's or double's bits; a
     pointer. */
  uint64_t bits;
  /* A string (followed by a NUL), bytes or a struct: its content. An array: its items, each a
     belay_exchange_value. An error: a belay_exchange_error. A signal: a belay_exchange. */
  const void *data;
  size_t size;      /* how many bytes or items there are */
  const char *type; /* static; the name of a struct's type or a pointer's; else NULL */
  /* Of a pointer that owns something, else NULL: returns a reference to what it owns, which
     `release` gives back. Any thread. */
  void *(*retain)(const belay_exchange_value *value);
  void (*release)(void *retained);
  void *context; /* private to the exporting copy */
};

/* An error. Lent, like a value. */
struct belay_exchange_error {
  int32_t code;
  uint32_t reserved; /* 0 */
  const char *domain;  /* NULL: "belay" */
  const char *message; /* NULL: the code's text */
  const belay_exchange_value *payload; /* NULL: none */
  const belay_exchange_error *cause;   /* NULL: none */
};

/* The subscriber to an exported signal. The functions are called one at a time, `released` last and
   exactly once. Nothing else is called after an end, nor after a disposal has returned. */
typedef struct belay_exchange_observer {
  void *ctx;
  void (*next)(void *ctx, const belay_exchange_value *value);
  void (*error)(void *ctx, const belay_exchange_error *error);
  void (*completed)(void *ctx);
  void (*released)(void *ctx);
} belay_exchange_observer;

/* A subscription to an exported signal. Any thread. */
typedef struct belay_exchange_subscription {
  void *object;
  void (*dispose)(void *object);
  void (*release)(void *object); /* does not dispose of it */
} belay_exchange_subscription;

/* An exported signal: a reference to it, and what can be done with it. */
typedef struct belay_exchange {
  uint64_t version; /* 1 */
  void *signal;
  void (*retain)(void *signal);
  void (*release)(void *signal);
  const char *(*name)(void *signal); /* borrowed from the signal */
  /* Copies `observer`, whose functions must all be there, and fills in `subscription` before it
     calls anything of it. A subscription that lacks something ends with BELAY_EINVAL. On failure,
     `released` has been called, and there is no subscription. Returns what
     belay_signal_subscribe() returns; BELAY_EINVAL if anything is NULL. */
  int (*subscribe)(void *signal, const belay_exchange_observer *observer,
                   belay_exchange_subscription *subscription);
} belay_exchange;

BELAY_BEGIN

/* Fills in `exchange` with a new reference to `signal`. End it by belay_exchange_release(). Any
   thread. Returns 0, or BELAY_EINVAL for NULL; `exchange` is zeroed then. */
BELAY_EXPORT int belay_signal_export(belay_signal *signal, belay_exchange *exchange);

/* Returns a cold signal that subscribes to the exported one. Retains what `exchange` refers to and
   takes nothing over: release the exchange as well. An exchange of this copy gives the very signal
   that was exported. Release the result. Any thread. NULL: BELAY_EINVAL for NULL or an exchange
   that lacks a function, BELAY_ENOTSUP for an unknown version. */
BELAY_EXPORT belay_signal *belay_signal_import(const belay_exchange *exchange);

/* Gives back the reference of an exchange, whichever copy made it, and zeroes it. Does nothing for
   NULL and for one that is zeroed. Any thread. */
BELAY_EXPORT void belay_exchange_release(belay_exchange *exchange);

BELAY_END

#endif
