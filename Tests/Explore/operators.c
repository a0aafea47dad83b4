/* Chains with several sources, and shared ones, with a listener at a loop while other threads
   send. */
#include "explore.h"

enum { most = 2 };
static belay_loop *loop, *mine;
static belay_signal *sources[most], *above;
static belay_disposable *subscriptions[most], *other;
static explore_listener listeners[most];
static int isDone, remaining, taken, freed, acts;

static void prepare(int senders) {
  isDone = taken = freed = acts = 0;
  remaining = senders;
  other = NULL;
  above = NULL;
  for (int i = 0; i < most; i++) {
    listeners[i] = (explore_listener){0};
    subscriptions[i] = NULL;
    sources[i] = NULL;
  }
}
static void make(int senders) {
  prepare(senders);
  loop = belay_loop_create(NULL);
  for (int i = 0; i < most; i++) sources[i] = explore_shared_subject();
}
/* The loop's thread goes on until all the other threads have finished. */
static void finish(void) { isDone = --remaining == 0; }
static void turns(void) { explore_turns_until(loop, &isDone); }
static void send_to(int which) { taken += explore_send(sources[which], 1 + which); }
static void send_first(void) {
  send_to(0);
  finish();
}
static void send_second(void) {
  send_to(1);
  finish();
}
static void end_second(void) {
  belay_subject_completed(sources[1]);
  finish();
}
static void dispose(void) { belay_disposable_dispose(subscriptions[0]); }
static void dispose_elsewhere(void) {
  dispose();
  finish();
}
static void dispose_sync_elsewhere(void) {
  explore_require(belay_disposable_dispose_sync(subscriptions[0], -1) == 0);
  explore_require(listeners[0].inside == 0 && listeners[0].frees == 1);
  finish();
}
static void dispose_in_turns(void) {
  explore_turn(loop);
  dispose();
  turns();
}
static void subscribe(void) {
  explore_require(explore_subscribe(above, &listeners[0], &subscriptions[0]) >= 0);
}
static void let_go(void) {
  explore_settle(loop);
  for (int i = 0; i < most; i++) belay_disposable_release(subscriptions[i]);
  belay_signal_release(above);
  for (int i = 0; i < most; i++) belay_signal_release(sources[i]);
  explore_settle(loop);
  explore_close(loop);
}
static void check(void) { explore_all_over(listeners, 1); }
static void check_heard(void) {
  check();
  explore_require(listeners[0].nexts == taken && "each value that was taken was heard");
}

/* ---- several sources ---- */

static void both_of(belay_signal *both[]) {
  for (int i = 0; i < most; i++) both[i] = belay_signal_retain(sources[i]);
}
static void make_merged(void) {
  make(2);
  belay_signal *both[most];
  both_of(both);
  above = belay_signal_merge(both, most);
  subscribe();
}
static void make_zipped(void) {
  make(2);
  belay_signal *both[most];
  both_of(both);
  above = belay_signal_zip(both, most, NULL, NULL, NULL);
  subscribe();
}
static void check_zipped(void) {
  check();
  explore_require(listeners[0].nexts == 1 && "the pair was heard");
}
static void make_until(void) {
  make(2);
  above = belay_signal_chain(belay_signal_retain(sources[0]),
                             belay_op_take_until(belay_signal_retain(sources[1])));
  subscribe();
}
static belay_signal *inner(void *ctx, belay_value value) {
  (void)ctx, (void)value;
  return belay_signal_retain(sources[1]);
}
static void make_flattened(void) {
  make(2);
  above =
      belay_signal_chain(belay_signal_retain(sources[0]), belay_op_switch_map(inner, NULL, NULL));
  subscribe();
}

/* ---- shared by those who listen ---- */

static void make_share(void) {
  prepare(0);
  for (int i = 0; i < most; i++) sources[i] = explore_shared_subject();
  above = belay_signal_chain(
      belay_signal_multicast(belay_signal_retain(sources[0]), explore_shared_subject()),
      belay_op_ref_count());
}
static void listen(int which) {
  explore_require(explore_subscribe(above, &listeners[which], &subscriptions[which]) >= 0);
  belay_disposable_dispose(subscriptions[which]);
}
static void listen_first(void) { listen(0); }
static void listen_second(void) { listen(1); }
static void send_only(void) { send_to(0); }
static void let_share_go(void) {
  for (int i = 0; i < most; i++) belay_disposable_release(subscriptions[i]);
  belay_signal_release(above);
  for (int i = 0; i < most; i++) belay_signal_release(sources[i]);
}
static void check_both(void) { explore_all_over(listeners, 2); }

/* ---- what is waited for while nobody listens ---- */

static int waits;
static void end_wait(void *subscriber) {
  waits--;
  belay_subscriber_release(subscriber);
}
static belay_disposable *begin_wait(void *ctx, belay_subscriber *subscriber) {
  (void)ctx;
  waits++;
  return belay_disposable_create(end_wait, belay_subscriber_retain(subscriber), NULL);
}
static void make_kept_share(void) {
  prepare(0);
  waits = 0;
  for (int i = 0; i < most; i++) sources[i] = explore_shared_subject();
  above = belay_signal_chain(
      belay_signal_retain(sources[0]),
      belay_op_share_until(0, NULL, NULL, belay_signal_create(begin_wait, NULL, NULL, NULL)));
}
/* The next listener disposes of what is waited for, all of it. */
static void listen_again_and_let_share_go(void) {
  explore_listener third = {0};
  belay_disposable *subscription;
  explore_require(explore_subscribe(above, &third, &subscription) >= 0);
  explore_require(waits == 0);
  belay_disposable_dispose(subscription);
  belay_disposable_release(subscription);
  explore_require(waits == 1);
  belay_subject_completed(sources[0]);
  explore_require(waits == 0);
  let_share_go();
}

/* ---- disposables that dispose on another thread, or when the last handle asks ---- */

static void act(void *ctx) {
  (void)ctx;
  explore_require(++acts == 1);
}
static void let(void *ctx) {
  (void)ctx;
  explore_require(++freed == 1);
}
static void make_scheduled(void) {
  prepare(2);
  loop = belay_loop_create(NULL);
  belay_disposable *action = belay_disposable_create(act, NULL, let);
  other = belay_scheduled_create(belay_loop_get_scheduler(loop), action);
  belay_disposable_release(action);
}
static void dispose_other(void) {
  belay_disposable_dispose(other);
  finish();
}
static void dispose_other_sync(void) {
  explore_require(belay_disposable_dispose_sync(other, -1) == 0);
  explore_require(acts == 1 && freed == 1);
  finish();
}
static void let_other_go(void) {
  explore_settle(loop);
  belay_disposable_release(other);
  explore_settle(loop);
  explore_close(loop);
}
static void check_act(void) { explore_require(acts == 1 && freed == 1); }

static belay_disposable *dependents[2];
static void make_counted(void) {
  prepare(0);
  belay_disposable *action = belay_disposable_create(act, NULL, let);
  other = belay_ref_counted_create(action);
  belay_disposable_release(action);
  for (int i = 0; i < 2; i++) dependents[i] = belay_ref_counted_create_dependent(other);
}
static void dispose_dependent(int which) {
  belay_disposable_dispose(dependents[which]);
  belay_disposable_release(dependents[which]);
}
static void dispose_first_dependent(void) { dispose_dependent(0); }
static void dispose_second_dependent(void) { dispose_dependent(1); }
static void dispose_counted(void) { belay_disposable_dispose(other); }
static void let_counted_go(void) { belay_disposable_release(other); }

/* ---- a source that starts at another loop ---- */

static void make_source_loop(void) {
  prepare(1);
  loop = belay_loop_create(NULL);
  sources[0] = belay_subject_create(NULL);
}
static void make_mine(void) {
  mine = belay_loop_create(NULL);
  above = belay_signal_chain(belay_signal_retain(sources[0]),
                             belay_op_subscribe_on(belay_loop_get_scheduler(loop)));
}
static void subscribe_on_and_dispose(void) {
  subscribe();
  explore_turn(mine);
  dispose();
  explore_turn(mine);
  finish();
}
static void send_in_turns(void) {
  explore_turn(loop);
  send_to(0);
  turns();
}
static void close_mine(void) {
  explore_settle(mine);
  belay_disposable_release(subscriptions[0]);
  belay_signal_release(above);
  explore_settle(mine);
  explore_close(mine);
}
static void close_source_loop(void) {
  explore_settle(loop);
  belay_signal_release(sources[0]);
  explore_settle(loop);
  explore_close(loop);
}

const explore_scenario explore_operators[] = {
    {"merge at a loop: send x send x turns",
     {{make_merged, turns, let_go}, {NULL, send_first, NULL}, {NULL, send_second, NULL}},
     check_heard,
     0},
    {"merge at a loop: send x dispose elsewhere x turns",
     {{make_merged, turns, let_go}, {NULL, send_first, NULL}, {NULL, dispose_elsewhere, NULL}},
     check,
     0},
    {"merge at a loop: send x dispose_sync elsewhere x turns",
     {{make_merged, turns, let_go}, {NULL, send_first, NULL}, {NULL, dispose_sync_elsewhere, NULL}},
     check,
     0},
    {"merge at a loop: send x end x dispose at home",
     {{make_merged, dispose_in_turns, let_go}, {NULL, send_first, NULL}, {NULL, end_second, NULL}},
     check,
     0},
    {"zip at a loop: send x send x turns",
     {{make_zipped, turns, let_go}, {NULL, send_first, NULL}, {NULL, send_second, NULL}},
     check_zipped,
     0},
    {"take_until at a loop: send x trigger x turns",
     {{make_until, turns, let_go}, {NULL, send_first, NULL}, {NULL, send_second, NULL}},
     check,
     0},
    {"switch_map at a loop: send x inner send x dispose at home",
     {{make_flattened, dispose_in_turns, let_go},
      {NULL, send_first, NULL},
      {NULL, send_second, NULL}},
     check,
     0},
    {"ref_count: listen, dispose x listen, dispose",
     {{make_share, listen_first, let_share_go}, {NULL, listen_second, NULL}},
     check_both,
     0},
    {"ref_count: listen, dispose x send",
     {{make_share, listen_first, let_share_go}, {NULL, send_only, NULL}},
     check,
     0},
    {"share_until: listen, dispose x listen, dispose",
     {{make_kept_share, listen_first, listen_again_and_let_share_go}, {NULL, listen_second, NULL}},
     check_both,
     0},
    {"scheduled disposable: dispose x dispose x turns",
     {{make_scheduled, turns, let_other_go},
      {NULL, dispose_other, NULL},
      {NULL, dispose_other, NULL}},
     check_act,
     0},
    {"scheduled disposable: dispose_sync x dispose x turns",
     {{make_scheduled, turns, let_other_go},
      {NULL, dispose_other_sync, NULL},
      {NULL, dispose_other, NULL}},
     check_act,
     0},
    {"ref_counted: dispose x dependent x dependent",
     {{make_counted, dispose_counted, let_counted_go},
      {NULL, dispose_first_dependent, NULL},
      {NULL, dispose_second_dependent, NULL}},
     check_act,
     0},
    {"subscribe_on: subscribe, dispose x send",
     {{make_source_loop, send_in_turns, close_source_loop},
      {make_mine, subscribe_on_and_dispose, close_mine}},
     check,
     0},
    {0},
};
