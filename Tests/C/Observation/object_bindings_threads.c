/* Bindings of fields that other threads set: all sides agree on the value that was set last. */
#include "people.h"
#include "small_stack.h"
#include "worker.h"

enum { most = 5, ROUNDS = 60, VALUES = 12 };

static const char plain[] = "age", with_setter[] = "shared";

typedef struct play {
  worker loops[most];
  int loop_count;
  const char *path;
  belay_owner *nodes[most];
  belay_property *box; /* the second node, if there is one; at home at the first loop */
  belay_disposable *bindings[most];
  int count, links, linking; /* how many of them are bound; the binding that is being made */
  int both_ways;
  int setters[2], last[2]; /* the nodes that are set, and to what */
  int read;
} play;

static belay_bindable node_of(play *it, int i) {
  if (i == 1 && it->box) return BELAY_INIT(belay_bindable, .property = it->box);
  return BELAY_INIT(belay_bindable, .object = it->nodes[i], .path = it->path);
}
static void bind_next(void *argument) {
  play *it = argument;
  int i = it->linking++;
  belay_bindable from = node_of(it, i), to = node_of(it, (i + 1) % it->count);
  belay_binding binding = {
      .size = sizeof binding, .from = &from, .to = &to, .both_ways = it->both_ways};
  CHECK_INT(belay_bind(&binding, &it->bindings[i]), 0);
}

/* Where a binding is made. */
static worker *loop_of(play *it, int i) {
  return it->box && i < 2 ? &it->loops[0] : &it->loops[i % it->loop_count];
}

/* A field with a setter takes 0 to 9. Few values, so that equal ones meet. */
static int next_of(play *it, int setter) {
  int next = it->last[setter] + 2;
  return it->last[setter] = it->path == with_setter ? next % 3 : next;
}
static void set_many(play *it, int setter) {
  for (int i = 1; i <= VALUES; i++)
    CHECK_INT(set_int(it->nodes[it->setters[setter]], it->path, next_of(it, setter)), 0);
}
static void set_first(void *argument) { set_many(argument, 0); }
static void set_second(void *argument) { set_many(argument, 1); }

static void read_box(void *argument) {
  play *it = argument;
  belay_value value;
  int32_t number = -1;
  CHECK_INT(belay_property_get(it->box, &value), 0);
  belay_value_get_int32(value, &number);
  belay_value_release(value);
  it->read = number;
}
static void make_box(void *argument) {
  ((play *)argument)->box = belay_property_create(belay_int32(0), NULL);
}
static int value_at(play *it, int i) {
  if (i != 1 || !it->box) return get_int(it->nodes[i], it->path);
  on_worker(loop_of(it, 0), read_box, it);
  return it->read;
}
static int have_agreed(play *it) {
  int value = value_at(it, 0);
  for (int i = 1; i < it->count; i++)
    if (value_at(it, i) != value) return 0;
  return 1;
}
/* Lets all loops turn until nothing can be on its way: a value passes each link once or twice, and each
   pass takes a turn of one loop. Setters that run at the same time make a new value of theirs. */
static void settle(play *it) {
  int rounds = 0;
  do {
    for (int i = 0; i < 3 * it->count; i++)
      for (int k = 0; k < it->loop_count; k++) meet(&it->loops[k]);
  } while (!have_agreed(it) && ++rounds < 20);
}
static int agreed(play *it) {
  int value = value_at(it, 0);
  for (int i = 1; i < it->count; i++) CHECK_INT(value_at(it, i), value);
  return value;
}

/* Nodes in a ring or a row; loops; who sets. */
static void play_with(play it, int is_ring, int has_box, int first, int second) {
  int count = it.count, loop_count = it.loop_count;
  it.links = is_ring ? count : count - 1;
  for (int i = 0; i < loop_count; i++) start_worker(&it.loops[i]);
  for (int i = 0; i < count; i++) it.nodes[i] = make_person(0, NULL);
  if (has_box) on_worker(&it.loops[0], make_box, &it);
  for (int i = 0; i < it.links; i++) on_worker(loop_of(&it, i), bind_next, &it);
  it.setters[0] = first, it.setters[1] = second, it.last[1] = 1;
  for (int round = 0; round < ROUNDS; round++) {
    routine other;
    if (second >= 0) start_thread(&other, set_second, &it);
    set_first(&it);
    if (second >= 0) join_thread(&other);
    settle(&it);
    int value = agreed(&it);
    /* Of setters that run at the same time nobody knows which was last. */
    if (it.path == with_setter) continue;
    if (second < 0) CHECK_INT(value, it.last[0]);
    else CHECK(value == it.last[0] || value == it.last[1]);
  }
  for (int i = 0; i < it.links; i++) end_subscription(it.bindings[i]);
  belay_property_release(it.box);
  for (int i = 0; i < loop_count; i++) stop_worker(&it.loops[i]);
  for (int i = 0; i < count; i++) belay_owner_release(it.nodes[i]);
  forget_people();
}
static void play_once(int count, int is_ring, int loop_count, int both_ways, int first, int second) {
  play it = {.path = plain, .count = count, .loop_count = loop_count, .both_ways = both_ways};
  play_with(it, is_ring, 0, first, second);
}

static void play_all(int loop_count, int is_contended) {
  for (int count = 2; count <= most; count++) {
    int loops = loop_count ? loop_count : count;
    for (int is_ring = 0; is_ring < 2; is_ring++) {
      if (is_ring && count == 2) continue;
      play_once(count, is_ring, loops, 1, 0, is_contended ? count - 1 : -1);
      if (is_contended) play_once(count, is_ring, loops, 1, 0, 0);
      /* A ring of bindings one way is not guarded. */
      if (!is_ring && !is_contended) play_once(count, 0, loops, 0, 0, -1);
    }
  }
}

static void at_one_loop_all_agree_on_what_one_thread_has_set(void) { play_all(1, 0); }
static void at_several_loops_too(void) { play_all(0, 0); }
static void at_one_loop_all_agree_on_what_one_of_two_threads_has_set(void) { play_all(1, 1); }
static void at_several_loops_of_two_threads_too(void) { play_all(0, 1); }

static void so_they_do_with_a_property_between_them(void) {
  for (int count = 3; count <= most; count++)
    for (int is_ring = 0; is_ring < 2; is_ring++)
      for (int second = -1; second < count; second += count) {
        play it = {.path = plain, .count = count, .loop_count = count, .both_ways = 1};
        play_with(it, is_ring, 1, 0, second);
      }
}
static void fields_with_setters_agree_too(void) {
  for (int count = 2; count <= most; count++)
    for (int is_ring = 0; is_ring < 2; is_ring++)
      for (int second = -1; second < count; second += count) {
        play it = {.path = with_setter, .count = count, .loop_count = count, .both_ways = 1};
        if (!is_ring || count > 2) play_with(it, is_ring, 0, 0, second);
      }
}

/* ---- bindings that begin meanwhile ---- */

static void end_bindings(void *argument) {
  play *it = argument;
  for (int i = 0; i < it->links; i++) end_subscription(it->bindings[i]);
}

/* A binding that begins sets its other side to a value that may be on its way out. */
static void a_binding_that_begins_meanwhile_loses_nothing(void) {
  play it = {.path = plain, .loop_count = 2, .count = 4, .links = 3, .both_ways = 1};
  for (int i = 0; i < it.loop_count; i++) start_worker(&it.loops[i]);
  for (int i = 0; i < it.count; i++) it.nodes[i] = make_person(0, NULL);
  for (int round = 0; round < 400; round++) {
    routine setter;
    it.linking = 0;
    on_worker(loop_of(&it, 0), bind_next, &it);
    start_thread(&setter, set_first, &it);
    for (int i = 1; i < it.links; i++) on_worker(loop_of(&it, i), bind_next, &it);
    join_thread(&setter);
    settle(&it);
    CHECK_INT(agreed(&it), it.last[0]);
    on_worker(loop_of(&it, 0), end_bindings, &it);
    settle(&it);
  }
  for (int i = 0; i < it.loop_count; i++) stop_worker(&it.loops[i]);
  for (int i = 0; i < it.count; i++) belay_owner_release(it.nodes[i]);
  forget_people();
}

/* ---- what is refused, and what leads elsewhere meanwhile ---- */

static void bind_pair(void *argument) {
  play *it = argument;
  const char *far = it->path[0] == 'b' ? "age" : it->path; /* "boss.age" */
  belay_bindable from = BELAY_INIT(belay_bindable, .object = it->nodes[0], .path = it->path);
  belay_bindable to = BELAY_INIT(belay_bindable, .object = it->nodes[1], .path = far);
  belay_binding binding = {.size = sizeof binding, .from = &from, .to = &to, .both_ways = 1};
  CHECK_INT(belay_bind(&binding, &it->bindings[0]), 0);
}

static void set_too_much(void *argument) {
  play *it = argument;
  for (int i = 0; i < VALUES; i++)
    CHECK_INT(set_int(it->nodes[0], it->path, 10 + i), BELAY_ERANGE);
}
/* While a change is in progress, older values of the other side are kept back. */
static void a_change_that_is_refused_loses_nothing_of_the_other_side(void) {
  play it = {.path = with_setter, .count = 2, .loop_count = 1, .setters = {1}};
  start_worker(&it.loops[0]);
  for (int i = 0; i < it.count; i++) it.nodes[i] = make_person(0, NULL);
  on_worker(&it.loops[0], bind_pair, &it);
  for (int round = 0; round < 1000; round++) {
    routine other;
    start_thread(&other, set_too_much, &it);
    set_first(&it);
    join_thread(&other);
    settle(&it);
    CHECK_INT(agreed(&it), it.last[0]);
  }
  end_subscription(it.bindings[0]);
  stop_worker(&it.loops[0]);
  for (int i = 0; i < it.count; i++) belay_owner_release(it.nodes[i]);
  forget_people();
}

static belay_owner *bosses[2];
static void change_bosses(void *argument) {
  play *it = argument;
  for (int i = 0; i < VALUES; i++) CHECK_INT(set_owner(it->nodes[0], "boss", bosses[i % 2]), 0);
}
static void age_bosses(void *argument) {
  (void)argument;
  for (int i = 0; i < VALUES; i++) CHECK_INT(set_int(bosses[i % 2], "age", 1000 + i), 0);
}
static void age_the_other(void *argument) {
  play *it = argument;
  for (int i = 0; i < VALUES; i++) CHECK_INT(set_int(it->nodes[1], "age", next_of(it, 0)), 0);
}
/* A path and the field that it is bound to, while other threads set a key of the path, what it leads
   to, and the field. */
static void a_path_that_leads_elsewhere_agrees_too(void) {
  play it = {.path = "boss.age", .count = 2, .loop_count = 1};
  start_worker(&it.loops[0]);
  for (int i = 0; i < it.count; i++) it.nodes[i] = make_person(0, NULL), bosses[i] = make_person(i, NULL);
  change_bosses(&it);
  on_worker(&it.loops[0], bind_pair, &it);
  for (int round = 0; round < 1000; round++) {
    routine threads[2];
    start_thread(&threads[0], change_bosses, &it);
    start_thread(&threads[1], age_bosses, &it);
    age_the_other(&it);
    for (int i = 0; i < 2; i++) join_thread(&threads[i]);
    for (int i = 0; i < 6; i++) meet(&it.loops[0]);
    CHECK_INT(get_int(it.nodes[0], "boss.age"), get_int(it.nodes[1], "age"));
  }
  end_subscription(it.bindings[0]);
  stop_worker(&it.loops[0]);
  for (int i = 0; i < it.count; i++) belay_owner_release(it.nodes[i]), belay_owner_release(bosses[i]);
  forget_people();
}

/* ---- a side that changes whenever it is read ---- */

typedef struct restless {
  int64_t raw;
  belay_owner *owner;
  int left; /* how many times it announces a change */
} restless;
static belay_value read_restless(void *object) {
  restless *it = object;
  if (it->left > 0) {
    it->left--;
    it->raw++;
    CHECK_INT(belay_object_did_change(it->owner, "raw"), 0);
  }
  return belay_int64(it->raw);
}
static int set_restless(void *object, belay_value value) { return 0; }
static void read_again_and_again(void) {
  static const char *const of_raw[] = {"raw", NULL};
  static const belay_field fields[] = {
      BELAY_FIELD(restless, raw, BELAY_KIND_INT64),
      {.size = sizeof(belay_field), .name = "made", .kind = BELAY_KIND_INT64, .get = read_restless,
       .set = set_restless, .depends_on = of_raw}};
  restless from = {0}, to = {0};
  belay_type *type = belay_type_create(fields, 2, 0);
  from.owner = belay_owner_create(&from, NULL, NULL, NULL);
  to.owner = belay_owner_create(&to, NULL, NULL, NULL);
  CHECK_INT(belay_object_set_type(from.owner, type), 0);
  CHECK_INT(belay_object_set_type(to.owner, type), 0);
  belay_bindable a = BELAY_INIT(belay_bindable, .object = from.owner, .path = "made");
  belay_bindable b = BELAY_INIT(belay_bindable, .object = to.owner, .path = "raw");
  belay_binding made = {.size = sizeof made, .from = &a, .to = &b, .both_ways = 1};
  belay_disposable *binding = NULL;
  CHECK_INT(belay_bind(&made, &binding), 0);
  from.left = 20000;
  CHECK_INT(belay_object_did_change(from.owner, "raw"), 0);
  CHECK_INT(from.left, 0);
  CHECK_INT(to.raw, from.raw);
  belay_disposable_dispose(binding);
  belay_disposable_release(binding);
  belay_owner_release(from.owner), belay_owner_release(to.owner);
  belay_type_release(type);
}
static void a_side_that_changes_whenever_it_is_read(void) { on_a_flat_stack(read_again_and_again); }

int main(int argc, char **argv) {
  static const test_case cases[] = {
      CASE(a_side_that_changes_whenever_it_is_read),
      CASE(at_one_loop_all_agree_on_what_one_thread_has_set),
      CASE(at_several_loops_too),
      CASE(at_one_loop_all_agree_on_what_one_of_two_threads_has_set),
      CASE(at_several_loops_of_two_threads_too),
      CASE(so_they_do_with_a_property_between_them),
      CASE(fields_with_setters_agree_too),
      CASE(a_binding_that_begins_meanwhile_loses_nothing),
      CASE(a_change_that_is_refused_loses_nothing_of_the_other_side),
      CASE(a_path_that_leads_elsewhere_agrees_too),
  };
  return RUN_CASES(cases);
}
