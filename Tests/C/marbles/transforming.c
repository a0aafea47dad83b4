/* Creation and transformation. */
#include "marbles.h"

/* ---- values for comparison: whole numbers as int32, seconds as milliseconds ---- */

static belay_value plain_value(belay_value v) {
  belay_kind kind = belay_value_kind(v);
  int64_t number;
  double seconds;
  if (kind == BELAY_KIND_ARRAY) {
    belay_value items[32], item;
    size_t used = 0;
    for (size_t i = 0; i < belay_value_count(v) && i < 32; i++) {
      CHECK_INT(belay_value_get_item(v, i, &item), 0);
      if (belay_value_kind(item) != BELAY_KIND_ERROR) items[used++] = plain_value(item);
    }
    return belay_array_of(items, used);
  }
  if (kind == BELAY_KIND_DOUBLE && belay_value_get_double(v, &seconds) == 0)
    return belay_int32((int32_t)(seconds * 1000 + 0.5));
  if (kind >= BELAY_KIND_INT8 && kind <= BELAY_KIND_UINT64 &&
      belay_value_get_int64(v, &number) == 0)
    return belay_int32((int32_t)number);
  return belay_value_retain(v);
}
static belay_value plain_map(void *ctx, belay_value v) { return plain_value(v); }
static belay_op *plain(void) { return belay_op_map(plain_map, NULL, NULL); }

/* ---- inner signals: [number value] or [key value]; at the end [number end] or [... error] ---- */

typedef struct tagging {
  belay_subscriber *subscriber;
  int32_t count;
  int references;
} tagging;

typedef struct tag {
  tagging *all;
  belay_value name;
} tag;

static void leave_tagging(void *ctx) {
  tagging *all = ctx;
  if (--all->references > 0) return;
  belay_subscriber_release(all->subscriber);
  free(all);
}
static void free_tag(void *ctx) {
  tag *it = ctx;
  belay_value_release(it->name);
  leave_tagging(it->all);
  free(it);
}
static void send_tagged(tag *it, belay_value value) {
  belay_value both[] = {belay_value_retain(it->name), value};
  belay_subscriber_next(it->all->subscriber, belay_array_of(both, 2));
}
static void inner_next(void *ctx, belay_value v) { send_tagged(ctx, belay_value_retain(v)); }
static void inner_error(void *ctx, const belay_error *error) {
  send_tagged(ctx, belay_string("error"));
}
static void inner_completed(void *ctx) { send_tagged(ctx, belay_string("end")); }

static void outer_next(void *ctx, belay_value inner) {
  tagging *all = ctx;
  tag *it = malloc(sizeof *it);
  belay_value key = belay_signal_key(belay_value_get_signal(inner));
  all->count++;
  all->references++;
  *it = (tag){all, belay_value_kind(key) == BELAY_KIND_NULL ? belay_int32(all->count)
                                                             : belay_value_retain(key)};
  belay_observer observer = {.size = sizeof observer, .next = inner_next, .error = inner_error,
                             .completed = inner_completed, .ctx = it, .ctx_free = free_tag};
  CHECK_INT(belay_signal_subscribe(belay_value_get_signal(inner), &observer, NULL), 0);
}
static void outer_error(void *ctx, const belay_error *error) {
  belay_subscriber_error(((tagging *)ctx)->subscriber, error);
}
static void outer_completed(void *ctx) {
  belay_subscriber_completed(((tagging *)ctx)->subscriber);
}
static belay_disposable *tag_all(void *ctx, belay_subscriber *subscriber) {
  belay_disposable *subscription = NULL;
  tagging *all = malloc(sizeof *all);
  *all = (tagging){belay_subscriber_retain(subscriber), 0, 1};
  belay_observer observer = {.size = sizeof observer, .next = outer_next, .error = outer_error,
                             .completed = outer_completed, .ctx = all, .ctx_free = leave_tagging};
  CHECK_INT(belay_signal_subscribe(ctx, &observer, &subscription), 0);
  return subscription;
}
static belay_signal *tagged(belay_signal *outer) {
  return belay_signal_create(tag_all, outer, release_signal, NULL);
}

/* ---- creation ---- */

static belay_signal *same_again(void *ctx) {
  return marble_fails_always() ? MARBLE_FAILURE_NULL : belay_signal_retain(ctx);
}
static belay_signal *defer(const marble_run *run) {
  return belay_signal_defer(same_again, marble_input(run, 0), release_signal);
}
static belay_signal *range(const marble_run *run) {
  return belay_signal_chain(
      belay_signal_range(marble_number(run, 0), marble_count(run, 1)), plain());
}
static int at_most_8(void *ctx, belay_value v) {
  return marble_fails(v) ? MARBLE_FAILURE : int_of(v) <= 8;
}
static belay_value next_double(void *ctx, belay_value v) {
  int32_t number = int_of(v);
  return marble_fails(belay_int32(number + 1)) ? MARBLE_FAILURE_VALUE : belay_int32(2 * number);
}
static belay_value plus_1(void *ctx, belay_value v) { return belay_int32(1 + int_of(v)); }
static belay_signal *generate_doubles(const marble_run *run) {
  return belay_signal_generate(belay_int32(1), at_most_8, next_double, plus_1, NULL, NULL);
}
static int count_down(void *ctx, belay_value *out) {
  int *left = ctx;
  if (marble_fails(belay_int32(*left))) return MARBLE_FAILURE;
  if (*left == 0) return 0;
  *out = belay_int32((*left)--);
  return 1;
}
static belay_signal *iterate_down(const marble_run *run) {
  int *left = malloc(sizeof *left);
  *left = (int)marble_number(run, 0);
  return belay_signal_from_iterator(count_down, left, free);
}
static belay_signal *repeat_7(const marble_run *run) {
  return belay_signal_repeat_value(belay_int32(7), marble_count(run, 0));
}
static belay_signal *repeat_7_taken(const marble_run *run) {
  return belay_signal_chain(belay_signal_repeat_value(belay_int32(7), BELAY_UNLIMITED),
                            belay_op_take(marble_count(run, 0)));
}
static belay_disposable *resource(void *ctx, void **out) {
  return marble_fails(belay_int32(1)) ? MARBLE_FAILURE_NULL : belay_nop_create();
}
static belay_signal *use(void *ctx, void *it) {
  return marble_fails(belay_int32(2)) ? MARBLE_FAILURE_NULL : belay_signal_retain(ctx);
}
static belay_signal *using_it(const marble_run *run) {
  return belay_signal_using(resource, use, marble_input(run, 0), release_signal);
}
static belay_value seven(void *ctx) {
  return marble_fails_always() ? MARBLE_FAILURE_VALUE : belay_int32(7);
}
static belay_value second(void *unused, const belay_value *values, size_t count) {
  CHECK_INT(count, 2);
  return belay_value_retain(values[1]);
}
/* The owner lives as long as the signal. */
static belay_signal *with_owner(const marble_run *run) {
  belay_owner *owner = belay_owner_create(NULL, NULL, NULL, NULL);
  return belay_signal_chain(marble_input(run, 0), belay_op_with_owner(owner),
                            belay_op_reduce_each(second, NULL, NULL),
                            belay_op_finally(empty_action, owner, release_owner));
}
static belay_signal *composed(void *count, belay_signal *source) {
  return belay_signal_chain(source, belay_op_take(2), belay_op_skip(1));
}
static belay_signal *compose(const marble_run *run) {
  return belay_signal_chain(marble_input(run, 0), belay_op_compose(composed, NULL, NULL));
}
static belay_signal *start_eagerly_7(const marble_run *run) {
  return belay_signal_chain(
      belay_signal_start_eagerly(marble_scheduler(run), seven, NULL, NULL),
      belay_op_delay(marble_scheduler(run), 0.002));
}
static belay_signal *start_7(const marble_run *run) {
  return belay_signal_start(marble_scheduler(run), seven, NULL, NULL);
}
static belay_signal *result_7(const marble_run *run) {
  return belay_signal_from_result(belay_int32(7));
}
static belay_signal *optional_7(const marble_run *run) {
  return belay_signal_from_optional(belay_int32(7));
}
static belay_signal *optional_none(const marble_run *run) {
  return belay_signal_from_optional(belay_null());
}
static belay_signal *result_failed(const marble_run *run) {
  return belay_signal_from_result(belay_value_failure(BELAY_ERANGE, NULL));
}

/* ---- transformation ---- */

static belay_value odd_tenfold(void *ctx, belay_value v) {
  if (marble_fails(v)) return MARBLE_FAILURE_VALUE;
  return int_of(v) & 1 ? belay_int32(10 * int_of(v)) : belay_null();
}
static belay_error *other_error(void *ctx, const belay_error *error) {
  if (marble_fails_always()) return MARBLE_FAILURE_NULL;
  return belay_error_create(BELAY_EBUSY, NULL, NULL, belay_null(), NULL);
}
static belay_value sum(void *ctx, belay_value a, belay_value b) {
  return marble_fails(b) ? MARBLE_FAILURE_VALUE : belay_int32(int_of(a) + int_of(b));
}

APPLYING(map_to_7, belay_op_map_to(belay_int32(7)))
APPLYING(compact_odd_tenfold, belay_op_compact_map(odd_tenfold, NULL, NULL))
APPLYING(map_error, belay_op_map_error(other_error, NULL, NULL))
APPLYING(reduce_sum, belay_op_reduce(belay_int32(0), sum, NULL, NULL))
APPLYING(enumerated, belay_op_enumerated(), plain())
APPLYING(buffer_skip,
      belay_op_buffer_skip(marble_count(run, 1), marble_count(run, 2)))
APPLYING(materialize, belay_op_materialize(), plain())
APPLYING(materialize_and_back, belay_op_materialize(), belay_op_dematerialize())
APPLYING(timestamp, belay_op_timestamp(marble_scheduler(run)), plain())
APPLYING(time_interval, belay_op_time_interval(marble_scheduler(run)), plain())
static belay_signal *window(const marble_run *run) {
  return tagged(belay_signal_chain(
      marble_input(run, 0),
      belay_op_window(marble_count(run, 1), marble_count(run, 2))));
}
static belay_signal *window_time(const marble_run *run) {
  return tagged(belay_signal_chain(
      marble_input(run, 0),
      belay_op_window_time(marble_scheduler(run), (double)marble_number(run, 1) / 1000,
                           marble_count(run, 2))));
}
static belay_signal *closing(void *ctx, belay_value opening) {
  return marble_fails(opening) ? MARBLE_FAILURE_NULL : belay_signal_retain(ctx);
}
static belay_signal *window_toggle(const marble_run *run) {
  return tagged(belay_signal_chain(marble_input(run, 0),
                                   belay_op_window_toggle(marble_input(run, 1), closing,
                                                          marble_input(run, 2), release_signal)));
}
static belay_signal *group_by_parity(const marble_run *run) {
  return tagged(belay_signal_chain(marble_input(run, 0), belay_op_group_by(parity, NULL, NULL)));
}

const marble_operation transforming_operations[] = {
    {"defer", defer},
    {"range", range},
    {"generate_doubles", generate_doubles},
    {"iterate_down", iterate_down},
    {"repeat_7", repeat_7},
    {"repeat_7_taken", repeat_7_taken},
    {"using", using_it},
    {"start_7", start_7},
    {"start_eagerly_7", start_eagerly_7},
    {"with_owner", with_owner},
    {"compose", compose},
    {"optional_7", optional_7},
    {"optional_none", optional_none},
    {"result_7", result_7},
    {"result_failed", result_failed},
    {"map_to_7", map_to_7},
    {"compact_odd_tenfold", compact_odd_tenfold},
    {"map_error", map_error},
    {"reduce_sum", reduce_sum},
    {"enumerated", enumerated},
    {"buffer_skip", buffer_skip},
    {"window", window},
    {"window_time", window_time},
    {"window_toggle", window_toggle},
    {"group_by_parity", group_by_parity},
    {"materialize", materialize},
    {"materialize_and_back", materialize_and_back},
    {"timestamp", timestamp},
    {"time_interval", time_interval},
    {0}};
