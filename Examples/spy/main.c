/* spy: shows what SQLite does with its files as signals, by intercepting its tables of
   functions. */
#include <belay/belay.h>
#include <signal.h>
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

static int work_in(const char *directory, const options *options) {
  char plain[4096], spied[4096];
  snprintf(plain, sizeof plain, "%s/plain.db", directory);
  snprintf(spied, sizeof spied, "%s/spied.db", directory);
  if (workload_exists(plain) || workload_exists(spied)) {
    fprintf(stderr, "spy: %s: there is a database already\n", directory);
    return EXIT_FAILURE;
  }
  int code = compare(options, plain, spied);
  if (options->directory) return code;
  workload_remove(plain);
  workload_remove(spied);
  rmdir(directory);
  return code;
}

/* Returns the exit code: what could not be written is a failure, too. */
static int end_output(int code) {
  if (fflush(stdout) == 0 && !ferror(stdout)) return code;
  fputs("spy: the output could not be written\n", stderr);
  return EXIT_FAILURE;
}

int main(int argc, char **argv) {
  options options = {.journal = "delete", .rows = 10000, .interval = 0.5};
  int code = options_parse(&options, argc, argv);
  if (code >= 0) return end_output(code);
  setvbuf(stdout, NULL, _IOLBF, 0);
  signal(SIGPIPE, SIG_IGN); /* without a reader the folder is removed, too */

  char temporary[4096];
  const char *parent = getenv("TMPDIR");
  snprintf(temporary, sizeof temporary, "%s/spy.XXXXXX", parent ? parent : "/tmp");
  const char *directory = options.directory ? options.directory : mkdtemp(temporary);
  if (!directory) {
    perror("spy: a temporary folder");
    return EXIT_FAILURE;
  }
  return end_output(work_in(directory, &options));
}
