/* The module's built-in functions: functions that send, which are called too often to go through
   cffi, and functions that give objects. They have the GIL; on_next keeps it, because it mostly
   calls Python. */
#include "internal.h"

static int may_block;

void pb_sending_may_block(void) { may_block = 1; }

typedef int (*send_fn)(void *target, belay_value value);

static int to_subject(void *target, belay_value value) { return belay_subject_next(target, value); }
static int to_subscriber(void *target, belay_value value) {
  return belay_subscriber_next(target, value);
}

/* The answer of a call as None or an exception. A value after an end is dropped, as in
   ReactiveX. */
static PyObject *answer(int code) {
  if (pb_raise_exit() < 0) return NULL;
  if (code >= 0) Py_RETURN_NONE;
  const belay_error *error = belay_last_error();
  if (code == BELAY_EENDED) Py_RETURN_NONE;
  PyObject *exception = pb_to_exception(error);
  if (exception) PyErr_SetObject((PyObject *)Py_TYPE(exception), exception);
  Py_XDECREF(exception);
  return NULL;
}

static int sent(send_fn send, void *target, belay_value value) {
  if (!may_block) return send(target, value);
  int code;
  Py_BEGIN_ALLOW_THREADS
  code = send(target, value);
  Py_END_ALLOW_THREADS
  return code;
}

static PyObject *send_one(send_fn send, PyObject *const *arguments, Py_ssize_t count) {
  void *target = count == 2 ? PyLong_AsVoidPtr(arguments[0]) : NULL;
  if (!target) return PyErr_BadArgument(), NULL;
  return answer(sent(send, target, pb_to_value(arguments[1])));
}

/* next(address, value) */
static PyObject *subject_next(PyObject *module, PyObject *const *arguments, Py_ssize_t count) {
  return send_one(to_subject, arguments, count);
}

static PyObject *subscriber_next(PyObject *module, PyObject *const *arguments, Py_ssize_t count) {
  return send_one(to_subscriber, arguments, count);
}

/* ---- many ---- */

enum { MANY = 256 };

typedef int (*send_batch_fn)(void *target, const belay_value *values, size_t count);

static int many_to_subject(void *target, const belay_value *values, size_t count) {
  return belay_subject_next_batch(target, values, count);
}
static int many_to_subscriber(void *target, const belay_value *values, size_t count) {
  return belay_subscriber_next_batch(target, values, count);
}

typedef struct batch {
  send_batch_fn send;
  void *target;
  belay_value values[MANY];
  size_t count;
  int code; /* the first failure */
} batch;

static void flush(batch *self) {
  int code;
  Py_BEGIN_ALLOW_THREADS
  code = self->send(self->target, self->values, self->count);
  Py_END_ALLOW_THREADS
  if (code < 0 && self->code >= 0) self->code = code;
  self->count = 0;
}

/* 0 when nothing more can be sent. */
static int add(batch *self, belay_value value) {
  self->values[self->count++] = value;
  if (self->count == MANY) flush(self);
  return self->code >= 0;
}

/* The item of an array that has this format's letter; null for other formats. */
static belay_value element(const char *at, char format) {
#define ELEMENT(letter, type, make) \
  case letter: {                    \
    type x;                         \
    memcpy(&x, at, sizeof x);       \
    return make(x);                 \
  }
  switch (format) {
    ELEMENT('b', signed char, belay_int64)
    ELEMENT('B', unsigned char, belay_int64)
    ELEMENT('h', short, belay_int64)
    ELEMENT('H', unsigned short, belay_int64)
    ELEMENT('i', int, belay_int64)
    ELEMENT('I', unsigned, belay_int64)
    ELEMENT('l', long, belay_int64)
    ELEMENT('q', long long, belay_int64)
    ELEMENT('L', unsigned long, belay_uint64)
    ELEMENT('Q', unsigned long long, belay_uint64)
    ELEMENT('f', float, belay_double)
    ELEMENT('d', double, belay_double)
    ELEMENT('?', unsigned char, belay_bool)
    default: return belay_null();
  }
#undef ELEMENT
}

/* 1 if `object` was an array in memory, which has been sent without making objects of its items. */
static int send_buffer(batch *self, PyObject *object) {
  Py_buffer view;
  if (PyObject_GetBuffer(object, &view, PyBUF_FORMAT | PyBUF_C_CONTIGUOUS) < 0) {
    PyErr_Clear();
    return 0;
  }
  const char *format = view.format ? view.format : "B";
  if (*format == '@') format++;
  int known = view.ndim == 1 && format[0] && !format[1] && strchr("bBhHiIlqLQfd?", format[0]);
  const char *at = view.buf, *end = at + view.len;
  for (; known && at < end; at += view.itemsize)
    if (!add(self, element(at, *format))) break;
  PyBuffer_Release(&view);
  return known;
}

/* The same for a range of int64s. */
static int send_range(batch *self, PyObject *object) {
  static const char *const names[] = {"start", "stop", "step"};
  int64_t parts[3];
  if (Py_TYPE(object) != &PyRange_Type) return 0;
  for (int i = 0; i < 3; i++) {
    PyObject *part = PyObject_GetAttrString(object, names[i]);
    parts[i] = part ? PyLong_AsLongLong(part) : -1;
    Py_XDECREF(part);
  }
  if (PyErr_Occurred()) return PyErr_Clear(), 0;
  for (int64_t i = parts[0]; parts[2] > 0 ? i < parts[1] : i > parts[1];) {
    if (!add(self, belay_int64(i)) || __builtin_add_overflow(i, parts[2], &i)) break;
  }
  return 1;
}

static int send_items(batch *self, PyObject *object) {
  PyObject *iterator = PyObject_GetIter(object), *item;
  if (!iterator) return -1;
  while ((item = PyIter_Next(iterator)) != NULL) {
    int goes_on = add(self, pb_to_value(item));
    Py_DECREF(item);
    if (!goes_on) break;
  }
  Py_DECREF(iterator);
  return PyErr_Occurred() ? -1 : 0;
}

/* An exception of the iterator comes after the values that it gave before. */
static PyObject *send_many(send_batch_fn send, PyObject *const *arguments, Py_ssize_t count) {
  batch *self = PyMem_Malloc(sizeof *self);
  if (!self) return PyErr_NoMemory();
  self->send = send;
  self->target = count == 2 ? PyLong_AsVoidPtr(arguments[0]) : NULL;
  self->count = 0, self->code = 0;
  int code = 0;
  if (!self->target) code = -1, PyErr_BadArgument();
  else if (!send_range(self, arguments[1]) && !send_buffer(self, arguments[1]))
    code = send_items(self, arguments[1]);
  PyObject *type, *exception, *traceback;
  PyErr_Fetch(&type, &exception, &traceback);
  if (self->count > 0) flush(self);
  PyErr_Restore(type, exception, traceback);
  PyObject *result = code < 0 ? NULL : answer(self->code);
  PyMem_Free(self);
  return result;
}

/* next_batch(address, values) */
static PyObject *subject_next_batch(PyObject *module, PyObject *const *arguments,
                                    Py_ssize_t count) {
  return send_many(many_to_subject, arguments, count);
}

static PyObject *subscriber_next_batch(PyObject *module, PyObject *const *arguments,
                                       Py_ssize_t count) {
  return send_many(many_to_subscriber, arguments, count);
}

/* raise_exit(): raises the exception that a callback could not pass on. */
static PyObject *raise_exit(PyObject *module, PyObject *unused) {
  if (pb_raise_exit() < 0) return NULL;
  Py_RETURN_NONE;
}

#define FAST(function) ((PyCFunction)(void (*)(void))(function))

PyMethodDef pb_methods[] = {
    {"next", FAST(subject_next), METH_FASTCALL, NULL},
    {"next_batch", FAST(subject_next_batch), METH_FASTCALL, NULL},
    {"subscriber_next", FAST(subscriber_next), METH_FASTCALL, NULL},
    {"subscriber_next_batch", FAST(subscriber_next_batch), METH_FASTCALL, NULL},
    {"load", pb_load, METH_O, NULL},
    {"exception", pb_exception, METH_O, NULL},
    {"raise_exit", raise_exit, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};
