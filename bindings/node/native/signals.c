/* Signals that are made by hand: numbers, iterators, two parts, names, other copies. */
#include "internal.h"

/* ---- numbers that Belay makes itself ---- */

static belay_value to_number(void *ctx, belay_value value) {
  int64_t number = 0;
  uint64_t natural = 0;
  (void)ctx;
  if (belay_value_is_int64(value) && belay_value_try_int64(value, &number) == 0)
    return belay_double((double)number);
  if (belay_value_is_uint64(value) && belay_value_try_uint64(value, &natural) == 0)
    return belay_double((double)natural);
  return belay_value_retain(value);
}

/* op_number(signal): its integers as numbers, where Belay has made them and no bigint is meant. */
napi_value bn_op_number(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_applied(&call, belay_op_map(to_number, NULL, NULL)));
}

/* ---- iterators ---- */

/* Reads {done, value}: 1 with a value, 0 at the end. Negative when JavaScript has thrown. */
static int read_result(bn_home *home, napi_value result, belay_value *out) {
  napi_value part = NULL;
  bool is_done = true;
  napi_valuetype type = napi_undefined;
  napi_typeof(home->env, result, &type);
  if (type != napi_object && type != napi_function) {
    napi_throw_type_error(home->env, NULL, "the result of an iterator is no object");
    return -1;
  }
  if (napi_get_named_property(home->env, result, "done", &part) != napi_ok ||
      napi_coerce_to_bool(home->env, part, &part) != napi_ok ||
      napi_get_value_bool(home->env, part, &is_done) != napi_ok)
    return -1;
  if (is_done) return 0;
  if (napi_get_named_property(home->env, result, "value", &part) != napi_ok) return -1;
  *out = bn_from_js(home, part);
  return 1;
}

/* Calls next(). */
static int on_iterate(void *ctx, belay_value *out) {
  bn_callback call;
  bn_enter(&call, ctx, 0);
  return bn_answer_item(&call, read_result, out);
}

/* signal_from_iterator(next) */
napi_value bn_iterator(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  belay_signal *made = belay_signal_from_iterator(on_iterate, bn_ctx(&call, 0), bn_free);
  return bn_end(&call, bn_made(&call, BN_SIGNAL, made));
}

/* ---- two parts ---- */

static int on_predicate(void *ctx, belay_value value) {
  bn_callback call;
  bn_enter(&call, ctx, 1);
  bn_give_value(&call, value);
  return bn_answer_truth(&call);
}

/* signal_partition(source, predicate) -> [yes, no] */
napi_value bn_partition(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  belay_signal *yes = NULL, *no = NULL;
  void *ctx = bn_ctx(&call, 1);
  int code = belay_signal_partition(bn_taken_signal(&call, 0), ctx ? on_predicate : NULL, ctx,
                                    bn_free, &yes, &no);
  napi_value both = NULL;
  napi_create_array_with_length(env, 2, &both);
  napi_set_element(env, both, 0, bn_made(&call, BN_SIGNAL, yes));
  napi_set_element(env, both, 1, bn_made(&call, BN_SIGNAL, no));
  return bn_end(&call, bn_checked(&call, code, both));
}

/* ---- names ---- */

/* signal_set_name(signal, name or undefined): a name that is refused leaves the old one. */
napi_value bn_set_name(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  belay_signal *signal = bn_signal(&call, 0);
  const char *name = bn_text(&call, 1);
  if (call.exception) return bn_end(&call, NULL);
  return bn_end(&call, bn_code(&call, belay_signal_set_name(signal, name)));
}

/* ---- to other copies of Belay ---- */

/* Tells an external around a belay_exchange from others. It is the same in every copy. */
static const napi_type_tag exchange_tag = {0x62656c61795f6578, 0x6368616e67650001};

static void on_exchange_collected(napi_env env, void *data, void *hint) {
  belay_exchange_release(data);
  free(data);
  (void)env, (void)hint;
}

/* signal_export(signal) -> an external around a belay_exchange, with the tag */
napi_value bn_signal_export(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  belay_exchange *exchange = malloc(sizeof *exchange);
  int code = belay_signal_export(bn_signal(&call, 0), exchange);
  napi_value made = NULL;
  if (napi_create_external(env, exchange, on_exchange_collected, NULL, &made) != napi_ok)
    on_exchange_collected(env, exchange, NULL);
  else
    napi_type_tag_object(env, made, &exchange_tag);
  return bn_end(&call, bn_checked(&call, code, made));
}

/* signal_by_content(signal) -> signal */
napi_value bn_signal_by_content(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  belay_signal *signal = bn_signal(&call, 0);
  return bn_end(&call, bn_made(&call, BN_SIGNAL, signal ? bn_by_content(signal) : NULL));
}

/* op_frames_delimited(signal, Buffer, limit) -> signal */
napi_value bn_op_frames_delimited(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  void *data = NULL;
  size_t size = 0;
  napi_get_buffer_info(env, call.arguments[1], &data, &size);
  return bn_end(&call, bn_applied(&call, belay_op_frames_delimited(data, size, bn_count(&call, 2))));
}

/* signal_import(external) -> signal */
napi_value bn_signal_import(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  void *exchange = NULL;
  bool is_exchange = false;
  if (napi_check_object_type_tag(env, call.arguments[0], &exchange_tag, &is_exchange) != napi_ok ||
      !is_exchange || napi_get_value_external(env, call.arguments[0], &exchange) != napi_ok) {
    bn_refuse(&call, "not an exported signal");
    return bn_end(&call, NULL);
  }
  return bn_end(&call, bn_made(&call, BN_SIGNAL, belay_signal_import(exchange)));
}

/* ---- groups that end: two callbacks with one context ---- */

typedef struct grouping {
  void *key, *until;
} grouping;

static belay_value key_of(void *ctx, belay_value value) {
  bn_callback call;
  bn_enter(&call, ((grouping *)ctx)->key, 1);
  bn_give_value(&call, value);
  return bn_answer_value(&call);
}

static belay_signal *end_of(void *ctx, belay_value group) {
  bn_callback call;
  bn_enter(&call, ((grouping *)ctx)->until, 1);
  bn_give_value(&call, group);
  return bn_answer_signal(&call);
}

static void free_grouping(void *ctx) {
  grouping *all = ctx;
  bn_free(all->key);
  bn_free(all->until);
  free(all);
}

napi_value bn_op_group_by_until(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  grouping *all = malloc(sizeof *all);
  *all = (grouping){bn_ctx(&call, 1), bn_ctx(&call, 2)};
  return bn_end(&call,
                bn_applied(&call, belay_op_group_by_until(key_of, end_of, all, free_grouping)));
}
