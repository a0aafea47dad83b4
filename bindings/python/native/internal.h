/* What the files of the shim share. */
#ifndef LIBBELAY_INTERNAL_H
#define LIBBELAY_INTERNAL_H

#include <Python.h>

#include "shim.h"

/* The tuple that Python's side gave to pb_setup(), in this order. It is complete from then on. */
typedef struct pb_hooks {
  /* the class of objects that stand for a handle; they have `_kind` and `_address` */
  PyObject *wrapper;
  PyObject *wrap;        /* (kind, address) -> such an object, with a reference of its own */
  /* (object) -> the address of the signal that it stands for, with a reference */
  PyObject *signal;
  PyObject *disposable;  /* (object) -> the same for a disposable, or 0 */
  PyObject *error_class; /* BelayError */
  PyObject *make_error;  /* (code, domain, message, value, cause) -> BelayError */
  PyObject *unhandled;   /* (exception, signal): gets an error that nobody handles */
} pb_hooks;
extern pb_hooks pb_hook;

/* Takes the GIL for a callback. 0 when the interpreter is ending, and then nothing of Python may be
   touched. */
int pb_enter(PyGILState_STATE *gil);
void pb_leave(PyGILState_STATE gil);

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
belay_error *pb_to_error(PyObject *exception);
/* Takes and clears the exception that is set, with its traceback. If it is no Exception, such as
   KeyboardInterrupt, pb_raise_exit() gets it, too. */
PyObject *pb_take_exception(void);
/* The same, as the result of a callback. */
int pb_failed(void);
belay_value pb_failed_value(void);
/* Releases the result of a callback that answers nothing. If it is NULL, the hook gets the
   exception. */
void pb_told(PyObject *result);
/* 0, or -1 with the exception set that a callback could not pass on. */
int pb_raise_exit(void);

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

/* The module's built-in functions. */
extern PyMethodDef pb_methods[];
PyObject *pb_load(PyObject *module, PyObject *address);
PyObject *pb_exception(PyObject *module, PyObject *address);

#endif
