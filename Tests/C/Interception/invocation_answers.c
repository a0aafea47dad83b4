/* What an invocation keeps of its arguments, and who answers it. A5-10, A3-60. */
#include "interfaces.h"

/* ---- answers that point into arguments ---- */

typedef struct finder {
  const char *(*skip)(void *it, const char *text);
  const void *(*same)(void *it, const void *text);
} finder;
static const char *do_skip(void *it, const char *text) { return text + strspn(text, " "); }
static const void *do_same(void *it, const void *text) { return text; }
static const belay_method finder_methods[] = {
    BELAY_METHOD(finder, skip, "*@*"), BELAY_METHOD(finder, same, "p@p"),
};
static int replace_text(void *ctx, belay_invocation *call) {
  CHECK_INT(belay_invocation_set(call, 0, belay_string(ctx)), 0);
  return belay_invocation_proceed(call);
}
static int replace_text_for_a_while(void *ctx, belay_invocation *call) {
  belay_value before;
  CHECK_INT(belay_invocation_get(call, 0, &before), 0);
  CHECK_INT(belay_invocation_set(call, 0, belay_string(ctx)), 0);
  int code = belay_invocation_proceed(call);
  CHECK_INT(belay_invocation_set(call, 0, before), 0);
  belay_invocation_retain_arguments(call);
  return code;
}
static int retain_text(void *ctx, belay_invocation *call) {
  belay_invocation_retain_arguments(call);
  return belay_invocation_proceed(call);
}
static void an_answer_that_points_into_a_replaced_argument(void) {
  finder table = {do_skip, do_same};
  belay_interface *interface = TABLE_INTERFACE(finder, finder_methods);
  belay_slot *slot = belay_slot_create_in_table(interface, &table, "skip", 0);
  belay_interface_release(interface);
  size_t values = belay_live_count(BELAY_LIVE_VALUES);
  belay_disposable *hook = NULL;
  CHECK_INT(belay_slot_around(slot, replace_text, "   of the interceptor", NULL, &hook), 0);
  const char *found = table.skip(NULL, "  of the caller");
  CHECK_STRING(found, "of the interceptor");
  /* It stays until the next such answer. */
  size_t kept = belay_live_count(BELAY_LIVE_VALUES) - values;
  CHECK_INT(kept > 0, 1);
  for (int i = 0; i < 10; i++) CHECK_STRING(table.skip(NULL, " "), "of the interceptor");
  CHECK_INT(belay_live_count(BELAY_LIVE_VALUES) - values, kept);
  end_subscription(hook);
  CHECK_INT(belay_slot_around(slot, replace_text_for_a_while, "   for a while only", NULL, &hook), 0);
  found = table.skip(NULL, " of the caller");
  CHECK_STRING(found, "for a while only");
  end_subscription(hook);
  CHECK_INT(belay_slot_around(slot, retain_text, NULL, NULL, &hook), 0);
  char text[] = " retained";
  found = table.skip(NULL, text);
  memset(text, 'x', sizeof text - 1);
  CHECK_STRING(found, "retained");
  end_subscription(hook);
  CHECK_INT(belay_table_gone(&table), 0);
  belay_slot_release(slot);
  CHECK_INT(belay_live_count(BELAY_LIVE_VALUES), values);
}

/* ---- those that answer ---- */

typedef struct answering {
  int (*sum)(void *it, int a, int b);
  const char *(*name)(void *it);
} answering;
static int do_sum(void *it, int a, int b) {
  trace("sum %d %d", a, b);
  return a + b;
}
static const belay_method methods[] = {
    BELAY_METHOD(answering, sum, "i@ii"), BELAY_METHOD(answering, name, "*@"),
};

static int proceed_twice(void *ctx, belay_invocation *call) {
  CHECK_INT(belay_invocation_proceed(call), 0);
  return belay_invocation_proceed(call);
}

static belay_value go_on(void *ctx, belay_invocation *call) {
  CHECK_FAILS(belay_invocation_proceed(call), BELAY_EENDED);
  return belay_int32(*(int *)ctx);
}
static void nothing_is_left_to_go_on_to_for_who_answers(void) {
  int answer = 4;
  answering table = {.sum = do_sum};
  belay_interface *interface = TABLE_INTERFACE(answering, methods);
  belay_slot *slot = belay_slot_create_in_table(interface, &table, "sum", 0);
  belay_disposable *responder = NULL, *hook = NULL;
  CHECK_INT(belay_slot_respond(slot, go_on, &answer, NULL, &responder), 0);
  CHECK_INT(table.sum(NULL, 1, 2), 3);
  CHECK_TRACE("sum 1 2");
  /* Who is in front of it may go on as often as before. */
  CHECK_INT(belay_slot_around(slot, proceed_twice, NULL, NULL, &hook), 0);
  CHECK_INT(table.sum(NULL, 1, 2), 3);
  CHECK_TRACE("sum 1 2 | sum 1 2");
  end_subscription(hook);
  end_subscription(responder);
  belay_disposable *ends = NULL;
  int (*function)(int) = (int (*)(int))belay_function_create("ii", NULL, go_on, &answer, NULL, &ends);
  CHECK_INT(function(3), 4);
  end_subscription(ends);
  CHECK_INT(belay_table_gone(&table), 0);
  belay_slot_release(slot);
  belay_interface_release(interface);
}

static char *present_name;
static const char *name_now(void *it) { return present_name; }
static belay_value rename_it(void *ctx, belay_invocation *call) {
  free(present_name);
  present_name = strdup("second");
  return belay_null();
}
static belay_value see_first(void *ctx, const belay_value *answers, size_t count) {
  CHECK_INT(count, 2);
  belay_view text;
  CHECK_INT(belay_value_get_string(answers[0], &text), 0);
  CHECK_STRING(text.data, "first");
  trace("combined");
  return belay_string("both");
}
static void a_responder_that_frees_what_the_original_has_answered(void) {
  answering table = {.name = name_now};
  belay_interface *interface = TABLE_INTERFACE(answering, methods);
  belay_slot *slot = belay_slot_create_in_table(interface, &table, "name", 0);
  present_name = strdup("first");
  belay_disposable *responder = NULL;
  CHECK_INT(belay_slot_respond(slot, rename_it, NULL, NULL, &responder), 0);
  CHECK_INT(belay_slot_set_combiner(slot, see_first, NULL, NULL), 0);
  CHECK_STRING(table.name(NULL), "both");
  CHECK_TRACE("combined");
  end_subscription(responder);
  CHECK_INT(belay_table_gone(&table), 0);
  belay_slot_release(slot);
  belay_interface_release(interface);
  free(present_name);
}

static void a_pointer_with_a_destructor_is_an_argument(void) {
  finder table = {do_skip, do_same};
  int freed = 0;
  belay_interface *interface = TABLE_INTERFACE(finder, finder_methods);
  belay_invocation *call = belay_invocation_create(interface, "same");
  CHECK_INT(belay_invocation_set(call, 0, belay_pointer_owned(&freed, count_free)), 0);
  CHECK_INT(belay_invocation_call(call, (belay_function)table.same), 0);
  belay_value result = belay_invocation_result(call);
  void *pointer = NULL;
  CHECK_INT(belay_value_get_pointer(result, &pointer), 0);
  CHECK(pointer == &freed);
  CHECK_INT(freed, 0);
  belay_invocation_release(call);
  CHECK_INT(freed, 1);
  belay_interface_release(interface);
}

/* The end of an argument sets it again. */
typedef struct setting {
  belay_invocation *call;
  int ends;
} setting;
static void set_again(void *pointer) {
  setting *it = pointer;
  if (++it->ends < 3)
    CHECK_INT(belay_invocation_set(it->call, 0, belay_pointer_owned(it, set_again)), 0);
}
static void an_argument_whose_destructor_sets_it(void) {
  belay_interface *interface = TABLE_INTERFACE(finder, finder_methods);
  setting it = {belay_invocation_create(interface, "same"), 0};
  CHECK_INT(belay_invocation_set(it.call, 0, belay_pointer_owned(&it, set_again)), 0);
  CHECK_INT(belay_invocation_set(it.call, 0, belay_null()), 0);
  CHECK_INT(it.ends, 1);
  it.ends = 2;
  belay_invocation_release(it.call);
  CHECK_INT(it.ends, 3);
  belay_interface_release(interface);
}

static const test_case cases[] = {
    CASE(an_answer_that_points_into_a_replaced_argument),
    CASE(nothing_is_left_to_go_on_to_for_who_answers),
    CASE(a_responder_that_frees_what_the_original_has_answered),
    CASE(a_pointer_with_a_destructor_is_an_argument),
    CASE(an_argument_whose_destructor_sets_it),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
