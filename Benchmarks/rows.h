/* The rows: what each of them is, what its checksum must be, and which ratio it aims at. */
#ifndef BENCH_ROWS_H
#define BENCH_ROWS_H

#include <stddef.h>
#include <stdint.h>

typedef struct bench_row {
  const char *name;
  const char *unit;
  uint64_t batch; /* n is a multiple of it */
  int extra;      /* 1: printed, but not one of the rows of results.tsv */
  uint64_t (*expected)(uint64_t n);
  double factor; /* target: Belay <= factor * `against` in row `against_row` … */
  const char *against;
  const char *against_row;
  double most; /* … or Belay <= most; 0: no target */
} bench_row;

/* Ended by one without a name. In the order of measuring: heap first, while the heap is fresh,
   post last, so that under --alone the others run in a process without threads. */
extern const bench_row bench_rows[];

/* The number of rows, without the one that ends them. */
size_t bench_row_count(void);

const bench_row *bench_row_named(const char *name);

#endif
