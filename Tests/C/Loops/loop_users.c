/* A loop that is shared by users who do not know each other. */
#include "host.h"
#include "printed.h"

#include <unistd.h>
#include <uv.h>

static uv_loop_t uv;
static belay_loop *one, *two;

static belay_loop *adopt(const char *label) {
  belay_loop *loop = belay_loop_adopt(
      &uv, &(belay_loop_options){.size = sizeof(belay_loop_options), .label = label});
  CHECK(loop != NULL);
  return loop;
}

static void begin(void) {
  CHECK_INT(uv_loop_init(&uv), 0);
  one = adopt("one");
  two = adopt("two");
  CHECK(one != two);
}

static void finish(void) {
  CHECK_INT(uv_run(&uv, UV_RUN_DEFAULT), 0);
  CHECK_INT(uv_loop_close(&uv), 0);
  CHECK(belay_loop_current() == NULL);
}

static void watch_at(belay_signal *subject, const char *label, belay_loop *loop) {
  belay_observer observer = tracing(label);
  observer.label = label;
  observer.loop = loop;
  CHECK_INT(belay_signal_subscribe(subject, &observer, NULL), 0);
}

static void post(belay_loop *loop, const char *label) {
  CHECK_INT(belay_loop_post(loop, trace_action, (void *)label, trace_free), 0);
}

/* ---- what is whose ---- */

static void a_user_leaves_with_its_own_work_alone(void) {
  begin();
  belay_signal *subject = belay_subject_create(NULL);
  watch_at(subject, "1", one);
  watch_at(subject, "2", two);
  watch_at(subject, "nobody", NULL);
  keep_alive(one, "timer 1");
  keep_alive(two, "timer 2");
  CHECK_INT(belay_scheduler_schedule(belay_loop_get_scheduler(one), trace_action, "soon 1",
                                     trace_free, NULL),
            0);
  post(two, "post 2");
  post(one, "post 1");
  post(two, "more 2");
  CHECK_INT(belay_loop_close(one, trace_left, "closed", trace_free), 0);
  CHECK_TRACE(
      "free soon 1 | free post 1 | 1 disposed | 1 free | free timer 1 | closed | "
      "subscription 1 | timer - | free closed");
  CHECK(belay_loop_current() == two);
  CHECK_INT(uv_run(&uv, UV_RUN_NOWAIT), 1);
  CHECK_TRACE("action post 2 | free post 2 | action more 2 | free more 2");
  CHECK_INT(belay_subject_next(subject, belay_int32(1)), 0);
  CHECK_TRACE("2 next 1 | nobody next 1");
  CHECK_INT(belay_loop_close(two, trace_left, NULL, NULL), 0);
  CHECK_TRACE(
      "2 disposed | 2 free | nobody disposed | nobody free | free timer 2 | closed | "
      "subscription 2 | subscription nobody | timer -");
  belay_loop_release(one);
  belay_loop_release(two);
  belay_signal_release(subject);
  finish();
}

static void what_a_user_has_left_takes_nothing(void) {
  begin();
  belay_scheduler *scheduler = belay_scheduler_retain(belay_loop_get_scheduler(one));
  belay_signal *subject = belay_subject_create(NULL);
  close_loop(belay_loop_retain(one));
  CHECK_FAILS(belay_scheduler_schedule(scheduler, empty_action, "work", trace_free, NULL),
              BELAY_ECANCELED);
  CHECK_FAILS(belay_scheduler_after(scheduler, 1, empty_action, "time", trace_free, NULL),
              BELAY_ECANCELED);
  CHECK_FAILS(belay_loop_post(one, empty_action, "post", trace_free), BELAY_ECANCELED);
  CHECK_TRACE("free work | free time | free post");
  belay_observer observer = tracing("");
  observer.loop = one;
  CHECK_FAILS(belay_signal_subscribe(subject, &observer, NULL), BELAY_ECLOSED);
  CHECK_TRACE("free");
  CHECK_FAILS(belay_loop_close(one, NULL, NULL, NULL), BELAY_ECLOSED);
  CHECK_FAILS(belay_loop_bind(one), BELAY_ECLOSED);
  CHECK_FAILS(belay_loop_run(one, BELAY_RUN_NOWAIT), BELAY_ECLOSED);
  belay_scheduler_release(scheduler);
  belay_loop_release(one);
  belay_signal_release(subject);
  close_loop(two);
  finish();
}

static void an_ended_subscription_is_nobodys(void) {
  begin();
  belay_signal *subject = belay_subject_create(NULL);
  for (int i = 0; i < 100; i++) {
    belay_observer observer = {.size = sizeof observer, .loop = one};
    belay_disposable *subscription = NULL;
    CHECK_INT(belay_signal_subscribe(subject, &observer, &subscription), 0);
    end_subscription(subscription);
  }
  close_loop(one);
  belay_signal_release(subject);
  close_loop(two);
  finish();
}

static void hook(void *ctx, const belay_error *error, const char *signal, const char *site) {
  trace("%s %s", (const char *)ctx, belay_error_name(belay_error_code(error)));
}

static void fail(void) {
  belay_signal *failing = failing_with(BELAY_ERANGE, NULL);
  CHECK_INT(
      belay_signal_subscribe(failing, &(belay_observer){.size = sizeof(belay_observer)}, NULL), 0);
  belay_signal_release(failing);
}

static void the_hook_of_a_user_goes_with_it(void) {
  begin();
  CHECK_INT(belay_on_unhandled_error(hook, "process", NULL), 0);
  CHECK_INT(belay_loop_on_unhandled_error(two, hook, "two", trace_free), 0);
  CHECK_INT(belay_loop_on_unhandled_error(one, hook, "one", trace_free), 0);
  CHECK_TRACE("free two");
  fail();
  CHECK_TRACE("one ERANGE");
  close_loop(one);
  CHECK_TRACE("free one");
  fail();
  CHECK_TRACE("process ERANGE");
  belay_on_unhandled_error(NULL, NULL, NULL);
  close_loop(two);
  finish();
}

static uv_sem_t entered, released;
static void enter(void *ctx) { uv_sem_post(&entered); }

/* The loop keeps the timers of its users' pools. */
static void the_pool_of_a_user_goes_with_it(void) {
  begin();
  belay_scheduler *pool = belay_scheduler_create_pool(one),
                  *other = belay_scheduler_create_pool(two);
  CHECK_INT(belay_scheduler_after(pool, 1000, empty_action, "pool 1", trace_free, NULL), 0);
  CHECK_INT(belay_scheduler_after(other, 1000, empty_action, "pool 2", trace_free, NULL), 0);
  CHECK_INT(belay_loop_close(one, trace_left, NULL, NULL), 0);
  CHECK_TRACE("free pool 1 | closed | timer -");
  CHECK_FAILS(belay_scheduler_schedule(pool, empty_action, NULL, NULL, NULL), BELAY_ECANCELED);
  uv_sem_init(&entered, 0);
  CHECK_INT(belay_scheduler_schedule(other, enter, NULL, NULL, NULL), 0);
  CHECK_INT(uv_run(&uv, UV_RUN_ONCE), 1);
  uv_sem_wait(&entered);
  CHECK_INT(belay_loop_close(two, trace_left, NULL, NULL), 0);
  belay_loop_release(one);
  belay_loop_release(two);
  belay_scheduler_release(pool);
  belay_scheduler_release(other);
  finish();
  /* Once, at the close or when the pool's thread has left the work. */
  CHECK_TRACE("free pool 2 | closed | timer -");
  uv_sem_destroy(&entered);
}

static void work_long(void *ctx) {
  uv_sem_post(&entered);
  uv_sem_wait(&released);
}

static void closed_waits_for_the_pool(void) {
  begin();
  uv_sem_init(&entered, 0);
  uv_sem_init(&released, 0);
  belay_scheduler *pool = belay_scheduler_create_pool(one);
  CHECK_INT(belay_scheduler_schedule(pool, work_long, "work", trace_free, NULL), 0);
  uv_sem_wait(&entered);
  CHECK_INT(belay_loop_close(one, trace_left, NULL, NULL), 0);
  CHECK_TRACE("");
  belay_loop_release(one);
  uv_sem_post(&released);
  CHECK_INT(uv_run(&uv, UV_RUN_DEFAULT), 0);
  CHECK_TRACE("free work | closed | work -");
  belay_scheduler_release(pool);
  close_loop(two);
  finish();
  uv_sem_destroy(&entered);
  uv_sem_destroy(&released);
}

/* ---- coming and going ---- */

static void create_finds_the_loop_of_the_thread(void) {
  belay_loop *host = open_loop();
  belay_loop *other = belay_loop_create(NULL);
  CHECK(other != NULL && other != host);
  CHECK(belay_loop_uv(other) == belay_loop_uv(host));
  belay_loop *adopted = belay_loop_adopt(belay_loop_uv(host), NULL);
  CHECK(belay_loop_uv(adopted) == belay_loop_uv(host));
  CHECK(belay_loop_current() == host);
  close_loop(host);
  close_loop(adopted);
  CHECK(belay_loop_current() == other);
  /* The users that are left may run it. */
  post(other, "run");
  run_to_end(other);
  CHECK_TRACE("action run | free run");
  close_loop(other);
  CHECK(belay_loop_current() == NULL);
}

static void adopt_on_its_thread(void *ctx) {
  belay_loop *there = adopt("there");
  CHECK(belay_loop_current() == one);
  post(one, "first");
  belay_scheduler *scheduler = belay_loop_get_scheduler(there);
  CHECK_INT(belay_scheduler_schedule(scheduler, trace_action, "second", NULL, NULL), 0);
  /* Work alone does not keep the loop alive. */
  CHECK_INT(belay_scheduler_after(scheduler, 0, empty_action, NULL, NULL, NULL), 0);
  CHECK_INT(uv_run(&uv, UV_RUN_DEFAULT), 0);
  CHECK_TRACE("action first | free first | action second");
  close_loop(there);
}

/* Another thread may adopt it, because the host has moved its loop there. */
static void adopt_finds_the_loop_by_its_uv_loop(void) {
  begin();
  in_thread(adopt_on_its_thread, NULL);
  CHECK(belay_loop_current() == NULL);
  CHECK_INT(belay_loop_bind(one), 0);
  close_loop(one);
  close_loop(two);
  finish();
}

static void a_persistent_user_keeps_it_alive(void) {
  belay_loop_options options = {.size = sizeof options, .persistent = 1};
  belay_loop *host = open_loop();
  CHECK_INT(belay_loop_alive(host), 0);
  belay_loop *first = belay_loop_create(&options), *second = belay_loop_create(&options);
  CHECK_INT(belay_loop_alive(host), 1);
  close_loop(first);
  CHECK_INT(belay_loop_alive(host), 1);
  CHECK_INT(belay_loop_run(host, BELAY_RUN_NOWAIT), 1);
  close_loop(second);
  CHECK_INT(belay_loop_alive(host), 0);
  run_to_end(host);
  close_loop(host);
}

static void leave_now(void *ctx) {
  CHECK_INT(belay_loop_close(one, trace_left, NULL, NULL), 0);
  trace("left");
}

static void leaving_inside_a_callback(void) {
  begin();
  CHECK_INT(belay_scheduler_after(belay_loop_get_scheduler(one), 0, leave_now, "leaver", trace_free,
                                  NULL),
            0);
  keep_alive(one, "timer");
  belay_disposable *guard = NULL; /* without something to wait for the run would be over at once */
  CHECK_INT(
      belay_scheduler_after(belay_loop_get_scheduler(two), 1000, empty_action, NULL, NULL, &guard),
      0);
  /* A turn that may wait would wait for the guard if the action was due at its beginning. */
  while (!strstr(trace_text(), "closed")) CHECK_INT(uv_run(&uv, UV_RUN_NOWAIT), 1);
  /* The context of the running action is freed before its user is told of the close. */
  CHECK_TRACE("free timer | left | free leaver | closed | timer -");
  end_subscription(guard);
  belay_loop_release(one);
  close_loop(two);
  finish();
}

static void leave_last_now(void *ctx) {
  close_loop(two);
  leave_now(NULL);
}

static void the_last_leaves_inside_a_callback(void) {
  begin();
  CHECK_INT(belay_scheduler_after(belay_loop_get_scheduler(one), 0, leave_last_now, "leaver",
                                  trace_free, NULL),
            0);
  CHECK_INT(uv_run(&uv, UV_RUN_DEFAULT), 0);
  CHECK_TRACE("left | free leaver | closed");
  belay_loop_release(one);
  finish();
}

static void the_last_reference_of_one_goes_elsewhere(void) {
  begin();
  keep_alive(one, "timer 1");
  keep_alive(two, "timer 2");
  belay_loop *kept = belay_loop_retain(one);
  belay_loop_release(one);
  in_thread(release_loop, kept);
  CHECK_TRACE("");
  CHECK_INT(uv_run(&uv, UV_RUN_NOWAIT), 1);
  CHECK_TRACE("free timer 1");
  in_thread(release_loop, two);
  CHECK_INT(uv_run(&uv, UV_RUN_DEFAULT), 0);
  CHECK_TRACE("free timer 2");
  finish();
}

/* Two threads let go of the users of a loop that belongs to no thread. */
static belay_loop *orphans[2];
static void make_orphans(void *ctx) {
  for (int i = 0; i < 2; i++) {
    orphans[i] =
        belay_loop_create(&(belay_loop_options){.size = sizeof(belay_loop_options), .quiet = 1});
    keep_alive(orphans[i], "orphan");
  }
}

static void a_loop_without_a_thread_is_left_by_two_threads(void) {
  for (int i = 0; i < 200; i++) {
    routine first, second;
    in_thread(make_orphans, NULL);
    start_thread(&first, release_loop, orphans[0]);
    start_thread(&second, release_loop, orphans[1]);
    join_thread(&first);
    join_thread(&second);
    CHECK_TRACE("free orphan | free orphan");
  }
}

/* A host ends its loop by closing every handle it finds, ours too, before the users have left. */
static void the_host_closes_every_handle_under_them(void) {
  for (int runs = 0; runs < 2; runs++) {
    begin();
    keep_alive(one, "timer 1");
    keep_alive(two, "timer 2");
    uv_walk(&uv, close_handle, NULL);
    if (runs) CHECK_INT(uv_run(&uv, UV_RUN_DEFAULT), 0);
    CHECK(belay_loop_adopt(&uv, NULL) == NULL);
    CHECK_INT(belay_error_code(belay_last_error()), BELAY_EBOUND);
    CHECK(belay_loop_create(NULL) == NULL);
    CHECK_INT(belay_error_code(belay_last_error()), BELAY_EBOUND);
    CHECK_INT(belay_loop_close(one, trace_left, NULL, NULL), 0);
    CHECK_INT(belay_loop_close(two, trace_left, NULL, NULL), 0);
    CHECK_TRACE("free timer 1 | closed | timer - | free timer 2 | closed | timer -");
    belay_loop_release(one);
    belay_loop_release(two);
    finish();
  }
}

/* ---- what is printed ---- */

static int is_quiet;
static void leave_a_timer(void *ctx) {
  belay_loop *loop = belay_loop_create(&(belay_loop_options){
      .size = sizeof(belay_loop_options), .label = "talker", .quiet = is_quiet});
  keep_alive(loop, "timer");
  CHECK_INT(belay_loop_close(loop, NULL, NULL, NULL), 0);
  belay_loop_release(loop);
  CHECK_TRACE("free timer");
}

static void a_quiet_user_says_nothing(void) {
  char text[256];
  belay_loop *host = open_loop();
  for (int shared = 1; shared >= 0; shared--) {
    is_quiet = 0;
    printed_while(leave_a_timer, NULL, text, sizeof text);
    CHECK_STRING(text, "belay: closing talker: still alive: timer\n");
    is_quiet = 1;
    printed_while(leave_a_timer, NULL, text, sizeof text);
    CHECK_STRING(text, "");
    if (shared) close_loop(host);
  }
}

/* ---- the version of libuv ---- */

static int with_version(unsigned version) {
  belay_loop *loop = belay_loop_create(
      &(belay_loop_options){.size = sizeof(belay_loop_options), .uv_version = version});
  if (loop) {
    close_loop(loop);
    return 0;
  }
  const belay_error *error = belay_last_error();
  CHECK(strstr(belay_error_message(error), "Belay runs with libuv ") != NULL);
  return belay_error_code(error);
}

static void another_libuv_is_refused(void) {
  unsigned running = uv_version();
  CHECK_INT(with_version(UV_VERSION_HEX), 0);
  CHECK_INT(with_version(running), 0);
  /* The host was compiled for an older minor version, or for another patch of this one. */
  CHECK_INT(with_version(running & 0xff0000), UV_VERSION_MAJOR ? 0 : BELAY_ENOTSUP);
  CHECK_INT(with_version(running | 0xff), 0);
  CHECK_INT(with_version(running + 0x100), BELAY_ENOTSUP);
  CHECK_INT(with_version(running + 0x10000), BELAY_ENOTSUP);
  CHECK_INT(with_version(1), BELAY_ENOTSUP);
  CHECK_INT(with_version(~0u), BELAY_ENOTSUP);
  CHECK_INT(uv_loop_init(&uv), 0);
  belay_loop_options options = {.size = sizeof options, .uv_version = running + 0x10000};
  CHECK(belay_loop_adopt(&uv, &options) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_ENOTSUP);
  finish();
}

static const test_case cases[] = {
    CASE(a_user_leaves_with_its_own_work_alone),
    CASE(what_a_user_has_left_takes_nothing),
    CASE(an_ended_subscription_is_nobodys),
    CASE(the_hook_of_a_user_goes_with_it),
    CASE(the_pool_of_a_user_goes_with_it),
    CASE(closed_waits_for_the_pool),
    CASE(create_finds_the_loop_of_the_thread),
    CASE(adopt_finds_the_loop_by_its_uv_loop),
    CASE(a_persistent_user_keeps_it_alive),
    CASE(leaving_inside_a_callback),
    CASE(the_last_leaves_inside_a_callback),
    CASE(the_last_reference_of_one_goes_elsewhere),
    CASE(a_loop_without_a_thread_is_left_by_two_threads),
    CASE(the_host_closes_every_handle_under_them),
    CASE(a_quiet_user_says_nothing),
    CASE(another_libuv_is_refused),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
