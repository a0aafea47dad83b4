#include "text.h"

static bool is_utf8(belay_view text) {
  belay_value string = belay_string_n(text.data, text.size);
  bool is_string = belay_value_is_string(string);
  belay_value_release(string);
  return is_string;
}

bool text_is_plain(belay_view text) {
  const unsigned char *bytes = (const unsigned char *)text.data;
  for (size_t i = 0; i < text.size; i++) {
    if ((bytes[i] < ' ' && bytes[i] != '\t') || bytes[i] == 0x7F) return false;
    /* U+0080 to U+009F */
    if (bytes[i] == 0xC2 && i + 1 < text.size && bytes[i + 1] < 0xA0) return false;
  }
  return is_utf8(text);
}
