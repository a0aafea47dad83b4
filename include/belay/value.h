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
   value has been delivered, which is after the call that sends it where that answers BELAY_QUEUED.
 */
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
BELAY_EXPORT belay_value belay_value_from_signal(belay_signal *handle);
BELAY_EXPORT belay_value belay_value_from_subscriber(belay_subscriber *handle);
BELAY_EXPORT belay_value belay_value_from_disposable(belay_disposable *handle);
BELAY_EXPORT belay_value belay_value_from_bag(belay_bag *handle);
BELAY_EXPORT belay_value belay_value_from_owner(belay_owner *handle);
BELAY_EXPORT belay_value belay_value_from_weak(belay_weak *handle);
BELAY_EXPORT belay_value belay_value_from_loop(belay_loop *handle);
BELAY_EXPORT belay_value belay_value_from_scheduler(belay_scheduler *handle);
BELAY_EXPORT belay_value belay_value_from_error(const belay_error *handle);

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

/* Each stores into `out` (may be NULL) and returns 0; BELAY_EKIND when the value is
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
BELAY_EXPORT int belay_value_get_item(belay_value v, size_t index, BELAY_BORROWS belay_value *out);
/* The handle inside, borrowed from the value; NULL, and BELAY_EKIND recorded, for another kind. */
BELAY_EXPORT belay_signal *belay_value_get_signal(belay_value v);
BELAY_EXPORT belay_subscriber *belay_value_get_subscriber(belay_value v);
BELAY_EXPORT belay_disposable *belay_value_get_disposable(belay_value v);
BELAY_EXPORT belay_bag *belay_value_get_bag(belay_value v);
BELAY_EXPORT belay_owner *belay_value_get_owner(belay_value v);
BELAY_EXPORT belay_weak *belay_value_get_weak(belay_value v);
BELAY_EXPORT belay_loop *belay_value_get_loop(belay_value v);
BELAY_EXPORT belay_scheduler *belay_value_get_scheduler(belay_value v);
BELAY_EXPORT const belay_error *belay_value_get_error(belay_value v);

/* ---- asking and trying: nothing here records a failure ---- */

static inline int belay_is_(belay_value v, belay_kind kind) { return v.tag_ == (uint64_t)kind; }
/* 1 when the value is of that kind, else 0. Nothing converts. */
static inline int belay_value_is_null(belay_value v) { return belay_is_(v, BELAY_KIND_NULL); }
static inline int belay_value_is_bool(belay_value v) { return belay_is_(v, BELAY_KIND_BOOL); }
static inline int belay_value_is_int8(belay_value v) { return belay_is_(v, BELAY_KIND_INT8); }
static inline int belay_value_is_int16(belay_value v) { return belay_is_(v, BELAY_KIND_INT16); }
static inline int belay_value_is_int32(belay_value v) { return belay_is_(v, BELAY_KIND_INT32); }
static inline int belay_value_is_int64(belay_value v) { return belay_is_(v, BELAY_KIND_INT64); }
static inline int belay_value_is_uint8(belay_value v) { return belay_is_(v, BELAY_KIND_UINT8); }
static inline int belay_value_is_uint16(belay_value v) { return belay_is_(v, BELAY_KIND_UINT16); }
static inline int belay_value_is_uint32(belay_value v) { return belay_is_(v, BELAY_KIND_UINT32); }
static inline int belay_value_is_uint64(belay_value v) { return belay_is_(v, BELAY_KIND_UINT64); }
static inline int belay_value_is_float(belay_value v) { return belay_is_(v, BELAY_KIND_FLOAT); }
static inline int belay_value_is_double(belay_value v) { return belay_is_(v, BELAY_KIND_DOUBLE); }
static inline int belay_value_is_pointer(belay_value v) {
  return belay_value_kind(v) == BELAY_KIND_POINTER;
}
static inline int belay_value_is_failure(belay_value v) {
  return belay_value_kind(v) == BELAY_KIND_FAILURE;
}
static inline int belay_value_is_string(belay_value v) {
  return belay_value_kind(v) == BELAY_KIND_STRING;
}
static inline int belay_value_is_bytes(belay_value v) {
  return belay_value_kind(v) == BELAY_KIND_BYTES;
}
static inline int belay_value_is_struct(belay_value v) {
  return belay_value_kind(v) == BELAY_KIND_STRUCT;
}
static inline int belay_value_is_array(belay_value v) {
  return belay_value_kind(v) == BELAY_KIND_ARRAY;
}
static inline int belay_value_is_signal(belay_value v) {
  return belay_value_kind(v) == BELAY_KIND_SIGNAL;
}
static inline int belay_value_is_subscriber(belay_value v) {
  return belay_value_kind(v) == BELAY_KIND_SUBSCRIBER;
}
static inline int belay_value_is_disposable(belay_value v) {
  return belay_value_kind(v) == BELAY_KIND_DISPOSABLE;
}
static inline int belay_value_is_bag(belay_value v) {
  return belay_value_kind(v) == BELAY_KIND_BAG;
}
static inline int belay_value_is_owner(belay_value v) {
  return belay_value_kind(v) == BELAY_KIND_OWNER;
}
static inline int belay_value_is_weak(belay_value v) {
  return belay_value_kind(v) == BELAY_KIND_WEAK;
}
static inline int belay_value_is_loop(belay_value v) {
  return belay_value_kind(v) == BELAY_KIND_LOOP;
}
static inline int belay_value_is_scheduler(belay_value v) {
  return belay_value_kind(v) == BELAY_KIND_SCHEDULER;
}
static inline int belay_value_is_error(belay_value v) {
  return belay_value_kind(v) == BELAY_KIND_ERROR;
}

/* Answers what the getter of that kind answers, without recording a failure: 0, and stores into `out`
   (may be NULL, to ask only); BELAY_EKIND or BELAY_ERANGE, and `out` is unchanged; BELAY_EINVAL for a
   kind that is none. It converts as that getter does. `out` points to what it points to there: the
   type of that name for a number, a `belay_view` for a string and for bytes; for a handle it points
   to a pointer to one, borrowed from the value. Nothing is stored for null, a failure, a struct and
   an array. */
BELAY_EXPORT int belay_value_try(belay_value v, belay_kind kind, void *out);
/* The same for what belay_value_get_typed(), _get_struct() and _get_item() read. */
BELAY_EXPORT int belay_value_try_typed(belay_value v, const char *type, void **out);
BELAY_EXPORT int belay_value_try_struct(belay_value v, const char *type, void *out, size_t size);
BELAY_EXPORT int belay_value_try_item(belay_value v, size_t index, belay_value *out);
/* The same for each kind. What is an int64, a double, or a pointer without a destructor is read
   without a call. */
static inline int belay_value_try_bool(belay_value v, int *out) {
  return belay_value_try(v, BELAY_KIND_BOOL, out);
}
static inline int belay_value_try_int8(belay_value v, int8_t *out) {
  return belay_value_try(v, BELAY_KIND_INT8, out);
}
static inline int belay_value_try_int16(belay_value v, int16_t *out) {
  return belay_value_try(v, BELAY_KIND_INT16, out);
}
static inline int belay_value_try_int32(belay_value v, int32_t *out) {
  return belay_value_try(v, BELAY_KIND_INT32, out);
}
static inline int belay_value_try_int64(belay_value v, int64_t *out) {
  if (out && v.tag_ == (uint64_t)BELAY_KIND_INT64) return *out = (int64_t)v.payload_, 0;
  return belay_value_try(v, BELAY_KIND_INT64, out);
}
static inline int belay_value_try_uint8(belay_value v, uint8_t *out) {
  return belay_value_try(v, BELAY_KIND_UINT8, out);
}
static inline int belay_value_try_uint16(belay_value v, uint16_t *out) {
  return belay_value_try(v, BELAY_KIND_UINT16, out);
}
static inline int belay_value_try_uint32(belay_value v, uint32_t *out) {
  return belay_value_try(v, BELAY_KIND_UINT32, out);
}
static inline int belay_value_try_uint64(belay_value v, uint64_t *out) {
  return belay_value_try(v, BELAY_KIND_UINT64, out);
}
static inline int belay_value_try_float(belay_value v, float *out) {
  return belay_value_try(v, BELAY_KIND_FLOAT, out);
}
static inline int belay_value_try_double(belay_value v, double *out) {
  if (out && v.tag_ == (uint64_t)BELAY_KIND_DOUBLE)
    return memcpy(out, &v.payload_, sizeof *out), 0;
  return belay_value_try(v, BELAY_KIND_DOUBLE, out);
}
static inline int belay_value_try_pointer(belay_value v, void **out) {
  if (out && v.tag_ == (uint64_t)BELAY_KIND_POINTER)
    return *out = (void *)(uintptr_t)v.payload_, 0;
  return belay_value_try(v, BELAY_KIND_POINTER, out);
}
static inline int belay_value_try_string(belay_value v, belay_view *out) {
  return belay_value_try(v, BELAY_KIND_STRING, out);
}
static inline int belay_value_try_bytes(belay_value v, belay_view *out) {
  return belay_value_try(v, BELAY_KIND_BYTES, out);
}
static inline int belay_value_try_signal(belay_value v, belay_signal **out) {
  return belay_value_try(v, BELAY_KIND_SIGNAL, out);
}
static inline int belay_value_try_subscriber(belay_value v, belay_subscriber **out) {
  return belay_value_try(v, BELAY_KIND_SUBSCRIBER, out);
}
static inline int belay_value_try_disposable(belay_value v, belay_disposable **out) {
  return belay_value_try(v, BELAY_KIND_DISPOSABLE, out);
}
static inline int belay_value_try_bag(belay_value v, belay_bag **out) {
  return belay_value_try(v, BELAY_KIND_BAG, out);
}
static inline int belay_value_try_owner(belay_value v, belay_owner **out) {
  return belay_value_try(v, BELAY_KIND_OWNER, out);
}
static inline int belay_value_try_weak(belay_value v, belay_weak **out) {
  return belay_value_try(v, BELAY_KIND_WEAK, out);
}
static inline int belay_value_try_loop(belay_value v, belay_loop **out) {
  return belay_value_try(v, BELAY_KIND_LOOP, out);
}
static inline int belay_value_try_scheduler(belay_value v, belay_scheduler **out) {
  return belay_value_try(v, BELAY_KIND_SCHEDULER, out);
}
static inline int belay_value_try_error(belay_value v, const belay_error **out) {
  return belay_value_try(v, BELAY_KIND_ERROR, out);
}

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
      belay_signal *: belay_value_from_signal, belay_subscriber *: belay_value_from_subscriber,         \
      belay_disposable *: belay_value_from_disposable, belay_bag *: belay_value_from_bag,               \
      belay_owner *: belay_value_from_owner, belay_weak *: belay_value_from_weak,                       \
      belay_loop *: belay_value_from_loop, belay_scheduler *: belay_value_from_scheduler,               \
      belay_error *: belay_value_from_error, const belay_error *: belay_value_from_error)(x)
#endif

#endif
