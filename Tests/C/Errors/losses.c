/* An accepted value that does not arrive is counted, and the first one of each place is
   reported. */
#include "printed.h"
#include "worker.h"

#include <unistd.h>
#include <uv.h>

/* ---- how much is lost, and what is said of it ---- */

static uint64_t lost_before;
static printed output;

static void begin_losses(void) {
  lost_before = belay_lost_count();
  begin_printed(&output);
}

/* Checks the count, and the one line that was printed: it contains `name`. NULL: nothing was
   printed. */
static void end_losses(unsigned count, const char *name) {
  char line[1024];
  end_printed(&output, line, sizeof line);
  CHECK_INT(belay_lost_count() - lost_before, count);
  if (!name) CHECK_STRING(line, "");
  if (!name) return;
  if (!strstr(line, name)) CHECK_STRING(line, name);
  CHECK(strchr(line, '\n') == line + strlen(line) - 1);
}

static belay_signal *subject_at(belay_loop *loop, const char *label) {
  belay_source_options options = {
      .size = sizeof options, .label = label, .site = "losses.c:1", .loop = loop};
  belay_signal *subject = belay_subject_create(&options);
  CHECK(subject != NULL);
  return subject;
}

static void send_three(void *subject) {
  for (int i = 1; i <= 3; i++) CHECK_INT(send_to(subject, i), BELAY_QUEUED);
}
static void send_three_and_an_end(void *subject) {
  send_three(subject);
  CHECK_INT(belay_subject_completed(subject), BELAY_QUEUED);
}
static void complete_elsewhere(void *subject) {
  CHECK_INT(belay_subject_completed(subject), BELAY_QUEUED);
}

static void close_with_losses(belay_loop *loop) {
  CHECK_INT(belay_loop_close(loop, ignore_left, NULL, NULL), 0);
  belay_loop_release(loop);
}

/* ---- a loop closes ---- */

static void values_and_ends_on_their_way_to_a_loop_that_closes(void) {
  belay_loop *loop = open_loop();
  belay_signal *subject = subject_at(NULL, "rain");
  belay_disposable *subscription = watched(belay_signal_retain(subject), "");
  begin_losses();
  in_thread(send_three_and_an_end, subject);
  close_with_losses(loop);
  end_losses(4, "rain at losses.c:1: canceled");
  CHECK_TRACE("disposed | free");
  belay_disposable_release(subscription);
  belay_signal_release(subject);
}

static void an_interruption_on_its_way_is_none(void) {
  belay_loop *loop = open_loop();
  belay_signal *subject = subject_at(NULL, "rain");
  belay_disposable *subscription = watched(belay_signal_retain(subject), "");
  begin_losses();
  in_thread(release_signal, subject);
  close_with_losses(loop);
  end_losses(0, NULL);
  CHECK_TRACE("disposed | free");
  belay_disposable_release(subscription);
}

static belay_disposable *disposed_work;
static void ask_for_work(void *loop) {
  belay_scheduler *scheduler = belay_loop_get_scheduler(loop);
  for (int i = 0; i < 2; i++) CHECK_INT(belay_loop_post(loop, empty_action, "post", trace_free), 0);
  CHECK_INT(belay_scheduler_schedule(scheduler, empty_action, "work", trace_free, NULL), 0);
  CHECK_INT(belay_scheduler_after(scheduler, 0, empty_action, "timer", trace_free, NULL), 0);
  CHECK_INT(
      belay_scheduler_schedule(scheduler, empty_action, "disposed", trace_free, &disposed_work), 0);
  belay_disposable_dispose(disposed_work);
  belay_disposable_release(disposed_work);
}
static void work_on_its_way_to_a_loop_that_closes(void) {
  belay_loop *loop = open_loop();
  begin_losses();
  in_thread(ask_for_work, loop);
  CHECK_TRACE("free disposed");
  close_with_losses(loop);
  end_losses(4, "a loop or a pool: canceled");
  CHECK_TRACE("free post | free post | free work | free timer");
}

static void close_here(void *loop) {
  CHECK_INT(belay_loop_close(loop, ignore_left, NULL, NULL), 0);
}
static void a_loop_that_is_closed_from_inside_its_mail(void) {
  belay_loop *loop = open_loop();
  belay_signal *subject = subject_at(NULL, "rain");
  belay_disposable *subscription = watched(belay_signal_retain(subject), "");
  CHECK_INT(belay_loop_post(loop, close_here, loop, NULL), 0);
  in_thread(send_three, subject);
  begin_losses();
  CHECK_INT(belay_loop_run(loop, BELAY_RUN_DEFAULT), 0);
  end_losses(3, "rain");
  CHECK_TRACE("disposed | free");
  belay_loop_release(loop);
  belay_disposable_release(subscription);
  belay_signal_release(subject);
}

/* ---- the loop of a subscription closes ---- */

typedef struct other {
  belay_loop *loop;
  routine routine;
  sem_t ready, go, done;
  int turns; /* how often it turns before it closes */
} other;

static void other_main(void *argument) {
  other *it = argument;
  it->loop = open_loop();
  sem_post(&it->ready);
  for (int i = 0; i < it->turns; i++) {
    wait_for(&it->go);
    turn(it->loop);
    sem_post(&it->done);
  }
  wait_for(&it->go);
  close_with_losses(it->loop);
}
static void start_other(other *it) {
  sem_init(&it->ready, 0, 0);
  sem_init(&it->go, 0, 0);
  sem_init(&it->done, 0, 0);
  start_thread(&it->routine, other_main, it);
  wait_for(&it->ready);
}
static void turn_other(other *it) {
  sem_post(&it->go);
  wait_for(&it->done);
}
static void close_other(other *it) {
  sem_post(&it->go);
  join_thread(&it->routine);
}

static belay_disposable *listening_at(belay_loop *loop, belay_signal *signal, int *count) {
  belay_observer observer = {
      .size = sizeof observer, .next = count_value, .ctx = count, .loop = loop};
  belay_disposable *subscription = NULL;
  CHECK_INT(belay_signal_subscribe(signal, &observer, &subscription), 0);
  return subscription;
}

static void hop_to_a_loop_that_closes(int disposes, int completes) {
  other there = {.turns = 1};
  int count = 0;
  start_other(&there);
  belay_loop *here = open_loop();
  belay_signal *subject = subject_at(NULL, "rain");
  belay_disposable *subscription = listening_at(there.loop, subject, &count);
  turn_other(&there);
  turn(here);
  begin_losses();
  for (int i = 0; i < 3; i++) CHECK_INT(send_to(subject, i), 0);
  if (completes) CHECK_INT(belay_subject_completed(subject), 0);
  if (disposes) belay_disposable_dispose(subscription);
  close_other(&there);
  end_losses(disposes ? 0 : 3 + completes, disposes ? NULL : "rain");
  CHECK_INT(count, 0);
  CHECK_INT(belay_disposable_is_disposed(subscription), 1);
  belay_disposable_release(subscription);
  belay_signal_release(subject);
  turn(here);
  close_loop(here);
}
static void values_on_their_way_to_a_subscription(void) { hop_to_a_loop_that_closes(0, 0); }
static void an_end_on_its_way_to_a_subscription(void) { hop_to_a_loop_that_closes(0, 1); }
static void what_a_disposed_subscription_misses_is_none(void) { hop_to_a_loop_that_closes(1, 1); }

static void change_over_to_a_loop_that_closes(int disposes) {
  other there = {.turns = 1};
  int count = 0;
  start_other(&there);
  belay_loop *here = open_loop();
  belay_signal *subject = subject_at(NULL, "rain");
  belay_signal *signal =
      belay_signal_chain(belay_signal_retain(subject),
                         belay_op_observe_on(belay_loop_get_scheduler(there.loop), NULL));
  belay_disposable *subscription = listening_at(NULL, signal, &count);
  turn_other(&there);
  turn(here);
  begin_losses();
  for (int i = 0; i < 3; i++) CHECK_INT(send_to(subject, i), 0);
  if (disposes) belay_disposable_dispose(subscription);
  close_other(&there);
  end_losses(disposes ? 0 : 3, disposes ? NULL : "rain.observe_on");
  CHECK_INT(count, 0);
  belay_disposable_release(subscription);
  belay_signal_release(signal);
  belay_signal_release(subject);
  turn(here);
  close_loop(here);
}
static void values_that_wait_at_a_change_over(void) { change_over_to_a_loop_that_closes(0); }
static void values_that_wait_for_a_disposed_one_are_none(void) {
  change_over_to_a_loop_that_closes(1);
}

/* ---- a pool's loop closes ---- */

static sem_t begun, go_on;
static void hold(void *ctx) {
  sem_post(&begun);
  wait_for(&go_on);
}
static unsigned taken;
static void let_go_when_closed(void *pool) {
  int code;
  while ((code = belay_scheduler_schedule(pool, empty_action, NULL, NULL, NULL)) !=
         BELAY_ECANCELED) {
    if (code == 0) taken++;
    sched_yield();
  }
  sem_post(&go_on);
}
static void work_that_waits_for_a_thread_of_a_pool(void) {
  belay_loop *loop = open_loop();
  belay_scheduler *pool = belay_scheduler_create_pool(loop);
  routine closer;
  sem_init(&begun, 0, 0);
  sem_init(&go_on, 0, 0);
  taken = 2;
  CHECK_INT(belay_scheduler_schedule(pool, hold, NULL, NULL, NULL), 0);
  for (int i = 0; i < 2; i++)
    CHECK_INT(belay_scheduler_schedule(pool, empty_action, NULL, NULL, NULL), 0);
  wait_for(&begun);
  begin_losses();
  start_thread(&closer, let_go_when_closed, pool);
  close_with_losses(loop);
  join_thread(&closer);
  CHECK(belay_lost_count() - lost_before == taken);
  lost_before = belay_lost_count();
  end_losses(0, NULL);
  belay_scheduler_release(pool);
}

/* ---- the source does not take what was taken for it ---- */

static void a_value_that_comes_after_the_end(void) {
  belay_loop *loop = open_loop();
  belay_signal *subject = subject_at(NULL, "rain");
  in_thread(send_three, subject);
  begin_losses();
  CHECK_INT(belay_subject_completed(subject), 0);
  turn(loop);
  end_losses(3, "rain at losses.c:1: the signal has ended");
  belay_signal_release(subject);
  close_loop(loop);
}
static void an_end_that_comes_after_the_end_is_none(void) {
  belay_loop *loop = open_loop();
  belay_signal *subject = subject_at(NULL, "rain");
  in_thread(complete_elsewhere, subject);
  begin_losses();
  CHECK_INT(belay_subject_completed(subject), 0);
  turn(loop);
  end_losses(0, NULL);
  belay_signal_release(subject);
  close_loop(loop);
}

/* The host runs its loop inside a callback, so that what was posted finds its source busy. */
static uv_loop_t host;
static int heard;
static void run_inside(void *subject, belay_value value) {
  if (++heard > 1) return;
  in_thread(send_three, subject);
  uv_run(&host, UV_RUN_NOWAIT);
}
static void mail_finds_its_source_busy(belay_reentrancy policy, size_t capacity, unsigned lost,
                                       const char *line) {
  CHECK_INT(uv_loop_init(&host), 0);
  belay_loop *loop = belay_loop_adopt(&host, NULL);
  belay_source_options options = {.size = sizeof options, .label = "rain", .reentrancy = policy,
                                  .capacity = capacity};
  belay_signal *subject = belay_subject_create(&options);
  belay_observer observer = {.size = sizeof observer, .next = run_inside, .ctx = subject};
  belay_disposable *subscription = NULL;
  CHECK_INT(belay_signal_subscribe(subject, &observer, &subscription), 0);
  /* The host's run would be over at once without something to wait for. */
  belay_disposable *waits = NULL;
  CHECK_INT(
      belay_scheduler_after(belay_loop_get_scheduler(loop), 60, empty_action, NULL, NULL, &waits),
      0);
  heard = 0;
  begin_losses();
  CHECK_INT(send_to(subject, 0), 0);
  end_subscription(waits);
  end_losses(lost, line);
  CHECK_INT(heard, 4 - lost);
  end_subscription(subscription);
  belay_signal_release(subject);
  CHECK_INT(belay_loop_close(loop, expect_nothing_left, NULL, NULL), 0);
  belay_loop_release(loop);
  CHECK_INT(uv_run(&host, UV_RUN_DEFAULT), 0);
  CHECK_INT(uv_loop_close(&host), 0);
}
static void a_source_that_rejects_what_was_queued_for_it(void) {
  mail_finds_its_source_busy(BELAY_REENTRANCY_REJECT, 0, 3, "rain: sent from inside");
}
static void a_source_without_room_for_what_was_queued(void) {
  mail_finds_its_source_busy(BELAY_REENTRANCY_QUEUE, 2, 1, "rain: a queue is full");
}

/* ---- what Belay sends itself, and nobody hears the code of ---- */

static belay_value make_one(void *ctx) { return belay_int32(1); }
static void trace_error(void *ctx, const belay_error *error) {
  trace("error %s", belay_error_name(belay_error_code(error)));
}
static void finds_no_room(belay_loop *here, worker *there, belay_signal *signal) {
  belay_observer observer = rendering("");
  observer.error = trace_error;
  observer.loop = there->loop;
  belay_disposable *subscription = NULL;
  sem_init(&begun, 0, 0);
  sem_init(&go_on, 0, 0);
  CHECK_INT(belay_signal_subscribe(signal, &observer, &subscription), 0);
  belay_signal_release(signal);
  meet(there);
  CHECK_INT(belay_loop_post(there->loop, hold, NULL, NULL), 0);
  wait_for(&begun);
  CHECK_INT(belay_loop_post(there->loop, empty_action, NULL, NULL), 0);
  run_to_end(here);
  sem_post(&go_on);
  meet(there);
  CHECK_TRACE("error EAGAIN | disposed | free");
  belay_disposable_release(subscription);
}
static void sent_by_work_of_another_loop(int starts) {
  worker there = {.capacity = 1};
  start_worker(&there);
  belay_loop *here = open_loop();
  belay_scheduler *scheduler = belay_loop_get_scheduler(here);
  begin_losses();
  finds_no_room(here, &there,
                starts ? belay_signal_start(scheduler, make_one, NULL, NULL)
                       : belay_signal_timer(scheduler, 0));
  end_losses(0, NULL);
  stop_worker(&there);
  close_loop(here);
}
static void what_belay_sends_and_finds_no_room_ends_with_an_error(void) {
  for (int starts = 0; starts < 2; starts++) sent_by_work_of_another_loop(starts);
}

/* ---- on purpose ---- */

static belay_subscriber *kept;
static belay_disposable *keep_subscriber(void *ctx, belay_subscriber *subscriber) {
  kept = belay_subscriber_retain(subscriber);
  return NULL;
}
static void send_to_subscriber(void *subscriber) {
  for (int i = 1; i <= 2; i++)
    CHECK_INT(belay_subscriber_next(subscriber, belay_int32(i)), BELAY_QUEUED);
}
static void what_comes_for_one_that_was_disposed_of(int closes, int elsewhere) {
  belay_loop *loop = open_loop();
  belay_signal *signal = belay_signal_create(keep_subscriber, NULL, NULL, NULL);
  belay_disposable *subscription = watched(belay_signal_retain(signal), "");
  in_thread(send_to_subscriber, kept);
  begin_losses();
  if (elsewhere) {
    in_thread(dispose_of, subscription);
  } else {
    belay_disposable_dispose(subscription);
  }
  if (!closes) turn(loop);
  close_with_losses(loop);
  end_losses(0, NULL);
  CHECK_TRACE("disposed | free");
  belay_subscriber_release(kept);
  belay_disposable_release(subscription);
  belay_signal_release(signal);
}
static void what_was_disposed_of_misses_nothing(void) {
  for (int way = 0; way < 4; way++) what_comes_for_one_that_was_disposed_of(way & 1, way >> 1);
}

/* ---- what has arrived ---- */

enum { KEEPERS = 6 };
static belay_op *keeper(int which, belay_scheduler *scheduler) {
  switch (which) {
    case 0: return belay_op_delay(scheduler, 1000);
    case 1: return belay_op_debounce(scheduler, 1000);
    case 2: return belay_op_throttle(scheduler, 1000, 0, 1);
    case 3: return belay_op_audit(scheduler, 1000);
    case 4: return belay_op_sample_time(scheduler, 1000);
    default: return belay_op_buffer_time(scheduler, 1000, BELAY_UNLIMITED);
  }
}
static int named;
static void count_named(void *ctx, const belay_open_resource *const *resources, size_t count) {
  for (size_t i = 0; i < count; i++) 
    named += strcmp(belay_open_resource_kind(resources[i]), "subscription") == 0;
}
/* The subscription does not go in silence: `disposed` comes without an end, and the close names
   it. */
static void what_an_operator_keeps_is_none(void) {
  for (int which = 0; which < KEEPERS; which++) {
    belay_loop *loop = open_loop();
    belay_signal *subject = subject_at(NULL, "rain");
    belay_disposable *subscription =
        watched(belay_signal_chain(belay_signal_retain(subject),
                                   keeper(which, belay_loop_get_scheduler(loop))),
                "");
    named = 0;
    begin_losses();
    CHECK_INT(send_to(subject, 1), 0);
    CHECK_INT(belay_loop_close(loop, count_named, NULL, NULL), 0);
    end_losses(0, NULL);
    CHECK_INT(named, 1);
    CHECK_TRACE("disposed | free");
    belay_loop_release(loop);
    belay_disposable_release(subscription);
    belay_signal_release(subject);
  }
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      CASE(values_and_ends_on_their_way_to_a_loop_that_closes),
      CASE(an_interruption_on_its_way_is_none),
      CASE(work_on_its_way_to_a_loop_that_closes),
      CASE(a_loop_that_is_closed_from_inside_its_mail),
      CASE(values_on_their_way_to_a_subscription),
      CASE(an_end_on_its_way_to_a_subscription),
      CASE(what_a_disposed_subscription_misses_is_none),
      CASE(values_that_wait_at_a_change_over),
      CASE(values_that_wait_for_a_disposed_one_are_none),
      CASE(work_that_waits_for_a_thread_of_a_pool),
      CASE(a_value_that_comes_after_the_end),
      CASE(an_end_that_comes_after_the_end_is_none),
      CASE(a_source_that_rejects_what_was_queued_for_it),
      CASE(a_source_without_room_for_what_was_queued),
      CASE(what_belay_sends_and_finds_no_room_ends_with_an_error),
      CASE(what_was_disposed_of_misses_nothing),
      CASE(what_an_operator_keeps_is_none),
  };
  return RUN_CASES(cases);
}
