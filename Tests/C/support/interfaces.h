/* Interfaces of tables, and what interceptors plainly do. */
#ifndef INTERFACES_H
#define INTERFACES_H

#include "cases.h"

static inline belay_interface *described(belay_interface_description description) {
  description.size = sizeof description;
  belay_interface *made = belay_interface_create(&description);
  CHECK(made != NULL);
  return made;
}

/* Of a table that its objects do not point to: TABLE_INTERFACE(ops, methods). */
#define TABLE_INTERFACE(table, methods_)                         \
  described((belay_interface_description){                       \
      .name = #table,                                            \
      .table_size = sizeof(table),                               \
      .methods = methods_,                                       \
      .method_count = sizeof methods_ / sizeof *methods_,        \
      .table_offset = BELAY_NO_TABLE,                            \
  })

/* Traces values and ends, but neither disposals nor the context. */
static inline belay_disposable *follow(belay_signal *signal, const char *prefix) {
  belay_observer observer = unfreed(prefix);
  observer.disposed = NULL;
  belay_disposable *disposable = NULL;
  CHECK(signal != NULL);
  CHECK_INT(belay_signal_subscribe(signal, &observer, &disposable), 0);
  belay_signal_release(signal);
  return disposable;
}

static inline int proceed(void *ctx, belay_invocation *call) {
  return belay_invocation_proceed(call);
}
static inline int veto(void *ctx, belay_invocation *call) { return 0; }

static inline belay_value sum_of_answers(void *ctx, const belay_value *answers, size_t count) {
  int32_t sum = 0;
  for (size_t i = 0; i < count; i++) sum += int_of(answers[i]);
  return belay_int32(sum);
}

#endif
