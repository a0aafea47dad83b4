/* A host's loop, which Belay adopts. */
#ifndef HOST_H
#define HOST_H

#include "cases.h"

#include <uv.h>

/* For uv_walk(): closes every handle, Belay's too. */
static inline void close_handle(uv_handle_t *handle, void *ctx) {
  if (!uv_is_closing(handle)) uv_close(handle, NULL);
}

/* A timer that is never due and keeps the loop alive; `label` is traced when it goes. */
static inline void keep_alive(belay_loop *loop, const char *label) {
  CHECK_INT(belay_scheduler_every(belay_loop_get_scheduler(loop), 1000, 1000, 0, empty_action,
                                  (void *)label, trace_free, NULL),
            0);
}

#endif
