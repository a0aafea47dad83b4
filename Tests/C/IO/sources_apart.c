/* Files and POSIX signals of one loop, subscribed to from another thread, when that loop closes. */
#define _GNU_SOURCE
#include "worker.h"

#include <signal.h>
#include <unistd.h>
#include <uv.h>

static uv_loop_t uv;
static belay_loop *source;
static belay_signal *signals;
static char path[] = "/tmp/belay-apart-XXXXXX";

static belay_disposable *subscription;
static void subscribe(void *subscriber) {
  belay_observer observer = tracing("");
  observer.next = render_next;
  CHECK_INT(belay_signal_subscribe(signals, &observer, &subscription), 0);
}

static int is_default(int signum) {
  struct sigaction action;
  CHECK_INT(sigaction(signum, NULL, &action), 0);
  return action.sa_handler == SIG_DFL;
}

static void begin(int is_file) {
  CHECK_INT(uv_loop_init(&uv), 0);
  source = belay_loop_adopt(&uv, NULL);
  signals = is_file ? belay_file_lines(source, path, BELAY_FILE_FOLLOW)
                    : belay_posix_signal(source, SIGUSR1);
  CHECK(signals != NULL);
}

static void finish(void) {
  belay_signal_release(signals);
  CHECK_INT(uv_run(&uv, UV_RUN_DEFAULT), 0);
  CHECK_INT(uv_loop_close(&uv), 0);
}

static void closed(void *ctx, const belay_open_resource *const *left, size_t count) {
  trace("closed");
}

/* Whatever it has come to when the loop closes. */
static void they_end_with_their_loop(void) {
  for (int is_file = 0; is_file < 2; is_file++)
    for (int turns = 0; turns < 8; turns++) {
      worker other = {0};
      start_worker(&other);
      begin(is_file);
      on_worker(&other, subscribe, NULL);
      for (int i = 0; i < turns; i++) uv_run(&uv, UV_RUN_NOWAIT);
      CHECK_INT(belay_loop_close(source, closed, NULL, NULL), 0);
      CHECK_INT(uv_run(&uv, UV_RUN_DEFAULT), 0);
      if (!is_file) CHECK(is_default(SIGUSR1));
      meet(&other);
      meet(&other);
      CHECK(strstr(trace_text(), "closed") != NULL);
      CHECK(strstr(trace_text(), "disposed | free") != NULL);
      trace_clear();
      belay_loop_release(source);
      belay_disposable_release(subscription);
      finish();
      stop_worker(&other);
    }
}

static void subscribed_after_the_close_they_are_interrupted(void) {
  for (int is_file = 0; is_file < 2; is_file++) {
    worker other = {0};
    start_worker(&other);
    begin(is_file);
    CHECK_INT(belay_loop_close(source, NULL, NULL, NULL), 0);
    on_worker(&other, subscribe, NULL);
    meet(&other);
    CHECK_TRACE("disposed | free");
    belay_loop_release(source);
    belay_disposable_release(subscription);
    finish();
    stop_worker(&other);
  }
}

/* The same on a thread without a loop, and on the loop's own. */
static void subscribed_anywhere_after_the_close(void) {
  for (int is_file = 0; is_file < 2; is_file++)
    for (int is_here = 0; is_here < 2; is_here++) {
      begin(is_file);
      CHECK_INT(belay_loop_close(source, NULL, NULL, NULL), 0);
      if (is_here) subscribe(NULL);
      else in_thread(subscribe, NULL);
      CHECK_TRACE("disposed | free");
      belay_loop_release(source);
      belay_disposable_release(subscription);
      finish();
    }
}

static void hold_inside(void *ctx) {
  sem_post(((sem_t **)ctx)[0]);
  wait_for(((sem_t **)ctx)[1]);
}

/* The subscriber's loop is busy while the source's closes, and disposes of it then. */
static void disposed_of_after_the_close(void) {
  for (int is_file = 0; is_file < 2; is_file++) {
    sem_t inside, go_on, *both[] = {&inside, &go_on};
    worker other = {0};
    sem_init(&inside, 0, 0);
    sem_init(&go_on, 0, 0);
    start_worker(&other);
    begin(is_file);
    on_worker(&other, subscribe, NULL);
    for (int i = 0; i < 8; i++) uv_run(&uv, UV_RUN_NOWAIT);
    CHECK_INT(belay_loop_post(other.loop, hold_inside, both, NULL), 0);
    wait_for(&inside);
    CHECK_INT(belay_loop_close(source, NULL, NULL, NULL), 0);
    belay_disposable_dispose(subscription);
    sem_post(&go_on);
    meet(&other);
    CHECK_TRACE("disposed | free");
    belay_loop_release(source);
    belay_disposable_release(subscription);
    finish();
    stop_worker(&other);
    sem_destroy(&inside);
    sem_destroy(&go_on);
  }
}

static const test_case cases[] = {
    CASE(they_end_with_their_loop),
    CASE(subscribed_after_the_close_they_are_interrupted),
    CASE(subscribed_anywhere_after_the_close),
    CASE(disposed_of_after_the_close),
};

int main(int argc, char **argv) {
  int file = mkstemp(path);
  CHECK(file >= 0);
  close(file);
  int result = RUN_CASES(cases);
  unlink(path);
  return result;
}
