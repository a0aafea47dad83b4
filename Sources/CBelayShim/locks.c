// Sleeping until a lock is free that is freed by a plain store: see AsymmetricLock.swift.
#include <limits.h>

#include "CBelayShim.h"

uint32_t belay_shim_awaited[belay_shim_lock_places];

void belay_shim_announce_wait(const void *lock) {
  BELAY_ATOMIC_STORE(belay_shim_awaited_place(lock), 1, relaxed);
  belay_shim_barrier();
}

void belay_shim_wait_for_lock(const void *lock) {
  belay_shim_wait(belay_shim_awaited_place(lock), 1, -1);
}

void belay_shim_tell_free(const void *lock) {
  uint32_t *place = belay_shim_awaited_place(lock);
  BELAY_ATOMIC_STORE(place, 0, relaxed);
  // Some of the threads may wait for another lock with the same place. A thread that waits on
  // announces it again.
  belay_shim_wake(place, INT_MAX);
}

void belay_shim_wait_awake(const void *lock) {
#ifdef BELAY_EXPLORE
  (void)lock;
#else
  // Longer than putting a message into a mailbox takes, and shorter than falling asleep.
  const uint32_t *word = lock;
  for (int turn = 0; turn < 64 && __atomic_load_n(word, __ATOMIC_RELAXED) != 0; turn++) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
    __asm__ volatile("yield");
#endif
  }
#endif
}
