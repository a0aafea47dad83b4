/* File events while a callback of file events runs turns: other subscriptions hear of theirs. */
#include "watching.h"

static int heard[2], turned;

static void count_over(void *count) { ++*(int *)count; }

static void touch_in(int directory, int number) {
  char path[64];
  snprintf(path, sizeof path, "%d/%d", directory, number);
  write_new(path);
}

/* Counts what is created. */
static void count_created(void *ctx, belay_value value) {
  belay_view name;
  heard[*(int *)ctx] += read_file_event(value, &name) == BELAY_FILE_CREATED;
}

static int directories[] = {0, 1};
static belay_disposable *subscribe_to(int directory, void (*next)(void *ctx, belay_value value)) {
  char path[16];
  belay_disposable *disposable = NULL;
  belay_observer observer = BELAY_INIT(belay_observer);
  observer.next = next;
  observer.error = trace_message;
  observer.ctx = &directories[directory];
  snprintf(path, sizeof path, "%d", directory);
  belay_signal *events = belay_file_events(loop, in_folder(path));
  CHECK_INT(belay_signal_subscribe(events, &observer, &disposable), 0);
  belay_signal_release(events);
  return disposable;
}

static void make_directories(void) {
  begin();
  heard[0] = heard[1] = turned = 0;
  CHECK_INT(mkdir(in_folder("0"), 0700), 0);
  CHECK_INT(mkdir(in_folder("1"), 0700), 0);
}
static void end_both(belay_disposable *first, belay_disposable *second) {
  CHECK_TRACE("");
  if (first) end_subscription(first);
  if (second) end_subscription(second);
  run_to_end(loop);
  finish();
}

/* Turns until the other one has heard, at most for a time that is never reached. */
static void await_the_other(void *ctx) {
  belay_disposable *guard = NULL;
  int is_over = 0, other = 1 - *(int *)ctx, before = heard[other];
  CHECK_INT(belay_scheduler_after(belay_loop_get_scheduler(loop), 60, count_over, &is_over, NULL,
                                  &guard), 0);
  while (heard[other] == before && !is_over) CHECK(belay_loop_run(loop, BELAY_RUN_ONCE) >= 0);
  CHECK(!is_over);
  end_subscription(guard);
}

static void touch_and_await_the_other(void *ctx, belay_value value) {
  count_created(ctx, value);
  if (turned++) return;
  touch_in(1 - *(int *)ctx, 1);
  await_the_other(ctx);
}
static void another_directory_is_heard_inside(void) {
  make_directories();
  belay_disposable *first = subscribe_to(0, touch_and_await_the_other);
  belay_disposable *second = subscribe_to(1, count_created);
  touch_in(0, 1);
  while (!heard[0]) CHECK(belay_loop_run(loop, BELAY_RUN_ONCE) >= 0);
  CHECK_INT(heard[1], 1);
  end_both(first, second);
}

/* Whoever hears first, what is read with it is the other's. */
static void only_await_the_other(void *ctx, belay_value value) {
  count_created(ctx, value);
  if (!turned++) await_the_other(ctx);
}
static void what_was_read_before_is_heard_inside(void) {
  make_directories();
  belay_disposable *first = subscribe_to(0, only_await_the_other);
  belay_disposable *second = subscribe_to(1, only_await_the_other);
  for (int i = 1; i <= 3; i++) {
    touch_in(0, i);
    touch_in(1, i);
  }
  while (heard[0] + heard[1] < 6) CHECK(belay_loop_run(loop, BELAY_RUN_ONCE) >= 0);
  CHECK_INT(heard[0], 3);
  end_both(first, second);
}

/* The directory of the one who is inside is the only one at first. */
static belay_disposable *joined;
static void join_inside(void *ctx, belay_value value) {
  count_created(ctx, value);
  if (turned++) return;
  CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  joined = subscribe_to(1, count_created);
  touch_in(1, 1);
  await_the_other(ctx);
}
static void who_joins_inside_is_heard(void) {
  make_directories();
  belay_disposable *first = subscribe_to(0, join_inside);
  touch_in(0, 1);
  touch_in(0, 2);
  while (heard[0] < 2) CHECK(belay_loop_run(loop, BELAY_RUN_ONCE) >= 0);
  CHECK_INT(heard[1], 1);
  end_both(first, joined);
}

/* Nobody else hears: the turns wait, and what comes waits in the system. */
static void turn_while_many_come(void *ctx, belay_value value) {
  belay_disposable *timer = NULL;
  int is_over = 0;
  count_created(ctx, value);
  if (turned++) return;
  for (int i = 2; i <= 1500; i++) {
    touch_in(0, i);
    CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  }
  CHECK_INT(heard[0], 1);
  CHECK_INT(belay_scheduler_after(belay_loop_get_scheduler(loop), 0.05, count_over, &is_over, NULL,
                                  &timer), 0);
  uint64_t turns = belay_loop_turns(loop);
  while (!is_over) CHECK(belay_loop_run(loop, BELAY_RUN_ONCE) >= 0);
  CHECK(belay_loop_turns(loop) - turns < 20);
  end_subscription(timer);
}
static void what_nobody_else_hears_waits(void) {
  make_directories();
  belay_disposable *first = subscribe_to(0, turn_while_many_come);
  touch_in(0, 1);
  while (heard[0] < 1500 && !*trace_text()) CHECK(belay_loop_run(loop, BELAY_RUN_ONCE) >= 0);
  end_both(first, NULL);
}

static const test_case cases[] = {
    CASE(another_directory_is_heard_inside),
    CASE(what_was_read_before_is_heard_inside),
    CASE(who_joins_inside_is_heard),
    CASE(what_nobody_else_hears_waits),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
