/* A library that was built without interception: its functions exist, say that they are not
   supported, and release what they are given. */
#include "interfaces.h"
#include "worker.h"

static belay_function resolve(void *ctx, void *object, const char *method) { return NULL; }
static belay_value respond(void *ctx, belay_invocation *call) { return belay_null(); }
static belay_value combine(void *ctx, const belay_value *values, size_t count) {
  return belay_null();
}

static void there_is_no_interface(void) {
  belay_interface_description description = {.size = sizeof description, .name = "it"};
  CHECK(!belay_interface_create(&description));
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_ENOTSUP);
  CHECK(!belay_interface_retain(NULL) && !belay_interface_method(NULL, 0));
  CHECK_STRING(belay_interface_name(NULL), "");
  CHECK_INT(belay_interface_method_count(NULL), 0);
  belay_interface_release(NULL);
}

static void nor_a_responder(void) {
  int object, freed = 0;
  belay_owner *owner = belay_owner_create(&object, NULL, NULL, NULL);
  belay_responder responder = {.size = sizeof responder,
                               .resolve = resolve,
                               .ctx = &freed,
                               .ctx_free = count_free};
  CHECK_FAILS(belay_object_set_responder(owner, &responder), BELAY_ENOTSUP);
  CHECK_FAILS(belay_object_set_responder(NULL, &responder), BELAY_EINVAL);
  CHECK_INT(freed, 2);
  CHECK_FAILS(belay_object_set_responder(owner, NULL), BELAY_EINVAL);
  CHECK_INT(belay_object_responds(owner, "it"), 0);
  belay_owner_release(owner);
}

static void nor_what_is_made_of_one(void) {
  int freed = 0;
  void *table[1] = {NULL};
  belay_value value;
  CHECK(!belay_slot_create_in_table(NULL, table, "it", 0) &&
        !belay_slot_create_in_object(NULL, NULL, "it"));
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
  CHECK(!belay_slot_sent(NULL) && !belay_slot_invoked(NULL) && !belay_slot_original(NULL));
  CHECK(!belay_slot_retain(NULL) && !belay_invocation_create(NULL, "it"));
  belay_last_error();
  belay_slot_release(NULL);
  CHECK_FAILS(belay_table_gone(NULL), BELAY_EINVAL);
  CHECK_FAILS(belay_table_gone(table), BELAY_ENOENT);
  CHECK_FAILS(belay_slot_status(NULL), BELAY_EINVAL);
  CHECK_FAILS(belay_slot_around(NULL, veto, &freed, count_free, NULL), BELAY_EINVAL);
  CHECK_FAILS(belay_slot_respond(NULL, respond, &freed, count_free, NULL), BELAY_EINVAL);
  CHECK_FAILS(belay_slot_set_combiner(NULL, combine, &freed, count_free), BELAY_EINVAL);
  CHECK_FAILS(
      belay_slot_connect(NULL, "v@", (belay_function)count_free, &freed, count_free, NULL),
      BELAY_EINVAL);
  CHECK_FAILS(belay_proxy_around(NULL, veto, &freed, count_free, NULL), BELAY_EINVAL);
  CHECK(!belay_function_create("v", NULL, respond, &freed, count_free, NULL));
  check_last_error(BELAY_ENOTSUP);
  CHECK(!belay_slot_context(belay_null()));
  check_last_error(BELAY_EKIND);
  CHECK_INT(freed, 6);
  CHECK_FAILS(belay_slot_set_default(NULL, belay_string("given away")), BELAY_EINVAL);
  CHECK_FAILS(belay_invocation_set(NULL, 0, belay_string("given away")), BELAY_EINVAL);
  CHECK_FAILS(belay_invocation_set_result(NULL, belay_string("given away")), BELAY_EINVAL);
  CHECK_FAILS(belay_invocation_get(NULL, 0, &value), BELAY_EINVAL);
  CHECK_FAILS(belay_invocation_set_context(NULL, NULL), BELAY_EINVAL);
  CHECK_FAILS(belay_invocation_retain_arguments(NULL), BELAY_EINVAL);
  CHECK_FAILS(belay_invocation_call(NULL, (belay_function)count_free), BELAY_EINVAL);
  CHECK_FAILS(belay_invocation_proceed(NULL), BELAY_EINVAL);
  CHECK_FAILS(belay_invocation_send(NULL, NULL), BELAY_EINVAL);
  CHECK(!belay_invocation_retain(NULL) && !belay_invocation_context(NULL));
  CHECK_STRING(belay_invocation_method(NULL), "");
  CHECK_INT(belay_invocation_count(NULL), 0);
  CHECK(belay_value_kind(belay_invocation_result(NULL)) == BELAY_KIND_NULL);
  belay_invocation_release(NULL);
}

/* A failure is recorded as by any other function: the one that waits is kept where a NULL handle is
   refused, the next one takes its place, and in a `next` it ends nothing. */
static void failures_are_recorded_as_elsewhere(void) {
  int object;
  belay_owner *owner = belay_owner_create(&object, NULL, NULL, NULL);
  belay_interface_description description = {.size = sizeof description, .name = "it"};
  CHECK(!belay_signal_range(INT64_MAX, 2)); /* BELAY_ERANGE */
  CHECK(!belay_slot_sent(NULL));
  CHECK_INT(belay_slot_status(NULL), BELAY_EINVAL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_ERANGE);
  CHECK_INT(belay_slot_status(NULL), BELAY_EINVAL);
  CHECK(!belay_interface_create(&description));
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_ENOTSUP);
  CHECK(!belay_interface_create(&description));
  CHECK(!belay_signal_range(INT64_MAX, 2));
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_ERANGE);
  belay_owner_release(owner);
}

static void ask(void *ctx, belay_value value) { CHECK_INT(belay_slot_status(NULL), BELAY_EINVAL); }
static void a_failure_in_next_ends_nothing(void) {
  belay_signal *subject = belay_subject_create(NULL);
  belay_observer observer = {.size = sizeof observer, .next = ask};
  CHECK_INT(belay_signal_subscribe(subject, &observer, NULL), 0);
  CHECK_INT(belay_subject_next(subject, belay_int32(1)), 0);
  CHECK_INT(belay_subject_count(subject), 1);
  belay_signal_release(subject);
}

/* As GrowingStruct has it: a size that no version had is refused, and so is a member that is unknown
   here, unless it is zero. Then nothing is freed: no other member was read. */
static void sizes_of_a_responder(void) {
  struct {
    belay_responder known;
    void *member;
  } newer = {.known = {.size = sizeof newer}};
  int object, freed = 0;
  belay_owner *owner = belay_owner_create(&object, NULL, NULL, NULL);
  newer.known.ctx = &freed;
  newer.known.ctx_free = count_free;
  CHECK_FAILS(belay_object_set_responder(owner, &newer.known), BELAY_ENOTSUP);
  CHECK_INT(freed, 1);
  newer.member = &freed;
  CHECK_FAILS(belay_object_set_responder(owner, &newer.known), BELAY_EINVAL);
  newer.known.size = sizeof(belay_responder) - 1;
  CHECK_FAILS(belay_object_set_responder(owner, &newer.known), BELAY_EINVAL);
  CHECK_INT(freed, 1);
  belay_owner_release(owner);
}

/* What `ctx_free` fails with is not the caller's. */
static void free_and_fail(void *ctx) { belay_fail(BELAY_EBUSY, "in the destructor"); }
static void a_context_is_freed_apart(void) {
  CHECK_FAILS(belay_slot_set_combiner(NULL, combine, NULL, free_and_fail), BELAY_EINVAL);
  int object;
  belay_owner *owner = belay_owner_create(&object, NULL, NULL, NULL);
  belay_responder responder = {.size = sizeof responder, .ctx_free = free_and_fail};
  CHECK_FAILS(belay_object_set_responder(owner, &responder), BELAY_ENOTSUP);
  belay_owner_release(owner);
}

static const test_case cases[] = {
    CASE(failures_are_recorded_as_elsewhere),
    CASE(a_failure_in_next_ends_nothing),
    CASE(sizes_of_a_responder),
    CASE(a_context_is_freed_apart),
    CASE(there_is_no_interface),
    CASE(nor_a_responder),
    CASE(nor_what_is_made_of_one),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
