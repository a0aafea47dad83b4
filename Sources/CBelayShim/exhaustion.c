// The end of the process when there is no memory.
#include "CBelayShim.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// No caller could go on without the memory, and a bad pointer would fail far from here.
_Noreturn void belay_shim_out_of_memory(size_t size) {
  // Not by stderr, because a thread may hold its lock.
  char text[64];
  int length = snprintf(text, sizeof text, "belay: out of memory (%zu bytes)\n", size);
  while (write(STDERR_FILENO, text, (size_t)length) < 0 && errno == EINTR) continue;
  abort();
}

belay_free_function belay_shim_system_free(void) { return free; }

bool belay_shim_has_room(size_t count, size_t size) {
  // So little is not tried out: without it nothing else works either.
  enum { little = 1 << 20 };
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes) || bytes > PTRDIFF_MAX - little) return false;
  if (bytes <= little) return true;
  // With the header that stands before the elements.
  void *volatile block = malloc(bytes + 64);
  free(block);
  return block;
}
