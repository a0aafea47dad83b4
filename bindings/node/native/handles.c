/* Handles as externals, each of which holds one reference. */
#include "internal.h"

/* Its address tells this copy of the add-on from others: a handle of theirs means nothing here. */
static const char this_copy;

typedef struct holder {
  const char *copy; /* stays first: every copy reads it in the holders of the others */
  bn_kind kind;
  union {
    void *pointer;
    belay_disposable *disposable;
  };
} holder;

static void release(bn_kind kind, void *pointer) {
  switch (kind) {
#define RELEASE(NAME, name) \
  case BN_##NAME: belay_##name##_release(pointer); break;
    BN_HANDLES(RELEASE)
#undef RELEASE
    case BN_KEY:
      belay_value_release(*(belay_value *)pointer);
      free(pointer);
      break;
    default: break;
  }
}

static void on_collected(napi_env env, void *data, void *hint) {
  holder *self = data;
  if (self->pointer) release(self->kind, self->pointer);
  free(self);
  (void)env, (void)hint;
}

napi_value bn_external(napi_env env, bn_kind kind, void *pointer) {
  holder *self = malloc(sizeof *self);
  *self = (holder){&this_copy, kind, {pointer}};
  napi_value made = NULL;
  if (napi_create_external(env, self, on_collected, NULL, &made) != napi_ok)
    on_collected(env, self, NULL);
  return made;
}

/* key(object): a handle of the value that refers to it. Code that has the handle passes that
   value. */
napi_value bn_key(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  belay_value *key = malloc(sizeof *key);
  *key = bn_reference(call.home, call.arguments[0]);
  return bn_end(&call, bn_external(env, BN_KEY, key));
}

/* The holder in an external of this copy's, else NULL. */
static holder *holder_in(napi_env env, napi_value external) {
  void *data = NULL;
  if (napi_get_value_external(env, external, &data) != napi_ok || !data) return NULL;
  return ((holder *)data)->copy == &this_copy ? data : NULL;
}

void *bn_pointer(napi_env env, napi_value external, bn_kind *kind) {
  const holder *found = holder_in(env, external);
  if (!found) return NULL;
  *kind = found->kind;
  return found->pointer;
}

belay_disposable **bn_out_disposable(bn_call *call, size_t index) {
  holder *self = holder_in(call->env, call->arguments[index]);
  return self && self->kind == BN_DISPOSABLE && !self->pointer ? &self->disposable : NULL;
}

/* empty_disposable(): the handle of a disposable that subscribe() fills in. */
napi_value bn_empty_disposable(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  return bn_end(&call, bn_external(env, BN_DISPOSABLE, NULL));
}

/* give_back(handle): its reference, at once. The handle is no object of its class from then on. */
napi_value bn_give_back(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  holder *self = holder_in(env, call.arguments[0]);
  if (self) {
    void *pointer = self->pointer;
    self->pointer = NULL;
    if (pointer) release(self->kind, pointer);
  }
  return bn_end(&call, bn_undefined(&call));
}
