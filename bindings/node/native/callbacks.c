/* Calls of JavaScript. They happen on the environment's own thread, and while it lives. On another
   thread one that has an answer fails, and one that has none is posted to its own. */
#include "internal.h"

bn_function bn_function_of(bn_home *home, napi_value function) {
  int code = 0;
  bn_function made = {bn_reference(home, function), NULL, 0, belay_loop_retain(home->loop)};
  made.data = bn_reference_in(made.value, &code);
  if (made.data) made.environment = bn_environment();
  return made;
}

void bn_function_release(bn_function *function) {
  belay_value_release(function->value);
  belay_loop_release(function->loop);
}

int bn_is_function(const bn_function *function) { return !belay_value_is_null(function->value); }

void bn_enter(bn_callback *call, void *ctx, size_t count) {
  const bn_function *function = ctx;
  const bn_reference_data *found = function->data;
  if (!found || function->environment != bn_environment())
    found = bn_reference_in(function->value, &call->code);
  call->count = 0;
  call->home = call->entered = NULL;
  call->elsewhere = !found && call->code == BELAY_EWRONGTHREAD ? function : NULL;
  if (!found || napi_open_handle_scope(found->home->env, &call->scope) != napi_ok) return;
  call->home = call->entered = found->home;
  call->function = bn_referred(found);
  call->arguments = count <= sizeof call->few / sizeof *call->few
                        ? call->few
                        : malloc(count * sizeof *call->arguments);
}

static void give(bn_callback *call, napi_value argument, int code) {
  call->arguments[call->count++] = argument;
  if (argument) return;
  call->home = NULL;
  call->code = code < 0 ? code : BELAY_ECANCELED;
}

/* Takes the value over. Callbacks without an answer have few arguments. */
static void keep(bn_callback *call, belay_value given) {
  if (call->elsewhere && call->count < sizeof call->kept / sizeof *call->kept)
    call->kept[call->count++] = given;
  else
    belay_value_release(given);
}

void bn_give_value(bn_callback *call, belay_value value) {
  int code = 0;
  if (!call->home) return keep(call, belay_value_retain(value));
  napi_value made = bn_to_js(call->home, value, &code);
  give(call, made, code);
}

void bn_give_values(bn_callback *call, const belay_value *values, size_t count) {
  int code = 0;
  if (!call->home) return;
  napi_value made = bn_array(call->home, values, count, &code);
  give(call, made, code);
}

void bn_give_error(bn_callback *call, const belay_error *error) {
  if (call->home) give(call, bn_error_to_js(call->home, error), 0);
  else keep(call, belay_value_from_error(error));
}

/* A handle, as an object of its class. */
#define GIVE(name)                                                     \
  void bn_give_##name(bn_callback *call, belay_##name *name) {         \
    belay_value value = belay_value_from_##name(name);                 \
    bn_give_value(call, value);                                        \
    belay_value_release(value);                                        \
  }
GIVE(signal)
GIVE(subscriber)
#undef GIVE

/* No value has this one inside: the external itself. */
void bn_give_recursion(bn_callback *call, belay_recursion *recursion) {
  if (call->home)
    give(call, bn_external(call->home->env, BN_RECURSION, belay_recursion_retain(recursion)), 0);
}

void bn_give_text(bn_callback *call, const char *text) {
  napi_value made = NULL;
  if (!call->home) return keep(call, belay_string(text));
  napi_create_string_utf8(call->home->env, text, NAPI_AUTO_LENGTH, &made);
  give(call, made, 0);
}

/* ---- answers ---- */

static napi_value called(bn_callback *call) {
  return call->home ? bn_run(call->home, call->function, call->count, call->arguments) : NULL;
}

/* The failure of a call that has no result. Release it. */
static belay_error *failure(bn_callback *call) {
  bool has_thrown = false;
  /* An argument's conversion may have thrown, too. */
  if (call->entered) napi_is_exception_pending(call->entered->env, &has_thrown);
  if (has_thrown || call->home) return bn_take_exception(call->entered);
  const char *message =
      call->elsewhere ? "a function of JavaScript's runs on its own thread alone" : NULL;
  return belay_error_create(call->code, NULL, message, belay_null(), NULL);
}

static int failed(bn_callback *call) {
  belay_error *error = failure(call);
  int code = belay_fail_with(error);
  belay_error_release(error);
  return code;
}

static void leave(bn_callback *call) {
  if (call->elsewhere)
    while (call->count > 0) belay_value_release(call->kept[--call->count]);
  if (!call->entered) return;
  if (call->arguments != call->few) free(call->arguments);
  napi_close_handle_scope(call->entered->env, call->scope);
}

int bn_answer_truth(bn_callback *call) {
  napi_value result = called(call), truth = NULL;
  bool is_true = false;
  if (result && napi_coerce_to_bool(call->home->env, result, &truth) == napi_ok)
    napi_get_value_bool(call->home->env, truth, &is_true);
  int answer = truth ? is_true : failed(call);
  leave(call);
  return answer;
}

int bn_answer_item(bn_callback *call, bn_read_item read, belay_value *out) {
  napi_value result = called(call);
  int answer = result ? read(call->home, result, out) : -1;
  if (answer < 0) answer = failed(call);
  leave(call);
  return answer;
}

void bn_answer_event(bn_callback *call) {
  if (!called(call)) failed(call);
  leave(call);
}

belay_value bn_answer_value(bn_callback *call) {
  napi_value result = called(call);
  belay_value answer;
  if (result) {
    answer = bn_from_js(call->home, result);
  } else {
    belay_error *error = failure(call);
    answer = belay_value_failure_with(error);
    belay_error_release(error);
  }
  leave(call);
  return answer;
}

/* The handle in the result, as JavaScript's side unwraps it; NULL for anything else. */
static void *answered(bn_callback *call, bn_kind wanted) {
  bn_kind kind = BN_KINDS;
  napi_value result = called(call);
  void *pointer = result ? bn_pointer(call->home->env, result, &kind) : NULL;
  if (!result) failed(call);
  return kind == wanted ? pointer : NULL;
}

belay_signal *bn_answer_signal(bn_callback *call) {
  belay_signal *answer = belay_signal_retain(answered(call, BN_SIGNAL));
  leave(call);
  return answer;
}

belay_disposable *bn_answer_disposable(bn_callback *call) {
  belay_disposable *answer = belay_disposable_retain(answered(call, BN_DISPOSABLE));
  leave(call);
  return answer;
}

belay_error *bn_answer_error(bn_callback *call) {
  napi_value result = called(call);
  belay_error *answer = result ? bn_error_from_js(call->home, result) : NULL;
  if (!answer) failed(call);
  leave(call);
  return answer;
}

/* A call for another thread. */
typedef struct posted {
  bn_function function;
  size_t count;
  belay_value arguments[sizeof((bn_callback *)0)->kept / sizeof(belay_value)];
} posted;

static void on_posted(void *ctx) {
  posted *self = ctx;
  bn_callback call;
  bn_enter(&call, &self->function, self->count);
  for (size_t i = 0; i < self->count; i++) bn_give_value(&call, self->arguments[i]);
  bn_answer_nothing(&call);
}

static void free_posted(void *ctx) {
  posted *self = ctx;
  bn_function_release(&self->function);
  for (size_t i = 0; i < self->count; i++) belay_value_release(self->arguments[i]);
  free(self);
}

/* Takes over what the call has kept. */
static void post(bn_callback *call) {
  posted *self = malloc(sizeof *self);
  self->function = *call->elsewhere;
  belay_value_retain(self->function.value);
  belay_loop_retain(self->function.loop);
  self->count = call->count;
  for (size_t i = 0; i < self->count; i++) self->arguments[i] = call->kept[i];
  call->count = 0;
  belay_loop_post(self->function.loop, on_posted, self, free_posted);
}

void bn_answer_nothing(bn_callback *call) {
  napi_value exception = NULL;
  if (call->elsewhere) return post(call);
  bool has_thrown = false;
  if (!called(call) && call->entered &&
      napi_is_exception_pending(call->entered->env, &has_thrown) == napi_ok && has_thrown &&
      napi_get_and_clear_last_exception(call->entered->env, &exception) == napi_ok)
    bn_report(call->entered, exception);
  leave(call);
}
