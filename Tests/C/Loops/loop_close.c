/* The end of a loop: its callback, what it ends, and what comes after. */
#include "open_resources.h"

#include <fcntl.h>
#include <unistd.h>

/* ---- the callback ---- */

static void close_calls_back_before_it_returns(void) {
  belay_loop *loop = open_loop();
  CHECK_INT(belay_loop_close(loop, closed, "loop", trace_free), 0);
  CHECK_TRACE("loop closed 0 | free loop");
  belay_loop_release(loop);
  CHECK_TRACE("");
}

static void close_twice(void) {
  belay_loop *loop = open_loop();
  CHECK_INT(belay_loop_close(loop, closed, "first", trace_free), 0);
  CHECK_TRACE("first closed 0 | free first");
  CHECK_FAILS(belay_loop_close(loop, closed, "second", trace_free), BELAY_ECLOSED);
  CHECK_TRACE("free second");
  belay_loop_release(loop);
}

static void close_now(void *loop) {
  CHECK_INT(belay_loop_close(loop, closed, "inside", trace_free), 0);
  trace("close returned");
  CHECK_FAILS(belay_loop_close(loop, closed, "again", trace_free), BELAY_ECLOSED);
}

static void close_inside_a_callback(void) {
  belay_loop *loop = open_loop();
  CHECK_INT(belay_loop_post(loop, close_now, loop, NULL), 0);
  CHECK_INT(belay_loop_post(loop, trace_action, "dropped", trace_free), 0);
  belay_loop_run(loop, BELAY_RUN_DEFAULT);
  CHECK(strstr(trace_text(), "close returned | free again") != NULL);
  CHECK(strstr(trace_text(), "inside closed 0 | free inside") != NULL);
  CHECK(strstr(trace_text(), "free dropped") != NULL);
  CHECK(strstr(trace_text(), "action dropped") == NULL);
  CHECK_FAILS(belay_loop_run(loop, BELAY_RUN_DEFAULT), BELAY_ECLOSED);
  belay_loop_release(loop);
}

static belay_loop *closing_loop;
static void close_in_next(void *ctx, belay_value value) {
  CHECK_INT(belay_loop_close(closing_loop, trace_closed, NULL, NULL), 0);
  trace("next returns");
}

static void close_inside_next(void) {
  belay_loop *loop = closing_loop = open_loop();
  belay_observer observer = tracing("");
  observer.next = close_in_next;
  belay_signal *signal = belay_signal_interval(belay_loop_get_scheduler(loop), 0.001);
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  belay_signal_release(signal);
  belay_loop_run(loop, BELAY_RUN_DEFAULT);
  /* The close is told after the delivery that it was called in, as an end that is sent there would
     be. */
  CHECK_TRACE("next returns | disposed | free | closed");
  belay_loop_release(loop);
}

static void release_in_the_callback(void *ctx, const belay_open_resource *const *left,
                                    size_t count) {
  trace("closed");
  belay_loop_release(ctx);
}

static void release_inside_the_callback(void) {
  belay_loop *loop = open_loop();
  CHECK_INT(belay_loop_close(loop, release_in_the_callback, loop, NULL), 0);
  CHECK_TRACE("closed");
}

/* ---- what it ends ---- */

static void rule_1_1_close_interrupts_subscriptions(void) {
  belay_loop *loop = open_loop();
  belay_signal *subject = belay_subject_create(NULL);
  watch(belay_signal_retain(subject), "subject");
  watch(belay_signal_chain(belay_signal_retain(subject), belay_op_take(5), belay_op_buffer(3)),
        "chain");
  watch(belay_signal_never(), "never");
  watch(belay_signal_timer(belay_loop_get_scheduler(loop), 1000), "timer");
  CHECK_INT(belay_subject_next(subject, belay_string("boxed")), 0);
  trace_clear();
  CHECK_INT(belay_loop_close(loop, note, NULL, NULL), 0);
  CHECK_FOUND("(subscription ");
  CHECK(strstr(trace_text(), "subject disposed | subject free") != NULL);
  CHECK(strstr(trace_text(), "chain disposed | chain free") != NULL);
  CHECK(strstr(trace_text(), "never disposed | never free") != NULL);
  CHECK(strstr(trace_text(), "timer disposed | timer free") != NULL);
  CHECK(strstr(trace_text(), "completed") == NULL);
  CHECK(strstr(trace_text(), "next") == NULL);
  belay_loop_release(loop);
  belay_signal_release(subject);
}

static void close_drops_queued_posts(void) {
  belay_loop *loop = open_loop();
  CHECK_INT(belay_loop_post(loop, trace_action, "a", trace_free), 0);
  CHECK_INT(belay_scheduler_schedule(belay_loop_get_scheduler(loop), trace_action, "b", trace_free,
                                     NULL),
            0);
  CHECK_INT(belay_loop_post(loop, trace_action, "c", trace_free), 0);
  CHECK_INT(belay_loop_close(loop, closed, "loop", NULL), 0);
  CHECK_TRACE("free a | free b | free c | loop closed 0");
  belay_loop_release(loop);
}

static void send_string(void *subject) {
  CHECK_INT(belay_subject_next(subject, belay_string("queued")), BELAY_QUEUED);
}

static void close_drops_queued_sends(void) {
  belay_loop *loop = open_loop();
  belay_signal *subject = belay_subject_create(NULL);
  watch(belay_signal_retain(subject), "");
  in_thread(send_string, subject);
  CHECK_INT(belay_loop_close(loop, note, NULL, NULL), 0);
  CHECK_TRACE("disposed | free");
  belay_loop_release(loop);
  belay_signal_release(subject);
}

static void rule_1_2_disposal_elsewhere_then_close(void) {
  belay_loop *loop = open_loop();
  belay_signal *subject = belay_subject_create(NULL);
  belay_disposable *subscription = watched(belay_signal_retain(subject), "");
  in_thread(dispose_of, subscription);
  CHECK_INT(belay_disposable_is_disposed(subscription), 1);
  CHECK_TRACE("");
  belay_loop_close(loop, note, NULL, NULL);
  CHECK_TRACE("disposed | free");
  belay_disposable_release(subscription);
  belay_loop_release(loop);
  belay_signal_release(subject);
}

static int open_descriptors(void) {
  int count = 0;
  for (int fd = 0; fd < 256; fd++) count += fcntl(fd, F_GETFD) != -1;
  return count;
}

static void close_it(void *loop) {
  CHECK_INT(belay_loop_close(loop, trace_closed, NULL, NULL), 0);
}

static void close_a_loop_in_use(int inside) {
  belay_loop *loop = open_loop();
  CHECK(belay_loop_fd(loop) >= 0);
  watch(belay_posix_signal(loop, 10), "");
  if (inside) CHECK_INT(belay_loop_post(loop, close_it, loop, NULL), 0);
  else close_it(loop);
  if (inside) belay_loop_run(loop, BELAY_RUN_DEFAULT);
  belay_loop_release(loop);
  CHECK_TRACE("disposed | free | closed");
}

static void close_gives_its_descriptors_back(void) {
  close_a_loop_in_use(0); /* opens the descriptors that libuv makes once for the process */
  int before = open_descriptors();
  close_a_loop_in_use(0);
  CHECK_INT(open_descriptors(), before);
  close_a_loop_in_use(1);
  CHECK_INT(open_descriptors(), before);
}

/* ---- what comes after ---- */

static void use_closed(void *argument) {
  belay_loop *loop = ((void **)argument)[0];
  belay_signal *subject = ((void **)argument)[1];
  belay_scheduler *scheduler = ((void **)argument)[2];
  int freed = 0;
  belay_disposable *work = NULL;
  CHECK_FAILS(belay_loop_post(loop, empty_action, &freed, count_free), BELAY_ECANCELED);
  CHECK_FAILS(belay_scheduler_schedule(scheduler, empty_action, &freed, count_free, &work),
              BELAY_ECANCELED);
  CHECK(work == NULL);
  CHECK_FAILS(belay_scheduler_after(scheduler, 1, empty_action, &freed, count_free, &work),
              BELAY_ECANCELED);
  CHECK(work == NULL);
  CHECK_FAILS(belay_scheduler_every(scheduler, 1, 1, 0, empty_action, &freed, count_free, &work),
              BELAY_ECANCELED);
  CHECK(work == NULL);
  CHECK_INT(freed, 4);
  CHECK_FAILS(belay_subject_next(subject, belay_string("late")), BELAY_ECANCELED);
  CHECK_FAILS(belay_subject_completed(subject), BELAY_ECANCELED);
}

static void rule_1_2_after_close_everything_is_canceled(void) {
  belay_loop *loop = open_loop();
  belay_signal *subject = belay_subject_create(NULL);
  belay_scheduler *scheduler = belay_scheduler_retain(belay_loop_get_scheduler(loop));
  void *all[] = {loop, subject, scheduler};
  CHECK_INT(belay_loop_close(loop, closed, "loop", NULL), 0);
  in_thread(use_closed, all);
  use_closed(all);
  belay_scheduler_release(scheduler);
  CHECK_INT(belay_loop_alive(loop) <= 0, 1);
  belay_last_error();
  belay_loop_release(loop);
  belay_signal_release(subject);
}

static void subscribe_on_a_closed_loop(void) {
  belay_loop *loop = open_loop();
  belay_signal *subject = belay_subject_create(NULL);
  CHECK_INT(belay_loop_close(loop, closed, "loop", NULL), 0);
  trace_clear();
  belay_observer observer = tracing("");
  belay_disposable *subscription = NULL;
  observer.loop = loop;
  CHECK(belay_signal_subscribe(subject, &observer, &subscription) < 0);
  CHECK(belay_last_error() != NULL);
  CHECK(subscription == NULL);
  CHECK_TRACE("free");
  belay_loop_release(loop);
  belay_signal_release(subject);
}

static void rule_1_2_disposal_elsewhere_after_close(void) {
  belay_loop *loop = open_loop();
  belay_signal *subject = belay_subject_create(NULL);
  belay_disposable *subscription = watched(belay_signal_retain(subject), "");
  CHECK_INT(belay_loop_close(loop, note, NULL, NULL), 0);
  CHECK_TRACE("disposed | free");
  CHECK_INT(belay_disposable_is_disposed(subscription), 1);
  in_thread(dispose_of, subscription);
  CHECK_INT(belay_disposable_dispose_sync(subscription, -1), 0);
  CHECK_TRACE("");
  belay_disposable_release(subscription);
  belay_loop_release(loop);
  belay_signal_release(subject);
}

static void scheduled_handles_outlive_the_loop(void) {
  belay_loop *loop = open_loop();
  belay_disposable *soon = NULL, *later = NULL;
  belay_scheduler *scheduler = belay_scheduler_retain(belay_loop_get_scheduler(loop));
  CHECK_INT(belay_scheduler_schedule(scheduler, empty_action, "soon", trace_free, &soon), 0);
  CHECK_INT(belay_scheduler_after(scheduler, 5, empty_action, "later", trace_free, &later), 0);
  CHECK_INT(belay_loop_close(loop, note, NULL, NULL), 0);
  belay_loop_release(loop);
  CHECK_INT(belay_disposable_is_disposed(soon), 1);
  CHECK_INT(belay_disposable_is_disposed(later), 1);
  end_subscription(soon);
  end_subscription(later);
  CHECK_FAILS(belay_scheduler_schedule(scheduler, empty_action, NULL, NULL, NULL), BELAY_ECANCELED);
  belay_scheduler_release(scheduler);
}

static const test_case cases[] = {
    CASE(close_calls_back_before_it_returns),
    CASE(close_twice),
    CASE(close_inside_a_callback),
    CASE(close_inside_next),
    CASE(release_inside_the_callback),
    CASE(rule_1_1_close_interrupts_subscriptions),
    CASE(close_drops_queued_posts),
    CASE(close_drops_queued_sends),
    CASE(rule_1_2_disposal_elsewhere_then_close),
    CASE(close_gives_its_descriptors_back),
    CASE(rule_1_2_after_close_everything_is_canceled),
    CASE(subscribe_on_a_closed_loop),
    CASE(rule_1_2_disposal_elsewhere_after_close),
    CASE(scheduled_handles_outlive_the_loop),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
