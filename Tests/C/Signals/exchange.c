/* Signals that pass to another copy of the library and back: values, ends, names. */
#include "two_copies.h"
#include "worker.h"

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

/* ---- the same copy, and names ---- */

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
};

int main(int argc, char **argv) { return load_other_copy() ? 1 : RUN_CASES(cases); }
