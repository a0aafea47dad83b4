/* Written by `scripts/api write`: the functions of the headers, and their callbacks. */
#include "internal.h"

static void on_action(void *ctx) {
  bn_callback call;
  bn_enter(&call, ctx, 0);
  bn_answer_nothing(&call);
}

static belay_value on_map(void *ctx, belay_value value) {
  bn_callback call;
  bn_enter(&call, ctx, 1);
  bn_give_value(&call, value);
  return bn_answer_value(&call);
}

static belay_signal *on_flat_map(void *ctx, belay_value value) {
  bn_callback call;
  bn_enter(&call, ctx, 1);
  bn_give_value(&call, value);
  return bn_answer_signal(&call);
}

static int on_predicate(void *ctx, belay_value value) {
  bn_callback call;
  bn_enter(&call, ctx, 1);
  bn_give_value(&call, value);
  return bn_answer_truth(&call);
}

static int on_equal(void *ctx, belay_value a, belay_value b) {
  bn_callback call;
  bn_enter(&call, ctx, 2);
  bn_give_value(&call, a);
  bn_give_value(&call, b);
  return bn_answer_truth(&call);
}

static belay_value on_scan(void *ctx, belay_value accumulated, belay_value value) {
  bn_callback call;
  bn_enter(&call, ctx, 2);
  bn_give_value(&call, accumulated);
  bn_give_value(&call, value);
  return bn_answer_value(&call);
}

static int on_less(void *ctx, belay_value a, belay_value b) {
  bn_callback call;
  bn_enter(&call, ctx, 2);
  bn_give_value(&call, a);
  bn_give_value(&call, b);
  return bn_answer_truth(&call);
}

static belay_value on_combine(void *ctx, const belay_value *values, size_t count) {
  bn_callback call;
  bn_enter(&call, ctx, count);
  for (size_t i = 0; i < count; i++) bn_give_value(&call, values[i]);
  return bn_answer_value(&call);
}

static belay_signal *on_command(void *ctx, belay_value input) {
  bn_callback call;
  bn_enter(&call, ctx, 1);
  bn_give_value(&call, input);
  return bn_answer_signal(&call);
}

static belay_disposable *on_subscribe(void *ctx, belay_subscriber *subscriber) {
  bn_callback call;
  bn_enter(&call, ctx, 1);
  bn_give_subscriber(&call, subscriber);
  return bn_answer_disposable(&call);
}

static belay_signal *on_make_signal(void *ctx) {
  bn_callback call;
  bn_enter(&call, ctx, 0);
  return bn_answer_signal(&call);
}

static belay_value on_produce(void *ctx) {
  bn_callback call;
  bn_enter(&call, ctx, 0);
  return bn_answer_value(&call);
}

static void on_log(void *ctx, const char *line) {
  bn_callback call;
  bn_enter(&call, ctx, 1);
  bn_give_text(&call, line);
  bn_answer_nothing(&call);
}

static void on_recursive(void *ctx, belay_recursion *recursion) {
  bn_callback call;
  bn_enter(&call, ctx, 1);
  bn_give_recursion(&call, recursion);
  bn_answer_nothing(&call);
}

static belay_signal *on_catch(void *ctx, const belay_error *error) {
  bn_callback call;
  bn_enter(&call, ctx, 1);
  bn_give_error(&call, error);
  return bn_answer_signal(&call);
}

static belay_signal *on_when(void *ctx, belay_signal *events) {
  bn_callback call;
  bn_enter(&call, ctx, 1);
  bn_give_signal(&call, events);
  return bn_answer_signal(&call);
}

static int on_attempt(void *ctx, belay_value value) {
  bn_callback call;
  bn_enter(&call, ctx, 1);
  bn_give_value(&call, value);
  return bn_answer_truth(&call);
}

static belay_error *on_map_error(void *ctx, const belay_error *error) {
  bn_callback call;
  bn_enter(&call, ctx, 1);
  bn_give_error(&call, error);
  return bn_answer_error(&call);
}

static napi_value call_version(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_said(&call, belay_version()));
}

static napi_value call_signal_name(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_said(&call, belay_signal_name(bn_signal(&call, 0))));
}

static napi_value call_signal_set_queue(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_code(&call, belay_signal_set_queue(bn_signal(&call, 0), bn_queue_options(&call, 1))));
}

static napi_value call_signal_queue_high_water(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_counted(&call, (double)belay_signal_queue_high_water(bn_signal(&call, 0))));
}

static napi_value call_subscriber_next(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_code(&call, belay_subscriber_next(bn_subscriber(&call, 0), bn_value(&call, 1))));
}

static napi_value call_subscriber_next_batch(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_code(&call, belay_subscriber_next_batch(bn_subscriber(&call, 0), bn_values(&call, 1), bn_count(&call, 1))));
}

static napi_value call_subscriber_error(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_code(&call, belay_subscriber_error(bn_subscriber(&call, 0), bn_error(&call, 1))));
}

static napi_value call_subscriber_completed(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_code(&call, belay_subscriber_completed(bn_subscriber(&call, 0))));
}

static napi_value call_subscriber_is_disposed(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_code(&call, belay_subscriber_is_disposed(bn_subscriber(&call, 0))));
}

static napi_value call_op_default_if_empty(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_default_if_empty(bn_value(&call, 1))));
}

static napi_value call_op_switch_if_empty(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_switch_if_empty(bn_taken_signal(&call, 1))));
}

static napi_value call_op_any(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_any(bn_is_given(&call, 1) ? on_predicate : NULL, bn_ctx(&call, 1), bn_free)));
}

static napi_value call_op_all(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_all(bn_is_given(&call, 1) ? on_predicate : NULL, bn_ctx(&call, 1), bn_free)));
}

static napi_value call_op_is_empty(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_is_empty()));
}

static napi_value call_op_count(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_count()));
}

static napi_value call_op_min(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_min(bn_is_given(&call, 1) ? on_less : NULL, bn_ctx(&call, 1), bn_free)));
}

static napi_value call_op_max(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_max(bn_is_given(&call, 1) ? on_less : NULL, bn_ctx(&call, 1), bn_free)));
}

static napi_value call_op_sum(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_sum()));
}

static napi_value call_op_average(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_average()));
}

static napi_value call_op_reduce(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_reduce(bn_value(&call, 1), bn_is_given(&call, 2) ? on_scan : NULL, bn_ctx(&call, 2), bn_free)));
}

static napi_value call_op_collect(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_collect()));
}

static napi_value call_owner_is_dying(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_code(&call, belay_owner_is_dying(bn_owner(&call, 0))));
}

static napi_value call_owner_label(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_said(&call, belay_owner_label(bn_owner(&call, 0))));
}

static napi_value call_owner_deallocating(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_made(&call, BN_SIGNAL, belay_owner_deallocating(bn_owner(&call, 0))));
}

static napi_value call_owner_deallocated(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_made(&call, BN_SIGNAL, belay_owner_deallocated(bn_owner(&call, 0))));
}

static napi_value call_owner_add(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_code(&call, belay_owner_add(bn_owner(&call, 0), bn_disposable(&call, 1))));
}

static napi_value call_owner_add_action(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_code(&call, belay_owner_add_action(bn_owner(&call, 0), bn_is_given(&call, 1) ? on_action : NULL, bn_ctx(&call, 1), bn_free)));
}

static napi_value call_owner_add_child(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_code(&call, belay_owner_add_child(bn_owner(&call, 0), bn_owner(&call, 1))));
}

static napi_value call_owner_remove_child(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_code(&call, belay_owner_remove_child(bn_owner(&call, 0), bn_owner(&call, 1))));
}

static napi_value call_property_create(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_made(&call, BN_PROPERTY, belay_property_create(bn_value(&call, 0), bn_source_options(&call, 1))));
}

static napi_value call_property_get(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  belay_value out = belay_null();
  int code = belay_property_get(bn_property(&call, 0), &out);
  return bn_end(&call, bn_checked(&call, code, bn_taken_over(&call, out)));
}

static napi_value call_property_set(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_code(&call, belay_property_set(bn_property(&call, 0), bn_value(&call, 1))));
}

static napi_value call_property_signal(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_made(&call, BN_SIGNAL, belay_property_signal(bn_property(&call, 0))));
}

static napi_value call_signal_bind(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  belay_disposable *out = 0;
  int code = belay_signal_bind(bn_signal(&call, 0), bn_signal(&call, 1), &out);
  return bn_end(&call, bn_checked(&call, code, bn_made(&call, BN_DISPOSABLE, out)));
}

static napi_value call_signal_bind_property(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  belay_disposable *out = 0;
  int code = belay_signal_bind_property(bn_signal(&call, 0), bn_property(&call, 1), bn_owner(&call, 2), &out);
  return bn_end(&call, bn_checked(&call, code, bn_made(&call, BN_DISPOSABLE, out)));
}

static napi_value call_property_channel(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  belay_disposable *out = 0;
  int code = belay_property_channel(bn_property(&call, 0), bn_property(&call, 1), &out);
  return bn_end(&call, bn_checked(&call, code, bn_made(&call, BN_DISPOSABLE, out)));
}

static napi_value call_signal_combine_latest(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_made(&call, BN_SIGNAL, belay_signal_combine_latest(bn_signals(&call, 0), bn_count(&call, 0), bn_is_given(&call, 1) ? on_combine : NULL, bn_ctx(&call, 1), bn_free)));
}

static napi_value call_signal_zip(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_made(&call, BN_SIGNAL, belay_signal_zip(bn_signals(&call, 0), bn_count(&call, 0), bn_is_given(&call, 1) ? on_combine : NULL, bn_ctx(&call, 1), bn_free)));
}

static napi_value call_op_with_latest_from(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_with_latest_from(bn_signals(&call, 1), bn_count(&call, 1), bn_is_given(&call, 2) ? on_combine : NULL, bn_ctx(&call, 2), bn_free)));
}

static napi_value call_signal_race(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_made(&call, BN_SIGNAL, belay_signal_race(bn_signals(&call, 0), bn_count(&call, 0))));
}

static napi_value call_op_start_with(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_start_with(bn_values(&call, 1), bn_count(&call, 1))));
}

static napi_value call_op_end_with(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_end_with(bn_values(&call, 1), bn_count(&call, 1))));
}

static napi_value call_op_sequence_equal(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_sequence_equal(bn_taken_signal(&call, 1), bn_is_given(&call, 2) ? on_equal : NULL, bn_ctx(&call, 2), bn_free)));
}

static napi_value call_signal_if_then_else(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_made(&call, BN_SIGNAL, belay_signal_if_then_else(bn_taken_signal(&call, 0), bn_taken_signal(&call, 1), bn_taken_signal(&call, 2))));
}

static napi_value call_signal_switch_on(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_made(&call, BN_SIGNAL, belay_signal_switch_on(bn_taken_signal(&call, 0), bn_values(&call, 1), bn_signals(&call, 2), bn_count(&call, 2), bn_taken_signal(&call, 3))));
}

static napi_value call_signal_and(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_made(&call, BN_SIGNAL, belay_signal_and(bn_signals(&call, 0), bn_count(&call, 0))));
}

static napi_value call_signal_or(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_made(&call, BN_SIGNAL, belay_signal_or(bn_signals(&call, 0), bn_count(&call, 0))));
}

static napi_value call_op_not(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_not()));
}

static napi_value call_command_create(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_made(&call, BN_COMMAND, belay_command_create(bn_taken_signal(&call, 0), bn_is_given(&call, 1) ? on_command : NULL, bn_ctx(&call, 1), bn_free)));
}

static napi_value call_command_execute(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_made(&call, BN_SIGNAL, belay_command_execute(bn_command(&call, 0), bn_value(&call, 1))));
}

static napi_value call_command_executing(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_made(&call, BN_SIGNAL, belay_command_executing(bn_command(&call, 0))));
}

static napi_value call_command_enabled(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_made(&call, BN_SIGNAL, belay_command_enabled(bn_command(&call, 0))));
}

static napi_value call_command_values(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_made(&call, BN_SIGNAL, belay_command_values(bn_command(&call, 0))));
}

static napi_value call_command_errors(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_made(&call, BN_SIGNAL, belay_command_errors(bn_command(&call, 0))));
}

static napi_value call_signal_create(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_made(&call, BN_SIGNAL, belay_signal_create(bn_is_given(&call, 0) ? on_subscribe : NULL, bn_ctx(&call, 0), bn_free, bn_source_options(&call, 1))));
}

static napi_value call_signal_just(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_made(&call, BN_SIGNAL, belay_signal_just(bn_value(&call, 0))));
}

static napi_value call_signal_from(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_made(&call, BN_SIGNAL, belay_signal_from(bn_values(&call, 0), bn_count(&call, 0))));
}

static napi_value call_signal_empty(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_made(&call, BN_SIGNAL, belay_signal_empty()));
}

static napi_value call_signal_never(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_made(&call, BN_SIGNAL, belay_signal_never()));
}

static napi_value call_signal_error(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_made(&call, BN_SIGNAL, belay_signal_error(bn_error(&call, 0))));
}

static napi_value call_signal_from_optional(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_made(&call, BN_SIGNAL, belay_signal_from_optional(bn_value(&call, 0))));
}

static napi_value call_signal_repeat_value(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_made(&call, BN_SIGNAL, belay_signal_repeat_value(bn_value(&call, 0), bn_count(&call, 1))));
}

static napi_value call_signal_range(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_made(&call, BN_SIGNAL, belay_signal_range(bn_integer(&call, 0), bn_count(&call, 1))));
}

static napi_value call_signal_defer(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_made(&call, BN_SIGNAL, belay_signal_defer(bn_is_given(&call, 0) ? on_make_signal : NULL, bn_ctx(&call, 0), bn_free)));
}

static napi_value call_signal_start(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_made(&call, BN_SIGNAL, belay_signal_start(bn_scheduler(&call, 0), bn_is_given(&call, 1) ? on_produce : NULL, bn_ctx(&call, 1), bn_free)));
}

static napi_value call_signal_start_eagerly(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_made(&call, BN_SIGNAL, belay_signal_start_eagerly(bn_scheduler(&call, 0), bn_is_given(&call, 1) ? on_produce : NULL, bn_ctx(&call, 1), bn_free)));
}

static napi_value call_signal_timer(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_made(&call, BN_SIGNAL, belay_signal_timer(bn_scheduler(&call, 0), bn_number(&call, 1))));
}

static napi_value call_signal_interval(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_made(&call, BN_SIGNAL, belay_signal_interval(bn_scheduler(&call, 0), bn_number(&call, 1))));
}

static napi_value call_live_count(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_counted(&call, (double)belay_live_count((belay_live_kind)bn_int(&call, 0))));
}

static napi_value call_live_kind_name(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_said(&call, belay_live_kind_name((belay_live_kind)bn_int(&call, 0))));
}

static napi_value call_misuse_count(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_counted(&call, (double)belay_misuse_count()));
}

static napi_value call_lost_count(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_counted(&call, (double)belay_lost_count()));
}

static napi_value call_disposable_dispose(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, (belay_disposable_dispose(bn_disposable(&call, 0)), bn_undefined(&call)));
}

static napi_value call_disposable_dispose_sync(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_code(&call, belay_disposable_dispose_sync(bn_disposable(&call, 0), bn_number(&call, 1))));
}

static napi_value call_disposable_is_disposed(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_code(&call, belay_disposable_is_disposed(bn_disposable(&call, 0))));
}

static napi_value call_disposable_create(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_made(&call, BN_DISPOSABLE, belay_disposable_create(bn_is_given(&call, 0) ? on_action : NULL, bn_ctx(&call, 0), bn_free)));
}

static napi_value call_compound_create(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_made(&call, BN_DISPOSABLE, belay_compound_create()));
}

static napi_value call_compound_add(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  uint64_t out = 0;
  int code = belay_compound_add(bn_disposable(&call, 0), bn_disposable(&call, 1), &out);
  return bn_end(&call, bn_checked(&call, code, bn_exactly(&call, out)));
}

static napi_value call_compound_remove(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_code(&call, belay_compound_remove(bn_disposable(&call, 0), bn_exact(&call, 1))));
}

static napi_value call_compound_count(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_counted(&call, (double)belay_compound_count(bn_disposable(&call, 0))));
}

static napi_value call_serial_create(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_made(&call, BN_DISPOSABLE, belay_serial_create()));
}

static napi_value call_serial_set(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_code(&call, belay_serial_set(bn_disposable(&call, 0), bn_disposable(&call, 1))));
}

static napi_value call_serial_swap(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  belay_disposable *out = 0;
  int code = belay_serial_swap(bn_disposable(&call, 0), bn_disposable(&call, 1), &out);
  return bn_end(&call, bn_checked(&call, code, bn_made(&call, BN_DISPOSABLE, out)));
}

static napi_value call_single_assignment_create(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_made(&call, BN_DISPOSABLE, belay_single_assignment_create()));
}

static napi_value call_single_assignment_set(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_code(&call, belay_single_assignment_set(bn_disposable(&call, 0), bn_disposable(&call, 1))));
}

static napi_value call_bag_create(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_made(&call, BN_BAG, belay_bag_create()));
}

static napi_value call_bag_add(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_code(&call, belay_bag_add(bn_bag(&call, 0), bn_disposable(&call, 1))));
}

static napi_value call_bag_count(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_counted(&call, (double)belay_bag_count(bn_bag(&call, 0))));
}

static napi_value call_op_finally(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_finally(bn_is_given(&call, 1) ? on_action : NULL, bn_ctx(&call, 1), bn_free)));
}

static napi_value call_op_initially(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_initially(bn_is_given(&call, 1) ? on_action : NULL, bn_ctx(&call, 1), bn_free)));
}

static napi_value call_op_log(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_log(bn_text(&call, 1), bn_text(&call, 2), bn_is_given(&call, 3) ? on_log : NULL, bn_ctx(&call, 3), bn_free)));
}

static napi_value call_op_breakpoint_on_error(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_breakpoint_on_error()));
}

static napi_value call_loop_alive(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_code(&call, belay_loop_alive(bn_loop(&call, 0))));
}

static napi_value call_loop_now(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_counted(&call, (double)belay_loop_now(bn_loop(&call, 0))));
}

static napi_value call_loop_get_scheduler(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_made(&call, BN_SCHEDULER, belay_scheduler_retain(belay_loop_get_scheduler(bn_loop(&call, 0)))));
}

static napi_value call_loop_turns(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_counted(&call, (double)belay_loop_turns(bn_loop(&call, 0))));
}

static napi_value call_loop_post(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_code(&call, belay_loop_post(bn_loop(&call, 0), bn_is_given(&call, 1) ? on_action : NULL, bn_ctx(&call, 1), bn_free)));
}

static napi_value call_loop_queue_high_water(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_counted(&call, (double)belay_loop_queue_high_water(bn_loop(&call, 0))));
}

static napi_value call_scheduler_immediate(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_made(&call, BN_SCHEDULER, belay_scheduler_retain(belay_scheduler_immediate())));
}

static napi_value call_scheduler_trampoline(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_made(&call, BN_SCHEDULER, belay_scheduler_retain(belay_scheduler_trampoline())));
}

static napi_value call_scheduler_create_virtual(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_made(&call, BN_SCHEDULER, belay_scheduler_create_virtual()));
}

static napi_value call_scheduler_advance(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_code(&call, belay_scheduler_advance(bn_scheduler(&call, 0), bn_number(&call, 1))));
}

static napi_value call_scheduler_step(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_code(&call, belay_scheduler_step(bn_scheduler(&call, 0), bn_count(&call, 1))));
}

static napi_value call_scheduler_flush(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_code(&call, belay_scheduler_flush(bn_scheduler(&call, 0))));
}

static napi_value call_scheduler_current(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_made(&call, BN_SCHEDULER, belay_scheduler_retain(belay_scheduler_current())));
}

static napi_value call_scheduler_now(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_counted(&call, (double)belay_scheduler_now(bn_scheduler(&call, 0))));
}

static napi_value call_scheduler_queue_high_water(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_counted(&call, (double)belay_scheduler_queue_high_water(bn_scheduler(&call, 0))));
}

static napi_value call_scheduler_schedule(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  belay_disposable *out = 0;
  int code = belay_scheduler_schedule(bn_scheduler(&call, 0), bn_is_given(&call, 1) ? on_action : NULL, bn_ctx(&call, 1), bn_free, &out);
  return bn_end(&call, bn_checked(&call, code, bn_made(&call, BN_DISPOSABLE, out)));
}

static napi_value call_scheduler_after(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  belay_disposable *out = 0;
  int code = belay_scheduler_after(bn_scheduler(&call, 0), bn_number(&call, 1), bn_is_given(&call, 2) ? on_action : NULL, bn_ctx(&call, 2), bn_free, &out);
  return bn_end(&call, bn_checked(&call, code, bn_made(&call, BN_DISPOSABLE, out)));
}

static napi_value call_scheduler_every(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  belay_disposable *out = 0;
  int code = belay_scheduler_every(bn_scheduler(&call, 0), bn_number(&call, 1), bn_number(&call, 2), bn_number(&call, 3), bn_is_given(&call, 4) ? on_action : NULL, bn_ctx(&call, 4), bn_free, &out);
  return bn_end(&call, bn_checked(&call, code, bn_made(&call, BN_DISPOSABLE, out)));
}

static napi_value call_scheduler_recursive(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  belay_disposable *out = 0;
  int code = belay_scheduler_recursive(bn_scheduler(&call, 0), bn_is_given(&call, 1) ? on_recursive : NULL, bn_ctx(&call, 1), bn_free, &out);
  return bn_end(&call, bn_checked(&call, code, bn_made(&call, BN_DISPOSABLE, out)));
}

static napi_value call_recursion_again(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_code(&call, belay_recursion_again(bn_recursion(&call, 0))));
}

static napi_value call_op_filter(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_filter(bn_is_given(&call, 1) ? on_predicate : NULL, bn_ctx(&call, 1), bn_free)));
}

static napi_value call_op_take(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_take(bn_count(&call, 1))));
}

static napi_value call_op_skip(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_skip(bn_count(&call, 1))));
}

static napi_value call_op_take_last(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_take_last(bn_count(&call, 1))));
}

static napi_value call_op_skip_last(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_skip_last(bn_count(&call, 1))));
}

static napi_value call_op_take_while(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_take_while(bn_is_given(&call, 1) ? on_predicate : NULL, bn_ctx(&call, 1), bn_free, bn_int(&call, 2))));
}

static napi_value call_op_skip_while(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_skip_while(bn_is_given(&call, 1) ? on_predicate : NULL, bn_ctx(&call, 1), bn_free)));
}

static napi_value call_op_take_until(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_take_until(bn_taken_signal(&call, 1))));
}

static napi_value call_op_take_during(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_take_during(bn_owner(&call, 1))));
}

static napi_value call_op_skip_until(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_skip_until(bn_taken_signal(&call, 1))));
}

static napi_value call_op_take_until_replacement(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_take_until_replacement(bn_taken_signal(&call, 1))));
}

static napi_value call_op_take_for(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_take_for(bn_scheduler(&call, 1), bn_number(&call, 2))));
}

static napi_value call_op_skip_for(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_skip_for(bn_scheduler(&call, 1), bn_number(&call, 2))));
}

static napi_value call_op_take_last_for(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_take_last_for(bn_scheduler(&call, 1), bn_number(&call, 2))));
}

static napi_value call_op_skip_last_for(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_skip_last_for(bn_scheduler(&call, 1), bn_number(&call, 2))));
}

static napi_value call_op_element_at(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_element_at(bn_count(&call, 1))));
}

static napi_value call_op_element_at_or(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_element_at_or(bn_count(&call, 1), bn_value(&call, 2))));
}

static napi_value call_op_first(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_first(bn_is_given(&call, 1) ? on_predicate : NULL, bn_ctx(&call, 1), bn_free)));
}

static napi_value call_op_last(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_last(bn_is_given(&call, 1) ? on_predicate : NULL, bn_ctx(&call, 1), bn_free)));
}

static napi_value call_op_single(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_single(bn_is_given(&call, 1) ? on_predicate : NULL, bn_ctx(&call, 1), bn_free)));
}

static napi_value call_op_find(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_find(bn_is_given(&call, 1) ? on_predicate : NULL, bn_ctx(&call, 1), bn_free)));
}

static napi_value call_op_ignore_elements(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_ignore_elements()));
}

static napi_value call_op_distinct_until_changed(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_distinct_until_changed(bn_is_given(&call, 1) ? on_equal : NULL, bn_ctx(&call, 1), bn_free)));
}

static napi_value call_op_flat_map(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_flat_map(bn_count(&call, 1), bn_is_given(&call, 2) ? on_flat_map : NULL, bn_ctx(&call, 2), bn_free)));
}

static napi_value call_op_concat_map(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_concat_map(bn_is_given(&call, 1) ? on_flat_map : NULL, bn_ctx(&call, 1), bn_free)));
}

static napi_value call_op_switch_map(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_switch_map(bn_is_given(&call, 1) ? on_flat_map : NULL, bn_ctx(&call, 1), bn_free)));
}

static napi_value call_op_exhaust_map(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_exhaust_map(bn_is_given(&call, 1) ? on_flat_map : NULL, bn_ctx(&call, 1), bn_free)));
}

static napi_value call_op_expand(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_expand(bn_count(&call, 1), bn_is_given(&call, 2) ? on_flat_map : NULL, bn_ctx(&call, 2), bn_free)));
}

static napi_value call_op_merge_all(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_merge_all(bn_count(&call, 1))));
}

static napi_value call_op_concat_all(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_concat_all()));
}

static napi_value call_op_switch_to_latest(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_switch_to_latest()));
}

static napi_value call_op_merge(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_merge(bn_signals(&call, 1), bn_count(&call, 1))));
}

static napi_value call_signal_merge(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_made(&call, BN_SIGNAL, belay_signal_merge(bn_signals(&call, 0), bn_count(&call, 0))));
}

static napi_value call_op_merge_delay_error(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_merge_delay_error(bn_signals(&call, 1), bn_count(&call, 1))));
}

static napi_value call_signal_merge_delay_error(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_made(&call, BN_SIGNAL, belay_signal_merge_delay_error(bn_signals(&call, 0), bn_count(&call, 0))));
}

static napi_value call_op_concat(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_concat(bn_signals(&call, 1), bn_count(&call, 1))));
}

static napi_value call_signal_concat(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_made(&call, BN_SIGNAL, belay_signal_concat(bn_signals(&call, 0), bn_count(&call, 0))));
}

static napi_value call_op_then(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_then(bn_taken_signal(&call, 1))));
}

static napi_value call_op_repeat(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_repeat(bn_count(&call, 1))));
}

static napi_value call_op_repeat_when(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_repeat_when(bn_is_given(&call, 1) ? on_when : NULL, bn_ctx(&call, 1), bn_free)));
}

static napi_value call_op_catch(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_catch(bn_is_given(&call, 1) ? on_catch : NULL, bn_ctx(&call, 1), bn_free)));
}

static napi_value call_op_catch_to(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_catch_to(bn_value(&call, 1))));
}

static napi_value call_op_retry(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_retry(bn_count(&call, 1))));
}

static napi_value call_op_retry_when(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_retry_when(bn_is_given(&call, 1) ? on_when : NULL, bn_ctx(&call, 1), bn_free)));
}

static napi_value call_op_retry_backoff(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_retry_backoff(bn_scheduler(&call, 1), bn_number(&call, 2), bn_number(&call, 3), bn_number(&call, 4), bn_number(&call, 5), bn_count(&call, 6), bn_int(&call, 7))));
}

static napi_value call_op_attempt(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_attempt(bn_is_given(&call, 1) ? on_attempt : NULL, bn_ctx(&call, 1), bn_free)));
}

static napi_value call_notice_remove(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_code(&call, belay_notice_remove(bn_owner(&call, 0), bn_text(&call, 1))));
}

static napi_value call_owner_event_unwatch(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_code(&call, belay_owner_event_unwatch(bn_owner(&call, 0), bn_owner(&call, 1), bn_text(&call, 2), bn_int(&call, 3))));
}

static napi_value call_owner_event_unwatch_name(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_code(&call, belay_owner_event_unwatch_name(bn_owner(&call, 0), bn_owner(&call, 1), bn_text(&call, 2))));
}

static napi_value call_owner_event_unwatch_source(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_code(&call, belay_owner_event_unwatch_source(bn_owner(&call, 0), bn_owner(&call, 1))));
}

static napi_value call_owner_event_unwatch_all(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_code(&call, belay_owner_event_unwatch_all(bn_owner(&call, 0))));
}

static napi_value call_owner_event_post(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_code(&call, belay_owner_event_post(bn_owner(&call, 0), bn_text(&call, 1), bn_value(&call, 2))));
}

static napi_value call_request_create(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_made(&call, BN_REQUEST, belay_request_create(bn_value(&call, 0), bn_is_given(&call, 1) ? on_scan : NULL, bn_ctx(&call, 1), bn_free)));
}

static napi_value call_request_subscribe(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  belay_disposable *out = 0;
  int code = belay_request_subscribe(bn_request(&call, 0), bn_is_given(&call, 1) ? on_map : NULL, bn_ctx(&call, 1), bn_free, &out);
  return bn_end(&call, bn_checked(&call, code, bn_made(&call, BN_DISPOSABLE, out)));
}

static napi_value call_request_send(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  belay_value out = belay_null();
  int code = belay_request_send(bn_request(&call, 0), bn_value(&call, 1), &out);
  return bn_end(&call, bn_checked(&call, code, bn_taken_over(&call, out)));
}

static napi_value call_subject_create(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_made(&call, BN_SIGNAL, belay_subject_create(bn_source_options(&call, 0))));
}

static napi_value call_subject_create_behavior(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_made(&call, BN_SIGNAL, belay_subject_create_behavior(bn_value(&call, 0), bn_source_options(&call, 1))));
}

static napi_value call_subject_create_replay(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_made(&call, BN_SIGNAL, belay_subject_create_replay(bn_scheduler(&call, 0), bn_number(&call, 1), bn_count(&call, 2), bn_source_options(&call, 3))));
}

static napi_value call_subject_create_async(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_made(&call, BN_SIGNAL, belay_subject_create_async(bn_source_options(&call, 0))));
}

static napi_value call_subject_get(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  belay_value out = belay_null();
  int code = belay_subject_get(bn_signal(&call, 0), &out);
  return bn_end(&call, bn_checked(&call, code, bn_taken_over(&call, out)));
}

static napi_value call_subject_next(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_code(&call, belay_subject_next(bn_signal(&call, 0), bn_value(&call, 1))));
}

static napi_value call_subject_next_batch(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_code(&call, belay_subject_next_batch(bn_signal(&call, 0), bn_values(&call, 1), bn_count(&call, 1))));
}

static napi_value call_subject_error(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_code(&call, belay_subject_error(bn_signal(&call, 0), bn_error(&call, 1))));
}

static napi_value call_subject_completed(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_code(&call, belay_subject_completed(bn_signal(&call, 0))));
}

static napi_value call_subject_count(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_counted(&call, (double)belay_subject_count(bn_signal(&call, 0))));
}

static napi_value call_signal_publish(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_made(&call, BN_SIGNAL, belay_signal_publish(bn_taken_signal(&call, 0))));
}

static napi_value call_signal_replay(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_made(&call, BN_SIGNAL, belay_signal_replay(bn_taken_signal(&call, 0), bn_scheduler(&call, 1), bn_number(&call, 2), bn_count(&call, 3))));
}

static napi_value call_signal_multicast(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_made(&call, BN_SIGNAL, belay_signal_multicast(bn_taken_signal(&call, 0), bn_taken_signal(&call, 1))));
}

static napi_value call_signal_connect(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  belay_disposable *out = 0;
  int code = belay_signal_connect(bn_signal(&call, 0), &out);
  return bn_end(&call, bn_checked(&call, code, bn_made(&call, BN_DISPOSABLE, out)));
}

static napi_value call_op_ref_count(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_ref_count()));
}

static napi_value call_op_auto_connect(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_auto_connect(bn_count(&call, 1))));
}

static napi_value call_op_share(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_share((unsigned)bn_count(&call, 1))));
}

static napi_value call_op_share_replay(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_share_replay(bn_scheduler(&call, 1), bn_number(&call, 2), bn_count(&call, 3), (unsigned)bn_count(&call, 4))));
}

static napi_value call_op_share_until(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_share_until(bn_count(&call, 1), bn_taken_signal(&call, 2), bn_taken_signal(&call, 3), bn_taken_signal(&call, 4))));
}

static napi_value call_file_lines(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_made(&call, BN_SIGNAL, belay_file_lines(bn_loop(&call, 0), bn_text(&call, 1), (unsigned)bn_count(&call, 2))));
}

static napi_value call_posix_signal(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_made(&call, BN_SIGNAL, belay_posix_signal(bn_loop(&call, 0), bn_int(&call, 1))));
}

static napi_value call_op_debounce(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_debounce(bn_scheduler(&call, 1), bn_number(&call, 2))));
}

static napi_value call_op_debounce_if(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_debounce_if(bn_scheduler(&call, 1), bn_number(&call, 2), bn_is_given(&call, 3) ? on_predicate : NULL, bn_ctx(&call, 3), bn_free)));
}

static napi_value call_op_throttle(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_throttle(bn_scheduler(&call, 1), bn_number(&call, 2), bn_int(&call, 3), bn_int(&call, 4))));
}

static napi_value call_op_audit(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_audit(bn_scheduler(&call, 1), bn_number(&call, 2))));
}

static napi_value call_op_sample(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_sample(bn_taken_signal(&call, 1))));
}

static napi_value call_op_sample_time(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_sample_time(bn_scheduler(&call, 1), bn_number(&call, 2))));
}

static napi_value call_op_delay(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_delay(bn_scheduler(&call, 1), bn_number(&call, 2))));
}

static napi_value call_op_delay_subscription(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_delay_subscription(bn_scheduler(&call, 1), bn_number(&call, 2))));
}

static napi_value call_op_timeout(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_timeout(bn_scheduler(&call, 1), bn_number(&call, 2), bn_taken_signal(&call, 3))));
}

static napi_value call_op_throttle_while(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_throttle_while(bn_taken_signal(&call, 1))));
}

static napi_value call_op_debounce_when(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_debounce_when(bn_is_given(&call, 1) ? on_flat_map : NULL, bn_ctx(&call, 1), bn_free)));
}

static napi_value call_op_throttle_when(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_throttle_when(bn_is_given(&call, 1) ? on_flat_map : NULL, bn_ctx(&call, 1), bn_free, bn_int(&call, 2), bn_int(&call, 3))));
}

static napi_value call_op_audit_when(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_audit_when(bn_is_given(&call, 1) ? on_flat_map : NULL, bn_ctx(&call, 1), bn_free)));
}

static napi_value call_op_timeout_when(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_timeout_when(bn_taken_signal(&call, 1), bn_taken_signal(&call, 2), bn_is_given(&call, 3) ? on_flat_map : NULL, bn_ctx(&call, 3), bn_free)));
}

static napi_value call_op_delay_when(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_delay_when(bn_is_given(&call, 1) ? on_flat_map : NULL, bn_ctx(&call, 1), bn_free)));
}

static napi_value call_op_observe_on(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_observe_on(bn_scheduler(&call, 1), bn_queue_options(&call, 2))));
}

static napi_value call_op_subscribe_on(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_subscribe_on(bn_scheduler(&call, 1))));
}

static napi_value call_op_map(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_map(bn_is_given(&call, 1) ? on_map : NULL, bn_ctx(&call, 1), bn_free)));
}

static napi_value call_op_map_to(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_map_to(bn_value(&call, 1))));
}

static napi_value call_op_compact_map(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_compact_map(bn_is_given(&call, 1) ? on_map : NULL, bn_ctx(&call, 1), bn_free)));
}

static napi_value call_op_map_error(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_map_error(bn_is_given(&call, 1) ? on_map_error : NULL, bn_ctx(&call, 1), bn_free)));
}

static napi_value call_op_scan(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_scan(bn_value(&call, 1), bn_is_given(&call, 2) ? on_scan : NULL, bn_ctx(&call, 2), bn_free)));
}

static napi_value call_op_enumerated(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_enumerated()));
}

static napi_value call_op_pairwise(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_pairwise()));
}

static napi_value call_op_pairwise_from(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_pairwise_from(bn_value(&call, 1))));
}

static napi_value call_op_buffer(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_buffer(bn_count(&call, 1))));
}

static napi_value call_op_buffer_skip(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_buffer_skip(bn_count(&call, 1), bn_count(&call, 2))));
}

static napi_value call_op_buffer_time(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_buffer_time(bn_scheduler(&call, 1), bn_number(&call, 2), bn_count(&call, 3))));
}

static napi_value call_op_window(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_window(bn_count(&call, 1), bn_count(&call, 2))));
}

static napi_value call_op_window_time(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_window_time(bn_scheduler(&call, 1), bn_number(&call, 2), bn_count(&call, 3))));
}

static napi_value call_op_window_toggle(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_window_toggle(bn_taken_signal(&call, 1), bn_is_given(&call, 2) ? on_flat_map : NULL, bn_ctx(&call, 2), bn_free)));
}

static napi_value call_op_window_by(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_window_by(bn_taken_signal(&call, 1))));
}

static napi_value call_op_buffer_by(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_buffer_by(bn_taken_signal(&call, 1))));
}

static napi_value call_op_group_by(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_group_by(bn_is_given(&call, 1) ? on_map : NULL, bn_ctx(&call, 1), bn_free)));
}

static napi_value call_signal_key(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_read(&call, belay_signal_key(bn_signal(&call, 0))));
}

static napi_value call_op_materialize(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_materialize()));
}

static napi_value call_op_timestamp(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_timestamp(bn_scheduler(&call, 1))));
}

static napi_value call_op_time_interval(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_time_interval(bn_scheduler(&call, 1))));
}

static napi_value call_op_lines(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_lines(bn_count(&call, 1))));
}

static napi_value call_op_frames_fixed(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_frames_fixed(bn_count(&call, 1))));
}

static napi_value call_op_frames_prefixed(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_frames_prefixed((unsigned)bn_count(&call, 1), bn_count(&call, 2), bn_int(&call, 3))));
}

static napi_value call_op_utf8(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_utf8()));
}

static napi_value call_wall_timer(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_made(&call, BN_SIGNAL, belay_wall_timer(bn_loop(&call, 0), bn_number(&call, 1))));
}

static napi_value call_drawing_create(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_made(&call, BN_DRAWING, belay_drawing_create(bn_number(&call, 0))));
}

static napi_value call_drawing_row(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_code(&call, belay_drawing_row(bn_drawing(&call, 0), bn_text(&call, 1))));
}

static napi_value call_drawing_box(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_code(&call, belay_drawing_box(bn_drawing(&call, 0), bn_text(&call, 1))));
}

static napi_value call_drawing_diagram(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_code(&call, belay_drawing_diagram(bn_drawing(&call, 0), bn_text(&call, 1), bn_text(&call, 2))));
}

static napi_value call_drawing_define(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_code(&call, belay_drawing_define(bn_drawing(&call, 0), bn_letter(&call, 1), bn_text(&call, 2))));
}

static napi_value call_drawing_record(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_made(&call, BN_SIGNAL, belay_drawing_record(bn_drawing(&call, 0), bn_scheduler(&call, 1), bn_taken_signal(&call, 2), bn_text(&call, 3))));
}

static napi_value call_marbles_create(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_made(&call, BN_MARBLES, belay_marbles_create()));
}

static napi_value call_marbles_get_scheduler(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_made(&call, BN_SCHEDULER, belay_scheduler_retain(belay_marbles_get_scheduler(bn_marbles(&call, 0)))));
}

static napi_value call_marbles_define(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_code(&call, belay_marbles_define(bn_marbles(&call, 0), bn_letter(&call, 1), bn_value(&call, 2))));
}

static napi_value call_marbles_cold(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_made(&call, BN_SIGNAL, belay_marbles_cold(bn_marbles(&call, 0), bn_text(&call, 1))));
}

static napi_value call_marbles_hot(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_made(&call, BN_SIGNAL, belay_marbles_hot(bn_marbles(&call, 0), bn_text(&call, 1))));
}

static napi_value call_marbles_expect(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_code(&call, belay_marbles_expect(bn_marbles(&call, 0), bn_taken_signal(&call, 1), bn_text(&call, 2), bn_text(&call, 3))));
}

static napi_value call_marbles_run(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_code(&call, belay_marbles_run(bn_marbles(&call, 0))));
}

const bn_export bn_exports[] = {
    {"version", call_version},
    {"signal_name", call_signal_name},
    {"signal_set_queue", call_signal_set_queue},
    {"signal_queue_high_water", call_signal_queue_high_water},
    {"subscriber_next", call_subscriber_next},
    {"subscriber_next_batch", call_subscriber_next_batch},
    {"subscriber_error", call_subscriber_error},
    {"subscriber_completed", call_subscriber_completed},
    {"subscriber_is_disposed", call_subscriber_is_disposed},
    {"op_default_if_empty", call_op_default_if_empty},
    {"op_switch_if_empty", call_op_switch_if_empty},
    {"op_any", call_op_any},
    {"op_all", call_op_all},
    {"op_is_empty", call_op_is_empty},
    {"op_count", call_op_count},
    {"op_min", call_op_min},
    {"op_max", call_op_max},
    {"op_sum", call_op_sum},
    {"op_average", call_op_average},
    {"op_reduce", call_op_reduce},
    {"op_collect", call_op_collect},
    {"owner_is_dying", call_owner_is_dying},
    {"owner_label", call_owner_label},
    {"owner_deallocating", call_owner_deallocating},
    {"owner_deallocated", call_owner_deallocated},
    {"owner_add", call_owner_add},
    {"owner_add_action", call_owner_add_action},
    {"owner_add_child", call_owner_add_child},
    {"owner_remove_child", call_owner_remove_child},
    {"property_create", call_property_create},
    {"property_get", call_property_get},
    {"property_set", call_property_set},
    {"property_signal", call_property_signal},
    {"signal_bind", call_signal_bind},
    {"signal_bind_property", call_signal_bind_property},
    {"property_channel", call_property_channel},
    {"signal_combine_latest", call_signal_combine_latest},
    {"signal_zip", call_signal_zip},
    {"op_with_latest_from", call_op_with_latest_from},
    {"signal_race", call_signal_race},
    {"op_start_with", call_op_start_with},
    {"op_end_with", call_op_end_with},
    {"op_sequence_equal", call_op_sequence_equal},
    {"signal_if_then_else", call_signal_if_then_else},
    {"signal_switch_on", call_signal_switch_on},
    {"signal_and", call_signal_and},
    {"signal_or", call_signal_or},
    {"op_not", call_op_not},
    {"command_create", call_command_create},
    {"command_execute", call_command_execute},
    {"command_executing", call_command_executing},
    {"command_enabled", call_command_enabled},
    {"command_values", call_command_values},
    {"command_errors", call_command_errors},
    {"signal_create", call_signal_create},
    {"signal_just", call_signal_just},
    {"signal_from", call_signal_from},
    {"signal_empty", call_signal_empty},
    {"signal_never", call_signal_never},
    {"signal_error", call_signal_error},
    {"signal_from_optional", call_signal_from_optional},
    {"signal_repeat_value", call_signal_repeat_value},
    {"signal_range", call_signal_range},
    {"signal_defer", call_signal_defer},
    {"signal_start", call_signal_start},
    {"signal_start_eagerly", call_signal_start_eagerly},
    {"signal_timer", call_signal_timer},
    {"signal_interval", call_signal_interval},
    {"live_count", call_live_count},
    {"live_kind_name", call_live_kind_name},
    {"misuse_count", call_misuse_count},
    {"lost_count", call_lost_count},
    {"disposable_dispose", call_disposable_dispose},
    {"disposable_dispose_sync", call_disposable_dispose_sync},
    {"disposable_is_disposed", call_disposable_is_disposed},
    {"disposable_create", call_disposable_create},
    {"compound_create", call_compound_create},
    {"compound_add", call_compound_add},
    {"compound_remove", call_compound_remove},
    {"compound_count", call_compound_count},
    {"serial_create", call_serial_create},
    {"serial_set", call_serial_set},
    {"serial_swap", call_serial_swap},
    {"single_assignment_create", call_single_assignment_create},
    {"single_assignment_set", call_single_assignment_set},
    {"bag_create", call_bag_create},
    {"bag_add", call_bag_add},
    {"bag_count", call_bag_count},
    {"op_finally", call_op_finally},
    {"op_initially", call_op_initially},
    {"op_log", call_op_log},
    {"op_breakpoint_on_error", call_op_breakpoint_on_error},
    {"loop_alive", call_loop_alive},
    {"loop_now", call_loop_now},
    {"loop_get_scheduler", call_loop_get_scheduler},
    {"loop_turns", call_loop_turns},
    {"loop_post", call_loop_post},
    {"loop_queue_high_water", call_loop_queue_high_water},
    {"scheduler_immediate", call_scheduler_immediate},
    {"scheduler_trampoline", call_scheduler_trampoline},
    {"scheduler_create_virtual", call_scheduler_create_virtual},
    {"scheduler_advance", call_scheduler_advance},
    {"scheduler_step", call_scheduler_step},
    {"scheduler_flush", call_scheduler_flush},
    {"scheduler_current", call_scheduler_current},
    {"scheduler_now", call_scheduler_now},
    {"scheduler_queue_high_water", call_scheduler_queue_high_water},
    {"scheduler_schedule", call_scheduler_schedule},
    {"scheduler_after", call_scheduler_after},
    {"scheduler_every", call_scheduler_every},
    {"scheduler_recursive", call_scheduler_recursive},
    {"recursion_again", call_recursion_again},
    {"op_filter", call_op_filter},
    {"op_take", call_op_take},
    {"op_skip", call_op_skip},
    {"op_take_last", call_op_take_last},
    {"op_skip_last", call_op_skip_last},
    {"op_take_while", call_op_take_while},
    {"op_skip_while", call_op_skip_while},
    {"op_take_until", call_op_take_until},
    {"op_take_during", call_op_take_during},
    {"op_skip_until", call_op_skip_until},
    {"op_take_until_replacement", call_op_take_until_replacement},
    {"op_take_for", call_op_take_for},
    {"op_skip_for", call_op_skip_for},
    {"op_take_last_for", call_op_take_last_for},
    {"op_skip_last_for", call_op_skip_last_for},
    {"op_element_at", call_op_element_at},
    {"op_element_at_or", call_op_element_at_or},
    {"op_first", call_op_first},
    {"op_last", call_op_last},
    {"op_single", call_op_single},
    {"op_find", call_op_find},
    {"op_ignore_elements", call_op_ignore_elements},
    {"op_distinct_until_changed", call_op_distinct_until_changed},
    {"op_flat_map", call_op_flat_map},
    {"op_concat_map", call_op_concat_map},
    {"op_switch_map", call_op_switch_map},
    {"op_exhaust_map", call_op_exhaust_map},
    {"op_expand", call_op_expand},
    {"op_merge_all", call_op_merge_all},
    {"op_concat_all", call_op_concat_all},
    {"op_switch_to_latest", call_op_switch_to_latest},
    {"op_merge", call_op_merge},
    {"signal_merge", call_signal_merge},
    {"op_merge_delay_error", call_op_merge_delay_error},
    {"signal_merge_delay_error", call_signal_merge_delay_error},
    {"op_concat", call_op_concat},
    {"signal_concat", call_signal_concat},
    {"op_then", call_op_then},
    {"op_repeat", call_op_repeat},
    {"op_repeat_when", call_op_repeat_when},
    {"op_catch", call_op_catch},
    {"op_catch_to", call_op_catch_to},
    {"op_retry", call_op_retry},
    {"op_retry_when", call_op_retry_when},
    {"op_retry_backoff", call_op_retry_backoff},
    {"op_attempt", call_op_attempt},
    {"notice_remove", call_notice_remove},
    {"owner_event_unwatch", call_owner_event_unwatch},
    {"owner_event_unwatch_name", call_owner_event_unwatch_name},
    {"owner_event_unwatch_source", call_owner_event_unwatch_source},
    {"owner_event_unwatch_all", call_owner_event_unwatch_all},
    {"owner_event_post", call_owner_event_post},
    {"request_create", call_request_create},
    {"request_subscribe", call_request_subscribe},
    {"request_send", call_request_send},
    {"subject_create", call_subject_create},
    {"subject_create_behavior", call_subject_create_behavior},
    {"subject_create_replay", call_subject_create_replay},
    {"subject_create_async", call_subject_create_async},
    {"subject_get", call_subject_get},
    {"subject_next", call_subject_next},
    {"subject_next_batch", call_subject_next_batch},
    {"subject_error", call_subject_error},
    {"subject_completed", call_subject_completed},
    {"subject_count", call_subject_count},
    {"signal_publish", call_signal_publish},
    {"signal_replay", call_signal_replay},
    {"signal_multicast", call_signal_multicast},
    {"signal_connect", call_signal_connect},
    {"op_ref_count", call_op_ref_count},
    {"op_auto_connect", call_op_auto_connect},
    {"op_share", call_op_share},
    {"op_share_replay", call_op_share_replay},
    {"op_share_until", call_op_share_until},
    {"file_lines", call_file_lines},
    {"posix_signal", call_posix_signal},
    {"op_debounce", call_op_debounce},
    {"op_debounce_if", call_op_debounce_if},
    {"op_throttle", call_op_throttle},
    {"op_audit", call_op_audit},
    {"op_sample", call_op_sample},
    {"op_sample_time", call_op_sample_time},
    {"op_delay", call_op_delay},
    {"op_delay_subscription", call_op_delay_subscription},
    {"op_timeout", call_op_timeout},
    {"op_throttle_while", call_op_throttle_while},
    {"op_debounce_when", call_op_debounce_when},
    {"op_throttle_when", call_op_throttle_when},
    {"op_audit_when", call_op_audit_when},
    {"op_timeout_when", call_op_timeout_when},
    {"op_delay_when", call_op_delay_when},
    {"op_observe_on", call_op_observe_on},
    {"op_subscribe_on", call_op_subscribe_on},
    {"op_map", call_op_map},
    {"op_map_to", call_op_map_to},
    {"op_compact_map", call_op_compact_map},
    {"op_map_error", call_op_map_error},
    {"op_scan", call_op_scan},
    {"op_enumerated", call_op_enumerated},
    {"op_pairwise", call_op_pairwise},
    {"op_pairwise_from", call_op_pairwise_from},
    {"op_buffer", call_op_buffer},
    {"op_buffer_skip", call_op_buffer_skip},
    {"op_buffer_time", call_op_buffer_time},
    {"op_window", call_op_window},
    {"op_window_time", call_op_window_time},
    {"op_window_toggle", call_op_window_toggle},
    {"op_window_by", call_op_window_by},
    {"op_buffer_by", call_op_buffer_by},
    {"op_group_by", call_op_group_by},
    {"signal_key", call_signal_key},
    {"op_materialize", call_op_materialize},
    {"op_timestamp", call_op_timestamp},
    {"op_time_interval", call_op_time_interval},
    {"op_lines", call_op_lines},
    {"op_frames_fixed", call_op_frames_fixed},
    {"op_frames_prefixed", call_op_frames_prefixed},
    {"op_utf8", call_op_utf8},
    {"wall_timer", call_wall_timer},
    {"drawing_create", call_drawing_create},
    {"drawing_row", call_drawing_row},
    {"drawing_box", call_drawing_box},
    {"drawing_diagram", call_drawing_diagram},
    {"drawing_define", call_drawing_define},
    {"drawing_record", call_drawing_record},
    {"marbles_create", call_marbles_create},
    {"marbles_get_scheduler", call_marbles_get_scheduler},
    {"marbles_define", call_marbles_define},
    {"marbles_cold", call_marbles_cold},
    {"marbles_hot", call_marbles_hot},
    {"marbles_expect", call_marbles_expect},
    {"marbles_run", call_marbles_run},
    {NULL, NULL},
};
