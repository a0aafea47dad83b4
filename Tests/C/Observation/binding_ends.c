/* Conversions of bindings whose sides die, or that are disposed of on another thread. */
#include "worker.h"

static belay_loop *loop; /* this thread's, which does not turn until it is told to */
static belay_owner *from, *to;
static belay_disposable *binding;
static int conversions, is_dead;

static void died(void *ctx) {
  (void)ctx;
  is_dead = 1;
}
/* The owner of one number, "age". */
static belay_owner *make_number(int *number) {
  static const belay_field fields[] = {
      {sizeof(belay_field), "age", BELAY_KIND_INT32, 0, NULL, NULL, NULL}};
  belay_type *type = belay_type_create(fields, 1, 0);
  belay_owner *owner = belay_owner_create(number, NULL, died, NULL);
  CHECK_INT(belay_object_set_type(owner, type), 0);
  belay_type_release(type);
  *number = is_dead = 0;
  return owner;
}

static int set_int(belay_owner *owner, const char *path, int number) {
  return belay_object_set(owner, path, belay_int32(number));
}

static belay_value count(void *ctx, belay_value value) {
  (void)ctx;
  conversions++;
  return belay_value_retain(value);
}

static void bind_with(belay_map_fn convert, int both_ways) {
  belay_bindable one = BELAY_INIT(belay_bindable, .object = from, .path = "age", .convert = convert);
  belay_bindable other = BELAY_INIT(belay_bindable, .object = to, .path = "age", .convert = convert);
  belay_binding options =
      BELAY_INIT(belay_binding, .from = &one, .to = &other, .both_ways = both_ways);
  CHECK_INT(belay_bind(&options, &binding), 0);
  conversions = 0;
}

static void begin(int numbers[2]) {
  loop = open_loop();
  from = make_number(&numbers[0]);
  to = make_number(&numbers[1]);
}
static void finish(void) {
  end_subscription(binding);
  belay_owner_release(from);
  close_loop(loop);
}
static void let_it_turn(void) {
  for (int i = 0; i < 3; i++) belay_loop_run(loop, BELAY_RUN_NOWAIT);
}

static void set_and_let_go(void *ctx) {
  (void)ctx;
  CHECK_INT(set_int(from, "age", 2), 0);
  belay_owner_release(to);
}
static void none_begins_after_the_death_of_the_other_side(void) {
  for (int both_ways = 0; both_ways < 2; both_ways++) {
    int numbers[2];
    begin(numbers);
    bind_with(count, both_ways);
    in_thread(set_and_let_go, NULL);
    CHECK_INT(is_dead, 1);
    let_it_turn();
    CHECK_INT(conversions, 0);
    finish();
  }
}

static int frees;
static void freed(void *ctx) {
  (void)ctx;
  CHECK_INT(is_dead, 0);
  frees++;
}
static void let_go_of(void *ctx) { belay_owner_release(ctx); }
/* Which the loop frees that has bound, when it turns. */
static void a_death_elsewhere_waits_for_the_context(void) {
  int numbers[2];
  begin(numbers);
  belay_bindable one = BELAY_INIT(belay_bindable, .object = from, .path = "age");
  belay_bindable other = BELAY_INIT(belay_bindable, .object = to, .path = "age");
  belay_binding options =
      BELAY_INIT(belay_binding, .from = &one, .to = &other, .ctx_free = freed);
  CHECK_INT(belay_bind(&options, &binding), 0);
  frees = 0;
  in_thread(let_go_of, to);
  CHECK_INT(is_dead, 0);
  CHECK_INT(frees, 0);
  let_it_turn();
  CHECK_INT(is_dead, 1);
  CHECK_INT(frees, 1);
  finish();
}

static void set_and_dispose(void *ctx) {
  CHECK_INT(set_int(ctx, "age", 2), 0);
  belay_disposable_dispose(binding);
}
static void nor_after_a_disposal_on_another_thread(void) {
  for (int side = 0; side < 2; side++) {
    int numbers[2];
    begin(numbers);
    bind_with(count, 1);
    in_thread(set_and_dispose, side ? to : from);
    let_it_turn();
    CHECK_INT(conversions, 0);
    belay_owner_release(to);
    finish();
  }
}

/* The conversion has another thread give up a side. */
static belay_owner *given_up;
static belay_value convert_while_it_dies(void *ctx, belay_value value) {
  (void)ctx;
  conversions++;
  if (given_up) {
    in_thread(let_go_of, given_up);
    given_up = NULL;
    CHECK_INT(is_dead, 0);
  }
  return belay_value_retain(value);
}
static void the_death_of_either_side_waits_for_one(void) {
  for (int both_ways = 0; both_ways < 2; both_ways++)
    for (int side = 0; side < 2; side++) {
      int numbers[2];
      begin(numbers);
      bind_with(convert_while_it_dies, both_ways);
      given_up = side ? to : from;
      CHECK_INT(set_int(from, "age", 2), 0);
      let_it_turn();
      CHECK_INT(conversions, 1);
      CHECK_INT(is_dead, 1);
      end_subscription(binding);
      belay_owner_release(side ? from : to);
      close_loop(loop);
    }
}

static void so_it_does_for_an_operator_above_a_bound_signal(void) {
  int numbers[2];
  begin(numbers);
  belay_signal *subject = belay_subject_create(NULL);
  belay_signal *mapped = belay_signal_chain(belay_signal_retain(subject),
                                            belay_op_map(convert_while_it_dies, NULL, NULL));
  CHECK_INT(belay_signal_bind_object(mapped, to, "age", &binding), 0);
  given_up = to;
  CHECK(belay_subject_next(subject, belay_int32(2)) >= 0);
  let_it_turn();
  CHECK_INT(is_dead, 1);
  belay_signal_release(mapped);
  belay_signal_release(subject);
  finish();
}

static const test_case cases[] = {
    CASE(none_begins_after_the_death_of_the_other_side),
    CASE(a_death_elsewhere_waits_for_the_context),
    CASE(nor_after_a_disposal_on_another_thread),
    CASE(the_death_of_either_side_waits_for_one),
    CASE(so_it_does_for_an_operator_above_a_bound_signal),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
