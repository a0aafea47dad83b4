/* bench_relay_load [--rounds COUNT] [--seconds SECONDS] [--out FILE] BELAY LIBUV: the relay on
 * Belay beside the one on libuv, by turns, each with 1000 connections in rooms of 100. */
#define _GNU_SOURCE
#include <err.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crowd.h"
#include "process.h"

#define CONNECTIONS 1000
#define ROOM_SIZE 100
#define WINDOW 8
#define PACE 300 /* lines a second, each of which is delivered to a room */
#define ROUNDS_MOST 99

enum { BELAY, LIBUV, SERVERS };
enum { RATE, P99, MEMORY, IDLE, TIME, ROWS };

/* With a factor above 0, Belay's value is to be at most so many times libuv's; below 0: at least.
 */
static const struct {
  const char *name, *unit;
  double factor;
} rows[ROWS] = {[RATE] = {"relay_rate", "line/s", -0.9},
                [P99] = {"relay_p99", "us", 1.3},
                [MEMORY] = {"relay_memory", "KiB", 1.2},
                [IDLE] = {"relay_idle", "bytes", 0},
                [TIME] = {"relay_time", "us/line", 0}};

static double results[ROWS][SERVERS][ROUNDS_MOST];

static void measure(const char *const *arguments, int server, int round, double seconds) {
  process process;
  process_start(&process, arguments);
  double empty = process_memory(&process);
  crowd *crowd = crowd_connect(process.port, CONNECTIONS, ROOM_SIZE);
  results[IDLE][server][round] = (process_memory(&process) - empty) / CONNECTIONS;
  crowd_join(crowd);
  crowd_flood(crowd, seconds / 4, WINDOW); /* to warm up */
  double time = process_time(&process);
  uint64_t delivered = crowd_delivered(crowd);
  results[RATE][server][round] = crowd_flood(crowd, seconds, WINDOW);
  results[TIME][server][round] =
      1e6 * (process_time(&process) - time) / (double)(crowd_delivered(crowd) - delivered);
  results[P99][server][round] = 1e6 * crowd_pace(crowd, seconds, PACE);
  results[MEMORY][server][round] = process_memory(&process) / 1024;
  crowd_close(crowd);
  process_end(&process);
}

static int compare(const void *a, const void *b) {
  double left = *(const double *)a, right = *(const double *)b;
  return (left > right) - (left < right);
}

static double median(double *values, int count) {
  qsort(values, (size_t)count, sizeof *values, compare);
  return values[count / 2];
}

/* The same words as those of the other rows. */
static const char *verdict(double excess) {
  return excess <= 1 ? "met" : excess <= 2 ? "within twice" : "MISSED";
}

/* The ratio is that of two servers that ran one after the other, because a busy machine drifts. */
static void print_row(FILE *out, int row, int rounds) {
  double ratios[ROUNDS_MOST], factor = rows[row].factor;
  for (int i = 0; i < rounds; i++) ratios[i] = results[row][BELAY][i] / results[row][LIBUV][i];
  double ratio = median(ratios, rounds);
  double belay = median(results[row][BELAY], rounds), libuv = median(results[row][LIBUV], rounds);
  printf("%-12s %7s %10.*f %10.*f  %6.2f", rows[row].name, rows[row].unit, belay < 100 ? 2 : 0,
         belay, libuv < 100 ? 2 : 0, libuv, ratio);
  if (factor > 0) printf("  <= %g x libuv: %s", factor, verdict(ratio / factor));
  if (factor < 0) printf("  >= %g x libuv: %s", -factor, verdict(-factor / ratio));
  printf("\n");
  if (!out) return;
  fprintf(out, "%s\tbelay\t%.3f\t%s\n", rows[row].name, belay, rows[row].unit);
  fprintf(out, "%s\tlibuv\t%.3f\t%s\n", rows[row].name, libuv, rows[row].unit);
}

int main(int argc, char **argv) {
  static const struct option known[] = {{"rounds", required_argument, NULL, 'r'},
                                        {"seconds", required_argument, NULL, 's'},
                                        {"out", required_argument, NULL, 'o'},
                                        {NULL, 0, NULL, 0}};
  int rounds = 5, letter;
  double seconds = 1;
  FILE *out = NULL;
  while ((letter = getopt_long(argc, argv, "", known, NULL)) != -1) switch (letter) {
      case 'r':
        rounds = atoi(optarg);
        break;
      case 's':
        seconds = atof(optarg);
        break;
      case 'o':
        out = fopen(optarg, "w");
        if (!out) err(2, "%s", optarg);
        break;
      default:
        return 2;
    }
  if (optind + SERVERS != argc || rounds < 1 || rounds > ROUNDS_MOST || !(seconds > 0))
    errx(2, "wants two servers, 1 to %d rounds and a time", ROUNDS_MOST);

  const char *belay[] = {argv[optind + BELAY], "--rate", "1000000", NULL};
  const char *libuv[] = {argv[optind + LIBUV], NULL};
  for (int round = 0; round < rounds; round++) {
    int first = round % SERVERS; /* the servers take turns in being first */
    measure(first == BELAY ? belay : libuv, first, round, seconds);
    measure(first == BELAY ? libuv : belay, !first, round, seconds);
  }
  printf("\n%-12s %7s %10s %10s  %6s  target\n", "row", "unit", "belay", "libuv", "ratio");
  for (int row = 0; row < ROWS; row++) print_row(out, row, rounds);
  printf("\n");
  if (out && fclose(out) != 0) err(2, "fclose");
  return EXIT_SUCCESS;
}
