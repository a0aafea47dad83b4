/* Scalars, the conversion rules, BELAY_VALUE; values_boxed.c has the rest. */
#include <float.h>
#include <limits.h>
#include <math.h>

#include "check.h"

/* A getter that refuses leaves its output alone and records the code. */
#define REFUSES(getter, type, value, expected)                       \
  do {                                                               \
    type check_out = (type)99;                                       \
    belay_value check_v = (value);                                   \
    CHECK_FAILS(getter(check_v, &check_out), expected);              \
    CHECK(check_out == (type)99);                                    \
    CHECK_FAILS(getter(check_v, NULL), expected);                    \
  } while (0)

/* A getter that converts stores, also when only asked records nothing. */
#define GIVES(getter, type, value, expected)                         \
  do {                                                               \
    type check_out = (type)99;                                       \
    belay_value check_v = (value);                                   \
    CHECK_INT(getter(check_v, &check_out), 0);                       \
    CHECK(check_out == (expected));                                  \
    CHECK_INT(getter(check_v, NULL), 0);                             \
    CHECK(!belay_last_error());                                      \
  } while (0)

#define GIVES_INTEGER(value, x)                                      \
  do {                                                               \
    GIVES(belay_value_get_int32, int32_t, value, (x));               \
    GIVES(belay_value_get_int64, int64_t, value, (x));               \
    GIVES(belay_value_get_uint32, uint32_t, value, (x));             \
    GIVES(belay_value_get_uint64, uint64_t, value, (x));             \
    GIVES(belay_value_get_double, double, value, (x));               \
  } while (0)

#define GIVES_NEGATIVE(value, x)                                     \
  do {                                                               \
    GIVES(belay_value_get_int32, int32_t, value, (x));               \
    GIVES(belay_value_get_int64, int64_t, value, (x));               \
    REFUSES(belay_value_get_uint32, uint32_t, value, BELAY_ERANGE);  \
    REFUSES(belay_value_get_uint64, uint64_t, value, BELAY_ERANGE);  \
    GIVES(belay_value_get_double, double, value, (x));               \
  } while (0)

static void a_value_is_two_words(void) {
  CHECK_INT(sizeof(belay_value), 16);
  belay_value zero = {0, 0};
  CHECK_INT(belay_value_kind(zero), BELAY_KIND_NULL);
}

static void scalars_have_their_kinds(void) {
  int here = 0;
  CHECK_INT(belay_value_kind(belay_null()), BELAY_KIND_NULL);
  CHECK_INT(belay_value_kind(belay_bool(1)), BELAY_KIND_BOOL);
  CHECK_INT(belay_value_kind(belay_int8(1)), BELAY_KIND_INT8);
  CHECK_INT(belay_value_kind(belay_int16(1)), BELAY_KIND_INT16);
  CHECK_INT(belay_value_kind(belay_int32(1)), BELAY_KIND_INT32);
  CHECK_INT(belay_value_kind(belay_int64(1)), BELAY_KIND_INT64);
  CHECK_INT(belay_value_kind(belay_uint8(1)), BELAY_KIND_UINT8);
  CHECK_INT(belay_value_kind(belay_uint16(1)), BELAY_KIND_UINT16);
  CHECK_INT(belay_value_kind(belay_uint32(1)), BELAY_KIND_UINT32);
  CHECK_INT(belay_value_kind(belay_uint64(1)), BELAY_KIND_UINT64);
  CHECK_INT(belay_value_kind(belay_float(1)), BELAY_KIND_FLOAT);
  CHECK_INT(belay_value_kind(belay_double(1)), BELAY_KIND_DOUBLE);
  CHECK_INT(belay_value_kind(belay_pointer(&here)), BELAY_KIND_POINTER);
}

static void scalars_allocate_nothing(void) {
  size_t before = belay_live_count(BELAY_LIVE_VALUES);
  belay_value all[] = {belay_null(),    belay_bool(1),   belay_int8(-1),   belay_int64(INT64_MIN),
                       belay_uint8(1),  belay_float(1),  belay_double(2),  belay_uint64(UINT64_MAX),
                       belay_int32(-7), belay_uint16(9), belay_pointer(all)};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    belay_value again = belay_value_retain(all[i]);
    CHECK(memcmp(&again, &all[i], sizeof again) == 0);
    CHECK_INT(belay_live_count(BELAY_LIVE_VALUES), before);
    belay_value_release(again);
    belay_value_release(all[i]);
    CHECK(belay_value_equal(all[i], all[i]));
  }
}

static void kinds_have_names(void) {
  static const char *const names[] = {
      "null",   "bool",   "int8",   "int16",   "int32",      "int64",      "uint8",
      "uint16", "uint32", "uint64", "float",   "double",     "pointer",    "failure",
      "string", "bytes",  "struct", "array",   "signal",     "subscriber", "disposable",
      "bag",    "owner",  "weak",   "loop",    "scheduler",  "error",
      "stream"};
  CHECK_INT(sizeof names / sizeof *names, BELAY_KIND_STREAM + 1);
  for (int kind = 0; kind <= BELAY_KIND_STREAM; kind++)
    CHECK_STRING(belay_kind_name((belay_kind)kind), names[kind]);
  CHECK_STRING(belay_kind_name((belay_kind)(BELAY_KIND_STREAM + 1)), "unknown");
  CHECK_STRING(belay_kind_name((belay_kind)-1), "unknown");
  CHECK_STRING(belay_kind_name((belay_kind)INT_MAX), "unknown");
}

static void integers_that_fit_everywhere(void) {
  GIVES_INTEGER(belay_int8(INT8_MAX), INT8_MAX);
  GIVES_INTEGER(belay_int16(INT16_MAX), INT16_MAX);
  GIVES_INTEGER(belay_int32(INT32_MAX), INT32_MAX);
  GIVES_INTEGER(belay_int64(INT32_MAX), INT32_MAX);
  GIVES_INTEGER(belay_uint8(UINT8_MAX), UINT8_MAX);
  GIVES_INTEGER(belay_uint16(UINT16_MAX), UINT16_MAX);
  GIVES_INTEGER(belay_uint32(INT32_MAX), INT32_MAX);
  GIVES_INTEGER(belay_uint64(INT32_MAX), INT32_MAX);
  GIVES_INTEGER(belay_int32(0), 0);
}

static void negative_integers(void) {
  GIVES_NEGATIVE(belay_int8(INT8_MIN), INT8_MIN);
  GIVES_NEGATIVE(belay_int16(INT16_MIN), INT16_MIN);
  GIVES_NEGATIVE(belay_int32(INT32_MIN), INT32_MIN);
  GIVES_NEGATIVE(belay_int64(-1), -1);
}

static void integers_that_do_not_fit(void) {
  REFUSES(belay_value_get_int32, int32_t, belay_uint32(UINT32_MAX), BELAY_ERANGE);
  REFUSES(belay_value_get_int32, int32_t, belay_uint32(1u << 31), BELAY_ERANGE);
  REFUSES(belay_value_get_int32, int32_t, belay_int64((int64_t)INT32_MAX + 1), BELAY_ERANGE);
  REFUSES(belay_value_get_int32, int32_t, belay_int64((int64_t)INT32_MIN - 1), BELAY_ERANGE);
  REFUSES(belay_value_get_int32, int32_t, belay_uint64(UINT64_MAX), BELAY_ERANGE);
  REFUSES(belay_value_get_uint32, uint32_t, belay_int64((int64_t)UINT32_MAX + 1), BELAY_ERANGE);
  REFUSES(belay_value_get_uint32, uint32_t, belay_uint64((uint64_t)1 << 32), BELAY_ERANGE);
  REFUSES(belay_value_get_int64, int64_t, belay_uint64((uint64_t)1 << 63), BELAY_ERANGE);
  REFUSES(belay_value_get_uint64, uint64_t, belay_int64(INT64_MIN), BELAY_ERANGE);
  GIVES(belay_value_get_uint32, uint32_t, belay_uint64(UINT32_MAX), UINT32_MAX);
  GIVES(belay_value_get_int64, int64_t, belay_uint64(INT64_MAX), INT64_MAX);
  GIVES(belay_value_get_uint64, uint64_t, belay_uint64(UINT64_MAX), UINT64_MAX);
  GIVES(belay_value_get_int64, int64_t, belay_int64(INT64_MIN), INT64_MIN);
}

static void integers_to_double_while_exact(void) {
  int64_t exact = (int64_t)1 << 53;
  GIVES(belay_value_get_double, double, belay_int64(exact), 9007199254740992.0);
  GIVES(belay_value_get_double, double, belay_int64(-exact), -9007199254740992.0);
  GIVES(belay_value_get_double, double, belay_int64(INT64_MIN), -9223372036854775808.0);
  GIVES(belay_value_get_double, double, belay_uint64((uint64_t)1 << 63), 9223372036854775808.0);
  GIVES(belay_value_get_double, double, belay_int64(exact + 2), 9007199254740994.0);
  REFUSES(belay_value_get_double, double, belay_int64(exact + 1), BELAY_ERANGE);
  REFUSES(belay_value_get_double, double, belay_int64(-exact - 1), BELAY_ERANGE);
  REFUSES(belay_value_get_double, double, belay_int64(INT64_MAX), BELAY_ERANGE);
  REFUSES(belay_value_get_double, double, belay_uint64((uint64_t)exact + 1), BELAY_ERANGE);
  REFUSES(belay_value_get_double, double, belay_uint64(UINT64_MAX), BELAY_ERANGE);
}

static void floats(void) {
  GIVES(belay_value_get_float, float, belay_float(0.5f), 0.5f);
  GIVES(belay_value_get_float, float, belay_float(-FLT_MAX), -FLT_MAX);
  GIVES(belay_value_get_double, double, belay_float(0.1f), (double)0.1f);
  GIVES(belay_value_get_double, double, belay_double(DBL_MIN), DBL_MIN);
  GIVES(belay_value_get_double, double, belay_double(-INFINITY), -INFINITY);
  float f = 0;
  double d = 0;
  CHECK_INT(belay_value_get_float(belay_float(NAN), &f), 0);
  CHECK(isnan(f));
  CHECK_INT(belay_value_get_double(belay_double(NAN), &d), 0);
  CHECK(isnan(d));
  d = 0;
  CHECK_INT(belay_value_get_double(belay_float(NAN), &d), 0);
  CHECK(isnan(d));
  REFUSES(belay_value_get_float, float, belay_double(0.5), BELAY_EKIND);
  REFUSES(belay_value_get_float, float, belay_int32(1), BELAY_EKIND);
  REFUSES(belay_value_get_int32, int32_t, belay_double(1), BELAY_EKIND);
  REFUSES(belay_value_get_int64, int64_t, belay_float(1), BELAY_EKIND);
  REFUSES(belay_value_get_uint64, uint64_t, belay_double(1), BELAY_EKIND);
}

static void booleans_are_no_integers(void) {
  GIVES(belay_value_get_bool, int, belay_bool(0), 0);
  GIVES(belay_value_get_bool, int, belay_bool(42), 1);
  GIVES(belay_value_get_bool, int, belay_bool(-1), 1);
  REFUSES(belay_value_get_bool, int, belay_int32(1), BELAY_EKIND);
  REFUSES(belay_value_get_bool, int, belay_null(), BELAY_EKIND);
  REFUSES(belay_value_get_int32, int32_t, belay_bool(1), BELAY_EKIND);
  REFUSES(belay_value_get_uint64, uint64_t, belay_bool(1), BELAY_EKIND);
  REFUSES(belay_value_get_double, double, belay_bool(1), BELAY_EKIND);
}

static void plain_pointers(void) {
  int here = 1;
  void *out = NULL;
  CHECK_INT(belay_value_get_pointer(belay_pointer(&here), &out), 0);
  CHECK(out == &here);
  CHECK_INT(belay_value_get_pointer(belay_pointer(NULL), &out), 0);
  CHECK(out == NULL);
  out = &here;
  CHECK_FAILS(belay_value_get_pointer(belay_uint64(8), &out), BELAY_EKIND);
  CHECK_FAILS(belay_value_get_pointer(belay_null(), &out), BELAY_EKIND);
  CHECK(out == &here);
  REFUSES(belay_value_get_uint64, uint64_t, belay_pointer(&here), BELAY_EKIND);
}

/* Every getter, asked for each kind that it does not give, answers BELAY_EKIND. */
enum { FROM_BOOL = 1, FROM_INTEGER = 2, FROM_FLOAT = 4, FROM_DOUBLE = 8, FROM_POINTER = 16,
       FROM_STRING = 32, FROM_BYTES = 64 };
static void getters_refuse_other_kinds(void) {
  int x = 0;
  const struct { belay_value v; int from; } samples[] = {
      {belay_null(), 0},
      {belay_bool(1), FROM_BOOL},
      {belay_int8(1), FROM_INTEGER},
      {belay_uint64(1), FROM_INTEGER},
      {belay_float(1), FROM_FLOAT},
      {belay_double(1), FROM_DOUBLE},
      {belay_pointer(&x), FROM_POINTER},
      {belay_value_failure(BELAY_EINVAL, "no"), 0},
      {belay_string("1"), FROM_STRING},
      {belay_bytes("1", 1), FROM_BYTES},
      {BELAY_STRUCT(int, &x), 0},
      {belay_array_of(NULL, 0), 0},
  };
  for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
    belay_value v = samples[i].v;
    int from = samples[i].from;
    int numbers = from & FROM_INTEGER ? 0 : BELAY_EKIND;
    CHECK_INT(belay_value_get_bool(v, NULL), from & FROM_BOOL ? 0 : BELAY_EKIND);
    CHECK_INT(belay_value_get_int32(v, NULL), numbers);
    CHECK_INT(belay_value_get_int64(v, NULL), numbers);
    CHECK_INT(belay_value_get_uint32(v, NULL), numbers);
    CHECK_INT(belay_value_get_uint64(v, NULL), numbers);
    CHECK_INT(belay_value_get_float(v, NULL), from & FROM_FLOAT ? 0 : BELAY_EKIND);
    CHECK_INT(belay_value_get_double(v, NULL),
              from & (FROM_INTEGER | FROM_FLOAT | FROM_DOUBLE) ? 0 : BELAY_EKIND);
    CHECK_INT(belay_value_get_pointer(v, NULL), from & FROM_POINTER ? 0 : BELAY_EKIND);
    CHECK_INT(belay_value_get_string(v, NULL), from & FROM_STRING ? 0 : BELAY_EKIND);
    CHECK_INT(belay_value_get_bytes(v, NULL), from & (FROM_STRING | FROM_BYTES) ? 0 : BELAY_EKIND);
    belay_last_error();
    belay_value_release(v);
  }
}

#define KIND_OF(x, expected)                                \
  do {                                                      \
    belay_value check_v = BELAY_VALUE(x);                   \
    CHECK_INT(belay_value_kind(check_v), expected);         \
    belay_value_release(check_v);                           \
  } while (0)

static void belay_value_takes_every_scalar(void) {
  char c = 'c';
  const long on = 1;
  KIND_OF((_Bool)1, BELAY_KIND_BOOL);
  KIND_OF(c, CHAR_MIN < 0 ? BELAY_KIND_INT8 : BELAY_KIND_UINT8);
  KIND_OF((signed char)-1, BELAY_KIND_INT8);
  KIND_OF((unsigned char)1, BELAY_KIND_UINT8);
  KIND_OF((short)1, BELAY_KIND_INT16);
  KIND_OF((unsigned short)1, BELAY_KIND_UINT16);
  KIND_OF(1, BELAY_KIND_INT32);
  KIND_OF('c', BELAY_KIND_INT32);
  KIND_OF(1u, BELAY_KIND_UINT32);
  KIND_OF(on, sizeof(long) == 4 ? BELAY_KIND_INT32 : BELAY_KIND_INT64);
  KIND_OF(1ul, sizeof(long) == 4 ? BELAY_KIND_UINT32 : BELAY_KIND_UINT64);
  KIND_OF(1ll, BELAY_KIND_INT64);
  KIND_OF(1ull, BELAY_KIND_UINT64);
  KIND_OF((size_t)1, sizeof(size_t) == 4 ? BELAY_KIND_UINT32 : BELAY_KIND_UINT64);
  KIND_OF((int8_t)1, BELAY_KIND_INT8);
  KIND_OF((int64_t)1, BELAY_KIND_INT64);
  KIND_OF((uint64_t)1, BELAY_KIND_UINT64);
  KIND_OF(1.0f, BELAY_KIND_FLOAT);
  KIND_OF(1.0, BELAY_KIND_DOUBLE);
  KIND_OF((void *)&c, BELAY_KIND_POINTER);
  KIND_OF((const void *)&c, BELAY_KIND_POINTER);
  KIND_OF(NULL, BELAY_KIND_POINTER);
  KIND_OF(belay_int8(1), BELAY_KIND_INT8);
}

static void belay_value_keeps_the_number(void) {
  char c = 'c';
  GIVES(belay_value_get_int32, int32_t, BELAY_VALUE(c), 'c');
  GIVES(belay_value_get_int64, int64_t, BELAY_VALUE(LONG_MIN), LONG_MIN);
  GIVES(belay_value_get_uint64, uint64_t, BELAY_VALUE(ULONG_MAX), ULONG_MAX);
  GIVES(belay_value_get_int64, int64_t, BELAY_VALUE(LLONG_MIN), LLONG_MIN);
  GIVES(belay_value_get_uint64, uint64_t, BELAY_VALUE(ULLONG_MAX), ULLONG_MAX);
  GIVES(belay_value_get_int32, int32_t, BELAY_VALUE((short)SHRT_MIN), SHRT_MIN);
  GIVES(belay_value_get_int32, int32_t, BELAY_VALUE((unsigned short)USHRT_MAX), USHRT_MAX);
  GIVES(belay_value_get_int32, int32_t, BELAY_VALUE(INT_MIN), INT_MIN);
  GIVES(belay_value_get_uint32, uint32_t, BELAY_VALUE(UINT_MAX), UINT_MAX);
  GIVES(belay_value_get_int32, int32_t, BELAY_VALUE((signed char)SCHAR_MIN), SCHAR_MIN);
  GIVES(belay_value_get_int32, int32_t, BELAY_VALUE((unsigned char)UCHAR_MAX), UCHAR_MAX);
  GIVES(belay_value_get_float, float, BELAY_VALUE(0.25f), 0.25f);
  GIVES(belay_value_get_double, double, BELAY_VALUE(0.1), 0.1);
  GIVES(belay_value_get_bool, int, BELAY_VALUE((_Bool)5), 1);
}

static void belay_value_takes_strings_and_handles(void) {
  char text[] = "text";
  const char *fixed = "text";
  KIND_OF("literal", BELAY_KIND_STRING);
  KIND_OF(text, BELAY_KIND_STRING);
  KIND_OF(fixed, BELAY_KIND_STRING);
  KIND_OF((char *)NULL, BELAY_KIND_NULL);

  belay_signal *signal = belay_signal_never();
  belay_disposable *disposable = belay_boolean_create();
  belay_bag *bag = belay_bag_create();
  belay_owner *owner = belay_owner_create(NULL, NULL, NULL, NULL);
  belay_weak *weak = belay_weak_create(owner);
  belay_loop *loop = belay_loop_create(NULL);
  belay_scheduler *scheduler = belay_loop_get_scheduler(loop);
  belay_error *error = belay_error_create(BELAY_EINVAL, NULL, NULL, belay_null(), NULL);
  KIND_OF(signal, BELAY_KIND_SIGNAL);
  KIND_OF(disposable, BELAY_KIND_DISPOSABLE);
  KIND_OF(bag, BELAY_KIND_BAG);
  KIND_OF(owner, BELAY_KIND_OWNER);
  KIND_OF(weak, BELAY_KIND_WEAK);
  KIND_OF(loop, BELAY_KIND_LOOP);
  KIND_OF(scheduler, BELAY_KIND_SCHEDULER);
  KIND_OF(error, BELAY_KIND_ERROR);
  KIND_OF((const belay_error *)error, BELAY_KIND_ERROR);
  KIND_OF((belay_subscriber *)NULL, BELAY_KIND_NULL);
  KIND_OF((belay_signal *)NULL, BELAY_KIND_NULL);
  KIND_OF((belay_stream *)NULL, BELAY_KIND_NULL);
  belay_error_release(error);
  belay_loop_close(loop, NULL, NULL, NULL);
  belay_loop_release(loop);
  belay_weak_release(weak);
  belay_owner_release(owner);
  belay_bag_release(bag);
  belay_disposable_release(disposable);
  belay_signal_release(signal);
}

static void scalars_are_equal_by_kind_and_number(void) {
  CHECK(belay_value_equal(belay_null(), belay_null()));
  CHECK(belay_value_equal(belay_int32(-5), belay_int32(-5)));
  CHECK(!belay_value_equal(belay_int32(5), belay_int32(6)));
  CHECK(!belay_value_equal(belay_int32(5), belay_int64(5)));
  CHECK(!belay_value_equal(belay_int32(5), belay_uint32(5)));
  CHECK(!belay_value_equal(belay_null(), belay_pointer(NULL)));
  CHECK(!belay_value_equal(belay_null(), belay_bool(0)));
  CHECK(belay_value_equal(belay_bool(2), belay_bool(3)));
  CHECK(belay_value_equal(belay_double(0.0), belay_double(-0.0)));
  CHECK(belay_value_equal(belay_float(0.0f), belay_float(-0.0f)));
  CHECK(!belay_value_equal(belay_double(NAN), belay_double(NAN)));
  CHECK(!belay_value_equal(belay_float(NAN), belay_float(NAN)));
  CHECK(belay_value_equal(belay_double(INFINITY), belay_double(INFINITY)));
  CHECK(!belay_value_equal(belay_float(1), belay_double(1)));
  int a = 0, b = 0;
  CHECK(belay_value_equal(belay_pointer(&a), belay_pointer(&a)));
  CHECK(!belay_value_equal(belay_pointer(&a), belay_pointer(&b)));
  CHECK(!belay_last_error());
}

#define DESCRIBED(value, expected)                              \
  do {                                                          \
    char check_text[40];                                        \
    belay_value_describe(value, check_text, sizeof check_text); \
    CHECK_STRING(check_text, expected);                         \
  } while (0)

static void numbers_are_described_so_that_they_read_back(void) {
  DESCRIBED(belay_double(0.1), "0.1");
  DESCRIBED(belay_double(1), "1.0");
  DESCRIBED(belay_double(-0.0), "-0.0");
  DESCRIBED(belay_double(100000), "100000.0");
  DESCRIBED(belay_double(1e16), "1e+16");
  DESCRIBED(belay_double(1.0 / 3), "0.3333333333333333");
  DESCRIBED(belay_double(0.1 + 0.2), "0.30000000000000004");
  DESCRIBED(belay_double(1.7976931348623157e308), "1.7976931348623157e+308");
  DESCRIBED(belay_double(INFINITY), "inf");
  DESCRIBED(belay_double(-INFINITY), "-inf");
  DESCRIBED(belay_double(-NAN), "nan");
  DESCRIBED(belay_float(0.1f), "0.1");
  DESCRIBED(belay_float(16777216.0f), "16777216.0");
  DESCRIBED(belay_float(1.0f / 3), "0.33333334");
  DESCRIBED(belay_float(3.40282347e38f), "3.4028235e+38");
  DESCRIBED(belay_int64(INT64_MIN), "-9223372036854775808");
}

static const test_case cases[] = {
    CASE(numbers_are_described_so_that_they_read_back),
    CASE(a_value_is_two_words),
    CASE(scalars_have_their_kinds),
    CASE(scalars_allocate_nothing),
    CASE(kinds_have_names),
    CASE(integers_that_fit_everywhere),
    CASE(negative_integers),
    CASE(integers_that_do_not_fit),
    CASE(integers_to_double_while_exact),
    CASE(floats),
    CASE(booleans_are_no_integers),
    CASE(plain_pointers),
    CASE(getters_refuse_other_kinds),
    CASE(belay_value_takes_every_scalar),
    CASE(belay_value_keeps_the_number),
    CASE(belay_value_takes_strings_and_handles),
    CASE(scalars_are_equal_by_kind_and_number),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
