#include "count.h"

#include <inttypes.h>
#include <string.h>

#include "measure.h"
#include "post.h"
#include "rows.h"

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>

void bench_count_begin(void) { CALLGRIND_ZERO_STATS; }
void bench_count_end(const char *row) { CALLGRIND_DUMP_STATS_AT(row); }

/* Many enough for what happens now and then (a buffer that grows) to carry its usual weight. Two
   threads take a mailbox's lock by turns that vary: there it takes more for the mean to stand. */
enum { ENOUGH = 4096, ENOUGH_FOR_POSTS = 65536 };

int bench_count(FILE *out, const char *only) {
  if (!RUNNING_ON_VALGRIND) {
    fprintf(stderr, "bench: --count is for callgrind: see instructions.sh\n");
    return 2;
  }
  for (const bench_row *row = bench_rows; row->name; row++) {
    if ((only && strcmp(only, row->name) != 0) || strcmp(row->unit, "ns") != 0) continue;
    if (!bench_function_of(&bench_belay, row)) continue;
    uint64_t enough = row->batch == POST_BATCH ? ENOUGH_FOR_POSTS : ENOUGH;
    uint64_t n = (enough + row->batch - 1) / row->batch * row->batch;
    bench_play(row, 0, (bench_run){.n = n});
    bench_play(row, 0, (bench_run){.n = n, .counted = row->name});
    fprintf(out, "%s\t%" PRIu64 "\n", row->name, n);
  }
  return 0;
}

#else

void bench_count_begin(void) {}
void bench_count_end(const char *row) { (void)row; }

int bench_count(FILE *out, const char *only) {
  (void)out;
  (void)only;
  fprintf(stderr, "bench: built without <valgrind/callgrind.h>\n");
  return 2;
}

#endif
