// Works around faults of libffi (3.4.4, at least). Each concerns one architecture.
#include "shape.h"

// x86-64: when a struct of an integer and a float has its integer in the last general register, libffi
// copies the whole struct into that register's place, and over the first vector register behind it. The
// two halves are passed as two arguments then, which has the same effect.
#if defined(__x86_64__) && !defined(_WIN32) && defined(__LP64__)
enum { general_registers = 6, vector_registers = 8 };

// The contents of the two halves of a value. A value that is passed in memory has neither.
typedef struct halves {
  bool has_integer[2], has_float[2];
} halves;

static bool look(const ffi_type *type, size_t offset, halves *found) {
  if (type->type == FFI_TYPE_LONGDOUBLE || offset + type->size > 16) return false;
  if (type->type == FFI_TYPE_STRUCT) {
    for (ffi_type **element = type->elements; *element; element++) {
      offset = (offset + (*element)->alignment - 1) / (*element)->alignment * (*element)->alignment;
      if (!look(*element, offset, found)) return false;
      offset += (*element)->size;
    }
  } else if (type->type == FFI_TYPE_FLOAT || type->type == FFI_TYPE_DOUBLE) {
    found->has_float[offset / 8] = true;
  } else {
    found->has_integer[offset / 8] = true;
  }
  return true;
}

int belay_shape_halve(const ffi_cif *cif, ffi_type **types) {
  unsigned general = 0, vector = 0;
  halves result = {0};
  if (cif->rtype->type == FFI_TYPE_STRUCT && !look(cif->rtype, 0, &result)) general++;
  for (unsigned i = 0; i < cif->nargs; i++) {
    halves it = {0};
    if (!look(cif->arg_types[i], 0, &it)) continue;
    unsigned integers = it.has_integer[0] + it.has_integer[1];
    unsigned floats = (it.has_float[0] && !it.has_integer[0]) +
                      (it.has_float[1] && !it.has_integer[1]);
    if (general + integers > general_registers || vector + floats > vector_registers) continue;
    if (general == general_registers - 1 && it.has_integer[0] && floats == 1) {
      for (unsigned j = 0; j < cif->nargs; j++) types[j < i ? j : j + 1] = cif->arg_types[j];
      types[i] = &ffi_type_uint64;
      types[i + 1] = cif->arg_types[i]->size == 12 ? &ffi_type_float : &ffi_type_double;
      return (int)i;
    }
    general += integers;
    vector += floats;
  }
  return -1;
}
#else
int belay_shape_halve(const ffi_cif *cif, ffi_type **types) { return -1; }
#endif

// ARM64: a large struct is passed by its address. When that address is on the stack, a call aligns it as
// the struct is aligned, which is wrong for an alignment of 16.
#if defined(__aarch64__)
// Whether all members of `type` are floats of one kind, of which there are `count`.
static bool is_homogeneous(const ffi_type *type, int *kind, unsigned *count) {
  if (type->type == FFI_TYPE_STRUCT) {
    for (ffi_type **element = type->elements; *element; element++)
      if (!is_homogeneous(*element, kind, count)) return false;
    return true;
  }
  if (type->type < FFI_TYPE_FLOAT || type->type > FFI_TYPE_LONGDOUBLE) return false;
  if (*count > 0 && type->type != *kind) return false;
  *kind = type->type;
  *count += 1;
  return true;
}

bool belay_shape_is_misaligned(const ffi_type *type) {
  int kind = 0;
  unsigned count = 0;
  if (type->type != FFI_TYPE_STRUCT || type->size <= 16 || type->alignment <= 8) return false;
  return !is_homogeneous(type, &kind, &count) || count > 4;
}
#else
bool belay_shape_is_misaligned(const ffi_type *type) { return false; }
#endif
