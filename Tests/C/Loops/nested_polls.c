#define _GNU_SOURCE
/* Turns inside of a callback that libuv makes for one of several things that it has taken in at once: an async, its
   pool's, a POSIX signal. The turns hear the others, and the descriptor tells of them. */
#include "cases.h"

#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <uv.h>

static belay_loop *loop;
static belay_scheduler *scheduler;
static int done, turns;

enum { MOST = 1000, PATIENCE = 10000 }; /* turns, milliseconds; never reached */

static void turn(void) { CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0); }

/* As a host does that asks for the descriptor once. */
static int descriptor;
static void until_done(void) {
  for (turns = 0; !done && turns < MOST; turns++) {
    struct pollfd entry = {.fd = descriptor, .events = POLLIN};
    if (poll(&entry, 1, PATIENCE) != 1) break;
    turn();
  }
  CHECK(done);
}

static void begin(void) {
  loop = open_loop();
  scheduler = belay_loop_get_scheduler(loop);
  descriptor = belay_loop_fd(loop);
  done = 0;
  turn();
}

static void finish(void *ctx) { done = 1; }
static void finish_on_value(void *ctx, belay_value value) { done = 1; }

/* ---- other threads ---- */

static void post(void *ctx) { CHECK_INT(belay_loop_post(loop, finish, NULL, NULL), 0); }

/* Twice, because the first one wakes it in any case. */
static void wait_for_threads(void) {
  for (int i = 0; i < 3; i++) {
    routine it;
    done = 0;
    start_thread(&it, post, NULL);
    until_done();
    join_thread(&it);
  }
  trace("heard");
}

static void wait_on_value(void *ctx, belay_value value) {
  if (!strstr(trace_text(), "heard")) wait_for_threads();
}

static void heard_inside(belay_signal *signal) {
  belay_observer observer = {.size = sizeof observer, .next = wait_on_value};
  belay_disposable *subscription = NULL;
  CHECK(signal != NULL);
  CHECK_INT(belay_signal_subscribe(signal, &observer, &subscription), 0);
  belay_signal_release(signal);
  done = 0;
  for (int i = 0; i < MOST && !strstr(trace_text(), "heard"); i++) {
    struct pollfd entry = {.fd = descriptor, .events = POLLIN};
    CHECK_INT(poll(&entry, 1, PATIENCE), 1);
    turn();
  }
  CHECK_TRACE("heard");
  end_subscription(subscription);
}

static char path[] = "/tmp/belay-nested-XXXXXX";
static void append_a_line(void) {
  int file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
  CHECK_INT((int)write(file, "one\n", 4), 4);
  close(file);
}

static void other_threads_are_heard_inside_of_a_file(void) {
  begin();
  append_a_line();
  heard_inside(belay_file_lines(loop, path, 0));
  heard_inside(belay_file_chunks(loop, path, BELAY_FILE_FOLLOW));
  run_to_end(loop);
  close_loop(loop);
}

static void write_it(void *ctx) { append_a_line(); }
static void other_threads_are_heard_inside_of_a_polled_file(void) {
  begin();
  belay_disposable *writer = NULL;
  CHECK_INT(belay_scheduler_every(scheduler, 0.01, 0.01, 0, write_it, NULL, NULL, &writer), 0);
  heard_inside(belay_file_poll(loop, path, 0.001));
  end_subscription(writer);
  run_to_end(loop);
  close_loop(loop);
}

/* The program's own, on its own loop, on which it was before Belay. */
static uv_loop_t uv;
static uv_async_t async;
static void until_done_by_libuv(void) {
  for (turns = 0; !done && turns < MOST; turns++) {
    struct pollfd entry = {.fd = uv_backend_fd(&uv), .events = POLLIN};
    if (poll(&entry, 1, PATIENCE) != 1) break;
    uv_run(&uv, UV_RUN_NOWAIT);
  }
  CHECK(done);
}
static void wait_in_an_async(uv_async_t *handle) {
  for (int i = 0; i < 3; i++) {
    routine it;
    done = 0;
    start_thread(&it, post, NULL);
    until_done_by_libuv();
    join_thread(&it);
  }
  trace("heard");
}
static void other_threads_are_heard_inside_of_an_async(void) {
  CHECK_INT(uv_loop_init(&uv), 0);
  CHECK_INT(uv_async_init(&uv, &async, wait_in_an_async), 0);
  loop = belay_loop_adopt(&uv, NULL);
  CHECK_INT(uv_async_send(&async), 0);
  while (!strstr(trace_text(), "heard")) uv_run(&uv, UV_RUN_ONCE);
  CHECK_TRACE("heard");
  uv_close((uv_handle_t *)&async, NULL);
  close_loop(loop);
  CHECK_INT(uv_run(&uv, UV_RUN_DEFAULT), 0);
  CHECK_INT(uv_loop_close(&uv), 0);
}

/* ---- what was taken in at once ---- */

static int inside;
static void wait_for_the_other(void *ctx, belay_value value) {
  if (inside++) {
    trace("the other");
    done = 1;
    return;
  }
  trace("waits");
  until_done();
  trace("has waited");
}

static belay_disposable *waiting(belay_signal *signal) {
  belay_observer observer = {.size = sizeof observer, .next = wait_for_the_other};
  belay_disposable *subscription = NULL;
  CHECK(signal != NULL);
  CHECK_INT(belay_signal_subscribe(signal, &observer, &subscription), 0);
  belay_signal_release(signal);
  return subscription;
}

static void check_both(belay_disposable *one, belay_disposable *other) {
  CHECK_TRACE("waits | the other | has waited");
  end_subscription(one);
  end_subscription(other);
  run_to_end(loop);
  close_loop(loop);
  inside = 0;
}

static void another_signal_is_heard_inside(void) {
  begin();
  belay_disposable *one = waiting(belay_posix_signal(loop, SIGUSR1)),
                   *other = waiting(belay_posix_signal(loop, SIGUSR2));
  CHECK_INT(raise(SIGUSR1), 0);
  CHECK_INT(raise(SIGUSR2), 0);
  for (int i = 0; i < MOST && !strstr(trace_text(), "has waited"); i++) turn();
  check_both(one, other);
}

static int32_t pid;
static void wait_for_the_other_end(void *ctx, belay_value value) {
  belay_value item;
  int64_t number;
  if (pid) return wait_for_the_other(ctx, value);
  CHECK_INT(belay_value_get_item(value, 0, &item), 0);
  CHECK_INT(belay_value_get_int64(item, &number), 0);
  pid = (int32_t)number;
}
static void the_end_of_a_child_is_heard_inside(void) {
  const char *args[] = {"true", NULL};
  belay_process_options options = {.size = sizeof options, .args = args};
  begin();
  pid = 0;
  belay_disposable *one = waiting(belay_posix_signal(loop, SIGUSR1)), *other = NULL;
  belay_observer observer = {.size = sizeof observer, .next = wait_for_the_other_end};
  belay_signal *process = belay_process(loop, &options);
  CHECK_INT(belay_signal_subscribe(process, &observer, &other), 0);
  belay_signal_release(process);
  siginfo_t info;
  CHECK(pid > 0);
  CHECK_INT(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
  CHECK_INT(raise(SIGUSR1), 0);
  for (int i = 0; i < MOST && !strstr(trace_text(), "has waited"); i++) turn();
  check_both(one, other);
}

/* The pool has one thread: this returns when it has done what it was asked for before. */
static void nothing(uv_work_t *request) {}
static void wait_for_the_pool(void) {
  uv_loop_t other;
  uv_work_t request;
  CHECK_INT(uv_loop_init(&other), 0);
  CHECK_INT(uv_queue_work(&other, &request, nothing, NULL), 0);
  CHECK_INT(uv_run(&other, UV_RUN_DEFAULT), 0);
  CHECK_INT(uv_loop_close(&other), 0);
}

static void another_file_is_heard_inside(void) {
  begin();
  append_a_line();
  belay_disposable *one = waiting(belay_signal_chain(belay_file_lines(loop, path, 0), belay_op_take(1))),
                   *other = waiting(belay_signal_chain(belay_file_lines(loop, path, 0), belay_op_take(1)));
  for (int i = 0; i < MOST && !strstr(trace_text(), "has waited"); i++) {
    wait_for_the_pool();
    turn();
  }
  check_both(one, other);
}

/* ---- the descriptor ---- */

static int way;
static int ends[2];
static void arm_and_wait(void) {
  done = 0;
  if (way == 0) {
    CHECK_INT(belay_scheduler_after(scheduler, 0.001, finish, NULL, NULL, NULL), 0);
  } else {
    belay_observer observer = {.size = sizeof observer, .next = finish_on_value};
    belay_signal *poll =
        belay_signal_chain(belay_poll(loop, ends[0], BELAY_POLL_READABLE), belay_op_take(1));
    CHECK_INT(belay_signal_subscribe(poll, &observer, NULL), 0);
    belay_signal_release(poll);
  }
  until_done();
  trace("came");
}

static void arm_in_an_async(uv_async_t *handle) { arm_and_wait(); }
static void it_tells_what_is_armed_inside_of_the_programs_callback(void) {
  CHECK_INT(pipe2(ends, O_CLOEXEC), 0);
  CHECK_INT((int)write(ends[1], "x", 1), 1);
  for (way = 0; way < 2; way++) {
    begin();
    CHECK_INT(uv_async_init(belay_loop_uv(loop), &async, arm_in_an_async), 0);
    turn();
    CHECK_INT(uv_async_send(&async), 0);
    turn();
    CHECK_TRACE("came");
    uv_close((uv_handle_t *)&async, NULL);
    run_to_end(loop);
    close_loop(loop);
  }
  close(ends[0]);
  close(ends[1]);
}

/* A run inside of a callback begins with what waits for a batch. */
static void arm_in_a_batch(void *ctx, const belay_value *values, size_t count) {
  if (way++ == 0) {
    way = 0;
    arm_and_wait();
    way = 1;
  }
}
static void run_on_the_second(void *ctx, belay_value value) {
  if (int_of(value) == 2) turn();
}
static void it_tells_what_is_armed_in_a_batch(void) {
  begin();
  for (int i = 0; i < 3; i++) turn();
  way = 0;
  belay_signal *subject = belay_subject_create(NULL);
  belay_observer batch = {.size = sizeof batch, .next_batch = arm_in_a_batch},
                 each = {.size = sizeof each, .next = run_on_the_second};
  belay_disposable *one = NULL, *other = NULL;
  CHECK_INT(belay_signal_subscribe(subject, &batch, &one), 0);
  CHECK_INT(belay_signal_subscribe(subject, &each, &other), 0);
  belay_value values[] = {belay_int32(1), belay_int32(2), belay_int32(3)};
  CHECK_INT(belay_subject_next_batch(subject, values, 3), 0);
  CHECK_TRACE("came");
  end_subscription(one);
  end_subscription(other);
  belay_signal_release(subject);
  close_loop(loop);
}

static const test_case cases[] = {
    CASE(other_threads_are_heard_inside_of_a_file),
    CASE(other_threads_are_heard_inside_of_a_polled_file),
    CASE(other_threads_are_heard_inside_of_an_async),
    CASE(another_signal_is_heard_inside),
    CASE(the_end_of_a_child_is_heard_inside),
    CASE(another_file_is_heard_inside),
    CASE(it_tells_what_is_armed_inside_of_the_programs_callback),
    CASE(it_tells_what_is_armed_in_a_batch),
};

int main(int argc, char **argv) {
  setenv("UV_THREADPOOL_SIZE", "1", 1);
  close(mkostemp(path, O_CLOEXEC));
  int result = RUN_CASES(cases);
  unlink(path);
  return result;
}
