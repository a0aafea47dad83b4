/* Operators that do something beside the flow of events. Ownership is that of operator.h. */
#ifndef BELAY_EFFECTS_H
#define BELAY_EFFECTS_H

#include "base.h"
#include "operator.h"

/* Gets a line without its line end, borrowed. */
typedef void (*belay_log_fn)(void *ctx, const char *line);
/* Return 1 to stop; anything else continues. */
typedef int (*belay_stop_at_error_fn)(void *ctx, const belay_error *error);
typedef int (*belay_stop_fn)(void *ctx);

BELAY_BEGIN

/* Calls the callbacks of the observer for each event, before the event is passed on. When `next`
   calls belay_fail(), that error is passed on instead of the value, and the source is left. When
   `error` or `completed` does, that error takes the place of the end; nothing keeps the first
   error. `disposed` runs as the teardown of this stage. The observer's `loop` is ignored. A
   `next_batch` or an `owner` is BELAY_EINVAL. (RxJS's tap.) */
BELAY_EXPORT belay_op *belay_op_do(const belay_observer *observer);

/* Calls `action` once at the end of each subscription, in whichever way it ends: after `completed`
   or `error`, at a disposal, at an interruption. */
BELAY_EXPORT belay_op *belay_op_finally(belay_action_fn action, void *ctx,
                                        belay_free_fn ctx_free);

/* Calls `action` each time before it subscribes to the source. */
BELAY_EXPORT belay_op *belay_op_initially(belay_action_fn action, void *ctx,
                                          belay_free_fn ctx_free);

/* Writes a line for each event and each end: "SITE: LABEL: next 1", "… error MESSAGE", "…
   completed", "… disposed". `label` (NULL: the name of the signal) and `site` (BELAY_HERE; may be
   NULL) are copied. A NULL `sink` writes to stderr. */
BELAY_EXPORT belay_op *belay_op_log(const char *label, const char *site, belay_log_fn sink,
                                    void *ctx, belay_free_fn ctx_free);

/* Raises SIGTRAP on the thread of the callbacks before it passes on an event for which its callback
   returns 1. A debugger stops there. A process without a debugger and without a handler ends. A
   NULL callback never stops, nor does one that fails. The value and the error are borrowed.
   (Combine's breakpoint.) */
BELAY_EXPORT belay_op *belay_op_breakpoint(belay_predicate_fn next, belay_stop_at_error_fn error,
                                           belay_stop_fn completed, void *ctx,
                                           belay_free_fn ctx_free);
/* Raises SIGTRAP on the thread of the callbacks before it passes on an error. A debugger stops
   there. A process without a debugger and without a handler ends. */
BELAY_EXPORT belay_op *belay_op_breakpoint_on_error(void);

BELAY_END

#endif
