/* Children that come and go while other threads walk through the tree, or end it. A signal stops a thread
   anywhere inside of a call, and the others go on meanwhile. */
#include <sched.h>
#include <signal.h>

#include "owned.h"

enum { ROUNDS = 300 };
static int is_stopped, is_over, calls;
static int get(int *word) { return __atomic_load_n(word, __ATOMIC_SEQ_CST); }
static void set(int *word, int value) { __atomic_store_n(word, value, __ATOMIC_SEQ_CST); }

/* The thread may have a lock that the others need: then it goes on by itself. */
static void stop(int number) {
  set(&is_stopped, 1);
  for (int i = 0; i < 500 && get(&is_stopped); i++) sched_yield();
  set(&is_stopped, 0);
}
static void stop_thread(routine *it) {
  int before = get(&calls);
  /* It goes on first, or it would always be stopped where it was before. */
  while (get(&calls) == before) sched_yield();
  CHECK_INT(pthread_kill(it->thread, SIGUSR1), 0);
  while (!get(&is_stopped) && get(&calls) - before < 1000) sched_yield();
}
static void let_stop(void) {
  is_over = 0;
  struct sigaction action = {.sa_handler = stop, .sa_flags = SA_RESTART};
  CHECK_INT(sigaction(SIGUSR1, &action, NULL), 0);
}

static void tie(belay_owner *parent, belay_owner *child) {
  belay_owner_add_child(parent, child);
  belay_owner_remove_child(parent, child);
  __atomic_add_fetch(&calls, 1, __ATOMIC_SEQ_CST);
}
static void tie_and_untie(void *owners_) {
  belay_owner **owners = owners_;
  while (!get(&is_over)) tie(owners[0], owners[1]);
  belay_last_error();
}
/* One of the ties of a and b is there at a time, so the walk through the tree below c comes to an end. */
static void ties_in_both_directions(void) {
  belay_owner *a = named_owner("a"), *b = named_owner("b"), *c = named_owner("c");
  belay_owner *both[2] = {a, b};
  routine other;
  let_stop();
  start_thread(&other, tie_and_untie, both);
  for (int i = 0; i < ROUNDS; i++) {
    stop_thread(&other);
    int is_tied = belay_owner_add_child(b, a) == 0;
    tie(c, b);
    if (is_tied) CHECK_INT(belay_owner_remove_child(b, a), 0);
    set(&is_stopped, 0);
  }
  set(&is_over, 1);
  join_thread(&other);
  belay_last_error();
  CHECK_TRACE("");
  belay_owner_release(a), belay_owner_release(b), belay_owner_release(c);
  CHECK_TRACE("deinit a | dealloc a | deinit b | dealloc b | deinit c | dealloc c");
}

/* The parent is a child, too, so that it dies although there is a handle to it. */
typedef struct pair {
  belay_owner *parent, *child;
} pair;
static void come_and_go(void *pair_) {
  pair *it = pair_;
  while (!belay_owner_is_dying(it->parent)) {
    belay_owner_add_child(it->parent, it->child);
    if (belay_owner_remove_child(it->parent, it->child) < 0) break;
    CHECK_INT(belay_owner_is_dying(it->child), 0);
    __atomic_add_fetch(&calls, 1, __ATOMIC_SEQ_CST);
  }
  belay_last_error();
}
static void a_child_that_has_gone_outlives_its_parent(void) {
  let_stop();
  for (int i = 0; i < ROUNDS; i++) {
    belay_owner *above = belay_owner_create(NULL, NULL, NULL, NULL);
    pair it = {belay_owner_create(NULL, NULL, NULL, NULL), belay_owner_create(NULL, NULL, NULL, NULL)};
    CHECK_INT(belay_owner_add_child(above, it.parent), 0);
    routine other;
    start_thread(&other, come_and_go, &it);
    stop_thread(&other);
    belay_owner_release(above);
    set(&is_stopped, 0);
    join_thread(&other);
    belay_owner_release(it.child), belay_owner_release(it.parent);
  }
}

static const test_case cases[] = {
    CASE(ties_in_both_directions),
    CASE(a_child_that_has_gone_outlives_its_parent),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
