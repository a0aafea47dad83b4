#include "report.h"

#include <stdlib.h>
#include <string.h>

#include "measure.h"
#include "rows.h"

enum { MOST_PROCESSES = 64 };

/* What the processes found for one row and one peer. */
typedef struct findings {
  size_t count;
  double values[MOST_PROCESSES];
} findings;

static findings *findings_of(const bench_row *row, int peer) {
  static findings *all; /* of each row, those of each peer */
  if (!all) all = calloc(bench_row_count() * BENCH_PEERS, sizeof *all);
  if (!all) {
    fprintf(stderr, "bench: no memory for the results\n");
    exit(2);
  }
  return &all[(size_t)(row - bench_rows) * BENCH_PEERS + (size_t)peer];
}

void bench_report_read(FILE *lines) {
  char name[32], who[32];
  double value;
  while (fscanf(lines, "%31s %31s %lf", name, who, &value) == 3) {
    const bench_row *row = bench_row_named(name);
    int peer = bench_peer_index(who);
    if (!row || peer < 0) continue;
    findings *found = findings_of(row, peer);
    if (found->count < MOST_PROCESSES) found->values[found->count++] = value;
  }
}

/* 1 and the value, or 0 when that was not measured. */
static int value_of(const bench_row *row, int peer, double *value) {
  findings *found = row && peer >= 0 ? findings_of(row, peer) : NULL;
  if (!found || !found->count) return 0;
  *value = bench_median(found->values, found->count);
  return 1;
}

static const char *verdict(double part_of_target) {
  if (part_of_target <= 1) return "met";
  return part_of_target <= 2 ? "within twice" : "MISSED";
}

static void print_target(FILE *out, const bench_row *row) {
  double belay, limit;
  if (!value_of(row, 0, &belay)) return;
  if (row->most > 0) {
    fprintf(out, "  %6s  <= %g %s: %s", "", row->most, row->unit, verdict(belay / row->most));
  } else if (row->against) {
    const bench_row *other = bench_row_named(row->against_row);
    if (!value_of(other, bench_peer_index(row->against), &limit)) return;
    double ratio = belay / limit;
    fprintf(out, "  %6.2f  <= %g x %s", ratio, row->factor, row->against);
    if (other != row) fprintf(out, " %s", other->name);
    fprintf(out, ": %s", verdict(ratio / row->factor));
  }
}

void bench_report_print(FILE *out) {
  fprintf(out, "\n%-12s %5s", "row", "unit");
  for (int peer = 0; peer < BENCH_PEERS; peer++) fprintf(out, " %8s", bench_peers[peer]->name);
  fprintf(out, "  %6s  %s\n", "ratio", "target");
  for (const bench_row *row = bench_rows; row->name; row++) {
    int measured = 0;
    double value;
    for (int peer = 0; peer < BENCH_PEERS; peer++) measured |= value_of(row, peer, &value);
    if (!measured) continue;
    fprintf(out, "%-12s %5s", row->name, row->unit);
    for (int peer = 0; peer < BENCH_PEERS; peer++) {
      if (value_of(row, peer, &value))
        fprintf(out, " %8.*f", value < 100 ? 2 : 1, value);
      else
        fprintf(out, " %8s", "");
    }
    print_target(out, row);
    fprintf(out, "\n");
  }
  fprintf(out, "\n");
}

int bench_report_gaps(FILE *out, const char *only, int native) {
  int gaps = 0;
  double value;
  for (const bench_row *row = bench_rows; row->name; row++)
    if ((!only || strcmp(only, row->name) == 0) && (native || row->expected) &&
        !value_of(row, 0, &value)) {
      fprintf(out, "bench: %s was not measured\n", row->name);
      gaps++;
    }
  return gaps;
}

int bench_report_write(const char *path, int extra) {
  FILE *out = fopen(path, "w");
  if (!out) return -1;
  double value;
  for (const bench_row *row = bench_rows; row->name; row++)
    for (int peer = 0; row->extra == extra && peer < BENCH_PEERS; peer++)
      if (value_of(row, peer, &value))
        fprintf(out, "%s\t%s\t%.3f\t%s\n", row->name, bench_peers[peer]->name, value, row->unit);
  return fclose(out) == 0 ? 0 : -1;
}
