// Each thread's record of the callbacks that run on it. Other threads read the record when they dispose of
// a subscription: see Delivery.swift.
#include <stdlib.h>
#include <string.h>

#include "CBelayShim.h"

// Whether there is room for two more places, watched or not.
static bool has_places(const belay_thread *thread) {
  return BELAY_OWN_LOAD(&thread->entered) + 2 <= thread->places;
}

static void grow(belay_thread *thread) {
  uint32_t room = thread->places * 2;
  // Another thread may be reading the old places at any later time, so they are never freed. The
  // word in front of the new ones is their address.
  const void **memory = calloc(room + 1, sizeof *memory);
  if (!memory) belay_shim_out_of_memory((room + 1) * sizeof *memory);
  memory[0] = thread->calling;
  memcpy(memory + 1, thread->calling, BELAY_OWN_LOAD(&thread->entered) * sizeof *memory);
  BELAY_ATOMIC_STORE(&thread->calling, memory + 1, releasing);
  thread->places = room;
}

void belay_shim_add_places(belay_thread *thread) {
  if (!has_places(thread)) grow(thread);
  // A call that is not refused may have taken more places. That allows no further sends.
  uint32_t room = thread->places < thread->most ? thread->places : thread->most;
  if (belay_shim_watches_sends()) room = 0;
  __atomic_store_n(&thread->room, room, __ATOMIC_RELAXED);
}

bool belay_shim_make_places(belay_thread *thread) {
  if (belay_shim_has_places(thread)) return true;
  if (BELAY_OWN_LOAD(&thread->entered) + 2 > thread->most) return false;
  belay_shim_add_places(thread);
  return true;
}

void belay_shim_heed(belay_thread *thread) {
  bool is_outside = BELAY_OWN_LOAD(&thread->entered) == 0;
  if (is_outside) thread->noted_here = 0;
  if (!BELAY_ATOMIC_LOAD(&thread->noted, relaxed)) return;
  // The order matters: a note that comes between the load and the store is not lost, because of the
  // fence. This thread sees what was stored before the note, and the thread that noted sees what
  // this thread has left.
  if (is_outside) BELAY_ATOMIC_STORE(&thread->noted, 0, relaxed);
  belay_shim_fence();
}

void belay_shim_note_all(void) {
  belay_thread *thread = BELAY_ATOMIC_LOAD(&belay_shim_threads, acquiring);
  for (; thread; thread = thread->next)
    BELAY_ATOMIC_STORE(&thread->noted, 1, releasing);
  belay_shim_barrier();
}

belay_thread *belay_shim_caller(const void *called, belay_thread *before) {
  belay_thread *thread = before ? before->next : BELAY_ATOMIC_LOAD(&belay_shim_threads, acquiring);
  for (; thread; thread = thread->next) {
    // Read in this order, so that there are at least as many places as `entered` says.
    uint32_t entered = BELAY_ATOMIC_LOAD(&thread->entered, acquiring);
    const void **calling = BELAY_ATOMIC_LOAD(&thread->calling, acquiring);
    for (uint32_t place = 0; place < entered; place++) {
      uintptr_t found = (uintptr_t)BELAY_ATOMIC_LOAD(&calling[place], acquiring);
      if ((found & ~(uintptr_t)1) == (uintptr_t)called) return thread;
    }
  }
  return NULL;
}
