/* Associated objects: policies, keys and kinds, step 6; A5-26. */
#include "owned.h"
#include "worker.h"

static char key, other_key, kind, other_kind;

typedef struct thing {
  int references, number;
} thing;
static void *retain_thing(void *object) {
  ((thing *)object)->references++;
  return object;
}
static void release_thing(void *object) {
  thing *it = object;
  it->references--;
  trace("release %d", it->number);
}
static void *copy_thing(void *object) {
  thing *copy = malloc(sizeof *copy);
  *copy = *(thing *)object;
  return copy;
}
static void free_thing(void *object) {
  trace("free copy %d", ((thing *)object)->number);
  free(object);
}
static void *fail_to_take(void *object) {
  trace("fails");
  return NULL;
}

static belay_association made(const void *its_key, const void *its_kind, void *object,
                              belay_association_policy policy) {
  belay_association it = {.size = sizeof it, .key = its_key, .kind = its_kind, .object = object,
                          .policy = policy};
  if (policy == BELAY_ASSOCIATION_RETAIN) it.take = retain_thing, it.free = release_thing;
  if (policy == BELAY_ASSOCIATION_COPY) it.take = copy_thing, it.free = free_thing;
  if (policy == BELAY_ASSOCIATION_ASSIGN) it.free = trace_free;
  return it;
}
static int set(belay_owner *owner, const void *its_key, const void *its_kind, void *object,
               belay_association_policy policy) {
  belay_association it = made(its_key, its_kind, object, policy);
  return belay_association_set(owner, &it);
}

static void assigned_as_it_is(void) {
  belay_owner *owner = traced_owner(NULL);
  CHECK_INT(set(owner, &key, NULL, "object", BELAY_ASSOCIATION_ASSIGN), 0);
  CHECK_STRING(belay_association_get(owner, &key, NULL), "object");
  CHECK(belay_association_get(owner, &other_key, NULL) == NULL);
  belay_owner_release(owner);
  CHECK_TRACE("deinit | free object | dealloc");
  /* Without a destructor the pointer is only dropped. */
  owner = traced_owner(NULL);
  belay_association it = made(&key, NULL, "object", BELAY_ASSOCIATION_ASSIGN);
  it.free = NULL;
  CHECK_INT(belay_association_set(owner, &it), 0);
  belay_owner_release(owner);
  CHECK_TRACE("deinit | dealloc");
}

static void retained_until_the_death(void) {
  thing it = {.number = 1};
  belay_owner *owner = traced_owner(NULL);
  CHECK_INT(set(owner, &key, NULL, &it, BELAY_ASSOCIATION_RETAIN), 0);
  CHECK_INT(it.references, 1);
  CHECK(belay_association_get(owner, &key, NULL) == &it);
  belay_owner_release(owner);
  CHECK_INT(it.references, 0);
  CHECK_TRACE("deinit | release 1 | dealloc");
}

static void copied(void) {
  thing it = {.number = 1};
  belay_owner *owner = traced_owner(NULL);
  CHECK_INT(set(owner, &key, NULL, &it, BELAY_ASSOCIATION_COPY), 0);
  thing *copy = belay_association_get(owner, &key, NULL);
  it.number = 2;
  CHECK(copy != &it);
  CHECK_INT(copy->number, 1);
  belay_owner_release(owner);
  CHECK_TRACE("deinit | free copy 1 | dealloc");
}

static void replaced_and_removed(void) {
  belay_owner *owner = traced_owner(NULL);
  set(owner, &key, NULL, "first", BELAY_ASSOCIATION_ASSIGN);
  set(owner, &other_key, NULL, "other", BELAY_ASSOCIATION_ASSIGN);
  set(owner, &key, NULL, "second", BELAY_ASSOCIATION_ASSIGN);
  CHECK_TRACE("free first");
  CHECK_INT(belay_association_remove(owner, &other_key, NULL), 0);
  CHECK_TRACE("free other");
  CHECK_FAILS(belay_association_remove(owner, &other_key, NULL), BELAY_ENOENT);
  belay_owner_release(owner);
  CHECK_TRACE("deinit | free second | dealloc");
}

static void rule_1_4_released_in_order_at_step_6(void) {
  char keys[50], names[50][4], expected[1500] = "";
  int object;
  belay_owner *owner = belay_owner_adopt(&object, NULL);
  for (int i = 0; i < 50; i++) {
    snprintf(names[i], sizeof names[i], "%d", i);
    CHECK_INT(set(owner, &keys[i], NULL, names[i], BELAY_ASSOCIATION_ASSIGN), 0);
    snprintf(expected + strlen(expected), 20, "free %d | ", i);
  }
  snprintf(expected + strlen(expected), 20, "late completed");
  belay_signal *signal = belay_owner_deallocated(owner);
  belay_observer late = tracing("late");
  late.next = NULL, late.disposed = NULL, late.ctx_free = NULL;
  CHECK_INT(belay_signal_subscribe(signal, &late, NULL), 0);
  belay_signal_release(signal);
  CHECK_INT(belay_owner_will_end(&object), 0);
  CHECK_TRACE("");
  CHECK_INT(belay_owner_did_end(&object), 0);
  CHECK_TRACE(expected);
  belay_owner_release(owner);
}

static belay_owner *asked;
static void ask(void *user_info, const char *name, void *address) {
  trace("%s: %s", name, (const char *)belay_association_get(asked, &key, NULL));
  belay_association it = made(&other_key, NULL, "late", BELAY_ASSOCIATION_ASSIGN);
  CHECK_INT(belay_association_set(asked, &it), 0);
}
static void ask_when_freed(void *object) {
  belay_association it = made(&key, NULL, "too late", BELAY_ASSOCIATION_ASSIGN);
  trace("free %s", (const char *)object);
  CHECK(belay_association_get(asked, &key, NULL) == NULL);
  CHECK_FAILS(belay_association_set(asked, &it), BELAY_EDEAD);
  CHECK_FAILS(belay_notice_set(asked, "late", NULL, NULL, NULL), BELAY_EDEAD);
  belay_association_remove(asked, &other_key, NULL);
}
static void rule_1_4_notices_come_before_and_still_find_them(void) {
  asked = traced_owner(NULL);
  belay_association it = made(&key, NULL, "object", BELAY_ASSOCIATION_ASSIGN);
  it.free = ask_when_freed;
  CHECK_INT(belay_association_set(asked, &it), 0);
  CHECK_INT(belay_notice_set(asked, "notice", ask, NULL, NULL), 0);
  belay_owner *kept = belay_owner_retain(asked);
  belay_owner *parent = belay_owner_create(NULL, NULL, NULL, NULL);
  belay_owner_add_child(parent, asked);
  belay_owner_release(parent);
  CHECK_TRACE("deinit | notice: object | free object | free too late | free late | dealloc");
  belay_owner_release(kept);
  belay_owner_release(asked);
}

/* One key with several kinds of user: they do not replace each other. */
static void A5_26_one_key_keeps_kinds_apart(void) {
  belay_owner *owner = traced_owner(NULL);
  set(owner, &key, &kind, "proxy", BELAY_ASSOCIATION_ASSIGN);
  set(owner, &key, &other_kind, "other proxy", BELAY_ASSOCIATION_ASSIGN);
  set(owner, &key, NULL, "plain", BELAY_ASSOCIATION_ASSIGN);
  CHECK_TRACE("");
  CHECK_STRING(belay_association_get(owner, &key, &kind), "proxy");
  CHECK_STRING(belay_association_get(owner, &key, &other_kind), "other proxy");
  CHECK_STRING(belay_association_get(owner, &key, NULL), "plain");
  CHECK(belay_association_get(owner, &other_key, &kind) == NULL);
  set(owner, &key, &kind, "new proxy", BELAY_ASSOCIATION_ASSIGN);
  CHECK_TRACE("free proxy");
  CHECK_INT(belay_association_remove(owner, &key, NULL), 0);
  CHECK_TRACE("free plain");
  belay_owner_release(owner);
  CHECK_TRACE("deinit | free other proxy | free new proxy | dealloc");
}

static void what_cannot_be_associated(void) {
  thing it = {.number = 1};
  belay_owner *owner = traced_owner(NULL);
  belay_association given = made(&key, NULL, "given", BELAY_ASSOCIATION_ASSIGN);
  CHECK_FAILS(belay_association_set(NULL, &given), BELAY_EINVAL);
  CHECK_TRACE("free given");
  CHECK_FAILS(belay_association_set(owner, NULL), BELAY_EINVAL);
  given.key = NULL;
  CHECK_FAILS(belay_association_set(owner, &given), BELAY_EINVAL);
  CHECK_TRACE("free given");
  given = made(&key, NULL, NULL, BELAY_ASSOCIATION_ASSIGN);
  CHECK_FAILS(belay_association_set(owner, &given), BELAY_EINVAL);
  static const size_t sizes[] = {0, 1, sizeof(belay_association) - 1};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    given = made(&key, NULL, "given", BELAY_ASSOCIATION_ASSIGN);
    given.size = sizes[i];
    CHECK_FAILS(belay_association_set(owner, &given), BELAY_EINVAL);
    CHECK_TRACE("");
  }
  given = made(&key, NULL, &it, BELAY_ASSOCIATION_RETAIN);
  given.take = NULL;
  CHECK_FAILS(belay_association_set(owner, &given), BELAY_EINVAL);
  given.policy = (belay_association_policy)77;
  CHECK_FAILS(belay_association_set(owner, &given), BELAY_EINVAL);
  CHECK_INT(it.references, 0);
  set(owner, &key, NULL, &it, BELAY_ASSOCIATION_RETAIN);
  given = made(&key, NULL, &it, BELAY_ASSOCIATION_COPY);
  given.take = fail_to_take;
  CHECK_FAILS(belay_association_set(owner, &given), BELAY_ECANCELED);
  CHECK(belay_association_get(owner, &key, NULL) == &it); /* the old association stays */
  CHECK(belay_association_get(NULL, &key, NULL) == NULL);
  CHECK(belay_association_get(owner, NULL, NULL) == NULL);
  CHECK_FAILS(belay_association_remove(NULL, &key, NULL), BELAY_EINVAL);
  CHECK_FAILS(belay_association_remove(owner, NULL, NULL), BELAY_EINVAL);
  belay_owner_release(owner);
  CHECK_TRACE("fails | deinit | release 1 | dealloc");
}

/* ---- threads ---- */
enum { THREADS = 3, ROUNDS = 3000 };
static int freed;
static void count_freed(void *object) { __atomic_add_fetch(&freed, 1, __ATOMIC_RELAXED); }
static void change_at_random(void *owner) {
  for (int i = 0; i < ROUNDS; i++) {
    belay_association it = made(i % 2 ? &key : &other_key, i % 3 ? &kind : NULL, &freed,
                                BELAY_ASSOCIATION_ASSIGN);
    it.free = count_freed;
    belay_association_set(owner, &it);
    belay_association_get(owner, it.key, it.kind);
    if (i % 5 == 0) belay_association_remove(owner, it.key, it.kind);
  }
  belay_last_error();
  belay_owner_release(owner);
}
static void several_threads_and_each_is_freed_once(void) {
  belay_owner *owner = traced_owner(NULL);
  routine threads[THREADS];
  for (int i = 0; i < THREADS; i++) belay_owner_retain(owner);
  for (int i = 0; i < THREADS; i++) start_thread(&threads[i], change_at_random, owner);
  belay_owner_release(owner);
  for (int i = 0; i < THREADS; i++) join_thread(&threads[i]);
  CHECK_INT(freed, THREADS * ROUNDS);
  CHECK_TRACE("deinit | dealloc");
}

static const test_case cases[] = {
    CASE(assigned_as_it_is),
    CASE(retained_until_the_death),
    CASE(copied),
    CASE(replaced_and_removed),
    CASE(rule_1_4_released_in_order_at_step_6),
    CASE(rule_1_4_notices_come_before_and_still_find_them),
    CASE(A5_26_one_key_keeps_kinds_apart),
    CASE(what_cannot_be_associated),
    CASE(several_threads_and_each_is_freed_once),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
