/* Real work for a database, the same each time: a table and an index, inserts in transactions,
 * queries, updates, deletions, vacuum. */
#ifndef SPY_WORKLOAD_H
#define SPY_WORKLOAD_H

#include <stdbool.h>
#include <stdint.h>

typedef struct workload workload;

/* What came of it. */
typedef struct outcome {
  uint64_t answers;   /* of all queries, in one number */
  uint64_t content;   /* of the database's file */
  int64_t rows;       /* that are left */
  char integrity[64]; /* "ok", or SQLite's first complaint */
} outcome;

/* Creates the database, in the place of an old one. NULL on failure, which is on stderr. */
workload *workload_open(const char *path, const char *journal, int rows);

/* Does a part of the work, a transaction at most. 1: there is more to do; 0: that was all; -1:
   failed, which is on stderr. */
int workload_step(workload *work);

/* Closes the database. True, with the outcome, if all was done. NULL: false. */
bool workload_close(workload *work, outcome *outcome);

bool outcome_is_same(const outcome *one, const outcome *other);

#endif
