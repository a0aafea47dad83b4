/* Sharing: one subscription to a source for all listeners. Waiting.
 *
 * A connectable signal feeds a subject, and its subscriptions listen to that subject. Connecting
 * the signal subscribes to its source, once. When the source ends, or the connection is disposed
 * of, the subject is not used any more: a later subscription listens to a new one, for the next
 * connection, and a subscription that is still listening is interrupted. While the signal is
 * connected, a subscription retains neither the shared signal nor its source.
 */
#ifndef BELAY_SHARING_H
#define BELAY_SHARING_H

#include "base.h"
#include "operator.h"
#include "scheduler.h"
#include "signal.h"
#include "subject.h"

/* The part of a shared signal that outlives an end. These are bits. */
typedef enum belay_share_rules {
  BELAY_SHARE_RESET = 0,
  /* A subscription after an error gets the replay and the error. Without this flag it subscribes to
     the source again. */
  BELAY_SHARE_KEEP_ERROR = 1,
  /* A subscription after a completion gets the replay and the completion. Without this flag it
     subscribes to the source again. */
  BELAY_SHARE_KEEP_COMPLETED = 2,
  /* The source stays subscribed when the last subscription has ended: until it ends, or the loop
     closes at which its subscription began, even if the shared signal is released. Meanwhile values
     go to the replay, if there is one. An error that is not kept goes to the hook for errors that
     nobody handles (error.h). */
  BELAY_SHARE_KEEP_CONNECTION = 4
} belay_share_rules;

BELAY_BEGIN

/* ---- connectable signals; each takes `source` over ---- */

/* Creates a connectable signal without memory: a subscription gets the events from then on. */
BELAY_EXPORT belay_signal *belay_signal_publish(belay_signal *source);
/* Creates a connectable signal with a replay subject (belay_subject_create_replay()): a later
   subscription first gets the values that it has kept. After the end of the source a subscription
   gets them too, and then the end. Takes `source` over. Retains `scheduler`. BELAY_EINVAL for NaN
   or a count of 0. */
BELAY_EXPORT belay_signal *belay_signal_replay(belay_signal *source, belay_scheduler *scheduler,
                                               double seconds, size_t count);
/* Creates a connectable signal with a subject of any kind (taken over), the same for every
   connection. A subscription therefore outlives disconnections. NULL: BELAY_EKIND when `subject` is
   no subject. */
BELAY_EXPORT belay_signal *belay_signal_multicast(belay_signal *source, belay_signal *subject);
/* Subscribes to the source, at the home of the subject, unless it is subscribed already.
   `*connection` (may be NULL) gets a reference to a disposable that disconnects. Until then every
   call stores the same one; when the source has ended, NULL. Releasing it does not disconnect.
   Returns 0; BELAY_EKIND for a signal that is not connectable; or the code of the subscription. */
BELAY_EXPORT int belay_signal_connect(belay_signal *connectable, belay_disposable **connection);

/* Connects a connectable signal at its first subscription, and disconnects it when the last
   subscription has ended. */
BELAY_EXPORT belay_op *belay_op_ref_count(void);
/* Connects a connectable signal at its `count`th subscription, once and for good. 0 is
   BELAY_EINVAL. */
BELAY_EXPORT belay_op *belay_op_auto_connect(size_t count);

/* ---- both in one ---- */

/* Shares one subscription to the source among all subscriptions, from the first one to the end of
   the last one. `rules` are belay_share_rules; unknown ones are BELAY_EINVAL. */
BELAY_EXPORT belay_op *belay_op_share(unsigned rules);
/* Shares one subscription through a replay subject (belay_subject_create_replay()), like
   belay_op_share(). RxJS's shareReplay keeps the completion and the connection. RxSwift's keeps
   nothing (whileConnected) or everything (forever). */
BELAY_EXPORT belay_op *belay_op_share_replay(belay_scheduler *scheduler, double seconds,
                                             size_t count, unsigned rules);

/* Shares one subscription as belay_op_share() does, and keeps it until signals send a value (RxJS's
   share). Subscribers that come after an error get the error until `error` sends; those that come
   after the completion get the completion until `completed` sends. The source stays subscribed
   without subscribers until `unused` sends, unless a subscriber comes before. Each signal is taken
   over, and may be NULL: then nothing is kept. It is subscribed to when there is something to keep;
   its completion changes nothing. The last `replayed` values (BELAY_UNLIMITED: all) are sent to
   later subscribers first. */
BELAY_EXPORT belay_op *belay_op_share_until(size_t replayed, belay_signal *error,
                                            belay_signal *completed, belay_signal *unused);

/* ---- waiting ---- */

/* Subscribes at `loop`, which has to be Belay's own, and runs the loop until the first value, for
   at most `seconds` (negative: without limit). `*value` (may be NULL) gets a reference, which the
   caller releases; it is null on failure. In every case the subscription has ended when this
   returns. Where a callback runs the loop in turn when the wait is over, that run is stopped, too.

   Returns 0; the code of the signal's error; BELAY_EENDED when the signal completed without a
   value; BELAY_ETIMEDOUT; BELAY_ECANCELED when it was interrupted, or the loop was stopped or
   closed; BELAY_EBUSY inside a run of the loop; the failures of belay_loop_run(); BELAY_EINVAL. Two
   threads must not wait on one loop at the same time (loop.h). */
BELAY_EXPORT int belay_signal_wait_first(belay_signal *signal, belay_loop *loop, double seconds,
                                         belay_value *value);
/* Does the same for the last value before the completion. */
BELAY_EXPORT int belay_signal_wait_last(belay_signal *signal, belay_loop *loop, double seconds,
                                        belay_value *value);

BELAY_END

#endif
