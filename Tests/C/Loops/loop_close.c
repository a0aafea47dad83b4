/* The end of a loop: what it ends, what it names, and what comes after. */
#include "printed.h"

#include <fcntl.h>
#include <unistd.h>
#include <uv.h>

static void closed(void *ctx, const belay_open_resource *const *left, size_t count) {
  trace("%s closed %zu", (const char *)ctx, count);
}

/* Open resources as "kind label foreign", in a buffer of their own; checks the site of labelled ones. */
static char found[4096];
static const char *expected_site;

static void note(void *ctx, const belay_open_resource *const *left, size_t count) {
  found[0] = 0;
  for (size_t i = 0; i < count; i++) {
    size_t used = strlen(found);
    CHECK(belay_open_resource_kind(left[i]) != NULL);
    CHECK(belay_open_resource_address(left[i]) != NULL);
    const char *label = text_or(belay_open_resource_label(left[i]), "-");
    snprintf(found + used, sizeof found - used, "(%s %s%s)", belay_open_resource_kind(left[i]),
             label, belay_open_resource_is_foreign(left[i]) ? " foreign" : "");
    if (expected_site && strcmp(label, "named") == 0)
      CHECK_STRING(belay_open_resource_site(left[i]), expected_site);
  }
}

#define CHECK_FOUND(text)                                                             \
  do {                                                                                \
    if (!strstr(found, text))                                                         \
      check_failed(__FILE__, __LINE__, "\"%s\" is not among \"%s\"", text, found);    \
  } while (0)

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

/* ---- what it names ---- */

static void close_names_owners(void) {
  belay_loop *loop = open_loop();
  static char adopted;
  belay_owner_options options = BELAY_INIT(belay_owner_options, .label = "named", .loop = loop);
  options.site = expected_site = BELAY_HERE;
  belay_owner *owner = belay_owner_create("deinit", trace_action, NULL, &options);
  options.label = "dead";
  belay_owner_release(belay_owner_create(NULL, NULL, NULL, &options));
  options.label = "adopted";
  belay_owner *pointer = belay_owner_adopt(&adopted, &options);
  options.loop = NULL;
  options.scheduler = belay_loop_get_scheduler(loop);
  options.label = "scheduler's";
  belay_owner *other = belay_owner_create("other's deinit", trace_action, NULL, &options);
  in_thread(release_owner, other);
  CHECK_INT(belay_loop_close(loop, note, NULL, NULL), 0);
  CHECK_STRING(found, "(owner named)(owner adopted)(owner scheduler's)");
  /* The last one was on its way there, and has ended where it could. */
  CHECK_TRACE("action other's deinit");
  belay_loop_release(loop);
  /* They live on, and end where they are ended. */
  CHECK_INT(belay_owner_is_dying(owner), 0);
  belay_owner_release(owner);
  CHECK_TRACE("action deinit");
  CHECK_INT(belay_owner_end(&adopted, NULL, NULL), 0);
  belay_owner_release(pointer);
}

static void close_names_labelled_timers(void) {
  belay_loop *loop = open_loop();
  belay_scheduler *scheduler = belay_loop_get_scheduler(loop);
  belay_disposable *timer;
  CHECK_INT(belay_scheduler_every(scheduler, 1000, 1000, 0, empty_action, NULL, NULL, &timer), 0);
  expected_site = BELAY_HERE;
  CHECK_INT(belay_disposable_set_label(timer, "named", expected_site), 0);
  belay_disposable_release(timer);
  CHECK_INT(belay_scheduler_after(scheduler, 2000, empty_action, NULL, NULL, NULL), 0);
  CHECK_INT(belay_loop_close(loop, note, NULL, NULL), 0);
  CHECK_STRING(found, "(timer named)(timer -)");
  belay_loop_release(loop);
}

/* The timer of an operator has the names of its subscription. */
static void close_names_an_operators_timer(void) {
  belay_loop *loop = open_loop();
  belay_scheduler *scheduler = belay_loop_get_scheduler(loop);
  belay_signal *subject = belay_subject_create(NULL);
  belay_observer observer = tracing("");
  observer.label = "named";
  observer.site = expected_site = BELAY_HERE;
  belay_signal *signal = belay_signal_chain(also(subject), belay_op_debounce(scheduler, 1000));
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  belay_signal_release(signal);
  send_int(subject, 1);
  watch(belay_signal_interval(scheduler, 2000), "interval");
  CHECK_INT(belay_loop_close(loop, note, NULL, NULL), 0);
  CHECK_FOUND("(timer named)");
  CHECK_FOUND("(timer interval)");
  trace_clear();
  belay_signal_release(subject);
  belay_loop_release(loop);
}

static void only_work_has_a_label(void) {
  belay_disposable *nop = belay_nop_create();
  CHECK_FAILS(belay_disposable_set_label(nop, "it", NULL), BELAY_EKIND);
  CHECK_FAILS(belay_disposable_set_label(NULL, "it", NULL), BELAY_EINVAL);
  belay_disposable_release(nop);
}

static void close_and_print(void *loop) { belay_loop_close(loop, NULL, NULL, NULL); }

static void the_report_names_the_loop_and_its_site(void) {
  char text[400], expected[400];
  const char *site = BELAY_HERE;
  belay_loop *loop =
      belay_loop_create(&BELAY_INIT(belay_loop_options, .label = "mine", .site = site));
  CHECK_INT(belay_scheduler_after(belay_loop_get_scheduler(loop), 1000, empty_action, NULL, NULL,
                                  NULL),
            0);
  printed_while(close_and_print, loop, text, sizeof text);
  snprintf(expected, sizeof expected, "belay: closing mine at %s: still alive: timer\n", site);
  CHECK_STRING(text, expected);
  belay_loop_release(loop);
}

static void close_names_subscriptions(void) {
  belay_loop *loop = open_loop();
  belay_signal *subject = belay_subject_create(NULL);
  belay_observer observer = tracing("");
  observer.label = "named";
  observer.site = expected_site = BELAY_HERE;
  CHECK_INT(belay_signal_subscribe(subject, &observer, NULL), 0);
  CHECK_INT(belay_loop_close(loop, note, NULL, NULL), 0);
  CHECK_STRING(found, "(subscription named)");
  CHECK_TRACE("disposed | free");
  belay_loop_release(loop);
  belay_signal_release(subject);
}

static void close_names_only_what_is_alive(void) {
  belay_loop *loop = open_loop();
  belay_signal *subject = belay_subject_create(NULL);
  belay_observer observer = tracing("");
  belay_disposable *subscription = NULL;
  CHECK_INT(belay_signal_subscribe(subject, &observer, &subscription), 0);
  end_subscription(subscription);
  CHECK_TRACE("disposed | free");
  belay_signal_release(subject);
  CHECK_INT(belay_loop_close(loop, closed, "loop", NULL), 0);
  CHECK_TRACE("loop closed 0");
  belay_loop_release(loop);
}

static void close_names_timers(void) {
  belay_loop *loop = open_loop();
  belay_scheduler *scheduler = belay_loop_get_scheduler(loop);
  CHECK_INT(belay_scheduler_after(scheduler, 1000, trace_action, "timer", trace_free, NULL), 0);
  CHECK_INT(belay_loop_close(loop, note, NULL, NULL), 0);
  CHECK_STRING(found, "(timer -)");
  CHECK_TRACE("free timer");
  belay_loop_release(loop);
}

static void close_names_sources(void) {
  char path[] = "/tmp/belay-close-XXXXXX";
  int file = mkstemp(path);
  CHECK(file >= 0);
  close(file);
  belay_loop *loop = open_loop();
  belay_observer observer = tracing("lines");
  observer.label = "named";
  observer.site = expected_site = BELAY_HERE;
  belay_signal *lines = belay_file_lines(loop, path, BELAY_FILE_FOLLOW);
  CHECK_INT(belay_signal_subscribe(lines, &observer, NULL), 0);
  belay_signal_release(lines);
  observer = tracing("usr1");
  observer.label = "usr1";
  belay_signal *signal = belay_posix_signal(loop, 10);
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  belay_signal_release(signal);
  /* The file is being read here, and waited for below. */
  CHECK_INT(belay_loop_run(loop, BELAY_RUN_NOWAIT), 1);
  CHECK_INT(belay_loop_close(loop, note, NULL, NULL), 0);
  CHECK_FOUND("(subscription named)");
  CHECK_FOUND("(subscription usr1)");
  CHECK(strstr(found, "foreign") == NULL);
  CHECK(strstr(trace_text(), "lines disposed | lines free") != NULL);
  CHECK(strstr(trace_text(), "usr1 disposed | usr1 free") != NULL);
  CHECK(strstr(trace_text(), "completed") == NULL);
  belay_loop_release(loop);
  unlink(path);
}

static void close_names_a_file_at_every_step(void) {
  char path[] = "/tmp/belay-close-XXXXXX";
  int file = mkstemp(path);
  CHECK_INT(write(file, "one\ntwo\n", 8), 8);
  close(file);
  for (int turns = 0; turns < 12; turns++) {
    belay_loop *loop = open_loop();
    watch(belay_file_lines(loop, path, BELAY_FILE_FOLLOW), "");
    belay_disposable *timer = NULL;
    belay_scheduler_every(belay_loop_get_scheduler(loop), 0, 0.001, 0, empty_action, NULL, NULL,
                          &timer);
    for (int i = 0; i < turns; i++) belay_loop_run(loop, BELAY_RUN_ONCE);
    end_subscription(timer);
    CHECK_INT(belay_loop_close(loop, note, NULL, NULL), 0);
    CHECK_FOUND("(subscription ");
    CHECK(strstr(found, "foreign") == NULL);
    CHECK(strstr(trace_text(), "disposed | free") != NULL);
    trace_clear();
    belay_loop_release(loop);
  }
  unlink(path);
}

static uv_tcp_t host_tcp; /* outlives the loop */

static void close_names_the_hosts_handles(void) {
  uv_loop_t uv;
  uv_timer_t timer;
  CHECK_INT(uv_loop_init(&uv), 0);
  belay_loop *loop = belay_loop_adopt(&uv, NULL);
  CHECK_INT(uv_tcp_init(&uv, &host_tcp), 0);
  CHECK_INT(uv_timer_init(&uv, &timer), 0);
  CHECK_INT(
      belay_scheduler_after(belay_loop_get_scheduler(loop), 1000, empty_action, NULL, NULL, NULL),
      0);
  CHECK_INT(belay_loop_close(loop, note, NULL, trace_free), 0);
  CHECK_INT(uv_run(&uv, UV_RUN_DEFAULT), 0);
  CHECK_FOUND("(uv_tcp - foreign)");
  CHECK_FOUND("(uv_timer - foreign)");
  CHECK_FOUND("(timer -)");
  CHECK(!uv_is_closing((uv_handle_t *)&host_tcp));
  CHECK(!uv_is_closing((uv_handle_t *)&timer));
  belay_loop_release(loop);
  CHECK_INT(uv_loop_close(&uv), UV_EBUSY); /* only the host's two handles are left */
  uv_close((uv_handle_t *)&host_tcp, NULL);
  uv_close((uv_handle_t *)&timer, NULL);
  CHECK_INT(uv_run(&uv, UV_RUN_DEFAULT), 0);
  CHECK_INT(uv_loop_close(&uv), 0);
}

static void close_names_the_hosts_handles_on_our_own_loop(void) {
  belay_loop *loop = open_loop();
  CHECK_INT(uv_tcp_init(belay_loop_uv(loop), &host_tcp), 0);
  CHECK_INT(belay_loop_close(loop, note, NULL, NULL), 0);
  CHECK_STRING(found, "(uv_tcp - foreign)");
  belay_loop_release(loop);
}

static void close_prints_when_nobody_asks(void) {
  belay_loop_options options = {.size = sizeof options, .label = "printing"};
  belay_loop *loop = belay_loop_create(&options);
  belay_signal *subject = belay_subject_create(NULL);
  belay_observer observer = tracing("");
  observer.label = "forgotten";
  observer.site = "somewhere.c:12";
  CHECK_INT(belay_signal_subscribe(subject, &observer, NULL), 0);
  char text[1024];
  printed output;
  begin_printed(&output);
  int code = belay_loop_close(loop, NULL, NULL, NULL);
  end_printed(&output, text, sizeof text);
  CHECK_INT(code, 0);
  CHECK(strstr(text, "forgotten") != NULL);
  CHECK(strstr(text, "somewhere.c:12") != NULL);
  CHECK(strstr(text, "subscription") != NULL);
  belay_loop_release(loop);
  belay_signal_release(subject);
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
    CASE(close_names_owners),
    CASE(close_names_labelled_timers),
    CASE(close_names_an_operators_timer),
    CASE(only_work_has_a_label),
    CASE(the_report_names_the_loop_and_its_site),
    CASE(close_names_subscriptions),
    CASE(close_names_only_what_is_alive),
    CASE(close_names_timers),
    CASE(close_names_sources),
    CASE(close_names_a_file_at_every_step),
    CASE(close_names_the_hosts_handles),
    CASE(close_names_the_hosts_handles_on_our_own_loop),
    CASE(close_prints_when_nobody_asks),
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
