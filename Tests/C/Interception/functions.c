/* Functions that are made of a callback with a context, for code that takes a function without
   one. (imp_implementationWithBlock.) */
#include "interfaces.h"
#include "worker.h"

/* ---- what they are called with ---- */

typedef int (*comparison)(const void *one, const void *other);

static belay_value compare(void *ctx, belay_invocation *call) {
  belay_value one, other;
  const int *pointers[2];
  ++*(int *)ctx;
  CHECK_INT(belay_invocation_get(call, 0, &one), 0);
  CHECK_INT(belay_invocation_get(call, 1, &other), 0);
  CHECK_INT(belay_value_get_pointer(one, (void **)&pointers[0]), 0);
  CHECK_INT(belay_value_get_pointer(other, (void **)&pointers[1]), 0);
  CHECK_STRING(belay_invocation_method(call), "function");
  return belay_int32(*pointers[0] - *pointers[1]);
}

static void qsort_gets_a_context(void) {
  int numbers[] = {5, 3, 9, 1, 7}, calls = 0;
  belay_disposable *made;
  belay_function function = belay_function_create("ipp", NULL, compare, &calls, NULL, &made);
  CHECK(function != NULL);
  qsort(numbers, 5, sizeof *numbers, (comparison)function);
  for (int i = 0; i < 5; i++) CHECK_INT(numbers[i], 2 * i + 1);
  CHECK(calls >= 4);
  end_subscription(made);
}

typedef const char *(*greeting)(void *object, const char *name, double number);

static belay_value greet(void *ctx, belay_invocation *call) {
  char text[64];
  belay_value name;
  CHECK(belay_invocation_context(call) == ctx);
  CHECK_INT(belay_invocation_count(call), 2);
  CHECK_INT(belay_invocation_get(call, 0, &name), 0);
  render(name, text, sizeof text);
  belay_value_release(name);
  return belay_string(text);
}

static void texts_and_the_object_that_is_called(void) {
  int object;
  belay_disposable *made;
  greeting function = (greeting)belay_function_create("*@*d", NULL, greet, &object, NULL, &made);
  const char *first = function(&object, "Ann", 1.5);
  CHECK_STRING(first, "Ann");
  CHECK_STRING(function(&object, "Bob", 2), "Bob");
  end_subscription(made);
}

static belay_value fails(void *ctx, belay_invocation *call) {
  return belay_value_failure(BELAY_ERANGE, "too much");
}
static void a_failure_is_recorded_and_the_answer_is_zero(void) {
  belay_disposable *made;
  int (*function)(int) =
      (int (*)(int))belay_function_create("ii", NULL, fails, NULL, NULL, &made);
  CHECK_INT(function(3), 0);
  CHECK_INT(last_code(), BELAY_ERANGE);
  end_subscription(made);
}

/* ---- lifetimes ---- */

static belay_value tell(void *ctx, belay_invocation *call) {
  trace("called");
  return belay_null();
}
static void trace_ctx_free(void *ctx) { trace("free"); }
static void trace_deinit(void *object) { trace("deinit"); }

static void it_ends_with_its_disposable_and_with_its_owner(void) {
  belay_disposable *made;
  void (*function)(void) =
      (void (*)(void))belay_function_create("v", NULL, tell, NULL, trace_ctx_free, &made);
  function();
  CHECK_TRACE("called");
  CHECK_INT(belay_disposable_dispose_sync(made, -1), 0);
  CHECK_TRACE("free");
  belay_disposable_release(made);

  int object;
  belay_owner *owner = belay_owner_create(&object, trace_deinit, NULL, NULL);
  function = (void (*)(void))belay_function_create("v", owner, tell, NULL, trace_ctx_free, NULL);
  function();
  belay_owner_release(owner);
  CHECK_TRACE("called | free | deinit");
}

typedef struct ending {
  belay_disposable *made;
  belay_owner *owner;
} ending;
static belay_value end_inside(void *ctx, belay_invocation *call) {
  ending *it = ctx;
  if (it->made) {
    belay_disposable_dispose(it->made);
    CHECK_INT(belay_disposable_dispose_sync(it->made, -1), BELAY_EINPROGRESS);
    belay_last_error();
  } else {
    belay_owner_release(it->owner);
  }
  trace("still inside");
  return belay_int32(42);
}
static void it_ends_inside_of_its_own_call(void) {
  ending it = {0};
  int (*function)(void) =
      (int (*)(void))belay_function_create("i", NULL, end_inside, &it, trace_ctx_free, &it.made);
  CHECK_INT(function(), 42);
  CHECK_TRACE("still inside | free");
  belay_disposable_release(it.made);
  it.made = NULL;
  it.owner = belay_owner_create(&it, trace_deinit, NULL, NULL);
  function =
      (int (*)(void))belay_function_create("i", it.owner, end_inside, &it, trace_ctx_free, NULL);
  CHECK_INT(function(), 42);
  CHECK_TRACE("still inside | free | deinit");
}

typedef struct slow {
  int (*function)(void);
  belay_disposable *made;
  sem_t in, out;
  int freed, answer;
} slow;
static belay_value answer_slowly(void *ctx, belay_invocation *call) {
  slow *it = ctx;
  sem_post(&it->in);
  wait_for(&it->out);
  CHECK_INT(it->freed, 0);
  return belay_int32(7);
}
static void call_slowly(void *ctx) { ((slow *)ctx)->answer = ((slow *)ctx)->function(); }
static void count_slow_free(void *ctx) { ((slow *)ctx)->freed++; }
static void a_call_on_another_thread_returns_after_the_end(void) {
  slow it = {.freed = 0};
  routine caller;
  sem_init(&it.in, 0, 0), sem_init(&it.out, 0, 0);
  it.function = (int (*)(void))belay_function_create("i", NULL, answer_slowly, &it, count_slow_free,
                                                    &it.made);
  start_thread(&caller, call_slowly, &it);
  wait_for(&it.in);
  CHECK_INT(belay_disposable_dispose_sync(it.made, 0), BELAY_ETIMEDOUT);
  belay_last_error();
  CHECK_INT(it.freed, 0);
  sem_post(&it.out);
  CHECK_INT(belay_disposable_dispose_sync(it.made, -1), 0);
  CHECK_INT(it.freed, 1);
  join_thread(&caller);
  CHECK_INT(it.answer, 7);
  belay_disposable_release(it.made);
  sem_destroy(&it.in), sem_destroy(&it.out);
}

static belay_value add_atomically(void *ctx, belay_invocation *call) {
  __atomic_add_fetch((int *)ctx, 1, __ATOMIC_RELAXED);
  return belay_int32(1);
}
typedef struct callers {
  int (*function)(void);
  int answers;
} callers;
static void call_often(void *ctx) {
  callers *it = ctx;
  for (int i = 0; i < 2000; i++) __atomic_add_fetch(&it->answers, it->function(), __ATOMIC_RELAXED);
}
static void several_threads_call_it_at_once(void) {
  int calls = 0;
  belay_disposable *made;
  callers it = {(int (*)(void))belay_function_create("i", NULL, add_atomically, &calls, NULL, &made),
                0};
  routine threads[3];
  for (int i = 0; i < 3; i++) start_thread(&threads[i], call_often, &it);
  for (int i = 0; i < 3; i++) join_thread(&threads[i]);
  CHECK_INT(calls, 6000);
  CHECK_INT(it.answers, 6000);
  end_subscription(made);
}

/* ---- what is refused ---- */

static void nonsense(void) {
  int freed = 0;
  belay_disposable *made = (belay_disposable *)&freed;
  CHECK(!belay_function_create(NULL, NULL, tell, &freed, count_free, &made));
  CHECK(made == NULL);
  check_last_error(BELAY_EINVAL);
  CHECK(!belay_function_create("v", NULL, NULL, &freed, count_free, NULL));
  check_last_error(BELAY_EINVAL);
  CHECK(!belay_function_create("v?", NULL, tell, &freed, count_free, NULL));
  const belay_error *error = belay_last_error();
  CHECK_INT(belay_error_code(error), BELAY_EINVAL);
  CHECK_STRING(belay_error_message(error), "the shape v? is wrong at 1");
  CHECK(!belay_function_create("viiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiii",
                               NULL, tell, &freed, count_free, NULL));
  check_last_error(BELAY_ERANGE);
  belay_owner *owner = belay_owner_create(NULL, NULL, NULL, NULL);
  belay_owner_retain(owner);
  belay_owner *parent = belay_owner_create(NULL, NULL, NULL, NULL);
  CHECK_INT(belay_owner_add_child(parent, owner), 0);
  belay_owner_release(parent);
  CHECK(!belay_function_create("v", owner, tell, &freed, count_free, &made));
  CHECK(made == NULL);
  check_last_error(BELAY_EDEAD);
  CHECK_INT(freed, 5);
  belay_owner_release(owner), belay_owner_release(owner);
}

static void they_come_and_go(void) {
  for (int i = 0; i < 2000; i++) {
    belay_disposable *made;
    int calls = 0;
    CHECK(belay_function_create("i", NULL, add_atomically, &calls, NULL, &made) != NULL);
    end_subscription(made);
  }
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      CASE(qsort_gets_a_context),
      CASE(texts_and_the_object_that_is_called),
      CASE(a_failure_is_recorded_and_the_answer_is_zero),
      CASE(it_ends_with_its_disposable_and_with_its_owner),
      CASE(it_ends_inside_of_its_own_call),
      CASE(a_call_on_another_thread_returns_after_the_end),
      CASE(several_threads_call_it_at_once),
      CASE(nonsense),
      CASE(they_come_and_go),
  };
  return RUN_CASES(cases);
}
