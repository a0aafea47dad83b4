#include "download.h"

struct _Download {
  GObject parent;
  char *name;
  int percent;
  guint step;
};

G_DEFINE_TYPE(Download, download, G_TYPE_OBJECT)

enum { NAME = 1, PERCENT, PROPERTIES };
static GParamSpec *properties[PROPERTIES];
enum { FINISHED, CANCELLED, SIGNALS };
static guint signals[SIGNALS];

static void stop(Download *self) {
  if (self->step) g_source_remove(self->step);
  self->step = 0;
}

static gboolean move_on(gpointer data) {
  Download *self = data;
  self->percent++;
  if (self->percent == 100) self->step = 0;
  g_object_notify_by_pspec(G_OBJECT(self), properties[PERCENT]);
  if (self->percent < 100) return G_SOURCE_CONTINUE;
  g_signal_emit(self, signals[FINISHED], 0, "saved");
  return G_SOURCE_REMOVE;
}

void download_start(Download *self) {
  if (!self->step && self->percent < 100) self->step = g_idle_add(move_on, self);
}

void download_cancel(Download *self) {
  stop(self);
  g_signal_emit(self, signals[CANCELLED], 0);
}

static void get_property(GObject *object, guint id, GValue *value, GParamSpec *spec) {
  Download *self = EXAMPLE_DOWNLOAD(object);
  if (id == NAME) g_value_set_string(value, self->name);
  else if (id == PERCENT) g_value_set_int(value, self->percent);
  else G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
}

static void set_property(GObject *object, guint id, const GValue *value, GParamSpec *spec) {
  if (id == NAME) EXAMPLE_DOWNLOAD(object)->name = g_value_dup_string(value);
  else G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
}

static void dispose(GObject *object) {
  stop(EXAMPLE_DOWNLOAD(object));
  G_OBJECT_CLASS(download_parent_class)->dispose(object);
}

static void finalize(GObject *object) {
  g_free(EXAMPLE_DOWNLOAD(object)->name);
  G_OBJECT_CLASS(download_parent_class)->finalize(object);
}

static void download_class_init(DownloadClass *class) {
  GObjectClass *object = G_OBJECT_CLASS(class);
  GType type = G_TYPE_FROM_CLASS(class);
  object->get_property = get_property;
  object->set_property = set_property;
  object->dispose = dispose;
  object->finalize = finalize;
  properties[NAME] =
      g_param_spec_string("name", NULL, NULL, NULL, G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY);
  properties[PERCENT] = g_param_spec_int("percent", NULL, NULL, 0, 100, 0, G_PARAM_READABLE);
  g_object_class_install_properties(object, PROPERTIES, properties);
  signals[FINISHED] = g_signal_new("finished", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[CANCELLED] =
      g_signal_new("cancelled", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void download_init(Download *self) { (void)self; }

Download *download_new(const char *name) {
  return g_object_new(download_get_type(), "name", name, NULL);
}
