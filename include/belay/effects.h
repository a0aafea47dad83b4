/* Operators that do something beside the flow. Ownership is as in operator.h. */
#ifndef BELAY_EFFECTS_H
#define BELAY_EFFECTS_H

#include "base.h"
#include "operator.h"

/* Gets a line without its end, borrowed. */
typedef void (*belay_log_fn)(void *ctx, const char *line);

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

BELAY_END

#endif
