/* The GIL, the hooks, and the end of the interpreter. */
#define _GNU_SOURCE 1 /* gettid() */
#include <errno.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "internal.h"

pb_hooks pb_hook;

static atomic_int inside;  /* how many callbacks are in Python, or wait for the GIL */
static atomic_int is_over; /* the interpreter is ending */
/* The thread's exception that the callbacks of the call under way could not pass on. */
static _Thread_local PyObject *exit_exception;

/* Whether the thread has the GIL, as far as the shim knows. UNKNOWN: ask CPython. HELD: native code
   runs inside a region, with the GIL. FREE: the same, without. */
enum { UNKNOWN, HELD, FREE };
static _Thread_local int state;
/* Of the region that is running: the GIL that its first callback took. */
static _Thread_local PyGILState_STATE taken;
static _Thread_local int has_taken;

static int enter_interpreter(void) {
  atomic_fetch_add_explicit(&inside, 1, memory_order_seq_cst);
  if (!atomic_load_explicit(&is_over, memory_order_seq_cst)) return 1;
  atomic_fetch_sub_explicit(&inside, 1, memory_order_release);
  return 0;
}

static void leave_interpreter(void) {
  atomic_fetch_sub_explicit(&inside, 1, memory_order_release);
}

static void give_up(void) {
  if (!has_taken) return;
  has_taken = 0;
  state = FREE;
  PyGILState_Release(taken);
  leave_interpreter();
}

int pb_enter(pb_scope *scope) {
  if (state != HELD && !enter_interpreter()) return 0;
  if (state == UNKNOWN) {
    scope->gil = PyGILState_Ensure();
  } else if (state == FREE) {
    taken = PyGILState_Ensure();
    has_taken = 1;
    state = HELD;
  }
  /* Code that Python calls in turn may release the GIL. */
  scope->state = state;
  state = UNKNOWN;
  scope->exit = pb_suspend_exit();
  return 1;
}

void pb_leave(pb_scope scope) {
  pb_resume_exit(scope.exit);
  state = scope.state;
  if (state != UNKNOWN) return;
  PyGILState_Release(scope.gil);
  leave_interpreter();
}

/* `taken` belongs to the innermost region; its end puts the one of the region around it back. */
static pb_scope begin(int now) {
  pb_scope region = {.state = state | has_taken << 2, .gil = taken};
  state = now;
  has_taken = 0;
  return region;
}

pb_scope pb_begin_held(void) { return begin(HELD); }
pb_scope pb_begin_free(void) { return begin(FREE); }

void pb_end(pb_scope region) {
  give_up();
  state = region.state & 3;
  has_taken = region.state >> 2;
  taken = region.gil;
}

/* Code that a callable calls in turn has the GIL by itself, whatever the region around it has
   taken. */
void pb_breathe(void) {
  if (state == HELD) give_up();
}

/* Python calls its handlers on the main thread. Another thread may keep the GIL for a while, so this
   is not true often. */
int pb_hears_signals(void) {
  static _Thread_local double last;
  struct timespec time;
  if (getpid() != gettid()) return 0;
  clock_gettime(CLOCK_MONOTONIC, &time);
  double now = (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
  if (now - last < 0.05) return 0;
  last = now;
  return 1;
}

int pb_check_signals(void) { return PyEval_GetFrame() ? PyErr_CheckSignals() : 0; }

void pb_release(belay_value value) {
  pb_scope region = pb_begin_held();
  belay_value_release(value);
  pb_end(region);
}

/* ---- waits ---- */

/* The linker gives these functions to the core in place of its waits. Another thread may need the
   GIL to end a wait, so a thread that waits gives the GIL up. */
#define WITHOUT_GIL(condition, call)                                            \
  PyThreadState *thread = state == HELD && (condition) ? PyEval_SaveThread() : NULL; \
  long result = call;                                                           \
  if (thread) {                                                                 \
    int number = errno;                                                         \
    PyEval_RestoreThread(thread);                                               \
    errno = number;                                                             \
  }                                                                             \
  return result

long __real_syscall(long number, long a, long b, long c, long d, long e, long f);
long __wrap_syscall(long number, long a, long b, long c, long d, long e, long f) {
  WITHOUT_GIL(number == SYS_futex && (b & FUTEX_CMD_MASK) == FUTEX_WAIT,
              __real_syscall(number, a, b, c, d, e, f));
}

static long rest(void) {
  WITHOUT_GIL(1, nanosleep(&(struct timespec){.tv_nsec = 500000}, NULL));
}
void pb_rest(void) { rest(); }

static long wait_for(void (*wait)(void *), void *thing) {
  wait(thing);
  return 0;
}

void __real_uv_sem_wait(void *semaphore);
static long wait_sem(void *semaphore) {
  WITHOUT_GIL(1, wait_for(__real_uv_sem_wait, semaphore));
}
void __wrap_uv_sem_wait(void *semaphore) { wait_sem(semaphore); }

int __real_uv_thread_join(void *thread_id);
int __wrap_uv_thread_join(void *thread_id) { WITHOUT_GIL(1, __real_uv_thread_join(thread_id)); }

/* ---- the interpreter ---- */

void pb_shutdown(void) {
  atomic_store(&is_over, 1);
  for (int i = 0; i < 1000 && atomic_load(&inside) > 0; i++)
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

/* Callbacks enter the interpreter that PyGILState_Ensure() enters, which is the main one. It knows
   the module by its name, unless another interpreter loads it. */
static int is_known_here(PyObject *module) {
  PyObject *name = PyModule_GetNameObject(module);
  PyObject *known = name ? PyImport_GetModule(name) : NULL;
  Py_XDECREF(name);
  Py_XDECREF(known);
  return known == module;
}

int pb_load_module(uintptr_t module) {
  PyGILState_STATE gil = PyGILState_Ensure();
  if (!is_known_here((PyObject *)module)) {
    PyErr_Clear();
    PyGILState_Release(gil);
    return PB_ELSEWHERE;
  }
  PyObject *holder = PyType_FromSpec(&pb_holder_spec);
  pb_work_type = PyType_FromSpec(&pb_work_spec);
  pb_reference_type = PyType_FromSpec(&pb_reference_spec);
  int code = -1;
  if (holder && pb_work_type && pb_reference_type)
    code = PyModule_AddFunctions((PyObject *)module, pb_methods);
  if (code == 0) code = PyModule_AddObjectRef((PyObject *)module, "Holder", holder);
  Py_XDECREF(holder);
  if (PyErr_Occurred()) PyErr_Print();
  PyGILState_Release(gil);
  return code;
}

PyObject *pb_set_hooks(PyObject *module, PyObject *hooks) {
  PyObject **hook = (PyObject **)&pb_hook;
  for (size_t i = 0; i < sizeof pb_hook / sizeof *hook; i++)
    if (!(hook[i] = Py_XNewRef(PyTuple_GetItem(hooks, (Py_ssize_t)i)))) return NULL;
  Py_RETURN_NONE;
}

void *pb_keep(uintptr_t object) {
  PyGILState_STATE gil = PyGILState_Ensure();
  Py_INCREF((PyObject *)object);
  PyGILState_Release(gil);
  return (void *)object;
}

/* When the interpreter is ending the object stays, and goes with all others. */
void pb_free(void *ctx) {
  pb_scope scope;
  if (!ctx || !pb_enter(&scope)) return;
  Py_DECREF((PyObject *)ctx);
  pb_leave(scope);
}

PyObject *pb_take_exception(void) {
  PyObject *type, *exception, *traceback;
  PyErr_Fetch(&type, &exception, &traceback);
  PyErr_NormalizeException(&type, &exception, &traceback);
  if (traceback) PyException_SetTraceback(exception, traceback);
  if (!PyErr_GivenExceptionMatches(exception, PyExc_Exception)) pb_keep_exit(exception);
  Py_XDECREF(type);
  Py_XDECREF(traceback);
  return exception;
}

int pb_keep_exit(PyObject *exception) {
  /* On a thread that runs no Python but callbacks no call can raise it. */
  if (!PyEval_GetFrame()) return 0;
  if (!exit_exception) exit_exception = Py_NewRef(exception);
  return 1;
}

int pb_is_exit(PyObject *exception) { return exit_exception == exception; }

PyObject *pb_suspend_exit(void) {
  PyObject *exception = exit_exception;
  exit_exception = NULL;
  return exception;
}

void pb_resume_exit(PyObject *exception) {
  if (!exception) return;
  /* An object that a later exception keeps may call back when it goes. */
  while (exit_exception) Py_CLEAR(exit_exception);
  exit_exception = exception;
}

int pb_raise_exit(void) {
  PyObject *exception = pb_suspend_exit();
  if (!exception) return 0;
  PyErr_SetObject((PyObject *)Py_TYPE(exception), exception);
  Py_DECREF(exception);
  return -1;
}

PyObject *pb_returned(PyObject *result) {
  if (pb_raise_exit() == 0) return result;
  Py_XDECREF(result);
  return NULL;
}

pb_errors pb_suspend_errors(void) {
  pb_errors errors = {.exit = pb_suspend_exit()};
  PyErr_Fetch(&errors.type, &errors.exception, &errors.traceback);
  return errors;
}

void pb_resume_errors(pb_errors errors) {
  if (pb_raise_exit() < 0) PyErr_WriteUnraisable(NULL);
  PyErr_Restore(errors.type, errors.exception, errors.traceback);
  pb_resume_exit(errors.exit);
}

PyObject *pb_raise_error(int code) {
  PyObject *number = PyLong_FromLong(code);
  PyObject *exception = number ? PB_CALL(pb_hook.last_error, number) : NULL;
  if (exception) PyErr_SetObject((PyObject *)Py_TYPE(exception), exception);
  Py_XDECREF(number);
  Py_XDECREF(exception);
  return NULL;
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
