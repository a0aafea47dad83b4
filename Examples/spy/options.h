/* The command line. */
#ifndef SPY_OPTIONS_H
#define SPY_OPTIONS_H

#define EXIT_USAGE 2

typedef struct options {
  const char *directory; /* NULL: a folder in $TMPDIR that is removed at the end */
  const char *journal;
  int rows;
  double interval; /* between two lines, in seconds */
} options;

/* Fills `options`. Returns -1 when there is work to do, else the exit code. */
int options_parse(options *options, int argc, char **argv);

#endif
