/* Bindings of signals to variables, to properties and to subjects. */
#include "numbers.h"
#include "script.h"

static belay_signal *subject;

static void push(belay_value value) { CHECK_INT(belay_subject_next(subject, value), 0); }

static int bind(belay_kind kind, void *address) {
  return belay_signal_bind_variable(subject, kind, address, NULL, NULL);
}

static void begin(void) { CHECK((subject = belay_subject_create(NULL)) != NULL); }
static void done(void) { belay_signal_release(subject); }
static int listeners(void) { return (int)belay_live_count(BELAY_LIVE_SUBSCRIPTIONS); }

/* ---- errors that nobody handles ---- */

static void hook(void *unused, const belay_error *error, const char *signal, const char *site) {
  trace("%s", belay_error_name(belay_error_code(error)));
}

/* ---- variables ---- */

typedef struct numbers_of_c {
  int flag;
  int8_t i8;
  int16_t i16;
  int32_t i32;
  int64_t i64;
  uint8_t u8;
  uint16_t u16;
  uint32_t u32;
  uint64_t u64;
  double real;
} numbers_of_c;

static void a_number_goes_into_every_integer_that_holds_it(void) {
  numbers_of_c all;
  memset(&all, 0x55, sizeof all);
  begin();
  CHECK_INT(bind(BELAY_KIND_INT8, &all.i8), 0);
  CHECK_INT(bind(BELAY_KIND_INT16, &all.i16), 0);
  CHECK_INT(bind(BELAY_KIND_INT32, &all.i32), 0);
  CHECK_INT(bind(BELAY_KIND_INT64, &all.i64), 0);
  CHECK_INT(bind(BELAY_KIND_UINT8, &all.u8), 0);
  CHECK_INT(bind(BELAY_KIND_UINT16, &all.u16), 0);
  CHECK_INT(bind(BELAY_KIND_UINT32, &all.u32), 0);
  CHECK_INT(bind(BELAY_KIND_UINT64, &all.u64), 0);
  CHECK_INT(bind(BELAY_KIND_DOUBLE, &all.real), 0);
  push(belay_int32(100));
  CHECK(all.i8 == 100 && all.i16 == 100 && all.i32 == 100 && all.i64 == 100);
  CHECK(all.u8 == 100 && all.u16 == 100 && all.u32 == 100 && all.u64 == 100);
  CHECK(all.real == 100);
  push(belay_uint8(127));
  CHECK(all.i8 == 127 && all.u64 == 127);
  CHECK_INT(all.flag, 0x55555555);
  done();
}

static void the_edges_of_integers(void) {
  static const struct {
    belay_kind kind;
    int64_t low, high;
  } edges[] = {{BELAY_KIND_INT8, INT8_MIN, INT8_MAX},    {BELAY_KIND_INT16, INT16_MIN, INT16_MAX},
               {BELAY_KIND_INT32, INT32_MIN, INT32_MAX}, {BELAY_KIND_UINT8, 0, UINT8_MAX},
               {BELAY_KIND_UINT16, 0, UINT16_MAX},       {BELAY_KIND_UINT32, 0, UINT32_MAX}};
  CHECK_INT(belay_on_unhandled_error(hook, NULL, NULL), 0);
  for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) {
    for (int above = 0; above < 2; above++) {
      uint64_t variable = 0x5555555555555555;
      begin();
      CHECK_INT(bind(edges[i].kind, &variable), 0);
      push(belay_int64(above ? edges[i].high : edges[i].low));
      uint64_t kept = variable;
      push(belay_int64(above ? edges[i].high + 1 : edges[i].low - 1));
      CHECK_TRACE("ERANGE");
      CHECK(variable == kept);
      CHECK_INT(listeners(), 0);
      done();
    }
  }
  CHECK_INT(belay_on_unhandled_error(NULL, NULL, NULL), 0);
}

static void booleans_reals_and_pointers(void) {
  int flag = -1;
  float small = 0;
  void *pointer = NULL;
  begin();
  CHECK_INT(bind(BELAY_KIND_BOOL, &flag), 0);
  push(belay_bool(1));
  CHECK_INT(flag, 1);
  push(belay_bool(0));
  CHECK_INT(flag, 0);
  done();
  begin();
  CHECK_INT(bind(BELAY_KIND_FLOAT, &small), 0);
  push(belay_float(1.5f));
  CHECK(small == 1.5f);
  done();
  begin();
  CHECK_INT(bind(BELAY_KIND_POINTER, &pointer), 0);
  push(belay_pointer(&small));
  CHECK(pointer == &small);
  done();
}

static void another_kind_ends_the_binding(void) {
  static const belay_kind kinds[] = {BELAY_KIND_BOOL,   BELAY_KIND_INT32,   BELAY_KIND_UINT64,
                                     BELAY_KIND_FLOAT,  BELAY_KIND_DOUBLE,  BELAY_KIND_POINTER,
                                     BELAY_KIND_STRING, BELAY_KIND_SIGNAL};
  int destroyed = 0;
  CHECK_INT(belay_on_unhandled_error(hook, NULL, NULL), 0);
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    belay_value variable = belay_null();
    begin();
    CHECK_INT(bind(kinds[i], &variable), 0);
    /* A pointer with a destructor would not outlive its value, so it is refused. */
    push(belay_pointer_owned(&destroyed, count_free));
    CHECK_TRACE("EKIND");
    CHECK_INT(destroyed, (int)i + 1);
    CHECK_INT(belay_value_kind(variable), BELAY_KIND_NULL);
    CHECK_INT(listeners(), 0);
    done();
  }
  CHECK_INT(belay_on_unhandled_error(NULL, NULL, NULL), 0);
}

static belay_value latest;

/* When the old value is destroyed, the variable has the new one already. */
static void look(void *counter) {
  belay_view view;
  ++*(int *)counter;
  if (belay_value_get_string(latest, &view) == 0) trace("gone, now %s", view.data);
}

static void a_value_variable_owns_what_it_holds(void) {
  int destroyed = 0;
  latest = belay_string("the first, a long string");
  begin();
  CHECK_INT(bind(BELAY_KIND_NULL, &latest), 0);
  push(belay_string("the second, a long string"));
  push(belay_pointer_owned(&destroyed, look));
  CHECK_INT(destroyed, 0);
  push(belay_string("third"));
  CHECK_INT(destroyed, 1);
  CHECK_TRACE("gone, now third");
  push(belay_int32(4));
  push(belay_null());
  push(belay_value_from_signal(subject));
  CHECK(belay_value_get_signal(latest) == subject);
  push(belay_string("the last"));
  done();
  char text[32];
  belay_value_describe(latest, text, sizeof text);
  CHECK_STRING(text, "the last");
  belay_value_release(latest);
}

static void a_string_variable(void) {
  belay_value name = belay_null();
  begin();
  CHECK_INT(bind(BELAY_KIND_STRING, &name), 0);
  push(belay_string("one"));
  push(belay_string("two"));
  CHECK_INT(belay_on_unhandled_error(hook, NULL, NULL), 0);
  push(belay_null());
  CHECK_TRACE("EKIND");
  CHECK_INT(belay_on_unhandled_error(NULL, NULL, NULL), 0);
  belay_view view;
  CHECK_INT(belay_value_get_string(name, &view), 0);
  CHECK_STRING(view.data, "two");
  belay_value_release(name);
  done();
}

static void disposing_ends_a_binding(void) {
  int32_t number = 0;
  belay_disposable *binding = NULL;
  begin();
  CHECK_INT(belay_signal_bind_variable(subject, BELAY_KIND_INT32, &number, NULL, &binding), 0);
  push(belay_int32(1));
  end_subscription(binding);
  push(belay_int32(2));
  CHECK_INT(number, 1);
  CHECK_INT(listeners(), 0);
  done();
}

/* A shared source would call its subscriber on the sender's thread. The binding is at home at the loop. */
static void push_two(void *shared) { CHECK(belay_subject_next(shared, belay_int32(2)) >= 0); }
static void a_shared_source_sets_a_variable_at_home(void) {
  int32_t number = 0;
  belay_loop *loop = open_loop();
  belay_source_options options = {.size = sizeof options, .shared = 1};
  belay_signal *shared = belay_subject_create(&options);
  belay_disposable *binding = NULL;
  CHECK_INT(belay_signal_bind_variable(shared, BELAY_KIND_INT32, &number, NULL, &binding), 0);
  CHECK_INT(belay_subject_next(shared, belay_int32(1)), 0);
  CHECK_INT(number, 1);
  in_thread(push_two, shared);
  CHECK_INT(number, 1);
  turn(loop);
  CHECK_INT(number, 2);
  in_thread(push_two, shared);
  number = 0;
  end_subscription(binding);
  turn(loop);
  CHECK_INT(number, 0);
  belay_signal_release(shared);
  close_loop(loop);
}

typedef struct window {
  int32_t width;
  belay_value title;
} window;

static void close_window(void *object) {
  window *it = object;
  trace("deinit, width %d", it->width);
  belay_value_release(it->title);
}

static void an_owners_variables_end_with_it(void) {
  window window = {0, belay_null()};
  belay_owner *owner = belay_owner_create(&window, close_window, NULL, NULL);
  begin();
  belay_signal *titles = belay_subject_create(NULL);
  belay_disposable *binding = NULL;
  CHECK_INT(belay_signal_bind_variable(subject, BELAY_KIND_INT32, &window.width, owner, &binding),
            0);
  CHECK_INT(belay_signal_bind_variable(titles, BELAY_KIND_STRING, &window.title, owner, NULL), 0);
  push(belay_int32(640));
  CHECK_INT(belay_subject_next(titles, belay_string("a title that is long enough")), 0);
  belay_owner *kept = belay_owner_retain(owner);
  belay_owner_release(owner);
  push(belay_int32(800));
  belay_weak *weak = belay_weak_create(kept);
  belay_owner_release(kept);
  CHECK_TRACE("deinit, width 800");
  CHECK_INT(belay_disposable_is_disposed(binding), 1);
  belay_disposable_release(binding);
  push(belay_int32(1024));
  CHECK_INT(window.width, 800);
  CHECK(belay_weak_upgrade(weak) == NULL);
  belay_weak_release(weak);
  belay_signal_release(titles);
  done();
}

/* take_during completes the chain, which ends the binding below it. */
static void until_an_owner(void) {
  int32_t number = 0;
  belay_owner *owner = belay_owner_create(NULL, NULL, NULL, NULL);
  begin();
  belay_signal *until =
      belay_signal_chain(belay_signal_retain(subject), belay_op_take_during(owner));
  CHECK_INT(belay_signal_bind_variable(until, BELAY_KIND_INT32, &number, NULL, NULL), 0);
  belay_signal_release(until);
  push(belay_int32(1));
  belay_owner_release(owner);
  push(belay_int32(2));
  CHECK_INT(number, 1);
  CHECK_INT(listeners(), 0);
  done();
}

/* ---- properties ---- */

static void a_property_takes_values_and_no_end(void) {
  belay_property *property = number_property(0);
  belay_disposable *binding = NULL;
  begin();
  watch(belay_property_signal(property), "");
  CHECK_INT(belay_signal_bind_property(subject, property, NULL, &binding), 0);
  push(belay_int32(1));
  push(belay_int32(2));
  CHECK_INT(number_of(property), 2);
  CHECK_INT(belay_subject_completed(subject), 0);
  CHECK_INT(belay_disposable_is_disposed(binding), 1);
  belay_disposable_release(binding);
  CHECK_INT(belay_property_set(property, belay_int32(3)), 0);
  CHECK_TRACE("next 0 | next 1 | next 2 | next 3");
  belay_property_release(property);
  CHECK_TRACE("completed | disposed | free");
  done();
}

static void an_error_is_not_the_propertys(void) {
  belay_property *property = number_property(1);
  begin();
  CHECK_INT(belay_signal_bind_property(subject, property, NULL, NULL), 0);
  CHECK_INT(belay_on_unhandled_error(hook, NULL, NULL), 0);
  fail_subject(subject, BELAY_ENOENT, "gone");
  CHECK_TRACE("ENOENT");
  CHECK_INT(belay_on_unhandled_error(NULL, NULL, NULL), 0);
  CHECK_INT(number_of(property), 1);
  belay_property_release(property);
  done();
}

static void a_binding_ends_with_its_property(void) {
  begin();
  for (int i = 0; i < 3; i++) {
    belay_property *property = number_property(0);
    belay_disposable *one = NULL, *two = NULL;
    CHECK_INT(belay_signal_bind_property(subject, property, NULL, &one), 0);
    CHECK_INT(belay_signal_bind_property(subject, property, NULL, &two), 0);
    end_subscription(one);
    CHECK_INT(listeners(), 1);
    belay_property_release(property);
    CHECK_INT(belay_disposable_is_disposed(two), 1);
    belay_disposable_release(two);
    CHECK_INT(listeners(), 0);
  }
  done();
}

static void a_binding_ends_with_its_owner(void) {
  belay_property *property = number_property(0);
  belay_owner *owner = belay_owner_create(NULL, NULL, NULL, NULL);
  begin();
  CHECK_INT(belay_signal_bind_property(subject, property, owner, NULL), 0);
  push(belay_int32(1));
  belay_owner *dead = belay_owner_retain(owner);
  belay_owner_release(owner);
  belay_owner_release(dead);
  push(belay_int32(2));
  CHECK_INT(number_of(property), 1);
  CHECK_INT(listeners(), 0);
  belay_property_release(property);
  done();
}

/* Each property follows the other: no cycle keeps them alive, and a change goes once each way. */
static void two_that_follow_what_is_made_of_each_other(void) {
  belay_property *a = number_property(1), *b = number_property(2);
  belay_signal *of_a = belay_signal_chain(belay_property_signal(a),
                                          belay_op_distinct_until_changed(NULL, NULL, NULL));
  belay_signal *of_b = belay_signal_chain(belay_property_signal(b),
                                          belay_op_distinct_until_changed(NULL, NULL, NULL));
  CHECK_INT(belay_signal_bind_property(of_a, b, NULL, NULL), 0);
  CHECK_INT(belay_signal_bind_property(of_b, a, NULL, NULL), 0);
  CHECK_INT(belay_property_set(b, belay_int32(7)), 0);
  CHECK_INT(number_of(a), 7);
  CHECK_INT(number_of(b), 7);
  belay_signal_release(of_a);
  belay_signal_release(of_b);
  belay_property_release(a);
  belay_property_release(b);
}

static void set_from_the_outside(void *signal) {
  CHECK_INT(belay_subject_next(signal, belay_int32(5)), BELAY_QUEUED);
}

static void values_come_at_the_propertys_home(void) {
  worker worker = {0};
  start_worker(&worker);
  belay_loop *loop = open_loop();
  belay_source_options there = {.size = sizeof there, .loop = worker.loop};
  subject = belay_subject_create(&there);
  belay_property *property = number_property(0);
  CHECK_INT(belay_signal_bind_property(subject, property, NULL, NULL), 0);
  meet(&worker);
  in_thread(set_from_the_outside, subject);
  meet(&worker);
  CHECK_INT(number_of(property), 0);
  while (number_of(property) == 0) turn(loop);
  CHECK_INT(number_of(property), 5);
  belay_property_release(property);
  meet(&worker);
  done();
  stop_worker(&worker);
  turn(loop);
  close_loop(loop);
}

/* ---- subjects ---- */

static void bind_passes_values_and_the_end(void) {
  belay_signal *target = belay_subject_create(NULL);
  begin();
  watch(also(target), "");
  belay_disposable *binding = NULL;
  CHECK_INT(belay_signal_bind(subject, target, &binding), 0);
  push(belay_int32(1));
  end_subscription(binding);
  push(belay_int32(2));
  CHECK_INT(belay_signal_bind(subject, target, NULL), 0);
  CHECK_INT(belay_subject_completed(subject), 0);
  CHECK_TRACE("next 1 | completed | disposed | free");
  CHECK_FAILS(belay_signal_bind(subject, NULL, NULL), BELAY_EINVAL);
  belay_signal *never = belay_signal_never();
  CHECK_FAILS(belay_signal_bind(subject, never, NULL), BELAY_EKIND);
  belay_signal_release(never);
  belay_signal_release(target);
  done();
}

static void an_interruption_ends_the_binding_alone(void) {
  belay_signal *target = belay_subject_create(NULL);
  begin();
  watch(also(target), "");
  CHECK_INT(belay_signal_bind(subject, target, NULL), 0);
  belay_signal_release(subject);
  subject = belay_signal_retain(target);
  push(belay_int32(1));
  CHECK_TRACE("next 1");
  belay_signal_release(target);
  done();
  trace_clear();
}

/* ---- nonsense ---- */

static void what_is_refused(void) {
  int32_t variable = 7;
  belay_property *property = number_property(0);
  belay_signal *own = belay_property_signal(property);
  belay_owner *owner = belay_owner_create(NULL, NULL, NULL, NULL);
  belay_disposable *out = (belay_disposable *)&variable;
  begin();
  CHECK_FAILS(belay_signal_bind_variable(NULL, BELAY_KIND_INT32, &variable, NULL, &out),
              BELAY_EINVAL);
  CHECK(out == NULL);
  CHECK_FAILS(bind(BELAY_KIND_INT32, NULL), BELAY_EINVAL);
  CHECK_FAILS(bind((belay_kind)(BELAY_KIND_STREAM + 1), &variable), BELAY_EINVAL);
  CHECK_FAILS(bind((belay_kind)-1, &variable), BELAY_EINVAL);
  CHECK_FAILS(belay_signal_bind_variable(NULL, BELAY_KIND_INT32, &variable, owner, NULL),
              BELAY_EINVAL);
  CHECK_FAILS(belay_signal_bind_property(NULL, property, NULL, NULL), BELAY_EINVAL);
  CHECK_FAILS(belay_signal_bind_property(subject, NULL, NULL, NULL), BELAY_EINVAL);
  CHECK_FAILS(belay_signal_bind_property(subject, NULL, owner, &out), BELAY_EINVAL);
  /* Bound to itself, each value would send the next one. */
  CHECK_FAILS(belay_signal_bind_property(own, property, NULL, &out), BELAY_EINVAL);
  CHECK_FAILS(belay_signal_bind(subject, subject, &out), BELAY_EINVAL);
  CHECK(out == NULL);
  CHECK_INT(listeners(), 0);
  CHECK_INT(variable, 7);
  belay_owner_release(owner);
  belay_signal_release(own);
  belay_property_release(property);
  done();
}

static const test_case cases[] = {
    CASE(a_number_goes_into_every_integer_that_holds_it),
    CASE(the_edges_of_integers),
    CASE(booleans_reals_and_pointers),
    CASE(another_kind_ends_the_binding),
    CASE(a_value_variable_owns_what_it_holds),
    CASE(a_string_variable),
    CASE(disposing_ends_a_binding),
    CASE(a_shared_source_sets_a_variable_at_home),
    CASE(an_owners_variables_end_with_it),
    CASE(until_an_owner),
    CASE(a_property_takes_values_and_no_end),
    CASE(an_error_is_not_the_propertys),
    CASE(a_binding_ends_with_its_property),
    CASE(a_binding_ends_with_its_owner),
    CASE(two_that_follow_what_is_made_of_each_other),
    CASE(values_come_at_the_propertys_home),
    CASE(bind_passes_values_and_the_end),
    CASE(an_interruption_ends_the_binding_alone),
    CASE(what_is_refused),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
