/* Strings, bytes, structs, owned pointers, arrays, handles, failures; equality and describing. */
#include <limits.h>

#include "check.h"

#define LIVE() ((long long)belay_live_count(BELAY_LIVE_VALUES))

static int freed;
static void count_free(void *ctx) {
  (void)ctx;
  freed++;
}

/* The code of a failure value, which it takes over: a map returns it, and the error event tells. */
static belay_value give_back(void *ctx, belay_value value) {
  (void)value;
  return belay_value_retain(*(belay_value *)ctx);
}
static void note_code(void *ctx, const belay_error *error) {
  *(int *)ctx = belay_error_code(error);
}
static int failure_code(belay_value v) {
  int code = 0;
  if (belay_value_kind(v) == BELAY_KIND_FAILURE) {
    belay_signal *signal = belay_signal_chain(belay_signal_just(belay_null()),
                                              belay_op_map(give_back, &v, NULL));
    belay_observer observer = {.size = sizeof observer, .error = note_code, .ctx = &code};
    CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
    belay_signal_release(signal);
  }
  belay_value_release(v);
  return code;
}

static void strings_are_copied(void) {
  char text[] = "grüße";
  long long before = LIVE();
  belay_value v = belay_string(text);
  CHECK_INT(LIVE(), before + 1);
  memset(text, 'x', sizeof text - 1);
  belay_view view = {NULL, 0};
  CHECK_INT(belay_value_kind(v), BELAY_KIND_STRING);
  CHECK_INT(belay_value_get_string(v, &view), 0);
  CHECK_INT(view.size, strlen("grüße"));
  CHECK_STRING(view.data, "grüße");
  belay_view bytes = {NULL, 0};
  CHECK_INT(belay_value_get_bytes(v, &bytes), 0);
  CHECK(bytes.data == view.data && bytes.size == view.size);
  belay_value_release(v);
  CHECK_INT(LIVE(), before);
}

static void strings_may_hold_nuls(void) {
  static const char text[] = "a\0b\0";
  belay_value v = belay_string_n(text, sizeof text), cut = belay_string(text);
  belay_view view;
  CHECK_INT(belay_value_get_string(v, &view), 0);
  CHECK_INT(view.size, sizeof text);
  CHECK(memcmp(view.data, text, sizeof text) == 0);
  CHECK_INT(view.data[view.size], 0);
  CHECK_INT(belay_value_get_string(cut, &view), 0);
  CHECK_INT(view.size, 1);
  CHECK(!belay_value_equal(v, cut));
  belay_value_release(v);
  belay_value_release(cut);
}

static void strings_of_no_length(void) {
  belay_value made[] = {belay_string(""), belay_string_n("", 0), belay_string_n("abc", 0)};
  for (int i = 0; i < 3; i++) {
    belay_view view = {NULL, 9};
    CHECK_INT(belay_value_kind(made[i]), BELAY_KIND_STRING);
    CHECK_INT(belay_value_get_string(made[i], &view), 0);
    CHECK_INT(view.size, 0);
    CHECK_STRING(view.data, "");
    belay_value_release(made[i]);
  }
  CHECK_INT(belay_value_kind(belay_string(NULL)), BELAY_KIND_NULL);
  CHECK_INT(belay_value_kind(belay_string_n(NULL, 0)), BELAY_KIND_NULL);
}

static void text_that_is_utf8(void) {
  static const char *const good[] = {
      "\x7f",             "\xc2\x80",         "\xdf\xbf",         "\xe0\xa0\x80", "\xed\x9f\xbf",
      "\xee\x80\x80",     "\xef\xbf\xbf",     "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf",
      "\xef\xbb\xbf" "x", "a\xe2\x82\xac" "b"};
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    belay_value v = belay_string(good[i]);
    belay_view view = {NULL, 0};
    CHECK_INT(belay_value_get_string(v, &view), 0);
    CHECK_STRING(view.data, good[i]);
    belay_value_release(v);
  }
  CHECK(!belay_last_error());
}

static void text_that_is_not_utf8(void) {
  static const char *const bad[] = {
      "\x80",             "\xbf",             /* a continuation alone */
      "\xc0\x80",         "\xc1\xbf",         /* overlong, two bytes */
      "\xe0\x80\x80",     "\xe0\x9f\xbf",     /* overlong, three */
      "\xf0\x80\x80\x80", "\xf0\x8f\xbf\xbf", /* overlong, four */
      "\xed\xa0\x80",     "\xed\xbf\xbf",     /* surrogates */
      "\xed\xa0\x80\xed\xb0\x80",             /* a pair of them */
      "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", /* beyond U+10FFFF */
      "\xf8\x88\x80\x80\x80", "\xfc\x84\x80\x80\x80\x80", "\xfe", "\xff",
      "\xc2",             "\xe2\x82",         "\xf0\x9f\x98", /* truncated */
      "\xc2" "a",         "\xe2\x82" "a",     "\xf0\x9f\x98" "a",
      "abc\xe2",          "\xe2" "a\x82\xac", "ok\xff" "ok"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    long long before = LIVE();
    belay_value v = belay_string(bad[i]);
    CHECK_INT(belay_value_kind(v), BELAY_KIND_FAILURE);
    CHECK_INT(failure_code(v), BELAY_EILSEQ);
    v = belay_bytes(bad[i], strlen(bad[i]));
    CHECK_INT(belay_value_kind(v), BELAY_KIND_BYTES);
    belay_value_release(v);
    belay_last_error();
    belay_last_error();
    CHECK_INT(LIVE(), before);
  }
  CHECK_INT(failure_code(belay_string_n("\xe2\x82\xac", 2)), BELAY_EILSEQ);
  CHECK_INT(failure_code(belay_string_n("\0\xff", 2)), BELAY_EILSEQ);
}

static void bytes_are_copied(void) {
  unsigned char data[] = {0, 255, 128, 0};
  belay_value v = belay_bytes(data, sizeof data);
  belay_view view = {NULL, 0};
  data[0] = 7;
  CHECK_INT(belay_value_kind(v), BELAY_KIND_BYTES);
  CHECK_INT(belay_value_get_bytes(v, &view), 0);
  CHECK_INT(view.size, 4);
  CHECK(memcmp(view.data, "\0\xff\x80\0", 4) == 0);
  belay_view same = view;
  CHECK_FAILS(belay_value_get_string(v, &view), BELAY_EKIND);
  CHECK(view.data == same.data && view.size == same.size);
  belay_value_release(v);
  v = belay_bytes(NULL, 0);
  CHECK_INT(belay_value_get_bytes(v, &view), 0);
  CHECK_INT(view.size, 0);
  belay_value_release(v);
  CHECK_INT(failure_code(belay_bytes(NULL, 1)), BELAY_EINVAL);
}

struct point { int32_t x, y; };
struct place { int32_t x, y; };

static void structs_are_copied_with_their_type(void) {
  struct point p = {3, 4}, out = {0, 0};
  belay_value v = BELAY_STRUCT(struct point, &p);
  p.x = 9;
  CHECK_INT(belay_value_kind(v), BELAY_KIND_STRUCT);
  CHECK_INT(BELAY_VALUE_GET_STRUCT(v, struct point, &out), 0);
  CHECK(out.x == 3 && out.y == 4);
  CHECK_INT(belay_value_get_struct(v, "struct point", NULL, sizeof out), 0);
  out.x = 77;
  CHECK_FAILS(BELAY_VALUE_GET_STRUCT(v, struct place, (struct place *)&out), BELAY_EKIND);
  CHECK_FAILS(belay_value_get_struct(v, "struct poin", &out, sizeof out), BELAY_EKIND);
  CHECK_FAILS(belay_value_get_struct(v, "struct points", &out, sizeof out), BELAY_EKIND);
  CHECK_FAILS(belay_value_get_struct(v, "struct point", &out, sizeof out - 1), BELAY_ERANGE);
  CHECK_FAILS(belay_value_get_struct(v, "struct point", &out, sizeof out + 1), BELAY_ERANGE);
  CHECK_FAILS(belay_value_get_struct(belay_int32(1), "struct point", &out, 4), BELAY_EKIND);
  CHECK_INT(out.x, 77);
  char name[] = "struct point"; /* compared as text, not by address */
  CHECK_INT(belay_value_get_struct(v, name, &out, sizeof out), 0);
  CHECK_INT(out.x, 3);
  belay_value_release(v);
}

static void destructor_of_an_owned_pointer_runs_once(void) {
  int object = 1;
  void *out = NULL;
  freed = 0;
  belay_value v = belay_pointer_owned(&object, count_free);
  CHECK_INT(belay_value_kind(v), BELAY_KIND_POINTER);
  CHECK_INT(belay_value_get_pointer(v, &out), 0);
  CHECK(out == &object);
  belay_value again = belay_value_retain(v);
  CHECK(belay_value_equal(v, again));
  belay_value array = belay_array_of(&again, 1);
  belay_value_release(v);
  CHECK_INT(freed, 0);
  belay_value_release(array);
  CHECK_INT(freed, 1);
  belay_value_release(belay_pointer_owned(&object, NULL));
  CHECK_INT(freed, 1);
}

static void retain_and_release_count_references(void) {
  long long before = LIVE();
  belay_value v = belay_string("kept");
  for (int i = 0; i < 1000; i++) {
    belay_value again = belay_value_retain(v);
    CHECK(memcmp(&again, &v, sizeof v) == 0);
  }
  CHECK_INT(LIVE(), before + 1);
  for (int i = 0; i < 1000; i++) belay_value_release(v);
  CHECK_INT(LIVE(), before + 1);
  belay_view view;
  CHECK_INT(belay_value_get_string(v, &view), 0);
  CHECK_STRING(view.data, "kept");
  belay_value_release(v);
  CHECK_INT(LIVE(), before);
}

static void arrays_own_their_items(void) {
  long long before = LIVE();
  belay_value inner[] = {belay_int32(1), belay_string("two"), belay_null()};
  belay_value outer[] = {belay_array_of(inner, 3), belay_array_of(NULL, 0), belay_double(0.5)};
  belay_value v = belay_array_of(outer, 3), item, deep;
  CHECK_INT(LIVE(), before + 4);
  CHECK_INT(belay_value_kind(v), BELAY_KIND_ARRAY);
  CHECK_INT(belay_value_count(v), 3);
  CHECK_INT(belay_value_get_item(v, 0, &item), 0);
  CHECK_INT(belay_value_count(item), 3);
  CHECK_INT(belay_value_get_item(item, 1, &deep), 0);
  belay_view view;
  CHECK_INT(belay_value_get_string(deep, &view), 0);
  CHECK_STRING(view.data, "two");
  CHECK_INT(belay_value_get_item(v, 1, &item), 0);
  CHECK_INT(belay_value_kind(item), BELAY_KIND_ARRAY);
  CHECK_INT(belay_value_count(item), 0);
  CHECK_INT(belay_value_get_item(v, 2, NULL), 0);
  item = belay_int32(99);
  CHECK_FAILS(belay_value_get_item(v, 3, &item), BELAY_ERANGE);
  CHECK_FAILS(belay_value_get_item(v, SIZE_MAX, &item), BELAY_ERANGE);
  CHECK(belay_value_equal(item, belay_int32(99)));
  CHECK_FAILS(belay_value_get_item(belay_int32(1), 0, &item), BELAY_EKIND);
  belay_value kept = belay_value_retain(deep);
  belay_value_release(v);
  CHECK_INT(LIVE(), before + 1);
  CHECK_INT(belay_value_get_string(kept, &view), 0);
  CHECK_STRING(view.data, "two");
  belay_value_release(kept);
  CHECK_INT(LIVE(), before);
}

static void only_arrays_have_a_count(void) {
  CHECK_INT(belay_value_count(belay_null()), 0);
  CHECK_INT(belay_value_count(belay_int32(7)), 0);
  belay_value v = belay_string("abc");
  CHECK_INT(belay_value_count(v), 0);
  belay_value_release(v);
}

static void arrays_may_be_deep(void) {
  belay_value v = belay_string("core");
  for (int i = 0; i < 1000; i++) v = belay_array_of(&v, 1);
  belay_value other = belay_string("core");
  for (int i = 0; i < 1000; i++) other = belay_array_of(&other, 1);
  CHECK(belay_value_equal(v, other));
  CHECK(belay_value_describe(v, NULL, 0) > 0);
  belay_value_release(v);
  belay_value_release(other);
}

/* A handle goes in, comes out as the same one, and is kept by the value. */
#define HANDLE(type, noun, make, drop)                                            \
  do {                                                                            \
    type *check_h = (make);                                                       \
    CHECK(check_h != NULL);                                                       \
    belay_value check_v = belay_value_from_##noun(check_h);                          \
    belay_value check_w = belay_value_from_##noun(check_h);                          \
    drop;                                                                         \
    CHECK(belay_value_get_##noun(check_v) == check_h);                                \
    CHECK(belay_value_equal(check_v, check_w));                                   \
    CHECK(!belay_value_equal(check_v, belay_null()));                             \
    CHECK(belay_value_describe(check_v, NULL, 0) > 0);                            \
    CHECK_STRING(belay_kind_name(belay_value_kind(check_v)), #noun);              \
    CHECK(!belay_last_error());                                                   \
    CHECK_FAILS(belay_value_get_pointer(check_v, NULL), BELAY_EKIND);             \
    CHECK(belay_value_get_##noun(belay_int32(1)) == NULL);                            \
    CHECK_INT(belay_error_code(belay_last_error()), BELAY_EKIND);                 \
    belay_value_release(check_v);                                                 \
    belay_value_release(check_w);                                                 \
    CHECK_INT(belay_value_kind(belay_value_from_##noun(NULL)), BELAY_KIND_NULL);     \
    CHECK(!belay_last_error());                                                   \
  } while (0)

static belay_subscriber *kept_subscriber;
static belay_disposable *keep_subscriber(void *ctx, belay_subscriber *subscriber) {
  (void)ctx;
  kept_subscriber = belay_subscriber_retain(subscriber);
  return NULL;
}

static void handles_as_values(void) {
  belay_owner *owner = belay_owner_create(NULL, NULL, NULL, NULL);
  HANDLE(belay_signal, signal, belay_signal_never(), belay_signal_release(check_h));
  HANDLE(belay_disposable, disposable, belay_boolean_create(), belay_disposable_release(check_h));
  HANDLE(belay_bag, bag, belay_bag_create(), belay_bag_release(check_h));
  HANDLE(belay_weak, weak, belay_weak_create(owner), belay_weak_release(check_h));
  HANDLE(belay_error, error, belay_error_create(-1, NULL, NULL, belay_null(), NULL),
         belay_error_release(check_h));
  HANDLE(belay_scheduler, scheduler, belay_scheduler_immediate(), (void)0);
  HANDLE(belay_owner, owner, owner, belay_owner_release(check_h));

  belay_signal *signal = belay_signal_create(keep_subscriber, NULL, NULL, NULL);
  belay_disposable *subscription = NULL;
  CHECK_INT(belay_signal_subscribe(signal, &(belay_observer){.size = sizeof(belay_observer)},
                                   &subscription), 0);
  HANDLE(belay_subscriber, subscriber, kept_subscriber, belay_subscriber_release(check_h));
  CHECK_INT(belay_disposable_is_disposed(subscription), 1); /* the last reference went */
  belay_disposable_release(subscription);
  belay_signal_release(signal);

  belay_loop *loop = belay_loop_create(NULL);
  CHECK_INT(belay_loop_close(loop, NULL, NULL, NULL), 0);
  HANDLE(belay_loop, loop, loop, belay_loop_release(check_h));
}

static void a_value_keeps_an_owner_alive(void) {
  belay_owner *owner = belay_owner_create("object", trace_action, trace_free, NULL);
  belay_value v = belay_value_from_owner(owner);
  belay_owner_release(owner);
  CHECK_TRACE("");
  CHECK_INT(belay_owner_is_dying(belay_value_get_owner(v)), 0);
  belay_value_release(v);
  CHECK_TRACE("action object | free object");
}

static void a_value_keeps_a_bag_alive(void) {
  belay_bag *bag = belay_bag_create();
  belay_disposable *d = belay_disposable_create(trace_action, "d", trace_free);
  CHECK_INT(belay_bag_add(bag, d), 0);
  belay_disposable_release(d);
  belay_value v = belay_value_from_bag(bag);
  belay_bag_release(bag);
  CHECK_TRACE("");
  belay_value_release(v);
  CHECK_TRACE("action d | free d");
}

static void boxes_are_equal_by_content(void) {
  struct point p = {1, 2}, q = {1, 2}, r = {1, 3};
  belay_value a[] = {belay_int32(1), belay_string("x")}, b[] = {belay_int32(1), belay_string("x")};
  belay_value c[] = {belay_int32(1), belay_string("y")};
  const struct { belay_value one, other; int equal; } pairs[] = {
      {belay_string("abc"), belay_string("abc"), 1},
      {belay_string("abc"), belay_string("abd"), 0},
      {belay_string("abc"), belay_string("ab"), 0},
      {belay_string(""), belay_string(""), 1},
      {belay_string("abc"), belay_bytes("abc", 3), 0},
      {belay_string_n("a\0b", 3), belay_string_n("a\0c", 3), 0},
      {belay_bytes("\0\1", 2), belay_bytes("\0\1", 2), 1},
      {belay_bytes("\0\1", 2), belay_bytes("\0\2", 2), 0},
      {BELAY_STRUCT(struct point, &p), BELAY_STRUCT(struct point, &q), 1},
      {BELAY_STRUCT(struct point, &p), BELAY_STRUCT(struct point, &r), 0},
      {BELAY_STRUCT(struct point, &p), belay_struct("struct place", &p, sizeof p), 0},
      {belay_array_of(a, 2), belay_array_of(b, 2), 1},
      {belay_array_of(c, 2), belay_array_of(NULL, 0), 0},
      {belay_array_of(NULL, 0), belay_array_of(NULL, 0), 1},
      {belay_string("1"), belay_int32(1), 0},
      {belay_value_failure(-5, "disk 1"), belay_value_failure(-5, "disk 1"), 1},
      {belay_value_failure(-5, "disk 1"), belay_value_failure(-5, "disk 2"), 0},
      {belay_value_failure(-5, "disk 1"), belay_value_failure(-6, "disk 1"), 0},
  };
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    if (belay_value_equal(pairs[i].one, pairs[i].other) != pairs[i].equal ||
        belay_value_equal(pairs[i].other, pairs[i].one) != pairs[i].equal)
      check_failed(__FILE__, __LINE__, "pair %zu", i);
    CHECK(belay_value_equal(pairs[i].one, pairs[i].one));
    belay_value_release(pairs[i].one);
    belay_value_release(pairs[i].other);
  }
}

static void handles_are_equal_by_identity(void) {
  belay_disposable *d = belay_boolean_create(), *e = belay_boolean_create();
  belay_value a = belay_value_from_disposable(d), b = belay_value_from_disposable(d);
  belay_value c = belay_value_from_disposable(e);
  CHECK(belay_value_equal(a, b));
  CHECK(!belay_value_equal(a, c));
  belay_value_release(a);
  belay_value_release(b);
  belay_value_release(c);
  belay_disposable_release(d);
  belay_disposable_release(e);
}

/* Describing: whatever the size, the same text, cut, ended by a NUL, nothing written beyond. */
static void described(belay_value v) {
  char whole[512], cut[512];
  memset(whole, '#', sizeof whole);
  size_t length = belay_value_describe(v, whole, sizeof whole);
  CHECK(length > 0 && length < sizeof whole);
  CHECK_INT(strlen(whole), length);
  CHECK_INT(belay_value_describe(v, NULL, 0), length);
  CHECK_INT(belay_value_describe(v, cut, 0), length);
  for (size_t size = 1; size <= length + 2; size++) {
    memset(cut, '#', sizeof cut);
    CHECK_INT(belay_value_describe(v, cut, size), length);
    size_t kept = strlen(cut);
    CHECK(kept < size && (kept == length || kept + 4 >= size));
    CHECK((whole[kept] & 0xC0) != 0x80); /* a character is not halved */
    CHECK(memcmp(cut, whole, kept) == 0);
    CHECK(size >= sizeof cut || cut[size] == '#');
  }
  belay_value_release(v);
}

static void describing_is_cut_to_size(void) {
  struct point p = {1, 2};
  belay_value items[] = {belay_int32(1), belay_string("zwei"), belay_null()};
  described(belay_null());
  described(belay_bool(1));
  described(belay_int64(INT64_MIN));
  described(belay_uint64(UINT64_MAX));
  described(belay_float(0.1f));
  described(belay_double(-1.5e300));
  described(belay_pointer(&p));
  described(belay_pointer_owned(&p, NULL));
  described(belay_value_failure(BELAY_ENOENT, "no such thing"));
  described(belay_string("a longer text with \"quotes\" and ümläuts"));
  described(belay_bytes("\0\1\2\xff", 4));
  described(BELAY_STRUCT(struct point, &p));
  described(belay_array_of(items, 3));
  described(belay_array_of(NULL, 0));
}

static void describing_tells_the_number(void) {
  char text[64];
  belay_value_describe(belay_int32(-42), text, sizeof text);
  CHECK_STRING(text, "-42");
  belay_value_describe(belay_uint64(UINT64_MAX), text, sizeof text);
  CHECK_STRING(text, "18446744073709551615");
  belay_value_describe(belay_int64(INT64_MIN), text, sizeof text);
  CHECK_STRING(text, "-9223372036854775808");
  belay_value_describe(belay_double(0.5), text, sizeof text);
  CHECK_STRING(text, "0.5");
}

static void failure_values(void) {
  long long before = LIVE();
  belay_value v = belay_value_failure(BELAY_ENOENT, "no such thing");
  CHECK_INT(belay_value_kind(v), BELAY_KIND_FAILURE);
  CHECK_FAILS(belay_value_get_string(v, NULL), BELAY_EKIND);
  CHECK(belay_value_get_error(v) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EKIND);
  CHECK_INT(failure_code(v), BELAY_ENOENT);
  CHECK_INT(failure_code(belay_value_failure(0, NULL)), BELAY_EINVAL);
  CHECK_INT(failure_code(belay_value_failure(5, "positive")), BELAY_EINVAL);
  CHECK_INT(failure_code(belay_value_failure(INT_MIN, NULL)), INT_MIN);
  CHECK_INT(failure_code(belay_value_failure(-77777, NULL)), -77777);
  CHECK_INT(LIVE(), before);
}

/* A failure value is an ordinary value where no callback returns it. */
static void a_failure_value_is_ordinary_elsewhere(void) {
  belay_observer observer = tracing("");
  belay_signal *signal = belay_signal_just(belay_value_failure(BELAY_ENOENT, "x"));
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  CHECK(strncmp(trace_text(), "next ", 5) == 0);
  CHECK(strstr(trace_text(), "completed | disposed | free") != NULL);
  belay_signal_release(signal);
}

/* Given away in every case: the box is gone when the call has failed. */
static void a_value_given_away_is_released_on_failure(void) {
  long long before = LIVE();
  belay_signal *never = belay_signal_never();
  CHECK_FAILS(belay_subject_next(never, belay_string("wrong kind")), BELAY_EKIND);
  CHECK_INT(belay_subject_next(NULL, belay_string("null")), BELAY_EINVAL);
  CHECK_INT(belay_subscriber_next(NULL, belay_string("null")), BELAY_EINVAL);
  belay_signal_release(never);
  belay_signal *ended = belay_subject_create(NULL);
  CHECK_INT(belay_subject_completed(ended), 0);
  CHECK_INT(belay_subject_next(ended, belay_string("too late")), BELAY_EENDED);
  belay_signal_release(ended);
  CHECK(belay_op_scan(belay_string("seed"), NULL, NULL, NULL) == NULL);
  CHECK_INT(LIVE(), before);
}

static const test_case cases[] = {
    CASE(strings_are_copied),
    CASE(strings_may_hold_nuls),
    CASE(strings_of_no_length),
    CASE(text_that_is_utf8),
    CASE(text_that_is_not_utf8),
    CASE(bytes_are_copied),
    CASE(structs_are_copied_with_their_type),
    CASE(destructor_of_an_owned_pointer_runs_once),
    CASE(retain_and_release_count_references),
    CASE(arrays_own_their_items),
    CASE(only_arrays_have_a_count),
    CASE(arrays_may_be_deep),
    CASE(handles_as_values),
    CASE(a_value_keeps_an_owner_alive),
    CASE(a_value_keeps_a_bag_alive),
    CASE(boxes_are_equal_by_content),
    CASE(handles_are_equal_by_identity),
    CASE(describing_is_cut_to_size),
    CASE(describing_tells_the_number),
    CASE(failure_values),
    CASE(a_failure_value_is_ordinary_elsewhere),
    CASE(a_value_given_away_is_released_on_failure),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
