/* Asking for the kind of a value, and trying to read it: nothing is recorded. */
#include "check.h"

#include <unistd.h>

static belay_subscriber *lent_subscriber;
static belay_disposable *keep_subscriber(void *ctx, belay_subscriber *subscriber) {
  lent_subscriber = belay_subscriber_retain(subscriber);
  return NULL;
}

enum { KINDS = BELAY_KIND_STREAM + 1 };
/* Whether the value is of each kind. */
static void ask(belay_value v, int *answers) {
  const int asked[KINDS] = {
      belay_value_is_null(v),
      belay_value_is_bool(v),
      belay_value_is_int8(v),
      belay_value_is_int16(v),
      belay_value_is_int32(v),
      belay_value_is_int64(v),
      belay_value_is_uint8(v),
      belay_value_is_uint16(v),
      belay_value_is_uint32(v),
      belay_value_is_uint64(v),
      belay_value_is_float(v),
      belay_value_is_double(v),
      belay_value_is_pointer(v),
      belay_value_is_failure(v),
      belay_value_is_string(v),
      belay_value_is_bytes(v),
      belay_value_is_struct(v),
      belay_value_is_array(v),
      belay_value_is_signal(v),
      belay_value_is_subscriber(v),
      belay_value_is_disposable(v),
      belay_value_is_bag(v),
      belay_value_is_owner(v),
      belay_value_is_weak(v),
      belay_value_is_loop(v),
      belay_value_is_scheduler(v),
      belay_value_is_error(v),
      belay_value_is_stream(v),
  };
  memcpy(answers, asked, sizeof asked);
}
/* Whether it can be had as one of each kind; what is stored is of that size. */
static void try_each(belay_value v, int *answers) {
  static union {
    int truth; int8_t i8; int16_t i16; int32_t i32; int64_t i64;
    uint8_t u8; uint16_t u16; uint32_t u32; uint64_t u64; float single; double real;
    void *pointer; belay_view view; belay_signal *signal; belay_subscriber *subscriber;
    belay_disposable *disposable; belay_bag *bag; belay_owner *owner; belay_weak *weak;
    belay_loop *loop; belay_scheduler *scheduler; const belay_error *error; belay_stream *stream;
  } out;
  const int tried[KINDS] = {
      belay_value_try(v, BELAY_KIND_NULL, NULL),
      belay_value_try_bool(v, &out.truth), belay_value_try_int8(v, &out.i8),
      belay_value_try_int16(v, &out.i16), belay_value_try_int32(v, &out.i32),
      belay_value_try_int64(v, &out.i64), belay_value_try_uint8(v, &out.u8),
      belay_value_try_uint16(v, &out.u16), belay_value_try_uint32(v, &out.u32),
      belay_value_try_uint64(v, &out.u64), belay_value_try_float(v, &out.single),
      belay_value_try_double(v, &out.real), belay_value_try_pointer(v, &out.pointer),
      belay_value_try(v, BELAY_KIND_FAILURE, NULL), belay_value_try_string(v, &out.view),
      belay_value_try_bytes(v, &out.view), belay_value_try(v, BELAY_KIND_STRUCT, NULL),
      belay_value_try(v, BELAY_KIND_ARRAY, NULL), belay_value_try_signal(v, &out.signal),
      belay_value_try_subscriber(v, &out.subscriber),
      belay_value_try_disposable(v, &out.disposable), belay_value_try_bag(v, &out.bag),
      belay_value_try_owner(v, &out.owner), belay_value_try_weak(v, &out.weak),
      belay_value_try_loop(v, &out.loop), belay_value_try_scheduler(v, &out.scheduler),
      belay_value_try_error(v, &out.error),
      belay_value_try_stream(v, &out.stream)};
  memcpy(answers, tried, sizeof tried);
}

static void each_kind_is_asked_for_and_tried(void) {
  int point[2] = {1, 2};
  belay_signal *signal = belay_signal_create(keep_subscriber, NULL, NULL, NULL);
  belay_disposable *disposable = NULL;
  belay_observer observer = BELAY_INIT(belay_observer);
  CHECK_INT(belay_signal_subscribe(signal, &observer, &disposable), 0);
  belay_bag *bag = belay_bag_create();
  belay_owner *owner = belay_owner_create(NULL, NULL, NULL, NULL);
  belay_weak *weak = belay_weak_create(owner);
  belay_loop *loop = belay_loop_create(NULL);
  belay_error *error = belay_error_create(-5, NULL, NULL, belay_null(), NULL);
  int ends[2];
  CHECK_INT(pipe(ends), 0);
  close(ends[1]);
  belay_stream *stream = belay_stream_open(loop, ends[0], NULL);
  belay_value item = belay_int32(1);
  belay_value of_kind[KINDS] = {
      belay_null(), belay_bool(1), belay_int8(-1), belay_int16(-1), belay_int32(-1),
      belay_int64(-1), belay_uint8(1), belay_uint16(1), belay_uint32(1), belay_uint64(1),
      belay_float(1), belay_double(1), belay_pointer(point), belay_value_failure(-5, NULL),
      belay_string("text"), belay_bytes("bytes", 5), belay_struct("point", point, sizeof point),
      belay_array_of(&item, 1), belay_value_from_signal(signal),
      belay_value_from_subscriber(lent_subscriber), belay_value_from_disposable(disposable),
      belay_value_from_bag(bag), belay_value_from_owner(owner), belay_value_from_weak(weak),
      belay_value_from_loop(loop), belay_value_from_scheduler(belay_loop_get_scheduler(loop)),
      belay_value_from_error(error), BELAY_VALUE(stream)};
  for (int kind = 0; kind < KINDS; kind++) {
    int answers[KINDS], is_number = kind >= BELAY_KIND_INT8 && kind <= BELAY_KIND_UINT64;
    ask(of_kind[kind], answers);
    for (int asked = 0; asked < KINDS; asked++)
      if (answers[asked] != (asked == kind))
        check_failed(__FILE__, __LINE__, "kind %d is %d: %d", kind, asked, answers[asked]);
    try_each(of_kind[kind], answers);
    for (int tried = 0; tried < KINDS; tried++) {
      int negative = kind <= BELAY_KIND_INT64;
      int expected = tried == kind || (kind == BELAY_KIND_STRING && tried == BELAY_KIND_BYTES) ||
                     (kind == BELAY_KIND_FLOAT && tried == BELAY_KIND_DOUBLE) ||
                     (is_number && (tried == BELAY_KIND_DOUBLE ||
                                    (tried >= BELAY_KIND_INT8 && tried <= BELAY_KIND_INT64) ||
                                    (!negative && tried >= BELAY_KIND_UINT8 &&
                                     tried <= BELAY_KIND_UINT64)));
      if (expected ? answers[tried] != 0
                   : answers[tried] != BELAY_EKIND && answers[tried] != BELAY_ERANGE)
        check_failed(__FILE__, __LINE__, "kind %d as %d: %d", kind, tried, answers[tried]);
      CHECK_INT(belay_value_try(of_kind[kind], (belay_kind)tried, NULL), answers[tried]);
    }
    CHECK_INT(belay_value_try(of_kind[kind], (belay_kind)99, NULL), BELAY_EINVAL);
    CHECK(!belay_last_error());
  }
  for (int kind = 0; kind < KINDS; kind++) belay_value_release(of_kind[kind]);
  belay_subscriber_release(lent_subscriber);
  belay_disposable_release(disposable), belay_signal_release(signal), belay_bag_release(bag);
  belay_weak_release(weak), belay_owner_release(owner), belay_error_release(error);
  belay_stream_release(stream);
  CHECK_INT(belay_loop_close(loop, NULL, NULL, NULL), 0);
  belay_loop_release(loop);
}

static void what_is_tried_is_stored(void) {
  int64_t integer = 99;
  int32_t small = 99;
  int8_t smallest = 99;
  double real = 99;
  void *pointer = &real;
  belay_view view = {NULL, 0};
  belay_value owned = belay_pointer_owned(&integer, NULL), item = belay_int32(4), got;
  belay_value typed = belay_pointer_typed("thing", &real, NULL);
  CHECK_INT(belay_value_try_int64(belay_int64(INT64_MIN), &integer), 0);
  CHECK(integer == INT64_MIN);
  CHECK_INT(belay_value_try_int64(belay_uint8(7), &integer), 0);
  CHECK(integer == 7);
  CHECK_INT(belay_value_try_int64(belay_double(1), &integer), BELAY_EKIND);
  CHECK_INT(belay_value_try_int64(belay_uint64(UINT64_MAX), &integer), BELAY_ERANGE);
  CHECK(integer == 7);
  CHECK_INT(belay_value_try_int32(belay_int64(INT32_MIN), &small), 0);
  CHECK(small == INT32_MIN);
  CHECK_INT(belay_value_try_int32(belay_int64((int64_t)INT32_MIN - 1), &small), BELAY_ERANGE);
  CHECK_INT(belay_value_try_int8(belay_int64(-128), &smallest), 0);
  CHECK_INT(smallest, -128);
  CHECK_INT(belay_value_try_int8(belay_int64(128), &smallest), BELAY_ERANGE);
  CHECK_INT(belay_value_try_double(belay_double(-0.5), &real), 0);
  CHECK(real == -0.5);
  CHECK_INT(belay_value_try_double(belay_float(0.25f), &real), 0);
  CHECK(real == 0.25);
  CHECK_INT(belay_value_try_pointer(belay_pointer(&integer), &pointer), 0);
  CHECK(pointer == &integer);
  CHECK_INT(belay_value_try_pointer(owned, &pointer), 0);
  CHECK(pointer == &integer);
  CHECK_INT(belay_value_try_typed(typed, "thing", &pointer), 0);
  CHECK(pointer == &real);
  CHECK_INT(belay_value_try_typed(typed, "other", &pointer), BELAY_EKIND);
  CHECK_INT(belay_value_try_typed(typed, NULL, &pointer), BELAY_EINVAL);
  belay_value text = belay_string("text"), array = belay_array_of(&item, 1);
  belay_value record = belay_struct("int", &small, sizeof small);
  CHECK_INT(belay_value_try_string(text, &view), 0);
  CHECK_STRING(view.data, "text");
  CHECK_INT(belay_value_try_item(array, 0, &got), 0);
  CHECK(belay_value_equal(got, item));
  CHECK_INT(belay_value_try_item(array, 1, &got), BELAY_ERANGE);
  CHECK_INT(belay_value_try_item(text, 0, &got), BELAY_EKIND);
  small = 0;
  CHECK_INT(belay_value_try_struct(record, "int", &small, sizeof small), 0);
  CHECK_INT(small, INT32_MIN);
  CHECK_INT(belay_value_try_struct(record, "int", &small, 2), BELAY_ERANGE);
  CHECK_INT(belay_value_try_struct(record, "other", &small, sizeof small), BELAY_EKIND);
  CHECK_INT(belay_value_try_struct(record, NULL, &small, sizeof small), BELAY_EINVAL);
  CHECK(!belay_last_error());
  belay_value_release(owned), belay_value_release(typed), belay_value_release(text);
  belay_value_release(array), belay_value_release(record);
}

static const test_case cases[] = {
    CASE(each_kind_is_asked_for_and_tried),
    CASE(what_is_tried_is_stored),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
