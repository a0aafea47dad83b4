#include "person.h"

typedef struct person_class {
  GObjectClass parent;
  void (*moved)(person *self, int x, int y);
} person_class;

typedef person Person;
typedef person_class PersonClass;
G_DEFINE_TYPE(Person, person, G_TYPE_OBJECT)

enum { AGE = 1, NAME, SECRET };

static void set_property(GObject *object, guint id, const GValue *value, GParamSpec *spec) {
  person *self = (person *)object;
  if (id == AGE) self->age = g_value_get_int(value);
  if (id == NAME) {
    g_free(self->name);
    self->name = g_value_dup_string(value);
  }
}

static void get_property(GObject *object, guint id, GValue *value, GParamSpec *spec) {
  person *self = (person *)object;
  if (id == AGE) g_value_set_int(value, self->age);
  if (id == NAME) g_value_set_string(value, self->name);
}

static void finalize(GObject *object) {
  g_free(((person *)object)->name);
  G_OBJECT_CLASS(person_parent_class)->finalize(object);
}

static void moved(person *self, int x, int y) { self->heard += x + y; }

static void person_class_init(PersonClass *class) {
  GObjectClass *object = G_OBJECT_CLASS(class);
  GType type = G_TYPE_FROM_CLASS(class);
  object->set_property = set_property;
  object->get_property = get_property;
  object->finalize = finalize;
  class->moved = moved;
  g_object_class_install_property(
      object, AGE, g_param_spec_int("age", NULL, NULL, 0, 200, 0, G_PARAM_READWRITE));
  g_object_class_install_property(object, NAME,
                                  g_param_spec_string("name", NULL, NULL, NULL, G_PARAM_READWRITE));
  g_object_class_install_property(
      object, SECRET, g_param_spec_int("secret", NULL, NULL, 0, 9, 0, G_PARAM_WRITABLE));
  g_signal_new("poked", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  g_signal_new("moved", type, G_SIGNAL_RUN_LAST, G_STRUCT_OFFSET(PersonClass, moved), NULL, NULL,
               NULL, G_TYPE_NONE, 2, G_TYPE_INT, G_TYPE_INT);
  g_signal_new("renamed", type, G_SIGNAL_RUN_LAST | G_SIGNAL_DETAILED, 0, NULL, NULL, NULL,
               G_TYPE_NONE, 1, G_TYPE_STRING | G_SIGNAL_TYPE_STATIC_SCOPE);
  g_signal_new("asked", type, G_SIGNAL_RUN_LAST, 0, g_signal_accumulator_true_handled, NULL, NULL,
               G_TYPE_BOOLEAN, 1, G_TYPE_BOOLEAN);
}

static void person_init(person *self) { (void)self; }
