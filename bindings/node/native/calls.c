/* Calls from JavaScript: their arguments and results. */
#include <math.h>
#include <pthread.h>
#include <string.h>

#include "internal.h"

int bn_begin(bn_call *call, napi_env env, napi_callback_info info) {
  size_t given = BN_ARGUMENTS;
  void *home = NULL;
  if (napi_get_cb_info(env, info, &given, call->arguments, NULL, &home) != napi_ok) return 0;
  call->home = home;
  call->env = env;
  call->exception = NULL;
  call->room_count = 0;
  call->error = NULL;
  call->lent = belay_null();
  ++*call->home->depth;
  (void)belay_last_error(); /* a failure that nobody has asked for is not this call's */
  return 1;
}

napi_value bn_end(bn_call *call, napi_value result) {
  if (--*call->home->depth == 0) bn_turn(call->home);
  for (size_t i = 0; i < call->room_count; i++) free(call->rooms[i]);
  if (call->error) belay_error_release(call->error);
  belay_value_release(call->lent);
  if (!call->exception) return result;
  napi_throw(call->env, call->exception);
  return NULL;
}

/* ---- arguments ---- */

static napi_valuetype type_at(bn_call *call, size_t index) {
  napi_valuetype type = napi_undefined;
  napi_typeof(call->env, call->arguments[index], &type);
  return type;
}

int bn_is_given(bn_call *call, size_t index) {
  napi_valuetype type = type_at(call, index);
  return type != napi_undefined && type != napi_null;
}

/* The code is that of Node's own errors, or NULL. */
static void refuse(bn_call *call, const char *code, const char *message) {
  napi_value name = NULL, text = NULL;
  if (call->exception) return;
  if (code) napi_create_string_utf8(call->env, code, NAPI_AUTO_LENGTH, &name);
  napi_create_string_utf8(call->env, message, NAPI_AUTO_LENGTH, &text);
  napi_create_type_error(call->env, name, text, &call->exception);
}

void bn_refuse(bn_call *call, const char *message) { refuse(call, NULL, message); }

/* Memory until the end of the call. */
static void *room(bn_call *call, size_t count, size_t size) {
  void *made = calloc(count + 1, size);
  if (call->room_count < BN_ROOMS) call->rooms[call->room_count++] = made;
  return made;
}

void *bn_ctx(bn_call *call, size_t index) {
  napi_valuetype type = type_at(call, index);
  if (type != napi_function) {
    if (bn_is_given(call, index)) bn_refuse(call, "not a function");
    return NULL;
  }
  bn_function *ctx = malloc(sizeof *ctx);
  *ctx = bn_function_of(call->home, call->arguments[index]);
  return ctx;
}

void bn_free(void *ctx) {
  if (!ctx) return;
  bn_function_release(ctx);
  free(ctx);
}

static void *handle(bn_call *call, napi_value external, bn_kind kind) {
  bn_kind found = BN_KINDS;
  void *pointer = bn_pointer(call->env, external, &found);
  if (pointer && found == kind) return pointer;
  napi_valuetype type = napi_undefined;
  napi_typeof(call->env, external, &type);
  if (type != napi_undefined && type != napi_null)
    bn_refuse(call, found == kind ? "it has been released"
                                  : "not an object of the class that is asked for");
  return NULL;
}

#define ARGUMENT(NAME, name)                                  \
  belay_##name *bn_##name(bn_call *call, size_t index) {      \
    return handle(call, call->arguments[index], BN_##NAME);   \
  }
BN_HANDLES(ARGUMENT)
#undef ARGUMENT

belay_signal *bn_taken_signal(bn_call *call, size_t index) {
  return belay_signal_retain(bn_signal(call, index));
}

static size_t length(bn_call *call, size_t index) {
  uint32_t count = 0;
  if (napi_get_array_length(call->env, call->arguments[index], &count) != napi_ok) {
    bn_refuse(call, "not an array");
    return 0;
  }
  return count;
}

static napi_value item(bn_call *call, size_t index, size_t at) {
  napi_value found = NULL;
  napi_get_element(call->env, call->arguments[index], (uint32_t)at, &found);
  return found;
}

belay_signal *const *bn_signals(bn_call *call, size_t index) {
  size_t count = length(call, index);
  belay_signal **signals = room(call, count, sizeof *signals);
  for (size_t i = 0; i < count; i++)
    signals[i] = belay_signal_retain(handle(call, item(call, index, i), BN_SIGNAL));
  return signals;
}

const belay_value *bn_values(bn_call *call, size_t index) {
  size_t count = length(call, index);
  belay_value *values = room(call, count, sizeof *values);
  for (size_t i = 0; i < count; i++) values[i] = bn_from_js(call->home, item(call, index, i));
  return values;
}

belay_value bn_value(bn_call *call, size_t index) {
  return bn_from_js(call->home, call->arguments[index]);
}

belay_value bn_lent_value(bn_call *call, size_t index) {
  return call->lent = bn_value(call, index);
}

/* Anything can be thrown, undefined too. */
const belay_error *bn_error(bn_call *call, size_t index) {
  return call->error = bn_error_from_js(call->home, call->arguments[index]);
}

const char *bn_text(bn_call *call, size_t index) {
  size_t size = 0;
  if (!bn_is_given(call, index)) return NULL;
  if (napi_get_value_string_utf8(call->env, call->arguments[index], NULL, 0, &size) != napi_ok) {
    bn_refuse(call, "not a string");
    return NULL;
  }
  char *text = room(call, size, 1);
  napi_get_value_string_utf8(call->env, call->arguments[index], text, size + 1, &size);
  if (strlen(text) == size) return text;
  refuse(call, "ERR_INVALID_ARG_VALUE", "a text with a null character, where C's would end");
  return NULL;
}

double bn_number(bn_call *call, size_t index) {
  double number = 0;
  if (napi_get_value_double(call->env, call->arguments[index], &number) == napi_ok) return number;
  bn_refuse(call, "not a number");
  return NAN; /* BELAY_EINVAL wherever it is a time */
}

/* Infinity is BELAY_UNLIMITED. */
size_t bn_count(bn_call *call, size_t index) {
  bool is_array = false;
  napi_is_array(call->env, call->arguments[index], &is_array);
  if (is_array) return length(call, index);
  double number = bn_number(call, index);
  if (number == INFINITY) return BELAY_UNLIMITED;
  if (number >= 0 && number <= 0x1p53 && number == floor(number)) return (size_t)number;
  bn_refuse(call, "not a count: a whole number that is not negative, or Infinity");
  return 0;
}

int64_t bn_integer(bn_call *call, size_t index) {
  double number = bn_number(call, index);
  if (fabs(number) <= 0x1p53 && number == floor(number)) return (int64_t)number;
  bn_refuse(call, "not a whole number");
  return 0;
}

uint64_t bn_exact(bn_call *call, size_t index) {
  uint64_t number = 0;
  bool is_exact = false;
  napi_get_value_bigint_uint64(call->env, call->arguments[index], &number, &is_exact);
  if (!is_exact) bn_refuse(call, "not a key: a bigint of 64 bits that is not negative");
  return is_exact ? number : 0;
}

int bn_int(bn_call *call, size_t index) {
  int32_t number = 0;
  bool truth = false;
  if (napi_get_value_bool(call->env, call->arguments[index], &truth) == napi_ok) return truth;
  if (napi_get_value_int32(call->env, call->arguments[index], &number) != napi_ok)
    bn_refuse(call, "not a number");
  return number;
}

char bn_letter(bn_call *call, size_t index) {
  const char *text = bn_text(call, index);
  if (text && strlen(text) == 1) return text[0];
  bn_refuse(call, "not one letter of ASCII");
  return 0;
}

/* ---- options: objects of JavaScript's ---- */

const char *bn_lasting(const char *text) {
  typedef struct lasting {
    struct lasting *next;
    char text[];
  } lasting;
  static lasting *all[1024]; /* by their hash */
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  if (!text) return NULL;
  uint32_t hash = 0;
  for (const char *at = text; *at; at++) hash = hash * 31 + (unsigned char)*at;
  lasting **row = &all[hash % (sizeof all / sizeof *all)];
  pthread_mutex_lock(&lock);
  lasting *found = *row;
  while (found && strcmp(found->text, text) != 0) found = found->next;
  if (!found) {
    size_t size = strlen(text) + 1;
    found = malloc(sizeof *found + size);
    memcpy(found->text, text, size);
    found->next = *row;
    *row = found;
  }
  pthread_mutex_unlock(&lock);
  return found->text;
}

/* Puts an object's property into the place of the argument. 0 when it is not given. */
static int option(bn_call *call, napi_value options, const char *name, size_t index) {
  napi_value found = NULL;
  if (napi_get_named_property(call->env, options, name, &found) != napi_ok) return 0;
  call->arguments[index] = found;
  return bn_is_given(call, index);
}

const belay_source_options *bn_source_options(bn_call *call, size_t index) {
  if (!bn_is_given(call, index)) return NULL;
  napi_value given = call->arguments[index];
  belay_source_options *options = &call->source_options;
  *options = BELAY_INIT(belay_source_options);
  if (option(call, given, "label", index)) options->label = bn_lasting(bn_text(call, index));
  if (option(call, given, "reentrancy", index))
    options->reentrancy = (belay_reentrancy)bn_int(call, index);
  if (option(call, given, "capacity", index)) options->capacity = bn_count(call, index);
  if (option(call, given, "shared", index)) options->shared = bn_int(call, index);
  return options;
}

const belay_queue_options *bn_queue_options(bn_call *call, size_t index) {
  if (!bn_is_given(call, index)) return NULL;
  napi_value given = call->arguments[index];
  belay_queue_options *options = &call->queue_options;
  *options = BELAY_INIT(belay_queue_options);
  if (option(call, given, "policy", index))
    options->policy = (belay_queue_policy)bn_int(call, index);
  if (option(call, given, "capacity", index)) options->capacity = bn_count(call, index);
  return options;
}

/* ---- results ---- */

void bn_raise(bn_call *call, int code) {
  const belay_error *error = belay_last_error();
  if (call->exception) return;
  belay_error *made = error && (code == 0 || belay_error_code(error) == code)
                          ? belay_error_retain(error)
                          : belay_error_create(code, NULL, NULL, belay_null(), NULL);
  call->exception = bn_error_to_js(call->home, made);
  belay_error_release(made);
}

napi_value bn_undefined(bn_call *call) {
  napi_value made = NULL;
  napi_get_undefined(call->env, &made);
  return made;
}

/* NULL is a failure when one waits, else nothing. */
napi_value bn_made(bn_call *call, bn_kind kind, void *given) {
  napi_value made = NULL;
  if (given) return bn_external(call->env, kind, given);
  const belay_error *error = belay_last_error();
  if (error) {
    belay_fail_with(error);
    bn_raise(call, 0);
  }
  napi_get_null(call->env, &made);
  return made;
}

napi_value bn_applied(bn_call *call, belay_op *op) {
  return bn_made(call, BN_SIGNAL,
                 belay_signal_chain_n(bn_taken_signal(call, 0), (belay_op *const[]){op}, 1));
}

napi_value bn_code(bn_call *call, int code) {
  napi_value made = NULL;
  if (code < 0 && code != BELAY_EENDED) bn_raise(call, code);
  napi_create_int32(call->env, code, &made);
  return made;
}

napi_value bn_checked(bn_call *call, int code, napi_value result) {
  if (code < 0) bn_raise(call, code);
  return result;
}

napi_value bn_read(bn_call *call, belay_value borrowed) {
  int code = 0;
  napi_value made = bn_to_js(call->home, borrowed, &code);
  if (!made) bn_raise(call, code);
  return made;
}

napi_value bn_taken_over(bn_call *call, belay_value given) {
  napi_value made = bn_read(call, given);
  belay_value_release(given);
  return made;
}

napi_value bn_said(bn_call *call, const char *text) {
  napi_value made = NULL;
  if (text) napi_create_string_utf8(call->env, text, NAPI_AUTO_LENGTH, &made);
  else napi_get_null(call->env, &made);
  return made;
}

napi_value bn_counted(bn_call *call, double number) {
  napi_value made = NULL;
  napi_create_double(call->env, number, &made);
  return made;
}

napi_value bn_exactly(bn_call *call, uint64_t number) {
  napi_value made = NULL;
  napi_create_bigint_uint64(call->env, number, &made);
  return made;
}
