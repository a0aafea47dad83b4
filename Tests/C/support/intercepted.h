/* Objects with a table of functions, a base's or a derived one, and how they are described. */
#ifndef INTERCEPTED_H
#define INTERCEPTED_H

#include "interfaces.h"
#include "worker.h"

typedef struct object object;
typedef struct big {
  double numbers[6];
} big;
typedef struct ops {
  int version; /* not a function */
  int (*add)(object *it, int number);
  void (*tell)(object *it, const char *text, void *pointer);
  void (*close)(object *it);
  void (*fast)(object *it);
  big (*scaled)(object *it, big what, float by, const char *text);
} ops;
typedef struct derived_ops {
  ops base;
  int (*more)(object *it);
  int tail; /* not a whole word */
} derived_ops;
struct object {
  int number;
  const ops *table;
};

static inline int do_add(object *it, int number) {
  trace("add %d", number);
  return it->number += number;
}
static inline void do_tell(object *it, const char *text, void *pointer) {
  trace("tell %s", text ? text : "NULL");
}
static inline void do_close(object *it) {
  trace("close %d", it->number);
  memset(it, 0x5a, sizeof *it);
}
static inline void do_fast(object *it) {}
static inline big do_scaled(object *it, big what, float by, const char *text) {
  for (int i = 0; i < 6; i++) what.numbers[i] = what.numbers[i] * by + (double)strlen(text);
  return what;
}
static inline int do_more(object *it) { return it->table->add(it, 100); }

static const ops the_ops = {3, do_add, do_tell, do_close, do_fast, do_scaled};
static const derived_ops the_derived = {
    {4, do_add, do_tell, do_close, do_fast, do_scaled}, do_more, 77};

static const belay_method methods[] = {
    BELAY_METHOD(ops, add, "i@i"),
    BELAY_METHOD(ops, tell, "v@*p"),
    {sizeof(belay_method), "close", offsetof(ops, close), "v@", BELAY_METHOD_ENDS_OBJECT},
    {sizeof(belay_method), "fast", offsetof(ops, fast), "v@", BELAY_METHOD_PERFORMANCE_SENSITIVE},
    BELAY_METHOD(ops, scaled, "{big=[6d]}@{big=[6d]}f*"),
};
static const belay_method more_methods[] = {BELAY_METHOD(derived_ops, more, "i@")};

static inline belay_interface *of_ops(void) {
  return described((belay_interface_description){
      .name = "ops",
      .table_size = sizeof(ops),
      .methods = methods,
      .method_count = sizeof methods / sizeof *methods,
      .table_offset = offsetof(object, table),
  });
}
static inline belay_interface *of_derived(belay_interface *base) {
  return described((belay_interface_description){
      .name = "derived",
      .table_size = sizeof(derived_ops),
      .methods = more_methods,
      .method_count = 1,
      .base = base,
      .table_offset = offsetof(object, table),
  });
}

static inline void follow_on(belay_signal *signal, const char *prefix) {
  belay_disposable_release(follow(signal, prefix));
}

#endif
