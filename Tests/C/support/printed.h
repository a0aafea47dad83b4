/* What is printed on stderr meanwhile. */
#ifndef PRINTED_H
#define PRINTED_H

#include "cases.h"

#include <unistd.h>

typedef struct printed {
  int stderr_, output;
} printed;

static inline void begin_printed(printed *it) {
  int ends[2];
  fflush(stderr);
  it->stderr_ = dup(2);
  CHECK_INT(pipe(ends), 0);
  dup2(ends[1], 2);
  close(ends[1]);
  it->output = ends[0];
}

static inline void end_printed(const printed *it, char *text, size_t size) {
  fflush(stderr);
  dup2(it->stderr_, 2);
  close(it->stderr_);
  ssize_t length = read(it->output, text, size - 1);
  text[length < 0 ? 0 : length] = 0;
  close(it->output);
}

static inline void printed_while(void (*run)(void *), void *argument, char *text, size_t size) {
  printed it;
  begin_printed(&it);
  run(argument);
  end_printed(&it, text, size);
}

#endif
