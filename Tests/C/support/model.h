/* A small model of the rules for one thread: subjects, subscriptions, owners, posts.
 *
 * It knows nothing of how the library does it: only who is called, in which order, what a call
 * answers, and when. random_model.c plays the same game on both and compares the traces.
 */
#ifndef MODEL_H
#define MODEL_H

#include "cases.h"

enum { SUBJECTS = 3, SLOTS = 10, OWNERS = 2, CAPACITY = 3, MOST = 256 };
typedef enum end { END_NONE, END_COMPLETED, END_ERROR, END_INTERRUPTED } end;
typedef enum happening {
  /* of a subscription */
  NEXT,
  COMPLETED,
  FAILED,
  DISPOSED,
  FREED,
  /* of its first stage, when that is a `do` */
  TAPPED,
  TAP_ENDED,
  TORN,
  /* of an owner */
  DYING,
  DEINIT,
  DEAD,
  /* of the loop */
  POSTED
} happening;

/* What a callback does in the game: notes itself, then perhaps acts. */
void model_happened(happening what, int number, int value);

typedef struct model_owner {
  int number, waiting_for;
  struct model_subscription *members[MOST];
  int count;
} model_owner;

typedef struct model_subscription {
  struct model_subscription *made_before;
  int slot, has_tap, left; /* of take; negative: no take */
  int is_closed, depth, is_freed, is_gone;
  model_owner *waiters[OWNERS * 4];
  int waiter_count;
} model_subscription;

typedef struct model_subject {
  struct model_subject *made_before;
  belay_reentrancy policy;
  int references, is_busy, is_abandoned;
  end ended, queued_end;
  int values[CAPACITY], value_count;
  model_subscription *sinks[MOST];
  int count;
} model_subject;

typedef struct model {
  model_subject *subjects[SUBJECTS];
  model_subscription *slots[SLOTS];
  model_owner *owners[OWNERS];
  model_subscription *latest; /* all that were ever made … */
  model_subject *gone;        /* … and those without a handle, to be freed at the end */
  int posts;
} model;

static inline void *made(size_t size) {
  void *it = calloc(1, size);
  if (!it) abort();
  return it;
}

/* ---- owners ---- */
static inline void model_owner_settle(model_owner *it) {
  if (--it->waiting_for > 0) return;
  model_happened(DEINIT, it->number, 0);
  model_happened(DEAD, it->number, 0);
  free(it);
}

/* ---- subscriptions ---- */

/* Nothing of it is on the stack, and its context is gone: deaths may go on. */
static inline void model_quiet(model_subscription *it) {
  if (it->depth > 0 || !it->is_gone) return;
  int count = it->waiter_count;
  it->waiter_count = 0;
  for (int i = 0; i < count; i++) model_owner_settle(it->waiters[i]);
}

static inline void model_free(model_subscription *it) {
  it->is_freed = 1;
  model_happened(FREED, it->slot, 0);
  it->is_gone = 1;
}

static inline void model_leave(model_subscription *it) {
  if (--it->depth > 0 || !it->is_closed) return;
  if (!it->is_freed) model_free(it);
  model_quiet(it);
}

static inline void model_tear_down(model_subscription *it) {
  if (it->has_tap) model_happened(TORN, it->slot, 0);
}

static inline void model_end(model_subscription *it, end how) {
  if (it->is_closed) return;
  it->is_closed = 1;
  /* Without an event it is like a disposal. */
  if (how == END_INTERRUPTED) model_tear_down(it);
  if (how == END_COMPLETED) model_happened(COMPLETED, it->slot, 0);
  if (how == END_ERROR) model_happened(FAILED, it->slot, 0);
  model_happened(DISPOSED, it->slot, 0);
  if (how != END_INTERRUPTED) model_tear_down(it);
}

static inline void model_next(model_subscription *it, int value) {
  it->depth++;
  if (!it->is_closed && it->has_tap) model_happened(TAPPED, it->slot, value);
  if (!it->is_closed && it->left != 0) {
    int is_last = it->left == 1;
    if (it->left > 0) it->left--;
    model_happened(NEXT, it->slot, value);
    if (is_last) model_end(it, END_COMPLETED);
  }
  model_leave(it);
}

static inline void model_enter_end(model_subscription *it, end how) {
  it->depth++;
  if (!it->is_closed && it->has_tap && how != END_INTERRUPTED)
    model_happened(TAP_ENDED, it->slot, 0);
  model_end(it, how);
  model_leave(it);
}

static inline void model_dispose(model_subscription *it) {
  if (it->is_closed) return;
  it->is_closed = 1;
  int is_inside = it->depth++ > 0;
  model_tear_down(it);
  model_happened(DISPOSED, it->slot, 0);
  if (!is_inside) model_free(it);
  model_leave(it);
}

static inline int model_dispose_sync(model_subscription *it) {
  model_dispose(it);
  return it->is_gone ? 0 : BELAY_EINPROGRESS;
}

static inline void model_kill(model *all, int number) {
  model_owner *it = all->owners[number];
  all->owners[number] = NULL;
  model_happened(DYING, number, 0);
  it->waiting_for = 1;
  for (int i = 0; i < it->count; i++) {
    model_subscription *member = it->members[i];
    model_dispose(member);
    if (member->depth == 0 && member->is_gone) continue;
    it->waiting_for++;
    member->waiters[member->waiter_count++] = it;
  }
  model_owner_settle(it);
}

/* ---- subjects ---- */
static inline void model_deliver(model_subject *it, int value) {
  int count = it->count; /* who comes meanwhile is not called */
  for (int i = 0; i < count; i++) model_next(it->sinks[i], value);
}

static inline void model_finish(model_subject *it, end how) {
  if (it->ended) return;
  it->ended = how;
  for (int i = 0; i < it->count; i++) model_enter_end(it->sinks[i], how);
}

/* After an event: what was queued meanwhile, then the end, then the interruption. */
static inline void model_settle(model_subject *it) {
  while (it->value_count > 0 && !it->ended) {
    int value = it->values[0];
    memmove(it->values, it->values + 1, sizeof *it->values * (size_t)--it->value_count);
    model_deliver(it, value);
  }
  if (it->queued_end) model_finish(it, it->queued_end);
  if (it->is_abandoned) model_finish(it, END_INTERRUPTED);
  it->is_busy = 0;
}

static inline int model_send(model_subject *it, int value) {
  if (it->ended || it->queued_end) return BELAY_EENDED;
  if (!it->is_busy) {
    it->is_busy = 1;
    model_deliver(it, value);
    model_settle(it);
    return 0;
  }
  switch (it->policy) {
    case BELAY_REENTRANCY_DEPTH_FIRST:
      model_deliver(it, value);
      return 0;
    case BELAY_REENTRANCY_REJECT:
      return BELAY_EREENTRANT;
    case BELAY_REENTRANCY_LATEST:
      it->value_count = 0;
      break;
    case BELAY_REENTRANCY_QUEUE:
      break;
  }
  if (it->value_count == CAPACITY) return BELAY_EAGAIN;
  it->values[it->value_count++] = value;
  return BELAY_QUEUED;
}

static inline int model_send_end(model_subject *it, end how) {
  if (it->ended || it->queued_end) return BELAY_EENDED;
  if (it->is_busy && it->policy != BELAY_REENTRANCY_DEPTH_FIRST) {
    it->queued_end = how;
    return BELAY_QUEUED;
  }
  int is_outermost = !it->is_busy;
  it->is_busy = 1;
  model_finish(it, how);
  if (is_outermost) model_settle(it);
  return 0;
}

static inline void model_release(model *all, model_subject *it) {
  if (--it->references > 0) return;
  it->made_before = all->gone;
  all->gone = it;
  it->is_abandoned = 1;
  if (it->is_busy) return;
  it->is_busy = 1;
  model_settle(it);
}

static inline void model_subscribe(model *all, int slot, int number, int owner, int take,
                                   int has_tap) {
  model_subject *subject = all->subjects[number];
  model_subscription *it = made(sizeof *it);
  it->slot = slot;
  it->left = take ? take : -1;
  it->has_tap = has_tap;
  it->made_before = all->latest;
  all->latest = it;
  all->slots[slot] = it;
  if (owner >= 0) all->owners[owner]->members[all->owners[owner]->count++] = it;
  subject->references++;
  if (subject->ended) model_enter_end(it, subject->ended);
  else subject->sinks[subject->count++] = it;
  model_release(all, subject);
}

/* ---- between two steps: nothing is on the stack, and the ended can be forgotten ---- */
static inline int model_keep_living(model_subscription **list, int count) {
  int kept = 0;
  for (int i = 0; i < count; i++)
    if (!list[i]->is_closed) list[kept++] = list[i];
  return kept;
}
static inline void model_tidy(model *all) {
  for (int i = 0; i < SUBJECTS; i++)
    if (all->subjects[i])
      all->subjects[i]->count = model_keep_living(all->subjects[i]->sinks, all->subjects[i]->count);
  for (int i = 0; i < OWNERS; i++)
    if (all->owners[i])
      all->owners[i]->count = model_keep_living(all->owners[i]->members, all->owners[i]->count);
}

static inline void model_end_all(model *all) {
  for (model_subscription *it = all->latest, *next; it; it = next) {
    next = it->made_before;
    CHECK(it->is_gone);
    free(it);
  }
  for (model_subject *it = all->gone, *next; it; it = next) {
    next = it->made_before;
    free(it);
  }
}

#endif
