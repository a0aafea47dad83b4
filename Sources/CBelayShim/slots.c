// Wraps the functions in slots of class tables. A function that gets only an object cannot tell
// which slot it was called through, so each slot has its own trampoline.
#define _GNU_SOURCE
#include "CBelayShim.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { most_slots = 32, code_mismatch = -20011 };

static struct {
  belay_shim_destroy_fn *place;
  belay_shim_destroy_fn original;  // written before the trampoline is in the slot
} slots[most_slots];
static int used;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static belay_shim_wrapper the_wrapper;

static void called(int index, void *object) {
  the_wrapper(object, BELAY_ATOMIC_LOAD(&slots[index].original, acquiring));
}

#define TRAMPOLINE(n) \
  static void trampoline_##n(void *object) { called(n, object); }
#define EIGHT(m, t) m(t##0) m(t##1) m(t##2) m(t##3) m(t##4) m(t##5) m(t##6) m(t##7)
#define NUMBER(n) TRAMPOLINE_OF(n)
// Octal numbers, so that a digit can be appended.
#define TRAMPOLINE_OF(n) TRAMPOLINE(n)
EIGHT(NUMBER, 00) EIGHT(NUMBER, 01) EIGHT(NUMBER, 02) EIGHT(NUMBER, 03)
#define NAME(n) trampoline_##n,
static const belay_shim_destroy_fn trampolines[most_slots] = {
    EIGHT(NAME, 00) EIGHT(NAME, 01) EIGHT(NAME, 02) EIGHT(NAME, 03)};

static bool is_trampoline(belay_shim_destroy_fn function) {
  for (int i = 0; i < used; i++)
    if (trampolines[i] == function) return true;
  return false;
}

static int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// The protection that /proc/self/maps states for `address`, in a line "from-to rwx…".
static int find_protection(uintptr_t address) {
  int file = belay_shim_above_standard(open("/proc/self/maps", O_RDONLY | O_CLOEXEC));
  if (file < 0) return file;
  enum { from, to, readable, writable, executable, rest } part = from;
  static const int bits[] = {[readable] = PROT_READ, [writable] = PROT_WRITE,
                             [executable] = PROT_EXEC};
  uintptr_t bounds[2] = {0, 0};
  int protection = 0;
  bool found = false;
  char text[512];
  for (ssize_t count; !found && (count = read(file, text, sizeof text)) > 0;) {
    for (ssize_t i = 0; i < count && !found; i++) {
      char c = text[i];
      if (c == '\n') {
        part = from;
        protection = 0;
        bounds[0] = bounds[1] = 0;
      } else if (part <= to) {
        if (digit(c) < 0) part++;
        else bounds[part] = bounds[part] * 16 + (uintptr_t)digit(c);
      } else if (part < rest) {
        if (c != '-') protection |= bits[part];
        found = ++part == rest && bounds[0] <= address && address < bounds[1];
      }
    }
  }
  close(file);
  return found ? protection : 0;
}

int belay_shim_protection(uintptr_t address) {
  // Callers hold locks. A thread that was cancelled while it reads would keep them.
  int state = belay_shim_hold_cancellation();
  int protection = find_protection(address);
  belay_shim_allow_cancellation(state);
  return protection;
}

// Tables are often constants, and a write to a constant would end the process. A futex operation
// that changes nothing is refused there by the kernel. Unlike /proc, it needs no descriptor.
bool belay_shim_is_writable(void *word) {
  return syscall(SYS_futex, word, FUTEX_WAKE_OP_PRIVATE, 0, 0L, word,
                 FUTEX_OP(FUTEX_OP_OR, 0, FUTEX_OP_CMP_EQ, 0)) >= 0;
}

static int wrap(belay_shim_destroy_fn *slot) {
  if ((uintptr_t)slot % sizeof *slot != 0) return -EINVAL;
  if (!belay_shim_is_writable(slot)) return -EACCES;  // also if its library was unloaded
  for (int i = 0; i < used; i++) {
    if (slots[i].place != slot) continue;
    return is_trampoline(__atomic_load_n(slot, __ATOMIC_ACQUIRE)) ? 0 : code_mismatch;
  }
  belay_shim_destroy_fn original = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
  do {
    if (!original) return -ENOENT;
    // The table was copied from one that is wrapped.
    if (is_trampoline(original)) return 0;
    if (used == most_slots) return -EBUSY;
    __atomic_store_n(&slots[used].original, original, __ATOMIC_RELEASE);
  } while (!__atomic_compare_exchange_n(slot, &original, trampolines[used], false,
                                        __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
  slots[used++].place = slot;
  belay_shim_count_live(belay_shim_live_classes, 1);
  return 0;
}

int belay_shim_wrap(belay_shim_destroy_fn *slot, belay_shim_wrapper wrapper) {
  pthread_mutex_lock(&lock);
  if (!the_wrapper) the_wrapper = wrapper;  // before the first trampoline is in a slot
  int code = wrap(slot);
  pthread_mutex_unlock(&lock);
  return code;
}
