/* Subscriptions: what they call of JavaScript's. */
#include "internal.h"

typedef struct listener {
  bn_function next, batch, error, completed, disposed;
} listener;

static void free_listener(void *ctx) {
  bn_function *calls = ctx;
  for (size_t i = 0; i < sizeof(listener) / sizeof *calls; i++) bn_function_release(&calls[i]);
  free(ctx);
}

/* An exception, or a value of another thread's, is the failure of the call. */
static void on_next(void *ctx, belay_value value) {
  bn_callback call;
  bn_enter(&call, &((listener *)ctx)->next, 1);
  bn_give_value(&call, value);
  bn_answer_event(&call);
}

/* Whether all are numbers, which JavaScript then copies from where they are put. */
static int put_numbers(bn_home *home, const belay_value *values, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (!belay_value_is_double(values[i])) return 0;
    belay_value_try_double(values[i], &home->received[i]);
  }
  return 1;
}

/* batch(count, values): without `values` these are the numbers that have been received. */
static void on_batch(void *ctx, const belay_value *values, size_t count) {
  bn_callback call;
  bn_enter(&call, &((listener *)ctx)->batch, 2);
  bn_give_value(&call, belay_int32((int32_t)count));
  if (call.home && !put_numbers(call.home, values, count)) bn_give_values(&call, values, count);
  bn_answer_event(&call);
}

static void on_error(void *ctx, const belay_error *error) {
  bn_callback call;
  bn_enter(&call, &((listener *)ctx)->error, 1);
  bn_give_error(&call, error);
  bn_answer_nothing(&call);
}

static void tell(bn_function *function) {
  bn_callback call;
  bn_enter(&call, function, 0);
  bn_answer_nothing(&call);
}

static void on_completed(void *ctx) { tell(&((listener *)ctx)->completed); }
static void on_disposed(void *ctx) { tell(&((listener *)ctx)->disposed); }

/* An observer of the functions (next, batch, error, completed, disposed) from an argument on. */
static belay_observer observer_of(bn_call *call, size_t index) {
  listener *self = calloc(1, sizeof *self);
  bn_function *calls = (bn_function *)self;
  for (size_t i = 0; i < sizeof *self / sizeof *calls; i++)
    if (bn_is_given(call, index + i))
      calls[i] = bn_function_of(call->home, call->arguments[index + i]);
  belay_observer observer = BELAY_INIT(belay_observer);
  observer.ctx = self;
  observer.ctx_free = free_listener;
  if (bn_is_function(&self->next)) observer.next = on_next;
  if (bn_is_function(&self->batch)) observer.next_batch = on_batch;
  if (bn_is_function(&self->error)) observer.error = on_error;
  if (bn_is_function(&self->completed)) observer.completed = on_completed;
  if (bn_is_function(&self->disposed)) observer.disposed = on_disposed;
  return observer;
}

/* subscribe(signal, next, batch, error, completed, disposed, owner, label, made) -> disposable. It is written
   to `made`, which empty_disposable() has given, before anything is called: what is called can dispose
   of it. */
napi_value bn_subscribe(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  belay_disposable *out = NULL, **place = bn_out_disposable(&call, 8);
  belay_observer observer = observer_of(&call, 1);
  observer.loop = call.home->loop;
  observer.owner = bn_owner(&call, 6);
  observer.label = bn_lasting(bn_text(&call, 7));
  belay_signal *signal = bn_signal(&call, 0);
  if (call.exception) {
    free_listener(observer.ctx);
    return bn_end(&call, NULL);
  }
  int code = belay_signal_subscribe(signal, &observer, place ? place : &out);
  napi_value made = place ? call.arguments[8] : bn_made(&call, BN_DISPOSABLE, out);
  return bn_end(&call, bn_checked(&call, code, made));
}

/* op_do(signal, next, undefined, error, completed, disposed) -> signal */
napi_value bn_op_do(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  belay_observer observer = observer_of(&call, 1);
  return bn_end(&call, bn_applied(&call, belay_op_do(&observer)));
}

/* subject_next_numbers(subject, count): sends so many numbers of `sent` in one batch. */
napi_value bn_next_numbers(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  belay_value values[BN_BATCH];
  size_t count = bn_count(&call, 1);
  if (count > BN_BATCH) count = BN_BATCH;
  for (size_t i = 0; i < count; i++) values[i] = belay_double(call.home->sent[i]);
  int code = belay_subject_next_batch(bn_signal(&call, 0), values, count);
  return bn_end(&call, bn_code(&call, code));
}
