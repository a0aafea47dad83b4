#define _GNU_SOURCE
#include "native.h"

#include "CBelayShim.h"

#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

// Exported by the Swift runtime.
extern void *swift_unownedRetain(void *object);
extern void swift_unownedRelease(void *object);
extern uintptr_t swift_unownedRetainCount(void *object);
extern bool swift_isDeallocating(void *object);
typedef struct {
  uintptr_t identity, implementation;
} serial_executor;
extern bool __attribute__((swiftcall))
swift_task_isCurrentExecutorWithFlags(serial_executor executor, uint64_t flags);

#define SWIFT_METHOD __attribute__((swiftcall))
#define SWIFT_SELF __attribute__((swift_context))
typedef void SWIFT_METHOD (*destroyer)(SWIFT_SELF void *object);

// The part of a class's metadata, from its address point on, that must be known. Two words stand
// before it; the first of them is the destroy function.
typedef struct {
  uintptr_t kind;  // 0: a class
  const void *superclass;
  uint32_t flags, instance_address_point, instance_size;
  uint16_t instance_align_mask, reserved;
  uint32_t class_size, class_address_point;
} class_metadata;

// ---- the original destroy functions of hooked classes; entries are only ever added ----
typedef struct original {
  const class_metadata *class;
  void *destroy;
  struct original *next;
} original;

enum { bucket_count = 256 };
static original *buckets[bucket_count];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static belay_native_handler told;

static original **bucket_of(const void *class) {
  return &buckets[((uintptr_t)class * 0x9E3779B97F4A7C15u) >> 56];
}

static void *find(const class_metadata *class) {
  original *entry = __atomic_load_n(bucket_of(class), __ATOMIC_ACQUIRE);
  while (entry && entry->class != class) entry = entry->next;
  return entry ? entry->destroy : NULL;
}

// ---- the hook ----
static void SWIFT_METHOD hook(SWIFT_SELF void *object) {
  // The metadata may be a copy of a hooked class's, or of a class below one, which has no entry of
  // its own.
  const class_metadata *class = *(const class_metadata **)object;
  void *destroy = find(class);
  while (!destroy && (class = class->superclass)) destroy = find(class);
  if (!destroy || __atomic_load_n(&told, __ATOMIC_RELAXED)(object, destroy)) return;
  // A tail call, so that a long chain of objects takes no more stack than without the hook.
  __attribute__((musttail)) return ((destroyer)destroy)(object);
}

void belay_native_destroy(void *destroy, void *object) { ((destroyer)destroy)(object); }

// ---- installing ----
void **belay_native_slot(const void *metadata) {
  const class_metadata *class = metadata;
  if (class->kind != 0 || class->class_address_point < 2 * sizeof(void *) ||
      class->class_address_point > class->class_size ||
      class->class_size - class->class_address_point < sizeof *class)
    return NULL;
  void **slot = (void **)metadata - 2;
  return __atomic_load_n(slot, __ATOMIC_RELAXED) ? slot : NULL;
}

// Stores the function in the slot as the original, and puts the hook there.
static void install(const class_metadata *class, void **slot, original *entry) {
  original **bucket = bucket_of(class);
  *entry = (original){class, __atomic_load_n(slot, __ATOMIC_RELAXED), *bucket};
  __atomic_store_n(bucket, entry, __ATOMIC_RELEASE);
  for (;;) {
    belay_shim_barrier();  // a thread that finds the hook in the slot finds the entry, too
    void *seen = entry->destroy;
    if (__atomic_compare_exchange_n(slot, &seen, (void *)hook, false, __ATOMIC_SEQ_CST,
                                    __ATOMIC_RELAXED))
      return;
    __atomic_store_n(&entry->destroy, seen, __ATOMIC_RELAXED);  // other code was quicker
  }
}

static int hook_locked(const class_metadata *class, void **slot) {
  bool is_hooked = __atomic_load_n(slot, __ATOMIC_RELAXED) == (void *)hook;
  if (find(class)) return is_hooked ? 1 : belay_native_replaced;
  if (is_hooked) return 1;  // by way of a class above
  uintptr_t size = (uintptr_t)sysconf(_SC_PAGESIZE);
  void *page = (void *)((uintptr_t)slot & ~(size - 1));
  bool is_open = belay_shim_is_writable(slot);
  if (!is_open && mprotect(page, size, PROT_READ | PROT_WRITE) != 0) return -errno;
  original *entry = malloc(sizeof *entry);
  if (!entry) belay_shim_out_of_memory(sizeof *entry);
  install(class, slot, entry);
  belay_shim_count_live(belay_shim_live_classes, 1);
  if (!is_open) mprotect(page, size, PROT_READ);
  return 0;
}

int belay_native_hook(const void *metadata, belay_native_handler handler) {
  void **slot = belay_native_slot(metadata);
  if (!slot) return -ENOTSUP;
  pthread_mutex_lock(&lock);
  __atomic_store_n(&told, handler, __ATOMIC_RELAXED);
  int code = hook_locked(metadata, slot);
  pthread_mutex_unlock(&lock);
  return code;
}

// ---- memory ----
void belay_native_hold_memory(void *object) { swift_unownedRetain(object); }
void belay_native_let_memory_go(void *object) { swift_unownedRelease(object); }
uintptr_t belay_native_memory_holders(void *object) { return swift_unownedRetainCount(object); }
bool belay_native_is_dying(void *object) { return swift_isDeallocating(object); }

// ---- executors ----
bool belay_native_is_on(uintptr_t identity, uintptr_t implementation) {
  return swift_task_isCurrentExecutorWithFlags((serial_executor){identity, implementation}, 0);
}
