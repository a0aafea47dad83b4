/* Operators with several inputs: merge and take_until. */
#include "owned.h"
#include "three.h"

static belay_signal *merged(void) {
  belay_signal *all[] = {also(a), also(b), also(c)};
  return belay_signal_merge(all, 3);
}

/* ---- merge ---- */

static void merge_passes_values_as_they_come(void) {
  make_subjects();
  watch(merged(), "");
  send_int(b, 1);
  send_int(a, 2);
  send_text(c, "text");
  send_int(a, 3);
  CHECK_TRACE("next 1 | next 2 | next text | next 3");
  CHECK_INT(belay_subject_completed(a), 0);
  send_int(c, 4);
  CHECK_INT(belay_subject_completed(c), 0);
  send_int(b, 5);
  CHECK_INT(belay_subject_completed(b), 0);
  CHECK_TRACE("next 4 | next 5 | completed | disposed | free");
  release_subjects();
}

static void merge_as_an_operator(void) {
  make_subjects();
  belay_signal *others[] = {also(b), also(c)};
  watch(belay_signal_chain(also(a), belay_op_merge(others, 2), belay_op_take(3)), "");
  send_int(c, 1);
  send_int(a, 2);
  send_int(b, 3);
  CHECK_TRACE("next 1 | next 2 | next 3 | completed | disposed | free");
  CHECK_INT(belay_subject_count(a) + belay_subject_count(b) + belay_subject_count(c), 0);
  release_subjects();
}

static void merge_of_cold_signals_in_order(void) {
  belay_signal *all[] = {numbers(1, 2), belay_signal_empty(), numbers(3, 2)};
  watch(belay_signal_merge(all, 3), "");
  CHECK_TRACE("next 1 | next 2 | next 3 | next 4 | completed | disposed | free");
}

static void merge_ends_with_the_first_error(void) {
  make_subjects();
  watch(merged(), "");
  CHECK_INT(belay_subject_completed(a), 0);
  send_int(b, 1);
  fail_subject(c, BELAY_ENOENT, "gone");
  CHECK_TRACE("next 1 | error ENOENT | disposed | free");
  CHECK_INT(belay_subject_count(b), 0);
  send_int(b, 2);
  CHECK_TRACE("");
  release_subjects();
}

static void merge_does_not_subscribe_after_an_error(void) {
  belay_error *error = belay_error_create(BELAY_EBUSY, NULL, NULL, belay_null(), NULL);
  belay_signal *all[] = {numbers(1, 1), belay_signal_error(error), numbers(2, 1)};
  belay_error_release(error);
  watch(belay_signal_merge(all, 3), "");
  CHECK_TRACE("next 1 | error EBUSY | disposed | free");
}

static void merge_of_nothing(void) {
  watch(belay_signal_merge(NULL, 0), "");
  CHECK_TRACE("completed | disposed | free");
  watch(belay_signal_chain(numbers(1, 1), belay_op_merge(NULL, 0)), "");
  CHECK_TRACE("next 1 | completed | disposed | free");
}

static void merge_with_a_null(void) {
  belay_signal *all[] = {belay_signal_just(belay_string("1")), NULL,
                         belay_signal_just(belay_string("2"))};
  CHECK(belay_signal_merge(all, 3) == NULL);
  belay_last_error();
  belay_signal *others[] = {NULL, belay_signal_just(belay_string("3"))};
  CHECK(belay_signal_chain(numbers(1, 2), belay_op_merge(others, 2)) == NULL);
  belay_last_error();
  CHECK(belay_signal_merge(NULL, 2) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
  CHECK(belay_op_merge(NULL, 2) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
}

static void rule_1_1_merge_interrupted_with_its_last_input(void) {
  make_subjects();
  watch(merged(), "");
  belay_signal_release(a);
  CHECK_TRACE("");
  send_int(b, 1);
  CHECK_INT(belay_subject_completed(b), 0);
  CHECK_TRACE("next 1");
  belay_signal_release(c);
  CHECK_TRACE("disposed | free");
  belay_signal_release(b);
}

static void rule_1_1_merge_interrupted_before_the_last_completes(void) {
  make_subjects();
  watch(merged(), "");
  belay_signal_release(a);
  CHECK_INT(belay_subject_completed(b), 0);
  CHECK_TRACE("");
  CHECK_INT(belay_subject_completed(c), 0);
  CHECK_TRACE("disposed | free"); /* one input was interrupted, so it is no completion */
  belay_signal_release(b);
  belay_signal_release(c);
}

static void merge_delay_error_passes_the_first_of_several_errors_on(void) {
  for (int interrupts = 0; interrupts < 2; interrupts++) {
    make_subjects();
    belay_signal *all[] = {also(a), also(b), also(c)};
    watch(belay_signal_merge_delay_error(all, 3), "");
    fail_subject(b, BELAY_EBUSY, "gone");
    if (interrupts) belay_signal_release(a), a = NULL;
    else fail_subject(a, BELAY_ENOENT, "gone");
    CHECK_TRACE("");
    CHECK_INT(belay_subject_completed(c), 0);
    CHECK_TRACE("error EBUSY | disposed | free");
    release_subjects();
  }
}

static void send_to_b(void *ctx, belay_value value) {
  render_next(ctx, value);
  if (int_of(value) == 1) {
    CHECK(belay_subject_next(b, belay_int32(2)) >= 0);
    CHECK(belay_subject_next(b, belay_int32(3)) >= 0);
    CHECK(belay_subject_completed(b) >= 0);
    trace("1 ends");
  }
}

static void rule_1_2_merge_queues_what_is_sent_from_inside(void) {
  make_subjects();
  belay_observer first = tracing("first");
  first.next = send_to_b;
  belay_signal *others[] = {also(b)};
  belay_signal *both = belay_signal_chain(also(a), belay_op_merge(others, 1));
  CHECK_INT(belay_signal_subscribe(both, &first, NULL), 0);
  belay_signal_release(both);
  send_int(a, 1);
  CHECK_TRACE("first next 1 | 1 ends | first next 2 | first next 3");
  CHECK_INT(belay_subject_completed(a), 0);
  CHECK_TRACE("first completed | first disposed | first free");
  release_subjects();
}

static belay_disposable *subscription;

static void send_text_and_dispose(void *ctx, belay_value value) {
  render_next(ctx, value);
  CHECK(belay_subject_next(b, belay_string("queued, then dropped")) >= 0);
  belay_disposable_dispose(subscription);
}

static void merge_drops_its_queue_at_disposal(void) {
  make_subjects();
  belay_observer observer = tracing("");
  observer.next = send_text_and_dispose;
  belay_observer beside = rendering("beside");
  belay_signal *all = belay_signal_chain(merged(), belay_op_do(&beside));
  CHECK_INT(belay_signal_subscribe(all, &observer, &subscription), 0);
  belay_signal_release(all);
  send_int(a, 1);
  CHECK_TRACE("beside next 1 | next 1 | beside disposed | disposed | beside free | free");
  belay_disposable_release(subscription);
  release_subjects();
}

static void merge_of_one_signal_with_itself(void) {
  make_subjects();
  belay_signal *twice[] = {also(a), also(a)};
  watch(belay_signal_merge(twice, 2), "");
  send_text(a, "x");
  CHECK_TRACE("next x | next x");
  CHECK_INT(belay_subject_completed(a), 0);
  CHECK_TRACE("completed | disposed | free");
  release_subjects();
}

static void merge_on_shared_subjects(void) {
  belay_source_options shared = {.size = sizeof shared, .shared = 1};
  belay_signal *one = belay_subject_create(&shared), *other = belay_subject_create(NULL);
  belay_signal *both[] = {also(one), also(other)};
  watch(belay_signal_merge(both, 2), "");
  /* Operators with several inputs have a home: this thread. */
  send_int(other, 1);
  send_int(one, 2);
  belay_signal_release(one);
  belay_signal_release(other);
  CHECK_TRACE("next 1 | next 2 | disposed | free");
}

/* ---- take_until ---- */

static belay_signal *until_b(void) {
  return belay_signal_chain(also(a), belay_op_take_until(also(b)));
}

static void take_until_a_value(void) {
  make_subjects();
  watch(until_b(), "");
  send_int(a, 1);
  send_text(b, "stop");
  CHECK_TRACE("next 1 | completed | disposed | free");
  CHECK_INT(belay_subject_count(a) + belay_subject_count(b), 0);
  release_subjects();
}

static void take_until_completed_changes_nothing(void) {
  make_subjects();
  watch(until_b(), "");
  CHECK_INT(belay_subject_completed(b), 0);
  send_int(a, 1);
  CHECK_INT(belay_subject_completed(a), 0);
  CHECK_TRACE("next 1 | completed | disposed | free");
  release_subjects();
}

static void take_until_failed_passes_the_error_on(void) {
  make_subjects();
  watch(until_b(), "");
  fail_subject(b, BELAY_ENOENT, "gone");
  CHECK_TRACE("error ENOENT | disposed | free");
  send_int(a, 1);
  CHECK_TRACE("");
  release_subjects();
}

static void take_until_the_source_ends(void) {
  make_subjects();
  watch(until_b(), "");
  fail_subject(a, BELAY_ENOENT, "gone");
  CHECK_TRACE("error ENOENT | disposed | free");
  CHECK_INT(belay_subject_count(b), 0);
  release_subjects();
}

static void take_until_at_once_does_not_subscribe(void) {
  watch(belay_signal_chain(belay_signal_create(trace_subscribed, NULL, NULL, NULL),
                           belay_op_take_until(belay_signal_just(belay_string("now")))),
        "");
  CHECK_TRACE("completed | disposed | free");
}

static void rule_1_1_take_until_interrupted(void) {
  make_subjects();
  watch(until_b(), "");
  belay_signal_release(b); /* the trigger cannot end it any more, but the source can */
  send_int(a, 1);
  CHECK_TRACE("next 1");
  belay_signal_release(a);
  CHECK_TRACE("disposed | free");
  belay_signal_release(c);
}

static void trigger_inside(void *ctx, belay_value value) {
  render_next(ctx, value);
  CHECK(belay_subject_next(b, belay_null()) >= 0);
  trace("triggered");
}

static void rule_1_2_take_until_triggered_from_inside(void) {
  make_subjects();
  belay_observer observer = tracing("");
  observer.next = trigger_inside;
  belay_signal *limited = until_b();
  CHECK_INT(belay_signal_subscribe(limited, &observer, NULL), 0);
  belay_signal_release(limited);
  send_int(a, 1);
  CHECK_TRACE("next 1 | triggered | completed | disposed | free");
  release_subjects();
}

static void take_until_null(void) {
  CHECK(belay_op_take_until(NULL) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
  CHECK(belay_op_take_during(NULL) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
}

/* ---- take_until an owner ---- */

static void take_until_an_owner_dies(void) {
  make_subjects();
  belay_owner *owner = belay_owner_create("object", trace_deinit, NULL, NULL);
  watch(belay_signal_chain(also(a), belay_op_take_during(owner)), "");
  send_int(a, 1);
  belay_owner_release(owner); /* take_during does not keep the owner alive */
  CHECK_TRACE("next 1 | completed | disposed | free | deinit");
  CHECK_INT(belay_subject_count(a), 0);
  release_subjects();
}

static void take_until_a_dead_owner(void) {
  make_subjects();
  belay_owner *owner = belay_owner_adopt(a, NULL);
  CHECK_INT(belay_owner_end(a, NULL, NULL), 0);
  watch(belay_signal_chain(belay_signal_create(trace_subscribed, NULL, NULL, NULL),
                           belay_op_take_during(owner)),
        "");
  CHECK_TRACE("completed | disposed | free");
  belay_owner_release(owner);
  release_subjects();
}

static void take_until_an_owner_outlived(void) {
  make_subjects();
  belay_owner *owner = belay_owner_create("object", trace_deinit, NULL, NULL);
  watch(belay_signal_chain(also(a), belay_op_take_during(owner)), "");
  CHECK_INT(belay_subject_completed(a), 0);
  CHECK_TRACE("completed | disposed | free");
  belay_owner_release(owner);
  CHECK_TRACE("deinit");
  release_subjects();
}

static const test_case cases[] = {
    CASE(merge_passes_values_as_they_come),
    CASE(merge_as_an_operator),
    CASE(merge_of_cold_signals_in_order),
    CASE(merge_ends_with_the_first_error),
    CASE(merge_does_not_subscribe_after_an_error),
    CASE(merge_of_nothing),
    CASE(merge_with_a_null),
    CASE(rule_1_1_merge_interrupted_with_its_last_input),
    CASE(rule_1_1_merge_interrupted_before_the_last_completes),
    CASE(merge_delay_error_passes_the_first_of_several_errors_on),
    CASE(rule_1_2_merge_queues_what_is_sent_from_inside),
    CASE(merge_drops_its_queue_at_disposal),
    CASE(merge_of_one_signal_with_itself),
    CASE(merge_on_shared_subjects),
    CASE(take_until_a_value),
    CASE(take_until_completed_changes_nothing),
    CASE(take_until_failed_passes_the_error_on),
    CASE(take_until_the_source_ends),
    CASE(take_until_at_once_does_not_subscribe),
    CASE(rule_1_1_take_until_interrupted),
    CASE(rule_1_2_take_until_triggered_from_inside),
    CASE(take_until_null),
    CASE(take_until_an_owner_dies),
    CASE(take_until_a_dead_owner),
    CASE(take_until_an_owner_outlived),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
