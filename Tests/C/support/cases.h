/* What most test programs share beyond check.h: values as text, sources, threads, loops with a
   guard. */
#ifndef CASES_H
#define CASES_H

#include "callbacks.h"

#include <pthread.h>
#include <stdarg.h>

/* ---- values as text: numbers, strings as they are, [arrays of them], else the kind ---- */
static inline size_t render(belay_value value, char *out, size_t size) {
  int64_t number;
  uint64_t large;
  belay_view view;
  if (belay_value_kind(value) == BELAY_KIND_ARRAY) {
    size_t used = (size_t)snprintf(out, size, "[");
    for (size_t i = 0; i < belay_value_count(value) && used < size; i++) {
      belay_value item;
      CHECK_INT(belay_value_get_item(value, i, &item), 0);
      if (i > 0) used += (size_t)snprintf(out + used, size - used, " ");
      if (used < size) used += render(item, out + used, size - used);
    }
    return used < size ? used + (size_t)snprintf(out + used, size - used, "]") : used;
  }
  if (belay_value_kind(value) == BELAY_KIND_STRING && belay_value_get_string(value, &view) == 0)
    return (size_t)snprintf(out, size, "%.*s", (int)view.size, view.data);
  if (belay_value_kind(value) <= BELAY_KIND_UINT64 && belay_value_kind(value) >= BELAY_KIND_INT8) {
    if (belay_value_get_int64(value, &number) == 0)
      return (size_t)snprintf(out, size, "%lld", (long long)number);
    if (belay_value_get_uint64(value, &large) == 0)
      return (size_t)snprintf(out, size, "%llu", (unsigned long long)large);
  }
  return (size_t)snprintf(out, size, "%s", belay_kind_name(belay_value_kind(value)));
}

static inline void render_next(void *ctx, belay_value value) {
  const char *prefix = ctx;
  char text[400];
  render(value, text, sizeof text);
  trace("%s%snext %s", prefix, *prefix ? " " : "", text);
}

/* tracing(), with render() for values. */
static inline belay_observer rendering(const char *prefix) {
  belay_observer observer = tracing(prefix);
  observer.next = render_next;
  return observer;
}

/* The same without the context's end. */
static inline belay_observer unfreed(const char *prefix) {
  belay_observer observer = rendering(prefix);
  observer.ctx_free = NULL;
  return observer;
}

/* Subscribes a tracing observer and lets go of the signal. */
static inline void watch(belay_signal *signal, const char *prefix) {
  belay_observer observer = rendering(prefix);
  CHECK(signal != NULL);
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  belay_signal_release(signal);
}

static inline void trace_message(void *ctx, const belay_error *error) {
  trace("error %s: %s", belay_error_name(belay_error_code(error)), belay_error_message(error));
}
/* watch(), with the messages of errors. */
static inline void watch_errors(belay_signal *signal) {
  belay_observer observer = rendering("");
  observer.error = trace_message;
  CHECK(signal != NULL);
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  belay_signal_release(signal);
}

/* watch(), and gives the subscription. */
static inline belay_disposable *watched(belay_signal *signal, const char *prefix) {
  belay_observer observer = rendering(prefix);
  belay_disposable *subscription = NULL;
  CHECK(signal != NULL);
  CHECK_INT(belay_signal_subscribe(signal, &observer, &subscription), 0);
  belay_signal_release(signal);
  return subscription;
}

static inline void end_subscription(belay_disposable *subscription) {
  belay_disposable_dispose(subscription);
  belay_disposable_release(subscription);
}

/* int32s from `first` on, then completed. */
static inline belay_signal *numbers(int32_t first, size_t count) {
  belay_value values[64];
  for (size_t i = 0; i < count && i < 64; i++) values[i] = belay_int32(first + (int32_t)i);
  return belay_signal_from(values, count);
}

/* ---- sources ---- */

/* One more reference, for a call that takes a signal over. */
static inline belay_signal *also(belay_signal *signal) { return belay_signal_retain(signal); }

/* Sends a number; what the send answers. */
static inline int send_to(belay_signal *subject, int number) {
  return belay_subject_next(subject, belay_int32(number));
}
/* Sends a number at once. */
static inline void send_int(belay_signal *subject, int number) {
  CHECK_INT(send_to(subject, number), 0);
}
static inline void fail_subject(belay_signal *subject, int code, const char *message) {
  belay_error *error = belay_error_create(code, NULL, message, belay_null(), NULL);
  CHECK_INT(belay_subject_error(subject, error), 0);
  belay_error_release(error);
}
static inline belay_signal *failing_with(int code, const char *message) {
  belay_error *error = belay_error_create(code, NULL, message, belay_null(), NULL);
  belay_signal *signal = belay_signal_error(error);
  belay_error_release(error);
  return signal;
}

static inline void check_name(belay_signal *signal, const char *expected) {
  CHECK_STRING(belay_signal_name(signal), expected);
  belay_signal_release(signal);
}

/* ---- threads ---- */
typedef struct routine {
  void (*run)(void *argument);
  void *argument;
  pthread_t thread;
} routine;

static inline void *routine_main(void *argument) {
  routine *it = argument;
  it->run(it->argument);
  /* What this thread recorded is its own. */
  belay_last_error();
  belay_last_error();
  return NULL;
}

static inline void start_thread(routine *it, void (*run)(void *), void *argument) {
  it->run = run;
  it->argument = argument;
  CHECK_INT(pthread_create(&it->thread, NULL, routine_main, it), 0);
}

static inline void join_thread(routine *it) { CHECK_INT(pthread_join(it->thread, NULL), 0); }

static inline void in_thread(void (*run)(void *), void *argument) {
  routine it;
  start_thread(&it, run, argument);
  join_thread(&it);
}

/* ---- loops ---- */
static inline belay_loop *open_loop(void) {
  belay_loop *loop = belay_loop_create(NULL);
  CHECK(loop != NULL);
  return loop;
}

static inline void expect_nothing_left(void *ctx, const belay_open_resource *const *left,
                                       size_t count) {
  for (size_t i = 0; i < count; i++)
    check_failed(__FILE__, __LINE__, "the loop's close found a %s (%s, %s)",
                 belay_open_resource_kind(left[i]),
                 text_or(belay_open_resource_label(left[i]), "no label"),
                 text_or(belay_open_resource_site(left[i]), "no site"));
}

static inline void close_loop(belay_loop *loop) {
  CHECK_INT(belay_loop_close(loop, expect_nothing_left, NULL, NULL), 0);
  belay_loop_release(loop);
}

static inline void stop_loop(void *loop) { CHECK_INT(belay_loop_stop(loop), 0); }

static inline void give_up(void *loop) {
  check_failed(__FILE__, __LINE__, "what was waited for has not come; so far: %s", trace_text());
  belay_loop_stop(loop);
}

/* Runs the loop until somebody stops it, at most for a time that is never reached. */
static inline void run_until_stopped(belay_loop *loop) {
  belay_disposable *guard = NULL;
  CHECK_INT(belay_scheduler_after(belay_loop_get_scheduler(loop), 60, give_up, loop, NULL, &guard),
            0);
  CHECK_INT(belay_loop_run(loop, BELAY_RUN_DEFAULT), 1);
  belay_disposable_dispose(guard);
  belay_disposable_release(guard);
}

static inline void run_to_end(belay_loop *loop) {
  CHECK_INT(belay_loop_run(loop, BELAY_RUN_DEFAULT), 0);
}

/* Arms timers, until the machine does so without a pause. A delay counts from when it is asked for,
   so only then are the timers due in the order of their delays. */
static inline void arm_at_once(belay_loop *loop, void (*arm)(void)) {
  belay_scheduler *scheduler = belay_loop_get_scheduler(loop);
  for (;;) {
    double begun = belay_scheduler_now(scheduler);
    arm();
    if (belay_scheduler_now(scheduler) - begun < 0.001) return;
    run_to_end(loop);
    trace_clear();
  }
}

#endif
