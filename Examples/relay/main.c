/* relay: a chat server whose clients talk in lines. */
#include <belay/belay.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "log.h"
#include "options.h"
#include "server.h"

static int fail(void) {
  const belay_error *error = belay_last_error();
  fprintf(stderr, "relay: %s\n", error ? belay_error_message(error) : "out of memory");
  return EXIT_FAILURE;
}

/* Such as EMFILE of accepting, which goes on when there is room again. */
static void log_unhandled(void *ctx, const belay_error *error, const char *signal,
                          const char *site) {
  (void)ctx, (void)signal, (void)site;
  log_line("%s (%s)", belay_error_message(error), belay_error_name(belay_error_code(error)));
}

static void show_open_resources(void *ctx, const belay_open_resource *const *resources,
                                size_t count) {
  (void)ctx;
  for (size_t i = 0; i < count; i++) {
    const char *label = belay_open_resource_label(resources[i]);
    log_line("still open: %s %s", belay_open_resource_kind(resources[i]), label ? label : "");
  }
}

/* Returns how much is alive in the process after everything has been released. */
static size_t show_alive(void) {
  /* An error that was taken is kept until the next one is taken. */
  while (belay_last_error()) continue;
  for (int kind = 0; kind < BELAY_LIVE_KINDS; kind++)
    if (belay_live_count((belay_live_kind)kind))
      log_line("left alive: %zu %s", belay_live_count((belay_live_kind)kind),
               belay_live_kind_name((belay_live_kind)kind));
  size_t count = belay_live_count(BELAY_LIVE_KINDS);
  if (count == 0) log_line("nothing left alive");
  return count;
}

int main(int argc, char **argv) {
  options options = OPTIONS_DEFAULT;
  int code = options_parse(&options, argc, argv);
  if (code >= 0) return code;
  setvbuf(stdout, NULL, _IOLBF, 0);
  signal(SIGPIPE, SIG_IGN); /* without a reader of the log the clients stay */

  belay_loop *loop = belay_loop_create(&(belay_loop_options){
      .size = sizeof(belay_loop_options), .label = "relay", .site = BELAY_HERE});
  if (!loop) return fail();
  belay_loop_on_unhandled_error(loop, log_unhandled, NULL, NULL);
  belay_owner *server = server_start(loop, &options);
  code = server && belay_loop_run(loop, BELAY_RUN_DEFAULT) >= 0 ? EXIT_SUCCESS : fail();
  belay_owner_release(server);
  belay_loop_close(loop, show_open_resources, NULL, NULL);
  belay_loop_release(loop);
  return show_alive() == 0 ? code : EXIT_FAILURE;
}
