/* Interfaces: the description of a struct of function pointers. (A delegate, a vtable, an `ops`
 * table.)
 *
 * The program describes such a table once; slots (slot.h), proxies (proxy.h) and invocations
 * (invocation.h) are made from the description. No function is generated or compiled: libffi makes
 * the closures and the calls.
 *
 * Shapes. A string gives the types of a function, first its result, then each argument:
 *
 *   v void (a result only)    B _Bool
 *   c C int8_t, uint8_t       s S int16_t, uint16_t
 *   i I int32_t, uint32_t     q Q int64_t, uint64_t
 *   l L long, unsigned long   T size_t      t ptrdiff_t, ssize_t
 *   f float     d double      D long double
 *   p a pointer               * a C string (`const char *`)
 *   @ a pointer: the argument that carries the context, the object that the function is called for
 *   {name=…} a struct by value, its members in order; [n…] in it, an array of n. A struct has at
 *     most 64 KB and 1024 members, counting those of structs and arrays in it, nested 16 deep
 *
 * "i@pTq" is int (*)(void *context, void *, size_t, int64_t); "v@{point=dd}" takes a struct by
 * value. A shape has at most one `@`. An enum is `i` or `I`. `char` is `c` where it has a sign
 * (x86), and `C` where it has none (ARM).
 *
 * Arguments as values. An integer, a float or a bool becomes the kind of its size. A pointer
 * becomes a pointer; NULL becomes the null value. A C string becomes a copy of it, as a string, or
 * as bytes when it is not UTF-8; NULL becomes the null value. A struct becomes a struct value whose
 * type is the struct's name; a long double becomes one whose type is "long double". `void` becomes
 * the null value. In the other direction values convert as in the getters of value.h, and null
 * becomes NULL or zero. A string lives as long as the value that holds it.
 *
 * A build can leave interception out (BELAY_INTERCEPTION=OFF). belay_interface_create() and
 * belay_object_set_responder() then fail with BELAY_ENOTSUP, and the other functions have nothing
 * to work on.
 *
 * Threads. Interfaces are immutable. Any thread may call every function.
 */
#ifndef BELAY_INTERFACE_H
#define BELAY_INTERFACE_H

#include "base.h"
#include "value.h"

typedef struct belay_interface belay_interface;

/* Any function. Cast it to its type to call it. */
typedef void (*belay_function)(void);

typedef enum belay_method_flags {
  BELAY_METHOD_PERFORMANCE_SENSITIVE = 1, /* cannot be intercepted: BELAY_EPERM */
  /* When the function has returned, the object that its `@` carries no longer exists. A slot of
     this method ends the owner of the object around the call. (A destructor, a `close`.) */
  BELAY_METHOD_ENDS_OBJECT = 2
} belay_method_flags;

/* Describes one function of the table. `size` is sizeof(belay_method). The memory that it points to
   is static and is not copied. */
typedef struct belay_method {
  size_t size;
  const char *name; /* not empty */
  size_t offset;    /* its offset in the table */
  const char *shape;
  unsigned flags;
} belay_method;

/* Initialises a belay_method with a member of a table of functions and its shape. */
#define BELAY_METHOD(table, member, shape) \
  {sizeof(belay_method), #member, offsetof(table, member), (shape), 0}

typedef struct belay_interface_description {
  size_t size;
  const char *name;  /* for messages; static, not copied */
  size_t table_size; /* the size of the struct of functions */
  const belay_method *methods; /* static, not copied */
  size_t method_count;
  /* An interface whose methods this one has, too: the table begins with a table of that interface.
     May be NULL. */
  belay_interface *base;
  /* The offset at which an object keeps the pointer to its table; BELAY_NO_TABLE when it keeps
     none. */
  size_t table_offset;
  /* Gives `table` to `object`, which keeps the pointer as that of its delegate. NULL takes the
     delegate away. Only proxies use this. NULL here means that of the base; without one, there are
     no proxies. No lock is held during the call. It is called again with the same table when the
     table has other methods. Returns 0, or a failure, after which the object has the table that it
     had: belay_fail() gives it a message. Above 0 counts as 0. */
  int (*install)(void *object, const void *table);
  /* Returns the table that the object has now, whoever made it, or NULL. NULL here means that of
     the base; without one, Belay does not see tables of others. */
  const void *(*installed)(void *object);
} belay_interface_description;

#define BELAY_NO_TABLE ((size_t)-1)

BELAY_BEGIN

/* Creates an interface. Retains `base`. Release the result. NULL: BELAY_EINVAL for a missing part,
   a name that occurs twice (also in the base), a malformed shape, an offset that is misaligned,
   overlaps that of another method or is outside the table, a misaligned `table_offset`, a table
   smaller than that of the base, and a method that ends its object but has no `@`; BELAY_ERANGE for
   a table of more than 1024 methods or a function of more than 64 arguments; BELAY_ENOTSUP in a
   build without interception. The message of the error names the method and the position in its
   shape. */
BELAY_EXPORT belay_interface *belay_interface_create(
    const belay_interface_description *description);
/* Adds a reference to `interface` and returns `interface`. */
BELAY_EXPORT belay_interface *belay_interface_retain(belay_interface *interface);
/* Gives a reference back. */
BELAY_EXPORT void belay_interface_release(belay_interface *interface);

/* Returns the name, static as it was given; "" for NULL. */
BELAY_EXPORT const char *belay_interface_name(belay_interface *interface);
/* Returns the number of methods, including those of its bases, which come first. */
BELAY_EXPORT size_t belay_interface_method_count(belay_interface *interface);
/* Returns a method, static as it was given; NULL past the end. */
BELAY_EXPORT const belay_method *belay_interface_method(belay_interface *interface, size_t index);

BELAY_END

/* BELAY_TYPED_METHOD(table, member, context, result, arguments): does what BELAY_METHOD() does,
   with C types instead of a shape. The compiler compares the types with those of the member.
   `context` is the number of the argument that carries the context, from 0, or -1. `arguments` is
   (void), or up to twelve types in parentheses. A function with a struct by value needs its shape
   as a string.
       belay_method read =
           BELAY_TYPED_METHOD(struct ops, read, 0, int, (void *, char *, size_t)); */
#if defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L && !defined(__cplusplus)
#include "interface_typed.h"
#endif

#endif
