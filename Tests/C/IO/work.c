/* Work on libuv's pool, and the names and addresses of hosts. */
#include "fds.h"

#include <netdb.h>
#include <netinet/in.h>
#include <semaphore.h>
#include <uv.h>

static sem_t begun, go;
static int runs, destroyed, freed;

static void destroy(void *pointer) { __atomic_add_fetch(&destroyed, 1, __ATOMIC_RELAXED); }

static belay_value answer(void *ctx) {
  __atomic_add_fetch(&runs, 1, __ATOMIC_RELAXED);
  return belay_int32(42);
}
static belay_value fail_range_of(void *ctx) { return belay_value_failure(BELAY_ERANGE, "too far"); }
/* Holds a thread of the pool until `go`. */
static belay_value held(void *ctx) {
  sem_post(&begun);
  while (sem_wait(&go) != 0) {}
  return belay_pointer_owned(&destroyed, destroy);
}

static void open_work(void) {
  begin();
  runs = destroyed = freed = 0;
  sem_init(&begun, 0, 0);
  sem_init(&go, 0, 0);
}

static void await(sem_t *semaphore, int count) {
  while (count > 0)
    if (sem_wait(semaphore) == 0) count--;
}

static void its_result_is_the_value(void) {
  open_work();
  belay_signal *work = belay_work(loop, answer, &freed, count_free);
  watch(also(work), "one");
  run_to_end(loop);
  CHECK_TRACE("one next 42 | one completed | one disposed | one free");
  watch(work, "other");
  run_to_end(loop);
  CHECK_TRACE("other next 42 | other completed | other disposed | other free");
  CHECK_INT(runs, 2);
  CHECK_INT(freed, 1);
  watch_errors(belay_work(loop, fail_range_of, NULL, NULL));
  run_to_end(loop);
  CHECK_TRACE("error ERANGE: too far | disposed | free");
  finish();
}

static void several_run_at_once(void) {
  open_work();
  belay_signal *work = belay_work(loop, held, NULL, NULL);
  watch(also(work), "");
  watch(work, "");
  while (belay_loop_run(loop, BELAY_RUN_NOWAIT) < 0) {}
  await(&begun, 2);
  sem_post(&go);
  sem_post(&go);
  run_to_end(loop);
  CHECK_INT(destroyed, 2);
  trace_clear();
  finish();
}

/* As many as the pool has threads are held, so that the next cannot begin. */
static void disposal_prevents_what_has_not_begun(void) {
  open_work();
  enum { THREADS = 4 };
  belay_disposable *holders[THREADS];
  for (int i = 0; i < THREADS; i++) holders[i] = watched(belay_work(loop, held, NULL, NULL), "");
  await(&begun, THREADS);
  belay_disposable *next = watched(belay_work(loop, answer, &freed, count_free), "next");
  end_subscription(next);
  CHECK_TRACE("next disposed | next free");
  CHECK_INT(freed, 1);
  /* What has begun goes on; nobody gets its result. */
  for (int i = 0; i < THREADS; i++) end_subscription(holders[i]);
  CHECK_INT(destroyed, 0);
  for (int i = 0; i < THREADS; i++) sem_post(&go);
  trace_clear();
  run_to_end(loop);
  CHECK_TRACE("");
  CHECK_INT(destroyed, THREADS);
  CHECK_INT(runs, 0);
  finish();
}

static void let_go(void *ctx) {
  usleep(2000);
  sem_post(&go);
}

static void a_close_waits_for_what_runs(void) {
  open_work();
  routine other;
  watch(belay_work(loop, held, NULL, NULL), "");
  await(&begun, 1);
  start_thread(&other, let_go, NULL);
  CHECK_INT(belay_loop_close(loop, ignore_left, NULL, NULL), 0);
  CHECK_INT(destroyed, 1);
  CHECK_TRACE("disposed | free");
  join_thread(&other);
  belay_loop_release(loop);
  loop = open_loop();
  finish();
}

static void bad_arguments(void) {
  open_work();
  CHECK(belay_work(loop, NULL, &freed, count_free) == NULL);
  check_last_error(BELAY_EINVAL);
  CHECK(belay_work(NULL, answer, &freed, count_free) == NULL);
  check_last_error(BELAY_EINVAL);
  CHECK_INT(freed, 2);
  CHECK(belay_lookup(loop, NULL, NULL) == NULL);
  check_last_error(BELAY_EINVAL);
  CHECK(belay_lookup(NULL, "localhost", NULL) == NULL);
  check_last_error(BELAY_EINVAL);
  CHECK(belay_host_name(loop, NULL) == NULL);
  check_last_error(BELAY_EINVAL);
  finish();
}

/* ---- hosts ---- */

static void numeric_hosts(void) {
  begin();
  watch(belay_lookup(loop, "127.0.0.1", "8080"), "");
  run_to_end(loop);
  CHECK_TRACE("next [127.0.0.1 8080] | completed | disposed | free");
  watch(belay_lookup(loop, "::1", NULL), "");
  run_to_end(loop);
  CHECK_TRACE("next [::1 0] | completed | disposed | free");
  finish();
}

static void local_host(void) {
  begin();
  watch(belay_lookup(loop, "localhost", "80"), "");
  run_to_end(loop);
  CHECK(strstr(trace_text(), "next [127.0.0.1 80]") || strstr(trace_text(), "next [::1 80]"));
  CHECK(strstr(trace_text(), "completed | disposed | free") != NULL);
  trace_clear();
  finish();
}

static int lookup_code;
static void keep_code(void *ctx, const belay_error *error) {
  lookup_code = belay_error_code(error);
  trace("%s", belay_error_message(error));
}

static void fail_lookup(belay_signal *signal) {
  belay_observer observer = tracing("");
  observer.error = keep_code;
  lookup_code = 0;
  CHECK(signal != NULL);
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  belay_signal_release(signal);
  run_to_end(loop);
}

static void a_host_that_does_not_exist(void) {
  begin();
  fail_lookup(belay_lookup(loop, "belay-test.invalid", "80"));
  /* Where no server can be asked, the system cannot tell. */
  CHECK(lookup_code == UV_EAI_NONAME || lookup_code == UV_EAI_AGAIN);
  CHECK(strncmp(trace_text(), "belay-test.invalid: ", 20) == 0);
  trace_clear();
  fail_lookup(belay_lookup(loop, "127.0.0.1", "no-such-service"));
  CHECK_INT(lookup_code, UV_EAI_SERVICE);
  trace_clear();
  finish();
}

static void the_name_of_an_address(void) {
  begin();
  char name[NI_MAXHOST], expected[NI_MAXHOST + 50];
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
  int code = getnameinfo((struct sockaddr *)&address, sizeof address, name, sizeof name, NULL, 0,
                         NI_NAMEREQD);
  watch(belay_host_name(loop, "127.0.0.1"), "");
  run_to_end(loop);
  if (code == 0) {
    snprintf(expected, sizeof expected, "next %s | completed | disposed | free", name);
    CHECK_TRACE(expected);
  } else {
    CHECK(strstr(trace_text(), "error") != NULL);
    trace_clear();
  }
  fail_lookup(belay_host_name(loop, "not an address"));
  CHECK_INT(lookup_code, BELAY_EINVAL);
  CHECK(strncmp(trace_text(), "not an address: ", 16) == 0);
  trace_clear();
  finish();
}

static void lookups_that_are_given_up(void) {
  begin();
  for (int i = 0; i < 20; i++) {
    belay_disposable *subscription = watched(belay_lookup(loop, "127.0.0.1", NULL), "");
    end_subscription(subscription);
    end_subscription(watched(belay_host_name(loop, "127.0.0.1"), ""));
  }
  CHECK(strstr(trace_text(), "next") == NULL);
  trace_clear();
  run_to_end(loop);
  CHECK_TRACE("");
  watch(belay_lookup(loop, "127.0.0.1", NULL), "");
  CHECK_INT(belay_loop_close(loop, ignore_left, NULL, NULL), 0);
  CHECK_TRACE("disposed | free");
  belay_loop_release(loop);
  loop = open_loop();
  finish();
}

static const test_case cases[] = {
    CASE(its_result_is_the_value),
    CASE(several_run_at_once),
    CASE(disposal_prevents_what_has_not_begun),
    CASE(a_close_waits_for_what_runs),
    CASE(bad_arguments),
    CASE(numeric_hosts),
    CASE(local_host),
    CASE(a_host_that_does_not_exist),
    CASE(the_name_of_an_address),
    CASE(lookups_that_are_given_up),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
