/* Loops that close while things start, run and begin on other threads. */
#include "explore.h"

static belay_loop *loop, *mine;
static belay_signal *subject, *second, *above;
static belay_disposable *subscription, *connection;
static explore_listener listener, begun;
static int begins, isClosed, hasBegun, isDone, freed, answer;

static void make(void) {
  listener = begun = (explore_listener){0};
  begins = isClosed = hasBegun = isDone = freed = answer = 0;
  subject = second = above = NULL;
  subscription = connection = NULL;
  loop = belay_loop_create(NULL);
}
static void make_mine(void) { mine = belay_loop_create(NULL); }
static void close_mine(void) {
  explore_settle(mine);
  explore_close(mine);
}
static void close_loop(void) {
  belay_loop_retain(loop);
  explore_close_in_use(loop);
  isClosed = 1;
}
static void release_loop(void) { belay_loop_release(loop); }
static void nothing(void) {}

/* ---- last references to sources, released on several threads ---- */

static void make_two_sources(void) {
  make();
  subject = belay_subject_create(NULL);
  second = belay_subject_create(NULL);
}
static void release_first(void) { belay_signal_release(subject); }
static void release_second(void) { belay_signal_release(second); }
static void make_three_sources(void) {
  make_two_sources();
  above = belay_subject_create(NULL);
}
static void release_third_and_loop(void) {
  belay_signal_release(above);
  release_loop();
}

static void make_source_that_was_left(void) {
  enum { all = 3 };
  belay_disposable *left[all];
  static explore_listener listeners[all];
  make();
  subject = belay_subject_create(NULL);
  for (int i = 0; i < all; i++) {
    listeners[i] = (explore_listener){0};
    explore_subscribe(subject, &listeners[i], &left[i]);
  }
  /* The middle one goes first. */
  for (int i = 1; i <= all; i++) {
    belay_disposable_dispose(left[i % all]);
    belay_disposable_release(left[i % all]);
  }
}

/* ---- a start on its way ---- */

static void make_subject(void) {
  make();
  subject = belay_subject_create(NULL);
}
static void subscribe_across(void) {
  answer = explore_subscribe(subject, &listener, &subscription);
  hasBegun = 1;
  explore_await(&isClosed);
  belay_signal_release(subject);
  explore_settle(mine);
  explore_require((answer < 0 || listener.disposals == 1) && "it was interrupted");
  explore_require(listener.frees == 1);
}
static void release_subscription(void) {
  belay_disposable_release(subscription);
  close_mine();
}
static belay_value same(void *ctx, belay_value value) {
  (void)ctx;
  return belay_value_retain(value);
}
static void let_operator(void *ctx) {
  (void)ctx;
  freed++;
}
static void make_chain(void) {
  make_subject();
  above = belay_signal_chain(subject, belay_op_map(same, NULL, let_operator));
  subject = belay_signal_retain(above);
}
static void subscribe_chain_across(void) {
  belay_signal_release(subject);
  subject = above;
  subscribe_across();
}
static void check_chain(void) { explore_require(freed == 1 && "the operator's context was freed"); }

static void turns_then_close(void) {
  explore_turn(loop);
  close_loop();
}

/* ---- what begins while a loop closes ---- */

static void begin_another(void *ctx) {
  (void)ctx;
  belay_signal *never = belay_signal_never();
  explore_subscribe(never, &begun, NULL);
  belay_signal_release(never);
}
static void begin_at_subject(void *ctx) {
  (void)ctx;
  second = belay_subject_create(NULL);
  if (second) explore_subscribe(second, &begun, NULL);
}
static void make_to_begin(belay_action_fn disposed) {
  make_subject();
  belay_observer observer = {.size = sizeof observer, .disposed = disposed};
  belay_signal_subscribe(subject, &observer, &subscription);
}
static void make_to_begin_another(void) { make_to_begin(begin_another); }
static void make_to_begin_at_subject(void) { make_to_begin(begin_at_subject); }
static void send(void) { explore_send(subject, 1); }
static void end(void) { belay_subject_completed(subject); }
static void let_begun_go(void) {
  belay_disposable_release(subscription);
  belay_signal_release(subject);
  if (second) belay_signal_release(second);
  release_loop();
}
static void check_begun(void) {
  explore_require(begun.frees == 1 && "what began while the loop closed has ended");
}

/* ---- the loop of the listener closes, the loop of the source goes on ---- */

static void subscribe_and_close_mine(void) {
  answer = explore_subscribe(subject, &listener, &subscription);
  explore_require(answer >= 0);
  explore_turn(mine);
  explore_close_in_use(mine);
  explore_require(listener.disposals == 1 && "the close has interrupted it");
  belay_disposable_release(subscription);
  isDone = 1;
}
static void turns(void) { explore_turns_until(loop, &isDone); }
static void send_in_turns(void) {
  explore_send(subject, 1);
  turns();
}
/* So many leave that the source sweeps. A subscription that leaves at another loop is swept out,
   too. */
enum { leavers = 4 };
static belay_disposable *staying, *leaving[leavers], *last;
static explore_listener left[leavers + 1];
static void make_to_sweep(void) {
  make_subject();
  explore_subscribe(subject, &begun, &staying);
  for (int i = 0; i < leavers; i++) {
    left[i] = (explore_listener){0};
    explore_subscribe(subject, &left[i], &leaving[i]);
  }
}
static void subscribe_to_sweep(void) {
  make_mine();
  explore_subscribe(subject, &listener, &subscription);
}
static void sweep_and_close(void) {
  explore_turn(loop);
  left[leavers] = (explore_listener){0};
  explore_subscribe(subject, &left[leavers], &last);
  for (int i = 0; i < leavers; i++) belay_disposable_dispose(leaving[i]);
  turns();
  explore_settle(loop);
  belay_disposable_dispose(last);
  explore_close_in_use(loop);
  explore_require(begun.disposals == 1 && "the close has interrupted who stayed");
}
static void dispose_at_mine(void) {
  belay_disposable_dispose(subscription);
  isDone = 1;
}
static void let_swept_go(void) {
  for (int i = 0; i < leavers; i++) belay_disposable_release(leaving[i]);
  belay_disposable_release(staying);
  belay_disposable_release(last);
  belay_signal_release(subject);
}
static void let_go(void) {
  explore_settle(loop);
  belay_signal_release(subject);
  explore_settle(loop);
  explore_close(loop);
}
static void check(void) { explore_all_over(&listener, 1); }

/* ---- connections ---- */

static void make_connectable(void) {
  make();
  subject = belay_signal_publish(belay_signal_never());
  explore_subscribe(subject, &listener, &subscription);
}
static void connect_and_dispose(void) {
  answer = belay_signal_connect(subject, &connection);
  belay_disposable_dispose(connection);
  belay_disposable_release(connection);
  isDone = 1;
}
static void listener_is_interrupted(void) {
  turns();
  explore_settle(loop);
  explore_require((answer < 0 || listener.disposals == 1) && "who listens was interrupted");
}
static void connect_only(void) {
  belay_signal_connect(subject, &connection);
  isDone = !begins;
}
static void begin_to_close(void) {
  begins = 1;
  close_loop();
}
static void let_connectable_go(void) {
  belay_disposable_dispose(subscription);
  belay_disposable_release(subscription);
  let_go();
}
static void let_closed_connectable_go(void) {
  explore_require(!isDone || belay_disposable_is_disposed(connection));
  /* A connection that came later began anew, at no loop. */
  belay_disposable_dispose(connection);
  belay_disposable_release(connection);
  belay_disposable_release(subscription);
  belay_signal_release(subject);
  release_loop();
}

/* ---- subscriptions made on a thread without a loop ---- */

static void subscribe_from_nowhere(void) {
  answer = explore_subscribe(subject, &listener, &subscription);
}
static void let_nowhere_go(void) { belay_disposable_release(subscription); }
static void release_subject_and_loop(void) {
  belay_signal_release(subject);
  release_loop();
}
static void check_maybe(void) {
  explore_require(listener.frees == 1 && "the context was freed");
  explore_require(listener.disposals == (answer >= 0));
}

static void subscribe_for_mine(void) {
  belay_observer observer = explore_observer(&listener);
  observer.loop = mine;
  explore_require(belay_signal_subscribe(subject, &observer, &subscription) >= 0);
  hasBegun = 1;
}
static void dispose_and_close_mine(void) {
  explore_await(&hasBegun);
  belay_disposable_dispose(subscription);
  explore_require(listener.frees == 1);
  explore_settle(mine);
  explore_close(mine);
}
static void subscribe_while_mine_closes(void) {
  belay_observer observer = explore_observer(&listener);
  observer.loop = mine;
  answer = belay_signal_subscribe(subject, &observer, &subscription);
  explore_await(&isClosed);
  explore_require((answer < 0 || listener.disposals == 1) && "the close has interrupted it");
  explore_require(listener.frees == 1);
}
static void close_mine_in_use(void) {
  belay_loop_retain(mine);
  explore_close_in_use(mine);
  isClosed = 1;
}
static void release_mine(void) { belay_loop_release(mine); }
static void make_at_no_loop(void) {
  make_subject();
  explore_close(loop);
  belay_signal_release(subject);
  subject = belay_subject_create(NULL);
}
static void let_no_loop_go(void) {
  belay_disposable_release(subscription);
  belay_signal_release(subject);
}

/* ---- two threads run it, one at a time ---- */

static int inside;
static void be_alone(void *ctx) {
  (void)ctx;
  explore_require(inside++ == 0);
  explore_point();
  inside--;
}
static void run_twice(bool binds) {
  for (int i = 0; i < 2; i++) {
    belay_loop_post(loop, be_alone, NULL, NULL);
    int code = binds ? belay_loop_bind(loop) : 0;
    if (code == 0) code = belay_loop_run(loop, BELAY_RUN_NOWAIT);
    explore_require(code >= 0 || code == BELAY_EBUSY);
  }
  belay_last_error();
}
static void run_by_turns(void) { run_twice(false); }
static void bind_and_run_by_turns(void) { run_twice(true); }
static void end_thread(void) {
  explore_end_thread();
  isDone = 1;
}
static void bind_elsewhere(void) {
  explore_require(belay_loop_bind(loop) == 0);
  explore_await(&isDone);
  explore_require(belay_loop_alive(loop) >= 0);
}
static void bind_and_close(void) {
  explore_require(belay_loop_bind(loop) == 0);
  explore_settle(loop);
  explore_close(loop);
}

const explore_scenario explore_loops[] = {
    {"close x last releases of sources on two threads",
     {{make_two_sources, close_loop, release_loop},
      {NULL, release_first, NULL},
      {NULL, release_second, NULL}},
     NULL,
     explore_counts},
    {"last releases of neighbours in a closed loop",
     {{make_three_sources, close_loop, release_third_and_loop},
      {NULL, release_first, NULL},
      {NULL, release_second, NULL}},
     NULL,
     explore_counts},
    {"close x last release of a source that all have left",
     {{make_source_that_was_left, close_loop, release_loop}, {NULL, release_first, NULL}},
     NULL,
     0},
    {"close x a start on its way",
     {{make_subject, close_loop, release_loop},
      {make_mine, subscribe_across, release_subscription}},
     NULL,
     0},
    {"turn, close x a start on its way",
     {{make_subject, turns_then_close, release_loop},
      {make_mine, subscribe_across, release_subscription}},
     NULL,
     0},
    {"close x a start through an operator",
     {{make_chain, close_loop, release_loop},
      {make_mine, subscribe_chain_across, release_subscription}},
     check_chain,
     0},
    {"close x a start from a thread without a loop",
     {{make_subject, close_loop, release_subject_and_loop},
      {NULL, subscribe_from_nowhere, let_nowhere_go}},
     check_maybe,
     0},
    {"close x what begins meanwhile",
     {{make_to_begin_another, close_loop, let_begun_go}, {NULL, send, NULL}},
     check_begun,
     0},
    {"close x what begins meanwhile at a subject",
     {{make_to_begin_at_subject, close_loop, let_begun_go}, {NULL, end, NULL}},
     check_begun,
     0},
    {"close of the listener's loop x turns of the source's",
     {{make_subject, turns, let_go}, {make_mine, subscribe_and_close_mine, nothing}},
     check,
     0},
    {"close of the listener's loop x send",
     {{make_subject, send_in_turns, let_go}, {make_mine, subscribe_and_close_mine, nothing}},
     check,
     0},
    {"a sweep at the source x a disposal at the listener's loop",
     {{make_to_sweep, sweep_and_close, let_swept_go},
      {subscribe_to_sweep, dispose_at_mine, release_subscription}},
     check,
     0},
    {"subscribed for another loop x its disposal and close there",
     {{make_at_no_loop, subscribe_for_mine, let_no_loop_go}, {make_mine, dispose_and_close_mine, NULL}},
     check,
     0},
    {"subscribed for another loop x its close",
     {{make_at_no_loop, subscribe_while_mine_closes, let_no_loop_go},
      {make_mine, close_mine_in_use, release_mine}},
     check_maybe,
     0},
    {"a connection made and disposed of elsewhere x turns",
     {{make_connectable, listener_is_interrupted, let_connectable_go},
      {NULL, connect_and_dispose, NULL}},
     check,
     0},
    {"connect elsewhere x close",
     {{make_connectable, begin_to_close, let_closed_connectable_go}, {NULL, connect_only, NULL}},
     check,
     0},
    {"run x run",
     {{make, run_by_turns, bind_and_close}, {NULL, run_by_turns, NULL}},
     NULL,
     0},
    {"bind, run x bind, run",
     {{make, bind_and_run_by_turns, bind_and_close}, {NULL, bind_and_run_by_turns, NULL}},
     NULL,
     0},
    {"the end of its thread x bind",
     {{make, end_thread, NULL}, {NULL, bind_elsewhere, bind_and_close}},
     NULL,
     0},
    {0},
};
