/* What the files of the shim share. */
#ifndef LIBBELAY_INTERNAL_H
#define LIBBELAY_INTERNAL_H

#include <Python.h>

#include "shim.h"

/* The tuple that Python's side gave to set_hooks(), in this order. It is complete from then on. */
typedef struct pb_hooks {
  /* the class of objects that stand for a handle, a subclass of Holder; they have `_kind`, `_held`
     and `_address` */
  PyObject *wrapper;
  PyObject *wrap;        /* (kind, address) -> such an object, with a reference of its own */
  PyObject *classes;     /* {kind: the class of the objects that `wrap` makes} */
  /* (object) -> the address of the signal that it stands for, with a reference */
  PyObject *signal;
  PyObject *disposable;  /* (object) -> the same for a disposable, or 0 */
  PyObject *error_class; /* BelayError */
  PyObject *make_error;  /* (code, domain, message, value, cause) -> BelayError */
  PyObject *last_error;  /* (code) -> the exception for the call that has just failed */
  PyObject *unhandled;   /* (exception, signal): gets an error that nobody handles */
} pb_hooks;
extern pb_hooks pb_hook;

/* What pb_leave() undoes. */
typedef struct pb_scope {
  int state;
  PyGILState_STATE gil;
  PyObject *exit; /* the exception of an earlier callback, which the call under way is to raise */
} pb_scope;
/* Takes the GIL for a callback. 0 when the interpreter is ending, and then nothing of Python may be
   touched. */
int pb_enter(pb_scope *scope);
void pb_leave(pb_scope scope);

/* A region is a call of Belay's that may call back often. pb_begin_held() keeps the caller's GIL
   for its callbacks. pb_begin_free() begins without the GIL: the first callback takes it for the
   rest of the region. A wait inside the core gives it up meanwhile (see runtime.c). */
pb_scope pb_begin_held(void);
pb_scope pb_begin_free(void);
void pb_end(pb_scope region);
/* Releases a value with the caller's GIL. An object that ends with it may wait for another
   thread. */
void pb_release(belay_value value);
/* A short rest, without the GIL. */
void pb_rest(void);
/* Native code has run for a while without Python: a free region gives the GIL up again. */
void pb_breathe(void);
/* Whether that code is to take the GIL and to ask pb_check_signals(). */
int pb_hears_signals(void);
/* Calls Python's handlers of the POSIX signals that have come. -1 with the exception set that one of
   them has raised. 0 also where no call could raise it. */
int pb_check_signals(void);

#define PB_CALL(callable, ...) PyObject_CallFunctionObjArgs((callable), __VA_ARGS__, NULL)
/* Calls with one argument without a tuple. The stable ABI has that call since 3.12; before, it
   works in the same way, without a promise. */
PyObject *PyObject_Vectorcall(PyObject *callable, PyObject *const *arguments, size_t count,
                              PyObject *names);
static inline PyObject *pb_call(PyObject *callable, PyObject *argument) {
  PyObject *arguments[2] = {NULL, argument}; /* the callee may use the first place */
  size_t may_use_it = (size_t)1 << (8 * sizeof(size_t) - 1);
  return PyObject_Vectorcall(callable, arguments + 1, 1 | may_use_it, NULL);
}
#define PB_CALL0(callable) PyObject_CallFunctionObjArgs((callable), NULL)

/* With the GIL held. */
PyObject *pb_to_object(belay_value value);   /* NULL with an exception set when it fails */
belay_value pb_to_value(PyObject *object);   /* never fails */
PyObject *pb_to_exception(const belay_error *error);
/* A text of Belay's: None for NULL, and a mark in the place of what is not UTF-8, as in a path. */
PyObject *pb_text(const char *text);
belay_error *pb_to_error(PyObject *exception);
/* Takes and clears the exception that is set, with its traceback. If it is no Exception, such as
   KeyboardInterrupt, pb_raise_exit() gets it, too. */
PyObject *pb_take_exception(void);
/* The same, as the result of a callback. */
int pb_failed(void);
belay_value pb_failed_value(void);
/* Releases the result of a callback that answers nothing. If it is NULL, the hook gets the
   exception. 0 when the hook could not be called. */
int pb_told(PyObject *result);
/* The hook gets an exception that nobody handles. 0 when it could not be called: the call under way
   raises the exception. */
int pb_tell_unhandled(PyObject *exception);
/* The answer of a call that sends: None or an exception. A value after an end is dropped, as in
   ReactiveX. */
PyObject *pb_answer(int code);
/* Raises the failure of the call that has just answered with `code`. NULL. */
PyObject *pb_raise_error(int code);
/* Has the call under way raise the exception, or an earlier one. 0 where there is no such call. */
int pb_keep_exit(PyObject *exception);
/* Whether that is the one it raises. */
int pb_is_exit(PyObject *exception);
/* 0, or -1 with the exception set that a callback could not pass on. */
int pb_raise_exit(void);
/* The result of a call into Belay, or NULL with that exception. */
PyObject *pb_returned(PyObject *result);
/* Takes that exception out of the way of Python code that runs meanwhile. NULL without one. */
PyObject *pb_suspend_exit(void);
/* Puts it back, in the place of a later one. */
void pb_resume_exit(PyObject *exception);
/* Around the end of an object, whose callbacks have nobody to raise for: Python's hook for that gets
   their exception. The exceptions from before stay as they were. */
typedef struct pb_errors {
  PyObject *type, *exception, *traceback, *exit;
} pb_errors;
pb_errors pb_suspend_errors(void);
void pb_resume_errors(pb_errors errors);

/* Expressions: see expressions.c. */
typedef struct pb_instruction {
  int32_t op;
  int32_t type;
  union {
    int64_t i;
    double d;
  } operand;
} pb_instruction;
typedef enum pb_type { PB_INT, PB_FLOAT, PB_BOOL, PB_NONE } pb_type;
typedef struct pb_number {
  union {
    int64_t i;
    double d;
  };
  pb_type type;
} pb_number;
/* The number that the code makes of `number`; of type PB_NONE when only Python can compute it. */
pb_number pb_evaluate(const pb_instruction *code, size_t size, pb_number number);

/* A reference to a handle. Code that uses the pointer without the GIL keeps the object
   meanwhile. */
typedef struct pb_reference {
  PyObject_HEAD
  void *pointer;
  belay_free_fn release;
  int is_given_back; /* by a call, which raises what callables have raised then */
} pb_reference;
extern PyType_Spec pb_reference_spec;
extern PyObject *pb_reference_type;
PyObject *pb_own(PyObject *module, PyObject *arguments);
/* An object that stands for a handle. */
typedef struct pb_holder {
  PyObject_HEAD
  pb_reference *reference; /* NULL when it has ended, or has yet to be built */
} pb_holder;
extern PyType_Spec pb_holder_spec;

/* The module's built-in functions. */
extern PyMethodDef pb_methods[];
/* The type of the work that a loop of the program's own gets. */
extern PyType_Spec pb_work_spec;
extern PyObject *pb_work_type;
PyObject *pb_set_hooks(PyObject *module, PyObject *hooks);
PyObject *pb_subscribe(PyObject *module, PyObject *arguments);
PyObject *pb_wait_for_room(PyObject *module, PyObject *arguments);
PyObject *pb_export(PyObject *module, PyObject *address);
PyObject *pb_import(PyObject *module, PyObject *capsule);
PyObject *pb_held(PyObject *module, PyObject *capsule);
PyObject *pb_load(PyObject *module, PyObject *address);
PyObject *pb_exception(PyObject *module, PyObject *address);

#endif
