/* What a database does with its files. */
#ifndef SPY_IO_H
#define SPY_IO_H

#include <stdint.h>

typedef enum io_kind { IO_READ, IO_WRITE, IO_TRUNCATE, IO_SYNC, IO_KINDS } io_kind;
typedef enum io_file { IO_DATABASE, IO_JOURNAL, IO_WAL, IO_TEMPORARY, IO_FILES } io_file;

/* One call of a method of an open file, told when it has returned. */
typedef struct io {
  io_kind kind;
  io_file file;
  int64_t bytes; /* how many bytes were asked for; 0 unless it reads or writes */
  int result;    /* SQLite's code */
  double seconds;
} io;

const char *io_kind_name(io_kind kind);
const char *io_file_name(io_file file);

/* Which kind of file it is, by the flags that it is opened with. */
io_file io_file_of(int flags);

/* Seconds on a clock that only goes forward. */
double io_now(void);

#endif
