// Guarded objects (belay/guard.h): what the functions of libbelay-testing call. guard.c is only there.
#ifndef CBELAYSHIM_GUARD_H
#define CBELAYSHIM_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The bytes of a field.
typedef struct belay_guard_field {
  const char *name;
  size_t offset, size;
  uint32_t announced;  // how many announced changes are in progress
} belay_guard_field;

// Memory of `size` bytes, NULL if there is none.
void *belay_guard_create(size_t size);
// Answers whether it was such memory.
bool belay_guard_destroy(void *memory);
// Guards an object for `owner`. Copies the fields. Answers 0, 1 if that owner guards it already, or a negative errno.
int belay_guard_begin(void *object, uintptr_t owner, const char *label,
                      const belay_guard_field *fields, size_t count);
void belay_guard_end(void *object, uintptr_t owner);

// A change of a field is announced, or over.
void belay_guard_announce(void *object, const char *key);
void belay_guard_revoke(void *object, const char *key);
// Belay stores something in the object.
void belay_guard_begin_store(void *object);
void belay_guard_end_store(void *object);
// Protects again what could not be protected behind an unannounced write.
void belay_guard_settle(void *object);

// Sets the hook, a belay_unannounced_write_fn, and frees what the one before had when nobody is in it any more.
// Answers false in a hook; then it frees `ctx`.
bool belay_guard_set_hook(void (*hook)(void), void *ctx, void (*ctx_free)(void *ctx));
uint64_t belay_guard_count(void);

#endif
