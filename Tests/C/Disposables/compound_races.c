/* Containers under fire: the two traps of FEATURES 2.6, and what is like them.
 *
 * Two threads play a round at a time, started together by a barrier; the main thread looks at
 * what is left after each. Nothing depends on who wins. */
#include <pthread.h>

#include "check.h"

enum { MEMBERS = 256 };

static int hits[MEMBERS], frees[MEMBERS];
static void hit(void *index) { __atomic_add_fetch(&hits[(intptr_t)index], 1, __ATOMIC_RELAXED); }
static void unhit(void *index) { __atomic_add_fetch(&frees[(intptr_t)index], 1, __ATOMIC_RELAXED); }
static belay_disposable *member(int index) {
  return belay_disposable_create(hit, (void *)(intptr_t)index, unhit);
}
/* Rounds that went wrong: the first is described, the rest are counted. */
static int wrong;
static void check_member(int round, int i, int good, const char *what, int a, int b) {
  if (!good && wrong++ == 0)
    check_failed(__FILE__, __LINE__, "round %d, member %d: %s %d, %d", round, i, what, a, b);
}
/* Every member was disposed once, and its context freed once. */
static void check_hits(int round) {
  for (int i = 0; i < MEMBERS; i++)
    check_member(round, i, hits[i] == 1 && frees[i] == 1, "disposed, freed", hits[i], frees[i]);
}

/* ---- two sides, and rounds ---- */

typedef struct game {
  int rounds;
  void (*prepare)(void);
  void (*one)(int round), (*other)(int round); /* at the same time */
  void (*finish)(int round);
} game;

static pthread_barrier_t begin, end;
static const game *played;

static void *play_other(void *unused) {
  for (int round = 0; round < played->rounds; round++) {
    pthread_barrier_wait(&begin);
    played->other(round);
    pthread_barrier_wait(&end);
  }
  return unused;
}

static void play(const game *g) {
  pthread_t thread;
  played = g;
  wrong = 0;
  pthread_barrier_init(&begin, NULL, 2);
  pthread_barrier_init(&end, NULL, 2);
  pthread_create(&thread, NULL, play_other, NULL);
  for (int round = 0; round < g->rounds; round++) {
    memset(hits, 0, sizeof hits);
    memset(frees, 0, sizeof frees);
    g->prepare();
    pthread_barrier_wait(&begin);
    g->one(round);
    pthread_barrier_wait(&end);
    g->finish(round);
  }
  pthread_join(thread, NULL);
  if (wrong) check_failed(__FILE__, __LINE__, "%d members went wrong", wrong);
  pthread_barrier_destroy(&begin);
  pthread_barrier_destroy(&end);
}

/* Delays its thread by another time in each round, so that the other thread is met at another
   point. */
static volatile int spun;
static void linger(int round) {
  for (int i = 0; i < round * 37 % 4096; i++) spun = i;
}

/* ---- trap 1: add versus dispose ---- */

static belay_disposable *compound;
static void make_compound(void) { compound = belay_compound_create(); }
static void add_all(int round) {
  (void)round;
  for (int i = 0; i < MEMBERS; i++) {
    belay_disposable *m = member(i);
    belay_compound_add(compound, m, NULL);
    belay_disposable_release(m);
  }
}
static void add_all_actions(int round) {
  (void)round;
  for (int i = 0; i < MEMBERS; i++)
    belay_compound_add_action(compound, hit, (void *)(intptr_t)i, unhit, NULL);
}
static void dispose_compound(int round) {
  linger(round);
  belay_disposable_dispose(compound);
}
static void every_member_disposed(int round) {
  CHECK_INT(belay_compound_count(compound), 0);
  belay_disposable_release(compound);
  check_hits(round);
}

static void trap1_add_versus_dispose(void) {
  play(&(game){300, make_compound, add_all, dispose_compound, every_member_disposed});
}

static void trap1_add_action_versus_dispose(void) {
  play(&(game){300, make_compound, add_all_actions, dispose_compound, every_member_disposed});
}

/* Two add, and both dispose at their end. */
static void add_even(int round) {
  (void)round;
  for (int i = 0; i < MEMBERS; i += 2)
    belay_compound_add_action(compound, hit, (void *)(intptr_t)i, unhit, NULL);
  belay_disposable_dispose(compound);
}
static void add_odd(int round) {
  (void)round;
  for (int i = 1; i < MEMBERS; i += 2)
    belay_compound_add_action(compound, hit, (void *)(intptr_t)i, unhit, NULL);
  belay_disposable_dispose(compound);
}
static void trap1_two_threads_add_and_dispose(void) {
  play(&(game){200, make_compound, add_even, add_odd, every_member_disposed});
}

/* The same for an owner: binding while it dies. */
static char object;
static belay_owner *owner;
static void adopt(void) { owner = belay_owner_adopt(&object, NULL); }
static void bind_all(int round) {
  (void)round;
  for (int i = 0; i < MEMBERS; i++) {
    if (i % 2) {
      belay_owner_add_action(owner, hit, (void *)(intptr_t)i, unhit);
    } else {
      belay_disposable *m = member(i);
      belay_owner_add(owner, m);
      belay_disposable_release(m);
    }
  }
}
static void end_object(int round) {
  linger(round);
  CHECK_INT(belay_owner_end(&object, NULL, NULL), 0);
}
static void all_bound_disposed(int round) {
  CHECK_INT(belay_owner_is_dying(owner), 1);
  belay_owner_release(owner);
  check_hits(round);
}
static void trap1_binding_versus_an_owners_death(void) {
  play(&(game){200, adopt, bind_all, end_object, all_bound_disposed});
}

/* ---- trap 2: cancelling again, and from two threads ---- */

static belay_disposable *again;
static void dispose_again(void *index) {
  hit(index);
  for (int i = 0; i < 4; i++) belay_disposable_dispose(again);
}
static void trap2_reentrant_cancel(void) {
  hits[0] = frees[0] = 0;
  again = belay_disposable_create(dispose_again, (void *)0, unhit);
  for (int i = 0; i < 5; i++) belay_disposable_dispose(again);
  CHECK_INT(hits[0], 1);
  CHECK_INT(frees[0], 1);
  belay_disposable_release(again);
}

static belay_disposable *members[MEMBERS];
static void make_members(void) {
  for (int i = 0; i < MEMBERS; i++) members[i] = member(i);
}
static void dispose_up(int round) {
  (void)round;
  for (int i = 0; i < MEMBERS; i++) belay_disposable_dispose(members[i]);
}
static void dispose_up_late(int round) {
  linger(round);
  dispose_up(round);
}
static void dispose_down(int round) {
  (void)round;
  for (int i = MEMBERS; i-- > 0;) belay_disposable_dispose(members[i]);
}
static void release_members(int round) {
  for (int i = 0; i < MEMBERS; i++) belay_disposable_release(members[i]);
  check_hits(round);
}
static void trap2_two_threads_cancel(void) {
  play(&(game){300, make_members, dispose_up, dispose_up, release_members});
  play(&(game){100, make_members, dispose_up, dispose_down, release_members});
}

static void cancel_and_wait(int round) {
  (void)round;
  for (int i = 0; i < MEMBERS; i++) {
    CHECK_INT(belay_disposable_dispose_sync(members[i], -1), 0);
    /* its disposal is over, whichever thread disposed of it */
    if (__atomic_load_n(&frees[i], __ATOMIC_RELAXED) != 1) CHECK(!"not waited for");
  }
}
static void trap2_two_threads_wait_for_the_end(void) {
  play(&(game){100, make_members, cancel_and_wait, cancel_and_wait, release_members});
}

/* ---- members that end while they are added ---- */

static void make_both(void) {
  make_compound();
  make_members();
}
static void add_members(int round) {
  (void)round;
  for (int i = 0; i < MEMBERS; i++) belay_compound_add(compound, members[i], NULL);
}
static void nothing_stays(int round) {
  CHECK_INT(belay_compound_count(compound), 0);
  belay_disposable_release(compound);
  release_members(round);
}
static void add_versus_member_ending(void) {
  play(&(game){300, make_both, add_members, dispose_up_late, nothing_stays});
}

/* The same with two containers, one of which is disposed. */
static belay_disposable *second;
static void make_three(void) {
  make_both();
  second = belay_compound_create();
}
static void add_to_both(int round) {
  (void)round;
  for (int i = 0; i < MEMBERS; i++) {
    belay_compound_add(compound, members[i], NULL);
    belay_compound_add(second, members[i], NULL);
  }
}
static void both_are_empty(int round) {
  belay_disposable_dispose(second); /* it has only what was added after the disposal */
  CHECK_INT(belay_compound_count(second), 0);
  belay_disposable_release(second);
  nothing_stays(round);
}
static void add_to_two_versus_dispose_of_one(void) {
  play(&(game){200, make_three, add_to_both, dispose_compound, both_are_empty});
}
static void both_were_left(int round) {
  CHECK_INT(belay_compound_count(second), 0);
  belay_disposable_release(second);
  nothing_stays(round);
}
static void add_to_two_versus_member_ending(void) {
  play(&(game){200, make_three, add_to_both, dispose_up_late, both_were_left});
}

/* ---- remove versus dispose: the member is removed or disposed, never both, never neither ---- */

static uint64_t keys[MEMBERS];
static int removed[MEMBERS];
static void make_full(void) {
  make_both();
  for (int i = 0; i < MEMBERS; i++) {
    CHECK_INT(belay_compound_add(compound, members[i], &keys[i]), 0);
    removed[i] = 0;
  }
}
static void remove_all(int round) {
  (void)round;
  for (int i = 0; i < MEMBERS; i++)
    removed[i] = belay_compound_remove(compound, keys[i]) == 0;
}
static void removed_or_disposed(int round) {
  CHECK_INT(belay_compound_count(compound), 0);
  for (int i = 0; i < MEMBERS; i++)
    check_member(round, i, removed[i] + hits[i] == 1, "removed, disposed", removed[i], hits[i]);
  for (int i = 0; i < MEMBERS; i++) {
    belay_disposable_dispose(members[i]);
    belay_disposable_release(members[i]);
  }
  belay_disposable_release(compound);
  check_hits(round);
}
static void remove_versus_dispose(void) {
  play(&(game){300, make_full, remove_all, dispose_compound, removed_or_disposed});
}

static void remove_up_late(int round) {
  linger(round);
  remove_all(round);
}
static void members_ended(int round) {
  CHECK_INT(belay_compound_count(compound), 0);
  belay_disposable_release(compound);
  release_members(round);
}
static void remove_versus_member_ending(void) {
  play(&(game){200, make_full, dispose_up, remove_up_late, members_ended});
}

/* ---- the compound's last reference goes while its members end ---- */

static void release_compound(int round) {
  linger(round);
  belay_disposable_release(compound);
}
static void release_versus_member_ending(void) {
  play(&(game){200, make_full, dispose_up, release_compound, release_members});
}

static belay_bag *bag;
static void make_bag(void) {
  make_members();
  bag = belay_bag_create();
  for (int i = 0; i < MEMBERS; i++) CHECK_INT(belay_bag_add(bag, members[i]), 0);
}
static void release_bag(int round) {
  linger(round);
  belay_bag_release(bag);
}
static void bag_release_versus_member_ending(void) {
  play(&(game){200, make_bag, dispose_down, release_bag, release_members});
}

/* ---- the kinds that hold one ---- */

static void make_serial(void) {
  compound = belay_serial_create();
  make_members();
}
static void set_all(int round) {
  (void)round;
  for (int i = 0; i < MEMBERS; i++) belay_serial_set(compound, members[i]);
}
static void serial_is_over(int round) {
  belay_disposable_dispose(compound);
  belay_disposable_release(compound);
  release_members(round);
}
static void serial_set_versus_dispose(void) {
  play(&(game){300, make_serial, set_all, dispose_compound, serial_is_over});
}

static void set_all_down(int round) {
  (void)round;
  for (int i = MEMBERS; i-- > 0;)
    if (i % 2) belay_serial_set(compound, members[i]);
}
static void set_all_even(int round) {
  (void)round;
  for (int i = 0; i < MEMBERS; i += 2) belay_serial_set(compound, members[i]);
}
static void serial_set_from_two_threads(void) {
  play(&(game){200, make_serial, set_all_even, set_all_down, serial_is_over});
}

/* One of two assignments wins; the loser's disposable is left alone. */
static int assigned[2];
static void make_single(void) {
  compound = belay_single_assignment_create();
  make_members();
}
static void assign_one(int round) {
  (void)round;
  assigned[0] = belay_single_assignment_set(compound, members[0]);
}
static void assign_other(int round) {
  (void)round;
  assigned[1] = belay_single_assignment_set(compound, members[1]);
}
static void one_was_assigned(int round) {
  CHECK_INT(assigned[0] + assigned[1], BELAY_EASSIGNED);
  CHECK_INT(hits[0] + hits[1], 0);
  belay_disposable_dispose(compound);
  CHECK_INT(hits[0], assigned[0] == 0);
  CHECK_INT(hits[1], assigned[1] == 0);
  belay_disposable_release(compound);
  dispose_up(round);
  release_members(round);
}
static void single_assignment_from_two_threads(void) {
  play(&(game){200, make_single, assign_one, assign_other, one_was_assigned});
}
static void assigned_is_disposed(int round) {
  CHECK_INT(assigned[0], 0);
  CHECK_INT(hits[0], 1);
  belay_disposable_release(compound);
  dispose_up(round);
  release_members(round);
}
static void single_assignment_versus_dispose(void) {
  play(&(game){200, make_single, assign_one, dispose_compound, assigned_is_disposed});
}

/* Dependents come and go on both sides. The underlying disposable ends once, with the last of
   them. */
static void make_ref_counted(void) {
  make_members();
  compound = belay_ref_counted_create(members[0]);
}
static void depend(int round) {
  (void)round;
  for (int i = 0; i < MEMBERS; i++) {
    belay_disposable *dependent = belay_ref_counted_create_dependent(compound);
    /* while a dependent is live, the underlying disposable is, too */
    if (!belay_disposable_is_disposed(dependent)) {
      if (__atomic_load_n(&hits[0], __ATOMIC_RELAXED)) CHECK(!"ended under a dependent");
    }
    belay_disposable_dispose(dependent);
    belay_disposable_release(dependent);
  }
}
static void depend_then_dispose(int round) {
  linger(round);
  belay_disposable_dispose(compound);
  depend(round);
}
static void underlying_went_once(int round) {
  CHECK_INT(hits[0], 1);
  belay_disposable_release(compound);
  dispose_up(round);
  release_members(round);
}
static void ref_counted_dependents_versus_dispose(void) {
  play(&(game){200, make_ref_counted, depend, depend_then_dispose, underlying_went_once});
}

/* ---- subscriptions: the source's end versus the container's ---- */

static belay_signal *subject;
static int is_shared;
static void subscribe_all(void) {
  make_compound();
  subject = belay_subject_create(
      &(belay_source_options){.size = sizeof(belay_source_options), .shared = is_shared});
  for (int i = 0; i < MEMBERS; i++) {
    belay_disposable *d = NULL;
    belay_observer observer = {.size = sizeof observer, .disposed = hit, .ctx_free = unhit,
                               .ctx = (void *)(intptr_t)i};
    CHECK_INT(belay_signal_subscribe(subject, &observer, &d), 0);
    CHECK_INT(belay_compound_add(compound, d, NULL), 0);
    belay_disposable_release(d);
  }
}
static void complete(int round) {
  (void)round;
  // It is queued while a subscription is leaving on the other thread.
  int code = belay_subject_completed(subject);
  CHECK(code == 0 || (is_shared && code == BELAY_QUEUED));
}
static void all_ended(int round) {
  CHECK_INT(belay_subject_count(subject), 0);
  belay_signal_release(subject);
  every_member_disposed(round);
}
static void completion_versus_dispose(void) {
  is_shared = 1;
  play(&(game){200, subscribe_all, complete, dispose_compound, all_ended});
}

/* The same where home is the main thread, which has no loop. */
static void completion_at_home_versus_dispose_elsewhere(void) {
  is_shared = 0;
  play(&(game){200, subscribe_all, complete, dispose_compound, all_ended});
}

static const test_case cases[] = {
    CASE(trap1_add_versus_dispose),
    CASE(trap1_add_action_versus_dispose),
    CASE(trap1_two_threads_add_and_dispose),
    CASE(trap1_binding_versus_an_owners_death),
    CASE(trap2_reentrant_cancel),
    CASE(trap2_two_threads_cancel),
    CASE(trap2_two_threads_wait_for_the_end),
    CASE(add_versus_member_ending),
    CASE(add_to_two_versus_dispose_of_one),
    CASE(add_to_two_versus_member_ending),
    CASE(remove_versus_dispose),
    CASE(remove_versus_member_ending),
    CASE(release_versus_member_ending),
    CASE(bag_release_versus_member_ending),
    CASE(serial_set_versus_dispose),
    CASE(serial_set_from_two_threads),
    CASE(single_assignment_from_two_threads),
    CASE(single_assignment_versus_dispose),
    CASE(ref_counted_dependents_versus_dispose),
    CASE(completion_versus_dispose),
    CASE(completion_at_home_versus_dispose_elsewhere),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
