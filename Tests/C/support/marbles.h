/* The operations that the cases of Tests/Marbles name: each makes the signal under test. */
#ifndef MARBLES_H
#define MARBLES_H

#include "cases.h"

typedef struct marble_run marble_run;

typedef struct marble_operation {
  const char *name;
  belay_signal *(*make)(const marble_run *run);
} marble_operation;

/* The input that the word `index` after the operation names: a reference for the caller. */
belay_signal *marble_input(const marble_run *run, int index);
/* The word `index` as a number. */
long marble_number(const marble_run *run, int index);
/* The virtual time, borrowed. */
belay_scheduler *marble_scheduler(const marble_run *run);

#endif
