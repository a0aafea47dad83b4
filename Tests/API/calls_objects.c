/* Calls by hand: of owners and objects, and of what is intercepted. All objects are things. */
#include "random_calls.h"

typedef struct ops {
  int (*read)(void *it, int size);
  const char *(*name)(void *it, const char *text);
  void (*end)(void *it);
  void (*note)(void *it, double much);
  int (*quick)(void *it, int size);
} ops;
typedef struct thing {
  const ops *table;
  int32_t age, limited;
  double score;
  belay_value name;
  belay_owner *mate;
  belay_weak *pal;
  const ops *delegate;
} thing;

/* The generated callbacks. */
void on_belay_object_fn(void *object);
belay_value on_belay_respond_fn(void *ctx, belay_invocation *call);
belay_value on_belay_field_get(void *object);
int on_belay_field_set(void *object, belay_value value);
int on_belay_responder_forward(void *ctx, void *object, belay_invocation *invocation);
belay_owner *on_belay_responder_target(void *ctx, void *object, const char *method);
belay_function on_belay_responder_resolve(void *ctx, void *object, const char *method);

static int plain_read(void *it, int size) { return it ? size : -1; }
static const char *plain_name(void *it, const char *text) { return it ? text : "none"; }
static void plain_end(void *it) { (void)it; }
static void plain_note(void *it, double much) { (void)it, (void)much; }
static const ops plain = {plain_read, plain_name, plain_end, plain_note, plain_read};
static belay_function plain_function(const char *method) {
  if (method && (strcmp(method, "read") == 0 || strcmp(method, "quick") == 0)) return (belay_function)plain_read;
  return method && strcmp(method, "note") == 0 ? (belay_function)plain_note : NULL;
}
static ops tables[3] = {
    {plain_read, plain_name, plain_end, plain_note, plain_read},
    {plain_read, NULL, plain_end, NULL, plain_read},
    {NULL, NULL, NULL, NULL, NULL},
};

/* Each function is read when it is called: the one before may give up the table, which frees Belay's. */
static void call_through(const ops *table, void *it) {
  int (*read)(void *, int) = __atomic_load_n(&table->read, __ATOMIC_RELAXED);
  if (read && flip()) read(it, 7);
  const char *(*name)(void *, const char *) = __atomic_load_n(&table->name, __ATOMIC_RELAXED);
  if (name && flip()) look_at(name(it, "text"));
  void (*note)(void *, double) = __atomic_load_n(&table->note, __ATOMIC_RELAXED);
  if (note && flip()) note(it, 0.5);
}

/* ---- owners ---- */

static void begin_thing(thing *it) {
  memset(it, 0, sizeof *it);
  it->table = &tables[draw(2)];
}
static void empty_thing(thing *it) {
  belay_value name = it->name;
  belay_owner *mate = it->mate;
  belay_weak *pal = it->pal;
  it->name = belay_null();
  it->mate = NULL, it->pal = NULL;
  belay_value_release(name), belay_owner_release(mate), belay_weak_release(pal);
}
static void deinit_thing(void *object) {
  on_belay_object_fn(object);
  if (object) empty_thing(object);
}
static void dealloc_thing(void *object) {
  on_belay_object_fn(object);
  free(object);
}
static void dealloc_guarded(void *object) { belay_guarded_destroy(object); }

void call_belay_owner_create(void) {
  begin_call("belay_owner_create");
  drawn drawn;
  const belay_owner_options *options = draw_belay_owner_options(&drawn);
  thing *it = rarely() ? NULL : calloc(1, sizeof *it);
  if (it) begin_thing(it);
  ready();
  belay_owner *result = belay_owner_create(it, deinit_thing, dealloc_thing, options);
  if (!result) free(it);
  check_size("belay_owner_create", &drawn, !result);
  made(&belay_owner_pool, "belay_owner_create", result, 1);
  end_call();
}

/* Each has memory that stays, so that an end may be declared at any time. */
static thing adopted[6], classed[3];
static thing *ending[20];
static int ending_count;

void call_belay_owner_adopt(void) {
  begin_call("belay_owner_adopt");
  drawn drawn;
  const belay_owner_options *options = draw_belay_owner_options(&drawn);
  void *pointer = rarely() ? NULL : &ONE_OF(adopted);
  ready();
  belay_owner *result = belay_owner_adopt(pointer, options); /* looks at them when it makes the owner alone */
  made(&belay_owner_pool, "belay_owner_adopt", result, 1);
  end_call();
}
static void destroy_adopted(void *it) {
  act();
  empty_thing(it);
}
void call_belay_owner_end(void) {
  begin_call("belay_owner_end");
  thing *it = &ONE_OF(adopted);
  int is_null = rarely();
  ready();
  check_code("belay_owner_end", belay_owner_end(is_null ? NULL : it, flip() ? destroy_adopted : NULL, it));
  end_call();
}
void call_belay_owner_will_end(void) {
  begin_call("belay_owner_will_end");
  thing *it = ending_count == 20 || rarely() ? NULL : &ONE_OF(adopted);
  ready();
  int result = belay_owner_will_end(it);
  check_code("belay_owner_will_end", result);
  if ((result == 0 || result == BELAY_EDEADLK) && ending_count < 20) ending[ending_count++] = it;
  end_call();
}
void call_belay_owner_did_end(void) {
  begin_call("belay_owner_did_end");
  thing *it = ending_count && draw(4) ? ending[--ending_count] : rarely() ? NULL : &ONE_OF(adopted);
  ready();
  check_code("belay_owner_did_end", belay_owner_did_end(it));
  end_call();
}
static struct {
  belay_destroy_fn unused, destroy;
} class_table;
static void destroy_classed(void *it) { empty_thing(it); }
void call_belay_owner_adopt_slot(void) {
  begin_call("belay_owner_adopt_slot");
  drawn drawn;
  const belay_owner_options *options = draw_belay_owner_options(&drawn);
  thing *it = &ONE_OF(classed);
  belay_owner *owner = NULL;
  belay_destroy_fn *slot = rarely() ? NULL : rarely() ? &class_table.unused : &class_table.destroy;
  if (rarely()) slot = (belay_destroy_fn *)((char *)slot + 1);
  ready();
  int result = belay_owner_adopt_slot(rarely() ? NULL : it, slot, options, &owner);
  check_size("belay_owner_adopt_slot", &drawn, result < 0);
  check_code("belay_owner_adopt_slot", result);
  made(&belay_owner_pool, NULL, owner, 0);
  if (draw(4) == 0) class_table.destroy(it);
  end_call();
}

static void *take_object(void *object) {
  void *ctx;
  belay_free_fn ctx_free;
  act();
  token *token = give(&ctx, &ctx_free);
  if (token) token->may_stay = 0;
  (void)object;
  return ctx;
}
void call_belay_association_set(void) {
  begin_call("belay_association_set");
  belay_association made = {.size = sizeof made, .key = draw_key(), .kind = draw_key()};
  belay_owner *owner = pick(&belay_owner_pool);
  made.policy = (belay_association_policy)draw_enum();
  if (!rarely()) made.take = take_object;
  made.free = free_token;
  if (made.policy == BELAY_ASSOCIATION_ASSIGN) {
    token *token = give(&made.object, &made.free);
    if (token && rarely()) made.size = 0, token->may_stay = 1;
  } else {
    made.object = draw_address();
  }
  int is_null = rarely() && made.policy != BELAY_ASSOCIATION_ASSIGN;
  ready();
  check_code("belay_association_set", belay_association_set(owner, is_null ? NULL : &made));
  end_call();
}

/* A key that nobody was given may be one of the library's own members of an owner's compound. */
void call_belay_compound_remove(void) {
  begin_call("belay_compound_remove");
  belay_disposable *compound = pick(rarely() ? &belay_disposable_pool : &compound_pool);
  belay_disposable *member = pick(&belay_disposable_pool);
  uint64_t key = rarely() ? UINT64_MAX : 0;
  ready();
  if (draw(4)) check_code("belay_compound_add", belay_compound_add(compound, member, &key));
  check_code("belay_compound_remove", belay_compound_remove(compound, key));
  end_call();
}

/* ---- objects ---- */

static int set_limited(void *object, belay_value value) {
  thing *it = object;
  int result = on_belay_field_set(object, value);
  if (result >= 0) it->limited++;
  return result;
}
static const char *const of_age[] = {"age", NULL};
#define THING(name, kind) BELAY_FIELD(thing, name, kind)
static const belay_field fields[] = {
    THING(age, BELAY_KIND_INT32),
    THING(score, BELAY_KIND_DOUBLE),
    THING(name, BELAY_KIND_NULL),
    THING(mate, BELAY_KIND_OWNER),
    THING(pal, BELAY_KIND_WEAK),
    {sizeof(belay_field), "limited", BELAY_KIND_INT32, 0, NULL, set_limited, NULL},
    {sizeof(belay_field), "area", BELAY_KIND_INT32, 0, on_belay_field_get, NULL, of_age},
    {sizeof(belay_field), "changed", BELAY_KIND_DOUBLE, 0, on_belay_field_get, on_belay_field_set, NULL},
}, wrong_fields[] = {
    {sizeof(belay_field) - 1, "age", BELAY_KIND_INT32, 0, NULL, NULL, NULL},
    {sizeof(belay_field), "area", BELAY_KIND_INT32, 0, on_belay_field_get, NULL, of_age},
};
void call_belay_type_create(void) {
  begin_call("belay_type_create");
  unsigned flags = rarely() ? draw_unsigned() : (unsigned)flip();
  const belay_field *from = rarely() ? NULL : rarely() ? &wrong_fields[draw(2)] : fields;
  size_t count = !from ? draw_size() : from == fields ? draw(9) : 1;
  ready();
  made(&belay_type_pool, "belay_type_create", belay_type_create(from, count, flags), 1);
  end_call();
}
void call_belay_guarded_create(void) {
  static const size_t sizes[] = {0, 1, 4096, sizeof(thing), sizeof(thing), SIZE_MAX, SIZE_MAX / 2, (size_t)1 << 50};
  begin_call("belay_guarded_create");
  size_t size = ONE_OF(sizes);
  belay_type *type = pick(&belay_type_pool);
  ready();
  thing *it = belay_guarded_create(size);
  if (!it && !belay_last_error()) fault("belay_guarded_create answers NULL and records nothing");
  if (it && size >= sizeof *it && !rarely()) {
    begin_thing(it);
    belay_owner *owner = belay_owner_create(it, deinit_thing, dealloc_guarded, NULL);
    belay_object_set_type(owner, type);
    check_code("belay_object_guard", belay_object_guard(owner));
    put(&belay_owner_pool, owner);
  } else {
    belay_guarded_destroy(it);
  }
  end_call();
}
void call_belay_guarded_destroy(void) {
  static char elsewhere[16];
  begin_call("belay_guarded_destroy");
  void *it = flip() ? NULL : elsewhere;
  ready();
  belay_guarded_destroy(it);
  end_call();
}
void call_belay_change_get(void) {
  begin_call("belay_change_get");
  belay_change change = {.size = rarely() ? draw(8) : sizeof change};
  belay_value value = draw_value();
  int is_null = rarely();
  ready();
  check_code("belay_change_get", belay_change_get(value, is_null ? NULL : &change));
  belay_value_release(value);
  end_call();
}
void call_belay_object_set_responder(void) {
  begin_call("belay_object_set_responder");
  belay_responder made = {.size = sizeof made, .interface = pick(&belay_interface_pool)};
  belay_owner *object = pick(&belay_owner_pool);
  if (flip()) made.table = rarely() ? (const char *)&plain + 1 : (const char *)&tables[draw(3)];
  if (flip()) made.resolve = on_belay_responder_resolve;
  if (flip()) made.target = on_belay_responder_target;
  if (flip()) made.forward = on_belay_responder_forward;
  token *token = give(&made.ctx, &made.ctx_free);
  if (rarely()) {
    made.size = flip() ? 0 : sizeof made - 1;
    if (token) token->may_stay |= 1;
  }
  ready();
  int result = belay_object_set_responder(object, &made);
  if (result >= 0 && made.size != sizeof made) fault("belay_object_set_responder takes a wrong size");
  check_code("belay_object_set_responder", result);
  end_call();
}

/* ---- tables ---- */

static int install(void *object, const void *table) {
  thing *it = object;
  if (rarely()) return answer_int(0) < 0 ? BELAY_EINVAL : 0;
  it->delegate = table;
  act();
  return 0;
}
static const void *installed(void *object) { return ((thing *)object)->delegate; }

#define METHODS(flags_)                                                            \
  {sizeof(belay_method), "read", offsetof(ops, read), "i@i", 0},                   \
  {sizeof(belay_method), "name", offsetof(ops, name), "*@*", 0},                   \
  {sizeof(belay_method), "end", offsetof(ops, end), "v@", flags_},                 \
  {sizeof(belay_method), "note", offsetof(ops, note), "v@d", 0},                   \
  {sizeof(belay_method), "quick", offsetof(ops, quick), "i@i", BELAY_METHOD_PERFORMANCE_SENSITIVE}
static const belay_method methods[] = {METHODS(0)}, ending_methods[] = {METHODS(BELAY_METHOD_ENDS_OBJECT)};
static const belay_method wrong_methods[][1] = {
    {{sizeof(belay_method) - 8, "read", 0, "i@i", 0}}, {{sizeof(belay_method), NULL, 0, "i@i", 0}},
    {{sizeof(belay_method), "", 0, "i@i", 0}},         {{sizeof(belay_method), "read", 1, "i@i", 0}},
    {{sizeof(belay_method), "read", 4096, "i@i", 0}},  {{sizeof(belay_method), "read", (size_t)-8, "i@i", 0}},
    {{sizeof(belay_method), "read", 0, NULL, 0}},      {{sizeof(belay_method), "read", 0, "", 0}},
    {{sizeof(belay_method), "read", 0, "i@{", 0}},     {{sizeof(belay_method), "read", 0, "i@i", 0xffffffffu}},
    {{sizeof(belay_method), "read", 0, "i", BELAY_METHOD_ENDS_OBJECT}},
};
void call_belay_interface_create(void) {
  static const size_t offsets[] = {BELAY_NO_TABLE, offsetof(thing, table), offsetof(thing, table), 1, SIZE_MAX - 1};
  begin_call("belay_interface_create");
  belay_interface_description description = {.size = sizeof description, .name = draw_label()};
  description.table_size = sizeof(ops);
  description.methods = draw(4) ? methods : ending_methods;
  description.method_count = 1 + draw(5);
  description.table_offset = ONE_OF(offsets);
  if (flip()) description.install = install;
  if (flip()) description.installed = installed;
  if (draw(4) == 0) {
    description.methods = ONE_OF(wrong_methods);
    description.method_count = 1;
  }
  if (rarely()) description.base = pick(&belay_interface_pool);
  if (rarely()) description.methods = NULL, description.method_count = draw_size();
  if (rarely()) description.table_size = flip() ? 0 : SIZE_MAX; /* what is called through is whole */
  int is_wrong = rarely(), is_null = rarely();
  if (is_wrong) description.size = flip() ? 0 : sizeof description - 1;
  ready();
  belay_interface *result = belay_interface_create(is_null ? NULL : &description);
  if (result && is_wrong) fault("belay_interface_create takes a struct of a wrong size");
  made(&belay_interface_pool, "belay_interface_create", result, 1);
  end_call();
}
static void *draw_table(void) {
  if (rarely()) return NULL;
  return rarely() ? (char *)&tables[0] + 1 : (char *)&tables[draw(3)];
}
void call_belay_slot_create_in_table(void) {
  begin_call("belay_slot_create_in_table");
  belay_interface *interface = pick(&belay_interface_pool);
  void *table = draw_table();
  const char *method = draw_method();
  unsigned flags = rarely() ? draw_unsigned() : (unsigned)flip();
  ready();
  belay_slot *result = belay_slot_create_in_table(interface, table, method, flags);
  made(&belay_slot_pool, "belay_slot_create_in_table", result, 1);
  call_through(&tables[draw(3)], &adopted[draw(2)]);
  end_call();
}
static void heard(void *ctx, double much) { (void)ctx, (void)much, act(); }
void call_belay_slot_connect(void) {
  begin_call("belay_slot_connect");
  belay_slot *slot = pick(&belay_slot_pool);
  const char *shape = flip() ? "v@d" : rarely() ? draw_shape() : "i@i";
  belay_function function = NULL;
  if (shape && !rarely()) {
    if (strcmp(shape, "i@i") == 0) function = (belay_function)plain_read;
    if (strcmp(shape, "v@d") == 0) function = (belay_function)heard;
  }
  void *ctx;
  belay_free_fn ctx_free;
  belay_disposable *disposable = NULL;
  give(&ctx, &ctx_free);
  ready();
  check_code("belay_slot_connect", belay_slot_connect(slot, shape, function, ctx, ctx_free, &disposable));
  made(&belay_disposable_pool, NULL, disposable, 0);
  call_through(&tables[draw(3)], &adopted[draw(2)]);
  end_call();
}
void call_belay_slot_original(void) {
  begin_call("belay_slot_original");
  belay_slot *slot = pick(&belay_slot_pool);
  ready();
  belay_slot_original(slot);
  end_call();
}
void call_belay_table_gone(void) {
  begin_call("belay_table_gone");
  void *table = draw_table();
  ready();
  check_code("belay_table_gone", belay_table_gone(table));
  end_call();
}
void call_belay_proxy_forward_to(void) {
  begin_call("belay_proxy_forward_to");
  belay_proxy *proxy = pick(&belay_proxy_pool);
  const void *table = flip() ? draw_table() : belay_proxy_table(flip() ? proxy : NULL);
  belay_owner *delegate = pick(&belay_owner_pool);
  /* What this calls may release the last reference to the proxy, which has the table. */
  belay_proxy *kept = flip() ? belay_proxy_retain(proxy) : NULL;
  ready();
  check_code("belay_proxy_forward_to", belay_proxy_forward_to(proxy, table, delegate));
  /* Another player may end the object, through whose table nobody calls then. */
  const ops *given = players == 1 ? belay_proxy_table(kept) : NULL;
  if (given) call_through(given, &adopted[0]);
  belay_proxy_release(kept);
  end_call();
}
void call_belay_invocation_call(void) {
  begin_call("belay_invocation_call");
  belay_invocation *invocation = pick(&belay_invocation_pool);
  belay_function function = rarely() ? NULL : plain_function(belay_invocation_method(invocation));
  ready();
  check_code("belay_invocation_call", belay_invocation_call(invocation, function));
  end_call();
}
belay_function answer_function(int quiet, const char *method) {
  return quiet || flip() ? NULL : plain_function(method);
}
void *answer_pointer(int quiet) { return (void)quiet, NULL; }
void call_belay_function_create(void) {
  begin_call("belay_function_create");
  const char *shape = flip() ? "iii" : draw_shape();
  belay_owner *owner = flip() ? NULL : pick(&belay_owner_pool);
  void *ctx;
  belay_free_fn ctx_free;
  belay_disposable *disposable = NULL;
  give(&ctx, &ctx_free);
  int is_null = rarely();
  ready();
  belay_function made_ = belay_function_create(shape, owner, is_null ? NULL : on_belay_respond_fn, ctx, ctx_free,
                                               &disposable);
  if (!made_ && !belay_last_error()) fault("belay_function_create answers NULL and records nothing");
  if (made_ && strcmp(shape, "iii") == 0) ((int (*)(int, int))made_)(1, 2);
  made(&belay_disposable_pool, NULL, disposable, 0);
  end_call();
}

/* ---- the end ---- */

void end_objects(void) {
  while (ending_count) belay_owner_did_end(ending[--ending_count]);
  for (size_t i = 0; i < sizeof adopted / sizeof *adopted; i++) {
    int code = belay_owner_end(&adopted[i], NULL, NULL);
    note("end of %d: %d", (int)i, code);
    empty_thing(&adopted[i]);
  }
  for (size_t i = 0; i < sizeof classed / sizeof *classed; i++) {
    class_table.destroy(&classed[i]);
    int code = belay_owner_end(&classed[i], NULL, NULL);
    note("end of %d: %d", (int)i, code);
    empty_thing(&classed[i]);
  }
}
void end_tables(void) {
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) belay_table_gone(&tables[i]);
}
__attribute__((constructor)) static void begin_tables(void) {
  class_table.destroy = destroy_classed;
  for (size_t i = 0; i < sizeof adopted / sizeof *adopted; i++) adopted[i].table = &tables[i % 2];
  for (size_t i = 0; i < sizeof classed / sizeof *classed; i++) classed[i].table = &tables[i % 2];
}
