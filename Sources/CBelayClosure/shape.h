#ifndef BELAY_SHAPE_H
#define BELAY_SHAPE_H

#include <ffi.h>

#include "CBelayClosure.h"

// The argument that a call passes as two, and the types of all arguments then; else -1.
int belay_shape_halve(const ffi_cif *cif, ffi_type **types);
ffi_cif *belay_shape_cif(const belay_shape *shape);

#endif
