/* Values: 16 bytes, passed by value, of a kind that is known at run time.
 *
 * Ownership. A value that a callback receives is borrowed: it is valid until the callback returns.
 * A value that is passed to a Belay function, or that a callback returns, is given away, also when
 * the call fails. belay_value_retain() adds a reference to a borrowed value; for scalars it costs
 * nothing. The getters below borrow their argument.
 *
 * Threads. Values are immutable. Any thread may read, retain and release one.
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
  BELAY_KIND_FAILURE, /* the result of belay_value_failure(): how a callback fails */
  BELAY_KIND_STRING,  /* UTF-8 with a length, followed by a NUL */
  BELAY_KIND_BYTES,
  BELAY_KIND_STRUCT, /* a copy of a struct, with the name of its type */
  BELAY_KIND_ARRAY,  /* of values */
  BELAY_KIND_SIGNAL,
  BELAY_KIND_SUBSCRIBER,
  BELAY_KIND_DISPOSABLE,
  BELAY_KIND_BAG,
  BELAY_KIND_OWNER,
  BELAY_KIND_WEAK,
  BELAY_KIND_LOOP,
  BELAY_KIND_SCHEDULER,
  BELAY_KIND_ERROR,
  BELAY_KIND_STREAM
} belay_kind;

typedef struct belay_value {
  uint64_t payload_;
  uint64_t tag_;
} belay_value;

/* A string or a run of bytes that somebody else owns. */
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
/* Each makes a value of the kind that it is named after. */
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
/* Makes a value of a pointer that Belay carries and never follows or frees. The memory has to live
 * until the value has been delivered. If the call that sends the value returns BELAY_QUEUED, the
 * delivery happens after the call.
 */
static inline belay_value belay_pointer(const void *p) {
  return belay_scalar_((uint64_t)(uintptr_t)p, BELAY_KIND_POINTER);
}

/* ---- boxed values: copied; release them, or give them away ----
   When the caller asks for more memory than there is, the result is the failure value BELAY_ENOMEM;
   for more than 2^40 bytes, BELAY_EINVAL. */

/* Copies a NUL-terminated string. NULL gives the null value. Text that is not UTF-8 gives the
   failure value BELAY_EILSEQ: use belay_bytes() for it. */
BELAY_EXPORT belay_value belay_string(const char *text);
/* Does the same for `size` bytes, which may contain NULs. */
BELAY_EXPORT belay_value belay_string_n(const char *text, size_t size);
/* Copies bytes. NULL with a size other than 0 gives the failure value BELAY_EINVAL. */
BELAY_EXPORT belay_value belay_bytes(const void *data, size_t size);
/* Copies a struct. `type` is its name, a static string. The name is compared when the struct is
   read. */
BELAY_EXPORT belay_value belay_struct(const char *type, const void *data, size_t size);
#define BELAY_STRUCT(type, pointer) belay_struct(#type, (pointer), sizeof(type))
/* Makes a value of a pointer with a destructor. `destroy` runs once, when the last reference to the
   value is released, on the thread that releases it. */
BELAY_EXPORT belay_value belay_pointer_owned(void *p, belay_free_fn destroy);
/* Does the same, and names the type of the memory. `type` is a static string that is compared when
   the pointer is read, so that a reader cannot take it for something else. A NULL `type` makes this
   belay_pointer_owned(). */
BELAY_EXPORT belay_value belay_pointer_typed(const char *type, void *p, belay_free_fn destroy);
/* Does the same for a pointer that only one thread may use. `destroy` runs once, on the thread of
   `loop`: at once when the last reference is released there, else at its next turn, and at the
   latest when that handle is closed. The pointer can be read only on that thread: elsewhere reading
   returns BELAY_EWRONGTHREAD, and after the close BELAY_ECLOSED. `type` may be NULL. Any thread. A
   closed loop gives the failure value BELAY_ECLOSED, and NULL gives BELAY_EINVAL; `destroy` has run
   then. */
BELAY_EXPORT belay_value belay_pointer_at(belay_loop *loop, const char *type, void *p,
                                          belay_free_fn destroy);
/* Makes an array of `count` values. Takes over each of them. (belay_value_get_item() reads one.) */
BELAY_EXPORT belay_value belay_array_of(const belay_value *items, size_t count);

/* Makes a value of a handle. Retains the handle and takes nothing over. NULL gives the null
   value. */
BELAY_EXPORT belay_value belay_value_from_signal(belay_signal *handle);
BELAY_EXPORT belay_value belay_value_from_subscriber(belay_subscriber *handle);
BELAY_EXPORT belay_value belay_value_from_disposable(belay_disposable *handle);
BELAY_EXPORT belay_value belay_value_from_bag(belay_bag *handle);
BELAY_EXPORT belay_value belay_value_from_owner(belay_owner *handle);
BELAY_EXPORT belay_value belay_value_from_weak(belay_weak *handle);
BELAY_EXPORT belay_value belay_value_from_loop(belay_loop *handle);
BELAY_EXPORT belay_value belay_value_from_scheduler(belay_scheduler *handle);
BELAY_EXPORT belay_value belay_value_from_error(const belay_error *handle);
BELAY_EXPORT belay_value belay_value_from_stream(belay_stream *stream);

/* Makes the value that a callback returns when it cannot return another one. The error event then
   carries `code` (negative; anything else becomes BELAY_EINVAL) and a copy of `message` (may be
   NULL). Elsewhere it is an ordinary value of kind BELAY_KIND_FAILURE. */
BELAY_EXPORT belay_value belay_value_failure(int code, const char *message);
/* Does the same with an error, which may also have a payload or a cause. Retains `error`. NULL is
   belay_value_failure(BELAY_EINVAL, NULL). */
BELAY_EXPORT belay_value belay_value_failure_with(const belay_error *error);

/* ---- life ---- */

/* Adds a reference to `v` and returns `v`. */
BELAY_EXPORT belay_value belay_value_retain(belay_value v);
/* Gives a reference back. */
BELAY_EXPORT void belay_value_release(belay_value v);

/* ---- reading: each borrows `v` ---- */

/* Returns the kind of `v`. */
BELAY_EXPORT belay_kind belay_value_kind(belay_value v);
/* Returns the name of a kind: "int32", "string", …; "unknown" for a number that is not a kind.
   Static. */
BELAY_EXPORT const char *belay_kind_name(belay_kind kind);

/* Each stores the value into `out` (may be NULL) and returns 0. Returns BELAY_EKIND when the value
   is of another kind, and BELAY_ERANGE when it does not fit; `out` is then unchanged. An integer
   converts to any integer type that can hold it, and to double while that is exact. A float
   converts to double. Nothing else converts. */
BELAY_EXPORT int belay_value_get_bool(belay_value v, int *out);
BELAY_EXPORT int belay_value_get_int32(belay_value v, int32_t *out);
BELAY_EXPORT int belay_value_get_int64(belay_value v, int64_t *out);
BELAY_EXPORT int belay_value_get_uint32(belay_value v, uint32_t *out);
BELAY_EXPORT int belay_value_get_uint64(belay_value v, uint64_t *out);
BELAY_EXPORT int belay_value_get_float(belay_value v, float *out);
BELAY_EXPORT int belay_value_get_double(belay_value v, double *out);
BELAY_EXPORT int belay_value_get_pointer(belay_value v, void **out);
/* Stores the pointer of belay_pointer_typed(). It lives as long as the value. BELAY_EKIND when the
   type's name differs, and for any other pointer; BELAY_EINVAL for a NULL `type`. */
BELAY_EXPORT int belay_value_get_typed(belay_value v, const char *type, void **out);
/* Stores the text of a string. It lives as long as the value, and a NUL follows it. */
BELAY_EXPORT int belay_value_get_string(belay_value v, belay_view *out);
/* Stores bytes, or the bytes of a string. They live as long as the value. */
BELAY_EXPORT int belay_value_get_bytes(belay_value v, belay_view *out);
/* Copies a struct into `out`. BELAY_EKIND when the type's name differs; BELAY_ERANGE when the size
   differs. */
BELAY_EXPORT int belay_value_get_struct(belay_value v, const char *type, void *out, size_t size);
#define BELAY_VALUE_GET_STRUCT(v, type, out) \
  belay_value_get_struct((v), #type, (out), sizeof(type))
/* Returns the number of items of an array; 0 for any other kind. */
BELAY_EXPORT size_t belay_value_count(belay_value v);
/* Stores an item of an array, borrowed from the array. BELAY_EKIND for any other kind; BELAY_ERANGE
   past the end. */
BELAY_EXPORT int belay_value_get_item(belay_value v, size_t index, BELAY_BORROWS belay_value *out);
/* Each returns the handle in the value, borrowed from the value. For another kind each returns NULL
   and records BELAY_EKIND. */
BELAY_EXPORT belay_signal *belay_value_get_signal(belay_value v);
BELAY_EXPORT belay_subscriber *belay_value_get_subscriber(belay_value v);
BELAY_EXPORT belay_disposable *belay_value_get_disposable(belay_value v);
BELAY_EXPORT belay_bag *belay_value_get_bag(belay_value v);
BELAY_EXPORT belay_owner *belay_value_get_owner(belay_value v);
BELAY_EXPORT belay_weak *belay_value_get_weak(belay_value v);
BELAY_EXPORT belay_loop *belay_value_get_loop(belay_value v);
BELAY_EXPORT belay_scheduler *belay_value_get_scheduler(belay_value v);
BELAY_EXPORT const belay_error *belay_value_get_error(belay_value v);
BELAY_EXPORT belay_stream *belay_value_get_stream(belay_value v);

/* ---- asking and trying: these record no failure ---- */

static inline int belay_is_(belay_value v, belay_kind kind) { return v.tag_ == (uint64_t)kind; }
/* Each returns 1 when the value is of that kind, else 0. Nothing converts. */
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
static inline int belay_value_is_stream(belay_value v) {
  return belay_value_kind(v) == BELAY_KIND_STREAM;
}

/* Reads a value like the getter of `kind`, without recording a failure. Returns 0 and stores into
   `out` (may be NULL, to ask only). Returns BELAY_EKIND or BELAY_ERANGE, and `out` is unchanged.
   Returns BELAY_EINVAL for a number that is not a kind. Values convert as in that getter. `out` has
   the type that it has there: the number type of that name, or a `belay_view` for a string and for
   bytes. For a handle it points to a pointer, and the handle is borrowed from the value. Nothing is
   stored for null, a failure, a struct and an array. */
BELAY_EXPORT int belay_value_try(belay_value v, belay_kind kind, void *out);
/* Each does the same for belay_value_get_typed(), belay_value_get_struct() or
   belay_value_get_item(). */
BELAY_EXPORT int belay_value_try_typed(belay_value v, const char *type, void **out);
BELAY_EXPORT int belay_value_try_struct(belay_value v, const char *type, void *out, size_t size);
BELAY_EXPORT int belay_value_try_item(belay_value v, size_t index, BELAY_BORROWS belay_value *out);
/* Each does the same for one kind. An int64, a double, and a pointer without a destructor are read
   without a call. Each is a function of its own, so that the compiler checks the type of `out`. */
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
static inline int belay_value_try_stream(belay_value v, belay_stream **out) {
  return belay_value_try(v, BELAY_KIND_STREAM, out);
}

/* Returns 1 when both values are of one kind and equal, else 0. Floats compare by ==, boxes by
   content, handles by identity; failures by code, domain and message. A box equals itself, even
   with a NaN inside. */
BELAY_EXPORT int belay_value_equal(belay_value a, belay_value b);

/* Writes a readable form of the value, cut to `size` bytes including its NUL (`buffer` may be
   NULL), and not within a character of UTF-8. A string is written as it is, also a NUL inside of
   it. After a million items of arrays the form ends with "…". Returns the length of the whole
   form. */
BELAY_EXPORT size_t belay_value_describe(belay_value v, char *buffer, size_t size);

BELAY_END

/* BELAY_VALUE(x): makes a value of a C expression, according to its type. Strings are copied. */
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
      belay_signal *: belay_value_from_signal, belay_subscriber *: belay_value_from_subscriber, \
      belay_disposable *: belay_value_from_disposable, belay_bag *: belay_value_from_bag,     \
      belay_owner *: belay_value_from_owner, belay_weak *: belay_value_from_weak,             \
      belay_loop *: belay_value_from_loop, belay_scheduler *: belay_value_from_scheduler,     \
      belay_error *: belay_value_from_error, const belay_error *: belay_value_from_error,     \
      belay_stream *: belay_value_from_stream)(x)
#endif

#endif
