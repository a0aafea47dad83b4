// Counts what the reproducers allocate.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

extern void __libc_free(void *block);

static int32_t blocks;

int32_t toolchain_blocks(void) { return blocks; }

int posix_memalign(void **block, size_t alignment, size_t size) {
  blocks++;
  *block = aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  return 0;
}

void free(void *block) {
  if (block) blocks--;
  __libc_free(block);
}
