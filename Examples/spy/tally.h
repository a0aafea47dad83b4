/* Sums of many `io`s. */
#ifndef SPY_TALLY_H
#define SPY_TALLY_H

#include "io.h"

typedef struct tally {
  uint64_t count, failures;
  int64_t bytes;
  double seconds, longest;
} tally;

/* By file and kind. */
typedef struct tallies {
  tally of[IO_FILES][IO_KINDS];
} tallies;

void tallies_add(tallies *all, const io *one);

/* Of all files. */
tally tallies_kind(const tallies *all, io_kind kind);

/* A line with what was done in that many seconds, and the rates. */
void tallies_print_rates(const tallies *all, double at, double seconds);

/* A table, a line for each file and kind. */
void tallies_print(const tallies *all);

#endif
