/* Shared signals that signals reset, and connections with a subject of their own each. */
#include "numbers.h"
#include "script.h"

static belay_signal *source, *reset, *shared;

static void push(belay_signal *subject, int n) {
  CHECK_INT(belay_subject_next(subject, belay_int32(n)), 0);
}
static belay_disposable *listen(const char *name) { return subscribed(shared, tracing(name)); }
static void leave(belay_disposable *listener) {
  belay_disposable_dispose(listener);
  belay_disposable_release(listener);
}
static void open_subjects(void) {
  source = belay_subject_create(NULL);
  reset = belay_subject_create(NULL);
}
static void close_subjects(void) {
  belay_signal_release(source);
  belay_signal_release(reset);
  trace_clear();
}
static void close_here(belay_loop *loop) {
  CHECK_INT(belay_loop_close(loop, NULL, NULL, NULL), 0);
  belay_loop_run(loop, BELAY_RUN_DEFAULT);
  belay_loop_release(loop);
}
static void share_until_unused(void) {
  open_subjects();
  shared = belay_signal_chain(also(source), belay_op_share_until(0, NULL, NULL, also(reset)));
}

static void without_subscribers_until_the_signal_sends(void) {
  share_until_unused();
  leave(listen("a"));
  CHECK_INT(belay_subject_count(source), 1);
  CHECK_INT(belay_subject_count(reset), 1);
  belay_disposable *listener = listen("b");
  CHECK_INT(belay_subject_count(reset), 0);
  push(reset, 1);
  push(source, 2);
  CHECK_TRACE("a disposed | a free | b next 2");
  leave(listener);
  push(reset, 1);
  CHECK_INT(belay_subject_count(source), 0);
  CHECK_INT(belay_subject_count(reset), 0);
  belay_signal_release(shared);
  close_subjects();
}

static void subscribe_once(void *ctx) {
  belay_disposable **late = ctx;
  if (!*late) *late = listen("late");
}
/* No lock is held meanwhile. */
static void the_signal_that_resets_subscribes_when_it_is_left(void) {
  open_subjects();
  belay_disposable *late = NULL;
  shared = belay_signal_chain(
      also(source),
      belay_op_share_until(
          0, NULL, NULL,
          belay_signal_chain(also(reset), belay_op_finally(subscribe_once, &late, NULL))));
  leave(listen("a"));
  trace_clear();
  belay_disposable *listener = listen("b");
  CHECK_INT(belay_subject_count(reset), 0);
  push(source, 1);
  CHECK_TRACE("late next 1 | b next 1");
  leave(listener);
  CHECK_INT(belay_subject_count(reset), 0);
  leave(late);
  CHECK_INT(belay_subject_count(reset), 1);
  belay_signal_release(shared);
  push(reset, 1);
  close_subjects();
}

static void without_signals_nothing_is_kept(void) {
  open_subjects();
  shared = belay_signal_chain(also(source), belay_op_share_until(3, NULL, NULL, NULL));
  leave(listen("a"));
  CHECK_INT(belay_subject_count(source), 0);
  belay_signal_release(shared);
  close_subjects();
}

/* Nobody can subscribe any more, so nothing waits for the signal. */
static void released_after_the_end(void) {
  open_subjects();
  shared = belay_signal_chain(also(source), belay_op_share_until(1, also(reset), also(reset), NULL));
  belay_disposable_release(listen("a"));
  push(source, 1);
  CHECK_INT(belay_subject_completed(source), 0);
  CHECK_INT(belay_subject_count(reset), 1);
  belay_disposable_release(listen("b"));
  CHECK_TRACE("a next 1 | a completed | a disposed | a free | b next 1 | b completed | b disposed | "
              "b free");
  belay_signal_release(shared);
  CHECK_INT(belay_subject_count(reset), 0);
  close_subjects();
}

static void the_end_comes_after_the_release(void) {
  open_subjects();
  shared = belay_signal_chain(also(source), belay_op_share_until(1, also(reset), also(reset), NULL));
  belay_disposable_release(listen("a"));
  belay_signal_release(shared);
  CHECK_INT(belay_subject_completed(source), 0);
  CHECK_INT(belay_subject_count(reset), 0);
  CHECK_TRACE("a completed | a disposed | a free");
  close_subjects();
}

/* The subscription to the source goes on, and the signal still ends it. */
static void released_without_subscribers(void) {
  share_until_unused();
  leave(listen("a"));
  belay_signal_release(shared);
  CHECK_INT(belay_subject_count(source), 1);
  push(reset, 1);
  CHECK_INT(belay_subject_count(source), 0);
  close_subjects();
}

static void the_source_goes_first(void) {
  share_until_unused();
  leave(listen("a"));
  belay_signal_release(shared);
  belay_signal_release(source);
  CHECK_INT(belay_subject_count(reset), 0);
  belay_signal_release(reset);
  trace_clear();
}

static void the_loop_closes_first(void) {
  belay_loop *loop = belay_loop_create(NULL);
  share_until_unused();
  leave(listen("a"));
  close_here(loop);
  belay_signal_release(shared);
  close_subjects();
}

/* ---- what is shared is kept at a loop that closes ---- */

static void listen_at_a_loop_of_its_own(void *unused) {
  belay_loop *loop = belay_loop_create(NULL);
  leave(listen("a"));
  close_here(loop);
}
/* The next subscriber begins again, because nothing can come from a loop that has gone. */
static void what_is_kept_goes_with_its_loop(void) {
  belay_loop *loop = belay_loop_create(NULL);
  share_until_unused();
  in_thread(listen_at_a_loop_of_its_own, NULL);
  belay_disposable *listener = listen("b");
  push(source, 2);
  CHECK_TRACE("a disposed | a free | b next 2");
  leave(listener);
  belay_signal_release(shared);
  shared = belay_signal_chain(
      belay_signal_just(belay_int32(1)), belay_op_share_until(1, NULL, also(reset), NULL));
  in_thread(listen_at_a_loop_of_its_own, NULL);
  leave(listen("b"));
  CHECK_TRACE("b disposed | b free | a next 1 | a completed | a disposed | a free | b next 1 | "
              "b completed | b disposed | b free");
  belay_signal_release(shared);
  close_subjects();
  close_here(loop);
}

static sem_t closing, looked;
static void wait_there(void *unused) {
  sem_post(&closing);
  wait_for(&looked);
}
static void close_below_others(void *unused) {
  belay_loop *loop = belay_loop_create(NULL);
  belay_observer waits = BELAY_INIT(belay_observer);
  waits.disposed = wait_there;
  belay_signal *never = belay_subject_create(NULL);
  belay_disposable *before = subscribed(never, waits);
  belay_disposable *listener = listen("a");
  belay_disposable *after = subscribed(never, waits);
  sem_post(&closing);
  wait_for(&looked);
  close_here(loop);
  belay_disposable_release(before);
  belay_disposable_release(listener);
  belay_disposable_release(after);
  belay_signal_release(never);
}
static void subscribers_come_while_it_closes(void) {
  belay_loop *loop = belay_loop_create(NULL);
  open_subjects();
  shared = belay_signal_chain(also(source), belay_op_share(0));
  CHECK_INT(sem_init(&closing, 0, 0), 0);
  CHECK_INT(sem_init(&looked, 0, 0), 0);
  routine other;
  start_thread(&other, close_below_others, NULL);
  wait_for(&closing);
  for (int place = 0; place < 2; place++) {
    sem_post(&looked);
    wait_for(&closing);
    belay_disposable *listener = listen("b");
    push(source, 2);
    CHECK(strstr(trace_text(), "b next 2") != NULL);
    leave(listener);
  }
  sem_post(&looked);
  join_thread(&other);
  belay_loop_run(loop, BELAY_RUN_NOWAIT);
  belay_signal_release(shared);
  close_subjects();
  close_here(loop);
}

/* ---- the last subscriber leaves on one thread while others come on another ---- */

enum { ROUNDS = 2000 };

static void come_and_go(void *unused) {
  belay_loop *loop = belay_loop_create(NULL);
  for (int i = 0; i < ROUNDS; i++) {
    belay_observer observer = BELAY_INIT(belay_observer);
    belay_disposable *listener = subscribed(shared, observer);
    belay_loop_run(loop, BELAY_RUN_NOWAIT);
    leave(listener);
  }
  close_here(loop);
}
static void subscribers_of_two_threads(void) {
  belay_loop *loop = belay_loop_create(NULL);
  share_until_unused();
  belay_observer observer = BELAY_INIT(belay_observer);
  leave(subscribed(shared, observer));
  routine other;
  start_thread(&other, come_and_go, NULL);
  for (int i = 0; i < ROUNDS; i++) {
    leave(subscribed(shared, observer));
    push(reset, i);
    if (i % 64 == 0) push(source, i);
    belay_loop_run(loop, BELAY_RUN_NOWAIT);
  }
  join_thread(&other);
  while (belay_loop_run(loop, BELAY_RUN_NOWAIT) > 0) push(reset, 0);
  push(reset, 0);
  leave(subscribed(shared, observer));
  push(reset, 0);
  CHECK_INT(belay_subject_count(source), 0);
  CHECK_INT(belay_subject_count(reset), 0);
  belay_signal_release(shared);
  close_subjects();
  close_here(loop);
}

/* ReactiveX's multicast with a factory: a connection does not see what another one has sent. */
static void each_connection_has_a_subject_of_its_own(void) {
  open_subjects();
  shared = belay_signal_replay(also(source), NULL, -1, BELAY_UNLIMITED);
  belay_disposable *first = NULL, *second = NULL;
  CHECK_INT(belay_signal_connect(shared, &first), 0);
  push(source, 1);
  belay_disposable *listener = listen("a");
  leave(first);
  CHECK_TRACE("a next 1 | a disposed | a free");
  CHECK_INT(belay_signal_connect(shared, &second), 0);
  leave(listener);
  listener = listen("b");
  push(source, 2);
  CHECK_TRACE("b next 2");
  leave(second);
  leave(listener);
  belay_signal_release(shared);
  close_subjects();
}

int main(int argc, char **argv) {
  const test_case cases[] = {
      CASE(without_subscribers_until_the_signal_sends),
      CASE(the_signal_that_resets_subscribes_when_it_is_left),
      CASE(without_signals_nothing_is_kept),
      CASE(released_after_the_end),
      CASE(the_end_comes_after_the_release),
      CASE(released_without_subscribers),
      CASE(the_source_goes_first),
      CASE(the_loop_closes_first),
      CASE(what_is_kept_goes_with_its_loop),
      CASE(subscribers_come_while_it_closes),
      CASE(subscribers_of_two_threads),
      CASE(each_connection_has_a_subject_of_its_own),
  };
  return RUN_CASES(cases);
}
