/* Another add-on, for the tests. Its threads send into a subject by the functions of the Belay inside
   the binding's add-on. Without any it listens to an exported signal. */
#define NAPI_VERSION 8
#include <belay/belay.h>
#include <belay/exchange.h>
#include <dlfcn.h>
#include <node_api.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { THREADS = 8 };

static int (*subject_next)(belay_signal *, belay_value);
static belay_value (*string)(const char *);
static void (*release)(belay_signal *);

typedef struct sender {
  pthread_t threads[THREADS];
  size_t thread_count;
  belay_signal *subject;
  int64_t count; /* of each thread; negative: until the subject refuses for good */
  int is_text;
  _Atomic int64_t accepted;
} sender;

static void *run(void *argument) {
  sender *self = argument;
  for (int64_t i = 0; i != self->count; i++) {
    int code;
    do {
      code = subject_next(self->subject, self->is_text ? string("text") : belay_double((double)i));
      if (code == BELAY_EAGAIN) nanosleep(&(struct timespec){0, 100000}, NULL); /* of many threads */
    } while (code == BELAY_EAGAIN);
    if (code < 0) break;
    self->accepted++;
  }
  return NULL;
}

/* start(path of the add-on, address, threads, count, text) -> an external */
static napi_value start(napi_env env, napi_callback_info info) {
  size_t argc = 5, size;
  napi_value arguments[5], made;
  char path[4096];
  uint64_t address = 0;
  bool is_exact, is_text;
  uint32_t threads;
  sender *self = calloc(1, sizeof *self);
  napi_get_cb_info(env, info, &argc, arguments, NULL, NULL);
  napi_get_value_string_utf8(env, arguments[0], path, sizeof path, &size);
  napi_get_value_bigint_uint64(env, arguments[1], &address, &is_exact);
  napi_get_value_uint32(env, arguments[2], &threads);
  napi_get_value_int64(env, arguments[3], &self->count);
  napi_get_value_bool(env, arguments[4], &is_text);
  void *library = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
  if (!library || threads > THREADS) {
    napi_throw_error(env, NULL, "the add-on is not loaded");
    return NULL;
  }
  *(void **)&subject_next = dlsym(library, "belay_subject_next");
  *(void **)&string = dlsym(library, "belay_string");
  *(void **)&release = dlsym(library, "belay_signal_release");
  self->subject = (belay_signal *)(uintptr_t)address;
  self->is_text = is_text;
  self->thread_count = threads;
  for (uint32_t i = 0; i < threads; i++) pthread_create(&self->threads[i], NULL, run, self);
  napi_create_external(env, self, NULL, NULL, &made);
  return made;
}

/* join(external) -> how many values were accepted */
static napi_value join(napi_env env, napi_callback_info info) {
  size_t argc = 1;
  napi_value argument, made;
  void *data;
  napi_get_cb_info(env, info, &argc, &argument, NULL, NULL);
  napi_get_value_external(env, argument, &data);
  sender *self = data;
  for (size_t i = 0; i < self->thread_count; i++) pthread_join(self->threads[i], NULL);
  release(self->subject);
  napi_create_int64(env, self->accepted, &made);
  free(self);
  return made;
}

/* ---- another copy's signal, by functions of C ---- */

typedef struct total {
  double sum;
  int32_t code; /* of the error; 1: completed */
  int releases;
} total;

/* The sum of an array's items, of bytes, or a number. */
static double sum_of(const belay_exchange_value *value) {
  double sum = 0;
  if (value->kind == BELAY_KIND_DOUBLE) memcpy(&sum, &value->bits, sizeof sum);
  for (size_t i = 0; i < value->size; i++) {
    if (value->kind == BELAY_KIND_BYTES) sum += ((const unsigned char *)value->data)[i];
    if (value->kind == BELAY_KIND_ARRAY) sum += sum_of((const belay_exchange_value *)value->data + i);
  }
  return sum;
}

static void add(void *ctx, const belay_exchange_value *value) {
  ((total *)ctx)->sum += sum_of(value);
}

static void fail(void *ctx, const belay_exchange_error *error) { ((total *)ctx)->code = error->code; }
static void complete(void *ctx) { ((total *)ctx)->code = 1; }
static void end(void *ctx) { ((total *)ctx)->releases++; }

/* total(an exported signal that ends at once) -> [the sum of its numbers, code, releases] */
static napi_value total_of(napi_env env, napi_callback_info info) {
  static const napi_type_tag tag = {0x62656c61795f6578, 0x6368616e67650001};
  size_t argc = 1;
  napi_value argument, made, number;
  bool is_exchange = false;
  void *data = NULL;
  napi_get_cb_info(env, info, &argc, &argument, NULL, NULL);
  napi_check_object_type_tag(env, argument, &tag, &is_exchange);
  if (!is_exchange || napi_get_value_external(env, argument, &data) != napi_ok) {
    napi_throw_type_error(env, NULL, "not an exported signal");
    return NULL;
  }
  const belay_exchange *exchange = data;
  total told = {0, 0, 0};
  belay_exchange_observer observer = {&told, add, fail, complete, end};
  belay_exchange_subscription subscription = {NULL, NULL, NULL};
  if (exchange->subscribe(exchange->signal, &observer, &subscription) == 0)
    subscription.release(subscription.object);
  double numbers[] = {told.sum, told.code, told.releases};
  napi_create_array(env, &made);
  for (uint32_t i = 0; i < 3; i++) {
    napi_create_double(env, numbers[i], &number);
    napi_set_element(env, made, i, number);
  }
  return made;
}

NAPI_MODULE_INIT() {
  napi_property_descriptor functions[] = {
      {"start", NULL, start, NULL, NULL, NULL, napi_default, NULL},
      {"join", NULL, join, NULL, NULL, NULL, napi_default, NULL},
      {"total", NULL, total_of, NULL, NULL, NULL, napi_default, NULL},
  };
  napi_define_properties(env, exports, 3, functions);
  return exports;
}
