/* Invocations: made, kept, changed, sent again. A5-10, A3-60, A3-62. */
#include "interfaces.h"
#include "worker.h"

#include <stdbool.h>

typedef struct ops {
  int (*sum)(void *it, int a, int b);
  const char *(*join)(void *it, const char *a, const char *b);
  double (*small)(void *it, int8_t a, uint16_t b, bool c, float d, double e, void *f);
  void (*plain)(int a);
  void (*tell)(void *it, const char *text);
} ops;

static int do_sum(void *it, int a, int b) {
  trace("sum %d %d", a, b);
  return a + b;
}
static const char *do_join(void *it, const char *a, const char *b) {
  static char text[64];
  snprintf(text, sizeof text, "%s-%s", a ? a : "NULL", b ? b : "NULL");
  return text;
}
static double do_small(void *it, int8_t a, uint16_t b, bool c, float d, double e, void *f) {
  trace("%d %d %d %g %g %s", a, b, c, (double)d, e, f ? "pointer" : "NULL");
  return a + b + c + (double)d + e;
}
static void do_plain(int a) { trace("plain %d", a); }
static void do_tell(void *it, const char *text) { trace("tell %s", text ? text : "NULL"); }
static const ops full = {do_sum, do_join, do_small, do_plain, do_tell};

static const belay_method methods[] = {
    BELAY_METHOD(ops, sum, "i@ii"),       BELAY_METHOD(ops, join, "*@**"),
    BELAY_METHOD(ops, small, "d@cSBfdp"), BELAY_METHOD(ops, plain, "vi"),
    BELAY_METHOD(ops, tell, "v@*"),
};

static void made_filled_called(void) {
  belay_interface *interface = TABLE_INTERFACE(ops, methods);
  belay_invocation *call = belay_invocation_create(interface, "sum");
  belay_interface_release(interface); /* the invocation keeps what it needs of it */
  CHECK_STRING(belay_invocation_method(call), "sum");
  CHECK_INT(belay_invocation_count(call), 2);
  CHECK(belay_invocation_context(call) == NULL);
  CHECK_INT(belay_invocation_set_context(call, &call), 0);
  CHECK(belay_invocation_context(call) == &call);
  CHECK_INT(int_of(belay_invocation_result(call)), 0);
  CHECK_INT(belay_invocation_call(call, (belay_function)do_sum), 0);
  CHECK_INT(belay_invocation_set(call, 0, belay_int32(-4)), 0);
  /* arguments convert like the getters */
  CHECK_INT(belay_invocation_set(call, 1, belay_int64(7)), 0);
  CHECK_INT(belay_invocation_call(call, (belay_function)do_sum), 0);
  CHECK_INT(belay_invocation_call(call, (belay_function)do_sum), 0);
  CHECK_INT(int_of(belay_invocation_result(call)), 3);
  CHECK_TRACE("sum 0 0 | sum -4 7 | sum -4 7");
  belay_value argument;
  CHECK_INT(belay_invocation_get(call, 0, &argument), 0);
  CHECK_INT(int_of(argument), -4);
  belay_invocation_release(call);
}

static void arguments_of_each_kind(void) {
  belay_interface *interface = TABLE_INTERFACE(ops, methods);
  belay_invocation *call = belay_invocation_create(interface, "small");
  int here = 0;
  CHECK_INT(belay_invocation_set(call, 0, belay_int32(-128)), 0);
  CHECK_INT(belay_invocation_set(call, 1, belay_uint64(65535)), 0);
  CHECK_INT(belay_invocation_set(call, 2, belay_bool(true)), 0);
  CHECK_INT(belay_invocation_set(call, 3, belay_float(0.5f)), 0);
  CHECK_INT(belay_invocation_set(call, 4, belay_double(-2.25)), 0);
  CHECK_INT(belay_invocation_set(call, 5, belay_pointer(&here)), 0);
  CHECK_INT(belay_invocation_call(call, (belay_function)do_small), 0);
  CHECK_TRACE("-128 65535 1 0.5 -2.25 pointer");
  double answer;
  CHECK_INT(belay_value_get_double(belay_invocation_result(call), &answer), 0);
  CHECK(answer == -128 + 65535 + 1 + 0.5 - 2.25);
  /* An argument that does not fit leaves the old one in place. */
  CHECK_FAILS(belay_invocation_set(call, 0, belay_int32(128)), BELAY_ERANGE);
  CHECK_FAILS(belay_invocation_set(call, 1, belay_int32(-1)), BELAY_ERANGE);
  CHECK_FAILS(belay_invocation_set(call, 2, belay_string("true")), BELAY_EKIND);
  CHECK_FAILS(belay_invocation_set(call, 3, belay_double(0.1)), BELAY_EKIND);
  CHECK_FAILS(belay_invocation_set(call, 5, belay_string("text")), BELAY_EKIND);
  CHECK_FAILS(belay_invocation_set(call, 6, belay_string("text")), BELAY_ERANGE);
  CHECK_FAILS(belay_invocation_set(call, (size_t)-1, belay_int32(0)), BELAY_ERANGE);
  CHECK_INT(belay_invocation_set(call, 5, belay_null()), 0);
  CHECK_INT(belay_invocation_call(call, (belay_function)do_small), 0);
  CHECK_TRACE("-128 65535 1 0.5 -2.25 NULL");
  belay_value argument;
  CHECK_FAILS(belay_invocation_get(call, 6, &argument), BELAY_ERANGE);
  belay_invocation_release(call);
  belay_interface_release(interface);
}

static void strings_live_as_long_as_what_holds_them(void) {
  belay_interface *interface = TABLE_INTERFACE(ops, methods);
  belay_invocation *call = belay_invocation_create(interface, "join");
  CHECK_INT(belay_invocation_set(call, 0, belay_string("a")), 0);
  CHECK_INT(belay_invocation_call(call, (belay_function)do_join), 0);
  belay_value answer = belay_invocation_result(call);
  belay_view view;
  CHECK_INT(belay_value_get_string(answer, &view), 0);
  CHECK_STRING(view.data, "a-NULL");
  belay_value_release(answer);
  CHECK_INT(belay_invocation_set(call, 1, belay_string("b")), 0);
  CHECK_FAILS(belay_invocation_set(call, 1, belay_string_n("b\0c", 3)), BELAY_ERANGE);
  CHECK_INT(belay_invocation_call(call, (belay_function)do_join), 0);
  answer = belay_invocation_result(call);
  CHECK_INT(belay_value_get_string(answer, &view), 0);
  CHECK_STRING(view.data, "a-b");
  belay_value_release(answer);
  CHECK_INT(belay_invocation_set_result(call, belay_string("mine")), 0);
  belay_invocation_release(call);
  belay_interface_release(interface);
}

static void results_are_set(void) {
  belay_interface *interface = TABLE_INTERFACE(ops, methods);
  belay_invocation *sum = belay_invocation_create(interface, "sum");
  belay_invocation *plain = belay_invocation_create(interface, "plain");
  CHECK_INT(belay_invocation_set_result(sum, belay_int32(9)), 0);
  CHECK_INT(int_of(belay_invocation_result(sum)), 9);
  CHECK_FAILS(belay_invocation_set_result(sum, belay_int64(1LL << 40)), BELAY_ERANGE);
  CHECK_FAILS(belay_invocation_set_result(sum, belay_string("9")), BELAY_EKIND);
  CHECK_INT(int_of(belay_invocation_result(sum)), 9);
  CHECK_INT(belay_invocation_set_result(plain, belay_null()), 0);
  CHECK_FAILS(belay_invocation_set_result(plain, belay_int32(1)), BELAY_EKIND);
  CHECK(belay_value_kind(belay_invocation_result(plain)) == BELAY_KIND_NULL);
  CHECK_FAILS(belay_invocation_set_context(plain, plain), BELAY_ENOENT);
  CHECK(belay_invocation_context(plain) == NULL);
  belay_invocation_release(sum);
  belay_invocation_release(plain);
  belay_interface_release(interface);
}

/* ---- those of calls that were intercepted ---- */

static belay_invocation *kept;
static int keep(void *ctx, belay_invocation *call) {
  kept = belay_invocation_retain(call);
  if (ctx) CHECK_INT(belay_invocation_retain_arguments(call), 0);
  return belay_invocation_proceed(call);
}

static void A5_10_kept_changed_and_sent_again(void) {
  belay_interface *interface = TABLE_INTERFACE(ops, methods);
  ops table = full;
  belay_slot *slot = belay_slot_create_in_table(interface, &table, "sum", 0);
  belay_disposable *hook;
  CHECK_INT(belay_slot_around(slot, keep, NULL, NULL, &hook), 0);
  CHECK_INT(table.sum(&table, 3, 4), 7);
  end_subscription(hook);
  CHECK_INT(belay_table_gone(&table), 0);
  belay_slot_release(slot);
  CHECK_TRACE("sum 3 4");
  CHECK(belay_invocation_context(kept) == &table);
  CHECK_INT(int_of(belay_invocation_result(kept)), 7);
  CHECK_FAILS(belay_invocation_proceed(kept), BELAY_EENDED);
  CHECK_INT(belay_invocation_set(kept, 1, belay_int32(5)), 0);
  CHECK_INT(belay_invocation_call(kept, (belay_function)full.sum), 0);
  CHECK_INT(int_of(belay_invocation_result(kept)), 8);
  CHECK_TRACE("sum 3 5");
  belay_invocation_release(kept);
  belay_interface_release(interface);
}

static void A5_10_kept_with_its_arguments(void) {
  belay_interface *interface = TABLE_INTERFACE(ops, methods);
  ops table = full;
  belay_slot *slot = belay_slot_create_in_table(interface, &table, "tell", 0);
  belay_disposable *hook;
  CHECK_INT(belay_slot_around(slot, keep, "and its strings", NULL, &hook), 0);
  char *text = malloc(8);
  strcpy(text, "gone");
  table.tell(&table, text);
  free(text);
  CHECK_INT(belay_invocation_call(kept, (belay_function)do_tell), 0);
  CHECK_TRACE("tell gone | tell gone");
  belay_invocation_release(kept);
  table.tell(&table, NULL);
  CHECK_INT(belay_invocation_call(kept, (belay_function)do_tell), 0);
  CHECK_TRACE("tell NULL | tell NULL");
  belay_invocation_release(kept);
  end_subscription(hook);
  CHECK_INT(belay_table_gone(&table), 0);
  belay_slot_release(slot);
  belay_interface_release(interface);
}

static int twice(void *ctx, belay_invocation *call) {
  CHECK_INT(belay_invocation_proceed(call), 0);
  CHECK_INT(belay_invocation_set(call, 0, belay_int32(10)), 0);
  return belay_invocation_proceed(call);
}

static void A5_10_an_interceptor_sends_it_twice(void) {
  belay_interface *interface = TABLE_INTERFACE(ops, methods);
  ops table = full;
  belay_slot *slot = belay_slot_create_in_table(interface, &table, "sum", 0);
  belay_disposable *inner, *outer;
  CHECK_INT(belay_slot_around(slot, twice, NULL, NULL, &inner), 0);
  CHECK_INT(belay_slot_around(slot, twice, NULL, NULL, &outer), 0);
  CHECK_INT(table.sum(&table, 3, 4), 14);
  CHECK_TRACE("sum 3 4 | sum 10 4 | sum 10 4 | sum 10 4");
  end_subscription(inner);
  end_subscription(outer);
  CHECK_INT(belay_table_gone(&table), 0);
  belay_slot_release(slot);
  belay_interface_release(interface);
}

/* ---- a method lifted over signals ---- */

enum { MANY = 16 };
typedef struct wide_ops {
  int (*total)(void *it, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int,
               int);
} wide_ops;
static int do_total(void *it, int a, int b, int c, int d, int e, int f, int g, int h, int i, int j,
                    int k, int l, int m, int n, int o, int p) {
  return a + b + c + d + e + f + g + h + i + j + k + l + m + n + o + p;
}
static belay_value call_with(void *ctx, const belay_value *values, size_t count) {
  belay_invocation *call = ctx;
  CHECK_INT(count, belay_invocation_count(call));
  for (size_t i = 0; i < count; i++)
    CHECK_INT(belay_invocation_set(call, i, belay_value_retain(values[i])), 0);
  CHECK_INT(belay_invocation_call(call, (belay_function)do_total), 0);
  return belay_invocation_result(call);
}
static void release_invocation(void *ctx) { belay_invocation_release(ctx); }

static void A3_62_lifted_over_more_than_fifteen_signals(void) {
  static const belay_method method = BELAY_METHOD(wide_ops, total, "i@iiiiiiiiiiiiiiii");
  belay_interface *interface = belay_interface_create(&(belay_interface_description){
      .size = sizeof(belay_interface_description),
      .name = "wide",
      .table_size = sizeof(wide_ops),
      .methods = &method,
      .method_count = 1,
      .table_offset = BELAY_NO_TABLE,
  });
  belay_invocation *call = belay_invocation_create(interface, "total");
  belay_interface_release(interface);
  belay_signal *subjects[MANY], *signals[MANY];
  for (int i = 0; i < MANY; i++) {
    subjects[i] = belay_subject_create(NULL);
    signals[i] = belay_signal_retain(subjects[i]);
  }
  belay_signal *lifted =
      belay_signal_combine_latest(signals, MANY, call_with, call, release_invocation);
  watch(lifted, "total");
  for (int i = 0; i < MANY; i++) {
    CHECK_TRACE("");
    CHECK_INT(belay_subject_next(subjects[i], belay_int32(1 << i)), 0);
  }
  CHECK_TRACE("total next 65535");
  CHECK_INT(belay_subject_next(subjects[15], belay_int32(0)), 0);
  CHECK_TRACE("total next 32767");
  for (int i = 0; i < MANY; i++) belay_signal_release(subjects[i]);
  CHECK_TRACE("total disposed | total free");
}

/* ---- results that are strings ---- */

static int name_and_keep(void *ctx, belay_invocation *call) {
  static int calls;
  char text[64];
  snprintf(text, sizeof text, "the answer of call number %d", ++calls);
  CHECK_INT(belay_invocation_set_result(call, belay_string(text)), 0);
  if (calls == 1) kept = belay_invocation_retain(call);
  return 0;
}
static void check_kept_result(const char *expected) {
  belay_value result = belay_invocation_result(kept);
  belay_view view;
  CHECK_INT(belay_value_get_string(result, &view), 0);
  CHECK_STRING(view.data, expected);
  belay_value_release(result);
}
static void A5_10_kept_with_its_result(void) {
  ops table = full;
  belay_interface *interface = TABLE_INTERFACE(ops, methods);
  belay_slot *slot = belay_slot_create_in_table(interface, &table, "join", 0);
  CHECK_INT(belay_slot_around(slot, name_and_keep, NULL, NULL, NULL), 0);
  CHECK_STRING(table.join(&table, "a", "b"), "the answer of call number 1");
  check_kept_result("the answer of call number 1");
  CHECK_STRING(table.join(&table, "a", "b"), "the answer of call number 2");
  check_kept_result("the answer of call number 1");
  CHECK_INT(belay_table_gone(&table), 0);
  belay_slot_release(slot);
  belay_interface_release(interface);
  check_kept_result("the answer of call number 1");
  belay_invocation_release(kept);
}

/* What `invoked` sends is heard inside of the call, before its caller has the answer. */
static belay_value doubled(void *ctx, belay_invocation *call) {
  belay_value a;
  belay_view view;
  char text[64];
  CHECK_INT(belay_invocation_get(call, 0, &a), 0);
  CHECK_INT(belay_value_get_string(a, &view), 0);
  snprintf(text, sizeof text, "a long answer for %s", view.data);
  belay_value_release(a);
  return belay_string(text);
}
static void call_again(void *ctx, belay_value call) {
  static int calls;
  ops *table = ctx;
  if (calls++ == 0) CHECK_STRING(table->join(table, "inside", ""), "a long answer for inside");
}
static void a_call_inside_of_invoked_leaves_the_outer_answer(void) {
  ops table = full;
  table.join = NULL;
  belay_interface *interface = TABLE_INTERFACE(ops, methods);
  belay_slot *slot = belay_slot_create_in_table(interface, &table, "join", 0);
  CHECK_INT(belay_slot_respond(slot, doubled, NULL, NULL, NULL), 0);
  belay_observer observer = {.size = sizeof observer, .next = call_again, .ctx = &table};
  belay_signal *invoked = belay_slot_invoked(slot);
  CHECK_INT(belay_signal_subscribe(invoked, &observer, NULL), 0);
  belay_signal_release(invoked);
  CHECK_STRING(table.join(&table, "outside", ""), "a long answer for outside");
  CHECK_INT(belay_table_gone(&table), 0);
  belay_slot_release(slot);
  belay_interface_release(interface);
}

static void nonsense(void) {
  belay_interface *interface = TABLE_INTERFACE(ops, methods);
  belay_value value;
  CHECK(!belay_invocation_create(NULL, "sum") && !belay_invocation_create(interface, NULL));
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
  CHECK(!belay_invocation_create(interface, "none"));
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_ENOENT);
  CHECK(!belay_invocation_retain(NULL) && !belay_invocation_context(NULL));
  belay_invocation_release(NULL);
  CHECK_STRING(belay_invocation_method(NULL), "");
  CHECK_INT(belay_invocation_count(NULL), 0);
  value = belay_int32(1);
  CHECK_FAILS(belay_invocation_get(NULL, 0, &value), BELAY_EINVAL);
  CHECK(belay_value_kind(value) == BELAY_KIND_NULL);
  CHECK_FAILS(belay_invocation_set(NULL, 0, belay_string("text")), BELAY_EINVAL);
  CHECK_FAILS(belay_invocation_set_context(NULL, NULL), BELAY_EINVAL);
  CHECK_FAILS(belay_invocation_set_result(NULL, belay_string("text")), BELAY_EINVAL);
  CHECK_FAILS(belay_invocation_retain_arguments(NULL), BELAY_EINVAL);
  CHECK_FAILS(belay_invocation_call(NULL, (belay_function)do_sum), BELAY_EINVAL);
  CHECK_FAILS(belay_invocation_proceed(NULL), BELAY_EINVAL);
  CHECK(belay_value_kind(belay_invocation_result(NULL)) == BELAY_KIND_NULL);
  belay_invocation *call = belay_invocation_create(interface, "sum");
  CHECK_FAILS(belay_invocation_get(call, 0, NULL), BELAY_EINVAL);
  CHECK_FAILS(belay_invocation_call(call, NULL), BELAY_EINVAL);
  CHECK_FAILS(belay_invocation_proceed(call), BELAY_EENDED);
  belay_invocation_release(call);
  belay_interface_release(interface);
}

static const test_case cases[] = {
    CASE(made_filled_called),
    CASE(arguments_of_each_kind),
    CASE(strings_live_as_long_as_what_holds_them),
    CASE(results_are_set),
    CASE(A5_10_kept_changed_and_sent_again),
    CASE(A5_10_kept_with_its_arguments),
    CASE(A5_10_an_interceptor_sends_it_twice),
    CASE(A3_62_lifted_over_more_than_fifteen_signals),
    CASE(A5_10_kept_with_its_result),
    CASE(a_call_inside_of_invoked_leaves_the_outer_answer),
    CASE(nonsense),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
