/* Deaths on another thread than the home of what is bound. That home calls the ends of it later, and a
   part above may be running there: the deinit waits for both. */
#include "held.h"
#include "owned.h"
#include "worker.h"

#include <unistd.h>

static belay_loop *loop; /* this thread's */
static belay_owner *owner;
static belay_signal *subject;

static void begin(void) {
  loop = open_loop();
  owner = traced_owner(NULL);
  subject = belay_subject_create(NULL);
}
static void finish(void) {
  belay_signal_release(subject);
  close_loop(loop);
}
static void let_it_turn(void) {
  for (int i = 0; i < 3; i++) CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
}

static void let_go(void *ctx) { belay_owner_release(ctx); }
static void trace_end(void *ctx) { trace("%s", (const char *)ctx); }
static void ignore(void *ctx, belay_value value) {}

/* Takes `signal` over. */
static belay_disposable *bind(belay_signal *signal, belay_observer observer) {
  belay_disposable *subscription = NULL;
  observer.owner = owner;
  CHECK(signal != NULL);
  CHECK_INT(belay_signal_subscribe(signal, &observer, &subscription), 0);
  belay_signal_release(signal);
  return subscription;
}
static belay_signal *below(belay_op *op) { return belay_signal_chain(also(subject), op); }

/* ---- ends that home calls ---- */

static void dies_behind(belay_signal *signal, belay_observer observer, const char *expected) {
  belay_disposable_release(bind(signal, observer));
  in_thread(let_go, owner);
  CHECK_TRACE("");
  let_it_turn();
  CHECK_TRACE(expected);
  finish();
}

static void behind_disposed(void) {
  begin();
  dies_behind(also(subject),
              BELAY_INIT(belay_observer, .disposed = trace_end, .ctx = "disposed"),
              "disposed | deinit | dealloc");
}
static void behind_a_context_that_is_freed(void) {
  begin();
  dies_behind(also(subject), BELAY_INIT(belay_observer, .ctx = "free", .ctx_free = trace_end),
              "free | deinit | dealloc");
}
static void behind_finally(void) {
  begin();
  dies_behind(below(belay_op_finally(trace_end, "finally", NULL)), BELAY_INIT(belay_observer),
              "finally | deinit | dealloc");
}
static void behind_the_disposed_of_do(void) {
  begin();
  belay_observer effects =
      BELAY_INIT(belay_observer, .disposed = trace_end, .ctx = "effects disposed");
  dies_behind(below(belay_op_do(&effects)), BELAY_INIT(belay_observer),
              "effects disposed | deinit | dealloc");
}
static void release_subscriber(void *ctx) {
  trace("producer");
  belay_subscriber_release(ctx);
}
static belay_disposable *produce(void *ctx, belay_subscriber *subscriber) {
  return belay_disposable_create(release_subscriber, belay_subscriber_retain(subscriber), NULL);
}
static void behind_what_a_producer_has(void) {
  begin();
  dies_behind(belay_signal_create(produce, NULL, NULL, NULL), BELAY_INIT(belay_observer),
              "producer | deinit | dealloc");
}
static void behind_a_disposal_before(void) {
  begin();
  belay_observer observer = BELAY_INIT(belay_observer, .disposed = trace_end, .ctx = "disposed");
  belay_disposable *subscription = bind(also(subject), observer);
  in_thread((void (*)(void *))belay_disposable_dispose, subscription);
  belay_owner_release(owner);
  CHECK_TRACE("");
  let_it_turn();
  CHECK_TRACE("disposed | deinit | dealloc");
  belay_disposable_release(subscription);
  finish();
}

static void let_go_on_a_thread(void *ctx, belay_value value) {
  in_thread(let_go, owner);
  trace("next ends");
}
static void behind_disposed_of_what_was_running(void) {
  begin();
  belay_disposable_release(bind(
      also(subject),
      BELAY_INIT(belay_observer, .next = let_go_on_a_thread, .disposed = trace_end, .ctx = "disposed")));
  send_int(subject, 1);
  let_it_turn();
  CHECK_TRACE("next ends | disposed | deinit | dealloc");
  finish();
}

/* A subject has no end of its own, so the death need not wait for the home. */
static void not_behind_a_home_that_calls_nothing(void) {
  begin();
  belay_disposable_release(
      bind(also(subject), BELAY_INIT(belay_observer, .next = ignore)));
  in_thread(let_go, owner);
  CHECK_TRACE("deinit | dealloc");
  trace_clear();
  finish();
}

/* ---- an end that cannot be put off ---- */

static int object;
static void destroy(void *ctx) { trace("destroy"); }
static void end_object(void *expected) {
  CHECK_INT(belay_owner_end(&object, destroy, NULL), *(int *)expected);
}
/* The home may be waiting for the thread, as here. */
static void not_of_an_adopted_pointer(void) {
  for (int has_loop = 0; has_loop < 2; has_loop++) {
    int expected = has_loop ? BELAY_EWRONGTHREAD : 0;
    begin();
    belay_owner_release(owner);
    trace_clear();
    owner = belay_owner_adopt(
        &object, &BELAY_INIT(belay_owner_options, .loop = has_loop ? loop : NULL));
    belay_disposable_release(
        bind(also(subject), BELAY_INIT(belay_observer, .disposed = trace_end, .ctx = "disposed")));
    in_thread(end_object, &expected);
    let_it_turn();
    CHECK_TRACE(has_loop ? "" : "destroy | disposed");
    trace_clear();
    if (has_loop) CHECK_INT(belay_owner_end(&object, destroy, NULL), 0);
    CHECK_TRACE(has_loop ? "disposed | destroy" : "");
    trace_clear();
    belay_owner_release(owner);
    finish();
  }
}

/* What a child still runs elsewhere is waited for. When it is over, the child dies at its home, whose thread is the one
 * that waits: it goes on, and the child dies at the next turn. */
static routine later;
static void post_later(void *ctx) {
  usleep(20000); /* so that the other thread sleeps */
  sem_post(&go_on);
}
static void begin_to_post(void *ctx) { start_thread(&later, post_later, NULL); }
static void a_child_at_the_home_of_the_thread_that_waits(void) {
  held it = {0};
  begin();
  belay_owner_options options = BELAY_INIT(belay_owner_options, .loop = loop);
  belay_owner_release(owner);
  owner = belay_owner_adopt(&object, &options);
  it.owner = belay_owner_create(NULL, trace_deinit, NULL, &options);
  CHECK_INT(belay_owner_add_child(owner, it.owner), 0);
  CHECK_INT(belay_owner_add_action(owner, begin_to_post, NULL, NULL), 0);
  begin_held(&it);
  trace_clear();
  CHECK_INT(belay_owner_end(&object, destroy, NULL), 0);
  join_thread(&later);
  CHECK_TRACE("leaves | destroy");
  let_it_turn();
  CHECK_TRACE("deinit");
  end_held(&it);
  belay_owner_release(it.owner);
  belay_owner_release(owner);
  finish();
}

/* The start of a subscription that this thread disposes of runs elsewhere. Its end is left to this thread. */
static belay_disposable *hold_in_start(void *ctx, belay_subscriber *subscriber) {
  sem_post(&inside);
  wait_for(&go_on);
  return NULL;
}
static void subscribe_bound(void *signal) {
  belay_observer observer = {.size = sizeof observer, .disposed = trace_end, .ctx = "disposed", .owner = owner};
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
}
static void a_start_that_ends_while_this_thread_waits(void) {
  routine other;
  begin();
  sem_init(&inside, 0, 0);
  sem_init(&go_on, 0, 0);
  belay_signal *signal = belay_signal_chain(belay_signal_create(hold_in_start, NULL, NULL, NULL),
                                            belay_op_observe_on(belay_loop_get_scheduler(loop), NULL));
  start_thread(&other, subscribe_bound, signal);
  wait_for(&inside);
  begin_to_post(NULL);
  CHECK_INT(belay_disposable_dispose_sync(belay_owner_get_compound(owner), -1), 0);
  CHECK_TRACE("disposed");
  join_thread(&other);
  join_thread(&later);
  belay_signal_release(signal);
  belay_owner_release(owner);
  trace_clear();
  finish();
}

/* A child dies on another thread, and that leaves an end to this thread, which waits for the death. */
static void a_child_elsewhere_whose_death_waits_for_this_thread(void) {
  worker there = {0};
  begin();
  start_worker(&there);
  belay_owner *parent = owner;
  owner = belay_owner_create(NULL, trace_deinit, NULL, &BELAY_INIT(belay_owner_options, .loop = there.loop));
  CHECK_INT(belay_owner_add_child(parent, owner), 0);
  belay_disposable_release(
      bind(also(subject), BELAY_INIT(belay_observer, .disposed = trace_end, .ctx = "disposed")));
  CHECK_INT(belay_disposable_dispose_sync(belay_owner_get_compound(parent), -1), 0);
  CHECK_TRACE("disposed | deinit");
  stop_worker(&there);
  belay_owner_release(owner), belay_owner_release(parent);
  trace_clear();
  finish();
}

/* A child dies at a pool. Another thread has begun that, so the pool's loop has to turn before a thread of the pool can
 * begin: the wait of that loop's thread does not sleep. */
static void a_child_at_a_pool_whose_loop_the_waiting_thread_has(void) {
  begin();
  belay_scheduler *pool = belay_scheduler_create_pool(loop);
  belay_owner *child =
      belay_owner_create(NULL, trace_deinit, NULL, &BELAY_INIT(belay_owner_options, .scheduler = pool));
  CHECK_INT(belay_owner_add_child(owner, child), 0);
  run_to_end(loop); /* no thread of the pool is there any more */
  belay_disposable *compound = belay_disposable_retain(belay_owner_get_compound(owner));
  in_thread((void (*)(void *))belay_disposable_dispose, compound);
  CHECK_INT(belay_disposable_dispose_sync(compound, -1), BELAY_EINPROGRESS);
  run_to_end(loop);
  CHECK_TRACE("deinit");
  CHECK_INT(belay_disposable_dispose_sync(compound, -1), 0);
  belay_disposable_release(compound), belay_owner_release(child), belay_owner_release(owner);
  trace_clear();
  belay_scheduler_release(pool);
  finish();
}

/* ---- a part above that runs ---- */

static belay_value hold_in_map(void *ctx, belay_value value) {
  sem_post(&inside);
  wait_for(&go_on);
  trace("map ends");
  return belay_value_retain(value);
}
static void let_go_meanwhile(void *ctx) {
  wait_for(&inside);
  belay_owner_release(ctx);
  CHECK_TRACE("");
  sem_post(&go_on);
}
static void begin_to_hold(void) {
  begin();
  sem_init(&inside, 0, 0);
  sem_init(&go_on, 0, 0);
}

static void behind_an_operator_above_observe_on(void) {
  routine other;
  worker there = {0};
  begin_to_hold();
  start_worker(&there);
  belay_op *const ops[] = {belay_op_map(hold_in_map, NULL, NULL),
                           belay_op_observe_on(belay_loop_get_scheduler(there.loop), NULL)};
  belay_disposable_release(
      bind(belay_signal_chain_n(also(subject), ops, 2), BELAY_INIT(belay_observer)));
  start_thread(&other, let_go_meanwhile, owner);
  send_int(subject, 1);
  join_thread(&other);
  let_it_turn();
  stop_worker(&there);
  CHECK_TRACE("map ends | deinit | dealloc");
  finish();
}

/* The subscription is disposed of at home, where nothing of it is left. */
static void send_one(void *ctx) { send_int(ctx, 1); }
static void behind_one_that_was_disposed_of_before(void) {
  routine other;
  begin_to_hold();
  belay_op *const ops[] = {belay_op_map(hold_in_map, NULL, NULL),
                           belay_op_observe_on(belay_loop_get_scheduler(loop), NULL)};
  belay_source_options options = BELAY_INIT(belay_source_options, .shared = 1);
  belay_signal *shared = belay_subject_create(&options);
  belay_disposable *subscription =
      bind(belay_signal_chain_n(also(shared), ops, 2), BELAY_INIT(belay_observer));
  start_thread(&other, send_one, shared);
  wait_for(&inside);
  belay_disposable_dispose(subscription);
  belay_owner_release(owner);
  CHECK_TRACE("");
  sem_post(&go_on);
  join_thread(&other);
  let_it_turn();
  CHECK_TRACE("map ends | deinit | dealloc");
  belay_disposable_release(subscription);
  belay_signal_release(shared);
  finish();
}

/* ---- another thread where an owner's signal sends ---- */

/* Ends one subscription to it there, and is held in the free of its context. */
static void hold_in_free(void *ctx) {
  sem_post(&inside);
  wait_for(&go_on);
  trace("free ends");
}
static void trace_told(void *ctx, belay_value value) { trace("told"); }
static belay_disposable *ending;
static void begin_to_hold_where(routine *other, belay_signal *signal) {
  belay_observer ends = BELAY_INIT(belay_observer, .ctx_free = hold_in_free);
  belay_observer stays = BELAY_INIT(belay_observer, .next = trace_told);
  sem_init(&inside, 0, 0), sem_init(&go_on, 0, 0);
  CHECK_INT(belay_signal_subscribe(signal, &ends, &ending), 0);
  CHECK_INT(belay_signal_subscribe(signal, &stays, NULL), 0);
  belay_signal_release(signal);
  start_thread(other, (void (*)(void *))belay_disposable_dispose, ending);
  wait_for(&inside);
}
static void waits_for_a_watcher_that_ends(int is_step_7, const char *before, const char *after) {
  routine other;
  owner = traced_owner(NULL);
  CHECK_INT(belay_owner_add_action(owner, trace_action, "bound", NULL), 0);
  begin_to_hold_where(&other, is_step_7 ? belay_owner_deallocated(owner) : belay_owner_deallocating(owner));
  belay_owner_release(owner);
  CHECK_TRACE(before);
  sem_post(&go_on);
  join_thread(&other);
  CHECK_TRACE(after);
  belay_disposable_release(ending);
}
static void step_2_waits_for_a_watcher_that_ends_elsewhere(void) {
  waits_for_a_watcher_that_ends(0, "", "free ends | told | action bound | deinit | dealloc");
}
static void step_7_waits_for_a_watcher_that_ends_elsewhere(void) {
  waits_for_a_watcher_that_ends(1, "action bound | deinit", "free ends | told | dealloc");
}
/* The end cannot be put off, so its thread sleeps until then. */
static void deinit_then_post(void *ctx) { trace_deinit(ctx), begin_to_post(ctx); }
static void an_end_sleeps(belay_signal *signal, int posts_in_deinit, const char *expected) {
  routine other;
  begin_to_hold_where(&other, signal);
  if (!posts_in_deinit) begin_to_post(NULL);
  CHECK_INT(belay_owner_end(&object, destroy, NULL), 0);
  CHECK_TRACE(expected);
  join_thread(&other), join_thread(&later);
  belay_disposable_release(ending), belay_owner_release(owner);
}
static void step_2_of_an_adopted_pointer_waits_asleep(void) {
  owner = belay_owner_adopt(&object, NULL);
  CHECK_INT(belay_owner_add_action(owner, trace_action, "bound", NULL), 0);
  an_end_sleeps(belay_owner_deallocating(owner), 0, "free ends | told | action bound | destroy");
}
static void a_parent_waits_for_step_7_of_its_child(void) {
  belay_owner *parent = belay_owner_adopt(&object, NULL);
  owner = belay_owner_create(NULL, deinit_then_post, trace_dealloc, NULL);
  CHECK_INT(belay_owner_add_child(parent, owner), 0);
  an_end_sleeps(belay_owner_deallocated(owner), 1, "deinit | free ends | told | dealloc | destroy");
  belay_owner_release(parent);
}

/* A bound callback waits for the thread that declares the end. An action of step 3 asks for a signal of the owner, which
 * does not make the answer another one. */
static belay_disposable *theirs, *mine;
static void wait_for_theirs(void *ctx, belay_value value) {
  sem_post(&inside), wait_for(&go_on);
  CHECK_INT(belay_disposable_dispose_sync(theirs, -1), 0);
  trace("bound ends");
}
static void ask_for_a_signal(void *ctx) { belay_signal_release(belay_owner_deallocating(owner)); }
static void end_when_it_waits(void *ctx, belay_value value) {
  wait_for(&inside), sem_post(&go_on);
  while (belay_disposable_dispose_sync(mine, 0) != BELAY_EDEADLK) sched_yield(); /* until that thread sleeps */
  CHECK_INT(belay_owner_end(&object, destroy, NULL), BELAY_EDEADLK);
  CHECK_TRACE("");
}
static void a_callback_that_waits_for_the_end_is_a_deadlock(void) {
  routine other;
  belay_source_options shared = BELAY_INIT(belay_source_options, .shared = 1);
  sem_init(&inside, 0, 0), sem_init(&go_on, 0, 0);
  belay_signal *ours = belay_subject_create(&shared), *other_source = belay_subject_create(&shared);
  owner = belay_owner_adopt(&object, NULL);
  CHECK_INT(belay_owner_add_action(owner, ask_for_a_signal, NULL, NULL), 0);
  mine = bind(also(ours), BELAY_INIT(belay_observer, .next = wait_for_theirs));
  belay_observer ending = BELAY_INIT(belay_observer, .next = end_when_it_waits);
  CHECK_INT(belay_signal_subscribe(other_source, &ending, &theirs), 0);
  start_thread(&other, send_one, ours);
  send_int(other_source, 1);
  join_thread(&other);
  CHECK_TRACE("bound ends");
  CHECK_INT(belay_owner_did_end(&object), 0);
  belay_disposable_release(theirs), belay_disposable_release(mine), belay_owner_release(owner);
  belay_signal_release(ours), belay_signal_release(other_source);
}

/* ---- work of a source ---- */

static belay_value hold_in_work(void *ctx) {
  sem_post(&inside);
  wait_for(&go_on);
  trace("work ends");
  return belay_null();
}
static void behind_work_of_a_pool(void) {
  begin_to_hold();
  belay_disposable_release(
      bind(belay_work(loop, hold_in_work, NULL, NULL), BELAY_INIT(belay_observer)));
  wait_for(&inside);
  belay_owner_release(owner);
  CHECK_TRACE("");
  sem_post(&go_on);
  run_to_end(loop);
  CHECK_TRACE("work ends | deinit | dealloc");
  finish();
}

static void hold_in_action(void *ctx) { hold_in_work(ctx); }
static void free_subscriber(void *ctx) { belay_subscriber_release(ctx); }
static belay_disposable *schedule_work(void *ctx, belay_subscriber *subscriber) {
  belay_disposable *work = NULL;
  CHECK_INT(belay_scheduler_schedule(ctx, hold_in_action, belay_subscriber_retain(subscriber),
                                     free_subscriber, &work), 0);
  return work;
}
static void let_out(void *ctx) {
  while (!belay_disposable_is_disposed(ctx)) sched_yield();
  sem_post(&go_on);
}
static void a_wait_waits_for_it(void (*before)(belay_disposable *)) {
  routine other;
  begin_to_hold();
  belay_scheduler *pool = belay_scheduler_create_pool(loop);
  belay_disposable *subscription =
      bind(belay_signal_create(schedule_work, pool, NULL, NULL), BELAY_INIT(belay_observer));
  wait_for(&inside);
  if (before) before(subscription);
  CHECK_INT(belay_disposable_dispose_sync(subscription, 0), BELAY_ETIMEDOUT);
  start_thread(&other, let_out, subscription);
  CHECK_INT(belay_disposable_dispose_sync(subscription, -1), 0);
  CHECK_TRACE("work ends");
  join_thread(&other);
  trace_clear();
  belay_owner_release(owner);
  CHECK_TRACE("deinit | dealloc");
  trace_clear();
  belay_disposable_release(subscription);
  belay_scheduler_release(pool);
  run_to_end(loop);
  finish();
}
static void dispose(belay_disposable *subscription) { belay_disposable_dispose(subscription); }
static void a_wait_for_work_of_a_producer(void) {
  a_wait_waits_for_it(NULL);
  a_wait_waits_for_it(dispose);
}

static const test_case cases[] = {
    CASE(behind_disposed),
    CASE(behind_a_context_that_is_freed),
    CASE(behind_finally),
    CASE(behind_the_disposed_of_do),
    CASE(behind_what_a_producer_has),
    CASE(behind_a_disposal_before),
    CASE(behind_disposed_of_what_was_running),
    CASE(not_behind_a_home_that_calls_nothing),
    CASE(not_of_an_adopted_pointer),
    CASE(a_child_at_the_home_of_the_thread_that_waits),
    CASE(a_start_that_ends_while_this_thread_waits),
    CASE(a_child_elsewhere_whose_death_waits_for_this_thread),
    CASE(a_child_at_a_pool_whose_loop_the_waiting_thread_has),
    CASE(behind_an_operator_above_observe_on),
    CASE(behind_one_that_was_disposed_of_before),
    CASE(step_2_waits_for_a_watcher_that_ends_elsewhere),
    CASE(step_7_waits_for_a_watcher_that_ends_elsewhere),
    CASE(a_parent_waits_for_step_7_of_its_child),
    CASE(step_2_of_an_adopted_pointer_waits_asleep),
    CASE(a_callback_that_waits_for_the_end_is_a_deadlock),
    CASE(behind_work_of_a_pool),
    CASE(a_wait_for_work_of_a_producer),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
