/* Callbacks whose context is an object of Python's: one for each shape that Belay has. Their
 * results are given away; an exception becomes the failure that the shape has. */
#include "internal.h"

static PyObject *object_of(void *ctx, Py_ssize_t index) { return PyTuple_GetItem(ctx, index); }

/* The results of calling a callable with one value, or with two. */
static PyObject *called(PyObject *callable, belay_value value) {
  PyObject *object = pb_to_object(value);
  PyObject *result = object ? pb_call(callable, object) : NULL;
  Py_XDECREF(object);
  return result;
}

static PyObject *called_with_two(PyObject *callable, belay_value a, belay_value b) {
  PyObject *first = pb_to_object(a), *second = pb_to_object(b);
  PyObject *result = first && second ? PB_CALL(callable, first, second) : NULL;
  Py_XDECREF(first);
  Py_XDECREF(second);
  return result;
}

/* ---- results ---- */

static belay_value value_of(PyObject *result) {
  if (!result) return pb_failed_value();
  belay_value value = pb_to_value(result);
  Py_DECREF(result);
  return value;
}

static int truth_of(PyObject *result) {
  int truth = result ? PyObject_IsTrue(result) : -1;
  Py_XDECREF(result);
  return truth < 0 ? pb_failed() : truth;
}

static int nothing_of(PyObject *result) {
  if (!result) return pb_failed();
  Py_DECREF(result);
  return 0;
}

/* The handle that a hook finds for the result. NULL, with the failure recorded, if it finds
   none. */
static void *handle_of(PyObject *result, PyObject *hook) {
  PyObject *address = result ? PB_CALL(hook, result) : NULL;
  void *handle = address ? PyLong_AsVoidPtr(address) : NULL;
  Py_XDECREF(result);
  Py_XDECREF(address);
  if (!handle && PyErr_Occurred()) pb_failed();
  return handle;
}

static void print_unheard(PyObject *exception) {
  PyErr_SetObject((PyObject *)Py_TYPE(exception), exception);
  PyErr_WriteUnraisable(NULL);
}

/* The hook raises no Exception, unless it could not be called at all: at the limit of recursion, or without
   memory. */
int pb_tell_unhandled(PyObject *exception) {
  PyObject *exit = pb_suspend_exit();
  PyObject *result = PB_CALL(pb_hook.unhandled, exception, Py_None);
  PyObject *other = result ? NULL : pb_take_exception();
  int is_told = !other || !PyErr_GivenExceptionMatches(other, PyExc_Exception);
  if (!is_told && !pb_keep_exit(exception)) {
    print_unheard(exception);
    print_unheard(other);
  }
  Py_XDECREF(other);
  Py_XDECREF(result);
  pb_resume_exit(exit);
  return is_told;
}

int pb_told(PyObject *result) {
  PyObject *exception = result ? NULL : pb_take_exception();
  int is_heard = !exception || pb_tell_unhandled(exception);
  Py_XDECREF(exception);
  Py_XDECREF(result);
  return is_heard;
}

/* The body of a callback: with the GIL, or `otherwise` when the interpreter is ending. */
#define CALLBACK(type, otherwise, expression) \
  pb_scope scope;                           \
  if (!pb_enter(&scope)) return otherwise;    \
  type answer = expression;                   \
  pb_leave(scope);                              \
  return answer
#define ENDING belay_fail(BELAY_ECANCELED, NULL)
#define NO_VALUE belay_value_failure(BELAY_ECANCELED, NULL)

/* ---- of values ---- */

belay_value pb_map(void *ctx, belay_value value) {
  CALLBACK(belay_value, NO_VALUE, value_of(called(ctx, value)));
}

int pb_predicate(void *ctx, belay_value value) {
  CALLBACK(int, ENDING, truth_of(called(ctx, value)));
}

int pb_attempt(void *ctx, belay_value value) {
  CALLBACK(int, ENDING, nothing_of(called(ctx, value)));
}

int pb_compare(void *ctx, belay_value a, belay_value b) {
  CALLBACK(int, ENDING, truth_of(called_with_two(ctx, a, b)));
}

static int are_equal(belay_value a, belay_value b) {
  PyObject *first = pb_to_object(a), *second = pb_to_object(b);
  int equal = first && second ? PyObject_RichCompareBool(first, second, Py_EQ) : -1;
  Py_XDECREF(first);
  Py_XDECREF(second);
  return equal < 0 ? pb_failed() : equal;
}

int pb_equal(void *ctx, belay_value a, belay_value b) {
  belay_kind kind = belay_value_kind(a);
  /* Values that Belay and Python compare alike need no Python. */
  if (kind == belay_value_kind(b) && kind != BELAY_KIND_POINTER && kind != BELAY_KIND_ARRAY)
    return belay_value_equal(a, b);
  CALLBACK(int, ENDING, are_equal(a, b));
}

belay_value pb_scan(void *ctx, belay_value accumulated, belay_value value) {
  CALLBACK(belay_value, NO_VALUE, value_of(called_with_two(ctx, accumulated, value)));
}

static PyObject *called_with_all(PyObject *callable, const belay_value *values, size_t count) {
  PyObject *arguments = PyTuple_New((Py_ssize_t)count);
  for (size_t i = 0; arguments && i < count; i++) {
    PyObject *object = pb_to_object(values[i]);
    if (!object || PyTuple_SetItem(arguments, (Py_ssize_t)i, object) < 0) Py_CLEAR(arguments);
  }
  if (callable == Py_None) return arguments;
  PyObject *result = arguments ? PyObject_Call(callable, arguments, NULL) : NULL;
  Py_XDECREF(arguments);
  return result;
}

belay_value pb_combine(void *ctx, const belay_value *values, size_t count) {
  CALLBACK(belay_value, NO_VALUE, value_of(called_with_all(ctx, values, count)));
}

belay_value pb_produce(void *ctx) { CALLBACK(belay_value, NO_VALUE, value_of(PB_CALL0(ctx))); }

static int next_of(PyObject *iterator, belay_value *out) {
  PyObject *object = PyIter_Next(iterator);
  if (!object) return PyErr_Occurred() ? pb_failed() : 0;
  *out = pb_to_value(object);
  Py_DECREF(object);
  return 1;
}

int pb_iterate(void *ctx, belay_value *out) { CALLBACK(int, ENDING, next_of(ctx, out)); }

int pb_generate_condition(void *ctx, belay_value state) {
  CALLBACK(int, ENDING, truth_of(called(object_of(ctx, 0), state)));
}

belay_value pb_generate_next(void *ctx, belay_value state) {
  CALLBACK(belay_value, NO_VALUE, value_of(called(object_of(ctx, 1), state)));
}

belay_value pb_generate_result(void *ctx, belay_value state) {
  CALLBACK(belay_value, NO_VALUE, value_of(called(object_of(ctx, 2), state)));
}

/* ---- of signals ---- */

belay_signal *pb_make_signal(void *ctx) {
  CALLBACK(belay_signal *, NULL, handle_of(PB_CALL0(ctx), pb_hook.signal));
}

belay_signal *pb_flat_map(void *ctx, belay_value value) {
  CALLBACK(belay_signal *, NULL, handle_of(called(ctx, value), pb_hook.signal));
}

belay_value pb_group_key(void *ctx, belay_value value) {
  CALLBACK(belay_value, NO_VALUE, value_of(called(object_of(ctx, 0), value)));
}

belay_signal *pb_group_until(void *ctx, belay_value group) {
  CALLBACK(belay_signal *, NULL, handle_of(called(object_of(ctx, 1), group), pb_hook.signal));
}

static PyObject *called_with_error(PyObject *callable, const belay_error *error) {
  PyObject *exception = pb_to_exception(error);
  PyObject *result = exception ? PB_CALL(callable, exception) : NULL;
  Py_XDECREF(exception);
  return result;
}

belay_signal *pb_catch(void *ctx, const belay_error *error) {
  CALLBACK(belay_signal *, NULL, handle_of(called_with_error(ctx, error), pb_hook.signal));
}

/* Passes `handle` as a value to the callable, and releases that value. */
static PyObject *called_with_handle(PyObject *callable, belay_value handle) {
  PyObject *result = called(callable, handle);
  pb_release(handle);
  return result;
}

belay_signal *pb_when(void *ctx, belay_signal *events) {
  CALLBACK(belay_signal *, NULL,
           handle_of(called_with_handle(ctx, belay_value_from_signal(events)), pb_hook.signal));
}

belay_disposable *pb_producer(void *ctx, belay_subscriber *subscriber) {
  CALLBACK(belay_disposable *, NULL,
           handle_of(called_with_handle(ctx, belay_value_from_subscriber(subscriber)),
                     pb_hook.disposable));
}

static belay_error *mapped_error(PyObject *result) {
  if (result && !PyExceptionInstance_Check(result)) {
    PyErr_SetString(PyExc_TypeError, "an error can only become an exception");
    Py_CLEAR(result);
  }
  if (!result) return pb_failed(), NULL;
  belay_error *error = pb_to_error(result);
  Py_DECREF(result);
  return error;
}

belay_error *pb_map_error(void *ctx, const belay_error *error) {
  CALLBACK(belay_error *, NULL, mapped_error(called_with_error(ctx, error)));
}

/* `ctx` is (make, use). `make` returns the resource and the address of a disposable, with a
   reference, that keeps the resource and ends it. */
static belay_disposable *made_resource(PyObject *make, void **resource) {
  PyObject *both = PB_CALL0(make);
  if (!both) return pb_failed(), NULL;
  *resource = PyTuple_GetItem(both, 0);
  belay_disposable *end = PyLong_AsVoidPtr(PyTuple_GetItem(both, 1));
  Py_DECREF(both);
  return end;
}

belay_disposable *pb_make_resource(void *ctx, void **resource) {
  CALLBACK(belay_disposable *, NULL, made_resource(object_of(ctx, 0), resource));
}

belay_signal *pb_use_resource(void *ctx, void *resource) {
  CALLBACK(belay_signal *, NULL,
           handle_of(PB_CALL(object_of(ctx, 1), (PyObject *)resource), pb_hook.signal));
}

/* ---- of nothing ---- */

#define TELL(expression)          \
  pb_scope scope;           \
  if (!pb_enter(&scope)) return;    \
  pb_told(expression);            \
  pb_leave(scope)

void pb_action(void *ctx) { TELL(PB_CALL0(ctx)); }

/* Calls with arguments that a format of Py_BuildValue's makes, as a tuple. */
#define CALLED(callable, ...)                                                 \
  PyObject *arguments = Py_BuildValue(__VA_ARGS__);                           \
  PyObject *result = arguments ? PyObject_Call(callable, arguments, NULL) : NULL; \
  Py_XDECREF(arguments);                                                      \
  return result

static PyObject *address_of(const void *pointer) { return PyLong_FromVoidPtr((void *)pointer); }

static PyObject *called_with_address(PyObject *callable, const void *pointer) {
  CALLED(callable, "(N)", address_of(pointer));
}

int pb_around(void *ctx, belay_invocation *call) {
  CALLBACK(int, ENDING, nothing_of(called_with_address(ctx, call)));
}

int pb_forward(void *ctx, void *object, belay_invocation *call) {
  pb_scope scope;
  if (!pb_enter(&scope)) return ENDING;
  int is_handled = truth_of(called_with_address(ctx, call));
  pb_leave(scope);
  return is_handled > 0 ? 0 : is_handled < 0 ? is_handled : BELAY_ENOENT;
}

belay_value pb_respond(void *ctx, belay_invocation *call) {
  CALLBACK(belay_value, NO_VALUE, value_of(called_with_address(ctx, call)));
}

void pb_recursive(void *ctx, belay_recursion *recursion) {
  TELL(called_with_address(ctx, recursion));
}

static PyObject *called_with_line(PyObject *callable, const char *line) {
  CALLED(callable, "(N)", pb_text(line));
}

void pb_log(void *ctx, const char *line) { TELL(called_with_line(ctx, line)); }

static PyObject *called_with_unhandled(PyObject *hook, const belay_error *error,
                                       const char *signal) {
  CALLED(hook, "(NN)", pb_to_exception(error), pb_text(signal));
}

void pb_unhandled(void *ctx, const belay_error *error, const char *signal, const char *site) {
  TELL(called_with_unhandled(ctx ? ctx : pb_hook.unhandled, error, signal));
}

static PyObject *called_with_overlap(PyObject *hook, belay_overlap overlap, const char *source,
                                     const char *sender) {
  CALLED(hook, "(sNN)", overlap == BELAY_OVERLAP_NESTED ? "nested" : "threads", pb_text(source),
         pb_text(sender));
}

void pb_overlap(void *ctx, belay_overlap overlap, const char *source, const char *sender,
                const char *site) {
  TELL(called_with_overlap(ctx, overlap, source, sender));
}

static PyObject *called_with_slow(PyObject *hook, double seconds, const char *name) {
  CALLED(hook, "(dN)", seconds, pb_text(name));
}

void pb_slow_callback(void *ctx, double seconds, const char *name, const char *site) {
  TELL(called_with_slow(ctx, seconds, name));
}

static PyObject *called_with_event(PyObject *callable, const belay_owner_event *event) {
  CALLED(callable, "(NN)", pb_text(event->name), pb_to_object(event->user_info));
}

void pb_owner_event(void *ctx, const belay_owner_event *event) {
  TELL(called_with_event(ctx, event));
}

void pb_notice(void *user_info, const char *name, void *address) {
  TELL(called_with_line(user_info, name));
}

void pb_notice_name(void *ctx, const char *name, void *user_info) {
  (void)user_info;
  TELL(called_with_line(ctx, name));
}

static PyObject *called_with_open_resources(PyObject *callable,
                                            const belay_open_resource *const *resources,
                                            size_t count) {
  PyObject *list = PyList_New(0);
  for (size_t i = 0; list && i < count; i++) {
    PyObject *one = Py_BuildValue("(NNiN)", pb_text(belay_open_resource_kind(resources[i])),
                                  pb_text(belay_open_resource_label(resources[i])),
                                  belay_open_resource_is_foreign(resources[i]),
                                  pb_text(belay_open_resource_site(resources[i])));
    if (!one || PyList_Append(list, one) < 0) Py_CLEAR(list);
    Py_XDECREF(one);
  }
  CALLED(callable, "(N)", list);
}

void pb_closed(void *ctx, const belay_open_resource *const *resources, size_t count) {
  TELL(called_with_open_resources(ctx, resources, count));
}

/* ---- breakpoints ---- */

static int stops_at_next(PyObject *callable, belay_value value) {
  return callable == Py_None ? 0 : truth_of(called(callable, value));
}

int pb_stop_at_next(void *ctx, belay_value value) {
  CALLBACK(int, 0, stops_at_next(object_of(ctx, 0), value));
}

static int stops_at_error(PyObject *callable, const belay_error *error) {
  return callable == Py_None ? 0 : truth_of(called_with_error(callable, error));
}

int pb_stop_at_error(void *ctx, const belay_error *error) {
  CALLBACK(int, 0, stops_at_error(object_of(ctx, 1), error));
}

static int stops_at_completed(PyObject *callable) {
  return callable == Py_None ? 0 : truth_of(PB_CALL0(callable));
}

int pb_stop_at_completed(void *ctx) { CALLBACK(int, 0, stops_at_completed(object_of(ctx, 2))); }
