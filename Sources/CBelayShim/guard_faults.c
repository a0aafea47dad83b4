/* The handlers of faults in guarded objects: they report a write that nobody announced and let it
 * through. Their calls are async-signal-safe. */
#include "guard_blocks.h"

#include <belay/guard.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#ifdef __x86_64__
enum { HAS_TRAP_FLAG = 1, TRAP_FLAG = 0x100, WRITE_FAULT = 2 };
#else
enum { HAS_TRAP_FLAG = 0 };
#endif

typedef struct hook {
  belay_unannounced_write_fn call; /* NULL: a line on stderr */
  void *ctx;
  belay_free_fn ctx_free;
} hook;

static hook current; /* under the lock */
static atomic_uint callers;
static atomic_uint_fast64_t writes;
static struct sigaction before_segv, before_trap;

/* The step of this thread over a write. */
static _Thread_local struct {
  const char *base; /* of the object; NULL: there is no step */
  bool has_blocked_traps;
  unsigned hooks; /* how many the thread is in */
} own;

/* ---- text ---- */

typedef struct text {
  char bytes[1024];
  size_t size;
} text;

static void put(text *to, const char *from) {
  while (*from && to->size < sizeof to->bytes) to->bytes[to->size++] = *from++;
}

static void put_number(text *to, uint64_t number, unsigned base) {
  char digits[24];
  size_t at = sizeof digits - 1;
  digits[at] = 0;
  do digits[--at] = "0123456789abcdef"[number % base];
  while (number /= base);
  put(to, digits + at);
}

static void print(const belay_unannounced_write *write_) {
  text line;
  line.size = 0;
  put(&line, "belay: unannounced write to ");
  put(&line, write_->key ? write_->key : "no field");
  put(&line, " of 0x");
  put_number(&line, (uintptr_t)write_->object, 16);
  if (*write_->label) {
    put(&line, " (");
    put(&line, write_->label);
    put(&line, ")");
  }
  put(&line, " by thread ");
  put_number(&line, write_->thread, 10);
  put(&line, " at 0x");
  put_number(&line, (uintptr_t)write_->code, 16);
  if (*write_->module) {
    put(&line, " (");
    put(&line, write_->module);
    put(&line, "+0x");
    put_number(&line, write_->offset, 16);
    put(&line, ")");
  }
  if (line.size == sizeof line.bytes) line.size--;
  line.bytes[line.size++] = '\n';
  if (write(STDERR_FILENO, line.bytes, line.size) < 0) return; /* nobody to tell */
}

/* ---- where code is ---- */

typedef struct module {
  char path[512];
  uintptr_t start;
} module;

static const char *hexadecimal(const char *at, uintptr_t *number) {
  *number = 0;
  for (;; at++) {
    unsigned digit = *at >= '0' && *at <= '9'   ? (unsigned)(*at - '0')
                     : *at >= 'a' && *at <= 'f' ? (unsigned)(*at - 'a') + 10
                                                : 16;
    if (digit == 16) return at;
    *number = *number * 16 + digit;
  }
}

/* Reads a line of /proc/self/maps. Answers whether `code` is there. */
static bool is_in_mapping(const char *line, uintptr_t code, module *last) {
  uintptr_t start, end;
  line = hexadecimal(line, &start);
  if (*line == '-') line++;
  line = hexadecimal(line, &end);
  const char *path = strchr(line, '/');
  if (!path) return false;
  if (strncmp(path, last->path, sizeof last->path - 1) != 0) {
    size_t size = strnlen(path, sizeof last->path - 1);
    memcpy(last->path, path, size);
    last->path[size] = 0;
    last->start = start;
  }
  return code >= start && code < end;
}

/* dladdr() takes the loader's lock. */
static void locate(uintptr_t code, module *found) {
  char line[600], bytes[256];
  size_t used = 0;
  ssize_t got;
  found->path[0] = 0;
  found->start = 0;
  int maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (maps < 0) return;
  while ((got = read(maps, bytes, sizeof bytes)) > 0)
    for (ssize_t i = 0; i < got; i++) {
      if (bytes[i] != '\n') {
        if (used + 1 < sizeof line) line[used++] = bytes[i];
        continue;
      }
      line[used] = 0;
      used = 0;
      if (is_in_mapping(line, code, found)) {
        close(maps);
        return;
      }
    }
  close(maps);
  found->path[0] = 0;
}

/* ---- the step over the write ---- */

static uintptr_t code_of(const ucontext_t *context) {
#ifdef __x86_64__
  return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#else
  return (uintptr_t)context->uc_mcontext.pc;
#endif
}

static void begin_step(const char *base, ucontext_t *context) {
#ifdef __x86_64__
  own.base = base;
  own.has_blocked_traps = sigismember(&context->uc_sigmask, SIGTRAP) == 1;
  sigdelset(&context->uc_sigmask, SIGTRAP);
  context->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
#else
  (void)base, (void)context;
#endif
}

void belay_guard_end_step(void) {
  if (!own.base) return;
  sigset_t before;
  belay_guard_lock(&before);
  belay_guard_block *block = belay_guard_block_at(own.base);
  if (block && block->steps) {
    block->steps--;
    belay_guard_update(block);
  }
  own.base = NULL;
  belay_guard_unlock(&before);
}

static void leave_step(ucontext_t *context) {
#ifdef __x86_64__
  context->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)TRAP_FLAG;
  if (own.has_blocked_traps) sigaddset(&context->uc_sigmask, SIGTRAP);
#else
  (void)context;
#endif
  belay_guard_end_step();
}

/* ---- faults ---- */

static bool is_write(const siginfo_t *info, const ucontext_t *context) {
  if (info->si_code != SEGV_ACCERR) return false;
#ifdef __x86_64__
  if (!(context->uc_mcontext.gregs[REG_ERR] & WRITE_FAULT)) return false;
#endif
  /* An object can always be read, but is no code. */
  return (uintptr_t)info->si_addr != code_of(context);
}

static const char *key_at(const belay_guard_block *block, size_t offset) {
  for (size_t i = 0; i < block->count; i++)
    if (offset - block->fields[i].offset < block->fields[i].size) return block->fields[i].name;
  return NULL;
}

static void report(belay_unannounced_write *write_, const hook *to) {
  module in;
  locate((uintptr_t)write_->code, &in);
  write_->module = in.path;
  write_->offset = (uintptr_t)write_->code - in.start;
  if (!to->call) return print(write_);
  own.hooks++;
  to->call(to->ctx, write_);
  own.hooks--;
}

/* Answers whether the instruction may be executed again. */
static bool let_through(const siginfo_t *info, ucontext_t *context) {
  if (!is_write(info, context)) return false;
  sigset_t before;
  belay_guard_lock(&before);
  belay_guard_block *block = belay_guard_block_at(info->si_addr);
  if (!block) {
    belay_guard_unlock(&before);
    return false;
  }
  bool is_announced = !block->owner || block->open;
  bool steps = HAS_TRAP_FLAG && !own.base;
  belay_unannounced_write told = {
      .size = sizeof told, .object = block->base, .label = block->label, .address = info->si_addr,
      .thread = (uint64_t)syscall(SYS_gettid), .code = (const void *)code_of(context)};
  hook to = current;
  if (!is_announced) {
    told.key = key_at(block, (size_t)((char *)info->si_addr - block->base));
    if (steps) block->steps++;
    else block->is_left_open = true;
  }
  bool is_open = belay_guard_update(block) == 0;
  if (!is_announced && !is_open && steps) block->steps--;
  if (!is_announced && is_open) atomic_fetch_add(&callers, 1);
  belay_guard_unlock(&before);
  if (is_announced || !is_open) return is_open;
  atomic_fetch_add(&writes, 1);
  report(&told, &to);
  atomic_fetch_sub(&callers, 1);
  if (steps) begin_step(told.object, context);
  return true;
}

/* Does what would have been done without this handler. */
static void pass_on(int signal, siginfo_t *info, void *context, const struct sigaction *to) {
  if (to->sa_flags & SA_SIGINFO) return to->sa_sigaction(signal, info, context);
  bool is_sent = info->si_code <= 0;
  if (to->sa_handler == SIG_IGN && is_sent) return;
  if (to->sa_handler != SIG_IGN && to->sa_handler != SIG_DFL) return to->sa_handler(signal);
  struct sigaction usual = {.sa_handler = SIG_DFL};
  sigaction(signal, &usual, NULL);
  /* A fault happens again when the handler returns. */
  if (is_sent || signal == SIGTRAP) raise(signal);
}

static void on_segv(int signal, siginfo_t *info, void *context) {
  int error = errno;
  if (!let_through(info, context)) {
    if (own.base) leave_step(context);
    pass_on(signal, info, context, &before_segv);
  }
  errno = error;
}

static void on_trap(int signal, siginfo_t *info, void *context) {
  int error = errno;
  if (own.base && info->si_code > 0) leave_step(context);
  else pass_on(signal, info, context, &before_trap);
  errno = error;
}

/* ---- installing ---- */

static sigset_t before_fork;
static void lock_for_fork(void) { belay_guard_lock(&before_fork); }
static void unlock_after_fork(void) { belay_guard_unlock(&before_fork); }
/* The hooks and the steps of other threads are not here. */
static void unlock_in_child(void) {
  if (own.hooks == 0) {
    atomic_store(&callers, 0);
    belay_guard_end_other_steps(own.base);
  }
  belay_guard_unlock(&before_fork);
}

static void install(void) {
  pthread_atfork(lock_for_fork, unlock_after_fork, unlock_in_child);
  /* A hook may write to another guarded object. */
  static const int open[] = {SIGSEGV, SIGTRAP, SIGBUS, SIGFPE, SIGILL, SIGABRT};
  struct sigaction ours = {.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART};
  sigfillset(&ours.sa_mask);
  for (size_t i = 0; i < sizeof open / sizeof *open; i++) sigdelset(&ours.sa_mask, open[i]);
  if (HAS_TRAP_FLAG) {
    ours.sa_sigaction = on_trap;
    sigaction(SIGTRAP, &ours, &before_trap);
  }
  ours.sa_sigaction = on_segv;
  sigaction(SIGSEGV, &ours, &before_segv);
}

void belay_guard_install(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, install);
}

/* ---- the hook ---- */

bool belay_guard_set_hook(void (*call)(void), void *ctx, void (*ctx_free)(void *ctx)) {
  hook given = {(belay_unannounced_write_fn)call, ctx, ctx_free}, unused = given;
  if (own.hooks == 0) {
    sigset_t before;
    belay_guard_lock(&before);
    unused = current;
    current = call ? given : (hook){NULL, NULL, NULL};
    belay_guard_unlock(&before);
    while (atomic_load(&callers)) sched_yield();
    if (!call && ctx_free) ctx_free(ctx);
  }
  if (unused.ctx_free) unused.ctx_free(unused.ctx);
  return own.hooks == 0;
}

uint64_t belay_guard_count(void) { return atomic_load(&writes); }
