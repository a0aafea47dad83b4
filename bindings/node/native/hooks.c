/* The process's hooks for diagnosis. They run on the thread where something happens. On another thread
   than that of the environment that has set the hook, the call is posted to that environment. */
#include "internal.h"

enum { TEXTS = 3 };

static void call_hook(void *function, belay_value number, const char *const *texts) {
  bn_callback call;
  bn_enter(&call, function, TEXTS + 1);
  bn_give_value(&call, number);
  for (int i = 0; i < TEXTS; i++) {
    if (texts[i]) bn_give_text(&call, texts[i]);
    else bn_give_value(&call, belay_null());
  }
  bn_answer_nothing(&call);
}

static void on_overlap(void *ctx, belay_overlap overlap, const char *source, const char *sender,
                       const char *site) {
  call_hook(ctx, belay_double(overlap), (const char *const[TEXTS]){source, sender, site});
}

static void on_slow(void *ctx, double seconds, const char *name, const char *site) {
  call_hook(ctx, belay_double(seconds), (const char *const[TEXTS]){name, site, NULL});
}

/* The hook in an argument; NULL for none. While it is set, no value passes Belay by in this environment:
   `bit` of `given`. */
static void *hook_of(bn_call *call, size_t index, uint8_t bit) {
  *call->home->given &= (uint8_t)~bit;
  void *made = bn_ctx(call, index);
  if (made) *call->home->given |= bit;
  return made;
}

/* on_overlap(hook or undefined) */
napi_value bn_on_overlap(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  void *made = hook_of(&call, 0, 2);
  int code = belay_on_overlap(made ? on_overlap : NULL, made, made ? bn_free : NULL);
  return bn_end(&call, bn_code(&call, code));
}

/* on_slow_callback(seconds, hook or undefined) */
napi_value bn_on_slow_callback(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  double seconds = bn_number(&call, 0);
  if (!(seconds >= 0)) return bn_end(&call, bn_code(&call, BELAY_EINVAL));
  void *made = hook_of(&call, 1, 4);
  int code = belay_on_slow_callback(seconds, made ? on_slow : NULL, made, made ? bn_free : NULL);
  return bn_end(&call, bn_code(&call, code));
}

/* delivery_stack() -> text */
napi_value bn_delivery_stack(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  size_t size = belay_delivery_stack(NULL, 0) + 1;
  char *text = calloc(1, size);
  belay_delivery_stack(text, size);
  napi_value made = bn_said(&call, text);
  free(text);
  return bn_end(&call, made);
}
