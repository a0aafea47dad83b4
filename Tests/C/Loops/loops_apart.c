/* Loops whose handles, threads and hosts end in an unusual order. */
#include "host.h"
#include "printed.h"
#include "worker.h"

#include <stdatomic.h>
#include <unistd.h>
#include <uv.h>

static void adopt(belay_loop **loop, uv_loop_t *uv) {
  *loop = belay_loop_adopt(uv, NULL);
  CHECK(*loop != NULL);
}

static void end_adopted(belay_loop *loop, uv_loop_t *uv) {
  CHECK_INT(belay_loop_close(loop, expect_nothing_left, NULL, NULL), 0);
  belay_loop_release(loop);
  CHECK_INT(uv_run(uv, UV_RUN_DEFAULT), 0);
  CHECK_INT(uv_loop_close(uv), 0);
}

static void send_one(void *subject) {
  CHECK_INT(belay_subject_next(subject, belay_int32(1)), BELAY_QUEUED);
}

/* ---- adopted again before the close is done ---- */

static void tell_close(void *name, const belay_open_resource *const *left, size_t count) {
  expect_nothing_left(NULL, left, count);
  trace("closed %s", (const char *)name);
}

static void adopt_again(int keeps_handle) {
  uv_loop_t uv;
  belay_loop *one, *two;
  CHECK_INT(uv_loop_init(&uv), 0);
  adopt(&one, &uv);
  CHECK_INT(belay_loop_close(one, tell_close, "one", trace_free), 0);
  CHECK_TRACE("closed one | free one");
  CHECK(uv_loop_alive(&uv)); /* its handles are still closing */
  if (!keeps_handle) belay_loop_release(one);
  adopt(&two, &uv);
  if (keeps_handle) CHECK(two != one);
  CHECK(belay_loop_current() == two);
  CHECK_INT(uv_run(&uv, UV_RUN_DEFAULT), 0);
  CHECK_TRACE("");
  CHECK(belay_loop_current() == two);
  belay_signal *subject = belay_subject_create(NULL);
  belay_disposable *subscription = watched(belay_signal_retain(subject), "");
  in_thread(send_one, subject);
  /* The host's run would be over at once without something to wait for. */
  CHECK_INT(belay_scheduler_after(belay_loop_get_scheduler(two), 0, empty_action, NULL, NULL, NULL),
            0);
  CHECK_INT(uv_run(&uv, UV_RUN_DEFAULT), 0);
  CHECK_TRACE("next 1");
  end_subscription(subscription);
  CHECK_TRACE("disposed | free");
  belay_signal_release(subject);
  if (keeps_handle) belay_loop_release(one);
  end_adopted(two, &uv);
  CHECK(belay_loop_current() == NULL);
}

static void adopted_again_before_the_close_is_done(void) { adopt_again(0); }
static void adopted_again_with_the_old_handle_there(void) { adopt_again(1); }

static void open_is_still_bound(void) {
  uv_loop_t uv, other;
  belay_loop *loop;
  CHECK_INT(uv_loop_init(&uv), 0);
  CHECK_INT(uv_loop_init(&other), 0);
  adopt(&loop, &uv);
  CHECK(belay_loop_adopt(&other, NULL) == NULL);
  CHECK_INT(uv_loop_close(&other), 0);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EBOUND);
  end_adopted(loop, &uv);
}

/* ---- the last reference goes on another thread ---- */

static void let_go_in_a_thread(void *loop) { in_thread(release_loop, loop); }

static void run_the_host(void *uv) { CHECK_INT(uv_run(uv, UV_RUN_DEFAULT), 0); }

static void an_adopted_loop_is_closed_by_its_next_turn(void) {
  uv_loop_t uv;
  belay_loop *loop;
  char printed[1024];
  CHECK_INT(uv_loop_init(&uv), 0);
  adopt(&loop, &uv);
  keep_alive(loop, "timer");
  printed_while(let_go_in_a_thread, loop, printed, sizeof printed);
  CHECK_STRING(printed, "");
  CHECK_TRACE("");
  printed_while(run_the_host, &uv, printed, sizeof printed);
  CHECK_STRING(printed, "belay: closing loop: still alive: timer\n");
  CHECK_TRACE("free timer");
  CHECK_INT(uv_loop_close(&uv), 0);
  CHECK(belay_loop_current() == NULL);
}

static belay_loop *made;
static belay_loop *make(const char *label) {
  belay_loop *loop = belay_loop_create(
      &(belay_loop_options){.size = sizeof(belay_loop_options), .label = label});
  keep_alive(loop, label);
  return loop;
}
static void make_one(void *label) { made = make(label); }

static void a_loop_is_closed_at_once_when_its_thread_has_ended(void) {
  char printed[1024];
  belay_loop *mine = open_loop();
  in_thread(make_one, "orphan");
  CHECK_TRACE("");
  printed_while(release_loop, made, printed, sizeof printed);
  CHECK_STRING(printed, "belay: closing orphan: still alive: timer\n");
  CHECK_TRACE("free orphan");
  CHECK(belay_loop_current() == mine);
  close_loop(mine);
}

static char warned[1024];
static void make_and_lose(void *label) {
  printed_while(let_go_in_a_thread, make(label), warned, sizeof warned);
}

static const char *const warning =
    "belay: a loop was released away from its thread, and is open until that ends\n";

static void in_another_thread(void *run) { in_thread(*(void (**)(void *))run, "lost"); }

static void a_loop_that_does_not_run_is_closed_when_its_thread_ends(void) {
  void (*run)(void *) = make_and_lose;
  char printed[1024];
  printed_while(in_another_thread, &run, printed, sizeof printed);
  CHECK_STRING(warned, warning);
  CHECK_STRING(printed, "belay: closing lost: still alive: timer\n");
  CHECK_TRACE("free lost");
}

static void look_for_another(void *ctx) { made = belay_loop_create(NULL); }

static void a_loop_that_does_not_run_is_closed_when_its_thread_makes_another(void) {
  char printed[1024];
  make_and_lose("lost");
  CHECK_STRING(warned, warning);
  CHECK_TRACE("");
  printed_while(look_for_another, NULL, printed, sizeof printed);
  CHECK_STRING(printed, "belay: closing lost: still alive: timer\n");
  CHECK_TRACE("free lost");
  close_loop(made);
}

/* ---- a host that closes every handle it finds ---- */

static void closed(void *ctx, const belay_open_resource *const *left, size_t count) {
  trace("closed %zu", count);
}

/* What the host has done by the time Belay is called. */
enum { BEFORE, CLOSING, CLOSED, LOOP_CLOSED };

static void close_everything(int when) {
  uv_loop_t uv;
  belay_loop *loop;
  CHECK_INT(uv_loop_init(&uv), 0);
  adopt(&loop, &uv);
  keep_alive(loop, "timer");
  belay_signal *subject = belay_subject_create(NULL);
  watch(belay_signal_retain(subject), "subject");
  watch(belay_posix_signal(loop, 10), "signal");
  CHECK_INT(uv_run(&uv, UV_RUN_NOWAIT), 1);
  if (when == BEFORE) CHECK_INT(belay_loop_close(loop, closed, NULL, NULL), 0);
  uv_walk(&uv, close_handle, NULL);
  if (when >= CLOSED) CHECK_INT(uv_run(&uv, UV_RUN_DEFAULT), 0);
  if (when >= LOOP_CLOSED) CHECK_INT(uv_loop_close(&uv), 0);
  if (when > BEFORE) {
    /* Belay's loop is open, and nothing begins there. */
    CHECK_FAILS(belay_loop_post(loop, empty_action, NULL, NULL), BELAY_ECANCELED);
    CHECK_FAILS(
        belay_scheduler_after(belay_loop_get_scheduler(loop), 0, empty_action, NULL, NULL, NULL),
        BELAY_ECANCELED);
    CHECK_INT(belay_loop_close(loop, closed, NULL, NULL), 0);
  }
  if (when < CLOSED) CHECK_INT(uv_run(&uv, UV_RUN_DEFAULT), 0);
  CHECK(strstr(trace_text(), "closed 3") != NULL);
  CHECK(strstr(trace_text(), "subject disposed | subject free") != NULL);
  CHECK(strstr(trace_text(), "signal disposed | signal free") != NULL);
  CHECK(strstr(trace_text(), "free timer") != NULL);
  trace_clear();
  belay_loop_release(loop);
  belay_signal_release(subject);
  if (when < LOOP_CLOSED) CHECK_INT(uv_loop_close(&uv), 0);
}

static void the_host_closes_every_handle(void) {
  for (int when = BEFORE; when <= LOOP_CLOSED; when++) close_everything(when);
}

/* ---- stopping while it closes ---- */

static void stop_often(void *loop) {
  for (int i = 0; i < 2000; i++) {
    int code = belay_loop_stop(loop);
    if (code != 0 && code != BELAY_ECLOSED && code != BELAY_ECANCELED) CHECK_INT(code, 0);
  }
}

static void rule_1_2_stopped_from_elsewhere_while_it_closes(void) {
  for (int i = 0; i < 20; i++) {
    belay_loop *loop = open_loop();
    routine stopper;
    start_thread(&stopper, stop_often, loop);
    for (int k = 0; k < i; k++) CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
    CHECK_INT(belay_loop_close(loop, expect_nothing_left, NULL, NULL), 0);
    join_thread(&stopper);
    belay_loop_release(loop);
  }
}

/* ---- a thread that is cancelled while it posts ---- */

static void *cancelled_while_posting(void *loop) {
  pthread_cancel(pthread_self());
  /* The first post wakes the loop with a write, which is a cancellation point. */
  CHECK_INT(belay_loop_post(loop, trace_action, "posted", NULL), 0);
  pthread_testcancel();
  check_failed(__FILE__, __LINE__, "not cancelled");
  return NULL;
}

static void a_thread_that_is_cancelled_while_it_posts_leaves_the_queue_in_order(void) {
  belay_loop *loop = open_loop();
  pthread_t thread;
  void *result;
  CHECK_INT(pthread_create(&thread, NULL, cancelled_while_posting, loop), 0);
  CHECK_INT(pthread_join(thread, &result), 0);
  CHECK(result == PTHREAD_CANCELED);
  CHECK_INT(belay_loop_post(loop, trace_action, "again", NULL), 0);
  run_to_end(loop);
  CHECK_TRACE("action posted | action again");
  close_loop(loop);
}

/* ---- the thread that had it goes on ---- */

static void bind_and_close(void *loop) {
  CHECK_INT(belay_loop_bind(loop), 0);
  CHECK_INT(belay_loop_close(loop, expect_nothing_left, NULL, NULL), 0);
}

static void a_loop_that_another_thread_has_closed_is_alive_no_longer_than_its_handle(void) {
  size_t before = belay_live_count(BELAY_LIVE_LOOPS);
  belay_loop *loop = open_loop();
  in_thread(bind_and_close, loop);
  CHECK_INT(belay_live_count(BELAY_LIVE_LOOPS), before + 1);
  belay_loop_release(loop);
  CHECK_INT(belay_live_count(BELAY_LIVE_LOOPS), before);
  CHECK(belay_loop_current() == NULL);
}

/* ---- two threads run it by turns ---- */

enum { TURNS = 300000 };
static belay_loop *shared_loop;
static atomic_int threads_inside;
static void be_alone(void *ctx) {
  CHECK_INT(threads_inside++, 0);
  threads_inside--;
}
static void run_often(void *turns) {
  for (int i = 0; i < TURNS; i++) {
    belay_loop_post(shared_loop, be_alone, NULL, NULL);
    int code = i % 2 ? belay_loop_bind(shared_loop) : 0;
    if (code == 0) code = belay_loop_run(shared_loop, BELAY_RUN_NOWAIT);
    if (code == BELAY_EBUSY) belay_last_error();
    else if (code < 0) CHECK_INT(code, 0);
    else ++*(int *)turns;
  }
}
static void two_threads_run_it_one_at_a_time(void) {
  int turns[2] = {0};
  routine threads[2];
  shared_loop = open_loop();
  for (int i = 0; i < 2; i++) start_thread(&threads[i], run_often, &turns[i]);
  for (int i = 0; i < 2; i++) join_thread(&threads[i]);
  CHECK(turns[0] + turns[1] > 0);
  CHECK_INT(belay_loop_bind(shared_loop), 0);
  run_to_end(shared_loop);
  close_loop(shared_loop);
}

static const test_case cases[] = {
    CASE(adopted_again_before_the_close_is_done),
    CASE(adopted_again_with_the_old_handle_there),
    CASE(open_is_still_bound),
    CASE(an_adopted_loop_is_closed_by_its_next_turn),
    CASE(a_loop_is_closed_at_once_when_its_thread_has_ended),
    CASE(a_loop_that_does_not_run_is_closed_when_its_thread_ends),
    CASE(a_loop_that_does_not_run_is_closed_when_its_thread_makes_another),
    CASE(the_host_closes_every_handle),
    CASE(rule_1_2_stopped_from_elsewhere_while_it_closes),
    CASE(a_loop_that_another_thread_has_closed_is_alive_no_longer_than_its_handle),
    CASE(two_threads_run_it_one_at_a_time),
    CASE(a_thread_that_is_cancelled_while_it_posts_leaves_the_queue_in_order),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
