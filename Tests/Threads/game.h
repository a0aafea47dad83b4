/* Random programs of several threads, over the public C API only. See random_threads.c.
 *
 * A program has two to four players: threads, each with a loop of its own or none. They make
 * sources, build chains on them and on the event sources of their loops, subscribe, send, dispose,
 * let owners die and close loops, at the same time and from inside callbacks, always by the
 * headers' rules: each uses a handle only while it has a reference to it. Every context that goes
 * into the library is a witness: it sees what is called and when it is freed.
 */
#ifndef GAME_H
#define GAME_H

#include <belay/belay.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what a program may use; --without takes a name away ---- */
/* clang-format off */
#define FEATURES(X)                                                                              \
  /* players and sources */                                                                      \
  X(loops) X(shared) X(behavior) X(replay) X(latest) X(early_close) X(pool) X(worker)            \
  /* what a chain begins with */                                                                 \
  X(just) X(range) X(create) X(table) X(events)                                                  \
  /* event sources */                                                                            \
  X(interval) X(ticks) X(work) X(file) X(watcher) X(udp) X(posix_signal) X(lookup) X(wall_timer) \
  X(process) X(listener) X(stream)                                                               \
  /* operators */                                                                                \
  X(map) X(filter) X(take) X(take_until) X(scan) X(merge) X(combine_latest) X(zip)               \
  X(with_latest_from) X(flat_map) X(concat_map) X(switch_map) X(share) X(delay) X(debounce)      \
  X(throttle) X(observe_on) X(subscribe_on) X(retry) X(catch_to) X(start_with) X(sample)         \
  X(buffer) X(delay_subscription) X(timeout) X(materialize) X(finally) X(group_by) X(window)     \
  X(debounce_when) X(throttle_when) X(audit_when) X(timeout_when) X(delay_when) X(window_by)     \
  X(buffer_by) X(take_last_for) X(skip_last_for) X(pairwise_from) X(group_by_until)              \
  /* actions */                                                                                  \
  X(send) X(batch) X(complete) X(fail) X(subscribe) X(subscribe_owned) X(elsewhere) X(dispose)   \
  X(dispose_sync) X(drop) X(release_source) X(own) X(kill) X(bind_owner) X(contain) X(bind)      \
  X(publish) X(connect) X(post) X(after) X(turn) X(send_kept) X(open_streams) X(use_stream)      \
  X(disturb) X(inside)                                                                           \
  /* checks */                                                                                   \
  X(ledger) X(sync_stages) X(descriptors)
/* clang-format on */

typedef enum feature {
#define X(name) F_##name,
  FEATURES(X)
#undef X
      F_COUNT
} feature;

extern char is_without[F_COUNT];
int feature_named(const char *name, size_t length); /* or -1 */
void list_features(FILE *out);

/* ---- what can be wrong ---- */
#define FAULTS(X)                                                                            \
  X(CRASH)                                                                                   \
  X(HANG) X(ALIVE) X(NOT_FREED) X(FREED_TWICE) X(AFTER_FREE) X(AFTER_DISPOSED) X(AFTER_END)  \
      X(AFTER_SYNC) X(OVERLAP) X(NESTED) X(DISPOSED_TWICE) X(NOT_DISPOSED) X(SYNC_TOO_EARLY) \
          X(FAILED_START) X(LOST) X(OWNER) X(MISUSE) X(DESCRIPTORS)

typedef enum fault {
#define X(name) FAULT_##name,
  FAULTS(X)
#undef X
      FAULT_COUNT
} fault;

const char *fault_name(fault kind);
/* Counts a fault of the program that is played, and prints it as long as there are few. */
void report(fault kind, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- witnesses: the contexts of callbacks ---- */
enum { STAGES = 8, TEXT = 160 };

typedef struct witness {
  const char *what;         /* "subscription", "map", "post", … */
  char text[TEXT];          /* of a subscription: its chain */
  struct witness *listener; /* of a stage */
  struct witness *stages[STAGES];
  int stage_count, is_refused; /* 1: the call that got it has failed */
  _Atomic int inside, ended, disposed, freed, silent;
  _Atomic int error; /* the code of its error event */
  _Atomic long nexts;
} witness;

/* NULL once this program has too many of them. */
witness *new_witness(const char *what, witness *listener);
void witness_free(void *ctx);   /* a belay_free_fn */
void witness_action(void *ctx); /* a belay_action_fn that may act */
void describe(witness *it, const char *format, ...) __attribute__((format(printf, 2, 3)));
belay_observer observer_of(witness *it);
/* For the beginning and the end of a stage's callback. */
void stage_enter(witness *it);
void stage_leave(witness *it);
/* Called after a dispose_sync() that has answered 0. */
void expect_silence(witness *it, int with_stages);
/* Called when everything is over. */
void check_witnesses(void);

/* ---- players and what they share ---- */
enum {
  PLAYERS = 4,
  SOURCES = 6,
  SLOTS = 24,
  OWNERS = 6,
  TABLE = 4,
  KEPT = 6,
  STREAMS = 4,
  LEDGERS = 8,
  WITNESSES = 4096,
  MOST_DEPTH = 2,
  ACTIONS_INSIDE = 40
};

typedef struct player {
  int index, has_loop, closes_early, has_closed, is_running, steps;
  uint64_t chance;
  int depth; /* how many actions are inside each other, in callbacks */
  belay_loop *loop;
  belay_scheduler *scheduler;     /* the loop's, borrowed; NULL without a loop */
  belay_scheduler *pool;          /* at that loop; or NULL */
  belay_worker *worker;           /* or NULL */
  belay_listener *listener;       /* or NULL; others use it while all act */
  belay_signal *sources[SOURCES]; /* its own references; NULL: released */
  pthread_t thread;
  /* For the thread that watches. */
  const char *volatile phase, *volatile doing;
  volatile int step;
} player;

/* A subscription, or other work that can be disposed. */
typedef struct slot {
  belay_disposable *disposable;
  witness *listener;    /* NULL: not a subscription */
  int is_chain_private; /* 1: no other subscription uses its stages */
} slot;

typedef struct owned {
  _Atomic int deinits, deallocs;
} owned;

/* A subscription that has to hear everything that its sources accepted. */
typedef struct ledger {
  witness *listener;
  int sources[2], count;
  long initial;
} ledger;

typedef struct game {
  uint64_t seed;
  int players_count, sources_count;
  player players[PLAYERS];
  pthread_barrier_t barrier;
  /* for the members below; under it no function of Belay's but retain is called */
  pthread_mutex_t lock;
  slot slots[SLOTS];
  belay_owner *owners[OWNERS];
  belay_signal *table[TABLE]; /* shared and connectable signals */
  int is_connectable[TABLE];
  belay_subscriber *kept[KEPT];
  belay_stream *streams[STREAMS];
  /* These are written before the first barrier. */
  struct source {
    int home, is_shared, is_ledger, is_latest;
    long initial; /* the value that a newcomer gets first */
    _Atomic long taken;
  } sources[SOURCES];
  belay_signal *_Atomic made[SOURCES]; /* kept until every player has a reference */
  ledger ledgers[LEDGERS];
  int ledgers_count;
  _Atomic int budget; /* how many actions inside callbacks are left */
  owned owned[256];
  _Atomic int owned_count;
  int pipe[2];
  _Atomic int refused; /* calls that came after a loop's close, which count as misuse */
  witness witnesses[WITNESSES];
  _Atomic int witnesses_count;
} game;

extern game the_game;
extern _Thread_local player *me; /* NULL on the library's own threads */

/* Plays the program of a seed. */
void play(uint64_t seed);

/* ---- chance ---- */
static inline uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}
static inline int pick(int count) {
  me->chance = mix(me->chance);
  return (int)(me->chance % (uint64_t)count);
}
/* Draws a number even if the feature is left out, so that little else changes. */
static inline int by_chance(feature what, int one_in) {
  int drawn = pick(one_in) == 0;
  return drawn && !is_without[what];
}

/* ---- what they do ---- */
void act(void);
void run_turns(int count); /* turns of the player's own loop, if that may run */
void act_inside(void);     /* called inside a callback; acts now and then */
void put_slot(belay_disposable *disposable, witness *listener, int is_chain_private);
/* Releases and ends everything that player `index` of `count` has to clear away. */
void clear_away(int index, int count);
belay_signal *make_source(int index);
/* A chain for `listener`, whose text describes it. NULL when it could not be made. `*is_private` is
   0 when others use its stages, `*is_endless` 1 when only a disposal is sure to end it. */
belay_signal *make_chain(witness *listener, int *is_private, int *is_endless);
/* NULL when that player has no scheduler; `name` gets its name. */
belay_scheduler *some_scheduler(char name[8]);
belay_signal *some_source(int *index); /* a reference, or NULL */
void subscribe_ledgers(void);
long ledger_expected(const ledger *it);

/* ---- event sources (events.c) ---- */
int make_folder(void); /* for files, once a process with its children; 0, or -1 */
char *socket_path(char path[96], int player);
/* NULL when it could not be made. */
belay_signal *event_source(witness *listener, int *is_endless);
void listen_at_own_loop(void);
void open_streams(void);
void use_stream(void);
void disturb(void);
void drop_streams(int index, int count);

#endif
