/* The actions of a player. None of them is misuse, whatever the other players do meanwhile. */
#include "game.h"

/* ---- what is shared, each under the lock ---- */

static void end_slot(slot it) {
  belay_disposable_dispose(it.disposable);
  belay_disposable_release(it.disposable);
}

static slot take_slot(int index, slot instead) {
  pthread_mutex_lock(&the_game.lock);
  slot it = the_game.slots[index];
  the_game.slots[index] = instead;
  pthread_mutex_unlock(&the_game.lock);
  return it;
}

/* Puts it into a slot and disposes of what was there. Takes the reference over. */
void put_slot(belay_disposable *disposable, witness *listener, int is_chain_private) {
  if (disposable) end_slot(take_slot(pick(SLOTS), (slot){disposable, listener, is_chain_private}));
}

/* The caller gets a reference. */
static slot borrow_slot(void) {
  int index = pick(SLOTS);
  pthread_mutex_lock(&the_game.lock);
  slot it = the_game.slots[index];
  belay_disposable_retain(it.disposable);
  pthread_mutex_unlock(&the_game.lock);
  return it;
}

static belay_owner *borrow_owner(void) {
  int index = pick(OWNERS);
  pthread_mutex_lock(&the_game.lock);
  belay_owner *owner = belay_owner_retain(the_game.owners[index]);
  pthread_mutex_unlock(&the_game.lock);
  return owner;
}

static belay_owner *take_owner(int index, belay_owner *instead) {
  pthread_mutex_lock(&the_game.lock);
  belay_owner *owner = the_game.owners[index];
  the_game.owners[index] = instead;
  pthread_mutex_unlock(&the_game.lock);
  return owner;
}

static belay_signal *take_table(int index, belay_signal *instead, int is_connectable) {
  pthread_mutex_lock(&the_game.lock);
  belay_signal *signal = the_game.table[index];
  the_game.table[index] = instead;
  the_game.is_connectable[index] = is_connectable;
  pthread_mutex_unlock(&the_game.lock);
  return signal;
}

static belay_subscriber *take_kept(int index) {
  pthread_mutex_lock(&the_game.lock);
  belay_subscriber *subscriber = the_game.kept[index];
  the_game.kept[index] = NULL;
  pthread_mutex_unlock(&the_game.lock);
  return subscriber;
}

/* ---- sources ---- */

static void send(void) {
  int index;
  belay_signal *source = some_source(&index);
  if (!source) return;
  int code = belay_subject_next(source, belay_int32(pick(100)));
  if (code >= 0) atomic_fetch_add(&the_game.sources[index].taken, 1);
  belay_signal_release(source);
}

static void batch(void) {
  int index;
  belay_signal *source = some_source(&index);
  if (!source) return;
  belay_value values[] = {belay_int32(1), belay_int32(2), belay_int32(3)};
  /* A ledger could not tell how many values of a refused batch were accepted. */
  if (!the_game.sources[index].is_ledger) belay_subject_next_batch(source, values, 3);
  belay_signal_release(source);
}

static void end_source(int has_failed) {
  int index;
  belay_signal *source = some_source(&index);
  if (!source) return;
  if (!the_game.sources[index].is_ledger) {
    if (has_failed) {
      belay_error *error = belay_error_create(BELAY_EBUSY, NULL, "random", belay_null(), NULL);
      belay_subject_error(source, error);
      belay_error_release(error);
    } else {
      belay_subject_completed(source);
    }
  }
  belay_signal_release(source);
}

static void complete(void) { end_source(0); }
static void fail(void) { end_source(1); }

static void release_source(void) {
  int index = pick(the_game.sources_count);
  if (the_game.sources[index].is_ledger) return;
  belay_signal *source = me->sources[index];
  me->sources[index] = NULL;
  belay_signal_release(source);
}

/* It binds a source to a later one, so that no circle of bindings sends for ever. */
static void bind(void) {
  int from;
  belay_signal *source = some_source(&from);
  if (!source) return;
  int to = from + 1 + pick(SOURCES);
  if (to < the_game.sources_count && !the_game.sources[to].is_ledger && me->sources[to]) {
    belay_signal *target = belay_signal_retain(me->sources[to]);
    belay_disposable *disposable = NULL;
    belay_signal_bind(source, target, &disposable);
    put_slot(disposable, NULL, 0);
    belay_signal_release(target);
  }
  belay_signal_release(source);
}

static void send_kept(void) {
  belay_subscriber *subscriber = take_kept(pick(KEPT));
  if (!subscriber) return;
  int count = pick(3);
  for (int i = 0; i < count; i++) belay_subscriber_next(subscriber, belay_int32(i));
  if (pick(3) == 0) belay_subscriber_completed(subscriber);
  belay_subscriber_release(subscriber);
}

/* ---- subscriptions ---- */

static void subscribe_to(belay_owner *owner) {
  int is_private, is_endless;
  witness *listener = new_witness("subscription", NULL);
  if (!listener) return;
  belay_signal *signal = make_chain(listener, &is_private, &is_endless);
  if (!signal) {
    witness_free(listener);
    listener->is_refused = 1;
    return;
  }
  belay_observer observer = observer_of(listener);
  belay_disposable *disposable = NULL;
  if (by_chance(F_elsewhere, 6)) {
    player *other = &the_game.players[pick(the_game.players_count)];
    /* Naming a closed loop would be a mistake of the caller. */
    if (other->loop && !other->closes_early) {
      observer.loop = other->loop;
      describe(listener, " @l%d", other->index);
    }
  }
  describe(listener, " by t%d%s%s", me->index, me->has_loop ? "" : " (no loop)",
           owner ? " owned" : "");
  observer.owner = owner;
  int code = belay_signal_subscribe(signal, &observer, &disposable);
  belay_signal_release(signal);
  if (code < 0) {
    listener->is_refused = 1;
    if (!atomic_load(&listener->freed))
      report(FAULT_FAILED_START, "%s, not freed: %s", belay_error_name(code), listener->text);
    if (disposable) report(FAULT_FAILED_START, "a disposable: %s", listener->text);
    return;
  }
  if (!is_endless && by_chance(F_drop, 5))
    belay_disposable_release(disposable); /* the ends of its sources end it */
  else put_slot(disposable, listener, is_private);
}

static void subscribe(void) { subscribe_to(NULL); }

static void subscribe_owned(void) {
  belay_owner *owner = borrow_owner();
  if (owner) subscribe_to(owner);
  belay_owner_release(owner);
}

static void dispose(void) {
  slot it = borrow_slot();
  belay_disposable_dispose(it.disposable);
  belay_disposable_release(it.disposable);
}

static void dispose_sync(void) {
  slot it = borrow_slot();
  if (!it.disposable) return;
  int code = belay_disposable_dispose_sync(it.disposable, pick(2) ? 0.0005 : 0);
  if (code == 0 && it.listener)
    expect_silence(it.listener, it.is_chain_private && !is_without[F_sync_stages]);
  belay_disposable_release(it.disposable);
}

/* Joins several into one. A disposable in a container is reached only through that. */
static void contain(void) {
  belay_disposable *container, *first = borrow_slot().disposable;
  slot second = take_slot(pick(SLOTS), (slot){0});
  if (!second.disposable) {
    belay_disposable_release(first);
    return;
  }
  switch (pick(4)) {
    case 0:
      container = belay_serial_create();
      belay_serial_set(container, second.disposable);
      break;
    case 1:
      container = belay_ref_counted_create(second.disposable);
      break;
    case 2:
      container = belay_binary_create(first, second.disposable);
      break;
    default:
      container = belay_compound_create();
      if (first) belay_compound_add(container, first, NULL);
      belay_compound_add(container, second.disposable, NULL);
  }
  belay_disposable_release(first);
  if (container) belay_disposable_release(second.disposable);
  else end_slot(second);
  put_slot(container, NULL, 0);
}

/* ---- owners ---- */

static void deinit(void *object) { atomic_fetch_add(&((owned *)object)->deinits, 1); }
static void dealloc(void *object) { atomic_fetch_add(&((owned *)object)->deallocs, 1); }

static void own(void) {
  int number = atomic_fetch_add(&the_game.owned_count, 1);
  if (number >= 256) {
    atomic_store(&the_game.owned_count, 256);
    return;
  }
  belay_owner_options options = {.size = sizeof options};
  if (pick(3) == 0 && !me->has_closed) options.loop = me->loop;
  owned *object = &the_game.owned[number];
  belay_owner *owner = belay_owner_create(object, deinit, dealloc, &options);
  if (!owner) object->deinits = object->deallocs = 1; /* its loop is closed: neither hook runs */
  belay_owner_release(take_owner(pick(OWNERS), owner));
}

static void kill(void) { belay_owner_release(take_owner(pick(OWNERS), NULL)); }

static void bind_owner(void) {
  belay_owner *owner = borrow_owner();
  if (!owner) return;
  slot it = borrow_slot();
  if (it.disposable && pick(3)) {
    belay_owner_add(owner, it.disposable);
  } else {
    witness *action = new_witness("owner's action", NULL);
    if (action) belay_owner_add_action(owner, witness_action, action, witness_free);
  }
  belay_disposable_release(it.disposable);
  belay_owner_release(owner);
}

/* ---- shared and connectable signals ---- */

static void publish(void) {
  belay_signal *signal = some_source(NULL);
  if (!signal) return;
  int kind = pick(4);
  switch (kind) {
    case 0:
      signal = belay_signal_publish(signal);
      break;
    case 1:
      signal = belay_signal_replay(signal, NULL, -1, 2);
      break;
    case 2:
      signal = belay_signal_chain(belay_signal_publish(signal), belay_op_ref_count());
      break;
    default:
      signal = belay_signal_chain(signal, belay_op_share(BELAY_SHARE_RESET));
  }
  belay_signal_release(take_table(pick(TABLE), signal, kind < 2));
}

static void connect(void) {
  int index = pick(TABLE);
  pthread_mutex_lock(&the_game.lock);
  belay_signal *signal = the_game.is_connectable[index] ? the_game.table[index] : NULL;
  if (signal) belay_signal_retain(signal);
  pthread_mutex_unlock(&the_game.lock);
  belay_disposable *connection = NULL;
  if (signal) belay_signal_connect(signal, &connection);
  put_slot(connection, NULL, 0);
  belay_signal_release(signal);
}

/* ---- loops ---- */

static void post(void) {
  player *other = &the_game.players[pick(the_game.players_count)];
  witness *action = other->loop ? new_witness("post", NULL) : NULL;
  if (action) belay_loop_post(other->loop, witness_action, action, witness_free);
}

static void after(void) {
  char name[8];
  belay_scheduler *scheduler = some_scheduler(name);
  witness *action = scheduler ? new_witness("timer", NULL) : NULL;
  belay_disposable *disposable = NULL;
  if (!action) return;
  belay_scheduler_after(scheduler, pick(2) * 0.0002, witness_action, action, witness_free,
                        &disposable);
  put_slot(disposable, NULL, 0);
}

static void turn(void) { run_turns(1); }

/* ---- one of them ---- */

static const struct {
  feature what;
  const char *name;
  void (*run)(void);
  int weight;
} actions[] = {
    {F_send, "send", send, 20},
    {F_batch, "batch", batch, 2},
    {F_complete, "complete", complete, 1},
    {F_fail, "fail", fail, 1},
    {F_subscribe, "subscribe", subscribe, 16},
    {F_subscribe_owned, "subscribe_owned", subscribe_owned, 5},
    {F_dispose, "dispose", dispose, 5},
    {F_dispose_sync, "dispose_sync", dispose_sync, 4},
    {F_release_source, "release_source", release_source, 1},
    {F_own, "own", own, 3},
    {F_kill, "kill", kill, 2},
    {F_bind_owner, "bind_owner", bind_owner, 3},
    {F_contain, "contain", contain, 2},
    {F_bind, "bind", bind, 1},
    {F_publish, "publish", publish, 2},
    {F_connect, "connect", connect, 2},
    {F_post, "post", post, 3},
    {F_after, "after", after, 2},
    {F_send_kept, "send_kept", send_kept, 3},
    {F_open_streams, "open_streams", open_streams, 2},
    {F_use_stream, "use_stream", use_stream, 6},
    {F_disturb, "disturb", disturb, 2},
    {F_turn, "turn", turn, 12},
};
enum { ACTIONS = sizeof actions / sizeof *actions };

void act(void) {
  int total = 0;
  for (int i = 0; i < ACTIONS; i++) total += actions[i].weight;
  int left = pick(total);
  for (int i = 0; i < ACTIONS; i++) {
    if ((left -= actions[i].weight) >= 0) continue;
    if (is_without[actions[i].what]) return;
    const char *before = me->doing;
    me->doing = actions[i].name;
    actions[i].run();
    me->doing = before;
    return;
  }
}

void act_inside(void) {
  if (!me || me->depth >= MOST_DEPTH || !by_chance(F_inside, 5)) return;
  if (atomic_fetch_sub(&the_game.budget, 1) <= 0) return;
  me->depth++;
  act();
  me->depth--;
}

/* ---- at the end ---- */

void clear_away(int index, int count) {
  for (int i = index; i < SLOTS; i += count) end_slot(take_slot(i, (slot){0}));
  for (int i = index; i < OWNERS; i += count) belay_owner_release(take_owner(i, NULL));
  for (int i = index; i < TABLE; i += count) belay_signal_release(take_table(i, NULL, 0));
  for (int i = index; i < KEPT; i += count) belay_subscriber_release(take_kept(i));
  drop_streams(index, count);
}
