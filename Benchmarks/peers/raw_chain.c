/* Chains by hand: an array of functions, each called with what the one before it returned. */
#include "../bench.h"
#include "raw_parts.h"

typedef int64_t (*raw_map_fn)(void *ctx, int64_t value);
typedef int (*raw_filter_fn)(void *ctx, int64_t value);

typedef struct raw_chain {
  struct {
    raw_map_fn map;
    void *ctx;
  } maps[10];
  int count;
  raw_filter_fn filter; /* after the first map; NULL: none */
  void *filter_ctx;
  raw_next_fn next;
  void *ctx;
} raw_chain;

static int64_t add_one(void *ctx, int64_t value) {
  (void)ctx;
  return value + 1;
}

static int is_any(void *ctx, int64_t value) { return *(int64_t *)ctx <= value; }
static void hear(void *ctx, int64_t value) { ((bench_tally *)ctx)->heard += (uint64_t)value; }

static void run_maps(void *ctx, int64_t value) {
  raw_chain *chain = ctx;
  for (int i = 0; i < chain->count; i++)
    value = chain->maps[i].map(chain->maps[i].ctx, value);
  chain->next(chain->ctx, value);
}

static void run_filtered(void *ctx, int64_t value) {
  raw_chain *chain = ctx;
  value = chain->maps[0].map(chain->maps[0].ctx, value);
  if (!chain->filter(chain->filter_ctx, value)) return;
  chain->next(chain->ctx, chain->maps[1].map(chain->maps[1].ctx, value));
}

static void nothing(void *ctx) { (void)ctx; }

static uint64_t send_through(bench_run *run, raw_chain *chain, raw_next_fn entry) {
  bench_tally tally = {0};
  raw_hub hub = {0};
  chain->next = hear;
  chain->ctx = &tally;
  for (int i = 0; i < chain->count; i++) chain->maps[i].map = add_one;
  raw_hub_add(&hub, entry, chain, nothing);
  bench_begin(run);
  for (uint64_t i = 0; i < run->n; i++) raw_hub_emit(&hub, (int64_t)i);
  bench_end(run);
  raw_hub_finish(&hub);
  return bench_checksum(tally);
}

uint64_t bench_raw_chain3(bench_run *run) {
  int64_t least = 0;
  return send_through(run, &(raw_chain){.count = 2, .filter = is_any, .filter_ctx = &least},
                      run_filtered);
}

uint64_t bench_raw_chain10(bench_run *run) {
  return send_through(run, &(raw_chain){.count = 10}, run_maps);
}
