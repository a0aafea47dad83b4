/* Sources of one loop, subscribed to from another thread, when that loop closes. */
#define _GNU_SOURCE
#include "counts.h"
#include "worker.h"

#include <signal.h>
#include <unistd.h>
#include <uv.h>

static uv_loop_t uv;
static belay_loop *source;
static belay_signal *signals;
static char folder[] = "/tmp/belay-apart-XXXXXX", path[64];
static int ends[2];

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

enum { KINDS = 17 };
/* Work on the pool is refused by a loop that has closed, as belay_signal_start() is. */
static int is_work(int kind) { return kind == 5 || kind == 6 || kind == 8; }
static belay_value one(void *ctx) { return belay_int32(1); }

static belay_signal *make(int kind) {
  static const char *const args[] = {"sleep", "1000", NULL};
  belay_process_options options = BELAY_INIT(belay_process_options);
  options.args = args;
  options.disposal = BELAY_PROCESS_KILL;
  switch (kind) {
    case 0: return belay_posix_signal(source, SIGUSR1);
    case 1: return belay_file_lines(source, path, BELAY_FILE_FOLLOW);
    case 2: return belay_ticks(source, BELAY_TICK_IDLE);
    case 3: return belay_ticks(source, BELAY_TICK_CHECK);
    case 4: return belay_poll(source, ends[1], BELAY_POLL_WRITABLE);
    case 5: return belay_work(source, one, NULL, NULL);
    case 6: return belay_file_read(source, path);
    case 7: return belay_file_chunks(source, path, 0);
    case 8: return belay_directory_list(source, "/tmp");
    case 9: return belay_file_events(source, path);
    case 10: return belay_file_poll(source, path, 0.001);
    case 11: return belay_tree_events(source, folder);
    case 12: return belay_lookup(source, "127.0.0.1", NULL);
    case 13: return belay_host_name(source, "127.0.0.1");
    case 14: return belay_process(source, &options);
    case 15: return belay_wall_timer(source, 1e12);
    default: return belay_udp(source, NULL, NULL);
  }
}

static void begin(int kind) {
  if (fds_before == 0) close_loop(open_loop());
  fds_before = descriptors();
  CHECK_INT(uv_loop_init(&uv), 0);
  source = belay_loop_adopt(&uv, NULL);
  signals = make(kind);
  CHECK(signals != NULL);
}

static void finish(void) {
  belay_signal_release(signals);
  CHECK_INT(uv_run(&uv, UV_RUN_DEFAULT), 0);
  CHECK_INT(uv_loop_close(&uv), 0);
  await_lookups();
  CHECK_INT(descriptors(), fds_before);
}

static int closes;
static void closed(void *ctx, const belay_open_resource *const *left, size_t count) { closes++; }

/* Whatever it has come to when the loop closes. */
static void they_end_with_their_loop(void) {
  closes = 0;
  for (int kind = 0; kind < KINDS; kind++)
    for (int turns = 0; turns < 8; turns++) {
      worker other = {0};
      start_worker(&other);
      begin(kind);
      on_worker(&other, subscribe, NULL);
      for (int i = 0; i < turns; i++) uv_run(&uv, UV_RUN_NOWAIT);
      CHECK_INT(belay_loop_close(source, closed, NULL, NULL), 0);
      CHECK_INT(uv_run(&uv, UV_RUN_DEFAULT), 0);
      if (kind == 0) CHECK(is_default(SIGUSR1));
      meet(&other);
      meet(&other);
      CHECK_INT(closes, kind * 8 + turns + 1);
      CHECK(strstr(trace_text(), "disposed | free") != NULL);
      trace_clear();
      belay_loop_release(source);
      belay_disposable_release(subscription);
      finish();
      stop_worker(&other);
    }
}

static void subscribed_after_the_close_they_are_interrupted(void) {
  for (int kind = 0; kind < KINDS; kind++) {
    worker other = {0};
    start_worker(&other);
    begin(kind);
    CHECK_INT(belay_loop_close(source, NULL, NULL, NULL), 0);
    on_worker(&other, subscribe, NULL);
    meet(&other);
    CHECK_TRACE(is_work(kind) ? "error ECANCELED | disposed | free" : "disposed | free");
    belay_loop_release(source);
    belay_disposable_release(subscription);
    finish();
    stop_worker(&other);
  }
}

/* The same on a thread without a loop, and on the loop's own. */
static void subscribed_anywhere_after_the_close(void) {
  for (int kind = 0; kind < KINDS; kind++)
    for (int is_here = 0; is_here < 2; is_here++) {
      if (is_work(kind)) continue;
      begin(kind);
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
  for (int kind = 0; kind < KINDS; kind++) {
    sem_t inside, go_on, *both[] = {&inside, &go_on};
    worker other = {0};
    sem_init(&inside, 0, 0);
    sem_init(&go_on, 0, 0);
    start_worker(&other);
    begin(kind);
    on_worker(&other, subscribe, NULL);
    for (int i = 0; i < 8; i++) uv_run(&uv, UV_RUN_NOWAIT);
    CHECK_INT(belay_loop_post(other.loop, hold_inside, both, NULL), 0);
    wait_for(&inside);
    CHECK_INT(belay_loop_close(source, NULL, NULL, NULL), 0);
    belay_disposable_dispose(subscription);
    sem_post(&go_on);
    meet(&other);
    CHECK(strstr(trace_text(), "disposed | free") != NULL);
    trace_clear();
    belay_loop_release(source);
    belay_disposable_release(subscription);
    finish();
    stop_worker(&other);
    sem_destroy(&inside);
    sem_destroy(&go_on);
  }
}

/* Two threads end it at once, while the loop runs. */
static void dispose_it(void *ctx) { belay_disposable_dispose(subscription); }
static void two_threads_dispose_of_them(void) {
  for (int kind = 0; kind < KINDS; kind++)
    for (int turns = 0; turns < 4; turns++) {
      routine disposers[2];
      worker other = {0};
      start_worker(&other);
      begin(kind);
      on_worker(&other, subscribe, NULL);
      for (int i = 0; i < turns; i++) uv_run(&uv, UV_RUN_NOWAIT);
      for (int i = 0; i < 2; i++) start_thread(&disposers[i], dispose_it, NULL);
      for (int i = 0; i < 4; i++) uv_run(&uv, UV_RUN_NOWAIT);
      for (int i = 0; i < 2; i++) join_thread(&disposers[i]);
      meet(&other);
      uv_run(&uv, UV_RUN_NOWAIT);
      meet(&other);
      CHECK(strstr(trace_text(), "disposed | free") != NULL);
      trace_clear();
      CHECK_INT(belay_loop_close(source, NULL, NULL, NULL), 0);
      belay_loop_release(source);
      belay_disposable_release(subscription);
      finish();
      stop_worker(&other);
    }
}

/* Their loop ends them before it comes to their start, which is in its queue behind that. */
static void never(uv_timer_t *timer) {}
static void disposed_of_before_they_begin(void) {
  uv_timer_t alive;
  for (int kind = 0; kind < KINDS; kind++) {
    worker other = {0};
    if (is_work(kind)) continue;
    start_worker(&other);
    begin(kind);
    CHECK_INT(belay_loop_post(source, dispose_it, NULL, NULL), 0);
    on_worker(&other, subscribe, NULL);
    /* What waits for a turn does not keep the loop alive. */
    uv_timer_init(&uv, &alive);
    uv_timer_start(&alive, never, 1000000, 0);
    for (int i = 0; i < 4; i++) uv_run(&uv, UV_RUN_NOWAIT);
    uv_close((uv_handle_t *)&alive, NULL);
    meet(&other);
    CHECK_TRACE("disposed | free");
    CHECK_INT(belay_loop_close(source, NULL, NULL, NULL), 0);
    belay_loop_release(source);
    belay_disposable_release(subscription);
    finish();
    stop_worker(&other);
  }
}

/* What their loop sends could not arrive on a thread that has none. Nothing begins, and no child. */
static void on_a_thread_without_a_loop_they_fail(void) {
  for (int kind = 0; kind < KINDS; kind++) {
    if (is_work(kind)) continue;
    begin(kind);
    in_thread(subscribe, NULL);
    CHECK_TRACE("error ENOHOME | disposed | free");
    CHECK_INT(uv_run(&uv, UV_RUN_NOWAIT), 0);
    CHECK_TRACE("");
    CHECK_INT(belay_loop_close(source, NULL, NULL, NULL), 0);
    belay_loop_release(source);
    belay_disposable_release(subscription);
    finish();
  }
}

static const test_case cases[] = {
    CASE(they_end_with_their_loop),
    CASE(subscribed_after_the_close_they_are_interrupted),
    CASE(subscribed_anywhere_after_the_close),
    CASE(disposed_of_after_the_close),
    CASE(two_threads_dispose_of_them),
    CASE(disposed_of_before_they_begin),
    CASE(on_a_thread_without_a_loop_they_fail),
};

int main(int argc, char **argv) {
  CHECK(mkdtemp(folder) != NULL);
  snprintf(path, sizeof path, "%s/file", folder);
  FILE *file = fopen(path, "w");
  CHECK(file && fputs("text\n", file) >= 0 && fclose(file) == 0);
  CHECK_INT(pipe(ends), 0);
  int result = RUN_CASES(cases);
  unlink(path);
  rmdir(folder);
  return result;
}
