/* Raw C: the limit. What each row is, is told in Benchmarks/README.md. */
#include <stdlib.h>

#include "../bench.h"
#include "raw_parts.h"

static void hear(void *ctx, int64_t value) { ((bench_tally *)ctx)->heard += (uint64_t)value; }
static void end(void *ctx) { ((bench_tally *)ctx)->ended++; }

/* emit: an indirect call for each delivery, from an array of callbacks. */
static uint64_t emit_to(bench_run *run, uint64_t subscribers) {
  bench_tally tallies[BENCH_CROWD] = {0};
  raw_hub hub = {0};
  for (uint64_t i = 0; i < subscribers; i++) raw_hub_add(&hub, hear, &tallies[i], end);
  uint64_t emissions = run->n / subscribers;
  bench_begin(run);
  for (uint64_t i = 0; i < emissions; i++) raw_hub_emit(&hub, (int64_t)i);
  bench_end(run);
  raw_hub_finish(&hub);
  return bench_checksum((bench_tally){.heard = bench_heard_by(tallies, subscribers)});
}

static uint64_t emit1(bench_run *run) { return emit_to(run, 1); }
static uint64_t emit10(bench_run *run) { return emit_to(run, 10); }
static uint64_t emit1000(bench_run *run) { return emit_to(run, 1000); }

/* comb2, zip2: a hub for each input, a callback that keeps the value by the input's number, and a
   call of the combiner and of the subscriber when there is one of each. */
static int64_t add(void *ctx, const int64_t *values, size_t count) {
  (void)ctx;
  (void)count;
  return values[0] + values[1];
}

static uint64_t join_by(bench_run *run, raw_next_fn first, raw_next_fn second, raw_join *join) {
  bench_tally tally = {0};
  raw_hub hubs[2] = {{0}, {0}};
  join->combine = add;
  join->next = hear;
  join->ctx = &tally;
  raw_hub_add(&hubs[0], first, join, end);
  raw_hub_add(&hubs[1], second, join, end);
  bench_begin(run);
  for (uint64_t i = 0; i < run->n; i += 2) {
    raw_hub_emit(&hubs[0], (int64_t)i);
    raw_hub_emit(&hubs[1], (int64_t)i + 1);
  }
  bench_end(run);
  uint64_t checksum = bench_checksum(tally);
  free(hubs[0].slots);
  free(hubs[1].slots);
  for (int i = 0; i < 2; i++) free(join->queues[i].items);
  return checksum;
}

static uint64_t comb2(bench_run *run) {
  return join_by(run, raw_combine_first, raw_combine_second, &(raw_join){0});
}

static uint64_t zip2(bench_run *run) {
  return join_by(run, raw_zip_first, raw_zip_second, &(raw_join){0});
}

/* sub: added to the array, removed by index, and its ctx_free called. */
static uint64_t subscribe_beside(bench_run *run, uint64_t others) {
  bench_tally tally = {0}, other = {0};
  raw_hub hub = {0};
  for (uint64_t i = 0; i < others; i++) raw_hub_add(&hub, hear, &other, end);
  bench_begin(run);
  for (uint64_t i = 0; i < run->n; i++) raw_hub_remove(&hub, raw_hub_add(&hub, hear, &tally, end));
  bench_end(run);
  raw_hub_emit(&hub, 1);
  raw_hub_finish(&hub);
  return bench_checksum((bench_tally){tally.heard + other.heard, tally.ended});
}

static uint64_t sub0(bench_run *run) { return subscribe_beside(run, 0); }
static uint64_t sub1000(bench_run *run) { return subscribe_beside(run, BENCH_CROWD); }

/* bag10k: an array of (action, handle); an action removes its subscription and frees the handle.
   Timed: the bag's disposal alone. */
typedef struct raw_handle {
  raw_hub *hub;
  size_t index;
} raw_handle;

static void unsubscribe(void *ctx) {
  raw_handle *handle = ctx;
  raw_hub_remove(handle->hub, handle->index);
  free(handle);
}

static uint64_t bag10k(bench_run *run) {
  bench_tally tally = {0};
  raw_hub hub = {0};
  raw_bag bag = {0};
  for (uint64_t done = 0; done < run->n; done += BENCH_BAG) {
    for (int i = 0; i < BENCH_BAG; i++) {
      raw_handle *handle = malloc(sizeof *handle);
      if (!handle) abort();
      *handle = (raw_handle){&hub, raw_hub_add(&hub, hear, &tally, end)};
      raw_bag_add(&bag, unsubscribe, handle);
    }
    bench_begin(run);
    raw_bag_dispose(&bag);
    bench_end(run);
    raw_hub_emit(&hub, 1);
  }
  raw_hub_finish(&hub);
  return bench_checksum(tally);
}

/* own: an owner and its hooks from malloc, the hooks called, all of it freed. */
static uint64_t own_with(bench_run *run, int hooks) {
  bench_tally tally = {0};
  bench_begin(run);
  for (uint64_t i = 0; i < run->n; i++) {
    raw_owner *owner = raw_owner_create();
    for (int k = 0; k < hooks; k++) raw_owner_add(owner, end, &tally);
    raw_owner_die(owner);
  }
  bench_end(run);
  return bench_checksum(tally);
}

static uint64_t own1(bench_run *run) { return own_with(run, 1); }
static uint64_t own10(bench_run *run) { return own_with(run, 10); }

/* heap: a struct of next, ctx, ctx_free from malloc, and its slot in a growable array. */
static uint64_t heap(bench_run *run) {
  bench_tally tally = {0};
  raw_list list = {0};
  uint64_t before = bench_heap_in_use();
  for (uint64_t i = 0; i < run->n; i++) raw_list_add(&list, hear, &tally, end);
  run->amount += bench_heap_in_use() - before;
  raw_list_emit(&list, 1);
  uint64_t checksum = bench_checksum(tally);
  raw_list_finish(&list);
  return checksum;
}

/* cold: an observer from malloc, handed to a producer, which sends one value and completes. */
static void produce(void *ctx, const raw_observer *observer) {
  observer->next(observer->ctx, *(int64_t *)ctx);
  observer->completed(observer->ctx);
}

typedef void (*raw_cold_fn)(raw_producer_fn producer, void *ctx, const raw_observer *observer);

static uint64_t cold_by(bench_run *run, raw_cold_fn subscribe) {
  bench_tally tally = {0};
  raw_observer observer = {.next = hear, .completed = end, .disposed = end, .ctx = &tally};
  bench_begin(run);
  for (uint64_t i = 0; i < run->n; i++) {
    int64_t value = (int64_t)i;
    subscribe(produce, &value, &observer);
  }
  bench_end(run);
  return bench_checksum(tally);
}

static uint64_t cold(bench_run *run) { return cold_by(run, raw_cold_subscribe); }
static uint64_t cold_stack(bench_run *run) { return cold_by(run, raw_cold_subscribe_on_stack); }

/* debounce: the latest value and the time by which silence has lasted, on a cached clock. */
typedef struct raw_debounce {
  int64_t latest;
  uint64_t deadline;
  const volatile uint64_t *now;
} raw_debounce;

static void hold(void *ctx, int64_t value) {
  raw_debounce *it = ctx;
  it->latest = value;
  it->deadline = *it->now + 3600000000000u;
}

static uint64_t debounce(bench_run *run) {
  bench_tally tally = {0};
  volatile uint64_t now = bench_clock();
  raw_debounce it = {0, 0, &now};
  raw_hub hub = {0};
  raw_hub_add(&hub, hold, &it, NULL);
  bench_begin(run);
  for (uint64_t i = 0; i < run->n; i++) raw_hub_emit(&hub, (int64_t)i);
  bench_end(run);
  hear(&tally, it.latest);
  end(&tally);
  raw_hub_finish(&hub);
  return bench_checksum(tally);
}

extern uint64_t bench_raw_chain3(bench_run *run), bench_raw_chain10(bench_run *run);

extern uint64_t bench_raw_call(bench_run *run), bench_raw_call_passed(bench_run *run);

static const bench_entry entries[] = {
    {"heap", heap},
    {"emit1", emit1},
    {"emit10", emit10},
    {"emit1000", emit1000},
    {"chain3", bench_raw_chain3},
    {"chain10", bench_raw_chain10},
    {"comb2", comb2},
    {"zip2", zip2},
    {"sub0", sub0},
    {"sub1000", sub1000},
    {"bag10k", bag10k},
    {"own1", own1},
    {"own10", own10},
    {"cold", cold},
    {"cold_stack", cold_stack},
    {"debounce", debounce},
#if BENCH_INTERCEPTION
    {"call", bench_raw_call},
    {"call_passed", bench_raw_call_passed},
#endif
    {NULL, NULL}};

const bench_peer bench_raw = {"raw", entries};
