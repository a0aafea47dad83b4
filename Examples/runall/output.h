/* The output of a process. */
#ifndef RUNALL_OUTPUT_H
#define RUNALL_OUTPUT_H

#include <belay/belay.h>

/* Sends the lines of both streams as they come, as bytes, and completes at the end of both. A line
   that is too long is cut into several. `started` is the first value of belay_process(). */
belay_signal *output_lines(belay_value started);

#endif
