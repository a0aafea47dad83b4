/* A process, as the signal of the lines that it prints. */
#ifndef FETCH_PROCESS_H
#define FETCH_PROCESS_H

#include <belay/belay.h>

/* Starts the program `arguments[0]` for each subscription, and sends each line of its standard
   output as a string, without the line's end. Completes when the process has exited with 0; any
   other end is an error. A disposal kills the process. Copies the arguments, of which NULL is the
   last; keeps `loop`, on which it has to be subscribed to at home. */
belay_signal *process_lines(belay_loop *loop, const char *const *arguments);

#endif
