/* Signals that pass to another copy of the library in the process: in capsules, each of which holds
 * a belay_exchange. */
#include "internal.h"

static const char name[] = "belay_exchange";

static void end(PyObject *capsule) {
  belay_exchange *exchange = PyCapsule_GetPointer(capsule, name);
  pb_errors errors = pb_suspend_errors();
  pb_scope region = pb_begin_held();
  belay_exchange_release(exchange);
  pb_end(region);
  pb_resume_errors(errors);
  PyMem_Free(exchange);
}

/* export(address of a signal) -> capsule */
PyObject *pb_export(PyObject *module, PyObject *address) {
  belay_signal *signal = PyLong_AsVoidPtr(address);
  belay_exchange *exchange = signal ? PyMem_Malloc(sizeof *exchange) : NULL;
  if (!exchange) return PyErr_Occurred() ? NULL : PyErr_NoMemory();
  int code = belay_signal_export(signal, exchange);
  PyObject *capsule = code < 0 ? pb_raise_error(code) : PyCapsule_New(exchange, name, end);
  if (!capsule) {
    belay_exchange_release(exchange);
    PyMem_Free(exchange);
  }
  return capsule;
}

/* import(capsule) -> address of a signal, with a reference */
PyObject *pb_import(PyObject *module, PyObject *capsule) {
  const belay_exchange *exchange = PyCapsule_GetPointer(capsule, name);
  if (!exchange) return NULL;
  belay_signal *signal = belay_signal_import(exchange);
  return signal ? PyLong_FromVoidPtr(signal) : pb_raise_error(BELAY_EINVAL);
}
