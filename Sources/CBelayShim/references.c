// Embedded Swift's objects and their reference counts, instead of the runtime's own, which are weak
// definitions. The runtime counts with atomics, each of which costs as much as a small allocation.
// An atomic is needed only if another thread may look: not while the process has one thread, and
// not for the last reference. (Package.swift excludes this file, because a host in ordinary Swift
// brings its runtime. A build with BELAY_OWN_REFERENCES=OFF leaves it out, too.)
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "CBelayShim.h"

typedef struct {
  void *metadata;
  intptr_t count;
} object;

// As in the runtime: a count with these bits is never changed. An object that is being destroyed
// has them, too.
static const intptr_t immortal = INTPTR_MAX;

// A count is read and changed by these macros.
#ifdef BELAY_EXPLORE
#define LOAD(object, order) \
  ((intptr_t)belay_shim_count_step(belay_explore_load, belay_explore_##order, &(object)->count, 0))
#define ADD(object, n) \
  belay_shim_count_step(belay_explore_add, belay_explore_relaxed, &(object)->count, n)
#define TAKE(object, n)                                                                        \
  ((intptr_t)belay_shim_count_step(belay_explore_subtract,                                     \
                                   belay_explore_acquiring_and_releasing, &(object)->count, n))
#else
#define relaxed __ATOMIC_RELAXED
#define acquiring __ATOMIC_ACQUIRE
#define LOAD(object, order) __atomic_load_n(&(object)->count, order)
#define ADD(object, n) __atomic_fetch_add(&(object)->count, n, __ATOMIC_RELAXED)
#define TAKE(object, n) __atomic_fetch_sub(&(object)->count, n, __ATOMIC_ACQ_REL)
#endif

static inline bool is_object(const void *pointer) { return (intptr_t)pointer > 0; }
static inline bool is_immortal(intptr_t count) { return (count & immortal) == immortal; }

// cmake/internal.sed makes a release build call this.
BELAY_HIDDEN void *belay_shim_allocate(void *metadata, size_t size) {
  object *object = malloc(size);
  if (!object) belay_shim_out_of_memory(size);
  object->metadata = metadata;
  object->count = 1;
  return object;
}

BELAY_HIDDEN void *swift_allocObject(void *metadata, size_t size, size_t alignment_mask) {
  // No object of Belay needs more than malloc's own alignment.
  if (alignment_mask >= _Alignof(max_align_t)) abort();
  return belay_shim_allocate(metadata, size);
}

// At every look at an object that the compiler has laid out in the data (`static let shared`), the
// compiler calls this, on any thread. Initialising the object once is enough.
BELAY_HIDDEN void *swift_initStaticObject(void *metadata, object *object) {
  if (__atomic_load_n(&object->metadata, __ATOMIC_ACQUIRE) != metadata) {
    __atomic_store_n(&object->count, immortal, __ATOMIC_RELAXED);
    __atomic_store_n(&object->metadata, metadata, __ATOMIC_RELEASE);
  }
  return object;
}

BELAY_INLINE void *retain(object *object, uint32_t n) {
  if (!is_object(object)) return object;
  intptr_t before = LOAD(object, relaxed);
  if (is_immortal(before)) return object;
  if (belay_shim_is_alone())
    object->count = before + n;
  else
    ADD(object, n);
  return object;
}

#ifndef BELAY_PRESERVING
BELAY_HIDDEN void *swift_retain(void *counted) { return retain(counted, 1); }
#endif
BELAY_HIDDEN void *swift_retain_n(void *counted, uint32_t n) { return retain(counted, n); }

// The end of an object may release the last reference to the next one, and so on. A long chain of
// signals, or a deep nest of arrays, would take as much stack as it has links. So an object whose
// end comes this deep inside of others waits, and is destroyed in a loop.
enum { deepest = 64 };

typedef struct {
  uint32_t depth;
  size_t first, end, room;
  object **waiting;
} endings;

static __thread endings ours __attribute__((tls_model("initial-exec")));

static bool wait(object *object) {
  if (ours.end == ours.room) {
    size_t room = ours.room ? ours.room * 2 : 16;
    void *larger = malloc(room * sizeof *ours.waiting);
    // Without memory the object is destroyed by recursion, as long as there is stack.
    if (!larger) return false;
    if (ours.waiting) memcpy(larger, ours.waiting, ours.end * sizeof *ours.waiting);
    free(ours.waiting);
    ours.waiting = larger;
    ours.room = room;
  }
  ours.waiting[ours.end++] = object;
  return true;
}

__attribute__((noinline, cold)) static void destroy_waiting(void) {
  while (ours.first < ours.end) {
    object *next = ours.waiting[ours.first++];
    if (ours.first == ours.end) ours.first = ours.end = 0;
    object_destroy(next);
  }
  free(ours.waiting);
  ours.waiting = NULL;
  ours.room = 0;
}

// `destroy` near the deepest level.
__attribute__((noinline, cold)) static void destroy_deep(object *object) {
  if (ours.depth == deepest && wait(object)) return;
  ours.depth++;
  object_destroy(object);
  if (ours.depth == deepest && ours.end > 0) destroy_waiting();
  ours.depth--;
}

__attribute__((noinline, used)) static void destroy(object *object) {
  __atomic_store_n(&object->count, object->count | immortal, __ATOMIC_RELAXED);
  uint32_t depth = ours.depth;
  if (__builtin_expect(depth + 1 >= deepest, 0)) return destroy_deep(object);
  ours.depth = depth + 1;
  object_destroy(object);
  // Counted down, not set back, because the explorer's threads share it.
  ours.depth--;
}

BELAY_INLINE void release(object *object, uint32_t n) {
  if (!is_object(object)) return;
  intptr_t before = LOAD(object, acquiring);
  // The caller has all references, so no other thread can interfere.
  if ((before & immortal) == n) return destroy(object);
  if (is_immortal(before)) return;
  if (belay_shim_is_alone()) {
    object->count = before - n;
    return;
  }
  before = TAKE(object, n);
  if ((before & immortal) == n) destroy(object);
}

#ifndef BELAY_PRESERVING
BELAY_HIDDEN void swift_release(void *counted) { release(counted, 1); }
#endif
BELAY_HIDDEN void swift_release_n(void *counted, uint32_t n) { release(counted, n); }

// `retain` and `release` with n = 1, in x86-64's LLVM convention preserve_most: only %r11 and the
// result's %rax may change. Nearly half of all calls are these two (cmake/preserving.sed has them
// made so), and a caller that keeps nothing on the stack for them is smaller. gcc has no name for
// it.
#ifdef BELAY_PRESERVING
#if __has_include(<sys/single_threaded.h>)
#define UNLESS_ALONE(label) \
  "  movq __libc_single_threaded@GOTPCREL(%rip), %r11\n  cmpb $0, (%r11)\n  je " label "\n"
#else
#define UNLESS_ALONE(label) "  jmp " label "\n"
#endif
// The count without its highest bit.
#define COUNT "  movq 8(%rdi), %r11\n  btrq $63, %r11\n"
// One more than `immortal` is negative.
#define IF_IMMORTAL(label) "  incq %r11\n  js " label "\n"
#define FUNCTION(name) \
  ".globl " name "\n.hidden " name "\n.type " name ", @function\n.p2align 4\n" name ":\n"
#define END(name) ".size " name ", .-" name "\n"

__asm__(".pushsection .text.references, \"ax\", @progbits\n" FUNCTION("swift_retain")
        "  movq %rdi, %rax\n"
        "  testq %rdi, %rdi\n  jle 1f\n" COUNT IF_IMMORTAL("1f") UNLESS_ALONE("2f")
        "  incq 8(%rdi)\n"
        "1:ret\n"
        "2:lock incq 8(%rdi)\n"
        "  ret\n" END("swift_retain")

        FUNCTION("swift_release")
        "  testq %rdi, %rdi\n  jle 1f\n" COUNT
        "  cmpq $1, %r11\n  je 3f\n" IF_IMMORTAL("1f") UNLESS_ALONE("2f")
        "  decq 8(%rdi)\n"
        "1:ret\n"
        "2:movq $-1, %r11\n"
        "  lock xaddq %r11, 8(%rdi)\n"
        "  btrq $63, %r11\n"
        "  cmpq $1, %r11\n  jne 1b\n"
        "3:pushq %rax\n  pushq %rcx\n  pushq %rdx\n  pushq %rsi\n  pushq %rdi\n"
        "  pushq %r8\n  pushq %r9\n  pushq %r10\n  subq $8, %rsp\n"
        "  call destroy\n"
        "  addq $8, %rsp\n  popq %r10\n  popq %r9\n  popq %r8\n"
        "  popq %rdi\n  popq %rsi\n  popq %rdx\n  popq %rcx\n  popq %rax\n"
        "  ret\n" END("swift_release") ".popsection\n");
#endif
