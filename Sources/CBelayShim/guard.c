/* The memory of guarded objects is read-only while nobody may write to it. Here are the objects, and when each is
 * writable; guard_faults.c handles the faults. */
#include "guard_blocks.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static belay_guard_block *blocks;
static atomic_flag lock = ATOMIC_FLAG_INIT;
static atomic_size_t guards;

/* No signal handler may run while its thread has the lock: it could write to a guarded object. */
void belay_guard_lock(sigset_t *before) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, before);
  while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire)) sched_yield();
}

void belay_guard_unlock(const sigset_t *before) {
  atomic_flag_clear_explicit(&lock, memory_order_release);
  pthread_sigmask(SIG_SETMASK, before, NULL);
}

belay_guard_block *belay_guard_block_at(const char *address) {
  belay_guard_block *block = blocks;
  while (block && (size_t)(address - block->base) >= block->length) block = block->next;
  return block;
}

int belay_guard_update(belay_guard_block *block) {
  bool writable = !block->owner || block->open || block->steps || block->is_left_open;
  if (writable == block->is_writable) return 0;
  if (mprotect(block->base, block->length, writable ? PROT_READ | PROT_WRITE : PROT_READ) != 0)
    return -errno;
  block->is_writable = writable;
  return 0;
}

void belay_guard_end_other_steps(const char *base) {
  for (belay_guard_block *block = blocks; block; block = block->next) {
    block->steps = block->base == base;
    belay_guard_update(block);
  }
}

static void forget_guard(belay_guard_block *block) {
  if (!block->owner) return;
  block->owner = 0;
  block->count = 0;
  block->open = 0;
  block->stores = 0;
  block->is_left_open = false;
  atomic_fetch_sub(&guards, 1);
  belay_guard_update(block);
}

/* ---- memory ---- */

void *belay_guard_create(size_t size) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  if (size > SIZE_MAX - page) return NULL;
  size_t length = (size + page - 1) / page * page;
  belay_guard_block *made = calloc(1, sizeof *made);
  if (!made) return NULL;
  made->base = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (made->base == MAP_FAILED) {
    free(made);
    return NULL;
  }
  made->length = length;
  made->is_writable = true;
  sigset_t before;
  belay_guard_lock(&before);
  made->next = blocks;
  blocks = made;
  belay_guard_unlock(&before);
  return made->base;
}

bool belay_guard_destroy(void *memory) {
  sigset_t before;
  belay_guard_lock(&before);
  belay_guard_block **place = &blocks;
  while (*place && (*place)->base != memory) place = &(*place)->next;
  belay_guard_block *found = *place;
  if (found) {
    *place = found->next;
    forget_guard(found);
  }
  belay_guard_unlock(&before);
  if (!found) return false;
  munmap(found->base, found->length);
  free(found->fields);
  free(found);
  return true;
}

/* ---- guards ---- */

int belay_guard_begin(void *object, uintptr_t owner, const char *label,
                      const belay_guard_field *fields, size_t count) {
  belay_guard_install();
  belay_guard_field *copy = malloc((count ? count : 1) * sizeof *copy);
  if (!copy) return -ENOMEM;
  if (count) memcpy(copy, fields, count * sizeof *copy);
  sigset_t before;
  belay_guard_lock(&before);
  belay_guard_block *block = belay_guard_block_at(object);
  int code = 0;
  if (!block || block->base != object) {
    code = -EINVAL;
  } else if (block->owner) {
    code = block->owner == owner ? 1 : -EBUSY;
  } else {
    belay_guard_field *old = block->fields;
    block->owner = owner;
    block->label = label;
    block->fields = copy;
    block->count = count;
    copy = old;
    atomic_fetch_add(&guards, 1);
    code = belay_guard_update(block);
    if (code < 0) forget_guard(block);
  }
  belay_guard_unlock(&before);
  free(copy);
  return code;
}

/* Finds the guarded object and takes the lock; NULL, without the lock, if there is none. */
static belay_guard_block *lock_guarded(const void *object, sigset_t *before) {
  belay_guard_end_step();
  if (!object || atomic_load_explicit(&guards, memory_order_relaxed) == 0) return NULL;
  belay_guard_lock(before);
  belay_guard_block *block = belay_guard_block_at(object);
  if (block && block->base == object && block->owner) return block;
  belay_guard_unlock(before);
  return NULL;
}

/* Leaves the object as writable as it has to be, and gives the lock back. */
static void unlock_guarded(belay_guard_block *block, const sigset_t *before) {
  if (!block->open) block->is_left_open = false;
  belay_guard_update(block);
  belay_guard_unlock(before);
}

void belay_guard_end(void *object, uintptr_t owner) {
  sigset_t before;
  belay_guard_block *block = lock_guarded(object, &before);
  if (!block) return;
  if (block->owner == owner) forget_guard(block);
  unlock_guarded(block, &before);
}

static belay_guard_field *field_named(const belay_guard_block *block, const char *key) {
  for (size_t i = 0; i < block->count; i++)
    if (strcmp(block->fields[i].name, key) == 0) return &block->fields[i];
  return NULL;
}

void belay_guard_announce(void *object, const char *key) {
  sigset_t before;
  belay_guard_block *block = lock_guarded(object, &before);
  if (!block) return;
  belay_guard_field *field = field_named(block, key);
  if (field) {
    field->announced++;
    block->open++;
  }
  unlock_guarded(block, &before);
}

void belay_guard_revoke(void *object, const char *key) {
  sigset_t before;
  belay_guard_block *block = lock_guarded(object, &before);
  if (!block) return;
  belay_guard_field *field = field_named(block, key);
  if (field && field->announced) {
    field->announced--;
    block->open--;
  }
  unlock_guarded(block, &before);
}

void belay_guard_begin_store(void *object) {
  sigset_t before;
  belay_guard_block *block = lock_guarded(object, &before);
  if (!block) return;
  block->stores++;
  block->open++;
  unlock_guarded(block, &before);
}

void belay_guard_end_store(void *object) {
  sigset_t before;
  belay_guard_block *block = lock_guarded(object, &before);
  if (!block) return;
  if (block->stores) {
    block->stores--;
    block->open--;
  }
  unlock_guarded(block, &before);
}

void belay_guard_settle(void *object) {
  sigset_t before;
  belay_guard_block *block = lock_guarded(object, &before);
  if (block) unlock_guarded(block, &before);
}
