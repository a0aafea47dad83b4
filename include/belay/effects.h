/* Operators that do something beside the flow. Ownership is as in operator.h. */
#ifndef BELAY_EFFECTS_H
#define BELAY_EFFECTS_H

#include "base.h"
#include "operator.h"

/* Gets a line without its end, borrowed. */
typedef void (*belay_log_fn)(void *ctx, const char *line);
/* What to stop at: 1 stops, anything else goes on. */
typedef int (*belay_stop_at_error_fn)(void *ctx, const belay_error *error);
typedef int (*belay_stop_fn)(void *ctx);

BELAY_BEGIN

/* Calls `action` once at the end of each subscription, however it comes: after `completed` or
   `error`, at a disposal, at an interruption. */
BELAY_EXPORT belay_op *belay_op_finally(belay_action_fn action, void *ctx,
                                        belay_free_fn ctx_free);

/* Calls `action` each time before the source is subscribed to. */
BELAY_EXPORT belay_op *belay_op_initially(belay_action_fn action, void *ctx,
                                          belay_free_fn ctx_free);

/* Tells of each event and of each end, in lines "SITE: LABEL: next 1", "… error MESSAGE",
   "… completed", "… disposed". `label` (NULL: the signal's name) and `site` (BELAY_HERE; may be
   NULL) are copied. `sink` may be NULL: stderr. */
BELAY_EXPORT belay_op *belay_op_log(const char *label, const char *site, belay_log_fn sink,
                                    void *ctx, belay_free_fn ctx_free);

/* Raises SIGTRAP on the thread of the callbacks before it passes on an event for which the callback
   answers 1: a debugger stops there; a process without one, and without a handler, ends. What is NULL
   never stops, nor does a callback that fails. The value and the error are borrowed. (Combine's
   breakpoint.) */
BELAY_EXPORT belay_op *belay_op_breakpoint(belay_predicate_fn next, belay_stop_at_error_fn error,
                                           belay_stop_fn completed, void *ctx,
                                           belay_free_fn ctx_free);
/* The same before any error. */
BELAY_EXPORT belay_op *belay_op_breakpoint_on_error(void);

BELAY_END

#endif
