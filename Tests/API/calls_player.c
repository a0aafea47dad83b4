/* A player: what it draws, its calls in progress, and the handles, which all players share. */
#include "random_calls.h"

#include <pthread.h>

enum { MOST_TOKENS = 40000, MOST_PINS = 400, MOST_FRAMES = 64, MOST_HOARD = 4000, CALLBACKS = 4000 };

_Thread_local int player;
int players = 1;
const char *only;
static _Thread_local int calls_left;

/* ---- chance ---- */

/* Threads that do not play draw from it, too. */
static _Thread_local uint64_t state = 88172645463325252u;
uint64_t draw(uint64_t below) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (state * 2685821657736338717u >> 11) % below;
}
void begin_player(int number, uint64_t seed, int calls) {
  player = number;
  state = seed * 0x9E3779B97F4A7C15u + 0x2545F4914F6CDD1Du;
  for (int i = 0; i < 8; i++) draw(2);
  calls_left = calls;
}

/* ---- contexts ---- */

static token tokens[MOST_TOKENS];
static atomic_int token_count;
static _Thread_local const char *current; /* the call that draws */

token *give(void **ctx, belay_free_fn *ctx_free) {
  *ctx = NULL;
  *ctx_free = NULL;
  if (rarely() || atomic_load(&token_count) >= MOST_TOKENS - 100) return NULL;
  token *made = &tokens[atomic_fetch_add(&token_count, 1)];
  made->call = current;
  made->number = calls_told() - 1;
  *ctx = made;
  if (rarely()) made->may_stay = 2;
  else *ctx_free = free_token;
  return made;
}

static token *as_token(void *ctx) {
  token *it = ctx;
  return it >= tokens && it < tokens + MOST_TOKENS ? it : NULL;
}

void free_token(void *ctx) {
  token *it = as_token(ctx);
  if (!it) fault("ctx_free of what is no context");
  else if (atomic_fetch_add(&it->freed, 1) != 0) fault("ctx_free twice, of call %ld", it->number);
  else if (atomic_load(&it->running) != 0) fault("ctx_free inside of a callback, of call %ld", it->number);
  else if (player && draw(8) == 0) act();
}

const token *kept_token(void) {
  for (int i = 0; i < token_count; i++)
    if (!tokens[i].may_stay && !atomic_load(&tokens[i].freed)) return &tokens[i];
  return NULL;
}

/* ---- frames: calls in progress ---- */

static _Thread_local struct {
  pool *pool;
  void *handle;
} pins[MOST_PINS];
static _Thread_local int pin_count, frame_count, call_depth, callback_depth;
static _Thread_local struct {
  int first_pin, is_ready;
} frames[MOST_FRAMES];
static atomic_int callbacks;

int is_drained(void) { return atomic_load(&callbacks) > CALLBACKS; }

/* Whether a handle of the pool belongs to one thread at a time. It is out of the pool while it is used. */
static int is_exclusive(pool *pool) { return players > 1 && pool == &belay_invocation_pool; }

static void unpin(int at) {
  void *handle = pins[at].handle;
  pins[at].handle = NULL;
  if (handle && is_exclusive(pins[at].pool)) put(pins[at].pool, handle);
  else if (handle) pins[at].pool->release(handle);
}

void drop_pins(void) {
  while (frame_count == 0 && pin_count > 0) unpin(--pin_count);
}

void begin_call(const char *name) {
  drop_pins();
  current = name;
  frames[frame_count].is_ready = 0;
  frames[frame_count++].first_pin = pin_count;
  tell(call_depth, "", name);
  call_depth++;
}

static int has(pool *pool, void *handle) {
  for (int i = 0; i < pool->count; i++)
    if (pool->items[i] == handle) return 1;
  return 0;
}

/* Half of the arguments are held by their pools alone, so that a callback can release the last reference. Where others
 * empty the pools, too, act() does that. */
void ready(void) {
  for (int i = frames[frame_count - 1].first_pin; i < pin_count && players == 1; i++)
    if (flip() && has(pins[i].pool, pins[i].handle)) unpin(i);
  frames[frame_count - 1].is_ready = 1;
  belay_last_error();
}

void end_call(void) {
  call_depth--;
  int base = frames[--frame_count].first_pin;
  while (pin_count > base) unpin(--pin_count);
}

void check_code(const char *function, int result) {
  note("answers %d", result);
  if (result >= 0 || is_drawn_code(result)) return;
  if (strcmp(belay_error_name(result), "UNKNOWN") == 0) fault("%s answers %d, which is no code", function, result);
  if (!belay_last_error()) fault("%s answers %s and records nothing", function, belay_error_name(result));
}

/* ---- pools ---- */

/* No call of the library is made under it, but one that retains. */
static pthread_mutex_t pools_lock = PTHREAD_MUTEX_INITIALIZER;

static int is_among(const char *name, const char *const *names) {
  while (*names && strcmp(*names, name) != 0) names++;
  return *names != NULL;
}

/* Whether the player may make this call. The first player alone uses the adopted objects, the class's table and the
 * host's loop. Without a keeper it must not bind the loops of the others. */
static int may_play(const char *name) {
  static const char *const firsts[] = {
      "belay_owner_adopt",          "belay_owner_end",        "belay_owner_will_end", "belay_owner_did_end",
      "belay_owner_adopt_slot",     "belay_loop_adopt",       "belay_scheduler_create_host",
      "belay_scheduler_flush",      NULL,
  };
  /* Nobody else may be using what they are about. */
  static const char *const alone[] = {"belay_table_gone", "belay_signal_set_name", "belay_invocation_retain",
                                      NULL};
  static const char *const binding[] = {"belay_loop_run", "belay_loop_bind", "belay_signal_wait_first",
                                        "belay_signal_wait_last", NULL};
  if (players == 1) return 1;
  return !is_among(name, alone) && (player == 1 ? keeper || !is_among(name, binding) : !is_among(name, firsts));
}

static void make_one(pool *pool) {
  if (call_depth > 3 || frame_count > 40) return;
  size_t from = draw(call_count);
  for (size_t i = 0; i < call_count; i++) {
    const call *each = &calls[(from + i) % call_count];
    if (!each->makes || (each->makes != pool && each->makes->parent != pool) || !may_play(each->name)) continue;
    each->play();
    return;
  }
}

/* With a reference of the caller's, which may be the pool's own. A pool without `retain` hands its handle out. */
static void *hold(pool *pool, int may_empty) {
  if (pool->count == 0 && draw(4)) make_one(pool);
  pthread_mutex_lock(&pools_lock);
  int count = pool->count, at = count == 0 ? 0 : (int)draw((uint64_t)count);
  void *handle = count == 0 ? NULL : pool->items[at];
  if (handle && pool->retain && !is_exclusive(pool) && !(may_empty && draw(3) == 0)) pool->retain(handle);
  else if (handle) pool->items[at] = pool->items[--pool->count];
  pthread_mutex_unlock(&pools_lock);
  return handle;
}

void *peek(pool *pool) {
  if (players > 1) return pick(pool);
  if (pool->count == 0 && draw(4)) make_one(pool);
  return pool->count == 0 ? NULL : pool->items[draw((uint64_t)pool->count)];
}

void *pick(pool *pool) {
  void *handle = rarely() || pin_count == MOST_PINS ? NULL : hold(pool, 0);
  if (!handle) return NULL;
  if (pin_count == MOST_PINS) return pool->release(handle), NULL;
  pins[pin_count].pool = pool;
  pins[pin_count++].handle = handle;
  return handle;
}

/* The last reference may be the one that is given away. */
void *take(pool *pool) { return rarely() ? NULL : hold(pool, 1); }

void *take_any(pool *pool) {
  pthread_mutex_lock(&pools_lock);
  void *handle = pool->count == 0 ? NULL : pool->items[--pool->count];
  pthread_mutex_unlock(&pools_lock);
  return handle;
}

int hold_all(pool *pool, void *handles[POOL]) {
  pthread_mutex_lock(&pools_lock);
  int count = pool->count;
  for (int i = 0; i < count; i++) handles[i] = pool->retain(pool->items[i]);
  pthread_mutex_unlock(&pools_lock);
  return count;
}

void put(pool *pool, void *handle) {
  void *old = NULL;
  pthread_mutex_lock(&pools_lock);
  if (pool->count < POOL) {
    pool->items[pool->count++] = handle;
  } else {
    int at = (int)draw(POOL);
    old = pool->items[at];
    pool->items[at] = handle;
  }
  pthread_mutex_unlock(&pools_lock);
  if (old) pool->release(old);
}

static belay_disposable *hoarded[MOST_HOARD];
static atomic_int hoard_count;

/* Keeps a subscription until the end, where it is disposed of. */
static void hoard(belay_disposable *disposable) {
  if (!disposable || atomic_load(&hoard_count) >= MOST_HOARD - 100) return;
  hoarded[atomic_fetch_add(&hoard_count, 1)] = belay_disposable_retain(disposable);
}
void dispose_hoard(void) {
  for (int i = 0; i < hoard_count; i++) belay_disposable_dispose(hoarded[i]);
}
void release_hoard(void) {
  for (int i = 0; i < hoard_count; i++) belay_disposable_release(hoarded[i]);
}

void made(pool *pool, const char *function, void *handle, int is_own) {
  if (!handle) {
    if (is_own && !belay_last_error()) fault("%s answers NULL and records nothing", function);
    return;
  }
  note("makes %s %p", pool->name, handle);
  if (pool == &belay_disposable_pool || pool->parent == &belay_disposable_pool) hoard(handle);
  if (pool->parent) put(pool->parent, pool->retain(handle));
  put(pool, handle);
}

void lend_handle(int quiet, pool *pool, void *handle) {
  if (quiet || !handle || !pool->retain || is_exclusive(pool) || is_keeper(handle) || flip()) return;
  pool->retain(handle);
  if (pool == &belay_disposable_pool || pool->parent == &belay_disposable_pool) hoard(handle);
  put(pool, handle);
}

/* ---- callbacks ---- */

int enter(const char *callback, void *ctx) {
  token *it = as_token(ctx);
  if (it && atomic_load(&it->freed)) fault("%s runs after the ctx_free of call %ld", callback, it->number);
  if (it) atomic_fetch_add(&it->running, 1);
  int count = atomic_fetch_add(&callbacks, 1);
  if (!player) return 1;
  callback_depth++;
  if (count < CALLBACKS) tell(call_depth, "> ", callback);
  return is_drained() || callback_depth > 4 || call_depth > 5;
}

void leave(void *ctx) {
  token *it = as_token(ctx);
  if (it) atomic_fetch_sub(&it->running, 1);
  if (player) callback_depth--;
}

static const char *const favourites[] = {
    "belay_signal_subscribe", "belay_signal_chain_n", "belay_subject_next", "belay_loop_run", "belay_subscriber_next",
    "belay_disposable_dispose", "belay_scheduler_after", "belay_scheduler_schedule", "belay_subject_next_batch",
    "belay_scheduler_advance", "belay_signal_connect", "belay_subject_completed", "belay_signal_subscribe",
};

int has_calls_left(void) { return calls_left > 0; }
void stop_playing(void) {
  calls_left = 0;
  atomic_store(&callbacks, CALLBACKS + 1); /* from here on callbacks do nothing */
}

void play_one(void) {
  if (calls_left <= 0) return;
  calls_left--;
  const char *name = draw(3) == 0 ? ONE_OF(favourites) : NULL;
  size_t from = draw(call_count);
  for (size_t i = 0; i < call_count; i++) {
    const call *each = &calls[(from + i) % call_count];
    if (name && strcmp(each->name, name) != 0) continue;
    if (!name && only && !strstr(each->name, only)) continue;
    if (!may_play(each->name)) continue;
    count_call((size_t)(each - calls));
    each->play();
    return;
  }
}

/* What a call in progress was given may lose its last reference. */
static void let_go(void) {
  int at = (int)draw((uint64_t)pin_count), frame = frame_count - 1;
  while (frames[frame].first_pin > at) frame--;
  if (frames[frame].is_ready && pins[at].pool->retain && !is_exclusive(pins[at].pool)) unpin(at);
}

void act(void) {
  if (players > 1 && frame_count && pin_count && flip()) let_go();
  if (call_depth > 5 || frame_count > 40 || is_drained() || callback_depth > 4) return;
  for (uint64_t i = draw(3); i > 0; i--) play_one();
}

void leave_with_failure(int quiet) {
  if (player) belay_last_error(); /* A thread of the pool would keep it. */
  if (is_drained() || (!quiet && draw(10) == 0)) belay_fail(draw_code(), "random");
}
belay_value answer_value(int quiet) {
  if (is_drained()) return belay_value_failure(BELAY_ECANCELED, NULL);
  return quiet ? belay_int32((int32_t)draw(5)) : draw_value();
}
int answer_int(int quiet) {
  static const int answers[] = {0, 0, 1, 1, 1, 2, -1, INT_MAX, INT_MIN, BELAY_EINVAL};
  if (is_drained()) return belay_fail(BELAY_ECANCELED, NULL);
  if (quiet) return (int)draw(2);
  return draw(10) == 0 ? belay_fail(draw_code(), draw_text()) : ONE_OF(answers);
}
int answer_iteration(int quiet, void *ctx, belay_value *out) {
  (void)ctx;
  if (is_drained() || draw(4) == 0) return 0;
  if (!quiet && rarely()) return belay_fail(draw_code(), NULL);
  *out = quiet ? belay_int32(1) : draw_value();
  return 1;
}
belay_signal *answer_signal(int quiet, belay_signal *lent) {
  if (lent && (quiet || draw(3)))
    return belay_signal_chain(belay_signal_retain(lent), belay_op_take(draw(4)));
  if (quiet) return is_drained() || flip() ? belay_signal_empty() : belay_signal_just(belay_int32(1));
  if (draw(10) == 0) return belay_fail(draw_code(), NULL), NULL;
  return flip() ? fresh_signal() : cut(take(&belay_signal_pool));
}

belay_signal *answer_with(int quiet, belay_signal *own) {
  if (quiet || draw(3)) return own;
  belay_signal *answer = answer_signal(0, own);
  belay_signal_release(own);
  return answer;
}
