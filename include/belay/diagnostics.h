/* Counts of live objects, of misuses and of losses. They are always on. */
#ifndef BELAY_DIAGNOSTICS_H
#define BELAY_DIAGNOSTICS_H

#include "base.h"

typedef enum belay_live_kind {
  BELAY_LIVE_SUBSCRIPTIONS = 0, /* until their ctx_free has run */
  BELAY_LIVE_SIGNALS,
  BELAY_LIVE_SUBSCRIBERS,
  BELAY_LIVE_DISPOSABLES, /* without subscriptions */
  BELAY_LIVE_OWNERS,      /* until their step 8 is over */
  BELAY_LIVE_LOOPS,       /* until they are closed and released */
  BELAY_LIVE_VALUES, /* those with a counted box */
  BELAY_LIVE_ERRORS,
  BELAY_LIVE_TABLES,   /* objects whose pointer leads to a private copy of their table */
  BELAY_LIVE_SLOTS,    /* words that hold a function of Belay's: slots that are intercepted now */
  BELAY_LIVE_PROXIES,  /* delegate proxies */
  BELAY_LIVE_CLOSURES, /* functions made at run time: one for each slot that has been asked for */
  BELAY_LIVE_CLASSES,  /* class tables whose destroy function Belay has replaced; for good */
  BELAY_LIVE_KINDS     /* the number of kinds */
} belay_live_kind;

BELAY_BEGIN

/* Returns how many things of a kind are alive in the process; for BELAY_LIVE_KINDS, of all kinds
   but closures and classes. A slot in a static table keeps its closure, and a class its hook, until
   the process ends or the table is given up (belay_table_gone()), so these two are no leaks. An
   error is not counted while a thread has it as its last failure, also if the host holds it. Any
   thread. The result is exact while no other thread makes or ends any. */
BELAY_EXPORT size_t belay_live_count(belay_live_kind kind);
/* Returns the name of a kind: "subscriptions", "signals", … Static. */
BELAY_EXPORT const char *belay_live_kind_name(belay_live_kind kind);
/* Returns the number of misuses in the process: calls that returned BELAY_EINVAL, BELAY_EKIND,
   BELAY_EWRONGTHREAD, BELAY_ERELEASED or a similar code. */
BELAY_EXPORT uint64_t belay_misuse_count(void);
/* Returns how many things in the process were accepted (the call returned 0 or BELAY_QUEUED) but
   not delivered. These are values, ends and work that waited for a loop, a worker or a pool when it
   closed, and values that found their source ended, full, or busy with BELAY_REENTRANCY_REJECT. A
   thing that was disposed of on purpose is not counted, nor one that the policy of a queue drops.
   The first loss at each place prints a line on stderr. Any thread. */
BELAY_EXPORT uint64_t belay_lost_count(void);

/* Writes a line for each subscription whose callback runs on the calling thread, the innermost
   first: its name, and the place of the subscription, if it is known. A call stack does not tell
   these. Meant for hooks (belay_on_unhandled_error()), for logs, and for a debugger. Cut to `size`
   bytes including a NUL (`buffer` may be NULL). Returns the length of the whole text: 0 outside of
   callbacks. (The call stack of RxSwift's default error handler.) */
BELAY_EXPORT size_t belay_delivery_stack(char *buffer, size_t size);

/* The kind of an overlap: a value came to a source during an event of the same source. The source
   keeps the grammar: it delivers one event after the other, or refuses. It may still be a mistake
   of the program: a feedback loop, or a thread that should not send. */
typedef enum belay_overlap {
  BELAY_OVERLAP_NESTED = 1, /* it was sent from inside that delivery */
  BELAY_OVERLAP_THREADS     /* another thread was delivering (shared sources) */
} belay_overlap;

/* Gets an overlap. `source` is the name of the source, and `site` the place that made it, or NULL.
   `sender` is the name of the subscription whose callback sent the value, or NULL when none did.
   All arguments are borrowed. Runs on the sender's thread, inside the send. */
typedef void (*belay_overlap_fn)(void *ctx, belay_overlap overlap, const char *source,
                                 const char *sender, const char *site);

/* Sets the process's hook for overlaps. It gets each pair of names once, 1024 pairs at most.
   Without a hook, which is the default and NULL restores, nothing is looked for. The new hook
   replaces the old one, whose `ctx_free` runs when no thread is in it any more. Any thread. Returns
   0. (RxSwift's SynchronizationTracker, which prints.) */
BELAY_EXPORT int belay_on_overlap(belay_overlap_fn hook, void *ctx, belay_free_fn ctx_free);

/* Gets a callback that took long, in seconds, without the callbacks inside of it that were timed
   themselves. `name` is the name of the subscription, the label of the work, or else "timer",
   "work" or "post"; `site` the place that made it, or NULL. Both are borrowed. Runs on the
   callback's thread, after the callback. The hook is not called for what it calls itself. */
typedef void (*belay_slow_callback_fn)(void *ctx, double seconds, const char *name,
                                       const char *site);

/* Sets the process's hook for callbacks that take `seconds` or longer, each of which holds up
   whatever waits for its thread; 0: it gets all callbacks. Timed are the callbacks of subscriptions
   with the operators above them, work of schedulers, and posts (belay_loop_post()), on every thread
   but those of the pool, which are for what takes long. Callbacks inside of a call of the host's
   are not timed: neither those of events that a source sends inside of belay_signal_subscribe(),
   nor `disposed` inside of a disposal. Without a hook, which is the default and NULL restores, the
   clock is not read, and a send takes no longer. The new hook replaces the old one, whose
   `ctx_free` runs when no thread is in it any more. Any thread. Returns 0; BELAY_EINVAL when
   `seconds` is negative or NaN, and nothing changes. (asyncio's slow_callback_duration.) */
BELAY_EXPORT int belay_on_slow_callback(double seconds, belay_slow_callback_fn hook, void *ctx,
                                        belay_free_fn ctx_free);

BELAY_END

#endif
