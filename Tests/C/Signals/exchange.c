/* Signals that pass to another copy of the library and back. The test program has one copy, and the
   plug-in that it loads another one. */
#include "other_copy.h"
#include "worker.h"

#include <dlfcn.h>
#include <uv.h>

static const other_copy *other;

/* What the other copy makes of a signal of this one, which is taken over. */
static belay_signal *there(belay_signal *signal) {
  belay_exchange exchange;
  CHECK_INT(belay_signal_export(signal, &exchange), 0);
  belay_signal_release(signal);
  belay_signal *imported = other->take(&exchange);
  CHECK(imported != NULL);
  belay_exchange_release(&exchange);
  CHECK(exchange.signal == NULL && exchange.release == NULL);
  belay_exchange_release(&exchange);
  return imported;
}

/* What this copy makes of a signal of the other one, which is taken over. */
static belay_signal *here(belay_signal *signal) {
  belay_exchange exchange;
  CHECK_INT(other->give(signal, &exchange), 0);
  other->release(signal);
  belay_signal *imported = belay_signal_import(&exchange);
  CHECK(imported != NULL);
  belay_exchange_release(&exchange);
  return imported;
}

/* There and back again. */
static belay_signal *around(belay_signal *signal) { return here(there(signal)); }

static void nothing_is_left_there(void) {
  CHECK_INT(other->live(BELAY_LIVE_KINDS), 0);
}

/* ---- values ---- */

typedef struct point {
  int x, y;
} point;

static belay_value expected;
static void check_expected(void *ctx, belay_value value) {
  CHECK(belay_value_equal(value, expected));
  CHECK_INT(belay_value_kind(value), belay_value_kind(expected));
  ++*(int *)ctx;
}

static void scalars_strings_structs_and_arrays_pass_by_content(void) {
  point p = {3, -4};
  belay_value inner[] = {belay_string("deep"), belay_null()};
  belay_value outer[] = {belay_array_of(inner, 2), belay_int8(-8)};
  belay_value values[] = {
      belay_null(),           belay_bool(1),           belay_bool(0),
      belay_int8(-1),         belay_int16(INT16_MIN),  belay_int32(INT32_MIN),
      belay_int64(INT64_MIN), belay_uint8(255),        belay_uint16(UINT16_MAX),
      belay_uint32(UINT32_MAX), belay_uint64(UINT64_MAX), belay_float(-0.5f),
      belay_double(1e300),    belay_pointer(&p),       belay_string("Grüße\n"),
      belay_string(""),       belay_string_n("a\0b", 3), belay_bytes("\0\xff", 2),
      BELAY_STRUCT(point, &p), belay_array_of(outer, 2), belay_array_of(NULL, 0),
  };
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    int count = 0;
    expected = belay_value_retain(values[i]);
    belay_signal *signal = around(belay_signal_just(values[i]));
    CHECK_INT(belay_signal_subscribe(signal,
                                     &BELAY_INIT(belay_observer, .next = check_expected,
                                                 .ctx = &count),
                                     NULL),
              0);
    CHECK_INT(count, 1);
    belay_value_release(expected);
    belay_signal_release(signal);
  }
  nothing_is_left_there();
}

static void keep_value(void *ctx, belay_value value) { *(belay_value *)ctx = belay_value_retain(value); }

static void a_pointer_lives_until_both_have_let_it_go(void) {
  static char thing[] = "thing";
  belay_value kept = belay_null();
  belay_signal *subject = belay_subject_create(NULL);
  belay_signal *signal = around(also(subject));
  CHECK_INT(belay_signal_subscribe(
                signal, &BELAY_INIT(belay_observer, .next = keep_value, .ctx = &kept), NULL),
            0);
  CHECK_INT(belay_subject_next(subject, belay_pointer_typed("text", thing, trace_free)), 0);
  CHECK_TRACE("");
  void *found = NULL;
  CHECK_INT(belay_value_get_typed(kept, "text", &found), 0);
  CHECK(found == thing);
  CHECK_INT(belay_value_try_typed(kept, "else", &found), BELAY_EKIND);
  belay_value_release(kept);
  CHECK_TRACE("free thing");
  belay_signal_release(signal);
  belay_signal_release(subject);
  nothing_is_left_there();
}

/* `value` ends the subscription with this error, which the source is told of by a disposal. */
static void is_refused(belay_value value, const char *trace) {
  belay_signal *subject = belay_subject_create(NULL);
  watch_errors(around(also(subject)));
  CHECK_INT(belay_subject_next(subject, value), 0);
  CHECK_TRACE(trace);
  CHECK_INT(belay_subject_count(subject), 0);
  belay_signal_release(subject);
  nothing_is_left_there();
}

static void what_belongs_to_its_copy_is_refused(void) {
  static char thing[] = "thing";
  belay_loop *loop = open_loop();
  belay_disposable *disposable = belay_disposable_create(NULL, NULL, NULL);
  belay_value value = belay_value_from_disposable(disposable);
  is_refused(belay_array_of(&value, 1),
             "error EKIND: a handle of this kind belongs to its copy of the library | disposed | "
             "free");
  belay_disposable_release(disposable);
  is_refused(belay_pointer_at(loop, "text", thing, trace_free),
             "error EKIND: a pointer with a home belongs to its copy of the library | disposed | "
             "free | free thing");
  close_loop(loop);
}

static belay_value nested(int depth) {
  belay_value value = belay_int32(1);
  for (int i = 0; i < depth; i++) value = belay_array_of(&value, 1);
  return value;
}
static void deeply_nested_arrays_are_refused(void) {
  int count = 0;
  is_refused(nested(101), "error ERANGE: out of range | disposed | free");
  is_refused(nested(100000), "error ERANGE: out of range | disposed | free");
  expected = nested(100);
  belay_signal *signal = around(belay_signal_just(belay_value_retain(expected)));
  belay_observer observer = BELAY_INIT(belay_observer, .next = check_expected, .ctx = &count);
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  CHECK_INT(count, 1);
  belay_value_release(expected);
  belay_signal_release(signal);
  nothing_is_left_there();
}

static void signals_pass_as_signals(void) {
  belay_signal *subject = belay_subject_create(NULL);
  belay_signal *windows = around(belay_signal_chain(also(subject), belay_op_window(2, 2)));
  watch(belay_signal_chain(windows, belay_op_merge_all(BELAY_UNLIMITED)), "");
  for (int i = 1; i <= 3; i++) send_int(subject, i);
  CHECK_TRACE("next 1 | next 2 | next 3");
  CHECK_INT(belay_subject_completed(subject), 0);
  CHECK_TRACE("completed | disposed | free");
  belay_signal_release(subject);
  nothing_is_left_there();
}

/* ---- ends ---- */

static void trace_whole(void *ctx, const belay_error *error) {
  const belay_error *cause = belay_error_cause(error);
  char payload[100];
  render(belay_error_payload(error), payload, sizeof payload);
  trace("%s %s \"%s\" %s, because %s %s", belay_error_name(belay_error_code(error)),
        belay_error_domain(error), belay_error_message(error), payload,
        belay_error_name(belay_error_code(cause)), belay_error_message(cause));
}

static void an_error_passes_with_its_payload_and_its_cause(void) {
  belay_error *cause = belay_error_create(BELAY_ENOENT, NULL, NULL, belay_null(), NULL);
  belay_error *error =
      belay_error_create(BELAY_EPERM, "house", "the door is shut", belay_string("key"), cause);
  belay_signal *signal = around(belay_signal_error(error));
  CHECK_INT(
      belay_signal_subscribe(signal, &BELAY_INIT(belay_observer, .error = trace_whole), NULL), 0);
  CHECK_TRACE("EPERM house \"the door is shut\" key, because ENOENT not found");
  belay_error_release(cause);
  belay_error_release(error);
  belay_signal_release(signal);
  nothing_is_left_there();
}

static void count_causes(void *ctx, const belay_error *error) {
  CHECK_INT(belay_error_code(error), BELAY_EPERM);
  CHECK_INT(belay_value_kind(belay_error_payload(error)), BELAY_KIND_NULL);
  int *count = ctx;
  while ((error = belay_error_cause(error))) ++*count;
}

/* What cannot pass is left out, and the error itself arrives. */
static void an_error_passes_without_what_cannot_pass(void) {
  belay_disposable *disposable = belay_disposable_create(NULL, NULL, NULL);
  belay_error *error = NULL;
  for (int i = 0; i < 1000; i++) {
    belay_error *outer = belay_error_create(
        BELAY_EPERM, NULL, NULL, belay_value_from_disposable(disposable), error);
    belay_error_release(error);
    error = outer;
  }
  belay_disposable_release(disposable);
  belay_signal *signal = around(belay_signal_error(error));
  belay_error_release(error);
  int count = 0;
  CHECK_INT(belay_signal_subscribe(
                signal, &BELAY_INIT(belay_observer, .error = count_causes, .ctx = &count), NULL),
            0);
  CHECK_INT(count, 99);
  belay_signal_release(signal);
  nothing_is_left_there();
}

static void the_last_release_of_the_source_interrupts(void) {
  belay_signal *subject = belay_subject_create(NULL);
  watch(around(also(subject)), "");
  CHECK_INT(belay_subject_count(subject), 1);
  belay_signal_release(subject);
  CHECK_TRACE("disposed | free");
  nothing_is_left_there();
}

static void a_disposal_ends_the_subscription_at_the_source(void) {
  belay_signal *subject = belay_subject_create(NULL);
  belay_disposable *subscription = watched(around(also(subject)), "");
  send_int(subject, 1);
  end_subscription(subscription);
  CHECK_INT(belay_subject_count(subject), 0);
  CHECK_TRACE("next 1 | disposed | free");
  belay_signal_release(subject);
  nothing_is_left_there();
}

static int iterations;
static belay_value one_more(void *ctx, belay_value value) {
  iterations++;
  return belay_int32(int_of(value) + 1);
}

static void an_endless_source_stops_when_enough_was_taken(void) {
  iterations = 0;
  watch(belay_signal_chain(around(belay_signal_generate(belay_int32(1), NULL, one_more, NULL, NULL, NULL)), belay_op_take(3)), "");
  CHECK_TRACE("next 1 | next 2 | next 3 | completed | disposed | free");
  CHECK_INT(iterations, 2);
  nothing_is_left_there();
}

static void a_subscription_that_cannot_start_ends_with_the_error(void) {
  /* No thread that asks is at home with that subject. */
  worker there_at_home = {0};
  start_worker(&there_at_home);
  belay_source_options options = {.size = sizeof options, .loop = there_at_home.loop};
  belay_signal *subject = belay_subject_create(&options);
  stop_worker(&there_at_home);
  watch(around(also(subject)), "");
  CHECK_TRACE("error ECANCELED | disposed | free");
  belay_signal_release(subject);
  nothing_is_left_there();
}

/* ---- the same copy, names, and nonsense ---- */

static void an_exchange_of_the_same_copy_gives_the_same_signal(void) {
  belay_signal *subject = belay_subject_create(NULL);
  belay_exchange exchange;
  CHECK_INT(belay_signal_export(subject, &exchange), 0);
  belay_signal *again = belay_signal_import(&exchange);
  CHECK(again == subject);
  belay_signal_release(again);
  belay_exchange_release(&exchange);
  belay_signal_release(subject);
}

static void the_name_passes(void) {
  belay_signal *subject = belay_subject_create(
      &BELAY_INIT(belay_source_options, .label = "presses"));
  belay_signal *signal = around(subject);
  CHECK_STRING(belay_signal_name(signal), "presses");
  belay_signal_release(signal);
  nothing_is_left_there();
}

static void nonsense_is_refused(void) {
  belay_exchange exchange, wrong;
  belay_signal *subject = belay_subject_create(NULL);
  CHECK_FAILS(belay_signal_export(subject, NULL), BELAY_EINVAL);
  memset(&exchange, 1, sizeof exchange);
  CHECK_FAILS(belay_signal_export(NULL, &exchange), BELAY_EINVAL);
  CHECK(exchange.signal == NULL && exchange.release == NULL);
  belay_exchange_release(&exchange);
  belay_exchange_release(NULL);
  CHECK(belay_signal_import(NULL) == NULL);
  check_last_error(BELAY_EINVAL);
  CHECK(belay_signal_import(&exchange) == NULL);
  check_last_error(BELAY_EINVAL);
  CHECK_INT(belay_signal_export(subject, &exchange), 0);
  CHECK_INT(exchange.version, 1);
  wrong = exchange;
  wrong.version = 2;
  CHECK(other->take(&wrong) == NULL);
  wrong = exchange;
  wrong.subscribe = NULL;
  CHECK(other->take(&wrong) == NULL);
  wrong.version = 2;
  CHECK(belay_signal_import(&wrong) == NULL);
  check_last_error(BELAY_EINVAL);
  wrong = exchange;
  wrong.version = 2;
  CHECK(belay_signal_import(&wrong) == NULL);
  check_last_error(BELAY_ENOTSUP);
  belay_exchange_release(&exchange);
  belay_signal_release(subject);
}

static void count_release(void *ctx) { ++*(int *)ctx; }
static void no_value(void *ctx, const belay_exchange_value *value) { trace("next"); }
static void no_error(void *ctx, const belay_exchange_error *error) { trace("error"); }
static void no_end(void *ctx) { trace("completed"); }

static void an_observer_that_lacks_a_function_is_refused(void) {
  belay_exchange exchange;
  belay_signal *signal = belay_signal_just(belay_int32(1));
  CHECK_INT(belay_signal_export(signal, &exchange), 0);
  int released = 0;
  belay_exchange_subscription subscription;
  const belay_exchange_observer whole = {&released, no_value, no_error, no_end, count_release};
  for (int missing = 0; missing < 4; missing++) {
    belay_exchange_observer observer = whole;
    if (missing == 0) observer.next = NULL;
    if (missing == 1) observer.error = NULL;
    if (missing == 2) observer.completed = NULL;
    if (missing == 3) observer.released = NULL;
    CHECK_INT(exchange.subscribe(exchange.signal, &observer, &subscription), BELAY_EINVAL);
  }
  CHECK_INT(released, 3);
  CHECK_INT(exchange.subscribe(exchange.signal, &whole, NULL), BELAY_EINVAL);
  CHECK_INT(released, 4);
  CHECK_INT(exchange.subscribe(exchange.signal, NULL, &subscription), BELAY_EINVAL);
  CHECK_TRACE("");
  belay_exchange_release(&exchange);
  belay_signal_release(signal);
}

/* ---- a signal that no copy of the library has made ---- */

static const belay_exchange_value *sent;
static const belay_exchange_error *sent_error;
static int foreign_references;

static void retain_foreign(void *signal) { foreign_references++; }
static void release_foreign(void *signal) { foreign_references--; }
static const char *no_name(void *signal) { return NULL; }
static void no_disposal(void *object) {}
static int send_what_is_sent(void *signal, const belay_exchange_observer *observer,
                             belay_exchange_subscription *subscription) {
  *subscription = (belay_exchange_subscription){NULL, no_disposal, no_disposal};
  if (sent) observer->next(observer->ctx, sent);
  if (sent_error) observer->error(observer->ctx, sent_error);
  observer->released(observer->ctx);
  return 0;
}

static belay_exchange_subscription filled_in;
static belay_exchange_observer kept_observer;
static int fill_in(void *signal, const belay_exchange_observer *observer,
                   belay_exchange_subscription *subscription) {
  *subscription = filled_in;
  kept_observer = *observer;
  return 0;
}
static void a_subscription_that_lacks_a_function_is_refused(void) {
  int object = 0;
  belay_exchange_subscription whole = {&object, no_disposal, no_disposal};
  for (int lacks = 0; lacks < 3; lacks++) {
    filled_in = whole;
    if (lacks == 0) filled_in.object = NULL;
    if (lacks == 1) filled_in.dispose = NULL;
    if (lacks == 2) filled_in.release = NULL;
    belay_exchange exchange = {1,       &foreign_references, retain_foreign, release_foreign,
                               no_name, fill_in};
    belay_signal *signal = belay_signal_import(&exchange);
    watch_errors(signal);
    CHECK_TRACE("error EINVAL: invalid argument | disposed | free");
    kept_observer.completed(kept_observer.ctx); /* too late */
    kept_observer.released(kept_observer.ctx);
    CHECK_TRACE("");
    CHECK_INT(foreign_references, 0);
  }
}

static void comes_as(const belay_exchange_value *value, const belay_exchange_error *error,
                     const char *expected_trace) {
  sent = value;
  sent_error = error;
  belay_exchange exchange = {1,       &foreign_references, retain_foreign, release_foreign,
                             no_name, send_what_is_sent};
  belay_signal *signal = belay_signal_import(&exchange);
  CHECK(signal != NULL);
  watch_errors(signal);
  CHECK_TRACE(expected_trace);
  CHECK_INT(foreign_references, 0);
}

/* The same value, and the same as the one item of an array. */
static void is_wrong(belay_exchange_value value, const char *error) {
  char trace[200];
  snprintf(trace, sizeof trace, "error %s | disposed | free", error);
  comes_as(&value, NULL, trace);
  belay_exchange_value items[] = {
      {.kind = BELAY_KIND_STRING, .data = "ok", .size = 2}, value};
  comes_as(&(belay_exchange_value){.kind = BELAY_KIND_ARRAY, .data = items, .size = 2}, NULL, trace);
}

static void wrong_content_ends_the_subscription(void) {
  const uint32_t runs[] = {BELAY_KIND_STRING, BELAY_KIND_BYTES, BELAY_KIND_STRUCT, BELAY_KIND_ARRAY};
  for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
    is_wrong((belay_exchange_value){.kind = runs[i], .size = 1, .type = "point"},
             "EINVAL: invalid argument");
    is_wrong((belay_exchange_value){.kind = runs[i], .data = "x", .size = SIZE_MAX, .type = "point"},
             "EINVAL: invalid argument");
    is_wrong((belay_exchange_value){
                 .kind = runs[i], .data = "x", .size = (size_t)-8, .type = "point"},
             "EINVAL: invalid argument");
  }
  for (int shift = 1; shift < 8; shift++)
    is_wrong((belay_exchange_value){
                 .kind = BELAY_KIND_ARRAY, .data = "x", .size = (size_t)1 << (64 - shift)},
             "EINVAL: invalid argument");
  is_wrong((belay_exchange_value){.kind = BELAY_KIND_STRUCT, .data = "x", .size = 1},
           "EINVAL: invalid argument");
  is_wrong((belay_exchange_value){.kind = BELAY_KIND_ERROR}, "EINVAL: invalid argument");
  is_wrong((belay_exchange_value){.kind = BELAY_KIND_SIGNAL}, "EINVAL: invalid argument");
  is_wrong((belay_exchange_value){.kind = BELAY_KIND_STRING, .data = "a\xff", .size = 2},
           "EILSEQ: not UTF-8");
  is_wrong((belay_exchange_value){.kind = 0xffffffff},
           "EKIND: a value of a kind that this copy of the library does not know");
}

static void an_error_that_another_program_describes_arrives(void) {
  belay_exchange_value wrong = {.kind = BELAY_KIND_STRING, .size = 1};
  belay_exchange_error error = {.code = BELAY_EPERM, .payload = &wrong};
  error.cause = &error; /* without an end */
  comes_as(NULL, &error, "error EPERM: not permitted | disposed | free");
  comes_as(&(belay_exchange_value){.kind = BELAY_KIND_STRING}, &error,
           "next  | error EPERM: not permitted | disposed | free");
}

/* ---- homes ---- */

typedef struct arrivals {
  pthread_t home;
  int count, wrong_threads, disorder, ended, disposed;
} arrivals;

static void arrive(void *ctx, belay_value value) {
  arrivals *it = ctx;
  if (!pthread_equal(pthread_self(), it->home)) it->wrong_threads++;
  if (int_of(value) != it->count) it->disorder++;
  it->count++;
}
static void arrive_end(void *ctx) { ((arrivals *)ctx)->ended++; }
static void arrive_disposed(void *ctx) { ((arrivals *)ctx)->disposed++; }

/* Listens to `signal` by `it`. */
static void listen_to(belay_signal *signal, arrivals *it, belay_disposable **subscription) {
  *it = (arrivals){.home = pthread_self()};
  CHECK_INT(belay_signal_subscribe(signal,
                                   &BELAY_INIT(belay_observer, .next = arrive,
                                               .completed = arrive_end,
                                               .disposed = arrive_disposed, .ctx = it),
                                   subscription),
            0);
}

/* A loop that takes any number of values from other threads. */
static belay_loop *open_large_loop(void) {
  return belay_loop_create(&BELAY_INIT(belay_loop_options, .capacity = BELAY_UNLIMITED));
}

enum { many = 2000 };

static void send_many(void *subject) {
  for (int i = 0; i < many; i++)
    while (other->next(subject, belay_int32(i)) == BELAY_EAGAIN) sched_yield();
  other->completed(subject);
}

/* A subject of the other copy that any thread may send into, and what this copy makes of it. */
static belay_signal *shared_there(belay_signal **imported) {
  belay_signal *subject = other->create_subject(&BELAY_INIT(belay_source_options, .shared = 1));
  belay_exchange exchange;
  CHECK_INT(other->give(subject, &exchange), 0);
  *imported = belay_signal_import(&exchange);
  CHECK(*imported != NULL);
  belay_exchange_release(&exchange);
  return subject;
}

static void what_another_thread_sends_arrives_at_home_in_order(void) {
  routine sender;
  belay_loop *loop = open_large_loop();
  belay_signal *signal, *subject = shared_there(&signal);
  arrivals seen;
  listen_to(signal, &seen, NULL);
  start_thread(&sender, send_many, subject);
  while (!seen.disposed) CHECK(belay_loop_run(loop, BELAY_RUN_ONCE) >= 0);
  join_thread(&sender);
  CHECK_INT(seen.count, many);
  CHECK_INT(seen.ended, 1);
  CHECK_INT(seen.disorder, 0);
  CHECK_INT(seen.wrong_threads, 0);
  other->release(subject);
  belay_signal_release(signal);
  close_loop(loop);
  nothing_is_left_there();
}

/* As from a shared subject of the same copy. */
static void without_a_loop_values_arrive_where_they_are_sent(void) {
  routine sender;
  belay_signal *signal, *subject = shared_there(&signal);
  arrivals seen;
  listen_to(signal, &seen, NULL);
  start_thread(&sender, send_many, subject);
  join_thread(&sender);
  CHECK_INT(seen.count, many);
  CHECK_INT(seen.wrong_threads, many);
  CHECK_INT(seen.disorder, 0);
  CHECK_INT(seen.ended, 1);
  CHECK_INT(seen.disposed, 1);
  other->release(subject);
  belay_signal_release(signal);
  nothing_is_left_there();
}

/* The queue of the loop is full: nobody would see a gap, so the subscription ends. */
static void a_full_queue_ends_the_subscription(void) {
  routine sender;
  belay_loop_options small = {.size = sizeof small, .capacity = 10};
  belay_loop *loop = belay_loop_create(&small);
  belay_signal *signal, *subject = shared_there(&signal);
  watch(signal, "");
  start_thread(&sender, send_many, subject);
  join_thread(&sender);
  CHECK_INT(other->subscribers(subject), 0);
  turn(loop);
  CHECK(strstr(trace_text(), "next 9 | error EAGAIN | disposed | free") != NULL);
  trace_clear();
  other->release(subject);
  close_loop(loop);
  nothing_is_left_there();
}

/* Disposals on one thread meet values of another. */
static void disposals_meet_values(void) {
  for (int round = 0; round < 50; round++) {
    routine sender;
    belay_loop *loop = open_large_loop();
    belay_signal *signal, *subject = shared_there(&signal);
    arrivals seen;
    belay_disposable *subscription = NULL;
    listen_to(signal, &seen, &subscription);
    start_thread(&sender, send_many, subject);
    while (seen.count < round) CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
    belay_disposable_dispose(subscription);
    int count = seen.count;
    CHECK_INT(seen.disposed, 1);
    join_thread(&sender);
    turn(loop);
    CHECK_INT(seen.count, count);
    CHECK_INT(seen.wrong_threads + seen.disorder, 0);
    belay_disposable_release(subscription);
    other->release(subject);
    belay_signal_release(signal);
    close_loop(loop);
  }
  nothing_is_left_there();
}

/* ---- going ---- */

/* Both copies have a loop on one uv_loop_t; either leaves first. */
static void a_loop_closes(int others) {
  uv_loop_t uv;
  CHECK_INT(uv_loop_init(&uv), 0);
  belay_loop_options quiet = {.size = sizeof quiet, .quiet = 1};
  belay_loop *own = belay_loop_adopt(&uv, &quiet), *foreign = other->adopt(&uv, &quiet);
  CHECK(own != NULL && foreign != NULL);
  belay_signal *subject = other->create_subject(NULL);
  belay_exchange exchange;
  CHECK_INT(other->give(subject, &exchange), 0);
  watch(belay_signal_import(&exchange), "");
  belay_exchange_release(&exchange);
  CHECK_INT(other->next(subject, belay_int32(1)), 0);
  CHECK_TRACE("next 1");
  CHECK_INT(other->subscribers(subject), 1);
  if (others)
    CHECK_INT(other->close(foreign, NULL, NULL, NULL), 0);
  else
    CHECK_INT(belay_loop_close(own, NULL, NULL, NULL), 0);
  CHECK_TRACE("disposed | free");
  CHECK_INT(other->subscribers(subject), 0);
  if (others)
    CHECK_INT(belay_loop_close(own, NULL, NULL, NULL), 0);
  else
    CHECK_INT(other->close(foreign, NULL, NULL, NULL), 0);
  other->release(subject);
  belay_loop_release(own);
  other->release_loop(foreign);
  CHECK_INT(uv_run(&uv, UV_RUN_DEFAULT), 0);
  CHECK_INT(uv_loop_close(&uv), 0);
  nothing_is_left_there();
}
static void the_exporting_loop_closes_first(void) { a_loop_closes(1); }
static void the_importing_loop_closes_first(void) { a_loop_closes(0); }

static const test_case cases[] = {
    CASE(scalars_strings_structs_and_arrays_pass_by_content),
    CASE(a_pointer_lives_until_both_have_let_it_go),
    CASE(what_belongs_to_its_copy_is_refused),
    CASE(deeply_nested_arrays_are_refused),
    CASE(signals_pass_as_signals),
    CASE(an_error_passes_with_its_payload_and_its_cause),
    CASE(an_error_passes_without_what_cannot_pass),
    CASE(the_last_release_of_the_source_interrupts),
    CASE(a_disposal_ends_the_subscription_at_the_source),
    CASE(an_endless_source_stops_when_enough_was_taken),
    CASE(a_subscription_that_cannot_start_ends_with_the_error),
    CASE(an_exchange_of_the_same_copy_gives_the_same_signal),
    CASE(the_name_passes),
    CASE(nonsense_is_refused),
    CASE(an_observer_that_lacks_a_function_is_refused),
    CASE(a_subscription_that_lacks_a_function_is_refused),
    CASE(wrong_content_ends_the_subscription),
    CASE(an_error_that_another_program_describes_arrives),
    CASE(what_another_thread_sends_arrives_at_home_in_order),
    CASE(without_a_loop_values_arrive_where_they_are_sent),
    CASE(a_full_queue_ends_the_subscription),
    CASE(disposals_meet_values),
    CASE(the_exporting_loop_closes_first),
    CASE(the_importing_loop_closes_first),
};

int main(int argc, char **argv) {
  void *library = dlopen(OTHER_COPY, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  other = ((const other_copy *(*)(void))dlsym(library, "other_copy_functions"))();
  return RUN_CASES(cases);
}
