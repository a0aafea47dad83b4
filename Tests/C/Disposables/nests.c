/* Compounds in compounds. One that would contain itself is refused. Finding that out takes near
   linear time, in whichever order a nest is put together; quadratic time would be hours. */
#include "small_stack.h"

enum { ALL = 2 * MANY, WIDE = ALL / 10 };

static belay_disposable *all[ALL];
static int acted;
static void count_action(void *ctx) { acted++; }

static belay_disposable *in(belay_disposable *outer) {
  belay_disposable *made = belay_compound_create();
  if (outer) CHECK_INT(belay_compound_add(outer, made, NULL), 0);
  return made;
}

static void put(belay_disposable *inner, belay_disposable *outer) {
  CHECK_INT(belay_compound_add(outer, inner, NULL), 0);
}

static void let_go(belay_disposable *root, int actions) {
  acted = 0;
  belay_disposable_dispose(root);
  CHECK_INT(acted, actions);
  belay_disposable_release(root);
  for (int i = 0; i < ALL; i++) belay_disposable_release(all[i]);
  memset(all, 0, sizeof all);
}

/* Each compound was in the root before another compound comes into it. */
static void each_in_the_next_one(void) {
  belay_disposable *root = in(NULL);
  for (int i = 0; i < ALL; i++) all[i] = in(root);
  belay_compound_add_action(all[0], count_action, NULL, NULL, NULL);
  for (int i = 1; i < ALL; i++) put(all[i - 1], all[i]);
  for (int i = 0; i < 3; i++)
    CHECK_FAILS(belay_compound_add(all[i], all[ALL - 1], NULL), BELAY_EINVAL);
  let_go(root, 1);
}
static void from_the_inmost_on(void) { on_a_flat_stack(each_in_the_next_one); }

static void each_in_the_one_before(void) {
  belay_disposable *root = in(NULL);
  for (int i = 0; i < ALL; i++) all[i] = in(NULL);
  put(all[0], root);
  for (int i = 1; i < ALL; i++) put(all[i], all[i - 1]);
  belay_compound_add_action(all[ALL - 1], count_action, NULL, NULL, NULL);
  CHECK_FAILS(belay_compound_add(all[ALL - 1], all[0], NULL), BELAY_EINVAL);
  let_go(root, 1);
}
static void from_the_outermost_on(void) { on_a_flat_stack(each_in_the_one_before); }

/* Compounds are joined to pairs, pairs to pairs of pairs, … */
static void halves(void) {
  belay_disposable *root = in(NULL);
  for (int i = 0; i < ALL; i++) all[i] = in(NULL);
  for (int step = 1; step < ALL; step *= 2)
    for (int i = 0; i + step < ALL; i += 2 * step) {
      /* It goes to the end of the other nest, so that either may be the large one. */
      put(all[i + step], all[i + step - 1]);
    }
  belay_compound_add_action(all[ALL - 1], count_action, NULL, NULL, NULL);
  put(all[0], root);
  CHECK_FAILS(belay_compound_add(all[ALL - 1], root, NULL), BELAY_EINVAL);
  let_go(root, 1);
}
static void from_halves(void) { on_a_flat_stack(halves); }

/* One compound with much in it is put into many that are in a container. */
static void a_wide_one_in_many(void) {
  belay_disposable *root = in(NULL), *wide = in(NULL);
  for (int i = 0; i < WIDE; i++) belay_compound_add_action(wide, count_action, NULL, NULL, NULL);
  for (int i = 0; i < WIDE; i++) belay_disposable_release(in(wide));
  for (int i = 0; i < WIDE; i++) put(wide, all[i] = in(root));
  CHECK_FAILS(belay_compound_add(wide, root, NULL), BELAY_EINVAL);
  belay_disposable_release(wide);
  let_go(root, WIDE);
}

static void an_owners_compound_on_the_way(void) {
  belay_owner *owner = belay_owner_create(NULL, NULL, NULL, NULL);
  belay_disposable *its = belay_owner_get_compound(owner);
  belay_disposable *outer = in(NULL), *inner = in(its), *inmost = in(inner);
  put(its, outer);
  CHECK_FAILS(belay_compound_add(inmost, its, NULL), BELAY_EINVAL);
  CHECK_FAILS(belay_compound_add(inmost, outer, NULL), BELAY_EINVAL);
  CHECK_FAILS(belay_compound_add(its, outer, NULL), BELAY_EINVAL);
  belay_disposable *other = in(NULL);
  put(other, inmost);
  belay_owner_release(owner);
  CHECK_INT(belay_disposable_is_disposed(other), 1);
  belay_disposable *made[] = {outer, inner, inmost, other};
  for (int i = 0; i < 4; i++) belay_disposable_release(made[i]);
}

/* A compound still remembers a container that it has left, but that does not count as a cycle. */
static void what_was_taken_out_may_hold_where_it_was(void) {
  uint64_t key = 0;
  belay_disposable *outer = in(NULL), *inner = belay_compound_create();
  CHECK_INT(belay_compound_add(outer, inner, &key), 0);
  CHECK_INT(belay_compound_remove(outer, key), 0);
  put(outer, inner);
  CHECK_FAILS(belay_compound_add(outer, inner, NULL), BELAY_EINVAL);
  belay_disposable *second = in(outer);
  CHECK_FAILS(belay_compound_add(second, inner, NULL), BELAY_EINVAL);
  belay_disposable_dispose(inner);
  CHECK_INT(belay_disposable_is_disposed(second), 1);
  belay_disposable_release(second);
  belay_disposable_release(inner);
  belay_disposable_release(outer);
}

/* Two threads put two compounds into each other: one of them is refused. */
enum { TRIES = 3000 };
typedef struct two {
  belay_disposable *outer, *inner;
  int codes[2], turn[2];
} two;
static void put_back(void *ctx) {
  two *it = ctx;
  for (int i = 1; i <= TRIES; i++) {
    while (__atomic_load_n(&it->turn[0], __ATOMIC_ACQUIRE) < i) sched_yield();
    it->codes[1] = belay_compound_add(it->inner, it->outer, NULL);
    __atomic_store_n(&it->turn[1], i, __ATOMIC_RELEASE);
  }
  belay_last_error();
}
static void two_threads_make_no_cycle(void) {
  two it = {0};
  routine other;
  start_thread(&other, put_back, &it);
  for (int i = 1; i <= TRIES; i++) {
    it.outer = in(NULL), it.inner = in(NULL);
    __atomic_store_n(&it.turn[0], i, __ATOMIC_RELEASE);
    it.codes[0] = belay_compound_add(it.outer, it.inner, NULL);
    while (__atomic_load_n(&it.turn[1], __ATOMIC_ACQUIRE) < i) sched_yield();
    CHECK_INT(it.codes[0] + it.codes[1], BELAY_EINVAL);
    belay_disposable_release(it.outer), belay_disposable_release(it.inner);
  }
  belay_last_error();
  join_thread(&other);
}

static const test_case cases[] = {
    CASE(two_threads_make_no_cycle),
    CASE(from_the_inmost_on),
    CASE(from_the_outermost_on),
    CASE(from_halves),
    CASE(a_wide_one_in_many),
    CASE(an_owners_compound_on_the_way),
    CASE(what_was_taken_out_may_hold_where_it_was),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
