/* Nonsense for loops, schedulers and sources. */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>
#include <uv.h>

#include "bad_input.h"

static belay_loop *closed_loop(void) {
  belay_loop *loop = belay_loop_create(NULL);
  CHECK_INT(belay_loop_close(loop, NULL, NULL, NULL), 0);
  return loop;
}
static void close_and_release(belay_loop *loop) {
  CHECK_INT(belay_loop_close(loop, NULL, NULL, NULL), 0);
  belay_loop_release(loop);
}
static void closed(void *ctx, const belay_open_resource *const *resources, size_t count) {
  (void)ctx;
  (void)resources;
  (void)count;
  called++;
}
static void hook(void *ctx, const belay_error *error, const char *signal, const char *site) {
  (void)error;
  (void)signal;
  (void)site;
  count_call(ctx);
}

/* ---- NULL ---- */

static void null_loops(void) {
  NULL_GIVES_NULL(belay_loop_adopt(NULL, NULL));
  CHECK(belay_loop_retain(NULL) == NULL);
  belay_loop_release(NULL);
  NULL_REFUSED(belay_loop_bind(NULL));
  for (int mode = -1; mode <= BELAY_RUN_NOWAIT + 1; mode++)
    NULL_REFUSED(belay_loop_run(NULL, (belay_run_mode)mode));
  NULL_REFUSED(belay_loop_stop(NULL));
  NULL_REFUSED(belay_loop_alive(NULL));
  SURVIVES(belay_loop_now(NULL));
  NULL_GIVES_NULL(belay_loop_get_scheduler(NULL));
  NULL_GIVES_NULL(belay_loop_uv(NULL));
  CHECK_INT(belay_loop_turns(NULL), 0);
  belay_last_error();
  NULL_REFUSED(belay_loop_backend_fd(NULL));
  SURVIVES(belay_loop_backend_timeout(NULL));
  NULL_REFUSED(belay_loop_fd(NULL));
  CHECK_INT(belay_loop_queue_high_water(NULL), 0);
  belay_last_error();
  CHECK(belay_loop_current() == NULL);
  CHECK(!belay_last_error());
}

static void null_loops_given_contexts(void) {
  called = 0;
  NULL_REFUSED(belay_loop_post(NULL, count_call, GIVEN));
  CHECK_FREED();
  NULL_REFUSED(belay_loop_post(NULL, NULL, GIVEN));
  CHECK_FREED();
  NULL_REFUSED(belay_loop_post(NULL, NULL, NULL, NULL));
  NULL_REFUSED(belay_loop_on_unhandled_error(NULL, hook, GIVEN));
  CHECK_FREED();
  NULL_REFUSED(belay_loop_on_unhandled_error(NULL, NULL, GIVEN));
  CHECK_FREED();
  NULL_REFUSED(belay_loop_on_unhandled_error(NULL, NULL, NULL, NULL));
  NULL_REFUSED(belay_loop_close(NULL, closed, GIVEN));
  CHECK_FREED();
  NULL_REFUSED(belay_loop_close(NULL, NULL, GIVEN));
  CHECK_FREED();
  NULL_REFUSED(belay_loop_close(NULL, NULL, NULL, NULL));
  CHECK_STRING(belay_open_resource_kind(NULL), "");
  CHECK(belay_open_resource_label(NULL) == NULL);
  CHECK(belay_open_resource_site(NULL) == NULL);
  CHECK(belay_open_resource_address(NULL) == NULL);
  CHECK_INT(belay_open_resource_is_foreign(NULL), 0);
  CHECK_INT(called, 0);

  belay_loop *loop = belay_loop_create(NULL);
  REFUSED(belay_loop_post(loop, NULL, GIVEN), BELAY_EINVAL);
  CHECK_FREED();
  CHECK_INT(belay_loop_on_unhandled_error(loop, NULL, GIVEN), 0);
  CHECK_INT(belay_loop_close(loop, NULL, GIVEN), 0);
  belay_loop_release(loop);
  CHECK_INT(freed, 2);
  freed = 0;
}

static void null_schedulers(void) {
  belay_disposable *d = (belay_disposable *)&d;
  CHECK(belay_scheduler_retain(NULL) == NULL);
  belay_scheduler_release(NULL);
  SURVIVES(belay_scheduler_now(NULL));
  called = 0;
  NULL_REFUSED(belay_scheduler_schedule(NULL, count_call, GIVEN, &d));
  CHECK(d == NULL);
  CHECK_FREED();
  d = (belay_disposable *)&d;
  NULL_REFUSED(belay_scheduler_after(NULL, 1, count_call, GIVEN, &d));
  CHECK(d == NULL);
  CHECK_FREED();
  d = (belay_disposable *)&d;
  NULL_REFUSED(belay_scheduler_every(NULL, 1, 1, 0, count_call, GIVEN, &d));
  CHECK(d == NULL);
  CHECK_FREED();
  NULL_REFUSED(belay_scheduler_schedule(NULL, NULL, NULL, NULL, NULL));
  NULL_REFUSED(belay_scheduler_after(NULL, NAN, NULL, NULL, NULL, NULL));
  NULL_REFUSED(belay_scheduler_every(NULL, NAN, NAN, NAN, NULL, NULL, NULL, NULL));
  CHECK_INT(called, 0);
}

static void null_actions(void) {
  belay_loop *loop = belay_loop_create(NULL);
  belay_scheduler *schedulers[] = {belay_scheduler_immediate(), belay_scheduler_trampoline(),
                                   belay_loop_get_scheduler(loop)};
  for (int i = 0; i < 3; i++) {
    belay_disposable *d = (belay_disposable *)&d;
    REFUSED(belay_scheduler_schedule(schedulers[i], NULL, GIVEN, &d), BELAY_EINVAL);
    CHECK(d == NULL);
    CHECK_FREED();
    REFUSED(belay_scheduler_after(schedulers[i], 0, NULL, GIVEN, NULL), BELAY_EINVAL);
    CHECK_FREED();
    REFUSED(belay_scheduler_every(schedulers[i], 0, 1, 0, NULL, GIVEN, NULL), BELAY_EINVAL);
    CHECK_FREED();
  }
  close_and_release(loop);
}

static void null_sources(void) {
  belay_loop *loop = belay_loop_create(NULL);
  NULL_GIVES_NULL(belay_signal_timer(NULL, 1));
  NULL_GIVES_NULL(belay_signal_timer(NULL, NAN));
  NULL_GIVES_NULL(belay_signal_interval(NULL, 1));
  NULL_GIVES_NULL(belay_signal_interval(NULL, 0));
  NULL_GIVES_NULL(belay_file_lines(NULL, "/dev/null", 0));
  NULL_GIVES_NULL(belay_file_lines(loop, NULL, 0));
  NULL_GIVES_NULL(belay_file_lines(NULL, NULL, 0));
  NULL_GIVES_NULL(belay_posix_signal(NULL, SIGUSR1));
  NULL_GIVES_NULL(belay_posix_signal(NULL, -1));
  close_and_release(loop);
}

/* ---- options and modes ---- */

static void loop_options_that_make_no_sense(void) {
  static const size_t sizes[] = {0, 1, sizeof(size_t), sizeof(belay_loop_options) - 1};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    GIVES_NOTHING(belay_loop_create(&(belay_loop_options){.size = sizes[i]}), BELAY_EINVAL);
  CHECK(belay_loop_current() == NULL);
  static const size_t capacities[] = {1, SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / 2 + 1};
  for (size_t i = 0; i < sizeof capacities / sizeof *capacities; i++) {
    belay_loop_options options = {.size = sizeof options, .capacity = capacities[i],
                                  .label = "\xff"};
    belay_loop *loop = belay_loop_create(&options);
    CHECK(loop != NULL);
    called = 0;
    CHECK_INT(belay_loop_post(loop, count_call, GIVEN), 0);
    CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
    CHECK_INT(called, 1);
    CHECK_FREED();
    close_and_release(loop);
  }
}

static void run_modes_that_are_none(void) {
  static const int modes[] = {-1, BELAY_RUN_NOWAIT + 1, 99, INT_MAX, INT_MIN};
  belay_loop *loop = belay_loop_create(NULL);
  for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
    REFUSED(belay_loop_run(loop, (belay_run_mode)modes[i]), BELAY_EINVAL);
  CHECK_INT(belay_loop_turns(loop), 0);
  close_and_release(loop);
}

/* ---- states ---- */

static void a_second_loop_on_one_thread(void) {
  belay_loop *loop = belay_loop_create(NULL);
  uv_loop_t uv;
  CHECK_INT(uv_loop_init(&uv), 0);
  GIVES_NOTHING(belay_loop_adopt(&uv, NULL), BELAY_EBOUND);
  CHECK_INT(uv_loop_close(&uv), 0);
  GIVES_NOTHING(belay_loop_adopt(&uv, NULL), BELAY_EINVAL);
  CHECK(belay_loop_current() == loop);
  close_and_release(loop);
  CHECK(belay_loop_current() == NULL);
}

static void run_inside_run(void *loop) {
  for (int mode = 0; mode <= BELAY_RUN_NOWAIT; mode++)
    CHECK(belay_loop_run(loop, (belay_run_mode)mode) >= 0);
  REFUSED(belay_loop_run(loop, (belay_run_mode)99), BELAY_EINVAL);
  SURVIVES(belay_loop_bind(loop));
  called++;
}
static void a_run_inside_a_run(void) {
  belay_loop *loop = belay_loop_create(NULL);
  called = 0;
  CHECK_INT(belay_loop_post(loop, run_inside_run, loop, NULL), 0);
  CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  CHECK_INT(called, 1);
  close_and_release(loop);
}

static void closed_loops(void) {
  belay_loop *loop = closed_loop();
  called = 0;
  REFUSED(belay_loop_close(loop, closed, GIVEN), BELAY_ECLOSED);
  CHECK_FREED();
  REFUSED(belay_loop_run(loop, BELAY_RUN_DEFAULT), BELAY_ECLOSED);
  REFUSED(belay_loop_post(loop, count_call, GIVEN), BELAY_ECANCELED);
  CHECK_FREED();
  CHECK(belay_loop_alive(loop) <= 0);
  CHECK(belay_loop_backend_fd(loop) < 0);
  CHECK(belay_loop_fd(loop) < 0);
  SURVIVES(belay_loop_bind(loop));
  SURVIVES(belay_loop_stop(loop));
  SURVIVES(belay_loop_now(loop));
  SURVIVES(belay_loop_uv(loop));
  SURVIVES(belay_loop_turns(loop));
  SURVIVES(belay_loop_backend_timeout(loop));
  SURVIVES(belay_loop_queue_high_water(loop));
  SURVIVES(belay_loop_on_unhandled_error(loop, hook, GIVEN));

  belay_disposable *d = (belay_disposable *)&d;
  belay_scheduler *scheduler = belay_loop_get_scheduler(loop);
  CHECK(scheduler != NULL);
  REFUSED(belay_scheduler_schedule(scheduler, count_call, NULL, NULL, &d), BELAY_ECANCELED);
  CHECK(d == NULL);
  REFUSED(belay_scheduler_after(scheduler, 0, count_call, NULL, NULL, &d), BELAY_ECANCELED);
  REFUSED(belay_scheduler_every(scheduler, 0, 1, 0, count_call, NULL, NULL, &d), BELAY_ECANCELED);
  SURVIVES(belay_scheduler_now(scheduler));
  GIVES_NOTHING(belay_file_lines(loop, "/dev/null", 0), BELAY_ECLOSED);
  GIVES_NOTHING(belay_posix_signal(loop, SIGUSR1), BELAY_ECLOSED);
  CHECK_INT(called, 0);
  belay_loop_release(loop);
  CHECK_FREED(); /* the hook's context is freed with the loop at the latest */
}

static void *from_elsewhere(void *loop) {
  REFUSED(belay_loop_alive(loop), BELAY_EWRONGTHREAD);
  REFUSED(belay_loop_backend_fd(loop), BELAY_EWRONGTHREAD);
  REFUSED(belay_loop_fd(loop), BELAY_EWRONGTHREAD);
  REFUSED(belay_loop_on_unhandled_error(loop, hook, GIVEN), BELAY_EWRONGTHREAD);
  CHECK_FREED();
  REFUSED(belay_loop_close(loop, closed, GIVEN), BELAY_EWRONGTHREAD);
  CHECK_FREED();
  SURVIVES(belay_loop_now(loop));
  SURVIVES(belay_loop_uv(loop));
  SURVIVES(belay_loop_turns(loop));
  SURVIVES(belay_loop_backend_timeout(loop));
  CHECK(belay_loop_current() == NULL);
  return NULL;
}
static void functions_of_one_thread_called_on_another(void) {
  belay_loop *loop = belay_loop_create(NULL);
  pthread_t thread;
  called = 0;
  pthread_create(&thread, NULL, from_elsewhere, loop);
  pthread_join(thread, NULL);
  CHECK_INT(called, 0);
  close_and_release(loop);
}

/* ---- times ---- */

static void odd_delays(void) {
  belay_loop *loop = belay_loop_create(NULL);
  belay_scheduler *scheduler = belay_loop_get_scheduler(loop);
  belay_disposable *d = (belay_disposable *)&d;
  called = 0;
  REFUSED(belay_scheduler_after(scheduler, NAN, count_call, GIVEN, &d), BELAY_EINVAL);
  CHECK(d == NULL);
  CHECK_FREED();
  static const double negative[] = {-1, -0.0, -1e300};
  for (int i = 0; i < 3; i++)
    CHECK_INT(belay_scheduler_after(scheduler, negative[i], count_call, NULL, NULL, NULL), 0);
  CHECK_INT(belay_scheduler_after(scheduler, -INFINITY, count_call, NULL, NULL, NULL), 0);
  CHECK_INT(belay_loop_run(loop, BELAY_RUN_DEFAULT), 0); /* they count as 0, so all are due */
  CHECK_INT(called, 4);
  const double far[] = {1e300, 1e18, 9.3e9, INFINITY};
  for (int i = 0; i < 4; i++) {
    CHECK_INT(belay_scheduler_after(scheduler, far[i], count_call, GIVEN, &d), 0);
    CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
    belay_disposable_dispose(d);
    belay_disposable_release(d);
    CHECK_FREED();
  }
  CHECK_INT(called, 4);
  close_and_release(loop);
}

static void odd_intervals(void) {
  belay_loop *loop = belay_loop_create(NULL);
  belay_scheduler *scheduler = belay_loop_get_scheduler(loop);
  belay_disposable *d = (belay_disposable *)&d;
  const double wrong[][3] = {{NAN, 1, 0}, {1, NAN, 0}, {1, 1, NAN}, {1, 0, 0},
                             {1, -1, 0},  {0, -0.0, 0}, {0, -INFINITY, 0}, {NAN, NAN, NAN}};
  called = 0;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    REFUSED(belay_scheduler_every(scheduler, wrong[i][0], wrong[i][1], wrong[i][2], count_call,
                                  GIVEN, &d), BELAY_EINVAL);
    CHECK(d == NULL);
    CHECK_FREED();
  }
  const double odd[][3] = {{1e300, 1e300, 1e300}, {INFINITY, INFINITY, INFINITY}, {1e18, 1e-9, -1},
                           {9e9, 9e9, 9e9},       {1e12, 1e300, -INFINITY}};
  for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
    d = NULL;
    SURVIVES(belay_scheduler_every(scheduler, odd[i][0], odd[i][1], odd[i][2], count_call, GIVEN,
                                   &d));
    CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
    belay_disposable_dispose(d);
    belay_disposable_release(d);
    CHECK_FREED();
  }
  CHECK_INT(called, 0);
  /* It is due at once, and then never again. */
  CHECK_INT(belay_scheduler_every(scheduler, -1, 1e300, 1e300, count_call, GIVEN, &d), 0);
  belay_disposable_dispose(d);
  belay_disposable_release(d);
  CHECK_FREED();
  close_and_release(loop);
}

static void schedulers_without_a_clock(void) {
  belay_scheduler *schedulers[] = {belay_scheduler_immediate(), belay_scheduler_trampoline()};
  static const double delays[] = {0, 1, -1, 1e300};
  called = 0;
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 4; j++) {
      belay_disposable *d = (belay_disposable *)&d;
      REFUSED(belay_scheduler_after(schedulers[i], delays[j], count_call, GIVEN, &d),
              BELAY_EINVAL);
      CHECK(d == NULL);
      CHECK_FREED();
      REFUSED(belay_scheduler_every(schedulers[i], delays[j], 1, 0, count_call, GIVEN, &d),
              BELAY_EINVAL);
      CHECK(d == NULL);
      CHECK_FREED();
    }
  CHECK_INT(called, 0);
}

/* ---- sources ---- */

static void run(belay_loop *loop, belay_signal *signal, const char *expected) {
  belay_observer observer = tracing("");
  CHECK(signal != NULL);
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  belay_signal_release(signal);
  CHECK_INT(belay_loop_run(loop, BELAY_RUN_DEFAULT), 0);
  CHECK_TRACE(expected);
}

static void timers_of_odd_lengths(void) {
  belay_loop *loop = belay_loop_create(NULL);
  belay_scheduler *scheduler = belay_loop_get_scheduler(loop);
  GIVES_NOTHING(belay_signal_timer(scheduler, NAN), BELAY_EINVAL);
  const double wrong[] = {0, -0.0, -1, -INFINITY, NAN};
  for (int i = 0; i < 5; i++)
    GIVES_NOTHING(belay_signal_interval(scheduler, wrong[i]), BELAY_EINVAL);
  const double past[] = {0, -1, -1e300, -INFINITY};
  for (int i = 0; i < 4; i++)
    run(loop, belay_signal_timer(scheduler, past[i]), "next 0 | completed | disposed | free");
  const double far[] = {1e300, INFINITY, 9.3e9};
  for (int i = 0; i < 6; i++) { /* so far away that it never comes */
    belay_signal *signal = i < 3 ? belay_signal_timer(scheduler, far[i])
                                 : belay_signal_interval(scheduler, far[i - 3]);
    belay_observer observer = tracing("");
    belay_disposable *d = NULL;
    CHECK(signal != NULL);
    CHECK_INT(belay_signal_subscribe(signal, &observer, &d), 0);
    CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
    CHECK_TRACE("");
    belay_disposable_dispose(d);
    CHECK_TRACE("disposed | free");
    belay_disposable_release(d);
    belay_signal_release(signal);
  }
  close_and_release(loop);
}

static void timers_without_a_clock(void) {
  belay_signal *signals[] = {belay_signal_timer(belay_scheduler_immediate(), 1),
                             belay_signal_interval(belay_scheduler_trampoline(), 1)};
  belay_last_error();
  for (int i = 0; i < 2; i++) { /* refused when it is made or when it is subscribed to */
    belay_observer observer = tracing("");
    if (!signals[i]) continue;
    if (belay_signal_subscribe(signals[i], &observer, NULL) == 0)
      CHECK_TRACE("error EINVAL | disposed | free");
    else
      CHECK_TRACE("free");
    belay_signal_release(signals[i]);
    belay_last_error();
  }
}

static void files_that_cannot_be_read(void) {
  belay_loop *loop = belay_loop_create(NULL);
  static const unsigned wrong[] = {4, 8, 0x80000000u, UINT_MAX};
  for (int i = 0; i < 4; i++)
    GIVES_NOTHING(belay_file_lines(loop, "/dev/null", wrong[i]), BELAY_EINVAL);
  char path[5000];
  memset(path, 'p', sizeof path - 1);
  path[sizeof path - 1] = 0;
  run(loop, belay_file_lines(loop, "", 0), "error ENOENT | disposed | free");
  run(loop, belay_file_lines(loop, "/", 0), "error EISDIR | disposed | free");
  run(loop, belay_file_lines(loop, path, 0), "error ENAMETOOLONG | disposed | free");
  run(loop, belay_file_lines(loop, "/nowhere/at/all", 0), "error ENOENT | disposed | free");
  run(loop, belay_file_lines(loop, "/dev/null", 0), "completed | disposed | free");
  close_and_release(loop);
}

/* A path is bytes. The file is found though they are not UTF-8. */
static void a_path_that_is_not_utf8(void) {
  char path[] = "/tmp/belay-\xff\xfe-XXXXXX";
  int fd = mkstemp(path);
  CHECK(fd >= 0);
  CHECK_INT(write(fd, "one\n", 4), 4);
  close(fd);
  belay_loop *loop = belay_loop_create(NULL);
  run(loop, belay_file_lines(loop, path, 0), "next one | completed | disposed | free");
  close_and_release(loop);
  unlink(path);
}

static void posix_signals_that_are_none(void) {
  static const int none[] = {0, -1, 65, 9999, INT_MAX, INT_MIN};
  belay_loop *loop = belay_loop_create(NULL);
  for (size_t i = 0; i < sizeof none / sizeof *none; i++)
    GIVES_NOTHING(belay_posix_signal(loop, none[i]), BELAY_EINVAL);
  static const int uncatchable[] = {SIGKILL, SIGSTOP};
  for (int i = 0; i < 2; i++) {
    belay_signal *signal = belay_posix_signal(loop, uncatchable[i]);
    belay_last_error();
    if (signal) run(loop, signal, "error EINVAL | disposed | free");
  }
  close_and_release(loop);
}

static const test_case cases[] = {
    CASE(null_loops),
    CASE(null_loops_given_contexts),
    CASE(null_schedulers),
    CASE(null_actions),
    CASE(null_sources),
    CASE(loop_options_that_make_no_sense),
    CASE(run_modes_that_are_none),
    CASE(a_second_loop_on_one_thread),
    CASE(a_run_inside_a_run),
    CASE(closed_loops),
    CASE(functions_of_one_thread_called_on_another),
    CASE(odd_delays),
    CASE(odd_intervals),
    CASE(schedulers_without_a_clock),
    CASE(timers_of_odd_lengths),
    CASE(timers_without_a_clock),
    CASE(files_that_cannot_be_read),
    CASE(a_path_that_is_not_utf8),
    CASE(posix_signals_that_are_none),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
