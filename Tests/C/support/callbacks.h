/* Callbacks that do one plain thing, and signals that do. */
#ifndef CALLBACKS_H
#define CALLBACKS_H

#include "check.h"

static inline int32_t int_of(belay_value value) {
  int32_t number = -1;
  CHECK_INT(belay_value_get_int32(value, &number), 0);
  return number;
}

/* A failure to record. */
static inline int fail_range(void) { return belay_value_get_int32(belay_int64(INT64_MAX), NULL); }

/* Takes the thread's last error. */
static inline int last_code(void) { return belay_error_code(belay_last_error()); }
/* The same, which is of this code. */
static inline void check_last_error(int code) {
  CHECK_INT(last_code(), code);
}

/* ---- a value for a value ---- */
static inline belay_value same_value(void *ctx, belay_value value) {
  return belay_value_retain(value);
}
static inline belay_value twice_of(void *ctx, belay_value value) {
  return belay_int32(2 * int_of(value));
}
static inline belay_value sum_of(void *ctx, belay_value total, belay_value value) {
  return belay_int32(int_of(total) + int_of(value));
}
static inline belay_value latest_of(void *ctx, belay_value total, belay_value value) {
  return belay_value_retain(value);
}

/* ---- answers ---- */
static inline int answer_yes(void *ctx, belay_value value) { return 1; }
static inline int answer_no(void *ctx, belay_value value) { return 0; }
static inline int is_odd(void *ctx, belay_value value) { return int_of(value) & 1; }
static inline int never_equal(void *ctx, belay_value one, belay_value other) { return 0; }

/* ---- a signal for a value ---- */
static inline belay_signal *just_it(void *ctx, belay_value value) {
  return belay_signal_just(belay_value_retain(value));
}
static inline belay_signal *empty_of(void *ctx, belay_value value) { return belay_signal_empty(); }
static inline belay_signal *never_of(void *ctx, belay_value value) { return belay_signal_never(); }

/* ---- producers ---- */
static inline belay_disposable *trace_subscribed(void *ctx, belay_subscriber *subscriber) {
  trace("subscribed");
  return NULL;
}
static inline belay_disposable *send_a_million(void *ctx, belay_subscriber *subscriber) {
  for (int i = 0; i < 1000000; i++) belay_subscriber_next(subscriber, belay_int32(i));
  belay_subscriber_completed(subscriber);
  return NULL;
}
static inline belay_signal *million_numbers(void) {
  return belay_signal_create(send_a_million, NULL, NULL, NULL);
}

/* ---- observers' ---- */
static inline void ignore_values(void *ctx, const belay_value *values, size_t count) {}
static inline void count_value(void *counter, belay_value value) { ++*(int *)counter; }
static inline void trace_completed(void *ctx) { trace("completed"); }

/* ---- actions and destructors ---- */
static inline void empty_action(void *ctx) {}
/* On any thread. */
static inline void count_free(void *counter) {
  __atomic_add_fetch((int *)counter, 1, __ATOMIC_RELAXED);
}
static inline void release_signal(void *signal) { belay_signal_release(signal); }
static inline void release_owner(void *owner) { belay_owner_release(owner); }
static inline void release_loop(void *loop) { belay_loop_release(loop); }
static inline void dispose_of(void *disposable) { belay_disposable_dispose(disposable); }
static inline void check_immediate(void *ctx) {
  CHECK(belay_scheduler_current() == belay_scheduler_immediate());
}

/* ---- a loop that is closed: what was still alive ---- */
static inline void ignore_left(void *ctx, const belay_open_resource *const *left, size_t count) {}
static inline void trace_closed(void *ctx, const belay_open_resource *const *left, size_t count) {
  trace("closed");
}
/* Each as "kind label". */
static inline void trace_left(void *ctx, const belay_open_resource *const *left, size_t count) {
  trace("closed");
  for (size_t i = 0; i < count; i++)
    trace("%s %s", belay_open_resource_kind(left[i]),
          text_or(belay_open_resource_label(left[i]), "-"));
}

#endif
