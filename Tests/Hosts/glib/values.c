/* GValues to values and back. */
#include "cases.h"
#include "person.h"

#include <float.h>

static belay_value taken(GValue *value) {
  belay_value made = belay_glib_from_gvalue(value);
  g_value_unset(value);
  return made;
}

/* From GLib and back to the same type, by way of a value that is described as `expected`. */
static void there_and_back(GValue *value, const char *expected) {
  GType type = G_VALUE_TYPE(value);
  char text[400];
  char *before = g_strdup_value_contents(value);
  belay_value made = taken(value);
  render(made, text, sizeof text);
  CHECK_STRING(text, expected);
  GValue back = G_VALUE_INIT;
  g_value_init(&back, type);
  CHECK_INT(belay_glib_to_gvalue(made, &back), 0);
  char *after = g_strdup_value_contents(&back);
  CHECK_STRING(after, before);
  g_value_unset(&back);
  g_free(before);
  g_free(after);
  belay_value_release(made);
}

#define NUMBER(type, set, number, expected) \
  do {                                      \
    GValue value = G_VALUE_INIT;            \
    g_value_init(&value, type);             \
    set(&value, number);                    \
    there_and_back(&value, expected);       \
  } while (0)

static void numbers_keep_their_size(void) {
  NUMBER(G_TYPE_BOOLEAN, g_value_set_boolean, TRUE, "bool");
  NUMBER(G_TYPE_CHAR, g_value_set_schar, -128, "-128");
  NUMBER(G_TYPE_UCHAR, g_value_set_uchar, 255, "255");
  NUMBER(G_TYPE_INT, g_value_set_int, G_MININT, "-2147483648");
  NUMBER(G_TYPE_UINT, g_value_set_uint, G_MAXUINT, "4294967295");
  NUMBER(G_TYPE_LONG, g_value_set_long, -7, "-7");
  NUMBER(G_TYPE_ULONG, g_value_set_ulong, 7, "7");
  NUMBER(G_TYPE_INT64, g_value_set_int64, G_MININT64, "-9223372036854775808");
  NUMBER(G_TYPE_UINT64, g_value_set_uint64, G_MAXUINT64, "18446744073709551615");
}

static void floats(void) {
  GValue value = G_VALUE_INIT, back = G_VALUE_INIT;
  float single;
  double number;
  g_value_set_float(g_value_init(&value, G_TYPE_FLOAT), 0.5f);
  belay_value made = taken(&value);
  CHECK_INT(belay_value_get_float(made, &single), 0);
  CHECK(single == 0.5f);
  CHECK_INT(belay_glib_to_gvalue(made, &back), 0);
  CHECK(G_VALUE_HOLDS_FLOAT(&back) && g_value_get_float(&back) == 0.5f);
  g_value_unset(&back);
  g_value_set_double(g_value_init(&value, G_TYPE_DOUBLE), DBL_MAX);
  made = taken(&value);
  CHECK_INT(belay_value_get_double(made, &number), 0);
  CHECK(number == DBL_MAX);
  CHECK_INT(belay_glib_to_gvalue(made, &back), 0);
  CHECK(G_VALUE_HOLDS_DOUBLE(&back) && g_value_get_double(&back) == DBL_MAX);
  g_value_unset(&back);
}

static void enums_and_flags(void) {
  GValue value = G_VALUE_INIT;
  g_value_set_enum(g_value_init(&value, G_TYPE_UNICODE_TYPE), G_UNICODE_LOWERCASE_LETTER);
  there_and_back(&value, "5");
  g_value_set_flags(g_value_init(&value, G_TYPE_BINDING_FLAGS), G_BINDING_SYNC_CREATE);
  there_and_back(&value, "2");
}

static void strings_are_copied(void) {
  char lent[] = "Ada";
  GValue value = G_VALUE_INIT;
  g_value_set_static_string(g_value_init(&value, G_TYPE_STRING), lent);
  belay_value made = belay_glib_from_gvalue(&value);
  memcpy(lent, "xxx", 3);
  char text[20];
  render(made, text, sizeof text);
  CHECK_STRING(text, "Ada");
  belay_value_release(made);
  g_value_set_string(&value, NULL);
  there_and_back(&value, "null");
  g_value_set_string(g_value_init(&value, G_TYPE_STRING), "\xff");
  made = taken(&value);
  belay_view view;
  CHECK(belay_value_is_bytes(made));
  CHECK_INT(belay_value_get_bytes(made, &view), 0);
  CHECK(view.size == 1 && view.data[0] == '\xff');
  belay_value_release(made);
}

static void arrays_of_strings(void) {
  const char *names[] = {"Ada", "Grace", NULL};
  GValue value = G_VALUE_INIT;
  g_value_set_boxed(g_value_init(&value, G_TYPE_STRV), names);
  there_and_back(&value, "[Ada Grace]");
  GValue out = G_VALUE_INIT;
  belay_value mixed[] = {belay_string("Ada"), belay_int32(1)};
  belay_value array = belay_array_of(mixed, 2);
  CHECK_FAILS(belay_glib_to_gvalue(array, &out), BELAY_EKIND);
  CHECK(!G_IS_VALUE(&out));
  belay_value_release(array);
}

static void bytes_are_copied(void) {
  GValue value = G_VALUE_INIT, back = G_VALUE_INIT;
  belay_view view;
  g_value_take_boxed(g_value_init(&value, G_TYPE_BYTES), g_bytes_new("a\0b", 3));
  belay_value made = taken(&value);
  CHECK_INT(belay_value_get_bytes(made, &view), 0);
  CHECK(view.size == 3 && memcmp(view.data, "a\0b", 3) == 0);
  g_value_init(&back, G_TYPE_BYTE_ARRAY);
  CHECK_INT(belay_glib_to_gvalue(made, &back), 0);
  belay_value_release(made);
  made = belay_glib_from_gvalue(&back);
  g_value_unset(&back);
  CHECK_INT(belay_glib_to_gvalue(made, &back), 0);
  CHECK(G_VALUE_HOLDS(&back, G_TYPE_BYTES));
  CHECK_INT(g_bytes_get_size(g_value_get_boxed(&back)), 3);
  g_value_unset(&back);
  belay_value_release(made);
}

static void other_boxed_types_are_copied(void) {
  GValue value = G_VALUE_INIT, back = G_VALUE_INIT;
  GDate *lent = g_date_new_dmy(10, G_DATE_DECEMBER, 1815);
  void *content;
  g_value_set_static_boxed(g_value_init(&value, G_TYPE_DATE), lent);
  belay_value made = belay_glib_from_gvalue(&value);
  g_date_set_year(lent, 1900);
  CHECK_INT(belay_value_get_typed(made, BELAY_GLIB_GVALUE, &content), 0);
  CHECK_INT(g_date_get_year(g_value_get_boxed(content)), 1815);
  CHECK_INT(belay_glib_to_gvalue(made, &back), 0);
  CHECK_INT(g_date_get_year(g_value_get_boxed(&back)), 1815);
  g_value_unset(&back);
  g_value_init(&back, G_TYPE_ERROR);
  CHECK_FAILS(belay_glib_to_gvalue(made, &back), BELAY_EKIND);
  CHECK_INT(belay_glib_to_gvalue(belay_null(), &back), 0);
  g_value_unset(&back);
  belay_value_release(made);
  g_value_unset(&value);
  g_date_free(lent);
}

static void objects_get_a_reference(void) {
  person *it = person_new(1);
  GValue value = G_VALUE_INIT, back = G_VALUE_INIT;
  void *content;
  g_value_take_object(g_value_init(&value, G_TYPE_OBJECT), it);
  belay_owner *owner = belay_glib_owner(it, NULL);
  CHECK_INT(belay_owner_add_action(owner, trace_action, "gone", NULL), 0);
  belay_owner_release(owner);
  belay_value made = taken(&value);
  CHECK_INT(belay_value_get_typed(made, BELAY_GLIB_OBJECT, &content), 0);
  CHECK(content == it);
  CHECK_INT(belay_glib_to_gvalue(made, &back), 0);
  CHECK(G_VALUE_TYPE(&back) == person_get_type());
  g_value_unset(&back);
  g_value_init(&back, G_TYPE_BINDING);
  CHECK_FAILS(belay_glib_to_gvalue(made, &back), BELAY_EKIND);
  g_value_unset(&back);
  CHECK_TRACE("");
  belay_value_release(made);
  CHECK_TRACE("action gone");
}

static void variants_and_params(void) {
  GValue value = G_VALUE_INIT;
  g_value_set_variant(g_value_init(&value, G_TYPE_VARIANT), g_variant_new_int32(5));
  there_and_back(&value, "pointer");
  g_value_take_param(g_value_init(&value, G_TYPE_PARAM),
                     g_param_spec_ref_sink(g_param_spec_int("n", NULL, NULL, 0, 1, 0, 0)));
  there_and_back(&value, "pointer");
  g_value_init(&value, G_TYPE_OBJECT);
  there_and_back(&value, "null");
}

static void plain_pointers_are_passed_on(void) {
  int pointed = 0;
  GValue value = G_VALUE_INIT;
  g_value_set_pointer(g_value_init(&value, G_TYPE_POINTER), &pointed);
  there_and_back(&value, "pointer");
}

static void fails(belay_value value, GType type, int code) {
  GValue out = G_VALUE_INIT;
  if (type != G_TYPE_INVALID) g_value_init(&out, type);
  CHECK_FAILS(belay_glib_to_gvalue(value, &out), code);
  CHECK(G_VALUE_TYPE(&out) == type);
  if (type != G_TYPE_INVALID) g_value_unset(&out);
  belay_value_release(value);
}

static void what_does_not_fit_is_refused(void) {
  fails(belay_int32(128), G_TYPE_CHAR, BELAY_ERANGE);
  fails(belay_int32(-1), G_TYPE_UINT, BELAY_ERANGE);
  fails(belay_int64(G_MAXINT64), G_TYPE_INT, BELAY_ERANGE);
  fails(belay_uint64(G_MAXUINT64), G_TYPE_INT64, BELAY_ERANGE);
  fails(belay_int32(256), G_TYPE_UCHAR, BELAY_ERANGE);
  fails(belay_string("1"), G_TYPE_INT, BELAY_EKIND);
  fails(belay_int32(1), G_TYPE_STRING, BELAY_EKIND);
  fails(belay_int32(1), G_TYPE_BYTES, BELAY_EKIND);
  fails(belay_int32(1), G_TYPE_STRV, BELAY_EKIND);
  fails(belay_int32(1), G_TYPE_DATE, BELAY_EKIND);
  fails(belay_int32(1), G_TYPE_OBJECT, BELAY_EKIND);
  fails(belay_int32(1), G_TYPE_VARIANT, BELAY_EKIND);
  fails(belay_int32(1), G_TYPE_PARAM, BELAY_EKIND);
  fails(belay_int32(1), G_TYPE_POINTER, BELAY_EKIND);
  fails(belay_int32(1), G_TYPE_BOOLEAN, BELAY_EKIND);
  fails(belay_null(), G_TYPE_INT, BELAY_EKIND);
  fails(belay_null(), G_TYPE_INVALID, BELAY_EKIND);
  fails(belay_string_n("a\0b", 3), G_TYPE_STRING, BELAY_EILSEQ);
  fails(belay_struct("point", "xy", 2), G_TYPE_INVALID, BELAY_EKIND);
  CHECK_FAILS(belay_glib_to_gvalue(belay_int32(1), NULL), BELAY_EINVAL);
  belay_value none = belay_glib_from_gvalue(NULL);
  GValue untyped = G_VALUE_INIT;
  CHECK(belay_value_is_failure(none));
  belay_value_release(none);
  none = belay_glib_from_gvalue(&untyped);
  CHECK(belay_value_is_failure(none));
  belay_value_release(none);
}

static const test_case cases[] = {
    CASE(numbers_keep_their_size),
    CASE(floats),
    CASE(enums_and_flags),
    CASE(strings_are_copied),
    CASE(arrays_of_strings),
    CASE(bytes_are_copied),
    CASE(other_boxed_types_are_copied),
    CASE(objects_get_a_reference),
    CASE(variants_and_params),
    CASE(plain_pointers_are_passed_on),
    CASE(what_does_not_fit_is_refused),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
