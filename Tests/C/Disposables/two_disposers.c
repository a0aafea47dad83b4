/* Two threads dispose of the same subscription at the same moment: exactly one of them ends it, and
   its context is freed. They can collide only within a few instructions, so it takes many rounds. A
   number as the argument plays that many rounds of each case, 3 000 000 say, best on a machine that
   is busy with something else too. Without it a case plays as many rounds as it can in a while, for
   on a busy machine a round may take as long as a thread is let run. */
#include "cases.h"

#include <ctype.h>
#include <sched.h>
#include <time.h>

static long rounds = 200000;
static int is_patient;
enum { A_WHILE = 10 }; /* seconds */

typedef struct pair {
  belay_disposable *subscription;
  long begun, done; /* rounds; each member is written by one of the two */
  int freed, disposed;
  int is_over; /* written before `begun` */
} pair;

/* A short wait, for the other thread is at work. On a busy machine it may not be running. */
static void wait_until(const long *reached, long round) {
  for (int spins = 0; __atomic_load_n(reached, __ATOMIC_ACQUIRE) < round; spins++)
    if (spins > 500) sched_yield();
}

static void count_disposed(void *ctx) {
  __atomic_add_fetch(&((pair *)ctx)->disposed, 1, __ATOMIC_RELAXED);
}
static void count_freed(void *ctx) {
  __atomic_add_fetch(&((pair *)ctx)->freed, 1, __ATOMIC_RELAXED);
}

static void dispose_too(void *argument) {
  pair *it = argument;
  for (long round = 1; round <= rounds; round++) {
    wait_until(&it->begun, round);
    if (it->is_over) return;
    belay_disposable_dispose(it->subscription);
    __atomic_store_n(&it->done, round, __ATOMIC_RELEASE);
  }
}

/* A round subscribes either to a subject of its own or through a stage. */
static void dispose_on_two_threads(int has_stage) {
  pair it = {0};
  routine other;
  long left = 0;
  belay_observer observer = {
      .size = sizeof observer, .disposed = count_disposed, .ctx = &it, .ctx_free = count_freed};
  start_thread(&other, dispose_too, &it);
  time_t end = time(NULL) + A_WHILE;
  long round = 1;
  for (; round <= rounds && (is_patient || time(NULL) < end); round++) {
    belay_signal *signal = belay_subject_create(NULL);
    if (has_stage) signal = belay_signal_chain(signal, belay_op_map(same_value, NULL, NULL));
    it.freed = it.disposed = 0;
    CHECK_INT(belay_signal_subscribe(signal, &observer, &it.subscription), 0);
    __atomic_store_n(&it.begun, round, __ATOMIC_RELEASE);
    belay_disposable_dispose(it.subscription);
    wait_until(&it.done, round);
    CHECK_INT(belay_disposable_dispose_sync(it.subscription, 10), 0);
    if (it.freed != 1 || it.disposed != 1) left++;
    belay_disposable_release(it.subscription);
    belay_signal_release(signal);
  }
  it.is_over = 1;
  __atomic_store_n(&it.begun, round, __ATOMIC_RELEASE);
  join_thread(&other);
  CHECK_INT(left, 0);
}

static void rule_1_1_two_threads_dispose_of_one_subscription(void) { dispose_on_two_threads(0); }
static void rule_1_1_two_threads_dispose_of_one_with_a_stage(void) { dispose_on_two_threads(1); }

int main(int argc, char **argv) {
  static const test_case cases[] = {
      CASE(rule_1_1_two_threads_dispose_of_one_subscription),
      CASE(rule_1_1_two_threads_dispose_of_one_with_a_stage),
  };
  if (argc > 1 && isdigit((unsigned char)argv[1][0])) {
    rounds = atol(argv[1]);
    is_patient = 1;
    argc = 1;
  }
  return RUN_CASES(cases);
}
