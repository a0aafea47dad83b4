/* Pointers with the name of what they point to. */
#include "check.h"

static int freed;
static void count_free(void *p) {
  (void)p;
  freed++;
}

static void it_is_read_by_its_name(void) {
  int object = 1;
  void *out = NULL;
  char name[] = "shape"; /* compared as text, not by address */
  freed = 0;
  belay_value v = belay_pointer_typed("shape", &object, count_free);
  CHECK_INT(belay_value_kind(v), BELAY_KIND_POINTER);
  CHECK_INT(belay_value_get_typed(v, name, &out), 0);
  CHECK(out == &object);
  CHECK_INT(belay_value_get_typed(v, "shape", NULL), 0);
  out = NULL;
  CHECK_INT(belay_value_get_pointer(v, &out), 0);
  CHECK(out == &object);
  belay_value_release(v);
  CHECK_INT(freed, 1);
}

static void it_is_not_read_by_another(void) {
  int object = 1;
  void *out = NULL;
  freed = 0;
  belay_value others[] = {belay_pointer_typed("shape", &object, count_free),
                          belay_pointer_typed(NULL, &object, count_free),
                          belay_pointer_owned(&object, count_free),
                          belay_pointer(&object),
                          belay_string("sound"),
                          belay_int32(1),
                          belay_null()};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    CHECK_FAILS(belay_value_get_typed(others[i], "sound", &out), BELAY_EKIND);
    CHECK_FAILS(belay_value_get_typed(others[i], NULL, &out), BELAY_EINVAL);
    CHECK(out == NULL);
    belay_value_release(others[i]);
  }
  CHECK_INT(freed, 3);
}

static void without_a_destructor_it_is_only_carried(void) {
  void *out = &out;
  belay_value v = belay_pointer_typed("nothing", NULL, NULL);
  CHECK_INT(belay_value_get_typed(v, "nothing", &out), 0);
  CHECK(out == NULL);
  belay_value_release(v);
}

static const test_case cases[] = {
    CASE(it_is_read_by_its_name),
    CASE(it_is_not_read_by_another),
    CASE(without_a_destructor_it_is_only_carried),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
