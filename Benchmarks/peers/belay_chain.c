/* Belay's chains of operators; see belay.c. */
#include <belay/belay.h>

#include "../bench.h"

static void hear(void *ctx, belay_value value) { ((bench_tally *)ctx)->heard += value.payload_; }

static belay_value add_one(void *ctx, belay_value value) {
  (void)ctx;
  return belay_int64((int64_t)value.payload_ + 1);
}

static int is_any(void *ctx, belay_value value) {
  return *(uint64_t *)ctx <= value.payload_;
}

static belay_signal *just(void *ctx, belay_value value) {
  (void)ctx;
  return belay_signal_just(value);
}

/* Sends 0, 1, 2, … through the operators. */
static uint64_t send_through(bench_run *run, belay_op *const *ops, size_t count) {
  bench_tally tally = {0};
  belay_signal *subject = belay_subject_create(NULL);
  belay_signal *chain = belay_signal_chain_n(belay_signal_retain(subject), ops, count);
  belay_signal_subscribe(
      chain, &(belay_observer){.size = sizeof(belay_observer), .next = hear, .ctx = &tally}, NULL);
  bench_begin(run);
  for (uint64_t i = 0; i < run->n; i++) belay_subject_next(subject, belay_int64((int64_t)i));
  bench_end(run);
  belay_signal_release(chain);
  belay_signal_release(subject);
  return bench_checksum(tally);
}

uint64_t bench_belay_chain3(bench_run *run) {
  uint64_t least = 0;
  return send_through(run,
                      (belay_op *const[]){belay_op_map(add_one, NULL, NULL),
                                          belay_op_filter(is_any, &least, NULL),
                                          belay_op_map(add_one, NULL, NULL)},
                      3);
}

uint64_t bench_belay_chain10(bench_run *run) {
  belay_op *ops[10];
  for (int i = 0; i < 10; i++) ops[i] = belay_op_map(add_one, NULL, NULL);
  return send_through(run, ops, 10);
}

uint64_t bench_belay_flatjust(bench_run *run) {
  return send_through(run,
                      (belay_op *const[]){belay_op_flat_map(BELAY_UNLIMITED, just, NULL, NULL)}, 1);
}
