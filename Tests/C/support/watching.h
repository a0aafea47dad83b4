/* Watching what happens to files. */
#ifndef WATCHING_H
#define WATCHING_H

#include "fds.h"

/* Answers what has happened, one of BELAY_FILE_…, and lends the name. */
static inline uint32_t read_file_event(belay_value value, belay_view *name) {
  belay_value item, kind;
  uint32_t what = 0;
  CHECK_INT(belay_value_get_item(value, 0, &item), 0);
  CHECK_INT(belay_value_get_item(value, 1, &kind), 0);
  CHECK_INT(belay_value_get_string(item, name), 0);
  CHECK_INT(belay_value_get_uint32(kind, &what), 0);
  return what;
}

/* Each event is traced as "+name" (created), "-name" (removed), "~name" (changed), "!" (lost). */
static inline void trace_file_event(void *ctx, belay_value value) {
  belay_view name;
  uint32_t what = read_file_event(value, &name);
  const char *sign = what == BELAY_FILE_CREATED   ? "+"
                     : what == BELAY_FILE_REMOVED ? "-"
                     : what == BELAY_FILE_CHANGED ? "~"
                     : what == BELAY_FILE_LOST    ? "!"
                                                  : "?";
  trace("%s%.*s", sign, (int)name.size, name.data);
}

static belay_disposable *subscription;

static inline void start(belay_signal *signal) {
  belay_observer observer = tracing("");
  observer.next = trace_file_event;
  observer.error = trace_message;
  CHECK(signal != NULL);
  CHECK_INT(belay_signal_subscribe(signal, &observer, &subscription), 0);
  belay_signal_release(signal);
}

static inline void stop(void) {
  end_subscription(subscription);
  trace_clear();
  run_to_end(loop);
}

#endif
