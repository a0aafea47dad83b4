/* What is alive. Always on. */
#ifndef BELAY_DIAGNOSTICS_H
#define BELAY_DIAGNOSTICS_H

#include "base.h"

typedef enum belay_live_kind {
  BELAY_LIVE_SUBSCRIPTIONS = 0, /* until their ctx_free has run */
  BELAY_LIVE_SIGNALS,
  BELAY_LIVE_SUBSCRIBERS,
  BELAY_LIVE_DISPOSABLES, /* those that are not subscriptions */
  BELAY_LIVE_OWNERS,      /* until their step 8 is over */
  BELAY_LIVE_LOOPS,
  BELAY_LIVE_VALUES, /* boxed ones */
  BELAY_LIVE_ERRORS,
  BELAY_LIVE_KINDS /* how many kinds there are */
} belay_live_kind;

BELAY_BEGIN

/* How many of a kind are alive in the process; of all kinds for BELAY_LIVE_KINDS. Any thread;
   exact when no other thread is making or ending any. */
BELAY_EXPORT size_t belay_live_count(belay_live_kind kind);
/* "subscriptions", "signals", … Static. */
BELAY_EXPORT const char *belay_live_kind_name(belay_live_kind kind);
/* Misuse seen so far, process-wide: calls that were answered BELAY_EINVAL, BELAY_EKIND,
   BELAY_EWRONGTHREAD, BELAY_ERELEASED and the like. */
BELAY_EXPORT uint64_t belay_misuse_count(void);
/* What was taken (0 or BELAY_QUEUED was answered) and did not arrive, process-wide: values, ends and
   work that waited for a loop, a worker or a pool when it closed; values that found their source
   ended, or busy with BELAY_REENTRANCY_REJECT or no room left. What was disposed of on purpose is
   not counted, nor what a queue's policy drops. The first loss at each place is a line on stderr.
   Any thread. */
BELAY_EXPORT uint64_t belay_lost_count(void);

BELAY_END

#endif
