/* The command line. */
#ifndef RUNALL_OPTIONS_H
#define RUNALL_OPTIONS_H

#include <stddef.h>

typedef struct options {
  const char *path; /* the file of commands */
  double wait;      /* seconds from the first failure of a command to its next start */
  double max_wait;  /* the longest wait */
  double stable;    /* a run of so many seconds was no failure to start: the waits begin anew */
  double grace;     /* seconds from SIGTERM to SIGKILL */
  size_t attempts;  /* starts in a row before a command is given up; 0: any number */
} options;

#define OPTIONS_DEFAULT \
  { .wait = 0.5, .max_wait = 30, .stable = 60, .grace = 5 }

#define EXIT_USAGE 2

/* Returns -1 when there is work to do, else the exit code: help was shown, or a complaint. */
int options_parse(options *options, int argc, char **argv);

#endif
