/* Shared subjects: a sending thread delivers, one event at a time, and no accepted value is
   lost. */
#include "explore.h"

enum { most = 3 };
static belay_signal *subject, *other, *above;
static belay_disposable *subscriptions[most];
static explore_listener listeners[most];
static int taken; /* by all threads */
static int freed;

static void send_number(belay_signal *to, int number) { taken += explore_send(to, number); }
static void send(void) { send_number(subject, explore_number() + 1); }
static void send_twice(void) {
  send();
  send();
}
static void end(void) { belay_subject_completed(subject); }

static void make(void) {
  taken = freed = 0;
  other = above = NULL;
  for (int i = 0; i < most; i++) {
    listeners[i] = (explore_listener){0};
    subscriptions[i] = NULL;
  }
  subject = explore_shared_subject();
}
static void subscribe(int which, belay_signal *to) {
  explore_require(explore_subscribe(to, &listeners[which], &subscriptions[which]) >= 0);
}
static void make_and_subscribe(void) {
  make();
  subscribe(0, subject);
}
static void subscribe_second(void) { subscribe(1, subject); }
static void subscribe_third(void) { subscribe(2, subject); }
static void subscribe_second_and_dispose(void) {
  subscribe_second();
  belay_disposable_dispose(subscriptions[1]);
}
static void dispose_first(void) { belay_disposable_dispose(subscriptions[0]); }
static void dispose_first_sync(void) {
  explore_require(belay_disposable_dispose_sync(subscriptions[0], -1) == 0);
  explore_require(listeners[0].inside == 0 && listeners[0].frees == 1);
}
static void let_go(void) {
  for (int i = 0; i < most; i++) belay_disposable_release(subscriptions[i]);
  if (above) belay_signal_release(above);
  if (other) belay_signal_release(other);
  belay_signal_release(subject);
}
static void make_for_two(void) {
  make_and_subscribe();
  belay_signal_retain(subject);
}
static void release(void) { belay_signal_release(subject); }
static void subscribe_second_and_release(void) {
  subscribe_second();
  release();
}
static void send_and_release(void) {
  send();
  release();
}
static void let_subscriptions_go(void) {
  for (int i = 0; i < most; i++) belay_disposable_release(subscriptions[i]);
}
static void check_first(void) { explore_all_over(listeners, 1); }
static void check_two(void) { explore_all_over(listeners, 2); }
static void check_three(void) { explore_all_over(listeners, 3); }
static void check_all_heard(void) {
  explore_all_over(listeners, 1);
  explore_require(listeners[0].nexts == taken && "each value that was taken was heard");
}
static void check_all_heard_by_first(void) {
  check_all_heard();
  explore_all_over(listeners, 2);
}

/* ---- a send from inside ---- */

static void send_inside(explore_listener *inside) {
  if (inside->nexts == 1) send_number(subject, 9);
}
static void make_to_send_inside(void) {
  make_and_subscribe();
  listeners[0].on_next = send_inside;
}
static void subscribe_inside(explore_listener *inside) {
  if (inside->nexts == 1) subscribe_second();
}
static void make_to_subscribe_inside(void) {
  make_and_subscribe();
  listeners[0].on_next = subscribe_inside;
}

/* ---- memories ---- */

static void make_behavior(void) {
  make();
  belay_signal_release(subject);
  subject = belay_subject_create_behavior(
      belay_int32(0), &(belay_source_options){.size = sizeof(belay_source_options), .shared = 1});
}
static void check_behavior(void) {
  explore_all_over(listeners, 1);
  explore_require(listeners[0].last == taken && "the last value arrives");
}
static void subscribe_first(void) { subscribe(0, subject); }
static void send_one(void) { send_number(subject, 1); }
static void make_replay(void) {
  make();
  belay_signal_release(subject);
  subject = belay_subject_create_replay(
      NULL, -1, BELAY_UNLIMITED,
      &(belay_source_options){.size = sizeof(belay_source_options), .shared = 1});
}

/* ---- batches ---- */

static int gathered, insideBatch;
static void on_batch(void *ctx, const belay_value *values, size_t count) {
  (void)ctx, (void)values;
  explore_require(insideBatch++ == 0 && "a batch beside another");
  explore_note("a batch");
  gathered += (int)count;
  explore_point();
  insideBatch--;
}
static void batch_let(void *ctx) {
  (void)ctx;
  freed++;
}
static void make_batches(void) {
  make();
  gathered = insideBatch = 0;
  belay_observer observer = {
      .size = sizeof observer, .next_batch = on_batch, .ctx_free = batch_let};
  belay_signal_subscribe(subject, &observer, &subscriptions[0]);
}
static void send_batch(void) {
  const belay_value values[] = {belay_int32(1), belay_int32(2)};
  if (belay_subject_next_batch(subject, values, 2) >= 0) taken += 2;
}
static void check_batches(void) {
  explore_require(gathered == taken && "each value that was taken came in a batch");
  explore_require(freed == 1);
}
static void dispose_of_batches(void) {
  explore_require(belay_disposable_dispose_sync(subscriptions[0], -1) == 0);
  explore_require(insideBatch == 0 && freed == 1);
}
static void check_batches_disposed(void) { explore_require(freed == 1); }

/* ---- what joins ---- */

static belay_value key(void *ctx, belay_value value) {
  (void)ctx;
  return belay_value_retain(value);
}
static void make_grouped(void) {
  make();
  above = belay_signal_chain(belay_signal_retain(subject), belay_op_group_by(key, NULL, NULL));
}
static void subscribe_grouped_first(void) {
  subscribe(0, above);
  belay_disposable_dispose(subscriptions[0]);
}
static void subscribe_grouped_second(void) {
  subscribe(1, above);
  belay_disposable_dispose(subscriptions[1]);
}

static void make_mapped(void) {
  make();
  above = belay_signal_chain(belay_signal_retain(subject), belay_op_map(key, NULL, NULL));
  subscribe(0, above);
}
static void make_grouped_and_subscribe(void) {
  make_grouped();
  subscribe(0, above);
}
static void make_merged(void) {
  make();
  other = explore_shared_subject();
  belay_signal *both[] = {belay_signal_retain(subject), belay_signal_retain(other)};
  above = belay_signal_merge(both, 2);
  subscribe(0, above);
}
static void send_other(void) { send_number(other, 2); }
static void make_zipped(void) {
  make();
  other = explore_shared_subject();
  above = belay_signal_chain(belay_signal_retain(subject),
                             belay_op_take_until(belay_signal_retain(other)));
  subscribe(0, above);
}
static void check_merged(void) {
  explore_all_over(listeners, 1);
  explore_require((listeners[0].nexts == taken || listeners[0].errors == 1) &&
                  "each value that was taken was heard, or an error");
}

const explore_scenario explore_shared[] = {
    {"shared send x send",
     {{make_and_subscribe, send_twice, let_go}, {NULL, send, NULL}},
     check_all_heard,
     0},
    {"shared send x send x subscribe",
     {{make_and_subscribe, send, let_go}, {NULL, send, NULL}, {NULL, subscribe_second, NULL}},
     check_all_heard_by_first,
     0},
    {"shared send x subscribe, dispose x subscribe",
     {{make_and_subscribe, send_twice, let_go},
      {NULL, subscribe_second_and_dispose, NULL},
      {NULL, subscribe_third, NULL}},
     check_three,
     0},
    {"shared send x dispose",
     {{make_and_subscribe, send_twice, let_go}, {NULL, dispose_first, NULL}},
     check_first,
     0},
    {"shared send x send x dispose_sync",
     {{make_and_subscribe, send, let_go}, {NULL, send, NULL}, {NULL, dispose_first_sync, NULL}},
     check_first,
     0},
    {"shared send x end x subscribe",
     {{make_and_subscribe, send, let_go}, {NULL, end, NULL}, {NULL, subscribe_second, NULL}},
     check_two,
     0},
    {"shared send x last release",
     {{make_for_two, send_and_release, let_subscriptions_go}, {NULL, send_and_release, NULL}},
     check_all_heard,
     explore_counts},
    {"shared subscribe x last release",
     {{make_for_two, send_and_release, let_subscriptions_go},
      {NULL, subscribe_second_and_release, NULL}},
     check_two,
     0},
    {"shared send from inside x send",
     {{make_to_send_inside, send, let_go}, {NULL, send, NULL}},
     check_all_heard,
     0},
    {"shared subscribe from inside x send x send",
     {{make_to_subscribe_inside, send, let_go}, {NULL, send, NULL}},
     check_all_heard_by_first,
     0},
    {"shared behavior: subscribe x send",
     {{make_behavior, subscribe_first, let_go}, {NULL, send_one, NULL}},
     check_behavior,
     0},
    {"shared replay: subscribe x send x send",
     {{make_replay, subscribe_first, let_go}, {NULL, send, NULL}, {NULL, send, NULL}},
     check_all_heard,
     0},
    {"batches x two senders",
     {{make_batches, send_batch, let_go}, {NULL, send_batch, NULL}},
     check_batches,
     0},
    {"batches x two senders x dispose_sync",
     {{make_batches, send_batch, let_go},
      {NULL, send_batch, NULL},
      {NULL, dispose_of_batches, NULL}},
     check_batches_disposed,
     0},
    {"insertion into a shared source x insertion",
     {{make_grouped, subscribe_grouped_first, let_go}, {NULL, subscribe_grouped_second, NULL}},
     check_two,
     0},
    {"insertion into a shared source x delivery",
     {{make_grouped, subscribe_grouped_first, let_go}, {NULL, send_twice, NULL}},
     check_first,
     0},
    {"merge of shared subjects x send x send",
     {{make_merged, send, let_go}, {NULL, send_other, NULL}},
     check_merged,
     0},
    {"merge of shared subjects x send x dispose",
     {{make_merged, send, let_go}, {NULL, send_other, NULL}, {NULL, dispose_first, NULL}},
     check_first,
     0},
    {"map of a shared subject x send x dispose where it was subscribed to",
     {{make_mapped, dispose_first, let_go}, {NULL, send, NULL}},
     check_first,
     0},
    {"map of a shared subject x send x dispose_sync where it was subscribed to",
     {{make_mapped, dispose_first_sync, let_go}, {NULL, send, NULL}},
     check_first,
     0},
    {"merge of shared subjects x send x dispose where it was subscribed to",
     {{make_merged, dispose_first, let_go}, {NULL, send_other, NULL}},
     check_first,
     0},
    {"group_by of a shared subject x send x dispose where it was subscribed to",
     {{make_grouped_and_subscribe, dispose_first, let_go}, {NULL, send, NULL}},
     check_first,
     0},
    {"take_until of a shared subject x its trigger",
     {{make_zipped, send_twice, let_go}, {NULL, send_other, NULL}},
     check_first,
     0},
    {0},
};
