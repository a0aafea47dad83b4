/* Measuring, in one process. */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include <stddef.h>
#include <stdio.h>

#include "bench.h"
#include "rows.h"

enum { BENCH_PEERS = 6 };

extern const bench_peer *const bench_peers[BENCH_PEERS];

/* The peer's number, or -1. */
int bench_peer_index(const char *name);

double bench_median(double *values, size_t count); /* sorts them */

/* How a peer plays a row, or NULL. */
bench_function bench_function_of(const bench_peer *peer, const bench_row *row);

/* Plays a row once, and returns what all n together took. Exits with 3 when a checksum is wrong. */
uint64_t bench_play(const bench_row *row, int peer, bench_run run);

/* Measures every row (only `only`, unless it is NULL), in `rounds` rounds with the peers taking
   turns, and writes `row<TAB>who<TAB>median` lines. */
void bench_measure(FILE *out, int rounds, const char *only);

#endif
