/* Change-overs: chains of which a part runs elsewhere. */
#include "explore.h"

static belay_loop *loop;
static belay_signal *subject, *above;
static belay_disposable *subscription;
static explore_listener listener;
/* One whose listener sends into the chain. */
static belay_signal *outside;
static belay_disposable *relaying;
static explore_listener relay;
static int mapping, frees, isDone, taken, isWaiting;

static belay_value map(void *ctx, belay_value value) {
  (void)ctx;
  explore_require(frees == 0 && "the operator's callback after its context was freed");
  mapping++;
  explore_note("map is called");
  explore_point();
  if (isWaiting)
    explore_require(belay_disposable_dispose_sync(subscription, -1) == BELAY_EINPROGRESS);
  mapping--;
  return belay_value_retain(value);
}
static void let(void *ctx) {
  (void)ctx;
  explore_require(mapping == 0 && "the operator's context is freed while it runs");
  frees++;
}

static void make_with(belay_queue_options *options) {
  listener = (explore_listener){0};
  mapping = frees = isDone = taken = isWaiting = 0;
  loop = belay_loop_create(NULL);
  subject = explore_shared_subject();
  above = belay_signal_chain(belay_signal_retain(subject), belay_op_map(map, NULL, let),
                             belay_op_observe_on(belay_loop_get_scheduler(loop), options));
  explore_require(explore_subscribe(above, &listener, &subscription) >= 0);
}
static void make(void) { make_with(NULL); }
static void make_waiting(void) {
  make();
  isWaiting = 1;
}
static void make_full(void) {
  make_with(&(belay_queue_options){.size = sizeof(belay_queue_options), .capacity = 1});
}
static void make_blocking(void) {
  make_with(&(belay_queue_options){
      .size = sizeof(belay_queue_options), .capacity = 1, .policy = BELAY_QUEUE_BLOCK});
}
static void let_go(void) {
  explore_settle(loop);
  belay_disposable_release(subscription);
  belay_signal_release(above);
  belay_signal_release(subject);
  explore_settle(loop);
  explore_close(loop);
}
static void let_go_without_loop(void) {
  belay_disposable_release(subscription);
  belay_signal_release(above);
  belay_signal_release(subject);
  belay_loop_release(loop);
}
static void send(void) { taken += explore_send(subject, 1); }
static void send_twice(void) {
  send();
  send();
  isDone = 1;
}
static void send_three(void) {
  send();
  send_twice();
}
static void relay_twice(explore_listener *unused) {
  (void)unused;
  send();
  send();
}
static void make_blocking_and_relay(void) {
  make_blocking();
  relay = (explore_listener){.on_next = relay_twice};
  outside = explore_shared_subject();
  explore_require(explore_subscribe(outside, &relay, &relaying) >= 0);
}
static void send_outside(void) {
  explore_send(outside, 1);
  isDone = 1;
}
static void turns(void) { explore_turns_until(loop, &isDone); }
static void dispose(void) { belay_disposable_dispose(subscription); }
static void dispose_in_turns(void) {
  explore_turn(loop);
  dispose();
  turns();
}
static void dispose_sync(void) {
  explore_require(belay_disposable_dispose_sync(subscription, -1) == 0);
  explore_require(listener.inside == 0 && listener.frees == 1);
  explore_require(mapping == 0 && "nothing above the asynchronous boundary runs");
}
static void dispose_sync_and_tell(void) {
  dispose_sync();
  isDone = 1;
}
static void dispose_relay_sync(void) {
  explore_require(belay_disposable_dispose_sync(relaying, -1) == 0);
  explore_require(relay.inside == 0 && relay.frees == 1);
  turns();
}
static void let_go_with_relay(void) {
  belay_disposable_release(relaying);
  belay_signal_release(outside);
  let_go();
}
static void close_loop(void) {
  belay_loop_retain(loop);
  explore_close_in_use(loop);
}
static void check(void) {
  explore_all_over(&listener, 1);
  explore_require(frees == 1 && "the operator's context was freed");
}
static void check_heard(void) {
  check();
  explore_require((listener.nexts == taken || listener.errors == 1) &&
                  "each value that was taken was heard");
}
static void check_relay(void) {
  check_heard();
  explore_all_over(&relay, 1);
}
static void end(void) {
  belay_subject_completed(subject);
  isDone = 1;
}
static void send_and_end(void) {
  send();
  end();
}

const explore_scenario explore_boundaries[] = {
    {"observe_on: send x turns", {{make, turns, let_go}, {NULL, send_twice, NULL}}, check_heard, 0},
    {"observe_on: send, end x turns",
     {{make, turns, let_go}, {NULL, send_and_end, NULL}},
     check_heard,
     0},
    {"observe_on: dispose_sync below x emit above",
     {{make, dispose_sync, let_go}, {NULL, send, NULL}},
     check,
     0},
    {"observe_on: dispose_sync inside of what runs above x turns",
     {{make_waiting, turns, let_go}, {NULL, send_twice, NULL}},
     check,
     0},
    {"observe_on: dispose_sync elsewhere x turns x emit",
     {{make, turns, let_go}, {NULL, dispose_sync_and_tell, NULL}, {NULL, send, NULL}},
     check,
     0},
    {"observe_on: dispose elsewhere x turns x emit",
     {{make, turns, let_go}, {NULL, dispose, NULL}, {NULL, send_twice, NULL}},
     check,
     0},
    {"observe_on: dispose at home x emit, end",
     {{make, dispose_in_turns, let_go}, {NULL, send_and_end, NULL}},
     check,
     0},
    {"observe_on: a full queue x turns",
     {{make_full, turns, let_go}, {NULL, send_three, NULL}},
     check_heard,
     0},
    {"observe_on: a full queue x dispose",
     {{make_full, dispose_in_turns, let_go}, {NULL, send_three, NULL}},
     check,
     0},
    {"observe_on: a queue that blocks x turns",
     {{make_blocking, turns, let_go}, {NULL, send_three, NULL}},
     check_heard,
     0},
    {"observe_on: a queue that blocks x dispose",
     {{make_blocking, dispose_in_turns, let_go}, {NULL, send_three, NULL}},
     check,
     0},
    {"observe_on: a queue that blocks x dispose_sync of its sender",
     {{make_blocking_and_relay, dispose_relay_sync, let_go_with_relay}, {NULL, send_outside, NULL}},
     check_relay,
     0},
    {"observe_on: emit x close",
     {{make, close_loop, let_go_without_loop}, {NULL, send_twice, NULL}},
     check,
     0},
    {0},
};
