/* spy: shows what SQLite does with its files as signals, by intercepting its tables of
   functions. */
#include <belay/belay.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io.h"
#include "options.h"
#include "session.h"
#include "workload.h"

static bool run_plainly(workload *work, outcome *outcome) {
  int rc = work ? 1 : -1;
  while (rc > 0) rc = workload_step(work);
  return workload_close(work, outcome);
}

/* Whether anything of Belay's is still alive. */
static bool is_clean(void) {
  /* an error that was taken is kept until the next one is taken */
  while (belay_last_error()) continue;
  bool is_clean = true;
  for (int kind = 0; kind < BELAY_LIVE_KINDS; kind++)
    if (belay_live_count((belay_live_kind)kind)) {
      fprintf(stderr, "spy: left alive: %zu %s\n", belay_live_count((belay_live_kind)kind),
              belay_live_kind_name((belay_live_kind)kind));
      is_clean = false;
    }
  return is_clean;
}

static int compare(const options *options, const char *plain, const char *spied) {
  outcome expected, outcome;
  double began = io_now();
  if (!run_plainly(workload_open(plain, options->journal, options->rows), &expected))
    return EXIT_FAILURE;
  double without = io_now() - began;

  began = io_now();
  if (!session_run(spied, options, &outcome)) return EXIT_FAILURE;
  printf("%.2f s; without the spy %.2f s\n", io_now() - began, without);
  printf("integrity_check: %s, %lld rows\n", outcome.integrity, (long long)outcome.rows);
  if (strcmp(outcome.integrity, "ok") != 0) return EXIT_FAILURE;
  if (!outcome_is_same(&expected, &outcome)) {
    fprintf(stderr, "spy: the outcome is not the same\n");
    return EXIT_FAILURE;
  }
  puts("the answers and the database are the same as without the spy");
  return is_clean() ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv) {
  options options = {.journal = "delete", .rows = 10000, .interval = 0.5};
  int code = options_parse(&options, argc, argv);
  if (code >= 0) return code;
  setvbuf(stdout, NULL, _IOLBF, 0);

  char temporary[] = "/tmp/spy.XXXXXX";
  const char *directory = options.directory ? options.directory : mkdtemp(temporary);
  if (!directory) {
    perror("spy: /tmp");
    return EXIT_FAILURE;
  }
  char plain[4096], spied[4096];
  snprintf(plain, sizeof plain, "%s/plain.db", directory);
  snprintf(spied, sizeof spied, "%s/spied.db", directory);
  code = compare(&options, plain, spied);
  if (!options.directory) {
    remove(plain);
    remove(spied);
    rmdir(directory); /* keeps the folder if a failure has left a journal */
  }
  return code;
}
