/* Watches plain memory. The core is compiled with the instrumentation of the thread sanitizer,
   whose functions are here. Two accesses of two threads to one place, one of them a write, are a
   race unless an atomic orders them, in whichever order they came in this schedule. Nobody may
   touch freed memory. */
#include <string.h>

#include "engine.h"

enum {
  threads = explore_most_threads,
  cells_of_word = 8,
  words_at_once = 1 << 15,
  syncs = 1 << 13
};

bool watches_memory;

typedef uint32_t clocks[threads];
static clocks clock_of[threads];
static clocks fenced;

/* An access to some bytes of a word of eight. */
typedef struct cell {
  uint32_t when;
  uint8_t thread, bytes;
  bool isWrite;
  void *place;
} cell;

static struct word {
  uintptr_t number;
  uint32_t generation;
  uint8_t next;
  bool isFreed;
  cell cells[cells_of_word];
} words[words_at_once];

/* The clocks that threads have released at an atomic word. */
static struct sync {
  const void *word;
  uint32_t generation;
  clocks given;
} given[syncs];

static uint32_t generation = 1;

static void join(clocks into, const clocks from) {
  for (int i = 0; i < threads; i++)
    if (from[i] > into[i]) into[i] = from[i];
}

void begin_watching(void) {
  generation++;
  memset(fenced, 0, sizeof fenced);
  for (int i = 0; i < threads; i++) {
    memset(clock_of[i], 0, sizeof clock_of[i]);
    clock_of[i][i] = 1;
  }
}

void order_after_all(void) {
  for (int i = 0; i < threads; i++) {
    join(clock_of[running->number], clock_of[i]);
    clock_of[i][i]++;
  }
}

static struct sync *sync_of(const void *word) {
  size_t place = ((uintptr_t)word * 0x9E3779B97F4A7C15u) >> 51;
  while (given[place].generation == generation && given[place].word != word)
    place = (place + 1) & (syncs - 1);
  if (given[place].generation != generation) {
    given[place].generation = generation;
    given[place].word = word;
    memset(given[place].given, 0, sizeof given[place].given);
  }
  return &given[place];
}

static void order_by(const void *word, bool acquires, bool releases) {
  int me = running->number;
  struct sync *sync = sync_of(word);
  if (acquires) join(clock_of[me], sync->given);
  if (!releases) return;
  join(sync->given, clock_of[me]);
  clock_of[me][me]++;
}

void order_for_all(void) {
  int me = running->number;
  for (int i = 0; i < threads; i++) join(clock_of[me], clock_of[i]);
  for (int i = 0; i < threads; i++) {
    join(clock_of[i], clock_of[me]);
    clock_of[i][i]++;
  }
}

void order_step(const belay_explore_step *step) {
  if (!isExploring || !running) return;
  int me = running->number;
  bool isRelaxed = step->order == belay_explore_relaxed;
  switch (step->kind) {
    case belay_explore_load:
      return order_by(step->word, !isRelaxed, false);
    case belay_explore_store:
      return order_by(step->word, false, !isRelaxed);
    case belay_explore_fence:
      join(fenced, clock_of[me]);
      join(clock_of[me], fenced);
      clock_of[me][me]++;
      return;
    case belay_explore_barrier:
      return order_for_all();
    case belay_explore_wait:
    case belay_explore_wake:
      return;
    default:
      order_by(step->word, !isRelaxed && step->order != belay_explore_releasing,
               !isRelaxed && step->order != belay_explore_acquiring);
  }
}

static struct word *word_of(uintptr_t number) {
  size_t place = (number * 0x9E3779B97F4A7C15u) >> 49;
  for (int tries = 0; tries < 64; tries++, place = (place + 1) & (words_at_once - 1)) {
    struct word *word = &words[place];
    if (word->generation != generation) {
      word->generation = generation;
      word->number = number;
      word->next = 0;
      word->isFreed = false;
      memset(word->cells, 0, sizeof word->cells);
      return word;
    }
    if (word->number == number) return word;
  }
  return NULL;
}

static void watch_word(uintptr_t number, uint8_t bytes, bool isWrite, void *place) {
  struct word *word = word_of(number);
  if (!word) return;
  const void *address = (const void *)(number * 8 + (uintptr_t)__builtin_ctz(bytes));
  if (word->isFreed) {
    trace_access(running->number, address, isWrite ? "writes freed memory" : "reads freed memory",
                 place, true);
    fail(isWrite ? "freed memory is written" : "freed memory is read");
  }
  if (!isExploring) return;
  int me = running->number;
  cell *own = NULL;
  for (int i = 0; i < cells_of_word; i++) {
    cell *cell = &word->cells[i];
    if (cell->when == 0) break;
    if (cell->thread == me) {
      if (cell->bytes == bytes && cell->isWrite == isWrite) own = cell;
      continue;
    }
    if (!(cell->bytes & bytes) || !(cell->isWrite || isWrite)) continue;
    if (cell->when <= clock_of[me][cell->thread]) continue;
    trace_access(cell->thread, address, cell->isWrite ? "has written" : "has read", cell->place,
                 false);
    trace_access(me, address, isWrite ? "writes" : "reads", place, true);
    fail("a race for plain memory: thread %d %s it, %s", cell->thread,
         cell->isWrite ? "has written" : "has read",
         isWrite ? "this one writes" : "this one reads");
  }
  if (!own) {
    own = &word->cells[word->next];
    word->next = (uint8_t)((word->next + 1) % cells_of_word);
  }
  *own = (cell){clock_of[me][me], (uint8_t)me, bytes, isWrite, place};
}

/* The scenario's threads share the thread-locals of the system's thread. What is current is swapped
   instead. */
static bool is_thread_local(uintptr_t address) {
  uintptr_t own = (uintptr_t)__builtin_thread_pointer();
  return address + 8192 > own && address < own + 8192;
}

static void watch(const void *start, size_t size, bool isWrite, void *place) {
  uintptr_t address = (uintptr_t)start, end = address + size;
  if (!running || !watches_memory || is_on_stack_of(running, start) || is_thread_local(address))
    return;
  for (uintptr_t number = address / 8; number * 8 < end; number++) {
    uintptr_t first = number * 8 < address ? address - number * 8 : 0;
    uintptr_t last = end - number * 8 < 8 ? end - number * 8 : 8;
    watch_word(number, (uint8_t)((0xffu << first) & (0xffu >> (8 - last))), isWrite, place);
  }
}

void watch_release(const block *freed) {
  if (!watches_memory) return;
  uintptr_t start = (uintptr_t)freed->start;
  for (uintptr_t number = start / 8; number * 8 < start + freed->size; number++) {
    watch_word(number, 0xff, true, __builtin_return_address(0));
    struct word *word = word_of(number);
    if (word) word->isFreed = true;
  }
}

/* ---- what the compiler calls ---- */

#define CALLER __builtin_return_address(0)
#define ACCESSES(size)                                                           \
  void __tsan_read##size(void *at) { watch(at, size, false, CALLER); }           \
  void __tsan_write##size(void *at) { watch(at, size, true, CALLER); }           \
  void __tsan_unaligned_read##size(void *at) { watch(at, size, false, CALLER); } \
  void __tsan_unaligned_write##size(void *at) { watch(at, size, true, CALLER); }
ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)

void *__tsan_memcpy(void *to, const void *from, size_t size) {
  watch(from, size, false, CALLER);
  watch(to, size, true, CALLER);
  return memcpy(to, from, size);
}
void *__tsan_memmove(void *to, const void *from, size_t size) {
  watch(from, size, false, CALLER);
  watch(to, size, true, CALLER);
  return memmove(to, from, size);
}
void *__tsan_memset(void *to, int byte, size_t size) {
  watch(to, size, true, CALLER);
  return memset(to, byte, size);
}

void __tsan_func_entry(void *caller) {
  if (!running) return;
  if (running->callDepth < most_calls) running->calls[running->callDepth] = caller;
  running->callDepth++;
}
void __tsan_func_exit(void) {
  if (running && running->callDepth > 0) running->callDepth--;
}

/* Atomics that are no steps: counts of what is alive, and what is made once. */
/* A thread that looks at the same word again and again waits for another thread to make
   something. */
static void let_others_make(const volatile void *word) {
  static const volatile void *last;
  static uint32_t at, times;
  if (word != last || now != at) times = 0;
  last = word;
  at = now;
  if (++times < 1000 || !isExploring || !running) return;
  times = 0;
  for (int i = 1; i < fiberCount; i++) {
    fiber *other = &fibers[(running->number + i) % fiberCount];
    if (!can_run(other)) continue;
    other->state = ready;
    trace_switch(other->number);
    switch_to(other);
    return;
  }
}

uint64_t __tsan_atomic64_load(const volatile uint64_t *word, int order) {
  let_others_make(word);
  uint64_t value = __atomic_load_n(word, __ATOMIC_SEQ_CST);
  if (isExploring && running) order_by((const void *)word, order != 0, false);
  return value;
}
void __tsan_atomic64_store(volatile uint64_t *word, uint64_t value, int order) {
  if (isExploring && running) order_by((const void *)word, false, order != 0);
  __atomic_store_n(word, value, __ATOMIC_SEQ_CST);
}
static void order_both_ways(volatile uint64_t *word) {
  if (isExploring && running) order_by((const void *)word, true, true);
}
uint64_t __tsan_atomic64_fetch_add(volatile uint64_t *word, uint64_t operand, int order) {
  (void)order;
  order_both_ways(word);
  return __atomic_fetch_add(word, operand, __ATOMIC_SEQ_CST);
}
uint64_t __tsan_atomic64_fetch_sub(volatile uint64_t *word, uint64_t operand, int order) {
  (void)order;
  order_both_ways(word);
  return __atomic_fetch_sub(word, operand, __ATOMIC_SEQ_CST);
}
uint64_t __tsan_atomic64_compare_exchange_val(volatile uint64_t *word, uint64_t expected,
                                              uint64_t desired, int order, int otherwise) {
  (void)order, (void)otherwise;
  order_both_ways(word);
  __atomic_compare_exchange_n(word, &expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  return expected;
}

/* These do nothing here. */
void __tsan_init(void) {}
void __tsan_atomic_signal_fence(int order) { (void)order; }
void __tsan_external_write(void *at, void *caller, void *tag) { (void)at, (void)caller, (void)tag; }
void __tsan_ignore_thread_begin(void) {}
void __tsan_ignore_thread_end(void) {}
