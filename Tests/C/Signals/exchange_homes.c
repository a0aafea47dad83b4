/* Signals of another copy of the library: on which thread their values arrive, and what the
   close of a loop does. */
#include "two_copies.h"
#include "worker.h"

#include <uv.h>

/* ---- homes ---- */

typedef struct arrivals {
  pthread_t home;
  int count, wrong_threads, disorder, ended, disposed;
} arrivals;

static void arrive(void *ctx, belay_value value) {
  arrivals *it = ctx;
  if (!pthread_equal(pthread_self(), it->home)) it->wrong_threads++;
  if (int_of(value) != it->count) it->disorder++;
  it->count++;
}
static void arrive_end(void *ctx) { ((arrivals *)ctx)->ended++; }
static void arrive_disposed(void *ctx) { ((arrivals *)ctx)->disposed++; }

/* Listens to `signal` by `it`. */
static void listen_to(belay_signal *signal, arrivals *it, belay_disposable **subscription) {
  *it = (arrivals){.home = pthread_self()};
  CHECK_INT(belay_signal_subscribe(signal,
                                   &BELAY_INIT(belay_observer, .next = arrive,
                                               .completed = arrive_end,
                                               .disposed = arrive_disposed, .ctx = it),
                                   subscription),
            0);
}

/* A loop that takes any number of values from other threads. */
static belay_loop *open_large_loop(void) {
  return belay_loop_create(&BELAY_INIT(belay_loop_options, .capacity = BELAY_UNLIMITED));
}

enum { many = 2000 };

static void send_many(void *subject) {
  for (int i = 0; i < many; i++)
    while (other->next(subject, belay_int32(i)) == BELAY_EAGAIN) sched_yield();
  other->completed(subject);
}

/* A subject of the other copy that any thread may send into, and what this copy makes of it. */
static belay_signal *shared_there(belay_signal **imported) {
  belay_signal *subject = other->create_subject(&BELAY_INIT(belay_source_options, .shared = 1));
  *imported = imported_here(subject);
  return subject;
}

static void what_another_thread_sends_arrives_at_home_in_order(void) {
  routine sender;
  belay_loop *loop = open_large_loop();
  belay_signal *signal, *subject = shared_there(&signal);
  arrivals seen;
  listen_to(signal, &seen, NULL);
  start_thread(&sender, send_many, subject);
  while (!seen.disposed) CHECK(belay_loop_run(loop, BELAY_RUN_ONCE) >= 0);
  join_thread(&sender);
  CHECK_INT(seen.count, many);
  CHECK_INT(seen.ended, 1);
  CHECK_INT(seen.disorder, 0);
  CHECK_INT(seen.wrong_threads, 0);
  other->release(subject);
  belay_signal_release(signal);
  close_loop(loop);
  nothing_is_left_there();
}

/* As from a shared subject of the same copy. */
static void without_a_loop_values_arrive_where_they_are_sent(void) {
  routine sender;
  belay_signal *signal, *subject = shared_there(&signal);
  arrivals seen;
  listen_to(signal, &seen, NULL);
  start_thread(&sender, send_many, subject);
  join_thread(&sender);
  CHECK_INT(seen.count, many);
  CHECK_INT(seen.wrong_threads, many);
  CHECK_INT(seen.disorder, 0);
  CHECK_INT(seen.ended, 1);
  CHECK_INT(seen.disposed, 1);
  other->release(subject);
  belay_signal_release(signal);
  nothing_is_left_there();
}

/* The queue of the loop is full: nobody would see a gap, so the subscription ends. */
static void a_full_queue_ends_the_subscription(void) {
  routine sender;
  belay_loop_options small = {.size = sizeof small, .capacity = 10};
  belay_loop *loop = belay_loop_create(&small);
  belay_signal *signal, *subject = shared_there(&signal);
  watch(signal, "");
  start_thread(&sender, send_many, subject);
  join_thread(&sender);
  CHECK_INT(other->subscribers(subject), 0);
  turn(loop);
  CHECK(strstr(trace_text(), "next 9 | error EAGAIN | disposed | free") != NULL);
  trace_clear();
  other->release(subject);
  close_loop(loop);
  nothing_is_left_there();
}

/* Disposals on one thread meet values of another. */
static void disposals_meet_values(void) {
  for (int round = 0; round < 50; round++) {
    routine sender;
    belay_loop *loop = open_large_loop();
    belay_signal *signal, *subject = shared_there(&signal);
    arrivals seen;
    belay_disposable *subscription = NULL;
    listen_to(signal, &seen, &subscription);
    start_thread(&sender, send_many, subject);
    while (seen.count < round) CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
    belay_disposable_dispose(subscription);
    int count = seen.count;
    CHECK_INT(seen.disposed, 1);
    join_thread(&sender);
    turn(loop);
    CHECK_INT(seen.count, count);
    CHECK_INT(seen.wrong_threads + seen.disorder, 0);
    belay_disposable_release(subscription);
    other->release(subject);
    belay_signal_release(signal);
    close_loop(loop);
  }
  nothing_is_left_there();
}

/* ---- going ---- */

/* Both copies have a loop on one uv_loop_t; either leaves first. */
static void a_loop_closes(int others) {
  uv_loop_t uv;
  CHECK_INT(uv_loop_init(&uv), 0);
  belay_loop_options quiet = {.size = sizeof quiet, .quiet = 1};
  belay_loop *own = belay_loop_adopt(&uv, &quiet), *foreign = other->adopt(&uv, &quiet);
  CHECK(own != NULL && foreign != NULL);
  belay_signal *subject = other->create_subject(NULL);
  watch(imported_here(subject), "");
  CHECK_INT(other->next(subject, belay_int32(1)), 0);
  CHECK_TRACE("next 1");
  CHECK_INT(other->subscribers(subject), 1);
  if (others)
    CHECK_INT(other->close(foreign, NULL, NULL, NULL), 0);
  else
    CHECK_INT(belay_loop_close(own, NULL, NULL, NULL), 0);
  CHECK_TRACE("disposed | free");
  CHECK_INT(other->subscribers(subject), 0);
  if (others)
    CHECK_INT(belay_loop_close(own, NULL, NULL, NULL), 0);
  else
    CHECK_INT(other->close(foreign, NULL, NULL, NULL), 0);
  other->release(subject);
  belay_loop_release(own);
  other->release_loop(foreign);
  CHECK_INT(uv_run(&uv, UV_RUN_DEFAULT), 0);
  CHECK_INT(uv_loop_close(&uv), 0);
  nothing_is_left_there();
}
static void the_exporting_loop_closes_first(void) { a_loop_closes(1); }
static void the_importing_loop_closes_first(void) { a_loop_closes(0); }

static const test_case cases[] = {
    CASE(what_another_thread_sends_arrives_at_home_in_order),
    CASE(without_a_loop_values_arrive_where_they_are_sent),
    CASE(a_full_queue_ends_the_subscription),
    CASE(disposals_meet_values),
    CASE(the_exporting_loop_closes_first),
    CASE(the_importing_loop_closes_first),
};

int main(int argc, char **argv) { return load_other_copy() ? 1 : RUN_CASES(cases); }
