#include "output.h"

#include <stdlib.h>

#define LINE_LIMIT 65536

/* The length of the line that has not ended yet. */
typedef struct cutter {
  size_t length;
} cutter;

/* Copies `view` with a line end before each byte that would make a line too long, into `copy`
   unless that is NULL. Returns the length of the copy. */
static size_t cut_into(char *copy, belay_view view, size_t *length) {
  const char *bytes = view.data;
  size_t size = 0;
  for (size_t i = 0; i < view.size; i++) {
    if (bytes[i] == '\n') {
      *length = 0;
    } else if (++*length > LINE_LIMIT) {
      if (copy) copy[size] = '\n';
      size++;
      *length = 1;
    }
    if (copy) copy[size] = bytes[i];
    size++;
  }
  return size;
}

/* Cuts lines that are too long: belay_op_lines() would end with an error. */
static belay_value cut(void *ctx, belay_value chunk) {
  cutter *self = ctx;
  belay_view view;
  if (belay_value_try_bytes(chunk, &view) < 0) return belay_value_retain(chunk);
  size_t before = self->length, size = cut_into(NULL, view, &self->length);
  if (size == view.size) return belay_value_retain(chunk);
  char *copy = malloc(size);
  if (!copy) return belay_value_failure(BELAY_ENOMEM, "a line is too long");
  self->length = before;
  cut_into(copy, view, &self->length);
  belay_value value = belay_bytes(copy, size);
  free(copy);
  return value;
}

static belay_signal *lines_of(belay_value started, size_t index) {
  belay_value item;
  if (belay_value_get_item(started, index, &item) < 0) return NULL;
  return belay_signal_chain(belay_stream_read(belay_value_get_stream(item)),
                            belay_op_map(cut, calloc(1, sizeof(cutter)), free),
                            belay_op_lines(LINE_LIMIT));
}

belay_signal *output_lines(belay_value started) {
  belay_signal *both[] = {lines_of(started, 2), lines_of(started, 3)};
  return belay_signal_merge(both, 2);
}
