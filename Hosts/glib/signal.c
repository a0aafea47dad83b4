/* Signals and properties of GObjects as cold signals. */
#include <belay/glib.h>

/* What a signal listens to. It holds the object weakly. */
typedef struct listening {
  GWeakRef object;
  guint signal;
  GQuark detail;
  gboolean after;
  const char *property; /* NULL: the signal's own parameters; else a name that GLib has interned */
} listening;

/* The handler of one subscription. GLib owns it as long as it is connected. */
typedef struct handler {
  GClosure closure;
  belay_subscriber *subscriber;
  const char *property;
} handler;

typedef struct connection {
  GWeakRef object;
  gulong id;
} connection;

/* A subscription that refuses a value ends with that error, because nobody would see the gap. */
static void send(belay_subscriber *subscriber, belay_value value) {
  int code = belay_subscriber_next(subscriber, value);
  if (code < 0 && code != BELAY_EENDED) belay_subscriber_error(subscriber, belay_last_error());
}

static void send_property(belay_subscriber *subscriber, GObject *object, const char *property) {
  GValue value = G_VALUE_INIT;
  g_object_get_property(object, property, &value);
  send(subscriber, belay_glib_from_gvalue(&value));
  g_value_unset(&value);
}

static belay_value of_parameters(const GValue *parameters, guint count) {
  if (count == 0) return belay_null();
  if (count == 1) return belay_glib_from_gvalue(parameters);
  belay_value *items = g_new(belay_value, count);
  for (guint i = 0; i < count; i++) items[i] = belay_glib_from_gvalue(&parameters[i]);
  belay_value all = belay_array_of(items, count);
  g_free(items);
  return all;
}

/* The first parameter is the object. */
static void emitted(GClosure *closure, GValue *result, guint count, const GValue *parameters,
                    gpointer hint, gpointer data) {
  (void)result, (void)hint, (void)data;
  handler *self = (handler *)closure;
  if (self->property)
    send_property(self->subscriber, g_value_get_object(&parameters[0]), self->property);
  else send(self->subscriber, of_parameters(parameters + 1, count - 1));
}

/* The object has ended or somebody has disconnected the handler; no emission is in it any more. */
static void invalidated(gpointer data, GClosure *closure) {
  (void)data;
  belay_subscriber_completed(((handler *)closure)->subscriber);
}

static void finalized(gpointer data, GClosure *closure) {
  (void)data;
  belay_subscriber_release(((handler *)closure)->subscriber);
}

static void disconnect(void *ctx) {
  connection *self = ctx;
  GObject *object = g_weak_ref_get(&self->object);
  if (!object) return;
  if (g_signal_handler_is_connected(object, self->id))
    g_signal_handler_disconnect(object, self->id);
  g_object_unref(object);
}

static void free_connection(void *ctx) {
  connection *self = ctx;
  g_weak_ref_clear(&self->object);
  g_free(self);
}

static belay_disposable *listen(void *ctx, belay_subscriber *subscriber) {
  listening *wish = ctx;
  GObject *object = g_weak_ref_get(&wish->object);
  if (!object) {
    belay_subscriber_completed(subscriber);
    return NULL;
  }
  GClosure *closure = g_closure_new_simple(sizeof(handler), NULL);
  handler *made = (handler *)closure;
  made->subscriber = belay_subscriber_retain(subscriber);
  made->property = wish->property;
  g_closure_set_marshal(closure, emitted);
  g_closure_add_invalidate_notifier(closure, NULL, invalidated);
  g_closure_add_finalize_notifier(closure, NULL, finalized);
  connection *connected = g_new0(connection, 1);
  g_weak_ref_init(&connected->object, object);
  connected->id =
      g_signal_connect_closure_by_id(object, wish->signal, wish->detail, closure, wish->after);
  /* What changes between these lines is sent twice rather than not at all. */
  if (wish->property) send_property(subscriber, object, wish->property);
  belay_disposable *teardown = belay_disposable_create(disconnect, connected, free_connection);
  g_object_unref(object);
  return teardown;
}

static void free_listening(void *ctx) {
  listening *wish = ctx;
  g_weak_ref_clear(&wish->object);
  g_free(wish);
}

static belay_signal *refused(int code, const char *message) {
  belay_fail(code, message);
  return NULL;
}

static belay_signal *create(GObject *object, const char *name, listening wish) {
  listening *kept = g_new(listening, 1);
  *kept = wish;
  g_weak_ref_init(&kept->object, object);
  belay_signal *signal = belay_signal_create(listen, kept, free_listening, NULL);
  if (signal) {
    char *whole = g_strdup_printf("%s::%s", G_OBJECT_TYPE_NAME(object), name);
    belay_signal_set_name(signal, whole);
    g_free(whole);
  }
  return signal;
}

belay_signal *belay_glib_signal(gpointer object, const char *detailed_signal, int after) {
  listening wish = {.after = after != 0};
  if (!G_IS_OBJECT(object)) return refused(BELAY_EINVAL, "not a GObject");
  if (!detailed_signal) return refused(BELAY_EINVAL, "no name of a signal");
  if (!g_signal_parse_name(detailed_signal, G_OBJECT_TYPE(object), &wish.signal, &wish.detail,
                           TRUE))
    return refused(BELAY_ENOENT, "the class has no such signal");
  return create(object, detailed_signal, wish);
}

belay_signal *belay_glib_property(gpointer object, const char *name) {
  if (!G_IS_OBJECT(object)) return refused(BELAY_EINVAL, "not a GObject");
  if (!name) return refused(BELAY_EINVAL, "no name of a property");
  GParamSpec *property = g_object_class_find_property(G_OBJECT_GET_CLASS(object), name);
  if (!property) return refused(BELAY_ENOENT, "the class has no such property");
  if (!(property->flags & G_PARAM_READABLE))
    return refused(BELAY_EPERM, "the property cannot be read");
  listening wish = {.signal = g_signal_lookup("notify", G_TYPE_OBJECT),
                    .detail = g_param_spec_get_name_quark(property),
                    .property = g_quark_to_string(g_param_spec_get_name_quark(property))};
  return create(object, wish.property, wish);
}
