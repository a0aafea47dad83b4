/* Owners whose ends are traced, and events of owners. */
#ifndef OWNED_H
#define OWNED_H

#include "cases.h"

static inline belay_owner *plain_owner(void) { return belay_owner_create(NULL, NULL, NULL, NULL); }

static inline void trace_deinit(void *object) { trace("deinit"); }
static inline void trace_dealloc(void *object) { trace("dealloc"); }
static inline belay_owner *traced_owner(void *object) {
  return belay_owner_create(object, trace_deinit, trace_dealloc, NULL);
}

static inline void trace_deinit_of(void *name) { trace("deinit %s", (const char *)name); }
static inline void trace_dealloc_of(void *name) { trace("dealloc %s", (const char *)name); }
static inline void trace_destroy_of(void *name) { trace("destroy %s", (const char *)name); }
static inline belay_owner *named_owner(const char *name) {
  return belay_owner_create((void *)name, trace_deinit_of, trace_dealloc_of, NULL);
}

/* Traces both signals of an owner, without the noise of disposals. */
static inline void follow_death(belay_owner *owner) {
  static const char *const names[] = {"deallocating", "deallocated"};
  for (int i = 0; i < 2; i++) {
    belay_observer observer = unfreed(names[i]);
    observer.disposed = NULL;
    belay_signal *signal = i ? belay_owner_deallocated(owner) : belay_owner_deallocating(owner);
    CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
    belay_signal_release(signal);
  }
}

/* ---- events by name ---- */
enum { LEVEL = BELAY_OWNER_EVENT_LEVEL };

static inline void trace_event(void *ctx, const belay_owner_event *event) {
  char text[100];
  render(event->user_info, text, sizeof text);
  trace("%s: %s %s", (const char *)ctx, event->name, text);
}
static inline int post(belay_owner *source, const char *name, int number) {
  return belay_owner_event_post(source, name, belay_int32(number));
}
/* `name` is an event's or a path's. */
static inline int watch_event(belay_owner *watcher, belay_owner *source, const char *name,
                              int level, const char *as) {
  return belay_owner_event_watch(watcher, source, name, level, trace_event, (void *)as, NULL);
}

#endif
