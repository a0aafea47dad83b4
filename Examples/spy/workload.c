#include "workload.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROWS_A_TRANSACTION = 100 };

struct workload {
  sqlite3 *db;
  char *path;
  int rows, inserted;
  int stage; /* which step after the inserts is next */
  bool is_done;
  outcome outcome;
};

/* FNV-1a. */
static const uint64_t empty_hash = 0xCBF29CE484222325;
static uint64_t hash(uint64_t before, const void *data, size_t size) {
  for (const unsigned char *byte = data; size--; byte++) before = (before ^ *byte) * 0x100000001B3;
  return before;
}

static int fail(const workload *work, const char *what) {
  fprintf(stderr, "spy: %s: %s: %s\n", work->path, what, sqlite3_errmsg(work->db));
  return -1;
}

/* Runs a statement with a number bound to each of its parameters; its answers are hashed. */
static int run(workload *work, const char *sql, int64_t number) {
  sqlite3_stmt *statement = NULL;
  int rc = sqlite3_prepare_v2(work->db, sql, -1, &statement, NULL);
  if (rc != SQLITE_OK) return fail(work, sql);
  for (int i = 1; i <= sqlite3_bind_parameter_count(statement); i++)
    sqlite3_bind_int64(statement, i, number);
  uint64_t *answers = &work->outcome.answers;
  while ((rc = sqlite3_step(statement)) == SQLITE_ROW)
    for (int i = 0; i < sqlite3_column_count(statement); i++) {
      const void *text = sqlite3_column_text(statement, i);
      *answers = hash(*answers, text, (size_t)sqlite3_column_bytes(statement, i));
      *answers = hash(*answers, "|", 1);
    }
  rc = rc == SQLITE_DONE ? 0 : fail(work, sql);
  sqlite3_finalize(statement);
  return rc;
}

/* Calls `action` with each file that belongs to the database. Returns how many answered 0. */
static int for_files(const char *path, int (*action)(const char *name)) {
  static const char *const suffixes[] = {"", "-journal", "-wal", "-shm"};
  char name[4096];
  int count = 0;
  for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
    if (snprintf(name, sizeof name, "%s%s", path, suffixes[i]) < (int)sizeof name)
      count += action(name) == 0;
  return count;
}
static int look(const char *name) { return access(name, F_OK); }

bool workload_exists(const char *path) { return for_files(path, look) > 0; }
void workload_remove(const char *path) { for_files(path, remove); }

workload *workload_open(const char *path, const char *journal, int rows) {
  workload *work = calloc(1, sizeof *work);
  if (!work || !(work->path = strdup(path))) {
    free(work);
    return NULL;
  }
  work->rows = rows;
  work->outcome.answers = empty_hash;
  char sql[64];
  snprintf(sql, sizeof sql, "PRAGMA journal_mode = %s", journal);
  int rc = sqlite3_open(path, &work->db) == SQLITE_OK ? 0 : fail(work, "open");
  if (rc >= 0) rc = run(work, sql, 0);
  /* The cache is so small that some pages are read more than once. */
  if (rc >= 0) rc = run(work, "PRAGMA cache_size = 32", 0);
  if (rc >= 0)
    rc = run(work, "CREATE TABLE reading (id INTEGER PRIMARY KEY, sensor TEXT, value REAL)", 0);
  if (rc >= 0) rc = run(work, "CREATE INDEX by_sensor ON reading (sensor, value)", 0);
  if (rc >= 0) return work;
  workload_close(work, NULL);
  return NULL;
}

static int insert(workload *work) {
  static const char *const sql =
      "INSERT INTO reading VALUES (?1, 'sensor ' || ?1 % 16, (?1 * 7919) % 1000 / 8.0)";
  int rc = run(work, "BEGIN", 0);
  for (int i = 0; rc >= 0 && i < ROWS_A_TRANSACTION && work->inserted < work->rows; i++)
    rc = run(work, sql, ++work->inserted);
  return rc < 0 ? rc : run(work, "COMMIT", 0);
}

static int keep_text(void *place, int count, char **values, char **names) {
  (void)count, (void)names;
  char *text = place;
  if (!*text) snprintf(text, sizeof((outcome *)0)->integrity, "%s", values[0]);
  return 0;
}
static int keep_number(void *place, int count, char **values, char **names) {
  (void)count, (void)names;
  *(int64_t *)place = strtoll(values[0], NULL, 10);
  return 0;
}
static int ask(workload *work, const char *sql, int (*keep)(void *, int, char **, char **),
               void *place) {
  return sqlite3_exec(work->db, sql, keep, place, NULL) == SQLITE_OK ? 0 : fail(work, sql);
}

int workload_step(workload *work) {
  int rc;
  if (work->inserted < work->rows) {
    rc = insert(work);
    return rc < 0 ? rc : 1;
  }
  switch (work->stage++) {
    case 0:
      rc = run(work, "SELECT sensor, count(*), sum(value) FROM reading GROUP BY sensor", 0);
      for (int i = 0; rc >= 0 && i < 500; i++)
        rc = run(work, "SELECT * FROM reading WHERE id = ?", (int64_t)i * 7919 % work->rows + 1);
      break;
    case 1: rc = run(work, "UPDATE reading SET value = -value WHERE id % 3 = 0", 0); break;
    case 2: rc = run(work, "DELETE FROM reading WHERE id % 5 = 0", 0); break;
    case 3: rc = run(work, "SELECT * FROM reading ORDER BY value, id", 0); break;
    case 4: rc = run(work, "VACUUM", 0); break;
    case 5: rc = ask(work, "SELECT count(*) FROM reading", keep_number, &work->outcome.rows); break;
    default:
      rc = ask(work, "PRAGMA integrity_check", keep_text, work->outcome.integrity);
      work->is_done = rc >= 0;
      return rc;
  }
  return rc < 0 ? rc : 1;
}

/* The size is read after the close, when nothing is left in a journal. */
static bool hash_file(const char *path, uint64_t *content) {
  FILE *file = fopen(path, "rb");
  if (!file) return false;
  char bytes[65536];
  *content = empty_hash;
  for (size_t size; (size = fread(bytes, 1, sizeof bytes, file)) > 0;)
    *content = hash(*content, bytes, size);
  bool is_read = !ferror(file);
  fclose(file);
  return is_read;
}

bool workload_close(workload *work, outcome *outcome) {
  if (!work) return false;
  bool is_good = sqlite3_close(work->db) == SQLITE_OK && work->is_done &&
                 hash_file(work->path, &work->outcome.content);
  if (is_good) *outcome = work->outcome;
  free(work->path);
  free(work);
  return is_good;
}

bool outcome_is_same(const outcome *one, const outcome *other) {
  return one->answers == other->answers && one->content == other->content &&
         one->rows == other->rows && strcmp(one->integrity, other->integrity) == 0;
}
