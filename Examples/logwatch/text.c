#include "text.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static size_t length_of(unsigned char first) {
  if (first < 0x80) return 1;
  if (first < 0xC0) return 0;
  return first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF8 ? 4 : 0;
}

/* Stores the first character's code. Returns its length; 0 if it is not UTF-8. */
static size_t decode(const char *text, size_t size, uint32_t *code) {
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const unsigned char *bytes = (const unsigned char *)text;
  size_t length = length_of(bytes[0]);
  if (length == 0 || length > size) return 0;
  *code = length == 1 ? bytes[0] : bytes[0] & (0x7Fu >> length);
  for (size_t i = 1; i < length; i++) {
    if ((bytes[i] & 0xC0) != 0x80) return 0;
    *code = *code << 6 | (bytes[i] & 0x3F);
  }
  if (*code < least[length] || *code > 0x10FFFF || (*code >= 0xD800 && *code < 0xE000)) return 0;
  return length;
}

void text_copy(char *to, size_t room, const char *text, size_t size) {
  while (size > 0) {
    uint32_t code = 0;
    size_t length = decode(text, size, &code), taken = length ? length : 1;
    bool is_safe = length && code >= ' ' && (code < 0x7F || code >= 0xA0);
    size_t needed = is_safe ? length : 1;
    if (needed >= room) break;
    if (is_safe) memcpy(to, text, length);
    else *to = '?';
    to += needed, room -= needed;
    text += taken, size -= taken;
  }
  *to = 0;
}

/* Characters from U+1100 on may take two columns. */
size_t text_fit(const char *text, size_t columns) {
  size_t size = strlen(text), at = 0;
  while (at < size) {
    uint32_t code = 0;
    size_t length = decode(text + at, size - at, &code), width = code < 0x1100 ? 1 : 2;
    if (width > columns) break;
    columns -= width;
    at += length ? length : 1;
  }
  return at;
}
