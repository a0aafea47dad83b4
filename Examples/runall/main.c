/* runall: runs the commands of a file, and keeps them running. */
#include <belay/belay.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "options.h"
#include "print.h"
#include "supervisor.h"

static void show_open_resources(void *ctx, const belay_open_resource *const *resources,
                                size_t count) {
  (void)ctx;
  for (size_t i = 0; i < count; i++) {
    const char *label = belay_open_resource_label(resources[i]);
    print_about("runall", "still open: %s %s", belay_open_resource_kind(resources[i]),
                label ? label : "");
  }
}

/* Returns how much is alive in the process after everything has been released. */
static size_t show_alive(void) {
  /* An error that was taken is kept until the next one is taken. */
  while (belay_last_error()) continue;
  for (int kind = 0; kind < BELAY_LIVE_KINDS; kind++)
    if (belay_live_count((belay_live_kind)kind))
      print_about("runall", "left alive: %zu %s", belay_live_count((belay_live_kind)kind),
                  belay_live_kind_name((belay_live_kind)kind));
  return belay_live_count(BELAY_LIVE_KINDS);
}

static int supervise(belay_loop *loop, const options *options) {
  belay_owner *supervisor = supervisor_start(loop, options);
  if (!supervisor) return EXIT_FAILURE;
  int rc = belay_loop_run(loop, BELAY_RUN_DEFAULT);
  int code = rc < 0 ? EXIT_FAILURE : supervisor_exit_code(supervisor);
  belay_owner_release(supervisor);
  return code;
}

/* Returns the exit code: what could not be written is a failure, too. */
static int end_output(int code) {
  if (fflush(stdout) == 0 && !ferror(stdout)) return code;
  fputs("runall: the output could not be written\n", stderr);
  return EXIT_FAILURE;
}

int main(int argc, char **argv) {
  options options = OPTIONS_DEFAULT;
  int code = options_parse(&options, argc, argv);
  if (code >= 0) return end_output(code);
  setvbuf(stdout, NULL, _IOLBF, 0);
  signal(SIGPIPE, SIG_IGN); /* without a reader the commands go on */

  belay_loop *loop = belay_loop_create(&(belay_loop_options){
      .size = sizeof(belay_loop_options), .label = "runall", .site = BELAY_HERE});
  if (!loop) {
    fprintf(stderr, "runall: %s\n", belay_error_message(belay_last_error()));
    return EXIT_FAILURE;
  }
  code = supervise(loop, &options);
  belay_loop_close(loop, show_open_resources, NULL, NULL);
  belay_loop_release(loop);
  return end_output(show_alive() == 0 ? code : EXIT_FAILURE);
}
