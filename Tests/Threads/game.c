/* A program: its plan, its phases, and what must be true when it is over. */
#define _GNU_SOURCE
#include "game.h"

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

game the_game;
_Thread_local player *me;

static void meet(const char *phase) {
  me->phase = "waits for the others";
  pthread_barrier_wait(&the_game.barrier);
  me->phase = phase;
}

static void ignore_open_resources(void *ctx, const belay_open_resource *const *resources,
                                  size_t count) {
  (void)ctx;
  (void)resources;
  (void)count;
}

static void close_own_loop(void) {
  if (!me->has_loop || me->has_closed) return;
  me->has_closed = 1;
  belay_loop_close(me->loop, ignore_open_resources, NULL, NULL);
}

void run_turns(int count) {
  /* Running a loop inside its own run is a mistake; running it inside a callback that a send has
     called is not. */
  if (!me->has_loop || me->has_closed || me->is_running) return;
  me->is_running = 1;
  for (int i = 0; i < count; i++) belay_loop_run(me->loop, BELAY_RUN_NOWAIT);
  me->is_running = 0;
}

/* ---- the phases ---- */

static void make_own_sources(void) {
  for (int i = 0; i < the_game.sources_count; i++) {
    struct source *it = &the_game.sources[i];
    if (it->home != me->index) continue;
    atomic_store(&the_game.made[i], make_source(i));
    it->is_ledger = by_chance(F_ledger, 3) && !me->closes_early && !it->is_latest;
  }
}

static void take_references(void) {
  for (int i = 0; i < the_game.sources_count; i++)
    me->sources[i] = belay_signal_retain(atomic_load(&the_game.made[i]));
}

static void drop_references(void) {
  for (int i = 0; i < SOURCES; i++) {
    belay_signal *source = me->sources[i];
    me->sources[i] = NULL;
    belay_signal_release(source);
  }
}

static int ledgers_are_even(void) {
  for (int i = 0; i < the_game.ledgers_count; i++) {
    const ledger *it = &the_game.ledgers[i];
    if (atomic_load(&it->listener->nexts) != ledger_expected(it)) return 0;
  }
  return 1;
}

static void check_ledgers(void) {
  for (int i = 0; i < the_game.ledgers_count; i++) {
    const ledger *it = &the_game.ledgers[i];
    long heard = atomic_load(&it->listener->nexts), expected = ledger_expected(it);
    if (heard != expected)
      report(FAULT_LOST, "%s: %ld heard, %ld taken (ended %d, %s)", it->listener->text, heard,
             expected, atomic_load(&it->listener->ended),
             belay_error_name(atomic_load(&it->listener->error)));
  }
}

/* Runs until all accepted values have been delivered, or no more come. */
static void let_mail_arrive(void) {
  static _Atomic int is_even;
  for (int round = 0; round < 20; round++) {
    run_turns(3);
    meet("delivers");
    if (me->index == 0) atomic_store(&is_even, ledgers_are_even());
    meet("delivers");
    if (atomic_load(&is_even)) break;
  }
  meet("checks its ledgers");
  if (me->index == 0) check_ledgers();
}

static void *play_one(void *argument) {
  me = argument;
  me->phase = "begins";
  if (me->has_loop) {
    me->loop = belay_loop_create(NULL);
    me->scheduler = belay_loop_get_scheduler(me->loop);
    if (by_chance(F_pool, 4)) me->pool = belay_scheduler_create_pool(me->loop);
  }
  if (by_chance(F_worker, 10)) me->worker = belay_worker_create(NULL);
  listen_at_own_loop();
  meet("makes sources"); /* by now every loop exists */
  make_own_sources();
  meet("takes references");
  take_references();
  subscribe_ledgers();
  meet("lets go of what has been made");
  if (me->index == 0) {
    for (int i = 0; i < the_game.sources_count; i++) belay_signal_release(the_game.made[i]);
    /* The later ledgers would not have heard what a replay had sent before. */
    atomic_store(&the_game.budget, ACTIONS_INSIDE);
  }
  meet("acts");
  for (me->step = 0; me->step < me->steps; me->step++) act();
  me->doing = "";
  if (me->closes_early) close_own_loop();
  meet("delivers");
  let_mail_arrive();
  /* What callbacks begin from here on would outlive the clearing. */
  if (me->index == 0) atomic_store(&the_game.budget, 0);
  meet("clears away");
  int clears_first = pick(2);
  if (clears_first) clear_away(me->index, the_game.players_count);
  me->phase = "drops its sources";
  drop_references();
  if (me->listener) belay_listener_release(me->listener);
  me->phase = "clears away";
  clear_away(me->index, the_game.players_count);
  meet("runs its loop empty");
  for (int round = 0; round < 4; round++) {
    run_turns(2);
    meet("runs its loop empty");
  }
  /* What a turn has released may have left more behind. */
  clear_away(me->index, the_game.players_count);
  me->phase = "lets go of its worker";
  belay_worker_release(me->worker);
  me->phase = "closes its loop";
  close_own_loop();
  meet("lets go of its loop");
  clear_away(me->index, the_game.players_count);
  belay_scheduler_release(me->pool);
  belay_loop_release(me->loop);
  belay_last_error();
  belay_last_error();
  me->phase = "is over";
  return NULL;
}

/* ---- the plan, and the end ---- */

static void plan(uint64_t seed) {
  player planner = {.chance = mix(seed)};
  game *it = &the_game;
  int witnesses = atomic_load(&it->witnesses_count);
  memset(it->witnesses, 0,
         (size_t)(witnesses < WITNESSES ? witnesses : WITNESSES) * sizeof(witness));
  memset(it, 0, offsetof(game, witnesses));
  atomic_store(&it->witnesses_count, 0);
  me = &planner;
  it->seed = seed;
  it->players_count = 2 + pick(PLAYERS - 1);
  it->sources_count = 2 + pick(SOURCES - 1);
  for (int i = 0; i < it->players_count; i++) {
    player *one = &it->players[i];
    one->index = i;
    one->phase = one->doing = "";
    one->has_loop = pick(3) > 0 && !is_without[F_loops];
    one->closes_early = by_chance(F_early_close, 5) && one->has_loop;
    one->steps = 8 + pick(40);
    one->chance = mix(seed ^ (uint64_t)(i + 1) << 56);
  }
  for (int i = 0; i < it->sources_count; i++) it->sources[i].home = pick(it->players_count);
  me = NULL;
  if (pipe2(it->pipe, O_CLOEXEC) != 0) exit(2);
  pthread_barrier_init(&it->barrier, NULL, (unsigned)it->players_count);
  pthread_mutex_init(&it->lock, NULL);
}

static void check_owned(void) {
  int count = atomic_load(&the_game.owned_count);
  for (int i = 0; i < count && i < 256; i++) {
    int deinits = atomic_load(&the_game.owned[i].deinits);
    int deallocs = atomic_load(&the_game.owned[i].deallocs);
    if (deinits != 1 || deallocs != 1)
      report(FAULT_OWNER, "owner %d: %d deinits, %d deallocs", i, deinits, deallocs);
  }
}

static void check_alive(const size_t before[BELAY_LIVE_KINDS]) {
  for (int kind = 0; kind < BELAY_LIVE_KINDS; kind++) {
    size_t now = belay_live_count((belay_live_kind)kind);
    if (now != before[kind])
      report(FAULT_ALIVE, "%zu %s", now - before[kind],
             belay_live_kind_name((belay_live_kind)kind));
  }
}

static int descriptors(void) {
  int count = 0;
  DIR *directory = opendir("/proc/self/fd");
  while (directory && readdir(directory)) count++;
  if (directory) closedir(directory);
  return count;
}

/* A thread that waits for the end of a child may hold one a moment longer. */
static void check_descriptors(int before) {
  int now = descriptors();
  for (int i = 0; i < 2000 && now > before; i++) {
    usleep(1000);
    now = descriptors();
  }
  if (now > before) report(FAULT_DESCRIPTORS, "%d more", now - before);
}

void play(uint64_t seed) {
  int descriptors_before = is_without[F_descriptors] ? 0 : descriptors();
  size_t before[BELAY_LIVE_KINDS];
  for (int kind = 0; kind < BELAY_LIVE_KINDS; kind++)
    before[kind] = belay_live_count((belay_live_kind)kind);
  uint64_t misuse = belay_misuse_count();
  plan(seed);
  for (int i = 0; i < the_game.players_count; i++) {
    player *one = &the_game.players[i];
    if (pthread_create(&one->thread, NULL, play_one, one) != 0) {
      fprintf(stderr, "random_threads: no thread\n");
      exit(2);
    }
  }
  for (int i = 0; i < the_game.players_count; i++) pthread_join(the_game.players[i].thread, NULL);
  check_witnesses();
  check_owned();
  check_alive(before);
  misuse = belay_misuse_count() - misuse - (uint64_t)atomic_load(&the_game.refused);
  if (misuse) report(FAULT_MISUSE, "%d calls", (int)misuse);
  close(the_game.pipe[0]);
  close(the_game.pipe[1]);
  if (!is_without[F_descriptors]) check_descriptors(descriptors_before);
  pthread_barrier_destroy(&the_game.barrier);
  pthread_mutex_destroy(&the_game.lock);
}
