#include "print.h"

#include <stdio.h>
#include <stdlib.h>

#include "fetch.h"

/* The waits between attempts, in seconds. */
#define FIRST_WAIT 0.05
#define LONGEST_WAIT 2.0

typedef struct printer {
  const print_options *options;
  int exit_code;
} printer;

static void print_head(const http_head *head) {
  const char *name, *value;
  printf("%d %s\n", head->status, head->reason);
  for (size_t at = 0; http_head_next(head, &at, &name, &value);) printf("%s: %s\n", name, value);
  putchar('\n');
}

static void print_response(void *ctx, belay_value response) {
  printer *it = ctx;
  http_head head;
  belay_view body;
  if (fetch_response_head(response, &head) < 0 || fetch_response_body(response, &body) < 0) return;
  if (it->options->with_head) print_head(&head);
  fwrite(body.data, 1, body.size, stdout);
  if (head.status / 100 == 2)
    it->exit_code = EXIT_SUCCESS;
  else
    fprintf(stderr, "fetch: %s: %d %s\n", it->options->url, head.status, head.reason);
}
static void print_error(void *ctx, const belay_error *error) {
  (void)ctx;
  fprintf(stderr, "fetch: %s (%s)\n", belay_error_message(error),
          belay_error_name(belay_error_code(error)));
}

int print_run(uv_loop_t *uv, belay_loop *loop, const print_options *options) {
  printer it = {.options = options, .exit_code = EXIT_FAILURE};
  belay_signal *response = fetch(loop, options->url, &(fetch_options){.timeout = options->timeout});
  if (options->attempts > 1)
    response = belay_signal_chain(
        response, belay_op_retry_backoff(belay_loop_get_scheduler(loop), FIRST_WAIT, 2,
                                         LONGEST_WAIT, 0.2, options->attempts, 0));
  int rc = belay_signal_subscribe(response,
                                  &(belay_observer){.size = sizeof(belay_observer),
                                                    .next = print_response,
                                                    .error = print_error,
                                                    .ctx = &it,
                                                    .label = "print",
                                                    .site = BELAY_HERE},
                                  NULL);
  if (rc < 0) fprintf(stderr, "fetch: %s\n", belay_error_message(belay_last_error()));
  belay_signal_release(response);
  uv_run(uv, UV_RUN_DEFAULT);
  return it.exit_code;
}
