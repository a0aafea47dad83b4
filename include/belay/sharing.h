/* Sharing: one subscription to a source for all who listen. Waiting.
 *
 * A connectable signal feeds a subject, to which its subscriptions listen; it subscribes to its
 * source when it is connected, once. When the source ends, or the connection is disposed of, that
 * subject is done with: who comes later listens to a new one, for the next connection, and who
 * still listens is interrupted. While it is connected a subscription keeps neither the shared
 * signal nor its source.
 */
#ifndef BELAY_SHARING_H
#define BELAY_SHARING_H

#include "base.h"
#include "operator.h"
#include "scheduler.h"
#include "signal.h"
#include "subject.h"

/* What of a shared signal outlives an end; bits. */
typedef enum belay_share_rules {
  BELAY_SHARE_RESET = 0,
  /* Who comes after an error gets what is replayed and the error; else subscribes anew. */
  BELAY_SHARE_KEEP_ERROR = 1,
  /* The same, for completion. */
  BELAY_SHARE_KEEP_COMPLETED = 2,
  /* The source stays subscribed when nobody listens any more. */
  BELAY_SHARE_KEEP_CONNECTION = 4
} belay_share_rules;

BELAY_BEGIN

/* ---- connectable signals; each takes `source` over ---- */

/* Who listens gets what comes while he does. */
BELAY_EXPORT belay_signal *belay_signal_publish(belay_signal *source);
/* Who comes later gets first what a replay subject (belay_subject_create_replay()) has kept; also
   after the source's end, and then the end. */
BELAY_EXPORT belay_signal *belay_signal_replay(belay_signal *source, belay_scheduler *scheduler,
                                               double seconds, size_t count);
/* Through a subject of any kind (taken over), the same for every connection, so that who listens
   does so through disconnections too. BELAY_EKIND when it is none. */
BELAY_EXPORT belay_signal *belay_signal_multicast(belay_signal *source, belay_signal *subject);
/* Subscribes to the source, at the subject's home, unless it is subscribed. `*connection` (may be
   NULL) gets a reference to what disconnects when it is disposed of, the same until then; NULL when
   the source has ended. Dropping it disconnects nothing. BELAY_EKIND for other signals. */
BELAY_EXPORT int belay_signal_connect(belay_signal *connectable, belay_disposable **connection);

/* On a connectable signal: connects with the first subscription, disconnects with the last one. */
BELAY_EXPORT belay_op *belay_op_ref_count(void);
/* On a connectable signal: connects with the `count`th subscription, once, for good. 0 is
   BELAY_EINVAL. */
BELAY_EXPORT belay_op *belay_op_auto_connect(size_t count);

/* ---- both in one ---- */

/* One subscription to the source for all: from the first who listens to the last. `rules` are
   belay_share_rules; unknown ones are BELAY_EINVAL. */
BELAY_EXPORT belay_op *belay_op_share(unsigned rules);
/* The same through a replay subject (belay_subject_create_replay()). RxJS's shareReplay keeps the
   completion and the connection; RxSwift's keeps nothing (whileConnected) or all (forever). */
BELAY_EXPORT belay_op *belay_op_share_replay(belay_scheduler *scheduler, double seconds,
                                             size_t count, unsigned rules);

/* ---- waiting ---- */

/* Subscribes at `loop`, which is Belay's own, and runs it until the first value, for at most
   `seconds` (negative: without a limit). `*value` (may be NULL) is given to the caller, who
   releases it; null on failure. The error's code; BELAY_EENDED when the signal completed without a
   value; BELAY_ETIMEDOUT; BELAY_ECANCELED when it was interrupted, or the loop stopped; BELAY_EBUSY
   from inside a run of it; what belay_loop_run() answers; BELAY_EINVAL. However it ends, the
   subscription has ended too. */
BELAY_EXPORT int belay_signal_wait_first(belay_signal *signal, belay_loop *loop, double seconds,
                                         belay_value *value);
/* The same for the last value before the completion. */
BELAY_EXPORT int belay_signal_wait_last(belay_signal *signal, belay_loop *loop, double seconds,
                                        belay_value *value);

BELAY_END

#endif
