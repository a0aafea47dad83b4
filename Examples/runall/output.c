#include "output.h"

#define LINE_LIMIT 65536

static int is_long_line(void *ctx, belay_value value) {
  (void)ctx;
  const belay_error *error = belay_value_get_error(value);
  return belay_error_code(error) == BELAY_EMSGSIZE ? 0 : belay_fail_with(error);
}

/* Goes on reading after a line that is too long, and after no other error. */
static belay_signal *answer(void *ctx, belay_signal *errors) {
  (void)ctx;
  return belay_signal_chain(belay_signal_retain(errors),
                            belay_op_attempt(is_long_line, NULL, NULL));
}

static belay_signal *lines_of(belay_value started, size_t index) {
  belay_value item;
  if (belay_value_get_item(started, index, &item) < 0) return NULL;
  return belay_signal_chain(belay_stream_read(belay_value_get_stream(item)),
                            belay_op_lines(LINE_LIMIT), belay_op_retry_when(answer, NULL, NULL));
}

belay_signal *output_lines(belay_value started) {
  belay_signal *both[] = {lines_of(started, 2), lines_of(started, 3)};
  return belay_signal_merge(both, 2);
}
