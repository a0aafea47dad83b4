/* Values as JavaScript's, and back. null, booleans, numbers, strings and bigints of up to 64 bits
   are values of Belay's: numbers are doubles, bigints are int64 or, above that, uint64. Everything else
   is a pointer with a home: only its own thread reads it, and lets it go. Errors likewise. */
#include <math.h>
#include <string.h>

#include "internal.h"

/* The name tells our pointers from others; the environment tells ours apart. */
static const char type_name[] = "JavaScript";
/* The domain of errors whose payload is an exception. */
static const char domain[] = "JavaScript";
/* Its address stands for undefined. */
static const char undefined_mark;

static void destroy(void *pointer) {
  bn_reference_data *self = pointer;
  napi_delete_reference(self->home->env, self->held);
  bn_let_go(self->home);
  free(self);
}

static napi_value boxed(napi_env env, napi_value object) {
  napi_value box = NULL;
  napi_create_array_with_length(env, 1, &box);
  napi_set_element(env, box, 0, object);
  return box;
}

belay_value bn_reference(bn_home *home, napi_value object) {
  napi_valuetype type = napi_undefined;
  napi_typeof(home->env, object, &type);
  bn_reference_data *self = malloc(sizeof *self);
  self->home = home;
  self->is_boxed = type != napi_object && type != napi_function;
  if (self->is_boxed) object = boxed(home->env, object);
  if (napi_create_reference(home->env, object, 1, &self->held) != napi_ok) {
    free(self);
    return belay_value_failure(BELAY_ECANCELED, "the environment is ending");
  }
  bn_hold(home);
  return belay_pointer_at(home->loop, type_name, self, destroy);
}

const bn_reference_data *bn_reference_in(belay_value value, int *code) {
  void *pointer = NULL;
  *code = belay_value_try_typed(value, type_name, &pointer);
  return *code < 0 ? NULL : pointer;
}

napi_value bn_referred(const bn_reference_data *self) {
  napi_value found = NULL;
  if (napi_get_reference_value(self->home->env, self->held, &found) == napi_ok && self->is_boxed)
    napi_get_element(self->home->env, found, 0, &found);
  return found;
}

/* ---- from JavaScript ---- */

static belay_value from_string(napi_env env, napi_value object) {
  char few[256], *text = few;
  size_t size = 0;
  napi_get_value_string_utf8(env, object, few, sizeof few, &size);
  if (size >= sizeof few - 4) { /* there may be more: a character is never cut */
    napi_get_value_string_utf8(env, object, NULL, 0, &size);
    text = malloc(size + 1);
    napi_get_value_string_utf8(env, object, text, size + 1, &size);
  }
  belay_value value = belay_string_n(text, size);
  if (text != few) free(text);
  return value;
}

static belay_value from_bigint(bn_home *home, napi_value object) {
  int64_t number = 0;
  uint64_t natural = 0;
  bool is_exact = false;
  napi_get_value_bigint_int64(home->env, object, &number, &is_exact);
  if (is_exact) return belay_int64(number);
  napi_get_value_bigint_uint64(home->env, object, &natural, &is_exact);
  return is_exact ? belay_uint64(natural) : bn_reference(home, object);
}

/* The value of an object with a handle inside, such as a Signal: that of the handle which is its property of
   that name, if it has one, else a reference. */
static belay_value from_handle(bn_home *home, napi_value object, const char *property) {
  napi_value external = NULL;
  bn_kind kind = BN_KINDS;
  napi_get_named_property(home->env, object, property, &external);
  /* An object that only inherits from the class has none, and throws. */
  if (!external) napi_get_and_clear_last_exception(home->env, &external);
  void *pointer = bn_pointer(home->env, external, &kind);
  if (kind == BN_DISPOSABLE || kind == BN_BAG) *home->given |= 1;
  switch (pointer ? kind : BN_KINDS) {
    case BN_SIGNAL: return belay_value_from_signal(pointer);
    case BN_SUBSCRIBER: return belay_value_from_subscriber(pointer);
    case BN_DISPOSABLE: return belay_value_from_disposable(pointer);
    case BN_BAG: return belay_value_from_bag(pointer);
    case BN_OWNER: return belay_value_from_owner(pointer);
    case BN_LOOP: return belay_value_from_loop(pointer);
    case BN_SCHEDULER: return belay_value_from_scheduler(pointer);
    case BN_KEY: return belay_value_retain(*(belay_value *)pointer);
    default: return bn_reference(home, object);
  }
}

/* A proxy may throw when it is asked for its class: it is an object as others are. */
static bool has_handle(bn_home *home, napi_value object) {
  napi_value ignored = NULL;
  bool truth = false;
  if (napi_instanceof(home->env, object, bn_hook_of(home, BN_HANDLE_CLASS), &truth) != napi_ok)
    napi_get_and_clear_last_exception(home->env, &ignored);
  return truth;
}

belay_value bn_from_js(bn_home *home, napi_value object) {
  napi_valuetype type = napi_undefined;
  bool truth = false;
  double number = 0;
  if (napi_get_value_double(home->env, object, &number) == napi_ok) return belay_double(number);
  napi_typeof(home->env, object, &type);
  switch (type) {
    case napi_string: return from_string(home->env, object);
    case napi_boolean:
      napi_get_value_bool(home->env, object, &truth);
      return belay_bool(truth);
    case napi_null: return belay_null();
    case napi_undefined: return belay_pointer(&undefined_mark);
    case napi_bigint: return from_bigint(home, object);
    case napi_object:
      return has_handle(home, object) ? from_handle(home, object, "_sent") : bn_reference(home, object);
    default: return bn_reference(home, object);
  }
}

/* ---- arrays and bytes by content ---- */

enum { DEEPEST = 100 }; /* as between two copies of Belay */

/* An item on the way to its content. `has_failed`: it is nested too deeply, or inside itself, or a getter
   has thrown. */
typedef struct walk {
  bn_home *home;
  int depth;
  int has_failed;
} walk;

static belay_value content_of(walk *self, napi_value object);

static belay_value content_of_array(walk *self, napi_value array) {
  napi_env env = self->home->env;
  uint32_t count = 0;
  napi_get_array_length(env, array, &count);
  belay_value *items = calloc((size_t)count + 1, sizeof *items);
  if (++self->depth > DEEPEST || !items) self->has_failed = 1;
  uint32_t done = 0;
  for (; !self->has_failed && done < count; done++) {
    napi_handle_scope scope;
    napi_value item = NULL;
    napi_open_handle_scope(env, &scope);
    if (napi_get_element(env, array, done, &item) != napi_ok) self->has_failed = 1;
    else items[done] = content_of(self, item);
    napi_close_handle_scope(env, scope);
  }
  self->depth--;
  belay_value made = items ? belay_array_of(items, done) : belay_null();
  free(items);
  return made;
}

/* The bytes of a Uint8Array, such as a Buffer. 0 for anything else. */
static int is_bytes(napi_env env, napi_value object, void **data, size_t *size) {
  bool is_typed = false;
  napi_typedarray_type type = napi_int8_array;
  return napi_is_typedarray(env, object, &is_typed) == napi_ok && is_typed &&
         napi_get_typedarray_info(env, object, &type, size, data, NULL, NULL) == napi_ok &&
         (type == napi_uint8_array || type == napi_uint8_clamped_array);
}

static belay_value content_of(walk *self, napi_value object) {
  void *data = NULL;
  size_t size = 0;
  bool is_array = false;
  if (napi_is_array(self->home->env, object, &is_array) == napi_ok && is_array)
    return content_of_array(self, object);
  if (is_bytes(self->home->env, object, &data, &size)) return belay_bytes(size > 0 ? data : "", size);
  napi_valuetype type = napi_undefined;
  napi_typeof(self->home->env, object, &type);
  if (type == napi_object && has_handle(self->home, object))
    return from_handle(self->home, object, "_handle");
  return bn_from_js(self->home, object);
}

static belay_value content_of_reference(const bn_reference_data *found) {
  napi_env env = found->home->env;
  napi_handle_scope scope;
  bool has_thrown = false;
  if (napi_open_handle_scope(env, &scope) != napi_ok) return belay_value_failure(BELAY_ECANCELED, NULL);
  walk self = {found->home, 0, 0};
  belay_value made = content_of(&self, bn_referred(found));
  if (self.has_failed) {
    belay_value_release(made);
    made = belay_value_failure(BELAY_ERANGE, "arrays that are nested deeper than 100");
    if (napi_is_exception_pending(env, &has_thrown) == napi_ok && has_thrown) {
      belay_error *error = bn_take_exception(found->home);
      belay_value_release(made);
      made = belay_value_failure_with(error);
      belay_error_release(error);
    }
  }
  napi_close_handle_scope(env, scope);
  return made;
}

static belay_value to_content(void *ctx, belay_value value);

/* The same signal with other values, under its own name. Release the result. */
static belay_signal *mapped(belay_signal *signal, belay_map_fn map) {
  const char *name = belay_signal_name(signal);
  belay_signal *made = belay_signal_chain_n(
      belay_signal_retain(signal), (belay_op *const[]){belay_op_map(map, NULL, NULL)}, 1);
  if (made) belay_signal_set_name(made, name);
  return made;
}

belay_signal *bn_by_content(belay_signal *signal) { return mapped(signal, to_content); }

/* The signal itself for one that is passed by reference, as a Subject is. */
static belay_value to_signal(void *ctx, belay_value value) {
  int code = 0;
  const bn_reference_data *found = bn_reference_in(value, &code);
  napi_handle_scope scope;
  (void)ctx;
  if (!found || found->is_boxed || napi_open_handle_scope(found->home->env, &scope) != napi_ok)
    return belay_value_retain(value);
  napi_value object = bn_referred(found);
  belay_value made = object && has_handle(found->home, object)
                         ? from_handle(found->home, object, "_handle")
                         : belay_value_retain(value);
  napi_close_handle_scope(found->home->env, scope);
  return made;
}

/* signals(signal) -> the same one, whose values are what Belay's operators take for signals */
napi_value bn_signals_of(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  belay_signal *signal = bn_signal(&call, 0);
  return bn_end(&call, bn_made(&call, BN_SIGNAL, signal ? mapped(signal, to_signal) : NULL));
}

/* Of each array and Buffer of this thread's. Those in a batch's array and those of an inner signal too. */
static belay_value to_content(void *ctx, belay_value value) {
  int code = 0;
  if (belay_value_kind(value) == BELAY_KIND_POINTER) {
    const bn_reference_data *found = bn_reference_in(value, &code);
    napi_value object = found && !found->is_boxed ? bn_referred(found) : NULL;
    return object ? content_of_reference(found) : belay_value_retain(value);
  }
  if (belay_value_kind(value) == BELAY_KIND_SIGNAL) {
    belay_signal *made = bn_by_content(belay_value_get_signal(value));
    belay_value inner = belay_value_from_signal(made);
    belay_signal_release(made);
    return inner;
  }
  if (belay_value_kind(value) != BELAY_KIND_ARRAY) return belay_value_retain(value);
  size_t count = belay_value_count(value);
  belay_value *items = calloc(count + 1, sizeof *items);
  for (size_t i = 0; i < count; i++) {
    belay_value item = belay_null();
    belay_value_try_item(value, i, &item);
    items[i] = to_content(ctx, item);
  }
  belay_value made = belay_array_of(items, count);
  free(items);
  return made;
}

/* ---- to JavaScript ---- */

static napi_value wrapped(bn_home *home, bn_kind kind, void *retained) {
  napi_value arguments[2] = {NULL, bn_external(home->env, kind, retained)};
  napi_create_int32(home->env, kind, &arguments[0]);
  return arguments[1] ? bn_run(home, bn_hook_of(home, BN_WRAP), 2, arguments) : NULL;
}

static napi_value text_of(napi_env env, const char *data, size_t size) {
  napi_value made = NULL;
  napi_create_string_utf8(env, data, size, &made);
  return made;
}

static napi_value description(napi_env env, belay_value value) {
  char room[256];
  belay_value_describe(value, room, sizeof room);
  return text_of(env, room, NAPI_AUTO_LENGTH);
}

napi_value bn_array(bn_home *home, const belay_value *values, size_t count, int *code) {
  napi_value made = NULL;
  napi_create_array_with_length(home->env, count, &made);
  for (size_t i = 0; made && i < count; i++) {
    napi_value object = bn_to_js(home, values[i], code);
    if (!object || napi_set_element(home->env, made, (uint32_t)i, object) != napi_ok) return NULL;
  }
  return made;
}

static napi_value to_array(bn_home *home, belay_value array, int *code) {
  size_t count = belay_value_count(array);
  belay_value *items = calloc(count + 1, sizeof *items);
  for (size_t i = 0; i < count; i++) belay_value_try_item(array, i, &items[i]);
  napi_value made = bn_array(home, items, count, code);
  free(items);
  return made;
}

static napi_value to_pointer(bn_home *home, belay_value value, int *code) {
  napi_value made = NULL;
  void *pointer = NULL;
  if (belay_value_try_pointer(value, &pointer) == 0 && pointer == &undefined_mark) {
    napi_get_undefined(home->env, &made);
    return made;
  }
  const bn_reference_data *found = bn_reference_in(value, code);
  if (found) return bn_referred(found);
  if (*code != BELAY_EKIND) return NULL;
  *code = 0; /* not ours */
  return description(home->env, value);
}

napi_value bn_to_js(bn_home *home, belay_value value, int *code) {
  napi_env env = home->env;
  napi_value made = NULL;
  int truth = 0;
  int64_t number = 0;
  uint64_t natural = 0;
  double real = 0;
  belay_view view = {"", 0};
  *code = 0;
  if (belay_value_is_double(value)) { /* most are */
    belay_value_try_double(value, &real);
    napi_create_double(env, real, &made);
    return made;
  }
  belay_kind kind = belay_value_kind(value);
  switch (kind) {
    case BELAY_KIND_NULL: napi_get_null(env, &made); break;
    case BELAY_KIND_BOOL:
      belay_value_try_bool(value, &truth);
      napi_get_boolean(env, truth, &made);
      break;
    case BELAY_KIND_INT64:
      belay_value_try_int64(value, &number);
      napi_create_bigint_int64(env, number, &made);
      break;
    case BELAY_KIND_UINT64:
      belay_value_try_uint64(value, &natural);
      if (natural <= (uint64_t)1 << 53) napi_create_double(env, (double)natural, &made);
      else napi_create_bigint_uint64(env, natural, &made);
      break;
    case BELAY_KIND_INT8:
    case BELAY_KIND_INT16:
    case BELAY_KIND_INT32:
    case BELAY_KIND_UINT8:
    case BELAY_KIND_UINT16:
    case BELAY_KIND_UINT32:
    case BELAY_KIND_FLOAT:
    case BELAY_KIND_DOUBLE:
      belay_value_try_double(value, &real);
      napi_create_double(env, real, &made);
      break;
    case BELAY_KIND_POINTER: made = to_pointer(home, value, code); break;
    case BELAY_KIND_STRING:
      belay_value_try_string(value, &view);
      made = text_of(env, view.data, view.size);
      break;
    case BELAY_KIND_BYTES:
      belay_value_try_bytes(value, &view);
      napi_create_buffer_copy(env, view.size, view.data, NULL, &made);
      break;
    case BELAY_KIND_ARRAY: made = to_array(home, value, code); break;
#define HANDLE(NAME, name) \
  case BELAY_KIND_##NAME:  \
    made = wrapped(home, BN_##NAME, belay_##name##_retain(belay_value_get_##name(value))); \
    break;
      HANDLE(SIGNAL, signal)
      HANDLE(SUBSCRIBER, subscriber)
      HANDLE(DISPOSABLE, disposable)
      HANDLE(BAG, bag)
      HANDLE(OWNER, owner)
      HANDLE(LOOP, loop)
      HANDLE(SCHEDULER, scheduler)
#undef HANDLE
    case BELAY_KIND_ERROR: made = bn_error_to_js(home, belay_value_get_error(value)); break;
    /* kinds that only C has: structs, failures, weak references */
    default: made = description(env, value); break;
  }
  if (!made && *code == 0) *code = BELAY_ECANCELED;
  return made;
}

/* ---- errors ---- */

/* The number of libuv's and Belay's in `errno`, as in Node's own errors. */
static int code_of(bn_home *home, napi_value exception) {
  napi_value number = NULL;
  napi_valuetype type = napi_undefined;
  bool is_error = false;
  int32_t code = 0;
  napi_is_error(home->env, exception, &is_error);
  if (!is_error) return BELAY_EINVAL;
  napi_get_named_property(home->env, exception, "errno", &number);
  if (number) napi_typeof(home->env, number, &type);
  if (type == napi_number) napi_get_value_int32(home->env, number, &code);
  return code < 0 ? code : BELAY_EINVAL;
}

belay_error *bn_error_from_js(bn_home *home, napi_value exception) {
  char message[512] = "an exception";
  napi_value told = NULL, ignored = NULL;
  int code = code_of(home, exception);
  if (napi_coerce_to_string(home->env, exception, &told) == napi_ok)
    napi_get_value_string_utf8(home->env, told, message, sizeof message, NULL);
  /* Its getters, or its toString(), threw. */
  napi_get_and_clear_last_exception(home->env, &ignored);
  return belay_error_create(code, domain, message, bn_reference(home, exception), NULL);
}

napi_value bn_error_to_js(bn_home *home, const belay_error *error) {
  int code = 0;
  belay_value payload = belay_error_payload(error);
  napi_value arguments[6] = {NULL};
  const bn_reference_data *exception = bn_reference_in(payload, &code);
  if (exception && strcmp(belay_error_domain(error), domain) == 0) return bn_referred(exception);
  const belay_error *cause = belay_error_cause(error);
  napi_create_int32(home->env, belay_error_code(error), &arguments[0]);
  arguments[1] = text_of(home->env, belay_error_name(belay_error_code(error)), NAPI_AUTO_LENGTH);
  arguments[2] = text_of(home->env, belay_error_domain(error), NAPI_AUTO_LENGTH);
  arguments[3] = text_of(home->env, belay_error_message(error), NAPI_AUTO_LENGTH);
  arguments[4] = bn_to_js(home, payload, &code);
  if (!arguments[4]) napi_get_null(home->env, &arguments[4]); /* of another thread */
  if (cause) arguments[5] = bn_error_to_js(home, cause);
  else napi_get_undefined(home->env, &arguments[5]);
  return bn_run(home, bn_hook_of(home, BN_MAKE_ERROR), 6, arguments);
}

belay_error *bn_take_exception(bn_home *home) {
  napi_value exception = NULL;
  bool has_thrown = false;
  napi_is_exception_pending(home->env, &has_thrown);
  if (!has_thrown || napi_get_and_clear_last_exception(home->env, &exception) != napi_ok)
    return belay_error_create(BELAY_ECANCELED, NULL, "the environment is ending", belay_null(),
                              NULL);
  return bn_error_from_js(home, exception);
}
