// Shapes of functions, closures and calls, made with libffi. Private to Belay.
#ifndef CBELAY_CLOSURE_H
#define CBELAY_CLOSURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef void (*belay_closure_function)(void);

/// The parsed types of a function; include/belay/interface.h documents the letters.
typedef struct belay_shape belay_shape;

enum { BELAY_SHAPE_MOST_ARGUMENTS = 64 };

/// One argument, or the result.
typedef struct belay_shape_part {
  char code;  // 'c' 's' 'i' 'q' or 'C' 'S' 'I' 'Q' for any integer; otherwise as written
  uint32_t size;
  uint32_t offset;   // in a frame
  const char *type_name;  // of a struct, or of a long double; never freed
} belay_shape_part;

/// Answers NULL for a wrong shape. `*wrong` is the position of the error, or -1 for too many
/// arguments.
belay_shape *belay_shape_create(const char *text, int *wrong);
void belay_shape_free(belay_shape *shape);
/// The number of arguments, with the context.
unsigned belay_shape_count(const belay_shape *shape);
/// The index of the argument that carries the context, or -1.
int belay_shape_context(const belay_shape *shape);
/// The size of a frame for the arguments; below, of the result's word.
size_t belay_shape_frame_size(const belay_shape *shape);
size_t belay_shape_result_size(const belay_shape *shape);
/// An argument; -1: the result.
belay_shape_part belay_shape_at(const belay_shape *shape, int index);
/// Whether both have the same types, with the same names of structs, and the context at the same
/// index.
bool belay_shape_is_same(const belay_shape *one, const belay_shape *other);
/// Whether `handler` can be called with the method's arguments: it has the same arguments, with a
/// context in place of the method's; or one more, a context in front, and then the method's context
/// is a pointer. Results are not compared.
bool belay_shape_accepts(const belay_shape *handler, const belay_shape *method);

/// Calls `function`. An integer result fills a whole word.
void belay_shape_call(const belay_shape *shape, belay_closure_function function, void *result,
                      void *const *arguments);
/// Calls a handler that accepts the method's arguments, with its context. The result is dropped.
void belay_shape_tell(const belay_shape *handler, belay_closure_function function, void *context,
                      const belay_shape *method, void *const *arguments);

/// A function that was made at run time, and the handler that runs when it is called.
typedef struct belay_closure belay_closure;
typedef void (*belay_closure_handler)(void *context, void *result, void **arguments);

/// Takes over the reference `context`, which `release` gives back when the closure is freed.
/// `shape` must live as long. Answers NULL if there is no memory, or none that may be executed;
/// then the caller keeps `context`.
belay_closure *belay_closure_create(const belay_shape *shape, belay_closure_handler handler,
                                    void *context, void (*release)(void *));
belay_closure_function belay_closure_code(const belay_closure *closure);
/// Makes calls go on to `function` without the handler; NULL: calls go to the handler.
void belay_closure_pass_to(belay_closure *closure, belay_closure_function function);
/// Frees the closure when no call is in it.
void belay_closure_retire(belay_closure *closure);

/// Loads and stores a word in one piece.
void *belay_word_load(void *const *word);
void belay_word_store(void **word, void *wanted);
/// Puts `wanted` into a writable word that contains `expected`. Answers 0, or Belay's EMISMATCH.
int belay_word_exchange(void **word, void *expected, void *wanted);
/// Puts `wanted` into a word that contains `expected`. Answers 0; -EROFS for read-only memory,
/// unless `protection` lets it change the protection meanwhile; Belay's EMISMATCH if the word
/// contains something else. `*protection` is 0: it may not; -1: it may; or what an earlier call has
/// stored: it may, and that is the protection where it cannot be read. Without it such memory is a
/// negative errno. One call at a time, so that none restores the protection while another writes.
int belay_word_replace(void **word, void *expected, void *wanted, int *protection);

#endif
