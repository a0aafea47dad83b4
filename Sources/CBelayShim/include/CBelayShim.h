// The parts that Swift lacks: thread records behind a fast thread-local, futexes, membarrier,
// clocks.
#ifndef CBELAYSHIM_H
#define CBELAYSHIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "explore.h"
#include "probes.h"

enum {
  belay_shim_live_kinds = 16,
  belay_shim_live_closures = 11,  // Live.closures
  belay_shim_live_classes = 12,   // Live.classes
  belay_shim_first_places = 16,
  // A send is refused when this many places are taken, because nested sends take stack. A send
  // inside of another one takes two places.
  belay_shim_most_places = 2048,
  // An end or a disposal waits when this many are taken. It takes more stack than a send.
  belay_shim_deep_places = 1024
};

// The batch in progress on a thread; see Batch.swift. `void *` members of these structs are Swift
// objects.
typedef struct belay_batch {
  int64_t depth;  // how many `begin`s have had no `end`; 0: no batch is in progress
  void *waiting;  // messages for its end; retained, or NULL
} belay_batch;

// Nested ends; see NestedEnds.swift.
typedef struct belay_ends {
  uint32_t depth;
  void *waiting;  // messages for later; retained, or NULL
} belay_ends;

// A timer in a queue; see TimerQueue.swift.
typedef struct belay_timer {
  int64_t latest;     // when it must have run
  uint64_t sequence;  // how many were scheduled before
  void *work;         // retained; NULL: it has gone
} belay_timer;

// The part of a record that only its thread reads and writes. It is a struct of its own because,
// for Swift, changing a field is an access to the whole struct.
typedef struct belay_own {
  void *home;
  void *scheduler;  // the one whose work is running, borrowed
  void *trampoline;
  belay_batch batch;  // the one in progress
  belay_ends ends;
  uint32_t connects;    // how many are in progress, one inside the other
  void *taken_failure;  // the failure that was taken last
} belay_own;

// The record of a thread that has called Belay; see Runtime/Thread.swift.
typedef struct belay_thread {
  uint64_t id;  // never used again
  belay_own own;
  int64_t live[belay_shim_live_kinds];
  // The things that the thread is calling, the outermost first; NULL in places that are not in use.
  // If the lowest bit is set, the thread is starting it. Other threads read this: see
  // Delivery.swift.
  const void **calling;
  uint32_t entered;  // how many places are in use
  // How many places there are; 0 while sends are watched (belay_shim_watch_sends), so that they go
  // the slow way. Other threads write that 0.
  uint32_t room;
  // Whether something that the thread is calling may have been closed: by this thread, or by
  // another one. The two words are read together.
  _Alignas(8) uint32_t noted_here;
  uint32_t noted;
  uint32_t is_ended;
  const void *first_places[belay_shim_first_places];
  struct belay_thread *next;
  uint32_t places;  // how many places there are
  uint32_t most;    // how many of them sends may take
  bool reports_slow;  // whether it is in the hook for slow callbacks
  // How long all callbacks took that were timed, each without those inside of it.
  int64_t timed;
} belay_thread;

#define BELAY_HIDDEN __attribute__((visibility("hidden")))
// Forces inlining, because the compiler optimises for size.
#define BELAY_INLINE static inline __attribute__((always_inline))

// initial-exec: one instruction reads the variable, where the default model calls a function.
extern BELAY_HIDDEN __thread uint64_t belay_shim_current_id
    __attribute__((tls_model("initial-exec")));
extern BELAY_HIDDEN __thread belay_thread *belay_shim_current
    __attribute__((tls_model("initial-exec")));

// The last failure. It is not in the record, because every delivery looks at it.
extern BELAY_HIDDEN __thread void *belay_shim_failure __attribute__((tls_model("initial-exec")));

BELAY_HIDDEN belay_thread *belay_shim_make_thread(void);

BELAY_INLINE void *belay_shim_get_failure(void) { return belay_shim_failure; }
static inline void belay_shim_set_failure(void *failure) { belay_shim_failure = failure; }

// 0 for a thread without a record; no home has that id.
static inline uint64_t belay_shim_thread_id(void) { return belay_shim_current_id; }

static inline belay_thread *belay_shim_thread(void) {
  belay_thread *thread = belay_shim_current;
  return __builtin_expect(thread != 0, 1) ? thread : belay_shim_make_thread();
}

static inline belay_own *belay_shim_own(belay_thread *thread) { return &thread->own; }

// The calling thread's record, if its id is `id`; otherwise NULL.
BELAY_INLINE belay_thread *belay_shim_thread_if(uint64_t id) {
  belay_thread *thread = belay_shim_current;
  return thread && thread->id == id ? thread : NULL;
}

// Between the two calls, the calling thread cannot be cancelled.
BELAY_HIDDEN int belay_shim_hold_cancellation(void);
BELAY_HIDDEN void belay_shim_allow_cancellation(int state);

// Blocks the POSIX signals of the calling thread but those of faults and of profilers, and returns those that were
// blocked before. A thread that is made meanwhile begins with them blocked.
BELAY_HIDDEN uint64_t belay_shim_block_signals(void);
// Restores what belay_shim_block_signals() returned.
BELAY_HIDDEN void belay_shim_restore_signals(uint64_t before);

// Gives the calling thread a nice value, if that is not 0, and a name, of which the kernel keeps 15 bytes. NULL is a
// name of Belay's. Answers 0 or a negative errno.
BELAY_HIDDEN int belay_shim_describe_thread(const char *name, int nice);

// Detaches a thread that will not be joined.
BELAY_HIDDEN void belay_shim_detach_thread(unsigned long thread);

// `hook` is called with a thread's record when the thread ends, to release what the record holds.
BELAY_HIDDEN void belay_shim_on_thread_end(void (*hook)(belay_thread *));

// `hook` is called in each child of fork(), on its only thread.
BELAY_HIDDEN void belay_shim_in_children(void (*hook)(void));

// ---- live counts: each thread stores its own, and a reader sums them up ----
// `count_first` is for a thread without a record.
BELAY_HIDDEN void belay_shim_count_first(int kind, int64_t change);
static inline void belay_shim_count_live(int kind, int64_t change) {
  belay_thread *thread = belay_shim_current;
  // A tail call, so that no registers need saving before.
  if (__builtin_expect(!thread, 0)) return belay_shim_count_first(kind, change);
  int64_t *count = &thread->live[kind];
  __atomic_store_n(count, __atomic_load_n(count, __ATOMIC_RELAXED) + change, __ATOMIC_RELAXED);
}
BELAY_HIDDEN int64_t belay_shim_live(int kind);

// ---- the asymmetric barrier ----
// Acts as a fence of this thread and of every other thread of the process.
BELAY_HIDDEN void belay_shim_barrier(void);
#ifdef BELAY_EXPLORE
BELAY_HIDDEN void belay_shim_fence(void);
#else
static inline void belay_shim_fence(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
#endif

// ---- one thread ----
// Whether the process has one thread, so that atomics are not needed. (libstdc++ asks the same.)
#ifdef BELAY_EXPLORE
static inline bool belay_shim_is_alone(void) { return belay_explore_is_alone; }
#elif __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
static inline bool belay_shim_is_alone(void) { return __libc_single_threaded; }
#else
static inline bool belay_shim_is_alone(void) { return false; }
#endif

// Whether an object of Embedded Swift has one reference, so that only the caller can reach it.
BELAY_HIDDEN bool belay_shim_has_one_reference(const void *object);

// ---- deliveries: what a thread calls, published without a fence ----
BELAY_HIDDEN void belay_shim_add_places(belay_thread *thread);

// Whether there is room for two more places.
BELAY_INLINE bool belay_shim_has_places(const belay_thread *thread) {
  return BELAY_OWN_LOAD(&thread->entered) + 2 <= BELAY_HINT_LOAD(&thread->room);
}

// Whether an end or a disposal must wait, because it would be nested too deeply.
BELAY_INLINE bool belay_shim_is_deep(const belay_thread *thread) {
  return BELAY_OWN_LOAD(&thread->entered) >= belay_shim_deep_places;
}

// Makes room for two more places for a send. False when too many sends are nested.
BELAY_HIDDEN bool belay_shim_make_places(belay_thread *thread);

// Takes the next two places. The caller has made room.
BELAY_INLINE uint32_t belay_shim_enter_two(belay_thread *thread) {
  uint32_t place = BELAY_OWN_LOAD(&thread->entered);
  BELAY_ATOMIC_STORE(&thread->entered, place + 2, relaxed);
  return place;
}

// Takes the next place, and makes room if necessary.
static inline uint32_t belay_shim_begin_delivery(belay_thread *thread) {
  if (__builtin_expect(!belay_shim_has_places(thread), 0)) belay_shim_add_places(thread);
  uint32_t place = BELAY_OWN_LOAD(&thread->entered);
  BELAY_ATOMIC_STORE(&thread->entered, place + 1, relaxed);
  return place;
}

// The fence orders the store for the compiler only. For other threads belay_shim_note_all() orders
// it.
static inline void belay_shim_publish(belay_thread *thread, uint32_t place, const void *called) {
  BELAY_ATOMIC_STORE(&thread->calling[place], called, relaxed);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

// Clears the place. Answers whether something was noted.
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
  // A thread that finds the place given back must see what was done in it.
  BELAY_ATOMIC_STORE(&thread->entered, place, releasing);
  return is_noted;
}

// Whether the calling thread, which has the record `thread`, is calling `called`.
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

// Called when the calling thread has left something, before it looks after what was left to it.
// Clears the notes if the thread is inside of nothing any more.
BELAY_HIDDEN void belay_shim_heed(belay_thread *thread);
// All records, also those of threads that have ended. Records are only ever added, so the list can
// be walked without a lock.
extern BELAY_HIDDEN belay_thread *belay_shim_threads;
// Notes in all records, then calls belay_shim_barrier().
BELAY_HIDDEN void belay_shim_note_all(void);
// The first thread behind `before` (NULL: of all) that is calling or starting `called`, or NULL.
BELAY_HIDDEN belay_thread *belay_shim_caller(const void *called, belay_thread *before);

// ---- references ----
// The runtime's function, or the one in references.c.
extern void swift_release(void *object);
static inline void belay_shim_release(void *object) { swift_release(object); }

// Retains an Embedded object that no other thread knows yet.
static inline void belay_shim_retain_unshared(void *object) { ((intptr_t *)object)[1]++; }

#ifdef __clang__
// Calls the destroyer in an Embedded object's metadata, which has Swift's calling convention.
static inline void belay_shim_destroy(void *object) {
  typedef void __attribute__((swiftcall)) (*destroyer)(__attribute__((swift_context)) void *);
  (*(destroyer **)object)[1](object);
}
#endif
// The same for references.c, whose compiler may not know that convention. References.swift of the last
// module has it: no other module's code is linked.
void object_destroy(void *object);

// ---- the callbacks of a chain; they take a value as two words, as the host passes it ----
typedef struct belay_words {
  uint64_t payload, tag;
} belay_words;
typedef belay_words (*belay_map_step)(void *ctx, belay_words value);
typedef int (*belay_filter_step)(void *ctx, belay_words value);

// ---- futexes, on a 32-bit word ----
// Sleeps while *word == expected; nanoseconds < 0: without limit. False when the time is up.
BELAY_HIDDEN bool belay_shim_wait(const void *word, uint32_t expected, int64_t nanoseconds);
BELAY_HIDDEN void belay_shim_wake(const void *word, int count);
// Lets the threads run that are ready.
BELAY_HIDDEN void belay_shim_yield(void);

// How many messages of others a thread delivers before it offers its place to them: see Stint.swift.
enum {
#ifdef BELAY_EXPLORE
  belay_shim_stint = 1
#else
  belay_shim_stint = 64
#endif
};

// ---- waiting for a lock that is freed by a plain store: see AsymmetricLock.swift ----
// Whether a thread waits for a lock whose address has this place. The word is not in the lock,
// because the lock may be gone when the thread that has freed it looks here.
enum {
#ifdef BELAY_EXPLORE
  belay_shim_lock_places = 1,  // so that the schedules do not depend on addresses
#else
  belay_shim_lock_places = 64,
#endif
};
extern BELAY_HIDDEN uint32_t belay_shim_awaited[belay_shim_lock_places];
BELAY_INLINE uint32_t *belay_shim_awaited_place(const void *lock) {
  return &belay_shim_awaited[(uintptr_t)lock / 16 % belay_shim_lock_places];
}

// Called after the store that has freed the lock. The fence orders this for the compiler only; for
// other threads belay_shim_announce_wait() orders it.
BELAY_INLINE bool belay_shim_is_awaited(const void *lock) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  return BELAY_ATOMIC_LOAD(belay_shim_awaited_place(lock), relaxed) != 0;
}

// After this, a thread that frees the lock sees that it is awaited. If a thread has freed it
// before, the caller sees that.
BELAY_HIDDEN void belay_shim_announce_wait(const void *lock);
// Sleeps until a thread has freed a lock with this place.
BELAY_HIDDEN void belay_shim_wait_for_lock(const void *lock);
// Wakes the threads that sleep.
BELAY_HIDDEN void belay_shim_tell_free(const void *lock);
// Spins for a moment while the lock's word is not 0.
BELAY_HIDDEN void belay_shim_wait_awake(const void *lock);

#ifdef BELAY_EXPLORE
// The system's own functions, without the steps; and a step at a reference count.
BELAY_HIDDEN void belay_shim_system_barrier(void);
BELAY_HIDDEN bool belay_shim_system_wait(const void *word, uint32_t expected, int64_t nanoseconds);
BELAY_HIDDEN void belay_shim_system_wake(const void *word, int count);
BELAY_HIDDEN uint64_t belay_shim_count_step(belay_explore_kind kind, belay_explore_order order,
                                            void *count, uint64_t operand);
#endif

// ---- memory ----
// Ends the process with a line on stderr that says why.
BELAY_HIDDEN _Noreturn void belay_shim_out_of_memory(size_t size);
// C's own `free`, which exists even after this library has been unloaded.
typedef void (*belay_free_function)(void *block);
BELAY_HIDDEN belay_free_function belay_shim_system_free(void);

// Whether `count` times `size` bytes, which a caller of Belay asks for, can be allocated.
BELAY_HIDDEN bool belay_shim_has_room(size_t count, size_t size);

// ---- watches of directories: inotify ----
// Each answers a negative error of errno's, or what the call of the system answers. A read answers 0
// where nothing is to be read.
BELAY_HIDDEN int belay_shim_watches_open(void);
BELAY_HIDDEN int belay_shim_watches_add(int fd, const char *path, uint32_t mask);
// Watches the directory to which `path` leads below `root`, unless a symbolic link is on that way. ENOSYS
// where there is no /proc.
BELAY_HIDDEN int belay_shim_watches_add_below(int fd, const char *root, const char *path,
                                              uint32_t mask);
BELAY_HIDDEN void belay_shim_watches_remove(int fd, int number);
// Sets `until_loss` if the events tell of a loss: how many bytes of events, with these, may be older than
// what was lost. The system puts its note where the loss began, and until the note is read it may take
// some of the later events and lose others.
BELAY_HIDDEN int64_t belay_shim_watches_read(int fd, void *room, size_t size,
                                             int64_t *until_loss);

// ---- blocking calls: they may block for as long as the system likes ----
// Starts a detached thread with a stack of that size. POSIX signals but those of faults and of profilers are
// blocked there. Answers 0 or a negative error.
BELAY_HIDDEN int belay_shim_start_thread(void (*run)(void *), void *argument, size_t stack);

// A call on a thread that has nothing else to do. A few are under way at once; others wait for them in
// the order in which they came. See "Lookups" in docs/architecture.md.
typedef struct belay_blocking_call {
  // Makes the call, and stores its `code`.
  void (*run)(struct belay_blocking_call *call);
  // Tells `owner` that the call is over, or that there is no thread for it. Called once at most, under
  // the lock of all calls: it must neither call anything of the host's nor end a call.
  void (*tell)(struct belay_blocking_call *call);
  // Frees it, under the same lock, when neither its thread nor its owner needs it any more.
  void (*drop)(struct belay_blocking_call *call);
  void *owner;
  struct belay_blocking_call *next, *previous;
  int32_t code;
  int32_t state;
  uint32_t generation;
} belay_blocking_call;
enum {
  belay_blocking_call_waiting,
  belay_blocking_call_under_way,
  belay_blocking_call_ended,
  belay_blocking_call_given_up,  // by its owner: its thread drops it
};
// Any thread may send a call, which is waiting.
BELAY_HIDDEN void belay_shim_send_blocking_call(belay_blocking_call *call);
// Called once by the owner, which does not need it any more. Answers whether `tell` has been called;
// otherwise it is not called any more.
BELAY_HIDDEN bool belay_shim_end_blocking_call(belay_blocking_call *call);

// ---- children ----
// Leaves a child to a thread of its own, which waits for its end. Sends it the signal `number` first,
// unless that is 0, and SIGKILL when it is still there after `grace` nanoseconds, unless these are
// negative. With `is_group` the signals go to its whole process group.
BELAY_HIDDEN void belay_shim_leave_child(int pid, bool is_group, int number, int64_t grace);
// Opens a descriptor that is readable when a child has ended, and that children do not inherit.
// Answers it or a negative error.
BELAY_HIDDEN int belay_shim_watch_child(int pid);
// Opens a descriptor that is readable when such a descriptor is ready, and each time that the
// system says so again, until `belay_shim_forget_changes`. Answers it or a negative error.
BELAY_HIDDEN int belay_shim_watch_changes(int child);
BELAY_HIDDEN void belay_shim_forget_changes(int set);
// Takes the status of a child, whose number is free then: the signal that has ended it, or 0, and
// 256 times its exit status. -EAGAIN: the child runs. -ECHILD: something else has taken the status.
BELAY_HIDDEN int belay_shim_take_child(int pid);
// Makes a pipe that children do not inherit: where it is read, and where it is written. Answers 0 or a
// negative error.
BELAY_HIDDEN int belay_shim_pipe(int *ends);

// ---- clocks, output ----
BELAY_HIDDEN int64_t belay_shim_monotonic(void);
// The time of the system's last tick.
BELAY_HIDDEN int64_t belay_shim_coarse(void);
BELAY_HIDDEN void belay_shim_print_error(const char *text);
// Prints with a point in every locale, and with at least one digit behind it or an exponent.
// `digits` is the type's guaranteed precision: 6 for a float, 15 for a double.
BELAY_HIDDEN void belay_shim_print_double(double number, int digits, char text[32]);
// Raises SIGTRAP on this thread.
BELAY_HIDDEN void belay_shim_trap(void);

// ---- slots of class tables whose function destroys an object ----
typedef void (*belay_shim_destroy_fn)(void *object);
typedef void (*belay_shim_wrapper)(void *object, belay_shim_destroy_fn original);
// Puts a trampoline into the slot, once for each slot; it calls `wrapper` with the original.
// Answers 0 or a negative code: see AdoptedOwners.swift. There is one wrapper in a process.
BELAY_HIDDEN int belay_shim_wrap(belay_shim_destroy_fn *slot, belay_shim_wrapper wrapper);
// The PROT_ bits of the memory there; 0 if there is none. A negative errno if they cannot be read.
BELAY_HIDDEN int belay_shim_protection(uintptr_t address);
BELAY_HIDDEN bool belay_shim_is_writable(void *word);

// Makes sure that libuv's pool can have its threads. Called before each request to it, because libuv ends the
// process when it cannot make them. Answers 0, or libuv's code. Any thread may call this.
BELAY_HIDDEN int belay_shim_find_threads(void);

// ---- one descriptor for a loop: its backend, a timer for its deadline, and an eventfd ----
typedef struct belay_pollable {
  int set, timer, bell;
  bool is_rung;
  int64_t deadline;  // the time to which the timer was set; 0: it is not set
} belay_pollable;
// Opens what is missing of the three standard descriptors, as /dev/null, for good: libuv takes their numbers
// otherwise, and aborts when it closes them. Answers 0, or a negative errno.
BELAY_HIDDEN int belay_shim_fill_standard(void);
// Moves a descriptor that has just been opened (negative: see errno) above the three that the program may mean
// when it uses their numbers, and which are the host's to close. Answers it, or a negative errno.
BELAY_HIDDEN int belay_shim_above_standard(int fd);
// Does as the first, and answers a negative errno if the descriptors cannot be opened that a loop needs: four, and
// six for the first one of a process. With too little room libuv aborts, for its pipe, or leaves the first.
BELAY_HIDDEN int belay_shim_find_room(void);
// Answers the descriptor, or a negative errno.
BELAY_HIDDEN int belay_shim_open_pollable(belay_pollable *pollable, int backend);
BELAY_HIDDEN void belay_shim_close_pollable(belay_pollable *pollable);
// Makes the descriptor readable after `nanoseconds`; 0: now; negative: only when the backend is. It may
// be readable once at a time that was asked for before. `anew`: the host may have seen before that it is
// readable.
BELAY_HIDDEN void belay_shim_set_pollable(belay_pollable *pollable, int64_t nanoseconds, bool anew);

// ---- timers ----
// Answers other memory with `room` for them, to which the first `count` have been moved; NULL for no room.
BELAY_HIDDEN belay_timer *belay_shim_move_timers(belay_timer *timers, size_t count, size_t room);
// Puts them into the order of due times; with equal times, in the order of scheduling.
BELAY_HIDDEN void belay_shim_sort_timers(belay_timer *timers, size_t count);
// Answers the timer with the time and the sequence of `like`, which is among these, sorted ones.
BELAY_HIDDEN belay_timer *belay_shim_find_timer(belay_timer *timers, size_t count, belay_timer like);
// Answers a descriptor that is readable once the wall clock shows `nanoseconds` since 1970, or a
// negative errno.
BELAY_HIDDEN int belay_shim_wall_timer(int64_t nanoseconds);

#endif
