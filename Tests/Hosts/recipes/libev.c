/* libev. A callback may run the loop. */
#include <ev.h>

#include "guest.h"

static void on_belay(struct ev_loop *loop, ev_io *watcher, int events) {
  (void)loop, (void)events;
  guest_turn(watcher->data);
}

static void enter(void *loop) { ev_run(loop, 0); }
static void leave(void *loop) { ev_break(loop, EVBREAK_ONE); }

int main(void) {
  struct ev_loop *loop = ev_loop_new(EVFLAG_AUTO);
  if (!loop) return 1;
  host_loop host = {loop, enter, leave};
  guest *guest = guest_begin(&host);
  ev_io watcher;
  ev_io_init(&watcher, on_belay, guest_fd(guest), EV_READ);
  watcher.data = guest;
  ev_io_start(loop, &watcher);
  ev_run(loop, 0);
  ev_io_stop(loop, &watcher);
  ev_loop_destroy(loop);
  return guest_end(guest);
}
