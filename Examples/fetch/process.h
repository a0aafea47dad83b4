/* A process, as the signal of the lines that it prints. */
#ifndef FETCH_PROCESS_H
#define FETCH_PROCESS_H

#include <belay/belay.h>

/* Starts the program `arguments[0]` for each subscription, and sends what it prints on its standard
   output: a string a line, without its end. Completes when it has exited with 0; any other end of
   it is an error. A disposal kills it. The arguments, of which NULL is the last, are copied, `loop`
   is kept; it has to be subscribed to at home on that loop. */
belay_signal *process_lines(belay_loop *loop, const char *const *arguments);

#endif
