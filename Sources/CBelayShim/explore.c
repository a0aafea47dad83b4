// The steps of the explorer's build, and other differences of it (see explore.h). Other builds do
// not compile this file.
#include "explore.h"

#include <stdlib.h>
#include <string.h>

#include "CBelayShim.h"

const belay_explore_engine *belay_explore_engine_in_use;
bool belay_explore_is_alone;
bool belay_explore_faults[belay_explore_fault_count];

extern void *__libc_malloc(size_t size);
extern void __libc_free(void *block);

// Hidden, so that only code of this library allocates through these.
static void *allocate(size_t size) {
  const belay_explore_engine *engine = belay_explore_engine_in_use;
  return engine ? engine->allocate(size) : __libc_malloc(size);
}

BELAY_HIDDEN void *malloc(size_t size) { return allocate(size); }

BELAY_HIDDEN void *calloc(size_t count, size_t size) {
  void *block = allocate(count * size);
  return block ? memset(block, 0, count * size) : NULL;
}

BELAY_HIDDEN void free(void *block) {
  const belay_explore_engine *engine = belay_explore_engine_in_use;
  if (engine) engine->release(block);
  else __libc_free(block);
}

static uint64_t load(const belay_explore_step *step) {
  switch (step->size) {
    case 1:
      return __atomic_load_n((uint8_t *)step->word, __ATOMIC_SEQ_CST);
    case 2:
      return __atomic_load_n((uint16_t *)step->word, __ATOMIC_SEQ_CST);
    case 4:
      return __atomic_load_n((uint32_t *)step->word, __ATOMIC_SEQ_CST);
    default:
      return __atomic_load_n((uint64_t *)step->word, __ATOMIC_SEQ_CST);
  }
}

static void store(const belay_explore_step *step, uint64_t value) {
  switch (step->size) {
    case 1:
      return __atomic_store_n((uint8_t *)step->word, value, __ATOMIC_SEQ_CST);
    case 2:
      return __atomic_store_n((uint16_t *)step->word, value, __ATOMIC_SEQ_CST);
    case 4:
      return __atomic_store_n((uint32_t *)step->word, value, __ATOMIC_SEQ_CST);
    default:
      return __atomic_store_n((uint64_t *)step->word, value, __ATOMIC_SEQ_CST);
  }
}

static bool exchange(const belay_explore_step *step, uint64_t before, uint64_t after) {
#define TRY(type)                                                                         \
  {                                                                                       \
    type expected = (type)before;                                                         \
    return __atomic_compare_exchange_n((type *)step->word, &expected, (type)after, false, \
                                       __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);               \
  }
  switch (step->size) {
    case 1:
      TRY(uint8_t)
    case 2:
      TRY(uint16_t)
    case 4:
      TRY(uint32_t)
    default:
      TRY(uint64_t)
  }
#undef TRY
}

static bool is_less(const belay_explore_step *step, uint64_t a, uint64_t b) {
  if (!step->isSigned) return a < b;
  int unused = 64 - step->size * 8;
  return (int64_t)(a << unused) < (int64_t)(b << unused);
}

static uint64_t modified(const belay_explore_step *step, uint64_t before) {
  uint64_t operand = step->operand;
  switch (step->kind) {
    case belay_explore_add:
      return before + operand;
    case belay_explore_subtract:
      return before - operand;
    case belay_explore_or:
      return before | operand;
    case belay_explore_and:
      return before & operand;
    case belay_explore_xor:
      return before ^ operand;
    case belay_explore_max:
      return is_less(step, before, operand) ? operand : before;
    case belay_explore_min:
      return is_less(step, before, operand) ? before : operand;
    case belay_explore_compare_exchange:
      return before == step->expected ? operand : before;
    default:
      return operand;
  }
}

uint64_t belay_explore_perform(const belay_explore_step *step) {
  switch (step->kind) {
    case belay_explore_load:
      return load(step);
    case belay_explore_store:
      return store(step, step->operand), 0;
    case belay_explore_fence:
      return __atomic_thread_fence(__ATOMIC_SEQ_CST), 0;
    case belay_explore_barrier:
      return belay_shim_system_barrier(), 0;
    case belay_explore_wait:
      return belay_shim_system_wait(step->word, (uint32_t)step->operand, step->limit);
    case belay_explore_wake:
      return belay_shim_system_wake(step->word, (int)step->operand), 0;
    default:
      break;
  }
  uint64_t before = load(step);
  while (!exchange(step, before, modified(step, before))) before = load(step);
  return before;
}

uint64_t belay_explore_take(belay_explore_step step) {
  const belay_explore_engine *engine = belay_explore_engine_in_use;
  return engine ? engine->step(&step) : belay_explore_perform(&step);
}

void belay_shim_fence(void) {
  belay_explore_take((belay_explore_step){.kind = belay_explore_fence});
}

void belay_shim_barrier(void) {
  if (belay_explore_has_fault(belay_explore_fence_for_itself)) return belay_shim_fence();
  if (!belay_shim_is_alone())
    belay_explore_take((belay_explore_step){.kind = belay_explore_barrier});
}

bool belay_shim_wait(const void *word, uint32_t expected, int64_t nanoseconds) {
  return belay_explore_take((belay_explore_step){.kind = belay_explore_wait,
                                                 .size = 4,
                                                 .word = (void *)word,
                                                 .operand = expected,
                                                 .limit = nanoseconds});
}

void belay_shim_wake(const void *word, int count) {
  belay_explore_take((belay_explore_step){
      .kind = belay_explore_wake, .size = 4, .word = (void *)word, .operand = (uint64_t)count});
}

uint64_t belay_shim_count_step(belay_explore_kind kind, belay_explore_order order, void *count,
                               uint64_t operand) {
  return belay_explore_take((belay_explore_step){.kind = kind,
                                                 .order = order,
                                                 .size = sizeof(intptr_t),
                                                 .isCount = true,
                                                 .word = count,
                                                 .operand = operand});
}

void belay_explore_acquire(uint32_t *word) {
  while (belay_explore_take((belay_explore_step){.kind = belay_explore_compare_exchange,
                                                 .order = belay_explore_acquiring,
                                                 .size = sizeof *word,
                                                 .word = word,
                                                 .operand = 1}) != 0)
    belay_shim_wait(word, 1, -1);
}

void belay_explore_release(uint32_t *word) {
  belay_explore_atomic(belay_explore_exchange, belay_explore_releasing, word, sizeof *word, 0,
                       __FILE__, __LINE__);
  belay_shim_wake(word, 1);
}

void belay_explore_swap_current(belay_explore_current *current) {
  belay_explore_current now = {belay_shim_current_id, belay_shim_current, belay_shim_failure};
  belay_shim_current_id = current->id;
  belay_shim_current = current->record;
  belay_shim_failure = current->failure;
  *current = now;
}

// The engine has a pool of its own, in the place of pool.c.
int belay_shim_find_threads(void) { return 0; }
