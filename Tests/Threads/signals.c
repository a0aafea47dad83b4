/* Sources and chains. */
#include "game.h"

/* ---- sources ---- */

belay_signal *make_source(int index) {
  struct source *it = &the_game.sources[index];
  belay_source_options options = {.size = sizeof options};
  if (by_chance(F_shared, 3)) it->is_shared = options.shared = 1;
  if (by_chance(F_latest, 8)) {
    it->is_latest = 1;
    options.reentrancy = BELAY_REENTRANCY_LATEST;
  }
  int kind = pick(4);
  if (kind == 1 && !is_without[F_behavior]) {
    it->initial = 1;
    return belay_subject_create_behavior(belay_int32(0), &options);
  }
  if (kind == 2 && !is_without[F_replay]) return belay_subject_create_replay(NULL, -1, 2, &options);
  return belay_subject_create(&options);
}

belay_signal *some_source(int *index) {
  int number = pick(the_game.sources_count);
  if (index) *index = number;
  belay_signal *source = me->sources[number];
  return source ? belay_signal_retain(source) : NULL;
}

belay_scheduler *some_scheduler(char name[8]) {
  int kind = pick(6);
  player *other = &the_game.players[pick(the_game.players_count)];
  if (kind == 0 && other->pool) {
    snprintf(name, 8, "pool%d", other->index);
    return other->pool;
  }
  if (kind == 1 && other->worker) {
    snprintf(name, 8, "w%d", other->index);
    return belay_worker_get_scheduler(other->worker);
  }
  snprintf(name, 8, "l%d", other->index);
  return other->scheduler;
}

/* ---- callbacks of stages ---- */

static belay_value map(void *ctx, belay_value value) {
  stage_enter(ctx);
  value = belay_value_retain(value);
  stage_leave(ctx);
  return value;
}

/* 0 for a value that an operator has made of a number: an array, an event. */
static int32_t number_of(belay_value value) {
  int32_t number = 0;
  if (belay_value_kind(value) == BELAY_KIND_INT32) belay_value_get_int32(value, &number);
  return number;
}

static int keep_most(void *ctx, belay_value value) {
  stage_enter(ctx);
  stage_leave(ctx);
  return number_of(value) % 4 != 3;
}

static belay_value latest(void *ctx, belay_value accumulated, belay_value value) {
  (void)accumulated;
  return map(ctx, value);
}

static belay_value first_of(void *ctx, const belay_value *values, size_t count) {
  (void)count;
  return map(ctx, values[0]);
}

static belay_signal *just_it(void *ctx, belay_value value) {
  stage_enter(ctx);
  belay_signal *signal = belay_signal_just(belay_value_retain(value));
  stage_leave(ctx);
  return signal;
}

static belay_value key_of(void *ctx, belay_value value) {
  stage_enter(ctx);
  stage_leave(ctx);
  return belay_int32(number_of(value) % 3);
}

static void at_the_end(void *ctx) {
  stage_enter(ctx);
  stage_leave(ctx);
}

/* Keeps the subscriber: any player may send to it and release it. */
static belay_disposable *produce(void *ctx, belay_subscriber *subscriber) {
  stage_enter(ctx);
  belay_subscriber_next(subscriber, belay_int32(1));
  if (me) {
    int index = pick(KEPT);
    belay_subscriber *before;
    belay_subscriber_retain(subscriber);
    pthread_mutex_lock(&the_game.lock);
    before = the_game.kept[index];
    the_game.kept[index] = subscriber;
    pthread_mutex_unlock(&the_game.lock);
    belay_subscriber_release(before);
  }
  stage_leave(ctx);
  return NULL;
}

/* ---- chains ---- */

static belay_signal *table_signal(void) {
  int index = pick(TABLE);
  pthread_mutex_lock(&the_game.lock);
  belay_signal *signal = the_game.table[index];
  if (signal) belay_signal_retain(signal);
  pthread_mutex_unlock(&the_game.lock);
  return signal;
}

static belay_signal *base(witness *listener, int *is_private, int *is_endless) {
  int index;
  if (by_chance(F_just, 12)) {
    describe(listener, "just");
    return belay_signal_just(belay_int32(7));
  }
  if (by_chance(F_range, 10)) {
    describe(listener, "range");
    return belay_signal_range(0, 5);
  }
  if (by_chance(F_create, 8)) {
    witness *stage = new_witness("create", listener);
    if (!stage) return NULL;
    describe(listener, "create");
    /* It may be that nobody sends an end. */
    *is_endless = 1;
    return belay_signal_create(produce, stage, witness_free, NULL);
  }
  if (by_chance(F_table, 6)) {
    belay_signal *signal = table_signal();
    if (signal) {
      describe(listener, "table");
      *is_private = 0;
      *is_endless = 1;
      return signal;
    }
  }
  if (by_chance(F_events, 4)) {
    belay_signal *signal = event_source(listener, is_endless);
    if (signal) return signal;
  }
  belay_signal *source = some_source(&index);
  if (source) describe(listener, "s%d", index);
  return source;
}

/* Another source, for an operator that takes two. */
static belay_signal *other_source(witness *listener) {
  int index;
  belay_signal *other = some_source(&index);
  if (other) describe(listener, "(s%d)", index);
  return other ? other : belay_signal_range(100, 3);
}

static belay_signal *joined(feature what, belay_signal *signal, witness *stage, witness *listener) {
  belay_signal *both[] = {signal, other_source(listener)};
  if (what == F_zip) return belay_signal_zip(both, 2, first_of, stage, witness_free);
  return belay_signal_combine_latest(both, 2, first_of, stage, witness_free);
}

/* An operator with a callback. */
static belay_op *calling(feature what, witness *stage, witness *listener) {
  belay_signal *other;
  switch (what) {
    case F_map:
      return belay_op_map(map, stage, witness_free);
    case F_filter:
      return belay_op_filter(keep_most, stage, witness_free);
    case F_scan:
      return belay_op_scan(belay_int32(0), latest, stage, witness_free);
    case F_flat_map:
      return belay_op_flat_map(BELAY_UNLIMITED, just_it, stage, witness_free);
    case F_concat_map:
      return belay_op_concat_map(just_it, stage, witness_free);
    case F_switch_map:
      return belay_op_switch_map(just_it, stage, witness_free);
    case F_finally:
      return belay_op_finally(at_the_end, stage, witness_free);
    case F_group_by:
      return belay_op_group_by(key_of, stage, witness_free);
    case F_group_by_until:
      return belay_op_group_by_until(key_of, just_it, stage, witness_free);
    case F_debounce_when:
      return belay_op_debounce_when(just_it, stage, witness_free);
    case F_throttle_when:
      return belay_op_throttle_when(just_it, stage, witness_free, 1, 1);
    case F_audit_when:
      return belay_op_audit_when(just_it, stage, witness_free);
    case F_timeout_when:
      return belay_op_timeout_when(NULL, NULL, just_it, stage, witness_free);
    case F_delay_when:
      return belay_op_delay_when(just_it, stage, witness_free);
    default:
      other = other_source(listener);
      return belay_op_with_latest_from(&other, 1, first_of, stage, witness_free);
  }
}

/* An operator with a scheduler, which may be another player's. */
static belay_op *scheduled(feature what, belay_scheduler *scheduler) {
  switch (what) {
    case F_delay:
      return belay_op_delay(scheduler, pick(2) ? 0.0002 : 0);
    case F_debounce:
      return belay_op_debounce(scheduler, 0.0002);
    case F_throttle:
      return belay_op_throttle(scheduler, 0.0002, 1, 1);
    case F_observe_on:
      return belay_op_observe_on(scheduler, NULL);
    case F_subscribe_on:
      return belay_op_subscribe_on(scheduler);
    case F_delay_subscription:
      return belay_op_delay_subscription(scheduler, 0.0001);
    case F_take_last_for:
      return belay_op_take_last_for(scheduler, 0.0002);
    case F_skip_last_for:
      return belay_op_skip_last_for(scheduler, 0.0002);
    default:
      return belay_op_timeout(scheduler, 0.001, NULL);
  }
}

static belay_op *plain(feature what, witness *listener) {
  belay_signal *other;
  belay_value first = belay_int32(-1);
  switch (what) {
    case F_take:
      return belay_op_take((uint64_t)pick(4) + 1);
    case F_take_until:
      return belay_op_take_until(other_source(listener));
    case F_share:
      return belay_op_share(BELAY_SHARE_RESET);
    case F_retry:
      return belay_op_retry(2);
    case F_catch_to:
      return belay_op_catch_to(belay_int32(-2));
    case F_start_with:
      return belay_op_start_with(&first, 1);
    case F_sample:
      return belay_op_sample(other_source(listener));
    case F_buffer:
      return belay_op_buffer(2);
    case F_materialize:
      return belay_op_materialize();
    case F_window:
      return belay_op_window(2, 2);
    case F_window_by:
      return belay_op_window_by(other_source(listener));
    case F_buffer_by:
      return belay_op_buffer_by(other_source(listener));
    case F_pairwise_from:
      return belay_op_pairwise_from(belay_int32(0));
    default:
      other = other_source(listener);
      return belay_op_merge(&other, 1);
  }
}

static const feature operators[] = {F_map,
                                    F_filter,
                                    F_take,
                                    F_take_until,
                                    F_scan,
                                    F_merge,
                                    F_zip,
                                    F_flat_map,
                                    F_concat_map,
                                    F_combine_latest,
                                    F_switch_map,
                                    F_share,
                                    F_delay,
                                    F_debounce,
                                    F_throttle,
                                    F_observe_on,
                                    F_sample,
                                    F_retry,
                                    F_catch_to,
                                    F_start_with,
                                    F_subscribe_on,
                                    F_with_latest_from,
                                    F_buffer,
                                    F_timeout,
                                    F_group_by,
                                    F_window,
                                    F_materialize,
                                    F_finally,
                                    F_debounce_when,
                                    F_throttle_when,
                                    F_audit_when,
                                    F_timeout_when,
                                    F_delay_when,
                                    F_window_by,
                                    F_buffer_by,
                                    F_take_last_for,
                                    F_skip_last_for,
                                    F_pairwise_from,
                                    F_group_by_until,
                                    F_observe_on,
                                    F_merge,
                                    F_delay_subscription};

static belay_signal *with_operator(belay_signal *signal, witness *listener, int *is_private,
                                   int *is_endless) {
  feature what = operators[pick((int)(sizeof operators / sizeof *operators))];
  if (is_without[what]) return signal;
  static const char *const names[] = {
#define X(name) #name,
      FEATURES(X)
#undef X
  };
  /* It keeps its source to subscribe again, so the source's last release does not end it. */
  if (what == F_retry) *is_endless = 1;
  /* The stages above belong to a connection of their own, which ends after the last listener. */
  if (what == F_share) *is_private = 0;
  switch (what) {
    case F_delay:
    case F_debounce:
    case F_throttle:
    case F_observe_on:
    case F_subscribe_on:
    case F_delay_subscription:
    case F_take_last_for:
    case F_skip_last_for:
    case F_timeout: {
      char name[8];
      belay_scheduler *scheduler = some_scheduler(name);
      if (!scheduler) return signal;
      describe(listener, ".%s(%s)", names[what], name);
      return belay_signal_chain(signal, scheduled(what, scheduler));
    }
    case F_map:
    case F_filter:
    case F_scan:
    case F_flat_map:
    case F_concat_map:
    case F_switch_map:
    case F_finally:
    case F_group_by:
    case F_group_by_until:
    case F_debounce_when:
    case F_throttle_when:
    case F_audit_when:
    case F_timeout_when:
    case F_delay_when:
    case F_with_latest_from:
    case F_zip:
    case F_combine_latest: {
      witness *stage = new_witness(names[what], listener);
      if (!stage) return signal;
      describe(listener, ".%s", names[what]);
      if (what == F_zip || what == F_combine_latest) return joined(what, signal, stage, listener);
      signal = belay_signal_chain(signal, calling(what, stage, listener));
      if (what == F_group_by || what == F_group_by_until)
        signal = belay_signal_chain(signal, belay_op_merge_all(BELAY_UNLIMITED));
      return signal;
    }
    default:
      describe(listener, ".%s", names[what]);
      signal = belay_signal_chain(signal, plain(what, listener));
      if (what == F_window || what == F_window_by)
        signal = belay_signal_chain(signal, belay_op_merge_all(BELAY_UNLIMITED));
      return signal;
  }
}

belay_signal *make_chain(witness *listener, int *is_private, int *is_endless) {
  *is_private = 1;
  *is_endless = 0;
  belay_signal *signal = base(listener, is_private, is_endless);
  int stages = pick(4);
  for (int i = 0; signal && i < stages; i++)
    signal = with_operator(signal, listener, is_private, is_endless);
  return signal;
}

/* ---- ledgers: no value that a source has accepted may be lost on the way ---- */

static belay_signal *ledger_signal(ledger *it, witness *listener) {
  int first = it->sources[0];
  belay_signal *signal = belay_signal_retain(me->sources[first]);
  describe(listener, "ledger s%d", first);
  if (it->count == 2) {
    belay_signal *both[] = {signal, belay_signal_retain(me->sources[it->sources[1]])};
    describe(listener, " merged with s%d", it->sources[1]);
    return belay_signal_merge(both, 2);
  }
  if (pick(2)) {
    witness *stage = new_witness("map", listener);
    if (stage) {
      describe(listener, ".map");
      signal = belay_signal_chain(signal, belay_op_map(map, stage, witness_free));
    }
  }
  return signal;
}

/* The index of another source that player `me` could merge with, or -1. */
static int partner_of(int first) {
  for (int i = first + 1; i < the_game.sources_count; i++) {
    const struct source *it = &the_game.sources[i];
    if (it->is_ledger && (it->is_shared || it->home == me->index)) return i;
  }
  return -1;
}

void subscribe_ledgers(void) {
  for (int i = 0; i < the_game.sources_count; i++) {
    const struct source *source = &the_game.sources[i];
    if (!source->is_ledger || source->home != me->index) continue;
    witness *listener = new_witness("subscription", NULL);
    ledger it = {.listener = listener, .sources = {i, -1}, .count = 1, .initial = source->initial};
    int partner = pick(2) ? partner_of(i) : -1;
    if (partner >= 0 && !is_without[F_merge]) {
      it.sources[it.count++] = partner;
      it.initial += the_game.sources[partner].initial;
    }
    belay_signal *signal = ledger_signal(&it, listener);
    belay_disposable *disposable = NULL;
    belay_observer observer = observer_of(listener);
    int code = belay_signal_subscribe(signal, &observer, &disposable);
    belay_signal_release(signal);
    listener->is_refused = code < 0;
    /* The last releases of its sources end it. */
    belay_disposable_release(disposable);
    if (code < 0) continue;
    pthread_mutex_lock(&the_game.lock);
    if (the_game.ledgers_count < LEDGERS) the_game.ledgers[the_game.ledgers_count++] = it;
    pthread_mutex_unlock(&the_game.lock);
  }
}

long ledger_expected(const ledger *it) {
  long expected = it->initial;
  for (int i = 0; i < it->count; i++)
    expected += atomic_load(&the_game.sources[it->sources[i]].taken);
  return expected;
}
