/* A program that was built with the first version of the library.
 *
 * What it needs of the headers of that version is copied here, and is never changed: not the
 * members of a struct, not a number, not a signature. It runs with every later version, whose
 * structs may have grown. A struct that comes later is added at the end, as it is then. */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct belay_disposable belay_disposable;
typedef struct belay_signal belay_signal;
typedef struct belay_op belay_op;
typedef struct belay_owner belay_owner;
typedef struct belay_loop belay_loop;
typedef struct belay_scheduler belay_scheduler;
typedef struct belay_error belay_error;
typedef struct belay_property belay_property;
typedef struct belay_type belay_type;
typedef struct belay_interface belay_interface;
typedef struct belay_invocation belay_invocation;
typedef struct belay_worker belay_worker;
typedef struct belay_stream belay_stream;
typedef void (*belay_free_fn)(void *ctx);
typedef void (*belay_function)(void);

typedef struct belay_value {
  uint64_t payload_, tag_;
} belay_value;
typedef struct belay_view {
  const char *data;
  size_t size;
} belay_view;
enum { KIND_INT32 = 4 };

typedef struct belay_observer {
  size_t size;
  void (*next)(void *ctx, belay_value value);
  void (*error)(void *ctx, const belay_error *error);
  void (*completed)(void *ctx);
  void (*disposed)(void *ctx);
  void *ctx;
  belay_free_fn ctx_free;
  const char *label;
  const char *site;
  belay_loop *loop;
  belay_owner *owner;
  void (*next_batch)(void *ctx, const belay_value *values, size_t count);
} belay_observer;
typedef struct belay_source_options {
  size_t size;
  const char *label;
  const char *site;
  belay_loop *loop;
  unsigned reentrancy;
  size_t capacity;
  int shared;
} belay_source_options;
typedef struct belay_queue_options {
  size_t size;
  unsigned policy;
  size_t capacity;
  size_t *high_water;
} belay_queue_options;
typedef struct belay_association {
  size_t size;
  const void *key;
  const void *kind;
  void *object;
  unsigned policy;
  void *(*take)(void *object);
  belay_free_fn free;
} belay_association;
typedef struct belay_owner_event {
  size_t size;
  const char *name;
  void *object;
  void *watcher;
  belay_value user_info;
} belay_owner_event;
typedef struct belay_owner_options {
  size_t size;
  const char *label;
  const char *site;
  belay_loop *loop;
} belay_owner_options;
typedef struct belay_loop_options {
  size_t size;
  const char *label;
  const char *site;
  size_t capacity;
  int persistent;
  int quiet;
  uint32_t uv_version;
} belay_loop_options;
typedef struct belay_field {
  size_t size;
  const char *name;
  unsigned kind;
  size_t offset;
  belay_value (*get)(void *object);
  int (*set)(void *object, belay_value value);
  const char *const *depends_on;
} belay_field;
typedef struct belay_observe_options {
  size_t size;
  unsigned flags;
  belay_owner *observer;
} belay_observe_options;
typedef struct belay_change {
  size_t size;
  belay_value value, old;
  unsigned flags;
} belay_change;
typedef struct belay_bindable {
  size_t size;
  belay_owner *object;
  const char *path;
  belay_property *property;
  belay_value (*convert)(void *ctx, belay_value value);
} belay_bindable;
typedef struct belay_binding {
  size_t size;
  const belay_bindable *from, *to;
  int both_ways;
  void *ctx;
  belay_free_fn ctx_free;
} belay_binding;
typedef struct belay_method {
  size_t size;
  const char *name;
  size_t offset;
  const char *shape;
  unsigned flags;
} belay_method;
typedef struct belay_interface_description {
  size_t size;
  const char *name;
  size_t table_size;
  const belay_method *methods;
  size_t method_count;
  belay_interface *base;
  size_t table_offset;
  int (*install)(void *object, const void *table);
  const void *(*installed)(void *object);
} belay_interface_description;
typedef struct belay_responder {
  size_t size;
  belay_interface *interface;
  const void *table;
  belay_function (*resolve)(void *ctx, void *object, const char *method);
  belay_owner *(*target)(void *ctx, void *object, const char *method);
  int (*forward)(void *ctx, void *object, belay_invocation *invocation);
  void *ctx;
  belay_free_fn ctx_free;
} belay_responder;

/* Structs that came later. */
typedef struct belay_scheduler_table {
  size_t size;
  const char *label;
  const char *site;
  size_t capacity;
  void (*schedule)(void *ctx, belay_free_fn action, void *work, belay_free_fn work_free);
  void *(*after)(void *ctx, double seconds, belay_free_fn action, void *work,
                 belay_free_fn work_free);
  void (*cancel)(void *ctx, void *timer);
  double (*now)(void *ctx);
  int quiet;
} belay_scheduler_table;
typedef struct belay_worker_options {
  size_t size;
  const char *label;
  const char *site;
  size_t capacity;
  int priority;
} belay_worker_options;
typedef struct belay_stream_options {
  size_t size;
  size_t read_high;
  size_t read_low;
  size_t write_high;
  double keepalive;
  int nodelay;
  int backlog;
  int reuse_port;
  int ipv6_only;
  const char *label;
  const char *site;
} belay_stream_options;
typedef struct belay_process_options {
  size_t size;
  const char *const *args;
  const char *const *env;
  const char *cwd;
  int input;
  int output;
  int error;
  unsigned flags;
  uint32_t uid;
  uint32_t gid;
  unsigned disposal;
  double grace;
} belay_process_options;
typedef struct belay_udp_options {
  size_t size;
  const char *host;
  const char *remote_host;
  const char *const *groups;
  const char *interface_host;
  uint16_t port;
  uint16_t remote_port;
  unsigned flags;
  uint32_t multicast_ttl;
  uint32_t reserved;
} belay_udp_options;
typedef struct belay_exchange_value {
  uint32_t kind;
  uint32_t reserved;
  uint64_t bits;
  const void *data;
  size_t size;
  const char *type;
  void *(*retain)(const struct belay_exchange_value *value);
  void (*release)(void *retained);
  void *context;
} belay_exchange_value;
typedef struct belay_exchange_error {
  int32_t code;
  uint32_t reserved;
  const char *domain;
  const char *message;
  const belay_exchange_value *payload;
  const struct belay_exchange_error *cause;
} belay_exchange_error;
typedef struct belay_exchange_observer {
  void *ctx;
  void (*next)(void *ctx, const belay_exchange_value *value);
  void (*error)(void *ctx, const belay_exchange_error *error);
  void (*completed)(void *ctx);
  void (*released)(void *ctx);
} belay_exchange_observer;
typedef struct belay_exchange_subscription {
  void *object;
  void (*dispose)(void *object);
  void (*release)(void *object);
} belay_exchange_subscription;
typedef struct belay_exchange {
  uint64_t version;
  void *signal;
  void (*retain)(void *signal);
  void (*release)(void *signal);
  const char *(*name)(void *signal);
  int (*subscribe)(void *signal, const belay_exchange_observer *observer,
                   belay_exchange_subscription *subscription);
} belay_exchange;
typedef struct belay_unannounced_write {
  size_t size;
  void *object;
  const char *label;
  const char *key;
  void *address;
  uint64_t thread;
  const void *code;
  const char *module;
  uint64_t offset;
} belay_unannounced_write;

belay_signal *belay_subject_create(const belay_source_options *options);
int belay_subject_next(belay_signal *subject, belay_value value);
int belay_subject_completed(belay_signal *subject);
int belay_signal_subscribe(belay_signal *signal, const belay_observer *observer,
                           belay_disposable **disposable);
belay_signal *belay_signal_retain(belay_signal *signal);
void belay_signal_release(belay_signal *signal);
belay_signal *belay_signal_chain_n(belay_signal *source, belay_op *const *ops, size_t count);
belay_op *belay_op_do(const belay_observer *observer);
belay_op *belay_op_observe_on(belay_scheduler *scheduler, const belay_queue_options *options);
belay_scheduler *belay_scheduler_immediate(void);
belay_loop *belay_loop_create(const belay_loop_options *options);
void belay_loop_release(belay_loop *loop);
belay_owner *belay_owner_create(void *object, void (*deinit)(void *), void (*dealloc)(void *), const belay_owner_options *options);
void belay_owner_release(belay_owner *owner);
int belay_association_set(belay_owner *owner, const belay_association *association);
void *belay_association_get(belay_owner *owner, const void *key, const void *kind);
int belay_owner_event_watch(belay_owner *watcher, belay_owner *source, const char *name, int level,
                            void (*handler)(void *ctx, const belay_owner_event *event), void *ctx,
                            belay_free_fn ctx_free);
int belay_owner_event_post(belay_owner *source, const char *name, belay_value user_info);
belay_type *belay_type_create(const belay_field *fields, size_t count, unsigned flags);
void belay_type_release(belay_type *type);
int belay_object_set_type(belay_owner *object, belay_type *type);
int belay_object_set(belay_owner *object, const char *path, belay_value value);
belay_signal *belay_object_observe(belay_owner *object, const char *path,
                                   const belay_observe_options *options);
int belay_change_get(belay_value record, belay_change *change);
belay_property *belay_property_create(belay_value initial, const belay_source_options *options);
int belay_property_set(belay_property *property, belay_value value);
void belay_property_release(belay_property *property);
int belay_bind(const belay_binding *binding, belay_disposable **disposable);
belay_interface *belay_interface_create(const belay_interface_description *description);
const belay_method *belay_interface_method(belay_interface *interface, size_t index);
void belay_interface_release(belay_interface *interface);
int belay_object_set_responder(belay_owner *object, const belay_responder *responder);
int belay_object_responds(belay_owner *object, const char *method);
int belay_value_get_int32(belay_value v, int32_t *out);
const belay_error *belay_last_error(void);
const char *belay_error_message(const belay_error *error);
int belay_error_code(const belay_error *error);
belay_error *belay_error_create(int code, const char *domain, const char *message,
                                belay_value value, const belay_error *cause);
void belay_error_release(belay_error *error);
int belay_subject_error(belay_signal *subject, const belay_error *error);
belay_scheduler *belay_scheduler_create_host(const belay_scheduler_table *table, void *ctx,
                                             belay_free_fn ctx_free);
int belay_scheduler_close(belay_scheduler *scheduler, void (*closed)(void), void *ctx,
                          belay_free_fn ctx_free);
void belay_scheduler_release(belay_scheduler *scheduler);
belay_worker *belay_worker_create_with(const belay_worker_options *options);
void belay_worker_release(belay_worker *worker);
int belay_loop_run(belay_loop *loop, unsigned mode);
belay_stream *belay_stream_open(belay_loop *loop, int fd, const belay_stream_options *options);
void belay_stream_release(belay_stream *stream);
belay_signal *belay_process(belay_loop *loop, const belay_process_options *options);
belay_signal *belay_udp(belay_loop *loop, const belay_udp_options *options, belay_signal *outgoing);
void belay_disposable_dispose(belay_disposable *disposable);
void belay_disposable_release(belay_disposable *disposable);
int belay_signal_export(belay_signal *signal, belay_exchange *exchange);
belay_signal *belay_signal_import(const belay_exchange *exchange);
void belay_exchange_release(belay_exchange *exchange);
/* Only libbelay-testing has these. */
#define TESTING __attribute__((weak))
TESTING void *belay_guarded_create(size_t size);
TESTING void belay_guarded_destroy(void *memory);
TESTING int belay_object_guard(belay_owner *object);
TESTING int belay_on_unannounced_write(void (*hook)(void *, const belay_unannounced_write *),
                                       void *ctx, belay_free_fn ctx_free);

static int failures;
#define CHECK(condition)                                                                        \
  do {                                                                                          \
    if (!(condition)) {                                                                         \
      failures++;                                                                               \
      printf("%d: %s (%s)\n", __LINE__, #condition, belay_error_message(belay_last_error()));   \
    }                                                                                           \
  } while (0)

static belay_value int32(int32_t number) {
  return (belay_value){(uint64_t)(int64_t)number, KIND_INT32};
}

static int sum, completions, disposals, done;
static void add(void *ctx, belay_value value) {
  int32_t number = 0;
  CHECK(belay_value_get_int32(value, &number) == 0);
  *(int *)ctx += number;
}
static void complete(void *ctx) { completions += *(int *)ctx >= 0; }
static void dispose(void *ctx) { disposals += *(int *)ctx >= 0; }
static void free_int(void *ctx) { *(int *)ctx += 1000; }

static void signals(void) {
  size_t high_water = 0;
  belay_loop_options options = {.size = sizeof options, .label = "loop", .capacity = 10};
  belay_loop *loop = belay_loop_create(&options);
  belay_owner_options named = {.size = sizeof named, .label = "owner", .loop = loop};
  belay_owner *owner = belay_owner_create(NULL, NULL, NULL, &named);
  belay_source_options source = {.size = sizeof source, .label = "source", .loop = loop};
  belay_signal *subject = belay_subject_create(&source);
  belay_queue_options queue = {.size = sizeof queue, .capacity = 5, .high_water = &high_water};
  belay_observer beside = {.size = sizeof beside, .next = add, .ctx = &done};
  belay_op *ops[] = {belay_op_do(&beside),
                     belay_op_observe_on(belay_scheduler_immediate(), &queue)};
  belay_signal *chain = belay_signal_chain_n(belay_signal_retain(subject), ops, 2);
  belay_observer observer = {.size = sizeof observer, .next = add, .completed = complete,
                             .disposed = dispose, .ctx = &sum, .ctx_free = free_int,
                             .label = "observer", .site = "here", .loop = loop};
  CHECK(loop && owner && subject && chain);
  CHECK(belay_signal_subscribe(chain, &observer, NULL) == 0);
  observer.owner = owner;
  CHECK(belay_signal_subscribe(subject, &observer, NULL) == 0);
  CHECK(belay_subject_next(subject, int32(3)) == 0);
  CHECK(sum == 6 && done == 3);
  belay_owner_release(owner);
  CHECK(disposals == 1 && completions == 0 && sum == 1006);
  CHECK(belay_subject_completed(subject) == 0);
  CHECK(disposals == 2 && completions == 1 && sum == 2006);
  belay_signal_release(chain);
  belay_signal_release(subject);
  belay_loop_release(loop);
}

typedef struct thing {
  int32_t first, second;
} thing;
static int told;
static void tell(void *ctx, belay_value record) {
  struct {
    belay_change change;
    int beyond;
  } it = {.change = {.size = sizeof(belay_change)}, .beyond = 7};
  CHECK(belay_change_get(record, &it.change) == 0);
  CHECK(it.change.size == sizeof(belay_change) && it.beyond == 7);
  CHECK(it.change.old.payload_ == 2 && it.change.value.payload_ == 5);
  told += ctx == NULL;
}
static void hear(void *ctx, const belay_owner_event *event) {
  CHECK(event->size >= sizeof *event && strcmp(event->name, "event") == 0);
  CHECK(event->object == ctx && event->watcher == ctx && event->user_info.payload_ == 4);
  told += 10;
}
static void objects(void) {
  static const belay_field fields[] = {
      {.size = sizeof *fields, .name = "first", .kind = KIND_INT32},
      {.size = sizeof *fields, .name = "second", .kind = KIND_INT32,
       .offset = offsetof(thing, second)}};
  thing it = {1, 2};
  belay_owner_options options = {.size = sizeof options};
  belay_owner *owner = belay_owner_create(&it, NULL, NULL, &options);
  belay_type *type = belay_type_create(fields, 2, 0);
  CHECK(belay_object_set_type(owner, type) == 0);
  belay_observe_options observing = {.size = sizeof observing, .flags = 2 /* the old value */};
  belay_signal *changes = belay_object_observe(owner, "second", &observing);
  belay_observer observer = {.size = sizeof observer, .next = tell, .owner = owner};
  CHECK(belay_signal_subscribe(changes, &observer, NULL) == 0);
  belay_signal_release(changes);
  belay_property *property = belay_property_create(int32(2), NULL);
  belay_bindable from = {.size = sizeof from, .property = property};
  belay_bindable to = {.size = sizeof to, .object = owner, .path = "second"};
  belay_binding binding = {.size = sizeof binding, .from = &from, .to = &to};
  CHECK(belay_bind(&binding, NULL) == 0);
  CHECK(belay_property_set(property, int32(5)) == 0);
  CHECK(it.second == 5 && told == 1);
  belay_property_release(property);
  belay_association association = {.size = sizeof association, .key = &told, .object = &it};
  CHECK(belay_association_set(owner, &association) == 0);
  CHECK(belay_association_get(owner, &told, NULL) == &it);
  CHECK(belay_owner_event_watch(owner, owner, "event", 1000, hear, &it, NULL) == 0);
  CHECK(belay_owner_event_post(owner, "event", int32(4)) == 0);
  CHECK(told == 11);
  belay_type_release(type);
  belay_owner_release(owner);
}

static void interfaces(void) {
  static const belay_method methods[] = {
      {.size = sizeof *methods, .name = "one", .shape = "v@"},
      {.size = sizeof *methods, .name = "two", .offset = sizeof(belay_function), .shape = "i@i"}};
  static void *const table[2];
  belay_interface_description description = {
      .size = sizeof description, .name = "two of them", .table_size = sizeof table,
      .methods = methods, .method_count = 2, .table_offset = (size_t)-1};
  belay_interface *made = belay_interface_create(&description);
  if (!made) return; /* left out of this build */
  CHECK(belay_interface_method(made, 1) == &methods[1]);
  thing it = {1, 2};
  belay_owner_options options = {.size = sizeof options};
  belay_owner *owner = belay_owner_create(&it, NULL, NULL, &options);
  belay_responder responder = {.size = sizeof responder, .interface = made, .table = table};
  CHECK(belay_object_set_responder(owner, &responder) == 0);
  CHECK(belay_object_responds(owner, "one") == 0);
  belay_owner_release(owner);
  belay_interface_release(made);
}

static void drop(void *ctx, belay_free_fn action, void *work, belay_free_fn work_free) {
  (void)ctx, (void)action;
  work_free(work);
}
static void *drop_later(void *ctx, double seconds, belay_free_fn action, void *work,
                        belay_free_fn work_free) {
  return (void)seconds, drop(ctx, action, work, work_free), NULL;
}
static void threads(void) {
  int freed = 0;
  belay_scheduler_table table = {.size = sizeof table, .label = "own", .schedule = drop,
                                 .after = drop_later};
  belay_scheduler *scheduler = belay_scheduler_create_host(&table, &freed, free_int);
  CHECK(scheduler);
  CHECK(belay_scheduler_close(scheduler, NULL, NULL, NULL) == 0);
  belay_scheduler_release(scheduler);
  CHECK(freed == 1000);
  belay_worker_options options = {.size = sizeof options, .label = "worker", .capacity = 10};
  belay_worker *worker = belay_worker_create_with(&options);
  CHECK(worker);
  belay_worker_release(worker);
}

static int events;
static void count(void *ctx, belay_value value) {
  (void)value;
  belay_disposable **subscription = ctx;
  events++;
  if (subscription) belay_disposable_dispose(*subscription);
}
static void io(void) {
  static const char *const args[] = {"true", NULL};
  int ends[2];
  belay_loop *loop = belay_loop_create(NULL);
  belay_udp_options socket = {.size = sizeof socket, .host = "127.0.0.1"};
  belay_signal *datagrams = belay_udp(loop, &socket, NULL);
  if (!datagrams && belay_error_code(belay_last_error()) == -ENOTSUP) { /* left out of this build */
    belay_loop_release(loop);
    return;
  }
  belay_disposable *subscription = NULL;
  belay_observer first = {.size = sizeof first, .next = count, .ctx = &subscription};
  CHECK(belay_signal_subscribe(datagrams, &first, &subscription) == 0);
  belay_signal_release(datagrams);
  belay_process_options child = {.size = sizeof child, .args = args};
  belay_signal *process = belay_process(loop, &child);
  belay_observer observer = {.size = sizeof observer, .next = count};
  CHECK(process && belay_signal_subscribe(process, &observer, NULL) == 0);
  belay_signal_release(process);
  CHECK(pipe(ends) == 0);
  belay_stream_options options = {.size = sizeof options, .read_high = 10, .label = "stream"};
  belay_stream *stream = belay_stream_open(loop, ends[0], &options);
  CHECK(stream);
  belay_stream_release(stream);
  CHECK(belay_loop_run(loop, 0 /* until nothing is left */) == 0);
  CHECK(events == 3); /* the address of the socket; the process begins and ends */
  close(ends[1]);
  belay_disposable_release(subscription);
  belay_loop_release(loop);
}

static void get_next(void *ctx, const belay_exchange_value *value) {
  CHECK(value->kind == KIND_INT32 && value->bits == 3);
  *(int *)ctx += 1;
}
static void get_error(void *ctx, const belay_exchange_error *error) {
  CHECK(error->code == -7 && strcmp(error->message, "no more") == 0);
  CHECK((!error->payload || error->payload->kind == 0) && !error->cause);
  *(int *)ctx += 10;
}
static void copies(void) {
  int got = 0;
  belay_exchange exchange;
  belay_exchange_subscription subscription;
  belay_signal *subject = belay_subject_create(NULL);
  CHECK(belay_signal_export(subject, &exchange) == 0);
  CHECK(exchange.version == 1);
  belay_exchange_observer observer = {&got, get_next, get_error, complete, free_int};
  CHECK(exchange.subscribe(exchange.signal, &observer, &subscription) == 0);
  CHECK(belay_subject_next(subject, int32(3)) == 0);
  belay_error *error = belay_error_create(-7, NULL, "no more", (belay_value){0, 0}, NULL);
  CHECK(belay_subject_error(subject, error) == 0);
  belay_error_release(error);
  CHECK(got == 1011);
  subscription.release(subscription.object);
  belay_signal *back = belay_signal_import(&exchange);
  CHECK(back == subject);
  belay_signal_release(back);
  belay_exchange_release(&exchange);
  belay_signal_release(subject);
}

static thing *guarded;
static void find(void *ctx, const belay_unannounced_write *found) {
  *(int *)ctx += found->size >= sizeof *found && found->object == guarded &&
                 found->address == &guarded->second && strcmp(found->key, "second") == 0 &&
                 found->code && found->thread && found->module;
}
static void guards(void) {
  if (!belay_guarded_create) return;
  static const belay_field second = {.size = sizeof second, .name = "second", .kind = KIND_INT32,
                                     .offset = offsetof(thing, second)};
  int found = 0;
  guarded = belay_guarded_create(sizeof *guarded);
  belay_owner *owner = belay_owner_create(guarded, NULL, belay_guarded_destroy, NULL);
  belay_type *type = belay_type_create(&second, 1, 0);
  CHECK(belay_object_set_type(owner, type) == 0);
  CHECK(belay_on_unannounced_write(find, &found, NULL) == 0);
  CHECK(belay_object_guard(owner) == 0);
  *(volatile int32_t *)&guarded->second = 5;
  CHECK(found == 1 && guarded->second == 5);
  CHECK(belay_on_unannounced_write(NULL, NULL, NULL) == 0);
  belay_type_release(type);
  belay_owner_release(owner);
}

#define SIZE(type) printf("%s %zu\n", #type, sizeof(type))
static void sizes(void) {
  SIZE(belay_value);
  SIZE(belay_view);
  SIZE(belay_observer);
  SIZE(belay_source_options);
  SIZE(belay_queue_options);
  SIZE(belay_association);
  SIZE(belay_owner_event);
  SIZE(belay_owner_options);
  SIZE(belay_loop_options);
  SIZE(belay_field);
  SIZE(belay_observe_options);
  SIZE(belay_change);
  SIZE(belay_bindable);
  SIZE(belay_binding);
  SIZE(belay_method);
  SIZE(belay_interface_description);
  SIZE(belay_responder);
  SIZE(belay_scheduler_table);
  SIZE(belay_worker_options);
  SIZE(belay_stream_options);
  SIZE(belay_process_options);
  SIZE(belay_udp_options);
  SIZE(belay_exchange_value);
  SIZE(belay_exchange_error);
  SIZE(belay_exchange_observer);
  SIZE(belay_exchange_subscription);
  SIZE(belay_exchange);
  SIZE(belay_unannounced_write);
}

/* With an argument: tells how large its structs are. */
int main(int argc, char **argv) {
  (void)argv;
  if (argc > 1) return sizes(), 0;
  signals();
  objects();
  interfaces();
  threads();
  io();
  copies();
  guards();
  return failures != 0;
}
