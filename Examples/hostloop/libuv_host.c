/* A libuv program that takes Belay onto its own loop while that is running, uses both, closes
   Belay, then its own handles, and is left with a loop that uv_loop_close() accepts. */
#include <belay/belay.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>
#include <uv.h>

#include "check.h"
#include "workload.h"

#define HOST_TICKS 30
#define HOST_TICK_MS 10
#define ASYNCS 5

typedef struct host {
  uv_loop_t uv;
  uv_timer_t timer;
  uv_async_t async;
  uv_check_t turn; /* counts turns, keeps nothing alive */
  uv_poll_t pipe;
  uv_thread_t sender;
  belay_loop *belay;
  workload workload;
  int ticks, asyncs, turns, pipe_bytes;
  bool adopted, closing, belay_closed;
} host;

/* It is not the host itself, for a loop's data may be anything. */
static int marker;

/* ---- the end: Belay first, then the host's own ---- */

static void close_own_handles(host *host) {
  uv_close((uv_handle_t *)&host->timer, NULL);
  uv_close((uv_handle_t *)&host->async, NULL);
  uv_close((uv_handle_t *)&host->turn, NULL);
  uv_close((uv_handle_t *)&host->pipe, NULL);
}

static void belay_closed(void *ctx, const belay_open_resource *const *resources, size_t count) {
  host *host = ctx;
  size_t foreign = 0;
  for (size_t i = 0; i < count; i++) {
    CHECK(belay_open_resource_is_foreign(resources[i]), "%s of Belay's is still open",
          belay_open_resource_kind(resources[i]));
    if (belay_open_resource_is_foreign(resources[i])) foreign++;
  }
  printf("Belay is closed; %zu handles of the host's were left alone\n", foreign);
  CHECK(!uv_is_closing((uv_handle_t *)&host->timer), "Belay closed the host's timer");
  CHECK(uv_is_active((uv_handle_t *)&host->timer), "Belay stopped the host's timer");
  host->belay_closed = true;
}
static void belay_close_freed(void *ctx) {
  host *host = ctx;
  CHECK(host->belay_closed, "ctx_free before the callback");
  close_own_handles(host);
}

static void close_when_done(host *host) {
  if (host->closing || !host->adopted || !workload_is_done(&host->workload)) return;
  if (host->ticks < HOST_TICKS || host->asyncs < 1 || host->pipe_bytes < WRITES) return;
  host->closing = true;
  uv_poll_stop(&host->pipe); /* before its descriptor goes */
  workload_finish(&host->workload);
  uv_thread_join(&host->sender);
  CHECK(belay_loop_close(host->belay, belay_closed, host, belay_close_freed) >= 0, "%s",
        belay_error_message(belay_last_error()));
}

/* ---- the host's own work ---- */

static void host_sender(void *ctx) {
  host *host = ctx;
  for (int i = 0; i < ASYNCS; i++) {
    uv_sleep(15);
    uv_async_send(&host->async);
  }
}
static void host_async(uv_async_t *async) { ((host *)async->data)->asyncs++; }
static void host_turn(uv_check_t *check) { ((host *)check->data)->turns++; }
static void host_pipe(uv_poll_t *poll, int status, int events) {
  host *host = poll->data;
  char bytes[64];
  CHECK(status == 0 && events == UV_READABLE, "status %d, events %d", status, events);
  for (ssize_t n; (n = read(host->workload.pipe[0], bytes, sizeof bytes)) > 0;)
    host->pipe_bytes += (int)n;
}

static void adopt(host *host) {
  host->belay = belay_loop_adopt(
      &host->uv,
      &(belay_loop_options){.size = sizeof(belay_loop_options),
                            .label = "adopted",
                            .site = BELAY_HERE,
                            .uv_version = UV_VERSION_HEX});
  CHECK(host->belay != NULL, "%s", belay_error_message(belay_last_error()));
  if (!host->belay) exit(EXIT_FAILURE);
  CHECK(belay_loop_uv(host->belay) == &host->uv, "another loop");
  CHECK(belay_loop_current() == host->belay, "not bound to this thread");
  CHECK(belay_loop_run(host->belay, BELAY_RUN_DEFAULT) == BELAY_EINVAL, "it ran the host's loop");
  while (belay_last_error()) continue; /* that error was made on purpose */
  CHECK(workload_start(&host->workload, host->belay), "%s",
        belay_error_message(belay_last_error()));
  uv_poll_init(&host->uv, &host->pipe, host->workload.pipe[0]);
  host->pipe.data = host;
  uv_poll_start(&host->pipe, UV_READABLE, host_pipe);
  uv_thread_create(&host->sender, host_sender, host);
  host->turns = 0;
  host->adopted = true;
}

static void host_tick(uv_timer_t *timer) {
  host *host = timer->data;
  host->ticks++;
  if (host->ticks == 2) adopt(host);
  close_when_done(host);
}

/* ---- the two checks ---- */

static void note_closed(void *ctx, const belay_open_resource *const *resources, size_t count) {
  (void)resources;
  CHECK(count == 0, "%zu still open", count);
  *(bool *)ctx = true;
}

/* With nothing but Belay's handles the host's loop has nothing to wait for, and its run returns at
   once. */
static void idle_guest(void) {
  uv_loop_t uv;
  bool was_closed = false;
  uv_loop_init(&uv);
  belay_loop *belay = belay_loop_adopt(&uv, NULL);
  CHECK(belay != NULL, "%s", belay_error_message(belay_last_error()));
  CHECK(uv_loop_alive(&uv) == 0, "Belay keeps the loop alive");
  CHECK(uv_run(&uv, UV_RUN_DEFAULT) == 0, "run found something to wait for");
  CHECK(belay_loop_close(belay, note_closed, &was_closed, NULL) >= 0, "%s",
        belay_error_message(belay_last_error()));
  CHECK(was_closed, "the close was not carried out");
  belay_loop_release(belay);
  uv_run(&uv, UV_RUN_DEFAULT); /* libuv closes Belay's handles */
  CHECK(uv_loop_close(&uv) == 0, "the loop is busy");
}

static void busy_guest(void) {
  static host host;
  uv_loop_init(&host.uv);
  host.uv.data = &marker;
  uv_timer_init(&host.uv, &host.timer);
  uv_async_init(&host.uv, &host.async, host_async);
  uv_check_init(&host.uv, &host.turn);
  host.timer.data = host.async.data = host.turn.data = &host;
  uv_timer_start(&host.timer, host_tick, HOST_TICK_MS, HOST_TICK_MS);
  uv_check_start(&host.turn, host_turn);
  uv_unref((uv_handle_t *)&host.turn);

  CHECK(uv_run(&host.uv, UV_RUN_DEFAULT) == 0, "something keeps the loop alive");
  belay_loop_release(host.belay);

  workload *w = &host.workload;
  printf("%d timers, %d ticks, %d posts; the host: %d ticks, %d asyncs, %d bytes; %d turns\n",
         w->timers_fired, w->ticks, w->posts_run, host.ticks, host.asyncs, host.pipe_bytes,
         host.turns);
  CHECK(host.belay_closed, "Belay was never closed");
  CHECK(w->ticks == TICKS, "%d ticks", w->ticks);
  CHECK(w->in_order, "posts ran out of order");
  CHECK(w->freed == TIMERS + 1 + POSTS, "%d contexts freed", w->freed);
  CHECK(host.uv.data == &marker, "loop->data was touched");
  /* Each turn has its event. A turn that closes handles does not wait, so each of the two ends has
     one. A Belay that spins would have thousands. */
  int bound = TIMERS + TICKS + POSTS + WRITES + host.ticks + ASYNCS + 4;
  CHECK(host.turns <= bound, "%d turns for %d events", host.turns, bound);
  int rc = uv_loop_close(&host.uv);
  CHECK(rc == 0, "uv_loop_close: %s", uv_strerror(rc));
}

int main(void) {
  alarm(30); /* without the wake-up it would wait for ever */
  idle_guest();
  busy_guest();
  CHECK(belay_live_count(BELAY_LIVE_KINDS) == 0, "%zu left alive",
        belay_live_count(BELAY_LIVE_KINDS));
  return failed_checks ? EXIT_FAILURE : EXIT_SUCCESS;
}
