/* systemd's sd-event. It refuses to run inside of a callback. */
#include <systemd/sd-event.h>

#include "guest.h"

static int on_belay(sd_event_source *source, int fd, uint32_t events, void *guest) {
  (void)source, (void)fd, (void)events;
  guest_turn(guest);
  return 0;
}

static void leave(void *event) { sd_event_exit(event, 0); }

int main(void) {
  sd_event *event;
  sd_event_source *source;
  if (sd_event_new(&event) < 0) return 1;
  host_loop host = {event, NULL, leave};
  guest *guest = guest_begin(&host);
  if (sd_event_add_io(event, &source, guest_fd(guest), EPOLLIN, on_belay, guest) < 0) return 1;
  sd_event_loop(event);
  sd_event_source_unref(source);
  sd_event_unref(event);
  return guest_end(guest);
}
