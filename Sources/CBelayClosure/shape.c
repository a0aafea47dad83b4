// Parses shapes into libffi's types.
#include "shape.h"

#include "CBelayShim.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { most_members = 1024, most_nested = 16, most_bytes = 65536 };

// Memory of struct types, which lives as long as the shape.
typedef struct block {
  struct block *next;
} block;

struct belay_shape {
  ffi_cif cif;
  ffi_cif call;  // for calls, if they need another one: see faults.c
  int halved;    // the argument that is passed as two in `call`, or -1
  ffi_type *types[1 + BELAY_SHAPE_MOST_ARGUMENTS];  // the result's first
  ffi_type *told[BELAY_SHAPE_MOST_ARGUMENTS];       // the arguments, as libffi is told of them
  ffi_type *call_types[1 + BELAY_SHAPE_MOST_ARGUMENTS];
  belay_shape_part parts[1 + BELAY_SHAPE_MOST_ARGUMENTS];
  unsigned count;
  int context;
  size_t frame_size;
  block *blocks;
};

typedef struct {
  belay_shape *shape;
  const char *at;
  unsigned members;  // of all structs that are complete
  // The members of the structs that are incomplete. An inner struct's follow the outer one's.
  ffi_type *open[most_members];
  unsigned opened;
  bool has_too_many;
} parser;

static void *take(parser *p, size_t size) {
  block *made = calloc(1, sizeof *made + size);
  if (!made) belay_shim_out_of_memory(sizeof *made + size);
  made->next = p->shape->blocks;
  p->shape->blocks = made;
  return made + 1;
}

// The name of a type. Values refer to it, and may outlive its description, so it is never freed.
static const char *interned(const char *text, size_t size) {
  typedef struct name {
    struct name *next;
    char text[];
  } name;
  static name *names;
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&lock);
  name *found = names;
  while (found && (strlen(found->text) != size || memcmp(found->text, text, size) != 0))
    found = found->next;
  if (!found) {
    found = malloc(sizeof *found + size + 1);
    if (!found) belay_shim_out_of_memory(sizeof *found + size + 1);
    memcpy(found->text, text, size);
    found->text[size] = 0;
    found->next = names;
    names = found;
  }
  pthread_mutex_unlock(&lock);
  return found->text;
}

static ffi_type *integer(size_t size, bool is_signed, char *code) {
  static ffi_type *const types[2][4] = {
      {&ffi_type_uint8, &ffi_type_uint16, &ffi_type_uint32, &ffi_type_uint64},
      {&ffi_type_sint8, &ffi_type_sint16, &ffi_type_sint32, &ffi_type_sint64}};
  int power = size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : 3;
  *code = (is_signed ? "csiq" : "CSIQ")[power];
  return types[is_signed][power];
}

static ffi_type *scalar(char letter, char *code) {
  *code = letter;
  switch (letter) {
    case 'B': return &ffi_type_uint8;
    case 'c': return integer(1, true, code);
    case 'C': return integer(1, false, code);
    case 's': return integer(2, true, code);
    case 'S': return integer(2, false, code);
    case 'i': return integer(4, true, code);
    case 'I': return integer(4, false, code);
    case 'q': return integer(8, true, code);
    case 'Q': return integer(8, false, code);
    case 'l': return integer(sizeof(long), true, code);
    case 'L': return integer(sizeof(long), false, code);
    case 'T': return integer(sizeof(size_t), false, code);
    case 't': return integer(sizeof(ptrdiff_t), true, code);
    case 'f': return &ffi_type_float;
    case 'd': return &ffi_type_double;
    case 'D': return &ffi_type_longdouble;
    case 'p':
    case '*': return &ffi_type_pointer;
    default: return NULL;
  }
}

static ffi_type *member(parser *p, unsigned depth);

static size_t aligned(size_t size, size_t alignment) {
  return (size + alignment - 1) / alignment * alignment;
}

// Computes the layout of a struct. False if it is too large to be passed by value.
static bool lay_out(ffi_type *type) {
  for (ffi_type **element = type->elements; *element; element++) {
    if ((*element)->alignment > type->alignment) type->alignment = (*element)->alignment;
    type->size = aligned(type->size, (*element)->alignment) + (*element)->size;
    if (type->size > most_bytes) return false;
  }
  type->size = aligned(type->size, type->alignment);
  return true;
}

// A struct or an array, whose members end with `close`; an array has one member, `repeats` times.
// libffi knows no arrays. An array is laid out and passed like a struct of its elements.
static ffi_type *aggregate(parser *p, unsigned depth, char close, unsigned repeats) {
  unsigned first = p->opened;
  while (*p->at != close) {
    if (p->opened == most_members || (repeats && p->opened > first)) return NULL;
    ffi_type *type = member(p, depth);
    if (!type) return NULL;
    p->open[p->opened++] = type;
  }
  unsigned count = p->opened - first;
  if (count == 0) return NULL;
  unsigned total = repeats ? repeats : count;
  p->members += total;
  if (p->members > most_members) return NULL;
  ffi_type **elements = take(p, (total + 1) * sizeof *elements);
  ffi_type *made = take(p, sizeof *made);
  for (unsigned i = 0; i < total; i++) elements[i] = p->open[first + (repeats ? 0 : i)];
  p->opened = first;
  made->type = FFI_TYPE_STRUCT;
  made->elements = elements;
  if (!lay_out(made)) return NULL;
  p->at++;
  return made;
}

static ffi_type *structure(parser *p, unsigned depth, const char **name) {
  const char *begin = ++p->at;
  size_t size = 0;
  while (begin[size] && !strchr("={}[]", begin[size])) size++;
  if (size == 0 || begin[size] != '=') return NULL;
  p->at += size + 1;
  if (name) *name = interned(begin, size);
  return aggregate(p, depth + 1, '}', 0);
}

static ffi_type *member(parser *p, unsigned depth) {
  if (depth > most_nested) return NULL;
  if (*p->at == '{') return structure(p, depth, NULL);
  if (*p->at == '[') {
    unsigned repeats = 0;
    const char *digits = ++p->at;
    for (; *p->at >= '0' && *p->at <= '9' && repeats <= most_members; p->at++)
      repeats = repeats * 10 + (unsigned)(*p->at - '0');
    if (p->at == digits || repeats == 0 || repeats > most_members) return NULL;
    return aggregate(p, depth + 1, ']', repeats);
  }
  char code;
  ffi_type *type = scalar(*p->at, &code);
  if (type) p->at++;
  return type;
}

// Parses one argument, or the result. If it fails, `p->at` is the position of the error.
static bool part(parser *p, int index) {
  belay_shape *shape = p->shape;
  belay_shape_part *made = &shape->parts[index + 1];
  ffi_type *type;
  if (*p->at == '{') {
    made->code = '{';
    type = structure(p, 0, &made->type_name);
  } else if (*p->at == 'v' && index < 0) {
    made->code = 'v';
    type = &ffi_type_void;
    p->at++;
  } else if (*p->at == '@' && index >= 0 && shape->context < 0) {
    made->code = '@';
    shape->context = index;
    type = &ffi_type_pointer;
    p->at++;
  } else {
    type = scalar(*p->at, &made->code);
    if (type) p->at++;
    if (made->code == 'D') made->type_name = "long double";
  }
  shape->types[index + 1] = type;
  return type != NULL;
}

// The type as libffi may know it: see faults.c.
static ffi_type *told(parser *p, ffi_type *type) {
  if (!belay_shape_is_misaligned(type)) return type;
  ffi_type *made = take(p, sizeof *made);
  *made = *type;
  made->alignment = 8;
  return made;
}

static bool parse(parser *p) {
  belay_shape *shape = p->shape;
  if (!part(p, -1)) return false;
  while (*p->at) {
    p->has_too_many = shape->count == BELAY_SHAPE_MOST_ARGUMENTS;
    if (p->has_too_many || !part(p, (int)shape->count)) return false;
    shape->count++;
    shape->told[shape->count - 1] = told(p, shape->types[shape->count]);
  }
  if (ffi_prep_cif(&shape->cif, FFI_DEFAULT_ABI, shape->count, shape->types[0], shape->told) !=
      FFI_OK)
    return false;
  shape->call = shape->cif;
  shape->halved = belay_shape_halve(&shape->cif, shape->call_types);
  if (shape->halved >= 0 && ffi_prep_cif(&shape->call, FFI_DEFAULT_ABI, shape->count + 1,
                                         shape->types[0], shape->call_types) != FFI_OK)
    return false;
  shape->parts[0].size = shape->parts[0].code == 'v' ? 0 : (uint32_t)shape->types[0]->size;
  for (unsigned i = 1; i <= shape->count; i++) {
    size_t offset = aligned(shape->frame_size, shape->types[i]->alignment);
    shape->parts[i].offset = (uint32_t)offset;
    shape->parts[i].size = (uint32_t)shape->types[i]->size;
    shape->frame_size = offset + shape->types[i]->size;
  }
  return true;
}

belay_shape *belay_shape_create(const char *text, int *wrong) {
  belay_shape *shape = calloc(1, sizeof *shape);
  if (!shape) belay_shim_out_of_memory(sizeof *shape);
  shape->context = -1;
  parser p = {.shape = shape, .at = text};
  if (parse(&p)) return shape;
  *wrong = p.has_too_many ? -1 : (int)(p.at - text);
  belay_shape_free(shape);
  return NULL;
}

void belay_shape_free(belay_shape *shape) {
  for (block *next; shape->blocks; shape->blocks = next) {
    next = shape->blocks->next;
    free(shape->blocks);
  }
  free(shape);
}

unsigned belay_shape_count(const belay_shape *shape) { return shape->count; }
int belay_shape_context(const belay_shape *shape) { return shape->context; }
size_t belay_shape_frame_size(const belay_shape *shape) { return shape->frame_size; }

size_t belay_shape_result_size(const belay_shape *shape) {
  size_t size = shape->parts[0].size;
  return shape->parts[0].code != '{' && size < sizeof(ffi_arg) ? sizeof(ffi_arg) : size;
}

belay_shape_part belay_shape_at(const belay_shape *shape, int index) {
  return shape->parts[index + 1];
}

static bool is_same(const ffi_type *one, const ffi_type *other) {
  if (one == other) return true;
  if (one->type != other->type || one->type != FFI_TYPE_STRUCT || one->size != other->size)
    return false;
  for (size_t i = 0;; i++) {
    if (!one->elements[i] || !other->elements[i]) return one->elements[i] == other->elements[i];
    if (!is_same(one->elements[i], other->elements[i])) return false;
  }
}

static bool has_same(const belay_shape *one, unsigned i, const belay_shape *other, unsigned j) {
  return one->parts[i].code == other->parts[j].code &&
         one->parts[i].type_name == other->parts[j].type_name &&
         is_same(one->types[i], other->types[j]);
}

bool belay_shape_is_same(const belay_shape *one, const belay_shape *other) {
  if (one->count != other->count) return false;
  for (unsigned i = 0; i <= one->count; i++)
    if (!has_same(one, i, other, i)) return false;
  return true;
}

bool belay_shape_accepts(const belay_shape *handler, const belay_shape *method) {
  unsigned added = handler->count - method->count;
  if (added > 1 || (!added && method->context < 0)) return false;
  if (handler->context != (added ? 0 : method->context)) return false;
  for (unsigned i = 1; i <= method->count; i++) {
    bool is_object = added && (int)i == method->context + 1;
    if (is_object ? handler->parts[i + 1].code != 'p' : !has_same(handler, i + added, method, i))
      return false;
  }
  return true;
}

static void call(const belay_shape *shape, belay_closure_function function, void *result,
                 void **arguments) {
  if (shape->halved >= 0) {
    void **first = arguments + shape->halved;
    memmove(first + 1, first, (shape->count - (unsigned)shape->halved) * sizeof *first);
    first[1] = (char *)first[0] + 8;
  }
  ffi_call((ffi_cif *)&shape->call, function, result, arguments);
}

void belay_shape_call(const belay_shape *shape, belay_closure_function function, void *result,
                      void *const *arguments) {
  // libffi overwrites the pointers to large structs with pointers to its copies, which are gone
  // when it returns. So it gets a copy of the array.
  void *given[BELAY_SHAPE_MOST_ARGUMENTS + 1];
  memcpy(given, arguments, shape->count * sizeof *given);
  call(shape, function, result, given);
}

void belay_shape_tell(const belay_shape *handler, belay_closure_function function, void *context,
                      const belay_shape *method, void *const *arguments) {
  max_align_t result[belay_shape_result_size(handler) / sizeof(max_align_t) + 1];
  void *given[BELAY_SHAPE_MOST_ARGUMENTS + 1];
  unsigned added = handler->count - method->count;
  memcpy(given + added, arguments, method->count * sizeof *given);
  given[handler->context] = &context;
  call(handler, function, result, given);
}

ffi_cif *belay_shape_cif(const belay_shape *shape) { return (ffi_cif *)&shape->cif; }
