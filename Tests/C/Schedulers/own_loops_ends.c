/* The end of a scheduler over a loop of the program's own: its close, the end of its thread, and a
   loop that ends first. */
#include "own_loop.h"
#include "printed.h"

static int arrived;

static void a_close_ends_what_is_there(void) {
  belay_scheduler *scheduler = open_own();
  belay_signal *subject = belay_subject_create(NULL);
  belay_disposable *timer;
  uint64_t lost = belay_lost_count();
  belay_observer observer = tracing("");
  observer.label = "named";
  CHECK_INT(belay_signal_subscribe(subject, &observer, NULL), 0);
  CHECK_INT(belay_scheduler_after(scheduler, 1000, trace_action, "later", trace_free, &timer), 0);
  CHECK_INT(belay_disposable_set_label(timer, "alarm", BELAY_HERE), 0);
  CHECK_INT(belay_scheduler_schedule(scheduler, trace_action, "soon", trace_free, NULL), 0);
  CHECK_INT(belay_scheduler_close(scheduler, trace_left, "ctx", trace_free), 0);
  CHECK_TRACE("free soon | disposed | free | free later | closed | subscription named | "
              "timer alarm | free ctx");
  CHECK_INT(belay_lost_count() - lost, 1);
  belay_disposable_release(timer);
  belay_signal_release(subject);
  CHECK(belay_scheduler_current() == NULL);
  /* The work that the loop still has does nothing. */
  own_turn(&own);
  CHECK_FAILS(belay_scheduler_schedule(scheduler, trace_action, "no", trace_free, NULL),
              BELAY_ECANCELED);
  CHECK_FAILS(belay_scheduler_after(scheduler, 0, trace_action, "no", trace_free, NULL),
              BELAY_ECANCELED);
  CHECK_TRACE("free no | free no");
  CHECK_FAILS(belay_scheduler_close(scheduler, NULL, NULL, NULL), BELAY_ECLOSED);
  CHECK_INT(own.frees, 0);
  belay_scheduler_release(scheduler);
  CHECK_INT(own.frees, 1);
  CHECK_INT(own.cancels, 1);
  own_go(&own);
}

static void close_it(void *scheduler) {
  CHECK_INT(belay_scheduler_close(scheduler, trace_closed, NULL, NULL), 0);
}

static void closed_in_its_own_work(void) {
  belay_scheduler *scheduler = open_own();
  CHECK_INT(belay_scheduler_schedule(scheduler, close_it, scheduler, NULL, NULL), 0);
  CHECK_INT(belay_scheduler_schedule(scheduler, trace_action, "lost", trace_free, NULL), 0);
  own_turn(&own);
  CHECK_TRACE("free lost | closed");
  own_leave(&own, scheduler);
}

/* The loop may keep its context in turn, as GLib's does. */
static void work_that_the_loop_keeps_keeps_nothing(void) {
  belay_scheduler *scheduler = open_own();
  CHECK_INT(belay_scheduler_schedule(scheduler, trace_action, "lost", trace_free, NULL), 0);
  CHECK_INT(belay_scheduler_close(scheduler, trace_closed, NULL, NULL), 0);
  CHECK_TRACE("free lost | closed");
  belay_scheduler_release(scheduler);
  CHECK_INT(own.frees, 1);
  own_turn(&own);
  own_go(&own);
}

static void close_elsewhere(void *scheduler) {
  CHECK_FAILS(belay_scheduler_close(scheduler, trace_closed, "it", trace_free),
              BELAY_EWRONGTHREAD);
}

static void closed_elsewhere_it_is_refused(void) {
  belay_scheduler *scheduler = open_own();
  in_thread(close_elsewhere, scheduler);
  CHECK_TRACE("free it");
  own_close(&own, scheduler);
}

static int sending;
static void send_until_refused(void *subject) {
  int code;
  do {
    code = send_to(subject, 1);
    __atomic_store_n(&sending, 1, __ATOMIC_RELEASE);
    if (code < 0) belay_last_error();
  } while (code == BELAY_QUEUED || code == BELAY_EAGAIN);
  CHECK_INT(code, BELAY_ECANCELED);
}

/* Closed early, with work in flight from other threads. */
static void closed_while_others_send(void) {
  for (int round = 0; round < 50; round++) {
    belay_scheduler *scheduler = open_own();
    belay_signal *subject = belay_subject_create(NULL);
    routine senders[2];
    belay_observer observer = BELAY_INIT(belay_observer, .next = count_value, .ctx = &arrived);
    CHECK_INT(belay_signal_subscribe(subject, &observer, NULL), 0);
    sending = 0;
    for (int i = 0; i < 2; i++) start_thread(&senders[i], send_until_refused, subject);
    while (!__atomic_load_n(&sending, __ATOMIC_ACQUIRE)) own_turn(&own);
    if (round % 2) own_turn(&own);
    CHECK_INT(belay_scheduler_close(scheduler, ignore_left, NULL, NULL), 0);
    belay_scheduler_release(scheduler);
    for (int i = 0; i < 2; i++) join_thread(&senders[i]);
    belay_signal_release(subject);
    own_go(&own);
  }
}

static belay_signal *ending_subject;
static void on_a_thread_that_ends(void *ctx) {
  belay_scheduler *scheduler = open_own();
  ending_subject = belay_subject_create(NULL);
  belay_observer observer = tracing("");
  observer.site = NULL;
  CHECK_INT(belay_signal_subscribe(ending_subject, &observer, NULL), 0);
  CHECK_INT(belay_scheduler_after(scheduler, 1000, trace_action, "later", trace_free, NULL), 0);
  *(belay_scheduler **)ctx = scheduler;
}

static void let_thread_end(void *ctx) { in_thread(on_a_thread_that_ends, ctx); }

static void its_thread_ends(void) {
  belay_scheduler *scheduler;
  char text[400];
  printed_while(let_thread_end, &scheduler, text, sizeof text);
  CHECK_STRING(text, "belay: closing own: still alive: subscription\n"
                     "belay: closing own: still alive: timer\n");
  CHECK_TRACE("disposed | free | free later");
  CHECK_FAILS(belay_scheduler_schedule(scheduler, trace_action, "no", NULL, NULL),
              BELAY_ECANCELED);
  belay_signal_release(ending_subject);
  own_leave(&own, scheduler);
}

static void send_into_the_ended(void *subject) {
  int code = send_to(subject, 1);
  CHECK(code == BELAY_QUEUED || code == BELAY_ECANCELED);
  CHECK_FAILS(send_to(subject, 2), BELAY_ECANCELED);
}

/* The host's loop ends before the scheduler is closed, and drops the work. */
static void a_loop_that_drops_work_has_ended(void) {
  belay_scheduler *scheduler = open_own();
  belay_signal *subject = belay_subject_create(NULL);
  belay_disposable *subscription = watched(also(subject), "");
  uint64_t lost = belay_lost_count();
  own_end(&own);
  in_thread(send_into_the_ended, subject);
  CHECK_TRACE("");
  CHECK_INT(belay_scheduler_close(scheduler, ignore_left, NULL, NULL), 0);
  CHECK_TRACE("disposed | free");
  belay_disposable_release(subscription);
  belay_signal_release(subject);
  own_leave(&own, scheduler);
  CHECK_INT(belay_lost_count() - lost, 1);
}

/* 128 of these take more than the budget of a turn. */
static void take_a_moment(void *count, belay_value value) {
  double began = own_time();
  while (own_time() - began < 1e-5) continue;
  ++*(int *)count;
}
static void send_200(void *subject) {
  for (int i = 0; i < 200; i++) CHECK(belay_subject_next(subject, belay_int32(i)) >= 0);
}

/* The rest of what has come waits for a turn that does not come. */
static void a_loop_that_drops_the_rest_has_ended(void) {
  belay_scheduler *scheduler = open_own();
  belay_signal *subject = belay_subject_create(NULL);
  int heard = 0;
  belay_observer observer = BELAY_INIT(belay_observer, .next = take_a_moment, .ctx = &heard);
  belay_disposable *subscription = NULL;
  uint64_t lost = belay_lost_count();
  CHECK_INT(belay_signal_subscribe(subject, &observer, &subscription), 0);
  in_thread(send_200, subject);
  own_turn(&own);
  CHECK_INT(heard, 128);
  own_end(&own);
  CHECK_INT(belay_lost_count() - lost, 72);
  CHECK_INT(belay_scheduler_close(scheduler, ignore_left, NULL, NULL), 0);
  belay_disposable_release(subscription);
  belay_signal_release(subject);
  own_leave(&own, scheduler);
  CHECK_INT(belay_lost_count() - lost, 72);
}

/* What a close drops may close again, which is refused, and its `closed` does not run. */
static belay_scheduler *closing;
static int inner_code;
static void note_closed(void *ctx, const belay_open_resource *const *resources, size_t count) {
  trace("%s", (const char *)ctx);
}
static void close_again(void *ctx) {
  inner_code = belay_scheduler_close(closing, note_closed, "inner", NULL);
}
static void closed_by_what_its_close_drops(void) {
  closing = open_own();
  CHECK_INT(belay_scheduler_schedule(closing, empty_action, NULL, close_again, NULL), 0);
  CHECK_INT(belay_scheduler_close(closing, note_closed, "outer", NULL), 0);
  CHECK_INT(inner_code, BELAY_ECLOSED);
  CHECK_TRACE("outer");
  own_leave(&own, closing);
}

static const test_case cases[] = {
    CASE(a_close_ends_what_is_there),
    CASE(closed_in_its_own_work),
    CASE(work_that_the_loop_keeps_keeps_nothing),
    CASE(closed_elsewhere_it_is_refused),
    CASE(closed_while_others_send),
    CASE(its_thread_ends),
    CASE(a_loop_that_drops_work_has_ended),
    CASE(a_loop_that_drops_the_rest_has_ended),
    CASE(closed_by_what_its_close_drops),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
