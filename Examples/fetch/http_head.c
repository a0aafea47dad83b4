#include "http_head.h"

#include <string.h>
#include <strings.h>

bool http_head_add(http_head *head, const char *name, const char *value) {
  size_t name_size = strlen(name) + 1, value_size = strlen(value) + 1;
  if (name_size + value_size > sizeof head->fields - head->size) return false;
  memcpy(head->fields + head->size, name, name_size);
  memcpy(head->fields + head->size + name_size, value, value_size);
  head->size += name_size + value_size;
  return true;
}

bool http_head_next(const http_head *head, size_t *at, const char **name, const char **value) {
  if (*at >= head->size) return false;
  *name = head->fields + *at;
  *value = *name + strlen(*name) + 1;
  *at = (size_t)(*value - head->fields) + strlen(*value) + 1;
  return true;
}

const char *http_head_get(const http_head *head, const char *wanted) {
  const char *name, *value;
  for (size_t at = 0; http_head_next(head, &at, &name, &value);)
    if (strcasecmp(name, wanted) == 0) return value;
  return NULL;
}
