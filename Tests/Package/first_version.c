/* A program that was built with the first version of the library, and its headers. It runs with every
 * later version, whose structs may have grown. */
#include "first_version.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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
  belay_worker *worker = belay_worker_create(&options);
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
  belay_signal *datagrams = belay_udp(loop, NULL, &socket);
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
