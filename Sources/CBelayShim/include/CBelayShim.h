// What Swift lacks here: a thread's record in a fast thread-local, futexes, membarrier, clocks.
#ifndef CBELAYSHIM_H
#define CBELAYSHIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "explore.h"

enum {
  belay_shim_live_kinds = 16,
  belay_shim_first_places = 16,
  // No value is sent when as many are taken, two for each value that another one is sent inside of:
  // that takes stack.
  belay_shim_most_places = 2048
};

// One for each thread that has met Belay. Pointers are Swift objects; see Runtime/Thread.swift.
typedef struct belay_batch {
  int64_t depth;  // how many begins have had no end; 0: none is in progress
  void *waiting;  // for its end; retained, NULL for nobody
} belay_batch;

// Ends inside of ends: see NestedEnds.swift.
typedef struct belay_ends {
  uint32_t depth;
  void *waiting;  // retained, NULL for nothing
} belay_ends;

// What nobody but the thread reads or writes. For Swift, changing a field of what a pointer points to
// is an access to the whole, so what others read is kept apart.
typedef struct belay_own {
  void *home;
  void *scheduler;  // whose work is running, borrowed
  void *trampoline;
  belay_batch batch;  // in progress
  belay_ends ends;
  uint32_t connects;  // that are in progress, one inside the other
  void *taken_failure;  // the one taken last
} belay_own;

typedef struct belay_thread {
  uint64_t id;  // never used again
  belay_own own;
  int64_t live[belay_shim_live_kinds];
  // What it is calling, the outermost first; NULL in places that are not in use. One more than the
  // address: what it is starting. Others read it: see Delivery.swift.
  const void **calling;
  uint32_t entered, room;  // places in use, and those that there are
  // Something that may be among them was closed: by this thread, by another one. Looked at together.
  _Alignas(8) uint32_t noted_here;
  uint32_t noted;
  uint32_t is_ended;
  const void *first_places[belay_shim_first_places];
  struct belay_thread *next;
} belay_thread;

#define BELAY_HIDDEN __attribute__((visibility("hidden")))
// Also where the compiler, which builds for size, would rather call it.
#define BELAY_INLINE static inline __attribute__((always_inline))

// initial-exec: read with one instruction, where the default model is a call.
extern BELAY_HIDDEN __thread uint64_t belay_shim_current_id
    __attribute__((tls_model("initial-exec")));
extern BELAY_HIDDEN __thread belay_thread *belay_shim_current
    __attribute__((tls_model("initial-exec")));

// The first failure that nobody took: beside the record, for it is looked at in every delivery.
extern BELAY_HIDDEN __thread void *belay_shim_failure __attribute__((tls_model("initial-exec")));

BELAY_HIDDEN belay_thread *belay_shim_make_thread(void);

BELAY_INLINE void *belay_shim_get_failure(void) { return belay_shim_failure; }
static inline void belay_shim_set_failure(void *failure) { belay_shim_failure = failure; }

// 0 for a thread that has no record yet, which no home has.
static inline uint64_t belay_shim_thread_id(void) { return belay_shim_current_id; }

static inline belay_thread *belay_shim_thread(void) {
  belay_thread *thread = belay_shim_current;
  return __builtin_expect(thread != 0, 1) ? thread : belay_shim_make_thread();
}

static inline belay_own *belay_shim_own(belay_thread *thread) { return &thread->own; }

// The same if the calling thread is the one of that id, which has a record then; else NULL.
BELAY_INLINE belay_thread *belay_shim_thread_if(uint64_t id) {
  belay_thread *thread = belay_shim_current;
  return thread && thread->id == id ? thread : NULL;
}

// Nothing between the two is a point at which the calling thread can be cancelled.
BELAY_HIDDEN int belay_shim_hold_cancellation(void);
BELAY_HIDDEN void belay_shim_allow_cancellation(int state);

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
// A fence of this thread and, for its sake, of every other one of the process.
BELAY_HIDDEN void belay_shim_barrier(void);
#ifdef BELAY_EXPLORE
BELAY_HIDDEN void belay_shim_fence(void);
#else
static inline void belay_shim_fence(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
#endif

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

// Whether an object of Embedded Swift's has one reference; whoever has it is alone with the object.
BELAY_HIDDEN bool belay_shim_has_one_reference(const void *object);

// ---- deliveries: what a thread calls, published without a fence ----
BELAY_HIDDEN void belay_shim_add_places(belay_thread *thread);

// Whether there are two places more.
BELAY_INLINE bool belay_shim_has_places(const belay_thread *thread) {
  return BELAY_OWN_LOAD(&thread->entered) + 2 <= thread->room;
}

// Sees to two places more for what is sent; false when it is sent inside of too much.
BELAY_HIDDEN bool belay_shim_make_places(belay_thread *thread);

// Takes the next two places, which there are.
BELAY_INLINE uint32_t belay_shim_enter_two(belay_thread *thread) {
  uint32_t place = BELAY_OWN_LOAD(&thread->entered);
  BELAY_ATOMIC_STORE(&thread->entered, place + 2, relaxed);
  return place;
}

// Takes the next place.
static inline uint32_t belay_shim_begin_delivery(belay_thread *thread) {
  if (__builtin_expect(!belay_shim_has_places(thread), 0)) belay_shim_add_places(thread);
  uint32_t place = BELAY_OWN_LOAD(&thread->entered);
  BELAY_ATOMIC_STORE(&thread->entered, place + 1, relaxed);
  return place;
}

// For the compiler, the store comes before whatever follows. For other threads it is
// belay_shim_note_all() that sees to it.
static inline void belay_shim_publish(belay_thread *thread, uint32_t place, const void *called) {
  BELAY_ATOMIC_STORE(&thread->calling[place], called, relaxed);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

// Takes back what was published; answers whether something was noted.
static inline bool belay_shim_withdraw(belay_thread *thread, uint32_t place) {
  BELAY_ATOMIC_STORE(&thread->calling[place], (const void *)0, releasing);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
#ifdef BELAY_EXPLORE
  return thread->noted_here || BELAY_ATOMIC_LOAD(&thread->noted, relaxed);
#else
  return __atomic_load_n((const uint64_t *)(const void *)&thread->noted_here,
                         __ATOMIC_RELAXED) != 0;
#endif
}

// The same, and gives the place back.
static inline bool belay_shim_end_delivery(belay_thread *thread, uint32_t place) {
  bool is_noted = belay_shim_withdraw(thread, place);
  // Whoever finds the place given back sees what was done in it.
  BELAY_ATOMIC_STORE(&thread->entered, place, releasing);
  return is_noted;
}

// Whether the calling thread, whose record it is, is calling `called`.
static inline bool belay_shim_calls(const belay_thread *thread, const void *called) {
  uint32_t entered = BELAY_OWN_LOAD(&thread->entered);
  for (uint32_t place = entered; place > 0; place--)
    if (BELAY_ATOMIC_LOAD(&thread->calling[place - 1], relaxed) == called) return true;
  return false;
}

static inline void belay_shim_note_here(belay_thread *thread) { thread->noted_here = 1; }

static inline uint64_t belay_shim_id(const belay_thread *thread) {
  return BELAY_ATOMIC_LOAD(&thread->id, relaxed);
}

// The calling thread has left something, and is about to look after it. Forgets what was noted, if it
// is in nothing any more.
BELAY_HIDDEN void belay_shim_heed(belay_thread *thread);
// All records, also of threads that have ended: they are only ever added, so that the list can be
// walked without a lock.
extern BELAY_HIDDEN belay_thread *belay_shim_threads;
// Notes in all records, then belay_shim_barrier().
BELAY_HIDDEN void belay_shim_note_all(void);
// The first thread behind `before` (NULL: of all) that is calling or starting `called`, or NULL.
BELAY_HIDDEN belay_thread *belay_shim_caller(const void *called, belay_thread *before);

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
// The same for references.c, whose compiler may not know that convention. References.swift of the last
// module has it: no other module's code is linked.
void object_destroy(void *object);

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

// ---- waiting for a lock that is freed by a store: see AsymmetricLock.swift ----
// Whether somebody sleeps until a lock at such an address is free. Not in the lock, which may be gone
// when whoever has freed it looks here.
enum {
#ifdef BELAY_EXPLORE
  belay_shim_lock_places = 1,  // what the addresses are is all the same then
#else
  belay_shim_lock_places = 64,
#endif
};
extern BELAY_HIDDEN uint32_t belay_shim_awaited[belay_shim_lock_places];
BELAY_INLINE uint32_t *belay_shim_awaited_place(const void *lock) {
  return &belay_shim_awaited[(uintptr_t)lock / 16 % belay_shim_lock_places];
}

// After the store that has freed the lock: for the compiler. For other threads it is
// belay_shim_announce_wait() that sees to it.
BELAY_INLINE bool belay_shim_is_awaited(const void *lock) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  return BELAY_ATOMIC_LOAD(belay_shim_awaited_place(lock), relaxed) != 0;
}

// Whoever frees the lock from now on sees that it is awaited; if one has freed it before, this
// thread sees that afterwards.
BELAY_HIDDEN void belay_shim_announce_wait(const void *lock);
// Sleeps until somebody has freed it since.
BELAY_HIDDEN void belay_shim_wait_for_lock(const void *lock);
// Wakes those who sleep.
BELAY_HIDDEN void belay_shim_tell_free(const void *lock);
// Waits a moment, but not asleep, for the lock's word to be 0.
BELAY_HIDDEN void belay_shim_wait_awake(const void *lock);

#ifdef BELAY_EXPLORE
// The system's own, behind the steps; and a step at a count of references.
BELAY_HIDDEN void belay_shim_system_barrier(void);
BELAY_HIDDEN bool belay_shim_system_wait(const void *word, uint32_t expected, int64_t nanoseconds);
BELAY_HIDDEN void belay_shim_system_wake(const void *word, int count);
BELAY_HIDDEN uint64_t belay_shim_count_step(belay_explore_kind kind, belay_explore_order order,
                                            void *count, uint64_t operand);
#endif

// ---- memory ----
// Ends the process with a line on stderr that says why.
BELAY_HIDDEN _Noreturn void belay_shim_out_of_memory(size_t size);
// C's own `free`, which stays where it is when this library is unloaded.
typedef void (*belay_free_function)(void *block);
BELAY_HIDDEN belay_free_function belay_shim_system_free(void);

// Whether `count` times `size` bytes can be had, which a caller of ours asks for.
BELAY_HIDDEN bool belay_shim_has_room(size_t count, size_t size);

// ---- clocks, output ----
BELAY_HIDDEN int64_t belay_shim_monotonic(void);
// The same as it was at the system's last tick.
BELAY_HIDDEN int64_t belay_shim_coarse(void);
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
