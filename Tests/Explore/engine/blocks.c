/* The memory that the library allocates while a scenario runs. Freed memory is kept and spoilt
   until the schedule is over, so that every step at freed memory is seen. A word has a name that is
   the same in each schedule: the thread that allocated its block, the block's number among that
   thread's, and the place within. */
#include <stdlib.h>
#include <string.h>

#include "engine.h"

enum { granule = 16, places = 1 << 17, most_blocks = 1 << 14, largest = 4096, spoilt = 0xdb };

extern void *__libc_malloc(size_t size);
extern void __libc_free(void *block);

static block blocks[most_blocks];
static int count;
/* The block that a granule of memory belongs to: an open hash, which is cleared by counting up
   `generation`. */
static struct {
  uintptr_t granule;
  uint32_t generation;
  int block;
} shadow[places];
static uint32_t generation = 1;

static size_t place_of(uintptr_t number) {
  size_t place = (number * 0x9E3779B97F4A7C15u) >> 40 & (places - 1);
  while (shadow[place].generation == generation && shadow[place].granule != number)
    place = (place + 1) & (places - 1);
  return place;
}

block *block_of(const void *address) {
  uintptr_t number = (uintptr_t)address / granule;
  size_t place = place_of(number);
  if (shadow[place].generation != generation) return NULL;
  block *found = &blocks[shadow[place].block];
  return (const char *)address < found->start + found->size ? found : NULL;
}

void *allocate(size_t size) {
  char *memory = __libc_malloc(size);
  if (!running || !memory || size > largest || count == most_blocks) return memory;
  blocks[count] = (block){.start = memory,
                          .size = (uint32_t)size,
                          .ordinal = running->allocations++,
                          .thread = (uint8_t)running->number};
  for (uintptr_t at = (uintptr_t)memory / granule; at * granule < (uintptr_t)memory + size; at++) {
    size_t place = place_of(at);
    shadow[place].granule = at;
    shadow[place].generation = generation;
    shadow[place].block = count;
  }
  count++;
  return memory;
}

void release(void *memory) {
  if (!memory) return;
  block *freed = running ? block_of(memory) : NULL;
  if (!freed || freed->start != (char *)memory) return __libc_free(memory);
  if (freed->isFreed) fail("memory is freed twice");
  if (isExploring) {
    for (int i = 0; i < fiberCount; i++) {
      for (int entry = 0; entry < fibers[i].buffered; entry++) {
        if (block_of(fibers[i].buffer[entry].step.word) != freed) continue;
        if (&fibers[i] != running)
          fail("memory is freed that a store of thread %d is on its way to", i);
        drain_all(running);
      }
    }
  }
  watch_release(freed);
  freed->isFreed = true;
  memset(memory, spoilt, freed->size);
}

static int left[8];

int forget_blocks(void) {
  int leftCount = 0;
  for (int i = 0; i < count; i++) {
    if (blocks[i].isFreed) __libc_free(blocks[i].start);
    else if (leftCount++ < 8) left[leftCount - 1] = i;
  }
  count = 0;
  generation++;
  return leftCount;
}

const block *left_block(int index) { return &blocks[left[index]]; }

/* ---- words that more than one thread touches ---- */

enum { most_words = 1 << 14 };
static struct {
  uint64_t name;
  uint8_t threads;
  bool isContended; /* as the current schedules know it */
} words[most_words];
static bool hasLearnt;

static uint64_t name_of(const void *word) {
  const block *found = block_of(word);
  if (!found) return (uint64_t)(uintptr_t)word;
  return (uint64_t)(found->thread + 1) << 56 | (uint64_t)found->ordinal << 16 |
         (uint64_t)((const char *)word - found->start);
}

bool is_contended(const void *word) {
  uint64_t name = name_of(word);
  size_t place = (name * 0x9E3779B97F4A7C15u) >> 50;
  for (int tries = 0; tries < 512; tries++, place = (place + 1) & (most_words - 1)) {
    if (words[place].name == 0) words[place].name = name;
    if (words[place].name != name) continue;
    uint8_t threads = words[place].threads | (uint8_t)(1 << running->number);
    if (threads != words[place].threads && words[place].threads != 0) hasLearnt = true;
    words[place].threads = threads;
    return words[place].isContended;
  }
  return true;
}

bool learn_contended(void) {
  if (!hasLearnt) return false;
  hasLearnt = false;
  bool isNew = false;
  for (int i = 0; i < most_words; i++) {
    bool isContended = (words[i].threads & (words[i].threads - 1)) != 0;
    isNew |= isContended && !words[i].isContended;
    words[i].isContended = isContended;
  }
  return isNew;
}

void forget_contended(void) { memset(words, 0, sizeof words); }
