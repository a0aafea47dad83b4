/* Bindings of fields whose setters announce the change themselves, of keys in a batch, and of keys whose
   changes are in progress. */
#include "people.h"
#include "worker.h"

#include <math.h>

/* What a setter announces besides the change that belay_object_set() makes of it. */
enum { NOTHING, BOTH_STEPS, ONLY_THE_SECOND, announcements };
enum { TOO_HOT = 1000 };

typedef struct meter {
  double degrees;
  int announces, was_set;
  belay_owner *owner; /* not retained */
  /* Around the refusal of what is too hot. */
  sem_t refuses, may_refuse;
} meter;

static int set_degrees(void *object, belay_value value) {
  meter *it = object;
  double degrees;
  if (belay_value_get_double(value, &degrees) < 0) return BELAY_EKIND;
  if (degrees == TOO_HOT) {
    sem_post(&it->refuses);
    wait_for(&it->may_refuse);
    return BELAY_ERANGE;
  }
  it->was_set++;
  if (it->announces == BOTH_STEPS) CHECK_INT(belay_object_will_change(it->owner, "degrees"), 0);
  it->degrees = degrees;
  if (it->announces != NOTHING) CHECK_INT(belay_object_did_change(it->owner, "degrees"), 0);
  return 0;
}
static const belay_field meter_fields[] = {
    {sizeof(belay_field), "degrees", BELAY_KIND_DOUBLE, offsetof(meter, degrees), NULL, set_degrees, NULL},
};
static belay_type *meter_type;
static meter *make_meter(int announces) {
  meter *it = calloc(1, sizeof *it);
  CHECK(it != NULL);
  it->announces = announces;
  it->owner = belay_owner_create(it, free, NULL, NULL);
  CHECK_INT(belay_object_set_type(it->owner, meter_type), 0);
  return it;
}
static void set_meter(meter *it, double degrees) {
  CHECK_INT(belay_object_set(it->owner, "degrees", belay_double(degrees)), 0);
}

/* Whole degrees: no conversion is the other's inverse. */
static belay_value to_fahrenheit(void *ctx, belay_value value) {
  double degrees = 0;
  (void)ctx;
  belay_value_get_double(value, &degrees);
  return belay_double(floor(degrees * 9 / 5) + 32);
}
static belay_value to_celsius(void *ctx, belay_value value) {
  double degrees = 0;
  (void)ctx;
  belay_value_get_double(value, &degrees);
  return belay_double(floor((degrees - 32) * 5 / 9));
}

enum { many = 4 };
/* Each meter shows its degrees in another unit than its neighbours. */
static void bind_meters(meter **meters, int count, int is_ring, int converts,
                        belay_disposable **bindings) {
  for (int i = 0; i < (is_ring ? count : count - 1); i++) {
    belay_bindable from = BELAY_INIT(belay_bindable, .object = meters[i]->owner, .path = "degrees");
    belay_bindable to =
        BELAY_INIT(belay_bindable, .object = meters[(i + 1) % count]->owner, .path = "degrees");
    if (converts) {
      from.convert = i % 2 ? to_celsius : to_fahrenheit;
      to.convert = i % 2 ? to_fahrenheit : to_celsius;
    }
    belay_binding binding = {.size = sizeof binding, .from = &from, .to = &to, .both_ways = 1};
    CHECK_INT(belay_bind(&binding, &bindings[i]), 0);
  }
}

static void play_meters(int count, int is_ring, int announces, int converts) {
  meter *meters[many] = {NULL};
  belay_disposable *bindings[many];
  for (int i = 0; i < count; i++) meters[i] = make_meter(announces);
  bind_meters(meters, count, is_ring, converts, bindings);
  for (int setter = 0; setter < count; setter++) {
    double degrees = 7 + 6 * setter;
    for (int i = 0; i < count; i++) meters[i]->was_set = 0;
    set_meter(meters[setter], degrees);
    /* The one that was set keeps its value, whatever would come back. */
    CHECK_INT(meters[setter]->degrees, degrees);
    for (int i = 0; i < count; i++) {
      /* An announcement of its own is a second change. */
      if (announces != ONLY_THE_SECOND) CHECK_INT(meters[i]->was_set, 1);
      if (!converts) CHECK_INT(meters[i]->degrees, degrees);
    }
  }
  for (int i = 0; i < (is_ring ? count : count - 1); i++) end_subscription(bindings[i]);
  for (int i = 0; i < count; i++) belay_owner_release(meters[i]->owner);
}

static void play_all(void (*play)(int count, int is_ring, int announces)) {
  meter_type = belay_type_create(meter_fields, 1, 0);
  CHECK(meter_type != NULL);
  for (int count = 2; count <= many; count++)
    for (int is_ring = 0; is_ring < (count == many ? 2 : 1); is_ring++)
      for (int announces = 0; announces < announcements; announces++)
        play(count, is_ring, announces);
  belay_type_release(meter_type);
}

static void play_plainly(int count, int is_ring, int announces) {
  play_meters(count, is_ring, announces, 0);
}
static void play_converted(int count, int is_ring, int announces) {
  play_meters(count, is_ring, announces, 1);
}
static void each_setter_is_called_once(void) { play_all(play_plainly); }
static void also_where_no_conversion_is_the_inverse(void) { play_all(play_converted); }

/* It equals nothing, so nothing but its version tells that it is there. */
static void play_nan(int count, int is_ring, int announces) {
  meter *meters[many] = {NULL};
  belay_disposable *bindings[many];
  for (int i = 0; i < count; i++) meters[i] = make_meter(announces);
  bind_meters(meters, count, is_ring, 0, bindings);
  set_meter(meters[0], (double)NAN);
  for (int i = 0; i < count; i++) CHECK(isnan(meters[i]->degrees));
  for (int i = 0; i < (is_ring ? count : count - 1); i++) end_subscription(bindings[i]);
  for (int i = 0; i < count; i++) belay_owner_release(meters[i]->owner);
}
static void a_nan_comes_to_rest(void) { play_all(play_nan); }

/* ---- a batch ---- */

static void of_a_batch_the_last_value_counts(void) {
  for (int is_ours_last = 0; is_ours_last < 2; is_ours_last++) {
    belay_owner *ann = make_person(20, NULL), *bob = make_person(30, NULL);
    belay_bindable from = BELAY_INIT(belay_bindable, .object = ann, .path = "age");
    belay_bindable to = BELAY_INIT(belay_bindable, .object = bob, .path = "age");
    belay_binding binding = {.size = sizeof binding, .from = &from, .to = &to, .both_ways = 1};
    belay_disposable *bound, *heard;
    CHECK_INT(belay_bind(&binding, &bound), 0);
    heard = observed(bob, "age", "bob");
    CHECK_TRACE("bob next 20");
    CHECK_INT(belay_object_begin_changes(ann), 0);
    if (is_ours_last) set_int(bob, "age", 9);
    set_int(ann, "age", 4);
    set_int(ann, "age", 5);
    if (!is_ours_last) set_int(bob, "age", 9);
    CHECK_INT(belay_object_end_changes(ann), 0);
    CHECK_TRACE(is_ours_last ? "bob next 9 | bob next 5" : "bob next 9");
    CHECK_INT(get_int(ann, "age"), is_ours_last ? 5 : 9);
    end_subscription(heard), end_subscription(bound);
    belay_owner_release(ann), belay_owner_release(bob);
    trace_clear(), forget_people();
  }
}

/* ---- a change that is in progress ---- */

static void both_ways(belay_owner *from, belay_owner *to, belay_disposable **binding) {
  belay_bindable a = BELAY_INIT(belay_bindable, .object = from, .path = "age");
  belay_bindable b = BELAY_INIT(belay_bindable, .object = to, .path = "age");
  belay_binding made = {.size = sizeof made, .from = &a, .to = &b, .both_ways = 1};
  CHECK_INT(belay_bind(&made, binding), 0);
}

/* The value that comes meanwhile is the one that is there, which is about to change. */
static void an_equal_value_that_comes_during_a_change_settles_nothing(void) {
  for (int binds_late = 0; binds_late < 2; binds_late++) {
    person *fields;
    belay_owner *ann = make_person(3, NULL), *bob = make_person(3, &fields);
    belay_disposable *binding;
    if (!binds_late) both_ways(ann, bob, &binding);
    CHECK_INT(belay_object_will_change(bob, "age"), 0);
    if (binds_late) both_ways(ann, bob, &binding);
    else CHECK_INT(set_int(ann, "age", 3), 0);
    fields->age = 5;
    CHECK_INT(belay_object_did_change(bob, "age"), 0);
    CHECK_INT(get_int(ann, "age"), 5);
    CHECK_INT(get_int(bob, "age"), 5);
    end_subscription(binding);
    belay_owner_release(ann), belay_owner_release(bob);
    forget_people();
  }
}

static meter *meters[2];
static void bind_both(void *binding) { bind_meters(meters, 2, 0, 0, binding); }
static void set_too_hot(void *argument) {
  (void)argument;
  CHECK_INT(belay_object_set(meters[0]->owner, "degrees", belay_double(TOO_HOT)), BELAY_ERANGE);
}
static void pause_loop(void *argument) {
  sem_t *steps = argument;
  sem_post(&steps[0]);
  wait_for(&steps[1]);
}
/* What a setter refuses in the end counts for nothing, however many values the binding has brought
   meanwhile. */
static void a_refused_change_makes_no_copy_of_its_time_the_newest(void) {
  worker loop = {.loop = NULL};
  belay_disposable *binding;
  routine refuser;
  sem_t steps[2];
  meter_type = belay_type_create(meter_fields, 1, 0);
  start_worker(&loop);
  for (int i = 0; i < 2; i++) meters[i] = make_meter(NOTHING), sem_init(&steps[i], 0, 0);
  sem_init(&meters[0]->refuses, 0, 0), sem_init(&meters[0]->may_refuse, 0, 0);
  on_worker(&loop, bind_both, &binding);
  start_thread(&refuser, set_too_hot, NULL);
  wait_for(&meters[0]->refuses);
  for (int degrees = 1; degrees < 4; degrees++) {
    set_meter(meters[1], degrees);
    for (int i = 0; i < 3; i++) meet(&loop);
    CHECK_INT(meters[0]->degrees, degrees);
  }
  CHECK_INT(belay_loop_post(loop.loop, pause_loop, steps, NULL), 0);
  wait_for(&steps[0]);
  set_meter(meters[1], 4);
  sem_post(&meters[0]->may_refuse);
  join_thread(&refuser);
  sem_post(&steps[1]);
  for (int i = 0; i < 6; i++) meet(&loop);
  for (int i = 0; i < 2; i++) CHECK_INT(meters[i]->degrees, 4);
  end_subscription(binding);
  stop_worker(&loop);
  sem_destroy(&meters[0]->refuses), sem_destroy(&meters[0]->may_refuse);
  for (int i = 0; i < 2; i++) belay_owner_release(meters[i]->owner), sem_destroy(&steps[i]);
  belay_type_release(meter_type);
}

/* What an observer of a hop sets behind it stays in sight while the hop is about to change, though the
   change is refused. */
static void age_the_boss(void *ctx, belay_value record) {
  (void)record;
  CHECK_INT(set_int(ctx, "age", 50), 0);
}
static void a_hop_that_refuses_loses_nothing_behind_it(void) {
  belay_owner *ann = make_person(1, NULL), *bob = make_person(2, NULL), *boss = make_person(3, NULL);
  belay_bindable from = BELAY_INIT(belay_bindable, .object = ann, .path = "boss.age");
  belay_bindable to = BELAY_INIT(belay_bindable, .object = bob, .path = "age");
  belay_binding made = {.size = sizeof made, .from = &from, .to = &to, .both_ways = 1};
  belay_observer observer = BELAY_INIT(belay_observer, .ctx = boss, .next = age_the_boss);
  belay_signal *bosses = observe_with(ann, "boss", BELAY_OBSERVE_PRIOR, NULL);
  belay_disposable *binding, *watching;
  CHECK_INT(set_owner(ann, "boss", boss), 0);
  CHECK_INT(belay_bind(&made, &binding), 0);
  CHECK_INT(get_int(bob, "age"), 3);
  CHECK_INT(belay_signal_subscribe(bosses, &observer, &watching), 0);
  CHECK_FAILS(set_int(ann, "boss", 7), BELAY_EKIND);
  CHECK_INT(get_int(boss, "age"), 50);
  CHECK_INT(get_int(bob, "age"), 50);
  end_subscription(watching), end_subscription(binding);
  belay_signal_release(bosses);
  belay_owner_release(ann), belay_owner_release(bob), belay_owner_release(boss);
  forget_people();
}

/* ---- the other side is the newer one ---- */

typedef struct crossing {
  belay_owner *ann, *bob;
  int refuses, freed;
} crossing;
static belay_value convert_unless_told(void *ctx, belay_value value) {
  crossing *it = ctx;
  if (!it->refuses) return belay_value_retain(value);
  it->refuses = 0;
  return belay_value_failure(BELAY_ERANGE, "not this one");
}
static void crossing_freed(void *ctx) { ((crossing *)ctx)->freed++; }
static void ignore_error(void *ctx, const belay_error *error, const char *source, const char *site) {
  (void)ctx, (void)error, (void)source, (void)site;
}
static void when_bobs_level_changes(void *ctx, belay_value value) {
  int32_t level = 0;
  belay_value_get_int32(value, &level);
  if (level == 1) CHECK_INT(set_int(((crossing *)ctx)->ann, "age", 5), 0);
}
/* While bob is told of his level, what he is set to waits. So ann's side hears of her age first, and finds
   that bob's is newer. */
static void when_anns_age_changes(void *ctx, belay_value value) {
  crossing *it = ctx;
  int32_t age = 0;
  belay_value_get_int32(value, &age);
  if (age != 5) return;
  CHECK_INT(set_int(it->bob, "age", 9), 0);
  it->refuses = 1;
}
static belay_disposable *heard_by(belay_owner *object, const char *key,
                                  void (*next)(void *ctx, belay_value value), void *ctx) {
  belay_signal *signal = belay_object_observe(object, key, NULL);
  belay_observer observer = BELAY_INIT(belay_observer, .ctx = ctx, .next = next);
  belay_disposable *subscription;
  CHECK_INT(belay_signal_subscribe(signal, &observer, &subscription), 0);
  belay_signal_release(signal);
  return subscription;
}
static void a_conversion_that_fails_on_the_way_back_frees_its_context(void) {
  crossing it = {.ann = make_person(1, NULL), .bob = make_person(1, NULL)};
  belay_disposable *levels = heard_by(it.bob, "level", when_bobs_level_changes, &it);
  belay_disposable *ages = heard_by(it.ann, "age", when_anns_age_changes, &it);
  belay_bindable from =
      BELAY_INIT(belay_bindable, .object = it.ann, .path = "age", .convert = convert_unless_told);
  belay_bindable to =
      BELAY_INIT(belay_bindable, .object = it.bob, .path = "age", .convert = convert_unless_told);
  belay_binding made = {.size = sizeof made, .from = &from, .to = &to, .both_ways = 1, .ctx = &it,
                        .ctx_free = crossing_freed};
  belay_disposable *binding;
  belay_on_unhandled_error(ignore_error, NULL, NULL);
  CHECK_INT(belay_bind(&made, &binding), 0);
  CHECK_INT(set_int(it.bob, "level", 1), 0);
  CHECK_INT(it.refuses, 0);
  CHECK_INT(it.freed, 1);
  CHECK_INT(belay_disposable_is_disposed(binding), 1);
  end_subscription(binding), end_subscription(levels), end_subscription(ages);
  belay_owner_release(it.ann), belay_owner_release(it.bob);
  CHECK_INT(belay_live_count(BELAY_LIVE_SUBSCRIPTIONS), 0);
  belay_on_unhandled_error(NULL, NULL, NULL);
  forget_people();
}

/* Each binding passes on what its first side is set to, whatever its second has been set to since. */
static void a_chain_of_bindings_one_way_takes_what_comes_last(void) {
  enum { links = 4 };
  static const int from[links] = {0, 1, 3, 3}, to[links] = {1, 2, 4, 0};
  belay_owner *people[5];
  belay_disposable *bindings[links];
  for (int i = 0; i < 5; i++) people[i] = make_person(i, NULL);
  for (int i = 0; i < links; i++) {
    if (i == links - 1) set_int(people[3], "age", 40), set_int(people[1], "age", 50);
    belay_bindable a = BELAY_INIT(belay_bindable, .object = people[from[i]], .path = "age");
    belay_bindable b = BELAY_INIT(belay_bindable, .object = people[to[i]], .path = "age");
    belay_binding made = {.size = sizeof made, .from = &a, .to = &b};
    CHECK_INT(belay_bind(&made, &bindings[i]), 0);
  }
  for (int i = 0; i < 5; i++) CHECK_INT(get_int(people[i], "age"), 40);
  for (int i = 0; i < links; i++) end_subscription(bindings[i]);
  for (int i = 0; i < 5; i++) belay_owner_release(people[i]);
  forget_people();
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      CASE(each_setter_is_called_once),
      CASE(also_where_no_conversion_is_the_inverse),
      CASE(a_nan_comes_to_rest),
      CASE(of_a_batch_the_last_value_counts),
      CASE(an_equal_value_that_comes_during_a_change_settles_nothing),
      CASE(a_refused_change_makes_no_copy_of_its_time_the_newest),
      CASE(a_hop_that_refuses_loses_nothing_behind_it),
      CASE(a_conversion_that_fails_on_the_way_back_frees_its_context),
      CASE(a_chain_of_bindings_one_way_takes_what_comes_last),
  };
  return RUN_CASES(cases);
}
