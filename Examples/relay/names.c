#include "names.h"

#include <ctype.h>
#include <string.h>

bool name_is_valid(const char *name) {
  size_t size = strlen(name);
  if (size == 0 || size >= NAME_SIZE) return false;
  for (; *name; name++)
    if (!isalnum((unsigned char)*name) && *name != '-' && *name != '_') return false;
  return true;
}
