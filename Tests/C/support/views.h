/* A library that talks back: views, which tell a delegate what happens to them, and remember which
   methods it has, as many do. */
#ifndef VIEWS_H
#define VIEWS_H

#include "interfaces.h"
#include "worker.h"

typedef struct point {
  double x, y;
} point;

typedef struct view view;
typedef struct delegate {
  uintptr_t version; /* the description says nothing of it */
  void (*moved)(view *it, double x, double y);
  void (*renamed)(view *it, const char *name);
  void (*placed)(view *it, point at, void *parent);
  int (*may_close)(view *it, int force);
  void (*drawn)(view *it);
} delegate;

struct view {
  const delegate *delegate; /* atomic, like the pointers in it */
  unsigned remembered;      /* a bit for each method: 1 moved, 2 renamed, … */
  int installs;
  int installing;                 /* calls of install that are under way */
  int refusal;                    /* what install answers */
  void (*inside)(view *it);       /* called by install */
};

static inline const delegate *delegate_of(view *it) {
  return __atomic_load_n(&it->delegate, __ATOMIC_ACQUIRE);
}
#define METHOD_OF(it, name) __atomic_load_n(&delegate_of(it)->name, __ATOMIC_ACQUIRE)

static inline int install_delegate(void *object, const void *table) {
  view *it = object;
  CHECK_INT(__atomic_fetch_add(&it->installing, 1, __ATOMIC_ACQ_REL), 0);
  it->installs++;
  if (!it->refusal) {
    __atomic_store_n(&it->delegate, table, __ATOMIC_RELEASE);
    it->remembered = 0;
    if (table) {
      if (METHOD_OF(it, moved)) it->remembered |= 1;
      if (METHOD_OF(it, renamed)) it->remembered |= 2;
      if (METHOD_OF(it, placed)) it->remembered |= 4;
      if (METHOD_OF(it, may_close)) it->remembered |= 8;
      if (METHOD_OF(it, drawn)) it->remembered |= 16;
    }
  }
  __atomic_fetch_sub(&it->installing, 1, __ATOMIC_ACQ_REL);
  if (it->inside) it->inside(it);
  return it->refusal;
}
static inline const void *installed_delegate(void *object) { return delegate_of(object); }

/* What the library does: it calls what it remembers. */
static inline void view_move(view *it, double x, double y) {
  if (it->remembered & 1) METHOD_OF(it, moved)(it, x, y);
}
static inline void view_rename(view *it, const char *name) {
  if (it->remembered & 2) METHOD_OF(it, renamed)(it, name);
}
static inline void view_place(view *it, point at, void *parent) {
  if (it->remembered & 4) METHOD_OF(it, placed)(it, at, parent);
}
static inline int view_close(view *it, int force) {
  return it->remembered & 8 ? METHOD_OF(it, may_close)(it, force) : -1;
}
static inline void view_draw(view *it) {
  if (it->remembered & 16) METHOD_OF(it, drawn)(it);
}

/* ---- a delegate of the program's ---- */
static inline void its_moved(view *it, double x, double y) { trace("moved %g %g", x, y); }
static inline void its_renamed(view *it, const char *name) {
  trace("renamed %s", name ? name : "NULL");
}
static inline int its_may_close(view *it, int force) { return force; }
static inline void its_drawn(view *it) { trace("drawn"); }
static const delegate its_delegate = {7, its_moved, its_renamed, NULL, its_may_close, its_drawn};

/* ---- the description ---- */
static const belay_method delegate_methods[] = {
    BELAY_METHOD(delegate, moved, "v@dd"),
    BELAY_METHOD(delegate, renamed, "v@*"),
    BELAY_METHOD(delegate, placed, "v@{point=dd}p"),
    BELAY_METHOD(delegate, may_close, "i@i"),
    {sizeof(belay_method), "drawn", offsetof(delegate, drawn), "v@", BELAY_METHOD_PERFORMANCE_SENSITIVE},
};

static inline belay_interface_description describing_delegates(void) {
  return (belay_interface_description){
      .name = "delegate",
      .table_size = sizeof(delegate),
      .methods = delegate_methods,
      .method_count = sizeof delegate_methods / sizeof *delegate_methods,
      .table_offset = BELAY_NO_TABLE,
      .install = install_delegate,
      .installed = installed_delegate,
  };
}
/* One for the whole program. */
static inline belay_interface *the_delegates(void) {
  static belay_interface *made;
  if (!made) made = described(describing_delegates());
  return made;
}

/* ---- slots of a proxy, without keeping them ---- */
static inline belay_slot *slot_of(belay_proxy *proxy, const char *method) {
  belay_slot *slot = belay_slot_create_in_proxy(proxy, method);
  CHECK(slot != NULL);
  belay_slot_release(slot); /* the object has it */
  return slot;
}
static inline belay_disposable *follow_sent(belay_proxy *proxy, const char *method) {
  return follow(belay_slot_sent(slot_of(proxy, method)), method);
}

#endif
