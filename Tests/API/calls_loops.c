/* Calls by hand: of loops, schedulers, streams, processes and signals. */
#define _GNU_SOURCE /* pipe2 */
#include "random_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <uv.h>

/* The generated callbacks. */
belay_value on_belay_map_fn(void *ctx, belay_value value);
void on_belay_closed_fn(void *ctx, const belay_open_resource *const *resources, size_t count);

_Thread_local belay_loop *keeper;
static _Atomic(belay_loop *) keepers[MOST_PLAYERS];
int is_keeper(void *handle) {
  for (int i = 0; i < players; i++)
    if (keepers[i] == handle) return 1;
  return 0;
}

/* ---- signals ---- */

void call_belay_signal_repeat_value(void) {
  begin_call("belay_signal_repeat_value");
  belay_value value = draw_value();
  size_t count = draw_size();
  ready();
  belay_signal *result = belay_signal_repeat_value(value, count);
  made(&belay_signal_pool, "belay_signal_repeat_value", count > 8 ? cut(result) : result, 1);
  end_call();
}
void call_belay_signal_range(void) {
  begin_call("belay_signal_range");
  int64_t start = draw_int64();
  uint64_t count = draw_uint64();
  ready();
  belay_signal *result = belay_signal_range(start, count);
  made(&belay_signal_pool, "belay_signal_range", count > 8 ? cut(result) : result, 1);
  end_call();
}
/* A signal that is made of the subject itself sends for ever. */
void call_belay_signal_bind(void) {
  begin_call("belay_signal_bind");
  belay_signal *signal = cut(take(&belay_signal_pool)), *subject = pick(rarely() ? &belay_signal_pool : &subject_pool);
  belay_disposable *disposable = NULL;
  ready();
  int result = belay_signal_bind(signal, subject, &disposable);
  made(&belay_disposable_pool, NULL, disposable, 0);
  belay_signal_release(signal);
  check_code("belay_signal_bind", result);
  end_call();
}
void call_belay_signal_bind_property(void) {
  begin_call("belay_signal_bind_property");
  belay_signal *signal = cut(take(&belay_signal_pool));
  belay_property *property = pick(&belay_property_pool);
  belay_owner *owner = pick(&belay_owner_pool);
  belay_disposable *disposable = NULL;
  ready();
  int result = belay_signal_bind_property(signal, property, owner, &disposable);
  made(&belay_disposable_pool, NULL, disposable, 0);
  belay_signal_release(signal);
  check_code("belay_signal_bind_property", result);
  end_call();
}
void call_belay_signal_multicast(void) {
  begin_call("belay_signal_multicast");
  belay_signal *source = cut(take(&belay_signal_pool)), *subject = take(rarely() ? &belay_signal_pool : &subject_pool);
  ready();
  made(&belay_signal_pool, "belay_signal_multicast", belay_signal_multicast(source, subject), 1);
  end_call();
}
void call_belay_signal_chain_n(void) {
  begin_call("belay_signal_chain_n");
  belay_op *ops[4];
  size_t count = draw(4) ? 1 + draw(3) : draw(5);
  belay_signal *source = take(&belay_signal_pool);
  for (size_t i = 0; i < count; i++) ops[i] = take(&belay_op_pool);
  int is_null = rarely() && count == 0;
  ready();
  belay_signal *result = belay_signal_chain_n(source, is_null ? NULL : ops, is_null ? draw_size() : count);
  made(&belay_signal_pool, "belay_signal_chain_n", result, 1);
  end_call();
}

static struct {
  belay_value value;
  belay_kind kind;
} variables[300];
static atomic_int variable_count;

void call_belay_signal_bind_variable(void) {
  begin_call("belay_signal_bind_variable");
  belay_signal *signal = pick(&belay_signal_pool);
  belay_owner *owner = pick(&belay_owner_pool);
  belay_disposable *disposable = NULL;
  int at = variable_count < 300 - MOST_PLAYERS ? atomic_fetch_add(&variable_count, 1) : -1;
  void *address = at < 0 || rarely() ? NULL : &variables[at].value;
  belay_kind kind = (belay_kind)draw_enum();
  if (at >= 0) variables[at].kind = kind;
  ready();
  int result = belay_signal_bind_variable(signal, kind, address, owner, &disposable);
  made(&belay_disposable_pool, NULL, disposable, 0);
  check_code("belay_signal_bind_variable", result);
  end_call();
}

static belay_bindable bindable(void) {
  belay_bindable made = {.size = sizeof made};
  if (flip()) made.property = pick(&belay_property_pool);
  if (!made.property || rarely()) made.object = pick(&belay_owner_pool), made.path = draw_key_path();
  if (draw(4) == 0) made.convert = on_belay_map_fn;
  if (rarely()) made.size = flip() ? 7 : 0;
  return made;
}
/* A ring that has bindings one way may go round for ever. */
void call_belay_bind(void) {
  begin_call("belay_bind");
  belay_bindable from = bindable(), to = bindable();
  belay_binding binding = {.size = sizeof binding, .from = rarely() ? NULL : &from, .to = rarely() ? NULL : &to};
  belay_disposable *disposable = NULL;
  binding.both_ways = 1;
  token *token = give(&binding.ctx, &binding.ctx_free);
  if (rarely()) {
    binding.size = flip() ? 7 : 0;
    if (token) token->may_stay |= 1;
  }
  ready();
  int result = belay_bind(&binding, &disposable);
  made(&belay_disposable_pool, NULL, disposable, 0);
  check_code("belay_bind", result);
  end_call();
}

/* ---- shared observers ---- */

void call_belay_observer_share(void) {
  begin_call("belay_observer_share");
  drawn drawn;
  belay_observer *observer = (belay_observer *)draw_belay_observer(&drawn);
  ready();
  int result = belay_observer_share(observer);
  check_size("belay_observer_share", &drawn, result < 0);
  check_code("belay_observer_share", result);
  if (result == 0) {
    for (uint64_t i = draw(3); i > 0; i--) {
      belay_disposable *disposable = NULL;
      observer->size = sizeof *observer;
      belay_signal *signal = pick(&belay_signal_pool);
      result = belay_signal_subscribe(signal, belay_observer_retain(observer), &disposable);
      check_code("belay_signal_subscribe", result);
      made(&belay_disposable_pool, NULL, disposable, 0);
    }
    belay_observer_release(observer);
  } else if (drawn.token && !drawn.is_null) { /* it was never given */
    drawn.token->may_stay |= 1;
  }
  end_call();
}
void call_belay_observer_retain(void) {
  begin_call("belay_observer_retain");
  drawn drawn;
  const belay_observer *observer = draw_belay_observer(&drawn);
  if (drawn.token) drawn.token->may_stay |= 1;
  ready();
  if (belay_observer_retain(observer)) fault("an observer that is not shared was retained");
  end_call();
}
void call_belay_observer_release(void) {
  begin_call("belay_observer_release");
  drawn drawn;
  const belay_observer *observer = draw_belay_observer(&drawn);
  if (drawn.token) drawn.token->may_stay |= 1;
  ready();
  belay_observer_release(observer);
  end_call();
}

/* ---- exchange ---- */

static _Thread_local belay_exchange exchanges[8];
void call_belay_signal_export(void) {
  begin_call("belay_signal_export");
  belay_exchange *exchange = &ONE_OF(exchanges);
  belay_exchange_release(exchange);
  belay_signal *signal = pick(&belay_signal_pool);
  int is_null = rarely();
  ready();
  check_code("belay_signal_export", belay_signal_export(signal, is_null ? NULL : exchange));
  end_call();
}
void call_belay_signal_import(void) {
  begin_call("belay_signal_import");
  belay_exchange exchange = ONE_OF(exchanges);
  if (rarely()) exchange.version = draw_uint64();
  if (rarely()) exchange.subscribe = NULL;
  if (rarely()) exchange.retain = NULL;
  int is_null = rarely();
  ready();
  made(&belay_signal_pool, "belay_signal_import", belay_signal_import(is_null ? NULL : &exchange), 1);
  end_call();
}
void call_belay_exchange_release(void) {
  begin_call("belay_exchange_release");
  belay_exchange *exchange = rarely() ? NULL : &ONE_OF(exchanges);
  ready();
  belay_exchange_release(exchange);
  end_call();
}

/* ---- loops ---- */

static void stop(void *ctx) { belay_loop_stop(ctx); }

/* A run that waits is stopped by the keeper's timer. */
void call_belay_loop_run(void) {
  begin_call("belay_loop_run");
  belay_loop *loop = pick(&belay_loop_pool);
  belay_disposable *timer = NULL;
  belay_run_mode mode = draw(8) ? BELAY_RUN_NOWAIT : (belay_run_mode)draw_enum();
  if (mode == BELAY_RUN_DEFAULT || mode == BELAY_RUN_ONCE) {
    belay_scheduler *scheduler = belay_loop_get_scheduler(keeper);
    if (!keeper || belay_scheduler_every(scheduler, 0.002, 0.002, 0, stop, keeper, NULL, &timer) < 0)
      mode = BELAY_RUN_NOWAIT;
  }
  if (keeper && flip()) loop = keeper;
  ready();
  int result = belay_loop_run(loop, mode);
  check_code("belay_loop_run", result);
  belay_disposable_dispose(timer);
  belay_disposable_release(timer);
  end_call();
}

static uv_loop_t host;
static int has_host;
void call_belay_loop_adopt(void) {
  begin_call("belay_loop_adopt");
  drawn drawn;
  struct uv_loop_s *uv = keeper && flip() ? belay_loop_uv(keeper) : has_host && !rarely() ? &host : NULL;
  const belay_loop_options *options = draw_belay_loop_options(&drawn);
  ready();
  belay_loop *result = belay_loop_adopt(uv, options);
  check_size("belay_loop_adopt", &drawn, !result);
  made(&belay_loop_pool, "belay_loop_adopt", result, 1);
  if (has_host && flip()) uv_run(&host, UV_RUN_NOWAIT);
  end_call();
}

void call_belay_scheduler_flush(void) {
  static int flushed;
  begin_call("belay_scheduler_flush");
  belay_scheduler *scheduler = flushed++ < 2 ? pick(&virtual_pool) : NULL;
  ready();
  check_code("belay_scheduler_flush", belay_scheduler_flush(scheduler));
  end_call();
}

/* ---- a loop of the host's own ---- */

static struct work {
  belay_action_fn action;
  void *work;
  belay_free_fn work_free;
  double seconds;
} works[400];
static int work_count, hosts_made;
static pthread_mutex_t work_lock = PTHREAD_MUTEX_INITIALIZER;

static void *add_work(belay_action_fn action, void *work, belay_free_fn work_free, double seconds) {
  pthread_mutex_lock(&work_lock);
  int at = work_count < 400 ? work_count++ : -1;
  if (at >= 0) works[at] = (struct work){action, work, work_free, seconds};
  pthread_mutex_unlock(&work_lock);
  if (at < 0) work_free(work);
  return at < 0 ? NULL : work;
}
static void host_schedule(void *ctx, belay_action_fn action, void *work, belay_free_fn work_free) {
  (void)ctx;
  add_work(action, work, work_free, 0);
}
static void *host_after(void *ctx, double seconds, belay_action_fn action, void *work, belay_free_fn work_free) {
  (void)ctx;
  return add_work(action, work, work_free, seconds);
}
static int take_work(struct work *taken, void *wanted) {
  pthread_mutex_lock(&work_lock);
  int at = 0;
  while (at < work_count && wanted && works[at].work != wanted) at++;
  int found = at < work_count;
  if (found) {
    *taken = works[at];
    memmove(&works[at], &works[at + 1], sizeof *works * (size_t)(--work_count - at));
  }
  pthread_mutex_unlock(&work_lock);
  return found;
}
static void host_cancel(void *ctx, void *timer) {
  struct work taken;
  (void)ctx;
  if (timer && take_work(&taken, timer)) taken.work_free(taken.work);
}
static void pump(int runs) {
  struct work taken;
  for (int i = 0; i < 20 && take_work(&taken, NULL); i++) {
    if (runs) taken.action(taken.work);
    taken.work_free(taken.work);
  }
}
void call_belay_scheduler_create_host(void) {
  begin_call("belay_scheduler_create_host");
  belay_scheduler_table table = {.size = sizeof table, .label = draw_label(), .capacity = draw_size()};
  void *ctx;
  belay_free_fn ctx_free;
  if (!rarely()) table.schedule = host_schedule;
  if (!rarely()) table.after = host_after;
  if (flip()) table.cancel = host_cancel;
  if (rarely()) table.size = flip() ? 0 : sizeof table - 1;
  int is_null = rarely();
  give(&ctx, &ctx_free);
  ready();
  belay_scheduler *result = hosts_made > 2 ? NULL : belay_scheduler_create_host(is_null ? NULL : &table, ctx, ctx_free);
  if (hosts_made > 2 && ctx_free) ctx_free(ctx);
  else made(&belay_scheduler_pool, "belay_scheduler_create_host", result, 1);
  if (result) hosts_made++;
  pump(1);
  end_call();
}

/* ---- descriptors and processes ---- */

static int kept[400];
static atomic_int kept_count;
static int open_ends(int ends[2]) {
  return flip() ? pipe2(ends, O_CLOEXEC) : socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends);
}
static void keep_open(int fd) {
  if (kept_count >= 400 - MOST_PLAYERS) close(fd);
  else kept[atomic_fetch_add(&kept_count, 1)] = fd;
}
static int polled[2] = {-1, -1};
int draw_descriptor(void) {
  static const int wrong[] = {-1, INT_MIN, INT_MAX, 9999};
  return draw(4) ? ONE_OF(polled) : ONE_OF(wrong);
}

/* Takes the descriptor, also when it fails, but for two failures. */
void call_belay_stream_open(void) {
  begin_call("belay_stream_open");
  drawn drawn;
  int ends[2] = {-1, -1}, side = flip();
  belay_loop *loop = pick(&belay_loop_pool);
  switch (draw(6)) {
    case 0: ends[side] = open("/dev/null", O_RDWR | O_CLOEXEC); break;
    case 1: ends[side] = flip() ? -1 : INT_MIN; break;
    case 2: ends[side] = open(draw_path(), O_RDONLY | O_NONBLOCK | O_CLOEXEC); break;
    default: if (open_ends(ends) < 0) ends[0] = ends[1] = -1; break;
  }
  const belay_stream_options *options = draw_belay_stream_options(&drawn);
  ready();
  belay_stream *result = belay_stream_open(loop, ends[side], options);
  const belay_error *error = result ? NULL : belay_last_error();
  int code = belay_error_code(error);
  if (!result && !error) fault("belay_stream_open answers NULL and records nothing");
  if (!result && (code == BELAY_ECLOSED || code == BELAY_EWRONGTHREAD) && ends[side] >= 0) close(ends[side]);
  if (ends[!side] >= 0) {
    if (flip() && write(ends[!side], "some\nlines\n", 11) < 0) errno = 0;
    if (flip()) close(ends[!side]);
    else keep_open(ends[!side]);
  }
  check_size("belay_stream_open", &drawn, !result);
  made(&belay_stream_pool, NULL, result, 0);
  end_call();
}

void call_belay_process(void) {
  static const char *const truth[] = {"/bin/true", NULL}, *const cat[] = {"/bin/cat", NULL},
                           *const none[] = {"/none/none", NULL}, *const empty[] = {NULL}, *const blank[] = {"", NULL},
                           *const environment[] = {"A=b", "=", "", NULL};
  static const char *const *const programs[] = {truth, truth, cat, cat, none, empty, blank, NULL};
  static const int ends[] = {0, 0, -2, -2, -2, -3, 9999, INT_MAX, INT_MIN};
  begin_call("belay_process");
  belay_loop *loop = pick(&belay_loop_pool);
  belay_process_options options = {.size = sizeof options, .args = ONE_OF(programs)};
  if (rarely()) options.env = environment;
  if (rarely()) options.cwd = draw_path();
  options.input = ONE_OF(ends), options.output = ONE_OF(ends), options.error = ONE_OF(ends);
  if (flip()) options.flags = draw_unsigned();
  options.uid = getuid(), options.gid = getgid();
  if (flip()) options.disposal = (belay_process_disposal)draw_enum();
  if (flip()) options.grace = draw_seconds();
  int is_wrong = rarely(), is_null = rarely();
  if (is_wrong) options.size = flip() ? 0 : sizeof options - 1;
  ready();
  belay_signal *result = belay_process(loop, is_null ? NULL : &options);
  if (result && is_wrong) fault("belay_process takes a struct of a wrong size");
  made(&belay_signal_pool, "belay_process", result, 1);
  end_call();
}

void call_belay_udp(void) {
  static const char *const groups[] = {"none", NULL}, *const none[] = {NULL};
  begin_call("belay_udp");
  belay_loop *loop = pick(&belay_loop_pool);
  belay_signal *outgoing = flip() ? NULL : pick(&belay_signal_pool);
  belay_udp_options options = {.size = sizeof options, .host = rarely() ? draw_host() : "127.0.0.1"};
  if (flip()) options.remote_host = draw_host(), options.remote_port = 9;
  if (rarely()) options.groups = flip() ? groups : none;
  if (rarely()) options.interface_host = draw_host();
  if (rarely()) options.flags = draw_unsigned();
  if (rarely()) options.multicast_ttl = draw_unsigned();
  if (rarely()) options.reserved = draw_unsigned();
  int is_wrong = rarely(), is_null = rarely();
  if (is_wrong) options.size = flip() ? 0 : sizeof options - 1;
  ready();
  belay_signal *result = belay_udp(loop, outgoing, is_null ? NULL : &options);
  if (result && is_wrong && !is_null) fault("belay_udp takes a struct of a wrong size");
  made(&belay_signal_pool, "belay_udp", result, 1);
  end_call();
}

/* ---- the begin and the end ---- */

static void make_file(const char *name) {
  char path[160];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  int fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
  if (fd < 0 || write(fd, "one\ntwo\r\n\xff\nthree", 17) != 17) fault("no file");
  close(fd);
}
void begin_by_hand(void) {
  char path[160];
  make_file("file");
  snprintf(path, sizeof path, "%s/directory", folder);
  mkdir(path, 0755);
  snprintf(path, sizeof path, "%s/pipe", folder);
  mkfifo(path, 0644);
  snprintf(path, sizeof path, "%s/link", folder);
  if (symlink("file", path) < 0) fault("no link");
  int input = open("/dev/null", O_RDWR);
  dup2(input, 0);
  if (input > 2) close(input);
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, polled) < 0) fault("no sockets");
  if (is_tidy || flip()) begin_thread();
  else if (flip()) has_host = uv_loop_init(&host) == 0;
}
void begin_thread(void) {
  keeper = belay_loop_create(NULL);
  keepers[player - 1] = keeper;
  put(&belay_loop_pool, belay_loop_create(NULL));
}
void end_thread(void) {
  void *loops[POOL];
  for (size_t i = 0; i < sizeof exchanges / sizeof *exchanges; i++) belay_exchange_release(&exchanges[i]);
  if (player == 1) pump(0);
  /* Its thread looks for a loop: users whose last reference went elsewhere have no other turn in which to leave. */
  if (!keeper && players > 1) keeper = belay_loop_create(NULL);
  for (int i = 0; keeper && i < 3; i++) belay_loop_run(keeper, BELAY_RUN_NOWAIT);
  for (int count = hold_all(&belay_loop_pool, loops); count > 0; count--) {
    belay_loop_close(loops[count - 1], on_belay_closed_fn, NULL, NULL); /* fails for those of other threads */
    belay_loop_release(loops[count - 1]);
  }
  belay_loop_close(keeper, on_belay_closed_fn, NULL, NULL);
  belay_loop_release(keeper);
}
void end_by_hand(void) {
  for (int i = 0; i < variable_count; i++)
    if (variables[i].kind > BELAY_KIND_POINTER || variables[i].kind == BELAY_KIND_NULL)
      belay_value_release(variables[i].value);
  pump(0);
  for (int i = 0; has_host && i < 10; i++) uv_run(&host, UV_RUN_NOWAIT);
  if (has_host) uv_loop_close(&host);
  for (int i = 0; i < kept_count; i++) close(kept[i]);
  close(polled[0]), close(polled[1]);
}
