/* Waiting for the end (belay_disposable_dispose_sync). */
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>

#include "worker.h"

static pthread_barrier_t inside, may_leave;
static void barriers(void) {
  pthread_barrier_init(&inside, NULL, 2);
  pthread_barrier_init(&may_leave, NULL, 2);
}
static void no_barriers(void) {
  pthread_barrier_destroy(&inside);
  pthread_barrier_destroy(&may_leave);
}

static belay_disposable *self;
static int result;

/* ---- 0 ---- */

static void nothing_to_wait_for(void) {
  belay_disposable *d = belay_disposable_create(trace_action, "d", trace_free);
  CHECK_INT(belay_disposable_dispose_sync(d, -1), 0);
  CHECK_TRACE("action d | free d");
  CHECK_INT(belay_disposable_dispose_sync(d, -1), 0);
  CHECK_INT(belay_disposable_dispose_sync(d, 0), 0);
  CHECK_INT(belay_disposable_dispose_sync(d, INFINITY), 0);
  belay_disposable_release(d);
  CHECK(!belay_last_error());
}

static void a_subscription_at_home(void) {
  belay_signal *subject = belay_subject_create(NULL);
  belay_observer observer = tracing("");
  belay_disposable *d = NULL;
  CHECK_INT(belay_signal_subscribe(subject, &observer, &d), 0);
  CHECK_INT(belay_disposable_dispose_sync(d, -1), 0);
  CHECK_TRACE("disposed | free");
  belay_disposable_release(d);
  belay_signal_release(subject);
}

/* Another thread is inside the action: the answer is 0 only once its context has been freed. */
static void block(void *name) {
  trace("action %s", (const char *)name);
  pthread_barrier_wait(&inside);
  pthread_barrier_wait(&may_leave);
  trace("end %s", (const char *)name);
}
static void *dispose_there(void *d) {
  belay_disposable_dispose(d);
  return NULL;
}
static void *wait_there(void *d) {
  pthread_barrier_wait(&may_leave);
  result = belay_disposable_dispose_sync(d, -1);
  trace("waited");
  return NULL;
}
static void waits_for_an_action_on_another_thread(void) {
  pthread_t one, two;
  barriers();
  belay_disposable *d = belay_disposable_create(block, "d", trace_free);
  pthread_create(&one, NULL, dispose_there, d);
  pthread_barrier_wait(&inside);
  result = 1;
  pthread_create(&two, NULL, wait_there, d); /* it lets the action go on, then waits for it */
  pthread_join(two, NULL);
  CHECK_INT(result, 0);
  CHECK_TRACE("action d | end d | free d | waited");
  pthread_join(one, NULL);
  belay_disposable_release(d);
  no_barriers();
}

/* ---- BELAY_ETIMEDOUT ---- */

/* Disposes `ended` on a thread that stays inside its action. Meanwhile this thread waits for
   `waited`. */
static void while_running(belay_disposable *waited, belay_disposable *ended) {
  pthread_t thread;
  pthread_create(&thread, NULL, dispose_there, ended);
  pthread_barrier_wait(&inside);
  CHECK_FAILS(belay_disposable_dispose_sync(waited, 0), BELAY_ETIMEDOUT);
  CHECK_INT(belay_disposable_is_disposed(waited), 1);
  CHECK_TRACE("action d");
  pthread_barrier_wait(&may_leave);
  CHECK_INT(belay_disposable_dispose_sync(waited, -1), 0);
  CHECK_TRACE("end d | free d");
  pthread_join(thread, NULL);
}

static void times_out_while_the_action_runs(void) {
  barriers();
  belay_disposable *d = belay_disposable_create(block, "d", trace_free);
  while_running(d, d);
  belay_disposable_release(d);
  no_barriers();
}

/* The caller waits for all that was in a container when its disposal began, whichever thread
   disposes of it. */
static void waits_for_the_members_of_a_compound(void) {
  barriers();
  belay_disposable *c = belay_compound_create();
  CHECK_INT(belay_compound_add_action(c, block, "d", trace_free, NULL), 0);
  while_running(c, c);
  belay_disposable_release(c);
  no_barriers();
}

static void waits_for_what_the_other_kinds_hold(void) {
  for (int kind = 0; kind < 5; kind++) {
    barriers();
    belay_disposable *d = belay_disposable_create(block, "d", trace_free), *holder = NULL;
    switch (kind) {
      case 0: holder = belay_binary_create(NULL, d); break;
      case 1: holder = belay_scoped_create(d); break;
      case 2: holder = belay_ref_counted_create(d); break;
      case 3:
        holder = belay_serial_create();
        belay_serial_set(holder, d);
        break;
      case 4:
        holder = belay_single_assignment_create();
        belay_single_assignment_set(holder, d);
        break;
    }
    while_running(holder, holder);
    belay_disposable_release(holder);
    belay_disposable_release(d);
    no_barriers();
  }
}

/* Another thread ends the member, this one the container. */
static void waits_for_a_member_that_is_ending_elsewhere(void) {
  barriers();
  belay_disposable *d = belay_disposable_create(block, "d", trace_free);
  belay_disposable *b = belay_binary_create(d, NULL);
  while_running(b, d);
  belay_disposable_release(b);
  belay_disposable_release(d);
  no_barriers();
}

/* A callback of the subscription is running at its home. */
static belay_signal *subject;
static void block_next(void *ctx, belay_value value) {
  (void)value;
  block(ctx);
}
static void *send_there(void *observed) {
  subject = belay_subject_create(NULL);
  belay_observer observer = {.size = sizeof observer, .next = block_next, .ctx = "d",
                             .ctx_free = trace_free};
  CHECK_INT(belay_signal_subscribe(subject, &observer, observed), 0);
  CHECK_INT(belay_subject_next(subject, belay_int32(1)), 0);
  belay_signal_release(subject);
  return NULL;
}
static void waits_for_a_callback_of_a_subscription(void) {
  pthread_t thread;
  belay_disposable *d = NULL;
  barriers();
  pthread_create(&thread, NULL, send_there, &d);
  pthread_barrier_wait(&inside);
  CHECK_FAILS(belay_disposable_dispose_sync(d, 0), BELAY_ETIMEDOUT);
  CHECK_INT(belay_disposable_is_disposed(d), 1);
  pthread_barrier_wait(&may_leave);
  CHECK_INT(belay_disposable_dispose_sync(d, -1), 0);
  CHECK_TRACE("action d | end d | free d");
  pthread_join(thread, NULL);
  belay_disposable_release(d);
  no_barriers();
}

/* The callback is deep in the nest, and the containers were disposed of long ago. */
static void waits_for_a_callback_in_a_container_of_a_container(void) {
  pthread_t thread;
  belay_disposable *d = NULL, *outer = belay_compound_create();
  barriers();
  pthread_create(&thread, NULL, send_there, &d);
  pthread_barrier_wait(&inside);
  belay_disposable *inner = belay_compound_create(), *binary = belay_binary_create(inner, NULL);
  CHECK_INT(belay_compound_add(inner, d, NULL), 0);
  CHECK_INT(belay_compound_add(outer, binary, NULL), 0);
  belay_disposable_dispose(outer);
  CHECK_FAILS(belay_disposable_dispose_sync(outer, 0), BELAY_ETIMEDOUT);
  pthread_barrier_wait(&may_leave);
  CHECK_INT(belay_disposable_dispose_sync(outer, -1), 0);
  CHECK_TRACE("action d | end d | free d");
  pthread_join(thread, NULL);
  belay_disposable_release(binary);
  belay_disposable_release(inner);
  belay_disposable_release(outer);
  belay_disposable_release(d);
  no_barriers();
}

/* One thread ends the container, and finds a member that is running on another thread. A caller
   that waits for the container waits for that member, too, however early it began to wait. */
static pthread_barrier_t in_next, next_may_leave;
static void block_in_next(void *name, belay_value value) {
  (void)value;
  pthread_barrier_wait(&in_next);
  pthread_barrier_wait(&next_may_leave);
  trace("leaves %s", (const char *)name);
}
static void *send_one(void *observed) {
  belay_signal *s = belay_subject_create(NULL);
  belay_observer observer = {.size = sizeof observer, .next = block_in_next, .ctx = "s"};
  CHECK_INT(belay_signal_subscribe(s, &observer, observed), 0);
  CHECK_INT(belay_subject_next(s, belay_int32(1)), 0);
  belay_signal_release(s);
  return NULL;
}
static void *wait_for_all(void *compound) {
  result = belay_disposable_dispose_sync(compound, -1);
  trace("waited");
  return NULL;
}
static void waits_for_what_the_disposal_comes_upon(void) {
  int wrong = 0;
  for (int round = 0; round < 30 && !wrong; round++) {
    pthread_t sender, disposer, waiter;
    belay_disposable *subscription = NULL, *c = belay_compound_create();
    barriers();
    pthread_barrier_init(&in_next, NULL, 2);
    pthread_barrier_init(&next_may_leave, NULL, 2);
    pthread_create(&sender, NULL, send_one, &subscription);
    pthread_barrier_wait(&in_next);
    CHECK_INT(belay_compound_add_action(c, block, "d", trace_free, NULL), 0);
    CHECK_INT(belay_compound_add(c, subscription, NULL), 0);
    pthread_create(&disposer, NULL, dispose_there, c);
    pthread_barrier_wait(&inside);
    pthread_create(&waiter, NULL, wait_for_all, c);
    for (int i = 0; i < 100; i++) sched_yield();
    pthread_barrier_wait(&may_leave);
    pthread_join(disposer, NULL);
    for (int i = 0; i < 100; i++) sched_yield();
    pthread_barrier_wait(&next_may_leave);
    pthread_join(sender, NULL);
    pthread_join(waiter, NULL);
    CHECK_INT(result, 0);
    wrong = strstr(trace_text(), "waited | leaves s") != NULL;
    CHECK_TRACE("action d | end d | free d | leaves s | waited");
    belay_disposable_release(subscription);
    belay_disposable_release(c);
    no_barriers();
    pthread_barrier_destroy(&in_next);
    pthread_barrier_destroy(&next_may_leave);
  }
}

/* ---- BELAY_EINPROGRESS ---- */

static void wait_for_self(void *name) {
  trace("action %s", (const char *)name);
  int code = belay_disposable_dispose_sync(self, 0);
  CHECK_FAILS(code, BELAY_EINPROGRESS);
  if (code) CHECK_FAILS(belay_disposable_dispose_sync(self, code == BELAY_EINPROGRESS ? -1 : 0),
                        BELAY_EINPROGRESS);
  CHECK_INT(belay_disposable_is_disposed(self), 1);
}
static void in_progress_inside_its_own_action(void) {
  self = belay_disposable_create(wait_for_self, "d", trace_free);
  belay_disposable_dispose(self);
  CHECK_TRACE("action d | free d");
  belay_disposable_release(self);
  self = belay_disposable_create(wait_for_self, "d", trace_free);
  CHECK_INT(belay_disposable_dispose_sync(self, -1), 0);
  CHECK_TRACE("action d | free d");
  belay_disposable_release(self);
}

static void in_progress_inside_a_members_action(void) {
  self = belay_compound_create();
  CHECK_INT(belay_compound_add_action(self, wait_for_self, "m", trace_free, NULL), 0);
  belay_disposable_dispose(self);
  CHECK_TRACE("action m | free m");
  belay_disposable_release(self);
}

static void wait_in_next(void *ctx, belay_value value) {
  (void)value;
  wait_for_self(ctx);
}
static void in_progress_inside_next(void) {
  belay_signal *s = belay_subject_create(NULL);
  belay_observer observer = {.size = sizeof observer, .next = wait_in_next, .ctx = "s",
                             .ctx_free = trace_free};
  CHECK_INT(belay_signal_subscribe(s, &observer, &self), 0);
  CHECK_INT(belay_subject_next(s, belay_int32(1)), 0);
  CHECK_TRACE("action s | free s");
  belay_disposable_release(self);
  belay_signal_release(s);
}

/* ---- BELAY_EDEADLK ---- */

static belay_disposable *pair[2];
static int answers[2];
static void wait_for_the_other(void *number) {
  int mine = (int)(intptr_t)number;
  pthread_barrier_wait(&inside); /* both threads are in their actions */
  answers[mine] = belay_disposable_dispose_sync(pair[1 - mine], -1);
}
static void deadlock_of_two_threads(void) {
  for (int round = 0; round < 50; round++) {
    pthread_t threads[2];
    barriers();
    for (int i = 0; i < 2; i++)
      pair[i] = belay_disposable_create(wait_for_the_other, (void *)(intptr_t)i, NULL);
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, dispose_there, pair[i]);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    /* the one that closed the cycle is refused, … */
    CHECK_INT(answers[0] + answers[1], BELAY_EDEADLK);
    CHECK(answers[0] == 0 || answers[1] == 0);         /* … and the other one waits to the end */
    belay_disposable_release(pair[0]);
    belay_disposable_release(pair[1]);
    no_barriers();
  }
}

enum { RING = 3 };
static belay_disposable *ring[RING];
static int ring_answers[RING];
static void wait_for_the_next(void *number) {
  int mine = (int)(intptr_t)number;
  pthread_barrier_wait(&inside);
  ring_answers[mine] = belay_disposable_dispose_sync(ring[(mine + 1) % RING], -1);
}
static void deadlock_of_three_threads(void) {
  for (int round = 0; round < 50; round++) {
    pthread_t threads[RING];
    int refused = 0;
    pthread_barrier_init(&inside, NULL, RING);
    for (int i = 0; i < RING; i++)
      ring[i] = belay_disposable_create(wait_for_the_next, (void *)(intptr_t)i, NULL);
    for (int i = 0; i < RING; i++) pthread_create(&threads[i], NULL, dispose_there, ring[i]);
    for (int i = 0; i < RING; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < RING; i++) {
      CHECK(ring_answers[i] == 0 || ring_answers[i] == BELAY_EDEADLK);
      refused += ring_answers[i] == BELAY_EDEADLK;
      belay_disposable_release(ring[i]);
    }
    CHECK_INT(refused, 1);
    pthread_barrier_destroy(&inside);
  }
}

/* ---- parts that come while a thread waits ---- */

/* The home of `late` is here and its source is on a worker, whose callback waits. What runs there is a part of `late`
   from the turn on in which it is disposed of here. */
static belay_disposable *late, *other;
static belay_signal *source;
static sem_t begun;
static atomic_int answered;
static void wait_for_late(void *answer) {
  sem_post(&begun);
  *(int *)answer = belay_disposable_dispose_sync(late, 10);
  answered++;
}
static void wait_for_other(void *answer) {
  sem_post(&begun);
  *(int *)answer = belay_disposable_dispose_sync(other, 10);
  answered++;
}
static belay_value call_with_answer(belay_value value, belay_action_fn wait) {
  wait(&answers[0]);
  return belay_value_retain(value);
}
static belay_value map_waiting_for_late(void *ctx, belay_value value) {
  return call_with_answer(value, wait_for_late);
}
static belay_value map_waiting_for_other(void *ctx, belay_value value) {
  return call_with_answer(value, wait_for_other);
}
static void send_from_there(void *ctx) { CHECK(belay_subject_next(source, belay_int32(1)) >= 0); }

static void make_source(void *ctx) { source = belay_subject_create(NULL); }

static void begin_late(worker *there, belay_map_fn map) {
  sem_init(&begun, 0, 0);
  answered = 0;
  start_worker(there);
  on_worker(there, make_source, NULL);
  belay_op *subscribe_on = belay_op_subscribe_on(belay_loop_get_scheduler(there->loop));
  late = watched(belay_signal_chain(also(source), belay_op_map(map, NULL, NULL), subscribe_on), "");
  meet(there);
}
static void end_late(worker *there, belay_loop *loop, int count) {
  CHECK_INT(belay_loop_post(there->loop, send_from_there, NULL, NULL), 0);
  wait_for(&begun);
  /* They sleep by now. Whoever does not will find the part at once, and answer the same. */
  nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
  while (answered < count) turn(loop);
  meet(there);
  turn(loop);
  CHECK_TRACE("disposed | free");
  belay_disposable_release(late);
  belay_signal_release(source);
  stop_worker(there);
  close_loop(loop);
  sem_destroy(&begun);
}

static void in_progress_inside_a_part_that_comes_late(void) {
  worker there = {0};
  belay_loop *loop = open_loop();
  begin_late(&there, map_waiting_for_late);
  end_late(&there, loop, 1);
  CHECK_INT(answers[0], BELAY_EINPROGRESS);
}

static void dispose_of_other(void *ctx) { belay_disposable_dispose(other); }
static void deadlock_through_a_part_that_comes_late(void) {
  worker there = {0};
  routine third;
  belay_loop *loop = open_loop();
  begin_late(&there, map_waiting_for_other);
  other = belay_disposable_create(wait_for_late, &answers[1], NULL);
  start_thread(&third, dispose_of_other, NULL);
  wait_for(&begun);
  end_late(&there, loop, 2);
  join_thread(&third);
  CHECK(answers[0] == 0 || answers[1] == 0);
  CHECK_INT(answers[0] + answers[1], BELAY_EDEADLK);
  belay_disposable_release(other);
}

static const test_case cases[] = {
    CASE(nothing_to_wait_for),
    CASE(a_subscription_at_home),
    CASE(waits_for_an_action_on_another_thread),
    CASE(times_out_while_the_action_runs),
    CASE(waits_for_the_members_of_a_compound),
    CASE(waits_for_what_the_other_kinds_hold),
    CASE(waits_for_a_member_that_is_ending_elsewhere),
    CASE(waits_for_a_callback_of_a_subscription),
    CASE(waits_for_a_callback_in_a_container_of_a_container),
    CASE(waits_for_what_the_disposal_comes_upon),
    CASE(in_progress_inside_its_own_action),
    CASE(in_progress_inside_a_members_action),
    CASE(in_progress_inside_next),
    CASE(deadlock_of_two_threads),
    CASE(deadlock_of_three_threads),
    CASE(in_progress_inside_a_part_that_comes_late),
    CASE(deadlock_through_a_part_that_comes_late),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
