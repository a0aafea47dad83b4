#include <belay/glib.h>

/* Of every file of the library something is called. */
int main(void) {
  GObject *object = g_object_new(G_TYPE_OBJECT, NULL);
  belay_loop *loop = belay_loop_create(NULL);
  GSource *source = belay_glib_source_create(loop);
  belay_signal *signal = belay_glib_signal(object, "notify", 0);
  belay_owner *owner = belay_glib_owner(object, NULL);
  GValue number = G_VALUE_INIT;
  int is_right = source && signal && owner && belay_glib_to_gvalue(belay_int32(7), &number) == 0 &&
                 g_value_get_int(&number) == 7;
  belay_owner_release(owner);
  belay_signal_release(signal);
  g_object_unref(object);
  g_source_unref(source);
  belay_loop_close(loop, NULL, NULL, NULL);
  belay_loop_release(loop);
  return !is_right || belay_live_count(BELAY_LIVE_KINDS) != 0;
}
