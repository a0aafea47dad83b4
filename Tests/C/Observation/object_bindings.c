/* Bindings between fields, properties and signals. */
#include "people.h"

static belay_bindable key_of(belay_owner *object, const char *path) {
  return BELAY_INIT(belay_bindable, .object = object, .path = path);
}
static belay_bindable box(belay_property *property) {
  return BELAY_INIT(belay_bindable, .property = property);
}
static int bind(belay_bindable from, belay_bindable to, int both_ways, belay_disposable **out) {
  belay_binding binding = {.size = sizeof binding, .from = &from, .to = &to, .both_ways = both_ways,
                           .ctx = "binding", .ctx_free = trace_free};
  return belay_bind(&binding, out);
}
static int value_of(belay_property *property) {
  belay_value value;
  int32_t number = -1;
  CHECK_INT(belay_property_get(property, &value), 0);
  belay_value_get_int32(value, &number);
  belay_value_release(value);
  return number;
}

static void one_way_from_field_to_field(void) {
  belay_owner *ann = make_person(20, NULL), *bob = make_person(30, NULL);
  belay_disposable *binding, *heard = observed(bob, "age", "bob");
  CHECK_INT(bind(key_of(ann, "age"), key_of(bob, "age"), 0, &binding), 0);
  CHECK_INT(get_int(bob, "age"), 20);
  set_int(ann, "age", 21);
  set_int(bob, "age", 50);
  CHECK_INT(get_int(ann, "age"), 21);
  set_int(ann, "age", 22);
  CHECK_TRACE("bob next 30 | bob next 20 | bob next 21 | bob next 50 | bob next 22");
  end_subscription(binding);
  CHECK_TRACE("free binding");
  set_int(ann, "age", 23);
  CHECK_INT(get_int(bob, "age"), 22);
  end_subscription(heard);
  belay_owner_release(ann), belay_owner_release(bob);
  trace_clear(), forget_people();
}

static void both_ways_without_an_echo(void) {
  belay_owner *ann = make_person(20, NULL), *bob = make_person(30, NULL);
  belay_disposable *binding, *one, *two;
  CHECK_INT(bind(key_of(ann, "age"), key_of(bob, "age"), 1, &binding), 0);
  CHECK_INT(get_int(bob, "age"), 20);
  one = observed(ann, "age", "ann"), two = observed(bob, "age", "bob");
  set_int(ann, "age", 21);
  set_int(bob, "age", 22);
  CHECK_TRACE("ann next 20 | bob next 20 | bob next 21 | ann next 21 | ann next 22 | bob next 22");
  CHECK_INT(get_int(ann, "age"), 22);
  end_subscription(one), end_subscription(two), end_subscription(binding);
  belay_owner_release(ann), belay_owner_release(bob);
  trace_clear(), forget_people();
}

/* One way halves and the other doubles. An odd number cannot be halved. */
static belay_value half(void *ctx, belay_value value) {
  int32_t number = 0;
  (void)ctx;
  belay_value_get_int32(value, &number);
  return number % 2 ? belay_value_failure(BELAY_ERANGE, "odd") : belay_int32(number / 2);
}
static belay_value twice(void *ctx, belay_value value) {
  int32_t number = 0;
  (void)ctx;
  belay_value_get_int32(value, &number);
  return belay_int32(number * 2);
}
static void hear_unhandled(void *ctx, const belay_error *error, const char *signal,
                           const char *site) {
  (void)ctx, (void)site;
  trace("unhandled %s of %s", belay_error_name(belay_error_code(error)), signal);
}
static void with_conversions_that_may_fail(void) {
  belay_owner *ann = make_person(20, NULL), *bob = make_person(30, NULL);
  belay_disposable *binding;
  belay_bindable from = key_of(ann, "age"), to = key_of(bob, "age");
  belay_on_unhandled_error(hear_unhandled, NULL, NULL);
  from.convert = half, to.convert = twice;
  CHECK_INT(bind(from, to, 1, &binding), 0);
  CHECK_INT(get_int(bob, "age"), 10);
  set_int(bob, "age", 11);
  CHECK_INT(get_int(ann, "age"), 22);
  CHECK_TRACE("");
  set_int(ann, "age", 23);
  CHECK_TRACE("unhandled ERANGE of observe | free binding");
  CHECK_INT(belay_disposable_is_disposed(binding), 1);
  set_int(bob, "age", 12);
  CHECK_INT(get_int(ann, "age"), 23);
  belay_on_unhandled_error(NULL, NULL, NULL);
  belay_disposable_release(binding);
  belay_owner_release(ann), belay_owner_release(bob);
  forget_people();
}

/* Whichever way a value goes, the way back would make another number of it. */
static belay_value more(void *ctx, belay_value value) {
  int32_t number = 0;
  (void)ctx;
  belay_value_get_int32(value, &number);
  return belay_int32(number + 1);
}
static void what_conversions_make_of_a_value_does_not_come_back(void) {
  for (int from_field = 0; from_field < 2; from_field++) {
    belay_owner *ann = make_person(20, NULL);
    belay_property *property = belay_property_create(belay_int32(7), NULL);
    belay_bindable from = from_field ? key_of(ann, "age") : box(property);
    belay_bindable to = from_field ? box(property) : key_of(ann, "age");
    belay_disposable *binding;
    from.convert = more, to.convert = more;
    CHECK_INT(bind(from, to, 1, &binding), 0);
    CHECK_INT(get_int(ann, "age"), from_field ? 20 : 8);
    CHECK_INT(value_of(property), from_field ? 21 : 7);
    set_int(ann, "age", 30);
    CHECK_INT(get_int(ann, "age"), 30);
    CHECK_INT(value_of(property), 31);
    CHECK_INT(belay_property_set(property, belay_int32(40)), 0);
    CHECK_INT(value_of(property), 40);
    CHECK_INT(get_int(ann, "age"), 41);
    end_subscription(binding);
    belay_property_release(property), belay_owner_release(ann);
    trace_clear(), forget_people();
  }
}

static void either_owners_death_ends_it(void) {
  for (int both_ways = 0; both_ways < 2; both_ways++) {
    for (int who = 0; who < 2; who++) {
      belay_owner *ann = make_person(20, NULL), *bob = make_person(30, NULL);
      CHECK_INT(bind(key_of(ann, "age"), key_of(bob, "age"), both_ways, NULL), 0);
      belay_owner_release(who ? bob : ann);
      CHECK_TRACE("free binding");
      CHECK_INT(set_int(who ? ann : bob, "age", 5), 0);
      belay_owner_release(who ? ann : bob);
      forget_people();
    }
  }
}

static void a_field_and_a_property(void) {
  for (int from_field = 0; from_field < 2; from_field++) {
    belay_owner *ann = make_person(20, NULL);
    belay_property *property = belay_property_create(belay_int32(7), NULL);
    belay_bindable field = key_of(ann, "age");
    belay_disposable *binding, *one, *two;
    CHECK_INT(bind(from_field ? field : box(property), from_field ? box(property) : field, 1,
                   &binding), 0);
    CHECK_INT(get_int(ann, "age"), from_field ? 20 : 7);
    CHECK_INT(value_of(property), from_field ? 20 : 7);
    one = observed(ann, "age", "field"), two = watched(belay_property_signal(property), "box");
    trace_clear();
    set_int(ann, "age", 21);
    CHECK_INT(value_of(property), 21);
    CHECK_INT(belay_property_set(property, belay_int32(22)), 0);
    CHECK_INT(get_int(ann, "age"), 22);
    CHECK_TRACE(from_field
                    ? "box next 21 | field next 21 | field next 22 | box next 22"
                    : "box next 21 | field next 21 | field next 22 | box next 22");
    if (from_field) belay_owner_release(ann), belay_property_release(property);
    else belay_property_release(property), belay_owner_release(ann);
    CHECK_INT(belay_disposable_is_disposed(binding), 1);
    belay_disposable_release(binding), belay_disposable_release(one), belay_disposable_release(two);
    trace_clear(), forget_people();
  }
}

static void two_properties(void) {
  belay_property *a = belay_property_create(belay_int32(4), NULL);
  belay_property *b = belay_property_create(belay_int32(5), NULL);
  belay_bindable from = box(a);
  belay_disposable *binding;
  from.convert = twice;
  CHECK_INT(bind(from, box(b), 0, &binding), 0);
  CHECK_INT(value_of(b), 8);
  belay_property_set(a, belay_int32(5));
  CHECK_INT(value_of(b), 10);
  belay_property_set(b, belay_int32(1));
  CHECK_INT(value_of(a), 5);
  end_subscription(binding);
  belay_property_release(a), belay_property_release(b);
  trace_clear();
}

static void along_paths(void) {
  belay_owner *ann = make_person(20, NULL), *bob = make_person(30, NULL);
  belay_owner *cleo = make_person(40, NULL);
  belay_disposable *binding;
  /* Ann has no boss yet: there is nowhere to put the age. */
  CHECK_INT(bind(key_of(cleo, "age"), key_of(ann, "boss.age"), 0, &binding), 0);
  set_owner(ann, "boss", bob);
  CHECK_INT(get_int(bob, "age"), 30);
  set_int(cleo, "age", 41);
  CHECK_INT(get_int(bob, "age"), 41);
  end_subscription(binding);
  belay_owner_release(ann), belay_owner_release(bob), belay_owner_release(cleo);
  trace_clear(), forget_people();
}

static void a_ring_of_bindings_comes_to_rest(void) {
  belay_owner *ann = make_person(20, NULL), *bob = make_person(30, NULL);
  CHECK_INT(bind(key_of(ann, "age"), key_of(bob, "age"), 0, NULL), 0);
  CHECK_INT(bind(key_of(bob, "age"), key_of(ann, "age"), 0, NULL), 0);
  CHECK_INT(bind(key_of(ann, "age"), key_of(ann, "age"), 1, NULL), 0);
  set_int(bob, "age", 31);
  CHECK_INT(get_int(ann, "age"), 31);
  set_int(ann, "age", 32);
  CHECK_INT(get_int(bob, "age"), 32);
  belay_owner_release(ann), belay_owner_release(bob);
  trace_clear(), forget_people();
}

static void hear_message(void *ctx, const belay_error *error, const char *signal,
                         const char *site) {
  trace("unhandled %s", belay_error_message(error));
}

/* What the setter says of its failure is in the error that ends the binding. */
static void a_setter_that_refuses_ends_it(void) {
  belay_owner *ann = make_person(5, NULL), *bob = make_person(30, NULL);
  belay_on_unhandled_error(hear_message, NULL, NULL);
  CHECK_INT(bind(key_of(ann, "age"), key_of(bob, "limited"), 0, NULL), 0);
  set_int(ann, "age", -1);
  CHECK_TRACE("unhandled below 0 | free binding");
  CHECK_INT(get_int(bob, "limited"), 5);
  belay_on_unhandled_error(NULL, NULL, NULL);
  belay_owner_release(ann), belay_owner_release(bob);
  trace_clear(), forget_people();
}

static void a_value_that_does_not_fit_ends_it(void) {
  belay_owner *ann = make_person(20, NULL), *bob = make_person(30, NULL);
  belay_on_unhandled_error(hear_unhandled, NULL, NULL);
  CHECK_INT(bind(key_of(ann, "age"), key_of(bob, "level"), 0, NULL), 0);
  set_int(ann, "age", 300);
  CHECK_TRACE("unhandled ERANGE of observe | free binding");
  CHECK_INT(bind(key_of(ann, "age"), key_of(bob, "nothing"), 0, NULL), 0);
  CHECK_TRACE("unhandled ENOENT of observe | free binding");
  belay_on_unhandled_error(NULL, NULL, NULL);
  belay_owner_release(ann), belay_owner_release(bob);
  forget_people();
}

static void a_signal_bound_to_a_field(void) {
  for (int how = 0; how < 3; how++) {
    belay_owner *ann = make_person(20, NULL);
    belay_signal *ages = belay_subject_create(NULL);
    belay_disposable *binding, *heard = observed(ann, "age", "");
    CHECK_INT(belay_signal_bind_object(ages, ann, "age", &binding), 0);
    belay_subject_next(ages, belay_int32(1));
    belay_subject_next(ages, belay_int32(2));
    CHECK_TRACE("next 20 | next 1 | next 2");
    if (how == 0) belay_disposable_dispose(binding);
    if (how == 1) belay_owner_release(ann);
    if (how == 2) belay_subject_completed(ages);
    CHECK_INT(belay_disposable_is_disposed(binding), 1);
    belay_subject_next(ages, belay_int32(3));
    end_subscription(heard);
    if (how != 1) CHECK_INT(get_int(ann, "age"), 2);
    if (how != 1) belay_owner_release(ann);
    belay_signal_release(ages), belay_disposable_release(binding);
    trace_clear(), forget_people();
  }
}

/* An observer of one side sets the other one, while the change of the first is on its way. */
static belay_owner *answering;
static belay_property *answering_box;
static int answers;
static void answer(void *ctx, belay_value value) {
  int64_t age = 0;
  if (belay_value_get_int64(value, &age) < 0 || age != 5 || answers++) return;
  if (answering) set_int(answering, "age", 7);
  else belay_property_set(answering_box, belay_int32(7));
}
static void answer_to(belay_owner *object) {
  belay_observer observer = BELAY_INIT(belay_observer, .next = answer);
  belay_signal *signal = belay_object_observe(object, "age", NULL);
  answers = 0;
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  belay_signal_release(signal);
}
static void what_an_observer_sets_on_the_other_side_stays(void) {
  for (int has_box = 0; has_box < 2; has_box++) {
    belay_owner *ann = make_person(20, NULL), *bob = make_person(30, NULL);
    belay_property *property = belay_property_create(belay_int32(0), NULL);
    belay_disposable *binding;
    answering = has_box ? NULL : bob, answering_box = property;
    answer_to(ann);
    CHECK_INT(bind(key_of(ann, "age"), has_box ? box(property) : key_of(bob, "age"), 1, &binding), 0);
    set_int(ann, "age", 5);
    CHECK_INT(get_int(ann, "age"), 7);
    CHECK_INT(has_box ? value_of(property) : get_int(bob, "age"), 7);
    end_subscription(binding);
    belay_property_release(property);
    belay_owner_release(ann), belay_owner_release(bob);
    trace_clear(), forget_people();
  }
}
static void so_a_ring_of_fields_comes_to_rest(void) {
  belay_owner *ring[3];
  belay_disposable *bindings[3];
  for (int i = 0; i < 3; i++) ring[i] = make_person(20, NULL);
  answering = ring[1];
  answer_to(ring[0]);
  for (int i = 0; i < 3; i++)
    CHECK_INT(bind(key_of(ring[i], "age"), key_of(ring[(i + 1) % 3], "age"), 1, &bindings[i]), 0);
  set_int(ring[0], "age", 5);
  for (int i = 0; i < 3; i++) CHECK_INT(get_int(ring[i], "age"), 7);
  for (int i = 0; i < 3; i++) end_subscription(bindings[i]);
  for (int i = 0; i < 3; i++) belay_owner_release(ring[i]);
  trace_clear(), forget_people();
}
/* Rings of fields and properties, and pairs, in which the observer of one sets another to a new value, and
   perhaps one more back to the old. */
enum { most_nodes = 4 };
static belay_owner *nodes[most_nodes];
static belay_property *boxes[most_nodes];
static int heard, answering_node, answered_node, answered_next;
static belay_bindable node(int i) { return boxes[i] ? box(boxes[i]) : key_of(nodes[i], "age"); }
static void set_node(int i, int number) {
  if (boxes[i]) CHECK(belay_property_set(boxes[i], belay_int32(number)) >= 0);
  else CHECK_INT(set_int(nodes[i], "age", number), 0);
}
static void answer_once(void *ctx, belay_value value) {
  (void)ctx, (void)value;
  if (++heard == 1000) check_failed(__FILE__, __LINE__, "values go round without end");
  if (answering_node < 0 || heard > 1000) return;
  answering_node = -1;
  set_node(answered_node, 2);
  if (answered_next >= 0) set_node(answered_next, 1);
}
static void play_ring(int count, int properties, int answering, int answered) {
  belay_disposable *bindings[most_nodes], *subscription;
  for (int i = 0; i < count; i++) {
    nodes[i] = make_person(0, NULL);
    boxes[i] = properties >> i & 1 ? belay_property_create(belay_int32(0), NULL) : NULL;
  }
  belay_signal *signal = boxes[answering] ? belay_property_signal(boxes[answering])
                                          : belay_object_observe(nodes[answering], "age", NULL);
  belay_observer observer = {.size = sizeof observer, .next = answer_once};
  answering_node = -1;
  CHECK_INT(belay_signal_subscribe(signal, &observer, &subscription), 0);
  belay_signal_release(signal);
  int links = count == 2 ? 1 : count;
  for (int i = 0; i < links; i++) CHECK_INT(bind(node(i), node((i + 1) % count), 1, &bindings[i]), 0);
  heard = 0, answering_node = answering, answered_node = answered;
  set_node(0, 1);
  for (int i = 0; i < count; i++) {
    int first = boxes[0] ? value_of(boxes[0]) : get_int(nodes[0], "age");
    CHECK_INT(boxes[i] ? value_of(boxes[i]) : get_int(nodes[i], "age"), first);
  }
  end_subscription(subscription);
  for (int i = 0; i < links; i++) end_subscription(bindings[i]);
  for (int i = 0; i < count; i++) {
    belay_property_release(boxes[i]);
    belay_owner_release(nodes[i]);
  }
  trace_clear(), forget_people();
}
static void so_a_ring_of_fields_and_properties_does(void) {
  for (int count = 2; count <= most_nodes; count++)
    for (int properties = 0; properties < 1 << count; properties++)
      for (int answering = 0; answering < count; answering++)
        for (int answered = 0; answered < count; answered++)
          for (answered_next = -1; answered_next < count; answered_next++)
            play_ring(count, properties, answering, answered);
}

/* What a conversion disposes of sets nothing more. */
static belay_disposable *converting;
static belay_value end_it(void *ctx, belay_value value) {
  (void)ctx;
  if (converting) belay_disposable_dispose(converting);
  return belay_value_retain(value);
}
static void a_conversion_may_end_its_binding(void) {
  for (int both_ways = 0; both_ways < 2; both_ways++) {
    belay_owner *ann = make_person(20, NULL), *bob = make_person(30, NULL);
    belay_bindable from = key_of(ann, "age"), to = key_of(bob, "age");
    from.convert = end_it;
    belay_disposable *binding;
    CHECK_INT(bind(from, to, both_ways, &binding), 0);
    CHECK_INT(get_int(bob, "age"), 20);
    converting = binding;
    set_int(ann, "age", 21);
    converting = NULL;
    CHECK_INT(get_int(bob, "age"), 20);
    CHECK_INT(belay_disposable_is_disposed(binding), 1);
    belay_disposable_release(binding);
    belay_owner_release(ann), belay_owner_release(bob);
    trace_clear(), forget_people();
  }
}

/* A signal that sets a side of a binding to what it has leaves it as it was. */
static void a_signal_sets_one_side_of_a_binding(void) {
  belay_owner *ann = make_person(20, NULL), *bob = make_person(30, NULL);
  belay_signal *ages = belay_subject_create(NULL);
  belay_disposable *binding, *following;
  CHECK_INT(bind(key_of(ann, "age"), key_of(bob, "age"), 1, &binding), 0);
  CHECK_INT(belay_signal_bind_object(ages, ann, "age", &following), 0);
  for (int number = 20; number < 23; number++) {
    belay_subject_next(ages, belay_int32(number));
    belay_subject_next(ages, belay_int32(number));
    CHECK_INT(get_int(bob, "age"), number);
    CHECK_INT(set_int(bob, "age", 50 + number), 0);
    CHECK_INT(get_int(ann, "age"), 50 + number);
  }
  CHECK_INT(belay_object_set(ann, "age", belay_string("old")), BELAY_EKIND);
  CHECK_INT(get_int(bob, "age"), 72);
  CHECK_INT(set_int(bob, "age", 1), 0);
  CHECK_INT(get_int(ann, "age"), 1);
  end_subscription(binding), end_subscription(following);
  belay_signal_release(ages);
  belay_owner_release(ann), belay_owner_release(bob);
  trace_clear(), forget_people();
}

/* What goes one way beside a binding both ways is a value that this has brought. */
static void one_way_beside_both_ways_comes_to_rest(void) {
  enum { TO_FIELD, FROM_FIELD, AS_A_SIGNAL, ways };
  for (int way = 0; way < ways; way++) {
    belay_owner *ann = make_person(20, NULL);
    belay_property *property = belay_property_create(belay_int32(30), NULL);
    belay_signal *ages = belay_property_signal(property);
    belay_disposable *there, *both;
    if (way == TO_FIELD) CHECK_INT(bind(box(property), key_of(ann, "age"), 0, &there), 0);
    if (way == FROM_FIELD) CHECK_INT(bind(key_of(ann, "age"), box(property), 0, &there), 0);
    if (way == AS_A_SIGNAL) CHECK_INT(belay_signal_bind_object(ages, ann, "age", &there), 0);
    CHECK_INT(bind(key_of(ann, "age"), box(property), 1, &both), 0);
    CHECK_INT(value_of(property), way == FROM_FIELD ? 20 : 30);
    for (int age = 1; age < 4; age++) {
      CHECK_INT(belay_property_set(property, belay_int32(age)), 0);
      CHECK_INT(get_int(ann, "age"), age);
      CHECK_INT(set_int(ann, "age", 10 + age), 0);
      CHECK_INT(value_of(property), 10 + age);
    }
    end_subscription(there), end_subscription(both);
    belay_signal_release(ages), belay_property_release(property);
    belay_owner_release(ann);
    trace_clear(), forget_people();
  }
}

static void the_null_of_a_death_is_passed_on(void) {
  static person desk;
  belay_owner *ann = make_person(20, NULL), *adopted = belay_owner_adopt(&desk, NULL);
  belay_property *property = belay_property_create(belay_int32(0), NULL);
  belay_disposable *binding;
  CHECK_INT(belay_object_set_type(adopted, person_type), 0);
  CHECK_INT(set_int(adopted, "age", 5), 0);
  CHECK_INT(belay_object_set(ann, "desk", belay_pointer(&desk)), 0);
  CHECK_INT(bind(key_of(ann, "desk.age"), box(property), 1, &binding), 0);
  CHECK_INT(value_of(property), 5);
  CHECK_INT(belay_owner_end(&desk, NULL, NULL), 0);
  CHECK_INT(value_of(property), -1); /* no number */
  end_subscription(binding);
  belay_property_release(property);
  belay_owner_release(adopted), belay_owner_release(ann);
  trace_clear(), forget_people();
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      CASE(one_way_from_field_to_field),
      CASE(both_ways_without_an_echo),
      CASE(with_conversions_that_may_fail),
      CASE(what_conversions_make_of_a_value_does_not_come_back),
      CASE(either_owners_death_ends_it),
      CASE(a_field_and_a_property),
      CASE(two_properties),
      CASE(along_paths),
      CASE(a_ring_of_bindings_comes_to_rest),
      CASE(a_setter_that_refuses_ends_it),
      CASE(a_value_that_does_not_fit_ends_it),
      CASE(a_signal_bound_to_a_field),
      CASE(what_an_observer_sets_on_the_other_side_stays),
      CASE(so_a_ring_of_fields_comes_to_rest),
      CASE(so_a_ring_of_fields_and_properties_does),
      CASE(a_conversion_may_end_its_binding),
      CASE(a_signal_sets_one_side_of_a_binding),
      CASE(one_way_beside_both_ways_comes_to_rest),
      CASE(the_null_of_a_death_is_passed_on),
  };
  return RUN_CASES(cases);
}
