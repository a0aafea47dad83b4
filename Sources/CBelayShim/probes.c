// The sites of the probes. Each is one nop, which a tracer replaces, and a note in the library.
#include "CBelayShim.h"

#if BELAY_PROBES
#define _SDT_HAS_SEMAPHORES 1
#define SDT_USE_VARIADIC 1
#include <sys/sdt.h>

// The section by which tracers know such counts.
__attribute__((section(".probes"))) belay_shim_watchers belay_shim_watched;

// A note names its probe's count by a symbol of its own.
#define COUNT(probe, place)                              \
  extern BELAY_HIDDEN uint16_t belay_##probe##_semaphore; \
  __asm__(".set belay_" #probe "_semaphore, belay_shim_watched + 2 * " #place)
COUNT(next, 0);
COUNT(error, 1);
COUNT(completed, 2);
COUNT(subscribe, 3);
COUNT(dispose, 4);
COUNT(added, 5);
COUNT(removed, 6);
COUNT(phase, 7);
COUNT(turn, 8);

// Tracers ask for this section, to which no code refers: this keeps the linker from leaving it out.
__asm__(".pushsection .probes, \"aw\"\n.balign 4\n.long _.stapsdt.base - .\n.popsection");
#else
// The core of a source release has been compiled with probes, also where C's part has none.
belay_shim_watchers belay_shim_watched;
#endif

void belay_shim_probe(belay_shim_probe_kind kind, const void *first, const void *second,
                      const void *third, uint64_t number) {
#if BELAY_PROBES
#define SITE(probe, ...) \
  case belay_shim_##probe: STAP_PROBEV(belay, probe, __VA_ARGS__); break
  if (!BELAY_WATCHED(of[kind])) return;
  switch (kind) {
    SITE(next, first, second, third);
    SITE(error, first, second, (int)number, third);
    SITE(completed, first, second);
    SITE(subscribe, first, second);
    SITE(dispose, first, second);
    SITE(added, first, second, number);
    SITE(removed, first, second, number);
    SITE(phase, first, second, third, (int)number);
    SITE(turn, first, second, number);
  }
#endif
}

int64_t belay_shim_slow_limit = -1;

void belay_shim_watch_sends(void) {
  if (!belay_shim_watches_sends()) return;
  belay_thread *thread = BELAY_ATOMIC_LOAD(&belay_shim_threads, acquiring);
  for (; thread; thread = thread->next) __atomic_store_n(&thread->room, 0, __ATOMIC_RELAXED);
}
