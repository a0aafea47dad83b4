/* Chains of several signals. See chains.c. */
#include "chains.h"

/* ---- several signals ---- */

static belay_signal *fork_join(const marble_run *run) {
  belay_signal *all[] = {belay_signal_chain(marble_input(run, 0), belay_op_take_last(1)),
                         belay_signal_chain(marble_input(run, 1), belay_op_take_last(1))};
  return belay_signal_zip(all, 2, NULL, NULL, NULL);
}

static belay_signal *latest_of_all(void *is_zip, belay_value all) {
  size_t count = belay_value_count(all);
  belay_signal **signals = calloc(count + 1, sizeof *signals);
  for (size_t i = 0; i < count; i++) signals[i] = itself(NULL, item(all, i));
  belay_signal *made = is_zip ? belay_signal_zip(signals, count, NULL, NULL, NULL)
                              : belay_signal_combine_latest(signals, count, NULL, NULL, NULL);
  free(signals);
  return made;
}
static belay_signal *combine_latest_all(const marble_run *run) {
  return belay_signal_chain(signals_of(run, 1, belay_op_collect()),
                            belay_op_flat_map(BELAY_UNLIMITED, latest_of_all, NULL, NULL));
}
static belay_signal *zip_all(const marble_run *run) {
  return belay_signal_chain(signals_of(run, 1, belay_op_collect()),
                            belay_op_flat_map(BELAY_UNLIMITED, latest_of_all, (void *)1, NULL));
}

/* Pairs of [index value]: one of the two has been used before. */
static int have_one_in_common(void *ctx, belay_value a, belay_value b) {
  return belay_value_equal(index_of(item(a, 0)), index_of(item(b, 0))) ||
         belay_value_equal(index_of(item(a, 1)), index_of(item(b, 1)));
}
static belay_value without_indices(void *ctx, belay_value pairs) {
  belay_value both[] = {second_item(NULL, item(pairs, 0)), second_item(NULL, item(pairs, 1))};
  return belay_array_of(both, 2);
}
static belay_signal *zip_latest(const marble_run *run) {
  belay_signal *both[] = {belay_signal_chain(marble_input(run, 0), belay_op_enumerated()),
                          belay_signal_chain(marble_input(run, 1), belay_op_enumerated())};
  return belay_signal_chain(belay_signal_combine_latest(both, 2, NULL, NULL, NULL),
                            belay_op_distinct_until_changed(have_one_in_common, NULL, NULL),
                            belay_op_map(without_indices, NULL, NULL));
}

/* ---- sharing ---- */

/* Connects the shared signals when it is subscribed to, and completes. */
static belay_signal *connecting(void *ctx) {
  chain *own = ctx;
  /* The last one listens to the others. */
  static const int order[MOST_SHARED] = {2, 0, 1};
  for (int at = 0, i; at < MOST_SHARED; at++)
    if (own->shared[i = order[at]])
      CHECK_INT(belay_signal_connect(own->shared[i], &own->connections[i]), 0);
  return belay_signal_empty();
}
static void disconnect(void *ctx) {
  chain *own = ctx;
  for (int i = 0; i < MOST_SHARED; i++)
    if (own->connections[i]) belay_disposable_dispose(own->connections[i]);
}
/* Sends what `signal` (taken over) sends; once that is subscribed to, connects what is shared. */
static belay_signal *connected(chain *own, belay_signal *signal) {
  belay_signal *all[] = {signal, belay_signal_defer(connecting, retained(own), free_chain)};
  return belay_signal_chain(belay_signal_merge(all, 2),
                            belay_op_finally(disconnect, retained(own), free_chain));
}
static belay_signal *shared_of(chain *own, int index) {
  if (!own->shared[index]) own->shared[index] = belay_signal_publish(input_of(own, index));
  return belay_signal_retain(own->shared[index]);
}

/* The selector: each value with the one after it. */
static belay_signal *make_connect(chain *own) {
  belay_signal *both[] = {shared_of(own, 0),
                          belay_signal_chain(shared_of(own, 0), belay_op_skip(1))};
  return connected(own, belay_signal_zip(both, 2, NULL, NULL, NULL));
}
static belay_signal *connect_selector(const marble_run *run) {
  return deferred(chain_of(run, 1, 0), make_connect);
}

/* A subject made for each connection: one with a current value, at first 0, is a replay of one
   value. */
static belay_signal *multicast_factory(const marble_run *run) {
  belay_value initial = belay_int32(0);
  return belay_signal_chain(marble_input(run, 0), belay_op_start_with(&initial, 1),
                            belay_op_share_replay(NULL, -1, 1, BELAY_SHARE_RESET));
}

/* A value of one side, and the time for which it is joined. */
typedef struct joined {
  chain *own;
  int is_right;
  belay_value value;
} joined;
static void free_joined(void *ctx) {
  joined *it = ctx;
  free_chain(it->own);
  belay_value_release(it->value);
  free(it);
}
static joined *joined_of(chain *own, int is_right, belay_value value) {
  joined *it = malloc(sizeof *it);
  *it = (joined){retained(own), is_right, belay_value_retain(value)};
  return it;
}
static belay_value paired(void *ctx, belay_value other) {
  joined *it = ctx;
  belay_value both[2];
  both[it->is_right] = belay_value_retain(it->value);
  both[!it->is_right] = belay_value_retain(other);
  return belay_array_of(both, 2);
}
/* Sends when the time of a value of one side is over. */
static belay_signal *time_of(chain *own, int is_right) {
  return belay_signal_chain(input_of(own, 2 + is_right), belay_op_take(1),
                            belay_op_default_if_empty(belay_null()));
}
/* The values of the other side that come during the time of this one. */
static belay_signal *partners(void *ctx, belay_value value) {
  joined *side = ctx;
  return belay_signal_chain(
      shared_of(side->own, !side->is_right),
      belay_op_take_until(time_of(side->own, side->is_right)),
      belay_op_map(paired, joined_of(side->own, side->is_right, value), free_joined));
}
/* The pairs that begin with a value of one side. Ends with the time of its last value. */
static belay_signal *pairs_of(chain *own, int is_right) {
  joined *side = joined_of(own, is_right, belay_null());
  return belay_signal_chain(shared_of(own, is_right),
                            belay_op_flat_map(BELAY_UNLIMITED, partners, side, free_joined));
}
/* When one side has ended, no pair can come. */
static belay_signal *make_join(chain *own) {
  belay_signal *both[] = {belay_signal_chain(pairs_of(own, 0), belay_op_materialize()),
                          belay_signal_chain(pairs_of(own, 1), belay_op_materialize())};
  return connected(own, belay_signal_chain(belay_signal_merge(both, 2), belay_op_dematerialize()));
}
static belay_signal *join(const marble_run *run) {
  return deferred(chain_of(run, 4, 0), make_join);
}

/* A pair of the [index value] that is the context's. */
static int is_of(void *ctx, belay_value pair) {
  joined *it = ctx;
  return belay_value_equal(index_of(item(pair, 0)), index_of(it->value));
}
static belay_value grouped(void *ctx, belay_value others) {
  joined *it = ctx;
  belay_value both[] = {second_item(NULL, it->value), belay_value_retain(others)};
  return belay_array_of(both, 2);
}
/* The values of the right side that overlap with one of the left, when its time is over. */
static belay_signal *group_of(void *ctx, belay_value numbered) {
  chain *own = ctx;
  return belay_signal_chain(
      belay_signal_retain(own->shared[2]),
      belay_op_filter(is_of, joined_of(own, 0, numbered), free_joined),
      belay_op_map(second_item, NULL, NULL), belay_op_take_until(time_of(own, 0)), belay_op_collect(),
      belay_op_map(grouped, joined_of(own, 0, numbered), free_joined));
}
/* The pairs refer to the chain, which refers to them. */
static void drop_pairs(void *ctx) {
  chain *own = ctx;
  belay_signal_release(own->shared[2]);
  own->shared[2] = NULL;
}
static belay_signal *make_group_join(chain *own) {
  own->shared[0] =
      belay_signal_publish(belay_signal_chain(input_of(own, 0), belay_op_enumerated()));
  /* The end of the pairs is not the end of a group's time. */
  belay_signal *pairs[] = {pairs_of(own, 0), pairs_of(own, 1), belay_signal_never()};
  own->shared[2] = belay_signal_publish(belay_signal_merge(pairs, 3));
  belay_signal *groups = belay_signal_chain(
      shared_of(own, 0), belay_op_flat_map(BELAY_UNLIMITED, group_of, retained(own), free_chain),
      /* An error of a pair counts while there is no group, too. */
      belay_op_take_until(
          belay_signal_chain(belay_signal_retain(own->shared[2]), belay_op_ignore_elements())));
  return belay_signal_chain(connected(own, groups),
                            belay_op_finally(drop_pairs, retained(own), free_chain));
}
static belay_signal *group_join(const marble_run *run) {
  return deferred(chain_of(run, 4, 0), make_group_join);
}

const marble_operation joins_operations[] = {
    {"fork_join", fork_join},
    {"combine_latest_all", combine_latest_all},
    {"zip_all", zip_all},
    {"zip_latest", zip_latest},
    {"connect_selector", connect_selector},
    {"multicast_factory", multicast_factory},
    {"join", join},
    {"group_join", group_join},
    {0}};
