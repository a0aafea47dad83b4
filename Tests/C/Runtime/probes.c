/* The static probes, as a tracer sees them. F6-01, A3-64. */
#define _GNU_SOURCE
#include "tracer.h"

/* The subject of the last hit: a subscription, a compound, an owner or a loop. */
static uint64_t subject_of_hit;

static const char *text_at(uint64_t address) {
  return text_or((const char *)(uintptr_t)address, "NULL");
}

static void show(const site *it) {
  const uint64_t *at = it->found;
  const char *name = it->name;
  subject_of_hit = at[1];
  if (strcmp(name, "next") == 0) {
    trace("next %s %s", text_at(at[0]), text_at(at[2]));
  } else if (strcmp(name, "error") == 0) {
    trace("error %s %d %s", text_at(at[0]), (int)at[2], text_at(at[3]));
  } else if (strcmp(name, "added") == 0 || strcmp(name, "removed") == 0) {
    subject_of_hit = at[0];
    trace("%s %s %d", name, at[1] ? "member" : "none", (int)at[2]);
  } else if (strcmp(name, "phase") == 0) {
    subject_of_hit = at[0];
    trace("phase %s %d", text_at(at[2]), (int)at[3]);
  } else if (strcmp(name, "turn") == 0) {
    trace("turn %s", text_at(at[0]));
  } else {
    trace("%s %s", name, text_at(at[0]));
  }
}

static void begin(const char *name) {
  watch_probe(name, 1);
  stop_at(name, show);
}
static void finish(const char *name) {
  go_on_at(name);
  watch_probe(name, -1);
}

static int counted;
static belay_disposable *counting(belay_signal *signal) {
  belay_observer observer = {.size = sizeof observer, .next = count_value, .ctx = &counted};
  belay_disposable *made = NULL;
  CHECK_INT(belay_signal_subscribe(signal, &observer, &made), 0);
  belay_signal_release(signal);
  return made;
}
/* A thread finds out that values are watched when it subscribes, among others. */
static void find_out(void) { belay_disposable_release(counting(belay_signal_empty())); }

static belay_signal *labelled(const char *label) {
  belay_source_options options = {.size = sizeof options, .label = label};
  return belay_subject_create(&options);
}

/* ---- the sites ---- */

static void F6_01_each_probe_is_one_nop_with_a_note(void) {
  static const struct {
    const char *name;
    int arguments;
  } all[] = {{"next", 3},  {"error", 4},   {"completed", 2}, {"subscribe", 2}, {"dispose", 2},
             {"added", 3}, {"removed", 3}, {"phase", 4},     {"turn", 3}};
  find_sites();
  CHECK_INT(site_count, sizeof all / sizeof *all);
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    const site *it = site_of(all[i].name);
    if (!it) continue;
    int arguments = 0;
    for (const char *at = it->arguments; (at = strchr(at, '@')); at++) arguments++;
    CHECK_INT(arguments, all[i].arguments);
    CHECK(memcmp(it->place, the_nop, sizeof the_nop) == 0);
    CHECK_INT(*it->watchers, 0);
    for (size_t j = 0; j < i; j++) CHECK(site_of(all[j].name)->place != it->place);
  }
}

static void F6_01_nothing_comes_to_a_probe_that_nobody_watches(void) {
  static const char *const all[] = {"next",  "error",   "completed", "subscribe", "dispose",
                                    "added", "removed", "phase",     "turn"};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) stop_at(all[i], show);
  belay_loop *loop = open_loop();
  belay_owner *owner = belay_owner_create(NULL, NULL, NULL, NULL);
  belay_signal *subject = belay_subject_create(NULL);
  belay_disposable *one = counting(belay_signal_retain(subject));
  counted = 0;
  CHECK_INT(belay_subject_next(subject, belay_string("text")), 0);
  CHECK_INT(counted, 1);
  CHECK_INT(belay_subject_completed(subject), 0);
  belay_disposable_release(one);
  belay_signal_release(subject);
  belay_owner_release(owner);
  CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  close_loop(loop);
  CHECK_TRACE("");
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) go_on_at(all[i]);
}

/* ---- events ---- */

static void A3_64_F6_01_a_value_with_its_signal_its_subscription_and_its_text(void) {
  belay_signal *lines = labelled("lines");
  belay_disposable *plain = counting(belay_signal_retain(lines));
  belay_disposable *doubled = counting(belay_signal_chain(
      belay_signal_retain(lines), belay_op_map(same_value, NULL, NULL)));
  counted = 0;
  CHECK_INT(belay_subject_next(lines, belay_int32(1)), 0);
  begin("next");
  find_out();
  CHECK_INT(belay_subject_next(lines, belay_int32(7)), 0); /* these subscriptions were there before */
  CHECK(subject_of_hit == (uint64_t)(uintptr_t)doubled);
  CHECK_TRACE("next lines 7 | next lines.map 7");
  belay_value items[] = {belay_string("a"), belay_null()};
  CHECK_INT(belay_subject_next(lines, belay_array_of(items, 2)), 0);
  CHECK_TRACE("next lines [a, null] | next lines.map [a, null]");
  belay_disposable *late = counting(belay_signal_retain(lines));
  CHECK_INT(belay_subject_next(lines, belay_string("text")), 0);
  CHECK_TRACE("next lines text | next lines.map text | next lines text");
  CHECK(subject_of_hit == (uint64_t)(uintptr_t)late);
  CHECK_INT(counted, 1 * 2 + 2 * 2 + 3);
  finish("next");
  /* A site that is still stopped at would be hit. */
  stop_at("next", show);
  CHECK_INT(belay_subject_next(lines, belay_int32(8)), 0);
  CHECK_INT(belay_subject_next(lines, belay_int32(9)), 0);
  go_on_at("next");
  CHECK_TRACE("");
  CHECK_INT(counted, 9 + 2 * 3);
  belay_disposable_dispose(plain);
  belay_disposable_dispose(doubled);
  belay_disposable_dispose(late);
  belay_disposable_release(plain);
  belay_disposable_release(doubled);
  belay_disposable_release(late);
  belay_signal_release(lines);
}

static void F6_01_every_kind_of_source(void) {
  begin("next");
  belay_value items[] = {belay_int32(1), belay_int32(2)};
  belay_disposable_release(counting(belay_signal_from(items, 2)));
  CHECK_TRACE("next from 1 | next from 2");
  belay_disposable_release(counting(belay_signal_just(belay_bool(1))));
  CHECK_TRACE("next just true");
  belay_signal *state = belay_subject_create_behavior(belay_int32(3), NULL);
  belay_disposable *held = counting(belay_signal_retain(state));
  CHECK_INT(belay_subject_next(state, belay_int32(4)), 0);
  CHECK_TRACE("next subject 3 | next subject 4");
  finish("next");
  belay_disposable_release(held);
  belay_signal_release(state);
}

static belay_signal *inner;
static void send_inner(void *ctx, belay_value value) {
  int number = int_of(value);
  if (number < 3) CHECK_INT(belay_subject_next(inner, belay_int32(number + 1)), BELAY_QUEUED);
}

static void F6_01_watched_sends_keep_their_order(void) {
  inner = labelled("inner");
  belay_observer observer = {.size = sizeof observer, .next = send_inner};
  belay_disposable *first = NULL;
  CHECK_INT(belay_signal_subscribe(inner, &observer, &first), 0);
  belay_disposable *second = counting(belay_signal_retain(inner));
  begin("next");
  find_out();
  CHECK_INT(belay_subject_next(inner, belay_int32(1)), 0);
  CHECK_TRACE("next inner 1 | next inner 1 | next inner 2 | next inner 2 | next inner 3 | "
              "next inner 3");
  finish("next");
  belay_disposable_release(first);
  belay_disposable_release(second);
  belay_signal_release(inner);
}

static void ignore_error(void *ctx, const belay_error *error) {}

static void F6_01_subscriptions_and_their_ends(void) {
  static const char *const all[] = {"subscribe", "error", "completed", "dispose"};
  for (size_t i = 0; i < 4; i++) begin(all[i]);
  belay_signal *lines = labelled("lines");
  belay_disposable *one = counting(belay_signal_retain(lines));
  CHECK(subject_of_hit == (uint64_t)(uintptr_t)one);
  CHECK_TRACE("subscribe lines");
  belay_disposable_dispose(one);
  CHECK(subject_of_hit == (uint64_t)(uintptr_t)one);
  belay_disposable_dispose(one); /* it is over already */
  CHECK_TRACE("dispose lines");
  belay_disposable_release(one);
  one = counting(belay_signal_chain(belay_signal_retain(lines), belay_op_take(1)));
  CHECK_INT(belay_subject_next(lines, belay_int32(1)), 0);
  CHECK_TRACE("subscribe lines.take | completed lines.take");
  belay_disposable_release(one);
  belay_observer observer = {.size = sizeof observer, .error = ignore_error};
  CHECK_INT(belay_signal_subscribe(lines, &observer, NULL), 0);
  fail_subject(lines, BELAY_EBUSY, "too much");
  CHECK_TRACE("subscribe lines | error lines -16 too much");
  belay_signal_release(lines);
  lines = labelled("lines");
  one = counting(belay_signal_chain(belay_signal_retain(lines), belay_op_skip(1)));
  belay_signal_release(lines); /* interrupts it */
  CHECK(subject_of_hit == (uint64_t)(uintptr_t)one);
  belay_disposable_dispose(one);
  CHECK_TRACE("subscribe lines.skip | dispose lines.skip");
  belay_disposable_release(one);
  for (size_t i = 0; i < 4; i++) finish(all[i]);
}

/* ---- containers, owners, loops ---- */

static void A3_64_F6_01_additions_to_a_compound_with_totals(void) {
  begin("added");
  begin("removed");
  belay_disposable *compound = belay_compound_create();
  belay_disposable *one = traced_action("1"), *other = traced_action("2");
  uint64_t key = 0;
  CHECK_INT(belay_compound_add(compound, one, &key), 0);
  CHECK_INT(belay_compound_add(compound, other, NULL), 0);
  CHECK(subject_of_hit == (uint64_t)(uintptr_t)compound);
  CHECK_TRACE("added member 1 | added member 2");
  CHECK_INT(belay_compound_remove(compound, key), 0);
  CHECK_TRACE("removed member 1");
  belay_disposable_dispose(other); /* leaves by itself */
  CHECK_TRACE("action 2 | free 2 | removed member 0");
  belay_disposable_release(one);
  belay_disposable_release(other);
  belay_disposable_release(compound);
  finish("added");
  finish("removed");
  trace_clear();
}

static void F6_01_the_steps_of_an_owners_death(void) {
  belay_owner_options options = {.size = sizeof options, .label = "window"};
  begin("phase");
  belay_owner *owner = belay_owner_create(NULL, NULL, NULL, &options);
  belay_disposable *action = traced_action("bound");
  CHECK_INT(belay_owner_add(owner, action), 0);
  belay_disposable_release(action);
  uint64_t address = (uint64_t)(uintptr_t)owner;
  belay_owner_release(owner);
  CHECK(subject_of_hit == address);
  CHECK_TRACE("phase window 1 | phase window 3 | action bound | free bound | phase window 5 | "
              "phase window 8");
  owner = belay_owner_create(NULL, NULL, NULL, NULL);
  belay_signal *dying = belay_owner_deallocating(owner); /* it has an attachment */
  belay_signal_release(dying);
  belay_owner_release(owner);
  CHECK_TRACE("phase NULL 1 | phase NULL 3 | phase NULL 5 | phase NULL 8");
  finish("phase");
}

static void F6_01_a_turn_of_a_loop(void) {
  belay_loop_options options = {.size = sizeof options, .label = "house"};
  belay_loop *loop = belay_loop_create(&options);
  begin("turn");
  CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  CHECK_TRACE("turn house");
  finish("turn");
  close_loop(loop);
}

/* ---- other threads ---- */

static int step;
static void await_step(int wanted) {
  while (__atomic_load_n(&step, __ATOMIC_ACQUIRE) < wanted) sched_yield();
}
static void go_to(int next) { __atomic_store_n(&step, next, __ATOMIC_RELEASE); }

static void send_when_told(void *ctx) {
  belay_signal *mine = labelled("mine");
  int seen = 0;
  belay_observer observer = {.size = sizeof observer, .next = count_value, .ctx = &seen};
  CHECK_INT(belay_signal_subscribe(mine, &observer, NULL), 0);
  CHECK_INT(belay_subject_next(mine, belay_int32(1)), 0);
  go_to(1);
  await_step(2);
  CHECK_INT(belay_subject_next(mine, belay_int32(2)), 0);
  CHECK_INT(seen, 2);
  belay_signal_release(mine);
}

static void F6_01_what_one_thread_finds_out_all_know(void) {
  step = 0;
  routine other;
  start_thread(&other, send_when_told, NULL);
  await_step(1);
  begin("next");
  find_out();
  go_to(2);
  join_thread(&other);
  CHECK_TRACE("next mine 2");
  finish("next");
}

static void dispose_elsewhere(void *it) { belay_disposable_dispose(it); }

static void F6_01_a_disposal_elsewhere_has_no_name(void) {
  belay_loop *loop = open_loop();
  belay_signal *lines = labelled("lines");
  belay_disposable *one = counting(belay_signal_retain(lines));
  begin("dispose");
  in_thread(dispose_elsewhere, one);
  CHECK(subject_of_hit == (uint64_t)(uintptr_t)one);
  CHECK_TRACE("dispose ");
  finish("dispose");
  CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  belay_disposable_release(one);
  belay_signal_release(lines);
  close_loop(loop);
}

static const test_case cases[] = {
    CASE(F6_01_each_probe_is_one_nop_with_a_note),
    CASE(F6_01_nothing_comes_to_a_probe_that_nobody_watches),
    CASE(A3_64_F6_01_a_value_with_its_signal_its_subscription_and_its_text),
    CASE(F6_01_every_kind_of_source),
    CASE(F6_01_watched_sends_keep_their_order),
    CASE(F6_01_subscriptions_and_their_ends),
    CASE(A3_64_F6_01_additions_to_a_compound_with_totals),
    CASE(F6_01_the_steps_of_an_owners_death),
    CASE(F6_01_a_turn_of_a_loop),
    CASE(F6_01_a_disposal_elsewhere_has_no_name),
    CASE(F6_01_what_one_thread_finds_out_all_know),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
