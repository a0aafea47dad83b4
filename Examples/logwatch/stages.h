/* The stages between a line of the log and the line that is shown. */
#ifndef LOGWATCH_STAGES_H
#define LOGWATCH_STAGES_H

#include <belay/belay.h>

/* A line (string or bytes) becomes an `entry`. `match` is copied; NULL: every line matches. */
belay_op *stage_parse(const char *match);

/* The entries that match, as a `window` a second. Takes `entries` over. */
belay_signal *stage_windows(belay_signal *entries, belay_loop *loop);

#endif
