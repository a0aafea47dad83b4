/* Events by name, with owners on both sides: A4-25 to A4-31. Those of other threads and loops
   are in owner_events_elsewhere.c. */
#include "owned.h"
#include "worker.h"

/* ---- A4-25: the whole of it ---- */
static void A4_25_watch_and_post(void) {
  belay_owner *watcher = plain_owner(), *source = plain_owner(), *other = plain_owner();
  CHECK_INT(post(source, "changed", 1), 0);
  CHECK_INT(
      belay_owner_event_watch(watcher, source, "changed", LEVEL, trace_event, "a", trace_free), 0);
  CHECK_INT(post(source, "changed", 2), 0);
  CHECK_INT(post(source, "change", 3), 0);
  CHECK_INT(post(other, "changed", 4), 0);
  CHECK_INT(belay_owner_event_post(source, "changed", belay_string("text")), 0);
  CHECK_INT(belay_owner_event_post(source, "changed", belay_null()), 0);
  CHECK_TRACE("a: changed 2 | a: changed text | a: changed null");
  belay_owner_release(watcher);
  CHECK_TRACE("free a");
  belay_owner_release(source), belay_owner_release(other);
}

static void A4_25_unwatch_by_event_by_level_by_object_and_all(void) {
  belay_owner *watcher = plain_owner(), *bystander = plain_owner(), *a = plain_owner(),
              *b = plain_owner();
  watch_event(watcher, a, "x", 1, "a x 1");
  watch_event(watcher, a, "x", 2, "a x 2");
  watch_event(watcher, a, "y", 1, "a y 1");
  watch_event(watcher, b, "x", 1, "b x 1");
  watch_event(watcher, b, "y", 1, "b y 1");
  watch_event(bystander, a, "x", 1, "bystander");
  CHECK_INT(belay_owner_event_unwatch_name(watcher, a, "x"), 0);
  post(a, "x", 1), post(a, "y", 2), post(b, "x", 3);
  CHECK_TRACE("bystander: x 1 | a y 1: y 2 | b x 1: x 3");
  CHECK_INT(belay_owner_event_unwatch_source(watcher, a), 0);
  post(a, "y", 4), post(b, "x", 5), post(b, "y", 6);
  CHECK_TRACE("b x 1: x 5 | b y 1: y 6");
  CHECK_INT(belay_owner_event_unwatch_all(watcher), 0);
  post(a, "x", 7), post(a, "y", 8), post(b, "x", 9), post(b, "y", 10);
  CHECK_TRACE("bystander: x 7");
  CHECK_FAILS(belay_owner_event_unwatch_all(watcher), BELAY_ENOENT);
  CHECK_FAILS(belay_owner_event_unwatch_source(watcher, a), BELAY_ENOENT);
  CHECK_FAILS(belay_owner_event_unwatch_name(watcher, a, "x"), BELAY_ENOENT);
  CHECK_FAILS(belay_owner_event_unwatch(watcher, a, "x", 1), BELAY_ENOENT);
  CHECK_INT(belay_owner_event_unwatch(bystander, a, "x", 1), 0);
  belay_owner_release(watcher), belay_owner_release(bystander);
  belay_owner_release(a), belay_owner_release(b);
}

/* ---- A4-26: levels ---- */
static void A4_26_higher_levels_first_and_the_same_level_replaces(void) {
  belay_owner *one = plain_owner(), *two = plain_owner(), *source = plain_owner();
  CHECK_INT(LEVEL, 1000);
  watch_event(one, source, "e", LEVEL, "usual");
  watch_event(one, source, "e", -5, "low");
  watch_event(two, source, "e", 2000, "high");
  watch_event(two, source, "e", LEVEL, "second usual");
  watch_event(two, source, "e", INT32_MAX, "highest");
  watch_event(two, source, "e", INT32_MIN, "lowest");
  post(source, "e", 1);
  CHECK_TRACE("highest: e 1 | high: e 1 | usual: e 1 | second usual: e 1 | low: e 1 | lowest: e 1");
  CHECK_INT(belay_owner_event_watch(one, source, "e", LEVEL, trace_event, "new", trace_free), 0);
  post(source, "e", 2);
  CHECK_TRACE(
      "highest: e 2 | high: e 2 | second usual: e 2 | new: e 2 | low: e 2 | lowest: e 2");
  watch_event(one, source, "e", LEVEL, "newer");
  CHECK_TRACE("free new");
  belay_owner_release(one), belay_owner_release(two);
  post(source, "e", 3);
  CHECK_TRACE("");
  belay_owner_release(source);
}

/* ---- A4-28: the watcher ---- */
static int watcher_object, source_object;
static void look(void *ctx, const belay_owner_event *event) {
  CHECK(event->watcher == &watcher_object);
  CHECK(event->object == &source_object);
  trace("seen");
}
static void A4_28_the_handler_gets_the_watcher_and_holds_it_not(void) {
  belay_owner *watcher = belay_owner_create(&watcher_object, NULL, NULL, NULL);
  belay_owner *source = belay_owner_create(&source_object, NULL, NULL, NULL);
  CHECK_INT(belay_owner_event_watch(watcher, source, "e", 1, look, NULL, NULL), 0);
  post(source, "e", 1);
  CHECK_TRACE("seen");
  belay_owner_release(watcher); /* a watch does not keep its watcher */
  CHECK_INT(belay_live_count(BELAY_LIVE_OWNERS), 1);
  post(source, "e", 1);
  CHECK_TRACE("");
  belay_owner_release(source);
}

/* ---- A4-29: its first fault, every level removed where one was meant ---- */
static void A4_29_unwatching_a_level_leaves_the_others(void) {
  belay_owner *watcher = plain_owner(), *source = plain_owner();
  watch_event(watcher, source, "e", 3, "3");
  watch_event(watcher, source, "e", 2, "2");
  watch_event(watcher, source, "e", 1, "1");
  CHECK_INT(belay_owner_event_unwatch(watcher, source, "e", 2), 0);
  post(source, "e", 0);
  CHECK_TRACE("3: e 0 | 1: e 0");
  CHECK_FAILS(belay_owner_event_unwatch(watcher, source, "e", 2), BELAY_ENOENT);
  belay_owner_release(source), belay_owner_release(watcher);
}

/* ---- A4-30: its second, a death that removes all watches of a watcher ---- */
static void A4_30_a_sources_death_ends_its_own_watches_only(void) {
  belay_owner *watcher = plain_owner(), *first = plain_owner(), *second = plain_owner();
  watch_event(watcher, first, "e", LEVEL, "first");
  watch_event(watcher, second, "e", LEVEL, "second");
  watch_event(watcher, watcher, "e", LEVEL, "itself");
  belay_owner_release(first);
  post(second, "e", 1), post(watcher, "e", 2);
  CHECK_TRACE("second: e 1 | itself: e 2");
  CHECK_INT(belay_owner_event_unwatch_source(watcher, second), 0);
  post(second, "e", 3), post(watcher, "e", 4);
  CHECK_TRACE("itself: e 4");
  /* NULL stands for nothing. */
  CHECK_FAILS(belay_owner_event_unwatch_source(watcher, NULL), BELAY_EINVAL);
  CHECK_FAILS(belay_owner_event_unwatch_name(watcher, watcher, NULL), BELAY_EINVAL);
  post(watcher, "e", 5);
  CHECK_TRACE("itself: e 5");
  belay_owner_release(second), belay_owner_release(watcher);
}

/* ---- A4-31: its third, a new object at a dead one's address ---- */
static void A4_31_a_reused_address_inherits_no_watch(void) {
  int object;
  belay_owner *watcher = plain_owner();
  for (int round = 0; round < 3; round++) {
    belay_owner *source = belay_owner_adopt(&object, NULL);
    CHECK_INT(post(source, "e", round), 0);
    CHECK_TRACE("");
    CHECK_FAILS(belay_owner_event_unwatch_source(watcher, source), BELAY_ENOENT);
    watch_event(watcher, source, "e", LEVEL, "watch");
    post(source, "e", 10 + round);
    CHECK_TRACE(round == 0 ? "watch: e 10" : round == 1 ? "watch: e 11" : "watch: e 12");
    CHECK_INT(belay_owner_end(&object, NULL, NULL), 0);
    belay_owner_release(source);
  }
  /* The same for a watcher at the address of a dead one, … */
  belay_owner *source = plain_owner();
  for (int round = 0; round < 3; round++) {
    belay_owner *again = belay_owner_adopt(&object, NULL);
    CHECK_INT(post(source, "e", round), 0);
    CHECK_TRACE("");
    watch_event(again, source, "e", LEVEL, "again");
    CHECK_INT(belay_owner_end(&object, NULL, NULL), 0);
    belay_owner_release(again);
  }
  /* … and for owners themselves, thousands of which take each other's addresses. */
  for (int round = 0; round < 20000; round++) {
    belay_owner *short_lived = plain_owner();
    CHECK_INT(post(short_lived, "e", round), 0);
    watch_event(watcher, short_lived, "e", LEVEL, "short-lived");
    belay_owner_release(short_lived);
  }
  CHECK_TRACE("");
  CHECK_FAILS(belay_owner_event_unwatch_all(watcher), BELAY_ENOENT);
  belay_owner_release(watcher), belay_owner_release(source);
}

/* ---- memory ---- */
static void watch_for_a_while(void *watcher) {
  char name[16];
  static int number;
  belay_owner *source = plain_owner();
  snprintf(name, sizeof name, "%d", number++);
  watch_event(watcher, source, name, LEVEL, "");
  watch_event(source, watcher, name, LEVEL, "");
  post(source, name, 1), post(watcher, name, 1);
  trace_clear();
  belay_owner_release(source);
}
static void rule_1_3_what_was_watched_leaves_both_sides_flat(void) {
  belay_owner *watcher = plain_owner();
  check_flat(watch_for_a_while, watcher, 100000);
  CHECK_INT(belay_compound_count(belay_owner_get_compound(watcher)), 0);
  belay_owner_release(watcher);
}

/* ---- from inside ---- */
static belay_owner *the_source, *the_watcher;
static void post_again(void *ctx, const belay_owner_event *event) {
  int number = int_of(event->user_info);
  trace("%s %s %d", (const char *)ctx, event->name, number);
  if (number == 1) {
    CHECK_INT(post(the_source, "e", 2), BELAY_QUEUED);
    CHECK_INT(post(the_source, "f", 3), BELAY_QUEUED);
    CHECK_INT(watch_event(the_watcher, the_source, "e", 5, "late"), 0);
  }
}
static void rule_1_2_what_is_posted_inside_follows_and_newcomers_wait(void) {
  the_source = plain_owner(), the_watcher = plain_owner();
  belay_owner_event_watch(the_watcher, the_source, "e", 20, post_again, "first", NULL);
  watch_event(the_watcher, the_source, "e", 10, "second");
  watch_event(the_watcher, the_source, "f", 10, "f");
  CHECK_INT(post(the_source, "e", 1), 0);
  CHECK_TRACE("first e 1 | second: e 1 | first e 2 | second: e 2 | f: f 3");
  CHECK_INT(post(the_source, "e", 9), 0);
  CHECK_TRACE("first e 9 | second: e 9 | late: e 9");
  belay_owner_release(the_source), belay_owner_release(the_watcher);
}

static int again_count;
static void fill_queue(void *ctx, const belay_owner_event *event) {
  if (again_count++) return;
  for (int i = 0; i < 1024; i++) CHECK_INT(post(the_source, "e", i), BELAY_QUEUED);
  CHECK_FAILS(belay_owner_event_post(the_source, "e", belay_string("given")), BELAY_EAGAIN);
}
static void rule_1_2_a_bounded_number_waits(void) {
  the_source = plain_owner(), the_watcher = plain_owner();
  again_count = 0;
  belay_owner_event_watch(the_watcher, the_source, "e", 1, fill_queue, NULL, NULL);
  CHECK_INT(post(the_source, "e", 0), 0);
  CHECK_INT(again_count, 1025);
  belay_owner_release(the_source), belay_owner_release(the_watcher);
}

static void kill_in_handler(void *owner, const belay_owner_event *event) {
  trace("handler");
  belay_owner_release(owner);
  trace("handler ends");
}
static void rule_1_4_a_death_inside_a_handler(void) {
  for (int who = 0; who < 2; who++) {
    belay_owner *watcher = belay_owner_create("watcher", trace_action, trace_free, NULL);
    belay_owner *source = belay_owner_create("source", trace_action, trace_free, NULL);
    belay_owner_event_watch(watcher, source, "e", 2, kill_in_handler, who ? source : watcher,
                            NULL);
    watch_event(watcher, source, "e", 1, "sibling");
    CHECK_INT(post(source, "e", 1), 0);
    CHECK_TRACE(who ? "handler | handler ends | action source | free source"
                    : "handler | handler ends | action watcher | free watcher");
    belay_owner_release(who ? watcher : source);
    trace_clear();
  }
}

static void unwatch_in_handler(void *ctx, const belay_owner_event *event) {
  trace("handler");
  CHECK_INT(belay_owner_event_unwatch_all(the_watcher), 0);
}
static void rule_1_1_a_sibling_unwatched_in_a_handler_is_not_called(void) {
  the_source = plain_owner(), the_watcher = plain_owner();
  CHECK_INT(belay_owner_event_watch(the_watcher, the_source, "e", 2, unwatch_in_handler, "ctx",
                                    trace_free), 0);
  watch_event(the_watcher, the_source, "e", 1, "sibling");
  post(the_source, "e", 1);
  CHECK_TRACE("handler | free ctx");
  belay_owner_release(the_source), belay_owner_release(the_watcher);
}

/* ---- nonsense, the dead ---- */
static void nonsense(void) {
  int freed = 0;
  belay_owner *owner = plain_owner();
  CHECK_FAILS(belay_owner_event_watch(NULL, owner, "e", 1, trace_event, &freed, count_free),
              BELAY_EINVAL);
  CHECK_FAILS(belay_owner_event_watch(owner, NULL, "e", 1, trace_event, &freed, count_free),
              BELAY_EINVAL);
  CHECK_FAILS(belay_owner_event_watch(owner, owner, NULL, 1, trace_event, &freed, count_free),
              BELAY_EINVAL);
  CHECK_FAILS(belay_owner_event_watch(owner, owner, "e", 1, NULL, &freed, count_free),
              BELAY_EINVAL);
  CHECK_INT(freed, 4);
  CHECK_FAILS(belay_owner_event_unwatch_all(NULL), BELAY_EINVAL);
  CHECK_FAILS(belay_owner_event_unwatch_source(NULL, owner), BELAY_EINVAL);
  CHECK_FAILS(belay_owner_event_unwatch(owner, owner, NULL, 1), BELAY_EINVAL);
  CHECK_FAILS(belay_owner_event_unwatch(NULL, NULL, NULL, 1), BELAY_EINVAL);
  CHECK_FAILS(belay_owner_event_post(NULL, "e", belay_string("given")), BELAY_EINVAL);
  CHECK_FAILS(belay_owner_event_post(owner, NULL, belay_string("given")), BELAY_EINVAL);
  int object;
  belay_owner *dead = belay_owner_adopt(&object, NULL);
  belay_owner_end(&object, NULL, NULL);
  freed = 0;
  CHECK_FAILS(belay_owner_event_watch(dead, owner, "e", 1, trace_event, &freed, count_free),
              BELAY_EDEAD);
  CHECK_FAILS(belay_owner_event_watch(owner, dead, "e", 1, trace_event, &freed, count_free),
              BELAY_EDEAD);
  CHECK_INT(freed, 2);
  CHECK_FAILS(belay_owner_event_post(dead, "e", belay_string("given")), BELAY_EDEAD);
  CHECK_FAILS(belay_owner_event_unwatch_all(dead), BELAY_ENOENT);
  belay_owner_release(dead), belay_owner_release(owner);
}

/* ---- what replaces ---- */
static belay_owner *replacing, *replaced_at;
static void count_call(void *ctx, const belay_owner_event *event) { trace("called"); }
/* Comes between the beginning of the new watch and the end of the old one. */
static void replace_once_more(void *ctx) {
  CHECK_INT(belay_owner_event_watch(replacing, replaced_at, "e", 1, count_call, NULL, NULL), 0);
}
static void the_last_of_two_that_replace_at_once_stays(void) {
  replacing = plain_owner(), replaced_at = plain_owner();
  CHECK_INT(belay_owner_event_watch(replacing, replaced_at, "e", 1, count_call, NULL,
                                    replace_once_more), 0);
  CHECK_INT(belay_owner_event_watch(replacing, replaced_at, "e", 1, count_call, NULL, NULL), 0);
  post(replaced_at, "e", 1);
  CHECK_TRACE("called");
  CHECK_INT(belay_owner_event_unwatch(replacing, replaced_at, "e", 1), 0);
  CHECK_FAILS(belay_owner_event_unwatch(replacing, replaced_at, "e", 1), BELAY_ENOENT);
  belay_owner_release(replacing), belay_owner_release(replaced_at);
}

/* Each handler posts to the next owner. */
enum { CHAIN = 2000 };
static belay_owner *chained[CHAIN];
static int deepest, refusal;
static void post_to_next(void *ctx, const belay_owner_event *event) {
  size_t index = (size_t)ctx + 1;
  deepest = (int)index;
  int code = index < CHAIN ? post(chained[index], "x", 1) : 0;
  if (code != 0) refusal = code;
}
static void posts_from_handler_to_handler_are_bounded(void) {
  for (size_t i = 0; i < CHAIN; i++) {
    chained[i] = plain_owner();
    CHECK_INT(belay_owner_event_watch(chained[i], chained[i], "x", LEVEL, post_to_next, (void *)i,
                                      NULL), 0);
  }
  CHECK_INT(post(chained[0], "x", 1), 0);
  CHECK_INT(refusal, BELAY_EREENTRANT);
  CHECK(deepest >= 1000);
  /* Afterwards there is room again. */
  CHECK_INT(post(chained[CHAIN - 1], "x", 1), 0);
  CHECK_INT(deepest, CHAIN);
  for (size_t i = 0; i < CHAIN; i++) belay_owner_release(chained[i]);
}

static const test_case cases[] = {
    CASE(A4_25_watch_and_post),
    CASE(A4_25_unwatch_by_event_by_level_by_object_and_all),
    CASE(A4_26_higher_levels_first_and_the_same_level_replaces),
    CASE(A4_28_the_handler_gets_the_watcher_and_holds_it_not),
    CASE(A4_29_unwatching_a_level_leaves_the_others),
    CASE(A4_30_a_sources_death_ends_its_own_watches_only),
    CASE(A4_31_a_reused_address_inherits_no_watch),
    CASE(rule_1_3_what_was_watched_leaves_both_sides_flat),
    CASE(rule_1_2_what_is_posted_inside_follows_and_newcomers_wait),
    CASE(rule_1_2_a_bounded_number_waits),
    CASE(rule_1_4_a_death_inside_a_handler),
    CASE(rule_1_1_a_sibling_unwatched_in_a_handler_is_not_called),
    CASE(nonsense),
    CASE(the_last_of_two_that_replace_at_once_stays),
    CASE(posts_from_handler_to_handler_are_bounded),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
