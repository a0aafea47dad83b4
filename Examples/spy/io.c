#include "io.h"

#include <sqlite3.h>
#include <time.h>

const char *io_kind_name(io_kind kind) {
  static const char *const names[IO_KINDS] = {"read", "write", "truncate", "sync"};
  return names[kind];
}

const char *io_file_name(io_file file) {
  static const char *const names[IO_FILES] = {"database", "journal", "wal", "temporary"};
  return names[file];
}

io_file io_file_of(int flags) {
  if (flags & SQLITE_OPEN_MAIN_DB) return IO_DATABASE;
  if (flags & (SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL)) return IO_JOURNAL;
  return flags & SQLITE_OPEN_WAL ? IO_WAL : IO_TEMPORARY;
}

double io_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}
