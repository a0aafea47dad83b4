// In the explorer's build, each step of a protocol between threads is handed to an engine. The
// engine performs the step and decides which thread goes on. Without an engine, a step is what it
// is in other builds. See "The explorer" in docs/architecture.md.
#ifndef CBELAYSHIM_EXPLORE_H
#define CBELAYSHIM_EXPLORE_H

// The atomics of the shim and of its inline functions. They are steps in the explorer's build, and
// the compiler's own atomics elsewhere. The word is an integer or a pointer; `order` is relaxed,
// acquiring or releasing.
#ifndef BELAY_EXPLORE

#define BELAY_ATOMIC_LOAD(word, order) __atomic_load_n(word, BELAY_ORDER_##order)
#define BELAY_ATOMIC_STORE(word, value, order) __atomic_store_n(word, value, BELAY_ORDER_##order)
// For a word that only the thread itself writes. The compiler need not read it twice.
#define BELAY_OWN_LOAD(word) (*(word))
// For a word that asks for another way. When it is seen makes no difference, so it is no step.
#define BELAY_HINT_LOAD(word) __atomic_load_n(word, __ATOMIC_RELAXED)
#define BELAY_ORDER_relaxed __ATOMIC_RELAXED
#define BELAY_ORDER_acquiring __ATOMIC_ACQUIRE
#define BELAY_ORDER_releasing __ATOMIC_RELEASE

#else

#define BELAY_ATOMIC_LOAD(word, order)                   \
  ((__typeof__(*(word)))(uintptr_t)belay_explore_atomic( \
      belay_explore_load, belay_explore_##order, word, sizeof *(word), 0, __FILE__, __LINE__))
#define BELAY_OWN_LOAD(word) BELAY_ATOMIC_LOAD(word, relaxed)
#define BELAY_HINT_LOAD(word) (*(word))
#define BELAY_ATOMIC_STORE(word, value, order)                                                  \
  ((void)belay_explore_atomic(belay_explore_store, belay_explore_##order, word, sizeof *(word), \
                              (uint64_t)(value), __FILE__, __LINE__))

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum belay_explore_kind {
  belay_explore_load,
  belay_explore_store,
  belay_explore_exchange,
  belay_explore_add,
  belay_explore_subtract,
  belay_explore_or,
  belay_explore_and,
  belay_explore_xor,
  belay_explore_max,
  belay_explore_min,
  belay_explore_compare_exchange,  // answers the former value
  belay_explore_fence,
  belay_explore_barrier,  // a fence of every thread
  belay_explore_wait,     // answers 0 when the time is up
  belay_explore_wake,
} belay_explore_kind;

typedef enum belay_explore_order {
  belay_explore_relaxed,
  belay_explore_acquiring,
  belay_explore_releasing,
  belay_explore_acquiring_and_releasing,
  belay_explore_sequentially_consistent,
} belay_explore_order;

typedef struct belay_explore_step {
  belay_explore_kind kind;
  belay_explore_order order;
  int size;       // of the word, in bytes
  bool isSigned;  // for max and min
  bool isCount;   // the word is an object's reference count
  void *word;
  uint64_t operand;   // for a wait: the value the word must have; for a wake: how many threads
  uint64_t expected;  // for a compare_exchange
  int64_t limit;      // of a wait, in nanoseconds; negative: none
  const char *file;   // NULL for a step of the shim
  int line;
} belay_explore_step;

// Decides which thread goes on, and where memory comes from. `step` also performs the step.
typedef struct belay_explore_engine {
  uint64_t (*step)(const belay_explore_step *step);
  void *(*allocate)(size_t size);
  void (*release)(void *block);
} belay_explore_engine;

// The thread-locals of a thread. An engine that runs its threads on one system thread swaps them.
typedef struct belay_explore_current {
  uint64_t id;
  void *record, *failure;
} belay_explore_current;

// Faults that the explorer must find when they are switched on.
typedef enum belay_explore_fault {
  belay_explore_raise_before_claim,
  belay_explore_fence_for_itself,  // a barrier fences the calling thread only
  belay_explore_fault_count,
} belay_explore_fault;

#define BELAY_EXPLORED __attribute__((visibility("default")))

BELAY_EXPLORED extern const belay_explore_engine *belay_explore_engine_in_use;
BELAY_EXPLORED extern bool belay_explore_is_alone;  // what belay_shim_is_alone() answers
BELAY_EXPLORED extern bool belay_explore_faults[belay_explore_fault_count];
static inline bool belay_explore_has_fault(belay_explore_fault fault) {
  return belay_explore_faults[fault];
}
BELAY_EXPLORED void belay_explore_swap_current(belay_explore_current *current);
// Ends the calling thread: releases its record.
BELAY_EXPLORED void belay_explore_end_thread(void);
// Performs a step at once.
BELAY_EXPLORED uint64_t belay_explore_perform(const belay_explore_step *step);

__attribute__((visibility("hidden"))) uint64_t belay_explore_take(belay_explore_step step);

// The lock of the list of threads.
__attribute__((visibility("hidden"))) void belay_explore_acquire(uint32_t *word);
__attribute__((visibility("hidden"))) void belay_explore_release(uint32_t *word);

static inline uint64_t belay_explore_atomic(belay_explore_kind kind, belay_explore_order order,
                                            const void *word, int size, uint64_t operand,
                                            const char *file, int line) {
  return belay_explore_take((belay_explore_step){.kind = kind,
                                                 .order = order,
                                                 .size = size,
                                                 .word = (void *)word,
                                                 .operand = operand,
                                                 .file = file,
                                                 .line = line});
}

#endif
#endif
