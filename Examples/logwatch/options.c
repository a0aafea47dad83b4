#include "options.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char usage[] = "usage: logwatch [--for SECONDS] [--match WORD] [--plain] FILE\n";

static const char help[] =
    "Counts the lines of a log, those already there and those to come, second by second.\n"
    "Follows FILE as it grows, through truncation and rotation, until Ctrl-C.\n"
    "\n"
    "  --for SECONDS  stop after that time\n"
    "  --match WORD   count only lines that contain WORD, in upper or lower case\n"
    "  --plain        plain lines, also on a terminal\n"
    "  --help         this text\n"
    "\n"
    "Exit code: 0 stopped as asked, 1 FILE could not be read or the output not written,\n"
    "2 bad arguments.\n";

static const struct option known[] = {{"for", required_argument, NULL, 'f'},
                                      {"match", required_argument, NULL, 'm'},
                                      {"plain", no_argument, NULL, 'p'},
                                      {"help", no_argument, NULL, 'h'},
                                      {NULL, 0, NULL, 0}};

static int complain(const char *what, const char *value) {
  fprintf(stderr, "logwatch: %s%s\n%s", what, value, usage);
  return EXIT_USAGE;
}

static bool parse_seconds(const char *text, double *seconds) {
  char *end;
  *seconds = strtod(text, &end);
  return end != text && *end == 0 && isfinite(*seconds) && *seconds > 0;
}

int options_parse(options *options, int argc, char **argv) {
  int letter;
  while ((letter = getopt_long(argc, argv, "", known, NULL)) != -1) switch (letter) {
      case 'f':
        if (!parse_seconds(optarg, &options->seconds))
          return complain("--for wants a number of seconds above 0, not ", optarg);
        break;
      case 'm':
        if (!*optarg) return complain("--match wants a word", "");
        options->match = optarg;
        break;
      case 'p': options->plain = true; break;
      case 'h': printf("%s\n%s", usage, help); return EXIT_SUCCESS;
      default: fputs(usage, stderr); return EXIT_USAGE; /* getopt_long has said what is wrong */
    }
  if (optind == argc) return complain("which file?", "");
  if (optind + 1 < argc) return complain("one file only, not also ", argv[optind + 1]);
  options->path = argv[optind];
  return -1;
}
