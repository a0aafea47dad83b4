/* Rule 1.1 and 1.5 for signals: interruption, contexts, the constant signals, names. */
#include "script.h"

/* ---- order ---- */
static void rule_1_1_take_nth_value_completed_then_teardown(void) {
  script it = {.steps = "k", .teardown = "released"};
  watch(belay_signal_chain(scripted(&it), belay_op_take(2)), "");
  CHECK_INT(emit(it.kept, '1'), 0);
  CHECK_TRACE("next 1");
  CHECK_INT(emit(it.kept, '2'), 0);
  CHECK_TRACE("next 2 | completed | disposed | action released | free");
  CHECK_INT(emit(it.kept, '3'), BELAY_EENDED);
  drop(&it);
}

static void rule_1_1_a_dropped_handle_ends_nothing(void) {
  script it = {.steps = "k", .teardown = "released"};
  belay_signal *signal = scripted(&it);
  belay_disposable *subscription = subscribed(signal, rendering(""));
  belay_disposable_release(subscription);
  belay_signal_release(signal);
  CHECK_INT(emit(it.kept, '1'), 0);
  CHECK_INT(emit(it.kept, 'c'), 0);
  CHECK_TRACE("next 1 | completed | disposed | action released | free");
  drop(&it);
}

static void drop_inside(void *ctx, belay_value value) {
  trace("next %d", int_of(value));
  drop(ctx);
  trace("dropped");
}

/* The event in progress is delivered first, whichever reference goes. */
static void rule_1_1_interruption_inside_next(void) {
  script it = {.steps = "k"};
  belay_observer observer = rendering("");
  observer.next = drop_inside;
  observer.ctx = &it;
  observer.disposed = NULL;
  observer.ctx_free = NULL;
  belay_signal *signal = belay_signal_chain(scripted(&it), tap(""));
  belay_disposable *subscription = subscribed(signal, observer);
  belay_signal_release(signal);
  emit(it.kept, '1');
  CHECK_TRACE("next 1 | next 1 | dropped | disposed");
  CHECK_INT(belay_disposable_is_disposed(subscription), 1);
  belay_disposable_release(subscription);
}

static belay_op *linear(int number) {
  belay_value zero = belay_int32(0);
  switch (number) {
    case 0:
      return belay_op_map(twice_of, NULL, NULL);
    case 1:
      return belay_op_filter(is_odd, NULL, NULL);
    case 2:
      return belay_op_take(5);
    case 3:
      return belay_op_scan(zero, sum_of, NULL, NULL);
    case 4:
      return belay_op_distinct_until_changed(NULL, NULL, NULL);
    case 5:
      return belay_op_start_with(&zero, 1);
    case 6:
      return belay_op_take_until(belay_signal_never());
    case 7:
      return belay_op_buffer(10);
    default:
      return NULL;
  }
}

static void rule_1_1_linear_stages_pass_an_interruption_on(void) {
  belay_op *op;
  for (int i = 0; (op = linear(i)) != NULL; i++) {
    script it = {.steps = "k1"};
    belay_observer observer = rendering("");
    observer.next = NULL;
    belay_signal *signal = belay_signal_chain(scripted(&it), op);
    belay_disposable *subscription = subscribed(signal, observer);
    belay_signal_release(signal);
    CHECK_TRACE("");
    drop(&it);
    CHECK_TRACE("disposed | free");
    CHECK_INT(belay_disposable_is_disposed(subscription), 1);
    belay_disposable_release(subscription);
  }
}

static void rule_1_1_a_join_passes_an_interruption_on_when_no_input_is_left(void) {
  script a = {.steps = "k"}, b = {.steps = "k"}, c = {.steps = "k"};
  belay_signal *inputs[] = {scripted(&a), scripted(&b), scripted(&c)};
  watch(belay_signal_merge(inputs, 3), "");
  drop(&a);
  CHECK_INT(emit(b.kept, '1'), 0);
  CHECK_INT(emit(b.kept, 'c'), 0);
  CHECK_TRACE("next 1");
  CHECK_INT(emit(c.kept, '2'), 0);
  CHECK_INT(emit(c.kept, 'c'), 0);
  CHECK_TRACE("next 2 | disposed | free");
  drop(&b);
  drop(&c);
}

static void drop_it(void *it) { drop(it); }

static void rule_1_1_a_wait_that_is_interrupted_is_canceled(void) {
  belay_loop *loop = open_loop();
  script it = {.steps = "k"};
  belay_signal *signal = scripted(&it);
  CHECK_INT(belay_loop_post(loop, drop_it, &it, NULL), 0);
  CHECK_FAILS(belay_signal_wait_first(signal, loop, 60, NULL), BELAY_ECANCELED);
  CHECK_INT(belay_loop_post(loop, drop_it, &it, NULL), 0);
  CHECK_FAILS(belay_signal_wait_last(signal, loop, 60, NULL), BELAY_ECANCELED);
  belay_signal_release(signal);
  close_loop(loop);
}

/* ---- from another thread ---- */
static void send_from_elsewhere(void *ctx) {
  script *it = ctx;
  int at = 0;
  for (const char *step = it->steps; *step; step++)
    if (*step != 'k') it->results[at++] = emit(it->kept, *step);
    else drop(it);
}

static void rule_1_2_a_subscriber_used_on_another_thread_is_queued_home(void) {
  belay_loop *loop = open_loop();
  script it = {.steps = "k", .teardown = "released"};
  watch(scripted(&it), "");
  it.steps = "12c";
  in_thread(send_from_elsewhere, &it);
  for (int i = 0; i < 3; i++) CHECK_INT(it.results[i], BELAY_QUEUED);
  CHECK_TRACE("");
  turn(loop);
  CHECK_TRACE("next 1 | next 2 | completed | disposed | action released | free");
  drop(&it);
  close_loop(loop);
}

static void rule_1_1_a_subscriber_dropped_on_another_thread_interrupts_at_home(void) {
  belay_loop *loop = open_loop();
  script it = {.steps = "k"};
  watch(scripted(&it), "");
  it.steps = "1k";
  in_thread(send_from_elsewhere, &it);
  CHECK_TRACE("");
  turn(loop);
  CHECK_TRACE("next 1 | disposed | free");
  close_loop(loop);
}

static void rule_1_2_a_subscriber_whose_home_has_no_loop(void) {
  script it = {.steps = "k"};
  watch(scripted(&it), "");
  it.steps = "1c";
  in_thread(send_from_elsewhere, &it);
  CHECK_INT(it.results[0], BELAY_ENOHOME);
  CHECK_INT(it.results[1], BELAY_ENOHOME);
  CHECK_INT(emit(it.kept, '2'), 0);
  CHECK_TRACE("next 2");
  drop(&it);
  CHECK_TRACE("disposed | free");
}

/* ---- contexts: freed once, in every ending ---- */
typedef struct ending {
  script script;
  belay_disposable *subscription;
  belay_owner *owner;
  belay_loop *loop;
} ending;

static void ignore_error(void *ctx, const belay_error *error) {}

static void by_completed(ending *it) { emit(it->script.kept, 'c'); }
static void by_error(ending *it) { emit(it->script.kept, 'e'); }
static void by_dispose(ending *it) {
  belay_disposable_dispose(it->subscription);
  belay_disposable_dispose(it->subscription);
}
static void by_dispose_sync(ending *it) {
  CHECK_INT(belay_disposable_dispose_sync(it->subscription, -1), 0);
}
static void by_interruption(ending *it) { drop(&it->script); }
static void by_owner(ending *it) {
  belay_owner_release(it->owner);
  it->owner = NULL;
}
static void by_close(ending *it) {
  CHECK_INT(belay_loop_close(it->loop, ignore_left, NULL, NULL), 0);
}
static void by_dispose_elsewhere(ending *it) {
  in_thread(dispose_of, it->subscription);
  turn(it->loop);
}

static void rule_1_1_ctx_free_once_in_every_ending(void) {
  static void (*const endings[])(ending *) = {
      by_completed,    by_error, by_dispose, by_dispose_sync,
      by_interruption, by_owner, by_close,   by_dispose_elsewhere};
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
    int freed = 0;
    ending it = {.script = {.steps = "k1"}};
    it.loop = open_loop();
    it.owner = belay_owner_create(NULL, NULL, NULL, NULL);
    belay_observer observer = {.size = sizeof observer, .ctx = &freed, .ctx_free = count_free};
    observer.error = ignore_error;
    belay_signal *signal = scripted(&it.script);
    observer.owner = it.owner;
    CHECK_INT(belay_signal_subscribe(signal, &observer, &it.subscription), 0);
    belay_signal_release(signal);
    CHECK_INT(freed, 0);
    endings[i](&it);
    CHECK_INT(freed, 1);
    CHECK_INT(belay_disposable_is_disposed(it.subscription), 1);
    belay_disposable_release(it.subscription);
    belay_owner_release(it.owner);
    if (it.script.kept) drop(&it.script);
    if (endings[i] != by_close) belay_loop_close(it.loop, ignore_left, NULL, NULL);
    belay_loop_release(it.loop);
    CHECK_INT(freed, 1);
  }
}

static belay_signal *homeless;
static void subscribe_elsewhere(void *ctx) {
  belay_observer observer = {.size = sizeof observer, .ctx = ctx, .ctx_free = count_free};
  belay_disposable *subscription = (belay_disposable *)&observer;
  CHECK_FAILS(belay_signal_subscribe(homeless, &observer, &subscription), BELAY_ENOHOME);
  CHECK_INT(*(int *)ctx, 1);
  CHECK(subscription == NULL);
}

static void rule_1_1_ctx_free_when_subscribing_fails(void) {
  int freed = 0;
  belay_observer observer = {.size = sizeof observer, .ctx = &freed, .ctx_free = count_free};
  belay_disposable *subscription = (belay_disposable *)&observer;
  CHECK_FAILS(belay_signal_subscribe(NULL, &observer, &subscription), BELAY_EINVAL);
  CHECK_INT(freed, 1);
  CHECK(subscription == NULL);
  freed = 0;
  homeless = belay_subject_create(NULL);
  in_thread(subscribe_elsewhere, &freed);
  CHECK_INT(freed, 1);
  belay_signal_release(homeless);
}

/* ---- contexts of operators and producers ---- */
static belay_op *counted(int *freed) { return belay_op_map(twice_of, freed, count_free); }

static void rule_1_1_an_operators_context_outlives_signal_and_subscriptions(void) {
  int freed = 0;
  script it = {.steps = "k1"};
  belay_signal *signal = belay_signal_chain(scripted(&it), counted(&freed), counted(&freed));
  belay_disposable *subscription = subscribed(signal, rendering(""));
  belay_subscriber *kept = it.kept;
  belay_disposable *second = subscribed(signal, rendering(""));
  belay_signal_release(signal);
  CHECK_INT(freed, 0);
  end_subscription(subscription);
  CHECK_INT(freed, 0);
  end_subscription(second);
  CHECK_INT(freed, 2);
  belay_subscriber_release(kept);
  drop(&it);

  freed = 0;
  signal = belay_signal_chain(belay_signal_never(), counted(&freed));
  end_subscription(subscribed(signal, rendering("")));
  CHECK_INT(freed, 0);
  belay_signal_release(signal);
  CHECK_INT(freed, 1);

  freed = 0;
  belay_op_release(counted(&freed));
  CHECK_INT(freed, 1);
  CHECK(belay_signal_chain(belay_signal_never(), counted(&freed), NULL, counted(&freed)) == NULL);
  CHECK_INT(freed, 3);
  CHECK(belay_signal_chain(NULL, counted(&freed)) == NULL);
  CHECK_INT(freed, 4);
}

static belay_disposable *return_nothing(void *ctx, belay_subscriber *subscriber) { return NULL; }

/* What a producer's callbacks use after the signal has gone. */
typedef struct production {
  belay_subscriber *kept;
  int freed, freed_at_teardown;
} production;

static void note_teardown(void *ctx) {
  production *it = ctx;
  it->freed_at_teardown = it->freed;
}
static void free_production(void *ctx) { ((production *)ctx)->freed++; }
static belay_disposable *keep_producing(void *ctx, belay_subscriber *subscriber) {
  production *it = ctx;
  it->kept = belay_subscriber_retain(subscriber);
  return belay_disposable_create(note_teardown, it, NULL);
}
static belay_signal *producing(void *ctx, belay_value value) {
  return belay_signal_create(keep_producing, ctx, free_production, NULL);
}

static void let_live(belay_signal *signal, production *it, int by_end) {
  *it = (production){.freed_at_teardown = -1};
  belay_disposable *subscription = subscribed(signal, rendering(""));
  belay_signal_release(signal);
  CHECK_INT(it->freed, 0);
  CHECK_INT(belay_subscriber_next(it->kept, belay_int32(1)), 0);
  CHECK_INT(it->freed, 0);
  if (by_end) {
    CHECK_INT(belay_subscriber_completed(it->kept), 0);
    belay_disposable_release(subscription);
  } else {
    end_subscription(subscription);
  }
  CHECK_INT(it->freed, 1);
  CHECK_INT(it->freed_at_teardown, 0);
  belay_subscriber_release(it->kept);
}

static void rule_1_1_a_producers_context_outlives_signal_and_subscriptions(void) {
  int freed = 0;
  belay_signal *signal = belay_signal_create(return_nothing, &freed, count_free, NULL);
  belay_disposable_release(subscribed(signal, rendering("")));
  CHECK_INT(freed, 0);
  belay_signal_release(signal);
  CHECK_INT(freed, 1);
  CHECK(belay_signal_create(NULL, &freed, count_free, NULL) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
  CHECK_INT(freed, 2);

  production it;
  for (int by_end = 0; by_end < 2; by_end++) {
    let_live(producing(&it, belay_null()), &it, by_end);
    let_live(belay_signal_chain(producing(&it, belay_null()), tap("")), &it, by_end);
    let_live(belay_signal_chain(belay_signal_just(belay_int32(1)),
                                belay_op_flat_map(BELAY_UNLIMITED, producing, &it, NULL)),
             &it, by_end);
  }
}

static void rule_1_5_a_value_is_given_away_in_every_case(void) {
  script it = {.steps = "k"};
  int freed = 0;
  belay_disposable *subscription = watched(scripted(&it), "");
  CHECK_INT(belay_subscriber_next(it.kept, belay_pointer_owned(&freed, count_free)), 0);
  CHECK_INT(freed, 1);
  end_subscription(subscription);
  CHECK_INT(belay_subscriber_next(it.kept, belay_pointer_owned(&freed, count_free)), BELAY_EENDED);
  CHECK_INT(freed, 2);
  CHECK_INT(belay_subscriber_next(NULL, belay_pointer_owned(&freed, count_free)), BELAY_EINVAL);
  CHECK_INT(freed, 3);
  drop(&it);
}

/* ---- the constant signals ---- */
static void just_from_empty_error(void) {
  watch(belay_signal_just(belay_string("once")), "");
  CHECK_TRACE("next once | completed | disposed | free");
  belay_value values[] = {belay_int32(1), belay_string("two"), belay_null()};
  watch(belay_signal_from(values, 3), "");
  CHECK_TRACE("next 1 | next two | next null | completed | disposed | free");
  watch(belay_signal_from(NULL, 0), "");
  CHECK_TRACE("completed | disposed | free");
  watch(belay_signal_empty(), "");
  CHECK_TRACE("completed | disposed | free");
  belay_error *error = belay_error_create(BELAY_ENOENT, NULL, NULL, belay_null(), NULL);
  watch(belay_signal_error(error), "");
  belay_error_release(error);
  CHECK_TRACE("error ENOENT | disposed | free");
}

static void constant_signals_begin_anew_for_each_subscriber(void) {
  belay_signal *signal = numbers(1, 2);
  belay_disposable_release(subscribed(signal, rendering("a")));
  belay_disposable_release(subscribed(signal, rendering("b")));
  CHECK_TRACE(
      "a next 1 | a next 2 | a completed | a disposed | a free | "
      "b next 1 | b next 2 | b completed | b disposed | b free");
  belay_signal_release(signal);
}

static void rule_1_1_never_is_not_interrupted(void) {
  belay_disposable *subscription = watched(belay_signal_never(), "");
  CHECK_INT(belay_disposable_is_disposed(subscription), 0);
  CHECK_TRACE("");
  end_subscription(subscription);
  CHECK_TRACE("disposed | free");
}

static void a_constant_signal_stops_when_it_is_disposed(void) {
  belay_signal *signal = belay_signal_chain(numbers(1, 9), belay_op_take(2));
  belay_disposable_release(subscribed(signal, rendering("")));
  CHECK_TRACE("next 1 | next 2 | completed | disposed | free");
  belay_signal_release(signal);
}

/* ---- names ---- */

static void names_are_built_from_the_chain(void) {
  script it = {.steps = ""};
  check_name(belay_signal_just(belay_null()), "just");
  check_name(numbers(1, 1), "from");
  check_name(belay_signal_empty(), "empty");
  check_name(belay_signal_never(), "never");
  check_name(belay_subject_create(NULL), "subject");
  check_name(belay_signal_chain(scripted(&it), linear(1), linear(0), linear(2)),
        "create.filter.map.take");
  belay_source_options options = {.size = sizeof options, .label = "lines"};
  check_name(
      belay_signal_chain(belay_signal_create(produce, &it, NULL, &options), linear(1), linear(0)),
      "lines.filter.map");
  check_name(belay_signal_chain(belay_subject_create(&options), linear(3)), "lines.scan");
  CHECK_STRING(belay_signal_name(NULL), "");
}

static void names_can_be_given(void) {
  char name[] = "clicks";
  belay_signal *clicks = belay_signal_never();
  CHECK_INT(belay_signal_set_name(clicks, name), 0);
  name[0] = 'x';
  CHECK_STRING(belay_signal_name(clicks), "clicks");
  belay_signal *mapped = belay_signal_chain(belay_signal_retain(clicks), linear(0));
  CHECK_STRING(belay_signal_name(mapped), "clicks.map");
  CHECK_INT(belay_signal_set_name(clicks, NULL), 0);
  CHECK_STRING(belay_signal_name(clicks), "never");
  CHECK_FAILS(belay_signal_set_name(NULL, "x"), BELAY_EINVAL);
  belay_signal_release(mapped);
  belay_signal_release(clicks);
}

static const test_case cases[] = {
    CASE(rule_1_1_take_nth_value_completed_then_teardown),
    CASE(rule_1_1_a_dropped_handle_ends_nothing),
    CASE(rule_1_1_interruption_inside_next),
    CASE(rule_1_1_linear_stages_pass_an_interruption_on),
    CASE(rule_1_1_a_join_passes_an_interruption_on_when_no_input_is_left),
    CASE(rule_1_1_a_wait_that_is_interrupted_is_canceled),
    CASE(rule_1_2_a_subscriber_used_on_another_thread_is_queued_home),
    CASE(rule_1_1_a_subscriber_dropped_on_another_thread_interrupts_at_home),
    CASE(rule_1_2_a_subscriber_whose_home_has_no_loop),
    CASE(rule_1_1_ctx_free_once_in_every_ending),
    CASE(rule_1_1_ctx_free_when_subscribing_fails),
    CASE(rule_1_1_an_operators_context_outlives_signal_and_subscriptions),
    CASE(rule_1_1_a_producers_context_outlives_signal_and_subscriptions),
    CASE(rule_1_5_a_value_is_given_away_in_every_case),
    CASE(just_from_empty_error),
    CASE(constant_signals_begin_anew_for_each_subscriber),
    CASE(rule_1_1_never_is_not_interrupted),
    CASE(a_constant_signal_stops_when_it_is_disposed),
    CASE(names_are_built_from_the_chain),
    CASE(names_can_be_given),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
