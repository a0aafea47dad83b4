/* Callbacks that take long, as the hook for them tells. */
#define _GNU_SOURCE
#include "held.h"

#include <dlfcn.h>
#include <math.h>
#include <time.h>

/* From its first look on, the monotonic clock stands still but for what a callback adds, so that nothing depends on
   how busy the machine is. Each thread has its own. */
static _Thread_local long long added; /* milliseconds */
static struct timespec first;
static int read_clock(clockid_t clock, struct timespec *now) {
  static int (*original)(clockid_t, struct timespec *);
  if (!original) original = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  return original(clock, now);
}
__attribute__((constructor)) static void begin_clock(void) { read_clock(CLOCK_MONOTONIC, &first); }
int clock_gettime(clockid_t clock, struct timespec *now) {
  if (clock != CLOCK_MONOTONIC) return read_clock(clock, now);
  *now = (struct timespec){first.tv_sec + 1 + added / 1000, added % 1000 * 1000000};
  return 0;
}
static void take(int milliseconds) { added += milliseconds; }

static int frees;
static void tell(void *ctx, double seconds, const char *name, const char *site) {
  trace("%s %.0f ms %s", name, seconds * 1000, text_or(site, "-"));
}
static void freed(void *ctx) { frees++; }
static void tell_from(double seconds) {
  CHECK_INT(belay_on_slow_callback(seconds, tell, &frees, freed), 0);
}
static void stop(void) {
  frees = 0;
  CHECK_INT(belay_on_slow_callback(0, NULL, NULL, NULL), 0);
  CHECK_INT(frees, 1);
}

static belay_signal *named(const char *label) {
  belay_source_options options = BELAY_INIT(belay_source_options);
  options.label = label;
  return belay_subject_create(&options);
}
static void take_value(void *ctx, belay_value value) { take(int_of(value)); }
static void take_forty(void *ctx) { take(40); }
static belay_disposable *slow(belay_signal *signal, const char *site) {
  belay_observer observer = BELAY_INIT(belay_observer);
  belay_disposable *subscription = NULL;
  observer.next = take_value;
  observer.completed = take_forty;
  observer.site = site;
  CHECK_INT(belay_signal_subscribe(signal, &observer, &subscription), 0);
  return subscription;
}
static void end(belay_disposable *subscription) {
  belay_disposable_dispose(subscription);
  belay_disposable_release(subscription);
}

static belay_value map_slowly(void *ctx, belay_value value) {
  take(25);
  return belay_value_retain(value);
}
static void D_15_the_callbacks_of_subscriptions_by_name(void) {
  belay_signal *lines = named("lines");
  belay_signal *mapped = belay_signal_chain(belay_signal_retain(lines),
                                            belay_op_map(map_slowly, NULL, NULL), belay_op_skip(0));
  tell_from(0.010);
  belay_disposable *first = slow(lines, "here"), *second = slow(mapped, "there");
  CHECK_INT(belay_subject_next(lines, belay_int32(9)), 0);
  CHECK_TRACE("lines.map.skip 34 ms there");
  CHECK_INT(belay_subject_next(lines, belay_int32(10)), 0);
  CHECK_TRACE("lines 10 ms here | lines.map.skip 35 ms there");
  stop();
  CHECK_INT(belay_subject_next(lines, belay_int32(50)), 0);
  CHECK_TRACE("");
  end(first);
  end(second);
  belay_signal_release(mapped);
  belay_signal_release(lines);
}

static void D_15_a_subscription_with_a_name_of_its_own(void) {
  belay_signal *lines = named("lines");
  belay_observer observer =
      BELAY_INIT(belay_observer, .next = take_value, .completed = take_forty, .label = "counter");
  CHECK_INT(belay_signal_subscribe(lines, &observer, NULL), 0);
  tell_from(0.010);
  CHECK_INT(belay_subject_next(lines, belay_int32(10)), 0);
  CHECK_TRACE("counter 10 ms -");
  CHECK_INT(belay_subject_completed(lines), 0);
  CHECK_TRACE("counter 40 ms -");
  stop();
  belay_signal_release(lines);
}

/* A subscription that has ended does not know the signals above it any more. */
static void D_15_what_ends_inside_has_the_name_of_its_source(void) {
  belay_signal *lines = named("lines");
  belay_signal *first = belay_signal_chain(belay_signal_retain(lines), belay_op_take(1));
  end(slow(first, NULL));
  belay_disposable *subscription = slow(first, "here");
  tell_from(0.010);
  CHECK_INT(belay_subject_next(lines, belay_int32(20)), 0);
  CHECK_TRACE("lines 60 ms here");
  belay_disposable *other = slow(lines, "there");
  CHECK_INT(belay_subject_completed(lines), 0);
  CHECK_TRACE("lines 40 ms there");
  stop();
  belay_disposable_release(subscription);
  belay_disposable_release(other);
  belay_signal_release(first);
  belay_signal_release(lines);
}

static void send_on(void *subject, belay_value value) {
  take(20);
  CHECK_INT(belay_subject_next(subject, belay_int32(30)), 0);
  take(1);
}
static void D_15_each_has_its_own_time(void) {
  belay_signal *outer = named("outer"), *inner = named("inner");
  belay_disposable *below = slow(inner, NULL), *above = NULL;
  belay_observer observer = BELAY_INIT(belay_observer);
  observer.next = send_on;
  observer.ctx = inner;
  CHECK_INT(belay_signal_subscribe(outer, &observer, &above), 0);
  tell_from(0.010);
  CHECK_INT(belay_subject_next(outer, belay_null()), 0);
  CHECK_TRACE("inner 30 ms - | outer 21 ms -");
  tell_from(0.022);
  CHECK_INT(belay_subject_next(outer, belay_null()), 0);
  CHECK_TRACE("inner 30 ms -");
  stop();
  end(above);
  end(below);
  belay_signal_release(inner);
  belay_signal_release(outer);
}

static void all_kinds_of_sources(belay_signal *source, const char *name) {
  char expected[64];
  belay_disposable *subscription = slow(source, NULL);
  trace_clear();
  CHECK_INT(belay_subject_next(source, belay_int32(12)), 0);
  snprintf(expected, sizeof expected, "%s 12 ms -", name);
  CHECK_TRACE(expected);
  end(subscription);
  belay_signal_release(source);
}
static void D_15_of_each_kind_of_source(void) {
  tell_from(0.010);
  all_kinds_of_sources(belay_subject_create_behavior(belay_int32(0), NULL), "subject");
  all_kinds_of_sources(belay_subject_create_replay(NULL, -1, 2, NULL), "subject");
  belay_source_options options = BELAY_INIT(belay_source_options);
  options.shared = 1;
  options.label = "shared";
  all_kinds_of_sources(belay_subject_create(&options), "shared");
  stop();
}

static void take_values(void *ctx, const belay_value *values, size_t count) {
  for (size_t i = 0; i < count; i++) take(int_of(values[i]));
}
static void send_two(void *subject) {
  CHECK_INT(belay_subject_next(subject, belay_int32(7)), BELAY_QUEUED);
  CHECK_INT(belay_subject_next(subject, belay_int32(8)), BELAY_QUEUED);
}
static void D_15_batches(void) {
  belay_loop *loop = belay_loop_create(NULL);
  belay_signal *lines = named("lines");
  belay_observer observer = BELAY_INIT(belay_observer, .next_batch = take_values, .site = "here");
  belay_value values[] = {belay_int32(5), belay_int32(6)};
  belay_disposable *batches = NULL;
  CHECK_INT(belay_signal_subscribe(lines, &observer, &batches), 0);
  belay_disposable *single = slow(lines, "there");
  tell_from(0.010);
  CHECK_INT(belay_subject_next(lines, belay_int32(12)), 0);
  CHECK_TRACE("lines.batch 12 ms here | lines 12 ms there");
  CHECK_INT(belay_subject_next_batch(lines, values, 2), 0);
  CHECK_TRACE("lines.batch 11 ms here");
  in_thread(send_two, lines);
  CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  CHECK_TRACE("lines.batch 15 ms here");
  stop();
  end(batches);
  end(single);
  belay_signal_release(lines);
  CHECK_INT(belay_loop_close(loop, NULL, NULL, NULL), 0);
  belay_loop_release(loop);
}

static void post_slowly(void *ctx) { take(15); }
static void D_15_timers_work_and_posts(void) {
  belay_loop *loop = belay_loop_create(NULL);
  belay_scheduler *scheduler = belay_loop_get_scheduler(loop);
  belay_signal *ticks = belay_signal_timer(scheduler, 0);
  belay_observer observer = BELAY_INIT(belay_observer);
  observer.site = "here";
  observer.completed = take_forty;
  CHECK_INT(belay_signal_subscribe(ticks, &observer, NULL), 0);
  CHECK_INT(belay_loop_post(loop, post_slowly, NULL, NULL), 0);
  CHECK_INT(belay_scheduler_schedule(scheduler, take_forty, NULL, NULL, NULL), 0);
  tell_from(0.010);
  while (belay_loop_run(loop, BELAY_RUN_NOWAIT) > 0) take(1);
  CHECK_TRACE("timer 40 ms here | post 15 ms - | work 40 ms -");
  stop();
  belay_signal_release(ticks);

  CHECK_INT(belay_loop_close(loop, NULL, NULL, NULL), 0);
  belay_loop_release(loop);
}

/* The timer of an operator, which ends the subscription that has the name. */
static void D_15_what_ends_itself_is_named(void) {
  belay_loop *loop = belay_loop_create(NULL);
  belay_scheduler *scheduler = belay_loop_get_scheduler(loop);
  belay_observer observer = BELAY_INIT(belay_observer);
  observer.label = "brief";
  observer.site = "here";
  observer.completed = take_forty;
  belay_signal *signals[] = {
      belay_signal_chain(belay_signal_never(), belay_op_take_for(scheduler, 0.002)),
      belay_signal_chain(belay_signal_just(belay_int32(1)), belay_op_delay(scheduler, 0.002), belay_op_take(1)),
      belay_signal_chain(belay_signal_never(), belay_op_timeout(scheduler, 0.002, belay_signal_empty())),
      belay_signal_chain(belay_signal_just(belay_int32(1)), belay_op_delay_subscription(scheduler, 0.002)),
  };
  tell_from(0.010);
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
    CHECK_INT(belay_signal_subscribe(signals[i], &observer, NULL), 0);
    belay_signal_release(signals[i]);
    while (belay_loop_run(loop, BELAY_RUN_NOWAIT) > 0) take(1);
    CHECK_TRACE("brief 40 ms here");
  }
  stop();
  CHECK_INT(belay_loop_close(loop, NULL, NULL, NULL), 0);
  belay_loop_release(loop);
}

static void D_15_on_every_thread(void) {
  worker other = {0};
  tell_from(0.010);
  /* It is made after the hook, and listens to a source that is at home here. */
  start_worker(&other);
  belay_signal *numbers = named("numbers");
  belay_observer observer = BELAY_INIT(belay_observer);
  belay_disposable *subscription = NULL;
  observer.next = take_value;
  observer.loop = other.loop;
  CHECK_INT(belay_signal_subscribe(numbers, &observer, &subscription), 0);
  CHECK_INT(belay_subject_next(numbers, belay_int32(11)), 0);
  meet(&other);
  CHECK_TRACE("numbers 11 ms -");
  belay_disposable_dispose_sync(subscription, -1);
  belay_disposable_release(subscription);
  stop_worker(&other);
  stop();
  belay_signal_release(numbers);
}

static int done;
static void set_done(void *ctx) { done = 1; }
static void take_long_on_the_pool(void *loop) {
  take(500);
  CHECK_INT(belay_loop_post(loop, set_done, NULL, NULL), 0);
}
static void D_15_not_on_the_pool(void) {
  belay_loop *loop = belay_loop_create(NULL);
  belay_scheduler *pool = belay_scheduler_create_pool(loop);
  done = 0;
  tell_from(0.010);
  CHECK_INT(belay_scheduler_schedule(pool, take_long_on_the_pool, loop, NULL, NULL), 0);
  CHECK_INT(belay_loop_run(loop, BELAY_RUN_DEFAULT), 0);
  CHECK(done);
  CHECK_TRACE("");
  belay_scheduler_release(pool);
  CHECK_INT(belay_loop_close(loop, NULL, NULL, NULL), 0);
  belay_loop_release(loop);
  stop();
}

enum { sends = 3000, changes = 300 };
static int arrived, others_frees;
static void count(void *ctx, belay_value value) { arrived++; }
static void count_told(void *ctx, double seconds, const char *name, const char *site) {}
static void send_many(void *ctx) {
  belay_signal *numbers = named("numbers");
  belay_observer observer = BELAY_INIT(belay_observer);
  observer.next = count;
  CHECK_INT(belay_signal_subscribe(numbers, &observer, NULL), 0);
  for (int i = 0; i < sends; i++) CHECK_INT(belay_subject_next(numbers, belay_int32(i)), 0);
  belay_signal_release(numbers);
}
static void freed_anywhere(void *ctx) { __atomic_add_fetch(&others_frees, 1, __ATOMIC_RELAXED); }
static void D_15_set_and_taken_away_while_others_send(void) {
  routine other;
  arrived = others_frees = 0;
  start_thread(&other, send_many, NULL);
  for (int i = 0; i < changes; i++) {
    CHECK_INT(belay_on_slow_callback(0, count_told, &others_frees, freed_anywhere), 0);
    CHECK_INT(belay_on_slow_callback(0, NULL, NULL, NULL), 0);
  }
  join_thread(&other);
  CHECK_INT(arrived, sends);
  CHECK_INT(others_frees, changes);
}

static int told;
static void tell_and_send(void *subject, double seconds, const char *name, const char *site) {
  told++;
  take(100); /* the hook's own time is nobody's */
  belay_subject_next(subject, belay_int32(0));
  belay_on_slow_callback(0, NULL, NULL, NULL);
}
static void D_15_a_hook_that_sends_and_goes(void) {
  belay_signal *numbers = named("numbers");
  belay_disposable *subscription = slow(numbers, NULL);
  told = frees = 0;
  CHECK_INT(belay_on_slow_callback(0.010, tell_and_send, numbers, NULL), 0);
  CHECK_INT(belay_subject_next(numbers, belay_int32(10)), 0);
  CHECK_INT(belay_subject_next(numbers, belay_int32(10)), 0);
  CHECK_INT(told, 1);
  end(subscription);
  belay_signal_release(numbers);
}

static void D_15_limits(void) {
  belay_signal *numbers = named("numbers");
  belay_disposable *subscription = slow(numbers, NULL);
  frees = 0;
  CHECK_INT(belay_on_slow_callback(-1, tell, &frees, freed), BELAY_EINVAL);
  CHECK_INT(belay_on_slow_callback(NAN, tell, &frees, freed), BELAY_EINVAL);
  CHECK_INT(frees, 2);
  tell_from(0);
  CHECK_INT(belay_subject_next(numbers, belay_int32(0)), 0);
  CHECK_TRACE("numbers 0 ms -");
  frees = 0;
  tell_from(INFINITY);
  CHECK_INT(frees, 1);
  CHECK_INT(belay_subject_next(numbers, belay_int32(1000000)), 0);
  CHECK_TRACE("");
  stop();
  end(subscription);
  belay_signal_release(numbers);
}

static belay_signal *metrics;
static void send_metric(void *ctx, double seconds, const char *name, const char *site) {
  trace("%s", name);
  CHECK_INT(belay_subject_next(metrics, belay_double(seconds)), 0);
}
static void trace_metric(void *ctx, belay_value value) {
  double seconds = 0;
  CHECK_INT(belay_value_get_double(value, &seconds), 0);
  trace("got %.0f ms", seconds * 1000);
}
static void D_15_what_the_hook_calls_is_not_told_to_it(void) {
  metrics = named("metrics");
  belay_signal *source = named("source");
  belay_disposable *one = slow(source, NULL), *other = NULL;
  belay_observer observer = BELAY_INIT(belay_observer, .next = trace_metric);
  CHECK_INT(belay_signal_subscribe(metrics, &observer, &other), 0);
  CHECK_INT(belay_on_slow_callback(0, send_metric, NULL, NULL), 0);
  CHECK_INT(belay_subject_next(source, belay_int32(2)), 0);
  CHECK_TRACE("source | got 2 ms");
  CHECK_INT(belay_subject_next(source, belay_int32(3)), 0);
  CHECK_TRACE("source | got 3 ms");
  CHECK_INT(belay_on_slow_callback(0, NULL, NULL, NULL), 0);
  end(one);
  end(other);
  belay_signal_release(source);
  belay_signal_release(metrics);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      CASE(D_15_what_the_hook_calls_is_not_told_to_it),
      CASE(D_15_the_callbacks_of_subscriptions_by_name),
      CASE(D_15_a_subscription_with_a_name_of_its_own),
      CASE(D_15_what_ends_inside_has_the_name_of_its_source),
      CASE(D_15_each_has_its_own_time),
      CASE(D_15_of_each_kind_of_source),
      CASE(D_15_batches),
      CASE(D_15_timers_work_and_posts),
      CASE(D_15_what_ends_itself_is_named),
      CASE(D_15_on_every_thread),
      CASE(D_15_not_on_the_pool),
      CASE(D_15_set_and_taken_away_while_others_send),
      CASE(D_15_a_hook_that_sends_and_goes),
      CASE(D_15_limits),
  };
  return RUN_CASES(cases);
}
