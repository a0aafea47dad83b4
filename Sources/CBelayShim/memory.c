// Embedded Swift allocates what is no object (see references.c) through posix_memalign. Hidden,
// this one takes its place in this library: the usual alignment is malloc's own, and asking for it
// by name costs a third more.
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

__attribute__((visibility("hidden"))) int posix_memalign(void **block, size_t alignment,
                                                         size_t size) {
  void *made = alignment <= _Alignof(max_align_t)
                   ? malloc(size)
                   : aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (!made) return ENOMEM;
  *block = made;
  return 0;
}
