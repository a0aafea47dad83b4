/* Signals of texts, whose values have to be kept and given back. */
#ifndef TEXTS_H
#define TEXTS_H

#include "cases.h"

static inline belay_error *gone(void) {
  return belay_error_create(BELAY_ENOENT, NULL, "gone", belay_null(), NULL);
}

static inline belay_signal *failing(void) { return failing_with(BELAY_ENOENT, "gone"); }

/* "a", "b", … as strings, then completed. */
static inline belay_signal *letters(size_t count) {
  belay_value values[26];
  for (size_t i = 0; i < count; i++) values[i] = belay_string((char[]){(char)('a' + i), 0});
  return belay_signal_from(values, count);
}

static inline void send_text(belay_signal *subject, const char *text) {
  CHECK_INT(belay_subject_next(subject, belay_string(text)), 0);
}

/* The values' texts with "+" between them. */
static inline belay_value joined_texts(void *ctx, const belay_value *values, size_t count) {
  char text[200];
  size_t used = 0;
  for (size_t i = 0; i < count; i++) {
    if (i > 0) text[used++] = '+';
    used += render(values[i], text + used, sizeof text - used);
  }
  text[used] = 0;
  return belay_string(text);
}

#endif
