#include "guest.h"

#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "workload.h"

typedef enum phase { ALL_AT_ONCE, A_TIMER, A_POST, A_NESTED_RUN, OVER } phase;

struct guest {
  host_loop host;
  belay_loop *loop;
  workload workload;
  phase phase;
  pthread_t thread;
  bool has_thread, is_inside, is_outside_again;
  int nested_timers, nested_posts, freed, begun;
  double due; /* when the timer of this phase is due at the latest; 0: there is none */
  int turns, empty;
};

static void freed(void *ctx) { ((guest *)ctx)->freed++; }

static void arm(guest *self, double delay, belay_action_fn action) {
  self->begun++;
  CHECK(belay_scheduler_after(belay_loop_get_scheduler(self->loop), delay, action, self, freed,
                              NULL) == 0,
        "%s", belay_error_message(belay_last_error()));
}

static void next_phase(guest *self);

/* ---- a timer, which nothing else wakes the host for ---- */

static void alone_fired(void *ctx) {
  guest *self = ctx;
  self->due = 0;
  next_phase(self);
}

/* ---- a post of a thread ---- */

static void post_arrived(void *ctx) {
  guest *self = ctx;
  if (self->phase == A_POST) next_phase(self);
  else self->nested_posts++;
}

static void *post_soon(void *ctx) {
  guest *self = ctx;
  poll(NULL, 0, 10);
  CHECK(belay_loop_post(self->loop, post_arrived, self, freed) == 0, "the post was refused");
  return NULL;
}

static void join(guest *self) {
  if (self->has_thread) pthread_join(self->thread, NULL);
  self->has_thread = false;
}

static void post_from_a_thread(guest *self) {
  join(self);
  self->begun++;
  self->has_thread = pthread_create(&self->thread, NULL, post_soon, self) == 0;
  CHECK(self->has_thread, "no thread");
}

/* ---- a callback that runs the host's loop ---- */

static void nested_timer(void *ctx) {
  guest *self = ctx;
  CHECK(self->is_inside, "a timer of the nested run came later");
  if (++self->nested_timers < 5) arm(self, 0.003, nested_timer);
  else if (self->nested_timers == 5) post_from_a_thread(self);
}

static void run_nested(void *ctx) {
  guest *self = ctx;
  self->is_inside = true;
  arm(self, 0.003, nested_timer);
  self->host.enter(self->host.ctx);
  self->is_inside = false;
  self->is_outside_again = true;
}

/* ---- all of it ---- */

static void next_phase(guest *self) {
  self->phase++;
  if (self->phase == A_POST) post_from_a_thread(self);
  if (self->phase == A_NESTED_RUN && !self->host.enter) self->phase++;
  if (self->phase == A_NESTED_RUN) arm(self, 0.002, run_nested);
}

guest *guest_begin(const host_loop *host) {
  guest *self = calloc(1, sizeof *self);
  if (!self) abort();
  alarm(60); /* without a wake-up the host would wait for ever */
  self->host = *host;
  self->loop = belay_loop_create(&BELAY_INIT(belay_loop_options, .label = "guest"));
  CHECK(self->loop, "no loop");
  CHECK(workload_start(&self->workload, self->loop), "%s", belay_error_message(belay_last_error()));
  return self;
}

int guest_fd(guest *self) { return belay_loop_fd(self->loop); }
belay_loop *guest_loop(guest *self) { return self->loop; }

static int events(const guest *self) { return workload_events(&self->workload) + self->freed; }

void guest_turn(guest *self) {
  double before = monotonic_seconds();
  int events_before = events(self);
  CHECK(belay_loop_run(self->loop, BELAY_RUN_NOWAIT) >= 0, "%s",
        belay_error_message(belay_last_error()));
  int overdue = workload_overdue(&self->workload, before);
  CHECK(overdue == 0, "%d late by more than a turn", overdue);
  CHECK(self->due == 0 || self->due + GRAIN > before, "a timer is late by more than a turn");
  self->turns++;
  if (events(self) == events_before) self->empty++;

  if (self->is_inside && self->nested_posts) self->host.leave(self->host.ctx);
  if (self->phase == ALL_AT_ONCE && workload_is_done(&self->workload)) {
    /* It is armed outside of a turn. */
    self->phase = A_TIMER;
    arm(self, 0.02, alone_fired);
    self->due = monotonic_seconds() + 0.02;
  }
  if (self->is_outside_again) {
    self->is_outside_again = false;
    next_phase(self);
  }
  if (self->phase == OVER) self->host.leave(self->host.ctx);
}

static void closed(void *ctx, const belay_open_resource *const *resources, size_t count) {
  *(bool *)ctx = true;
  for (size_t i = 0; i < count; i++)
    CHECK(0, "a %s is still open", belay_open_resource_kind(resources[i]));
}

int guest_end(guest *self) {
  bool was_closed = false;
  join(self);
  workload_finish(&self->workload);
  CHECK(self->phase == OVER, "left in phase %d", self->phase);
  CHECK(self->workload.ticks == TICKS, "%d ticks", self->workload.ticks);
  CHECK(self->workload.in_order, "posts ran out of order");
  CHECK(self->workload.freed == TIMERS + 1 + POSTS, "%d contexts freed", self->workload.freed);
  CHECK(self->freed == self->begun, "%d of %d contexts freed", self->freed, self->begun);
  if (self->host.enter) CHECK(self->nested_timers == 5, "%d nested timers", self->nested_timers);
  /* A descriptor that stays readable would have a host that spins. */
  int bound = TIMERS + TICKS + POSTS + self->begun + 10;
  CHECK(self->empty <= bound, "%d of %d turns for nothing", self->empty, self->turns);
  CHECK(belay_loop_close(self->loop, closed, &was_closed, NULL) == 0, "the close failed");
  CHECK(was_closed, "close returned before it was done");
  belay_loop_release(self->loop);
  CHECK(belay_live_count(BELAY_LIVE_KINDS) == 0, "%zu left alive",
        belay_live_count(BELAY_LIVE_KINDS));
  printf("%d turns, %d of them empty%s\n", self->turns, self->empty,
         self->host.enter ? ", with nested runs" : "");
  free(self);
  return failed_checks ? EXIT_FAILURE : EXIT_SUCCESS;
}
