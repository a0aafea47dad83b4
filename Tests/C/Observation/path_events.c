/* Properties watched like events, by level: A4-25 to A4-31. */
#include "owned.h"
#include "people.h"
#include "worker.h"

static void A4_25_a_property_and_a_path_are_watched(void) {
  belay_owner *watcher = plain_owner(), *ann = make_person(20, NULL), *bob = make_person(30, NULL);
  CHECK_INT(belay_owner_event_watch(watcher, ann, ".age", LEVEL, trace_event, "a", trace_free), 0);
  CHECK_INT(watch_event(watcher, ann, ".boss.age", LEVEL, "b"), 0);
  CHECK_INT(set_int(ann, "age", 21), 0);
  CHECK_INT(set_int(ann, "level", 1), 0);
  CHECK_INT(set_owner(ann, "boss", bob), 0);
  CHECK_INT(set_int(bob, "age", 31), 0);
  CHECK_INT(belay_object_set(ann, "boss", belay_null()), 0);
  CHECK_INT(set_int(bob, "age", 32), 0);
  CHECK_TRACE("a: .age 21 | b: .boss.age 30 | b: .boss.age 31 | b: .boss.age null");
  /* An event with the key's name is another event. */
  CHECK_INT(watch_event(watcher, ann, "age", LEVEL, "event"), 0);
  CHECK_INT(belay_owner_event_post(ann, "age", belay_int32(1)), 0);
  CHECK_TRACE("event: age 1");
  belay_owner_release(watcher);
  CHECK_TRACE("free a");
  CHECK_INT(belay_compound_count(belay_owner_get_compound(ann)), 0);
  belay_owner_release(ann), belay_owner_release(bob);
  forget_people();
}

static void A4_25_unwatched_by_path_by_level_by_object_and_all(void) {
  belay_owner *watcher = plain_owner(), *bystander = plain_owner();
  belay_owner *ann = make_person(20, NULL), *bob = make_person(30, NULL);
  watch_event(watcher, ann, ".age", 1, "ann age 1");
  watch_event(watcher, ann, ".age", 2, "ann age 2");
  watch_event(watcher, ann, ".level", 1, "ann level");
  watch_event(watcher, bob, ".age", 1, "bob age");
  watch_event(bystander, ann, ".age", 1, "bystander");
  CHECK_INT(belay_owner_event_unwatch(watcher, ann, ".age", 2), 0);
  set_int(ann, "age", 21);
  CHECK_TRACE("ann age 1: .age 21 | bystander: .age 21");
  CHECK_INT(belay_owner_event_unwatch_name(watcher, ann, ".age"), 0);
  set_int(ann, "age", 22), set_int(ann, "level", 2);
  CHECK_TRACE("bystander: .age 22 | ann level: .level 2");
  CHECK_INT(belay_owner_event_unwatch_source(watcher, ann), 0);
  set_int(ann, "level", 3), set_int(bob, "age", 31);
  CHECK_TRACE("bob age: .age 31");
  CHECK_INT(belay_owner_event_unwatch_all(watcher), 0);
  set_int(bob, "age", 32), set_int(ann, "age", 23);
  CHECK_TRACE("bystander: .age 23");
  CHECK_FAILS(belay_owner_event_unwatch_name(watcher, ann, ".age"), BELAY_ENOENT);
  /* The path is released with its last watch. */
  CHECK_INT(belay_owner_event_unwatch_all(bystander), 0);
  CHECK_INT(belay_compound_count(belay_owner_get_compound(ann)), 0);
  belay_owner_release(watcher), belay_owner_release(bystander);
  belay_owner_release(ann), belay_owner_release(bob);
  forget_people();
}

static void A4_26_higher_levels_first_and_the_same_level_replaces(void) {
  belay_owner *one = plain_owner(), *two = plain_owner(), *ann = make_person(20, NULL);
  watch_event(one, ann, ".age", LEVEL, "usual");
  watch_event(one, ann, ".age", INT32_MIN, "lowest");
  watch_event(two, ann, ".age", INT32_MAX, "highest");
  watch_event(two, ann, ".age", LEVEL, "second");
  set_int(ann, "age", 21);
  CHECK_TRACE("highest: .age 21 | usual: .age 21 | second: .age 21 | lowest: .age 21");
  CHECK_INT(belay_owner_event_watch(one, ann, ".age", LEVEL, trace_event, "new", trace_free), 0);
  set_int(ann, "age", 22);
  CHECK_TRACE("highest: .age 22 | second: .age 22 | new: .age 22 | lowest: .age 22");
  watch_event(one, ann, ".age", LEVEL, "newer");
  CHECK_TRACE("free new");
  belay_owner_release(one), belay_owner_release(two);
  set_int(ann, "age", 23);
  CHECK_TRACE("");
  belay_owner_release(ann);
  forget_people();
}

typedef struct listener {
  worker *home;
  int strayed, sum;
} listener;
static void listen(void *ctx, const belay_owner_event *event) {
  listener *it = ctx;
  it->strayed += !is_on(it->home);
  it->sum += int_of(event->user_info);
}
static void A4_27_at_the_watchers_loop_with_the_value_of_each_change(void) {
  worker home = {0};
  start_worker(&home);
  listener it = {.home = &home};
  belay_owner_options options = {.size = sizeof options, .loop = home.loop};
  belay_owner *watcher = belay_owner_create(NULL, NULL, NULL, &options);
  belay_owner *ann = make_person(0, NULL);
  CHECK_INT(belay_owner_event_watch(watcher, ann, ".age", LEVEL, listen, &it, NULL), 0);
  for (int age = 1; age <= 100; age++) CHECK_INT(set_int(ann, "age", age), 0);
  meet(&home);
  CHECK_INT(it.sum, 5050);
  CHECK_INT(it.strayed, 0);
  belay_owner_release(watcher);
  meet(&home);
  belay_owner_release(ann);
  stop_worker(&home);
  forget_people();
}

static void A4_30_a_sources_death_ends_its_own_watches_only(void) {
  belay_owner *watcher = plain_owner(), *ann = make_person(20, NULL), *bob = make_person(30, NULL);
  watch_event(watcher, ann, ".age", LEVEL, "ann");
  watch_event(watcher, bob, ".age", LEVEL, "bob");
  belay_owner_release(ann);
  set_int(bob, "age", 31);
  CHECK_TRACE("bob: .age 31");
  CHECK_INT(belay_owner_event_unwatch_all(watcher), 0);
  belay_owner_release(watcher), belay_owner_release(bob);
  forget_people();
}

static void A3_39_no_call_when_the_dying_value_is_the_watcher(void) {
  belay_owner *ann = make_person(20, NULL), *bob = make_person(30, NULL);
  set_owner(ann, "mate", bob);
  watch_event(bob, ann, ".mate", LEVEL, "bob");
  watch_event(ann, ann, ".mate", LEVEL, "ann");
  belay_owner_release(bob);
  CHECK_TRACE("ann: .mate null");
  belay_owner_release(ann);
  forget_people();
}

static void A4_31_a_reused_address_inherits_no_watch(void) {
  int desk;
  belay_owner *watcher = plain_owner();
  belay_type *open_type = belay_type_create(NULL, 0, BELAY_TYPE_DYNAMIC);
  for (int round = 0; round < 3; round++) {
    belay_owner *source = belay_owner_adopt(&desk, NULL);
    CHECK_INT(belay_object_set_type(source, open_type), 0);
    CHECK_INT(set_int(source, "drawers", round), 0);
    CHECK_TRACE("");
    CHECK_INT(watch_event(watcher, source, ".drawers", LEVEL, "watch"), 0);
    CHECK_INT(set_int(source, "drawers", 5), 0);
    CHECK_TRACE("watch: .drawers 5");
    CHECK_INT(belay_owner_end(&desk, NULL, NULL), 0);
    belay_owner_release(source);
  }
  CHECK_FAILS(belay_owner_event_unwatch_all(watcher), BELAY_ENOENT);
  belay_type_release(open_type), belay_owner_release(watcher);
}

static void hear_unhandled(void *ctx, const belay_error *error, const char *signal,
                           const char *site) {
  (void)ctx, (void)signal, (void)site;
  trace("unhandled %s", belay_error_name(belay_error_code(error)));
}
static void A1_27_an_unknown_key_is_refused_or_ends_the_watches_when_it_is_reached(void) {
  belay_owner *watcher = plain_owner(), *ann = make_person(20, NULL), *bob = make_person(30, NULL);
  CHECK_FAILS(watch_event(watcher, ann, ".nothing", LEVEL, ""), BELAY_ENOENT);
  CHECK_FAILS(watch_event(watcher, watcher, ".age", LEVEL, ""), BELAY_ENOENT);
  CHECK_FAILS(watch_event(watcher, ann, ".age.name", LEVEL, ""), BELAY_EKIND);
  CHECK_FAILS(watch_event(watcher, ann, ".", LEVEL, ""), BELAY_EINVAL);
  CHECK_FAILS(watch_event(watcher, ann, "..age", LEVEL, ""), BELAY_EINVAL);
  CHECK_FAILS(belay_owner_event_post(ann, ".age", belay_string("given")), BELAY_EINVAL);
  belay_on_unhandled_error(hear_unhandled, NULL, NULL);
  for (int level = 1; level <= 2; level++)
    CHECK_INT(belay_owner_event_watch(watcher, ann, ".boss.nothing", level, trace_event, "ctx",
                                      trace_free), 0);
  CHECK_INT(set_owner(ann, "boss", bob), 0);
  CHECK_TRACE("unhandled ENOENT | free ctx | free ctx");
  CHECK_FAILS(belay_owner_event_unwatch_all(watcher), BELAY_ENOENT);
  belay_on_unhandled_error(NULL, NULL, NULL);
  belay_owner_release(watcher), belay_owner_release(ann), belay_owner_release(bob);
  forget_people();
}

static void hold(void *ctx) { wait_for(ctx); }
/* The loop of one watcher has not heard yet that the path has led nowhere. */
static void a_path_whose_watches_are_ending_takes_no_other(void) {
  worker other = {0};
  sem_t go_on;
  sem_init(&go_on, 0, 0);
  start_worker(&other);
  belay_on_unhandled_error(hear_unhandled, NULL, NULL);
  belay_owner *watcher = plain_owner(), *ann = make_person(20, NULL), *bob = make_person(30, NULL);
  belay_owner *elsewhere = belay_owner_create(
      NULL, NULL, NULL, &BELAY_INIT(belay_owner_options, .loop = other.loop));
  CHECK_INT(set_owner(ann, "boss", bob), 0);
  CHECK_INT(belay_loop_post(other.loop, hold, &go_on, NULL), 0);
  CHECK_INT(watch_event(elsewhere, ann, ".boss.age", LEVEL, "elsewhere"), 0);
  CHECK_INT(set_owner(ann, "boss", watcher), 0);
  CHECK_INT(set_owner(ann, "boss", bob), 0);
  CHECK_TRACE("unhandled ENOENT");
  CHECK_FAILS(belay_owner_event_watch(watcher, ann, ".boss.age", LEVEL, trace_event, "late",
                                      trace_free), BELAY_EAGAIN);
  CHECK_TRACE("free late");
  sem_post(&go_on);
  meet(&other), meet(&other);
  CHECK_INT(watch_event(watcher, ann, ".boss.age", LEVEL, "again"), 0);
  CHECK_INT(set_int(bob, "age", 31), 0);
  CHECK_TRACE("again: .boss.age 31");
  belay_on_unhandled_error(NULL, NULL, NULL);
  belay_owner_release(elsewhere), belay_owner_release(watcher);
  belay_owner_release(ann), belay_owner_release(bob);
  meet(&other);
  stop_worker(&other);
  sem_destroy(&go_on);
  forget_people();
}

static belay_owner *the_source;
static void set_in_handler(void *ctx, const belay_owner_event *event) {
  int age = int_of(event->user_info);
  trace("first %d", age);
  if (age == 21) CHECK_INT(set_int(the_source, "age", 22), 0);
}
static void rule_1_2_what_is_set_inside_follows(void) {
  belay_owner *watcher = plain_owner();
  the_source = make_person(20, NULL);
  belay_owner_event_watch(watcher, the_source, ".age", 2, set_in_handler, NULL, NULL);
  watch_event(watcher, the_source, ".age", 1, "second");
  CHECK_INT(set_int(the_source, "age", 21), 0);
  CHECK_TRACE("first 21 | second: .age 21 | first 22 | second: .age 22");
  belay_owner_release(the_source), belay_owner_release(watcher);
  forget_people();
}

static void watch_for_a_while(void *ann) {
  belay_owner *watcher = plain_owner();
  watch_event(watcher, ann, ".boss.age", LEVEL, "");
  watch_event(watcher, ann, ".age", LEVEL, "");
  set_int(ann, "age", 5);
  trace_clear();
  belay_owner_release(watcher);
}
static void rule_1_3_what_was_watched_leaves_the_object_flat(void) {
  belay_owner *ann = make_person(20, NULL);
  check_flat(watch_for_a_while, ann, 20000);
  CHECK_INT(belay_compound_count(belay_owner_get_compound(ann)), 0);
  belay_owner_release(ann);
  forget_people();
}

/* Watches come and go on two threads, while a third one sets the property. */
enum { ROUNDS = 2000 };
typedef struct race {
  belay_owner *ann;
  int last;
} race;
static void note_last(void *ctx, const belay_owner_event *event) {
  __atomic_store_n(&((race *)ctx)->last, int_of(event->user_info), __ATOMIC_RELAXED);
}
static void watch_in_rounds(void *ctx) {
  race *it = ctx;
  for (int round = 0; round < ROUNDS; round++) {
    belay_owner *watcher = plain_owner();
    CHECK_INT(belay_owner_event_watch(watcher, it->ann, ".age", round % 3, note_last, it, NULL), 0);
    belay_owner_release(watcher);
  }
}
static void set_in_rounds(void *ctx) {
  race *it = ctx;
  /* The changes are so few that none is refused. */
  for (int round = 0; round < ROUNDS / 2; round++) set_int(it->ann, "age", round);
  belay_last_error();
}
static void watches_come_and_go_while_others_change(void) {
  race it = {.ann = make_person(0, NULL)};
  belay_owner *watcher = plain_owner();
  routine threads[3];
  start_thread(&threads[0], watch_in_rounds, &it);
  start_thread(&threads[1], watch_in_rounds, &it);
  start_thread(&threads[2], set_in_rounds, &it);
  for (int i = 0; i < 3; i++) join_thread(&threads[i]);
  CHECK_INT(belay_compound_count(belay_owner_get_compound(it.ann)), 0);
  CHECK_INT(belay_owner_event_watch(watcher, it.ann, ".age", LEVEL, note_last, &it, NULL), 0);
  CHECK_INT(set_int(it.ann, "age", -7), 0);
  CHECK_INT(it.last, -7);
  belay_owner_release(watcher), belay_owner_release(it.ann);
  forget_people();
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      CASE(A4_25_a_property_and_a_path_are_watched),
      CASE(A4_25_unwatched_by_path_by_level_by_object_and_all),
      CASE(A4_26_higher_levels_first_and_the_same_level_replaces),
      CASE(A4_27_at_the_watchers_loop_with_the_value_of_each_change),
      CASE(A4_30_a_sources_death_ends_its_own_watches_only),
      CASE(A3_39_no_call_when_the_dying_value_is_the_watcher),
      CASE(A4_31_a_reused_address_inherits_no_watch),
      CASE(A1_27_an_unknown_key_is_refused_or_ends_the_watches_when_it_is_reached),
      CASE(a_path_whose_watches_are_ending_takes_no_other),
      CASE(rule_1_2_what_is_set_inside_follows),
      CASE(rule_1_3_what_was_watched_leaves_the_object_flat),
      CASE(watches_come_and_go_while_others_change),
  };
  return RUN_CASES(cases);
}
