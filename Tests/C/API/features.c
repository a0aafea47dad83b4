/* What ReactiveObjC decides one way or another (A3-50 and after), as Belay decides it. The rows that
   belong to one object are cases of that object's: A3_53 in subjects_kinds.c, A3_55 in
   disposables.c, A3_65 in properties.c. */
#include "script.h"

#include "witness.h"

/* ---- owners ---- */
typedef struct object {
  belay_weak *weak;
  int is_usable;
} object;

static void destroy(void *it) {
  ((object *)it)->is_usable = 0;
  trace("destructor");
}
static void look(void *ctx, belay_value value) {
  object *it = ctx;
  trace("notice, %s", it->is_usable ? "usable" : "gone");
}

static void A3_50_a_death_is_told_before_the_destructor_and_to_who_comes_late(void) {
  object it = {.is_usable = 1};
  belay_owner *owner = belay_owner_create(&it, destroy, NULL, NULL);
  belay_signal *deallocating = belay_owner_deallocating(owner);
  belay_observer observer = {.size = sizeof observer, .next = look, .ctx = &it};
  observer.completed = trace_completed;
  CHECK_INT(belay_signal_subscribe(deallocating, &observer, NULL), 0);
  belay_owner_release(owner);
  CHECK_TRACE("notice, usable | destructor | completed");
  watch(deallocating, "late");
  CHECK_TRACE("late next null | late completed | late disposed | late free");
}

static void A3_51_what_is_bound_goes_before_the_destructor_and_a_notice_comes_after(void) {
  object it = {.is_usable = 1};
  belay_owner *owner = belay_owner_create(&it, destroy, NULL, NULL);
  watch(belay_owner_deallocated(owner), "after");
  belay_signal *subject = belay_subject_create(NULL);
  belay_observer observer = rendering("bound");
  observer.owner = owner;
  CHECK_INT(belay_signal_subscribe(subject, &observer, NULL), 0);
  belay_owner_release(owner);
  CHECK_TRACE(
      "bound disposed | bound free | destructor | after next null | after completed | "
      "after disposed | after free");
  belay_signal_release(subject);
}

/* ---- subjects ---- */
static void A3_52_a_subject_that_goes_interrupts_who_listens(void) {
  belay_signal *subject = belay_subject_create(NULL);
  watch(belay_signal_retain(subject), "");
  CHECK_INT(send_to(subject, 1), 0);
  belay_signal_release(subject);
  CHECK_TRACE("next 1 | disposed | free");
}

static void A3_52_who_comes_after_the_end_does_not_wait_for_ever(void) {
  belay_signal *subject = belay_subject_create(NULL);
  CHECK_INT(belay_subject_completed(subject), 0);
  watch(subject, "");
  CHECK_TRACE("completed | disposed | free");
}

static void A3_53_a_replay_is_values_then_the_end_a_behavior_the_end_alone(void) {
  belay_signal *replay = belay_subject_create_replay(NULL, -1, 2, NULL);
  belay_signal *behavior = belay_subject_create_behavior(belay_int32(0), NULL);
  for (int i = 1; i <= 3; i++) {
    CHECK_INT(send_to(replay, i), 0);
    CHECK_INT(send_to(behavior, i), 0);
  }
  watch(belay_signal_chain(belay_signal_retain(behavior), belay_op_take(1)), "");
  CHECK_TRACE("next 3 | completed | disposed | free");
  CHECK_INT(belay_subject_completed(replay), 0);
  CHECK_INT(belay_subject_completed(behavior), 0);
  watch(replay, "replay");
  CHECK_TRACE(
      "replay next 2 | replay next 3 | replay completed | replay disposed | replay free");
  watch(behavior, "behavior");
  CHECK_TRACE("behavior completed | behavior disposed | behavior free");
}

static void A3_54_null_is_a_value_wherever_values_are_kept(void) {
  belay_signal *subject = belay_subject_create_replay(NULL, -1, 9, NULL);
  CHECK_INT(belay_subject_next(subject, belay_null()), 0);
  CHECK_INT(send_to(subject, 1), 0);
  CHECK_INT(belay_subject_next(subject, belay_null()), 0);
  CHECK_INT(belay_subject_completed(subject), 0);
  watch(belay_signal_retain(subject), "");
  CHECK_TRACE("next null | next 1 | next null | completed | disposed | free");
  watch(belay_signal_chain(belay_signal_retain(subject), belay_op_buffer(3)), "");
  CHECK_TRACE("next [null 1 null] | completed | disposed | free");
  watch(belay_signal_chain(belay_signal_retain(subject), belay_op_take_last(1)), "");
  CHECK_TRACE("next null | completed | disposed | free");
  belay_signal *both[] = {subject, belay_signal_just(belay_null())};
  watch(belay_signal_zip(both, 2, NULL, NULL, NULL), "");
  CHECK_TRACE("next [null null] | completed | disposed | free");
}

/* ---- sharing ---- */
static void A3_56_a_connection_is_one_until_it_is_disposed_and_then_another(void) {
  belay_signal *source = belay_subject_create(NULL);
  belay_signal *shared = belay_signal_publish(belay_signal_retain(source));
  belay_disposable *first = NULL, *same = NULL, *other = NULL;
  CHECK_INT(belay_signal_connect(shared, &first), 0);
  CHECK_INT(belay_signal_connect(shared, &same), 0);
  CHECK(first == same);
  CHECK_INT(belay_subject_count(source), 1);
  belay_disposable_dispose(first);
  CHECK_INT(belay_subject_count(source), 0);
  belay_disposable *listener = watched(belay_signal_retain(shared), "");
  CHECK_INT(belay_signal_connect(shared, &other), 0);
  CHECK(other != first);
  CHECK_INT(belay_subject_count(source), 1);
  CHECK_INT(send_to(source, 1), 0);
  CHECK_TRACE("next 1");
  end_subscription(listener);
  CHECK_TRACE("disposed | free");
  belay_disposable_dispose(other);
  belay_disposable_release(first);
  belay_disposable_release(same);
  belay_disposable_release(other);
  belay_signal_release(shared);
  belay_signal_release(source);
}

static void A3_56_auto_connect_does_not_connect_again(void) {
  belay_signal *source = belay_subject_create(NULL);
  belay_signal *shared = belay_signal_chain(belay_signal_publish(belay_signal_retain(source)),
                                            belay_op_auto_connect(1));
  end_subscription(watched(belay_signal_retain(shared), ""));
  CHECK_INT(belay_subject_count(source), 1);
  end_subscription(watched(belay_signal_retain(shared), ""));
  CHECK_INT(belay_subject_count(source), 1);
  CHECK_TRACE("disposed | free | disposed | free");
  CHECK_INT(belay_subject_completed(source), 0);
  belay_signal_release(shared);
  belay_signal_release(source);
}

/* ---- errors ---- */

static void A3_63_the_codes_of_the_three_errors(void) {
  belay_scheduler *time = belay_scheduler_create_virtual();
  watch(belay_signal_chain(belay_signal_never(), belay_op_timeout(time, 1, NULL)), "");
  CHECK_INT(belay_scheduler_advance(time, 1), 0);
  CHECK_TRACE("error ETIMEDOUT | disposed | free");
  belay_scheduler_release(time);

  belay_value key = belay_int32(1);
  belay_signal *only = belay_signal_never();
  watch(belay_signal_switch_on(numbers(2, 1), &key, &only, 1, NULL), "");
  CHECK_TRACE("error EINVAL | disposed | free");

  belay_signal *enabled = belay_signal_just(belay_bool(0));
  belay_command *command = belay_command_create(enabled, empty_of, NULL, NULL);
  CHECK(belay_command_execute(command, belay_null()) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EBUSY);
  belay_command_release(command);
}

/* ---- what there is for the rest ---- */
static int two_numbers(void *ctx, belay_value *out) {
  int *number = ctx;
  trace("pulled");
  *out = belay_int32(++*number);
  return *number <= 2;
}

static void A3_65_a_sequence_is_pulled_a_tuple_an_array_an_event_a_value(void) {
  int number = 0;
  watch(belay_signal_chain(belay_signal_from_iterator(two_numbers, &number, NULL),
                           belay_op_take(1)),
        "");
  CHECK_TRACE("pulled | next 1 | completed | disposed | free");
  belay_signal *both[] = {numbers(1, 1), belay_signal_just(belay_string("one"))};
  watch(belay_signal_zip(both, 2, NULL, NULL, NULL), "");
  CHECK_TRACE("next [1 one] | completed | disposed | free");
  watch(belay_signal_chain(numbers(1, 1), belay_op_materialize()), "");
  CHECK_TRACE("next [0 1] | next [2] | completed | disposed | free");
}

static const test_case cases[] = {
    CASE(A3_50_a_death_is_told_before_the_destructor_and_to_who_comes_late),
    CASE(A3_51_what_is_bound_goes_before_the_destructor_and_a_notice_comes_after),
    CASE(A3_52_a_subject_that_goes_interrupts_who_listens),
    CASE(A3_52_who_comes_after_the_end_does_not_wait_for_ever),
    CASE(A3_53_a_replay_is_values_then_the_end_a_behavior_the_end_alone),
    CASE(A3_54_null_is_a_value_wherever_values_are_kept),
    CASE(A3_56_a_connection_is_one_until_it_is_disposed_and_then_another),
    CASE(A3_56_auto_connect_does_not_connect_again),
    CASE(A3_63_the_codes_of_the_three_errors),
    CASE(A3_65_a_sequence_is_pulled_a_tuple_an_array_an_event_a_value),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
