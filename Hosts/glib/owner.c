/* GObjects as owners: GLib's weak notification declares the end. */
#include <belay/glib.h>

/* It guards who asks first for the owner of an object. */
static GMutex asking;

/* Its name has an address of this copy of the library, because another copy has owners of its
   own. */
static GQuark known(void) {
  static gsize quark;
  if (g_once_init_enter(&quark)) {
    char *name = g_strdup_printf("belay-glib-owner-%p", (void *)&asking);
    gsize made = g_quark_from_string(name);
    g_free(name);
    g_once_init_leave(&quark, made);
  }
  return (GQuark)quark;
}

static void object_ends(gpointer data, GObject *object) {
  (void)data;
  g_mutex_lock(&asking);
  g_object_set_qdata(object, known(), NULL);
  g_mutex_unlock(&asking);
  int code = belay_owner_end(object, NULL, NULL);
  if (code == BELAY_EWRONGTHREAD)
    g_critical("belay: an object whose owner has a loop ended on another thread");
}

belay_owner *belay_glib_owner(gpointer object, const belay_owner_options *options) {
  if (!G_IS_OBJECT(object)) {
    belay_fail(BELAY_EINVAL, "not a GObject");
    return NULL;
  }
  if (options && (options->loop || options->scheduler)) {
    belay_fail(BELAY_EINVAL, "a GObject ends on any thread, so its owner has no loop");
    return NULL;
  }
  belay_owner *owner = belay_owner_adopt(object, options);
  if (!owner || belay_owner_is_dying(owner)) return owner;
  g_mutex_lock(&asking);
  gboolean is_first = !g_object_get_qdata(object, known());
  if (is_first) g_object_set_qdata(object, known(), GINT_TO_POINTER(1));
  g_mutex_unlock(&asking);
  if (is_first) g_object_weak_ref(object, object_ends, NULL);
  return owner;
}
