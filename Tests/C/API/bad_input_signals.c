/* Nonsense for signals, subscribers and subjects. */
#include "bad_input.h"

static belay_observer counted(void) {
  return (belay_observer){.size = sizeof(belay_observer), .ctx = &freed, .ctx_free = count_free};
}
static belay_disposable *produce_nothing(void *ctx, belay_subscriber *subscriber) {
  (void)ctx;
  (void)subscriber;
  return NULL;
}

/* ---- NULL ---- */

static void null_signals(void) {
  CHECK(belay_signal_retain(NULL) == NULL);
  belay_signal_release(NULL);
  CHECK(belay_signal_name(NULL) != NULL);
  belay_last_error();
  NULL_REFUSED(belay_signal_set_name(NULL, "name"));
  NULL_REFUSED(belay_signal_set_name(NULL, NULL));
  NULL_GIVES_NULL(belay_signal_error(NULL));
}

static void null_subscribing(void) {
  belay_signal *signal = belay_signal_just(given_value());
  belay_owner *owner = belay_owner_create(NULL, NULL, NULL, NULL);
  belay_observer observer = counted();
  belay_disposable *d = (belay_disposable *)&d;
  NULL_REFUSED(belay_signal_subscribe(NULL, &observer, &d));
  CHECK(d == NULL);
  CHECK_FREED();
  NULL_REFUSED(belay_signal_subscribe(NULL, &observer, NULL));
  CHECK_FREED();
  d = (belay_disposable *)&d;
  NULL_REFUSED(belay_signal_subscribe(signal, NULL, &d));
  CHECK(d == NULL);
  NULL_REFUSED(belay_signal_subscribe(signal, NULL, NULL));
  NULL_REFUSED(belay_signal_subscribe(NULL, NULL, NULL));
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  CHECK_FREED();

  observer.owner = owner;
  d = (belay_disposable *)&d;
  NULL_REFUSED(belay_signal_subscribe(NULL, &observer, &d));
  CHECK(d == NULL);
  CHECK_FREED();
  GIVES_NOTHING(belay_op_do(&observer), BELAY_EINVAL);
  CHECK_FREED();
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  CHECK_FREED();
  belay_owner_release(owner);
  belay_signal_release(signal);
}

/* An observer without a single callback hears everything. */
static void an_observer_of_nothing(void) {
  belay_observer observer = {.size = sizeof observer};
  belay_error *error = belay_error_create(-5, NULL, NULL, belay_null(), NULL);
  CHECK_INT(belay_on_unhandled_error(NULL, NULL, NULL), 0);
  belay_signal *subject = belay_subject_create(NULL);
  CHECK_INT(belay_signal_subscribe(subject, &observer, NULL), 0);
  CHECK_INT(belay_subject_next(subject, given_value()), 0);
  CHECK_INT(belay_subject_completed(subject), 0);
  belay_error_release(error);
  belay_signal_release(subject);
}

static void null_producers(void) {
  GIVES_NOTHING(belay_signal_create(NULL, GIVEN, NULL), BELAY_EINVAL);
  CHECK_FREED();
  GIVES_NOTHING(belay_signal_create(NULL, NULL, NULL, NULL), BELAY_EINVAL);
  belay_signal *signal = belay_signal_create(produce_nothing, NULL, NULL, NULL);
  belay_observer observer = counted();
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0); /* interrupted at once */
  CHECK_FREED();
  belay_signal_release(signal);
}

static void null_values(void) {
  GIVES_NOTHING(belay_signal_from(NULL, 3), BELAY_EINVAL);
  belay_signal *empty = belay_signal_from(NULL, 0);
  belay_observer observer = tracing("");
  CHECK_INT(belay_signal_subscribe(empty, &observer, NULL), 0);
  CHECK_TRACE("completed | disposed | free");
  belay_signal_release(empty);
}

static belay_subscriber *kept;
static belay_disposable *keep(void *ctx, belay_subscriber *subscriber) {
  (void)ctx;
  kept = belay_subscriber_retain(subscriber);
  return NULL;
}

static void null_subscribers(void) {
  belay_error *error = belay_error_create(-5, NULL, NULL, belay_null(), NULL);
  belay_disposable *d = belay_boolean_create();
  CHECK(belay_subscriber_retain(NULL) == NULL);
  belay_subscriber_release(NULL);
  NULL_REFUSED(belay_subscriber_next(NULL, given_value()));
  NULL_REFUSED(belay_subscriber_error(NULL, error));
  NULL_REFUSED(belay_subscriber_error(NULL, NULL));
  NULL_REFUSED(belay_subscriber_completed(NULL));
  NULL_REFUSED(belay_subscriber_add(NULL, d));
  NULL_REFUSED(belay_subscriber_add(NULL, NULL));
  CHECK_INT(belay_disposable_is_disposed(d), 0);
  CHECK_INT(belay_subscriber_is_disposed(NULL), 1);
  belay_last_error();

  belay_signal *signal = belay_signal_create(keep, NULL, NULL, NULL);
  belay_observer observer = tracing("");
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  NULL_REFUSED(belay_subscriber_error(kept, NULL));
  NULL_REFUSED(belay_subscriber_add(kept, NULL));
  CHECK_INT(belay_subscriber_is_disposed(kept), 0);
  CHECK_INT(belay_subscriber_next(kept, belay_int32(1)), 0);
  CHECK_TRACE("next 1");
  belay_subscriber_release(kept);
  CHECK_TRACE("disposed | free");
  belay_signal_release(signal);
  belay_error_release(error);
  belay_disposable_release(d);
}

static void null_subjects(void) {
  belay_error *error = belay_error_create(-5, NULL, NULL, belay_null(), NULL);
  belay_signal *subject = belay_subject_create(NULL);
  belay_observer observer = tracing("");
  NULL_REFUSED(belay_subject_next(NULL, given_value()));
  NULL_REFUSED(belay_subject_error(NULL, error));
  NULL_REFUSED(belay_subject_error(NULL, NULL));
  NULL_REFUSED(belay_subject_completed(NULL));
  CHECK_INT(belay_subject_count(NULL), 0);
  belay_last_error();
  CHECK_INT(belay_signal_subscribe(subject, &observer, NULL), 0);
  NULL_REFUSED(belay_subject_error(subject, NULL)); /* the subject has not ended */
  CHECK_INT(belay_subject_count(subject), 1);
  CHECK_INT(belay_subject_next(subject, belay_int32(1)), 0);
  CHECK_TRACE("next 1");
  belay_signal_release(subject);
  CHECK_TRACE("disposed | free");
  belay_error_release(error);
}

/* ---- signals that are no subjects ---- */

static void subject_functions_on_other_signals(void) {
  belay_error *error = belay_error_create(-5, NULL, NULL, belay_null(), NULL);
  belay_owner *owner = belay_owner_create(NULL, NULL, NULL, NULL);
  belay_signal *pair[] = {belay_signal_never(), belay_signal_never()};
  belay_signal *signals[] = {
      belay_signal_just(given_value()),
      belay_signal_empty(),
      belay_signal_never(),
      belay_signal_error(error),
      belay_signal_from(NULL, 0),
      belay_signal_create(produce_nothing, NULL, NULL, NULL),
      belay_signal_merge(pair, 2),
      belay_owner_deallocating(owner),
      belay_owner_deallocated(owner),
      belay_signal_timer(belay_scheduler_immediate(), 0),
      belay_signal_chain(belay_subject_create(NULL), belay_op_map(same_value, NULL, NULL)),
      belay_signal_chain(belay_subject_create(NULL), belay_op_take(1)),
  };
  belay_last_error();
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
    CHECK(signals[i] != NULL);
    REFUSED(belay_subject_next(signals[i], given_value()), BELAY_EKIND);
    REFUSED(belay_subject_error(signals[i], error), BELAY_EKIND);
    REFUSED(belay_subject_error(signals[i], NULL), BELAY_EKIND);
    REFUSED(belay_subject_completed(signals[i]), BELAY_EKIND);
    CHECK_INT(belay_subject_count(signals[i]), 0);
    belay_last_error();
    belay_signal_release(signals[i]);
  }
  belay_owner_release(owner);
  belay_error_release(error);
}

/* ---- ended, disposed, dead ---- */

static void ended_subjects(void) {
  belay_error *error = belay_error_create(-5, NULL, NULL, belay_null(), NULL);
  for (int i = 0; i < 2; i++) {
    belay_signal *subject = belay_subject_create(NULL);
    CHECK_INT(i ? belay_subject_completed(subject) : belay_subject_error(subject, error), 0);
    REFUSED(belay_subject_next(subject, given_value()), BELAY_EENDED);
    REFUSED(belay_subject_error(subject, error), BELAY_EENDED);
    REFUSED(belay_subject_completed(subject), BELAY_EENDED);
    CHECK_INT(belay_subject_count(subject), 0);
    belay_signal_release(subject);
  }
  belay_error_release(error);
}

static void subscribers_that_nobody_hears(void) {
  belay_error *error = belay_error_create(-5, NULL, NULL, belay_null(), NULL);
  belay_signal *signal = belay_signal_create(keep, NULL, NULL, NULL);
  belay_observer observer = tracing("");
  belay_disposable *subscription = NULL;
  CHECK_INT(belay_signal_subscribe(signal, &observer, &subscription), 0);
  belay_disposable_dispose(subscription);
  CHECK_TRACE("disposed | free");
  CHECK_INT(belay_subscriber_is_disposed(kept), 1);
  REFUSED(belay_subscriber_next(kept, given_value()), BELAY_EENDED);
  REFUSED(belay_subscriber_error(kept, error), BELAY_EENDED);
  REFUSED(belay_subscriber_completed(kept), BELAY_EENDED);
  belay_disposable *late = belay_disposable_create(trace_action, "late", trace_free);
  /* the subscription has ended, so the addition is disposed at once */
  SURVIVES(belay_subscriber_add(kept, late));
  CHECK_TRACE("action late | free late");
  belay_disposable_release(late);
  belay_disposable_release(subscription);
  belay_subscriber_release(kept);
  belay_signal_release(signal);
  belay_error_release(error);
}

static void subscribing_for_a_dead_owner(void) {
  int object = 1;
  belay_owner *owner = belay_owner_adopt(&object, NULL);
  belay_signal *signal = belay_signal_never();
  belay_observer observer = tracing("");
  belay_disposable *d = NULL;
  CHECK_INT(belay_owner_end(&object, NULL, NULL), 0);
  observer.owner = owner;
  CHECK_INT(belay_signal_subscribe(signal, &observer, &d), 0);
  CHECK_TRACE("disposed | free");
  CHECK_INT(belay_disposable_is_disposed(d), 1);
  belay_disposable_release(d);
  CHECK(!belay_last_error());
  belay_owner_release(owner);
  belay_signal_release(signal);
}

/* ---- sizes, counts, enum numbers, names ---- */

static void observers_of_an_odd_size(void) {
  static const size_t sizes[] = {0, 1, sizeof(size_t), sizeof(belay_observer) - 1};
  belay_signal *signal = belay_signal_just(belay_int32(1));
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    belay_observer observer = {.size = sizes[i]};
    belay_disposable *d = (belay_disposable *)&d;
    REFUSED(belay_signal_subscribe(signal, &observer, &d), BELAY_EINVAL);
    CHECK(d == NULL);
    GIVES_NOTHING(belay_op_do(&observer), BELAY_EINVAL);
  }
  belay_observer unset = counted();
  unset.size = SIZE_MAX; /* Belay reads nothing of it, and so frees nothing */
  REFUSED(belay_signal_subscribe(signal, &unset, NULL), BELAY_EINVAL);
  CHECK_INT(freed, 0);
  belay_signal_release(signal);
}

static void source_options_that_make_no_sense(void) {
  static const int policies[] = {-1, BELAY_REENTRANCY_REJECT + 1, 99, INT_MAX, INT_MIN};
  for (size_t i = 0; i < sizeof policies / sizeof *policies; i++) {
    belay_source_options options = {.size = sizeof options};
    options.reentrancy = (belay_reentrancy)policies[i];
    GIVES_NOTHING(belay_subject_create(&options), BELAY_EINVAL);
    GIVES_NOTHING(belay_signal_create(produce_nothing, GIVEN, &options), BELAY_EINVAL);
    CHECK_FREED();
  }
  static const size_t sizes[] = {0, 1, sizeof(belay_source_options) - 1};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    belay_source_options options = {.size = sizes[i]};
    GIVES_NOTHING(belay_subject_create(&options), BELAY_EINVAL);
    GIVES_NOTHING(belay_signal_create(produce_nothing, GIVEN, &options), BELAY_EINVAL);
    CHECK_FREED();
  }
  static const size_t capacities[] = {0, 1, SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / 2 + 1};
  for (size_t i = 0; i < sizeof capacities / sizeof *capacities; i++) {
    belay_source_options options = {.size = sizeof options, .capacity = capacities[i],
                                    .shared = -7};
    belay_signal *subject = belay_subject_create(&options);
    CHECK(subject != NULL);
    CHECK_INT(belay_subject_next(subject, given_value()), 0);
    belay_signal_release(subject);
  }
}

static void counts_that_nothing_has(void) {
  belay_value one = belay_int32(1);
  static const size_t counts[] = {SIZE_MAX, SIZE_MAX / 2 + 1, SIZE_MAX / 2, SIZE_MAX / 16,
                                  SIZE_MAX / 16 + 2};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    GIVES_NOTHING(belay_signal_from(&one, counts[i]), BELAY_EINVAL);
    GIVES_NOTHING(belay_signal_from(NULL, counts[i]), BELAY_EINVAL);
  }
}

static void names_that_are_not_utf8(void) {
  static const char *const names[] = {"", "\xff", "a\xc0\x80z", "\xed\xa0\x80", "a name\n"};
  belay_signal *signal = belay_signal_never();
  char long_name[5000];
  memset(long_name, 'n', sizeof long_name - 1);
  long_name[sizeof long_name - 1] = 0;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    SURVIVES(belay_signal_set_name(signal, names[i]));
    CHECK(belay_signal_name(signal) != NULL);
  }
  CHECK_INT(belay_signal_set_name(signal, long_name), 0);
  CHECK_STRING(belay_signal_name(signal), long_name);
  CHECK_INT(belay_signal_set_name(signal, NULL), 0);
  CHECK_STRING(belay_signal_name(signal), "never");
  belay_signal_release(signal);
  belay_source_options options = {.size = sizeof options, .label = "\xff\xfe"};
  belay_signal *subject = belay_subject_create(&options);
  CHECK(subject && belay_signal_name(subject) != NULL);
  belay_signal_release(subject);
}

/* ---- loops that have been closed ---- */

static void homes_that_are_closed(void) {
  belay_loop *loop = belay_loop_create(NULL);
  CHECK_INT(belay_loop_close(loop, NULL, NULL, NULL), 0);
  belay_source_options options = {.size = sizeof options, .loop = loop};
  GIVES_NOTHING(belay_subject_create(&options), BELAY_ECLOSED);
  SURVIVES(belay_signal_release(belay_signal_create(produce_nothing, GIVEN, &options)));
  CHECK_FREED();
  belay_observer observer = counted();
  belay_disposable *d = (belay_disposable *)&d;
  belay_signal *signals[] = {belay_signal_just(given_value()), belay_signal_never(),
                             belay_subject_create(NULL)};
  observer.loop = loop;
  for (int i = 0; i < 3; i++) {
    int code = belay_signal_subscribe(signals[i], &observer, &d);
    CHECK(code == BELAY_ECLOSED || code == BELAY_ECANCELED);
    check_left(__FILE__, __LINE__, code, 1);
    CHECK(d == NULL);
    CHECK_FREED();
    belay_signal_release(signals[i]);
  }
  belay_loop_release(loop);
}

static const test_case cases[] = {
    CASE(null_signals),
    CASE(null_subscribing),
    CASE(an_observer_of_nothing),
    CASE(null_producers),
    CASE(null_values),
    CASE(null_subscribers),
    CASE(null_subjects),
    CASE(subject_functions_on_other_signals),
    CASE(ended_subjects),
    CASE(subscribers_that_nobody_hears),
    CASE(subscribing_for_a_dead_owner),
    CASE(observers_of_an_odd_size),
    CASE(source_options_that_make_no_sense),
    CASE(counts_that_nothing_has),
    CASE(names_that_are_not_utf8),
    CASE(homes_that_are_closed),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
