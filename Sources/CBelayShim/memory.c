// Embedded Swift allocates what is no object (see references.c) through posix_memalign. Hidden,
// this one takes its place in this library: the usual alignment is malloc's own, and asking for it
// by name costs a third more. Swift does not look at the answer.
#include <stddef.h>
#include <stdlib.h>

#include "CBelayShim.h"

BELAY_HIDDEN int posix_memalign(void **block, size_t alignment, size_t size) {
  void *made = alignment <= _Alignof(max_align_t)
                   ? malloc(size)
                   : aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (!made) belay_shim_out_of_memory(size);
  *block = made;
  return 0;
}
