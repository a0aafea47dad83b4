/* GValues and Belay's values. */
#include <belay/glib.h>

/* ---- from GLib ---- */

static void free_gvalue(void *content) {
  g_value_unset(content);
  g_free(content);
}

static belay_value whole(const GValue *value) {
  GValue *copy = g_new0(GValue, 1);
  g_value_init(copy, G_VALUE_TYPE(value));
  g_value_copy(value, copy);
  return belay_pointer_typed(BELAY_GLIB_GVALUE, copy, free_gvalue);
}

static belay_value of_text(const char *text) {
  if (text && !g_utf8_validate(text, -1, NULL)) return belay_bytes(text, strlen(text));
  return belay_string(text);
}

static belay_value of_strings(char **strings) {
  size_t count = g_strv_length(strings);
  belay_value *items = g_new(belay_value, count + 1);
  for (size_t i = 0; i < count; i++) items[i] = of_text(strings[i]);
  belay_value all = belay_array_of(items, count);
  g_free(items);
  return all;
}

static belay_value of_boxed(const GValue *value) {
  gpointer boxed = g_value_get_boxed(value);
  if (!boxed) return belay_null();
  if (G_VALUE_HOLDS(value, G_TYPE_BYTES)) {
    gsize size;
    const void *data = g_bytes_get_data(boxed, &size);
    return belay_bytes(data, size);
  }
  if (G_VALUE_HOLDS(value, G_TYPE_BYTE_ARRAY)) {
    GByteArray *array = boxed;
    return belay_bytes(array->data, array->len);
  }
  if (G_VALUE_HOLDS(value, G_TYPE_STRV)) return of_strings(boxed);
  return whole(value);
}

/* The function gives a reference back. */
static belay_value held(const char *type, gpointer reference, belay_free_fn unref) {
  return reference ? belay_pointer_typed(type, reference, unref) : belay_null();
}
static void unref_variant(void *variant) { g_variant_unref(variant); }
static void unref_param(void *param) { g_param_spec_unref(param); }

belay_value belay_glib_from_gvalue(const GValue *value) {
  if (!value || !G_IS_VALUE(value)) return belay_value_failure(BELAY_EINVAL, "not a GValue");
  if (G_VALUE_HOLDS_OBJECT(value))
    return held(BELAY_GLIB_OBJECT, g_value_dup_object(value), g_object_unref);
  switch (G_TYPE_FUNDAMENTAL(G_VALUE_TYPE(value))) {
    case G_TYPE_BOOLEAN:
      return belay_bool(g_value_get_boolean(value));
    case G_TYPE_CHAR:
      return belay_int8(g_value_get_schar(value));
    case G_TYPE_UCHAR:
      return belay_uint8(g_value_get_uchar(value));
    case G_TYPE_INT:
      return belay_int32(g_value_get_int(value));
    case G_TYPE_UINT:
      return belay_uint32(g_value_get_uint(value));
    case G_TYPE_LONG:
      return belay_int64(g_value_get_long(value));
    case G_TYPE_ULONG:
      return belay_uint64(g_value_get_ulong(value));
    case G_TYPE_INT64:
      return belay_int64(g_value_get_int64(value));
    case G_TYPE_UINT64:
      return belay_uint64(g_value_get_uint64(value));
    case G_TYPE_ENUM:
      return belay_int32(g_value_get_enum(value));
    case G_TYPE_FLAGS:
      return belay_uint32(g_value_get_flags(value));
    case G_TYPE_FLOAT:
      return belay_float(g_value_get_float(value));
    case G_TYPE_DOUBLE:
      return belay_double(g_value_get_double(value));
    case G_TYPE_STRING:
      return of_text(g_value_get_string(value));
    case G_TYPE_BOXED:
      return of_boxed(value);
    case G_TYPE_VARIANT:
      return held(BELAY_GLIB_VARIANT, g_value_dup_variant(value), unref_variant);
    case G_TYPE_PARAM:
      return held(BELAY_GLIB_PARAM, g_value_dup_param(value), unref_param);
    case G_TYPE_POINTER: {
      /* A GType is a number in a pointer. */
      gpointer pointer = g_value_peek_pointer(value);
      return pointer ? belay_pointer(pointer) : belay_null();
    }
    default:
      return whole(value);
  }
}

/* ---- to GLib ---- */

static int wrong_kind(void) { return belay_fail(BELAY_EKIND, "the GValue has another type"); }

/* The type for a value whose GValue has none; G_TYPE_INVALID when there is none. */
static GType type_for(belay_value value) {
  void *content;
  switch (belay_value_kind(value)) {
    case BELAY_KIND_BOOL:
      return G_TYPE_BOOLEAN;
    case BELAY_KIND_INT8:
    case BELAY_KIND_INT16:
    case BELAY_KIND_INT32:
      return G_TYPE_INT;
    case BELAY_KIND_UINT8:
    case BELAY_KIND_UINT16:
    case BELAY_KIND_UINT32:
      return G_TYPE_UINT;
    case BELAY_KIND_INT64:
      return G_TYPE_INT64;
    case BELAY_KIND_UINT64:
      return G_TYPE_UINT64;
    case BELAY_KIND_FLOAT:
      return G_TYPE_FLOAT;
    case BELAY_KIND_DOUBLE:
      return G_TYPE_DOUBLE;
    case BELAY_KIND_STRING:
      return G_TYPE_STRING;
    case BELAY_KIND_BYTES:
      return G_TYPE_BYTES;
    case BELAY_KIND_ARRAY:
      return G_TYPE_STRV;
    case BELAY_KIND_POINTER:
      break;
    default:
      return G_TYPE_INVALID;
  }
  if (belay_value_try_typed(value, BELAY_GLIB_OBJECT, &content) == 0) return G_OBJECT_TYPE(content);
  if (belay_value_try_typed(value, BELAY_GLIB_VARIANT, NULL) == 0) return G_TYPE_VARIANT;
  if (belay_value_try_typed(value, BELAY_GLIB_PARAM, &content) == 0)
    return G_PARAM_SPEC_TYPE(content);
  if (belay_value_try_typed(value, BELAY_GLIB_GVALUE, &content) == 0) return G_VALUE_TYPE(content);
  return G_TYPE_POINTER;
}

static int set_signed(belay_value value, GValue *out, gint64 least, gint64 most) {
  int64_t number;
  int code = belay_value_get_int64(value, &number);
  if (code < 0) return code;
  if (number < least || number > most) return belay_fail(BELAY_ERANGE, NULL);
  switch (G_TYPE_FUNDAMENTAL(G_VALUE_TYPE(out))) {
    case G_TYPE_CHAR:
      g_value_set_schar(out, (gint8)number);
      break;
    case G_TYPE_INT:
      g_value_set_int(out, (gint)number);
      break;
    case G_TYPE_ENUM:
      g_value_set_enum(out, (gint)number);
      break;
    case G_TYPE_LONG:
      g_value_set_long(out, (glong)number);
      break;
    default:
      g_value_set_int64(out, number);
      break;
  }
  return 0;
}

static int set_unsigned(belay_value value, GValue *out, guint64 most) {
  uint64_t number;
  int code = belay_value_get_uint64(value, &number);
  if (code < 0) return code;
  if (number > most) return belay_fail(BELAY_ERANGE, NULL);
  switch (G_TYPE_FUNDAMENTAL(G_VALUE_TYPE(out))) {
    case G_TYPE_UCHAR:
      g_value_set_uchar(out, (guint8)number);
      break;
    case G_TYPE_UINT:
      g_value_set_uint(out, (guint)number);
      break;
    case G_TYPE_FLAGS:
      g_value_set_flags(out, (guint)number);
      break;
    case G_TYPE_ULONG:
      g_value_set_ulong(out, (gulong)number);
      break;
    default:
      g_value_set_uint64(out, number);
      break;
  }
  return 0;
}

/* A copy with a NUL, which the caller frees. */
static int copy_text(belay_value value, char **text) {
  belay_view view;
  int code = belay_value_get_string(value, &view);
  if (code < 0) return code;
  if (memchr(view.data, 0, view.size)) return belay_fail(BELAY_EILSEQ, "a NUL inside a string");
  *text = g_strndup(view.data, view.size);
  return 0;
}

static int set_strings(belay_value value, GValue *out) {
  if (!belay_value_is_array(value)) return wrong_kind();
  GPtrArray *strings = g_ptr_array_new_with_free_func(g_free);
  for (size_t i = 0, count = belay_value_count(value); i < count; i++) {
    belay_value item;
    char *text = NULL;
    int code = belay_value_get_item(value, i, &item);
    if (code == 0) code = copy_text(item, &text);
    if (code < 0) {
      g_ptr_array_unref(strings);
      return code;
    }
    g_ptr_array_add(strings, text);
  }
  g_ptr_array_add(strings, NULL);
  g_value_take_boxed(out, g_ptr_array_free(strings, FALSE));
  return 0;
}

/* What a GValue inside of the value holds. */
static int set_copied(belay_value value, GValue *out) {
  void *content;
  if (belay_value_try_typed(value, BELAY_GLIB_GVALUE, &content) < 0 ||
      !g_value_type_compatible(G_VALUE_TYPE(content), G_VALUE_TYPE(out)))
    return wrong_kind();
  g_value_copy(content, out);
  return 0;
}

static int set_boxed(belay_value value, GValue *out) {
  gboolean is_array = G_VALUE_HOLDS(out, G_TYPE_BYTE_ARRAY);
  belay_view view;
  if (G_VALUE_HOLDS(out, G_TYPE_STRV)) return set_strings(value, out);
  if (!is_array && !G_VALUE_HOLDS(out, G_TYPE_BYTES)) return set_copied(value, out);
  int code = belay_value_get_bytes(value, &view);
  if (code < 0) return code;
  if (!is_array) g_value_take_boxed(out, g_bytes_new(view.data, view.size));
  else if (view.size > G_MAXUINT) return belay_fail(BELAY_ERANGE, NULL);
  else
    g_value_take_boxed(
        out, g_byte_array_append(g_byte_array_new(), (const guint8 *)view.data, (guint)view.size));
  return 0;
}

static int set_object(belay_value value, GValue *out) {
  void *object;
  int code = belay_value_get_typed(value, BELAY_GLIB_OBJECT, &object);
  if (code < 0) return code;
  if (!g_type_is_a(G_OBJECT_TYPE(object), G_VALUE_TYPE(out))) return wrong_kind();
  g_value_set_object(out, object);
  return 0;
}

static int set_param(belay_value value, GValue *out) {
  void *param;
  int code = belay_value_get_typed(value, BELAY_GLIB_PARAM, &param);
  if (code < 0) return code;
  if (!g_type_is_a(G_PARAM_SPEC_TYPE(param), G_VALUE_TYPE(out))) return wrong_kind();
  g_value_set_param(out, param);
  return 0;
}

static gboolean may_be_null(GType type) {
  switch (G_TYPE_FUNDAMENTAL(type)) {
    case G_TYPE_STRING:
    case G_TYPE_POINTER:
    case G_TYPE_BOXED:
    case G_TYPE_VARIANT:
    case G_TYPE_PARAM:
    case G_TYPE_INTERFACE:
    case G_TYPE_OBJECT:
      return TRUE;
    default:
      return FALSE;
  }
}

/* Into a GValue that has a type. */
static int set(belay_value value, GValue *out) {
  GType type = G_VALUE_TYPE(out);
  union {
    int truth;
    float single;
    double number;
    void *pointer;
    char *text;
  } got;
  int code;
  if (belay_value_is_null(value) && may_be_null(type)) {
    g_value_reset(out);
    return 0;
  }
  if (G_VALUE_HOLDS_OBJECT(out)) return set_object(value, out);
  switch (G_TYPE_FUNDAMENTAL(type)) {
    case G_TYPE_CHAR:
      return set_signed(value, out, G_MININT8, G_MAXINT8);
    case G_TYPE_INT:
    case G_TYPE_ENUM:
      return set_signed(value, out, G_MININT, G_MAXINT);
    case G_TYPE_LONG:
      return set_signed(value, out, G_MINLONG, G_MAXLONG);
    case G_TYPE_INT64:
      return set_signed(value, out, G_MININT64, G_MAXINT64);
    case G_TYPE_UCHAR:
      return set_unsigned(value, out, G_MAXUINT8);
    case G_TYPE_UINT:
    case G_TYPE_FLAGS:
      return set_unsigned(value, out, G_MAXUINT);
    case G_TYPE_ULONG:
      return set_unsigned(value, out, G_MAXULONG);
    case G_TYPE_UINT64:
      return set_unsigned(value, out, G_MAXUINT64);
    case G_TYPE_BOOLEAN:
      if ((code = belay_value_get_bool(value, &got.truth)) == 0)
        g_value_set_boolean(out, got.truth);
      return code;
    case G_TYPE_FLOAT:
      if ((code = belay_value_get_float(value, &got.single)) == 0)
        g_value_set_float(out, got.single);
      return code;
    case G_TYPE_DOUBLE:
      if ((code = belay_value_get_double(value, &got.number)) == 0)
        g_value_set_double(out, got.number);
      return code;
    case G_TYPE_STRING:
      if ((code = copy_text(value, &got.text)) == 0) g_value_take_string(out, got.text);
      return code;
    case G_TYPE_VARIANT:
      if ((code = belay_value_get_typed(value, BELAY_GLIB_VARIANT, &got.pointer)) == 0)
        g_value_set_variant(out, got.pointer);
      return code;
    case G_TYPE_POINTER:
      if ((code = belay_value_get_pointer(value, &got.pointer)) == 0)
        g_value_set_pointer(out, got.pointer);
      return code;
    case G_TYPE_PARAM:
      return set_param(value, out);
    case G_TYPE_BOXED:
      return set_boxed(value, out);
    default:
      return set_copied(value, out);
  }
}

int belay_glib_to_gvalue(belay_value value, GValue *out) {
  if (!out) return belay_fail(BELAY_EINVAL, "no GValue");
  if (G_IS_VALUE(out)) return set(value, out);
  GType type = type_for(value);
  if (type == G_TYPE_INVALID) return belay_fail(BELAY_EKIND, "GLib has no type for the value");
  GValue made = G_VALUE_INIT;
  g_value_init(&made, type);
  int code = set(value, &made);
  if (code < 0) g_value_unset(&made);
  else *out = made;
  return code;
}
