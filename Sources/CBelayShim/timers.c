#include <stdlib.h>
#include <string.h>

#include "CBelayShim.h"

// So many timers before one is due, its work is fetched into the cache.
enum { AHEAD = 6 };

belay_timer *belay_shim_move_timers(belay_timer *timers, size_t count, size_t room) {
  belay_timer *made = NULL;
  if (room > 0) {
    made = malloc(room * sizeof *made);
    if (!made) belay_shim_out_of_memory(room * sizeof *made);
    if (count > 0) memcpy(made, timers, count * sizeof *made);
  }
  free(timers);
  return made;
}

static bool is_before(const belay_timer *one, const belay_timer *other) {
  return one->latest != other->latest ? one->latest < other->latest
                                      : one->sequence < other->sequence;
}

static size_t least(size_t one, size_t other) { return one < other ? one : other; }

// By merging, and not by qsort(), whose calls for each comparison take half of all the time of a timer.
void belay_shim_sort_timers(belay_timer *timers, size_t count) {
  size_t sorted = 1;
  // Timers that are all for the same delay are in order already.
  while (sorted < count && is_before(&timers[sorted - 1], &timers[sorted])) sorted++;
  if (sorted >= count) return;
  belay_timer *from = timers, *to = belay_shim_move_timers(NULL, 0, count), *made = to;
  for (size_t width = 1; width < count; width *= 2) {
    for (size_t start = 0; start < count; start += 2 * width) {
      const belay_timer *left = from + start, *middle = from + least(start + width, count),
                        *right = middle, *end = from + least(start + 2 * width, count);
      belay_timer *out = to + start;
      while (left < middle && right < end) {
        bool is_right = is_before(right, left);
        *out++ = *(is_right ? right : left);
        left += !is_right;
        right += is_right;
      }
      memcpy(out, left, (size_t)(middle - left) * sizeof *out);
      out += middle - left;
      memcpy(out, right, (size_t)(end - right) * sizeof *out);
    }
    belay_timer *sorted_half = to;
    to = from;
    from = sorted_half;
  }
  if (from != timers) memcpy(timers, from, count * sizeof *timers);
  free(made);
}

belay_timer *belay_shim_find_timer(belay_timer *timers, size_t count, belay_timer like) {
  if (timers->work == like.work) {
    // The first is due.
    if (count > AHEAD) {
      const char *soon = timers[AHEAD].work;
      __builtin_prefetch(soon, 1);
      __builtin_prefetch(soon + 64, 1);
    }
    return timers;
  }
  while (count > 1) {
    size_t half = count / 2;
    if (is_before(&like, &timers[half])) {
      count = half;
    } else {
      timers += half;
      count -= half;
    }
  }
  return timers;
}
