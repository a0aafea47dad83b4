/* Interfaces: what a struct of function pointers looks like. (A delegate, a vtable, an `ops`
 * table.)
 *
 * A description says it once; slots (slot.h), proxies (proxy.h) and invocations (invocation.h) are
 * made from it. No function is generated or compiled: libffi makes the closures and the calls.
 *
 * Shapes. A function's types are a string, its result first, then each argument:
 *
 *   v void (a result only)    B _Bool
 *   c C int8_t, uint8_t       s S int16_t, uint16_t
 *   i I int32_t, uint32_t     q Q int64_t, uint64_t
 *   l L long, unsigned long   T size_t      t ptrdiff_t, ssize_t
 *   f float     d double      D long double
 *   p a pointer               * a C string (`const char *`)
 *   @ a pointer: the argument that carries the context, the object that the function is called for
 *   {name=…} a struct by value, its members in order; [n…] in it, an array of n. One may have 64 KB
 *   and 1024 members, those of structs and arrays in it counted, and be nested 16 deep
 *
 * "i@pTq" is int (*)(void *context, void *, size_t, int64_t); "v@{point=dd}" takes a struct by
 * value. There is one `@` at most. Enums are `i` or `I`, `char` is `c` or `C`.
 *
 * Arguments as values. An integer, a float or a truth is of the kind with its size; a pointer is
 * a pointer, NULL the null value; a C string is a copy of it as a string, as bytes if it is not
 * UTF-8, NULL the null value; a struct is a struct value with its name's type, a long double one
 * whose type is "long double". `void` is the null value. The other way round values convert as in
 * the getters of value.h, and null is NULL or zero; a string lives as long as what holds it.
 *
 * Interception can be left out of a build (BELAY_INTERCEPTION=OFF); then belay_interface_create() and
 * belay_object_set_responder() answer BELAY_ENOTSUP, and there is nothing that the rest could be
 * called with.
 *
 * Threads. Interfaces are immutable; every function may be called on any thread.
 */
#ifndef BELAY_INTERFACE_H
#define BELAY_INTERFACE_H

#include "base.h"
#include "value.h"

typedef struct belay_interface belay_interface;

/* Any function; cast to its type to call it. */
typedef void (*belay_function)(void);

typedef enum belay_method_flags {
  BELAY_METHOD_PERFORMANCE_SENSITIVE = 1, /* may not be intercepted: BELAY_EPERM */
  /* The object, which its `@` is, is gone when the function has returned: a slot of it ends its
     owner around it. (A destructor, a `close`.) */
  BELAY_METHOD_ENDS_OBJECT = 2
} belay_method_flags;

/* One function of the table; `size` is sizeof(belay_method). What it points to is static, and is
   not copied. */
typedef struct belay_method {
  size_t size;
  const char *name; /* not empty */
  size_t offset;    /* where the table has it */
  const char *shape;
  unsigned flags;
} belay_method;

/* A member of a table of functions, with its shape. */
#define BELAY_METHOD(table, member, shape) \
  {sizeof(belay_method), #member, offsetof(table, member), (shape), 0}

typedef struct belay_interface_description {
  size_t size;
  const char *name;  /* for messages; static, not copied */
  size_t table_size; /* of the struct of functions */
  const belay_method *methods; /* static, not copied */
  size_t method_count;
  /* Its methods are this one's, too: the table begins with one of that interface's. May be NULL. */
  belay_interface *base;
  /* Where an object keeps the pointer to its table: its offset; BELAY_NO_TABLE when it has none. */
  size_t table_offset;
  /* Hands `table` to `object`, which keeps the pointer as its delegate's; NULL takes it away. For
     proxies; NULL: the base's, and there is none without. Called without a lock, again with the
     same table when other methods are in it. 0 or a failure, after which the object has what it
     had. */
  int (*install)(void *object, const void *table);
  /* The table that the object has now, whoever's, or NULL. May be NULL, then it is the base's;
     without one nobody else's table is seen. */
  const void *(*installed)(void *object);
} belay_interface_description;

#define BELAY_NO_TABLE ((size_t)-1)

BELAY_BEGIN

/* An interface; release it. Keeps its own reference to `base`. NULL: BELAY_EINVAL for what is
   missing, a name that is there twice (the base's count), a shape that is none, an offset that is
   misaligned, overlaps another method's, or is outside the table, a misaligned `table_offset`, a
   table smaller than its base's, a method that ends its object and has no `@`;
   BELAY_ERANGE for a table of more than 1024 methods or a function of more than 64 arguments;
   BELAY_ENOTSUP. The error's message names the method, and where in its shape. */
BELAY_EXPORT belay_interface *belay_interface_create(const belay_interface_description *description);
BELAY_EXPORT belay_interface *belay_interface_retain(belay_interface *interface);
BELAY_EXPORT void belay_interface_release(belay_interface *interface);

BELAY_EXPORT const char *belay_interface_name(belay_interface *interface);
/* How many methods it has, its bases' included; the base's come first. */
BELAY_EXPORT size_t belay_interface_method_count(belay_interface *interface);
/* A method, static as it was given; NULL past the end. */
BELAY_EXPORT const belay_method *belay_interface_method(belay_interface *interface, size_t index);

BELAY_END

/* BELAY_TYPED_METHOD(table, member, context, result, arguments): the same from C types, which are
   compared with the member's at compile time. `context` is the number of the argument that carries
   it, from 0, or -1. `arguments` is (void) or up to twelve types in parentheses; structs by value
   need the shape as a string.
     BELAY_TYPED_METHOD(struct ops, read, 0, int, (void *, char *, size_t)) */
#if defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L && !defined(__cplusplus)
#include "interface_typed.h"
#endif

#endif
