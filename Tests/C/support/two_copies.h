/* Two copies of the library: that of the test program, and that of a plug-in, which it loads. */
#ifndef TWO_COPIES_H
#define TWO_COPIES_H

#include "cases.h"
#include "other_copy.h"

#include <dlfcn.h>

static const other_copy *other;

/* What the other copy makes of a signal of this one, which is taken over. */
static inline belay_signal *there(belay_signal *signal) {
  belay_exchange exchange;
  CHECK_INT(belay_signal_export(signal, &exchange), 0);
  belay_signal_release(signal);
  belay_signal *imported = other->take(&exchange);
  CHECK(imported != NULL);
  belay_exchange_release(&exchange);
  CHECK(exchange.signal == NULL && exchange.release == NULL);
  belay_exchange_release(&exchange);
  return imported;
}

/* What this copy makes of a signal of the other one. */
static inline belay_signal *imported_here(belay_signal *signal) {
  belay_exchange exchange;
  CHECK_INT(other->give(signal, &exchange), 0);
  belay_signal *imported = belay_signal_import(&exchange);
  CHECK(imported != NULL);
  belay_exchange_release(&exchange);
  return imported;
}
/* The same of a signal that is taken over. */
static inline belay_signal *here(belay_signal *signal) {
  belay_signal *imported = imported_here(signal);
  other->release(signal);
  return imported;
}

/* There and back again. */
static inline belay_signal *around(belay_signal *signal) { return here(there(signal)); }

static inline void nothing_is_left_there(void) {
  CHECK_INT(other->live(BELAY_LIVE_KINDS), 0);
}

/* Loads the other copy; 0, or what the program then exits with. */
static inline int load_other_copy(void) {
  void *library = dlopen(OTHER_COPY, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  other = ((const other_copy *(*)(void))dlsym(library, "other_copy_functions"))();
  return 0;
}

#endif
