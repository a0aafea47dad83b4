/* What is asked of a user who has left a loop, where others stay: by its pools, its recursions and
   its timers, by threads that come late, and by work that is running. */
#include "worker.h"

#include <uv.h>

static void nothing(void *ctx) {}

static uv_loop_t *uv;
static belay_loop *one, *two;
static belay_scheduler *pool;

static void begin(void) {
  one = open_loop();
  two = belay_loop_create(NULL);
  CHECK(two != NULL);
  pool = belay_scheduler_create_pool(one);
  uv = belay_loop_uv(one);
}

static void ignore(void *ctx, const belay_open_resource *const *left, size_t count) {}
static void leave(belay_loop *loop) { CHECK_INT(belay_loop_close(loop, ignore, NULL, NULL), 0); }

static void finish(void) {
  belay_scheduler_release(pool);
  belay_loop_release(one);
  close_loop(two);
  CHECK(belay_loop_current() == NULL);
}

/* ---- its pool, which was never in use ---- */

static belay_signal *subject;
static belay_disposable *subscription;
static sem_t subscribed;

static void subscribe_there(void *ctx) {
  belay_observer observer = tracing("there");
  belay_signal *signal =
      belay_signal_chain(belay_signal_retain(subject), belay_op_observe_on(pool, NULL));
  CHECK_INT(belay_signal_subscribe(signal, &observer, &subscription), 0);
  belay_signal_release(signal);
  CHECK(belay_subject_next(subject, belay_int32(1)) >= 0);
  sem_post(&subscribed);
  CHECK_INT(belay_disposable_dispose_sync(subscription, -1), 0);
  CHECK_INT(belay_loop_post(two, stop_loop, two, NULL), 0);
}

static void a_pool_that_was_idle_ends_what_others_bring(void) {
  belay_source_options options = {.size = sizeof options, .shared = 1};
  routine other;
  begin();
  sem_init(&subscribed, 0, 0);
  subject = belay_subject_create(&options);
  leave(one);
  start_thread(&other, subscribe_there, NULL);
  wait_for(&subscribed);
  run_until_stopped(two);
  join_thread(&other);
  CHECK_TRACE("there disposed | there free");
  belay_disposable_release(subscription);
  belay_signal_release(subject);
  sem_destroy(&subscribed);
  finish();
}

/* ---- work with a time ---- */

static void schedule_late(void *code) {
  *(int *)code = belay_scheduler_after(pool, 1000, nothing, "elsewhere", trace_free, NULL);
  belay_last_error();
}

static void work_with_a_time_is_refused(void) {
  belay_disposable *disposable = NULL;
  int code = 0;
  begin();
  leave(one);
  CHECK_FAILS(belay_scheduler_after(pool, 1000, nothing, "after", trace_free, &disposable),
              BELAY_ECANCELED);
  CHECK(disposable == NULL);
  CHECK_FAILS(belay_scheduler_every(pool, 1, 1, 0, nothing, "every", trace_free, NULL),
              BELAY_ECANCELED);
  CHECK_TRACE("free after | free every");
  in_thread(schedule_late, &code);
  CHECK_INT(code, BELAY_ECANCELED);
  CHECK_TRACE("free elsewhere");
  CHECK_INT(belay_loop_run(two, BELAY_RUN_NOWAIT), 0);
  finish();
}

/* Posted before it left, and so taken. */
static void work_on_its_way_goes_with_its_user(void) {
  int code = -1;
  uint64_t lost = belay_lost_count();
  begin();
  in_thread(schedule_late, &code);
  CHECK_INT(code, 0);
  leave(one);
  CHECK_TRACE("free elsewhere");
  CHECK(belay_lost_count() == lost + 1);
  run_to_end(two);
  finish();
}

static void it_is_due(void *ctx) { trace("timer runs"); }
static int has_come;
static void comes(uv_timer_t *timer) { has_come = 1; }
/* Until a timer of the host's has come, which is due after ours. */
static void run_turns(void *ctx) {
  uv_timer_t *timer = malloc(sizeof *timer);
  trace("disposed");
  CHECK_INT(uv_timer_init(uv, timer), 0);
  uv_update_time(uv);
  CHECK_INT(uv_timer_start(timer, comes, 10, 0), 0);
  for (has_come = 0; !has_come;) uv_run(uv, UV_RUN_NOWAIT);
  uv_close((uv_handle_t *)timer, (uv_close_cb)free);
}

/* The subscription of the user ends before its timers, and runs turns in which these are due. */
static void a_timer_that_is_due_while_its_user_leaves_does_not_begin(void) {
  for (int of_pool = 0; of_pool < 2; of_pool++) {
    begin();
    belay_signal *never = belay_signal_never();
    belay_scheduler *scheduler = of_pool ? pool : belay_loop_get_scheduler(one);
    belay_observer observer = {.size = sizeof observer, .disposed = run_turns, .loop = one};
    CHECK_INT(belay_signal_subscribe(never, &observer, NULL), 0);
    belay_signal_release(never);
    CHECK_INT(belay_scheduler_after(scheduler, 0.001, it_is_due, "timer", trace_free, NULL), 0);
    CHECK_INT(belay_scheduler_every(scheduler, 0.001, 0.001, 0, it_is_due, "periodic", trace_free,
                                    NULL),
              0);
    leave(one);
    CHECK_TRACE("disposed | free timer | free periodic");
    finish();
  }
}

/* The same for nobody's, when the loop closes. */
static void nor_one_of_nobodys_while_the_loop_closes(void) {
  begin();
  leave(one);
  belay_signal *never = belay_signal_never();
  belay_observer observer = {.size = sizeof observer, .disposed = run_turns};
  CHECK_INT(belay_signal_subscribe(never, &observer, NULL), 0);
  belay_signal_release(never);
  belay_signal *timer = belay_signal_timer(belay_scheduler_current(), 0.001);
  watch(timer, "timer");
  belay_scheduler *nobodys = belay_scheduler_retain(belay_scheduler_current());
  CHECK_INT(belay_scheduler_after(nobodys, 0.001, it_is_due, "nobodys", trace_free, NULL), 0);
  leave(two);
  CHECK(strstr(trace_text(), "timer runs") == NULL);
  CHECK(strstr(trace_text(), "timer next") == NULL);
  CHECK(strstr(trace_text(), "free nobodys") != NULL);
  trace_clear();
  CHECK_FAILS(belay_scheduler_schedule(nobodys, nothing, "late", trace_free, NULL),
              BELAY_ECANCELED);
  CHECK_TRACE("free late");
  belay_scheduler_release(nobodys);
  belay_scheduler_release(pool);
  belay_loop_release(one);
  belay_loop_release(two);
}

/* ---- recursions ---- */

static belay_recursion *recursion;
static void keep_recursion(void *ctx, belay_recursion *it) {
  trace("runs");
  recursion = belay_recursion_retain(it);
}
static void again_elsewhere(void *code) {
  *(int *)code = belay_recursion_again(recursion);
  belay_last_error();
}

static void a_recursion_is_refused(void) {
  for (int elsewhere = 0; elsewhere < 2; elsewhere++)
    for (int of_pool = 0; of_pool < 2; of_pool++) {
      int code = 0;
      begin();
      CHECK_INT(belay_scheduler_recursive(of_pool ? pool : belay_loop_get_scheduler(one),
                                          keep_recursion, "it", trace_free, NULL),
                0);
      run_to_end(two);
      CHECK_TRACE("runs");
      leave(one);
      if (elsewhere) in_thread(again_elsewhere, &code);
      else again_elsewhere(&code);
      CHECK_INT(code, BELAY_ECANCELED);
      CHECK_TRACE("free it");
      belay_recursion_release(recursion);
      finish();
    }
}

/* ---- a pointer of a user ---- */

static void a_pointer_is_refused(void) {
  begin();
  leave(one);
  belay_value value = belay_pointer_at(one, NULL, "pointer", trace_free);
  CHECK_INT(belay_value_kind(value), BELAY_KIND_FAILURE);
  belay_last_error();
  belay_value_release(value);
  CHECK_TRACE("free pointer");
  finish();
}

/* ---- a thread that ends while another user stays ---- */

static void let_go(void *loop) { belay_loop_release(loop); }
static sem_t made, left;

static void every(belay_loop *loop, const char *name) {
  CHECK_INT(belay_scheduler_every(belay_loop_get_scheduler(loop), 1000, 1000, 0, nothing,
                                  (void *)name, trace_free, NULL),
            0);
}
static void make_two(void *ctx) {
  belay_loop_options options = {.size = sizeof options, .quiet = 1};
  one = belay_loop_create(&options);
  two = belay_loop_create(&options);
  every(one, "one");
  every(two, "two");
  sem_post(&made);
  wait_for(&left);
}

static void whoever_stays_can_leave_when_the_thread_has_ended(void) {
  routine other;
  sem_init(&made, 0, 0);
  sem_init(&left, 0, 0);
  start_thread(&other, make_two, NULL);
  wait_for(&made);
  belay_loop_release(one);
  CHECK_TRACE("");
  sem_post(&left);
  join_thread(&other);
  CHECK_TRACE("free one");
  belay_loop_release(two);
  CHECK_TRACE("free two");
  CHECK_INT(belay_live_count(BELAY_LIVE_LOOPS), 0);
  sem_destroy(&made);
  sem_destroy(&left);
}

/* A user is taken from a loop that nobody has by one thread, while another binds it. */
static void bind_and_close(void *ctx) {
  int code;
  while ((code = belay_loop_bind(two)) == BELAY_EBUSY) belay_last_error();
  CHECK_INT(code, 0);
  CHECK(belay_loop_run(two, BELAY_RUN_NOWAIT) >= 0);
  leave(two);
  belay_loop_release(two);
}

static void it_is_bound_while_another_thread_lets_a_user_go(void) {
  for (int i = 0; i < 300; i++) {
    routine first, second;
    sem_init(&made, 0, 0);
    sem_init(&left, 0, 1);
    in_thread(make_two, NULL);
    start_thread(&first, let_go, one);
    start_thread(&second, bind_and_close, NULL);
    join_thread(&first);
    join_thread(&second);
    CHECK(strstr(trace_text(), "free one") != NULL && strstr(trace_text(), "free two") != NULL);
    trace_clear();
    CHECK_INT(belay_live_count(BELAY_LIVE_LOOPS), 0);
    sem_destroy(&made);
    sem_destroy(&left);
  }
}

/* ---- the handle of another user, which goes elsewhere ---- */

static void look_while_a_handle_goes_elsewhere(void) {
  for (int i = 0; i < 300; i++) {
    routine other;
    one = open_loop();
    two = belay_loop_create(NULL);
    start_thread(&other, let_go, one);
    for (int k = 0; k < 20; k++) CHECK(belay_loop_current() != NULL);
    join_thread(&other);
    CHECK(belay_loop_current() == two);
    run_to_end(two);
    close_loop(two);
  }
}

/* ---- users whose handles go elsewhere ---- */

static void the_last_handle_takes_them_along(void) {
  begin();
  CHECK_INT(belay_scheduler_after(belay_loop_get_scheduler(two), 1000, nothing, "its own", trace_free, NULL), 0);
  in_thread(release_loop, two);
  CHECK_TRACE("");
  belay_scheduler_release(pool);
  leave(one);
  CHECK_TRACE("free its own");
  belay_loop_release(one);
}

static belay_loop *made_inside;
static void make_inside(void *ctx) { made_inside = belay_loop_create(NULL); }
static void a_loop_that_is_made_in_their_ends_is_the_threads(void) {
  belay_signal *source = belay_subject_create(NULL);
  belay_loop *loop = open_loop();
  CHECK_INT(belay_signal_subscribe(source, &BELAY_INIT(belay_observer, .disposed = make_inside), NULL), 0);
  in_thread(release_loop, loop);
  loop = belay_loop_create(NULL);
  CHECK(made_inside && loop && belay_loop_uv(loop) == belay_loop_uv(made_inside));
  belay_signal_release(source);
  leave(made_inside);
  belay_loop_release(made_inside);
  close_loop(loop);
}

static const test_case cases[] = {
    CASE(a_pool_that_was_idle_ends_what_others_bring),
    CASE(work_with_a_time_is_refused),
    CASE(work_on_its_way_goes_with_its_user),
    CASE(a_timer_that_is_due_while_its_user_leaves_does_not_begin),
    CASE(nor_one_of_nobodys_while_the_loop_closes),
    CASE(a_recursion_is_refused),
    CASE(a_pointer_is_refused),
    CASE(whoever_stays_can_leave_when_the_thread_has_ended),
    CASE(it_is_bound_while_another_thread_lets_a_user_go),
    CASE(look_while_a_handle_goes_elsewhere),
    CASE(the_last_handle_takes_them_along),
    CASE(a_loop_that_is_made_in_their_ends_is_the_threads),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
