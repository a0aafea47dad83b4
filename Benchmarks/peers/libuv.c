/* libuv by hand: a queue under a mutex, and uv_async_send for each value. */
#include <stdlib.h>
#include <uv.h>

#include "../post.h"

typedef struct uv_inbox {
  uv_loop_t loop;
  uv_async_t wake;
  uv_mutex_t lock;
  int64_t *values; /* filled by the sender … */
  int64_t *taken;  /* … and swapped for this one by the loop */
  size_t count;
  int stopping;
  void (*hear)(void *ctx, int64_t value);
  void *ctx;
} uv_inbox;

enum { INBOX_CAPACITY = 65536 };

static uv_inbox inbox;

static void hear(void *ctx, int64_t value) { post_hear(ctx, (uint64_t)value); }

static void drain(uv_async_t *wake) {
  uv_mutex_lock(&inbox.lock);
  int64_t *values = inbox.values;
  size_t count = inbox.count;
  int stopping = inbox.stopping;
  inbox.values = inbox.taken;
  inbox.taken = values;
  inbox.count = 0;
  uv_mutex_unlock(&inbox.lock);
  for (size_t i = 0; i < count; i++) inbox.hear(inbox.ctx, values[i]);
  if (stopping) uv_close((uv_handle_t *)wake, NULL);
}

static void serve(post_line *line) {
  inbox = (uv_inbox){.hear = hear, .ctx = line};
  inbox.values = malloc(INBOX_CAPACITY * sizeof *inbox.values);
  inbox.taken = malloc(INBOX_CAPACITY * sizeof *inbox.taken);
  if (!inbox.values || !inbox.taken) abort();
  if (uv_loop_init(&inbox.loop) || uv_mutex_init(&inbox.lock)) abort();
  if (uv_async_init(&inbox.loop, &inbox.wake, drain)) abort();
  sem_post(&line->ready);
  uv_run(&inbox.loop, UV_RUN_DEFAULT);
  uv_loop_close(&inbox.loop);
  uv_mutex_destroy(&inbox.lock);
  free(inbox.values);
  free(inbox.taken);
}

static int send_value(int64_t value) {
  uv_mutex_lock(&inbox.lock);
  int full = inbox.count == INBOX_CAPACITY;
  if (!full) inbox.values[inbox.count++] = value;
  uv_mutex_unlock(&inbox.lock);
  if (full) return UV_EAGAIN;
  return uv_async_send(&inbox.wake);
}

static void post(uint64_t first, uint64_t count) {
  for (uint64_t i = 0; i < count; i++)
    if (send_value((int64_t)(first + i)) < 0) abort();
}

static void stop(void) {
  uv_mutex_lock(&inbox.lock);
  inbox.stopping = 1;
  uv_mutex_unlock(&inbox.lock);
  uv_async_send(&inbox.wake);
}

static uint64_t post_row(bench_run *run) {
  static const post_mechanism mechanism = {serve, post, stop};
  return post_measure(run, &mechanism);
}

/* timers: the handles are in one array, and closed when they have been due. */
static bench_tally timers_tally;
static void is_due(uv_timer_t *timer) {
  timers_tally.heard += (uint64_t)(uintptr_t)timer->data;
  uv_close((uv_handle_t *)timer, NULL);
}

static uint64_t timers(bench_run *run) {
  run->on_processor = 1;
  timers_tally = (bench_tally){0};
  for (uint64_t first = 0; first < run->n; first += BENCH_TIMERS) {
    uv_loop_t loop;
    uv_timer_t *all = malloc(BENCH_TIMERS * sizeof *all);
    if (!all || uv_loop_init(&loop)) abort();
    bench_begin(run);
    for (uint64_t i = 0; i < BENCH_TIMERS; i++) {
      uv_timer_init(&loop, &all[i]);
      all[i].data = (void *)(uintptr_t)(first + i);
      uv_timer_start(&all[i], is_due, bench_delay(first + i), 0);
    }
    uv_run(&loop, UV_RUN_DEFAULT);
    bench_end(run);
    if (uv_loop_close(&loop)) abort();
    free(all);
  }
  return bench_checksum(timers_tally);
}

static const bench_entry entries[] = {{"post", post_row}, {"timers", timers}, {NULL, NULL}};

const bench_peer bench_libuv = {"libuv", entries};
