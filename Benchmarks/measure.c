#include "measure.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const bench_peer *const bench_peers[BENCH_PEERS] = {&bench_belay, &bench_raw,   &bench_libuv,
                                                    &bench_sigcpp, &bench_boost, &bench_glib};

enum { ROUND_NS = 10000000, ENOUGH_TO_SCALE_NS = 2000000, MOST_ROUNDS = 100 };

int bench_peer_index(const char *name) {
  for (int i = 0; i < BENCH_PEERS; i++)
    if (strcmp(bench_peers[i]->name, name) == 0) return i;
  return -1;
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double bench_median(double *values, size_t count) {
  qsort(values, count, sizeof *values, by_size);
  return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

bench_function bench_function_of(const bench_peer *peer, const bench_row *row) {
  for (const bench_entry *entry = peer->entries; entry->row; entry++)
    if (strcmp(entry->row, row->name) == 0) return entry->function;
  return NULL;
}

uint64_t bench_play(const bench_row *row, int peer, bench_run run) {
  bench_function function = bench_function_of(bench_peers[peer], row);
  uint64_t checksum = function(&run), expected = row->expected(run.n);
  if (checksum != expected) {
    fprintf(stderr,
            "bench: wrong checksum: %s %s, n %" PRIu64 ": %" PRIu64 ", expected %" PRIu64 "\n",
            row->name, bench_peers[peer]->name, run.n, checksum, expected);
    exit(3);
  }
  return run.amount;
}

/* How many times make a round. */
static uint64_t calibrate(const bench_row *row, int peer) {
  uint64_t n = row->batch, elapsed;
  /* What is done once in a process is not counted: with threads it can take longer than a round. */
  bench_play(row, peer, (bench_run){.n = n});
  while ((elapsed = bench_play(row, peer, (bench_run){.n = n})) < ENOUGH_TO_SCALE_NS) n *= 4;
  double batches = (double)n / (double)row->batch * ROUND_NS / (double)elapsed;
  return row->batch * (batches < 1 ? 1 : (uint64_t)batches);
}

static void measure_row(FILE *out, const bench_row *row, int rounds) {
  bench_function functions[BENCH_PEERS];
  uint64_t n[BENCH_PEERS];
  static double samples[BENCH_PEERS][MOST_ROUNDS];
  /* Bytes do not vary: once is enough, and only the first time meets a fresh heap. */
  int timed = strcmp(row->unit, "ns") == 0;
  if (!timed) rounds = 1;

  for (int peer = 0; peer < BENCH_PEERS; peer++) {
    functions[peer] = bench_function_of(bench_peers[peer], row);
    if (functions[peer]) n[peer] = timed ? calibrate(row, peer) : row->batch;
  }
  for (int round = 0; round < rounds; round++)
    for (int turn = 0; turn < BENCH_PEERS; turn++) {
      int peer = (round + turn) % BENCH_PEERS;
      if (!functions[peer]) continue;
      samples[peer][round] =
          (double)bench_play(row, peer, (bench_run){.n = n[peer]}) / (double)n[peer];
    }
  for (int peer = 0; peer < BENCH_PEERS; peer++)
    if (functions[peer])
      fprintf(out, "%s\t%s\t%.4f\n", row->name, bench_peers[peer]->name,
              bench_median(samples[peer], (size_t)rounds));
}

void bench_measure(FILE *out, int rounds, const char *only) {
  if (rounds < 1) rounds = 1;
  if (rounds > MOST_ROUNDS) rounds = MOST_ROUNDS;
  for (const bench_row *row = bench_rows; row->name; row++)
    if (!only || strcmp(only, row->name) == 0) measure_row(out, row, rounds);
}
