# Prints what Tests/C/Interception/intercepted_types.c includes: structs, functions of every type and of mixes of
# them, and for each of the functions how it is called directly and what its values are.
# The same on every run.

# A number from 0 to n - 1.
function random(n) {
  state = (state * 16807) % 2147483647
  return int(state / 65536) % n
}

function type(name, c, shape) {
  types[++type_count] = name
  ctype[name] = c
  letters[name] = shape
}

# Members: a letter, or the name of a struct, each with ":n" behind it for an array.
function struct(name, members,    list, count, i, part, n, shape, fold, sample, of) {
  count = split(members, list, " ")
  print "typedef struct " name " {"
  for (i = 1; i <= count; i++) {
    n = split(list[i], part, ":")
    of = part[1]
    printf "  %s m%d%s;\n", ctype[of], i, (n > 1 ? "[" part[2] "]" : "")
    shape = shape (n > 1 ? "[" part[2] letters[of] "]" : letters[of])
    if (n > 1) {
      fold = fold sprintf("  for (int i = 0; i < %d; i++) h = fold_%s(h, v.m%d[i]);\n", part[2], kept(of), i)
      sample = sample sprintf("  for (int i = 0; i < %d; i++) v.m%d[i] = sample_%s(seed * 31 + %du + (unsigned)i);\n", part[2], i, of, 100 * i)
    } else {
      fold = fold sprintf("  h = fold_%s(h, v.m%d);\n", kept(of), i)
      sample = sample sprintf("  v.m%d = sample_%s(seed * 31 + %du);\n", i, of, 100 * i)
    }
  }
  print "} " name ";"
  print "static uint64_t fold_" name "(uint64_t h, " name " v) {\n" fold "  return h;\n}"
  print "static " name " sample_" name "(unsigned seed) {\n  " name " v;\n  memset(&v, 0, sizeof v);\n" sample "  return v;\n}"
  print "static " name " get_" name "(belay_value value) {\n  " name " v;"
  print "  CHECK_INT(belay_value_get_struct(value, \"" name "\", &v, sizeof v), 0);\n  return v;\n}"
  print "static belay_value value_" name "(" name " v) { return belay_struct(\"" name "\", &v, sizeof v); }\n"
  type(name, name, "{" name "=" shape "}")
}

# Within a struct a string is the pointer that it is.
function kept(of) { return of == "text" ? "pointer" : of }

# A function. Its context is argument `context` of all, or none for -1.
function method(result, arguments, context,    list, count, i, c, shape, parameters, with, types_, values, folds, looks, sets, n, place, shape_) {
  n = ++method_count
  count = split(arguments, list, " ")
  place = 0
  for (i = 0; i <= count; i++) {
    if (i == context) {
      parameters = parameters (place ? ", " : "") "void *it"
      types_ = types_ (place ? ", " : "") "void *"
      values = values (place ? ", " : "") "&the_context"
      shape = shape "@"
      place++
    }
    if (i == count) break
    c = list[i + 1]
    parameters = parameters (place ? ", " : "") ctype[c] " a" i
    types_ = types_ (place ? ", " : "") ctype[c]
    values = values (place ? ", " : "") sprintf("sample_%s(seed + %du)", c, 7 * i)
    shape = shape letters[c]
    folds = folds sprintf("  h = fold_%s(h, a%d);\n", c, i)
    looks = looks sprintf("  h = fold_%s(h, get_%s(values[%d]));\n", c, c, i)
    sets = sets sprintf("  CHECK_INT(belay_invocation_set(call, %d, value_%s(sample_%s(seed + %du))), 0);\n", i, c, c, 7 * i)
    place++
  }
  if (context >= 0) folds = "  CHECK(it == &the_context);\n" folds
  if (place == 0) parameters = types_ = "void"
  c = result == "void" ? "void" : ctype[result]
  print "static " c " f" n "(" parameters ") {\n  uint64_t h = 1;\n" folds "  told(h);"
  print (result == "void" ? "}" : "  return sample_" result "((unsigned)h);\n}")
  # What is connected to it: itself, if it has a context, else one with a context more.
  if (context < 0) {
    print "static void h" n "(void *it" (place ? ", " parameters : "") ") {\n  uint64_t h = 1;"
    print "  CHECK(it == &the_context);\n" folds "  told(h);\n}"
  }
  print "static uint64_t call" n "(belay_function function, unsigned seed) {"
  print "  (void)seed;"
  if (result == "void") print "  ((void (*)(" types_ "))function)(" values ");\n  return 1;\n}"
  else print "  return fold_" result "(1, ((" c " (*)(" types_ "))function)(" values "));\n}"
  print "static uint64_t look" n "(const belay_value *values) {\n  uint64_t h = 1;\n  (void)values;\n" looks "  return h;\n}"
  print "static void set" n "(belay_invocation *call, unsigned seed) {\n  (void)call, (void)seed;\n" sets "}"
  if (result != "void") {
    print "static uint64_t answer" n "(belay_value value) { return fold_" result "(1, get_" result "(value)); }"
    print "static belay_value result" n "(uint64_t h) { return value_" result "(sample_" result "((unsigned)h)); }"
  }
  print ""
  shape_ = (result == "void" ? "v" : letters[result]) shape
  rows = rows sprintf("    {\"%s\", \"%s\", \"%s\", %d, %d, (belay_function)f%d, (belay_function)%s%d, call%d, look%d, set%d, %s},\n", \
    result "(" arguments ")", shape_, context < 0 ? "v@" shape : shape_, \
    count, context >= 0, n, context < 0 ? "h" : "f", n, n, n, n, \
    result == "void" ? "NULL, NULL" : "answer" n ", result" n)
}

function any() { return types[1 + random(type_count)] }

BEGIN {
  state = 20260731
  type("truth", "bool", "B")
  type("int8", "int8_t", "c"); type("uint8", "uint8_t", "C")
  type("int16", "int16_t", "s"); type("uint16", "uint16_t", "S")
  type("int32", "int32_t", "i"); type("uint32", "uint32_t", "I")
  type("int64", "int64_t", "q"); type("uint64", "uint64_t", "Q")
  type("along", "long", "l"); type("ulong", "unsigned long", "L")
  type("size", "size_t", "T"); type("ptrdiff", "ptrdiff_t", "t")
  type("float32", "float", "f"); type("float64", "double", "d")
  type("longdouble", "long double", "D")
  type("pointer", "void *", "p"); type("text", "const char *", "*")
  struct("one_float", "float32")
  struct("one_char", "int8")
  struct("three_chars", "int8:3")
  struct("two_doubles", "float64 float64")
  struct("four_floats", "float32:4")
  struct("three_ints", "int32 uint32 int32")
  struct("padded", "int8 float64")
  struct("mixed", "int32 float32 float64")
  struct("float_first", "float32 int16 uint64")
  struct("truths", "truth truth uint16")
  struct("pointers", "pointer text")
  struct("bytes17", "uint8:17")
  struct("words24", "int64 float64 uint64")
  struct("doubles32", "float64:4")
  struct("shorts34", "int16:17")
  struct("mixed48", "size ptrdiff along ulong float32:3 int8")
  struct("bytes63", "uint8:63")
  struct("words64", "uint64:8")
  struct("with_long_double", "longdouble int16")
  struct("nested", "padded three_chars one_float")
  struct("deep", "nested:2 mixed pointer")

  for (i = 1; i <= type_count; i++) {
    method("void", types[i], 0)
    method(types[i], "", 0)
    method(types[i], types[i] " " types[i], -1)
  }
  method("void", "", 0); method("void", "", -1); method("int32", "", -1)
  for (i = 0; i < 200; i++) {
    count = 2 + random(11)
    list = any()
    for (j = 1; j < count; j++) list = list " " any()
    method(random(8) ? any() : "void", list, random(count + 2) - 1)
  }
  print "static const row rows[] = {\n" rows "};"
}
