/* What is nested or chained: a bound that answers with an error, or no stack at all. Run on a thread
   with a small stack. */
#include "every_operator.h"
#include "small_stack.h"

enum { MOST = 1000 };

/* ---- what a subscriber hears ---- */
static int values, ends, code;
static void count_next(void *ctx, belay_value value) { values++; }
static void count_error(void *ctx, const belay_error *error) {
  ends++;
  code = belay_error_code(error);
}
static void count_completed(void *ctx) { ends++; }
static int listen_to(belay_signal *signal, belay_disposable **subscription) {
  belay_observer observer = {
      .size = sizeof observer, .next = count_next, .error = count_error, .completed = count_completed};
  values = ends = code = 0;
  return belay_signal_subscribe(signal, &observer, subscription);
}

/* ---- chains, built one call at a time ---- */
enum { KINDS = 9 };
static belay_scheduler *time_;
static belay_op *link_of(int kind) {
  belay_signal *never = belay_signal_never();
  if (kind != 1 && kind != 2) belay_signal_release(never);
  switch (kind) {
    case 0: return belay_op_skip(0);
    case 1: return belay_op_merge(&never, 1);
    case 2: return belay_op_take_until(never);
    case 3: return belay_op_retry(2);
    case 4: return belay_op_catch_to(belay_string("instead"));
    case 5: return belay_op_scan(belay_string("seed"), latest_of, NULL, NULL);
    case 6: return belay_op_concat_all();
    case 7: return belay_op_take_for(time_, 1000);
    default: return belay_op_share(0);
  }
}

static belay_signal *chain_of(belay_signal *signal, int kind, int count) {
  for (int i = 0; i < count && signal; i++) signal = belay_signal_chain(signal, link_of(kind));
  return signal;
}

static void play_a_chain(int kind, int count) {
  belay_signal *subject = belay_subject_create(NULL);
  belay_signal *chain = chain_of(belay_signal_retain(subject), kind, count);
  CHECK(chain != NULL);
  CHECK(strlen(belay_signal_name(chain)) > (size_t)count);
  for (int way = 0; way < 2; way++) {
    belay_disposable *subscription = NULL;
    CHECK_INT(listen_to(chain, &subscription), 0);
    if (kind != 6) CHECK_INT(belay_subject_next(subject, belay_string("a value")), 0);
    if (kind != 6) CHECK_INT(values, 1);
    if (way == 1) CHECK_INT(belay_subject_completed(subject), 0);
    CHECK_INT(ends, way == 1 && kind != 1);
    end_subscription(subscription);
  }
  belay_signal_release(chain);
  belay_signal_release(subject);
}
static void chains_as_long_as_may_be(void) {
  for (int kind = 0; kind < KINDS; kind++) play_a_chain(kind, kind == 8 ? MOST / 3 : MOST - 1);
}
static void chains_that_are_too_long(void) {
  for (int kind = 0; kind < KINDS; kind++) {
    CHECK(chain_of(belay_signal_never(), kind, MANY) == NULL);
    CHECK_INT(belay_error_code(belay_last_error()), BELAY_ERANGE);
    belay_last_error();
  }
}
static void rule_1_9_a_chain_has_a_thousand_operators_at_most(void) {
  time_ = belay_scheduler_create_virtual();
  on_a_small_stack(chains_as_long_as_may_be);
  on_a_flat_stack(chains_that_are_too_long);
  belay_scheduler_release(time_);
}

static void many_maps(void) {
  belay_signal *subject = belay_subject_create(NULL), *chain = belay_signal_retain(subject);
  for (int i = 0; i < MANY; i++)
    chain = belay_signal_chain(chain, belay_op_map(same_value, NULL, NULL));
  belay_disposable *subscription = NULL;
  CHECK_INT(listen_to(chain, &subscription), 0);
  CHECK_INT(belay_subject_next(subject, belay_string("a value")), 0);
  CHECK_INT(values, 1);
  CHECK_INT(belay_subject_completed(subject), 0);
  CHECK_INT(ends, 1);
  belay_disposable_release(subscription);
  belay_signal_release(chain);
  belay_signal_release(subject);
}
static void a_chain_of_many_maps(void) { on_a_flat_stack(many_maps); }

/* ---- signals in signals ---- */

typedef belay_signal *(*make_of_two)(belay_signal *const *both);
static belay_signal *merged(belay_signal *const *both) { return belay_signal_merge(both, 2); }
static belay_signal *merged_late(belay_signal *const *both) {
  return belay_signal_merge_delay_error(both, 2);
}
static belay_signal *combined(belay_signal *const *both) {
  return belay_signal_combine_latest(both, 2, NULL, NULL, NULL);
}
static belay_signal *zipped(belay_signal *const *both) {
  return belay_signal_zip(both, 2, NULL, NULL, NULL);
}
static belay_signal *raced(belay_signal *const *both) { return belay_signal_race(both, 2); }
static belay_signal *concatenated(belay_signal *const *both) { return belay_signal_concat(both, 2); }
static belay_signal *ored(belay_signal *const *both) { return belay_signal_or(both, 2); }
static belay_signal *chosen(belay_signal *const *both) {
  return belay_signal_if_then_else(belay_signal_just(belay_bool(1)), both[0], both[1]);
}
static belay_signal *switched(belay_signal *const *both) {
  belay_value key = belay_int32(1);
  belay_signal_release(both[1]);
  return belay_signal_switch_on(belay_signal_just(belay_int32(1)), &key, both, 1, NULL);
}
/* What makes a signal, and holds it. */
static belay_signal *made(void *signal) { return belay_signal_retain(signal); }
static belay_signal *deferring(belay_signal *const *both) {
  belay_signal_release(both[1]);
  return belay_signal_defer(made, both[0], release_signal);
}
static belay_signal *flattened(belay_signal *const *both) {
  belay_signal *outer = belay_signal_just(belay_value_from_signal(both[0]));
  belay_signal_release(both[0]);
  belay_signal_release(both[1]);
  return belay_signal_chain(outer, belay_op_concat_all());
}

/* In the place of the first input, of the second. */
static void nest_inputs(make_of_two make, int place, int depth, int expected) {
  belay_signal *signal = belay_signal_never();
  for (int i = 0; i < depth; i++) {
    belay_signal *both[2] = {belay_signal_never(), belay_signal_never()};
    belay_signal_release(both[place]);
    both[place] = signal;
    signal = make(both);
  }
  belay_disposable *subscription = NULL;
  int result = listen_to(signal, &subscription);
  if (result == 0) result = code;
  CHECK_INT(result, expected);
  belay_last_error();
  end_subscription(subscription);
  belay_signal_release(signal);
}
static const make_of_two makers[] = {merged,       merged_late, combined, zipped,    raced,
                                     concatenated, ored,        chosen,   deferring, flattened};
static void nested_inputs(void) {
  for (size_t i = 0; i < sizeof makers / sizeof *makers; i++) {
    nest_inputs(makers[i], 0, MANY, BELAY_ERANGE);
    nest_inputs(makers[i], 0, MOST / 4, 0);
  }
  nest_inputs(merged, 1, MANY, BELAY_ERANGE);
  nest_inputs(switched, 0, MANY, BELAY_ERANGE);
}
static void signals_in_signals(void) { on_a_small_stack(nested_inputs); }

static belay_signal *again(void *waits, belay_value value) {
  belay_signal *source =
      waits ? belay_signal_timer(time_, 1) : belay_signal_just(belay_string("again"));
  return belay_signal_chain(source, belay_op_flat_map(BELAY_UNLIMITED, again, waits, NULL));
}
static belay_signal *again_after(void *waits, belay_value value) {
  belay_signal *source =
      waits ? belay_signal_timer(time_, 1) : belay_signal_just(belay_string("again"));
  return belay_signal_chain(source, belay_op_concat_map(again_after, waits, NULL));
}
static belay_signal *deferred(void *ctx) { return belay_signal_defer(deferred, NULL, NULL); }

static void endless_recursion(void) {
  time_ = belay_scheduler_create_virtual();
  for (int kind = 0; kind < 5; kind++) {
    belay_signal *signal = kind == 0   ? again(NULL, belay_null())
                           : kind == 1 ? again(time_, belay_null())
                           : kind == 2 ? again_after(NULL, belay_null())
                           : kind == 3 ? again_after(time_, belay_null())
                                       : deferred(NULL);
    belay_disposable *subscription = NULL;
    int result = listen_to(signal, &subscription);
    belay_signal_release(signal);
    for (int i = 0; i < 2 * MOST && !ends; i++) belay_scheduler_advance(time_, 1);
    CHECK(result == BELAY_ERANGE || (ends == 1 && code == BELAY_ERANGE));
    belay_last_error();
    end_subscription(subscription);
  }
  belay_scheduler_release(time_);
}
static void rule_1_9_signals_that_make_signals_without_end(void) {
  on_a_small_stack(endless_recursion);
}

/* ---- sends inside of sends ---- */
static belay_signal *rows[2 * MOST];
static int heard, refused, sends;
static void send_on(void *row, belay_value value) {
  size_t next = (size_t)(uintptr_t)row + 1;
  heard++;
  if (next == sizeof rows / sizeof *rows) return;
  sends++;
  int answer = belay_subject_next(rows[next], belay_value_retain(value));
  if (answer == 0) return;
  CHECK_INT(answer, BELAY_EREENTRANT);
  belay_last_error();
  refused++;
}
static void sends_along_a_row(void) {
  size_t count = sizeof rows / sizeof *rows;
  belay_disposable *subscriptions[2 * MOST];
  for (size_t i = 0; i < count; i++) {
    rows[i] = belay_subject_create(NULL);
    belay_observer observer = {.size = sizeof observer, .next = send_on, .ctx = (void *)(uintptr_t)i};
    CHECK_INT(belay_signal_subscribe(rows[i], &observer, &subscriptions[i]), 0);
  }
  for (int round = 1; round <= 2; round++) {
    heard = sends = refused = 0;
    CHECK_INT(belay_subject_next(rows[0], belay_string("on")), 0);
    CHECK_INT(refused, 1);
    CHECK(sends >= MOST);
    CHECK_INT(heard, sends);
  }
  for (size_t i = 0; i < count; i++) {
    end_subscription(subscriptions[i]);
    belay_signal_release(rows[i]);
  }
}
static void send_again(void *subject, belay_value value) {
  if (refused) return;
  sends++;
  int answer = belay_subject_next(subject, belay_value_retain(value));
  if (answer == 0) return;
  CHECK_INT(answer, BELAY_EREENTRANT);
  belay_last_error();
  refused++;
}
static void sends_into_itself(void) {
  belay_source_options options = {.size = sizeof options,
                                  .reentrancy = BELAY_REENTRANCY_DEPTH_FIRST};
  belay_signal *subject = belay_subject_create(&options);
  belay_observer observer = {.size = sizeof observer, .next = send_again, .ctx = subject};
  belay_disposable *subscription = NULL;
  CHECK_INT(belay_signal_subscribe(subject, &observer, &subscription), 0);
  for (int round = 0; round < 2; round++) {
    sends = refused = 0;
    CHECK_INT(belay_subject_next(subject, belay_string("in")), 0);
    CHECK_INT(refused, 1);
    CHECK(sends >= MOST);
  }
  end_subscription(subscription);
  belay_signal_release(subject);
}
/* A binding is told nothing: it, a window and a group end. */
static void bound_to_itself(void) {
  belay_source_options options = {.size = sizeof options,
                                  .reentrancy = BELAY_REENTRANCY_DEPTH_FIRST};
  belay_signal *subject = belay_subject_create(&options);
  belay_disposable *binding = NULL, *subscription = NULL;
  CHECK_INT(listen_to(subject, &subscription), 0);
  belay_signal *same = belay_signal_chain(belay_signal_retain(subject), belay_op_skip(0));
  CHECK_INT(belay_signal_bind(same, subject, &binding), 0);
  belay_signal_release(same);
  CHECK_INT(belay_subject_next(subject, belay_string("round")), 0);
  CHECK(values > MOST);
  CHECK_INT(ends, 1);
  CHECK_INT(code, BELAY_EREENTRANT);
  end_subscription(binding);
  end_subscription(subscription);
  belay_signal_release(subject);
}
/* However deep, an owner's death is told. */
static int deaths;
static void die_inside(void *ctx, belay_value value);
static void own_another(void) {
  belay_owner *owner = belay_owner_create(NULL, NULL, NULL, NULL);
  belay_signal *dying = belay_owner_deallocating(owner);
  belay_observer observer = {.size = sizeof observer, .next = die_inside};
  CHECK_INT(belay_signal_subscribe(dying, &observer, NULL), 0);
  belay_signal_release(dying);
  belay_owner_release(owner);
}
static void die_inside(void *ctx, belay_value value) {
  if (++deaths < MOST + MOST / 2) own_another();
}
static void deaths_inside_deaths(void) {
  deaths = 0;
  own_another();
  CHECK_INT(deaths, MOST + MOST / 2);
}
static void rule_1_9_sends_inside_sends(void) {
  on_a_small_stack(sends_along_a_row);
  on_a_small_stack(sends_into_itself);
  bound_to_itself();
  deaths_inside_deaths();
}

/* ---- values and errors ---- */
static belay_value nest(belay_value innermost, int depth) {
  for (int i = 0; i < depth; i++) innermost = belay_array_of(&innermost, 1);
  return innermost;
}
static void log_line(void *length, const char *line) { *(size_t *)length += strlen(line); }
static void nested_arrays(void) {
  belay_value one = nest(belay_string("x"), MANY), same_one = nest(belay_string("x"), MANY);
  belay_value other = nest(belay_string("y"), MANY), shorter = nest(belay_string("x"), MANY - 1);
  CHECK_INT(belay_value_equal(one, same_one), 1);
  CHECK_INT(belay_value_equal(one, other), 0);
  CHECK_INT(belay_value_equal(one, shorter), 0);
  belay_value all[4] = {one, same_one, other, shorter};
  belay_disposable *subscription = NULL;
  size_t length = 0;
  belay_signal *signal =
      belay_signal_chain(belay_signal_from(all, 4), belay_op_distinct(NULL, NULL, NULL),
                         belay_op_log("", NULL, log_line, &length, NULL));
  CHECK_INT(listen_to(signal, &subscription), 0);
  CHECK_INT(values, 3);
  CHECK(length > 6 * (MANY - 1));
  belay_disposable_release(subscription);
  belay_signal_release(signal);
}
static void arrays_in_arrays(void) { on_a_flat_stack(nested_arrays); }

static void nested_errors(void) {
  for (int by_value = 0; by_value < 2; by_value++) {
    belay_error *error = NULL;
    for (int i = 0; i < MANY; i++) {
      belay_error *next = belay_error_create(
          BELAY_ENOENT, NULL, NULL, by_value ? belay_value_from_error(error) : belay_null(),
          by_value ? NULL : error);
      belay_error_release(error);
      error = next;
    }
    belay_error_release(error);
  }
}
static void errors_in_errors(void) { on_a_flat_stack(nested_errors); }

/* A context is freed before the release returns, also at the end of a long chain. */
static int freed;
static void long_chains_end(void) {
  belay_value value = belay_pointer_owned(&freed, count_free);
  freed = 0;
  value = nest(value, MANY);
  belay_value_release(value);
  CHECK_INT(freed, 1);
}
static void what_a_long_chain_holds_is_freed_before_its_release_returns(void) {
  on_a_flat_stack(long_chains_end);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      CASE(rule_1_9_a_chain_has_a_thousand_operators_at_most),
      CASE(a_chain_of_many_maps),
      CASE(signals_in_signals),
      CASE(rule_1_9_signals_that_make_signals_without_end),
      CASE(rule_1_9_sends_inside_sends),
      CASE(arrays_in_arrays),
      CASE(errors_in_errors),
      CASE(what_a_long_chain_holds_is_freed_before_its_release_returns),
  };
  return RUN_CASES(cases);
}
