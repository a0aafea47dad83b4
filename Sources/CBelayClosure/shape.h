#ifndef BELAY_SHAPE_H
#define BELAY_SHAPE_H

#include <ffi.h>

#include "CBelayClosure.h"

ffi_cif *belay_shape_cif(const belay_shape *shape);

#endif
