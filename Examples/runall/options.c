#include "options.h"

#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static const char usage[] =
    "usage: runall [--wait SECONDS] [--max-wait SECONDS] [--stable SECONDS] [--grace SECONDS]\n"
    "              [--attempts COUNT] FILE\n";

static const char help[] =
    "Runs the commands of FILE, a line \"name: command\" for each, and prints what they print "
    "with\n"
    "the name in front. A command that fails is started again, after longer and longer waits; one\n"
    "that succeeds is done. A change of FILE, or SIGHUP, starts new commands, and ends those that\n"
    "are not there any more; a FILE that is empty or wrong changes nothing. SIGTERM, Ctrl-C and\n"
    "Ctrl-\\ end all; a second one does not wait for them.\n"
    "\n"
    "  --wait SECONDS      waits so long after the first failure, and twice as long each time; "
    "0.5\n"
    "  --max-wait SECONDS  but no longer than this; 30\n"
    "  --stable SECONDS    a run of this time lets the waits begin anew; 60\n"
    "  --grace SECONDS     kills a command that has not ended so long after SIGTERM; 5\n"
    "  --attempts COUNT    gives a command up after so many failures in a row; 0: never\n"
    "  --help              this text\n"
    "\n"
    "Exit code: 0 stopped as asked, or all have succeeded; 1 a command was given up, FILE\n"
    "cannot be read, or the output cannot be written; 2 bad arguments.\n";

/* An example stands alone, to be copied, so each one reads its options itself. */
static const struct option known[] = {{"wait", required_argument, NULL, 'w'},
                                      {"max-wait", required_argument, NULL, 'm'},
                                      {"stable", required_argument, NULL, 's'},
                                      {"grace", required_argument, NULL, 'g'},
                                      {"attempts", required_argument, NULL, 'a'},
                                      {"help", no_argument, NULL, 'h'},
                                      {NULL, 0, NULL, 0}};

static int complain(const char *what, const char *value) {
  fprintf(stderr, "runall: %s%s\n%s", what, value, usage);
  return EXIT_USAGE;
}

static bool parse_number(const char *text, double least, double *number) {
  char *end;
  *number = strtod(text, &end);
  return end != text && !*end && *number >= least && *number <= 1e9;
}

static bool parse_count(const char *text, size_t *count) {
  double number;
  bool is_right = parse_number(text, 0, &number);
  *count = is_right ? (size_t)number : 0;
  return is_right && number == (double)*count;
}

int options_parse(options *options, int argc, char **argv) {
  int letter;
  while ((letter = getopt_long(argc, argv, "", known, NULL)) != -1) {
    bool is_right = true;
    switch (letter) {
      case 'w':
        is_right = parse_number(optarg, 0, &options->wait);
        break;
      case 'm':
        is_right = parse_number(optarg, 0, &options->max_wait);
        break;
      case 's':
        is_right = parse_number(optarg, 0, &options->stable);
        break;
      case 'g':
        is_right = parse_number(optarg, 1e-3, &options->grace);
        break;
      case 'a':
        is_right = parse_count(optarg, &options->attempts);
        break;
      case 'h':
        printf("%s\n%s", usage, help);
        return EXIT_SUCCESS;
      default:
        fputs(usage, stderr);
        return EXIT_USAGE; /* getopt_long has said what is wrong */
    }
    if (!is_right) return complain("not a number that fits: ", optarg);
  }
  if (optind == argc) return complain("which file?", "");
  if (optind + 1 < argc) return complain("one file only, not also ", argv[optind + 1]);
  options->path = argv[optind];
  return -1;
}
