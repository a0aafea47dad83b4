// Static probes, which tracers watch. docs/tracing.md lists them with their arguments.
#ifndef CBELAYSHIM_PROBES_H
#define CBELAYSHIM_PROBES_H

#include <stdbool.h>
#include <stdint.h>

// CMake says whether there are probes. SwiftPM has them where the header is found.
#ifndef BELAY_PROBES
#if __has_include(<sys/sdt.h>)
#define BELAY_PROBES 1
#else
#define BELAY_PROBES 0
#endif
#endif

// The probes. Those that are asked for at the same places stand together, four by four.
typedef enum belay_shim_probe_kind {
  belay_shim_next,
  belay_shim_error,
  belay_shim_completed,
  belay_shim_subscribe,
  belay_shim_dispose,
  belay_shim_added,
  belay_shim_removed,
  belay_shim_phase,
  belay_shim_turn,
} belay_shim_probe_kind;

// How many tracers watch each probe. A tracer counts up here, in this process's memory.
typedef union belay_shim_watchers {
  uint16_t of[12];
  uint64_t of_four[3];
} belay_shim_watchers;
extern __attribute__((visibility("hidden"))) belay_shim_watchers belay_shim_watched;

#if BELAY_PROBES
#define BELAY_WATCHED(which) (BELAY_HINT_LOAD(&belay_shim_watched.which) != 0)
#else
#define BELAY_WATCHED(which) false
#endif

#define BELAY_WATCHED_INLINE static inline __attribute__((always_inline)) bool
BELAY_WATCHED_INLINE belay_shim_watches_next(void) { return BELAY_WATCHED(of[belay_shim_next]); }
// One of the first four.
BELAY_WATCHED_INLINE belay_shim_watches_events(void) { return BELAY_WATCHED(of_four[0]); }
// One of the next four.
BELAY_WATCHED_INLINE belay_shim_watches_ends(void) { return BELAY_WATCHED(of_four[1]); }
BELAY_WATCHED_INLINE belay_shim_watches_turns(void) {
  return BELAY_WATCHED(of_four[2]) || belay_shim_watches_next();
}

// From how many nanoseconds on a callback is slow; negative: callbacks are not timed.
extern __attribute__((visibility("hidden"))) int64_t belay_shim_slow_limit;
static inline __attribute__((always_inline)) int64_t belay_shim_get_slow_limit(void) {
  return BELAY_HINT_LOAD(&belay_shim_slow_limit);
}
BELAY_WATCHED_INLINE belay_shim_times_callbacks(void) { return belay_shim_get_slow_limit() >= 0; }
BELAY_WATCHED_INLINE belay_shim_watches_sends(void) {
  return belay_shim_watches_next() || belay_shim_times_callbacks();
}
// Sets that limit, for all threads.
__attribute__((visibility("hidden"))) void belay_shim_time_callbacks(int64_t limit);

// The site of a probe. The arguments are the probe's, in their order, except that `number` is the
// one that is no pointer.
__attribute__((visibility("hidden"))) void belay_shim_probe(
    belay_shim_probe_kind kind, const void *first, const void *second, const void *third,
    uint64_t number);

// While `next` is watched, or callbacks are timed, no record has room for a send: every send takes its
// slow way, where that is done. So a send that nobody watches pays nothing. Called where a thread may
// find out.
__attribute__((visibility("hidden"))) void belay_shim_watch_sends(void);

#endif
