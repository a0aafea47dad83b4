/* Bringing the processes' results together. */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include <stdio.h>

/* Takes in the lines that bench_measure() wrote, of one process. */
void bench_report_read(FILE *lines);

/* The table: medians of the processes' medians, ratios, targets. */
void bench_report_print(FILE *out);

/* Names the rows (only `only`, unless it is NULL) that have no figure of Belay's; how many. Those
   of Swift's objects count where they were to be measured. */
int bench_report_gaps(FILE *out, const char *only, int native);

/* `row<TAB>who<TAB>value<TAB>unit`; only the extra rows, or only the others. 0, or -1. */
int bench_report_write(const char *path, int extra);

#endif
