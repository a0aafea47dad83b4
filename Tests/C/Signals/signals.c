/* Cold signals: their order, their ends, their errors: A2-01 to A2-13. */
#include "script.h"

/* An observer that disposes its own subscription in next. */
static void dispose_in_next(void *ctx, belay_value value) {
  trace("next %d", int_of(value));
  belay_disposable_dispose(*(belay_disposable **)ctx);
  trace("after");
}
static void note_disposed(void *ctx) { (void)ctx, trace("disposed"); }
static void note_free(void *ctx) { (void)ctx, trace("free"); }

static belay_observer disposing(belay_disposable **self) {
  belay_observer observer = {.size = sizeof observer, .next = dispose_in_next};
  observer.disposed = note_disposed;
  observer.ctx = self;
  observer.ctx_free = note_free;
  return observer;
}

/* ---- the four programs of article 001 ---- */
static void program(const char *steps, int disposals, const char *expected) {
  script it = {.steps = steps, .teardown = "released"};
  belay_signal *signal = scripted(&it);
  belay_disposable *subscription = subscribed(signal, unfreed(""));
  trace("end");
  for (int i = 0; i < disposals; i++) belay_disposable_dispose(subscription);
  CHECK_TRACE(expected);
  CHECK_INT(belay_disposable_is_disposed(subscription), 1);
  belay_disposable_release(subscription);
  belay_signal_release(signal);
  drop(&it);
  CHECK_TRACE("");
}

static void A2_program_1_neither_completed_nor_disposed(void) {
  program("1", 0, "next 1 | action released | disposed | end");
}
static void A2_program_2_disposed(void) {
  program("k1", 1, "next 1 | end | action released | disposed");
}
static void A2_program_3_completes_inside_create(void) {
  program("1c", 0, "next 1 | completed | disposed | action released | end");
}
static void A2_program_4_completes_then_disposed_twice(void) {
  program("1c", 2, "next 1 | completed | disposed | action released | end");
}

/* ---- the rows ---- */
static void A2_01_three_ways_to_end(void) {
  script it = {.steps = "k", .teardown = "released"};
  belay_signal *signal = scripted(&it);
  belay_disposable *subscription = subscribed(signal, rendering(""));
  CHECK_INT(emit(it.kept, 'c'), 0);
  CHECK_TRACE("completed | disposed | action released | free");
  CHECK_INT(belay_disposable_is_disposed(subscription), 1);
  belay_disposable_release(subscription);
  drop(&it);

  subscription = subscribed(signal, rendering(""));
  end_subscription(subscription);
  CHECK_TRACE("action released | disposed | free");
  drop(&it);

  belay_bag *bag = belay_bag_create();
  subscription = subscribed(signal, rendering(""));
  CHECK_INT(belay_bag_add(bag, subscription), 0);
  belay_disposable_release(subscription);
  CHECK_TRACE("");
  belay_bag_release(bag);
  CHECK_TRACE("action released | disposed | free");
  drop(&it);

  belay_owner *owner = belay_owner_create(NULL, NULL, NULL, NULL);
  belay_observer observer = rendering("");
  observer.owner = owner;
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  belay_owner_release(owner);
  CHECK_TRACE("action released | disposed | free");
  drop(&it);
  belay_signal_release(signal);
}

static belay_signal *tapped(script *it) {
  return belay_signal_chain(scripted(it), tap("a"), tap("b"));
}

static void A2_02_order_at_a_terminal_event(void) {
  script it = {.steps = "k", .teardown = "released"};
  watch(tapped(&it), "");
  CHECK_INT(emit(it.kept, '1'), 0);
  CHECK_TRACE("a next 1 | b next 1 | next 1");
  CHECK_INT(emit(it.kept, 'c'), 0);
  CHECK_TRACE(
      "a completed | b completed | completed | disposed | b disposed | a disposed | "
      "action released | free");
  drop(&it);
}

static void A2_02_order_at_an_explicit_disposal(void) {
  script it = {.steps = "k", .teardown = "released"};
  end_subscription(watched(tapped(&it), ""));
  CHECK_TRACE("action released | a disposed | b disposed | disposed | free");
  drop(&it);
}

static void A2_02_order_at_a_disposal_inside_next(void) {
  script it = {.steps = "k", .teardown = "released"};
  belay_signal *signal = tapped(&it);
  belay_disposable *subscription = NULL;
  belay_observer observer = disposing(&subscription);
  CHECK_INT(belay_signal_subscribe(signal, &observer, &subscription), 0);
  belay_signal_release(signal);
  CHECK_INT(emit(it.kept, '1'), 0);
  CHECK_TRACE(
      "a next 1 | b next 1 | next 1 | action released | a disposed | b disposed | "
      "disposed | after | free");
  CHECK_INT(emit(it.kept, '2'), BELAY_EENDED);
  CHECK_TRACE("");
  belay_disposable_release(subscription);
  drop(&it);
}

static belay_disposable *inner;
static void dispose_again(void *name) {
  CHECK_INT(belay_disposable_is_disposed(inner), 1);
  belay_disposable_dispose(inner);
  trace_action(name);
}
static belay_disposable *return_disposing(void *ctx, belay_subscriber *subscriber) {
  script *it = ctx;
  it->kept = belay_subscriber_retain(subscriber);
  return belay_disposable_create(dispose_again, "released", NULL);
}

static void A2_03_A2_04_a_teardown_runs_once_and_finds_itself_disposed(void) {
  script it = {0};
  belay_signal *signal = belay_signal_create(return_disposing, &it, NULL, NULL);
  inner = watched(signal, "");
  CHECK_INT(belay_disposable_is_disposed(inner), 0);
  belay_disposable_dispose(inner);
  belay_disposable_dispose(inner);
  CHECK_TRACE("action released | disposed | free");
  belay_disposable_release(inner);
  drop(&it);
}

static void A2_09_ended_before_the_producer_has_returned(void) {
  static const char *const ends[] = {"kc", "ke"};
  static const char *const traces[] = {"completed | disposed | action released",
                                       "error ERANGE | disposed | action released"};
  for (int i = 0; i < 2; i++) {
    script it = {.steps = ends[i], .teardown = "released"};
    belay_signal *signal = scripted(&it);
    belay_disposable_release(subscribed(signal, unfreed("")));
    CHECK_TRACE(traces[i]);
    belay_signal_release(signal);
    drop(&it);
  }
}

static void A2_10_nothing_after_a_terminal_event(void) {
  script it = {.steps = "1c2ec"};
  watch(scripted(&it), "");
  CHECK_TRACE("next 1 | completed | disposed | free");
  const int expected[] = {0, 0, BELAY_EENDED, BELAY_EENDED, BELAY_EENDED};
  for (int i = 0; i < 5; i++) CHECK_INT(it.results[i], expected[i]);
  belay_last_error();
}

static void A2_11_what_is_sent_after_dispose_is_dropped(void) {
  script it = {.steps = "k1"};
  end_subscription(watched(scripted(&it), ""));
  CHECK_TRACE("next 1 | disposed | free");
  CHECK_INT(belay_subscriber_is_disposed(it.kept), 1);
  CHECK_INT(emit(it.kept, '2'), BELAY_EENDED);
  CHECK_INT(belay_subscriber_next(it.kept, belay_string("released all the same")), BELAY_EENDED);
  CHECK_INT(emit(it.kept, 'c'), BELAY_EENDED);
  CHECK_TRACE("");
  drop(&it);
}

static void subscribe_inside(void *ctx, belay_value value) {
  (void)ctx;
  trace("outer %d", int_of(value));
  watch(belay_signal_just(belay_int32(2)), "inner");
  trace("outer end");
}
static void inner_work(void *ctx) { (void)ctx, trace("inner work"); }
static void outer_work(void *ctx) {
  CHECK_INT(belay_scheduler_schedule(ctx, inner_work, NULL, NULL, NULL), 0);
  watch(belay_signal_just(belay_int32(3)), "");
  trace("outer work ends");
}

static void A2_12_subscribing_runs_at_once_and_a_trampoline_is_asked_for(void) {
  belay_observer observer = {.size = sizeof observer, .next = subscribe_inside};
  belay_signal *one = belay_signal_just(belay_int32(1));
  CHECK_INT(belay_signal_subscribe(one, &observer, NULL), 0);
  belay_signal_release(one);
  CHECK_TRACE("outer 1 | inner next 2 | inner completed | inner disposed | inner free | outer end");
  belay_scheduler *trampoline = belay_scheduler_trampoline();
  CHECK_INT(belay_scheduler_schedule(trampoline, outer_work, trampoline, NULL, NULL), 0);
  CHECK_TRACE("next 3 | completed | disposed | free | outer work ends | inner work");
}

static void a_callback_disposes_of_what_subscribing_has_not_returned_yet(void) {
  belay_disposable *subscription = NULL;
  belay_signal *endless = belay_signal_repeat_value(belay_int32(1), BELAY_UNLIMITED);
  belay_observer observer = disposing(&subscription);
  CHECK_INT(belay_signal_subscribe(endless, &observer, &subscription), 0);
  CHECK_INT(belay_disposable_is_disposed(subscription), 1);
  CHECK_TRACE("next 1 | disposed | after | free");
  belay_disposable_release(subscription);
  belay_signal_release(endless);
}

static void unhandled(void *ctx, const belay_error *error, const char *signal, const char *site) {
  trace("%s %s in %s at %s", (const char *)ctx, belay_error_name(belay_error_code(error)), signal,
        site ? site : "nowhere");
}

static void A2_13_an_error_without_a_handler_goes_to_the_hook(void) {
  CHECK_INT(belay_on_unhandled_error(unhandled, "process", trace_free), 0);
  script it = {.steps = "e", .teardown = "released"};
  belay_observer observer = rendering("");
  observer.error = NULL;
  observer.site = "here:1";
  belay_signal *signal = belay_signal_chain(scripted(&it), belay_op_map(same_value, NULL, NULL));
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  CHECK(strncmp(trace_text(), "process ERANGE in create.map at here:1 | disposed", 49) == 0);
  trace_clear();
  belay_loop *loop = open_loop();
  CHECK_INT(belay_loop_on_unhandled_error(loop, unhandled, "loop", trace_free), 0);
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  CHECK(strncmp(trace_text(), "loop ERANGE in create.map at here:1 | disposed", 46) == 0);
  trace_clear();
  close_loop(loop);
  CHECK_TRACE("free loop");
  belay_signal_release(signal);
  CHECK_INT(belay_on_unhandled_error(NULL, NULL, NULL), 0);
  CHECK_TRACE("free process");
}

static const test_case cases[] = {
    CASE(A2_program_1_neither_completed_nor_disposed),
    CASE(A2_program_2_disposed),
    CASE(A2_program_3_completes_inside_create),
    CASE(A2_program_4_completes_then_disposed_twice),
    CASE(A2_01_three_ways_to_end),
    CASE(A2_02_order_at_a_terminal_event),
    CASE(A2_02_order_at_an_explicit_disposal),
    CASE(A2_02_order_at_a_disposal_inside_next),
    CASE(A2_03_A2_04_a_teardown_runs_once_and_finds_itself_disposed),
    CASE(A2_09_ended_before_the_producer_has_returned),
    CASE(A2_10_nothing_after_a_terminal_event),
    CASE(A2_11_what_is_sent_after_dispose_is_dropped),
    CASE(A2_12_subscribing_runs_at_once_and_a_trampoline_is_asked_for),
    CASE(a_callback_disposes_of_what_subscribing_has_not_returned_yet),
    CASE(A2_13_an_error_without_a_handler_goes_to_the_hook),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
