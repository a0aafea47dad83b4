#define _GNU_SOURCE
#include "CBelayShim.h"

#include <errno.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

__thread uint64_t belay_shim_current_id __attribute__((tls_model("initial-exec")));
__thread belay_thread *belay_shim_current __attribute__((tls_model("initial-exec")));
__thread void *belay_shim_failure __attribute__((tls_model("initial-exec")));

// The lock of the list of threads. In the explorer's build it is a lock with explored steps.
#ifdef BELAY_EXPLORE
static uint32_t threads_lock;
#define lock_threads() belay_explore_acquire(&threads_lock)
#define unlock_threads() belay_explore_release(&threads_lock)
#else
static pthread_mutex_t threads_lock = PTHREAD_MUTEX_INITIALIZER;
#define lock_threads() pthread_mutex_lock(&threads_lock)
#define unlock_threads() pthread_mutex_unlock(&threads_lock)
#endif
belay_thread *belay_shim_threads;
static uint64_t last_id;
static int64_t live_of_ended[belay_shim_live_kinds];
static void (*thread_end_hook)(belay_thread *);
static pthread_key_t thread_key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void end_thread(void *record) {
  belay_thread *thread = record;
  // An object that the hook releases may still ask for this thread's record.
  pthread_setspecific(thread_key, NULL);
  // A thread that needs it has seen it set; another one may end meanwhile.
  void (*hook)(belay_thread *) = __atomic_load_n(&thread_end_hook, __ATOMIC_ACQUIRE);
  if (hook) hook(thread);
  // The thread may have ended inside a callback.
  for (uint32_t place = 0; place < thread->places; place++)
    BELAY_ATOMIC_STORE(&thread->calling[place], (const void *)0, releasing);
  BELAY_ATOMIC_STORE(&thread->entered, 0, relaxed);
  lock_threads();
  for (int kind = 0; kind < belay_shim_live_kinds; kind++) {
    live_of_ended[kind] += thread->live[kind];
    BELAY_ATOMIC_STORE(&thread->live[kind], 0, relaxed);
  }
  thread->is_ended = 1;
  unlock_threads();
  belay_shim_current = NULL;
  belay_shim_current_id = 0;
}

static void prepare(void) {
  if (pthread_key_create(&thread_key, end_thread) == 0) return;
  belay_shim_print_error("belay: the process has no key for a thread's data left");
  abort();
}

// Under the lock, so that no thread is made meanwhile that does not find out.
void belay_shim_time_callbacks(int64_t limit) {
  lock_threads();
  __atomic_store_n(&belay_shim_slow_limit, limit, __ATOMIC_RELAXED);
  belay_shim_watch_sends();
  unlock_threads();
}

// The record of a thread that has ended, or else a new one. The caller holds the lock.
static belay_thread *take_record(void) {
  for (belay_thread *thread = belay_shim_threads; thread; thread = thread->next) {
    if (!thread->is_ended) continue;
    thread->is_ended = 0;
    thread->own = (belay_own){0};
    thread->noted_here = 0;
    BELAY_ATOMIC_STORE(&thread->noted, 0, relaxed);
    return thread;
  }
  belay_thread *thread = calloc(1, sizeof *thread);
  if (!thread) belay_shim_out_of_memory(sizeof *thread);
  thread->calling = thread->first_places;
  thread->places = belay_shim_first_places;
  thread->most = belay_shim_most_places;
  thread->room = belay_shim_watches_sends() ? 0 : thread->places;
  thread->next = belay_shim_threads;
  BELAY_ATOMIC_STORE(&belay_shim_threads, thread, releasing);
  return thread;
}

belay_thread *belay_shim_make_thread(void) {
  pthread_once(&once, prepare);
  lock_threads();
  belay_thread *thread = take_record();
  BELAY_ATOMIC_STORE(&thread->id, ++last_id, relaxed);
  unlock_threads();
  belay_shim_current = thread;
  belay_shim_current_id = thread->id;
  pthread_setspecific(thread_key, thread);
  return thread;
}

void belay_shim_count_first(int kind, int64_t change) {
  belay_shim_make_thread();
  belay_shim_count_live(kind, change);
}

int belay_shim_hold_cancellation(void) {
  int state;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
  return state;
}

void belay_shim_allow_cancellation(int state) { pthread_setcancelstate(state, NULL); }
#ifdef BELAY_EXPLORE
void belay_explore_end_thread(void) {
  if (belay_shim_current) end_thread(belay_shim_current);
}
#endif

static uint64_t set_signals(uint64_t blocked) {
  // Linux has 64 signals; glibc's set has room for more.
  sigset_t set, before;
  memset(&set, 0, sizeof set);
  memcpy(&set, &blocked, sizeof blocked);
  pthread_sigmask(SIG_SETMASK, &set, &before);
  memcpy(&blocked, &before, sizeof blocked);
  return blocked;
}

uint64_t belay_shim_block_signals(void) {
#define BIT(number) (1ull << ((number) - 1))
  // A fault whose signal is blocked ends the process without the handler that would tell of it.
  return set_signals(~(BIT(SIGILL) | BIT(SIGTRAP) | BIT(SIGABRT) | BIT(SIGBUS) | BIT(SIGFPE) |
                       BIT(SIGSEGV) | BIT(SIGSYS) | BIT(SIGPROF)));
#undef BIT
}

void belay_shim_restore_signals(uint64_t before) { set_signals(before); }

int belay_shim_describe_thread(const char *name, int nice) {
  // For Linux, 0 is the calling thread.
  if (nice != 0 && syscall(SYS_setpriority, PRIO_PROCESS, 0, nice) != 0) return -errno;
  syscall(SYS_prctl, PR_SET_NAME, name ? name : "belay worker", 0, 0, 0);
  return 0;
}

void belay_shim_detach_thread(unsigned long thread) { pthread_detach((pthread_t)thread); }

void belay_shim_on_thread_end(void (*hook)(belay_thread *)) {
  __atomic_store_n(&thread_end_hook, hook, __ATOMIC_RELEASE);
}

void belay_shim_in_children(void (*hook)(void)) {
  if (pthread_atfork(NULL, NULL, hook) != 0) belay_shim_out_of_memory(sizeof hook);
}

int64_t belay_shim_live(int kind) {
  lock_threads();
  int64_t sum = live_of_ended[kind];
  for (belay_thread *thread = belay_shim_threads; thread; thread = thread->next)
    sum += __atomic_load_n(&thread->live[kind], __ATOMIC_RELAXED);
  unlock_threads();
  return sum;
}

// ---- the barrier ----
#ifdef BELAY_EXPLORE
// explore.c defines the functions that are called.
#define belay_shim_barrier belay_shim_system_barrier
#define belay_shim_wait belay_shim_system_wait
#define belay_shim_wake belay_shim_system_wake
#endif

static bool has_membarrier;

// Runs before there can be a second thread.
__attribute__((constructor(101))) static void find_membarrier(void) {
  has_membarrier = syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
}

// Removing the permission to write to a page makes the kernel interrupt every processor that runs a
// thread of this process, and an interrupt is a fence. This needs no privilege. So it is used where
// the kernel has no membarrier, or where a sandbox forbids it later. (A processor that broadcasts
// the removal, as those of ARM do, is not interrupted: see docs/architecture.md.)
static void interrupt_processors(void) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static char *page;
  static size_t size;
  pthread_mutex_lock(&lock);
  if (!page) {
    size = (size_t)sysconf(_SC_PAGESIZE);
    page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) belay_shim_out_of_memory(size);
  }
  // A page must have been written to, because otherwise no processor has its translation cached.
  if (mprotect(page, size, PROT_READ | PROT_WRITE) == 0) {
    __atomic_fetch_add(page, 1, __ATOMIC_SEQ_CST);
    if (mprotect(page, size, PROT_READ) == 0) {
      pthread_mutex_unlock(&lock);
      return;
    }
  }
  // Without a barrier a context could be freed during its callback.
  belay_shim_print_error("belay: neither membarrier nor mprotect is permitted");
  abort();
}

void belay_shim_barrier(void) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  if (belay_shim_is_alone()) return;
  if (!has_membarrier || syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) != 0)
    interrupt_processors();
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

bool belay_shim_wait(const void *word, uint32_t expected, int64_t nanoseconds) {
  struct timespec limit = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  long result = syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected,
                        nanoseconds < 0 ? NULL : &limit, NULL, 0);
  return result == 0 || errno != ETIMEDOUT;
}

void belay_shim_wake(const void *word, int count) {
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, NULL, NULL, 0);
}

void belay_shim_yield(void) { sched_yield(); }

// Not inline, because the two would be twice as long.
__attribute__((noinline)) static int64_t read_clock(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t belay_shim_monotonic(void) { return read_clock(CLOCK_MONOTONIC); }

int64_t belay_shim_coarse(void) { return read_clock(CLOCK_MONOTONIC_COARSE); }

void belay_shim_trap(void) { raise(SIGTRAP); }

// One call, so that the lines of several threads stay whole, unless they are longer than a kilobyte.
void belay_shim_print_error(const char *text) { dprintf(STDERR_FILENO, "%s\n", text); }

void belay_shim_print_double(double number, int digits, char text[32]) {
  if (number != number) {
    memcpy(text, "nan", 4);
    return;
  }
  // Nearly all numbers need no more than `digits`; three more are always enough.
  for (int used = digits; used <= digits + 3; used++) {
    snprintf(text, 32, "%.*g", used, number);
    double read = strtod(text, NULL);
    if (digits < 15 ? (float)read == (float)number : read == number) break;
  }
  // The locale may have another decimal point, which may have several bytes.
  char *end = text;
  bool is_whole = true;
  for (const char *from = text; *from; from++) {
    if (strchr("+-0123456789einfa", *from)) {
      is_whole &= !strchr("einfa", *from);
      *end++ = *from;
    } else if (is_whole) {
      is_whole = false;
      *end++ = '.';
    }
  }
  if (is_whole) {
    *end++ = '.';
    *end++ = '0';
  }
  *end = 0;
}
