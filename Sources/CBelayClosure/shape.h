#ifndef BELAY_SHAPE_H
#define BELAY_SHAPE_H

#include <ffi.h>

#include "CBelayClosure.h"

// The index of the argument that a call must pass as two, or -1. Fills in the types of all
// arguments.
int belay_shape_halve(const ffi_cif *cif, ffi_type **types);
// Whether libffi would put an argument of that type into the wrong place if it knew the type's alignment.
bool belay_shape_is_misaligned(const ffi_type *type);
ffi_cif *belay_shape_cif(const belay_shape *shape);

#endif
