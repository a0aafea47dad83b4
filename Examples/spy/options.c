#include "options.h"

#include <getopt.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: spy [--rows COUNT] [--journal MODE] [--every SECONDS] [DIRECTORY]\n";

static const char help[] =
    "Lets a database work, tells of every read, write and sync that SQLite does for it, and\n"
    "compares what came of it with what comes of the same work unobserved. The two databases are\n"
    "left in DIRECTORY, plain.db and spied.db, where there must be none; without one they go.\n"
    "\n"
    "  --rows COUNT     rows to insert, 100 a transaction; 10000\n"
    "  --journal MODE   SQLite's journal_mode: delete, truncate, persist, wal; delete\n"
    "  --every SECONDS  a line of rates each time; 0.5\n"
    "  --help           this text\n"
    "\n"
    "Exit code: 0 both are the same, 1 they are not or something failed, 2 bad arguments.\n";

static const struct option known[] = {{"rows", required_argument, NULL, 'r'},
                                      {"journal", required_argument, NULL, 'j'},
                                      {"every", required_argument, NULL, 'e'},
                                      {"help", no_argument, NULL, 'h'},
                                      {NULL, 0, NULL, 0}};

static int complain(const char *what, const char *value) {
  fprintf(stderr, "spy: %s%s\n%s", what, value, usage);
  return EXIT_USAGE;
}

static bool parse_count(const char *text, int *count) {
  char *end;
  long number = strtol(text, &end, 10);
  *count = (int)number;
  return end != text && *end == 0 && number > 0 && number <= 10000000;
}

static bool parse_seconds(const char *text, double *seconds) {
  char *end;
  *seconds = strtod(text, &end);
  return end != text && *end == 0 && isfinite(*seconds) && *seconds > 0;
}

static bool is_journal(const char *mode) {
  static const char *const modes[] = {"delete", "truncate", "persist", "wal"};
  for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
    if (strcmp(mode, modes[i]) == 0) return true;
  return false;
}

int options_parse(options *options, int argc, char **argv) {
  int letter;
  while ((letter = getopt_long(argc, argv, "", known, NULL)) != -1) switch (letter) {
      case 'r':
        if (!parse_count(optarg, &options->rows))
          return complain("--rows wants a number from 1 to 10000000, not ", optarg);
        break;
      case 'j':
        if (!is_journal(optarg)) return complain("--journal cannot be ", optarg);
        options->journal = optarg;
        break;
      case 'e':
        if (!parse_seconds(optarg, &options->interval))
          return complain("--every wants a number of seconds above 0, not ", optarg);
        break;
      case 'h': printf("%s\n%s", usage, help); return EXIT_SUCCESS;
      default: fputs(usage, stderr); return EXIT_USAGE; /* getopt_long has said what is wrong */
    }
  if (optind + 1 < argc) return complain("one directory only, not also ", argv[optind + 1]);
  options->directory = argv[optind];
  return -1;
}
