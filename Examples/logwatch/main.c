/* logwatch: counts the lines of a log as it grows. */
#include <belay/belay.h>
#include <stdio.h>
#include <stdlib.h>

#include "options.h"
#include "session.h"

static int fail(void) {
  const belay_error *error = belay_last_error();
  fprintf(stderr, "logwatch: %s\n", error ? belay_error_message(error) : "out of memory");
  return EXIT_FAILURE;
}

/* What was still open on the loop when it closed. */
static void show_open_resources(void *ctx, const belay_open_resource *const *resources,
                                size_t count) {
  (void)ctx;
  printf("loop closed with %zu still open\n", count);
  for (size_t i = 0; i < count; i++) {
    const char *label = belay_open_resource_label(resources[i]);
    const char *site = belay_open_resource_site(resources[i]);
    printf("  %s %s from %s\n", belay_open_resource_kind(resources[i]), label ? label : "",
           site ? site : "?");
  }
}

/* What is alive in the whole process after everything has been released. */
static void show_alive(void) {
  /* an error that was taken is kept until the next one is taken */
  while (belay_last_error()) continue;
  if (belay_live_count(BELAY_LIVE_KINDS) == 0) {
    puts("nothing left alive");
    return;
  }
  for (int kind = 0; kind < BELAY_LIVE_KINDS; kind++)
    if (belay_live_count((belay_live_kind)kind))
      printf("left alive: %zu %s\n", belay_live_count((belay_live_kind)kind),
             belay_live_kind_name((belay_live_kind)kind));
}

static int watch(belay_loop *loop, const options *options) {
  belay_owner *session = session_start(loop, options);
  if (!session) return fail();
  int code = belay_loop_run(loop, BELAY_RUN_DEFAULT) < 0 ? fail() : session_exit_code(session);
  belay_owner_release(session);
  return code;
}

/* Returns the exit code: what could not be written is a failure, too. */
static int end_output(int code) {
  if (fflush(stdout) == 0 && !ferror(stdout)) return code;
  fputs("logwatch: the output could not be written\n", stderr);
  return EXIT_FAILURE;
}

int main(int argc, char **argv) {
  options options = {.path = NULL};
  int code = options_parse(&options, argc, argv);
  if (code >= 0) return end_output(code);

  belay_loop *loop = belay_loop_create(&(belay_loop_options){
      .size = sizeof(belay_loop_options), .label = "logwatch", .site = BELAY_HERE});
  if (!loop) return fail();
  code = watch(loop, &options);
  belay_loop_close(loop, show_open_resources, NULL, NULL);
  belay_loop_release(loop);
  show_alive();
  return end_output(code);
}
