/* Error events that reach a subscription without an `error` callback. */
#include <pthread.h>
#include <unistd.h>

#include "printed.h"
#include "witness.h"

static void hook(void *ctx, const belay_error *error, const char *signal, const char *site) {
  trace("%s: %s of %s at %s", (const char *)ctx, belay_error_message(error), signal,
        site ? site : "nowhere");
}

static belay_signal *failing(const char *message) {
  return failing_with(-5, message);
}

static void subscribe_deaf(belay_signal *signal, const char *site, belay_loop *loop) {
  belay_observer observer = {.size = sizeof observer, .site = site, .loop = loop};
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
}

static void remove_hook(void) { CHECK_INT(belay_on_unhandled_error(NULL, NULL, NULL), 0); }

static void A2_13_the_process_hook_gets_signal_and_site(void) {
  CHECK_INT(belay_on_unhandled_error(hook, "process", trace_free), 0);
  belay_signal *signal = failing("rain");
  CHECK_INT(belay_signal_set_name(signal, "weather"), 0);
  subscribe_deaf(signal, "here.c:7", NULL);
  CHECK_TRACE("process: rain of weather at here.c:7");
  subscribe_deaf(signal, NULL, NULL);
  CHECK_TRACE("process: rain of weather at nowhere");
  belay_signal_release(signal);
  remove_hook();
  CHECK_TRACE("free process");
}

/* The hook gets the name of the signal that was subscribed to, which names the whole chain. */
static void the_name_is_that_of_the_chain(void) {
  CHECK_INT(belay_on_unhandled_error(hook, "p", trace_free), 0);
  belay_signal *chain = belay_signal_chain(failing("rain"), belay_op_take(1), belay_op_buffer(2));
  char expected[256];
  snprintf(expected, sizeof expected, "p: rain of %s at a.c:1", belay_signal_name(chain));
  CHECK(strstr(belay_signal_name(chain), "error.take.buffer") != NULL);
  subscribe_deaf(chain, "a.c:1", NULL);
  CHECK_TRACE(expected);
  belay_signal_release(chain);
  remove_hook();
}

static void a_hot_signal_reports_each_deaf_subscription(void) {
  CHECK_INT(belay_on_unhandled_error(hook, "p", NULL), 0);
  belay_signal *subject =
      belay_subject_create(&(belay_source_options){.size = sizeof(belay_source_options),
                                                   .label = "taps"});
  belay_observer heard = tracing("heard");
  subscribe_deaf(subject, "a.c:1", NULL);
  CHECK_INT(belay_signal_subscribe(subject, &heard, NULL), 0);
  subscribe_deaf(subject, "a.c:3", NULL);
  fail_subject(subject, BELAY_EBUSY, "dry");
  CHECK_TRACE("p: dry of taps at a.c:1 | heard error EBUSY | heard disposed | heard free | "
              "p: dry of taps at a.c:3");
  belay_signal_release(subject);
  remove_hook();
}

static void a_handled_error_or_a_completion_is_not_reported(void) {
  CHECK_INT(belay_on_unhandled_error(hook, "p", NULL), 0);
  belay_signal *signal = failing("rain"), *empty = belay_signal_empty();
  belay_observer observer = tracing("");
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  CHECK_TRACE("error EIO | disposed | free");
  subscribe_deaf(empty, "a.c:1", NULL);
  CHECK_TRACE("");
  belay_signal_release(signal);
  belay_signal_release(empty);
  remove_hook();
}

/* The same for an error that comes after the disposal. */
static void a_disposed_subscription_reports_nothing(void) {
  CHECK_INT(belay_on_unhandled_error(hook, "p", NULL), 0);
  belay_signal *subject = belay_subject_create(NULL);
  belay_observer observer = {.size = sizeof observer};
  belay_disposable *d = NULL;
  CHECK_INT(belay_signal_subscribe(subject, &observer, &d), 0);
  belay_disposable_dispose(d);
  belay_error *error = belay_error_create(-5, NULL, NULL, belay_null(), NULL);
  CHECK_INT(belay_subject_error(subject, error), 0);
  CHECK_TRACE("");
  belay_error_release(error);
  belay_disposable_release(d);
  belay_signal_release(subject);
  remove_hook();
}

/* The hook is called where `error` would be: before `disposed`. */
static void on_disposed(void *ctx) { trace("disposed %s", (const char *)ctx); }
static void the_hook_runs_before_disposed(void) {
  CHECK_INT(belay_on_unhandled_error(hook, "p", NULL), 0);
  belay_signal *signal = failing("rain");
  belay_observer observer = {.size = sizeof observer, .disposed = on_disposed, .ctx = "s",
                             .ctx_free = trace_free};
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  CHECK_TRACE("p: rain of error at nowhere | disposed s | free s");
  belay_signal_release(signal);
  remove_hook();
}

static void replacing_frees_the_old_hook_once(void) {
  CHECK_INT(belay_on_unhandled_error(hook, "one", trace_free), 0);
  CHECK_INT(belay_on_unhandled_error(hook, "two", trace_free), 0);
  CHECK_TRACE("free one");
  belay_signal *signal = failing("rain");
  subscribe_deaf(signal, "a.c:1", NULL);
  CHECK_TRACE("two: rain of error at a.c:1");
  belay_signal_release(signal);
  remove_hook();
  CHECK_TRACE("free two");
  remove_hook();
  CHECK_TRACE("");
}

static void replace_self(void *ctx, const belay_error *error, const char *signal,
                         const char *site) {
  hook(ctx, error, signal, site);
  CHECK_INT(belay_on_unhandled_error(hook, "new", trace_free), 0);
  trace("still in %s", (const char *)ctx);
}
static void a_hook_replaced_from_inside_is_freed_after_it(void) {
  CHECK_INT(belay_on_unhandled_error(replace_self, "old", trace_free), 0);
  belay_signal *signal = failing("rain");
  subscribe_deaf(signal, "a.c:1", NULL);
  CHECK_TRACE("old: rain of error at a.c:1 | still in old | free old");
  subscribe_deaf(signal, "a.c:2", NULL);
  CHECK_TRACE("new: rain of error at a.c:2");
  belay_signal_release(signal);
  remove_hook();
}

/* When another thread replaces a hook, its context is freed once the call inside it has
   returned. */
static pthread_barrier_t inside, replaced;
static void wait_inside(void *ctx, const belay_error *error, const char *signal,
                        const char *site) {
  hook(ctx, error, signal, site);
  pthread_barrier_wait(&inside);
  pthread_barrier_wait(&replaced);
  trace("leaves %s", (const char *)ctx);
}
static void *subscribe_there(void *signal) {
  subscribe_deaf(signal, "a.c:1", NULL);
  return NULL;
}
static void a_hook_is_freed_when_no_thread_is_in_it(void) {
  pthread_barrier_init(&inside, NULL, 2);
  pthread_barrier_init(&replaced, NULL, 2);
  CHECK_INT(belay_on_unhandled_error(wait_inside, "old", trace_free), 0);
  belay_signal *signal = failing("rain");
  pthread_t thread;
  pthread_create(&thread, NULL, subscribe_there, signal);
  pthread_barrier_wait(&inside);
  CHECK_INT(belay_on_unhandled_error(hook, "new", trace_free), 0);
  CHECK_TRACE("old: rain of error at a.c:1");
  pthread_barrier_wait(&replaced);
  pthread_join(thread, NULL);
  CHECK_TRACE("leaves old | free old");
  belay_signal_release(signal);
  remove_hook();
  CHECK_TRACE("free new");
  pthread_barrier_destroy(&inside);
  pthread_barrier_destroy(&replaced);
}

static void a_loop_has_its_own(void) {
  belay_loop *loop = belay_loop_create(NULL);
  CHECK_INT(belay_on_unhandled_error(hook, "process", trace_free), 0);
  belay_signal *signal = failing("rain");
  subscribe_deaf(signal, "a.c:1", loop);
  CHECK_TRACE("process: rain of error at a.c:1");
  CHECK_INT(belay_loop_on_unhandled_error(loop, hook, "loop", trace_free), 0);
  subscribe_deaf(signal, "a.c:2", loop);
  CHECK_TRACE("loop: rain of error at a.c:2");
  CHECK_INT(belay_loop_on_unhandled_error(loop, NULL, NULL, NULL), 0);
  CHECK_TRACE("free loop");
  subscribe_deaf(signal, "a.c:3", loop);
  CHECK_TRACE("process: rain of error at a.c:3");
  CHECK_INT(belay_loop_on_unhandled_error(loop, hook, "last", trace_free), 0);
  belay_signal_release(signal);
  /* The close frees it, and not the last handle. */
  CHECK_INT(belay_loop_close(loop, NULL, NULL, NULL), 0);
  CHECK_TRACE("free last");
  belay_loop_release(loop);
  remove_hook();
}

/* The default prints one line, and goes on. */
static void the_default_prints_a_line(void) {
  char line[512];
  printed output;
  begin_printed(&output);
  belay_signal *signal = failing("rain");
  CHECK_INT(belay_signal_set_name(signal, "weather"), 0);
  subscribe_deaf(signal, "here.c:7", NULL);
  belay_signal_release(signal);
  end_printed(&output, line, sizeof line);
  CHECK(strstr(line, "weather") && strstr(line, "here.c:7") && strstr(line, "rain"));
  CHECK(strchr(line, '\n') == line + strlen(line) - 1);
}

enum { LINES = 300 };
static void print_lines(void *signal) {
  pthread_barrier_wait(&inside);
  for (int i = 0; i < LINES; i++) subscribe_deaf(signal, "here.c:7", NULL);
}
static void print_lines_of_two_threads(void) {
  static char text[1 << 16];
  printed output;
  begin_printed(&output);
  belay_signal *signal = failing("rain");
  routine other;
  start_thread(&other, print_lines, signal);
  print_lines(signal);
  join_thread(&other);
  belay_signal_release(signal);
  end_printed(&output, text, sizeof text);
  size_t length = strcspn(text, "\n") + 1;
  CHECK(strstr(text, "rain") && strstr(text, "rain") < text + length);
  CHECK_INT(strlen(text), 2 * LINES * length);
  for (size_t line = 1; line < 2 * LINES; line++) CHECK(!memcmp(text + line * length, text, length));
}
static void lines_of_two_threads_are_whole(void) {
  pthread_barrier_init(&inside, NULL, 2);
  for (int round = 0; round < 60; round++) print_lines_of_two_threads();
  pthread_barrier_destroy(&inside);
}

/* The context is freed even though there is no hook. */
static void no_hook_with_a_context(void) {
  CHECK_INT(belay_on_unhandled_error(NULL, "none", trace_free), 0);
  remove_hook();
  CHECK_TRACE("free none");
}

/* ---- what led to it ---- */

static void tell_stack(void *ctx, const belay_error *error, const char *signal, const char *site) {
  char text[128], cut[6];
  size_t length = belay_delivery_stack(NULL, 0);
  CHECK_INT(belay_delivery_stack(text, sizeof text), length);
  CHECK_INT(strlen(text), length);
  CHECK_INT(belay_delivery_stack(cut, sizeof cut), length);
  CHECK(strlen(cut) == 5 && !strncmp(cut, text, 5));
  trace("%s", text);
}
static void fail_into(void *subject, belay_value value) { fail_subject(subject, BELAY_ENOENT, "hail"); }
static void send_on(void *subject, belay_value value) { send_int(subject, int_of(value)); }
static void F6_04_the_deliveries_in_progress(void) {
  belay_signal *outer = belay_subject_create(NULL), *inner = belay_subject_create(NULL);
  CHECK_INT(belay_signal_set_name(inner, "weather"), 0);
  belay_observer observer = BELAY_INIT(belay_observer);
  observer.next = fail_into;
  observer.ctx = inner;
  belay_signal *chain = belay_signal_chain(also(outer), belay_op_skip(0));
  CHECK_INT(belay_signal_subscribe(chain, &observer, NULL), 0);
  belay_observer forecast = BELAY_INIT(belay_observer, .next = send_on, .ctx = outer, .label = "forecast");
  belay_signal *outermost = belay_subject_create(NULL);
  CHECK_INT(belay_signal_subscribe(outermost, &forecast, NULL), 0);
  subscribe_deaf(inner, "here.c:7", NULL);
  CHECK_INT(belay_on_unhandled_error(tell_stack, NULL, NULL), 0);
  CHECK_INT(belay_delivery_stack(NULL, 0), 0);
  CHECK_INT(belay_subject_next(outermost, belay_int32(1)), 0);
  CHECK_TRACE("weather subscribed at here.c:7\nsubject.skip\nforecast\n");
  remove_hook();
  belay_signal_release(outermost);
  belay_signal_release(chain);
  belay_signal_release(outer);
  belay_signal_release(inner);
}

/* A subscriber whose start is on its way to the shared signal's loop gets the error. */
static int unheard;
static void count_unheard(void *ctx, const belay_error *error, const char *signal, const char *site) { unheard++; }
static belay_signal *shared;
static witness distant;
static belay_disposable *distant_one;
static void subscribe_from_afar(void *ctx) { distant_one = witnessed(shared, &distant, NULL); }
static void a_subscriber_on_its_way_hears_of_it(void) {
  worker there = {0};
  witness here = {0};
  CHECK_INT(belay_on_unhandled_error(count_unheard, NULL, NULL), 0);
  belay_loop *loop = open_loop();
  belay_signal *source = belay_subject_create(NULL);
  shared = belay_signal_chain(belay_signal_retain(source), belay_op_share(0));
  belay_disposable *subscription = witnessed(shared, &here, NULL);
  start_worker(&there);
  unheard = 0;
  distant = (witness){.home = &there};
  on_worker(&there, subscribe_from_afar, NULL);
  belay_disposable_dispose(subscription);
  belay_error *error = belay_error_create(-5, "test", "rain", belay_null(), NULL);
  CHECK(belay_subject_error(source, error) >= 0);
  belay_error_release(error);
  turn(loop);
  meet(&there);
  check_witness(&distant, 0, 0, -5);
  CHECK_INT(unheard, 0);
  belay_disposable_release(subscription);
  belay_disposable_release(distant_one);
  belay_signal_release(shared);
  belay_signal_release(source);
  stop_worker(&there);
  close_loop(loop);
  remove_hook();
}

static const test_case cases[] = {
    CASE(A2_13_the_process_hook_gets_signal_and_site),
    CASE(the_name_is_that_of_the_chain),
    CASE(a_hot_signal_reports_each_deaf_subscription),
    CASE(a_handled_error_or_a_completion_is_not_reported),
    CASE(a_disposed_subscription_reports_nothing),
    CASE(the_hook_runs_before_disposed),
    CASE(replacing_frees_the_old_hook_once),
    CASE(a_hook_replaced_from_inside_is_freed_after_it),
    CASE(a_hook_is_freed_when_no_thread_is_in_it),
    CASE(a_loop_has_its_own),
    CASE(the_default_prints_a_line),
    CASE(lines_of_two_threads_are_whole),
    CASE(no_hook_with_a_context),
    CASE(F6_04_the_deliveries_in_progress),
    CASE(a_subscriber_on_its_way_hears_of_it),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
