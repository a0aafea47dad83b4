// What Swift lacks here: a thread's record in a fast thread-local, futexes, membarrier, clocks.
#ifndef CBELAYSHIM_H
#define CBELAYSHIM_H

#include <stdbool.h>
#include <stdint.h>

#include "explore.h"

enum { belay_shim_live_kinds = 16 };

// One for each thread that has met Belay. Pointers are Swift objects; see Runtime/Thread.swift.
typedef struct belay_burst {
  int64_t depth;  // how many begins have had no end; 0: none is in progress
  void *waiting;  // for its end; retained, NULL for nobody
} belay_burst;

typedef struct belay_thread {
  uint64_t id;  // never used again
  void *home;
  void *scheduler;  // whose work is running, borrowed
  void *trampoline;
  belay_burst burst;  // in progress
  void *taken_failure;  // the one taken last
  int64_t live[belay_shim_live_kinds];
  struct belay_thread *next, **link;
} belay_thread;

#define BELAY_HIDDEN __attribute__((visibility("hidden")))

// initial-exec: read with one instruction, where the default model is a call.
extern BELAY_HIDDEN __thread uint64_t belay_shim_current_id
    __attribute__((tls_model("initial-exec")));
extern BELAY_HIDDEN __thread belay_thread *belay_shim_current
    __attribute__((tls_model("initial-exec")));

// The first failure that nobody took: beside the record, for it is looked at in every delivery.
extern BELAY_HIDDEN __thread void *belay_shim_failure __attribute__((tls_model("initial-exec")));

BELAY_HIDDEN belay_thread *belay_shim_make_thread(void);

static inline void *belay_shim_get_failure(void) { return belay_shim_failure; }
static inline void belay_shim_set_failure(void *failure) { belay_shim_failure = failure; }

// 0 for a thread that has no record yet, which no home has.
static inline uint64_t belay_shim_thread_id(void) { return belay_shim_current_id; }

static inline belay_thread *belay_shim_thread(void) {
  belay_thread *thread = belay_shim_current;
  return __builtin_expect(thread != 0, 1) ? thread : belay_shim_make_thread();
}

// Nobody is going to join it.
BELAY_HIDDEN void belay_shim_detach_thread(unsigned long thread);

// Called with a thread's record when the thread ends, to release what it holds.
BELAY_HIDDEN void belay_shim_on_thread_end(void (*hook)(belay_thread *));

// ---- live counts: plain stores by their own thread, summed by whoever asks ----
// Also for a thread that has no record yet.
BELAY_HIDDEN void belay_shim_count_first(int kind, int64_t change);
static inline void belay_shim_count_live(int kind, int64_t change) {
  belay_thread *thread = belay_shim_current;
  // A call at the end, so that nothing need be saved before.
  if (__builtin_expect(!thread, 0)) return belay_shim_count_first(kind, change);
  int64_t *count = &thread->live[kind];
  __atomic_store_n(count, __atomic_load_n(count, __ATOMIC_RELAXED) + change, __ATOMIC_RELAXED);
}
BELAY_HIDDEN int64_t belay_shim_live(int kind);

// ---- the asymmetric barrier ----
// The emitter orders its store of "running" before its load of the flags for the compiler only;
// who sets a flag issues belay_shim_barrier(), which fences every other thread. Where the kernel
// has no membarrier, the emitter fences as well.
// Not a Swift global: each look at one that is computed is an atomic exchange.
extern BELAY_HIDDEN bool belay_shim_lacks_membarrier;
static inline bool belay_shim_emitter_must_fence(void) { return belay_shim_lacks_membarrier; }
BELAY_HIDDEN void belay_shim_fence(void);
BELAY_HIDDEN void belay_shim_barrier(void);
static inline void belay_shim_compiler_barrier(void) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }

// ---- alone ----
// Whether the process has one thread, so that nothing need be atomic (libstdc++ asks the same).
#ifdef BELAY_EXPLORE
static inline bool belay_shim_is_alone(void) { return belay_explore_is_alone; }
#elif __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
static inline bool belay_shim_is_alone(void) { return __libc_single_threaded; }
#else
static inline bool belay_shim_is_alone(void) { return false; }
#endif

// ---- references ----
// The runtime's own, but for references.c.
extern void swift_release(void *object);
static inline void belay_shim_release(void *object) { swift_release(object); }

// Another one to an Embedded object that no other thread knows yet.
static inline void belay_shim_retain_unshared(void *object) { ((intptr_t *)object)[1]++; }

#ifdef __clang__
// Calls the destroyer in an Embedded Swift object's metadata. For Swift, whose convention it is.
static inline void belay_shim_destroy(void *object) {
  typedef void __attribute__((swiftcall)) (*destroyer)(__attribute__((swift_context)) void *);
  (*(destroyer **)object)[1](object);
}
#endif

// ---- a chain's callbacks; a value is two words to them, as it is to the host ----
typedef struct belay_words {
  uint64_t payload, tag;
} belay_words;
typedef belay_words (*belay_map_step)(void *ctx, belay_words value);
typedef int (*belay_filter_step)(void *ctx, belay_words value);

// ---- futexes, on a 32-bit word ----
// Sleeps while *word == expected; nanoseconds < 0: without limit. False when time ran out.
BELAY_HIDDEN bool belay_shim_wait(const void *word, uint32_t expected, int64_t nanoseconds);
BELAY_HIDDEN void belay_shim_wake(const void *word, int count);

#ifdef BELAY_EXPLORE
// The system's own, behind the steps; and a step at a count of references.
BELAY_HIDDEN void belay_shim_system_barrier(void);
BELAY_HIDDEN bool belay_shim_system_wait(const void *word, uint32_t expected, int64_t nanoseconds);
BELAY_HIDDEN void belay_shim_system_wake(const void *word, int count);
BELAY_HIDDEN uint64_t belay_shim_count_step(belay_explore_kind kind, belay_explore_order order,
                                            void *count, uint64_t operand);
#endif

// ---- clocks, memory, output ----
BELAY_HIDDEN int64_t belay_shim_monotonic(void);
BELAY_HIDDEN void belay_shim_print_error(const char *text);
// With a point in every locale, and at least one digit behind it or an exponent. `digits` is what
// the type always has: 6 for a float, 15 for a double.
BELAY_HIDDEN void belay_shim_print_double(double number, int digits, char text[32]);
// Raises SIGTRAP on this thread.
BELAY_HIDDEN void belay_shim_trap(void);

// ---- slots of class tables, whose function destroys an object ----
typedef void (*belay_shim_destroy_fn)(void *object);
typedef void (*belay_shim_wrapper)(void *object, belay_shim_destroy_fn original);
// Puts a function into the slot that calls `wrapper` with the original; once a slot. 0, or a
// negative code: see AdoptedOwners.swift. There is one wrapper.
BELAY_HIDDEN int belay_shim_wrap(belay_shim_destroy_fn *slot, belay_shim_wrapper wrapper);
// PROT_READ and the like for the memory there; 0 where there is none.
BELAY_HIDDEN int belay_shim_protection(uintptr_t address);

// ---- one descriptor for a loop: its backend, its next deadline, and a bell ----
typedef struct belay_pollable {
  int set, timer, bell;
} belay_pollable;
// The descriptor, or a negative errno.
BELAY_HIDDEN int belay_shim_open_pollable(belay_pollable *pollable, int backend);
BELAY_HIDDEN void belay_shim_close_pollable(belay_pollable *pollable);
// Readable after `nanoseconds`; 0: now; negative: when the backend is.
BELAY_HIDDEN void belay_shim_set_pollable(const belay_pollable *pollable, int64_t nanoseconds);

#endif
