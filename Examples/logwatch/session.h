/* A session watches one file. It is an owner: its subscriptions end with it, at the latest. */
#ifndef LOGWATCH_SESSION_H
#define LOGWATCH_SESSION_H

#include <belay/belay.h>

#include "options.h"

/* Starts watching; `options` must outlive the session. NULL, and belay_last_error(), on failure.
   Release the result: that is the session's death, which it reports itself. */
belay_owner *session_start(belay_loop *loop, const options *options);

/* 0, or 1 when the file could not be read. */
int session_exit_code(belay_owner *owner);

#endif
