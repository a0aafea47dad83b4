/* A host with an epoll loop of its own and no uv_run: it drives Belay by the backend's descriptor
   and timeout, then by the single descriptor alone, beside a pipe of its own in the same set. */
#include <belay/belay.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "check.h"
#include "workload.h"

typedef enum mode { BY_FD_AND_TIMEOUT, BY_SINGLE_FD } mode;

typedef struct host {
  mode mode;
  int epoll;
  int belay_fd;
  belay_loop *loop;
  workload workload;
  int wakeups;     /* how often epoll_wait has returned */
  int empty;       /* how often it did without anything happening */
  int pipe_events; /* bytes read from the pipe */
  uint64_t runs;   /* turns of Belay's loop */
} host;

static void watch(host *host, int fd) {
  struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
  CHECK(epoll_ctl(host->epoll, EPOLL_CTL_ADD, fd, &event) == 0, "descriptor %d", fd);
}

/* Whole milliseconds, rounded up. Rounded down, the last one would be waited for by spinning. */
static int to_milliseconds(double seconds) {
  return seconds < 0 ? -1 : (int)ceil(seconds * 1000 - 1e-6);
}

/* It is asked before every wait, for the turn before may have armed something. */
static int time_to_wait(host *host) {
  if (host->mode == BY_SINGLE_FD) return -1;
  double asked_at = monotonic_seconds(), due = workload_next_due(&host->workload);
  double timeout = belay_loop_backend_timeout(host->loop);
  if (due > 0)
    CHECK(timeout == 0 || (timeout > 0 && asked_at + timeout <= due + GRAIN),
          "%f s, and the next timer is due in %f s", timeout, due - asked_at);
  return to_milliseconds(timeout);
}

/* A timer that is due makes the single descriptor readable, after a moment that the kernel
   needs. */
static void check_readable_when_overdue(host *host) {
  if (host->mode != BY_SINGLE_FD || !workload_overdue(&host->workload, monotonic_seconds())) return;
  CHECK(poll(&(struct pollfd){.fd = host->belay_fd, .events = POLLIN}, 1, 1000) == 1,
        "a timer is due and the descriptor is silent");
}

static void run_turn(host *host) {
  double before = monotonic_seconds();
  CHECK(belay_loop_run(host->loop, BELAY_RUN_NOWAIT) >= 0, "%s",
        belay_error_message(belay_last_error()));
  host->runs++;
  int overdue = workload_overdue(&host->workload, before);
  CHECK(overdue == 0, "%d late by more than a turn", overdue);
}

static void wait_once(host *host) {
  struct epoll_event ready[4];
  int events_before = workload_events(&host->workload) + host->pipe_events;
  int timeout = time_to_wait(host);
  int count = epoll_wait(host->epoll, ready, 4, timeout);
  host->wakeups++;
  bool belay_ready = count == 0;
  for (int i = 0; i < count; i++) {
    char bytes[64];
    if (ready[i].data.fd == host->belay_fd)
      belay_ready = true;
    else
      for (ssize_t n; (n = read(ready[i].data.fd, bytes, sizeof bytes)) > 0;)
        host->pipe_events += (int)n;
  }
  check_readable_when_overdue(host);
  if (belay_ready) run_turn(host);
  if (workload_events(&host->workload) + host->pipe_events == events_before) host->empty++;
}

static void work_through(host *host) {
  run_turn(host); /* finishes what making the loop left to do */
  CHECK(workload_start(&host->workload, host->loop), "%s",
        belay_error_message(belay_last_error()));
  watch(host, host->workload.pipe[0]);

  uint64_t turns = belay_loop_turns(host->loop);
  host->wakeups = host->empty = 0;
  host->runs = 0;
  while (!workload_is_done(&host->workload) || host->pipe_events < WRITES) wait_once(host);
  turns = belay_loop_turns(host->loop) - turns;
  workload_finish(&host->workload);

  printf("%d timers, %d ticks, %d posts, %d pipe events: %d wake-ups, %d of them empty, %d turns\n",
         host->workload.timers_fired, host->workload.ticks, host->workload.posts_run,
         host->pipe_events, host->wakeups, host->empty, (int)turns);
  CHECK(host->workload.ticks == TICKS, "%d ticks", host->workload.ticks);
  CHECK(host->workload.in_order, "posts ran out of order");
  CHECK(host->workload.freed == TIMERS + 1 + POSTS, "%d contexts freed", host->workload.freed);
  CHECK(turns == host->runs, "%d turns, %d runs", (int)turns, (int)host->runs);
  /* Each wake-up has its event. A turn may take a post whose wake-up then comes for nothing, and
     the first wait may end at once, because of what was armed outside a turn. */
  CHECK(host->empty <= POSTS + 1, "%d wake-ups for nothing", host->empty);
  CHECK(host->wakeups <= TIMERS + TICKS + POSTS + WRITES + 1, "%d wake-ups", host->wakeups);
}

static void count_run(void *ctx) { ++*(int *)ctx; }

/* A post still gets through when nothing else is waited for, and the descriptor is silent after
   it. */
static void post_when_idle(host *host) {
  int runs = 0, rounds = 0;
  CHECK(belay_loop_alive(host->loop) == 0, "all is done, and yet it is alive");
  if (host->mode == BY_FD_AND_TIMEOUT)
    CHECK(belay_loop_backend_timeout(host->loop) < 0, "nothing to wait for, and yet a limit");
  CHECK(belay_loop_post(host->loop, count_run, &runs, NULL) >= 0, "%s",
        belay_error_message(belay_last_error()));
  struct pollfd belay = {.fd = host->belay_fd, .events = POLLIN};
  while (rounds < 10 && poll(&belay, 1, rounds ? 20 : 1000) == 1) {
    belay_loop_run(host->loop, BELAY_RUN_NOWAIT);
    rounds++;
  }
  printf("idle: a post took %d wake-up(s)\n", rounds);
  CHECK(runs == 1, "the post ran %d times", runs);
  CHECK(rounds <= 2, "%d wake-ups for one post", rounds);
}

static void closed(void *ctx, const belay_open_resource *const *resources, size_t count) {
  *(bool *)ctx = true;
  for (size_t i = 0; i < count; i++) {
    const char *label = belay_open_resource_label(resources[i]);
    CHECK(0, "%s %s is still open", belay_open_resource_kind(resources[i]), label ? label : "");
  }
}

static void drive(mode mode) {
  host host = {.mode = mode, .epoll = epoll_create1(EPOLL_CLOEXEC)};
  host.loop = belay_loop_create(&(belay_loop_options){
      .size = sizeof(belay_loop_options), .label = "guest", .site = BELAY_HERE});
  CHECK(host.loop != NULL, "no loop");
  host.belay_fd =
      mode == BY_SINGLE_FD ? belay_loop_fd(host.loop) : belay_loop_backend_fd(host.loop);
  watch(&host, host.belay_fd);

  work_through(&host);
  post_when_idle(&host);

  bool was_closed = false;
  CHECK(belay_loop_close(host.loop, closed, &was_closed, NULL) >= 0, "%s",
        belay_error_message(belay_last_error()));
  CHECK(was_closed, "close returned before it was done");
  belay_loop_release(host.loop);
  close(host.epoll);
  CHECK(belay_live_count(BELAY_LIVE_KINDS) == 0, "%zu left alive",
        belay_live_count(BELAY_LIVE_KINDS));
}

int main(void) {
  alarm(30); /* without the wake-up it would wait for ever */
  puts("by the backend's descriptor and timeout");
  drive(BY_FD_AND_TIMEOUT);
  puts("by the single descriptor");
  drive(BY_SINGLE_FD);
  return failed_checks ? EXIT_FAILURE : EXIT_SUCCESS;
}
