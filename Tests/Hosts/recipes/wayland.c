/* The event loop of a Wayland server. A callback may dispatch. */
#include <wayland-server-core.h>

#include "guest.h"

typedef struct server {
  struct wl_event_loop *loop;
  int depth; /* how many runs are inside of each other */
} server;

static void run(server *server) {
  int depth = ++server->depth;
  while (server->depth == depth) wl_event_loop_dispatch(server->loop, -1);
}

static int on_belay(int fd, uint32_t mask, void *guest) {
  (void)fd, (void)mask;
  guest_turn(guest);
  return 0;
}

static void enter(void *server) { run(server); }
static void leave(void *ctx) { ((server *)ctx)->depth--; }

int main(void) {
  server server = {wl_event_loop_create(), 0};
  if (!server.loop) return 1;
  host_loop host = {&server, enter, leave};
  guest *guest = guest_begin(&host);
  struct wl_event_source *source =
      wl_event_loop_add_fd(server.loop, guest_fd(guest), WL_EVENT_READABLE, on_belay, guest);
  if (!source) return 1;
  run(&server);
  wl_event_source_remove(source);
  wl_event_loop_destroy(server.loop);
  return guest_end(guest);
}
