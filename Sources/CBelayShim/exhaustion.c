// What happens when there is no memory.
#include "CBelayShim.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Nobody up the stack could go on without it, and a bad pointer would be found far from here.
_Noreturn void belay_shim_out_of_memory(size_t size) {
  // No stdio: it allocates, and its lock may be held.
  char text[64] = "belay: out of memory (", digits[24];
  size_t end = strlen(text), count = 0;
  do digits[count++] = (char)('0' + size % 10);
  while (size /= 10);
  while (count) text[end++] = digits[--count];
  static const char rest[] = " bytes)\n";
  memcpy(text + end, rest, sizeof rest - 1);
  end += sizeof rest - 1;
  for (size_t sent = 0; sent < end;) {
    ssize_t written = write(STDERR_FILENO, text + sent, end - sent);
    if (written > 0)
      sent += (size_t)written;
    else if (errno != EINTR)
      break;
  }
  abort();
}

bool belay_shim_has_room(size_t count, size_t size) {
  // So little is not asked for beforehand: without it nothing else works either.
  enum { little = 1 << 20 };
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes) || bytes > PTRDIFF_MAX - little) return false;
  if (bytes <= little) return true;
  // With what stands before it.
  void *volatile block = malloc(bytes + 64);
  free(block);
  return block;
}
