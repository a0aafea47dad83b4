// The destroy functions of native Swift classes, for programs in ordinary Swift (native.c).
#ifndef CBELAYSHIM_NATIVE_H
#define CBELAYSHIM_NATIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "CBelayShim.h"

// Told of each dying object of a hooked class. True when it has seen to the object's destruction,
// by `belay_native_destroy`; else that follows.
typedef bool (*belay_native_handler)(void *object, void *destroyer);

// The word of a class's metadata that holds its destroy function; NULL where the metadata does not
// look like a native class's.
BELAY_HIDDEN void **belay_native_slot(const void *metadata);

// Hooks the class for good, on a read-only page too, which stays so: 1 when it was hooked already,
// 0, or a negative errno; the one below when somebody has replaced the hook since.
static const int belay_native_replaced = -71;  // EPROTO
BELAY_HIDDEN int belay_native_hook(const void *metadata, belay_native_handler handler);

// Runs a destroy function.
BELAY_HIDDEN void belay_native_destroy(void *destroyer, void *object);

// Keeps a dying object's memory, not the object, until it is let go of.
BELAY_HIDDEN void belay_native_hold_memory(void *object);
BELAY_HIDDEN void belay_native_let_memory_go(void *object);
// How many hold its memory, itself included as long as its deinit has not come to its end.
BELAY_HIDDEN uintptr_t belay_native_memory_holders(void *object);
// Whether its deinit has begun.
BELAY_HIDDEN bool belay_native_is_dying(void *object);

// Whether the calling thread is on a serial executor, given as the two words of an
// UnownedSerialExecutor: what assumeIsolated asks; it answers here, where that ends the process.
BELAY_HIDDEN bool belay_native_is_on(uintptr_t identity, uintptr_t implementation);

#endif
