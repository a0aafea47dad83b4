/* Descriptions of tables: every letter of a shape, errors in shapes and where they are, offsets,
   names, bases, and shapes that macros make of C types. */
#include "cases.h"

#include <limits.h>
#include <stdbool.h>

typedef struct ops {
  void (*one)(void *it);
  void (*two)(void *it);
  void (*three)(void *it);
} ops;

static belay_interface_description of(const belay_method *methods, size_t count) {
  return (belay_interface_description){
      .size = sizeof(belay_interface_description),
      .name = "ops",
      .table_size = sizeof(ops),
      .methods = methods,
      .method_count = count,
      .table_offset = BELAY_NO_TABLE,
  };
}
static belay_interface *with_shape(const char *shape, belay_method *method) {
  *method = (belay_method){sizeof(belay_method), "one", 0, shape, 0};
  belay_interface_description description = of(method, 1);
  return belay_interface_create(&description);
}

static void accepted(const char *shape) {
  belay_method method;
  belay_interface *made = with_shape(shape, &method);
  if (!made)
    check_failed(__FILE__, __LINE__, "%s: %s", shape, belay_error_message(belay_last_error()));
  belay_interface_release(made);
}
/* `place` is the place of the error that the message names. */
static void refused(const char *shape, int place) {
  belay_method method;
  char text[60];
  belay_interface *made = with_shape(shape, &method);
  if (made) check_failed(__FILE__, __LINE__, "%s was taken", shape);
  const belay_error *error = belay_last_error();
  CHECK_INT(belay_error_code(error), BELAY_EINVAL);
  snprintf(text, sizeof text, "one: the shape %.30s", shape);
  if (error && strncmp(belay_error_message(error), text, strlen(text)) != 0)
    check_failed(__FILE__, __LINE__, "%s: %s", shape, belay_error_message(error));
  snprintf(text, sizeof text, " is wrong at %d", place);
  const char *end = error ? strstr(belay_error_message(error), " is wrong at ") : NULL;
  if (!end || strcmp(end, text) != 0)
    check_failed(__FILE__, __LINE__, "%s is wrong at %d, but: %s", shape, place,
                 belay_error_message(error));
  belay_interface_release(made);
}

static void every_letter_is_known(void) {
  const char *letters = "BcCsSiIqQlLTtfdDp*";
  for (const char *letter = letters; *letter; letter++) {
    char shape[40];
    snprintf(shape, sizeof shape, "%c", *letter);
    accepted(shape);
    snprintf(shape, sizeof shape, "v@%c", *letter);
    accepted(shape);
    snprintf(shape, sizeof shape, "{a=%c}@{b=[3%c]%c}", *letter, *letter, *letter);
    accepted(shape);
  }
  for (int c = 1; c < 256; c++) {
    char shape[] = {'v', (char)c, 0};
    if (!strchr(letters, c) && c != '@') refused(shape, c == '{' ? 2 : 1);
    shape[0] = (char)c, shape[1] = 0;
    if (!strchr(letters, c) && c != 'v') refused(shape, c == '{' ? 1 : 0);
  }
  accepted("v@");
  accepted("v");
}

static void structs_and_arrays(void) {
  accepted("v{point=dd}");
  accepted("{point=dd}{point=dd}");
  accepted("v{a={b={c=i}c}[4{d=sf}]}");
  accepted("v{a=[2[3[4c]]]}");
  accepted("v{struct with a long name of several words=c}");
  accepted("v{a={b={c={d={e={f={g={h={i={j={k={l={m={n={o=c}}}}}}}}}}}}}}}");
  accepted("v{a=[1023c]}");
  accepted("v{a=[1022q]c}");
}

static void what_is_wrong_with_a_shape_and_where(void) {
  refused("", 0);
  refused("x", 0);
  refused("@", 0);
  refused("@v", 0);
  refused("vv", 1);
  refused("iv", 1);
  refused("v@@", 2);
  refused("v@i@", 3);
  refused("v ", 1);
  refused("v@ i", 2);
  refused("i@pq,", 4);
  refused("v[3c]", 1);
  refused("v{", 2);
  refused("v{a", 2);
  refused("v{=c}", 2);
  refused("v{a}", 2);
  refused("v{a=", 4);
  refused("v{a=}", 4);
  refused("v{a=v}", 4);
  refused("v{a=@}", 4);
  refused("v{a=c", 5);
  refused("v{a=c]", 5);
  refused("v{a=[]}", 5);
  refused("v{a=[c]}", 5);
  refused("v{a=[0c]}", 6);
  refused("v{a=[2]}", 6);
  refused("v{a=[2cc]}", 7);
  refused("v{a=[2c}", 7);
  refused("v{a=[1025c]}", 9);
  refused("v{a=[99999999999999999999c]}", 9);
  refused("v{a=[-1c]}", 5);
  refused("v{a=c}}", 6);
}

/* None of these can be passed by value; some would take more memory than there is. */
static void shapes_that_are_too_much(void) {
  belay_method method;
  const char *shapes[] = {"v{a=[1024[1024c]]}",
                          "v{a=[1024c]}",
                          "v{a=[256[256[2c]]]}",
                          "v{a=[64[64[64[64[64[64[64[64[64[64[64[64[64c]]]]]]]]]]]]]}",
                          "v{a=[64[64[64[64q]]]]}",
                          "v{a={b={c={d={e={f={g={h={i={j={k={l={m={n={o={p={q={r={s=c}}}}}}}}}}}}}}}}}}}"};
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    CHECK(!with_shape(shapes[i], &method));
    CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
  }
  static char text[1 << 20];
  text[0] = 'v';
  for (size_t i = 1; i + 5 < sizeof text; i += 3) memcpy(text + i, "{a=", 3);
  CHECK(!with_shape(text, &method));
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
  for (size_t i = 1; i + 1 < sizeof text; i++) text[i] = 'i';
  CHECK(!with_shape(text, &method));
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_ERANGE);
  text[65] = 0;
  accepted(text); /* 64 arguments */
  text[65] = 'i', text[66] = 0;
  CHECK(!with_shape(text, &method));
  const belay_error *error = belay_last_error();
  CHECK_INT(belay_error_code(error), BELAY_ERANGE);
  CHECK_STRING(belay_error_message(error), "one: more than 64 arguments");
}

static int sum_of_64(const int32_t *numbers) {
  int sum = 0;
  for (int i = 0; i < 64; i++) sum = sum * 3 + numbers[i];
  return sum;
}
static int many(int a0, int a1, int a2, int a3, int a4, int a5, int a6, int a7, int a8, int a9,
                int a10, int a11, int a12, int a13, int a14, int a15, int a16, int a17, int a18,
                int a19, int a20, int a21, int a22, int a23, int a24, int a25, int a26, int a27,
                int a28, int a29, int a30, int a31, int a32, int a33, int a34, int a35, int a36,
                int a37, int a38, int a39, int a40, int a41, int a42, int a43, int a44, int a45,
                int a46, int a47, int a48, int a49, int a50, int a51, int a52, int a53, int a54,
                int a55, int a56, int a57, int a58, int a59, int a60, int a61, int a62, int a63) {
  int32_t numbers[] = {a0,  a1,  a2,  a3,  a4,  a5,  a6,  a7,  a8,  a9,  a10, a11, a12,
                       a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25,
                       a26, a27, a28, a29, a30, a31, a32, a33, a34, a35, a36, a37, a38,
                       a39, a40, a41, a42, a43, a44, a45, a46, a47, a48, a49, a50, a51,
                       a52, a53, a54, a55, a56, a57, a58, a59, a60, a61, a62, a63};
  return sum_of_64(numbers) & 0xFFFF;
}
static void as_many_arguments_as_there_may_be(void) {
  char shape[66] = {0};
  memset(shape, 'i', 65);
  belay_method method;
  belay_interface *interface = with_shape(shape, &method);
  belay_invocation *call = belay_invocation_create(interface, "one");
  CHECK_INT(belay_invocation_count(call), 64);
  int32_t numbers[64], answer = 0;
  for (int i = 0; i < 64; i++) {
    numbers[i] = i * i % 7;
    CHECK_INT(belay_invocation_set(call, (size_t)i, belay_int32(numbers[i])), 0);
  }
  CHECK_INT(belay_invocation_call(call, (belay_function)many), 0);
  CHECK_INT(belay_value_get_int32(belay_invocation_result(call), &answer), 0);
  CHECK_INT(answer, sum_of_64(numbers) & 0xFFFF);
  belay_invocation_release(call);
  belay_interface_release(interface);
}

static void fails(belay_interface_description description, int code, const char *message) {
  belay_interface *made = belay_interface_create(&description);
  CHECK(!made);
  const belay_error *error = belay_last_error();
  CHECK_INT(belay_error_code(error), code);
  if (message && error) CHECK_STRING(belay_error_message(error), message);
  belay_interface_release(made);
}

static void offsets_names_and_flags_are_checked(void) {
  belay_method two[] = {{sizeof(belay_method), "one", 0, "v@", 0}, {sizeof(belay_method), "two", 0, "v@", 0}};
  fails(of(two, 2), BELAY_EINVAL, "ops.two: the offset is another method's");
  two[1].offset = 4;
  fails(of(two, 2), BELAY_EINVAL, "ops.two: the offset is misaligned");
  two[1].offset = sizeof(ops);
  fails(of(two, 2), BELAY_EINVAL, "ops.two: the offset is outside of the table");
  two[1].offset = (size_t)-8;
  fails(of(two, 2), BELAY_EINVAL, "ops.two: the offset is outside of the table");
  two[1].offset = (size_t)PTRDIFF_MAX - 7;
  fails(of(two, 2), BELAY_EINVAL, "ops.two: the offset is outside of the table");
  two[1].offset = 8;
  two[1].name = "one";
  fails(of(two, 2), BELAY_EINVAL, "ops.one: there are two of that name");
  two[1].name = "";
  fails(of(two, 2), BELAY_EINVAL, "a method without a name");
  two[1].name = NULL;
  fails(of(two, 2), BELAY_EINVAL, "a method without a name");
  two[1].name = "two";
  two[1].flags = 4;
  fails(of(two, 2), BELAY_EINVAL, "two: no shape, or unknown flags");
  two[1].flags = 0;
  two[1].shape = NULL;
  fails(of(two, 2), BELAY_EINVAL, "two: no shape, or unknown flags");
  two[1].shape = "v@";
  belay_interface_description description = of(two, 2);
  belay_interface *made = belay_interface_create(&description);
  CHECK_INT(belay_interface_method_count(made), 2);
  CHECK_STRING(belay_interface_name(made), "ops");
  CHECK(belay_interface_method(made, 0) == two && belay_interface_method(made, 1) == two + 1);
  CHECK(!belay_interface_method(made, 2) && !belay_interface_method(made, (size_t)-1));
  CHECK(belay_interface_retain(made) == made);
  belay_interface_release(made);
  belay_interface_release(made);
}

static void sizes_are_checked(void) {
  belay_method one = {sizeof(belay_method), "one", 0, "v@", 0};
  CHECK(!belay_interface_create(NULL));
  belay_last_error();
  belay_interface_description description = of(&one, 1);
  description.size = 1;
  fails(description, BELAY_EINVAL, NULL);
  description = of(&one, 1);
  description.name = NULL;
  fails(description, BELAY_EINVAL, NULL);
  fails(of(NULL, 1), BELAY_EINVAL, NULL);
  fails(of(&one, (size_t)-1), BELAY_ERANGE, "more than 1024 methods");
  fails(of(&one, 1025), BELAY_ERANGE, "more than 1024 methods");
  description = of(&one, 1);
  description.table_size = (size_t)-1;
  fails(description, BELAY_EINVAL, NULL);
  description.table_size = 7;
  fails(description, BELAY_EINVAL, "ops.one: the offset is outside of the table");
  description = of(&one, 1);
  description.table_offset = 3;
  fails(description, BELAY_EINVAL, "ops: the table's offset is misaligned");
  description.table_offset = (size_t)-8;
  fails(description, BELAY_EINVAL, "ops: the table's offset is misaligned");
  CHECK_INT(belay_interface_method_count(NULL), 0);
  CHECK_STRING(belay_interface_name(NULL), "");
  CHECK(!belay_interface_method(NULL, 0) && !belay_interface_retain(NULL));
  belay_interface_release(NULL);
  belay_last_error();
}

static void a_thousand_methods(void) {
  static belay_method methods[1024];
  static char names[1024][8];
  for (int i = 0; i < 1024; i++) {
    snprintf(names[i], sizeof names[i], "m%d", i);
    methods[i] = (belay_method){sizeof(belay_method), names[i], (size_t)i * sizeof(belay_function), "v@", 0};
  }
  belay_interface_description description = of(methods, 1024);
  description.table_size = sizeof(belay_function) * 1025;
  belay_interface *base = belay_interface_create(&description);
  CHECK_INT(belay_interface_method_count(base), 1024);
  belay_method more = {sizeof(belay_method), "more", 1024 * sizeof(belay_function), "v@", 0};
  description.methods = &more, description.method_count = 1;
  description.base = base;
  fails(description, BELAY_ERANGE, NULL);
  belay_interface_release(base);
}

static void bases(void) {
  belay_method first[] = {{sizeof(belay_method), "one", 0, "v@", 0}};
  belay_interface_description description = of(first, 1);
  description.table_size = 8;
  belay_interface *base = belay_interface_create(&description);
  belay_method second[] = {{sizeof(belay_method), "two", 8, "i@", 0}, {sizeof(belay_method), "three", 16, "d@", 0}};
  description = of(second, 2);
  description.base = base;
  belay_interface *made = belay_interface_create(&description);
  CHECK_INT(belay_interface_method_count(made), 3);
  CHECK(belay_interface_method(made, 0) == first && belay_interface_method(made, 2) == second + 1);
  second[0].offset = 0;
  fails(description, BELAY_EINVAL, "ops.two: the offset is another method's");
  second[0].offset = 8;
  second[0].name = "one";
  fails(description, BELAY_EINVAL, "ops.one: there are two of that name");
  description.table_size = 4;
  fails(description, BELAY_EINVAL, "ops: the table is smaller than its base's");
  belay_interface_release(base);
  belay_invocation *call = belay_invocation_create(made, "one"); /* the interface keeps its base */
  CHECK_STRING(belay_invocation_method(call), "one");
  CHECK(!belay_invocation_create(made, "four"));
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_ENOENT);
  belay_invocation_release(call);
  belay_interface_release(made);
}

/* ---- shapes made of C types ---- */

typedef enum colour { red } colour;
typedef struct typed {
  void (*nothing)(void);
  bool (*truth)(void *it, bool);
  char (*chars)(void *it, char, signed char, unsigned char);
  short (*shorts)(void *it, short, unsigned short);
  unsigned (*ints)(int, void *it, unsigned);
  long (*longs)(void *it, long, unsigned long);
  unsigned long long (*long_longs)(long long, unsigned long long, void *it);
  int64_t (*fixed)(void *it, int8_t, uint16_t, int32_t, uint64_t, size_t, ptrdiff_t);
  long double (*floats)(void *it, float, double, long double);
  const char *(*strings)(void *it, const char *, char *, const void *);
  struct typed *(*pointers)(void *it, int *, void (*)(void), const struct typed *);
  colour (*enums)(void *it, colour);
  void (*twelve)(void *it, int, int, int, int, int, int, int, int, int, int, float);
} typed;

static const belay_method typed_methods[] = {
    BELAY_TYPED_METHOD(typed, nothing, -1, void, (void)),
    BELAY_TYPED_METHOD(typed, truth, 0, bool, (void *, bool)),
    BELAY_TYPED_METHOD(typed, chars, 0, char, (void *, char, signed char, unsigned char)),
    BELAY_TYPED_METHOD(typed, shorts, 0, short, (void *, short, unsigned short)),
    BELAY_TYPED_METHOD(typed, ints, 1, unsigned, (int, void *, unsigned)),
    BELAY_TYPED_METHOD(typed, longs, 0, long, (void *, long, unsigned long)),
    BELAY_TYPED_METHOD(typed, long_longs, 2, unsigned long long,
                       (long long, unsigned long long, void *)),
    BELAY_TYPED_METHOD(typed, fixed, 0, int64_t,
                       (void *, int8_t, uint16_t, int32_t, uint64_t, size_t, ptrdiff_t)),
    BELAY_TYPED_METHOD(typed, floats, 0, long double, (void *, float, double, long double)),
    BELAY_TYPED_METHOD(typed, strings, 0, const char *,
                       (void *, const char *, char *, const void *)),
    BELAY_TYPED_METHOD(typed, pointers, 0, struct typed *,
                       (void *, int *, void (*)(void), const struct typed *)),
    BELAY_TYPED_METHOD(typed, enums, 0, colour, (void *, colour)),
    BELAY_TYPED_METHOD(typed, twelve, 0, void,
                       (void *, int, int, int, int, int, int, int, int, int, int, float)),
};
/* Whether a plain char has a sign depends on the machine. */
#if CHAR_MIN < 0
#define PLAIN_CHAR "c"
#else
#define PLAIN_CHAR "C"
#endif
static const belay_method written_methods[] = {
    BELAY_METHOD(typed, nothing, "v"),
    BELAY_METHOD(typed, truth, "B@B"),
    BELAY_METHOD(typed, chars, PLAIN_CHAR "@" PLAIN_CHAR "cC"),
    BELAY_METHOD(typed, shorts, "s@sS"),
    BELAY_METHOD(typed, ints, "Ii@I"),
    BELAY_METHOD(typed, longs, "l@lL"),
    BELAY_METHOD(typed, long_longs, "QqQ@"),
    BELAY_METHOD(typed, fixed, "q@cSiQTt"),
    BELAY_METHOD(typed, floats, "D@fdD"),
    BELAY_METHOD(typed, strings, "*@*pp"),
    BELAY_METHOD(typed, pointers, "p@ppp"),
    BELAY_METHOD(typed, enums, "I@I"),
    BELAY_METHOD(typed, twelve, "v@iiiiiiiiiif"),
};

/* The same slot is asked for with both shapes, which works only if they are the same. */
static void shapes_of_types_are_those_that_one_would_write(void) {
  enum { count = sizeof typed_methods / sizeof *typed_methods };
  belay_interface_description description = of(typed_methods, count);
  description.table_size = sizeof(typed);
  belay_interface *made = belay_interface_create(&description);
  CHECK(made != NULL);
  description.methods = written_methods;
  belay_interface *written = belay_interface_create(&description);
  CHECK(written != NULL);
  typed table = {0};
  for (size_t i = 0; i < count; i++) {
    const char *name = typed_methods[i].name;
    CHECK_STRING(name, written_methods[i].name);
    CHECK_INT(typed_methods[i].offset, written_methods[i].offset);
    belay_slot *one = belay_slot_create_in_table(made, &table, name, 0);
    belay_slot *other = belay_slot_create_in_table(written, &table, name, 0);
    if (!one || one != other)
      check_failed(__FILE__, __LINE__, "%s: %s is not %s", name, typed_methods[i].shape,
                   written_methods[i].shape);
    belay_slot_release(one);
    belay_slot_release(other);
  }
  CHECK_INT(belay_table_gone(&table), 0);
  belay_interface_release(made);
  belay_interface_release(written);
}

/* A shape that differs in any way is another one. */
static void shapes_that_are_not_the_same(void) {
  static const char *const pairs[][2] = {
      {"v@i", "v@I"},           {"v@i", "v@q"},           {"v@p", "v@*"},
      {"v@i", "vi@"},           {"v@", "vp"},             {"v@", "i@"},
      {"v@{a=ii}", "v@{b=ii}"}, {"v@{a=ii}", "v@{a=if}"}, {"v@{a=ii}", "v@{a=[3i]}"},
      {"v@B", "v@C"},           {"v@i", "v@ii"},          {"v@{a=ic}", "v@{a=is}"}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    belay_method one, other;
    belay_function table = NULL;
    belay_interface *first = with_shape(pairs[i][0], &one);
    belay_interface *second = with_shape(pairs[i][1], &other);
    belay_slot *slot = belay_slot_create_in_table(first, &table, "one", 0);
    CHECK(slot != NULL);
    if (belay_slot_create_in_table(second, &table, "one", 0))
      check_failed(__FILE__, __LINE__, "%s passes for %s", pairs[i][1], pairs[i][0]);
    CHECK_INT(belay_error_code(belay_last_error()), BELAY_EMISMATCH);
    CHECK_INT(belay_table_gone(&table), 0);
    belay_slot_release(slot);
    belay_interface_release(first);
    belay_interface_release(second);
  }
}

static const test_case cases[] = {
    CASE(every_letter_is_known),
    CASE(structs_and_arrays),
    CASE(what_is_wrong_with_a_shape_and_where),
    CASE(shapes_that_are_too_much),
    CASE(as_many_arguments_as_there_may_be),
    CASE(offsets_names_and_flags_are_checked),
    CASE(sizes_are_checked),
    CASE(a_thousand_methods),
    CASE(bases),
    CASE(shapes_of_types_are_those_that_one_would_write),
    CASE(shapes_that_are_not_the_same),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
