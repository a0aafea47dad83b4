/* Calls of a function of a table, which adds a number: intercepted, in several ways, or not. */
#include <belay/belay.h>
#include <stddef.h>

#include "../bench.h"
#include "raw_parts.h"

typedef struct table {
  raw_hear_fn volatile hear;
} table;

static const belay_method methods[] = {BELAY_METHOD(table, hear, "v@q")};

typedef struct play {
  table functions;
  bench_tally tally;
  belay_interface *interface;
  belay_slot *slot;
} play;

static void begin(play *it) {
  *it = (play){.functions = {raw_hear}};
  it->interface = belay_interface_create(&(belay_interface_description){
      .size = sizeof(belay_interface_description),
      .name = "table",
      .table_size = sizeof(table),
      .methods = methods,
      .method_count = 1,
      .table_offset = BELAY_NO_TABLE,
  });
  it->slot = belay_slot_create_in_table(it->interface, &it->functions, "hear", 0);
}

static uint64_t call_all(play *it, bench_run *run) {
  raw_call_through(&it->functions.hear, &it->tally, run);
  belay_table_gone(&it->functions);
  belay_slot_release(it->slot);
  belay_interface_release(it->interface);
  return bench_checksum(it->tally);
}

static int go_on(void *ctx, belay_invocation *call) {
  ((bench_tally *)ctx)->ended++;
  return belay_invocation_proceed(call);
}
static void be_sent(void *ctx, belay_value arguments) {
  (void)arguments;
  ((bench_tally *)ctx)->ended++;
}
static void be_told(void *ctx, int64_t value) {
  (void)value;
  ((bench_tally *)ctx)->ended++;
}

/* It was intercepted, and is no more. */
uint64_t bench_belay_call(bench_run *run) {
  play it;
  belay_disposable *hook = NULL;
  begin(&it);
  belay_slot_around(it.slot, go_on, &it.tally, NULL, &hook);
  belay_disposable_dispose(hook);
  belay_disposable_release(hook);
  return call_all(&it, run);
}

/* Somebody has Belay's function still, which nobody wants any more. */
uint64_t bench_belay_call_passed(bench_run *run) {
  play it;
  belay_disposable *hook = NULL;
  begin(&it);
  belay_slot_around(it.slot, go_on, &it.tally, NULL, &hook);
  raw_hear_fn ours = it.functions.hear;
  belay_disposable_dispose(hook);
  belay_disposable_release(hook);
  it.functions.hear = ours;
  return call_all(&it, run);
}

uint64_t bench_belay_call_sent(bench_run *run) {
  play it;
  begin(&it);
  belay_signal *sent = belay_slot_sent(it.slot);
  belay_observer observer = {.size = sizeof observer, .next = be_sent, .ctx = &it.tally};
  belay_signal_subscribe(sent, &observer, NULL);
  belay_signal_release(sent);
  return call_all(&it, run);
}

uint64_t bench_belay_call_connected(bench_run *run) {
  play it;
  begin(&it);
  belay_slot_connect(it.slot, "v@q", (belay_function)be_told, &it.tally, NULL, NULL);
  return call_all(&it, run);
}

uint64_t bench_belay_call_around(bench_run *run) {
  play it;
  begin(&it);
  belay_slot_around(it.slot, go_on, &it.tally, NULL, NULL);
  return call_all(&it, run);
}
