/* Counting instructions and allocations, where this process runs under callgrind. */
#ifndef BENCH_COUNT_H
#define BENCH_COUNT_H

#include <stdio.h>

/* Plays each row of Belay's (only `only`, unless it is NULL) twice: the first time warms up, of the
   second callgrind dumps what lies between begin and end. Writes `row<TAB>n` lines. 0, or 2: not
   built with callgrind's header, or not run by callgrind. */
int bench_count(FILE *out, const char *only);

#endif
