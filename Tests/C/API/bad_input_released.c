/* Handles that are used or released after their last reference has been released. The checked build
   reports it and keeps the host alive. Other builds trust their callers. */
#include <unistd.h>

#include "bad_input.h"

#ifdef BELAY_CHECKED

/* The library also reports a double release on stderr; that output is dropped, for the tests
   provoke it. */
static void quietly(void (*body)(void)) {
  fflush(stderr);
  int kept = dup(2);
  FILE *nowhere = fopen("/dev/null", "w");
  dup2(fileno(nowhere), 2);
  body();
  fflush(stderr);
  dup2(kept, 2);
  close(kept);
  fclose(nowhere);
}

#define RELEASED() check_left(__FILE__, __LINE__, BELAY_ERELEASED, 1)

static belay_signal *signal;
static belay_disposable *disposable;
static belay_bag *bag;
static belay_owner *owner;
static belay_weak *weak;
static belay_error *error;
static belay_op *op;

static void release_again(void) {
  belay_signal_release(signal);
  RELEASED();
  belay_disposable_release(disposable);
  RELEASED();
  belay_bag_release(bag);
  RELEASED();
  belay_weak_release(weak);
  RELEASED();
  belay_owner_release(owner);
  RELEASED();
  belay_error_release(error);
  RELEASED();
  belay_op_release(op);
  RELEASED();
}

static void make_and_release(void) {
  signal = belay_signal_never();
  disposable = belay_disposable_create(trace_action, "d", trace_free);
  bag = belay_bag_create();
  owner = belay_owner_create(NULL, NULL, NULL, NULL);
  weak = belay_weak_create(owner);
  error = belay_error_create(-5, NULL, NULL, belay_null(), NULL);
  op = belay_op_take(1);
  belay_signal_release(signal);
  belay_disposable_release(disposable);
  belay_bag_release(bag);
  belay_weak_release(weak);
  belay_owner_release(owner);
  belay_error_release(error);
  belay_op_release(op);
  CHECK_TRACE("free d");
  CHECK(!belay_last_error());
}

static void released_twice(void) {
  make_and_release();
  uint64_t before = belay_misuse_count();
  quietly(release_again);
  CHECK_INT(belay_misuse_count(), before + 7);
  CHECK_TRACE("");
}

static void use(void) {
  belay_observer observer = {.size = sizeof observer, .ctx = &freed, .ctx_free = count_free};
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), BELAY_EINVAL);
  RELEASED();
  CHECK_FREED();
  CHECK(belay_signal_retain(signal) == NULL);
  RELEASED();
  CHECK_INT(belay_subject_next(signal, given_value()) < 0, 1);
  RELEASED();
  belay_disposable_dispose(disposable);
  RELEASED();
  CHECK_INT(belay_disposable_is_disposed(disposable), 1);
  RELEASED();
  CHECK_INT(belay_bag_add(bag, disposable), BELAY_EINVAL);
  RELEASED();
  CHECK_INT(belay_owner_add(owner, disposable), BELAY_EINVAL);
  RELEASED();
  CHECK(belay_weak_upgrade(weak) == NULL);
  RELEASED();
  CHECK_INT(belay_error_code(error), 0);
  RELEASED();
  CHECK(belay_signal_chain(belay_signal_never(), op) == NULL);
  RELEASED();
}

static void used_after_release(void) {
  make_and_release();
  use();
  CHECK_TRACE("");
}

static void tell(void *ctx, const belay_owner_event *event) { trace("%s", event->name); }

/* NULL stands for any source. A released source matches none. */
static void watches_of_a_released_source(void) {
  belay_owner *watcher = belay_owner_create(NULL, NULL, NULL, NULL);
  belay_owner *source = belay_owner_create(NULL, NULL, NULL, NULL);
  belay_owner *gone = belay_owner_create(NULL, NULL, NULL, NULL);
  CHECK_INT(belay_owner_event_watch(watcher, source, "saved", 0, tell, NULL, NULL), 0);
  belay_owner_release(gone);
  CHECK_INT(belay_owner_event_unwatch_source(watcher, gone), BELAY_EINVAL);
  RELEASED();
  CHECK_INT(belay_owner_event_unwatch_name(watcher, gone, "saved"), BELAY_EINVAL);
  RELEASED();
  CHECK_INT(belay_owner_event_unwatch(watcher, gone, "saved", 0), BELAY_EINVAL);
  RELEASED();
  CHECK_INT(belay_owner_event_post(source, "saved", belay_null()), 0);
  CHECK_TRACE("saved");
  belay_owner_release(watcher);
  belay_owner_release(source);
}

/* Objects that end with a reference of Belay's: they were given away, or only lent. */
static const belay_error *lent_error;
static void keep_error(void *ctx, const belay_error *lent) { lent_error = lent; }
static void used_after_it_was_given_away(void) {
  belay_signal *source = belay_subject_create(NULL);
  belay_signal_release(belay_signal_chain(source, belay_op_take(1)));
  CHECK_INT(belay_subject_next(source, belay_int32(1)), BELAY_EINVAL);
  RELEASED();
  CHECK(belay_signal_retain(source) == NULL);
  RELEASED();

  belay_disposable *compound = belay_compound_create(), *member = belay_boolean_create();
  CHECK_INT(belay_compound_add(compound, member, NULL), 0);
  belay_disposable_release(member);
  CHECK_INT(belay_disposable_is_disposed(member), 0);
  CHECK(!belay_last_error());
  belay_disposable_release(compound);
  CHECK_INT(belay_disposable_is_disposed(member), 1);
  RELEASED();

  belay_observer observer = {.size = sizeof observer, .error = keep_error};
  source = belay_subject_create(NULL);
  CHECK_INT(belay_signal_subscribe(source, &observer, NULL), 0);
  error = belay_error_create(-5, NULL, NULL, belay_null(), NULL);
  CHECK_INT(belay_subject_error(source, error), 0);
  belay_error_release(error);
  belay_signal_release(source);
  CHECK_INT(belay_error_code(lent_error), 0);
  RELEASED();
}

/* A caller must not release a handle that it has borrowed. */
static belay_disposable *borrowed;
static void give_back_what_was_borrowed(void) {
  belay_disposable_release(borrowed);
  RELEASED();
}
static void released_though_borrowed(void) {
  owner = belay_owner_create(NULL, NULL, NULL, NULL);
  borrowed = belay_owner_get_compound(owner);
  quietly(give_back_what_was_borrowed);
  CHECK_INT(belay_compound_count(borrowed), 0);
  CHECK(!belay_last_error());
  belay_owner_release(owner);
}

/* An address that is used again belongs to the new handle. */
static void a_new_handle_at_an_old_address(void) {
  for (int i = 0; i < 10000; i++) {
    belay_disposable *d = belay_boolean_create();
    CHECK_INT(belay_disposable_is_disposed(d), 0);
    belay_disposable_release(d);
  }
  CHECK(!belay_last_error());
}

static const test_case cases[] = {
    CASE(released_twice),
    CASE(used_after_release),
    CASE(used_after_it_was_given_away),
    CASE(released_though_borrowed),
    CASE(watches_of_a_released_source),
    CASE(a_new_handle_at_an_old_address),
};

#else

static void retained_handles_may_be_released_as_often(void) {
  belay_disposable *d = belay_boolean_create();
  for (int i = 0; i < 100; i++) CHECK(belay_disposable_retain(d) == d);
  for (int i = 0; i < 101; i++) belay_disposable_release(d);
  CHECK(!belay_last_error());
}

static const test_case cases[] = {CASE(retained_handles_may_be_released_as_often)};

#endif

int main(int argc, char **argv) { return RUN_CASES(cases); }
