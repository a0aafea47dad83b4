/* Operators that make other values, buffers and windows. */
#include "marbles.h"

/* ---- values for comparison ---- */

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
belay_op *plain(void) { return belay_op_map(plain_map, NULL, NULL); }

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
belay_signal *tagged(belay_signal *outer) {
  return belay_signal_create(tag_all, outer, release_signal, NULL);
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

static belay_value odd_tenfold(void *ctx, belay_value v) {
  if (marble_fails(v)) return MARBLE_FAILURE_VALUE;
  return int_of(v) & 1 ? belay_int32(10 * int_of(v)) : belay_null();
}
static belay_error *other_error(void *ctx, const belay_error *error) {
  if (marble_fails_always()) return MARBLE_FAILURE_NULL;
  return belay_error_create(BELAY_EBUSY, NULL, NULL, belay_null(), NULL);
}

APPLYING(scan_sum, belay_op_scan(belay_int32(0), plus, NULL, NULL))
APPLYING(buffer_time,
      belay_op_buffer_time(marble_scheduler(run), marble_seconds(run, 1), BELAY_UNLIMITED))
APPLYING(map_to_7, belay_op_map_to(belay_int32(7)))
APPLYING(compact_odd_tenfold, belay_op_compact_map(odd_tenfold, NULL, NULL))
APPLYING(map_error, belay_op_map_error(other_error, NULL, NULL))
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
static belay_signal *window_by(const marble_run *run) {
  return tagged(belay_signal_chain(marble_input(run, 0), belay_op_window_by(marble_input(run, 1))));
}
static belay_signal *group_by_parity(const marble_run *run) {
  return tagged(belay_signal_chain(marble_input(run, 0), belay_op_group_by(parity, NULL, NULL)));
}

/* Each group ends with the second input; the callback fails where it gets the key. */
static belay_signal *end_of_group(void *ctx, belay_value group) {
  if (marble_fails(belay_signal_key(belay_value_get_signal(group)))) return MARBLE_FAILURE_NULL;
  return belay_signal_retain(ctx);
}
static belay_signal *group_by_parity_until(const marble_run *run) {
  return tagged(belay_signal_chain(
      marble_input(run, 0),
      belay_op_group_by_until(parity, end_of_group, marble_input(run, 1), release_signal)));
}
/* Each group has two values. */
static belay_signal *second_value(void *ctx, belay_value group) {
  return belay_signal_chain(belay_signal_retain(belay_value_get_signal(group)), belay_op_skip(1));
}
static belay_signal *group_by_parity_two(const marble_run *run) {
  return tagged(belay_signal_chain(marble_input(run, 0),
                                   belay_op_group_by_until(parity, second_value, NULL, NULL)));
}

/* ---- frames: [104 105] is those bytes ---- */

static belay_value to_bytes(void *ctx, belay_value list) {
  char bytes[32];
  size_t count = belay_value_count(list);
  if (marble_fails(list)) return MARBLE_FAILURE_VALUE;
  for (size_t i = 0; i < count && i < sizeof bytes; i++) {
    belay_value item;
    CHECK_INT(belay_value_get_item(list, i, &item), 0);
    bytes[i] = (char)int_of(item);
  }
  return belay_bytes(bytes, count);
}
static belay_value from_bytes(void *ctx, belay_value value) {
  belay_view view = {0};
  belay_value items[32];
  CHECK_INT(belay_value_get_bytes(value, &view), 0);
  for (size_t i = 0; i < view.size && i < 32; i++)
    items[i] = belay_int32((unsigned char)view.data[i]);
  return belay_array_of(items, view.size);
}
#define FRAMING(name, op) \
  APPLYING(name, belay_op_map(to_bytes, NULL, NULL), op, belay_op_map(from_bytes, NULL, NULL))
FRAMING(lines, belay_op_lines(marble_count(run, 1)))
FRAMING(frames_delimited, belay_op_frames_delimited("\0\0\1", 3, marble_count(run, 1)))
FRAMING(frames_fixed, belay_op_frames_fixed(marble_count(run, 1)))
FRAMING(frames_prefixed,
        belay_op_frames_prefixed((unsigned)marble_number(run, 1), marble_count(run, 2), 0))
FRAMING(frames_prefixed_little,
        belay_op_frames_prefixed((unsigned)marble_number(run, 1), marble_count(run, 2), 1))
FRAMING(utf8, belay_op_utf8())

const marble_operation transforming_operations[] = {
    {"lines", lines},
    {"frames_delimited", frames_delimited},
    {"frames_fixed", frames_fixed},
    {"frames_prefixed", frames_prefixed},
    {"frames_prefixed_little", frames_prefixed_little},
    {"utf8", utf8},
    {"scan_sum", scan_sum},
    {"buffer_time", buffer_time},
    {"with_owner", with_owner},
    {"compose", compose},
    {"map_to_7", map_to_7},
    {"compact_odd_tenfold", compact_odd_tenfold},
    {"map_error", map_error},
    {"enumerated", enumerated},
    {"buffer_skip", buffer_skip},
    {"window", window},
    {"window_time", window_time},
    {"window_toggle", window_toggle},
    {"window_by", window_by},
    {"group_by_parity", group_by_parity},
    {"group_by_parity_until", group_by_parity_until},
    {"group_by_parity_two", group_by_parity_two},
    {"materialize", materialize},
    {"materialize_and_back", materialize_and_back},
    {"timestamp", timestamp},
    {"time_interval", time_interval},
    {0}};
