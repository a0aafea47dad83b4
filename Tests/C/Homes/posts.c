/* Posts: from any thread, bounded, in order, nothing lost. */
#include "cases.h"

#include <sched.h>

static belay_loop *open_with_capacity(size_t capacity) {
  belay_loop_options options = {.size = sizeof options, .capacity = capacity};
  belay_loop *loop = belay_loop_create(&options);
  CHECK(loop != NULL);
  return loop;
}

/* ---- many, from several threads ---- */
enum { THREADS = 4, EACH = 30000 };

static struct {
  belay_loop *loop;
  int next[THREADS]; /* the next number of each thread */
  int disorder, ran;
  int freed;                   /* at home */
  int freed_elsewhere, refused; /* by any thread */
  pthread_t home;
} flood;

static void *encoded(int thread, int index) {
  return (void *)((uintptr_t)index * THREADS + (uintptr_t)thread + 1);
}

static void flood_arrives(void *ctx) {
  uintptr_t code = (uintptr_t)ctx - 1;
  int thread = (int)(code % THREADS), index = (int)(code / THREADS);
  if (flood.next[thread] != index) flood.disorder++;
  flood.next[thread] = index + 1;
  if (++flood.ran == THREADS * EACH) belay_loop_stop(flood.loop);
}

static void flood_free(void *ctx) {
  int *count = pthread_equal(pthread_self(), flood.home) ? &flood.freed : &flood.freed_elsewhere;
  __atomic_add_fetch(count, 1, __ATOMIC_RELAXED);
}

static void flood_from(void *number) {
  int thread = (int)(intptr_t)number;
  for (int i = 0; i < EACH; i++) {
    int code;
    while ((code = belay_loop_post(flood.loop, flood_arrives, encoded(thread, i), flood_free)) ==
           BELAY_EAGAIN) {
      __atomic_add_fetch(&flood.refused, 1, __ATOMIC_RELAXED);
      sched_yield();
    }
    if (code != 0) CHECK_INT(code, 0);
  }
}

static void flood_with(size_t capacity) {
  routine threads[THREADS];
  memset(&flood, 0, sizeof flood);
  flood.home = pthread_self();
  flood.loop = open_with_capacity(capacity);
  for (int i = 0; i < THREADS; i++)
    start_thread(&threads[i], flood_from, (void *)(intptr_t)i);
  run_until_stopped(flood.loop);
  for (int i = 0; i < THREADS; i++) join_thread(&threads[i]);
  CHECK_INT(flood.ran, THREADS * EACH);
  CHECK_INT(flood.disorder, 0);
  CHECK_INT(flood.freed, flood.ran);
  CHECK_INT(flood.freed_elsewhere, flood.refused);
  size_t high = belay_loop_queue_high_water(flood.loop);
  CHECK(high >= 1 && high <= (capacity ? capacity : 1024));
  close_loop(flood.loop);
}

static void rule_1_2_posts_keep_their_order_and_none_is_lost(void) { flood_with(0); }
static void rule_1_2_posts_through_a_small_queue(void) { flood_with(2); }
static void rule_1_2_posts_through_a_large_queue(void) { flood_with(1000000); }

/* ---- bounds ---- */

static void rule_1_2_queue_capacity(void) {
  int freed = 0;
  belay_loop *loop = open_loop();
  for (int i = 0; i < 1024; i++)
    CHECK_INT(belay_loop_post(loop, empty_action, &freed, count_free), 0);
  CHECK_INT(freed, 0);
  CHECK_FAILS(belay_loop_post(loop, empty_action, &freed, count_free), BELAY_EAGAIN);
  CHECK_INT(freed, 1);
  CHECK_INT(belay_loop_queue_high_water(loop), 1024);
  run_to_end(loop);
  CHECK_INT(freed, 1025);
  CHECK_INT(belay_loop_post(loop, empty_action, &freed, count_free), 0);
  run_to_end(loop);
  CHECK_INT(freed, 1026);
  CHECK_INT(belay_loop_queue_high_water(loop), 1024);
  close_loop(loop);
}

static void a_capacity_of_ones_own(void) {
  belay_loop *loop = open_with_capacity(3);
  CHECK_INT(belay_loop_queue_high_water(loop), 0);
  CHECK_INT(belay_loop_post(loop, trace_action, "1", NULL), 0);
  CHECK_INT(belay_loop_queue_high_water(loop), 1);
  CHECK_INT(belay_loop_post(loop, trace_action, "2", NULL), 0);
  CHECK_INT(belay_loop_post(loop, trace_action, "3", NULL), 0);
  CHECK_FAILS(belay_loop_post(loop, trace_action, "4", trace_free), BELAY_EAGAIN);
  CHECK_TRACE("free 4");
  CHECK_INT(belay_loop_queue_high_water(loop), 3);
  run_to_end(loop);
  CHECK_TRACE("action 1 | action 2 | action 3");
  close_loop(loop);
}

static void a_huge_capacity(void) {
  belay_loop *loop = open_with_capacity(SIZE_MAX);
  CHECK_INT(belay_loop_post(loop, trace_action, "huge", NULL), 0);
  run_to_end(loop);
  CHECK_TRACE("action huge");
  close_loop(loop);
}

static void end_from_a_thread(void *subject) {
  CHECK_FAILS(belay_subject_next(subject, belay_string("refused")), BELAY_EAGAIN);
  CHECK_INT(belay_subject_completed(subject), BELAY_QUEUED);
}

static void rule_1_2_ends_and_disposals_pass_a_full_queue(void) {
  belay_loop *loop = open_with_capacity(1);
  belay_signal *ending = belay_subject_create(NULL), *other = belay_subject_create(NULL);
  watch(belay_signal_retain(ending), "ending");
  belay_disposable *subscription = watched(belay_signal_retain(other), "other");
  CHECK_INT(belay_loop_post(loop, trace_action, "full", NULL), 0);
  in_thread(end_from_a_thread, ending);
  in_thread(dispose_of, subscription);
  CHECK_INT(belay_loop_queue_high_water(loop), 1);
  CHECK_TRACE("");
  run_to_end(loop);
  CHECK_TRACE("action full | ending completed | ending disposed | ending free | "
              "other disposed | other free");
  belay_disposable_release(subscription);
  belay_signal_release(ending);
  belay_signal_release(other);
  close_loop(loop);
}

/* ---- turns ---- */

static belay_loop *turning;
static uint64_t posted_in_turn;

static void arrives_later(void *ctx) {
  CHECK(belay_loop_turns(turning) > posted_in_turn);
  trace("later turn");
}

static void post_inside(void *ctx) {
  posted_in_turn = belay_loop_turns(turning);
  CHECK_INT(belay_loop_post(turning, arrives_later, NULL, NULL), 0);
  trace("posted");
}

static void a_post_from_its_own_thread_runs_next_turn(void) {
  turning = open_loop();
  CHECK_INT(belay_loop_post(turning, post_inside, NULL, NULL), 0);
  CHECK_INT(belay_loop_post(turning, trace_action, "same turn", NULL), 0);
  CHECK_TRACE("");
  run_to_end(turning);
  CHECK_TRACE("posted | action same turn | later turn");
  close_loop(turning);
}

static int reposts;
static void repost(void *ctx) {
  if (++reposts < 1000) {
    CHECK_INT(belay_loop_post(ctx, repost, ctx, NULL), 0);
  }
}

static void posts_that_post(void) {
  belay_loop *loop = open_loop();
  reposts = 0;
  uint64_t before = belay_loop_turns(loop);
  CHECK_INT(belay_loop_post(loop, repost, loop, NULL), 0);
  run_to_end(loop);
  CHECK_INT(reposts, 1000);
  CHECK(belay_loop_turns(loop) - before >= 1000);
  close_loop(loop);
}

static void free_follows_each_action(void) {
  belay_loop *loop = open_loop();
  CHECK_INT(belay_loop_post(loop, trace_action, "a", trace_free), 0);
  CHECK_INT(belay_loop_post(loop, trace_action, "b", trace_free), 0);
  run_to_end(loop);
  CHECK_TRACE("action a | free a | action b | free b");
  close_loop(loop);
}

static void no_action(void) {
  belay_loop *loop = open_loop();
  CHECK_FAILS(belay_loop_post(loop, NULL, "ctx", trace_free), BELAY_EINVAL);
  CHECK_TRACE("free ctx");
  close_loop(loop);
}

static void last_reference_goes_in_a_post(void *loop) {
  belay_loop_release(loop);
  trace("released");
}

static void released_by_its_own_post(void) {
  belay_loop *loop = open_loop();
  CHECK(belay_loop_retain(loop) == loop);
  CHECK_INT(belay_loop_post(loop, last_reference_goes_in_a_post, loop, NULL), 0);
  run_to_end(loop);
  CHECK_TRACE("released");
  close_loop(loop);
}

static void post_fails(void *ctx) {
  CHECK(belay_last_error() == NULL);
  CHECK_FAILS(belay_loop_post(NULL, NULL, NULL, NULL), BELAY_EINVAL);
  belay_fail(BELAY_ERANGE, "left behind");
}

static void rule_1_5_a_post_starts_without_an_error(void) {
  belay_loop *loop = open_loop();
  CHECK_INT(belay_loop_post(loop, post_fails, NULL, NULL), 0);
  belay_fail(BELAY_EAGAIN, "the caller's");
  run_to_end(loop);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EAGAIN);
  close_loop(loop);
}

static const test_case cases[] = {
    CASE(rule_1_2_posts_keep_their_order_and_none_is_lost),
    CASE(rule_1_2_posts_through_a_small_queue),
    CASE(rule_1_2_posts_through_a_large_queue),
    CASE(rule_1_2_queue_capacity),
    CASE(a_capacity_of_ones_own),
    CASE(a_huge_capacity),
    CASE(rule_1_2_ends_and_disposals_pass_a_full_queue),
    CASE(a_post_from_its_own_thread_runs_next_turn),
    CASE(posts_that_post),
    CASE(free_follows_each_action),
    CASE(no_action),
    CASE(released_by_its_own_post),
    CASE(rule_1_5_a_post_starts_without_an_error),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
