/* Real work for a database, the same each time: a table and an index, inserts in transactions,
   queries, updates, deletions, vacuum. */
#ifndef SPY_WORKLOAD_H
#define SPY_WORKLOAD_H

#include <stdbool.h>
#include <stdint.h>

typedef struct workload workload;

/* The outcome of it. */
typedef struct outcome {
  uint64_t answers;   /* a hash of the answers to all queries */
  uint64_t content;   /* of the database's file */
  int64_t rows;       /* how many are left */
  char integrity[64]; /* "ok", or the first complaint of SQLite */
} outcome;

/* Whether there is a database, or a journal that would be played back into a new one. */
bool workload_exists(const char *path);
/* Removes the database and its journals. */
void workload_remove(const char *path);

/* Creates the database, which must not exist. NULL on failure, which is printed on stderr. */
workload *workload_open(const char *path, const char *journal, int rows);

/* Does a part of the work, at most a transaction. 1: there is more to do; 0: that was all; -1: it
   failed, which is printed on stderr. */
int workload_step(workload *work);

/* Closes the database. True, with the outcome, if all was done. NULL: false. */
bool workload_close(workload *work, outcome *outcome);

bool outcome_is_same(const outcome *one, const outcome *other);

#endif
