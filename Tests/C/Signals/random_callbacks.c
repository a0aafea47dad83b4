/* Random programs of one thread, whose callbacks end, close and run what has called them: they dispose of
 * subscriptions, send, end owners, leave loops and run turns, in any order and nested.
 *
 * Checked is what holds whatever a program does: a subscription's callbacks follow the grammar, none comes
 * after its context was freed, the context is freed once and not while a callback of the subscription
 * runs, and in the end nothing is left.
 *
 * A seed decides everything: what waits for a time is due at the next turn of the loop, or when the virtual
 * time advances. BELAY_SEED=N, or N as the argument, plays that seed alone; BELAY_SEEDS=N plays so many.
 */
#include "every_operator.h"

#include <signal.h>
#include <unistd.h>

enum { SEEDS = 1500, STEPS = 60, DEPTH = 4, CONTEXTS = 2000, SUBJECTS = 4, OWNERS = 3, USERS = 2, SLOTS = 24 };

/* What a callback gets as its context. */
typedef struct context {
  int is_observer, inside, is_ended, is_disposed, frees;
} context;

static struct game {
  uint64_t seed, state;
  int depth, actions, count, is_over;
  context contexts[CONTEXTS];
  belay_signal *subjects[SUBJECTS];
  belay_owner *owners[OWNERS];
  belay_loop *users[USERS];
  belay_disposable *slots[SLOTS];
  belay_scheduler *virtual;
} game;

static int pick(int count) {
  game.state ^= game.state << 13;
  game.state ^= game.state >> 7;
  game.state ^= game.state << 17;
  return (int)((game.state >> 16) % (uint64_t)count);
}

static void act(void);

/* ---- callbacks ---- */

static int wrongs;
static void is_wrong(const char *what) {
  wrongs++;
  check_failed(__FILE__, __LINE__, "BELAY_SEED=%llu: %s", (unsigned long long)game.seed, what);
}

static context *enter(void *ctx) {
  context *it = ctx;
  if (it->frees) is_wrong("a callback after its context was freed");
  it->inside++;
  return it;
}
static void leave(context *it) {
  if (pick(3) == 0) act();
  it->inside--;
}

static void subscribe_to(belay_signal *signal);

static void hear(context *it, belay_value value) {
  if (it->is_ended || it->is_disposed) is_wrong("a value after the end");
  if (belay_value_kind(value) == BELAY_KIND_SIGNAL && pick(2))
    subscribe_to(belay_signal_retain(belay_value_get_signal(value)));
}
static void on_next(void *ctx, belay_value value) {
  context *it = enter(ctx);
  hear(it, value);
  leave(it);
}
static void on_batch(void *ctx, const belay_value *values, size_t count) {
  context *it = enter(ctx);
  if (it->inside > 1) is_wrong("a batch inside of a batch");
  for (size_t i = 0; i < count && !it->is_disposed; i++) hear(it, values[i]);
  leave(it);
}
static void end(void *ctx) {
  context *it = enter(ctx);
  if (it->is_ended || it->is_disposed) is_wrong("a second end");
  it->is_ended = 1;
  leave(it);
}
static void hear_error(void *ctx, const belay_error *error) { end(ctx); }
static void hear_disposal(void *ctx) {
  context *it = enter(ctx);
  if (it->is_disposed++) is_wrong("disposed twice");
  leave(it);
}
static void count_end_of_context(void *ctx) {
  context *it = ctx;
  if (it->inside) is_wrong("the context is freed inside of a callback");
  if (it->frees++) is_wrong("the context is freed twice");
  if (pick(4) == 0) act();
}
static void run_action(void *ctx) { leave(enter(ctx)); }

static context *new_context(int is_observer) {
  context *it = &game.contexts[game.count++];
  it->is_observer = is_observer;
  return it;
}

/* ---- what they use ---- */

static belay_loop *a_user(void) { return game.users[pick(USERS)]; }
static belay_scheduler *a_scheduler(void) {
  belay_loop *user = a_user();
  if (!user || pick(2)) return game.virtual;
  return belay_loop_get_scheduler(user);
}
static void put(belay_disposable *disposable) {
  belay_disposable **slot = &game.slots[pick(SLOTS)], *old = *slot;
  *slot = disposable;
  end_subscription(old);
}

static belay_signal *a_source(void) {
  belay_signal *subject = game.subjects[pick(SUBJECTS)];
  switch (pick(8)) {
    case 0: return numbers(1, 3);
    case 1: return belay_signal_timer(a_scheduler(), 0);
    case 2: return belay_signal_interval(a_scheduler(), 1e-9);
    case 3: return failing_with(BELAY_ENOENT, "none");
    default: return subject ? belay_signal_retain(subject) : belay_signal_never();
  }
}
static void subscribe_to(belay_signal *signal) {
  if (!signal) return;
  context *it = new_context(1);
  belay_observer observer = {.size = sizeof observer,
                             .error = hear_error,
                             .completed = end,
                             .disposed = hear_disposal,
                             .ctx = it,
                             .ctx_free = count_end_of_context};
  if (pick(5) == 0) observer.next_batch = on_batch;
  else observer.next = on_next;
  if (pick(3) == 0) observer.owner = game.owners[pick(OWNERS)];
  if (pick(3) == 0) observer.loop = a_user();
  belay_disposable *subscription = NULL;
  int code = belay_signal_subscribe(signal, &observer, &subscription);
  belay_signal_release(signal);
  if (code < 0) it->is_disposed = 1;
  put(subscription);
}
static void subscribe(void) {
  static int operators;
  if (!operators) operators = count_operators(belay_scheduler_immediate());
  belay_signal *signal = a_source();
  for (int left = pick(4); left > 0 && signal; left--) {
    belay_op *op = every_op(pick(operators), a_scheduler());
    if (op) signal = belay_signal_chain(signal, op);
  }
  subscribe_to(signal);
}

static void fail(belay_signal *subject) {
  belay_error *error = belay_error_create(BELAY_ENOENT, NULL, "gone", belay_null(), NULL);
  belay_subject_error(subject, error);
  belay_error_release(error);
}
static void send(void) {
  belay_signal *subject = game.subjects[pick(SUBJECTS)];
  if (!subject) return;
  switch (pick(12)) {
    case 0: belay_subject_completed(subject); break;
    case 1: fail(subject); break;
    default: send_to(subject, pick(5));
  }
}
static void renew_subject(void) {
  int index = pick(SUBJECTS);
  belay_signal *old = game.subjects[index];
  belay_source_options options = {.size = sizeof options, .reentrancy = (belay_reentrancy)pick(4)};
  if (pick(4) == 0) options.loop = a_user();
  switch (game.is_over ? -1 : pick(5)) {
    case -1: game.subjects[index] = NULL; break;
    case 0: game.subjects[index] = belay_subject_create_behavior(belay_int32(7), &options); break;
    case 1: game.subjects[index] = belay_subject_create_replay(NULL, -1, 3, &options); break;
    case 2: game.subjects[index] = belay_subject_create_async(&options); break;
    default: game.subjects[index] = belay_subject_create(&options);
  }
  belay_signal_release(old);
}
static void renew_owner(void) {
  int index = pick(OWNERS);
  belay_owner *old = game.owners[index];
  game.owners[index] = game.is_over ? NULL : belay_owner_create(NULL, NULL, NULL, NULL);
  belay_owner_release(old);
}

static void ignore_open(void *ctx, const belay_open_resource *const *open, size_t count) {}
static void renew_user(void) {
  int index = pick(USERS);
  belay_loop *old = game.users[index];
  game.users[index] = NULL;
  if (old) {
    belay_loop_close(old, ignore_open, NULL, NULL);
    belay_loop_release(old);
  }
  /* While the loop of the thread closes, there is none. */
  if (!game.users[index] && !game.is_over)
    game.users[index] = belay_loop_create(&BELAY_INIT(belay_loop_options, .quiet = 1));
}

static void schedule(void) {
  belay_disposable *work = NULL;
  context *it = new_context(0);
  belay_scheduler *scheduler = a_scheduler();
  if (pick(2)) belay_scheduler_schedule(scheduler, run_action, it, count_end_of_context, &work);
  else belay_scheduler_after(scheduler, 0, run_action, it, count_end_of_context, &work);
  put(work);
}
static void post(void) {
  belay_loop *user = a_user();
  if (user) belay_loop_post(user, run_action, new_context(0), count_end_of_context);
}
static void turn(void) {
  belay_loop *user = a_user();
  if (pick(3) == 0) belay_scheduler_advance(game.virtual, pick(2) * 1e-9);
  else if (user) belay_loop_run(user, BELAY_RUN_NOWAIT);
}
static void dispose(void) {
  belay_disposable *it = belay_disposable_retain(game.slots[pick(SLOTS)]);
  if (!it) return;
  if (pick(4)) belay_disposable_dispose(it);
  else belay_disposable_dispose_sync(it, -1);
  belay_disposable_release(it);
}

static void act(void) {
  if (game.depth >= DEPTH || game.actions <= 0 || game.count > CONTEXTS - 10) return;
  game.depth++;
  game.actions--;
  int what = pick(40);
  if (what < 10) subscribe();
  else if (what < 22) send();
  else if (what < 26) dispose();
  else if (what < 32) turn();
  else if (what < 34) schedule();
  else if (what < 35) post();
  else if (what < 37) renew_owner();
  else if (what < 39) renew_subject();
  else renew_user();
  belay_last_error();
  game.depth--;
}

/* ---- a game ---- */

static void take_everything_away(void) {
  game.is_over = 1;
  game.actions = 0;
  for (int left = 400; left > 0; left--) switch (pick(4)) {
      case 0: renew_subject(); break;
      case 1: renew_owner(); break;
      case 2: put(NULL); break;
      default:
        if (pick(20) == 0) renew_user();
    }
  for (int i = 0; i < SLOTS; i++) end_subscription(game.slots[i]);
  for (int i = 0; i < SUBJECTS; i++) belay_signal_release(game.subjects[i]);
  for (int i = 0; i < OWNERS; i++) belay_owner_release(game.owners[i]);
  for (int i = 0; i < USERS; i++) {
    if (!game.users[i]) continue;
    belay_loop_close(game.users[i], ignore_open, NULL, NULL);
    belay_loop_release(game.users[i]);
  }
  belay_scheduler_release(game.virtual);
  belay_last_error();
}

static void play(uint64_t seed) {
  size_t before = belay_live_count(BELAY_LIVE_KINDS);
  memset(&game, 0, sizeof game);
  game.seed = seed;
  game.state = seed * 0x9e3779b97f4a7c15u | 1;
  game.virtual = belay_scheduler_create_virtual();
  for (int i = 0; i < 20; i++) renew_user(), renew_subject(), renew_owner();
  for (int i = 0; i < STEPS; i++) {
    game.actions = 12;
    act();
  }
  take_everything_away();
  for (int i = 0; i < game.count; i++) {
    context *it = &game.contexts[i];
    if (!it->frees) is_wrong(it->is_observer ? "an observer's context is not freed" : "work's is not");
    if (it->is_observer && !it->is_disposed) is_wrong("a subscription was not disposed of");
  }
  if (belay_live_count(BELAY_LIVE_KINDS) > before) is_wrong("something is left");
}

static void tell_seed(int number) {
  char text[64];
  int length = snprintf(text, sizeof text, "BELAY_SEED=%llu\n", (unsigned long long)game.seed);
  if (write(2, text, (size_t)length) < 0) _exit(3);
  signal(number, SIG_DFL);
  raise(number);
}

static void no_program_breaks_the_contract(void) {
  const char *given = getenv("BELAY_SEED"), *count = getenv("BELAY_SEEDS");
  op_time = 1e-9;
  int failing[] = {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGALRM};
  for (size_t i = 0; i < sizeof failing / sizeof *failing; i++) signal(failing[i], tell_seed);
  uint64_t seeds = count ? strtoull(count, NULL, 0) : SEEDS;
  for (uint64_t seed = 1; seed <= seeds; seed++) {
    alarm(60);
    play(given ? strtoull(given, NULL, 0) : seed);
    if (given || wrongs) break;
  }
  alarm(0);
}

static const test_case cases[] = {CASE(no_program_breaks_the_contract)};

int main(int argc, char **argv) {
  if (argc > 1 && strspn(argv[1], "0123456789") == strlen(argv[1])) {
    setenv("BELAY_SEED", argv[1], 1);
    argc = 1;
  }
  return RUN_CASES(cases);
}
