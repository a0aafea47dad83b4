/* Values: 16 bytes, passed by value, of a kind that is known at run time.
 *
 * Ownership. A value that a callback receives is borrowed: it is valid until the callback
 * returns. A value passed to a Belay function, or returned by a callback, is given away, also
 * when the call fails. belay_value_retain() makes a second reference out of a borrowed one; for
 * scalars it costs nothing. The getters below borrow their argument.
 *
 * Threads. Values are immutable; any thread may read, retain and release one.
 *
 * The fields are private. Use the functions.
 */
#ifndef BELAY_VALUE_H
#define BELAY_VALUE_H

#include <string.h>

#include "base.h"

typedef enum belay_kind {
  BELAY_KIND_NULL = 0,
  BELAY_KIND_BOOL,
  BELAY_KIND_INT8,
  BELAY_KIND_INT16,
  BELAY_KIND_INT32,
  BELAY_KIND_INT64,
  BELAY_KIND_UINT8,
  BELAY_KIND_UINT16,
  BELAY_KIND_UINT32,
  BELAY_KIND_UINT64,
  BELAY_KIND_FLOAT,
  BELAY_KIND_DOUBLE,
  BELAY_KIND_POINTER, /* a pointer, with or without a destructor */
  BELAY_KIND_FAILURE, /* what belay_value_failure() makes: a callback's way to fail */
  BELAY_KIND_STRING,  /* UTF-8 with a length, and a NUL after it */
  BELAY_KIND_BYTES,
  BELAY_KIND_STRUCT, /* a copy of a struct, with its type's name */
  BELAY_KIND_ARRAY,  /* of values */
  BELAY_KIND_SIGNAL,
  BELAY_KIND_SUBSCRIBER,
  BELAY_KIND_DISPOSABLE,
  BELAY_KIND_BAG,
  BELAY_KIND_OWNER,
  BELAY_KIND_WEAK,
  BELAY_KIND_LOOP,
  BELAY_KIND_SCHEDULER,
  BELAY_KIND_ERROR
} belay_kind;

typedef struct belay_value {
  uint64_t payload_;
  uint64_t tag_;
} belay_value;

/* A string or a run of bytes that belongs to somebody else. */
typedef struct belay_view {
  const char *data;
  size_t size;
} belay_view;

BELAY_BEGIN

/* ---- scalars: nothing is allocated, nothing needs releasing ---- */

static inline belay_value belay_scalar_(uint64_t payload, belay_kind kind) {
  belay_value v;
  v.payload_ = payload;
  v.tag_ = (uint64_t)kind;
  return v;
}
static inline belay_value belay_null(void) { return belay_scalar_(0, BELAY_KIND_NULL); }
static inline belay_value belay_bool(int x) { return belay_scalar_(x != 0, BELAY_KIND_BOOL); }
static inline belay_value belay_int8(int8_t x) {
  return belay_scalar_((uint64_t)(int64_t)x, BELAY_KIND_INT8);
}
static inline belay_value belay_int16(int16_t x) {
  return belay_scalar_((uint64_t)(int64_t)x, BELAY_KIND_INT16);
}
static inline belay_value belay_int32(int32_t x) {
  return belay_scalar_((uint64_t)(int64_t)x, BELAY_KIND_INT32);
}
static inline belay_value belay_int64(int64_t x) {
  return belay_scalar_((uint64_t)x, BELAY_KIND_INT64);
}
static inline belay_value belay_uint8(uint8_t x) { return belay_scalar_(x, BELAY_KIND_UINT8); }
static inline belay_value belay_uint16(uint16_t x) { return belay_scalar_(x, BELAY_KIND_UINT16); }
static inline belay_value belay_uint32(uint32_t x) { return belay_scalar_(x, BELAY_KIND_UINT32); }
static inline belay_value belay_uint64(uint64_t x) { return belay_scalar_(x, BELAY_KIND_UINT64); }
static inline belay_value belay_float(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return belay_scalar_(bits, BELAY_KIND_FLOAT);
}
static inline belay_value belay_double(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return belay_scalar_(bits, BELAY_KIND_DOUBLE);
}
/* A pointer that Belay carries and never follows or frees. What it points to has to live until the
   value has been delivered, which is after the call that sends it where that answers BELAY_QUEUED. */
static inline belay_value belay_pointer(const void *p) {
  return belay_scalar_((uint64_t)(uintptr_t)p, BELAY_KIND_POINTER);
}

/* ---- boxed values: copied; release them, or give them away ----
   One that there is no memory for is the failure value BELAY_ENOMEM. */

/* Copies a NUL-terminated string. NULL gives the null value. Text that is not UTF-8 gives the
   failure value BELAY_EILSEQ: use belay_bytes() for it. */
BELAY_EXPORT belay_value belay_string(const char *text);
/* The same for `size` bytes, which may hold NULs. */
BELAY_EXPORT belay_value belay_string_n(const char *text, size_t size);
/* Copies bytes. NULL with a size other than 0 gives the failure value BELAY_EINVAL. */
BELAY_EXPORT belay_value belay_bytes(const void *data, size_t size);
/* Copies a struct. `type` is its name, a static string, and is compared when it is read back. */
BELAY_EXPORT belay_value belay_struct(const char *type, const void *data, size_t size);
#define BELAY_STRUCT(type, pointer) belay_struct(#type, (pointer), sizeof(type))
/* A pointer whose `destroy` runs, once, when the last reference to the value is released, on
   the thread that releases it. */
BELAY_EXPORT belay_value belay_pointer_owned(void *p, belay_free_fn destroy);
/* The same with the name of what it points to, a static string that is compared when it is read
   back: so whoever reads it knows what it is. A NULL `type` is belay_pointer_owned(). */
BELAY_EXPORT belay_value belay_pointer_typed(const char *type, void *p, belay_free_fn destroy);
/* The same for what one thread alone may touch: `destroy` runs, once, on the thread of `loop`, at
   once where the last reference is released there, else at its next turn; when that handle is
   closed, at the latest then. Only on that thread can the pointer be read: elsewhere
   BELAY_EWRONGTHREAD, and after the close BELAY_ECLOSED. `type` may be NULL. The failure value
   BELAY_ECLOSED for a loop that is closed, BELAY_EINVAL for NULL; `destroy` has run then. Any
   thread. */
BELAY_EXPORT belay_value belay_pointer_at(belay_loop *loop, const char *type, void *p,
                                          belay_free_fn destroy);
/* An array of `count` values; takes each of them over. */
BELAY_EXPORT belay_value belay_array_of(const belay_value *items, size_t count);

/* A handle as a value; keeps its own reference, takes nothing over. NULL gives the null value. */
BELAY_EXPORT belay_value belay_signal_value(belay_signal *handle);
BELAY_EXPORT belay_value belay_subscriber_value(belay_subscriber *handle);
BELAY_EXPORT belay_value belay_disposable_value(belay_disposable *handle);
BELAY_EXPORT belay_value belay_bag_value(belay_bag *handle);
BELAY_EXPORT belay_value belay_owner_value(belay_owner *handle);
BELAY_EXPORT belay_value belay_weak_value(belay_weak *handle);
BELAY_EXPORT belay_value belay_loop_value(belay_loop *handle);
BELAY_EXPORT belay_value belay_scheduler_value(belay_scheduler *handle);
BELAY_EXPORT belay_value belay_error_value(const belay_error *handle);

/* What a callback that must return a value returns when it cannot: the error event carries
   `code` (negative; anything else becomes BELAY_EINVAL) and a copy of `message` (may be NULL).
   Elsewhere it is an ordinary value of kind BELAY_KIND_FAILURE. */
BELAY_EXPORT belay_value belay_value_failure(int code, const char *message);
/* The same with an error that has more to tell, a value or a cause; keeps its own reference to it.
   NULL is belay_value_failure(BELAY_EINVAL, NULL). */
BELAY_EXPORT belay_value belay_value_failure_with(const belay_error *error);

/* ---- life ---- */

/* Another reference to `v`, which it returns. */
BELAY_EXPORT belay_value belay_value_retain(belay_value v);
/* Gives a reference back. */
BELAY_EXPORT void belay_value_release(belay_value v);

/* ---- reading: each borrows `v` ---- */

BELAY_EXPORT belay_kind belay_value_kind(belay_value v);
/* "int32", "string", …; "unknown" for a number that is no kind. Static. */
BELAY_EXPORT const char *belay_kind_name(belay_kind kind);

/* Each stores into `out` (may be NULL, to ask only) and returns 0; BELAY_EKIND when the value is
   of another kind, BELAY_ERANGE when it does not fit; `out` is then unchanged. Integers convert
   to any integer type that holds them and to double while exact; float converts to double.
   Nothing else converts. */
BELAY_EXPORT int belay_value_get_bool(belay_value v, int *out);
BELAY_EXPORT int belay_value_get_int32(belay_value v, int32_t *out);
BELAY_EXPORT int belay_value_get_int64(belay_value v, int64_t *out);
BELAY_EXPORT int belay_value_get_uint32(belay_value v, uint32_t *out);
BELAY_EXPORT int belay_value_get_uint64(belay_value v, uint64_t *out);
BELAY_EXPORT int belay_value_get_float(belay_value v, float *out);
BELAY_EXPORT int belay_value_get_double(belay_value v, double *out);
BELAY_EXPORT int belay_value_get_pointer(belay_value v, void **out);
/* What belay_pointer_typed() was given; BELAY_EKIND when the type's name differs, and for any other
   pointer; BELAY_EINVAL for a NULL `type`. It lives as long as the value. */
BELAY_EXPORT int belay_value_get_typed(belay_value v, const char *type, void **out);
/* For who reads many: 1 when the value is an int64, a double, or a pointer without a destructor,
   which is then stored; 0 for any other. Nothing converts or is recorded, and there is no call. */
static inline int belay_value_is_int64(belay_value v, int64_t *out) {
  if (v.tag_ != (uint64_t)BELAY_KIND_INT64) return 0;
  *out = (int64_t)v.payload_;
  return 1;
}
static inline int belay_value_is_double(belay_value v, double *out) {
  if (v.tag_ != (uint64_t)BELAY_KIND_DOUBLE) return 0;
  memcpy(out, &v.payload_, sizeof *out);
  return 1;
}
static inline int belay_value_is_pointer(belay_value v, void **out) {
  if (v.tag_ != (uint64_t)BELAY_KIND_POINTER) return 0;
  *out = (void *)(uintptr_t)v.payload_;
  return 1;
}
/* The text lives as long as the value; a NUL follows it. */
BELAY_EXPORT int belay_value_get_string(belay_value v, belay_view *out);
/* Bytes, or a string's bytes. They live as long as the value. */
BELAY_EXPORT int belay_value_get_bytes(belay_value v, belay_view *out);
/* Copies a struct into `out`; BELAY_EKIND when the type's name differs, BELAY_ERANGE when the
   size does. */
BELAY_EXPORT int belay_value_get_struct(belay_value v, const char *type, void *out, size_t size);
#define BELAY_VALUE_GET_STRUCT(v, type, out) \
  belay_value_get_struct((v), #type, (out), sizeof(type))
/* How many items an array has; 0 for any other kind. */
BELAY_EXPORT size_t belay_value_count(belay_value v);
/* An item of an array, borrowed from it. BELAY_ERANGE past the end. */
BELAY_EXPORT int belay_value_get_item(belay_value v, size_t index, belay_value *out);
/* The handle inside, borrowed from the value; NULL, and BELAY_EKIND recorded, for another kind. */
BELAY_EXPORT belay_signal *belay_value_signal(belay_value v);
BELAY_EXPORT belay_subscriber *belay_value_subscriber(belay_value v);
BELAY_EXPORT belay_disposable *belay_value_disposable(belay_value v);
BELAY_EXPORT belay_bag *belay_value_bag(belay_value v);
BELAY_EXPORT belay_owner *belay_value_owner(belay_value v);
BELAY_EXPORT belay_weak *belay_value_weak(belay_value v);
BELAY_EXPORT belay_loop *belay_value_loop(belay_value v);
BELAY_EXPORT belay_scheduler *belay_value_scheduler(belay_value v);
BELAY_EXPORT const belay_error *belay_value_error(belay_value v);

/* 1 when both are of one kind and equal (floats by ==, boxes by content, handles by identity),
   else 0. */
BELAY_EXPORT int belay_value_equal(belay_value a, belay_value b);

/* Writes a readable form, cut to `size` bytes with its NUL; returns the length of the whole. */
BELAY_EXPORT size_t belay_value_describe(belay_value v, char *buffer, size_t size);

BELAY_END

/* BELAY_VALUE(x): the value of a C expression, by its type. Strings are copied. */
#if defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L && !defined(__cplusplus)
static inline belay_value belay_same_(belay_value v) { return v; }
static inline belay_value belay_bool_(_Bool x) { return belay_bool(x); }
static inline belay_value belay_char_(char x) {
  return (char)-1 < 0 ? belay_int8((int8_t)x) : belay_uint8((uint8_t)x);
}
static inline belay_value belay_long_(long x) {
  return sizeof x == 4 ? belay_int32((int32_t)x) : belay_int64(x);
}
static inline belay_value belay_ulong_(unsigned long x) {
  return sizeof x == 4 ? belay_uint32((uint32_t)x) : belay_uint64(x);
}
static inline belay_value belay_llong_(long long x) { return belay_int64((int64_t)x); }
static inline belay_value belay_ullong_(unsigned long long x) { return belay_uint64((uint64_t)x); }
#define BELAY_VALUE(x)                                                                        \
  _Generic((x), _Bool: belay_bool_, char: belay_char_, signed char: belay_int8,               \
      short: belay_int16, int: belay_int32, long: belay_long_, long long: belay_llong_,       \
      unsigned char: belay_uint8, unsigned short: belay_uint16, unsigned int: belay_uint32,   \
      unsigned long: belay_ulong_, unsigned long long: belay_ullong_, float: belay_float,     \
      double: belay_double, char *: belay_string, const char *: belay_string,                 \
      void *: belay_pointer, const void *: belay_pointer, belay_value: belay_same_,           \
      belay_signal *: belay_signal_value, belay_subscriber *: belay_subscriber_value,         \
      belay_disposable *: belay_disposable_value, belay_bag *: belay_bag_value,               \
      belay_owner *: belay_owner_value, belay_weak *: belay_weak_value,                       \
      belay_loop *: belay_loop_value, belay_scheduler *: belay_scheduler_value,               \
      belay_error *: belay_error_value, const belay_error *: belay_error_value)(x)
#endif

#endif
