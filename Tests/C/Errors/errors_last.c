/* The thread's last error: which failure it is, who takes it, and what callbacks see of it. */
#include <math.h>
#include <pthread.h>

#include "cases.h"

/* One more failure to record, of another code than fail_range(). */
static int fail_kind(void) { return belay_value_get_bool(belay_int32(1), NULL); }

static void on_action(void *ctx);
static void on_next(void *ctx, belay_value value);

static void the_last_failure_is_kept_until_taken(void) {
  CHECK(!belay_last_error());
  CHECK_INT(fail_range(), BELAY_ERANGE);
  CHECK_INT(fail_kind(), BELAY_EKIND);
  const belay_error *error = belay_last_error();
  CHECK_INT(belay_error_code(error), BELAY_EKIND);
  CHECK(*belay_error_message(error));
  CHECK_STRING(belay_error_domain(error), "belay");
  fail_range(); /* recorded anew; what was taken is still valid */
  CHECK_INT(belay_error_code(error), BELAY_EKIND);
  CHECK_INT(last_code(), BELAY_ERANGE);
  CHECK(!belay_last_error());
}

static void success_leaves_the_failure(void) {
  fail_kind();
  CHECK_INT(belay_value_get_bool(belay_bool(1), NULL), 0);
  belay_disposable_release(belay_boolean_create());
  CHECK_INT(last_code(), BELAY_EKIND);
}

static void a_null_passed_on_records_nothing(void) {
  fail_kind();
  belay_signal *chain = belay_signal_chain(NULL, belay_op_take(1), belay_op_take_until(NULL));
  CHECK(chain == NULL);
  CHECK_INT(belay_signal_subscribe(chain, &(belay_observer){.size = sizeof(belay_observer)}, NULL),
            BELAY_EINVAL);
  belay_signal_release(chain);
  CHECK_INT(last_code(), BELAY_EKIND);
  CHECK(!belay_last_error());
}

static void a_null_that_nobody_has_made_is_recorded(void) {
  CHECK_INT(belay_subject_next(NULL, belay_null()), BELAY_EINVAL);
  CHECK_INT(last_code(), BELAY_EINVAL);
  CHECK_INT(belay_owner_add(NULL, NULL), BELAY_EINVAL);
  CHECK_INT(last_code(), BELAY_EINVAL);
  CHECK(belay_signal_merge((belay_signal *[]){NULL}, 1) == NULL);
  CHECK_INT(last_code(), BELAY_EINVAL);
}

/* Calls of every kind are passed a NULL that an earlier call returned. */
static void what_is_passed_a_null_records_nothing(void) {
  belay_signal *never = belay_signal_never();
  belay_owner *owner = belay_owner_create(NULL, NULL, NULL, NULL);
  belay_observer observer = BELAY_INIT(belay_observer);
  belay_value value;
  int32_t number;
  fail_kind();
  CHECK(belay_op_take_until(NULL) == NULL);
  CHECK(belay_op_merge((belay_signal *[]){belay_signal_retain(never), NULL}, 2) == NULL);
  CHECK(belay_signal_zip((belay_signal *[]){NULL}, 1, NULL, NULL, NULL) == NULL);
  CHECK(belay_signal_chain(belay_signal_retain(never), belay_op_take(1), NULL) == NULL);
  CHECK(belay_signal_if_then_else(NULL, belay_signal_retain(never), NULL) == NULL);
  CHECK_INT(belay_signal_subscribe(NULL, &observer, NULL), BELAY_EINVAL);
  CHECK_INT(belay_signal_bind(never, NULL, NULL), BELAY_EINVAL);
  CHECK_INT(belay_signal_bind_variable(NULL, BELAY_KIND_INT32, &number, NULL, NULL), BELAY_EINVAL);
  CHECK_INT(belay_subject_next(NULL, belay_string("given away")), BELAY_EINVAL);
  CHECK_INT(belay_subject_next(NULL, belay_int32(1)), BELAY_EINVAL);
  CHECK_INT(belay_subject_completed(NULL), BELAY_EINVAL);
  CHECK_INT(belay_subscriber_next(NULL, belay_int32(1)), BELAY_EINVAL);
  CHECK_INT(belay_owner_add(owner, NULL), BELAY_EINVAL);
  CHECK_INT(belay_owner_add(NULL, NULL), BELAY_EINVAL);
  CHECK_INT(belay_owner_add_action(NULL, NULL, NULL, NULL), BELAY_EINVAL);
  CHECK_INT(belay_compound_add(NULL, NULL, NULL), BELAY_EINVAL);
  CHECK_INT(belay_property_get(NULL, &value), BELAY_EINVAL);
  CHECK_INT(belay_scheduler_schedule(NULL, on_action, NULL, NULL, NULL), BELAY_EINVAL);
  CHECK_INT(belay_loop_run(NULL, BELAY_RUN_NOWAIT), BELAY_EINVAL);
  CHECK_INT(belay_loop_post(NULL, on_action, NULL, NULL), BELAY_EINVAL);
  CHECK_INT(belay_object_set(NULL, "age", belay_int32(1)), BELAY_EINVAL);
  CHECK(belay_object_observe(NULL, "age", NULL) == NULL);
  /* Beside the NULL another argument may be wrong. */
  CHECK_INT(belay_subject_next_wait(NULL, belay_string("given away"), NAN), BELAY_EINVAL);
  CHECK_INT(belay_subscriber_next_wait(NULL, belay_int32(1), NAN), BELAY_EINVAL);
  CHECK(belay_object_observe(NULL, "age", &(belay_observe_options){.size = 1}) == NULL);
  CHECK_INT(last_code(), BELAY_EKIND);
  CHECK(!belay_last_error());
  belay_owner_release(owner);
  belay_signal_release(never);
}

/* A wrong argument beside a handle is this call's own failure. */
static void each_failure_has_its_own_message(void) {
  belay_signal *never = belay_signal_never();
  belay_observer observer = BELAY_INIT(belay_observer);
  belay_fail(BELAY_ENOENT, "taken");
  CHECK_INT(last_code(), BELAY_ENOENT);
  fail_kind();
  CHECK(belay_op_map(NULL, NULL, NULL) == NULL);
  CHECK_INT(last_code(), BELAY_EINVAL);
  fail_kind();
  observer.size = 1;
  CHECK_INT(belay_signal_subscribe(never, &observer, NULL), BELAY_EINVAL);
  CHECK_INT(last_code(), BELAY_EINVAL);
  fail_kind();
  CHECK_INT(belay_subject_next(never, belay_null()), BELAY_EKIND);
  observer = BELAY_INIT(belay_observer, .next = on_next, .next_batch = ignore_values);
  CHECK_INT(belay_signal_subscribe(never, &observer, NULL), BELAY_EINVAL);
  CHECK_STRING(belay_error_message(belay_last_error()), "either next or next_batch");
  CHECK(belay_op_buffer(0) == NULL);
  CHECK_INT(belay_signal_subscribe(never, &observer, NULL), BELAY_EINVAL);
  CHECK(belay_op_buffer(0) == NULL);
  CHECK_STRING(belay_error_message(belay_last_error()), belay_error_text(BELAY_EINVAL));
  belay_signal_release(never);
}

static void a_chain_is_checked_once_at_its_end(void) {
  belay_signal *chain =
      belay_signal_chain(belay_signal_just(belay_null()), belay_op_take(3), belay_op_buffer(0),
                         belay_op_map(NULL, "map", trace_free), belay_op_take(1));
  CHECK(chain == NULL);
  CHECK_TRACE("free map");
  const belay_error *error = belay_last_error();
  CHECK_INT(belay_error_code(error), BELAY_EINVAL);
  CHECK(strlen(belay_error_message(error)) > 3);
}

static void *on_another_thread(void *unused) {
  CHECK(!belay_last_error());
  fail_range();
  CHECK_INT(last_code(), BELAY_ERANGE);
  fail_range(); /* left behind: it is released when the thread ends */
  return unused;
}
static void each_thread_has_its_own(void) {
  pthread_t thread;
  fail_kind();
  pthread_create(&thread, NULL, on_another_thread, NULL);
  pthread_join(thread, NULL);
  CHECK_INT(last_code(), BELAY_EKIND);
  CHECK(!belay_last_error());
}

/* Each callback begins without an error, fails once, and leaves that error behind. */
static int calls;
static void expect_none(void) {
  CHECK(!belay_last_error());
  fail_range();
  calls++;
}
static void on_action(void *ctx) {
  (void)ctx;
  expect_none();
}
static void on_next(void *ctx, belay_value value) {
  (void)ctx;
  (void)value;
  expect_none();
}
static void on_error(void *ctx, const belay_error *error) {
  (void)ctx;
  (void)error;
  expect_none();
}
static belay_value on_map(void *ctx, belay_value value) {
  on_next(ctx, value);
  return value;
}
static int on_filter(void *ctx, belay_value value) {
  on_next(ctx, value);
  return 1;
}
static int on_equal(void *ctx, belay_value a, belay_value b) {
  (void)b;
  on_next(ctx, a);
  return 0;
}
static belay_value on_scan(void *ctx, belay_value accumulated, belay_value value) {
  (void)accumulated;
  return on_map(ctx, value);
}
static belay_disposable *on_subscribe(void *ctx, belay_subscriber *subscriber) {
  expect_none();
  belay_subscriber_next(subscriber, belay_int32(1));
  belay_subscriber_next(subscriber, belay_int32(2));
  belay_subscriber_completed(subscriber);
  return belay_disposable_create(on_action, ctx, on_action);
}

/* `count` callbacks ran inside `statement`. Each began without an error, and the caller's error is
   unchanged. */
#define ISOLATED(statement, count)              \
  do {                                          \
    calls = 0;                                  \
    fail_kind();                                \
    statement;                                  \
    CHECK_INT(calls, count);                    \
    CHECK_INT(last_code(), BELAY_EKIND);        \
    CHECK(!belay_last_error());                 \
  } while (0)

static void actions_start_with_none(void) {
  belay_disposable *d = belay_disposable_create(on_action, NULL, on_action);
  ISOLATED(belay_disposable_dispose(d), 2);
  belay_disposable_release(d);
  d = belay_disposable_create(NULL, NULL, on_action);
  ISOLATED(belay_disposable_release(d), 1);
  belay_value v = belay_pointer_owned(&calls, on_action);
  ISOLATED(belay_value_release(v), 1);
  belay_owner *owner = belay_owner_create(&calls, on_action, on_action, NULL);
  CHECK_INT(belay_owner_add_action(owner, on_action, NULL, on_action), 0);
  ISOLATED(belay_owner_release(owner), 4);
  ISOLATED(CHECK_INT(belay_owner_end(&calls, on_action, NULL), 0), 1);
}

static void observers_start_with_none(void) {
  belay_observer observer = {.size = sizeof observer, .next = on_next, .error = on_error,
                             .completed = on_action, .disposed = on_action, .ctx_free = on_action};
  belay_signal *subject = belay_subject_create(NULL);
  CHECK_INT(belay_signal_subscribe(subject, &observer, NULL), 0);
  CHECK_INT(belay_signal_subscribe(subject, &observer, NULL), 0);
  ISOLATED(CHECK_INT(belay_subject_next(subject, belay_int32(1)), 0), 2);
  ISOLATED(CHECK_INT(belay_subject_completed(subject), 0), 6);
  belay_signal_release(subject);
  belay_error *error = belay_error_create(-5, NULL, NULL, belay_null(), NULL);
  belay_signal *failed = belay_signal_error(error);
  ISOLATED(CHECK_INT(belay_signal_subscribe(failed, &observer, NULL), 0), 3);
  belay_signal_release(failed);
  belay_error_release(error);
  ISOLATED(CHECK_INT(belay_signal_subscribe(NULL, &observer, NULL), BELAY_EINVAL), 1);
}

static void operators_start_with_none(void) {
  belay_signal *chain = belay_signal_chain(
      belay_signal_create(on_subscribe, NULL, on_action, NULL),
      belay_op_map(on_map, NULL, on_action), belay_op_filter(on_filter, NULL, on_action),
      belay_op_distinct_until_changed(on_equal, NULL, on_action),
      belay_op_scan(belay_null(), on_scan, NULL, on_action));
  belay_observer observer = {.size = sizeof observer, .next = on_next};
  /* subscribe, two maps, two filters, one equal, two scans, two nexts, the teardown and its free */
  ISOLATED(CHECK_INT(belay_signal_subscribe(chain, &observer, NULL), 0), 12);
  ISOLATED(belay_signal_release(chain), 5);
}

static void scheduled_work_starts_with_none(void) {
  ISOLATED(belay_scheduler_schedule(belay_scheduler_immediate(), on_action, NULL, on_action, NULL),
           2);
  ISOLATED(belay_scheduler_schedule(belay_scheduler_trampoline(), on_action, NULL, on_action,
                                    NULL), 2);
  belay_loop *loop = belay_loop_create(NULL);
  CHECK_INT(belay_loop_post(loop, on_action, NULL, on_action), 0);
  ISOLATED(belay_loop_run(loop, BELAY_RUN_NOWAIT), 2);
  ISOLATED(belay_loop_close(loop, NULL, NULL, on_action), 1);
  belay_loop_release(loop);
}

static const test_case cases[] = {
    CASE(the_last_failure_is_kept_until_taken),
    CASE(each_failure_has_its_own_message),
    CASE(a_null_that_nobody_has_made_is_recorded),
    CASE(what_is_passed_a_null_records_nothing),
    CASE(success_leaves_the_failure),
    CASE(a_null_passed_on_records_nothing),
    CASE(a_chain_is_checked_once_at_its_end),
    CASE(each_thread_has_its_own),
    CASE(actions_start_with_none),
    CASE(observers_start_with_none),
    CASE(operators_start_with_none),
    CASE(scheduled_work_starts_with_none),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
