#include "tally.h"

#include <sqlite3.h>
#include <stdio.h>

void tallies_add(tallies *all, const io *one) {
  tally *tally = &all->of[one->file][one->kind];
  tally->count++;
  /* A file that ends before the bytes that were asked for is no failure. */
  tally->failures += one->result != SQLITE_OK && one->result != SQLITE_IOERR_SHORT_READ;
  tally->bytes += one->bytes;
  tally->seconds += one->seconds;
  if (one->seconds > tally->longest) tally->longest = one->seconds;
}

tally tallies_kind(const tallies *all, io_kind kind) {
  tally sum = {.count = 0};
  for (int file = 0; file < IO_FILES; file++) {
    const tally *one = &all->of[file][kind];
    sum.count += one->count;
    sum.failures += one->failures;
    sum.bytes += one->bytes;
    sum.seconds += one->seconds;
    if (one->longest > sum.longest) sum.longest = one->longest;
  }
  return sum;
}

static double mean_us(const tally *tally) {
  return tally->count ? tally->seconds / (double)tally->count * 1e6 : 0;
}

void tallies_print_rates(const tallies *all, double at, double seconds) {
  static const io_kind shown[] = {IO_READ, IO_WRITE, IO_SYNC};
  printf("%6.2f s", at);
  for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
    tally sum = tallies_kind(all, shown[i]);
    printf("  %s %5.0f/s", io_kind_name(shown[i]), (double)sum.count / seconds);
    if (shown[i] != IO_SYNC) printf(" %6.2f MB/s", (double)sum.bytes / seconds / 1e6);
    printf(" %.1f us", mean_us(&sum));
  }
  putchar('\n');
}

void tallies_print(const tallies *all) {
  printf("%-10s %-9s %8s %12s %10s %10s %10s\n", "file", "operation", "count", "bytes", "mean us",
         "longest us", "failures");
  for (int file = 0; file < IO_FILES; file++)
    for (int kind = 0; kind < IO_KINDS; kind++) {
      const tally *one = &all->of[file][kind];
      if (one->count)
        printf("%-10s %-9s %8llu %12lld %10.1f %10.1f %10llu\n", io_file_name((io_file)file),
               io_kind_name((io_kind)kind), (unsigned long long)one->count, (long long)one->bytes,
               mean_us(one), one->longest * 1e6, (unsigned long long)one->failures);
    }
}
