/* The chains by which docs/operators.tsv replaces operators of other libraries. An operation has
   the name of the other library's operator; its cases state what that one promises. */
#include "chains.h"

/* ---- times ---- */

APPLYING(take_until_with_time,
         belay_op_take_until(belay_signal_timer(marble_scheduler(run), marble_seconds(run, 1))))
APPLYING(skip_until_with_time,
         belay_op_skip_until(belay_signal_timer(marble_scheduler(run), marble_seconds(run, 1))))
APPLYING(observe_on_delay, belay_op_materialize(),
         belay_op_delay(marble_scheduler(run), marble_seconds(run, 1)), belay_op_dematerialize())

static belay_signal *scheduled(const marble_run *run) {
  belay_value items[] = {belay_int32(7), belay_int32(8)};
  belay_signal *both[] = {belay_signal_chain(belay_signal_from(items, 2),
                                             belay_op_subscribe_on(marble_scheduler(run))),
                          belay_signal_just(belay_int32(1))};
  return belay_signal_merge(both, 2);
}

static belay_signal *after_date(chain *own) {
  double date = (double)own->limit / 1000;
  return belay_signal_timer(own->scheduler, date - belay_scheduler_now(own->scheduler));
}
static belay_signal *timer_at(const marble_run *run) {
  return belay_signal_chain(deferred(chain_of(run, 0, 1), after_date), plain());
}

static belay_value next_double(void *ctx, belay_value state) {
  return belay_int32(2 * int_of(state));
}
static int up_to_four(void *ctx, belay_value state) { return int_of(state) <= 4; }
static belay_signal *after_its_time(void *ctx, belay_value value) {
  double seconds = (double)int_of(value) / 1000;
  return belay_signal_chain(belay_signal_timer(((chain *)ctx)->scheduler, seconds),
                            belay_op_map_to(belay_value_retain(value)));
}
static belay_signal *generate_with_relative_time(const marble_run *run) {
  return belay_signal_chain(
      belay_signal_generate(belay_int32(1), up_to_four, next_double, NULL, NULL, NULL),
      belay_op_concat_map(after_its_time, chain_of(run, 0, 0), free_chain));
}

static belay_signal *delay_with_mapper(const marble_run *run) {
  belay_signal *time =
      belay_signal_chain(marble_input(run, 2), belay_op_default_if_empty(belay_null()));
  return belay_signal_chain(marble_input(run, 1), belay_op_take(1),
                            belay_op_then(belay_signal_chain(
                                marble_input(run, 0),
                                belay_op_delay_when(given, time, release_signal))));
}

/* Inputs: the source, the first period, each other period, the fallback. */
static belay_signal *period_of(void *ctx, belay_value value) {
  return belay_signal_chain(input_of(ctx, 2), belay_op_default_if_empty(belay_null()));
}
static belay_signal *timeout_with_mapper(const marble_run *run) {
  chain *it = chain_of(run, 4, 0);
  belay_signal *first = belay_signal_chain(input_of(it, 1), belay_op_default_if_empty(belay_null()));
  return belay_signal_chain(input_of(it, 0),
                            belay_op_timeout_when(first, input_of(it, 3), period_of, it, free_chain));
}

/* ---- one after another ---- */

static belay_signal *for_in(const marble_run *run) {
  belay_value all = one_to(marble_number(run, 0)), items[8];
  size_t count = belay_value_count(all);
  for (size_t i = 0; i < count; i++) items[i] = belay_value_retain(item(all, i));
  belay_value_release(all);
  return belay_signal_chain(belay_signal_from(items, count),
                            belay_op_concat_map(inner_of, inners_of(run, 0), free_inners));
}
static belay_signal *exhaust_all(const marble_run *run) {
  return signals_of(run, 1, belay_op_exhaust_map(itself, NULL, NULL));
}

static belay_signal *resumed(belay_signal *signal) {
  return belay_signal_chain(signal, belay_op_catch(instead, belay_signal_empty(), release_signal));
}
static belay_signal *on_error_resume_next(const marble_run *run) {
  belay_signal *all[] = {resumed(marble_input(run, 0)), resumed(marble_input(run, 1)),
                         resumed(marble_input(run, 2))};
  return belay_signal_concat(all, 3);
}
static belay_signal *catch_with_iterable(const marble_run *run) {
  belay_signal *last = belay_signal_chain(
      marble_input(run, 1), belay_op_catch(instead, marble_input(run, 2), release_signal));
  return belay_signal_chain(marble_input(run, 0), belay_op_catch(instead, last, release_signal));
}

/* The condition holds `limit` times. */
static int holds(void *ctx, belay_value value) {
  chain *own = ctx;
  return own->state++ < own->limit;
}
static belay_signal *while_it_holds(void *ctx, belay_signal *ends) {
  return belay_signal_chain(belay_signal_retain(ends),
                            belay_op_take_while(holds, retained(ctx), free_chain, 0));
}
static belay_signal *make_do_while(chain *own) {
  return belay_signal_chain(input_of(own, 0),
                            belay_op_repeat_when(while_it_holds, retained(own), free_chain));
}
static belay_signal *make_while_do(chain *own) {
  return holds(own, belay_null()) ? make_do_while(own) : belay_signal_empty();
}
static belay_signal *do_while(const marble_run *run) {
  return deferred(chain_of(run, 1, 1), make_do_while);
}
static belay_signal *while_do(const marble_run *run) {
  return deferred(chain_of(run, 1, 1), make_while_do);
}

/* Inputs: the source, the delay. The limit is the number of new attempts. An attempt begins with
   the first value of the delay; a delay that completes without one completes the whole. */
static belay_signal *delayed(void *ctx, belay_value pair) {
  chain *it = ctx;
  if (int_of(index_of(pair)) >= it->limit) {
    const belay_error *error = belay_value_get_error(item(pair, 1));
    return error ? belay_signal_error(error) : belay_signal_just(belay_bool(0));
  }
  return belay_signal_chain(input_of(it, 1), belay_op_take(1), belay_op_map_to(belay_bool(1)),
                            belay_op_default_if_empty(belay_bool(0)));
}
static belay_value numbered(void *ctx, belay_value pair) {
  uint64_t index = 0;
  CHECK_INT(belay_value_get_uint64(item(pair, 0), &index), 0);
  belay_value both[] = {belay_int32((int32_t)index), belay_value_retain(item(pair, 1))};
  return belay_array_of(both, 2);
}
static belay_signal *delay_each(void *ctx, belay_signal *events) {
  return belay_signal_chain(belay_signal_retain(events), belay_op_enumerated(),
                            belay_op_map(numbered, NULL, NULL),
                            belay_op_concat_map(delayed, retained(ctx), free_chain),
                            belay_op_take_while(is_true, NULL, NULL, 0));
}
static belay_signal *retry_delay(const marble_run *run) {
  return belay_signal_chain(marble_input(run, 0),
                            belay_op_retry_when(delay_each, chain_of(run, 2, 1), free_chain));
}
static belay_signal *repeat_delay(const marble_run *run) {
  return belay_signal_chain(marble_input(run, 0),
                            belay_op_repeat_when(delay_each, chain_of(run, 2, 1), free_chain));
}

/* The first wait is `limit` milliseconds, the next ones double. A value starts over. */
static belay_signal *back_off(void *ctx, belay_value error) {
  chain *own = ctx;
  long wait = own->limit << own->state++;
  return belay_signal_timer(own->scheduler, (double)wait / 1000);
}
static belay_signal *back_off_each(void *ctx, belay_signal *errors) {
  return belay_signal_chain(belay_signal_retain(errors),
                            belay_op_concat_map(back_off, retained(ctx), free_chain));
}
static void start_over(void *ctx, belay_value value) { ((chain *)ctx)->state = 0; }
static belay_signal *make_back_off(chain *own) {
  belay_observer observer = {.size = sizeof observer, .next = start_over, .ctx = retained(own),
                             .ctx_free = free_chain};
  return belay_signal_chain(input_of(own, 0), belay_op_do(&observer),
                            belay_op_retry_when(back_off_each, retained(own), free_chain));
}
static belay_signal *retry_reset_on_success(const marble_run *run) {
  return deferred(chain_of(run, 1, 1), make_back_off);
}

/* ---- signals made of values ---- */

static belay_value constant(void *ctx, belay_value value) {
  return belay_int32((int32_t)(intptr_t)ctx);
}
static belay_signal *added(void *ctx, belay_value value) {
  chain *own = ctx;
  intptr_t sum = own->state + int_of(value);
  return belay_signal_chain(input_of(own, 1), belay_op_map(constant, (void *)sum, NULL));
}
static void remember(void *ctx, belay_value sum) { ((chain *)ctx)->state = int_of(sum); }
static belay_signal *remembered(chain *own, belay_op *flatten) {
  belay_observer observer = {.size = sizeof observer, .next = remember, .ctx = retained(own),
                             .ctx_free = free_chain};
  return belay_signal_chain(input_of(own, 0), flatten, belay_op_do(&observer));
}
static belay_signal *make_merge_scan(chain *own) {
  return remembered(own, belay_op_flat_map(BELAY_UNLIMITED, added, retained(own), free_chain));
}
static belay_signal *make_switch_scan(chain *own) {
  return remembered(own, belay_op_switch_map(added, retained(own), free_chain));
}
static belay_signal *merge_scan(const marble_run *run) {
  return deferred(chain_of(run, 2, 0), make_merge_scan);
}
static belay_signal *switch_scan(const marble_run *run) {
  return deferred(chain_of(run, 2, 0), make_switch_scan);
}

/* Doubles each value, for the first `limit` calls. */
static belay_signal *doubled_at_first(void *ctx, belay_value value) {
  chain *own = ctx;
  if (own->state++ >= own->limit) return belay_signal_empty();
  return belay_signal_just(belay_int32(2 * int_of(value)));
}
static belay_signal *doubled_later(void *ctx, belay_value value) {
  return belay_signal_chain(doubled_at_first(ctx, value),
                            belay_op_subscribe_on(((chain *)ctx)->scheduler));
}
static belay_signal *make_expand_index(chain *own) {
  return belay_signal_chain(
      input_of(own, 0),
      belay_op_expand(BELAY_UNLIMITED, doubled_at_first, retained(own), free_chain));
}
static belay_signal *make_expand_on(chain *own) {
  belay_signal *both[] = {
      belay_signal_chain(
          belay_signal_just(belay_int32(1)),
          belay_op_expand(BELAY_UNLIMITED, doubled_later, retained(own), free_chain)),
      belay_signal_just(belay_int32(9))};
  return belay_signal_merge(both, 2);
}
static belay_signal *expand_index(const marble_run *run) {
  return deferred(chain_of(run, 1, 1), make_expand_index);
}
static belay_signal *expand_scheduler(const marble_run *run) {
  return deferred(chain_of(run, 0, 1), make_expand_on);
}

/* ---- windows and groups ---- */

static belay_signal *arrays(belay_signal *windows) {
  return belay_signal_chain(windows,
                            belay_op_flat_map(BELAY_UNLIMITED, collected, NULL, NULL));
}
static belay_signal *buffer_toggle(const marble_run *run) {
  return arrays(belay_signal_chain(
      marble_input(run, 0), belay_op_window_toggle(marble_input(run, 1), given,
                                                   marble_input(run, 2), release_signal)));
}
/* Words: the source, the length of a window, the time from one to the next. */
static belay_signal *timer_of(void *ctx, belay_value opening) {
  chain *it = ctx;
  return belay_signal_timer(it->scheduler, (double)it->limit / 1000);
}
static belay_signal *windows_by_time(const marble_run *run) {
  belay_value start = belay_null();
  belay_signal *openings =
      belay_signal_chain(belay_signal_interval(marble_scheduler(run), marble_seconds(run, 2)),
                         belay_op_start_with(&start, 1));
  chain *it = chain_of(run, 1, 1);
  return belay_signal_chain(marble_input(run, 0),
                            belay_op_window_toggle(openings, timer_of, it, free_chain));
}
static belay_signal *window_time_creation(const marble_run *run) {
  return tagged(windows_by_time(run));
}
static belay_signal *buffer_time_creation(const marble_run *run) {
  return arrays(windows_by_time(run));
}
static belay_signal *make_closing(chain *own) { return input_of(own, 1); }
static belay_signal *closings(const marble_run *run) {
  return belay_signal_chain(deferred(chain_of(run, 2, 0), make_closing), belay_op_take(1),
                            belay_op_switch_if_empty(belay_signal_never()),
                            belay_op_repeat(BELAY_UNLIMITED));
}
static belay_signal *window_when(const marble_run *run) {
  return tagged(belay_signal_chain(marble_input(run, 0), belay_op_window_by(closings(run))));
}
APPLYING(buffer_when, belay_op_buffer_by(closings(run)))
static belay_signal *distinct_of(void *ctx, belay_value window) {
  return belay_signal_chain(itself(NULL, window), belay_op_distinct(NULL, NULL, NULL));
}
static belay_signal *distinct_flushes(const marble_run *run) {
  return belay_signal_chain(marble_input(run, 0), belay_op_window_by(marble_input(run, 1)),
                            belay_op_flat_map(BELAY_UNLIMITED, distinct_of, NULL, NULL));
}
static belay_signal *elements_of(void *ctx, belay_value group) {
  return belay_signal_chain(itself(NULL, group), belay_op_map(doubled, NULL, NULL),
                            belay_op_collect());
}
static belay_signal *group_by_element(const marble_run *run) {
  return belay_signal_chain(marble_input(run, 0), belay_op_group_by(parity, NULL, NULL),
                            belay_op_flat_map(BELAY_UNLIMITED, elements_of, NULL, NULL));
}

/* ---- one value of a whole signal ---- */

static belay_value no_items(void) { return belay_array_of(NULL, 0); }

APPLYING(last_or_default_9, belay_op_take_last(1), belay_op_default_if_empty(belay_int32(9)))
APPLYING(take_last_buffer, belay_op_take_last((uint64_t)marble_number(run, 1)), belay_op_collect())
APPLYING(to_set, belay_op_distinct(NULL, NULL, NULL), belay_op_collect())

static belay_signal *throw_if_empty(const marble_run *run) {
  belay_error *error = belay_error_create(BELAY_ENOENT, NULL, NULL, belay_null(), NULL);
  belay_signal *failing = belay_signal_error(error);
  belay_error_release(error);
  return belay_signal_chain(marble_input(run, 0), belay_op_switch_if_empty(failing));
}
static belay_signal *nine_if_missing(void *ctx, const belay_error *error) {
  return belay_error_code(error) == BELAY_ENOENT ? belay_signal_just(belay_int32(9))
                                                 : belay_signal_error(error);
}
APPLYING(single_or_default_9, belay_op_single(NULL, NULL, NULL),
         belay_op_catch(nine_if_missing, NULL, NULL))

static int is_odd_value(void *ctx, belay_value pair) { return int_of(item(pair, 1)) & 1; }
APPLYING(find_index_odd, belay_op_enumerated(), belay_op_find(is_odd_value, NULL, NULL),
         belay_op_map(first_item, NULL, NULL), belay_op_default_if_empty(belay_int32(-1)), plain())

static belay_value ten_times_index_more(void *ctx, belay_value pair) {
  uint64_t index = 0;
  CHECK_INT(belay_value_get_uint64(item(pair, 0), &index), 0);
  return belay_int32(10 * (int32_t)index + int_of(item(pair, 1)));
}
APPLYING(map_indexed, belay_op_enumerated(), belay_op_map(ten_times_index_more, NULL, NULL))

/* All values whose rest of a division by 3 is the smallest, or (with `ctx`) the largest. */
static belay_value extreme(void *ctx, belay_value all) {
  size_t count = belay_value_count(all), used = 0;
  belay_value found[8];
  int best = ctx ? -1 : 3;
  for (size_t i = 0; i < count; i++) {
    int key = int_of(item(all, i)) % 3;
    best = (ctx ? key > best : key < best) ? key : best;
  }
  for (size_t i = 0; i < count; i++)
    if (int_of(item(all, i)) % 3 == best) found[used++] = belay_value_retain(item(all, i));
  return belay_array_of(found, used);
}
APPLYING(min_by, belay_op_collect(), belay_op_map(extreme, NULL, NULL))
APPLYING(max_by, belay_op_collect(), belay_op_map(extreme, (void *)1, NULL))

/* The table is an array of [key value], in which a value replaces that of an equal key. */
static belay_value with_entry(void *ctx, belay_value table, belay_value value) {
  belay_value entries[8], entry[] = {belay_int32(int_of(value) & 1), belay_value_retain(value)};
  size_t count = belay_value_count(table), at = count;
  for (size_t i = 0; i < count; i++) {
    entries[i] = belay_value_retain(item(table, i));
    if (belay_value_equal(index_of(entries[i]), entry[0])) at = i;
  }
  if (at < count) belay_value_release(entries[at]);
  entries[at] = belay_array_of(entry, 2);
  return belay_array_of(entries, at < count ? count : count + 1);
}
APPLYING(to_dict, belay_op_reduce(no_items(), with_entry, NULL, NULL))

/* ---- parts ---- */

static int has_even_index(void *ctx, belay_value pair) {
  uint64_t index = 1;
  CHECK_INT(belay_value_get_uint64(item(pair, 0), &index), 0);
  return index % 2 == 0;
}
APPLYING(slice, belay_op_skip((uint64_t)marble_number(run, 1)),
         belay_op_take((uint64_t)(marble_number(run, 2) - marble_number(run, 1))))
APPLYING(slice_from_end, belay_op_take_last((uint64_t)marble_number(run, 1)),
         belay_op_skip_last((uint64_t)marble_number(run, 2)))
APPLYING(slice_by_2, belay_op_enumerated(), belay_op_filter(has_even_index, NULL, NULL),
         belay_op_map(second_item, NULL, NULL))

const marble_operation chains_operations[] = {
    {"take_until_with_time", take_until_with_time},
    {"skip_until_with_time", skip_until_with_time},
    {"observe_on_delay", observe_on_delay},
    {"scheduled", scheduled},
    {"timer_at", timer_at},
    {"generate_with_relative_time", generate_with_relative_time},
    {"delay_with_mapper", delay_with_mapper},
    {"timeout_with_mapper", timeout_with_mapper},
    {"for_in", for_in},
    {"exhaust_all", exhaust_all},
    {"on_error_resume_next", on_error_resume_next},
    {"catch_with_iterable", catch_with_iterable},
    {"do_while", do_while},
    {"while_do", while_do},
    {"retry_delay", retry_delay},
    {"repeat_delay", repeat_delay},
    {"retry_reset_on_success", retry_reset_on_success},
    {"merge_scan", merge_scan},
    {"switch_scan", switch_scan},
    {"expand_index", expand_index},
    {"expand_scheduler", expand_scheduler},
    {"buffer_toggle", buffer_toggle},
    {"window_time_creation", window_time_creation},
    {"buffer_time_creation", buffer_time_creation},
    {"window_when", window_when},
    {"buffer_when", buffer_when},
    {"distinct_flushes", distinct_flushes},
    {"group_by_element", group_by_element},
    {"last_or_default_9", last_or_default_9},
    {"take_last_buffer", take_last_buffer},
    {"to_set", to_set},
    {"throw_if_empty", throw_if_empty},
    {"single_or_default_9", single_or_default_9},
    {"find_index_odd", find_index_odd},
    {"map_indexed", map_indexed},
    {"min_by", min_by},
    {"max_by", max_by},
    {"to_dict", to_dict},
    {"slice", slice},
    {"slice_from_end", slice_from_end},
    {"slice_by_2", slice_by_2},
    {0}};
