/* The threads on which names are looked up: how many, who waits for one, and who has none. */
#define _GNU_SOURCE
#include "resolver.h"

#include <sys/wait.h>

static belay_value answer(void *ctx) { return belay_int32(42); }
/* The pool has one thread, see main(). */
static void the_pool_is_free(void) {
  open_lookups();
  belay_disposable *subscriptions[AT_ONCE + 2];
  begin_lookups(subscriptions, AT_ONCE);
  for (int i = AT_ONCE; i < AT_ONCE + 2; i++) subscriptions[i] = look_up("held");
  watch(belay_work(loop, answer, NULL, NULL), "work");
  run_until_traced("work free");
  CHECK_TRACE("work next 42 | work completed | work disposed | work free");
  CHECK_INT(count_under_way(), AT_ONCE);
  end_all(subscriptions, AT_ONCE + 2);
  trace_clear();
  run_to_end(loop);
  let_go(AT_ONCE);
  threads_before++; /* the pool's */
  close_lookups();
}

/* More than there may be threads. The later ones wait in their order; one that is disposed of leaves. */
static void all_are_answered_in_their_order(void) {
  enum { COUNT = 12 };
  char names[COUNT][8], expected[200] = "";
  belay_disposable *subscriptions[COUNT];
  open_lookups();
  for (int i = 0; i < COUNT; i++) {
    snprintf(names[i], sizeof names[i], "held%d", i);
    subscriptions[i] = look_up(names[i]);
    if (i < AT_ONCE) await(&begun);
    if (i != 6) sprintf(expected + strlen(expected), "%s ", names[i]);
  }
  end_subscription(subscriptions[6]);
  for (int i = AT_ONCE; i < COUNT - 1; i++) {
    let_go(1);
    await(&begun);
  }
  let_go(AT_ONCE);
  run_to_end(loop);
  CHECK_STRING(begun_names, expected);
  CHECK_INT(most_under_way, AT_ONCE);
  int completed = 0;
  for (const char *at = trace_text(); (at = strstr(at, "completed")); at++) completed++;
  CHECK_INT(completed, COUNT - 1);
  trace_clear();
  for (int i = 0; i < COUNT; i++)
    if (i != 6) belay_disposable_release(subscriptions[i]);
  close_lookups();
}

/* They are as many as there may be at once; each is replaced. */
static void what_was_given_up_blocks_nobody(void) {
  belay_disposable *subscriptions[AT_ONCE], *next[AT_ONCE];
  open_lookups();
  begin_lookups(subscriptions, AT_ONCE);
  for (int i = 0; i < AT_ONCE; i++) next[i] = look_up("here");
  for (int i = 0; i < AT_ONCE; i++) end_subscription(subscriptions[i]);
  trace_clear();
  run_to_end(loop);
  CHECK_INT(count_under_way(), AT_ONCE);
  for (int i = 0; i < AT_ONCE; i++) belay_disposable_release(next[i]);
  trace_clear();
  watch(belay_lookup(loop, "here", NULL), "");
  run_to_end(loop);
  CHECK_TRACE("next [127.0.0.1 0] | completed | disposed | free");
  let_go(AT_ONCE);
  close_lookups();
}

/* Then those that come wait for one of them. */
static void there_is_a_limit_to_threads(void) {
  open_lookups();
  for (int i = 0; i < THREADS; i++) {
    belay_disposable *subscription = look_up("held");
    await(&begun);
    end_subscription(subscription);
  }
  trace_clear();
  CHECK_INT(count_threads(), threads_before + THREADS);
  watch(belay_lookup(loop, "here", NULL), "");
  CHECK_INT(belay_loop_run(loop, BELAY_RUN_NOWAIT), 1);
  CHECK_INT(count_threads(), threads_before + THREADS);
  CHECK_TRACE("");
  let_go(1);
  run_to_end(loop);
  CHECK_TRACE("next [127.0.0.1 0] | completed | disposed | free");
  let_go(THREADS - 1);
  close_lookups();
}

#ifndef BENEATH_A_SANITIZER
static void let_two_wait_for(belay_disposable **first) {
  refuses_threads = 0;
  begin_lookups(first, 1);
  refuses_threads = 1;
  watch(belay_lookup(loop, "one", NULL), "one");
  watch(belay_lookup(loop, "two", NULL), "two");
}
static void without_a_thread_it_fails(void) {
  belay_disposable *first;
  open_lookups();
  refuses_threads = 1;
  watch_errors(belay_lookup(loop, "here", NULL));
  CHECK_TRACE("");
  run_to_end(loop);
  watch_errors(belay_host_name(loop, "127.0.0.1"));
  run_to_end(loop);
  watch_errors(belay_tcp_connect(loop, "here", 80, NULL));
  run_to_end(loop);
  CHECK_TRACE("error EAGAIN: here: resource temporarily unavailable | disposed | free | "
              "error EAGAIN: 127.0.0.1: resource temporarily unavailable | disposed | free | "
              "error EAGAIN: here:80: resource temporarily unavailable | disposed | free");
  trace_clear();
  watch(belay_lookup(loop, "here", NULL), "");
  close_now();
  CHECK_TRACE("disposed | free | closed with 1 left");
  loop = open_loop();
  trace_clear();
  /* While there is one thread, others wait for it. */
  let_two_wait_for(&first);
  let_go(1);
  run_to_end(loop);
  belay_disposable_release(first);
  for (int i = 0; i < 2; i++) await(&begun);
  CHECK_STRING(begun_names, "held one two ");
  CHECK(strstr(trace_text(), "two completed") != NULL);
  trace_clear();
  /* When nobody is left to come to them, they fail. */
  let_two_wait_for(&first);
  end_subscription(first);
  run_to_end(loop);
  CHECK_TRACE("held disposed | held free | one error EAGAIN | one disposed | one free | "
              "two error EAGAIN | two disposed | two free");
  refuses_threads = 0;
  let_go(1);
  close_lookups();
}
#endif

#ifndef BENEATH_THREAD_SANITIZER /* which has no threads after a fork of several */
static void in_the_child(belay_disposable *of_parent, belay_disposable *waits) {
  alarm(60);
  /* What the parent had under way is not there. */
  end_subscription(of_parent);
  end_subscription(waits);
  pthread_mutex_init(&names_lock, NULL);
  under_way = 0;
  forget_names();
  sem_init(&begun, 0, 0);
  loop = open_loop();
  trace_clear();
  belay_disposable *subscriptions[AT_ONCE + 1];
  for (int i = 0; i <= AT_ONCE; i++) subscriptions[i] = look_up("held");
  for (int i = 0; i < AT_ONCE; i++) await(&begun);
  end_all(subscriptions, AT_ONCE + 1);
  trace_clear();
  watch(belay_lookup(loop, "here", NULL), "");
  run_to_end(loop);
  int is_right = strcmp(trace_text(), "next [127.0.0.1 0] | completed | disposed | free") == 0;
  if (!is_right) fprintf(stderr, "the child has %s\n", trace_text());
  _exit(is_right ? 7 : 1);
}

static void a_child_has_its_own(void) {
  belay_disposable *subscriptions[AT_ONCE + 1];
  int status = 0;
  open_lookups();
  begin_lookups(subscriptions, AT_ONCE);
  subscriptions[AT_ONCE] = look_up("waits");
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) in_the_child(subscriptions[0], subscriptions[AT_ONCE]);
  CHECK_INT(waitpid(child, &status, 0), child);
  CHECK(WIFEXITED(status));
  CHECK_INT(WEXITSTATUS(status), 7);
  end_all(subscriptions, AT_ONCE);
  trace_clear();
  run_to_end(loop);
  belay_disposable_release(subscriptions[AT_ONCE]);
  CHECK_TRACE("waits next [127.0.0.1 80] | waits completed | waits disposed | waits free");
  let_go(AT_ONCE);
  close_lookups();
}
#endif

/* Lookups of several loops, which are given up at any time. */
static void look_up_and_close(void *number) {
  unsigned seed = 1 + *(unsigned *)number;
  for (int round = 0; round < 50; round++) {
    belay_loop *here = open_loop();
    belay_disposable *subscriptions[6];
    belay_observer observer = BELAY_INIT(belay_observer);
    for (int i = 0; i < 6; i++) {
      belay_signal *signal = i == 5 ? belay_host_name(here, "127.0.0.1") : belay_lookup(here, "here", NULL);
      CHECK_INT(belay_signal_subscribe(signal, &observer, &subscriptions[i]), 0);
      belay_signal_release(signal);
    }
    for (int i = 0; i < 6; i++) {
      seed = seed * 1103515245 + 12345;
      if (seed >> 16 & 1) belay_disposable_dispose(subscriptions[i]);
      if (seed >> 17 & 1) belay_loop_run(here, BELAY_RUN_NOWAIT);
      belay_disposable_release(subscriptions[i]);
    }
    if (seed >> 18 & 1) CHECK_INT(belay_loop_run(here, BELAY_RUN_DEFAULT), 0);
    CHECK_INT(belay_loop_close(here, ignore_left, NULL, NULL), 0);
    belay_loop_release(here);
  }
}
static void several_loops_at_once(void) {
  enum { LOOPS = 4 };
  routine routines[LOOPS];
  unsigned numbers[LOOPS];
  open_lookups();
  for (unsigned i = 0; i < LOOPS; i++) {
    numbers[i] = i;
    start_thread(&routines[i], look_up_and_close, &numbers[i]);
  }
  for (int i = 0; i < LOOPS; i++) join_thread(&routines[i]);
  close_lookups();
}

static const test_case cases[] = {
    CASE(the_pool_is_free),
    CASE(all_are_answered_in_their_order),
    CASE(what_was_given_up_blocks_nobody),
    CASE(there_is_a_limit_to_threads),
#ifndef BENEATH_A_SANITIZER
    CASE(without_a_thread_it_fails),
#endif
#ifndef BENEATH_THREAD_SANITIZER
    CASE(a_child_has_its_own),
#endif
    CASE(several_loops_at_once),
};

int main(int argc, char **argv) {
  setenv("UV_THREADPOOL_SIZE", "1", 1);
  in_thread(empty_action, NULL); /* With the first one, the thread sanitizer makes one of its own. */
  return RUN_CASES(cases);
}
