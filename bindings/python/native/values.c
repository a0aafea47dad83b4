/* Values as objects, and back. int, float, bool, None, str, bytes and list are values of Belay's.
   Any other object, a longer int, and a list that contains itself, is a pointer with a reference. The
   name of its type tells it from the pointers of others. Errors likewise. */
#include <errno.h>

#include "internal.h"

/* The domain of errors whose value is an exception. */
static const char domain[] = "python";

static const char type_name[] = "PyObject";

static belay_value carried(PyObject *object) {
  return belay_pointer_typed(type_name, Py_NewRef(object), pb_free);
}

static belay_value integer(PyObject *object) {
  int overflow;
  long long number = PyLong_AsLongLongAndOverflow(object, &overflow);
  if (!overflow) return belay_int64(number);
  if (overflow > 0) {
    unsigned long long large = PyLong_AsUnsignedLongLong(object);
    if (!PyErr_Occurred()) return belay_uint64(large);
    PyErr_Clear();
  }
  return carried(object);
}

static belay_value text(PyObject *object) {
  Py_ssize_t size;
  const char *data = PyUnicode_AsUTF8AndSize(object, &size);
  if (data) return belay_string_n(data, (size_t)size);
  PyErr_Clear(); /* lone surrogates */
  return carried(object);
}

/* A list whose items are becoming values, and the one that it is an item of. */
typedef struct open_list {
  PyObject *list;
  const struct open_list *outer;
} open_list;

static int array_of(PyObject *list, const open_list *outer, belay_value *array);

/* Makes values of the items; 0 when one of them can be no value. */
static int convert(const open_list *self, size_t count, belay_value *items) {
  size_t made = 0;
  for (; made < count; made++) {
    PyObject *item = PyList_GetItem(self->list, (Py_ssize_t)made);
    if (!item) PyErr_Clear(); /* the list has become shorter meanwhile */
    int is_list = item && Py_TYPE(item) == &PyList_Type, is_value = 1;
    Py_XINCREF(item);
    if (is_list) is_value = array_of(item, self, &items[made]);
    else items[made] = item ? pb_to_value(item) : belay_null();
    Py_XDECREF(item);
    if (!is_value) break;
  }
  if (made == count) return 1;
  while (made > 0) pb_release(items[--made]);
  return 0;
}

/* 0 when the list contains itself, or is nested too deep. */
static int array_of(PyObject *list, const open_list *outer, belay_value *array) {
  for (const open_list *each = outer; each; each = each->outer)
    if (each->list == list) return 0;
  size_t count = (size_t)PyList_Size(list);
  belay_value few[16], *items = few;
  if (count > sizeof few / sizeof *few) items = PyMem_Malloc(count * sizeof *items);
  int is_value = 0;
  if (items && Py_EnterRecursiveCall(" while a list becomes a value") == 0) {
    is_value = convert(&(open_list){list, outer}, count, items);
    Py_LeaveRecursiveCall();
  }
  PyErr_Clear();
  if (is_value) *array = belay_array_of(items, count);
  if (items != few) PyMem_Free(items);
  return is_value;
}

static belay_value list(PyObject *object) {
  belay_value array;
  return array_of(object, NULL, &array) ? array : carried(object);
}

static belay_value of_pointer(long kind, void *pointer, PyObject *object) {
  switch (kind) {
    case BELAY_KIND_SIGNAL: return belay_value_from_signal(pointer);
    case BELAY_KIND_SUBSCRIBER: return belay_value_from_subscriber(pointer);
    case BELAY_KIND_DISPOSABLE: return belay_value_from_disposable(pointer);
    case BELAY_KIND_BAG: return belay_value_from_bag(pointer);
    case BELAY_KIND_OWNER: return belay_value_from_owner(pointer);
    case BELAY_KIND_WEAK: return belay_value_from_weak(pointer);
    case BELAY_KIND_LOOP: return belay_value_from_loop(pointer);
    case BELAY_KIND_SCHEDULER: return belay_value_from_scheduler(pointer);
    case BELAY_KIND_STREAM: return belay_value_from_stream(pointer);
    default: return carried(object);
  }
}

/* The value of a signal that has yet to be built. A signal that has ended has no handle, and is an
   object as any other. */
static belay_value built(long kind, PyObject *object) {
  PyObject *held = PyObject_GetAttrString(object, "_held");
  PyObject *address = held ? PyObject_GetAttrString(object, "_address") : NULL;
  void *pointer = address ? PyLong_AsVoidPtr(address) : NULL;
  belay_value value = of_pointer(pointer ? kind : -1, pointer, object);
  if (!pointer) PyErr_Clear();
  Py_XDECREF(address);
  Py_XDECREF(held);
  return value;
}

/* The value of an object with a handle inside, such as a signal. What comes back of a handle has the
   class of its kind. So an object of a subclass, which may have fields, is an object as any other. */
static belay_value handle(PyObject *object) {
  PyObject *number = PyObject_GetAttrString(object, "_kind");
  if (!number) PyErr_Clear();
  int is_whole = number && PyDict_GetItem(pb_hook.classes, number) == (PyObject *)Py_TYPE(object);
  long kind = is_whole ? PyLong_AsLong(number) : -1;
  pb_reference *reference = ((pb_holder *)object)->reference;
  Py_XDECREF(number);
  if (!is_whole) return carried(object);
  return reference ? of_pointer(kind, reference->pointer, object) : built(kind, object);
}

belay_value pb_to_value(PyObject *object) {
  PyTypeObject *type = Py_TYPE(object);
  if (type == &PyLong_Type) return integer(object);
  if (type == &PyFloat_Type) return belay_double(PyFloat_AsDouble(object));
  if (type == &PyBool_Type) return belay_bool(object == Py_True);
  if (object == Py_None) return belay_null();
  if (type == &PyUnicode_Type) return text(object);
  if (type == &PyList_Type) return list(object);
  if (type == &PyBytes_Type)
    return belay_bytes(PyBytes_AsString(object), (size_t)PyBytes_Size(object));
  if (PyType_IsSubtype(type, (PyTypeObject *)pb_hook.wrapper)) return handle(object);
  return carried(object);
}

static PyObject *wrapped(belay_kind kind, const void *pointer) {
  PyObject *number = PyLong_FromLong(kind), *address = PyLong_FromVoidPtr((void *)pointer);
  PyObject *object = number && address ? PB_CALL(pb_hook.wrap, number, address) : NULL;
  Py_XDECREF(number);
  Py_XDECREF(address);
  return object;
}

static PyObject *items(belay_value array) {
  size_t count = belay_value_count(array);
  PyObject *list = PyList_New((Py_ssize_t)count);
  for (size_t i = 0; list && i < count; i++) {
    belay_value item = belay_null();
    belay_value_get_item(array, i, &item);
    PyObject *object = pb_to_object(item);
    if (!object || PyList_SetItem(list, (Py_ssize_t)i, object) < 0) Py_CLEAR(list);
  }
  return list;
}

PyObject *pb_text(const char *text) {
  if (!text) Py_RETURN_NONE;
  return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

static PyObject *description(belay_value value) {
  char room[256];
  belay_value_describe(value, room, sizeof room);
  return pb_text(room);
}

PyObject *pb_to_object(belay_value value) {
  belay_kind kind = belay_value_kind(value);
  int truth = 0;
  int64_t number = 0;
  uint64_t natural = 0;
  double real = 0;
  void *pointer = NULL;
  belay_view view = {"", 0};
  switch (kind) {
    case BELAY_KIND_NULL: Py_RETURN_NONE;
    case BELAY_KIND_BOOL: belay_value_get_bool(value, &truth); return PyBool_FromLong(truth);
    case BELAY_KIND_INT8:
    case BELAY_KIND_INT16:
    case BELAY_KIND_INT32:
    case BELAY_KIND_INT64:
      belay_value_get_int64(value, &number);
      return PyLong_FromLongLong(number);
    case BELAY_KIND_UINT8:
    case BELAY_KIND_UINT16:
    case BELAY_KIND_UINT32:
    case BELAY_KIND_UINT64:
      belay_value_get_uint64(value, &natural);
      return PyLong_FromUnsignedLongLong(natural);
    case BELAY_KIND_FLOAT:
    case BELAY_KIND_DOUBLE:
      belay_value_get_double(value, &real);
      return PyFloat_FromDouble(real);
    case BELAY_KIND_POINTER:
      if (belay_value_try_typed(value, type_name, &pointer) < 0) return description(value);
      return Py_NewRef((PyObject *)pointer);
    case BELAY_KIND_STRING:
      belay_value_get_string(value, &view);
      return PyUnicode_DecodeUTF8(view.data, (Py_ssize_t)view.size, "replace");
    case BELAY_KIND_BYTES:
      belay_value_get_bytes(value, &view);
      return PyBytes_FromStringAndSize(view.data, (Py_ssize_t)view.size);
    case BELAY_KIND_ARRAY: return items(value);
    case BELAY_KIND_SIGNAL: return wrapped(kind, belay_value_get_signal(value));
    case BELAY_KIND_SUBSCRIBER: return wrapped(kind, belay_value_get_subscriber(value));
    case BELAY_KIND_DISPOSABLE: return wrapped(kind, belay_value_get_disposable(value));
    case BELAY_KIND_BAG: return wrapped(kind, belay_value_get_bag(value));
    case BELAY_KIND_OWNER: return wrapped(kind, belay_value_get_owner(value));
    case BELAY_KIND_WEAK: return wrapped(kind, belay_value_get_weak(value));
    case BELAY_KIND_LOOP: return wrapped(kind, belay_value_get_loop(value));
    case BELAY_KIND_SCHEDULER: return wrapped(kind, belay_value_get_scheduler(value));
    case BELAY_KIND_STREAM: return wrapped(kind, belay_value_get_stream(value));
    case BELAY_KIND_ERROR: return pb_to_exception(belay_value_get_error(value));
    /* kinds that only C has: pointers of others, structs, failures, weak references */
    default: return description(value);
  }
}

/* ---- errors ---- */

PyObject *pb_to_exception(const belay_error *error) {
  belay_value value = belay_error_payload(error);
  void *exception = NULL;
  if (strcmp(belay_error_domain(error), domain) == 0 &&
      belay_value_try_typed(value, type_name, &exception) == 0 &&
      PyExceptionInstance_Check((PyObject *)exception))
    return Py_NewRef((PyObject *)exception);
  PyObject *parts[5] = {
      PyLong_FromLong(belay_error_code(error)),
      pb_text(belay_error_domain(error)),
      pb_text(belay_error_message(error)),
      pb_to_object(value),
      belay_error_cause(error) ? pb_to_exception(belay_error_cause(error)) : Py_NewRef(Py_None),
  };
  PyObject *made = NULL;
  if (parts[0] && parts[1] && parts[2] && parts[3] && parts[4])
    made = PB_CALL(pb_hook.make_error, parts[0], parts[1], parts[2], parts[3], parts[4]);
  for (int i = 0; i < 5; i++) Py_XDECREF(parts[i]);
  return made;
}

/* The code for an exception: that of a BelayError or an OSError. */
static int code_of(PyObject *exception) {
  const char *name = NULL;
  if (PyObject_IsInstance(exception, pb_hook.error_class) > 0) name = "code";
  else if (PyErr_GivenExceptionMatches(exception, PyExc_OSError)) name = "errno";
  PyObject *number = name ? PyObject_GetAttrString(exception, name) : NULL;
  long code = number && PyLong_Check(number) ? PyLong_AsLong(number) : 0;
  Py_XDECREF(number);
  PyErr_Clear();
  if (code > 0 && code <= 4095) code = -code;
  return code < 0 && code >= INT32_MIN ? (int)code : BELAY_EINVAL;
}

belay_error *pb_to_error(PyObject *exception) {
  PyObject *type = (PyObject *)Py_TYPE(exception);
  PyObject *name = PyObject_GetAttrString(type, "__name__");
  PyObject *message = name ? PyUnicode_FromFormat("%U: %S", name, exception) : NULL;
  if (!message) PyErr_Clear(); /* its __str__ raised */
  const char *told = message ? PyUnicode_AsUTF8AndSize(message, NULL) : NULL;
  PyErr_Clear();
  belay_error *error = belay_error_create(code_of(exception), domain,
                                          told ? told : "an exception", carried(exception), NULL);
  Py_XDECREF(name);
  Py_XDECREF(message);
  return error;
}

belay_value pb_event(void *ctx, belay_value value) {
  belay_value items[2] = {belay_null(), belay_null()};
  int64_t kind = 0;
  void *exception = NULL;
  pb_scope scope;
  if (belay_value_kind(value) != BELAY_KIND_ARRAY || belay_value_count(value) != 2 ||
      belay_value_try_item(value, 0, &items[0]) < 0 ||
      belay_value_try_item(value, 1, &items[1]) < 0 ||
      belay_value_try_int64(items[0], &kind) < 0 || kind != BELAY_EVENT_ERROR ||
      belay_value_try_typed(items[1], type_name, &exception) < 0 || !pb_enter(&scope))
    return belay_value_retain(value);
  if (!PyExceptionInstance_Check((PyObject *)exception)) {
    items[1] = belay_value_retain(items[1]);
  } else {
    belay_error *error = pb_to_error(exception);
    items[1] = belay_value_from_error(error);
    belay_error_release(error);
  }
  pb_leave(scope);
  return belay_array_of(items, 2);
}

belay_value pb_change(void *ctx, belay_value record) {
  belay_change change = {.size = sizeof change};
  if (belay_change_get(record, &change) < 0) return belay_value_failure(BELAY_EKIND, NULL);
  belay_value parts[3] = {belay_value_retain(change.value), belay_value_retain(change.old),
                          belay_int64(change.flags)};
  return belay_array_of(parts, 3);
}

/* ---- values that are kept as they are ---- */

static const char held_name[] = "belay_value";

static void let_go(PyObject *capsule) {
  belay_value *value = PyCapsule_GetPointer(capsule, held_name);
  pb_errors errors = pb_suspend_errors();
  pb_release(*value);
  pb_resume_errors(errors);
  PyMem_Free(value);
}

belay_value pb_hold(void *ctx, belay_value value) {
  pb_scope scope;
  if (!pb_enter(&scope)) return belay_value_retain(value);
  belay_value *held = PyMem_Malloc(sizeof *held), made;
  PyObject *capsule = held ? PyCapsule_New(held, held_name, let_go) : PyErr_NoMemory();
  if (capsule) {
    *held = belay_value_retain(value);
    made = carried(capsule);
    Py_DECREF(capsule);
  } else {
    PyMem_Free(held);
    made = pb_failed_value();
  }
  pb_leave(scope);
  return made;
}

/* held(capsule): the object of a value that pb_hold() has kept. */
PyObject *pb_held(PyObject *module, PyObject *capsule) {
  belay_value *value = PyCapsule_GetPointer(capsule, held_name);
  return value ? pb_to_object(*value) : NULL;
}

/* ---- for Python's side ---- */

belay_value pb_value(uintptr_t object) {
  PyGILState_STATE gil = PyGILState_Ensure();
  belay_value value = pb_to_value((PyObject *)object);
  PyGILState_Release(gil);
  return value;
}

belay_error *pb_error(uintptr_t exception) {
  PyGILState_STATE gil = PyGILState_Ensure();
  belay_error *error = pb_to_error((PyObject *)exception);
  PyGILState_Release(gil);
  return error;
}

/* load(address): the object of the value at that address, which is released. */
PyObject *pb_load(PyObject *module, PyObject *address) {
  belay_value *value = PyLong_AsVoidPtr(address);
  if (!value) return NULL;
  PyObject *object = pb_to_object(*value);
  pb_release(*value);
  *value = belay_null();
  return pb_returned(object);
}

/* exception(address): the exception for an error; None for NULL. */
PyObject *pb_exception(PyObject *module, PyObject *address) {
  belay_error *error = PyLong_AsVoidPtr(address);
  if (error) return pb_to_exception(error);
  if (PyErr_Occurred()) return NULL;
  Py_RETURN_NONE;
}
