// What libffi makes: shapes of functions, closures, calls. Private to Belay.
#ifndef CBELAY_CLOSURE_H
#define CBELAY_CLOSURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef void (*belay_closure_function)(void);

/// A function's types, parsed: include/belay/interface.h documents the letters.
typedef struct belay_shape belay_shape;

enum { BELAY_SHAPE_MOST_ARGUMENTS = 64 };

/// One argument, or the result.
typedef struct belay_shape_part {
  char code;         // 'c' 's' 'i' 'q' and 'C' 'S' 'I' 'Q', whatever letter said so; else as written
  uint32_t size;
  uint32_t offset;   // in a frame
  const char *type_name;  // of a struct, or of a long double; static
} belay_shape_part;

/// NULL with the place of what is wrong in `*wrong`, -1 for more arguments than there may be.
belay_shape *belay_shape_create(const char *text, int *wrong);
void belay_shape_free(belay_shape *shape);
/// How many arguments it has, the one with the context too.
unsigned belay_shape_count(const belay_shape *shape);
/// Which argument carries the context, or -1.
int belay_shape_context(const belay_shape *shape);
/// The bytes that its arguments take, and room enough for its result.
size_t belay_shape_frame_size(const belay_shape *shape);
size_t belay_shape_result_size(const belay_shape *shape);
/// An argument; the result for -1.
belay_shape_part belay_shape_at(const belay_shape *shape, int index);
/// Whether both have the same types, names of structs included, and the context at one place.
bool belay_shape_is_same(const belay_shape *one, const belay_shape *other);
/// Whether `handler` can be called with the method's arguments: it has the same, and a context
/// where the method has one, else first. Results do not count.
bool belay_shape_accepts(const belay_shape *handler, const belay_shape *method);

/// Calls `function`. An integer result fills a whole word.
void belay_shape_call(const belay_shape *shape, belay_closure_function function, void *result,
                      void *const *arguments);
/// Calls a handler that the method's shape is accepted by, with its context; its result is dropped.
void belay_shape_tell(const belay_shape *handler, belay_closure_function function, void *context,
                      const belay_shape *method, void *const *arguments);

/// A function made at run time, and what is called when it is.
typedef struct belay_closure belay_closure;
typedef void (*belay_closure_handler)(void *context, void *result, void **arguments);

/// Keeps `context`, whose reference `release` gives back when the closure is freed, and needs
/// `shape` as long. NULL when there is no memory, or none that may be executed; `context` is then
/// the caller's still.
belay_closure *belay_closure_create(const belay_shape *shape, belay_closure_handler handler,
                                    void *context, void (*release)(void *));
belay_closure_function belay_closure_code(const belay_closure *closure);
/// What its calls are passed on to without calling the handler; NULL: nothing.
void belay_closure_pass_to(belay_closure *closure, belay_closure_function function);
/// Frees it, when no call is in it.
void belay_closure_retire(belay_closure *closure);

/// What a place holds, loaded in one piece.
void *belay_place_load(void *const *place);
void belay_place_store(void **place, void *wanted);
/// Puts `wanted` into a place that can be written to, where `expected` is. 0; EMISMATCH of Belay's.
int belay_place_exchange(void **place, void *expected, void *wanted);
/// Puts `wanted` into a place where `expected` is. 0; -EROFS for memory that is read-only, unless
/// it may `unprotect` it for the while; EMISMATCH of Belay's when something else is there.
int belay_place_replace(void **place, void *expected, void *wanted, bool unprotect);

#endif
