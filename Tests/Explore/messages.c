/* Messages to a loop: posts, values, ends, disposals. The loop closes, its queue is full, or it is
   stopped. */
#include "explore.h"

static belay_loop *loop;
static belay_signal *subject;
static belay_disposable *subscription;
static explore_listener listener;
static int acts, frees, refused, taken, isDone, remaining;

static void act(void *ctx) {
  (void)ctx;
  explore_require(frees == 0);
  acts++;
}
static void let(void *ctx) {
  (void)ctx;
  explore_require(++frees == 1);
}
static void nothing(void) {}

static void make_with(size_t capacity) {
  listener = (explore_listener){0};
  acts = frees = refused = taken = isDone = 0;
  remaining = 1;
  subject = NULL;
  subscription = NULL;
  loop = belay_loop_create(
      &(belay_loop_options){.size = sizeof(belay_loop_options), .capacity = capacity});
}
static void make(void) { make_with(0); }
/* The loop's thread goes on until all the other threads have finished. */
static void finish(void) { isDone = --remaining == 0; }
static void post(void) {
  refused = belay_loop_post(loop, act, NULL, let) < 0;
  finish();
}
static void turn_and_close(void) {
  explore_turn(loop);
  belay_loop_retain(loop);
  explore_close(loop);
}
static void close_while_in_use(void) {
  belay_loop_retain(loop);
  explore_close_in_use(loop);
}
static void release_loop(void) { belay_loop_release(loop); }
static void check_post(void) {
  explore_require(frees == 1 && "the context was freed");
  explore_require(!(refused && acts) && acts <= 1);
}
static void close_in_the_end(void) {
  explore_settle(loop);
  explore_close(loop);
}
static void turns(void) { explore_turns_until(loop, &isDone); }
static void check_posted(void) {
  explore_require(frees == 1 && acts == 1 && !refused && "what was posted has run");
}
static void stop(void) { belay_loop_stop(loop); }

/* ---- values from elsewhere ---- */

static void make_subject(void) {
  make();
  subject = belay_subject_create(NULL);
  explore_subscribe(subject, &listener, &subscription);
}
static void send_twice(void) {
  taken += explore_send(subject, 1);
  taken += explore_send(subject, 2);
  finish();
}
/* For this thread the mailbox may be free while the others do not see that yet. */
static void send_and_go_on(void) {
  taken += explore_send(subject, 1);
  explore_point();
  finish();
}
static void send_and_end(void) {
  taken += explore_send(subject, 1);
  belay_subject_completed(subject);
  finish();
}
static void dispose(void) { belay_disposable_dispose(subscription); }
static void dispose_sync(void) {
  explore_require(belay_disposable_dispose_sync(subscription, -1) == 0);
  explore_require(listener.inside == 0 && listener.frees == 1);
  finish();
}
static void dispose_on_the_way(void) {
  taken += explore_send(subject, 1);
  dispose();
  finish();
}
static void let_go(void) {
  explore_settle(loop);
  belay_disposable_release(subscription);
  belay_signal_release(subject);
  close_in_the_end();
}
static void let_go_without_loop(void) {
  belay_disposable_release(subscription);
  belay_signal_release(subject);
  release_loop();
}
static void check(void) { explore_all_over(&listener, 1); }
static void check_heard(void) {
  check();
  explore_require(listener.nexts == taken && "each value that was taken was heard");
}
static void release_subject_elsewhere(void) {
  belay_signal_release(subject);
  subject = NULL;
  finish();
}

static void make_for_two(void) {
  make_subject();
  remaining = 2;
}
static void dispose_and_finish(void) {
  dispose();
  finish();
}

/* ---- a full queue of a subscription at a loop to a shared source ---- */

static void make_full(void) {
  make_with(1);
  subject = explore_shared_subject();
  belay_observer observer = explore_observer(&listener);
  observer.loop = loop;
  explore_require(belay_signal_subscribe(subject, &observer, &subscription) >= 0);
}
static void make_full_for_one(void) {
  make_with(1);
  subject = belay_subject_create(NULL);
  explore_subscribe(subject, &listener, &subscription);
}
static void make_full_for_two(void) {
  make_full_for_one();
  remaining = 2;
}
static void send_waiting(void) {
  for (int n = 1; n <= 2; n++) taken += belay_subject_next_wait(subject, belay_int32(n), -1) >= 0;
  finish();
}
static void check_full(void) {
  check();
  explore_require(listener.nexts == taken || listener.errors == 1 || listener.disposals == 1);
}

/* ---- a producer on another thread ---- */

static belay_subscriber *subscriber;
static belay_disposable *produce(void *ctx, belay_subscriber *to) {
  (void)ctx;
  subscriber = belay_subscriber_retain(to);
  return NULL;
}
static void make_produced(void) {
  make();
  subject = belay_signal_create(produce, NULL, NULL, NULL);
  explore_subscribe(subject, &listener, &subscription);
}
static void produced(void) {
  taken += belay_subscriber_next(subscriber, belay_int32(1)) >= 0;
  belay_subscriber_release(subscriber);
  finish();
}
static void produced_to_the_end(void) {
  taken += belay_subscriber_next(subscriber, belay_int32(1)) >= 0;
  belay_subscriber_completed(subscriber);
  belay_subscriber_release(subscriber);
  finish();
}
static void dispose_at_home(void) {
  dispose();
  explore_turns_until(loop, &isDone);
}

const explore_scenario explore_messages[] = {
    {"post x turns", {{make, turns, close_in_the_end}, {NULL, post, NULL}}, check_posted, 0},
    {"post x turn, close",
     {{make, turn_and_close, release_loop}, {NULL, post, NULL}},
     check_post,
     0},
    {"stop x close", {{make, turn_and_close, release_loop}, {NULL, stop, NULL}}, NULL, 0},
    {"send from elsewhere x turns",
     {{make_subject, turns, let_go}, {NULL, send_twice, NULL}},
     check_heard,
     0},
    {"send from elsewhere, go on x turns",
     {{make_subject, turns, let_go}, {NULL, send_and_go_on, NULL}},
     check_heard,
     0},
    {"send and end from elsewhere x turns",
     {{make_subject, turns, let_go}, {NULL, send_and_end, NULL}},
     check_heard,
     0},
    {"send from elsewhere x close",
     {{make_subject, close_while_in_use, let_go_without_loop}, {NULL, send_and_end, NULL}},
     check,
     0},
    {"dispose from elsewhere x turns x send",
     {{make_for_two, turns, let_go}, {NULL, dispose_and_finish, NULL}, {NULL, send_twice, NULL}},
     check,
     0},
    {"dispose from elsewhere x dispose at home",
     {{make_subject, dispose_at_home, let_go}, {NULL, dispose_on_the_way, NULL}},
     check,
     0},
    {"dispose from elsewhere x close",
     {{make_subject, close_while_in_use, let_go_without_loop}, {NULL, dispose, NULL}},
     check,
     0},
    {"dispose_sync from elsewhere x turns x send",
     {{make_for_two, turns, let_go}, {NULL, dispose_sync, NULL}, {NULL, send_twice, NULL}},
     check,
     0},
    {"dispose_sync from elsewhere x close",
     {{make_subject, close_while_in_use, let_go_without_loop}, {NULL, dispose_sync, NULL}},
     check,
     0},
    {"last release from elsewhere x turns",
     {{make_subject, turns, let_go}, {NULL, release_subject_elsewhere, NULL}},
     check,
     0},
    {"last release from elsewhere x close",
     {{make_subject, close_while_in_use, let_go_without_loop},
      {NULL, release_subject_elsewhere, NULL}},
     check,
     0},
    {"queue full x dispose",
     {{make_full, turns, let_go}, {NULL, send_twice, NULL}, {NULL, dispose, NULL}},
     check,
     0},
    {"queue full x turns", {{make_full, turns, let_go}, {NULL, send_twice, NULL}}, check_full, 0},
    {"queue full x close",
     {{make_full, close_while_in_use, let_go_without_loop}, {NULL, send_twice, NULL}},
     check,
     0},
    {"full mailbox: senders wait x turns",
     {{make_full_for_two, turns, let_go}, {NULL, send_waiting, NULL}, {NULL, send_waiting, NULL}},
     check_heard,
     0},
    {"full mailbox: a sender waits x close",
     {{make_full_for_one, close_while_in_use, let_go_without_loop}, {NULL, send_waiting, NULL}},
     check,
     0},
    {"full mailbox: send x send x turns",
     {{make_full_for_one, turns, let_go}, {NULL, send_twice, NULL}},
     check_heard,
     0},
    {"a producer elsewhere x turns",
     {{make_produced, turns, let_go}, {NULL, produced_to_the_end, NULL}},
     check_heard,
     0},
    {"a producer's last release elsewhere x dispose at home",
     {{make_produced, dispose_at_home, let_go}, {NULL, produced, NULL}},
     check,
     0},
    {"a producer elsewhere x close",
     {{make_produced, close_while_in_use, let_go_without_loop}, {NULL, produced_to_the_end, NULL}},
     check,
     0},
    {"an idle thread x dispose",
     {{make_subject, nothing, let_go}, {NULL, dispose, NULL}},
     check,
     0},
    {0},
};
