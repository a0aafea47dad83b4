/* Public structs that begin with their size: as the first version had them, as this one has them,
   as a later one might, and wrong ones. The sizes of the first version are written out, for they
   never change. */
#include "own_loop.h"

enum { room = 8192, limit = 4096 };
typedef union buffer {
  max_align_t aligned;
  unsigned char bytes[room];
} buffer;

/* ---- how each is given to Belay; each answers 0 or what was recorded ---- */

static int made_code(int made) {
  return made ? 0 : belay_error_code(belay_last_error());
}
static int give_source_options(const void *options) {
  belay_signal *subject = belay_subject_create(options);
  belay_signal_release(subject);
  return made_code(subject != NULL);
}
static int give_observer(const void *observer) {
  belay_signal *subject = belay_subject_create(NULL);
  int code = belay_signal_subscribe(subject, observer, NULL);
  belay_signal_release(subject);
  belay_last_error();
  return code;
}
static int give_observer_to_do(const void *observer) {
  belay_op *op = belay_op_do(observer);
  belay_op_release(op);
  return made_code(op != NULL);
}
static int give_queue_options(const void *options) {
  belay_op *op = belay_op_observe_on(belay_scheduler_immediate(), options);
  belay_op_release(op);
  return made_code(op != NULL);
}
static int give_loop_options(const void *options) {
  belay_loop *loop = belay_loop_create(options);
  belay_loop_release(loop);
  return made_code(loop != NULL);
}
static int give_owner_options(const void *options) {
  belay_owner *owner = belay_owner_create(NULL, NULL, NULL, options);
  belay_owner_release(owner);
  return made_code(owner != NULL);
}
static int give_association(const void *association) {
  belay_owner *owner = belay_owner_create(NULL, NULL, NULL, NULL);
  int code = belay_association_set(owner, association);
  belay_owner_release(owner);
  belay_last_error();
  return code;
}
static int give_fields(const void *fields) {
  belay_type *type = belay_type_create(fields, 1, 0);
  belay_type_release(type);
  return made_code(type != NULL);
}
static int give_observe_options(const void *options) {
  belay_owner *owner = belay_owner_create(NULL, NULL, NULL, NULL);
  belay_signal *signal = belay_object_observe(owner, "age", options);
  int code = made_code(signal != NULL);
  belay_signal_release(signal);
  belay_owner_release(owner);
  return code;
}
static belay_property *property;
static int give_binding(const void *binding) {
  int code = belay_bind(binding, NULL);
  belay_last_error();
  return code;
}
static int give_bindable(const void *end) {
  belay_bindable other = BELAY_INIT(belay_bindable, .property = property);
  int from = give_binding(&BELAY_INIT(belay_binding, .from = end, .to = &other));
  int to = give_binding(&BELAY_INIT(belay_binding, .from = &other, .to = end));
  CHECK_INT(from, to);
  return from;
}
static int give_interface_description(const void *description) {
  belay_interface *made = belay_interface_create(description);
  belay_interface_release(made);
  return made_code(made != NULL);
}
static int give_methods(const void *methods) {
  return give_interface_description(
      &BELAY_INIT(belay_interface_description, .name = "ops", .table_size = sizeof(belay_function),
                  .methods = methods, .method_count = 1));
}
static int give_responder(const void *responder) {
  int object;
  belay_owner *owner = belay_owner_create(&object, NULL, NULL, NULL);
  int code = belay_object_set_responder(owner, responder);
  belay_owner_release(owner);
  belay_last_error();
  return code;
}
static int give_worker_options(const void *options) {
  belay_worker *worker = belay_worker_create(options);
  belay_worker_release(worker);
  return made_code(worker != NULL);
}
static belay_loop *home;
static int give_stream_options(const void *options) {
  int ends[2];
  CHECK_INT(pipe(ends), 0);
  belay_stream *stream = belay_stream_open(home, ends[0], options);
  belay_stream_release(stream);
  close(ends[1]);
  return made_code(stream != NULL);
}
static int give_connection_options(const void *options) {
  belay_signal *connections = belay_tcp_connect(home, "127.0.0.1", 1, options);
  belay_signal_release(connections);
  return made_code(connections != NULL);
}
static int give_process_options(const void *options) {
  belay_signal *process = belay_process(home, options);
  belay_signal_release(process);
  return made_code(process != NULL);
}
static int give_udp_options(const void *options) {
  belay_signal *datagrams = belay_udp(home, NULL, options);
  belay_signal_release(datagrams);
  return made_code(datagrams != NULL);
}
static int give_scheduler_table(const void *table) {
  own_loop own;
  own_open(&own);
  belay_scheduler *scheduler = belay_scheduler_create_host(table, &own, own_freed);
  int code = made_code(scheduler != NULL);
  if (scheduler) {
    own_close(&own, scheduler);
  } else {
    close(own.ends[0]);
    close(own.ends[1]);
    pthread_mutex_destroy(&own.lock);
  }
  return code;
}

/* ---- at which sizes ---- */

/* The bytes of a struct that states `size`, with `tail` in all bytes behind the struct. */
static const void *sized(buffer *place, const void *given, size_t now, size_t size,
                         unsigned char tail) {
  memset(place->bytes, tail, room);
  memcpy(place->bytes, given, now < size || size < sizeof size ? now : size);
  memcpy(place->bytes, &size, sizeof size);
  return place->bytes;
}
typedef int (*give_fn)(const void *given);
static void expect(const char *name, size_t size, int code, int expected) {
  if (code != expected)
    check_failed(__FILE__, __LINE__, "%s of %zu bytes: %d, not %d", name, size, code, expected);
}
static void at_all_sizes(const char *name, const void *given, size_t first, size_t now,
                         give_fn give) {
  static buffer place;
  /* Belay does not read what follows a struct. */
  expect(name, first, give(sized(&place, given, now, first, 0xAA)), 0);
  expect(name, now, give(sized(&place, given, now, now, 0xAA)), 0);
  for (size_t more = now + 8; more <= limit; more += more < now + 64 ? 8 : 512) {
    expect(name, more, give(sized(&place, given, now, more, 0)), 0);
    /* A member that this version does not know is set: its first byte, then its last one. */
    sized(&place, given, now, more, 0);
    place.bytes[now] = 1;
    expect(name, more, give(place.bytes), BELAY_EINVAL);
    sized(&place, given, now, more, 0);
    place.bytes[more - 1] = 1;
    expect(name, more, give(place.bytes), BELAY_EINVAL);
  }
  const size_t wrong[] = {0,         1,        8,          first - 8,    first + 4,
                          limit + 8, SIZE_MAX, SIZE_MAX - 7, SIZE_MAX / 2 + 1};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    expect(name, wrong[i], give(sized(&place, given, now, wrong[i], 0)), BELAY_EINVAL);
}
/* Tests/Package/layout.sh demands `AT_ALL_SIZES(type, first,` or `FIRST_SIZE(type, first)` of each
   sized struct that the library reads or fills in. */
#define AT_ALL_SIZES(type, first, give, ...)                                        \
  do {                                                                              \
    type given_ = BELAY_INIT(type, __VA_ARGS__);                                    \
    at_all_sizes(#type ", " #give, &given_, first, sizeof given_, give);            \
  } while (0)

static void structs_of_every_version(void) {
  static int object;
  property = belay_property_create(belay_int32(1), NULL);
  belay_property *other = belay_property_create(belay_int32(1), NULL);
  belay_bindable from = BELAY_INIT(belay_bindable, .property = other);
  belay_bindable to = BELAY_INIT(belay_bindable, .property = property);
  AT_ALL_SIZES(belay_association, 56, give_association, .key = &object, .object = &object,
               .policy = BELAY_ASSOCIATION_ASSIGN);
  AT_ALL_SIZES(belay_bindable, 40, give_bindable, .property = other);
  AT_ALL_SIZES(belay_binding, 48, give_binding, .from = &from, .to = &to);
  AT_ALL_SIZES(belay_field, 56, give_fields, .name = "age", .kind = BELAY_KIND_INT32);
  AT_ALL_SIZES(belay_loop_options, 48, give_loop_options, .label = "sized");
  AT_ALL_SIZES(belay_observe_options, 24, give_observe_options, .flags = BELAY_OBSERVE_OLD);
  AT_ALL_SIZES(belay_observer, 96, give_observer, .next = render_next, .ctx = "");
  AT_ALL_SIZES(belay_observer, 96, give_observer_to_do, .next = render_next, .ctx = "");
  AT_ALL_SIZES(belay_owner_options, 32, give_owner_options, .label = "sized");
  AT_ALL_SIZES(belay_queue_options, 32, give_queue_options, .capacity = 5);
  AT_ALL_SIZES(belay_source_options, 56, give_source_options, .capacity = 5);
  belay_interface_description plain =
      BELAY_INIT(belay_interface_description, .name = "plain", .table_size = 8);
  if (give_interface_description(&plain) != BELAY_ENOTSUP) {
    AT_ALL_SIZES(belay_interface_description, 72, give_interface_description, .name = "plain");
    AT_ALL_SIZES(belay_method, 40, give_methods, .name = "one", .shape = "v@");
    AT_ALL_SIZES(belay_responder, 64, give_responder, .ctx = NULL);
  }
  belay_property_release(property);
  belay_property_release(other);
}

static void structs_of_every_version_for_other_homes(void) {
  home = belay_loop_create(NULL);
  AT_ALL_SIZES(belay_worker_options, 40, give_worker_options, .label = "sized");
  belay_udp_options any = BELAY_INIT(belay_udp_options);
  if (give_udp_options(&any) != BELAY_ENOTSUP) {
    const char *const program[] = {"true", NULL};
    AT_ALL_SIZES(belay_stream_options, 72, give_stream_options, .label = "sized");
    AT_ALL_SIZES(belay_stream_options, 72, give_connection_options, .nodelay = 1);
    AT_ALL_SIZES(belay_process_options, 72, give_process_options, .args = program);
    AT_ALL_SIZES(belay_udp_options, 56, give_udp_options, .port = 0);
  }
  belay_loop_release(home);
}

static void tables_of_every_version(void) {
  AT_ALL_SIZES(belay_scheduler_table, 72, give_scheduler_table, .schedule = own_schedule,
               .after = own_after);
}

/* The items of an array lie as far apart as their stated size. */
static void arrays_of_a_later_version(void) {
  static struct {
    belay_field field;
    uint64_t unknown;
  } fields[3];
  const char *const names[] = {"one", "two", "three"};
  for (int i = 0; i < 3; i++)
    fields[i].field = (belay_field){.size = sizeof *fields, .name = names[i],
                                    .kind = BELAY_KIND_INT32, .offset = (size_t)i * 4};
  int object[3] = {1, 2, 3};
  belay_value value;
  belay_type *type = belay_type_create(&fields->field, 3, 0);
  belay_owner *owner = belay_owner_create(object, NULL, NULL, NULL);
  CHECK_INT(belay_object_set_type(owner, type), 0);
  CHECK_INT(belay_object_get(owner, "three", &value), 0);
  CHECK(belay_value_equal(value, belay_int32(3)));
  belay_owner_release(owner);
  belay_type_release(type);

  fields[2].unknown = 1;
  CHECK(belay_type_create(&fields->field, 3, 0) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
  fields[2].unknown = 0;
  fields[1].field.size = sizeof(belay_field);
  CHECK(belay_type_create(&fields->field, 3, 0) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
}

/* ---- those that Belay fills in ---- */

#define FIRST_SIZE(type, first) first
static buffer told;
static int filled_in;
static void look_at_change(void *ctx, belay_value record) {
  const size_t sizes[] = {FIRST_SIZE(belay_change, 48), sizeof(belay_change), sizeof(belay_change) + 8, limit};
  const size_t wrong[] = {0, 8, 40, limit + 8, SIZE_MAX};
  belay_change change;
  (void)ctx;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    memset(told.bytes, 0xAA, room);
    memcpy(told.bytes, &sizes[i], sizeof sizes[i]);
    CHECK_INT(belay_change_get(record, (belay_change *)told.bytes), 0);
    memcpy(&change, told.bytes, sizeof change);
    CHECK_INT(change.size, sizes[i]);
    CHECK(belay_value_equal(change.value, belay_int32(7)));
    CHECK(belay_value_equal(change.old, belay_null()));
    CHECK_INT(change.flags, BELAY_CHANGE_INITIAL);
    /* Members that this version does not know become zero, and nothing beyond them changes. */
    for (size_t at = sizeof change; at < room; at++)
      CHECK_INT(told.bytes[at], at < sizes[i] ? 0 : 0xAA);
  }
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    change.size = wrong[i];
    CHECK_INT(belay_change_get(record, &change), BELAY_EINVAL);
    belay_last_error();
  }
  filled_in++;
}
static void a_change_of_every_version(void) {
  static int32_t number = 7;
  static const belay_field fields[] = {
      {sizeof(belay_field), "number", BELAY_KIND_INT32, 0, NULL, NULL, NULL}};
  belay_type *type = belay_type_create(fields, 1, 0);
  belay_owner *owner = belay_owner_create(&number, NULL, NULL, NULL);
  CHECK_INT(belay_object_set_type(owner, type), 0);
  belay_signal *changes = belay_object_observe(
      owner, "number",
      &BELAY_INIT(belay_observe_options, .flags = BELAY_OBSERVE_INITIAL | BELAY_OBSERVE_CHANGES));
  filled_in = 0;
  CHECK_INT(belay_signal_subscribe(changes, &BELAY_INIT(belay_observer, .next = look_at_change),
                                   NULL), 0);
  CHECK_INT(filled_in, 1);
  belay_signal_release(changes);
  belay_owner_release(owner);
  belay_type_release(type);
}

static void look_at_event(void *ctx, const belay_owner_event *event) {
  *(size_t *)ctx = event->size;
}
static void an_event_tells_its_size(void) {
  size_t size = 0;
  belay_owner *owner = belay_owner_create(NULL, NULL, NULL, NULL);
  CHECK_INT(belay_owner_event_watch(owner, owner, "told", BELAY_OWNER_EVENT_LEVEL, look_at_event,
                                    &size, NULL), 0);
  CHECK_INT(belay_owner_event_post(owner, "told", belay_null()), 0);
  CHECK_INT(size, sizeof(belay_owner_event));
  belay_owner_release(owner);
}

static void initialisers(void) {
  belay_observer observer = BELAY_INIT(belay_observer);
  belay_observer expected = {.size = sizeof expected};
  CHECK(memcmp(&observer, &expected, sizeof expected) == 0);
  const belay_observer *lent = &BELAY_INIT(belay_observer, .next = render_next, .ctx = "ctx");
  CHECK_INT(lent->size, sizeof *lent);
  CHECK(lent->next == render_next && lent->error == NULL);
}

static const test_case cases[] = {
    CASE(structs_of_every_version),
    CASE(structs_of_every_version_for_other_homes),
    CASE(tables_of_every_version),
    CASE(arrays_of_a_later_version),
    CASE(a_change_of_every_version),
    CASE(an_event_tells_its_size),
    CASE(initialisers),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
