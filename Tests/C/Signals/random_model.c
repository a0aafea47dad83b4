/* A random game, played on the library and on a model of its rules (support/model.h): both must
 * tell the same story.
 *
 * A seed decides everything, actions inside callbacks included: the nth callback of a step does the
 * same on both sides as long as the stories agree. BELAY_SEED=N, or N as the argument, plays that
 * seed alone; BELAY_STEPS=N plays it for that long.
 */
#include "model.h"

#include <time.h>
#include <unistd.h>

enum { STEPS = 4000, SEEDS = 40, ACTIONS_A_STEP = 8 };
typedef enum kind {
  SUBSCRIBE,
  SEND,
  COMPLETE,
  FAIL,
  DISPOSE,
  DISPOSE_SYNC,
  KILL,
  LET_GO,
  RENEW,
  POST,
  TURN
} kind;

static struct game {
  uint64_t seed;
  int step, callbacks, actions, is_model, is_broken;
  char text[2][1 << 14]; /* the library's story and the model's */
  size_t length[2];
  char past[8][1 << 14]; /* the last steps */
  model model;
  belay_loop *loop;
  belay_signal *subjects[SUBJECTS];
  belay_owner *owners[OWNERS];
  belay_disposable *subscriptions[SLOTS];
  int is_taken[SLOTS], numbers[SLOTS + OWNERS];
} game;

static void note(const char *format, ...) {
  char *text = game.text[game.is_model];
  size_t *length = &game.length[game.is_model], room = sizeof game.text[0] - *length;
  va_list arguments;
  va_start(arguments, format);
  int written = vsnprintf(text + *length, room, format, arguments);
  va_end(arguments);
  if (written > 0 && (size_t)written < room) *length += (size_t)written;
}

/* ---- chance, the same on both sides ---- */
static uint64_t chance(uint64_t salt) {
  uint64_t x = game.seed * 0x9e3779b97f4a7c15u + (uint64_t)game.step * 0xbf58476d1ce4e5b9u +
               (uint64_t)game.callbacks * 0x94d049bb133111ebu + salt;
  for (int i = 0; i < 3; i++) {
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9u;
    x ^= x >> 27;
  }
  return x ^ (x >> 31);
}
static int pick(uint64_t salt, int count) { return (int)(chance(salt) % (uint64_t)count); }

static void act(kind what);

static void act_by_chance(void) {
  static const struct {
    kind kind;
    int weight;
  } kinds[] = {{SUBSCRIBE, 9},    {SEND, 10}, {COMPLETE, 1}, {FAIL, 1},  {DISPOSE, 2},
               {DISPOSE_SYNC, 1}, {KILL, 1},  {LET_GO, 1},   {RENEW, 4}, {POST, 1}};
  int left = pick(1, 31);
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if ((left -= kinds[i].weight) < 0) return act(kinds[i].kind);
}

static void happened(happening what, int number, int value) {
  static const char *const names[] = {"next",  "completed", "error",     "disposed",
                                      "free",  "tapped",    "tap-ended", "torn",
                                      "dying", "deinit",    "dead",      "posted"};
  note(" %s%d", names[what], number);
  if (what == NEXT || what == TAPPED) note(":%d", value);
  game.callbacks++;
  if (what == DYING || what == DEAD || game.actions >= ACTIONS_A_STEP || pick(0, 3) > 0) return;
  note("{");
  act_by_chance();
  note("}");
}
void model_happened(happening what, int number, int value) { happened(what, number, value); }

/* ---- the library's callbacks: `ctx` points at the number of its slot or owner ---- */
static int number_of(void *ctx) { return *(int *)ctx; }
static void on_next(void *ctx, belay_value value) { happened(NEXT, number_of(ctx), int_of(value)); }
static void on_error(void *ctx, const belay_error *error) {
  CHECK_INT(belay_error_code(error), BELAY_EBUSY);
  happened(FAILED, number_of(ctx), 0);
}
static void on_completed(void *ctx) { happened(COMPLETED, number_of(ctx), 0); }
static void on_disposed(void *ctx) { happened(DISPOSED, number_of(ctx), 0); }
static void on_free(void *ctx) {
  happened(FREED, number_of(ctx), 0);
  game.is_taken[number_of(ctx)] = 0;
}
static void on_tap(void *ctx, belay_value value) {
  happened(TAPPED, number_of(ctx), int_of(value));
}
static void on_tap_error(void *ctx, const belay_error *error) {
  happened(TAP_ENDED, number_of(ctx), 0);
}
static void on_tap_completed(void *ctx) { happened(TAP_ENDED, number_of(ctx), 0); }
static void on_torn(void *ctx) { happened(TORN, number_of(ctx), 0); }
static void on_dying(void *ctx, belay_value value) { happened(DYING, number_of(ctx), 0); }
static void on_deinit(void *object) { happened(DEINIT, number_of(object), 0); }
static void on_dealloc(void *object) { happened(DEAD, number_of(object), 0); }
static void on_post(void *ctx) { happened(POSTED, 0, 0); }

/* ---- actions; each is done on both sides or, where one of them cannot, on neither ---- */
static belay_op *tap(int slot) {
  belay_observer observer = {.size = sizeof observer,
                             .next = on_tap,
                             .error = on_tap_error,
                             .completed = on_tap_completed,
                             .disposed = on_torn,
                             .ctx = &game.numbers[slot]};
  return belay_op_do(&observer);
}

static void subscribe(int slot, int subject, int owner, int take, int has_tap) {
  if (game.is_model) return model_subscribe(&game.model, slot, subject, owner, take, has_tap);
  belay_observer observer = {.size = sizeof observer,
                             .next = on_next,
                             .error = on_error,
                             .completed = on_completed,
                             .disposed = on_disposed,
                             .ctx = &game.numbers[slot],
                             .ctx_free = on_free};
  belay_signal *signal = belay_signal_retain(game.subjects[subject]);
  if (has_tap) signal = belay_signal_chain(signal, tap(slot));
  if (take) signal = belay_signal_chain(signal, belay_op_take((uint64_t)take));
  game.is_taken[slot] = 1;
  belay_disposable_release(game.subscriptions[slot]);
  belay_disposable **out = &game.subscriptions[slot];
  if (owner >= 0) observer.owner = game.owners[owner];
  CHECK_INT(belay_signal_subscribe(signal, &observer, out), 0);
  belay_signal_release(signal);
}

static int send_end(int subject, end how) {
  if (game.is_model) return model_send_end(game.model.subjects[subject], how);
  if (how == END_COMPLETED) return belay_subject_completed(game.subjects[subject]);
  belay_error *error = belay_error_create(BELAY_EBUSY, NULL, NULL, belay_null(), NULL);
  int result = belay_subject_error(game.subjects[subject], error);
  belay_error_release(error);
  return result;
}

static int dispose_sync(int slot) {
  if (game.is_model) return model_dispose_sync(game.model.slots[slot]);
  /* At home there is nothing to wait for. The time limit is for a library that waits by mistake. */
  return belay_disposable_dispose_sync(game.subscriptions[slot], 3);
}

static void dispose(int slot) {
  if (game.is_model) model_dispose(game.model.slots[slot]);
  else belay_disposable_dispose(game.subscriptions[slot]);
}

static void kill_owner(int owner) {
  if (game.is_model) return model_kill(&game.model, owner);
  belay_owner *it = game.owners[owner];
  game.owners[owner] = NULL;
  belay_owner_release(it);
}

static void let_go(int subject) {
  if (game.is_model) {
    model_subject *it = game.model.subjects[subject];
    game.model.subjects[subject] = NULL;
    return model_release(&game.model, it);
  }
  belay_signal *it = game.subjects[subject];
  game.subjects[subject] = NULL;
  belay_signal_release(it);
}

static void renew_subject(int subject, belay_reentrancy policy) {
  if (game.is_model) {
    model_subject *it = game.model.subjects[subject] = made(sizeof *it);
    it->policy = policy;
    it->references = 1;
    return;
  }
  belay_source_options options = {
      .size = sizeof options, .reentrancy = policy, .capacity = CAPACITY};
  game.subjects[subject] = belay_subject_create(&options);
}

static void renew_owner(int owner) {
  if (game.is_model) {
    game.model.owners[owner] = made(sizeof(model_owner));
    game.model.owners[owner]->number = owner;
    return;
  }
  game.owners[owner] = belay_owner_create(&game.numbers[owner], on_deinit, on_dealloc, NULL);
  belay_observer observer = {
      .size = sizeof observer, .next = on_dying, .ctx = &game.numbers[owner]};
  belay_signal *deallocating = belay_owner_deallocating(game.owners[owner]);
  CHECK_INT(belay_signal_subscribe(deallocating, &observer, NULL), 0);
  belay_signal_release(deallocating);
}

static void post(void) {
  if (game.is_model) game.model.posts++;
  else CHECK_INT(belay_loop_post(game.loop, on_post, NULL, NULL), 0);
}

static void take_turn(void) {
  if (!game.is_model) {
    belay_loop_run(game.loop, BELAY_RUN_NOWAIT);
    return;
  }
  int posts = game.model.posts; /* what is posted meanwhile is for the next turn */
  game.model.posts = 0;
  for (int i = 0; i < posts; i++) happened(POSTED, 0, 0);
}

static int has_subject(int i) {
  return game.is_model ? game.model.subjects[i] != NULL : game.subjects[i] != NULL;
}
static int has_owner(int i) {
  return game.is_model ? game.model.owners[i] != NULL : game.owners[i] != NULL;
}
static int is_taken(int slot) {
  if (!game.is_model) return game.is_taken[slot];
  model_subscription *it = game.model.slots[slot];
  return it && !it->is_gone;
}
static int was_used(int slot) {
  return game.is_model ? game.model.slots[slot] != NULL : game.subscriptions[slot] != NULL;
}

static void act(kind what) {
  int slot = pick(2, SLOTS), subject = pick(3, SUBJECTS), owner = pick(4, OWNERS);
  int number = game.step * 16 + game.actions++;
  int has = has_subject(subject);
  if (what == SUBSCRIBE && has && !is_taken(slot)) {
    int bound = pick(5, 2) && has_owner(owner) ? owner : -1;
    int take = pick(6, 3) ? 0 : pick(7, 3) + 1, has_tap = pick(11, 3) == 0;
    note(" subscribe%d to%d of%d take%d tap%d", slot, subject, bound, take, has_tap);
    subscribe(slot, subject, bound, take, has_tap);
  } else if (what == SEND && has) {
    note(" send%d:%d", subject, number);
    note("=%d", game.is_model ? model_send(game.model.subjects[subject], number)
                              : belay_subject_next(game.subjects[subject], belay_int32(number)));
  } else if ((what == COMPLETE || what == FAIL) && has && pick(12, 3) == 0) {
    note(" end%d", subject);
    note("=%d", send_end(subject, what == FAIL ? END_ERROR : END_COMPLETED));
  } else if (what == DISPOSE && was_used(slot)) {
    note(" dispose%d", slot);
    dispose(slot);
  } else if (what == DISPOSE_SYNC && was_used(slot)) {
    note(" sync%d", slot);
    note("=%d", dispose_sync(slot));
  } else if (what == KILL && has_owner(owner) && pick(13, 2)) {
    note(" kill%d", owner);
    kill_owner(owner);
  } else if (what == LET_GO && has && pick(8, 2)) {
    note(" letgo%d", subject);
    let_go(subject);
  } else if (what == RENEW && !has) {
    note(" subject%d", subject);
    renew_subject(subject, (belay_reentrancy)pick(9, 4));
  } else if (what == RENEW && !has_owner(owner)) {
    note(" owner%d", owner);
    renew_owner(owner);
  } else if (what == POST) {
    note(" post");
    post();
  } else if (what == TURN) {
    note(" turn");
    take_turn();
  }
}

/* ---- the game ---- */
static void play_side(int is_model, void (*move)(void)) {
  game.is_model = is_model;
  game.callbacks = game.actions = 0;
  game.length[is_model] = 0;
  game.text[is_model][0] = 0;
  move();
}

static void compare_counts(void) {
  for (int i = 0; i < SUBJECTS; i++) {
    if (!game.subjects[i]) continue;
    size_t expected = (size_t)game.model.subjects[i]->count;
    if (belay_subject_count(game.subjects[i]) == expected) continue;
    check_failed(__FILE__, __LINE__, "seed %llu, step %d: subject %d has %zu, expected %zu",
                 (unsigned long long)game.seed, game.step, i, belay_subject_count(game.subjects[i]),
                 expected);
    game.is_broken = 1;
  }
}

static void play_step(void (*move)(void)) {
  play_side(0, move);
  play_side(1, move);
  model_tidy(&game.model);
  memcpy(game.past[game.step % 8], game.text[1], sizeof game.past[0]);
  if (strcmp(game.text[0], game.text[1]) != 0) {
    check_failed(__FILE__, __LINE__, "seed %llu, step %d:\n  is      %s\n  expected%s",
                 (unsigned long long)game.seed, game.step, game.text[0], game.text[1]);
    for (int i = 7; i > 0; i--)
      if (game.step >= i)
        fprintf(stderr, "  %d:%s\n", game.step - i, game.past[(game.step - i) % 8]);
    game.is_broken = 1;
  }
  if (!game.is_broken) compare_counts();
  game.step++;
}

static void move_by_chance(void) {
  if (pick(10, 6) == 0) act(TURN);
  else act_by_chance();
}
static void move_to_the_end(void) {
  game.actions = ACTIONS_A_STEP; /* nothing more is begun */
  for (int i = 0; i < OWNERS; i++)
    if (has_owner(i)) kill_owner(i);
  for (int i = 0; i < SUBJECTS; i++)
    if (has_subject(i)) let_go(i);
  take_turn();
}

static void play(uint64_t seed, int steps) {
  memset(&game, 0, sizeof game);
  game.seed = seed;
  game.loop = open_loop();
  for (int i = 0; i < SLOTS; i++) game.numbers[i] = i;
  for (int i = 0; i < steps && !game.is_broken; i++) play_step(move_by_chance);
  if (!game.is_broken) {
    play_step(move_to_the_end);
    model_end_all(&game.model);
  } else {
    play_side(0, move_to_the_end);
  }
  for (int i = 0; i < SLOTS; i++) belay_disposable_release(game.subscriptions[i]);
  close_loop(game.loop);
}

static uint64_t seed_of_the_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (uint64_t)now.tv_nsec * 1000003u + (uint64_t)now.tv_sec + (uint64_t)getpid();
}

static void random_games_tell_the_models_story(void) {
  const char *given = getenv("BELAY_SEED"), *length = getenv("BELAY_STEPS");
  int steps = length ? atoi(length) : STEPS;
  if (given) return play(strtoull(given, NULL, 0), steps);
  for (uint64_t seed = 1; seed <= SEEDS; seed++) play(seed, steps);
  uint64_t seed = seed_of_the_clock();
  printf("BELAY_SEED=%llu\n", (unsigned long long)seed);
  play(seed, steps);
}

static const test_case cases[] = {
    CASE(random_games_tell_the_models_story),
};

int main(int argc, char **argv) {
  if (argc > 1 && strspn(argv[1], "0123456789") == strlen(argv[1])) {
    setenv("BELAY_SEED", argv[1], 1);
    argc = 1;
  }
  return RUN_CASES(cases);
}
