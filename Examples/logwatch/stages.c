#include "stages.h"

#include <stdlib.h>
#include <string.h>

#include "display.h"
#include "entry.h"

/* A long log is read faster than time passes. A window that is full is shown at once, so no more
   than this is ever held. */
#define WINDOW_LIMIT 32768

static belay_value parse(void *match, belay_value line) {
  belay_view view;
  int rc = belay_value_get_bytes(line, &view);
  if (rc < 0) return belay_value_failure(rc, "a line is neither string nor bytes");
  entry parsed;
  entry_parse(&parsed, view.data, view.size, match);
  return BELAY_STRUCT(entry, &parsed);
}

belay_op *stage_parse(const char *match) {
  return belay_op_map(parse, match ? strdup(match) : NULL, free);
}

static int is_matched(void *ctx, belay_value value) {
  (void)ctx;
  entry seen;
  int rc = BELAY_VALUE_GET_STRUCT(value, entry, &seen);
  return rc < 0 ? rc : seen.matched;
}

/* Makes a window of the time that it took and an array of entries. It knows nothing of the windows
   before it. */
static belay_value summarise(void *ctx, belay_value value) {
  (void)ctx;
  window second = {.total = 0};
  belay_value seconds, entries;
  int rc = belay_value_get_item(value, 0, &seconds);
  if (rc >= 0) rc = belay_value_get_double(seconds, &second.seconds);
  if (rc >= 0) rc = belay_value_get_item(value, 1, &entries);
  if (rc < 0) return belay_value_failure(rc, "a window without its time");
  size_t count = belay_value_count(entries);
  for (size_t i = 0; i < count; i++) {
    belay_value item;
    entry seen;
    if (belay_value_get_item(entries, i, &item) < 0) break;
    if (BELAY_VALUE_GET_STRUCT(item, entry, &seen) < 0) continue;
    tally_add(&second.tally, seen.keyword);
    if (i + 1 == count) memcpy(second.last, seen.text, sizeof second.last);
  }
  return BELAY_STRUCT(window, &second);
}

/* Adds up what belongs to one second. A timer may be a little late. */
static void measure(window *now, const window *before) {
  bool is_same = before->burst.seconds + now->seconds < 1.1;
  now->burst.total = now->tally.total + (is_same ? before->burst.total : 0);
  now->burst.seconds = now->seconds + (is_same ? before->burst.seconds : 0);
  double seconds = now->burst.seconds > 1 ? now->burst.seconds : 1;
  uint64_t rate = (uint64_t)((double)now->burst.total / seconds);
  now->peak = rate > before->peak ? rate : before->peak;
}

static belay_value accumulate(void *ctx, belay_value accumulated, belay_value value) {
  (void)ctx;
  window before, now;
  int rc = BELAY_VALUE_GET_STRUCT(accumulated, window, &before);
  if (rc >= 0) rc = BELAY_VALUE_GET_STRUCT(value, window, &now);
  if (rc < 0) return belay_value_failure(rc, "a window is no window");
  now.total = before.total + now.tally.total;
  measure(&now, &before);
  /* A second without entries goes on showing the line before it. */
  if (!now.tally.total) memcpy(now.last, before.last, sizeof now.last);
  return BELAY_STRUCT(window, &now);
}

belay_signal *stage_windows(belay_signal *entries, belay_loop *loop) {
  window none = {.total = 0};
  return belay_signal_chain(
      entries, belay_op_filter(is_matched, NULL, NULL),
      belay_op_buffer_time(belay_loop_get_scheduler(loop), 1.0, WINDOW_LIMIT),
      belay_op_time_interval(belay_loop_get_scheduler(loop)),
      belay_op_map(summarise, NULL, NULL),
      belay_op_scan(BELAY_STRUCT(window, &none), accumulate, NULL, NULL));
}
