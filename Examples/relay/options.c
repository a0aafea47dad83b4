#include "options.h"

#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static const char usage[] =
    "usage: relay [--host ADDRESS] [--port PORT] [--idle SECONDS] [--rate LINES]\n"
    "             [--stats SECONDS] [--grace SECONDS] [--queue BYTES]\n";

static const char help[] =
    "A chat server. Each client sends lines, and gets the lines of the room that it is in.\n"
    "A line is UTF-8 without control characters, of 1024 bytes at most.\n"
    "Goes on until SIGTERM or Ctrl-C; a second one does not wait for the clients.\n"
    "\n"
    "  --host ADDRESS   where to listen; 127.0.0.1\n"
    "  --port PORT      0: the system chooses one, which the log tells\n"
    "  --idle SECONDS   disconnects a client that has been silent so long; 600; 0: never\n"
    "  --rate LINES     refuses more lines a second from one client; 20; 0: takes all;\n"
    "                   disconnects a client after 200 refused lines in a row\n"
    "  --stats SECONDS  logs statistics so often; 60; 0: never\n"
    "  --grace SECONDS  waits so long until the system has taken a client's last lines; 5\n"
    "  --queue BYTES    disconnects a client when so much waits that the system does not take; "
    "65536\n"
    "  --help           this text\n"
    "\n"
    "Exit code: 0 stopped as asked, 1 cannot listen, 2 bad arguments.\n";

/* An example stands alone, to be copied, so each one reads its options itself. */
static const struct option known[] = {{"host", required_argument, NULL, 'h'},
                                      {"port", required_argument, NULL, 'p'},
                                      {"idle", required_argument, NULL, 'i'},
                                      {"rate", required_argument, NULL, 'r'},
                                      {"stats", required_argument, NULL, 's'},
                                      {"grace", required_argument, NULL, 'g'},
                                      {"queue", required_argument, NULL, 'q'},
                                      {"help", no_argument, NULL, '?' + 1},
                                      {NULL, 0, NULL, 0}};

static int complain(const char *what, const char *value) {
  fprintf(stderr, "relay: %s%s\n%s", what, value, usage);
  return EXIT_USAGE;
}

/* Stores a number from `least` to `most`. */
static bool parse_number(const char *text, double least, double most, double *number) {
  char *end;
  double parsed = strtod(text, &end);
  if (end == text || *end || !(parsed >= least && parsed <= most)) return false;
  *number = parsed;
  return true;
}

int options_parse(options *options, int argc, char **argv) {
  int letter;
  double number = 0;
  while ((letter = getopt_long(argc, argv, "", known, NULL)) != -1) {
    bool is_right = true;
    switch (letter) {
      case 'h':
        options->host = optarg;
        break;
      case 'p':
        is_right = parse_number(optarg, 0, UINT16_MAX, &number) && number == (uint16_t)number;
        options->port = (uint16_t)number;
        break;
      case 'i':
        is_right = parse_number(optarg, 0, 1e9, &options->idle);
        break;
      case 'r':
        is_right = parse_number(optarg, 0, 1e9, &options->rate);
        break;
      case 's':
        is_right = parse_number(optarg, 0, 1e9, &options->stats);
        break;
      case 'g':
        is_right = parse_number(optarg, 1e-3, 1e9, &options->grace);
        break;
      case 'q':
        is_right = parse_number(optarg, 1, 1e9, &number);
        options->queue = (size_t)number;
        break;
      case '?' + 1:
        printf("%s\n%s", usage, help);
        return EXIT_SUCCESS;
      default:
        fputs(usage, stderr);
        return EXIT_USAGE; /* getopt_long has said what is wrong */
    }
    if (!is_right) return complain("not a number that fits: ", optarg);
  }
  return optind < argc ? complain("what is ", argv[optind]) : -1;
}
