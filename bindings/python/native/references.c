/* References to handles: objects that give a reference of Belay's back when they go. */
#include "internal.h"

static void deallocate(PyObject *object) {
  pb_reference *self = (pb_reference *)object;
  PyTypeObject *type = Py_TYPE(object);
  pb_errors errors = pb_suspend_errors();
  Py_BEGIN_ALLOW_THREADS
  self->release(self->pointer);
  Py_END_ALLOW_THREADS
  if (self->is_given_back && !errors.exit) errors.exit = pb_suspend_exit();
  pb_resume_errors(errors);
  PyObject_Free(object);
  Py_DECREF(type);
}

/* As a buffer it is what cffi makes a pointer of, which keeps it: ffi.from_buffer(). */
static int get_buffer(PyObject *object, Py_buffer *view, int flags) {
  return PyBuffer_FillInfo(view, object, ((pb_reference *)object)->pointer, 0, 1, flags);
}

static PyObject *get_address(PyObject *object, void *unused) {
  return PyLong_FromVoidPtr(((pb_reference *)object)->pointer);
}

static int set_is_given_back(PyObject *object, PyObject *given, void *unused) {
  ((pb_reference *)object)->is_given_back = given == Py_True;
  return 0;
}

static PyGetSetDef attributes[] = {{"address", get_address, NULL, NULL, NULL},
                                   {"is_given_back", NULL, set_is_given_back, NULL, NULL},
                                   {NULL, NULL, NULL, NULL, NULL}};
static PyType_Slot slots[] = {
    {Py_tp_dealloc, deallocate},
    {Py_tp_getset, attributes},
    {Py_bf_getbuffer, get_buffer},
    {Py_tp_doc, "A reference to a handle, which is given back when nothing has this any more."},
    {0, NULL}};
/* It has no finalizer, and the collector does not know it. So it goes after the finalizers of all
   that a collection has found, and none of them uses a handle that has gone. */
PyType_Spec pb_reference_spec = {.name = "libbelay._native.Reference",
                                 .basicsize = sizeof(pb_reference),
                                 .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                                 .slots = slots};
PyObject *pb_reference_type;

/* own(address, release): the reference of the handle at that address, which the function at the
   other one gives back. */
PyObject *pb_own(PyObject *module, PyObject *arguments) {
  unsigned long long pointer, release;
  if (!PyArg_ParseTuple(arguments, "KK", &pointer, &release)) return NULL;
  pb_reference *self = PyObject_New(pb_reference, (PyTypeObject *)pb_reference_type);
  if (!self) return NULL;
  self->pointer = (void *)(uintptr_t)pointer;
  self->release = (belay_free_fn)(uintptr_t)release;
  self->is_given_back = 0;
  return (PyObject *)self;
}

/* ---- objects that have one ---- */

static PyObject *get_reference(PyObject *self, void *unused) {
  pb_reference *reference = ((pb_holder *)self)->reference;
  return Py_NewRef(reference ? (PyObject *)reference : Py_None);
}

static int set_reference(PyObject *self, PyObject *given, void *unused) {
  pb_holder *holder = (pb_holder *)self;
  PyObject *former = (PyObject *)holder->reference;
  int is_one = given && Py_TYPE(given) == (PyTypeObject *)pb_reference_type;
  holder->reference = is_one ? (pb_reference *)Py_NewRef(given) : NULL;
  Py_XDECREF(former);
  return 0;
}

static void deallocate_holder(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
  Py_XDECREF((PyObject *)((pb_holder *)self)->reference);
  release(self);
  Py_DECREF(type);
}

static PyGetSetDef holder_attributes[] = {{"_reference", get_reference, set_reference, NULL, NULL},
                                          {NULL, NULL, NULL, NULL, NULL}};
static PyType_Slot holder_slots[] = {
    {Py_tp_dealloc, deallocate_holder}, {Py_tp_getset, holder_attributes}, {0, NULL}};
PyType_Spec pb_holder_spec = {.name = "libbelay._native.Holder",
                              .basicsize = sizeof(pb_holder),
                              .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                              .slots = holder_slots};
