/* What the headers of the first version declare, as far as first_version.c needs it.
 *
 * It is copied, and is never changed: not the members of a struct, not a number, not a signature. A
 * struct that comes later is added at the end, as it is then. */
#ifndef FIRST_VERSION_H
#define FIRST_VERSION_H

#include <stddef.h>
#include <stdint.h>

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
belay_owner *belay_owner_create(void *object, void (*deinit)(void *), void (*dealloc)(void *),
                                const belay_owner_options *options);
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
belay_worker *belay_worker_create(const belay_worker_options *options);
void belay_worker_release(belay_worker *worker);
int belay_loop_run(belay_loop *loop, unsigned mode);
belay_stream *belay_stream_open(belay_loop *loop, int fd, const belay_stream_options *options);
void belay_stream_release(belay_stream *stream);
belay_signal *belay_process(belay_loop *loop, const belay_process_options *options);
belay_signal *belay_udp(belay_loop *loop, belay_signal *outgoing, const belay_udp_options *options);
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

#endif
