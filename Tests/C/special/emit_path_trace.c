/* Single-steps an emission at home and looks at every instruction that runs: no lock prefix, no
   exchange with memory, no fence, no system call, no call of a lock or of the allocator, and none
   of what the machine outliner has cut out of the library's functions. Prints "skipped: …" where
   it cannot. Build it against the release library, and give it a file of what is outlined there:
   hexadecimal offsets, sorted. For ARM64 it only emits, between marks, after it has told where
   things are: Tests/Package/emit_path_qemu.py looks at the instructions. */
#define _GNU_SOURCE
#include <belay/belay.h>
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#if !defined(__x86_64__) && !defined(__aarch64__)
int main(void) {
  puts("skipped: neither x86-64 nor ARM64");
  return 0;
}
#else
#include <linux/membarrier.h>
#include <sys/user.h>

/* ---- the emissions, in the traced process ---- */
/* The mark, before and after each shape. */
#if defined(__x86_64__)
enum { MARK = 0xcc };
#define MARK_HERE() __asm__ volatile("int3" ::: "memory")
#else
#define MARK_HERE() __asm__ volatile("brk #0" ::: "memory")
#endif

static int received;
static void next(void *ctx, belay_value value) { received++; }
static belay_value same(void *ctx, belay_value value) { return value; }
static int different(void *ctx, belay_value a, belay_value b) { return 0; }
static int yes(void *ctx, belay_value value) { return 1; }
static belay_value sum(void *ctx, belay_value total, belay_value value) {
  return belay_scalar_(total.payload_ + value.payload_, BELAY_KIND_INT64);
}

static const struct shape {
  const char *name;
  int subscribers, on_a_loop, chain;
} shapes[] = {
    {"nobody", 0, 0, 0},        {"one subscriber", 1, 0, 0},     {"ten subscribers", 10, 0, 0},
    {"one, on a loop", 1, 1, 0}, {"map, filter, map", 1, 0, 1}, {"take", 1, 0, 2},
    {"scan", 1, 0, 3},          {"distinct_until_changed", 1, 0, 4},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static belay_signal *chain_of(belay_signal *subject, int chain) {
  if (chain == 1)
    return belay_signal_chain(subject, belay_op_map(same, NULL, NULL),
                              belay_op_filter(yes, NULL, NULL), belay_op_map(same, NULL, NULL));
  if (chain == 2) return belay_signal_chain(subject, belay_op_take(1000000));
  if (chain == 3)
    return belay_signal_chain(subject, belay_op_scan(belay_int64(0), sum, NULL, NULL));
  if (chain == 4)
    return belay_signal_chain(subject, belay_op_distinct_until_changed(different, NULL, NULL));
  return subject;
}

static void emit(const struct shape *shape) {
  belay_loop *loop = shape->on_a_loop ? belay_loop_create(NULL) : NULL;
  belay_signal *subject = belay_subject_create(NULL);
  belay_signal *signal = chain_of(belay_signal_retain(subject), shape->chain);
  belay_observer observer = {.size = sizeof observer, .next = next};
  for (int i = 0; i < shape->subscribers; i++)
    if (belay_signal_subscribe(signal, &observer, NULL) < 0) _exit(2);
  belay_value value = belay_int64(1);
  /* Lazy binding and whatever is made at the first use are not the path. */
  for (int i = 0; i < 100; i++) belay_subject_next(subject, value);
  received = 0;
  MARK_HERE();
  int result = belay_subject_next(subject, value);
  MARK_HERE();
  if (result != 0 || received != shape->subscribers) _exit(3);
  belay_signal_release(signal);
  belay_signal_release(subject);
  if (loop) {
    belay_loop_close(loop, NULL, NULL, NULL);
    belay_loop_release(loop);
  }
}

/* ---- what may not be called ---- */

static const char *const forbidden[] = {
    "pthread_mutex_lock", "pthread_mutex_trylock", "pthread_mutex_unlock", "pthread_rwlock_rdlock",
    "pthread_rwlock_wrlock", "pthread_spin_lock", "sem_wait", "malloc", "calloc", "realloc",
    "posix_memalign", "aligned_alloc", "free", "syscall"};

/* Whether a send at home needs no fence. */
static int has_membarrier(void) {
  long commands = syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0);
  if (commands >= 0 && (commands & MEMBARRIER_CMD_PRIVATE_EXPEDITED)) return 1;
  puts("skipped: the kernel has no private expedited membarrier, so the emitter fences");
  return 0;
}

#if defined(__aarch64__)
int main(int argc, char **argv) {
  Dl_info info = {0};
  dladdr((void *)(uintptr_t)belay_subject_next, &info);
  if (has_membarrier()) {
    printf("library %p\n", info.dli_fbase);
    for (size_t i = 0; i < sizeof forbidden / sizeof *forbidden; i++)
      printf("forbidden %p %s\n", dlsym(RTLD_DEFAULT, forbidden[i]), forbidden[i]);
    for (int i = 0; i < SHAPES; i++) printf("shape %s\n", shapes[i].name);
    puts("end");
  }
  fflush(stdout);
  MARK_HERE();
  for (int i = 0; i < SHAPES; i++) emit(&shapes[i]);
  return 0;
}
#else

static void be_traced(void) {
  if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0) _exit(4);
  raise(SIGSTOP);
  for (int i = 0; i < SHAPES; i++) emit(&shapes[i]);
  _exit(0);
}

/* ---- instructions ---- */

static int is_legacy_prefix(unsigned char byte) {
  switch (byte) {
    case 0x26: case 0x2e: case 0x36: case 0x3e: case 0x64: case 0x65:
    case 0x66: case 0x67: case 0xf2: case 0xf3: return 1;
    default: return 0;
  }
}

/* What is wrong with an instruction, or NULL. */
static const char *verdict(const unsigned char *code) {
  while (is_legacy_prefix(*code)) code++;
  if (*code == 0xf0) return "a lock prefix";
  if ((*code & 0xf0) == 0x40) code++; /* REX */
  int in_memory = (code[1] >> 6) != 3;
  if ((code[0] == 0x86 || code[0] == 0x87) && in_memory) return "xchg with memory";
  if (code[0] == 0xcd) return "a software interrupt";
  if (code[0] != 0x0f) return NULL;
  in_memory = (code[2] >> 6) != 3;
  int reg = (code[2] >> 3) & 7;
  switch (code[1]) {
    case 0x05: case 0x34: return "a system call";
    case 0xae: return !in_memory && reg >= 5 ? "a fence" : NULL;
    case 0xb0: case 0xb1: return "cmpxchg";
    case 0xc0: case 0xc1: return in_memory ? "xadd with memory" : NULL;
    case 0xc7: return in_memory && reg == 1 ? "cmpxchg8b" : NULL;
    default: return NULL;
  }
}

static const char *forbidden_at(unsigned long long address) {
  for (size_t i = 0; i < sizeof forbidden / sizeof *forbidden; i++)
    if ((unsigned long long)(uintptr_t)dlsym(RTLD_DEFAULT, forbidden[i]) == address)
      return forbidden[i];
  return NULL;
}

/* ---- what is outlined: the library's symbol table knows it, dladdr does not ---- */

static unsigned long long *outlined;
static size_t outlined_count;

static int read_outlined(const char *path) {
  FILE *file = fopen(path, "r");
  if (!file) return -1;
  unsigned long long offset;
  for (size_t room = 0; fscanf(file, "%llx", &offset) == 1; outlined[outlined_count++] = offset)
    if (outlined_count == room) {
      room = room ? 2 * room : 1024;
      outlined = realloc(outlined, room * sizeof *outlined);
      if (!outlined) abort();
    }
  fclose(file);
  return 0;
}

static int by_size(const void *a, const void *b) {
  unsigned long long x = *(const unsigned long long *)a, y = *(const unsigned long long *)b;
  return (x > y) - (x < y);
}

static int is_outlined(unsigned long long address) {
  static unsigned long long base;
  if (outlined_count == 0) return 0;
  if (base == 0) {
    Dl_info info = {0};
    dladdr((void *)(uintptr_t)belay_subject_next, &info);
    base = (unsigned long long)(uintptr_t)info.dli_fbase;
  }
  unsigned long long offset = address - base;
  return bsearch(&offset, outlined, outlined_count, sizeof *outlined, by_size) != NULL;
}

/* ---- the tracer ---- */

static void read_code(pid_t child, unsigned long long address, unsigned char code[16]) {
  for (int i = 0; i < 2; i++) {
    void *at = (void *)(uintptr_t)(address + 8 * (unsigned)i);
    long word = ptrace(PTRACE_PEEKTEXT, child, at, NULL);
    memcpy(code + 8 * i, &word, 8);
  }
}

/* A fork: what is here is where it is there. */
static int failed(const char *shape, unsigned long long address, const char *what) {
  Dl_info info = {0};
  dladdr((void *)(uintptr_t)address, &info);
  printf("FAILED %s: %s at %s+%#llx\n", shape, what, info.dli_fname ? info.dli_fname : "?",
         address - (unsigned long long)(uintptr_t)info.dli_fbase);
  return 1;
}

/* From the first mark to the second. */
static int step_through(pid_t child, const char *shape) {
  int status, bad = 0;
  long steps = 0;
  unsigned char code[16];
  struct user_regs_struct registers;
  unsigned long long before = 0;
  for (;;) {
    ptrace(PTRACE_GETREGS, child, NULL, &registers);
    read_code(child, registers.rip, code);
    if (code[0] == MARK) break;
    const char *what = verdict(code);
    if (!what) what = forbidden_at(registers.rip);
    if (what) bad += failed(shape, registers.rip, what);
    /* Who calls it is to blame. */
    if (is_outlined(registers.rip)) bad += failed(shape, before, "a call of an outlined function");
    before = registers.rip;
    steps++;
    ptrace(PTRACE_SINGLESTEP, child, NULL, NULL);
    if (waitpid(child, &status, 0) < 0 || !WIFSTOPPED(status)) return bad + 1;
  }
  printf("%s: %ld instructions\n", shape, steps);
  if (steps < 10) bad += failed(shape, registers.rip, "hardly anything ran");
  return bad;
}

static int trace_shapes(pid_t child) {
  int status, bad = 0;
  for (int i = 0; i < SHAPES; i++) {
    for (int marks = 0; marks < 2; marks++) {
      ptrace(PTRACE_CONT, child, NULL, NULL);
      if (waitpid(child, &status, 0) < 0 || !WIFSTOPPED(status) || WSTOPSIG(status) != SIGTRAP) {
        printf("FAILED %s: the traced process ended, status %#x\n", shapes[i].name, status);
        return 1;
      }
      if (marks == 0) bad += step_through(child, shapes[i].name);
    }
  }
  ptrace(PTRACE_CONT, child, NULL, NULL);
  if (waitpid(child, &status, 0) < 0 || status != 0) {
    printf("FAILED: the traced process ended with status %#x\n", status);
    bad++;
  }
  return bad;
}

/* The verdicts are worth something only if they find what they look for. */
static int check_verdicts(void) {
  static const unsigned char wrong[][16] = {
      {0xf0, 0x48, 0xff, 0x00},       {0x48, 0x87, 0x07},       {0x86, 0x07},
      {0x0f, 0xae, 0xf0},             {0x0f, 0xae, 0xe8},       {0x0f, 0xae, 0xf8},
      {0x48, 0x0f, 0xb1, 0x0f},       {0x0f, 0x05},             {0x66, 0xf0, 0x0f, 0xc1, 0x07},
      {0x48, 0x0f, 0xc7, 0x0f}};
  static const unsigned char right[][16] = {
      {0x48, 0x89, 0xc7}, {0x48, 0x87, 0xc7}, {0x90}, {0xf3, 0x90}, {0x0f, 0xae, 0x38}, {0xe8},
      {0x66, 0x0f, 0x1f, 0x44, 0x00, 0x00}};
  int bad = 0;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) bad += verdict(wrong[i]) == NULL;
  for (size_t i = 0; i < sizeof right / sizeof *right; i++) bad += verdict(right[i]) != NULL;
  if (!forbidden_at((unsigned long long)(uintptr_t)dlsym(RTLD_DEFAULT, "malloc"))) bad++;
  if (bad) printf("FAILED: %d verdicts are wrong\n", bad);
  return bad;
}

int main(int argc, char **argv) {
  if (check_verdicts() != 0) return 1;
  if (argc > 1 && read_outlined(argv[1]) != 0) {
    printf("FAILED: %s cannot be read\n", argv[1]);
    return 1;
  }
  if (!has_membarrier()) return 0;
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) be_traced();
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) < 0 || !WIFSTOPPED(status)) {
    puts("skipped: this process may not be traced");
    return 0;
  }
  int bad = trace_shapes(child);
  puts(bad ? "FAILED" : "passed");
  return bad != 0;
}
#endif
#endif
