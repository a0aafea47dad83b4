/* Observing paths: what observers do inside of their callbacks. A3-43. */
#include "people.h"

typedef struct inside {
  belay_owner *object;
  belay_disposable *subscription;
  const char *as;
} inside;
static void set_again(void *ctx, belay_value value) {
  inside *it = ctx;
  render_next((void *)it->as, value);
  int age = get_int(it->object, "age");
  if (age < 23) {
    CHECK_INT(set_int(it->object, "age", age + 1), 0);
    CHECK_INT(get_int(it->object, "age"), age + 1);
  }
}
static belay_disposable *observed_by(void (*next)(void *, belay_value), inside *it) {
  belay_signal *signal = observe_with(it->object, "age", 0, NULL);
  belay_observer observer = {.size = sizeof observer, .next = next, .ctx = it};
  belay_disposable *subscription;
  CHECK_INT(belay_signal_subscribe(signal, &observer, &subscription), 0);
  belay_signal_release(signal);
  return subscription;
}
static void a_change_during_a_callback_counts_at_once_and_is_told_after(void) {
  inside it = {.object = make_person(20, NULL), .as = "a"};
  belay_disposable *one = observed_by(set_again, &it);
  belay_disposable *two = watched(observe_with(it.object, "age", 0, NULL), "b");
  CHECK_INT(set_int(it.object, "age", 21), 0);
  CHECK_TRACE("a next 21 | b next 21 | a next 22 | b next 22 | a next 23 | b next 23");
  end_subscription(one), end_subscription(two);
  belay_owner_release(it.object);
  trace_clear(), forget_people();
}

static void end_the_other(void *ctx, belay_value value) {
  inside *it = ctx;
  render_next((void *)it->as, value);
  end_subscription(it->subscription);
  watch(observe_with(it->object, "age", 0, NULL), "new");
}
static void A3_43_an_observer_removed_in_a_callback_is_not_called(void) {
  inside it = {.object = make_person(20, NULL), .as = "a"};
  belay_disposable *one = observed_by(end_the_other, &it);
  it.subscription = watched(observe_with(it.object, "age", 0, NULL), "b");
  CHECK_INT(set_int(it.object, "age", 21), 0);
  CHECK_TRACE("a next 21 | b disposed | b free");
  end_subscription(one);
  CHECK_INT(set_int(it.object, "age", 22), 0);
  CHECK_TRACE("new next 22");
  belay_owner_release(it.object);
  trace_clear(), forget_people();
}

static void end_oneself(void *ctx, belay_value value) {
  inside *it = ctx;
  render_next((void *)it->as, value);
  belay_disposable_dispose(it->subscription);
}
static void an_observer_that_ends_itself(void) {
  inside it = {.object = make_person(20, NULL), .as = "a"};
  it.subscription = observed_by(end_oneself, &it);
  set_int(it.object, "age", 21);
  set_int(it.object, "age", 22);
  CHECK_TRACE("a next 21");
  belay_disposable_release(it.subscription);
  belay_owner_release(it.object);
  forget_people();
}

static void kill_the_target(void *ctx, belay_value value) {
  inside *it = ctx;
  render_next((void *)it->as, value);
  belay_owner_release(it->object);
}
static void a_target_that_dies_in_a_callback(void) {
  inside it = {.object = make_person(20, NULL), .as = "a"};
  belay_owner *handle = it.object;
  belay_disposable *one = observed_by(kill_the_target, &it);
  belay_disposable *two = watched(observe_with(it.object, "age", 0, NULL), "b");
  CHECK_INT(set_int(handle, "age", 21), 0);
  CHECK_TRACE("a next 21 | b completed | b disposed | b free");
  belay_disposable_release(one), belay_disposable_release(two);
  forget_people();
}

/* What waits when an observer comes has happened before it reads the value. */
static belay_owner *changing;
static belay_disposable *gone, *late;
static void change_and_observe(void *ctx, belay_value value) {
  int64_t level = 0;
  render_next(ctx, value);
  if (belay_value_get_int64(value, &level) < 0 || level != 1) return;
  set_int(changing, "age", 21);
  if (gone) end_subscription(gone);
  gone = NULL;
  set_int(changing, "age", 22);
  late = observed(changing, "age", "late");
}
static void an_observer_that_comes_late_hears_no_older_value(void) {
  for (int is_alone = 0; is_alone < 2; is_alone++) {
    changing = make_person(20, NULL);
    belay_disposable *other = is_alone ? NULL : observed(changing, "age", "other");
    gone = is_alone ? observed(changing, "age", "gone") : NULL;
    belay_observer observer = rendering("level");
    belay_signal *level = belay_object_observe(changing, "level", NULL);
    observer.next = change_and_observe;
    CHECK_INT(belay_signal_subscribe(level, &observer, NULL), 0);
    belay_signal_release(level);
    trace_clear();
    set_int(changing, "level", 1);
    CHECK_TRACE(is_alone ? "level next 1 | gone disposed | gone free | late next 22"
                         : "level next 1 | late next 22 | other next 21 | other next 22");
    set_int(changing, "age", 23);
    CHECK_INT(strstr(trace_text(), "late next 23") != NULL, 1);
    end_subscription(late);
    if (other) end_subscription(other);
    belay_owner_release(changing);
    trace_clear(), forget_people();
  }
}

/* The death of what a hop has referred to waits while the observer is called. */
static person desks[2];
static void replace_and_end(void *ctx, belay_value value) {
  int64_t age = 0;
  render_next(ctx, value);
  if (belay_value_get_int64(value, &age) < 0 || age != 11) return;
  CHECK_INT(belay_object_set(changing, "desk", belay_pointer(&desks[1])), 0);
  CHECK_INT(belay_owner_end(&desks[0], NULL, NULL), 0);
}
static void the_death_of_what_was_replaced_before_is_not_told(void) {
  belay_owner *ends[2];
  changing = make_person(20, NULL);
  for (int i = 0; i < 2; i++) {
    desks[i] = (person){.age = 10 + 10 * i};
    ends[i] = belay_owner_adopt(&desks[i], NULL);
    CHECK_INT(belay_object_set_type(ends[i], person_type), 0);
  }
  CHECK_INT(belay_object_set(changing, "desk", belay_pointer(&desks[0])), 0);
  belay_observer observer = rendering("");
  belay_signal *signal = belay_object_observe(changing, "desk.age", NULL);
  observer.next = replace_and_end;
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  belay_signal_release(signal);
  set_int(ends[0], "age", 11);
  set_int(ends[1], "age", 21);
  CHECK_TRACE("next 10 | next 11 | next 20 | next 21");
  CHECK_INT(belay_owner_end(&desks[1], NULL, NULL), 0);
  CHECK_TRACE("next null");
  belay_owner_release(ends[0]), belay_owner_release(ends[1]), belay_owner_release(changing);
  trace_clear(), forget_people();
}

static const test_case cases[] = {
    CASE(a_change_during_a_callback_counts_at_once_and_is_told_after),
    CASE(A3_43_an_observer_removed_in_a_callback_is_not_called),
    CASE(an_observer_that_ends_itself),
    CASE(a_target_that_dies_in_a_callback),
    CASE(an_observer_that_comes_late_hears_no_older_value),
    CASE(the_death_of_what_was_replaced_before_is_not_told),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
