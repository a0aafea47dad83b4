/* What the close of a loop names as open. */
#include "open_resources.h"
#include "printed.h"

#include <fcntl.h>
#include <unistd.h>
#include <uv.h>

static void ignore(void *ctx, belay_value value) {}

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

/* By any user: who leaves, who stays, and through an operator and from elsewhere, too. */
static void close_names_subscriptions_by_their_source(void) {
  expected_site = BELAY_HERE;
  belay_source_options options =
      BELAY_INIT(belay_source_options, .label = "named", .site = expected_site);
  belay_loop *users[] = {open_loop(), belay_loop_create(NULL)};
  belay_signal *subject = belay_subject_create(&options);
  options.shared = 1;
  belay_signal *shared = belay_subject_create(&options);
  for (int i = 0; i < 2; i++) {
    belay_observer observer = BELAY_INIT(belay_observer, .next = ignore, .loop = users[i]);
    belay_signal *signals[] = {
        belay_signal_retain(subject),
        belay_signal_chain(also(subject), belay_op_take(1)),
        belay_signal_retain(shared),
        belay_signal_interval(belay_loop_get_scheduler(users[i]), 1),
    };
    for (int j = 0; j < 4; j++) {
      CHECK_INT(belay_signal_subscribe(signals[j], &observer, NULL), 0);
      belay_signal_release(signals[j]);
    }
  }
  for (int i = 0; i < 2; i++) {
    CHECK_INT(belay_loop_close(users[i], note, NULL, NULL), 0);
    int named = 0;
    for (const char *at = found; (at = strstr(at, "(subscription named)")); at++) named++;
    CHECK_INT(named, 3);
    CHECK_FOUND("(subscription interval)");
    CHECK(!strstr(found, "(subscription -)"));
    belay_loop_release(users[i]);
  }
  belay_signal_release(subject);
  belay_signal_release(shared);
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
  uv_loop_t *uv = belay_loop_uv(loop);
  CHECK_INT(uv_tcp_init(uv, &host_tcp), 0);
  CHECK_INT(belay_loop_close(loop, note, NULL, NULL), 0);
  CHECK_STRING(found, "(uv_tcp - foreign)");
  belay_loop_release(loop);
  /* Belay cannot close a loop that has the host's handle. */
  uv_close((uv_handle_t *)&host_tcp, NULL);
  CHECK_INT(uv_run(uv, UV_RUN_DEFAULT), 0);
  CHECK_INT(uv_loop_close(uv), 0);
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

static const test_case cases[] = {
    CASE(close_names_owners),
    CASE(close_names_labelled_timers),
    CASE(close_names_an_operators_timer),
    CASE(only_work_has_a_label),
    CASE(the_report_names_the_loop_and_its_site),
    CASE(close_names_subscriptions),
    CASE(close_names_subscriptions_by_their_source),
    CASE(close_names_only_what_is_alive),
    CASE(close_names_timers),
    CASE(close_names_sources),
    CASE(close_names_a_file_at_every_step),
    CASE(close_names_the_hosts_handles),
    CASE(close_names_the_hosts_handles_on_our_own_loop),
    CASE(close_prints_when_nobody_asks),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
