// Embedded Swift's objects and their counts of references, in the place of the runtime's own, which
// are weak. Those count with atomics, which cost as much as a small allocation each and are needed
// only where another thread may look: not while the process has one thread, nor for the last
// reference. (Excluded from Package.swift: an ordinary host's runtime is its own. Left out of a build
// with BELAY_OWN_REFERENCES=OFF, too, which counts as the runtime does.)
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "CBelayShim.h"

typedef struct {
  void *metadata;
  intptr_t count;
} object;

// As in the runtime: this count, its highest bit aside, is never changed. An object that is being
// destroyed has it too.
static const intptr_t immortal = INTPTR_MAX;

// Runtime.swift, for Swift's calling convention.
extern void object_destroy(void *object);

// A count is read and changed by these.
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

// What cmake/internal.sed has a release call instead.
BELAY_HIDDEN void *belay_shim_allocate(void *metadata, size_t size) {
  object *object = malloc(size);
  if (!object) belay_shim_out_of_memory(size);
  object->metadata = metadata;
  object->count = 1;
  return object;
}

BELAY_HIDDEN void *swift_allocObject(void *metadata, size_t size, size_t alignment_mask) {
  // No object of ours asks for more than malloc's own alignment.
  if (alignment_mask >= _Alignof(max_align_t)) abort();
  return belay_shim_allocate(metadata, size);
}

// The compiler has an object that it laid out in the data (`static let shared`) made anew at every
// look at it, on any thread. Once is enough.
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

// An object's end may give back the last reference to the next one, and so on: a long chain of
// signals, or a deep nest of arrays, would take as much stack as it has links. So what comes to its
// end this far inside waits, and is destroyed in a loop.
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
    // Then it takes stack, as long as there is some.
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

// Where it gets deep.
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
  // Counted down, not set back: the threads of the explorer share it.
  ours.depth--;
}

BELAY_INLINE void release(object *object, uint32_t n) {
  if (!is_object(object)) return;
  intptr_t before = LOAD(object, acquiring);
  // Whoever has all references is not raced by anybody.
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

// What `retain` and `release` do with n = 1, in x86-64's LLVM convention preserve_most: only %r11 and the
// result's %rax may change. Nearly half of all calls are these two (cmake/preserving.sed has them made
// so), and a caller that keeps nothing on the stack for them is smaller. gcc has no name for it.
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
