// The memory of Embedded Swift's objects, and its other memory.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "CBelayShim.h"

// Embedded Swift allocates memory other than objects (see references.c) by posix_memalign. This
// hidden definition replaces it in this library: malloc has the usual alignment anyway, and asking
// for it explicitly costs a third more. Swift ignores the result.
BELAY_HIDDEN int posix_memalign(void **block, size_t alignment, size_t size) {
  void *made = alignment <= _Alignof(max_align_t)
                   ? malloc(size)
                   : aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (!made) belay_shim_out_of_memory(size);
  *block = made;
  return 0;
}

// Not inline, because LLVM would move a retain behind the load.
bool belay_shim_has_one_reference(const void *object) {
  const intptr_t *count = (const intptr_t *)object + 1;
#ifdef BELAY_EXPLORE
  return belay_shim_count_step(belay_explore_load, belay_explore_acquiring, (void *)count, 0) == 1;
#else
  return __atomic_load_n(count, __ATOMIC_ACQUIRE) == 1;
#endif
}
