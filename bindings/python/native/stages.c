/* Stages: neighbouring maps and filters as one program, which takes a value all the way. At the end
   of a chain it stands before the subscriber's `next`. Within a chain it is one operator. Both take
   the GIL only for Python's stages. */
#include <stdatomic.h>
#include <stdlib.h>

#include "internal.h"

enum { MAP, FILTER, DO };

typedef struct stage {
  int kind;
  PyObject *call;
  pb_instruction *code; /* NULL: only `call` can do it */
  size_t size;
} stage;

typedef struct program {
  size_t count;
  stage stages[];
} program;

/* A value on its way. It is Belay's until Python needs it, then an object until Belay needs it;
   between expressions it is a number. */
typedef struct item {
  enum { VALUE, NUMBER, OBJECT } is;
  belay_value value; /* borrowed */
  pb_number number;
  PyObject *object; /* or NULL */
} item;

/* ---- programs ---- */

static void free_program(program *self) {
  for (size_t i = 0; i < self->count; i++) {
    Py_XDECREF(self->stages[i].call);
    free(self->stages[i].code);
  }
  free(self);
}

static int read_stage(stage *to, PyObject *tuple) {
  PyObject *code = PyTuple_GetItem(tuple, 2);
  if (!code) return -1;
  to->kind = (int)PyLong_AsLong(PyTuple_GetItem(tuple, 0));
  to->call = Py_NewRef(PyTuple_GetItem(tuple, 1));
  if (code == Py_None) return 0;
  size_t size = (size_t)PyBytes_Size(code);
  to->code = malloc(size);
  to->size = size / sizeof *to->code;
  memcpy(to->code, PyBytes_AsString(code), size);
  return 0;
}

static program *read_program(PyObject *stages) {
  size_t count = (size_t)PyTuple_Size(stages);
  program *made = calloc(1, sizeof *made + count * sizeof *made->stages);
  for (; made->count < count; made->count++)
    if (read_stage(&made->stages[made->count],
                   PyTuple_GetItem(stages, (Py_ssize_t)made->count)) < 0)
      break;
  return made;
}

/* ---- a value's way ---- */

static pb_number number_of_object(PyObject *object) {
  PyTypeObject *type = Py_TYPE(object);
  if (type == &PyLong_Type) {
    int overflow = 0;
    int64_t number = PyLong_AsLongLongAndOverflow(object, &overflow);
    return (pb_number){.i = number, .type = overflow ? PB_NONE : PB_INT};
  }
  if (type == &PyFloat_Type) return (pb_number){.d = PyFloat_AsDouble(object), .type = PB_FLOAT};
  return (pb_number){.i = object == Py_True, .type = type == &PyBool_Type ? PB_BOOL : PB_NONE};
}

static pb_number number_of_value(belay_value value) {
  pb_number number = {.type = PB_INT};
  uint64_t natural = 0;
  int truth = 0;
  if (belay_value_is_int64(value) && belay_value_try_int64(value, &number.i) == 0) return number;
  number.type = PB_NONE;
  switch (belay_value_kind(value)) {
    case BELAY_KIND_BOOL:
      belay_value_get_bool(value, &truth);
      return (pb_number){.i = truth, .type = PB_BOOL};
    case BELAY_KIND_FLOAT:
    case BELAY_KIND_DOUBLE:
      if (belay_value_get_double(value, &number.d) == 0) number.type = PB_FLOAT;
      return number;
    case BELAY_KIND_UINT64:
      belay_value_get_uint64(value, &natural);
      return (pb_number){.i = (int64_t)natural, .type = natural <= INT64_MAX ? PB_INT : PB_NONE};
    case BELAY_KIND_INT8:
    case BELAY_KIND_INT16:
    case BELAY_KIND_INT32:
    case BELAY_KIND_INT64:
    case BELAY_KIND_UINT8:
    case BELAY_KIND_UINT16:
    case BELAY_KIND_UINT32:
      if (belay_value_get_int64(value, &number.i) == 0) number.type = PB_INT;
      return number;
    default: return number;
  }
}

/* The current number; of type PB_NONE when the item is something else. */
static inline pb_number number_of(const item *it) {
  if (it->is == VALUE) return number_of_value(it->value);
  return it->is == OBJECT ? number_of_object(it->object) : it->number;
}

static inline int is_true(pb_number number) {
  return number.type == PB_FLOAT ? number.d != 0 : number.i != 0;
}

static PyObject *object_of(const item *it) {
  if (it->is == VALUE) return pb_to_object(it->value);
  pb_number number = it->number;
  if (number.type == PB_FLOAT) return PyFloat_FromDouble(number.d);
  if (number.type == PB_BOOL) return PyBool_FromLong((long)number.i);
  return PyLong_FromLongLong(number.i);
}

/* Makes the item an object; 0 with an exception set when it cannot. */
static inline int become_object(item *it) {
  if (it->is == OBJECT) return 1;
  it->object = object_of(it);
  it->is = OBJECT;
  return it->object != NULL;
}

/* The item as a value, which the caller gets. */
static belay_value value_of(const item *it) {
  if (it->is == VALUE) return belay_value_retain(it->value);
  if (it->is == OBJECT) return pb_to_value(it->object);
  if (it->number.type == PB_FLOAT) return belay_double(it->number.d);
  if (it->number.type == PB_BOOL) return belay_bool((int)it->number.i);
  return belay_int64(it->number.i);
}

/* The outcome of a stage: the value passes, is dropped, or the callable raised; or only Python can
   tell. */
enum { FAILED = -1, DROPPED, PASSED, FOR_PYTHON };

/* Runs the stages from `*next` on that are expressions, without the GIL unless there is an
   object. */
static inline int run_codes(const program *self, size_t *next, item *it) {
  const stage *stage = &self->stages[*next], *end = self->stages + self->count;
  if (stage == end) return PASSED;
  if (!stage->code) return FOR_PYTHON;
  pb_number number = number_of(it);
  int outcome = PASSED, is_mapped = 0;
  for (; stage < end; stage++) {
    pb_number result = {.type = PB_NONE};
    if (stage->code && number.type != PB_NONE)
      result = pb_evaluate(stage->code, stage->size, number);
    if (result.type == PB_NONE) {
      outcome = FOR_PYTHON;
      break;
    }
    if (stage->kind == MAP) {
      number = result;
      is_mapped = 1;
    } else if (!is_true(result)) {
      outcome = DROPPED;
      break;
    }
  }
  if (is_mapped) {
    if (it->is == OBJECT) Py_CLEAR(it->object);
    it->is = NUMBER;
    it->number = number;
  }
  *next = (size_t)(stage - self->stages);
  return outcome;
}

static int run_call(const stage *self, item *it) {
  if (!become_object(it)) return FAILED;
  PyObject *result = pb_call(self->call, it->object);
  if (!result) return FAILED;
  if (self->kind == MAP) {
    Py_DECREF(it->object);
    it->object = result;
    return PASSED;
  }
  int truth = self->kind == DO || result == Py_True ? 1
              : result == Py_False                  ? 0
                                                    : PyObject_IsTrue(result);
  Py_DECREF(result);
  return truth < 0 ? FAILED : truth;
}

/* Runs all stages from `next` on, with the GIL. */
static int run(const program *self, size_t next, item *it) {
  for (;;) {
    int outcome = run_codes(self, &next, it);
    if (outcome != FOR_PYTHON) return outcome;
    outcome = run_call(&self->stages[next++], it);
    if (outcome != PASSED) return outcome;
  }
}

/* So many values that no Python saw give the GIL up, if the region has it, and let signals in. */
enum { BREATH = 4096 };
static _Thread_local int unseen;

static inline int is_out_of_breath(void) {
  if (++unseen < BREATH) return 0;
  unseen = 0;
  return 1;
}

/* ---- within a chain ---- */

/* Its address stands for a value that was dropped. */
static const char dropped;

static belay_value dropped_value(void) { return belay_pointer(&dropped); }

int pb_is_kept(void *ctx, belay_value value) {
  void *pointer = NULL;
  return belay_value_try_pointer(value, &pointer) < 0 || pointer != &dropped;
}

void *pb_program(uintptr_t stages) {
  PyGILState_STATE gil = PyGILState_Ensure();
  program *made = read_program((PyObject *)stages);
  PyGILState_Release(gil);
  return made;
}

void pb_program_free(void *self) {
  pb_scope scope;
  if (!pb_enter(&scope)) return;
  free_program(self);
  pb_leave(scope);
}

/* Whether the stages are to fail with what a handler of a POSIX signal has raised. Then the scope is
   entered, and the exception set. */
static int is_interrupted(pb_scope *scope) {
  if (!is_out_of_breath()) return 0;
  if (pb_hears_signals() && pb_enter(scope)) {
    if (pb_check_signals() < 0) return 1;
    pb_leave(*scope);
  }
  pb_breathe();
  return 0;
}

static belay_value finish_map(const program *self, size_t next, item *it) {
  int outcome = run(self, next, it);
  belay_value answer = outcome == FAILED    ? pb_failed_value()
                       : outcome == DROPPED ? dropped_value()
                                            : value_of(it);
  Py_XDECREF(it->object);
  return answer;
}

belay_value pb_run_map(void *self, belay_value value) {
  item it = {.is = VALUE, .value = value};
  size_t next = 0;
  int outcome = run_codes(self, &next, &it);
  pb_scope scope;
  if (outcome != FOR_PYTHON && is_interrupted(&scope)) {
    belay_value failure = pb_failed_value();
    pb_leave(scope);
    return failure;
  }
  if (outcome == PASSED) return value_of(&it);
  if (outcome == DROPPED) return dropped_value();
  if (!pb_enter(&scope)) return belay_value_failure(BELAY_ECANCELED, NULL);
  unseen = 0;
  belay_value answer = finish_map(self, next, &it);
  pb_leave(scope);
  return answer;
}

int pb_run_filter(void *self, belay_value value) {
  item it = {.is = VALUE, .value = value};
  size_t next = 0;
  int outcome = run_codes(self, &next, &it);
  pb_scope scope;
  if (outcome != FOR_PYTHON) {
    if (!is_interrupted(&scope)) return outcome;
    outcome = pb_failed();
    pb_leave(scope);
    return outcome;
  }
  if (!pb_enter(&scope)) return belay_fail(BELAY_ECANCELED, NULL);
  unseen = 0;
  outcome = run(self, next, &it);
  if (outcome == FAILED) outcome = pb_failed();
  Py_XDECREF(it.object);
  pb_leave(scope);
  return outcome;
}

/* ---- at the end of a chain ---- */

typedef struct listener {
  /* one reference of the subscription, one of the thread that subscribes */
  atomic_int references;
  belay_disposable *handle; /* set before anything is called; the subscription outlives its use */
  PyObject *next, *error, *completed, *disposed;
  int has_failed; /* a callable of its own has raised: it has heard its last event */
  int is_unheard; /* and nobody could be told */
  program *program;
  /* the `run` of the contextvars.Context that its callables run in, and what it calls; or NULL */
  PyObject *run, *inner;
  struct event *event; /* which goes in */
  int is_inside;
} listener;

static void release_listener(void *ctx) {
  listener *self = ctx;
  pb_scope scope;
  if (atomic_fetch_sub(&self->references, 1) != 1 || !pb_enter(&scope)) return;
  Py_XDECREF(self->next);
  Py_XDECREF(self->error);
  Py_XDECREF(self->completed);
  Py_XDECREF(self->disposed);
  Py_XDECREF(self->run);
  Py_XDECREF(self->inner);
  free_program(self->program);
  free(self);
  pb_leave(scope);
}

/* Calls something whose exception no caller gets: it goes to Python's hook. 0 when nobody hears
   it. */
static int tell(PyObject *callable, PyObject *argument) {
  PyObject *exit = pb_suspend_exit();
  int is_heard = pb_told(argument ? PB_CALL(callable, argument) : PB_CALL0(callable));
  pb_resume_exit(exit);
  return is_heard;
}

/* The exception becomes the error event, in the order of events. Then the source is left. Values that
   come from inside what is told are dropped. */
static void end_with(listener *self, PyObject *exception) {
  self->has_failed = 1;
  self->is_unheard = !(self->error ? tell(self->error, exception) : pb_tell_unhandled(exception));
  if (self->disposed) tell(self->disposed, NULL);
  pb_scope region = pb_begin_held();
  belay_disposable_dispose(self->handle);
  pb_end(region);
}

/* A callable has raised. Behind the end there is no event any more: the hook gets what the call under
   way does not raise. */
static void fail(listener *self) {
  PyObject *exception = pb_take_exception();
  if (!self->has_failed && !belay_disposable_is_disposed(self->handle)) end_with(self, exception);
  else if (!pb_is_exit(exception) && !(self->is_unheard && pb_keep_exit(exception)))
    pb_tell_unhandled(exception);
  Py_DECREF(exception);
}

/* Runs Python's part for a value, from the stage `next` on. */
static int deliver(listener *self, size_t next, item *it) {
  int outcome = run(self->program, next, it);
  if (outcome == PASSED && self->next && !self->has_failed) {
    PyObject *result = become_object(it) ? pb_call(self->next, it->object) : NULL;
    if (!result) outcome = FAILED;
    Py_XDECREF(result);
  }
  Py_CLEAR(it->object);
  return outcome;
}

/* An event on its way to Python. */
typedef struct event {
  enum { NEXT, ERROR, COMPLETED, DISPOSED, SIGNALS } is;
  item *it;    /* of a value, and the stage that is next */
  size_t next;
  PyObject *exception;
} event;

static void hear(listener *self, const event *event) {
  switch (event->is) {
    case NEXT:
      if (deliver(self, event->next, event->it) == FAILED) fail(self);
      return;
    case ERROR: tell(self->error, event->exception); return;
    case COMPLETED: tell(self->completed, NULL); return;
    case DISPOSED: tell(self->disposed, NULL); return;
    case SIGNALS:
      if (pb_check_signals() < 0) fail(self);
      return;
  }
}

static PyObject *hear_inside(PyObject *capsule, PyObject *unused) {
  listener *self = PyCapsule_GetPointer(capsule, NULL);
  const event *event = self->event;
  self->event = NULL;
  if (event) hear(self, event);
  Py_RETURN_NONE;
}

static PyMethodDef inner_method = {"hear", hear_inside, METH_NOARGS, NULL};

/* Hears an event in the listener's context. That can be entered once: an event that comes inside
   another one stays in the context that it comes in. */
static void hear_in_context(listener *self, event *event) {
  if (!self->run || self->is_inside) {
    hear(self, event);
    return;
  }
  self->is_inside = 1;
  self->event = event;
  PyObject *result = pb_call(self->run, self->inner);
  self->is_inside = 0;
  if (!result) PyErr_Clear(); /* it could not be entered, or left: at the limit of recursion, say */
  Py_XDECREF(result);
  if (!self->event) return;
  self->event = NULL;
  hear(self, event);
}

static void breathe(listener *self) {
  pb_scope scope;
  if (pb_hears_signals() && pb_enter(&scope)) {
    hear_in_context(self, &(event){.is = SIGNALS});
    pb_leave(scope);
  }
  pb_breathe();
}

static void on_next(void *ctx, belay_value value) {
  listener *self = ctx;
  if (self->has_failed) return;
  item it = {.is = VALUE, .value = value};
  size_t next = 0;
  if (run_codes(self->program, &next, &it) == DROPPED) {
    if (is_out_of_breath()) breathe(self);
    return;
  }
  unseen = 0;
  pb_scope scope;
  if (!pb_enter(&scope)) return;
  hear_in_context(self, &(event){.is = NEXT, .it = &it, .next = next});
  pb_leave(scope);
}

static void on_error(void *ctx, const belay_error *error) {
  listener *self = ctx;
  pb_scope scope;
  if (self->has_failed || !pb_enter(&scope)) return;
  PyObject *exception = pb_to_exception(error);
  if (!exception) exception = pb_take_exception();
  hear_in_context(self, &(event){.is = ERROR, .exception = exception});
  Py_DECREF(exception);
  pb_leave(scope);
}

static void on_completed(void *ctx) {
  listener *self = ctx;
  pb_scope scope;
  if (self->has_failed || !pb_enter(&scope)) return;
  hear_in_context(self, &(event){.is = COMPLETED});
  pb_leave(scope);
}

static void on_disposed(void *ctx) {
  listener *self = ctx;
  pb_scope scope;
  if (self->has_failed || !pb_enter(&scope)) return;
  hear_in_context(self, &(event){.is = DISPOSED});
  pb_leave(scope);
}

static PyObject *callable(PyObject *calls, Py_ssize_t index) {
  PyObject *call = PyTuple_GetItem(calls, index);
  return call == Py_None ? NULL : Py_NewRef(call);
}

static listener *make_listener(PyObject *stages, PyObject *calls) {
  listener *made = calloc(1, sizeof *made);
  made->references = 2;
  made->next = callable(calls, 0);
  made->error = callable(calls, 1);
  made->completed = callable(calls, 2);
  made->disposed = callable(calls, 3);
  made->program = read_program(stages);
  return made;
}

/* The callbacks that Belay calls for a listener, without `next`. */
static belay_observer observer_of(listener *self) {
  belay_observer observer = {
      .size = sizeof observer, .ctx = self, .ctx_free = release_listener};
  if (self->error) observer.error = on_error;
  if (self->completed) observer.completed = on_completed;
  if (self->disposed) observer.disposed = on_disposed;
  return observer;
}

/* 0 with an exception set when it fails. */
static int set_context(listener *self, PyObject *context) {
  PyObject *capsule = PyCapsule_New(self, NULL, NULL);
  self->run = PyObject_GetAttrString(context, "run");
  self->inner = capsule ? PyCFunction_New(&inner_method, capsule) : NULL;
  Py_XDECREF(capsule);
  return self->run && self->inner;
}

/* subscribe(signal, owner, loop, stages, calls, context): the address of the disposable. The first
   three are addresses, the second and third may be 0; `stages` is as for pb_program(); `calls` is what
   is called: (next, error, completed, disposed), each a callable or None; `context` is the
   contextvars.Context in which, or None. */
PyObject *pb_subscribe(PyObject *module, PyObject *arguments) {
  unsigned long long signal, owner, loop;
  PyObject *stages, *calls, *context;
  if (!PyArg_ParseTuple(arguments, "KKKO!O!O", &signal, &owner, &loop, &PyTuple_Type, &stages,
                        &PyTuple_Type, &calls, &context))
    return NULL;
  listener *self = make_listener(stages, calls);
  if (context != Py_None && !set_context(self, context)) {
    self->references = 1;
    release_listener(self);
    return NULL;
  }
  belay_observer observer = observer_of(self);
  observer.loop = (belay_loop *)(uintptr_t)loop;
  observer.owner = (belay_owner *)(uintptr_t)owner;
  if (self->next || self->program->count > 0) observer.next = on_next;
  int code;
  Py_BEGIN_ALLOW_THREADS
  pb_scope region = pb_begin_free();
  code = belay_signal_subscribe((belay_signal *)(uintptr_t)signal, &observer, &self->handle);
  pb_end(region);
  Py_END_ALLOW_THREADS
  belay_disposable *disposable = self->handle;
  release_listener(self);
  if (pb_raise_exit() == 0)
    return code < 0 ? pb_raise_error(code) : PyLong_FromVoidPtr(disposable);
  if (code >= 0) belay_disposable_release(disposable);
  return NULL;
}

belay_op *pb_do(uintptr_t calls) {
  PyGILState_STATE gil = PyGILState_Ensure();
  PyObject *stages = PyTuple_New(0);
  listener *self = make_listener(stages, (PyObject *)calls);
  Py_DECREF(stages);
  PyGILState_Release(gil);
  self->references = 1;
  belay_observer observer = observer_of(self);
  return belay_op_do(&observer);
}
