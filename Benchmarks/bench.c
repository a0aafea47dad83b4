/* The driver: runs itself several times over, one process after another on one core, and reports
   the medians. A second thread is alive meanwhile, as in nearly every host; --alone leaves it out.
   Usage: bench [--out DIR] [--processes N] [--rounds N] [--row NAME] [--alone] [--complete]
   [--native PROGRAM], or bench --count [--row NAME], which callgrind runs (instructions.sh). */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "count.h"
#include "measure.h"
#include "report.h"
#include "rows.h"

typedef struct bench_options {
  const char *out; /* the directory of results.tsv; NULL: none is written */
  const char *row; /* NULL: all */
  const char *native; /* the program that measures Swift's objects; NULL: they are not */
  int processes, rounds;
  int alone;    /* 1: no other thread is alive while they are measured */
  int complete; /* 1: a row without a figure is a failure */
  int count;    /* 1: count instructions instead */
  int sample;   /* 1: this is one of the processes; measure and write to stdout */
} bench_options;

static int usage(void) {
  fprintf(stderr,
          "usage: bench [--out DIR] [--processes N] [--rounds N] [--row NAME] [--alone] "
          "[--complete] [--native PROGRAM]\n"
          "       bench --count [--row NAME]\n");
  return 2;
}

/* The option that a flag without a value sets, or NULL. */
static int *switch_of(const char *flag, bench_options *options) {
  if (strcmp(flag, "--sample") == 0) return &options->sample;
  if (strcmp(flag, "--alone") == 0) return &options->alone;
  if (strcmp(flag, "--complete") == 0) return &options->complete;
  if (strcmp(flag, "--count") == 0) return &options->count;
  return NULL;
}

static int parse(int argc, char **argv, bench_options *options) {
  for (int i = 1; i < argc; i++) {
    const char *flag = argv[i];
    int *choice = switch_of(flag, options);
    if (choice) {
      *choice = 1;
      continue;
    }
    const char *value = ++i < argc ? argv[i] : NULL;
    if (!value) return -1;
    if (strcmp(flag, "--out") == 0)
      options->out = value;
    else if (strcmp(flag, "--row") == 0)
      options->row = value;
    else if (strcmp(flag, "--native") == 0)
      options->native = value;
    else if (strcmp(flag, "--processes") == 0)
      options->processes = atoi(value);
    else if (strcmp(flag, "--rounds") == 0)
      options->rounds = atoi(value);
    else
      return -1;
  }
  if (options->row && !bench_row_named(options->row)) return -1;
  return options->processes > 0 && options->rounds > 0 ? 0 : -1;
}

/* Stays on the core it is on; threads that it starts do, too. */
static void pin(void) {
  cpu_set_t cores;
  int core = sched_getcpu();
  if (core < 0) return;
  CPU_ZERO(&cores);
  CPU_SET(core, &cores);
  if (sched_setaffinity(0, sizeof cores, &cores) != 0)
    fprintf(stderr, "bench: not pinned to a core: %s\n", strerror(errno));
}

/* Runs a program that writes rows, and takes them in. 0, or its exit code. */
static int run(const char *program, char *const *arguments) {
  int ends[2];
  if (pipe(ends) != 0) return 2;
  pid_t child = fork();
  if (child < 0) return 2;
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    execv(program, arguments);
    _exit(2);
  }
  close(ends[1]);
  FILE *lines = fdopen(ends[0], "r");
  bench_report_read(lines);
  fclose(lines);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (WIFSIGNALED(status)) fprintf(stderr, "bench: killed by signal %d\n", WTERMSIG(status));
  return WIFEXITED(status) ? WEXITSTATUS(status) : 2;
}

/* One process: a fresh address space layout each, which times depend on. 0, or its exit code. */
static int run_process(char *self, const bench_options *options) {
  char rounds[16];
  snprintf(rounds, sizeof rounds, "%d", options->rounds);
  char *arguments[8] = {self, "--sample", "--rounds", rounds};
  int count = 4;
  if (options->alone) arguments[count++] = "--alone";
  if (options->row) {
    arguments[count++] = "--row";
    arguments[count++] = (char *)options->row;
  }
  int code = run("/proc/self/exe", arguments);
  if (code != 0 || !options->native) return code;
  return run(options->native,
             (char *const[]){"native-bench", options->alone ? "--alone" : NULL, NULL});
}

static void *sleep_for_good(void *unused) {
  for (;;) pause();
  return unused;
}

/* libc, libstdc++ and Belay count without atomics while a process has one thread only. */
static void start_sleeper(void) {
  pthread_t sleeper;
  if (pthread_create(&sleeper, NULL, sleep_for_good, NULL) != 0) exit(2);
}

static int write_results(const char *directory, int alone) {
  const char *suffix = alone ? "-alone" : "";
  char path[4096];
  if (mkdir(directory, 0777) != 0 && errno != EEXIST) return -1;
  snprintf(path, sizeof path, "%s/results%s.tsv", directory, suffix);
  if (bench_report_write(path, 0) != 0) return -1;
  printf("written: %s\n", path);
  snprintf(path, sizeof path, "%s/extras%s.tsv", directory, suffix);
  return bench_report_write(path, 1);
}

int main(int argc, char **argv) {
  bench_options options = {.processes = 5, .rounds = 15};
  if (parse(argc, argv, &options) != 0) return usage();
  pin();
  if (options.count) {
    start_sleeper();
    return bench_count(stdout, options.row);
  }
  if (options.sample) {
    if (!options.alone) start_sleeper();
    bench_measure(stdout, options.rounds, options.row);
    return 0;
  }
  for (int i = 1; i <= options.processes; i++) {
    fprintf(stderr, "bench: process %d of %d\n", i, options.processes);
    int code = run_process(argv[0], &options);
    if (code != 0) return code;
  }
  bench_report_print(stdout);
  if (options.complete && bench_report_gaps(stderr, options.row, options.native != NULL) != 0)
    return 4;
  if (options.out && write_results(options.out, options.alone) != 0) {
    fprintf(stderr, "bench: %s: %s\n", options.out, strerror(errno));
    return 2;
  }
  return 0;
}
