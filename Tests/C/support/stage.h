/* A view on which a proxy is tried. */
#ifndef STAGE_H
#define STAGE_H

#include "views.h"

/* A view with its owner and its proxy. */
typedef struct stage {
  view it;
  belay_owner *owner;
  belay_proxy *proxy;
} stage;

static inline void begin(stage *on, const delegate *original) {
  *on = (stage){.it = {.delegate = original}};
  on->owner = belay_owner_create(&on->it, NULL, NULL, NULL);
  on->proxy = belay_proxy_create(on->owner, the_delegates());
  CHECK(on->proxy != NULL);
}
static inline void finish(stage *on) {
  belay_owner_release(on->owner);
  belay_proxy_release(on->proxy);
}
static inline void ended(belay_disposable *disposable, const char *trace) {
  CHECK_TRACE(trace);
  belay_disposable_release(disposable);
}

/* What subscribing answers. */
static inline int refused(belay_proxy *proxy, const char *method) {
  belay_signal *signal = belay_slot_sent(slot_of(proxy, method));
  belay_observer observer = {.size = sizeof observer};
  int code = belay_signal_subscribe(signal, &observer, NULL);
  belay_signal_release(signal);
  return code;
}

/* A table that is longer than the one it begins with. */
typedef struct table_delegate {
  delegate base;
  void (*selected)(view *it, int row);
} table_delegate;
static const belay_method table_methods[] = {BELAY_METHOD(table_delegate, selected, "v@i")};
static inline belay_interface *derived(int (*install)(void *, const void *)) {
  return described((belay_interface_description){
      .name = "table_delegate",
      .table_size = sizeof(table_delegate),
      .methods = table_methods,
      .method_count = 1,
      .base = the_delegates(),
      .table_offset = BELAY_NO_TABLE,
      .install = install,
  });
}

static inline belay_value yes(void *ctx, belay_invocation *call) { return belay_int32(1); }

#endif
