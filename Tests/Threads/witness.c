/* What the library calls, and which faults that shows. */
#include "game.h"

#include <stdarg.h>

static _Thread_local int thread_number;

static int this_thread(void) {
  static _Atomic int numbers;
  if (thread_number == 0) thread_number = atomic_fetch_add(&numbers, 1) + 1;
  return thread_number;
}

witness *new_witness(const char *what, witness *listener) {
  int number = atomic_fetch_add(&the_game.witnesses_count, 1);
  if (number >= WITNESSES) {
    atomic_store(&the_game.witnesses_count, WITNESSES);
    return NULL;
  }
  witness *it = &the_game.witnesses[number];
  it->what = what;
  it->listener = listener;
  if (listener && listener->stage_count < STAGES) listener->stages[listener->stage_count++] = it;
  return it;
}

void describe(witness *it, const char *format, ...) {
  size_t used = strlen(it->text);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(it->text + used, TEXT - used, format, arguments);
  va_end(arguments);
}

/* A stage is described by the chain of its subscription. */
static const char *text_of(const witness *it) {
  return it->listener ? it->listener->text : it->text;
}

static void freed(witness *it) {
  if (atomic_fetch_add(&it->freed, 1) > 0)
    report(FAULT_FREED_TWICE, "%s %s", it->what, text_of(it));
}

void witness_free(void *ctx) { freed(ctx); }

/* ---- a subscription's callbacks ---- */

/* Answers which thread was inside before, for leave(). */
static int enter(witness *it, const char *event) {
  int self = this_thread();
  if (atomic_load(&it->freed)) report(FAULT_AFTER_FREE, "%s: %s", event, it->text);
  if (atomic_load(&it->disposed)) report(FAULT_AFTER_DISPOSED, "%s: %s", event, it->text);
  if (atomic_load(&it->silent)) report(FAULT_AFTER_SYNC, "%s: %s", event, it->text);
  int before = atomic_exchange(&it->inside, self);
  if (before && before != self) report(FAULT_OVERLAP, "%s: %s", event, it->text);
  return before;
}

static void leave(witness *it, int before) { atomic_store(&it->inside, before); }

static void expect_unended(witness *it, int before, const char *event) {
  /* Only `disposed` may come inside another callback. */
  if (before == this_thread()) report(FAULT_NESTED, "%s: %s", event, it->text);
  if (atomic_load(&it->ended)) report(FAULT_AFTER_END, "%s: %s", event, it->text);
}

static void on_next(void *ctx, belay_value value) {
  (void)value;
  witness *it = ctx;
  int before = enter(it, "next");
  expect_unended(it, before, "next");
  atomic_fetch_add(&it->nexts, 1);
  act_inside();
  leave(it, before);
}

static void on_error(void *ctx, const belay_error *error) {
  witness *it = ctx;
  int before = enter(it, "error");
  expect_unended(it, before, "error");
  atomic_store(&it->error, belay_error_code(error));
  atomic_store(&it->ended, 1);
  act_inside();
  leave(it, before);
}

static void on_completed(void *ctx) {
  witness *it = ctx;
  int before = enter(it, "completed");
  expect_unended(it, before, "completed");
  atomic_store(&it->ended, 1);
  act_inside();
  leave(it, before);
}

static void on_disposed(void *ctx) {
  witness *it = ctx;
  if (atomic_load(&it->disposed)) report(FAULT_DISPOSED_TWICE, "%s", it->text);
  int before = enter(it, "disposed");
  act_inside();
  atomic_store(&it->disposed, 1);
  leave(it, before);
}

static void on_free(void *ctx) {
  witness *it = ctx;
  int inside = atomic_load(&it->inside);
  if (inside) report(FAULT_OVERLAP, "ctx_free inside a callback: %s", it->text);
  freed(it);
}

belay_observer observer_of(witness *it) {
  return (belay_observer){.size = sizeof(belay_observer),
                          .next = on_next,
                          .error = on_error,
                          .completed = on_completed,
                          .disposed = on_disposed,
                          .ctx = it,
                          .ctx_free = on_free};
}

/* ---- stages and actions ---- */

void stage_enter(witness *it) {
  if (atomic_load(&it->freed)) report(FAULT_AFTER_FREE, "in %s: %s", it->what, text_of(it));
  if (atomic_load(&it->silent)) report(FAULT_AFTER_SYNC, "in %s: %s", it->what, text_of(it));
  atomic_fetch_add(&it->inside, 1);
  act_inside();
}

void stage_leave(witness *it) { atomic_fetch_sub(&it->inside, 1); }

void witness_action(void *ctx) {
  witness *it = ctx;
  if (atomic_load(&it->freed)) report(FAULT_AFTER_FREE, "an action: %s", it->what);
  atomic_fetch_add(&it->nexts, 1);
  act_inside();
}

void expect_silence(witness *it, int with_stages) {
  if (!atomic_load(&it->freed)) report(FAULT_SYNC_TOO_EARLY, "not freed: %s", it->text);
  atomic_store(&it->silent, 1);
  for (int i = 0; with_stages && i < it->stage_count; i++) {
    if (atomic_load(&it->stages[i]->inside))
      report(FAULT_SYNC_TOO_EARLY, "%s runs: %s", it->stages[i]->what, it->text);
    atomic_store(&it->stages[i]->silent, 1);
  }
}

void check_witnesses(void) {
  int count = atomic_load(&the_game.witnesses_count);
  for (int i = 0; i < count && i < WITNESSES; i++) {
    witness *it = &the_game.witnesses[i];
    int is_listener = strcmp(it->what, "subscription") == 0;
    if (!atomic_load(&it->freed))
      report(FAULT_NOT_FREED, "%s %s (nexts %ld, ended %d, disposed %d)", it->what, text_of(it),
             atomic_load(&it->nexts), atomic_load(&it->ended), atomic_load(&it->disposed));
    else if (is_listener && !it->is_refused && !atomic_load(&it->disposed))
      report(FAULT_NOT_DISPOSED, "%s", it->text);
  }
}
