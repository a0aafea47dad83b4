/* The GIL, the hooks, and the end of the interpreter. */
#include <stdatomic.h>
#include <time.h>

#include "internal.h"

pb_hooks pb_hook;

static atomic_int inside;  /* how many callbacks are in Python, or wait for the GIL */
static atomic_int is_over; /* the interpreter is ending */
/* The thread's exception that its callbacks could not pass on. */
static _Thread_local PyObject *exit_exception;

int pb_enter(PyGILState_STATE *gil) {
  atomic_fetch_add_explicit(&inside, 1, memory_order_seq_cst);
  if (atomic_load_explicit(&is_over, memory_order_seq_cst)) {
    atomic_fetch_sub_explicit(&inside, 1, memory_order_release);
    return 0;
  }
  *gil = PyGILState_Ensure();
  return 1;
}

void pb_leave(PyGILState_STATE gil) {
  PyGILState_Release(gil);
  atomic_fetch_sub_explicit(&inside, 1, memory_order_release);
}

void pb_shutdown(void) {
  atomic_store(&is_over, 1);
  for (int i = 0; i < 1000 && atomic_load(&inside) > 0; i++)
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

int pb_setup(uintptr_t module, uintptr_t hooks) {
  PyGILState_STATE gil = PyGILState_Ensure();
  PyObject **hook = (PyObject **)&pb_hook;
  for (size_t i = 0; i < sizeof pb_hook / sizeof *hook; i++) {
    hook[i] = PyTuple_GetItem((PyObject *)hooks, (Py_ssize_t)i);
    Py_XINCREF(hook[i]);
  }
  int code = PyModule_AddFunctions((PyObject *)module, pb_methods);
  if (PyErr_Occurred()) PyErr_Print();
  PyGILState_Release(gil);
  return code;
}

void *pb_keep(uintptr_t object) {
  PyGILState_STATE gil = PyGILState_Ensure();
  Py_INCREF((PyObject *)object);
  PyGILState_Release(gil);
  return (void *)object;
}

/* When the interpreter is ending the object stays, and goes with all others. */
void pb_free(void *ctx) {
  PyGILState_STATE gil;
  if (!ctx || !pb_enter(&gil)) return;
  Py_DECREF((PyObject *)ctx);
  pb_leave(gil);
}

PyObject *pb_take_exception(void) {
  PyObject *type, *exception, *traceback;
  PyErr_Fetch(&type, &exception, &traceback);
  PyErr_NormalizeException(&type, &exception, &traceback);
  if (traceback) PyException_SetTraceback(exception, traceback);
  if (!exit_exception && !PyErr_GivenExceptionMatches(exception, PyExc_Exception))
    exit_exception = Py_NewRef(exception);
  Py_XDECREF(type);
  Py_XDECREF(traceback);
  return exception;
}

int pb_raise_exit(void) {
  PyObject *exception = exit_exception;
  if (!exception) return 0;
  exit_exception = NULL;
  PyErr_SetObject((PyObject *)Py_TYPE(exception), exception);
  Py_DECREF(exception);
  return -1;
}

static belay_error *take_error(void) {
  PyObject *exception = pb_take_exception();
  belay_error *error = pb_to_error(exception);
  Py_DECREF(exception);
  return error;
}

int pb_failed(void) {
  belay_error *error = take_error();
  int code = belay_fail_with(error);
  belay_error_release(error);
  return code;
}

belay_value pb_failed_value(void) {
  belay_error *error = take_error();
  belay_value failure = belay_value_failure_with(error);
  belay_error_release(error);
  return failure;
}
