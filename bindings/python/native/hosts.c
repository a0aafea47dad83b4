/* Loops of the program's own, without libuv: the functions of a belay_scheduler_table, whose context is
   a list (schedule, after, cancel, now, the timer that waits). */
#include "internal.h"

/* Work that a program's loop has been given: a callable. When it goes without having been called, Belay
   gets it back. */
typedef struct work {
  PyObject_HEAD
  belay_action_fn action;
  belay_free_fn free;
  void *work;
} work;

static void give_back(work *self) {
  belay_free_fn give = self->free;
  self->free = NULL;
  if (give) give(self->work);
}

static PyObject *call(PyObject *object, PyObject *arguments, PyObject *names) {
  work *self = (work *)object;
  belay_action_fn action = self->action;
  self->action = NULL; /* it runs once, also when it is called from inside */
  if (action) {
    Py_BEGIN_ALLOW_THREADS
    pb_scope region = pb_begin_free();
    action(self->work);
    give_back(self);
    pb_end(region);
    Py_END_ALLOW_THREADS
  }
  return pb_returned(Py_NewRef(Py_None));
}

static void deallocate(PyObject *object) {
  PyTypeObject *type = Py_TYPE(object);
  pb_errors errors = pb_suspend_errors();
  pb_scope region = pb_begin_held();
  give_back((work *)object);
  pb_end(region);
  pb_resume_errors(errors);
  PyObject_Free(object);
  Py_DECREF(type);
}

static PyType_Slot slots[] = {
    {Py_tp_call, call},
    {Py_tp_dealloc, deallocate},
    {Py_tp_doc, "Runs the work. On the loop's thread, once."},
    {0, NULL}};
PyType_Spec pb_work_spec = {.name = "libbelay._native.Work",
                            .basicsize = sizeof(work),
                            .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                            .slots = slots};
PyObject *pb_work_type;

static work *made(belay_action_fn action, void *given, belay_free_fn free) {
  work *self = PyObject_New(work, (PyTypeObject *)pb_work_type);
  if (!self) return free(given), NULL;
  self->action = action;
  self->free = free;
  self->work = given;
  return self;
}

static PyObject *function(void *ctx, Py_ssize_t index) { return PyList_GetItem(ctx, index); }

static PyObject *scheduled(void *ctx, work *self) {
  PyObject *result = self ? PB_CALL(function(ctx, 0), (PyObject *)self) : NULL;
  Py_XDECREF(self);
  return result;
}

void pb_host_schedule(void *ctx, belay_action_fn action, void *given, belay_free_fn free) {
  pb_scope scope;
  if (!pb_enter(&scope)) return free(given);
  pb_told(scheduled(ctx, made(action, given, free)));
  pb_leave(scope);
}

static PyObject *started(void *ctx, double seconds, work *self) {
  PyObject *time = self ? PyFloat_FromDouble(seconds) : NULL;
  PyObject *timer = time ? PB_CALL(function(ctx, 1), time, (PyObject *)self) : NULL;
  Py_XDECREF(time);
  Py_XDECREF(self);
  if (timer) PyList_SetItem(ctx, 4, Py_NewRef(timer));
  return timer;
}

void *pb_host_after(void *ctx, double seconds, belay_action_fn action, void *given,
                    belay_free_fn free) {
  pb_scope scope;
  if (!pb_enter(&scope)) return free(given), NULL;
  pb_told(started(ctx, seconds, made(action, given, free)));
  pb_leave(scope);
  return ctx; /* there is only one timer */
}

static PyObject *cancelled(void *ctx) {
  PyObject *timer = Py_NewRef(function(ctx, 4));
  PyList_SetItem(ctx, 4, Py_NewRef(Py_None));
  PyObject *result = PB_CALL(function(ctx, 2), timer);
  Py_DECREF(timer);
  return result;
}

void pb_host_cancel(void *ctx, void *timer) {
  pb_scope scope;
  if (!pb_enter(&scope)) return;
  pb_told(cancelled(ctx));
  pb_leave(scope);
}

double pb_host_now(void *ctx) {
  pb_scope scope;
  if (!pb_enter(&scope)) return 0;
  PyObject *time = PB_CALL0(function(ctx, 3));
  double seconds = time ? PyFloat_AsDouble(time) : 0;
  if (PyErr_Occurred()) Py_CLEAR(time);
  pb_told(time);
  pb_leave(scope);
  return seconds;
}
