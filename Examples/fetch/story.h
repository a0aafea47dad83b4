/* Fifty requests at once to a server in a process of its own: half of them for good, half bound to
   an owner that goes while they are under way. */
#ifndef FETCH_STORY_H
#define FETCH_STORY_H

#include <belay/belay.h>
#include <uv.h>

/* Tells the story on `loop`, which is `uv` adopted, and runs that until it is over. `program` is
   this program, for `program --serve 50`. 0 when every count is right on both sides, else 1. */
int story_run(uv_loop_t *uv, belay_loop *loop, const char *program);

#endif
