/* Fetches one page and prints it. */
#ifndef FETCH_PRINT_H
#define FETCH_PRINT_H

#include <belay/belay.h>
#include <stdbool.h>
#include <uv.h>

typedef struct print_options {
  const char *url;
  double timeout;    /* seconds without a byte of the answer; 0: fetch()'s own */
  unsigned attempts; /* 0 counts as 1 */
  bool with_head;
} print_options;

/* Fetches on `loop`, which is `uv` adopted, and runs that. 0, or 1 when there was no answer, or one
   whose status is not 2xx. */
int print_run(uv_loop_t *uv, belay_loop *loop, const print_options *options);

#endif
