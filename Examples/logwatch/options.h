/* The command line. */
#ifndef LOGWATCH_OPTIONS_H
#define LOGWATCH_OPTIONS_H

#include <stdbool.h>

typedef struct options {
  const char *path;
  const char *match; /* NULL: every line counts */
  double seconds;    /* 0: until Ctrl-C */
  bool plain;        /* plain lines, also on a terminal */
} options;

#define EXIT_USAGE 2

/* Returns -1 when there is work to do, else the exit code: help was shown, or a complaint. */
int options_parse(options *options, int argc, char **argv);

#endif
