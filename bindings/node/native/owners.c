/* Owners, their events and their notices. An owner dies on the thread of its environment. */
#include "internal.h"

static void call_action(void *ctx) {
  bn_callback call;
  bn_enter(&call, ctx, 0);
  bn_answer_nothing(&call);
}

/* owner_create(deinit, label) */
napi_value bn_owner_make(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  belay_owner_options options = BELAY_INIT(belay_owner_options);
  options.loop = call.home->loop;
  options.label = bn_lasting(bn_text(&call, 1));
  void *ctx = bn_ctx(&call, 0);
  belay_owner *made =
      belay_owner_create(ctx, ctx ? call_action : NULL, ctx ? bn_free : NULL, &options);
  if (!made) bn_free(ctx);
  return bn_end(&call, bn_made(&call, BN_OWNER, made));
}

static void on_event(void *ctx, const belay_owner_event *event) {
  bn_callback call;
  bn_enter(&call, ctx, 2);
  bn_give_value(&call, event->user_info);
  bn_give_text(&call, event->name);
  bn_answer_nothing(&call);
}

/* owner_event_watch(watcher, source, name, level, handler) */
napi_value bn_watch(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  belay_owner *watcher = bn_owner(&call, 0), *source = bn_owner(&call, 1);
  const char *name = bn_text(&call, 2);
  int level = bn_int(&call, 3);
  if (call.exception) return bn_end(&call, NULL);
  int code = belay_owner_event_watch(watcher, source, name, level, on_event, bn_ctx(&call, 4),
                                     bn_free);
  return bn_end(&call, bn_code(&call, code));
}

static void on_notice(void *user_info, const char *name, void *address) {
  bn_callback call;
  bn_enter(&call, user_info, 1);
  bn_give_text(&call, name);
  bn_answer_nothing(&call);
  (void)address;
}

/* notice_set(owner, name, notify) */
napi_value bn_notice(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  int code = belay_notice_set(bn_owner(&call, 0), bn_text(&call, 1), on_notice, bn_ctx(&call, 2),
                              bn_free);
  return bn_end(&call, bn_code(&call, code));
}

typedef struct names {
  bn_call *call;
  napi_value array;
  uint32_t count;
} names;

static void add_name(void *ctx, const char *name, void *user_info) {
  names *self = ctx;
  napi_set_element(self->call->env, self->array, self->count++, bn_said(self->call, name));
  (void)user_info;
}

/* notice_each(owner) -> names */
napi_value bn_notices(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  names found = {&call, NULL, 0};
  napi_create_array(env, &found.array);
  belay_notice_each(bn_owner(&call, 0), add_name, &found);
  return bn_end(&call, found.array);
}
