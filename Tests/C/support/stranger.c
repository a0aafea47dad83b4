/* A library that shares a loop with a program that it knows nothing of, and is unloaded. */
#include "stranger.h"

#include <belay/belay.h>

static stranger_counts *counts;
static belay_loop *loop;
static belay_signal *subject, *lines;

static void *given(void) {
  counts->begun++;
  return counts;
}

static void let_go(void *ctx) { ((stranger_counts *)ctx)->freed++; }

static void tick(void *ctx) {
  counts->ticks++;
  belay_subject_next(subject, belay_int32(counts->ticks));
}

static void hear(void *ctx, belay_value value) { counts->heard++; }

static void posted(void *ctx) {
  if (belay_loop_post(loop, posted, given(), let_go) < 0) return;
}

static void closed(void *ctx, const belay_open_resource *const *left, size_t count) {
  counts->closed++;
  counts->left = (int)count;
}

static int listen(belay_signal *signal) {
  return belay_signal_subscribe(signal,
                                &(belay_observer){.size = sizeof(belay_observer),
                                                  .next = hear,
                                                  .ctx = given(),
                                                  .ctx_free = let_go,
                                                  .loop = loop},
                                NULL);
}

__attribute__((visibility("default"))) int stranger_begin(struct uv_loop_s *uv,
                                                          stranger_counts *in) {
  counts = in;
  loop =
      belay_loop_adopt(uv, &(belay_loop_options){.size = sizeof(belay_loop_options), .quiet = 1});
  if (!loop) return -1;
  belay_scheduler *scheduler = belay_loop_get_scheduler(loop);
  subject = belay_subject_create(NULL);
  lines = belay_signal_interval(scheduler, 0.001);
  if (listen(subject) || listen(lines)) return -2;
  if (belay_scheduler_every(scheduler, 0.001, 0.001, 0, tick, given(), let_go, NULL)) return -3;
  if (belay_scheduler_after(scheduler, 1000, tick, given(), let_go, NULL)) return -4;
  posted(NULL);
  return 0;
}

__attribute__((visibility("default"))) int stranger_end(void) {
  int code = belay_loop_close(loop, closed, given(), let_go);
  belay_loop_release(loop);
  belay_signal_release(lines);
  belay_signal_release(subject);
  return code;
}
