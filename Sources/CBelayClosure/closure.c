// Closures that may be called on any thread while they are changed or retired.
#include <stdatomic.h>
#include <stdlib.h>

#include "CBelayShim.h"
#include "shape.h"

struct belay_closure {
  ffi_closure *writable;
  void *code;
  const belay_shape *shape;
  belay_closure_handler handler;
  void *context;
  void (*release)(void *);
  _Atomic(belay_closure_function) next;
  atomic_uint references;  // one of its own, and one for each call that is in it
};

static void leave(belay_closure *closure) {
  if (atomic_fetch_sub_explicit(&closure->references, 1, memory_order_acq_rel) != 1) return;
  ffi_closure_free(closure->writable);
  closure->release(closure->context);
  free(closure);
  belay_shim_count_live(belay_shim_live_closures, -1);
}

static void called(ffi_cif *cif, void *result, void **arguments, void *user) {
  belay_closure *closure = user;
  atomic_fetch_add_explicit(&closure->references, 1, memory_order_relaxed);
  belay_closure_function next = atomic_load_explicit(&closure->next, memory_order_acquire);
  if (next) belay_shape_call(closure->shape, next, result, arguments);
  else closure->handler(closure->context, result, arguments);
  leave(closure);
}

belay_closure *belay_closure_create(const belay_shape *shape, belay_closure_handler handler,
                                    void *context, void (*release)(void *)) {
  belay_closure *made = calloc(1, sizeof *made);
  if (!made) belay_shim_out_of_memory(sizeof *made);
  made->writable = ffi_closure_alloc(sizeof(ffi_closure), &made->code);
  if (!made->writable) {
    free(made);
    return NULL;
  }
  made->shape = shape;
  made->handler = handler;
  made->context = context;
  made->release = release;
  atomic_init(&made->references, 1);
  if (ffi_prep_closure_loc(made->writable, belay_shape_cif(shape), called, made, made->code) !=
      FFI_OK) {
    ffi_closure_free(made->writable);
    free(made);
    return NULL;
  }
  belay_shim_count_live(belay_shim_live_closures, 1);
  return made;
}

belay_closure_function belay_closure_code(const belay_closure *closure) {
  return (belay_closure_function)closure->code;
}

void belay_closure_pass_to(belay_closure *closure, belay_closure_function function) {
  atomic_store_explicit(&closure->next, function, memory_order_release);
}

void belay_closure_retire(belay_closure *closure) { leave(closure); }
