/* libevent. It refuses to run inside of a callback. */
#include <event2/event.h>

#include "guest.h"

static void on_belay(evutil_socket_t fd, short events, void *guest) {
  (void)fd, (void)events;
  guest_turn(guest);
}

static void leave(void *base) { event_base_loopbreak(base); }

int main(void) {
  struct event_base *base = event_base_new();
  if (!base) return 1;
  host_loop host = {base, NULL, leave};
  guest *guest = guest_begin(&host);
  struct event *event = event_new(base, guest_fd(guest), EV_READ | EV_PERSIST, on_belay, guest);
  if (!event || event_add(event, NULL) < 0) return 1;
  event_base_dispatch(base);
  event_free(event);
  event_base_free(base);
  return guest_end(guest);
}
