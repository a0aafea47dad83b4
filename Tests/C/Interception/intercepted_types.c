/* Every type of argument and result, alone and mixed, through slots and invocations: each call has
   the same effect as a direct one. generate/types.awk generates the functions. */
#include "interfaces.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

static int the_context;

/* ---- what the functions were told ---- */
static uint64_t last_told;
static int tellings;
static void told(uint64_t h) { last_told = h, tellings++; }

typedef struct row {
  const char *name, *shape, *handler_shape;
  int count, has_context;
  belay_function function, handler;
  uint64_t (*call)(belay_function function, unsigned seed); /* a number made of the result */
  uint64_t (*look)(const belay_value *values);              /* a number made of what `sent` hears */
  void (*set)(belay_invocation *call, unsigned seed);
  uint64_t (*answer)(belay_value result);      /* as `call`, of a value; NULL for void */
  belay_value (*result)(uint64_t told);        /* the value that a responder answers */
} row;

/* ---- scalars: a number for the bytes, one made of a number, and values ---- */
static uint64_t mixed_bits(uint64_t x) {
  x = (x + 0x9E3779B97F4A7C15u) * 0xBF58476D1CE4E5B9u;
  x = (x ^ x >> 27) * 0x94D049BB133111EBu;
  return x ^ x >> 31;
}
static uint64_t bits_of(unsigned seed) {
  static const uint64_t special[] = {0, ~(uint64_t)0, (uint64_t)1 << 63, 0x8080808080808080u,
                                     0x7F7F7F7F7F7F7F7Fu};
  uint64_t bits = mixed_bits(seed);
  return bits % 4 == 0 ? special[bits / 4 % (sizeof special / sizeof *special)] : bits;
}
static uint64_t fold(uint64_t h, const void *data, size_t size) {
  const unsigned char *bytes = data;
  for (size_t i = 0; i < size; i++) h = (h ^ bytes[i]) * 0x100000001B3u;
  return h;
}

#define FOLDED(name, type, bytes) \
  static uint64_t fold_##name(uint64_t h, type v) { return fold(h, &v, bytes); }
#define INTEGER(name, type, kind, is_signed)                                        \
  FOLDED(name, type, sizeof v)                                                      \
  static type sample_##name(unsigned seed) { return (type)bits_of(seed); }          \
  static belay_value value_##name(type v) { return belay_##kind(v); }               \
  static type get_##name(belay_value value) {                                       \
    int64_t number = 0;                                                             \
    uint64_t large = 0;                                                             \
    CHECK_INT(belay_value_kind(value), belay_value_kind(belay_##kind(0)));          \
    if (is_signed) CHECK_INT(belay_value_get_int64(value, &number), 0);             \
    else CHECK_INT(belay_value_get_uint64(value, &large), 0);                       \
    return is_signed ? (type)number : (type)large;                                  \
  }
INTEGER(int8, int8_t, int8, 1)
INTEGER(uint8, uint8_t, uint8, 0)
INTEGER(int16, int16_t, int16, 1)
INTEGER(uint16, uint16_t, uint16, 0)
INTEGER(int32, int32_t, int32, 1)
INTEGER(uint32, uint32_t, uint32, 0)
INTEGER(int64, int64_t, int64, 1)
INTEGER(uint64, uint64_t, uint64, 0)
#if LONG_MAX == INT32_MAX
INTEGER(along, long, int32, 1)
INTEGER(ulong, unsigned long, uint32, 0)
#else
INTEGER(along, long, int64, 1)
INTEGER(ulong, unsigned long, uint64, 0)
#endif
#if SIZE_MAX == UINT32_MAX
INTEGER(size, size_t, uint32, 0)
INTEGER(ptrdiff, ptrdiff_t, int32, 1)
#else
INTEGER(size, size_t, uint64, 0)
INTEGER(ptrdiff, ptrdiff_t, int64, 1)
#endif

FOLDED(truth, bool, sizeof v)
static bool sample_truth(unsigned seed) { return mixed_bits(seed) & 1; }
static belay_value value_truth(bool v) { return belay_bool(v); }
static bool get_truth(belay_value value) {
  int number = 2;
  CHECK_INT(belay_value_kind(value), BELAY_KIND_BOOL);
  CHECK_INT(belay_value_get_bool(value, &number), 0);
  return number;
}

static double special_number(unsigned seed) {
  static const double special[] = {0, -0.0, INFINITY, -INFINITY, 5e-324, 1e-45, NAN};
  uint64_t bits = mixed_bits(seed);
  if (bits % 4 == 0) return special[bits / 4 % (sizeof special / sizeof *special)];
  return (double)(int64_t)bits / 1048576;
}
FOLDED(float32, float, sizeof v)
static float sample_float32(unsigned seed) { return (float)special_number(seed); }
static belay_value value_float32(float v) { return belay_float(v); }
static float get_float32(belay_value value) {
  float number = 0;
  CHECK_INT(belay_value_kind(value), BELAY_KIND_FLOAT);
  CHECK_INT(belay_value_get_float(value, &number), 0);
  return number;
}
FOLDED(float64, double, sizeof v)
static double sample_float64(unsigned seed) { return special_number(seed); }
static belay_value value_float64(double v) { return belay_double(v); }
static double get_float64(belay_value value) {
  double number = 0;
  CHECK_INT(belay_value_kind(value), BELAY_KIND_DOUBLE);
  CHECK_INT(belay_value_get_double(value, &number), 0);
  return number;
}
/* A long double of the x87 has 80 bits; the bytes behind them are not part of the number. */
FOLDED(longdouble, long double, LDBL_MANT_DIG == 64 ? 10 : sizeof v)
static long double sample_longdouble(unsigned seed) { return special_number(seed) / 3.0L; }
static belay_value value_longdouble(long double v) {
  return belay_struct("long double", &v, sizeof v);
}
static long double get_longdouble(belay_value value) {
  long double number = 0;
  CHECK_INT(belay_value_get_struct(value, "long double", &number, sizeof number), 0);
  return number;
}

static uint64_t fold_pointer(uint64_t h, const void *v) { return fold(h, &v, sizeof v); }
static void *sample_pointer(unsigned seed) {
  static char somewhere[64];
  return seed % 5 == 0 ? NULL : somewhere + seed % 64;
}
static belay_value value_pointer(void *v) { return belay_pointer(v); }
static void *get_pointer(belay_value value) {
  void *pointer = NULL;
  if (belay_value_kind(value) != BELAY_KIND_NULL)
    CHECK_INT(belay_value_get_pointer(value, &pointer), 0);
  return pointer;
}

/* Strings are compared by their text, for a value has a copy. */
static uint64_t fold_text(uint64_t h, const char *v) {
  return v ? fold(h, v, strlen(v) + 1) : fold(h, "NULL", 4);
}
static const char *sample_text(unsigned seed) {
  static const char *const texts[] = {"", "text", "größer", "\xFF\xFE no UTF-8", NULL,
                                      "one that is longer than what a small buffer has room for"};
  return texts[mixed_bits(seed) % (sizeof texts / sizeof *texts)];
}
static belay_value value_text(const char *v) {
  if (!v) return belay_null();
  return strchr(v, '\xFF') ? belay_bytes(v, strlen(v)) : belay_string(v);
}
static const char *get_text(belay_value value) {
  belay_view view = {NULL, 0};
  if (belay_value_kind(value) == BELAY_KIND_NULL) return NULL;
  CHECK_INT(belay_value_get_bytes(value, &view), 0);
  CHECK_INT(strlen(view.data), view.size);
  return view.data;
}

#include "types.h" /* generated */

/* ---- the ways to call ---- */

static const row *current;
static unsigned current_seed;
static uint64_t expected_told, expected_answer;

static void same(const char *what, uint64_t found, uint64_t expected) {
  if (found != expected)
    check_failed(__FILE__, __LINE__, "%s, shape %s, seed %u: %s", current->name, current->shape,
                 current_seed, what);
}
static void called(const char *how, belay_function function, int times) {
  tellings = 0;
  last_told = 0;
  uint64_t answer = current->call(function, current_seed);
  same(how, answer, expected_answer);
  same(how, last_told, expected_told);
  same(how, (uint64_t)tellings, (uint64_t)times);
}

static int heard;
static void look(belay_value array, int has_result) {
  belay_value values[13];
  size_t count = belay_value_count(array);
  has_result = has_result && current->answer;
  CHECK_INT(count, current->count + has_result);
  for (size_t i = 0; i < count; i++) CHECK_INT(belay_value_get_item(array, i, values + i), 0);
  same("the arguments' values", current->look(values), expected_told);
  if (has_result) same("the result's value", current->answer(values[count - 1]), expected_answer);
  heard++;
}
static void sent(void *ctx, belay_value array) { look(array, 0); }
static void invoked(void *ctx, belay_value array) { look(array, 1); }
static belay_disposable *listen(belay_signal *signal, void (*next)(void *, belay_value)) {
  belay_observer observer = {.size = sizeof observer, .next = next};
  belay_disposable *subscription = NULL;
  CHECK_INT(belay_signal_subscribe(signal, &observer, &subscription), 0);
  belay_signal_release(signal);
  return subscription;
}

/* Takes every argument out as a value and puts it in again. */
static int copying(void *ctx, belay_invocation *call) {
  CHECK_INT(belay_invocation_count(call), current->count);
  for (size_t i = 0; i < (size_t)current->count; i++) {
    belay_value value;
    CHECK_INT(belay_invocation_get(call, i, &value), 0);
    CHECK_INT(belay_invocation_set(call, i, value), 0);
  }
  if (current->has_context) {
    CHECK(belay_invocation_context(call) == &the_context);
    CHECK_INT(belay_invocation_set_context(call, &the_context), 0);
  }
  CHECK_INT(belay_invocation_proceed(call), 0);
  CHECK_INT(belay_invocation_set_result(call, belay_invocation_result(call)), 0);
  return 0;
}
static belay_value responding(void *ctx, belay_invocation *call) {
  told(expected_told);
  return current->result ? current->result(expected_told) : belay_null();
}

static int install(void *object, const void *table) {
  *(const void **)object = table;
  return 0;
}
static belay_interface *described_row(const row *it, belay_method *method) {
  *method = (belay_method){sizeof(belay_method), "it", 0, it->shape, 0};
  belay_interface *made = belay_interface_create(&(belay_interface_description){
      .size = sizeof(belay_interface_description),
      .name = it->name,
      .table_size = sizeof(belay_function),
      .methods = method,
      .method_count = 1,
      .table_offset = BELAY_NO_TABLE,
      .install = install,
  });
  if (!made)
    check_failed(__FILE__, __LINE__, "%s: %s", it->name, belay_error_message(belay_last_error()));
  return made;
}

/* Tries the row's function with some arguments; `table` has the function. */
typedef void player(belay_interface *interface, belay_slot *slot, belay_function *table);
static void with_arguments(player *play, belay_interface *interface, belay_slot *slot,
                           belay_function *table) {
  unsigned first = (unsigned)(current - rows) * 100;
  CHECK(slot != NULL);
  for (current_seed = first; current_seed < first + 5; current_seed++) {
    expected_answer = current->call(current->function, current_seed);
    expected_told = last_told;
    play(interface, slot, table);
    CHECK(*table == current->function);
  }
  belay_slot_release(slot);
}

/* Runs `play` for each row, with a table in memory. */
static void each(player *play) {
  for (current = rows; current < rows + sizeof rows / sizeof *rows; current++) {
    belay_method method;
    belay_interface *interface = described_row(current, &method);
    belay_function table = current->function;
    with_arguments(play, interface, belay_slot_create_in_table(interface, &table, "it", 0), &table);
    CHECK_INT(belay_table_gone(&table), 0);
    belay_interface_release(interface);
  }
}

/* The same with the table of a proxy that forwards to the row's function. */
static void each_proxied(player *play) {
  for (current = rows; current < rows + sizeof rows / sizeof *rows; current++) {
    belay_method method;
    belay_interface *interface = described_row(current, &method);
    belay_function behind = current->function;
    belay_function *object = NULL;
    belay_owner *owner = belay_owner_create(&object, NULL, NULL, NULL);
    belay_proxy *proxy = belay_proxy_create(owner, interface);
    CHECK(proxy != NULL);
    CHECK_INT(belay_proxy_forward_to(proxy, &behind, NULL), 0);
    with_arguments(play, interface, belay_slot_create_in_proxy(proxy, "it"), object);
    belay_proxy_release(proxy);
    belay_owner_release(owner);
    belay_interface_release(interface);
  }
}

static void listened(belay_interface *interface, belay_slot *slot, belay_function *table) {
  heard = 0;
  belay_disposable *before = listen(belay_slot_sent(slot), sent);
  CHECK(*table != current->function);
  called("with a listener", *table, 1);
  belay_disposable *after = listen(belay_slot_invoked(slot), invoked);
  called("with two listeners", *table, 1);
  CHECK_INT(heard, 3);
  belay_function ours = *table;
  end_subscription(before);
  end_subscription(after);
  called("with nobody any more", ours, 1);
}
static void arguments_and_results_are_the_same_with_listeners(void) { each(listened); }

static void went_on(belay_interface *interface, belay_slot *slot, belay_function *table) {
  belay_disposable *around, *inner;
  CHECK_INT(belay_slot_around(slot, proceed, NULL, NULL, &around), 0);
  called("around", *table, 1);
  CHECK_INT(belay_slot_around(slot, copying, NULL, NULL, &inner), 0);
  called("around, by values", *table, 1);
  end_subscription(around);
  end_subscription(inner);
}
static void arguments_and_results_are_the_same_around(void) { each(went_on); }

static void connected(belay_interface *interface, belay_slot *slot, belay_function *table) {
  belay_disposable *connection, *around;
  CHECK_INT(belay_slot_connect(slot, current->handler_shape, current->handler, &the_context, NULL,
                               &connection),
            0);
  called("connected", *table, 2);
  CHECK_INT(belay_slot_around(slot, proceed, NULL, NULL, &around), 0);
  called("connected, and around", *table, 2);
  end_subscription(connection);
  end_subscription(around);
}
static void arguments_are_the_same_for_connections(void) { each(connected); }

static void responded(belay_interface *interface, belay_slot *slot, belay_function *table) {
  *table = NULL;
  belay_disposable *responder;
  CHECK_INT(belay_slot_respond(slot, responding, NULL, NULL, &responder), 0);
  called("by a responder", *table, 1);
  end_subscription(responder);
  CHECK(*table == NULL);
  *table = current->function;
}
static void results_are_the_same_from_responders(void) { each(responded); }

static void invoked_by_values(belay_interface *interface, belay_slot *slot, belay_function *table) {
  belay_invocation *call = belay_invocation_create(interface, "it");
  CHECK(call != NULL);
  current->set(call, current_seed);
  if (current->has_context) CHECK_INT(belay_invocation_set_context(call, &the_context), 0);
  for (int i = 0; i < 2; i++) {
    tellings = 0;
    CHECK_INT(belay_invocation_call(call, current->function), 0);
    same("by an invocation", last_told, expected_told);
    CHECK_INT(tellings, 1);
    belay_value result = belay_invocation_result(call);
    if (current->answer) same("an invocation's result", current->answer(result), expected_answer);
    else CHECK_INT(belay_value_kind(result), BELAY_KIND_NULL);
    belay_value_release(result);
    CHECK_INT(belay_invocation_retain_arguments(call), 0);
  }
  belay_invocation_release(call);
}
static void arguments_and_results_are_the_same_by_invocations(void) { each(invoked_by_values); }

static void arguments_and_results_are_the_same_through_proxies(void) {
  each_proxied(listened);
  each_proxied(went_on);
  each_proxied(connected);
}

static const test_case cases[] = {
    CASE(arguments_and_results_are_the_same_through_proxies),
    CASE(arguments_and_results_are_the_same_with_listeners),
    CASE(arguments_and_results_are_the_same_around),
    CASE(arguments_are_the_same_for_connections),
    CASE(results_are_the_same_from_responders),
    CASE(arguments_and_results_are_the_same_by_invocations),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
