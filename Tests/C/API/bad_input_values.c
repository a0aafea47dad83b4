/* Nonsense for values. */
#include "bad_input.h"

/* A refused constructor gives a failure value, which is released here. It may record an error of
   its code. */
static void check_failure(const char *file, int line, belay_value v, int code) {
  if (belay_value_kind(v) != BELAY_KIND_FAILURE)
    check_failed(file, line, "gave %s, not a failure", belay_kind_name(belay_value_kind(v)));
  belay_value_release(v);
  check_left(file, line, code, 0);
}
#define FAILURE(call, code) check_failure(__FILE__, __LINE__, call, code)

static void null_texts_and_data(void) {
  CHECK_INT(belay_value_kind(belay_string(NULL)), BELAY_KIND_NULL);
  CHECK_INT(belay_value_kind(belay_string_n(NULL, 0)), BELAY_KIND_NULL);
  FAILURE(belay_string_n(NULL, 1), BELAY_EINVAL);
  FAILURE(belay_bytes(NULL, 1), BELAY_EINVAL);
  FAILURE(belay_struct("struct s", NULL, 8), BELAY_EINVAL);
  FAILURE(belay_struct(NULL, "12345678", 8), BELAY_EINVAL);
  FAILURE(belay_struct(NULL, NULL, 0), BELAY_EINVAL);
  FAILURE(belay_array_of(NULL, 1), BELAY_EINVAL);
  SURVIVES(belay_value_release(belay_struct("struct s", NULL, 0)));
}

static void sizes_that_nothing_has(void) {
  static const size_t sizes[] = {SIZE_MAX, SIZE_MAX - 1, SIZE_MAX / 2 + 1, SIZE_MAX / 2,
                                 SIZE_MAX / 4};
  belay_value one = belay_int32(1);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    FAILURE(belay_string_n("x", sizes[i]), BELAY_EINVAL);
    FAILURE(belay_bytes("x", sizes[i]), BELAY_EINVAL);
    FAILURE(belay_struct("struct s", "x", sizes[i]), BELAY_EINVAL);
    FAILURE(belay_array_of(&one, sizes[i]), BELAY_EINVAL);
    FAILURE(belay_bytes(NULL, sizes[i]), BELAY_EINVAL);
    FAILURE(belay_array_of(NULL, sizes[i]), BELAY_EINVAL);
  }
  FAILURE(belay_array_of(&one, SIZE_MAX / sizeof one), BELAY_EINVAL);
  /* the size times 16 wraps to a small number */
  FAILURE(belay_array_of(&one, SIZE_MAX / sizeof one + 2), BELAY_EINVAL);
}

static void null_pointers_as_values(void) {
  int here = 1;
  void *out = &here;
  belay_value v = belay_pointer_owned(NULL, count_call);
  CHECK_INT(belay_value_get_pointer(v, &out), 0);
  CHECK(out == NULL);
  called = 0;
  belay_value_release(v);
  CHECK_INT(called, 1);
  belay_value_release(belay_pointer_owned(NULL, free));
  belay_value_release(belay_pointer_owned(NULL, NULL));
  CHECK_INT(belay_value_kind(belay_pointer(NULL)), BELAY_KIND_POINTER);
}

/* NULL outputs ask only. */
static void null_outputs(void) {
  int x = 1;
  belay_value items[] = {belay_int32(1), given_value()};
  belay_value array = belay_array_of(items, 2), text = given_value();
  belay_value s = BELAY_STRUCT(int, &x);
  CHECK_INT(belay_value_get_bool(belay_bool(1), NULL), 0);
  CHECK_INT(belay_value_get_int32(belay_int32(1), NULL), 0);
  CHECK_INT(belay_value_get_int64(belay_int32(1), NULL), 0);
  CHECK_INT(belay_value_get_uint32(belay_int32(1), NULL), 0);
  CHECK_INT(belay_value_get_uint64(belay_int32(1), NULL), 0);
  CHECK_INT(belay_value_get_float(belay_float(1), NULL), 0);
  CHECK_INT(belay_value_get_double(belay_float(1), NULL), 0);
  CHECK_INT(belay_value_get_pointer(belay_pointer(&x), NULL), 0);
  CHECK_INT(belay_value_get_string(text, NULL), 0);
  CHECK_INT(belay_value_get_bytes(text, NULL), 0);
  CHECK_INT(belay_value_get_struct(s, "int", NULL, sizeof x), 0);
  CHECK_INT(belay_value_get_item(array, 1, NULL), 0);
  CHECK(!belay_last_error());
  REFUSED(belay_value_get_item(array, 2, NULL), BELAY_ERANGE);
  REFUSED(belay_value_get_struct(s, "int", NULL, sizeof x + 1), BELAY_ERANGE);
  REFUSED(belay_value_get_struct(s, "long", NULL, sizeof x), BELAY_EKIND);
  int code = belay_value_get_struct(s, NULL, &x, sizeof x); /* no type's name */
  CHECK(code == BELAY_EKIND || code == BELAY_EINVAL);
  check_left(__FILE__, __LINE__, code, 1);
  belay_value_release(s);
  belay_value_release(text);
  belay_value_release(array);
}

static void null_handles_as_values(void) {
  CHECK_INT(belay_value_kind(belay_value_from_signal(NULL)), BELAY_KIND_NULL);
  CHECK_INT(belay_value_kind(belay_value_from_subscriber(NULL)), BELAY_KIND_NULL);
  CHECK_INT(belay_value_kind(belay_value_from_disposable(NULL)), BELAY_KIND_NULL);
  CHECK_INT(belay_value_kind(belay_value_from_bag(NULL)), BELAY_KIND_NULL);
  CHECK_INT(belay_value_kind(belay_value_from_owner(NULL)), BELAY_KIND_NULL);
  CHECK_INT(belay_value_kind(belay_value_from_weak(NULL)), BELAY_KIND_NULL);
  CHECK_INT(belay_value_kind(belay_value_from_loop(NULL)), BELAY_KIND_NULL);
  CHECK_INT(belay_value_kind(belay_value_from_scheduler(NULL)), BELAY_KIND_NULL);
  CHECK_INT(belay_value_kind(belay_value_from_error(NULL)), BELAY_KIND_NULL);
}

/* Every handle getter is asked for every kind that it does not give. */
#define NO_HANDLE(noun, kind) \
  if (belay_value_kind(v) != kind) GIVES_NOTHING(belay_value_get_##noun(v), BELAY_EKIND)
static void handles_of_another_kind(void) {
  int x = 0;
  belay_signal *signal = belay_signal_never();
  belay_disposable *disposable = belay_boolean_create();
  belay_bag *bag = belay_bag_create();
  belay_error *error = belay_error_create(-5, NULL, NULL, belay_null(), NULL);
  belay_value values[] = {
      belay_null(), belay_bool(1), belay_int8(1), belay_uint64(1), belay_double(1),
      belay_pointer(signal), belay_pointer_owned(&x, NULL), given_value(), belay_bytes("", 0),
      BELAY_STRUCT(int, &x), belay_array_of(NULL, 0), belay_value_failure(-5, NULL),
      belay_value_from_signal(signal), belay_value_from_disposable(disposable), belay_value_from_bag(bag),
      belay_value_from_scheduler(belay_scheduler_immediate()), belay_value_from_error(error)};
  belay_last_error();
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    belay_value v = values[i];
    NO_HANDLE(signal, BELAY_KIND_SIGNAL);
    NO_HANDLE(subscriber, BELAY_KIND_SUBSCRIBER);
    NO_HANDLE(disposable, BELAY_KIND_DISPOSABLE);
    NO_HANDLE(bag, BELAY_KIND_BAG);
    NO_HANDLE(owner, BELAY_KIND_OWNER);
    NO_HANDLE(weak, BELAY_KIND_WEAK);
    NO_HANDLE(loop, BELAY_KIND_LOOP);
    NO_HANDLE(scheduler, BELAY_KIND_SCHEDULER);
    NO_HANDLE(error, BELAY_KIND_ERROR);
    NO_HANDLE(stream, BELAY_KIND_STREAM);
    if (belay_value_kind(v) != BELAY_KIND_ARRAY) {
      CHECK_INT(belay_value_count(v), 0);
      REFUSED(belay_value_get_item(v, 0, NULL), BELAY_EKIND);
    }
    if (belay_value_kind(v) != BELAY_KIND_STRUCT)
      REFUSED(belay_value_get_struct(v, "int", &x, sizeof x), BELAY_EKIND);
    belay_value_release(v);
  }
  belay_error_release(error);
  belay_bag_release(bag);
  belay_disposable_release(disposable);
  belay_signal_release(signal);
}

/* Numbers that are no kind: a newer header or a stray write could bring them. */
static void kinds_that_are_none(void) {
  static const int kinds[] = {BELAY_KIND_STREAM + 1, 100, 4095};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    belay_value v = belay_scalar_(7, (belay_kind)kinds[i]), again = belay_value_retain(v);
    char text[64];
    CHECK(belay_kind_name(belay_value_kind(v)) != NULL);
    CHECK_INT(belay_value_get_bool(v, NULL), BELAY_EKIND);
    CHECK_INT(belay_value_get_int64(v, NULL), BELAY_EKIND);
    CHECK_INT(belay_value_get_double(v, NULL), BELAY_EKIND);
    CHECK_INT(belay_value_get_pointer(v, NULL), BELAY_EKIND);
    CHECK_INT(belay_value_get_string(v, NULL), BELAY_EKIND);
    CHECK_INT(belay_value_get_bytes(v, NULL), BELAY_EKIND);
    CHECK_INT(belay_value_get_item(v, 0, NULL), BELAY_EKIND);
    CHECK(belay_value_get_signal(v) == NULL);
    CHECK_INT(belay_value_count(v), 0);
    SURVIVES(belay_value_describe(v, text, sizeof text));
    SURVIVES(belay_value_equal(v, v));
    CHECK(!belay_value_equal(v, belay_null()));
    belay_value_release(again);
    belay_value_release(v);
  }
  /* the kind says that there is a box, and there is none */
  for (int kind = BELAY_KIND_FAILURE; kind <= BELAY_KIND_STREAM; kind++) {
    belay_value v = belay_scalar_(0, (belay_kind)kind);
    char text[64];
    SURVIVES(belay_value_describe(v, text, sizeof text));
    SURVIVES(belay_value_get_string(v, NULL));
    SURVIVES(belay_value_get_item(v, 0, NULL));
    SURVIVES(belay_value_get_disposable(v));
    SURVIVES(belay_value_get_error(v));
    belay_value_release(belay_value_retain(v));
  }
}

static void describing_into_nothing(void) {
  belay_value v = given_value();
  char one[1] = {'#'};
  size_t length = belay_value_describe(v, NULL, 0);
  CHECK(length >= strlen("given away"));
  CHECK_INT(belay_value_describe(v, NULL, 100), length);
  CHECK_INT(belay_value_describe(v, NULL, SIZE_MAX), length);
  CHECK_INT(belay_value_describe(v, one, 0), length);
  CHECK_INT(one[0], '#');
  CHECK_INT(belay_value_describe(v, one, 1), length);
  CHECK_INT(one[0], 0);
  char room[64] = "";
  CHECK_INT(belay_value_describe(v, room, SIZE_MAX), length);
  CHECK_INT(strlen(room), length);
  belay_value_release(v);
}

static void failures_with_odd_parts(void) {
  static const int codes[] = {0, 1, INT_MAX, INT_MIN, -1, -999999};
  static const char *const messages[] = {NULL, "", "\xff\xfe", "fine"};
  for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
    for (size_t j = 0; j < sizeof messages / sizeof *messages; j++) {
      belay_value v = belay_value_failure(codes[i], messages[j]);
      CHECK_INT(belay_value_kind(v), BELAY_KIND_FAILURE);
      SURVIVES(belay_value_describe(v, NULL, 0));
      belay_value_release(v);
    }
}

static void a_failure_with_no_error(void) {
  belay_value v = belay_value_failure_with(NULL);
  CHECK_INT(belay_value_kind(v), BELAY_KIND_FAILURE);
  belay_value_release(v);
}

static const test_case cases[] = {
    CASE(null_texts_and_data),
    CASE(sizes_that_nothing_has),
    CASE(null_pointers_as_values),
    CASE(null_outputs),
    CASE(null_handles_as_values),
    CASE(handles_of_another_kind),
    CASE(kinds_that_are_none),
    CASE(describing_into_nothing),
    CASE(failures_with_odd_parts),
    CASE(a_failure_with_no_error),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
