/* The declarations that guard.c and guard_faults.c share. */
#ifndef GUARD_BLOCKS_H
#define GUARD_BLOCKS_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "guard.h"

#include <signal.h>
#include <stdatomic.h>

/* Memory of belay_guard_create(). The lock protects all of it. */
typedef struct belay_guard_block {
  struct belay_guard_block *next;
  char *base;
  size_t length; /* whole pages */
  bool is_writable;
  uintptr_t owner; /* the thread or object that guards it; 0: none */
  const char *label;
  belay_guard_field *fields;
  size_t count;
  unsigned stores;   /* how many of Belay's are in progress */
  unsigned open;     /* the same with announced changes */
  unsigned steps;    /* how many threads execute an unannounced write */
  bool is_left_open; /* behind an unannounced write */
} belay_guard_block;

void belay_guard_lock(sigset_t *before);
void belay_guard_unlock(const sigset_t *before);
/* The rest needs the lock. */
belay_guard_block *belay_guard_block_at(const char *address);
/* Makes the block read-only or writable, as it should be now. Answers 0 or a negative errno. */
int belay_guard_update(belay_guard_block *block);

/* Ends the steps of all other threads, which are not in this process, and leaves this thread's over the
   object at `base`; NULL: it has none. */
void belay_guard_end_other_steps(const char *base);

/* Installs the handlers, once. */
void belay_guard_install(void);
/* Ends this thread's step over an unannounced write, if its trap has not come: an emulator may not know of it,
   and a longjmp takes it away. */
void belay_guard_end_step(void);

#endif
