#include "rows.h"

#include <string.h>

#include "bench.h"

static uint64_t sum_below(uint64_t n) { return n * (n - 1) / 2; }

static uint64_t checksum(uint64_t heard, uint64_t ended) {
  return bench_checksum((bench_tally){.heard = heard, .ended = ended});
}

/* emit, post: every subscriber hears 0, 1, 2, … */
static uint64_t values(uint64_t n) { return checksum(sum_below(n), 0); }
static uint64_t values_by_10(uint64_t n) { return checksum(10 * sum_below(n / 10), 0); }
static uint64_t values_by_1000(uint64_t n) { return checksum(1000 * sum_below(n / 1000), 0); }
/* chain3, chain10: every map adds one. */
static uint64_t values_plus_2(uint64_t n) { return checksum(sum_below(n) + 2 * n, 0); }
static uint64_t values_plus_10(uint64_t n) { return checksum(sum_below(n) + 10 * n, 0); }
/* comb2: the two inputs send 0, 1, 2, … by turns; the first value meets nothing, and each of the
   others is added to the one before it. zip2: a pair sends the sum of its two values. */
static uint64_t sums_of_two(uint64_t n) { return checksum((n - 1) * (n - 1), 0); }
static uint64_t sums_of_pairs(uint64_t n) { return checksum(sum_below(n), 0); }
/* sub, bag: n have ended; a 1 sent at the end is heard only by who should still be there. */
static uint64_t ends(uint64_t n) { return checksum(0, n); }
static uint64_t ends_beside_1000(uint64_t n) { return checksum(BENCH_CROWD, n); }
static uint64_t ends_by_10(uint64_t n) { return checksum(0, 10 * n); }
/* heap, post_action: each is heard as a 1. */
static uint64_t ones(uint64_t n) { return checksum(n, 0); }
/* cold: each hears its number, and `completed` and `disposed`. */
static uint64_t values_and_two_ends(uint64_t n) { return checksum(sum_below(n), 2 * n); }
/* call_sent, …: the function hears its number, and somebody of the call. */
static uint64_t values_and_calls(uint64_t n) { return checksum(sum_below(n), n); }
/* arm: no timer is due. */
static uint64_t nothing(uint64_t n) { return checksum(0, 0 * n); }
/* debounce: the last value alone is heard, when the source completes. */
static uint64_t debounced(uint64_t n) { return checksum(n - 1, 1); }

const bench_row bench_rows[] = {
    {"heap", "bytes", BENCH_HEAP, 0, ones, 0, NULL, NULL, 96},
    {"heap6", "bytes", BENCH_HEAP, 1, ones, 0, NULL, NULL, 144},
    {"emit1", "ns", 1, 0, values, 3.5, "raw", "emit1", 0},
    {"emit1_get", "ns", 1, 1, values, 0, NULL, NULL, 0},
    {"cpp_emit1", "ns", 1, 0, values, 1.2, "belay", "emit1", 0},
    {"cpp_chain3", "ns", 1, 1, values_plus_2, 1.2, "belay", "chain3", 0},
    {"cpp_sub0", "ns", 1, 1, ends, 0, NULL, NULL, 0},
    {"emit10", "ns", 10, 0, values_by_10, 1.5, "raw", "emit10", 0},
    {"emit1000", "ns", 1000, 0, values_by_1000, 1.5, "raw", "emit1000", 0},
    {"chain3", "ns", 1, 0, values_plus_2, 3.5, "raw", "chain3", 0},
    {"chain10", "ns", 1, 0, values_plus_10, 2.2, "raw", "chain10", 0},
    {"flatjust", "ns", 1, 0, values, 3, "belay", "sub0", 0},
    {"comb2", "ns", 2, 0, sums_of_two, 6, "raw", "comb2", 0},
    {"zip2", "ns", 2, 0, sums_of_pairs, 6, "raw", "zip2", 0},
    {"sub0", "ns", 1, 0, ends, 0.35, "sigc++", "sub0", 0},
    {"sub1000", "ns", 1, 0, ends_beside_1000, 1.1, "belay", "sub0", 0},
    {"bag10k", "ns", BENCH_BAG, 0, ends, 0.4, "boost", "bag10k", 0},
    {"bag_away", "ns", BENCH_BAG, 1, ends, 0, NULL, NULL, 0},
    {"own1", "ns", 1, 0, ends, 1, "sigc++", "own1", 0},
    {"own10", "ns", 1, 0, ends_by_10, 0.9, "sigc++", "own10", 0},
    {"cold", "ns", 1, 0, values_and_two_ends, 20, "raw", "cold", 0},
    {"cold_stack", "ns", 1, 1, values_and_two_ends, 20, "raw", "cold_stack", 0},
    {"debounce", "ns", 1, 0, debounced, 10, "raw", "emit1", 0},
    {"timers", "ns", BENCH_TIMERS, 0, values, 0.5, "libuv", "timers", 0},
    {"arm", "ns", 1, 1, nothing, 0, NULL, NULL, 0},
    {"arm_fd", "ns", 1, 0, nothing, 1.25, "belay", "arm", 0},
    {"call", "ns", 1, 1, values, 1.1, "raw", "call", 0},
    {"call_passed", "ns", 1, 1, values, 3, "raw", "call_passed", 0},
    {"call_connected", "ns", 1, 1, values_and_calls, 0, NULL, NULL, 0},
    {"call_around", "ns", 1, 1, values_and_calls, 0, NULL, NULL, 0},
    {"call_sent", "ns", 1, 1, values_and_calls, 0, NULL, NULL, 0},
    {"post", "ns", 1000, 0, values, 1.2, "libuv", "post", 0},
    {"post_action", "ns", 1000, 1, ones, 0, NULL, NULL, 0},
    /* Measured by the program in Native: raw is a process that does not use Belay. */
    {"nat_plain", "ns", 1, 0, NULL, 1.1, "raw", "nat_plain", 0},
    {"nat_hooked", "ns", 1, 0, NULL, 2, "belay", "nat_plain", 0},
    {"nat_observed", "ns", 1, 1, NULL, 0, NULL, NULL, 0},
    {"nat_token", "ns", 1, 1, NULL, 0, NULL, NULL, 0},
    {0}};

size_t bench_row_count(void) { return sizeof bench_rows / sizeof *bench_rows - 1; }

const bench_row *bench_row_named(const char *name) {
  for (const bench_row *row = bench_rows; row->name; row++)
    if (strcmp(row->name, name) == 0) return row;
  return NULL;
}
