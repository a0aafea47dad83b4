/* The command line. */
#ifndef RELAY_OPTIONS_H
#define RELAY_OPTIONS_H

#include <stddef.h>
#include <stdint.h>

typedef struct options {
  const char *host;
  uint16_t port; /* 0: the system chooses one */
  double idle;   /* seconds of silence after which a client has to go; 0: never */
  double rate;   /* lines a second from each client; 0: any number */
  double stats;  /* seconds between two lines of statistics in the log; 0: none */
  double grace;  /* seconds until the system has to have the last lines of a client that goes */
  size_t queue;  /* bytes that may wait here for a client that does not read */
} options;

#define OPTIONS_DEFAULT \
  { .host = "127.0.0.1", .idle = 600, .rate = 20, .stats = 60, .grace = 5, .queue = 65536 }

#define EXIT_USAGE 2

/* Returns -1 when there is work to do, else the exit code: help was shown, or a complaint. */
int options_parse(options *options, int argc, char **argv);

#endif
