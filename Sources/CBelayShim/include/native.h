// The destroy functions of native Swift classes, for programs in ordinary Swift (native.c).
#ifndef CBELAYSHIM_NATIVE_H
#define CBELAYSHIM_NATIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "CBelayShim.h"

// Called with each dying object of a hooked class. Answers true if it has destroyed the object by
// `belay_native_destroy`; otherwise the hook does that.
typedef bool (*belay_native_handler)(void *object, void *destroyer);

// The word of a class's metadata that holds its destroy function; NULL if the metadata does not
// look like a native class's.
BELAY_HIDDEN void **belay_native_slot(const void *metadata);

// Hooks the class for good, also on a read-only page, which stays read-only. Answers 1 if the class
// was hooked already, 0, or a negative errno; `belay_native_replaced` if other code has replaced
// the hook since.
static const int belay_native_replaced = -71;  // EPROTO
BELAY_HIDDEN int belay_native_hook(const void *metadata, belay_native_handler handler);

// Runs a destroy function.
BELAY_HIDDEN void belay_native_destroy(void *destroyer, void *object);

// Keeps the memory of a dying object, but not the object, until it is let go of.
BELAY_HIDDEN void belay_native_hold_memory(void *object);
BELAY_HIDDEN void belay_native_let_memory_go(void *object);
// The number of holders of its memory. The object is one of them until its deinit has ended.
BELAY_HIDDEN uintptr_t belay_native_memory_holders(void *object);
// Whether its deinit has begun.
BELAY_HIDDEN bool belay_native_is_dying(void *object);

// Whether the calling thread is on a serial executor, which is given as the two words of an
// UnownedSerialExecutor. `assumeIsolated` asks the same, but ends the process if it is not.
BELAY_HIDDEN bool belay_native_is_on(uintptr_t identity, uintptr_t implementation);

#endif
