/* Where the summary goes: one line rewritten in place on a terminal, plain lines in a pipe. */
#ifndef LOGWATCH_DISPLAY_H
#define LOGWATCH_DISPLAY_H

#include <stdbool.h>
#include <stdint.h>

#include "tally.h"

/* What came in a second, or in less of it if that was as much as a window takes; with the counts
   before it. */
typedef struct window {
  tally tally;
  double seconds; /* how long it took */
  struct {
    uint64_t total;
    double seconds;
  } burst;        /* this window and those before it that were in the same second */
  uint64_t total; /* including this window */
  uint64_t peak;  /* the most entries in a second */
  char last[TEXT_SIZE];
} window;

typedef struct display {
  bool live;
  bool line_open; /* the cursor stands behind a live line */
} display;

display display_create(bool plain);

/* Shows a window. A pipe does not get the empty ones. */
void display_window(display *display, const window *window);

/* Prints a line of its own, below the live one. */
void display_line(display *display, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Leaves the live line on the terminal. */
void display_finish(display *display);

#endif
