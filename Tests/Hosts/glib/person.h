/* A class of GObjects with signals and properties of several kinds. */
#ifndef GLIB_PERSON_H
#define GLIB_PERSON_H

#include <belay/glib.h>

typedef struct person {
  GObject parent;
  int age;
  char *name;
  int heard; /* what its class's own handler of "moved" has got */
} person;

GType person_get_type(void);

/* "poked", "moved" (two ints), "renamed" (a string of the caller's), "asked" (returns a boolean);
   "age", "name", "secret", which can be written only. */
static inline person *person_new(int age) {
  return g_object_new(person_get_type(), "age", age, NULL);
}

#endif
