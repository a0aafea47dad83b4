/* The module's built-in functions: functions that are called too often to go through cffi, and
   functions that give objects. */
#include "internal.h"

typedef int (*send_fn)(void *target, belay_value value);

static int to_subject(void *target, belay_value value) { return belay_subject_next(target, value); }
static int to_subscriber(void *target, belay_value value) {
  return belay_subscriber_next(target, value);
}

PyObject *pb_answer(int code) {
  if (pb_raise_exit() < 0) return NULL;
  if (code < 0 && code != BELAY_EENDED) return pb_raise_error(code);
  if (code < 0) belay_last_error();
  Py_RETURN_NONE;
}

static PyObject *send_one(send_fn send, PyObject *self, PyObject *object) {
  pb_reference *reference = ((pb_holder *)self)->reference;
  if (!reference) Py_RETURN_NONE; /* it has been given back */
  Py_INCREF((PyObject *)reference); /* a callable, or another thread, may end the object meanwhile */
  belay_value value = pb_to_value(object);
  pb_scope region = pb_begin_held();
  int code = send(reference->pointer, value);
  pb_end(region);
  PyObject *result = pb_answer(code);
  Py_DECREF((PyObject *)reference);
  return result;
}

/* on_next(value) */
static PyObject *subject_next(PyObject *self, PyObject *value) {
  return send_one(to_subject, self, value);
}

static PyObject *subscriber_next(PyObject *self, PyObject *value) {
  return send_one(to_subscriber, self, value);
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
  int code;       /* the first failure */
  PyObject *exit; /* what a callable has raised that is to be raised from here */
} batch;

static void flush(batch *self) {
  pb_scope region = pb_begin_held();
  int code = self->send(self->target, self->values, self->count);
  pb_end(region);
  if (code < 0 && self->code >= 0) self->code = code;
  self->count = 0;
  self->exit = pb_suspend_exit();
}

/* 0 when nothing more can be sent. */
static int add(batch *self, belay_value value) {
  self->values[self->count++] = value;
  if (self->count == MANY) flush(self);
  return self->code >= 0 && !self->exit;
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
static PyObject *send_many(send_batch_fn send, PyObject *object, PyObject *values) {
  pb_reference *reference = ((pb_holder *)object)->reference;
  if (!reference) Py_RETURN_NONE;
  batch *self = PyMem_Malloc(sizeof *self);
  if (!self) return PyErr_NoMemory();
  Py_INCREF((PyObject *)reference); /* as in send_one() */
  *self = (batch){.send = send, .target = reference->pointer};
  int code = 0;
  if (!send_range(self, values) && !send_buffer(self, values)) code = send_items(self, values);
  PyObject *type, *exception, *traceback;
  PyErr_Fetch(&type, &exception, &traceback);
  if (self->count > 0) flush(self);
  PyErr_Restore(type, exception, traceback);
  pb_resume_exit(self->exit);
  PyObject *result = code < 0 ? pb_returned(NULL) : pb_answer(self->code);
  PyMem_Free(self);
  Py_DECREF((PyObject *)reference);
  return result;
}

/* on_next_batch(values) */
static PyObject *subject_next_batch(PyObject *self, PyObject *values) {
  return send_many(many_to_subject, self, values);
}

static PyObject *subscriber_next_batch(PyObject *self, PyObject *values) {
  return send_many(many_to_subscriber, self, values);
}

static PyMethodDef subject_methods[] = {{"on_next", subject_next, METH_O, NULL},
                                        {"on_next_batch", subject_next_batch, METH_O, NULL}};
static PyMethodDef subscriber_methods[] = {{"on_next", subscriber_next, METH_O, NULL},
                                           {"on_next_batch", subscriber_next_batch, METH_O, NULL}};

/* Replaces the methods of a class that only have a signature and a text. */
static int replace(PyObject *class, PyMethodDef *methods) {
  for (PyMethodDef *method = methods; method < methods + 2; method++) {
    PyObject *former = PyObject_GetAttrString(class, method->ml_name);
    PyObject *text = former ? PyObject_GetAttrString(former, "__doc__") : NULL;
    PyObject *doc = text ? PyUnicode_FromFormat("%s($self, value, /)\n--\n\n%U",
                                                method->ml_name, text)
                         : NULL;
    const char *data = doc ? PyUnicode_AsUTF8AndSize(doc, NULL) : NULL;
    method->ml_doc = data ? strdup(data) : NULL;
    Py_XDECREF(former);
    Py_XDECREF(text);
    Py_XDECREF(doc);
    PyObject *made = data ? PyDescr_NewMethod((PyTypeObject *)class, method) : NULL;
    int code = made ? PyObject_SetAttrString(class, method->ml_name, made) : -1;
    Py_XDECREF(made);
    if (code < 0) return -1;
  }
  return 0;
}

/* use_for(Subject, Subscriber): their methods that send are those of C from here on. */
static PyObject *use_for(PyObject *module, PyObject *classes) {
  PyObject *subject, *subscriber;
  if (!PyArg_ParseTuple(classes, "OO", &subject, &subscriber) ||
      replace(subject, subject_methods) < 0 || replace(subscriber, subscriber_methods) < 0)
    return NULL;
  Py_RETURN_NONE;
}

/* turn(address): a turn of a loop that does not wait: whether there is more to wait for. */
static PyObject *turn(PyObject *module, PyObject *address) {
  belay_loop *loop = PyLong_AsVoidPtr(address);
  if (!loop) return NULL;
  int code;
  Py_BEGIN_ALLOW_THREADS
  pb_scope region = pb_begin_free();
  code = belay_loop_run(loop, BELAY_RUN_NOWAIT);
  pb_end(region);
  Py_END_ALLOW_THREADS
  if (pb_raise_exit() < 0) return NULL;
  return code < 0 ? pb_raise_error(code) : PyBool_FromLong(code);
}

/* raise_exit(): raises the exception that a callback could not pass on. */
static PyObject *raise_exit(PyObject *module, PyObject *unused) {
  return pb_returned(Py_NewRef(Py_None));
}

PyMethodDef pb_methods[] = {
    {"set_hooks", pb_set_hooks, METH_O, NULL},
    {"own", pb_own, METH_VARARGS, NULL},
    {"use_for", use_for, METH_VARARGS, NULL},
    {"subscribe", pb_subscribe, METH_VARARGS, NULL},
    {"turn", turn, METH_O, NULL},
    {"wait_for_room", pb_wait_for_room, METH_VARARGS, NULL},
    {"held", pb_held, METH_O, NULL},
    {"load", pb_load, METH_O, NULL},
    {"exception", pb_exception, METH_O, NULL},
    {"raise_exit", raise_exit, METH_NOARGS, NULL},
    {"export_signal", pb_export, METH_O, NULL},
    {"import_signal", pb_import, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};
