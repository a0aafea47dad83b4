#ifndef BELAY_SHAPE_H
#define BELAY_SHAPE_H

#include <ffi.h>

#include "CBelayClosure.h"

// The index of the argument that a call must pass as two, or -1. Fills in the types of all
// arguments.
int belay_shape_halve(const ffi_cif *cif, ffi_type **types);
ffi_cif *belay_shape_cif(const belay_shape *shape);

#endif
