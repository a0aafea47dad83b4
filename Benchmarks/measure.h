/* Measuring, in one process. */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include <stddef.h>
#include <stdio.h>

#include "bench.h"

enum { BENCH_PEERS = 6 };

extern const bench_peer *const bench_peers[BENCH_PEERS];

/* The peer's number, or -1. */
int bench_peer_index(const char *name);

double bench_median(double *values, size_t count); /* sorts them */

/* Measures every row (only `only`, unless it is NULL), in `rounds` rounds with the peers taking
   turns, and writes `row<TAB>who<TAB>median` lines. Exits with 3 when a checksum is wrong. */
void bench_measure(FILE *out, int rounds, const char *only);

#endif
